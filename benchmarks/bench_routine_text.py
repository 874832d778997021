"""How long a routine of two minutes takes to lay out, and its frames to pose beside those of a
plain pattern.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.body import plan_bodies
from juggle_anim.notation import read_file

ROUTINES = sorted((Path(__file__).parents[1] / "examples" / "routines").glob("*.routine"))
PLAIN = {"balls": "531", "clubs": "pattern=531;prop=club", "rings": "pattern=97531;prop=ring"}
FRAMES = 96  # at most a second and a half of both


@pytest.mark.parametrize("path", ROUTINES, ids=lambda path: path.stem)
def test_a_routine_is_laid_out(benchmark: Any, path: Path) -> None:
    assert len(benchmark.pedantic(read_file, (path,), rounds=3).patterns) == 1


@pytest.mark.parametrize("path", ROUTINES, ids=lambda path: path.stem)
def test_bodies_are_planned(benchmark: Any, path: Path) -> None:
    routine = animate(str(path))
    benchmark.pedantic(plan_bodies, (routine.motion, routine.parameters), rounds=2)


@pytest.mark.parametrize("path", ROUTINES, ids=lambda path: path.stem)
@pytest.mark.parametrize("kind", ["routine", "plain"])
def test_frames_are_posed(benchmark: Any, path: Path, kind: str) -> None:
    found = animate(str(path) if kind == "routine" else PLAIN[path.stem])
    benchmark(_posed, found, np.linspace(0.0, found.duration, FRAMES, endpoint=False))


def _posed(animation: Animation, times: np.ndarray) -> None:
    for first in range(0, FRAMES, 16):
        animation.pose(times[first : first + 16])
