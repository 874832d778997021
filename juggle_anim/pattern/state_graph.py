"""The state graph: every state that some props can be in, and the throws that lead from one to the
next.

The ground state, and the shortest throws that lead from it into a pattern and out of it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import permutations
from math import comb
from typing import NamedTuple

from juggle_anim.errors import ParameterError, counted
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.cycle import MAX_STATES_SIZE, Cycle, CycleThrow, Row, state_cycle
from juggle_anim.pattern.pattern import (
    LEFT,
    RIGHT,
    VALUE_CHARACTERS,
    Pattern,
    grouped,
    hand_text,
    value_text,
)
from juggle_anim.pattern.states import Landings, states_of


class Passage(NamedTuple):
    """A transition between the ground state and a pattern.

    Attributes:
        turn_beat: for a passage into the pattern, the beat of the pattern with which it goes on
            afterwards; of a passage out of it, the first beat whose throws are no longer made.
        length: beats between; 0 where the pattern is in the ground state itself.
        throws: the throws on these beats, which are counted from the first of them.
    """

    turn_beat: int
    length: int
    throws: tuple[CycleThrow, ...]


def ground_state(rows: Sequence[Row], props: int, beat: int = 0, near: Landings = ()) -> Landings:
    """Return the ground state before a beat: one prop at each turn of a row until all are placed.

    A turn is a beat on which a row throws.

    Args:
        rows: rows of the state, at least one: hands, or pairs of hands that take turns, each with a
            turn every `step` beats.
        props: number of props.
        beat: the beat whose throws come next, counted as in the turns of the rows.
        near: a state that decides if the ground state is ambiguous. On its last beat more rows may
            have a turn than props remain; then rows with a prop in `near` on that beat come first.
            Otherwise rows come in the order of their indices.

    Returns:
        Number of props due on each coming beat in each row, up to the last beat with any.
    """
    # The number of beats after which the same rows throw together again. `full_period` has one prop
    # for each turn within it, and is repeated as long as there are props for all its turns.
    period = math.lcm(*(row.step for row in rows))
    full_period = tuple(
        tuple(int(row.throws_on(beat + beats_ahead)) for row in rows)
        for beats_ahead in range(period)
    )
    rounds, remaining = divmod(props, sum(map(sum, full_period)))
    state = full_period * rounds

    # The remaining props, beat by beat.
    for counts in full_period:
        if not remaining:
            break
        if remaining >= sum(counts):
            state += (counts,)
            remaining -= sum(counts)
            continue
        # Too few props for all turns of this beat, the last one: rows with a prop in `near` come
        # first, the others in their order.
        throwing_rows = [row_index for row_index, count in enumerate(counts) if count]
        if len(state) < len(near):
            near_counts = near[len(state)]
            throwing_rows.sort(key=lambda row_index: near_counts[row_index] == 0)
        chosen_rows = throwing_rows[:remaining]
        state += (tuple(int(row_index in chosen_rows) for row_index in range(len(rows))),)
        remaining = 0

    # On the last beats no row may throw; nothing is due on them, so they are dropped.
    while state and not any(state[-1]):
        state = state[:-1]
    return state


def is_ground(cycle: Cycle, turn_beat: int) -> bool:
    """Return whether the state before a turn is a ground state.

    Where there are several ground states, it is compared with the one most like it.
    """
    state = cycle.states[turn_beat]
    return state == ground_state(cycle.rows, cycle.props, turn_beat, state)


def entry_of(cycle: Cycle) -> Passage:
    """Return the shortest throws from the ground state into a regular cycle.

    Of equally short ones, those to its lowest state (`Cycle.lowest_state_beat`), else to the first
    beat.
    """
    return _shortest_passage(cycle, into=True)


def exit_of(cycle: Cycle) -> Passage:
    """Return the shortest throws from a regular cycle to the ground state.

    Of equally short ones, those from its lowest state (`Cycle.lowest_state_beat`), else from the
    first beat.
    """
    return _shortest_passage(cycle, into=False)


def transition(
    rows: Sequence[Row], beat: int, start: Landings, end: Landings, length: int
) -> tuple[CycleThrow, ...]:
    """Return the throws that lead from one state to another in a given number of beats.

    Jugglers keep their props where they can, and pass only where they have no room. Of all such
    throws they make the lowest, compared from the first on.

    Args:
        rows: rows of the states: hands, or pairs of hands that take turns.
        beat: beat of the first throws, counted as in the turns of the rows.
        start: the state before them: props due on each coming beat in each row.
        end: the state after them, of the same form. What is left of `start` after `length` beats
            must fit into it, with no more props due on any beat in any row, and it must have as
            many props.
        length: length in beats.

    Returns:
        Throws in order; they count beats from 0, the first beat of the transition.
    """
    # Props due on each beat of the transition in each row; throws that land there are added. A
    # start state that ends sooner has nothing due on the other beats.
    nothing_due = (0,) * len(rows)
    padded_start = start + (nothing_due,) * (length - len(start))
    due = [list(counts) for counts in padded_start[:length]]
    free_beats = _free_beats(rows, beat, start, end, length)  # with room for landings, by juggler
    throws = []
    for now in range(length):
        for row, due_count in enumerate(due[now]):
            for _prop in range(due_count):
                # The soonest free slot makes the lowest throw. A prop that lands within the
                # transition has to be thrown again in it.
                landing, to_row = _take_slot(rows, free_beats, now, row)
                if landing < length:
                    due[landing][to_row] += 1
                throws.append(CycleThrow(now, row, value=landing - now, to_row=to_row))
    return tuple(throws)


class _FreeBeat(NamedTuple):
    """A beat on which props may land.

    Attributes:
        beat: counted from the first throws.
        rows: indices of rows in which a prop may land then, a row once for each prop.
    """

    beat: int
    rows: list[int]


def _free_beats(
    rows: Sequence[Row], beat: int, start: Landings, end: Landings, length: int
) -> dict[int, deque[_FreeBeat]]:
    """Return the beats and rows in which throws of a transition can land, by juggler.

    Args:
        rows: rows of the states: hands, or pairs of hands that take turns.
        beat: beat of the first throws, counted as in the turns of the rows.
        start: the state before them: props due on each coming beat in each row.
        end: the state after them, of the same form. On no beat after the transition has it fewer
            props in a row than `start` has left.
        length: length of the transition, in beats.

    Returns:
        For each juggler the beats with room in their order, counted from the first throws of the
        transition.
    """
    nothing_due = (0,) * len(rows)
    free_beats = {row.juggler: deque[_FreeBeat]() for row in rows}
    for now in range(length + len(end)):
        due = start[now] if now < len(start) else nothing_due
        rows_of_juggler: dict[int, list[int]] = {juggler: [] for juggler in free_beats}
        for row_index, row in enumerate(rows):
            if now >= length:
                # After the transition: the props of the end state that the start state lacks.
                room = end[now - length][row_index] - due[row_index]
            else:
                # During it, throws are no multiplexes: a hand whose turn it is can throw one prop,
                # which lands there now unless one is due already.
                room = 1 if row.throws_on(beat + now) and not due[row_index] else 0
            rows_of_juggler[row.juggler] += [row_index] * room  # once for each prop
        for juggler, free_rows in rows_of_juggler.items():
            if free_rows:
                free_beats[juggler].append(_FreeBeat(now, free_rows))
    return free_beats


def _take_slot(
    rows: Sequence[Row], free_beats: dict[int, deque[_FreeBeat]], now: int, row: int
) -> tuple[int, int]:
    """Choose where a prop that a row throws now lands, and remove that slot from the free ones.

    A slot is a coming beat and a row that can catch a prop then. The soonest slot of the same
    juggler is taken, in the same row if that is free on its beat. If the juggler has none left, it
    is the soonest slot of any other juggler, and the throw is a pass.

    Args:
        rows: rows of hands: each a hand, or the hands of a juggler who throw in turn.
        free_beats: for each juggler the beats with free slots, in order; some juggler has one
            after `now`. Changed in place: the slot is removed, as are those that are past.
        now: the beat of the throw.
        row: index of the throwing row.

    Returns:
        The beat on which the prop lands, and the index of the row that catches it.
    """
    juggler = rows[row].juggler
    _drop_past(free_beats[juggler], now)
    if not free_beats[juggler]:
        for beats in free_beats.values():
            _drop_past(beats, now)
        catchers = [catcher for catcher, beats in free_beats.items() if beats]
        juggler = min(catchers, key=lambda catcher: free_beats[catcher][0].beat)
    landing, free_rows = free_beats[juggler][0]
    # The throwing hand keeps its prop if it can.
    to_row = row if row in free_rows else free_rows[0]
    free_rows.remove(to_row)
    if not free_rows:
        free_beats[juggler].popleft()
    return landing, to_row


def _drop_past(free_beats: deque[_FreeBeat], now: int) -> None:
    """Remove beats up to and including `now`; a throw takes at least one beat."""
    while free_beats and free_beats[0].beat <= now:
        free_beats.popleft()


def _shortest_passage(cycle: Cycle, *, into: bool) -> Passage:
    """Find the shortest passage between the ground state and a cycle: the throws between them.

    A state tells when and where the props in the air will land; in the ground state, that of a
    cascade or fountain, they land as soon as possible. The lowest state of a cycle is the one whose
    props have all landed soonest. Of equally short passages, that at the lowest state is taken,
    then that at the first beat.

    Args:
        cycle: a cycle whose rows (hands, or pairs of hands that take turns) throw at even intervals
            (`Cycle.is_regular`).
        into: whether the passage leads into the cycle; if not, out of it.
    """
    ground_length = len(ground_state(cycle.rows, cycle.props))
    least_length = _least_entry_length if into else _least_exit_length

    # At the lowest state a passage is always found: once all props of the first state have landed,
    # any state can be reached. They land within `highest` beats in the cycle; in a ground state
    # within `ground_length`, or up to a phase more before another beat. Some row has a turn within
    # another phase; the third is to spare.
    best_turn = cycle.lowest_state_beat
    least = least_length(cycle, best_turn, ground_length)
    limit = least + ground_length + cycle.highest + 3 * cycle.phase
    best_length = _first_possible_length(cycle, best_turn, range(least, limit), into=into)
    assert best_length is not None, "after enough beats any state can be reached"

    # Then the other states on which the first row throws, as jugglers begin a pattern there. From
    # these on, only passages shorter than the best one so far are useful.
    for turn_beat in cycle.turn_beats:
        if best_length == 0:
            break  # the ground state is part of the cycle
        if turn_beat == cycle.lowest_state_beat or not cycle.rows[0].throws_on(turn_beat):
            continue
        shorter = range(least_length(cycle, turn_beat, ground_length), best_length)
        length = _first_possible_length(cycle, turn_beat, shorter, into=into)
        if length is not None:
            best_turn = turn_beat
            best_length = length
    start, end = _states_at_ends(cycle, best_turn, best_length, into=into)
    begin = best_turn - best_length if into else best_turn
    throws = transition(cycle.rows, beat=begin, start=start, end=end, length=best_length)
    return Passage(best_turn, best_length, throws)


def _first_possible_length(
    cycle: Cycle, turn_beat: int, lengths: range, *, into: bool
) -> int | None:
    """Return the first length with which a passage leads from the ground state to a cycle or back.

    Args:
        cycle: the cycle that is entered or left.
        turn_beat: the beat of the cycle with which it is entered, or before which it is left.
        lengths: the lengths to try, [beats].
        into: whether the passage leads into the cycle; if not, out of it.
    """
    for length in lengths:
        ground_beat = turn_beat - length if into else turn_beat + length
        # A ground state only exists before a beat on which some row throws.
        if not any(row.throws_on(ground_beat) for row in cycle.rows):
            continue
        # Possible if all props of the first state that land after that many beats are due in the
        # second.
        start, end = _states_at_ends(cycle, turn_beat, length, into=into)
        if fits(start[length:], end):
            return length
    return None


def _least_exit_length(cycle: Cycle, turn_beat: int, ground_length: int) -> int:
    """A lower bound of the length of a transition from a cycle to the ground state, [beats].

    The phase is the number of beats after which the same rows have their turns again. A state says
    how many props are due on each coming beat in each hand. In the ground state, the usual one of a
    cascade or a fountain, one prop is due on every turn of a hand up to its end, and none later.

    Args:
        cycle: the cycle that is left.
        turn_beat: the beat before which it is left.
        ground_length: beats of the ground state before beat 0, up to its last prop. Ground states
            before other beats may be longer or shorter by less than a phase of the cycle.
    """
    state = cycle.states[turn_beat]
    # The last prop of the state must come as near as the last one of the longest ground state.
    until_last_is_near = len(state) - (ground_length + cycle.phase)
    # A ground state has no multiplexes, so the last one must have been caught and thrown.
    multiplexes = [beats_ahead for beats_ahead, counts in enumerate(state) if max(counts) > 1]
    until_multiplexes_are_over = max(multiplexes, default=-1) + 1
    return max(until_last_is_near, until_multiplexes_are_over, 0)


def _least_entry_length(cycle: Cycle, turn_beat: int, ground_length: int) -> int:
    """A lower bound of the length of a transition from the ground state into a cycle, [beats].

    The phase is the number of beats after which the same rows have their turns again. A state says
    how many props are due on each coming beat in each hand. In the ground state, the usual one of a
    cascade or a fountain, one prop is due on every turn of a hand up to its end, and none later.

    Args:
        cycle: the cycle that is entered.
        turn_beat: the beat of the cycle with which it is entered.
        ground_length: beats of the ground state before beat 0, up to its last prop. Ground states
            before other beats may be longer or shorter by less than a phase of the cycle.
    """
    # The beats until the first turn on which no prop is due in the state of the cycle.
    state = cycle.states[turn_beat]
    empty_turns = (
        beats_ahead
        for beats_ahead, counts in enumerate(state)
        if any(
            not count and row.throws_on(turn_beat + beats_ahead)
            for count, row in zip(counts, cycle.rows, strict=True)
        )
    )
    first_empty_turn = next(empty_turns, len(state))
    # Each turn of a ground state has a prop, except perhaps some on its last beat. So the ground
    # state must be at its last beat or over by that empty turn.
    shortest_ground_length = ground_length - cycle.phase
    return max(shortest_ground_length - 1 - first_empty_turn, 0)


def _states_at_ends(
    cycle: Cycle, turn_beat: int, length: int, into: bool
) -> tuple[Landings, Landings]:
    """The states before and after a transition between the ground state and a cycle.

    A state says how many props are due on each coming beat in each row: a hand, or the two hands of
    a juggler that take turns. The first of the two is the ground state if the cycle is entered, and
    the second if it is left. Of several ground states, it is the one most like that of the cycle.

    Args:
        cycle: the cycle that is entered or left.
        turn_beat: the beat of the cycle with which it is entered, or before which it is left.
        length: beats of the transition.
        into: whether the transition leads into the cycle; if not, out of it.
    """
    state = cycle.states[turn_beat]
    if into:
        # The ground state comes before, when the props of the cycle are `length` beats further off.
        ground_beat = turn_beat - length
        nothing_due = (0,) * len(cycle.rows)
        state_from_ground = (nothing_due,) * length + state
        return ground_state(cycle.rows, cycle.props, ground_beat, near=state_from_ground), state
    # The ground state comes after, when the first `length` beats of the state are over.
    ground_beat = turn_beat + length
    return state, ground_state(cycle.rows, cycle.props, ground_beat, near=state[length:])


def fits(state: Landings, goal: Landings) -> bool:
    """Return whether throws can complete a state to another one, its goal.

    They can if no more props are due in the state than in the goal, on each beat in each row. A row
    is a hand, or the two hands of a juggler that take turns.

    Args:
        state: props due on each coming beat in each row, without empty beats at the end.
        goal: the same of the other state, with the same rows; it may have more props and beats.
    """
    return len(state) <= len(goal) and all(
        count <= room
        for counts, rooms in zip(state, goal, strict=False)
        for count, room in zip(counts, rooms, strict=True)
    )


MAX_STATES = 20_000
"""The most states of a graph."""

MAX_EDGES = 200_000
"""The most edges of a graph; those of a simplified graph grow faster than its states."""

ASYNCHRONOUS = 1
SYNCHRONOUS = 2
"""Rows of a state: one where hands take turns, one for each hand where they throw together."""

State = tuple[str, ...]
"""What is due in each row, one character a beat."""

# Juggler, hand and step of each row, in the graphs of all states.
_ROW_KINDS_OF_GRAPHS = (
    [(0, None, 1)],
    [(0, LEFT, 2), (0, RIGHT, 2)],
)


class StateEdge(NamedTuple):
    """Throws that lead from one state to another.

    Attributes:
        source: number of the state before the throws.
        target: number of the state after them.
        throws: the throws in siteswap: `5`, `(4,6x)`, or several in turn, `50`.
        value: value of the first throw; if several are made at once, their rounded mean.
    """

    source: int
    target: int
    throws: str
    value: int


@dataclass(frozen=True)
class StateGraph:
    """States and throws between them; the first state is the ground state, or in the graph of a
    pattern that does not go through it, the pattern's lowest state.

    Args:
        props: how many.
        highest: greatest value of a throw.
        states: the props due in each state: for each row a character for each of its beats, the
            next beat first, `1` where a prop lands and `0` where none does.
        edges: throws from state to state.
        codes: the states as numbers whose bits are the beats, the next beat in the lowest bit, as 7
            for `11100`; with several rows, the bits of all rows for one beat come before those for
            the next. Empty in the graph of one pattern.
        rows: the number of rows: `ASYNCHRONOUS` (1), `SYNCHRONOUS` (2), or those of one pattern.
        phases: for each state, the beat, modulo the phase of the rows, that says which rows have
            turns when; empty in a graph of all states.
    """

    props: int
    highest: int
    states: tuple[State, ...]
    edges: tuple[StateEdge, ...]
    codes: tuple[int, ...] = ()
    rows: int = ASYNCHRONOUS
    phases: tuple[int, ...] = ()

    @classmethod
    def of(cls, props: int, highest: int, rows: int = ASYNCHRONOUS) -> StateGraph:
        """Return the graph of all states without multiplexes, and the throws between them.

        A state says on which coming beats a prop is due in each row: a hand, or the two hands of a
        juggler that take turns. As in B. Polster, The Mathematics of Juggling (Springer, 2003), a
        prop that is due now is thrown to any empty beat, and where none is due, time passes. There
        are C(highest, props) states, the ways in which props take places. They are numbered in the
        order in which they are reached from the ground state, which is number 0.

        Args:
            props: number of props, 1 or more.
            highest: the greatest throw that is allowed, as siteswap writes it; an even number for
                pairs of throws. These may cross.
            rows: `ASYNCHRONOUS`, or `SYNCHRONOUS` for pairs of throws.

        Raises:
            ParameterError: there is no such state, or there are more than `MAX_STATES`.
        """
        beats_of_row = _checked_height(props, highest, rows)  # beats of a state in each row
        # A state is coded as a number whose bits are beats, the next beat in the lowest bits; of
        # two rows, each beat has a bit for each of them. The ground state: a prop is due on each
        # of the next beats.
        ground_code = (1 << props) - 1
        index_of_code = {ground_code: 0}
        codes = [ground_code]
        edges: list[StateEdge] = []
        # Breadth first: states found on the way are appended to the list that the loop goes
        # through, so it ends once no new ones are found.
        for source, code in enumerate(codes):
            for throws, value, next_code in _throws_from(code, beats_of_row, rows):
                if next_code not in index_of_code:
                    index_of_code[next_code] = len(codes)
                    codes.append(next_code)
                edges.append(StateEdge(source, index_of_code[next_code], throws, value))
        states = tuple(_state_of_code(code, beats_of_row, rows) for code in codes)
        return cls(props, highest, states, tuple(edges), codes=tuple(codes), rows=rows)

    @classmethod
    def of_pattern(cls, pattern: Pattern) -> StateGraph:
        """Return the graph of the states that one pattern goes through, and of its throws.

        The pattern may have multiplexes, passes and several jugglers. States are numbered in the
        order in which it reaches them, from the ground state on, if it goes through that, else from
        its lowest state on. Each state and each edge is there once, however often it is passed. A
        state says on which coming beats a prop is due in each row: a hand, or the two hands of a
        juggler that take turns.

        Args:
            pattern: any pattern; states and throws of one whose beats are divided are in parts of
                a beat.

        Raises:
            ParameterError: its states would hold more than `MAX_STATES_SIZE` numbers: beats of the
                round × highest throw × rows.
        """
        cycle = state_cycle(pattern)  # its throws until they repeat, from row to row
        if cycle.states_size > MAX_STATES_SIZE:
            raise ParameterError(
                _(
                    "a pattern of {beats:,} beats with throws up to {highest:,} has too many "
                    "states to show",
                    beats=cycle.period,
                    highest=cycle.highest,
                )
            )
        turn_beats = cycle.turn_beats_from(_first_turn_in_graph(cycle))

        # A state is known by its key: which rows have turns when, and the props due. Number the
        # different keys in the order of their first turns; they are keys of a dict, since a set
        # would not keep that order.
        key_by_turn = _states_by_turn(cycle)
        distinct_keys = dict.fromkeys(key_by_turn[turn_beat] for turn_beat in turn_beats)
        number_of_key = {key: number for number, key in enumerate(distinct_keys)}

        # An edge from each turn to the next, and from the last to the first. As keys of a dict,
        # equal edges come only once, in order.
        next_beats = [*turn_beats[1:], *turn_beats[:1]]
        edges = dict.fromkeys(
            StateEdge(
                source=number_of_key[key_by_turn[turn_beat]],
                target=number_of_key[key_by_turn[next_beat]],
                throws=_written_throws(cycle, turn_beat, pattern.jugglers),
                value=_mean_value(cycle, turn_beat),
            )
            for turn_beat, next_beat in zip(turn_beats, next_beats, strict=True)
        )
        # The two items of each key.
        phases, states = zip(*number_of_key, strict=True)
        return cls(
            props=cycle.props,
            highest=cycle.highest,
            states=states,
            edges=tuple(edges),
            rows=len(cycle.rows),
            phases=phases,
        )

    @cached_property
    def leaving(self) -> tuple[tuple[StateEdge, ...], ...]:
        """The edges that leave each state."""
        leaving: list[list[StateEdge]] = [[] for _state in self.states]
        for edge in self.edges:
            leaving[edge.source].append(edge)
        return tuple(map(tuple, leaving))

    @cached_property
    def entering(self) -> tuple[tuple[StateEdge, ...], ...]:
        """The edges that enter each state."""
        entering: list[list[StateEdge]] = [[] for _state in self.states]
        for edge in self.edges:
            entering[edge.target].append(edge)
        return tuple(map(tuple, entering))

    @cached_property
    def distances(self) -> tuple[int, ...]:
        """For each state, the fewest edges that lead there from the first one.

        A state says on which coming beats a prop is due in each hand. All states can be reached.
        """
        distances = {0: 0}
        reached = [0]
        # Breadth first: the list grows while it is gone through.
        for state in reached:
            for edge in self.leaving[state]:
                if edge.target not in distances:
                    distances[edge.target] = distances[state] + 1
                    reached.append(edge.target)
        return tuple(distances[state] for state in range(len(self.states)))

    @cached_property
    def mirror(self) -> tuple[int, ...]:
        """For each state, the number of its image under a symmetry that keeps the ground state.

        The symmetry maps edges to edges, but may turn their direction around. Empty if there is
        only the identity, and for the graph of one pattern, which has no `codes`.

        A place is a beat and a row of a state, where at most one prop is due: a bit of its code.
        Three kinds of symmetry are tried. In graphs of pairs of throws the hands can be exchanged.
        Where half of all places are taken, the dual exchanges props and empty places, which turns
        edges around. A single empty place can be counted from the other end. Where hands take
        turns, graphs of states of up to nine beats have no other symmetries, as a search of all has
        shown.
        """
        if not self.codes:
            return ()
        beats_of_row = self.highest // self.rows  # beats of a state in each row
        number_of_code = {code: number for number, code in enumerate(self.codes)}
        # The pairs of states with an edge between them, in whichever direction.
        links = {frozenset((edge.source, edge.target)) for edge in self.edges}
        # Each symmetry is a function from the code of a state to that of its image.
        for symmetry in _possible_symmetries(self.props, beats_of_row, self.rows):
            # -1 stands for an image that is not in this graph.
            images = tuple(number_of_code.get(symmetry(code), -1) for code in self.codes)
            keeps_ground = images[0] == 0
            changes_any = images != tuple(range(len(images)))
            if not keeps_ground or -1 in images or not changes_any:
                continue
            if {frozenset(images[end] for end in link) for link in links} == links:
                return images
        return ()

    def simplified(self) -> StateGraph:
        """Return the graph without states that have a single incoming or a single outgoing edge.

        A state says on which coming beats a prop is due in each hand; an edge is the throws from
        one state to another. Paths through states that are left out become single edges: the throws
        of such an edge are those of the path in turn, such as `50`, and its value is that of the
        first throw. The first state always stays, and states are numbered anew in their order.

        Raises:
            ParameterError: the graph has more than `MAX_EDGES` edges.
        """
        # All others are reached from the first state.
        remaining = [
            state
            for state, (out, into) in enumerate(zip(self.leaving, self.entering, strict=True))
            if state == 0 or (len(out) > 1 and len(into) > 1)
        ]
        new_number = {state: number for number, state in enumerate(remaining)}
        edges: list[StateEdge] = []
        for state in remaining:
            # Follow all paths from here through states that are left out, depth first; each ends at
            # the first state that remains. `chains` is a stack of paths, each already joined to one
            # edge. Edges are pushed in reversed order, so that they are taken out in their order.
            chains = list(reversed(self.leaving[state]))
            while chains:
                chain = chains.pop()
                if chain.target in new_number:
                    edges.append(
                        chain._replace(source=new_number[state], target=new_number[chain.target])
                    )
                    _check_size(len(remaining), len(edges))
                else:
                    chains += [
                        _joined_edges(chain, edge) for edge in reversed(self.leaving[chain.target])
                    ]
        return replace(
            self,
            states=tuple(self.states[state] for state in remaining),
            edges=tuple(edges),
            # Codes and phases stay empty where this graph has none.
            codes=tuple(self.codes[state] for state in remaining if self.codes),
            phases=tuple(self.phases[state] for state in remaining if self.phases),
        )

    def shortest_round(self, state: int, first: StateEdge | None = None) -> tuple[StateEdge, ...]:
        """Return the edges of a shortest closed walk from a state, in order; empty without any.

        A state says on which coming beats a prop is due in each hand. Of equally short rounds, it
        is the one whose edges come first in `leaving`, the edges that lead out of each state.

        Args:
            state: number of the state.
            first: the edge out of it with which the round begins; None for any.
        """
        first_edges = self.leaving[state] if first is None else (first,)
        visited = set[int]()
        # Breadth first: shorter paths are taken out before longer ones.
        paths: deque[tuple[StateEdge, ...]] = deque((edge,) for edge in first_edges)
        while paths:
            path = paths.popleft()
            target = path[-1].target
            if target == state:
                return path
            if target not in visited:
                visited.add(target)
                paths += ((*path, edge) for edge in self.leaving[target])
        return ()

    def walk(self, pattern: Pattern) -> tuple[tuple[int, int], ...]:
        """Return the states through which a pattern goes in this graph, in order of beats.

        A state says on which coming beats a prop is due in each row: a hand, or the two hands of a
        juggler that take turns. A turn of a row is a beat on which it throws.

        Returns:
            For each beat on which a row has a turn, until the throws repeat: the beat, from 0 on,
            and the number of the state before its throws. Empty if the pattern has any state that
            is not in this graph, or rows that are not like those of the graph.
        """
        cycle = state_cycle(pattern)  # the throws until they repeat, from row to row
        if not self._can_show(cycle):
            return ()
        # A state is found by its digits and its phase, which says which rows have turns when. In a
        # graph of all states there is only the phase 0.
        phases = self.phases or (0,) * len(self.states)
        state_keys = zip(phases, self.states, strict=True)
        number_of_state = {state_key: number for number, state_key in enumerate(state_keys)}
        states_by_beat = []
        for beat, (phase, digits_by_row) in _states_by_turn(cycle).items():
            number = number_of_state.get((phase, tuple(map(self._padded, digits_by_row))))
            if number is None:
                return ()
            states_by_beat.append((beat, number))
        return tuple(states_by_beat)

    def _can_show(self, cycle: Cycle) -> bool:
        """Whether a cycle of throws has states of the kind that this graph shows.

        A row is a hand, or the two hands of a juggler that take turns; a state says for each row on
        which coming beats a prop is due. So the cycle must have as many rows as the graph. A graph
        of all states is that of one juggler, whose hands throw in turn on every beat, or both on
        every second beat: its cycles must have just these rows. A graph of one pattern does not
        depend on which hands its rows are.

        Args:
            cycle: the throws until they repeat, and their rows.
        """
        if len(cycle.rows) != self.rows:
            return False
        is_of_all_states = bool(self.codes)  # the graph of one pattern has no codes
        row_kinds = [(row.juggler, row.hand, row.step) for row in cycle.rows]
        return not is_of_all_states or row_kinds in _ROW_KINDS_OF_GRAPHS

    def visits(self, pattern: Pattern) -> tuple[tuple[int, int], ...]:
        """Return the states that a pattern goes through in its period, as numbers in this graph.

        A state says on which coming beats a prop is due in each hand.

        - In a graph of all states, for a pattern of one juggler on whole beats: the pattern may
          begin with either hand, and a state that is not in the graph counts as −1.
        - For any other graph or pattern, the result is `walk`, repeated through the period; it is
          empty if any state is missing.

        Args:
            pattern: any pattern.

        Returns:
            Pairs of a beat on which a hand has a turn, and the number of the state before the
            throws of that beat.
        """
        if not self.codes or pattern.jugglers > 1 or pattern.division > 1:
            return self._repeated_walk(pattern)

        # Each state is looked up by itself, so that those in the graph are found even if others are
        # not. If both hands throw at once, only every second beat has a turn and a state; turns
        # count from the first throw on.
        number_of_state = {state: number for number, state in enumerate(self.states)}
        first_beat = min((throw.beat for throw in pattern.throws), default=0)
        return tuple(
            (beat, number_of_state.get(self._state_with(landings), -1))
            for beat, landings in enumerate(states_of(pattern))
            if (beat - first_beat) % self._turn_step == 0
        )

    def _repeated_walk(self, pattern: Pattern) -> tuple[tuple[int, int], ...]:
        """The `walk` of a pattern for a whole period, within which its throws may repeat."""
        walk = self.walk(pattern)
        length = state_cycle(pattern).period  # beats until the throws repeat
        return tuple(
            (start + beat, state)
            for start in range(0, pattern.period, length)
            for beat, state in walk
        )

    @property
    def _turn_step(self) -> int:
        """Beats from one turn of a row to the next, in a graph of all states.

        Where hands take turns there is one row, with a turn on every beat. Where both throw at once
        there are two, with turns on every second beat. So it is the number of rows.
        """
        return self.rows

    def _state_with(self, landings: Landings) -> tuple[str, ...]:
        """Return a state of one juggler in a graph of all states: a string of digits for each row.

        A row is a hand, or the two hands of a juggler that take turns.

        Args:
            landings: numbers of props due on each coming beat in the left and in the right hand;
                the first beat is one on which hands throw.
        """
        # A row for each hand, or for both together where they take turns.
        if self.rows > 1:
            counts_by_row = list(zip(*landings, strict=True))
        else:
            counts_by_row = [tuple(sum(counts) for counts in landings)]
        # Props can only be due on turns, so the beats between are left out.
        return tuple(
            self._padded("".join(map(_count_character, counts[:: self._turn_step])))
            for counts in counts_by_row
        )

    def _padded(self, row: str) -> str:
        """Pad the characters of a row of a state with zeros to the length of rows of this graph.

        The result is longer if a prop is due later than in any state of this graph.
        """
        return row.rstrip("0").ljust(len(self.states[0][0]), "0")


def _checked_height(prop_count: int, highest: int, row_count: int) -> int:
    """Check the arguments of a state graph; return the number of beats of its states.

    A state says on which coming beats a prop is due in each row: the hands that throw in turn, or
    each of two hands that throw in pairs. It has as many beats as the greatest throw lasts, highest
    / rows: a throw of n lasts n beats in turn, and n / 2 beats of pairs, of which siteswap counts
    each as 2.

    Args:
        prop_count: number of props.
        highest: the greatest throw, as siteswap writes it.
        row_count: `ASYNCHRONOUS` (1, in turn) or `SYNCHRONOUS` (2, in pairs).

    Raises:
        ParameterError: these arguments give no graph, or one with too many states.
    """
    pairs = _(" of pairs of throws") if row_count > 1 else ""
    if prop_count < 1:
        raise ParameterError(
            _("a state graph needs at least 1 prop, not {props}", props=prop_count)
        )
    if highest % row_count:
        raise ParameterError(
            _(
                "the highest throw of pairs must be even, but {highest} is odd",
                highest=highest,
            )
        )
    # A state has (highest / rows) beats in each of its rows, so `highest` places in all, and each
    # prop needs one. So `highest` is at least the number of props, rounded up to a multiple of the
    # rows: ceil(a / b) = −floor(−a / b).
    least = -(-prop_count // row_count) * row_count
    if highest < least:
        raise ParameterError(
            _(
                "a state graph{pairs} of {props} needs throws up to at least {least}",
                pairs=pairs,
                props=counted(prop_count, "prop"),
                least=least,
            )
        )
    # Each way to distribute the props over the places is a state.
    _check_size(state_count=comb(highest, prop_count), edge_count=0)
    return highest // row_count


def _check_size(state_count: int, edge_count: int) -> None:
    """Raise a `ParameterError` for a state graph with too many states or edges.

    A state says on which coming beats a prop is due in each hand.

    Args:
        state_count: number of states.
        edge_count: number of edges so far; 0 while they are not known.
    """
    if state_count > MAX_STATES:
        # The digits of huge binomial numbers would tell nothing.
        count = f"{state_count:,}" if state_count < 1e9 else _("over a billion")
        raise ParameterError(
            _(
                "this state graph has {count} states; the limit is {max_states:,}",
                count=count,
                max_states=MAX_STATES,
            )
        )
    if edge_count > MAX_EDGES:
        raise ParameterError(
            _(
                "this state graph has more than the limit of {max_edges:,} edges",
                max_edges=MAX_EDGES,
            )
        )


class _CodedEdge(NamedTuple):
    """The throws on one beat that lead from a state to the next.

    Attributes:
        text: the throws as they are written.
        value: their mean value over all rows.
        next_code: the code of the next state.
    """

    text: str
    value: int
    next_code: int


def _throws_from(code: int, height: int, row_count: int) -> Iterator[_CodedEdge]:
    """Yield all ways to throw on one beat from a state, each with the state to which it leads.

    A state says on which of the coming beats a prop is due in each row: the hands that throw in
    turn, or each of two hands that throw in pairs.

    Args:
        code: the state, a number in which a bit is 1 where a prop is due. The rows of a beat lie
            beside each other, the next beat in the lowest bits: bit p is row p % rows, p // rows
            beats after the next one.
        height: beats of a state.
        row_count: number of rows: 1 if hands throw in turn, 2 if both throw at once.
    """
    # The rows that throw now: those of the lowest bits. A beat later these bits are gone, and the
    # props can land in the places (bits) that are empty then.
    due_rows = [row for row in range(row_count) if code >> row & 1]
    code_later = code >> row_count
    empty_places = [place for place in range(height * row_count) if not code_later >> place & 1]
    # Each throwing row takes another one of the empty places.
    for places in permutations(empty_places, len(due_rows)):
        throw_texts = ["0"] * row_count
        for row, place in zip(due_rows, places, strict=True):
            throw_texts[row] = _throw_text(row, place, row_count)
        throws_text = throw_texts[0] if row_count == 1 else f"({','.join(throw_texts)})"
        # The value of one throw is `rows` times its beats, as a beat of a pair counts 2 in
        # siteswap. So the mean over `rows` throws is the sum of their beats; an empty hand is 0.
        value = sum(place // row_count + 1 for place in places)
        next_code = code_later | sum(1 << place for place in places)
        yield _CodedEdge(throws_text, value, next_code)


def _throw_text(row: int, place: int, row_count: int) -> str:
    """A throw from a row to a place of the state a beat later, as siteswap writes it.

    Place p is row p % rows, p // rows beats after that; a throw to the other row gets an `x`.
    """
    beats = place // row_count + 1
    crossing_mark = "x" if place % row_count != row else ""
    return value_text(beats * row_count) + crossing_mark


def _joined_edges(first: StateEdge, second: StateEdge) -> StateEdge:
    """The edge of the throws of two edges, one after the other, with the value of the first."""
    return first._replace(target=second.target, throws=first.throws + second.throws)


def _state_of_code(code: int, height: int, row_count: int) -> State:
    """The state of a code: for each row a digit for each of its beats, 1 where a prop is due."""
    return tuple(
        "".join(str(code >> beat * row_count + row & 1) for beat in range(height))
        for row in range(row_count)
    )


def _possible_symmetries(
    prop_count: int, height: int, row_count: int
) -> Iterator[Callable[[int], int]]:
    """Yield maps of states to states that may be symmetries of the graph of all states.

    A symmetry maps edges to edges as well; whether a map does is for the caller to check. Each is a
    function from the code of a state to that of its image. A state says on which coming beats a
    prop is due in each row: the hands that throw in turn, or each of two hands that throw in pairs.

    Args:
        prop_count: number of props.
        height: beats of a state.
        row_count: number of rows. Bit p of a code, called place p, is 1 if a prop is due on beat
            p // rows in row p % rows.
    """
    places = height * row_count

    def permuted(code: int, sources: Sequence[int]) -> int:
        """The code in which each place has the bit that was at its source in the given one."""
        return sum(1 << place for place, source in enumerate(sources) if code >> source & 1)

    if row_count == SYNCHRONOUS:
        # On each beat, exchange the hands.
        other_hands = [beat * row_count + row for beat in range(height) for row in (1, 0)]
        yield lambda code: permuted(code, other_hands)
    if 2 * prop_count == places:
        # The dual, where half of the places are taken: exchange props and empty places (XOR with
        # ones everywhere), and reverse the beats, but not the rows of a beat.
        all_ones = (1 << places) - 1
        reversed_beats = [
            beat * row_count + row for beat in reversed(range(height)) for row in range(row_count)
        ]
        yield lambda code: permuted(code ^ all_ones, reversed_beats)
    if row_count == ASYNCHRONOUS and prop_count == places - 1:
        # Only one place is empty: count it from the other end. The ground state, in which it is the
        # last place, has to stay, so that place is left out.
        last_place = places - 1
        reversed_places = [*reversed(range(last_place)), last_place]
        yield lambda code: permuted(code, reversed_places)


_Key = tuple[int, State]
"""A beat modulo the phase of the rows, which tells which rows have turns when; and the state."""


def _first_turn_in_graph(cycle: Cycle) -> int:
    """The beat of a cycle whose state is number 0 in the graph of the pattern.

    It is the first beat of a ground state, in which props land as soon as they can; without such a
    beat it is that of the lowest state (`Cycle.lowest_state_beat`).
    """
    # Only a cycle whose rows throw at even intervals has a ground state.
    if not cycle.is_regular:
        return cycle.lowest_state_beat
    ground_turns = (turn_beat for turn_beat in cycle.turn_beats if is_ground(cycle, turn_beat))
    return next(ground_turns, cycle.lowest_state_beat)


def _states_by_turn(cycle: Cycle) -> dict[int, _Key]:
    """Return the state of a cycle before each of its turn beats, as the key of a state in a graph.

    A state says how many props are due on each coming turn in each row: a hand, or the two hands of
    a juggler that take turns. A turn beat is a beat on which some row has a turn.

    Returns:
        For each turn beat, in order, a pair: the beat modulo the phase, which says which rows have
        turns when; and for each row a string with a character for each of the beats on which that
        row has a turn, the next one first. All strings have the same length, that of the longest.
    """
    texts_by_turn: dict[int, list[str]] = {}
    for turn_beat in cycle.turn_beats:
        state = cycle.states[turn_beat]
        texts_by_turn[turn_beat] = [
            _row_text(row, [counts[row_index] for counts in state], turn_beat)
            for row_index, row in enumerate(cycle.rows)
        ]
    # Filled up with zeros, so that equal states have equal texts.
    length = max((len(text) for texts in texts_by_turn.values() for text in texts), default=0)
    return {
        turn_beat: (turn_beat % cycle.phase, tuple(text.ljust(length, "0") for text in texts))
        for turn_beat, texts in texts_by_turn.items()
    }


def _row_text(row: Row, counts: Sequence[int], beat: int) -> str:
    """The props due on each coming turn of a row, a character each, without zeros at the end.

    Args:
        row: a hand, or the two hands of a juggler that take turns.
        counts: props due in it on each beat, from `beat` on, also on those without a turn.
        beat: the beat of the first count.
    """
    characters = [
        _count_character(count)
        for beats_ahead, count in enumerate(counts)
        if row.throws_on(beat + beats_ahead)
    ]
    return "".join(characters).rstrip("0")


def _count_character(count: int) -> str:
    """A number of props as one character; "+" for more than there are digits."""
    return value_text(count) if count < len(VALUE_CHARACTERS) else "+"


def _written_throws(cycle: Cycle, turn_beat: int, juggler_count: int) -> str:
    """Return the throws of a beat as text, such as `5`, `[34]`, `(4,6x)` or `<3p|3>`.

    Args:
        cycle: cycle of the pattern.
        turn_beat: a beat of the cycle on which some row has a turn; a row is a hand, or the two
            hands of a juggler that take turns. A row that throws nothing on its turn is written
            `0`.
        juggler_count: number of jugglers; with more than two, passes say to whom they go.
    """
    # The throws of each row that has a turn.
    texts_by_row: dict[int, list[str]] = {
        row_index: [] for row_index, row in enumerate(cycle.rows) if row.throws_on(turn_beat)
    }
    for throw in cycle.beats[turn_beat]:
        texts_by_row[throw.row].append(_written_throw(cycle, throw, juggler_count))

    # For each row one throw, several in brackets, or 0 for none; by juggler.
    hands_by_juggler = grouped(
        (cycle.rows[row_index].juggler, hand_text(texts))
        for row_index, texts in texts_by_row.items()
    )
    # Two rows of a juggler are put into parentheses, several jugglers between < and >.
    juggler_texts = [
        f"({','.join(hands)})" if len(hands) > 1 else hands[0]
        for hands in hands_by_juggler.values()
    ]
    return f"<{'|'.join(juggler_texts)}>" if len(juggler_texts) > 1 else juggler_texts[0]


def _written_throw(cycle: Cycle, throw: CycleThrow, juggler_count: int) -> str:
    """A throw of a cycle as text: its value, and `x` if it crosses, or `p` if it is passed.

    With more than two jugglers, the number of the one who catches a pass follows the `p`.
    """
    to_juggler = cycle.rows[throw.to_row].juggler
    if to_juggler != cycle.rows[throw.row].juggler:
        flag = f"p{to_juggler + 1 if juggler_count > 2 else ''}"
    elif throw.to_row != throw.row:
        flag = "x"
    else:
        flag = ""
    # Values are in parts of a beat. In whole beats they are written as siteswap does, else as
    # decimal numbers of beats.
    beats, remainder = divmod(throw.value, cycle.division)
    text = f"{throw.value / cycle.division:.3g}" if remainder else value_text(beats)
    return text + flag


def _mean_value(cycle: Cycle, turn_beat: int) -> int:
    """The mean value of the throws of a beat on which some row throws, rounded, in parts of a beat.

    The sum is divided by the number of rows with a turn, so that an empty hand counts as a throw of
    0, or by the number of throws if multiplexes make these more.
    """
    throws = cycle.beats[turn_beat]
    rows_with_turns = sum(row.throws_on(turn_beat) for row in cycle.rows)
    return round(sum(throw.value for throw in throws) / max(rows_with_turns, len(throws)))
