"""Moments: the times at which a smooth quantity of a loop is looked at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.motion import Motion

STEP = 0.001
"""Between two looks, [s]; a hand's jerk hardly changes in it."""

_FEWEST, _MOST = 512, 400_000
# Memory grows with this many hands and props at a time.
_AT_ONCE = 100_000


def moments(motion: Motion, step: float = STEP) -> Floats:
    """Times evenly spread over one loop, shape (T,), [s]; the farther apart the more there is to look at."""
    things = 2 * motion.choreography.jugglers + motion.choreography.props
    wanted = max(_FEWEST, round(motion.duration / step))
    count = max(_FEWEST, min(wanted, _MOST * 10 // max(1, things)))
    return np.arange(float(count)) * (motion.duration / count)


def in_parts(motion: Motion, times: Floats) -> Iterator[Floats]:
    """Times in parts that fit into memory, however many jugglers there are."""
    things = 2 * motion.choreography.jugglers + motion.choreography.props
    size = max(1, _AT_ONCE // max(1, things))
    for first in range(0, len(times), size):
        yield times[first : first + size]
