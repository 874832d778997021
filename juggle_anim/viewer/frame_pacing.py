"""When the window draws a frame: in each tick while something moves, and for a few frames after each event."""

from __future__ import annotations

MAX_STEP = 0.1
"""The longest time that a frame advances, [s]; time lost in a stall is not made up for."""

_AFTER_EVENT = 8  # frames drawn after the last event: the panel spreads quick typing over several
_IDLE_STEP = 1 / 15  # s between two looks at what may have changed, while nothing moves and no event comes


class FramePacing:
    """Counts the time that passes between frames, and the frames that are still due after an event."""

    def __init__(self) -> None:
        self.is_idle = False
        """Whether nothing moves and no event came, so that most ticks are passed over."""
        self.due_soon = False
        """Whether a frame is drawn as soon as all events that wait are handled."""
        self.frames_due = _AFTER_EVENT
        """How many frames are still drawn though nothing moves."""
        self.drawing_time = 0.0
        """How long the last frame of a tick took to draw, [s]."""
        self._unlooked = self._undrawn = 0.0

    def wake(self, frames: int = _AFTER_EVENT) -> None:
        """Let some frames be drawn, as something has changed."""
        self.frames_due = max(self.frames_due, frames)

    def begin_tick(self, elapsed: float) -> float | None:
        """Let time pass, [s]; return how much of it the window advances by, or None where this tick is passed over."""
        self._unlooked += elapsed
        if self.is_idle and not self.frames_due and self._unlooked < _IDLE_STEP:
            return None
        passed, self._unlooked = min(self._unlooked, MAX_STEP), 0.0
        self._undrawn += passed
        return passed

    def begin_frame(self) -> None:
        """A frame begins to be drawn."""
        self.frames_due = max(self.frames_due - 1, 0)

    def take_undrawn(self, longest: float = MAX_STEP) -> float:
        """Take the time that passed since the last frame, [s]; the next one advances by it, up to the longest."""
        undrawn, self._undrawn = min(self._undrawn, longest), 0.0
        return undrawn
