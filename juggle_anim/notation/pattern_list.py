"""Pattern lists: the entries of one file, patterns and comments, and the text that a writer returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from juggle_anim.errors import JuggleError, joined_names
from juggle_anim.notation.settings.settings import Settings


def without_traceback(error: JuggleError) -> JuggleError:
    """Return an error without its traceback and causes, so that thousands of them take little memory."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


@dataclass(frozen=True)
class Entry:
    """One line of a list: a pattern, a broken one with its error, or a comment.

    Args:
        display: the words to show for it.
        settings: what it says; None for a comment, and where reading failed.
        error: why reading failed.
        text: the settings string as it stands in the file; empty where the entry holds events, or a comment.
        line: where in the file it stands, from 1.
        animprefs: how another program is to show it, kept as it was written.
    """

    display: str
    settings: Settings | None = None
    error: JuggleError | None = None
    text: str = ""
    line: int = 0
    animprefs: str = ""


class Note(NamedTuple):
    """Something in a file that is not read, or not read as it stands.

    Args:
        line: where, from 1; 0 where it is no one line.
        text: what, as a sentence without a full stop.
    """

    line: int
    text: str


def note_sentences(notes: Iterable[Note]) -> list[str]:
    """A sentence for each text of some notes, with the lines that it is about."""
    lines: dict[str, list[int]] = {}
    for note in notes:
        lines.setdefault(note.text, []).append(note.line)
    return [f"{_lines(numbers)}{text}" for text, numbers in lines.items()]


def _lines(numbers: list[int]) -> str:
    named = [str(number) for number in numbers if number]
    return f"line{'s' * (len(named) > 1)} {joined_names(named)}: " if named else ""


@dataclass(frozen=True)
class PatternList:
    """The entries of one file, in their order.

    Args:
        entries: patterns and words.
        title: of the whole list.
        about: a description of the whole list.
        single: whether the file holds just one pattern and no list.
        notes: what in the file is not read, by its lines.
    """

    entries: tuple[Entry, ...]
    title: str = ""
    about: str = ""
    single: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def patterns(self) -> tuple[Entry, ...]:
        """The entries that are patterns, valid or broken: those that `file#3` counts."""
        return tuple(entry for entry in self.entries if entry.settings or entry.error)


@dataclass(frozen=True)
class WrittenText:
    """A text in some format.

    Args:
        text: the whole of it.
        left_out: what the format cannot hold, a sentence for each.
    """

    text: str
    left_out: tuple[str, ...] = ()
