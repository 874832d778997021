"""Arms in closed form, a million in one batch, one thread; and as few as one frame has."""

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.body.arms import SOLVERS, Arm
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM

PERSON = Arm(UPPER_ARM, FOREARM)
COUNT = 1_000_000
CLOSED = [name for name in SOLVERS if name != "resolved-rate"]

# Lowest and highest place of hands, to the left, up and forward of the shoulder, as shares of the
# arm.
BOX = (-0.5, -0.7, 0.2), (0.5, -0.05, 0.85)


def some_hands(count: int) -> Floats:
    return (UPPER_ARM + FOREARM) * np.random.default_rng(1).uniform(*BOX, (count, 3))


@pytest.mark.parametrize("name", CLOSED)
def test_whole_poses_with_joint_rotations(benchmark, report, name: str) -> None:
    hands = some_hands(COUNT)
    benchmark(SOLVERS[name], np.zeros_like(hands), hands, PERSON, 0, 0.5)
    report(million_arms_a_second=COUNT / benchmark.stats["median"] / 1e6)


@pytest.mark.parametrize("name", CLOSED)
def test_the_two_arms_of_sixteen_frames(benchmark, report, name: str) -> None:
    hands = some_hands(32).reshape(16, 1, 2, 3)
    benchmark(
        SOLVERS[name], np.zeros((2, 3)), hands, PERSON, np.array([0, 1]), np.array([0.5, 0.5])
    )
    report(microseconds=1e6 * benchmark.stats["median"])


@pytest.mark.parametrize("count", [1, 16, 1_000, COUNT])
def test_get_elbow_position(benchmark, report, count: int) -> None:
    hands = some_hands(count).squeeze()
    benchmark(ja.get_elbow_position, np.zeros_like(hands), hands, UPPER_ARM, 0.5, 1)
    report(microseconds=1e6 * benchmark.stats["min"])
