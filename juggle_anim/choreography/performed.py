"""The loop of a performance: throws, hands, catches and bodies may each repeat after another time."""

from __future__ import annotations

from math import gcd, lcm

from juggle_anim.choreography.grasps import catch_counts
from juggle_anim.choreography.holds import holds
from juggle_anim.choreography.staging import Staging
from juggle_anim.errors import ChoreographyError
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.repeated import repeated

LONGEST = 20_000
"""Throws in the loop of a performance; more would be hundreds of times what the text says."""


def performed(pattern: Pattern, staging: Staging) -> Pattern:
    """The pattern with a loop after which hands, catches and bodies do the same again, too.

    Raises:
        ChoreographyError: that loop is too long.
    """
    times = 1
    if staging.hands:
        turns = [0] * pattern.jugglers
        for _, juggler, _ in pattern.turns:
            turns[juggler] += 1
        ways = staging.hands.beats
        lengths = [(count, len(ways[juggler % len(ways)])) for juggler, count in enumerate(turns)]
        times = lcm(times, *(length // gcd(count, length) for count, length in lengths))
    if staging.body:
        spans = [len(way) * pattern.division for way in staging.body.beats if len(way) > 1 or len(way[0]) > 1]
        times = lcm(times, *(span // gcd(pattern.period, span) for span in spans))
    if any(len(words) > 1 for words in staging.catches):
        lengths = [
            (count, len(staging.catches[hand % 2])) for hand, count in catch_counts(pattern, holds(pattern)).items()
        ]
        times = lcm(times, *(length // gcd(count, length) for count, length in lengths))
    if times * len(pattern.throws) > max(LONGEST, len(pattern.throws)):
        raise ChoreographyError(
            f"{pattern.text}: hands, body and throws come together only after {times} × {pattern.period} beats, "
            f"and a loop has {LONGEST} throws at most; give them lengths that go into each other"
        )
    return repeated(pattern, times)
