"""Tubes: thin round lines in the air."""

from __future__ import annotations

from juggle_anim.arrays import Floats, Singles
from juggle_anim.scene.rows import cones

THIN = 0.0055
"""Radius of a line, [m]."""

_GLOSS = 0.1


def tubes(start: Floats, first: Floats | float, end: Floats, last: Floats | float, colour: object) -> Singles:
    """Rows of tubes between points of shape (…, 3), their radii and colours of what broadcasts with these.

    Returns:
        Shape (…, 12), rows as in `Scene.traces`.
    """
    return cones(start, first, end, last, colour, _GLOSS)
