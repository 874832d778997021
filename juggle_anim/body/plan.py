"""The plan of the bodies: what they do slowly over a loop, laid down once and read at any time."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.body.gaze import plan_gaze
from juggle_anim.body.reach_plan import Reach, plan_reach
from juggle_anim.body.steps import Steps, plan_steps
from juggle_anim.body.track import Track
from juggle_anim.motion import Motion
from juggle_anim.parameters import Parameters


@dataclass(frozen=True)
class BodyPlan:
    """What J jugglers do over one loop besides moving their hands; `plan_bodies` makes it.

    Args:
        reach: how trunk and shoulders come toward hands that are far, and give room to those that are near.
        gaze: shape (T, J, 2): yaw and pitch of the head, [rad]; None where heads keep still.
        steps: where the feet are; None where they stay under the bodies.
    """

    reach: Reach
    gaze: Track | None
    steps: Steps | None


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """Plan one loop.

    Args:
        motion: what the hands do.
        parameters: body motion, head motion and feet are read.
    """
    return BodyPlan(
        reach=plan_reach(motion, parameters.body_motion / 100),
        gaze=plan_gaze(motion, parameters.head_motion / 100),
        steps=plan_steps(motion) if parameters.feet == "step" else None,
    )
