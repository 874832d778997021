import json
from pathlib import Path

import numpy as np
import pytest

import juggle_anim as ja

FIGURES = json.loads((Path(__file__).parent / "data" / "elbow_cases.json").read_text())


def inputs(case: dict) -> tuple:
    return case["S"], case["H"], case["l"], case["omega"], case["hand"]


def test_all_measured_cases_agree() -> None:
    assert len(FIGURES["cases"]) == 120
    for case in FIGURES["cases"]:
        assert ja.get_elbow_position(*inputs(case)) == pytest.approx(case["E"], abs=1e-12)


def test_many_arms_are_solved_at_once() -> None:
    cases = FIGURES["cases"]
    S, H, l, omega, hand = (np.array([case[name] for case in cases]) for name in ("S", "H", "l", "omega", "hand"))  # noqa: E741, N806
    assert ja.get_elbow_position(S, H, l, omega, hand) == pytest.approx(
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
    [(0, 0, 0), (0, -0.5, 0), (0, 0.5, 0), (0, 0, -0.9), (1e-300, 0, 0), (0, -0.9, 0), (0, 0, 3.0), (1e-13, 1e-13, 0)],
)
@pytest.mark.parametrize("side", [0, 1])
def test_degenerate_hands_give_finite_elbows_at_the_length_of_the_bone(hand: tuple, side: int) -> None:
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
def test_degenerate_cases_that_are_finite_agree_too(name: str, x: float, away: tuple, side: int) -> None:
    # The inputs follow from the measured elbows: bones of 0.45 m, swivel 0.3, shoulders at (±0.225, 1.425, 0).
    shoulder = np.array((x, 1.425, 0))
    elbow = ja.get_elbow_position(shoulder, shoulder + away, 0.45, 0.3, side)
    assert elbow == pytest.approx(FIGURES["degenerate"][name], abs=1e-8)


def test_a_positive_angle_lifts_both_elbows_outward() -> None:
    for side, outward in ((0, -1), (1, 1)):
        hand = (outward * 0.2, 1.0, -0.3)
        hanging, lifted = (ja.get_elbow_position((outward * 0.2, 1.4, 0), hand, 0.3, omega, side) for omega in (0, 0.7))
        assert outward * (lifted[0] - hanging[0]) > 0.05
        assert lifted[1] > hanging[1]
