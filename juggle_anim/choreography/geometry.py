"""Where hands throw and catch by default: the geometry of Juggling Lab 1.7.7, seen from the juggler.

Offsets are outward (away from the middle of the body, on the hand's own side), in metres.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers

HAND_HEIGHT = 1.0
"""Height of throws and catches above the floor, [m]."""

HAND_FORWARD = 0.3
"""How far in front of the body hands throw and catch, [m]."""

REST = 0.25
"""Where a hand rests that has nothing to do."""

_SAME_HAND = np.array([0.0, 0.20, 0.25, 0.12, 0.07, 0.075, 0.05, 0.05, 0.05])
_CROSSING = np.array([0.0, 0.17, 0.17, 0.07, 0.10, 0.14, 0.25, 0.24, 0.30])
_CATCH = np.array([0.0, 0.17, 0.25, 0.30, 0.40, 0.45, 0.45, 0.50, 0.50])


def throw_offset(value: int, crosses: bool) -> float:
    """How far outward a throw of `value` beats leaves the hand; `crosses` when the other hand will catch it."""
    return float((_CROSSING if crosses else _SAME_HAND)[min(value, 8)])


def catch_offset(value: int) -> float:
    """How far outward a throw of `value` beats is caught."""
    return float(_CATCH[min(value, 8)])


def place(outward: Floats, hand: Integers, standing: Floats, facing: Floats) -> Floats:
    """Points in the world for offsets outward from the bodies.

    Args:
        outward: shape (N,), [m].
        hand: shape (N,), 2 · juggler + side.
        standing: shape (J, 3), where each juggler stands.
        facing: shape (J,), [rad].

    Returns:
        Shape (N, 3), [m].
    """
    juggler = hand // 2
    left = np.where(hand % 2 == 0, outward, -outward)
    turn = facing[juggler]
    x = left * np.cos(turn) + HAND_FORWARD * np.sin(turn)
    z = HAND_FORWARD * np.cos(turn) - left * np.sin(turn)
    return standing[juggler] + np.stack([x, np.full_like(x, HAND_HEIGHT), z], axis=-1)
