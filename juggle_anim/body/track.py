"""Tracks: slow movements of bodies over a loop, laid down once and read at any time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats

# Rows are powers of the time since a knot, in knots; columns the four control values around it.
_CUBIC = np.array([[1.0, 4.0, 1.0, 0.0], [-3.0, 0.0, 3.0, 0.0], [3.0, -6.0, 3.0, 0.0], [-1.0, 3.0, -3.0, 1.0]]) / 6.0


@dataclass(frozen=True)
class Track:
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
        weights = (place - knot)[:, None] ** np.arange(4) @ _CUBIC
        around = self.controls[(knot[:, None] + np.arange(-1, 3)) % count]
        return np.einsum("tk,tk...->t...", weights, around)
