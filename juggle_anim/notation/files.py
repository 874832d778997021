"""Pattern files of any kind: read by their content, written by the ending of their name.

Pictures and films carry a `Record` of the animation that they show, so they can be read, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing
from juggle_anim.errors import FileError
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_FILE_SIZE
from juggle_anim.notation.pattern_list import Entry, PatternList, WrittenText
from juggle_anim.notation.rewriting import (
    with_events_for_unwritable,
    with_props_of_juggling_lab,
    with_titles,
    without_names,
)
from juggle_anim.notation.text_file import (
    KINDS,
    ROUTINE_ENDINGS,
    FileKind,
    decoded_text,
    kind_of_text,
    read_text_file,
    shown_path,
)
from juggle_anim.notation.text_list import read_text_list, write_text_list

if TYPE_CHECKING:
    from juggle_anim.generator import Generated


import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError
from juggle_anim.metadata.record import Record, read_metadata, read_record
from juggle_anim.notation.settings.settings import Settings, read_settings, write_settings
from juggle_anim.parameters import ROWS, Parameters
from juggle_anim.resources import __version__

_TITLE = re.compile(r"^\s*title\s*=", re.IGNORECASE | re.MULTILINE)


def read_file(path: str | Path) -> PatternList:
    """Read all patterns of a JML, JIF, JoePass! or text file; a broken one in a list becomes an
    entry with its error.

    A picture or a video exported by juggle-anim gives the animation that made it.

    Raises:
        FileError: it cannot be read, or is none of these.
    """
    path = Path(path)
    if recorded := read_exported(path):
        return recorded
    return _read(read_text_file(path), shown_path(path), path)


def read_stream(stream: BinaryIO, name: str) -> PatternList:
    """Read all patterns of a stream, of the kind that its text looks like; else as `read_file`.

    Raises:
        FileError: it is not a text, or of no known kind; the message begins with `name`.
    """
    return _read(decoded_text(stream.read(MAX_FILE_SIZE + 1), name), name, Path())


def _read(text: str, name: str, path: Path) -> PatternList:
    # Loaded when first needed, since most runs read siteswaps only.
    match kind_of_text(text, path):
        case FileKind.JML:
            from juggle_anim.notation.jml import read_jml

            return read_jml(text, name)
        case FileKind.JIF:
            from juggle_anim.notation.jif import read_jif
            from juggle_anim.notation.json_list import read_json_list

            return read_json_list(text, name) or read_jif(text, name)
        case FileKind.JUGGLEMASTER:
            from juggle_anim.notation.jugglemaster import read_jugglemaster

            return read_jugglemaster(text, name)
        case FileKind.JOEPASS:
            from juggle_anim.notation.joepass import read_joepass

            return read_joepass(text, name)
        case FileKind.SCREEN_SAVER:
            from juggle_anim.notation.screen_savers import read_screen_saver

            return read_screen_saver(text, name)
        case FileKind.ROUTINE:
            from juggle_anim.notation.routine import read_routine

            return read_routine(text, name)
        case FileKind.TEXT:
            return read_text_list(text, name)


def write_file(patterns: PatternList, path: str | Path, force: bool = False) -> tuple[str, ...]:
    """Write patterns to a file, whole or not at all, as the ending of its name says.

    Args:
        patterns: what to write.
        path: a file that ends in .jml, .jif, .pass, .json, .xml or .txt; for a routine also
            .routine.
        force: whether a file that is there may be replaced.

    Returns:
        What the format cannot hold, a sentence for each.

    Raises:
        FileError: no format has this ending, or it holds just one pattern where there are several.
        ExportError: the file exists and `force` is not given, or it cannot be written.
    """
    path = Path(path)
    kind = KINDS.get(path.suffix.casefold())
    routine = _routine_of(patterns) if path.suffix.casefold() in ROUTINE_ENDINGS else ""
    if kind is None and not routine:
        raise FileError(
            _(
                "{path}: no format has this ending; there are {kinds}",
                path=shown_path(path),
                kinds=", ".join(KINDS),
            )
        )
    refuse_existing(path, force, shown_path(path))
    written = WrittenText(routine) if routine or kind is None else write_patterns(patterns, kind)
    prepare_folder(path)
    with atomic_file(path) as draft:
        draft.write_text(written.text, encoding="utf-8", newline="\n")
    return written.left_out


def _routine_of(patterns: PatternList) -> str:
    """The lines of the routine that a list is; empty if it is something else."""
    settings = patterns.patterns[0].settings if patterns.single and patterns.patterns else None
    if settings is None or settings.score.routine is None:
        return ""
    from juggle_anim.notation.routine_lines import with_parameters

    return with_parameters(settings.score.routine.text, settings.parameters)


def write_found(found: Iterable[Generated], path: str | Path, force: bool = False) -> None:
    """Write patterns that the generator found to a list that can be opened again, whole or not at
    all.

    Args:
        found: any number of patterns; they need not fit in memory for a .txt.
        path: a file that ends in .txt, .jml, or .json: a list of objects with a pattern, and the
            throws into it and out of it.
        force: whether a file that is there may be replaced.

    Raises:
        FileError: the name has another ending.
        ExportError: the file exists and `force` is not given, or it cannot be written.
    """
    path = Path(path)
    ending = path.suffix.casefold()
    if ending not in (".txt", ".jml", ".json"):
        raise FileError(
            _(
                "{path}: a list of patterns that were found ends in .txt, .jml or .json",
                path=shown_path(path),
            )
        )
    refuse_existing(path, force, shown_path(path))
    prepare_folder(path)
    with atomic_file(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        if ending == ".txt":
            file.writelines(f"{each.pattern}\n" for each in found)
        elif ending == ".json":
            file.write("[\n" + ",\n".join(json.dumps(each._asdict()) for each in found) + "\n]\n")
        else:
            from juggle_anim.notation.jml import write_jml

            file.write(
                write_jml(
                    PatternList(tuple(Entry(each.pattern, text=each.pattern) for each in found))
                )
            )


def write_patterns(patterns: PatternList, kind: FileKind) -> WrittenText:
    """Patterns as a text of some kind, names of the library written out.

    Raises:
        FileError: the kind holds just one pattern where there are several.
    """
    if kind not in (FileKind.JIF, FileKind.JOEPASS):
        patterns = with_events_for_unwritable(patterns)
    written = _written(without_names(patterns), kind)
    return WrittenText(written.text, (*_broken(patterns), *written.left_out))


def _written(patterns: PatternList, kind: FileKind) -> WrittenText:
    match kind:
        case FileKind.JML:
            from juggle_anim.notation.jml import write_jml

            patterns, lacking = with_props_of_juggling_lab(patterns)
            return WrittenText(write_jml(patterns), lacking)
        case FileKind.JIF:
            return _as_jif(patterns)
        case FileKind.JOEPASS:
            from juggle_anim.notation.joepass import write_joepass

            return write_joepass(with_titles(patterns))
        case FileKind.TEXT:
            return write_text_list(patterns)
        case _:
            raise FileError(
                _(
                    "{value} is a format that is only read; there are {kinds}",
                    value=_(kind.value),
                    kinds=", ".join(KINDS),
                )
            )


def _as_jif(patterns: PatternList) -> WrittenText:
    from juggle_anim.notation.jif import write_jif

    text = write_jif(with_titles(patterns))
    (entry,) = patterns.patterns
    left_out = []
    if not patterns.single and (patterns.title or patterns.about or len(patterns.entries) > 1):
        left_out.append(
            _(
                "{display}: the title and the words of the list around it are not written",
                display=entry.display,
            )
        )
    if entry.animprefs:
        left_out.append(
            _("{display}: how another program is to show it is not written", display=entry.display)
        )
    return WrittenText(text, tuple(left_out))


def _broken(patterns: PatternList) -> Iterator[str]:
    for entry in patterns.entries:
        if entry.error:
            stays = _("is written as it stands") if entry.text else _("only its name is written")
            yield _(
                "{display}: it is not valid, and {stays}: {error}",
                display=entry.display,
                stays=stays,
                error=str(entry.error).splitlines()[0],
            )


def record_of(score: Score, parameters: Parameters, picture: Mapping[str, Any]) -> Record:
    """Return the record of an animation to embed in a file; `read_exported` reads it back.

    Args:
        score: what is juggled.
        parameters: how.
        picture: how the picture is taken, as JSON can hold it.
    """
    if score.pattern:
        return Record(write_settings(score, parameters), picture=picture, version=__version__)
    # JML says what is thrown, but nothing of elbows and the like.
    changed = {
        row.name: value for row in ROWS if (value := getattr(parameters, row.name)) != row.default
    }
    if score.routine:
        text = score.routine.text
        lines = text if _TITLE.search(text) else f"title={score.title}\n{text}"
        return Record(routine=lines, parameters=changed, picture=picture, version=__version__)
    from juggle_anim.notation.jml import write_jml

    jml = write_jml(PatternList((Entry(score.name, Settings(score)),), single=True))
    return Record(jml=jml, parameters=changed, picture=picture, version=__version__)


def read_exported(path: Path) -> PatternList | None:
    """Read the animation embedded in a picture or a video, as a list of one; None where there is
    none.

    Raises:
        FileError: what it carries cannot be read.
    """
    try:
        words = read_metadata(path)
    except (OSError, ValueError):
        return None  # reading it as text raises the error
    record = read_record(words) if words else None
    if record is None:
        return None
    try:
        settings = _settings(record, shown_path(path))
    except JuggleError as error:
        # Nobody typed what the file carries, so there is no text in which to show the place.
        reason, *_text_and_caret = str(error).split("\n")
        raise FileError(
            _(
                "{path}: holds an animation that cannot be read: {error}",
                path=shown_path(path),
                error=reason,
            )
        ) from error
    return PatternList((Entry(settings.score.name, settings, text=record.settings),), single=True)


def _settings(record: Record, name: str) -> Settings:
    if record.routine:
        from juggle_anim.notation.routine import read_routine

        patterns = read_routine(record.routine, name).patterns
    elif record.jml:
        from juggle_anim.notation.jml import read_jml

        patterns = read_jml(record.jml, name).patterns
    else:
        return read_settings(record.settings)
    settings = patterns[0].settings if patterns else None
    if settings is None:
        raise FileError(_("its events are broken"))
    Parameters().replace(**record.parameters)  # raises for an unknown name or value
    return dataclasses.replace(settings, parameters=dict(record.parameters), complete=True)
