"""The elbow's lowest direction, in the vertical plane of shoulder and hand, and a smooth way to leave it."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.arms.carried import carried
from juggle_anim.vectors import column_cross


def lowest_where(axis: Floats, share: Floats) -> Floats:
    """The lowest direction where the share is 1, the carried one where it is 0, and turned from one to the other.

    The lowest direction turns once around with a hand that circles the vertical through its shoulder, so it is not
    smooth for a hand straight under or over it, and a share must reach 0 there. The two directions differ by an angle
    about the axis, and a smooth share of that angle is used: one with continuous curvature.

    Args:
        axis: shape (3, N), unit columns from shoulder to hand.
        share: shape (N,); below 0 counts as 0, above 1 as 1.

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    side = _lowest(axis)
    nowhere = np.flatnonzero(share <= 0.0)
    if nowhere.size:
        side[:, nowhere] = carried(axis[:, nowhere])
    partly = np.flatnonzero((share > 0.0) & (share < 1.0))
    if partly.size:
        side[:, partly] = _turned(axis[:, partly], share[partly])
    return side


def _lowest(axis: Floats) -> Floats:
    """Of a downward direction, what is at right angles to each axis; of no use for an axis straight up or down."""
    x, y, z = axis
    squared = x * x + z * z
    level = np.sqrt(squared)
    slope = y / np.maximum(level, 1e-150)
    side = np.empty_like(axis)
    np.multiply(x, slope, out=side[0])
    np.negative(level, out=side[1])
    np.multiply(z, slope, out=side[2])
    return side


def _turned(axis: Floats, share: Floats) -> Floats:
    """The carried direction, turned by a smooth share of its angle to the lowest one."""
    rest = carried(axis)
    beside = column_cross(axis, rest)
    smooth = share * share * share * (10.0 + share * (6.0 * share - 15.0))
    turn = smooth * np.arctan2(-beside[1], -rest[1])
    return rest * np.cos(turn) + beside * np.sin(turn)
