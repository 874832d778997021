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
    """Return the ground state before a beat: one prop at each turn of a hand until all are placed.

    A turn is a beat on which a row throws.

    A row is a hand, or the two hands of a juggler that take turns.

    Args:
        rows: rows of the state, at least one: hands, or pairs of hands that take turns, each with a
            turn every `step` beats.
        props: number of props.
        beat: the beat whose throws come next.
        near: a state that decides if the ground state is ambiguous. On its last beat more rows may
            have a turn than props remain; then rows with a prop in `near` on that beat come first.
            Otherwise rows come in the order of their indices.

    Returns:
        Number of props due on each coming beat in each row, up to the last beat with any.
    """
    # The number of beats after which the same rows throw together again. `turns_of_period` has one
    # prop for each turn within it, and is repeated as long as there are props for all its turns.
    period = math.lcm(*(row.step for row in rows))
    turns_of_period = tuple(
        tuple(int(row.throws_on(beat + beats_ahead)) for row in rows)
        for beats_ahead in range(period)
    )
    rounds, remaining = divmod(props, sum(map(sum, turns_of_period)))
    state = turns_of_period * rounds

    # The remaining props, beat by beat.
    for counts in turns_of_period:
        if not remaining:
            break
        if remaining >= sum(counts):
            state += (counts,)
            remaining -= sum(counts)
            continue
        # Too few props for all rows of this beat: it is the last one.
        preferred = near[len(state)] if len(state) < len(near) else counts
        throwing = [row for row, count in enumerate(counts) if count]
        chosen = sorted(throwing, key=lambda row: not preferred[row])[:remaining]
        state += (tuple(int(row in chosen) for row in range(len(rows))),)
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

    A row is a hand, or the two hands of a juggler that take turns.

    Args:
        rows: rows of the states: hands, or pairs of hands that take turns.
        beat: beat of the first throws, in the count of beats by which the rows have their turns.
        start: the state before them: props due on each coming beat in each row.
        end: the state after them, of the same form. What is left of `start` after `length` beats
            must fit into it, with no more props due on any beat in any row, and it must have as
            many props.
        length: length in beats.

    Returns:
        Throws on beats from 0 on, in order.
    """
    # Props due on each beat of the transition in each row; throws that land there are added.
    due = [
        list(counts) for counts in (*start[:length], *[(0,) * len(rows)] * (length - len(start)))
    ]
    free_beats = _free_beats(rows, beat, start, end, length)  # with room for landings, by juggler
    throws = []
    for now in range(length):
        for row, count in enumerate(due[now]):
            for _prop in range(count):
                # The soonest free slot makes the lowest throw. A prop that lands within the
                # transition has to be thrown again in it.
                landing, to_row = _take_slot(rows, free_beats, now, row)
                if landing < length:
                    due[landing][to_row] += 1
                throws.append(CycleThrow(now, row, landing - now, to_row))
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
    """The beats and rows in which throws of a transition can land, by juggler, in order of beats.

    During the transition, these are the turns on which no prop is due; after it, the places where
    the end state has more props than remain of the start state.

    A row is a hand, or the two hands of a juggler that take turns.

    Args:
        rows: rows of the states: hands, or pairs of hands that take turns.
        beat: beat of the first throws, in the count of beats by which the rows have their turns.
        start: the state before them: props due on each coming beat in each row.
        end: the state after them, of the same form.
        length: length of the transition, in beats.

    Returns:
        The beats with room by juggler; they are counted from the first throws of the transition.
    """
    nothing_due = (0,) * len(rows)
    free_beats = {row.juggler: deque[_FreeBeat]() for row in rows}
    for landing in range(length + len(end)):
        due = start[landing] if landing < len(start) else nothing_due
        free_rows: dict[int, list[int]] = {}
        for index, row in enumerate(rows):
            if landing >= length:
                room = end[landing - length][index] - due[index]
            else:
                # Transitions make no multiplexes, so one prop at most may land on a turn.
                room = 1 if row.throws_on(beat + landing) and not due[index] else 0
            free_rows.setdefault(row.juggler, []).extend([index] * room)
        for juggler, indices in free_rows.items():
            if indices:
                free_beats[juggler].append(_FreeBeat(landing, indices))
    return free_beats


def _take_slot(
    rows: Sequence[Row], free_beats: dict[int, deque[_FreeBeat]], now: int, row: int
) -> tuple[int, int]:
    """Choose where a prop that a row throws now lands, and remove that slot from the free ones.

    A row is a hand, or the hands of a juggler who throw in turn; a slot is a coming beat and a row
    that can catch a prop then. It is the soonest slot of the same juggler, in the same row if that
    is free on its beat. If the juggler has none left, it is the soonest slot of any other juggler,
    and the throw is a pass.

    A state says on which coming beats a prop is due in each hand.

    Args:
        rows: rows of the states.
        free_beats: free beats by juggler, with at least one slot after `now`. Changed in place:
            the slot is removed, as are those that are past.
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
    cascade or fountain, they land as soon as possible. Of equally short passages, that at the
    lowest state of the cycle is taken, then that at its first beat.

    A row is a hand, or the two hands of a juggler that take turns.

    Args:
        cycle: a cycle whose rows throw at even intervals (`Cycle.is_regular`).
        into: whether the passage leads into the cycle; if not, out of it.
    """
    # The lowest state first, then the others on which the first row throws, as jugglers begin a
    # pattern there; at each, lengths from the least possible on.
    first = cycle.lowest_state_beat
    other_turns = [
        turn_beat
        for turn_beat in cycle.turn_beats
        if turn_beat != first and cycle.rows[0].throws_on(turn_beat)
    ]
    ground_length = len(ground_state(cycle.rows, cycle.props))
    best_turn: int | None = None
    best_length = 0
    for turn_beat in (first, *other_turns):
        least = _least_length(cycle, turn_beat, ground_length, into=into)
        if best_turn is not None:
            # From other states on, only a passage shorter than the best one so far is useful.
            length_limit = best_length
        else:
            # From the first state a passage is always found: with this number of beats all props
            # have landed, and any state can be reached.
            length_limit = least + 3 * cycle.phase + ground_length + cycle.highest
        for length in range(least, length_limit):
            ground_beat = turn_beat - length if into else turn_beat + length
            # A ground state only exists before a beat on which some row throws.
            if not any(row.throws_on(ground_beat) for row in cycle.rows):
                continue
            # Possible if all props of the first state that land after that many beats are due in
            # the second.
            start, end = _states_at_ends(cycle, turn_beat, length, into=into)
            if fits(start[length:], end):
                best_turn = turn_beat
                best_length = length
                break
        if best_turn is not None and best_length == 0:
            # The ground state is part of the cycle: nothing is shorter.
            break
    assert best_turn is not None, "after enough beats any state can be reached"
    start, end = _states_at_ends(cycle, best_turn, best_length, into=into)
    begin = best_turn - best_length if into else best_turn
    throws = transition(cycle.rows, beat=begin, start=start, end=end, length=best_length)
    return Passage(best_turn, best_length, throws)


def _least_length(cycle: Cycle, turn_beat: int, ground_length: int, *, into: bool) -> int:
    """A lower bound of the length of a transition between the ground state and a cycle, [beats].

    States say how many props are due on each coming beat in each hand. In the ground state, the
    usual one of a cascade or a fountain, one prop is due on every turn of a hand up to its end, and
    none later.

    Args:
        cycle: the cycle that is entered or left.
        turn_beat: the beat of the cycle with which it is entered, or before which it is left.
        ground_length: beats from now to the last prop of the ground state.
        into: whether the transition leads into the cycle; if not, out of it.
    """
    state = cycle.states[turn_beat]
    if not into:
        # The last prop of the state, `len(state)` beats ahead, must come as near as the last one of
        # the ground state is. Ground states before other beats may be longer by up to a phase.
        until_last_is_near = len(state) - ground_length - cycle.phase
        # A ground state has no multiplexes, so the last one must have been caught and thrown.
        multiplexes = [beats_ahead for beats_ahead, counts in enumerate(state) if max(counts) > 1]
        until_multiplexes_are_over = max(multiplexes, default=-1) + 1
        return max(until_last_is_near, until_multiplexes_are_over, 0)
    # On the first turn that is empty in the state of the cycle, nothing of the ground state may be
    # due any more: as many beats must have passed as its last prop is due later than that turn. A
    # phase and a beat are left as a margin, as above.
    empty_turns = (
        beats_ahead
        for beats_ahead, counts in enumerate(state)
        if any(
            not count and row.throws_on(turn_beat + beats_ahead)
            for count, row in zip(counts, cycle.rows, strict=True)
        )
    )
    first_empty_turn = next(empty_turns, len(state))
    return max(ground_length - first_empty_turn - cycle.phase - 1, 0)


def _states_at_ends(
    cycle: Cycle, turn_beat: int, length: int, into: bool
) -> tuple[Landings, Landings]:
    """The states before and after a transition between the ground state and a cycle.

    A state says how many props are due on each coming beat in each row of hands. The first of the
    two is the ground state if the cycle is entered, and the second if it is left.

    A row is a hand, or the two hands of a juggler that take turns.

    Args:
        cycle: the cycle that is entered or left.
        turn_beat: the beat of the cycle with which it is entered, or before which it is left.
        length: beats of the transition.
        into: whether the transition leads into the cycle; if not, out of it.
    """
    # Of several ground states the one that is most like the state of the cycle is taken. Both are
    # `length` beats apart, so the state is shifted by that: when the cycle is entered it comes
    # later than the ground state, and what it has is due so many beats further ahead; when the
    # cycle is left it comes before, and the first beats of it are over.
    state = cycle.states[turn_beat]
    if into:
        preferred = ((0,) * len(cycle.rows),) * length + state
        return ground_state(cycle.rows, cycle.props, turn_beat - length, preferred), state
    return state, ground_state(cycle.rows, cycle.props, turn_beat + length, state[length:])


def fits(state: Landings, goal: Landings) -> bool:
    """Return whether on each beat in each row no more props are due in a state than in its goal.

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

        As in B. Polster, The Mathematics of Juggling (Springer, 2003): a prop that is due now is
        thrown to any empty beat, and where none is due, time passes. There are C(highest, props)
        states, the ways in which props take places. They are numbered in the order in which they
        are reached from the ground state, which is number 0.

        A row is a hand, or the two hands of a juggler that take turns.

        Args:
            props: number of props, 1 or more.
            highest: the greatest throw that is allowed, as siteswap writes it; even for pairs of
                throws, which may cross.
            rows: `ASYNCHRONOUS`, or `SYNCHRONOUS` for pairs of throws.

        Raises:
            ParameterError: there is no such state, or there are more than `MAX_STATES`.
        """
        height = _checked_height(props, highest, rows)  # beats of a state in each row
        # A state is coded as a number whose bits are beats, the next beat in the lowest bits. The
        # ground state: a prop is due on each of the next beats.
        ground = (1 << props) - 1
        index_of_code = {ground: 0}
        codes = [ground]
        edges = list[StateEdge]()
        # Breadth first: states found on the way are appended to the list that the loop goes
        # through, so it ends once no new ones are found.
        for code in codes:
            for throws, value, next_code in _throws_from(code, height, rows):
                if next_code not in index_of_code:
                    index_of_code[next_code] = len(codes)
                    codes.append(next_code)
                source = index_of_code[code]
                edges.append(StateEdge(source, index_of_code[next_code], throws, value))
        states = tuple(_state_of_code(code, height, rows) for code in codes)
        return cls(props, highest, states, tuple(edges), codes=tuple(codes), rows=rows)

    @classmethod
    def of_pattern(cls, pattern: Pattern) -> StateGraph:
        """Return the graph of the states that one pattern goes through, and of its throws.

        The pattern may have multiplexes, passes and several jugglers. States are numbered in the
        order in which it reaches them, from the ground state on, if it goes through that, else from
        its lowest state on. Each state and each edge is there once, however often it is passed.

        A state says on which coming beats a prop is due in each hand.

        Args:
            pattern: any pattern; states and throws of one whose beats are divided are in parts of
                a beat.

        Raises:
            ParameterError: its states would hold more than `MAX_STATES_SIZE` numbers.
        """
        cycle = state_cycle(pattern)  # its throws until they repeat, on rows of hands
        if cycle.states_size > MAX_STATES_SIZE:
            raise ParameterError(
                _(
                    "a pattern of {beats:,} beats with throws up to {highest:,} has too many "
                    "states to show",
                    beats=cycle.period,
                    highest=cycle.highest,
                )
            )
        # Only a cycle whose rows throw at even intervals has a ground state.
        first = cycle.lowest_state_beat
        if cycle.is_regular:
            first = next(
                (turn_beat for turn_beat in cycle.turn_beats if is_ground(cycle, turn_beat)), first
            )
        turn_beats = cycle.turn_beats_from(first)

        # The different states in the order of their first turns; keys of a dict, since a set would
        # not keep that order.
        state_keys = _states_by_turn(cycle)  # by turn: which rows have turns when, and the state
        distinct_keys = dict.fromkeys(state_keys[turn_beat] for turn_beat in turn_beats)
        index = {key: number for number, key in enumerate(distinct_keys)}

        # An edge from each turn to the next, and from the last to the first. As keys of a dict,
        # equal edges come only once, in order.
        next_beats = [*turn_beats[1:], *turn_beats[:1]]
        edges = dict.fromkeys(
            StateEdge(
                index[state_keys[turn_beat]],
                index[state_keys[next_beat]],
                *_written_throws(cycle, turn_beat, pattern.jugglers),
            )
            for turn_beat, next_beat in zip(turn_beats, next_beats, strict=True)
        )
        phases, states = zip(*index, strict=True)
        return cls(
            cycle.props,
            cycle.highest,
            states,
            tuple(edges),
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

        All states can be reached.
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
        only the identity, and for the graph of one pattern.

        Three kinds are tried. In graphs of pairs of throws the hands can be exchanged. Where half
        of all places are taken, the dual exchanges props and empty places, which turns edges
        around. A single empty place can be counted from the other end. Where hands take turns,
        graphs of states of up to nine beats have no other symmetries, as a search of all has shown.
        """
        if not self.codes:
            return ()
        index = {code: number for number, code in enumerate(self.codes)}
        # The pairs of states with an edge between them, in whichever direction.
        links = {frozenset((edge.source, edge.target)) for edge in self.edges}
        for symmetry in _possible_symmetries(self.props, self.highest // self.rows, self.rows):
            # -1 stands for an image that is not in this graph.
            images = tuple(index.get(symmetry(code), -1) for code in self.codes)
            keeps_ground = images[0] == 0
            changes_any = images != tuple(range(len(images)))
            if not keeps_ground or -1 in images or not changes_any:
                continue
            if {frozenset(images[end] for end in link) for link in links} == links:
                return images
        return ()

    def simplified(self) -> StateGraph:
        """Return the graph without states that have a single incoming or a single outgoing edge.

        An edge then stands for a path through such states: its throws are those of the path in
        turn, such as `50`, and its value is that of the first. The first state always stays, and
        states are numbered anew in their order.

        Raises:
            ParameterError: the graph has more than `MAX_EDGES` edges.
        """
        # All others are reached from the first state.
        remaining = [
            state
            for state, (out, into) in enumerate(zip(self.leaving, self.entering, strict=True))
            if state == 0 or (len(out) > 1 and len(into) > 1)
        ]
        index = {state: number for number, state in enumerate(remaining)}
        edges: list[StateEdge] = []
        for state in remaining:
            # Follow all paths from here through states that are left out, depth first; each ends at
            # the first state that remains. `chains` is a stack of paths, each already joined to one
            # edge. Edges are pushed in reversed order, so that they are taken out in their order.
            chains = list(reversed(self.leaving[state]))
            while chains:
                chain = chains.pop()
                if chain.target in index:
                    edges.append(chain._replace(source=index[state], target=index[chain.target]))
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

        Of equally short rounds, it is the one whose edges come first in `leaving`, the edges that
        lead out of each state.

        A state says on which coming beats a prop is due in each hand.

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
        """Return the states of a pattern in this graph, in order of beats.

        Returns:
            Pairs of a beat and the number of the state before the throws of that beat, for all
            beats on which a row has a turn, from 0 on until the same throws come again. Empty if
            the pattern has any state that is not in this graph, or other rows of hands.
        """
        cycle = state_cycle(pattern)
        phases = self.phases or (0,) * len(self.states)
        # The rows must be like those of this graph, and equal in number. In a graph of all states
        # they must also be those of one juggler: both hands in turn on every beat, or each hand on
        # every second beat. The graph of one pattern does not tell the hands of its rows.
        row_kinds = [(row.juggler, row.hand, row.step) for row in cycle.rows]
        if len(row_kinds) != self.rows or (self.codes and row_kinds not in _ROW_KINDS_OF_GRAPHS):
            return ()
        index = {key: number for number, key in enumerate(zip(phases, self.states, strict=True))}
        walk = []
        # Before each beat with a turn: which rows have turns when, and the props due in each row.
        for turn_beat, (phase, rows) in _states_by_turn(cycle).items():
            state = index.get((phase, tuple(map(self._padded, rows))))
            if state is None:
                return ()
            walk.append((turn_beat, state))
        return tuple(walk)

    def visits(self, pattern: Pattern) -> tuple[tuple[int, int], ...]:
        """Return the number of the state of a pattern before each beat of its period, −1 for none.

        In a graph of all states, for a pattern of one juggler on whole beats, it does not matter
        with which hand the pattern begins, and states that are not in the graph get the number −1.
        For any other, the result is the repeated `walk`, which is empty if any state is missing.

        Returns:
            Pairs of a beat and the number of the state before the throws of that beat.
        """
        if not self.codes or pattern.jugglers > 1 or pattern.division > 1:
            # The walk may be shorter than the period: it is repeated until the period is over.
            one_walk = self.walk(pattern)
            length = state_cycle(pattern).period
            return tuple(
                (first + beat, state)
                for first in range(0, pattern.period, length)
                for beat, state in one_walk
            )

        # Each state is looked up by itself, so that those in the graph are found even if others are
        # not. With two rows, throws are made in pairs on every second beat, from the first throw
        # on; the beats between have no state. With one row no beat is skipped.
        index = {state: number for number, state in enumerate(self.states)}
        first = min((throw.beat for throw in pattern.throws), default=0)
        return tuple(
            (beat, index.get(self._state_with(landings), -1))
            for beat, landings in enumerate(states_of(pattern))
            if (beat - first) % self.rows == 0
        )

    def _state_with(self, landings: Landings) -> tuple[str, ...]:
        """Return the state in which props of one juggler land so: a string for each row.

        A row is a hand, or the two hands of a juggler that take turns.

        Args:
            landings: numbers of props due on each coming beat in the left and in the right hand.
        """
        # A row for each hand, or for both together where they take turns.
        if self.rows > 1:
            counts_by_row = list(zip(*landings, strict=True))
        else:
            counts_by_row = [tuple(sum(counts) for counts in landings)]
        # Of two rows only every second beat counts, as only there props can be due.
        return tuple(
            self._padded("".join(map(_count_character, counts[:: self.rows])))
            for counts in counts_by_row
        )

    def _padded(self, row: str) -> str:
        """Pad the characters of a row of a state with zeros to the length of rows of this graph.

        The result is longer if a prop is due later than in any state of this graph.
        """
        return row.rstrip("0").ljust(len(self.states[0][0]), "0")


def _checked_height(props: int, highest: int, rows: int) -> int:
    """Check the arguments of a state graph; return the number of beats of a state in each row.

    A beat of pairs of throws counts 2 in siteswap, so it is the greatest throw divided by the
    number of rows.

    A row is a hand, or the two hands of a juggler that take turns. A state says on which coming
    beats a prop is due in each hand.

    Args:
        props: number of props.
        highest: the greatest throw, as siteswap writes it.
        rows: `ASYNCHRONOUS` (1) or `SYNCHRONOUS` (2).

    Raises:
        ParameterError: these arguments give no graph, or one with too many states.
    """
    pairs = _(" of pairs of throws") if rows > 1 else ""
    if props < 1:
        raise ParameterError(_("a state graph needs at least 1 prop, not {props}", props=props))
    if highest % rows:
        raise ParameterError(
            _(
                "the highest throw of pairs must be even, but {highest} is odd",
                highest=highest,
            )
        )
    # A state has `highest` places in all its rows, and each prop needs one. So `highest` is at
    # least the number of props, rounded up to a multiple of the rows: ceil(a / b) = −floor(−a / b).
    least = -(-props // rows) * rows
    if highest < least:
        raise ParameterError(
            _(
                "a state graph{pairs} of {props} needs throws up to at least {least}",
                pairs=pairs,
                props=counted(props, "prop"),
                least=least,
            )
        )
    # Each way to distribute the props over the places is a state.
    _check_size(comb(highest, props), 0)
    return highest // rows


def _check_size(states: int, edges: int) -> None:
    """Raise a `ParameterError` for a graph with too many states or edges.

    A state says on which coming beats a prop is due in each hand.

    Args:
        states: number of states.
        edges: number of edges so far; 0 while they are not known.
    """
    if states > MAX_STATES:
        # The digits of huge binomial numbers would tell nothing.
        count = f"{states:,}" if states < 1e9 else _("over a billion")
        raise ParameterError(
            _(
                "this state graph has {count} states; the limit is {max_states:,}",
                count=count,
                max_states=MAX_STATES,
            )
        )
    if edges > MAX_EDGES:
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


def _throws_from(code: int, height: int, rows: int) -> Iterator[_CodedEdge]:
    """Yield the throws on one beat that lead from a state to others.

    A state says on which of the coming beats a prop is due in each row of hands.

    A row is a hand, or the two hands of a juggler that take turns.

    Args:
        code: the state, a number in which a bit is 1 where a prop is due. The rows of a beat lie
            beside each other, the next beat in the lowest bits.
        height: beats of a state.
        rows: number of rows: 1 if hands throw in turn, 2 if both throw at once.
    """
    # The rows that throw now: those of the lowest bits. A beat later these bits are gone, and the
    # props can land in the places (bits) that are empty then.
    due_rows = [row for row in range(rows) if code >> row & 1]
    code_later = code >> rows
    empty_places = [place for place in range(height * rows) if not code_later >> place & 1]
    # Each throwing row takes another one of the empty places.
    for places in permutations(empty_places, len(due_rows)):
        place_of_row = dict(zip(due_rows, places, strict=True))
        words = [
            _throw_text(row, place_of_row[row], rows) if row in place_of_row else "0"
            for row in range(rows)
        ]
        # The value of one throw is `rows` times its beats, as a beat of a pair counts 2 in
        # siteswap. So the mean over `rows` throws is the sum of their beats; an empty hand is 0.
        value = sum(place // rows + 1 for place in places)
        next_code = code_later | sum(1 << place for place in places)
        text = words[0] if rows == 1 else f"({','.join(words)})"
        yield _CodedEdge(text, value, next_code)


def _throw_text(row: int, place: int, rows: int) -> str:
    """A throw from a row to a place of the state a beat later, as siteswap writes it.

    Place p is row p % rows, p // rows beats after that; a throw to the other row gets an `x`.
    """
    beats = place // rows + 1
    crossing_mark = "x" if place % rows != row else ""
    return value_text(beats * rows) + crossing_mark


def _joined_edges(first: StateEdge, second: StateEdge) -> StateEdge:
    """The edge of the throws of two edges, one after the other, with the value of the first."""
    return first._replace(target=second.target, throws=first.throws + second.throws)


def _state_of_code(code: int, height: int, rows: int) -> State:
    """The state of a code: for each row a digit for each of its beats, 1 where a prop is due."""
    return tuple(
        "".join(str(code >> beat * rows + row & 1) for beat in range(height)) for row in range(rows)
    )


def _possible_symmetries(props: int, height: int, rows: int) -> Iterator[Callable[[int], int]]:
    """Yield permutations of state codes that may be symmetries of a state graph.

    Each is a function from the code of a state to that of its image. Whether it maps the edges,
    too, is for the caller to check.

    A row is a hand, or the two hands of a juggler that take turns. A state says on which coming
    beats a prop is due in each hand.

    Args:
        props: number of props.
        height: beats of a state.
        rows: number of rows; place p of a code is beat p // rows of row p % rows.
    """
    places = height * rows

    def permuted(code: int, order: Sequence[int]) -> int:
        """The code whose bit at each place is the bit at the place given by the order."""
        return sum(1 << place for place, source in enumerate(order) if code >> source & 1)

    if rows == SYNCHRONOUS:
        # Exchange the hands, which are bit 0 of each place.
        yield lambda code: permuted(code, [place ^ 1 for place in range(places)])
    if 2 * props == places:
        # The dual: exchange props and empty places (XOR with ones everywhere), and reverse the
        # beats, but not the rows of a beat.
        ends = [(height - 1 - place // rows) * rows + place % rows for place in range(places)]
        yield lambda code: permuted(code ^ ((1 << places) - 1), ends)
    if rows == ASYNCHRONOUS and props == places - 1:
        # Only one place is empty: count it from the other end. The ground state, in which it is the
        # last place, has to stay, so that place is left out.
        yield lambda code: permuted(code, [*reversed(range(places - 1)), places - 1])


_Key = tuple[int, State]
"""A beat modulo the phase of the rows, which tells which rows have turns when; and the state."""


def _states_by_turn(cycle: Cycle) -> dict[int, _Key]:
    """Return the state of a cycle before each of its turn beats, as strings, with the phase.

    A row is a hand, or the two hands of a juggler that take turns. A state says on which coming
    beats a prop is due in each hand.

    Returns:
        For each turn beat, in order, a pair: the beat modulo the phase, which says which rows have
        turns when; and for each row a string with a character for each of the beats on which that
        row has a turn, the next one first. All strings have the same length, that of the longest.
    """
    due_rows: dict[int, list[str]] = {}
    for turn_beat in cycle.turn_beats:
        # Transposed: from the counts of all rows on each beat to those of all beats in each row. A
        # state without props has no beats, so the transposed one would lack its rows.
        due = list(zip(*cycle.states[turn_beat], strict=True)) or [()] * len(cycle.rows)
        due_rows[turn_beat] = [
            "".join(
                _count_character(count)
                for beats_ahead, count in enumerate(counts)
                if row.throws_on(turn_beat + beats_ahead)
            ).rstrip("0")
            for row, counts in zip(cycle.rows, due, strict=True)
        ]
    length = max((len(row) for rows in due_rows.values() for row in rows), default=0)
    return {
        turn_beat: (turn_beat % cycle.phase, tuple(row.ljust(length, "0") for row in rows))
        for turn_beat, rows in due_rows.items()
    }


def _count_character(count: int) -> str:
    """A number of props as one character; "+" for more than there are digits."""
    return value_text(count) if count < len(VALUE_CHARACTERS) else "+"


def _written_throws(cycle: Cycle, turn_beat: int, jugglers: int) -> tuple[str, int]:
    """Return the throws of a beat as text, and their mean value, rounded, in parts of a beat.

    The text is such as `5`, `[34]`, `(4,6x)` or `<3p|3>`. In it and in the mean an empty hand
    counts as a throw of 0.

    A row is a hand, or the two hands of a juggler that take turns.

    Args:
        cycle: cycle of the pattern.
        turn_beat: a beat of the cycle on which some row throws.
        jugglers: number of jugglers; with more than two, passes say to whom they go.
    """
    # The throws of each row that has a turn.
    texts_by_row: dict[int, list[str]] = {
        index: [] for index, row in enumerate(cycle.rows) if row.throws_on(turn_beat)
    }
    for throw in cycle.beats[turn_beat]:
        to_juggler = cycle.rows[throw.to_row].juggler
        is_pass = to_juggler != cycle.rows[throw.row].juggler
        if is_pass:
            flag = f"p{to_juggler + 1 if jugglers > 2 else ''}"
        else:
            flag = "x" if throw.to_row != throw.row else ""
        # Values are in parts of a beat. In whole beats they are written as siteswap does, else as
        # decimal numbers of beats.
        value, remainder = divmod(throw.value, cycle.division)
        text = f"{throw.value / cycle.division:.3g}" if remainder else value_text(value)
        texts_by_row.setdefault(throw.row, []).append(text + flag)

    # A word for each row: one throw, several in brackets, or 0 for none. The words of a juggler's
    # rows, if there are two, are put into parentheses; those of several jugglers between < and >.
    words_by_juggler: dict[int, list[str]] = {}
    for index, texts in texts_by_row.items():
        words_by_juggler.setdefault(cycle.rows[index].juggler, []).append(hand_text(texts))
    words = [
        f"({','.join(hand_words)})" if len(hand_words) > 1 else hand_words[0]
        for hand_words in words_by_juggler.values()
    ]
    throw_count = max(len(texts_by_row), len(cycle.beats[turn_beat]), 1)
    mean_value = round(sum(throw.value for throw in cycle.beats[turn_beat]) / throw_count)
    return f"<{'|'.join(words)}>" if len(words) > 1 else words[0], mean_value
