"""The camera rig: frames the pattern, follows a juggler, or obeys the mouse.

An orbit camera that a mouse can rotate, pan and zoom, and that glides on once it is released.

The camera path of a film, made by hand: views that the camera passes in turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import AZIMUTH, ELEVATION, Animation, headroom_of
from juggle_anim.arrays import Floats
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import (
    CAMERA_PRESETS,
    EYE_VIEW,
    LOWEST,
    Camera,
    Framing,
    aspect_per_eye,
    frame_above_floor,
    in_part,
    turntable_circle,
)
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.state.keymap import CAMERA_PATH, Action, Handlers, OpenCards

MIN_ELEVATION = math.radians(-60.0)
MAX_ELEVATION = math.radians(88.0)
"""Range of elevations: neither straight below nor straight above, [rad]; the floor mostly allows
less.
"""

MIN_DISTANCE = 0.5
MAX_DISTANCE = 150.0
"""Range of distances, [m]."""

_DISTANCE_PER_CLICK = 0.9  # of the distance before, for each click of the wheel
_NEAR = 0.05
_NEARBY = 60.0
_FAR = 60.0
_MAX_LEVEL_ELEVATION = math.radians(
    45.0
)  # a camera that looks down more steeply sees no heights to compare
_TOLERANCE = 1e-3  # metres, radians and half heights; a smaller difference is invisible

# The speed of a drag is averaged over this time, [s]; one that rested for longer does not glide.
_GLIDE_SAMPLE_TIME = 0.05
_GLIDE_DECAY_RATE = 5.0  # rate at which a glide slows, [1/s]
_MIN_GLIDE_SPEED = 0.02  # heights of the window in a second; slower is at rest

Turn = tuple[float, float]
"""Right and down, in heights of the window."""

_NO_TURN: Turn = 0.0, 0.0


@dataclass(frozen=True)
class Orbit:
    """A camera on a sphere around a target.

    Args:
        target: the point it turns around, [m].
        distance: distance from it, [m].
        azimuth: around +y, 0 in front (at +z), positive toward +x, [rad].
        elevation: above the horizon, [rad].
        field_of_view: vertical, [rad].
    """

    target: Vector
    distance: float
    azimuth: float
    elevation: float
    field_of_view: float

    @classmethod
    def from_camera(cls, camera: Camera) -> Orbit:
        """Return the orbit that a camera stands on."""
        x, y, z = (eye - target for eye, target in zip(camera.eye, camera.target, strict=True))
        distance = math.hypot(x, y, z)
        return cls(
            camera.target,
            distance,
            azimuth=math.atan2(x, z),
            elevation=math.asin(y / distance),
            field_of_view=camera.field_of_view,
        )

    def rotated(self, across: float, down: float) -> Orbit:
        """Return the orbit rotated by a drag of the mouse; the camera stays above the floor.

        Args:
            across, down: distances of the drag to the right and down, in heights of the window; one
                height is half a turn.
        """
        # A camera that comes from a juggler's eyes that look up may be lower than the mouse can go.
        min_elevation = min(MIN_ELEVATION, self.elevation)
        elevation = min(max(self.elevation + down * math.pi, min_elevation), MAX_ELEVATION)
        azimuth = self.azimuth - across * math.pi
        return replace(self, azimuth=azimuth, elevation=elevation).above_floor()

    def panned(self, across: float, down: float) -> Orbit:
        """Return the orbit panned by heights of the window; the eye stays above the floor."""
        height = 2 * self.distance * math.tan(self.field_of_view / 2)
        return replace(
            self, target=self.point_in_view(-across * height, down * height)
        )._lifted_above_floor()

    def zoomed(self, clicks: float, about: Vector | None = None) -> Orbit:
        """Return the orbit nearer by some clicks of a mouse wheel, or farther.

        Args:
            clicks: negative for farther; may be fractions of one, as of a trackpad.
            about: the point that stays where it is in the picture, [m]; by default the target.
        """
        # A camera that is farther away than the limit may stay there, but goes no farther.
        max_distance = max(MAX_DISTANCE, self.distance)
        wanted_distance = self.distance * _DISTANCE_PER_CLICK**clicks
        distance = min(max(wanted_distance, MIN_DISTANCE), max_distance)
        # The target comes nearer to the fixed point in proportion to the distance.
        ratio = distance / self.distance
        fixed_point = about or self.target
        x, y, z = (
            fixed + ratio * (old - fixed)
            for old, fixed in zip(self.target, fixed_point, strict=True)
        )
        return replace(self, target=(x, y, z), distance=distance).above_floor()

    def above_floor(self, *, orthographic: bool = False) -> Orbit:
        """Return the orbit with a higher elevation, or also a higher target, if its eye is too low.

        Args:
            orthographic: whether lines of sight are parallel. Then the camera must not look up,
                or lines of sight would come from below the floor.
        """
        # The elevation e at which the eye is at its least height: sin e = (y_eye − y_target) / r.
        _x, target_height, _z = self.target
        sine = min(max((LOWEST - target_height) / self.distance, -1.0), 1.0)
        min_elevation = math.asin(sine)
        if orthographic:
            min_elevation = max(min_elevation, 0.0)
        elevation = max(self.elevation, min(min_elevation, MAX_ELEVATION))
        # If `MAX_ELEVATION` is not enough, the target is lifted.
        return replace(self, elevation=elevation)._lifted_above_floor()

    def _lifted_above_floor(self) -> Orbit:
        """Lifted, if its eye is too low."""
        x, y, z = self.target
        return replace(
            self, target=(x, max(y, LOWEST - self.distance * math.sin(self.elevation)), z)
        )

    def widened(self, field_of_view: float) -> Orbit:
        """With another field of view [rad], at the distance where the target looks as large."""
        nearer = math.tan(self.field_of_view / 2) / math.tan(field_of_view / 2)
        return replace(self, distance=self.distance * nearer, field_of_view=field_of_view)

    def camera(
        self,
        shift: tuple[float, float] = (0.0, 0.0),
        *,
        mirrored: bool = False,
        orthographic: bool = False,
    ) -> Camera:
        """Return the camera on this orbit.

        Args:
            shift: position of the target in the picture, right of and above its middle, in half
                heights of the picture.
            mirrored: whether left and right are exchanged in the picture.
            orthographic: whether lines of sight are parallel.
        """
        # To shift the picture, move eye and target the other way, parallel to the image plane. In a
        # mirrored picture the camera's right is at the left.
        half_height = self.distance * math.tan(self.field_of_view / 2)  # m, at the target
        shift_right, shift_up = shift
        right = (shift_right if mirrored else -shift_right) * half_height
        up = -shift_up * half_height
        moved = replace(self, target=self.point_in_view(right, up))._lifted_above_floor()
        x, y, z = (
            target + self.distance * direction
            for target, direction in zip(moved.target, self._eye_direction(), strict=True)
        )
        # Clip planes close to the scene keep the precision of the depth buffer of a far camera.
        near = max(_NEAR, self.distance - _NEARBY)
        far = max(_FAR, 4 * self.distance)
        return Camera(
            (x, y, z),
            moved.target,
            self.field_of_view,
            near=near,
            far=far,
            mirrored=mirrored,
            orthographic=orthographic,
        )

    def toward(self, goal: Orbit, share: float) -> Orbit:
        """Return the orbit between this one and another one; the azimuth turns the shorter way.

        Distance and field of view change in equal ratios (geometrically), so that zooming looks
        even.

        Args:
            goal: the other orbit.
            share: 0 for this one, 1 for the goal.
        """
        turn = math.remainder(goal.azimuth - self.azimuth, math.tau)  # within half a turn
        x, y, z = (
            start + share * (end - start)
            for start, end in zip(self.target, goal.target, strict=True)
        )
        return Orbit(
            target=(x, y, z),
            distance=self.distance * (goal.distance / self.distance) ** share,
            azimuth=self.azimuth + share * turn,
            elevation=self.elevation + share * (goal.elevation - self.elevation),
            field_of_view=self.field_of_view * (goal.field_of_view / self.field_of_view) ** share,
        )

    def close_to(self, other: Orbit, tolerance: float = _TOLERANCE) -> bool:
        """Return whether another orbit is the same up to a tolerance.

        Args:
            other: the other orbit.
            tolerance: greatest difference of targets, distances and angles, [m] and [rad]; by
                default too small to see.
        """
        differences = (
            math.dist(self.target, other.target),
            self.distance - other.distance,
            self.elevation - other.elevation,
            math.remainder(other.azimuth - self.azimuth, math.tau),
            self.field_of_view - other.field_of_view,
        )
        return max(map(abs, differences)) < tolerance

    def _eye_direction(self) -> Vector:
        """Return the unit vector from the target to the eye."""
        horizontal = math.cos(self.elevation)
        return (
            math.sin(self.azimuth) * horizontal,
            math.sin(self.elevation),
            math.cos(self.azimuth) * horizontal,
        )

    def point_in_view(self, right: float, up: float) -> Vector:
        """Return the point of the world to the right of the target and above it in the picture.

        The picture has these axes in the world, where a is the azimuth of the camera (0 at +z,
        positive toward +x) and e its elevation above the horizon:

        - right: (cos a, 0, −sin a)
        - up: (−sin e sin a, cos e, −sin e cos a)

        Args:
            right, up: distances from the target along these axes, [m].

        Returns:
            x, y and z of the point, [m].
        """
        x, y, z = self.target
        sin_a = math.sin(self.azimuth)
        cos_a = math.cos(self.azimuth)
        sin_e = math.sin(self.elevation)
        cos_e = math.cos(self.elevation)
        return (
            x + right * cos_a - up * sin_e * sin_a,
            y + up * cos_e,
            z - right * sin_a - up * sin_e * cos_a,
        )


def on_one_scale(orbits: Sequence[Orbit], share: float = 1.0) -> list[Orbit]:
    """Return orbits moved back so that pictures side by side have one scale and level floors.

    Args:
        orbits: orbits of cameras, each of which frames its subject in the middle of the picture.
        share: the share of the height of each picture that the subject fills, 0 to 1.

    Returns:
        The new orbits in the same order; each still frames its subject.
    """
    # Half the visible height at the target of each picture, and the height of the target, [m]. The
    # scale is one if the first are equal.
    half_heights = [orbit.distance * math.tan(orbit.field_of_view / 2) for orbit in orbits]
    middles = [orbit.target[1] for orbit in orbits]
    common_half_height = max(half_heights)

    # Cameras that look about horizontally get the same height of the target, and show the union of
    # their ranges of height.
    if all(abs(orbit.elevation) < _MAX_LEVEL_ELEVATION for orbit in orbits):
        pictures = list(zip(middles, half_heights, strict=True))
        lowest = min(middle - share * half_height for middle, half_height in pictures)
        highest = max(middle + share * half_height for middle, half_height in pictures)
        middles = [(lowest + highest) / 2] * len(orbits)
        common_half_height = max(common_half_height, (highest - lowest) / 2 / share)

    return [
        replace(
            orbit,
            target=(orbit.target[0], middle, orbit.target[2]),
            distance=common_half_height / math.tan(orbit.field_of_view / 2),
        )
        for orbit, middle in zip(orbits, middles, strict=True)
    ]


class Glide:
    """How a camera goes on turning when it is released while it turns, until it comes to rest."""

    def __init__(self) -> None:
        self.is_moving = False
        """Whether it goes on by itself."""
        self._moved = _NO_TURN  # by the hand, since the last call of `advance`
        self._speed = _NO_TURN  # smoothed, a second
        self._rest_time = math.inf  # s, for which the hand has not moved
        self._is_held = False

    def drag(self, across: float, down: float) -> None:
        """Turn the camera by a drag of the mouse, in heights of the window."""
        self.is_moving = False
        self._is_held = True
        self._moved = self._moved[0] + across, self._moved[1] + down

    def let_go(self) -> None:
        """End a drag: the last motion goes on, unless the mouse rested."""
        # How quick it was is known only after the frame in which it was let go.
        self.is_moving = self._is_held

    def stop(self) -> None:
        """Come to rest at once."""
        self.is_moving = False
        self._is_held = False
        self._moved = _NO_TURN
        self._speed = _NO_TURN
        self._rest_time = math.inf

    def advance(self, elapsed: float) -> Turn:
        """Advance the time, and return how far the camera has glided on by itself meanwhile.

        After a quick drag the camera goes on turning at the speed of the mouse, and slows down.

        Args:
            elapsed: time since the last call, [s].

        Returns:
            Right and down, in heights of the window; zero while the mouse turns the camera.
        """
        if elapsed <= 0:
            return _NO_TURN
        if self._is_held:
            self._measure_speed(elapsed)
            # `let_go` has set `is_moving` if the mouse let the camera go since the last call. It
            # glides on if the mouse was quick and had not rested.
            is_let_go = self.is_moving
            self._is_held = not is_let_go
            self.is_moving = (
                is_let_go
                and self._rest_time < _GLIDE_SAMPLE_TIME
                and math.hypot(*self._speed) > _MIN_GLIDE_SPEED
            )
            return _NO_TURN
        if not self.is_moving:
            return _NO_TURN
        # The speed, in heights of the window a second, decays as v exp(−k t), so the distance is
        # v (1 − exp(−k t)) / k.
        remaining_share = math.exp(-_GLIDE_DECAY_RATE * elapsed)
        distance_per_speed = (1 - remaining_share) / _GLIDE_DECAY_RATE  # s
        speed_across, speed_down = self._speed
        self._speed = speed_across * remaining_share, speed_down * remaining_share
        self.is_moving = math.hypot(*self._speed) > _MIN_GLIDE_SPEED
        return speed_across * distance_per_speed, speed_down * distance_per_speed

    def _measure_speed(self, elapsed: float) -> None:
        """Update the mean speed of the mouse from its movement since the last call.

        The speed is in heights of the window a second, to the right and down. Also updates for how
        long the mouse has rested.

        Args:
            elapsed: time since the last call, [s]; not 0.
        """
        self._rest_time = 0.0 if self._moved != _NO_TURN else self._rest_time + elapsed
        # An exponential moving average: the weight of the new speed grows with the elapsed time.
        weight = 1.0 - math.exp(-elapsed / _GLIDE_SAMPLE_TIME)
        speed_across, speed_down = (
            speed + weight * (moved / elapsed - speed)
            for speed, moved in zip(self._speed, self._moved, strict=True)
        )
        self._speed = (speed_across, speed_down)
        self._moved = _NO_TURN


DEFAULT_VIEW = "default"
"""The name of the view of a new window, one of `CAMERA_PRESETS`."""

_APPROACH_RATE = 11.0  # rate at which the camera approaches its goal, [1/s]

Vector = tuple[float, float, float]

_JUGGLER_HALF_WIDTH = 0.75  # m, to the sides with elbows and hands
_HEAD_HEIGHT = 1.9  # m
_JUGGLER_MARGIN = 0.12  # around these, [m]

# Corners of a box around a juggler, and of the same box rotated by 90°: jugglers may face any
# direction.
_UPRIGHT_BOX_CORNERS = np.array(
    [(x, y, z) for x in (-1.0, 1.0) for y in (0.0, 1.0) for z in (-0.7, 0.7)]
)
_BOX_CORNERS = np.concatenate([_UPRIGHT_BOX_CORNERS, _UPRIGHT_BOX_CORNERS[:, [2, 1, 0]]])

_HASTE = 0.3  # seconds after which a camera that flies into a head is twice as quick, and so on
_ARRIVAL_TOLERANCE = 0.02  # metres and radians, of a camera that flies into a head
_HEAD_EXIT_DISTANCE = 0.5  # of the eye from what it turns around as it leaves a head, [m]
_HEAD_HIDE_DISTANCE = 0.3  # of where the eyes are, [m]; from farther away a head is seen


class _Goal(NamedTuple):
    """What the camera approaches.

    Attributes:
        orbit: a target, a distance from it and two angles.
        shift: where the target is to be in the picture, right and up from the middle, in half
            heights.
        off_axis: how far the direction straight ahead is to be from the picture's centre.
    """

    orbit: Orbit
    shift: tuple[float, float]
    off_axis: float


class CameraRig:
    """The camera of a window; `aim` updates `camera` for each frame."""

    def __init__(self) -> None:
        """Begin with the default view, in which the first `aim` puts the camera at once.

        The camera frames the pattern from a view, looks through a juggler's eyes, or stays on an
        orbit on which the user has put it. `aim` moves it toward that goal.
        """
        self.is_manual = False
        """Whether the user has moved the camera, so that it no longer frames the pattern by itself.
        """
        self.settled = False
        """Whether the camera has come to rest."""
        self.is_still = False
        """Whether the camera is put at its goal at once, and does not fly there."""
        # How the camera goes on turning after a drag, until friction stops it.
        self._glide = Glide()
        self.view = DEFAULT_VIEW
        """Name of the standpoint from which it frames the pattern."""
        self.following: int | None = None
        """Which juggler it follows, counted from 0; None for all of them."""
        self.camera: Camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))
        # The camera as an orbit: a target, a distance and two angles, which the mouse changes.
        self._orbit = Orbit.from_camera(self.camera)
        # Offset of the free part of the window from its middle, right and up, in half heights.
        self._shift = (0.0, 0.0)
        # How far the direction straight ahead is from the picture's centre; not 0 on the way into
        # and out of a juggler's head.
        self._off_axis = 0.0
        # The camera that framed the pattern last, and what it was computed from.
        self._framed_camera = self.camera
        self._framed_animation: Animation | None = None
        self._framed_key: tuple[Layout, str, JugglerPlace | None] | None = None
        # Animation and layout of the last `aim`, the size of the window then, and where the juggler
        # was whom the camera follows.
        self._aimed: tuple[Animation, Layout] | None = None
        self._size = (0, 0)
        self._last_place: JugglerPlace | None = None
        # Whether the camera is in the eyes of a juggler, and the time since it left for them, [s].
        self._in_eyes = False
        self._flight_time = 0.0

    @property
    def orbit(self) -> Orbit:
        """The orbit that the camera stands on."""
        return self._orbit

    def hold(self, orbit: Orbit) -> None:
        """Put the camera on an orbit, as if the user had moved it there."""
        self._orbit = orbit
        self.is_manual = True
        self.settled = False

    def circle(self, angles: Floats, azimuth: float, elevation: float) -> None:
        """Look from one point of a camera path, along which the camera moves on a sphere.

        Its radius, the distance from the target, is so great that the whole pattern is seen from
        every point of the path.

        Args:
            angles: azimuths and elevations along the path, shape (N, 2), [rad].
            azimuth, elevation: from where to look now, [rad].
        """
        orbit = self._orbit
        # Before the first picture it is not known what has to be framed.
        if self._aimed:
            animation, layout = self._aimed
            # From each point, the camera that frames the pattern in the free part of the window.
            free = FreeView.from_layout(animation, layout)
            cameras = [
                free.frame(animation, path_azimuth, path_elevation)
                for path_azimuth, path_elevation in angles.tolist()
            ]
            # The mean of their targets, and a distance from which all that any of them sees is
            # seen.
            target, distance = turntable_circle(cameras)
            orbit = replace(orbit, target=target, distance=distance)
        self.hold(replace(orbit, azimuth=azimuth, elevation=elevation).above_floor())

    def rotate(self, across: float, down: float) -> None:
        """Rotate around the target by a drag of the mouse, in heights of the window."""
        self._glide.drag(across, down)
        self._rotate(across, down)

    def catch(self) -> None:
        """Stop a camera that goes on turning by itself."""
        self._glide.stop()

    def let_go(self, *, glides: bool) -> None:
        """End a drag of the mouse; the camera may go on turning, and comes to rest slowly."""
        if glides:
            self._glide.let_go()
            self.settled = self.settled and not self._glide.is_moving
        else:
            self._glide.stop()

    def _rotate(self, across: float, down: float) -> None:
        self.hold(self._orbit_in_hand().rotated(self._unmirrored(across), down))

    def pan(self, across: float, down: float) -> None:
        """Pan by a drag of the mouse, in heights of the window."""
        self.hold(self._orbit_in_hand().panned(self._unmirrored(across), down))

    def zoom(self, clicks: float, place: tuple[float, float] | None = None) -> None:
        """Zoom in by some clicks of the wheel.

        Args:
            clicks: negative to zoom out.
            place: what stays where it is, right and up from the middle of the picture, in half
                heights of it; by default the target of the orbit.
        """
        self.hold(self._orbit_in_hand().zoomed(clicks, self._point_at(*place) if place else None))

    def release(self) -> None:
        """Frame the pattern again, from the default view."""
        self.fly(DEFAULT_VIEW)

    def fly(self, view: str) -> None:
        """Move to a view: one of `CAMERA_PRESETS`, or `EYE_VIEW`."""
        self.view = view
        self.is_manual = False
        self.settled = False
        self._in_eyes = False
        self._glide.stop()

    @property
    def is_in_eyes(self) -> bool:
        """Whether the view is that of a juggler's eyes."""
        return self.view == EYE_VIEW

    def follow_next_juggler(self, jugglers: int) -> None:
        """Follow the next juggler of `jugglers`; after the last one, frame them all."""
        after = 0 if self.following is None else self.following + 1
        self.following = within_jugglers(after, jugglers)
        self.is_manual = False
        self.settled = False
        self._in_eyes = False

    def framing_orbit(
        self, animation: Animation, layout: Layout, time: float = 0.0
    ) -> Orbit | None:
        """Return the orbit from which the camera would frame an animation.

        To frame means to show all that moves, or the juggler whom the camera follows, in the part
        of the window that no card covers.

        Args:
            animation: to be framed.
            layout: layout of the window.
            time: time of the picture in the animation, [s].

        Returns:
            The orbit of the framing camera: target, distance and angles. None if the user has moved
            the camera, or if it is in a juggler's eyes.
        """
        if self.is_manual or self.view == EYE_VIEW:
            return None
        place = self._followed_place(animation, time)
        goal_camera = self._framing_camera(animation, layout, place)
        return self._goal_orbit(animation, goal_camera, place)

    def _followed_place(self, animation: Animation, time: float) -> JugglerPlace | None:
        """Return where the followed juggler stands and faces; None if the camera frames all."""
        juggler = within_jugglers(self.following, animation.num_jugglers)
        return None if juggler is None else juggler_place(animation, juggler, time)

    def aim(
        self,
        animation: Animation,
        layout: Layout,
        elapsed: float,
        time: float = 0.0,
        *,
        wanted: Orbit | None = None,
    ) -> None:
        """Move the camera toward its goal: smoothly, or at once in a new or resized window.

        The goal is an orbit: a target, a distance from it and two angles. Updates `camera` and
        `settled`; called in each frame.

        Args:
            animation: to be framed.
            layout: layout of the window.
            elapsed: time since the last call, [s].
            time: time of the picture in the animation, [s].
            wanted: the goal; by default the nearest orbit that frames the animation.
        """
        self.following = within_jugglers(self.following, animation.num_jugglers)
        self._aimed = (animation, layout)
        across, down = self._glide.advance(elapsed)
        if across or down:
            self._rotate(across, down)

        # The goal: the camera in a juggler's eyes, or one that frames the pattern, or the present
        # one if the user has moved it.
        place = self._followed_place(animation, time)
        through_eyes = self.view == EYE_VIEW and not self.is_manual
        if through_eyes:
            goal_camera = self._eye_camera(animation, layout, time)
        elif self.is_manual:
            goal_camera = self.camera
        else:
            goal_camera = self._framing_camera(animation, layout, place)
        goal = _Goal(
            orbit=wanted or self._goal_orbit(animation, goal_camera, place),
            # The middle of the part that no card covers.
            shift=(0.0, 0.0) if through_eyes else layout.shift,
            # Eyes do not look straight ahead at the middle of the picture.
            off_axis=goal_camera.off_axis if through_eyes else 0.0,
        )

        # The share of the way to the goal that the camera moves now: all of it at once in a new or
        # resized window, or else so much that it approaches the goal exponentially. On the way into
        # a head the rate, [1/s], increases, as the head keeps moving and would never be reached at
        # a constant one.
        size = layout.width, layout.height
        self._flight_time = self._flight_time + elapsed if through_eyes else 0.0
        rate = _APPROACH_RATE * (1.0 + self._flight_time / _HASTE)
        share = 1.0 if size != self._size or self.is_still else 1.0 - math.exp(-rate * elapsed)
        self._size = size
        self._last_place = place
        self._move_toward(goal, share, through_eyes=through_eyes)
        if self._in_eyes:
            self.camera = goal_camera
            return

        # If no card covers the picture, use exactly the camera of an export.
        whole_window = Rectangle(0.0, 0.0, layout.width, layout.height)
        is_free = layout.free == whole_window
        if self.settled and is_free and not (self.is_manual or through_eyes or wanted):
            self.camera = goal_camera
            return
        # Eyes always see in perspective.
        orthographic = animation.parameters.projection == "orthographic" and not through_eyes
        self.camera = self._orbit.camera(
            self._shift, mirrored=_is_mirrored(animation), orthographic=orthographic
        )
        if self._off_axis:
            self.camera = replace(self.camera, off_axis=self._off_axis)
        # Near the head, on the way into it, hide the head.
        if through_eyes and math.dist(self.camera.eye, goal_camera.eye) < _HEAD_HIDE_DISTANCE:
            self.camera = replace(self.camera, inside=goal_camera.inside)

    def _move_toward(self, goal: _Goal, share: float, *, through_eyes: bool) -> None:
        """Move by a share of the way to a goal, or exactly there if that is near enough.

        Updates `settled` (whether the camera is at rest at its goal) and `_in_eyes` (whether it has
        arrived in a juggler's eyes, from where on it moves with the head).

        Args:
            goal: orbit, shift and off-axis direction that the camera approaches.
            share: from 0 to 1; 1 moves the whole way at once.
            through_eyes: whether the goal is the camera in a juggler's eyes.
        """
        # A camera moved by the mouse has its own orbit as the goal. A camera in a head moves as
        # the head does, which is smooth already. Neither orbit is interpolated.
        moves_with_head = through_eyes and (self._in_eyes or share == 1.0)
        is_exact = self.is_manual or moves_with_head
        self._orbit = goal.orbit if is_exact else self._orbit.toward(goal.orbit, share)
        right, up = self._shift
        goal_right, goal_up = goal.shift
        self._shift = right + share * (goal_right - right), up + share * (goal_up - up)
        self._off_axis += share * (goal.off_axis - self._off_axis)

        self.settled = self._is_near(goal, through_eyes=through_eyes) and not self._glide.is_moving
        if self.settled:
            self._orbit = goal.orbit
            self._shift = goal.shift
            if not through_eyes:
                self._off_axis = goal.off_axis
        # A head keeps moving, so a camera on its way there arrives within a wider tolerance than
        # that of a camera which settles. From the next frame on it moves with the head.
        arrives = through_eyes and self._orbit.close_to(goal.orbit, _ARRIVAL_TOLERANCE)
        self._in_eyes = moves_with_head or arrives

    def _is_near(self, goal: _Goal, *, through_eyes: bool) -> bool:
        """Return whether orbit, shift and off-axis direction differ invisibly from a goal's.

        The off-axis direction of eyes does not count: a camera that has arrived there takes it from
        the juggler, and `_off_axis` serves only the way into the head and out of it.
        """
        return (
            self._orbit.close_to(goal.orbit)
            and math.dist(self._shift, goal.shift) < _TOLERANCE
            and (through_eyes or abs(self._off_axis - goal.off_axis) < _TOLERANCE)
        )

    def _orbit_in_hand(self) -> Orbit:
        """Return the orbit that the mouse moves; a camera in a juggler's head leaves it.

        Such a camera then turns around a point close ahead of its eye, and not around the far
        target.
        """
        if not self._in_eyes:
            return self._orbit
        self._in_eyes = False
        # The new target is in the direction of the old one, at `_HEAD_EXIT_DISTANCE`.
        eye = np.array(self.camera.eye)
        to_target = np.array(self._orbit.target) - eye
        x, y, z = (eye + _HEAD_EXIT_DISTANCE / self._orbit.distance * to_target).tolist()
        return replace(self._orbit, target=(x, y, z), distance=_HEAD_EXIT_DISTANCE)

    def _goal_orbit(
        self, animation: Animation, goal_camera: Camera, place: JugglerPlace | None
    ) -> Orbit:
        """Return the orbit (target, distance and angles) that the camera approaches.

        Args:
            animation: the animation with the field of view and the projection.
            goal_camera: the camera that frames the pattern, or that is in a juggler's eyes; not
                read if the user has moved the camera.
            place: present place of the followed juggler; None for all jugglers.
        """
        field_of_view = math.radians(animation.parameters.field_of_view)
        if self.is_manual:
            # Move along with the followed juggler.
            moved_orbit = self._orbit
            if place and self._last_place:
                dx, dy, dz = place.moved_since(self._last_place)
                x, y, z = self._orbit.target
                moved_orbit = replace(self._orbit, target=(x + dx, y + dy, z + dz))
            orthographic = animation.parameters.projection == "orthographic"
            return moved_orbit.widened(field_of_view).above_floor(orthographic=orthographic)
        # Eyes have their own field of view. A camera that frames a part of the window has that of
        # the part, which is replaced by that of the whole window.
        if self.view == EYE_VIEW:
            return Orbit.from_camera(goal_camera)
        return replace(Orbit.from_camera(goal_camera), field_of_view=field_of_view)

    def _eye_camera(self, animation: Animation, layout: Layout, time: float) -> Camera:
        """Return the camera in the eyes of the followed juggler, or of the first.

        Args:
            animation: the animation with the juggler.
            layout: layout of the window, whose free part shows what the eyes see.
            time: time of the picture, [s].
        """
        (eyes,) = animation.eyes(np.array([time]), self.following or 0)
        share = layout.free.height / layout.height
        return eyes if share == 1.0 else in_part(eyes, *layout.shift, share)

    def _point_at(self, right: float, up: float) -> Vector:
        """Return the point of the world at a position in the picture: x, y and z, [m].

        The point is in the plane through the target parallel to the picture, or on the floor if
        that is nearer.

        Args:
            right, up: position from the middle of the picture, in half heights of the picture.
        """
        # The point in the plane, relative to the target, whose position in the picture is the
        # shift.
        half_height = self._orbit.distance * math.tan(self._orbit.field_of_view / 2)  # m
        shift_right, shift_up = self._shift
        across = self._unmirrored(right - shift_right)
        above = up - shift_up
        point = self._orbit.point_in_view(across * half_height, above * half_height)

        # The line of sight starts at the eye, or, in an orthographic picture, as far before the
        # point as the eye is before the target.
        camera = self.camera
        start = np.array(camera.eye)
        if camera.orthographic:
            start = np.array(point) + camera.eye - camera.target
        # If the point is below the floor, y = 0, the line meets the floor in front of it.
        start_height = start[1]
        point_height = point[1]
        if point_height < 0 < start_height:
            share = start_height / (start_height - point_height)
            point = tuple(start + share * (point - start))
        return point

    def _unmirrored(self, across: float) -> float:
        return -across if self.camera.mirrored else across

    def _framing_camera(
        self, animation: Animation, layout: Layout, place: JugglerPlace | None
    ) -> Camera:
        """Return the camera that frames the pattern in the part of the window that no card covers.

        The last result is cached, as to frame takes longer than to draw a picture.

        Args:
            animation: to be framed.
            layout: layout of the window.
            place: place of the juggler who is framed alone; None for all.
        """
        key = layout, self.view, place
        # Animations are compared by identity, which is quick.
        if self._framed_animation is not animation or self._framed_key != key:
            free = FreeView.from_layout(animation, layout)
            self._framed_camera = _framed_camera(animation, self.view, place, free)
            self._framed_animation = animation
            self._framed_key = key
        return self._framed_camera


@dataclass(frozen=True)
class FreeView:
    """What no card covers of a window's picture.

    Args:
        aspect: its width over its height; of one eye, in stereo.
        field_of_view: vertical, [rad].
        aside: its middle from that of the window, as the camera sees right and up, in half heights
            of it.
    """

    aspect: float
    field_of_view: float
    aside: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def from_layout(cls, animation: Animation, layout: Layout) -> FreeView:
        """Return the part of a window that no card covers, as a picture of its own.

        Args:
            animation: gives the field of view of the whole window, and whether it is mirrored or in
                stereo.
            layout: places in the window, [pixels].
        """
        free = layout.free
        # The tangents of half angles are in proportion to heights.
        field_of_view = math.radians(animation.parameters.field_of_view)
        if free.height != layout.height:
            half_tangent = math.tan(field_of_view / 2) * free.height / layout.height
            field_of_view = 2 * math.atan(half_tangent)
        # The shift is in half heights of the window.
        right, up = (shift * layout.height / free.height for shift in layout.shift)
        aspect = aspect_per_eye(animation.parameters.stereo, free.width / free.height)
        return cls(aspect, field_of_view, (-right if _is_mirrored(animation) else right, up))

    def frame(
        self,
        animation: Animation,
        azimuth: float,
        elevation: float | None,
    ) -> Camera:
        """Return the camera that shows all that moves in a pattern in this part of the window.

        Args:
            animation: to be framed.
            azimuth: azimuth of the camera around the jugglers, 0 in front, positive toward their
                left, [rad].
            elevation: elevation of the camera above the horizon, [rad]; None for one that suits the
                number of jugglers.
        """
        return animation.camera(
            self.aspect,
            azimuth,
            elevation,
            field_of_view=self.field_of_view,
            aside=self.aside,
        )


def _framed_camera(
    animation: Animation,
    view: str,
    place: JugglerPlace | None,
    free: FreeView,
) -> Camera:
    """Return the camera of a preset that frames one juggler, or all of them.

    A preset has two angles from which it looks. To frame means to choose target and distance so
    that all that moves is in the free part of the picture.

    Args:
        animation: the animation with the jugglers.
        view: one of `CAMERA_PRESETS`.
        place: place of the juggler to frame; None for all.
        free: the part of the picture that no card covers.
    """
    # In degrees. None leaves an angle to the default: for all jugglers, `frame` chooses an
    # elevation that suits their number.
    preset_azimuth, preset_elevation = CAMERA_PRESETS[view]
    azimuth = AZIMUTH if preset_azimuth is None else math.radians(preset_azimuth)
    elevation = None if preset_elevation is None else math.radians(preset_elevation)
    if place is None:
        return free.frame(animation, azimuth, elevation)
    if elevation is None:
        elevation = ELEVATION
    return frame_juggler(animation, place, free, azimuth, elevation)


def _is_mirrored(animation: Animation) -> bool:
    return animation.parameters.mirror == "on"


@dataclass(frozen=True)
class JugglerPlace:
    """Where a juggler stands.

    Args:
        floor: the point under their feet, at the height of the floor, [m].
        facing: turn about +y, 0 faces +z, [rad].
    """

    floor: Vector
    facing: float

    def moved_since(self, before: JugglerPlace) -> Vector:
        """Displacement from an earlier place, [m]."""
        x, y, z = (now - then for now, then in zip(self.floor, before.floor, strict=True))
        return x, y, z


def within_jugglers(following: int | None, jugglers: int) -> int | None:
    """Return the juggler to follow, counted from 0; None for all, if there are not so many."""
    return following if following is not None and following < jugglers else None


def juggler_place(animation: Animation, juggler: int, time: float) -> JugglerPlace:
    """Return the place of a juggler, counted from 0, at a time, [s]."""
    x, _, z, facing = animation.motion.bodies.places(np.array([time]))[0, juggler].tolist()
    return JugglerPlace((x, 0.0, z), facing)


def frame_juggler(
    animation: Animation,
    place: JugglerPlace,
    free: FreeView,
    azimuth: float,
    elevation: float,
) -> Camera:
    """Return the nearest camera that frames one juggler, and all throws above them.

    With the framing "people", throws that are too high for `headroom_of` leave the picture.

    Args:
        animation: the animation with the juggler.
        place: where the juggler stands.
        free: the part of the picture that no card covers.
        azimuth: relative to the juggler, 0 in front of them, [rad].
        elevation: elevation of the camera above the horizon, [rad].
    """
    # The height, [m], of the highest point of all flights, or of the head.
    apex_heights = animation.motion.flight_paths.parabolas.apexes()[:, 1]
    height = apex_heights.max(initial=_HEAD_HEIGHT)
    if animation.parameters.framing == "people":
        height = _HEAD_HEIGHT + headroom_of(height - _HEAD_HEIGHT)
    # The corners of a unit box and of the same one rotated by 90°, scaled to the juggler, who then
    # fits in whichever way they face.
    box_size = (_JUGGLER_HALF_WIDTH, height, _JUGGLER_HALF_WIDTH)
    points = _BOX_CORNERS * box_size + place.floor
    framing = Framing(
        free.aspect,
        azimuth + place.facing,
        elevation,
        field_of_view=free.field_of_view,
        orthographic=animation.parameters.projection == "orthographic",
        aside=free.aside,
    )
    camera = frame_above_floor(points, _JUGGLER_MARGIN, framing)
    return replace(camera, mirrored=_is_mirrored(animation))


_DEFAULT_SECONDS = 2.0  # s, from a view to the next
_SECONDS_STEP = 0.5  # s, by which a key changes that
_MIN_SECONDS = 0.5  # s; shorter, the camera would jump
_MAX_SECONDS = 60.0  # s
_MAX_ELEVATION = 85.0  # degrees above the horizon from which exports look
_HAND_TURN_TOLERANCE = 1e-6  # radians; a camera that differs by more was turned by a hand
_PATH_SAMPLES = 25  # places on the way from which everything is seen
_MAX_AZIMUTH = 720.0  # most degrees to either side that paths may turn around


@dataclass(frozen=True)
class CameraKey:
    """A view of a camera path.

    Args:
        azimuth, elevation: from where it looks, [°].
        seconds: that the camera takes from the view before; of no meaning for the first.
    """

    azimuth: float
    elevation: float
    seconds: float = _DEFAULT_SECONDS

    @property
    def text(self) -> str:
        """As exports take it."""
        return f"{self.azimuth:.1f},{self.elevation:.1f}"


class CameraKeys:
    """The views of a camera path, of which one is chosen.

    Args:
        rig: gives the camera of the window, which shows views and previews.
        cards: cards of the window, of which one shows the views.
    """

    def __init__(self, rig: Callable[[], CameraRig], cards: OpenCards) -> None:
        self._rig = rig
        self._cards = cards
        self.keys: list[CameraKey] = []
        self.chosen = 0
        """The number of the chosen view, from 0."""
        self.scroll_to_chosen = False
        """Whether its card scrolls there when it is next drawn."""
        self._preview_time: float | None = None
        self._shown_azimuth = 0.0  # from which it has made the camera look, [rad]

    @property
    def times(self) -> list[float]:
        """When the camera reaches each view, [s] of the film."""
        return (
            list(accumulate((key.seconds for key in self.keys[1:]), initial=0.0))
            if self.keys
            else []
        )

    @property
    def is_path(self) -> bool:
        """Whether there are enough views for a camera to move."""
        return len(self.keys) > 1

    @property
    def text(self) -> str:
        """The path as exports take it, `0.0,8.0@0 90.0,8.0@2`."""
        return " ".join(
            f"{key.text}@{time:g}" for key, time in zip(self.keys, self.times, strict=True)
        )

    @property
    def preview_time(self) -> float | None:
        """The time of the preview, [s]; None while there is none."""
        return self._preview_time

    @property
    def card_actions(self) -> Handlers:
        """What each action does while the card of the camera path takes the keys.

        The path is a list of views. Actions choose the one before or after, change how long the
        camera takes to it, add or remove one, show it, or close the card.
        """
        return {
            Action.CHOOSE_PREVIOUS: lambda: self.choose(self.chosen - 1),
            Action.CHOOSE_NEXT: lambda: self.choose(self.chosen + 1),
            Action.TURN_DOWN: lambda: self.lengthen(-1),
            Action.TURN_UP: lambda: self.lengthen(1),
            Action.ADD_POINT: self.add,
            Action.REMOVE_POINT: self.remove,
            Action.TYPE_VALUE: self.preview,
            Action.BACK: self.toggle,
        }

    def restore(self, keys: Iterable[CameraKey]) -> None:
        """Replace the views of the path by others, such as those of an earlier window.

        Angles and times are clamped to those that a path can have, and views beyond the greatest
        number are dropped.

        Args:
            keys: the views: two angles, [°], and a time, [s], each.
        """
        bounded = (
            CameraKey(
                _clamped_angle(key.azimuth, _MAX_AZIMUTH),
                _clamped_angle(key.elevation, _MAX_ELEVATION),
                _clamped_seconds(key.seconds),
            )
            for key in keys
        )
        self.keys = list(islice(bounded, _max_key_count()))
        self.chosen = 0
        self._preview_time = None

    def toggle(self) -> None:
        """Show the card, or hide it."""
        self._cards.toggle(CAMERA_PATH)
        self._preview_time = None

    def add(self) -> None:
        """Add the present view of the window to the camera path, after the chosen one; choose it.

        A camera path is a list of views, two angles and a time each, between which the camera of a
        film moves. If the path has as many views as it can have, nothing is added.
        """
        if len(self.keys) == _max_key_count():
            return
        self._preview_time = None
        orbit = self._rig().orbit
        # Angles of views are in [°]. A path may turn around several times, by `_MAX_AZIMUTH` to
        # either side, and look down from `_MAX_ELEVATION` at most.
        azimuth = math.degrees(orbit.azimuth)
        elevation = _clamped_angle(math.degrees(orbit.elevation), _MAX_ELEVATION)
        index = self.chosen + 1 if self.keys else 0
        if index:
            # The camera goes there by the shorter way: within half a turn from the view before,
            # unless that leaves the azimuths that a path can have.
            azimuth_before = self.keys[index - 1].azimuth
            turn = (azimuth - azimuth_before + 180.0) % 360.0 - 180.0
            azimuth = azimuth_before + turn
            if abs(azimuth) > _MAX_AZIMUTH:
                azimuth = math.remainder(azimuth, 360.0)
        self.keys.insert(index, CameraKey(round(azimuth, 1), round(elevation, 1)))
        self.chosen = index
        self.scroll_to_chosen = True

    def remove(self) -> None:
        """Remove the chosen view."""
        if self.keys:
            self._preview_time = None
            del self.keys[self.chosen]
            self.chosen = max(min(self.chosen, len(self.keys) - 1), 0)

    def lengthen(self, steps: int) -> None:
        """Lengthen the flight to the chosen view; none leads to the first view, the start.

        Args:
            steps: number of half seconds, negative to shorten.
        """
        if self.chosen and self.keys:
            self._preview_time = None
            key = self.keys[self.chosen]
            seconds = _clamped_seconds(key.seconds + steps * _SECONDS_STEP)
            self.keys[self.chosen] = replace(key, seconds=seconds)

    def choose(self, number: int) -> None:
        """Choose a view by its number, from 0, and look from there."""
        if self.keys:
            self._preview_time = None
            self.scroll_to_chosen = True
            self.chosen = min(max(number, 0), len(self.keys) - 1)
            key = self.keys[self.chosen]
            self._look_from(key.azimuth, key.elevation)

    def preview(self) -> None:
        """Move the camera of the window along the path, or stop that."""
        self._preview_time = 0.0 if self._preview_time is None and self.is_path else None
        if self._preview_time is not None:
            self._look_from(self.keys[0].azimuth, self.keys[0].elevation)

    def advance(self, elapsed: float) -> bool:
        """Advance a preview of the camera path, if there is one.

        In a preview the camera of the window moves as the camera of a film will, from view to view.

        Args:
            elapsed: time since the last call, [s].

        Returns:
            Whether the camera moves.
        """
        # A camera that does not look from where the preview has put it was turned by the user,
        # which ends the preview.
        if (
            self._preview_time is not None
            and abs(self._rig().orbit.azimuth - self._shown_azimuth) > _HAND_TURN_TOLERANCE
        ):
            self._preview_time = None
        if self._preview_time is None:
            return False
        end = self.times[-1]  # when the camera reaches the last view, [s]
        self._preview_time = min(self._preview_time + elapsed, end)
        angles = np.degrees(self._angles_at(np.array([self._preview_time])))
        ((azimuth, elevation),) = angles.tolist()
        self._look_from(azimuth, elevation)
        # At the end the last view is chosen.
        if self._preview_time == end:
            self._preview_time = None
            self.chosen = len(self.keys) - 1
        return True

    def _look_from(self, azimuth: float, elevation: float) -> None:
        """Make the camera of the window look from some angles, [°], at a distance for all views."""
        self._shown_azimuth = math.radians(azimuth)
        seen_from = self._angles_at(np.linspace(0.0, self.times[-1], _PATH_SAMPLES))
        self._rig().circle(seen_from, self._shown_azimuth, math.radians(elevation))

    def _angles_at(self, times: Floats) -> Floats:
        """Return from where the camera looks at some times, shape (N, 2), [rad]."""
        from juggle_anim.exporter.view import CameraPath  # rarely needed, as below

        path = CameraPath(
            tuple(self.times), tuple((key.azimuth, key.elevation) for key in self.keys)
        )
        return path.angles_between(times, (0.0, 0.0))


def _max_key_count() -> int:
    """Return how many views a camera path can have."""
    # Imported when needed, which is rarely, so that the program starts sooner.
    from juggle_anim.exporter.view import MAX_KEYS

    return MAX_KEYS


def _clamped_angle(degrees: float, most: float) -> float:
    return min(max(degrees, -most), most)


def _clamped_seconds(seconds: float) -> float:
    return min(max(seconds, _MIN_SECONDS), _MAX_SECONDS)
