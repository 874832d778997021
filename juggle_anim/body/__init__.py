"""Joints: the whole body of every juggler, posed to its hands."""

from juggle_anim.body.arms.closed_form import get_elbow_position
from juggle_anim.body.planning.plan import (
    bodies_at_ease,
    draft_plan,
    plan_at_ease,
    plan_bodies,
    takes_long,
    unplanned_blocks,
)
from juggle_anim.body.pose import (
    BodyPlan,
    BodyPoses,
    BodyTargets,
    Pose,
    plan_life,
    pose,
    pose_bodies,
    pose_targets,
)
from juggle_anim.body.skeleton import BONES, JOINTS, Joint

__all__ = [
    "BONES",
    "JOINTS",
    "BodyPlan",
    "BodyPoses",
    "BodyTargets",
    "Joint",
    "Pose",
    "bodies_at_ease",
    "draft_plan",
    "get_elbow_position",
    "plan_at_ease",
    "plan_bodies",
    "plan_life",
    "pose",
    "pose_bodies",
    "pose_targets",
    "takes_long",
    "unplanned_blocks",
]
