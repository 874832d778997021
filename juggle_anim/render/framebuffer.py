"""A framebuffer of our own to draw a picture into, and to read it from.

MERGED: A framebuffer of colours alone, to keep a picture in.

MERGED: Areas: where in a framebuffer a picture is drawn.

MERGED: Targets: what pictures are drawn into.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import RenderError
from juggle_anim.render import gl
from juggle_anim.render.buffers import GlNames, generate_name


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


class ColourBuffer:
    """A framebuffer object with colour (RGBA, 8 bits each), in the current context.

    Args:
        width, height: [pixels].

    Raises:
        RenderError: a size that the graphics driver refuses.
    """

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        self._framebuffer: GlNames = generate_name(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer[0])
        self._buffers: list[GlNames] = []
        self.attach(gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA8)

    @property
    def framebuffer(self) -> int:
        """OpenGL's name of it."""
        return int(self._framebuffer[0])

    def attach(self, attachment: int, kind: int) -> None:
        """Add a renderbuffer of this kind; the framebuffer is to be bound."""
        buffer = generate_name(gl.glGenRenderbuffers)
        self._buffers.append(buffer)
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer[0])
        gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, kind, *self.size)
        gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, attachment, gl.GL_RENDERBUFFER, buffer[0])
        if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            self.close()
            raise RenderError(f"the graphics driver refuses a picture of {self.size[0]}×{self.size[1]} pixels")

    def close(self) -> None:
        """Give it back."""
        gl.glDeleteFramebuffers(1, self._framebuffer)
        for buffer in self._buffers:
            gl.glDeleteRenderbuffers(1, buffer)


@dataclass(frozen=True)
class Viewport:
    """A rectangle of a framebuffer, [pixels] from its lower left corner.

    Args:
        left, low: its lower left corner.
        width, height: what the camera sees fills these.
        before: how far to the left of that the picture goes on, to fill what would stay empty there.
    """

    left: int
    bottom: int
    width: int
    height: int
    overhang: int = 0

    @property
    def rectangle(self) -> tuple[int, int, int, int]:
        """All that is drawn: left, low, width and height."""
        return self.left - self.overhang, self.bottom, self.width + self.overhang, self.height

    @property
    def halves(self) -> tuple[Viewport, Viewport]:
        """Two areas of the same size side by side, which together fill this one."""
        half = self.width // 2
        right = Viewport(self.left + self.width - half, self.bottom, half, self.height, self.width - 2 * half)
        return Viewport(self.left, self.bottom, half, self.height, self.overhang), right

    def overlaps(self, other: Viewport) -> bool:
        """Whether some pixel is drawn in both."""
        left, low, width, height = self.rectangle
        x, y, across, up = other.rectangle
        return left < x + across and x < left + width and low < y + up and y < low + height


@dataclass(frozen=True)
class RenderTarget:
    """A framebuffer.

    Args:
        size: its width and height, [pixels].
        framebuffer: OpenGL's name of it; 0 is the window.
        transparent: whether nothing is to be drawn behind the solids, shadows included; their colours are then
            premultiplied by the alpha.
    """

    size: tuple[int, int]
    framebuffer: int = 0
    transparent: bool = False
