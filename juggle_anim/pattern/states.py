"""States: when the props that are already in the air will land, and the rows of hands for which one
list says so.

Where a juggler's hands take turns they share a row, since the beat says whose turn it is; else each
hand has its own. All hands of a hand siteswap share one, as only one of them throws on a beat.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from juggle_anim.pattern.pattern import LEFT, RIGHT, Pattern, Throw, Turn, catching_hand

Landings = tuple[tuple[int, ...], ...]
"""Props that land on each coming beat in each hand: shape (beats, 2 × jugglers), the left hand of a
juggler first.
"""


def state_at(pattern: Pattern, beat: int = 0) -> Landings:
    """The state of a pattern just before the throws of a beat, up to the last beat on which a prop
    lands.

    A landing schedule, as in B. Polster, The Mathematics of Juggling (Springer, 2003): since a
    throw is made wherever a prop lands, two patterns that share a state can follow one another.

    Args:
        pattern: a valid pattern.
        beat: any beat, counted from 0.
    """
    found: dict[tuple[int, int], int] = {}
    for throw in pattern.throws:
        ago = (beat - throw.beat - 1) % pattern.period + 1
        for landing in range(throw.value - ago, -1, -pattern.period):
            site = landing, catching_hand(throw)
            found[site] = found.get(site, 0) + 1
    beats = max((landing for landing, _ in found), default=-1) + 1
    hands = range(2 * pattern.jugglers)
    return tuple(tuple(found.get((landing, hand), 0) for hand in hands) for landing in range(beats))


def states_of(pattern: Pattern) -> Iterator[Landings]:
    """The states before the throws of each beat of a loop, as `state_at` gives them."""
    made: list[list[Throw]] = [[] for _ in range(pattern.period)]
    for throw in pattern.throws:
        made[throw.beat].append(throw)
    empty = (0,) * (2 * pattern.jugglers)
    due = [*state_at(pattern)]
    for throws in made:
        while due and due[-1] == empty:
            due.pop()
        yield tuple(due)
        due = [
            *due[1:],
            *[empty] * (max((throw.value for throw in throws), default=0) - len(due) + 1),
        ]
        for throw in throws:
            row = due[throw.value - 1]
            hand = catching_hand(throw)
            due[throw.value - 1] = (*row[:hand], row[hand] + 1, *row[hand + 1 :])


def write_state(pattern: Pattern, beat: int = 0) -> str:
    """The state as jugglers write it: one digit a beat, 1 where a prop lands and 0 where none does.

    A digit above 1 is a multiplex to come. Of a hand siteswap it is the state of the objects. Where
    several hands may throw on one beat each hand has a row of its own, the left hand of the first
    juggler first, as `11,101`; where all throws are pairs, a digit stands for two beats. Where
    jugglers throw between each other's beats, each row counts the beats of its own juggler.
    """
    return _writer(pattern)(state_at(pattern, beat), beat)


def written_states(pattern: Pattern) -> Iterator[str]:
    """The states before each beat of a loop, as `write_state` writes them."""
    write = _writer(pattern)
    return (write(landings, beat) for beat, landings in enumerate(states_of(pattern)))


def _writer(pattern: Pattern) -> Callable[[Landings, int], str]:
    """What writes the states of a pattern, given with their beats."""
    if _in_turn(pattern):
        return lambda landings, _: _row([sum(hands) for hands in landings])
    if pattern.division > 1:
        return lambda landings, beat: ",".join(
            _row(hand[_wait(pattern, number // 2, beat) :: pattern.division])
            for number, hand in enumerate(zip(*landings, strict=True))
        )
    even = all(throw.beat % 2 == throw.value % 2 == 0 for throw in pattern.throws)
    step = 2 if even and pattern.period % 2 == 0 else 1
    return lambda landings, beat: (
        ",".join(_row(hand[beat % step :: step]) for hand in zip(*landings, strict=True)) or "0"
    )


def _in_turn(pattern: Pattern) -> bool:
    """Whether one hand throws on each beat: of one juggler, the hands alternating, or as a hand
    siteswap says.
    """
    return pattern.hand_siteswap is not None or (
        pattern.jugglers == 1
        and len({(throw.beat + throw.hand) % 2 for throw in pattern.throws}) <= 1
    )


def _wait(pattern: Pattern, juggler: int, beat: int) -> int:
    """Parts of a beat from one on until a juggler's next beat."""
    own = next((turn[0] for turn in pattern.turns if turn[1] == juggler), 0)
    return (own - beat) % pattern.division


def _row(counts: list[int] | tuple[int, ...]) -> str:
    digits = [str(count) if count < 10 else f"{{{count}}}" for count in counts]
    while digits and digits[-1] == "0":
        digits.pop()
    return "".join(digits) or "0"


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
        return (
            (self.starts + (beat - self.first) // self.step) % 2 if self.hand is None else self.hand
        )

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
    rows = []
    regular = True
    for juggler in sorted({juggler for juggler, _ in beats}):
        left, right = (beats.get((juggler, hand), set()) for hand in (LEFT, RIGHT))
        first, step = _interval(left | right, pattern.period)
        starts = RIGHT if first in right else LEFT
        shared = Row(juggler, None, first, step, starts)
        taken = all(
            shared.hand_on(beat) == hand
            for hand, own in ((LEFT, left), (RIGHT, right))
            for beat in own
        )
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
    """The throws of hands that throws of rows are; where all hands take turns, a right hand
    begins.
    """
    swap = _swap(rows)
    throws = []
    for beat, each in enumerate(beats):
        for row, value, to_row, bounces, style, held in each:
            one = rows[row]
            other = rows[to_row]
            hand = one.hand_on(beat) ^ swap
            to_hand = other.hand_on(beat + value) ^ swap
            throws.append(
                Throw(beat, one.juggler, hand, value, other.juggler, to_hand, bounces, style, held)
            )
    return tuple(sorted(throws, key=lambda throw: throw[:3]))


def turns_of(rows: Sequence[Row], loop: int) -> tuple[Turn, ...]:
    """The turns of all hands in some beats, numbered as in `throws_of`."""
    swap = _swap(rows)
    turns = (
        (beat, row.juggler, row.hand_on(beat) ^ swap)
        for row in rows
        for beat in range(row.first, loop, row.step)
    )
    return tuple(sorted(turns))


def _swap(rows: Sequence[Row]) -> int:
    first = min(rows, key=lambda row: row.first, default=None)
    return int(
        first is not None
        and all(row.hand is None for row in rows)
        and first.hand_on(first.first) == LEFT
    )


def _interval(beats: set[int], period: int) -> tuple[int, int]:
    """The first of some beats, and the greatest interval that leads from each to the next."""
    first = min(beats)
    step = math.gcd(period, *(beat - first for beat in beats))
    return first % step, step
