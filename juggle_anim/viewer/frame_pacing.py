"""Frame pacing: which frames a window draws, and which pixels it keeps in a drag."""

from __future__ import annotations

from juggle_anim.viewer.layout import Layout, Rectangle

MAX_STEP = 0.1
"""The longest time that a frame advances, [s]; time lost in a stall is not made up for."""

_AFTER_EVENT = 8  # frames drawn after the last event: the panel spreads quick typing over several
_IDLE_STEP = (
    1 / 15
)  # s between two looks at what may have changed, while nothing moves and no event comes


_LONGEST = 15  # pictures for which the panel is kept while it says the same
_BRIEFLY = 6  # pictures for which it is kept where frames are late, while numbers in it run
_CARDS_EVERY = 3  # pictures from one of the ladder to the next where frames are late


class FramePacing:
    """Measures the time between frames, and counts frames that are still due after an event."""

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
        """Let time pass, and decide whether this tick is used.

        An idle window uses fewer ticks, which saves power.

        Args:
            elapsed: since the last tick, [s].

        Returns:
            By how much the window advances, [s], at most `MAX_STEP`; None for a tick that is passed
            over.
        """
        self._unlooked += elapsed
        if self.is_idle and not self.frames_due and self._unlooked < _IDLE_STEP:
            return None
        passed = min(self._unlooked, MAX_STEP)
        self._unlooked = 0.0
        self._undrawn += passed
        return passed

    def begin_frame(self) -> None:
        """A frame begins to be drawn."""
        self.frames_due = max(self.frames_due - 1, 0)

    def take_undrawn(self, longest: float = MAX_STEP) -> float:
        """Take the time that passed since the last frame, [s].

        The next one advances by it, up to the longest.
        """
        undrawn = min(self._undrawn, longest)
        self._undrawn = 0.0
        return undrawn


class KeptPixels:
    """Pixels that stay as drawn in a drag: panel and other cards, redrawn in turn."""

    def __init__(self) -> None:
        self.columns = self.rows = 0
        """How many columns, from the left, and rows, from below, are kept in the present picture.
        """
        self._layout: Layout | None = None
        self._said: object = None
        self._age = self._rested = 0

    def follow(
        self, layout: Layout, said: object, columns: int, rows: int, late: bool
    ) -> tuple[int, int]:
        """Decide which pixels of cards the next picture keeps, to save the time of drawing them.

        The panel is kept while it says the same, up to a longest time; other cards are drawn anew
        only in some pictures.

        Args:
            layout: of the window; any change of it draws everything anew.
            said: what the panel says, compared with that of the last call; None if nothing is kept.
            columns: that the panel covers, [pixels] from the left edge.
            rows: that may be kept in some pictures, [pixels] from the lower edge.
            late: whether frames are late, so that the panel is kept for a moment whatever it says.

        Returns:
            How many columns and rows stay.
        """
        before = self._layout
        self._layout = layout if said is not None else None
        # How many pictures ago the panel was drawn, which bounds how long it stays.
        self._age += 1
        same = said == self._said and self._age < _LONGEST
        panel = before == self._layout is not None and (same or (late and self._age < _BRIEFLY))
        if not panel:
            self._age = 0
            self._said = said
        self._rested = (self._rested + 1) % _CARDS_EVERY if panel and rows else 0
        self.columns = columns if panel else 0
        self.rows = rows if self._rested else 0
        return self.columns, self.rows

    def covers(self, place: Rectangle) -> bool:
        """Return whether a card is among the pixels that are kept now."""
        layout = self._layout
        return (
            layout is not None
            and place.width > 0
            and (place.right <= self.columns or place.top > layout.height - self.rows)
        )
