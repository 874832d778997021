"""A language in which each text of the catalogues stands in brackets, so that what was never
translated is outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from juggle_anim import language

_BEGINS, _ENDS = "‹›"
_MARKED = re.compile(f"{_BEGINS}[^{_BEGINS}{_ENDS}]*{_ENDS}")


class _Marks:
    """In the place of a catalogue: it knows the texts of the German one, which are those of the
    program.
    """

    def __init__(self) -> None:
        self._known = known_texts()

    def gettext(self, text: str) -> str:
        return f"{_BEGINS}{text}{_ENDS}" if text in self._known else text

    def ngettext(self, one: str, many: str, number: int) -> str:
        text = one if number == 1 else many
        return f"{_BEGINS}{text}{_ENDS}" if one in self._known else text

    def pgettext(self, _context: str, text: str) -> str:
        return self.gettext(text)


def known_texts() -> set[str]:
    """The texts in English that a catalogue translates; of those with a plural, what stands for
    one.
    """
    catalogue = language._catalogue("de")
    keys = (key if isinstance(key, str) else key[0] for key in catalogue._catalog)  # type: ignore[attr-defined]
    return {key.rpartition("\4")[2] for key in keys}  # without its context


@contextmanager
def marking() -> Iterator[None]:
    """Speak that language meanwhile."""
    before = language._spoken.set(("marked", _Marks()))  # type: ignore[arg-type]
    try:
        yield
    finally:
        language._spoken.reset(before)


def unmarked(text: str) -> str:
    """What of a text is not translated, such as names, numbers and what was typed."""
    while (less := _MARKED.sub("", text)) != text:
        text = less
    return text
