"""Modifiers: the capital letters after a value that say how it is thrown."""

from __future__ import annotations

import re
from typing import NamedTuple


class Modifier(NamedTuple):
    """How a prop is thrown; the fields are those of `Throw`."""

    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None


PLAIN = Modifier()


def modifier_at(text: str, index: int) -> tuple[Modifier, int]:
    """The modifier that is written from an index on, and the index after it; `PLAIN` and the same index if none is."""
    match = _WRITTEN.match(text, index)
    if not match:
        return PLAIN, index
    return _meaning(match), match.end()


def _meaning(match: re.Match[str]) -> Modifier:
    letters = match.group()
    if letters in _HELD:
        return Modifier(held=_HELD[letters])
    style = "force" if "F" in letters else "lift"
    return Modifier(max(1, letters.count("B")), f"hyper_{style}" if "H" in letters else style)


_WRITTEN = re.compile(r"B+(?:H[FL]?|[FL]H?)?|[FHT]")
_HELD = {"H": True, "T": False}
