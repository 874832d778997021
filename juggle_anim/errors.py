"""Every error that juggle_anim raises on purpose, and the wording of messages."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec

from juggle_anim.language import N_, _, ngettext

# A caret must stand under its character, so only a part of a long text is shown.
_MAX_SHOWN = 100

_MAX_NAMED = 6  # names in a list of them

_MAX_PROBLEMS = 20  # lines of a routine that are told of

_MAX_COMPARED = 100
"""Longer words are not compared: they resemble nothing, and comparing takes time."""


class JuggleError(Exception):
    """Base of all errors that a user can cause and fix; its text is shown as it is.

    A text that is a constant may be handed over in English.
    """

    def __init__(self, *parts: object) -> None:
        super().__init__(*(_(part) if isinstance(part, str) else part for part in parts))


class ParameterError(JuggleError, ValueError):
    """A parameter that does not exist, or a value outside its range.

    Args:
        message: what is wrong, and what would be accepted.
        name: of the parameter or option, with which the message begins; empty where it is about
            none or several.
    """

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name

    @classmethod
    def of(cls, name: str, value: object, accepted: str) -> ParameterError:
        """Return the error for a value that is not accepted.

        Its text is like `fps is nan, but must be a number from 0.01 to 1000`.

        Args:
            name: name of the parameter or option.
            value: the value that was given; a long text is cut.
            accepted: what would be accepted, in words that stand behind "must be".
        """
        shown = f"{value:g}" if isinstance(value, float) else printable(str(value), 40)
        # Quotes around words, but not around numbers that came as text.
        shown = repr(shown) if isinstance(value, str) and not shown[:1].isdigit() else shown
        return cls(
            _(
                "{name} is {shown}, but must be {accepted}",
                name=name,
                shown=shown,
                accepted=accepted,
            ),
            name,
        )

    @classmethod
    def none_of(cls, name: str, text: str, hint: str) -> ParameterError:
        """Return the error for a word that is none of those accepted.

        Its text is like `quality is 'goood': did you mean good?`.

        Args:
            name: name of the parameter or option.
            text: the word that was given; a long one is cut.
            hint: the words that are accepted, as `did_you_mean` returns them.
        """
        shown = printable(text, 40)
        return cls(_("{name} is {shown!r}: {hint}", name=name, shown=shown, hint=hint), name)


def require_library(module: str, extra: str, purpose: str) -> None:
    """Check that an optional library is installed, which comes only with an extra of the package.

    Args:
        module: the name by which the library is imported.
        extra: the extra that installs it, a name in `pyproject.toml`.
        purpose: what needs it, in the plural, as the subject of a sentence.

    Raises:
        ParameterError: it is not installed; the text tells the command that installs it.
    """
    if find_spec(module) is None:
        raise ParameterError(
            _(
                '{purpose} need the library {module}: pip install "juggle-anim[{extra}]"',
                purpose=purpose,
                module=module,
                extra=extra,
            )
        )


class PatternError(JuggleError, ValueError):
    """Throws that cannot be juggled.

    `throw` is the index of the faulty throw in the order written, or None where the whole pattern
    is at fault.
    """

    def __init__(self, message: str, throw: int | None = None) -> None:
        super().__init__(message)
        self.throw = throw


ALL_NAMES = N_("run juggle-anim list to see all names")
"""What is accepted for a name that is like no other; the window says where it lists them."""


def without_command(message: str) -> str:
    """Return a message that sends to the library in place of the command that lists its names."""
    return message.replace(_(ALL_NAMES), _("search the library for another name"))


class NotationError(JuggleError, ValueError):
    """Text that is not a pattern.

    The message has the text, carets under the error, the reason, and what would be accepted.

    Args:
        text: the text as it was typed.
        index: where the error starts in it, 0 to len(text).
        reason: what is wrong, as one sentence without a full stop.
        accepted: what would be accepted instead, likewise.
        near: texts that may have been meant, in place of all of `text`.
        length: how many characters are wrong together; no more are marked than are shown.

    `key` is the setting that holds the text, where a pattern is made of several; empty where it is
    made of one.
    """

    def __init__(
        self,
        text: str,
        index: int,
        reason: str,
        accepted: str = "",
        near: Sequence[str] = (),
        length: int = 1,
    ) -> None:
        """Make the message; arguments are those of the class."""
        # Both may quote the text, and no character in it may control a terminal. Constants are
        # handed over in English; what is translated already stays as it is.
        self.reason = printable(_(reason), None)
        self.accepted = "\n".join(printable(line, None) for line in _(accepted).split("\n"))
        self.text = text
        self.index = index
        self.near = tuple(near)
        self.key = ""
        # The text around the error, and below it carets.
        line, caret = _window(text, index)
        indent = " " * display_width(line[:caret])
        carets = "^" * (display_width(line[caret : caret + length]) or 1)
        message = f"{self.reason}\n  {line}\n  {indent}{carets}"
        super().__init__(f"{message}\n{self.accepted}" if accepted else message)

    @property
    def sentence(self) -> str:
        """The reason, and the first line of what would be accepted, without the text."""
        return "; ".join((self.reason, *self.accepted.splitlines()[:1]))


class FileError(JuggleError):
    """A file of patterns that cannot be read.

    Its text begins with the file, and the line where that is known.
    """


class MissingFileError(FileError, FileNotFoundError):
    """A file of patterns that does not exist."""


class RoutineError(FileError):
    """A routine of which lines cannot be read.

    Its text says of each line where and why, and what would be accepted.

    Args:
        name: of the file.
        problems: the number of each such line, from 1, and what is wrong in it.
    """

    def __init__(self, name: str, problems: Sequence[tuple[int, NotationError]]) -> None:
        """Make the message: those of the first `_MAX_PROBLEMS` problems, and how many more follow.

        Args:
            name: name of the routine or its file.
            problems: the line of each error, from 1, and the error.
        """
        self.problems = tuple(problems)
        shown = [
            _(
                "{name}, line {number}, column {column}: {error}",
                name=name,
                number=number,
                column=error.index + 1,
                error=error,
            )
            for number, error in problems[:_MAX_PROBLEMS]
        ]
        more = len(problems) - len(shown)
        if more:
            shown.append(_("{more} more lines have errors", more=more))
        super().__init__("\n\n".join(shown))

    @property
    def sentences(self) -> dict[int, str]:
        """What is wrong in each such line in one sentence, by its number."""
        return {number: problem.sentence for number, problem in self.problems}


class LibraryError(JuggleError):
    """A pattern file that cannot be read."""


class ChoreographyError(JuggleError):
    """A pattern that can be read, but not yet be juggled."""


class EditError(JuggleError):
    """A change by hand that leaves no pattern that can be juggled."""


class ChainError(JuggleError):
    """Joints that do not form a chain, or goals that do not fit one."""


class RenderError(JuggleError):
    """A picture that cannot be drawn: no OpenGL, or a size that it does not support."""


class ViewerError(JuggleError):
    """A window that cannot be opened."""


class ExportError(JuggleError):
    """A file that cannot be written."""


def _window(text: str, index: int) -> tuple[str, int]:
    """The part of a text around an index that is shown, and the column of the index in it."""
    start = max(0, min(index - _MAX_SHOWN // 2, len(text) - _MAX_SHOWN))
    piece = printable(text[start : start + _MAX_SHOWN], None)
    head = "…" if start else ""
    tail = "…" if start + _MAX_SHOWN < len(text) else ""
    return f"{head}{piece}{tail}", index - start + len(head)


def printable(text: str, longest: int | None = 1_000) -> str:
    """A text in one line, without characters that would control a terminal.

    Args:
        text: any text.
        longest: how many characters are kept before a …; None keeps all.
    """
    shown = text[:longest]
    if not shown.isprintable():
        shown = "".join(character if character.isprintable() else " " for character in shown)
    return shown + "…" * (longest is not None and len(text) > longest)


def one_line(error: Exception) -> str:
    """Return the message of an error in one line, or the name of its class without a message."""
    return " ".join(str(error).split()) or type(error).__name__


def printable_lines(text: str) -> str:
    """The same of a text in several lines, of any length."""
    return "\n".join(printable(line, None) for line in text.split("\n"))


def sentence(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def display_width(text: str) -> int:
    """The width of a text in terminal columns.

    East Asian characters take two, combining marks none.
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def character_name(character: str) -> str:
    """The name of a character in a message: itself, or its code point where it is not printable."""
    return (
        character
        if character.isprintable()
        else _("character {code}", code=f"U+{ord(character):04X}")
    )


def counted(number: float, thing: str) -> str:
    """A number of things in words, as 1 prop or 3 props; `thing` is a key of the table below."""
    return ngettext(*_THINGS[thing], number)


def _thing(one: str, many: str) -> tuple[str, str]:
    """Mark the two forms of a counted thing for translation."""
    return one, many


_THINGS = {
    "ball": _thing("{number} ball", "{number} balls"),
    "beat": _thing("{number} beat", "{number} beats"),
    "bounce": _thing("{number} bounce", "{number} bounces"),
    "catch": _thing("{number} catch", "{number} catches"),
    "club": _thing("{number} club", "{number} clubs"),
    "collision": _thing("{number} collision", "{number} collisions"),
    "edge": _thing("{number} edge", "{number} edges"),
    "file": _thing("{number} file", "{number} files"),
    "flight": _thing("{number} flight", "{number} flights"),
    "frame": _thing("{number} frame", "{number} frames"),
    "juggler": _thing("{number} juggler", "{number} jugglers"),
    "mark": _thing("{number} mark", "{number} marks"),
    "pattern": _thing("{number} pattern", "{number} patterns"),
    "place": _thing("{number} place", "{number} places"),
    "point": _thing("{number} point", "{number} points"),
    "prop": _thing("{number} prop", "{number} props"),
    "ring": _thing("{number} ring", "{number} rings"),
    "state": _thing("{number} state", "{number} states"),
    "square": _thing("{number} square", "{number} squares"),
    "throw": _thing("{number} throw", "{number} throws"),
    "turn": _thing("{number:g} turn", "{number:g} turns"),
    "worker": _thing("{number} worker", "{number} workers"),
}


def hand_in_words(hand: int) -> str:
    """A hand in words, by its number: the even ones are left."""
    return _("right hand") if hand % 2 else _("left hand")


def joined_names(names: Sequence[str]) -> str:
    """Names joined to a phrase: all of a few; of many the first ones, and how many more."""
    if len(names) > _MAX_NAMED:
        names = [*names[: _MAX_NAMED - 1], _("{count} more", count=len(names) - _MAX_NAMED + 1)]
    return (
        _("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
        if len(names) > 1
        else names[0]
    )


def either(names: Sequence[str]) -> str:
    """Names joined to a choice, as 3, 4 or 5."""
    return (
        _("{names} or {last}", names=", ".join(names[:-1]), last=names[-1])
        if len(names) > 1
        else names[0]
    )


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "", alike: float = 0.6) -> str:
    """Return a hint for an unknown word: the most similar known word, or those that continue it
    behind a hyphen, or all known words.

    Args:
        word: the word as typed.
        known: the known words; of a mapping, the keys are compared and the values shown.
        otherwise: the hint if no word is near; empty for one that lists all known words.
        alike: the least similarity of a near word, from 0 to 1 (equal), as `difflib` measures it.
    """
    import difflib

    # What is shown for each word that is compared.
    shown = known if isinstance(known, Mapping) else {name: name for name in known}
    # Comparing long words takes time, so a long one is cut.
    if near := difflib.get_close_matches(word[:_MAX_COMPARED], shown, n=1, cutoff=alike):
        return _("did you mean {near}?", near=shown[near[0]])
    longer = [text for name, text in shown.items() if word and name.startswith(f"{word}-")]
    if longer:
        return _("did you mean {near}?", near=", ".join(longer))
    return otherwise or _("there are {names}", names=", ".join(shown.values()))
