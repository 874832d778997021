import numpy as np
import pytest
from arm_chain import ARM, WRIST, random_angles

from juggle_anim.arrays import Floats
from juggle_anim.body.chain import Frame, Goal
from juggle_anim.body.chain.solve import Task


def turn_about(axis: Floats, angle: float) -> Floats:
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, 2.0, 3.1, np.pi - 1e-9, np.pi])
def test_a_missing_turn_is_told_as_axis_times_angle(angle: float) -> None:
    for axis in np.random.default_rng(2).normal(size=(5, 3)):
        axis /= np.linalg.norm(axis)
        pose = random_angles(ARM, 1)[0]
        place, turn = ARM.locate(pose, WRIST)
        task = Task.from_goals(
            ARM, [Goal(WRIST, place, turn_about(axis, angle) @ turn, lever=0.5)], 1
        )
        missing = task.residuals(ARM.place(pose[:, None]))[3:, 0]
        # Half a turn is the same about an axis and about its opposite.
        expected = 0.5 * angle * axis * (np.sign(axis @ missing) if angle == np.pi else 1.0)
        assert missing == pytest.approx(expected, abs=1e-8)


def test_the_jacobian_has_the_rows_of_what_is_missing() -> None:
    pose, little = random_angles(ARM, 1)[0], 1e-6
    goals = [Goal(Frame(2, (0.0, -0.1, 0.2)), np.array([0.1, 0.2, 0.3]), weight=2.0)]
    goals.append(Goal(WRIST, *ARM.locate(pose, WRIST), weight=0.5, lever=0.3))
    task = Task.from_goals(ARM, goals, 1)
    jacobian = task.jacobian(ARM.place(pose[:, None]))[..., 0]
    for joint in range(4):
        change = little * np.eye(4)[joint]
        after, before = (
            task.residuals(ARM.place((pose + by)[:, None]))[:, 0] for by in (change, -change)
        )
        assert (before - after) / (2 * little) == pytest.approx(jacobian[:, joint], abs=1e-8)


def test_errors_are_in_metres_whatever_the_weight() -> None:
    pose = random_angles(ARM, 3)
    places, _ = ARM.locate(pose, WRIST)
    goals = [Goal(WRIST, places + (0.03, 0.0, 0.04), weight=weight) for weight in (1.0, 7.0)]
    task = Task.from_goals(ARM, goals, 3)
    assert task.errors(task.residuals(ARM.place(pose.T))) == pytest.approx(0.05)
