"""Tracks: the boxes in which things stay during each block of the clock."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from juggle_anim.analysis.boxes import Boxes
from juggle_anim.analysis.clock import Clock
from juggle_anim.arrays import Floats
from juggle_anim.motion import Motion

_LOOKS = 6
# Between two looks a prop may be faster than at both.
_HASTE = 1.3


def prop_boxes(motion: Motion, clock: Clock) -> Iterator[Boxes]:
    """For each block, and the one after the loop, a box around each prop's centre."""
    for block in range(clock.blocks + 1):
        times = np.linspace(block, block + 1, _LOOKS + 1) * clock.block
        places = motion.sample(times).props
        speed = np.linalg.norm(motion.sample(times, 1).props, axis=-1).max(axis=0, initial=0.0)
        yield around(places).grown(_HASTE * speed * clock.block / _LOOKS / 2)


def around(points: Floats) -> Boxes:
    """Boxes around points at some times, shape (T, N, 3)."""
    return Boxes(points.min(axis=0), points.max(axis=0))
