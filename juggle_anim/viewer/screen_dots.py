"""Screens of X whose dots per inch pyglet cannot read."""

from __future__ import annotations

from typing import Any

from juggle_anim.viewer.dots import USUAL, dots_in

_LEAST, _MOST = 48, 768


def mend_screens(screen: Any) -> None:
    """Have all screens bear any resource `Xft.dpi`.

    Pyglet 2.1 raises a ValueError for 115.2, divides by 0, and opens no window for what is below.

    Args:
        screen: one of them, pyglet's.
    """
    for kind in type(screen).__mro__:
        if kind.__name__.startswith("XlibScreen") and "get_dpi" in vars(kind):
            kind.get_dpi = _dots  # type: ignore[attr-defined]


def _dots(screen: Any) -> int:
    from pyglet.libs.x11 import xlib

    resources = xlib.XResourceManagerString(screen.display._display) or b""
    dots = dots_in(resources.decode("latin-1")) or USUAL
    return round(dots if _LEAST <= dots <= _MOST else USUAL)
