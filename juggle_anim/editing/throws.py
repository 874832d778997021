"""Editing throws: how they are thrown and caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from juggle_anim.choreography import Choreography
from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.choreography.choreography import THROW
from juggle_anim.choreography.dwell import holds, time_throws
from juggle_anim.choreography.manners import manners_of_throws, may_follow, throw_word, thrown_in
from juggle_anim.choreography.places import GRASPS
from juggle_anim.editing.beat_staging import beat_staging, full_loop
from juggle_anim.editing.draft import Draft, symmetries_of
from juggle_anim.editing.events import check_flights, with_other_throws
from juggle_anim.editing.landings import aimed, cycle_of, throw_of_flight, with_changed_cycle
from juggle_anim.editing.limits import event_at
from juggle_anim.editing.points import with_manner
from juggle_anim.editing.staging_writer import with_cycle
from juggle_anim.editing.symmetry import images
from juggle_anim.editing.throw_cycle import ThrowCycle, ThrowNumbers
from juggle_anim.errors import EditError, did_you_mean, printable
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_BOUNCES
from juggle_anim.notation.settings.staging import MAX_SPINS
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES
from juggle_anim.pattern.pattern import Turn

# Throws of one juggler that are nearer than so many beats follow each other.
_BESIDE = 1.25


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
        for each in range(loop.period // cycle.beats)
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
