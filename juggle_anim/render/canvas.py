"""A framebuffer of our own to draw a picture into, and to read it from."""

from __future__ import annotations

import ctypes

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import RenderError
from juggle_anim.render import gl
from juggle_anim.render.colour_buffer import ColourBuffer


class Canvas:
    """A framebuffer object with colour (RGBA, 8 bits each) and depth (24 bits), in the current context.

    Raises:
        RenderError: a size that the graphics driver refuses.
    """

    def __init__(self, width: int, height: int) -> None:
        check_size(width, height, largest_size())
        self._size = width, height
        self._rows: Bytes = np.empty((height, width, 3), dtype=np.uint8)
        self._buffer = ColourBuffer(width, height)
        self._buffer.attach(gl.GL_DEPTH_ATTACHMENT, gl.GL_DEPTH_COMPONENT24)

    @property
    def framebuffer(self) -> int:
        """OpenGL's name of it."""
        return self._buffer.framebuffer

    def read(self, out: Bytes) -> None:
        """Copy the picture into `out`, shape (height, width, 3 or, with alpha, 4), top row first."""
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.framebuffer)
        gl.glBindBuffer(gl.GL_PIXEL_PACK_BUFFER, 0)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        for name in (gl.GL_PACK_ROW_LENGTH, gl.GL_PACK_SKIP_ROWS, gl.GL_PACK_SKIP_PIXELS):
            gl.glPixelStorei(name, 0)
        channels = out.shape[2]
        if self._rows.shape[2] != channels:
            self._rows = np.empty(out.shape, dtype=np.uint8)
        kind = gl.GL_RGBA if channels == 4 else gl.GL_RGB
        gl.glReadPixels(0, 0, *self._size, kind, gl.GL_UNSIGNED_BYTE, ctypes.c_void_p(self._rows.ctypes.data))
        np.copyto(out, self._rows[::-1])  # OpenGL counts rows from below

    def close(self) -> None:
        """Give it back."""
        self._buffer.close()


def check_size(width: int, height: int, largest: int) -> None:
    """Refuse a picture of this size, in pixels.

    Raises:
        RenderError: an edge shorter than 1 or longer than `largest`.
    """
    if not (1 <= width <= largest and 1 <= height <= largest):
        raise RenderError(f"a picture cannot be {width}×{height} pixels: each edge must be from 1 to {largest}")


def largest_size() -> int:
    """The longest edge that the current context's driver allows, [pixels]."""
    largest = ctypes.c_int()
    gl.glGetIntegerv(gl.GL_MAX_RENDERBUFFER_SIZE, ctypes.byref(largest))
    return largest.value
