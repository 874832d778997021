import numpy as np
import pytest

from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate

# Path 0 repeats after 2 s: 0 m until 0.5 s, then 1 m; path 1 after 3 s: u from 1 s on, wrapping round.
PATHS = PiecewisePolynomial(
    periods=np.array([2.0, 3.0]),
    path=np.array([0, 0, 1]),
    start=np.array([0.0, 0.5, 1.0]),
    coefficients=np.array([[[0.0] * 3, [0.0] * 3], [[1.0] * 3, [0.0] * 3], [[0.0] * 3, [1.0] * 3]]),
)


def x(path: int, time: float, derivative: int = 0) -> float:
    return float(PATHS.evaluate(*PATHS.locate(np.array(path), np.array(time)), derivative)[..., 0])


@pytest.mark.parametrize(("time", "value"), [(0.0, 0), (0.49, 0), (0.5, 1), (1.99, 1), (2.0, 0), (-0.1, 1), (-2.0, 0)])
def test_a_piece_holds_from_its_start(time: float, value: float) -> None:
    assert x(0, time) == value


@pytest.mark.parametrize(("time", "value"), [(1.0, 0.0), (2.9, 1.9), (3.0, 2.0), (3.9, 2.9), (4.0, 0.0), (0.5, 2.5)])
def test_the_last_piece_goes_on_until_the_first_starts_again(time: float, value: float) -> None:
    assert x(1, time) == pytest.approx(value)


def test_derivatives_are_those_of_the_polynomials() -> None:
    assert x(1, 2.5, 1) == 1.0
    assert x(1, 2.5, 2) == 0.0


def test_a_hair_before_the_end_stays_in_its_path() -> None:
    assert x(0, np.nextafter(2.0, 0.0)) == 1.0
    assert x(0, -1e-300) in (0.0, 1.0)


LINE = PiecewisePolynomial(
    np.array([2.0]), np.array([0, 0]), np.array([0.0, 1.0]), np.array([[[0.0], [1.0]], [[1.0], [-1.0]]])
)
CURVE = PiecewisePolynomial(
    np.array([3.0, 1.0]), np.array([0, 1]), np.zeros(2), np.array([[[1.0], [0.0], [2.0]], [[5.0], [0], [0]]])
)


@pytest.mark.parametrize("derivative", [0, 1, 2])
def test_paths_of_several_tables_stand_side_by_side_as_they_were(derivative: int) -> None:
    times = np.linspace(-1.0, 4.0, 23)
    joined = concatenate([LINE, CURVE])
    for number, (table, path) in enumerate([(LINE, 0), (CURVE, 0), (CURVE, 1)]):
        expected = table.evaluate(*table.locate(np.array(path), times), derivative)
        assert joined.evaluate(*joined.locate(np.array(number), times), derivative) == pytest.approx(expected)


def test_a_table_alone_stays_as_it_is() -> None:
    assert concatenate([LINE]) is LINE
