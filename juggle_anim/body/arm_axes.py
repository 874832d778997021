"""The axes of an arm's joints: how its upper arm, its forearm and its hand are turned."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import PALM, THUMB_BACK, Joint
from juggle_anim.vectors import cross, dot, norm, unit

_STRAIGHT = 1e-6  # sine of the bend below which an arm has no plane of its own


def arm_axes(joints: Floats) -> Floats:
    """Rotations of the shoulder, the elbow and the wrist of both arms.

    Those of shoulder and elbow are the `rotations` of the solvers' `ArmPose`: x along the bone, away from the body; z
    along the elbow's hinge; y = z × x. Of the wrist x is along the palm and z points to the side of the thumb.

    Args:
        joints: shape (..., `JOINTS`, 3), [m].

    Returns:
        Shape (..., 2, 3, 3, 3): side, joint, and the axes as columns.
    """
    shoulder, elbow, wrist, palm, thumb = (
        joints[..., [Joint[f"LEFT_{name}"], Joint[f"RIGHT_{name}"]], :]
        for name in ("SHOULDER", "ELBOW", "WRIST", "PALM", "THUMB")
    )
    upper, lower, fingers = unit(elbow - shoulder), unit(wrist - elbow), (palm - wrist) / PALM
    out = unit(thumb - palm + THUMB_BACK * fingers)
    across = cross(lower, upper)
    size = norm(across)
    # A straight arm has as good as any hinge; its hand's is the one that it would have.
    hinge = np.where(size > _STRAIGHT, across / np.maximum(size, _STRAIGHT), unit(out - dot(out, upper) * upper))
    bones = ((upper, hinge), (lower, hinge), (fingers, out))
    return np.stack([np.stack([x, cross(z, x), z], axis=-1) for x, z in bones], axis=-3)
