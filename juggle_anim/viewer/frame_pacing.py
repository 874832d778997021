"""Frame pacing: which frames a window draws, and which pixels it keeps in a drag."""

from __future__ import annotations

from juggle_anim.viewer.layout import Layout, Rectangle

MAX_STEP = 0.1
"""The longest time that a frame advances, [s]; time lost in a stall is not made up for."""

_AFTER_EVENT = 8  # frames drawn after the last event: the panel spreads quick typing over several
_IDLE_STEP = (
    1 / 15
)  # s between two looks at what may have changed, while nothing moves and no event comes


_MAX_PANEL_AGE = 15  # pictures for which the panel is kept while it says the same
_MAX_LATE_PANEL_AGE = 6  # pictures for which it is kept though it says something else, if late
_CARD_INTERVAL = 3  # pictures from one of the other cards to the next where frames are late


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
        self._time_since_tick = self._time_since_frame = 0.0

    def wake(self, frames: int = _AFTER_EVENT) -> None:
        """Let some frames be drawn, as something has changed."""
        self.frames_due = max(self.frames_due, frames)

    def begin_tick(self, elapsed: float) -> float | None:
        """Decide whether a tick is used, and return by how much the window advances in it, [s].

        An idle window skips most ticks, which saves power. The time is that since the last tick
        that was used, at most `MAX_STEP`; None for a tick that is skipped.

        Args:
            elapsed: time since the last tick, used or not, [s].
        """
        self._time_since_tick += elapsed
        # `_IDLE_STEP` is the time between ticks that an idle window uses, [s].
        if self.is_idle and not self.frames_due and self._time_since_tick < _IDLE_STEP:
            return None
        passed = min(self._time_since_tick, MAX_STEP)
        self._time_since_tick = 0.0
        self._time_since_frame += passed
        return passed

    def begin_frame(self) -> None:
        """A frame begins to be drawn."""
        self.frames_due = max(self.frames_due - 1, 0)

    def take_time_since_frame(self, longest: float = MAX_STEP) -> float:
        """Take the time that passed since the last frame, [s].

        The next one advances by it, up to the longest.
        """
        elapsed = min(self._time_since_frame, longest)
        self._time_since_frame = 0.0
        return elapsed


class KeptPixels:
    """Pixels that stay as drawn in a drag: panel and other cards, redrawn in turn."""

    def __init__(self) -> None:
        self.columns = self.rows = 0
        """How many columns, from the left, and rows, from below, are kept in the present picture.
        """
        self._layout: Layout | None = None
        self._panel_content: object = None
        self._panel_age = self._pictures_since_cards = 0

    def choose_kept(
        self, layout: Layout, panel_content: object, columns: int, rows: int, *, late: bool
    ) -> tuple[int, int]:
        """Return how many columns and rows of pixels the next frame keeps instead of drawing cards.

        To keep the pixels of cards takes less time than to draw the cards again. The panel at the
        left is kept while its content is unchanged, up to a maximum age. Cards at the lower edge,
        which change all the time, are drawn only in every `_CARD_INTERVAL`th frame.

        Args:
            layout: layout of the window; after any change of it everything is drawn.
            panel_content: what the panel shows, to be compared with the content it was drawn with;
                None to keep nothing.
            columns: number of columns that the panel covers, from the left edge.
            rows: number of rows that may be kept, from the lower edge; 0 to keep none.
            late: whether frames take too long, so that an outdated panel may be kept for a moment.

        Returns:
            Numbers of columns from the left and of rows from below, also stored as `columns` and
            `rows`.
        """
        previous_layout = self._layout
        # Without a layout, neither this frame nor the next one keeps anything.
        self._layout = layout if panel_content is not None else None
        is_same_layout = self._layout is not None and self._layout == previous_layout
        # The number of frames since the panel was drawn.
        self._panel_age += 1
        is_up_to_date = panel_content == self._panel_content and self._panel_age < _MAX_PANEL_AGE
        may_be_outdated = late and self._panel_age < _MAX_LATE_PANEL_AGE
        keeps_panel = is_same_layout and (is_up_to_date or may_be_outdated)
        if not keeps_panel:
            self._panel_age = 0
            self._panel_content = panel_content
        # Frames since the other cards were drawn; 0 if they are drawn in this one.
        self._pictures_since_cards += 1
        if not keeps_panel or not rows or self._pictures_since_cards == _CARD_INTERVAL:
            self._pictures_since_cards = 0
        self.columns = columns if keeps_panel else 0
        self.rows = rows if self._pictures_since_cards else 0
        return self.columns, self.rows

    def covers(self, place: Rectangle) -> bool:
        """Return whether a card is among the pixels that are kept now."""
        layout = self._layout
        return (
            layout is not None
            and place.width > 0
            and (place.right <= self.columns or place.top > layout.height - self.rows)
        )
