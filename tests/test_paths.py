import numpy as np
import pytest

from juggle_anim.motion.paths import Paths

# Path 0 repeats after 2 s: 0 m until 0.5 s, then 1 m; path 1 after 3 s: u from 1 s on, wrapping round.
PATHS = Paths(
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
