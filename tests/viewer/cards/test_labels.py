import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.scene import Camera
from juggle_anim.viewer.cards.labels import prop_positions, separate_labels
from juggle_anim.viewer.layout import Rectangle

SIZES = np.full((2, 2), 20.0)


def meet(places: np.ndarray, sizes: np.ndarray) -> bool:
    off = np.abs(places[:, None] - places)
    inside = (off < (sizes[:, None] + sizes) / 2 - 0.01).all(axis=2)
    return bool(np.triu(inside, 1).any())


def test_labels_that_have_room_stay() -> None:
    places = np.array([[0.0, 0.0], [21.0, 3.0], [np.nan, np.nan]])
    assert separate_labels(places, np.full((3, 2), 20.0)) == pytest.approx(places, nan_ok=True)


@given(st.floats(-15, 15), st.floats(-15, 15), st.booleans())
def test_two_that_meet_move_alike_until_they_do_not(x: float, y: float, across_only: bool) -> None:
    places = np.array([[100.0, 100.0], [100.0 + x, 100.0 + y]])
    moved = separate_labels(places, SIZES, across_only=across_only)
    assert not meet(moved, SIZES)
    assert moved.sum(axis=0) == pytest.approx(places.sum(axis=0))
    if across_only:
        assert moved[:, 1] == pytest.approx(places[:, 1])


def test_a_gap_is_left_between_them() -> None:
    moved = separate_labels(np.array([[0.0, 0.0], [19.0, 0.0]]), SIZES, gap=3.0)
    assert moved[1, 0] - moved[0, 0] == pytest.approx(23.0)


def test_a_heap_of_them_comes_apart() -> None:
    sizes = np.full((5, 2), 20.0)
    heap = np.array([[100.0, 100.0], [104.0, 101.0], [99.0, 93.0], [108.0, 110.0], [100.0, 100.0]])
    assert not meet(separate_labels(heap, sizes), sizes * 0.8)


def test_what_stands_is_made_room_for() -> None:
    places = np.array([[100.0, 100.0], [90.0, 97.0], [104.0, 95.0]])
    moved = separate_labels(places, np.full((3, 2), 20.0), standing=1)
    assert moved[0] == pytest.approx(places[0])
    assert not meet(moved, np.full((3, 2), 20.0))


def test_numbers_stand_where_props_are_seen() -> None:
    animation, place = animate("531"), Rectangle(0, 0, 640, 480)
    prop = animation.sample(np.array([0.3])).props[0, 1]
    camera = Camera((prop[0], prop[1], 5.0), tuple(prop.tolist()))
    found = prop_positions(animation, 0.3, camera, place)
    assert found.shape == (3, 2)
    assert found[1] == pytest.approx((320, 240), abs=1e-6)


def test_what_is_behind_the_camera_has_no_place() -> None:
    animation, place = animate("531"), Rectangle(0, 0, 640, 480)
    camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 9.0))
    assert np.isnan(prop_positions(animation, 0.3, camera, place)).all()
