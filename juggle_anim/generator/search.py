"""The search: all loops of throws, from state to state, level by level over many states at once.

A state is one integer. Each beat takes `hands` fields of `width` bits, the next beat lowest, and a
field counts the props that are due in a hand. With one prop a hand, integers compare as states do:
by the farthest beat first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.options import GeneratorOptions

AT_ONCE = 8192
"""Paths that are extended together: memory is bounded, and results come and can be stopped in
between.
"""

States = NDArray[Any]
"""States as integers: as few bits as are enough, or Python's own integers where 64 are not."""


@dataclass(frozen=True)
class Loops:
    """Some loops of the same length.

    Args:
        throws: shape (N, beats, hands, props thrown at most by a hand), numbers of `Space.throws`;
            -1 where none is made. Throws of one hand go up.
        states: shape (N, beats), before each beat; the first is the start. Where nobody needs the
            others, shape (N, 1).
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
        """Of states: the greatest count of a field must fit above all of them."""
        bits = self.beats * self.beat_bits + self.width
        return next(
            (each for each in (np.int16, np.int32, np.int64) if bits < np.iinfo(each).bits - 1),
            object,
        )

    @cached_property
    def throws(self) -> NDArray[np.int64]:
        """All throws, shape (throws, 2): beats until the prop lands, and the hand that it lands
        in.
        """
        values, hands = np.divmod(np.arange(self.beats * self.hands), self.hands)
        return np.stack([values + 1, hands], axis=1)

    def numbers(self, values: range | NDArray[np.int64]) -> States:
        """Small numbers, of the type of states."""
        return np.asarray(values).astype(self.dtype)

    def counts(self, states: States) -> NDArray[np.int64]:
        """Props due on each beat in each hand, shape (..., beats, hands)."""
        fields = (
            states[..., None] >> self.numbers(range(0, self.beats * self.beat_bits, self.width))
        ) & self.full
        return fields.reshape(*states.shape, self.beats, self.hands).astype(np.int64)

    def states(self, counts: NDArray[np.int64]) -> States:
        """The states with these props due, shape (...); the inverse of `counts`."""
        flat: States = counts.reshape(*counts.shape[:-2], -1).astype(self.dtype)
        return (flat << self.numbers(range(0, self.beats * self.beat_bits, self.width))).sum(
            axis=-1, dtype=self.dtype
        )

    @cached_property
    def full(self) -> int:
        """The bits of one field."""
        return (1 << self.width) - 1

    def order(self, states: States) -> States:
        """Numbers that compare as states do: by the most props of a hand, then by what is due
        farthest.
        """
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
    return Space(
        options.props,
        max(highest // options.step, 1),
        options.hands,
        options.multiplex,
        options.step,
    )


def find_loops(
    options: GeneratorOptions, length: int, at_once: int = AT_ONCE
) -> Iterator[tuple[float, Loops]]:
    """Find all loops of a length that options ask for, as far as this is a matter of their states.

    Which rotation of a loop is found: the one whose start is the least of its states. Where a state
    may come again (`options.kind` is "all"), there can be several such rotations. Loops from low
    starts, as the ground state, come first.

    Args:
        options: what is looked for.
        length: beats of siteswap.
        at_once: how many paths are extended together.

    Yields:
        After every step, which is short: how much is done by now, 0 to 1, and the loops found in
            it, often none.
    """
    space = search_space(options, length)
    beats = length // options.step
    remember = options.kind != "simple" or options.compares_jugglers
    nothing = Loops(
        np.zeros((0, beats, space.hands, space.several), dtype=np.int16),
        np.zeros((0, 1), space.dtype),
    )
    for done, share, starts in _starts(options, space, beats, at_once):
        waiting = [(share, _Paths.starting(starts))]
        while waiting:
            share, paths = waiting.pop()
            paths = _extended(paths, options, beats, space, remember)
            ended = paths.made == beats * space.hands * space.several
            if ended or not len(paths.start):
                done += share
            else:
                parts = paths.split(at_once)
                waiting += [(share / len(parts), each) for each in parts]
            loops = nothing
            if ended and len(paths.start):
                loops = Loops(
                    paths.throws.reshape(-1, beats, space.hands, space.several), paths.states
                )
            yield done, loops


@dataclass(frozen=True)
class _Paths:
    """Throws from a start on, as yet without an end.

    Args:
        made: for how many props of hands it is settled whether they are thrown, and how.
        start: shape (N,).
        last: before the present beat, shape (N,).
        now: after the throws of the present beat that are settled, shape (N,).
        throws: shape (N, made).
        states: shape (N, beats), from the start on, or only the start.
    """

    made: int
    start: States
    last: States
    now: States
    throws: NDArray[np.int16]
    states: States

    @staticmethod
    def starting(states: States) -> _Paths:
        return _Paths(
            0, states, states, states, np.zeros((len(states), 0), dtype=np.int16), states[:, None]
        )

    def __getitem__(self, chosen: Any) -> _Paths:
        arrays = self.start, self.last, self.now, self.throws, self.states
        return _Paths(self.made, *(each[chosen] for each in arrays))

    def split(self, at_once: int) -> list[_Paths]:
        """Parts that can be extended at once, the first of them last."""
        if len(self.start) <= at_once:
            return [self]
        parts = -(-2 * len(self.start) // at_once)
        bounds = np.linspace(0, len(self.start), parts + 1).astype(int)
        return [self[low:high] for low, high in zip(bounds[-2::-1], bounds[:0:-1], strict=True)]


def _starts(
    options: GeneratorOptions, space: Space, beats: int, at_once: int
) -> Iterator[tuple[float, float, States]]:
    """The states in which loops of a length can start, a few at first: what part of the work is
    before them, theirs.

    Of a loop of n states in no order, the chance that a start with the share x of all states above
    it is the least is x^(n - 1). So of the work, 1 - x^n would be done when the lowest starts are.
    But loops go through low states more often, and as measured 1 - x^(4 n) is much nearer.
    """
    found = iter([space.ground])
    count = 1
    if options.start != "ground":
        found = (
            state
            for state in _fill(space, beats)
            if options.start == "any" or state != space.ground
        )
        count = _count_starts(space, beats)
    size = 8
    made = 0
    power = 1 if options.rotations else 4 * beats
    while some := list(islice(found, size)):
        before = made
        made = min(made + len(some), count)
        low, high = (1 - (1 - each / count) ** power for each in (before, made))
        yield low, high - low, np.array(some, dtype=space.dtype)
        size = at_once // 8


def _fill(space: Space, beats: int) -> Iterator[int]:
    """States in which all props are due, the lowest first.

    What is due later than the loop is long comes from the turn before: no more than is due a turn
    earlier. So slots are filled from the farthest on, and what is due in one is due in all that are
    whole turns before it.
    """
    slots = space.beats * space.hands
    turn = beats * space.hands
    partial = [
        (slots, 0, space.props, 0)
    ]  # slots left, the state so far, props that are left, and bound for these
    while partial:
        slot, state, left, bound = partial.pop()
        if not slot:
            yield state
            continue
        slot, shift = slot - 1, (slot - 1) * space.width
        least = (state >> (shift + turn * space.width)) & space.full
        # Each prop more in this slot binds one in each slot that is whole turns before it.
        each = slot // turn + 1
        most = min(space.several, least + (left - bound) // each)
        for count in range(most, least - 1, -1):
            rest = left - count
            bound_now = bound + (count - least) * each - count
            if rest <= slot * space.several:
                partial.append((slot, state | count << shift, rest, bound_now))


def _count_starts(space: Space, beats: int) -> int:
    """How many states `_fill` gives: in slots that are whole turns apart, counts that never
    rise.
    """
    slots = space.beats * space.hands
    turn = beats * space.hands
    ways = [1] + [0] * space.props
    for first in range(min(turn, slots)):
        deep = len(range(first, slots, turn))
        column = _count_columns(deep, space.several, space.props)
        ways = [
            sum(ways[props - own] * column[own] for own in range(props + 1))
            for props in range(space.props + 1)
        ]
    return ways[-1]


def _count_columns(deep: int, most: int, props: int) -> list[int]:
    """How many columns of counts that never rise, each up to `most`, hold 0, 1 … props: partitions
    in a box.
    """
    # For each greatest part that is allowed, and each number of parts, the ways to reach a sum.
    ways = [[1] + [0] * props] + [[0] * (props + 1) for _ in range(deep)]
    for part in range(1, most + 1):
        for parts in range(1, deep + 1):
            for total in range(part, props + 1):
                ways[parts][total] += ways[parts - 1][total - part]
    return [sum(column) for column in zip(*ways, strict=True)]


def _extended(
    paths: _Paths, options: GeneratorOptions, beats: int, space: Space, remember: bool
) -> _Paths:
    """Paths with one more prop thrown in all possible ways, of those the ones that may go on, or
    have ended.
    """
    beat, within = divmod(paths.made, space.hands * space.several)
    if not within:
        paths = replace(paths, last=paths.now, now=paths.now >> space.beat_bits)
    hand, nth = divmod(within, space.several)
    single = space.several == 1 and space.dtype is not object
    origin, now, number = (_throw_single if single else _throw_several)(
        paths, beats, beat, hand, nth, space
    )
    if within + 1 == space.hands * space.several and beat + 1 < beats:
        allowed = _may_go_on(paths, origin, now, options, space, beat)
        if not allowed.all():
            origin = origin[allowed]
            now = now[allowed]
            number = number[allowed]
    throws = np.concatenate([paths.throws[origin], number[:, None]], axis=1)
    states = paths.states
    if remember and beat and not within:
        states = np.concatenate([states, paths.last[:, None]], axis=1)
    return _Paths(
        paths.made + 1, paths.start[origin], paths.last[origin], now, throws, states[origin]
    )


_Thrown = tuple[NDArray[np.intp], States, NDArray[np.int16]]
"""Which path each goes on, its state, and the number of its throw, shape (N,)."""


def _throw_single(
    paths: _Paths, beats: int, beat: int, hand: int, nth: int, space: Space
) -> _Thrown:
    """Throw one prop at most from a hand: a bit for each throw that is possible, and bit 0 for
    none.
    """
    slots = space.beats * space.hands
    until_end = (beats - beat - 1) * space.hands
    # A prop that lands after the end lands where one is due in the start.
    landings = (paths.start << until_end) | ((1 << min(until_end, slots)) - 1)
    possible = ((landings & ~paths.now) & ((1 << slots) - 1)) << 1
    possible = np.where((paths.last >> hand) & 1, possible, 1).astype(space.dtype)
    bits = np.unpackbits(
        possible.view(np.uint8).reshape(len(possible), -1), axis=1, bitorder="little"
    )
    rows, chosen = np.divmod(np.flatnonzero(bits), bits.shape[1])
    added = space.numbers(np.concatenate([[0], 1 << np.arange(slots)]))
    return rows, paths.now[rows] | added[chosen], (chosen - 1).astype(np.int16)


def _throw_several(
    paths: _Paths, beats: int, beat: int, hand: int, nth: int, space: Space
) -> _Thrown:
    """Throw the nth prop of a hand, if it is due, no lower than the one before."""
    state = paths.now
    shifts = space.numbers(space.width * np.arange(len(space.throws)))
    # A prop that lands after the end lands where one is due in the start.
    landing = beat + space.throws[:, 0] - beats
    into_start = space.numbers(
        space.width * (np.maximum(landing, 0) * space.hands + space.throws[:, 1])
    )
    due = ((paths.last >> (hand * space.width)) & space.full) > nth
    fields = (state[:, None] >> shifts) & space.full
    room = np.where(landing >= 0, (paths.start[:, None] >> into_start) & space.full, space.several)
    possible = (fields < room) & due[:, None]
    if nth:
        possible &= np.arange(len(space.throws)) >= paths.throws[:, -1:]
    rows, chosen = np.nonzero(possible)
    idle = np.flatnonzero(~due)
    one = space.numbers(np.ones(1, dtype=np.int64))
    now = np.concatenate([state[idle], state[rows] + (one << shifts[chosen])])
    numbers = np.concatenate([np.full(len(idle), -1), chosen]).astype(np.int16)
    return np.concatenate([idle, rows]), now, numbers


def _may_go_on(
    paths: _Paths,
    origin: NDArray[np.intp],
    now: States,
    options: GeneratorOptions,
    space: Space,
    beat: int,
) -> NDArray[np.bool_]:
    allowed = np.ones(len(now), dtype=bool)
    start = paths.start[origin]
    if not options.rotations:
        # The start is the least state, which only patterns of all kinds may come back to.
        least = space.order(start)
        allowed &= (
            space.order(now) >= least if options.kind == "all" else space.order(now) > least
        ).astype(bool)
    elif options.kind != "all":
        allowed &= now != start
    if options.kind == "prime":
        allowed &= (now[:, None] != paths.states[origin]).all(axis=1)
        if beat:
            allowed &= now != paths.last[origin]
    return allowed
