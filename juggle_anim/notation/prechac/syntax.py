"""Prechac syntax: throws, slots and lines as written, fractions as people round them, and resolved
patterns.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import NamedTuple

from juggle_anim.notation.limits import MAX_DIVISION
from juggle_anim.notation.siteswap.syntax import PLAIN, Modifier
from juggle_anim.pattern import LEFT, RIGHT

Place = tuple[int, int | None]
"""A beat and a hand, None where hands take turns."""


class PrechacThrow(NamedTuple):
    """One throw as it is written.

    Attributes:
        text: the whole of it, such as `3.6p`.
        start: the index of its first character in the text.
        value: in beats, as written: 3.6 may stand for 3⅔.
        decimals: digits after the point.
        crossing: whether an x turns its hand round.
        receiver: None for a throw to oneself, `NEXT_JUGGLER`, or the number after the p.
        modifier: how it is thrown.
    """

    text: str
    start: int
    value: Fraction
    decimals: int = 0
    crossing: bool = False
    receiver: int | None = None
    modifier: Modifier = PLAIN


class Slot(NamedTuple):
    """The throws of one hand on a beat of its line; `hand` is None if hands alternate."""

    beat: int
    hand: int | None
    throws: tuple[PrechacThrow, ...]

    @property
    def thrown(self) -> list[PrechacThrow]:
        """Its throws without the zeros."""
        return [throw for throw in self.throws if throw.value]


class Line(NamedTuple):
    """The throws that one juggler repeats.

    Attributes:
        slots: in the order of their beats.
        beats: how long it is.
        swaps: whether a `*` swaps the hands each time.
        first_hand: the hand that begins where hands take turns.
        start: the index in the text where it begins.
    """

    slots: tuple[Slot, ...]
    beats: int
    swaps: bool
    first_hand: int
    start: int

    @property
    def singles_only(self) -> bool:
        """Whether hands take turns throughout, so that a line of odd length swaps hands each
        time.
        """
        return all(slot.hand is None for slot in self.slots)

    @property
    def loop(self) -> int:
        """Beats after which both hands do the same again."""
        turned = self.beats % 2 == 1 if self.singles_only else self.swaps
        return self.beats * (1 + turned)

    def until(self, beats: int) -> Iterator[tuple[int, int, Slot]]:
        """Beat, hand and slot of all that is thrown in some rounds of the line, `beats` in all."""
        singles_only = self.singles_only
        for round_, first in enumerate(range(0, beats, self.beats)):
            for slot in self.slots:
                beat = first + slot.beat
                if slot.hand is not None:
                    yield beat, slot.hand ^ (self.swaps and round_ % 2), slot
                else:
                    turn = beat if singles_only else slot.beat + (self.swaps and round_ % 2)
                    yield (
                        beat,
                        self.first_hand if turn % 2 == 0 else LEFT + RIGHT - self.first_hand,
                        slot,
                    )


class PrechacText(NamedTuple):
    """The parsed text.

    Attributes:
        lines: one that all throw, the feedees' and the feeder's, or one for each juggler.
        sides: whether each juggler has a line.
        jugglers: how many there are, where the text says so.
        number_start: the index where it says so.
        delays: by how many beats later each juggler of several sides begins; empty where the passes
            say it.
    """

    lines: tuple[Line, ...]
    sides: bool
    jugglers: int | None
    number_start: int
    delays: tuple[Fraction, ...] = ()

    @property
    def feeds(self) -> bool:
        """Whether the second line feeds those who throw the first."""
        return len(self.lines) == 2 and not self.sides


def fitted_value(throw: PrechacThrow, later: Fraction) -> Fraction | None:
    """Return the value, in beats, that a throw may mean if its receiver begins `later` beats after
    the thrower.

    None where it would land between the receiver's beats. A value with decimals stands for any that
    is cut off or rounded to it.
    """
    wanted = later - math.floor(later)
    value = math.floor(throw.value) + wanted
    return value if _written_as(value, throw.value, throw.decimals) else None


def nearest_value(throw: PrechacThrow, jugglers: int) -> Fraction:
    """The value that a throw between some jugglers most likely has, by `nearest_fraction`."""
    return nearest_fraction(throw.value, throw.decimals, jugglers)


def rounded_text(value: Fraction) -> str:
    """Return a value as people write it: 3, 3.5 or 3.67."""
    return f"{round(float(value), 2):g}"


@lru_cache(maxsize=1024)
def nearest_fraction(written: Fraction, decimals: int, jugglers: int) -> Fraction:
    """The beats that a number with so many decimals most likely stands for: if not whole, in
    `jugglers` parts.

    Where no such part is written as the number is, it is the simplest fraction that is.
    """
    if not decimals:
        return written
    # In whole numbers, which are ten times as quick as fractions: what is written is digits /
    # scale.
    scale = 10**decimals
    digits = int(written * scale)
    for parts in (jugglers, *range(2, MAX_DIVISION + 1)):
        below = digits * parts // scale
        # How far each value is from what is written, in units of 1 / (parts * scale).
        differences = {value: value * scale - digits * parts for value in (below, below + 1)}
        # Cut off, a value is less than the last decimal above; rounded, at most half of it below.
        near = [
            value
            for value, difference in differences.items()
            if -parts <= 2 * difference < 2 * parts
        ]
        if near:
            nearest = min(near, key=lambda value: abs(differences[value]))
            return Fraction(nearest, parts)
    return written


def _written_as(value: Fraction, written: Fraction, decimals: int) -> bool:
    """Whether a value, cut off or rounded to so many decimals, is what is written."""
    if not decimals:
        return value == written
    last = Fraction(1, 10**decimals)
    return -last / 2 <= value - written < last


class JugglerLine(NamedTuple):
    """The line of one juggler, when it begins [beats], and whether its hands are swapped."""

    line: Line
    start: Fraction = Fraction(0)
    mirrored: bool = False


class ResolvedThrow(NamedTuple):
    """A throw that a juggler makes on a beat, counted from the start of the juggler's own line.

    `value` is what the throw as written stands for, in beats, and `receiver` the juggler who
    catches it.
    """

    juggler: int
    beat: int
    hand: int
    throw: PrechacThrow
    value: Fraction
    receiver: int


class PassingPattern(NamedTuple):
    """A passing pattern with receivers and exact values, until all lines begin together again.

    Attributes:
        parts: one for each juggler.
        throws: of all jugglers, those of a multiplex as written.
        period: beats until then.
        written_beats: beats that the text spells out.
        is_shared_line: whether all jugglers throw one line.
    """

    parts: tuple[JugglerLine, ...]
    throws: tuple[ResolvedThrow, ...]
    period: int
    written_beats: int
    is_shared_line: bool


class CatchSlots:
    """The places where a line catches, each for as many props as it throws there.

    Args:
        line: over and over.
        beats: of the loop, whole rounds of the line; what lands later lands on the same beat of
            another loop.
    """

    def __init__(self, line: Line, beats: int) -> None:
        self.beats = beats
        self.free: Counter[Place] = Counter()
        self.single = {beat for beat, _, slot in line.until(beats) if slot.hand is None}
        for beat, hand, slot in line.until(beats):
            self.free[beat, None if slot.hand is None else hand] += len(slot.thrown)

    def place(self, beat: int, hand: int, throw: PrechacThrow) -> Place | None:
        """Return the hand in which a throw lands on a beat of this line; None if that hand is not
        due.
        """
        at = beat % self.beats
        if at in self.single:
            return None if throw.crossing else (at, None)
        return at, landing_hand(hand, throw)


def landing_hand(hand: int, throw: PrechacThrow) -> int:
    """The hand that a throw goes to where both hands may catch: an odd one crosses, and x turns
    this round.
    """
    return (hand + floor(throw.value) + throw.crossing) % 2
