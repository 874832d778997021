"""Where all limbs are at even times of a loop; between those times a cubic through the nearest four tells it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from juggle_anim.analysis.boxes import Boxes
from juggle_anim.analysis.round_cone import RoundCones
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.scene.figure import figure_capsules
from juggle_anim.scene.rows import Cone

_STEP, _FEWEST = 0.003, 64
# Numbers in the table; a crowd is looked at less often.
_MOST = 60_000_000
_AT_ONCE = 4_000


@dataclass(frozen=True)
class LimbTable:
    """Limbs at N even times of a loop.

    Args:
        loop: [s].
        limbs: shape (N, L, 8): start xyz, radius, end xyz, radius, [m].
    """

    loop: float
    limbs: Singles

    @classmethod
    def of(cls, animation: Animation) -> Self:
        """Of all jugglers, by juggler."""
        loop = animation.duration
        size = animation.jugglers * 8 * 64
        count = max(_FEWEST, min(math.ceil(loop / _STEP), _MOST // size))
        times = np.arange(float(count)) * (loop / count)
        part = max(1, _AT_ONCE // animation.jugglers)
        parts = (times[first : first + part] for first in range(0, count, part))
        return cls(
            loop, np.concatenate([figure_capsules(animation.pose(each).joints)[..., Cone.SHAPE] for each in parts])
        )

    def cones(self, limb: Integers, times: Floats) -> RoundCones:
        """Some limbs at some times, shape (N,), [s]."""
        count = len(self.limbs)
        place = times * (count / self.loop)
        tick = np.floor(place)
        weights = _weights(place - tick)
        first = tick.astype(np.intp) - 1
        ends = np.zeros((len(limb), 8))
        for number, weight in enumerate(weights):
            ends += weight[:, None] * self.limbs[(first + number) % count, limb]
        return RoundCones(ends[:, Cone.START], ends[:, Cone.START_RADIUS], ends[:, Cone.END], ends[:, Cone.END_RADIUS])

    def boxes(self, start: float, end: float) -> Boxes:
        """A box around each limb for as long as from `start` to `end` [s]."""
        count = len(self.limbs)
        scale = count / self.loop
        ticks = np.arange(math.floor(start * scale) - 1, math.ceil(end * scale) + 2)
        limbs = self.limbs[ticks % count].astype(float)
        low = np.minimum(limbs[..., Cone.START], limbs[..., Cone.END]).min(axis=0)
        high = np.maximum(limbs[..., Cone.START], limbs[..., Cone.END]).max(axis=0)
        # Halfway between two times it may be a little beyond both.
        moved = np.abs(np.diff(limbs, axis=0)).max(axis=(0, 2), initial=0.0)
        return Boxes(low, high).grown(limbs[0][:, Cone.RADII].max(axis=1) + moved / 2)


def _weights(u: Floats) -> tuple[Floats, ...]:
    """Lagrange's, of values at −1, 0, 1 and 2, for a place from 0 to 1."""
    return (
        -u * (u - 1) * (u - 2) / 6,
        (u + 1) * (u - 1) * (u - 2) / 2,
        -(u + 1) * u * (u - 2) / 2,
        (u + 1) * u * (u - 1) / 6,
    )
