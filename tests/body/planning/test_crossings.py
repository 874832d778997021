import numpy as np
import pytest

from juggle_anim import Animation, animate
from juggle_anim.analysis.distances import RoundCones, round_cones_distance
from juggle_anim.body import Joint, pose
from juggle_anim.scene.figure import LIMBS, weights_of

MESS = "pattern=3;hands=Mills mess;style=natural"
WIDE = "hands=(-25)(2.5).(25)(-2.5).(-25)(0).;style=natural"
FIVE = "pattern=5;hands=(-30)(2.5).(30)(-2.5).(-30)(0).;style=natural"
OVER = "pattern=3;hands=(-8,6)(-28,6).(-8,-6)(-28,-6).;style=natural"
CROSSED = (MESS, FIVE, f"pattern=414;{WIDE}", OVER, f"pattern=315;{WIDE}")


def drawn_arm(joints: np.ndarray, side: str) -> list[RoundCones]:
    """The upper arms and the forearms of one juggler, as they are drawn."""
    ends = [(f"{side}_SHOULDER", f"{side}_ELBOW"), (f"{side}_ELBOW", f"{side}_WRIST")]
    found = []
    for start, end in ends:
        limb = next(
            each
            for each in LIMBS
            if (each.start == weights_of(start)).all() and (each.end == weights_of(end)).all()
        )
        radii = (np.full(len(joints), radius) for radius in limb.radii)
        found.append(
            RoundCones(joints[:, Joint[start]], next(radii), joints[:, Joint[end]], next(radii))
        )
    return found


def gap(animation: Animation, planned: bool = True) -> float:
    """The least gap between one forearm and the other arm, [m]."""
    times = np.arange(0.0, animation.duration, 1 / 240)
    plan = animation.plan if planned else animation.plan.__class__(animation.plan.trunk, None, None)
    joints = pose(animation.sample(times), animation.motion, animation.parameters, plan).joints[
        :, 0
    ]
    left, right = drawn_arm(joints, "LEFT"), drawn_arm(joints, "RIGHT")
    pairs = (left[1], right[1]), (left[1], right[0]), (left[0], right[1])
    return float(min(round_cones_distance(*pair).min() for pair in pairs))


@pytest.mark.parametrize("name", CROSSED)
def test_crossed_arms_do_not_meet(name: str) -> None:
    animation = animate(name)
    assert gap(animation, planned=False) < -0.03
    assert gap(animation) > -0.003


def test_arms_of_a_loop_whose_halves_are_mirror_images_are_mirrored() -> None:
    animation = animate(MESS)
    times = np.linspace(0.0, animation.duration / 2, 100)
    now, later = (
        animation.pose(each).joints[:, 0] for each in (times, times + animation.duration / 2)
    )
    left, right = (
        np.arange(Joint[f"{side}_SHOULDER"], Joint.LEFT_HIP, 2) for side in ("LEFT", "RIGHT")
    )
    assert later[:, right] == pytest.approx(now[:, left] * (-1.0, 1.0, 1.0), abs=1e-9)


@pytest.mark.parametrize("text", ["3", "531", "b97531", "pattern=<3p 3|3p 3>"])
def test_arms_that_do_not_cross_need_no_plan(text: str) -> None:
    assert animate(text).plan.crossings is None


def test_who_does_not_cross_arms_stays_as_without_those_who_do() -> None:
    both = animate("pattern=<3|3>;hands=(-25)(2.5).(25)(-2.5).(0)(0).|(10)(30).")
    assert (both.plan.crossings.controls[:, 0] != 0.0).any()
    assert (both.plan.crossings.controls[:, 1] == 0.0).all()
    assert gap(both) > -0.003
