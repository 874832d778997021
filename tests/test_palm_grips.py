import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.motion.palm_poses import EMPTY_CLOSED, grips_on, held_at_events, opened


def test_hands_close_more_around_smaller_balls_and_fully_around_handles() -> None:
    small, large = (grips_on(ja.animate("3", prop_diameter=size).motion.shapes)[0] for size in (4.0, 12.0))
    club = grips_on(ja.animate("3", prop="club").motion.shapes)[0]
    assert large[0] > EMPTY_CLOSED[0]
    assert small[0] > 2 * large[0]
    assert club[:2].tolist() == [1.0, 1.0]


def test_fingers_are_flat_on_a_ring_and_the_thumb_is_not() -> None:
    fingers, thumb, *_ = grips_on(ja.animate("3", prop="ring").motion.shapes)[0]
    assert fingers < 0.1
    assert thumb > 0.5


def test_palms_lie_as_far_from_the_middle_of_a_prop_as_it_is_thick() -> None:
    shapes = ja.animate("pattern=(4,4);prop=ball,ring,ball,ring").motion.shapes
    held, lower = grips_on(shapes)[:, 2:].T
    assert held == pytest.approx(shapes.grip_to_palm)
    assert lower == pytest.approx(shapes.grip_drop)
    assert set(np.round(held, 4)) == {0.035, 0.01}


def test_an_orbit_of_several_kinds_is_held_as_their_mean() -> None:
    motion = ja.animate("pattern=3;prop=ball,club,ring").motion
    sort, grip, _ = held_at_events(motion.choreography, motion.shapes, motion.flight_paths)
    assert sort == pytest.approx(np.full(sort.shape, 1 / 3))
    assert grip == pytest.approx(np.tile(grips_on(motion.shapes).mean(axis=0), (len(grip), 1)))


def test_hands_with_several_props_keep_little_of_their_tilt() -> None:
    for text, several in (("3", False), ("[33]", True)):
        motion = ja.animate(text).motion
        level = held_at_events(motion.choreography, motion.shapes, motion.flight_paths)[2]
        assert (level < 0.5).any() == several


def test_an_open_hand_is_an_empty_one_around_the_same_place() -> None:
    grip = np.array([[1.0, 1.0, 0.03, 0.01]])
    assert opened(grip, 1.0) == pytest.approx(grip)
    assert opened(grip, 0.0)[0].tolist() == [*EMPTY_CLOSED, 0.03, 0.01]
