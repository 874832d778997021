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

    def ngettext(self, one: str, many: str, *, plural: bool) -> str:
        text = many if plural else one
        return f"{_BEGINS}{text}{_ENDS}" if one in self._known else text

    def pgettext(self, _context: str, text: str) -> str:
        return self.gettext(text)


def known_texts() -> set[str]:
    """The texts in English that a catalogue translates; of those with a plural, what stands for
    one.
    """
    catalogue = language._catalogue("de")
    assert catalogue is not None
    # Without its context, and without its plural.
    return {
        key.rpartition(language.CONTEXT_END)[2].partition(language.FORM_END)[0] for key in catalogue
    }


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
