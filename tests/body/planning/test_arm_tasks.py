"""Limits of arms: each is met where it is far, and its derivatives are those of its residuals."""

from dataclasses import replace

import numpy as np
import pytest

from juggle_anim import animate
from juggle_anim.arrays import Floats
from juggle_anim.body.arm import WRIST_LIMITS
from juggle_anim.body.clearance import leg_depth
from juggle_anim.body.planning.arm_plan import (
    ArmState,
    KeepArmsApart,
    KeepClearOfBody,
    KeepClearOfProps,
    LimitJoints,
    ReachPlaces,
    SpareWrists,
    _ArmProblem,
    _RelaxedArms,
    arm_gaps,
    depths_in_legs,
)
from juggle_anim.body.planning.least_squares import Mirror, Stretch
from juggle_anim.body.pose import ARM_CHANNELS, ArmTargets
from juggle_anim.body.skeleton import (
    FOREARM,
    FOREARM_RADII,
    PALM,
    PALM_INNER_RADII,
    UPPER_ARM,
    UPPER_ARM_RADII,
)
from juggle_anim.vectors import unit

MESS = "pattern=3;hands=Mills mess;style=natural"


def relaxed(text: str, **parameters: str) -> _RelaxedArms:
    animation = animate(text, **parameters)
    moments = 6 * round(animation.duration * 14)
    times = np.arange(moments) * (animation.duration / moments)
    targets = ArmTargets.from_plan(animation.motion, animation.plan, times)
    stretch = Stretch(moments // 6, animation.duration)
    no_lifts = np.zeros((moments, 1, 2))
    whole = Mirror.none(2 * ARM_CHANNELS)
    return _RelaxedArms.from_targets(
        animation.motion, targets, np.array([0]), no_lifts, stretch, whole
    )


def state(text: str, **parameters: str) -> ArmState:
    arms = relaxed(text, **parameters)
    return ArmState.posed(arms.targets, np.zeros((arms.joints.shape[0], 2, ARM_CHANNELS)))


def test_easy_arms_break_no_limit() -> None:
    easy = state("3")
    assert not LimitJoints(free=False).residuals(easy).any()
    assert not KeepClearOfBody(around=False).residuals(easy).any()
    assert not ReachPlaces().residuals(easy).any()
    assert not KeepArmsApart().residuals(easy.joints[:, 0], easy.joints[:, 1]).any()


def test_wrists_are_beyond_their_limits_by_what_the_residual_says() -> None:
    easy = state("3")
    too_far = WRIST_LIMITS[:, 1] + np.radians(2.0)
    beyond = easy._replace(angles=np.broadcast_to(too_far, easy.angles.shape))
    residuals = LimitJoints(free=False).residuals(beyond)
    # The margin of 3° and the excess of 2° are 2.5 units.
    assert residuals[..., :3] == pytest.approx(2.5)
    assert not LimitJoints(free=True).residuals(beyond).any()


def test_places_are_missed_by_what_the_residual_says() -> None:
    easy = state("3")
    short = easy._replace(gaps=np.full(easy.gaps.shape, 0.006))
    assert ReachPlaces().residuals(short) == pytest.approx(2.0)


def test_a_prop_that_touches_an_arm_is_told_unless_its_hand_handles_it() -> None:
    easy = state("3")
    assert not KeepClearOfProps().residuals(easy).any()

    def beside_forearms(away: float, allowed: float) -> Floats:
        """Residuals with one ball of 7 cm, `away` above the middle of each forearm, [m]."""
        middles = easy.joints[:, :, 1:3].mean(axis=2) + (0.0, away, 0.0)
        ball = np.broadcast_to([0.035, allowed], (*middles.shape[:2], 2))
        props = np.concatenate([middles, ball], axis=-1)[:, None, :, None]
        targets = replace(easy.targets, props=props)
        return KeepClearOfProps().residuals(easy._replace(targets=targets))

    assert (beside_forearms(0.0, 0.0)[..., 1] > 20.0).all()
    assert not beside_forearms(0.0, np.inf)[..., 1].any()
    assert not beside_forearms(0.5, 0.0).any()


def test_wrists_are_spared_around_the_body_alone() -> None:
    easy = state("3")
    bent = easy._replace(
        angles=np.broadcast_to(np.radians([60.0, 30.0, 40.0]), (*easy.gaps.shape, 3))
    )
    # 10° more than 50° of turn, and the bend of 30° and 40°, 50°, is 20° more than 30°, in 15°.
    assert SpareWrists(around=True).residuals(bent)[..., :2] == pytest.approx(
        np.broadcast_to([2.0 / 3.0, 4.0 / 3.0], (*easy.gaps.shape, 2))
    )
    assert not SpareWrists(around=False).residuals(bent).any()


def test_arms_in_the_body_and_in_each_other_are_told() -> None:
    crossed = state(MESS)
    inside = crossed.joints.copy()
    # Elbows in the middle of the chest.
    inside[:, :, 1] = inside[:, :, 0].mean(axis=1, keepdims=True) - (0.0, 0.15, 0.0)
    deep = KeepClearOfBody(around=False).residuals(crossed._replace(joints=inside))[..., 0]
    assert (deep > 20.0).all()
    gaps = arm_gaps(crossed.joints[:, 0], crossed.joints[:, 1])
    apart = KeepArmsApart().residuals(crossed.joints[:, 0], crossed.joints[:, 1])[:, :3]
    assert gaps.min() < 0.0
    assert (apart == 0.0).tolist() == (gaps >= 0.014).tolist()
    assert apart.min() == pytest.approx((gaps.min() - 0.014) / 0.002)


def test_arms_are_as_deep_in_legs_as_points_close_along_them() -> None:
    """Bones far from legs are ruled out without changing what is near."""
    random = np.random.default_rng(4)
    legs = np.array([[0.1, 0.9, 0.0], [0.1, 0.5, 0.1], [0.1, 0.07, 0.0], [0.1, 0.03, 0.2]])
    legs = np.stack([legs, legs * (-1.0, 1.0, 1.0)]) + random.normal(0.0, 0.1, (300, 2, 4, 3))
    # Arms whose bones have their lengths, down from the shoulders in any direction.
    directions = random.normal((0.0, -1.0, 0.0), 1.0, (300, 2, 3, 3))
    bones = np.array([[UPPER_ARM], [FOREARM], [PALM]]) * unit(directions)
    shoulders = np.broadcast_to([[[0.2, 1.3, 0.0]], [[-0.2, 1.3, 0.0]]], (300, 2, 1, 3))
    joints = np.concatenate([shoulders, shoulders + np.cumsum(bones, axis=2)], axis=2)
    share = np.linspace(0.0, 1.0, 101)[:, None]
    points = joints[:, :, :-1, None] + share * bones[:, :, :, None]
    radii = np.array(
        [
            np.interp(share[:, 0], (0.0, 1.0), ends)
            for ends in (UPPER_ARM_RADII, FOREARM_RADII, PALM_INNER_RADII)
        ]
    )
    depths = leg_depth(points.reshape(300, -1, 3), legs).reshape(300, 2, 3, 101) + radii
    deepest = depths.max(axis=(2, 3))
    assert (deepest > 0.0).any()
    depths_of_bones = np.maximum(depths_in_legs(legs, joints), 0.0)
    assert depths_of_bones == pytest.approx(np.maximum(deepest, 0.0), abs=0.002)


def test_gaps_of_crossed_cylinders_are_exact() -> None:
    def arm(elbow: tuple[float, float, float], wrist: tuple[float, float, float]) -> Floats:
        above = np.array([0.0, 5.0, 0.0])
        return np.array([[elbow + above, elbow, wrist, wrist + above]])

    left = arm((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    right = arm((0.0, 0.3, -1.0), (0.0, 0.3, 1.0))
    radius = (0.037 + 0.026) / 2
    assert arm_gaps(left, right)[0, 0] == pytest.approx(0.3 - 2 * radius)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [(MESS, {}), ("3", {"throws": "underleg"}), ("overhead cascade", {}), ("97531", {})],
)
def test_normal_equations_are_those_of_numerical_derivatives(
    text: str, parameters: dict[str, str]
) -> None:
    problem = _ArmProblem(relaxed(text, **parameters))
    moments = problem.relaxed.limit_residuals.shape[0]
    values = 0.05 * np.random.default_rng(5).normal(size=(moments, 1, 2 * ARM_CHANNELS))
    here = problem.residuals(values)
    terms = problem.normal_terms(values, here, 1.0, np.ones((moments, 1), dtype=bool))
    assert here.points is not None
    assert terms.point_jacobian is not None
    small = 1e-5
    for channel in range(2 * ARM_CHANNELS):
        stepped = values.copy()
        stepped[..., channel] += small
        there = problem.residuals(stepped)
        assert there.points is not None
        of_points = (there.points - here.points) / small
        assert terms.point_jacobian[:, :, channel] == pytest.approx(of_points, abs=0.02)
        # Limits have corners, where a small step and a smaller one differ.
        slopes = (there.limits - here.limits) / small, (there.tasks - here.tasks) / small
        gradient = (slopes[0] * here.limits).sum(axis=-1) + (slopes[1] * here.tasks).sum(axis=-1)
        wrong = np.abs(terms.gradient[..., channel] - gradient) > 1.0 + 0.05 * np.abs(gradient)
        assert wrong.mean() < 0.02
        hessian = (slopes[0] ** 2).sum(axis=-1) + (slopes[1] ** 2).sum(axis=-1)
        wrong = np.abs(terms.hessian[..., channel, channel] / hessian - 1.0) > 0.05
        assert wrong.mean() < 0.1
