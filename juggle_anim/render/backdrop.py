"""What lies behind the solids: sky and floor, and the shadows on the floor."""

from __future__ import annotations

from juggle_anim.render import gl
from juggle_anim.render.area import Area
from juggle_anim.render.buffers import Names, generate
from juggle_anim.render.colour_buffer import ColourBuffer
from juggle_anim.render.program import program
from juggle_anim.render.shadows import Shadows
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.stage import Stage


class Backdrop:
    """Draws the empty studio over the whole picture, then darkens the floor by shadows. Depth is not written.

    The empty studio costs more than all else on a software OpenGL, so it is kept for as long as the camera rests.
    """

    def __init__(self) -> None:
        self._sky, self._floor = program("whole.vert", "sky.frag"), program("whole.vert", "floor.frag")
        self._shadow = program("floor_shadow.vert", "floor_shadow.frag")
        self._array: Names = generate(gl.glGenVertexArrays)
        self._kept: ColourBuffer | None = None
        self._shows: dict[Area, tuple[Camera, Stage]] = {}
        gl.glUseProgram(self._shadow)
        gl.glUniform1i(gl.glGetUniformLocation(self._shadow, b"shadows"), 0)

    def draw(self, camera: Camera, stage: Stage, size: tuple[int, int], area: Area, framebuffer: int) -> None:
        """Draw the empty studio into an area as the uniform block has it; leaves the framebuffer bound.

        Args:
            camera, stage: that the block has.
            size: of the whole picture, [pixels].
            area: where in it.
            framebuffer: OpenGL's name of it.
        """
        kept = self._kept_buffer(size)
        left, low, wide, high = area.drawn
        gl.glViewport(left, low, wide, high)
        if self._shows.get(area) != (camera, stage):
            gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, kept.framebuffer)
            self._draw_studio(horizon(camera, high), area)
            self._shows = {other: shown for other, shown in self._shows.items() if not other.overlaps(area)}
            self._shows[area] = camera, stage
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, kept.framebuffer)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, framebuffer)
        corners = left, low, left + wide, low + high
        gl.glBlitFramebuffer(*corners, *corners, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)

    def draw_shadows(self, shadows: Shadows) -> None:
        """Darken what is drawn where shadows fall."""
        shadows.bind()
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ZERO, gl.GL_ONE_MINUS_SRC_COLOR)
        gl.glBindVertexArray(self._array[0])
        gl.glUseProgram(self._shadow)
        gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4)

    def close(self) -> None:
        """Give everything back."""
        for made in (self._sky, self._floor, self._shadow):
            gl.glDeleteProgram(made)
        gl.glDeleteVertexArrays(1, self._array)
        if self._kept:
            self._kept.close()

    def _draw_studio(self, row: int, area: Area) -> None:
        left, low, wide, high = area.drawn
        gl.glBindVertexArray(self._array[0])
        gl.glEnable(gl.GL_SCISSOR_TEST)
        for made, first, last in ((self._floor, 0, row), (self._sky, row, high)):
            gl.glScissor(left, low + first, wide, last - first)
            gl.glUseProgram(made)
            gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        gl.glDisable(gl.GL_SCISSOR_TEST)

    def _kept_buffer(self, size: tuple[int, int]) -> ColourBuffer:
        if self._kept is None or self._kept.size != size:
            if self._kept:
                self._kept.close()
            self._kept, self._shows = ColourBuffer(*size), {}
        return self._kept


def horizon(camera: Camera, height: int) -> int:
    """The lowest row of pixels, counted from below, that shows no floor, 0 to `height`."""
    if not camera.looks_down:
        return 0
    if camera.orthographic:
        return height
    view, projection = camera.view(), camera.projection(1.0)
    _, up, back = view[:3, :3]
    # A ray −back + y · up is level at this y, which the middle of a row reaches here.
    level = back[1] / up[1] if up[1] > 1e-9 else (-1e9 if back[1] < 0 else 1e9)
    row = (level * projection[1, 1] + 1.0) * 0.5 * height - 0.5
    return int(min(max(row + 1e-3, -1.0), height - 1.0)) + 1 if row >= 0 else 0
