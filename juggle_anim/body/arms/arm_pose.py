"""What every solver hands back: where the joints of an arm are, and how its bones are turned."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.arrays import Floats


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
