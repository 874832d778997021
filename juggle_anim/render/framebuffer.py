"""Framebuffers to draw pictures into and to read them from, and viewports in them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from juggle_anim.arrays import Pixels
from juggle_anim.errors import RenderError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.render import gl
from juggle_anim.render.program import GlNames, generate_name


class Canvas:
    """A framebuffer object with colour and depth (24 bits), in the current context.

    Args:
        width, height: [pixels].
        deep: whether colours have 16 bits a channel, in place of 8.

    Raises:
        RenderError: the graphics driver refuses the size.
    """

    def __init__(self, width: int, height: int, *, deep: bool = False) -> None:
        check_size(width, height, largest_size())
        self._size = width, height
        component: Any = np.uint16 if deep else np.uint8
        self._pixels: Pixels = np.empty((height, width, 3), dtype=component)
        self._buffer = ColourBuffer(width, height, deep=deep)
        self._buffer.attach(gl.GL_DEPTH_ATTACHMENT, gl.GL_DEPTH_COMPONENT24)

    @property
    def framebuffer(self) -> int:
        """Its OpenGL name."""
        return self._buffer.framebuffer

    def read(self, out: Pixels) -> None:
        """Copy the picture into an array, top row first.

        Args:
            out: shape (height, width, 3, or 4 with alpha), of 8-bit or, if deep, 16-bit numbers.
        """
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.framebuffer)
        gl.glBindBuffer(gl.GL_PIXEL_PACK_BUFFER, 0)
        # Rows without padding, whatever other code has set.
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        for name in (gl.GL_PACK_ROW_LENGTH, gl.GL_PACK_SKIP_ROWS, gl.GL_PACK_SKIP_PIXELS):
            gl.glPixelStorei(name, 0)
        # The array to read into is kept from picture to picture.
        channels = out.shape[2]
        if self._pixels.shape[2] != channels:
            self._pixels = np.empty(out.shape, dtype=self._pixels.dtype)
        channel_format = gl.GL_RGBA if channels == 4 else gl.GL_RGB
        component_type = (
            gl.GL_UNSIGNED_BYTE if self._pixels.dtype == np.uint8 else gl.GL_UNSIGNED_SHORT
        )
        gl.glReadPixels(
            0,
            0,
            *self._size,
            channel_format,
            component_type,
            ctypes.c_void_p(self._pixels.ctypes.data),
        )
        np.copyto(out, self._pixels[::-1])  # OpenGL counts rows from below

    def close(self) -> None:
        """Delete the framebuffer."""
        self._buffer.close()


def check_size(width: int, height: int, largest: int) -> None:
    """Check the size of a picture.

    Args:
        width, height: [pixels].
        largest: longest edge that the driver allows, [pixels].

    Raises:
        RenderError: an edge is shorter than 1 or longer than `largest`.
    """
    if not (1 <= width <= largest and 1 <= height <= largest):
        raise RenderError(
            _(
                "a picture cannot be {width}×{height} pixels: each edge must be from 1 to "
                "{largest}",
                width=width,
                height=height,
                largest=largest,
            )
        )


def largest_size() -> int:
    """Return the longest edge that the current context's driver allows, [pixels]."""
    largest = ctypes.c_int()
    gl.glGetIntegerv(gl.GL_MAX_RENDERBUFFER_SIZE, ctypes.byref(largest))
    return largest.value


class ColourBuffer:
    """A framebuffer object with colour, in the current context.

    Args:
        width, height: [pixels].
        deep: whether colours have 16 bits a channel (RGBA16), in place of 8 (RGBA8).

    Raises:
        RenderError: the graphics driver refuses the size.
    """

    def __init__(self, width: int, height: int, *, deep: bool = False) -> None:
        """Make a framebuffer whose colours are a texture.

        Args:
            width, height: [pixels].
            deep: whether colours have 16 bits a channel, in place of 8.

        Raises:
            RenderError: the graphics driver refuses the size.
        """
        self.size = (width, height)
        self.deep = deep
        self._framebuffer: GlNames = generate_name(gl.glGenFramebuffers)
        self._texture: GlNames = generate_name(gl.glGenTextures)
        self._buffers: list[GlNames] = []
        # Colours lie in memory as a window's do, the top row first and blue before red, where the
        # driver can: then a software driver shows and copies pictures as plain memory.
        self.bind()
        gl.glBindBuffer(gl.GL_PIXEL_UNPACK_BUFFER, 0)
        layout = (gl.GL_RGBA16, gl.GL_UNSIGNED_SHORT) if deep else (gl.GL_RGBA, gl.GL_UNSIGNED_BYTE)
        internal_format, component = layout
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D, 0, internal_format, width, height, 0, gl.GL_BGRA, component, None
        )
        for name in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, name, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer[0])
        gl.glFramebufferTexture2D(
            gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, self._texture[0], 0
        )
        self.has_top_row_first = gl.lay_top_row_first(gl.GL_FRAMEBUFFER)
        """Whether the top row of its texture is the first in memory."""
        self._check()

    @property
    def framebuffer(self) -> int:
        """Its OpenGL name."""
        return int(self._framebuffer[0])

    def attach(self, attachment: int, internal_format: int) -> None:
        """Attach a new renderbuffer to the framebuffer, which must be bound.

        Args:
            attachment: such as `GL_DEPTH_ATTACHMENT`.
            internal_format: such as `GL_DEPTH_COMPONENT24`.

        Raises:
            RenderError: the graphics driver refuses the size.
        """
        buffer = generate_name(gl.glGenRenderbuffers)
        self._buffers.append(buffer)
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer[0])
        gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, internal_format, *self.size)
        gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, attachment, gl.GL_RENDERBUFFER, buffer[0])
        self._check()

    def _check(self) -> None:
        """Release everything and raise a `RenderError` where the driver refuses the framebuffer."""
        if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            self.close()
            raise RenderError(
                _(
                    "the graphics driver cannot draw a picture of {size}×{size2} pixels",
                    size=self.size[0],
                    size2=self.size[1],
                )
            )

    def bind(self) -> None:
        """Bind the texture of colours to unit 0."""
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindSampler(0, 0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture[0])

    def show(self) -> None:
        """Copy the picture into the window, whose framebuffer is bound afterwards."""
        corners = 0, 0, *self.size
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.framebuffer)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, 0)
        gl.glBlitFramebuffer(*corners, *corners, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        gl.glFlush()

    def close(self) -> None:
        """Delete the framebuffer and its buffers."""
        gl.glDeleteFramebuffers(1, self._framebuffer)
        gl.glDeleteTextures(1, self._texture)
        for buffer in self._buffers:
            gl.glDeleteRenderbuffers(1, buffer)


@dataclass(frozen=True)
class Viewport:
    """A rectangle of a framebuffer, [pixels] from its lower left corner.

    Args:
        left, bottom: its lower left corner.
        width, height: of the camera's picture.
        overhang: how far the picture goes on to the left of that, to fill pixels that would stay
            empty.
    """

    left: int
    bottom: int
    width: int
    height: int
    overhang: int = 0

    @property
    def rectangle(self) -> tuple[int, int, int, int]:
        """All pixels that are drawn: left, bottom, width and height."""
        return self.left - self.overhang, self.bottom, self.width + self.overhang, self.height

    @property
    def halves(self) -> tuple[Viewport, Viewport]:
        """Two viewports of one size side by side, which together fill this one."""
        half_width = self.width // 2
        left = replace(self, width=half_width)
        # In an odd width the column in the middle belongs to the overhang of the right half.
        right = replace(
            self,
            left=self.left + self.width - half_width,
            width=half_width,
            overhang=self.width - 2 * half_width,
        )
        return left, right

    def drawn(self, kept: tuple[int, int]) -> tuple[int, int, int, int]:
        """Return the rectangle that is drawn, without the columns and rows that are kept.

        Args:
            kept: how many columns of the framebuffer, from the left, and rows, from below, stay as
                they are.

        Returns:
            Left, bottom, width and height, [pixels]; width or height is 0 if all is kept.
        """
        left, bottom, width, height = self.rectangle
        kept_columns, kept_rows = kept
        drawn_left = max(left, kept_columns)
        drawn_bottom = max(bottom, kept_rows)
        drawn_width = max(left + width - drawn_left, 0)
        drawn_height = max(bottom + height - drawn_bottom, 0)
        return drawn_left, drawn_bottom, drawn_width, drawn_height

    def overlaps(self, other: Viewport) -> bool:
        """Return whether the two have a pixel in common."""
        left, bottom, width, height = self.rectangle
        other_left, other_bottom, other_width, other_height = other.rectangle
        return (
            left < other_left + other_width
            and other_left < left + width
            and bottom < other_bottom + other_height
            and other_bottom < bottom + height
        )


@dataclass(frozen=True)
class RenderTarget:
    """A framebuffer to draw into.

    Args:
        size: width and height, [pixels].
        framebuffer: its OpenGL name; 0 is the window.
        transparent: whether the backdrop is left out; colours are then premultiplied by alpha.
        shadows: whether there are any, on the floor.
        behind: draws something over the backdrop into a viewport of the bound framebuffer.
        draft: whether smooth bodies have fewer triangles and hard edges, and shadows half the
            resolution.
        kept: how many columns, from the left, and rows, from below, stay as they are.
        deep: whether colours have 16 bits a channel, in place of 8.
        covered: how many rows at the top are to be covered by something else.
    """

    size: tuple[int, int]
    framebuffer: int = 0
    transparent: bool = False
    shadows: bool = True
    behind: Callable[[Viewport], None] | None = None
    draft: bool = False
    kept: tuple[int, int] = (0, 0)
    deep: bool = False
    covered: int = 0
