"""The uniform block `Frame`: camera, light and colours for all shaders, uploaded once a frame."""

from __future__ import annotations

import math

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.render import gl
from juggle_anim.render.backdrop import ShadowBox
from juggle_anim.render.framebuffer import Viewport
from juggle_anim.render.program import FRAME_BINDING, GlNames, generate_name, upload
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.scene import Stage

PENUMBRA = 0.12
"""Growth of half the blur of a shadow with the distance from the solid to the floor."""

_COLOURS = "backdrop_top", "backdrop_bottom", "floor_colour", "line_colour"
_VECTORS = ("projection", "ray", "light", "up", "eye", "ahead", "across", "above", *_COLOURS)
_OF_SHADOWS = ("sun", "shadow_u", "shadow_v", "shadow_box", "shadow_end")
_LIGHTS = "key_light", "sky_light", "ground_light", "fill", "rim_light"
# The layout of the block in `frame.glsl`, where each member is described.
_BLOCK = np.dtype(
    [
        ("view", np.float32, (4, 4)),
        *((name, np.float32, 4) for name in (*_VECTORS, *_OF_SHADOWS, *_LIGHTS)),
    ]
)
_BRIGHTNESS = np.array([0.30, 0.59, 0.11])  # weights of red, green and blue
_FLOOR = 1.1  # radius of the lit floor, in distances from the eye to the target


class FrameUniforms:
    """The block's buffer, in the current OpenGL context."""

    def __init__(self) -> None:
        self._names: GlNames = generate_name(gl.glGenBuffers)
        self._values = np.zeros((), dtype=_BLOCK)
        self._seen: tuple[Camera, Viewport] | None = None
        self._staged: Stage | None = None
        self._behind = 1.0
        self.axes: Floats = np.eye(3)
        self.view: Floats = np.eye(4)

    def fill(self, camera: Camera, stage: Stage, area: Viewport) -> None:
        """Set camera and stage for a picture in a viewport."""
        if self._seen != (camera, area):
            self._look(camera, area)
        if self._seen != (camera, area) or self._staged != stage:
            self._light(stage)
        self._seen = (camera, area)
        self._staged = stage

    def upload(self, box: ShadowBox, transparent: bool = False) -> None:
        """Upload the block and bind it; a `transparent` picture has no backdrop."""
        self._values["shadow_box"] = (*box.origin, box.scale, box.texel)
        self._values["shadow_end"] = *box.end, self._behind, float(transparent)
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, FRAME_BINDING, self._names[0])
        upload(gl.GL_UNIFORM_BUFFER, self._values)

    def close(self) -> None:
        """Delete the buffer."""
        gl.glDeleteBuffers(1, self._names)

    def _look(self, camera: Camera, area: Viewport) -> None:
        values = self._values
        view = camera.view()
        projection = camera.projection(area.width / area.height)
        self.view = view
        # A pixel's ray in the camera's axes: clip coordinates undone at distance 1.
        step = 2.0 / (projection[0, 0] * area.width), 2.0 / (projection[1, 1] * area.height)
        corner = (
            camera.lens_shift - 1.0 / projection[0, 0] - area.left * step[0],
            -1.0 / projection[1, 1],
        )
        corner = corner[0], corner[1] - area.bottom * step[1]
        wide = area.width + area.overhang
        values["view"] = view.T
        near = 0.5 - 0.5 * projection[2, 2]
        far = 0.5 * projection[2, 3]
        if camera.orthographic:
            near = 0.5
            far = 0.5 / camera.far
        values["projection"] = projection[0, 0] * (area.width / wide), projection[1, 1], near, far
        values["ray"] = (*step, *corner)
        values["light"][3] = step[1]
        right, up, back = view[:3, :3]
        values["up"] = *view[:3, 1], camera.distance if camera.orthographic else 0.0
        values["eye"] = (*camera.position, 1.0 / (_FLOOR * math.dist(camera.eye, camera.target)))
        ahead = (area.overhang - camera.lens_shift * projection[0, 0] * area.width) / wide
        values["ahead"] = *(corner[0] * right + corner[1] * up - back), camera.target[0]
        values["across"] = *(step[0] * right), camera.target[2]
        values["above"] = *(step[1] * up), ahead

    def _light(self, stage: Stage) -> None:
        values = self._values
        self.axes = light_axes(stage)
        values["light"][:3] = self.view[:3, :3] @ self.axes[2]
        colours = stage.backdrop_top, stage.backdrop_bottom, stage.floor, stage.line
        for name, colour in zip(_COLOURS, colours, strict=True):
            values[name] = (*colour, 1.0)
        self._behind = brightness(stage)
        values["sun"] = (*self.axes[2], PENUMBRA)
        values["shadow_u"][:3], values["shadow_v"][:3] = self.axes[:2]
        more = np.subtract(stage.sky, stage.ground)
        for name, light in (
            ("key_light", stage.key),
            ("sky_light", more),
            ("ground_light", stage.ground),
        ):
            values[name][:3] = light
        values["rim_light"][:3] = stage.rim
        values["fill"] = *(self.view[:3, :3] @ fill_direction(self.axes)), stage.fill


def light_axes(stage: Stage) -> Floats:
    """Return two unit vectors across the light, the first of them level, and one toward it, shape
    (3, 3).
    """
    toward = np.asarray(stage.light, dtype=np.float64)
    toward = toward / np.linalg.norm(toward)
    level = np.array([toward[2], 0.0, -toward[0]])
    size = np.linalg.norm(level)
    level = level / size if size > 1e-9 else np.array([1.0, 0.0, 0.0])
    return np.array([level, np.cross(toward, level), toward])


def fill_direction(axes: Floats) -> Floats:
    """Return the unit vector toward the fill light, opposite to the key light and lower; `axes` as
    of `light_axes`.
    """
    away = np.array([-axes[2, 0], 0.30, -axes[2, 2]])
    return away / np.linalg.norm(away)


def brightness(stage: Stage) -> float:
    """Return the mean brightness of what is behind people, sRGB."""
    return float(
        np.mean([stage.backdrop_top, stage.backdrop_bottom, stage.floor], axis=0) @ _BRIGHTNESS
    )
