"""Dragging in the picture: lines of sight, planes and lines of movement, and snapping."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.edit_menu import Change
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera
from juggle_anim.viewer.editor.editor import BodyHandle
from juggle_anim.viewer.editor.handles import (
    BodyFrame,
    HandlePoint,
    Mark,
    from_body,
    partners,
    to_body,
)
from juggle_anim.viewer.layout import Rectangle, project_points

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


class Sight(NamedTuple):
    """A line of sight.

    Attributes:
        start: shape (3,), in the world, [m].
        along: shape (3,), of length 1.
    """

    start: Floats
    along: Floats


@dataclass(frozen=True)
class View:
    """A picture in the window.

    Args:
        camera: of the picture.
        place: in the window.
        scale: of the window.
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

    def sight_through(self, x: float, y: float) -> Sight:
        """The line of sight through a point of the window, [pixels]."""
        return sight_line(x, y, self.camera, self.place)

    def drag_normal(self, axes: Floats, place: Floats) -> int:
        """Return the axis of a body that is normal to the plane in which a hand is dragged.

        Args:
            axes: of the body, as for `facing_axis`.
            place: of the hand, shape (3,), [m], world frame.

        Returns:
            `LEFT`, `UP` or `FORWARD`.
        """
        x, y = self.to_window(place[None])[0]
        return facing_axis(axes, self.sight_through(x, y).along)


def sight_line(x: float, y: float, camera: Camera, place: Rectangle) -> Sight:
    """Return the line of sight through a point of the window, in the world frame.

    It is the inverse of `project_points`: all points on the line are seen at that point. It starts
    at the camera, or in an orthographic picture beside the camera in its plane.

    Args:
        x, y: of the point, [pixels], y downward.
        camera: of the picture.
        place: of the picture in the window, [pixels].
    """
    # Normalized device coordinates, −1 to 1, y upward.
    device_x = 2 * (x - place.left) / place.width - 1
    device_y = 1 - 2 * (y - place.top) / place.height

    # The line in the camera's frame (x right, y up, looking along −z), from the inverse of the
    # projection P: device_x = (P00 x + P02 z) / w, device_y = P11 y / w, where w is −z in
    # perspective, and P33 in an orthographic picture. P02 shifts the picture sideways, for one eye
    # in stereo; orthographic pictures have none.
    projection = camera.projection(place.width / place.height)
    scale_x = projection[0, 0]
    scale_y = projection[1, 1]
    if camera.orthographic:
        depth = projection[3, 3]
        start = np.array([device_x * depth / scale_x, device_y * depth / scale_y, 0.0])
        along = np.array([0.0, 0.0, -1.0])
    else:
        start = np.zeros(3)
        along = np.array([(device_x + projection[0, 2]) / scale_x, device_y / scale_y, -1.0])

    # To the world frame. The view has x_c = R x + t, so x = Rᵀ(x_c − t). `rotation` is Rᵀ.
    view = camera.view()
    rotation = view[:3, :3].T
    along = rotation @ along
    return Sight(rotation @ (start - view[:3, 3]), along / np.linalg.norm(along))


def facing_axis(axes: Floats, along: Floats) -> int:
    """Return the axis of a body that is the normal of the plane in which a hand is dragged.

    The plane is the vertical one of the body, frontal or sagittal, that faces the camera more. If
    the camera looks from more than 55° above or below the horizon, it is the horizontal plane.

    Args:
        axes: rows are the unit vectors to the left, up and forward, shape (3, 3), world frame.
        along: direction of sight, shape (3,), of length 1, world frame.

    Returns:
        `LEFT`, `UP` or `FORWARD`.
    """
    cosines = np.abs(axes @ along)  # between each axis and the line of sight
    if cosines[UP] > _SIN_ELEVATION_FROM_ABOVE:
        return UP
    return LEFT if cosines[LEFT] > cosines[FORWARD] else FORWARD


def on_plane(sight: Sight, point: Floats, normal: Floats) -> Floats | None:
    """Return where a line of sight meets a plane.

    Args:
        sight: line of sight, world frame.
        point: any point of the plane, shape (3,), [m], world frame.
        normal: of the plane, shape (3,), of length 1, world frame; its sign does not matter.

    Returns:
        Shape (3,), [m], world frame. None if the line is parallel to the plane, or meets it only
        behind the camera.
    """
    cosine = float(sight.along @ normal)
    if abs(cosine) < _PARALLEL:  # also avoids a division by 0 below
        return None
    # The plane is (x − point) · normal = 0, and x = start + distance · along.
    distance = float((point - sight.start) @ normal) / cosine
    return sight.start + distance * sight.along if distance > 0 else None


def along_line(sight: Sight, point: Floats, axis: Floats) -> float | None:
    """Return where a line comes nearest to a line of sight.

    With w from the start of sight to the point, and the directions a (line) and s (sight), both of
    length 1, that is at ((s·w)(a·s) − a·w) / (1 − (a·s)²) along the line.

    Args:
        sight: line of sight, world frame.
        point: on the line, shape (3,), [m], world frame.
        axis: direction of the line, shape (3,), of length 1.

    Returns:
        Signed distance along the line from the point, [m]. None if the line is too foreshortened:
        then a pixel would be a long way.
    """
    to_point = point - sight.start
    cosine = float(axis @ sight.along)
    sine_squared = 1 - cosine**2
    if sine_squared < _MIN_SIN_TO_SIGHT**2:
        return None
    return float((sight.along @ to_point) * cosine - axis @ to_point) / sine_squared


def depth_arrow(place: Floats, axes: Floats, view: View) -> Floats:
    """Return the ends of the arrow by which the mouse drags a hand in depth.

    Args:
        place: of the hand, shape (3,), [m], world frame.
        axes: of its body: rows are the unit vectors to the left, up and forward, world frame.
        view: the picture.

    Returns:
        Tail, at the hand, and tip, shape (2, 2), [pixels].
    """
    axis = axes[view.drag_normal(axes, place)]
    # Its direction in the picture, from a point 0.1 m farther along the axis.
    base, ahead = view.to_window(np.array([place, place + 0.1 * axis]))
    direction = ahead - base
    cosine = float(axis @ view.sight_through(*base).along)
    if 1 - cosine**2 < _MIN_SIN_TO_SIGHT**2:
        # An axis that points nearly at the camera has no clear direction in the picture. `Drag`
        # then moves the hand away from the camera as the mouse goes up, so the arrow points up if
        # the axis leads away (cosine > 0), else down. y of the window points down: up is -1.
        direction = np.array([0.0, -math.copysign(1.0, cosine)])
    length = ARROW_LENGTH * view.scale
    return np.array([base, base + length * direction / np.hypot(*direction)])


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
        frame: of its body, at the time of the handle.
        mouse: where it was then, [pixels].
        place: of the handle then, shape (3,), in the world, [m].
        normal: the axis of the body, `LEFT`, `UP` or `FORWARD`, that is normal to the plane in
            which a hand is dragged; unused for bodies.
        in_depth: whether a hand is dragged along that axis, and not in the plane.
        by_arrow: whether the mouse holds the arrow of depth, so that the drag is always in depth.
        has_moved: whether the mouse has moved farther than in a click.
        was_chosen: whether the handle was chosen before it was pressed.
    """

    point: HandlePoint
    frame: BodyFrame
    mouse: tuple[float, float]
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
        """Return where the mouse drags a hand to.

        Args:
            x, y: of the mouse now, [pixels], y downward.
            view: the picture.

        Returns:
            Shape (3,), [m], in the frame of the hand's body. None if the line of sight misses the
            plane of the drag; never for a drag in depth.
        """
        normal = self.frame.axes[self.normal]
        if self.in_depth:
            return self.frame.to_body(self.place + self._depth(x, y, view, normal) * normal)
        place = self._on_plane(x, y, view, normal)
        return None if place is None else self.frame.to_body(place)

    def floor_at(self, x: float, y: float, view: View) -> Floats | None:
        """Return where the mouse drags what stands on the floor, in the world, shape (3,), [m].

        None if the mouse points above the horizon.
        """
        return self._on_plane(x, y, view, _UPWARD)

    def _on_plane(self, x: float, y: float, view: View, normal: Floats) -> Floats | None:
        """Return where the handle is dragged to in a plane, shape (3,), [m], world frame.

        The handle keeps its distance from the mouse within the plane, so that it does not jump when
        it was pressed beside its middle. None if the mouse points, or pointed, past the plane.

        Args:
            x, y: of the mouse now, [pixels], y downward.
            view: the picture.
            normal: of the plane, which passes through the place of the handle at first; shape (3,),
                of length 1, world frame.
        """
        pressed, now = (
            on_plane(view.sight_through(*mouse), self.place, normal)
            for mouse in (self.mouse, (x, y))
        )
        return None if pressed is None or now is None else self.place + now - pressed

    def _depth(self, x: float, y: float, view: View, axis: Floats) -> float:
        """Return how far the mouse drags along an axis, [m], positive in the axis's direction.

        The handle follows the mouse along the axis as seen in the picture. If the axis points
        nearly at the camera, the mouse moves it by going up and down instead: up leads away from
        the camera.

        Args:
            x, y: of the mouse now, [pixels], y downward.
            view: the picture.
            axis: shape (3,), of length 1, world frame.
        """
        sight = view.sight_through(*self.mouse)
        pressed_at = along_line(sight, self.place, axis)
        now_at = along_line(view.sight_through(x, y), self.place, axis)
        if pressed_at is not None and now_at is not None:
            return now_at - pressed_at

        # The axis points nearly at the camera. The mouse then moves the handle by as many metres as
        # its way in pixels means at the distance of the handle; that scale comes from a point 1 m
        # beside the handle, across the line of sight.
        sideways = np.cross(sight.along, _UPWARD)
        sideways /= np.linalg.norm(sideways)
        handle, beside = view.to_window(np.array([self.place, self.place + sideways]))
        metres_per_pixel = 1.0 / float(np.hypot(*(beside - handle)))
        # Negative if the axis leads toward the camera, as moving the mouse up leads away from it.
        return math.copysign(metres_per_pixel, float(axis @ sight.along)) * (self.mouse[1] - y)


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
    """Snap dragged coordinates to those of the other hand, to zero, or else to whole centimetres.

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
        value = place[axis]
        # The coordinate of the other hand's points that is nearest to this one; infinity, which is
        # near to nothing, if the other hand has no points.
        partner = math.inf
        if len(partners):
            partner = float(partners[np.argmin(np.abs(partners[:, axis] - value)), axis])
        if abs(value - partner) <= SNAP_PARTNER:
            snapped[axis] = partner
            guides[axis] = "partner"
        elif abs(value) <= SNAP_ZERO:
            snapped[axis] = 0.0
            guides[axis] = "zero"
        else:
            snapped[axis] = round(value / _ROUNDED_LENGTH) * _ROUNDED_LENGTH
    return Snapped(tuple(snapped), guides)


def snap_to_grid(x: float, z: float) -> tuple[float, float]:
    """Snap a place on the floor to lines 20 cm apart, or otherwise to whole centimetres.

    Both coordinates snap by themselves, if they are within 4 cm of a line.

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
    drag: Drag, mouse: tuple[float, float], view: View, start: Animation, *, snaps: bool
) -> tuple[Floats, dict[int, str]]:
    """Return how far a hand is dragged, and to what it snaps.

    Args:
        drag: of an event of the hand.
        mouse: its present x and y, [pixels], y downward.
        view: the picture in which the mouse was pressed.
        start: the animation when the drag began, in which the event has its number.
        snaps: whether coordinates snap, as `snap` says.

    Returns:
        step: from where the event was in `start`, shape (3,), [m], in the frame of its body.
        guides: for each coordinate that snapped, to what, as in `Snapped`.
    """
    place = drag.hand_at(*mouse, view)
    point = drag.point
    guides = dict[int, str]()
    if place is None:  # the mouse points past the plane: the hand stays
        return np.zeros(3), guides
    # Snapping is in coordinates that mirror images have alike: outward, up and forward. `LEFT`,
    # `UP` and `FORWARD` are indices of both these and those of the body.
    target: tuple[float, ...] = from_body(start, point.hand, place)
    if snaps:
        snapped = snap(target, partners(start, point.event), drag.axes)
        target = snapped.place
        guides = snapped.guides
    before = start.choreography.events.position[point.event]
    return to_body(start, point.hand, target) - before, guides


def dragged_body(
    drag: Drag, mouse: tuple[float, float], view: View, *, snaps: bool, symmetric: bool = False
) -> Change | None:
    """Return the change by which a body follows the mouse, or turns to it.

    Args:
        drag, mouse, view: as for `dragged_hand`; the drag is of a body's ring or heading.
        snaps: whether the body snaps to the grid, or its heading to quarter turns.
        symmetric: whether its mirror images move along.

    Returns:
        The change. None if the mouse is above the horizon, or the handle is none of a body.
    """
    place = drag.floor_at(*mouse, view)
    handle = drag.point.handle
    if place is None or not isinstance(handle, BodyHandle):
        return None
    if drag.point.mark is Mark.HEADING:
        # The body turns to the mouse: its heading from +z toward +x, rad.
        x, _, z = (place - drag.frame.origin).tolist()
        facing = math.atan2(x, z)
        facing = snap_turn(facing) if snaps else facing
        return body_change(handle, facing=facing, symmetric=symmetric)
    place[1] = drag.point.place[1]  # bodies are dragged over the floor: their height stays
    if snaps:
        place[[0, 2]] = snap_to_grid(*place[[0, 2]].tolist())
    return body_change(handle, place, symmetric=symmetric)


def hands_change(
    start: Animation, events: Sequence[int], step: Floats, *, symmetric: bool
) -> Change:
    """Return the change that moves events by a common step.

    Args:
        start: the animation that is changed.
        events: rows of its events, at least one.
        step: each event's in the frame of its own body, shape (3,), [m].
        symmetric: whether their mirror images move along.
    """
    # The editor has two operations: several events are moved by an offset, one to a place.
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
        handle: key of the body.
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
    """Return the step by which a key moves a hand, along one axis of its body.

    Args:
        view: the picture.
        point: of the hand.
        frame: of its body.
        key: direction of the step, along one of the three ways.
        fine: whether the step is 1 mm, and not 1 cm.

    Returns:
        Shape (3,), [m], in the frame of the body.
    """
    # The direction of the key in the frame of the body, of length 1.
    direction = frame.axes @ _to_world(view, key)
    normal = view.drag_normal(frame.axes, np.array(point.place))
    # As with the mouse: keys for depth move the hand along the normal of the plane in which it is
    # dragged, all others within that plane.
    axes = [normal] if key.away else [axis for axis in (LEFT, UP, FORWARD) if axis != normal]
    # Of these axes, the one that points most nearly where the key does.
    axis = max(axes, key=lambda axis: abs(direction[axis]))
    step = np.zeros(3)
    step[axis] = math.copysign(_FINE_KEY_STEP if fine else _KEY_STEP, direction[axis])
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
    """Return the change by which a key moves a body over the floor, or turns it.

    Bodies stay on the floor, so the keys have other meanings than for hands: up and down move a
    body away from the camera and toward it, and away and nearer turn it to the left and right.

    Args:
        view, point, frame, key, fine: as for `nudge_step`.
        symmetric: whether its mirror images move along.
    """
    assert isinstance(point.handle, BodyHandle)
    if key.away:
        facing = frame.facing + key.away * (_FINE_KEY_TURN if fine else _KEY_TURN)
        return body_change(point.handle, facing=facing, symmetric=symmetric)
    # A step along x or z of the world, whichever points more nearly where the key does. Their
    # indices are those of LEFT and FORWARD.
    direction = _to_world(view, KeyStep(right=key.right, away=key.up))
    place = np.array(point.place)
    axis = LEFT if abs(direction[LEFT]) > abs(direction[FORWARD]) else FORWARD
    place[axis] += math.copysign(_FINE_FLOOR_STEP if fine else GRID, direction[axis])
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
        animation: with the handle.
        point: the handle.
        numbers: as `read_numbers` returns them. Of a body: heading [rad], right and forward [m]. Of
            a hand: outward, up and forward [m], and perhaps the time [s].
        symmetric: whether its mirror images move along.
    """
    if isinstance(point.handle, BodyHandle):
        facing, right, forward = numbers
        # x of the world points to the left, so a place to the right has a negative x. The height,
        # which is not typed, stays.
        place = np.array([-right, point.place[1], forward])
        return body_change(point.handle, place, facing=facing, symmetric=symmetric)
    position = tuple(to_body(animation, point.hand, numbers[:3]).tolist())
    time = next(iter(numbers[3:]), None)  # None: the time stays
    return lambda editor: editor.move_event(
        point.event, time=time, position=position, symmetric=symmetric
    )
