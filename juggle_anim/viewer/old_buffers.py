"""The buffers of a window that full screen has replaced: nobody else has OpenGL give them back."""

from __future__ import annotations

from typing import Any


def mend_recreating(window: Any) -> None:
    """Have a window's old buffers given back whenever pyglet replaces it, as it does for full screen and back.

    Mesa looks for windows that are gone only when its context gets a window again, and knows them by where in memory
    they were described. The new window often lies in the same place: then the old one's pictures are kept, four bytes
    and more for each pixel, time and again. So the context has no window at all for a moment, and Mesa looks then.

    Args:
        window: pyglet's.
    """
    if not hasattr(window.context, "glx_context"):
        return  # another system
    create = window._create

    def created() -> None:
        _have_no_window(window.context)
        create()

    window._create = created


def _have_no_window(context: Any) -> None:
    from pyglet.gl import glx

    # OpenGL 3 and later may be current without a window (GLX_ARB_create_context).
    glx.glXMakeContextCurrent(context.x_display, 0, 0, context.glx_context)
    glx.glXMakeContextCurrent(context.x_display, 0, 0, None)
