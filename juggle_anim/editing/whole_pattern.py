"""Editing whole patterns: left and right, time, and the patterns that are related to one."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from juggle_anim.choreography import BodyMoves, BodyPlace, choreograph
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
from juggle_anim.notation import (
    dual_cycle,
    inverse_cycle,
    read_hand_siteswap,
    read_siteswap,
    write_body,
)
from juggle_anim.notation.limits import MAX_JML_EVENTS
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Turn, repeated
from juggle_anim.pattern.cycle import Cycle, CycleThrow, state_cycle

MAX_REPEATS = 100
"""How often a pattern can be repeated at once."""


def swap_hands(draft: Draft) -> Draft:
    """Swap what left and right hands do; bodies stay where they are.

    Paths of hands, catches, spins and throws around the body go with them.

    Raises:
        EditError: the pattern is in settings, which cannot express the result.
    """
    if draft.score.placed:
        return with_other_throws(draft, mirrored(draft.score.placed, bodies=False), swap_hands)

    def other_hand(turn: Turn) -> Turn:
        """The same turn of the juggler's other hand."""
        beat, juggler, hand = turn
        return beat, juggler, 1 - hand

    staging = beat_staging(draft, full_loop(draft)).with_moved_turns(other_hand)
    pattern = draft.score.pattern
    assert pattern is not None, "only throws have a full loop"
    # A hand siteswap says which hand is which.
    if pattern.hand_siteswap:
        return with_pattern(draft, _with_other_hands(pattern), staging, other_hand)
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


def rotate(draft: Draft, beats: int) -> Draft:
    """Start the loop some beats later: `531` becomes `315`. If all hands take turns, a right hand
    starts.

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
    # `division` parts make a beat; rows that throw together do so again every `phase` parts.
    shift = beats * cycle.division
    # The same rows have to throw together on the new first beat.
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
        """The old turn of a new one."""
        beat, juggler, hand = turn
        return beat + shift, juggler, hand

    return with_cycle(draft, cycle.right_first() if right_first else cycle, staging, old_turn_of)


def repeat(draft: Draft, times: int) -> Draft:
    """Write the pattern out several times, so that each repeat can be edited separately.

    Args:
        draft: what is edited.
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
    # Without notation for repeats, each juggler's throws are written out.
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

    Beat b of the full loop becomes −b, counted from the beat with which the result begins.

    Args:
        draft: the score and the parameters that are edited; the score has a pattern of throws.
        reverse_cycle: takes the cycle of states of a pattern, and returns a cycle in reversed time:
            the inverse or the dual.
        from_lowest_state: whether the result begins at its lowest state, rather than at the first
            beat.

    Raises:
        EditError: the pattern is too large or has none, or settings cannot express the result.
    """
    loop = full_loop(draft)
    staging = beat_staging(draft, loop).reversed()
    try:
        cycle = reverse_cycle(state_cycle(loop))
    except JuggleError as error:
        raise EditError(str(error)) from error
    first = cycle.lowest_state_beat if from_lowest_state else 0  # the beat that becomes beat 0
    if from_lowest_state:
        cycle = cycle.standard()
        staging = staging.with_moved_beats(
            staging.period, lambda beat: (beat - first) % staging.period
        )
    cycle = cycle.with_throws(_in_reversed_order(cycle, loop, first))

    def old_turn_of(turn: Turn) -> Turn:
        """The old turn of a new one."""
        beat, juggler, hand = turn
        return -beat - first, juggler, hand

    return with_cycle(
        draft, cycle.right_first() if from_lowest_state else cycle, staging, old_turn_of
    )


def _in_reversed_order(cycle: Cycle, loop: Pattern, first: int) -> list[CycleThrow]:
    """Return the throws of a reversed cycle by slot; those that fell highest come first.

    A slot is a beat and a row (a hand). Among the props of a multiplex, which share a slot, the
    order says which goes on to which throw.

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
        key = (
            (-throw.beat - throw.value - first) % cycle.period,
            cycle.row_of(throw.to_juggler, throw.to_hand),
            throw.value,
        )
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
        """The place on the other side, facing the other way round."""
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
    # Jugglers who stand as usual have one key each, whose mirror image holds on all beats.
    bodies = choreograph(draft.score, draft.parameters).bodies
    keys = zip(bodies.facing.tolist(), bodies.position.tolist(), strict=True)
    return write_body([[(image(BodyPlace(facing, (x, y, z))),)] for facing, (x, y, z) in keys])
