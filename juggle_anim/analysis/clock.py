"""The clock of the search for collisions: a loop in blocks, and each block in steps."""

from __future__ import annotations

import math
from dataclasses import dataclass

_BLOCK, _FEWEST_BLOCKS = 0.05, 8


@dataclass(frozen=True)
class Clock:
    """A loop of so many blocks.

    Args:
        loop: [s].
        blocks: how many make the loop; one more is looked at, so that what happens at its end is seen whole.
    """

    loop: float
    blocks: int

    STEPS = 12
    """Of each block: one is so short that no prop flies past another and back within it."""

    @property
    def block(self) -> float:
        """[s]."""
        return self.loop / self.blocks

    @property
    def step(self) -> float:
        """[s]."""
        return self.block / self.STEPS


def clock(loop: float) -> Clock:
    """The clock for a loop of so many seconds."""
    return Clock(loop, max(_FEWEST_BLOCKS, math.ceil(loop / _BLOCK)))
