"""OpenGL names and uploads, the way ctypes wants them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from juggle_anim.render import gl

_NameArray = ctypes.c_uint * 1
GlNames = ctypes.Array[ctypes.c_uint]


def generate_name(make: Callable[[int, Any], None]) -> GlNames:
    """One new name from a function such as `glGenBuffers`, in the form that `glDelete…` takes back."""
    names = _NameArray()
    make(1, names)
    return names


def upload(target: int, values: NDArray[Any]) -> None:
    """Fill the buffer bound to `target` anew; what a frame still in flight reads from it stays whole."""
    gl.glBufferData(target, values.nbytes, ctypes.c_void_p(values.ctypes.data), gl.GL_STREAM_DRAW)
