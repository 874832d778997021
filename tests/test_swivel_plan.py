from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from juggling_lab import LAYOUTS

from juggle_anim import Animation, animate
from juggle_anim.body import BONES, Joint, pose
from juggle_anim.body.planning.swivel_plan import EXCESS_SPEED, plan_swivels

# The elbows of these would race: words by which to find them.
RACING = (
    "6xp2BB",
    "7;hss=441",
    "|5 5 6 1 3 |",
    "be00af00a0",
    "726;hss=3",
    "5;hss=22286;handspec=(2,1)(3,4)",
    "body=< (90,0",
)
WRITTEN = {word: next(row["settings"] for row in LAYOUTS if word in row["settings"]) for word in RACING}
LED = "pattern=7;hss=441"
ELBOWS = slice(Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW + 1)
PALMS = slice(Joint.LEFT_PALM, Joint.RIGHT_PALM + 1)


@cache
def planned(text: str) -> Animation:
    animation = animate(text)
    assert animation.plan is not None
    return animation


def unled(animation: Animation, times: np.ndarray) -> np.ndarray:
    plan = replace(animation.plan, swivels=None)
    return pose(animation.sample(times), animation.motion, animation.parameters, plan).joints


def haste(joints: np.ndarray) -> float:
    speed = np.linalg.norm(np.diff(joints, axis=0), axis=-1) * 240
    return float((speed[..., ELBOWS] - 1.5 * speed[..., PALMS]).max())


@pytest.mark.parametrize("word", RACING)
def test_no_elbow_races_that_is_led(word: str) -> None:
    animation = planned(WRITTEN[word])
    assert haste(animation.pose(np.arange(0.0, animation.duration + 1 / 240, 1 / 240)).joints) < 2.0


def test_elbows_that_are_led_would_have_raced() -> None:
    animation = planned(LED)
    assert haste(unled(animation, np.arange(0, animation.duration, 1 / 240))) > EXCESS_SPEED + 2.0


@pytest.mark.parametrize("text", ["3", "531", "b97531", "(6x,4)*", "pattern=<3p 3|3p 3>"])
def test_nobody_is_led_who_has_no_need(text: str) -> None:
    assert animate(text).plan.swivels is None


def test_other_arms_stay_as_they_are_to_the_last_bit() -> None:
    animation = planned(WRITTEN["be00af00a0"])
    times = np.arange(0, animation.duration, 1 / 120)
    moved = (animation.pose(times).joints != unled(animation, times)).any(axis=(0, 3))
    led = np.zeros(2 * animation.jugglers, dtype=bool)
    led[animation.plan.swivels.arms] = True
    assert 0 < led.sum() < led.size
    assert (moved[:, ELBOWS].ravel() == led).all()
    assert not moved[:, Joint.PELVIS : Joint.LEFT_SHOULDER].any()


def test_an_elbow_is_led_only_around_the_moment() -> None:
    animation = planned(WRITTEN["be00af00a0"])
    times = np.arange(0, animation.duration, 1 / 240)
    differs = (animation.pose(times).joints != unled(animation, times)).any(axis=(1, 2, 3))
    assert 0.1 < differs.mean() < 0.5


@pytest.mark.parametrize("text", [LED, WRITTEN["6xp2BB"]])
def test_the_way_of_an_elbow_closes_and_never_jumps(text: str) -> None:
    animation = planned(text)
    ends = animation.pose(np.array([0.0, animation.duration])).joints
    assert ends[1] == pytest.approx(ends[0], abs=1e-6)
    times = np.linspace(0, animation.duration, round(480 * animation.duration) + 1)
    steps = np.linalg.norm(np.diff(animation.pose(times).joints[..., ELBOWS, :], axis=0), axis=-1)
    worst = int(steps.max(axis=(1, 2)).argmax())
    closer = np.linspace(times[worst], times[worst + 1], 101)
    assert (
        np.linalg.norm(np.diff(animation.pose(closer).joints[..., ELBOWS, :], axis=0), axis=-1).max()
        < 0.04 * steps.max()
    )


def test_bones_keep_their_length_while_led() -> None:
    animation = planned(LED)
    joints = animation.pose(np.linspace(0, animation.duration, 500)).joints
    for (start, end), length in BONES.items():
        assert np.abs(np.linalg.norm(joints[..., end, :] - joints[..., start, :], axis=-1) - length).max() < 1e-9


def test_the_chicken_wing_turns_an_elbow_that_is_led() -> None:
    animation = planned(LED)
    higher = animation.replace(right_wing=60.0)
    assert higher.plan is animation.plan
    juggler, side = divmod(int(animation.plan.swivels.arms[1]), 2)
    track = animation.plan.swivels.track
    led = np.linspace(0, animation.duration, 400)
    led = led[track.at(led)[:, 1, 3] == 1.0]
    one, other = (each.pose(led).joints[:, juggler] for each in (animation, higher))
    assert side == 1
    root, elbow, wrist = (Joint.RIGHT_SHOULDER, Joint.RIGHT_ELBOW, Joint.RIGHT_WRIST)
    same = np.linalg.norm(one[:, wrist] - other[:, wrist], axis=-1) < 1e-9
    assert same.sum() > 10
    axis = one[same, wrist] - one[same, root]
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    across = [each[same, elbow] - each[same, root] for each in (one, other)]
    across = [each - (each * axis).sum(axis=-1, keepdims=True) * axis for each in across]
    cosines = (across[0] * across[1]).sum(axis=-1) / np.prod(np.linalg.norm(across, axis=-1), axis=0)
    assert np.degrees(np.arccos(cosines)) == pytest.approx(30.0, abs=1e-4)


def test_other_solvers_show_what_they_are() -> None:
    animation = planned(LED).replace(arms="two-link")
    times = np.linspace(0, animation.duration, 100)
    assert (animation.pose(times).joints == unled(animation, times)).all()


def test_the_plan_is_the_same_whatever_wing_and_arms_it_is_made_with() -> None:
    usual = planned(LED)
    other = animate(LED, chicken_wing=70.0, arms="two-link")
    assert (usual.plan.swivels.track.controls == other.plan.swivels.track.controls).all()


def test_a_crowd_is_led_nowhere() -> None:
    motion = planned(LED).motion
    many = replace(motion, choreography=replace(motion.choreography, duration=1e4))
    assert plan_swivels(many, planned(LED).parameters, planned(LED).plan) is None
