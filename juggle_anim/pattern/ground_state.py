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
        turn: the beat of the pattern that follows after the entry, or that comes next where it is
            left.
        length: beats between; 0 where the pattern is in the ground state itself.
        throws: the throws on these beats, which are counted from the first of them.
    """

    turn: int
    length: int
    throws: tuple[CycleThrow, ...]


def ground_state(rows: Sequence[Row], props: int, beat: int = 0, near: Landings = ()) -> Landings:
    """Return the ground state before a beat: a prop for each turn of a hand, as soon as possible.

    Args:
        rows: rows of the state, at least one.
        props: how many.
        beat: the beat whose throws come next.
        near: a state. Where more hands throw together than props are left, those of them get one
            that have one in this state.
    """
    phase = math.lcm(*(row.step for row in rows))
    full = tuple(tuple(int(row.throws_on(beat + later)) for row in rows) for later in range(phase))
    rounds, left = divmod(props, sum(map(sum, full)))
    state = full * rounds
    for counts in full:
        if not left:
            break
        if left >= sum(counts):
            state += (counts,)
            left -= sum(counts)
            continue
        preferred = near[len(state)] if len(state) < len(near) else counts
        throwing = [row for row, count in enumerate(counts) if count]
        chosen = sorted(throwing, key=lambda row: not preferred[row])[:left]
        state += (tuple(int(row in chosen) for row in range(len(rows))),)
        left = 0
    while state and not any(state[-1]):
        state = state[:-1]
    return state


def is_ground(cycle: Cycle, turn: int) -> bool:
    """Return whether the state before a turn is a ground state."""
    state = cycle.states[turn]
    return state == ground_state(cycle.rows, cycle.props, turn, state)


def entry_of(cycle: Cycle) -> Passage:
    """Return the shortest throws from the ground state into a regular cycle.

    Of equally short ones, those to its lowest state.
    """
    return _shortest(cycle, into=True)


def exit_of(cycle: Cycle) -> Passage:
    """Return the shortest throws from a regular cycle to the ground state.

    Of equally short ones, those from its lowest state.
    """
    return _shortest(cycle, into=False)


def transition(
    rows: Sequence[Row], beat: int, start: Landings, end: Landings, length: int
) -> tuple[CycleThrow, ...]:
    """Return the throws that lead from one state to another in some beats.

    Jugglers keep their props where they can. Of all such throws they make the lowest, compared from
    the first on.

    Args:
        rows: rows of the states.
        beat: of the first throws.
        start: the state before them.
        end: the state after them, into which `start` fits when it is so many beats older.
        length: in beats.
    """
    due = [
        list(counts) for counts in (*start[:length], *[(0,) * len(rows)] * (length - len(start)))
    ]
    free_slots = _free_slots(rows, beat, start, end, length)
    throws = []
    for now in range(length):
        for row, count in enumerate(due[now]):
            for _prop in range(count):
                landing, to_row = _take_slot(rows, free_slots, now, row)
                if landing < length:
                    due[landing][to_row] += 1
                throws.append(CycleThrow(now, row, landing - now, to_row))
    return tuple(throws)


_FreeSlots = dict[int, deque[tuple[int, list[int]]]]
"""For each juggler, beats with the rows in which a prop may land, a row once for each prop."""


def _free_slots(
    rows: Sequence[Row], beat: int, start: Landings, end: Landings, length: int
) -> _FreeSlots:
    """The slots in which throws of a transition can land, as `transition` takes its arguments.

    On its beats, these are the turns on which no prop is due; after it, what is due in the end
    state and not yet in the start state.
    """
    empty = (0,) * len(rows)
    free_slots = {row.juggler: deque[tuple[int, list[int]]]() for row in rows}
    for landing in range(length + len(end)):
        due = start[landing] if landing < len(start) else empty
        free_rows: dict[int, list[int]] = {}
        for index, row in enumerate(rows):
            if landing >= length:
                room = end[landing - length][index] - due[index]
            else:
                room = 1 if row.throws_on(beat + landing) and not due[index] else 0
            free_rows.setdefault(row.juggler, []).extend([index] * room)
        for juggler, indices in free_rows.items():
            if indices:
                free_slots[juggler].append((landing, indices))
    return free_slots


def _take_slot(rows: Sequence[Row], free_slots: _FreeSlots, now: int, row: int) -> tuple[int, int]:
    """Take the next free slot for a prop that a row throws now, and return its beat and row."""
    juggler = rows[row].juggler
    _drop_past(free_slots[juggler], now)
    if not free_slots[juggler]:
        # The thrower has no room left: pass to whoever can catch soonest.
        for slots in free_slots.values():
            _drop_past(slots, now)
        with_room = (other for other, slots in free_slots.items() if slots)
        juggler = min(with_room, key=lambda other: free_slots[other][0][0])
    landing, free_rows = free_slots[juggler][0]
    to_row = row if row in free_rows else free_rows[0]
    free_rows.remove(to_row)
    if not free_rows:
        free_slots[juggler].popleft()
    return landing, to_row


def _drop_past(slots: deque[tuple[int, list[int]]], now: int) -> None:
    """Remove slots of beats up to now."""
    while slots and slots[0][0] <= now:
        slots.popleft()


def _shortest(cycle: Cycle, into: bool) -> Passage:
    """The shortest passage into a cycle, or out of it; from the lowest state of equally short."""
    first = cycle.lowest
    other_turns = [turn for turn in cycle.turns if turn != first and cycle.rows[0].throws_on(turn)]
    ground = len(ground_state(cycle.rows, cycle.props))
    shortest: tuple[int, int] | None = None
    for turn in (first, *other_turns):
        least = _least_length(cycle, turn, ground, into)
        longest = shortest[1] if shortest else least + 3 * cycle.phase + ground + cycle.highest
        for length in range(least, longest):
            ground_beat = turn - length if into else turn + length
            if not any(row.throws_on(ground_beat) for row in cycle.rows):
                continue
            start, end = _ends(cycle, turn, length, into)
            if fits(start[length:], end):
                shortest = turn, length
                break
        if shortest and not shortest[1]:
            break
    assert shortest is not None, "after enough beats any state can be reached"
    turn, length = shortest
    start, end = _ends(cycle, turn, length, into)
    begin = turn - length if into else turn
    return Passage(turn, length, transition(cycle.rows, begin, start, end, length))


def _least_length(cycle: Cycle, turn: int, ground: int, into: bool) -> int:
    """A lower bound of the length of a transition, so that long ones are found soon."""
    state = cycle.states[turn]
    if not into:
        # Multiplexes have to be thrown, and props must not be due later than in a ground state.
        multiplexes = [later for later, counts in enumerate(state) if max(counts) > 1]
        return max(len(state) - ground - cycle.phase, max(multiplexes, default=-1) + 1, 0)
    # Until the first empty turn of the state, the ground state has to be as old.
    empty_turns = (
        later
        for later, counts in enumerate(state)
        if any(
            not count and row.throws_on(turn + later)
            for count, row in zip(counts, cycle.rows, strict=True)
        )
    )
    return max(ground - next(empty_turns, len(state)) - cycle.phase - 1, 0)


def _ends(cycle: Cycle, turn: int, length: int, into: bool) -> tuple[Landings, Landings]:
    """The states before and after a transition."""
    state = cycle.states[turn]
    if into:
        near = ((0,) * len(cycle.rows),) * length + state
        return ground_state(cycle.rows, cycle.props, turn - length, near), state
    return state, ground_state(cycle.rows, cycle.props, turn + length, state[length:])


def fits(state: Landings, other: Landings) -> bool:
    """Return whether all props of a state are due in another one, too."""
    return len(state) <= len(other) and all(
        count <= room
        for counts, rooms in zip(state, other, strict=False)
        for count, room in zip(counts, rooms, strict=True)
    )
