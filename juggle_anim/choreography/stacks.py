"""Stacks, equal throws that leave one hand together: the room that hands give them to pass other
props.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from juggle_anim.choreography.dwell import Timing
from juggle_anim.pattern import RIGHT, Pattern, Throw, Turn

_ROOM_FOR_BALLS = 0.083  # m, between the middles of balls of the usual size that pass each other
_ROOM_FOR_CLUBS = 0.12  # m, likewise

_BEATS_OF_HAND = 2.0  # beats, from a throw of a hand to its next


class StackRoom(NamedTuple):
    """Where a throw goes so that it meets nothing.

    Attributes:
        span: how far outward of its throw it is caught at least, [m].
        forward: how far in front of the usual places it is thrown and caught, [m].
    """

    span: float = 0.0
    forward: float = 0.0


NO_ROOM = StackRoom()
"""The room of a throw that needs none."""


def stack_rooms(pattern: Pattern, timing: Timing, prop: str) -> dict[int, StackRoom]:
    """The room of throws by their number in the pattern; those that are left out need none.

    Without a stack no throw needs room.

    Args:
        pattern: what is juggled.
        timing: when.
        prop: the kind of all props; "" if they differ.
    """
    room = _ROOM_FOR_CLUBS if prop == "club" else _ROOM_FOR_BALLS
    flown = [index for index, held in enumerate(timing.held) if not held]
    count = Counter(pattern.throws[index] for index in flown)
    stacks = {throw for throw, times in count.items() if times > 1}
    if not stacks:
        return {}
    in_hand = Counter(pattern.sites)
    # Turns of hands that throw across, and whether they throw a stack.
    changing: dict[Turn, bool] = {}
    for throw in count:
        if _changes_hands(throw):
            changing[throw[:3]] = changing.get(throw[:3], False) or throw in stacks
    rooms: dict[int, StackRoom] = {}
    for index in flown:
        throw = pattern.throws[index]
        flies = (timing.catch[index] - timing.throw[index]) / pattern.division
        rooms[index] = NO_ROOM
        if throw[1:3] == throw[4:6]:
            rooms[index] = StackRoom(span=_column_span(in_hand[pattern.sites[index]], flies, room))
        elif _changes_hands(throw):
            meeting = throw.beat, throw.juggler, 1 - throw.hand
            if meeting in changing and (changing[meeting] or changing[throw[:3]]):
                rooms[index] = StackRoom(forward=room if throw.hand == RIGHT else -room)
    return rooms


def _changes_hands(throw: Throw) -> bool:
    return throw.juggler == throw.to_juggler and throw.hand != throw.to_hand


def _column_span(props: int, flies: float, room: float) -> float:
    """How far outward of its throw a prop is caught, so that it comes down beside the next that
    rises, [m].

    Flights of T beats that begin two beats apart pass when (T/2 ± 1)/T of the way is behind them,
    with 2/T of the span between them.

    Args:
        props: in the hand before the throw; each pair of them makes a stack wider.
        flies: T, [beats].
        room: between props that pass each other, [m].
    """
    pairs = (props + 1) // 2
    return pairs * room * flies / _BEATS_OF_HAND
