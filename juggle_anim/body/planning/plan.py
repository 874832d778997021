"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.body.planning.clearance_plan import plan_clearance
from juggle_anim.body.planning.crossings import arms_meet, plan_crossings
from juggle_anim.body.planning.gaze import plan_gaze
from juggle_anim.body.planning.reach import plan_reach
from juggle_anim.body.planning.steps import plan_steps
from juggle_anim.body.planning.swivel_plan import plan_swivels
from juggle_anim.body.pose import BodyPlan, SharedPoses
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import alike, first_with_all
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
    plan = replace(plan, crossings=plan_crossings(motion, parameters, plan))
    clearance = plan_clearance(motion, parameters, plan)
    if clearance and plan.crossings:
        # Arms that cross keep clear of each other first.
        meeting = arms_meet(motion, parameters, replace(plan, clearance=clearance))
        clearance = plan_clearance(motion, parameters, plan, meeting) if meeting.any() else clearance
    plan = replace(plan, clearance=clearance)
    plan = replace(plan, swivels=plan_swivels(motion, parameters, plan))
    return replace(plan, shared=_shared_poses(motion, plan))


def _shared_poses(motion: Motion, plan: BodyPlan) -> SharedPoses | None:
    """The poses of jugglers who do the same; feet that step and guided elbows are everybody's own."""
    if motion.choreography.jugglers == 1 or plan.steps or plan.swivels:
        return None
    controls = [track.controls for track in (plan.reach.track, plan.gaze, plan.crossings, plan.clearance) if track]
    rows = [np.moveaxis(each, 1, 0).reshape(each.shape[1], -1) for each in controls]
    same = first_with_all([motion.alike, alike(np.column_stack([plan.reach.back, *rows]))])
    posed, copied = np.unique(same, return_inverse=True)
    return SharedPoses(posed, copied) if len(posed) < len(same) else None
