"""Pattern lists: the entries of one file, patterns and comments, and the text that a writer returns."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.errors import JuggleError
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


@dataclass(frozen=True)
class PatternList:
    """The entries of one file, in their order.

    Args:
        entries: patterns and words.
        title: of the whole list.
        about: a description of the whole list.
        single: whether the file holds just one pattern and no list.
    """

    entries: tuple[Entry, ...]
    title: str = ""
    about: str = ""
    single: bool = False

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
