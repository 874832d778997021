"""Editing throws: where they land, and how they are thrown and caught."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from juggle_anim.choreography import Choreography
from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.choreography.choreography import THROW
from juggle_anim.choreography.dwell import holds, time_throws
from juggle_anim.choreography.manners import manners_of_throws, may_follow, throw_word, thrown_in
from juggle_anim.choreography.places import GRASPS
from juggle_anim.editing.draft import Draft, symmetries_of
from juggle_anim.editing.events import check_flights, exchanged_flights, with_other_throws
from juggle_anim.editing.limits import event_at
from juggle_anim.editing.points import with_manner
from juggle_anim.editing.staging import beat_staging, full_loop, with_cycle, written_pattern
from juggle_anim.editing.symmetry import images
from juggle_anim.errors import EditError, did_you_mean, printable
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_BOUNCES
from juggle_anim.notation.settings.staging import MAX_SPINS
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.cycle import Cycle, CycleThrow, Slot, throw_cycle
from juggle_anim.pattern.pattern import Turn

_MOST_ROUNDS = 24  # of a cycle in which a throw is told from its repeats
_LEAST_REACH = 9  # beats after a throw in which landings are offered

# Throws of one juggler that are nearer than so many beats follow each other.
_BESIDE = 1.25


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

    def swap(numbers: ThrowNumbers) -> Cycle:
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
    beat = cycle.throws[index].beat + rounds * cycle.period
    highest = max(each.value for each in cycle.throws)
    reach = max(highest + 2 * loop.division, _LEAST_REACH * loop.division)
    # Only bounces and what is said of hands can make a siteswap impossible, or another text for it
    # needed.
    plain = not draft.score.staging.hands and not any(each.bounces for each in cycle.throws)
    found = []
    for lands in range(beat + 1, beat + reach + 1):
        for row in range(len(cycle.rows)):
            if cycle.home((lands, row))[0] not in cycle.slots:
                continue
            place = (lands, *cycle.hand_at((lands, row)))
            aim = partial(_aimed_at, throw=throw, at=place)
            with suppress(EditError):
                changed = _changed_cycle(loop, cycle, aim)
                if plain:
                    text = written_pattern(changed).text
                else:
                    pattern = with_cycle(draft, changed).score.pattern
                    assert pattern is not None, "a draft with throws keeps them"
                    text = pattern.text
                found.append(Landing(*place, text))
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

    def move(numbers: ThrowNumbers) -> Cycle:
        index, _unused = numbers.of(throw)
        cycle = numbers.cycle
        return cycle.with_landings({index: cycle.later(cycle.throws[index].lands, periods)})

    return with_changed_cycle(draft, move, symmetric)


def _swapped(cycle: Cycle, one: int, other: int, rounds: int) -> Cycle:
    """The cycle in which two throws exchange landings; the other one is made some rounds later."""
    if one == other:
        raise RepeatError(_("a throw and its own repeat cannot exchange landings"))
    there = cycle.throws[other].lands
    here = cycle.throws[one].lands
    return cycle.with_landings({one: cycle.later(there, rounds), other: cycle.later(here, -rounds)})


def _aimed_at(numbers: ThrowNumbers, throw: int, at: int | tuple[int, int, int]) -> Cycle:
    return aimed(numbers, throw, numbers.slot(throw, at))


def aimed(numbers: ThrowNumbers, throw: int, target: Slot) -> Cycle:
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


def _passed_on(cycle: Cycle, one: int, target: Slot) -> Cycle:
    """The cycle in which a throw lands where a hand was empty, and goes on from there to where the
    prop was later.
    """
    home, rounds = cycle.home(target)
    if home not in cycle.slots:
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
    draft: Draft, change: Callable[[ThrowNumbers], Cycle], symmetric: bool
) -> Draft:
    """The draft with another cycle."""
    return with_cycle(draft, _changed_cycle(full_loop(draft), cycle_of(draft, symmetric), change))


def _changed_cycle(loop: Pattern, cycle: Cycle, change: Callable[[ThrowNumbers], Cycle]) -> Cycle:
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


def cycle_of(draft: Draft, symmetric: bool) -> Cycle:
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
        crosses: whether the other hand of the juggler catches it, where both hands can catch on
            that beat; what landed there lands where this one did.
        grasp: how it is caught: "palm", "claw", or around the body, as "penguin".
        spin: turns of a club in the air, in halves; after a half more it is caught by its other
            end. Of several clubs that a hand throws on a beat, of all.
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

    def change(numbers: ThrowNumbers) -> Cycle:
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
        return aimed(changed, throw, changed.slot(throw, (lands[0], juggler, wanted)))

    return with_changed_cycle(draft, change, symmetric)


def set_body_throw(draft: Draft, throw: int, word: str | None, symmetric: bool = True) -> Draft:
    """Throw around the body, or from a grasp of its own; props of a multiplex are thrown alike.

    Args:
        draft: what is edited.
        throw: number of a throw in the full loop, from 0; of events, that of a flight.
        word: one of the setting `throws`, as "backcross" or "claw"; None or "-" as usual.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw or word, the prop is not let go, or a 1 has no time for
            it.
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
        manner = thrown_in(word, prop=placed.only_kind) if word else None
        moved = _with_consecutive_throws(with_manner(placed, thrown, manner))
        return with_other_throws(
            draft,
            moved,
            lambda base: set_body_throw(base, throw_of_flight(base, throw), word, symmetric),
            keeps_tempo=True,
        )
    changed, _unused = _with_said(draft, throw, symmetric, "throws", None, word)
    if holds(full_loop(draft))[throw]:
        raise EditError(_("throw {throw} is held, so that it is not thrown", throw=throw))
    if word in THROWS and not _goes_around(changed, throw):
        raise EditError(_("a 1 has no time to go around the body; choose a higher throw"))
    return changed


def _with_consecutive_throws(choreography: Choreography) -> Choreography:
    """Events whose throws under and between legs are made as such where they follow each other, and
    else as single.
    """
    events = choreography.events
    beat = 1.0 / choreography.bps
    legs = [
        (int(event), word)
        for event in np.flatnonzero((events.kind == THROW) & (events.manners[:, 1] != 0))
        if (word := throw_word(int(events.manners[event, 1]))) and may_follow(word)
    ]
    changed = []
    for event, word in legs:
        gaps = [
            abs(float(events.time[event] - events.time[other]))
            for other, _ in legs
            if other != event and events.hand[other] // 2 == events.hand[event] // 2
        ]
        follows = any(min(gap, choreography.duration - gap) < _BESIDE * beat for gap in gaps)
        manner = thrown_in(word, follows, choreography.only_kind)
        if manner.row != events.manners[event, 1]:
            changed.append((int(events.hand[event]), float(events.time[event]), manner))
    for hand, time, manner in changed:
        choreography = with_manner(choreography, [event_at(choreography, hand, time)], manner)
    return choreography


def _goes_around(draft: Draft, throw: int) -> bool:
    """Whether a throw around the body, by its number in the full loop, is made as it is said."""
    loop = full_loop(draft)
    staging = draft.score.staging
    parameters = draft.parameters
    timing = time_throws(loop, parameters.dwell, parameters.squeeze_beats)
    thrown = manners_of_throws(loop, timing, staging.catches, staging.throws)[0]
    # Where words repeat sooner than before, so does the loop.
    return thrown[throw % len(thrown)].row > 0


def _with_said(
    draft: Draft,
    throw: int,
    symmetric: bool,
    what: str,
    usual: object,
    value: object,
    *,
    landings: bool = False,
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
    cycle = numbers.cycle
    said = beat_staging(draft, loop)
    made = cycle.throws[numbers.of(throw)[0]]
    slots = [
        cycle.later(made.lands if landings else made.slot, each)
        for each in range(loop.period // cycle.period)
    ]
    turns = [(beat % loop.period, *cycle.hand_at((beat, row))) for beat, row in slots]
    known = {
        **dict.fromkeys(loop.turns, usual),
        **(getattr(said, what) or {}),
        **dict.fromkeys(turns, value),
    }
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
            _(
                "no catch is called {grasp!r}; there are {value}",
                grasp=grasp,
                value=", ".join((*GRASPS, *CATCHES)),
            )
        )


class RepeatError(EditError):
    """A throw meets its own repeat, so that a longer cycle has to be changed."""


class ThrowNumbers(NamedTuple):
    """Tells which throw of a cycle a number of the full loop stands for.

    Attributes:
        cycle: of throws.
        loop: the full loop, whose throws are counted.
    """

    cycle: Cycle
    loop: Pattern

    def of(self, number: int) -> tuple[int, int]:
        """The throw of the first round, and in which round it is made.

        Raises:
            EditError: there is no such throw.
        """
        throws = self.loop.throws
        if not 0 <= number < len(throws):
            raise EditError(
                _(
                    "there is no throw {number}; the loop has {count}, counted from 0",
                    number=number,
                    count=len(throws),
                )
            )
        throw = throws[number]
        slot, rounds = self.cycle.home((throw.beat, self.cycle.row_of(*throw[1:3])))
        place = sum(other[:3] == throw[:3] for other in throws[:number])
        return self.cycle.made_in(slot)[place], rounds

    def slot(self, throw: int, at: int | tuple[int, int, int]) -> Slot:
        """The slot in which a throw is to land, as seen from the first round of the throw."""
        index, rounds = self.of(throw)
        cycle = self.cycle
        if isinstance(at, int):
            other, later = self.of(at)
            lands = cycle.throws[index].lands[0]
            size = self.loop.period
            beat, row = cycle.later(cycle.throws[other].slot, later - rounds)
            # Of the loops in which it is made, the one nearest to where the prop lands now, and
            # after its throw.
            loops = max(round((lands - beat) / size), (cycle.throws[index].beat - beat) // size + 1)
            return beat + loops * size, row
        beat, juggler, hand = at
        found = cycle.find_row(beat, juggler, hand)
        if found is None:
            raise EditError(
                _(
                    "nothing can be caught at {at}; choose one of the places that landings_of "
                    "gives",
                    at=at,
                )
            )
        return cycle.later((beat, found), -rounds)
