"""The caret of a text field in a picture that rests."""

from __future__ import annotations

BLINK = 0.4
"""From one look at it to the next, [s]: Dear ImGui shows it for two of these, and hides it for one."""

_BLINKING = 10.0  # s; then it stays, so that a field that somebody forgot costs nothing


class Caret:
    """Tells when a picture in which nothing else moves is to be drawn anew, since the caret may come or go."""

    def __init__(self) -> None:
        self._rested = self._waited = 0.0

    @property
    def blinks(self) -> bool:
        """Whether it comes and goes; else it stays."""
        return self._rested < _BLINKING

    def stir(self) -> None:
        """Something else is drawn."""
        self._rested = self._waited = 0.0

    def due(self, elapsed: float) -> bool:
        """Let time pass, [s], in which somebody could type; returns whether to draw it."""
        if not self.blinks:
            return False
        self._rested += elapsed
        self._waited += elapsed
        if self._waited < BLINK and self.blinks:
            return False
        self._waited = 0.0
        return True
