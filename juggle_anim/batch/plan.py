"""The plan of a batch: a task with a file for each pattern, and the checks before the first of
thousands is written.
"""

from __future__ import annotations

import re
import tempfile
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from juggle_anim.animation import animate, animated
from juggle_anim.atomic_file import already_there, cannot_write
from juggle_anim.errors import ExportError, FileError, JuggleError, ParameterError
from juggle_anim.exporter import ExportOptions, export, export_jobs, read_template
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import (
    Entry,
    Note,
    Settings,
    find_file_reference,
    listed_in_library,
    open_patterns,
    read_settings,
    shown_path,
)
from juggle_anim.parameters import TEXT_KEYS

FRAMES = "frames"
"""In place of an ending: a folder of frames for each pattern."""

_TRIAL_PATTERN = "3"

_ONE_FRAME = 1e-9  # s, short enough for a single frame

LIBRARY = "library"
"""The word for all patterns of the library; a file of this name is ./library."""

MAX_NAME_BYTES = 100
"""The longest name without its ending, [bytes]; systems allow 255, and the names of partial files
are longer.
"""

# Characters beside letters and digits that names may have, and those that are cut at their ends.
_SAFE_SIGNS = "-+,"
_NOT_AT_ENDS = "-+,_"
_FALLBACK_NAME = "pattern"

# One pattern may have several files: a-1.bvh, a-2.bvh. These names must not be those of other
# patterns.
_FILE_NUMBER = re.compile(r"-(?=(\d+|props)$)")

# Windows reserves these names, with any ending.
_WINDOWS_DEVICES = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")


@dataclass(frozen=True)
class Plan:
    """The work of a batch.

    Args:
        tasks: for the patterns that can be read; their numbers count all patterns, from 0.
        unreadable: outcomes of the other patterns.
    """

    tasks: tuple[Task, ...]
    unreadable: tuple[Outcome, ...]


def plan(
    items: Sequence[BatchItem],
    out: Path,
    kind: str,
    *,
    overrides: Mapping[str, Any],
    options: ExportOptions,
) -> Plan:
    """Plan a batch.

    Args:
        items: the patterns.
        out: the folder for all files.
        kind: an ending such as gif; `FRAMES` for a folder of frames each; or a template for their
            names, as ####.jpg.
        overrides: parameters and text settings, which override those of each pattern.
        options: how each pattern is exported.

    Raises:
        ParameterError: the kind or the options are not possible.
        ExportError: the folder is not empty, and neither `force` nor `resume` is set; or it is no
            folder.
    """
    _check_kind(kind, overrides, options)
    _check_folder(out, may_have_files=options.force or options.resume)

    # Unreadable patterns have numbers and names, too, so that those of others do not depend on
    # them.
    names = file_names(item.name for item in items)
    paths = (_output_path(out.absolute(), name, kind) for name in names)
    tasks = tuple(
        Task(number, item.settings, overrides=overrides, path=path, options=options)
        for number, (item, path) in enumerate(zip(items, paths, strict=True))
        if item.settings
    )
    unreadable = tuple(
        Outcome(number, State.FAILED, reason=str(item.error))
        for number, item in enumerate(items)
        if item.settings is None
    )
    return Plan(tasks, unreadable)


def write_trial(task: Task) -> None:
    """Write one frame of a plain pattern to a temporary folder, to try out the options of a batch.

    An error here would happen to every pattern.

    Args:
        task: task whose path and options are tried.

    Raises:
        ParameterError: the options or the ending are wrong.
        ExportError: a file cannot be written.
        RenderError: OpenGL is not available.
    """
    # Not with the settings of the task's own pattern: an error there is that pattern's alone.
    animation = animate(_TRIAL_PATTERN)
    export_jobs(animation, task.path, task.options)  # checks the options as they are
    # `_ONE_FRAME` is so short a time, [s], that a film has a single frame.
    options = replace(task.options, loops=None, seconds=_ONE_FRAME)
    # The last part of the path belongs to one pattern alone; where frames have a folder, the last
    # two.
    own_parts = 2 if read_template(task.path) else 1
    with tempfile.TemporaryDirectory() as folder:
        export(animation, Path(folder, *task.path.parts[-own_parts:]), options)


def _check_kind(kind: str, overrides: Mapping[str, Any], options: ExportOptions) -> None:
    """Raise an error for a kind of files or options that are not possible for any pattern.

    Args:
        kind: an ending such as gif; `FRAMES` for a folder of frames each; or a template for their
            names, as ####.jpg.
        overrides: parameters, which are checked, and text settings, which are not.
        options: options of the export.

    Raises:
        ParameterError: the options are not possible.
    """
    # The kind must be a name without a folder.
    if not kind or Path(kind).name != kind:
        raise ParameterError(
            _(
                "--format is {kind!r}, but must be an ending such as gif, {frames}, or names as "
                "####.jpg",
                kind=kind,
                frames=FRAMES,
            )
        )
    # A plain pattern shows errors of all that is not a pattern's own.
    parameters = {name: value for name, value in overrides.items() if name not in TEXT_KEYS}
    animation = animate(_TRIAL_PATTERN, **parameters)
    export_jobs(animation, _output_path(Path(), _TRIAL_PATTERN, kind), options)


def _check_folder(out: Path, *, may_have_files: bool) -> None:
    """Raise an error for a folder that cannot hold the batch.

    Raises:
        ExportError: the path is not a folder, or the folder has files and must not.
    """
    with cannot_write(out):
        if out.exists() and not out.is_dir():
            raise ExportError(_("{out} is a file, but a batch needs a folder", out=out))
        if out.exists() and any(out.iterdir()) and not may_have_files:
            raise already_there(out, "files", _("or add --resume to keep the files of this batch"))


def _output_path(out: Path, name: str, kind: str) -> Path:
    """Return the path of a pattern's file or frames."""
    if kind.casefold() == FRAMES:
        return out / name
    if read_template(Path(kind)):
        return out / name / kind
    return out / f"{name}.{kind.removeprefix('.').casefold()}"


@dataclass(frozen=True)
class BatchItem:
    """One pattern of a batch.

    Args:
        source: opens this pattern alone: tricks.jml#3, or the name or text of a pattern.
        name: its name.
        settings: settings of the pattern; None if it cannot be read.
        error: why it cannot be read.
        notes: what in its file is not read; only the first pattern of a file has them.
    """

    source: str
    name: str
    settings: Settings | None = None
    error: JuggleError | None = None
    notes: tuple[Note, ...] = ()


def batch_items(texts: Iterable[str]) -> list[BatchItem]:
    """Open all patterns of files, of the library and of texts that stand for a pattern, in order.

    Args:
        texts: each the path of a file, the word "library", or a text or name of a pattern.

    Raises:
        NotationError: a text is neither a file nor a pattern.
        FileError: a file cannot be read, or holds no patterns.
    """
    items: list[BatchItem] = []
    for text in texts:
        is_library = text.strip().casefold() == LIBRARY
        items += _items_from_library() if is_library else _items_from_text(text)
    return items


def _items_from_library() -> Iterator[BatchItem]:
    for listed in listed_in_library():
        yield BatchItem(listed.pattern.name, listed.pattern.name, read_settings(listed.text))


def _items_from_text(text: str) -> Iterator[BatchItem]:
    """Yield the patterns of a file, or the one that a text stands for.

    Args:
        text: the path of a file, one pattern of a file as tricks.jml#3, or a text or name of a
            pattern.

    Raises:
        NotationError: the text is neither a file nor a pattern.
        FileError: the file cannot be read, or holds no patterns.
    """
    # A pattern, or one pattern of a file, such as tricks.jml#3.
    reference = find_file_reference(text)
    if reference is None or reference.choice is not None:
        yield from (_batch_item(entry, text) for entry in open_patterns(text).patterns)
        return

    # A file: its patterns are numbered from 1, and the first has the notes.
    file = shown_path(reference.path)
    patterns = open_patterns(text)
    if not patterns.patterns:
        raise FileError(_("{file} has no patterns", file=file))
    for number, entry in enumerate(patterns.patterns, start=1):
        item = _batch_item(entry, f"{file}#{number}")
        yield replace(item, notes=patterns.notes) if number == 1 else item


def _batch_item(entry: Entry, source: str) -> BatchItem:
    name = entry.settings.score.name if entry.settings else entry.text
    return BatchItem(
        source, entry.display.strip() or name, settings=entry.settings, error=entry.error
    )


def file_names(titles: Iterable[str]) -> list[str]:
    """Return a unique name for each title: its letters and digits, and a number if need be.

    Titles added at the end don't change earlier names, so a batch can be resumed with a longer
    list.
    """
    taken: set[str] = set()
    return [_unique_name(safe_name(title), taken) for title in titles]


def safe_name(title: str) -> str:
    """Return a title without anything special to a system, a shell or a template of frames."""
    plain = unicodedata.normalize("NFC", title)
    safe = "".join(letter if letter.isalnum() or letter in _SAFE_SIGNS else " " for letter in plain)
    short = "_".join(safe.split()).encode()[:MAX_NAME_BYTES].decode(errors="ignore")
    numberless = _FILE_NUMBER.sub("_", short.strip(_NOT_AT_ENDS))
    name = re.sub("_+", "_", numberless)
    return f"{name}_" if _WINDOWS_DEVICES.fullmatch(name.casefold()) else name or _FALLBACK_NAME


def _unique_name(name: str, taken: set[str]) -> str:
    """Return a name, with a number if it is taken; the result is added to `taken`."""
    unique_name = name
    number = 1
    # Some systems ignore case.
    while _file_system_key(unique_name) in taken:
        number += 1
        unique_name = f"{name}_{number}"
    taken.add(_file_system_key(unique_name))
    return unique_name


def _file_system_key(name: str) -> str:
    return unicodedata.normalize("NFKC", name.casefold())


@dataclass(frozen=True)
class Task:
    """Everything needed to write one pattern; it can be pickled.

    Args:
        number: identifies its outcome.
        settings: the pattern.
        overrides: parameters and text settings that override those of the pattern; as for
            `animate`.
        path: the absolute path to write to.
        options: options of the export; existing files of this same export are kept unless `force`
            is set.
    """

    number: int
    settings: Settings
    overrides: Mapping[str, Any]
    path: Path
    options: ExportOptions


def run_task(task: Task) -> Outcome:
    """Write one pattern, and return how that ended; errors become outcomes.

    Running a task twice is harmless: complete files are kept, or replaced by equal ones.

    Args:
        task: the pattern, where to write it, and how.
    """
    began = time.perf_counter()
    new_frames: list[int] = []  # frames that were drawn, none if complete files were kept
    try:
        animation = animated(task.settings, **task.overrides)
        # Complete files are kept, unless they are to be replaced.
        options = replace(
            task.options,
            resume=not task.options.force,
            progress=lambda done, _total: new_frames.append(done),
        )
        # There is a job for each camera. The kind of file follows from the path's ending, which all
        # of them share, so the first job tells it for all.
        kind = export_jobs(animation, task.path, options)[0].kind
        paths = export(animation, task.path, options)
    except JuggleError as error:
        return _failed_outcome(task, str(error), began)
    except MemoryError:
        return _failed_outcome(task, _("not enough memory"), began)
    except Exception as error:
        # An unexpected error in one pattern must not stop the thousands after it.
        return _failed_outcome(task, f"{type(error).__name__}: {error}", began)

    # Frames may be thousands; their folder is enough, each folder once.
    files = [path.parent for path in paths] if kind == "frames" else paths
    return Outcome(
        task.number,
        State.WRITTEN if new_frames else State.KEPT,
        files=tuple(dict.fromkeys(map(str, files))),
        seconds=time.perf_counter() - began,
    )


def _failed_outcome(task: Task, reason: str, began: float) -> Outcome:
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
        number: number of the task.
        state: the result; `KEPT` if complete files of this same export existed.
        files: written or kept; for frames their folder.
        reason: why it failed.
        seconds: time taken, [s].
    """

    number: int
    state: State
    files: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0
