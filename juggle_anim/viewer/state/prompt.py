"""The path prompt: a line in which the name of a file is typed, to open it or to save to it.

MERGED: Completing a path that is being typed, as a shell does.

MERGED: A notice: a line of words about what was just done, that goes away by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from juggle_anim.errors import ViewerError
from juggle_anim.formats import BY_ENDING

_WRITTEN = (".txt", ".jml", ".jif")

_READ = (*_WRITTEN, ".xml", *BY_ENDING)

LASTS = 4.0
"""How long it is shown, [s]."""

_SHARE = 0.04  # s a character, more for long ones


class Purpose(Enum):
    """What a path is asked for: the title, and what is accepted."""

    OPEN = "Open a file", ".jml, .jif or .txt, or an exported picture or video"
    SAVE = "Save the pattern", "ends in .txt, .jml or .jif"


@dataclass
class PathPrompt:
    """The line, where it is shown.

    Args:
        purpose: why a path is asked for; None where none is.
        text: what was typed.
        error: what is wrong with it.
        replacing: the path that may be replaced, as somebody was told that it is there and insisted.
        wanted: whether the line is to take the keyboard as soon as it is drawn.
        told: names with which the path can go on, or that there are none.
    """

    purpose: Purpose | None = None
    text: str = ""
    error: str = ""
    replacing: str = ""
    wanted: bool = False
    told: str = ""

    def ask(self, purpose: Purpose, text: str) -> None:
        """Ask for a path, with a first guess."""
        self.purpose, self.text, self.error, self.replacing, self.wanted = purpose, text, "", "", True
        self.told = ""

    def complete(self, text: str) -> str:
        """What was typed, with what can only follow; names are told where there are several."""
        longer, names = completed(text, _READ if self.purpose is Purpose.OPEN else _WRITTEN)
        self.error, self.told = "", "" if len(names) == 1 else "  ·  ".join(names) or "No file begins so"
        return longer

    def refuse(self, text: str, error: str) -> None:
        """Say what is wrong with what was typed, and ask on."""
        self.text, self.error, self.wanted = text, error, True

    def close(self) -> None:
        """Ask no longer."""
        self.purpose = None


def guess(title: str, folder: Path) -> str:
    """The path under which one would save a pattern of this title."""
    name = "".join(sign if sign.isalnum() or sign in " -_().,[]+" else "_" for sign in title)[:80].strip(" .")
    return str(folder / f"{name or 'pattern'}.jml")


def local_path(text: str) -> str:
    """A path, from how one is dropped or pasted: the address of a file becomes its path."""
    from urllib.parse import unquote, urlsplit

    text = text.strip()
    return unquote(urlsplit(text).path) if text.casefold().startswith("file://") else text


def home_path(text: str) -> Path:
    """A path, its ~ written out.

    Raises:
        ViewerError: nobody has that home.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ViewerError(f"there is no home {text.split('/')[0]}; write ./{text} if it is a name") from error


def completed(text: str, endings: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """A path, as far as what is there leaves no choice.

    Args:
        text: what was typed; `~` stands for the home, and other paths begin in the current folder.
        endings: of the files that count, in small letters; folders always do, with a slash behind them.

    Returns:
        What was typed with more behind it, and the names that could follow, hidden ones only after a dot.
    """
    before, begun = text[: text.rfind("/") + 1], text[text.rfind("/") + 1 :]
    names = tuple(name for name in _names(before, endings) if name.startswith(begun))
    visible = tuple(name for name in names if begun or not name.startswith("."))
    return (before + _shared(visible) if visible else text), visible


def _names(folder: str, endings: Collection[str]) -> list[str]:
    """What is in a folder, in order; nothing where it cannot be read."""
    try:
        found = sorted(Path(folder or ".").expanduser().iterdir(), key=lambda path: path.name.casefold())
        named = [f"{path.name}/" if path.is_dir() else path.name for path in found]
    except (OSError, RuntimeError):  # the latter of a home that nobody has
        return []
    return [name for name in named if name.endswith("/") or Path(name).suffix.casefold() in endings]


def _shared(names: tuple[str, ...]) -> str:
    """What all of them begin with."""
    signs = itertools.takewhile(lambda signs: len(set(signs)) == 1, zip(*names, strict=False))
    return "".join(sign for sign, *_ in signs)


@dataclass
class Notice:
    """What is said now.

    Args:
        words: to be shown; empty where there is nothing to say.
        bad: whether something went wrong.
        left: time until it goes away, [s].
    """

    words: str = ""
    bad: bool = False
    left: float = 0.0

    def say(self, words: str, bad: bool = False) -> None:
        """Show some words."""
        self.words, self.bad, self.left = words, bad, LASTS + _SHARE * len(words)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s]; returns whether the notice has just gone away."""
        if not self.words:
            return False
        self.left -= elapsed
        if self.left > 0:
            return False
        self.words = ""
        return True
