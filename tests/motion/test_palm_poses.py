import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import juggle_anim as ja
from juggle_anim.choreography import Grasp
from juggle_anim.motion.palms import (
    AT_CATCH,
    AT_EASE,
    AT_THROW,
    CARRYING,
    EMPTY_CLOSED,
    JUGGLING_LAB_PALMS,
    NATURAL_PALMS,
    PalmStyle,
    carrying_turn,
    grips_on,
    held_at_events,
    partly_closed,
    tilt_from_vertical,
    with_claws,
)


def test_hands_close_more_around_smaller_balls_and_fully_around_handles() -> None:
    small, large = (
        grips_on(ja.animate("3", prop_diameter=size).motion.shapes, NATURAL_PALMS)[0]
        for size in (4.0, 12.0)
    )
    club = grips_on(ja.animate("3", prop="club").motion.shapes, NATURAL_PALMS)[0]
    assert large[0] > EMPTY_CLOSED[0]
    assert small[0] > 2 * large[0]
    assert club[:2].tolist() == [1.0, 1.0]


def test_fingers_are_flat_on_a_ring_and_the_thumb_is_not() -> None:
    fingers, thumb, *_ = grips_on(ja.animate("3", prop="ring").motion.shapes, NATURAL_PALMS)[0]
    assert fingers < 0.1
    assert thumb > 0.5


def test_palms_lie_as_far_from_the_middle_of_a_prop_as_it_is_thick() -> None:
    shapes = ja.animate("pattern=(4,4);prop=ball,ring,ball,ring").motion.shapes
    held, lower, behind = grips_on(shapes, NATURAL_PALMS)[:, 2:].T
    assert held == pytest.approx(shapes.grip_to_palm)
    assert lower == pytest.approx(shapes.grip_drop)
    assert set(np.round(held, 4)) == {0.035, 0.006}
    # Balls lie in the hollow of the palm, and rings in the fork of the thumb.
    assert (behind > 0.0).all()


def test_an_orbit_of_several_kinds_is_held_as_their_mean() -> None:
    motion = ja.animate("pattern=3;prop=ball,club,ring").motion
    kind_shares, grip, _ = held_at_events(
        motion.choreography, motion.shapes, motion.flight_paths, NATURAL_PALMS
    )
    assert kind_shares == pytest.approx(np.full(kind_shares.shape, 1 / 3))
    assert grip == pytest.approx(
        np.tile(grips_on(motion.shapes, NATURAL_PALMS).mean(axis=0), (len(grip), 1))
    )


def test_hands_with_several_props_keep_little_of_their_tilt() -> None:
    for text, several in (("3", False), ("[33]", True)):
        motion = ja.animate(text).motion
        held = held_at_events(
            motion.choreography, motion.shapes, motion.flight_paths, NATURAL_PALMS
        )
        assert (held.tilt_share < 0.5).any() == several


def test_an_open_hand_is_an_empty_one_around_the_same_place() -> None:
    grip = np.array([[1.0, 1.0, 0.03, 0.01, 0.02]])
    assert partly_closed(grip, 1.0) == pytest.approx(grip)
    assert partly_closed(grip, 0.0)[0].tolist() == [*EMPTY_CLOSED, 0.03, 0.01, 0.02]


BALL, CLUB, RING = np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])


HERE = np.array([[0.2, 1.0, 0.3]])


LEFT, RIGHT = np.array([0]), np.array([1])


def test_a_direction_leans_inward_for_one_hand_and_outward_for_the_other() -> None:
    direction = np.array([[-1.0, 1.0, 0.0]])
    assert tilt_from_vertical(direction, LEFT, 0.1)[0] == pytest.approx((np.pi / 4, 0.0))
    assert tilt_from_vertical(direction, RIGHT, 0.1)[0] == pytest.approx((-np.pi / 4, 0.0))


def test_what_falls_or_hardly_rises_leans_as_if_it_rose_a_little() -> None:
    level = tilt_from_vertical(np.array([[-0.5, -3.0, 0.0]]), LEFT, 1.0)
    assert level[0, 0] == pytest.approx(np.arctan(0.5))


@pytest.mark.parametrize("style", [NATURAL_PALMS, JUGGLING_LAB_PALMS])
@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(0.3, 1.8))
def test_a_palm_with_a_ball_is_never_steeper_than_it_may_be(
    style: PalmStyle, inward: float, forward: float, height: float
) -> None:
    turn = carrying_turn(np.array([[inward, forward]]), HERE * (1, height, 1), LEFT, BALL, style)[0]
    assert turn[0] == 0
    assert (np.abs(turn[[2, 1]]) < style.max_tilt + 1e-9).all()


def test_a_palm_tilts_inward_as_recorded_jugglers_tilt_theirs() -> None:
    level = carrying_turn(np.zeros((1, 2)), HERE, LEFT, BALL, NATURAL_PALMS)[0]
    assert 30 < np.degrees(level[2]) < 45


@pytest.mark.parametrize(("style", "more"), [(NATURAL_PALMS, 0.06), (JUGGLING_LAB_PALMS, 0.2)])
def test_a_palm_rolls_and_pitches_with_its_load(style: PalmStyle, more: float) -> None:
    level = carrying_turn(np.zeros((1, 2)), HERE, LEFT, BALL, style)[0]
    leaning = carrying_turn(np.array([[0.3, 0.2]]), HERE, LEFT, BALL, style)[0]
    assert leaning[2] > level[2] + more
    # A palm that leans forward has its fingers down.
    assert leaning[1] < level[1] - 0.1


def test_a_handle_tells_the_slope_of_its_hand_and_a_ring_has_the_palm_at_its_side() -> None:
    loads = (np.array([[0.0, forward]]) for forward in (-0.4, 0.0, 0.4))
    assert (
        len({float(carrying_turn(load, HERE, LEFT, CLUB, NATURAL_PALMS)[0, 1]) for load in loads})
        == 1
    )
    assert np.degrees(carrying_turn(np.zeros((1, 2)), HERE, LEFT, RING, NATURAL_PALMS)[0, 2]) > 70


def test_other_grasps_have_turns_of_their_own_at_each_moment() -> None:
    turn = np.tile((0.0, 0.1, 0.2), (2, 1))
    grasps = np.array([Grasp.PALM, Grasp.CLAW])
    for moment in (AT_CATCH, CARRYING, AT_THROW, AT_EASE):
        palm, claw = with_claws(turn, grasps, moment)
        assert palm.tolist() == [0.0, 0.1, 0.2]
        assert np.degrees(claw[2]) == pytest.approx(180, abs=10)
    each = with_claws(
        turn[1:2].repeat(2, axis=0), np.array([Grasp.CLAW] * 2), np.array([CARRYING, AT_THROW])
    )
    assert each[1, 1] > each[0, 1] + 0.5
