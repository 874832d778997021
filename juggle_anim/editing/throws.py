"""Editing throws: where they land, and how they are thrown and caught.

Editing whole patterns: left and right, time, and the patterns that are related to one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from juggle_anim.choreography import (
    CATCHES,
    GRASPS,
    THROW,
    THROWS,
    BodyMoves,
    BodyPlace,
    Choreography,
    choreograph,
    has_consecutive_variant,
    holds,
    manners_of_throws,
    throw_manner,
    throw_word,
    time_throws,
)
from juggle_anim.choreography.unroll import mirrored, reversed_in_time, unroll, with_later_start
from juggle_anim.editing.draft import Draft
from juggle_anim.editing.events import (
    check_throws,
    event_with_images,
    exchanged_flights,
    with_manner,
    with_other_throws,
)
from juggle_anim.editing.staging import (
    beat_staging,
    full_loop,
    with_cycle,
    with_pattern,
    written_pattern,
)
from juggle_anim.editing.symmetry import event_at
from juggle_anim.errors import EditError, JuggleError, NotationError, did_you_mean, printable
from juggle_anim.language import _
from juggle_anim.notation import (
    MAX_SPINS,
    dual_cycle,
    inverse_cycle,
    read_hand_siteswap,
    read_siteswap,
    write_body,
)
from juggle_anim.notation.limits import MAX_BOUNCES, MAX_JML_EVENTS
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES
from juggle_anim.pattern import (
    LEFT,
    RIGHT,
    Cycle,
    CycleThrow,
    Pattern,
    Slot,
    Turn,
    repeated,
    state_cycle,
    throw_cycle,
)

_MOST_ROUNDS_OF_CYCLE = 24  # of a cycle in which a throw is told from its repeats
_LEAST_BEATS_OFFERED = 9  # beats after a throw in which landings are offered

# Throws of one juggler that are nearer than so many beats follow each other.
_BEATS_TO_FOLLOW = 1.25


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
    """Swap the landings of two throws: `531` becomes `441` for its first two throws.

    Of placed events, flights exchange landings.

    Args:
        draft: the score and the parameters that are edited.
        first, second: numbers of throws in the full loop, from 0; of events, those of flights.
        symmetric: whether all repeats of the two in the full loop change along.

    Raises:
        EditError: there are no such throws, or one of the props would land before it is thrown.
    """

    if draft.score.placed:
        return _with_exchanged_flights(draft, first, second, delay=0.0, symmetric=symmetric)

    def swap(numbers: ThrowNumbers) -> Cycle:
        """Return the cycle in which the two throws exchange landings."""
        first_index, first_round = numbers.find(first)
        second_index, second_round = numbers.find(second)
        rounds_apart = second_round - first_round
        if first_index == second_index and not rounds_apart:
            raise EditError(_("a throw cannot swap with itself; choose two throws", first=first))
        return _with_swapped_landings(numbers.cycle, first_index, second_index, rounds_apart)

    return with_changed_cycle(draft, swap, symmetric=symmetric)


def aim_throw(
    draft: Draft, throw: int, at: int | tuple[int, int, int], symmetric: bool = True
) -> Draft:
    """Change where a throw lands; the throw that landed there swaps landings with it.

    If nothing landed there, as on a 0, the hand that now catches throws the prop on, to where it
    would have been later.

    Args:
        draft: the score and the parameters that are edited.
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
                _("these events have no beats; give the number of the prop's next throw")
            )
        check_throws(len(placed.flights.throw), throw, at)
        # The flight whose prop makes the throw `at` now: both exchange landings.
        flight_before = int(placed.flight_links.previous_flight[at])
        landing_times = placed.events.time[placed.flights.throw] + placed.flights.duration
        if flight_before == throw:
            return draft  # the prop goes on to that throw already
        # A throw is made once a loop. Take the loop in which it lands nearest to where the chosen
        # one lands now.
        loops = round(float(landing_times[throw] - landing_times[flight_before]) / placed.duration)
        return _with_exchanged_flights(
            draft, throw, flight_before, delay=loops * placed.duration, symmetric=symmetric
        )
    return with_changed_cycle(draft, partial(_aimed_at, throw=throw, at=at), symmetric=symmetric)


def landings_of(draft: Draft, throw: int, symmetric: bool = True) -> tuple[Landing, ...]:
    """Return all possible landings of a throw, in order of time.

    The place where it lands now is among them. Places are offered up to two beats higher than the
    highest throw, and at least up to `_LEAST_BEATS_OFFERED` beats after the throw. Each is tried:
    those that `aim_throw` would refuse are left out.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        throw: number of a throw in the full loop, from 0.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw.
    """
    # A cycle is one round of the throws, which repeats; the full loop holds whole rounds of it. A
    # slot of the cycle is a beat and a row; a row is one hand, or two hands that take turns.
    loop = full_loop(draft)
    cycle = cycle_of(draft, symmetric=symmetric)
    index, throw_round = ThrowNumbers(cycle, loop).find(throw)
    throw_beat = cycle.throws[index].beat + throw_round * cycle.period
    # `division` parts make a beat, and beats and values are counted in these parts.
    reach = max(cycle.highest + 2 * loop.division, _LEAST_BEATS_OFFERED * loop.division)
    # Without bounces and paths of hands any landing can be juggled, and its text is that of the
    # throws alone, which is found faster.
    is_plain = not draft.score.staging.hands and not any(
        cycle_throw.bounces for cycle_throw in cycle.throws
    )
    landings = []
    for landing_beat in range(throw_beat + 1, throw_beat + reach + 1):
        for row in range(len(cycle.rows)):
            slot_in_first_round, _round = cycle.home((landing_beat, row))
            if slot_in_first_round not in cycle.slots:
                continue  # the hand has no turn on that beat
            place = (landing_beat, *cycle.hand_at((landing_beat, row)))
            aim = partial(_aimed_at, throw=throw, at=place)
            # An error means that the throw cannot land there.
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
    """Move a landing by whole periods, later or (below 0) earlier; each period adds or removes a
    prop.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        throw: number of a throw in the full loop, from 0.
        periods: how many; a period is what the text spells out, or the full loop if not
            `symmetric`.
        symmetric: whether all repeats of the throw in the full loop change along.

    Raises:
        EditError: there is no such throw, it would land before it is thrown, or no props would be
            left.
    """

    def move(numbers: ThrowNumbers) -> Cycle:
        """Return the cycle of throws in which the landing of the chosen one is moved."""
        index, _round = numbers.find(throw)
        cycle = numbers.cycle
        return cycle.with_landings({index: cycle.later(cycle.throws[index].lands, periods)})

    return with_changed_cycle(draft, move, symmetric=symmetric)


def _with_swapped_landings(cycle: Cycle, first: int, second: int, rounds_apart: int) -> Cycle:
    """Return the cycle in which two throws exchange landings.

    A cycle is one round of throws, which repeats for ever. It lists each throw as made in round 0,
    and its landing as a slot: a beat, which may be in a later round, and a row (a hand, or two
    hands that take turns).

    Args:
        cycle: the throws.
        first, second: indices of the throws in the cycle.
        rounds_apart: how many rounds after the first throw the second one is made; below 0 for a
            second one that is made before the first.

    Raises:
        RepeatError: both are the same throw, in different rounds.
        EditError: a prop would land before it is thrown.
    """
    if first == second:
        raise RepeatError(_("a throw and its own repeat cannot swap landings"))
    first_landing = cycle.throws[first].lands
    second_landing = cycle.throws[second].lands
    # When the first throw is made in round 0, the second one is made in round `rounds_apart`, and
    # lands as many rounds later than the cycle lists: there the first one is to land. When the
    # second one is made in round 0, the first one lands as many rounds earlier.
    return cycle.with_landings(
        {
            first: cycle.later(second_landing, rounds_apart),
            second: cycle.later(first_landing, -rounds_apart),
        }
    )


def _aimed_at(numbers: ThrowNumbers, throw: int, at: int | tuple[int, int, int]) -> Cycle:
    """Return the cycle in which a throw lands elsewhere; arguments as those of `aim_throw`."""
    return with_aimed_throw(numbers, throw, numbers.landing_slot(throw, at))


def with_aimed_throw(numbers: ThrowNumbers, throw: int, target: Slot) -> Cycle:
    """Return the cycle in which a throw lands in another slot.

    - A slot is a beat and a row; a row is a hand, or the two hands of a juggler that take turns.
    - A cycle has the throws of one round, in which each throw is made once. Rounds repeat.
    - The full loop may take several rounds; throws are numbered through all of it.

    The throw that landed in the slot takes over the old landing. If nothing landed there, the hand
    of the slot gets an additional throw (`_with_prop_passed_on`).

    Args:
        numbers: the cycle, which finds one of its throws by a number in the full loop.
        throw: number of a throw in the full loop.
        target: the new landing slot, on a beat as if the throw were made in round 0.

    Raises:
        EditError: there is no such throw, or nothing can land there.
    """
    cycle = numbers.cycle
    # `target` is counted as if the throw were made in round 0, so its own round does not matter.
    index, _round = numbers.find(throw)
    # The throws that land in the slot: index, and the round in which each is made.
    arrivals = list(cycle.landing_in(target))
    lands_there_already = (index, 0) in arrivals
    if lands_there_already:
        return cycle
    if not arrivals:
        return _with_prop_passed_on(cycle, index, target)
    # Exchange landings with the first throw for which this is possible: after an exchange each prop
    # must still land after it is thrown. Repeats of the throw itself come last.
    last_error = EditError(_("nothing lands there"))
    for other_index, other_round in sorted(arrivals, key=lambda arrival: arrival[0] == index):
        try:
            return _with_swapped_landings(cycle, index, other_index, other_round)
        except EditError as error:
            last_error = error
    raise last_error


def _with_prop_passed_on(cycle: Cycle, index: int, target: Slot) -> Cycle:
    """Return the cycle in which a throw lands in an empty hand, which throws the prop further.

    Where the prop goes on to:

    - If the new landing is earlier than the old one, the hand throws the prop to the old landing.
    - If not, the prop is late for its next throw. The hand at the old landing, which made that
      throw, becomes empty, and the hand at the new landing makes it.

    Args:
        cycle: the throws of round 0, which repeats for ever. A slot is a beat and a row (hand).
        index: index of the throw.
        target: the new landing slot of the throw as it is made in round 0; its beat may be in a
            later round.

    Raises:
        EditError: nothing can be caught there, or the prop would go on before it lands.
        RepeatError: the throw would meet its own repeat.
    """
    target_in_first_round, target_round = cycle.home(target)
    if target_in_first_round not in cycle.slots:
        raise EditError(_("no hand can catch there: it is not on a beat of the pattern"))
    throws = list(cycle.throws)
    target_beat, target_row = target
    old_landing = throws[index].lands
    old_landing_beat, _row = old_landing
    # The slot to which the hand at the target throws the prop.
    onward_landing = old_landing
    if old_landing_beat <= target_beat:
        # The prop is late for its next throw, which the hand at the target makes instead.
        # `home` takes the slot to round 0. Of several throws of that hand the first one counts.
        next_slot, next_round = cycle.home(old_landing)
        next_throw = cycle.made_in(next_slot)[0]
        if next_throw == index:
            raise RepeatError(_("a throw cannot land after its own repeat"))
        onward_landing = cycle.later(throws[next_throw].lands, next_round)
        throws[next_throw] = throws[next_throw]._replace(value=0)  # 0 is an empty hand
    onward_beat, _row = onward_landing
    if onward_beat <= target_beat:
        raise EditError(_("the prop would be thrown again before it lands; choose an earlier beat"))
    throws[index] = throws[index]._replace(
        value=target_beat - throws[index].beat, to_row=target_row, held=None
    )
    # The cycle lists throws as made in round 0, so the throw from the target and its landing are
    # both moved back by the round of the target.
    beat, row = target_in_first_round
    landing_beat, landing_row = cycle.later(onward_landing, -target_round)
    new_throw = CycleThrow(beat=beat, row=row, value=landing_beat - beat, to_row=landing_row)
    return cycle.with_throws([*throws, new_throw])


def with_changed_cycle(
    draft: Draft, change: Callable[[ThrowNumbers], Cycle], *, symmetric: bool
) -> Draft:
    """Return the draft with a changed cycle of throws (one round of them, which repeats).

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        change: returns the changed cycle; it gets the present one, with the numbers of its throws
            in the full loop.
        symmetric: whether all repeats in the full loop change along.

    Raises:
        EditError: the change is not possible.
    """
    return with_cycle(
        draft, _changed_cycle(full_loop(draft), cycle_of(draft, symmetric=symmetric), change)
    )


def _changed_cycle(loop: Pattern, cycle: Cycle, change: Callable[[ThrowNumbers], Cycle]) -> Cycle:
    """Apply a change to a cycle, written out over as many rounds as the change needs.

    A change moves a throw to where another one lands. If that other one is the same throw in a
    later round (its repeat), the cycle is written out over more rounds, in which both are different
    throws.

    Args:
        loop: the full loop, whose throws are numbered.
        cycle: the throws of one round, which repeats, each with its slot: a beat and a row (a
            hand).
        change: makes another cycle; raises a `RepeatError` if a throw meets its own repeat.

    Raises:
        EditError: the change is not possible.
    """
    for rounds in range(1, _MOST_ROUNDS_OF_CYCLE + 1):
        with suppress(RepeatError):
            return change(ThrowNumbers(cycle.times(rounds) if rounds > 1 else cycle, loop))
    raise EditError(
        _(
            "a throw would meet its own repeat, even over {most_rounds} rounds",
            most_rounds=_MOST_ROUNDS_OF_CYCLE,
        )
    )


def cycle_of(draft: Draft, *, symmetric: bool) -> Cycle:
    """Return the throws of a draft's pattern as a cycle: one round of throws, which repeats.

    A round is what the text spells out; or the full loop if not `symmetric`, so that each throw of
    the loop can be changed by itself.
    """
    loop = full_loop(draft)
    if draft.score.pattern and symmetric:
        return throw_cycle(draft.score.pattern)
    return throw_cycle(replace(loop, written_period=loop.period))


def _with_exchanged_flights(
    draft: Draft, first: int, second: int, *, delay: float, symmetric: bool
) -> Draft:
    """Return events in which two flights exchange landings, as do the settings of their base.

    The base of events is the settings from which they were made.

    Args:
        draft: the score and the parameters that are edited; the score has events.
        first, second: numbers of the flights.
        delay: how much later than in this loop the second one is made: whole loops, [s].
        symmetric: whether symmetric flights change along.

    Raises:
        EditError: the flights cannot exchange landings.
    """
    changed = exchanged_flights(draft, first, second, delay=delay, symmetric=symmetric)

    def swap_in_settings(base: Draft) -> Draft:
        """Return the settings with the same change."""
        if delay:
            raise EditError(_("settings count throws within the loop"))
        return swap_landings(
            base, throw_of_flight(base, first), throw_of_flight(base, second), symmetric
        )

    return with_other_throws(draft, changed, swap_in_settings, keeps_tempo=True)


def throw_of_flight(draft: Draft, flight: int) -> int:
    """Return the number in the full loop of the throw that begins a flight.

    Flights are counted without throws whose prop stays in the hand (holds), which begin none.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        flight: number of the flight, from 0.

    Raises:
        EditError: the loop has fewer flights.
    """
    thrown = [number for number, held in enumerate(holds(full_loop(draft))) if not held]
    if flight >= len(thrown):
        raise EditError(_("the settings have different throws"))
    return thrown[flight]


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
    """Change how a throw is thrown and caught; arguments that are None leave it unchanged.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
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
    _check_bounces_and_grasp(bounces, bounce_style, grasp)
    if grasp is not None:
        draft = _with_grasp(draft, throw, grasp, symmetric=symmetric)
    if spin is not None:
        draft = _with_spin(draft, throw, spin, symmetric=symmetric)
    if bounces is None and bounce_style is None and held is None and crosses is None:
        return draft

    def change(numbers: ThrowNumbers) -> Cycle:
        """Return the cycle of throws with the chosen throw changed.

        Args:
            numbers: a cycle of throws (one round of beats, which repeats), and a map from throws of
                the full loop to throws of the cycle.
        """
        index, _round = numbers.find(throw)
        cycle = numbers.cycle
        old = cycle.throws[index]
        new_bounces = old.bounces if bounces is None else bounces
        # A prop that bounces has left the hand, so `held` is None: it is not asked for.
        if new_bounces:
            new = old._replace(
                bounces=new_bounces,
                bounce_style=bounce_style or old.bounce_style or "lift",
                held=None,
            )
        else:
            new_held = old.held if held is None else held
            new = old._replace(bounces=0, bounce_style="", held=new_held)
        throws = list(cycle.throws)
        throws[index] = new
        changed = numbers._replace(cycle=cycle.with_throws(throws))
        if crosses is None:
            return changed.cycle
        return _with_crossing(changed, throw, crosses=crosses)

    return with_changed_cycle(draft, change, symmetric=symmetric)


def _with_crossing(numbers: ThrowNumbers, throw: int, *, crosses: bool) -> Cycle:
    """Return the cycle in which a throw crosses to the other side, or stays on its side.

    A throw crosses if a left hand throws and a right hand catches, or the other way round; the
    juggler who catches stays the same, also of a pass. The throw that landed in that hand on the
    same beat takes over the old landing.

    Args:
        numbers: a cycle (one round of throws, which repeats), and a map from throws of the full
            loop to throws of the cycle.
        throw: number of a throw in the full loop.
        crosses: whether it is to cross.

    Raises:
        EditError: nothing can be caught there.
    """
    index, throw_round = numbers.find(throw)
    cycle = numbers.cycle
    cycle_throw = cycle.throws[index]
    # The slots (beat and row of hands) of throw and landing in the round of the numbered throw: two
    # hands may take turns in a row, so which of them throws depends on the round.
    _juggler, from_hand = cycle.hand_at(cycle.later(cycle_throw.slot, throw_round))
    landing = cycle.later(cycle_throw.lands, throw_round)
    landing_beat, _row = landing
    to_juggler, to_hand = cycle.hand_at(landing)
    wanted_hand = 1 - from_hand if crosses else from_hand
    if to_hand == wanted_hand:
        return cycle
    target = numbers.landing_slot(throw, (landing_beat, to_juggler, wanted_hand))
    return with_aimed_throw(numbers, throw, target)


def set_body_throw(draft: Draft, throw: int, word: str | None, symmetric: bool = True) -> Draft:
    """Choose the body throw or grasp of a throw; all props of a multiplex are thrown alike.

    Args:
        draft: the score and the parameters that are edited.
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
        check_throws(len(placed.flights.throw), throw)
        event = int(placed.flights.throw[throw])
        thrown = event_with_images(draft, placed, event, symmetric=symmetric)
        manner = throw_manner(word, prop=placed.only_kind) if word else None
        # Neighbouring throws may now follow each other, or no longer.
        moved = _with_consecutive_throws(with_manner(placed, thrown, manner))
        return with_other_throws(
            draft,
            moved,
            lambda base: set_body_throw(base, throw_of_flight(base, throw), word, symmetric),
            keeps_tempo=True,
        )
    changed, _turn = _with_value_of_throw(
        draft, throw, word, field="throws", usual=None, symmetric=symmetric
    )
    if holds(full_loop(draft))[throw]:
        raise EditError(_("throw {throw} is held, not thrown", throw=throw))
    if word in THROWS and not _is_thrown_around_body(changed, throw):
        raise EditError(_("a 1 has no time to go around the body; choose a higher throw"))
    return changed


def _with_consecutive_throws(choreography: Choreography) -> Choreography:
    """Return the events with the right manner for throws under legs that follow each other.

    A manner is the way in which a hand makes a throw: a grasp, and a row in the table of body
    throws. A throw under a leg has one manner by itself, and another if the juggler makes a further
    throw under a leg within `_BEATS_TO_FOLLOW` beats before or after, around the loop.

    Args:
        choreography: timed events (throws, catches, points that hands pass), flights and orbits of
            props.
    """
    events = choreography.events
    longest_gap = _BEATS_TO_FOLLOW / choreography.bps  # s
    # Throws that have another manner if they follow each other: row of the event, and word.
    _grasps, body_throws = events.manners.T
    leg_throws = [
        (int(event), word)
        for event in np.flatnonzero((events.kind == THROW) & (body_throws != 0))
        if (word := throw_word(int(body_throws[event]))) and has_consecutive_variant(word)
    ]
    changes = []
    for event, word in leg_throws:
        gaps = [
            abs(float(events.time[event] - events.time[other_event]))
            for other_event, _word in leg_throws
            if other_event != event
            and events.hand[other_event] // 2 == events.hand[event] // 2  # of the same juggler
        ]
        # The shorter way round the loop.
        follows = any(min(gap, choreography.duration - gap) < longest_gap for gap in gaps)
        manner = throw_manner(word, follows, choreography.only_kind)
        if manner.row != body_throws[event]:
            changes.append((int(events.hand[event]), float(events.time[event]), manner))
    # Events get other numbers with each change, so they are found by hand and time.
    for hand, time, manner in changes:
        choreography = with_manner(choreography, [event_at(choreography, hand, time)], manner)
    return choreography


def _is_thrown_around_body(draft: Draft, throw: int) -> bool:
    """Return whether a throw that is to go around the body has the time for it.

    A throw without the time is timed as a usual throw, whatever the setting `throws` says.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        throw: number of the throw in the full loop as it was before the setting was changed.
    """
    loop = full_loop(draft)
    staging = draft.score.staging
    parameters = draft.parameters
    timing = time_throws(loop, parameters.dwell, parameters.squeeze_beats)
    throw_manners = manners_of_throws(loop, timing, staging.catches, staging.throws)[0]
    # If words repeat sooner than before the change, the full loop has become shorter, and the throw
    # has a repeat in it.
    manner = throw_manners[throw % len(throw_manners)]
    # `row` is the number of a row in the table of body throws, counted from 1; 0 is a usual throw.
    return manner.row > 0


def _with_value_of_throw(
    draft: Draft,
    throw: int,
    value: object,
    *,
    field: str,
    usual: object,
    symmetric: bool,
    at_landing: bool = False,
) -> tuple[Draft, Turn]:
    """Return the draft with another value for a throw in one field of the staging.

    The staging is all that a text sets besides throws: moves of hands and bodies, catches and
    props. It has a value for each turn, which is (beat, juggler, hand). The full loop holds whole
    rounds of the throws, which repeat, so the throw has one turn in each round.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        throw: number of a throw in the full loop.
        value: the new value.
        field: name of a field of `BeatStaging` that has a value for each turn.
        usual: the default, for turns without a value in the field.
        symmetric: whether the value is set for all repeats of the throw; else a round is the full
            loop, so that the throw has a single turn.
        at_landing: whether it is set for the turn in which the throw lands, not the one in which it
            is made.

    Returns:
        The draft, and the turn for which the value was set in the first round.
    """
    loop = full_loop(draft)
    numbers = ThrowNumbers(cycle_of(draft, symmetric=symmetric), loop)
    cycle = numbers.cycle
    staging = beat_staging(draft, loop)
    index, _round = numbers.find(throw)
    cycle_throw = cycle.throws[index]
    # The slot (beat and row of hands) in which the throw is made, or lands, in each round.
    first_slot = cycle_throw.lands if at_landing else cycle_throw.slot
    slots = [cycle.later(first_slot, rounds) for rounds in range(loop.period // cycle.period)]
    turns = [(beat % loop.period, *cycle.hand_at((beat, row))) for beat, row in slots]
    # The default, which the present values overwrite, and these the new value.
    values = {
        **dict.fromkeys(loop.turns, usual),
        **(getattr(staging, field) or {}),
        **dict.fromkeys(turns, value),
    }
    changed: dict[str, Any] = {field: values}
    return with_cycle(draft, cycle, replace(staging, **changed)), turns[0]


def _with_grasp(draft: Draft, throw: int, grasp: str, *, symmetric: bool) -> Draft:
    """Return the draft in which a throw is caught with another grasp.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        throw: its number in the full loop.
        grasp: how it is caught, such as "claw".
        symmetric: whether all its repeats change along.

    Raises:
        EditError: the hand keeps the prop, so that there is no catch.
    """
    changed, turn = _with_value_of_throw(
        draft, throw, grasp, field="grasps", usual="palm", symmetric=symmetric, at_landing=True
    )
    if grasp != "palm" and beat_staging(changed, full_loop(changed)).grasp(turn) != grasp:
        raise EditError(_("throw {throw} is held, not caught", throw=throw))
    return changed


def _with_spin(draft: Draft, throw: int, spin: float, *, symmetric: bool) -> Draft:
    """Return the draft in which the clubs of a throw make another number of turns.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        throw: its number in the full loop.
        spin: turns in the air, in halves.
        symmetric: whether all its repeats change along.

    Raises:
        EditError: clubs cannot turn so.
    """
    if not 0 <= spin <= MAX_SPINS or 2 * spin % 1:
        raise EditError(
            _(
                "a club cannot turn {spin:g} times; use 0 to {max_spins} turns, in halves",
                spin=spin,
                max_spins=MAX_SPINS,
            )
        )
    changed, _turn = _with_value_of_throw(
        draft, throw, spin, field="spins", usual=None, symmetric=symmetric
    )
    return changed


def _check_bounces_and_grasp(bounces: int | None, style: str | None, grasp: str | None) -> None:
    """Refuse numbers of bounces, styles of bounces and grasps that throws cannot have.

    Args:
        bounces: number of bounces on the floor; None is allowed, as for the others.
        style: a word such as "lift".
        grasp: a word such as "claw".

    Raises:
        EditError: the number is out of range, or one of the words is unknown.
    """
    if bounces is not None and not 0 <= bounces <= MAX_BOUNCES:
        raise EditError(
            _(
                "a throw cannot bounce {bounces} times; use 0 to {max_bounces}",
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
    """Finds the throw of a cycle that a number in the full loop stands for.

    Attributes:
        cycle: one round of throws, which repeats.
        loop: the full loop, whose throws are counted; it holds whole rounds of the cycle.
    """

    cycle: Cycle
    loop: Pattern

    def find(self, number: int) -> tuple[int, int]:
        """Find the index of a throw in the cycle, and the round of the cycle in which it is made.

        The cycle is one round of throws, which repeats; the full loop holds whole rounds of it. Of
        a multiplex, throws are in the same order in the loop and in the cycle.

        Args:
            number: the number of the throw in the full loop, from 0.

        Raises:
            EditError: there is no such throw.
        """
        throws = self.loop.throws
        check_throws(len(throws), number)
        throw = throws[number]
        row = self.cycle.row_of(throw.juggler, throw.hand)
        # The same slot (beat and row of hands) in round 0, and the round of the throw.
        slot, throw_round = self.cycle.home((throw.beat, row))
        # In a multiplex, how many throws of the same beat, juggler and hand come before this one.
        place_in_multiplex = sum(earlier.turn == throw.turn for earlier in throws[:number])
        return self.cycle.made_in(slot)[place_in_multiplex], throw_round

    def landing_slot(self, throw: int, at: int | tuple[int, int, int]) -> Slot:
        """Return the slot in which a throw is to land, counted from round 0 of the cycle.

        The cycle lists each throw as made in round 0. So if the numbered throw is made in a later
        round, its landing is moved back by as many rounds.

        Args:
            throw: its number in the full loop.
            at: a beat of the full loop or after it, a juggler and a hand; or the number of the
                throw that the prop is to make next.

        Returns:
            A beat and a row of hands.

        Raises:
            EditError: there is no such throw, or nothing can be caught there.
        """
        index, throw_round = self.find(throw)
        cycle = self.cycle
        if isinstance(at, int):
            next_index, next_round = self.find(at)
            throw_beat = cycle.throws[index].beat
            old_landing_beat, _row = cycle.throws[index].lands
            period = self.loop.period
            next_beat, row = cycle.later(cycle.throws[next_index].slot, next_round - throw_round)
            # Both beats are counted from the round in which the prop is thrown. The next throw is
            # made once a loop: take the loop in which it is nearest to the old landing, but after
            # the prop is thrown.
            nearest_loop = round((old_landing_beat - next_beat) / period)
            first_loop_after_throw = (throw_beat - next_beat) // period + 1
            return next_beat + max(nearest_loop, first_loop_after_throw) * period, row
        beat, juggler, hand = at
        target_row = cycle.find_row(beat, juggler, hand)
        if target_row is None:
            raise EditError(
                _(
                    "nothing can be caught at {at}; choose a landing from landings_of",
                    at=at,
                )
            )
        return cycle.later((beat, target_row), -throw_round)


MAX_REPEATS = 100
"""How often a pattern can be repeated at once."""


def swap_hands(draft: Draft) -> Draft:
    """Swap what left and right hands do; bodies stay where they are.

    Paths of hands, catches, spins and throws around the body go with them.

    Raises:
        EditError: the pattern is in settings, which cannot express the result.
    """
    if draft.score.placed:
        # The events are mirrored; the settings that they came from, if any, by this same function.
        return with_other_throws(draft, mirrored(draft.score.placed, bodies=False), swap_hands)

    def other_hand(turn: Turn) -> Turn:
        """Return the same turn of the juggler's other hand."""
        beat, juggler, hand = turn
        return beat, juggler, 1 - hand

    # The staging is what the settings say of each turn beside its throw: how hands move, catch
    # and spin.
    staging = beat_staging(draft, full_loop(draft)).with_moved_turns(other_hand)
    pattern = draft.score.pattern
    assert pattern is not None, "only throws have a full loop"
    # A hand siteswap tells which hand throws on which beat, so it is that which is changed.
    if pattern.hand_siteswap:
        return with_pattern(draft, _with_other_hands(pattern), staging, other_hand)
    # All other throws are a cycle, which is mirrored.
    return with_cycle(draft, cycle_of(draft, symmetric=True).mirrored(), staging, other_hand)


def mirror(draft: Draft) -> Draft:
    """Mirror the whole pattern, bodies included.

    Left and right hands are swapped, also the parameters of left and right arms, and bodies stand
    and move on the other side.

    Raises:
        EditError: the pattern is in settings, which cannot express the result.
    """
    if draft.score.placed:
        # Events are mirrored here. The settings from which they were made are mirrored too, by this
        # function again: a user may go back to them.
        changed = with_other_throws(draft, mirrored(draft.score.placed), mirror)
    else:
        changed = swap_hands(draft)
        staging = replace(changed.score.staging, body=_mirrored_bodies(draft))
        changed = changed._replace(score=replace(changed.score, staging=staging))
    parameters = changed.parameters
    wings = {"left_wing": parameters.right_wing, "right_wing": parameters.left_wing}
    return changed._replace(parameters=parameters.replace(**wings))


def reverse(draft: Draft) -> Draft:
    """Reverse time: each throw goes back from its catch, with the same value, and so do the hands.

    Beats are counted backward from the first one. Bodies go back by whole beats.

    Raises:
        EditError: the pattern is too large, or settings cannot express the result.
    """
    if draft.score.placed:
        return with_other_throws(draft, reversed_in_time(draft.score.placed), reverse)
    return _reversed_pattern(draft, inverse_cycle, from_lowest_state=False)


def inverse(draft: Draft) -> Draft:
    """Return the inverse siteswap, from its lowest state: the pattern in reversed time.

    Raises:
        EditError: the pattern is too large, or settings cannot express the result.
    """
    return _reversed_pattern(draft, inverse_cycle)


def dual(draft: Draft) -> Draft:
    """Return the dual siteswap, from its lowest state: props and gaps swap roles, and time is
    reversed.

    Raises:
        EditError: the pattern has none, as it has multiplexes or bounces or is too large, or
            settings cannot express the result.
    """
    return _reversed_pattern(draft, dual_cycle)


def rotate(draft: Draft, beats: int = 1) -> Draft:
    """Start the loop some beats later: `531` becomes `315`. If all hands take turns, a right hand
    starts.

    Args:
        draft: the score and the parameters that are edited.
        beats: how many, below 0 for earlier.

    Raises:
        EditError: pairs are thrown every two beats, but it is an odd number.
    """
    if placed := draft.score.placed:
        return with_other_throws(
            draft, with_later_start(placed, beats / placed.bps), lambda base: _rotated(base, beats)
        )
    return _rotated(draft, beats, right_first=True)


def _rotated(draft: Draft, beats: int, *, right_first: bool = False) -> Draft:
    """Return the draft begun some beats later.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        beats: how many; below 0 for earlier.
        right_first: whether a right hand begins where all hands take turns.

    Raises:
        EditError: pairs are thrown every two beats, but it is an odd number.
    """
    cycle = cycle_of(draft, symmetric=True)
    staging = beat_staging(draft, full_loop(draft))
    # `division` parts make a beat, and the pattern of which rows (hands) throw together repeats
    # every `phase` parts. The new first beat must have the same one as the old first beat.
    shift = beats * cycle.division
    if shift % cycle.phase:
        raise EditError(
            _(
                "pairs are thrown every two beats, so the loop cannot start {beats} later; "
                "choose an even number",
                beats=beats,
            )
        )
    staging = staging.with_moved_beats(staging.period, lambda beat: (beat - shift) % staging.period)
    cycle = cycle.rotated(shift)

    def old_turn_of(turn: Turn) -> Turn:
        """Return the turn (beat, juggler, hand) that has become a turn of the new loop."""
        beat, juggler, hand = turn
        return beat + shift, juggler, hand

    return with_cycle(draft, cycle.right_first() if right_first else cycle, staging, old_turn_of)


def repeat(draft: Draft, times: int) -> Draft:
    """Write the pattern out several times, so that each repeat can be edited separately.

    Args:
        draft: the score and the parameters that are edited.
        times: how often.

    Raises:
        EditError: that is too often, or settings cannot express the result.
    """
    if not 1 <= times <= MAX_REPEATS:
        raise EditError(
            _(
                "a pattern cannot be repeated {times} times; use 1 to {max_repeats}",
                times=times,
                max_repeats=MAX_REPEATS,
            )
        )
    if times == 1:
        return draft
    if placed := draft.score.placed:
        # As many as a file can hold.
        if times * len(placed.events.time) > MAX_JML_EVENTS:
            raise EditError(
                _(
                    "{times} loops would have more than {max_jml_events} events; repeat them less "
                    "often",
                    times=times,
                    max_jml_events=MAX_JML_EVENTS,
                )
            )
        return with_other_throws(draft, unroll(placed, times), lambda base: repeat(base, times))
    staging = beat_staging(draft, full_loop(draft))
    return with_pattern(draft, _written_several_times(draft, times), staging)


def _written_several_times(draft: Draft, times: int) -> Pattern:
    """Return the pattern of a draft with a text that repeats it several times.

    Tried in turn are: the text repeated, in parentheses with a number, and the throws of each
    juggler repeated. The first that is read as the same throws is returned.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        times: number of repeats.

    Raises:
        EditError: settings cannot express the result.
    """
    pattern = draft.score.pattern
    assert pattern is not None, "only throws have a full loop"
    hands = pattern.hand_siteswap
    beats = times * pattern.written_period
    plain = written_pattern(cycle_of(draft, symmetric=True)).text
    # The last resort, without notation for repeats: the throws of each juggler are written out.
    jugglers_throws = "|".join(" ".join([side] * times) for side in plain.strip("<>").split("|"))
    for text in (
        pattern.text * times,
        f"({pattern.text}^{times})",
        f"({plain}^{times})",
        f"<{jugglers_throws}>",
    ):
        with suppress(NotationError):
            if hands:
                read = read_hand_siteswap(
                    text, hands.text, hands.handspec, hold=hands.hold, dwellmax=hands.dwellmax
                )
            else:
                read = read_siteswap(text)
            # Compare the throws over a common multiple of both periods.
            common_period = math.lcm(read.period, pattern.period)
            read_throws = repeated(read, common_period // read.period).throws
            throws = repeated(pattern, common_period // pattern.period).throws
            # A text may also be read as twice as many beats.
            if read_throws == throws and read.written_period in (beats, 2 * beats):
                return read
    raise EditError(
        _("{text} repeated {times} times cannot be written as text", text=pattern.text, times=times)
    )


def _reversed_pattern(
    draft: Draft, reverse_cycle: Callable[[Cycle], Cycle], *, from_lowest_state: bool = True
) -> Draft:
    """Return the draft with a related pattern in reversed time, and its staging reversed.

    Beat b of the full loop becomes beat −b of reversed time, and one of these becomes beat 0 of the
    result. The staging is all that a text sets besides throws: moves of hands and bodies, catches
    and props. A state says on which coming beats props land.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        reverse_cycle: takes a cycle (one round of throws, which repeats), and returns a cycle in
            reversed time: the inverse or the dual.
        from_lowest_state: whether the result begins at its lowest state (that whose props land
            soonest), rather than at the first beat.

    Raises:
        EditError: the pattern is too large or has none, or settings cannot express the result.
    """
    loop = full_loop(draft)
    staging = beat_staging(draft, loop).reversed()
    try:
        cycle = reverse_cycle(state_cycle(loop))
    except JuggleError as error:
        raise EditError(str(error)) from error
    # The beat, in reversed time, that becomes beat 0.
    first = cycle.lowest_state_beat if from_lowest_state else 0
    if from_lowest_state:
        cycle = cycle.standard()
        staging = staging.with_moved_beats(
            staging.period, lambda beat: (beat - first) % staging.period
        )
    cycle = cycle.with_throws(_in_reversed_order(cycle, loop, first))

    def old_turn_of(turn: Turn) -> Turn:
        """Return the turn (beat, juggler, hand) that has become a turn in reversed time."""
        beat, juggler, hand = turn
        return -beat - first, juggler, hand

    return with_cycle(
        draft, cycle.right_first() if from_lowest_state else cycle, staging, old_turn_of
    )


def _in_reversed_order(cycle: Cycle, loop: Pattern, first: int) -> list[CycleThrow]:
    """Return the throws of a reversed cycle, sorted by slot (a beat and a row, which is a hand).

    Throws that share a slot are a multiplex. Their order says which of the caught props makes which
    throw: throws whose props come down from the highest throws, in reversed time, are listed first.

    Args:
        cycle: the throws of one round, which repeats, each with its slot: a beat and a row (a
            hand); time is reversed.
        loop: the full loop that was reversed.
        first: the beat, in reversed time, from which the cycle begins.
    """
    # For each throw of the cycle (beat, row, value) the values that its prop was thrown with next
    # in the loop: in reversed time, the throws that it comes from.
    next_values: dict[tuple[int, int, int], list[int]] = {}
    for throw, landing in zip(loop.throws, loop.landings, strict=True):
        # In reversed time the prop is thrown where it landed. Beat b becomes −b − first.
        landing_beat = throw.beat + throw.value
        reversed_beat = (-landing_beat - first) % cycle.period
        catching_row = cycle.row_of(throw.to_juggler, throw.to_hand)
        key = reversed_beat, catching_row, throw.value
        next_values.setdefault(key, []).append(loop.throws[landing].value)
    # The first prop of a multiplex is the one that comes from the highest throw. A dual has throws
    # that were none before, which count as 0.
    highest_before = {
        throw: max(next_values.get((*throw.slot, throw.value), [0])) for throw in cycle.throws
    }
    return sorted(cycle.throws, key=lambda throw: (throw.slot, -highest_before[throw]))


def _with_other_hands(pattern: Pattern) -> Pattern:
    """Return the same throws, each made by the other hand of its juggler.

    Args:
        pattern: the pattern with a hand siteswap.
    """
    hands = pattern.hand_siteswap
    assert hands is not None, "only hands with a siteswap of their own have numbers"
    # Hands are numbered in the order of their first turns. A handspec lists the left and the right
    # hand of each juggler, so the numbers are written the other way round.
    numbers: dict[tuple[int, int], int] = {}
    for _beat, juggler, hand in pattern.turns:
        numbers.setdefault((juggler, hand), len(numbers) + 1)
    sides = (
        (numbers.get((juggler, side), "") for side in (RIGHT, LEFT))
        for juggler in range(pattern.jugglers)
    )
    handspec = "".join(f"({left},{right})" for left, right in sides)
    return read_hand_siteswap(
        pattern.text, hands.text, handspec, hold=hands.hold, dwellmax=hands.dwellmax
    )


def _mirrored_bodies(draft: Draft) -> BodyMoves | None:
    """Return the mirror image of the bodies of a draft; None for a single one in the middle.

    Args:
        draft: the score and the parameters that are edited.
    """

    def image(place: BodyPlace | None) -> BodyPlace | None:
        """Return the place mirrored from left to right; None, a step without a place, stays."""
        if place is None:
            return None
        x, y, z = place.position
        return BodyPlace(-place.facing, (-x, y, z))

    if body := draft.score.staging.body:
        return write_body(
            [[tuple(map(image, beat)) for beat in body_beats] for body_beats in body.beats]
        )
    if draft.score.jugglers == 1:
        return None
    # Without the setting, jugglers stand still: each has a single key, whose mirror image is
    # written for all beats.
    bodies = choreograph(draft.score, draft.parameters).bodies
    keys = zip(bodies.facing.tolist(), bodies.position.tolist(), strict=True)
    return write_body([[(image(BodyPlace(facing, (x, y, z))),)] for facing, (x, y, z) in keys])
