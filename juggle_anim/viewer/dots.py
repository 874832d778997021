"""The dots of a screen: how many there are to an inch, also when somebody changes that while a window is open."""

from __future__ import annotations

from ctypes import POINTER, byref, c_int, c_ubyte, c_ulong, string_at
from typing import Any

USUAL = 96.0
"""Of a screen of which nothing is known, to an inch."""

_ASKED = 2.0  # s
_RESOURCES, _TEXT, _MOST = 23, 31, 65_536  # X's numbers of a property and its kind; words of 4 bytes


class Dots:
    """Knows how large everything is to be drawn in a window.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._since, self._told = 0.0, _xft_dots(window)

    @property
    def scale(self) -> float:
        """Pixels of this screen for each of a usual one."""
        window = self._window
        dots = self._told or window.dpi
        ratio: float = window.get_framebuffer_size()[0] / max(window.width, 1)
        return max(dots / USUAL, ratio)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s], and ask from time to time; returns whether there are more or fewer now."""
        self._since += elapsed
        if self._since < _ASKED:
            return False
        self._since, before = 0.0, self._told
        self._told = _xft_dots(self._window)
        return self._told != before


def dots_in(resources: str) -> float | None:
    """The dots an inch that X resources name; None where they name none."""
    for line in resources.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "Xft.dpi":
            try:
                dots = float(value)
            except ValueError:
                return None
            return dots if 0 < dots < 10_000 else None
    return None


def _xft_dots(window: Any) -> float | None:
    """What the X server's resources say now; None without an X server."""
    handle = getattr(window, "_x_display", None)
    if handle is None:
        return None
    from pyglet.libs.x11 import xlib

    kind, form, count, left = c_ulong(), c_int(), c_ulong(), c_ulong()
    text = POINTER(c_ubyte)()
    asked = handle, xlib.XDefaultRootWindow(handle), _RESOURCES, 0, _MOST, False, _TEXT
    xlib.XGetWindowProperty(*asked, byref(kind), byref(form), byref(count), byref(left), byref(text))
    if not text:
        return None
    resources = string_at(text, count.value).decode("latin-1") if form.value == 8 else ""
    xlib.XFree(text)
    return dots_in(resources)
