"""One throw, on whole beats."""

from __future__ import annotations

from typing import NamedTuple

LEFT, RIGHT = 0, 1


class Throw(NamedTuple):
    """One prop thrown from one hand on one beat.

    Hands are 0 (left) and 1 (right), jugglers count from 0, `value` is in beats and above 0: an empty hand is no throw.
    """

    beat: int
    juggler: int
    hand: int
    value: int
    to_juggler: int
    to_hand: int
