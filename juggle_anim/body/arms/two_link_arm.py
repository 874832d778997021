"""Arms as two-link limbs: pointed at the hand by one turn, or by heading and elevation."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.arm import Arm
from juggle_anim.body.arms.arm_pose import ArmPose
from juggle_anim.body.arms.carried import carried
from juggle_anim.body.arms.closed_form import pose_arms
from juggle_anim.body.arms.vertical_plane import lowest_where

# A hand straight behind its shoulder, under it or over it has 0 of what tells a heading; from here on it is all there.
_HEADING_RULES = 0.4


def two_link(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> ArmPose:
    """Pose arms as two-link limbs in the angle/axis way; arguments as in `Solver`.

    The limb is bent with its end ahead (`HOME`) and its elbow hanging; then one turn, the shortest, takes that end to
    the hand (`two_link.angle_axis`). By itself the elbow so keeps its place beside the line to the hand: it is lowest
    ahead, behind for a hand below, ahead for a hand above. The swivel turns it outward from there.

    The one direction with no shortest turn of its own is opposite home, behind and above the shoulder.
    """
    return pose_arms(carried, shoulder, hand, arm, side, swivel)


def two_link_polar(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> ArmPose:
    """Pose arms as two-link limbs in the polar way; arguments as in `Solver`.

    The limb is raised to the hand's elevation, then turned to its heading (`two_link.polar`). By itself the elbow so
    is in the vertical plane of shoulder and hand, and of its two places there the lower is taken. The swivel turns it
    outward from there.

    A hand straight under or over its shoulder has no heading, and one that passes behind would take the elbow once
    around. So there the limb passes over to the angle/axis way (`two_link`), whose one bad direction is left.
    """
    return pose_arms(_elbow_field, shoulder, hand, arm, side, swivel)


def _elbow_field(axis: Floats) -> Floats:
    """Where elbows lie at swivel 0, columns (3, N) for unit columns toward the hands."""
    level = np.sqrt(axis[0] * axis[0] + axis[2] * axis[2])
    return lowest_where(axis, (level + axis[2]) / (2.0 * _HEADING_RULES))
