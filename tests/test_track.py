import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.motion.piecewise import PeriodicSpline


@given(st.integers(1, 40), st.floats(0.1, 100.0))
def test_a_track_returns_after_a_loop_and_has_no_corner(count: int, duration: float) -> None:
    track = PeriodicSpline(np.random.default_rng(count).normal(size=(count, 2, 3)), duration)
    times = np.linspace(0, duration, 1200, endpoint=False)
    now = track.at(times)
    assert track.at(times + 3 * duration) == pytest.approx(now, abs=1e-9)
    step = duration / 1200
    acceleration = np.diff(now, 2, axis=0) / step**2
    # The third derivative of a cubic is at most 8 times its controls per knot cubed; a corner would be far more.
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
