"""From places seen from the hands to places seen from the body."""

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
