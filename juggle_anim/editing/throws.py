"""Editing throws: exchanging where they land."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.errors import EditError, JuggleError
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.write import write_siteswap
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern, Throw


class Draft(NamedTuple):
    """What operations change.

    Attributes:
        score: the pattern, or its events.
        parameters: all adjustable values.
    """

    score: Score
    parameters: Parameters


def swap_landings(draft: Draft, first: int, second: int) -> Draft:
    """Exchange where two throws land: `531` becomes `441` by its first two.

    Args:
        draft: with a pattern of throws.
        first, second: numbers of throws in the full loop, from 0.

    Raises:
        EditError: there are no such throws, or one of the props would land before it is thrown.
    """
    pattern = _full_loop(draft)
    one, other = (_throw(pattern, number) for number in (first, second))
    apart = other.beat - one.beat
    values = apart + other.value, one.value - apart
    if min(values) < 1:
        raise EditError(
            f"throw {first} and throw {second} cannot exchange landings: a prop would land before its throw"
        )
    throws = list(pattern.throws)
    throws[first] = one._replace(value=values[0], to_juggler=other.to_juggler, to_hand=other.to_hand, held=None)
    throws[second] = other._replace(value=values[1], to_juggler=one.to_juggler, to_hand=one.to_hand, held=None)
    return _with_pattern(draft, replace(pattern, throws=tuple(throws), mirrored=False))


def _full_loop(draft: Draft) -> Pattern:
    if draft.score.pattern is None:
        raise EditError("these events are on no beats, so they have no throws of a siteswap")
    return repeat_to_full_loop(draft.score.pattern, draft.score.staging)


def _throw(pattern: Pattern, number: int) -> Throw:
    if not 0 <= number < len(pattern.throws):
        raise EditError(f"there is no throw {number}; the loop has {len(pattern.throws)}, from 0")
    return pattern.throws[number]


def _with_pattern(draft: Draft, pattern: Pattern) -> Draft:
    try:
        read = read_siteswap(write_siteswap(pattern))
    except JuggleError as error:
        raise EditError(str(error)) from error
    return draft._replace(score=replace(draft.score, pattern=read, title="", about="", tags=()))
