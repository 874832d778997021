"""Holds: throws that are none, since the prop stays in its hand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from juggle_anim.pattern import Pattern, Throw

LONGEST_HOLD = 2
"""Beats after which a prop comes back to its hand at the latest that is held although nothing says so."""


def holds(pattern: Pattern) -> tuple[bool, ...]:
    """For each throw, whether it is no throw at all but a prop that stays in its hand.

    Only a prop that comes back to its own hand can be held. It is where the pattern says so (`3H`, and not with `2T`);
    where it says nothing, a throw of up to two beats is held unless that hand throws something else in between.
    """
    beats: dict[int, set[int]] = {}
    for throw in pattern.throws:
        beats.setdefault(hand_of(throw), set()).add(throw.beat)
    busy = {hand: sorted(found) for hand, found in beats.items()}

    def held(throw: Throw) -> bool:
        if (throw.juggler, throw.hand) != (throw.to_juggler, throw.to_hand):
            return False
        if throw.held is not None:
            return throw.held
        if throw.value > LONGEST_HOLD * pattern.division:
            return False
        return _next(busy[hand_of(throw)], throw.beat, pattern.period) >= throw.value

    return tuple(held(throw) for throw in pattern.throws)


def after_holds(pattern: Pattern, held: Sequence[bool], index: int) -> tuple[int, int]:
    """When a prop that flies is next let go of.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
        index: of a throw that is not.

    Returns:
        The index of the next throw of the same prop that is not held, and for how many beats or parts of beats the prop
        is held between.
    """
    following, beats = pattern.landings[index], 0
    while held[following]:
        beats += pattern.throws[following].value
        following = pattern.landings[following]
    return following, beats


def hand_of(throw: Throw) -> int:
    """The number of the hand that throws: 2 · juggler + side."""
    return 2 * throw.juggler + throw.hand


def _next(busy: list[int], beat: int, period: int) -> int:
    """How much later a hand has something to throw again."""
    place = bisect_right(busy, beat)
    return busy[place] - beat if place < len(busy) else busy[0] + period - beat
