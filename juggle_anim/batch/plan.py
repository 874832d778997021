"""The plan of a batch: a file for each pattern, found to be possible before the first of thousands is begun.

MERGED: What is asked of a batch: the patterns of files and of the library, each with the place where it stands.

MERGED: Names of files for patterns: safe on any system and in any shell, and no two alike.
"""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from juggle_anim.animation import animate
from juggle_anim.atomic_file import already_there, cannot_write
from juggle_anim.batch.task import Outcome, State, Task
from juggle_anim.errors import ExportError, FileError, JuggleError, ParameterError
from juggle_anim.exporter.export import export, jobs_for
from juggle_anim.exporter.file_names import read_template
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.notation.listing import listed_in_library
from juggle_anim.notation.open import find_file_reference, open_patterns
from juggle_anim.notation.pattern_list import Entry
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.notation.text_file import shown_path
from juggle_anim.parameters import TEXT_KEYS

FRAMES = "frames"
"""In place of an ending: a folder of frames for each pattern."""

_PLAIN = "3"

_ONE_PICTURE = 1e-9
"""So short a span is one picture, [s]."""

LIBRARY = "library"
"""The word for all patterns that come with the program; a file of this name is ./library."""

LONGEST = 100
"""Of a name without its ending, [bytes]; systems take 255, and a draft's name is longer than that of its file."""

_HARMLESS = "-+,"

_NOT_AT_ENDS = "-+,_"

_NAMELESS = "pattern"

# One pattern may have several files: a-1.bvh, a-2.bvh. None of those should be that of another pattern.
_PART = re.compile(r"-(?=(\d+|props)$)")

# Windows keeps these for itself, whatever ending they have.
_DEVICES = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")


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
    asked: Sequence[BatchItem],
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
        ParameterError, ExportError, RenderError: as for `juggle_anim.api.export`.
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


def _broken(asked: Sequence[BatchItem]) -> Iterator[Outcome]:
    for number, each in enumerate(asked):
        if each.settings is None:
            yield Outcome(number, State.FAILED, reason=str(each.error))


@dataclass(frozen=True)
class BatchItem:
    """One pattern of a batch.

    Args:
        source: by which it is opened alone: tricks.jml#3, or the name or text of a pattern.
        name: what it is called.
        settings: what is to be juggled; None where that cannot be read.
        error: why it cannot be read.
    """

    source: str
    name: str
    settings: Settings | None = None
    error: JuggleError | None = None


def batch_items(texts: Iterable[str]) -> list[BatchItem]:
    """All patterns of files, of the library and of any text that stands for a pattern, in their order.

    Raises:
        NotationError: a text is neither a file nor a pattern.
        FileError: a file cannot be read, or holds no patterns.
    """
    return [asked for text in texts for asked in (_library() if text.strip().casefold() == LIBRARY else _opened(text))]


def _library() -> Iterator[BatchItem]:
    for listed in listed_in_library():
        yield BatchItem(listed.pattern.name, listed.pattern.name, read_settings(listed.text))


def _opened(text: str) -> Iterator[BatchItem]:
    place = find_file_reference(text)
    if place is None or place.choice is not None:
        yield from (_of(entry, text) for entry in open_patterns(text).patterns)
        return
    file = shown_path(place.path)
    patterns = open_patterns(text).patterns
    if not patterns:
        raise FileError(f"{file}: holds no patterns")
    yield from (_of(entry, f"{file}#{number}") for number, entry in enumerate(patterns, start=1))


def _of(entry: Entry, source: str) -> BatchItem:
    name = entry.settings.score.name if entry.settings else entry.text
    return BatchItem(source, entry.display.strip() or name, entry.settings, entry.error)


def file_names(titles: Iterable[str]) -> list[str]:
    """A name for each title: its letters and digits, and a number after a name that an earlier one has.

    More titles behind the others change no name of those, so that a batch can be resumed with a longer list.
    """
    taken: set[str] = set()
    return [_untaken(safe_name(title), taken) for title in titles]


def safe_name(title: str) -> str:
    """A title without what a system, a shell or a template for frames would take for something else."""
    plain = unicodedata.normalize("NFC", title)
    kept = "".join(sign if sign.isalnum() or sign in _HARMLESS else " " for sign in plain)
    name = _PART.sub("_", _cut("_".join(kept.split())).strip(_NOT_AT_ENDS))
    return f"{name}_" if _DEVICES.fullmatch(name.casefold()) else name or _NAMELESS


def _untaken(name: str, taken: set[str]) -> str:
    free, number = name, 1
    # Some systems know no difference between small and large letters.
    while _key(free) in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(_key(free))
    return free


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name.casefold())


def _cut(name: str) -> str:
    return name.encode()[:LONGEST].decode(errors="ignore")
