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

_MOMENT = 1e-3  # of the time between two samples, over which the slope of a gap is measured

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
        """Return candidates from pairs in any order, their bounds, and which are needed.

        Args:
            blocks: one such triple for each block of the time grid.
        """
        triples = list(blocks)
        pair, bound, needed = (np.concatenate(column) for column in zip(*triples, strict=True))
        block = np.repeat(np.arange(len(triples)), [len(pairs) for pairs, _, _ in triples])
        order = np.lexsort((block, pair))
        everything = np.broadcast_to(np.True_, (len(pair), TimeGrid.STEPS))
        return cls(pair[order], block[order], bound[order], needed[order], everything)

    def rows(self, row: Integers | Booleans | slice) -> Candidates:
        """Return some of them."""
        return Candidates(
            self.pair[row], self.block[row], self.bound[row], self.needed[row], self.steps[row]
        )

    def within(self, reach: float, beyond: float = -math.inf) -> Candidates:
        """Return the needed candidates within a reach, with the steps beside them.

        In the steps beside, a gap is seen to shrink and to grow again, and a contact to go on.

        Args:
            reach: the greatest bound, [m].
            beyond: bounds up to this are left out, [m].
        """
        near = self.needed & (self.bound <= reach) & (self.bound > beyond)
        follows = (np.diff(self.pair) == 0) & (np.diff(self.block) == 1)
        after = np.zeros_like(near)
        before = np.zeros_like(near)
        after[1:] = near[:-1] & follows
        before[:-1] = near[1:] & follows
        kept = near | after | before
        steps = np.repeat(near[kept, None], TimeGrid.STEPS, axis=1)
        steps[:, 0] |= after[kept]
        steps[:, -1] |= before[kept]
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
    results = [_search_part(pairs, part, grid) for part in _parts(candidates)]
    approaches = [part_approaches for part_approaches, _spans in results]
    spans = [part_spans for _approaches, part_spans in results]
    return ClosestApproaches(*_joined(approaches)), ContactSpans(*_joined(spans))


def _joined(parts: list[ClosestApproaches] | list[ContactSpans]) -> Iterator[Any]:
    """The fields of all parts, joined one after the other."""
    return (
        np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(parts[0])
    )


def _parts(candidates: Candidates) -> Iterator[Candidates]:
    """Rows in parts that fit into memory, at least one, each with all rows of its pairs."""
    ends = np.flatnonzero(np.diff(candidates.pair, append=-1)) + 1
    first = 0
    while first < len(candidates.pair):
        place = int(np.searchsorted(ends, first + _SAMPLES_AT_ONCE // TimeGrid.STEPS))
        end = int(ends[min(place, len(ends) - 1)])
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


def _search_part(
    pairs: Pairs, candidates: Candidates, grid: TimeGrid
) -> tuple[ClosestApproaches, ContactSpans]:
    """The encounters of candidates that fit into memory."""
    samples = _sample(pairs, *_times(pairs, candidates, grid), grid)
    approaches = _approaches(pairs, samples, grid)
    # A touch may be shorter than a step, but has a closest approach.
    touch = approaches.gap < TOUCH
    if touch.any():
        pair = np.concatenate([samples.pair, approaches.pair[touch]])
        time = np.concatenate([samples.time, approaches.time[touch]])
        gap = np.concatenate([samples.gap, approaches.gap[touch]])
        samples = _sample(pairs, pair, time, grid, gap)
    # After the loop's end it is an approach of the pair's successor at the beginning.
    within = approaches.time <= grid.loop
    early = pairs.next_loop(approaches.pair)
    late = approaches.time - grid.loop
    pair = np.where(within, approaches.pair, early)
    time = np.where(within, approaches.time, late)
    return ClosestApproaches(pair, time, approaches.gap), _contact_spans(pairs, samples, grid)


def _times(pairs: Pairs, candidates: Candidates, grid: TimeGrid) -> tuple[Integers, Floats]:
    """Pairs and times of the samples: ends of the searched steps, and breakpoints within."""
    steps = candidates.steps
    sampled = np.zeros((len(steps), TimeGrid.STEPS + 1), dtype=bool)
    sampled[:, 1:] = steps
    sampled[:, :-1] |= steps
    # Where one block of a pair follows another, its first tick is the last one of that.
    follows = (np.diff(candidates.pair) == 0) & (np.diff(candidates.block) == 1)
    sampled[1:, 0] &= ~(follows & sampled[:-1, -1])
    row, tick_of_block = np.nonzero(sampled)
    tick = candidates.block[row] * TimeGrid.STEPS + tick_of_block
    # Breakpoints in the steps that are searched.
    start = candidates.block.astype(float) * grid.block
    break_row, breaks = pairs.breakpoints(candidates.pair, start, start + grid.block)
    step = ((breaks - start[break_row]) / grid.step).astype(np.intp)
    searched = steps[break_row, np.minimum(step, TimeGrid.STEPS - 1)]
    break_row = break_row[searched]
    breaks = breaks[searched]
    pair = np.concatenate([candidates.pair[row], candidates.pair[break_row]])
    return pair, np.concatenate([tick * grid.step, breaks])


def _sample(
    pairs: Pairs, pair: Integers, time: Floats, grid: TimeGrid, gap: Floats | None = None
) -> _Samples:
    """Samples of pairs at times in any order, each time once; gaps are computed unless given."""
    order = np.lexsort((time, pair))
    pair = pair[order]
    time = time[order]
    gap = pairs.gap(pair, time) if gap is None else gap[order]
    repeated = np.zeros(len(pair), dtype=bool)
    repeated[1:] = (np.diff(pair) == 0) & (np.diff(time) < _SAME_TIME)
    pair = pair[~repeated]
    time = time[~repeated]
    gap = gap[~repeated]
    linked = np.zeros(len(pair), dtype=bool)
    linked[1:] = (np.diff(pair) == 0) & (np.diff(time) < 1.01 * grid.step)
    allowed = np.zeros(len(pair), dtype=bool)
    after = np.flatnonzero(linked)
    # At the middle of the step, since at the time of a throw rounding would decide.
    allowed[after] = pairs.contact_allowed(pair[after], (time[after] + time[after - 1]) / 2)
    return _Samples(pair, time, gap, linked, allowed)


def _approaches(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ClosestApproaches:
    """Local minima of gaps between samples, refined by golden section."""
    alone = samples.linked & ~samples.contact_allowed
    gap = samples.gap
    time = samples.time
    middle = np.arange(1, max(1, len(gap) - 1))
    # Samples with higher gaps on both sides, by a second difference that is no rounding.
    least = (
        alone[middle]
        & alone[middle + 1]
        & (gap[middle] < gap[middle - 1])
        & (gap[middle] <= gap[middle + 1])
        & (gap[middle - 1] + gap[middle + 1] - 2 * gap[middle] > _GAP_ROUNDING)
    )
    chosen = middle[least & (time[middle] > 0.0) & (time[middle] <= grid.loop + _SAME_TIME)]
    edge = _dips_at_edges(pairs, samples, alone)
    edge = edge[time[edge] <= grid.loop + _SAME_TIME]
    start = np.concatenate([chosen - 1, edge - 1])
    end = np.concatenate([chosen + 1, edge])
    pair = samples.pair[end]
    return ClosestApproaches(
        pair, *minimise(partial(pairs.gap, pair), time[start], time[end], _GOLDEN_SECTIONS)
    )


def _dips_at_edges(pairs: Pairs, samples: _Samples, alone: Booleans) -> Integers:
    """Samples before which a gap first shrinks and then grows, beside allowed contacts.

    There a third sample to compare with is missing, so the slopes at both ends are measured.
    """
    beside = np.zeros(len(alone), dtype=bool)
    beside[1:] |= ~alone[:-1]
    beside[:-1] |= ~alone[1:]
    later = np.flatnonzero(alone & beside)
    pair = samples.pair[later]
    start = samples.time[later - 1]
    end = samples.time[later]
    moment = _MOMENT * (end - start)
    shrinks = pairs.gap(pair, start + moment) < samples.gap[later - 1] - _GAP_ROUNDING * _MOMENT
    grows = pairs.gap(pair, end - moment) < samples.gap[later] - _GAP_ROUNDING * _MOMENT
    return later[shrinks & grows]


def _contact_spans(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ContactSpans:
    """Spans of time in which pairs touch, or may touch at the end of the loop."""
    touch = samples.gap < TOUCH
    inside = samples.time <= grid.loop + _SAME_TIME
    # A stretch of samples goes on while the pair touches, or may touch.
    goes_on = samples.linked & inside
    goes_on[1:] &= samples.contact_allowed[1:] | (touch[1:] & touch[:-1])
    first = np.flatnonzero(~goes_on)
    last = np.append(first, len(goes_on))[1:] - 1
    allowed = touch
    if len(first):
        allowed = np.logical_or.reduceat(samples.contact_allowed & goes_on, first)
    deepest = _least(samples.gap, first)
    depth = -samples.gap[deepest]
    is_contact = inside[first] & (allowed | (depth > -TOUCH))
    at_loop_end = (samples.time[first] <= _SAME_TIME) | (
        samples.time[last] >= grid.loop - _SAME_TIME
    )
    # An allowed contact matters only where it goes on into the next loop.
    matters = is_contact & (at_loop_end | (~allowed & (depth > TOUCH)))
    first = first[matters]
    last = last[matters]
    deepest = deepest[matters]
    return ContactSpans(
        pair=samples.pair[first],
        start=_crossing(pairs, samples, first, -1),
        end=_crossing(pairs, samples, last, +1),
        gap=samples.gap[deepest],
        time=samples.time[deepest],
        contact_allowed=allowed[matters],
    )


def _least(values: Floats, first: Integers) -> Integers:
    """Index of the least value of each stretch that begins at `first`, shape as `first`."""
    if not len(first):
        return first
    stretch = np.zeros(len(values), dtype=np.intp)
    stretch[first] = 1
    stretch = np.cumsum(stretch) - 1
    least = np.flatnonzero(values == np.minimum.reduceat(values, first)[stretch])
    return least[np.flatnonzero(np.diff(stretch[least], prepend=-1))]


def _crossing(pairs: Pairs, samples: _Samples, edge: Integers, side: int) -> Floats:
    """Times at which contacts begin or end, [s], found by bisection.

    Args:
        pairs: the solids.
        samples: their gaps.
        edge: the first sample of each contact, or the last.
        side: −1 for the times before the first, 1 for those after the last.
    """
    beyond = np.clip(edge + side, 0, len(samples.pair) - 1)
    known = (
        samples.linked[np.maximum(edge, beyond)]
        & (samples.pair[edge] == samples.pair[beyond])
        & (edge != beyond)
    )
    inner = samples.time[edge].copy()
    outer = samples.time[beyond]
    cross = np.flatnonzero(known & (samples.gap[edge] < TOUCH) & (samples.gap[beyond] >= TOUCH))
    pair = samples.pair[edge[cross]]
    near = inner[cross]
    far = outer[cross]
    for _bisection in range(_BISECTIONS):
        middle = (near + far) / 2
        touch = pairs.gap(pair, middle) < TOUCH
        near = np.where(touch, middle, near)
        far = np.where(touch, far, middle)
    inner[cross] = near
    return inner


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
