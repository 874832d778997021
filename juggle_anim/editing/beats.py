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
    staging = beat_staging(draft, full_loop(draft))

    def moved(old: int) -> int:
        # Beats are inserted once in each round of the cycle up to the old beat.
        return old + length * ((old - beat) // cycle.period + 1)

    def origin(turn: Turn) -> Turn | None:
        when, juggler, hand = turn
        rounds, new_beat = divmod(when, cycle.period + length)
        if beat <= new_beat < beat + length:
            return None  # an inserted beat
        old_beat = new_beat - length if new_beat >= beat else new_beat
        return rounds * cycle.period + old_beat, juggler, hand

    period = staging.period // cycle.period * (cycle.period + length)
    return with_cycle(draft, _with_beats(cycle, beat, length), staging.moved(period, moved), origin)


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
    staging = beat_staging(draft, full_loop(draft))

    def moved(old: int) -> int | None:
        rounds, old_beat = divmod(old, cycle.period)
        if beat <= old_beat < beat + length:
            return None  # a deleted beat
        deleted_before = rounds + 1 if old_beat > beat else rounds
        return old - length * deleted_before

    def origin(turn: Turn) -> Turn:
        when, juggler, hand = turn
        rounds, new_beat = divmod(when, cycle.period - length)
        old_beat = new_beat + length if new_beat >= beat else new_beat
        return rounds * cycle.period + old_beat, juggler, hand

    period = staging.period // cycle.period * (cycle.period - length)
    changed_staging = staging.moved(period, moved)
    return with_cycle(draft, _without_beats(cycle, beat, length), changed_staging, origin)


def _cycle_of_beats(draft: Draft, beat: int, last: int) -> tuple[Cycle, int, int]:
    """Return the shortest cycle in which a beat can be inserted or deleted.

    Args:
        draft: draft with a pattern of throws.
        beat: beat of the full loop.
        last: how far before the end of the loop the beat has to be: 0 to insert, 1 to delete.

    Returns:
        The cycle, the beat in it, and how many beats come or go together: 2 where pairs are thrown.

    Raises:
        EditError: there is no such beat, or hands throw at uneven intervals.
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
    staging = beat_staging(draft, loop)
    rounds = loop.period // cycle.period
    # As many rounds as the staging needs to repeat.
    divisors = (n for n in range(1, rounds + 1) if rounds % n == 0)
    cycle = cycle.times(next(n for n in divisors if staging.repeats(n * cycle.period)))
    if not cycle.is_regular:
        raise EditError(
            _("hands throw at uneven intervals here, so no beat can come or go; change the text")
        )
    length = cycle.phase
    # A beat can be inserted at the end of the cycle, where there is none to delete.
    beat_of_cycle = beat % cycle.period
    if beat and not last and beat_of_cycle == 0:
        beat_of_cycle = cycle.period
    return cycle, beat_of_cycle - beat_of_cycle % length, length


def _with_beats(cycle: Cycle, beat: int, length: int) -> Cycle:
    """The cycle with new beats before one, as many as all rows throw once in.

    Props that come down one after the other from then on keep their heights, and the last of them
    is what the new beat throws; others are thrown higher.
    """
    unrolled = _Unrolled(cycle)
    for point in range(unrolled.rounds):
        unrolled.insert(beat + point * (cycle.period + length), length)
    return _cycle_from_middle(cycle, unrolled, cycle.period + length)


def _without_beats(cycle: Cycle, beat: int, length: int) -> Cycle:
    """The cycle without some beats, as many as all rows throw once in: the inverse of
    `_with_beats`.
    """
    unrolled = _Unrolled(cycle)
    for point in reversed(range(unrolled.rounds)):
        unrolled.delete(beat + point * cycle.period, length)
    return _cycle_from_middle(cycle, unrolled, cycle.period - length)


def _cycle_from_middle(cycle: Cycle, unrolled: _Unrolled, beats: int) -> Cycle:
    """The cycle of other beats, from a round in the middle of many that are like it."""
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
        # The middle round is beyond the reach of throws at either end.
        self.middle = 2 * (reach + 1)
        self.rounds = 2 * self.middle + 2
        self.throws = list(cycle.times(self.rounds).throws)

    def insert(self, beat: int, length: int) -> None:
        """Insert beats, on which props land that came down one after the other from there on.

        Each of these props lands one turn of its row earlier than it would, and so keeps its
        height; the new beats throw as many props to where the last of them landed.

        Args:
            beat: before which they are inserted.
            length: number of beats.
        """
        self._shift_times(beat, beat, length)
        throws_by_landing = self._throws_by_landing(beat)
        # Later slots first, so that a run does not take in what was redirected already.
        for slot in sorted(self._slots_on_beats(beat, length), reverse=True):
            run = self._landings_in_row(self._slot_later(slot, 1), throws_by_landing)
            for turns, together in enumerate(run):
                for index in together:
                    self._redirect(index, self._slot_later(slot, turns), throws_by_landing)
            if run:
                _beat, row = slot
                value = len(run) * self.rows[row].step
                self.throws += [CycleThrow(*slot, value, row)] * len(run[0])

    def delete(self, beat: int, length: int) -> None:
        """Delete beats; props that would land on them land one turn of their row later.

        These take the places of the next ones, and so on; the last of them go to where the deleted
        throws went.

        Args:
            beat: first deleted beat.
            length: number of beats.
        """
        throws_by_landing = self._throws_by_landing(beat)
        for slot in sorted(self._slots_on_beats(beat, length)):
            deleted_throws = [throw for throw in self.throws if throw.slot == slot]
            run = self._landings_in_row(slot, throws_by_landing)
            for turns, together in enumerate(run[:-1], 1):
                for index in together:
                    self._redirect(index, self._slot_later(slot, turns), throws_by_landing)
            if run:
                for index, throw in zip(run[-1], deleted_throws, strict=False):
                    self._redirect(index, throw.lands, throws_by_landing)
        deleted_beats = range(beat, beat + length)
        self.throws = [throw for throw in self.throws if throw.beat not in deleted_beats]
        self._shift_times(beat + length, beat + length, -length)

    def _shift_times(self, thrown_from: int, landing_from: int, length: int) -> None:
        """Move throws and landings to later beats, in `self.throws`.

        Args:
            thrown_from: first beat whose throws move.
            landing_from: first beat on which landings move.
            length: number of beats; below 0 for earlier.
        """
        for index, throw in enumerate(self.throws):
            start, _row = throw.slot
            end, _to_row = throw.lands
            if start >= thrown_from:
                start += length
            if end >= landing_from:
                end += length
            self.throws[index] = throw._replace(beat=start, value=end - start)

    def _slots_on_beats(self, first: int, length: int) -> list[Slot]:
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

    def _landings_in_row(self, slot: Slot, landing: dict[Slot, list[int]]) -> list[list[int]]:
        """The throws that land in a slot, in the next of its row, and so on while as many do."""
        run: list[list[int]] = []
        while together := sorted(landing.get(slot, [])):
            if run and len(together) != len(run[0]):
                break
            run.append(together)
            slot = self._slot_later(slot, 1)
        return run

    def _slot_later(self, slot: Slot, turns: int) -> Slot:
        """The slot some turns later in its row."""
        return slot[0] + turns * self.rows[slot[1]].step, slot[1]

    def _redirect(self, index: int, slot: Slot, landing: dict[Slot, list[int]]) -> None:
        """Let a throw land in another slot."""
        throw = self.throws[index]
        landing[throw.lands].remove(index)
        landing.setdefault(slot, []).append(index)
        self.throws[index] = throw._replace(value=slot[0] - throw.beat, to_row=slot[1])
