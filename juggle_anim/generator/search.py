"""The search: all loops of throws, from state to state, level by level over many states at once.

A state is one integer. Each beat takes `hands` fields of `width` bits, the next beat lowest, and a
field counts the props that are due in a hand. With one prop a hand, integers compare as states do:
by the farthest beat first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.options import GeneratorOptions
from juggle_anim.lazy_dataclass import dataclass

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

    def __getitem__(self, selected: NDArray[np.bool_]) -> Loops:
        return Loops(self.throws[selected], self.states[selected])

    def __len__(self) -> int:
        return len(self.throws)


@dataclass(frozen=True)
class Space:
    """All states and throws that a search knows.

    Args:
        props: in all.
        beats: how far the highest throw goes. A beat of synchronous hands is two of siteswap.
        hands: that throw on each beat.
        multiplex: props that a hand throws together at most.
        step: beats of siteswap in a beat.
    """

    props: int
    beats: int
    hands: int
    multiplex: int
    step: int

    @cached_property
    def field_bits(self) -> int:
        """Bits of a field."""
        return self.multiplex.bit_length()

    @cached_property
    def beat_bits(self) -> int:
        """Bits of a beat."""
        return self.field_bits * self.hands

    @cached_property
    def dtype(self) -> type:
        """Of states: the greatest count of a field must fit above all of them."""
        bits = self.beats * self.beat_bits + self.field_bits
        return next(
            (kind for kind in (np.int16, np.int32, np.int64) if bits < np.iinfo(kind).bits - 1),
            object,
        )

    @cached_property
    def throws(self) -> NDArray[np.int64]:
        """All throws, shape (throws, 2): beats until the prop lands, and the hand that it lands
        in.
        """
        values, hands = np.divmod(np.arange(self.beats * self.hands), self.hands)
        return np.stack([values + 1, hands], axis=1)

    def in_state_type(self, values: range | NDArray[np.int64]) -> States:
        """Return small numbers in the type of states."""
        return np.asarray(values).astype(self.dtype)

    def counts(self, states: States) -> NDArray[np.int64]:
        """Return how many props are due on each beat in each hand, from states as integers.

        Args:
            states: of any shape (...).

        Returns:
            Shape (..., beats, hands).
        """
        fields = (states[..., None] >> self._shifts) & self.field_mask
        return fields.reshape(*states.shape, self.beats, self.hands).astype(np.int64)

    def states(self, counts: NDArray[np.int64]) -> States:
        """The states with these props due, shape (...); the inverse of `counts`."""
        flat: States = counts.reshape(*counts.shape[:-2], -1).astype(self.dtype)
        return (flat << self._shifts).sum(axis=-1, dtype=self.dtype)

    @property
    def _shifts(self) -> States:
        """The bit at which each field begins, by beats and then hands."""
        return self.in_state_type(range(0, self.beats * self.beat_bits, self.field_bits))

    @cached_property
    def field_mask(self) -> int:
        """The bits of one field."""
        return (1 << self.field_bits) - 1

    def sort_keys(self, states: States) -> States:
        """Return numbers that compare as states do: by the most props of a hand, then by the props
        due farthest ahead.
        """
        # With one prop a hand at most, the integers compare so themselves.
        if self.multiplex == 1:
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
    """The states and throws for patterns of some length.

    Args:
        options: what is looked for.
        length: beats of siteswap. Without a highest throw, all props may be thrown on one beat of
            that many.
    """
    highest = options.props * length if options.max_throw is None else options.max_throw
    return Space(
        props=options.props,
        beats=max(highest // options.step, 1),
        hands=options.hands,
        multiplex=options.multiplex,
        step=options.step,
    )


def find_loops(
    options: GeneratorOptions, length: int, at_once: int = AT_ONCE
) -> Iterator[tuple[float, Loops]]:
    """Find all loops of a length that options ask for, as far as this is a matter of their states.

    Of the rotations of a loop, the one is found whose start is the least of its states, unless
    all rotations are asked for. Where a state may come again (`options.kind` is "all"), there can
    be several such rotations. Loops from low starts, as the ground state, come first.

    Args:
        options: what is looked for.
        length: beats of siteswap, a multiple of `options.step`.
        at_once: how many paths are extended together.

    Yields:
        After every step, which is short, two items: how much of the work is done by now, from 0 to
        1, and the loops found in the step, often none.
    """
    space = search_space(options, length)
    beats = length // options.step
    # States on the way are needed to keep them apart, and to compare jugglers.
    keep_states = options.kind != "simple" or options.compares_jugglers
    no_loops = Loops(
        np.zeros((0, beats, space.hands, space.multiplex), dtype=np.int16),
        np.zeros((0, 1), space.dtype),
    )
    # Depth first, over many paths at once: a stack of sets of paths, each with its share of the
    # work. A set is extended by one prop at a time; what it becomes is divided evenly into parts.
    for done, share, starts in _starts(options, space, beats, at_once):
        waiting = [(share, _Paths.without_throws(starts))]
        while waiting:
            share, paths = waiting.pop()
            paths = _extended_by_one_prop(paths, options, beats, space, keep_states=keep_states)
            ended = paths.settled == beats * space.hands * space.multiplex
            if ended or not len(paths.start):
                done += share
            else:
                parts = paths.split(at_once)
                waiting += [(share / len(parts), part) for part in parts]
            loops = no_loops
            if ended and len(paths.start):
                loops = Loops(
                    paths.throws.reshape(-1, beats, space.hands, space.multiplex), paths.states
                )
            yield done, loops


@dataclass(frozen=True)
class _Paths:
    """N sequences of throws from a start on, as yet without an end.

    Args:
        settled: for how many props of hands it is settled whether they are thrown, and how.
        start: states at the start, shape (N,).
        before_beat: states before the present beat, shape (N,).
        now: states after the throws of the present beat that are settled, shape (N,).
        throws: numbers of the settled throws, −1 for none, shape (N, settled).
        states: shape (N, beats), from the start on, or only the start.
    """

    settled: int
    start: States
    before_beat: States
    now: States
    throws: NDArray[np.int16]
    states: States

    @staticmethod
    def without_throws(starts: States) -> _Paths:
        """Return paths that begin in some states, without any throw as yet."""
        return _Paths(
            settled=0,
            start=starts,
            before_beat=starts,
            now=starts,
            throws=np.zeros((len(starts), 0), dtype=np.int16),
            states=starts[:, None],
        )

    def __getitem__(self, rows: slice) -> _Paths:
        return _Paths(
            settled=self.settled,
            start=self.start[rows],
            before_beat=self.before_beat[rows],
            now=self.now[rows],
            throws=self.throws[rows],
            states=self.states[rows],
        )

    def split(self, at_once: int) -> list[_Paths]:
        """Parts that can be extended at once, the first of them last, as a stack needs them.

        Args:
            at_once: the most paths that are extended together; parts are about half as long.
        """
        if len(self.start) <= at_once:
            return [self]
        parts = -(-2 * len(self.start) // at_once)  # rounded up
        bounds = np.linspace(0, len(self.start), parts + 1).astype(int)
        # Pairs of neighbouring bounds, from the last to the first.
        return [self[low:high] for low, high in zip(bounds[-2::-1], bounds[:0:-1], strict=True)]


def _starts(
    options: GeneratorOptions, space: Space, beats: int, at_once: int
) -> Iterator[tuple[float, float, States]]:
    """Yield the states in which loops of a length can start, a few at first and then more at once.

    Loops are found from the least of their states on. If the n states of a loop were drawn at
    random, a start that has the share x of all states above it would be the least with the chance
    xⁿ⁻¹. So once all starts up to that one are done, 1 − xⁿ of the work would be done. But loops go
    through low states more often, and as measured 1 − x⁴ⁿ is much nearer.

    Args:
        options: what is looked for; `start` and `rotations` count.
        space: of the search.
        beats: length of a loop, n.
        at_once: how many paths are extended together; at most an eighth as many states are yielded
            at once.

    Yields:
        The share of the work that is done before these states, their own share, and the states,
        from the lowest on.
    """
    starts = iter([space.ground])
    count = 1
    if options.start != "ground":
        starts = (
            state
            for state in _states_lowest_first(space, beats)
            if options.start == "any" or state != space.ground
        )
        count = _count_starts(space, beats)
    size = 8  # few at first, so that the first results come soon
    yielded = 0
    # With all rotations no start is better than another.
    power = 1 if options.rotations else 4 * beats
    while states := list(islice(starts, size)):
        yielded_before = yielded
        yielded = min(yielded + len(states), count)
        before, after = (1 - (1 - index / count) ** power for index in (yielded_before, yielded))
        yield before, after - before, np.array(states, dtype=space.dtype)
        size = at_once // 8


class _PartialState(NamedTuple):
    """A state whose farthest slots are filled.

    Attributes:
        slots: how many are still to fill, the nearest ones.
        state: the counts of the slots that are filled, as an integer.
        props_left: props that are in no slot yet.
        props_bound: how many of these must go into nearer slots, whole loops before slots that are
            filled already.
    """

    slots: int
    state: int
    props_left: int
    props_bound: int


def _states_lowest_first(space: Space, beats: int) -> Iterator[int]:
    """Yield the states in which all props are due and loops of a length can start, lowest first.

    A slot is a hand on a beat. What is due in a slot at the start of a loop is due a loop nearer at
    its end, and the loop may have thrown more props there. As the state at the end is that at the
    start, no slot has more props than that a loop nearer. So slots are filled from the farthest on,
    and each gets at least as many props as the slot a loop later.

    Args:
        space: of the search.
        beats: length of a loop.

    Yields:
        States as integers, see the head of this module: a field of bits for each slot.
    """
    slot_count = space.beats * space.hands
    slots_per_loop = beats * space.hands
    stack = [_PartialState(slot_count, state=0, props_left=space.props, props_bound=0)]
    while stack:
        slots, state, props_left, props_bound = stack.pop()
        if not slots:
            yield state
            continue
        slot = slots - 1
        shift = slot * space.field_bits
        # At least what is due a loop later.
        least = (state >> (shift + slots_per_loop * space.field_bits)) & space.field_mask
        # Each prop more than these binds one in each slot that is whole loops before this one, so
        # it costs one prop here and one in each of those.
        cost_of_prop = slot // slots_per_loop + 1
        most = min(space.multiplex, least + (props_left - props_bound) // cost_of_prop)
        # The lowest count is put on the stack last, to be taken first.
        for count in range(most, least - 1, -1):
            left_after = props_left - count
            # Props beyond `least` bind their whole cost; those that are put here are bound no more.
            bound_after = props_bound + (count - least) * cost_of_prop - count
            # The other slots must have room for them.
            if left_after <= slot * space.multiplex:
                stack.append(_PartialState(slot, state | count << shift, left_after, bound_after))


def _count_starts(space: Space, beats: int) -> int:
    """The number of states that `_states_lowest_first` yields, found without going through them.

    The slots that are whole loops apart are a column, in which counts never rise from near slots to
    far ones. Columns are filled independently, so the ways to distribute props over them are
    convolved, column by column.

    Args:
        space: of the search.
        beats: length of a loop.
    """
    slots = space.beats * space.hands
    slots_per_loop = beats * space.hands
    # For each number of props, the ways to distribute them over the columns so far.
    ways = [1] + [0] * space.props
    for first in range(min(slots_per_loop, slots)):
        depth = len(range(first, slots, slots_per_loop))
        ways_of_column = _count_falling_columns(depth, space.multiplex, space.props)
        ways = [
            sum(
                ways[props - in_column] * ways_of_column[in_column]
                for in_column in range(props + 1)
            )
            for props in range(space.props + 1)
        ]
    return ways[-1]


def _count_falling_columns(depth: int, most: int, props: int) -> list[int]:
    """How many columns of counts that never rise hold 0, 1, … props.

    These are the partitions of a number into at most `depth` parts of at most `most` each.

    Args:
        depth: counts in a column.
        most: the greatest count.
        props: the greatest number of props that is looked at.

    Returns:
        The number of columns for each number of props, from 0 to `props`.
    """
    # For each greatest part that is allowed, and each number of parts, the ways to reach a sum.
    # Parts of 0 need no entry. Allowing one more size of part adds, for each sum, the ways that
    # have such a part: those of one part less and a sum that is less by its size.
    ways = [[1] + [0] * props] + [[0] * (props + 1) for _ in range(depth)]
    for part in range(1, most + 1):
        for parts in range(1, depth + 1):
            for total in range(part, props + 1):
                ways[parts][total] += ways[parts - 1][total - part]
    return [sum(column) for column in zip(*ways, strict=True)]


def _extended_by_one_prop(
    paths: _Paths, options: GeneratorOptions, beats: int, space: Space, *, keep_states: bool
) -> _Paths:
    """Extend paths by one more prop, thrown in all possible ways.

    Props are settled beat by beat, hand by hand, and in a multiplex one after another. Where a hand
    has no such prop to throw, the path goes on without a throw. At the end of a beat, paths are
    dropped that cannot become loops that are looked for.

    Args:
        paths: of which the same props are settled.
        options: what is looked for.
        beats: length of a loop.
        space: of the search.
        keep_states: whether states on the way are kept.

    Returns:
        The paths that may go on, or have ended.
    """
    # Each beat has a place for each prop that each hand may throw.
    places_per_beat = space.hands * space.multiplex
    beat, place = divmod(paths.settled, places_per_beat)
    if not place:
        # A new beat: the state grows older.
        paths = replace(paths, before_beat=paths.now, now=paths.now >> space.beat_bits)
    hand, prop_of_hand = divmod(place, space.multiplex)
    is_single = space.multiplex == 1 and space.dtype is not object
    throw_prop = _throw_single if is_single else _throw_several
    origin, now, throw = throw_prop(
        paths, beats=beats, beat=beat, hand=hand, prop_of_hand=prop_of_hand, space=space
    )  # of the extended paths

    # At the end of each beat but the last, states are checked. The last leads back to the start.
    if place + 1 == places_per_beat and beat + 1 < beats:
        allowed = _may_go_on(paths, origin, now, options, space, beat=beat)
        if not allowed.all():
            origin = origin[allowed]
            now = now[allowed]
            throw = throw[allowed]
    throws = np.concatenate([paths.throws[origin], throw[:, None]], axis=1)
    states = paths.states
    if keep_states and beat and not place:
        states = np.concatenate([states, paths.before_beat[:, None]], axis=1)
    return _Paths(
        settled=paths.settled + 1,
        start=paths.start[origin],
        before_beat=paths.before_beat[origin],
        now=now,
        throws=throws,
        states=states[origin],
    )


class _ThrownPaths(NamedTuple):
    """N paths after one more throw.

    Attributes:
        origin: for each the row of the path that it continues, shape (N,).
        now: the states after the throw, shape (N,).
        throw: numbers of the throws, −1 for none, shape (N,).
    """

    origin: NDArray[np.intp]
    now: States
    throw: NDArray[np.int16]


def _throw_single(
    paths: _Paths, *, beats: int, beat: int, hand: int, prop_of_hand: int, space: Space
) -> _ThrownPaths:
    """Throw the prop of a hand, in all possible ways; for spaces without multiplexes.

    States are integers with one bit for each slot, so all throws of a path are found at once. If no
    prop is due in the hand, the path goes on without a throw.

    Args:
        paths: before the throw.
        beats: length of a loop.
        beat: of the throw.
        hand: that throws.
        prop_of_hand: unused, as a hand has one prop.
        space: of the search.
    """
    slots = space.beats * space.hands
    until_end = (beats - beat - 1) * space.hands
    # Where props may land: anywhere up to the end, which are the lowest `until_end` bits; and after
    # it, where one is due in the start, as the loop has to end in the state in which it began.
    landings = (paths.start << until_end) | ((1 << min(until_end, slots)) - 1)
    # For each path a bit for each throw that is possible, where no prop lands yet; the bits of the
    # state are moved by one, so that bit 0 can stand for no throw, if no prop is due.
    possible = ((landings & ~paths.now) & ((1 << slots) - 1)) << 1
    possible = np.where((paths.before_beat >> hand) & 1, possible, 1).astype(space.dtype)
    bits = np.unpackbits(
        possible.view(np.uint8).reshape(len(possible), -1), axis=1, bitorder="little"
    )
    rows, bit = np.divmod(np.flatnonzero(bits), bits.shape[1])
    landing_of_bit = space.in_state_type(np.concatenate([[0], 1 << np.arange(slots)]))
    now = paths.now[rows] | landing_of_bit[bit]
    return _ThrownPaths(rows, now, throw=(bit - 1).astype(np.int16))


def _throw_several(
    paths: _Paths, *, beats: int, beat: int, hand: int, prop_of_hand: int, space: Space
) -> _ThrownPaths:
    """Throw one of the props of a hand in all possible ways; for any space.

    It is thrown no lower than the one before, so that each multiplex is found in one order. If
    fewer props are due in the hand, the path goes on without a throw.

    Args:
        paths: before the throw.
        beats: length of a loop.
        beat: of the throw.
        hand: that throws.
        prop_of_hand: which of its props, from 0.
        space: of the search.
    """
    # For each throw of the space, the bits of its landing in a state; and if it lands after the
    # end, those in the start, where a prop has to be due.
    state = paths.now
    shifts = space.in_state_type(space.field_bits * np.arange(len(space.throws)))
    flight_beats, to_hand = space.throws.T
    beats_after_end = beat + flight_beats - beats
    start_shifts = space.in_state_type(
        space.field_bits * (np.maximum(beats_after_end, 0) * space.hands + to_hand)
    )
    is_due = ((paths.before_beat >> (hand * space.field_bits)) & space.field_mask) > prop_of_hand
    fields = (state[:, None] >> shifts) & space.field_mask
    room = np.where(
        beats_after_end >= 0,
        (paths.start[:, None] >> start_shifts) & space.field_mask,
        space.multiplex,
    )
    possible = (fields < room) & is_due[:, None]
    if prop_of_hand:
        possible &= np.arange(len(space.throws)) >= paths.throws[:, -1:]
    rows, throw = np.nonzero(possible)
    # Paths without such a prop go on as they are, with -1 for no throw.
    idle = np.flatnonzero(~is_due)
    # Not simply 1: it has the type of states.
    one = space.in_state_type(np.ones(1, dtype=np.int64))
    now = np.concatenate([state[idle], state[rows] + (one << shifts[throw])])
    throws = np.concatenate([np.full(len(idle), -1), throw]).astype(np.int16)
    return _ThrownPaths(np.concatenate([idle, rows]), now, throws)


def _may_go_on(
    paths: _Paths,
    origin: NDArray[np.intp],
    now: States,
    options: GeneratorOptions,
    space: Space,
    *,
    beat: int,
) -> NDArray[np.bool_]:
    """Whether paths may still become loops that are looked for, shape (N,).

    A loop begins in its least state, unless all rotations are listed. Loops that are not of all
    kinds do not come back to their start before the end, and prime ones to no state at all.

    Args:
        paths: before the last throw.
        origin: which of them each of the N paths continues.
        now: the states of these after the throws of a beat.
        options: what is looked for.
        space: of the search.
        beat: the beat.
    """
    allowed = np.ones(len(now), dtype=bool)
    start = paths.start[origin]
    if not options.rotations:
        key = space.sort_keys(now)
        start_key = space.sort_keys(start)
        is_allowed = key >= start_key if options.kind == "all" else key > start_key
        allowed &= is_allowed.astype(bool)
    elif options.kind != "all":
        allowed &= now != start
    if options.kind == "prime":
        # No state twice; the last one is not yet among those remembered.
        allowed &= (now[:, None] != paths.states[origin]).all(axis=1)
        if beat:
            allowed &= now != paths.before_beat[origin]
    return allowed
