"""Text from anywhere, as a terminal can show it and a person read it."""

import unicodedata
from collections.abc import Sequence


def printable(text: str, longest: int | None = 1_000) -> str:
    """A text in one line without signs that would steer a terminal, each in one column.

    Args:
        text: any.
        longest: how many characters are kept before a …; None keeps all.
    """
    shown = "".join(character if character.isprintable() else " " for character in text[:longest])
    return shown + "…" * (longest is not None and len(text) > longest)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: signs of East Asia take two, and marks on a letter none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def character_name(character: str) -> str:
    """A character as a message names it: itself, or its number where it cannot be seen."""
    return character if character.isprintable() else f"character U+{ord(character):04X}"


def together(names: Sequence[str]) -> str:
    """Several things in one sentence: all of a few, and of many the first and the last."""
    if len(names) > _MOST_NAMED:
        names = [*names[: _MOST_NAMED - 2], f"{len(names) - _MOST_NAMED + 1} more", names[-1]]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


_MOST_NAMED = 6
