"""Encounters: when two moving solids come nearest, and when they touch.

The gap between two solids is sampled in steps and wherever its slope may jump. Each local minimum
is refined by golden section, and each crossing of zero by bisection, all at once.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Protocol, Self

import numpy as np

from juggle_anim.analysis.distances import minimise
from juggle_anim.arrays import Booleans, Floats, Integers

TOUCH = 1e-5
"""Surfaces nearer than this touch, and those that overlap by more collide, [m]."""

# Steps after which 8 ms have shrunk below 0.1 ns.
_GOLDEN_SECTIONS = 38
_BISECTIONS = 26

_SAME_TIME = 1e-9  # s; times nearer to each other count as one

_GAP_ROUNDING = 1e-7  # m, by which rounding may change the gap of solids at rest

# Time over which the slope of a gap is measured, as a share of the time between two samples.
_SLOPE_STEP_SHARE = 1e-3

_SAMPLES_AT_ONCE = 400_000  # memory grows with it
_BLOCK_DURATION = 0.05  # s, of a block of the time grid at most
_MIN_BLOCKS = 8  # of a loop


class Pairs(Protocol):
    """Pairs of solids that may collide; a pair is a number."""

    @abstractmethod
    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Return the gap of each pair, negative where the two overlap, shape (N,), [m]."""

    @abstractmethod
    def contact_allowed(self, pair: Integers, times: Floats) -> Booleans:
        """Whether a contact of each pair at that time is no collision, as of a hand and what it
        holds, shape (N,).
        """

    @abstractmethod
    def breakpoints(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """Return the times from `start` up to `end` at which the gap's slope may jump: index of
        pair, and time [s].
        """

    @abstractmethod
    def next_loop(self, pair: Integers) -> Integers:
        """Return the pair that is at time 0 where each pair is one loop later."""


@dataclass(frozen=True)
class Candidates:
    """Pairs that may be near each other, and when: N rows sorted by pair and block.

    Args:
        pair: shape (N,).
        block: of the time grid, shape (N,).
        bound: a lower bound of the gap within the block, shape (N,), [m].
        needed: whether any contact in the block matters, shape (N,), and not only as it goes on in
            the next ones.
        steps: shape (N, `TimeGrid.STEPS`), which steps of the block are searched.
    """

    pair: Integers
    block: Integers
    bound: Floats
    needed: Booleans
    steps: Booleans

    @classmethod
    def of(cls, blocks: Iterable[tuple[Integers, Floats, Booleans]]) -> Self:
        """Return the candidates of all blocks, sorted by pair and block, with all steps searched.

        Args:
            blocks: for each block of the time grid, three arrays of one length: pairs in any
                order, lower bounds of their gaps [m], and which are needed.
        """
        triples = list(blocks)
        pair, bound, needed = (np.concatenate(column) for column in zip(*triples, strict=True))
        block = np.repeat(np.arange(len(triples)), [len(pairs) for pairs, _, _ in triples])
        order = np.lexsort((block, pair))
        all_steps = np.broadcast_to(np.True_, (len(pair), TimeGrid.STEPS))
        return cls(pair[order], block[order], bound[order], needed[order], all_steps)

    def rows(self, row: Integers | Booleans | slice) -> Candidates:
        """Return some of them."""
        return Candidates(
            self.pair[row], self.block[row], self.bound[row], self.needed[row], self.steps[row]
        )

    def within(self, reach: float, beyond: float = -math.inf) -> Candidates:
        """Return the needed candidates within a reach, with the steps beside them.

        In the steps beside, a gap is seen to shrink and to grow again, and a contact to go on.

        Args:
            reach: the greatest bound, included, [m].
            beyond: bounds up to this are left out, [m].
        """
        near = self.needed & (self.bound <= reach) & (self.bound > beyond)

        # Rows whose neighbour, the next or last block of the same pair, is near.
        is_next_block = (np.diff(self.pair) == 0) & (np.diff(self.block) == 1)
        after_near = np.zeros_like(near)
        before_near = np.zeros_like(near)
        after_near[1:] = near[:-1] & is_next_block
        before_near[:-1] = near[1:] & is_next_block

        # All steps of near blocks; of their neighbours the one step that adjoins.
        kept = near | after_near | before_near
        steps = np.repeat(near[kept, None], TimeGrid.STEPS, axis=1)
        steps[:, 0] |= after_near[kept]
        steps[:, -1] |= before_near[kept]
        return replace(self.rows(kept), steps=steps)


@dataclass(frozen=True)
class ClosestApproaches:
    """Local minima of gaps outside of allowed contacts, N rows: pair, time from 0 up to the loop's
    end [s], gap [m].
    """

    pair: Integers
    time: Floats
    gap: Floats


@dataclass(frozen=True)
class ContactSpans:
    """Time spans within one loop in which pairs touch, N rows.

    Args:
        pair: shape (N,).
        start, end: shape (N,), [s].
        gap: the least, shape (N,), [m].
        time: of that, shape (N,), [s].
        contact_allowed: whether the contact is allowed at any time of the span, shape (N,).
    """

    pair: Integers
    start: Floats
    end: Floats
    gap: Floats
    time: Floats
    contact_allowed: Booleans


def find_encounters(
    pairs: Pairs, candidates: Candidates, grid: TimeGrid
) -> tuple[ClosestApproaches, ContactSpans]:
    """Return all closest approaches and all spans of contact.

    Args:
        pairs: the solids.
        candidates: the pairs and blocks to search; no others are near.
        grid: the time grid.
    """
    results = [_search_chunk(pairs, chunk, grid) for chunk in _in_memory_sized_chunks(candidates)]
    approaches = [chunk_approaches for chunk_approaches, _spans in results]
    spans = [chunk_spans for _approaches, chunk_spans in results]
    return (
        ClosestApproaches(*_concatenated_fields(approaches)),
        ContactSpans(*_concatenated_fields(spans)),
    )


def _concatenated_fields(parts: list[ClosestApproaches] | list[ContactSpans]) -> Iterator[Any]:
    """Yield each field of the dataclass, concatenated over all parts."""
    return (
        np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(parts[0])
    )


def _in_memory_sized_chunks(candidates: Candidates) -> Iterator[Candidates]:
    """Yield consecutive rows in chunks that fit into memory, each with all rows of its pairs; one
    chunk without rows if there are none.

    Args:
        candidates: rows sorted by pair.
    """
    ends = np.flatnonzero(np.diff(candidates.pair, append=-1)) + 1  # of the rows of each pair
    first = 0
    while first < len(candidates.pair):
        # The first pair that ends at or after the limit, or the last pair of all.
        limit = first + _SAMPLES_AT_ONCE // TimeGrid.STEPS
        pair_index = int(np.searchsorted(ends, limit))
        end = int(ends[min(pair_index, len(ends) - 1)])
        yield candidates.rows(slice(first, end))
        first = end
    if not first:
        yield candidates


@dataclass(frozen=True)
class _Samples:
    """Gaps at some times, N rows sorted by pair and time.

    Args:
        linked: shape (N,), whether the row before is the previous sample of the same pair.
        contact_allowed: shape (N,), whether contact is allowed between the row before and this one.
    """

    pair: Integers
    time: Floats
    gap: Floats
    linked: Booleans
    contact_allowed: Booleans


def _search_chunk(
    pairs: Pairs, candidates: Candidates, grid: TimeGrid
) -> tuple[ClosestApproaches, ContactSpans]:
    """Find the encounters of candidates that fit into memory together.

    Args:
        pairs: the solids.
        candidates: pairs and blocks to search, all rows of each pair.
        grid: the time grid.
    """
    samples = _sampled(pairs, *_sample_times(pairs, candidates, grid), grid)
    approaches = _local_minima(pairs, samples, grid)

    # A touch may be shorter than a step, but has a closest approach: add that to the samples.
    touch = approaches.gap < TOUCH
    if touch.any():
        pair = np.concatenate([samples.pair, approaches.pair[touch]])
        time = np.concatenate([samples.time, approaches.time[touch]])
        gap = np.concatenate([samples.gap, approaches.gap[touch]])
        samples = _sampled(pairs, pair, time, grid, gap)

    # After the loop's end it is an approach of the pair's successor at the beginning.
    within = approaches.time <= grid.loop
    pair = np.where(within, approaches.pair, pairs.next_loop(approaches.pair))
    time = np.where(within, approaches.time, approaches.time - grid.loop)
    return ClosestApproaches(pair, time, approaches.gap), _contact_spans(pairs, samples, grid)


def _sample_times(pairs: Pairs, candidates: Candidates, grid: TimeGrid) -> tuple[Integers, Floats]:
    """Return pairs and times [s] at which gaps are sampled, in no particular order.

    These are both ends of the searched steps, and breakpoints within them, where the slope of a gap
    may jump.

    Args:
        pairs: the solids.
        candidates: N rows of pair, block and searched steps, sorted by pair and block.
        grid: the time grid.
    """
    # Which ticks, ends of steps, are sampled: shape (N, STEPS + 1).
    steps = candidates.steps
    sampled = np.zeros((len(steps), TimeGrid.STEPS + 1), dtype=bool)
    sampled[:, 1:] = steps
    sampled[:, :-1] |= steps

    # The last tick of a block is also the first of the pair's next block: only once.
    is_next_block = (np.diff(candidates.pair) == 0) & (np.diff(candidates.block) == 1)
    sampled[1:, 0] &= ~(is_next_block & sampled[:-1, -1])
    row, tick_of_block = np.nonzero(sampled)
    tick = candidates.block[row] * TimeGrid.STEPS + tick_of_block

    # Breakpoints in the steps that are searched. Rounding may put one beyond the last step.
    start = candidates.block.astype(float) * grid.block
    break_row, breaks = pairs.breakpoints(candidates.pair, start, start + grid.block)
    step = ((breaks - start[break_row]) / grid.step).astype(np.intp)
    searched = steps[break_row, np.minimum(step, TimeGrid.STEPS - 1)]
    break_row = break_row[searched]
    breaks = breaks[searched]

    pair = np.concatenate([candidates.pair[row], candidates.pair[break_row]])
    return pair, np.concatenate([tick * grid.step, breaks])


def _sampled(
    pairs: Pairs, pair: Integers, time: Floats, grid: TimeGrid, gap: Floats | None = None
) -> _Samples:
    """Return samples sorted by pair and time, each time once.

    Args:
        pairs: the solids.
        pair: shape (N,), in any order.
        time: shape (N,), [s].
        grid: the time grid.
        gap: shape (N,), [m], if they are known already.
    """
    order = np.lexsort((time, pair))
    pair = pair[order]
    time = time[order]
    gap = pairs.gap(pair, time) if gap is None else gap[order]

    repeated = np.zeros(len(pair), dtype=bool)
    repeated[1:] = (np.diff(pair) == 0) & (np.diff(time) < _SAME_TIME)
    pair = pair[~repeated]
    time = time[~repeated]
    gap = gap[~repeated]

    # Linked: no more than a step apart, with some room for rounding.
    linked = np.zeros(len(pair), dtype=bool)
    linked[1:] = (np.diff(pair) == 0) & (np.diff(time) < 1.01 * grid.step)

    # Allowed at the middle of the step, since at the time of a throw rounding would decide.
    allowed = np.zeros(len(pair), dtype=bool)
    after = np.flatnonzero(linked)
    allowed[after] = pairs.contact_allowed(pair[after], (time[after] + time[after - 1]) / 2)
    return _Samples(pair, time, gap, linked, allowed)


def _local_minima(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ClosestApproaches:
    """Find local minima of gaps between samples, refined by golden section.

    Steps in which a contact is allowed have none.

    Args:
        pairs: the solids.
        samples: their gaps, sorted by pair and time.
        grid: the time grid; minima are from its start to its loop's end.
    """
    searched = samples.linked & ~samples.contact_allowed  # the step up to each sample
    gap = samples.gap
    time = samples.time

    # Samples with higher gaps on both sides, by a second difference that is no rounding.
    middle = np.arange(1, max(1, len(gap) - 1))
    is_least = (
        searched[middle]
        & searched[middle + 1]
        & (gap[middle] < gap[middle - 1])
        & (gap[middle] <= gap[middle + 1])
        & (gap[middle - 1] + gap[middle + 1] - 2 * gap[middle] > _GAP_ROUNDING)
    )
    # From 0, not included, to the loop's end; beyond that are minima of the next loop.
    in_loop = (time[middle] > 0.0) & (time[middle] <= grid.loop + _SAME_TIME)
    least = middle[is_least & in_loop]

    # Steps without a sample on one side that could be compared.
    edge = _dips_at_edges(pairs, samples, searched)
    edge = edge[time[edge] <= grid.loop + _SAME_TIME]

    start = np.concatenate([least - 1, edge - 1])
    end = np.concatenate([least + 1, edge])
    pair = samples.pair[end]
    return ClosestApproaches(
        pair, *minimise(partial(pairs.gap, pair), time[start], time[end], _GOLDEN_SECTIONS)
    )


def _dips_at_edges(pairs: Pairs, samples: _Samples, searched: Booleans) -> Integers:
    """Return rows of samples at the ends of steps in which a gap first shrinks and then grows, of
    those beside steps that are not searched.

    There a third sample to compare with is missing, so the slopes at both ends are measured.

    Args:
        pairs: the solids.
        samples: N of them.
        searched: shape (N,), whether the step up to each sample is searched.
    """
    beside_unsearched = np.zeros(len(searched), dtype=bool)
    beside_unsearched[1:] |= ~searched[:-1]
    beside_unsearched[:-1] |= ~searched[1:]
    step_end = np.flatnonzero(searched & beside_unsearched)

    pair = samples.pair[step_end]
    start = samples.time[step_end - 1]
    end = samples.time[step_end]
    # The gap a moment after the start, and a moment before the end, is less than there.
    moment = _SLOPE_STEP_SHARE * (end - start)
    rounding = _GAP_ROUNDING * _SLOPE_STEP_SHARE
    shrinks = pairs.gap(pair, start + moment) < samples.gap[step_end - 1] - rounding
    grows = pairs.gap(pair, end - moment) < samples.gap[step_end] - rounding
    return step_end[shrinks & grows]


def _contact_spans(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ContactSpans:
    """Find the spans of time in which pairs touch without being allowed to.

    Allowed contacts at the start or end of the loop are included, too: one that goes on across the
    seam is allowed as a whole.

    Args:
        pairs: the solids.
        samples: their gaps, sorted by pair and time.
        grid: the time grid.
    """
    # Stretches of samples, which go on while the pair touches, or may touch.
    touch = samples.gap < TOUCH
    inside = samples.time <= grid.loop + _SAME_TIME
    goes_on = samples.linked & inside
    goes_on[1:] &= samples.contact_allowed[1:] | (touch[1:] & touch[:-1])
    first = np.flatnonzero(~goes_on)
    last = np.append(first, len(goes_on))[1:] - 1

    # For each stretch: whether a contact is allowed anywhere in it, and the deepest overlap.
    allowed = touch  # without samples: empty
    if len(first):
        allowed = np.logical_or.reduceat(samples.contact_allowed & goes_on, first)
    deepest = _index_of_least_per_stretch(samples.gap, first)
    depth = -samples.gap[deepest]

    # An allowed contact matters only where it goes on into the next loop.
    is_contact = inside[first] & (allowed | (depth > -TOUCH))
    at_loop_end = (samples.time[first] <= _SAME_TIME) | (
        samples.time[last] >= grid.loop - _SAME_TIME
    )
    matters = is_contact & (at_loop_end | (~allowed & (depth > TOUCH)))
    first = first[matters]
    last = last[matters]
    deepest = deepest[matters]
    return ContactSpans(
        pair=samples.pair[first],
        start=_contact_edge_times(pairs, samples, first, -1),
        end=_contact_edge_times(pairs, samples, last, +1),
        gap=samples.gap[deepest],
        time=samples.time[deepest],
        contact_allowed=allowed[matters],
    )


def _index_of_least_per_stretch(values: Floats, first: Integers) -> Integers:
    """Index of the least value of each stretch, the earliest of equal ones, shape (S,).

    Args:
        values: shape (N,).
        first: shape (S,), ascending from 0, where each stretch begins; it ends before the next.
    """
    if not len(first):
        return first
    # The number of the stretch of each value.
    stretch = np.zeros(len(values), dtype=np.intp)
    stretch[first] = 1
    stretch = np.cumsum(stretch) - 1

    # Values equal to the least of their stretch, and the first of each stretch.
    least = np.flatnonzero(values == np.minimum.reduceat(values, first)[stretch])
    return least[np.flatnonzero(np.diff(stretch[least], prepend=-1))]


def _contact_edge_times(pairs: Pairs, samples: _Samples, edge: Integers, side: int) -> Floats:
    """Return the times at which contacts begin or end, [s], found by bisection; of contacts that
    reach the end of the samples, the time of the last one.

    Args:
        pairs: the solids.
        samples: their gaps.
        edge: shape (C,), the first sample of each contact, or the last.
        side: −1 for the times before the first, 1 for those after the last.
    """
    # The samples just beyond the contacts, if they are of the same pair and a step away.
    beyond = np.clip(edge + side, 0, len(samples.pair) - 1)
    has_neighbour = (
        samples.linked[np.maximum(edge, beyond)]
        & (samples.pair[edge] == samples.pair[beyond])
        & (edge != beyond)
    )
    edge_time = samples.time[edge].copy()
    beyond_time = samples.time[beyond]
    crossing = np.flatnonzero(
        has_neighbour & (samples.gap[edge] < TOUCH) & (samples.gap[beyond] >= TOUCH)
    )

    # Bisection: `touching` stays inside the contact, `apart` outside.
    pair = samples.pair[edge[crossing]]
    touching = edge_time[crossing]
    apart = beyond_time[crossing]
    for _bisection in range(_BISECTIONS):
        middle = (touching + apart) / 2
        is_touching = pairs.gap(pair, middle) < TOUCH
        touching = np.where(is_touching, middle, touching)
        apart = np.where(is_touching, apart, middle)
    edge_time[crossing] = touching
    return edge_time


@dataclass(frozen=True)
class TimeGrid:
    """The time grid of a search: a loop in blocks, and each block in steps.

    Args:
        loop: [s].
        blocks: of the loop; one more is searched, so that an encounter at its end is found whole.
    """

    loop: float
    blocks: int

    STEPS = 12
    """Steps of a block, so short that no prop flies past another and back within one."""

    @property
    def block(self) -> float:
        """Duration of a block, [s]."""
        return self.loop / self.blocks

    @property
    def step(self) -> float:
        """Duration of a step, [s]."""
        return self.block / self.STEPS


def time_grid(loop: float) -> TimeGrid:
    """Return the time grid for a loop, [s]."""
    return TimeGrid(loop, max(_MIN_BLOCKS, math.ceil(loop / _BLOCK_DURATION)))
