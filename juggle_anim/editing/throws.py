"""Editing throws: where they land, how high they are, and how they are thrown and caught."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.choreography.dwell import holds
from juggle_anim.choreography.manners import manners_of_throws, thrown_in
from juggle_anim.choreography.places import GRASPS
from juggle_anim.choreography.timing import time_throws
from juggle_anim.editing.beat_staging import beat_staging, full_loop, with_cycle
from juggle_anim.editing.draft import Draft, symmetries_of
from juggle_anim.editing.events import check_flights, exchanged_flights, with_other_throws
from juggle_anim.editing.points import with_manner
from juggle_anim.editing.symmetry import images
from juggle_anim.editing.throw_cycle import CycleThrow, RepeatError, Slot, ThrowCycle, ThrowNumbers, throw_cycle
from juggle_anim.errors import EditError, did_you_mean, printable
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_BOUNCES
from juggle_anim.notation.settings.staging import MAX_SPINS
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Turn

_MOST_ROUNDS = 24  # of a cycle in which a throw is told from its repeats
_LEAST_REACH = 9  # beats after a throw in which landings are offered


class Landing(NamedTuple):
    """Where a throw can land.

    Attributes:
        beat: counted as the beats of the full loop are, and perhaps beyond it; in parts of beats as in `Pattern`.
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

    return _changed(draft, swap, symmetric)


def aim_throw(draft: Draft, throw: int, at: int | tuple[int, int, int], symmetric: bool = True) -> Draft:
    """Let a throw land elsewhere; the throw that landed there lands where this one did.

    If nothing landed there, as on a 0, the hand that now catches throws the prop on, to where it would have been later.

    Args:
        draft: what is edited.
        throw: number of a throw in the full loop, from 0; of events, that of a flight.
        at: a beat of the full loop or after it, a juggler and a hand, as in `Landing`; or the number of a throw, which
            stands for the time it is made that is nearest to where the prop lands now.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw, or nothing can land there.
    """

    if placed := draft.score.placed:
        if not isinstance(at, int):
            raise EditError(
                _("these events are on no beats; give the number of the throw that the prop is to make next")
            )
        check_flights(placed, throw, at)
        before = int(placed.rounds.before[at])
        ends = placed.events.time[placed.flights.throw] + placed.flights.duration
        # Of the loops in which it lands there, the one that is nearest to when it lands now.
        loops = round(float(ends[throw] - ends[before]) / placed.duration)
        if before == throw:
            return draft
        return _with_exchanged_flights(draft, throw, before, loops * placed.duration, symmetric)
    return _changed(draft, partial(_aimed_at, throw=throw, at=at), symmetric)


def landings_of(draft: Draft, throw: int, symmetric: bool = True) -> tuple[Landing, ...]:
    """All places where a throw can land, in order of time, that where it lands now among them.

    They are up to two beats higher than the highest throw, and at least up to 9 beats after the throw.

    Raises:
        EditError: there is no such throw.
    """
    loop, cycle = full_loop(draft), cycle_of(draft, symmetric)
    index, rounds = ThrowNumbers(cycle, loop).of(throw)
    beat, highest = cycle.throws[index].beat + rounds * cycle.beats, max(each.value for each in cycle.throws)
    reach = max(highest + 2 * loop.division, _LEAST_REACH * loop.division)
    # Only bounces and what is said of hands can make a siteswap impossible, or another text for it needed.
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
        periods: how many; a period is what the text spells out, or the full loop if not `symmetric`.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw, it would land before it is thrown, or no props would be left.
    """

    def move(numbers: ThrowNumbers) -> ThrowCycle:
        index, _unused = numbers.of(throw)
        cycle = numbers.cycle
        return cycle.with_landings({index: cycle.later(cycle.throws[index].lands, periods)})

    return _changed(draft, move, symmetric)


def set_throw(
    draft: Draft,
    throw: int,
    *,
    bounces: int | None = None,
    bounce_style: str | None = None,
    held: bool | None = None,
    crosses: bool | None = None,
    grasp: str | None = None,
    spin: float | None = None,
    symmetric: bool = True,
) -> Draft:
    """Change how a throw is thrown and caught; what is None stays.

    Args:
        draft: with a pattern of throws.
        throw: number of a throw in the full loop, from 0.
        bounces: how often it bounces on the floor.
        bounce_style: "lift", "force", "hyper_lift" or "hyper_force".
        held: whether the prop is not let go.
        crosses: whether the other hand of the juggler catches it, where both hands can catch on that beat; what landed
            there lands where this one did.
        grasp: how it is caught: "palm", "claw", "penguin", or around the body, as "behind".
        spin: turns of a club in the air, in halves; after a half more it is caught by its other end. Of several clubs
            that a hand throws on a beat, of all.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw, or it cannot be thrown so.
    """
    _check_words(bounces, bounce_style, grasp)
    if grasp is not None:
        draft = _with_grasp(draft, throw, grasp, symmetric)
    if spin is not None:
        draft = _with_spin(draft, throw, spin, symmetric)
    if bounces is None and bounce_style is None and held is None and crosses is None:
        return draft

    def change(numbers: ThrowNumbers) -> ThrowCycle:
        index, rounds = numbers.of(throw)
        cycle = numbers.cycle
        old = cycle.throws[index]
        count = old.bounces if bounces is None else bounces
        style = (bounce_style or old.bounce_style or "lift") if count else ""
        keeps = (old.held if held is None else held) if not count else None
        throws = list(cycle.throws)
        throws[index] = old._replace(bounces=count, bounce_style=style, held=keeps)
        changed = numbers._replace(cycle=cycle.with_throws(throws))
        if crosses is None:
            return changed.cycle
        lands = cycle.later(old.lands, rounds)
        juggler, hand = cycle.hand_at(lands)
        (_unused, from_hand) = cycle.hand_at(cycle.later(old.slot, rounds))
        wanted = from_hand ^ int(crosses)
        if hand == wanted:
            return changed.cycle
        return _aimed(changed, throw, changed.slot(throw, (lands[0], juggler, wanted)))

    return _changed(draft, change, symmetric)


def _swapped(cycle: ThrowCycle, one: int, other: int, rounds: int) -> ThrowCycle:
    """The cycle in which two throws exchange landings; the other one is made some rounds later."""
    if one == other:
        raise RepeatError(_("a throw and its own repeat cannot exchange landings"))
    there, here = cycle.throws[other].lands, cycle.throws[one].lands
    return cycle.with_landings({one: cycle.later(there, rounds), other: cycle.later(here, -rounds)})


def _aimed_at(numbers: ThrowNumbers, throw: int, at: int | tuple[int, int, int]) -> ThrowCycle:
    return _aimed(numbers, throw, numbers.slot(throw, at))


def _aimed(numbers: ThrowNumbers, throw: int, target: Slot) -> ThrowCycle:
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
    """The cycle in which a throw lands where a hand was empty, and goes on from there to where the prop was later."""
    home, rounds = cycle.home(target)
    if home not in cycle.turns:
        raise EditError(_("no hand can catch there, as it is on none of the beats of the pattern"))
    throws, lands = list(cycle.throws), cycle.throws[one].lands
    onward, left = lands, -1
    if lands[0] <= target[0]:
        # What was thrown where it landed is thrown from here, and that hand is empty then.
        first, later = cycle.home(lands)
        left = cycle.made_in(first)[0]
        if left == one:
            raise RepeatError(_("a throw cannot land after its own repeat"))
        onward = cycle.later(throws[left].lands, later)
    if onward[0] <= target[0]:
        raise EditError(_("a prop would have to be thrown on before it lands; choose an earlier beat"))
    beat, row = cycle.later(onward, -rounds)
    throws[one] = throws[one]._replace(value=target[0] - throws[one].beat, to_row=target[1], held=None)
    if left >= 0:
        throws[left] = throws[left]._replace(value=0)
    return cycle.with_throws([*throws, CycleThrow(*home, beat - home[0], row)])


def _changed(draft: Draft, change: Callable[[ThrowNumbers], ThrowCycle], symmetric: bool) -> Draft:
    """The draft with another cycle."""
    return with_cycle(draft, _changed_cycle(full_loop(draft), cycle_of(draft, symmetric), change))


def _changed_cycle(loop: Pattern, cycle: ThrowCycle, change: Callable[[ThrowNumbers], ThrowCycle]) -> ThrowCycle:
    """Another cycle; if a throw meets its own repeat, that of several rounds is changed."""
    for rounds in range(1, _MOST_ROUNDS + 1):
        with suppress(RepeatError):
            return change(ThrowNumbers(cycle.times(rounds) if rounds > 1 else cycle, loop))
    raise EditError(
        _("a throw would meet its own repeat, even if {most_rounds} rounds were told apart", most_rounds=_MOST_ROUNDS)
    )


def cycle_of(draft: Draft, symmetric: bool) -> ThrowCycle:
    """The cycle of a draft: a round is what the text spells out, or the full loop if not `symmetric`."""
    loop = full_loop(draft)
    if draft.score.pattern and symmetric:
        return throw_cycle(draft.score.pattern)
    return throw_cycle(replace(loop, written_period=loop.period))


def _with_exchanged_flights(draft: Draft, first: int, second: int, later: float, symmetric: bool) -> Draft:
    """Events in which two flights exchange landings; the second one is made some time later than in this loop, [s]."""
    changed = exchanged_flights(draft, first, second, later, symmetric)

    def operation(base: Draft) -> Draft:
        if later:
            raise EditError(_("settings count throws within the loop"))
        return swap_landings(base, _of_flight(base, first), _of_flight(base, second), symmetric)

    return with_other_throws(draft, changed, operation, keeps_tempo=True)


def set_body_throw(draft: Draft, throw: int, word: str | None, symmetric: bool = True) -> Draft:
    """Throw around the body, or from a grasp of its own; props of a multiplex are thrown alike.

    Args:
        draft: what is edited.
        throw: number of a throw in the full loop, from 0; of events, that of a flight.
        word: one of the setting `throws`, as "backcross" or "claw"; None or "-" as usual.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw or word, the prop is not let go, or a 1 has no time for it.
    """
    known = ("-", *GRASPS, *THROWS)
    if word is not None and word not in known:
        raise EditError(
            _(
                "no throw is called {word!r}; {did_you_mean}",
                word=printable(word, 30),
                did_you_mean=did_you_mean(word, known),
            )
        )
    word = None if word == "-" else word
    if placed := draft.score.placed:
        check_flights(placed, throw)
        event = int(placed.flights.throw[throw])
        thrown = images(placed, event, symmetries_of(draft) if symmetric else [])
        moved = with_manner(placed, thrown, thrown_in(word) if word else None)
        return with_other_throws(
            draft, moved, lambda base: set_body_throw(base, _of_flight(base, throw), word, symmetric), keeps_tempo=True
        )
    changed, _unused = _with_said(draft, throw, symmetric, "throws", None, word)
    if holds(full_loop(draft))[throw]:
        raise EditError(_("throw {throw} is held, so that it is not thrown", throw=throw))
    if word in THROWS and not _goes_around(changed, throw):
        raise EditError(_("a 1 has no time to go around the body; choose a higher throw"))
    return changed


def _goes_around(draft: Draft, throw: int) -> bool:
    """Whether a throw around the body, by its number in the full loop, is made as it is said."""
    loop, staging, parameters = full_loop(draft), draft.score.staging, draft.parameters
    timing = time_throws(loop, parameters.dwell, parameters.squeeze_beats)
    return manners_of_throws(loop, timing, staging.catches, staging.throws)[0][throw].row > 0


def _of_flight(draft: Draft, flight: int) -> int:
    """The number of the throw in the full loop that begins a flight."""
    flown = [number for number, held in enumerate(holds(full_loop(draft))) if not held]
    if flight >= len(flown):
        raise EditError(_("the settings have other throws"))
    return flown[flight]


def _with_said(
    draft: Draft, throw: int, symmetric: bool, what: str, usual: object, value: object, *, landings: bool = False
) -> tuple[Draft, Turn]:
    """The draft in which something else is said of a throw, and the turn of which it is.

    Args:
        draft: with a pattern of throws.
        throw: its number; with `symmetric`, it is said of all repeats, too.
        what: a field of `BeatStaging` by turns, where something is usual and a value is said.
        landings: whether it is said of the turns in which the throw lands.
    """
    loop = full_loop(draft)
    numbers = ThrowNumbers(cycle_of(draft, symmetric), loop)
    cycle, said = numbers.cycle, beat_staging(draft, loop)
    made = cycle.throws[numbers.of(throw)[0]]
    slots = [cycle.later(made.lands if landings else made.slot, each) for each in range(loop.period // cycle.beats)]
    turns = [(beat % loop.period, *cycle.hand_at((beat, row))) for beat, row in slots]
    known = {**dict.fromkeys(loop.turns, usual), **(getattr(said, what) or {}), **dict.fromkeys(turns, value)}
    changed: dict[str, Any] = {what: known}
    return with_cycle(draft, cycle, replace(said, **changed)), turns[0]


def _with_grasp(draft: Draft, throw: int, grasp: str, symmetric: bool) -> Draft:
    """The draft in which a hand catches a throw otherwise."""
    changed, turn = _with_said(draft, throw, symmetric, "grasps", "palm", grasp, landings=True)
    if grasp != "palm" and beat_staging(changed, full_loop(changed)).grasp(turn) != grasp:
        raise EditError(_("throw {throw} is held, so that it is not caught", throw=throw))
    return changed


def _with_spin(draft: Draft, throw: int, spin: float, symmetric: bool) -> Draft:
    """The draft in which clubs turn otherwise on a throw."""
    if not 0 <= spin <= MAX_SPINS or 2 * spin % 1:
        raise EditError(
            _(
                "a club cannot turn {spin:g} times; it does 0 to {max_spins} turns, in halves",
                spin=spin,
                max_spins=MAX_SPINS,
            )
        )
    return _with_said(draft, throw, symmetric, "spins", None, spin)[0]


def _check_words(bounces: int | None, style: str | None, grasp: str | None) -> None:
    if bounces is not None and not 0 <= bounces <= MAX_BOUNCES:
        raise EditError(
            _(
                "{bounces} bounces are not possible; a throw bounces 0 to {max_bounces} times",
                bounces=bounces,
                max_bounces=MAX_BOUNCES,
            )
        )
    if style is not None and style not in BOUNCE_STYLES:
        raise EditError(
            _(
                "there is no bounce style {style!r}; there are {bounce_styles}",
                style=style,
                bounce_styles=", ".join(BOUNCE_STYLES),
            )
        )
    if grasp is not None and grasp not in (*GRASPS, *CATCHES):
        raise EditError(
            _("no catch is called {grasp!r}; there are {value}", grasp=grasp, value=", ".join((*GRASPS, *CATCHES)))
        )
