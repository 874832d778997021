"""A feed: some jugglers who throw one line by turns, and one who throws another and passes to all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from math import lcm

from juggle_anim.notation.prechac.matching import Effort, match
from juggle_anim.notation.prechac.parts import Cast, Made, Part, Room
from juggle_anim.notation.prechac.syntax import Line
from juggle_anim.notation.prechac.values import nearest_value
from juggle_anim.notation.syntax import NEXT_JUGGLER


def cast_feed(fed: Line, feeder: Line, jugglers: int, effort: Effort) -> Cast | None:
    """The first way in which a feeder, the last of so many jugglers, can feed the others; None where nobody can.

    Those who are fed share the length of their line out between them, and the feeder begins where the passes fit.
    """
    period = lcm(fed.loop, feeder.loop)
    apart = Fraction(fed.beats, jugglers - 1)
    # Wherever the feeder begins, all catch on the same beats of their own lines.
    rooms = [*[Room(fed, period)] * (jugglers - 1), Room(feeder, period)]
    free: Counter[Hashable] = Counter()
    for juggler, room in enumerate(rooms):
        free.update({(juggler, place): count for place, count in room.free.items()})
    for start in _starts(fed, feeder, jugglers):
        if effort.spent:
            return None
        parts = (*(Part(fed, number * apart) for number in range(jugglers - 1)), Part(feeder, start))
        if made := _made(parts, period, rooms, free, effort):
            return Cast(parts, made, period, lcm(fed.beats, feeder.beats), alike=False)
    return None


def cast_feed_wrongly(fed: Line, feeder: Line, jugglers: int) -> Cast:
    """A way in which a feed that does not fit may have been meant: the feeder passes to all by turns."""
    period = lcm(fed.loop, feeder.loop)
    apart = Fraction(fed.beats, jugglers - 1)
    start = next(_starts(fed, feeder, jugglers), Fraction(0))
    parts = (*(Part(fed, number * apart) for number in range(jugglers - 1)), Part(feeder, start))
    passes = 0
    made = []
    for each, receivers in _throws(parts, period):
        made.append(each._replace(receiver=receivers[passes % len(receivers)]))
        passes += len(receivers) > 1
    return Cast(parts, tuple(made), period, lcm(fed.beats, feeder.beats), alike=False)


def _starts(fed: Line, feeder: Line, jugglers: int) -> Iterator[Fraction]:
    """When the feeder may begin: so that the first pass that is thrown to it lands on one of its beats."""
    passed = [(slot.beat, throw) for slot in fed.slots for throw in slot.thrown if throw.receiver is not None]
    if passed:
        beat, throw = passed[0]
        lands = beat + nearest_value(throw, jugglers)
        yield from sorted({(lands - slot.beat) % feeder.beats for slot in feeder.slots if slot.thrown})


def _throws(parts: tuple[Part, ...], period: int) -> Iterator[tuple[Made, list[int]]]:
    """All throws, and who may catch each."""
    feeder = len(parts) - 1
    for juggler, part in enumerate(parts):
        for beat, hand, slot in part.line.until(period):
            for throw in slot.thrown:
                receivers = [juggler]
                if throw.receiver is not None:
                    receivers = [feeder] if juggler != feeder else _fed_by(throw.receiver, feeder)
                yield Made(juggler, beat, hand, throw, nearest_value(throw, len(parts)), receivers[0]), receivers


def _fed_by(receiver: int, feeder: int) -> list[int]:
    return list(range(feeder)) if receiver == NEXT_JUGGLER else [receiver - 1]


def _made(
    parts: tuple[Part, ...], period: int, rooms: list[Room], free: Counter[Hashable], effort: Effort
) -> tuple[Made, ...] | None:
    found: list[list[Made]] = []
    places: list[list[Hashable]] = []
    for each, receivers in _throws(parts, period):
        effort.steps -= _STEPS * len(receivers)
        ways = [(receiver, _place(each, receiver, parts, rooms)) for receiver in receivers]
        fitting = [(receiver, (receiver, place)) for receiver, place in ways if place and free[receiver, place]]
        if not fitting or effort.spent:
            return None
        found.append([each._replace(receiver=receiver) for receiver, _ in fitting])
        places.append([place for _, place in fitting])
    taken = match(places, free, effort)
    return None if taken is None else tuple(ways[number] for ways, number in zip(found, taken, strict=True))


def _place(made: Made, receiver: int, parts: tuple[Part, ...], rooms: list[Room]) -> Hashable:
    beat = made.beat + parts[made.juggler].start + made.value - parts[receiver].start
    return rooms[receiver].place(int(beat), made.hand, made.throw) if beat.denominator == 1 else None


_STEPS = 4
"""What one way to throw costs here, in the steps of matching, since broken beats take time."""
