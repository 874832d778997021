"""Cases of which some are tried in each run, and the others by `make test-all` alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], *always: Any) -> list[Any]:
    """All cases, as `pytest.mark.parametrize` takes them; those that are not `always` tried are
    long.

    Args:
        cases: a value each, or a tuple of several.
        always: some of them.
    """
    everything = list(cases)
    assert all(case in everything for case in always), "a case that is always tried is none"
    return [case if case in always else _long(case) for case in everything]


def _long(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)
