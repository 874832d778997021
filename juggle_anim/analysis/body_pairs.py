"""Props that may meet bodies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.analysis.body_parts import ARM_OF
from juggle_anim.analysis.boxes import Boxes, overlapping, spread
from juggle_anim.analysis.break_table import BreakTable
from juggle_anim.analysis.clock import Clock
from juggle_anim.analysis.encounters import Nearness
from juggle_anim.analysis.handling_table import HANDLING, HandlingTable
from juggle_anim.analysis.limb_table import LimbTable
from juggle_anim.analysis.prop_solids import PropSolids
from juggle_anim.analysis.tracks import prop_boxes
from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.motion import Motion


@dataclass(frozen=True)
class BodyPairs:
    """Pairs of a prop and a limb, numbered prop · limbs + limb; limbs are numbered by juggler.

    What counts of props is in `juggle_anim.analysis.prop_solids`.
    """

    animation: Animation

    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Between their surfaces."""
        prop, limb = self.members(pair)
        return self._solids.gap_to_cones(self._solids.posed(prop, times), self._limbs.cones(limb, times))

    def together(self, pair: Integers, times: Floats) -> Booleans:
        """The hand or forearm with what it holds, throws or catches."""
        prop, limb = self.members(pair)
        juggler, number = limb // len(ARM_OF), limb % len(ARM_OF)
        side = np.array(ARM_OF)[number]
        arm = side >= 0
        meant = np.zeros(len(pair), dtype=bool)
        meant[arm] = self._handling.handles(prop[arm], (2 * juggler + side)[arm], times[arm])
        return meant

    def breaks(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """When the prop is thrown, caught or bounces, or begins or ceases to be handled."""
        return self._breaks.within(self.members(pair)[0], start, end)

    def following(self, pair: Integers) -> Integers:
        """A prop takes the place of the next on its orbit, and limbs are where they were."""
        prop, limb = self.members(pair)
        return self._motion.successors()[prop] * self._count + limb

    def members(self, pair: Integers) -> tuple[Integers, Integers]:
        """The prop and the limb of each pair."""
        return pair // self._count, pair % self._count

    def nearness(self, reach: float, clock: Clock) -> Nearness:
        """When which of them may be nearer than `reach` [m]."""
        grown = (boxes.grown(self._solids.reach + reach) for boxes in prop_boxes(self._motion, clock))
        return Nearness.of(
            self._near(props, self._limbs.boxes(block * clock.block, block * clock.block + clock.block))
            for block, props in enumerate(grown)
        )

    def _near(self, props: Boxes, limbs: Boxes) -> Integers:
        """Jugglers first, then their limbs: there may be many thousands."""
        shape = (-1, len(ARM_OF), 3)
        bodies = Boxes(limbs.low.reshape(shape).min(axis=1), limbs.high.reshape(shape).max(axis=1))
        prop, juggler = overlapping(props, bodies)
        row, limb = spread(juggler * len(ARM_OF), np.full(len(juggler), len(ARM_OF)))
        near, there = props.of(prop[row]), limbs.of(limb)
        meet = np.all((near.low <= there.high) & (there.low <= near.high), axis=1)
        return (prop[row] * self._count + limb)[meet]

    @property
    def _motion(self) -> Motion:
        return self.animation.motion

    @property
    def _count(self) -> int:
        return self.animation.jugglers * len(ARM_OF)

    @cached_property
    def _limbs(self) -> LimbTable:
        return LimbTable.of(self.animation)

    @cached_property
    def _solids(self) -> PropSolids:
        return PropSolids(self._motion)

    @cached_property
    def _breaks(self) -> BreakTable:
        return BreakTable.of(self._motion, (-HANDLING, 0.0, HANDLING))

    @cached_property
    def _handling(self) -> HandlingTable:
        return HandlingTable.of(self._motion)
