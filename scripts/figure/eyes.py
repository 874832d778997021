"""Eyeballs, which turn: caps of spheres, so that white, iris and pupil have the same rings of
corners.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from figure.head import EYEBALL, place
from figure.mesh import Mesh
from figure.surfaces import reflected
from figure.weights import only
from juggle_anim.arrays import Floats
from juggle_anim.scene.skin import COVERS, EYE

# For each cover how far it stands out, [m], and the radii of its rings of corners, as shares of the
# eyeball's. Far away, where an eye is two pixels wide, it is a dark dot in the shade of the lids.
_PUPIL = 0.23
_IRIS = 0.57
_CAPS = {
    "eyes": (0.0, (_PUPIL, _IRIS, 0.70, 0.85, 1.0)),
    "irises": (0.0002, (_PUPIL, _IRIS)),
    "pupils": (0.0004, (_PUPIL,)),
}
_FAR_DOT = 0.66
_FAR_CAPS = {"lips": (0.0, (_FAR_DOT, 0.90)), "pupils": (0.0002, (_FAR_DOT,))}
_BACK = 0.003
"""How far the edge of the white lies behind a ball, [m]."""

_DOT_CORNERS = 8
_DOT_PLACE = np.array([0.17, 0.20])
_DOT = 0.085
"""Place of the catch-light to the left of the middle of an eye and above it, and its radius, as
shares of the eyeball's.
"""

_DOT_OUT = 0.0005
"""How far it stands out of what is below it, [m]."""

_CORNEA = 0.0006
"""How far the middle of the iris stands out of the ball, [m]: a cornea is more curved than the
white, and in profile the iris is seen below it.
"""

_LAMP = np.array([0.55, 0.85, 0.70])
"""Toward the key light."""

LID_SHADE = 0.8
"""How far light on irises and pupils is as on what faces down, as a share of what faces ahead."""

_LEVELS = (24, _CAPS), (12, _CAPS), (6, _FAR_CAPS)
"""Corners of a ring, and caps, in each level of detail."""


def eyes() -> list[list[Mesh]]:
    """Both eyes in each level of detail."""
    made = [
        [each for cover, (out, rings) in caps.items() for each in _both(cover, out, rings, around)]
        for around, caps in _LEVELS
    ]
    made[0] += [_catch_light("left"), _catch_light("right")]
    return made


def _catch_light(side: str) -> Mesh:
    """The lamp as an eye reflects it: a white dot beside the pupil, on the same side in both."""
    angle = 2 * np.pi * np.arange(_DOT_CORNERS) / _DOT_CORNERS
    around = _DOT_PLACE + _DOT * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    flat = np.concatenate([[_DOT_PLACE], around])
    points = np.column_stack([flat, np.sqrt(1.0 - (flat**2).sum(axis=-1))])
    middle = place(*EYE) * (1.0 if side == "left" else -1.0, 1.0, 1.0)
    here = 1 + np.arange(_DOT_CORNERS)
    triangles = np.stack([0 * here, here, np.roll(here, -1)], axis=-1)
    # All of it is as light as what faces the lamp.
    normals = np.tile(_LAMP / np.linalg.norm(_LAMP), (len(points), 1))
    weights = only(f"{side} eye")(points)
    place_of = middle + (EYEBALL + _DOT_OUT + _bulge(points))[:, None] * points
    return Mesh(place_of, normals, weights, triangles, COVERS.index("eyes"))


def _both(cover: str, out: float, rings: tuple[float, ...], around: int) -> list[Mesh]:
    normals, triangles = _cap(np.array(rings), around)
    # What lids always cover goes back, and so does not come through them.
    edge = np.hypot(*normals[:, :2].T)
    back = _BACK * np.clip((edge - 0.70) / 0.30, 0.0, 1.0)
    points = place(*EYE) + (EYEBALL + out + _bulge(normals) - back)[:, None] * normals
    if cover not in ("eyes", "lips"):
        # In the shade of the upper lid: else light along the edge of a ball greys dark eyes.
        normals = normals - (0.0, LID_SHADE, 0.0)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    left = Mesh(points, normals, only("left eye")(points), triangles, COVERS.index(cover))
    return [left, reflected(left)]


def _bulge(directions: Floats) -> Floats:
    """How far an eye that looks ahead is higher there than a ball, [m]."""
    square: Floats = (directions[:, :2] ** 2).sum(axis=-1)
    return _CORNEA * np.maximum(1.0 - square / _IRIS**2, 0.0)


def _cap(rings: Floats, around: int) -> tuple[Floats, NDArray[np.int64]]:
    """Corners of a unit sphere, seen from the front: one in the middle, then rings; and
    triangles.
    """
    angle = 2 * np.pi * np.arange(around) / around
    flat = rings[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    flat[..., 1] *= 1.0 if rings[-1] == 1.0 else np.minimum(1.0, 1.1 * _IRIS / rings)[:, None]
    points = np.concatenate([flat, np.sqrt(1 - (flat**2).sum(-1, keepdims=True))], axis=-1)
    here = np.arange(around)
    there = np.roll(np.arange(around), -1)
    triangles = [np.stack([0 * here, 1 + here, 1 + there], axis=-1)]
    for number in range(1, len(rings)):
        inner = 1 + (number - 1) * around
        outer = 1 + number * around
        triangles.append(np.stack([inner + here, outer + here, outer + there], axis=-1))
        triangles.append(np.stack([inner + here, outer + there, inner + there], axis=-1))
    return np.concatenate([[(0.0, 0.0, 1.0)], points.reshape(-1, 3)]), np.concatenate(triangles)
