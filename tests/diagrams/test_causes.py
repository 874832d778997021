import numpy as np
import pytest

from juggle_anim.diagrams.causal import ArrowRouter, LabelPlacer

# Three throws in a row, 10 mm and 10 s from each other.
FRAMES = ArrowRouter(
    np.array([(0.0, 0.0, 4.0, 4.0), (10.0, 0.0, 6.0, 4.0), (20.0, 0.0, 4.0, 4.0)]), 1.0
)


def test_an_arrow_is_straight_where_nothing_is_in_the_way() -> None:
    curve = FRAMES.arrow((0.0, 0.0), (10.0, 0.0), (0.0, 5.0))
    assert {across for _, across in curve} == {0.0}


def test_it_ends_just_before_the_frame_of_its_throw() -> None:
    # Half of 6 mm is 3.
    assert FRAMES.arrow((0.0, 0.0), (10.0, 0.0), (0.0,))[-1][0] == pytest.approx(
        10.0 - 3.35, abs=0.15
    )
    assert FRAMES.arrow((10.0, 0.0), (20.0, 0.0), (0.0,))[-1][0] == pytest.approx(
        20.0 - 2.35, abs=0.15
    )


def test_it_bends_around_a_throw_in_the_way_as_far_as_it_must() -> None:
    curve = FRAMES.arrow((0.0, 0.0), (20.0, 0.0), (0.0, 1.0, 5.0, 9.0))
    assert FRAMES.sample(curve)[:, 1].max() == pytest.approx(5.0, abs=0.1)


def test_where_nothing_will_do_it_takes_the_widest_way() -> None:
    curve = FRAMES.arrow((0.0, 0.0), (20.0, 0.0), (0.0, 1.0))
    assert FRAMES.sample(curve)[:, 1].max() == pytest.approx(1.0, abs=0.1)


def test_one_that_goes_straight_across_bends_along() -> None:
    tall = ArrowRouter(
        np.array([(0.0, 0.0, 4.0, 4.0), (0.0, 10.0, 4.0, 4.0), (0.0, 20.0, 4.0, 4.0)]), 1.0
    )
    way = tall.sample(tall.arrow((0.0, 0.0), (0.0, 20.0), (0.0, 5.0)))
    assert way[:, 0].max() == pytest.approx(5.0, abs=0.1)


def test_a_letter_stands_where_there_is_room() -> None:
    clear = LabelPlacer([np.array([(0.0, 0.0), (1.0, 0.0)]), np.array([(5.0, 0.0)])])
    assert clear.clearest([(0.5, 0.5), (3.0, 3.0), (9.0, 9.0)]) == 1
    assert clear.clearest([(0.5, 0.5), (1.0, 1.5), (0.5, 0.1)]) == 1
    assert LabelPlacer([]).clearest([(0.0, 0.0)]) == 0
