"""Orbit: a camera described by what it looks at, so that a mouse can turn, move and zoom it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from juggle_anim.scene import Camera

Vector = tuple[float, float, float]

LOWEST, HIGHEST = math.radians(-4.0), math.radians(88.0)
"""Elevations between which a camera stays: not far under the floor, not straight above, [rad]."""

NEAREST, FARTHEST = 0.5, 150.0
"""Distances between which it stays, [m]."""

_NEAR, _NEARBY, _FAR = 0.05, 60.0, 60.0
_STILL = 1e-3  # metres and radians below which a difference is not seen


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
        """The orbit that a camera stands on."""
        x, y, z = (eye - target for eye, target in zip(camera.eye, camera.target, strict=True))
        distance = math.hypot(x, y, z)
        return cls(camera.target, distance, math.atan2(x, z), math.asin(y / distance), camera.field_of_view)

    def turned(self, across: float, down: float) -> Orbit:
        """Turned as by a hand that drags the picture, in heights of the window."""
        # Who looks up through a juggler's eyes is lower than a hand can go.
        lowest = min(LOWEST, self.elevation)
        elevation = min(max(self.elevation + down * math.pi, lowest), HIGHEST)
        return replace(self, azimuth=self.azimuth - across * math.pi, elevation=elevation)

    def moved(self, across: float, down: float) -> Orbit:
        """Moved sideways so that the target follows a hand, in heights of the window."""
        height = 2 * self.distance * math.tan(self.field_of_view / 2)
        return replace(self, target=self._beside(self.target, -across * height, down * height))

    def zoomed(self, clicks: float) -> Orbit:
        """Nearer by some clicks of a mouse wheel, farther where negative."""
        distance = min(max(self.distance * 0.9**clicks, NEAREST), max(FARTHEST, self.distance))
        return replace(self, distance=distance)

    def widened(self, field_of_view: float) -> Orbit:
        """With another angle of view [rad], from where what it looks at stays as large."""
        nearer = math.tan(self.field_of_view / 2) / math.tan(field_of_view / 2)
        return replace(self, distance=self.distance * nearer, field_of_view=field_of_view)

    def camera(
        self, shift: tuple[float, float] = (0.0, 0.0), mirrored: bool = False, orthographic: bool = False
    ) -> Camera:
        """The camera; its target is seen off the middle by `shift`, right and up, in half heights of the window."""
        half = self.distance * math.tan(self.field_of_view / 2)
        right = shift[0] if mirrored else -shift[0]
        target = self._beside(self.target, right * half, -shift[1] * half)
        x, y, z = (self.distance * part for part in self._back())
        eye = target[0] + x, target[1] + y, target[2] + z
        # From far away, little of the depth that can be told apart is to be lost on what is near.
        near = max(_NEAR, self.distance - _NEARBY)
        far = max(_FAR, 4 * self.distance)
        return Camera(eye, target, self.field_of_view, near, far, mirrored, orthographic)

    def toward(self, goal: Orbit, share: float) -> Orbit:
        """Some share of the way to another orbit, the short way around."""
        turn = math.remainder(goal.azimuth - self.azimuth, math.tau)
        x, y, z = (a + share * (b - a) for a, b in zip(self.target, goal.target, strict=True))
        return Orbit(
            (x, y, z),
            self.distance * (goal.distance / self.distance) ** share,
            self.azimuth + share * turn,
            self.elevation + share * (goal.elevation - self.elevation),
            self.field_of_view * (goal.field_of_view / self.field_of_view) ** share,
        )

    def close_to(self, other: Orbit) -> bool:
        """Whether nobody could see a difference."""
        turn = math.remainder(other.azimuth - self.azimuth, math.tau)
        apart = math.dist(self.target, other.target), self.distance - other.distance, self.elevation - other.elevation
        wider = self.field_of_view - other.field_of_view
        return max(abs(turn), abs(wider), *map(abs, apart)) < _STILL

    def _back(self) -> Vector:
        level = math.cos(self.elevation)
        return math.sin(self.azimuth) * level, math.sin(self.elevation), math.cos(self.azimuth) * level

    def _beside(self, point: Vector, right: float, up: float) -> Vector:
        sin, cos = math.sin(self.azimuth), math.cos(self.azimuth)
        tilt, level = math.sin(self.elevation), math.cos(self.elevation)
        return (
            point[0] + right * cos - up * tilt * sin,
            point[1] + up * level,
            point[2] - right * sin - up * tilt * cos,
        )
