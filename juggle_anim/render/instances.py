"""Instances on the graphics card: a quad is drawn for each row of an array."""

from __future__ import annotations

import ctypes

import numpy as np

from juggle_anim.arrays import Singles
from juggle_anim.render import gl
from juggle_anim.render.buffers import Names, generate, upload

_COLUMNS = 4


class Instances:
    """A buffer of rows of `vectors` vec4 each; vec4 number i is attribute i of the vertex shader."""

    def __init__(self, vectors: int) -> None:
        self._count = 0
        self._array: Names = generate(gl.glGenVertexArrays)
        self._buffer: Names = generate(gl.glGenBuffers)
        gl.glBindVertexArray(self._array[0])
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer[0])
        size = np.dtype(np.float32).itemsize * _COLUMNS
        for index in range(vectors):
            offset = ctypes.c_void_p(index * size)
            gl.glEnableVertexAttribArray(index)
            gl.glVertexAttribPointer(index, _COLUMNS, gl.GL_FLOAT, gl.GL_FALSE, vectors * size, offset)
            gl.glVertexAttribDivisor(index, 1)

    def upload(self, rows: Singles) -> None:
        """Replace all rows, shape (N, 4 × vectors)."""
        self._count = len(rows)
        if self._count:
            gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer[0])
            upload(gl.GL_ARRAY_BUFFER, rows)

    def draw(self, program: int) -> None:
        """Draw them all with this program."""
        if self._count:
            gl.glUseProgram(program)
            gl.glBindVertexArray(self._array[0])
            gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, self._count)

    def close(self) -> None:
        """Give buffer and vertex array back."""
        gl.glDeleteVertexArrays(1, self._array)
        gl.glDeleteBuffers(1, self._buffer)
