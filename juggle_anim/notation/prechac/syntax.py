"""What is written in prechac notation, before it is known who throws when and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from juggle_anim.notation.modifier import PLAIN, Modifier
from juggle_anim.pattern import LEFT, RIGHT


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
    """What one hand throws at once on a beat of its line; `hand` is None where hands take turns."""

    beat: int
    hand: int | None
    throws: tuple[PrechacThrow, ...]

    @property
    def thrown(self) -> list[PrechacThrow]:
        """Its throws without the zeros."""
        return [throw for throw in self.throws if throw.value]


class Line(NamedTuple):
    """What one juggler throws, over and over.

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
        """Whether hands take turns throughout, so that a line of odd length swaps hands each time."""
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
                    yield beat, self.first_hand if turn % 2 == 0 else LEFT + RIGHT - self.first_hand, slot


class PrechacText(NamedTuple):
    """All that is written.

    Attributes:
        lines: one that all throw, the feedees' and the feeder's, or one for each juggler.
        sides: whether each juggler has a line.
        jugglers: how many there are, where the text says so.
        number_start: the index where it says so.
    """

    lines: tuple[Line, ...]
    sides: bool
    jugglers: int | None
    number_start: int

    @property
    def feeds(self) -> bool:
        """Whether the second line feeds those who throw the first."""
        return len(self.lines) == 2 and not self.sides
