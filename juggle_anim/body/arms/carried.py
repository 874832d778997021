"""A direction for elbows that the body carries along: smooth for every hand but one straight behind."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.vectors import column_dot, column_norm

HOME = np.array([0.0, -0.3, 0.95]) / np.hypot(0.3, 0.95)
"""The direction from shoulder to hand from where the elbow's is carried: ahead, where hands mostly are.

No field of directions around a point is smooth everywhere. This one turns fast only opposite home, behind and above the
shoulder, where hands hardly come.
"""

# Closer than this to opposite home, rounding tells.
_NEAR = 1e-4


def carried(axis: Floats, home: Floats = HOME) -> Floats:
    """The lowest direction at home, taken along by the shortest turn from home to each axis.

    The turn from h to a takes a direction v at right angles to h where its mirror image in the plane at right angles
    to h + a is.

    Args:
        axis: shape (3, N), unit columns from shoulder to hand.
        home: shape (3,), a unit direction ahead, neither to the left nor to the right.

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    # Where the elbow hangs for a hand at home: of a downward direction, what is at right angles to it.
    lowest = np.array([0.0, -home[2], home[1]])
    between = axis + home[:, None]
    squared = column_dot(between, between)
    near = np.flatnonzero(squared < _NEAR**2)
    if near.size:
        return _mended(lowest, axis, between, squared, near)
    return _mirrored(lowest, between, squared)


def _mirrored(lowest: Floats, between: Floats, squared: Floats) -> Floats:
    """The direction at home, mirrored in the planes at right angles to `between`."""
    share = 2.0 * (between[1] * lowest[1] + between[2] * lowest[2]) / squared
    return lowest[:, None] - share * between


def _mended(lowest: Floats, axis: Floats, between: Floats, squared: Floats, near: Integers) -> Floats:
    """As `_mirrored`, where some axes are so near to opposite home that they must be put at right angles again."""
    side = _mirrored(lowest, between, np.maximum(squared, 1e-28))
    part, pointing = side[:, near], axis[:, near]
    part = np.where(squared[near] < 1e-28, lowest[:, None], part)
    part = part - column_dot(part, pointing) * pointing
    side[:, near] = part / column_norm(part)
    return side
