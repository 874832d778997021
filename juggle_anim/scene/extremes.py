"""Extremes: the few of many points that lie outermost."""

from __future__ import annotations

import functools

import numpy as np

from juggle_anim.arrays import Floats

# So few at once that the products stay in the cache, and are made by one thread: to wake others takes longer.
_AT_ONCE = 256
_DIRECTIONS = 256


def outermost(points: Floats) -> Floats:
    """Those that are the farthest in some of many directions; they stand for the hull of all.

    Args:
        points: shape (N, 3).

    Returns:
        Shape (M, 3), in the order of the points.
    """
    turns, every = _turns(), np.arange(_DIRECTIONS)
    farthest, found = np.full(_DIRECTIONS, -np.inf), np.zeros(_DIRECTIONS, dtype=int)
    for first in range(0, len(points), _AT_ONCE):
        reached = turns @ points[first : first + _AT_ONCE].T
        best = reached.argmax(axis=1)
        farther = reached[every, best] > farthest
        farthest[farther], found[farther] = reached[every, best][farther], first + best[farther]
    return points[np.unique(found)]


@functools.cache
def _turns() -> Floats:
    # Made late: to load numpy's random numbers takes a while.
    return np.random.default_rng(0).normal(size=(_DIRECTIONS, 3))
