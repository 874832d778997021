"""Rings: flat, and upright in the plane of the way they point."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.motion import RING_HOLE
from juggle_anim.scene.rows import Ring

_GLOSS = 0.25


def ring_rows(centres: Floats, yaws: Floats, diameters: Floats, colours: Singles) -> Singles:
    """Some rings.

    Args:
        centres: shape (T, R, 3), [m].
        yaws: shape (T, R), the turn of each plane about +y, 0 holds +z, [rad].
        diameters: shape (R,), outer, [m].
        colours: shape (R, 3), sRGB.

    Returns:
        Shape (T, R, 12), rows as in `Scene.rings`.
    """
    rows = np.empty((*centres.shape[:2], Ring.WIDTH), dtype=np.float32)
    rows[..., Ring.CENTRE], rows[..., Ring.RADIUS] = centres, diameters / 2
    rows[..., Ring.AXIS] = np.stack([np.cos(yaws), np.zeros_like(yaws), -np.sin(yaws)], axis=-1)
    rows[..., Ring.HOLE] = RING_HOLE * diameters / 2
    rows[..., Ring.COLOUR], rows[..., Ring.GLOSS] = colours, _GLOSS
    return rows
