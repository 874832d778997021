"""A window that another program has destroyed: X tells of it, and nobody else does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def when_destroyed(window: Any, tell: Callable[[], None]) -> None:
    """Have it told when somebody else has destroyed a window; pyglet leaves that out.

    Args:
        window: pyglet's.
        tell: called once; the window must not be used any more.
    """
    handlers = getattr(window, "_event_handlers", None)
    if not sys.platform.startswith("linux") or not isinstance(handlers, dict):
        return
    from pyglet.libs.x11 import xlib

    def handle(event: Any) -> None:
        if event.xdestroywindow.window == window._window:
            tell()

    handlers[xlib.DestroyNotify] = handle
