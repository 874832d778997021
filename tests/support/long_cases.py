"""Cases of which some are tried in each run, and the others by `make test-all` alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], *always: Any, arguments: int = 1) -> list[Any]:
    """All cases, as `pytest.mark.parametrize` takes them; those that are not `always` tried are
    long.

    Args:
        cases: a value each, or a tuple of the values of several arguments.
        always: some of them.
        arguments: how many a case has.
    """
    everything = list(cases)
    assert all(case in everything for case in always), "a case that is always tried is none"
    return [
        case
        if case in always
        else pytest.param(*(case if arguments > 1 else (case,)), marks=pytest.mark.long)
        for case in everything
    ]
