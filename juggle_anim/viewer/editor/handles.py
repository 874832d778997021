"""Handles in the picture: where throws, catches, points of hand paths and bodies are, and which one
the mouse is on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT, STYLES
from juggle_anim.language import _
from juggle_anim.viewer.editor.editor import BodyHandle, EventHandle

Coordinates = tuple[float, float, float]
"""Outward (to the hand's own side), up and forward of the middle between the hands where they
usually are, [m].
"""

RING_RADIUS = 0.3
"""Radius of the ring on the floor around a body, [m]."""

HEADING_LENGTH = 0.48
"""From the middle of a body to the tip of the arrow of its heading, [m]."""

REACH = 13.0
"""How near to a handle the mouse takes it, at scale 1, [pixels]."""

_ARROWS_FIRST = 0.5  # of its distance from the mouse, for the arrow of a body
_STACKED = 5.0  # pixels at scale 1; handles as near to each other are taken in turn
# of the paths of hands
_SAMPLES_PER_SECOND = 72
_MAX_SAMPLES = 600
_RING = np.array(
    [
        (RING_RADIUS * np.sin(turn), 0.0, RING_RADIUS * np.cos(turn))
        for turn in np.arange(48) * np.pi / 24
    ]
)
_MOST = 10_000.0  # of a typed number


class Mark(IntEnum):
    """What a handle is, in the picture."""

    THROW = 0
    CATCH = 1
    POINT = 2
    """A point that a hand passes."""
    BODY = 3
    """The ring on the floor around a body."""
    HEADING = 4
    """The arrow on the floor that a body faces along."""


class HandlePoint(NamedTuple):
    """A handle in the picture.

    Attributes:
        handle: what it moves.
        mark: what it is.
        juggler: counted from 0.
        hand: 2 · juggler + side; −1 for bodies.
        time: in the loop, [s].
        place: in the world, [m].
    """

    handle: EventHandle | BodyHandle
    mark: Mark
    juggler: int
    hand: int
    time: float
    place: tuple[float, float, float]

    @property
    def event(self) -> int:
        """The number of the event; −1 for bodies."""
        return self.handle.event if isinstance(self.handle, EventHandle) else -1


@dataclass(frozen=True)
class BodyFrame:
    """The frame of a body at one time, in which events are written.

    Args:
        origin: the place under its feet, shape (3,), in the world, [m].
        facing: turn about +y, 0 faces +z, [rad].
    """

    origin: Floats
    facing: float

    @classmethod
    def of(cls, animation: Animation, juggler: int, time: float) -> BodyFrame:
        """The frame of a juggler at a time, [s]."""
        place = animation.motion.bodies.places(np.array([time]))[0, juggler]
        return cls(place[:3], float(place[3]))

    @property
    def axes(self) -> Floats:
        """Left, up and forward in the world, shape (3, 3), one a row."""
        sin = math.sin(self.facing)
        cos = math.cos(self.facing)
        return np.array([(cos, 0.0, -sin), (0.0, 1.0, 0.0), (sin, 0.0, cos)])

    def to_world(self, point: Floats) -> Floats:
        """Take a point of the body to the world, shape (3,), [m]."""
        return self.origin + np.asarray(point) @ self.axes

    def to_body(self, point: Floats) -> Floats:
        """Take a point of the world to the body, shape (3,), [m]."""
        return self.axes @ (np.asarray(point) - self.origin)


@dataclass(frozen=True)
class PictureHandles:
    """The handles of some jugglers.

    Args:
        points: of throws, catches and points of hands in the order of events, then of bodies.
    """

    points: tuple[HandlePoint, ...]

    @cached_property
    def places(self) -> Floats:
        """Where they are in the world, shape (N, 3), [m]."""
        return np.array([point.place for point in self.points]).reshape(-1, 3)

    def find(self, handle: object, mark: Mark | None = None) -> HandlePoint | None:
        """The point of a handle, perhaps with a mark; of a body by default its ring. None if it is
        not there.
        """
        found = (
            point for point in self.points if point.handle == handle and mark in (None, point.mark)
        )
        return next(found, None)

    @cached_property
    def _rings(self) -> tuple[list[int], Floats]:
        """The numbers of the rings around bodies, and their corners, shape (R, N, 3), [m]."""
        numbers = [number for number, point in enumerate(self.points) if point.mark is Mark.BODY]
        return numbers, np.array([ring(self.points[number].place) for number in numbers])

    def at(
        self,
        x: float,
        y: float,
        project: Callable[[Floats], Floats],
        scale: float,
        chosen: Collection[object],
        time: float,
    ) -> int | None:
        """Return the number of the point that a click at the mouse takes, in `points`; None if none
        is in reach.

        The nearest point within `REACH` is taken. Of several within `_STACKED` of the nearest, it
        is a point of a hand rather than of a body, then a chosen one, then the one whose time in
        the loop is nearest to that of the picture, then the nearest. The ring around a body is as
        near as its nearest corner.

        Args:
            x, y: of the mouse, [pixels].
            project: returns where points of the world, shape (N, 3), are in the window, shape (N,
                2), [pixels]; NaN where they are not seen.
            scale: of the window, by which both distances are multiplied.
            chosen: handles that are chosen.
            time: of the picture in the loop, [s].
        """
        away = np.hypot(*(project(self.places) - (x, y)).T)
        numbers, corners = self._rings
        if numbers:
            around = np.hypot(*(project(corners.reshape(-1, 3)) - (x, y)).T).reshape(
                len(numbers), -1
            )
            away[numbers] = np.nan_to_num(around, nan=np.inf).min(axis=1)
        # An arrow that points at the camera lies on its ring.
        away[
            [number for number, point in enumerate(self.points) if point.mark is Mark.HEADING]
        ] *= _ARROWS_FIRST
        within = np.flatnonzero(away <= REACH * scale)
        if not len(within):
            return None
        near = [
            number
            for number in within.tolist()
            if away[number] <= away[within].min() + _STACKED * scale
        ]

        def rank(number: int) -> tuple[bool, bool, float, float]:
            point = self.points[number]
            return (
                point.hand < 0,
                point.handle not in chosen,
                abs(point.time - time),
                float(away[number]),
            )

        return min(near, key=rank)

    def within(self, corners: Floats, project: Callable[[Floats], Floats]) -> list[EventHandle]:
        """Return the handles of hands between two corners, shape (2, 2), [pixels]; `project` as for
        `at`.
        """
        seen = project(self.places)
        inside = ((seen >= corners.min(axis=0)) & (seen <= corners.max(axis=0))).all(axis=1)
        found = [self.points[number].handle for number in np.flatnonzero(inside).tolist()]
        return [handle for handle in found if isinstance(handle, EventHandle)]

    def stack(self, number: int, seen: Floats, scale: float) -> list[int]:
        """Return the numbers of all handles of hands that are at the place of one, itself among
        them, by time.
        """
        away = np.hypot(*(seen - seen[number]).T)
        near = np.flatnonzero(away <= _STACKED * scale).tolist()
        return [each for each in near if self.points[each].hand >= 0] or [number]


def picture_handles(animation: Animation, jugglers: Collection[int]) -> PictureHandles:
    """Return the handles of the hands of some jugglers, and of all bodies."""
    choreography = animation.choreography
    bodies = animation.motion.bodies
    events = choreography.events
    keys = choreography.bodies
    shown = np.flatnonzero(np.isin(events.hand // 2, list(jugglers)))
    hands = events.hand[shown]
    times = events.time[shown]
    world = bodies.to_world([events.position[shown]], hands // 2, times)
    points = [
        HandlePoint(
            EventHandle(event), Mark(min(kind, Mark.POINT)), hand // 2, hand, time, (x, y, z)
        )
        for event, kind, hand, time, (x, y, z) in zip(
            shown.tolist(),
            events.kind[shown].tolist(),
            hands.tolist(),
            times.tolist(),
            world.tolist(),
            strict=True,
        )
    ]
    counts: dict[int, int] = {}
    for juggler, time, (x, y, z), facing in zip(
        keys.juggler.tolist(),
        keys.time.tolist(),
        keys.position.tolist(),
        keys.facing.tolist(),
        strict=True,
    ):
        handle = BodyHandle(juggler, counts.setdefault(juggler, 0))
        counts[juggler] += 1
        points.append(HandlePoint(handle, Mark.BODY, juggler, -1, time, (x, y, z)))
        tip = x + HEADING_LENGTH * math.sin(facing), y, z + HEADING_LENGTH * math.cos(facing)
        points.append(HandlePoint(handle, Mark.HEADING, juggler, -1, time, tip))
    return PictureHandles(tuple(points))


def ring(centre: tuple[float, float, float]) -> Floats:
    """Return the corners of the ring on the floor around a body, shape (N, 3), [m]."""
    return np.array(centre) + _RING


def hand_paths(animation: Animation, jugglers: Collection[int]) -> list[Floats]:
    """Return the paths of the hands of some jugglers over the loop, each shape (T, 3), in the
    world, [m].
    """
    duration = animation.choreography.duration
    count = min(max(round(duration * _SAMPLES_PER_SECOND), 2), _MAX_SAMPLES)
    hands = animation.motion.sample_hands(np.linspace(0.0, duration, count + 1))
    return [hands[:, juggler, side] for juggler in jugglers for side in (0, 1)]


def coordinates(animation: Animation, event: int) -> Coordinates:
    """Return the coordinates of an event as users see and type them, [m]."""
    events = animation.choreography.events
    return from_body(animation, int(events.hand[event]), events.position[event])


def from_body(animation: Animation, hand: int, place: Floats) -> Coordinates:
    """Return the coordinates of a place of a hand in its body's frame, shape (3,), [m]."""
    x, y, z = place.tolist()
    return x * _side(hand), y - _height(animation), z - HAND_FORWARD


def to_body(animation: Animation, hand: int, seen: Sequence[float]) -> Floats:
    """Return the place in its body's frame of a hand with some coordinates, shape (3,), [m]."""
    outward, up, forward = seen
    return np.array([outward * _side(hand), up + _height(animation), forward + HAND_FORWARD])


def partners(animation: Animation, event: int) -> Floats:
    """Return the coordinates of the events of the same kind of the juggler's other hand, shape (N,
    3), [m].
    """
    events = animation.choreography.events
    other = (events.hand == events.hand[event] ^ 1) & (events.kind == events.kind[event])
    return np.array(
        [coordinates(animation, row) for row in np.flatnonzero(other).tolist()]
    ).reshape(-1, 3)


def throw_before(animation: Animation, event: int) -> int:
    """Return the throw with which a hand began the path that an event is on; itself if it throws.

    A hand that never throws has none, and the event itself is returned.
    """
    events = animation.choreography.events
    duration = animation.choreography.duration
    throws = np.flatnonzero((events.hand == events.hand[event]) & (events.kind == Mark.THROW))
    since = (events.time[event] - events.time[throws]) % duration
    return int(throws[since.argmin()]) if len(throws) else event


def nearest_on_paths(
    paths: Sequence[Floats], x: float, y: float, reach: float
) -> tuple[int, float] | None:
    """Return which path is next to a point of the window, and at which share of it, 0 to 1; None if
    none is near.

    Args:
        paths: each shape (T, 2), [pixels].
        x, y: the point, [pixels].
        reach: how near, [pixels].
    """
    away = np.nan_to_num([np.hypot(*(path - (x, y)).T) for path in paths], nan=np.inf)
    number, sample = np.unravel_index(int(away.argmin()), away.shape)
    if away[number, sample] > reach:
        return None
    return int(number), int(sample) / (away.shape[1] - 1)


def numbers_of(animation: Animation, point: HandlePoint) -> str:
    """Return the numbers of a handle as they are typed.

    Those of a hand are outward, up and forward, [cm]; those of a body its turn to the left, [°],
    and how far it stands to the right and forward, [cm], as in settings.
    """
    if point.event >= 0:
        return ", ".join(_number(100 * each) for each in coordinates(animation, point.event))
    frame = BodyFrame.of(animation, point.juggler, point.time)
    x, _unused, z = frame.origin.tolist()
    return ", ".join(map(_number, (math.degrees(frame.facing), -100 * x, 100 * z)))


def read_numbers(text: str, point: HandlePoint) -> tuple[float, ...] | str:
    """Return the numbers that `numbers_of` writes as a text, [m] and [rad], or why the text is
    refused.

    A fourth number of a hand is its time, [s].
    """
    hint = (
        _("12, 5, -3: cm outward, up, forward")
        if point.event >= 0
        else _("90, 75, 0: degrees to the left, cm right, cm forward")
    )
    try:
        numbers = tuple(float(part.replace("−", "-")) for part in text.replace(";", ",").split(","))
    except ValueError:
        return _("numbers such as {hint}", hint=hint)
    if not all(abs(number) < _MOST for number in numbers) or len(numbers) not in (
        (3, 4) if point.event >= 0 else (3,)
    ):
        return _("three numbers such as {hint}", hint=hint)
    if point.event >= 0:
        return *(number / 100 for number in numbers[:3]), *numbers[3:]
    return math.radians(numbers[0]), numbers[1] / 100, numbers[2] / 100


def _number(value: float) -> str:
    """A number with one digit after the point where it needs one."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _side(hand: int) -> float:
    return 1.0 - 2.0 * (hand % 2)


def _height(animation: Animation) -> float:
    style = "juggling-lab" if animation.choreography.as_juggling_lab else "natural"
    return HAND_HEIGHT + STYLES[style].hands_up
