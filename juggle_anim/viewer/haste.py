"""What is typed in haste: keys that come before a text field has let go of the keyboard."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

_FRAMES = 10  # at most until a field that closes has let go; one that stays open goes on then
_QUIET = 3  # frames without a field: one that takes over from another has the keyboard before


class Haste:
    """Keeps keys back, in their order, while nobody knows yet whether they are for a text field."""

    def __init__(self) -> None:
        self._kept: deque[Callable[[], object]] = deque()
        self._frames = self._quiet = 0

    @property
    def waiting(self) -> bool:
        """Whether keys are kept back now."""
        return self._frames > 0

    def wait(self) -> None:
        """Something happened by which a text field may close."""
        self._frames, self._quiet = _FRAMES, 0

    def keep(self, event: Callable[[], object]) -> bool:
        """Keep an event for later, where this is a time to wait; returns whether it is."""
        if self.waiting:
            self._kept.append(event)
        return self.waiting

    def drawn(self, typing: bool) -> None:
        """A frame was drawn; tell whether a text field has the keyboard, and what waited may go on."""
        self._quiet = 0 if typing else self._quiet + 1
        self._frames = max(self._frames - 1, 0) if self._quiet < _QUIET else 0
        while self._kept and not self.waiting:
            self._kept.popleft()()
