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
from juggle_anim.pattern.cycle import Cycle, CycleThrow, Slot
from juggle_anim.pattern.pattern import Turn


def insert_beat(draft: Draft, beat: int) -> Draft:
    """Insert a beat, two where pairs are thrown; all repeats of the text, or of its staging, get
    one.

    As many props stay. Those that come next keep their heights: the new beat throws one of them on,
    as a 3 does in a cascade of three, and is empty if none comes down then. What comes down after a
    gap is thrown a beat higher. `delete_beat` takes it back.

    Args:
        draft: with a pattern of throws.
        beat: of the full loop, before which it is inserted; its length inserts one at its end.

    Raises:
        EditError: there is no such beat, or hands throw at uneven intervals.
    """
    cycle, beat, length = _cycle_of_beats(draft, beat, 0)
    said = beat_staging(draft, full_loop(draft))

    def moved(old: int) -> int:
        """The new number of an old beat."""
        return old + length * ((old - beat) // cycle.period + 1)

    def origin(turn: Turn) -> Turn | None:
        """The old turn of a new one; None for a turn of the inserted beats."""
        when, juggler, hand = turn
        rounds, new_beat = divmod(when, cycle.period + length)
        if beat <= new_beat < beat + length:
            return None
        old_beat = new_beat - length if new_beat >= beat else new_beat
        return rounds * cycle.period + old_beat, juggler, hand

    # Each round of the loop has new beats.
    period = said.period // cycle.period * (cycle.period + length)
    return with_cycle(draft, _with_beats(cycle, beat, length), said.moved(period, moved), origin)


def delete_beat(draft: Draft, beat: int) -> Draft:
    """Delete a beat, two where pairs are thrown; all repeats of the text, or of its staging, lose
    it.

    As many props stay. Those that would have come down on it wait for the next beats, one for the
    other, and so keep their heights; the last one goes to where the deleted throw went. What comes
    down after a gap is thrown lower.

    Args:
        draft: with a pattern of throws.
        beat: of the full loop.

    Raises:
        EditError: there is no such beat or no other one, or hands throw at uneven intervals.
    """
    cycle, beat, length = _cycle_of_beats(draft, beat, 1)
    if cycle.period <= length:
        raise EditError(_("the only beat of a pattern cannot be deleted; repeat the pattern first"))
    said = beat_staging(draft, full_loop(draft))

    def moved(old: int) -> int | None:
        """The new number of an old beat; None for a deleted one."""
        rounds, old_beat = divmod(old, cycle.period)
        if beat <= old_beat < beat + length:
            return None
        deleted_before = rounds + 1 if old_beat > beat else rounds
        return old - length * deleted_before

    def origin(turn: Turn) -> Turn:
        """The old turn of a new one."""
        when, juggler, hand = turn
        rounds, new_beat = divmod(when, cycle.period - length)
        old_beat = new_beat + length if new_beat >= beat else new_beat
        return rounds * cycle.period + old_beat, juggler, hand

    # Each round of the loop loses beats.
    period = said.period // cycle.period * (cycle.period - length)
    return with_cycle(draft, _without_beats(cycle, beat, length), said.moved(period, moved), origin)


def _cycle_of_beats(draft: Draft, beat: int, last: int) -> tuple[Cycle, int, int]:
    """The shortest cycle of which a beat can be inserted or deleted, that beat, and its length.

    Args:
        draft: with a pattern of throws.
        beat: of the full loop.
        last: how far before the end of the loop the beat has to be.
    """
    loop = full_loop(draft)
    if not 0 <= beat <= loop.period - last:
        raise EditError(
            _(
                "there is no beat {beat}; the loop has {period}, counted from 0",
                beat=beat,
                period=loop.period,
            )
        )
    cycle = cycle_of(draft, symmetric=True)
    said = beat_staging(draft, loop)
    rounds = loop.period // cycle.period
    # As many rounds as the staging needs to repeat.
    divisors = (n for n in range(1, rounds + 1) if rounds % n == 0)
    cycle = cycle.times(next(n for n in divisors if said.repeats(n * cycle.period)))
    if not cycle.is_regular:
        raise EditError(
            _("hands throw at uneven intervals here, so no beat can come or go; change the text")
        )
    length = cycle.phase
    # A beat at the end of the cycle can be inserted, but none is there to be deleted.
    beat_of_cycle = beat % cycle.period
    if beat and not last and beat_of_cycle == 0:
        beat_of_cycle = cycle.period
    return cycle, beat_of_cycle - beat_of_cycle % length, length


def _with_beats(cycle: Cycle, beat: int, length: int) -> Cycle:
    """The cycle with new beats before one.

    Props that come down one after the other from then on keep their heights, and the last of them
    is what the new beat throws; others are thrown higher.

    Args:
        cycle: of throws.
        beat: of the cycle.
        length: number of new beats: those in which each row throws once.
    """
    unrolled = _Unrolled(cycle)
    # In each round; the beats inserted so far have moved the later ones.
    for round_index in range(unrolled.rounds):
        unrolled.insert(beat + round_index * (cycle.period + length), length)
    return _middle_round(cycle, unrolled, cycle.period + length)


def _without_beats(cycle: Cycle, beat: int, length: int) -> Cycle:
    """The cycle without some beats: the inverse of `_with_beats`.

    Args:
        cycle: of throws.
        beat: the first that is deleted.
        length: number of deleted beats: those in which each row throws once.
    """
    unrolled = _Unrolled(cycle)
    # From the last round on, as the inverse.
    for round_index in reversed(range(unrolled.rounds)):
        unrolled.delete(beat + round_index * cycle.period, length)
    return _middle_round(cycle, unrolled, cycle.period - length)


def _middle_round(cycle: Cycle, unrolled: _Unrolled, beats: int) -> Cycle:
    """The cycle whose round is one in the middle of many, which is like those beside it.

    Args:
        cycle: before the change.
        unrolled: the changed throws of many rounds.
        beats: length of a changed round.
    """
    start = unrolled.middle * beats
    throws = [
        throw._replace(beat=throw.beat - start)
        for throw in unrolled.throws
        if start <= throw.beat < start + beats
    ]
    return replace(cycle, period=beats, throws=tuple(throws)).with_regular_slots()


class _Unrolled:
    """The throws of many rounds, in which beats come and go one after another.

    What happens to a throw depends on those before it, but only as far back as props fly; so the
    rounds in the middle are all alike, and one of them is the cycle that results.

    Args:
        cycle: whose throws they are.
    """

    def __init__(self, cycle: Cycle) -> None:
        reach = 2 + cycle.highest // cycle.period  # rounds that a prop flies, and some more
        self.rows = cycle.rows
        self.middle = 2 * (reach + 1)
        self.rounds = 2 * self.middle + 2
        self.throws = list(cycle.times(self.rounds).throws)

    def insert(self, beat: int, length: int) -> None:
        """Insert beats, and let props that come down one after the other, without a gap, begin on
        these.

        Args:
            beat: before which they are inserted.
            length: how many.
        """
        self._shift(beat, beat, length)
        throws_by_landing = self._throws_by_landing(beat)
        for slot in sorted(self._slots(beat, length), reverse=True):
            # Each prop that comes down lands a turn earlier.
            run = self._throws_without_gap(self._slot_after(slot, 1), throws_by_landing)
            for turns, together in enumerate(run):
                for index in together:
                    self._land(index, self._slot_after(slot, turns), throws_by_landing)
            if run:
                # So the place of the last is free, where the prop of the new slot lands.
                _beat, row = slot
                value = len(run) * self.rows[row].step
                self.throws += [CycleThrow(*slot, value, row)] * len(run[0])

    def delete(self, beat: int, length: int) -> None:
        """Let props land after some beats, and delete these.

        Args:
            beat: the first that is deleted.
            length: how many.
        """
        throws_by_landing = self._throws_by_landing(beat)
        for slot in sorted(self._slots(beat, length)):
            deleted = [throw for throw in self.throws if throw.slot == slot]
            # Each prop that comes down from there on lands a turn later, the last where the deleted
            # throw landed.
            run = self._throws_without_gap(slot, throws_by_landing)
            for turns, together in enumerate(run[:-1], 1):
                for index in together:
                    self._land(index, self._slot_after(slot, turns), throws_by_landing)
            if run:
                for index, throw in zip(run[-1], deleted, strict=False):
                    self._land(index, throw.lands, throws_by_landing)
        deleted_beats = range(beat, beat + length)
        self.throws = [throw for throw in self.throws if throw.beat not in deleted_beats]
        self._shift(beat + length, beat + length, -length)

    def _shift(self, first_thrown: int, first_landing: int, length: int) -> None:
        """Let throws and landings from some beats on be later.

        Args:
            first_thrown: the first beat whose throws are made later.
            first_landing: the first beat whose landings are later.
            length: by how many beats; below 0 for earlier.
        """
        for index, throw in enumerate(self.throws):
            start, _row = throw.slot
            end, _to_row = throw.lands
            if start >= first_thrown:
                start += length
            if end >= first_landing:
                end += length
            self.throws[index] = throw._replace(beat=start, value=end - start)

    def _slots(self, first: int, length: int) -> list[Slot]:
        """The slots of some beats: a beat and a row each where the row throws."""
        return [
            (beat, index)
            for beat in range(first, first + length)
            for index, row in enumerate(self.rows)
            if row.throws_on(beat)
        ]

    def _throws_by_landing(self, before: int) -> dict[Slot, list[int]]:
        """The throws made before a beat, by where they land."""
        landing: dict[Slot, list[int]] = {}
        for index, throw in enumerate(self.throws):
            if throw.beat < before:
                landing.setdefault(throw.lands, []).append(index)
        return landing

    def _throws_without_gap(
        self, slot: Slot, throws_by_landing: dict[Slot, list[int]]
    ) -> list[list[int]]:
        """The throws that land in a slot, in the next of its row, and so on while as many do.

        Args:
            slot: the first.
            throws_by_landing: indices of throws.

        Returns:
            Indices for each of these slots; none if no throw lands in the first.
        """
        run: list[list[int]] = []
        while together := sorted(throws_by_landing.get(slot, [])):
            if run and len(together) != len(run[0]):
                break
            run.append(together)
            slot = self._slot_after(slot, 1)
        return run

    def _slot_after(self, slot: Slot, turns: int) -> Slot:
        """The slot some turns later in its row."""
        beat, row = slot
        return beat + turns * self.rows[row].step, row

    def _land(self, index: int, slot: Slot, throws_by_landing: dict[Slot, list[int]]) -> None:
        """Let a throw land in another slot.

        Args:
            index: of the throw.
            slot: where it is to land.
            throws_by_landing: indices of throws; changed along.
        """
        throw = self.throws[index]
        throws_by_landing[throw.lands].remove(index)
        throws_by_landing.setdefault(slot, []).append(index)
        landing_beat, to_row = slot
        self.throws[index] = throw._replace(value=landing_beat - throw.beat, to_row=to_row)
