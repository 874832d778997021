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


@dataclass(frozen=True)
class PropLooks:
    """Centres of P props at evenly spaced times of a block, from its beginning to its end.

    Args:
        places: shape (LOOKS + 1, P, 3), [m].
        speed: which none exceeds within the block, shape (P,), [m/s].
        step: between two looks, [s].
    """

    places: Floats
    speed: Floats
    step: float

    LOOKS = 6

    @property
    def boxes(self) -> BoundingBoxes:
        """Boxes around the centres within the block."""
        around = BoundingBoxes(self.places.min(axis=0), self.places.max(axis=0))
        return around.grown(self.speed * self.step / 2)


def prop_looks(motion: Motion, clock: TimeGrid) -> Iterator[PropLooks]:
    """Yield the centres of props in each block, and in the one after the loop."""
    for block in range(clock.blocks + 1):
        times = np.linspace(block, block + 1, PropLooks.LOOKS + 1) * clock.block
        speed = np.linalg.norm(motion.sample(times, 1).props, axis=-1).max(axis=0, initial=0.0)
        yield PropLooks(motion.sample(times).props, _SPEED_MARGIN * speed, clock.block / PropLooks.LOOKS)
