"""Every error that juggle_anim raises on purpose: one base, a subclass for each stage that can fail.

MERGED: Text from anywhere, as a terminal can show it and a person read it.

MERGED: Suggestions: the word that was most likely meant.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

# A caret is only of use when it stands under its character, so a long text is shown in part.
_SHOWN = 100

_MOST_NAMED = 6

_LONGEST = 100
"""What is longer is near to nothing, and comparing takes time."""


class JuggleError(Exception):
    """Base of all errors that a user can cause and mend; its text is meant to be shown as it stands."""


class ParameterError(JuggleError):
    """A parameter that does not exist, or a value outside its range."""


class PatternError(JuggleError):
    """Throws that no juggler can juggle.

    `throw` is the index, in the order written, of the throw to blame, or None where the whole is at fault.
    """

    def __init__(self, message: str, throw: int | None = None) -> None:
        super().__init__(message)
        self.throw = throw


class NotationError(JuggleError):
    """Text that is not a pattern: the text, a caret under the place, the reason, and what would be accepted.

    Args:
        text: the text as it was typed.
        index: where in it the trouble starts, 0 to len(text).
        reason: what is wrong, as one sentence without a full stop.
        accepted: what would be accepted instead, likewise.

    `key` is the setting that holds the text, where a pattern is made of several; empty where it is made of one.
    """

    def __init__(self, text: str, index: int, reason: str, accepted: str = "") -> None:
        # Both may quote the text, and no sign in it may steer a terminal.
        self.reason = printable(reason, None)
        self.accepted = "\n".join(printable(line, None) for line in accepted.split("\n"))
        self.text, self.index = text, index
        self.key = ""
        line, caret = _window(text, index)
        message = f"{self.reason}\n  {line}\n  {' ' * display_width(line[:caret])}^"
        super().__init__(f"{message}\n{self.accepted}" if accepted else message)


class FileError(JuggleError):
    """A file of patterns that cannot be read; its text begins with the file, and the line where that is known."""


class LibraryError(JuggleError):
    """A pattern file that cannot be read."""


class ChoreographyError(JuggleError):
    """A pattern that can be read, but not yet be juggled."""


class ChainError(JuggleError):
    """Joints that do not make a chain, or goals that do not fit one."""


class RenderError(JuggleError):
    """A picture that cannot be drawn: no OpenGL, or a size that it refuses."""


class ViewerError(JuggleError):
    """A window that cannot be opened."""


class ExportError(JuggleError):
    """A file that cannot be written."""


def _window(text: str, index: int) -> tuple[str, int]:
    shown = printable(text, None)
    if len(shown) <= _SHOWN:
        return shown, index
    start = max(0, min(index - _SHOWN // 2, len(shown) - _SHOWN))
    piece = shown[start : start + _SHOWN]
    head = "…" if start else ""
    tail = "…" if start + _SHOWN < len(shown) else ""
    return f"{head}{piece}{tail}", index - start + len(head)


def printable(text: str, longest: int | None = 1_000) -> str:
    """A text in one line without signs that would steer a terminal, each in one column.

    Args:
        text: any.
        longest: how many characters are kept before a …; None keeps all.
    """
    shown = "".join(character if character.isprintable() else " " for character in text[:longest])
    return shown + "…" * (longest is not None and len(text) > longest)


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes: signs of East Asia take two, and marks on a letter none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def character_name(character: str) -> str:
    """A character as a message names it: itself, or its number where it cannot be seen."""
    return character if character.isprintable() else f"character U+{ord(character):04X}"


def joined_names(names: Sequence[str]) -> str:
    """Several things in one sentence: all of a few, and of many the first and the last."""
    if len(names) > _MOST_NAMED:
        names = [*names[: _MOST_NAMED - 2], f"{len(names) - _MOST_NAMED + 1} more", names[-1]]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "", alike: float = 0.6) -> str:
    """What to say of a word that is none of those known: the nearest of them, or what there is.

    Args:
        word: what was typed.
        known: the words that mean something; those of a mapping stand for its values, which are what is shown.
        otherwise: what to say where none is near; by default all that are known.
        alike: from 0 to 1 (equal), how similar a word must be to be near.
    """
    shown = known if isinstance(known, Mapping) else {each: each for each in known}
    if near := difflib.get_close_matches(word[:_LONGEST], shown, n=1, cutoff=alike):
        return f"did you mean {shown[near[0]]}?"
    return otherwise or f"there are {', '.join(shown.values())}"
