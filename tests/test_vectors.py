import numpy as np
import pytest

from juggle_anim.vectors import column_cross, column_dot, column_units, times_in_loop


def test_products_are_those_of_rows() -> None:
    one, other = np.random.default_rng(1).normal(size=(2, 3, 50))
    assert column_dot(one, other) == pytest.approx((one * other).sum(axis=0))
    assert column_cross(one, other) == pytest.approx(np.cross(one, other, axis=0))


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-200, 1e-9, 1.0, 1e9, 1e200, 1e307])
def test_directions_of_vectors_of_any_size_are_units(size: float) -> None:
    columns = size * np.array([[1.0, 0.0, 2.0], [0.0, -3.0, -4.0], [0.0, 4.0, 4.0]])
    units, lengths = column_units(columns, np.array([0.0, 0.0, 1.0]))
    assert np.linalg.norm(units, axis=0) == pytest.approx(np.ones(3), abs=1e-15)
    assert lengths / size == pytest.approx((1.0, 5.0, 6.0), rel=1e-15)
    assert units[:, 0] == pytest.approx((1.0, 0.0, 0.0))


def test_a_vector_of_no_length_gets_the_direction_that_was_named() -> None:
    units, lengths = column_units(
        np.array([[0.0, 3.0], [0.0, 0.0], [0.0, 4.0]]), np.array([0.0, 1.0, 0.0])
    )
    assert pytest.approx(np.array([[0.0, 1.0, 0.0], [0.6, 0.0, 0.8]])) == units.T
    assert lengths == pytest.approx((0.0, 5.0))


def test_none_at_all_are_no_trouble() -> None:
    assert column_units(np.empty((3, 0)), np.ones(3))[0].shape == (3, 0)


def test_a_time_that_rounds_to_the_end_of_a_loop_is_the_start_of_the_next() -> None:
    times, loops = times_in_loop(np.array([0.5, 2.0, -0.5, -1e-18]), 2.0)
    assert times.tolist() == [0.5, 0.0, 1.5, 0.0]
    assert loops.tolist() == [0, 1, -1, 0]
