"""Where in a file something stands, for its error messages."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.errors import FileError

_SHOWN = 40


@dataclass(frozen=True)
class Spot:
    """A line of a file.

    Args:
        name: of the file.
        line: from 1.
    """

    name: str = ""
    line: int = 0

    def error(self, reason: str, accepted: str = "") -> FileError:
        """What is wrong here, and what would be accepted instead, in one line."""
        return FileError(f"{self.name}:{self.line}: {reason}{'; ' if accepted else ''}{accepted}")


def shown(text: str) -> str:
    """A text from a file, in quotes, fit for one line of a message."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
