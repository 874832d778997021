"""Grasps: which way up hands catch, and throw again, and where they do it then."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from juggle_anim.choreography.choreography import Grasp
from juggle_anim.choreography.holds import after_holds
from juggle_anim.choreography.staging import Catches, Point
from juggle_anim.choreography.timing import Timing
from juggle_anim.pattern import Pattern

# How much higher than usual, and how far back, hands are: a claw comes from above, a penguin to the side. [m]
_CLAW_UP = 0.14
_PENGUIN_CATCH, _PENGUIN_THROW = (0.36, -0.08, -0.14), (0.26, -0.02, -0.04)


def grasps(pattern: Pattern, timing: Timing, catches: Catches) -> tuple[list[Grasp], list[Grasp]]:
    """For each throw of a pattern the grasp that it is thrown out of, and the one in which it is caught.

    The catches of each hand within a loop take those of its side in turn. What is caught at one time is caught alike,
    and what was caught is thrown out of the same grasp.

    Args:
        pattern: what is juggled.
        timing: when.
        catches: the words of `GRASPS` for left and for right hands.
    """
    caught = [Grasp.PALM] * len(pattern.throws)
    flown = [index for index, held in enumerate(timing.held) if not held]

    def moment(index: int) -> tuple[int, float]:
        throw = pattern.throws[index]
        return 2 * throw.to_juggler + throw.to_hand, timing.catch[index] % pattern.period

    for hand, mine in groupby(sorted(flown, key=moment), lambda index: moment(index)[0]):
        words = catches[hand % 2]
        for number, (_, together) in enumerate(groupby(mine, moment)):
            for index in together:
                caught[index] = GRASPS[words[number % len(words)]]
    thrown = [Grasp.PALM] * len(pattern.throws)
    for index in flown:
        thrown[after_holds(pattern, timing.held, index)[0]] = caught[index]
    return thrown, caught


def catch_counts(pattern: Pattern, held: Sequence[bool]) -> dict[int, int]:
    """How often each hand catches within a loop of the pattern; at one time is once."""
    sites = {
        (2 * throw.to_juggler + throw.to_hand, pattern.throws[landing].beat)
        for throw, landing, stays in zip(pattern.throws, pattern.landings, held, strict=True)
        if not stays
    }
    return {hand: sum(site[0] == hand for site in sites) for hand in {site[0] for site in sites}}


def grasped_at(point: Point, grasp: Grasp, throws: bool) -> Point:
    """Where a hand catches or throws in a grasp, where that would be at `point` with the palm up."""
    outward, up, forward = point
    if grasp is Grasp.CLAW:
        return outward, up + _CLAW_UP, forward
    if grasp is Grasp.PENGUIN:
        # Clear of the trunk.
        least, higher, ahead = _PENGUIN_THROW if throws else _PENGUIN_CATCH
        return max(outward, least), up + higher, forward + ahead
    return point


GRASPS = {grasp.name.lower(): grasp for grasp in Grasp}
"""Grasps by the words for them."""
