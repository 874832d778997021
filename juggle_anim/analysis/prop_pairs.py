"""Props that may meet props."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.analysis.boxes import overlapping
from juggle_anim.analysis.break_table import BreakTable
from juggle_anim.analysis.clock import Clock
from juggle_anim.analysis.encounters import Nearness
from juggle_anim.analysis.hit_radius import hit_radii
from juggle_anim.analysis.places import prop_holders, prop_places
from juggle_anim.analysis.tracks import prop_boxes
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion import Motion


@dataclass(frozen=True)
class PropPairs:
    """Pairs of P props, numbered first · P + second, the first before the second.

    Every prop counts as a ball, as in `juggle_anim.analysis.hit_radius`.
    """

    motion: Motion

    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Between their surfaces."""
        first, second = self.props(pair)
        apart = prop_places(self.motion, first, times) - prop_places(self.motion, second, times)
        return np.sqrt((apart**2).sum(axis=1)) - self._radii[first] - self._radii[second]

    def together(self, pair: Integers, times: Floats) -> Booleans:
        """In one hand."""
        first, second = (prop_holders(self.motion, prop, times) for prop in self.props(pair))
        return (first == second) & (first >= 0)

    def breaks(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """When either is thrown, caught or bounces."""
        found = [self._breaks.within(prop, start, end) for prop in self.props(pair)]
        return np.concatenate([row for row, _ in found]), np.concatenate([time for _, time in found])

    def following(self, pair: Integers) -> Integers:
        """Each prop takes the place of the next on its orbit."""
        first, second = (self.motion.successors()[prop] for prop in self.props(pair))
        return np.minimum(first, second) * self._count + np.maximum(first, second)

    def props(self, pair: Integers) -> tuple[Integers, Integers]:
        """The two of each pair."""
        return pair // self._count, pair % self._count

    def nearness(self, reach: float, clock: Clock) -> Nearness:
        """When which of them may be nearer than `reach` [m]."""
        pairs, blocks = [], []
        for block, boxes in enumerate(prop_boxes(self.motion, clock)):
            grown = boxes.grown(self._radii + reach / 2)
            first, second = overlapping(grown, grown)
            ordered = first < second
            pairs.append((first * self._count + second)[ordered])
            blocks.append(np.full(len(pairs[-1]), block))
        return Nearness.of(pairs, blocks)

    @property
    def _count(self) -> int:
        return max(1, self.motion.choreography.props)

    @cached_property
    def _radii(self) -> Floats:
        return hit_radii(self.motion)

    @cached_property
    def _breaks(self) -> BreakTable:
        return BreakTable.of(self.motion)
