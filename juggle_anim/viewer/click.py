"""Clicks: a button that goes down and up again at about the same place."""

from __future__ import annotations

_STILL = 4  # pixels that a hand moves without meaning to


class Click:
    """Tells a click on the picture from the beginning of a drag."""

    def __init__(self) -> None:
        self._at: tuple[float, float] | None = None

    def press(self, x: float, y: float) -> None:
        """A button goes down on the picture, [pixels]."""
        self._at = x, y

    def move(self, x: float, y: float) -> None:
        """The mouse moves with the button down."""
        if self._at and max(abs(x - self._at[0]), abs(y - self._at[1])) > _STILL:
            self._at = None

    def release(self) -> bool:
        """The button comes up; returns whether that was a click."""
        clicked, self._at = self._at is not None, None
        return clicked
