"""A task: one pattern of a batch to be written, by any process on any machine that sees the same folder.

MERGED: What came of one pattern of a batch.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from juggle_anim.animation import animated
from juggle_anim.errors import JuggleError
from juggle_anim.exporter.export import export, jobs_for
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.notation.settings.settings import Settings


@dataclass(frozen=True)
class Task:
    """All that is to be known to write one pattern; it can be pickled.

    Args:
        number: by which its outcome is told from others.
        settings: what is juggled.
        given: parameters and settings in words, which win over those; as for `animate`.
        path: where it goes, an absolute path.
        options: how it is exported; what is there is kept where it is of this very export, unless `force` is given.
    """

    number: int
    settings: Settings
    given: Mapping[str, Any]
    path: Path
    options: ExportOptions


def carry_out(task: Task) -> Outcome:
    """Write one pattern. To do it twice does no harm: what is whole is kept, or replaced by the same."""
    began = time.perf_counter()
    new: list[int] = []
    try:
        animation = animated(task.settings, **task.given)
        keep = not task.options.force
        options = replace(task.options, resume=keep, progress=lambda done, _total: new.append(done))
        kind = jobs_for(animation, task.path, options)[0].kind
        paths = export(animation, task.path, options)
    except JuggleError as error:
        return _failed(task, str(error), began)
    except MemoryError:
        return _failed(task, "there is not enough memory for this", began)
    except Exception as error:
        # What nobody foresaw in one pattern must not cost the thousands behind it.
        return _failed(task, f"{type(error).__name__}: {error}", began)
    state = State.WRITTEN if new else State.KEPT
    # Frames may be thousands, and their folder says as much.
    files = [path.parent for path in paths] if kind == "frames" else paths
    return Outcome(task.number, state, tuple(dict.fromkeys(map(str, files))), seconds=time.perf_counter() - began)


def _failed(task: Task, reason: str, began: float) -> Outcome:
    return Outcome(task.number, State.FAILED, reason=reason, seconds=time.perf_counter() - began)


class State(StrEnum):
    """How it ended."""

    WRITTEN = "written"
    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """What came of one pattern.

    Args:
        number: of the pattern, as in its task.
        state: how it ended; kept is what was there already, whole and of the very same export.
        files: those written or kept; for frames their folder.
        reason: why it failed.
        seconds: that it took, [s].
    """

    number: int
    state: State
    files: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0
