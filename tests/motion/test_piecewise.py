import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juggle_anim.motion.piecewise import (
    PeriodicSpline,
    PiecewisePolynomial,
    concatenate,
    cubic,
    passing_velocities,
    successors,
    unhurried_delays,
)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 99)), min_size=1, max_size=20, unique=True)
)
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
    found = passing_velocities(
        following, duration, position, given_ones, np.array([False, True, False])
    )
    assert found[[0, 2]].tolist() == [[1.0], [-2.0]]
    # v₋ + 4v + v₊ = 3(p₊ − p₋) where both steps take 1 s.
    assert found[1, 0] == pytest.approx((0 - 1.0 + 2.0) / 4)


# Path 0 repeats after 2 s: 0 m until 0.5 s, then 1 m; path 1 after 3 s: u from 1 s on, wrapping
# round.
PATHS = PiecewisePolynomial(
    periods=np.array([2.0, 3.0]),
    path_of_piece=np.array([0, 0, 1]),
    start=np.array([0.0, 0.5, 1.0]),
    coefficients=np.array([[[0.0] * 3, [0.0] * 3], [[1.0] * 3, [0.0] * 3], [[0.0] * 3, [1.0] * 3]]),
)


def x(path: int, time: float, derivative: int = 0) -> float:
    return float(PATHS.evaluate(*PATHS.locate(np.array(path), np.array(time)), derivative)[..., 0])


@pytest.mark.parametrize(
    ("time", "value"), [(0.0, 0), (0.49, 0), (0.5, 1), (1.99, 1), (2.0, 0), (-0.1, 1), (-2.0, 0)]
)
def test_a_piece_holds_from_its_start(time: float, value: float) -> None:
    assert x(0, time) == value


@pytest.mark.parametrize(
    ("time", "value"), [(1.0, 0.0), (2.9, 1.9), (3.0, 2.0), (3.9, 2.9), (4.0, 0.0), (0.5, 2.5)]
)
def test_the_last_piece_goes_on_until_the_first_starts_again(time: float, value: float) -> None:
    assert x(1, time) == pytest.approx(value)


def test_derivatives_are_those_of_the_polynomials() -> None:
    assert x(1, 2.5, 1) == 1.0
    assert x(1, 2.5, 2) == 0.0


def test_a_hair_before_the_end_stays_in_its_path() -> None:
    assert x(0, np.nextafter(2.0, 0.0)) == 1.0
    assert x(0, -1e-300) in (0.0, 1.0)


LINE = PiecewisePolynomial(
    np.array([2.0]),
    np.array([0, 0]),
    np.array([0.0, 1.0]),
    np.array([[[0.0], [1.0]], [[1.0], [-1.0]]]),
)


CURVE = PiecewisePolynomial(
    np.array([3.0, 1.0]),
    np.array([0, 1]),
    np.zeros(2),
    np.array([[[1.0], [0.0], [2.0]], [[5.0], [0], [0]]]),
)


@pytest.mark.parametrize("derivative", [0, 1, 2])
def test_paths_of_several_tables_stand_side_by_side_as_they_were(derivative: int) -> None:
    times = np.linspace(-1.0, 4.0, 23)
    joined = concatenate([LINE, CURVE])
    for number, (table, path) in enumerate([(LINE, 0), (CURVE, 0), (CURVE, 1)]):
        expected = table.evaluate(*table.locate(np.array(path), times), derivative)
        assert joined.evaluate(
            *joined.locate(np.array(number), times), derivative
        ) == pytest.approx(expected)


def test_a_table_alone_stays_as_it_is() -> None:
    assert concatenate([LINE]) is LINE


@settings(max_examples=settings.default.max_examples // 4)
@given(st.integers(1, 40), st.floats(0.1, 100.0))
def test_a_track_returns_after_a_loop_and_has_no_corner(count: int, duration: float) -> None:
    track = PeriodicSpline(np.random.default_rng(count).normal(size=(count, 2, 3)), duration)
    times = np.linspace(0, duration, 1200, endpoint=False)
    now = track.at(times)
    assert track.at(times + 3 * duration) == pytest.approx(now, abs=1e-9)
    step = duration / 1200
    acceleration = np.diff(now, 2, axis=0) / step**2
    # The third derivative of a cubic is at most 8 times its controls per knot cubed; a corner would
    # be far more.
    bound = 9.0 * np.abs(track.controls).max() * (count / duration) ** 3 * step
    assert np.abs(np.diff(acceleration, axis=0)).max() <= bound + 1e-5 / step**2


def test_a_track_follows_its_controls() -> None:
    times = np.linspace(0, 2.0, 64, endpoint=False)
    track = PeriodicSpline(np.sin(np.pi * times), 2.0)
    assert track.at(times + 0.01) == pytest.approx(np.sin(np.pi * (times + 0.01)), abs=0.003)


def test_what_stands_still_stands_still() -> None:
    assert PeriodicSpline(np.full((5, 3), 0.25), 1.5).at(
        np.array([0.0, 0.7, 1.4999999999999999, 1.5])
    ) == pytest.approx(0.25)


def test_a_curve_passes_its_points_later_or_sooner_only_where_it_hurries() -> None:
    # Two ways of a closed curve, each with one point between its ends. The first way has little
    # time for most of its length.
    time = np.array([0.0, 0.8, 1.0, 1.5])
    following, duration = successors(np.zeros(4, dtype=int), time, 2.0)
    position = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.2, 0.0]])
    way = np.array([0, 0, 2, 2])
    free = np.array([False, True, False, True])

    def delays(most: float, free: np.ndarray = free) -> np.ndarray:
        return unhurried_delays(following, duration, position, np.zeros((4, 3)), way, free, most)

    assert not delays(most=200.0).any()
    assert not delays(most=1.0, free=np.zeros(4, dtype=bool)).any()
    delay = delays(most=20.0)
    assert delay[1] < -0.1
    assert delay[[0, 2, 3]] == pytest.approx(0.0)
    # With the least acceleration of all, the middle of a way is passed in the middle of its time.
    position[1] = [0.5, 0.0, 0.0]
    assert time[1] + delays(most=0.0)[1] == pytest.approx(0.5, abs=0.01)
