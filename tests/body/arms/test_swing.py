import numpy as np
import pytest

from juggle_anim.body.arms.closed_form import swing_elbows
from juggle_anim.body.arms.natural import natural
from juggle_anim.body.arms.solvers import Arm

ARM = Arm(0.31, 0.27)
RNG = np.random.default_rng(3)
HANDS = RNG.uniform(-0.3, 0.3, (8, 2, 3)) + (0.0, 0.0, 0.2)


def test_a_swung_arm_keeps_its_ends_and_its_bones_and_turns_as_told() -> None:
    pose = natural(np.zeros(3), HANDS, ARM, np.array([0, 1]), 0.5)
    turns = RNG.uniform(-3, 3, 16)
    turned = swing_elbows(pose, np.zeros((8, 2, 3)), np.arange(16), turns)
    assert (turned.wrist == pose.wrist).all()
    elbow, wrist = turned.elbow.reshape(-1, 3), turned.wrist.reshape(-1, 3)
    assert np.linalg.norm(elbow, axis=-1) == pytest.approx(0.31, abs=1e-12)
    assert np.linalg.norm(wrist - elbow, axis=-1) == pytest.approx(0.27, abs=1e-12)
    axis = wrist / np.linalg.norm(wrist, axis=-1, keepdims=True)
    before, after = (np.cross(axis, each.reshape(-1, 3)) for each in (pose.elbow, elbow))
    sine = (np.cross(before, after) * axis).sum(axis=-1)
    assert np.arctan2(sine, (before * after).sum(axis=-1)) == pytest.approx(turns, abs=1e-9)


def test_rotations_lead_to_the_joints_of_a_swung_arm() -> None:
    pose = natural(np.zeros(3), HANDS, ARM, np.array([0, 1]), 0.5)
    turned = swing_elbows(pose, np.zeros((8, 2, 3)), np.arange(16), np.full(16, 0.7))
    elbow = 0.31 * turned.rotations[..., 0, :, 0]
    assert elbow == pytest.approx(turned.elbow, abs=1e-12)
    assert elbow + 0.27 * turned.rotations[..., 1, :, 0] == pytest.approx(turned.wrist, abs=1e-12)


def test_other_arms_stay_as_they_are() -> None:
    pose = natural(np.zeros(3), HANDS, ARM, np.array([0, 1]), 0.5)
    turned = swing_elbows(pose, np.zeros((8, 2, 3)), np.array([3]), np.array([1.0]))
    changed = (turned.elbow != pose.elbow).any(axis=-1).ravel()
    assert np.flatnonzero(changed).tolist() == [3]
