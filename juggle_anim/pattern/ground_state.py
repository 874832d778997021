"""The ground state, and the shortest throws that lead from it into a pattern and out of it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from juggle_anim.pattern.cycle import Cycle, CycleThrow, Row
from juggle_anim.pattern.states import Landings


class Passage(NamedTuple):
    """A transition between the ground state and a pattern.

    Attributes:
        turn_beat: of a passage into the pattern, the beat of the pattern with which it goes on
            afterwards; of a passage out of it, the first beat whose throws are no longer made.
        length: beats between; 0 where the pattern is in the ground state itself.
        throws: the throws on these beats, which are counted from the first of them.
    """

    turn_beat: int
    length: int
    throws: tuple[CycleThrow, ...]


def ground_state(rows: Sequence[Row], props: int, beat: int = 0, near: Landings = ()) -> Landings:
    """Return the ground state before a beat: a prop for each turn of a hand, as soon as possible.

    Args:
        rows: rows of the state, at least one.
        props: number of props.
        beat: the beat whose throws come next.
        near: a state, which decides where the ground state is ambiguous. If on the last beat more
            rows throw together than props are left, those rows get a prop first that have one in
            this state on that beat. If it is empty, the rows with the lowest indices do.

    Returns:
        Props due on each coming beat in each row, up to the last beat on which one is due.
    """
    # A phase is the number of beats after which the same rows throw together again. `full` has one
    # prop for each turn of a phase; it is repeated as long as there are props for all its turns.
    phase = math.lcm(*(row.step for row in rows))
    full = tuple(
        tuple(int(row.throws_on(beat + beats_ahead)) for row in rows)
        for beats_ahead in range(phase)
    )
    rounds, left = divmod(props, sum(map(sum, full)))
    state = full * rounds

    # The remaining props, beat by beat.
    for counts in full:
        if not left:
            break
        if left >= sum(counts):
            state += (counts,)
            left -= sum(counts)
            continue
        # Too few props for all rows of this beat: it is the last one.
        preferred = near[len(state)] if len(state) < len(near) else counts
        throwing = [row for row, count in enumerate(counts) if count]
        chosen = sorted(throwing, key=lambda row: not preferred[row])[:left]
        state += (tuple(int(row in chosen) for row in range(len(rows))),)
        left = 0

    # The last beats may be without a turn of any row: nothing is due on them.
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

    Of equally short ones, those to its lowest state (`Cycle.lowest`), else to the first beat.
    """
    return _shortest_passage(cycle, into=True)


def exit_of(cycle: Cycle) -> Passage:
    """Return the shortest throws from a regular cycle to the ground state.

    Of equally short ones, those from its lowest state (`Cycle.lowest`), else from the first beat.
    """
    return _shortest_passage(cycle, into=False)


def transition(
    rows: Sequence[Row], beat: int, start: Landings, end: Landings, length: int
) -> tuple[CycleThrow, ...]:
    """Return the throws that lead from one state to another in some beats.

    Jugglers keep their props where they can, and pass only where they have no room. Of all such
    throws they make the lowest, compared from the first on.

    Args:
        rows: rows of the states.
        beat: of the first throws, in the count of beats by which the rows have their turns.
        start: the state before them.
        end: the state after them. What is left of `start` after `length` beats must fit into it
            (see `fits`), and it must have as many props.
        length: in beats.

    Returns:
        Throws on beats from 0 on, in order.
    """
    # Props due on each beat of the transition in each row; throws that land there are added.
    due = [
        list(counts) for counts in (*start[:length], *[(0,) * len(rows)] * (length - len(start)))
    ]
    free_beats = _free_beats(rows, beat, start, end, length)
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
    """The slots in which throws of a transition can land: for each juggler, in order of beats.

    During the transition, these are the turns on which no prop is due; after it, the places where
    the end state has more props than what is left of the start state.

    Args:
        rows, beat, start, end, length: those of `transition`.

    Returns:
        By juggler, the beats with room; they are counted from the first throws of the transition.
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
    """Take the next free slot for a prop that a row throws now.

    It is the soonest slot of the same juggler, in the same row if that is free on its beat. If the
    juggler has none left, it is the soonest slot of any other juggler, and the throw is a pass.

    Args:
        rows: rows of the states.
        free_beats: by juggler, with at least one slot after `now`. The taken slot is removed, as
            are those that are past.
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
    """Find the shortest passage between the ground state and a cycle.

    Of equally short ones, that at the lowest state of the cycle is taken, then that at its first
    beat.

    Args:
        cycle: a cycle whose rows throw at even intervals (`Cycle.is_regular`).
        into: whether the passage leads into the cycle, not out of it.
    """
    # The lowest state first, then the others on which the first row throws, as jugglers begin a
    # pattern there; at each, lengths from the least possible on.
    first = cycle.lowest
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
            # From other states on, only a passage shorter than the best one so far is of use.
            length_limit = best_length
        else:
            # From the first state a passage is always found: with so many beats all props have
            # landed, and any state can be reached.
            length_limit = least + 3 * cycle.phase + ground_length + cycle.highest
        for length in range(least, length_limit):
            ground_beat = turn_beat - length if into else turn_beat + length
            # A ground state only exists before a beat on which some row throws.
            if not any(row.throws_on(ground_beat) for row in cycle.rows):
                continue
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
    """A lower bound of the length of a passage, so that shorter ones need not be tried.

    It may be too low, but not too high: lengths from it on are tried one after another.

    Args:
        cycle: the cycle that is entered or left.
        turn_beat: beat of the cycle before which it is.
        ground_length: beats of the ground state.
        into: whether the transition leads into the cycle, not out of it.
    """
    state = cycle.states[turn_beat]
    if not into:
        # A ground state has no multiplexes, so the pattern's have to be thrown before it. And its
        # last prop is due no later than `ground_length` beats ahead, up to a phase more as ground
        # states before other beats may be longer; so what is due later must have come nearer.
        multiplexes = [beats_ahead for beats_ahead, counts in enumerate(state) if max(counts) > 1]
        return max(len(state) - ground_length - cycle.phase, max(multiplexes, default=-1) + 1, 0)
    # The ground state has a prop on every turn up to its end, the state of the cycle has not: so
    # the former must have become so much older that nothing of it is due on the first turn that is
    # empty in the latter. A phase and a beat are left as a margin.
    empty_turns = (
        beats_ahead
        for beats_ahead, counts in enumerate(state)
        if any(
            not count and row.throws_on(turn_beat + beats_ahead)
            for count, row in zip(counts, cycle.rows, strict=True)
        )
    )
    return max(ground_length - next(empty_turns, len(state)) - cycle.phase - 1, 0)


def _states_at_ends(
    cycle: Cycle, turn_beat: int, length: int, into: bool
) -> tuple[Landings, Landings]:
    """The states before and after a transition between the ground state and a cycle.

    The first of the two is the ground state if the cycle is entered, and the second if it is left.

    Args:
        cycle: the cycle that is entered or left.
        turn_beat: beat of the cycle before which it is.
        length: beats of the transition.
        into: whether the transition leads into the cycle, not out of it.
    """
    # Of several ground states the one that is most like the state of the cycle is taken. Both are
    # `length` beats apart, so the state is shifted by that: when the cycle is entered it comes
    # later than the ground state, and what it has is due so many beats further ahead; when the
    # cycle is left it comes before, and the first beats of it are over.
    state = cycle.states[turn_beat]
    if into:
        near = ((0,) * len(cycle.rows),) * length + state
        return ground_state(cycle.rows, cycle.props, turn_beat - length, near), state
    return state, ground_state(cycle.rows, cycle.props, turn_beat + length, state[length:])


def fits(state: Landings, other: Landings) -> bool:
    """Return whether all props of a state are due in another one, too.

    Args:
        state: props due on each coming beat in each row, without empty beats at the end.
        other: likewise, with the same rows; it may have more props and more beats.
    """
    return len(state) <= len(other) and all(
        count <= room
        for counts, rooms in zip(state, other, strict=False)
        for count, room in zip(counts, rooms, strict=True)
    )
