"""Opening the window, or saying why there is none."""

from __future__ import annotations

import os
from typing import Any

from juggle_anim.errors import ViewerError
from juggle_anim.viewer.large_arrays import give_back_large_arrays
from juggle_anim.viewer.old_buffers import mend_recreating
from juggle_anim.viewer.screen_dots import mend_screens
from juggle_anim.viewer.window_place import fitting_size, screens_of

WIDTH, HEIGHT = 1280, 800
"""Of a new window on a screen that is large enough, at 96 dots an inch, [pixels]."""

INSTEAD = "`juggle-anim export PATTERN FOLDER` draws without a window"
_LIBRARIES = "on Debian or Ubuntu: apt-get install libx11-6 libxrender1 libgl1"


def open_window(caption: str, size: tuple[int, int] | None = None) -> Any:
    """A window with OpenGL 3.3 core, not larger than the screen.

    Args:
        caption: its title.
        size: its width and height, [pixels]; by default what suits the screen.

    Raises:
        ViewerError: there is no display, no OpenGL 3.3, or a system library is missing.
    """
    try:
        pyglet = _pyglet()
        screen = pyglet.display.get_display().get_default_screen()
        mend_screens(screen)
    except Exception as error:  # each platform raises its own, a missing library an ImportError
        raise ViewerError(f"{_missing(error)}; {INSTEAD}") from error
    wanted = fitting_size(size, screens_of(screen.display)) or _size(screen)
    config = pyglet.gl.Config(
        major_version=3, minor_version=3, forward_compatible=True, double_buffer=True, depth_size=24,
        red_size=8, green_size=8, blue_size=8,
    )  # fmt: skip
    try:
        window = pyglet.window.Window(
            *wanted, caption=caption, resizable=True, vsync=True, config=config, file_drops=True
        )
    except Exception as error:  # as above
        raise ViewerError(f"the display offers no OpenGL 3.3 ({_reason(error)}); {INSTEAD}") from error
    window.set_minimum_size(320, 240)
    mend_recreating(window)
    give_back_large_arrays()
    return window


def _pyglet() -> Any:
    # Its options only count before its windows are loaded.
    import pyglet

    if pyglet.options["headless"]:
        raise ViewerError("pyglet is told to open no windows (its option headless, or PYGLET_HEADLESS)")
    pyglet.options["debug_gl"] = False
    pyglet.options["shadow_window"] = False
    import pyglet.gl
    import pyglet.window

    return pyglet


def _size(screen: Any) -> tuple[int, int]:
    dots = screen.get_dpi() / 96 if hasattr(screen, "get_dpi") else 1.0
    return min(round(WIDTH * dots), screen.width), min(round(HEIGHT * dots), screen.height)


def _missing(error: Exception) -> str:
    """What a display wants, from what pyglet says."""
    if isinstance(error, ViewerError):
        return str(error)
    if isinstance(error, (ImportError, AttributeError)):  # the latter of a function in a library that is not there
        return f"a window needs system libraries that are missing ({_reason(error)}); {_LIBRARIES}"
    if type(error).__name__ == "NoSuchDisplayException":  # pyglet names it "None" whatever it is
        name = os.environ.get("DISPLAY")
        return f"the display {name} does not answer" if name else "there is no display: DISPLAY is not set"
    return f"there is no display to open a window on ({_reason(error)})"


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
