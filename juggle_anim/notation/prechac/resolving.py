"""Who catches each pass, when each juggler begins and what each value means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import NamedTuple, TypeVar

from juggle_anim.notation.prechac.parser import (
    Line,
    fitted_value,
    nearest_value,
)
from juggle_anim.notation.siteswap.syntax import NEXT_JUGGLER, WrittenThrow, receiver_of

Place = tuple[int, int | None]
"""A beat and a hand, None where hands take turns."""


class JugglerLine(NamedTuple):
    """The line of one juggler, when it begins [beats], and whether its hands are swapped."""

    line: Line
    start: Fraction = Fraction(0)
    mirrored: bool = False


class ResolvedThrow(NamedTuple):
    """A throw that a juggler makes on a beat, counted from the start of the juggler's own line.

    `value` is what the throw as written stands for, in beats, and `receiver` the juggler who
    catches it.
    """

    juggler: int
    beat: int
    hand: int
    throw: WrittenThrow
    value: Fraction
    receiver: int


class PassingPattern(NamedTuple):
    """A passing pattern with receivers and exact values, until all lines begin together again.

    Attributes:
        parts: one for each juggler.
        throws: of all jugglers, those of a multiplex as written.
        period: beats until then.
        written_beats: beats that the text spells out.
        is_shared_line: whether all jugglers throw one line.
    """

    parts: tuple[JugglerLine, ...]
    throws: tuple[ResolvedThrow, ...]
    period: int
    written_beats: int
    is_shared_line: bool


class CatchSlots:
    """The places where a line catches, each for as many props as it throws there.

    Args:
        line: over and over.
        beats: of the loop, whole rounds of the line; what lands later lands on the same beat of
            another loop.
    """

    def __init__(self, line: Line, beats: int) -> None:
        self.beats = beats
        self.free: Counter[Place] = Counter()
        self.single = {beat for beat, _, slot in line.until(beats) if slot.hand is None}
        for beat, hand, slot in line.until(beats):
            self.free[beat, None if slot.hand is None else hand] += len(slot.thrown)

    def place(self, beat: int, hand: int, throw: WrittenThrow) -> Place | None:
        """Return the slot in which a throw lands on a beat; None if its hand is not due."""
        slot_beat = beat % self.beats
        if slot_beat in self.single:
            return None if throw.crossing else (slot_beat, None)
        return slot_beat, landing_hand(hand, throw)


def landing_hand(hand: int, throw: WrittenThrow) -> int:
    """Return the hand a throw goes to where both may catch: odd ones cross, x reverses this."""
    return (hand + floor(throw.value) + throw.crossing) % 2


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
    items_in: dict[_P, list[int]] = defaultdict(list)
    slot_of: dict[int, _P] = {}
    for item in range(len(options)):
        if not _assign(item, options, capacity, items_in, slot_of, budget):
            return None
    return [list(options[item]).index(slot_of[item]) for item in range(len(options))]


def _assign(
    first: int,
    options: Sequence[Sequence[_P]],
    capacity: Counter[_P],
    items_in: dict[_P, list[int]],
    slot_of: dict[int, _P],
    budget: SearchBudget,
) -> bool:
    """Find a place for one more item along an augmenting path, breadth first."""
    reached_from: dict[_P, int] = {}
    queue = [first]
    for item in queue:
        for slot in options[item]:
            budget.steps -= 1
            if budget.exhausted:
                return False
            if slot in reached_from or not capacity[slot]:
                continue
            reached_from[slot] = item
            if len(items_in[slot]) < capacity[slot]:
                _augment(slot, reached_from, items_in, slot_of)
                return True
            queue.extend(items_in[slot])
    return False


def _augment(
    slot: _P, reached_from: dict[_P, int], items_in: dict[_P, list[int]], slot_of: dict[int, _P]
) -> None:
    # Walk the augmenting path back to the free item, moving each item to its new slot.
    while True:
        item = reached_from[slot]
        old_slot = slot_of.get(item)
        items_in[slot].append(item)
        slot_of[item] = slot
        if old_slot is None:
            return
        items_in[old_slot].remove(item)
        slot = old_slot


class Delay(NamedTuple):
    """The delay of each juggler after the one before, [beats], and whether with swapped hands."""

    beats: Fraction
    mirrored: bool = False


class ThrowMeaning(NamedTuple):
    """The value of a throw, [beats], how many places on it goes, and whether this is named."""

    value: Fraction
    places: int
    named: bool = True


_Options = list[tuple[Place, ThrowMeaning]]
"""The possible meanings of a throw and their landing sites; never empty."""


def resolve_shared_line(line: Line, jugglers: int, budget: SearchBudget) -> PassingPattern | None:
    """Return the first assignment with which jugglers can share a line; None without one.

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
    meets_beats = any((places * apart).denominator == 1 for places in range(1, jugglers))
    delay = (
        options[0] if meets_beats or any(throw.decimals for throw in passes) else Delay(Fraction(0))
    )
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
        (beat, hand, throw, choices[throw_index % len(choices)])
        for throw_index, (beat, hand, throw) in enumerate(_thrown(line, line.loop))
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
    """Return the beats after which a line needs the same catches again.

    Hands that take turns catch as they throw.
    """
    return line.beats if line.singles_only else line.loop


def _thrown(line: Line, beats: int = 0) -> list[tuple[int, int, WrittenThrow]]:
    rounds = line.until(beats or _round(line))
    return [(beat, hand, throw) for beat, hand, slot in rounds for throw in slot.thrown]


def _choices(
    line: Line, jugglers: int, delay: Delay, budget: SearchBudget
) -> list[ThrowMeaning] | None:
    """Return the meanings of all throws of one round; all jugglers catch alike."""
    slots = CatchSlots(line, _round(line))
    possible: dict[tuple[str, int | None], list[tuple[int, ThrowMeaning]]] = {}
    options: list[_Options] = []
    for beat, hand, throw in _thrown(line):
        # Equal throws have equal meanings: fit their values once.
        key = throw.text, throw.receiver
        if key not in possible:
            choices = _possible(throw, jugglers, delay)
            possible[key] = [
                (int(choice.value - choice.places * delay.beats), choice) for choice in choices
            ]
        slot_options = []
        for later, choice in possible[key]:
            slot = slots.place(beat + later, hand ^ (delay.mirrored and choice.places % 2), throw)
            if slot and slots.free[slot]:
                slot_options.append((slot, choice))
        budget.steps -= len(possible[key])
        if not slot_options or budget.exhausted:
            return None
        options.append(slot_options)
    # The simplest first: all passes go equally many places on.
    if chosen := _equally_far(options, slots.free):
        return chosen
    matched = match(
        [[slot for slot, _ in slot_options] for slot_options in options], slots.free, budget
    )
    return (
        [
            slot_options[option_index][1]
            for slot_options, option_index in zip(options, matched, strict=True)
        ]
        if matched is not None
        else None
    )


def _possible(throw: WrittenThrow, jugglers: int, delay: Delay) -> Iterator[ThrowMeaning]:
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
        for _, choice in max(
            options, key=lambda slot_options: (not slot_options[0][1].named, len(slot_options))
        )
    ]:
        chosen = [
            slot_options[0]
            if slot_options[0][1].named
            else next((option for option in slot_options if option[1].places == places), None)
            for slot_options in options
        ]
        if None not in chosen and Counter(option[0] for option in chosen if option) == free:
            return [option[1] for option in chosen if option]
    return None


def resolve_feed(
    fed: Line, feeder: Line, jugglers: int, budget: SearchBudget
) -> PassingPattern | None:
    """Return the first assignment with which the last juggler can feed the others.

    None where there is none.

    The feedees start equally far apart over the length of their line, and the feeder begins where
    the passes fit.
    """
    period = lcm(fed.loop, feeder.loop)
    apart = Fraction(fed.beats, jugglers - 1)
    # Wherever the feeder begins, all catch on the same beats of their own lines.
    slots = [*[CatchSlots(fed, period)] * (jugglers - 1), CatchSlots(feeder, period)]
    free: Counter[Hashable] = Counter()
    for juggler, catches in enumerate(slots):
        free.update({(juggler, slot): count for slot, count in catches.free.items()})
    for start in _feeder_starts(fed, feeder, jugglers):
        if budget.exhausted:
            return None
        parts = (
            *(JugglerLine(fed, feedee * apart) for feedee in range(jugglers - 1)),
            JugglerLine(feeder, start),
        )
        if throws := _resolved_feed(parts, period, slots, free, budget):
            return PassingPattern(
                parts, throws, period, lcm(fed.beats, feeder.beats), is_shared_line=False
            )
    return None


def guess_feed(fed: Line, feeder: Line, jugglers: int) -> PassingPattern:
    """Return what a feed that does not fit may mean: the feeder passes to all in turn."""
    period = lcm(fed.loop, feeder.loop)
    apart = Fraction(fed.beats, jugglers - 1)
    start = next(_feeder_starts(fed, feeder, jugglers), Fraction(0))
    parts = (
        *(JugglerLine(fed, feedee * apart) for feedee in range(jugglers - 1)),
        JugglerLine(feeder, start),
    )
    passes = 0
    throws = []
    for resolved, receivers in _throws_of_parts(parts, period):
        throws.append(resolved._replace(receiver=receivers[passes % len(receivers)]))
        passes += len(receivers) > 1
    return PassingPattern(
        parts, tuple(throws), period, lcm(fed.beats, feeder.beats), is_shared_line=False
    )


def _feeder_starts(fed: Line, feeder: Line, jugglers: int) -> Iterator[Fraction]:
    """Yield when the feeder may begin: the first pass to it lands on one of its beats."""
    passed = [
        (slot.beat, throw)
        for slot in fed.slots
        for throw in slot.thrown
        if throw.receiver is not None
    ]
    if passed:
        beat, throw = passed[0]
        lands = beat + nearest_value(throw, jugglers)
        yield from sorted(
            {(lands - slot.beat) % feeder.beats for slot in feeder.slots if slot.thrown}
        )


def _throws_of_parts(
    parts: tuple[JugglerLine, ...], period: int
) -> Iterator[tuple[ResolvedThrow, list[int]]]:
    """All throws, and who may catch each."""
    feeder = len(parts) - 1
    for juggler, part in enumerate(parts):
        for beat, hand, slot in part.line.until(period):
            for throw in slot.thrown:
                receivers = [juggler]
                if throw.receiver is not None:
                    fed = (
                        list(range(feeder))
                        if throw.receiver == NEXT_JUGGLER
                        else [throw.receiver - 1]
                    )
                    receivers = [feeder] if juggler != feeder else fed
                value = nearest_value(throw, len(parts))
                yield ResolvedThrow(juggler, beat, hand, throw, value, receivers[0]), receivers


def _resolved_feed(
    parts: tuple[JugglerLine, ...],
    period: int,
    slots: list[CatchSlots],
    free: Counter[Hashable],
    budget: SearchBudget,
) -> tuple[ResolvedThrow, ...] | None:
    """Return the throws of a feed with their receivers by bipartite matching; None without one."""
    candidates: list[list[ResolvedThrow]] = []
    slot_options: list[list[Hashable]] = []
    for resolved, receivers in _throws_of_parts(parts, period):
        budget.steps -= _OPTION_COST * len(receivers)
        landings = [
            (receiver, _catch_slot(resolved, receiver, parts, slots)) for receiver in receivers
        ]
        fitting = [
            (receiver, (receiver, slot))
            for receiver, slot in landings
            if slot and free[receiver, slot]
        ]
        if not fitting or budget.exhausted:
            return None
        candidates.append([resolved._replace(receiver=receiver) for receiver, _ in fitting])
        slot_options.append([slot for _, slot in fitting])
    matched = match(slot_options, free, budget)
    return (
        None
        if matched is None
        else tuple(
            options[option_index] for options, option_index in zip(candidates, matched, strict=True)
        )
    )


def _catch_slot(
    resolved: ResolvedThrow,
    receiver: int,
    parts: tuple[JugglerLine, ...],
    catch_slots: list[CatchSlots],
) -> Hashable:
    beat = resolved.beat + parts[resolved.juggler].start + resolved.value - parts[receiver].start
    return (
        catch_slots[receiver].place(int(beat), resolved.hand, resolved.throw)
        if beat.denominator == 1
        else None
    )


_OPTION_COST = 4
"""Cost of one option here, in steps of matching, since fractions take time."""


def resolve_sides(lines: tuple[Line, ...], delays: tuple[Fraction, ...] = ()) -> PassingPattern:
    """Resolve a line for each juggler.

    A pass of 4.5 beats goes to a juggler who is half a beat off; a juggler without passes begins
    with the first.

    Args:
        lines: of all jugglers.
        delays: when each begins, [beats]; without them each begins within the first beat, or the
            first two where all throw pairs. Where passes are whole and would land between beats,
            they count the beats of both lines, and take longer by as much as their receiver begins
            later.
    """
    starts = dict(enumerate(delays)) if delays else _side_starts(lines)
    parts = tuple(
        JugglerLine(line, starts.get(juggler, Fraction(0))) for juggler, line in enumerate(lines)
    )
    period = max(line.loop for line in lines)
    throws = [
        ResolvedThrow(
            juggler,
            beat,
            hand,
            throw,
            nearest_value(throw, len(lines)),
            receiver_of(throw.receiver, juggler, len(lines)),
        )
        for juggler, line in enumerate(lines)
        for beat, hand, slot in line.until(period)
        for throw in slot.thrown
    ]
    if delays:
        throws = _with_delays(throws, delays)
    written = lines[0].beats * (1 + any(line.swaps for line in lines))
    return PassingPattern(parts, tuple(throws), period, written, is_shared_line=False)


def _with_delays(throws: list[ResolvedThrow], delays: tuple[Fraction, ...]) -> list[ResolvedThrow]:
    """Return throws with values that fit the delays between thrower and receiver."""
    later = [delays[resolved.receiver] - delays[resolved.juggler] for resolved in throws]
    fitted = [
        fitted_value(resolved.throw, shift) for resolved, shift in zip(throws, later, strict=True)
    ]
    all_whole = all(resolved.value.denominator == 1 for resolved in throws)
    # Values as they would be if passes counted the beats of both lines.
    moved = [resolved.value + shift for resolved, shift in zip(throws, later, strict=True)]
    if None in fitted and all_whole and all(value > 0 for value in moved):
        return [
            resolved._replace(value=value) for resolved, value in zip(throws, moved, strict=True)
        ]
    return [
        resolved._replace(value=value or resolved.value)
        for resolved, value in zip(throws, fitted, strict=True)
    ]


def _side_starts(lines: tuple[Line, ...]) -> dict[int, Fraction]:
    """Return when each juggler begins, [beats], breadth first along the passes between them."""
    within = (
        2
        if all(
            slot.hand is not None and slot.beat % 2 == 0 for line in lines for slot in line.slots
        )
        else 1
    )
    # Graph of jugglers: an edge says by how much the receiver begins later, modulo a beat.
    neighbours: dict[int, list[tuple[int, Fraction]]] = {
        juggler: [] for juggler in range(len(lines))
    }
    for juggler, line in enumerate(lines):
        for throw in [throw for slot in line.slots for throw in slot.thrown]:
            receiver = receiver_of(throw.receiver, juggler, len(lines))
            delay = nearest_value(throw, len(lines))
            neighbours[juggler].append((receiver, delay))
            neighbours[receiver].append((juggler, -delay))
    starts: dict[int, Fraction] = {}
    for first in range(len(lines)):
        starts.setdefault(first, Fraction(0))
        # Breadth first along the passes.
        queue = [first]
        for juggler in queue:
            for neighbour, delay in neighbours[juggler]:
                if neighbour not in starts:
                    starts[neighbour] = (starts[juggler] + delay) % within
                    queue.append(neighbour)
    return starts
