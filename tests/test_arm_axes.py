import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body.arm import arm_axes
from juggle_anim.body.arms.solvers import SOLVERS, Arm
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM

TIMES = np.linspace(0.0, 1.0, 40)


@pytest.mark.parametrize("arms", SOLVERS)
@given(st.tuples(st.floats(-0.3, 0.4), st.floats(-0.4, 0.3), st.floats(0.15, 0.35)), st.floats(-0.5, 1.5))
def test_shoulder_and_elbow_are_turned_as_the_solver_says(
    arms: str, away: tuple[float, float, float], swivel: float
) -> None:
    # A straight arm turns about itself as it likes.
    assume(np.linalg.norm(away) < UPPER_ARM + FOREARM - 0.01)
    shoulders = np.array([[0.19, 1.4, 0.0], [-0.19, 1.4, 0.0]])
    hands = shoulders + away
    found = SOLVERS[arms](shoulders, hands, Arm(UPPER_ARM, FOREARM), np.array([0, 1]), np.full(2, swivel))
    joints = np.random.default_rng(1).normal(size=(JOINTS, 3))
    joints[[Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]] = shoulders
    joints[[Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]] = found.elbow
    joints[[Joint.LEFT_WRIST, Joint.RIGHT_WRIST]] = found.wrist
    np.testing.assert_allclose(arm_axes(joints)[:, :2], found.rotations, atol=2e-6)


def test_axes_are_right_handed_and_at_right_angles() -> None:
    axes = arm_axes(animate("<3p 3|3p 3>").pose(TIMES).joints)
    assert axes.shape == (40, 2, 2, 3, 3, 3)
    np.testing.assert_allclose(np.swapaxes(axes, -1, -2) @ axes, np.broadcast_to(np.eye(3), axes.shape), atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(axes), 1.0)


def test_bones_lie_along_x_and_the_thumb_along_z() -> None:
    joints = animate("531").pose(TIMES).joints[:, 0]
    axes = arm_axes(joints)
    for side, name in enumerate(("LEFT", "RIGHT")):
        chain = [joints[:, Joint[f"{name}_{each}"]] for each in ("SHOULDER", "ELBOW", "WRIST", "PALM")]
        for joint in range(3):
            bone = chain[joint + 1] - chain[joint]
            np.testing.assert_allclose(axes[:, side, joint, :, 0], bone / np.linalg.norm(bone, axis=1, keepdims=True))
        thumb = joints[:, Joint[f"{name}_THUMB"]] - chain[3]
        assert ((axes[:, side, 2, :, 2] * thumb).sum(axis=1) > 0.02).all()


def test_a_straight_arm_has_axes_too() -> None:
    joints = animate("3").pose(np.zeros(1)).joints[0, 0].copy()
    joints[Joint.LEFT_WRIST] = joints[Joint.LEFT_ELBOW] + 0.7 * (joints[Joint.LEFT_ELBOW] - joints[Joint.LEFT_SHOULDER])
    axes = arm_axes(joints)
    np.testing.assert_allclose(np.swapaxes(axes[0, :2], -1, -2) @ axes[0, :2], [np.eye(3)] * 2, atol=1e-9)
