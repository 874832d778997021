"""Framing: where the camera must stand to see everything."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.scene.camera import Camera

MARGIN = 0.06
"""Share of the picture's width and height that stays free at each edge."""

_NEAREST, _NEARBY = 0.05, 20.0  # metres


def frame_points(
    points: Floats,
    radius: float,
    aspect: float,
    azimuth: float,
    elevation: float,
    field_of_view: float,
    orthographic: bool = False,
) -> Camera:
    """The nearest camera that sees all of some balls, looking in a given direction.

    In the camera's axes (x right, y up, z back) with half-angles whose tangents are tx and ty, a point is inside when
    |x − cx| ≤ (cz − z)·tx, and likewise for y. So cz is at least half of max(x + z·tx) + max(−x + z·tx) over tx, and cx
    is half of their difference. An orthographic camera stands there too, or farther back where it does not see all.

    Args:
        points: shape (N, 3), centres, [m].
        radius: of all balls, above 0, [m].
        aspect: width of the picture over its height.
        azimuth: the camera's place around +y, 0 in front (at +z), positive toward +x, [rad].
        elevation: its angle above the horizon, [rad].
        field_of_view: vertical, [rad].
        orthographic: whether what is farther looks no smaller.
    """
    back = np.array([np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)])
    right = np.array([np.cos(azimuth), 0.0, -np.sin(azimuth)])
    up = np.cross(back, right)
    x, y, z = points @ right, points @ up, points @ back
    tangent = np.tan(field_of_view / 2) * (1 - 2 * MARGIN)
    cx, from_x = _fit(x, z, radius, tangent * aspect)
    cy, from_y = _fit(y, z, radius, tangent)
    cz = max(from_x, from_y)
    middle = (z.max() + z.min()) / 2
    if orthographic:
        half = radius + max(np.abs(y - cy).max(), (np.abs(x - cx).max() + radius) / aspect - radius)
        cz = max(cz, middle + half / tangent)
    eye = cx * right + cy * up + cz * back
    target = eye + (middle - cz) * back
    far = max(60.0, 4 * (cz - z.min()))
    # From far away, little of the depth that can be told apart is to be lost on what is near.
    near = max(_NEAREST, 0.5 * (cz - z.max()) - _NEARBY)
    return Camera(_point(eye), _point(target), field_of_view, float(near), float(far), orthographic=orthographic)


def _fit(across: Floats, depth: Floats, radius: float, tangent: float) -> tuple[float, float]:
    """Where the camera stands across, and how far back it must stand at least."""
    # A ball touches the edge of the view at a slant, so it needs more than its radius.
    room = radius * np.sqrt(1 + tangent**2)
    high = float((across + depth * tangent).max() + room)
    low = float((-across + depth * tangent).max() + room)
    return (high - low) / 2, (high + low) / (2 * tangent)


def _point(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
