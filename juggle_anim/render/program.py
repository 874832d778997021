"""Shader programs from the files in `shaders/`, uploads of buffers, and instanced drawing."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Singles
from juggle_anim.errors import RenderError
from juggle_anim.language import _
from juggle_anim.render import gl

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
        defines: macros to define in all.
        geometry: another such file; empty for none.

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
        query, log: OpenGL's functions for its state and its log.
        name: the name as users read it.

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
        size = np.dtype(np.float32).itemsize * _COMPONENTS
        for index in range(vectors):
            offset = ctypes.c_void_p(index * size)
            gl.glEnableVertexAttribArray(index)
            gl.glVertexAttribPointer(
                index, _COMPONENTS, gl.GL_FLOAT, gl.GL_FALSE, vectors * size, offset
            )
            # One value for each instance, not for each corner of its quad.
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


def upload(target: int, values: NDArray[Any]) -> None:
    """Replace the storage of the buffer bound to `target`.

    A frame that is still being drawn keeps the old storage.
    """
    gl.glBufferData(target, values.nbytes, ctypes.c_void_p(values.ctypes.data), gl.GL_STREAM_DRAW)
