"""Means over what happens at one event: a hand may throw, or catch, several props at once."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers


def mean_by_event(event: Integers, values: Floats, count: int) -> Floats:
    """Means of the values that share an event.

    Args:
        event: shape (N,), the event of each.
        values: shape (N, C).
        count: how many events there are.

    Returns:
        Shape (count, C); 0 where an event has none.
    """
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, event, values)
    return total / np.maximum(1, np.bincount(event, minlength=count))[:, None]
