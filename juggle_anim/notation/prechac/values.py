"""Broken values as people round them: 3.6p stands for 3⅗ or 3⅔."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from juggle_anim.notation.limits import MAX_DIVISION
from juggle_anim.notation.prechac.syntax import PrechacThrow


def fitted(throw: PrechacThrow, later: Fraction) -> Fraction | None:
    """The value, in beats, for which a throw may stand if its receiver begins `later` beats than the thrower.

    None where it would land between the receiver's beats. A value with decimals stands for any that is cut off or
    rounded to it.
    """
    wanted = later - math.floor(later)
    value = math.floor(throw.value) + wanted
    return value if _written_as(value, throw.value, throw.decimals) else None


def nearest_value(throw: PrechacThrow, jugglers: int) -> Fraction:
    """The value that a throw between some jugglers most likely has: whole where written so, else in `jugglers` parts.

    Where no such part is written as the throw is, it is the simplest fraction that is.
    """
    return _nearest(throw.value, throw.decimals, jugglers)


def shown(value: Fraction) -> str:
    """A value as people write it: 3, 3.5 or 3.67."""
    return f"{round(float(value), 2):g}"


@lru_cache(maxsize=1024)
def _nearest(written: Fraction, decimals: int, jugglers: int) -> Fraction:
    if not decimals:
        return written
    for parts in (jugglers, *range(2, MAX_DIVISION + 1)):
        near = [Fraction(math.floor(written * parts) + step, parts) for step in (0, 1)]
        if found := [value for value in near if _written_as(value, written, decimals)]:
            return min(found, key=lambda value: abs(value - written))
    return written


def _written_as(value: Fraction, written: Fraction, decimals: int) -> bool:
    """Whether a value, cut off or rounded to so many decimals, is what is written."""
    if not decimals:
        return value == written
    last = Fraction(1, 10**decimals)
    return -last / 2 <= value - written < last
