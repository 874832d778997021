import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import JOINTS
from juggle_anim.viewer.arms.arm_lab import (
    ChainFollower,
    Follower,
    LocalFigure,
    SolverFollower,
    Target,
    hand_of,
    joint_of,
)

FIGURE = LocalFigure.from_animation(animate("531"), 0.3, 0)


def follower(name: str, side: int) -> Follower:
    return (
        SolverFollower("natural", (0.5, 0.5))
        if name == "solver"
        else ChainFollower(FIGURE, side, whole_body=False)
    )


@pytest.mark.parametrize("name", ["solver", "chain"])
@pytest.mark.parametrize("side", [0, 1])
def test_an_arm_alone_moves_nothing_but_itself(name: str, side: int) -> None:
    target = Target(side, FIGURE.at("WRIST", side) + (0.06, 0.2, 0.1))
    joints, _ = follower(name, side).solve(FIGURE, target)
    others = np.setdiff1d(np.arange(JOINTS), [joint_of("ELBOW", side), *hand_of(side)])
    assert joints[others] == pytest.approx(FIGURE.joints[others], abs=1e-12)
    assert np.linalg.norm(joints[joint_of("ELBOW", side)] - FIGURE.at("ELBOW", side)) > 0.01


@pytest.mark.parametrize("name", ["solver", "chain"])
def test_a_hand_keeps_its_shape(name: str) -> None:
    joints, _ = follower(name, 0).solve(
        FIGURE, Target(0, FIGURE.at("WRIST", 0) + (0.05, 0.15, 0.0))
    )
    before, after = FIGURE.hand(0), joints[hand_of(0)]
    apart = [np.linalg.norm(points[:, None] - points, axis=-1) for points in (before, after)]
    assert apart[1] == pytest.approx(apart[0], abs=1e-9)


def test_the_same_steps_lead_to_the_same_place() -> None:
    target = Target(1, FIGURE.at("WRIST", 1) + (0.0, 0.2, 0.1))
    ways = [ChainFollower(FIGURE, 1, whole_body=True) for _ in range(2)]
    for _ in range(5):
        first, second = (way.solve(FIGURE, target)[0] for way in ways)
        np.testing.assert_array_equal(first, second)
