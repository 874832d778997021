import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.motion.piecewise import cubic, passing_velocities, successors


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 99)), min_size=1, max_size=20, unique=True))
def test_a_cubic_passes_its_points_and_has_no_corner(places: list[tuple[int, int]]) -> None:
    path, time = np.array(sorted(places)).T
    values = np.random.default_rng(0).normal(size=(len(path), 2))
    following, duration = successors(path, time / 10, 10.0)
    curves = cubic(following, duration, values)
    assert curves[:, 0] == pytest.approx(values)
    h = duration[:, None]
    ends = curves[:, 0] + h * (curves[:, 1] + h * (curves[:, 2] + h * curves[:, 3]))
    slopes = curves[:, 1] + 2 * h * curves[:, 2] + 3 * h**2 * curves[:, 3]
    bends = 2 * curves[:, 2] + 6 * h * curves[:, 3]
    scale = np.abs(curves).max() + 1
    assert ends == pytest.approx(values[following], abs=1e-9 * scale * 100)
    assert slopes == pytest.approx(curves[following, 1], abs=1e-9 * scale * 100)
    assert bends == pytest.approx(2 * curves[following, 2], abs=1e-9 * scale * 100)


def test_a_ring_closes_each_path_over_the_period() -> None:
    following, duration = successors(np.array([0, 0, 0, 1]), np.array([0.0, 1.0, 3.0, 2.0]), 5.0)
    assert following.tolist() == [1, 2, 0, 3]
    assert duration.tolist() == [1.0, 2.0, 2.0, 5.0]


def test_velocities_that_are_given_stay() -> None:
    following, duration = successors(np.zeros(3, dtype=np.intp), np.array([0.0, 1.0, 2.0]), 4.0)
    given_ones = np.array([[1.0], [0.0], [-2.0]])
    position = np.array([[0.0], [1.0], [0.0]])
    found = passing_velocities(following, duration, position, given_ones, np.array([False, True, False]))
    assert found[[0, 2]].tolist() == [[1.0], [-2.0]]
    # v₋ + 4v + v₊ = 3(p₊ − p₋) where both steps take 1 s.
    assert found[1, 0] == pytest.approx((0 - 1.0 + 2.0) / 4)
