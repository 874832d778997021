"""Opening patterns: a siteswap, a name of the library, settings or a file, whichever a text
means.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from juggle_anim.errors import FileError, JuggleError, NotationError, printable
from juggle_anim.formats import BY_ENDING as EXPORTED
from juggle_anim.formats import load
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.formats import BY_ENDING as PATTERN_FILES
from juggle_anim.notation.formats import ROUTINE
from juggle_anim.notation.numbers import whole_number
from juggle_anim.notation.settings.settings import Settings, is_link, read_settings

# Files, lists and the search of names are loaded when first needed, since most runs read siteswaps
# only.
if TYPE_CHECKING:
    from juggle_anim.notation.pattern_list import Entry, Note, PatternList

_MAX_PATH_LENGTH = 4_096  # characters; longer paths exist on no system
_SHOWN_NAME_LENGTH = 100  # characters of a name in an error


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
        """Read the patterns meant, at least one.

        Raises:
            FileError: the file cannot be read, or holds no such pattern.
        """
        from juggle_anim.notation.files import read_file
        from juggle_anim.notation.text_file import shown_path

        file = read_file(self.path)
        # One pattern of the file, with the notes on its own line only.
        if self.choice is not None:
            number = _chosen_number(file.patterns, self.choice, shown_path(self.path))
            entry = file.patterns[number - 1]
            notes = tuple(note for note in file.notes if note.line == entry.line)
            return NumberedPatterns(((number, entry),), notes)
        if not file.patterns:
            raise FileError(
                _(
                    "{path}: has no patterns: no line is, starts with or ends with one",
                    path=shown_path(self.path),
                )
            )
        return NumberedPatterns(tuple(enumerate(file.patterns, start=1)), file.notes)


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

    Args:
        text: as `open_pattern` takes it.

    Raises:
        NotationError: it is no valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    # A file, or a pattern in one.
    reference = find_file_reference(text)
    if reference is not None:
        numbered, notes = reference.numbered()
        _first_number, entry = numbered[0]
        if entry.settings is None:
            raise broken_entry_error(entry, reference.path)
        return Opened(entry.settings, len(numbered), notes)

    # Lines of a routine.
    if isinstance(text, str) and "\n" in text and ROUTINE.claims(text):
        routine = load(ROUTINE.reader)(text).patterns[0].settings
        assert routine is not None, "a routine is one pattern or an error"
        return Opened(routine)

    # A siteswap, a name or settings.
    settings = read_settings(text)
    return Opened(settings, notes=_notes(settings))


def open_patterns(text: str) -> PatternList:
    """Open all patterns that a text stands for.

    Args:
        text: as `open_pattern` takes it; a file without a choice stands for all of its patterns.

    Raises:
        NotationError: it is no valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    from juggle_anim.notation.files import read_file
    from juggle_anim.notation.pattern_list import Entry, PatternList

    reference = find_file_reference(text)
    if reference is not None and reference.choice is None:
        return read_file(reference.path)
    if reference is not None:
        numbered, notes = reference.numbered()
        return PatternList(tuple(entry for _number, entry in numbered), single=True, notes=notes)
    settings = read_settings(text)
    # Settings may be typed over several lines; an entry of a list is one line.
    line = " ".join(text.strip().splitlines())
    entry = Entry(settings.score.title or line, settings, text=line)
    return PatternList((entry,), single=True, notes=_notes(settings))


def _notes(settings: Settings) -> tuple[Note, ...]:
    """Return the notes on what was not read in typed settings, which stand on no line."""
    if not settings.notes:
        return ()
    from juggle_anim.notation.pattern_list import Note

    return tuple(Note(0, text) for text in settings.notes)


def find_file_reference(text: str) -> FileReference | None:
    """Return the file that a text names, `tricks.jml` or `tricks.jml#3`, whether it exists or not.

    None if the text stands for a pattern by itself: throws, settings or a name of the library.
    """
    if not isinstance(text, str) or not text.strip():
        return None
    # No file has so long a name, and a link has the pattern in itself.
    if len(text) > _MAX_PATH_LENGTH or is_link(text):
        return None

    # A # may begin the choice of a pattern, or be a part of the file's name. Both ways give a name
    # of a file, with the choice: first the whole text, None for all patterns.
    path, _mark, choice = text.rpartition("#")
    choice_by_name: dict[str, str | None] = {text: None}
    if path:
        choice_by_name[path] = choice.strip()
    existing = [name for name in choice_by_name if _is_there(name)]
    file_like = [name for name in choice_by_name if _looks_like_file(name)]
    if not (existing or file_like):
        return None

    # A file may by chance have a name such as 531. It is meant only if its name also has the form
    # of a file's name, or if the text is no pattern.
    is_plainly_file = existing and existing[0] in file_like
    if not is_plainly_file and _is_pattern(text):
        return None
    # If no file exists, the last name that looks like one is taken, which is without the choice if
    # possible; reading it raises the error.
    name = existing[0] if existing else file_like[-1]
    return FileReference(_path(name), choice_by_name[name])


def broken_entry_error(entry: Entry, path: Path) -> JuggleError:
    """Return the error for an entry that is no valid pattern, with the file and the line."""
    from juggle_anim.notation.text_file import shown_path

    # An error that names the file already is not made longer.
    if isinstance(entry.error, FileError) and str(entry.error).startswith(shown_path(path)):
        return entry.error
    line = _(", line {line}", line=entry.line) if entry.line else ""
    return FileError(f"{shown_path(path)}{line}: {entry.error}")


def _chosen_number(entries: Sequence[Entry], choice: str, file: str) -> int:
    """Return the number, from 1, of the pattern that a choice means.

    Args:
        entries: the patterns of a file, in order.
        choice: a number from 1, or else a name, in any case and with any accents.
        file: its name, with which errors begin.

    Raises:
        FileError: there is no such pattern.
    """
    from juggle_anim.notation.library import name_key
    from juggle_anim.notation.search import nearest_names

    if choice.isascii() and choice.isdigit() and (number := whole_number(choice, len(entries))):
        return number
    for number, entry in enumerate(entries, start=1):
        if choice and name_key(choice) in map(name_key, _names(entry)):
            return number

    # No pattern was found. The error suggests the most similar name, or else says which numbers
    # there are.
    names = [name for entry in entries for name in _names(entry)]
    nearest = () if choice.isdigit() else nearest_names(choice, names, alike=0.5)
    if nearest:
        hint = _("did you mean #{near}?", near=printable(nearest[0], _SHOWN_NAME_LENGTH))
    elif entries:
        hint = _("there are #1 to #{count}", count=len(entries))
    else:
        hint = _("it has none")
    raise FileError(
        _(
            "{file}: has no pattern #{choice}; {hint}",
            file=file,
            choice=printable(choice, _SHOWN_NAME_LENGTH),
            hint=hint,
        )
    )


def _names(entry: Entry) -> tuple[str, ...]:
    """Return what an entry may be called: its words, title and text."""
    title = entry.settings.score.title if entry.settings else ""
    return tuple(name for name in (entry.display.strip(), title, entry.text) if name)


def _path(text: str) -> Path:
    """Return the path of a name with ~ expanded."""
    try:
        return Path(text).expanduser()
    except (RuntimeError, ValueError):  # there is no such user, or there can be none
        return Path(text)


def _is_there(name: str) -> bool:
    """Return whether a file exists, in a tenth of the time that a Path takes."""
    try:
        return os.path.exists(os.path.expanduser(name))
    except ValueError:  # there can be no such user
        return False


def _looks_like_file(text: str) -> bool:
    """Return whether a text has the form of a file's name.

    Settings have an =, and siteswaps a / only in brackets.
    """
    if "pattern=" in text.casefold():
        return False
    ending = Path(text).suffix.casefold()
    if ending in PATTERN_FILES or ending in EXPORTED:
        return True
    return os.sep in text and not any(sign in text for sign in "[=<")


def _is_pattern(text: str) -> bool:
    """Return whether a text is read as a pattern that stands in no file."""
    try:
        read_settings(text)
    except NotationError:
        return False
    return True
