"""Opening patterns: a siteswap, a name of the library, settings or a file, whichever a text
means.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from juggle_anim.errors import FileError, JuggleError, NotationError, printable
from juggle_anim.formats import BY_ENDING
from juggle_anim.language import _
from juggle_anim.notation.files import read_file
from juggle_anim.notation.formats import ROUTINE, format_of_name
from juggle_anim.notation.library import name_key
from juggle_anim.notation.numbers import whole_number
from juggle_anim.notation.pattern_list import Entry, Note, PatternList
from juggle_anim.notation.search import nearest_names
from juggle_anim.notation.settings.settings import Settings, is_link, read_settings
from juggle_anim.notation.text_file import shown_path


@dataclass(frozen=True)
class FileReference:
    """A file of patterns, and which of its patterns is meant.

    Args:
        path: of a file.
        choice: which of its patterns: a number from 1 or a name; None where all of it is meant.
    """

    path: Path
    choice: str | None = None

    def numbered(self) -> NumberedPatterns:
        """The patterns meant, at least one.

        Raises:
            FileError: the file cannot be read, or holds no such pattern.
        """
        found = read_file(self.path)
        among = found.patterns
        if self.choice is not None:
            number = _number(among, self.choice, shown_path(self.path))
            entry = among[number - 1]
            return NumberedPatterns(
                ((number, entry),), tuple(note for note in found.notes if note.line == entry.line)
            )
        if not among:
            raise FileError(
                _(
                    "{path}: holds no patterns: no line is one, or begins or ends with one",
                    path=shown_path(self.path),
                )
            )
        return NumberedPatterns(tuple(enumerate(among, start=1)), found.notes)


class NumberedPatterns(NamedTuple):
    """Patterns of a file.

    Args:
        patterns: each with its number in the file, from 1.
        notes: what is not read in them; for all of a file also what is not read between them.
    """

    patterns: tuple[tuple[int, Entry], ...]
    notes: tuple[Note, ...] = ()


class Opened(NamedTuple):
    """The first of the patterns that a text stands for.

    Args:
        settings: what it says.
        total: how many patterns there are.
        notes: what is not read in them.
    """

    settings: Settings
    total: int = 1
    notes: tuple[Note, ...] = ()


def open_pattern(text: str) -> Settings:
    """Open the one pattern that a text stands for.

    Args:
        text: a siteswap, a name of the library, settings, or a file of patterns: `tricks.jml#3` is
            its third, `tricks.jml#box` the one of that name, and `tricks.jml` its first. Where a
            file has the name of a siteswap, the siteswap is meant. Lines of a routine may stand for
            themselves.

    Raises:
        NotationError: it is no valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    return open_first(text).settings


def open_first(text: str) -> Opened:
    """Open the first of the patterns that a text stands for.

    Raises:
        NotationError: it is no valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    place = find_file_reference(text)
    if place is None:
        if isinstance(text, str) and "\n" in text and ROUTINE.claims(text):
            # Loaded when first needed, since most runs read siteswaps only.
            from juggle_anim.notation.routine import read_routine

            settings = read_routine(text).patterns[0].settings
            assert settings is not None, "a routine is one pattern or an error"
            return Opened(settings)
        settings = read_settings(text)
        return Opened(settings, notes=_notes(settings))
    numbered, notes = place.numbered()
    _unused, entry = numbered[0]
    if entry.settings is None:
        raise broken_entry_error(entry, place.path)
    return Opened(entry.settings, len(numbered), notes)


def open_patterns(text: str) -> PatternList:
    """Open all patterns that a text stands for: those of a file, or the one that `open_pattern`
    returns.

    Raises:
        NotationError: it is no valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    place = find_file_reference(text)
    if place is not None and place.choice is None:
        return read_file(place.path)
    if place is not None:
        numbered, notes = place.numbered()
        return PatternList(tuple(entry for _, entry in numbered), single=True, notes=notes)
    settings = read_settings(text)
    line = " ".join(text.strip().splitlines())
    entry = Entry(settings.score.title or line, settings, text=line)
    return PatternList((entry,), single=True, notes=_notes(settings))


def _notes(settings: Settings) -> tuple[Note, ...]:
    """What was not read in typed settings."""
    return tuple(Note(0, text) for text in settings.notes)


def find_file_reference(text: str) -> FileReference | None:
    """Return the file that a text names, whether it exists or not; None for a name or throws of a
    pattern.
    """
    if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_PATH or is_link(text):
        return None
    path, _unused, choice = text.rpartition("#")
    choices = {text: None} | ({path: choice.strip()} if path else {})
    there = [name for name in choices if _is_there(name)]
    named = [name for name in choices if _looks_like_file(name)]
    if not (there or named) or (not (there and there[0] in named) and _is_pattern(text)):
        return None
    name = there[0] if there else named[-1]
    return FileReference(_path(name), choices[name])


def broken_entry_error(entry: Entry, path: Path) -> JuggleError:
    """The error for an entry that is no valid pattern, with the file and the line."""
    if isinstance(entry.error, FileError) and str(entry.error).startswith(shown_path(path)):
        return entry.error
    line = _(", line {line}", line=entry.line) if entry.line else ""
    return FileError(f"{shown_path(path)}{line}: {entry.error}")


def _number(among: Sequence[Entry], choice: str, file: str) -> int:
    """The number of the pattern that a choice means: a number from 1, or else a name."""
    if choice.isascii() and choice.isdigit() and (chosen := whole_number(choice, len(among))):
        return chosen
    for number, entry in enumerate(among, start=1):
        if choice and name_key(choice) in map(name_key, _names(entry)):
            return number
    names = [name for entry in among for name in _names(entry)]
    near = () if choice.isdigit() else nearest_names(choice, names, alike=0.5)
    numbers = _("there are #1 to #{count}", count=len(among)) if among else _("it holds none")
    hint = _("did you mean #{near}?", near=printable(near[0], _SHOWN)) if near else numbers
    raise FileError(
        _(
            "{file}: has no pattern #{choice}; {hint}",
            file=file,
            choice=printable(choice, _SHOWN),
            hint=hint,
        )
    )


def _names(entry: Entry) -> tuple[str, ...]:
    score = entry.settings.score if entry.settings else None
    return tuple(
        name for name in (entry.display.strip(), score.title if score else "", entry.text) if name
    )


def _path(text: str) -> Path:
    """Return the path of a name with ~ expanded."""
    try:
        return Path(text).expanduser()
    except (RuntimeError, ValueError):  # there is no such user, or there can be none
        return Path(text)


def _is_there(name: str) -> bool:
    # In a tenth of the time that a Path takes.
    try:
        return os.path.exists(os.path.expanduser(name))
    except ValueError:  # there can be no such user
        return False


def _looks_like_file(text: str) -> bool:
    """Whether a text has the form of a file's name: settings have an =, and siteswaps a / only in
    brackets.
    """
    if "pattern=" in text.casefold():
        return False
    if format_of_name(Path(text)) or Path(text).suffix.casefold() in BY_ENDING:
        return True
    return os.sep in text and not any(sign in text for sign in "[=<")


def _is_pattern(text: str) -> bool:
    try:
        read_settings(text)
    except NotationError:
        return False
    return True


_LONGEST_PATH = 4_096
_SHOWN = 100
