"""The arm as solvers see it: two bones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Rule

AT_EASE = float(np.radians(30.0))
"""The chicken-wing angle of people at ease, [rad]: the same on every solver's scale."""


@dataclass(frozen=True)
class Arm:
    """Lengths of the bones of one or many arms.

    Args:
        upper: from shoulder to elbow, a number or an array over the leading shape of the targets, above 0, [m].
        lower: from elbow to wrist, likewise, [m].
    """

    upper: float | Floats
    lower: float | Floats


BONE_RULES: dict[str, Rule] = {
    "AT_EASE": AT_EASE,
}  # fmt: skip
"""What a web page is told, by the names that its scripts have for it."""
