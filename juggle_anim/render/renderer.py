"""The renderer: draws a Scene into a framebuffer, with small figures in low detail.

Marks at the upper edge of a picture, below props that fly higher than it shows.

Figures: smooth bodies, translucent limbs (ghosts, see-through figures), and bubbles of reach.

The triangles of `assets/figure.npz` are carried by the bones of each figure in the vertex shader.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Booleans, Bytes, Floats, Singles
from juggle_anim.body import Joint
from juggle_anim.language import _
from juggle_anim.render import gl
from juggle_anim.render.backdrop import (
    Backdrop,
    FilmLayer,
    ShadowBox,
    ShadowMap,
    near_floor,
    shadow_box,
)
from juggle_anim.render.gl_objects import (
    FRAME_BINDING,
    ColourBuffer,
    GlNames,
    Instances,
    RenderTarget,
    build_program,
    generate_name,
    upload,
)
from juggle_anim.resources import bold_font
from juggle_anim.scene import (
    ANAGLYPH,
    BALL,
    BARE,
    CLUB_BENDS,
    CLUB_DEFINES,
    FILL_DIRECTION,
    PENUMBRA,
    SEE_THROUGH_OPACITY,
    UNSEEN_JOINTS,
    Ball,
    Camera,
    Colour,
    Cone,
    Flying,
    Ring,
    Scene,
    Sphere,
    Stage,
    Viewport,
    brightness,
    is_side_by_side,
    light_axes,
    no_rows,
    side_by_side,
    stereo_cameras,
)
from juggle_anim.scene.skin import (
    BONES,
    CASTING,
    COVERS,
    FINER_FROM,
    OCCLUDERS,
    UNIT,
    Skin,
    SkinLevel,
    load_skin,
    occluders,
    outward,
    parts_worn,
)

_ASIDE = 0, 1, -1, 2, -2, 3, -3  # where marks may stand, in their widths from the prop
_HEAD_RADIUS = 0.16  # m, with the hair
_LETTER_SHARE = 0.023  # height of letters, over the shorter edge of the picture
_LEAST_LETTERS = 10  # pixels, below which digits are not read
_LABELS_KEPT = 256  # pictures of marks, so that those of this frame and the last are among them
_ICON_FINER = 8  # icons are drawn so many times as large and averaged
# The right half of the outline of a club, its knob below: to the right and down, in heights.
_CLUB_OUTLINE = (
    (0.11, 1.0),
    (0.11, 0.91),
    (0.06, 0.89),
    (0.1, 0.62),
    (0.29, 0.3),
    (0.29, 0.18),
    (0.15, 0.0),
)
_DARK_INK = (45, 50, 56, 255)  # sRGB and opacity, on bright stages
_LIGHT_INK = (225, 230, 236, 255)
_BRIGHT = 0.5  # backdrops that are brighter in any channel have dark ink


class EdgeMarks:
    """Draws the marks: the prop, small, under an arrow, and the time until it is caught, [s]."""

    def __init__(self) -> None:
        """Build no program before the first mark is drawn."""
        self._layer: FilmLayer | None = None

    def draw(self, scene: Scene, camera: Camera, target: RenderTarget, area: Viewport) -> None:
        """Draw a mark at the top of the picture for each prop that flies above it.

        A mark shows the prop, an arrow up, and the time until the prop is caught. It is drawn into
        the bound framebuffer, without depth, at the free place nearest to the prop: a mark may not
        cover another mark, a prop in the picture or a head. A mark without a free place is left
        out. The mark of the prop that lands first says what its time is.

        Args:
            scene: scene whose props fly.
            camera: camera of the picture, which in stereo is that of one eye.
            target: the framebuffer, and how to draw into it: its topmost `covered` rows lie under
                something else, and the marks stand below these.
            area: the viewport of the camera.
        """
        # Left, bottom, right and top of each prop in the framebuffer, [pixels], shape (N, 4).
        boxes = _boxes(scene.flying, camera, area)
        picture_top = _picture_top(target, area)
        time_to_catch = scene.flying[:, Flying.UNTIL]  # s; 0 for props in hands
        middles = boxes[:, ::2].mean(axis=1)
        is_above = _fly_above(scene, boxes, target, area)
        # Props that land first get their places first.
        marked_props = sorted(np.flatnonzero(is_above).tolist(), key=time_to_catch.__getitem__)
        if not marked_props:
            return
        # Heads as balls: three coordinates and, appended to each row, the radius.
        heads = np.insert(scene.bodies[:, Joint.HEAD], Flying.RADIUS, _HEAD_RADIUS, axis=1)
        # Rectangles that no mark may cover; each mark that is drawn adds its own.
        taken = np.concatenate([boxes[~is_above], _boxes(heads, camera, area)])
        visible = Viewport(*area.drawn(target.kept))
        # Letters are `_LETTER_SHARE` of the shorter edge high, and at least `_LEAST_LETTERS`
        # pixels, to be legible.
        letters = max(round(_LETTER_SHARE * min(area.width, area.height)), _LEAST_LETTERS)
        ink = _ink(scene.stage)
        for prop in marked_props:
            self._layer = self._layer or FilmLayer(_LABELS_KEPT)
            kind = Flying.KINDS[round(scene.flying[prop, Flying.KIND])]
            colour = tuple(scene.flying[prop, Flying.COLOUR].tolist())
            words = f"{time_to_catch[prop]:.1f} s"
            if prop == marked_props[0]:
                # Only the first, as more words would leave no room for all marks.
                words = _("back in {time}", time=words)
            label = _label(words, kind, colour, letters, ink)
            height, width = label.shape[:2]
            bottom = picture_top - height - letters // 2  # apart from the edge
            # Try the place under the prop, then places whole widths to either side of it. The icon
            # of the prop, `letters` wide, is at the left end of the label, and stands under it.
            for widths_aside in _ASIDE:
                wanted_left = round(middles[prop]) - letters // 2 + widths_aside * width
                left = max(min(wanted_left, area.left + area.width - width), area.left)
                box = np.array([left, bottom, left + width, bottom + height])
                # Boxes overlap if they do in both directions.
                overlaps = (taken[:, :2] < box[2:]) & (taken[:, 2:] > box[:2])
                if not overlaps.all(axis=1).any():
                    taken = np.concatenate([taken, box[None]])
                    self._layer.draw(label, Viewport(left, bottom, width, height), visible, 1.0)
                    break

    def close(self) -> None:
        """Delete all OpenGL objects."""
        if self._layer:
            self._layer.close()


def _picture_top(target: RenderTarget, area: Viewport) -> int:
    """The row of the framebuffer at which a picture ends above, below what is covered."""
    return area.bottom + area.height - target.covered


def _fly_above(scene: Scene, boxes: Floats, target: RenderTarget, area: Viewport) -> Booleans:
    """Mask the props that fly wholly above the picture, neither left nor right of it, shape (N,).

    Args:
        scene: scene whose props fly.
        boxes: left, lower, right and upper edge of each, shape (N, 4), [pixels].
        target: the framebuffer, and how many of its topmost rows are covered.
        area: viewport of the picture.
    """
    middles = boxes[:, ::2].mean(axis=1)
    is_across = (middles > area.left) & (middles < area.left + area.width)
    is_above = boxes[:, 1] > _picture_top(target, area)
    fly_above: Booleans = is_above & is_across & (scene.flying[:, Flying.UNTIL] > 0.0)
    return fly_above


def without_props_above(
    scene: Scene, camera: Camera, target: RenderTarget, area: Viewport
) -> Scene:
    """Return a scene without the props that are above a picture whose topmost rows are covered, so
    that they do not show around what covers these; marks stand for them.

    Args:
        scene: stays as it is.
        camera, target, area: as of `EdgeMarks.draw`.
    """
    if not target.covered:
        return scene
    fly_above = _fly_above(scene, _boxes(scene.flying, camera, area), target, area)
    if not fly_above.any():
        return scene
    kinds = scene.flying[:, Flying.KIND]
    balls, boxes, rings, clubs = (~fly_above[kinds == kind] for kind in range(len(Flying.KINDS)))
    # Rows of clubs come last among capsules, so many for each.
    first_club = len(scene.capsules) - scene.club_parts
    is_kept = np.ones(len(scene.capsules), dtype=bool)
    is_kept[first_club:] = np.repeat(clubs, scene.club_parts // max(len(clubs), 1))
    return replace(
        scene,
        spheres=scene.spheres[balls],
        boxes=scene.boxes[boxes],
        rings=scene.rings[rings],
        capsules=scene.capsules[is_kept],
        club_parts=int(is_kept[first_club:].sum()),
    )


def _boxes(balls: Singles | Floats, camera: Camera, area: Viewport) -> Floats:
    """Return the box around each ball in the picture; NaN behind the camera.

    Args:
        balls: rows that begin as those of `Sphere`, shape (N, …).
        camera: camera of the picture.
        area: viewport of the picture, [pixels].

    Returns:
        Left, lower, right and upper edge, shape (N, 4), [pixels].
    """
    projection = camera.projection(area.width / area.height)
    points: Floats = np.column_stack([balls[:, Sphere.CENTRE], np.ones(len(balls))])
    clip = points @ (projection @ camera.view()).T
    # Clip coordinates divided by w are from −1 to 1 in the picture; w is not above 0 behind the
    # camera.
    w = np.where(clip[:, 3:] > 0.0, clip[:, 3:], np.nan)
    halves = np.array([area.width, area.height]) / 2
    centres = (area.left, area.bottom) + halves * (1.0 + clip[:, :2] / w)
    # Pixels per metre at w = 1. The outline of a ball near the edge of a perspective picture is an
    # ellipse, which is a little larger than this.
    scales = halves * np.abs(np.diag(projection)[:2])
    reaches = balls[:, Sphere.RADIUS, None] * scales / w
    return np.concatenate([centres - reaches, centres + reaches], axis=1)


def _ink(stage: Stage) -> tuple[int, int, int, int]:
    """Return the colour of letters before a stage."""
    return _DARK_INK if max(stage.backdrop_top) > _BRIGHT else _LIGHT_INK


@lru_cache(maxsize=_LABELS_KEPT)
def _label(
    text: str, kind: str, colour: Colour, letters: int, ink: tuple[int, int, int, int]
) -> Bytes:
    """Return the picture of a mark: a prop under an arrow that points up, a text beside them.

    Args:
        text: beside the prop.
        kind: one of `Flying.KINDS`.
        colour: colour of the prop, sRGB from 0 to 1.
        letters: height of the letters, [pixels].
        ink: their colour, red, green, blue and alpha from 0 to 255.

    Returns:
        RGBA, shape (height, width, 4), top row first; transparent around text, arrow and prop.
    """
    # Pillow is loaded at the first mark: most pictures have none.
    from PIL import Image, ImageDraw

    font = bold_font(letters)
    # From left to right: the icon, as wide as the letters are high, a gap, the text, and a gap.
    gap = letters // 3
    size = letters + 2 * gap + round(font.getlength(text)), letters + 2 * gap
    image = Image.new("RGBA", size, (*ink[:3], 0))
    # "ls" places the text by its left end and baseline.
    ImageDraw.Draw(image).text((letters + gap, gap + letters), text, ink, font, anchor="ls")

    icon_size = letters, size[1]
    # Drawn larger and reduced, so that its edges are smooth.
    finer_size = _ICON_FINER * letters, _ICON_FINER * size[1]
    icon = Image.new("RGBA", finer_size, (*ink[:3], 0))
    baseline = _ICON_FINER * (gap + letters)
    _draw_icon(ImageDraw.Draw(icon), finer_size[0], baseline, kind, colour, ink)
    image.paste(icon.resize(icon_size, Image.Resampling.BOX), (0, 0))
    pixels: Bytes = np.asarray(image)
    return pixels


def _draw_icon(
    draw: Any, edge: int, baseline: int, kind: str, colour: Colour, ink: tuple[int, int, int, int]
) -> None:
    """Draw the icon of a mark: a prop that stands on the baseline, and an arrow up above it.

    Args:
        draw: Pillow's `ImageDraw` of the icon.
        edge: width of the icon, [pixels].
        baseline: y of the lower edge of the prop, downward, [pixels].
        kind: one of `Flying.KINDS`.
        colour: colour of the prop, sRGB from 0 to 1.
        ink: colour of arrow and outlines, red, green, blue and alpha from 0 to 255.
    """
    line = edge // 8
    middle = edge / 2
    tail = line + edge / 4  # y of both ends of the arrow, whose tip is at y = `line`
    arrow = (0.2 * edge, tail), (middle, line), (0.8 * edge, tail)
    draw.line(arrow, ink, line, joint="curve")
    # The prop fills a square between the arrow and the baseline.
    height = baseline - tail - line
    left = middle - height / 2
    right = middle + height / 2
    fill = (*(round(255 * part) for part in colour), 255)
    box = left, baseline - height, right, baseline
    outline = edge // 16
    if kind == "club":
        # The outline of the right half, and its mirror image back; in units of the height.
        around = np.array((*_CLUB_OUTLINE, *((-x, y) for x, y in reversed(_CLUB_OUTLINE))))
        points = (middle, baseline - height) + height * around
        draw.polygon(points.ravel().tolist(), fill, ink, outline)
    else:
        # A square with corners of half its width is a disc.
        rounding = 0.0 if kind == "square" else height / 2
        draw.rounded_rectangle(box, rounding, fill, ink, outline)
    if kind == "ring":
        hole = 0.22 * height
        inner = np.add(box, (hole, hole, -hole, -hole)).tolist()
        draw.ellipse(inner, (*ink[:3], 0), ink, outline)


_BINDING = 6  # of the uniform block `Bodies`
_BLOCK_ROWS = 1024  # vec4s of that block: every driver has so many
# A figure's rows are three for each bone, then one for each cover, then two for each occluder.
_PAINT_ROW = 3 * len(BONES)
_OCCLUDER_ROW = _PAINT_ROW + len(COVERS)
_ALIGNMENT = 16  # rows, at multiples of which blocks start
_FIGURE_ROWS = math.ceil((_OCCLUDER_ROW + 2 * len(OCCLUDERS)) / _ALIGNMENT) * _ALIGNMENT
_FIGURES_PER_BLOCK = _BLOCK_ROWS // _FIGURE_ROWS
# Bones that are not seen through the eyes of their own figure.
_UNSEEN_BONES = [number for number, bone in enumerate(BONES) if bone.joint in UNSEEN_JOINTS]
# Where the forearms of that figure fade out, over the way from elbow to wrist. The camera is above
# and behind the shoulders, from where upper arms would hide the hands; without them, and without
# the fade, an arm would end at the elbow as if cut.
_GONE_FROM_ELBOW = 0.1
_OPAQUE_FROM_ELBOW = 0.6


GHOST_OPACITY = 0.62
"""Opacity of ghosts."""

_DEPTH_STEP = 2.0**-24
"""Resolution of the depth buffer."""


class SkinnedFigures:
    """Draws figures as triangles. Programs and buffers are made when the first is drawn.

    Triangles are drawn without multisampling. Where a figure ends, and where a nearer part of it
    ends before a farther, a strip one pixel wide blends into what is behind (P. V. Sander et al.,
    "Discontinuity Edge Overdraw", 2001).
    """

    def __init__(self) -> None:
        self._programs: _Programs | None = None
        self._levels: dict[int, _Level] = {}
        self._shown: list[_Level] = []

    def upload(
        self, scene: Scene, levels: Sequence[NDArray[np.intp]], inside: int | None = None
    ) -> None:
        """Replace all figures by those of a scene, and upload what the shader needs to pose them.

        The body through whose eyes the scene is seen has a level of detail of its own, without the
        head and what else a person does not see of himself.

        Args:
            scene: its bodies are drawn.
            levels: indices of the bodies that are drawn in each level of detail, the finest first.
            inside: index of the body through whose eyes the scene is seen; None for no body.
        """
        self._shown = []
        others = [figures[figures != inside] for figures in levels]
        # The body around the camera comes last, as a level of its own; at most one figure.
        own = np.concatenate([figures[figures == inside] for figures in levels])
        for level_index, figures in enumerate([*others, own]):
            if len(figures):
                skin = load_skin()
                is_own = level_index == len(levels)
                # Buffers of a level are made when it is first needed.
                if level_index not in self._levels:
                    self._levels[level_index] = _Level(
                        *_seen_by_oneself(skin) if is_own else (skin.levels[level_index],)
                    )
                level = self._levels[level_index]
                # Sorted by what they wear, since those who wear the same are drawn together.
                figures = figures[np.argsort(scene.worn[figures], kind="stable")]
                bones = skin.skeleton.transforms(
                    scene.bodies[figures],
                    scene.gaze[figures],
                    scene.girths[figures],
                    scene.lids[figures],
                )
                level.upload(
                    bones=bones,
                    paint=scene.paint[figures],
                    worn=scene.worn[figures],
                    limbs=occluders(scene.bodies[figures]),
                )
                self._shown.append(level)

    def draw(self, *, edges: bool, mirrored: bool = False) -> None:
        """Draw all figures with the current depth test and blending.

        Args:
            edges: True to draw only their soft edges, False to draw all within these.
            mirrored: whether the picture is mirrored.
        """
        if not self._shown:
            return
        # Built at the first figure.
        if self._programs is None:
            self._programs = _Programs()
        self._programs.use(edges=edges)
        # Mirrored triangles have their corners in the opposite order.
        gl.glFrontFace(gl.GL_CW if mirrored else gl.GL_CCW)
        for level in self._shown:
            level.draw(edges=edges)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glFrontFace(gl.GL_CCW)

    def close(self) -> None:
        """Delete all OpenGL objects; the same context must be current."""
        for part in (self._programs, *self._levels.values()):
            if part:
                part.close()
        self._programs = None
        self._levels = {}


class _Programs:
    """The programs for the inside and for the edges."""

    def __init__(self) -> None:
        """Build both programs in the current context, with the layout of the uniform block."""
        # Macros of the shaders, each a name and a number: the length of the uniform block and where
        # each part of a figure begins in it, in rows (vec4).
        sizes = [
            f"ROWS {_BLOCK_ROWS}",
            f"STRIDE {_FIGURE_ROWS}",
            f"PAINT {_PAINT_ROW}",
            f"OCCLUDERS {_OCCLUDER_ROW}",
        ]
        sizes += [f"LIMBS {len(OCCLUDERS)}", f"CASTING {CASTING}"]
        self._inside = build_program("skin.vert", "skin.frag", *sizes)
        # Edges are widened to strips by a geometry shader.
        self._edges = build_program("skin.vert", "skin.frag", *sizes, "EDGE", geometry="skin.geom")
        for program in (self._inside, self._edges):
            gl.glUniformBlockBinding(
                program, gl.glGetUniformBlockIndex(program, b"Bodies"), _BINDING
            )

    def use(self, *, edges: bool) -> None:
        """Use the program of edges, or that of insides, which are drawn without back faces."""
        gl.glUseProgram(self._edges if edges else self._inside)
        if not edges:
            gl.glCullFace(gl.GL_BACK)
            gl.glEnable(gl.GL_CULL_FACE)

    def close(self) -> None:
        for program in (self._inside, self._edges):
            gl.glDeleteProgram(program)


def _seen_by_oneself(skin: Skin) -> tuple[SkinLevel, NDArray[np.uint8]]:
    """Return the finest level of detail with only what a person sees of himself: hands and forearms
    that fade out toward the elbow; and how opaque its V points are, shape (V,), 255 for opaque.
    """
    level = skin.levels[0]
    # At rest the right arm is the mirror image of the left one.
    left = level.points * (UNIT, UNIT, UNIT)
    left[:, 0] = np.abs(left[:, 0])
    elbow = skin.skeleton.joints[Joint.LEFT_ELBOW]
    forearm = skin.skeleton.joints[Joint.LEFT_WRIST] - elbow
    from_elbow = (left - elbow) @ forearm / (forearm @ forearm)
    share = (from_elbow - _GONE_FROM_ELBOW) / (_OPAQUE_FROM_ELBOW - _GONE_FROM_ELBOW)
    share = share.clip(0.0, 1.0)
    # A smooth step, without a visible line where the fade begins or ends.
    opacity = np.round(255 * share * share * (3.0 - 2.0 * share)).astype(np.uint8)

    # Legs lie beyond the elbows, too, but no bone that carries them is seen.
    opacity[((level.shares == 0) | np.isin(level.bones, _UNSEEN_BONES)).all(axis=1)] = 0
    kept = (opacity > 0)[level.triangles].any(axis=1)
    # `parts` has the end of each part: the number of triangles up to there that are kept.
    parts = np.cumsum(kept)[level.parts - 1]
    return replace(level, triangles=level.triangles[kept], parts=parts), opacity


class _Level:
    """The triangles of one level of detail, and the bones of those who are drawn in it."""

    def __init__(self, level: SkinLevel, opacity: NDArray[np.uint8] | None = None) -> None:
        """Upload points, triangles and edges of a level of detail to the current context.

        The skin consists of parts, the body and its clothes, that are drawn by themselves: each has
        a range of triangles and a range of edges in the index buffer.

        Args:
            level: points, triangles and edges of the skin, as fine as this level has them.
            opacity: of its V points, shape (V,), 255 for opaque; None if all are.
        """
        self._array: GlNames = generate_name(gl.glGenVertexArrays)
        # The first buffer is the uniform buffer of the figures; attributes and indices follow.
        self._buffers: list[GlNames] = [generate_name(gl.glGenBuffers)]
        # Each part of the skin that is drawn, with the figures that it is drawn for.
        self._figures: list[tuple[int, range]] = []

        if opacity is None:
            opacity = np.full(len(level.points), 255, dtype=np.uint8)

        # Vertex attributes 3 and 4 are integers; others are normalized to −1 … 1 or 0 … 1.
        gl.glBindVertexArray(self._array[0])
        for location, values, component_type in (
            (0, level.points, gl.GL_SHORT),
            (1, level.normals, gl.GL_BYTE),
            (2, level.shares, gl.GL_UNSIGNED_BYTE),
            (5, outward(level), gl.GL_BYTE),
            (6, opacity[:, None], gl.GL_UNSIGNED_BYTE),
        ):
            self._upload_attribute(location, values)
            gl.glVertexAttribPointer(location, values.shape[1], component_type, gl.GL_TRUE, 0, None)
        for location, numbers in ((3, level.bones), (4, level.covers[:, None])):
            self._upload_attribute(location, numbers)
            gl.glVertexAttribIPointer(location, numbers.shape[1], gl.GL_UNSIGNED_BYTE, 0, None)

        # One index buffer: the triangles of each part, then the edges of each part, with the
        # neighbouring corners that tell an outline.
        parts: list[NDArray[Any]] = np.split(level.triangles, level.parts[:-1])
        # Points at one position, as on seams, count as one for neighbours.
        places = place_indices(level.points)
        edges: list[NDArray[Any]] = [
            edges_with_neighbours(places, part, level.covers) for part in parts
        ]
        sizes = [part.size for part in (*parts, *edges)]
        first_indices = np.cumsum([0, *sizes[:-1]]).tolist()
        # Pairs of first index and number of indices, one for each part.
        ranges = list(zip(first_indices, sizes, strict=True))
        self._triangle_ranges = ranges[: len(parts)]
        self._edge_ranges = ranges[len(parts) :]
        indices = np.concatenate([part.ravel() for part in (*parts, *edges)])
        self._upload_static(gl.GL_ELEMENT_ARRAY_BUFFER, indices.astype(np.uint16))

    def upload(
        self, *, bones: Singles, paint: Singles, worn: NDArray[np.intp], limbs: Singles
    ) -> None:
        """Replace all F figures, which are sorted by what they wear.

        Args:
            bones: shape (F, bones, 3, 4), transforms from the skin at rest to the world.
            paint: shape (F, covers, 4), colours and gloss.
            worn: shape (F,), what they wear, ascending numbers in which bit n is set for part n of
                `scene.skin.PARTS`.
            limbs: shape (F, occluders, 2, 4), capsules that shade the skin: start and radius², then
                the vector from start to end and 1 / length².
        """
        # The rows (vec4) of all figures. A uniform block of fixed length may begin at any figure,
        # so the buffer is padded by a block after the last figure.
        rows = np.zeros((_FIGURE_ROWS * len(bones) + _BLOCK_ROWS, 4), dtype=np.float32)
        figures = rows[: _FIGURE_ROWS * len(bones)].reshape(len(bones), _FIGURE_ROWS, 4)
        figures[:, :_PAINT_ROW] = bones.reshape(len(bones), _PAINT_ROW, 4)
        figures[:, _PAINT_ROW:_OCCLUDER_ROW] = paint
        figures[:, _OCCLUDER_ROW : _OCCLUDER_ROW + 2 * len(OCCLUDERS)] = limbs.reshape(
            len(bones), -1, 4
        )
        # The body is drawn for all figures, and each part of clothes for the figures that wear it.
        kinds, starts = np.unique(worn, return_index=True)
        wearers = [range(*ends) for ends in pairwise([*starts.tolist(), len(bones)])]
        # Part 0 is the body, and part 1 + n the clothes of bit n.
        self._figures = [(0, range(len(bones)))]
        for worn_bits, figures_wearing in zip(kinds.tolist(), wearers, strict=True):
            self._figures += [(1 + part, figures_wearing) for part in parts_worn(worn_bits)]
        gl.glBindBuffer(gl.GL_UNIFORM_BUFFER, self._buffers[0][0])
        upload(gl.GL_UNIFORM_BUFFER, rows)

    def draw(self, *, edges: bool) -> None:
        """Draw all figures with the program in use.

        Args:
            edges: True to draw their edges as lines with adjacency, False to draw triangles.
        """
        gl.glBindVertexArray(self._array[0])
        primitive = gl.GL_LINES_ADJACENCY if edges else gl.GL_TRIANGLES
        ranges = self._edge_ranges if edges else self._triangle_ranges
        row_bytes = 16  # of a vec4
        index_bytes = np.dtype(np.uint16).itemsize
        # Range 0 is the body, and range 1 + n is part n.
        for part, figures in self._figures:
            first_index, index_count = ranges[part]
            if not index_count:
                continue
            for figure in figures[::_FIGURES_PER_BLOCK]:
                # The block begins at this figure, and instances are the next ones in it.
                start = figure * _FIGURE_ROWS * row_bytes
                size = _BLOCK_ROWS * row_bytes
                gl.glBindBufferRange(
                    gl.GL_UNIFORM_BUFFER, _BINDING, self._buffers[0][0], start, size
                )
                instance_count = min(_FIGURES_PER_BLOCK, figures.stop - figure)
                offset = ctypes.c_void_p(first_index * index_bytes)
                gl.glDrawElementsInstanced(
                    primitive, index_count, gl.GL_UNSIGNED_SHORT, offset, instance_count
                )

    def close(self) -> None:
        gl.glDeleteVertexArrays(1, self._array)
        for buffer in self._buffers:
            gl.glDeleteBuffers(1, buffer)

    def _upload_attribute(self, location: int, values: NDArray[Any]) -> None:
        """Upload values of a vertex attribute and enable it."""
        self._upload_static(gl.GL_ARRAY_BUFFER, values)
        gl.glEnableVertexAttribArray(location)

    def _upload_static(self, target: int, values: NDArray[Any]) -> None:
        """Upload values into a new static buffer, which stays bound to `target`."""
        self._buffers.append(generate_name(gl.glGenBuffers))
        gl.glBindBuffer(target, self._buffers[-1][0])
        values = np.ascontiguousarray(values)
        gl.glBufferData(
            target, values.nbytes, ctypes.c_void_p(values.ctypes.data), gl.GL_STATIC_DRAW
        )


def place_indices(points: NDArray[Any]) -> NDArray[np.intp]:
    """Number places, shape (V,), so that points at one place, shape (V, 3), have one number."""
    # Sorted column by column: ten times as fast as rows at once.
    order = np.lexsort(points.T[::-1])
    ordered = points[order]
    is_new = (ordered[1:] != ordered[:-1]).any(axis=1)
    indices = np.zeros(len(points), dtype=np.intp)
    indices[order[1:]] = np.cumsum(is_new)
    return indices


def edges_with_neighbours(
    place_index: NDArray[np.intp], triangles: NDArray[Any], covers: NDArray[np.uint8]
) -> NDArray[np.intp]:
    """Return the edges of a mesh with their neighbours, for `GL_LINES_ADJACENCY`.

    Args:
        place_index: shape (V,), of `place_indices`; points at one place count as one.
        triangles: shape (F, 3), indices of points.
        covers: shape (V,), the number of what covers the body at each point: skin, hair or a kind
            of cloth. Where two covers meet, the one with the higher number ends, and its edge is
            smoothed over the other.

    Returns:
        Shape (E, 4): the third corner of a triangle, the edge as that triangle has it, and the
        third corner of the triangle on the other side. On an edge of only one triangle both third
        corners are the same.
    """
    # Three half edges of each triangle, in its direction of rotation.
    corners = triangles.astype(np.intp)
    start = corners.ravel()
    end = corners[:, [1, 2, 0]].ravel()
    third = corners[:, [2, 0, 1]].ravel()

    # Each half edge as one number; its neighbour is the half edge in the opposite direction.
    place_count = int(place_index.max()) + 1
    half_edge = place_index[start] * place_count + place_index[end]
    opposite = place_index[end] * place_count + place_index[start]
    order = np.argsort(half_edge, kind="stable")
    neighbour = order[np.minimum(np.searchsorted(half_edge[order], opposite), len(order) - 1)]
    # Without a neighbour the search returns any half edge: such an edge of a single triangle gets
    # the cover −1 on its other side.
    cover = covers[start].astype(int)
    neighbour_cover = np.where(half_edge[neighbour] == opposite, cover[neighbour], -1)
    is_border = cover > neighbour_cover
    opposite_third = np.where(is_border, third, third[neighbour])
    # Take an inner edge of one cover once, from the half edge with the smaller number, and a border
    # between covers from the side of the higher cover.
    is_taken = is_border | ((cover == neighbour_cover) & (half_edge < opposite))
    return np.stack([third, start, end, opposite_third], axis=-1)[is_taken]


class TranslucentLimbs:
    """Draws translucent limbs over the picture.

    The programs are built when the first limb is drawn.

    Args:
        opacity: 0 to 1.
        over: whether they are drawn over nearer solids, or hidden by them.
    """

    def __init__(self, opacity: float = GHOST_OPACITY, *, over: bool = True) -> None:
        self._opacity = opacity
        self._over = over
        self._resources: _LimbResources | None = None

    def draw(self, rows: Singles) -> None:
        """Draw translucent limbs with the current blending; writing depths is off afterwards.

        Where limbs overlap, only the nearest is seen through, and its edge is smoothed at last.

        Args:
            rows: G limbs as rows of `Cone`, shape (G, 12), from far to near.
        """
        if not len(rows):
            return
        # Shaders and buffers are made when they are first needed.
        if self._resources is None:
            self._resources = _limb_resources(self._opacity)
        # The rows on the graphics card, the programs of the limbs and of their soft edges, and the
        # uniform by which the first program lifts depths toward the eye.
        instances, solid, edge, lift_location = self._resources
        instances.upload(rows)
        gl.glUseProgram(solid)
        gl.glUniform1f(lift_location, 0.0)
        gl.glDepthMask(gl.GL_TRUE)
        # Limbs that are drawn over everything forget what stands before them.
        if self._over:
            gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        # Depth first, so that only the nearest limb shows where limbs overlap.
        gl.glColorMask(gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE)
        instances.draw(solid)
        gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
        # Of limbs at the same depth only the first is drawn: lifted by one step it is nearer than
        # the depth in the buffer, replaces it, and so hides the next ones.
        gl.glUniform1f(lift_location, _DEPTH_STEP)
        gl.glDepthFunc(gl.GL_LESS)
        instances.draw(solid)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDepthMask(gl.GL_FALSE)
        instances.draw(edge)

    def close(self) -> None:
        """Delete all OpenGL objects; the same context must be current."""
        if self._resources:
            self._resources.instances.close()
            gl.glDeleteProgram(self._resources.solid)
            gl.glDeleteProgram(self._resources.edge)
            self._resources = None


class _LimbResources(NamedTuple):
    """The OpenGL objects of translucent limbs.

    Attributes:
        instances: the buffer of limbs.
        solid, edge: the programs of what limbs cover fully, and of their soft edges.
        lift_location: location of the uniform `lift` of `solid`, by which depths are nearer.
    """

    instances: Instances
    solid: int
    edge: int
    lift_location: int


def _limb_resources(opacity: float) -> _LimbResources:
    """Build the programs of translucent limbs of an opacity, 0 to 1, and a buffer for them."""
    opacity_define = f"GHOST {opacity}"
    solid, edge = (
        build_program("capsule.vert", "capsule.frag", opacity_define, variant)
        for variant in ("LIFTED", "EDGE")
    )
    lift_location = int(gl.glGetUniformLocation(solid, b"lift"))
    return _LimbResources(Instances(3), solid, edge, lift_location)


class Bubbles:
    """Draws bubbles over the picture. The program is built when the first bubble is drawn."""

    def __init__(self) -> None:
        self._resources: tuple[Instances, int] | None = None

    def draw(self, rows: Singles) -> None:
        """Draw bubbles with the current blending and depth test; they write no depth.

        Args:
            rows: shape (B, 12), rows of `Bubble`, from far to near.
        """
        if not len(rows):
            return
        # Built at the first bubble.
        if self._resources is None:
            self._resources = Instances(3), build_program("bubble.vert", "bubble.frag")
        instances, program = self._resources
        instances.upload(rows)
        gl.glDepthMask(gl.GL_FALSE)
        instances.draw(program)

    def close(self) -> None:
        """Delete all OpenGL objects; the same context must be current."""
        if self._resources:
            instances, program = self._resources
            instances.close()
            gl.glDeleteProgram(program)
            self._resources = None


# The shaders of each kind of solid, and what is defined for them.
_SHAPES = (("capsule",), ("capsule", *CLUB_DEFINES), ("ring",), ("box",), ("sphere",))
_CAPSULE = 0
_MAX_IDLE_PICTURES = 120  # without an anaglyph, after which its window-sized buffers are deleted

# Scales half an edge of a cube to half its diagonal.
_TO_CORNERS = np.array([1.0, 1.0, 1.0, math.sqrt(3.0)], dtype=np.float32)

FULL_DETAIL_FROM = 28.0
"""Figures of at least this scale are drawn in full detail, [pixels per metre]: a finger is half a
pixel wide.
"""

SMOOTH_FROM = 40.0
"""The same for smooth bodies, whose faces are a few pixels wide then."""

DETAILED_SHADOWS_FROM = 75.0
"""The same for shadows, which are softer; a smooth body always casts the shadow of its sketch."""

_ARC_OPACITY = 0.45  # of arcs of flight: props are seen before them

_MAX_DISTANCE_BEHIND = 2.0  # m; figures farther behind the eye don't reach into the picture


class Renderer:
    """Draws scenes in the current OpenGL 3.3 core context, which must be the same at every call.

    Solids are impostors: each is ray-cast in the fragment shader on a quad. First come the pixels
    that they cover fully, with depth; then their edges, half a pixel to either side of the outline,
    blended by coverage; last ghosts, over all of that.

    Raises:
        RenderError: the driver refuses a shader or a framebuffer.
    """

    def __init__(self) -> None:
        """Build all programs and buffers but those of anaglyphs, in the current context."""
        self._frame = FrameUniforms()
        self._backdrop = Backdrop()
        self._anaglyph: Anaglyph | None = None
        self._pictures_since_anaglyph = 0
        self._shadows = ShadowMap()
        # Translucent solids.
        self._ghosts = TranslucentLimbs()
        self._see_through = TranslucentLimbs(SEE_THROUGH_OPACITY, over=False)
        self._arcs = TranslucentLimbs(_ARC_OPACITY, over=False)
        self._axes = TranslucentLimbs(1.0)
        self._bubbles = Bubbles()
        self._marks = EdgeMarks()
        # Solids, by the number of vec4s of their rows.
        self._traces = Instances(3)
        self._spheres = Instances(3)
        self._capsules = Instances(3)
        self._clubs = Instances(4)
        self._rings = Instances(4)
        self._boxes = Instances(2)
        # Capsules that cast shadows, if others than those drawn, and those near the floor.
        self._casting = Instances(3)
        self._standing = Instances(3)
        self._skin = SkinnedFigures()
        # Programs for the inside and for the soft edges of each kind of solid.
        self._solids = [
            build_program(f"{shape}.vert", f"{shape}.frag", *defines) for shape, *defines in _SHAPES
        ]
        self._edges = [
            build_program(f"{shape}.vert", f"{shape}.frag", *defines, "EDGE")
            for shape, *defines in _SHAPES
        ]

    def draw(self, scene: Scene, target: RenderTarget, area: Viewport | None = None) -> None:
        """Draw the whole picture, backdrop included.

        Args:
            scene: scene to draw; with side-by-side stereo, each eye has half of the viewport.
            target: the framebuffer, and how to draw into it. Nothing is drawn into one without
                pixels, as of a minimised window; anaglyphs replace also its `kept` pixels.
            area: the viewport; pixels outside stay as they are. By default it is the whole
                framebuffer.
        """
        if min(target.size) < 1:
            return
        area = area or Viewport(0, 0, *target.size)
        self._drop_idle_anaglyph(scene.stereo)
        # A viewport one pixel wide has no halves.
        if is_side_by_side(scene.stereo) and area.width > 1:
            for camera, half in zip(
                side_by_side(scene.camera, scene.stereo), area.halves, strict=True
            ):
                self._draw_one(scene, camera, target, half, self._backdrop)
        elif scene.stereo == ANAGLYPH:
            self._draw_anaglyph(scene, replace(target, kept=(0, 0)), area)
        else:
            self._draw_one(scene, scene.camera, target, area, self._backdrop)
        _reset_state()

    def close(self) -> None:
        """Delete all OpenGL objects; the same context must be current."""
        capsules = self._capsules, self._clubs, self._casting, self._standing
        solids = self._spheres, *capsules, self._rings, self._boxes, self._traces
        overlays = self._ghosts, self._see_through, self._arcs, self._bubbles, self._axes
        drawers = self._frame, self._backdrop, self._shadows, self._skin, self._marks
        for part in (*drawers, *solids, *overlays):
            part.close()
        if self._anaglyph:
            self._anaglyph.close()
        for program in (*self._solids, *self._edges):
            gl.glDeleteProgram(program)

    def _drop_idle_anaglyph(self, stereo: str) -> None:
        """Delete the buffers of anaglyphs if none was drawn for a while.

        The halves of a split window take turns, so one picture without an anaglyph says little.
        """
        self._pictures_since_anaglyph = (
            0 if stereo == ANAGLYPH else self._pictures_since_anaglyph + 1
        )
        if self._anaglyph and self._pictures_since_anaglyph > _MAX_IDLE_PICTURES:
            self._anaglyph.close()
            self._anaglyph = None

    def _draw_anaglyph(self, scene: Scene, target: RenderTarget, area: Viewport) -> None:
        """Draw both eyes' pictures, and lay the left one over the right one."""
        if self._anaglyph is None:
            self._anaglyph = Anaglyph()
        left, right = stereo_cameras(scene.camera)
        left_target = self._anaglyph.target(target)
        self._draw_one(scene, left, left_target, area, self._anaglyph.backdrop)
        self._draw_one(scene, right, target, area, self._backdrop)
        self._anaglyph.composite(target, area)

    def _draw_one(
        self, scene: Scene, camera: Camera, target: RenderTarget, area: Viewport, backdrop: Backdrop
    ) -> None:
        """Draw the view of one camera into a viewport.

        Args:
            scene: scene to draw; its own camera is not used.
            camera: the camera, which in stereo is that of one eye.
            target: the framebuffer, and how to draw into it.
            area: the viewport.
            backdrop: draws the empty stage; it caches that of this camera.
        """
        self._frame.fill(camera, scene.stage, area)
        view = self._frame.view

        # Capsules to draw, and capsules that cast shadows: also those that a person does not see of
        # himself.
        scene = without_props_above(scene, camera, target, area)
        complete_scene = scene
        scene = without_unseen(scene, camera.inside)
        drawn, casting = limbs_to_draw(scene, camera, view, area.height)
        if scene is not complete_scene:
            _drawn, casting = limbs_to_draw(complete_scene, camera, view, area.height)
        limbs, clubs = _split_off_clubs(drawn, scene.club_parts)
        self._upload_solids(scene, limbs, clubs)

        # There are no shadows without a floor, or seen from below. The uniform block has the box of
        # the shadow map.
        box = shadow_box(
            _ball_bounds(scene), casting, self._frame.axes, PENUMBRA, coarser=target.draft
        )
        self._frame.upload(box, transparent=target.transparent)
        _set_state()
        has_floor = camera.looks_down and scene.stage.scenery != BARE
        shaded = has_floor and box.texels[0] > 0 and target.shadows

        # Draw the empty stage. It comes before the shadow map, as software OpenGL waits for what is
        # drawn so far before it copies the stage from its cache.
        gl.glDisable(gl.GL_BLEND)
        if target.transparent:
            _clear(target, area)
        else:
            backdrop.draw(camera, scene.stage, target, area)
            if target.behind:
                target.behind(area)

        # Draw the shadow map, and the shadows on the floor.
        if shaded:
            casting_instances = self._capsules
            if casting is not limbs:
                casting_instances = self._casting
                casting_instances.upload(casting)
            # Those near the floor have contact shadows, too.
            self._standing.upload(near_floor(casting))
            self._shadows.draw(
                box,
                spheres=self._spheres,
                capsules=casting_instances,
                standing=self._standing,
                rings=self._rings,
                boxes=self._boxes,
            )
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target.framebuffer)
        gl.glViewport(*area.rectangle)
        gl.glScissor(*area.drawn(target.kept))
        gl.glEnable(gl.GL_SCISSOR_TEST)
        if shaded:
            backdrop.draw_shadows(self._shadows, transparent=target.transparent)

        # Draw bodies and solids. In a draft all bodies are a level coarser.
        finest, finer, coarse = bodies_to_draw(scene, camera, view, area.height)
        levels = [finest, finer, coarse]
        if target.draft:
            levels = [finest[:0], finest, np.concatenate([finer, coarse])]
        self._skin.upload(scene, levels, camera.inside)
        self._draw_solids(target, camera.mirrored)
        self._draw_translucent(scene, view)
        self._marks.draw(scene, camera, target, area)

    def _upload_solids(self, scene: Scene, limbs: Singles, clubs: Singles) -> None:
        """Upload the instances of all solids, each kind from far to near.

        Args:
            scene: their other kinds; the view of `_frame` is that of its picture.
            limbs, clubs: rows of `Cone` to draw.
        """
        view = self._frame.view
        self._spheres.upload(_far_to_near(_with_tones(scene.spheres, Ball.WIDTH), view))
        self._capsules.upload(_far_to_near(limbs, view, cones=True))
        self._clubs.upload(_far_to_near(clubs, view, cones=True))
        self._rings.upload(_far_to_near(_with_tones(scene.rings, Ring.WIDTH), view))
        self._traces.upload(_far_to_near(scene.traces, view, cones=True))
        self._boxes.upload(_far_to_near(scene.boxes, view))

    def _draw_translucent(self, scene: Scene, view: Floats) -> None:
        """Draw what one sees through, over all solids, each kind from far to near.

        Args:
            scene: scene to draw.
            view: the matrix from the world to camera space, shape (4, 4).
        """
        self._arcs.draw(_far_to_near(scene.arcs, view, cones=True))
        self._see_through.draw(_far_to_near(scene.see_through, view, cones=True))
        self._bubbles.draw(_far_to_near(scene.bubbles, view))
        self._ghosts.draw(_far_to_near(scene.ghosts, view, cones=True))
        self._axes.draw(_far_to_near(scene.axes, view, cones=True))

    def _draw_solids(self, target: RenderTarget, mirrored: bool) -> None:
        """Draw all solids with depth, then their edges blended over what lies behind them.

        Args:
            target: the framebuffer, which is bound.
            mirrored: whether the picture is, so that triangles turn the other way.
        """
        # In the order of the programs; traces are capsules too.
        kinds = self._capsules, self._clubs, self._rings, self._boxes, self._spheres

        # First the pixels that solids cover fully, with depth.
        gl.glDisable(gl.GL_BLEND)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        for instances, solid in zip(kinds, self._solids, strict=True):
            instances.draw(solid)
        self._traces.draw(self._solids[_CAPSULE])

        # Then what is blended over these: the arms of one's own, which fade out, and soft edges,
        # which are hidden by nearer solids but write no depth. In an opaque picture colour is
        # blended and alpha kept.
        gl.glEnable(gl.GL_BLEND)
        alpha_factors = (
            (gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
            if target.transparent
            else (gl.GL_ZERO, gl.GL_ONE)
        )
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, *alpha_factors)
        self._skin.draw(edges=False, mirrored=mirrored)
        # Software OpenGL begins to fill these triangles on its own threads, while this thread
        # places the corners of the edges.
        gl.glFlush()
        gl.glDepthMask(gl.GL_FALSE)
        self._traces.draw(self._edges[_CAPSULE])
        if not target.draft:
            self._skin.draw(edges=True)
        for instances, edge in zip(kinds, self._edges, strict=True):
            instances.draw(edge)


def _clear(target: RenderTarget, area: Viewport) -> None:
    """Make the pixels of a viewport transparent."""
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target.framebuffer)
    gl.glViewport(*area.rectangle)
    gl.glScissor(*area.rectangle)
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glClearColor(0.0, 0.0, 0.0, 0.0)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT)
    gl.glDisable(gl.GL_SCISSOR_TEST)


def _far_to_near(rows: Singles, view: Floats, *, cones: bool = False) -> Singles:
    """Sort rows from far to near, so that edges blend over what lies behind them.

    Args:
        rows: shape (N, W), of one kind of solid; all have a centre or a start first.
        view: matrix from the world to camera space, shape (4, 4).
        cones: whether they are rows of `Cone`, sorted by their middles.
    """
    # Coordinates toward the eye; of cones the sum of both ends', which sorts as their mean does.
    back = view[2, :3].astype(np.float32)
    nearness = rows[:, Sphere.CENTRE] @ back
    if cones:
        nearness = nearness + rows[:, Cone.END] @ back
    return np.ascontiguousarray(rows[np.argsort(nearness)], dtype=np.float32)


def _split_off_clubs(capsules: Singles, club_parts: int) -> tuple[Singles, Singles]:
    """Split off the capsules of clubs, and append to each how the outline of its part is bent.

    Args:
        capsules: shape (M, 12), rows of `Cone`, those of clubs last.
        club_parts: how many of them, C, are parts of clubs; each club has the same parts in the
            same order, one for each row of `CLUB_BENDS`.

    Returns:
        The other capsules, shape (M − C, 12), and those of clubs, rows of `Cone` followed by a row
        of `CLUB_BENDS`, shape (C, 16).
    """
    if not club_parts:
        return capsules, no_rows(0, Cone.WIDTH + CLUB_BENDS.shape[1])
    clubs = capsules[-club_parts:]
    bends = np.tile(CLUB_BENDS, (club_parts // len(CLUB_BENDS), 1))
    return capsules[:-club_parts], np.concatenate([clubs, bends], axis=1)


def _with_tones(rows: Singles, width: int) -> Singles:
    """Return rows of balls or rings; where the last columns are missing they have one tone."""
    missing = width - rows.shape[1]
    return np.pad(rows, ((0, 0), (0, missing))) if missing else rows


def _ball_bounds(scene: Scene) -> Singles:
    """Balls around spheres, rings and boxes, shape (N, 4): centres and radii, [m]."""
    if not len(scene.rings) and not len(scene.boxes):
        return scene.spheres
    return np.concatenate(
        [scene.spheres[:, BALL], scene.rings[:, BALL], scene.boxes[:, BALL] * _TO_CORNERS]
    )


def _reset_state() -> None:
    """Restore the state that other code expects."""
    gl.glDisable(gl.GL_SCISSOR_TEST)
    gl.glDepthMask(gl.GL_TRUE)
    gl.glBindVertexArray(0)
    gl.glUseProgram(0)


def _set_state() -> None:
    """Set all OpenGL state that drawing relies on; other code in the window may have changed it."""
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
    # OpenGL's defaults, but for the depth test, which lets through what is as near.
    gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_FILL)
    gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
    gl.glDepthMask(gl.GL_TRUE)
    gl.glDepthFunc(gl.GL_LEQUAL)
    gl.glDepthRange(0.0, 1.0)
    gl.glClearDepth(1.0)
    gl.glBlendEquation(gl.GL_FUNC_ADD)


def without_unseen(scene: Scene, figure: int | None) -> Scene:
    """Return a scene without the round limbs that one figure does not see of itself.

    Args:
        scene: stays as it is.
        figure: index of the figure; None to return the same scene.
    """
    if figure is None:
        return scene
    rows = figure * scene.limbs_each + np.array(scene.unseen_limbs, dtype=np.intp)
    capsules = scene.capsules.copy()
    see_through = scene.see_through.copy()
    # Limbs are in one of the two arrays; a limb of radius 0 is not seen.
    for limbs in (capsules[: scene.limb_count], see_through):
        limbs[rows[rows < len(limbs)], Cone.RADII] = 0.0
    return replace(scene, capsules=capsules, see_through=see_through)


def limbs_to_draw(
    scene: Scene, camera: Camera, view: Floats, height: int
) -> tuple[Singles, Singles]:
    """Return the capsules to draw, and those that cast shadows; may be the same array.

    Each figure is in full or in low detail, depending only on the view and the size of the picture,
    so that windows and exports agree. A smooth body is drawn as triangles; it has capsules only in
    low detail, where it is small or casts a shadow.

    Args:
        scene: scene to draw.
        camera: the camera.
        view: its matrix from the world to camera space, shape (4, 4).
        height: height of the picture, [pixels].

    Returns:
        Shape (N, 12) and (M, 12), rows of `Cone`.
    """
    is_smooth = len(scene.bodies) > 0
    # Limbs, which come first, are not drawn if they belong to smooth bodies.
    capsules = scene.capsules[scene.limb_count :] if is_smooth else scene.capsules
    # Without figures in low detail all are drawn in full.
    if not len(scene.low_detail):
        return capsules, scene.capsules
    scales, in_view = _figure_sizes(scene, camera, view, height)
    # All are large: no copies needed.
    if not is_smooth and scales.min() >= DETAILED_SHADOWS_FROM and in_view.all():
        return capsules, scene.capsules
    # Scales are in [pixels per metre]: from `FULL_DETAIL_FROM` on figures are in full detail, from
    # `SMOOTH_FROM` on smooth.
    is_large = scales >= (SMOOTH_FROM if is_smooth else FULL_DETAIL_FROM)
    drawn = _mix_details(
        scene,
        full_detail=is_large & in_view & (not is_smooth),
        low_detail=~is_large & in_view,
    )
    # Figures out of view may cast shadows into it.
    has_detailed_shadow = (scales >= DETAILED_SHADOWS_FROM) & (not is_smooth)
    casting = _mix_details(scene, full_detail=has_detailed_shadow, low_detail=~has_detailed_shadow)
    return drawn, casting


def bodies_to_draw(
    scene: Scene, camera: Camera, view: Floats, height: int
) -> list[NDArray[np.intp]]:
    """Return which smooth bodies are drawn in each of three levels of detail, the finest first.

    Those that are too small, and drawn as round limbs, are in none.

    Args:
        scene: scene to draw.
        camera: camera that sees it.
        view: its matrix from the world to camera space, shape (4, 4).
        height: height of the picture, [pixels].

    Returns:
        Indices of bodies, an ascending array for each level.
    """
    figures = np.arange(len(scene.bodies))
    # Without limbs to fall back on, all are drawn in the finest level.
    if not len(figures) or not len(scene.low_detail):
        return [figures, figures[:0], figures[:0]]
    scales, in_view = _figure_sizes(scene, camera, view, height)
    middle_from, finest_from = FINER_FROM
    is_finest = scales >= finest_from
    is_finer = scales >= middle_from
    # Scales from which bodies are smooth, finer and finest, [pixels per metre].
    is_drawn = (scales >= SMOOTH_FROM) & in_view
    levels = is_finest, is_finer & ~is_finest, ~is_finer
    return [np.flatnonzero(level & is_drawn) for level in levels]


def _figure_sizes(
    scene: Scene, camera: Camera, view: Floats, height: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the scale of each figure in the picture, and whether it may be in view.

    Args:
        scene: the scene with F figures.
        camera: camera that sees them.
        view: its matrix from the world to camera space, shape (4, 4).
        height: height of the picture, [pixels].

    Returns:
        Scales, shape (F,), [pixels per metre], and whether each is in front of the camera, or at
        most `_MAX_DISTANCE_BEHIND` metres behind it, shape (F,).
    """
    figures = len(scene.low_detail)
    _across, half_heights_per_metre = camera.scales(1.0)
    if camera.orthographic:
        scale = 0.5 * height * half_heights_per_metre / camera.distance
        return np.full(figures, scale), np.ones(figures, dtype=bool)
    # A figure's depth is that of its first limb, and its scale in perspective is inverse to it.
    depths = -(scene.low_detail[:, 0, Cone.START] @ view[2, :3] + view[2, 3])
    scales = 0.5 * height * half_heights_per_metre / np.maximum(depths, 1e-3)
    return scales, depths > -_MAX_DISTANCE_BEHIND


def _mix_details(
    scene: Scene, *, full_detail: NDArray[np.bool_], low_detail: NDArray[np.bool_]
) -> Singles:
    """Join the limbs of some figures in full detail, of some in low detail, and other capsules.

    Args:
        scene: it has all figures in both.
        full_detail, low_detail: shape (F,), which figures to take of each.

    Returns:
        Shape (N, 12), rows of `Cone`; capsules that are no limbs come last, as in the scene.
    """
    # Limbs come first, figure by figure.
    limbs_by_figure = scene.capsules[: scene.limb_count].reshape(
        len(scene.low_detail), -1, Cone.WIDTH
    )
    other_capsules = scene.capsules[scene.limb_count :]
    return np.concatenate(
        [
            limbs_by_figure[full_detail].reshape(-1, Cone.WIDTH),
            scene.low_detail[low_detail].reshape(-1, Cone.WIDTH),
            other_capsules,
        ]
    )


_COLOURS = "backdrop_top", "backdrop_bottom", "floor_colour", "line_colour"
_VECTORS = ("projection", "ray", "light", "up", "eye", "ahead", "across", "above", *_COLOURS)
_SHADOW_VECTORS = ("sun", "shadow_u", "shadow_v", "shadow_box", "shadow_end")
_LIGHT_COLOURS = "key_light", "sky_light", "ground_light", "fill", "rim_light"
# The layout of the block in `frame.glsl`, where each member is described.
_FRAME_LAYOUT = np.dtype(
    [
        ("view", np.float32, (4, 4)),
        *((name, np.float32, 4) for name in (*_VECTORS, *_SHADOW_VECTORS, *_LIGHT_COLOURS)),
    ]
)
_FLOOR_RADIUS = 1.1  # of the lit floor, in distances from the eye to the target


class FrameUniforms:
    """The block's buffer, in the current OpenGL context."""

    def __init__(self) -> None:
        self._names: GlNames = generate_name(gl.glGenBuffers)
        self._values = np.zeros((), dtype=_FRAME_LAYOUT)
        self._filled_view: tuple[Camera, Viewport] | None = None
        self._filled_stage: Stage | None = None
        self._backdrop_brightness = 1.0
        self.axes: Floats = np.eye(3)
        self.view: Floats = np.eye(4)

    def fill(self, camera: Camera, stage: Stage, area: Viewport) -> None:
        """Set camera and stage for a picture in a viewport."""
        if self._filled_view != (camera, area):
            self._set_camera(camera, area)
        if self._filled_view != (camera, area) or self._filled_stage != stage:
            self._set_light(stage)
        self._filled_view = (camera, area)
        self._filled_stage = stage

    def upload(self, box: ShadowBox, *, transparent: bool) -> None:
        """Upload the block and bind it; a `transparent` picture has no backdrop."""
        self._values["shadow_box"] = (*box.origin, box.scale, box.texel)
        self._values["shadow_end"] = *box.end, self._backdrop_brightness, float(transparent)
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, FRAME_BINDING, self._names[0])
        upload(gl.GL_UNIFORM_BUFFER, self._values)

    def close(self) -> None:
        """Delete the buffer."""
        gl.glDeleteBuffers(1, self._names)

    def _set_camera(self, camera: Camera, area: Viewport) -> None:
        """Fill the uniform block of the shaders with what depends on the camera.

        These are the view and the projection, and the ray of each pixel, in the axes of the camera
        and of the world.

        Args:
            camera: the camera.
            area: the viewport, [pixels] of the framebuffer.
        """
        values = self._values
        view = camera.view()
        projection = camera.projection(area.width / area.height)
        self.view = view

        # The ray of the pixel (x, y) in the camera's axes, at distance 1: corner + step · (x, y),
        # the inverse of the projection.
        step_x = 2.0 / (projection[0, 0] * area.width)
        step_y = 2.0 / (projection[1, 1] * area.height)
        corner_x = camera.lens_shift - 1.0 / projection[0, 0] - area.left * step_x
        corner_y = -1.0 / projection[1, 1] - area.bottom * step_y

        # OpenGL matrices are column-major. The fourth component of a vector is often a separate
        # number, see `frame.glsl`.
        values["view"] = view.T
        # The depth of a point at distance z in front of the camera is offset + factor / z, or, in
        # an orthographic picture, offset + factor · z.
        depth_offset = 0.5 - 0.5 * projection[2, 2]
        depth_factor = 0.5 * projection[2, 3]
        if camera.orthographic:
            depth_offset = 0.5
            depth_factor = 0.5 / camera.far
        # The overhang, columns at the left that belong to the picture but not to the camera's
        # frame, widens the picture at the same scale.
        full_width = area.width + area.overhang
        values["projection"] = (
            projection[0, 0] * (area.width / full_width),
            projection[1, 1],
            depth_offset,
            depth_factor,
        )
        values["ray"] = step_x, step_y, corner_x, corner_y
        values["light"][3] = step_y

        # The same rays and the eye in the world. The rows of the rotation are the camera's axes in
        # the world, which looks along −z.
        right, up, back = view[:3, :3]
        values["up"] = *view[:3, 1], camera.distance if camera.orthographic else 0.0
        # The lit floor reaches `_FLOOR_RADIUS` times the distance from the eye to the target.
        values["eye"] = (
            *camera.position,
            1.0 / (_FLOOR_RADIUS * math.dist(camera.eye, camera.target)),
        )
        # How far the view axis is right of the middle of the picture, in half widths.
        axis_x = (area.overhang - camera.lens_shift * projection[0, 0] * area.width) / full_width
        # The middle of the pool of light on the floor: what the camera looks at, or the person
        # through whose eyes it looks.
        middle = camera.target if camera.inside is None else camera.eye
        values["ahead"] = *(corner_x * right + corner_y * up - back), middle[0]
        values["across"] = *(step_x * right), middle[2]
        values["above"] = *(step_y * up), axis_x

    def _set_light(self, stage: Stage) -> None:
        """Fill in lights and colours of the stage; the camera's view must be set before.

        Args:
            stage: the stage with its colours and lights.
        """
        values = self._values
        # Two axes across the sun's rays, which span the shadow map, and the direction to the sun,
        # as rows. Surfaces are shaded in camera space, and shadows are computed in the world.
        self.axes = light_axes(stage)
        values["light"][:3] = self.view[:3, :3] @ self.axes[2]
        colours = stage.backdrop_top, stage.backdrop_bottom, stage.floor, stage.line
        for name, colour in zip(_COLOURS, colours, strict=True):
            values[name] = (*colour, 1.0)
        self._backdrop_brightness = brightness(stage)
        values["sun"] = (*self.axes[2], PENUMBRA)
        values["shadow_u"][:3], values["shadow_v"][:3] = self.axes[:2]

        # Light from all around is that from the ground, and the more a surface faces up, the more
        # of the difference between sky and ground is added.
        sky_excess = np.subtract(stage.sky, stage.ground)
        for name, light in (
            ("key_light", stage.key),
            ("sky_light", sky_excess),
            ("ground_light", stage.ground),
        ):
            values[name][:3] = light
        values["rim_light"][:3] = stage.rim
        values["fill"] = *FILL_DIRECTION, stage.fill


class Anaglyph:
    """Holds the picture for the left eye until it is laid over the other.

    Its luminance becomes the red channel; its own red would leave red or blue props dark for one
    eye.
    """

    def __init__(self) -> None:
        self.backdrop = Backdrop()
        """The left eye's own, so that both caches stay valid."""
        self._program = build_program("fullscreen.vert", "anaglyph.frag")
        self._array: GlNames = generate_name(gl.glGenVertexArrays)
        self._eye: ColourBuffer | None = None
        self._turned_rows = gl.glGetUniformLocation(self._program, b"turned_rows")

    def target(self, right_target: RenderTarget) -> RenderTarget:
        """Return the target for the left eye's picture, which `composite` lays over another.

        Args:
            right_target: framebuffer of the right eye's picture.
        """
        # A texture of the same size and depth of colour is used again.
        if self._eye is None or (self._eye.size, self._eye.deep) != (
            right_target.size,
            right_target.deep,
        ):
            if self._eye:
                self._eye.close()
            self._eye = ColourBuffer(*right_target.size, deep=right_target.deep)
            self._eye.attach_depth()
        return replace(right_target, framebuffer=self._eye.framebuffer)

    def composite(self, right_target: RenderTarget, area: Viewport) -> None:
        """Lay the left eye's picture over the right eye's, whose framebuffer stays bound.

        Args:
            right_target: framebuffer of the right eye's picture.
            area: the viewport.
        """
        assert self._eye
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, right_target.framebuffer)
        gl.glViewport(*area.rectangle)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(gl.GL_ONE, gl.GL_ZERO, gl.GL_ONE, gl.GL_ONE)
        # Alpha is that of the eye that sees more.
        gl.glBlendEquationSeparate(gl.GL_FUNC_ADD, gl.GL_MAX)
        # Only red is replaced: green and blue are those of the right eye.
        gl.glColorMask(gl.GL_TRUE, gl.GL_FALSE, gl.GL_FALSE, gl.GL_TRUE)
        self._eye.bind()
        gl.glUseProgram(self._program)
        # The shader counts rows of the texture as they lie in memory: where the top row is first it
        # needs their number to turn them over; 0 leaves them as they are.
        rows = self._eye.size[1] if self._eye.has_top_row_first else 0
        gl.glUniform1i(self._turned_rows, rows)
        gl.glBindVertexArray(self._array[0])
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
        gl.glBlendEquation(gl.GL_FUNC_ADD)

    def close(self) -> None:
        """Delete all OpenGL objects."""
        self.backdrop.close()
        gl.glDeleteProgram(self._program)
        gl.glDeleteVertexArrays(1, self._array)
        if self._eye:
            self._eye.close()
