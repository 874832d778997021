"""Figures: smooth bodies, translucent limbs (ghosts, see-through figures), and bubbles of reach.

The triangles of `assets/figure.npz` are carried by the bones of each figure in the vertex shader.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Singles
from juggle_anim.body import Joint
from juggle_anim.render import gl
from juggle_anim.render.program import (
    GlNames,
    Instances,
    build_program,
    generate_name,
    upload,
)
from juggle_anim.scene.scene import Scene
from juggle_anim.scene.skin import (
    BONES,
    CASTING,
    COVERS,
    OCCLUDERS,
    SkinLevel,
    load_skin,
    occluders,
    outward,
    parts_worn,
)

_BINDING = 6  # of the uniform block `Bodies`
_BLOCK_ROWS = 1024  # vec4s of that block: every driver has so many
# A figure's rows are three for each bone, then one for each cover, then two for each occluder.
_PAINT_ROW = 3 * len(BONES)
_OCCLUDER_ROW = _PAINT_ROW + len(COVERS)
_ALIGNMENT = 16  # rows, at multiples of which blocks start
_FIGURE_ROWS = math.ceil((_OCCLUDER_ROW + 2 * len(OCCLUDERS)) / _ALIGNMENT) * _ALIGNMENT
_FIGURES_PER_BLOCK = _BLOCK_ROWS // _FIGURE_ROWS
# Bones of thin parts, whose surface may be moved inward less.
_HEAD_BONES = [
    number for number, bone in enumerate(BONES) if bone.joint in (Joint.HEAD, Joint.NECK)
]


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
        self, scene: Scene, levels: Sequence[NDArray[np.intp]], headless: int | None = None
    ) -> None:
        """Replace all figures.

        Args:
            scene: its bodies are drawn.
            levels: indices of the bodies that are drawn in each level of detail, the finest first.
            headless: index of the body whose head is not drawn; None to draw all heads.
        """
        self._shown = []
        for level_index, figures in enumerate(levels):
            if len(figures):
                skin = load_skin()
                # Buffers of a level are made when it is first needed.
                if level_index not in self._levels:
                    self._levels[level_index] = _Level(skin.levels[level_index])
                level = self._levels[level_index]
                # By what they wear, since those who wear the same are drawn together.
                figures = figures[np.argsort(scene.worn[figures], kind="stable")]
                bones = skin.skeleton.transforms(
                    scene.bodies[figures],
                    scene.gaze[figures],
                    scene.girths[figures],
                    scene.lids[figures],
                )
                if headless is not None:
                    # All of head and neck goes to one point below the collar.
                    for row in np.flatnonzero(figures == headless):
                        bones[row, _HEAD_BONES] = 0.0
                        bones[row, _HEAD_BONES, :, 3] = scene.bodies[headless, Joint.CHEST]
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
            mirrored: whether the picture is.
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


class _Level:
    """The triangles of one level of detail, and the bones of those who are drawn in it."""

    def __init__(self, level: SkinLevel) -> None:
        """Upload points, triangles and edges of a level of detail to the current context."""
        self._array: GlNames = generate_name(gl.glGenVertexArrays)
        self._buffers: list[GlNames] = [generate_name(gl.glGenBuffers)]
        self._figures: list[tuple[int, range]] = []

        # Vertex attributes 0, 1, 2 and 5 are normalized to −1 … 1 or 0 … 1; 3 and 4 are integers.
        gl.glBindVertexArray(self._array[0])
        for location, values, component_type in (
            (0, level.points, gl.GL_SHORT),
            (1, level.normals, gl.GL_BYTE),
            (2, level.shares, gl.GL_UNSIGNED_BYTE),
            (5, outward(level), gl.GL_BYTE),
        ):
            self._upload_attribute(location, values)
            gl.glVertexAttribPointer(location, values.shape[1], component_type, gl.GL_TRUE, 0, None)
        for location, numbers in ((3, level.bones), (4, level.covers[:, None])):
            self._upload_attribute(location, numbers)
            gl.glVertexAttribIPointer(location, numbers.shape[1], gl.GL_UNSIGNED_BYTE, 0, None)

        # One index buffer: the triangles of the body and of each part, then their edges. Of
        # the triangles and of the edges of each part the first index and the number of indices.
        parts: list[NDArray[Any]] = np.split(level.triangles, level.parts[:-1])
        places = place_indices(level.points)
        edges: list[NDArray[Any]] = [
            edges_with_neighbours(places, part, level.covers) for part in parts
        ]
        sizes = [part.size for part in (*parts, *edges)]
        self._triangle_ranges, self._edge_ranges = (
            np.stack([np.cumsum([0, *sizes[:-1]]), sizes], axis=-1)
            .reshape(2, len(parts), 2)
            .tolist()
        )
        indices = np.concatenate([part.ravel() for part in (*parts, *edges)])
        self._upload_static(gl.GL_ELEMENT_ARRAY_BUFFER, indices.astype(np.uint16))

    def upload(
        self, *, bones: Singles, paint: Singles, worn: NDArray[np.intp], limbs: Singles
    ) -> None:
        """Replace all F figures, which are sorted by what they wear.

        Args:
            bones: shape (F, bones, 3, 4), transforms from the skin at rest to the world.
            paint: shape (F, covers, 4), colours and gloss.
            worn: shape (F,), what they wear, ascending numbers as of `skin.worn_number`.
            limbs: shape (F, occluders, 2, 4), as of `occluders`.
        """
        # All figures' rows of vec4s. The uniform block may begin at any figure and always has the
        # same length, so the buffer goes on for a block after the last figure.
        rows = np.zeros((_FIGURE_ROWS * len(bones) + _BLOCK_ROWS, 4), dtype=np.float32)
        figures = rows[: _FIGURE_ROWS * len(bones)].reshape(len(bones), _FIGURE_ROWS, 4)
        figures[:, :_PAINT_ROW] = bones.reshape(len(bones), _PAINT_ROW, 4)
        figures[:, _PAINT_ROW:_OCCLUDER_ROW] = paint
        figures[:, _OCCLUDER_ROW : _OCCLUDER_ROW + 2 * len(OCCLUDERS)] = limbs.reshape(
            len(bones), -1, 4
        )
        # The body is drawn for all figures, and each part for those who wear it.
        kinds, starts = np.unique(worn, return_index=True)
        wearers = [range(*ends) for ends in pairwise([*starts.tolist(), len(bones)])]
        self._figures = [(0, range(len(bones)))]
        for number, figures_wearing in zip(kinds.tolist(), wearers, strict=True):
            self._figures += [(1 + part, figures_wearing) for part in parts_worn(number)]
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
                instances = min(_FIGURES_PER_BLOCK, figures.stop - figure)
                offset = ctypes.c_void_p(first_index * index_bytes)
                gl.glDrawElementsInstanced(
                    primitive, index_count, gl.GL_UNSIGNED_SHORT, offset, instances
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
        covers: shape (V,). Where two meet, the one of the higher number ends: its edge is smoothed
            over the other.

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

    # Half edges as numbers; the neighbour of one is the half edge that runs the other way.
    place_count = int(place_index.max()) + 1
    half_edge = place_index[start] * place_count + place_index[end]
    opposite = place_index[end] * place_count + place_index[start]
    order = np.argsort(half_edge, kind="stable")
    neighbour = order[np.minimum(np.searchsorted(half_edge[order], opposite), len(order) - 1)]
    # An edge of one triangle alone has no such neighbour.
    cover = covers[start].astype(int)
    beside = np.where(half_edge[neighbour] == opposite, cover[neighbour], -1)
    is_border = cover > beside
    other_third = np.where(is_border, third, third[neighbour])
    # Each inner edge once, from the half edge with the smaller number.
    is_first = is_border | ((cover == beside) & (half_edge < opposite))
    return np.stack([third, start, end, other_third], axis=-1)[is_first]


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
        """Draw limbs with the current blending; writing depths is off afterwards.

        Args:
            rows: shape (G, 12), rows of `Cone`, from far to near.
        """
        if not len(rows):
            return
        # Built at the first limb.
        if self._resources is None:
            self._resources = _limb_resources(self._opacity)
        instances, solid, edge, lift_location = self._resources
        instances.upload(rows)
        gl.glUseProgram(solid)
        gl.glUniform1f(lift_location, 0.0)
        gl.glDepthMask(gl.GL_TRUE)
        if self._over:
            gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        # Depth first, so that only the nearest limb shows where limbs overlap.
        gl.glColorMask(gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE)
        instances.draw(solid)
        gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)
        # Of limbs at one depth only the first shows: it is lifted by one step.
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
        lift_location: of the uniform `lift` of `solid`, by which depths are nearer.
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
