"""A task of a batch: one pattern to write, by any process that sees the same folder; and its outcome."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from juggle_anim.animation import animated
from juggle_anim.errors import JuggleError
from juggle_anim.exporter.export import export, export_jobs
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.notation.settings.settings import Settings


@dataclass(frozen=True)
class Task:
    """Everything needed to write one pattern; it can be pickled.

    Args:
        number: identifies its outcome.
        settings: the pattern.
        overrides: parameters and text settings that override those of the pattern; as for `animate`.
        path: the absolute path to write to.
        options: of the export; existing files of this same export are kept unless `force` is set.
    """

    number: int
    settings: Settings
    overrides: Mapping[str, Any]
    path: Path
    options: ExportOptions


def run_task(task: Task) -> Outcome:
    """Write one pattern. Running a task twice is harmless: complete files are kept, or replaced by equal ones."""
    began = time.perf_counter()
    new: list[int] = []
    try:
        animation = animated(task.settings, **task.overrides)
        keep = not task.options.force
        options = replace(task.options, resume=keep, progress=lambda done, _total: new.append(done))
        kind = export_jobs(animation, task.path, options)[0].kind
        paths = export(animation, task.path, options)
    except JuggleError as error:
        return _failed(task, str(error), began)
    except MemoryError:
        return _failed(task, "there is not enough memory for this", began)
    except Exception as error:
        # An unexpected error in one pattern must not stop the thousands after it.
        return _failed(task, f"{type(error).__name__}: {error}", began)
    state = State.WRITTEN if new else State.KEPT
    # Frames may be thousands; their folder is enough.
    files = [path.parent for path in paths] if kind == "frames" else paths
    return Outcome(task.number, state, tuple(dict.fromkeys(map(str, files))), seconds=time.perf_counter() - began)


def _failed(task: Task, reason: str, began: float) -> Outcome:
    return Outcome(task.number, State.FAILED, reason=reason, seconds=time.perf_counter() - began)


class State(StrEnum):
    """The states in which a task ends."""

    WRITTEN = "written"
    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """The outcome of one task.

    Args:
        number: of the task.
        state: how it ended; `KEPT` if complete files of this same export existed.
        files: written or kept; for frames their folder.
        reason: why it failed.
        seconds: time taken, [s].
    """

    number: int
    state: State
    files: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0
