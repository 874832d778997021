import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.body.skeleton import ANKLE_HEIGHT, FOOT, HIP, HIP_HEIGHT, SHANK, THIGH
from juggle_anim.body.trunk_and_legs import ANKLES, LEG_CHANNELS, LEG_TURNS, pose_legs

HIPS = np.array([[[[HIP, HIP_HEIGHT - 0.032, 0.0], [-HIP, HIP_HEIGHT - 0.032, 0.0]]]])


def test_a_foot_far_out_of_reach_does_not_stretch_its_leg() -> None:
    ankles = ANKLES + np.array([[[[0.0, 0.0, 3.0], [0.0, 0.0, -3.0]]]])
    hips, knees, reached, toes = pose_legs(HIPS, ankles)
    assert np.linalg.norm(knees - hips, axis=-1) == pytest.approx(THIGH, abs=1e-9)
    assert np.linalg.norm(reached - knees, axis=-1) == pytest.approx(SHANK, abs=1e-9)
    assert np.linalg.norm(toes - reached, axis=-1) == pytest.approx(FOOT, abs=1e-9)
    assert (reached[..., 1] >= ANKLE_HEIGHT).all()


@pytest.mark.parametrize("turn", [-0.6, 0.0, 0.6])
def test_knees_point_between_the_body_and_the_feet(turn: float) -> None:
    hips, knees, ankles, toes = pose_legs(HIPS, ANKLES, np.full((1, 1, 2), turn))
    way = (knees - (hips + ankles) / 2)[0, 0].mean(axis=0)
    assert np.arctan2(way[0], way[2]) == pytest.approx(turn / 2, abs=0.05)
    foot = (toes - ankles)[0, 0].mean(axis=0)
    assert np.arctan2(foot[0], foot[2]) == pytest.approx(turn, abs=1e-9)


@given(st.floats(0.0, 1.2), st.floats(0.0, 1.2))
def test_thighs_turn_outward_about_the_lines_from_hips_to_ankles(left: float, right: float) -> None:
    ankles = ANKLES + np.array([[[[0.1, 0.5, 0.3], [-0.1, 0.5, 0.3]]]])
    legs = np.zeros((2, 1, LEG_CHANNELS))
    legs[1, ..., LEG_TURNS] = left, right
    hips, knees, reached, toes = pose_legs(
        np.repeat(HIPS, 2, axis=0), np.repeat(ankles, 2, axis=0), channels=legs
    )
    assert reached[1] == pytest.approx(reached[0], abs=1e-9)
    assert np.linalg.norm(toes - reached, axis=-1) == pytest.approx(FOOT, abs=1e-9)
    axis = (reached - hips)[0, 0] / np.linalg.norm((reached - hips)[0, 0], axis=-1, keepdims=True)
    aside = (knees - hips)[:, 0] - ((knees - hips)[:, 0] * axis).sum(axis=-1, keepdims=True) * axis
    turned = (np.cross(aside[0], aside[1]) * axis).sum(axis=-1), (aside[0] * aside[1]).sum(axis=-1)
    assert np.arctan2(*turned) * (-1.0, 1.0) == pytest.approx([left, right], abs=1e-9)
    assert (np.diff(knees[:, 0, :, 0], axis=0) * (1.0, -1.0) > -1e-12).all()
