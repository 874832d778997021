"""A notice: a line of words about what was just done, that goes away by itself."""

from __future__ import annotations

from dataclasses import dataclass

LASTS = 4.0
"""How long it is shown, [s]."""

_SHARE = 0.04  # s a character, more for long ones


@dataclass
class Notice:
    """What is said now.

    Args:
        words: to be shown; empty where there is nothing to say.
        bad: whether something went wrong.
        left: time until it goes away, [s].
    """

    words: str = ""
    bad: bool = False
    left: float = 0.0

    def say(self, words: str, bad: bool = False) -> None:
        """Show some words."""
        self.words, self.bad, self.left = words, bad, LASTS + _SHARE * len(words)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s]; returns whether the notice has just gone away."""
        if not self.words:
            return False
        self.left -= elapsed
        if self.left > 0:
            return False
        self.words = ""
        return True
