"""Throws and catches around the body: hands get there, props pass, limbs stay clear, within people's joints."""

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from body_passes import arm_gap, passing_gap, shoulder_turns

from juggle_anim import Animation, animate
from juggle_anim.body import Joint
from juggle_anim.choreography.choreography import CATCH, THROW

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from measure_limbs import arm_in_arm, in_trunk, kink
from measure_realism import wrist_angles

from juggle_anim.body.arm import WRIST_LIMITS

AROUND_TRUNK = {
    "backcross": {"throws": "backcross"},
    "shoulder": {"throws": "shoulder"},
    "lazy": {"throws": "lazy"},
    "behind": {"catches": "behind"},
}

BEFORE_IT = {
    "chop": {"throws": "chop"},
    "underarm": {"throws": "underarm"},
    "overhead": {"throws": "overhead", "catches": "overhead"},
}

WORDS = AROUND_TRUNK | BEFORE_IT

SHORT = [("3", word, "ball") for word in WORDS] + [("3", "backcross", "club")]
LONG = [("3", word, "club") for word in AROUND_TRUNK if word != "backcross"]
LONG += [("3", "chop", "club"), *(("5", word, "ball") for word in ("backcross", "shoulder", "behind", "chop"))]

CASES = [*SHORT, *(pytest.param(*each, marks=pytest.mark.long) for each in LONG)]


@cache
def juggled(text: str, word: str, prop: str) -> Animation:
    return animate(text, prop=prop, **WORDS[word])


def moments(animation: Animation, rate: int = 100):
    count = round(animation.duration * rate / 2) * 2
    return np.arange(count) * (animation.duration / count)


@pytest.mark.parametrize(("text", "word", "prop"), CASES)
def test_hands_are_where_they_throw_and_catch(text, word, prop):
    animation = juggled(text, word, prop)
    events = animation.choreography.events
    around = np.flatnonzero((events.body_throw > 0) & ((events.kind == THROW) | (events.kind == CATCH)))
    assert around.size
    gaps = animation.pose(events.time[around]).gaps[:, 0]
    assert gaps[np.arange(len(around)), events.hand[around]].max() < 0.015
    assert animation.pose(moments(animation)).gaps.max() < 0.015


@pytest.mark.parametrize(("text", "word", "prop"), CASES)
def test_props_pass_bodies_without_a_touch(text, word, prop):
    assert passing_gap(juggled(text, word, prop), moments(juggled(text, word, prop))) > 0.010


@pytest.mark.parametrize(("text", "word", "prop"), CASES)
def test_arms_stay_clear_of_trunk_head_legs_and_each_other(text, word, prop):
    animation = juggled(text, word, prop)
    joints = animation.pose(moments(animation)).joints
    assert in_trunk(joints[:, 0]) < 0.003
    assert arm_in_arm(joints[:, 0]) < 0.003
    assert arm_gap(joints) > -0.003


@pytest.mark.parametrize(("text", "word", "prop"), CASES)
def test_forearms_wrists_and_shoulders_stay_within_their_limits(text, word, prop):
    animation = juggled(text, word, prop)
    joints = animation.pose(moments(animation)).joints
    low, high = np.degrees(WRIST_LIMITS.T)
    angles = wrist_angles(joints)
    assert ((angles >= low) & (angles <= high)).all(axis=-1).mean() > 0.94
    if word in AROUND_TRUNK:
        inward, back = shoulder_turns(joints[:, 0])
        # I. A. Kapandji, "The Physiology of the Joints", volume 1: with the shoulder blade.
        assert inward.max() < 110.0
        assert back.max() < 60.0


@pytest.mark.parametrize("word", WORDS)
def test_tricks_of_both_hands_are_mirror_images_half_a_loop_apart(word):
    animation = juggled("3", word, "ball")
    times = moments(animation, 20)
    joints = animation.pose(np.concatenate([times, times + animation.duration / 2])).joints[:, 0]
    now, later = joints[: len(times)], joints[len(times) :] * (-1.0, 1.0, 1.0)
    for left, right in ((Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW), (Joint.LEFT_PALM, Joint.RIGHT_PALM)):
        assert later[:, right] == pytest.approx(now[:, left], abs=0.02)
    assert later[:, Joint.HEAD] == pytest.approx(now[:, Joint.HEAD], abs=0.005)


@pytest.mark.parametrize("word", AROUND_TRUNK)
def test_elbows_move_smoothly_behind_the_back(word):
    animation = juggled("3", word, "ball")
    assert kink(animation, moments(animation)) < 0.5


def test_a_backcross_passes_behind_the_back_and_over_the_other_shoulder():
    animation = juggled("3", "backcross", "ball")
    flights = animation.motion.flight_paths
    leaves = animation.choreography.flights.throw
    sides = np.where(animation.choreography.events.hand[leaves] == 0, 1.0, -1.0)
    assert (flights.start[:, 2] < -0.2).all()
    # When it is straight over the shoulders.
    share = -flights.launch[:, 2]
    time = (0.03 - flights.start[:, 2]) / -share
    beside = flights.start[:, 0] + time * flights.launch[:, 0]
    high = flights.start[:, 1] + time * flights.launch[:, 1] - 9.81 / 2 * time**2
    assert (sides * beside < -0.09).all()
    assert (high > 1.6).all()


def test_clubs_swing_down_past_the_hip_on_their_way_behind_the_back():
    animation = juggled("3", "backcross", "club")
    times = np.arange(0.0, 3 * animation.duration, 0.01)
    frames = animation.sample(times)
    pitch = animation.motion.places(np.zeros(len(times), dtype=int), times).aims[:, 1]
    held = frames.holders[:, 0] >= 0
    assert np.sin(pitch[held]).min() < -0.95


def test_a_pattern_without_body_throws_keeps_its_tempo():
    assert animate("3").choreography.bps > juggled("3", "backcross", "ball").choreography.bps
    assert animate("3", bps=3.0, throws="backcross").choreography.bps == 3.0
