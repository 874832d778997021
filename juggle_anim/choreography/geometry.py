"""Where hands throw and catch by default: the geometry of Juggling Lab 1.7.7."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.staging import Point

HAND_HEIGHT = 1.0
"""Height of throws and catches above the floor, [m]."""

HAND_FORWARD = 0.3
"""How far in front of the body hands throw and catch, [m]."""

REST = 0.25
"""How far outward a hand rests that has nothing to do, [m]."""

_SAME_HAND = np.array([0.0, 0.20, 0.25, 0.12, 0.07, 0.075, 0.05, 0.05, 0.05])
_CROSSING = np.array([0.0, 0.17, 0.17, 0.07, 0.10, 0.14, 0.25, 0.24, 0.30])
_CATCH = np.array([0.0, 0.17, 0.25, 0.30, 0.40, 0.45, 0.45, 0.50, 0.50])


def throw_point(value: float, crosses: bool) -> Point:
    """Where a throw of `value` beats leaves the hand; `crosses` when the other hand will catch it."""
    return _outward(value, _CROSSING if crosses else _SAME_HAND)


def catch_point(value: float) -> Point:
    """Where a throw of `value` beats is caught."""
    return _outward(value, _CATCH)


def _outward(value: float, offsets: Floats) -> Point:
    return float(np.interp(value, np.arange(len(offsets)), offsets)), 0.0, 0.0


def mean_point(points: Sequence[Point]) -> Point:
    """The middle of some points."""
    outward, up, forward = (sum(parts) / len(points) for parts in zip(*points, strict=True))
    return outward, up, forward


def place(points: Sequence[Point], hand: Integers) -> Floats:
    """Points seen from the hands, as they are seen from the bodies.

    Args:
        points: N of them.
        hand: shape (N,), 2 · juggler + side.

    Returns:
        Shape (N, 3): to the left, up and forward of the place under the feet, [m].
    """
    seen = np.array(points, dtype=float).reshape(-1, 3)
    seen[:, 0] *= np.where(hand % 2 == 0, 1.0, -1.0)
    return seen + (0.0, HAND_HEIGHT, HAND_FORWARD)


def at_rest(jugglers: int) -> Floats:
    """Where hands rest, shape (2 · jugglers, 3), as by `place`."""
    hands = np.arange(2 * jugglers)
    return place([(REST, 0.0, 0.0)] * len(hands), hands)
