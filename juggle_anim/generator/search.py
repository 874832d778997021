"""The search: all loops of throws, from state to state, level by level over many states at once.

A state is one integer. Each beat takes `hands` fields of `width` bits, the next beat lowest, and a field counts the
props that are due in a hand. With one prop a hand, integers compare as states do: by the farthest beat first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.options import GeneratorOptions

_AT_ONCE = 8192
"""Paths that are extended together: memory is bounded, and results come and can be stopped in between."""

States = NDArray[Any]
"""States as integers: 64 bits where these are enough, Python's own otherwise."""


@dataclass(frozen=True)
class Loops:
    """Some loops of the same length.

    Args:
        throws: shape (N, beats, hands, props thrown at most by a hand), numbers of `Space.throws`; -1 where none is
            made. Throws of one hand go up.
        states: shape (N, beats), before each beat; the first is the start. Where nobody needs the others, shape (N, 1).
    """

    throws: NDArray[np.int16]
    states: States

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Loops:
        return Loops(self.throws[chosen], self.states[chosen])

    def __len__(self) -> int:
        return len(self.throws)


@dataclass(frozen=True)
class Space:
    """All states and throws that a search knows.

    Args:
        props: in all.
        beats: how far the highest throw goes. A beat of synchronous hands is two of siteswap.
        hands: that throw on each beat.
        several: props that a hand throws together at most.
        step: beats of siteswap in a beat.
    """

    props: int
    beats: int
    hands: int
    several: int
    step: int

    @cached_property
    def width(self) -> int:
        """Bits of a field."""
        return self.several.bit_length()

    @cached_property
    def beat_bits(self) -> int:
        """Bits of a beat."""
        return self.width * self.hands

    @cached_property
    def dtype(self) -> type:
        """Of states: with the greatest count of a field above all of them, they must stay below 2^63."""
        return np.int64 if self.beats * self.beat_bits + self.width < 63 else object

    @cached_property
    def throws(self) -> NDArray[np.int64]:
        """All throws, shape (throws, 2): beats until the prop lands, and the hand that it lands in."""
        values, hands = np.divmod(np.arange(self.beats * self.hands), self.hands)
        return np.stack([values + 1, hands], axis=1)

    def numbers(self, values: range | NDArray[np.int64]) -> States:
        """Small numbers, of the type of states."""
        return np.asarray(values).astype(self.dtype)

    def counts(self, states: States) -> NDArray[np.int64]:
        """Props due on each beat in each hand, shape (..., beats, hands)."""
        fields = (states[..., None] >> self.numbers(range(0, self.beats * self.beat_bits, self.width))) & self.full
        return fields.reshape(*states.shape, self.beats, self.hands).astype(np.int64)

    def states(self, counts: NDArray[np.int64]) -> States:
        """The states with these props due, shape (...); the inverse of `counts`."""
        flat: States = counts.reshape(*counts.shape[:-2], -1).astype(self.dtype)
        return (flat << self.numbers(range(0, self.beats * self.beat_bits, self.width))).sum(axis=-1)

    @cached_property
    def full(self) -> int:
        """The bits of one field."""
        return (1 << self.width) - 1

    def order(self, states: States) -> States:
        """Numbers that compare as states do: by the most props of a hand, then by what is due farthest."""
        if self.several == 1:
            return states
        most = self.counts(states).max(axis=(-1, -2)).astype(self.dtype)
        return (most << (self.beats * self.beat_bits)) + states

    @cached_property
    def ground(self) -> int:
        """The state in which all props are due as soon as possible."""
        counts = np.zeros(self.beats * self.hands, dtype=np.int64)
        np.add.at(counts, np.arange(self.props) % counts.size, 1)
        return int(self.states(counts.reshape(self.beats, self.hands)))


def search_space(options: GeneratorOptions, length: int) -> Space:
    """The states and throws for patterns of so many beats of siteswap."""
    highest = options.props * length if options.max_throw is None else options.max_throw
    return Space(options.props, max(highest // options.step, 1), options.hands, options.multiplex, options.step)


def find_loops(options: GeneratorOptions, length: int) -> Iterator[Loops]:
    """Find all loops of a length that options ask for, as far as this is a matter of their states.

    Which rotation of a loop is found: the one whose start is the least of its states. Where a state may come again
    (`options.kind` is "all"), there can be several such rotations.

    Args:
        options: what is looked for.
        length: beats of siteswap.

    Yields:
        Loops, never many at once.
    """
    space = search_space(options, length)
    beats = length // options.step
    remember = options.kind != "simple" or options.compares_jugglers
    for starts in _starts(options, space, beats):
        waiting = [_Paths.starting(starts)]
        while waiting:
            paths = waiting.pop()
            for beat in range(paths.beats, beats):
                paths = _keep_allowed(_extended(paths, beat, beats, space, remember), options, space, beats)
                if len(paths.start) > _AT_ONCE and beat + 1 < beats:
                    waiting += paths.split()
                    break
            else:
                if len(paths.start):
                    made = paths.throws.reshape(len(paths.start), beats, space.hands, space.several)
                    yield Loops(made, paths.states)


@dataclass(frozen=True)
class _Paths:
    """Throws from a start on, as yet without an end.

    Args:
        beats: how many have been thrown.
        start: shape (N,).
        now: shape (N,).
        throws: shape (N, beats · hands · props thrown at most).
        states: shape (N, beats), from the start on, or only the start.
    """

    beats: int
    start: States
    now: States
    throws: NDArray[np.int16]
    states: States

    @staticmethod
    def starting(states: States) -> _Paths:
        return _Paths(0, states, states, np.zeros((len(states), 0), dtype=np.int16), states[:, None])

    def __getitem__(self, chosen: Any) -> _Paths:
        return _Paths(self.beats, self.start[chosen], self.now[chosen], self.throws[chosen], self.states[chosen])

    def split(self) -> list[_Paths]:
        """Parts that can be extended at once, the first of them last."""
        parts = -(-2 * len(self.start) // _AT_ONCE)
        bounds = np.linspace(0, len(self.start), parts + 1).astype(int)
        return [self[low:high] for low, high in zip(bounds[-2::-1], bounds[:0:-1], strict=True)]


def _starts(options: GeneratorOptions, space: Space, beats: int) -> Iterator[States]:
    """The states in which loops of a length can start, a few at first."""
    found: Iterator[int] = iter([space.ground])
    if options.start != "ground":
        found = (state for state in _fill(space, beats) if options.start == "any" or state != space.ground)
    size = 16
    while some := list(islice(found, size)):
        yield np.array(some, dtype=space.dtype)
        size = _AT_ONCE // 8


def _fill(space: Space, beats: int) -> Iterator[int]:
    """States in which all props are due.

    What is due later than the loop is long comes from the turn before: no more than is due a turn earlier.
    """
    slots, turn = space.beats * space.hands, beats * space.hands
    partial = [(0, 0, space.props)]  # slots that are filled, the state so far, and props that are left
    while partial:
        slot, state, left = partial.pop()
        if not left:
            yield state
            continue
        if slot == slots:
            continue
        shift, room = slot * space.width, (slots - slot - 1) * space.several
        most = (state >> (shift - turn * space.width)) & space.full if slot >= turn else space.several
        for count in range(min(most, left), max(left - room, 0) - 1, -1):
            partial.append((slot + 1, state | count << shift, left - count))


def _extended(paths: _Paths, beat: int, beats: int, space: Space, remember: bool) -> _Paths:
    """Paths with all possible throws of one more beat."""
    last, start, throws = paths.now, paths.start, paths.throws
    state, origin = last >> space.beat_bits, np.arange(len(start))
    shifts = space.numbers(space.width * np.arange(len(space.throws)))
    # A prop that lands after the end lands where one is due in the start.
    landing = beat + space.throws[:, 0] - beats
    later = landing >= 0
    into_start = space.numbers(space.width * (np.maximum(landing, 0) * space.hands + space.throws[:, 1]))
    for hand in range(space.hands):
        for nth in range(space.several):
            due = ((last[origin] >> (hand * space.width)) & space.full) > nth
            fields = (state[:, None] >> shifts) & space.full
            room = np.where(later, (start[:, None] >> into_start) & space.full, space.several)
            possible = (fields < room) & due[:, None]
            if nth:
                possible &= np.arange(len(space.throws)) >= throws[:, -1:]
            rows, chosen = np.nonzero(possible)
            idle = np.flatnonzero(~due)
            one = space.numbers(np.ones(1, dtype=np.int64))
            state = np.concatenate([state[idle], state[rows] + (one << shifts[chosen])])
            numbers = np.concatenate([np.full(len(idle), -1), chosen]).astype(np.int16)
            rows = np.concatenate([idle, rows])
            start, origin = start[rows], origin[rows]
            throws = np.concatenate([throws[rows], numbers[:, None]], axis=1)
    states = paths.states[origin]
    if remember and beat:
        states = np.concatenate([states, last[origin, None]], axis=1)
    return _Paths(beat + 1, start, state, throws, states)


def _keep_allowed(paths: _Paths, options: GeneratorOptions, space: Space, beats: int) -> _Paths:
    """The paths that may go on, or have ended."""
    if paths.beats == beats:
        return paths
    allowed = np.ones(len(paths.now), dtype=bool)
    if options.kind != "all":
        allowed &= paths.now != paths.start
    if options.kind == "prime":
        allowed &= (paths.now[:, None] != paths.states).all(axis=1)
    if not options.rotations:
        allowed &= (space.order(paths.now) >= space.order(paths.start)).astype(bool)
    return paths if allowed.all() else paths[allowed]
