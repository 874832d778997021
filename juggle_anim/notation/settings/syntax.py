"""Settings syntax: strings split into keys and values that know their position in the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from juggle_anim.errors import NotationError, did_you_mean
from juggle_anim.notation.limits import MAX_SETTINGS_LENGTH

Value = TypeVar("Value")


class Setting(NamedTuple):
    """The value of one setting.

    Args:
        whole: the text that it is a part of.
        start: index in it of the first character of the value.
        text: the value.
    """

    whole: str
    start: int
    text: str

    def read(self, reader: Callable[[str], Value]) -> Value:
        """Return the value, read by `reader`.

        Raises:
            NotationError: that of `reader`, with the caret under the place in the whole text.
        """
        try:
            return reader(self.text)
        except NotationError as error:
            raise self.error(error.index, error.reason, error.accepted) from error

    def error(self, index: int, reason: str, accepted: str) -> NotationError:
        """The error for a mistake at some index of the value."""
        return NotationError(self.whole, self.start + index, reason, accepted)

    @property
    def indent(self) -> int:
        """The number of blanks before the value."""
        return len(self.text) - len(self.text.lstrip())


def split_settings(text: str, known: Sequence[str]) -> dict[str, Setting]:
    """The settings in a text, by key in lower case.

    Args:
        text: `key=value;key=value`, keys in any case; a `;` within a value is written as backslash and `;`. A value
            that stands first may come without its key.
        known: the keys that there are, that of such a value first.

    Raises:
        NotationError: a key that is unknown or given twice, or one without a value.
    """
    if len(text) > MAX_SETTINGS_LENGTH:
        accepted = f"settings may have {MAX_SETTINGS_LENGTH}"
        raise NotationError(text, MAX_SETTINGS_LENGTH, f"this text is {len(text)} characters long", accepted)
    found: dict[str, Setting] = {}
    for match in filter(lambda each: each[0].strip(), _PIECE.finditer(text)):
        start, piece = match.start(), match[0]
        key, equals, value = piece.partition("=")
        first = start + len(piece) - len(piece.lstrip())
        if not equals and not found:
            found[known[0]] = Setting(text, start, piece)
            continue
        if not equals:
            raise NotationError(text, first, f"{_short(piece)} has no value", "each setting is key=value")
        name = _OTHER_SPELLINGS.get(key.strip().casefold(), key.strip().casefold())
        if name not in known:
            raise NotationError(text, first, f"there is no setting {_short(name)!r}", did_you_mean(name, known))
        if name in found:
            raise NotationError(text, first, f"{name} is given twice", "give each key once")
        found[name] = Setting(text, start + len(key) + 1, value)
    return found


def escaped(value: str) -> str:
    """A value written such that no `;` in it ends it; `unescaped` gives it back."""
    return _TO_ESCAPE.sub(r"\\\g<0>", value)


def unescaped(value: str) -> str:
    """A value as it was before it was `escaped`; a backslash before anything else is just that."""
    return _ESCAPED.sub(r"\1", value)


def _short(text: str) -> str:
    stripped = text.strip()
    return stripped if len(stripped) <= 40 else f"{stripped[:40]}…"


_OTHER_SPELLINGS = {"colours": "colors"}
_PIECE = re.compile(r"(?:[^;\\]+|\\[;\\]?)+")
_ESCAPED = re.compile(r"\\([;\\])")
_TO_ESCAPE = re.compile(r"\\(?=[;\\]|\Z)|;")
