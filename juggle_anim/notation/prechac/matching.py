"""Shared lines: how far apart the jugglers of one line start, and who catches each pass, by
bipartite matching.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from juggle_anim.notation.prechac.syntax import (
    CatchSlots,
    JugglerLine,
    Line,
    PassingPattern,
    Place,
    PrechacThrow,
    ResolvedThrow,
    fitted_value,
)
from juggle_anim.notation.siteswap.syntax import NEXT_JUGGLER

_P = TypeVar("_P", bound=Hashable)


@dataclass
class SearchBudget:
    """The steps left to find who passes to whom; all attempts for one text share them."""

    steps: int

    @property
    def exhausted(self) -> bool:
        """Whether no steps are left."""
        return self.steps < 0


def match(
    options: Sequence[Sequence[_P]], capacity: Counter[_P], budget: SearchBudget
) -> list[int] | None:
    """For each item, the number of the option that it takes; None where not all can have one.

    A maximum matching of a bipartite graph by augmenting paths (H. W. Kuhn, 1955), first options
    first.

    Args:
        options: for each item, the places that it may take, the best first.
        capacity: how many items each place takes.
        budget: the steps that this may take; the answer is None when they run out.
    """
    held: dict[_P, list[int]] = defaultdict(list)
    place_of: dict[int, _P] = {}
    for item in range(len(options)):
        if not _place(item, options, capacity, held, place_of, budget):
            return None
    return [list(options[item]).index(place_of[item]) for item in range(len(options))]


def _place(
    first: int,
    options: Sequence[Sequence[_P]],
    capacity: Counter[_P],
    held: dict[_P, list[int]],
    place_of: dict[int, _P],
    budget: SearchBudget,
) -> bool:
    """Find a place for one more item along an augmenting path, breadth first."""
    wanted_by: dict[_P, int] = {}
    queue = [first]
    for item in queue:
        for place in options[item]:
            budget.steps -= 1
            if budget.exhausted:
                return False
            if place in wanted_by or not capacity[place]:
                continue
            wanted_by[place] = item
            if len(held[place]) < capacity[place]:
                _augment(place, wanted_by, held, place_of)
                return True
            queue.extend(held[place])
    return False


def _augment(
    place: _P, wanted_by: dict[_P, int], held: dict[_P, list[int]], place_of: dict[int, _P]
) -> None:
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
    """The delay of each juggler after the one before, [beats], and whether with swapped hands."""

    beats: Fraction
    mirrored: bool = False


class ThrowMeaning(NamedTuple):
    """The meaning of a throw: its value in beats, the receiver's distance in jugglers, and whether
    the text says so.
    """

    value: Fraction
    places: int
    named: bool = True


_Options = list[tuple[Place, ThrowMeaning]]
"""The possible meanings of a throw and their landing sites; never empty."""


def resolve_shared_line(line: Line, jugglers: int, budget: SearchBudget) -> PassingPattern | None:
    """Return the first assignment with which so many jugglers can throw one line; None where there
    is none.

    They start equally far apart over the length of the line, with the same hands or with swapped
    ones, or else all together, or else over the length of the line without its `*`. All passes go
    equally many jugglers on, as few as possible, unless only other assignments fit.
    """
    for delay in delays(line, jugglers):
        if choices := _choices(line, jugglers, delay, budget):
            return shared_line_pattern(line, jugglers, delay, choices)
    return None


def guess_shared_line(line: Line, jugglers: int) -> PassingPattern:
    """Return what a line that does not fit most likely means."""
    options = delays(line, jugglers)
    thrown = _thrown(line)
    passes = [throw for _, _, throw in thrown if throw.receiver is not None]
    apart = options[0].beats
    whole = any((places * apart).denominator == 1 for places in range(1, jugglers))
    delay = options[0] if whole or any(throw.decimals for throw in passes) else Delay(Fraction(0))
    choices = [
        next(_possible(throw, jugglers, delay), ThrowMeaning(throw.value, 1))
        for _, _, throw in thrown
    ]
    return shared_line_pattern(line, jugglers, delay, choices)


def delays(line: Line, jugglers: int) -> list[Delay]:
    """Return how far apart the jugglers of a line may start, the likeliest first."""
    apart = Fraction(_round(line), jugglers)
    written = Fraction(line.beats, jugglers)
    swapped = (False, True) if not line.singles_only and jugglers % 2 == 0 else (False,)
    # A line that a * swaps is twice as long as it is written.
    tried = (apart, Fraction(0), written) if written != apart else (apart, Fraction(0))
    return [Delay(beats, mirrored) for beats in tried for mirrored in swapped]


def shared_line_pattern(
    line: Line, jugglers: int, delay: Delay, choices: list[ThrowMeaning]
) -> PassingPattern:
    """Return the throws of all jugglers, given what the throws of one round mean."""
    parts = tuple(
        JugglerLine(line, juggler * delay.beats, mirrored=delay.mirrored and juggler % 2 == 1)
        for juggler in range(jugglers)
    )
    thrown = [
        (beat, hand, throw, choices[number % len(choices)])
        for number, (beat, hand, throw) in enumerate(_thrown(line, line.loop))
    ]
    throws = tuple(
        ResolvedThrow(
            juggler,
            beat,
            hand ^ part.mirrored,
            throw,
            choice.value,
            (juggler + choice.places) % jugglers,
        )
        for juggler, part in enumerate(parts)
        for beat, hand, throw, choice in thrown
    )
    return PassingPattern(parts, throws, line.loop, line.beats, is_shared_line=True)


def _round(line: Line) -> int:
    """Beats after which a line needs the same catches again: hands that take turns catch as they
    throw.
    """
    return line.beats if line.singles_only else line.loop


def _thrown(line: Line, beats: int = 0) -> list[tuple[int, int, PrechacThrow]]:
    rounds = line.until(beats or _round(line))
    return [(beat, hand, throw) for beat, hand, slot in rounds for throw in slot.thrown]


def _choices(
    line: Line, jugglers: int, delay: Delay, budget: SearchBudget
) -> list[ThrowMeaning] | None:
    """Return the meanings of all throws of one round. All jugglers catch alike, so one juggler's
    catches decide.
    """
    slots = CatchSlots(line, _round(line))
    possible: dict[tuple[str, int | None], list[tuple[int, ThrowMeaning]]] = {}
    options: list[_Options] = []
    for beat, hand, throw in _thrown(line):
        key = throw.text, throw.receiver
        if key not in possible:
            choices = _possible(throw, jugglers, delay)
            possible[key] = [
                (int(choice.value - choice.places * delay.beats), choice) for choice in choices
            ]
        found = []
        for later, choice in possible[key]:
            place = slots.place(beat + later, hand ^ (delay.mirrored and choice.places % 2), throw)
            if place and slots.free[place]:
                found.append((place, choice))
        budget.steps -= len(possible[key])
        if not found or budget.exhausted:
            return None
        options.append(found)
    if chosen := _equally_far(options, slots.free):
        return chosen
    taken = match([[place for place, _ in found] for found in options], slots.free, budget)
    return (
        [found[number][1] for found, number in zip(options, taken, strict=True)]
        if taken is not None
        else None
    )


def _possible(throw: PrechacThrow, jugglers: int, delay: Delay) -> Iterator[ThrowMeaning]:
    if throw.receiver is None:
        yield ThrowMeaning(throw.value, 0)
        return
    # Where all throw together it makes no difference to whom.
    farthest = jugglers if delay.beats else 2
    for places in range(1, farthest) if throw.receiver == NEXT_JUGGLER else (throw.receiver,):
        value = fitted_value(throw, places * delay.beats)
        if value is not None:
            yield ThrowMeaning(value, places, throw.receiver != NEXT_JUGGLER)


def _equally_far(options: list[_Options], free: Counter[Place]) -> list[ThrowMeaning] | None:
    """All passes that name no receiver to those equally many places on."""
    for places in [
        choice.places
        for _, choice in max(options, key=lambda found: (not found[0][1].named, len(found)))
    ]:
        chosen = [
            found[0]
            if found[0][1].named
            else next((each for each in found if each[1].places == places), None)
            for found in options
        ]
        if None not in chosen and Counter(option[0] for option in chosen if option) == free:
            return [option[1] for option in chosen if option]
    return None
