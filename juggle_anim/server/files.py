"""Files of patterns that the page opens and saves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from juggle_anim.errors import FileError, JuggleError
from juggle_anim.language import _
from juggle_anim.notation import (
    Entry,
    PatternList,
    note_sentences,
    read_text,
    write_jml,
    write_patterns,
    write_routine,
    write_settings,
)
from juggle_anim.notation.formats import WRITTEN
from juggle_anim.parameters import DEFAULTS
from juggle_anim.server.exchange import MAX_LISTED
from juggle_anim.server.ladder import settings_by_key
from juggle_anim.server.query import read_query, read_shown


def opened(text: str, name: str) -> dict[str, Any]:
    """Return the patterns of a file, as JSON values.

    "title" is of the list, or else the name of the file. "patterns" each have a "name", and the
    "settings" that open them or the "error" of one that is none. "notes" say what was not read.

    Args:
        text: text of the file.
        name: name of the file; its ending says what it is where the text does not.

    Raises:
        FileError: it is no file of patterns.
    """
    patterns = read_text(text, name, Path(name))
    rows = [_listed(entry, name) for entry in patterns.patterns[:MAX_LISTED]]
    left_out = len(patterns.patterns) - len(rows)
    notes = note_sentences(patterns.notes)
    if left_out:
        notes.append(_("{count} more patterns are not listed", count=left_out))
    return {"title": patterns.title or name, "patterns": rows, "notes": notes}


def _listed(entry: Entry, file: str) -> dict[str, Any]:
    """Return what the page is told of a pattern in a file, whose name it has if it has none."""
    name = entry.display or file
    if entry.settings is None:
        return {"name": name, "error": str(entry.error).splitlines()[0]}
    try:
        settings = _settings_for_page(entry)
        title = {} if name == settings["pattern"] else {"title": name}
        return {"name": name, "settings": {**settings, **title}}
    except JuggleError as error:
        return {"name": name, "error": str(error).splitlines()[0]}


def _settings_for_page(entry: Entry) -> Mapping[str, str]:
    """Return the settings that open a pattern in the page.

    The pattern of a routine is its lines, that of events JML.

    Args:
        entry: a valid pattern of a file.

    Returns:
        Values by the keys of settings.
    """
    assert entry.settings is not None, "it is valid"
    score = entry.settings.score
    if score.pattern:
        parameters = entry.settings.applied_to(DEFAULTS)
        return settings_by_key(write_settings(score, parameters))
    alone = PatternList((entry,), single=True)
    text = write_routine(alone) or write_jml(alone)
    return {"pattern": f"{text.strip()}\n"}


def saved(text: str, name: str) -> bytes:
    """Return the content of a file of some patterns.

    Args:
        text: the query of a pattern's address in each line.
        name: name of the file; its ending says what it is.

    Raises:
        FileError: lists cannot be saved so.
        JuggleError: a pattern is none.
    """
    file_format = WRITTEN.get(Path(name).suffix.casefold())
    if file_format is None:
        raise FileError(
            _("{path}: unknown file ending; use {kinds}", path=name, kinds=", ".join(WRITTEN))
        )
    entries = tuple(_entry(line) for line in text.splitlines()[:MAX_LISTED])
    return write_patterns(PatternList(entries), file_format).text.encode()


def _entry(line: str) -> Entry:
    """Return a pattern of a list as the page has it: the query of its address.

    Raises:
        JuggleError: it is no pattern.
    """
    settings = read_shown(read_query(line).settings)
    score = settings.score
    text = write_settings(score, settings.applied_to(DEFAULTS)) if score.pattern else ""
    return Entry(score.name, settings, text=text)
