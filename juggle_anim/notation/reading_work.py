"""The work of reading a list: a hostile one ends in a message, not in minutes and lost memory."""

from __future__ import annotations

from juggle_anim.errors import FileError
from juggle_anim.notation.limits import MAX_LIST_WORK
from juggle_anim.notation.pattern_list import Entry


class ReadingWork:
    """What the entries of one list have taken until now, in about microseconds.

    Args:
        name: of the file, for the error.
    """

    def __init__(self, name: str) -> None:
        self._name, self._done = name, 0.0

    def add(self, entry: Entry) -> None:
        """Count what was just read.

        Raises:
            FileError: it is too much.
        """
        self._done += _work(entry)
        if self._done > MAX_LIST_WORK:
            where = f"{self._name}, line {entry.line}" if entry.line else self._name
            raise FileError(f"{where}: until here this is too much to read at once; cut it into smaller files")


def _work(entry: Entry) -> float:
    length = len(entry.text)
    if entry.settings is None:
        # The reason and the nearest name take their time, but only so much of a text is looked at.
        return 10.0 * min(length, _LOOKED_AT)
    score = entry.settings.score
    throws = len(score.pattern.throws) if score.pattern else 0
    events = len(score.placed.events.time) + len(score.placed.flights.throw) if score.placed else 0
    return length + 5.0 * throws + 5.0 * events + 300.0 * entry.text.count("?") ** 2


_LOOKED_AT = 5_000
