"""The path prompt: a line in which the name of a file is typed, to open it or to save to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from juggle_anim.errors import ViewerError
from juggle_anim.formats import BY_ENDING
from juggle_anim.viewer.path_completion import completed


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


_WRITTEN = (".txt", ".jml", ".jif")
_READ = (*_WRITTEN, ".xml", *BY_ENDING)


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
