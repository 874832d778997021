"""Tests may share plans of bodies, since these are the same each time."""

from pathlib import Path

import numpy as np
import pytest
import shared_plans
from shared_plans import plan_folder, plan_without_arms, shared_collisions, shared_plan

from juggle_anim import animate
from juggle_anim.analysis.collisions import find_collisions
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


def test_a_plan_is_kept_until_the_program_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(shared_plans.FOLDER, plan_folder(tmp_path / "plans"))
    monkeypatch.setattr(shared_plans, "_PLANS", {})
    animation = animate("423", body_motion=79.0)
    plan = shared_plan(animation.motion, animation.parameters)
    monkeypatch.setattr(shared_plans, "plan_bodies", lambda *_: None)
    shared_plans._PLANS.clear()
    kept = shared_plan(animation.motion, animation.parameters)
    np.testing.assert_array_equal(kept.trunk.track.controls, plan.trunk.track.controls)
    shared_plans._PLANS.clear()
    monkeypatch.setattr(shared_plans, "_maker", lambda: "another program")
    assert shared_plan(animation.motion, animation.parameters) is None
    monkeypatch.setattr(shared_plans, "_MOST_KEPT", 1)
    plan_folder(tmp_path / "plans")
    assert len(list((tmp_path / "plans").iterdir())) == 1


def test_collisions_are_shared_where_all_is_the_same() -> None:
    colliding = animate("(4x,4x)", prop_diameter=10.0)
    assert shared_collisions(colliding) == find_collisions(colliding)
    again = shared_collisions(animate("(4x,4x)", prop_diameter=10.0))
    assert again == shared_collisions(colliding)
    for other in (colliding.replace(prop_diameter=20.0), colliding.replace(gravity=300.0)):
        assert shared_collisions(other) == find_collisions(other) != again
    posed = animate("(4x,4x)", prop_diameter=10.0)
    posed.__dict__["plan"] = plan_without_arms(posed.motion, posed.parameters)
    assert shared_collisions(posed) == find_collisions(posed)
