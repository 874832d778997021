"""Rows of states: the hands for which one list says when props are due.

Where a juggler's hands take turns they share a row, since the beat says whose turn it is; else each hand has its own.
All hands of a hand siteswap share one, as only one of them throws on a beat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from juggle_anim.pattern.pattern import LEFT, RIGHT, Pattern, Throw, Turn


class Row(NamedTuple):
    """A row of a state.

    Attributes:
        juggler: whose hands throw in it.
        hand: the hand that does; None where the juggler's hands take turns.
        first: the beat of its first throw.
        step: beats, or parts of beats, from one throw to the next.
        starts: the hand that throws on the first.
    """

    juggler: int
    hand: int | None
    first: int
    step: int
    starts: int

    def throws_on(self, beat: int) -> bool:
        """Whether it is its turn on a beat."""
        return (beat - self.first) % self.step == 0

    def hand_on(self, beat: int) -> int:
        """The hand whose turn it is on a beat of its own."""
        return (self.starts + (beat - self.first) // self.step) % 2 if self.hand is None else self.hand

    def moved(self, beat: int) -> Row:
        """The row with its beats counted from another one on."""
        first = (self.first - beat) % self.step
        return self._replace(first=first, starts=self.hand_on(beat + first))

    def reversed(self) -> Row:
        """The row in reversed time."""
        first = -self.first % self.step
        return self._replace(first=first, starts=self.hand_on(-first))


class RowThrow(NamedTuple):
    """A throw from row to row; the rest is as in `Throw`."""

    row: int
    value: int
    to_row: int
    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None


def rows_of(pattern: Pattern) -> tuple[tuple[Row, ...], bool]:
    """The rows of a pattern, and whether all throw at even intervals."""
    beats: dict[tuple[int, int], set[int]] = {}
    for beat, juggler, hand in (*pattern.turns, *(throw[:3] for throw in pattern.throws)):
        beats.setdefault((juggler, hand), set()).add(beat)
    if pattern.hand_siteswap and sum(map(len, beats.values())) == len(set().union(*beats.values())):
        return (Row(0, None, 0, 1, RIGHT),), True
    rows, regular = [], True
    for juggler in sorted({juggler for juggler, _ in beats}):
        left, right = (beats.get((juggler, hand), set()) for hand in (LEFT, RIGHT))
        first, step = _interval(left | right, pattern.period)
        starts = RIGHT if first in right else LEFT
        shared = Row(juggler, None, first, step, starts)
        taken = all(shared.hand_on(beat) == hand for hand, own in ((LEFT, left), (RIGHT, right)) for beat in own)
        if taken and not left & right and pattern.period // step % 2 == 0:
            rows.append(shared)
            continue
        for hand, own in ((LEFT, left), (RIGHT, right)):
            if own:
                first, step = _interval(own, pattern.period)
                rows.append(Row(juggler, hand, first, step, hand))
                regular &= len(own) == pattern.period // step
    return tuple(rows), regular


def hands_of(row: Row) -> tuple[int, ...]:
    """The hands that throw in a row."""
    return (LEFT, RIGHT) if row.hand is None else (row.hand,)


def throws_of(rows: Sequence[Row], beats: Sequence[Sequence[RowThrow]]) -> tuple[Throw, ...]:
    """The throws of hands that throws of rows are; where all hands take turns, a right hand begins."""
    swap = _swap(rows)
    throws = []
    for beat, each in enumerate(beats):
        for row, value, to_row, bounces, style, held in each:
            one, other = rows[row], rows[to_row]
            hand, to_hand = one.hand_on(beat) ^ swap, other.hand_on(beat + value) ^ swap
            throws.append(Throw(beat, one.juggler, hand, value, other.juggler, to_hand, bounces, style, held))
    return tuple(sorted(throws, key=lambda throw: throw[:3]))


def turns_of(rows: Sequence[Row], loop: int) -> tuple[Turn, ...]:
    """The turns of all hands in some beats, numbered as in `throws_of`."""
    swap = _swap(rows)
    turns = ((beat, row.juggler, row.hand_on(beat) ^ swap) for row in rows for beat in range(row.first, loop, row.step))
    return tuple(sorted(turns))


def _swap(rows: Sequence[Row]) -> int:
    first = min(rows, key=lambda row: row.first, default=None)
    return int(first is not None and all(row.hand is None for row in rows) and first.hand_on(first.first) == LEFT)


def _interval(beats: set[int], period: int) -> tuple[int, int]:
    """The first of some beats, and the greatest interval that leads from each to the next."""
    first = min(beats)
    step = math.gcd(period, *(beat - first for beat in beats))
    return first % step, step
