"""A goal: where a frame of a chain should be, and, if that matters, how it should be turned."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.arrays import Floats
from juggle_anim.body.chain.chain import Frame


@dataclass(frozen=True)
class Goal:
    """Where a frame should be.

    Args:
        frame: of which joint, and where on it.
        position: shape (3,) or (B, 3), [m].
        orientation: shape (3, 3) or (B, 3, 3), the rotation whose columns are the frame's axes; None if any will do.
        weight: how much it counts beside other goals that cannot all be met.
        lever: what an orientation that is off by 1 rad counts as, [m].
    """

    frame: Frame
    position: Floats
    orientation: Floats | None = None
    weight: float = 1.0
    lever: float = 0.2
