"""Solids of props for collisions (balls, clubs of round cones, rings as thin discs), their pairs,
and bounding boxes of moving solids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Self, TypeVar

import numpy as np

from juggle_anim.analysis.encounters import (
    THICKNESS,
    BlockCandidates,
    Candidates,
    Discs,
    RoundCones,
    TimeGrid,
    cone_disc_distance,
    discs_distance,
    round_cone_distance,
    round_cones_distance,
)
from juggle_anim.analysis.measures import prop_intervals
from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import CLUB_CENTRE, Motion, aim_directions, ring_axes

# Between two samples a prop may be faster than at both.
_SPEED_MARGIN = 1.3


CLUB = (
    (0.0155, 0.0150, 0.0),
    (0.200, 0.0145, 0.0),
    (0.335, 0.0, 0.49),
    (0.420, 0.0, 0.43),
    (0.494, 0.026, 0.0),
)
"""Joints of a club's round cones: distance from the end of the knob [m], radius [m], share of the
body's width.
"""

SEARCHED_LOOPS = 2
"""Loops from time 0 on that tables of times cover; a search goes on a little beyond the first."""

_PAIRS_AT_ONCE = 8_000
_SLOPE_STEP = 1e-4  # m
# The joints at which a club's round cones start, and those at which they end.
_CLUB_CONE_STARTS = np.array(CLUB[:-1])
_CLUB_CONE_ENDS = np.array(CLUB[1:])


@dataclass(frozen=True)
class BoundingBoxes:
    """N boxes along the axes.

    Args:
        low, high: shape (N, 3), their corners, [m].
    """

    low: Floats
    high: Floats

    def grown(self, margin: Floats | float) -> BoundingBoxes:
        """Return boxes larger by a margin on each side, [m]: one for all, or of N boxes, (N,)."""
        margin = np.asarray(margin)[..., None]
        return BoundingBoxes(self.low - margin, self.high + margin)

    def select(self, row: Integers) -> BoundingBoxes:
        """Return the boxes of given rows."""
        return BoundingBoxes(self.low[row], self.high[row])


def overlapping_pairs(
    boxes: BoundingBoxes, other_boxes: BoundingBoxes
) -> tuple[Integers, Integers]:
    """Find all pairs of a box of one set and a box of the other that overlap or touch.

    This is a sort and sweep: the other boxes are sorted along the axis along which they are spread
    most, so that each box is compared only with those near it along this axis.

    Args:
        boxes, other_boxes: two sets of boxes, of any sizes; either may be empty.

    Returns:
        The row in `boxes` and the row in `other_boxes` of each pair, sorted by the former.
    """
    if not len(boxes.low) or not len(other_boxes.low):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    axis = int(np.ptp(other_boxes.low, axis=0).argmax())
    order = np.argsort(other_boxes.low[:, axis])
    sorted_lows = other_boxes.low[order, axis]

    # For each box, the others that may overlap it along this axis: in sorted order, `count` of them
    # from `first` on. They begin no later than the box ends, and before the box begins by no more
    # than the width of the widest. (Only an empty box, whose low end is above its high one, could
    # make the difference negative.)
    widest = float((other_boxes.high - other_boxes.low)[:, axis].max())
    first = np.searchsorted(sorted_lows, boxes.low[:, axis] - widest, side="left")
    count = np.searchsorted(sorted_lows, boxes.high[:, axis], side="right") - first
    row, sorted_row = expand_ranges(first, np.maximum(count, 0))

    # Of these, the ones that overlap along all three axes.
    other_row = order[sorted_row]
    overlaps = np.all(
        (boxes.low[row] <= other_boxes.high[other_row])
        & (other_boxes.low[other_row] <= boxes.high[row]),
        axis=1,
    )
    return row[overlaps], other_row[overlaps]


def expand_ranges(first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """List the integers of several ranges one after another.

    Of the ranges `first = [5, 2]`, `count = [2, 3]`: `[0, 0, 1, 1, 1]` and `[5, 6, 2, 3, 4]`.

    Args:
        first: the integer with which each range begins, shape (R,) for R ranges.
        count: how many integers each range has, shape (R,).

    Returns:
        Two parallel arrays, one row for each integer: the number of its range, from 0, and the
        integer itself.
    """
    range_number = np.repeat(np.arange(len(first)), count)
    # For each integer, the index in the list at which its range begins.
    start_in_list = np.repeat(np.cumsum(count) - count, count)
    index_in_range = np.arange(len(range_number)) - start_in_list
    return range_number, index_in_range + first[range_number]


@dataclass(frozen=True)
class BreakpointTable:
    """Breakpoints of props in `SEARCHED_LOOPS` loops from time 0 on, sorted by prop and time.

    Args:
        key: shape (N,) for N breakpoints, prop · width + time, ascending: one number that sorts as
            both do.
        time: shape (N,), [s].
        width: more than any time that is stored or searched, [s], so that keys of different props
            cannot overlap.
    """

    key: Floats
    time: Floats
    width: float

    @classmethod
    def from_motion(cls, motion: Motion, offsets: tuple[float, ...] = (0.0,)) -> Self:
        """Return the breakpoints of props, at which the slopes of gaps between solids may jump.

        They are the times at which props are thrown, caught or bounce, each shifted by offsets, in
        `SEARCHED_LOOPS` (two) loops from time 0 on.

        Args:
            motion: motion of the props.
            offsets: one or more, [s]: each throw, catch and bounce at a time t gives a breakpoint
                at t plus each of these; 0 for the time itself, negative for one before it.
        """
        loop = motion.duration
        # Throws, catches and bounces are where the intervals of props, holds and flights, start.
        # The shifted breakpoints have to cover `SEARCHED_LOOPS`: positive offsets bring them in
        # from loops before, negative ones from loops after.
        intervals = prop_intervals(
            motion,
            loops_before=math.ceil(max(offsets) / loop),
            loops_after=SEARCHED_LOOPS - 1 + math.ceil(-min(offsets) / loop),
        )
        prop = np.tile(intervals.prop, len(offsets))
        time = np.concatenate([intervals.start + offset for offset in offsets])
        prop = prop[time >= 0]
        time = time[time >= 0]

        # One number for each breakpoint, by which prop and then time sort.
        width = time.max(initial=0.0) + SEARCHED_LOOPS * loop
        key = prop * width + time
        order = np.argsort(key)
        return cls(key[order], time[order], width)

    def within(self, prop: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """Return the breakpoints of each prop in a span of time of its own.

        A breakpoint is a time at which the prop is thrown, caught or bounces, or a shifted one.

        Args:
            prop: indices of N props, which may repeat, shape (N,).
            start, end: the spans, shape (N,), [s]; a breakpoint at the start counts, one at the end
                does not.

        Returns:
            Two parallel arrays, for each breakpoint: the row of its prop in `prop`, 0 to N − 1, and
            its time, [s]; sorted by row and time.
        """
        # The table is sorted by `key`, prop · `width` + time, where all times are below `width`.
        # The breakpoints of a prop are the rows from `first` up to but without `last`.
        first = np.searchsorted(self.key, prop * self.width + start, side="left")
        last = np.searchsorted(self.key, prop * self.width + end, side="left")
        row, table_row = expand_ranges(first, last - first)
        return row, self.time[table_row]


@dataclass(frozen=True)
class BlockSamples:
    """Centres of P props at evenly spaced times of a block of the time grid.

    Args:
        centres: shape (INTERVALS + 1, P, 3), of each prop at each sampled time, both ends of the
            block included, [m].
        speed: shape (P,), which the prop does not exceed within the block, [m/s].
        interval: time between two samples, [s].
    """

    centres: Floats
    speed: Floats
    interval: float

    INTERVALS = 6

    @property
    def boxes(self) -> BoundingBoxes:
        """Boxes around the centres within the block."""
        around_samples = BoundingBoxes(self.centres.min(axis=0), self.centres.max(axis=0))
        return around_samples.grown(self.speed * self.interval / 2)


def sample_blocks(motion: Motion, grid: TimeGrid) -> Iterator[BlockSamples]:
    """Yield the centres of props in each block of the loop, and in the first one after it.

    A block is one of the equal parts of the loop that are searched one by one.

    Args:
        motion: motion of the props.
        grid: the time grid that divides the loop into blocks.
    """
    for block in range(grid.blocks + 1):
        times = np.linspace(block, block + 1, BlockSamples.INTERVALS + 1) * grid.block_duration
        velocities = motion.sample(times, derivative=1).props
        fastest_sample = np.linalg.norm(velocities, axis=-1).max(axis=0, initial=0.0)
        yield BlockSamples(
            centres=motion.sample(times).props,
            # An upper bound by a margin, as a prop may be faster between two samples than at both.
            speed=_SPEED_MARGIN * fastest_sample,
            interval=grid.block_duration / BlockSamples.INTERVALS,
        )


@dataclass(frozen=True)
class PosedProps:
    """N props with places and directions.

    Args:
        prop: shape (N,), numbers.
        centre: shape (N, 3), [m].
        axis: shape (N, 3), unit vectors: of clubs from knob to top, of rings across them.
    """

    prop: Integers
    centre: Floats
    axis: Floats

    def select(self, row: Integers | Booleans) -> PosedProps:
        """Return the props of the given rows: indices, or a mask of shape (N,) for N props."""
        return PosedProps(self.prop[row], self.centre[row], self.axis[row])

    def slopes(self, gap: Callable[[PosedProps], Floats]) -> Floats:
        """Return the one-sided gradients of gaps with respect to the positions of these props.

        A gap is the distance between the surfaces of two solids. It has kinks where the nearest
        parts of both change; there the two gradients differ.

        Args:
            gap: function from these props, all moved by the same small vector, to the gap of each
                to whatever it is compared with, shape (N,) for N props, [m].

        Returns:
            Shape (2, N, 3), [m/m]: forward differences along x, y and z, then backward ones.
        """
        gap_now = gap(self)
        forward = np.empty((len(gap_now), 3))
        backward = np.empty_like(forward)
        # All props are moved along one axis of the world at a time.
        for axis, step in enumerate(_SLOPE_STEP * np.eye(3)):
            forward[:, axis] = gap(replace(self, centre=self.centre + step)) - gap_now
            backward[:, axis] = gap_now - gap(replace(self, centre=self.centre - step))
        return np.stack([forward, backward]) / _SLOPE_STEP


_Others = TypeVar("_Others", PosedProps, RoundCones)


class PropSolids:
    """The solids of all props of a motion."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self._radii = motion.shapes.size / 2
        kinds = np.array(motion.shapes.kind, dtype=str)
        self._clubs = kinds == "club"
        self._rings = kinds == "ring"
        self.reach: Floats = motion.shapes.reach + np.where(self._rings, THICKNESS, 0.0)
        """How far each prop reaches from its centre, shape (P,), [m]."""

    def posed(self, prop: Integers, times: Floats) -> PosedProps:
        """Return props at given times, with their places and directions in the world.

        Args:
            prop: numbers of N props, which may repeat, shape (N,).
            times: a time for each, shape (N,), [s].
        """
        places = self.motion.places(prop, times)
        axis = np.zeros((len(prop), 3))  # of balls
        if places.aims is not None:
            axis = np.where(
                self._rings[prop, None],
                ring_axes(places.aims[:, 0]),
                aim_directions([places.aims]),
            )
        return PosedProps(prop, places.centres, axis)

    def gap(self, props: PosedProps, other_props: PosedProps) -> Floats:
        """Return the gaps between the surfaces of props, negative where they overlap.

        Args:
            props, other_props: N props each, compared row by row.

        Returns:
            Shape (N,), [m].
        """
        if not self.motion.shapes.has_oriented:  # all are balls
            between_centres = props.centre - other_props.centre
            return (
                np.sqrt((between_centres**2).sum(axis=1))
                - self._radii[props.prop]
                - self._radii[other_props.prop]
            )
        return self._gaps_in_chunks(self._gap_of_chunk, props, other_props)

    def _gap_of_chunk(self, props: PosedProps, other_props: PosedProps) -> Floats:
        """Return the gaps between props of any kinds, shape (N,), [m], negative where they overlap.

        Rings count as discs without holes; balls and clubs consist of round cones.

        Args:
            props, other_props: N props each, compared row by row.
        """
        gap = np.empty(len(props.prop))
        is_ring = self._rings[props.prop]
        other_is_ring = self._rings[other_props.prop]

        both_rings = is_ring & other_is_ring
        if both_rings.any():
            gap[both_rings] = discs_distance(
                self._discs(props.select(both_rings)), self._discs(other_props.select(both_rings))
            )

        # In all other rows at least one of the two consists of round cones: the second one, or else
        # the first one, for which the two are exchanged. The gap is the least of those to each of
        # the cones.
        for is_chosen, any_props, cone_props in (
            (~other_is_ring, props, other_props),
            (other_is_ring & ~is_ring, other_props, props),
        ):
            if not is_chosen.any():
                continue
            # All their cones, and for each the row of the prop that it belongs to.
            cones, owner = self._cones(cone_props.select(is_chosen))
            gaps = self._gap_to_cones_of_chunk(any_props.select(is_chosen).select(owner), cones)
            gap[is_chosen] = _least_per_owner(gaps, owner)
        return gap

    def gap_to_cones(self, props: PosedProps, cones: RoundCones) -> Floats:
        """Return gaps between surfaces of props and of round cones, row by row, (N,) for N pairs,
        [m].
        """
        if not self.motion.shapes.has_oriented:  # all are balls
            return round_cone_distance(props.centre, cones) - self._radii[props.prop]
        return self._gaps_in_chunks(self._gap_to_cones_of_chunk, props, cones)

    def _gap_to_cones_of_chunk(self, props: PosedProps, cones: RoundCones) -> Floats:
        """Return the gaps between props and round cones, shape (N,), [m], negative for overlaps.

        Args:
            props: N props; rings count as discs, balls and clubs consist of round cones.
            cones: N round cones, one for each prop, compared row by row.
        """
        gap = np.empty(len(props.prop))
        is_ring = self._rings[props.prop]
        if is_ring.any():
            gap[is_ring] = cone_disc_distance(
                cones.select(is_ring), self._discs(props.select(is_ring))
            )
        if not is_ring.all():
            # The least gap of the cones that each prop consists of; `owner` is the row of the prop
            # that a cone belongs to.
            prop_cones, owner = self._cones(props.select(~is_ring))
            gaps = round_cones_distance(prop_cones, cones.select(~is_ring).select(owner))
            gap[~is_ring] = _least_per_owner(gaps, owner)
        return gap

    def _gaps_in_chunks(
        self,
        gap_of_chunk: Callable[[PosedProps, _Others], Floats],
        props: PosedProps,
        others: _Others,
    ) -> Floats:
        """Compute gaps between solids in chunks, which fit into memory, shape (N,), [m].

        Args:
            gap_of_chunk: function from the props and the others of a chunk to their gaps, row by
                row.
            props: N props; may be none.
            others: N props or round cones, one for each prop.
        """
        pair_count = len(props.prop)
        gaps = np.empty(pair_count)
        for first in range(0, pair_count, _PAIRS_AT_ONCE):
            chunk = np.arange(first, min(first + _PAIRS_AT_ONCE, pair_count))
            gaps[chunk] = gap_of_chunk(props.select(chunk), others.select(chunk))
        return gaps

    def _discs(self, rings: PosedProps) -> Discs:
        return Discs(rings.centre, rings.axis, self._radii[rings.prop])

    def _cones(self, props: PosedProps) -> tuple[RoundCones, Integers]:
        """Return the round cones that balls and clubs consist of.

        A ball is one cone without length; a club has one between any two successive joints of
        `CLUB`.

        Args:
            props: N balls and clubs, no rings.

        Returns:
            The cones, in order of props, and for each cone the row, 0 to N − 1, of the prop that
            it belongs to.
        """
        cone_counts = np.where(self._clubs[props.prop], len(_CLUB_CONE_ENDS), 1)
        # Within each prop cones are numbered from 0, so every range of numbers begins there.
        owner, cone_number = expand_ranges(np.zeros(len(cone_counts), dtype=np.intp), cone_counts)
        prop = props.prop[owner]
        size = self.motion.shapes.size[prop]
        is_club = self._clubs[prop]

        def centres_and_radii(joints: Floats) -> tuple[Floats, Floats]:
            """Return centres and radii of one end of the cones, whose rows of `CLUB` are given."""
            # The radius of a club is fixed, or a share of the body's width; one of the two is 0.
            along, fixed_radius, body_share = joints.T
            offset = np.where(is_club, along - CLUB_CENTRE, 0.0)[:, None] * props.axis[owner]
            radius = np.where(is_club, fixed_radius + body_share * size, size / 2)
            return props.centre[owner] + offset, radius

        # For balls the joints are those of a club's first cone, and not used.
        start, start_radius = centres_and_radii(_CLUB_CONE_STARTS[cone_number])
        end, end_radius = centres_and_radii(_CLUB_CONE_ENDS[cone_number])
        return RoundCones(start, start_radius, end, end_radius), owner


def _least_per_owner(gaps: Floats, owner: Integers) -> Floats:
    """The least gap of each owner, in order of owners.

    Args:
        gaps: shape (C,) for C gaps, [m].
        owner: shape (C,), the owner of each gap, ascending; every owner has at least one gap.
    """
    # Each owner's gaps begin where the owner's number changes.
    return np.minimum.reduceat(gaps, np.flatnonzero(np.diff(owner, prepend=-1)))


class PropPairs:
    """Pairs of P props, numbered first · P + second, the first before the second.

    Their solids are `PropSolids`.
    """

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self._prop_count = max(1, motion.choreography.props)
        self._solids = PropSolids(motion)
        self._breakpoints = BreakpointTable.from_motion(motion)

    @property
    def count(self) -> int:
        """The number of all pairs."""
        return self._prop_count * (self._prop_count - 1) // 2

    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Return the gaps between the surfaces of both props, [m]."""
        first, second = self.props(pair)
        return self._solids.gap(self._solids.posed(first, times), self._solids.posed(second, times))

    def slopes(self, pair: Integers, times: Floats) -> Floats:
        """Return how much each gap grows as the first prop of the pair moves along each axis.

        Returns:
            Shape (2, N, 3) for N pairs, [m/m], see `PosedProps.slopes`.
        """
        first, second = (self._solids.posed(prop, times) for prop in self.props(pair))
        return first.slopes(lambda moved_first: self._solids.gap(moved_first, second))

    def contact_allowed(self, pair: Integers, times: Floats) -> Booleans:
        """Return whether both props of each pair are in the same hand, shape (N,) for N pairs."""
        first_holder, second_holder = (
            self.motion.props.holder_of_piece[self.motion.locate(prop, times)[0]]
            for prop in self.props(pair)
        )
        return (first_holder == second_holder) & (first_holder >= 0)  # −1 in flight

    def breakpoints(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """Return when either prop is thrown, caught or bounces, in a span of time of each pair.

        Args:
            pair: numbers of N pairs, which may repeat, shape (N,).
            start: starts of the spans, included, shape (N,), [s].
            end: ends of the spans, not included, shape (N,), [s].

        Returns:
            Two parallel arrays: the row of the pair, 0 to N − 1, and the time, [s].
        """
        first, second = self.props(pair)
        first_row, first_time = self._breakpoints.within(first, start, end)
        second_row, second_time = self._breakpoints.within(second, start, end)
        return (
            np.concatenate([first_row, second_row]),
            np.concatenate([first_time, second_time]),
        )

    def pair_in_next_loop(self, pair: Integers) -> Integers:
        """Return the pair whose props take the places of this pair's props one loop later."""
        first, second = (self.motion.successors()[prop] for prop in self.props(pair))
        return self._numbers(np.minimum(first, second), np.maximum(first, second))

    def _numbers(self, first: Integers, second: Integers) -> Integers:
        """Return the numbers of pairs from their props, the inverse of `props`; first < second."""
        return first * self._prop_count + second

    def props(self, pair: Integers) -> tuple[Integers, Integers]:
        """Return the first and the second prop of each pair."""
        return pair // self._prop_count, pair % self._prop_count

    def near_candidates(self, reach: float, grid: TimeGrid) -> Candidates:
        """Return the pairs of two props whose gap may be at most `reach`, block by block.

        A block is one of the equal parts of the loop that are searched one by one. A candidate is a
        pair of solids that may come near each other in a block of the loop.

        Args:
            reach: the greatest gap of a candidate, [m].
            grid: the time grid, which divides a loop into blocks. One block more is searched, the
                first of the next loop: an encounter that begins at the loop's end may have its
                smallest gap there.
        """
        # Boxes that contain the whole props, and half of the reach on each side of a gap.
        grown_boxes = (
            samples.boxes.grown(self._solids.reach + reach / 2)
            for samples in sample_blocks(self.motion, grid)
        )
        return Candidates.from_blocks(self._near_in_block(boxes) for boxes in grown_boxes)

    def _near_in_block(self, boxes: BoundingBoxes) -> BlockCandidates:
        """Return the pairs of props whose boxes overlap: those that may come near each other.

        A block is one of the equal parts of the loop that are searched one by one. All these pairs
        need to be searched; the lower bounds of their gaps are 0, as nothing better is known.

        Args:
            boxes: a box around each prop throughout a block, grown by half of the greatest gap.
        """
        first, second = overlapping_pairs(boxes, boxes)
        is_counted = first < second  # each pair once, and no prop with itself
        pairs = self._numbers(first[is_counted], second[is_counted])
        return BlockCandidates(
            pair=pairs,
            bound=np.zeros(len(pairs)),
            needed=np.ones(len(pairs), dtype=bool),
        )
