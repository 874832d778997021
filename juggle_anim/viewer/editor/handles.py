"""Handles in the picture: places of throws, catches, points and bodies, and which is hit."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import HAND_FORWARD, HAND_HEIGHT, STYLES
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
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

_ARROW_PREFERENCE = 0.5  # factor on the distance of a body's arrow, which its ring surrounds
_STACK_DISTANCE = 5.0  # pixels at scale 1; handles as near to each other are taken in turn
_SAMPLES_PER_SECOND = 72  # of the paths of hands
_MAX_SAMPLES = 600  # of the paths of hands
_RING = np.array(
    [
        (RING_RADIUS * np.sin(angle), 0.0, RING_RADIUS * np.cos(angle))
        for angle in np.arange(48) * np.pi / 24
    ]
)
_TYPED_LIMIT = 10_000.0  # cm or °; typed numbers are smaller


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


NO_HAND = -1
"""In place of the hand, for handles of bodies."""


class HandlePoint(NamedTuple):
    """A handle in the picture.

    Attributes:
        handle: what it moves.
        mark: what it is.
        juggler: counted from 0.
        hand: 2 · juggler + side; `NO_HAND` for bodies.
        time: time in the loop, [s].
        place: place in the world, [m].
    """

    handle: EventHandle | BodyHandle
    mark: Mark
    juggler: int
    hand: int
    time: float
    place: tuple[float, float, float]

    @property
    def is_of_hand(self) -> bool:
        """Whether it is a throw, a catch or a point of a hand, and not of a body."""
        return self.hand != NO_HAND

    @property
    def event(self) -> int:
        """The number of the event; −1 for bodies."""
        return self.handle.event if isinstance(self.handle, EventHandle) else -1


@dataclass(frozen=True)
class BodyFrame:
    """The frame of a body at one time, in which events are written.

    Args:
        origin: the place under its feet, shape (3,), in the world, [m].
        facing: angle about +y, 0 faces +z, [rad].
    """

    origin: Floats
    facing: float

    @classmethod
    def from_animation(cls, animation: Animation, juggler: int, time: float) -> BodyFrame:
        """Return the frame of a juggler at a time of the loop, [s]."""
        # Rows of `places` are x, y, z and heading.
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
        points: the points of throws, catches and points of hands in the order of events, then of
            bodies.
    """

    points: tuple[HandlePoint, ...]

    @cached_property
    def places(self) -> Floats:
        """Places of the points in the world, shape (N, 3), [m]."""
        return np.array([point.place for point in self.points]).reshape(-1, 3)

    def find(self, handle: object, mark: Mark | None = None) -> HandlePoint | None:
        """Return the point that stands for a handle; None if it is not shown.

        Args:
            handle: handle to find.
            mark: the mark that the point must have; None for the first point of the handle, which
                for a body is its ring.
        """
        matches = (
            point for point in self.points if point.handle == handle and mark in (None, point.mark)
        )
        return next(matches, None)

    @cached_property
    def _rings(self) -> tuple[list[int], Floats]:
        """Indices of the R rings around bodies, and their N corners, shape (R, N, 3), [m], world.

        The indices are of `points`, and in the order of the rings.
        """
        indices = [index for index, point in enumerate(self.points) if point.mark is Mark.BODY]
        return indices, np.array([ring(self.points[index].place) for index in indices])

    def at(
        self,
        x: float,
        y: float,
        project: Callable[[Floats], Floats],
        scale: float,
        chosen: Collection[object],
        time: float,
    ) -> int | None:
        """Return the index of the point that a click at the mouse takes; None if none is in reach.

        The nearest point within `REACH` is taken. If others are farther from the mouse than it by
        no more than `_STACK_DISTANCE`, they are ranked: points of hands come before those of
        bodies, then chosen ones before others, then those whose time in the loop is nearer to that
        of the picture, and last the nearer ones. The ring around a body is as far as its nearest
        corner.

        Args:
            x, y: position of the mouse, [pixels].
            project: maps points of the world, shape (N, 3), [m], to the window, shape (N, 2),
                [pixels]; NaN for those behind the camera.
            scale: the scale of the window, by which both distances are multiplied.
            chosen: handles that are chosen.
            time: the time of the picture in the loop, [s].
        """
        # Distances from the mouse, [pixels], shape (N,). They are NaN for points behind the camera:
        # comparisons with NaN are false, so that these are out of reach below.
        distances = np.hypot(*(project(self.places) - (x, y)).T)
        # A ring is as far as its nearest corner. Here NaN has to be replaced, as a minimum with NaN
        # is NaN even if other corners are seen.
        rings, corners = self._rings
        if rings:
            to_corners = np.hypot(*(project(corners.reshape(-1, 3)) - (x, y)).T)
            to_corners = to_corners.reshape(len(rings), -1)
            distances[rings] = np.nan_to_num(to_corners, nan=np.inf).min(axis=1)
        # The tip of a body's arrow may lie near or on the body's own ring in the picture. Its
        # distance is halved, so that it can still be clicked.
        arrows = [index for index, point in enumerate(self.points) if point.mark is Mark.HEADING]
        distances[arrows] *= _ARROW_PREFERENCE

        # Candidates: the nearest point in reach, and all that are nearly as near as that one.
        in_reach = np.flatnonzero(distances <= REACH * scale)
        if not len(in_reach):
            return None
        furthest = distances[in_reach].min() + _STACK_DISTANCE * scale
        candidates = [index for index in in_reach.tolist() if distances[index] <= furthest]

        def rank(index: int) -> tuple[bool, bool, float, float]:
            """Return the order in which candidates are taken; False comes before True."""
            point = self.points[index]
            return (
                not point.is_of_hand,
                point.handle not in chosen,
                abs(point.time - time),
                float(distances[index]),
            )

        return min(candidates, key=rank)

    def within(self, corners: Floats, project: Callable[[Floats], Floats]) -> list[EventHandle]:
        """Return the handles of hands in a rectangle of the window, in the order of `points`.

        Args:
            corners: two opposite ones, in either order, shape (2, 2), [pixels].
            project: as for `at`.
        """
        seen = project(self.places)  # NaN, behind the camera, compares as outside
        inside = ((seen >= corners.min(axis=0)) & (seen <= corners.max(axis=0))).all(axis=1)
        handles = [self.points[index].handle for index in np.flatnonzero(inside).tolist()]
        return [handle for handle in handles if isinstance(handle, EventHandle)]

    def stack(self, index: int, seen: Floats, scale: float) -> list[int]:
        """Return the indices of the handles of hands that are seen at the place of one.

        These are those within `_STACK_DISTANCE` of it, itself among them, in the order of `points`.
        For the handle of a body that no hand covers, it is that handle alone.

        Args:
            index: the index of the handle.
            seen: places of all points in the window, shape (N, 2), [pixels].
            scale: the scale of the window, by which the distance is multiplied.
        """
        distances = np.hypot(*(seen - seen[index]).T)
        near = np.flatnonzero(distances <= _STACK_DISTANCE * scale).tolist()
        return [neighbour for neighbour in near if self.points[neighbour].is_of_hand] or [index]


def picture_handles(animation: Animation, jugglers: Collection[int]) -> PictureHandles:
    """Return the handles of the hands of some jugglers, and of all bodies.

    Args:
        animation: the animation with the hands and bodies.
        jugglers: indices of those whose hands have handles, from 0; all bodies have.

    Returns:
        The handles of hands in the order of events, and then two for each key of a body in the
        order of keys: its ring, and right after it its arrow.
    """
    choreography = animation.choreography
    bodies = animation.motion.bodies
    events = choreography.events
    keys = choreography.bodies

    # Events of hands (hand index: 2·juggler + side). The kinds of events are 0 for a throw, 1 for
    # a catch, and larger for the points that a hand passes, which all have one mark.
    shown = np.flatnonzero(np.isin(events.hand // 2, list(jugglers)))
    hands = events.hand[shown]
    times = events.time[shown]
    world = bodies.to_world([events.position[shown]], hands // 2, times)
    points = [
        HandlePoint(
            handle=EventHandle(event),
            mark=Mark(min(kind, Mark.POINT)),
            juggler=hand // 2,
            hand=hand,
            time=time,
            place=(x, y, z),
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

    # Keys of bodies, which are numbered from 0 for each juggler: a ring on the floor, and an arrow
    # along the heading, an angle from +z toward +x.
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
        ring_point = HandlePoint(
            handle, Mark.BODY, juggler=juggler, hand=NO_HAND, time=time, place=(x, y, z)
        )
        tip = x + HEADING_LENGTH * math.sin(facing), y, z + HEADING_LENGTH * math.cos(facing)
        points += [ring_point, ring_point._replace(mark=Mark.HEADING, place=tip)]
    return PictureHandles(tuple(points))


def ring(centre: tuple[float, float, float]) -> Floats:
    """Return the N corners of the ring on the floor around a body, shape (N, 3), [m], world."""
    return np.array(centre) + _RING


def hand_paths(animation: Animation, jugglers: Collection[int]) -> list[Floats]:
    """Return the paths of jugglers' hands over the loop.

    Args:
        animation: the animation with the hands.
        jugglers: indices of the jugglers, from 0.

    Returns:
        For each juggler, in the given order, the paths of the left and the right hand. Each has
        shape (T, 3), [m], world frame: T samples at even steps of time, from the start of the loop
        to its end, both included.
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
    """Return a place in the coordinates that users see and type, [m]; the inverse of `to_body`.

    Args:
        animation: the animation whose style says how high hands usually are.
        hand: 2 · juggler + side.
        place: the place of the hand, shape (3,), [m], in the frame of its body (x left, y up, z
            forward).
    """
    x, y, z = place.tolist()
    return x * _outward_sign(hand), y - _usual_height(animation), z - HAND_FORWARD


def to_body(animation: Animation, hand: int, seen: Sequence[float]) -> Floats:
    """Return the place of a hand in its body's frame, shape (3,), [m]; inverse of `from_body`.

    Args:
        animation: the animation whose style says how high hands usually are.
        hand: 2 · juggler + side.
        seen: coordinates as users see and type them: outward, up and forward, [m].
    """
    outward, up, forward = seen
    return np.array(
        [outward * _outward_sign(hand), up + _usual_height(animation), forward + HAND_FORWARD]
    )


def partners(animation: Animation, event: int) -> Floats:
    """Return the coordinates of the events of the other hand that are of the same kind.

    Args:
        animation: the animation with the events.
        event: row of the event of one hand; the other is that of the same juggler.

    Returns:
        Outward, up and forward, shape (N, 3), [m], in the order of events; N may be 0.
    """
    events = animation.choreography.events
    # A hand is 2 · juggler + side: to flip the lowest bit changes the side alone.
    other_hand = events.hand[event] ^ 1
    is_partner = (events.hand == other_hand) & (events.kind == events.kind[event])
    rows = np.flatnonzero(is_partner).tolist()
    return np.array([coordinates(animation, row) for row in rows]).reshape(-1, 3)


def throw_before(animation: Animation, event: int) -> int:
    """Return the throw at which the path of a hand that an event is on begins, a row of events.

    It is the last throw of the hand up to the event, cyclically; the event itself if that is a
    throw, or if the hand never throws.
    """
    events = animation.choreography.events
    duration = animation.choreography.duration
    throws = np.flatnonzero((events.hand == events.hand[event]) & (events.kind == Mark.THROW))
    # How long before the event each throw was made, cyclically; 0 for the event itself.
    since = (events.time[event] - events.time[throws]) % duration
    return int(throws[since.argmin()]) if len(throws) else event


def nearest_on_paths(
    paths: Sequence[Floats], x: float, y: float, reach: float
) -> tuple[int, float] | None:
    """Find the sample of some paths that is nearest to a point.

    Args:
        paths: at least one. Each has T samples in even steps of time, from the start of the loop to
            its end, shape (T, 2), [pixels]; NaN where they are behind the camera. T is the same for
            all.
        x, y: the point, [pixels].
        reach: greatest distance, [pixels].

    Returns:
        index: index of the path.
        phase: phase of the loop at that sample, 0 at its start, 1 at its end.
        None if no path is in reach.
    """
    # Shape (paths, T); samples that are not seen are infinitely far.
    distances = np.nan_to_num([np.hypot(*(path - (x, y)).T) for path in paths], nan=np.inf)
    index, sample = np.unravel_index(int(distances.argmin()), distances.shape)
    if distances[index, sample] > reach:
        return None
    last_sample = distances.shape[1] - 1
    return int(index), int(sample) / last_sample


def numbers_of(animation: Animation, point: HandlePoint) -> str:
    """Return the three numbers of a handle as they are typed, separated by a comma and a space.

    Those of a hand are outward, up and forward, [cm]; those of a body its turn to the left, [°],
    and how far it stands to the right and forward of the world's origin, [cm], as in settings.
    """
    if point.is_of_hand:
        return ", ".join(_number(100 * metres) for metres in coordinates(animation, point.event))
    frame = BodyFrame.from_animation(animation, point.juggler, point.time)
    x, _unused, z = frame.origin.tolist()  # x of the world points to the left
    return ", ".join(map(_number, (math.degrees(frame.facing), -100 * x, 100 * z)))


def read_numbers(text: str, point: HandlePoint) -> tuple[float, ...] | str:
    """Read the numbers typed for a handle, as `numbers_of` writes them.

    Args:
        text: numbers separated by commas or semicolons, in cm and degrees.
        point: the point of a hand or of a body.

    Returns:
        Of a hand: outward, up and forward [m], and the time [s] if a fourth number is typed. Of a
        body: heading, turned to the left [rad], right and forward [m]. If the numbers are refused,
        a text that says why.
    """
    hint = (
        _("12, 5, -3: cm outward, up, forward")
        if point.is_of_hand
        else _("90, 75, 0: degrees to the left, cm right, cm forward")
    )
    try:
        numbers = tuple(float(part.replace("−", "-")) for part in text.replace(";", ",").split(","))
    except ValueError:
        return _("numbers such as {hint}", hint=hint)
    counts = (3, 4) if point.is_of_hand else (3,)
    # Written with `not`, so that NaN, which `float` reads, is refused, too. `_TYPED_LIMIT` is in cm
    # or °.
    is_too_large = any(not abs(number) < _TYPED_LIMIT for number in numbers)
    if is_too_large or len(numbers) not in counts:
        return _("three numbers such as {hint}", hint=hint)
    if point.is_of_hand:
        return *(number / 100 for number in numbers[:3]), *numbers[3:]
    heading, right, forward = numbers
    return math.radians(heading), right / 100, forward / 100


def _number(value: float) -> str:
    """Return a number rounded to one digit after the point, which is left out if it is 0."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _outward_sign(hand: int) -> float:
    """Return the sign of the outward axis of a hand: 1 for left, −1 for right."""
    return 1.0 - 2.0 * (hand % 2)


def _usual_height(animation: Animation) -> float:
    """Return the usual height of the hands above the floor, [m]."""
    style = "juggling-lab" if animation.choreography.as_juggling_lab else "natural"
    return HAND_HEIGHT + STYLES[style].hands_up
