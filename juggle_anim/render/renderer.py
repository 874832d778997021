"""The renderer: a Scene becomes a picture in the current framebuffer."""

from __future__ import annotations

import math

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.render import gl
from juggle_anim.render.backdrop import Backdrop
from juggle_anim.render.frame import PENUMBRA, Frame
from juggle_anim.render.ghosts import VEIL, Ghosts
from juggle_anim.render.instances import Instances
from juggle_anim.render.program import program
from juggle_anim.render.shadow_box import ShadowBox, shadow_box
from juggle_anim.render.shadows import Shadows
from juggle_anim.scene.scene import Scene

_SHAPES = ("capsule", "ring", "box", "sphere")
_CAPSULE = 0
# From half an edge of a cube to its corners.
_TO_CORNERS = np.array([1.0, 1.0, 1.0, math.sqrt(3.0)], dtype=np.float32)


class Renderer:
    """Draws scenes with the OpenGL 3.3 core context that is current, which has to be the same at every call.

    Solids are ray-cast in the fragment shader, each on a quad of its own. First what they cover whole, with depth; then
    their edges, half a pixel to either side of the outline, blended by the share of the pixel that is covered. Last
    come ghosts, over all of that.

    Raises:
        RenderError: the driver refuses a shader or a framebuffer.
    """

    def __init__(self) -> None:
        self._frame = Frame()
        self._backdrop = Backdrop()
        self._shadows = Shadows()
        self._ghosts, self._veils, self._traces = Ghosts(), Ghosts(VEIL, over=False), Instances(3)
        self._spheres, self._capsules, self._rings, self._boxes = Instances(2), Instances(3), Instances(3), Instances(2)
        self._solids = [program(f"{shape}.vert", f"{shape}.frag") for shape in _SHAPES]
        self._edges = [program(f"{shape}.vert", f"{shape}.frag", "EDGE") for shape in _SHAPES]

    def draw(self, scene: Scene, width: int, height: int, framebuffer: int = 0, transparent: bool = False) -> None:
        """Draw the whole picture, backdrop included, over what was there.

        Args:
            scene: what to draw.
            width, height: of the picture, from the framebuffer's lower left corner, [pixels]. A minimised window has
                none, and gets nothing.
            framebuffer: OpenGL's name of it; 0 is the window.
            transparent: whether nothing is to be drawn behind the solids, shadows included; their colours are then
                premultiplied by the alpha.
        """
        if width < 1 or height < 1:
            return
        self._frame.fill(scene.camera, scene.stage, width, height)
        self._spheres.upload(_far_to_near(scene.spheres, 3, self._frame.view))
        self._capsules.upload(_far_to_near(scene.capsules, 8, self._frame.view))
        self._rings.upload(_far_to_near(scene.rings, 3, self._frame.view))
        self._traces.upload(_far_to_near(scene.traces, 8, self._frame.view))
        self._boxes.upload(_far_to_near(scene.boxes, 3, self._frame.view))
        box = shadow_box(_round(scene), scene.capsules, self._frame.axes, PENUMBRA)
        self._frame.upload(box)
        _settle_state()
        if transparent:
            _clear(width, height, framebuffer)
        else:
            self._draw_backdrop(scene, box, width, height, framebuffer)
        self._draw_solids(transparent)
        self._veils.draw(_far_to_near(scene.veils, 8, self._frame.view))
        self._ghosts.draw(_far_to_near(scene.ghosts, 8, self._frame.view))
        _leave_state()

    def close(self) -> None:
        """Give everything back; the same context is to be current."""
        for part in (
            self._frame,
            self._backdrop,
            self._shadows,
            self._spheres,
            self._capsules,
            self._rings,
            self._boxes,
            self._ghosts,
            self._veils,
            self._traces,
        ):
            part.close()
        for made in (*self._solids, *self._edges):
            gl.glDeleteProgram(made)

    def _draw_backdrop(self, scene: Scene, box: ShadowBox, width: int, height: int, framebuffer: int) -> None:
        lit = scene.camera.eye[1] > 0.0 and box.texels[0] > 0
        if lit:
            self._shadows.draw(box, self._spheres, self._capsules, self._rings, self._boxes)
        gl.glDisable(gl.GL_BLEND)
        self._backdrop.draw(scene.camera, scene.stage, width, height, framebuffer)
        if lit:
            self._backdrop.draw_shadows(self._shadows)

    def _draw_solids(self, transparent: bool) -> None:
        drawn = self._capsules, self._rings, self._boxes, self._spheres
        gl.glDisable(gl.GL_BLEND)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        for instances, solid in zip(drawn, self._solids, strict=True):
            instances.draw(solid)
        self._traces.draw(self._solids[_CAPSULE])
        gl.glEnable(gl.GL_BLEND)
        # An opaque picture stays so: colour is blended, alpha kept.
        alpha = (gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA) if transparent else (gl.GL_ZERO, gl.GL_ONE)
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, *alpha)
        gl.glDepthMask(gl.GL_FALSE)
        self._traces.draw(self._edges[_CAPSULE])
        for instances, edge in zip(drawn, self._edges, strict=True):
            instances.draw(edge)


def _clear(width: int, height: int, framebuffer: int) -> None:
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)
    gl.glViewport(0, 0, width, height)
    gl.glClearColor(0.0, 0.0, 0.0, 0.0)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT)


def _far_to_near(rows: Singles, columns: int, view: Floats) -> Singles:
    """Rows with the farthest first, so that edges blend over what lies behind them."""
    ahead = view[2, :3].astype(np.float32)
    depths = rows[:, :3] @ ahead
    if columns == 8:
        depths = depths + rows[:, 4:7] @ ahead
    return np.ascontiguousarray(rows[np.argsort(depths)], dtype=np.float32)


def _round(scene: Scene) -> Singles:
    """Balls around all that is round: centre and radius are in the first columns."""
    if not len(scene.rings) and not len(scene.boxes):
        return scene.spheres
    return np.concatenate([scene.spheres[:, :4], scene.rings[:, :4], scene.boxes[:, :4] * _TO_CORNERS])


def _leave_state() -> None:
    """Leave what others expect."""
    gl.glDepthMask(gl.GL_TRUE)
    gl.glBindVertexArray(0)
    gl.glUseProgram(0)


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
