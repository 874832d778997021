"""`pytest.approx` of arrays, which compares number by number in Python, all at once.

What is near by this is near by pytest's own rules. Whatever is not is left to them, and so is what
is told of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

_ApproxNumpy: Any = type(pytest.approx(np.zeros(1)))
_by_pytest = _ApproxNumpy.__eq__
_NUMBERS = "fiu"


def compare_arrays_at_once() -> None:
    """From now on `pytest.approx` of an array is quick."""
    _ApproxNumpy.__eq__ = _equal
    _ApproxNumpy.__hash__ = None


def _equal(self: Any, actual: Any) -> bool:
    return _is_surely_near(self, actual) or _by_pytest(self, actual)


def _is_surely_near(approx: Any, actual: Any) -> bool:
    """Whether all numbers are finite and within their tolerances; False where in doubt."""
    if not isinstance(actual, np.ndarray) or actual.shape != approx.expected.shape:
        return False
    if actual.dtype.kind not in _NUMBERS or approx.expected.dtype.kind not in _NUMBERS:
        return False
    tolerances = (approx.abs, approx.rel)
    if not all(
        each is None or (isinstance(each, float | int) and each >= 0) for each in tolerances
    ):
        return False
    expected = approx.expected.astype(float)
    with np.errstate(all="ignore"):  # infinities and numbers near them
        off = np.abs(expected - actual.astype(float))
        tolerance = np.full(off.shape, 1e-12 if approx.abs is None else float(approx.abs))
        if approx.rel is not None or approx.abs is None:
            share = 1e-6 if approx.rel is None else float(approx.rel)
            tolerance = np.maximum(tolerance, share * np.abs(expected))
        return bool((np.isfinite(expected) & (off <= tolerance)).all())
