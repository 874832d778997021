"""The plan of a batch: a file for each pattern, found to be possible before the first of thousands is begun."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from juggle_anim.animation import animate
from juggle_anim.batch.asked import Asked
from juggle_anim.batch.file_names import file_names
from juggle_anim.batch.outcome import Outcome, State
from juggle_anim.batch.task import Task
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.export import export
from juggle_anim.exporter.jobs import jobs_for
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.exporter.template import read_template
from juggle_anim.text_settings import TEXT_KEYS
from juggle_anim.whole_file import already_there, cannot_write

FRAMES = "frames"
"""In place of an ending: a folder of frames for each pattern."""


@dataclass(frozen=True)
class Plan:
    """What is to be done.

    Args:
        tasks: for the patterns that can be read; their numbers count all patterns, from 0.
        broken: what is known of the others.
    """

    tasks: tuple[Task, ...]
    broken: tuple[Outcome, ...]


def plan(
    asked: Sequence[Asked],
    out: Path,
    kind: str,
    *,
    given: Mapping[str, Any],
    options: ExportOptions,
) -> Plan:
    """Plan a batch.

    Args:
        asked: the patterns.
        out: the folder for all files.
        kind: an ending such as gif; `FRAMES` for a folder of frames each; or a template for their names, as ####.jpg.
        given: parameters and settings in words, which win over those of each pattern.
        options: how each is exported.

    Raises:
        ParameterError: nothing is written in this kind, or in this manner.
        ExportError: there is something in the folder, and neither `force` nor `resume` is given; or it is no folder.
    """
    _check_kind(kind, given, options)
    _check_room(out, options.force or options.resume)
    names = file_names(each.name for each in asked)
    paths = (_path(out.absolute(), name, kind) for name in names)
    tasks = tuple(
        Task(number, each.settings, given, path, options)
        for number, (each, path) in enumerate(zip(asked, paths, strict=True))
        if each.settings
    )
    return Plan(tasks, tuple(_broken(asked)))


def try_out(task: Task) -> None:
    """Draw and write the first picture of one pattern, and throw it away: what it ends in, all others would end in too.

    Raises:
        ParameterError, ExportError, RenderError: as for `juggle_anim.public.export`.
    """
    # Not the pattern's own settings: it alone may be at fault.
    animation = animate(_PLAIN)
    jobs_for(animation, task.path, task.options)
    options = replace(task.options, loops=None, seconds=_ONE_PICTURE)
    with tempfile.TemporaryDirectory() as folder:
        export(animation, Path(folder, *_within(task.path)), options)


def _check_kind(kind: str, given: Mapping[str, Any], options: ExportOptions) -> None:
    if not kind or Path(kind).name != kind:
        raise ParameterError(f"--format is {kind!r}, but must be an ending such as gif, {FRAMES}, or names as ####.jpg")
    numbers = {name: value for name, value in given.items() if name not in TEXT_KEYS}
    jobs_for(animate(_PLAIN, **numbers), _path(Path(), _PLAIN, kind), options)


def _check_room(out: Path, may_hold_something: bool) -> None:
    with cannot_write(out):
        if out.exists() and not out.is_dir():
            raise ExportError(f"{out}: is a file, and a batch needs a folder")
        if out.exists() and any(out.iterdir()) and not may_hold_something:
            raise already_there(out, "files", "or add --resume to keep those of this very batch")


def _path(out: Path, name: str, kind: str) -> Path:
    if kind.casefold() == FRAMES:
        return out / name
    return out / name / kind if read_template(Path(kind)) else out / f"{name}.{kind.removeprefix('.').casefold()}"


def _within(path: Path) -> tuple[str, ...]:
    """The parts of a path that are this pattern's own, with a folder where frames have one."""
    return path.parts[-2:] if read_template(path) else path.parts[-1:]


def _broken(asked: Sequence[Asked]) -> Iterator[Outcome]:
    for number, each in enumerate(asked):
        if each.settings is None:
            yield Outcome(number, State.FAILED, reason=str(each.error))


_PLAIN = "3"
_ONE_PICTURE = 1e-9
"""So short a span is one picture, [s]."""
