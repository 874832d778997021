from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import BONES, Joint
from juggle_anim.body.arms import SOLVERS
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.parameters import row_named
from juggle_anim.scene import Camera
from juggle_anim.viewer.arms.arm_lab import GOAL_STEP, TOLERANCE, ArmLab, FollowMethod, joint_of
from juggle_anim.viewer.arms.lab_card import status
from juggle_anim.viewer.panel.controls import ArmSelection

TIME = 0.3
ALL_SOLVERS = row_named("arms").options  # type: ignore[union-attr]


def lab(
    pattern: str = "531",
    arm: ArmSelection | None = None,
    way: FollowMethod = FollowMethod.SOLVER,
    **given: float | str,
) -> ArmLab:
    made = ArmLab(animate(pattern, **given), TIME, arm or ArmSelection())
    made.use_method(way)
    return made


def settle(made: ArmLab) -> None:
    for _ in range(80):
        made.advance()
    assert not made.is_moving


def lengths(joints: np.ndarray) -> list[float]:
    return [float(np.linalg.norm(joints[end] - joints[start])) for start, end in BONES]


@pytest.mark.parametrize("way", FollowMethod)
@pytest.mark.parametrize("side", [0, 1])
def test_an_arm_whose_goal_is_not_moved_stays_where_it_is(way: FollowMethod, side: int) -> None:
    animation = animate("531")
    made = lab(arm=ArmSelection(0, side), way=way)
    pose = animation.pose(np.array([TIME])).joints[0, 0]
    assert made.goal == pytest.approx(pose[joint_of("WRIST", side)], abs=1e-9)
    assert made.error < TOLERANCE
    assert np.abs(made.joints - pose).max() < 5e-3


@pytest.mark.parametrize("solver", ALL_SOLVERS)
@pytest.mark.parametrize("side", [0, 1])
def test_each_solver_brings_the_wrist_to_its_goal_at_once(solver: str, side: int) -> None:
    made = lab("<3p|3p>", ArmSelection(1, side), arms=solver)
    goal = made.goal + (0.05, 0.12, 0.04)
    made.place_goal(goal)
    assert made.joints[joint_of("WRIST", side)] == pytest.approx(goal, abs=1e-6)
    assert made.error < 1e-6
    assert lengths(made.joints) == pytest.approx(list(BONES.values()), abs=1e-9)
    assert set(ALL_SOLVERS) == set(SOLVERS)


def test_out_of_reach_the_arm_points_at_the_goal_and_says_what_is_missing() -> None:
    made = lab()
    shoulder = made.joints[Joint.LEFT_SHOULDER]
    away = np.array([0.6, 0.0, 0.8])
    made.place_goal(shoulder + 0.9 * away)
    assert made.error == pytest.approx(0.9 - UPPER_ARM - FOREARM, abs=1e-6)
    assert made.reach == pytest.approx(0.9 / (UPPER_ARM + FOREARM))
    along = made.joints[Joint.LEFT_WRIST] - shoulder
    assert along / np.linalg.norm(along) == pytest.approx(away, abs=1e-4)
    assert status(made)[0] == f"Out of reach by {100 * made.error:.1f} cm"


@pytest.mark.parametrize("way", [FollowMethod.ARM, FollowMethod.BODY])
def test_a_chain_comes_nearer_with_every_iteration_and_keeps_its_bones(way: FollowMethod) -> None:
    made = lab(way=way)
    made.paused = True
    made.place_goal(made.goal + (0.15, 0.25, 0.1))
    missing = [0.3]
    while missing[-1] > 1e-4:
        made.iterate()
        assert made.error < missing[-1]
        assert lengths(made.joints) == pytest.approx(list(BONES.values()), abs=1e-6)
        missing.append(made.error)
    assert 2 <= len(missing) - 1 == made.step_count <= 20


def test_held_iterations_wait_and_each_that_is_asked_for_is_one() -> None:
    made = lab(way=FollowMethod.ARM)
    made.step_once()
    made.place_goal(made.goal + (0.0, 0.2, 0.0))
    before = made.joints
    made.advance()
    np.testing.assert_array_equal(made.joints, before)
    made.step_once()
    assert made.step_count == 1
    made.toggle_paused()
    settle(made)
    assert status(made)[0].startswith(f"Reached in {made.step_count} steps")


def test_the_whole_body_reaches_farther_than_an_arm_and_leaves_the_other_hand_where_it_is() -> None:
    arm, body = lab(way=FollowMethod.ARM), lab(way=FollowMethod.BODY)
    other = body.joints[Joint.RIGHT_WRIST]
    for made in (arm, body):
        made.place_goal(made.joints[Joint.LEFT_SHOULDER] + (0.35, 0.1, 0.6))
        settle(made)
    assert arm.error > 0.05 > TOLERANCE > body.error
    assert body.joints[Joint.RIGHT_WRIST] == pytest.approx(other, abs=2e-3)
    assert np.linalg.norm(body.joints[Joint.CHEST] - arm.joints[Joint.CHEST]) > 0.01
    np.testing.assert_array_equal(body.joints[Joint.LEFT_KNEE], arm.joints[Joint.LEFT_KNEE])


@pytest.mark.parametrize("facing", ["531", "<3p|3p>"])
def test_a_goal_that_turns_turns_the_hand(facing: str) -> None:
    made = lab(facing, ArmSelection(animate(facing).num_jugglers - 1), way=FollowMethod.BODY)
    hand = made.joints[Joint.LEFT_PALM] - made.joints[Joint.LEFT_WRIST]
    turn = np.array([[np.cos(0.4), 0, np.sin(0.4)], [0, 1, 0], [-np.sin(0.4), 0, np.cos(0.4)]])
    wanted = turn @ made.goal_rotation
    made.toggle_orientation()
    made.place_goal(made.goal, wanted)
    assert made.goal_rotation == pytest.approx(wanted)
    settle(made)
    assert made.error < TOLERANCE
    turned = made.joints[Joint.LEFT_PALM] - made.joints[Joint.LEFT_WRIST]
    assert turned == pytest.approx(turn @ hand, abs=2e-3)


def test_another_animation_keeps_the_goal_and_takes_its_solver() -> None:
    made = lab(arms="natural")
    goal = made.goal + (0.1, 0.2, 0.0)
    made.place_goal(goal)
    before = made.joints[Joint.LEFT_ELBOW]
    made.update(animate("531", arms="two-link"), TIME)
    assert made.goal == pytest.approx(goal)
    assert np.linalg.norm(made.joints[Joint.LEFT_ELBOW] - before) > 0.02
    assert made.joints[Joint.LEFT_WRIST] == pytest.approx(goal, abs=1e-6)


def test_a_goal_moves_as_the_camera_sees_it() -> None:
    made = lab()
    camera, before = made_camera(), made.goal
    made.move_goal(camera, 1, 2, 0)
    seen = camera.view()[:3, :3] @ (made.goal - before)
    assert seen == pytest.approx((GOAL_STEP, 2 * GOAL_STEP, 0.0))
    made.move_goal(camera, 0, 0, 1)
    assert camera.view()[2, :3] @ (made.goal - before) == pytest.approx(-GOAL_STEP)


def made_camera() -> Camera:
    return animate("531").camera(1.0)


def test_the_ghost_follows_the_same_goal() -> None:
    made = lab(arms="natural", ghost="two-link")
    made.place_goal(made.goal + (0.05, 0.15, 0.05))
    ghost = made.ghost_joints()
    assert ghost is not None
    assert ghost[Joint.LEFT_WRIST] == pytest.approx(made.goal, abs=1e-6)
    assert made.ghost_gap == pytest.approx(
        np.linalg.norm(ghost[Joint.LEFT_ELBOW] - made.joints[Joint.LEFT_ELBOW])
    )
    assert made.ghost_gap > 0.005
    scene = made.scene(made_camera())
    assert scene.ghosts[0, 4:7] == pytest.approx(ghost[Joint.LEFT_ELBOW], abs=1e-6)
    assert lab().ghost_gap is None


def test_the_picture_is_that_of_the_animation_but_for_the_arm() -> None:
    animation = animate("531")
    made, camera = lab(), animation.camera(1.0)
    made.place_goal(made.goal + (0.0, 0.2, 0.0))
    shown, usual = made.scene(camera), animation.scene(TIME, camera)
    np.testing.assert_array_equal(shown.spheres, usual.spheres)
    changed = (np.abs(shown.capsules - usual.capsules) > 1e-6).any(axis=1)
    assert 5 < changed.sum() < len(changed) / 2


def test_in_a_mirrored_picture_a_goal_moves_the_way_one_sees() -> None:
    plain, turned = lab(), lab()
    camera = animate("531").camera(4 / 3)
    plain.move_goal(camera, 1, 0, 0)
    turned.move_goal(replace(camera, mirrored=True), -1, 0, 0)
    assert turned.goal == pytest.approx(plain.goal)
    assert plain.goal[0] > lab().goal[0]
