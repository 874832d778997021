"""Moments of a loop that a picture shows."""

from __future__ import annotations

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.errors import ParameterError

LATEST = 1_000_000.0
"""The latest time that is shown, [s]."""

MOST_MOMENTS = 100
"""More than these would be too small to see, or hide each other."""


def check_time(time: float) -> None:
    """Refuse a moment that cannot be shown."""
    if not 0 <= time <= LATEST:
        raise ParameterError(f"the picture cannot be of {time:g} s: that must be from 0 to {LATEST:,.0f}")


def moments(animation: Animation, frames: int, start: float, seconds: float | None = None) -> Floats:
    """Times evenly spread over a loop, or over some seconds, shape (frames,), [s].

    Raises:
        ParameterError: a number or a time that cannot be.
    """
    check_time(start)
    if not 1 <= frames <= MOST_MOMENTS:
        raise ParameterError(f"frames is {frames}, but must be a whole number from 1 to {MOST_MOMENTS}")
    if seconds is not None and not 0 < seconds <= LATEST:
        raise ParameterError(f"{seconds:g} seconds cannot be: it must be a number above 0")
    lasts = animation.duration if seconds is None else seconds
    times: Floats = start + lasts * np.arange(float(frames)) / frames
    return times
