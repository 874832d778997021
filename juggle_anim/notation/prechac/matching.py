"""Matching: each pass to a place where a throw is made, one for one.

MERGED: One line that all jugglers throw: how far behind one another they are, and who passes to whom.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from juggle_anim.notation.prechac.syntax import Cast, Line, Made, Part, Place, PrechacThrow, Room, fitted
from juggle_anim.notation.siteswap.syntax import NEXT_JUGGLER

_P = TypeVar("_P", bound=Hashable)


@dataclass
class Effort:
    """The steps that are left to find who passes to whom; all tries for one text share them."""

    steps: int

    @property
    def spent(self) -> bool:
        """Whether the search was given up."""
        return self.steps < 0


def match(options: Sequence[Sequence[_P]], room: Counter[_P], effort: Effort) -> list[int] | None:
    """For each item, the number of the option that it takes; None where not all can have one.

    A maximum matching of a bipartite graph by augmenting paths (H. W. Kuhn, 1955), first options first.

    Args:
        options: for each item, the places that it may take, the best first.
        room: how many items each place takes.
        effort: the steps that this may take; where they do not suffice, there is no answer.
    """
    held: dict[_P, list[int]] = defaultdict(list)
    place_of: dict[int, _P] = {}
    for item in range(len(options)):
        if not _place(item, options, room, held, place_of, effort):
            return None
    return [list(options[item]).index(place_of[item]) for item in range(len(options))]


def _place(
    first: int,
    options: Sequence[Sequence[_P]],
    room: Counter[_P],
    held: dict[_P, list[int]],
    place_of: dict[int, _P],
    effort: Effort,
) -> bool:
    """Find a place for one more item, breadth first; those in its way move on."""
    wanted_by: dict[_P, int] = {}
    queue = [first]
    for item in queue:
        for place in options[item]:
            effort.steps -= 1
            if effort.spent:
                return False
            if place in wanted_by or not room[place]:
                continue
            wanted_by[place] = item
            if len(held[place]) < room[place]:
                _move_on(place, wanted_by, held, place_of)
                return True
            queue.extend(held[place])
    return False


def _move_on(place: _P, wanted_by: dict[_P, int], held: dict[_P, list[int]], place_of: dict[int, _P]) -> None:
    while True:
        item = wanted_by[place]
        left = place_of.get(item)
        held[place].append(item)
        place_of[item] = place
        if left is None:
            return
        held[left].remove(item)
        place = left


class Delay(NamedTuple):
    """How much later than the one before each juggler begins, in beats, and whether with swapped hands."""

    beats: Fraction
    mirrored: bool = False


class Choice(NamedTuple):
    """What a throw stands for: its value in beats, how many places on its receiver is, and whether the text says so."""

    value: Fraction
    places: int
    named: bool = True


_Options = list[tuple[Place, Choice]]
"""What one throw may stand for, and where it then lands; never empty."""


def cast_alike(line: Line, jugglers: int, effort: Effort) -> Cast | None:
    """The first way in which so many jugglers can throw one line; None where they cannot.

    They share the length of the line out between them, with the same hands or with swapped ones, or else throw
    together. All passes go equally many places on, as few as possible, unless only other ways fit.
    """
    for delay in delays(line, jugglers):
        if choices := _choices(line, jugglers, delay, effort):
            return cast(line, jugglers, delay, choices)
    return None


def cast_wrongly(line: Line, jugglers: int) -> Cast:
    """The way that a line which does not fit was most likely meant."""
    ways = delays(line, jugglers)
    thrown = _thrown(line)
    passes = [throw for _, _, throw in thrown if throw.receiver is not None]
    apart = ways[0].beats
    whole = any((places * apart).denominator == 1 for places in range(1, jugglers))
    delay = ways[0] if whole or any(throw.decimals for throw in passes) else Delay(Fraction(0))
    choices = [next(_possible(throw, jugglers, delay), Choice(throw.value, 1)) for _, _, throw in thrown]
    return cast(line, jugglers, delay, choices)


def delays(line: Line, jugglers: int) -> list[Delay]:
    """How the jugglers of a line may follow one another, the likeliest first."""
    apart = Fraction(_round(line), jugglers)
    swapped = (False, True) if not line.singles_only and jugglers % 2 == 0 else (False,)
    return [Delay(beats, mirrored) for beats in (apart, Fraction(0)) for mirrored in swapped]


def cast(line: Line, jugglers: int, delay: Delay, choices: list[Choice]) -> Cast:
    """All jugglers, given what the throws of one round stand for."""
    parts = tuple(
        Part(line, juggler * delay.beats, mirrored=delay.mirrored and juggler % 2 == 1) for juggler in range(jugglers)
    )
    thrown = [
        (beat, hand, throw, choices[number % len(choices)])
        for number, (beat, hand, throw) in enumerate(_thrown(line, line.loop))
    ]
    made = tuple(
        Made(juggler, beat, hand ^ part.mirrored, throw, choice.value, (juggler + choice.places) % jugglers)
        for juggler, part in enumerate(parts)
        for beat, hand, throw, choice in thrown
    )
    return Cast(parts, made, line.loop, line.beats, alike=True)


def _round(line: Line) -> int:
    """Beats after which a line needs the same catches again: hands that take turns catch as they throw."""
    return line.beats if line.singles_only else line.loop


def _thrown(line: Line, beats: int = 0) -> list[tuple[int, int, PrechacThrow]]:
    rounds = line.until(beats or _round(line))
    return [(beat, hand, throw) for beat, hand, slot in rounds for throw in slot.thrown]


def _choices(line: Line, jugglers: int, delay: Delay, effort: Effort) -> list[Choice] | None:
    """What the throws of one round stand for; the catches of all jugglers are alike, so one juggler's are looked at."""
    room = Room(line, _round(line))
    possible: dict[tuple[str, int | None], list[tuple[int, Choice]]] = {}
    options: list[_Options] = []
    for beat, hand, throw in _thrown(line):
        key = throw.text, throw.receiver
        if key not in possible:
            choices = _possible(throw, jugglers, delay)
            possible[key] = [(int(choice.value - choice.places * delay.beats), choice) for choice in choices]
        found = []
        for later, choice in possible[key]:
            place = room.place(beat + later, hand ^ (delay.mirrored and choice.places % 2), throw)
            if place and room.free[place]:
                found.append((place, choice))
        effort.steps -= len(possible[key])
        if not found or effort.spent:
            return None
        options.append(found)
    return _equally_far(options, room.free) or _any_distance(options, room.free, effort)


def _possible(throw: PrechacThrow, jugglers: int, delay: Delay) -> Iterator[Choice]:
    if throw.receiver is None:
        yield Choice(throw.value, 0)
        return
    # Where all throw together it makes no difference to whom.
    farthest = jugglers if delay.beats else 2
    for places in range(1, farthest) if throw.receiver == NEXT_JUGGLER else (throw.receiver,):
        value = fitted(throw, places * delay.beats)
        if value is not None:
            yield Choice(value, places, throw.receiver != NEXT_JUGGLER)


def _equally_far(options: list[_Options], free: Counter[Place]) -> list[Choice] | None:
    """All passes that name no receiver to those equally many places on."""
    for places in [choice.places for _, choice in max(options, key=lambda found: (not found[0][1].named, len(found)))]:
        chosen = [_at(found, places) for found in options]
        if None not in chosen and Counter(option[0] for option in chosen if option) == free:
            return [option[1] for option in chosen if option]
    return None


def _at(found: _Options, places: int) -> tuple[Place, Choice] | None:
    if found[0][1].named:
        return found[0]
    return next((option for option in found if option[1].places == places), None)


def _any_distance(options: list[_Options], free: Counter[Place], effort: Effort) -> list[Choice] | None:
    taken = match([[place for place, _ in found] for found in options], free, effort)
    return [found[number][1] for found, number in zip(options, taken, strict=True)] if taken is not None else None
