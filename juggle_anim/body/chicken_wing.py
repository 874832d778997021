"""The chicken-wing elbow, generalised: any bones, any hand, and no jumps."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.two_bones import cross, dot, unit, unit_interval

PRINTED_FROM, PRINTED_FULLY = 0.06, 0.50
"""How far ahead of its shoulder a hand is, over its distance, where the printed rule begins and where it rules."""

# Opposite this, behind and above the shoulder where hands hardly come, lies the one direction around which elbows turn
# fast.
_HOME = np.array([0.0, -0.3, 0.95]) / np.hypot(0.3, 0.95)


def elbow_side(axis: Floats, swivel: Floats) -> Floats:
    """The direction, seen from the line between shoulder and hand, in which each elbow lies.

    For hands in front of the shoulder this is the printed rule: swivel 0 puts the elbow lowest, in the vertical plane
    of shoulder and hand, and a positive one lifts it outward. That rule turns once around with a hand that circles the
    vertical through the shoulder, so it jumps for a hand that passes under or over it. As the hand leaves the space in
    front it therefore gives way to a direction that the body carries: that of the printed rule at one direction ahead
    (`_HOME`), taken along by the shortest turn from there to the hand. The two differ by an angle about the axis, and a
    smooth share of that angle is used.

    Args:
        axis: shape (..., 2, 3), unit directions from shoulder to hand, left then right, for a juggler who faces +z.
        swivel: shape (2,) or wider, [rad].

    Returns:
        Shape (..., 2, 3), unit vectors at right angles to `axis`.
    """
    carried = _carried(axis)
    beside = cross(axis, carried)
    # The printed rule's direction is the lowest: of a downward vector, what is at right angles to the axis.
    apart = np.arctan2(-beside[..., 1:2], -carried[..., 1:2])
    ahead = unit_interval((axis[..., 2:] - PRINTED_FROM) / (PRINTED_FULLY - PRINTED_FROM))
    share = ahead * ahead * ahead * (10 + ahead * (6 * ahead - 15))
    turn = share * apart + (np.array([1.0, -1.0]) * swivel)[..., None]
    return carried * np.cos(turn) + beside * np.sin(turn)


# The printed rule's direction for a hand at home.
_HOME_LOWEST = unit(np.array([0.0, -1.0, 0.0]) + _HOME[1] * _HOME)


def _carried(axis: Floats) -> Floats:
    """The direction that belongs to home, turned with the shortest turn that takes home to each axis.

    With v at right angles to home, that turn makes of v: v − (a·v)/(1 + a·home)·(a + home).
    """
    share = dot(axis, _HOME_LOWEST) / np.maximum(1.0 + dot(axis, _HOME), 1e-12)
    return _HOME_LOWEST - share * (axis + _HOME)
