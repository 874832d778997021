"""Which states can follow which others: no prop may land where the state that follows has none."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import chain

from juggle_anim.pattern.states import Landings

_FIELD = 16  # bits for the number of props that are due in one hand on one beat, as many as `_packed` gives them


class Fits:
    """Which states fit into which others some beats later: no prop is due then where the other state has none.

    All are packed into one number each, so that two are compared by a subtraction.

    Args:
        states: those that are left.
        others: those that follow.
        hands: how many the states have.
    """

    def __init__(self, states: Sequence[Landings], others: Sequence[Landings], hands: int) -> None:
        beats = max((len(state) for state in (*states, *others)), default=0)
        self._beat = _FIELD * hands
        self._guard = _packed(((1 << _FIELD - 1,) * hands,) * beats)
        self._states = [_packed(state) for state in states]
        self._rooms = [_packed(other) | self._guard for other in others]

    def pairs(self, beats: int) -> Iterator[tuple[int, int]]:
        """Numbers of states and of others into which they fit so many beats later, in order."""
        guard = self._guard
        for number, state in enumerate(self._states):
            later = state >> beats * self._beat
            for other, room in enumerate(self._rooms):
                if (room - later) & guard == guard:
                    yield number, other


def _packed(state: Landings) -> int:
    """The state as one number, with the next beat in its lowest bits."""
    counts = list(chain.from_iterable(state))
    return int.from_bytes(struct.pack(f"<{len(counts)}H", *counts), "little")
