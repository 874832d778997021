from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from juggle_anim.arrays import Floats
from juggle_anim.body.arms import Arm
from juggle_anim.body.arms.two_link import PolarLimb, TurnedLimb, angle_axis, bend_limb, polar

# The printed example: links of 3 and 2, the target in the plane.
LIMB = Arm(3.0, 2.0)
TARGET = np.array([-3.0, np.sqrt(7.0), 0.0])
DIGITS = 5e-6

lengths = st.floats(0.01, 10.0)
limbs = st.builds(Arm, lengths, lengths)
# Of the smallest numbers, numpy's own norms are 0.
coordinates = st.floats(-15.0, 15.0).map(lambda value: value if abs(value) > 1e-100 else 0.0)
targets = arrays.arrays(float, (8, 3), elements=coordinates)
both_ways = pytest.mark.parametrize("solve", [polar, angle_axis])


def reached(limb: Arm, target: Floats) -> Floats:
    return np.clip(
        np.linalg.norm(target, axis=-1), abs(limb.upper - limb.lower), limb.upper + limb.lower
    )


def assert_a_limb(limb: Arm, solved: PolarLimb | TurnedLimb) -> None:
    """Rotations are rotations, about z from the first link to the second, and lead to the joint and
    the end.
    """
    rotations = solved.rotations
    assert np.isfinite(rotations).all()
    size = limb.upper + limb.lower
    assert rotations.swapaxes(-1, -2) @ rotations == pytest.approx(
        np.broadcast_to(np.eye(3), rotations.shape), abs=1e-12
    )
    assert np.linalg.det(rotations) == pytest.approx(np.ones(rotations.shape[:-2]), abs=1e-12)
    assert limb.upper * rotations[..., 0, :, 0] == pytest.approx(solved.joint, abs=1e-12 * size)
    assert solved.joint + limb.lower * rotations[..., 1, :, 0] == pytest.approx(
        solved.end, abs=1e-12 * size
    )
    turn = rotations[..., 0, :, :].swapaxes(-1, -2) @ rotations[..., 1, :, :]
    second = solved.bend.second
    assert turn[..., 0, 0] == pytest.approx(np.cos(second), abs=1e-12)
    assert turn[..., 1, 0] == pytest.approx(np.sin(second), abs=1e-12)
    assert turn[..., 2, 2] == pytest.approx(np.ones_like(second), abs=1e-12)


def test_the_worked_example_bends_as_printed() -> None:
    bend = bend_limb(LIMB, np.array(4.0))
    assert bend.reach == 4.0
    assert bend.inner == pytest.approx(1.82348, abs=DIGITS)
    assert bend.second == pytest.approx(-1.31812, abs=DIGITS)
    assert bend.first == pytest.approx(0.50536, abs=DIGITS)


def test_the_worked_example_in_the_polar_way() -> None:
    solved = polar(LIMB, TARGET)
    assert solved.heading == pytest.approx(3.14159, abs=DIGITS)
    assert solved.elevation == pytest.approx(0.72273, abs=DIGITS)
    assert solved.end == pytest.approx(TARGET, abs=1e-12)
    # The joint is above the line to the target.
    assert solved.joint == pytest.approx((-1.00810, 2.82555, 0.0), abs=DIGITS)


def test_the_worked_example_in_the_angle_axis_way() -> None:
    solved = angle_axis(LIMB, TARGET)
    assert solved.start == pytest.approx((3.5, -1.93649, 0.0), abs=DIGITS)
    assert solved.error == pytest.approx((-6.5, 4.58224, 0.0), abs=DIGITS)
    assert np.cross(solved.start, solved.error) == pytest.approx((0.0, 0.0, 3.45065), abs=DIGITS)
    assert solved.axis == pytest.approx((0.0, 0.0, 1.0))
    assert solved.angle == pytest.approx(2.92422, abs=DIGITS)
    assert solved.end == pytest.approx(TARGET, abs=1e-12)
    # The joint keeps its side, which after so wide a turn is below the line to the target.
    assert solved.joint == pytest.approx((-2.92940, 0.64700, 0.0), abs=DIGITS)


@both_ways
@given(limbs, targets)
def test_forward_kinematics_gives_the_target_back(solve, limb: Arm, target: Floats) -> None:
    solved = solve(limb, target)
    assert_a_limb(limb, solved)
    distance = np.linalg.norm(target, axis=-1)
    assert solved.bend.reach == pytest.approx(reached(limb, target), rel=1e-14)
    away = distance > 0.0
    expected = (solved.bend.reach[away] / distance[away])[:, None] * target[away]
    assert solved.end[away] == pytest.approx(expected, abs=1e-12 * (limb.upper + limb.lower))


LIMBS = (Arm(3.0, 2.0), Arm(2.0, 3.0), Arm(2.0, 2.0), Arm(1.0, 1e-6), Arm(1e-6, 1.0))
DISTANCES = (0.0, 1e-300, 1e-12, 0.5, 1.0, 4.0, 5.0, 5.0 - 1e-15, 7.0, 1e12, 1e300)
MISSES = (0.0, 1e-16, 1e-10, 1e-4)


@both_ways
def test_targets_without_a_direction_or_out_of_reach_have_limbs_too(solve) -> None:
    for limb, distance, miss in product(LIMBS, DISTANCES, MISSES):
        ways = np.array(
            [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=float
        )
        # And straight opposite the end of the limb as it is before the turn.
        opposite = -angle_axis(limb, np.array([distance, 0.0, 0.0])).start
        ways = np.vstack([ways, opposite / max(np.linalg.norm(opposite), 1e-300)])
        target = distance * (ways + miss * np.array([0.48, 0.64, -0.6]))
        solved = solve(limb, target)
        assert_a_limb(limb, solved)
        which, close = (limb, distance, miss), 1e-12 * (limb.upper + limb.lower)
        assert np.linalg.norm(solved.end, axis=-1) == pytest.approx(solved.bend.reach, abs=close), (
            which
        )
        if distance > 0.0:
            straight = target / distance
            straight /= np.maximum(np.linalg.norm(straight, axis=-1, keepdims=True), 0.5)
            there = np.linalg.norm(ways, axis=-1) > 0.5
            assert solved.end[there] == pytest.approx(
                solved.bend.reach[there, None] * straight[there], abs=close
            ), which


def test_a_target_at_the_root_counts_as_along_the_limb_at_rest() -> None:
    assert polar(Arm(3.0, 2.0), np.zeros(3)).end == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert polar(Arm(2.0, 3.0), np.zeros(3)).end == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert angle_axis(Arm(3.0, 2.0), np.zeros(3)).end == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert angle_axis(Arm(2.0, 2.0), np.zeros(3)).end == pytest.approx(np.zeros(3), abs=1e-12)


@given(limbs, targets)
def test_the_polar_joint_is_above_the_line_in_the_vertical_plane(limb: Arm, target: Floats) -> None:
    level = np.hypot(target[:, 0], target[:, 2])
    target = target[level > 1e-3]
    joint = polar(limb, target).joint
    assert np.cross(target, joint)[:, 1] == pytest.approx(np.zeros(len(target)), abs=1e-9)
    plane = np.hypot(target[:, 0], target[:, 2])
    across = (
        joint[:, 1] * plane
        - target[:, 1] * (joint[:, 0] * target[:, 0] + joint[:, 2] * target[:, 2]) / plane
    )
    assert (across >= -1e-9).all()


@given(limbs, targets, st.floats(-np.pi, np.pi))
def test_the_one_turn_is_the_shortest_from_wherever_the_limb_starts(
    limb: Arm, target: Floats, first: float
) -> None:
    solved = angle_axis(limb, target, first)
    assert_a_limb(limb, solved)
    spread = np.linalg.norm(solved.start, axis=-1) * np.linalg.norm(target, axis=-1)
    plain = spread > 1e-6
    between = np.arccos(np.clip((solved.start * target).sum(-1)[plain] / spread[plain], -1.0, 1.0))
    assert solved.angle[plain] == pytest.approx(between, abs=1e-6)
    # Of the rotation, that the axis stays and the trace tells the angle, as Rodrigues' formula has
    # it.
    turn = solved.rotations[:, 0] @ np.linalg.inv(rotation_about_z(first))
    assert np.trace(turn, axis1=-2, axis2=-1) == pytest.approx(
        1.0 + 2.0 * np.cos(solved.angle), abs=1e-9
    )
    sure = np.sin(solved.angle) > 1e-3
    assert (turn @ solved.axis[..., None])[sure, :, 0] == pytest.approx(solved.axis[sure], abs=1e-9)
    assert solved.start + solved.error == pytest.approx(solved.end, abs=1e-9)


def rotation_about_z(angle: float) -> Floats:
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def test_limbs_of_many_lengths_are_solved_at_once() -> None:
    upper, lower = np.array([[3.0], [2.0]]), np.array([2.0, 1.0, 0.5])
    target = np.array([1.0, 0.5, -2.0])
    for solve in (polar, angle_axis):
        solved = solve(Arm(upper, lower), np.broadcast_to(target, (2, 3, 3)))
        assert solved.rotations.shape == (2, 3, 2, 3, 3)
        assert solved.end[1, 2] == pytest.approx(solve(Arm(2.0, 0.5), target).end, abs=1e-12)
