"""An orbit camera that a mouse can rotate, pan and zoom, and that glides on once it is let go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera
from juggle_anim.scene.camera import LOWEST

Vector = tuple[float, float, float]

MIN_ELEVATION = math.radians(-60.0)
MAX_ELEVATION = math.radians(88.0)
"""Range of elevations: neither straight below nor straight above, [rad]; the floor mostly allows
less.
"""

MIN_DISTANCE = 0.5
MAX_DISTANCE = 150.0
"""Range of distances, [m]."""

_NEAR = 0.05
_NEARBY = 60.0
_FAR = 60.0
_MAX_LEVEL_ELEVATION = math.radians(
    45.0
)  # a camera that looks down more steeply sees no heights to compare
_TOLERANCE = 1e-3  # metres and radians; a smaller difference is invisible

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
        distance: from it, [m].
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
        """Return the orbit rotated by a drag of the mouse; at the floor it goes no lower.

        Args:
            across, down: of the drag, in heights of the window, each of which is half a turn.
        """
        # A camera at a juggler's eyes that looks up is lower than the mouse can go.
        lowest = min(MIN_ELEVATION, self.elevation)
        elevation = min(max(self.elevation + down * math.pi, lowest), MAX_ELEVATION)
        return replace(
            self, azimuth=self.azimuth - across * math.pi, elevation=elevation
        ).above_floor()

    def panned(self, across: float, down: float) -> Orbit:
        """Return the orbit panned by heights of the window; the eye stays above the floor."""
        height = 2 * self.distance * math.tan(self.field_of_view / 2)
        return replace(
            self, target=self.beside(-across * height, down * height)
        )._lifted_above_floor()

    def zoomed(self, clicks: float, about: Vector | None = None) -> Orbit:
        """Return the orbit nearer by some clicks of a mouse wheel, or farther.

        Args:
            clicks: negative for farther; may be fractions of one, as of a trackpad.
            about: the point that stays where it is in the picture, [m]; by default the target.
        """
        # A camera that is farther away than the limit may stay there, but goes no farther.
        distance = min(
            max(self.distance * 0.9**clicks, MIN_DISTANCE), max(MAX_DISTANCE, self.distance)
        )
        # The target comes nearer to the fixed point in proportion to the distance.
        share = distance / self.distance
        fixed_point = about or self.target
        x, y, z = (
            fixed + share * (old - fixed)
            for old, fixed in zip(self.target, fixed_point, strict=True)
        )
        return replace(self, target=(x, y, z), distance=distance).above_floor()

    def above_floor(self, *, orthographic: bool = False) -> Orbit:
        """Return the orbit raised, and lifted if needed, until the eye is above the floor.

        Args:
            orthographic: whether lines of sight are parallel; they must not rise then.
        """
        # The elevation at which the eye is at its least height.
        sine = min(max((LOWEST - self.target[1]) / self.distance, -1.0), 1.0)
        lowest = max(math.asin(sine), 0.0) if orthographic else math.asin(sine)
        return replace(
            self, elevation=max(self.elevation, min(lowest, MAX_ELEVATION))
        )._lifted_above_floor()

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
            shift: place of the orbit's target in the picture, right of and above its middle, in
                half heights of the window.
            mirrored: whether left and right are exchanged in the picture.
            orthographic: whether lines of sight are parallel.
        """
        # The camera moves the other way, parallel to the picture, with its own target.
        half_height = self.distance * math.tan(self.field_of_view / 2)
        right = shift[0] if mirrored else -shift[0]
        moved = replace(
            self, target=self.beside(right * half_height, -shift[1] * half_height)
        )._lifted_above_floor()
        target = moved.target
        x, y, z = (self.distance * component for component in self._eye_direction())
        eye = target[0] + x, target[1] + y, target[2] + z
        # A far camera keeps the precision of its depth buffer for the scene.
        near = max(_NEAR, self.distance - _NEARBY)
        far = max(_FAR, 4 * self.distance)
        return Camera(
            eye,
            target,
            self.field_of_view,
            near=near,
            far=far,
            mirrored=mirrored,
            orthographic=orthographic,
        )

    def toward(self, goal: Orbit, share: float) -> Orbit:
        """Interpolate to another orbit, with the shorter rotation.

        Distance and field of view change in equal ratios, so that zooming looks even.

        Args:
            goal: the other orbit.
            share: 0 for this one, 1 for the goal.
        """
        turn = math.remainder(goal.azimuth - self.azimuth, math.tau)
        x, y, z = (a + share * (b - a) for a, b in zip(self.target, goal.target, strict=True))
        return Orbit(
            target=(x, y, z),
            distance=self.distance * (goal.distance / self.distance) ** share,
            azimuth=self.azimuth + share * turn,
            elevation=self.elevation + share * (goal.elevation - self.elevation),
            field_of_view=self.field_of_view * (goal.field_of_view / self.field_of_view) ** share,
        )

    def close_to(self, other: Orbit, tolerance: float = _TOLERANCE) -> bool:
        """Whether another orbit is the same up to a tolerance.

        Args:
            other: the other orbit.
            tolerance: for each of place, distance and angles, [m] and [rad]; by default too small
                to see.
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
        """The unit vector from the target to the eye."""
        horizontal = math.cos(self.elevation)
        return (
            math.sin(self.azimuth) * horizontal,
            math.sin(self.elevation),
            math.cos(self.azimuth) * horizontal,
        )

    def beside(self, right: float, up: float) -> Vector:
        """Return the point right of and above the target as the camera sees it, in the world, [m].

        With azimuth a and elevation e of the camera, that is
        target + right · (cos a, 0, −sin a) + up · (−sin e sin a, cos e, −sin e cos a).

        Args:
            right, up: distances from the target, [m].
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
    """Move cameras back until pictures side by side have one scale, and the floor at one height.

    Args:
        orbits: of cameras, each of which frames something in the middle of its picture.
        share: of the height of each picture that is filled by what it frames, 0 to 1.

    Returns:
        The orbits in the same order; each still sees what it framed.
    """
    # Half the height that each picture shows at its target, and the height of that, [m].
    half_heights = [orbit.distance * math.tan(orbit.field_of_view / 2) for orbit in orbits]
    middles = [orbit.target[1] for orbit in orbits]
    common_half_height = max(half_heights)

    # Seen about level, all get the same middle and show all heights that one of them shows.
    if all(abs(orbit.elevation) < _MAX_LEVEL_ELEVATION for orbit in orbits):
        pictures = list(zip(middles, half_heights, strict=True))
        low = min(middle - share * half_height for middle, half_height in pictures)
        high = max(middle + share * half_height for middle, half_height in pictures)
        middles = [(low + high) / 2] * len(orbits)
        common_half_height = max(common_half_height, (high - low) / 2 / share)

    return [
        replace(
            orbit,
            target=(orbit.target[0], middle, orbit.target[2]),
            distance=common_half_height / math.tan(orbit.field_of_view / 2),
        )
        for orbit, middle in zip(orbits, middles, strict=True)
    ]


class Glide:
    """How a camera goes on turning when it is let go while it turns, until it comes to rest."""

    def __init__(self) -> None:
        self.is_moving = False
        """Whether it goes on by itself."""
        self._moved = _NO_TURN  # by the hand, since the last call of `advance`
        self._speed = _NO_TURN  # smoothed, a second
        self._rest_time = math.inf  # s, for which the hand has not moved
        self._is_held = False

    def drag(self, across: float, down: float) -> None:
        """The hand turns the camera, in heights of the window."""
        self.is_moving = False
        self._is_held = True
        self._moved = self._moved[0] + across, self._moved[1] + down

    def let_go(self) -> None:
        """The hand lets go: what it turned last goes on, unless it rested."""
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
        """Let time pass, and return how far the camera turns by itself meanwhile.

        Args:
            elapsed: since the last call, [s].

        Returns:
            Right and down, in heights of the window; none while a hand turns the camera.
        """
        if elapsed <= 0:
            return _NO_TURN
        # A hand turns the camera, or has let it go in this frame, after which it glides on if it
        # was quick and had not rested.
        if self._is_held:
            self._measure_speed(elapsed)
            self._is_held = not self.is_moving
            self.is_moving = (
                self.is_moving
                and self._rest_time < _GLIDE_SAMPLE_TIME
                and math.hypot(*self._speed) > _MIN_GLIDE_SPEED
            )
            return _NO_TURN
        if not self.is_moving:
            return _NO_TURN
        # The speed decays as v exp(−k t), so the way is v (1 − exp(−k t)) / k.
        remaining_share = math.exp(-_GLIDE_DECAY_RATE * elapsed)
        mean_time = (1 - remaining_share) / _GLIDE_DECAY_RATE
        speed_across, speed_down = self._speed
        self._speed = speed_across * remaining_share, speed_down * remaining_share
        self.is_moving = math.hypot(*self._speed) > _MIN_GLIDE_SPEED
        return speed_across * mean_time, speed_down * mean_time

    def _measure_speed(self, elapsed: float) -> None:
        """Update the mean speed of the hand from how far it has turned since the last call.

        Args:
            elapsed: since the last call, [s].
        """
        # An exponential moving average: the weight of what is new grows with the elapsed time.
        new_weight = 1.0 - math.exp(-elapsed / _GLIDE_SAMPLE_TIME)
        self._rest_time = 0.0 if self._moved != _NO_TURN else self._rest_time + elapsed
        across, down = (
            speed + new_weight * (moved / elapsed - speed)
            for speed, moved in zip(self._speed, self._moved, strict=True)
        )
        self._speed = (across, down)
        self._moved = _NO_TURN
