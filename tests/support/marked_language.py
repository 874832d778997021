"""A language in which each text of the catalogues stands in brackets, so that what was never translated is outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from catalogues import texts_of_program

from juggle_anim import language

_BEGINS, _ENDS = "‹›"
_MARKED = re.compile(f"{_BEGINS}[^{_BEGINS}{_ENDS}]*{_ENDS}")


class _Marks:
    """In the place of a catalogue."""

    def __init__(self) -> None:
        self._known = {
            text for each in texts_of_program() for text in ([each.id] if isinstance(each.id, str) else each.id)
        }

    def gettext(self, text: str) -> str:
        return f"{_BEGINS}{text}{_ENDS}" if text in self._known else text

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)

    def pgettext(self, _context: str, text: str) -> str:
        return self.gettext(text)


@contextmanager
def marking() -> Iterator[None]:
    """Speak that language meanwhile."""
    before = language._spoken.set(("de", _Marks()))  # type: ignore[arg-type]
    try:
        yield
    finally:
        language._spoken.reset(before)


def unmarked(text: str) -> str:
    """What of a text is not translated, such as names, numbers and what was typed."""
    while (less := _MARKED.sub("", text)) != text:
        text = less
    return text
