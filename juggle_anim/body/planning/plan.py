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
from juggle_anim.body.planning.arm_plan import draft_arms, elbows_and_wrists, plan_arms
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
    """Plan the slow movements of all bodies over one loop: steps, gaze, trunks, arms and digits.

    Loops longer than `MAX_WHOLE_DURATION` are planned in blocks, each when a pose first needs it.

    Args:
        motion: paths of hands and props.
        parameters: settings, of which body motion, head motion (both in %) and feet are read.
    """
    steps = _steps(motion, parameters)
    if motion.duration > MAX_WHOLE_DURATION:
        return BlockPlans.for_loop(motion, parameters, steps).loop_plan()
    # Each part is planned given the parts before it.
    gaze = _gaze(motion, parameters)
    plan = _trunks_and_arms(motion, parameters, steps, gaze)
    plan = replace(plan, life=plan_life(parameters.body_motion / 100))
    return replace(plan, digits=plan_digits(motion, plan))


def draft_plan(motion: Motion, parameters: Parameters, before: BodyPlan) -> BodyPlan:
    """Approximate a body plan in a fraction of the time, for pictures while something is dragged.

    A body plan has the slow movements of all bodies over one loop. If the loop has the same
    duration and as many jugglers as before, all parts but the steps are kept from the plan before.
    Otherwise trunks, heads and steps are planned, but arms stay at ease.

    Args:
        motion: paths of hands and props after the change.
        parameters: settings, of which body motion, head motion (both in %) and feet are read.
        before: the plan of the motion that is being changed.
    """
    steps = _steps(motion, parameters)
    same_duration = abs(before.trunk.track.duration - motion.duration) < _SAME_DURATION
    if same_duration and len(before.trunk.back) == motion.choreography.jugglers:
        plan = replace(before, steps=steps)
    else:
        gaze = _gaze(motion, parameters)
        trunk = plan_trunks(motion, parameters.body_motion / 100, steps, gaze)
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
    """Replace the plan of a long loop by one with bodies at ease, which needs no planning.

    Long loops are planned block by block, each when a pose first needs it, which takes time. The
    plan at ease gives the approximate places of bodies over the whole loop at once. Trunks do not
    lean or turn, arms and fingers move as they do without a plan, and legs are lifted as usual for
    throws around them. How far bodies stand back stays, as that is known without planning.

    Args:
        plan: plan of the bodies over a loop. If it is not in blocks, it is returned unchanged.
    """
    track = plan.trunk.track
    if not isinstance(track, SplineOfBlocks):
        return plan
    trunk = TrunkPlan(_zero_spline(track), plan.trunk.back)
    # Legs are planned only if somebody throws around the body.
    legs = None
    if plan.legs is not None:
        legs = lifted_legs(track.blocks.motion, _zero_spline(plan.legs))
    return replace(plan, trunk=trunk, arms=None, digits=None, legs=legs)


def _zero_spline(spline: PeriodicSpline) -> PeriodicSpline:
    """Return a spline that is 0 everywhere, with values of the same shape; no block is planned."""
    one_control = np.zeros((1, *spline.controls.shape[1:]))
    return PeriodicSpline(one_control, spline.duration)


def unplanned_blocks(plan: BodyPlan, times: Floats) -> Callable[[], None] | None:
    """Return a function that plans the blocks of a loop which poses at some times still need.

    A long loop is planned block by block, each when a pose first needs it; the plan caches its
    blocks. A caller may run the function beforehand in another thread, so that poses do not wait.

    Args:
        plan: the plan of a loop.
        times: T times, shape (T,), [s].

    Returns:
        A function without arguments or a result; None if all blocks of these times are planned, or
        the loop is not planned block by block.
    """
    # Trunk, arms, legs and digits are planned together, so the track of the trunk speaks for all.
    track = plan.trunk.track
    if not isinstance(track, SplineOfBlocks):
        return None
    missing_blocks = [
        block for block in track.blocks.blocks_near(times) if block not in track.blocks.planned
    ]

    def plan_blocks() -> None:
        for block in missing_blocks:
            track.blocks.splines(block)  # plans the block, and caches its splines

    return plan_blocks if missing_blocks else None


def _steps(motion: Motion, parameters: Parameters) -> Steps | None:
    """Plan the steps of all jugglers; None if nobody moves or feet stay under the bodies."""
    walks = parameters.feet == "step" and motion.bodies.has_movement
    return plan_steps(motion) if walks else None


def _gaze(motion: Motion, parameters: Parameters) -> PeriodicSpline | None:
    """Plan heads and eyes of all jugglers over the loop."""
    return plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100)


def _trunks_and_arms(
    motion: Motion,
    parameters: Parameters,
    steps: Steps | None,
    gaze: PeriodicSpline | None,
    trunk_stretch: Stretch | None = None,
    arm_stretch: Stretch | None = None,
    standing: Standing | None = None,
    first_with_same_pose: Integers | None = None,
) -> BodyPlan:
    """Plan how trunks and arms move, and how legs are lifted for throws under them.

    Args:
        motion: paths of hands.
        parameters: settings, of which the amount of body motion [%] is read.
        steps: where feet are; None if they stay under the bodies.
        gaze: angles of heads and eyes; None if these do not move.
        trunk_stretch, arm_stretch: the spans of time for which trunks and arms are planned; None
            for the whole loop.
        standing: how jugglers stand over the whole loop; None to compute it.
        first_with_same_pose: for each of J jugglers the index of the first one with the same pose
            at all times, shape (J,), as only that one is posed; None to find it.

    Returns:
        A plan without `digits` and `life`.
    """

    def plan_without_arms(
        start: TrunkPlan | None = None, points: PeriodicSpline | None = None
    ) -> BodyPlan:
        """Plan trunks and legs from a starting guess; legs keep clear of points of the arms."""
        amplitude = parameters.body_motion / 100
        trunk = plan_trunks(motion, amplitude, steps, gaze, start, points, trunk_stretch, standing)
        plan = BodyPlan(trunk, gaze, steps, legs=trunk.legs)
        return replace(plan, shared=_find_shared_poses(motion, plan, first_with_same_pose))

    plan = plan_without_arms()
    draft = None
    if motion.choreography.events.body_throw is not None:
        # With throws around the body, legs must keep clear of arms, and these depend on trunks. So
        # trunks and legs are planned again with the arms of a draft.
        draft = draft_arms(motion, plan, arm_stretch)
        arms = elbows_and_wrists(motion, replace(plan, arms=draft), trunk_stretch)
        plan = plan_without_arms(plan.trunk, arms)
    return replace(plan, arms=plan_arms(motion, plan, arm_stretch, draft))


def _find_shared_poses(
    motion: Motion, plan: BodyPlan, first_with_same_pose: Integers | None = None
) -> SharedPoses | None:
    """Find the jugglers who have the same pose at all times, so that only one of them is posed.

    Args:
        motion: paths of hands.
        plan: plan of the bodies, with the parts that are planned so far.
        first_with_same_pose: for each of J jugglers the index of the first one with the same pose,
            shape (J,); None to find it.

    Returns:
        Which jugglers are posed, and which of these poses each juggler has. None if all must be
        posed: with one juggler, with steps, which differ with the place, or if no two have the same
        pose.
    """
    if motion.choreography.jugglers == 1 or plan.steps:
        return None
    if first_with_same_pose is None:
        first_with_same_pose = _first_with_same_pose(motion, plan)
    posed, pose_index = np.unique(first_with_same_pose, return_inverse=True)
    return SharedPoses(posed, pose_index) if len(posed) < len(first_with_same_pose) else None


def _first_with_same_pose(motion: Motion, plan: BodyPlan) -> Integers:
    """For each of J jugglers the index of the first with the same pose at all times, shape (J,).

    Jugglers have the same pose if they have the same motion of the hands, and the same plans of
    trunk, gaze, arms and legs.

    Args:
        motion: paths of hands.
        plan: plan of the bodies.
    """
    # A plan in blocks has no control values yet, but it knows which jugglers have the same plan.
    if isinstance(plan.trunk.track, SplineOfBlocks):
        return first_equal_in_all(
            [motion.first_with_same_hands, plan.trunk.track.blocks.first_with_same_plan]
        )
    # For each spline of the plan an array with all control values of a juggler in a row. Controls
    # have the shape (knots, J, …).
    splines = (plan.trunk.track, plan.gaze, plan.arms, plan.legs)
    controls_by_juggler = [
        np.moveaxis(spline.controls, 1, 0).reshape(spline.controls.shape[1], -1)
        for spline in splines
        if spline
    ]
    traits = np.column_stack([plan.trunk.back, *controls_by_juggler])
    return first_equal_in_all([motion.first_with_same_hands, first_equal_rows(traits)])


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
        """Divide a loop into blocks of about `BLOCK` seconds, in which bodies are planned later.

        Args:
            motion: paths of hands and props.
            parameters: settings, of which body motion, head motion (both in %) and feet are read.
            steps: where feet are; None if they stay under the bodies.
        """
        # Jugglers have the same plan if their trunks and their gazes are alike. Each trait has, for
        # every juggler, the index of the first juggler who is equal in it, shape (J,).
        gaze = _gaze(motion, parameters)
        first_equal_by_trait = [first_with_same_trunk(motion, steps)]
        if gaze:
            controls_by_juggler = np.moveaxis(gaze.controls, 1, 0)
            first_equal_by_trait.append(
                first_equal_rows(controls_by_juggler.reshape(len(controls_by_juggler), -1))
            )
        return BlockPlans(
            motion=motion,
            parameters=parameters,
            steps=steps,
            gaze=gaze,
            standing=Standing.over_loop(motion, steps),
            first_with_same_plan=first_equal_in_all(first_equal_by_trait),
            count=max(1, round(motion.duration / BLOCK)),
        )

    def loop_plan(self) -> BodyPlan:
        """Return the plan of the whole loop, whose blocks are planned when first needed.

        Steps, gaze and standing are known for the whole loop. All other parts are splines without
        control values as yet, which are written block by block.
        """
        plan = BodyPlan(
            trunk=TrunkPlan(
                SplineOfBlocks.empty(self, "trunk", trunk_plan.KNOT_RATE, (TRUNK_CHANNELS,)),
                self.standing.back,
            ),
            gaze=self.gaze,
            steps=self.steps,
            # Arms and digits have an axis for left and right.
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
        """Return the indices of the blocks on which splines depend at some times, ascending.

        Args:
            times: T times, shape (T,), [s]; any, as the loop repeats.
        """
        # A value of a spline depends on knots up to two intervals away (the third is for rounding),
        # and knots within `BLEND` of a bound depend on the blocks on both sides. Blocks are longer
        # than twice this reach, so that the blocks at both ends of it are all.
        reach = BLEND + 3.0 / trunk_plan.KNOT_RATE
        ends = np.concatenate([times - reach, times + reach]) - self.start
        blocks = np.floor(ends / self.block_duration) % self.count
        return sorted(set(blocks.astype(int).tolist()))

    def splines(self, block: int) -> BlockSplines:
        """Return the splines of trunks, arms, digits and legs in a block of the loop.

        They are planned at the first call, and then cached. Each part is planned over a span of
        time (`stretch`) with margins of its own around the block, given the parts before it.

        Args:
            block: index of the block, from 0.
        """
        if block in self.planned:
            return self.planned[block]
        plan = _trunks_and_arms(
            self.motion,
            self.parameters,
            self.steps,
            self.gaze,
            trunk_stretch=self._stretch(block, trunk_plan.KNOT_RATE, _TRUNK_MARGIN),
            arm_stretch=self._stretch(block, arm_plan.KNOT_RATE, _ARM_MARGIN),
            standing=self.standing,
            first_with_same_pose=self.first_with_same_plan,
        )
        digit_stretch = self._stretch(block, digit_sampling_rate(self.motion), _DIGIT_MARGIN)
        digits = plan_digits(self.motion, plan, digit_stretch)
        self.planned[block] = BlockSplines(plan.trunk.track, plan.arms, digits, plan.legs)
        return self.planned[block]

    def _stretch(self, block: int, rate: float, margin: float) -> Stretch:
        """Return the span of time that is planned for a block, as if the span were a loop.

        It has a margin on either side of the block, and after these a closing part in which splines
        lead from the end of the span back to its start.

        Args:
            block: index of the block, from 0.
            rate: knots a second, rounded to a whole number of knots in a block.
            margin: time before and after the block that is planned as well, [s].
        """
        block_knots = round(self.block_duration * rate)
        margin_knots = round(margin * rate)
        closing_knots = round(_CLOSING_TIME * rate)
        # The band solver works on groups of `BANDS` knots, so the number of all knots has to be a
        # multiple of it, and the closing part is extended.
        knots = block_knots + 2 * margin_knots + closing_knots
        missing_knots = -knots % BANDS
        closing_knots += missing_knots
        knots += missing_knots
        knot_time = self.block_duration / block_knots  # s, from a knot to the next
        start = self.start + block * self.block_duration - margin_knots * knot_time
        return Stretch(knots=knots, duration=knots * knot_time, start=start, closing=closing_knots)


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
        """Return a spline over a long loop, whose control values are still to be written.

        Args:
            blocks: the plans of the blocks into which the loop is divided.
            part: name of the spline in `BlockSplines`, such as "arms".
            rate: knots a second, rounded to a whole number of knots in a block.
            shape: shape of a value of the spline for one juggler.

        Returns:
            The spline, with controls of shape (knots, J, *shape) for J jugglers, all NaN.
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
        """Write the control values of a block of the loop into `controls`, in place.

        Within `BLEND` of the bound to a neighbour, values are blended from one block to the other;
        these are written once both blocks are planned.

        Args:
            block: index of the block, from 0; it is planned if it is not yet.
        """
        block_count = self.blocks.count
        block_knots = len(self.controls) // block_count
        blend_knots = round(BLEND * block_knots / self.blocks.block_duration)
        # First the middle of the block, which is not blended.
        first = block * block_knots
        self.controls[first + blend_knots : first + block_knots - blend_knots] = (
            self._block_controls(block, blend_knots, block_knots - blend_knots)
        )
        # Then the knots around the bounds to both neighbours, where these are planned: from the
        # earlier block (weight 0) to the later one (weight 1). `_block_controls` counts knots from
        # the start of each block, so that the bound is at `block_knots` of the earlier block and at
        # 0 of the later one. Blocks and knots are counted around the loop.
        weight = smooth_step((np.arange(2 * blend_knots) + 0.5) / (2 * blend_knots))
        weight = weight.reshape(-1, *(1,) * (self.controls.ndim - 1))
        planned = self.blocks.planned
        for earlier, later in ((block - 1, block), (block, block + 1)):
            if earlier % block_count in planned and later % block_count in planned:
                old = self._block_controls(
                    earlier % block_count, block_knots - blend_knots, block_knots + blend_knots
                )
                new = self._block_controls(later % block_count, -blend_knots, blend_knots)
                rows = np.arange(-blend_knots, blend_knots) + later * block_knots
                self.controls[rows % len(self.controls)] = old + weight * (new - old)

    def _block_controls(self, block: int, first: int, end: int) -> Floats | float:
        """Return control values of J jugglers from the plan of a block, (end − first, J, ...).

        Args:
            block: index of the block, from 0.
            first, end: range of knots, counted from the start of the block, `end` excluded; those
                before 0 and from the block's end on are in its margins.

        Returns:
            The values; or 0 for all if the plan has no spline, as for arms that stay at ease.
        """
        spline = getattr(self.blocks.splines(block), self.part)
        if spline is None:
            return 0.0
        # The spline begins with the margin before the block.
        knot_interval = spline.duration / len(spline.controls)  # s
        block_start = self.start + block * self.blocks.block_duration
        margin_knots = round((block_start - spline.start) / knot_interval)
        controls: Floats = spline.controls[margin_knots + first : margin_knots + end]
        return controls
