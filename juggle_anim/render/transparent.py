"""Translucent limbs (ghosts, see-through figures) and bubbles."""

from __future__ import annotations

from juggle_anim.arrays import Singles
from juggle_anim.render import gl
from juggle_anim.render.program import Instances, build_program

GHOST_OPACITY, SEE_THROUGH_OPACITY = 0.62, 0.35
"""Opacity of ghosts and of see-through figures."""

_STEP = 2.0**-24
"""Resolution of the depth buffer."""


class TranslucentLimbs:
    """Draws translucent limbs over the picture. The programs are built when the first limb is drawn.

    Args:
        opacity: 0 to 1.
        over: whether they are drawn over nearer solids, or hidden by them.
    """

    def __init__(self, opacity: float = GHOST_OPACITY, over: bool = True) -> None:
        self._opacity, self._over = opacity, over
        self._made: tuple[Instances, int, int, int] | None = None

    def draw(self, rows: Singles) -> None:
        """Draw limbs with the current blending.

        Args:
            rows: shape (G, 12), rows of `Cone`, from far to near.
        """
        if not len(rows):
            return
        instances, solid, edge, lift = self._made = self._made or _make(self._opacity)
        instances.upload(rows)
        gl.glUseProgram(solid)
        gl.glUniform1f(lift, 0.0)
        gl.glDepthMask(gl.GL_TRUE)
        if self._over:
            gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        # Depth first, so that only the nearest limb shows where limbs overlap.
        gl.glColorMask(gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE)
        instances.draw(solid)
        gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
        # Of limbs at one depth only the first shows: it is lifted by one step.
        gl.glUniform1f(lift, _STEP)
        gl.glDepthFunc(gl.GL_LESS)
        instances.draw(solid)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDepthMask(gl.GL_FALSE)
        instances.draw(edge)

    def close(self) -> None:
        """Delete all OpenGL objects; the same context must be current."""
        if self._made:
            instances, solid, edge, _ = self._made
            instances.close()
            gl.glDeleteProgram(solid)
            gl.glDeleteProgram(edge)
            self._made = None


def _make(opacity: float) -> tuple[Instances, int, int, int]:
    seen_through = f"GHOST {opacity}"
    solid, edge = (build_program("capsule.vert", "capsule.frag", seen_through, part) for part in ("LIFTED", "EDGE"))
    return Instances(3), solid, edge, int(gl.glGetUniformLocation(solid, b"lift"))


class Bubbles:
    """Draws bubbles over the picture. The program is built when the first bubble is drawn."""

    def __init__(self) -> None:
        self._made: tuple[Instances, int] | None = None

    def draw(self, rows: Singles) -> None:
        """Draw bubbles with the current blending and depth test.

        Args:
            rows: shape (B, 12), rows of `Bubble`, from far to near.
        """
        if not len(rows):
            return
        instances, made = self._made = self._made or (Instances(3), build_program("bubble.vert", "bubble.frag"))
        instances.upload(rows)
        gl.glDepthMask(gl.GL_FALSE)
        instances.draw(made)

    def close(self) -> None:
        """Delete all OpenGL objects; the same context must be current."""
        if self._made:
            instances, made = self._made
            instances.close()
            gl.glDeleteProgram(made)
            self._made = None
