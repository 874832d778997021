"""Pixels of the panel and of cards that stay as they were drawn, so that frames of a drag take less time."""

from __future__ import annotations

from juggle_anim.viewer.cards.layout import Layout, Rectangle

_LONGEST = 15  # pictures for which the panel is kept while it says the same
_BRIEFLY = 6  # pictures for which it is kept where frames are late, while numbers in it run
_CARDS_EVERY = 3  # pictures from one of the ladder to the next where frames are late


class KeptPixels:
    """What stays as it was drawn: the panel while it says the same, or for a moment, and other cards in turn."""

    def __init__(self) -> None:
        self.columns = self.rows = 0
        """How many columns, from the left, and rows, from below, are kept in the present picture."""
        self._layout: Layout | None = None
        self._said: object = None
        self._age = self._rested = 0

    def follow(self, layout: Layout, said: object, columns: int, rows: int, late: bool) -> tuple[int, int]:
        """Decide what the next picture keeps, and return how many columns and rows.

        Args:
            layout: of the window.
            said: what the panel says; None if nothing is kept.
            columns: that the panel covers.
            rows: that may be kept in some pictures.
            late: whether the panel is kept for a moment whatever it says.
        """
        before, self._layout = self._layout, layout if said is not None else None
        self._age += 1
        same = said == self._said and self._age < _LONGEST
        panel = before == self._layout is not None and (same or (late and self._age < _BRIEFLY))
        if not panel:
            self._age, self._said = 0, said
        self._rested = (self._rested + 1) % _CARDS_EVERY if panel and rows else 0
        self.columns, self.rows = columns if panel else 0, rows if self._rested else 0
        return self.columns, self.rows

    def covers(self, place: Rectangle) -> bool:
        """Whether a card is among the pixels that are kept now."""
        layout = self._layout
        return (
            layout is not None
            and place.width > 0
            and (place.right <= self.columns or place.top > layout.height - self.rows)
        )
