import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import Joint
from juggle_anim.viewer.state.arm_curves import (
    ELBOW,
    MAX_SAMPLES,
    MIN_SAMPLES,
    WRIST,
    LoopArms,
    LoopArmsCache,
    elbow_gaps,
)


def test_a_loop_has_the_joints_of_every_arm_at_even_times() -> None:
    animation = animate("<3p|3p>")
    arms = LoopArms.of(animation)
    number = arms.index_at(0.3 * animation.duration)
    joints = animation.pose(arms.times[number : number + 1]).joints[0, 1]
    assert arms.joints[number, 1, 1, ELBOW] == pytest.approx(joints[Joint.RIGHT_ELBOW], abs=1e-12)
    assert arms.joints[number, 1, 0, WRIST] == pytest.approx(joints[Joint.LEFT_WRIST], abs=1e-12)


def test_short_and_long_loops_are_looked_at_often_enough_but_not_without_end() -> None:
    short, long = LoopArms.of(animate("1", bps=20)), LoopArms.of(animate("3", bps=0.06))
    assert MIN_SAMPLES <= len(short.joints) < len(long.joints) <= MAX_SAMPLES


@pytest.mark.parametrize("rounds", [-2, 0, 5])
def test_the_time_nearest_is_found_in_any_round(rounds: int) -> None:
    arms = LoopArms.of(animate("531"))
    assert arms.index_at(arms.times[7] + 0.4 * arms.step + rounds * arms.duration) == 7
    assert arms.index_at(arms.duration - 0.1 * arms.step) == 0


def test_the_gap_is_that_of_the_worst_elbow() -> None:
    first, second = (LoopArms.of(animate("531", arms=name)) for name in ("natural", "two-link"))
    each = np.linalg.norm(first.joints[:, 0, :, ELBOW] - second.joints[:, 0, :, ELBOW], axis=-1)
    assert elbow_gaps(first, second) == pytest.approx(each.max(axis=1))
    assert elbow_gaps(first, first).max() == 0.0


def test_the_loop_of_an_animation_is_looked_at_once() -> None:
    last, animation = LoopArmsCache(), animate("531")
    assert last.of(animation) is last.of(animation)
    assert last.of(animate("531")) is not last.of(animation)
