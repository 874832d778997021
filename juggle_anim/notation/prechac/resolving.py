"""Who catches each pass, when each juggler begins and what each value means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from math import floor, lcm
from typing import NamedTuple, TypeVar

from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.prechac.parser import (
    Line,
    fitted_value,
    nearest_value,
)
from juggle_anim.notation.siteswap.syntax import NEXT_JUGGLER, WrittenThrow, receiver_of

CatchSlot = tuple[int, int | None]
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
        juggler_lines: one for each juggler.
        throws: of all jugglers, those of a multiplex as written.
        period: beats until then.
        written_beats: beats that the text spells out.
        is_shared_line: whether all jugglers throw one line.
    """

    juggler_lines: tuple[JugglerLine, ...]
    throws: tuple[ResolvedThrow, ...]
    period: int
    written_beats: int
    is_shared_line: bool


class CatchSlots:
    """The beats and hands at which a line catches, each for as many props as it throws there.

    Args:
        line: the line, repeated.
        beats: length of the loop, whole rounds of the line; later landings are counted on the same
            beat of the loop.

    Attributes:
        capacity: for each slot how many props land there.
        single_beats: the beats on which hands take turns.
    """

    def __init__(self, line: Line, beats: int) -> None:
        self.beats = beats
        self.capacity: Counter[CatchSlot] = Counter()
        self.single_beats = {beat for beat, _, slot in line.until(beats) if slot.hand is None}
        for beat, hand, slot in line.until(beats):
            self.capacity[beat, None if slot.hand is None else hand] += len(slot.thrown)

    def landing_slot(self, beat: int, hand: int, throw: WrittenThrow) -> CatchSlot | None:
        """Return the slot in which a throw lands.

        Args:
            beat: of the landing, counted on the line that catches.
            hand: that throws, 0 left and 1 right.
            throw: as written.

        Returns:
            None for a crossing throw to a beat on which hands take turns: an x means nothing there.
        """
        slot_beat = beat % self.beats
        if slot_beat in self.single_beats:
            return None if throw.crossing else (slot_beat, None)
        return slot_beat, landing_hand(hand, throw)


def landing_hand(hand: int, throw: WrittenThrow) -> int:
    """Hand that catches a throw where both hands may: odd values cross, and an x reverses this.

    Args:
        hand: that throws, 0 left and 1 right.
        throw: as written; of a fractional value the whole beats count.
    """
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
    """Assign each item one of its options, within the capacity of each option.

    This finds a maximum matching of a bipartite graph by augmenting paths (H. W. Kuhn, 1955). The
    options of an item are tried in their order.

    Args:
        options: for each item the slots that it may take, the best first.
        capacity: how many items each slot takes.
        budget: the steps that the search may take; it is used up by them.

    Returns:
        For each item the index of its slot among its options; None if not all items can have one,
        or the budget runs out.
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
    """Find a slot for one more item along an augmenting path, breadth first.

    Items that have slots may be moved to others of their options.

    Args:
        first: the item without a slot.
        options: for each item the slots that it may take.
        capacity: how many items each slot takes.
        items_in: the items in each slot; updated.
        slot_of: the slot of each item that has one; updated.
        budget: the steps left; used up by the search.

    Returns:
        Whether a slot was found.
    """
    # Each visited slot with the item that can move into it.
    reached_from: dict[_P, int] = {}
    # Grows while it is run through: items whose slots are full, and who might move elsewhere.
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
    """Move each item on an augmenting path into its new slot; updates `items_in` and `slot_of`.

    Args:
        slot: end of the path, a slot with room.
        reached_from: for each slot on the path the item that moves into it.
        items_in: the items in each slot.
        slot_of: the slot of each item that has one.
    """
    # From the end of the path back to the item that has no slot yet.
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
    """Possible meaning of a written throw.

    Args:
        value: exact value, [beats].
        places: by how many jugglers on it is passed; 0 for a self throw.
        named: whether the text says this, as 3p2 does.
    """

    value: Fraction
    places: int
    named: bool = True


class _Option(NamedTuple):
    """A possible meaning of a throw, and the slot in which it lands then."""

    slot: CatchSlot
    meaning: ThrowMeaning


_Options = list[_Option]
"""The possible meanings of a throw; never empty."""


def resolve_shared_line(line: Line, jugglers: int, budget: SearchBudget) -> PassingPattern | None:
    """Find who catches each pass when all jugglers throw the same line.

    They start equally far apart over the length of the line, with the same hands or with swapped
    ones, or else all together, or else over the length of the line without its `*`. All passes go
    equally many jugglers on, as few as possible, unless only other assignments fit.

    Args:
        line: what each of them throws.
        jugglers: their number.
        budget: steps of the search; used up by it.

    Returns:
        The first assignment that fits; None if there is none, or the budget runs out.
    """
    for delay in delays(line, jugglers):
        if choices := _choices(line, jugglers, delay, budget):
            return shared_line_pattern(line, jugglers, delay, choices)
    return None


def guess_shared_line(line: Line, jugglers: int) -> PassingPattern:
    """Guess what a shared line means that does not fit together, for an error message.

    Landings of the pattern may collide; its jugglers start equally far apart, or together where
    whole values could not be passes between them otherwise.

    Args:
        line: what each of them throws.
        jugglers: their number.
    """
    likeliest = delays(line, jugglers)[0]
    throws = _throws_of_round(line)
    has_fractional_pass = any(
        throw.decimals for _, _, throw in throws if throw.receiver is not None
    )
    # Whether passes of whole beats reach the beats of some other juggler.
    meets_beats = any((places * likeliest.beats).denominator == 1 for places in range(1, jugglers))
    delay = likeliest if meets_beats or has_fractional_pass else Delay(Fraction(0))
    # A throw without any possible meaning goes to the next juggler as written.
    choices = [
        next(_possible(throw, jugglers, delay), ThrowMeaning(throw.value, 1))
        for _, _, throw in throws
    ]
    return shared_line_pattern(line, jugglers, delay, choices)


def delays(line: Line, jugglers: int) -> list[Delay]:
    """Return how far apart the jugglers of a shared line may start, the likeliest first.

    They are spread over a round of the line, or start together, or are spread over the line without
    its `*`. Each of these comes with the same hands for all, and, if that makes a difference, with
    hands swapped for every second juggler.

    Args:
        line: what each of them throws.
        jugglers: their number.
    """
    over_round = Fraction(_beats_per_round(line), jugglers)
    over_written_line = Fraction(line.beats, jugglers)
    beats_apart = [over_round, Fraction(0)]
    # A line that a * swaps is twice as long as it is written.
    if over_written_line != over_round:
        beats_apart.append(over_written_line)
    # Where hands take turns, swapped hands are a delay of one beat. In a circle of an odd number,
    # two neighbours would have the same hands.
    mirror_options = (False, True) if not line.singles_only and jugglers % 2 == 0 else (False,)
    return [Delay(beats, mirrored) for beats in beats_apart for mirrored in mirror_options]


def shared_line_pattern(
    line: Line, jugglers: int, delay: Delay, choices: list[ThrowMeaning]
) -> PassingPattern:
    """Return the pattern of jugglers who throw the same line, given the meanings of its throws.

    Args:
        line: what each of them throws.
        jugglers: their number.
        delay: of each juggler after the one before.
        choices: meanings of the throws of one round, in their order.
    """
    juggler_lines = tuple(
        JugglerLine(line, juggler * delay.beats, mirrored=delay.mirrored and juggler % 2 == 1)
        for juggler in range(jugglers)
    )
    # The loop has one round or two; in a second one the same meanings hold.
    throws_of_loop = [
        (beat, hand, throw, choices[throw_index % len(choices)])
        for throw_index, (beat, hand, throw) in enumerate(_throws_of_round(line, line.loop))
    ]
    throws = tuple(
        ResolvedThrow(
            juggler,
            beat,
            hand=hand ^ juggler_line.mirrored,
            throw=throw,
            value=choice.value,
            receiver=(juggler + choice.places) % jugglers,
        )
        for juggler, juggler_line in enumerate(juggler_lines)
        for beat, hand, throw, choice in throws_of_loop
    )
    return PassingPattern(
        juggler_lines, throws, period=line.loop, written_beats=line.beats, is_shared_line=True
    )


def _beats_per_round(line: Line) -> int:
    """Beats after which a line needs the same catches again.

    Where hands take turns, the hand whose turn it is catches, so it does not matter that an odd
    line swaps hands.
    """
    return line.beats if line.singles_only else line.loop


def _throws_of_round(line: Line, beats: int = 0) -> list[tuple[int, int, WrittenThrow]]:
    """Beat, hand and throw of all throws but zeros, in one round or over a number of beats."""
    rounds = line.until(beats or _beats_per_round(line))
    return [(beat, hand, throw) for beat, hand, slot in rounds for throw in slot.thrown]


def _choices(
    line: Line, jugglers: int, delay: Delay, budget: SearchBudget
) -> list[ThrowMeaning] | None:
    """Choose the meanings of all throws of one round so that each lands in a slot of its own.

    All jugglers throw and catch alike, so landings are counted on one line. Uses up the budget.

    Args:
        line: what each juggler throws.
        jugglers: their number.
        delay: of each juggler after the one before.
        budget: steps of the search.

    Returns:
        A meaning for each throw; None if none fit, or the budget runs out.
    """
    # A slot is a beat of the line, and a hand if both throw then: where props may be caught.
    slots = CatchSlots(line, _beats_per_round(line))
    # The meanings of each throw by its text and receiver, each with the beats from the throw to
    # its landing, as counted on the line of the receiver, who began later.
    possible: dict[tuple[str, int | None], list[tuple[int, ThrowMeaning]]] = {}
    options: list[_Options] = []
    for beat, hand, throw in _throws_of_round(line):
        # Equal throws have equal meanings: fit their values once.
        key = throw.text, throw.receiver
        if key not in possible:
            choices = _possible(throw, jugglers, delay)
            possible[key] = [
                (int(choice.value - choice.places * delay.beats), choice) for choice in choices
            ]
        slot_options = []
        for beats_later, choice in possible[key]:
            # Seen from a receiver whose hands are swapped, the other hand throws.
            relative_hand = hand ^ (delay.mirrored and choice.places % 2)
            slot = slots.landing_slot(beat + beats_later, relative_hand, throw)
            if slot and slots.capacity[slot]:
                slot_options.append(_Option(slot, choice))
        budget.steps -= len(possible[key])
        if not slot_options or budget.exhausted:
            return None
        options.append(slot_options)
    # The simplest first: all passes go equally many places on.
    if chosen := _equally_far(options, slots.capacity):
        return chosen
    matched = match(
        [[option.slot for option in slot_options] for slot_options in options],
        slots.capacity,
        budget,
    )
    if matched is None:
        return None
    return [
        slot_options[option_index].meaning
        for slot_options, option_index in zip(options, matched, strict=True)
    ]


def _possible(throw: WrittenThrow, jugglers: int, delay: Delay) -> Iterator[ThrowMeaning]:
    """Yield the meanings of a throw that land on beats of a receiver, the nearest receiver first.

    Args:
        throw: as written.
        jugglers: their number.
        delay: of each juggler after the one before.
    """
    if throw.receiver is None:
        # A self throw.
        yield ThrowMeaning(throw.value, 0)
        return
    if throw.receiver == NEXT_JUGGLER:
        # A p alone may go to anybody. Where all start together every receiver is alike, so that the
        # next one is enough.
        all_places = range(1, jugglers if delay.beats else 2)
    else:
        all_places = range(throw.receiver, throw.receiver + 1)
    for places in all_places:
        value = fitted_value(throw, places * delay.beats)
        if value is not None:
            yield ThrowMeaning(value, places, throw.receiver != NEXT_JUGGLER)


def _equally_far(
    options: list[_Options], capacity: Counter[CatchSlot]
) -> list[ThrowMeaning] | None:
    """Return meanings with which all passes that name no receiver go equally many jugglers on.

    Args:
        options: for each throw its possible meanings and their slots.
        capacity: for each slot how many props land there.

    Returns:
        A meaning for each throw, with as few places on as possible; None if none fit.
    """
    # The places to try are those of the throw with the most meanings among passes that name no
    # receiver. All other throws, which name one or are no passes, have one meaning in each attempt.
    freest = max(
        options, key=lambda slot_options: (not slot_options[0].meaning.named, len(slot_options))
    )
    for places in [option.meaning.places for option in freest]:
        chosen = [
            option
            for slot_options in options
            for option in slot_options
            if option.meaning.named or option.meaning.places == places
        ]
        # They fit if each throw has a meaning, and each slot gets as many props as are thrown
        # from it.
        if len(chosen) == len(options) and Counter(option.slot for option in chosen) == capacity:
            return [option.meaning for option in chosen]
    return None


def resolve_feed(
    fed: Line, feeder: Line, jugglers: int, budget: SearchBudget
) -> PassingPattern | None:
    """Find who catches each pass of a feed, in which the last juggler passes to all others.

    The feedees start equally far apart over the length of their line, and the feeder begins where
    the passes fit.

    Args:
        fed: line of each feedee.
        feeder: line of the feeder.
        jugglers: their number, with the feeder.
        budget: steps of the search; used up by it.

    Returns:
        The first assignment that fits; None if there is none, or the budget runs out.
    """
    period = lcm(fed.loop, feeder.loop)
    # The slots in which each juggler catches, on the beats of the juggler's own line: these are the
    # same wherever the feeder begins. Slots of all jugglers together are counted by
    # (juggler, slot).
    slots = [*[CatchSlots(fed, period)] * (jugglers - 1), CatchSlots(feeder, period)]
    capacity: Counter[Hashable] = Counter()
    for juggler, catches in enumerate(slots):
        capacity.update({(juggler, slot): count for slot, count in catches.capacity.items()})
    for start in _feeder_starts(fed, feeder, jugglers):
        if budget.exhausted:
            return None
        juggler_lines = _feed_lines(fed, feeder, jugglers, start)
        if throws := _resolved_feed(juggler_lines, period, slots, capacity, budget):
            return PassingPattern(
                juggler_lines,
                throws,
                period=period,
                written_beats=lcm(fed.beats, feeder.beats),
                is_shared_line=False,
            )
    return None


def guess_feed(fed: Line, feeder: Line, jugglers: int) -> PassingPattern:
    """Guess what a feed means that does not fit together, for an error message.

    The feeder passes to the feedees in turn. Landings of the pattern may collide.

    Args:
        fed: line of each feedee.
        feeder: line of the feeder.
        jugglers: their number, with the feeder.
    """
    period = lcm(fed.loop, feeder.loop)
    start = next(_feeder_starts(fed, feeder, jugglers), Fraction(0))
    juggler_lines = _feed_lines(fed, feeder, jugglers, start)
    passes_of_feeder = 0
    throws = []
    for resolved, receivers in _throws_of_feed(juggler_lines, period):
        receiver = receivers[passes_of_feeder % len(receivers)]
        throws.append(resolved._replace(receiver=receiver))
        # Only a pass of the feeder that names nobody has several receivers.
        if len(receivers) > 1:
            passes_of_feeder += 1
    return PassingPattern(
        juggler_lines,
        tuple(throws),
        period=period,
        written_beats=lcm(fed.beats, feeder.beats),
        is_shared_line=False,
    )


def _feed_lines(fed: Line, feeder: Line, jugglers: int, start: Fraction) -> tuple[JugglerLine, ...]:
    """Lines of all jugglers: the feedees equally far apart, and the feeder from `start` on."""
    feedee_spacing = Fraction(fed.beats, jugglers - 1)
    return (
        *(JugglerLine(fed, feedee * feedee_spacing) for feedee in range(jugglers - 1)),
        JugglerLine(feeder, start),
    )


def _feeder_starts(fed: Line, feeder: Line, jugglers: int) -> Iterator[Fraction]:
    """Yield the beats at which the feeder may begin, in order.

    They are those with which the first pass of the first feedee lands on a beat of the feeder's
    line; without passes there are none.

    Args:
        fed: line of each feedee.
        feeder: line of the feeder.
        jugglers: their number, with the feeder.
    """
    passes = [
        (slot.beat, throw)
        for slot in fed.slots
        for throw in slot.thrown
        if throw.receiver is not None
    ]
    if passes:
        beat, throw = passes[0]
        landing = beat + nearest_value(throw, jugglers)
        yield from sorted(
            {(landing - slot.beat) % feeder.beats for slot in feeder.slots if slot.thrown}
        )


def _throws_of_feed(
    juggler_lines: tuple[JugglerLine, ...], period: int
) -> Iterator[tuple[ResolvedThrow, list[int]]]:
    """Yield all throws of a feed with the jugglers who may catch each.

    The receiver in a throw is the first of these.

    Args:
        juggler_lines: of all jugglers, the feeder last.
        period: beats until the lines begin together again.
    """
    feeder = len(juggler_lines) - 1
    for juggler, juggler_line in enumerate(juggler_lines):
        for beat, hand, slot in juggler_line.line.until(period):
            for throw in slot.thrown:
                if throw.receiver is None:
                    receivers = [juggler]
                elif juggler != feeder:
                    # Feedees pass to the feeder only.
                    receivers = [feeder]
                elif throw.receiver == NEXT_JUGGLER:
                    receivers = list(range(feeder))
                else:
                    receivers = [throw.receiver - 1]
                resolved = ResolvedThrow(
                    juggler,
                    beat,
                    hand=hand,
                    throw=throw,
                    value=nearest_value(throw, len(juggler_lines)),
                    receiver=receivers[0],
                )
                yield resolved, receivers


def _resolved_feed(
    juggler_lines: tuple[JugglerLine, ...],
    period: int,
    slots: list[CatchSlots],
    capacity: Counter[Hashable],
    budget: SearchBudget,
) -> tuple[ResolvedThrow, ...] | None:
    """Choose a receiver for each throw of a feed so that each lands in a slot of its own.

    The choice is a bipartite matching of throws and slots, and uses up the budget.

    Args:
        juggler_lines: of all jugglers, the feeder last.
        period: beats until the lines begin together again.
        slots: of each juggler.
        capacity: for each (juggler, slot) how many props land there.
        budget: steps of the search.

    Returns:
        The throws with their receivers; None if none fit, or the budget runs out.
    """
    # For each throw the receivers at which it can land, and in parallel their slots.
    candidates: list[list[ResolvedThrow]] = []
    slot_options: list[list[Hashable]] = []
    for resolved, receivers in _throws_of_feed(juggler_lines, period):
        budget.steps -= _OPTION_COST * len(receivers)
        landings = [
            (receiver, _catch_slot(resolved, receiver, juggler_lines, slots))
            for receiver in receivers
        ]
        fitting = [
            (receiver, (receiver, slot))
            for receiver, slot in landings
            if slot and capacity[receiver, slot]
        ]
        if not fitting or budget.exhausted:
            return None
        candidates.append([resolved._replace(receiver=receiver) for receiver, _ in fitting])
        slot_options.append([slot for _, slot in fitting])
    matched = match(slot_options, capacity, budget)
    if matched is None:
        return None
    return tuple(
        options[option_index] for options, option_index in zip(candidates, matched, strict=True)
    )


def _catch_slot(
    resolved: ResolvedThrow,
    receiver: int,
    juggler_lines: tuple[JugglerLine, ...],
    catch_slots: list[CatchSlots],
) -> Hashable:
    """Return the slot of a receiver in which a throw lands.

    Args:
        resolved: the throw; its own receiver does not count.
        receiver: index of the juggler who would catch it.
        juggler_lines: of all jugglers.
        catch_slots: of all jugglers.

    Returns:
        None if it lands between the receiver's beats, or in no slot.
    """
    # Both lines count beats from their own start.
    beat = (
        resolved.beat
        + juggler_lines[resolved.juggler].start
        + resolved.value
        - juggler_lines[receiver].start
    )
    if beat.denominator > 1:
        return None
    return catch_slots[receiver].landing_slot(int(beat), resolved.hand, resolved.throw)


_OPTION_COST = 4
"""Cost of one possible receiver, in steps of matching, since fractions take time."""


def resolve_sides(lines: tuple[Line, ...], delays: tuple[Fraction, ...] = ()) -> PassingPattern:
    """Resolve a text with a line for each juggler.

    The receivers are written, so only starts and exact values follow from the text: a pass of 4.5
    beats goes to a juggler who is half a beat off. A juggler without passes begins with the first.

    Args:
        lines: of all jugglers.
        delays: when each juggler begins, [beats]. If it is empty, each begins within the first
            beat, or within the first two where all throw pairs. If all values are whole but would
            land between beats, a value is the difference of beat numbers of both lines, and the
            throw takes longer by as much as its receiver begins later.
    """
    starts = dict(enumerate(delays)) if delays else _side_starts(lines)
    juggler_lines = tuple(
        JugglerLine(line, starts.get(juggler, Fraction(0))) for juggler, line in enumerate(lines)
    )
    period = max(line.loop for line in lines)
    throws = [
        ResolvedThrow(
            juggler,
            beat,
            hand=hand,
            throw=throw,
            value=nearest_value(throw, len(lines)),
            receiver=receiver_of(throw.receiver, juggler, len(lines)),
        )
        for juggler, line in enumerate(lines)
        for beat, hand, slot in line.until(period)
        for throw in slot.thrown
    ]
    if delays:
        throws = _with_delays(throws, delays)
    # All sides are equally long; a * writes a second round with swapped hands.
    rounds = 2 if any(line.swaps for line in lines) else 1
    return PassingPattern(
        juggler_lines,
        tuple(throws),
        period=period,
        written_beats=lines[0].beats * rounds,
        is_shared_line=False,
    )


def _with_delays(throws: list[ResolvedThrow], delays: tuple[Fraction, ...]) -> list[ResolvedThrow]:
    """Give throws exact values that fit the delays between thrower and receiver.

    Args:
        throws: with the values as written.
        delays: when each juggler begins, [beats].
    """
    # By how many beats each receiver begins after the thrower.
    receiver_delays = [delays[resolved.receiver] - delays[resolved.juggler] for resolved in throws]
    fitted = [
        fitted_value(resolved.throw, delay)
        for resolved, delay in zip(throws, receiver_delays, strict=True)
    ]
    all_whole = all(resolved.value.denominator == 1 for resolved in throws)
    # Values if each pass is written as the difference of beat numbers, both lines counting from
    # their own start. This holds where all values are whole but would land between beats.
    shifted = [
        resolved.value + delay for resolved, delay in zip(throws, receiver_delays, strict=True)
    ]
    if None in fitted and all_whole and all(value > 0 for value in shifted):
        return [
            resolved._replace(value=value) for resolved, value in zip(throws, shifted, strict=True)
        ]
    # A throw that does not fit keeps its value, and is refused later with a message.
    return [
        resolved._replace(value=value or resolved.value)
        for resolved, value in zip(throws, fitted, strict=True)
    ]


def _side_starts(lines: tuple[Line, ...]) -> dict[int, Fraction]:
    """Return when each juggler begins, [beats], as follows from the values of passes between them.

    The first juggler begins at 0, and so does the first of each further group that is connected
    with no earlier one by passes.

    Args:
        lines: of all jugglers.
    """
    # Starts count modulo a beat, or modulo two where all throw with both hands every second beat.
    only_pairs = all(
        slot.hand is not None and slot.beat % 2 == 0 for line in lines for slot in line.slots
    )
    modulus = 2 if only_pairs else 1
    # Graph of jugglers: an edge says by how many beats its end begins later, modulo `modulus`.
    neighbours: dict[int, list[tuple[int, Fraction]]] = {
        juggler: [] for juggler in range(len(lines))
    }
    for juggler, line in enumerate(lines):
        for throw in [throw for slot in line.slots for throw in slot.thrown]:
            receiver = receiver_of(throw.receiver, juggler, len(lines))
            delay = nearest_value(throw, len(lines))
            neighbours[juggler].append((receiver, delay))
            neighbours[receiver].append((juggler, -delay))
    # Breadth first along the passes, from the first juggler of each connected group.
    starts: dict[int, Fraction] = {}
    for first in range(len(lines)):
        starts.setdefault(first, Fraction(0))
        queue = [first]
        for juggler in queue:
            for neighbour, delay in neighbours[juggler]:
                if neighbour not in starts:
                    starts[neighbour] = (starts[juggler] + delay) % modulus
                    queue.append(neighbour)
    return starts
