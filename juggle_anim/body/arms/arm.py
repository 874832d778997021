"""The arm as solvers see it: two bones.

MERGED: What every solver hands back: where the joints of an arm are, and how its bones are turned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Rule

AT_EASE = float(np.radians(30.0))
"""The chicken-wing angle of people at ease, [rad]: the same on every solver's scale."""

BONE_RULES: dict[str, Rule] = {
    "AT_EASE": AT_EASE,
}  # fmt: skip
"""What a web page is told, by the names that its scripts have for it."""


@dataclass(frozen=True)
class Arm:
    """Lengths of the bones of one or many arms.

    Args:
        upper: from shoulder to elbow, a number or an array over the leading shape of the targets, above 0, [m].
        lower: from elbow to wrist, likewise, [m].
    """

    upper: float | Floats
    lower: float | Floats


@dataclass(frozen=True)
class ArmPose:
    """Arms of any leading shape, seen like the targets from jugglers who face +z.

    Args:
        elbow: shape (..., 3), [m].
        wrist: shape (..., 3), where it got to: the target where that is in reach, [m].
        rotations: shape (..., 2, 3, 3), of the upper arm and the forearm. The columns of each are the bone's axes: x
            along it, away from the shoulder; z along the elbow's hinge, the same for both; y = z × x. The forearm is
            the upper arm turned about the hinge by φ − π, φ being the angle within the elbow.
        gap: shape (...), how far the wrist stays from its target, [m]; 0 within reach.
    """

    elbow: Floats
    wrist: Floats
    rotations: Floats
    gap: Floats
