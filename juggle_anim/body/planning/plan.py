"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time.

Each part depends on those planned before it: steps and gaze first, then trunks, arms and digits.

A long loop is planned block by block, when poses first need a block. Splines depend on the motion
within tenths of a second, so a block is planned together with a second before and after it, where
values are blended from one block to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.planning import arm_plan, trunk_plan
from juggle_anim.body.planning.arm_plan import forearms_at_ease, plan_arms
from juggle_anim.body.planning.gaze import plan_gaze
from juggle_anim.body.planning.grip_plan import digit_sampling_rate, plan_digits
from juggle_anim.body.planning.least_squares import BANDS, Stretch
from juggle_anim.body.planning.steps import Steps, lifted_legs, plan_steps
from juggle_anim.body.planning.trunk_plan import (
    Standing,
    TrunkPlan,
    first_with_same_trunk,
    plan_trunks,
)
from juggle_anim.body.pose import ARM_CHANNELS, BodyPlan, SharedPoses, plan_life
from juggle_anim.body.skeleton import DIGITS
from juggle_anim.body.trunk_and_legs import LEG_CHANNELS, TRUNK_CHANNELS
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import (
    Motion,
    PeriodicSpline,
    first_equal_in_all,
    first_equal_rows,
)
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import smooth_step

_SAME_DURATION = 1e-9  # s

MAX_WHOLE_DURATION = 12.0
"""Loops that last longer are planned in blocks, [s]: the plan of a shorter one takes about as long
as that of two blocks.
"""

BLOCK = 4.0
"""About how long blocks are, [s]."""

BLEND = 0.3
"""Time before and after the bound between two blocks in which they are blended, [s]."""

# How long before and after it a block is planned as well, [s]. Trunks follow up to 1.5 Hz, so what
# is missing beyond decays by a factor of e in 0.15 s, and arms in 0.09 s. Arms are planned where
# trunks are, and digits where arms are.
_TRUNK_MARGIN = 0.8
_ARM_MARGIN = 0.6
_DIGIT_MARGIN = 0.5
_CLOSING_TIME = 0.3  # s, in which the splines of a block return to its beginning

# Sum of the loops of different jugglers that are planned without noticeable delay: in half a second
# of a processor, as each second of a juggler takes some 10 ms. [s]
_MAX_QUICK_DURATION = 50.0


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """Plan the slow movements of all bodies over one loop.

    Args:
        motion: paths of hands and props.
        parameters: the plan depends on body motion, head motion and feet.
    """
    steps = _steps(motion, parameters)
    if motion.duration > MAX_WHOLE_DURATION:
        return BlockPlans.for_loop(motion, parameters, steps).loop_plan()
    gaze = _gaze(motion, parameters)
    trunk = _trunk_plan(motion, parameters, steps, gaze)
    plan = BodyPlan(
        trunk=trunk,
        gaze=gaze,
        steps=steps,
        legs=trunk.legs,
        life=plan_life(parameters.body_motion / 100),
    )
    plan = replace(plan, shared=_find_shared_poses(motion, plan))
    plan = replace(plan, arms=plan_arms(motion, plan))
    return replace(plan, digits=plan_digits(motion, plan))


def draft_plan(motion: Motion, parameters: Parameters, before: BodyPlan) -> BodyPlan:
    """Approximate a body plan in a fraction of the time, for pictures while something is dragged.

    In a loop of the same duration and with as many jugglers, all but the steps is kept from the
    plan before. Otherwise trunks, heads and steps are planned, but arms stay at ease.

    Args:
        motion, parameters: arguments of `plan_bodies`.
        before: the plan of the motion that is being changed.
    """
    steps = _steps(motion, parameters)
    # Splines of the old plan fit only a loop of the same duration, and as many jugglers.
    same_loop = abs(before.trunk.track.duration - motion.duration) < _SAME_DURATION
    if same_loop and len(before.trunk.back) == motion.choreography.jugglers:
        plan = replace(before, steps=steps)
    else:
        gaze = _gaze(motion, parameters)
        trunk = _trunk_plan(motion, parameters, steps, gaze)
        life = plan_life(parameters.body_motion / 100)
        plan = BodyPlan(trunk, gaze, steps, legs=trunk.legs, life=life)
    return replace(plan, shared=_find_shared_poses(motion, plan))


def takes_long(motion: Motion) -> bool:
    """Whether the first pose takes noticeably long, as many jugglers move differently.

    Args:
        motion: paths of hands.
    """
    different = len(set(motion.first_with_same_hands.tolist()))
    planned = motion.duration
    if planned > MAX_WHOLE_DURATION:
        planned = BLOCK + 2.0 * _TRUNK_MARGIN + _CLOSING_TIME
    return different * planned > _MAX_QUICK_DURATION


def bodies_at_ease(motion: Motion, parameters: Parameters) -> BodyPlan:
    """A plan of bodies at ease, which takes no time, for pictures until bodies are planned.

    Args:
        motion, parameters: arguments of `plan_bodies`.
    """
    return plan_at_ease(
        BlockPlans.for_loop(motion, parameters, _steps(motion, parameters)).loop_plan()
    )


def plan_at_ease(plan: BodyPlan) -> BodyPlan:
    """Replace a plan in blocks by one with trunks and arms at ease, for which no block is planned.

    It gives the approximate places of bodies over the whole loop. Any other plan is returned as it
    is.

    Args:
        plan: plan of a loop.
    """
    track = plan.trunk.track
    if not isinstance(track, SplineOfBlocks):
        return plan
    # A single control value of 0 is a spline that is 0 everywhere.
    unmoved_trunk = PeriodicSpline(np.zeros((1, *track.controls.shape[1:])), track.duration)
    trunk = TrunkPlan(unmoved_trunk, plan.trunk.back)
    legs = None
    if plan.legs:
        unmoved_legs = PeriodicSpline(np.zeros((1, *plan.legs.controls.shape[1:])), track.duration)
        legs = lifted_legs(track.blocks.motion, unmoved_legs)
    return replace(plan, trunk=trunk, arms=None, digits=None, legs=legs)


def unplanned_blocks(plan: BodyPlan, times: Floats) -> Callable[[], None] | None:
    """Return a function that plans the blocks which poses at some times still need.

    The bodies of a long loop are planned block by block, each when a pose first needs it; the plan
    caches its blocks. A caller may run the function in another thread beforehand.

    Args:
        plan: the plan of a loop.
        times: shape (T,), [s].

    Returns:
        A function without arguments or a result; None if all blocks of these times are planned, or
        the loop is not planned block by block.
    """
    track = plan.trunk.track
    if not isinstance(track, SplineOfBlocks):
        return None
    blocks = [
        block for block in track.blocks.blocks_near(times) if block not in track.blocks.planned
    ]

    def plan_blocks() -> None:
        for block in blocks:
            track.blocks.splines(block)  # plans the block, and caches its splines

    return plan_blocks if blocks else None


def _steps(motion: Motion, parameters: Parameters) -> Steps | None:
    """Plan the steps of all jugglers; None if nobody moves or feet stay under the bodies."""
    walks = parameters.feet == "step" and motion.bodies.has_movement
    return plan_steps(motion) if walks else None


def _gaze(motion: Motion, parameters: Parameters) -> PeriodicSpline | None:
    """Plan heads and eyes of all jugglers over the loop."""
    return plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100)


def _trunk_plan(
    motion: Motion,
    parameters: Parameters,
    steps: Steps | None,
    gaze: PeriodicSpline | None,
    stretch: Stretch | None = None,
    standing: Standing | None = None,
) -> TrunkPlan:
    """Plan trunks, and legs for throws around bodies.

    Args:
        motion: paths of hands.
        parameters: body motion is read.
        steps, gaze, stretch, standing: arguments of `plan_trunks`.
    """
    amount = parameters.body_motion / 100
    trunks = plan_trunks(motion, amount, steps, gaze, stretch=stretch, standing=standing)
    if motion.choreography.events.body_throw is None:
        return trunks
    # Forearms are estimated from a first plan of the trunks; in the second, legs keep clear of
    # forearms.
    plan = BodyPlan(trunks, gaze, steps, legs=trunks.legs)
    forearms = forearms_at_ease(motion, plan, stretch)
    return plan_trunks(motion, amount, steps, gaze, trunks, forearms, stretch, standing)


def _find_shared_poses(
    motion: Motion, plan: BodyPlan, first_with_same_plan: Integers | None = None
) -> SharedPoses | None:
    """Find the jugglers with the same pose at all times, of whom only one is posed.

    Args:
        motion: paths of hands.
        plan: plan of the bodies.
        first_with_same_plan: for each juggler the index of the first one with the same pose, shape
            (J,); None to find them.

    Returns:
        None if all must be posed: with one juggler, with steps, or if no two have the same pose.
    """
    if motion.choreography.jugglers == 1 or plan.steps:
        return None
    if first_with_same_plan is None:
        first_with_same_plan = _first_with_same_pose(motion, plan)
    posed, pose_index = np.unique(first_with_same_plan, return_inverse=True)
    return SharedPoses(posed, pose_index) if len(posed) < len(first_with_same_plan) else None


def _first_with_same_pose(motion: Motion, plan: BodyPlan) -> Integers:
    """For each juggler the index of the first one with the same pose at all times, shape (J,).

    Jugglers have the same pose if they have the same motion of the hands, and the same plans of
    trunk, gaze, arms and legs.

    Args:
        motion: paths of hands.
        plan: plan of the bodies. For a plan in blocks, which may not be planned yet, the jugglers
            with the same plan are known.
    """
    if isinstance(plan.trunk.track, SplineOfBlocks):
        return first_equal_in_all(
            [motion.first_with_same_hands, plan.trunk.track.blocks.first_with_same_plan]
        )
    tracks = (plan.trunk.track, plan.gaze, plan.arms, plan.legs)
    # All control values of each juggler in a row, for each of these splines.
    rows = [
        np.moveaxis(track.controls, 1, 0).reshape(track.controls.shape[1], -1)
        for track in tracks
        if track
    ]
    return first_equal_in_all(
        [motion.first_with_same_hands, first_equal_rows(np.column_stack([plan.trunk.back, *rows]))]
    )


class BlockSplines(NamedTuple):
    """Splines of one block of a long loop.

    None stands for arms that all stay at ease, for digits that close by their hands alone, and for
    legs that nobody lifts.
    """

    trunk: PeriodicSpline
    arms: PeriodicSpline | None
    digits: PeriodicSpline | None
    legs: PeriodicSpline | None


@dataclass(frozen=True)
class BlockPlans:
    """Plans of the blocks of a long loop.

    Args:
        motion, parameters: arguments of `plan_bodies`.
        steps: where feet are; None if they stay under the bodies.
        gaze: of the whole loop.
        standing: how jugglers stand over the whole loop.
        first_with_same_plan: for each juggler the index of the first one with the same plan, shape
            (J,).
        count: number of blocks, which are equally long.
        planned: cache of the splines of planned blocks, by their indices.
    """

    motion: Motion
    parameters: Parameters
    steps: Steps | None
    gaze: PeriodicSpline | None
    standing: Standing
    first_with_same_plan: Integers
    count: int
    planned: dict[int, BlockSplines] = field(default_factory=dict)

    @staticmethod
    def for_loop(motion: Motion, parameters: Parameters, steps: Steps | None) -> BlockPlans:
        """Divide a loop into blocks of about `BLOCK` seconds, none of which is planned yet.

        Args:
            motion, parameters: arguments of `plan_bodies`.
            steps: where feet are; None if they stay under the bodies.
        """
        # Jugglers have the same plan if their trunks and their gazes are alike.
        gaze = _gaze(motion, parameters)
        traits = [first_with_same_trunk(motion, steps)]
        if gaze:
            rows = np.moveaxis(gaze.controls, 1, 0)
            traits.append(first_equal_rows(rows.reshape(len(rows), -1)))
        return BlockPlans(
            motion=motion,
            parameters=parameters,
            steps=steps,
            gaze=gaze,
            standing=Standing.over_loop(motion, steps),
            first_with_same_plan=first_equal_in_all(traits),
            count=max(1, round(motion.duration / BLOCK)),
        )

    def loop_plan(self) -> BodyPlan:
        """Return the plan of the whole loop, whose blocks are planned when first needed."""
        plan = BodyPlan(
            trunk=TrunkPlan(
                SplineOfBlocks.empty(self, "trunk", trunk_plan.KNOT_RATE, (TRUNK_CHANNELS,)),
                self.standing.back,
            ),
            gaze=self.gaze,
            steps=self.steps,
            arms=SplineOfBlocks.empty(self, "arms", arm_plan.KNOT_RATE, (2, ARM_CHANNELS)),
            digits=SplineOfBlocks.empty(
                self, "digits", digit_sampling_rate(self.motion), (2, DIGITS)
            ),
            legs=self._leg_spline(),
            life=plan_life(self.parameters.body_motion / 100),
        )
        return replace(plan, shared=_find_shared_poses(self.motion, plan))

    def _leg_spline(self) -> SplineOfBlocks | None:
        """Return the spline of the legs of the loop; None if nobody throws around the body."""
        if not self.motion.choreography.throws_around_body.any():
            return None
        knots = trunk_plan.LEG_KNOTS * round(self.block_duration * trunk_plan.KNOT_RATE)
        return SplineOfBlocks.empty(self, "legs", knots / self.block_duration, (LEG_CHANNELS,))

    @property
    def block_duration(self) -> float:
        """Duration of each block, [s]."""
        return self.motion.duration / self.count

    @property
    def start(self) -> float:
        """Start of the first block, [s]: half a block before the loop starts."""
        return -self.block_duration / 2.0

    def blocks_near(self, times: Floats) -> list[int]:
        """Return the indices of the blocks on which splines depend at some times.

        Args:
            times: shape (T,), [s]; any time, as the loop repeats.
        """
        # A value depends on knots up to two intervals away; the third is for rounding. Blocks are
        # longer than twice this reach, so both ends of it name all of them.
        reach = BLEND + 3.0 / trunk_plan.KNOT_RATE
        ends = np.concatenate([times - reach, times + reach]) - self.start
        blocks = np.floor(ends / self.block_duration) % self.count
        return sorted(set(blocks.astype(int).tolist()))

    def splines(self, block: int) -> BlockSplines:
        """Return the splines of a block, by its index; they are planned at the first call."""
        if block not in self.planned:
            # Each part is planned over a time span of its own, given the parts before.
            trunk_stretch = self._stretch(block, trunk_plan.KNOT_RATE, _TRUNK_MARGIN)
            arm_stretch = self._stretch(block, arm_plan.KNOT_RATE, _ARM_MARGIN)
            digit_rate = digit_sampling_rate(self.motion)
            digit_stretch = self._stretch(block, digit_rate, _DIGIT_MARGIN)
            trunk = _trunk_plan(
                self.motion,
                self.parameters,
                self.steps,
                self.gaze,
                stretch=trunk_stretch,
                standing=self.standing,
            )
            plan = BodyPlan(trunk, self.gaze, self.steps, legs=trunk.legs)
            shared = _find_shared_poses(self.motion, plan, self.first_with_same_plan)
            plan = replace(plan, shared=shared)
            arms = plan_arms(self.motion, plan, arm_stretch)
            plan = replace(plan, arms=arms)
            digits = plan_digits(self.motion, plan, digit_stretch)
            self.planned[block] = BlockSplines(trunk.track, arms, digits, trunk.legs)
        return self.planned[block]

    def _stretch(self, block: int, rate: float, margin: float) -> Stretch:
        """Return the time span that is planned for a block, as if it were a loop.

        It has a margin on either side of the block, and then a part that leads back to its
        beginning.

        Args:
            block: index of the block, from 0.
            rate: knots a second, rounded to a whole number of knots in a block.
            margin: time before and after the block that is planned as well, [s].
        """
        block_knots = round(self.block_duration * rate)
        margin_knots = round(margin * rate)
        closing_knots = round(_CLOSING_TIME * rate)
        # The number of all knots has to be a multiple of `BANDS`, so the closing part is extended.
        knots = block_knots + 2 * margin_knots + closing_knots
        missing_knots = -knots % BANDS
        closing_knots += missing_knots
        knots += missing_knots
        period = self.block_duration / block_knots
        start = self.start + block * self.block_duration - margin_knots * period
        return Stretch(knots, knots * period, start, closing_knots)


@dataclass(frozen=True, kw_only=True)
class SplineOfBlocks(PeriodicSpline):
    """A spline over a long loop, whose control values come from plans of its blocks.

    Blocks are planned, and their control values written, when values at times in or near them are
    first needed.

    Args:
        controls: control values, NaN for blocks that are not written yet.
        blocks: the plans of the blocks.
        part: name of the spline in `BlockSplines`.
        written: indices of the blocks whose control values are written.
    """

    blocks: BlockPlans
    part: str
    written: set[int] = field(default_factory=set)

    @staticmethod
    def empty(blocks: BlockPlans, part: str, rate: float, shape: tuple[int, ...]) -> SplineOfBlocks:
        """Return a spline whose control values are still to be written.

        Args:
            blocks: the plans of the blocks.
            part: name of the spline in `BlockSplines`.
            rate: knots a second, rounded to a whole number of knots in a block.
            shape: shape of the values of each juggler.
        """
        knots = blocks.count * round(blocks.block_duration * rate)
        controls = np.full((knots, len(blocks.first_with_same_plan), *shape), np.nan)
        loop = blocks.motion.duration
        return SplineOfBlocks(controls, loop, blocks.start, blocks=blocks, part=part)

    def at(self, times: Floats) -> Floats:
        """Evaluate the spline at T times, as `PeriodicSpline` does.

        Blocks near these times are planned and written first.
        """
        for block in self.blocks.blocks_near(times):
            if block not in self.written:
                self._write(block)
                self.written.add(block)
        return super().at(times)

    def _write(self, block: int) -> None:
        """Write the control values of a block, in place.

        Within `BLEND` of the bound to a neighbour, values are blended from one block to the other;
        these are written once both blocks are planned.

        Args:
            block: index of the block, from 0.
        """
        count = self.blocks.count
        knots = len(self.controls) // count
        blend = round(BLEND * knots / self.blocks.block_duration)
        first = block * knots
        self.controls[first + blend : first + knots - blend] = self._block_controls(
            block, blend, knots - blend
        )
        # Around the bounds to both neighbours, where these are planned: from the earlier block
        # (weight 0) to the later one (1). Knots are counted from the start of each block, so those
        # around the bound are `knots` ± blend of the earlier one and 0 ± blend of the later one.
        # Block −1 is the last one of the loop.
        weight = smooth_step((np.arange(2 * blend) + 0.5) / (2 * blend))
        weight = weight.reshape(-1, *(1,) * (self.controls.ndim - 1))
        for earlier, later in ((block - 1, block), (block, block + 1)):
            if earlier % count in self.blocks.planned and later % count in self.blocks.planned:
                old = self._block_controls(earlier % count, knots - blend, knots + blend)
                new = self._block_controls(later % count, -blend, blend)
                rows = np.arange(-blend, blend) + later * knots
                self.controls[rows % len(self.controls)] = old + weight * (new - old)

    def _block_controls(self, block: int, first: int, last: int) -> Floats | float:
        """Return control values from the plan of a block, shape (last − first, J, ...).

        It is 0 where the plan has no spline, as arms stay at ease.

        Args:
            block: index of the block.
            first, last: range of knots, counted from the start of the block, `last` excluded; those
                before 0 and from the block's end on are in its margins.
        """
        # The spline begins with the margin before the block.
        spline = getattr(self.blocks.splines(block), self.part)
        if spline is None:
            return 0.0
        period = spline.duration / len(spline.controls)
        begins = self.start + block * self.blocks.block_duration
        margin = round((begins - spline.start) / period)
        controls: Floats = spline.controls[margin + first : margin + last]
        return controls
