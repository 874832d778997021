"""Cycles of throws: what a pattern throws until it repeats, on rows of hands.

A row stands for one hand, or for the two hands of a juggler who throw in turn; then the beat says
which hand throws, and nothing has to be said when beats come or go. Operations on patterns
(inverse, dual, prime parts, edits of throws) are operations on cycles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from juggle_anim.errors import EditError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.pattern import LEFT, RIGHT, Pattern, Throw, Turn, repeat_length
from juggle_anim.pattern.states import Landings

MAX_STATES_SIZE = 6_000_000
"""Numbers in all states of a pattern, beyond which they are not worked out."""

Slot = tuple[int, int]
"""A beat and a row: where something can be thrown and caught."""

_REVERSED_BOUNCES = {"lift": "force", "force": "lift"}  # the hyper ones are their own reversals


class Row(NamedTuple):
    """A row of a state: a hand, or the hands of a juggler in turn.

    All hands of a hand siteswap share one row, as only one of them throws on a beat.

    Attributes:
        juggler: index of the juggler whose hands throw in it.
        hand: the hand that does; None where the juggler's hands take turns.
        first_beat: the beat of its first throw.
        step: beats, or parts of beats, from one throw to the next.
        first_hand: the hand that makes the first throw.
    """

    juggler: int
    hand: int | None
    first_beat: int
    step: int
    first_hand: int

    @property
    def hands(self) -> tuple[int, ...]:
        """The hands that throw in the row."""
        return (LEFT, RIGHT) if self.hand is None else (self.hand,)

    def throws_on(self, beat: int) -> bool:
        """Return whether the row has a turn on a beat."""
        return (beat - self.first_beat) % self.step == 0

    def hand_on(self, beat: int) -> int:
        """Return the hand (0 left, 1 right) whose turn it is on a beat on which the row throws."""
        if self.hand is not None:
            return self.hand
        return (self.first_hand + (beat - self.first_beat) // self.step) % 2

    def counted_from(self, beat: int) -> Row:
        """Return the row with its beats counted from a given one, which becomes beat 0."""
        first_beat = (self.first_beat - beat) % self.step
        return self._replace(first_beat=first_beat, first_hand=self.hand_on(beat + first_beat))

    def reversed(self) -> Row:
        """Return the row in reversed time: throws on beat b move to beat −b."""
        first_beat = -self.first_beat % self.step
        return self._replace(first_beat=first_beat, first_hand=self.hand_on(-first_beat))

    def mirrored(self) -> Row:
        """Return the row with left and right hands swapped."""
        hand = None if self.hand is None else 1 - self.hand
        return self._replace(hand=hand, first_hand=1 - self.first_hand)


class CycleThrow(NamedTuple):
    """A throw from row to row.

    Attributes:
        beat: the beat on which it is made.
        row: index of the row that throws.
        value: value of the throw, [beats], or parts of beats as in `Pattern`; 0 for no throw.
        to_row: index of the row that catches.
        bounces, bounce_style, held: as in `Throw`.
    """

    beat: int
    row: int
    value: int
    to_row: int
    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None

    @property
    def slot(self) -> Slot:
        """The beat and row in which the prop is thrown."""
        return self.beat, self.row

    @property
    def lands(self) -> Slot:
        """The beat and row in which the prop is caught."""
        return self.beat + self.value, self.to_row


@dataclass(frozen=True)
class Cycle:
    """The throws of one round of beats, which repeats for ever: a closed walk of states.

    Args:
        rows: rows of hands.
        period: beats of a round, or parts of beats as in `Pattern`.
        throws: the throws of a round; sorted by their slots, those of one slot as given.
        slots: the slots of a round, also those in which nothing is thrown.
        exchanged: for each row, the index of the row that does the same in the next round: itself,
            or the row of the juggler's other hand. Exchanging twice changes nothing.
        source: the pattern from which the cycle was made.
    """

    rows: tuple[Row, ...]
    period: int
    throws: tuple[CycleThrow, ...]
    slots: frozenset[Slot] = field(compare=False)
    exchanged: tuple[int, ...]
    source: Pattern = field(compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "throws", tuple(sorted(self.throws, key=lambda throw: throw.slot)))

    # What is thrown when.

    @property
    def division(self) -> int:
        """Parts of a beat, as in `Pattern`."""
        return self.source.division

    @cached_property
    def beats(self) -> tuple[tuple[CycleThrow, ...], ...]:
        """The throws of each beat of a round."""
        beats: list[list[CycleThrow]] = [[] for _beat in range(self.period)]
        for throw in self.throws:
            beats[throw.beat].append(throw)
        return tuple(map(tuple, beats))

    @cached_property
    def props(self) -> int:
        """Number of props."""
        return sum(throw.value for throw in self.throws) // self.period

    @cached_property
    def highest(self) -> int:
        """The greatest value of a throw."""
        return max((throw.value for throw in self.throws), default=0)

    @cached_property
    def phase(self) -> int:
        """Beats after which the same rows throw together again."""
        return math.lcm(*(row.step for row in self.rows))

    @cached_property
    def turn_beats(self) -> tuple[int, ...]:
        """The beats of a round on which a row has a turn."""
        return tuple(sorted({beat for beat, _row in self.row_slots}))

    @property
    def row_slots(self) -> frozenset[Slot]:
        """The slots of a round if each row throws at even intervals."""
        return frozenset(
            (beat, row_index)
            for row_index, row in enumerate(self.rows)
            for beat in range(row.first_beat, self.period, row.step)
        )

    @property
    def is_regular(self) -> bool:
        """Whether each row throws at even intervals, so that there is a ground state."""
        return self.slots == self.row_slots

    # Rounds and slots.

    def row_after(self, row: int, rounds: int) -> int:
        """Return the index of the row that takes the place of a row some rounds later or earlier.

        Exchanging twice changes nothing, so it is another one after an odd number of rounds only.
        """
        return self.exchanged[row] if rounds % 2 else row

    def home(self, slot: Slot) -> tuple[Slot, int]:
        """Map a slot of any round to that of the first round; return also the given one's round."""
        beat, row = slot
        rounds, home_beat = divmod(beat, self.period)
        return (home_beat, self.row_after(row, rounds)), rounds

    def later(self, slot: Slot, rounds: int) -> Slot:
        """Return the same slot some rounds later."""
        beat, row = slot
        return beat + rounds * self.period, self.row_after(row, rounds)

    def made_in(self, slot: Slot) -> list[int]:
        """Return the indices of the throws that are made in a slot of the first round."""
        return [throw_index for throw_index, throw in enumerate(self.throws) if throw.slot == slot]

    def landing_in(self, slot: Slot) -> Iterator[tuple[int, int]]:
        """Yield the index of each throw that lands in a slot, and the round in which it is made.

        A round is one period of a cycle, after which its throws repeat. A slot is a beat and a row:
        a hand, or the two hands of a juggler that take turns. Rounds count from 0, the first round;
        they are below 0 for throws made before it. In every second round a cycle may have the rows
        of left and right hands exchanged, and then a throw lands in the exchanged row.

        Args:
            slot: a beat of any round, and the index of the row that catches.
        """
        slot_beat, slot_row = slot
        for throw_index, throw in enumerate(self.throws):
            landing_beat, to_row = throw.lands
            # The throw is made once a round. It lands on the beat of the slot if that is whole
            # rounds from where the throw of the first round lands.
            rounds, remainder = divmod(slot_beat - landing_beat, self.period)
            if remainder == 0 and self.row_after(to_row, rounds) == slot_row:
                yield throw_index, rounds

    def hand_at(self, slot: Slot) -> tuple[int, int]:
        """Return the juggler and the hand (0 left, 1 right) to whom a slot belongs.

        A slot is a beat and the index of a row, which is a hand, or the hands of a juggler who
        throw in turn. Where a hand siteswap gives the order of all hands, a beat may be no hand's
        turn; then it is the right hand of juggler 0.
        """
        beat, row_index = slot
        if self.source.hand_siteswap:
            # All hands share one row, so only the turns of the pattern say which of them throws.
            loop_beat = beat % self.source.period
            for turn_beat, juggler, hand in self.source.turns:
                if turn_beat == loop_beat:
                    return juggler, hand
            return 0, RIGHT
        row = self.rows[row_index]
        return row.juggler, row.hand_on(beat)

    def row_of(self, juggler: int, hand: int) -> int:
        """Return the index of the row in which a hand throws; it must have one.

        A row is a hand, or the hands of a juggler who throw in turn. All hands of a hand siteswap
        share row 0.

        Args:
            juggler: the juggler, from 0.
            hand: the hand of the juggler, 0 left and 1 right.
        """
        if self.source.hand_siteswap:
            return 0
        return next(
            row_index
            for row_index, row in enumerate(self.rows)
            if row.juggler == juggler and hand in row.hands
        )

    def find_row(self, beat: int, juggler: int, hand: int) -> int | None:
        """Return the index of the row in which a hand may throw on a beat, or None.

        A round is one period of a cycle, after which its throws repeat. A row is a hand, or a pair
        of hands that take turns; a slot is a beat and a row.

        Args:
            beat: a beat of any round, counted from the start of the first.
            juggler: index of the juggler.
            hand: 0 left, 1 right.
        """
        for row_index in range(len(self.rows)):
            slot = beat, row_index
            # `slots` has only the slots of the first round on which a hand may throw.
            first_round_slot, _rounds = self.home(slot)
            if first_round_slot in self.slots and self.hand_at(slot) == (juggler, hand):
                return row_index
        return None

    # Other cycles.

    def with_throws(self, throws: Iterable[CycleThrow]) -> Cycle:
        """Return the cycle with other throws; those with a value of 0 are left out."""
        return replace(self, throws=tuple(throw for throw in throws if throw.value > 0))

    def with_landings(self, landings: dict[int, Slot]) -> Cycle:
        """Return the cycle in which some throws of the first round land in other slots.

        A round is one period of a cycle, after which its throws repeat. A slot is a beat and a row
        of hands on which a prop can be thrown or caught. Throws that then land where they are made,
        after 0 beats, are left out.

        Args:
            landings: for the index of a throw its new slot: a beat of the first round or a later
                one, and the index of the row that catches then. A row is a hand, or the two hands
                of a juggler that take turns.

        Raises:
            EditError: a prop would land before its throw, or in another hand as it is thrown.
        """
        throws = list(self.throws)
        for throw_index, (beat, row) in landings.items():
            throw = throws[throw_index]
            value = beat - throw.beat
            if value < 0 or (value == 0 and row != throw.row):
                raise EditError(
                    _(
                        "the prop would land before it is thrown; choose any later beat, or "
                        "the same beat to leave the hand empty"
                    )
                )
            # `held` was said of the throw with its old value, so it no longer holds.
            throws[throw_index] = throw._replace(value=value, to_row=row, held=None)
        return self.with_throws(throws)

    def with_regular_slots(self) -> Cycle:
        """Return the cycle with a slot wherever a row throws at even intervals."""
        return replace(self, slots=self.row_slots)

    def canonical(self) -> Cycle:
        """Return the cycle with regular slots, and its throws sorted by all their fields.

        So two texts that write the throws of a multiplex in different orders give equal cycles.
        """
        return replace(self, throws=_sorted(self.throws), slots=self.row_slots)

    def times(self, rounds: int) -> Cycle:
        """Return the same cycle with several rounds written out as one.

        A round is one period of a cycle, after which its throws repeat. A row is a hand, or the
        hands of a juggler who throw in turn; a slot is a beat and a row. Where rows are exchanged
        from round to round, throws and slots of every second round are written with the other rows.
        After an even number of rounds no rows are exchanged any more.

        Args:
            rounds: number of rounds, 1 or more.
        """
        # The same throws and slots in each of the rounds, in the rows that take their places there.
        throws = (
            self._throw_after(throw, round_number)
            for round_number in range(rounds)
            for throw in self.throws
        )
        slots = (
            self.later(slot, round_number) for round_number in range(rounds) for slot in self.slots
        )
        exchanged = (self.row_after(row, rounds) for row in range(len(self.rows)))
        return replace(
            self,
            period=rounds * self.period,
            throws=tuple(throws),
            slots=frozenset(slots),
            exchanged=tuple(exchanged),
        )

    def shortest(self) -> Cycle:
        """Return the same cycle with the shortest round; the next round may exchange hands."""
        for period in range(1, self.period):
            if first := self.first_round(period):
                return first
        return self

    def first_round(self, period: int) -> Cycle | None:
        """Return the cycle with a shorter period if it repeats after that, else None.

        A row is a hand, or the hands of a juggler who throw in turn; a slot is a beat and a row.
        Every second repeat may have left and right hands exchanged; then `exchanged` of the result
        gives the row of the other hand for each row.

        Args:
            period: beats of the shorter round; None is returned if it does not divide this one.
        """
        if not self._may_repeat_after(period):
            return None
        same_hands = tuple(range(len(self.rows)))
        throws = tuple(throw for throw in self.throws if throw.beat < period)
        slots = frozenset(slot for slot in self.slots if slot[0] < period)
        # First with the same hands, then with exchanged ones: the shorter round, written out as
        # long as this one, has to be equal to this one.
        for exchanged in (same_hands, _other_hands(self.rows)):
            shorter_round = replace(
                self, period=period, throws=throws, slots=slots, exchanged=exchanged
            )
            written_out = shorter_round.times(self.period // period)
            # The equality of cycles leaves out their slots, so these are compared as well.
            if written_out == self and written_out.slots == self.slots:
                return shorter_round
        return None

    def _may_repeat_after(self, period: int) -> bool:
        """Whether a shorter period divides this one and keeps the turns of all rows."""
        return (
            0 < period < self.period
            and self.period % period == 0
            and all(period % row.step == 0 for row in self.rows)
        )

    def rotated(self, beats: int) -> Cycle:
        """Return the cycle with another first beat: beat number `beats` becomes beat 0.

        Throws on earlier beats come at the end of the round, as those of the next round. A row is a
        hand, or the hands of a juggler who throw in turn; a slot is a beat and a row. In every
        second round the rows of left and right hands may be exchanged.

        Args:
            beats: the beat that becomes beat 0; below 0 for a beat of an earlier round.
        """

        def rotated_slot(slot: Slot) -> tuple[Slot, int]:
            """The same slot in the new first round, and its round, counted anew from 0."""
            beat, row = slot
            return self.home((beat - beats, row))

        throws = []
        for throw in self.throws:
            # A throw outside the new first round moves into it by whole rounds. After an odd number
            # of rounds both its rows are exchanged, whichever way it moves: `home` has done so with
            # the row that throws, and `row_after` does it with the row that catches.
            (beat, row), old_round = rotated_slot(throw.slot)
            to_row = self.row_after(throw.to_row, old_round)
            throws.append(throw._replace(beat=beat, row=row, to_row=to_row))
        rows = tuple(row.counted_from(beats) for row in self.rows)
        slots = frozenset(rotated_slot(slot)[0] for slot in self.slots)
        return replace(self, rows=rows, throws=tuple(throws), slots=slots)

    def mirrored(self) -> Cycle:
        """Return the cycle with left and right hands swapped."""
        return replace(self, rows=tuple(row.mirrored() for row in self.rows))

    def right_first(self) -> Cycle:
        """Return the cycle begun by a right hand; as it is, unless the hands of all take turns."""
        return replace(self, rows=right_first(self.rows))

    def pattern(self) -> Pattern:
        """Return the pattern of the cycle, with throws from hand to hand in place of row to row.

        A row is a hand, or the two hands of a juggler who throw in turn. A round is what the cycle
        writes out. The loop of the pattern is one round, or two if every second round is made with
        the other hands; swapping hands twice changes nothing, so two are enough.

        Raises:
            PatternError: the throws do not land where throws are made, as `Pattern` finds.
        """
        # Every second round has the other hands if the rows of left and right hands are exchanged
        # after each, or if hands that throw in turn (`hand` is None) have an odd number of turns.
        exchanges_rows = self.exchanged != tuple(range(len(self.rows)))
        swaps_turns = any(
            row.hand is None and (self.period // row.step) % 2 == 1 for row in self.rows
        )
        loop = self.times(2 if exchanges_rows or swaps_turns else 1)
        return Pattern(
            text="",
            throws=hand_throws(loop.rows, loop.throws),
            period=loop.period,
            written_period=self.period,
            jugglers=1 + max((row.juggler for row in self.rows), default=0),
            division=self.division,
            turns=hand_turns(loop.rows, loop.slots),
        )

    def _throw_after(self, throw: CycleThrow, rounds: int) -> CycleThrow:
        """The same throw some rounds later."""
        beat, row = self.later(throw.slot, rounds)
        return throw._replace(beat=beat, row=row, to_row=self.row_after(throw.to_row, rounds))

    # States. All from here on needs a cycle whose rows are not exchanged.

    @property
    def states_size(self) -> int:
        """About how many numbers all states hold."""
        return self.period * self.highest * len(self.rows)

    @cached_property
    def states(self) -> tuple[Landings, ...]:
        """The state before the throws of each beat: props due on each coming beat in each row.

        A state says of the props that are in the air when and where they will land. The shape of
        each is (beats, rows), up to the last beat on which a prop is due. A row is a hand, or the
        two hands of a juggler that take turns.
        """
        nothing_due = (0,) * len(self.rows)
        # The props in the air when the first round begins. Each throw was made in every round
        # before; those that are long enough land, one or more periods earlier than the throw of the
        # first round does, on beat 0 or later.
        due_by_beat = [nothing_due] * self.highest
        for throw in self.throws:
            beat, row = throw.lands
            for landing in range(beat - self.period, -1, -self.period):
                due_by_beat[landing] = _with_one_more(due_by_beat[landing], row)

        states = []
        for throws in self.beats:
            state_length = len(due_by_beat)
            while state_length and due_by_beat[state_length - 1] == nothing_due:
                state_length -= 1
            states.append(tuple(due_by_beat[:state_length]))
            # One beat later: the first beat is over, and the throws of this beat are in the air.
            due_by_beat = [*due_by_beat[1:], nothing_due]
            for throw in throws:
                due_by_beat[throw.value - 1] = _with_one_more(
                    due_by_beat[throw.value - 1], throw.to_row
                )
        return tuple(states)

    @cached_property
    def lowest_state_beat(self) -> int:
        """The beat of the lowest state, with which jugglers begin to write a pattern.

        A state is the number of props that are due on each coming beat in each row; a row is a
        hand, or the two hands of a juggler that throw in turn. The ground state is the lowest of
        all.

        - Only beats on which the first row throws are compared; 0 if there are none.
        - The state is lower that has fewer props due on the farthest beat on which the numbers of
          props differ.
        - Of equally low states, the one is taken from which higher throws come first.
        """
        compared_beats = [
            turn_beat for turn_beat in self.turn_beats if self.rows[0].throws_on(turn_beat)
        ]
        # Of the states before these beats, those that end soonest. Of these, those with the fewest
        # props on the farthest beat, then on the beat before that, and so on.
        least_length = min((len(self.states[turn_beat]) for turn_beat in compared_beats), default=0)
        counts_from_farthest = {
            turn_beat: [sum(counts) for counts in reversed(self.states[turn_beat])]
            for turn_beat in compared_beats
            if len(self.states[turn_beat]) == least_length
        }
        least = min(counts_from_farthest.values(), default=[])
        lowest_beats = [
            turn_beat for turn_beat, counts in counts_from_farthest.items() if counts == least
        ]

        # Of these, the one from which higher throws come first. `_highest_first` turns a throw into
        # a sort key that is smaller for higher ones. The keys of all beats are listed twice, so
        # that a whole round follows each beat of the first.
        round_keys = [sorted(map(_highest_first, throws)) for throws in self.beats]
        keys = round_keys * 2
        return min(
            lowest_beats, key=lambda turn_beat: keys[turn_beat : turn_beat + self.period], default=0
        )

    def standard(self) -> Cycle:
        """Return the cycle from its lowest state on."""
        return self.part(self.turn_beats_from(self.lowest_state_beat))

    def turn_beats_from(self, first: int) -> list[int]:
        """Return all turn beats of a round in cyclic order, beginning with one of them."""
        before = [turn_beat for turn_beat in self.turn_beats if turn_beat < first]
        return [turn_beat for turn_beat in self.turn_beats if turn_beat >= first] + before

    @cached_property
    def parts(self) -> tuple[Cycle, ...]:
        """The prime cycles of which this cycle is composed; the cycle itself if it is prime.

        A state says on which coming beats a prop is due in each hand. A cycle is prime if it goes
        through no state twice. The states of this cycle are followed from the lowest on. Whenever a
        state comes again, the path since then is closed: it is taken out as a part, and the walk
        goes on as if it had not been there. The path that is left in the end is the last part. As
        the walk starts at the lowest state, the parts do not depend on where the pattern was begun.
        """
        parts: list[Cycle] = []
        # The path since the last part was taken out: its turn beats, each with the state before it;
        # and for each of these states its index in the path.
        path: list[tuple[int, tuple[int, Landings]]] = []
        index_of_state: dict[tuple[int, Landings], int] = {}
        for turn_beat in self.turn_beats_from(self.lowest_state_beat):
            # The beat modulo the phase tells which rows have turns when.
            state = turn_beat % self.phase, self.states[turn_beat]
            if (first_index := index_of_state.get(state)) is not None:
                parts.append(self.part([beat for beat, _state in path[first_index:]]))
                for _beat, passed_state in path[first_index:]:
                    del index_of_state[passed_state]
                del path[first_index:]
            index_of_state[state] = len(path)
            path.append((turn_beat, state))
        return *parts, self.part([beat for beat, _state in path])

    def part(self, turn_beats: Sequence[int]) -> Cycle:
        """Return the cycle that repeats the throws of some beats of this one, joined without gaps.

        They must fit together, which is not checked: the throws of each beat lead to the state
        before the next one, and those of the last to the state before the first. A state says on
        which coming beats a prop is due in each row: a hand, or the two hands of a juggler that
        take turns.

        Args:
            turn_beats: beats on which some row may throw, in order; none for a cycle without such
                beats, which is returned as it is.
        """
        if not turn_beats:
            return self
        throws: list[CycleThrow] = []
        new_beat = 0
        for turn_beat in turn_beats:
            # Values count from the beat of the throw, so a throw lands as far ahead as before.
            throws += [throw._replace(beat=new_beat) for throw in self.beats[turn_beat]]
            new_beat += self._intervals[turn_beat]  # until the next turn beat in this cycle
        # The first turn beat becomes beat 0, from which rows count. `canonical` then gives each row
        # its regular slots, and sorts the throws.
        rows = tuple(row.counted_from(turn_beats[0]) for row in self.rows)
        return replace(self, rows=rows, period=new_beat, throws=tuple(throws)).canonical()

    @cached_property
    def _intervals(self) -> dict[int, int]:
        """Beats from each turn beat to the next one; from the last, to that of the next round."""
        ends = [*self.turn_beats[1:], self.turn_beats[0] + self.period]
        return {
            turn_beat: end - turn_beat for turn_beat, end in zip(self.turn_beats, ends, strict=True)
        }

    def inverse(self) -> Cycle:
        """Return the cycle in reversed time: each throw goes back, with the same value.

        Where a prop was caught it is thrown, and the other way round; a lift bounce becomes a force
        bounce, and a force bounce a lift. A beat b becomes −b, taken modulo the period. The throws
        of the result are sorted, and each row (a hand, or the hands of a juggler who throw in turn)
        has its turns at even intervals.
        """
        throws = []
        for throw in self.throws:
            # A throw from beat b to beat c becomes one from −c to −b: its value stays c − b.
            landing_beat, landing_row = throw.lands
            style = _REVERSED_BOUNCES.get(throw.bounce_style, throw.bounce_style)
            throws.append(
                throw._replace(
                    beat=-landing_beat % self.period,
                    row=landing_row,
                    to_row=throw.row,
                    bounce_style=style,
                )
            )
        return self._of_reversed_time(throws)

    def dual_height(self) -> int:
        """Return the least height, in beats, that `dual` can be given.

        The dual exchanges props and empty places: a throw of v beats becomes one of height − v, so
        no throw may be higher. The height is a multiple of the phase, the beats after which the
        same hands have their turns again, so that dual throws land on turns; at least one phase.
        """
        # The highest throw, rounded up to a multiple of the phase: ceil(a / b) = −floor(−a / b).
        height = -(-self.highest // self.phase) * self.phase
        # The dual of a throw of the full height takes 0 beats. That is an empty hand if the throw
        # stays in its row (a hand, or the hands of a juggler who throw in turn); to another row it
        # is impossible.
        if any(throw.value == height and throw.row != throw.to_row for throw in self.throws):
            height += self.phase
        return max(height, self.phase)

    def dual(self, height: int) -> Cycle:
        """Return the cycle of the empty places: a throw v becomes height − v, in reversed time.

        A row is a hand, or the hands of a juggler who throw in turn; a slot is a beat and a row.
        Props and empty places change roles, as in B. Polster, The Mathematics of Juggling
        (Springer, 2003). An empty hand, a throw of 0 beats to itself, becomes a throw of the full
        height; a throw of the full height becomes an empty hand. With one row on each beat, n props
        become height − n; with k rows a beat on average they become k · height − n.

        This cycle must have no multiplexes. Its bounces and holds are not taken over.

        Args:
            height: beats, at least `dual_height`, and a multiple of `phase`, the beats after which
                the same rows have their turns again.

        Returns:
            A regular cycle: all rows throw at even intervals.
        """
        throw_in_slot = {throw.slot: throw for throw in self.throws}
        assert len(throw_in_slot) == len(self.throws), "a multiplex has no dual"
        throws = []
        for beat, row in self.row_slots:
            empty_hand = CycleThrow(beat, row, value=0, to_row=row)
            throw = throw_in_slot.get((beat, row), empty_hand)
            # A throw of v beats on beat b becomes one of height − v on beat −b, between the same
            # rows. It lands on −b + height − v = −(b + v) + height. The catching row has a turn on
            # b + v, so in reversed time on −(b + v), and again after the height, whole phases.
            dual_throw = CycleThrow(
                beat=-beat % self.period,
                row=row,
                value=height - throw.value,
                to_row=throw.to_row,
            )
            if dual_throw.value:
                throws.append(dual_throw)
        return self._of_reversed_time(throws)

    def _of_reversed_time(self, throws: Iterable[CycleThrow]) -> Cycle:
        """Return a cycle of given throws, which are on beats −b already, in reversed time.

        Rows keep their indices and their hands, but their turns move from beats b to beats −b. The
        result has slots at even intervals, and its throws are sorted.
        """
        rows = tuple(row.reversed() for row in self.rows)
        return replace(self, rows=rows, throws=tuple(throws)).canonical()

    def is_same(self, cycle: Cycle) -> bool:
        """Return whether another cycle is this one, perhaps begun on another beat."""
        return is_rotation(_tokens(self), _tokens(cycle))


def throw_cycle(pattern: Pattern) -> Cycle:
    """Return the cycle of a pattern whose round is as long as its text, 3 beats for 531.

    The loop then consists of repeats of the round, every second one perhaps with hands swapped.
    Where it does not, the whole loop is one round.
    """
    loop = _loop_cycle(pattern)
    return loop.first_round(pattern.written_period) or loop


def state_cycle(pattern: Pattern) -> Cycle:
    """Return the shortest cycle of a pattern in which each row does the same in every round.

    A cycle is the throws of one round, which repeats. A row is a hand, or the two hands of a
    juggler that take turns. The cycle is the closed walk of the pattern through its state graph,
    where a state says on which coming beats a prop is due in each row. Throws are sorted by all
    their fields, so equal patterns with multiplexes written in other orders give the same walk.
    """
    whole_loop = _loop_cycle(pattern)  # one round is the whole loop of the pattern
    loop = replace(whole_loop, throws=_sorted(whole_loop.throws))
    # Throws are compared without their first field, the beat. (`first_round` would also try
    # exchanged rows, and is slower.)
    throws_by_beat = [tuple(throw[1:] for throw in throws) for throws in loop.beats]
    # The same rows have their turns again after multiples of the phase only.
    period = repeat_length(throws_by_beat, loop.phase)
    throws = tuple(throw for throw in loop.throws if throw.beat < period)
    slots = frozenset(slot for slot in loop.slots if slot[0] < period)
    return replace(loop, period=period, throws=throws, slots=slots)


def _loop_cycle(pattern: Pattern) -> Cycle:
    """Return the whole loop of a pattern as a cycle, which need not be the shortest one.

    A row stands for a hand, or for the two hands of a juggler who throw in turn (`row.hand` is then
    None). A turn is a beat, juggler and hand for which the text of the pattern writes something. A
    slot is a beat and row on which a prop may be thrown: the slots are those of all turns, and, for
    a row of two hands, every `row.step`-th beat from `row.first_beat`.
    """
    rows = rows_of(pattern)
    # The index of the row of each hand, by juggler and hand. In a siteswap with a hand siteswap,
    # which gives the order of the hands, one row may stand for all hands of all jugglers. Its
    # `hands` lists only those of one juggler, so the hands are taken from the turns and throws.
    if pattern.hand_siteswap and len(rows) == 1:
        row_of_hand = {(juggler, hand): 0 for _beat, juggler, hand in pattern.turns}
        row_of_hand |= {(throw.juggler, throw.hand): 0 for throw in pattern.throws}
    else:
        row_of_hand = {
            (row.juggler, hand): row_index
            for row_index, row in enumerate(rows)
            for hand in row.hands
        }
    throws = tuple(
        CycleThrow(
            throw.beat,
            row=row_of_hand[throw.juggler, throw.hand],
            value=throw.value,
            to_row=row_of_hand[throw.to_juggler, throw.to_hand],
            bounces=throw.bounces,
            bounce_style=throw.bounce_style,
            held=throw.held,
        )
        for throw in pattern.throws
    )
    # The slots that the text of the pattern writes, even for an empty hand.
    slots = {(beat, row_of_hand[juggler, hand]) for beat, juggler, hand in pattern.turns}
    # Where two hands throw in turn, the other beats of their row are slots too.
    for row_index, row in enumerate(rows):
        if row.hand is None:
            slots |= {(beat, row_index) for beat in range(row.first_beat, pattern.period, row.step)}
    # The loop repeats with the same hands: left and right are not exchanged.
    same_hands = tuple(range(len(rows)))
    return Cycle(
        rows=rows,
        period=pattern.period,
        throws=throws,
        slots=frozenset(slots),
        exchanged=same_hands,
        source=pattern,
    )


def rows_of(pattern: Pattern) -> tuple[Row, ...]:
    """Return the rows of a pattern, in order of jugglers, the left hand first.

    A row is a hand, or the hands of a juggler who throw in turn. A juggler whose hands take turns
    at even intervals has one row; for any other, each hand that has a turn has a row of its own.
    Where a hand siteswap gives the order of all hands, they share a single row if only one of them
    throws at a time.

    Args:
        pattern: the pattern, with the beats on which hands have turns and throw.
    """
    # All beats with a turn, and those of each hand, by juggler and hand.
    turns = {*pattern.turns, *(throw.turn for throw in pattern.throws)}
    beats = {beat for beat, _juggler, _hand in turns}
    beats_of_hand: dict[tuple[int, int], set[int]] = {}
    for beat, juggler, hand in turns:
        beats_of_hand.setdefault((juggler, hand), set()).add(beat)

    one_hand_at_a_time = len(turns) == len(beats)
    if pattern.hand_siteswap and one_hand_at_a_time:
        return (Row(0, hand=None, first_beat=0, step=1, first_hand=RIGHT),)

    rows = []
    for juggler in sorted({juggler for juggler, _hand in beats_of_hand}):
        left = beats_of_hand.get((juggler, LEFT), set())
        right = beats_of_hand.get((juggler, RIGHT), set())
        shared = _alternating_row(juggler, left, right, pattern.period)
        if shared:
            rows.append(shared)
            continue
        for hand, hand_beats in ((LEFT, left), (RIGHT, right)):
            if hand_beats:
                first_beat, step = _coarsest_spacing(hand_beats, pattern.period)
                rows.append(Row(juggler, hand, first_beat=first_beat, step=step, first_hand=hand))
    return tuple(rows)


def _alternating_row(juggler: int, left: set[int], right: set[int], period: int) -> Row | None:
    """Return the row that both hands of a juggler share if they take turns evenly, else None.

    Args:
        juggler: index of the juggler.
        left, right: beats of the loop on which the left and the right hand have turns; at least one
            of both.
        period: length of the loop, [beats].
    """
    first_beat, step = _coarsest_spacing(left | right, period)
    first_hand = RIGHT if first_beat in right else LEFT
    shared = Row(juggler, hand=None, first_beat=first_beat, step=step, first_hand=first_hand)
    # No beat belongs to both hands, each has its turns where the row has them, and their number in
    # a loop is even, so that the next loop begins with the same hand.
    alternate = (
        not left & right
        and all(shared.hand_on(beat) == LEFT for beat in left)
        and all(shared.hand_on(beat) == RIGHT for beat in right)
        and period // step % 2 == 0
    )
    return shared if alternate else None


def _coarsest_spacing(beats: set[int], period: int) -> tuple[int, int]:
    """The coarsest even spacing that contains some beats of a loop: its first beat and its step.

    The step divides the period, so that the spacing goes on over the end of the loop; the first
    beat is below the step.

    Args:
        beats: one beat or more.
        period: length of the loop.
    """
    first = min(beats)
    step = math.gcd(period, *(beat - first for beat in beats))
    return first % step, step


def right_first(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows with hands swapped if all hands take turns and a left one would begin.

    Else they are returned unchanged.
    """
    first = min(rows, key=lambda row: row.first_beat, default=None)
    take_turns = all(row.hand is None for row in rows)
    if first is not None and take_turns and first.first_hand == LEFT:
        return tuple(row.mirrored() for row in rows)
    return tuple(rows)


def hand_throws(rows: Sequence[Row], throws: Iterable[CycleThrow]) -> tuple[Throw, ...]:
    """Return throws from row to row as throws from hand to hand, by beats and then by hands.

    Args:
        rows: the rows, each a hand, or the hands of a juggler who throw in turn; their turns say
            which hand throws and catches.
        throws: throws between rows, on beats counted as in the turns of the rows; `row` and
            `to_row` are indices of `rows`.
    """
    by_hand = []
    for throw in throws:
        row = rows[throw.row]
        to_row = rows[throw.to_row]
        by_hand.append(
            Throw(
                throw.beat,
                juggler=row.juggler,
                hand=row.hand_on(throw.beat),
                value=throw.value,
                to_juggler=to_row.juggler,
                to_hand=to_row.hand_on(throw.beat + throw.value),
                bounces=throw.bounces,
                bounce_style=throw.bounce_style,
                held=throw.held,
            )
        )
    # By beat, juggler and hand; throws of a multiplex stay in their order.
    return tuple(sorted(by_hand, key=attrgetter("beat", "juggler", "hand")))


def hand_turns(rows: Sequence[Row], slots: Iterable[Slot]) -> tuple[Turn, ...]:
    """Return turns of hands for slots, each a beat and the index of a row of hands, sorted."""
    return tuple(sorted((beat, rows[row].juggler, rows[row].hand_on(beat)) for beat, row in slots))


def _other_hands(rows: Sequence[Row]) -> tuple[int, ...]:
    """For each row the index of that of the juggler's other hand.

    It is the row itself where hands take turns, or where the other hand has no row.
    """
    row_of_hand = {(row.juggler, row.hand): row_index for row_index, row in enumerate(rows)}
    return tuple(
        row_index if row.hand is None else row_of_hand.get((row.juggler, 1 - row.hand), row_index)
        for row_index, row in enumerate(rows)
    )


def is_rotation(first: Sequence[object], second: Sequence[object]) -> bool:
    """Return whether two cyclic sequences are the same, begun at different items.

    Args:
        first, second: two sequences of hashable items.
    """
    if len(first) != len(second):
        return False
    # Both become texts, with one character for each different item, since the search in texts is
    # quick. Both share `codes`, so equal items have equal characters.
    codes: dict[object, int] = {}
    first_text, second_text = (
        "".join(chr(_FIRST_CODE + codes.setdefault(item, len(codes))) for item in sequence)
        for sequence in (first, second)
    )
    # The text written twice contains all its rotations, and nothing else of the same length.
    return second_text in 2 * first_text


_FIRST_CODE = 0x10000  # a code point beyond all surrogates, which no text may hold


def _tokens(cycle: Cycle) -> list[object]:
    """For each beat the rows that have a turn and the throws, to be compared between cycles.

    Throws are without their first field, the beat, so that they may be on another one.
    """
    has_turn = [tuple(row.throws_on(beat) for row in cycle.rows) for beat in range(cycle.phase)]
    return [
        (has_turn[beat % cycle.phase], tuple(throw[1:] for throw in throws))
        for beat, throws in enumerate(cycle.beats)
    ]


def _sorted(throws: Iterable[CycleThrow]) -> tuple[CycleThrow, ...]:
    """Throws by all their fields; `held` as text, since None cannot be compared."""
    return tuple(sorted(throws, key=lambda throw: (*throw[:-1], str(throw.held))))


def _highest_first(throw: CycleThrow) -> tuple[int, bool, int, int]:
    """Sort key: higher throws first, and of equal ones those to another row."""
    return -throw.value, throw.row == throw.to_row, throw.row, throw.to_row


def _with_one_more(counts: tuple[int, ...], row: int) -> tuple[int, ...]:
    """Counts of props by row, with one more in a row."""
    return (*counts[:row], counts[row] + 1, *counts[row + 1 :])
