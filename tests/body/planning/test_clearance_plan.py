import numpy as np
import pytest

from juggle_anim import Animation, animate
from juggle_anim.body import Joint


def kink(animation: Animation) -> float:
    """The largest change of an elbow's velocity within half a millisecond, [m/s]."""
    times = np.arange(0.0, animation.duration, 0.0005)
    elbows = animation.pose(times).joints[:, :, Joint.LEFT_ELBOW : Joint.RIGHT_ELBOW + 1]
    return float(np.linalg.norm(np.diff(elbows, n=2, axis=0), axis=-1).max() / 0.0005)


@pytest.mark.parametrize("name", ["Four-person ultimates", "Triangle ultimates", "53133"])
def test_elbows_go_around_the_trunk_in_time(name: str) -> None:
    animation = animate(name)
    assert animation.plan.clearance is not None
    assert kink(animation) < 0.5


def test_arms_that_touch_no_trunk_need_no_plan() -> None:
    assert animate("3").plan.clearance is None


def test_elbows_of_a_loop_whose_halves_are_mirror_images_are_mirrored() -> None:
    animation = animate("53133")
    assert animation.plan.clearance is not None
    times = np.linspace(0.0, animation.duration / 2, 50)
    now, later = (
        animation.plan.clearance.at(each) for each in (times, times + animation.duration / 2)
    )
    assert later[..., ::-1] == pytest.approx(now, abs=1e-12)


def test_other_solvers_turn_no_elbow_for_it() -> None:
    animation = animate("Four-person ultimates", arms="two-link")
    assert animation.plan.lift(np.zeros(1), natural=False) == 0.0
