"""Pattern files of any kind: read by their content, written by the ending of their name.

Pictures and films carry a `Record` of the animation that they show, so they can be read, too.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing
from juggle_anim.choreography import Score
from juggle_anim.errors import FileError, JuggleError
from juggle_anim.formats import load
from juggle_anim.language import _
from juggle_anim.metadata.record import Record, read_metadata, read_record
from juggle_anim.notation.formats import ROUTINE, WRITTEN, PatternFormat, format_of_text
from juggle_anim.notation.limits import MAX_FILE_SIZE
from juggle_anim.notation.pattern_list import Entry, PatternList, WrittenText
from juggle_anim.notation.settings.settings import Settings, read_settings, write_settings
from juggle_anim.notation.text_file import decoded_text, read_text_file, shown_path
from juggle_anim.parameters import ROWS, Parameters
from juggle_anim.resources import __version__

if TYPE_CHECKING:
    from juggle_anim.generator import Generated

_TITLE = re.compile(r"^\s*title\s*=", re.IGNORECASE | re.MULTILINE)


def read_file(path: str | Path) -> PatternList:
    """Read all patterns of a file in any format; a broken one becomes an entry with its error.

    A picture or a video exported by juggle-anim gives the animation that made it.

    Raises:
        FileError: it cannot be read, or is none of these.
    """
    path = Path(path)
    if recorded := read_exported(path):
        return recorded
    return read_text(read_text_file(path), shown_path(path), path)


def read_stream(stream: BinaryIO, name: str) -> PatternList:
    """Read all patterns of a stream, of the kind that its text looks like; else as `read_file`.

    Raises:
        FileError: it is not a text, or of no known kind; the message begins with `name`.
    """
    return read_text(decoded_text(stream.read(MAX_FILE_SIZE + 1), name), name, Path())


def read_text(text: str, name: str, path: Path) -> PatternList:
    """Read all patterns of a text, of the kind that it looks like; else as `read_file`.

    Args:
        text: of a file.
        name: with which errors begin.
        path: of the file, of which only the ending counts.

    Raises:
        FileError: it is of no known kind.
    """
    patterns: PatternList = load(format_of_text(text, path).reader)(text, name)
    return patterns


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
    ending = path.suffix.casefold()
    file_format = WRITTEN.get(ending)
    # A .txt file is usually a list of patterns. A routine is written to it as its own lines, which
    # are read back as a routine.
    if ending in ROUTINE.written and write_routine(patterns):
        file_format = ROUTINE
    if file_format is None:
        raise FileError(
            _(
                "{path}: unknown file ending; use {kinds}",
                path=shown_path(path),
                kinds=", ".join(WRITTEN),
            )
        )
    refuse_existing(path, force, shown_path(path))
    # The text is made before the folder and the file, so that an error leaves neither behind.
    text_and_losses = write_patterns(patterns, file_format)
    prepare_folder(path)
    with atomic_file(path) as draft:
        draft.write_text(text_and_losses.text, encoding="utf-8", newline="\n")
    return text_and_losses.left_out


def write_routine(patterns: PatternList) -> str:
    """Write the lines of the routine that a list is; empty if it is something else."""
    settings = patterns.patterns[0].settings if patterns.single and patterns.patterns else None
    if settings is None or settings.score.routine is None:
        return ""
    from juggle_anim.notation.routine_lines import with_parameters

    return with_parameters(settings.score.routine.text, settings.parameters)


def write_found(patterns: Iterable[Generated], path: str | Path, force: bool = False) -> None:
    """Write what the generator found as a list that can be opened again, whole or not at all.

    Args:
        patterns: any number of patterns; they need not fit in memory for a .txt.
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
                "{path}: save a list of patterns as .txt, .jml or .json",
                path=shown_path(path),
            )
        )
    refuse_existing(path, force, shown_path(path))
    prepare_folder(path)
    with atomic_file(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        # Lines are written while patterns are found; the other formats take all of them at once.
        if ending == ".txt":
            file.writelines(f"{generated.pattern}\n" for generated in patterns)
        elif ending == ".json":
            rows = (json.dumps(generated._asdict()) for generated in patterns)
            file.write("[\n" + ",\n".join(rows) + "\n]\n")
        else:
            from juggle_anim.notation.jml import write_jml

            texts = (generated.pattern for generated in patterns)
            file.write(write_jml(PatternList(tuple(Entry(text, text=text) for text in texts))))


def write_patterns(patterns: PatternList, file_format: PatternFormat) -> WrittenText:
    """Write patterns as a text of some format, with names of the library written out.

    Args:
        patterns: the list to write.
        file_format: of the text.

    Returns:
        The text, and a sentence for each broken pattern and each thing that the format cannot hold.

    Raises:
        FileError: the format is only read, or holds just one pattern where there are several.
    """
    if not file_format.writer:
        raise FileError(
            _(
                "{value} files can only be opened; use {kinds}",
                value=_(file_format.name),
                kinds=", ".join(WRITTEN),
            )
        )
    # First patterns are brought into a form that the format can hold, then written.
    rewritten, losses = (
        load(file_format.rewrite)(patterns) if file_format.rewrite else (patterns, ())
    )
    text_and_losses = load(file_format.writer)(rewritten)
    if isinstance(text_and_losses, str):
        text_and_losses = WrittenText(text_and_losses)
    return WrittenText(
        text_and_losses.text, (*_sentences_on_broken(patterns), *losses, *text_and_losses.left_out)
    )


def _sentences_on_broken(patterns: PatternList) -> Iterator[str]:
    """Yield a sentence for each broken pattern, which is written as it stands in the file."""
    for entry in patterns.entries:
        if entry.error:
            stays = _("is saved unchanged") if entry.text else _("only its name is saved")
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
    # A pattern on beats is recorded as a settings string, which has all of its parameters.
    if score.pattern:
        return Record(write_settings(score, parameters), picture=picture, version=__version__)

    # A routine is recorded as its lines, and other events as JML. These texts do not hold all
    # parameters, so those that are not at their defaults are recorded beside them.
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
    """Read the animation that is embedded in a picture or a video, as a list of one pattern.

    Args:
        path: of a file of any kind.

    Returns:
        None if the file is something else or holds no animation.

    Raises:
        FileError: what it carries cannot be read.
    """
    try:
        metadata = read_metadata(path)
    except (OSError, ValueError):
        return None  # reading it as text raises the error
    record = read_record(metadata) if metadata else None
    if record is None:
        return None
    try:
        settings = _recorded_settings(record, shown_path(path))
    except JuggleError as error:
        # Only the first line of the error is the reason; further ones show a place in the text. As
        # nobody typed what the file carries, they are left out.
        reason, *_text_and_caret = str(error).split("\n")
        raise FileError(
            _(
                "{path}: has an animation that cannot be read: {error}",
                path=shown_path(path),
                error=reason,
            )
        ) from error
    return PatternList((Entry(settings.score.name, settings, text=record.settings),), single=True)


def _recorded_settings(record: Record, name: str) -> Settings:
    """Read the settings, routine or events of a record, with its parameters.

    Args:
        record: that a file carries; exactly one of the three is set.
        name: of the file, for errors.

    Raises:
        JuggleError: they are broken, or a parameter is.
    """
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
