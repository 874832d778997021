"""Bounding boxes of moving solids, which of them overlap, and breakpoints of the motion of props."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from juggle_anim.analysis.encounters import TimeGrid
from juggle_anim.analysis.throws import prop_intervals
from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import Motion

_LOOKS = 6

# Between two samples a prop may be faster than at both.
_SPEED_MARGIN = 1.3


@dataclass(frozen=True)
class BoundingBoxes:
    """N boxes along the axes.

    Args:
        low, high: shape (N, 3), their corners, [m].
    """

    low: Floats
    high: Floats

    def grown(self, by: Floats | float) -> BoundingBoxes:
        """Return boxes larger by a margin on each side, shape (N,) or one for all, [m]."""
        margin = np.asarray(by)[..., None]
        return BoundingBoxes(self.low - margin, self.high + margin)

    def of(self, index: Integers) -> BoundingBoxes:
        """Return some of them."""
        return BoundingBoxes(self.low[index], self.high[index])


def overlapping_pairs(some: BoundingBoxes, others: BoundingBoxes) -> tuple[Integers, Integers]:
    """Return the pairs of boxes, one of each, that overlap.

    Boxes are sorted along the axis of their greatest extent, so that only neighbours are compared.
    """
    if not len(some.low) or not len(others.low):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    axis = int(np.ptp(others.low, axis=0).argmax())
    order = np.argsort(others.low[:, axis])
    lows = others.low[order, axis]
    widest = float((others.high - others.low)[:, axis].max())
    first = np.searchsorted(lows, some.low[:, axis] - widest, side="left")
    count = np.searchsorted(lows, some.high[:, axis], side="right") - first
    one, place = expand_ranges(first, np.maximum(count, 0))
    other = order[place]
    meet = np.all((some.low[one] <= others.high[other]) & (others.low[other] <= some.high[one]), axis=1)
    return one[meet], other[meet]


def expand_ranges(first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """Return for each element of some ranges the number of its range, and its value from `first` on."""
    number = np.repeat(np.arange(len(first)), count)
    return number, np.arange(len(number)) - np.repeat(np.cumsum(count) - count, count) + first[number]


@dataclass(frozen=True)
class BreakpointTable:
    """Breakpoints of props in two loops, sorted by prop and time.

    Args:
        key: shape (N,), prop · width + time.
        time: shape (N,), [s].
        width: more than any time, [s].
    """

    key: Floats
    time: Floats
    width: float

    @classmethod
    def of(cls, motion: Motion, around: tuple[float, ...] = (0.0,)) -> Self:
        """Return all breakpoints of a motion, each with some offsets, [s]."""
        loop = motion.duration
        stretches = prop_intervals(motion, math.ceil(max(around) / loop), 1 + math.ceil(-min(around) / loop))
        prop = np.tile(stretches.prop, len(around))
        time = np.concatenate([stretches.start + shift for shift in around])
        prop, time = prop[time >= 0], time[time >= 0]
        width = time.max(initial=0.0) + 2 * loop
        key = prop * width + time
        order = np.argsort(key)
        return cls(key[order], time[order], width)

    def within(self, prop: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """Return the breakpoints of each prop from `start` up to `end`: index of the row, and time [s]."""
        first = np.searchsorted(self.key, prop * self.width + start, side="left")
        last = np.searchsorted(self.key, prop * self.width + end, side="left")
        row, place = expand_ranges(first, last - first)
        return row, self.time[place]


def prop_boxes(motion: Motion, clock: TimeGrid) -> Iterator[BoundingBoxes]:
    """Yield boxes around the centres of props for each block, and for the one after the loop."""
    for block in range(clock.blocks + 1):
        times = np.linspace(block, block + 1, _LOOKS + 1) * clock.block
        places = motion.sample(times).props
        speed = np.linalg.norm(motion.sample(times, 1).props, axis=-1).max(axis=0, initial=0.0)
        around = BoundingBoxes(places.min(axis=0), places.max(axis=0))
        yield around.grown(_SPEED_MARGIN * speed * clock.block / _LOOKS / 2)
