from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from juggle_anim.animation import animate
from juggle_anim.arrays import Booleans, Floats
from juggle_anim.body import Joint
from juggle_anim.body.arms import Arm
from juggle_anim.body.arms.natural import HANGING, OF_HAND, natural, resting_direction
from juggle_anim.body.arms.solvers import AT_EASE, HandDirections
from juggle_anim.body.skeleton import FOREARM, HEAD, NECK, SHOULDER, UPPER_ARM
from juggle_anim.measure import natural_elbow

ARM = Arm(UPPER_ARM, FOREARM)
LENGTH = UPPER_ARM + FOREARM
# The direction around which elbows turn fast: behind and half-way up.
PIVOT = np.array([0.0, 0.6, -0.95]) / np.hypot(0.6, 0.95)
EVERYWHERE = np.random.default_rng(5).normal(size=(3, 200_000))
EVERYWHERE /= np.linalg.norm(EVERYWHERE, axis=0)

lengths = st.floats(0.1, 1.0)
arms = st.builds(Arm, lengths, lengths)
places = arrays.arrays(float, (3,), elements=st.floats(-1.0, 1.0)).filter(
    lambda place: np.linalg.norm(place) > 0.01
)
swivels = st.floats(-3.0, 3.0)
sides = st.sampled_from([0, 1])


@cache
def people() -> Any:
    """Arms of people as they were measured."""
    return natural_elbow.read()


@cache
def errors() -> dict[str, Floats]:
    """How far each rule misses their elbows."""
    return natural_elbow.errors_by_rule(people())


def with_hands() -> Booleans:
    """Which of them have hands."""
    return np.array([name.startswith("with hands") for name in people().names])


def test_the_number_is_what_the_script_fits() -> None:
    assert natural_elbow.fit(people()) == pytest.approx(HANGING, abs=0.001)


def test_people_are_read_as_others_count_them() -> None:
    assert np.bincount(people().person).tolist() == [
        1376,
        300,
        2290,
        1220,
        3136,
        1514,
        402,
        7971,
        4029,
    ]
    # Of those without hands, 3,296 are in the juggling box.
    assert people().in_box[~people().with_hands].sum() == 3296


@pytest.mark.parametrize(
    ("rule", "everybody", "of_those_with_hands"),
    [
        ("`chicken-wing`, 30° outward", (5.07, 5.07), (3.58, 4.29)),
        ("`two-link`, 30° outward", (5.50, 6.46), (3.22, 3.93)),
        ("`two-link-polar`, 30° outward", (4.62, 5.09), (4.45, 4.45)),
    ],
)
def test_simple_rules_miss_human_elbows_by_what_others_measured(
    rule: str, everybody: tuple, of_those_with_hands: tuple
) -> None:
    assert 100 * errors()[rule].mean(axis=0) == pytest.approx(everybody, abs=0.01)
    assert 100 * errors()[rule][with_hands()].mean(axis=0) == pytest.approx(
        of_those_with_hands, abs=0.01
    )


def test_on_people_it_has_not_seen_it_misses_by_less_than_the_simple_rules() -> None:
    unseen = errors()["natural, each person held out once"]
    everywhere, boxed = 100 * unseen.mean(axis=0)
    assert everywhere < 4.4
    assert boxed < 5.0
    everywhere, boxed = 100 * unseen[with_hands()].mean(axis=0)
    assert everywhere < 3.9
    assert boxed < 4.3
    bare, constant = ~with_hands(), errors()["`chicken-wing`, 30° outward"]
    assert (unseen[bare, 0] < 1.05 * constant[bare, 0]).all()


def test_it_does_on_people_it_has_seen_as_on_others() -> None:
    seen, unseen = (
        errors()["natural, fitted to all"],
        errors()["natural, each person held out once"],
    )
    assert np.abs(100 * (seen - unseen).mean(axis=0)).max() < 0.1


def test_the_numbers_of_the_hand_are_what_the_script_fits() -> None:
    assert natural_elbow.fit_hand(people()[people().with_hands]) == pytest.approx(
        OF_HAND, abs=0.001
    )


def test_elbows_of_people_it_has_not_seen_are_found_far_better_where_their_hands_are_known() -> (
    None
):
    seen = people()[people().with_hands]
    everywhere, boxed = 100 * natural_elbow.by_person(
        seen, natural_elbow.leave_one_out_errors_with_hand(seen)
    ).mean(axis=0)
    assert everywhere < 2.1
    assert boxed < 2.4


def test_measured_arms_of_either_side_are_posed_with_their_hands_as_the_script_judges_them() -> (
    None
):
    seen = people()[people().with_hands]
    arm, mirror = Arm(seen.upper, seen.lower), np.array([-1.0, 1.0, 1.0])
    wrist, fingers, palm = seen.wrist.T, seen.fingers.T, seen.palm.T
    left = natural(np.zeros(3), wrist, arm, 0, AT_EASE, HandDirections(fingers, palm)).elbow
    right = natural(
        np.zeros(3),
        wrist * mirror,
        arm,
        1,
        AT_EASE,
        HandDirections(fingers * mirror, palm * mirror),
    ).elbow
    judged = natural_elbow.hand_rule(OF_HAND)(seen)
    for elbow in (left, right * mirror):
        assert np.linalg.norm(elbow - seen.elbow.T, axis=-1) == pytest.approx(judged, abs=1e-6)


def test_a_palm_that_turns_down_lifts_its_elbow_and_fingers_that_point_inward_draw_it_outward() -> (
    None
):
    hand, ahead = np.array([0.0, -0.3, 0.3]), np.array([0.0, 0.0, 1.0])
    up, inward = np.array([0.0, 1.0, 0.0]), np.array([-0.6, 0.0, 0.8])
    flat, turned, aside = (
        natural(np.zeros(3), hand, ARM, 0, AT_EASE, HandDirections(*each)).elbow
        for each in ((ahead, up), (ahead, -up), (inward, up))
    )
    assert turned[1] > flat[1] + 0.03
    assert turned[0] > flat[0] + 0.03
    assert aside[0] > flat[0] + 0.03


def test_measured_arms_of_either_side_are_posed_as_the_script_judges_them() -> None:
    arm = Arm(people().upper, people().lower)
    mirror = np.array([-1.0, 1.0, 1.0])
    left = natural(np.zeros(3), people().wrist.T, arm, 0, AT_EASE).elbow
    right = natural(np.zeros(3), people().wrist.T * mirror, arm, 1, AT_EASE).elbow * mirror
    judged = natural_elbow.natural_rule(HANGING)(people())
    # Rounding tells most where arms are nearly straight.
    for elbow in (left, right):
        assert np.linalg.norm(elbow - people().elbow.T, axis=-1) == pytest.approx(judged, abs=1e-6)


def test_hardly_anybody_has_a_hand_where_elbows_turn_fast() -> None:
    from_pivot = np.degrees(np.arccos(PIVOT @ people().axis))
    assert (from_pivot < 60.0).mean() < 0.005


def direction(axis: Floats) -> Floats:
    """Unit columns from the line to the hand to the elbow."""
    elbow = natural(np.zeros(3), 0.4 * axis.T, Arm(0.3, 0.3), 0, AT_EASE).elbow.T
    across = elbow - (elbow * axis).sum(axis=0) * axis
    return across / np.linalg.norm(across, axis=0)


def turning_rates() -> Floats:
    """How far elbows' directions turn when hands' turn a little, in any way, over how far those
    do.
    """
    way = np.random.default_rng(6).normal(size=EVERYWHERE.shape)
    way -= (way * EVERYWHERE).sum(axis=0) * EVERYWHERE
    way /= np.linalg.norm(way, axis=0)
    step = 1e-5
    turned = direction(EVERYWHERE * np.cos(step) + way * np.sin(step)) - direction(EVERYWHERE)
    return np.linalg.norm(turned, axis=0) / step


def test_away_from_there_elbows_turn_little_faster_than_hands() -> None:
    rates = turning_rates()
    from_pivot = np.degrees(np.arccos(PIVOT @ EVERYWHERE))
    assert rates[EVERYWHERE[2] > 0.2].max() < 2.5
    assert rates[from_pivot > 70].max() < 3.0
    assert rates[from_pivot > 30].max() < 5.4


def elbow_at(out: float, up: float, ahead: float) -> tuple[float, float, float]:
    """Where a left elbow is for a wrist there, in arm lengths from the shoulder, [m]."""
    elbow = natural(np.zeros(3), np.array([out, up, ahead]) * LENGTH, ARM, 0, AT_EASE).elbow
    return float(elbow[0]), float(elbow[1]), float(elbow[2])


def test_a_juggler_has_elbows_down_and_a_little_out() -> None:
    for out in (-0.2, -0.1, 0.0, 0.1):
        elbow = elbow_at(out, -0.35, 0.45)
        assert 0.02 < elbow[0] < 0.15
        assert elbow[1] < -0.24
        assert -0.08 < elbow[2] < 0.15


def test_a_hanging_arm_bends_backward() -> None:
    out, up, ahead = elbow_at(0.03, -0.95, 0.03)
    assert abs(out) < 0.06
    assert ahead < -0.04
    assert up < -0.28


def test_behind_the_back_the_elbow_is_outside_and_behind() -> None:
    for wrist in ((-0.3, -0.45, -0.3), (-0.35, -0.7, -0.2)):
        out, up, ahead = elbow_at(*wrist)
        assert out > 0.0
        assert ahead < -0.15
        assert up < -0.15


def test_at_the_head_and_over_it_the_elbow_is_up_and_not_in_the_head() -> None:
    head = (-SHOULDER, NECK + HEAD, 0.0)
    for wrist in ((-0.3, 0.42, -0.2), (-0.25, 0.3, 0.1), (-0.15, 0.9, 0.05), (-0.1, 0.7, 0.3)):
        elbow = elbow_at(*wrist)
        assert elbow[1] > 0.1
        assert np.linalg.norm(np.subtract(elbow, head)) > 0.14


def test_a_hand_at_the_other_shoulder_has_its_elbow_before_the_chest() -> None:
    out, up, ahead = elbow_at(-0.6, 0.05, 0.25)
    assert ahead > 0.2
    assert up < 0.0
    assert out < 0.0


def test_under_a_leg_the_elbow_stays_outside() -> None:
    out, up, _ = elbow_at(-0.2, -0.8, 0.4)
    assert out > -0.05
    assert up < -0.25


@pytest.mark.parametrize("text", ["3", "5", "7", "531", "b97531", "744", "mills-mess", "(6x,4)*"])
def test_elbows_of_jugglers_hardly_outrun_their_hands(text: str) -> None:
    animation = animate(text)
    joints = animation.pose(np.arange(0.0, animation.duration, 1 / 240)).joints[:, 0]
    shoulders = joints[:, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]]
    wrists = joints[:, [Joint.LEFT_WRIST, Joint.RIGHT_WRIST]]
    elbows = natural(shoulders, wrists, ARM, np.array([0, 1]), AT_EASE).elbow
    elbow, hand = (
        240 * np.linalg.norm(np.diff(path, axis=0), axis=-1) for path in (elbows, wrists)
    )
    assert (elbow - 1.5 * hand).max() < 1.0


@given(places, arms, sides, swivels)
def test_more_swivel_turns_the_elbow_outward_by_as_much(
    hand: Floats, arm: Arm, side: int, swivel: float
) -> None:
    at_ease, lifted = (
        natural(np.zeros(3), hand, arm, side, turn) for turn in (AT_EASE, AT_EASE + swivel)
    )
    axis = hand / np.linalg.norm(hand)
    across = at_ease.elbow - (at_ease.elbow @ axis) * axis
    outward = np.cross(axis, across) * (1 - 2 * side)
    expected = at_ease.elbow - across + across * np.cos(swivel) + outward * np.sin(swivel)
    assert lifted.elbow == pytest.approx(expected, abs=1e-9)


@given(places, lengths, lengths, sides, swivels, st.floats(0.01, 100.0))
def test_a_larger_person_has_the_same_posture(
    hand: Floats, upper: float, lower: float, side: int, swivel: float, scale: float
) -> None:
    # Where an arm is nearly straight or folded, rounding the larger lengths already moves its elbow
    # by more.
    assume(abs(upper - lower) + 1e-3 < np.linalg.norm(hand) < upper + lower - 1e-3)
    one = natural(np.zeros(3), hand, Arm(upper, lower), side, swivel)
    other = natural(np.zeros(3), hand * scale, Arm(upper * scale, lower * scale), side, swivel)
    assert other.elbow / scale == pytest.approx(one.elbow, abs=1e-9)
    assert other.rotations == pytest.approx(one.rotations, abs=1e-9)


@given(places, arms, sides)
def test_elbows_rest_at_right_angles_to_their_axis(hand: Floats, arm: Arm, side: int) -> None:
    axis = hand / np.linalg.norm(hand)
    assume(np.linalg.norm(axis - PIVOT) > 1e-6)
    rest = resting_direction(axis[:, None])[:, 0]
    assert rest @ axis == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(rest) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    "hand",
    [
        (0, 0, 0),
        (0, 1e-300, 0),
        (0, 0.05, 0),
        tuple(0.4 * PIVOT),
        (0, 0, -5),
        (1e150, 0, 0),
        (0, -LENGTH, 0),
    ],
)
def test_every_hand_has_an_elbow(hand: tuple) -> None:
    pose = natural(np.zeros(3), np.array(hand, dtype=float), ARM, 1, 0.3)
    assert np.linalg.norm(pose.elbow) == pytest.approx(UPPER_ARM, abs=1e-9)
    assert np.linalg.norm(pose.wrist - pose.elbow) == pytest.approx(FOREARM, abs=1e-9)
    assert np.isfinite(pose.rotations).all()


def test_many_arms_of_mixed_shapes_are_posed_as_each_alone() -> None:
    random = np.random.default_rng(7)
    shoulders, hands = random.normal(size=(4, 1, 2, 3)) * 0.1, random.normal(size=(3, 2, 3)) * 0.4
    swivels = random.normal(size=(3, 1))
    pose = natural(shoulders, hands, ARM, np.array([0, 1]), swivels)
    assert pose.elbow.shape == (4, 3, 2, 3)
    for index in np.ndindex(4, 3, 2):
        time, juggler, side = index
        alone = natural(
            shoulders[time, 0, side], hands[juggler, side], ARM, side, float(swivels[juggler, 0])
        )
        assert np.array_equal(alone.elbow, pose.elbow[index])
        assert np.array_equal(alone.rotations, pose.rotations[index])
