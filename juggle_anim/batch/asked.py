"""What is asked of a batch: the patterns of files and of the library, each with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from juggle_anim.errors import FileError, JuggleError
from juggle_anim.notation.file_text import shown_path
from juggle_anim.notation.listed import listed_in_library
from juggle_anim.notation.opening import find_place, open_patterns
from juggle_anim.notation.pattern_list import Entry
from juggle_anim.notation.settings import Settings, read_settings

LIBRARY = "library"
"""The word for all patterns that come with the program; a file of this name is ./library."""


@dataclass(frozen=True)
class Asked:
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


def ask(texts: Iterable[str]) -> list[Asked]:
    """All patterns of files, of the library and of any text that stands for a pattern, in their order.

    Raises:
        NotationError: a text is neither a file nor a pattern.
        FileError: a file cannot be read, or holds no patterns.
    """
    return [asked for text in texts for asked in (_library() if text.strip().casefold() == LIBRARY else _opened(text))]


def _library() -> Iterator[Asked]:
    for listed in listed_in_library():
        yield Asked(listed.pattern.name, listed.pattern.name, read_settings(listed.text))


def _opened(text: str) -> Iterator[Asked]:
    place = find_place(text)
    if place is None or place.choice is not None:
        yield from (_of(entry, text) for entry in open_patterns(text).patterns)
        return
    file = shown_path(place.path)
    patterns = open_patterns(text).patterns
    if not patterns:
        raise FileError(f"{file}: holds no patterns")
    yield from (_of(entry, f"{file}#{number}") for number, entry in enumerate(patterns, start=1))


def _of(entry: Entry, source: str) -> Asked:
    name = entry.settings.score.name if entry.settings else entry.text
    return Asked(source, entry.display.strip() or name, entry.settings, entry.error)
