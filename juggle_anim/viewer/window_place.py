"""The position of the window on the screen, restored from the time it was closed."""

from __future__ import annotations

from typing import Any

_MIN_VISIBLE = 80  # pixels of a window that must be on a screen, so that the mouse can drag it
_MIN_SIZE = 320, 240
_SETTLE_TIME = 1.0  # s after which a window manager has placed it

Screen = tuple[int, int, int, int]
"""Left, top, width and height, [pixels]."""


class WindowPlace:
    """Restores the position of a window, and tracks the position to restore next time.

    A window manager puts the frame around the window at the requested position. So only moves of the window are read:
    its own position would creep from one time to the next.

    Args:
        window: pyglet's.
        wanted: its upper left corner, [pixels]; None for any.
    """

    def __init__(self, window: Any, wanted: tuple[int, int] | None) -> None:
        self._window, self._wanted = window, wanted
        self._first: tuple[int, int] | None = None
        self._age = 0.0
        if wanted:
            window.set_location(*wanted)

    def advance(self, elapsed: float) -> None:
        """Let time pass, [s]."""
        self._age += elapsed
        if self._first is None and self._age > _SETTLE_TIME:
            self._first = self._window.get_location()

    @property
    def now(self) -> tuple[int, int] | None:
        """The position to restore next time, [pixels]."""
        if self._first is None:
            return self._wanted
        x, y = self._window.get_location()
        if self._wanted is None:
            return x, y
        return self._wanted[0] + x - self._first[0], self._wanted[1] + y - self._first[1]


def fitting_size(size: tuple[int, int] | None, screens: list[Screen]) -> tuple[int, int] | None:
    """Return a size that fits the largest screen, [pixels]; None if there is none or it is too small."""
    if size is None or size[0] < _MIN_SIZE[0] or size[1] < _MIN_SIZE[1]:
        return None
    return min(size[0], max(screen[2] for screen in screens)), min(size[1], max(screen[3] for screen in screens))


def fitting_place(
    place: tuple[int, int] | None, size: tuple[int, int], screens: list[Screen]
) -> tuple[int, int] | None:
    """Return a position if a window of a size is visible there and can be dragged; otherwise None."""
    if place is None:
        return None
    for left, top, width, height in screens:
        across = min(place[0] + size[0], left + width) - max(place[0], left)
        if across >= _MIN_VISIBLE and top <= place[1] <= top + height - _MIN_VISIBLE:
            return place
    return None


def screens_of(display: Any) -> list[Screen]:
    """Return the screens of a display."""
    return [(screen.x, screen.y, screen.width, screen.height) for screen in display.get_screens()]
