"""Bubbles: thin spheres that are seen through, among everything else."""

from __future__ import annotations

from juggle_anim.arrays import Singles
from juggle_anim.render import gl
from juggle_anim.render.instances import Instances
from juggle_anim.render.program import program


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
        instances, made = self._made = self._made or (Instances(3), program("bubble.vert", "bubble.frag"))
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
