"""Soft shadows on the floor: every solid drawn flat, along the light, into a small texture."""

from __future__ import annotations

from juggle_anim.errors import RenderError
from juggle_anim.render import gl
from juggle_anim.render.buffers import Names, generate
from juggle_anim.render.instances import Instances
from juggle_anim.render.program import program
from juggle_anim.render.shadow_box import SIZE, ShadowBox


class Shadows:
    """The texture of shadows: 0 is light, 1 is shadow; each shadow takes its share of the light that others leave."""

    def __init__(self) -> None:
        self._sphere = program("sphere_shadow.vert", "sphere_shadow.frag")
        self._capsule = program("capsule_shadow.vert", "capsule_shadow.frag")
        self._ring = program("ring_shadow.vert", "ring_shadow.frag")
        self._box = program("sphere_shadow.vert", "sphere_shadow.frag", "BOX")
        self._texture: Names = _texture()
        self._framebuffer: Names = generate(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer[0])
        gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, self._texture[0], 0)
        if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            raise RenderError("the graphics driver refuses a framebuffer of one 8-bit channel")

    def draw(self, box: ShadowBox, spheres: Instances, capsules: Instances, rings: Instances, boxes: Instances) -> None:
        """Draw the shadows in this box; leaves the texture's framebuffer bound, and blending on."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer[0])
        gl.glViewport(0, 0, SIZE, SIZE)
        # One texel more is seen at its edge, where an earlier picture may have left something.
        gl.glScissor(0, 0, box.texels[0] + 1, box.texels[1] + 1)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glScissor(0, 0, *box.texels)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ONE_MINUS_DST_COLOR, gl.GL_ONE)
        capsules.draw(self._capsule)
        spheres.draw(self._sphere)
        rings.draw(self._ring)
        boxes.draw(self._box)
        gl.glDisable(gl.GL_SCISSOR_TEST)

    def bind(self) -> None:
        """Bind the texture to unit 0."""
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindSampler(0, 0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture[0])

    def close(self) -> None:
        """Give everything back."""
        gl.glDeleteProgram(self._sphere)
        gl.glDeleteProgram(self._capsule)
        gl.glDeleteProgram(self._ring)
        gl.glDeleteProgram(self._box)
        gl.glDeleteFramebuffers(1, self._framebuffer)
        gl.glDeleteTextures(1, self._texture)


def _texture() -> Names:
    texture = generate(gl.glGenTextures)
    gl.glActiveTexture(gl.GL_TEXTURE0)
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture[0])
    gl.glBindBuffer(gl.GL_PIXEL_UNPACK_BUFFER, 0)
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_R8, SIZE, SIZE, 0, gl.GL_RED, gl.GL_UNSIGNED_BYTE, None)
    for name, value in (
        (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR),
        (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
        (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE),
        (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
    ):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, name, value)
    return texture
