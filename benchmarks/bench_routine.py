"""How long a live change takes to lay out and to plan, and a frame on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.routine import Routine

PAIRS = ("3", "531"), ("5", "3"), ("4", "(4,4)"), ("<3p|3p>", "<4p|4p>")


def changed(pair: tuple[str, str]) -> Routine:
    first, second = map(animate, pair)
    second.plan  # noqa: B018 - what the second pattern needs alone is not counted
    return Routine.of(first).changed(5.0, second)


@pytest.mark.parametrize("pair", PAIRS, ids="→".join)
def test_a_change_is_laid_out(benchmark: Any, pair: tuple[str, str]) -> None:
    first, second = map(animate, pair)
    routine = Routine.of(first)
    assert not benchmark(lambda: routine.changed(5.0, second)).parts[-1].reason


@pytest.mark.parametrize("pair", PAIRS, ids="→".join)
def test_a_change_is_prepared_for_drawing(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark.pedantic(
        lambda routine: list(routine.prepare()), setup=lambda: ((changed(pair),), {}), rounds=5
    )


@pytest.mark.parametrize("pair", PAIRS, ids="→".join)
def test_a_frame_on_the_way_is_posed(benchmark: Any, pair: tuple[str, str]) -> None:
    routine = changed(pair)
    list(routine.prepare())
    times = np.array([routine.parts[-1].begins])
    assert benchmark(lambda: routine.pose(times)).joints.shape[0] == 1
