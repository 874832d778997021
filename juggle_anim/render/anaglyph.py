"""Anaglyphs: the left eye's picture laid in red over the right eye's, which keeps green and
blue.
"""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.errors import RenderError
from juggle_anim.language import _
from juggle_anim.render import gl
from juggle_anim.render.backdrop import Backdrop
from juggle_anim.render.framebuffer import RenderTarget, Viewport
from juggle_anim.render.program import GlNames, build_program, generate_name


class Anaglyph:
    """Holds the picture for the left eye until it is laid over the other.

    Its luminance becomes the red channel; its own red would leave red or blue props dark for one
    eye.
    """

    def __init__(self) -> None:
        self.backdrop = Backdrop()
        """The left eye's own, so that both caches stay valid."""
        self._program = build_program("fullscreen.vert", "anaglyph.frag")
        self._array: GlNames = generate_name(gl.glGenVertexArrays)
        self._eye: _EyeTexture | None = None

    def target(self, other: RenderTarget) -> RenderTarget:
        """Return the target for the left eye's picture, which `composite` lays over another."""
        if self._eye is None or (self._eye.size, self._eye.deep) != (other.size, other.deep):
            if self._eye:
                self._eye.close()
            self._eye = _EyeTexture(*other.size, other.deep)
        return replace(other, framebuffer=self._eye.framebuffer)

    def composite(self, other: RenderTarget, area: Viewport) -> None:
        """Lay the left eye's picture over the right eye's, and leave the latter's framebuffer
        bound.
        """
        assert self._eye
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, other.framebuffer)
        gl.glViewport(*area.rectangle)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(gl.GL_ONE, gl.GL_ZERO, gl.GL_ONE, gl.GL_ONE)
        # Alpha is that of the eye that sees more.
        gl.glBlendEquationSeparate(gl.GL_FUNC_ADD, gl.GL_MAX)
        gl.glColorMask(gl.GL_TRUE, gl.GL_FALSE, gl.GL_FALSE, gl.GL_TRUE)
        self._eye.bind()
        gl.glUseProgram(self._program)
        gl.glBindVertexArray(self._array[0])
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
        gl.glBlendEquation(gl.GL_FUNC_ADD)

    def close(self) -> None:
        """Delete all OpenGL objects."""
        self.backdrop.close()
        gl.glDeleteProgram(self._program)
        gl.glDeleteVertexArrays(1, self._array)
        if self._eye:
            self._eye.close()


class _EyeTexture:
    """A framebuffer with a colour texture that shaders can read."""

    def __init__(self, width: int, height: int, deep: bool) -> None:
        self.size = (width, height)
        self.deep = deep
        self._texture, self._depth = (
            generate_name(gl.glGenTextures),
            generate_name(gl.glGenRenderbuffers),
        )
        self._framebuffer: GlNames = generate_name(gl.glGenFramebuffers)
        self.bind()
        gl.glBindBuffer(gl.GL_PIXEL_UNPACK_BUFFER, 0)
        texture = gl.GL_TEXTURE_2D
        colours = gl.GL_RGBA16 if deep else gl.GL_RGBA8
        gl.glTexImage2D(
            texture, 0, colours, width, height, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, None
        )
        for name in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(texture, name, gl.GL_NEAREST)
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, self._depth[0])
        gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_DEPTH_COMPONENT24, width, height)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.framebuffer)
        gl.glFramebufferTexture2D(
            gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, texture, self._texture[0], 0
        )
        gl.glFramebufferRenderbuffer(
            gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_RENDERBUFFER, self._depth[0]
        )
        if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            self.close()
            raise RenderError(
                _(
                    "the graphics driver refuses a picture of {width}×{height} pixels for each eye",
                    width=width,
                    height=height,
                )
            )

    @property
    def framebuffer(self) -> int:
        return int(self._framebuffer[0])

    def bind(self) -> None:
        """Bind the colours to unit 0."""
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindSampler(0, 0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture[0])

    def close(self) -> None:
        gl.glDeleteFramebuffers(1, self._framebuffer)
        gl.glDeleteRenderbuffers(1, self._depth)
        gl.glDeleteTextures(1, self._texture)
