"""Arrays are near each other by the rules of pytest, though they are compared all at once."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from quick_approx import _by_pytest

near_one = st.sampled_from([0.0, 1.0, 1.0 + 1e-7, 1.0 + 1e-5, 1.001, -1.0, 1e-13, 1e300])
odd = st.sampled_from([np.inf, -np.inf, np.nan])
two_numbers = arrays.arrays(float, (2,), elements=near_one | odd)
tolerances = st.none() | st.sampled_from([0.0, 1e-6, 1e-2, np.inf])


@given(two_numbers, two_numbers, tolerances, tolerances)
def test_arrays_are_near_each_other_just_where_pytest_says_so(
    some: Any, others: Any, rel: float | None, within: float | None
) -> None:
    with np.errstate(all="ignore"):
        expected = pytest.approx(others, rel=rel, abs=within)
        try:
            near = _by_pytest(expected, some)
        except ValueError:  # no tolerance, as infinity times nought is no number
            return
        assert (some == expected) == near


def test_arrays_of_other_shapes_or_kinds_are_compared_as_ever() -> None:
    assert np.ones((2, 3)) != pytest.approx(np.ones(6))
    assert np.ones(3, dtype=np.float32) == pytest.approx(np.ones(3))
    assert pytest.approx(np.array([1.0, 2.0])) == [1, 2]
    assert np.array([True]) != pytest.approx(np.array([False]))
    assert pytest.approx(np.array([2.0])) != 3.0
