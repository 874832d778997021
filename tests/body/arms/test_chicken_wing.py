import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.body import get_elbow_position
from juggle_anim.body.arms import Arm
from juggle_anim.body.arms.closed_form import PRINTED_FULLY, chicken_wing
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM

BONES = [(0.45, 0.45), (UPPER_ARM, FOREARM)]


swivels = st.floats(-np.pi / 4, 2 * np.pi / 3)


def elbows_for(hands: Floats, swivel: float, upper: float = 0.45, lower: float = 0.45) -> Floats:
    """Elbows, shape (N, 2, 3), of a left and a right arm whose shoulders are both at the origin."""
    away = np.repeat(np.asarray(hands, dtype=float)[:, None], 2, axis=1)
    return chicken_wing(
        np.zeros_like(away), away, Arm(upper, lower), np.array([0, 1]), swivel
    ).elbow


def largest_step(hands: Floats, swivel: float, upper: float, lower: float) -> float:
    return float(
        np.linalg.norm(np.diff(elbows_for(hands, swivel, upper, lower), axis=0), axis=-1).max()
    )


def test_elbow_moves_smoothly_when_the_hand_passes_under_the_shoulder() -> None:
    # 0.40 m below, past at 1 m/s, 60 samples a second; the printed form jumps by 20 to 28 cm.
    misses, swivels, starts = (
        np.linspace(-0.05, 0.05, 11),
        (-30, 0, 30, 60, 90),
        np.linspace(0, 1 / 60, 6),
    )
    for miss, degrees, (upper, lower), start in product(misses, swivels, BONES, starts):
        passing = np.arange(-0.36, 0.36, 1 / 60) + start
        below, beside = np.full_like(passing, -0.40), np.full_like(passing, miss)
        from_the_front = np.stack([beside, below, passing], axis=-1)
        from_the_side = np.stack([passing, below, beside], axis=-1)
        for path in (from_the_front, from_the_side):
            step = largest_step(path, np.radians(degrees), upper, lower)
            assert step <= 0.03, (miss, degrees, upper, lower)


def printed(hands: Floats, swivel: float, side: int) -> Floats:
    """The printed form in its own axes, in which the juggler faces −z with the right hand at +x."""
    turned = np.asarray(hands) * (-1.0, 1.0, -1.0)
    return get_elbow_position(np.zeros(3), turned, 0.45, swivel, side) * (-1.0, 1.0, -1.0)


def test_the_printed_form_does_jump_there() -> None:
    passing = np.arange(-0.36, 0.36, 1 / 60)
    hands = np.stack([np.full_like(passing, 0.001), np.full_like(passing, -0.40), passing], axis=-1)
    assert np.linalg.norm(np.diff(printed(hands, 0.0, 0), axis=0), axis=-1).max() > 0.2


@given(st.floats(-1.3, 1.3), st.floats(-1.2, 1.2), st.floats(0.1, 0.85), swivels)
def test_hands_in_front_follow_the_printed_rule(
    azimuth: float, elevation: float, distance: float, swivel: float
) -> None:
    direction = (
        np.sin(azimuth) * np.cos(elevation),
        np.sin(elevation),
        np.cos(azimuth) * np.cos(elevation),
    )
    if direction[2] < 0.5:
        return
    hand = distance * np.array(direction)
    left, right = elbows_for(hand[None], swivel)[0]
    assert left == pytest.approx(printed(hand, swivel, 0), abs=1e-9)
    assert right == pytest.approx(printed(hand, swivel, 1), abs=1e-9)


def test_measured_cases_in_front_agree() -> None:
    cases = json.loads((DATA / "elbow_cases.json").read_text())["cases"]
    shoulder, hand, elbow = (
        np.array([case[name] for case in cases]) * (-1.0, 1.0, -1.0) for name in "SHE"
    )
    bone, swivel, side = (
        np.array([case[name] for case in cases]) for name in ("l", "omega", "hand")
    )
    away = hand - shoulder
    distance = np.linalg.norm(away, axis=-1)
    ahead = (away[:, 2] >= PRINTED_FULLY * distance) & (distance <= 2 * bone)
    assert ahead.sum() >= 20
    posed = chicken_wing(shoulder, hand, Arm(bone, bone), side, swivel)
    assert posed.elbow[ahead] == pytest.approx(elbow[ahead], abs=1e-12)


unit_vectors = (
    st.tuples(*[st.floats(-1, 1)] * 3).map(np.array).filter(lambda v: np.linalg.norm(v) > 0.1)
)


near_the_vertical = st.builds(
    lambda x, z, up: np.array((x, up * 0.4, z)),
    st.floats(-0.05, 0.05),
    st.floats(-0.05, 0.05),
    st.sampled_from([-1, 1]),
)


@given(
    st.one_of(unit_vectors, near_the_vertical), st.one_of(unit_vectors, near_the_vertical), swivels
)
def test_elbow_never_jumps_wherever_the_hand_goes(
    start: Floats, end: Floats, swivel: float
) -> None:
    share = np.linspace(0, 1, 400)[:, None]
    hands = start / np.linalg.norm(start) * (1 - share) + end / np.linalg.norm(end) * share
    length = np.linalg.norm(hands, axis=-1)
    behind = hands[:, 2] / np.maximum(length, 1e-9) < -0.8
    # Through the shoulder itself, and around the one direction far behind, an elbow has to turn
    # fast.
    if length.min() < 0.1 or behind.any():
        return
    hands *= (0.3 + 0.3 * share) / length[:, None]
    elbows = elbows_for(hands, swivel)
    moved = np.linalg.norm(np.diff(hands, axis=0), axis=-1).max()
    assert np.linalg.norm(np.diff(elbows, axis=0), axis=-1).max() <= 12 * moved + 1e-9


def test_a_positive_angle_lifts_the_elbow_outward() -> None:
    hand = np.array([[0.0, -0.4, 0.3]])
    hanging, lifted = elbows_for(hand, 0.0)[0], elbows_for(hand, np.radians(60))[0]
    assert lifted[0, 0] - hanging[0, 0] > 0.1
    assert lifted[1, 0] - hanging[1, 0] < -0.1
    assert (lifted[:, 1] > hanging[:, 1]).all()


FIGURES = json.loads((DATA / "elbow_cases.json").read_text())


def inputs(case: dict) -> tuple:
    return case["S"], case["H"], case["l"], case["omega"], case["hand"]


def test_all_measured_cases_agree() -> None:
    assert len(FIGURES["cases"]) == 120
    for case in FIGURES["cases"]:
        assert ja.get_elbow_position(*inputs(case)) == pytest.approx(case["E"], abs=1e-12)


def test_many_arms_are_solved_at_once() -> None:
    cases = FIGURES["cases"]
    arguments = [
        np.array([case[name] for case in cases]) for name in ("S", "H", "l", "omega", "hand")
    ]
    assert ja.get_elbow_position(*arguments) == pytest.approx(
        np.array([case["E"] for case in cases]), abs=1e-12
    )


def test_an_arm_out_of_reach_is_straight_and_keeps_its_bones() -> None:
    for case in FIGURES["out_of_reach"]:
        S, H, l = np.array(case["S"]), np.array(case["H"]), case["l"]  # noqa: E741, N806
        E = ja.get_elbow_position(*inputs(case))  # noqa: N806
        toward = (H - S) / np.linalg.norm(H - S)
        assert np.linalg.norm(E - S) == pytest.approx(l, abs=1e-9)
        assert np.linalg.norm(S + 2 * l * toward - E) == pytest.approx(l, abs=1e-9)
        assert np.linalg.norm(H - S) > 2 * l


@pytest.mark.parametrize(
    "hand",
    [
        (0, 0, 0),
        (0, -0.5, 0),
        (0, 0.5, 0),
        (0, 0, -0.9),
        (1e-300, 0, 0),
        (0, -0.9, 0),
        (0, 0, 3.0),
        (1e-13, 1e-13, 0),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_degenerate_hands_give_finite_elbows_at_the_length_of_the_bone(
    hand: tuple, side: int
) -> None:
    elbow = ja.get_elbow_position((0.1, 1.4, 0), np.array((0.1, 1.4, 0)) + hand, 0.45, 0.3, side)
    assert np.isfinite(elbow).all()
    assert np.linalg.norm(elbow - (0.1, 1.4, 0)) == pytest.approx(0.45, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "x", "away", "side"),
    [
        ("straight_down", 0.225, (0, -0.425, 0), 1),
        ("straight_down_left", -0.225, (0, -0.425, 0), 0),
        ("straight_up", 0.225, (0, 0.475, 0), 1),
        ("exactly_2l", 0.225, (0, 0, -0.9), 1),
    ],
)
def test_degenerate_cases_that_are_finite_agree_too(
    name: str, x: float, away: tuple, side: int
) -> None:
    # The inputs follow from the measured elbows: bones of 0.45 m, swivel 0.3, shoulders at (±0.225,
    # 1.425, 0).
    shoulder = np.array((x, 1.425, 0))
    elbow = ja.get_elbow_position(shoulder, shoulder + away, 0.45, 0.3, side)
    assert elbow == pytest.approx(FIGURES["degenerate"][name], abs=1e-8)


def test_a_positive_angle_lifts_both_elbows_outward() -> None:
    for side, outward in ((0, -1), (1, 1)):
        hand = (outward * 0.2, 1.0, -0.3)
        hanging, lifted = (
            ja.get_elbow_position((outward * 0.2, 1.4, 0), hand, 0.3, omega, side)
            for omega in (0, 0.7)
        )
        assert outward * (lifted[0] - hanging[0]) > 0.05
        assert lifted[1] > hanging[1]


def test_one_arm_and_many_agree() -> None:
    rng = np.random.default_rng(8)
    count = 20_000  # several blocks
    shoulders = rng.normal(size=(count, 3))
    hands = shoulders + rng.normal(size=(count, 3))
    hands[0] = shoulders[0]
    hands[1] = shoulders[1] + (0.0, 0.3, 0.0)
    hands[2] = shoulders[2] - (0.0, 9.0, 0.0)
    omegas = rng.normal(size=count)
    sides = rng.integers(0, 2, count)
    elbows = get_elbow_position(shoulders, hands, 0.3, omegas, sides)
    for row in (*range(20), count - 1):
        arguments = (0.3, omegas[row], sides[row])
        one = get_elbow_position(shoulders[row], hands[row], *arguments)
        same = get_elbow_position(tuple(shoulders[row]), list(hands[row]), *arguments)
        assert np.array_equal(one, same)
        assert one == pytest.approx(elbows[row], abs=1e-13)
    assert get_elbow_position(shoulders[:3], hands[5], 0.3, 0.1, [0, 1, 1]).shape == (3, 3)
    assert get_elbow_position(shoulders[5], hands[5], 0.3, [0.1], 1).shape == (1, 3)
