"""Plans of bodies and collisions, made once for all tests that ask for the same, and kept from run
to run as long as the program stays the same: they take longest of an animation and of an analysis,
and hundreds of tests juggle the same few patterns.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from juggle_anim import analysis, animation
from juggle_anim.analysis import Collisions, analyse, find_collisions
from juggle_anim.body import BodyPlan, draft_plan, plan_bodies
from juggle_anim.body.arms import SOLVERS
from juggle_anim.motion import Motion
from juggle_anim.parameters import ROWS, Parameters, Stage
from juggle_anim.routine import routine

_SOURCE = Path(animation.__file__).parent
_MOST_KEPT = 4_000  # plans and collisions; a run of all tests has half as many, which take 100 MB
_READ = [row.name for row in ROWS if row.stage <= Stage.PLAN]
_OWN_SOLVERS = frozenset(SOLVERS)
_PLANS: dict[Any, BodyPlan] = {}
_Made = TypeVar("_Made", BodyPlan, Collisions)

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
    """From now on animations, and transitions of routines, that move alike have one plan, and
    animations that are alike in everything have the same collisions.
    """
    animation.plan_bodies = shared_plan
    routine.plan_bodies = shared_plan
    analysis.find_collisions = shared_collisions
    sys.modules[analyse.__module__].find_collisions = shared_collisions  # type: ignore[attr-defined]


def shared_plan(motion: Motion, parameters: Parameters) -> BodyPlan:
    """The plan of a motion: one that was made before where all that it reads is the same."""
    read = [getattr(parameters, name) for name in _READ]
    key = _frozen((motion.choreography, motion.turned_like, read))
    if key not in _PLANS:
        _PLANS[key] = _kept(key, lambda: plan_bodies(motion, parameters))
    return _PLANS[key]


def shared_collisions(juggled: animation.Animation) -> Collisions:
    """The collisions of an animation: those that were found before where all is the same, unless a
    test has given it a plan or a solver of its own.
    """
    motion, parameters = juggled.motion, juggled.parameters
    usual = juggled.plan is shared_plan(motion, parameters) and SOLVERS.keys() == _OWN_SOLVERS
    if not usual:
        return find_collisions(juggled)
    key = _frozen(("collisions", motion.choreography, motion.turned_like, parameters))
    return _kept(key, lambda: find_collisions(juggled))


def _kept(key: Any, make: Callable[[], _Made]) -> _Made:
    """What a process has kept, or else is made now and kept for the others."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return make()
    path = Path(folder, sha256(f"{_maker()} {key!r}".encode()).hexdigest())
    with suppress(OSError):
        made: _Made = pickle.loads(path.read_bytes())
        path.touch()
        return made
    made = make()
    own = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        own.write_bytes(pickle.dumps(made))
        own.replace(path)  # whole at once
    return made


@cache
def _maker() -> str:
    """What plans and collisions depend on beside what is juggled, to the last bit: the program and
    what it computes with.
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
