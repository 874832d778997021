"""The body plan: slow movements of the bodies over a loop, computed once and sampled at any time.

Elbows go around trunk and head in time, and not only once they touch them: what
`juggle_anim.body.clearance` finds for one moment knows no other, so an elbow that is pushed aside
moves abruptly. Where a natural arm comes near its body, the depth of the arm is found for a fan of
swivels, and dynamic programming (R. Bellman, "Dynamic Programming", 1957) takes the cheapest
sequence of these through the loop.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.body.life import plan_life
from juggle_anim.body.planning.arm_plan import plan_arms
from juggle_anim.body.planning.gaze import plan_gaze
from juggle_anim.body.planning.grip_plan import plan_digits
from juggle_anim.body.planning.steps import Steps, plan_steps
from juggle_anim.body.planning.trunk_plan import TrunkPlan, plan_trunks
from juggle_anim.body.pose import BodyPlan, SharedPoses
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import (
    PeriodicSpline,
    first_equal_in_all,
    first_equal_rows,
)
from juggle_anim.parameters import Parameters

KNOT = 1 / 14
"""Time between knots of the plans for arms, [s]."""

SAMPLES = 8
"""Moments of each knot at which arms are looked at."""

MAX_KNOTS = 6_000
"""Knots times jugglers beyond which nothing is planned for their arms."""

# Of the moments every second is enough; and how many of these before and after a knot count for it.
_EVERY = 2
_AROUND = 4

_TURNS = np.radians(np.arange(-75.0, 91.0, 7.5))

# Only arms that come so deep into their body are planned, with this gap; beyond the last they are
# not looked at. [m]
_TOUCHES = 0.004
_GAP = 0.006
_FAR = 0.06

# Costs that differ by less are those of mirror images.
_SAME = 1e-3

# Costs: of each cm² that the gap lacks, of the squares of turns, and of the squares of steps from
# turn to turn.
_COST_OF_GAP = 1.0
_COST_OF_TURN = 4.0
_COST_OF_STEP = 0.15

# Sines of angles by which a hand may deviate from its forearm, toward the thumb and the other way;
# the cosine of one by which it may bend; then what the squares of the rest cost.
_RADIAL = 0.38
_ULNAR = 0.60
_BENT = 0.36

_COST_OF_DEVIATION = 40.0
_COST_OF_BEND = 400.0

_MOST_STEPS = 3

_LAPS = 1  # until a path forgets how it began

_SAME_DURATION = 1e-9  # s


def plan_bodies(motion: Motion, parameters: Parameters) -> BodyPlan:
    """The body plan of one loop.

    Args:
        motion: paths of hands and props.
        parameters: the plan depends on body motion, head motion and feet.
    """
    steps = _steps(motion, parameters)
    trunk, legs = _trunk_and_legs(motion, parameters, steps)
    plan = BodyPlan(
        trunk=trunk,
        gaze=plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100),
        steps=steps,
        legs=legs,
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
        trunk, legs = _trunk_and_legs(motion, parameters, steps)
        gaze = plan_gaze(motion, parameters.head_motion / 100, parameters.body_motion / 100)
        life = plan_life(parameters.body_motion / 100)
        plan = BodyPlan(trunk, gaze, steps, legs=legs, life=life)
    return replace(plan, shared=_shared_poses(motion, plan))


def _steps(motion: Motion, parameters: Parameters) -> Steps | None:
    """The steps of all jugglers; None if nobody moves or feet are to stay under their bodies."""
    walks = parameters.feet == "step" and motion.bodies.has_movement
    return plan_steps(motion) if walks else None


def _trunk_and_legs(
    motion: Motion, parameters: Parameters, steps: Steps | None
) -> tuple[TrunkPlan, PeriodicSpline | None]:
    """The plan of trunks, and that of legs for throws around bodies; None without such throws."""
    amount = parameters.body_motion / 100
    trunks = plan_trunks(motion, amount, steps)
    if motion.choreography.events.body_throw is None:
        return trunks, None
    # Imported for body throws alone.
    from juggle_anim.body.planning.posture import plan_ruled_trunks

    return plan_ruled_trunks(motion, amount, steps, trunks)


def _shared_poses(motion: Motion, plan: BodyPlan) -> SharedPoses | None:
    """The poses of jugglers who do the same; feet that step and guided elbows are everybody's
    own.
    """
    if motion.choreography.jugglers == 1 or plan.steps:
        return None
    same = _first_alike(motion, plan)
    posed, copied = np.unique(same, return_inverse=True)
    return SharedPoses(posed, copied) if len(posed) < len(same) else None


def _first_alike(motion: Motion, plan: BodyPlan) -> Integers:
    """For each juggler the first who does the same, shape (J,)."""
    tracks = (plan.trunk.track, plan.gaze, plan.arms, plan.legs)
    rows = [
        np.moveaxis(track.controls, 1, 0).reshape(track.controls.shape[1], -1)
        for track in tracks
        if track
    ]
    return first_equal_in_all(
        [motion.first_with_same_hands, first_equal_rows(np.column_stack([plan.trunk.back, *rows]))]
    )
