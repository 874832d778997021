"""How near props and arms come to bodies, and how far joints turn, by worked bodies and by trying
all pairs.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.analysis.collisions import PARTS
from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.measure.body_throws import (
    arm_gap,
    bends_beyond,
    floor_gap,
    hip_turns,
    passing_gap,
    shoulder_turns,
    under_thigh,
)
from juggle_anim.measure.limbs import (
    LIMITS,
    arm_depth_in_other_arm,
    arm_depth_in_trunk,
    elbow_kink,
    measure,
)
from juggle_anim.scene.figure import limb_shapes
from juggle_anim.vectors import rotate_about_y

MIRROR = np.array([-1.0, 1.0, 1.0])


SOMEBODY = animate("3").pose(np.zeros(1)).joints[:, 0]


def standing() -> Floats:
    """Joints of somebody upright with hanging arms whose forearms point ahead, (1, joints, 3)."""
    joints = SOMEBODY.copy()
    joints[0, Joint.PELVIS] = 0.0, 0.9, 0.0
    joints[0, Joint.CHEST] = 0.0, 1.2, 0.0
    for side, x in ((0, 1.0), (1, -1.0)):
        joints[0, Joint.LEFT_SHOULDER + side] = 0.2 * x, 1.4, 0.0
        joints[0, Joint.LEFT_ELBOW + side] = 0.2 * x, 1.1, 0.0
        joints[0, Joint.LEFT_WRIST + side] = 0.2 * x, 1.1, 0.25
        joints[0, Joint.LEFT_PALM + side] = 0.2 * x, 1.1, 0.32
        joints[0, Joint.LEFT_HIP + side] = 0.1 * x, 0.9, 0.0
        joints[0, Joint.LEFT_KNEE + side] = 0.1 * x, 0.5, 0.0
        joints[0, Joint.LEFT_ANKLE + side] = 0.1 * x, 0.1, 0.0
    return joints


def about(axis: int, degrees: float) -> Floats:
    """A right-handed turn about an axis of the world."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    one, other = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[one, one] = turn[other, other] = cosine
    turn[other, one], turn[one, other] = sine, -sine
    return turn


angles = st.floats(-40.0, 40.0)


@given(angles, angles, angles)
def test_hips_turn_by_what_thighs_and_shanks_were_turned(
    flexion: float, abduction: float, rotation: float
) -> None:
    joints = standing()
    for side, out in ((0, 1.0), (1, -1.0)):
        hip = joints[0, Joint.LEFT_HIP + side]
        # First the shank bends back by a right angle and turns outward about the thigh: the foot
        # goes inward. Then the thigh goes outward, and ahead.
        turn = about(0, -flexion) @ about(2, out * abduction) @ about(1, out * rotation)
        joints[0, Joint.LEFT_KNEE + side] = hip + turn @ (0.0, -0.4, 0.0)
        joints[0, Joint.LEFT_ANKLE + side] = hip + turn @ (0.0, -0.4, -0.4)
    found = hip_turns(joints)
    for both, made in zip(found, (flexion, abduction, rotation), strict=True):
        assert both[0] == pytest.approx([made, made], abs=1e-9)


def test_a_straight_leg_has_no_turn_of_its_own() -> None:
    assert np.array(hip_turns(standing())) == pytest.approx(0.0)


@given(st.floats(-80.0, 80.0), angles, st.floats(-3.0, 3.0))
def test_shoulders_turn_by_what_forearms_swing_inward(
    inward: float, back: float, facing: float
) -> None:
    joints = standing()
    for side, out in ((0, 1.0), (1, -1.0)):
        shoulder = joints[0, Joint.LEFT_SHOULDER + side]
        # A turn about the hanging arm, and then of the whole arm straight back.
        turn = about(0, back) @ about(1, -out * inward)
        elbow = shoulder + turn @ (0.0, -0.3, 0.0)
        joints[0, Joint.LEFT_ELBOW + side] = elbow
        joints[0, Joint.LEFT_WRIST + side] = elbow + turn @ (0.0, 0.0, 0.25)
    turned = rotate_about_y(joints[0], np.array(facing))[None] + (0.3, 0.1, -2.0)
    for body in (joints, turned):
        rotations, backs = shoulder_turns(body)
        assert rotations[0] == pytest.approx([inward, inward], abs=1e-6)
        assert backs[0] == pytest.approx([back, back], abs=1e-6)


def test_a_body_upright_is_within_its_joints_by_the_least_of_their_limits() -> None:
    # Abduction and rotation, of which there is none, may be 45°; the trunk may lean by 30°.
    assert bends_beyond(standing(), 50.0) == pytest.approx(-45.0)
    assert bends_beyond(standing(), 30.0) == pytest.approx(-30.0)


@pytest.mark.parametrize("degrees", [130.0, 170.0])
def test_a_joint_that_bends_too_far_is_told_by_how_much(degrees: float) -> None:
    turn = about(0, -degrees)
    ahead = standing()
    hip = ahead[0, Joint.RIGHT_HIP]
    ahead[0, Joint.RIGHT_KNEE] = hip + turn @ (0.0, -0.4, 0.0)
    ahead[0, Joint.RIGHT_ANKLE] = hip + turn @ (0.0, -0.8, 0.0)
    assert bends_beyond(ahead, 50.0) == pytest.approx(degrees - 120.0)
    bent = standing()
    bent[0, Joint.LEFT_ANKLE] = bent[0, Joint.LEFT_KNEE] + about(0, degrees) @ (0.0, -0.4, 0.0)
    assert bends_beyond(bent, 50.0) == pytest.approx(degrees - 140.0)
    leaning = standing()
    leaning[0, Joint.CHEST] = leaning[0, Joint.PELVIS] + about(0, degrees) @ (0.0, 0.3, 0.0)
    assert bends_beyond(leaning, 50.0) == pytest.approx(degrees - 50.0)
    aside = standing()
    hip = aside[0, Joint.LEFT_HIP]
    aside[0, Joint.LEFT_KNEE] = hip + about(2, 60.0) @ (0.0, -0.4, 0.0)
    aside[0, Joint.LEFT_ANKLE] = hip + about(2, 60.0) @ (0.0, -0.8, 0.0)
    assert bends_beyond(aside, 50.0) == pytest.approx(15.0)


def test_a_place_under_a_thigh_is_found_by_its_share_and_the_way_to_it() -> None:
    joints = standing()[0]
    joints[Joint.LEFT_KNEE] = joints[Joint.LEFT_HIP] + (0.0, 0.1, 0.4)
    for share in (0.0, 0.3, 1.2):
        on_thigh = joints[Joint.LEFT_HIP] + share * np.array([0.0, 0.1, 0.4])
        found, away = under_thigh(joints, on_thigh + (0.05, -0.2, 0.0), 0)
        assert found == pytest.approx(share)
        assert away == pytest.approx([0.05, -0.2, 0.0])


def segment_gap(one: Floats, other: Floats) -> float:
    """The gap of two round cones, by trying balls along both."""
    shares = np.linspace(0.0, 1.0, 60)[:, None]
    balls = [
        (row[:3] + shares * (row[4:7] - row[:3]), row[3] + shares[:, 0] * (row[7] - row[3]))
        for row in (one, other)
    ]
    apart = np.linalg.norm(balls[0][0][:, None] - balls[1][0], axis=-1)
    return float((apart - balls[0][1][:, None] - balls[1][1]).min())


@pytest.mark.parametrize("text", ["3;throws=backcross", "5"])
def test_arms_come_as_near_to_a_body_as_the_nearest_of_all_pairs(text: str) -> None:
    animation = animate(text)
    joints = animation.pose(np.linspace(0.0, animation.duration, 3, endpoint=False)).joints
    limbs = limb_shapes(joints).reshape(3, -1, 8)
    gaps = []
    for one, arm in enumerate(PARTS):
        for other, body in enumerate(PARTS):
            near_hand = arm.endswith(("forearm", "hand"))
            against = ("trunk", "head", "thigh", "shin") if near_hand else ("thigh", "shin")
            if (near_hand or arm.endswith("upper arm")) and body.endswith(against):
                gaps += [segment_gap(rows[one], rows[other]) for rows in limbs]
    assert arm_gap(joints) == pytest.approx(min(gaps), abs=2e-3)


def test_a_prop_is_as_high_above_the_floor_as_its_lowest_point() -> None:
    animation = animate("3B")
    times = np.linspace(0.0, animation.duration, 301)
    height = animation.sample(times).props[..., 1].min() - animation.motion.shapes.size[0] / 2
    assert floor_gap(animation, times) == pytest.approx(height, abs=1e-3)
    assert abs(floor_gap(animation, times)) < 0.05


def test_a_prop_comes_the_nearer_the_more_of_the_body_counts() -> None:
    animation = animate("3;throws=backcross")
    times = np.linspace(0.0, animation.duration, 60, endpoint=False)
    everything = passing_gap(animation, times)
    assert everything <= passing_gap(animation, times, without="hand")
    assert everything <= passing_gap(animation, times, follows=0.05)
    # Only the hand is so near, just after a throw or before a catch.
    assert passing_gap(animation, times[:30]) >= everything


@pytest.mark.parametrize("gap", [0.05, -0.02])
def test_forearms_that_cross_are_apart_by_what_is_between_them(gap: float) -> None:
    joints = standing()
    # Forearms are 37 mm thick at the elbow and 26 mm at the wrist: 31.5 mm in the middle.
    for side, x in ((0, 1.0), (1, -1.0)):
        height = 1.1 + side * (2 * 0.0315 + gap)
        joints[0, Joint.LEFT_ELBOW + side] = 0.13 * x, height, 0.3
        joints[0, Joint.LEFT_WRIST + side] = -0.13 * x, height, 0.5
    assert arm_depth_in_other_arm(joints) == pytest.approx(-gap, abs=1e-3)
    assert arm_depth_in_other_arm(joints * MIRROR) == pytest.approx(
        arm_depth_in_other_arm(joints), abs=1e-3
    )


def test_a_wrist_in_the_belly_is_deep_in_the_trunk_and_one_at_the_side_is_not() -> None:
    joints = standing()
    for side, x in ((0, 1.0), (1, -1.0)):
        joints[0, [Joint.LEFT_ELBOW + side, Joint.LEFT_WRIST + side, Joint.LEFT_PALM + side], 0] = (
            0.35 * x
        )
    spread = joints.copy()
    beside = arm_depth_in_trunk(joints)
    assert beside < 0
    joints[0, Joint.LEFT_WRIST] = 0.0, 1.1, 0.0
    deep = arm_depth_in_trunk(joints)
    assert deep > 0.05
    for side in (0, 1):
        body = spread.copy()
        body[0, Joint.LEFT_WRIST + side] = 0.0, 1.1, 0.0
        assert arm_depth_in_trunk(body) == pytest.approx(deep, abs=5e-3)
    # It does not matter where somebody stands and how they face.
    turned = rotate_about_y(joints[0], np.array(2.0))[None] + (3.0, 0.0, 1.0)
    assert arm_depth_in_trunk(turned) == pytest.approx(deep, abs=1e-9)


def test_figures_of_limbs_are_the_worst_of_all_moments() -> None:
    animation = animate("3")
    figures = measure(animation)
    assert list(figures) == list(LIMITS)
    times = np.linspace(0.0, animation.duration, round(animation.duration * 240), endpoint=False)
    joints = animation.pose(times).joints
    assert figures["arm in arm [mm]"] == pytest.approx(1000 * arm_depth_in_other_arm(joints[:, 0]))
    assert figures["arm or hand in trunk [mm]"] == pytest.approx(
        1000 * arm_depth_in_trunk(joints[:, 0])
    )
    elbows = joints[:, 0, [Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]]
    speeds = np.linalg.norm(np.gradient(elbows, times, axis=0), axis=-1)
    assert figures["elbow [m/s]"] == pytest.approx(speeds.max(), rel=0.02)
    assert all(figures[row] <= limit for row, limit in LIMITS.items())


def test_an_elbows_velocity_changes_by_its_greatest_acceleration_in_half_a_millisecond() -> None:
    animation = animate("3")
    times = np.linspace(0.0, animation.duration, 400, endpoint=False)
    fine = np.linspace(0.0, animation.duration, 4001)
    elbows = animation.pose(fine).joints[:, 0, [Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]]
    step = fine[1]
    acceleration = np.linalg.norm(np.diff(elbows, 2, axis=0), axis=-1).max() / step**2
    assert elbow_kink(animation, times) == pytest.approx(0.0005 * acceleration, rel=0.1)
