"""The ghost: the arms of another solver, seen through, over the figure's own."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import Joint
from juggle_anim.scene.palette import STANDARD, Colour
from juggle_anim.scene.rows import Cone, cones

COLOUR = STANDARD.ghost
"""A magenta that no prop and no cover has, sRGB."""

_GLOSS = 0.25
# Joints at the ends of each limb, with the radii there [m]: a little slimmer than the figure's.
_LIMBS = tuple(
    limb
    for side in ("LEFT", "RIGHT")
    for limb in (
        (Joint[f"{side}_SHOULDER"], 0.042, Joint[f"{side}_ELBOW"], 0.034),
        (Joint[f"{side}_ELBOW"], 0.034, Joint[f"{side}_WRIST"], 0.022),
    )
)
_STARTS, _START_RADII, _ENDS, _END_RADII = (np.array(column) for column in zip(*_LIMBS, strict=True))


def ghost_arms(joints: Floats, colour: Colour = COLOUR) -> Singles:
    """Arms to be seen through.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].
        colour: theirs.

    Returns:
        Shape (T, J · limbs, 12), rows as in `Scene.ghosts`.
    """
    rows = cones(joints[..., _STARTS, :], _START_RADII, joints[..., _ENDS, :], _END_RADII, colour, _GLOSS)
    return rows.reshape(len(joints), -1, Cone.WIDTH)
