"""Plans of bodies, made once for all tests that ask for the same, and kept from run to run as long
as the program stays the same: a plan is what takes longest of an animation, and hundreds of tests
juggle the same few patterns.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from juggle_anim import animation
from juggle_anim.body import BodyPlan, draft_plan, plan_bodies
from juggle_anim.motion import Motion
from juggle_anim.parameters import ROWS, Parameters, Stage
from juggle_anim.routine import routine

_SOURCE = Path(animation.__file__).parent
_MOST_KEPT = 4_000  # plans; those of a run of all tests are half as many, and take 100 MB
_READ = [row.name for row in ROWS if row.stage <= Stage.PLAN]
_PLANS: dict[Any, BodyPlan] = {}
FOLDER = "SHARED_PLANS"
"""The variable that tells all processes of a run where plans are kept."""


def plan_folder(folder: Path) -> str:
    """The folder where plans are kept from run to run, less the oldest of too many; empty where
    nothing can be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kept = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in kept[:-_MOST_KEPT]:
            path.unlink()
    except OSError:
        return ""
    return str(folder)


def share_plans() -> None:
    """From now on animations, and transitions of routines, that move alike have one plan."""
    animation.plan_bodies = shared_plan
    routine.plan_bodies = shared_plan


def shared_plan(motion: Motion, parameters: Parameters) -> BodyPlan:
    """The plan of a motion: one that was made before where all that it reads is the same."""
    read = [getattr(parameters, name) for name in _READ]
    key = _frozen((motion.choreography, motion.turned_like, read))
    if key not in _PLANS:
        folder = os.environ.get(FOLDER)
        _PLANS[key] = (
            _kept_plan(Path(folder), key, motion, parameters)
            if folder
            else plan_bodies(motion, parameters)
        )
    return _PLANS[key]


def _kept_plan(folder: Path, key: Any, motion: Motion, parameters: Parameters) -> BodyPlan:
    """The plan that a process has kept, or else made now and kept for the others."""
    path = folder / sha256(f"{_maker()} {key!r}".encode()).hexdigest()
    with suppress(OSError):
        plan = pickle.loads(path.read_bytes())
        path.touch()
        return plan
    plan = plan_bodies(motion, parameters)
    own = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        own.write_bytes(pickle.dumps(plan))
        own.replace(path)  # whole at once
    return plan


@cache
def _maker() -> str:
    """What a plan depends on beside what is juggled, to the last bit: the program and what it
    computes with.
    """
    source = sha256()
    for path in (Path(__file__), *sorted(_SOURCE.rglob("*.py"))):
        source.update(path.read_bytes())
    threads = os.environ.get("OPENBLAS_NUM_THREADS")
    return f"{source.hexdigest()} {np.__version__} {sys.version} {threads}"


def plan_without_arms(motion: Motion, parameters: Parameters) -> BodyPlan:
    """A plan that says nothing of arms, for tests of which no arm is a part: arms take longest."""
    return draft_plan(motion, parameters, _standing_plan())


@cache
def _standing_plan() -> BodyPlan:
    """The plan of a loop that lasts as long as no other, whose plan would serve it."""
    return animation.animate("pattern=3;bps=0.77").plan


def _frozen(value: Any) -> Any:
    """Something that can be hashed, and equals what is made of the same values alone.

    Of a data class its fields count, and not what it has kept of its work.
    """
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple | list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple((key, _frozen(each)) for key, each in value.items())
    if is_dataclass(value):
        return type(value), *(_frozen(getattr(value, field.name)) for field in fields(value))
    return value
