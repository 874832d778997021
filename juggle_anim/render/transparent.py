"""Ghosts: round limbs that are seen through, drawn over everything else.

MERGED: Bubbles: thin spheres that are seen through, among everything else.
"""

from __future__ import annotations

from juggle_anim.arrays import Singles
from juggle_anim.render import gl
from juggle_anim.render.program import Instances, build_program

GHOST_OPACITY, SEE_THROUGH_OPACITY = 0.62, 0.35
"""Share of its own colour in what is seen of a ghost, and of a limb that is seen through."""

_STEP = 2.0**-24
"""Between two depths that the buffer tells apart."""


class TranslucentLimbs:
    """Draws ghosts into the picture that stands there. Their programs are made when the first ghost comes.

    Args:
        opacity: share of a ghost's own colour in what is seen.
        over: whether they are seen whatever is before them; else what is nearer hides them.
    """

    def __init__(self, opacity: float = GHOST_OPACITY, over: bool = True) -> None:
        self._opacity, self._over = opacity, over
        self._made: tuple[Instances, int, int, int] | None = None

    def draw(self, rows: Singles) -> None:
        """Draw ghosts with the blending that is set.

        Args:
            rows: shape (G, 12), as in `Scene.ghosts`, the farthest first.
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
        # Depth alone at first, so that only the nearest limb shows where two of them lie behind each other.
        gl.glColorMask(gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE)
        instances.draw(solid)
        gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
        # Of limbs that are just as near only the first shows: it leaves no room for others.
        gl.glUniform1f(lift, _STEP)
        gl.glDepthFunc(gl.GL_LESS)
        instances.draw(solid)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDepthMask(gl.GL_FALSE)
        instances.draw(edge)

    def close(self) -> None:
        """Give everything back; the same context is to be current."""
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
    """Draws bubbles into the picture that stands there. Their program is made when the first bubble comes."""

    def __init__(self) -> None:
        self._made: tuple[Instances, int] | None = None

    def draw(self, rows: Singles) -> None:
        """Draw bubbles with the blending and the depth that are set.

        Args:
            rows: shape (B, 12), as in `Scene.bubbles`, the farthest first.
        """
        if not len(rows):
            return
        instances, made = self._made = self._made or (Instances(3), build_program("bubble.vert", "bubble.frag"))
        instances.upload(rows)
        gl.glDepthMask(gl.GL_FALSE)
        instances.draw(made)

    def close(self) -> None:
        """Give everything back; the same context is to be current."""
        if self._made:
            instances, made = self._made
            instances.close()
            gl.glDeleteProgram(made)
            self._made = None
