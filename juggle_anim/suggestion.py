"""Suggestions: the word that was most likely meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "", alike: float = 0.6) -> str:
    """What to say of a word that is none of those known: the nearest of them, or what there is.

    Args:
        word: what was typed.
        known: the words that mean something; those of a mapping stand for its values, which are what is shown.
        otherwise: what to say where none is near; by default all that are known.
        alike: from 0 to 1 (equal), how similar a word must be to be near.
    """
    shown = known if isinstance(known, Mapping) else {each: each for each in known}
    if near := difflib.get_close_matches(word[:_LONGEST], shown, n=1, cutoff=alike):
        return f"did you mean {shown[near[0]]}?"
    return otherwise or f"there are {', '.join(shown.values())}"


_LONGEST = 100
"""What is longer is near to nothing, and comparing takes time."""
