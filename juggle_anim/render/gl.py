"""OpenGL 3.3 functions and constants by their usual names; the only module that imports PyOpenGL.

PyOpenGL chooses a platform at its first import and queries it for the current context. One process
may draw in an X11 window (GLX) and offscreen (EGL), so only PyOpenGL's raw functions are used: they
call the current context without that query. They take ctypes values. Errors are checked if the
environment has `PYOPENGL_ERROR_CHECKING=1`, as in tests; that costs time in every frame.
"""

import ctypes
import os
import sys
from importlib import import_module
from typing import Any

from juggle_anim.errors import RenderError
from juggle_anim.language import _
from juggle_anim.render.context import INSTALL_HINT


def __getattr__(name: str) -> Any:
    for version in _VERSIONS:
        if hasattr(version, name):
            return globals().setdefault(name, getattr(version, name))
    raise AttributeError(f"OpenGL 3.3 has no {name}")


def _platform() -> str:
    window = sys.modules.get("pyglet.window")
    headless = window is not None and sys.modules["pyglet"].options["headless"]
    return "egl" if window is None or headless else "glx"


if sys.platform.startswith("linux"):
    # Overrides the user's environment: contexts are made by EGL and GLX here.
    os.environ["PYOPENGL_PLATFORM"] = _platform()
os.environ.setdefault("PYOPENGL_ERROR_CHECKING", "0")

try:
    _VERSIONS = [
        import_module(f"OpenGL.raw.GL.VERSION.GL_{number}")
        for number in (
            "1_0",
            "1_1",
            "1_2",
            "1_3",
            "1_4",
            "1_5",
            "2_0",
            "2_1",
            "3_0",
            "3_1",
            "3_2",
            "3_3",
        )
    ]
except Exception as error:  # PyOpenGL raises errors of many types where a library is missing
    raise RenderError(
        _(
            "OpenGL cannot be loaded ({error}); {install_hint}",
            error=error,
            install_hint=_(INSTALL_HINT),
        )
    ) from error


_FLIP_ROWS = 0x8BBB  # GL_FRAMEBUFFER_FLIP_Y_MESA


def lay_top_row_first(target: int) -> bool:
    """Let the bound framebuffer keep its top row first in memory, as windows do.

    In all calls of OpenGL rows still count from below.

    Args:
        target: to which it is bound, such as `GL_FRAMEBUFFER`.

    Returns:
        Whether it does now. Only Mesa's drivers can; for others nothing changes.
    """
    if not sys.platform.startswith("linux"):
        return False
    from OpenGL.platform import PLATFORM

    setter = PLATFORM.getExtensionProcedure(b"glFramebufferParameteriMESA")
    getter = PLATFORM.getExtensionProcedure(b"glGetFramebufferParameterivMESA")
    if not (setter and getter):
        return False
    set_parameter = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_uint, ctypes.c_int)(setter)
    set_parameter(target, _FLIP_ROWS, 1)
    # A driver that does not know the parameter notes an error, or does nothing at all.
    query = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_uint, ctypes.POINTER(ctypes.c_int))
    is_set = ctypes.c_int()
    query(getter)(target, _FLIP_ROWS, ctypes.byref(is_set))
    # Forget that error. The function is not wrapped yet in this module, so it is loaded by name.
    __getattr__("glGetError")()
    return bool(is_set.value)
