"""The backdrop: sky and floor, soft shadows on the floor, and pictures of a film."""

from __future__ import annotations

import ctypes
import math

import numpy as np

from juggle_anim.arrays import Bytes, Floats, Singles, Size
from juggle_anim.errors import RenderError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.render import gl
from juggle_anim.render.gl_objects import (
    ColourBuffer,
    GlNames,
    Instances,
    RenderTarget,
    bind_texture,
    build_program,
    generate_name,
)
from juggle_anim.scene import BALL, Camera, Cone, Sphere, Stage, Viewport

SHADOW_MAP_SIZE = 512
"""Texels along an edge of the shadow texture."""

_FINEST_TEXEL = 0.01  # m
_COARSEST_LEVEL = 10  # power of two by which texels are larger at most
_NEAR_FLOOR = 0.3  # m, below which limbs cast a contact shadow
_CONTACT_REACH = 0.075  # m, of that shadow around what touches the floor: contact_shadow.vert
# columns of a row of `Cone`
_START_HEIGHT = 1
_END_HEIGHT = 5
_SNAP = 16  # texels; a box starts at a multiple of them
_FAINTEST_SHADOW = 0.02  # darkness; a solid with a fainter shadow does not widen the box


class Backdrop:
    """Draws the empty stage over the whole picture, then the shadows on the floor, without depth.

    The empty stage costs most of the time in software OpenGL, so it is cached while the camera
    rests.
    """

    def __init__(self) -> None:
        """Build the program of shadows; those of stages are built when they are first drawn."""
        self._sceneries: dict[str, tuple[int, int]] = {}
        self._shadow = build_program("floor_shadow.vert", "floor_shadow.frag")
        self._array: GlNames = generate_name(gl.glGenVertexArrays)
        self._cache: ColourBuffer | None = None
        self._cached_views: dict[Viewport, tuple[Camera, Stage]] = {}
        # The shadow map is read from texture unit 0.
        gl.glUseProgram(self._shadow)
        gl.glUniform1i(gl.glGetUniformLocation(self._shadow, b"shadows"), 0)

    def draw(self, camera: Camera, stage: Stage, target: RenderTarget, area: Viewport) -> None:
        """Draw the empty stage into a viewport, and leave the target's framebuffer bound.

        It is drawn once into a cache and copied from there, as long as camera and stage stay the
        same.

        Args:
            camera, stage: as set in the uniform block.
            target: the framebuffer.
            area: the viewport.
        """
        cache = self._cache_buffer(target.size, deep=target.deep)
        left, bottom, width, height = area.rectangle
        gl.glViewport(left, bottom, width, height)
        # Draw into the cache if it shows something else in this viewport. Other viewports, as of
        # the other eye, stay in it unless this one overlaps them.
        if self._cached_views.get(area) != (camera, stage):
            gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, cache.framebuffer)
            self._draw_stage(stage.scenery, horizon_row(camera, height), area)
            self._cached_views = {
                viewport: view
                for viewport, view in self._cached_views.items()
                if not viewport.overlaps(area)
            }
            self._cached_views[area] = camera, stage
        # Copy all but the columns and rows that the target keeps as they are.
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, cache.framebuffer)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, target.framebuffer)
        left, bottom, width, height = area.drawn(target.kept)
        corners = left, bottom, left + width, bottom + height
        gl.glBlitFramebuffer(*corners, *corners, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target.framebuffer)

    def draw_shadows(self, shadows: ShadowMap, *, transparent: bool) -> None:
        """Darken the floor of the bound framebuffer by its shadows.

        Args:
            shadows: the map, in which the shadows are drawn already.
            transparent: whether the picture has no floor; then shadows are black with alpha.
        """
        shadows.bind()
        if transparent:
            gl.glDisable(gl.GL_BLEND)
        else:
            gl.glEnable(gl.GL_BLEND)
            # The floor of colour d keeps what the shadow of strength s leaves: d (1 − s).
            gl.glBlendFunc(gl.GL_ZERO, gl.GL_ONE_MINUS_SRC_COLOR)
        gl.glBindVertexArray(self._array[0])
        gl.glUseProgram(self._shadow)
        gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4)

    def close(self) -> None:
        """Delete all OpenGL objects."""
        stage_programs = (program for pair in self._sceneries.values() for program in pair)
        for program in (self._shadow, *stage_programs):
            gl.glDeleteProgram(program)
        gl.glDeleteVertexArrays(1, self._array)
        if self._cache:
            self._cache.close()

    def _draw_stage(self, scenery: str, floor_end: int, area: Viewport) -> None:
        """Draw the floor up to a row of pixels, and the sky from there on.

        Args:
            scenery: name of the scenery of a stage; its programs are built at first use.
            floor_end: the lowest row without floor, from the bottom of the viewport, [pixels].
            area: the viewport.
        """
        left, bottom, width, height = area.rectangle
        gl.glBindVertexArray(self._array[0])
        gl.glEnable(gl.GL_SCISSOR_TEST)
        if scenery not in self._sceneries:
            self._sceneries[scenery] = _stage_programs(scenery)
        floor, sky = self._sceneries[scenery]
        # Each program draws one triangle over the whole viewport, cut to its rows.
        for program, first_row, end_row in ((floor, 0, floor_end), (sky, floor_end, height)):
            gl.glScissor(left, bottom + first_row, width, end_row - first_row)
            gl.glUseProgram(program)
            gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        gl.glDisable(gl.GL_SCISSOR_TEST)

    def _cache_buffer(self, size: Size, *, deep: bool) -> ColourBuffer:
        """Return the buffer of cached empty stages; a new one where its size changes."""
        if self._cache is None or (self._cache.size, self._cache.deep) != (size, deep):
            if self._cache:
                self._cache.close()
            self._cache = ColourBuffer(*size, deep=deep)
            self._cached_views = {}
        return self._cache


def _stage_programs(scenery: str) -> tuple[int, int]:
    """Return the programs that draw the floor and what is above."""
    floor, sky = (
        build_program("fullscreen.vert", f"{name}.frag", scenery) for name in ("floor", "sky")
    )
    return floor, sky


def horizon_row(camera: Camera, height: int) -> int:
    """Return the lowest row of pixels without floor, counted from below, 0 to `height`.

    Args:
        camera: the camera.
        height: height of the picture, [pixels].
    """
    # In an orthographic picture either all rays meet the floor or none.
    if not camera.looks_down:
        return 0
    if camera.orthographic:
        return height
    view = camera.view()
    projection = camera.projection(1.0)
    _right, up, back = view[:3, :3]

    # At y above the middle of the picture, at distance 1, the ray −back + y · up is horizontal if
    # its component along +y is 0: y = back[1] / up[1]. For a camera that looks straight up or down
    # the horizon is far below or above the picture.
    out_of_picture = -1e9 if back[1] < 0 else 1e9
    level_y = back[1] / up[1] if up[1] > 1e-9 else out_of_picture

    # The row of pixels whose middle has this y, with a tolerance so that no horizontal ray counts
    # as floor.
    level_row = (level_y * projection[1, 1] + 1.0) * 0.5 * height - 0.5
    return int(min(max(level_row + 1e-3, -1.0), height - 1.0)) + 1 if level_row >= 0 else 0


class FilmLayer:
    """Draws pictures, as of a film, over what is there.

    Args:
        texture_count: how many pictures stay in textures of their own. A picture that is drawn
            again while it is in one is not uploaded again; another one takes the texture that was
            drawn least recently. Software OpenGL waits for all that is drawn so far before it
            uploads to a texture which that reads, so pictures of one frame need one each.
    """

    def __init__(self, texture_count: int = 1) -> None:
        self._texture_count = texture_count
        self._program = build_program("fullscreen.vert", "film.frag")
        self._place_location, self._opacity_location = (
            gl.glGetUniformLocation(self._program, name) for name in (b"place", b"opacity")
        )
        self._array: GlNames = generate_name(gl.glGenVertexArrays)
        # Pictures and their textures by the identity of the pictures, the last drawn last.
        self._textures: dict[int, tuple[Bytes, GlNames]] = {}

    def draw(self, pixels: Bytes, place: Viewport, area: Viewport, opacity: float) -> None:
        """Draw a picture over what is in the bound framebuffer, without a test of depth.

        Args:
            pixels: RGBA, shape (height, width, 4), top row first; an array that is still in a
                texture is not uploaded again, so its values must not change.
            place: rectangle of the framebuffer that the picture fills, which may reach beyond the
                area.
            area: the viewport.
            opacity: 0 to 1.
        """
        # The part of the picture's rectangle that is in the viewport.
        area_left, area_bottom, area_width, area_height = area.rectangle
        left = max(place.left, area_left)
        bottom = max(place.bottom, area_bottom)
        right = min(place.left + place.width, area_left + area_width)
        top = min(place.bottom + place.height, area_bottom + area_height)
        if right <= left or top <= bottom:
            return

        self._bind_texture(pixels)
        gl.glViewport(*area.rectangle)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glScissor(left, bottom, right - left, top - bottom)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(
            gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA
        )
        gl.glUseProgram(self._program)
        gl.glUniform4f(self._place_location, *map(float, place.rectangle))
        gl.glUniform1f(self._opacity_location, opacity)
        gl.glBindVertexArray(self._array[0])
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        gl.glDisable(gl.GL_BLEND)
        gl.glDisable(gl.GL_SCISSOR_TEST)

    def close(self) -> None:
        """Delete all OpenGL objects."""
        gl.glDeleteProgram(self._program)
        gl.glDeleteVertexArrays(1, self._array)
        for _pixels, texture in self._textures.values():
            gl.glDeleteTextures(1, texture)

    def _bind_texture(self, pixels: Bytes) -> None:
        """Bind a texture with a picture to unit 0, and upload it unless it is in one.

        Args:
            pixels: RGBA, shape (height, width, 4), top row first.
        """
        kept = self._textures.pop(id(pixels), None)
        if kept is not None:
            bind_texture(kept[1])
            self._textures[id(pixels)] = kept
            return
        former_shape: tuple[int, ...] = ()
        if len(self._textures) < self._texture_count:
            texture = generate_name(gl.glGenTextures)
        else:
            former, texture = self._textures.pop(next(iter(self._textures)))
            former_shape = former.shape
        self._textures[id(pixels)] = pixels, texture
        bind_texture(texture)
        # Rows without padding, from memory, whatever other code has set.
        gl.glBindBuffer(gl.GL_PIXEL_UNPACK_BUFFER, 0)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        gl.glPixelStorei(gl.GL_UNPACK_ROW_LENGTH, 0)
        source = gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, ctypes.c_void_p(pixels.ctypes.data)
        height, width = pixels.shape[:2]
        # Reuse the storage of a picture of the same size.
        if former_shape == pixels.shape:
            gl.glTexSubImage2D(gl.GL_TEXTURE_2D, 0, 0, 0, width, height, *source)
            return
        gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, width, height, 0, *source)
        for name in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, name, gl.GL_LINEAR)
        for name in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, name, gl.GL_CLAMP_TO_EDGE)


class ShadowMap:
    """The shadow map: 0 is light, 1 is shadow.

    Red has the shadow of the key light, green that of light from all around.

    Each solid is drawn flat along the light, and takes its share of what the others leave. Limbs
    near the floor are drawn a second time, straight below, for the dark contact of shoes.
    """

    def __init__(self) -> None:
        """Build the shadow programs, and the texture that shadows are drawn into.

        Raises:
            RenderError: the driver refuses the texture's format.
        """
        self._sphere = build_program("sphere_shadow.vert", "sphere_shadow.frag")
        self._capsule = build_program("capsule_shadow.vert", "capsule_shadow.frag")
        self._ring = build_program("ring_shadow.vert", "ring_shadow.frag")
        self._contact = build_program("contact_shadow.vert", "contact_shadow.frag")
        # A box is drawn by the program of spheres, compiled with another symbol.
        self._box = build_program("sphere_shadow.vert", "sphere_shadow.frag", "BOX")
        self._texture: GlNames = _shadow_texture()
        self._framebuffer: GlNames = generate_name(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer[0])
        gl.glFramebufferTexture2D(
            gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, self._texture[0], 0
        )
        if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            raise RenderError(
                _("the graphics driver does not support a framebuffer with two 8-bit channels")
            )

    def draw(
        self,
        box: ShadowBox,
        *,
        spheres: Instances,
        capsules: Instances,
        standing: Instances,
        rings: Instances,
        boxes: Instances,
    ) -> None:
        """Draw the shadows in a box; the map's framebuffer stays bound, and blending on.

        Args:
            box: around all shadows, in the plane across the light.
            spheres, capsules, rings, boxes: solids, uploaded as rows of `Scene`.
            standing: the capsules that are `near_floor`, for contact shadows.
        """
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer[0])
        gl.glViewport(0, 0, SHADOW_MAP_SIZE, SHADOW_MAP_SIZE)
        # Clear one texel more at the edge, since interpolation reads it too, and it may hold an
        # earlier shadow.
        gl.glScissor(0, 0, box.texels[0] + 1, box.texels[1] + 1)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glScissor(0, 0, *box.texels)
        gl.glEnable(gl.GL_BLEND)
        # Each solid takes its share s of the light that the darkness d of the others leaves:
        # d + s (1 − d).
        gl.glBlendFunc(gl.GL_ONE_MINUS_DST_COLOR, gl.GL_ONE)
        standing.draw(self._contact)
        capsules.draw(self._capsule)
        spheres.draw(self._sphere)
        rings.draw(self._ring)
        boxes.draw(self._box)
        gl.glDisable(gl.GL_SCISSOR_TEST)

    def bind(self) -> None:
        """Bind the texture to unit 0."""
        bind_texture(self._texture)

    def close(self) -> None:
        """Delete all OpenGL objects."""
        for program in (self._sphere, self._capsule, self._ring, self._box, self._contact):
            gl.glDeleteProgram(program)
        gl.glDeleteFramebuffers(1, self._framebuffer)
        gl.glDeleteTextures(1, self._texture)


def _shadow_texture() -> GlNames:
    """Create a texture of two 8-bit channels for the shadow map, which stays bound to unit 0."""
    texture = generate_name(gl.glGenTextures)
    bind_texture(texture)
    # Storage without content, not filled from a buffer that other code may have bound.
    gl.glBindBuffer(gl.GL_PIXEL_UNPACK_BUFFER, 0)
    gl.glTexImage2D(
        gl.GL_TEXTURE_2D,
        0,
        gl.GL_RG8,
        SHADOW_MAP_SIZE,
        SHADOW_MAP_SIZE,
        0,
        gl.GL_RG,
        gl.GL_UNSIGNED_BYTE,
        None,
    )
    # Interpolated between texels, so that edges of shadows are smooth.
    for name, value in (
        (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR),
        (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
        (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE),
        (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
    ):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, name, value)
    return texture


@dataclass(frozen=True)
class ShadowBox:
    """The part of the plane across the light that has shadows.

    It is made of whole texels, so that moving shadows don't shimmer.

    Args:
        origin: its lower corner, [m].
        texel: width of a texel, [m].
        texels: width and height in texels, at most `SHADOW_MAP_SIZE`.
    """

    origin: tuple[float, float]
    texel: float
    texels: tuple[int, int]

    @property
    def scale(self) -> float:
        """Texture coordinates per metre."""
        return 1.0 / (self.texel * SHADOW_MAP_SIZE)

    @property
    def end(self) -> tuple[float, float]:
        """Its upper corner, [m]."""
        x, y = self.origin
        columns, rows = self.texels
        return x + columns * self.texel, y + rows * self.texel


EMPTY_BOX = ShadowBox((0.0, 0.0), 1.0, (0, 0))


def near_floor(capsules: Singles) -> Singles:
    """Return the capsules whose lower end is near the floor, which make contact shadows on it."""
    low = np.minimum(capsules[:, _START_HEIGHT], capsules[:, _END_HEIGHT])
    return np.ascontiguousarray(capsules[low < _NEAR_FLOOR])


def shadow_box(
    spheres: Singles, capsules: Singles, axes: Floats, penumbra: float, *, coarser: bool = False
) -> ShadowBox:
    """Return the box around the shadows of a scene, with texels as fine as the map allows.

    Args:
        spheres: shape (N, 4 or more), centres and radii first, [m].
        capsules: shape (M, 12), rows of `Cone`.
        axes: shape (3, 3), unit vectors at right angles: two across the key light, in which the box
            lies, and one toward the light.
        penumbra: growth of half the blur with the distance to the floor along the light.
        coarser: whether texels are twice as wide as they need be.
    """
    # A capsule is within the box of the balls at its ends.
    balls = np.concatenate(
        [spheres[:, BALL], capsules[:, Cone.START_BALL], capsules[:, Cone.END_BALL]]
    )
    radii = balls[:, Sphere.RADIUS]
    # Half the blur of a shadow, [m], is proportional to the distance to the floor along the light:
    # the height over the sine of the light's elevation (y of the unit vector toward it).
    # Interpolation adds about a texel.
    half_blur = (penumbra / axes[2, 1]) * np.maximum(balls[:, 1], 0.0) + _FINEST_TEXEL
    # The darkness of the shadow of a limb is its width / blur, that of a ball the square of it.
    # Solids with shadows fainter than `_FAINTEST_SHADOW` (0 none, 1 full) do not extend the box.
    is_sphere = np.arange(len(balls)) < len(spheres)
    least_ratio = np.where(is_sphere, math.sqrt(_FAINTEST_SHADOW), _FAINTEST_SHADOW)
    is_dark = radii > least_ratio * half_blur
    if not is_dark.any():
        return EMPTY_BOX

    # Bounds of the dark shadows in the plane across the light, [m]. A shadow reaches beyond its
    # solid by its blur, and the contact shadow, straight below, by `_CONTACT_REACH`.
    centres = balls[:, Sphere.CENTRE] @ axes[:2].T.astype(np.float32)
    reach = (radii + np.maximum(half_blur, _CONTACT_REACH))[:, None]
    low = (centres - reach)[is_dark].min(axis=0).tolist()
    high = (centres + reach)[is_dark].max(axis=0).tolist()

    # Take the finest texels with which the box fits the map; they double from level to level, up to
    # `_COARSEST_LEVEL`. A box of kilometres fits with none: it is empty, as shadows would be
    # invisible.
    boxes = (
        _box_of_texels(low, high, _FINEST_TEXEL * 2**level) for level in range(_COARSEST_LEVEL + 1)
    )
    box = next((box for box in boxes if max(box.texels) <= SHADOW_MAP_SIZE), EMPTY_BOX)
    if coarser and box is not EMPTY_BOX:
        return _box_of_texels(low, high, 2 * box.texel)
    return box


def _box_of_texels(low: list[float], high: list[float], texel: float) -> ShadowBox:
    """Return the least box of whole steps of `_SNAP` texels around a rectangle.

    Args:
        low, high: lower and upper corner of the rectangle, two coordinates each, [m].
        texel: width of a texel, [m].
    """
    # Lower corner and size in texels, both multiples of the step.
    first_x, first_y = (_SNAP * math.floor(value / (_SNAP * texel)) for value in low)
    columns = _SNAP * math.ceil((high[0] / texel - first_x) / _SNAP)
    rows = _SNAP * math.ceil((high[1] / texel - first_y) / _SNAP)
    return ShadowBox((first_x * texel, first_y * texel), texel, (columns, rows))
