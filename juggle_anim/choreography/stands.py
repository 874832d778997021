"""Prop stands: where props lie beside jugglers before they are picked up and after they are put down."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.choreography.choreography import Choreography

STAND_HEIGHT = 0.895
"""The height of a hand that puts a prop on a stand, [m]."""

_OUTWARD, _FORWARD = 0.54, 0.22  # of the place that is nearest to a hand, [m]
_APART = {"club": 0.1, "ring": 0.05}  # of props that lie beside each other, [m]
_BALLS_APART = 0.1  # m
_ROOM = {"club": 4, "ring": 6}
_ROOM_FOR_BALLS = 6
_SAME = 1e-3  # m


def stand_room(kind: str) -> int:
    """How many props of a kind a stand holds."""
    return _ROOM.get(kind, _ROOM_FOR_BALLS)


def stand_places(kind: str, side: int, count: int) -> Floats:
    """Where a hand puts props on its stand, in the order in which places fill.

    Balls lie behind each other, so that no hand passes over one; what points forward lies side by side, and is put
    there from the outside in.

    Args:
        kind: of the props, as in `PropLook`.
        side: of the hand, 0 left and 1 right.
        count: how many places.

    Returns:
        Shape (count, 3), as `Events.position`, [m].
    """
    number, nothing = np.arange(count), np.zeros(count)
    if kind in _APART:
        outward, forward = _OUTWARD + _APART[kind] * number[::-1], nothing + _FORWARD
    else:
        # In turn farther ahead and farther back.
        ahead = (number + 1) // 2 * (1 - 2 * (number % 2 == 0))
        outward, forward = nothing + _OUTWARD, _FORWARD + _BALLS_APART * ahead
    return np.stack([outward * (1 - 2 * side), nothing + STAND_HEIGHT, forward], axis=-1)


def on_stand(choreography: Choreography) -> Booleans:
    """Which flights are none, as the prop lies on a stand, shape (F,)."""
    flights, place = choreography.flights, choreography.events.position
    if not any(style.rests for style in flights.style):
        return np.zeros(len(flights.throw), dtype=bool)
    start, end = place[flights.throw], place[flights.catch]
    beside = (np.abs(start[:, 1] - STAND_HEIGHT) < _SAME) & (np.abs(start[:, 0]) > _OUTWARD - _SAME)
    there: Booleans = beside & (np.abs(start - end).max(axis=1) < _SAME)
    return there & np.array([style.rests for style in flights.style])


def lying_places(choreography: Choreography) -> dict[int, Floats]:
    """Where props lie beside each hand at some time: for its number places as `Events.position`, shape (N, 3), [m]."""
    events, found = choreography.events, choreography.flights.throw[on_stand(choreography)]
    hands = events.hand[found]
    return {hand: np.unique(events.position[found[hands == hand]], axis=0) for hand in np.unique(hands).tolist()}
