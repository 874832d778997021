"""Tracks: slow movements of bodies over a loop, laid down once and read at any time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats


@dataclass(frozen=True)
class PeriodicSpline:
    """Values that change with continuous acceleration and return after a loop: a uniform cubic B-spline.

    Args:
        controls: shape (N, ...), control values at N even times of the loop; the curve follows them, rounded a little.
        duration: of the loop, [s].
    """

    controls: Floats
    duration: float

    def at(self, times: Floats) -> Floats:
        """The values at some times, shape (T,) [s]; returns shape (T, ...)."""
        count = len(self.controls)
        place = np.remainder(times / self.duration, 1.0) * count
        # Just below 1, the remainder times the count may round up to the count.
        knot = np.minimum(place.astype(int), count - 1)
        since = (place - knot).reshape(-1, *(1,) * (self.controls.ndim - 1))
        left, square, cube = 1.0 - since, since * since, since * since * since
        weights = left * left * left, 4.0 - 6.0 * square + 3.0 * cube, 1.0 + 3.0 * (since + square - cube)
        # One after the other, so that a time gives the same to the last bit alone and among others.
        value = cube * self.controls.take((knot + 2) % count, axis=0)
        for number, weight in enumerate(weights):
            value += weight * self.controls.take((knot + number - 1) % count, axis=0)
        return value / 6.0
