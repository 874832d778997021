"""Tests may share plans of bodies, since these are the same each time."""

import numpy as np
from shared_plans import shared_plan

from juggle_anim import animate
from juggle_anim.body import plan_bodies, pose


def test_animations_that_move_alike_share_a_plan_that_is_the_one_they_would_have_made() -> None:
    one = animate("423", body_motion=80.0)
    other = animate("423", body_motion=80.0, chicken_wing=60.0, speed=0.5)
    plan = shared_plan(one.motion, one.parameters)
    assert shared_plan(other.motion, other.parameters) is plan
    own = plan_bodies(other.motion, other.parameters)
    np.testing.assert_array_equal(plan.trunk.track.controls, own.trunk.track.controls)
    times = np.linspace(0.0, one.duration, 20)
    frames = one.sample(times)
    np.testing.assert_array_equal(
        pose(frames, one.motion, one.parameters, plan).joints,
        pose(frames, one.motion, one.parameters, own).joints,
    )


def test_animations_that_move_otherwise_do_not() -> None:
    one = animate("423", body_motion=80.0)
    plan = shared_plan(one.motion, one.parameters)
    for other in (
        animate("423", body_motion=81.0),
        animate("423", body_motion=80.0, scoop=60.0),
        animate("423", body_motion=80.0, catches="claw"),
        animate("441", body_motion=80.0),
        animate("423", body_motion=80.0, prop="club"),
    ):
        assert shared_plan(other.motion, other.parameters) is not plan
