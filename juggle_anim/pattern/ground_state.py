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
    """The ground state before a beat: a prop for each turn of a hand, as soon as possible.

    Where more hands throw together than props are left, those of them get one that do in a state
    that is near.

    Args:
        rows: of the state, at least one.
        props: how many.
        beat: whose throws come next.
        near: a state.
    """
    phase = math.lcm(*(row.step for row in rows))
    full = tuple(tuple(int(row.throws_on(beat + later)) for row in rows) for later in range(phase))
    rounds, left = divmod(props, sum(map(sum, full)))
    found = full * rounds
    for counts in full[: phase if left else 0]:
        if left >= sum(counts):
            found += (counts,)
        elif left:
            wanted = near[len(found)] if len(found) < len(near) else counts
            chosen = sorted(
                (number for number, count in enumerate(counts) if count),
                key=lambda number: not wanted[number],
            )[:left]
            found += (tuple(int(number in chosen) for number in range(len(rows))),)
        left -= min(sum(counts), left)
    while found and not any(found[-1]):
        found = found[:-1]
    return found


def is_ground(cycle: Cycle, turn: int) -> bool:
    """Whether the state before a turn is a ground state."""
    state = cycle.states[turn]
    return state == ground_state(cycle.rows, cycle.props, turn, state)


def entry_of(cycle: Cycle) -> Passage:
    """The shortest throws from the ground state into a regular walk; of equally short ones, to its
    lowest state.
    """
    return _shortest(cycle, into=True)


def exit_of(cycle: Cycle) -> Passage:
    """The shortest throws from a regular walk to the ground state; of equally short ones, from its
    lowest state.
    """
    return _shortest(cycle, into=False)


def transition(
    rows: Sequence[Row], beat: int, start: Landings, end: Landings, length: int
) -> tuple[CycleThrow, ...]:
    """The throws that lead from one state to another in some beats.

    Jugglers keep their props where they can. Of all such throws they make the lowest, told from the
    first on.

    Args:
        rows: of the states.
        beat: of the first throws.
        start: the state before them.
        end: the state after them, into which `start` fits when it is so many beats older.
        length: in beats.
    """
    due = [
        list(counts) for counts in (*start[:length], *[(0,) * len(rows)] * (length - len(start)))
    ]
    places = _places(rows, beat, start, end, length)
    throws = []
    for now in range(length):
        for row, count in enumerate(due[now]):
            for _ in range(count):
                landing, to_row = _take(rows, places, now, row)
                if landing < length:
                    due[landing][to_row] += 1
                throws.append(CycleThrow(now, row, landing - now, to_row))
    return tuple(throws)


_Places = dict[int, deque[tuple[int, list[int]]]]
"""For each juggler, beats with the rows in which a prop may land; those of several props are there
several times.
"""


def _places(rows: Sequence[Row], beat: int, start: Landings, end: Landings, length: int) -> _Places:
    """What is empty in between, and what the end has more than the start."""
    empty = (0,) * len(rows)
    places = {row.juggler: deque[tuple[int, list[int]]]() for row in rows}
    for landing in range(length + len(end)):
        counts = start[landing] if landing < len(start) else empty
        free: dict[int, list[int]] = {}
        for number, (row, count) in enumerate(zip(rows, counts, strict=True)):
            on_the_way = landing < length
            room = (
                row.throws_on(beat + landing) and not count
                if on_the_way
                else end[landing - length][number] - count
            )
            free.setdefault(row.juggler, []).extend([number] * room)
        for juggler, numbers in free.items():
            if numbers:
                places[juggler].append((landing, numbers))
    return places


def _take(rows: Sequence[Row], places: _Places, now: int, row: int) -> tuple[int, int]:
    """The next place for a prop that a row throws now: with the same juggler if there is one, if
    not with any.
    """
    juggler = rows[row].juggler
    for free in places.values() if not _later(places[juggler], now) else ():
        _later(free, now)
    if not places[juggler]:
        juggler = min(
            (each for each, free in places.items() if free), key=lambda each: places[each][0][0]
        )
    landing, numbers = places[juggler][0]
    taken = row if row in numbers else numbers[0]
    numbers.remove(taken)
    if not numbers:
        places[juggler].popleft()
    return landing, taken


def _later(free: deque[tuple[int, list[int]]], now: int) -> bool:
    """Whether places are left after a beat; the others are dropped."""
    while free and free[0][0] <= now:
        free.popleft()
    return bool(free)


def _shortest(cycle: Cycle, into: bool) -> Passage:
    first = cycle.lowest
    found = None
    ground = len(ground_state(cycle.rows, cycle.props))
    for turn in (
        first,
        *(each for each in cycle.turns if each != first and cycle.rows[0].throws_on(each)),
    ):
        least = _least_length(cycle, turn, ground, into)
        for length in range(
            least, found[1] if found else least + 3 * cycle.phase + ground + cycle.highest
        ):
            if not any(
                row.throws_on(turn - length if into else turn + length) for row in cycle.rows
            ):
                continue
            start, end = _ends(cycle, turn, length, into)
            if fits(start[length:], end):
                found = turn, length
                break
        if found and not found[1]:
            break
    assert found is not None, "after enough beats any state can be reached"
    turn, length = found
    start, end = _ends(cycle, turn, length, into)
    begin = turn - length if into else turn
    return Passage(turn, length, transition(cycle.rows, begin, start, end, length))


def _least_length(cycle: Cycle, turn: int, ground: int, into: bool) -> int:
    """A length that no transition is shorter than, so that long ones are found soon."""
    state = cycle.states[turn]
    if not into:
        several = max((later for later, counts in enumerate(state) if max(counts) > 1), default=-1)
        return max(len(state) - ground - cycle.phase, several + 1, 0)
    rows = list(enumerate(cycle.rows))
    gaps = (
        later
        for later, counts in enumerate(state)
        if any(not counts[number] and row.throws_on(turn + later) for number, row in rows)
    )
    return max(ground - next(gaps, len(state)) - cycle.phase - 1, 0)


def _ends(cycle: Cycle, turn: int, length: int, into: bool) -> tuple[Landings, Landings]:
    """The states before and after a transition."""
    state = cycle.states[turn]
    if into:
        near = ((0,) * len(cycle.rows),) * length + state
        return ground_state(cycle.rows, cycle.props, turn - length, near), state
    return state, ground_state(cycle.rows, cycle.props, turn + length, state[length:])


def fits(state: Landings, other: Landings) -> bool:
    """Whether all props of a state are due in another one, too."""
    return len(state) <= len(other) and all(
        count <= room
        for counts, rooms in zip(state, other, strict=False)
        for count, room in zip(counts, rooms, strict=True)
    )
