"""Editing landings: where throws land, and so how high they are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from juggle_anim.choreography.dwell import holds
from juggle_anim.editing.beat_staging import full_loop
from juggle_anim.editing.draft import Draft
from juggle_anim.editing.events import check_flights, exchanged_flights, with_other_throws
from juggle_anim.editing.staging_writer import with_cycle
from juggle_anim.editing.throw_cycle import (
    CycleThrow,
    RepeatError,
    Slot,
    ThrowCycle,
    ThrowNumbers,
    throw_cycle,
)
from juggle_anim.errors import EditError
from juggle_anim.language import _
from juggle_anim.pattern import Pattern

_MOST_ROUNDS = 24  # of a cycle in which a throw is told from its repeats
_LEAST_REACH = 9  # beats after a throw in which landings are offered


class Landing(NamedTuple):
    """Where a throw can land.

    Attributes:
        beat: counted as the beats of the full loop are, and perhaps beyond it; in parts of beats as
            in `Pattern`.
        juggler: who catches.
        hand: 0 for the left one.
        siteswap: the text of the pattern that results.
    """

    beat: int
    juggler: int
    hand: int
    siteswap: str


def swap_landings(draft: Draft, first: int, second: int, symmetric: bool = True) -> Draft:
    """Exchange where two throws land: `531` becomes `441` by its first two.

    Args:
        draft: what is edited.
        first, second: numbers of throws in the full loop, from 0; of events, those of flights.
        symmetric: whether all repeats of the two in the full loop change along.

    Raises:
        EditError: there are no such throws, or one of the props would land before it is thrown.
    """

    if draft.score.placed:
        return _with_exchanged_flights(draft, first, second, 0.0, symmetric)

    def swap(numbers: ThrowNumbers) -> ThrowCycle:
        (one, early), (other, late) = numbers.of(first), numbers.of(second)
        if one == other and early == late:
            raise EditError(_("throw {first} lands where it lands; choose two throws", first=first))
        return _swapped(numbers.cycle, one, other, late - early)

    return with_changed_cycle(draft, swap, symmetric)


def aim_throw(
    draft: Draft, throw: int, at: int | tuple[int, int, int], symmetric: bool = True
) -> Draft:
    """Let a throw land elsewhere; the throw that landed there lands where this one did.

    If nothing landed there, as on a 0, the hand that now catches throws the prop on, to where it
    would have been later.

    Args:
        draft: what is edited.
        throw: number of a throw in the full loop, from 0; of events, that of a flight.
        at: a beat of the full loop or after it, a juggler and a hand, as in `Landing`; or the
            number of a throw, which stands for the time it is made that is nearest to where the
            prop lands now.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw, or nothing can land there.
    """

    if placed := draft.score.placed:
        if not isinstance(at, int):
            raise EditError(
                _(
                    "these events are on no beats; give the number of the throw that the prop is "
                    "to make next"
                )
            )
        check_flights(placed, throw, at)
        before = int(placed.rounds.before[at])
        ends = placed.events.time[placed.flights.throw] + placed.flights.duration
        # Of the loops in which it lands there, the one that is nearest to when it lands now.
        loops = round(float(ends[throw] - ends[before]) / placed.duration)
        if before == throw:
            return draft
        return _with_exchanged_flights(draft, throw, before, loops * placed.duration, symmetric)
    return with_changed_cycle(draft, partial(_aimed_at, throw=throw, at=at), symmetric)


def landings_of(draft: Draft, throw: int, symmetric: bool = True) -> tuple[Landing, ...]:
    """All places where a throw can land, in order of time, that where it lands now among them.

    They are up to two beats higher than the highest throw, and at least up to 9 beats after the
    throw.

    Raises:
        EditError: there is no such throw.
    """
    loop = full_loop(draft)
    cycle = cycle_of(draft, symmetric)
    index, rounds = ThrowNumbers(cycle, loop).of(throw)
    beat = cycle.throws[index].beat + rounds * cycle.beats
    highest = max(each.value for each in cycle.throws)
    reach = max(highest + 2 * loop.division, _LEAST_REACH * loop.division)
    # Only bounces and what is said of hands can make a siteswap impossible, or another text for it
    # needed.
    plain = not draft.score.staging.hands and not any(each.bounces for each in cycle.throws)
    found = []
    for lands in range(beat + 1, beat + reach + 1):
        for row in range(len(cycle.rows)):
            if cycle.home((lands, row))[0] not in cycle.turns:
                continue
            place = (lands, *cycle.hand_at((lands, row)))
            aim = partial(_aimed_at, throw=throw, at=place)
            with suppress(EditError):
                changed = _changed_cycle(loop, cycle, aim)
                pattern = changed.pattern() if plain else with_cycle(draft, changed).score.pattern
                assert pattern is not None, "a draft with throws keeps them"
                found.append(Landing(*place, pattern.text))
    return tuple(found)


def add_period(draft: Draft, throw: int, periods: int = 1, symmetric: bool = True) -> Draft:
    """Let a throw land some periods later, or earlier for fewer than 0: each adds or takes a prop.

    Args:
        draft: with a pattern of throws.
        throw: number of a throw in the full loop, from 0.
        periods: how many; a period is what the text spells out, or the full loop if not
            `symmetric`.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw, it would land before it is thrown, or no props would be
            left.
    """

    def move(numbers: ThrowNumbers) -> ThrowCycle:
        index, _unused = numbers.of(throw)
        cycle = numbers.cycle
        return cycle.with_landings({index: cycle.later(cycle.throws[index].lands, periods)})

    return with_changed_cycle(draft, move, symmetric)


def _swapped(cycle: ThrowCycle, one: int, other: int, rounds: int) -> ThrowCycle:
    """The cycle in which two throws exchange landings; the other one is made some rounds later."""
    if one == other:
        raise RepeatError(_("a throw and its own repeat cannot exchange landings"))
    there = cycle.throws[other].lands
    here = cycle.throws[one].lands
    return cycle.with_landings({one: cycle.later(there, rounds), other: cycle.later(here, -rounds)})


def _aimed_at(numbers: ThrowNumbers, throw: int, at: int | tuple[int, int, int]) -> ThrowCycle:
    return aimed(numbers, throw, numbers.slot(throw, at))


def aimed(numbers: ThrowNumbers, throw: int, target: Slot) -> ThrowCycle:
    """The cycle in which a throw lands elsewhere; see `aim_throw`."""
    cycle, (one, _unused) = numbers.cycle, numbers.of(throw)
    landing = list(cycle.landing_in(target))
    if (one, 0) in landing:
        return cycle
    if not landing:
        return _passed_on(cycle, one, target)
    refused = EditError(_("nothing lands there"))
    for other, rounds in sorted(landing, key=lambda each: each[0] == one):
        try:
            return _swapped(cycle, one, other, rounds)
        except EditError as error:
            refused = error
    raise refused


def _passed_on(cycle: ThrowCycle, one: int, target: Slot) -> ThrowCycle:
    """The cycle in which a throw lands where a hand was empty, and goes on from there to where the
    prop was later.
    """
    home, rounds = cycle.home(target)
    if home not in cycle.turns:
        raise EditError(_("no hand can catch there, as it is on none of the beats of the pattern"))
    throws = list(cycle.throws)
    lands = cycle.throws[one].lands
    onward = lands
    left = -1
    if lands[0] <= target[0]:
        # What was thrown where it landed is thrown from here, and that hand is empty then.
        first, later = cycle.home(lands)
        left = cycle.made_in(first)[0]
        if left == one:
            raise RepeatError(_("a throw cannot land after its own repeat"))
        onward = cycle.later(throws[left].lands, later)
    if onward[0] <= target[0]:
        raise EditError(
            _("a prop would have to be thrown on before it lands; choose an earlier beat")
        )
    beat, row = cycle.later(onward, -rounds)
    throws[one] = throws[one]._replace(
        value=target[0] - throws[one].beat, to_row=target[1], held=None
    )
    if left >= 0:
        throws[left] = throws[left]._replace(value=0)
    return cycle.with_throws([*throws, CycleThrow(*home, beat - home[0], row)])


def with_changed_cycle(
    draft: Draft, change: Callable[[ThrowNumbers], ThrowCycle], symmetric: bool
) -> Draft:
    """The draft with another cycle."""
    return with_cycle(draft, _changed_cycle(full_loop(draft), cycle_of(draft, symmetric), change))


def _changed_cycle(
    loop: Pattern, cycle: ThrowCycle, change: Callable[[ThrowNumbers], ThrowCycle]
) -> ThrowCycle:
    """Another cycle; if a throw meets its own repeat, that of several rounds is changed."""
    for rounds in range(1, _MOST_ROUNDS + 1):
        with suppress(RepeatError):
            return change(ThrowNumbers(cycle.times(rounds) if rounds > 1 else cycle, loop))
    raise EditError(
        _(
            "a throw would meet its own repeat, even if {most_rounds} rounds were told apart",
            most_rounds=_MOST_ROUNDS,
        )
    )


def cycle_of(draft: Draft, symmetric: bool) -> ThrowCycle:
    """The cycle of a draft: a round is what the text spells out, or the full loop if not
    `symmetric`.
    """
    loop = full_loop(draft)
    if draft.score.pattern and symmetric:
        return throw_cycle(draft.score.pattern)
    return throw_cycle(replace(loop, written_period=loop.period))


def _with_exchanged_flights(
    draft: Draft, first: int, second: int, later: float, symmetric: bool
) -> Draft:
    """Events in which two flights exchange landings; the second one is made some time later than in
    this loop, [s].
    """
    changed = exchanged_flights(draft, first, second, later, symmetric)

    def operation(base: Draft) -> Draft:
        if later:
            raise EditError(_("settings count throws within the loop"))
        return swap_landings(
            base, throw_of_flight(base, first), throw_of_flight(base, second), symmetric
        )

    return with_other_throws(draft, changed, operation, keeps_tempo=True)


def throw_of_flight(draft: Draft, flight: int) -> int:
    """The number of the throw in the full loop that begins a flight."""
    flown = [number for number, held in enumerate(holds(full_loop(draft))) if not held]
    if flight >= len(flown):
        raise EditError(_("the settings have other throws"))
    return flown[flight]
