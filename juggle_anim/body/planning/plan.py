"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time.

Each part knows those planned before it: steps and trunks first, then gaze, arms and digits.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.body.planning.arm_plan import forearms_at_ease, plan_arms
from juggle_anim.body.planning.gaze import plan_gaze
from juggle_anim.body.planning.grip_plan import plan_digits
from juggle_anim.body.planning.steps import Steps, plan_steps
from juggle_anim.body.planning.trunk_plan import TrunkPlan, plan_trunks
from juggle_anim.body.pose import BodyPlan, SharedPoses, plan_life
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import (
    first_equal_in_all,
    first_equal_rows,
)
from juggle_anim.parameters import Parameters

_SAME_DURATION = 1e-9  # s


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """Plan the slow movements of all bodies over one loop.

    Args:
        motion: paths of hands and props.
        parameters: the plan depends on body motion, head motion and feet.
    """
    steps = _steps(motion, parameters)
    trunk = _trunk_plan(motion, parameters, steps)
    plan = BodyPlan(
        trunk=trunk,
        gaze=plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100),
        steps=steps,
        legs=trunk.legs,
        life=plan_life(parameters.body_motion / 100),
    )
    plan = replace(plan, arms=plan_arms(motion, parameters, plan, _first_alike(motion, plan)))
    plan = replace(plan, digits=plan_digits(motion, parameters, plan))
    return replace(plan, shared=_shared_poses(motion, plan))


def draft_plan(motion: Motion, parameters: Parameters, before: BodyPlan) -> BodyPlan:
    """A body plan in a fraction of the time, for pictures while something is being dragged.

    In a loop of the same duration, trunks and arms go on as they did, whatever the hands do now; in
    another one arms are not planned at all.

    Args:
        motion, parameters: as for `plan_bodies`.
        before: the plan of the motion that is being changed.
    """
    steps = _steps(motion, parameters)
    same_loop = abs(before.trunk.track.duration - motion.duration) < _SAME_DURATION
    if same_loop and len(before.trunk.back) == motion.choreography.jugglers:
        plan = replace(before, steps=steps)
    else:
        trunk = _trunk_plan(motion, parameters, steps)
        gaze = plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100)
        life = plan_life(parameters.body_motion / 100)
        plan = BodyPlan(trunk, gaze, steps, legs=trunk.legs, life=life)
    return replace(plan, shared=_shared_poses(motion, plan))


def _steps(motion: Motion, parameters: Parameters) -> Steps | None:
    """The steps of all jugglers; None if nobody moves or feet are to stay under their bodies."""
    walks = parameters.feet == "step" and motion.bodies.has_movement
    return plan_steps(motion) if walks else None


def _trunk_plan(motion: Motion, parameters: Parameters, steps: Steps | None) -> TrunkPlan:
    """The plan of trunks, and of legs for throws around bodies."""
    amount = parameters.body_motion / 100
    trunks = plan_trunks(motion, amount, steps)
    if motion.choreography.events.body_throw is None:
        return trunks
    # Where forearms are is known once trunks are; then legs keep clear of these.
    plan = BodyPlan(trunks, gaze=None, steps=steps, legs=trunks.legs)
    forearms = forearms_at_ease(motion, parameters, plan)
    return plan_trunks(motion, amount, steps, start=trunks, forearms=forearms)


def _shared_poses(motion: Motion, plan: BodyPlan) -> SharedPoses | None:
    """Find the jugglers who do the same, so that one pose serves them.

    Returns:
        None if all must be posed: if there is one juggler, if feet step, or if no two do the same.
    """
    if motion.choreography.jugglers == 1 or plan.steps:
        return None
    same = _first_alike(motion, plan)
    posed, pose_index = np.unique(same, return_inverse=True)
    return SharedPoses(posed, pose_index) if len(posed) < len(same) else None


def _first_alike(motion: Motion, plan: BodyPlan) -> Integers:
    """For each juggler the index of the first one who does the same, shape (J,).

    They have the same hands, and the same plans of trunk, gaze, arms and legs.
    """
    tracks = (plan.trunk.track, plan.gaze, plan.arms, plan.legs)
    rows = [
        np.moveaxis(track.controls, 1, 0).reshape(track.controls.shape[1], -1)
        for track in tracks
        if track
    ]
    return first_equal_in_all(
        [motion.first_with_same_hands, first_equal_rows(np.column_stack([plan.trunk.back, *rows]))]
    )
