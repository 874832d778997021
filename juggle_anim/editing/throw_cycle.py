"""Throw cycles: the throws of a pattern until they repeat, perhaps with hands exchanged, for
operations on them.

An operation on a throw of a cycle is one on all its repeats. Throws go from row to row of the state
graph, so where hands take turns, the beat says which hand throws and nothing has to be said when
beats come or go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from juggle_anim.errors import EditError, JuggleError
from juggle_anim.language import _
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.notation.prechac.read import read_prechac
from juggle_anim.notation.prechac.write import write_prechac
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.write import write_siteswap, write_throws
from juggle_anim.pattern import RIGHT, Pattern, Throw
from juggle_anim.pattern.states import Row, hands_of, rows_of

Slot = tuple[int, int]
"""A beat and a row: where something can be thrown and caught."""


class RepeatError(EditError):
    """A throw meets its own repeat, so that a longer cycle has to be changed."""


class CycleThrow(NamedTuple):
    """A throw from row to row; the rest is as in `Throw`."""

    beat: int
    row: int
    value: int
    to_row: int
    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None

    @property
    def slot(self) -> Slot:
        """Where it is thrown."""
        return self.beat, self.row

    @property
    def lands(self) -> Slot:
        """Where it is caught."""
        return self.beat + self.value, self.to_row


@dataclass(frozen=True)
class ThrowCycle:
    """The throws of one round of beats, which repeats for ever.

    Args:
        rows: of hands.
        beats: of a round, or parts of beats as in `Pattern`.
        throws: in the order of their slots; those of a slot as they are written.
        turns: the slots of a round, also those that throw nothing.
        exchanged: for each row, that which does the same in the next round.
        source: the pattern that it came from.
    """

    rows: tuple[Row, ...]
    beats: int
    throws: tuple[CycleThrow, ...]
    turns: frozenset[Slot]
    exchanged: tuple[int, ...]
    source: Pattern

    def __post_init__(self) -> None:
        object.__setattr__(self, "throws", tuple(sorted(self.throws, key=lambda throw: throw.slot)))

    def times(self, rounds: int) -> ThrowCycle:
        """The cycle with several rounds as one."""
        shifts = [(number, number * self.beats) for number in range(rounds)]
        throws = (self._image(throw, number) for number, _ in shifts for throw in self.throws)
        turns = frozenset(
            (beat + shift, self.row_after(row, number))
            for number, shift in shifts
            for beat, row in self.turns
        )
        exchanged = tuple(self.row_after(row, rounds) for row in range(len(self.rows)))
        return replace(
            self, beats=rounds * self.beats, throws=tuple(throws), turns=turns, exchanged=exchanged
        )

    def row_after(self, row: int, rounds: int) -> int:
        """The row that does some rounds later, or earlier, what a row does; exchanging twice
        changes nothing.
        """
        return self.exchanged[row] if rounds % 2 else row

    def home(self, slot: Slot) -> tuple[Slot, int]:
        """The slot of the first round that is the same, and how many rounds later the given one
        is.
        """
        rounds, beat = divmod(slot[0], self.beats)
        return (beat, self.row_after(slot[1], rounds)), rounds

    def later(self, slot: Slot, rounds: int) -> Slot:
        """The same slot some rounds later."""
        return slot[0] + rounds * self.beats, self.row_after(slot[1], rounds)

    def made_in(self, slot: Slot) -> list[int]:
        """The numbers of the throws that are made in a slot of the first round."""
        return [index for index, throw in enumerate(self.throws) if throw.slot == slot]

    def landing_in(self, slot: Slot) -> Iterator[tuple[int, int]]:
        """The throws that land in any slot, each with the round in which it is made."""
        for index, throw in enumerate(self.throws):
            rounds, rest = divmod(slot[0] - throw.lands[0], self.beats)
            if not rest and self.row_after(throw.to_row, rounds) == slot[1]:
                yield index, rounds

    def with_landings(self, landings: dict[int, Slot]) -> ThrowCycle:
        """The cycle in which some throws of the first round land elsewhere; those that land where
        they are made vanish.

        Raises:
            EditError: a prop would land before its throw.
        """
        throws = list(self.throws)
        for index, (beat, row) in landings.items():
            throw = throws[index]
            value = beat - throw.beat
            if value < 0 or (value == 0 and row != throw.row):
                raise EditError(
                    _(
                        "a prop would land before it is thrown; a throw can land on any later "
                        "beat, or where "
                        "it is made, which leaves the hand empty"
                    )
                )
            throws[index] = throw._replace(value=value, to_row=row, held=None)
        return self.with_throws(throws)

    def with_throws(self, throws: Iterable[CycleThrow]) -> ThrowCycle:
        """The cycle with other throws; those of no beats are left out."""
        return replace(self, throws=tuple(throw for throw in throws if throw.value > 0))

    def rotated(self, beats: int) -> ThrowCycle:
        """The cycle from some beats later on."""

        def moved(slot: Slot) -> tuple[Slot, int]:
            (beat, row), rounds = self.home((slot[0] - beats, slot[1]))
            return (beat, row), rounds

        throws = []
        for throw in self.throws:
            (beat, row), rounds = moved(throw.slot)
            throws.append(
                throw._replace(beat=beat, row=row, to_row=self.row_after(throw.to_row, rounds))
            )
        rows = tuple(row.moved(beats) for row in self.rows)
        turns = frozenset(moved(slot)[0] for slot in self.turns)
        return replace(self, rows=rows, throws=tuple(throws), turns=turns)

    @property
    def is_regular(self) -> bool:
        """Whether each row throws at even intervals."""
        rows = enumerate(self.rows)
        return self.turns == {
            (beat, number)
            for number, row in rows
            for beat in range(row.first, self.beats, row.step)
        }

    def hand_at(self, slot: Slot) -> tuple[int, int]:
        """The juggler and the hand whose slot it is."""
        row = self.rows[slot[1]]
        if self.source.hand_siteswap:
            beat = slot[0] % self.source.period
            return next(
                ((juggler, hand) for when, juggler, hand in self.source.turns if when == beat),
                (0, RIGHT),
            )
        return row.juggler, row.hand_on(slot[0])

    def row_of(self, juggler: int, hand: int) -> int:
        """The row of a hand."""
        if self.source.hand_siteswap:
            return 0
        return next(
            index
            for index, row in enumerate(self.rows)
            if row.juggler == juggler and row.hand in (None, hand)
        )

    def find_row(self, beat: int, juggler: int, hand: int) -> int | None:
        """The row in which a hand has a turn on a beat; None where it has none."""
        for row in range(len(self.rows)):
            if self.home((beat, row))[0] in self.turns and self.hand_at((beat, row)) == (
                juggler,
                hand,
            ):
                return row
        return None

    def pattern(self, *, starred: bool = True) -> Pattern:
        """The pattern of it, with the shortest text.

        Args:
            starred: whether a `*` may stand for the mirror image of the throws before it.

        Raises:
            EditError: no text says it, or the throws do not land where throws are made.
        """
        shortest = self.shortest()
        try:
            if self.source.hand_siteswap:
                return shortest._shared()
            plain = shortest.unwritten()
            if plain.division > 1:
                return read_prechac(write_prechac(plain))
            return read_siteswap(write_siteswap(plain, starred=starred))
        except JuggleError as error:
            raise EditError(str(error)) from error

    def shortest(self) -> ThrowCycle:
        """The same with the shortest round."""
        for beats in range(1, self.beats):
            if found := self.first_round(beats):
                return found
        return self

    def first_round(self, beats: int) -> ThrowCycle | None:
        """The first beats of the cycle, if it is made of rounds of them, perhaps with hands
        exchanged.
        """
        if (
            not 0 < beats < self.beats
            or self.beats % beats
            or any(beats % row.step for row in self.rows)
        ):
            return None
        throws = tuple(throw for throw in self.throws if throw.beat < beats)
        turns = frozenset(slot for slot in self.turns if slot[0] < beats)
        for exchanged in (tuple(range(len(self.rows))), _exchange(self.rows)):
            first = replace(self, beats=beats, throws=throws, turns=turns, exchanged=exchanged)
            again = first.times(self.beats // beats)
            if (again.throws, again.turns, again.exchanged) == (
                self.throws,
                self.turns,
                self.exchanged,
            ):
                return first
        return None

    def unwritten(self) -> Pattern:
        """The pattern of it without a text, with a loop that is as short as hands repeat.

        Raises:
            PatternError: the throws do not land where throws are made.
        """
        swaps = any(row.hand is None and self.beats // row.step % 2 for row in self.rows)
        rounds = 2 if swaps or self.exchanged != tuple(range(len(self.rows))) else 1
        whole = self.times(rounds)
        source = self.source
        throws = []
        for throw in whole.throws:
            (juggler, hand), (catcher, catching) = (
                self.hand_at(throw.slot),
                self.hand_at(throw.lands),
            )
            throws.append(
                Throw(throw.beat, juggler, hand, throw.value, catcher, catching, *throw[4:])
            )
        turns = tuple(sorted((slot[0], *self.hand_at(slot)) for slot in whole.turns))
        ordered = tuple(sorted(throws, key=lambda throw: throw[:3]))
        return Pattern(
            "", ordered, whole.beats, self.beats, source.jugglers, source.division, turns
        )

    def _shared(self) -> Pattern:
        """The pattern of objects that hands with a siteswap of their own throw."""
        hands = self.source.hand_siteswap
        assert hands is not None, "only what follows a siteswap of the hands is shared"
        throws = []
        for throw in self.throws:
            hand = (RIGHT + throw.beat) % 2
            # A hand that holds what is as long as its own throw does so by a rule, which is not
            # written.
            held = None if hands.hold else throw.held
            to_hand = (hand + throw.value) % 2
            throws.append(
                Throw(
                    throw.beat,
                    0,
                    hand,
                    throw.value,
                    0,
                    to_hand,
                    throw.bounces,
                    throw.bounce_style,
                    held,
                )
            )
        turns = [(beat, 0, (RIGHT + beat) % 2) for beat in range(self.beats)]
        text = write_throws(throws, turns, self.beats)
        return read_hand_siteswap(text, hands.text, hands.handspec, hands.hold, hands.dwellmax)

    def _image(self, throw: CycleThrow, rounds: int) -> CycleThrow:
        beat, row = self.later(throw.slot, rounds)
        return throw._replace(beat=beat, row=row, to_row=self.row_after(throw.to_row, rounds))


def throw_cycle(pattern: Pattern) -> ThrowCycle:
    """The cycle of a pattern: a round is what its text spells out, if the loop is that once or
    twice, else the loop.
    """
    rows, _unused = rows_of(pattern)
    shared = len(rows) == 1 and pattern.hand_siteswap is not None
    number = {
        (row.juggler, hand): index for index, row in enumerate(rows) for hand in hands_of(row)
    }
    throws = tuple(
        CycleThrow(throw.beat, 0, throw.value, 0, *throw[6:])
        if shared
        else CycleThrow(throw.beat, number[throw[1:3]], throw.value, number[throw[4:6]], *throw[6:])
        for throw in pattern.throws
    )
    turns = {
        (beat, 0 if shared else number[juggler, hand]) for beat, juggler, hand in pattern.turns
    }
    for index, row in enumerate(rows):
        if row.hand is None:
            turns |= {(beat, index) for beat in range(row.first, pattern.period, row.step)}
    whole = ThrowCycle(
        rows, pattern.period, throws, frozenset(turns), tuple(range(len(rows))), pattern
    )
    return whole.first_round(pattern.written_period) or whole


def _exchange(rows: tuple[Row, ...]) -> tuple[int, ...]:
    """For each row that of the other hand; where hands take turns, itself."""
    number = {(row.juggler, row.hand): index for index, row in enumerate(rows)}
    return tuple(
        index if row.hand is None else number.get((row.juggler, 1 - row.hand), index)
        for index, row in enumerate(rows)
    )


class ThrowNumbers(NamedTuple):
    """Tells which throw of a cycle a number of the full loop stands for.

    Attributes:
        cycle: of throws.
        loop: the full loop, whose throws are counted.
    """

    cycle: ThrowCycle
    loop: Pattern

    def of(self, number: int) -> tuple[int, int]:
        """The throw of the first round, and in which round it is made.

        Raises:
            EditError: there is no such throw.
        """
        throws = self.loop.throws
        if not 0 <= number < len(throws):
            raise EditError(
                _(
                    "there is no throw {number}; the loop has {count}, counted from 0",
                    number=number,
                    count=len(throws),
                )
            )
        throw = throws[number]
        slot, rounds = self.cycle.home((throw.beat, self.cycle.row_of(*throw[1:3])))
        place = sum(other[:3] == throw[:3] for other in throws[:number])
        return self.cycle.made_in(slot)[place], rounds

    def slot(self, throw: int, at: int | tuple[int, int, int]) -> Slot:
        """The slot in which a throw is to land, as seen from the first round of the throw."""
        index, rounds = self.of(throw)
        cycle = self.cycle
        if isinstance(at, int):
            other, later = self.of(at)
            lands = cycle.throws[index].lands[0]
            size = self.loop.period
            beat, row = cycle.later(cycle.throws[other].slot, later - rounds)
            # Of the loops in which it is made, the one nearest to where the prop lands now, and
            # after its throw.
            loops = max(round((lands - beat) / size), (cycle.throws[index].beat - beat) // size + 1)
            return beat + loops * size, row
        beat, juggler, hand = at
        found = cycle.find_row(beat, juggler, hand)
        if found is None:
            raise EditError(
                _(
                    "nothing can be caught at {at}; choose one of the places that landings_of "
                    "gives",
                    at=at,
                )
            )
        return cycle.later((beat, found), -rounds)
