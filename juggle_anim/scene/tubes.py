"""Tubes: thin round lines in the air."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles

THIN = 0.0055
"""Radius of a line, [m]."""

_GLOSS = 0.1


def tubes(start: Floats, first: Floats | float, end: Floats, last: Floats | float, colour: object) -> Singles:
    """Rows of tubes between points of shape (…, 3), their radii and colours of what broadcasts with these.

    Returns:
        Shape (…, 12), rows as in `Scene.traces`.
    """
    rows = np.empty((*start.shape[:-1], 12), dtype=np.float32)
    rows[..., 0:3], rows[..., 3] = start, first
    rows[..., 4:7], rows[..., 7] = end, last
    rows[..., 8:11], rows[..., 11] = np.asarray(colour), _GLOSS
    return rows
