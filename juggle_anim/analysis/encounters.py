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

# 8 ms shrink below 0.1 ns.
_NARROWINGS = 38
_HALVINGS = 26

# Times nearer to each other than this count as one, [s].
_SAME = 1e-9

# Solids at rest have no minimum of their gap, but rounding may change it by this, [m].
_NOISE = 1e-7

# Share of the time between two samples over which the direction of a gap is determined.
_MOMENT = 1e-3

_AT_ONCE = 400_000
_BLOCK = 0.05
_FEWEST_BLOCKS = 8


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
    def of(cls, found: Iterable[tuple[Integers, Floats, Booleans]]) -> Self:
        """Return the candidates, given for each block the pairs in any order, their bounds, and
        which are needed.
        """
        blocks = list(found)
        pair, bound, needed = (np.concatenate(each) for each in zip(*blocks, strict=True))
        block = np.repeat(np.arange(len(blocks)), [len(each[0]) for each in blocks])
        order = np.lexsort((block, pair))
        everything = np.broadcast_to(np.True_, (len(pair), TimeGrid.STEPS))
        return cls(pair[order], block[order], bound[order], needed[order], everything)

    def rows(self, row: Integers | Booleans | slice) -> Candidates:
        """Return some of them."""
        return Candidates(
            self.pair[row], self.block[row], self.bound[row], self.needed[row], self.steps[row]
        )

    def within(self, reach: float, beyond: float = -math.inf) -> Candidates:
        """Return those that are needed and may come as near as `reach`, not `beyond` [m], with the
        steps beside them.

        In these, where there are any, a gap is seen to shrink and to grow again, and a contact to
        go on.
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
    found = [_search_part(pairs, part, grid) for part in _parts(candidates)]
    approaches = [each for each, _ in found]
    spans = [each for _, each in found]
    return ClosestApproaches(*_joined(approaches)), ContactSpans(*_joined(spans))


def _joined(parts: list[ClosestApproaches] | list[ContactSpans]) -> Iterator[Any]:
    return (
        np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(parts[0])
    )


def _parts(candidates: Candidates) -> Iterator[Candidates]:
    """Rows in parts that fit into memory, each with all rows of its pairs; without rows one empty
    part.
    """
    ends = np.flatnonzero(np.diff(candidates.pair, append=-1)) + 1
    first = 0
    while first < len(candidates.pair):
        place = int(np.searchsorted(ends, first + _AT_ONCE // TimeGrid.STEPS))
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
    samples = _sample(pairs, *_times(pairs, candidates, grid), grid)
    approaches = _approaches(pairs, samples, grid)
    # A touch may be shorter than a step, but has a closest approach.
    touch = approaches.gap < TOUCH
    if touch.any():
        pair = np.concatenate([samples.pair, approaches.pair[touch]])
        time = np.concatenate([samples.time, approaches.time[touch]])
        gap = np.concatenate([samples.gap, approaches.gap[touch]])
        samples = _sample(pairs, pair, time, grid, gap)
    within = approaches.time <= grid.loop
    early = pairs.next_loop(approaches.pair)
    late = approaches.time - grid.loop
    pair = np.where(within, approaches.pair, early)
    time = np.where(within, approaches.time, late)
    return ClosestApproaches(pair, time, approaches.gap), _contact_spans(pairs, samples, grid)


def _times(pairs: Pairs, candidates: Candidates, grid: TimeGrid) -> tuple[Integers, Floats]:
    """Pairs and times of the samples: both ends of the steps that are searched, and the breakpoints
    within these.
    """
    steps = candidates.steps
    taken = np.zeros((len(steps), TimeGrid.STEPS + 1), dtype=bool)
    taken[:, 1:] = steps
    taken[:, :-1] |= steps
    # Where one block of a pair follows another, its first tick is the last one of that.
    follows = (np.diff(candidates.pair) == 0) & (np.diff(candidates.block) == 1)
    taken[1:, 0] &= ~(follows & taken[:-1, -1])
    row, number = np.nonzero(taken)
    tick = candidates.block[row] * TimeGrid.STEPS + number
    start = candidates.block.astype(float) * grid.block
    at, breaks = pairs.breakpoints(candidates.pair, start, start + grid.block)
    within = np.minimum(((breaks - start[at]) / grid.step).astype(np.intp), TimeGrid.STEPS - 1)
    at, breaks = at[steps[at, within]], breaks[steps[at, within]]
    return np.concatenate([candidates.pair[row], candidates.pair[at]]), np.concatenate(
        [tick * grid.step, breaks]
    )


def _sample(
    pairs: Pairs, pair: Integers, time: Floats, grid: TimeGrid, gap: Floats | None = None
) -> _Samples:
    order = np.lexsort((time, pair))
    pair = pair[order]
    time = time[order]
    gap = pairs.gap(pair, time) if gap is None else gap[order]
    same = np.concatenate([[False], (np.diff(pair) == 0) & (np.diff(time) < _SAME)])[: len(pair)]
    pair = pair[~same]
    time = time[~same]
    gap = gap[~same]
    linked = np.zeros(len(pair), dtype=bool)
    linked[1:] = (np.diff(pair) == 0) & (np.diff(time) < 1.01 * grid.step)
    allowed = np.zeros(len(pair), dtype=bool)
    after = np.flatnonzero(linked)
    # At the middle of the step, since at the time of a throw rounding would decide.
    allowed[after] = pairs.contact_allowed(pair[after], (time[after] + time[after - 1]) / 2)
    return _Samples(pair, time, gap, linked, allowed)


def _approaches(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ClosestApproaches:
    alone = samples.linked & ~samples.contact_allowed
    gap = samples.gap
    time = samples.time
    middle = np.arange(1, max(1, len(gap) - 1))
    least = (
        alone[middle]
        & alone[middle + 1]
        & (gap[middle] < gap[middle - 1])
        & (gap[middle] <= gap[middle + 1])
    )
    least &= gap[middle - 1] + gap[middle + 1] - 2 * gap[middle] > _NOISE
    chosen = middle[least & (time[middle] > 0.0) & (time[middle] <= grid.loop + _SAME)]
    edge = _dips_at_edges(pairs, samples, alone)
    edge = edge[time[edge] <= grid.loop + _SAME]
    start = np.concatenate([chosen - 1, edge - 1])
    end = np.concatenate([chosen + 1, edge])
    pair = samples.pair[end]
    return ClosestApproaches(
        pair, *minimise(partial(pairs.gap, pair), time[start], time[end], _NARROWINGS)
    )


def _dips_at_edges(pairs: Pairs, samples: _Samples, alone: Booleans) -> Integers:
    """Samples between which and the previous one a gap first shrinks and then grows, beside allowed
    contacts.

    There a third sample to compare with is missing.
    """
    beside = np.zeros(len(alone), dtype=bool)
    beside[1:] |= ~alone[:-1]
    beside[:-1] |= ~alone[1:]
    later = np.flatnonzero(alone & beside)
    pair = samples.pair[later]
    start = samples.time[later - 1]
    end = samples.time[later]
    moment = _MOMENT * (end - start)
    shrinks = pairs.gap(pair, start + moment) < samples.gap[later - 1] - _NOISE * _MOMENT
    grows = pairs.gap(pair, end - moment) < samples.gap[later] - _NOISE * _MOMENT
    return later[shrinks & grows]


def _contact_spans(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ContactSpans:
    touch = samples.gap < TOUCH
    inside = samples.time <= grid.loop + _SAME
    joined = samples.linked & inside
    joined[1:] &= samples.contact_allowed[1:] | (touch[1:] & touch[:-1])
    first = np.flatnonzero(~joined)
    last = np.append(first, len(joined))[1:] - 1
    allowed = (
        np.logical_or.reduceat(samples.contact_allowed & joined, first) if len(first) else touch
    )
    at = _least(samples.gap, first)
    counts = inside[first] & (allowed | (samples.gap[at] < TOUCH))
    ends = (samples.time[first] <= _SAME) | (samples.time[last] >= grid.loop - _SAME)
    # An allowed contact matters only where it goes on into the next loop.
    kept = counts & (ends | (~allowed & (samples.gap[at] < -TOUCH)))
    first = first[kept]
    last = last[kept]
    at = at[kept]
    return ContactSpans(
        samples.pair[first],
        _crossing(pairs, samples, first, -1),
        _crossing(pairs, samples, last, +1),
        samples.gap[at],
        samples.time[at],
        allowed[kept],
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
    """Times at which contacts begin, before their first sample, or end, after their last."""
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
    for _ in range(_HALVINGS):
        half = (near + far) / 2
        touch = pairs.gap(pair, half) < TOUCH
        near = np.where(touch, half, near)
        far = np.where(touch, far, half)
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
    return TimeGrid(loop, max(_FEWEST_BLOCKS, math.ceil(loop / _BLOCK)))
