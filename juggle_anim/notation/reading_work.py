"""The work of reading a list: a hostile one ends in a message, not in minutes and lost memory."""

from __future__ import annotations

import re

from juggle_anim.errors import FileError
from juggle_anim.notation.limits import MAX_LIST_WORK, MAX_OPEN, MAX_THROWS
from juggle_anim.notation.pattern_list import Entry
from juggle_anim.notation.prechac import may_be_prechac


class ReadingWork:
    """What the entries of one list have taken until now, in about microseconds.

    Args:
        name: of the file, for the error.
    """

    def __init__(self, name: str) -> None:
        self._name, self._done = name, 0.0

    def add(self, entry: Entry, tried: float = 0.0) -> None:
        """Count what was just read.

        Args:
            entry: a good one or a broken one.
            tried: what else it may have taken until it was found broken.

        Raises:
            FileError: it is too much.
        """
        self._done += _work(entry) + (tried if entry.error else 0.0)
        if self._done > MAX_LIST_WORK:
            where = f"{self._name}, line {entry.line}" if entry.line else self._name
            raise FileError(f"{where}: until here this is too much to read at once; cut it into smaller files")


def _work(entry: Entry) -> float:
    text = entry.text[:_LOOKED_AT]
    work = 1_000.0 * min(text.count("?"), MAX_OPEN) ** 2
    if entry.settings is None:
        # The reason and the nearest name take their time, and all may have been written out before it was found wrong.
        return work + _tried(text) + 10.0 * len(text) + 5.0 * _written_out(text)
    score = entry.settings.score
    if score.pattern:
        work += _tried(score.pattern.text) + 5.0 * len(score.pattern.throws)
    if score.placed:
        work += 5.0 * (len(score.placed.events.time) + len(score.placed.flights.throw))
    return work + len(entry.text)


def _tried(text: str) -> float:
    """What it may take to find out who passes to whom, where nobody says it."""
    return 100.0 * len(text) if "<" not in text and may_be_prechac(text) else 0.0


def _written_out(text: str) -> int:
    """About how many throws a text may write with its repeats."""
    length = len(text)
    for count in _COUNT.findall(text):
        length = min(length * max(1, int(count)), MAX_THROWS)
    return length


_LOOKED_AT = 5_000
_COUNT = re.compile(r"\^\s*([0-9]{1,5})")
