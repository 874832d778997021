"""Pages: some things of a list that are shown at a time, as many as there is room for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Pages:
    """Which of a list are shown.

    Args:
        count: of the list.
        first: the first of those that are shown.
        shown: whether any are.
        room: for how many there was room when they were last drawn.
    """

    count: int
    first: int = 0
    shown: bool = False
    room: int = 2

    def turn(self) -> None:
        """Show the first page; then the next, and after the last one none."""
        following = self.first + self.room
        self.first = following if self.shown and following < self.count else 0
        self.shown = not self.shown or self.first > 0

    def open(self, number: int) -> None:
        """Show the page that has one of the list."""
        self.first, self.shown = number - number % self.room, True

    @property
    def numbers(self) -> range:
        """Those that are shown; the last page is as full as the others."""
        first = max(min(self.first, self.count - self.room), 0)
        return range(first, min(first + self.room, self.count))
