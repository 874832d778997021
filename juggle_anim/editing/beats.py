"""Editing beats: a beat more or less, with as many props, whose throws keep their heights where
they can.
"""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.editing.draft import Draft
from juggle_anim.editing.staging import beat_staging, full_loop, with_cycle
from juggle_anim.editing.throws import cycle_of
from juggle_anim.errors import EditError
from juggle_anim.language import _
from juggle_anim.pattern import Cycle, CycleThrow, Pattern, Slot, Turn, grouped


def insert_beat(draft: Draft, beat: int) -> Draft:
    """Insert a beat (two in synchronous patterns), in all repeats of the text or of its staging.

    As many props stay. Those that come next keep their heights: the new beat throws one of them on,
    as a 3 does in a cascade of three, and is empty if none comes down then. What comes down after a
    gap is thrown a beat higher. `delete_beat` takes it back.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        beat: the beat of the full loop, before which it is inserted; its length inserts one at its
            end.

    Raises:
        EditError: there is no such beat, or hands throw at uneven intervals.
    """
    # The full loop has whole rounds of the cycle, each of which gets the new beats.
    cycle, first, length = _cycle_of_beats(draft, beat, allows_end=True)
    staging = beat_staging(draft, full_loop(draft))

    def new_beat_of(old_beat: int) -> int:
        """Return the new number of an old beat."""
        # Beats are inserted before the beat `first` of each round. Of these places,
        # floor((old − first) / period) + 1 are at the old beat or before it; −1 + 1 = 0 if none is.
        return old_beat + length * ((old_beat - first) // cycle.period + 1)

    def old_turn_of(turn: Turn) -> Turn | None:
        """Return the old turn of a turn of the new loop; None for one of the inserted beats."""
        turn_beat, juggler, hand = turn
        rounds, new_beat = divmod(turn_beat, cycle.period + length)
        if first <= new_beat < first + length:
            return None
        old_beat = new_beat - length if new_beat >= first else new_beat
        return rounds * cycle.period + old_beat, juggler, hand

    new_period = staging.period // cycle.period * (cycle.period + length)
    return with_cycle(
        draft,
        _with_beats(cycle, first, length),
        staging.with_moved_beats(new_period, new_beat_of),
        old_turn_of,
    )


def delete_beat(draft: Draft, beat: int) -> Draft:
    """Delete a beat (two in synchronous patterns), in all repeats of the text or of its staging.

    As many props stay. Those that would have come down on it wait for the next beats, one for the
    other, and so keep their heights; the last one goes to where the deleted throw went. What comes
    down after a gap is thrown lower.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        beat: the beat of the full loop.

    Raises:
        EditError: there is no such beat or no other one, or hands throw at uneven intervals.
    """
    # The full loop has whole rounds of the cycle, each of which loses the deleted beats.
    cycle, first, length = _cycle_of_beats(draft, beat, allows_end=False)
    if cycle.period <= length:
        raise EditError(_("the only beat cannot be deleted; repeat the pattern first"))
    staging = beat_staging(draft, full_loop(draft))

    def new_beat_of(old_beat: int) -> int | None:
        """Return the new number of an old beat; None for a deleted one."""
        rounds, beat_of_round = divmod(old_beat, cycle.period)
        if first <= beat_of_round < first + length:
            return None
        # One deletion in each round before, and one in this round if it was earlier.
        deletions_before = rounds + 1 if beat_of_round > first else rounds
        return old_beat - length * deletions_before

    def old_turn_of(turn: Turn) -> Turn:
        """Return the old turn of a turn of the new loop."""
        turn_beat, juggler, hand = turn
        rounds, new_beat = divmod(turn_beat, cycle.period - length)
        old_beat = new_beat + length if new_beat >= first else new_beat
        return rounds * cycle.period + old_beat, juggler, hand

    new_period = staging.period // cycle.period * (cycle.period - length)
    return with_cycle(
        draft,
        _without_beats(cycle, first, length),
        staging.with_moved_beats(new_period, new_beat_of),
        old_turn_of,
    )


def _cycle_of_beats(draft: Draft, beat: int, *, allows_end: bool) -> tuple[Cycle, int, int]:
    """Find the cycle of throws in which a beat is inserted or deleted, and the beats to do so.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        beat: the beat of the full loop, counted from 0.
        allows_end: whether the beat may be the end of the loop, as where one is inserted.

    Returns:
        The cycle; the first beat of it to insert or delete, at most its period; and how many: the
        beats in which each row (a hand, or two that take turns) throws once. The first beat is a
        multiple of this number.

    Raises:
        EditError: there is no such beat, or hands throw at uneven intervals.
    """
    loop = full_loop(draft)
    last_beat = loop.period if allows_end else loop.period - 1
    if not 0 <= beat <= last_beat:
        raise EditError(
            _(
                "there is no beat {beat}; the loop has {period}, counted from 0",
                beat=beat,
                period=loop.period,
            )
        )
    cycle = _cycle_with_staging(draft, loop)
    if not cycle.is_regular:
        raise EditError(
            _(
                "beats cannot be added or deleted where hands throw at irregular intervals; edit "
                "the text"
            )
        )
    length = cycle.phase
    beat_of_cycle = beat % cycle.period
    if allows_end and beat > 0 and beat_of_cycle == 0:
        beat_of_cycle = cycle.period  # at the end of a round, not at the start of the next
    return cycle, beat_of_cycle - beat_of_cycle % length, length


def _cycle_with_staging(draft: Draft, loop: Pattern) -> Cycle:
    """Return the shortest cycle of throws after which both throws and staging repeat.

    A cycle is one round of throws, which repeats. The staging is all that a text sets besides
    throws: moves of hands and bodies, catches and props.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        loop: the pattern, repeated to a full loop.
    """
    cycle = cycle_of(draft, symmetric=True)
    staging = beat_staging(draft, loop)
    # The full loop has `rounds` rounds. What repeats in it does so after a divisor of that number,
    # and after all of them at the latest.
    rounds = loop.period // cycle.period
    divisors = (n for n in range(1, rounds + 1) if rounds % n == 0)
    return cycle.times(next(n for n in divisors if staging.repeats(n * cycle.period)))


def _with_beats(cycle: Cycle, beat: int, length: int) -> Cycle:
    """Return the cycle with new beats before a given one.

    Props that come down from then on without a gap keep their heights: each comes down a turn of
    its hand earlier, the first on the new beat, which throws it to the turn that becomes free. All
    other props in the air are thrown higher.

    Args:
        cycle: the throws of one round, which repeats, each with its slot: a beat and a row (a
            hand).
        beat: the beat of the cycle, before which they are inserted.
        length: number of new beats: those in which each row throws once.
    """
    unrolled = _UnrolledThrows(cycle)
    # In each round; the beats inserted so far have moved the later rounds.
    for round_index in range(unrolled.rounds):
        unrolled.insert(beat + round_index * (cycle.period + length), length)
    return _middle_round(cycle, unrolled, cycle.period + length)


def _without_beats(cycle: Cycle, beat: int, length: int) -> Cycle:
    """Return the cycle without some beats: the inverse of `_with_beats`.

    Args:
        cycle: the throws of one round, which repeats, each with its slot: a beat and a row (a
            hand).
        beat: the first that is deleted.
        length: number of deleted beats: those in which each row throws once.
    """
    unrolled = _UnrolledThrows(cycle)
    # `_with_beats` goes from the first round to the last, so its inverse goes back from the last.
    for round_index in reversed(range(unrolled.rounds)):
        unrolled.delete(beat + round_index * cycle.period, length)
    return _middle_round(cycle, unrolled, cycle.period - length)


def _middle_round(cycle: Cycle, unrolled: _UnrolledThrows, beats: int) -> Cycle:
    """Return the cycle that repeats a round from the middle of many changed rounds.

    Rounds in the middle are all alike. The first and last ones differ from them, as nothing is
    changed before and after them.

    Args:
        cycle: the throws of one round, which repeats, each with its slot: a beat and a row (a
            hand), before the change.
        unrolled: the changed throws of many rounds.
        beats: length of a changed round.
    """
    start = unrolled.middle_round * beats
    throws = [
        throw._replace(beat=throw.beat - start)
        for throw in unrolled.throws
        if start <= throw.beat < start + beats
    ]
    return replace(cycle, period=beats, throws=tuple(throws)).with_regular_slots()


class _UnrolledThrows:
    """The throws of many rounds, in which beats are inserted or deleted one after another.

    What happens to a throw depends on those before it, but only as far back as props fly; so the
    rounds in the middle are all alike, and one of them is the cycle that results.

    Args:
        cycle: the cycle whose throws they are.
    """

    def __init__(self, cycle: Cycle) -> None:
        # Rounds that a prop flies at most, with a margin: so far a change reaches into others.
        reach = 2 + cycle.highest // cycle.period
        self.rows = cycle.rows
        self.middle_round = 2 * (reach + 1)
        self.rounds = 2 * self.middle_round + 2
        self.throws = list(cycle.times(self.rounds).throws)

    def insert(self, beat: int, length: int) -> None:
        """Insert beats, and let the props that land after them without a gap land a turn earlier.

        First, throws and landings from `beat` on are delayed by `length` beats. Then, in each row
        (hand), the run of successive turns after the new beats at which as many props land moves a
        turn earlier: the first props land on the new beats, and are thrown from there to the last
        turn of the run, which became free. A turn of a row comes every `step` beats.

        Args:
            beat: the beat before which beats are inserted.
            length: number of beats.
        """
        self._delay_from(beat, length)
        # By slot, the indices of the throws made before these beats that land in it.
        throws_by_landing = self._throws_by_landing(beat)
        for slot in sorted(self._slots(beat, length), reverse=True):
            # Each prop of the run lands a turn earlier: the first ones in the new slot. `turns`
            # counts the turns of the row since that slot.
            run = self._throws_without_gap(self._slot_after(slot, 1), throws_by_landing)
            for turns, throws_of_turn in enumerate(run):
                for index in throws_of_turn:
                    self._redirect(index, self._slot_after(slot, turns), throws_by_landing)
            if run:
                # The last turn of the run is free now: the props of the new slot land there.
                beat_of_slot, row = slot
                value = len(run) * self.rows[row].step
                new_throw = CycleThrow(beat=beat_of_slot, row=row, value=value, to_row=row)
                self.throws += [new_throw] * len(run[0])

    def delete(self, beat: int, length: int) -> None:
        """Delete beats, and let the props that would land on them land a turn later instead.

        This undoes `insert`: in each row (hand), the props that land in successive turns from the
        deleted one on each land a turn later, and those of the last turn land where the deleted
        throws landed. Then all that is thrown or lands after the deleted beats is moved back by
        `length` beats.

        Args:
            beat: the first that is deleted.
            length: how many.
        """
        # By slot (a beat and a row), the indices of the throws made before these beats that land
        # in it.
        throws_by_landing = self._throws_by_landing(beat)
        for slot in sorted(self._slots(beat, length)):
            deleted = [throw for throw in self.throws if throw.slot == slot]
            # Each prop of the run but those of its last turn lands a turn later.
            run = self._throws_without_gap(slot, throws_by_landing)
            for turns, throws_of_turn in enumerate(run[:-1], 1):
                for index in throws_of_turn:
                    self._redirect(index, self._slot_after(slot, turns), throws_by_landing)
            # Those of the last turn land where the deleted throws landed. In the first rounds they
            # may be fewer than these, as the throws before the first round are missing.
            if run:
                for index, throw in zip(run[-1], deleted, strict=False):
                    self._redirect(index, throw.lands, throws_by_landing)
        deleted_beats = range(beat, beat + length)
        self.throws = [throw for throw in self.throws if throw.beat not in deleted_beats]
        self._delay_from(beat + length, -length)

    def _delay_from(self, first: int, delay: int) -> None:
        """Delay all throws and landings from a beat on; a negative delay makes them earlier.

        A throw that is made before that beat and lands after it gets higher or lower.

        Args:
            first: the beat.
            delay: number of beats.
        """
        for index, throw in enumerate(self.throws):
            start = throw.beat
            end = throw.beat + throw.value
            if start >= first:
                start += delay
            if end >= first:
                end += delay
            self.throws[index] = throw._replace(beat=start, value=end - start)

    def _slots(self, first: int, length: int) -> list[Slot]:
        """Return the slots, (beat, row), of all rows that throw on some beats.

        Args:
            first: the first beat.
            length: number of beats.
        """
        return [
            (beat, index)
            for beat in range(first, first + length)
            for index, row in enumerate(self.rows)
            if row.throws_on(beat)
        ]

    def _throws_by_landing(self, before: int) -> dict[Slot, list[int]]:
        """Return the indices of throws made before a beat, by the slot in which they land."""
        return grouped(
            (throw.lands, index) for index, throw in enumerate(self.throws) if throw.beat < before
        )

    def _throws_without_gap(
        self, slot: Slot, throws_by_landing: dict[Slot, list[int]]
    ) -> list[list[int]]:
        """Return the throws that land in a slot, in the next slot of its row, and so on.

        This run ends before the first slot in which no throw lands, or another number of throws
        than in the first slot.

        Args:
            slot: the first slot.
            throws_by_landing: indices of throws, by the slot in which they land.

        Returns:
            The indices for each of these slots in turn; empty if no throw lands in the first.
        """
        run: list[list[int]] = []
        next_slot = slot
        while together := sorted(throws_by_landing.get(next_slot, [])):
            if run and len(together) != len(run[0]):
                break
            run.append(together)
            next_slot = self._slot_after(next_slot, 1)
        return run

    def _slot_after(self, slot: Slot, turns: int) -> Slot:
        """Return the slot some turns later in its row."""
        beat, row = slot
        return beat + turns * self.rows[row].step, row

    def _redirect(self, index: int, slot: Slot, throws_by_landing: dict[Slot, list[int]]) -> None:
        """Change the slot in which a throw lands.

        Args:
            index: the index of the throw.
            slot: where it is to land: a beat and a row (a hand).
            throws_by_landing: indices of throws by the slot in which they land; changed along.
        """
        throw = self.throws[index]
        throws_by_landing[throw.lands].remove(index)
        throws_by_landing.setdefault(slot, []).append(index)
        landing_beat, to_row = slot
        self.throws[index] = throw._replace(value=landing_beat - throw.beat, to_row=to_row)
