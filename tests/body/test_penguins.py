"""Penguins: catches and throws beside the hip with the arm turned inward, within people's
joints.
"""

from functools import cache

import numpy as np
import pytest
from long_cases import sampled

from juggle_anim import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body.arm import WRIST_LIMITS
from juggle_anim.body.skeleton import PALM, THUMB_BACK, Joint
from juggle_anim.measure.body_throws import arm_gap, passing_gap, shoulder_turns
from juggle_anim.measure.limbs import arm_depth_in_other_arm, arm_depth_in_trunk, elbow_kink
from juggle_anim.measure.realism import wrist_angles

SHORT = [
    ("3", "catches=penguin"),
    ("3", "catches=penguin|palm"),
    ("3", "catches=palm,penguin"),
    ("3", "throws=penguin,-"),
]
CASES = [("3", "catches=palm,penguin", "ball"), ("3", "catches=penguin", "club")]
LONG = [
    ("3", "catches=penguin", "ball"),
    ("3", "catches=penguin|palm", "ball"),
    ("3", "throws=penguin,-", "ball"),
    ("3", "catches=claw,penguin", "ball"),
    ("3", "throws=penguin", "ball"),
    ("4", "catches=penguin", "ball"),
    ("5", "catches=penguin", "ball"),
    ("441", "catches=penguin", "ball"),
    ("531", "catches=penguin", "ball"),
    ("423", "catches=penguin", "ball"),
    ("3", "catches=palm,penguin", "club"),
    ("3", "catches=penguin|palm", "club"),
    ("3", "catches=penguin", "ring"),
    ("3", "catches=palm,penguin", "ring"),
]
CASES += [pytest.param(*each, marks=pytest.mark.long) for each in LONG]


@cache
def juggled(text: str, said: str, prop: str) -> Animation:
    return animate(f"pattern={text};{said};prop={prop}")


def moments(animation: Animation) -> Floats:
    count = round(animation.duration * 50) * 2
    return np.arange(count) * (animation.duration / count)


@pytest.mark.parametrize(("text", "said", "prop"), CASES)
def test_arms_turn_no_farther_than_peoples_do(text: str, said: str, prop: str) -> None:
    joints = juggled(text, said, prop).pose(moments(juggled(text, said, prop))).joints
    low, high = np.degrees(WRIST_LIMITS.T)
    angles = wrist_angles(joints)
    assert ((angles >= low) & (angles <= high)).all(axis=-1).mean() > 0.94
    # I. A. Kapandji, "The Physiology of the Joints", volume 1: with the shoulder blade.
    inward, back = shoulder_turns(joints[:, 0])
    assert inward.max() < 110.0
    assert back.max() < 60.0


@pytest.mark.parametrize(("text", "said", "prop"), CASES)
def test_hands_get_there_and_props_pass_arms_and_body(text: str, said: str, prop: str) -> None:
    animation = juggled(text, said, prop)
    times = moments(animation)
    solved = animation.pose(times)
    assert solved.gaps.max() < 0.015
    assert passing_gap(animation, times, follows=0.02) > 0.010
    assert arm_depth_in_trunk(solved.joints[:, 0]) < 0.003
    assert arm_depth_in_other_arm(solved.joints[:, 0]) < 0.003
    assert arm_gap(solved.joints) > -0.003
    assert elbow_kink(animation, times) < 0.5


@pytest.mark.parametrize(
    ("text", "said"),
    sampled(SHORT, ("3", "catches=palm,penguin"), ("3", "catches=penguin"), arguments=2),
)
def test_the_palm_is_up_and_the_fingers_point_back_beside_the_hip(text: str, said: str) -> None:
    animation = juggled(text, said, "ball")
    events = animation.choreography.events
    around = np.flatnonzero(events.manners[:, 1])
    assert around.size
    joints = animation.pose(events.time[around]).joints[np.arange(len(around)), 0]
    left = events.hand[around] % 2 == 0
    outward = np.where(left, 1.0, -1.0)

    def joint(name: str) -> Floats:
        found = joints[
            np.arange(len(around)), np.where(left, Joint[f"LEFT_{name}"], Joint[f"RIGHT_{name}"])
        ]
        return found * np.stack([outward, np.ones(len(around)), np.ones(len(around))], axis=1)

    fingers = (joint("PALM") - joint("WRIST")) / PALM
    palm = np.cross(fingers, joint("THUMB") - joint("PALM") + THUMB_BACK * fingers)
    assert (palm[:, 1] > 0.65 * np.linalg.norm(palm, axis=1)).all()
    assert (fingers[:, 2] < -0.4).all()
    assert (joint("PALM")[:, 0] > 0.3).all()
    assert (joint("PALM")[:, 2] < 0.05).all()
    assert (joint("ELBOW")[:, 1] < joint("SHOULDER")[:, 1]).all()


@pytest.mark.parametrize("text", sampled(["3", "4", "5"], "3"))
def test_both_hands_do_the_same_half_a_loop_apart(text: str) -> None:
    animation = juggled(text, "catches=penguin", "ball")
    times = moments(animation)
    joints = animation.pose(np.concatenate([times, times + animation.duration / 2])).joints[:, 0]
    now, later = joints[: len(times)], joints[len(times) :] * (-1.0, 1.0, 1.0)
    for name in ("ELBOW", "WRIST", "PALM", "THUMB_TIP"):
        assert later[:, Joint[f"RIGHT_{name}"]] == pytest.approx(
            now[:, Joint[f"LEFT_{name}"]], abs=0.02
        )


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            "3;throws=penguin",
            "3;throws=penguin;prop=club",
            "3;catches=penguin",
            "5;throws=backcross",
        ],
        "3;throws=penguin",
    ),
)
def test_elbows_do_not_jerk_as_hands_come_back_from_behind(text: str) -> None:
    animation = animate(text)
    step = 1.0 / 480.0
    times = np.arange(-step, animation.duration + step, step)
    elbows = animation.pose(times).joints[:, 0, [Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]]
    accelerations = np.linalg.norm(np.diff(elbows, n=2, axis=0), axis=-1) / step**2
    assert accelerations.max() < 340.0
