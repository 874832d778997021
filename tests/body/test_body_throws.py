"""Throws and catches around the body: hands get there, props pass, limbs stay clear, within
people's joints.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from life import without_life
from long_cases import sampled

from juggle_anim import Animation, animate
from juggle_anim.analysis.collisions import PARTS, BodyPairs
from juggle_anim.body import Joint, Pose
from juggle_anim.body.arm import WRIST_LIMITS
from juggle_anim.body.skeleton import ANKLE_HEIGHT
from juggle_anim.body.trunk_and_legs import support_margin
from juggle_anim.choreography.score import CATCH, THROW
from juggle_anim.measure.body_throws import (
    arm_gap,
    bends_beyond,
    floor_gap,
    passing_gap,
    shoulder_turns,
    under_thigh,
)
from juggle_anim.measure.limbs import arm_depth_in_other_arm, arm_depth_in_trunk, elbow_kink
from juggle_anim.measure.realism import wrist_angles
from juggle_anim.motion.palms import TURN

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

BOTH_HANDS = AROUND_TRUNK | BEFORE_IT

ONE_HAND = {
    f"{word},-": {"throws": f"{word},-"}
    for word in ("backcross", "shoulder", "lazy", "chop", "underarm", "overhead")
}

EVERY_THIRD = {
    f"{word},-,-": {"throws": f"{word},-,-"}
    for word in ("backcross", "shoulder", "lazy", "underarm", "chop", "overhead")
}

ON_NECK = {word: {"catches": word} for word in ("neck", "neck|palm", "palm,neck")}

WORDS = BOTH_HANDS | ONE_HAND | EVERY_THIRD | ON_NECK | {"palm|behind": {"catches": "palm|behind"}}

# Behind the back, over the shoulder to the neck, beside the trunk and above the head, by both hands
# and by one; every word, prop and number of props is `long`.
SHORT = [("3", word, "ball") for word in ("backcross,-", "neck|palm", "behind", "overhead")]
SHORT += [("3", "backcross", "club")]
ALL = [("3", word, "ball") for word in WORDS if word not in EVERY_THIRD]
ALL += [
    (text, word, "ball") for text in ("5", "423", "441", "531") for word in ("neck", "palm,neck")
]
ALL += [("3", word, prop) for word in ON_NECK for prop in ("ball", "club", "ring")] + [
    ("5", "neck|palm", "ball")
]
ALL += [
    (text, word, prop)
    for word in WORDS
    if word not in ON_NECK
    for text, prop in (("3", "club"), ("5", "ball"))
]
ALL += [("3", word, "ball") for word in EVERY_THIRD] + [
    ("3", word, "ring") for word in ("backcross", "shoulder", "lazy", "underarm", "underarm,-")
]
ALL += [(text, "underarm", "ball") for text in ("423", "441")] + [
    (text, f"{word},-,-", "ball")
    for text, words in (
        ("531", ("backcross", "shoulder", "lazy", "chop")),
        ("441", ("backcross", "shoulder", "lazy", "chop")),
    )
    for word in words
]
# The club of a 2 is held for long before it goes around.
ALL += [("423", f"{word},-,-", "club") for word in ("backcross", "lazy")]

CASES = [
    *SHORT,
    *(
        pytest.param(*each, marks=pytest.mark.long)
        for each in dict.fromkeys(ALL)
        if each not in SHORT
    ),
]


@cache
def juggled(text: str, word: str, prop: str) -> Animation:
    return animate(text, prop=prop, **WORDS[word])


class Case(NamedTuple):
    """Somebody who juggles, who is posed once for all that is asked of the poses."""

    text: str
    word: str
    prop: str
    animation: Animation
    times: np.ndarray
    solved: Pose

    @classmethod
    def of(cls, text: str, word: str, prop: str, animation: Animation) -> "Case":
        times = moments(animation)
        return cls(text, word, prop, animation, times, animation.pose(times))


def whole(cases: list) -> list:
    """Cases each of which is one value, with their marks, as a fixture takes them."""
    return [
        pytest.param(each.values, marks=each.marks, id="-".join(each.values))
        for each in (case if hasattr(case, "marks") else pytest.param(*case) for case in cases)
    ]


# Parametrised by the fixture, all tests of one case come one after the other.
@pytest.fixture(scope="module", params=whole(CASES))
def case(request):
    return Case.of(*request.param, juggled(*request.param))


def moments(animation: Animation, rate: int = 100):
    count = round(animation.duration * rate / 2) * 2
    return np.arange(count) * (animation.duration / count)


def test_hands_are_where_they_throw_and_catch(case):
    animation = case.animation
    events = animation.choreography.events
    around = np.flatnonzero(
        (events.body_throw > 0) & ((events.kind == THROW) | (events.kind == CATCH))
    )
    assert around.size
    gaps = animation.pose(events.time[around]).gaps[:, 0]
    assert gaps[np.arange(len(around)), events.hand[around]].max() < 0.015
    assert case.solved.gaps.max() < 0.015


def test_props_pass_bodies_without_a_touch(case):
    # At the tempo of a single throw around the body, hands follow their usual throws for longer.
    follows = 0.02 if "," in case.word else 0.0
    assert passing_gap(case.animation, case.times, follows=follows) > 0.010


def test_arms_stay_clear_of_trunk_head_legs_and_each_other(case):
    joints = case.solved.joints
    assert arm_depth_in_trunk(joints[:, 0]) < 0.003
    assert arm_depth_in_other_arm(joints[:, 0]) < 0.003
    assert arm_gap(joints) > -0.003


ACROSS = [
    ("531", "throws", "backcross"),
    ("531", "throws", "lazy"),
    ("441", "throws", "shoulder"),
    ("441", "throws", "backcross"),
    ("441", "throws", "lazy"),
    ("531", "catches", "behind"),
]


@pytest.mark.parametrize(
    ("text", "key", "word"), sampled(ACROSS, ("441", "throws", "backcross"), arguments=3)
)
def test_arms_and_props_stay_clear_where_a_1_goes_across_between_throws_behind_the_back(
    text, key, word
):
    animation = animate(text, **{key: word})
    joints = animation.pose(moments(animation)).joints
    assert arm_depth_in_trunk(joints[:, 0]) < 0.003
    assert arm_depth_in_other_arm(joints[:, 0]) < 0.003
    assert arm_gap(joints) > -0.003
    assert passing_gap(animation, moments(animation), follows=0.02) > 0.010


def test_forearms_wrists_and_shoulders_stay_within_their_limits(case):
    joints = case.solved.joints
    assert wrists_within_limits(joints) > 0.94
    if case.word.split(",")[0] in AROUND_TRUNK:
        inward, back = shoulder_turns(joints[:, 0])
        # I. A. Kapandji, "The Physiology of the Joints", volume 1: with the shoulder blade.
        assert inward.max() < 110.0
        assert back.max() < 63.0


def wrists_within_limits(joints: np.ndarray) -> float:
    """The share of the moments in which a forearm and its wrist are within their limits."""
    low, high = np.degrees(WRIST_LIMITS.T)
    angles = wrist_angles(joints)
    return float(((angles >= low) & (angles <= high)).all(axis=-1).mean())


@pytest.mark.long
def test_every_throw_of_a_531_comes_over_the_shoulder_past_arms_and_head():
    animation = animate("531", throws="shoulder")
    solved = animation.pose(moments(animation))
    assert arm_gap(solved.joints) > -0.003
    assert arm_depth_in_other_arm(solved.joints[:, 0]) < 0.003
    assert passing_gap(animation, moments(animation), without="hand") > 0.010
    assert wrists_within_limits(solved.joints) > 0.94


CLAWS = {
    "caught": {"catches": "claw"},
    "thrown": {"throws": "claw"},
    "by one hand": {"catches": "palm|claw"},
    "caught in turn": {"catches": "claw,palm"},
    "thrown in turn": {"throws": "claw,-"},
}

CLAWED = [("3", word, "ball") for word in CLAWS]
CLAWED += [
    (text, word, prop)
    for text, prop, words in (
        ("3", "ring", ("caught", "thrown", "caught in turn")),
        ("3", "club", ("caught", "caught in turn")),
        ("5", "ball", ("caught", "caught in turn")),
        *((text, "ball", ("caught",)) for text in ("531", "441", "423")),
    )
    for word in words
]


@pytest.mark.parametrize(
    ("text", "word", "prop"),
    sampled(CLAWED, ("3", "caught", "ball"), ("3", "thrown in turn", "ball"), arguments=3),
)
def test_what_a_hand_claws_passes_beside_it_and_the_arm_is_as_peoples_are(text, word, prop):
    animation = animate(text, prop=prop, **CLAWS[word])
    times = moments(animation)
    solved = animation.pose(times)
    assert solved.gaps.max() < 0.015
    assert passing_gap(animation, times) > 0.010
    assert arm_depth_in_trunk(solved.joints[:, 0]) < 0.003
    assert arm_depth_in_other_arm(solved.joints[:, 0]) < 0.003
    assert arm_gap(solved.joints) > -0.003
    assert wrists_within_limits(solved.joints) > 0.98
    assert elbow_kink(animation, times) < 0.5


ALTERNATING = [("3", word, "ball") for word in (*BOTH_HANDS, "neck")] + [("5", "lazy", "ball")]


@pytest.mark.parametrize(
    ("text", "word", "prop"),
    sampled(ALTERNATING, ("3", "behind", "ball"), ("3", "overhead", "ball"), arguments=3),
)
def test_tricks_of_both_hands_are_mirror_images_half_a_loop_apart(text, word, prop):
    animation = juggled(text, word, prop)
    times = moments(animation, 20)
    joints = animation.pose(np.concatenate([times, times + animation.duration / 2])).joints[:, 0]
    now, later = joints[: len(times)], joints[len(times) :] * (-1.0, 1.0, 1.0)
    for left, right in ((Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW), (Joint.LEFT_PALM, Joint.RIGHT_PALM)):
        assert later[:, right] == pytest.approx(now[:, left], abs=0.02)
    assert later[:, Joint.HEAD] == pytest.approx(now[:, Joint.HEAD], abs=0.005)


@pytest.mark.parametrize("word", sampled([*AROUND_TRUNK, *ON_NECK], "behind", "neck|palm"))
def test_elbows_move_smoothly_behind_back_and_neck(word):
    animation = juggled("3", word, "ball")
    assert elbow_kink(animation, moments(animation)) < 0.6


@pytest.mark.parametrize("word", sampled(ON_NECK, "neck|palm"))
def test_a_ball_rests_near_the_nape_and_the_palm_stays_turned_to_it(word):
    animation = juggled("3", word, "ball")
    events = animation.choreography.events
    of_body = np.flatnonzero([part in ("head", "trunk") for part in PARTS])
    caught = np.flatnonzero(events.body_throw)
    for row, hand in zip(caught, events.hand[caught], strict=True):
        # Once it has given way a little to the catch.
        times = events.time[row] + np.linspace(0.08, 0.22, 8)
        joints = animation.pose(times).joints[:, 0]
        (ball,) = np.flatnonzero((animation.sample(times).holders == hand).all(axis=0))
        place = animation.sample(times).props[:, ball]
        pair, moment = (
            np.tile(ball * len(PARTS) + of_body, len(times)),
            np.repeat(times, len(of_body)),
        )
        assert (
            BodyPairs(animation).gap(pair, moment).reshape(len(times), -1).min(axis=1).max() < 0.105
        )
        assert (np.abs(place - joints[:, Joint.HEAD])[:, :2] < 0.16).all()
        # Behind the head, between it and the palm.
        assert (place[:, 2] < joints[:, Joint.HEAD, 2] - 0.12).all()
        assert (joints[:, Joint.LEFT_PALM + hand, 2] < place[:, 2] - 0.01).all()
        assert (
            np.degrees(np.ptp(animation.motion.palms.at(times)[:, hand, TURN], axis=0)).max() < 1.0
        )


@pytest.mark.parametrize("prop", sampled(["club", "ring"], "club"))
def test_what_hangs_down_the_back_from_the_neck_comes_up_and_over_the_shoulder(prop):
    animation = juggled("3", "neck|palm", prop)
    events, flights = animation.choreography.events, animation.choreography.flights
    (row,) = np.flatnonzero(events.body_throw)
    carry = flights.carry[np.flatnonzero(flights.catch == row)[0]]
    times = events.time[row] + np.linspace(0.0, carry, 100)[1:-1]
    (held,) = np.flatnonzero((animation.sample(times).holders == 0).all(axis=0))
    yaw, pitch = animation.motion.places(np.full(len(times), held), times).aims.T
    up, ahead = np.sin(pitch), np.cos(pitch) * np.cos(yaw)
    assert up[0] < -0.5
    assert up.max() > 0.9
    # While it is not above the hand, it is behind it, and later before it.
    highest = up.argmax()
    assert (ahead[: highest // 2] < 0.0).all()
    assert ahead[-1] > 0.5


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


LEG_WORDS = ("underleg", "underleg-inside", "underleg-other")
WITH_BALLS = sampled(
    [(text, word, "ball") for text in ("3", "5") for word in LEG_WORDS],
    ("3", "underleg-other", "ball"),
    arguments=3,
)
UNDER_LEGS = [
    *WITH_BALLS,
    ("3", "underleg", "club, every throw"),
    *(pytest.param("3", word, "club", marks=pytest.mark.long) for word in LEG_WORDS),
    # The club of `underleg-other` sweeps through the shin on its way.
    *(
        pytest.param("3", word, f"{prop}, every throw", marks=pytest.mark.long)
        for word, prop in (
            ("underleg", "ball"),
            ("underleg-inside", "ball"),
            ("underleg-inside", "club"),
            ("underleg-other", "ball"),
        )
    ),
]


@cache
def under_a_leg(text: str, word: str, prop: str = "ball") -> Animation:
    prop, _, every = prop.partition(",")
    return animate(text, throws=word if every else f"{word},-,-,-,-", prop=prop)


@pytest.fixture(scope="module", params=whole(UNDER_LEGS))
def legged(request):
    return Case.of(*request.param, under_a_leg(*request.param))


@pytest.mark.parametrize(("text", "word", "prop"), WITH_BALLS)
def test_a_leg_is_lifted_once_the_weight_is_over_the_other_foot(text, word, prop):
    animation = without_life(under_a_leg(text, word, prop))
    joints = animation.pose(moments(animation)).joints
    assert support_margin(joints).min() > 0.02
    ankles = joints[:, 0, [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE]]
    up = ankles[..., 1] - ANKLE_HEIGHT
    high = {"underleg": 0.58, "underleg-inside": 0.62, "underleg-other": 0.59}[word]
    assert up.max(axis=0) == pytest.approx([high, high], abs=0.045)
    for side in (0, 1):
        stands = ankles[up[:, side] < 1e-4, side]
        assert len(stands) > 0.3 * len(ankles)
        assert np.ptp(stands[:, [0, 2]], axis=0).max() < 1e-3
    knees = joints[:, 0, [Joint.LEFT_KNEE, Joint.RIGHT_KNEE]]
    rate = len(knees) / animation.duration
    assert np.linalg.norm(np.diff(knees, axis=0), axis=-1).max() * rate < 4.0
    assert np.linalg.norm(np.diff(knees, n=2, axis=0), axis=-1).max() * rate**2 < 60.0


def test_legs_and_trunk_bend_no_farther_than_peoples_do(legged):
    joints = legged.solved.joints[:, 0]
    assert bends_beyond(joints, max_trunk_bend=60.0) < 0.0
    beside = joints[:, Joint.LEFT_SHOULDER] - joints[:, Joint.RIGHT_SHOULDER]
    assert np.degrees(np.abs(np.arctan2(beside[:, 2], beside[:, 0]))).max() < 45.0


def test_a_hand_reaches_under_the_thigh_and_touches_nothing_on_the_way(legged):
    solved = legged.solved
    assert solved.gaps.max() < 0.015
    assert arm_gap(solved.joints) > -0.012
    assert passing_gap(legged.animation, legged.times, without="hand") > 0.008
    assert wrists_within_limits(solved.joints) > 0.94


OFTEN = [("3", "underleg", "club", "-")]
OFTEN += [
    pytest.param(*case, marks=pytest.mark.long)
    for case in [
        *(
            ("3", word, prop, rest)
            for word in LEG_WORDS
            for prop in ("ball", "club")
            for rest in ("-", "-,-")
        ),
        ("3", "underleg-inside", "ring", "-,-"),
        ("5", "underleg-inside", "ball", "-,-"),
    ]
    if case not in OFTEN
]


@pytest.mark.parametrize(("text", "word", "prop", "rest"), OFTEN)
def test_arms_and_props_clear_legs_however_often_a_throw_goes_under_one(text, word, prop, rest):
    animation = animate(text, throws=f"{word},{rest}", prop=prop)
    solved = animation.pose(moments(animation))
    assert solved.gaps.max() < 0.015
    assert arm_gap(solved.joints) > -0.003
    assert passing_gap(animation, moments(animation), without="hand") > 0.001
    assert support_margin(solved.joints).min() > 0.02


# One way between legs; the ways themselves are tried in a 3.
RHYTHMS = [("441", "trebla", "-,-")]
RHYTHMS += [
    pytest.param(*case, marks=pytest.mark.long)
    for case in [
        *((text, word, "-,-") for word in (*LEG_WORDS, "albert") for text in ("531", "423", "441")),
        ("5", "trebla", "-,-,-,-"),
        ("5", "underleg", "-"),
        ("441", "underleg", "-"),
        ("531", "underleg", "-"),
    ]
    # docs/tricks.md says what is not right there yet for treblas.
    if case not in RHYTHMS
]
RHYTHMS += [
    pytest.param(text, word, rest, marks=pytest.mark.long)
    for word, rest, several in (
        ("underleg", "-,-,-,-", ("531", "423", "441", "5")),
        ("underleg-inside", "-", ("531", "423", "441", "5")),
        ("underleg-inside", "-,-,-,-", ("531", "423", "441", "5")),
        ("underleg-other", "-", ("531", "441", "5")),
        ("underleg-other", "-,-,-,-", ("531", "441", "5")),
        ("albert", "-,-,-,-", ("5", "531", "423", "441")),
        ("trebla", "-", ("5", "531")),
        ("trebla", "-,-,-,-", ("531",)),
    )
    for text in several
]


@pytest.mark.parametrize(("text", "word", "rest"), RHYTHMS)
def test_single_throws_under_and_between_legs_clear_all_in_other_rhythms(text, word, rest):
    animation = animate(text, throws=f"{word},{rest}")
    solved = animation.pose(moments(animation))
    assert solved.gaps.max() < 0.015
    # Between legs from behind there is least room.
    behind = word == "trebla"
    assert arm_gap(solved.joints) > (-0.009 if behind else -0.003)
    assert arm_depth_in_other_arm(solved.joints[:, 0]) < 0.003
    least_gap = -0.015 if behind else 0.007
    assert passing_gap(animation, moments(animation), without="hand") > least_gap
    assert support_margin(solved.joints).min() > 0.02


def test_a_prop_is_thrown_from_below_the_thigh_on_its_far_side(legged):
    animation, word = legged.animation, legged.word
    events = animation.choreography.events
    thrown = np.flatnonzero(events.body_throw)
    joints = animation.pose(events.time[thrown]).joints[:, 0]
    for row, pose in zip(thrown, joints, strict=True):
        hand = events.hand[row]
        leg = 1 - hand if word == "underleg-other" else hand
        share, away = under_thigh(pose, events.position[row], leg)
        assert 0.4 < share < 1.0
        assert away[1] < -0.09
        # From outside it comes up inside the thigh, and from inside it comes up outside.
        inward = away[0] * (1.0 if leg else -1.0)
        assert (inward if word == "underleg" else -inward) > 0.04


@pytest.mark.parametrize("word", sampled(LEG_WORDS, "underleg-other"))
def test_throws_under_both_legs_are_mirror_images_half_a_loop_apart(word):
    animation = under_a_leg("3", word)
    times = moments(animation, 10)
    joints = animation.pose(np.concatenate([times, times + animation.duration / 2])).joints[:, 0]
    now, later = joints[: len(times)], joints[len(times) :] * (-1.0, 1.0, 1.0)
    for left, right in ((Joint.LEFT_PALM, Joint.RIGHT_PALM), (Joint.LEFT_KNEE, Joint.RIGHT_KNEE)):
        assert later[:, right] == pytest.approx(now[:, left], abs=0.005)
    assert later[:, Joint.CHEST] == pytest.approx(now[:, Joint.CHEST], abs=0.005)


def test_throws_under_both_legs_in_turn_leave_time_to_change_feet():
    animation = animate("3", throws="underleg")
    assert animation.choreography.bps == pytest.approx(1 / 0.75)
    assert support_margin(animation.pose(moments(animation)).joints).min() > 0.02
    assert animate("3", throws="underleg,underleg-other").choreography.bps > 2.0


BETWEEN_LEGS = [("albert", "-"), ("trebla", "-")]
BETWEEN_LEGS += [
    pytest.param(*case, marks=pytest.mark.long)
    for case in [(word, rest) for word in ("albert", "trebla") for rest in ("", "-,-", "-,-,-,-")]
    if case not in BETWEEN_LEGS
]


@cache
def between_the_legs(word: str, rest: str, prop: str = "ball") -> Animation:
    return animate("3", throws=f"{word},{rest}" if rest else word, prop=prop)


@pytest.fixture(scope="module", params=whole(BETWEEN_LEGS))
def between(request):
    word, _rest = request.param
    return Case.of("3", word, "ball", between_the_legs(*request.param))


def test_both_feet_stand_wide_and_hold_the_balance_for_a_throw_between_the_legs(between):
    joints = between.solved.joints
    assert support_margin(joints).min() > 0.02
    ankles = joints[:, 0, [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE]]
    assert np.ptp(ankles, axis=0).max() < 0.0005
    assert (ankles[:, 0, 0] - ankles[:, 1, 0]).min() > 0.7


def test_a_hand_reaches_between_the_legs_and_touches_nothing_on_the_way(between):
    solved = between.solved
    assert solved.gaps.max() < 0.015
    assert arm_gap(solved.joints) > -0.009
    assert arm_depth_in_other_arm(solved.joints[:, 0]) < 0.003
    assert passing_gap(between.animation, between.times) > -0.006
    assert wrists_within_limits(solved.joints) > 0.94


def test_hands_go_between_the_legs_and_back_no_faster_than_people_can_move_them(between):
    velocity = between.animation.motion.sample_hands(between.times, 1)
    assert np.linalg.norm(velocity, axis=-1).max() < 10.0


@pytest.mark.parametrize(
    "rest", ["-", *(pytest.param(each, marks=pytest.mark.long) for each in ("", "-,-", "-,-,-,-"))]
)
@pytest.mark.parametrize("word", sampled(["albert", "trebla"], "trebla"))
def test_clubs_thrown_between_the_legs_clear_the_body_that_they_pass(word, rest):
    animation = between_the_legs(word, rest, "club")
    times = moments(animation)
    solved = animation.pose(times)
    assert solved.gaps.max() < 0.019
    assert arm_gap(solved.joints) > -0.022
    assert support_margin(solved.joints).min() > 0.02
    assert passing_gap(animation, times, without="hand") > 0.0
    assert floor_gap(animation, times) > 0.005
    assert wrists_within_limits(solved.joints) > 0.94


def test_a_forearm_passes_below_the_pelvis_and_between_the_knees(between):
    animation = between.animation
    events = animation.choreography.events
    thrown = np.flatnonzero(events.body_throw)
    ahead = 1.0 if between.word == "albert" else -1.0
    for row, pose in zip(thrown, animation.pose(events.time[thrown]).joints[:, 0], strict=True):
        elbow = pose[Joint.LEFT_ELBOW + events.hand[row]] - pose[Joint.PELVIS]
        prop = events.position[row] - pose[Joint.PELVIS]
        # An albert comes from the front, and its prop leaves behind the pelvis; a trebla is the
        # other way round.
        assert ahead * elbow[2] > 0.02
        assert ahead * prop[2] < -0.02
        through = elbow + elbow[2] / (elbow[2] - prop[2]) * (prop - elbow)
        assert through[1] < -0.1
        knees = pose[[Joint.LEFT_KNEE, Joint.RIGHT_KNEE], 0] - pose[Joint.PELVIS, 0]
        assert knees[1] + 0.06 < through[0] < knees[0] - 0.06


def test_legs_bend_no_farther_than_peoples_do_for_a_throw_between_them(between):
    joints = between.solved.joints[:, 0]
    # Hips and spine together bend farther than one of them.
    assert bends_beyond(joints, max_trunk_bend=105.0) < 0.5


def test_an_albert_comes_over_the_back_to_the_front():
    animation = between_the_legs("albert", "-")
    flights, events = animation.motion.flight_paths, animation.choreography.events
    thrown = np.flatnonzero(events.body_throw[animation.choreography.flights.throw])
    assert (flights.start[thrown, 2] < -0.3).all()
    assert (flights.launch[thrown, 2] > 0.0).all()


@pytest.mark.parametrize(
    ("text", "word", "most"),
    [
        ("3", "albert,-", 7.0),
        ("441", "trebla,-,-", 10.0),
        pytest.param("5", "penguin", 6.0, marks=pytest.mark.long),
        pytest.param("531", "underleg-other,-,-", 7.0, marks=pytest.mark.long),
        pytest.param("3", "underleg", 9.0, marks=pytest.mark.long),
        pytest.param("5", "backcross", 6.0, marks=pytest.mark.long),
        pytest.param("423", "shoulder,-,-", 6.0, marks=pytest.mark.long),
    ],
)
def test_a_pelvis_moves_as_slowly_as_a_body_does(text: str, word: str, most: float) -> None:
    animation = animate(text, throws=word)
    rate = 480
    times = np.arange(0.0, animation.duration, 1 / rate)
    pelvis = animation.pose(times).joints[:, 0, Joint.PELVIS]
    accelerations = np.linalg.norm(np.diff(pelvis, 2, axis=0), axis=-1) * rate**2
    assert accelerations.max() < most
