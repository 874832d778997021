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

_MAX_ROUNDS = 24  # of a cycle in which a throw is told from its repeats
_LEAST_REACH_BEATS = 9  # beats after a throw in which landings are offered

# Throws of one juggler that are nearer than so many beats follow each other.
_CONSECUTIVE_BEATS = 1.25


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
        first_throw, first_round = numbers.of(first)
        second_throw, second_round = numbers.of(second)
        if first_throw == second_throw and first_round == second_round:
            raise EditError(_("throw {first} lands where it lands; choose two throws", first=first))
        return _swapped(numbers.cycle, first_throw, second_throw, second_round - first_round)

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
        # The flight that lands where the prop is to land; the two exchange their landings.
        replaced = int(placed.rounds.before[at])
        ends = placed.events.time[placed.flights.throw] + placed.flights.duration
        # Of the loops in which it lands there, the one that is nearest to when it lands now.
        loops = round(float(ends[throw] - ends[replaced]) / placed.duration)
        if replaced == throw:
            return draft
        return _with_exchanged_flights(draft, throw, replaced, loops * placed.duration, symmetric)
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
    highest = max(cycle_throw.value for cycle_throw in cycle.throws)
    reach = max(highest + 2 * loop.division, _LEAST_REACH_BEATS * loop.division)
    # Without bounces and paths of hands the throws alone decide what is possible and how it is
    # written, so that nothing has to be choreographed.
    is_plain = not draft.score.staging.hands and not any(
        cycle_throw.bounces for cycle_throw in cycle.throws
    )
    landings = []
    for landing_beat in range(beat + 1, beat + reach + 1):
        for row in range(len(cycle.rows)):
            home_slot, _rounds = cycle.home((landing_beat, row))
            if home_slot not in cycle.slots:
                continue
            place = (landing_beat, *cycle.hand_at((landing_beat, row)))
            aim = partial(_aimed_at, throw=throw, at=place)
            # Each place is tried; those that cannot be reached are left out.
            with suppress(EditError):
                changed = _changed_cycle(loop, cycle, aim)
                if is_plain:
                    text = written_pattern(changed).text
                else:
                    pattern = with_cycle(draft, changed).score.pattern
                    assert pattern is not None, "a draft with throws keeps them"
                    text = pattern.text
                landings.append(Landing(*place, text))
    return tuple(landings)


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
    """Return the cycle in which two throws exchange landings.

    Args:
        cycle: the throws.
        one, other: indices of the two throws in `cycle.throws`.
        rounds: by how many rounds the other throw is made later than the one.
    """
    if one == other:
        raise RepeatError(_("a throw and its own repeat cannot exchange landings"))
    one_lands = cycle.throws[one].lands
    other_lands = cycle.throws[other].lands
    return cycle.with_landings(
        {one: cycle.later(other_lands, rounds), other: cycle.later(one_lands, -rounds)}
    )


def _aimed_at(numbers: ThrowNumbers, throw: int, at: int | tuple[int, int, int]) -> Cycle:
    return aimed(numbers, throw, numbers.slot(throw, at))


def aimed(numbers: ThrowNumbers, throw: int, target: Slot) -> Cycle:
    """Return the cycle in which a throw lands in another slot; see `aim_throw`.

    Args:
        numbers: the cycle, with the throws of the full loop by number.
        throw: number of the throw in the full loop.
        target: slot where it is to land, seen from the first round of the throw.
    """
    cycle = numbers.cycle
    index, _round = numbers.of(throw)
    # Throws that land in the target slot, as their index and how many rounds later they are made.
    landing = list(cycle.landing_in(target))
    if (index, 0) in landing:
        return cycle
    if not landing:
        return _passed_on(cycle, index, target)
    refusal = EditError(_("nothing lands there"))
    # Of a multiplex, any throw will do; repeats of the throw itself, tried last, are refused.
    for other, rounds in sorted(landing, key=lambda candidate: candidate[0] == index):
        try:
            return _swapped(cycle, index, other, rounds)
        except EditError as error:
            refusal = error
    raise refusal


def _passed_on(cycle: Cycle, index: int, target: Slot) -> Cycle:
    """Return the cycle in which a throw lands where a hand was empty, and is thrown on from there.

    The prop is thrown on to where it would have been later.

    Args:
        cycle: the throws.
        index: of the throw in `cycle.throws`.
        target: slot where it is to land, seen from the first round.
    """
    home, rounds = cycle.home(target)
    if home not in cycle.slots:
        raise EditError(_("no hand can catch there, as it is on none of the beats of the pattern"))
    throws = list(cycle.throws)
    old_landing = throws[index].lands
    onward = old_landing
    emptied = -1  # index of the throw of a hand that becomes empty
    old_beat, _row = old_landing
    target_beat, target_row = target
    if old_beat <= target_beat:
        # The prop comes too late for its next throw: that hand is empty then, and the next throw
        # is made from the target slot.
        old_home, old_rounds = cycle.home(old_landing)
        emptied = cycle.made_in(old_home)[0]
        if emptied == index:
            raise RepeatError(_("a throw cannot land after its own repeat"))
        onward = cycle.later(throws[emptied].lands, old_rounds)
    if onward[0] <= target_beat:
        raise EditError(
            _("a prop would have to be thrown on before it lands; choose an earlier beat")
        )
    # The new throw is written in the first round.
    onward_beat, onward_row = cycle.later(onward, -rounds)
    throws[index] = throws[index]._replace(
        value=target_beat - throws[index].beat, to_row=target_row, held=None
    )
    if emptied >= 0:
        throws[emptied] = throws[emptied]._replace(value=0)
    return cycle.with_throws([*throws, CycleThrow(*home, onward_beat - home[0], onward_row)])


def with_changed_cycle(
    draft: Draft, change: Callable[[ThrowNumbers], Cycle], symmetric: bool
) -> Draft:
    """The draft with another cycle."""
    return with_cycle(draft, _changed_cycle(full_loop(draft), cycle_of(draft, symmetric), change))


def _changed_cycle(loop: Pattern, cycle: Cycle, change: Callable[[ThrowNumbers], Cycle]) -> Cycle:
    """Return a changed cycle, of as few rounds as the change needs.

    If a throw meets its own repeat, the repeats are told apart in a cycle of several rounds.

    Args:
        loop: the full loop, whose throws have numbers.
        cycle: cycle that is changed.
        change: returns the changed cycle; raises `RepeatError` where it needs more rounds.

    Raises:
        EditError: too many rounds would be needed, or the change is impossible.
    """
    for rounds in range(1, _MAX_ROUNDS + 1):
        with suppress(RepeatError):
            return change(ThrowNumbers(cycle.times(rounds) if rounds > 1 else cycle, loop))
    raise EditError(
        _(
            "a throw would meet its own repeat, even if {most_rounds} rounds were told apart",
            most_rounds=_MAX_ROUNDS,
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
    """Return a draft of events in which two flights exchange landings.

    The settings from which the events were made follow if they can.

    Args:
        draft: draft with events.
        first, second: numbers of the flights.
        later: how much later than in this loop the second flight is made, s; a multiple of the
            loop.
        symmetric: whether the images of the flights change along.
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
    _check_manner_values(bounces, bounce_style, grasp)
    if grasp is not None:
        draft = _with_grasp(draft, throw, grasp, symmetric)
    if spin is not None:
        draft = _with_spin(draft, throw, spin, symmetric)
    if bounces is None and bounce_style is None and held is None and crosses is None:
        return draft

    def change(numbers: ThrowNumbers) -> Cycle:
        """Return the cycle with another manner of the throw, and perhaps another landing."""
        index, rounds = numbers.of(throw)
        cycle = numbers.cycle
        old = cycle.throws[index]

        # A prop that bounces is not held; without bounces there is no bounce style.
        new_bounces = old.bounces if bounces is None else bounces
        new_style = (bounce_style or old.bounce_style or "lift") if new_bounces else ""
        new_held = (old.held if held is None else held) if not new_bounces else None
        throws = list(cycle.throws)
        throws[index] = old._replace(bounces=new_bounces, bounce_style=new_style, held=new_held)
        changed = numbers._replace(cycle=cycle.with_throws(throws))
        if crosses is None:
            return changed.cycle

        # The throw lands at the same time in the other hand, if it does not yet.
        lands = cycle.later(old.lands, rounds)
        juggler, hand = cycle.hand_at(lands)
        _juggler, from_hand = cycle.hand_at(cycle.later(old.slot, rounds))
        wanted_hand = from_hand ^ int(crosses)
        if hand == wanted_hand:
            return changed.cycle
        return aimed(changed, throw, changed.slot(throw, (lands[0], juggler, wanted_hand)))

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

    # Events: the hands move to where such a throw is made.
    if placed := draft.score.placed:
        check_flights(placed, throw)
        event = int(placed.flights.throw[throw])
        throw_rows = images(placed, event, symmetries_of(draft) if symmetric else [])
        manner = thrown_in(word, prop=placed.only_kind) if word else None
        moved = _with_consecutive_throws(with_manner(placed, throw_rows, manner))
        return with_other_throws(
            draft,
            moved,
            lambda base: set_body_throw(base, throw_of_flight(base, throw), word, symmetric),
            keeps_tempo=True,
        )

    # Settings: the word is said, and refused if the throw cannot be made so.
    changed, _unused = _with_staged_turns(draft, throw, symmetric, "throws", None, word)
    if holds(full_loop(draft))[throw]:
        raise EditError(_("throw {throw} is held, so that it is not thrown", throw=throw))
    if word in THROWS and not _is_made_around_body(changed, throw):
        raise EditError(_("a 1 has no time to go around the body; choose a higher throw"))
    return changed


def _with_consecutive_throws(choreography: Choreography) -> Choreography:
    """Return events whose throws under and between legs are made as single or as consecutive.

    A leg stays up where such throws of one juggler follow each other, so these have a manner of
    their own.
    """
    events = choreography.events
    beat = 1.0 / choreography.bps
    # The second column of manners is the throw around the body, 0 for none.
    leg_throws = [
        (int(event), word)
        for event in np.flatnonzero((events.kind == THROW) & (events.manners[:, 1] != 0))
        if (word := throw_word(int(events.manners[event, 1]))) and may_follow(word)
    ]
    changes = []
    for event, word in leg_throws:
        gaps = [
            abs(float(events.time[event] - events.time[other]))
            for other, _ in leg_throws
            if other != event and events.hand[other] // 2 == events.hand[event] // 2
        ]
        # The shorter way around the loop counts.
        is_consecutive = any(
            min(gap, choreography.duration - gap) < _CONSECUTIVE_BEATS * beat for gap in gaps
        )
        manner = thrown_in(word, is_consecutive, choreography.only_kind)
        if manner.row != events.manners[event, 1]:
            changes.append((int(events.hand[event]), float(events.time[event]), manner))
    # Each change renumbers events, so that they are found again by hand and time.
    for hand, time, manner in changes:
        choreography = with_manner(choreography, [event_at(choreography, hand, time)], manner)
    return choreography


def _is_made_around_body(draft: Draft, throw: int) -> bool:
    """Return whether a throw is made around the body as its word says, or has no time for that.

    Args:
        draft: draft with the word in its staging.
        throw: number of the throw in the full loop of the draft before the word was said.
    """
    loop = full_loop(draft)
    staging = draft.score.staging
    parameters = draft.parameters
    timing = time_throws(loop, parameters.dwell, parameters.squeeze_beats)
    manners, *_others = manners_of_throws(loop, timing, staging.catches, staging.throws)
    # Where words repeat sooner than before, so does the loop.
    return manners[throw % len(manners)].row > 0


def _with_staged_turns(
    draft: Draft,
    throw: int,
    symmetric: bool,
    field: str,
    usual: object,
    value: object,
    *,
    landings: bool = False,
) -> tuple[Draft, Turn]:
    """Return a draft whose staging has another value for a throw, and the turn that has it.

    Args:
        draft: draft with a pattern of throws.
        throw: number of the throw in the full loop, from 0.
        symmetric: whether all repeats of the throw get the value, too.
        field: field of `BeatStaging` with values by turn.
        usual: value of all turns of which the staging says nothing.
        value: the new value.
        landings: whether the value belongs to the turns in which the throw lands.
    """
    loop = full_loop(draft)
    numbers = ThrowNumbers(cycle_of(draft, symmetric), loop)
    cycle = numbers.cycle
    staging = beat_staging(draft, loop)
    index, _round = numbers.of(throw)
    cycle_throw = cycle.throws[index]
    # The throw in each round of the loop.
    slots = [
        cycle.later(cycle_throw.lands if landings else cycle_throw.slot, rounds)
        for rounds in range(loop.period // cycle.period)
    ]
    turns = [(beat % loop.period, *cycle.hand_at((beat, row))) for beat, row in slots]
    values = {
        **dict.fromkeys(loop.turns, usual),
        **(getattr(staging, field) or {}),
        **dict.fromkeys(turns, value),
    }
    changed: dict[str, Any] = {field: values}
    return with_cycle(draft, cycle, replace(staging, **changed)), turns[0]


def _with_grasp(draft: Draft, throw: int, grasp: str, symmetric: bool) -> Draft:
    """The draft in which a hand catches a throw otherwise."""
    changed, turn = _with_staged_turns(
        draft, throw, symmetric, "grasps", "palm", grasp, landings=True
    )
    if grasp != "palm" and beat_staging(changed, full_loop(changed)).grasp(turn) != grasp:
        raise EditError(_("throw {throw} is held, so that it is not caught", throw=throw))
    return changed


def _with_spin(draft: Draft, throw: int, spin: float, symmetric: bool) -> Draft:
    """Return a draft in which clubs turn a number of times in the air on a throw.

    Args:
        draft: draft with a pattern of throws.
        throw: number of the throw in the full loop, from 0.
        spin: turns, a multiple of 0.5.
        symmetric: whether all repeats of the throw change along.
    """
    if not 0 <= spin <= MAX_SPINS or 2 * spin % 1:
        raise EditError(
            _(
                "a club cannot turn {spin:g} times; it does 0 to {max_spins} turns, in halves",
                spin=spin,
                max_spins=MAX_SPINS,
            )
        )
    return _with_staged_turns(draft, throw, symmetric, "spins", None, spin)[0]


def _check_manner_values(bounces: int | None, style: str | None, grasp: str | None) -> None:
    """Refuse bounces, bounce styles and catches that there are not; None passes.

    Raises:
        EditError: a value is out of range or unknown.
    """
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
        """Return the throw of the cycle that a number stands for, and its round in the full loop.

        Args:
            number: of a throw in the full loop, from 0.

        Returns:
            Index in `cycle.throws`, and round from 0.

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
        slot, rounds = self.cycle.home((throw.beat, self.cycle.row_of(throw.juggler, throw.hand)))
        # Throws of a multiplex share a slot (beat, juggler and hand), and keep their order in it.
        place = sum(other[:3] == throw[:3] for other in throws[:number])
        return self.cycle.made_in(slot)[place], rounds

    def slot(self, throw: int, at: int | tuple[int, int, int]) -> Slot:
        """Return the slot in which a throw is to land, as seen from the first round of the throw.

        Args:
            throw: number of the throw in the full loop.
            at: beat, juggler and hand of the landing; or the number of the throw that the prop is
                to make next.

        Raises:
            EditError: no hand can catch there.
        """
        index, rounds = self.of(throw)
        cycle = self.cycle
        if isinstance(at, int):
            next_index, next_round = self.of(at)
            landing_beat, _row = cycle.throws[index].lands
            period = self.loop.period
            beat, row = cycle.later(cycle.throws[next_index].slot, next_round - rounds)
            # Of the loops in which that throw is made, the one nearest to where the prop lands
            # now, and after its own throw.
            nearest_loop = round((landing_beat - beat) / period)
            first_loop_after = (cycle.throws[index].beat - beat) // period + 1
            return beat + max(nearest_loop, first_loop_after) * period, row
        beat, juggler, hand = at
        hand_row = cycle.find_row(beat, juggler, hand)
        if hand_row is None:
            raise EditError(
                _(
                    "nothing can be caught at {at}; choose one of the places that landings_of "
                    "gives",
                    at=at,
                )
            )
        return cycle.later((beat, hand_row), -rounds)
