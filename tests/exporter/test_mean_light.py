import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.exporter.stills import mean_light, unpremultiplied


def plain(*colour: int, edge: int = 2) -> np.ndarray:
    return np.full((edge, edge, len(colour)), colour, dtype=np.uint8)


@given(
    st.lists(st.integers(0, 255), min_size=3, max_size=3),
    st.integers(1, 5),
    st.sampled_from([1, 2, 4]),
)
def test_the_mean_of_one_colour_is_that_colour(colour: list[int], count: int, finer: int) -> None:
    assert (
        mean_light([plain(*colour, edge=4)] * count, finer) == plain(*colour, edge=4 // finer)
    ).all()


def test_light_adds_up_and_not_the_numbers_of_colours() -> None:
    half = mean_light([plain(0, 0, 0), plain(255, 255, 255)], 1)
    assert (half == round(255 * np.sqrt(0.5))).all()


def test_each_pixel_is_the_mean_of_its_own_square() -> None:
    fine = np.zeros((4, 6, 3), dtype=np.uint8)
    fine[:2, 2:4] = 200
    assert (mean_light([fine], 2)[..., 0] == [[0, 200, 0], [0, 0, 0]]).all()


def test_what_covers_half_of_a_pixel_is_half_transparent_and_keeps_its_colour() -> None:
    clear, red = plain(0, 0, 0, 0), plain(200, 0, 0, 255)
    mean = unpremultiplied(mean_light([clear, red], 1))
    assert mean[0, 0, 3] in (127, 128)
    assert mean[0, 0, 0] == pytest.approx(200, abs=1)


def test_straight_colours_are_those_before_they_were_premultiplied() -> None:
    picture = np.array(
        [[[50, 25, 0, 128], [0, 0, 0, 0], [9, 8, 7, 255], [3, 3, 3, 2]]], dtype=np.uint8
    )
    assert unpremultiplied(picture).tolist() == [
        [[100, 50, 0, 128], [0, 0, 0, 0], [9, 8, 7, 255], [255, 255, 255, 2]]
    ]
