"""Where several jugglers stand: in a circle, all facing its middle."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats

SMALLEST_RADIUS = 0.70
"""Of the circle, [m]."""

HALF_SPACING = 0.65
"""Neighbours stand at least twice this apart, [m]."""


def circle(jugglers: int, smallest: float = SMALLEST_RADIUS) -> tuple[Floats, Floats]:
    """Places and turns of some jugglers: those of Juggling Lab 1.7.7, if `smallest` is its radius.

    A single juggler stands in the middle and faces +z. Of several, the first stands at −x, the others follow
    counter-clockwise as seen from above. `smallest` is the radius at least, [m].

    Returns:
        Shape (J, 3), the point on the floor under each, [m], and shape (J,), the turn of each about +y, [rad].
    """
    if jugglers == 1:
        return np.zeros((1, 3)), np.zeros(1)
    radius = max(smallest, HALF_SPACING / np.sin(np.pi / jugglers))
    angle = 2 * np.pi * np.arange(jugglers) / jugglers
    standing = radius * np.stack([-np.cos(angle), np.zeros(jugglers), np.sin(angle)], axis=-1)
    return standing, np.pi / 2 + angle
