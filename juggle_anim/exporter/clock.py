"""The clock of a film: when each picture comes, in whole ticks whose sum is right."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.exporter.shots import Shots


def ticks(shots: Shots, a_second: int) -> Integers:
    """When each picture comes, and when the last has gone, shape (frames + 1,), in ticks of so many a second.

    No picture is more than half a tick off, and so is the end: rounding never adds up.
    """
    places = np.arange(shots.frames + 1) * (shots.duration * a_second / shots.frames)
    whole: Integers = np.rint(places).astype(np.intp)
    return whole


def frame_rate(fps: float) -> Fraction:
    """A rate as a fraction that containers can hold: 29.97 is 2997/100."""
    return Fraction(fps).limit_denominator(1001)
