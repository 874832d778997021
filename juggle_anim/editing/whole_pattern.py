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

    def other(turn: Turn) -> Turn:
        return turn[0], turn[1], 1 - turn[2]

    said = beat_staging(draft, full_loop(draft)).turned(other)
    pattern = draft.score.pattern
    assert pattern is not None, "only throws have a full loop"
    if pattern.hand_siteswap:
        return with_pattern(draft, _with_other_hands(pattern), said, other)
    return with_cycle(draft, cycle_of(draft, symmetric=True).mirrored(), said, other)


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
    return _related(draft, inverse_cycle, standard=False)


def inverse(draft: Draft) -> Draft:
    """The inverse siteswap: the pattern in reversed time, from its lowest state on.

    Raises:
        EditError: the pattern is too large, or no text says it.
    """
    return _related(draft, inverse_cycle)


def dual(draft: Draft) -> Draft:
    """The dual siteswap, from its lowest state on: props and empty places change roles, and time is
    reversed.

    Raises:
        EditError: the pattern has none, as it has multiplexes or bounces or is too large, or no
            text says it.
    """
    return _related(draft, dual_cycle)


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
            draft, delayed(placed, beats / placed.bps), lambda each: _rotated(each, beats)
        )
    return _rotated(draft, beats, right_first=True)


def _rotated(draft: Draft, beats: int, *, right_first: bool = False) -> Draft:
    cycle = cycle_of(draft, symmetric=True)
    said = beat_staging(draft, full_loop(draft))
    shift = beats * cycle.division
    if shift % cycle.phase:
        raise EditError(
            _(
                "pairs are thrown every two beats, so the loop cannot begin {beats} later; choose "
                "an even number",
                beats=beats,
            )
        )
    moved = said.moved(said.period, lambda beat: (beat - shift) % said.period)
    cycle = cycle.rotated(shift)

    def origin(turn: Turn) -> Turn:
        return turn[0] + shift, turn[1], turn[2]

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
        return with_other_throws(draft, unroll(placed, times), lambda each: repeat(each, times))
    said = beat_staging(draft, full_loop(draft))
    return with_pattern(draft, _spelled_out(draft, times), said)


def _spelled_out(draft: Draft, times: int) -> Pattern:
    pattern = draft.score.pattern
    assert pattern is not None, "only throws have a full loop"
    hands = pattern.hand_siteswap
    beats = times * pattern.written_period
    plain = written_pattern(cycle_of(draft, symmetric=True)).text
    # In notation that knows no repeats, each juggler's throws are written again.
    sides = "|".join(" ".join([side] * times) for side in plain.strip("<>").split("|"))
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
            rounds = math.lcm(read.period, pattern.period)
            same = [repeated(each, rounds // each.period).throws for each in (read, pattern)]
            if same[0] == same[1] and read.written_period in (beats, 2 * beats):
                return read
    raise EditError(_("no text says {text} {times} times", text=pattern.text, times=times))


def _related(draft: Draft, make: Callable[[Cycle], Cycle], *, standard: bool = True) -> Draft:
    """A pattern in reversed time.

    Args:
        draft: with a pattern of throws.
        make: the walk through the states of one that is reversed.
        standard: whether it begins at its lowest state, not at the first beat.
    """
    loop = full_loop(draft)
    said = beat_staging(draft, loop).reversed()
    try:
        cycle = make(state_cycle(loop))
    except JuggleError as error:
        raise EditError(str(error)) from error
    first = cycle.lowest if standard else 0
    if standard:
        cycle = cycle.standard()
        said = said.moved(said.period, lambda beat: (beat - first) % said.period)
    cycle = cycle.with_throws(_in_reversed_order(cycle, loop, first))

    def origin(turn: Turn) -> Turn:
        return -turn[0] - first, turn[1], turn[2]

    return with_cycle(draft, cycle.right_first() if standard else cycle, said, origin)


def _in_reversed_order(cycle: Cycle, loop: Pattern, first: int) -> list[CycleThrow]:
    """The throws of a cycle, those of a multiplex in the order in which props go on as they came in
    reversed time.

    Args:
        cycle: in reversed time.
        loop: what was reversed.
        first: the beat from which the cycle begins.
    """
    onward: dict[tuple[int, int, int], list[int]] = {}
    for throw, landing in zip(loop.throws, loop.landings, strict=True):
        key = (
            (-throw.beat - throw.value - first) % cycle.period,
            cycle.row_of(*throw[4:6]),
            throw.value,
        )
        onward.setdefault(key, []).append(loop.throws[landing].value)
    # The prop that comes from the highest throw makes what is written first.
    ranks = {key: sorted(values) for key, values in onward.items()}
    last = {throw: max(ranks.get((*throw.slot, throw.value), [0])) for throw in cycle.throws}
    return sorted(cycle.throws, key=lambda throw: (throw.slot, -last[throw]))


def _with_other_hands(pattern: Pattern) -> Pattern:
    """The same objects, thrown by the other hand of each juggler each time."""
    hands = pattern.hand_siteswap
    assert hands is not None, "only hands with a siteswap of their own have numbers"
    numbers: dict[tuple[int, int], int] = {}
    for _unused, juggler, hand in pattern.turns:
        numbers.setdefault((juggler, hand), len(numbers) + 1)
    sides = (
        (numbers.get((juggler, side), "") for side in (RIGHT, LEFT))
        for juggler in range(pattern.jugglers)
    )
    spec = "".join(f"({left},{right})" for left, right in sides)
    return read_hand_siteswap(pattern.text, hands.text, spec, hands.hold, hands.dwellmax)


def _mirrored_bodies(draft: Draft) -> BodyMoves | None:
    """What a mirror shows of bodies; None for a single one that stands in the middle."""

    def image(place: BodyPlace | None) -> BodyPlace | None:
        if place is None:
            return None
        x, y, z = place.position
        return BodyPlace(-place.facing, (-x, y, z))

    if said := draft.score.staging.body:
        return write_body([[tuple(map(image, beat)) for beat in mine] for mine in said.beats])
    if draft.score.jugglers == 1:
        return None
    bodies = choreograph(draft.score, draft.parameters).bodies
    places = zip(bodies.facing.tolist(), bodies.position.tolist(), strict=True)
    return write_body([[(image(BodyPlace(turn, (x, y, z))),)] for turn, (x, y, z) in places])
