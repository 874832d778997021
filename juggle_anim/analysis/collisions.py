"""Collisions of props with props and bodies, and the nearest misses.

Props in one hand do not collide, nor does a prop with the hand and forearm that hold, throw or
catch it, nor solids that have touched without a break since then.

Pairs of a prop and a limb of a body that may collide, and which hand handles which prop when.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np

from juggle_anim.analysis.encounters import (
    TOUCH,
    BlockCandidates,
    Candidates,
    ClosestApproaches,
    ContactSpans,
    Pairs,
    RoundCones,
    TimeGrid,
    find_encounters,
    round_cone_distance,
    time_grid,
)
from juggle_anim.analysis.measures import SIDES, prop_intervals
from juggle_anim.analysis.prop_solids import (
    SEARCHED_LOOPS,
    BlockSamples,
    BoundingBoxes,
    BreakpointTable,
    PropPairs,
    PropSolids,
    overlapping_pairs,
    sample_blocks,
)
from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers, Singles
from juggle_anim.body import DIGIT_JOINTS, Joint
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.scene import LIMBS, Cone, Limb, limb_shapes

# The first joint with a weight in a limb gives the limb its name, unless a digit has one.
_PART_OF_JOINT = (
    ("HEAD", "head"),
    ("PALM", "hand"),
    ("WRIST", "forearm"),
    ("ELBOW", "upper arm"),
    ("TOES", "foot"),
    ("ANKLE", "shin"),
    ("KNEE", "thigh"),
)

# Parts that may touch the prop that the hand handles.
_HANDLING_PARTS = ("hand", "forearm")

HANDLING = 0.08
"""Time before a catch and after a throw in which the prop may touch the hand and forearm that
handle it, [s].
"""

_SAMPLE_STEP = 0.003  # s, between samples of limbs
_MIN_SAMPLES = 64  # of a loop
_MAX_TABLE_SIZE = 60_000_000  # numbers; the motion of many jugglers is sampled less often

_FEWEST_SHARING_LIMBS = 20  # jugglers; fewer than this have limbs of their own in any case

_BODIES_AT_ONCE = 4_000  # that are posed together; memory grows with it
_GAPS_AT_ONCE = 8_000  # that are computed together, so that they fit into the processor's caches

_ROUNDING = 1e-4  # m, by less than which single precision makes bounds wrong

# Samples in the middles of the thirds of a block.
_EARLY_SAMPLE = 1
_MIDDLE_SAMPLE = BlockSamples.INTERVALS // 2
_LATE_SAMPLE = BlockSamples.INTERVALS - 1

# Sums the three coordinates of a limb's start, and of its end: shape (8, 2).
_SUM_OF_ENDS = np.zeros((8, 2), dtype=np.float32)
_SUM_OF_ENDS[Cone.START, 0] = 1.0
_SUM_OF_ENDS[Cone.END, 1] = 1.0


class BodyPairs:
    """Pairs of a prop and a limb, numbered prop · limbs + limb; limbs are numbered by juggler.

    Props are the solids of `juggle_anim.analysis.prop_solids`.
    """

    def __init__(self, animation: Animation) -> None:
        self._motion = motion = animation.motion
        self._limb_count = animation.num_jugglers * len(ARM_OF)
        self._limbs = LimbTable.from_animation(animation)
        self._solids = PropSolids(motion)
        self._breakpoints = BreakpointTable.from_motion(motion, (-HANDLING, 0.0, HANDLING))
        self._handling = HandlingTable.from_motion(motion)

    @property
    def count(self) -> int:
        """The number of all pairs."""
        return self._motion.choreography.props * self._limb_count

    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Return the gaps between surfaces, [m]."""
        # Blocks that fit into the processor's caches are three times as fast as one large array.
        firsts = range(0, max(len(pair), 1), _GAPS_AT_ONCE)
        blocks = [slice(first, first + _GAPS_AT_ONCE) for first in firsts]
        return np.concatenate([self._gap_of_block(pair[block], times[block]) for block in blocks])

    def _gap_of_block(self, pair: Integers, times: Floats) -> Floats:
        prop, limb = self.prop_and_limb(pair)
        return self._solids.gap_to_cones(
            self._solids.posed(prop, times), self._limbs.cones(limb, times)
        )

    def slopes(self, pair: Integers, times: Floats) -> Floats:
        """Return the one-sided gradients of each gap with respect to the prop's position.

        Returns:
            Shape (2, N, 3) for N gaps, [m/m]: the slopes ahead and back along each axis.
        """
        prop, limb = self.prop_and_limb(pair)
        cones = self._limbs.cones(limb, times)
        return self._solids.posed(prop, times).slopes(
            lambda moved: self._solids.gap_to_cones(moved, cones)
        )

    def contact_allowed(self, pair: Integers, times: Floats) -> Booleans:
        """Return whether the limb is part of an arm that holds, throws or catches the prop."""
        prop, limb = self.prop_and_limb(pair)
        side = self.side(limb)
        on_arm = side >= 0
        hand = 2 * self.juggler(limb) + side
        allowed = np.zeros(len(pair), dtype=bool)
        allowed[on_arm] = self._handling.handles(prop[on_arm], hand[on_arm], times[on_arm])
        return allowed

    def breakpoints(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """Return when the prop is thrown, caught or bounces, or its handling begins or ends."""
        return self._breakpoints.within(self.prop_and_limb(pair)[0], start, end)

    def pair_in_next_loop(self, pair: Integers) -> Integers:
        """For each pair, return the pair that is at any time where that pair is one loop later.

        It has the next prop of the orbit, and the same limb.
        """
        prop, limb = self.prop_and_limb(pair)
        return self._motion.successors()[prop] * self._limb_count + limb

    def prop_and_limb(self, pair: Integers) -> tuple[Integers, Integers]:
        """Return the prop and the limb of each pair."""
        return pair // self._limb_count, pair % self._limb_count

    @staticmethod
    def juggler(limb: Integers) -> Integers:
        """Return the juggler of each limb."""
        return limb // len(ARM_OF)

    @staticmethod
    def side(limb: Integers) -> Integers:
        """Return the side of the arm that each limb belongs to: 0 left, 1 right, −1 no arm."""
        side: Integers = np.array(ARM_OF)[limb % len(ARM_OF)]
        return side

    def near_candidates(self, reach: float, grid: TimeGrid) -> Candidates:
        """Return the pairs of a prop and a limb whose gap may be at most `reach`, block by block.

        A block is one of the equal parts of the loop. A candidate is a pair of solids that may come
        near each other in a block; here a prop, and a limb, a round cone of a body.

        Args:
            reach: the greatest gap of a candidate, [m].
            grid: the time grid, which divides a loop into blocks. One block more is searched, the
                first of the next loop: an encounter that begins at the loop's end may have its
                smallest gap there.

        Returns:
            All such pairs and blocks, with lower bounds of their gaps, and whether each needs to be
            searched (`needed`). A pair is not needed in a block throughout which the limb's hand
            handles the prop, for then contact is allowed. It is needed all the same if it may be
            one half of a contact that crosses the loop's end.
        """
        duration = grid.block_duration
        candidates = Candidates.from_blocks(
            self._near_in_block(samples, reach, start=block * duration, end=(block + 1) * duration)
            for block, samples in enumerate(sample_blocks(self._motion, grid))
        )

        # A contact that crosses the loop's end is allowed as a whole if the hand handles the prop
        # on either side of the end. So if a contact is possible on one side, the other side is
        # searched even if the hand handles the prop throughout that block.
        in_first_block = candidates.block == 0
        in_last_block = candidates.block == grid.blocks - 1
        # At the loop's end each prop takes the place of the next prop of its orbit. So a contact of
        # one pair continues at the loop's start as a contact of another, its next pair.
        next_pair = self.pair_in_next_loop(candidates.pair)
        may_touch = candidates.needed & (candidates.bound <= reach)
        pairs_across_end = next_pair[in_last_block & may_touch]
        pairs_at_start = candidates.pair[in_first_block & may_touch]
        may_continue_contact = in_first_block & np.isin(candidates.pair, pairs_across_end)
        may_be_continued = in_last_block & np.isin(next_pair, pairs_at_start)
        return replace(
            candidates, needed=candidates.needed | may_continue_contact | may_be_continued
        )

    def _near_in_block(
        self, samples: BlockSamples, reach: float, start: float, end: float
    ) -> BlockCandidates:
        """Return the pairs of a prop and a limb that may come near each other in a block of time.

        A block is one of the equal parts of the loop; a limb is a round cone of a body. A pair need
        not be searched where the limb's hand holds, throws or catches the prop throughout the
        block, as contact is allowed then.

        Args:
            samples: positions of the props at evenly spaced times of the block, 0 to
                `BlockSamples.INTERVALS`, and upper bounds of their speeds.
            reach: pairs whose gap is surely greater than this may be left out, [m].
            start, end: start and end of the block, [s].

        Returns:
            The pairs, with lower bounds of their gaps within the block, and whether each needs to
            be searched.
        """
        # A box around each limb of all jugglers throughout the block, and its greatest speed, m/s.
        limb_boxes, limb_speed = self._limbs.boxes_and_speeds(start, end)
        # The box of a prop contains its centre; it grows by how far the prop reaches from there,
        # and by `reach`.
        prop_boxes = samples.boxes.grown(self._solids.reach + reach)
        prop, limb = _props_at_limbs(prop_boxes, limb_boxes)
        needed = ~self._handled_throughout(prop, limb, start, end)

        # A lower bound of the gap within the block: a lower bound in its middle, less the distance
        # by which the two solids can approach each other from there to either end of the block.
        closing_speed = samples.speed[prop] + limb_speed[limb]
        middle = self._gap_bounds_at_sample(
            samples, _MIDDLE_SAMPLE, prop=prop, limb=limb, start=start
        )
        half_block = _MIDDLE_SAMPLE * samples.interval  # s
        bound = middle - closing_speed * half_block

        # For pairs that this bound does not exclude, a better one from three samples: the middles
        # of the block's thirds, from one of which any time is at most one interval away.
        near_rows = np.flatnonzero(needed & (bound <= reach))
        near_prop = prop[near_rows]
        near_limb = limb[near_rows]
        early, late = (
            self._gap_bounds_at_sample(samples, index, prop=near_prop, limb=near_limb, start=start)
            for index in (_EARLY_SAMPLE, _LATE_SAMPLE)
        )
        nearest = np.minimum.reduce([early, late, middle[near_rows]])
        finer_bound = nearest - closing_speed[near_rows] * samples.interval
        bound[near_rows] = np.maximum(bound[near_rows], finer_bound)
        pair = prop * self._limb_count + limb
        return BlockCandidates(pair, bound - _ROUNDING, needed)

    def _gap_bounds_at_sample(
        self, samples: BlockSamples, index: int, *, prop: Integers, limb: Integers, start: float
    ) -> Floats:
        """Return lower bounds of the gaps between props and limbs at a sampled time of a block.

        A block is one of the equal parts of the loop that are searched one by one. A prop counts as
        the ball that contains it in whatever direction it points.

        Args:
            samples: positions of props in a block that begins at `start`.
            index: index of the sample, from 0 (start of the block) to `BlockSamples.INTERVALS` (its
                end).
            prop, limb: shape (N,), numbers of the props and of the limbs of all jugglers.
            start: start of the block, [s].

        Returns:
            Shape (N,) for N pairs of a prop and a limb, [m].
        """
        cones = self._limbs.cones_at(limb, start + index * samples.interval)
        return round_cone_distance(samples.centres[index, prop], cones) - self._solids.reach[prop]

    def _handled_throughout(
        self, prop: Integers, limb: Integers, start: float, end: float
    ) -> Booleans:
        """Whether the hand to which a limb belongs handles a prop from `start` to `end`, [s]."""
        # −1 for a limb that belongs to no hand or forearm; then hand 0 stands in, and is ruled out.
        side = self.side(limb)
        hand = 2 * self.juggler(limb) + np.maximum(side, 0)
        return (side >= 0) & self._handling.handles(prop, hand, start, until=end)


def _props_at_limbs(
    prop_boxes: BoundingBoxes, limb_boxes: BoundingBoxes
) -> tuple[Integers, Integers]:
    """Find the pairs of a prop and a limb whose bounding boxes overlap or touch.

    Args:
        prop_boxes: a box along the axes around each prop.
        limb_boxes: a box around each limb of all jugglers, juggler by juggler.

    Returns:
        The number of the prop and the number of the limb of each pair.
    """
    # First find props near whole jugglers, by one box around each juggler; then compare these with
    # the boxes of that juggler's limbs alone, as there may be thousands of limbs in all. `ARM_OF`
    # has an item for each limb of a body, so its length is their number.
    low = limb_boxes.low.reshape(-1, len(ARM_OF), 3)
    high = limb_boxes.high.reshape(-1, len(ARM_OF), 3)
    prop, juggler = overlapping_pairs(prop_boxes, BoundingBoxes(low.min(axis=1), high.max(axis=1)))
    boxes_of_pairs = prop_boxes.select(prop)
    overlaps = (boxes_of_pairs.low[:, None] <= high[juggler]) & (
        low[juggler] <= boxes_of_pairs.high[:, None]
    )
    row, limb_of_juggler = np.nonzero(overlaps.all(axis=2))
    return prop[row], juggler[row] * len(ARM_OF) + limb_of_juggler


def _name_and_arm_side(limb: Limb) -> tuple[str, int]:
    """Return the name of the part of the body that a limb belongs to, and the side of its arm.

    Args:
        limb: a round cone that moves with joints. Each of its ends is a weighted sum of the places
            of joints; `limb.start` and `limb.end` are the weights, indexed by `Joint`.

    Returns:
        The name of the part, such as "left hand"; and the side, 0 left or 1 right, of a hand or
        forearm, which may touch a prop that this hand holds, throws or catches. The side is −1 for
        all other parts, upper arms included.
    """
    # A limb is named by the first joint of the list that moves one of its ends. Joints of hands
    # come first, so a limb from wrist to palm is part of the hand, not of the forearm.
    weight_of_joint = np.abs(limb.start) + np.abs(limb.end)
    for side, digit_joints in enumerate(DIGIT_JOINTS):
        if weight_of_joint[digit_joints].any():
            return f"{SIDES[side]} hand", side
    for joint, part in _PART_OF_JOINT:
        if joint == "HEAD":  # the only joint of the list that has no left and right
            if weight_of_joint[Joint.HEAD]:
                return part, -1
            continue
        for side, side_name in enumerate(SIDES):
            if weight_of_joint[Joint[f"{side_name.upper()}_{joint}"]]:
                return f"{side_name} {part}", side if part in _HANDLING_PARTS else -1
    return "trunk", -1


PARTS: tuple[str, ...] = tuple(_name_and_arm_side(limb)[0] for limb in LIMBS)
"""The part of the body that each limb belongs to."""

ARM_OF: tuple[int, ...] = tuple(_name_and_arm_side(limb)[1] for limb in LIMBS)
"""The side of each limb that belongs to a hand or forearm, −1 for all others."""


@dataclass(frozen=True)
class HandlingTable:
    """Time spans in which a hand holds, throws or catches a prop, sorted by prop, hand and time.

    Args:
        key: shape (N,) for N spans, (prop · hands + hand) · width + start − earliest, ascending:
            one number that sorts as prop, hand and start do. So each prop and hand have a range of
            keys of their own, as long as `width`.
        end: shape (N,), when each span ends, [s].
        hands: number of hands.
        width: more than any start or searched time is after `earliest`, [s], so that keys of
            different props and hands cannot overlap.
        earliest: the least start, or 0 if that is less, [s].
    """

    key: Floats
    end: Floats
    hands: int
    width: float
    earliest: float

    @classmethod
    def from_motion(cls, motion: Motion) -> Self:
        """Return the spans of time in which hands hold, throw or catch props, as a sorted table.

        They are those that reach into the first `SEARCHED_LOOPS` (two) loops from time 0 on. A span
        is longer than the hold of the prop by `HANDLING` (0.08 s) at each end, for the catch and
        the throw.

        Args:
            motion: motion of props and hands, which repeats.
        """
        hand_count = 2 * motion.choreography.jugglers
        loop = motion.duration

        # Holds of earlier loops may last into the first one, but no longer than the prop takes once
        # around its orbit (the closed path that some props share). Spans begin HANDLING before
        # their holds, so holds shortly after the searched loops count, too.
        longest_hold = float(motion.props.paths.periods.max(initial=0.0))
        # The spans in which a prop flies or is held, of these loops.
        intervals = prop_intervals(
            motion,
            loops_before=math.ceil((longest_hold + HANDLING) / loop),
            loops_after=SEARCHED_LOOPS - 1 + math.ceil(HANDLING / loop),
        )
        held = intervals.holder >= 0  # −1 in flight
        start = intervals.start[held] - HANDLING
        end = start + intervals.duration[held] + 2 * HANDLING

        # One number for each span, by which prop, then hand, then start sort: each prop and hand
        # have a range of keys of their own, as long as `width`, within which spans lie by start.
        # It is longer than any time after `earliest` that occurs, so that ranges do not overlap.
        earliest = float(start.min(initial=0.0))
        width = float(end.max(initial=0.0)) - earliest + SEARCHED_LOOPS * loop
        prop_and_hand = intervals.prop[held] * hand_count + intervals.holder[held]
        key = prop_and_hand * width + start - earliest
        order = np.argsort(key)
        return cls(key=key[order], end=end[order], hands=hand_count, width=width, earliest=earliest)

    def handles(
        self, prop: Integers, hand: Integers, times: Floats | float, until: float | None = None
    ) -> Booleans:
        """Return whether hands handle props, that is, hold, throw or catch them, at given times.

        Args:
            prop, hand: N props, each with the hand to compare it with, shape (N,); a hand is
                2 · juggler + side (0 left, 1 right).
            times: shape (N,), or one time for all, [s].
            until: a later time up to which a hand must handle the prop without a break, [s]; None
                to ask about the times alone.

        Returns:
            Whether the hand of each row handles the prop of that row, shape (N,).
        """
        if not len(self.key):
            return np.zeros(len(prop), dtype=bool)
        # Spans of time in which a hand handles a prop are sorted by one number, their key. Each
        # pair of a prop and a hand has a range of keys of its own: the key of a span is
        # `first_key` plus its start, counted from `earliest`.
        first_key = (prop * self.hands + hand) * self.width
        key_of_time = first_key + times - self.earliest
        # The last span of the prop and the hand that begins at or before the time. If there is
        # none, the search finds a span of another prop or hand, whose key is below `first_key`; or
        # none at all, for which row 0 stands in, whose key is above `key_of_time`. Both are ruled
        # out.
        span = np.maximum(np.searchsorted(self.key, key_of_time, side="right") - 1, 0)
        has_begun = (self.key[span] >= first_key) & (self.key[span] <= key_of_time)
        handled_until = times if until is None else until
        return has_begun & (self.end[span] > handled_until)


@dataclass(frozen=True)
class LimbTable:
    """Limbs at N evenly spaced times of a loop, with cubic interpolation.

    Jugglers who stand still and move alike share the limbs of one body, seen from where they stand.

    Args:
        loop: duration of the loop, [s].
        limbs: shape (N, R · limbs, 8), for R bodies: columns `Cone.SHAPE`, [m].
        body_of_juggler: shape (J,), which of the R bodies each of J jugglers has.
        standing: shape (J, 3), where jugglers stand, [m]. Then the limbs are in the frame of one
            who stands at the origin and faces along +z. None if the limbs are in the world already.
        facing_cos_sin: shape (J, 2), cosine and sine of the angle that each juggler faces; None if
            `standing` is.
    """

    loop: float
    limbs: Singles
    body_of_juggler: Integers
    standing: Floats | None = None
    facing_cos_sin: Floats | None = None

    @classmethod
    def from_animation(cls, animation: Animation) -> Self:
        """Sample the limbs of all jugglers at evenly spaced times of a loop.

        A limb is a round cone that stands for a part of the body. Jugglers who make the same
        movements at the same times share the limbs of one body, which is posed once for all of
        them. Limbs are not shared if somebody moves about, or if there are fewer than
        `_FEWEST_SHARING_LIMBS` (20) jugglers.

        Args:
            animation: the motion of J jugglers, and the plan by which their bodies are posed.

        Returns:
            The table; `standing` and `facing_cos_sin` are None unless bodies are shared.
        """
        # Breath and sway have periods of their own; here they are fitted to the loop.
        animation = animation.closing_after(1)
        loop = animation.duration  # s
        body_count = animation.num_jugglers
        body_of_juggler = np.arange(body_count)
        # Which jugglers are posed (`posed`), and which of these bodies each juggler has
        # (`pose_index`); None if no two jugglers make the same movements.
        shared = animation.plan.shared
        if animation.motion.bodies.has_movement or animation.num_jugglers < _FEWEST_SHARING_LIMBS:
            shared = None
        if shared:
            body_count = len(shared.posed)
            body_of_juggler = shared.pose_index

        sample_count = _limb_sample_count(loop, animation.num_jugglers)
        times = np.arange(float(sample_count)) * (loop / sample_count)

        # Pose the bodies at some times at once: poses at all times may not fit into memory.
        times_at_once = max(1, _BODIES_AT_ONCE // body_count)
        # `ARM_OF` has an item for each limb of a body; a limb has x, y, z and radius of both ends.
        limbs = np.empty((sample_count, body_count * len(ARM_OF), 8), dtype=np.float32)
        for first in range(0, sample_count, times_at_once):
            rows = slice(first, first + times_at_once)
            pose = animation.pose_bodies(times[rows]) if shared else animation.pose(times[rows])
            limbs[rows] = limb_shapes(pose.joints).reshape(len(pose.joints), -1, 8)
        if not shared:
            return cls(loop=loop, limbs=limbs, body_of_juggler=body_of_juggler)

        # `pose_bodies` gives bodies that stand at the origin, and apart from them where jugglers
        # stand, shape (times, J, 1, 3), and which angle they face, shape (times, J, 1). As nobody
        # moves about, these are the same at all times: one time is enough.
        pose = animation.pose_bodies(times[:1])
        facing = pose.facing[0]
        return cls(
            loop=loop,
            limbs=limbs,
            body_of_juggler=body_of_juggler,
            standing=pose.standing[0, :, 0],
            facing_cos_sin=np.concatenate([np.cos(facing), np.sin(facing)], axis=1),
        )

    def cones(self, limb: Integers, times: Floats) -> RoundCones:
        """Interpolate N limbs, each at its own time, and return them in the world.

        A limb is a round cone: a line of balls whose radii change evenly from end to end.

        Args:
            limb: shape (N,), numbers of limbs, counted juggler by juggler.
            times: shape (N,), [s], in any loop.
        """
        # Cubic interpolation from the four ticks (times of samples) around each time: two at or
        # before it, two after it. `first_tick` is the number of the earliest of them.
        tick_count, limbs_per_tick, column_count = self.limbs.shape
        time_in_ticks = times * (tick_count / self.loop)
        tick_before = np.floor(time_in_ticks)
        first_tick = tick_before.astype(np.intp) - 1

        # `take` from the table with both its first axes in one is twice as fast as indexing by tick
        # and limb.
        limb_of_tick = self._table_rows(limb)
        table = self.limbs.reshape(-1, column_count)
        shapes = np.zeros((len(limb), column_count))
        for offset, weight in enumerate(_cubic_weights(time_in_ticks - tick_before)):
            # After the last tick of the loop comes the first.
            tick = (first_tick + offset) % tick_count
            shapes += weight[:, None] * table.take(tick * limbs_per_tick + limb_of_tick, axis=0)
        return self._cones_in_world(shapes, limb)

    def cones_at(self, limb: Integers, time: float) -> RoundCones:
        """Interpolate N limbs at one time, in single precision, and return them in the world.

        This is faster than `cones`, and precise enough for bounds.

        Args:
            limb: shape (N,), numbers of limbs of all jugglers.
            time: [s], in any loop.
        """
        tick_count = len(self.limbs)
        time_in_ticks = time * (tick_count / self.loop)
        tick_before = math.floor(time_in_ticks)
        weights = _cubic_weights(np.array(time_in_ticks - tick_before))
        # The weighted sum of the table at four ticks (times of samples): two at or before the time,
        # two after it; after the last tick of the loop comes the first. It is computed for all
        # limbs of the table, from which the ones asked for are then taken.
        shapes = sum(
            np.float32(weight) * self.limbs[tick % tick_count]
            for tick, weight in enumerate(weights, start=tick_before - 1)
        )
        return self._cones_in_world(shapes[self._table_rows(limb)], limb)

    def _table_rows(self, limb: Integers) -> Integers:
        """The row of the table that each limb has."""
        return self.body_of_juggler[limb // len(ARM_OF)] * len(ARM_OF) + limb % len(ARM_OF)

    def _cones_in_world(self, shapes: Floats, limb: Integers) -> RoundCones:
        """Move limbs of bodies from the table's frame into the world, and return them as cones.

        In the table's frame a juggler stands at the origin and faces along +z; or the limbs of the
        table are in the world already.

        Args:
            shapes: shape (N, 8) for N limbs, x, y, z and radius of both ends, [m], in the frame of
                the table.
            limb: shape (N,), numbers of limbs of all jugglers, which say whose place to move to.
        """
        start_radius, end_radius = shapes[:, Cone.RADII].T
        ends = shapes.reshape(-1, 2, 4)[..., :3]  # without radii
        start, end = np.moveaxis(self._points_in_world(ends, limb // len(ARM_OF)), 1, 0)
        return RoundCones(start, start_radius, end, end_radius)

    def _points_in_world(self, points: Floats, juggler: Integers) -> Floats:
        """Move points of jugglers from the table's frame into the world, shape (N, K, 3), [m].

        Args:
            points: shape (N, K, 3), K points for each of N jugglers, [m], as they are if the
                juggler stands at the origin and faces along +z.
            juggler: shape (N,), the number of each juggler, who may occur several times.
        """
        # Both attributes are None if the table's limbs are in the world already.
        if self.standing is None or self.facing_cos_sin is None:
            return points
        # Turn about the vertical axis y from +z toward +x, to where the juggler faces, then move to
        # where the juggler stands.
        cosine, sine = self.facing_cos_sin[juggler].T[..., None]
        x, y, z = np.moveaxis(points, -1, 0)
        turned = np.stack([x * cosine + z * sine, y, z * cosine - x * sine], axis=-1)
        return turned + self.standing[juggler, None]

    def boxes_and_speeds(self, start: float, end: float) -> tuple[BoundingBoxes, Floats]:
        """Return bounding boxes of the limbs of all jugglers in a span of time, and their speeds.

        Args:
            start, end: start and end of the span, [s], in any loop.

        Returns:
            A box in the world around each limb, radii included; and upper bounds of the speeds of
            the limbs' ends, [m/s], in the same order: juggler by juggler.
        """
        ticks_per_second = len(self.limbs) / self.loop  # ticks are times of samples
        # The ticks around the span, and one more on either side, which the cubic uses too.
        first = math.floor(start * ticks_per_second) - 1
        last = math.ceil(end * ticks_per_second) + 1
        low, high, greatest_move = self._extremes_at_ticks(first, last)

        # One box around both ends of each limb.
        box_low = np.minimum(low[:, Cone.START], low[:, Cone.END]).astype(float)
        box_high = np.maximum(high[:, Cone.START], high[:, Cone.END]).astype(float)
        # Boxes grow by the radius, which is the same at all ticks, and by half a move from tick to
        # tick: between two ticks the interpolated limb may be outside of the box around both, but
        # by an eighth of a move at most.
        radius = self.limbs[0, :, Cone.RADII].max(axis=1)
        boxes = BoundingBoxes(box_low, box_high).grown(radius + greatest_move / 2)

        # The slope of the interpolating cubic is a weighted sum of the three moves between its four
        # ticks. The absolute weights add up to at most 4/3.
        speeds = greatest_move * (4 / 3 * ticks_per_second)
        # Jugglers who share a body have limbs of equal speeds: from the bodies of the table to the
        # limbs of all jugglers.
        speeds = speeds.reshape(-1, len(ARM_OF))[self.body_of_juggler].ravel()
        return self._boxes_in_world(boxes), speeds

    def _extremes_at_ticks(self, first: int, last: int) -> tuple[Singles, Singles, Floats]:
        """Return between which places limbs move, and how far they move from tick to tick.

        Ticks are the times of samples; limbs are round cones that stand for parts of bodies.

        Args:
            first, last: numbers of the first and last tick, counted on around the loop.

        Returns:
            The least and the greatest values of the limbs' columns, both (L, 8) for L limbs of the
            table; and the greatest distance that either end of each limb moves in one tick, (L,),
            [m].
        """
        tick_count = len(self.limbs)
        previous = self.limbs[first % tick_count]
        low = previous.copy()
        high = previous.copy()
        squared_moves = np.zeros((len(previous), 2), dtype=np.float32)  # of start and end
        for tick in range(first + 1, last + 1):
            limbs = self.limbs[tick % tick_count]
            # The arrays are changed in place, which is faster.
            np.minimum(low, limbs, out=low)
            np.maximum(high, limbs, out=high)
            squares = limbs - previous
            squares *= squares
            # The squares of the coordinates are summed for both ends by a matrix of ones and zeros.
            np.maximum(squared_moves, squares @ _SUM_OF_ENDS, out=squared_moves)
            previous = limbs
        return low, high, np.sqrt(squared_moves.max(axis=1).astype(float))

    def _boxes_in_world(self, boxes: BoundingBoxes) -> BoundingBoxes:
        """Return the boxes in the world around the limbs of all jugglers, juggler by juggler.

        In the frame of the table a juggler stands at the origin and faces along +z; or the limbs of
        the table are in the world already.

        Args:
            boxes: boxes around the limbs of the bodies in the table, in the frame of the table;
                jugglers may share a body.
        """
        # None if the table's limbs are in the world already; there is a body for each juggler then,
        # in their order.
        if self.facing_cos_sin is None:
            return boxes
        shape = (-1, len(ARM_OF), 3)
        middle = ((boxes.low + boxes.high) / 2).reshape(shape)[self.body_of_juggler]
        half_size = ((boxes.high - boxes.low) / 2).reshape(shape)[self.body_of_juggler]
        middle = self._points_in_world(middle, np.arange(len(middle)))

        # A box along the axes around a box turned about y is larger: half its size along x, or
        # along z, is the sum of both old half sizes, projected by |cos| and |sin| of the angle.
        abs_cosine, abs_sine = np.abs(self.facing_cos_sin).T[..., None]  # shape (J, 1) each
        half_x, half_y, half_z = np.moveaxis(half_size, -1, 0)  # shape (J, limbs) each
        half_size = np.stack(
            [
                half_x * abs_cosine + half_z * abs_sine,
                half_y,
                half_z * abs_cosine + half_x * abs_sine,
            ],
            axis=-1,
        )
        low = (middle - half_size).reshape(-1, 3)
        high = (middle + half_size).reshape(-1, 3)
        return BoundingBoxes(low, high)


def _limb_sample_count(loop: float, jugglers: int) -> int:
    """Return at how many times of a loop, [s], the limbs are sampled.

    There is a sample every `_SAMPLE_STEP`, but no more than fit into memory. With many jugglers
    this leaves few samples, but never less than `_MIN_SAMPLES`, whatever the memory.
    """
    # 64 is about the number of limbs of a body, and each limb has 8 numbers.
    most_samples = _MAX_TABLE_SIZE // (jugglers * 8 * 64)
    return max(_MIN_SAMPLES, min(math.ceil(loop / _SAMPLE_STEP), most_samples))


def _cubic_weights(u: Floats) -> tuple[Floats, ...]:
    """Weights of cubic Lagrange interpolation at u from 0 to 1, of values at −1, 0, 1 and 2."""
    return (
        -u * (u - 1) * (u - 2) / 6,
        (u + 1) * (u - 1) * (u - 2) / 2,
        -(u + 1) * u * (u - 2) / 2,
        (u + 1) * u * (u - 1) / 6,
    )


# How far the nearest miss is searched for.
_FIRST_REACH = 0.05  # m
_REACH_GROWTH_OF_SEARCHES = 4.0  # factor of the reach of the next search
_REACH_GROWTH_WITHIN_SEARCH = 1.5  # factor of the reach of the next part of one search
_MAX_REACH = 200.0  # m
_REACH_PER_GAP = 1.001  # factor of the gap of a miss, up to which a nearer one is searched for

_SAME_TIME = 1e-7  # s


class Participants(NamedTuple):
    """The participants of a collision or a miss: the first fields of `Collision`."""

    prop: int
    other: int
    juggler: int
    part: str


@dataclass(frozen=True)
class Collision:
    """A prop that hits another prop or a body.

    Args:
        prop: its number.
        other: the other prop's number; −1 where it is a body.
        juggler: index of the juggler who is hit; −1 if a prop is hit.
        part: part of the body, such as "left thigh"; empty if a prop is hit.
        start: beginning of the contact, [s], from 0 up to the loop's duration.
        end: end of the contact, [s]; beyond the loop's duration if it continues into later loops.
        time: time of the deepest overlap, [s], from start to end.
        overlap: depth of the deepest overlap, above 0, [m].
    """

    prop: int
    other: int
    juggler: int
    part: str
    start: float
    end: float
    time: float
    overlap: float

    @property
    def participants(self) -> Participants:
        """The prop, and the other prop or the part of a body that it hits."""
        return Participants(self.prop, self.other, self.juggler, self.part)

    @property
    def balls(self) -> tuple[int, ...]:
        """Numbers of the props that take part: one where it hits a body, else two."""
        return (self.prop,) if self.part else (self.prop, self.other)


@dataclass(frozen=True)
class NearMiss:
    """Two solids that pass each other without a touch.

    Args:
        prop: its number.
        other: the other prop's number; −1 where it is a body.
        juggler: index of the juggler who is hit; −1 if a prop is hit.
        part: part of the body, such as "left thigh"; empty if a prop is hit.
        time: time of the least gap, [s].
        gap: between their surfaces, [m].
    """

    prop: int
    other: int
    juggler: int
    part: str
    time: float
    gap: float


@dataclass(frozen=True)
class Collisions:
    """All collisions of one loop by time, and the nearest misses of props and of bodies."""

    collisions: tuple[Collision, ...]
    miss: NearMiss | None
    body_miss: NearMiss | None


def find_collisions(animation: Animation) -> Collisions:
    """Find the collisions of one loop, and the nearest misses of two props and of prop and body.

    One loop is enough: in the next, each prop does what the prop after it on its orbit, the closed
    path that they share, does in this one.

    Args:
        animation: the animation, which moves props and poses jugglers.

    Returns:
        The collisions, sorted by start, prop, other prop and juggler, and the misses.
    """
    grid = time_grid(animation.duration)  # the loop in blocks of 0.05 s or less
    between_props, miss = _search_until_miss(PropPairs(animation.motion), grid, _FIRST_REACH)
    # Most props pass bodies somewhat farther away; with twice the reach one search is enough.
    with_bodies, body_miss = _search_until_miss(BodyPairs(animation), grid, 2 * _FIRST_REACH)
    collisions = sorted(
        between_props + with_bodies,
        key=lambda hit: (hit.start, hit.prop, hit.other, hit.juggler),
    )
    return Collisions(tuple(collisions), miss, body_miss)


def _search_until_miss(
    pairs: PropPairs | BodyPairs, grid: TimeGrid, reach: float
) -> tuple[list[Collision], NearMiss | None]:
    """Find the collisions and the nearest miss, by searches of growing reach.

    Args:
        pairs: pairs of two props, or of a prop and a limb.
        grid: the time grid, a loop divided into blocks.
        reach: the greatest gap of pairs that the first search considers, [m]; if no two solids miss
            each other by so little, it is raised for the next search, and so on.

    Returns:
        The collisions, in no particular order, and the nearest miss. There is none if no pair comes
        within `_MAX_REACH` (200 m), or if nothing moves, as with props held in hands at rest.
    """
    while True:
        candidates = pairs.near_candidates(reach, grid)  # those whose gap may be within the reach
        collisions, miss = _search_among(pairs, candidates, grid)
        # All pairs within the reach were searched, so a miss within it is the nearest. A miss
        # beyond it was found by chance, and a pair that was not searched may pass nearer: so the
        # search is repeated with the reach of this miss, unless all pairs were searched. (After the
        # blocks of the loop the first one is searched once more, for gaps across the loop's end.)
        are_all = len(candidates.pair) == pairs.count * (grid.blocks + 1)
        if are_all or (miss and miss.gap <= reach) or reach > _MAX_REACH:
            return collisions, miss
        if miss:
            reach = miss.gap * _REACH_PER_GAP
        else:
            reach *= _REACH_GROWTH_OF_SEARCHES


def _search_among(
    pairs: PropPairs | BodyPairs, candidates: Candidates, grid: TimeGrid
) -> tuple[list[Collision], NearMiss | None]:
    """Find the collisions of candidates and their nearest miss.

    A block is one of the equal parts of the loop that are searched one by one. A candidate is a
    pair of solids that may come near each other in a block of the loop.

    Args:
        pairs: pairs of two props, or of a prop and a limb.
        candidates: pairs and blocks of time, with lower bounds of their gaps.
        grid: the time grid, a loop divided into blocks.

    Returns:
        The collisions, in no particular order, and the nearest miss among the candidates, if any.
    """
    # Candidates with the least bounds of their gaps are searched first; they contain all
    # collisions, and most often the nearest miss too. `approaches` are local minima of gaps,
    # `spans` the times in which surfaces touch.
    approaches, spans = find_encounters(pairs, candidates.within(_FIRST_REACH), grid)
    collisions = [
        _collision_of(pairs, contact) for contact in join_contacts(pairs, spans, grid.loop)
    ]
    if isinstance(pairs, BodyPairs):
        # One part of a body consists of several limbs, each with collisions of its own.
        collisions = _merged_by_part(collisions)
    miss = _nearest_miss(pairs, approaches, collisions)
    return collisions, _nearest_miss_farther_out(pairs, candidates, grid, collisions, miss)


def _nearest_miss_farther_out(
    pairs: PropPairs | BodyPairs,
    candidates: Candidates,
    grid: TimeGrid,
    collisions: list[Collision],
    miss: NearMiss | None,
) -> NearMiss | None:
    """Search the candidates beyond `_FIRST_REACH` for a nearer miss, and return the nearest of all.

    A candidate is a pair of solids that may come near each other in a block of the loop, with a
    lower bound of their gap. Candidates within `_FIRST_REACH` were searched before; the others have
    greater gaps, so they do not collide. They are searched in order of the bounds, until the
    nearest miss so far is within the reach of the search.

    Args:
        pairs: pairs of two props, or of a prop and a limb.
        candidates: pairs and blocks of time, with lower bounds of their gaps.
        grid: the time grid, a loop divided into blocks.
        collisions: all collisions of the candidates.
        miss: the nearest miss of the candidates that were searched, if any.
    """
    reach = _FIRST_REACH  # m
    farthest = float(candidates.bound.max(initial=reach))
    while reach < farthest:
        next_reach = reach * _REACH_GROWTH_WITHIN_SEARCH
        if miss:
            if miss.gap <= reach:
                break
            # A candidate with a bound above the nearest gap so far cannot pass nearer.
            next_reach = min(next_reach, miss.gap * _REACH_PER_GAP)
        next_candidates = candidates.within(next_reach, beyond=reach)
        reach = next_reach
        if not len(next_candidates.pair):
            continue
        approaches, _spans = find_encounters(pairs, next_candidates, grid)
        new_miss = _nearest_miss(pairs, approaches, collisions)
        if new_miss and (not miss or new_miss.gap <= miss.gap):
            miss = new_miss
    return miss


def _nearest_miss(
    pairs: PropPairs | BodyPairs, approaches: ClosestApproaches, collisions: list[Collision]
) -> NearMiss | None:
    """Return the closest approach that is a miss: without a touch, and not during a collision.

    A part of a body has several limbs, and to pass one of them while hitting another is no miss. So
    an approach is left out if at its time the same prop collides with the same part, or prop.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time.
        approaches: local minima of gaps, in any order.
        collisions: collisions of the same pairs, all of one loop.

    Returns:
        The nearest miss; None if no approach is one.
    """
    # The collisions of each prop with each other prop, or with each part of a juggler.
    hits_of: dict[Participants, list[Collision]] = {}
    for hit in collisions:
        hits_of.setdefault(hit.participants, []).append(hit)
    # Approaches from the least gap on, so the first miss is the nearest; those of equal gaps stay
    # in the order of rows, so that the result is always the same.
    for row in np.argsort(approaches.gap, kind="stable").tolist():
        participants = _participants(pairs, int(approaches.pair[row]))
        time = float(approaches.time[row])
        gap = float(approaches.gap[row])
        collides = any(hit.start <= time <= hit.end for hit in hits_of.get(participants, []))
        if gap > TOUCH and not collides:
            return NearMiss(*participants, time=time, gap=gap)
    return None


def _collision_of(pairs: PropPairs | BodyPairs, contact: Contact) -> Collision:
    return Collision(
        *_participants(pairs, contact.pair),
        start=contact.start,
        end=contact.end,
        time=contact.time,
        overlap=contact.overlap,
    )


def _merged_by_part(collisions: list[Collision]) -> list[Collision]:
    """Merge collisions of one prop with limbs of one part of a body that overlap in time.

    A part of a body, such as the trunk, consists of several limbs (round cones), and a prop hits
    several of them at once, or one after the other.

    Args:
        collisions: collisions of props with bodies, in any order.

    Returns:
        Collisions sorted by prop, juggler, part and start; each with the time and overlap of the
        deepest of the collisions that it is merged from.
    """
    merged: list[Collision] = []
    # Sorted by participants and start, a collision can only overlap the last one of the result.
    for hit in sorted(collisions, key=lambda hit: (hit.participants, hit.start)):
        last = merged[-1] if merged else None
        if last and last.participants == hit.participants and hit.start <= last.end:
            deepest = max(last, hit, key=lambda collision: collision.overlap)
            merged[-1] = replace(deepest, start=last.start, end=max(last.end, hit.end))
        else:
            merged.append(hit)
    return merged


def _participants(pairs: PropPairs | BodyPairs, pair: int) -> Participants:
    """Return who takes part in a pair, given by its number among the pairs."""
    if isinstance(pairs, PropPairs):
        prop, other_prop = pairs.props(np.array(pair))
        return Participants(int(prop), int(other_prop), juggler=-1, part="")
    prop, limb = pairs.prop_and_limb(np.array(pair))
    juggler, part = divmod(int(limb), len(PARTS))
    return Participants(int(prop), other=-1, juggler=juggler, part=PARTS[part])


@dataclass(frozen=True)
class Contact:
    """A span of time in which a pair overlaps.

    Args:
        pair: its number.
        start: beginning of the contact, [s], from 0 up to the loop's duration.
        end: end of the contact, [s]; beyond the loop's duration if it continues into later loops.
        time: time of the deepest overlap, [s], from start to end.
        overlap: depth of the deepest overlap, [m].
    """

    pair: int
    start: float
    end: float
    time: float
    overlap: float


def join_contacts(pairs: Pairs, spans: ContactSpans, loop: float) -> list[Contact]:
    """Return contacts, each joined from spans that continue each other across the loop's end.

    A pair is two props, or a prop and a limb of a body. Contacts that are allowed are left out.

    Args:
        pairs: the pairs, which know which pair does what another does one loop later.
        spans: spans of contact within the loop, each of a pair. A pair has at most one span that
            begins at the loop's start.
        loop: duration of the loop, [s].

    Returns:
        All contacts that begin in the loop and overlap by more than `TOUCH`, [m], in no particular
        order.
    """
    next_span = _spans_across_loop_end(pairs, spans, loop)
    contacts = [
        _joined_contact(spans, chain, loop)  # None if it is allowed
        for chain in _divide_into_chains(next_span, len(spans.pair))
    ]
    return [contact for contact in contacts if contact and contact.overlap > TOUCH]


def _spans_across_loop_end(pairs: Pairs, spans: ContactSpans, loop: float) -> dict[int, int]:
    """Map spans of contact at the loop's end to the spans at its start that continue them.

    A contact that goes on after the loop's end is two spans: one up to the end, and one from time 0
    on. As props move on along their orbits (closed paths) from loop to loop, the second span is of
    another pair, which does in this loop what the first pair does in the next.

    Args:
        pairs: the pairs of solids, which know which pair does what another does one loop later.
        spans: spans of contact within the loop.
        loop: duration of the loop, [s].

    Returns:
        For the row in `spans` of each span that is continued, the row of the one that continues it.
    """
    # The span at the loop's start of each pair that has one.
    at_start = np.flatnonzero(spans.start <= _SAME_TIME)
    span_at_start = dict(zip(spans.pair[at_start].tolist(), at_start.tolist(), strict=True))
    # The spans at the end, and the pair that goes on with each at the start.
    at_end = np.flatnonzero(spans.end >= loop - _SAME_TIME)
    pair_at_start = pairs.pair_in_next_loop(spans.pair)[at_end]
    return {
        span: span_at_start[pair]
        for span, pair in zip(at_end.tolist(), pair_at_start.tolist(), strict=True)
        if pair in span_at_start
    }


def _divide_into_chains(next_item: dict[int, int], item_count: int) -> list[list[int]]:
    """Divide the items 0 to item_count − 1 into chains, in which each item follows another.

    Args:
        next_item: for each item that has a follower, that follower; no two have the same.
        item_count: the number of items.

    Returns:
        The chains, each a list of items in order; every item is in just one.
    """
    # A chain is built from its first item, which follows no other: such items are taken first.
    # Those that are left then form circles, which are gone around once from any of their items.
    has_previous = set(next_item.values())
    visited: set[int] = set()
    chains = []
    for first in sorted(range(item_count), key=lambda item: item in has_previous):
        chain = []
        item: int | None = first
        while item is not None and item not in visited:
            visited.add(item)
            chain.append(item)
            item = next_item.get(item)
        if chain:
            chains.append(chain)
    return chains


def _joined_contact(spans: ContactSpans, chain: list[int], loop: float) -> Contact | None:
    """Join spans of contact that follow each other from loop to loop; None if contact is allowed.

    Args:
        spans: spans of contact of one loop.
        chain: rows in `spans`, one or more, of the contact's spans: the first as it is, the second
            one loop later, and so on.
        loop: duration of a loop, [s].

    Returns:
        The contact of the pair of the first span, with times from the start of that span's loop.
    """
    # Contact is allowed between a hand and a prop that it holds, throws or catches, and between two
    # props in one hand. A contact of which some part is allowed came from there without a break, or
    # leads there: so all of it is allowed.
    if spans.contact_allowed[chain].any():
        return None
    # Each span is one loop later than the one before it in the chain.
    loops_to_deepest = int(spans.gap[chain].argmin())
    deepest = chain[loops_to_deepest]
    return Contact(
        pair=int(spans.pair[chain[0]]),
        start=float(spans.start[chain[0]]),
        end=float(spans.end[chain[-1]]) + (len(chain) - 1) * loop,
        time=float(spans.time[deepest]) + loops_to_deepest * loop,
        overlap=-float(spans.gap[deepest]),
    )
