"""A framebuffer of colours alone, to keep a picture in."""

from __future__ import annotations

from juggle_anim.errors import RenderError
from juggle_anim.render import gl
from juggle_anim.render.buffers import Names, generate


class ColourBuffer:
    """A framebuffer object with colour (RGBA, 8 bits each), in the current context.

    Args:
        width, height: [pixels].

    Raises:
        RenderError: a size that the graphics driver refuses.
    """

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        self._framebuffer: Names = generate(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer[0])
        self._buffers: list[Names] = []
        self.attach(gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA8)

    @property
    def framebuffer(self) -> int:
        """OpenGL's name of it."""
        return int(self._framebuffer[0])

    def attach(self, attachment: int, kind: int) -> None:
        """Add a renderbuffer of this kind; the framebuffer is to be bound."""
        buffer = generate(gl.glGenRenderbuffers)
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
