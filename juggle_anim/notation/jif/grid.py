"""The grid: the equal parts of a beat on which all throws of a document are made and caught."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from juggle_anim.arrays import Floats

FINEST = (*range(1, 101), 120, 144, 160, 192, 200, 240, 250, 300, 360, 400, 480, 500, 600, 720, 840, 960, 1000)
"""Into how many parts a beat of a document may be divided."""

SAME_TIME = 1.01e-3
"""Moments that differ by less are one, [beats]."""

LARGEST_DENOMINATOR = 12
"""Of a stretch of time that is taken to divide the beats, and not for a tempo."""


def divide(moments: Floats) -> int:
    """Into how many parts a beat is divided at least so that all moments are whole parts.

    A third that was rounded to 0.333 counts as a third, since `_TRIED` goes from exact hundredths over rougher parts to
    finer ones. Where nothing fits it is the finest grid, on which moments are as good as where they were.

    Args:
        moments: any shape, [beats].
    """
    for error, finest in _TRIED:
        for parts in FINEST:
            if parts <= finest and np.all(np.abs(moments * parts - np.rint(moments * parts)) <= error * parts):
                return parts
    return FINEST[-1]


def as_division(stretch: float) -> Fraction | None:
    """A stretch of time as the simple fraction, 1 or more, by which beats are divided; None where it is no such one."""
    near = Fraction(stretch).limit_denominator(LARGEST_DENOMINATOR)
    return near if near >= 1 and abs(near - Fraction(stretch)) < _EXACT else None


_EXACT = 1e-6
_TRIED = ((_EXACT, 100), (SAME_TIME, 24), (_EXACT, FINEST[-1]), (SAME_TIME, 100))
