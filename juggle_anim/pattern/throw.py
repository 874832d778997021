"""One throw, on whole beats or parts of them."""

from __future__ import annotations

from typing import NamedTuple

LEFT, RIGHT = 0, 1

Turn = tuple[int, int, int]
"""A beat, a juggler and a hand."""


class Throw(NamedTuple):
    """One prop thrown from one hand on one beat.

    Hands are 0 (left) and 1 (right), jugglers count from 0, `value` is in beats and above 0: an empty hand is no throw.
    `bounces` on the floor are made in the `bounce_style` "lift", "force", "hyper_lift" or "hyper_force", which is ""
    where there are none. `held` is True for a prop that is not to be let go, False for one that is really to be thrown,
    and None where the usual rule decides.
    """

    beat: int
    juggler: int
    hand: int
    value: int
    to_juggler: int
    to_hand: int
    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None
