"""Dropping files under X: where pyglet fails at what other programs send, and what it does not answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_MORE_TYPES = 1  # the flag by which a program says that it offers more than three kinds of data


def mend_dropping(window: Any) -> Callable[[], None]:
    """Have a window bear what is dropped on it, files or not.

    Pyglet 2.1 raises a TypeError where a program offers three kinds of data or fewer, and where none of them are files;
    and it does not tell the program that a drop is over, which then waits. The protocol is XDND 5
    (freedesktop.org/wiki/Specifications/XDND).

    Args:
        window: pyglet's.

    Returns:
        What is to be called when dropped files have been taken.
    """
    if not hasattr(window, "_xdnd_atoms"):
        return lambda: None  # another system
    enter = window._event_drag_enter

    def entered(event: Any) -> None:
        if event.xclient.data.l[1] & _MORE_TYPES:
            enter(event)
        else:
            _read_types(window, event)

    def dropped(event: Any) -> None:
        if window._xdnd_format:
            drop(event)
        else:
            _finish(window, taken=False)

    drop = window._event_drag_drop
    window._event_drag_enter, window._event_drag_drop = entered, dropped
    return lambda: _finish(window, taken=True)


def _read_types(window: Any, event: Any) -> None:
    data, files = event.xclient.data.l, window._xdnd_atoms["text/uri-list"]
    window._xdnd_source, window._xdnd_version = data[0], data[1] >> 24
    window._xdnd_format = files if files in (data[2], data[3], data[4]) else None


def _finish(window: Any, taken: bool) -> None:
    from ctypes import POINTER, byref, cast

    from pyglet.libs.x11 import xlib

    source = getattr(window, "_xdnd_source", None)
    if source is None:
        return
    event = xlib.XEvent()
    event.xclient.type, event.xclient.format = xlib.ClientMessage, 32
    event.xclient.message_type = window._xdnd_atoms["XdndFinished"]
    event.xclient.display = cast(window._x_display, POINTER(xlib.Display))
    event.xclient.window = source
    event.xclient.data.l[0], event.xclient.data.l[1] = window._window, int(taken)
    event.xclient.data.l[2] = window._xdnd_atoms["XdndActionCopy"] if taken else 0
    xlib.XSendEvent(window._x_display, source, False, xlib.NoEventMask, byref(event))
    xlib.XFlush(window._x_display)
