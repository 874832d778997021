"""Editing whole patterns: left and right, time, and the patterns that are related to one."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from juggle_anim.choreography.choreograph import choreograph
from juggle_anim.choreography.score import BodyMoves, BodyPlace
from juggle_anim.choreography.unroll import delayed, mirrored, reversed_in_time, unroll
from juggle_anim.editing.draft import Draft
from juggle_anim.editing.events import with_other_throws
from juggle_anim.editing.staging import (
    beat_staging,
    full_loop,
    with_cycle,
    with_pattern,
    written_pattern,
)
from juggle_anim.editing.throws import cycle_of
from juggle_anim.errors import EditError, JuggleError, NotationError
from juggle_anim.language import _
from juggle_anim.notation.facts import dual_cycle, inverse_cycle
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.notation.limits import MAX_JML_EVENTS
from juggle_anim.notation.settings.staging import write_body
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern
from juggle_anim.pattern.cycle import Cycle, CycleThrow, state_cycle
from juggle_anim.pattern.pattern import Turn, repeated

MAX_REPEATS = 100
"""How often a pattern can be repeated at once."""


def swap_hands(draft: Draft) -> Draft:
    """Let left hands do what right hands did, and the other way round; bodies stay where they are.

    Raises:
        EditError: no text says it.
    """
    if draft.score.placed:
        return with_other_throws(draft, mirrored(draft.score.placed, bodies=False), swap_hands)

    def other_hand(turn: Turn) -> Turn:
        beat, juggler, hand = turn
        return beat, juggler, 1 - hand

    staging = beat_staging(draft, full_loop(draft)).turned(other_hand)
    pattern = draft.score.pattern
    assert pattern is not None, "only throws have a full loop"
    # In a hand siteswap the numbers of hands say which hand throws, not the cycle.
    if pattern.hand_siteswap:
        return with_pattern(draft, _with_other_hands(pattern), staging, other_hand)
    return with_cycle(draft, cycle_of(draft, symmetric=True).mirrored(), staging, other_hand)


def mirror(draft: Draft) -> Draft:
    """Show everything as in a mirror: hands are swapped, and bodies stand and move on the other
    side.

    Raises:
        EditError: no text says it.
    """
    if draft.score.placed:
        changed = with_other_throws(draft, mirrored(draft.score.placed), mirror)
    else:
        changed = swap_hands(draft)
        staging = replace(changed.score.staging, body=_mirrored_bodies(draft))
        changed = changed._replace(score=replace(changed.score, staging=staging))
    # Elbows may be raised differently on either side, which a mirror exchanges.
    parameters = changed.parameters
    wings = {"left_wing": parameters.right_wing, "right_wing": parameters.left_wing}
    return changed._replace(parameters=parameters.replace(**wings))


def reverse(draft: Draft) -> Draft:
    """Run time backward: each throw is thrown from where it was caught, with the same value, and
    hands go back.

    Beats are counted backward from the first one. Bodies go back by whole beats.

    Raises:
        EditError: the pattern is too large, or no text says it.
    """
    if draft.score.placed:
        return with_other_throws(draft, reversed_in_time(draft.score.placed), reverse)
    return _in_reversed_time(draft, inverse_cycle, standard=False)


def inverse(draft: Draft) -> Draft:
    """The inverse siteswap: the pattern in reversed time, from its lowest state on.

    Raises:
        EditError: the pattern is too large, or no text says it.
    """
    return _in_reversed_time(draft, inverse_cycle)


def dual(draft: Draft) -> Draft:
    """The dual siteswap, from its lowest state on: props and empty places change roles, and time is
    reversed.

    Raises:
        EditError: the pattern has none, as it has multiplexes or bounces or is too large, or no
            text says it.
    """
    return _in_reversed_time(draft, dual_cycle)


def rotate(draft: Draft, beats: int) -> Draft:
    """Begin the loop some beats later: `531` becomes `315`. Where all hands take turns, a right one
    begins.

    Args:
        draft: what is edited.
        beats: how many, below 0 for earlier.

    Raises:
        EditError: pairs are thrown every two beats, but it is an odd number.
    """
    if placed := draft.score.placed:
        return with_other_throws(
            draft, delayed(placed, beats / placed.bps), lambda base: _rotated(base, beats)
        )
    return _rotated(draft, beats, right_first=True)


def _rotated(draft: Draft, beats: int, *, right_first: bool = False) -> Draft:
    """Return a draft whose loop begins some beats later.

    Args:
        draft: draft with a pattern of throws.
        beats: whole beats; below 0 for earlier.
        right_first: whether hands that take turns are exchanged if a left one would begin.
    """
    cycle = cycle_of(draft, symmetric=True)
    staging = beat_staging(draft, full_loop(draft))
    shift = beats * cycle.division
    if shift % cycle.phase:
        raise EditError(
            _(
                "pairs are thrown every two beats, so the loop cannot begin {beats} later; choose "
                "an even number",
                beats=beats,
            )
        )
    moved = staging.moved(staging.period, lambda beat: (beat - shift) % staging.period)
    cycle = cycle.rotated(shift)

    def origin(turn: Turn) -> Turn:
        beat, juggler, hand = turn
        return beat + shift, juggler, hand

    return with_cycle(draft, cycle.right_first() if right_first else cycle, moved, origin)


def repeat(draft: Draft, times: int) -> Draft:
    """Spell the pattern out several times, so that each of its repeats can be changed by itself.

    Args:
        draft: what is edited.
        times: how often.

    Raises:
        EditError: that is too often, or no text says it.
    """
    if not 1 <= times <= MAX_REPEATS:
        raise EditError(
            _(
                "a pattern cannot be repeated {times} times; a number from 1 to {max_repeats}",
                times=times,
                max_repeats=MAX_REPEATS,
            )
        )
    if times == 1:
        return draft
    if placed := draft.score.placed:
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
    # The throws and their staging stay; only the text is longer.
    staging = beat_staging(draft, full_loop(draft))
    return with_pattern(draft, _repeated_text_pattern(draft, times), staging)


def _repeated_text_pattern(draft: Draft, times: int) -> Pattern:
    """Return the pattern of a draft with a text that spells it out several times.

    Raises:
        EditError: no text says it.
    """
    pattern = draft.score.pattern
    assert pattern is not None, "only throws have a full loop"
    hands = pattern.hand_siteswap
    beats = times * pattern.written_period
    plain = written_pattern(cycle_of(draft, symmetric=True)).text
    # In notation that knows no repeats, each juggler's throws are written again.
    sides = "|".join(" ".join([side] * times) for side in plain.strip("<>").split("|"))
    # Candidates, the most readable first. Each is read back, since in some notations a repeated
    # text means something else.
    for text in (
        pattern.text * times,
        f"({pattern.text}^{times})",
        f"({plain}^{times})",
        f"<{sides}>",
    ):
        with suppress(NotationError):
            if hands:
                read = read_hand_siteswap(
                    text, hands.text, hands.handspec, hands.hold, hands.dwellmax
                )
            else:
                read = read_siteswap(text)
            common_period = math.lcm(read.period, pattern.period)
            read_throws, throws = (
                repeated(candidate, common_period // candidate.period).throws
                for candidate in (read, pattern)
            )
            if read_throws == throws and read.written_period in (beats, 2 * beats):
                return read
    raise EditError(_("no text says {text} {times} times", text=pattern.text, times=times))


def _in_reversed_time(
    draft: Draft, make: Callable[[Cycle], Cycle], *, standard: bool = True
) -> Draft:
    """Return the draft of a pattern in reversed time that is made from a draft's.

    Args:
        draft: draft with a pattern of throws.
        make: returns the reversed cycle of one that walks through states.
        standard: whether it begins at its lowest state, not at the first beat.
    """
    loop = full_loop(draft)
    staging = beat_staging(draft, loop).reversed()
    try:
        cycle = make(state_cycle(loop))
    except JuggleError as error:
        raise EditError(str(error)) from error
    first = cycle.lowest if standard else 0
    if standard:
        cycle = cycle.standard()
        staging = staging.moved(staging.period, lambda beat: (beat - first) % staging.period)
    cycle = cycle.with_throws(_in_reversed_order(cycle, loop, first))

    def origin(turn: Turn) -> Turn:
        beat, juggler, hand = turn
        return -beat - first, juggler, hand

    return with_cycle(draft, cycle.right_first() if standard else cycle, staging, origin)


def _in_reversed_order(cycle: Cycle, loop: Pattern, first: int) -> list[CycleThrow]:
    """Return the throws of a reversed cycle, with those of each multiplex in the reversed order.

    The order says which caught prop makes which throw; backward, it follows from the throws that
    the props make next in the loop.

    Args:
        cycle: cycle in reversed time.
        loop: loop that was reversed.
        first: beat of the reversed loop at which the cycle begins.
    """
    # By reversed slot and value, the values of the next throws of these props in the loop.
    next_values: dict[tuple[int, int, int], list[int]] = {}
    for throw, landing in zip(loop.throws, loop.landings, strict=True):
        reversed_beat = (-throw.beat - throw.value - first) % cycle.period
        to_row = cycle.row_of(throw.to_juggler, throw.to_hand)
        key = reversed_beat, to_row, throw.value
        next_values.setdefault(key, []).append(loop.throws[landing].value)
    # The prop that comes from the highest throw makes the throw that is written first.
    highest_before = {
        throw: max(next_values.get((*throw.slot, throw.value), [0])) for throw in cycle.throws
    }
    return sorted(cycle.throws, key=lambda throw: (throw.slot, -highest_before[throw]))


def _with_other_hands(pattern: Pattern) -> Pattern:
    """Return a pattern with a hand siteswap in which the hands of each juggler are exchanged."""
    hands = pattern.hand_siteswap
    assert hands is not None, "only hands with a siteswap of their own have numbers"
    # Hands are numbered from 1 in the order of their first turns.
    hand_numbers: dict[tuple[int, int], int] = {}
    for _beat, juggler, hand in pattern.turns:
        hand_numbers.setdefault((juggler, hand), len(hand_numbers) + 1)
    # A specification lists left and right numbers; right ones are put left, and the reverse.
    numbers_by_side = (
        (hand_numbers.get((juggler, side), "") for side in (RIGHT, LEFT))
        for juggler in range(pattern.jugglers)
    )
    spec = "".join(f"({left},{right})" for left, right in numbers_by_side)
    return read_hand_siteswap(pattern.text, hands.text, spec, hands.hold, hands.dwellmax)


def _mirrored_bodies(draft: Draft) -> BodyMoves | None:
    """Return the setting `body` for the mirror image of a draft's bodies in the plane x = 0.

    Returns:
        None for a single body that stands in the middle, where nothing has to be said.
    """

    def image(place: BodyPlace | None) -> BodyPlace | None:
        if place is None:
            return None
        x, y, z = place.position
        return BodyPlace(-place.facing, (-x, y, z))

    if body := draft.score.staging.body:
        return write_body(
            [[tuple(map(image, beat)) for beat in juggler_beats] for juggler_beats in body.beats]
        )
    if draft.score.jugglers == 1:
        return None
    # Without a setting jugglers stand where the choreography puts them.
    bodies = choreograph(draft.score, draft.parameters).bodies
    places = zip(bodies.facing.tolist(), bodies.position.tolist(), strict=True)
    return write_body([[(image(BodyPlace(facing, (x, y, z))),)] for facing, (x, y, z) in places])
