"""The renderer: a Scene becomes a picture in the current framebuffer."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.render import gl
from juggle_anim.render.backdrop import Backdrop
from juggle_anim.render.frame import PENUMBRA, Frame
from juggle_anim.render.instances import Instances
from juggle_anim.render.program import program
from juggle_anim.render.shadow_box import shadow_box
from juggle_anim.render.shadows import Shadows
from juggle_anim.scene.scene import Scene

_SHAPES = ("capsule", "ring", "sphere")


class Renderer:
    """Draws scenes with the OpenGL 3.3 core context that is current, which has to be the same at every call.

    Solids are ray-cast in the fragment shader, each on a quad of its own. First what they cover whole, with depth; then
    their edges, half a pixel to either side of the outline, blended by the share of the pixel that is covered.

    Raises:
        RenderError: the driver refuses a shader or a framebuffer.
    """

    def __init__(self) -> None:
        self._frame = Frame()
        self._backdrop = Backdrop()
        self._shadows = Shadows()
        self._spheres, self._capsules, self._rings = Instances(2), Instances(3), Instances(3)
        self._solids = [program(f"{shape}.vert", f"{shape}.frag") for shape in _SHAPES]
        self._edges = [program(f"{shape}.vert", f"{shape}.frag", "EDGE") for shape in _SHAPES]

    def draw(self, scene: Scene, width: int, height: int, framebuffer: int = 0) -> None:
        """Draw the whole picture, backdrop included, over what was there.

        Args:
            scene: what to draw.
            width, height: of the picture, from the framebuffer's lower left corner, [pixels]. A minimised window has
                none, and gets nothing.
            framebuffer: OpenGL's name of it; 0 is the window.
        """
        if width < 1 or height < 1:
            return
        self._frame.fill(scene.camera, scene.stage, width, height)
        self._spheres.upload(_far_to_near(scene.spheres, 3, self._frame.view))
        self._capsules.upload(_far_to_near(scene.capsules, 8, self._frame.view))
        self._rings.upload(_far_to_near(scene.rings, 3, self._frame.view))
        box = shadow_box(_round(scene), scene.capsules, self._frame.axes, PENUMBRA)
        self._frame.upload(box)
        _settle_state()
        lit = scene.camera.eye[1] > 0.0 and box.texels[0] > 0
        if lit:
            self._shadows.draw(box, self._spheres, self._capsules, self._rings)
        gl.glDisable(gl.GL_BLEND)
        self._backdrop.draw(scene.camera, scene.stage, width, height, framebuffer)
        if lit:
            self._backdrop.draw_shadows(self._shadows)
        self._draw_solids()

    def close(self) -> None:
        """Give everything back; the same context is to be current."""
        for part in (self._frame, self._backdrop, self._shadows, self._spheres, self._capsules, self._rings):
            part.close()
        for made in (*self._solids, *self._edges):
            gl.glDeleteProgram(made)

    def _draw_solids(self) -> None:
        drawn = self._capsules, self._rings, self._spheres
        gl.glDisable(gl.GL_BLEND)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        for instances, solid in zip(drawn, self._solids, strict=True):
            instances.draw(solid)
        gl.glEnable(gl.GL_BLEND)
        # The picture stays opaque: colour is blended, alpha kept.
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ZERO, gl.GL_ONE)
        gl.glDepthMask(gl.GL_FALSE)
        for instances, edge in zip(drawn, self._edges, strict=True):
            instances.draw(edge)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glBindVertexArray(0)
        gl.glUseProgram(0)


def _far_to_near(rows: Singles, columns: int, view: Floats) -> Singles:
    """Rows with the farthest first, so that edges blend over what lies behind them."""
    ahead = view[2, :3].astype(np.float32)
    depths = rows[:, :3] @ ahead
    if columns == 8:
        depths = depths + rows[:, 4:7] @ ahead
    return np.ascontiguousarray(rows[np.argsort(depths)], dtype=np.float32)


def _round(scene: Scene) -> Singles:
    """Balls around all that is round: centre and radius are in the first columns."""
    if not len(scene.rings):
        return scene.spheres
    return np.concatenate([scene.spheres[:, :4], scene.rings[:, :4]])


def _settle_state() -> None:
    """Set all state that drawing relies on: an overlay may have left anything."""
    for capability in (
        gl.GL_DEPTH_TEST,
        gl.GL_CULL_FACE,
        gl.GL_SCISSOR_TEST,
        gl.GL_STENCIL_TEST,
        gl.GL_COLOR_LOGIC_OP,
        gl.GL_FRAMEBUFFER_SRGB,
        gl.GL_SAMPLE_ALPHA_TO_COVERAGE,
    ):
        gl.glDisable(capability)
    gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_FILL)
    gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
    gl.glDepthMask(gl.GL_TRUE)
    gl.glDepthFunc(gl.GL_LEQUAL)
    gl.glDepthRange(0.0, 1.0)
    gl.glClearDepth(1.0)
    gl.glBlendEquation(gl.GL_FUNC_ADD)
