"""Joints: the whole body of every juggler, posed to its hands."""

from juggle_anim.body.body_plan import BodyPlan
from juggle_anim.body.plan import plan_bodies
from juggle_anim.body.pose import Pose, pose
from juggle_anim.body.printed_chicken_wing import get_elbow_position
from juggle_anim.body.skeleton import BONES, JOINTS, Joint

__all__ = ["BONES", "JOINTS", "BodyPlan", "Joint", "Pose", "get_elbow_position", "plan_bodies", "pose"]
