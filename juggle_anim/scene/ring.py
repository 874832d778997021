"""Rings: flat, and upright in the plane of the way they point."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.motion import RING_HOLE

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
    rows = np.zeros((*centres.shape[:2], 12), dtype=np.float32)
    rows[..., :3] = centres
    rows[..., 3] = diameters / 2
    rows[..., 4], rows[..., 6] = np.cos(yaws), -np.sin(yaws)
    rows[..., 7] = RING_HOLE * diameters / 2
    rows[..., 8:11] = colours
    rows[..., 11] = _GLOSS
    return rows
