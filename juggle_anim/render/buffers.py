"""OpenGL names and uploads through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from juggle_anim.render import gl

_NameArray = ctypes.c_uint * 1
GlNames = ctypes.Array[ctypes.c_uint]


def generate_name(make: Callable[[int, Any], None]) -> GlNames:
    """Return a new name from a function such as `glGenBuffers`, as an array that `glDelete…` takes."""
    names = _NameArray()
    make(1, names)
    return names


def upload(target: int, values: NDArray[Any]) -> None:
    """Replace the storage of the buffer bound to `target`; a frame that is still being drawn keeps the old storage."""
    gl.glBufferData(target, values.nbytes, ctypes.c_void_p(values.ctypes.data), gl.GL_STREAM_DRAW)
