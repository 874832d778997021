"""The chicken-wing arm, generalised: any bones, any hand, and no jumps."""

from __future__ import annotations

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.arm import Arm
from juggle_anim.body.arms.arm_pose import ArmPose
from juggle_anim.body.arms.closed_form import pose_arms
from juggle_anim.body.arms.vertical_plane import lowest_where

PRINTED_FROM, PRINTED_FULLY = 0.06, 0.50
"""How far ahead of its shoulder a hand is, over its distance, where the printed rule begins and where it rules."""


def chicken_wing(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> ArmPose:
    """Pose arms by the chicken-wing rule; arguments as in `Solver`.

    For hands in front of the shoulder this is the printed rule (`get_elbow_position`): swivel 0 puts the elbow lowest,
    in the vertical plane of shoulder and hand, and a positive one lifts it outward. That rule turns once around with a
    hand that circles the vertical through the shoulder, so it jumps for a hand that passes under or over it. As the
    hand leaves the space in front, the rule therefore gives way to a direction that the body carries (`carried`).
    """
    return pose_arms(_elbow_field, shoulder, hand, arm, side, swivel)


def _elbow_field(axis: Floats) -> Floats:
    """Where elbows lie at swivel 0, columns (3, N) for unit columns toward the hands."""
    return lowest_where(axis, (axis[2] - PRINTED_FROM) / (PRINTED_FULLY - PRINTED_FROM))
