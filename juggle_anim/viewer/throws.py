"""The times of throws, to be marked and gone to."""

from __future__ import annotations

import math

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats

_SAME = 1e-6  # s; nearer than this, it is that throw


def throw_times(animation: Animation) -> Floats:
    """When props are thrown in one loop, in order, shape (N,), [s]; throws at one time are one."""
    choreography = animation.choreography
    return np.unique(choreography.events.time[choreography.flights.throw])


def next_throw(animation: Animation, time: float, ways: int) -> float:
    """The time of the next throw, or of the one before; where nobody throws, the time itself.

    Args:
        animation: what is juggled.
        time: [s], in any loop.
        ways: 1 for the next, −1 for the one before.
    """
    throws, duration = throw_times(animation), animation.duration
    if not len(throws):
        return time
    begun = math.floor(time / duration) * duration
    around = (begun + duration * np.array([[-1.0], [0.0], [1.0]]) + throws).ravel()
    beyond = around[around > time + _SAME] if ways > 0 else around[around < time - _SAME][::-1]
    return float(beyond[0])


def snapped(share: float, marks: Floats, within: float) -> float:
    """A place on the line of time, 0 to 1, or the mark that is so near that it is meant."""
    near = marks[np.abs(marks - share) < within]
    return float(near[np.abs(near - share).argmin()]) if len(near) else share


class LastThrows:
    """Remembers the throws of the animation that was asked for last."""

    def __init__(self) -> None:
        self._known: tuple[Animation, Floats] | None = None

    def of(self, animation: Animation) -> Floats:
        """As `throw_times`."""
        if self._known is None or self._known[0] is not animation:
            self._known = animation, throw_times(animation)
        return self._known[1]
