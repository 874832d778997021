"""A line for each juggler: how far behind the first the others are, as the fractions of their passes say."""

from __future__ import annotations

from fractions import Fraction

from juggle_anim.notation.prechac.parts import Cast, Made, Part
from juggle_anim.notation.prechac.syntax import Line, PrechacThrow
from juggle_anim.notation.prechac.values import nearest_value
from juggle_anim.notation.syntax import NEXT_JUGGLER


def cast_sides(lines: tuple[Line, ...]) -> Cast:
    """All jugglers, each beginning within the first beat, or the first two where all throw pairs.

    A pass of 4.5 beats goes to one who is half a beat off; who is never passed to or passes begins with the first.
    """
    starts = _starts(lines)
    parts = tuple(Part(line, starts.get(juggler, Fraction(0))) for juggler, line in enumerate(lines))
    period = max(line.loop for line in lines)
    made = tuple(
        Made(juggler, beat, hand, throw, nearest_value(throw, len(lines)), _receiver_of(throw, juggler, len(lines)))
        for juggler, line in enumerate(lines)
        for beat, hand, slot in line.until(period)
        for throw in slot.thrown
    )
    written = lines[0].beats * (1 + any(line.swaps for line in lines))
    return Cast(parts, made, period, written, alike=False)


def _receiver_of(throw: PrechacThrow, juggler: int, jugglers: int) -> int:
    """Who catches a throw that a juggler makes."""
    if throw.receiver is None:
        return juggler
    return (juggler + 1) % jugglers if throw.receiver == NEXT_JUGGLER else throw.receiver - 1


def _starts(lines: tuple[Line, ...]) -> dict[int, Fraction]:
    within = 2 if all(slot.hand is not None and slot.beat % 2 == 0 for line in lines for slot in line.slots) else 1
    neighbours: dict[int, list[tuple[int, Fraction]]] = {juggler: [] for juggler in range(len(lines))}
    for juggler, line in enumerate(lines):
        for throw in [throw for slot in line.slots for throw in slot.thrown]:
            receiver = _receiver_of(throw, juggler, len(lines))
            later = nearest_value(throw, len(lines))
            neighbours[juggler].append((receiver, later))
            neighbours[receiver].append((juggler, -later))
    starts: dict[int, Fraction] = {}
    for first in range(len(lines)):
        starts.setdefault(first, Fraction(0))
        queue = [first]
        for juggler in queue:
            for other, later in neighbours[juggler]:
                if other not in starts:
                    starts[other] = (starts[juggler] + later) % within
                    queue.append(other)
    return starts
