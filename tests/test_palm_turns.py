import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.choreography import Grasp
from juggle_anim.motion.palm_poses import AT_CATCH, AT_EASE, AT_THROW, CARRYING, MAX_TILT, grasped, lean, palm_up

BALL, CLUB, RING = np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
HERE = np.array([[0.2, 1.0, 0.3]])
LEFT, RIGHT = np.array([0]), np.array([1])


def test_a_direction_leans_inward_for_one_hand_and_outward_for_the_other() -> None:
    direction = np.array([[-1.0, 1.0, 0.0]])
    assert lean(direction, LEFT, 0.1)[0] == pytest.approx((np.pi / 4, 0.0))
    assert lean(direction, RIGHT, 0.1)[0] == pytest.approx((-np.pi / 4, 0.0))


def test_what_falls_or_hardly_rises_leans_as_if_it_rose_a_little() -> None:
    level = lean(np.array([[-0.5, -3.0, 0.0]]), LEFT, 1.0)
    assert level[0, 0] == pytest.approx(np.arctan(0.5))


@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(0.3, 1.8))
def test_a_palm_with_a_ball_is_never_steeper_than_it_may_be(inward: float, forward: float, height: float) -> None:
    turn = palm_up(np.array([[inward, forward]]), HERE * (1, height, 1), LEFT, BALL)[0]
    assert turn[0] == 0
    assert np.cos(turn[1]) * np.cos(turn[2]) > np.cos(MAX_TILT + 0.05)


def test_a_palm_rolls_and_pitches_with_its_load() -> None:
    level = palm_up(np.zeros((1, 2)), HERE, LEFT, BALL)[0]
    leaning = palm_up(np.array([[0.3, 0.2]]), HERE, LEFT, BALL)[0]
    assert leaning[2] > level[2] + 0.2
    # A palm that leans forward has its fingers down.
    assert leaning[1] < level[1] - 0.1


def test_a_handle_tells_the_slope_of_its_hand_and_a_ring_has_the_palm_at_its_side() -> None:
    pitches = {float(palm_up(np.array([[0.0, forward]]), HERE, LEFT, CLUB)[0, 1]) for forward in (-0.4, 0.0, 0.4)}
    assert len(pitches) == 1
    assert np.degrees(palm_up(np.zeros((1, 2)), HERE, LEFT, RING)[0, 2]) > 70


def test_other_grasps_have_turns_of_their_own_at_each_moment() -> None:
    turn = np.tile((0.0, 0.1, 0.2), (3, 1))
    grasps = np.array([Grasp.PALM, Grasp.CLAW, Grasp.PENGUIN])
    for moment in (AT_CATCH, CARRYING, AT_THROW, AT_EASE):
        palm, claw, penguin = grasped(turn, grasps, moment)
        assert palm.tolist() == [0.0, 0.1, 0.2]
        assert np.degrees(claw[2]) == pytest.approx(180, abs=10)
        assert 300 < np.degrees(penguin[2]) < 360
        assert np.degrees(penguin[0]) > 60
    each = grasped(turn[1:2].repeat(2, axis=0), np.array([Grasp.CLAW] * 2), np.array([CARRYING, AT_THROW]))
    assert each[1, 1] > each[0, 1] + 0.5
