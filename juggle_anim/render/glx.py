"""GLX through ctypes: the window's context that is current in this thread, to step aside for a moment.

The library that shares OpenGL out between drivers refuses to make an EGL context current where a GLX one is.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from ctypes import c_ulong, c_void_p
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CurrentGlx:
    """A GLX context that was current, with the window that it drew on."""

    display: int
    drawable: int
    reading: int
    context: int

    @staticmethod
    def release() -> CurrentGlx | None:
        """Leave the thread without a GLX context; returns the one that was current, if there was any."""
        # Without Xlib in the process no window can have been opened, and loading GLX would load Xlib.
        glx = _library() if "pyglet.libs.x11" in sys.modules else None
        context = glx.glXGetCurrentContext() if glx else None
        if glx is None or not context:
            return None
        current = CurrentGlx(
            glx.glXGetCurrentDisplay(), glx.glXGetCurrentDrawable(), glx.glXGetCurrentReadDrawable(), context
        )
        glx.glXMakeContextCurrent(current.display, 0, 0, None)
        return current

    def restore(self) -> None:
        """Make it current again."""
        _library().glXMakeContextCurrent(self.display, self.drawable, self.reading, self.context)


@functools.cache
def _library() -> Any:
    try:
        glx = ctypes.CDLL("libGL.so.1")
    except OSError:
        return None
    glx.glXGetCurrentContext.restype = glx.glXGetCurrentDisplay.restype = c_void_p
    glx.glXGetCurrentDrawable.restype = glx.glXGetCurrentReadDrawable.restype = c_ulong
    glx.glXMakeContextCurrent.argtypes = [c_void_p, c_ulong, c_ulong, c_void_p]
    return glx
