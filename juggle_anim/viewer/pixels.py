"""The pixels of a window."""

from __future__ import annotations

import ctypes

import numpy as np

from juggle_anim.arrays import Bytes


def read_pixels(width: int, height: int) -> Bytes:
    """What was drawn into the current window, and is not shown yet: shape (height, width, 3), sRGB, top row first."""
    # It chooses how to load OpenGL by whether there is a window.
    from juggle_anim.render import gl

    rows = np.empty((height, width, 3), dtype=np.uint8)
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, 0)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glReadPixels(0, 0, width, height, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, ctypes.c_void_p(rows.ctypes.data))
    return rows[::-1]
