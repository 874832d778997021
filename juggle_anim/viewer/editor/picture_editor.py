"""Editing in the picture: handles of hands and bodies are chosen, dragged, nudged and typed.

Dragging in the picture: lines of sight, planes and lines of movement, and snapping.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from enum import IntEnum
from functools import cached_property, partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import HAND_FORWARD, HAND_HEIGHT, STYLES
from juggle_anim.edit_menu import Change
from juggle_anim.editing.symmetry import event_at
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera
from juggle_anim.viewer.editor.editor import (
    LADDER,
    PICTURE,
    BodyHandle,
    EditController,
    EventHandle,
    Handle,
    carried_over,
)
from juggle_anim.viewer.layout import Point, Rectangle, project_points
from juggle_anim.viewer.state.keymap import Action, Handlers, caption
from juggle_anim.viewer.state.model import Model

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
        """Return the point of the picture that stands for a handle; None if it is not shown.

        A handle is an event of a hand (a throw, a catch or a point of its path), which has one
        point, or a body, which has two: its ring and its arrow.

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
        """Return the index of the handle that a click takes; None if none is in reach.

        A handle is a point of the picture that can be dragged: a throw, a catch or a point on the
        path of a hand, or the ring or arrow of a body. The nearest one within `REACH` is taken. If
        others are farther from the mouse than it by no more than `_STACK_DISTANCE`, they are
        ranked: handles of hands come before those of bodies, then chosen ones before others, then
        those whose time in the loop is nearer to that of the picture, and last the nearer ones. The
        ring around a body is as far as its nearest corner.

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
        ring_indices, corners = self._rings
        if ring_indices:
            offsets = project(corners.reshape(-1, 3)) - (x, y)
            corner_distances = np.hypot(*offsets.T).reshape(len(ring_indices), -1)
            distances[ring_indices] = np.nan_to_num(corner_distances, nan=np.inf).min(axis=1)
        # The tip of a body's arrow may lie near or on the body's own ring in the picture. Its
        # distance is halved, so that it can still be clicked.
        arrow_indices = [
            index for index, point in enumerate(self.points) if point.mark is Mark.HEADING
        ]
        distances[arrow_indices] *= _ARROW_PREFERENCE

        # Candidates: the nearest point in reach, and all that are nearly as near as that one.
        indices_in_reach = np.flatnonzero(distances <= REACH * scale)
        if not len(indices_in_reach):
            return None
        max_distance = distances[indices_in_reach].min() + _STACK_DISTANCE * scale
        candidates = [
            index for index in indices_in_reach.tolist() if distances[index] <= max_distance
        ]

        def rank(index: int) -> tuple[bool, bool, float, float]:
            """Return the sort key of a candidate; the least is taken (False is before True)."""
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
            corners: two opposite corners of the rectangle, in either order, shape (2, 2): x and y,
                [pixels].
            project: maps points of the world, shape (N, 3), [m], to the window, shape (N, 2),
                [pixels]; NaN for those behind the camera.
        """
        in_window = project(self.places)
        # Comparisons with NaN are false, so that points behind the camera are outside.
        is_inside = ((in_window >= corners.min(axis=0)) & (in_window <= corners.max(axis=0))).all(
            axis=1
        )
        handles = [self.points[index].handle for index in np.flatnonzero(is_inside).tolist()]
        # Handles of bodies are not selected by a rectangle.
        return [handle for handle in handles if isinstance(handle, EventHandle)]

    def stack(self, index: int, places_in_window: Floats, scale: float) -> list[int]:
        """Return the indices of the handles of hands that lie over each other in the picture.

        These are those within `_STACK_DISTANCE` of the given one, itself among them, in the order
        of `points`. For the handle of a body that no hand covers, it is that handle alone.

        Args:
            index: the index of the handle in `points`.
            places_in_window: places of all points in the window, shape (N, 2), [pixels].
            scale: the scale of the window, by which the distance is multiplied.
        """
        distances = np.hypot(*(places_in_window - places_in_window[index]).T)
        near_indices = np.flatnonzero(distances <= _STACK_DISTANCE * scale).tolist()
        hand_indices = [
            neighbour for neighbour in near_indices if self.points[neighbour].is_of_hand
        ]
        return hand_indices or [index]


def picture_handles(animation: Animation, jugglers: Collection[int]) -> PictureHandles:
    """Return the handles of the hands of some jugglers, and of all bodies.

    A hand has a handle for each event, which is a throw, a catch or another point of its path. A
    body has two for each of its keys, which say where it stands and faces at some time.

    Args:
        animation: the animation with the hands and bodies.
        jugglers: indices of those whose hands get handles, from 0; all bodies get them.

    Returns:
        The handles of hands in the order of events, and then two for each key of a body in the
        order of keys: its ring, and right after it its arrow.
    """
    choreography = animation.choreography
    events = choreography.events
    keys = choreography.bodies

    # Events of hands, which are numbered 2·juggler + side. The kind of an event is the number of
    # its mark, 0 for a throw and 1 for a catch, but larger kinds are all points that a hand passes,
    # which have the mark POINT. Positions of events are relative to the body.
    event_rows = np.flatnonzero(np.isin(events.hand // 2, list(jugglers)))
    hands = events.hand[event_rows]
    times = events.time[event_rows]
    places = animation.motion.bodies.to_world([events.position[event_rows]], hands // 2, times)
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
            event_rows.tolist(),
            events.kind[event_rows].tolist(),
            hands.tolist(),
            times.tolist(),
            places.tolist(),
            strict=True,
        )
    ]

    # Keys of bodies, which are numbered from 0 for each juggler: a ring on the floor, and an arrow
    # along the heading, an angle from +z toward +x.
    next_key_by_juggler = dict.fromkeys(keys.juggler.tolist(), 0)
    for juggler, time, (x, y, z), facing in zip(
        keys.juggler.tolist(),
        keys.time.tolist(),
        keys.position.tolist(),
        keys.facing.tolist(),
        strict=True,
    ):
        handle = BodyHandle(juggler, next_key_by_juggler[juggler])
        next_key_by_juggler[juggler] += 1
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
    step_count = min(max(round(duration * _SAMPLES_PER_SECOND), 2), _MAX_SAMPLES)
    # Shape (T, jugglers, 2, 3): times, jugglers, left and right, xyz.
    hands = animation.motion.sample_hands(np.linspace(0.0, duration, step_count + 1))
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


def to_body(animation: Animation, hand: int, outward_up_forward: Sequence[float]) -> Floats:
    """Return the place of a hand in its body's frame, shape (3,), [m]; inverse of `from_body`.

    The frame of a body is left, up and forward of the point on the floor below it.

    Args:
        animation: the animation whose style says how high hands usually are.
        hand: 2 · juggler + side.
        outward_up_forward: the coordinates as users see and type them, [m]: relative to the middle
            between the hands where they usually are.
    """
    outward, up, forward = outward_up_forward
    return np.array(
        [outward * _outward_sign(hand), up + _usual_height(animation), forward + HAND_FORWARD]
    )


def partners(animation: Animation, event: int) -> Floats:
    """Return the coordinates of the other hand's events of the same kind, for snapping to them.

    Args:
        animation: the animation with the events: throws, catches and points of hands' paths.
        event: row of an event of one hand; the other hand is that of the same juggler.

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
    """Return the last throw of a hand up to one of its events; time in the loop is cyclic.

    The path of a hand is divided at its throws: the part with the event begins at this throw.

    Args:
        animation: the animation with the events.
        event: row of an event (a throw, a catch or a point) in the choreography.

    Returns:
        The row of the throw; of the event itself if it is a throw, or if the hand never throws.
    """
    events = animation.choreography.events
    is_throw_of_hand = (events.hand == events.hand[event]) & (events.kind == Mark.THROW)
    throw_rows = np.flatnonzero(is_throw_of_hand)
    if not len(throw_rows):
        return event
    # How long before the event each throw was made, [s], cyclically; 0 for the event itself.
    ages = (events.time[event] - events.time[throw_rows]) % animation.choreography.duration
    return int(throw_rows[ages.argmin()])


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
    # Shape (paths, T), [pixels]. Samples behind the camera are infinitely far, as the minimum would
    # be NaN otherwise.
    distances = np.nan_to_num([np.hypot(*(path - (x, y)).T) for path in paths], nan=np.inf)
    path_index, sample_index = np.unravel_index(int(distances.argmin()), distances.shape)
    if distances[path_index, sample_index] > reach:
        return None
    last_sample_index = distances.shape[1] - 1
    return int(path_index), int(sample_index) / last_sample_index


def numbers_of(animation: Animation, point: HandlePoint) -> str:
    """Return the `number_texts` of a handle as they are typed, with commas between them."""
    return ", ".join(number_texts(animation, point))


def number_texts(animation: Animation, point: HandlePoint) -> tuple[str, str, str]:
    """Return the three numbers of a handle as texts, as users see and type them.

    The numbers of a hand are outward, up and forward of its usual place, [cm]; those of a body are
    its turn to the left, [°], and how far it stands to the right and forward of the world's origin,
    [cm], as in settings.

    Args:
        animation: the animation with the handle.
        point: a handle of a hand (a throw, a catch or a point of its path) or of a body.
    """
    if point.is_of_hand:
        outward, up, forward = coordinates(animation, point.event)
        return _number(100 * outward), _number(100 * up), _number(100 * forward)
    frame = BodyFrame.from_animation(animation, point.juggler, point.time)
    x, _height, z = frame.origin.tolist()
    # x of the world points to the left, so that the distance to the right is −x.
    return _number(math.degrees(frame.facing)), _number(-100 * x), _number(100 * z)


def read_numbers(text: str, point: HandlePoint) -> tuple[float, ...] | str:
    """Read the numbers typed for a handle, as `number_texts` writes them.

    Args:
        text: numbers separated by commas or semicolons: lengths in cm, angles in degrees, and the
            time of a hand in seconds.
        point: the handle, of a hand or of a body.

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
    allowed_counts = (3, 4) if point.is_of_hand else (3,)
    # `_TYPED_LIMIT` is in cm, ° or s. NaN, which `float` reads, fails the comparison too.
    are_in_range = all(abs(number) < _TYPED_LIMIT for number in numbers)
    if not are_in_range or len(numbers) not in allowed_counts:
        return _("three numbers such as {hint}", hint=hint)
    if point.is_of_hand:
        # The first three are in cm; the fourth, if any, is the time in s already.
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


LEFT = 0
UP = 1
FORWARD = 2
"""The axes of a body."""

ARROW_LENGTH = 44.0
"""Length of the arrow that drags in depth, at scale 1, [pixels]."""

# sine of the camera's elevation from which on a hand is dragged in the horizontal plane
_SIN_ELEVATION_FROM_ABOVE = math.sin(math.radians(55.0))
# sine of the angle between a line and the line of sight, below which the line is too foreshortened
_MIN_SIN_TO_SIGHT = 0.42
_PARALLEL = 1e-6  # cosine between sight and normal, below which the sight misses the plane


class KeyStep(NamedTuple):
    """The direction in which a key moves a handle, as the camera sees it: −1, 0 or 1 each way."""

    right: int = 0
    up: int = 0
    away: int = 0


class Ray(NamedTuple):
    """A ray from the camera into the world.

    Attributes:
        start: shape (3,), in the world, [m].
        direction: shape (3,), of length 1.
    """

    start: Floats
    direction: Floats


@dataclass(frozen=True)
class View:
    """A picture in the window.

    Args:
        camera: the camera of the picture.
        place: place in the window.
        scale: the scale of the window.
    """

    camera: Camera
    place: Rectangle
    scale: float

    @cached_property
    def _matrix(self) -> Floats:
        """Matrix of projection and view, shape (4, 4)."""
        return self.camera.projection(self.place.width / self.place.height) @ self.camera.view()

    def to_window(self, places: Floats) -> Floats:
        """Project points of the world, shape (N, 3), [m], to the window, shape (N, 2), [pixels].

        Points behind the camera become NaN.
        """
        return project_points(places, self.camera, self.place, self._matrix)

    def ray_through(self, x: float, y: float) -> Ray:
        """Return the ray from the camera through a point of the window, [pixels]."""
        return view_ray(x, y, self.camera, self.place)

    def drag_normal(self, axes: Floats, place: Floats) -> int:
        """Return the axis of a body that is normal to the plane in which a hand is dragged.

        Of the planes along two axes of the body it is the one that best faces the camera.

        Args:
            axes: rows are the unit vectors to the left, up and forward of the body, shape (3, 3),
                world frame.
            place: the place of the hand, shape (3,), [m], world frame.

        Returns:
            The row of the axis: `LEFT`, `UP` or `FORWARD`.
        """
        # The hand in the window, [pixels], and the line of sight from the camera to it.
        ((x, y),) = self.to_window(place[None])
        return facing_axis(axes, self.ray_through(x, y).direction)


def view_ray(x: float, y: float, camera: Camera, place: Rectangle) -> Ray:
    """Return the ray through a point of the window, in the world frame.

    It is the inverse of `project_points`: all points on the ray are projected to that point. The
    ray starts at the camera, or in an orthographic picture at a point of the camera's image plane.

    Args:
        x, y: position of the point, [pixels], y downward.
        camera: the camera of the picture.
        place: the place of the picture in the window, [pixels].
    """
    # Normalized device coordinates, −1 to 1, y upward.
    device_x = 2 * (x - place.left) / place.width - 1
    device_y = 1 - 2 * (y - place.top) / place.height

    # The ray in the camera's frame (x right, y up, looking along −z), from the inverse of the
    # projection P: device_x = (P00 x + P02 z) / w, device_y = P11 y / w, where w is −z in
    # perspective, and P33 in an orthographic picture. P02 shifts the picture sideways, for one eye
    # in stereo; orthographic pictures have none.
    projection = camera.projection(place.width / place.height)
    scale_x = projection[0, 0]
    scale_y = projection[1, 1]
    if camera.orthographic:
        depth = projection[3, 3]
        start = np.array([device_x * depth / scale_x, device_y * depth / scale_y, 0.0])
        sight = np.array([0.0, 0.0, -1.0])
    else:
        start = np.zeros(3)
        sight = np.array([(device_x + projection[0, 2]) / scale_x, device_y / scale_y, -1.0])

    # To the world frame. The view maps x of the world to x_c = R x + t of the camera, so
    # x = Rᵀ(x_c − t). `camera_to_world` is Rᵀ.
    view = camera.view()
    camera_to_world = view[:3, :3].T
    direction = camera_to_world @ sight
    return Ray(camera_to_world @ (start - view[:3, 3]), direction / np.linalg.norm(direction))


def facing_axis(axes: Floats, view_direction: Floats) -> int:
    """Return the axis of a body that is the normal of the plane in which a hand is dragged.

    The plane is the vertical one of the body, frontal or sagittal, that faces the camera more. If
    the camera looks from more than 55° above or below the horizon, it is the horizontal plane.

    Args:
        axes: rows are the unit vectors to the left, up and forward, shape (3, 3), world frame.
        view_direction: direction of sight, shape (3,), of length 1, world frame.

    Returns:
        `LEFT`, `UP` or `FORWARD`.
    """
    cosines = np.abs(axes @ view_direction)  # between each axis and the line of sight
    # The cosine to the vertical is the sine of the camera's elevation.
    if cosines[UP] > _SIN_ELEVATION_FROM_ABOVE:
        return UP
    return LEFT if cosines[LEFT] > cosines[FORWARD] else FORWARD


def ray_plane_intersection(ray: Ray, point: Floats, normal: Floats) -> Floats | None:
    """Return the point at which a ray meets a plane.

    Args:
        ray: from the camera, world frame.
        point: any point of the plane, shape (3,), [m], world frame.
        normal: the normal of the plane, shape (3,), of length 1, world frame; its sign does not
            matter.

    Returns:
        Shape (3,), [m], world frame. None if the line is parallel to the plane, or meets it only
        behind the camera.
    """
    cosine = float(ray.direction @ normal)
    if abs(cosine) < _PARALLEL:  # also avoids a division by 0 below
        return None
    # The plane is (x − point) · normal = 0, and the ray is x = start + distance · direction.
    distance = float((point - ray.start) @ normal) / cosine
    return ray.start + distance * ray.direction if distance > 0 else None


def nearest_on_line(ray: Ray, point: Floats, axis: Floats) -> float | None:
    """Return the parameter of the point on a line that is nearest to a ray.

    The vector between the nearest points of the two is normal to both. With w from the start of the
    ray to `point`, and the unit vectors a (line) and s (ray), the parameter is therefore
    ((s·w)(a·s) − a·w) / (1 − (a·s)²).

    Args:
        ray: from the camera, world frame.
        point: point on the line, shape (3,), [m], world frame.
        axis: direction of the line, shape (3,), of length 1.

    Returns:
        Signed distance along the line from `point`, [m]. None if the line is so foreshortened in
        the picture that dragging by one pixel would move a hand a long way.
    """
    to_point = point - ray.start
    cosine = float(axis @ ray.direction)
    sine_squared = 1 - cosine**2  # of the angle between the line and the line of sight
    if sine_squared < _MIN_SIN_TO_SIGHT**2:
        return None
    return float((ray.direction @ to_point) * cosine - axis @ to_point) / sine_squared


def depth_arrow(place: Floats, axes: Floats, view: View) -> Floats:
    """Return the ends of the arrow by which the mouse drags a hand in depth.

    In depth means along the axis of the body that is normal to the plane in which the mouse
    otherwise drags the hand.

    Args:
        place: the place of the hand, shape (3,), [m], world frame.
        axes: the axes of its body: rows are the unit vectors to the left, up and forward, world
            frame.
        view: the picture.

    Returns:
        Tail, at the hand, and tip, shape (2, 2), [pixels].
    """
    axis = axes[view.drag_normal(axes, place)]
    # The direction of the axis in the picture, [pixels], toward a point 0.1 m along it.
    tail, ahead = view.to_window(np.array([place, place + 0.1 * axis]))
    direction = ahead - tail
    # Between the axis and the line of sight. An axis that points nearly at the camera has no clear
    # direction in the picture. `Drag` then moves the hand away from the camera as the mouse goes
    # up, so the arrow points up if the axis leads away (cosine > 0), else down. As y of the window
    # points down, up is −1.
    cosine = float(axis @ view.ray_through(*tail).direction)
    if 1 - cosine**2 < _MIN_SIN_TO_SIGHT**2:
        direction = np.array([0.0, -math.copysign(1.0, cosine)])
    length = ARROW_LENGTH * view.scale
    return np.array([tail, tail + length * direction / np.hypot(*direction)])


SNAP_ZERO = 0.03
"""How near to zero a coordinate becomes zero, as in Juggling Lab, [m]."""

SNAP_PARTNER = 0.015
"""How near to that of the other hand a coordinate becomes the same, [m]."""

GRID = 0.2
"""Distance of the lines on the floor to which bodies snap, as in Juggling Lab, [m]."""


_SNAP_GRID = 0.04  # m, from a line of the grid
_SNAP_TURN = math.radians(8.0)  # rad, from a quarter turn
_ROUNDED_LENGTH = 0.01  # m, of coordinates that snap to nothing
_ROUNDED_TURN = math.radians(1.0)  # rad, of headings that snap to nothing
_KEY_STEP = 0.01  # m, of a hand
_FINE_KEY_STEP = 0.001  # m, of a hand
_FINE_FLOOR_STEP = 0.01  # m, of a body; other steps are those of the grid
_KEY_TURN = math.radians(90.0)
_FINE_KEY_TURN = math.radians(5.0)

_UPWARD = np.array([0.0, 1.0, 0.0])  # the normal of the floor


@dataclass
class Drag:
    """A drag of a handle, from where it began, or where depth was switched on or off since.

    Args:
        point: the handle.
        frame: the frame of its body, at the time of the handle.
        mouse: where it was then, [pixels].
        place: the place of the handle then, shape (3,), in the world, [m].
        normal: the axis of the body, `LEFT`, `UP` or `FORWARD`, that is normal to the plane in
            which a hand is dragged; unused for bodies.
        in_depth: whether a hand is dragged along that axis, and not in the plane.
        by_arrow: whether the mouse holds the arrow of depth, so that the drag is always in depth.
        has_moved: whether the mouse has moved farther than in a click.
        was_chosen: whether the handle was chosen before it was pressed.
    """

    point: HandlePoint
    frame: BodyFrame
    mouse: Point
    place: Floats
    normal: int
    in_depth: bool = False
    by_arrow: bool = False
    has_moved: bool = False
    was_chosen: bool = False

    @property
    def axes(self) -> list[int]:
        """The axes of the body along which a hand is dragged: one in depth, else two."""
        return [axis for axis in (LEFT, UP, FORWARD) if (axis == self.normal) == self.in_depth]

    def hand_at(self, x: float, y: float, view: View) -> Floats | None:
        """Return the place to which the mouse drags a hand.

        A hand is dragged in a plane through its place at first, or in depth: along the normal of
        that plane.

        Args:
            x, y: position of the mouse now, [pixels], y downward.
            view: the picture.

        Returns:
            Shape (3,), [m], in the frame of the hand's body. None if the line of sight misses the
            plane of the drag; never for a drag in depth.
        """
        normal = self.frame.axes[self.normal]  # shape (3,), of length 1, world frame
        if self.in_depth:
            place_in_depth = self.place + self._depth(x, y, view, normal) * normal
            return self.frame.to_body(place_in_depth)
        place_in_plane = self._dragged_in_plane(x, y, view, normal)
        return None if place_in_plane is None else self.frame.to_body(place_in_plane)

    def floor_at(self, x: float, y: float, view: View) -> Floats | None:
        """Return the place of a handle dragged over the floor, in the world, shape (3,), [m].

        None if the mouse points above the horizon.
        """
        return self._dragged_in_plane(x, y, view, _UPWARD)

    def _dragged_in_plane(self, x: float, y: float, view: View, normal: Floats) -> Floats | None:
        """Return the place of the handle dragged in a plane, in the world, shape (3,), [m].

        The offset between handle and mouse in the plane is kept, so that the handle does not jump
        if it was pressed beside its centre. None if the ray of the mouse, now or at the press,
        misses the plane.

        Args:
            x, y: position of the mouse now, [pixels], y downward.
            view: the picture.
            normal: the normal of the plane, which passes through the place of the handle at first;
                shape (3,), of length 1, world frame.
        """
        # Where the mouse is on the plane.
        point_at_press = ray_plane_intersection(view.ray_through(*self.mouse), self.place, normal)
        point_now = ray_plane_intersection(view.ray_through(x, y), self.place, normal)
        if point_at_press is None or point_now is None:
            return None
        return self.place + point_now - point_at_press

    def _depth(self, x: float, y: float, view: View, axis: Floats) -> float:
        """Return the signed distance by which the mouse drags a handle along an axis, [m].

        The handle stays under the mouse as seen in the picture. If the axis points nearly at the
        camera, the vertical movement of the mouse is used instead: up leads away from the camera.

        Args:
            x, y: position of the mouse now, [pixels], y downward.
            view: the picture.
            axis: shape (3,), of length 1, world frame.
        """
        ray_at_press = view.ray_through(*self.mouse)
        distance_at_press = nearest_on_line(ray_at_press, self.place, axis)
        distance_now = nearest_on_line(view.ray_through(x, y), self.place, axis)
        if distance_at_press is not None and distance_now is not None:
            return distance_now - distance_at_press

        # The axis points nearly at the camera: convert pixels to metres at the distance of the
        # handle, by a point 1 m to the side of it.
        sideways = np.cross(ray_at_press.direction, _UPWARD)
        sideways /= np.linalg.norm(sideways)
        handle, beside = view.to_window(np.array([self.place, self.place + sideways]))
        metres_per_pixel = 1.0 / float(np.hypot(*(beside - handle)))
        # Moving the mouse up moves the handle away from the camera: that is backward along an axis
        # that leads toward the camera. y of the window points down.
        cosine = float(axis @ ray_at_press.direction)
        pixels_up = self.mouse[1] - y
        return math.copysign(metres_per_pixel, cosine) * pixels_up


@dataclass(frozen=True)
class Snapped:
    """A place that may have snapped.

    Args:
        place: its coordinates, [m].
        guides: by the index of each coordinate that snapped to something, what that is: "zero", or
            "partner" for the coordinate of the other hand. Others are rounded, and have none.
    """

    place: tuple[float, ...]
    guides: dict[int, str]


def snap(place: Sequence[float], partners: Floats, axes: Sequence[int]) -> Snapped:
    """Return coordinates snapped to those of the other hand, to zero, or to whole centimetres.

    Each coordinate snaps by itself. The other hand comes first, but only within `SNAP_PARTNER`,
    which is less than `SNAP_ZERO`.

    Args:
        place: outward, up and forward, [m].
        partners: the same coordinates of the N points of the other hand, shape (N, 3), [m]; N may
            be 0.
        axes: indices of the dragged coordinates; the others stay as they are.
    """
    snapped = list(place)
    guides = {}
    for axis in axes:
        coordinate = place[axis]
        # The coordinate of the other hand's points that is nearest to this one; infinity, which is
        # near to nothing, if the other hand has no points.
        partner = math.inf
        if len(partners):
            nearest_row = np.argmin(np.abs(partners[:, axis] - coordinate))
            partner = float(partners[nearest_row, axis])
        if abs(coordinate - partner) <= SNAP_PARTNER:
            snapped[axis] = partner
            guides[axis] = "partner"
        elif abs(coordinate) <= SNAP_ZERO:
            snapped[axis] = 0.0
            guides[axis] = "zero"
        else:
            snapped[axis] = round(coordinate / _ROUNDED_LENGTH) * _ROUNDED_LENGTH
    return Snapped(tuple(snapped), guides)


def snap_to_grid(x: float, z: float) -> tuple[float, float]:
    """Return a place on the floor snapped to lines 20 cm apart, or else to whole centimetres.

    Each coordinate snaps by itself, if it is within 4 cm of a line.

    Args:
        x, z: of the world, [m].

    Returns:
        The same coordinates, snapped.
    """
    snapped_x, snapped_z = (
        _snapped(value, GRID, within=_SNAP_GRID, fine_step=_ROUNDED_LENGTH) for value in (x, z)
    )
    return snapped_x, snapped_z


def snap_turn(facing: float) -> float:
    """Snap a heading to quarter turns, or otherwise to whole degrees, [rad]."""
    return _snapped(facing, math.pi / 2, within=_SNAP_TURN, fine_step=_ROUNDED_TURN)


def _snapped(value: float, step: float, *, within: float, fine_step: float) -> float:
    """Return the nearest multiple of `step` if it is near enough, or else that of `fine_step`."""
    line = round(value / step) * step
    return line if abs(value - line) <= within else round(value / fine_step) * fine_step


def dragged_hand(
    drag: Drag, mouse: Point, view: View, start: Animation, *, snaps: bool
) -> tuple[Floats, dict[int, str]]:
    """Return the vector by which a hand is dragged, and the reasons for which it snaps.

    Args:
        drag: the drag of an event of the hand: a throw, a catch or a point of its path.
        mouse: present x and y of the mouse, [pixels], y downward.
        view: the picture in which the mouse was pressed.
        start: the animation when the drag began, in which the event has its number.
        snaps: whether coordinates snap: to those of the other hand, to zero, or else to whole
            centimetres.

    Returns:
        step: from the place of the event in `start`, shape (3,), [m], in the frame of its body.
        guides: for the index of each coordinate that snapped: "zero", or "partner" for the
            coordinate of the other hand.
    """
    place = drag.hand_at(*mouse, view)
    point = drag.point
    guides = dict[int, str]()
    if place is None:  # the ray of the mouse misses the plane: the hand stays
        return np.zeros(3), guides
    # Coordinates snap in a frame in which mirror images have the same ones: outward, up and
    # forward. An axis has the same index there as in the frame of the body (left, up, forward).
    target: tuple[float, ...] = from_body(start, point.hand, place)
    if snaps:
        snapped = snap(target, partners(start, point.event), drag.axes)
        target = snapped.place
        guides = snapped.guides
    position_before = start.choreography.events.position[point.event]
    return to_body(start, point.hand, target) - position_before, guides


def dragged_body(
    drag: Drag, mouse: Point, view: View, *, snaps: bool, symmetric: bool = False
) -> Change | None:
    """Return the edit that moves a body to the mouse, or turns it to the mouse.

    Args:
        drag: the drag of a body's ring, which moves it over the floor, or of the arrow of its
            heading, which turns it.
        mouse: present x and y of the mouse, [pixels], y downward.
        view: the picture in which the mouse was pressed.
        snaps: whether the body snaps to the grid, or its heading to quarter turns.
        symmetric: whether its mirror images move along.

    Returns:
        The edit; None if the mouse is above the horizon, or the handle is not that of a body.
    """
    place = drag.floor_at(*mouse, view)
    handle = drag.point.handle
    if place is None or not isinstance(handle, BodyHandle):
        return None
    if drag.point.mark is Mark.HEADING:
        # The body turns to the mouse: its heading from +z toward +x, rad.
        x, _height, z = (place - drag.frame.origin).tolist()
        facing = math.atan2(x, z)
        return body_change(
            handle, facing=snap_turn(facing) if snaps else facing, symmetric=symmetric
        )
    x, _height, z = place.tolist()
    if snaps:
        x, z = snap_to_grid(x, z)
    # Bodies are dragged over the floor: the height of their place stays.
    target = np.array([x, drag.point.place[1], z])
    return body_change(handle, target, symmetric=symmetric)


def hands_change(
    start: Animation, events: Sequence[int], step: Floats, *, symmetric: bool
) -> Change:
    """Return the change that moves events by a common step.

    Args:
        start: the animation that is changed.
        events: rows of its events (throws, catches and points of hands' paths), at least one.
        step: the step of every event in the frame of its own body, shape (3,), [m].
        symmetric: whether their mirror images move along.
    """
    # The editor has two operations: it moves several events by an offset, or one to a place.
    if len(events) > 1:
        offset = tuple(step.tolist())
        return lambda editor: editor.move_events(events, offset=offset, symmetric=symmetric)
    (event,) = events
    place = tuple((start.choreography.events.position[event] + step).tolist())
    return lambda editor: editor.move_event(event, position=place, symmetric=symmetric)


def body_change(
    handle: BodyHandle,
    place: Floats | None = None,
    *,
    facing: float | None = None,
    symmetric: bool = False,
) -> Change:
    """Return the change that puts a body at a place, or turns it, or both.

    Args:
        handle: the key of the body, which says where it stands and faces at some time.
        place: shape (3,), [m], world frame; None to leave it where it is.
        facing: heading, [rad], from +z toward +x of the world; None to leave it.
        symmetric: whether its mirror images change along.
    """
    position = None if place is None else tuple(place.tolist())
    return lambda editor: editor.move_body(
        handle.juggler, handle.key, position=position, facing=facing, symmetric=symmetric
    )


def nudge_step(
    view: View, point: HandlePoint, frame: BodyFrame, key: KeyStep, *, fine: bool
) -> Floats:
    """Return the step by which a key of the keyboard moves a hand, along one axis of its body.

    Args:
        view: the picture.
        point: the handle of a hand.
        frame: the frame of its body.
        key: direction of the step as the camera sees it; exactly one of its fields is not 0.
        fine: whether the step is 1 mm, and not 1 cm.

    Returns:
        Shape (3,), [m], in the frame of the body.
    """
    # The direction of the key in the frame of the body, of length 1.
    direction = frame.axes @ _to_world(view, key)
    normal = view.drag_normal(frame.axes, np.array(point.place))
    # As with the mouse: keys for depth move the hand along the normal of the plane in which hands
    # are dragged, all others within that plane.
    allowed_axes = [normal]
    if not key.away:
        allowed_axes = [axis for axis in (LEFT, UP, FORWARD) if axis != normal]
    # Of these axes, the one nearest to the direction of the key.
    axis = max(allowed_axes, key=lambda allowed: abs(direction[allowed]))
    length = _FINE_KEY_STEP if fine else _KEY_STEP  # m
    step = np.zeros(3)
    step[axis] = math.copysign(length, direction[axis])
    return step


def nudged_body(
    view: View,
    point: HandlePoint,
    frame: BodyFrame,
    key: KeyStep,
    *,
    fine: bool,
    symmetric: bool = False,
) -> Change:
    """Return the edit by which a key of the keyboard moves a body over the floor, or turns it.

    Bodies stay on the floor: `key.up` moves a body away from the camera (negative: toward it), and
    `key.away` turns it to the left (negative: to the right).

    Args:
        view: the picture.
        point: the handle of a body.
        frame: the frame of the body.
        key: direction of the step as the camera sees it; exactly one of its fields is not 0.
        fine: whether the step is 1 cm, and not that of the grid (20 cm), or the turn 5°, and not
            90°.
        symmetric: whether its mirror images move along.
    """
    assert isinstance(point.handle, BodyHandle)
    if key.away:
        facing = frame.facing + key.away * (_FINE_KEY_TURN if fine else _KEY_TURN)
        return body_change(point.handle, facing=facing, symmetric=symmetric)
    # A step along x or z of the world, whichever is nearer to the direction of the key. LEFT and
    # FORWARD are the indices of x and z.
    direction = _to_world(view, KeyStep(right=key.right, away=key.up))
    axis = LEFT if abs(direction[LEFT]) > abs(direction[FORWARD]) else FORWARD
    length = _FINE_FLOOR_STEP if fine else GRID  # m
    place = np.array(point.place)
    place[axis] += math.copysign(length, direction[axis])
    return body_change(point.handle, place, symmetric=symmetric)


def _to_world(view: View, key: KeyStep) -> Floats:
    """Return the direction of a key in the world, shape (3,)."""
    # The vector in the camera's frame (x right, y up, looking along −z; x is reversed in a mirrored
    # picture). A row vector times the rotation of the view, R, is Rᵀ times it: camera to world.
    right = -key.right if view.camera.mirrored else key.right
    return np.array([right, key.up, -key.away]) @ view.camera.view()[:3, :3]


def typed_change(
    animation: Animation, point: HandlePoint, numbers: Sequence[float], *, symmetric: bool
) -> Change:
    """Return the change that moves a handle to typed numbers.

    Args:
        animation: the animation with the handle.
        point: the handle.
        numbers: those of a body are its heading [rad] and its place to the right and forward of the
            origin [m]; those of a hand are outward, up and forward [m], and perhaps the time [s].
        symmetric: whether the handle's mirror images move along.
    """
    if isinstance(point.handle, BodyHandle):
        facing, right, forward = numbers
        # x of the world points to the left, so a place to the right has a negative x. The height,
        # which is not typed, stays.
        place = np.array([-right, point.place[1], forward])
        return body_change(point.handle, place, facing=facing, symmetric=symmetric)
    position = tuple(to_body(animation, point.hand, numbers[:3]).tolist())
    time = numbers[3] if len(numbers) > 3 else None  # None: the time stays
    return lambda editor: editor.move_event(
        point.event, time=time, position=position, symmetric=symmetric
    )


_CLICK_DISTANCE = 3.0  # pixels at scale 1 that the mouse may move in a click
_TIME_TOLERANCE = 1e-6  # s, between an event and the same one in a changed pattern
_MOVEMENT_TOLERANCE = 1e-9  # m or rad; what differs by less has not moved
_QUICK_STEP = 0.004  # s; for each such time that a step of a drag takes, a picture skips steps
_MAX_SKIPPED = 2  # pictures without a step
_MAX_JUGGLERS = 2  # of more, only the juggler that was chosen last has handles at the hands


class _Shown(NamedTuple):
    """What the picture shows for editing.

    Attributes:
        animation: the animation that is edited.
        jugglers: those whose hands have handles.
        handles: the handles of these hands, and of all bodies.
        paths: the paths of these hands, each shape (T, 3), in the world, [m].
    """

    animation: Animation
    jugglers: tuple[int, ...]
    handles: PictureHandles
    paths: list[Floats]


class PictureEditor:
    """Chooses and drags handles in the picture.

    Args:
        model: the model whose pattern is edited.
        editor: makes the changes.
    """

    def __init__(self, model: Model, editor: EditController) -> None:
        """Prepare to drag handles in the picture; nothing is hovered or dragged yet.

        A handle is a mark by which a hand's throw, catch or point of its path, or a body, is moved.

        Args:
            model: state of the viewer.
            editor: knows what is chosen, and makes changes.
        """
        self._model = model
        self._editor = editor
        self.view = View(
            Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0)), Rectangle(0.0, 0.0, 1.0, 1.0), 1.0
        )
        """The picture with handles, as it was drawn last."""
        self.is_drawn = False
        """Whether handles are drawn; only then the mouse acts on them."""
        self.hovered: HandlePoint | None = None
        """The handle that the mouse is on."""
        self.guides: dict[int, str] = {}
        """What the coordinates have snapped to in the present drag, as in `Snapped`."""
        self.band: tuple[Point, Point] | None = None
        """Two corners of a frame that is drawn around handles, [pixels]."""
        self.arrow_hovered = False
        """Whether the mouse is on the arrow that drags in depth."""
        self.dragged: Drag | None = None
        self._frames_to_skip = 0  # frames before the next step of a drag
        # The next step of a drag: calls `drag` with the latest position of the mouse.
        self._next_step: Callable[[], None] | None = None
        self._juggler = 0  # the juggler of the handle that was chosen last
        # The animation, and the handles that were chosen, when the drag began.
        self._start: tuple[Animation, tuple[Handle, ...]] = (model.animation, ())
        # What was drawn last, which is drawn again if nothing has changed.
        self._cached: _Shown | None = None

    @property
    def animation(self) -> Animation:
        """What is edited."""
        return self._model.animation

    @property
    def time(self) -> float:
        """The time of the picture in the loop, [s]."""
        return self._model.playback.time % self.animation.choreography.duration

    @property
    def jugglers(self) -> tuple[int, ...]:
        """The jugglers whose hands have handles."""
        count = self.animation.num_jugglers
        return tuple(range(count)) if count <= _MAX_JUGGLERS else (min(self._juggler, count - 1),)

    @property
    def handles(self) -> PictureHandles:
        """The handles that are shown."""
        return self._shown().handles

    @property
    def paths(self) -> list[Floats]:
        """The paths of hands that are shown, each shape (T, 3), in the world, [m]."""
        return self._shown().paths

    def _shown(self) -> _Shown:
        """Return what is shown, cached until the animation or the jugglers change."""
        animation = self.animation
        jugglers = self.jugglers
        cached = self._cached
        if cached is None or cached.animation is not animation or cached.jugglers != jugglers:
            handles = picture_handles(animation, jugglers)
            cached = _Shown(animation, jugglers, handles, hand_paths(animation, jugglers))
            self._cached = cached
        return cached

    @property
    def chosen(self) -> list[HandlePoint]:
        """The handles that are chosen and shown; bodies by their rings."""
        points = (self.handles.find(handle) for handle in self._editor.selection)
        return [point for point in points if point]

    @property
    def now(self) -> HandlePoint | None:
        """The handle that is dragged, as the drag has changed it; None without a drag.

        A change may renumber events, so a handle of a hand is found again by its hand and time.
        """
        drag = self.dragged
        if drag is None:
            return None
        point = drag.point
        if not point.is_of_hand:
            return self.handles.find(point.handle, point.mark)
        event = event_at(self.animation.choreography, point.hand, point.time)
        return self.handles.find(EventHandle(event))

    def find_again(self, point: HandlePoint) -> HandlePoint | None:
        """Return a handle of a hand as it is numbered now; None if it no longer exists.

        A change may renumber events (throws, catches and points of hands' paths), so the handle is
        found by its hand, its time and its mark, which says which of the three it is.

        Args:
            point: the handle as it was before the change.
        """
        # The event of the hand that is nearest in time, which may be another one.
        event = event_at(self.animation.choreography, point.hand, point.time)
        nearest = self.handles.find(EventHandle(event))
        if nearest is None or nearest.mark is not point.mark:
            return None
        # An event of the changed pattern within `_TIME_TOLERANCE`, [s], is the same one.
        return nearest if abs(nearest.time - point.time) < _TIME_TOLERANCE else None

    @property
    def lit(self) -> HandlePoint | None:
        """The handle that is dragged, or else that the mouse is on."""
        return self.now if self.dragged and self.dragged.has_moved else self.hovered

    @property
    def chosen_events(self) -> list[int]:
        """The events that are chosen and shown."""
        return [
            point.handle.event for point in self.chosen if isinstance(point.handle, EventHandle)
        ]

    @property
    def moved_along(self) -> int:
        """Number of symmetric images that move along with the dragged handles; 0 outside a drag.

        A handle of a hand is a throw, a catch or a point of its path (an event); one of a body is a
        key: where it stands at some time. Counted are the events, or the keys, that have moved
        since the drag began and are not dragged themselves.
        """
        start, start_selection = self._start
        drag = self.dragged
        old_choreography = start.choreography
        new_choreography = self.animation.choreography
        # Events are compared row by row, which is impossible if events were inserted or removed.
        if drag is None or len(new_choreography.events.time) != len(old_choreography.events.time):
            return 0
        if not drag.point.is_of_hand:
            # Keys have moved if their place or their heading differs. One of them is the dragged
            # one, which is not counted: bodies are dragged one at a time.
            steps = new_choreography.bodies.position - old_choreography.bodies.position
            turns = new_choreography.bodies.facing - old_choreography.bodies.facing
            key_movements = np.abs(np.column_stack([steps, turns])).max(axis=1)
            return int((key_movements > _MOVEMENT_TOLERANCE).sum()) - 1
        dragged_events = {
            handle.event for handle in start_selection if isinstance(handle, EventHandle)
        }
        event_steps = new_choreography.events.position - old_choreography.events.position
        event_movements = np.abs(event_steps).max(axis=1)
        moved_events = np.flatnonzero(event_movements > _MOVEMENT_TOLERANCE).tolist()
        return len(set(moved_events) - dragged_events)

    def hover(self, x: float, y: float, *, is_over_picture: bool) -> None:
        """Set `hovered` to the handle under the mouse; unchanged during a drag.

        Args:
            x, y: position of the mouse, [pixels].
            is_over_picture: whether no card is under it.
        """
        if self._editor.is_dragging:
            return
        index = self._index_at(x, y) if is_over_picture else None
        self.hovered = None if index is None else self.handles.points[index]
        self.arrow_hovered = is_over_picture and self.on_arrow(x, y)

    def stack_of(self, point: HandlePoint) -> list[HandlePoint]:
        """Return the handles of hands that cover each other at one of them, itself among them.

        They are in the order of events. For a handle of a body, or one that is no longer shown, it
        is that handle alone.

        Args:
            point: the handle at whose place in the window the others are seen.
        """
        handles = self.handles
        if not point.is_of_hand or point not in handles.points:
            return [point]
        index = handles.points.index(point)
        stack = handles.stack(index, self.view.to_window(handles.places), self.view.scale)
        return [handles.points[neighbour] for neighbour in stack]

    def arrow(self) -> Floats | None:
        """Return the tail and tip of the arrow that drags a hand in depth, shape (2, 2), [pixels].

        None unless exactly one handle is chosen, and that is of a hand.
        """
        chosen = self.chosen
        if len(chosen) != 1 or not chosen[0].is_of_hand:
            return None
        (point,) = chosen
        axes = BodyFrame.from_animation(self.animation, point.juggler, point.time).axes
        return depth_arrow(np.array(point.place), axes, self.view)

    def on_arrow(self, x: float, y: float) -> bool:
        """Return whether a point of the window is on the tip of that arrow, [pixels]."""
        arrow = self.arrow()
        return arrow is not None and math.dist(arrow[1], (x, y)) <= REACH * self.view.scale

    def press(self, x: float, y: float, *, adds: bool = False) -> bool:
        """Start to drag a handle, or a selection frame around handles, as the mouse goes down.

        Args:
            x, y: position of the mouse, [pixels].
            adds: whether the user holds the key that adds: the handle is added to the selection, or
                taken out of it if it was chosen; a press beside all handles begins a frame.

        Returns:
            Whether the press is used. If not, the caller may let it turn the camera.
        """
        if not (self.is_drawn and self._editor.shown and self.view.place.covers(x, y)):
            return False
        # The arrow of depth comes first, as its tip may cover handles.
        if self.on_arrow(x, y):
            self.dragged = self._new_drag(self.chosen[0], x, y, by_arrow=True)
            return True
        index = self._index_at(x, y)
        if index is None:
            self.band = ((x, y), (x, y)) if adds else None
            return adds
        point = self.handles.points[index]
        selection = self._editor.selection
        was_chosen = point.handle in selection
        if adds and was_chosen:
            self.choose(*(handle for handle in selection if handle != point.handle))
            return True
        # A press on a chosen handle keeps the selection, as it may begin a drag of all of it. A
        # press on another one replaces the selection, unless it adds to it. `choose` drops the
        # duplicate where the handle is in the selection already.
        kept = selection if adds or was_chosen else ()
        self.choose(*kept, point.handle)
        self.dragged = self._new_drag(point, x, y, was_chosen=was_chosen)
        return True

    def aim(self, x: float, y: float, *, in_depth: bool = False, snaps: bool = True) -> None:
        """Store the mouse position during a drag; `update_drag` then calls `drag` with it."""
        self._next_step = partial(self.drag, x, y, in_depth=in_depth, snaps=snaps)

    def update_drag(self, last: bool = False) -> None:
        """Apply the pending step of a drag, if there is one; called once in each frame.

        After a slow step, up to `_MAX_SKIPPED` frames pass before the next one, so that the
        animation stays smooth.

        Args:
            last: whether the drag ends; then the step is made in any case.
        """
        if self._next_step is None:  # the mouse has not moved
            return
        if self._frames_to_skip > 0 and not last:
            self._frames_to_skip -= 1
            return
        make_step = self._next_step
        self._next_step = None
        began_at = perf_counter()
        make_step()
        duration = perf_counter() - began_at  # s
        self._frames_to_skip = min(int(duration / _QUICK_STEP), _MAX_SKIPPED)

    def drag(self, x: float, y: float, *, in_depth: bool = False, snaps: bool = True) -> None:
        """Drag the pressed handle, or the corner of the selection frame, to the mouse.

        Does nothing before `press`. A handle stays until the mouse has moved farther than in a
        click.

        Args:
            x, y: position of the mouse, whose button is down, [pixels].
            in_depth: whether a hand is dragged along the normal of the plane in which it is dragged
                otherwise; bodies are always dragged over the floor.
            snaps: whether places snap: hands to the other hand, zero or centimetres, bodies to a
                grid and quarter turns.
        """
        if self.band:
            pressed_corner, _corner = self.band
            self.band = pressed_corner, (x, y)
        drag = self.dragged
        if drag is None:
            return
        is_body = not drag.point.is_of_hand
        in_depth = (in_depth or drag.by_arrow) and not is_body
        if not drag.has_moved:
            if math.dist(drag.mouse, (x, y)) <= _CLICK_DISTANCE * self.view.scale:
                return  # still a click
            drag.has_moved = True
            drag.in_depth = in_depth
            self._editor.begin_drag("body" if is_body else "hand")
            self._start = self.animation, self._editor.selection
        elif not self._editor.is_dragging:
            self.dragged = None  # a key has cancelled the drag while the mouse is still down
            return

        if in_depth != drag.in_depth:
            # Dragging in depth was switched on or off: restart the drag at the present place of
            # hand and mouse.
            if now := self.now:
                drag.place = np.array(now.place)
            drag.mouse = (x, y)
            drag.in_depth = in_depth

        # Each step is applied to the animation at the start of the drag, so that steps do not add
        # up; the selection of that time has the matching rows of events.
        start, start_selection = self._start
        symmetric = self._editor.symmetric
        if is_body:
            change = dragged_body(drag, (x, y), self.view, snaps=snaps, symmetric=symmetric)
        else:
            step, self.guides = dragged_hand(drag, (x, y), self.view, start, snaps=snaps)
            events = [handle.event for handle in start_selection if isinstance(handle, EventHandle)]
            change = hands_change(start, events, step, symmetric=symmetric)
        if change is not None:
            self._editor.drag(change)
            self._editor.selection = carried_over(start, start_selection, self.animation)

    def release(self) -> None:
        """End a drag and keep its result, or select the handles in the selection frame.

        After a mere click on the only selected handle, the next one at the same place is selected.
        """
        self.update_drag(last=True)
        drag = self.dragged
        self.dragged = None
        band = self.band
        self.band = None
        self.guides = {}
        if band:
            self._choose_within(*band)
        elif drag and drag.has_moved:
            self._editor.end_drag()
        elif drag and drag.was_chosen and len(self._editor.selection) == 1:
            # So handles that cover each other can all be reached.
            stack = self.stack_of(drag.point)
            next_index = (stack.index(drag.point) + 1) % len(stack)
            self.choose(stack[next_index].handle)

    def choose(self, *handles: Handle) -> None:
        """Choose handles and no others, in this order; of duplicates the first counts."""
        self._editor.selection = tuple(dict.fromkeys(handles))
        self._editor.place = PICTURE
        if (last := next(iter(reversed(self._editor.selection)), None)) is not None:
            self._juggler = self._juggler_of(last)

    def add_point_at(self, x: float, y: float) -> bool:
        """Add a point to the path of the hand whose curve is nearest to a place of the window.

        The paths of hands over a loop are drawn as curves. A point is added only to one that is
        within `REACH` of the place.

        Args:
            x, y: position of the place in the window, [pixels].

        Returns:
            Whether there is a path in reach and a point could be added to it.
        """
        paths = [self.view.to_window(path) for path in self.paths]
        nearest = nearest_on_paths(paths, x, y, REACH * self.view.scale)
        if nearest is None:
            return False
        # Paths are those of the left and right hand of each shown juggler in turn. The phase is the
        # share of the loop, 0 to 1, after which the hand is there.
        path_index, phase = nearest
        juggler_index, side = divmod(path_index, 2)
        hand = 2 * self.jugglers[juggler_index] + side
        return self.add_point(hand, phase * self.animation.choreography.duration)

    def add_point(self, hand: int, time: float) -> bool:
        """Add a point to a hand's path at a time, [s]; return whether that was legal."""
        symmetric = self._editor.symmetric
        if not self.apply(
            lambda editor: editor.add_point(hand, time, symmetric=symmetric), "add point"
        ):
            return False
        self.choose(EventHandle(event_at(self.animation.choreography, hand, time)))
        return True

    def apply(self, change: Change, name: str) -> bool:
        """Make a change as `EditController.apply` does; what is chosen stays chosen."""
        before = self.animation
        chosen = self._editor.selection
        done = self._editor.apply(change, name)
        self._editor.selection = carried_over(before, chosen, self.animation)
        return done

    def _new_drag(self, point: HandlePoint, x: float, y: float, **flags: bool) -> Drag:
        frame = BodyFrame.from_animation(self.animation, point.juggler, point.time)
        place = np.array(point.place)
        normal = self.view.drag_normal(frame.axes, place)
        return Drag(point, frame, mouse=(x, y), place=place, normal=normal, **flags)

    def _index_at(self, x: float, y: float) -> int | None:
        return self.handles.at(
            x, y, self.view.to_window, self.view.scale, self._editor.selection, self.time
        )

    def _choose_within(self, one: Point, other: Point) -> None:
        """Add all handles of hands in a frame to the selection.

        Args:
            one, other: opposite corners of the frame, [pixels].
        """
        corners = np.array([one, other])
        self.choose(*self._editor.selection, *self.handles.within(corners, self.view.to_window))

    def _juggler_of(self, handle: Handle) -> int:
        if isinstance(handle, BodyHandle):
            return handle.juggler
        if isinstance(handle, EventHandle) and handle.event < len(
            self.animation.choreography.events.hand
        ):
            return int(self.animation.choreography.events.hand[handle.event]) // 2
        return self._juggler


_OF_CHOSEN = Action.UP_FINE, Action.DOWN_FINE, Action.AWAY_FINE, Action.NEARER_FINE


@dataclass
class HandleEntry:
    """Numbers that are being typed for the chosen handle.

    Args:
        handle: the chosen handle.
        text: typed so far.
        error: why the text is refused; empty if it is not.
        wants_focus: whether the field takes the keyboard when it is next drawn.
    """

    handle: EventHandle | BodyHandle
    text: str
    error: str = ""
    wants_focus: bool = True


class PictureKeys:
    """What keys do with handles in the picture.

    Args:
        model: the model whose pattern is edited.
        editor: makes the changes.
        picture: holds the handles.
    """

    def __init__(self, model: Model, editor: EditController, picture: PictureEditor) -> None:
        """Register what keys do while they act on handles in the picture.

        Page Up and Page Down move what is chosen away from the camera and toward it. Four more
        actions move it by small steps: away, toward, up and down.

        Args:
            model: state of the viewer.
            editor: knows what is chosen, and makes changes.
            picture: the editor of handles in the picture.
        """
        self._model = model
        self._editor = editor
        self._picture = picture
        self.entry: HandleEntry | None = None
        self.copied: int | None = None
        """The throw from which a path was copied."""
        # The editor calls these while keys act on the picture.
        editor.handling[PICTURE] = self
        editor.actions[PICTURE] = {
            Action.PAGE_UP: lambda: self.nudge(away=1),
            Action.PAGE_DOWN: lambda: self.nudge(away=-1),
            Action.AWAY_FINE: lambda: self.nudge(away=1, fine=True),
            Action.NEARER_FINE: lambda: self.nudge(away=-1, fine=True),
            Action.UP_FINE: lambda: self.nudge(up=1, fine=True),
            Action.DOWN_FINE: lambda: self.nudge(up=-1, fine=True),
        }

    @property
    def actions(self) -> Handlers:
        """Handlers of the window's actions about handles in the picture.

        Handles are marks by which hands and bodies are moved; while nothing is edited, none are
        shown.
        """
        # While a handle is chosen, actions on it are performed by the edit controller and do not
        # come here. If they do, none is chosen: a notice says how to choose one.
        handlers_without_chosen = dict.fromkeys(_OF_CHOSEN, self._say_how)
        return {
            Action.HANDLE_PLACE: self._switch_place,
            Action.ADD_POINT: lambda: self._if_shown(self.add_point),
            Action.REMOVE_POINT: lambda: self._if_shown(self.remove),
            Action.SYMMETRIC: lambda: self._if_shown(self._toggle_symmetric),
            Action.COPY_PATH: lambda: self._if_shown(self.copy),
            Action.PASTE_PATH: lambda: self._if_shown(self.paste),
            **handlers_without_chosen,
        }

    def step(self, steps: int) -> None:
        """Select the handle a number of steps later, cyclically.

        Handles of hands come first, in the order of events, and then those of bodies. While none is
        chosen, the number of steps does not matter: selected is the handle of a hand whose time is
        nearest to that of the picture, or without handles of hands the first body.

        Args:
            steps: positive for later handles, negative for earlier ones.
        """
        picture = self._picture
        points = picture.handles.points
        # A body has two points, its ring and its arrow, but one handle: duplicates are dropped.
        handles = list(dict.fromkeys(point.handle for point in points))
        if picture.chosen:
            last_chosen = picture.chosen[-1].handle
            picture.choose(handles[(handles.index(last_chosen) + steps) % len(handles)])
            return
        hand_points = [point for point in points if point.is_of_hand]
        if hand_points:
            nearest = min(hand_points, key=lambda point: abs(point.time - picture.time))
            picture.choose(nearest.handle)
        else:
            picture.choose(handles[0])

    def move(self, right: int, up: int, *, fine: bool) -> None:
        """Move the chosen handles by a step as the camera sees it.

        Args:
            right, up: signs of the step; one of them is not 0.
            fine: whether hands move by 1 mm and not 1 cm, and bodies, over the floor, by 1 cm and
                not 20 cm.
        """
        self.nudge(right, up, away=0, fine=fine)

    def nudge(self, right: int = 0, up: int = 0, away: int = 0, *, fine: bool = False) -> None:
        """Move the chosen handles by a step to the right, up or away, as the camera sees it.

        Bodies turn to the left by 90° or 5° instead of moving away.

        Args:
            right, up, away: direction of the step, −1, 0 or 1 each; exactly one of them is not 0.
            fine: whether the step is a small one.
        """
        picture = self._picture
        if not picture.chosen:
            return
        key = KeyStep(right, up, away)
        # The handle that was chosen last decides: a body is moved alone; the step of a hand, along
        # an axis of its body, moves all chosen hands.
        point = picture.chosen[-1]
        # The place of the body on the floor, and its heading, at the time of the handle.
        frame = BodyFrame.from_animation(picture.animation, point.juggler, point.time)
        symmetric = self._editor.symmetric
        if isinstance(point.handle, BodyHandle):
            change = nudged_body(picture.view, point, frame, key, fine=fine, symmetric=symmetric)
            picture.apply(change, "body")
        else:
            step = nudge_step(picture.view, point, frame, key, fine=fine)
            events = picture.chosen_events
            change = hands_change(picture.animation, events, step, symmetric=symmetric)
            picture.apply(change, "hand")

    def open(self) -> None:
        """Begin to type the numbers of the chosen handle."""
        if chosen := self._picture.chosen:
            last = chosen[-1]
            self.entry = HandleEntry(last.handle, numbers_of(self._picture.animation, last))

    def apply_entry(self, text: str) -> None:
        """Move the handle to the typed numbers, and close the field in which they were typed.

        If the numbers are refused, the field stays open with the text and the reason.

        Args:
            text: the text as typed.
        """
        entry = self.entry
        self.entry = None
        picture = self._picture
        point = picture.handles.find(entry.handle) if entry else None
        if point is None:  # no field was open, or an edit has removed the handle
            return
        numbers_or_error = read_numbers(text, point)
        if isinstance(numbers_or_error, str):  # says why the numbers cannot be read
            error = numbers_or_error
        else:
            change = typed_change(
                picture.animation, point, numbers_or_error, symmetric=self._editor.symmetric
            )
            picture.apply(change, "typed numbers")
            error = self._model.error  # empty if the change was made
        if error:
            self.entry = HandleEntry(point.handle, text, error)

    def add_point(self) -> None:
        """Add a point to the path of the hand that was chosen last, where the hand is now.

        If no hand is chosen, it is the hand of the first shown juggler on the side of the arm that
        the viewer shows details of (`model.arm`).
        """
        picture = self._picture
        chosen_hands = [point.hand for point in picture.chosen if point.is_of_hand]
        # Hands are numbered 2 · juggler + side.
        default_hand = 2 * picture.jugglers[0] + self._model.arm.side
        picture.add_point(chosen_hands[-1] if chosen_hands else default_hand, picture.time)

    def remove(self) -> None:
        """Remove the chosen points of hands one by one; the selection is empty afterwards.

        If one cannot be removed, it and those after it stay, also in the selection, and the model
        says why.
        """
        points = [point for point in self._picture.chosen if point.is_of_hand]
        for point in points:
            # Each removal renumbers events, and may have removed this point already, as the mirror
            # image of another.
            renumbered = self._picture.find_again(point)
            if renumbered is None:
                continue
            removal = _removal(renumbered.event, symmetric=self._editor.symmetric)
            if not self._picture.apply(removal, "remove point"):
                return
        self._editor.selection = ()

    def copy(self) -> None:
        """Remember the path of the chosen hand, from the throw before the event to the next throw.

        Only the number of the first throw is kept.
        """
        if events := self._picture.chosen_events:
            self.copied = throw_before(self._picture.animation, events[-1])
            self._model.notice.say(
                _("Copied this hand's path from throw to throw; select a hand and paste")
            )

    def paste(self) -> None:
        """Apply the copied path to the chosen hand, mirrored if it was copied from the other hand.

        A path goes from throw to throw. The pasted one begins at the last throw of the chosen hand
        up to the chosen event (a throw, a catch or a point). Without a copied path a notice says
        so; without a chosen event nothing is done.
        """
        copied_throw = self.copied
        events = self._picture.chosen_events
        if copied_throw is None:
            self._model.notice.say(_("Copy a hand's path first"))
        elif events:
            symmetric = self._editor.symmetric
            throw = throw_before(self._picture.animation, events[-1])
            self._picture.apply(
                lambda editor: editor.copy_path(copied_throw, throw, symmetric=symmetric),
                "paste path",
            )

    def _switch_place(self) -> None:
        """Switch the keys from handles in the ladder diagram to those in the picture, or back.

        Shows handles if they are hidden. Events (throws, catches and points of hands' paths) have
        handles in both places, so that they stay chosen. Anything else is released, and in the
        picture a first handle is chosen.
        """
        if not self._editor.shown:
            self._editor.toggle()
        self._editor.place = LADDER if self._editor.place == PICTURE else PICTURE
        if not self._picture.chosen_events:
            self._editor.selection = ()
        if self._editor.place == LADDER:
            self._model.diagrams.show(LADDER)
        elif not self._editor.selection:
            self.step(1)

    def _if_shown(self, act: Callable[[], object]) -> None:
        if self._editor.shown:
            act()
        else:
            self._say_how()

    def _say_how(self) -> None:
        self._model.notice.say(
            _("Press {key} to edit, then select a handle", key=caption(Action.EDIT))
        )

    def _toggle_symmetric(self) -> None:
        self._editor.symmetric = not self._editor.symmetric
        self._model.notice.say(
            _("Mirror images move too")
            if self._editor.symmetric
            else _("Only the selection moves, not its mirror images")
        )


def _removal(event: int, *, symmetric: bool) -> Change:
    """Return the edit that removes a point of a hand's path, perhaps with its mirror images."""
    return lambda editor: editor.remove_point(event, symmetric)
