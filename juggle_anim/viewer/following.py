"""Following: a camera that goes along with one juggler."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.scene import Camera, frame_points

Vector = tuple[float, float, float]

_WIDE, _HEAD = 0.75, 1.9  # how far elbows and hands reach, and how high a head may be, [m]
_MARGIN = 0.12  # around these, [m]
# Corners of a box around a juggler, and those of one that is turned by a quarter: they may face any way.
_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (0.0, 1.0) for z in (-0.7, 0.7)])
_BOX = np.concatenate([_CORNERS, _CORNERS[:, [2, 1, 0]]])


@dataclass(frozen=True)
class Place:
    """Where a juggler stands.

    Args:
        floor: the point under their feet, at the height of the floor, [m].
        facing: turn about +y, 0 faces +z, [rad].
    """

    floor: Vector
    facing: float

    def since(self, before: Place) -> Vector:
        """How far it moved, [m]."""
        x, y, z = (now - then for now, then in zip(self.floor, before.floor, strict=True))
        return x, y, z


@dataclass(frozen=True)
class Following:
    """Which juggler the camera goes along with.

    Args:
        juggler: counted from 0; None where it sees all of them.
    """

    juggler: int | None = None

    def next(self, jugglers: int) -> Following:
        """The next juggler, and after the last one nobody."""
        after = 0 if self.juggler is None else self.juggler + 1
        return Following(after if after < jugglers else None)

    def within(self, jugglers: int) -> Following:
        """The same where there are so many jugglers; nobody where that one is not there."""
        return self if self.juggler is not None and self.juggler < jugglers else Following()

    def place(self, animation: Animation, time: float) -> Place:
        """Where that juggler stands at a time, [s]."""
        assert self.juggler is not None
        x, _, z, facing = animation.motion.bodies.places(np.array([time]))[0, self.juggler]
        return Place((float(x), 0.0, float(z)), float(facing))


def frame_juggler(
    animation: Animation, place: Place, aspect: float, azimuth: float, elevation: float, field_of_view: float
) -> Camera:
    """The nearest camera that sees one juggler, and how high props fly.

    Args:
        animation: what is juggled.
        place: where the juggler stands.
        aspect, elevation, field_of_view: as for `juggle_anim.scene.frame_points`.
        azimuth: seen from the juggler, 0 before them, [rad].
    """
    highest = animation.motion.flying.apexes()[:, 1].max(initial=_HEAD)
    points = _BOX * (_WIDE, highest, _WIDE) + place.floor
    flat = animation.parameters.projection == "orthographic"
    camera = frame_points(points, _MARGIN, aspect, azimuth + place.facing, elevation, field_of_view, flat)
    return replace(camera, mirrored=animation.parameters.mirror == "on")
