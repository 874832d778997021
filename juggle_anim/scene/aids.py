"""Aids that show how arms work: axes of joints, spheres of reach, and the arms of a second solver as ghosts."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.body.arm import arm_axes
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.scene.palette import STANDARD, Colour
from juggle_anim.scene.rows import Bubble, Cone, cones

RED, GREEN, BLUE = (0.86, 0.10, 0.12), (0.24, 0.80, 0.32), (0.16, 0.40, 0.96)
"""Colours of the axes x, y and z, sRGB; green is the lightest, for red-green blind eyes."""

REACH = UPPER_ARM + FOREARM
"""From shoulder to wrist of a straight arm, [m]."""

REACH_COLOUR = (0.36, 0.56, 0.80)
"""Colour of a sphere of reach, sRGB."""

NEAR, LIMIT, BEYOND = 0.88, 0.975, 0.004
"""Shares of the reach from which a wrist counts as near the limit, and as at it; and the gap to its place from which it
counts as out of reach, [m]."""

_LENGTHS, _HEAD_LENGTH = np.array([0.17, 0.15, 0.13]), 0.045  # [m]

# Radii of shafts and of heads at their begins and ends, [m].
_BEGIN, _END = np.array([0.0065, 0.017]), np.array([0.0065, 0.002])

_AID_GLOSS = 0.1
_JOINTS = [[Joint[f"{side}_{name}"] for name in ("SHOULDER", "ELBOW", "WRIST")] for side in ("LEFT", "RIGHT")]

GHOST_COLOUR = STANDARD.ghost
"""A magenta that no prop and no part of the figure has, sRGB."""

_GHOST_GLOSS = 0.25

# Joints at the ends of each limb with the radii there [m], a little slimmer than the figure's.
_LIMBS = tuple(
    limb
    for side in ("LEFT", "RIGHT")
    for limb in (
        (Joint[f"{side}_SHOULDER"], 0.042, Joint[f"{side}_ELBOW"], 0.034),
        (Joint[f"{side}_ELBOW"], 0.034, Joint[f"{side}_WRIST"], 0.022),
    )
)

_STARTS, _START_RADII, _ENDS, _END_RADII = (np.array(column) for column in zip(*_LIMBS, strict=True))


def axis_arrows(joints: Floats) -> Singles:
    """Return arrows along the axes of the joints of every arm.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].

    Returns:
        Shape (T, J · 36, 12), rows of `Cone`: shaft and head of each axis.
    """
    along = np.moveaxis(arm_axes(joints), -1, -2)
    start = joints[..., _JOINTS, :][..., None, :]
    end = start + _LENGTHS[:, None, None] * along
    neck = end - _HEAD_LENGTH * along
    starts, ends = np.stack(np.broadcast_arrays(start, neck), axis=-2), np.stack([neck, end], axis=-2)
    rows = cones(starts, _BEGIN, ends, _END, np.array([RED, GREEN, BLUE])[:, None], _AID_GLOSS)
    return rows.reshape(len(joints), -1, Cone.WIDTH)


def reach_bubbles(pose: Pose) -> Singles:
    """Return a sphere around every shoulder, as far as its wrist can reach.

    Returns:
        Shape (T, J · 2, 12), rows of `Bubble`.
    """
    shoulders, _, wrists = (pose.joints[..., list(pair), :] for pair in zip(*_JOINTS, strict=True))
    rows = np.empty((*shoulders.shape[:-1], Bubble.WIDTH), dtype=np.float32)
    rows[..., Bubble.CENTRE], rows[..., Bubble.RADIUS] = shoulders, REACH
    rows[..., Bubble.PLACE], rows[..., Bubble.COLOUR] = wrists, REACH_COLOUR
    near = (np.linalg.norm(wrists - shoulders, axis=-1) / REACH - NEAR) / (LIMIT - NEAR)
    rows[..., Bubble.NEAR], rows[..., Bubble.BEYOND] = np.clip(near, 0.0, 1.0), np.clip(pose.gaps / BEYOND, 0.0, 1.0)
    return rows.reshape(len(shoulders), -1, Bubble.WIDTH)


def ghost_arms(joints: Floats, colour: Colour = GHOST_COLOUR) -> Singles:
    """Return the arms of ghosts.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].
        colour: sRGB.

    Returns:
        Shape (T, J · limbs, 12), rows of `Cone`.
    """
    rows = cones(joints[..., _STARTS, :], _START_RADII, joints[..., _ENDS, :], _END_RADII, colour, _GHOST_GLOSS)
    return rows.reshape(len(joints), -1, Cone.WIDTH)
