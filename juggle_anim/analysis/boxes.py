"""Boxes around what moves, and which of them overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers


@dataclass(frozen=True)
class Boxes:
    """N boxes.

    Args:
        low, high: shape (N, 3), their corners, [m].
    """

    low: Floats
    high: Floats

    def grown(self, by: Floats | float) -> Boxes:
        """By so much on each side, shape (N,) or one for all, [m]."""
        margin = np.asarray(by)[..., None]
        return Boxes(self.low - margin, self.high + margin)

    def of(self, index: Integers) -> Boxes:
        """Some of them."""
        return Boxes(self.low[index], self.high[index])


def overlapping(some: Boxes, others: Boxes) -> tuple[Integers, Integers]:
    """The pairs of boxes, one of each, that have a point in common.

    They are sorted along the axis on which they lie farthest apart, so that only neighbours are compared.
    """
    if not len(some.low) or not len(others.low):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    axis = int(np.ptp(others.low, axis=0).argmax())
    order = np.argsort(others.low[:, axis])
    lows = others.low[order, axis]
    widest = float((others.high - others.low)[:, axis].max())
    first = np.searchsorted(lows, some.low[:, axis] - widest, side="left")
    count = np.searchsorted(lows, some.high[:, axis], side="right") - first
    one, place = spread(first, np.maximum(count, 0))
    other = order[place]
    meet = np.all((some.low[one] <= others.high[other]) & (others.low[other] <= some.high[one]), axis=1)
    return one[meet], other[meet]


def spread(first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """Ranges written out: for each element its range's number, and its value from `first` on."""
    number = np.repeat(np.arange(len(first)), count)
    return number, np.arange(len(number)) - np.repeat(np.cumsum(count) - count, count) + first[number]
