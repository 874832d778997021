"""The uniform block `Frame`: what every shader knows of one frame, uploaded once."""

from __future__ import annotations

import math

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.render import gl
from juggle_anim.render.buffers import Names, generate, upload
from juggle_anim.render.program import FRAME_BINDING
from juggle_anim.render.shadow_box import ShadowBox
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.stage import Stage

PENUMBRA = 0.12
"""How much half the blur of a shadow grows with the way from the solid to the floor."""

_VECTORS = 21
_FLOOR = 1.1  # radius of the lit floor, in distances from the eye to the target


class Frame:
    """The block's buffer. It needs a current OpenGL context, as all that holds names of one."""

    def __init__(self) -> None:
        self._names: Names = generate(gl.glGenBuffers)
        self._values: Singles = np.zeros((_VECTORS, 4), dtype=np.float32)
        self._seen: tuple[Camera, int, int] | None = None
        self._staged: Stage | None = None
        self.axes: Floats = np.eye(3)
        self.view: Floats = np.eye(4)

    def fill(self, camera: Camera, stage: Stage, width: int, height: int) -> None:
        """Set camera and stage, for a picture of this size in pixels."""
        if self._seen != (camera, width, height):
            self._look(camera, width, height)
        if self._seen != (camera, width, height) or self._staged != stage:
            self._light(stage)
        self._seen, self._staged = (camera, width, height), stage

    def upload(self, box: ShadowBox) -> None:
        """Hand the block to the graphics card and bind it."""
        self._values[19] = (*box.origin, box.scale, box.texel)
        self._values[20, :2] = box.end
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, FRAME_BINDING, self._names[0])
        upload(gl.GL_UNIFORM_BUFFER, self._values)

    def close(self) -> None:
        """Give the buffer back."""
        gl.glDeleteBuffers(1, self._names)

    def _look(self, camera: Camera, width: int, height: int) -> None:
        values, view, projection = self._values, camera.view(), camera.projection(width / height)
        self.view = view
        # A pixel's ray in the camera's axes: clip coordinates undone at distance 1.
        step = 2.0 / (projection[0, 0] * width), 2.0 / (projection[1, 1] * height)
        corner = -1.0 / projection[0, 0], -1.0 / projection[1, 1]
        values[0:4] = view.T
        values[4] = (
            projection[0, 0], projection[1, 1], 0.5 - 0.5 * projection[2, 2], 0.5 * projection[2, 3],
        )  # fmt: skip
        values[5] = (*step, *corner)
        values[6, 3] = step[1]
        right, up, back = view[:3, :3]
        values[7, :3] = view[:3, 1]
        values[8] = (*camera.eye, 1.0 / (_FLOOR * math.dist(camera.eye, camera.target)))
        values[9:12, :3] = corner[0] * right + corner[1] * up - back, step[0] * right, step[1] * up
        values[9, 3], values[10, 3] = camera.target[0], camera.target[2]

    def _light(self, stage: Stage) -> None:
        values = self._values
        self.axes = light_axes(stage)
        values[6, :3] = self.view[:3, :3] @ self.axes[2]
        colours = stage.backdrop_top, stage.backdrop_bottom, stage.floor, stage.line
        values[12:16] = [(*colour, 1.0) for colour in colours]
        values[16] = (*self.axes[2], PENUMBRA)
        values[17:19, :3] = self.axes[:2]


def light_axes(stage: Stage) -> Floats:
    """Unit vectors across, across and toward the light, shape (3, 3); the first is level."""
    toward = np.asarray(stage.light, dtype=np.float64)
    toward = toward / np.linalg.norm(toward)
    level = np.array([toward[2], 0.0, -toward[0]])
    size = np.linalg.norm(level)
    level = level / size if size > 1e-9 else np.array([1.0, 0.0, 0.0])
    return np.array([level, np.cross(toward, level), toward])
