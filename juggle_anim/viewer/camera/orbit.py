"""An orbit camera that a mouse can rotate, pan and zoom, and that glides on once it is let go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    def of(cls, camera: Camera) -> Orbit:
        """Return the orbit that a camera stands on."""
        x, y, z = (eye - target for eye, target in zip(camera.eye, camera.target, strict=True))
        distance = math.hypot(x, y, z)
        return cls(
            camera.target, distance, math.atan2(x, z), math.asin(y / distance), camera.field_of_view
        )

    def rotated(self, across: float, down: float) -> Orbit:
        """Rotated by a drag of the mouse, in heights of the window.

        At the floor the camera goes no lower.
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
        return replace(self, target=self.beside(-across * height, down * height))._lifted()

    def zoomed(self, clicks: float, about: Vector | None = None) -> Orbit:
        """Nearer by some clicks of a mouse wheel, farther where negative.

        Args:
            clicks: may be parts of one, as of a trackpad.
            about: the point that stays where it is in the picture, [m]; by default the target.
        """
        distance = min(
            max(self.distance * 0.9**clicks, MIN_DISTANCE), max(MAX_DISTANCE, self.distance)
        )
        share = distance / self.distance
        centre = about or self.target
        x, y, z = (
            middle + share * (at - middle) for at, middle in zip(self.target, centre, strict=True)
        )
        return replace(self, target=(x, y, z), distance=distance).above_floor()

    def above_floor(self, flat: bool = False) -> Orbit:
        """Return the orbit raised, and lifted if needed, until the eye is above the floor.

        Args:
            flat: whether lines of sight are parallel; they must not rise then.
        """
        sine = min(max((LOWEST - self.target[1]) / self.distance, -1.0), 1.0)
        lowest = max(math.asin(sine), 0.0) if flat else math.asin(sine)
        return replace(self, elevation=max(self.elevation, min(lowest, MAX_ELEVATION)))._lifted()

    def _lifted(self) -> Orbit:
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
        mirrored: bool = False,
        orthographic: bool = False,
    ) -> Camera:
        """Return the camera.

        `shift` moves the target off the middle, right and up, in half heights of the window.
        """
        half = self.distance * math.tan(self.field_of_view / 2)
        right = shift[0] if mirrored else -shift[0]
        moved = replace(self, target=self.beside(right * half, -shift[1] * half))._lifted()
        target = moved.target
        x, y, z = (self.distance * part for part in self._direction())
        eye = target[0] + x, target[1] + y, target[2] + z
        # A far camera keeps the precision of its depth buffer for the scene.
        near = max(_NEAR, self.distance - _NEARBY)
        far = max(_FAR, 4 * self.distance)
        return Camera(eye, target, self.field_of_view, near, far, mirrored, orthographic)

    def toward(self, goal: Orbit, share: float) -> Orbit:
        """Interpolate to another orbit by a share, with the shorter rotation."""
        turn = math.remainder(goal.azimuth - self.azimuth, math.tau)
        x, y, z = (a + share * (b - a) for a, b in zip(self.target, goal.target, strict=True))
        return Orbit(
            (x, y, z),
            self.distance * (goal.distance / self.distance) ** share,
            self.azimuth + share * turn,
            self.elevation + share * (goal.elevation - self.elevation),
            self.field_of_view * (goal.field_of_view / self.field_of_view) ** share,
        )

    def close_to(self, other: Orbit, tolerance: float = _TOLERANCE) -> bool:
        """Return whether the difference is less than a tolerance, [m] and [rad].

        By default too small to see.
        """
        turn = math.remainder(other.azimuth - self.azimuth, math.tau)
        apart = (
            math.dist(self.target, other.target),
            self.distance - other.distance,
            self.elevation - other.elevation,
        )
        wider = self.field_of_view - other.field_of_view
        return max(abs(turn), abs(wider), *map(abs, apart)) < tolerance

    def _direction(self) -> Vector:
        level = math.cos(self.elevation)
        return (
            math.sin(self.azimuth) * level,
            math.sin(self.elevation),
            math.cos(self.azimuth) * level,
        )

    def beside(self, right: float, up: float) -> Vector:
        """Return the point right of and above the target as the camera sees it, [m]."""
        # target + right · (cos a, 0, −sin a) + up · (−sin e sin a, cos e, −sin e cos a)
        point = self.target
        sin = math.sin(self.azimuth)
        cos = math.cos(self.azimuth)
        tilt = math.sin(self.elevation)
        level = math.cos(self.elevation)
        return (
            point[0] + right * cos - up * tilt * sin,
            point[1] + up * level,
            point[2] - right * sin - up * tilt * cos,
        )


def on_one_scale(orbits: Sequence[Orbit], share: float = 1.0) -> list[Orbit]:
    """Move cameras back until things are equally large, and to the same floor level.

    Args:
        orbits: each frames something in the middle of its picture.
        share: of the height of a picture that what it frames has.

    Returns:
        The orbits in the same order; each still sees what it framed.
    """
    halves = [orbit.distance * math.tan(orbit.field_of_view / 2) for orbit in orbits]
    middles = [orbit.target[1] for orbit in orbits]
    largest = max(halves)
    if all(abs(orbit.elevation) < _MAX_LEVEL_ELEVATION for orbit in orbits):
        low = min(middle - share * half for middle, half in zip(middles, halves, strict=True))
        high = max(middle + share * half for middle, half in zip(middles, halves, strict=True))
        middles = [(low + high) / 2] * len(orbits)
        largest = max(largest, (high - low) / 2 / share)
    return [
        replace(
            orbit,
            target=(orbit.target[0], middle, orbit.target[2]),
            distance=largest / math.tan(orbit.field_of_view / 2),
        )
        for orbit, middle in zip(orbits, middles, strict=True)
    ]


class Glide:
    """How a camera goes on turning when it is let go while it turns, until it comes to rest."""

    def __init__(self) -> None:
        self.is_moving = False
        """Whether it goes on by itself."""
        self._moved = _NO_TURN
        self._speed = _NO_TURN
        self._rested = math.inf
        self._held = False

    def drag(self, across: float, down: float) -> None:
        """The hand turns the camera, in heights of the window."""
        self.is_moving = False
        self._held = True
        self._moved = self._moved[0] + across, self._moved[1] + down

    def let_go(self) -> None:
        """The hand lets go: what it turned last goes on, unless it rested."""
        # How quick it was is known only after the frame in which it was let go.
        self.is_moving = self._held

    def stop(self) -> None:
        """Come to rest at once."""
        self.is_moving = False
        self._held = False
        self._moved = _NO_TURN
        self._speed = _NO_TURN
        self._rested = math.inf

    def advance(self, elapsed: float) -> Turn:
        """Let time pass, [s], and return how far the camera turns by itself meanwhile."""
        if elapsed <= 0:
            return _NO_TURN
        if self._held:
            self._follow(elapsed)
            self._held = not self.is_moving
            self.is_moving = (
                self.is_moving
                and self._rested < _GLIDE_SAMPLE_TIME
                and math.hypot(*self._speed) > _MIN_GLIDE_SPEED
            )
            return _NO_TURN
        if not self.is_moving:
            return _NO_TURN
        share = math.exp(-_GLIDE_DECAY_RATE * elapsed)
        along = (1 - share) / _GLIDE_DECAY_RATE
        turn = self._speed[0] * along, self._speed[1] * along
        self._speed = self._speed[0] * share, self._speed[1] * share
        self.is_moving = math.hypot(*self._speed) > _MIN_GLIDE_SPEED
        return turn

    def _follow(self, elapsed: float) -> None:
        """Learn from what the hand has turned meanwhile how quick it is."""
        fresh = 1.0 - math.exp(-elapsed / _GLIDE_SAMPLE_TIME)
        self._rested = 0.0 if self._moved != _NO_TURN else self._rested + elapsed
        across, down = (
            speed + fresh * (moved / elapsed - speed)
            for speed, moved in zip(self._speed, self._moved, strict=True)
        )
        self._speed = (across, down)
        self._moved = _NO_TURN
