"""Encounters: when two things that move come nearest, and when they touch.

The gap between two things is looked at in steps and wherever its slope may jump. Each least value among neighbours is
narrowed down by golden section, each crossing of nought by halving, all of them at once.

MERGED: The clock of the search for collisions: a loop in blocks, and each block in steps.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers

TOUCH = 1e-5
"""Surfaces nearer than this touch, and those deeper than this in each other collide, [m]."""

_GOLDEN = (np.sqrt(5.0) - 1) / 2

# 8 ms shrink below 0.1 ns.
_NARROWINGS, _HALVINGS = 38, 26

# Times nearer to each other than this are one, [s].
_SAME = 1e-9

# What rests does not pass, though rounding may stir it, [m].
_NOISE = 1e-7

# A share of the time between two looks that is short enough to tell which way a gap goes.
_MOMENT = 1e-3

_AT_ONCE = 400_000

_BLOCK, _FEWEST_BLOCKS = 0.05, 8


class Pairs(Protocol):
    """Things that may meet, two by two; a pair is a number."""

    @abstractmethod
    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Between the two of each pair, negative where they are in each other, shape (N,), [m]."""

    @abstractmethod
    def contact_allowed(self, pair: Integers, times: Floats) -> Booleans:
        """Whether the two are meant to be at each other then, shape (N,)."""

    @abstractmethod
    def breakpoints(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """The times from `start` up to `end` at which the gap's slope may jump: index of the pair, and time [s]."""

    @abstractmethod
    def next_loop(self, pair: Integers) -> Integers:
        """The pair that is at time 0 as each is one loop later."""


@dataclass(frozen=True)
class Candidates:
    """When pairs may be near each other, N rows sorted by pair and block.

    Args:
        pair: shape (N,).
        block: of the clock, shape (N,).
    """

    pair: Integers
    block: Integers

    @classmethod
    def of(cls, pairs: Iterable[Integers]) -> Self:
        """The pairs that are near in each block of the clock, in any order."""
        found = list(pairs)
        pair, block = np.concatenate(found), np.repeat(np.arange(len(found)), [len(each) for each in found])
        order = np.lexsort((block, pair))
        return cls(pair[order], block[order])


@dataclass(frozen=True)
class ClosestApproaches:
    """When pairs are nearest without being together, N rows: pair, time from 0 up to the loop's end [s], gap [m]."""

    pair: Integers
    time: Floats
    gap: Floats


@dataclass(frozen=True)
class ContactSpans:
    """Whiles within one loop in which pairs touch or are together, N rows.

    Args:
        pair: shape (N,).
        start, end: shape (N,), [s].
        gap: the least, shape (N,), [m].
        time: of that, shape (N,), [s].
        together: whether they are together at any moment of it, shape (N,).
    """

    pair: Integers
    start: Floats
    end: Floats
    gap: Floats
    time: Floats
    contact_allowed: Booleans


def find_encounters(pairs: Pairs, nearness: Candidates, clock: TimeGrid) -> tuple[ClosestApproaches, ContactSpans]:
    """All passes and all whiles of touch.

    Args:
        pairs: what may meet.
        nearness: when to look; outside of it no two are near.
        clock: how closely to look.
    """
    found = [_search_part(pairs, part, clock) for part in _parts(nearness)]
    passes, runs = [each for each, _ in found], [each for _, each in found]
    return ClosestApproaches(*_joined(passes, ("pair", "time", "gap"))), ContactSpans(
        *_joined(runs, ("pair", "start", "end", "gap", "time", "together"))
    )


def _joined(parts: list[ClosestApproaches] | list[ContactSpans], names: tuple[str, ...]) -> Iterator[Any]:
    return (np.concatenate([getattr(part, name) for part in parts]) for name in names)


def _parts(nearness: Candidates) -> Iterator[Candidates]:
    """Rows in parts that fit into memory; no pair is cut. One part is empty where there is nothing at all."""
    ends = np.flatnonzero(np.diff(nearness.pair, append=-1)) + 1
    first = 0
    while first < len(nearness.pair):
        place = int(np.searchsorted(ends, first + _AT_ONCE // TimeGrid.STEPS))
        end = int(ends[min(place, len(ends) - 1)])
        yield Candidates(nearness.pair[first:end], nearness.block[first:end])
        first = end
    if not first:
        yield nearness


@dataclass(frozen=True)
class _Samples:
    """The gap at some times, N rows sorted by pair and time.

    Args:
        linked: shape (N,), whether the row before is of the same pair and the time between was looked at as well.
        together: shape (N,), whether the two are together between the row before and this.
    """

    pair: Integers
    time: Floats
    gap: Floats
    linked: Booleans
    contact_allowed: Booleans


def _search_part(pairs: Pairs, nearness: Candidates, clock: TimeGrid) -> tuple[ClosestApproaches, ContactSpans]:
    looks = _sample(pairs, *_times(pairs, nearness, clock), clock)
    passes = _passes(pairs, looks, clock)
    # A touch may be shorter than a step, but not without one of its passes.
    again = np.concatenate([looks.pair, passes.pair]), np.concatenate([looks.time, passes.time])
    looks = _sample(pairs, *again, clock, np.concatenate([looks.gap, passes.gap]))
    within = passes.time <= clock.loop
    early, late = pairs.next_loop(passes.pair), passes.time - clock.loop
    wrapped = ClosestApproaches(np.where(within, passes.pair, early), np.where(within, passes.time, late), passes.gap)
    return wrapped, _runs(pairs, looks, clock)


def _times(pairs: Pairs, nearness: Candidates, clock: TimeGrid) -> tuple[Integers, Floats]:
    """When to look at which pair."""
    ticks = (clock.blocks + 1) * TimeGrid.STEPS + 1
    tick = nearness.block[:, None] * TimeGrid.STEPS + np.arange(TimeGrid.STEPS + 1)
    key = np.unique(nearness.pair[:, None] * ticks + tick)
    start = nearness.block.astype(float) * clock.block
    row, breaks = pairs.breakpoints(nearness.pair, start, start + clock.block)
    return np.concatenate([key // ticks, nearness.pair[row]]), np.concatenate([key % ticks * clock.step, breaks])


def _sample(pairs: Pairs, pair: Integers, time: Floats, clock: TimeGrid, gap: Floats | None = None) -> _Samples:
    order = np.lexsort((time, pair))
    pair, time = pair[order], time[order]
    gap = pairs.gap(pair, time) if gap is None else gap[order]
    same = np.concatenate([[False], (np.diff(pair) == 0) & (np.diff(time) < _SAME)])[: len(pair)]
    pair, time, gap = pair[~same], time[~same], gap[~same]
    linked = np.zeros(len(pair), dtype=bool)
    linked[1:] = (np.diff(pair) == 0) & (np.diff(time) < 1.01 * clock.step)
    together = np.zeros(len(pair), dtype=bool)
    after = np.flatnonzero(linked)
    # Asked for the middle, since at a throw itself rounding decides.
    together[after] = pairs.contact_allowed(pair[after], (time[after] + time[after - 1]) / 2)
    return _Samples(pair, time, gap, linked, together)


def _passes(pairs: Pairs, looks: _Samples, clock: TimeGrid) -> ClosestApproaches:
    alone = looks.linked & ~looks.contact_allowed
    gap, time = looks.gap, looks.time
    middle = np.arange(1, max(1, len(gap) - 1))
    least = alone[middle] & alone[middle + 1] & (gap[middle] < gap[middle - 1]) & (gap[middle] <= gap[middle + 1])
    least &= gap[middle - 1] + gap[middle + 1] - 2 * gap[middle] > _NOISE
    chosen = middle[least & (time[middle] > 0.0) & (time[middle] <= clock.loop + _SAME)]
    edge = _dips_at_edges(pairs, looks, alone)
    edge = edge[time[edge] <= clock.loop + _SAME]
    start, end = np.concatenate([chosen - 1, edge - 1]), np.concatenate([chosen + 1, edge])
    pair = looks.pair[end]
    return ClosestApproaches(pair, *_narrowed(pairs, pair, time[start], time[end]))


def _dips_at_edges(pairs: Pairs, looks: _Samples, alone: Booleans) -> Integers:
    """Looks before which a gap grows that shrank after the look before; only where the two are together beside it.

    There is no third look to compare with there.
    """
    beside = np.zeros(len(alone), dtype=bool)
    beside[1:] |= ~alone[:-1]
    beside[:-1] |= ~alone[1:]
    later = np.flatnonzero(alone & beside)
    pair, start, end = looks.pair[later], looks.time[later - 1], looks.time[later]
    moment = _MOMENT * (end - start)
    shrinks = pairs.gap(pair, start + moment) < looks.gap[later - 1] - _NOISE * _MOMENT
    grows = pairs.gap(pair, end - moment) < looks.gap[later] - _NOISE * _MOMENT
    return later[shrinks & grows]


def _narrowed(pairs: Pairs, pair: Integers, start: Floats, end: Floats) -> tuple[Floats, Floats]:
    """Where between two times each gap is least, and how wide it is there: golden section."""
    left, right = end - _GOLDEN * (end - start), start + _GOLDEN * (end - start)
    at_left, at_right = pairs.gap(pair, left), pairs.gap(pair, right)
    for _ in range(_NARROWINGS):
        lower = at_left < at_right
        start, end = np.where(lower, start, left), np.where(lower, right, end)
        fresh = np.where(lower, end - _GOLDEN * (end - start), start + _GOLDEN * (end - start))
        value = pairs.gap(pair, fresh)
        left, right = np.where(lower, fresh, right), np.where(lower, left, fresh)
        at_left, at_right = np.where(lower, value, at_right), np.where(lower, at_left, value)
    return np.where(at_left < at_right, left, right), np.minimum(at_left, at_right)


def _runs(pairs: Pairs, looks: _Samples, clock: TimeGrid) -> ContactSpans:
    touch = looks.gap < TOUCH
    inside = looks.time <= clock.loop + _SAME
    joined = looks.linked & inside
    joined[1:] &= looks.contact_allowed[1:] | (touch[1:] & touch[:-1])
    first = np.flatnonzero(~joined)
    last = np.append(first, len(joined))[1:] - 1
    together = np.logical_or.reduceat(looks.contact_allowed & joined, first) if len(first) else touch
    at = _least(looks.gap, first)
    counts = inside[first] & (together | (looks.gap[at] < TOUCH))
    ends = (looks.time[first] <= _SAME) | (looks.time[last] >= clock.loop - _SAME)
    # What only lies together in a hand is of use where it goes on into the next loop.
    kept = counts & (ends | (~together & (looks.gap[at] < -TOUCH)))
    first, last, at = first[kept], last[kept], at[kept]
    return ContactSpans(
        looks.pair[first],
        _crossing(pairs, looks, first, -1),
        _crossing(pairs, looks, last, +1),
        looks.gap[at],
        looks.time[at],
        together[kept],
    )


def _least(values: Floats, first: Integers) -> Integers:
    """Index of the least value of each stretch that begins at `first`, shape as `first`."""
    stretch = np.zeros(len(values), dtype=np.intp)
    stretch[first] = 1
    order = np.lexsort((values, np.cumsum(stretch)))
    return order[first]


def _crossing(pairs: Pairs, looks: _Samples, edge: Integers, side: int) -> Floats:
    """When, before or after the edge of a run, the two begin or cease to touch."""
    beyond = np.clip(edge + side, 0, len(looks.pair) - 1)
    known = looks.linked[np.maximum(edge, beyond)] & (looks.pair[edge] == looks.pair[beyond]) & (edge != beyond)
    inner, outer = looks.time[edge].copy(), looks.time[beyond]
    cross = np.flatnonzero(known & (looks.gap[edge] < TOUCH) & (looks.gap[beyond] >= TOUCH))
    pair, near, far = looks.pair[edge[cross]], inner[cross], outer[cross]
    for _ in range(_HALVINGS):
        half = (near + far) / 2
        touch = pairs.gap(pair, half) < TOUCH
        near, far = np.where(touch, half, near), np.where(touch, far, half)
    inner[cross] = near
    return inner


@dataclass(frozen=True)
class TimeGrid:
    """A loop of so many blocks.

    Args:
        loop: [s].
        blocks: how many make the loop; one more is looked at, so that what happens at its end is seen whole.
    """

    loop: float
    blocks: int

    STEPS = 12
    """Of each block: one is so short that no prop flies past another and back within it."""

    @property
    def block(self) -> float:
        """[s]."""
        return self.loop / self.blocks

    @property
    def step(self) -> float:
        """[s]."""
        return self.block / self.STEPS


def time_grid(loop: float) -> TimeGrid:
    """The clock for a loop of so many seconds."""
    return TimeGrid(loop, max(_FEWEST_BLOCKS, math.ceil(loop / _BLOCK)))
