"""Props that may meet props."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.analysis.boxes import overlapping
from juggle_anim.analysis.break_table import BreakTable
from juggle_anim.analysis.clock import Clock
from juggle_anim.analysis.encounters import Nearness
from juggle_anim.analysis.prop_solids import PropSolids
from juggle_anim.analysis.tracks import prop_boxes
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion import Motion


@dataclass(frozen=True)
class PropPairs:
    """Pairs of P props, numbered first · P + second, the first before the second.

    What counts of them is in `juggle_anim.analysis.prop_solids`.
    """

    motion: Motion

    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Between their surfaces."""
        first, second = self.props(pair)
        return self._solids.gap(self._solids.posed(first, times), self._solids.posed(second, times))

    def together(self, pair: Integers, times: Floats) -> Booleans:
        """In one hand."""
        first, second = (self.motion.props.holder[self.motion.locate(prop, times)[0]] for prop in self.props(pair))
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
        grown = (boxes.grown(self._solids.reach + reach / 2) for boxes in prop_boxes(self.motion, clock))
        return Nearness.of(self._near(*overlapping(boxes, boxes)) for boxes in grown)

    def _near(self, first: Integers, second: Integers) -> Integers:
        return (first * self._count + second)[first < second]

    @property
    def _count(self) -> int:
        return max(1, self.motion.choreography.props)

    @cached_property
    def _solids(self) -> PropSolids:
        return PropSolids(self.motion)

    @cached_property
    def _breaks(self) -> BreakTable:
        return BreakTable.of(self.motion)
