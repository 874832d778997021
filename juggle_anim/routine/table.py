"""Tables: where props lie before they are picked up and after they are put down, and how they look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography.stands import STAND_HEIGHT
from juggle_anim.vectors import smooth_step

LYING = STAND_HEIGHT
"""The height of props on tables, [m]."""

RISING = 0.4
"""How long a table takes to rise from the floor, [s], and to go back once nothing lies on it."""


class Rest(NamedTuple):
    """A prop that lies on a juggler's table for some time.

    Attributes:
        prop: its number.
        juggler: whose table it is.
        place: as a position in `Events`, [m].
        since: when it is put down, [s]; −∞ for one that appears there.
        until: when it is picked up, [s]; or ∞.
        shown: when its table begins to appear, [s].
        aim: yaw and pitch, as in `Frames`, [rad].
        stand: shape (4,), where the juggler stands then, as `Bodies.places` has it; None while that is not yet known.
    """

    prop: int
    juggler: int
    place: Floats
    since: float
    until: float
    shown: float
    aim: tuple[float, float] = (0.0, 0.0)
    stand: Floats | None = None

    @property
    def appears(self) -> float:
        """From when on it lies there to be seen, [s]."""
        return self.since if math.isfinite(self.since) else self.shown


def risen(rests: Sequence[Rest], times: Floats) -> Floats:
    """How far the table of these props has risen at some times, from 0 to 1, shape (T,)."""
    share = np.zeros_like(times)
    for rest in rests:
        # It is there in time, however soon that is.
        used = rest.since if np.isfinite(rest.since) else rest.until
        up, down = (times - rest.shown) / min(RISING, 0.9 * (used - rest.shown)), (rest.until + RISING - times) / RISING
        share = np.maximum(share, smooth_step(up) * smooth_step(down))
    return share
