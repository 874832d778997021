"""What counts of a prop when it may hit something: a ball about its centre."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.motion import Motion

SHARE = {"ball": 0.5, "club": 0.5, "ring": 0.25}
"""The ball's radius as a share of the prop's size. Of a club only its body counts, of a ring the inner half."""


def hit_radii(motion: Motion) -> Floats:
    """Of all props, shape (P,), [m]."""
    return motion.shapes.size * np.array([SHARE[kind] for kind in motion.shapes.kind], dtype=float)
