"""Editing whole patterns: beats more or less, left and right, time, and the patterns that are related to one."""

from __future__ import annotations

import math

from juggle_anim.editing.beat_staging import beat_staging, full_loop, with_cycle
from juggle_anim.editing.draft import Draft
from juggle_anim.editing.throw_cycle import ThrowCycle
from juggle_anim.editing.throws import cycle_of
from juggle_anim.errors import EditError


def insert_beat(draft: Draft, beat: int) -> Draft:
    """Insert a beat, two where pairs are thrown; all repeats of the text, or of its staging, get one.

    As many props stay. Those that come next keep their heights: the new beat throws one of them on, as a 3 does in a
    cascade of three, and is empty if none comes down then. What comes down after a gap is thrown a beat higher.
    `delete_beat` takes it back.

    Args:
        draft: with a pattern of throws.
        beat: of the full loop, before which it is inserted; its length inserts one at its end.

    Raises:
        EditError: there is no such beat, or hands throw at uneven intervals.
    """
    cycle, beat, length = _cycle_of_beats(draft, beat, 0)
    said = beat_staging(draft, full_loop(draft))

    def moved(old: int) -> int:
        return old + length * ((old - beat) // cycle.beats + 1)

    period = said.period // cycle.beats * (cycle.beats + length)
    return with_cycle(draft, cycle.with_beats(beat, length), said.moved(period, moved))


def delete_beat(draft: Draft, beat: int) -> Draft:
    """Delete a beat, two where pairs are thrown; all repeats of the text, or of its staging, lose it.

    As many props stay. Those that would have come down on it wait for the next beats, one for the other, and so keep
    their heights; the last one goes to where the deleted throw went. What comes down after a gap is thrown lower.

    Args:
        draft: with a pattern of throws.
        beat: of the full loop.

    Raises:
        EditError: there is no such beat or no other one, or hands throw at uneven intervals.
    """
    cycle, beat, length = _cycle_of_beats(draft, beat, 1)
    if cycle.beats <= length:
        raise EditError("the only beat of a pattern cannot be deleted; repeat the pattern first")
    said = beat_staging(draft, full_loop(draft))

    def moved(old: int) -> int | None:
        rounds, rest = divmod(old, cycle.beats)
        if beat <= rest < beat + length:
            return None
        return old - length * (rounds + (rest > beat))

    period = said.period // cycle.beats * (cycle.beats - length)
    return with_cycle(draft, cycle.without_beats(beat, length), said.moved(period, moved))


def _cycle_of_beats(draft: Draft, beat: int, last: int) -> tuple[ThrowCycle, int, int]:
    """The shortest cycle of which a beat can be inserted or deleted, that beat in it, and how many are one.

    Args:
        draft: with a pattern of throws.
        beat: of the full loop.
        last: how far before the end of the loop the beat has to be.
    """
    loop = full_loop(draft)
    if not 0 <= beat <= loop.period - last:
        raise EditError(f"there is no beat {beat}; the loop has {loop.period}, counted from 0")
    cycle, said = cycle_of(draft, symmetric=True), beat_staging(draft, loop)
    rounds = loop.period // cycle.beats
    cycle = cycle.times(next(n for n in range(1, rounds + 1) if rounds % n == 0 and said.repeats(n * cycle.beats)))
    if not cycle.is_regular:
        raise EditError("hands throw at uneven intervals here, so no beat can come or go; change the text")
    length = math.lcm(*(row.step for row in cycle.rows))
    # A beat at the end of the cycle can be inserted, but none is there to be deleted.
    rest = cycle.beats if beat and not last and beat % cycle.beats == 0 else beat % cycle.beats
    return cycle, rest - rest % length, length
