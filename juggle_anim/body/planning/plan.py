"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time."""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.body.planning.gaze import plan_gaze
from juggle_anim.body.planning.reach import plan_reach
from juggle_anim.body.planning.steps import plan_steps
from juggle_anim.body.planning.swivel_plan import plan_swivels
from juggle_anim.body.pose import BodyPlan
from juggle_anim.motion import Motion
from juggle_anim.parameters import Parameters


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """The body plan of one loop.

    Args:
        motion: paths of hands and props.
        parameters: the plan depends on body motion, head motion and feet.
    """
    plan = BodyPlan(
        reach=plan_reach(motion, parameters.body_motion / 100),
        gaze=plan_gaze(motion, parameters.head_motion / 100),
        steps=plan_steps(motion) if parameters.feet == "step" else None,
    )
    return replace(plan, swivels=plan_swivels(motion, parameters, plan))
