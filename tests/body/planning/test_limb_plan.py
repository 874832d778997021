import numpy as np
import pytest

from juggle_anim import Animation, animate
from juggle_anim.body import Joint
from juggle_anim.body.arm import WRIST_LIMITS
from juggle_anim.body.pose import ArmTargets
from juggle_anim.measure.limbs import in_trunk
from juggle_anim.measure.realism import wrist_angles


def comfortable(animation: Animation) -> float:
    """The share of moments in which forearms and wrists are within their limits."""
    angles = wrist_angles(animation.pose(np.arange(0.0, animation.duration, 1 / 60)).joints)
    low, high = np.degrees(WRIST_LIMITS.T)
    return float(((angles >= low) & (angles <= high)).all(axis=-1).mean())


CROSSED = "pattern=3;hands=Mills mess;style=natural"


@pytest.mark.parametrize(
    "text", [CROSSED, "51 mills mess", "overhead cascade", "wide reverse cascade"]
)
def test_forearms_and_wrists_stay_within_their_limits_and_arms_out_of_the_trunk(text: str) -> None:
    animation = animate(text)
    assert animation.plan.turns is not None
    assert comfortable(animation) > 0.95
    joints = animation.pose(np.arange(0.0, animation.duration, 1 / 240)).joints
    assert in_trunk(joints[:, 0]) < 0.01


@pytest.mark.parametrize("text", ["3", "531", "b97531"])
def test_hands_that_are_comfortable_turn_no_more(text: str) -> None:
    assert animate(text).plan.turns is None


def test_turns_of_a_loop_whose_halves_are_mirror_images_are_mirrored() -> None:
    animation = animate(CROSSED)
    times = np.linspace(0.0, animation.duration / 2, 50)
    assert animation.plan.turns is not None
    now, later = (animation.plan.turns.at(each) for each in (times, times + animation.duration / 2))
    assert later[:, :, ::-1] == pytest.approx(now, abs=1e-9)


def test_hands_that_hold_clubs_turn_about_their_handles_only() -> None:
    turns = animate(CROSSED, prop="club").plan.turns
    assert turns is not None
    outward, up, over = np.abs(turns.controls).max(axis=(0, 1, 2))
    assert max(outward, up) < np.radians(5.0) < over


def test_palms_in_juggling_labs_style_stay() -> None:
    animation = animate("pattern=3;hands=Mills mess;style=juggling-lab")
    crossings, turns = animation.plan.crossings, animation.plan.turns
    assert crossings is not None
    assert turns is not None
    assert np.array_equal(turns.controls[..., :2], crossings.controls[..., :2])
    assert not turns.controls[..., 2].any()


def test_who_does_the_same_turns_the_same() -> None:
    turns = animate("<[62]25|[62]25|[62]25>").plan.turns
    assert turns is not None
    assert (turns.controls == turns.controls[:, :1]).all()


def test_wrist_angles_of_arms_are_those_of_their_joints() -> None:
    animation = animate("97531")
    times = np.linspace(0.0, animation.duration, 40)
    targets = ArmTargets.from_plan(animation.motion, animation.parameters, animation.plan, times)
    angles = np.degrees(targets.pose_arms().wrist_angles(targets.shoulders))
    assert angles == pytest.approx(wrist_angles(animation.pose(times).joints), abs=1e-6)


def test_elbows_stay_calm_where_a_hand_that_turns_would_flip_them_over() -> None:
    for lines in ("cascade 4 catches\nyo-yo 4 loops\nstop", "441 2 loops\nyo-yo 4 s\n531 2 loops"):
        routine = animate(lines)
        count = round(routine.duration * 240)
        joints = routine.pose(np.arange(count) * (routine.duration / count)).joints[:, 0]
        elbows = joints[:, [Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]]
        assert np.linalg.norm(np.diff(elbows, axis=0), axis=-1).max() * 240 < 5.5, lines
