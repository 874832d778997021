"""OpenGL objects: shader programs from the files in `shaders/`, buffers of instances, and
framebuffers to draw pictures into and to read them from.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Pixels, Singles, Size
from juggle_anim.errors import RenderError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.render import gl
from juggle_anim.scene import Viewport

FRAME_BINDING = 5
"""Binding of the uniform block `Frame`; pyglet uses binding 0."""

_COMPONENTS = 4

_NameArray = ctypes.c_uint * 1
GlNames = ctypes.Array[ctypes.c_uint]


def build_program(vertex: str, fragment: str, *defines: str, geometry: str = "") -> int:
    """Compile and link a program in the current context.

    Args:
        vertex, fragment: names of files in `shaders/`; a line `#include "file"` is replaced by that
            file.
        defines: macros to define in all shaders, each a name, or a name, a space and its text.
        geometry: another such file, of a geometry shader; empty for none.

    Returns:
        Its OpenGL name.

    Raises:
        RenderError: the driver refuses the source.
    """
    program = int(gl.glCreateProgram())
    shaders = [(gl.GL_VERTEX_SHADER, vertex), (gl.GL_FRAGMENT_SHADER, fragment)]
    if geometry:
        shaders.append((gl.GL_GEOMETRY_SHADER, geometry))
    for kind, name in shaders:
        shader = _compiled_shader(kind, name, defines)
        gl.glAttachShader(program, shader)
        # OpenGL keeps it as long as it is attached.
        gl.glDeleteShader(shader)
    gl.glLinkProgram(program)
    _check_status(
        program,
        gl.GL_LINK_STATUS,
        gl.glGetProgramiv,
        gl.glGetProgramInfoLog,
        _("{vertex} with {fragment}", vertex=vertex, fragment=fragment),
    )
    # Programs that use the block `Frame` share its buffer.
    block = gl.glGetUniformBlockIndex(program, b"Frame")
    if block != gl.GL_INVALID_INDEX:
        gl.glUniformBlockBinding(program, block, FRAME_BINDING)
    return program


@cache
def _shader_source(name: str, defines: tuple[str, ...] = ()) -> str:
    """Return the source of a shader with includes and defines filled in."""
    text = (files(__package__) / "shaders" / name).read_text(encoding="utf-8")
    text = re.sub(
        r'^#include "(.+)"$', lambda match: _shader_source(match[1]), text, flags=re.MULTILINE
    )
    # Defines must come after the version.
    head = "".join(f"#define {define}\n" for define in defines)
    return text.replace("#version 330 core\n", f"#version 330 core\n{head}", 1)


def _compiled_shader(kind: int, name: str, defines: tuple[str, ...]) -> int:
    """Compile a shader in the current context.

    Args:
        kind: such as `GL_VERTEX_SHADER`.
        name: name of a file in `shaders/`.
        defines: macros to define in it.

    Returns:
        Its OpenGL name.

    Raises:
        RenderError: the driver refuses the source.
    """
    shader = int(gl.glCreateShader(kind))
    # As an array of one string that ends with 0, so that it needs no length.
    text = ctypes.c_char_p(_shader_source(name, defines).encode())
    gl.glShaderSource(
        shader,
        1,
        ctypes.cast(ctypes.pointer(text), ctypes.POINTER(ctypes.POINTER(ctypes.c_char))),
        None,
    )
    gl.glCompileShader(shader)
    _check_status(shader, gl.GL_COMPILE_STATUS, gl.glGetShaderiv, gl.glGetShaderInfoLog, name)
    return shader


def _check_status(object_name: int, status: int, query: Any, log: Any, name: str) -> None:
    """Check that a shader or program was compiled or linked.

    Args:
        object_name: OpenGL name of the shader or program.
        status: `GL_COMPILE_STATUS` or `GL_LINK_STATUS`.
        query, log: OpenGL's functions that return its state and its log, such as `glGetShaderiv`
            and `glGetShaderInfoLog`.
        name: the name as users read it in the error.

    Raises:
        RenderError: with the driver's log, if it was not.
    """
    done = ctypes.c_int()
    query(object_name, status, ctypes.byref(done))
    if not done.value:
        text = ctypes.create_string_buffer(4096)
        log(object_name, len(text), None, text)
        raise RenderError(
            _(
                "the graphics driver rejected the shader {name}: {decode}",
                name=name,
                decode=text.value.decode(errors="replace").strip(),
            )
        )


class Instances:
    """A vertex buffer of instances: a quad is drawn for each row.

    Rows have `vectors` vec4s each; the vec4 at index i is attribute i of the vertex shader.
    """

    def __init__(self, vectors: int) -> None:
        """Create an empty buffer of instances, whose attributes are successive vec4s.

        Args:
            vectors: number of vec4s of an instance, at attribute locations 0, 1, ….
        """
        self._count = 0
        self._array: GlNames = generate_name(gl.glGenVertexArrays)
        self._buffer: GlNames = generate_name(gl.glGenBuffers)
        gl.glBindVertexArray(self._array[0])
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer[0])
        vector_bytes = np.dtype(np.float32).itemsize * _COMPONENTS
        for index in range(vectors):
            offset = ctypes.c_void_p(index * vector_bytes)
            gl.glEnableVertexAttribArray(index)
            gl.glVertexAttribPointer(
                index, _COMPONENTS, gl.GL_FLOAT, gl.GL_FALSE, vectors * vector_bytes, offset
            )
            # The attribute goes on by one row for each instance, not for each corner of its quad.
            gl.glVertexAttribDivisor(index, 1)

    def upload(self, rows: Singles) -> None:
        """Replace all rows, shape (N, 4 × vectors)."""
        self._count = len(rows)
        if self._count:
            gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer[0])
            upload(gl.GL_ARRAY_BUFFER, rows)

    def draw(self, program: int) -> None:
        """Draw a quad for each row with a program."""
        if self._count:
            gl.glUseProgram(program)
            gl.glBindVertexArray(self._array[0])
            gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, self._count)

    def close(self) -> None:
        """Delete buffer and vertex array."""
        gl.glDeleteVertexArrays(1, self._array)
        gl.glDeleteBuffers(1, self._buffer)


def generate_name(make: Callable[[int, Any], None]) -> GlNames:
    """Return a new name from a function such as `glGenBuffers`, as `glDelete…` takes it."""
    names = _NameArray()
    make(1, names)
    return names


def bind_texture(texture: GlNames) -> None:
    """Bind a texture to unit 0, without a sampler object, which would replace its parameters."""
    gl.glActiveTexture(gl.GL_TEXTURE0)
    gl.glBindSampler(0, 0)
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture[0])


def upload(target: int, values: NDArray[Any]) -> None:
    """Replace the storage of the buffer bound to `target`.

    A frame that is still being drawn keeps the old storage.
    """
    gl.glBufferData(target, values.nbytes, ctypes.c_void_p(values.ctypes.data), gl.GL_STREAM_DRAW)


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
        self._buffer.attach_depth()

    @property
    def framebuffer(self) -> int:
        """Its OpenGL name."""
        return self._buffer.framebuffer

    def read(self, out: Pixels) -> None:
        """Copy the picture into an array, top row first.

        Args:
            out: shape (height, width, channels), 3 channels or 4 with alpha, of 8-bit or, if the
                canvas is deep, 16-bit numbers; overwritten.
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

    def attach_depth(self) -> None:
        """Attach a new depth buffer of 24 bits to the framebuffer, which must be bound.

        Raises:
            RenderError: the graphics driver refuses the size.
        """
        buffer = generate_name(gl.glGenRenderbuffers)
        self._buffers.append(buffer)
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer[0])
        gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_DEPTH_COMPONENT24, *self.size)
        gl.glFramebufferRenderbuffer(
            gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_RENDERBUFFER, buffer[0]
        )
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
        bind_texture(self._texture)

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
        covered: how many rows at the top are to be covered by something else: props that fly as
            high are marked below.
    """

    size: Size
    framebuffer: int = 0
    transparent: bool = False
    shadows: bool = True
    behind: Callable[[Viewport], None] | None = None
    draft: bool = False
    kept: tuple[int, int] = (0, 0)
    deep: bool = False
    covered: int = 0
