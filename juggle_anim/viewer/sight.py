"""Sight: whether anything of a window can be seen; what nobody sees need not be drawn."""

from __future__ import annotations

import sys
from typing import Any

_FULLY_OBSCURED = 2  # VisibilityFullyObscured of X.h


class Sight:
    """Knows whether a window is minimised, or others cover it whole; pyglet leaves the latter out.

    X tells of it, unless a compositor keeps the pictures of all windows.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self.shown, self.covered = True, False
        """Whether it is on the screen, and whether others cover all of it."""
        handlers = getattr(window, "_event_handlers", None)
        if sys.platform.startswith("linux") and isinstance(handlers, dict):
            from pyglet.libs.x11 import xlib

            handlers[xlib.VisibilityNotify] = self._tell

    @property
    def hidden(self) -> bool:
        """Whether nothing of it can be seen."""
        return not self.shown or self.covered or 0 in self._window.get_framebuffer_size()

    def _tell(self, event: Any) -> None:
        # It is drawn anew when it can be seen again: X says then that it was exposed.
        self.covered = event.xvisibility.state == _FULLY_OBSCURED
