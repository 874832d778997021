"""Fixes of pyglet under X: dropped files, destroyed windows, visibility, and the clipboard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

_MORE_TYPES = 1  # flag of a program that offers more than three kinds of data
_CHARACTERS = range(0x20, 0x7F)  # symbols of keys that type a character
LEFT_TAB = 23 << 32
"""The symbol that pyglet gives Tab with Shift under X, by the number of the key: it does not know
`ISO_Left_Tab`.
"""

_FULLY_OBSCURED = 2  # VisibilityFullyObscured of X.h


def fix_file_drops(window: Any) -> Callable[[], None]:
    """Replace pyglet's handlers of drag and drop, so that a window accepts any drop.

    Pyglet 2.1 raises a TypeError if a program offers three kinds of data or fewer, or if none of
    them are files; and it does not tell the program that a drop is over, so that the program waits.
    The protocol is XDND 5 (freedesktop.org/wiki/Specifications/XDND).

    Args:
        window: pyglet's.

    Returns:
        A function to call when dropped files have been taken.
    """
    if not hasattr(window, "_xdnd_atoms"):
        return lambda: None  # another system
    enter = window._event_drag_enter

    def entered(event: Any) -> None:
        # Pyglet manages only programs that offer more than three kinds of data.
        if event.xclient.data.l[1] & _MORE_TYPES:
            enter(event)
        else:
            _note_offered_types(window, event)

    def dropped(event: Any) -> None:
        # Without a format, no files are offered, and the drop is refused.
        if window._xdnd_format:
            drop(event)
        else:
            _finish_drop(window, taken=False)

    drop = window._event_drag_drop
    window._event_drag_enter = entered
    window._event_drag_drop = dropped
    return lambda: _finish_drop(window, taken=True)


def _note_offered_types(window: Any, event: Any) -> None:
    data = event.xclient.data.l
    files = window._xdnd_atoms["text/uri-list"]
    window._xdnd_source = data[0]
    window._xdnd_version = data[1] >> 24
    window._xdnd_format = files if files in (data[2], data[3], data[4]) else None


def _finish_drop(window: Any, taken: bool) -> None:
    """Send the XDND message XdndFinished to the program from which a drag came.

    Args:
        window: pyglet's, on which the drag ended; nothing happens if no drag has entered it.
        taken: whether the data was accepted.
    """
    from ctypes import POINTER, byref, cast

    from pyglet.libs.x11 import xlib

    source = getattr(window, "_xdnd_source", None)
    if source is None:
        return
    event = xlib.XEvent()
    event.xclient.type = xlib.ClientMessage
    event.xclient.format = 32
    event.xclient.message_type = window._xdnd_atoms["XdndFinished"]
    event.xclient.display = cast(window._x_display, POINTER(xlib.Display))
    event.xclient.window = source
    event.xclient.data.l[0] = window._window
    event.xclient.data.l[1] = int(taken)
    event.xclient.data.l[2] = window._xdnd_atoms["XdndActionCopy"] if taken else 0
    xlib.XSendEvent(window._x_display, source, False, xlib.NoEventMask, byref(event))
    xlib.XFlush(window._x_display)


def on_window_destroyed(window: Any, callback: Callable[[], None]) -> None:
    """Call a function when another program has destroyed a window, which pyglet ignores.

    Does nothing on other systems than Linux with X.

    Args:
        window: pyglet's; its table of handlers is changed.
        callback: called once; the window must not be used any more.
    """
    # Pyglet's private table of handlers by the type of the X event.
    handlers = getattr(window, "_event_handlers", None)
    if not sys.platform.startswith("linux") or not isinstance(handlers, dict):
        return
    from pyglet.libs.x11 import xlib

    def handle(event: Any) -> None:
        if event.xdestroywindow.window == window._window:
            callback()

    handlers[xlib.DestroyNotify] = handle


def release_shifted_keys(window: Any, symbol: int) -> None:
    """Release keys whose symbol Shift has changed while they were down; call it at each release.

    Pyglet 2.1 knows such a key by another symbol when it comes up than when it went down, as `=`
    and `+`. It keeps the first one among the pressed keys and takes each further press for a
    repeat.

    Args:
        window: pyglet's.
        symbol: of the key that comes up.
    """
    pressed = getattr(window, "pressed_keys", None)
    # Which of them it was is unknown: all keys that Shift could change count as released.
    if pressed and symbol not in pressed:
        pressed.difference_update(
            [known for known in pressed if known in _CHARACTERS or known == LEFT_TAB]
        )


class WindowVisibility:
    """Whether a window is minimised or wholly covered, so that it need not be drawn.

    Pyglet ignores the latter.

    X reports it, unless a compositor keeps the pictures of all windows.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self.shown = True
        self.covered = False
        """Whether it is on the screen, and whether other windows cover all of it."""
        handlers = getattr(window, "_event_handlers", None)
        if sys.platform.startswith("linux") and isinstance(handlers, dict):
            from pyglet.libs.x11 import xlib

            handlers[xlib.VisibilityNotify] = self._update

    @property
    def hidden(self) -> bool:
        """Whether nothing of it is visible."""
        return not self.shown or self.covered or 0 in self._window.get_framebuffer_size()

    def _update(self, event: Any) -> None:
        # It is drawn anew once it is visible again: then X reports that it was exposed.
        self.covered = event.xvisibility.state == _FULLY_OBSCURED


def set_full_screen(window: Any, *, full: bool) -> None:
    """Let a window fill the screen, or no longer."""
    window.set_fullscreen(full)
    # For X it is another window, which gets no release of a key that was down; pyglet would take
    # the next press for a repeat.
    getattr(window, "pressed_keys", set()).clear()


def write_clipboard(window: Any, text: str) -> None:
    """Copy a text to the clipboard of a window's display."""
    window.set_clipboard_text(_ByteLengthString(text))


class _ByteLengthString(str):
    """A text whose length is that of its bytes, as pyglet 2.1 needs it under X."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.encode())
