"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arm import WRIST_LIMITS
from juggle_anim.body.planning.clearance_plan import plan_clearance
from juggle_anim.body.planning.crossings import plan_crossings
from juggle_anim.body.planning.gaze import plan_gaze
from juggle_anim.body.planning.limb_plan import LIMB_TURNS, plan_limbs
from juggle_anim.body.planning.reach import plan_reach
from juggle_anim.body.planning.steps import plan_steps
from juggle_anim.body.planning.swivel_plan import plan_swivels
from juggle_anim.body.pose import HAND, ArmTargets, BodyPlan, SharedPoses
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import PeriodicSpline, alike, first_with_all
from juggle_anim.parameters import Parameters

KNOT = 1 / 14
"""Time between knots of the plans for arms, [s]."""

SAMPLES = 8
"""Moments of each knot at which arms are looked at."""

MAX_KNOTS = 6_000
"""Knots times jugglers beyond which nothing is planned for their arms."""


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """The body plan of one loop.

    Args:
        motion: paths of hands and props.
        parameters: the plan depends on body motion, head motion and feet.
    """
    plan = BodyPlan(
        reach=plan_reach(motion, parameters.body_motion / 100),
        gaze=plan_gaze(motion, parameters.head_motion / 100),
        steps=plan_steps(motion) if parameters.feet == "step" and motion.bodies.has_movement else None,
    )
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    knots = 2 * max(2, round(motion.duration / (2 * KNOT)))
    plan = replace(plan, crossings=plan_crossings(motion, parameters, plan, knots))
    plan = _with_arms_clear(motion, parameters, plan, knots)
    plan = replace(plan, swivels=plan_swivels(motion, parameters, plan))
    return replace(plan, shared=_shared_poses(motion, plan))


def _with_arms_clear(motion: Motion, parameters: Parameters, plan: BodyPlan, knots: int) -> BodyPlan:
    """The plan with elbows that go around bodies, and with wrists within their limits."""
    loop, jugglers = motion.duration, motion.choreography.jugglers
    if knots * jugglers > MAX_KNOTS:
        return plan
    times = np.arange(float(knots * SAMPLES)) * (loop / (knots * SAMPLES))
    targets = ArmTargets.of(motion, parameters, plan, times)
    arms = targets.posed()
    around = plan_clearance(targets, arms, knots)
    lift = np.zeros((knots, jugglers, 2)) if around is None else around
    cross = plan.crossings.controls.any(axis=(0, 2, 3)) if plan.crossings else np.zeros(jugglers, dtype=bool)
    angles = arms.wrist_angles(targets.shoulders)
    uneasy = ((angles < WRIST_LIMITS[:, 0]) | (angles > WRIST_LIMITS[:, 1])).any(axis=(0, 2, 3))
    busy = cross if motion.choreography.as_juggling_lab else cross | uneasy | lift.any(axis=(0, 2))
    if not busy.any():
        return replace(plan, clearance=PeriodicSpline(lift, loop)) if lift.any() else plan
    turns, beyond = np.zeros((knots, jugglers, 2, LIMB_TURNS)), np.where(busy, np.inf, 0.0)
    turns[..., -1] = lift
    # Who does the same is planned once.
    same = _first_alike(motion, plan, lift)
    busy &= same == np.arange(jugglers)
    # Crossed arms that go around the trunk may come into each other, so without is tried, too.
    for way, who in ((lift, busy), (np.zeros_like(lift), busy & cross & lift.any(axis=(0, 2)))):
        some = np.flatnonzero(who & (beyond > 0.0))
        if some.size:
            tried = replace(targets, lift=targets.lift + PeriodicSpline(way, loop).at(times))
            found, left = plan_limbs(motion, tried, some, knots)
            better = left < beyond[some]
            found[..., -1] += way[:, some]
            turns[:, some[better]], beyond[some[better]] = found[:, better], left[better]
    turns = turns[:, same]
    if plan.crossings:
        turns[..., HAND] += plan.crossings.controls[..., HAND]
    lifts, of_hands = PeriodicSpline(turns[..., -1], loop), PeriodicSpline(turns[..., :-1], loop)
    return replace(plan, clearance=lifts if turns[..., -1].any() else None, turns=of_hands)


def _shared_poses(motion: Motion, plan: BodyPlan) -> SharedPoses | None:
    """The poses of jugglers who do the same; feet that step and guided elbows are everybody's own."""
    if motion.choreography.jugglers == 1 or plan.steps or plan.swivels:
        return None
    tracks = [track.controls for track in (plan.clearance, plan.turns) if track]
    same = _first_alike(motion, plan, *tracks)
    posed, copied = np.unique(same, return_inverse=True)
    return SharedPoses(posed, copied) if len(posed) < len(same) else None


def _first_alike(motion: Motion, plan: BodyPlan, *controls: Floats) -> Integers:
    """For each juggler the first who does the same, also in some controls of shape (N, J, ...); shape (J,)."""
    tracks = [track.controls for track in (plan.reach.track, plan.gaze, plan.crossings) if track]
    rows = [np.moveaxis(each, 1, 0).reshape(each.shape[1], -1) for each in (*tracks, *controls)]
    return first_with_all([motion.alike, alike(np.column_stack([plan.reach.back, *rows]))])
