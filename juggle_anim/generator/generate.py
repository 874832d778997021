"""The generator: all patterns that options ask for, one after another, written as siteswaps.

The search: all loops of throws, from state to state, level by level over many states at once.

A state is one integer. Each beat takes `hands` fields of `width` bits, the next beat lowest, and a
field counts the props that are due in a hand. With one prop a hand, integers compare as states do:
by the farthest beat first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice, pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.options import DIGITS, GeneratorOptions
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
        throws: shape (N, beats, hands, props thrown at most by a hand) for N loops, numbers of
            `Space.throws`. Those of one hand are in increasing order, and then −1 where it makes
            fewer.
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
        props: number of props of all jugglers.
        beats: value of the highest throw, [beats]. A beat of synchronous hands is two of siteswap.
        hands: hands that throw on each beat.
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
            states: states of any shape (...).

        Returns:
            Shape (..., beats, hands).
        """
        fields = (states[..., None] >> self._shifts) & self.field_mask
        return fields.reshape(*states.shape, self.beats, self.hands).astype(np.int64)

    def states(self, counts: NDArray[np.int64]) -> States:
        """Return the states with these props due, shape (...); the inverse of `counts`."""
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
    """Return the states and throws that a search for patterns of a given length needs.

    Args:
        options: options of the search.
        length: length of the patterns, [beats of siteswap].
    """
    # The values of a pattern add up to props · length, so no throw can be higher than that.
    highest = options.props * length if options.max_throw is None else options.max_throw
    return Space(
        props=options.props,
        # When hands throw together, a beat of the search is two beats of siteswap (`step`). At
        # least one beat is needed for any throw at all.
        beats=max(highest // options.step, 1),
        hands=options.hands,
        multiplex=options.multiplex,
        step=options.step,
    )


def find_loops(
    options: GeneratorOptions, length: int, at_once: int = AT_ONCE
) -> Iterator[tuple[float, Loops]]:
    """Find all loops of a given length that start and repeat states only as the options allow.

    A state says in which hands and on which coming beats props are due. A loop is a sequence of
    throws that ends in the state in which it began. Other filters, such as those for multiplexes,
    are applied later by the caller.

    Of the rotations of a loop, the one is found whose start is the least of its states, unless
    all rotations are requested. Where a state may come again (`options.kind` is "all"), there can
    be several such rotations. Loops from low starts, such as the ground state, come first.

    Args:
        options: options of the search. A loop of the `kind` "simple" is not back in its start state
            before its end, one of the kind "prime" is in no state twice, and one of the kind "all"
            may repeat states.
        length: length of the loops, [beats of siteswap], a multiple of `options.step`.
        at_once: number of paths (beginnings of loops) that are extended together; it bounds memory.

    Yields:
        After every short step, two items: how much of the work is done by now, from 0 to 1, and
        the loops found in the step, often none.
    """
    space = search_space(options, length)
    # A beat of the search is a time at which hands throw, `options.step` beats of siteswap after
    # the one before.
    beats = length // options.step
    # All states along a path are stored for "prime", where none may be repeated; for "all", where
    # rotations from the same state must be told apart; and where jugglers are compared. Otherwise
    # only the start is.
    keep_states = options.kind != "simple" or options.compares_jugglers
    no_loops = Loops(
        np.zeros((0, beats, space.hands, space.multiplex), dtype=np.int16),
        np.zeros((0, 1), space.dtype),
    )
    # A depth-first search over many paths at once: a stack of sets of paths, each with its share of
    # the work. A set is extended by one prop, and then divided evenly into parts that fit into
    # memory.
    for done_before, batch_share, starts in _starts(options, space, beats, at_once):
        done = done_before
        waiting = [(batch_share, _Paths.without_throws(starts))]
        while waiting:
            share, paths = waiting.pop()
            paths = _extended_by_one_prop(paths, options, beats, space, keep_states=keep_states)
            # All throws of a loop are settled, one for each beat, hand and prop of a multiplex.
            is_complete = paths.settled == beats * space.hands * space.multiplex
            if is_complete or not len(paths.start):
                done += share
            else:
                parts = paths.split(at_once)
                waiting += [(share / len(parts), part) for part in parts]
            loops = no_loops
            if is_complete and len(paths.start):
                loops = Loops(
                    paths.throws.reshape(-1, beats, space.hands, space.multiplex), paths.states
                )
            yield done, loops


@dataclass(frozen=True)
class _Paths:
    """N sequences of throws from a start on, as yet without an end.

    Args:
        settled: number of props in hands for which it is decided whether and how they are thrown.
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
        """Return paths that begin in given states, without any throw as yet."""
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
        """Split the paths into parts that can be extended together, the first part last.

        So the first part is the first to be taken from the end of a stack.

        Args:
            at_once: greatest number of paths to extend together; parts are about half as long.
        """
        if len(self.start) <= at_once:
            return [self]
        part_count = math.ceil(2 * len(self.start) / at_once)
        bounds = np.linspace(0, len(self.start), part_count + 1).astype(int)
        slices = [slice(first, end) for first, end in pairwise(bounds)]
        return [self[part] for part in reversed(slices)]


def _starts(
    options: GeneratorOptions, space: Space, beats: int, at_once: int
) -> Iterator[tuple[float, float, States]]:
    """Yield the states in which loops can start, in batches with estimates of progress.

    A state says in which hands and on which coming beats props are due; a loop is a sequence of n
    throws that returns to its first state. It is found only from the least of its states. If these
    were random, a start with the share x of all states above it would be the least with the
    probability xⁿ⁻¹, and after all starts up to it the share 1 − xⁿ of the work would be done. But
    loops visit low states more often, and measurements are nearer to 1 − x⁴ⁿ.

    Args:
        options: options of the search, of which `start` and `rotations` are read.
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
        beats: length of a loop, n.
        at_once: number of paths that are extended together; a batch has at most an eighth as many
            states, since each begins several paths.

    Yields:
        The estimated share of the work done before a batch, 0 to 1; the share that the batch adds;
        and the states of the batch, shape (N,), in increasing order.
    """
    starts = iter([space.ground])
    start_count = 1
    if options.start != "ground":
        starts = (
            state
            for state in _states_lowest_first(space, beats)
            if options.start == "any" or state != space.ground
        )
        start_count = _count_starts(space, beats)
    batch_size = 8  # few at first, so that the first results come soon
    yielded_count = 0
    # If all rotations are wanted, loops are found from each of their states, so that all starts
    # give the same work.
    power = 1 if options.rotations else 4 * beats
    while states := list(islice(starts, batch_size)):
        count_before = yielded_count
        yielded_count = min(yielded_count + len(states), start_count)
        done_before = 1 - (1 - count_before / start_count) ** power
        done_after = 1 - (1 - yielded_count / start_count) ** power
        yield done_before, done_after - done_before, np.array(states, dtype=space.dtype)
        batch_size = at_once // 8


class _PartialState(NamedTuple):
    """A state whose farthest slots are filled; a slot is a hand on a coming beat.

    Attributes:
        empty_slot_count: number of slots still to fill, the nearest ones.
        state: the counts of the slots that are filled, as an integer.
        props_left: props that are in no slot yet.
        props_bound: how many of these must go into nearer slots, whole loops before slots that are
            filled already.
    """

    empty_slot_count: int
    state: int
    props_left: int
    props_bound: int


def _states_lowest_first(space: Space, beats: int) -> Iterator[int]:
    """Yield the states in which loops of a given length can start, the lowest first.

    A state says how many props are due in each slot, a hand on a coming beat; a loop ends in the
    state in which it starts. The props due in a slot at the start are still due at the end, in the
    slot that is one loop nearer, and throws of the loop may have added others there. So no slot has
    more props than the slot one loop nearer. Slots are filled from the farthest on, each with no
    fewer props than the slot one loop later: a prop in a slot binds one in each slot that is whole
    loops nearer.

    Args:
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
        beats: length of a loop.

    Yields:
        States as integers, see the head of this module: a field of bits for each slot.
    """
    slot_count = space.beats * space.hands
    slots_per_loop = beats * space.hands
    stack = [_PartialState(slot_count, state=0, props_left=space.props, props_bound=0)]
    while stack:
        empty_slot_count, state, props_left, props_bound = stack.pop()
        if not empty_slot_count:
            yield state
            continue
        slot = empty_slot_count - 1  # the farthest of them
        shift = slot * space.field_bits
        # The slot has at least as many props as the slot one loop later.
        least_count = (state >> (shift + slots_per_loop * space.field_bits)) & space.field_mask
        # Each prop beyond these costs itself and the one that it binds in each slot that is whole
        # loops nearer.
        cost_of_prop = slot // slots_per_loop + 1
        free_props = props_left - props_bound
        greatest_count = min(space.multiplex, least_count + free_props // cost_of_prop)
        # The lowest count is put on the stack last, to be taken first.
        for count in range(greatest_count, least_count - 1, -1):
            left_after = props_left - count
            # Props beyond the least count are bound with their whole cost; then all props that are
            # put here are bound no longer.
            bound_after = props_bound + (count - least_count) * cost_of_prop - count
            # The nearer slots must have room for the props that are left.
            if left_after <= slot * space.multiplex:
                stack.append(_PartialState(slot, state | count << shift, left_after, bound_after))


def _count_starts(space: Space, beats: int) -> int:
    """Return the number of states that `_states_lowest_first` yields, without listing them.

    A state says how many props are due in each slot, a hand on a coming beat. Slots that are whole
    loops apart form a column, in which counts never increase with the distance. Columns are
    independent, so the numbers of ways to distribute props over them are convolved.

    Args:
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
        beats: length of a loop.
    """
    slot_count = space.beats * space.hands
    slots_per_loop = beats * space.hands
    # `ways[props]`: the number of ways to distribute so many props over the columns so far.
    ways = [1] + [0] * space.props
    for first_slot in range(min(slots_per_loop, slot_count)):
        depth = len(range(first_slot, slot_count, slots_per_loop))
        ways_of_column = _count_falling_columns(depth, space.multiplex, space.props)
        ways = [
            sum(
                ways[props - in_column] * ways_of_column[in_column]
                for in_column in range(props + 1)
            )
            for props in range(space.props + 1)
        ]
    return ways[-1]  # with all props


def _count_falling_columns(depth: int, greatest_part: int, props: int) -> list[int]:
    """Count the columns of non-increasing counts whose sum is 0, 1, … props.

    These are the partitions of a number into at most `depth` parts of at most `greatest_part` each.

    Args:
        depth: length of a column, the number of counts in it.
        greatest_part: the greatest count.
        props: the greatest sum of a column.

    Returns:
        The number of columns for each sum from 0 to `props`.
    """
    # `ways[part_count][total]`: the number of partitions of `total` into so many positive parts, of
    # the sizes so far. Each further size adds the partitions that have a part of that size: without
    # it they have one part less, and their total is less by the size.
    ways = [[1] + [0] * props] + [[0] * (props + 1) for _ in range(depth)]
    for size in range(1, greatest_part + 1):
        for part_count in range(1, depth + 1):
            for total in range(size, props + 1):
                ways[part_count][total] += ways[part_count - 1][total - size]
    # Zeros fill a column up to its depth, so partitions into any number of parts count.
    return [sum(ways_of_total) for ways_of_total in zip(*ways, strict=True)]


def _extended_by_one_prop(
    paths: _Paths, options: GeneratorOptions, beats: int, space: Space, *, keep_states: bool
) -> _Paths:
    """Extend paths by the throw of one more prop, in all possible ways.

    A path is a sequence of throws that may become a loop. Its throws are settled by beat, by hand,
    and then within a multiplex. If a hand has no such prop, the path continues without a throw. At
    the end of a beat, paths that cannot become wanted loops are dropped.

    Args:
        paths: the paths with the same number of props settled.
        options: options of the search.
        beats: length of a loop.
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
        keep_states: whether the states along paths are stored; if not, only the start.

    Returns:
        The extended paths: none, one or several for each of the given ones.
    """
    # The beat, hand and prop of the hand to throw now: on each beat every hand may throw
    # `multiplex` props.
    props_per_beat = space.hands * space.multiplex
    beat, prop_of_beat = divmod(paths.settled, props_per_beat)
    if not prop_of_beat:
        # A new beat: every due prop is one beat nearer, and those of the last beat leave the state.
        paths = replace(paths, before_beat=paths.now, now=paths.now >> space.beat_bits)
    hand, prop_of_hand = divmod(prop_of_beat, space.multiplex)
    # States of very many beats are Python integers (`object`), whose bits NumPy cannot unpack.
    is_single = space.multiplex == 1 and space.dtype is not object
    throw_prop = _throw_single if is_single else _throw_several
    # For each extended path: the row in `paths` that it continues, its state, and its new throw.
    origin, now, throw = throw_prop(
        paths, beats=beats, beat=beat, hand=hand, prop_of_hand=prop_of_hand, space=space
    )

    # States are checked at the end of each beat except the last, which leads back to the start.
    if prop_of_beat + 1 == props_per_beat and beat + 1 < beats:
        allowed = _can_become_loop(paths, origin, now, options, space, beat=beat)
        if not allowed.all():
            origin = origin[allowed]
            now = now[allowed]
            throw = throw[allowed]
    throws = np.concatenate([paths.throws[origin], throw[:, None]], axis=1)
    states = paths.states
    # Each new beat adds the state before it, except the first, whose state is the start.
    if keep_states and beat and not prop_of_beat:
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
        origin: for each the index of the path that it continues, shape (N,).
        now: the states after the throw, shape (N,).
        throw: numbers of the throws, −1 for none, shape (N,).
    """

    origin: NDArray[np.intp]
    now: States
    throw: NDArray[np.int16]


def _throw_single(
    paths: _Paths, *, beats: int, beat: int, hand: int, prop_of_hand: int, space: Space
) -> _ThrownPaths:
    """Throw the prop of a hand, in all possible ways; for hands that have one prop at most.

    The search extends paths (beginnings of loops) by a throw at a time. A state says in which slots
    props will land; a slot is a coming beat and a hand. States are integers with one bit for each
    slot, so all throws of a path are found at once. If no prop is due in the hand, the path goes on
    without a throw.

    Args:
        paths: the N paths before the throw.
        beats: length of a loop.
        beat: beat of the throw.
        hand: hand that throws.
        prop_of_hand: unused, as a hand has one prop; `_throw_several` needs it.
        space: all states and throws that the search knows; a state is an integer with one bit for
            each hand and coming beat.

    Returns:
        The paths after the throw, each with the index of the path that it continues.
    """
    slot_count = space.beats * space.hands
    slots_until_end = (beats - beat - 1) * space.hands
    # Where props may land: anywhere before the end of the loop, in the lowest `slots_until_end`
    # bits; and after it where one is due in the start, since the loop must end in the state in
    # which it began.
    landings = (paths.start << slots_until_end) | ((1 << min(slots_until_end, slot_count)) - 1)
    # For each path a bit for each slot in which a prop may land, and none does yet.
    free = (landings & ~paths.now) & ((1 << slot_count) - 1)
    # For each path a bit for each way to go on: bit 0 for no throw, as no prop is due in the hand,
    # and bit 1 + n for a throw to slot n.
    is_due = (paths.before_beat >> hand) & 1
    possible: States = np.where(is_due, free << 1, 1).astype(space.dtype)
    # The bits as an array, (N, bits of a state): states are seen as bytes, the lowest byte first.
    bits = np.unpackbits(
        possible.view(np.uint8).reshape(len(possible), -1), axis=1, bitorder="little"
    )
    # A new path for each bit that is set. (`divmod` of flat indices is faster than `np.nonzero`.)
    origin, bit = np.divmod(np.flatnonzero(bits), bits.shape[1])
    landing_of_bit = space.in_state_type(np.concatenate([[0], 1 << np.arange(slot_count)]))
    now = paths.now[origin] | landing_of_bit[bit]
    return _ThrownPaths(origin, now, throw=(bit - 1).astype(np.int16))


def _throw_several(
    paths: _Paths, *, beats: int, beat: int, hand: int, prop_of_hand: int, space: Space
) -> _ThrownPaths:
    """Extend each path by all possible throws of one of the props in a hand.

    Unlike `_throw_single`, this is for hands that may have several props. A path is a sequence of
    throws that may become a loop. A state is an integer with a bit field for each coming beat and
    each hand, by beats and then hands: the number of props that are due there. A prop is thrown no
    lower than the one before of the same hand and beat, so that each multiplex is found in one
    order only. If the hand has no such prop, the path continues without a throw.

    Args:
        paths: the N paths before the throw, with their states: `start` at the start of the loop,
            `before_beat` before this beat, whose lowest fields are this beat, and `now` with the
            throws so far, whose lowest fields are the next beat.
        beats: length of a loop.
        beat: beat of the throw.
        hand: hand that throws.
        prop_of_hand: index of the prop among those of the hand, from 0.
        space: all states and throws that the search knows.

    Returns:
        The paths after the throw, each with the index of the path that it continues, its state and
        the throw, −1 for none.
    """
    # For each possible throw, the shift of the bit field of its landing. Throws are numbered as the
    # fields are, so throw k lands in field k: throw 0 on the next beat, the lowest one of `now`.
    state = paths.now
    shifts = space.in_state_type(space.field_bits * np.arange(len(space.throws)))
    is_due = ((paths.before_beat >> (hand * space.field_bits)) & space.field_mask) > prop_of_hand
    # For each path and throw, shape (N, throws): the number of props that are due at the landing.
    due_counts = (state[:, None] >> shifts) & space.field_mask
    capacity = _landing_capacity(paths.start, beat - beats, space)
    possible = (due_counts < capacity) & is_due[:, None]
    if prop_of_hand:
        # Only throws no lower than that of the prop before, which was settled last (−1 for none).
        possible &= np.arange(len(space.throws)) >= paths.throws[:, -1:]
    throwing, throw = np.nonzero(possible)
    # Paths without such a prop continue unchanged, with −1 for no throw.
    idle = np.flatnonzero(~is_due)
    # The number 1 in the type of states, shape (1,): one prop more is due where the throw lands.
    one = space.in_state_type(np.ones(1, dtype=np.int64))
    now = np.concatenate([state[idle], state[throwing] + (one << shifts[throw])])
    throws = np.concatenate([np.full(len(idle), -1), throw]).astype(np.int16)
    return _ThrownPaths(np.concatenate([idle, throwing]), now, throws)


def _landing_capacity(start: States, beat: int, space: Space) -> NDArray[np.int64]:
    """Return the greatest number of props that may be due where each throw lands, (N, throws).

    Before the end of the loop that is the number of props that a hand may throw at once. After the
    end it is the number of props due there in the start state, in which the loop must end.

    Args:
        start: states at the start of N paths, shape (N,).
        beat: beat of the throws, counted from the end of the loop: below 0.
        space: all states and throws that the search knows.
    """
    flight_beats, to_hand = space.throws.T
    beats_after_end = beat + flight_beats
    # The shifts of the fields of the landings in the start state, whose lowest fields are beat 0.
    start_shifts = space.in_state_type(
        space.field_bits * (np.maximum(beats_after_end, 0) * space.hands + to_hand)
    )
    due_at_start = (start[:, None] >> start_shifts) & space.field_mask
    return np.where(beats_after_end >= 0, due_at_start, space.multiplex)


def _can_become_loop(
    paths: _Paths,
    origin: NDArray[np.intp],
    now: States,
    options: GeneratorOptions,
    space: Space,
    *,
    beat: int,
) -> NDArray[np.bool_]:
    """Return whether each of N paths can still become a wanted loop, shape (N,).

    A path is a sequence of throws that may become a loop, which ends in the state in which it
    began. A loop begins in its least state, unless all rotations are listed. "Simple" loops do not
    return to their start state before the end, and "prime" ones return to no state at all; loops of
    the kind "all" may.

    Args:
        paths: the paths before the last throw.
        origin: for each of the N paths the index in `paths` of the path that it continues.
        now: the states of the N paths after the throws of a beat.
        options: options of the search.
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
        beat: the beat.
    """
    allowed = np.ones(len(now), dtype=bool)
    start = paths.start[origin]
    if not options.rotations:
        # No state is below the start, and only loops of the kind "all" may return to it early.
        key = space.sort_keys(now)
        start_key = space.sort_keys(start)
        is_allowed = key >= start_key if options.kind == "all" else key > start_key
        allowed &= is_allowed.astype(bool)  # Python integers (`object`) compare as objects
    elif options.kind != "all":
        allowed &= now != start
    if options.kind == "prime":
        # No state occurs twice. That before the present beat is not in `paths.states` yet, except
        # on the first beat, where it is the start.
        allowed &= (now[:, None] != paths.states[origin]).all(axis=1)
        if beat:
            allowed &= now != paths.before_beat[origin]
    return allowed


class Throw(NamedTuple):
    """A throw: the beats until the prop lands, and the hand that it lands in."""

    beats: int
    to_hand: int


class Generated(NamedTuple):
    """A pattern that was found.

    Attributes:
        pattern: the pattern as it is written.
        entry, exit: the throws from the ground state into it and back, empty if it starts in the
            ground state.
    """

    pattern: str
    entry: str
    exit: str


class Search:
    """A search for all patterns, in short steps: it can be followed, and left at any of them.

    Args:
        options: options of the search.
        at_once: number of beginnings of patterns that are extended together; with fewer, steps are
            shorter.
    """

    def __init__(self, options: GeneratorOptions, at_once: int = AT_ONCE) -> None:
        self.options = options
        self._at_once = at_once
        self.period = options.periods[0]
        """The period that is searched now, in beats."""
        self.last_period = _last_period(options)
        """The longest period that is searched, in beats."""
        self.done = 0.0
        """How much of this period is done, 0 to 1: an estimate that never falls, and ends at 1."""

    def steps(self) -> Iterator[list[str]]:
        """Yield the patterns found in each step, as they are written, often none; shorter ones
        come first.
        """
        for _space, _loops, texts in self._loops_with_texts():
            yield texts

    def steps_with_passages(self) -> Iterator[list[Generated]]:
        """Yield the patterns found in each step, with the shortest throws into and out of them.

        These passages lead from the ground state into the pattern and back. The ground state is the
        one in which throws that are all equally high begin; a pattern that begins in it needs no
        passages.
        """
        writer = None
        for space, loops, texts in self._loops_with_texts():
            # Each length of loops has a space of its own, whose states have other numbers.
            if writer is None or writer.space is not space:
                writer = PassageWriter(self.options, space)
            # Loops and texts are in the same order; most steps find none.
            starts = loops.states[:, 0].tolist() if texts else ()
            yield [
                Generated(text, *writer.passages(start))
                for text, start in zip(texts, starts, strict=True)
            ]

    def _loops_with_texts(self) -> Iterator[tuple[Space, Loops, list[str]]]:
        """Yield the space of states, the wanted loops and their texts after each step of a search.

        Lengths are searched from the shortest to the longest period. `self.period` is the length
        that is searched now, [beats], and `self.done` the estimated share of it, 0 to 1.
        """
        options = self.options
        for length in range(self.period, self.last_period + 1):
            # Hands that throw together do so on every second beat (`step`), so periods are even.
            if length % options.step:
                continue
            self.period = length
            self.done = 0.0
            space = search_space(options, length)
            for done, loops in find_loops(options, length, self._at_once):
                # The estimate may fall, but a share that is shown as done must not.
                self.done = max(self.done, done)
                yield space, *_wanted_with_texts(loops, options, space)
        self.done = 1.0


def find_patterns(options: GeneratorOptions) -> Iterator[str]:
    """Find all patterns, as they are written; shorter ones come first.

    They are found while they are requested, a few at once. Patterns are counted as Juggling Lab's
    generator counts them, except that of those in which jugglers only change places one is found,
    and always one.
    """
    return chain.from_iterable(Search(options).steps())


def find_with_passages(options: GeneratorOptions) -> Iterator[Generated]:
    """Find all patterns, each with the shortest throws from the ground state into it and back."""
    return chain.from_iterable(Search(options).steps_with_passages())


def _wanted_with_texts(
    loops: Loops, options: GeneratorOptions, space: Space
) -> tuple[Loops, list[str]]:
    """Return the loops that pass all filters, and their texts, in the same order.

    A loop is a sequence of throws that ends in the state in which it began. Filters that look at a
    single loop come first, then those that choose one of several rotations or orders of jugglers.
    Writing takes time, so the expressions that texts must match, or must not, come last.

    Args:
        loops: their throws, shape (N, beats, hands, multiplex) for N loops, are indices into those
            of the space, −1 for none.
        options: options of the search.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.
    """
    for which_pass in (passes_filters, is_listed_rotation, is_listed_permutation):
        if not len(loops):
            break
        passing = which_pass(loops, options, space)
        if not passing.all():  # to save a copy in the usual case
            loops = loops[passing]
    if not len(loops):
        return loops, []
    texts = write_loops(loops, options, space)
    if options.exclude or options.include:
        matching = [_matches(text, options) for text in texts]
        loops = loops[np.array(matching, dtype=bool)]
        texts = [text for text, matches in zip(texts, matching, strict=True) if matches]
    return loops, texts


def _last_period(options: GeneratorOptions) -> int:
    """Return the longest period that is searched, in beats of siteswap."""
    low, high = options.periods
    # A prime pattern is not longer than there are states.
    return options.step * _count_states(search_space(options, low)) if high is None else high


def _count_states(space: Space) -> int:
    """Return the number of states: of ways to distribute all props over the slots of a state.

    A slot is a hand on a coming beat, in which at most `space.multiplex` props are due.

    Args:
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
    """
    # `ways[props]`: the number of ways to distribute so many props over the slots so far. A further
    # slot takes from 0 to `multiplex` of them, and leaves the others to the slots before.
    ways = [1] + [0] * space.props
    for _slot in range(space.beats * space.hands):
        ways = [
            sum(ways[max(0, props - space.multiplex) : props + 1])
            for props in range(space.props + 1)
        ]
    return ways[-1]


def _matches(text: str, options: GeneratorOptions) -> bool:
    """Whether a text has all expressions that it should include, and none of the excluded ones."""
    return all(re.search(expression, text) for expression in options.include) and not any(
        re.search(expression, text) for expression in options.exclude
    )


def write_loops(loops: Loops, options: GeneratorOptions, space: Space) -> list[str]:
    """Write each loop of throws as a siteswap, such as `531`, `(4,2x)*` or `<3p|3>`.

    Of several throws of one hand the highest comes first. A star stands for a second half that
    repeats the first with left and right exchanged.

    Args:
        loops: their throws, shape (N, beats, hands, multiplex) for N loops, are indices into those
            of the space, −1 for none.
        options: the options of the search; `star` says whether stars are written.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.
    """
    if options.hands == options.multiplex == 1:
        # The plain case, one throw on each beat, is written quickly for all loops at once.
        return _write_digits(loops, space)
    loop_count, beats, *_ = loops.throws.shape
    has_star = np.zeros(loop_count, dtype=bool)
    if options.star:
        has_star = hands_mirrored(loops, options, space)
    text_of_beat = _BeatTexts(options, space)
    texts = []
    # For each loop and beat, the numbers of the throws of all hands in a row.
    throws_by_loop = loops.throws.reshape(loop_count, beats, -1).tolist()
    for throws_by_beat, star in zip(throws_by_loop, has_star.tolist(), strict=True):
        written = throws_by_beat[: beats // 2] if star else throws_by_beat
        text = "".join(text_of_beat[tuple(throws)] for throws in written)
        texts.append(text + "*" if star else text)
    return texts


def _write_digits(loops: Loops, space: Space) -> list[str]:
    """Write each loop as a siteswap with one value a beat, such as `531`.

    Args:
        loops: N loops, in which one hand throws at most one prop on each beat. Their throws, shape
            (N, beats, 1, 1), are values of siteswap minus 1, so −1, for no throw, is the value 0.
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
    """
    values = loops.throws[:, :, 0, 0] + 1
    digits = np.frombuffer(DIGITS.encode(), dtype=np.uint8)
    if space.beats < len(digits):
        # All values have one character. So a row of bytes for each loop, with a line end, is filled
        # and decoded for all loops at once.
        rows = np.full((len(loops), values.shape[1] + 1), ord("\n"), dtype=np.uint8)
        rows[:, :-1] = digits[values]
        return rows.tobytes().decode().splitlines()
    return ["".join(_digit(value) for value in row) for row in values.tolist()]


def _digit(value: int) -> str:
    """A value of siteswap: a digit, a letter, or a number in braces."""
    return DIGITS[value] if value < len(DIGITS) else f"{{{value}}}"


class _BeatTexts(dict[tuple[int, ...], str]):
    """Texts of beats by the numbers of their throws, each written when it is first looked up."""

    def __init__(self, options: GeneratorOptions, space: Space, *, rising: bool = False) -> None:
        super().__init__()
        self._options = options
        self._space = space
        self._rising = rising
        self._throws = [Throw(*row) for row in space.throws.tolist()]

    def __missing__(self, numbers: tuple[int, ...]) -> str:
        """Write the text of a beat, and remember it: Python calls this for a key that is missing.

        Args:
            numbers: the key: the throws on the beat, as indices into `space.throws`; as many for
                each hand as it can throw together (`space.multiplex`), −1 for no throw.
        """
        multiplex = self._space.multiplex
        # The numbers are those of the first hand, then those of the next one, and so on.
        throws_of_hands = [
            [self._throws[number] for number in numbers[first : first + multiplex] if number >= 0]
            for first in range(0, len(numbers), multiplex)
        ]
        text = self[numbers] = self.beat(throws_of_hands)
        return text

    def beat(self, throws_of_hands: Sequence[Sequence[Throw]]) -> str:
        """Write a beat from the throws of each hand.

        Hands of one juggler stand in parentheses, jugglers in angle brackets.
        """
        texts = [self._hand(hand, throws) for hand, throws in enumerate(throws_of_hands)]
        if self._options.synchronous:
            texts = [
                f"({left},{right})" for left, right in zip(texts[::2], texts[1::2], strict=True)
            ]
        return texts[0] if len(texts) == 1 else f"<{'|'.join(texts)}>"

    def _hand(self, hand: int, throws: Sequence[Throw]) -> str:
        """Write the throws of one hand, several in brackets.

        Args:
            hand: its index among all hands.
            throws: the throws from the lowest up; written from the highest down, unless `rising`.
        """
        ordered = throws if self._rising else reversed(throws)
        texts = [self._throw(hand, throw) for throw in ordered]
        if len(texts) > 1:
            # Without a space, the value after a pass would be read as the juggler who catches it.
            spaced = [f"{text} " if "p" in text else text for text in texts]
            return f"[{''.join(spaced).strip()}]"
        return texts[0] if texts else "0"

    def _throw(self, hand: int, throw: Throw) -> str:
        """Write a throw: its value, an x if it crosses, and a p if it is a pass, such as `4xp`.

        In the search a juggler has one hand that throws on each beat, or in synchronous patterns
        two: `step` is this number of hands. It is also the number of beats of siteswap in a beat of
        the search.

        Args:
            hand: index of the throwing hand, juggler · `step` + side.
            throw: the hand that catches it, and its duration in beats of the search.
        """
        step = self._options.step
        juggler, side = divmod(hand, step)  # the side is always 0 with one hand
        to_juggler, to_side = divmod(throw.to_hand, step)
        crossing = "x" if to_side != side else ""
        passing = ""
        if to_juggler != juggler:
            # Of two jugglers, it can only go to the other one.
            passing = f"p{to_juggler + 1}" if self._options.jugglers > 2 else "p"
        return _digit(throw.beats * step) + crossing + passing


class PassageWriter:
    """Writes the shortest throws from the ground state into a state, and back; every prop goes
    where it ends up.
    """

    def __init__(self, options: GeneratorOptions, space: Space) -> None:
        self.space = space
        self._beat_texts = _BeatTexts(options, space, rising=True)
        self._known_passages: dict[int, tuple[str, str]] = {}

    def passages(self, state: int) -> tuple[str, str]:
        """Return the throws into a state and out of it, both empty for the ground state."""
        if state not in self._known_passages:
            ground = self.space.ground
            self._known_passages[state] = self._passage(ground, state), self._passage(state, ground)
        return self._known_passages[state]

    def _passage(self, start: int, end: int) -> str:
        """Write the shortest throws that lead from one state to another, such as `56`.

        A state says how many props are due in each slot, a hand on a coming beat. Props that are
        due in the first beats are thrown; the others stay in the air, and must be due in the other
        state, too. The least number of beats for which this is so is found first. Then the props
        that are due in these beats are thrown, in order, to the slots of the other state that lack
        props.

        Args:
            start, end: states as integers, as in `Space`, with equally many props.
        """
        # How many props are due in each state, shape (beats, hands).
        due_at_start, due_at_end = (
            self.space.counts(self.space.in_state_type(np.array(state))) for state in (start, end)
        )
        beats = len(due_at_start)
        # The props still in the air after `elapsed` beats are the rows from there on. After as many
        # beats as a state has, none is in the air, so a length is always found.
        due = np.concatenate([due_at_start, np.zeros_like(due_at_start)])
        length = next(
            elapsed
            for elapsed in range(beats + 1)
            if (due[elapsed : elapsed + beats] <= due_at_end).all()
        )

        # Landing beat, counted from the first throw, and hand of each prop that the other state
        # lacks, in order. There are as many as props are due, and so thrown, in the first beats.
        missing = due_at_end - due[length : length + beats]
        landings = iter(
            [
                (length + beat, hand)
                for beat, hand in np.argwhere(missing).tolist()
                for _ in range(missing[beat, hand])
            ]
        )
        texts = []
        for beat, count_by_hand in enumerate(due_at_start[:length].tolist()):
            # Each throw takes the next landing; those of a hand so go from the lowest up.
            throws_of_hands = [
                [
                    Throw(landing_beat - beat, to_hand)
                    for landing_beat, to_hand in islice(landings, count)
                ]
                for count in count_by_hand
            ]
            texts.append(self._beat_texts.beat(throws_of_hands))
        return "".join(texts)


Mask = NDArray[np.bool_]


def passes_filters(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Return which loops pass all filters that look at each loop by itself, shape (N,).

    Args:
        loops: N loops of throws, which end in the state in which they began: their throws, shape
            (N, beats, hands, multiplex), are indices into those of the space, −1 for none.
        options: options of the search.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.
    """
    passes = np.ones(len(loops), dtype=bool)
    # Plain patterns, with one throw on each beat, have only two filters: one for a 1 after a 1, and
    # one for a delay. If neither is asked for, all pass.
    is_plain = options.hands == options.multiplex == 1
    if is_plain and options.neighbouring_ones and not options.delay:
        return passes
    throws = _ThrowArrays(loops, space)
    if is_plain and not options.neighbouring_ones:
        # Drop loops with a throw of 1 on a beat and on the next one.
        is_one = throws.beats[:, :, 0, 0] == 1
        passes &= ~(is_one[:, 1:] & is_one[:, :-1]).any(axis=1)
    if options.multiplex > 1:
        passes &= _have_wanted_multiplexes(throws, options)
    if options.symmetric_hands:
        passes &= hands_mirrored(loops, options, space)
    if options.connected and options.jugglers > 1:
        passes &= _are_jugglers_connected(throws, options)
    if options.symmetric_jugglers and options.jugglers > 1:
        passes &= _do_jugglers_throw_alike(throws, options)
    if options.delay:
        passes &= _is_start_usual(throws, options, space)
    return passes


class _ThrowArrays:
    """The throws of loops.

    Args:
        loops: N of them.
        space: space that they were found in.
    """

    def __init__(self, loops: Loops, space: Space) -> None:
        """Decode the throws of N loops into arrays of shape (N, beats, hands, multiplex).

        Args:
            loops: their throws, shape (N, beats, hands, multiplex), are indices into
                `space.throws`, −1 for none. A hand makes up to `multiplex` throws on a beat.
            space: its `throws` has a row for each possible throw: beats until it lands, and the
                hand that catches it.
        """
        self.is_thrown = loops.throws >= 0
        """Whether there is a throw, shape (N, beats, hands, multiplex)."""
        # The columns of `space.throws` become the last axis, which is moved first to be unpacked.
        # An index of −1 would take the last throw, so it is replaced by zeros.
        self.beats, self.to_hand = np.moveaxis(
            np.where(self.is_thrown[..., None], space.throws[loops.throws], 0), -1, 0
        )
        """Beats of the space until each prop lands, and the hand in which it lands, both shape
        (N, beats, hands, multiplex); 0 where there is no throw.
        """
        self.hand = np.arange(space.hands)[:, None]
        """The hand that throws, shape (hands, 1), so that it broadcasts with the others."""
        # A beat of the space is `step` beats of siteswap, which is 2 where hands throw together.
        is_two = self.beats * space.step == 2
        self.is_hold = self.is_thrown & is_two & (self.to_hand == self.hand)
        """Whether it is a hold, a 2 to the same hand, shape (N, beats, hands, multiplex)."""


def _have_wanted_multiplexes(throws: _ThrowArrays, options: GeneratorOptions) -> Mask:
    """Return whether each loop has only such multiplexes as are looked for, shape (N,).

    In a multiplex a hand throws several props at once. A hold is a 2 to the same hand, which is not
    thrown.

    Args:
        throws: arrays of shape (N, beats, hands, multiplex), for N loops, such as the `beats` until
            each prop lands. A hand has its throws first, in increasing order, and then no throws.
        options: `clusters` allows equal throws in a multiplex, `squeezes` allows props that were
            thrown apart to land together, and `true_multiplex` asks for a multiplex without a hold.
    """
    # Whether each hand throws more than one prop on each beat, shape (N, beats, hands).
    is_multiplex = np.asarray(throws.is_thrown[..., 1:].any(axis=-1))
    passes = np.ones(len(is_multiplex), dtype=bool)
    if not options.clusters:
        # Throws of a hand are in order, so equal ones are neighbours.
        alike = (throws.beats[..., 1:] == throws.beats[..., :-1]) & (
            throws.to_hand[..., 1:] == throws.to_hand[..., :-1]
        )
        passes &= ~(alike & throws.is_thrown[..., 1:]).any(axis=(1, 2, 3))
    if options.true_multiplex:
        # At least one multiplex is without a hold.
        passes &= (is_multiplex & ~throws.is_hold.any(axis=-1)).any(axis=(1, 2))
    if not options.squeezes:
        passes &= ~_has_squeezes(throws)
    return passes


def _has_squeezes(throws: _ThrowArrays) -> Mask:
    """Return whether each loop has a squeeze, shape (N,) for N loops.

    In a squeeze, props land together in a hand that were thrown apart: by different hands, or on
    different beats. Holds, 2s to the same hand, do not count.

    Args:
        throws: arrays of shape (N, beats, hands, multiplex), such as the `beats` until each prop
            lands.
    """
    loop_count, beats, hands, multiplex = throws.is_thrown.shape
    throws_per_loop = beats * hands * multiplex
    flat = (loop_count, throws_per_loop)
    # The landing of each throw, numbered by beat of the loop and hand.
    landing_beat = (np.arange(beats)[:, None, None] + throws.beats) % beats
    landing = (landing_beat * hands + throws.to_hand).reshape(flat)
    # The throwing hand and the beats in the air as one number. If two throws land together, these
    # are equal exactly if both come from the same hand on the same beat.
    origin = (throws.hand + hands * throws.beats).reshape(flat)
    is_flying = (throws.is_thrown & ~throws.is_hold).reshape(flat)
    has_squeeze = np.zeros(loop_count, dtype=bool)
    # In all loops at once, each throw is compared with all throws before it.
    for index in range(1, throws_per_loop):
        land_together = (
            (landing[:, :index] == landing[:, index, None])
            & is_flying[:, :index]
            & is_flying[:, index, None]
        )
        thrown_apart = origin[:, :index] != origin[:, index, None]
        has_squeeze |= (land_together & thrown_apart).any(axis=1)
    return has_squeeze


def hands_mirrored(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Return which loops have a second half that mirrors the first, shape (N,) for N loops.

    The throws of the second half are those of the first with left and right exchanged. Only loops
    of one juggler whose hands throw together, with an even number of beats, can be so; all others
    get False.

    Args:
        loops: N loops: their throws, shape (N, beats, hands, multiplex), are indices into those of
            the space, −1 for none.
        options: options of the search.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.
    """
    beats = loops.throws.shape[1]
    if beats % 2 or options.jugglers > 1 or not options.synchronous:
        return np.zeros(len(loops), dtype=bool)
    # A throw's number is 2 · (beats − 1) + catching hand, so its lowest bit is that hand, left or
    # right. The throwing hands are the third axis, which is reversed.
    mirrored = np.where(loops.throws >= 0, loops.throws ^ 1, -1)[:, :, ::-1]
    # With other catching hands the throws of a hand may be in another order, so they are sorted.
    mirrored_second_half = np.sort(mirrored[:, beats // 2 :], axis=-1)
    first_half = np.sort(loops.throws[:, : beats // 2], axis=-1)
    equal: Mask = (first_half == mirrored_second_half).all(axis=(1, 2, 3))
    return equal


def _are_jugglers_connected(throws: _ThrowArrays, options: GeneratorOptions) -> Mask:
    """Return whether the passes of each loop connect all jugglers, shape (N,) for N loops.

    Two jugglers are connected if one passes to the other, or if a chain of passes joins them.

    Args:
        throws: arrays of shape (N, beats, hands, multiplex), such as the `beats` until each prop
            lands.
        options: options of the search, of which the number of jugglers and the hands of each
            (`step`) are read.
    """
    loop_count = len(throws.is_thrown)
    # Who is connected with whom, shape (N, jugglers, jugglers): to begin with each juggler with
    # himself, and the thrower and the catcher of each throw, in both directions.
    connected = np.broadcast_to(
        np.eye(options.jugglers, dtype=bool), (loop_count, options.jugglers, options.jugglers)
    ).copy()
    loop = np.nonzero(throws.is_thrown)[0]
    thrower = np.broadcast_to(throws.hand // options.step, throws.to_hand.shape)
    catcher = throws.to_hand // options.step
    connected[loop, thrower[throws.is_thrown], catcher[throws.is_thrown]] = True
    connected |= np.swapaxes(connected, 1, 2)
    # The product of a matrix with itself doubles the length of the chains that count, so these are
    # more products than enough.
    for _doubling in range(options.jugglers):
        connected = np.einsum("nij,njk->nik", connected, connected)
    return np.asarray(connected.all(axis=(1, 2)))


def throws_of_jugglers(loops: Loops, options: GeneratorOptions, space: Space) -> NDArray[np.int64]:
    """Number the throws of each juggler, no matter to whom they go.

    Returns:
        Shape (N, jugglers, beats, throws on a beat): 0 if nothing is thrown, else higher for
        higher throws, and of equal ones for passes.
    """
    return _by_juggler(_ThrowArrays(loops, space), options)


def _by_juggler(throws: _ThrowArrays, options: GeneratorOptions) -> NDArray[np.int64]:
    """The throws as numbers that compare, by juggler, as `throws_of_jugglers` returns them."""
    is_pass = throws.to_hand // options.step != throws.hand // options.step
    heights = np.where(throws.is_thrown, 2 * throws.beats + is_pass, 0)
    count, beats, _hands, multiplex = heights.shape
    # From (N, beats, hands, multiplex) to (N, beats, jugglers, throws on a beat).
    by_juggler = heights.reshape(count, beats, options.jugglers, options.step * multiplex)
    return np.moveaxis(by_juggler, 2, 1)


def _do_jugglers_throw_alike(throws: _ThrowArrays, options: GeneratorOptions) -> Mask:
    """Return whether all jugglers throw the same, perhaps on other beats, shape (N,) for N loops.

    The throws of each juggler have to be those of the first juggler, begun on any beat of the loop.
    It does not matter to whom passes go.

    Args:
        throws: arrays of shape (N, beats, hands, multiplex), such as the `beats` until each prop
            lands.
        options: options of the search, which say how many hands a juggler has.
    """
    # Numbers that tell throws apart, shape (N, jugglers, beats, throws of a juggler on a beat).
    throws_by_juggler = _by_juggler(throws, options)
    beats = throws_by_juggler.shape[2]
    # The throws of the first juggler, begun on each of the beats, shape (N, shifts, beats, throws).
    rotations = np.stack(
        [np.roll(throws_by_juggler[:, 0], shift, axis=1) for shift in range(beats)], axis=1
    )
    # Each juggler has to equal one of the rotations: shape (N, jugglers, shifts).
    is_equal = (throws_by_juggler[:, :, None] == rotations[:, None]).all(axis=(3, 4))
    all_alike: Mask = is_equal.any(axis=2).all(axis=1)
    return all_alike


def _is_start_usual(throws: _ThrowArrays, options: GeneratorOptions, space: Space) -> Mask:
    """Return whether all jugglers but the leader begin with usual throws, shape (N,) for N loops.

    In the ground state, the props are due in the first slots, in order; a slot is a hand on a
    coming beat. Usual throws keep it so: those of a beat fill the next empty slots, as many as
    there are hands. The leader may make other throws from the start, the other jugglers only after
    `options.delay` beats.

    Args:
        throws: arrays of shape (N, beats, hands, multiplex), for N loops, such as the `beats` until
            each prop lands.
        options: options of the search.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.
    """
    beat = np.arange(throws.beats.shape[1])[:, None, None]
    # The slot in which each throw lands, in order of beats and hands, counted from the first that
    # is empty in the ground state. Usual throws of the beats before beat b have filled the slots
    # before b · hands, so those of beat b fill the next ones.
    slot = (beat + throws.beats) * space.hands + throws.to_hand - space.props
    is_usual = (slot >= beat * space.hands) & (slot < (beat + 1) * space.hands)
    # A juggler has `step` hands; leaders are counted from 1.
    is_leader = throws.hand // options.step == options.leader - 1
    is_late = beat >= options.delay
    start_is_usual: Mask = (is_usual | ~throws.is_thrown | is_leader | is_late).all(axis=(1, 2, 3))
    return start_is_usual


def is_listed_rotation(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Return whether each loop is the representative of its rotations, shape (N,).

    The search finds a loop from its least state. If it is in that state on several beats, it is
    found once for each of them, in several rotations. Its parts, from one such beat to the next,
    are compared by length and then by throws, and only the rotation with the greatest list of parts
    is listed. All other loops are found once, and are listed.

    Args:
        loops: N loops: their throws, shape (N, beats, hands, multiplex), are indices into those of
            the space, −1 for none; their states, shape (N, beats), are those before each beat.
        options: options of the search.
        space: unused; all filters have the same parameters.
    """
    is_listed = np.ones(len(loops), dtype=bool)
    # Only loops of the kind "all" repeat states; and with `rotations` every rotation is listed.
    if options.kind == "all" and not options.rotations:
        is_start = loops.states == loops.states[:, :1]
        for loop in np.flatnonzero(is_start[:, 1:].any(axis=1)):
            throws = loops.throws[loop].tolist()
            starts = np.flatnonzero(is_start[loop]).tolist()
            is_listed[loop] = _rotated_parts(throws, starts, 0) == _greatest_parts(throws, starts)
    return is_listed


def _greatest_parts(throws: list[Any], starts: list[int]) -> list[tuple[int, list[Any]]]:
    """Return the greatest of all rotations of a loop's parts, as `_rotated_parts` returns them."""
    return max(_rotated_parts(throws, starts, first) for first in range(len(starts)))


def _rotated_parts(throws: list[Any], starts: list[int], first: int) -> list[tuple[int, list[Any]]]:
    """Return the parts of a loop, each as its length [beats] and its throws, from a given one on.

    Args:
        throws: the throws of each beat of the loop.
        starts: the beats on which parts begin, ascending; the first is 0.
        first: index of the part that comes first; those before it come last.
    """
    bounds = [*starts, len(throws)]
    parts = [(high - low, throws[low:high]) for low, high in pairwise(bounds)]
    return parts[first:] + parts[:first]


def is_listed_permutation(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Return whether each loop is the representative of its permutations, shape (N,) for N loops.

    In a permutation of a loop, the jugglers have exchanged their throws. The representative is the
    copy in which the first juggler has the highest throws, compared from the highest down, then the
    second, and so on. Among copies that are equal in this, it is the one with the lowest throws,
    compared from the start. Copies that the search does not find are ignored: it finds a loop from
    its least state, and a simple loop only if that state occurs once. With one juggler, or if all
    permutations are wanted, all loops are listed.

    Args:
        loops: N loops: their throws, shape (N, beats, hands, multiplex), are indices into those of
            the space, −1 for none.
        options: options of the search.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.
    """
    is_listed = np.ones(len(loops), dtype=bool)
    if not options.compares_jugglers:
        return is_listed
    # Numbers that are higher for higher throws, of each juggler from the highest down, shape (N,
    # jugglers, throws).
    throws_by_juggler = throws_of_jugglers(loops, options, space)
    sorted_throws = -np.sort(-throws_by_juggler.reshape(len(loops), options.jugglers, -1), axis=2)

    # Drop a loop if a copy that the search finds comes before it. The first order is left out, as
    # it is that of the loop itself.
    orders = list(permutations(range(options.jugglers)))[1:]
    has_equal_copy = np.zeros(len(loops), dtype=bool)
    for order in orders:
        comparison = _compare_rows(
            sorted_throws[:, order].reshape(len(loops), -1), sorted_throws.reshape(len(loops), -1)
        )
        copy_is_better = comparison > 0
        if options.kind == "simple" and not options.rotations and copy_is_better.any():
            copy_is_better[copy_is_better] = _is_found(
                loops.states[copy_is_better], order, options, space
            )
        is_listed &= ~copy_is_better
        has_equal_copy |= comparison == 0

    # Among equal copies, the lowest throws decide.
    for loop in np.flatnonzero(is_listed & has_equal_copy):
        is_listed[loop] = _has_lowest_throws(
            loops, int(loop), sorted_throws[loop], orders, options, space
        )
    return is_listed


def _compare_rows(rows: NDArray[np.int64], other_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Compare rows with other rows lexicographically: the first number that differs decides.

    Args:
        rows, other_rows: N rows of M numbers each, shape (N, M).

    Returns:
        Shape (N,): 1 where a row is greater than the other, 0 where both are equal, −1 where it is
        less.
    """
    signs = np.sign(rows - other_rows)
    # The first column that differs decides; if none does, the sign of column 0 is 0.
    column = np.argmax(signs != 0, axis=1)
    comparison: NDArray[np.int64] = np.take_along_axis(signs, column[:, None], axis=1)[:, 0]
    return comparison


def _exchanged_states(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> States:
    """Return states with jugglers in another order: juggler j becomes the one that was `order[j]`.

    A state says how many props are due in each hand on each coming beat.

    Args:
        states: the states as integers, of any shape.
        order: for each juggler the one in whose place he comes.
        options: options of the search, which say how many hands a juggler has.
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
    """
    return space.states(space.counts(states)[..., _hands_in_order(order, options)])


def _hands_in_order(order: tuple[int, ...], options: GeneratorOptions) -> list[int]:
    """Return the hands of jugglers in another order."""
    return [options.step * juggler + side for juggler in order for side in range(options.step)]


def _is_found(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> Mask:
    """Return whether the search also finds each loop with its jugglers in another order, shape
    (N,).

    It looks for "simple" loops, which do not return to their start state before the end, and starts
    each in its least state. So it finds a loop exactly if its least state occurs only once. With
    the jugglers in another order, another of its states may be the least.

    Args:
        states: states before each beat of N loops, shape (N, beats).
        order: the jugglers in the other order.
        options: options of the search, which say how many hands a juggler has.
        space: all states and throws that the search knows; a state is an integer with a few bits
            for each hand and coming beat.
    """
    keys = space.sort_keys(_exchanged_states(states, order, options, space))
    is_found: Mask = (keys == keys.min(axis=1, keepdims=True)).sum(axis=1) == 1
    return is_found


def _has_lowest_throws(
    loops: Loops,
    loop: int,
    sorted_throws: NDArray[np.int64],
    orders: list[tuple[int, ...]],
    options: GeneratorOptions,
    space: Space,
) -> bool:
    """Return whether a loop has the lowest throws among its copies with permuted jugglers.

    Only copies with the same sorted throws are compared, as one of these is to be listed. Throws
    are compared from the start, in the rotation in which the search finds the copy: from its least
    state. Copies that the search does not find are ignored.

    Args:
        loops: their throws, shape (N, beats, hands, multiplex) for N loops, are indices into those
            of the space, −1 for none; their states, shape (N, beats), are those before each beat.
        loop: index of the loop among them.
        sorted_throws: the throws of each of its jugglers, sorted, shape (jugglers, throws).
        orders: the other permutations: for each place the juggler who comes there.
        options: options of the search.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.

    Returns:
        False if another order gives lower throws.
    """
    states = loops.states[loop]
    throws = loops.throws[loop]
    for order in orders:
        if (sorted_throws[list(order)] != sorted_throws).any():
            continue  # the copy has other sorted throws, by which it was compared before
        # The beats of the copy on which it is in its least state, as the search orders states.
        keys = space.sort_keys(_exchanged_states(states, order, options, space))
        least_beats = np.flatnonzero(keys == keys.min()).tolist()
        if options.kind == "simple" and not options.rotations and len(least_beats) > 1:
            # A simple loop does not return to its start before the end, so this one is not found.
            continue
        copied_throws = _exchange_throws(throws, order, options, space).tolist()
        if not options.rotations:
            # The copy is found from its least state on. If it is in that state on several beats, it
            # is listed in the rotation whose parts between these beats are the greatest.
            start = least_beats[0]
            from_start = copied_throws[start:] + copied_throws[:start]
            part_starts = [beat - start for beat in least_beats]
            parts = _greatest_parts(from_start, part_starts)
            copied_throws = [throws_of_beat for _length, part in parts for throws_of_beat in part]
        if copied_throws < throws.tolist():
            return False
    return True


def _exchange_throws(
    throws: NDArray[np.int16], order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> NDArray[np.int16]:
    """Return the throws of a loop with jugglers in another order, both as throwers and as catchers.

    Args:
        throws: indices into the throws of the space, which are numbered by beats in the air and
            then by catching hand, shape (beats, hands, multiplex); −1 where none is made.
        order: for each juggler the one in whose place he comes.
        options: options of the search.
        space: all states and throws of the search in which loops were found; a state is an integer
            with a few bits for each hand and coming beat.

    Returns:
        Like `throws`; those of one hand and beat are in increasing order, then −1.
    """
    # For each new hand the old hand whose throws it makes.
    hands = _hands_in_order(order, options)
    throws_of_hands = throws[:, hands]
    height, to_hand = np.divmod(throws_of_hands, space.hands)
    # The inverse permutation, by `argsort`, says for each old hand which new hand it has become.
    exchanged = height * space.hands + np.argsort(hands)[to_hand]
    # As an unsigned number −1 is the greatest, so that it stays behind the throws of its hand.
    unsigned = np.where(throws_of_hands >= 0, exchanged, -1).astype(np.uint16)
    return np.sort(unsigned, axis=-1).astype(np.int16)
