"""The words in a file that was exported, whatever its format."""

from __future__ import annotations

import os
from pathlib import Path

from juggle_anim.formats import FORMATS, load

MAX_METADATA = 10_000_000
"""No more bytes than this are read of what a file says of itself."""


def read_metadata(path: Path) -> str | None:
    """What a file says of itself; None where it says nothing, or is of another kind.

    A file that breaks the rules of its format, or breaks off before its words end, says nothing; one that breaks off
    behind them may say all of them. For a BVH speaks the table beside it.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb", opener=_open) as file:
        start = file.read(_START)
        for reader in dict.fromkeys(row.words for row in FORMATS if row.begins(start)):
            file.seek(0)
            words: str | None = load(reader)(file, MAX_METADATA)
            if words:
                return words
    return None


def _open(path: str, flags: int) -> int:
    # A pipe that nobody writes to would be waited for when it is opened.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


_START = 12
