"""Plans of arms over a loop: within limits, apart, calm, and only where they are needed."""

from dataclasses import replace

import numpy as np
import pytest
from life import without_life

from juggle_anim import Animation, animate
from juggle_anim.body import BONES, Joint, pose
from juggle_anim.body.arm import WRIST_LIMITS
from juggle_anim.body.pose import HAND_TURN, POLE, ArmTargets
from juggle_anim.measure.limbs import arm_depth_in_other_arm, arm_depth_in_trunk, elbow_kink
from juggle_anim.measure.realism import wrist_angles

MESS = "pattern=3;hands=Mills mess;style=natural"
WIDE = "hands=(-25)(2.5).(25)(-2.5).(-25)(0).;style=natural"
FIVE = "pattern=5;hands=(-30)(2.5).(30)(-2.5).(-30)(0).;style=natural"
OVER = "pattern=3;hands=(-8,6)(-28,6).(-8,-6)(-28,-6).;style=natural"
CROSSED = (MESS, FIVE, f"pattern=414;{WIDE}", OVER, f"pattern=315;{WIDE}")

ELBOWS = slice(Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW + 1)


def moments(animation: Animation, rate: float = 240.0) -> np.ndarray:
    count = round(animation.duration * rate)
    return np.arange(count) * (animation.duration / count)


def unplanned(animation: Animation) -> Animation:
    """The same animation, with arms at ease whatever comes."""
    other = animation.replace()
    other.__dict__["plan"] = replace(animation.plan, arms=None)
    return other


def joints(animation: Animation, rate: float = 240.0) -> np.ndarray:
    return pose(
        animation.sample(moments(animation, rate)),
        animation.motion,
        animation.parameters,
        animation.plan,
    ).joints


def comfortable(animation: Animation) -> float:
    """The share of moments in which forearms and wrists are within a degree of their limits."""
    angles = wrist_angles(joints(animation, 60.0))
    low, high = np.degrees(WRIST_LIMITS.T)
    return float(((angles > low - 1) & (angles < high + 1)).all(axis=-1).mean())


def acceleration(animation: Animation) -> float:
    """The largest of the elbows, [m/s²]."""
    rate = 480.0
    elbows = joints(animation, rate)[:, :, ELBOWS]
    change = np.diff(elbows, n=2, axis=0)
    return float(np.linalg.norm(change, axis=-1).max() * rate**2)


@pytest.mark.parametrize("text", CROSSED)
def test_crossed_arms_do_not_meet(text: str) -> None:
    animation = animate(text)
    assert arm_depth_in_other_arm(joints(unplanned(animation))[:, 0]) > 0.015
    assert arm_depth_in_other_arm(joints(animation)[:, 0]) < 0.005


@pytest.mark.parametrize(
    "text", [MESS, "51 mills mess", "overhead cascade", "Takeouts", "Burke's barrage"]
)
def test_forearms_and_wrists_stay_within_their_limits_and_arms_out_of_the_trunk(text: str) -> None:
    animation = animate(text)
    assert animation.plan.arms is not None
    assert comfortable(animation) > 0.99
    assert arm_depth_in_trunk(joints(animation)[:, 0]) < 0.003


@pytest.mark.parametrize("text", ["97531", "b97531", "Burke's barrage", "overhead cascade"])
def test_elbows_that_would_hurry_are_calmer(text: str) -> None:
    animation = animate(text)
    over_accelerated = acceleration(unplanned(animation))
    assert acceleration(animation) < 0.97 * over_accelerated


@pytest.mark.parametrize("name", ["Four-person ultimates", "Triangle ultimates", "53133"])
def test_elbows_go_around_the_trunk_in_time(name: str) -> None:
    animation = animate(name)
    assert animation.plan.arms is not None
    assert elbow_kink(animation, moments(animation)) < 0.5


@pytest.mark.parametrize("text", ["3", "5", "(6x,4)*", "box"])
def test_arms_that_are_at_ease_need_no_plan(text: str) -> None:
    assert animate(text).plan.arms is None


@pytest.mark.parametrize("text", [MESS, "53133"])
def test_plans_of_a_loop_whose_halves_are_mirror_images_are_mirrored(text: str) -> None:
    animation = animate(text)
    times = np.linspace(0.0, animation.duration / 2, 50)
    arms = animation.plan.arms
    assert arms is not None
    now, later = (arms.at(each) for each in (times, times + animation.duration / 2))
    assert later[:, :, ::-1] == pytest.approx(now, abs=1e-6)


def test_hands_that_hold_clubs_turn_about_their_handles_most() -> None:
    arms = animate(MESS, prop="club").plan.arms
    assert arms is not None
    outward, up, over = np.abs(arms.controls[..., HAND_TURN]).max(axis=(0, 1, 2))
    assert max(outward, up) < np.radians(17.0) < over


def test_hands_in_juggling_labs_style_stay() -> None:
    arms = animate("pattern=3;hands=Mills mess;style=juggling-lab").plan.arms
    assert arms is not None
    assert np.abs(arms.controls[..., HAND_TURN]).max() < 1e-4
    assert arms.controls[..., POLE].any()


def test_who_does_the_same_moves_the_same() -> None:
    arms = animate("<[62]25|[62]25|[62]25>").plan.arms
    assert arms is not None
    assert (arms.controls == arms.controls[:, :1]).all()


def test_who_is_at_ease_stays_so_beside_those_who_are_not() -> None:
    both = animate("pattern=<3|3>;hands=(-25)(2.5).(25)(-2.5).(0)(0).|(10)(30).")
    arms = both.plan.arms
    assert arms is not None
    assert arms.controls[:, 0].any()
    assert not arms.controls[:, 1].any()


def test_wrist_angles_of_arms_are_those_of_their_joints() -> None:
    animation = without_life(animate("3"))
    times = np.linspace(0.0, animation.duration, 40)
    targets = ArmTargets.from_plan(animation.motion, animation.plan, times)
    angles = np.degrees(targets.pose_arms().wrist_angles(targets.shoulders))
    assert angles == pytest.approx(wrist_angles(animation.pose(times).joints), abs=1e-6)


@pytest.mark.parametrize(
    ("lines", "most"),
    [
        ("cascade 4 catches\nyo-yo 4 loops\nstop", 5.5),
        # At one of the yo-yos an elbow still goes over quickly.
        pytest.param("441 2 loops\nyo-yo 4 s\n531 2 loops", 12.0, marks=pytest.mark.long),
    ],
)
def test_elbows_stay_calm_where_a_hand_that_turns_would_flip_them_over(
    lines: str, most: float
) -> None:
    elbows = joints(animate(lines))[:, 0, ELBOWS]
    assert np.linalg.norm(np.diff(elbows, axis=0), axis=-1).max() * 240 < most


def test_bones_keep_their_length() -> None:
    planned = joints(animate(MESS))
    for (start, end), length in BONES.items():
        lengths = np.linalg.norm(planned[..., end, :] - planned[..., start, :], axis=-1)
        assert lengths == pytest.approx(length, abs=1e-9)


def test_the_plan_is_the_same_whatever_wing_and_solver_it_is_made_with() -> None:
    usual = animate(MESS).plan.arms
    other = animate(MESS, chicken_wing=70.0, arms="two-link").plan.arms
    assert usual is not None
    assert other is not None
    assert np.array_equal(usual.controls, other.controls)


def test_other_solvers_show_what_they_are() -> None:
    animation = animate("53133", arms="two-link")
    arms = animation.plan.arms
    assert arms is not None
    without_poles = arms.controls.copy()
    without_poles[..., POLE] = 0.0
    other = animation.replace()
    other.__dict__["plan"] = replace(animation.plan, arms=replace(arms, controls=without_poles))
    assert np.array_equal(joints(animation), joints(other))


def test_the_chicken_wing_turns_planned_elbows() -> None:
    animation = animate(MESS)
    higher = animation.replace(chicken_wing=50.0)
    one, other = (joints(each)[:, 0] for each in (animation, higher))
    root, wrist = one[:, Joint.LEFT_SHOULDER], one[:, Joint.LEFT_WRIST]
    same = np.linalg.norm(wrist - other[:, Joint.LEFT_WRIST], axis=-1) < 1e-9
    assert same.sum() > 10
    axis = (wrist - root)[same]
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    across = []
    for each in (one, other):
        upper = each[same, Joint.LEFT_ELBOW] - root[same]
        upper -= (upper * axis).sum(axis=-1, keepdims=True) * axis
        across.append(upper / np.linalg.norm(upper, axis=-1, keepdims=True))
    turns = np.degrees(np.arccos((across[0] * across[1]).sum(axis=-1)))
    # Where nothing is in its way, it turns by 20° more than at ease.
    assert np.median(turns) == pytest.approx(20.0, abs=1e-4)
