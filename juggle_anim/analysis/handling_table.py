"""A table of when which hand handles which prop, to be asked at many times at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from juggle_anim.analysis.stretches import prop_stretches
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion import Motion

HANDLING = 0.08
"""For so long before a catch and after a throw a prop may touch the hand and forearm that catch or throw it, [s]."""


@dataclass(frozen=True)
class HandlingTable:
    """Whiles in which a hand holds, throws or catches a prop, sorted by prop, hand and time.

    Args:
        key: shape (N,), (prop · hands + hand) · width + start.
        end: shape (N,), [s].
        hands: how many there are.
        width: more than any time, [s].
        earliest: before any time, [s].
    """

    key: Floats
    end: Floats
    hands: int
    width: float
    earliest: float

    @classmethod
    def of(cls, motion: Motion) -> Self:
        """Of one loop and a little more."""
        hands, loop = 2 * motion.choreography.jugglers, motion.duration
        longest = float(motion.props.paths.periods.max(initial=0.0))
        stretches = prop_stretches(motion, math.ceil((longest + HANDLING) / loop), 2 + math.ceil(HANDLING / loop))
        held = stretches.holder >= 0
        start = stretches.start[held] - HANDLING
        end = start + stretches.duration[held] + 2 * HANDLING
        earliest = float(start.min(initial=0.0))
        width = float(end.max(initial=0.0)) - earliest + 2 * loop
        key = (stretches.prop[held] * hands + stretches.holder[held]) * width + start - earliest
        order = np.argsort(key)
        return cls(key[order], end[order], hands, width, earliest)

    def handles(self, prop: Integers, hand: Integers, times: Floats) -> Booleans:
        """Whether each hand handles each prop then, shape (N,)."""
        if not len(self.key):
            return np.zeros(len(prop), dtype=bool)
        base = (prop * self.hands + hand) * self.width
        place = np.searchsorted(self.key, base + times - self.earliest, side="right") - 1
        place = np.maximum(place, 0)
        return (self.key[place] >= base) & (self.key[place] <= base + times - self.earliest) & (self.end[place] > times)
