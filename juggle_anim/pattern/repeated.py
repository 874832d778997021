"""Repeating a pattern: the same throws, looked at over a longer loop."""

from __future__ import annotations

import dataclasses

from juggle_anim.pattern.pattern import Pattern


def repeated(pattern: Pattern, times: int) -> Pattern:
    """The pattern with a loop that goes through the same throws several times."""
    if times == 1:
        return pattern
    shifts = [number * pattern.period for number in range(times)]
    throws = tuple(throw._replace(beat=throw.beat + shift) for shift in shifts for throw in pattern.throws)
    turns = tuple((beat + shift, juggler, hand) for shift in shifts for beat, juggler, hand in pattern.turns)
    return dataclasses.replace(pattern, throws=throws, turns=turns, period=times * pattern.period)
