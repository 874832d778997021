"""The ghost's gap: how far the elbows of the two solvers are apart, now and at most."""

from __future__ import annotations

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.viewer.loop_arms import LastLoop, apart


class GhostGap:
    """Looks at a loop once for each animation, and then tells the gap of any time."""

    def __init__(self) -> None:
        self._animation: Animation | None = None
        self._own, self._other = LastLoop(), LastLoop()
        self._gaps: Floats = np.zeros(1)

    def at(self, animation: Animation, time: float) -> tuple[float, float] | None:
        """The gap at a time [s] and at most over the loop, [m]; None where there is no ghost."""
        if animation.ghost is None:
            return None
        own, other = self._own.of(animation), self._other.of(animation.ghost)
        if animation is not self._animation:
            self._animation, self._gaps = animation, apart(own, other)
        return float(self._gaps[own.number(time)]), float(self._gaps.max())


def words(now: float, most: float | None = None) -> str:
    """The gap for a reader, now and at most, [m]: `Elbows 3.2 cm apart, at most 6.0`."""
    told = f"Elbows {100 * now:.1f} cm apart"
    return told if most is None else f"{told}, at most {100 * most:.1f}"
