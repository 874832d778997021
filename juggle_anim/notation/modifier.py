"""Modifiers: the capital letters after a value that say how it is thrown."""

from __future__ import annotations

import re
from typing import NamedTuple

from juggle_anim.pattern import Throw


class Modifier(NamedTuple):
    """How a prop is thrown; the fields are those of `Throw`."""

    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None


PLAIN = Modifier()

LETTERS = frozenset("BFHT")
"""Those that a modifier begins with."""

ACCEPTED = "modifiers are B, BB, BF, BL, BH, BHF, BHL, F, H and T"

BOUNCE_STYLES = {"lift": "", "force": "F", "hyper_lift": "H", "hyper_force": "HF"}
"""How a prop may bounce, and what is written for it after the B."""


def modifier_at(text: str, index: int) -> tuple[Modifier, int]:
    """The modifier that is written from an index on, and the index after it; `PLAIN` and the same index if none is."""
    match = _WRITTEN.match(text, index)
    if not match:
        return PLAIN, index
    return _meaning(match), match.end()


def modifier_text(throw: Throw) -> str:
    """The modifier of a throw as `modifier_at` reads it; empty where it has none."""
    held = {None: "", True: "H", False: "T"}[throw.held]
    return "B" * throw.bounces + BOUNCE_STYLES.get(throw.bounce_style, "") + held


def _meaning(match: re.Match[str]) -> Modifier:
    letters = match.group()
    if letters in _HELD:
        return Modifier(held=_HELD[letters])
    style = "force" if "F" in letters else "lift"
    return Modifier(max(1, letters.count("B")), f"hyper_{style}" if "H" in letters else style)


_WRITTEN = re.compile(r"B+(?:H[FL]?|[FL]H?)?|[FHT]")
_HELD = {"H": True, "T": False}
