"""A table of when each prop's way has a break, to be asked for many stretches of time at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from juggle_anim.analysis.boxes import spread
from juggle_anim.analysis.stretches import prop_stretches
from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import Motion


@dataclass(frozen=True)
class BreakTable:
    """Breaks of props, sorted by prop and time; those of two loops, as a stretch may go on into the second.

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
        """All breaks of a motion, each at so many seconds before and after it."""
        loop = motion.duration
        stretches = prop_stretches(motion, math.ceil(max(around) / loop), 1 + math.ceil(-min(around) / loop))
        prop = np.tile(stretches.prop, len(around))
        time = np.concatenate([stretches.start + shift for shift in around])
        prop, time = prop[time >= 0], time[time >= 0]
        width = time.max(initial=0.0) + 2 * loop
        key = prop * width + time
        order = np.argsort(key)
        return cls(key[order], time[order], width)

    def within(self, prop: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """The breaks of each prop from `start` up to `end`: index of the row asked for, and time [s]."""
        first = np.searchsorted(self.key, prop * self.width + start, side="left")
        last = np.searchsorted(self.key, prop * self.width + end, side="left")
        row, place = spread(first, last - first)
        return row, self.time[place]
