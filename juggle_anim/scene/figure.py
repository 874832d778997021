"""The figure: a person of rounded limbs around the joints of a pose."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import JOINTS
from juggle_anim.scene.limbs import DIRECTIONS, LIMBS

COVERS = {
    "shirt": (0.27, 0.30, 0.35),
    "trousers": (0.40, 0.43, 0.47),
    "skin": (0.87, 0.69, 0.57),
    "shoes": (0.17, 0.18, 0.20),
    "hair": (0.24, 0.18, 0.14),
}
"""Colour of what covers a limb, sRGB: dull, and dark where props pass, so that every colour of theirs stands out."""

_GLOSS = 0.12

_STARTS = np.array([limb.start for limb in LIMBS])
_ENDS = np.array([limb.end for limb in LIMBS])
_LOOK = np.array(
    [(limb.start_radius, limb.end_radius, *COVERS[limb.cover], _GLOSS) for limb in LIMBS], dtype=np.float32
)


def figure_capsules(joints: Floats) -> Singles:
    """Round limbs of every juggler.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].

    Returns:
        Shape (T, J · limbs, 12), rows as in `Scene.capsules`.
    """
    times, jugglers = joints.shape[:2]
    points = _with_directions(joints)
    capsules = np.empty((times, jugglers, len(LIMBS), 12), dtype=np.float32)
    capsules[..., 0:3] = _STARTS @ points
    capsules[..., 4:7] = _ENDS @ points
    capsules[..., 3] = _LOOK[:, 0]
    capsules[..., 7:] = _LOOK[:, 1:]
    return capsules.reshape(times, -1, 12)


def _with_directions(joints: Floats) -> Floats:
    """Joints, then the directions of `limbs`."""
    points = np.empty((*joints.shape[:2], JOINTS + DIRECTIONS, 3))
    points[..., :JOINTS, :] = joints
    points[..., -1, :] = 0.0, 1.0, 0.0
    return points
