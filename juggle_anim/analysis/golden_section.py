"""Golden section: least values of many functions of one variable at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from juggle_anim.arrays import Floats

_GOLDEN = (np.sqrt(5.0) - 1) / 2


def minimise(value: Callable[[Floats], Floats], start: Floats, end: Floats, steps: int) -> tuple[Floats, Floats]:
    """Return where functions are least between two ends, and their values there, both of shape (N,).

    Args:
        value: takes the arguments of all N functions, shape (N,), and returns their values.
        start, end: the ends, shape (N,); between them each function first falls and then rises.
        steps: each makes the interval shorter by the golden ratio.
    """
    left, right = end - _GOLDEN * (end - start), start + _GOLDEN * (end - start)
    at_left, at_right = value(left), value(right)
    for _ in range(steps):
        lower = at_left < at_right
        start, end = np.where(lower, start, left), np.where(lower, right, end)
        fresh = np.where(lower, end - _GOLDEN * (end - start), start + _GOLDEN * (end - start))
        found = value(fresh)
        left, right = np.where(lower, fresh, right), np.where(lower, left, fresh)
        at_left, at_right = np.where(lower, found, at_right), np.where(lower, at_left, found)
    return np.where(at_left < at_right, left, right), np.minimum(at_left, at_right)
