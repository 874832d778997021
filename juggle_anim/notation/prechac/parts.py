"""Parts: what each juggler of a prechac pattern throws, and when."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import floor
from typing import NamedTuple

from juggle_anim.notation.prechac.syntax import Line, PrechacThrow


class Part(NamedTuple):
    """One juggler's: a line, when it begins [beats], and whether its hands are swapped."""

    line: Line
    start: Fraction = Fraction(0)
    mirrored: bool = False


class Made(NamedTuple):
    """A throw that a juggler makes on a beat, counted from the start of the juggler's own line.

    `value` is what the throw as written stands for, in beats, and `receiver` the juggler who catches it.
    """

    juggler: int
    beat: int
    hand: int
    throw: PrechacThrow
    value: Fraction
    receiver: int


class Cast(NamedTuple):
    """All jugglers with all their throws until all lines begin together again.

    Attributes:
        parts: one for each juggler.
        made: their throws, a multiplex as written.
        period: beats until then.
        written: beats that the text spells out.
        alike: whether all jugglers throw one line.
    """

    parts: tuple[Part, ...]
    made: tuple[Made, ...]
    period: int
    written: int
    alike: bool


Place = tuple[int, int | None]
"""A beat and a hand, None where hands take turns."""


class Room:
    """Where a line catches as many props as it throws.

    Args:
        line: over and over.
        beats: rounds of the line; whoever lands later does so on the same beat of other rounds.
    """

    def __init__(self, line: Line, beats: int) -> None:
        self.beats = beats
        self.free: Counter[Place] = Counter()
        self.single = {beat for beat, _, slot in line.until(beats) if slot.hand is None}
        for beat, hand, slot in line.until(beats):
            self.free[beat, None if slot.hand is None else hand] += len(slot.thrown)

    def place(self, beat: int, hand: int, throw: PrechacThrow) -> Place | None:
        """Where a throw from a hand lands on a beat of this line; None where it would cross to a hand out of turn."""
        at = beat % self.beats
        if at in self.single:
            return None if throw.crossing else (at, None)
        return at, landing_hand(hand, throw)


def landing_hand(hand: int, throw: PrechacThrow) -> int:
    """The hand that a throw goes to where both hands may catch: an odd one crosses, and x turns this round."""
    return (hand + floor(throw.value) + throw.crossing) % 2
