"""Repeating what a key does while it is held: keyboards repeat characters by themselves, but not arrows."""

from __future__ import annotations

from juggle_anim.viewer.keys import Action

DELAY, INTERVAL = 0.35, 0.045
"""Before the first repeat, and between them, [s]."""


class Repeat:
    """The action whose key is held now."""

    def __init__(self) -> None:
        self._action: Action | None = None
        self._wait = 0.0

    @property
    def active(self) -> bool:
        """Whether a key is held."""
        return self._action is not None

    def press(self, action: Action) -> None:
        """A key went down."""
        self._action, self._wait = action, DELAY

    def release(self) -> None:
        """It came up, or the window no longer has the keyboard."""
        self._action = None

    def due(self, elapsed: float) -> list[Action]:
        """What is to be done again after some more time, [s]; once at most, so that a slow frame doesn't overshoot."""
        self._wait -= elapsed
        if self._action is None or self._wait > 0:
            return []
        self._wait = INTERVAL
        return [self._action]
