"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time.

Each part knows those planned before it: steps and trunks first, then gaze, arms and digits.

A long loop is planned block by block, as poses ask for them. Splines follow what was asked for
within tenths of a second, so a block is planned together with a second before and after it, and
there values go over from those of one block to those of the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

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
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import (
    PeriodicSpline,
    first_equal_in_all,
    first_equal_rows,
)
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import smooth_step

_SAME_DURATION = 1e-9  # s

LONG = 12.0
"""Loops that last longer are planned in blocks, [s]: the plan of a shorter one takes about as long
as that of two blocks.
"""

BLOCK = 4.0
"""About how long blocks are, [s]."""

BLEND = 0.3
"""How long before and after its bounds a block goes over into the next one, [s]."""

# How long before and after it a block is planned as well, [s]. Trunks follow up to 1.5 Hz, so what
# is missing beyond decays by a factor of e in 0.15 s, and arms in 0.09 s. Arms are planned where
# trunks are, and digits where arms are.
_TRUNK_MARGIN = 0.8
_ARM_MARGIN = 0.6
_DIGIT_MARGIN = 0.5
_CLOSING = 0.3  # s, in which the splines of a block return to its beginning

# Loops of different jugglers, summed up, whose plan people wait for: half a second of a processor,
# as each second of a juggler takes some 10 ms. [s]
_LONG_TO_PLAN = 50.0


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """Plan the slow movements of all bodies over one loop.

    Args:
        motion: paths of hands and props.
        parameters: the plan depends on body motion, head motion and feet.
    """
    steps = _steps(motion, parameters)
    if motion.duration > LONG:
        return BlockPlans.of_loop(motion, parameters, steps).whole()
    trunk = _trunk_plan(motion, parameters, steps)
    plan = BodyPlan(
        trunk=trunk,
        gaze=plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100),
        steps=steps,
        legs=trunk.legs,
        life=plan_life(parameters.body_motion / 100),
    )
    plan = replace(plan, shared=_shared_poses(motion, plan))
    plan = replace(plan, arms=plan_arms(motion, plan))
    return replace(plan, digits=plan_digits(motion, plan))


def draft_plan(motion: Motion, parameters: Parameters, before: BodyPlan) -> BodyPlan:
    """A body plan in a fraction of the time, for pictures while something is being dragged.

    In a loop of the same duration and with as many jugglers, all but the steps goes on as it did,
    whatever the hands do now. Otherwise trunks, heads and steps are planned, but arms stay at ease.

    Args:
        motion, parameters: as for `plan_bodies`.
        before: the plan of the motion that is being changed.
    """
    steps = _steps(motion, parameters)
    # Splines of the old plan fit only a loop of the same duration, and as many jugglers.
    same_loop = abs(before.trunk.track.duration - motion.duration) < _SAME_DURATION
    if same_loop and len(before.trunk.back) == motion.choreography.jugglers:
        plan = replace(before, steps=steps)
    else:
        trunk = _trunk_plan(motion, parameters, steps)
        gaze = plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100)
        life = plan_life(parameters.body_motion / 100)
        plan = BodyPlan(trunk, gaze, steps, legs=trunk.legs, life=life)
    return replace(plan, shared=_shared_poses(motion, plan))


def takes_long(motion: Motion) -> bool:
    """Whether people would wait for a plan of all bodies, as many do something of their own.

    Not for a long loop, which is planned block by block.

    Args:
        motion: paths of hands.
    """
    different = len(np.unique(motion.first_with_same_hands))
    return motion.duration <= LONG and different * motion.duration > _LONG_TO_PLAN


def bodies_at_ease(motion: Motion, parameters: Parameters) -> BodyPlan:
    """A plan of bodies at ease, which is made at once, for pictures until bodies are planned.

    Args:
        motion, parameters: as for `plan_bodies`.
    """
    return plan_at_ease(BlockPlans.of_loop(motion, parameters, _steps(motion, parameters)).whole())


def plan_at_ease(plan: BodyPlan) -> BodyPlan:
    """A plan that tells about where bodies are over a whole loop, as pictures of it have to know.

    Of a loop that is planned in blocks it has trunks and arms at ease, for which no block is
    planned; another plan tells by itself.

    Args:
        plan: of a loop.
    """
    track = plan.trunk.track
    if not isinstance(track, SplineOfBlocks):
        return plan
    at_ease = PeriodicSpline(np.zeros((1, *track.controls.shape[1:])), track.duration)
    legs = None
    if plan.legs:
        unmoved = PeriodicSpline(np.zeros((1, *plan.legs.controls.shape[1:])), track.duration)
        legs = lifted_legs(track.blocks.motion, unmoved)
    return replace(
        plan, trunk=TrunkPlan(at_ease, plan.trunk.back), arms=None, digits=None, legs=legs
    )


def unplanned_blocks(plan: BodyPlan, times: Floats) -> Callable[[], None] | None:
    """Return a function that plans the blocks which poses at some times still wait for.

    The bodies of a long loop are planned block by block, each when a pose first needs it; the plan
    keeps what was planned. A caller may run the function in another thread beforehand.

    Args:
        plan: the plan of a loop.
        times: shape (T,), [s].

    Returns:
        A function without arguments or a result; None if poses at these times need not wait, as all
        their blocks are planned, or the loop is not planned block by block.
    """
    track = plan.trunk.track
    if not isinstance(track, SplineOfBlocks):
        return None
    blocks = [block for block in track.blocks.near(times) if block not in track.blocks.planned]

    def plan_blocks() -> None:
        for block in blocks:
            track.blocks.splines(block)  # plans the block, and keeps its splines for later poses

    return plan_blocks if blocks else None


def _steps(motion: Motion, parameters: Parameters) -> Steps | None:
    """The steps of all jugglers; None if nobody moves or feet are to stay under their bodies."""
    walks = parameters.feet == "step" and motion.bodies.has_movement
    return plan_steps(motion) if walks else None


def _trunk_plan(
    motion: Motion,
    parameters: Parameters,
    steps: Steps | None,
    stretch: Stretch | None = None,
    standing: Standing | None = None,
) -> TrunkPlan:
    """The plan of trunks, and of legs for throws around bodies; arguments as of `plan_trunks`."""
    amount = parameters.body_motion / 100
    trunks = plan_trunks(motion, amount, steps, stretch=stretch, standing=standing)
    if motion.choreography.events.body_throw is None:
        return trunks
    # Where forearms are is known once trunks are; then legs keep clear of these.
    plan = BodyPlan(trunks, gaze=None, steps=steps, legs=trunks.legs)
    forearms = forearms_at_ease(motion, plan, stretch)
    return plan_trunks(motion, amount, steps, trunks, forearms, stretch, standing)


def _shared_poses(
    motion: Motion, plan: BodyPlan, same: Integers | None = None
) -> SharedPoses | None:
    """Find the jugglers who do the same, so that one pose serves them.

    Args:
        motion: of their hands.
        plan: of their bodies.
        same: for each juggler the first one who does the same, shape (J,), if that is known.

    Returns:
        None if all must be posed: if there is one juggler, if feet step, or if no two do the same.
    """
    if motion.choreography.jugglers == 1 or plan.steps:
        return None
    if same is None:
        same = _first_alike(motion, plan)
    posed, pose_index = np.unique(same, return_inverse=True)
    return SharedPoses(posed, pose_index) if len(posed) < len(same) else None


def _first_alike(motion: Motion, plan: BodyPlan) -> Integers:
    """For each juggler the index of the first one who does the same, shape (J,).

    Jugglers do the same if they have the same hands, and the same plans of trunk, gaze, arms and
    legs.

    Args:
        motion: of their hands.
        plan: of their bodies. The blocks of a long loop may not be planned yet, but tell who has
            the same plan.
    """
    if isinstance(plan.trunk.track, SplineOfBlocks):
        return first_equal_in_all([motion.first_with_same_hands, plan.trunk.track.blocks.same])
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


@dataclass(frozen=True)
class BlockPlans:
    """Plans of the blocks of a long loop.

    Args:
        motion, parameters, steps: as of `plan_bodies`.
        gaze: of the whole loop.
        standing: how jugglers stand over the whole loop.
        same: for each juggler the index of the first one with the same plan, shape (J,).
        count: of blocks, which are equally long.
        planned: splines of those that were asked for, by their numbers, as of `splines`.
    """

    motion: Motion
    parameters: Parameters
    steps: Steps | None
    gaze: PeriodicSpline | None
    standing: Standing
    same: Integers
    count: int
    planned: dict[int, tuple[PeriodicSpline | None, ...]] = field(default_factory=dict)

    @staticmethod
    def of_loop(motion: Motion, parameters: Parameters, steps: Steps | None) -> BlockPlans:
        """Divide a loop into blocks of about `BLOCK` seconds, none of which is planned yet.

        Args:
            motion, parameters, steps: as of `plan_bodies`.
        """
        # Jugglers have the same plan if their trunks and their gazes are alike.
        gaze = plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100)
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
            same=first_equal_in_all(traits),
            count=max(1, round(motion.duration / BLOCK)),
        )

    def whole(self) -> BodyPlan:
        """Return the plan of the whole loop, of which blocks are planned as they are asked for."""
        plan = BodyPlan(
            trunk=TrunkPlan(
                SplineOfBlocks.empty(self, 0, trunk_plan.KNOT_RATE, (TRUNK_CHANNELS,)),
                self.standing.back,
            ),
            gaze=self.gaze,
            steps=self.steps,
            arms=SplineOfBlocks.empty(self, 1, arm_plan.KNOT_RATE, (2, ARM_CHANNELS)),
            digits=SplineOfBlocks.empty(self, 2, digit_sampling_rate(self.motion), (2, DIGITS)),
            legs=self._legs(),
            life=plan_life(self.parameters.body_motion / 100),
        )
        return replace(plan, shared=_shared_poses(self.motion, plan))

    def _legs(self) -> SplineOfBlocks | None:
        """Return how legs are lifted over the loop; None if nobody throws around the body."""
        if not self.motion.choreography.throws_around_body.any():
            return None
        knots = trunk_plan.LEG_KNOTS * round(self.length * trunk_plan.KNOT_RATE)
        return SplineOfBlocks.empty(self, 3, knots / self.length, (LEG_CHANNELS,))

    @property
    def length(self) -> float:
        """Duration of each block, [s]."""
        return self.motion.duration / self.count

    @property
    def start(self) -> float:
        """When the first block begins, [s]: poses from the start on are in the middle of it."""
        return -self.length / 2.0

    def near(self, times: Floats) -> list[int]:
        """Return the blocks, by their numbers, on which splines depend at some times.

        Args:
            times: shape (T,), [s]; any time, as the loop repeats.
        """
        # A value depends on knots up to two intervals away; the third is for rounding. Blocks are
        # longer than twice this reach, so both ends of it name all of them.
        reach = BLEND + 3.0 / trunk_plan.KNOT_RATE
        ends = np.concatenate([times - reach, times + reach]) - self.start
        return [int(block) for block in np.unique(np.floor(ends / self.length) % self.count)]

    def splines(self, block: int) -> tuple[PeriodicSpline | None, ...]:
        """Return the splines of trunks, arms, digits and legs of a block, by its number.

        They are planned when they are asked for first. None stands for arms that all stay at ease,
        for digits that close by their hands alone, or for legs that nobody lifts.
        """
        if block not in self.planned:
            trunk = _trunk_plan(
                self.motion,
                self.parameters,
                self.steps,
                stretch=self._stretch(block, trunk_plan.KNOT_RATE, _TRUNK_MARGIN),
                standing=self.standing,
            )
            plan = BodyPlan(trunk, self.gaze, self.steps, legs=trunk.legs)
            plan = replace(plan, shared=_shared_poses(self.motion, plan, self.same))
            stretch = self._stretch(block, arm_plan.KNOT_RATE, _ARM_MARGIN)
            arms = plan_arms(self.motion, plan, stretch)
            stretch = self._stretch(block, digit_sampling_rate(self.motion), _DIGIT_MARGIN)
            plan = replace(plan, arms=arms)
            digits = plan_digits(self.motion, plan, stretch)
            self.planned[block] = trunk.track, arms, digits, trunk.legs
        return self.planned[block]

    def _stretch(self, block: int, rate: float, margin: float) -> Stretch:
        """Return the stretch of the loop that is planned for a block, as if it were a loop.

        It has a margin on either side of the block, and then a part that leads back to its
        beginning.

        Args:
            block: its number, from 0.
            rate: knots a second, about: a block has a whole number of them.
            margin: time before and after the block that is planned as well, [s].
        """
        # The number of all knots has to be a multiple of `BANDS`, so the closing part is longer by
        # what is missing.
        knots = round(self.length * rate)
        margin_knots = round(margin * rate)
        closing = round(_CLOSING * rate)
        closing += -(knots + 2 * margin_knots + closing) % BANDS
        total = knots + 2 * margin_knots + closing
        period = self.length / knots
        start = self.start + block * self.length - margin_knots * period
        return Stretch(total, total * period, start, closing)


@dataclass(frozen=True, kw_only=True)
class SplineOfBlocks(PeriodicSpline):
    """A spline over a long loop, whose control values are those of blocks.

    They are written, and blocks planned, when values at times in or near them are first asked for.

    Args:
        controls: NaN where blocks were not asked for yet.
        blocks: their plans.
        part: index of the spline in `BlockPlans.splines`.
        written: blocks of which it has the control values.
    """

    blocks: BlockPlans
    part: int
    written: set[int] = field(default_factory=set)

    @staticmethod
    def empty(blocks: BlockPlans, part: int, rate: float, shape: tuple[int, ...]) -> SplineOfBlocks:
        """Return a spline whose control values are still to be written.

        Args:
            blocks, part: as of the class.
            rate: knots a second, about: a block has a whole number of them.
            shape: of the values of each juggler.
        """
        knots = blocks.count * round(blocks.length * rate)
        controls = np.full((knots, len(blocks.same), *shape), np.nan)
        loop = blocks.motion.duration
        return SplineOfBlocks(controls, loop, blocks.start, blocks=blocks, part=part)

    def at(self, times: Floats) -> Floats:
        """Return the values at some times, as `PeriodicSpline` does.

        Blocks that are near these times are planned and written first.
        """
        for block in self.blocks.near(times):
            if block not in self.written:
                self._write(block)
                self.written.add(block)
        return super().at(times)

    def _write(self, block: int) -> None:
        """Write the control values of a block.

        Around the bounds to both neighbours, for `BLEND` either way, values go over from those of
        one block to those of the other; they are written once both are planned.

        Args:
            block: its number, from 0.
        """
        count = self.blocks.count
        knots = len(self.controls) // count
        blend = round(BLEND * knots / self.blocks.length)
        first = block * knots
        self.controls[first + blend : first + knots - blend] = self._of_block(
            block, blend, knots - blend
        )
        # Over the bounds to both neighbours, where these are planned: from the earlier block (0) to
        # the later one (1). Knots of either are counted from its own beginning, so those around the
        # bound are the last of the earlier one and beyond, and the first of the later one and
        # before. Block −1 is the last one of the loop.
        share = smooth_step((np.arange(2 * blend) + 0.5) / (2 * blend))
        share = share.reshape(-1, *(1,) * (self.controls.ndim - 1))
        for earlier, later in ((block - 1, block), (block, block + 1)):
            if earlier % count in self.blocks.planned and later % count in self.blocks.planned:
                old = self._of_block(earlier % count, knots - blend, knots + blend)
                new = self._of_block(later % count, -blend, blend)
                rows = np.arange(-blend, blend) + later * knots
                self.controls[rows % len(self.controls)] = old + share * (new - old)

    def _of_block(self, block: int, first: int, last: int) -> Floats | float:
        """Return control values as the plan of a block has them.

        Args:
            block: its number.
            first, last: range of knots, counted from the beginning of the block, `last` excluded;
                those before 0 and from the block's end on are in its margins.

        Returns:
            Shape (last − first, J, ...); 0 where the plan has no spline, as arms stay at ease.
        """
        # The spline begins with the margin before the block.
        spline = self.blocks.splines(block)[self.part]
        if spline is None:
            return 0.0
        period = spline.duration / len(spline.controls)
        begins = self.start + block * self.blocks.length
        margin = round((begins - spline.start) / period)
        return spline.controls[margin + first : margin + last]
