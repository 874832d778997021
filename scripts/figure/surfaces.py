"""From pieces to triangles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import fast_simplification
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu
from scipy.spatial import KDTree
from skimage.measure import marching_cubes

from figure.mesh import Mesh, along_the_form, compact, creased, trimmed, turned_in
from figure.piece import Piece
from figure.rest_pose import MIRROR
from figure.shapes import SWAP, Chain, Distance, gradient, outward
from juggle_anim.arrays import Floats
from juggle_anim.scene.skin import COVERS


def levels(piece: Piece) -> list[list[Mesh]]:
    """The piece, and its mirror image, in each level of detail."""
    fine, faces = surface(piece)
    weigh = evened(piece, fine, faces) if piece.evened else partial(bone_weights, piece)
    step = SLOPE_STEP * piece.step
    made: list[list[Mesh]] = []
    for count, lift, edge in zip(piece.triangles, piece.lift, EDGE, strict=True):
        if not count:
            made.append([])
            continue
        points, triangles = simplified(fine, faces, count)
        points, normals = on_surface(piece, points)
        if piece.facing:
            triangles = along_the_form(points, normals, triangles)
        points = points + lift * normals
        for below in piece.over:
            points, triangles = trimmed(
                points, triangles, lambda places, b=below: b(places) - piece.clear
            )
        if piece.laid_on:
            points, triangles = in_one(points, triangles)
            points = laid_on(piece.laid_on, points, triangles, edge)
        for hem in piece.hems:
            points, triangles = trimmed(points, triangles, hem)
        sides = points[triangles] - points[np.roll(triangles, 1, axis=1)]
        width = max(step, piece.lit_over * float(np.linalg.norm(sides, axis=-1).mean()))
        facing = piece.facing or partial(outward, piece.lit or piece.distance, step=width)
        meshes: list[Mesh] = []
        for cover, places, corners in dyed(piece, points, triangles):
            normals = facing(places)
            weights = weigh(places)
            if piece.follows:
                below, share = piece.follows
                weights += share(places)[:, None] * (below()(places) - weights)
            weights = strongest(weights)
            mesh = Mesh(places, normals, weights, corners, COVERS.index(cover), piece.part)
            for hem in piece.hems:
                mesh = turned_in(mesh, hem, piece.under)
            mesh = creased(mesh) if piece.sharp else mesh
            meshes += [mesh, reflected(mesh)] if piece.mirrored else [mesh]
        made.append(meshes)
    return made


EDGE = (0.0008, 0.0011, 0.0046)
"""How far above what a piece lies on its edge ends in each level of detail, [m]: no gap is seen,
and nothing of few triangles comes through it.
"""

LEAST_PART = 0.02
"""What is cut off from the rest of a piece, and is a smaller share of its triangles, is left out: a
tip of a lock would be a speck.
"""


def in_one(points: Floats, triangles: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    """Triangles without scraps that are apart from the rest."""
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]]]).T
    _, labels = connected_components(
        coo_array((np.ones(len(ends[0])), ends), shape=(len(points),) * 2)
    )
    of_triangles = labels[triangles[:, 0]]
    sizes = np.bincount(of_triangles)
    return compact(points, triangles[sizes[of_triangles] >= LEAST_PART * len(triangles)])


def laid_on(below: Distance, points: Floats, triangles: NDArray[np.int64], above: float) -> Floats:
    """Points of which those at an edge are moved down, to so far above what is below, [m]; and up,
    where skin that is made of triangles would come through them.
    """
    size = len(points)
    start, end = (triangles[:, order].ravel() for order in ([0, 1, 2], [1, 2, 0]))
    alone = ~np.isin(start * size + end, end * size + start)
    edge = np.unique([start[alone], end[alone]])
    line = points[edge]
    moved = points.copy()
    height = below(line)
    down = height - np.clip(height, EDGE[0], above)
    down[(height < 0.0) | (down > MOST_DOWN)] = 0.0
    moved[edge] = line - down[:, None] * outward(below, line, SLOPE_STEP * 0.0024)
    return moved


MOST_DOWN = 0.0150
"""An edge that is farther above what is below hangs free, [m]."""


def dyed(
    piece: Piece, points: Floats, triangles: NDArray[np.int64]
) -> Iterator[tuple[str, Floats, NDArray[np.int64]]]:
    """Yield the covers of a piece with the triangles of each, which meet along lines."""
    for cover, distance in piece.dyed:
        shown = trimmed(points, triangles, lambda places, d=distance: -d(places))
        if len(shown[1]):
            yield cover, *shown
        points, triangles = trimmed(points, triangles, distance)
    yield piece.cover, points, triangles


SLOPE_STEP = 0.4
"""How far to either side of a place the slope of a piece is taken, as a share of the step of its
grid.
"""

BLOCK = 4
"""Along each axis, points of a block of the grid that is left out where the surface is far."""


def surface(piece: Piece) -> tuple[Floats, NDArray[np.int64]]:
    """The piece in fine triangles."""
    # Flat faces on a plane of the grid would make triangles without area.
    low = np.array(piece.low) - 0.37 * piece.step
    blocks = np.ceil((np.array(piece.high) - low) / (BLOCK * piece.step)).astype(int)
    starts = (
        np.stack(np.meshgrid(*map(np.arange, blocks), indexing="ij"), axis=-1).reshape(-1, 3)
        * BLOCK
    )
    middle = piece.distance(low + (starts + 0.5 * BLOCK) * piece.step)
    # Distances may be a third too large.
    near = np.abs(middle) < 1.5 * np.sqrt(3.0) / 2 * BLOCK * piece.step + piece.step
    within = np.stack(np.meshgrid(*[np.arange(BLOCK)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    values = np.repeat(middle[:, None], BLOCK**3, axis=1)
    for some in np.array_split(np.flatnonzero(near), max(1, near.sum() // 1000)):
        points = low + (starts[some, None] + within) * piece.step
        values[some] = piece.distance(points.reshape(-1, 3)).reshape(len(some), -1)
    whole = (
        values.reshape(*blocks, BLOCK, BLOCK, BLOCK)
        .transpose(0, 3, 1, 4, 2, 5)
        .reshape(blocks * BLOCK)
    )
    # The last digits differ between processors; without them the file does not.
    corners, triangles, _, _ = marching_cubes(np.round(whole, 8), 0.0)
    return low + corners.astype(float) * piece.step, triangles.astype(np.int64)


def on_surface(piece: Piece, points: Floats) -> tuple[Floats, Floats]:
    """Points moved onto the surface, and its normals there."""
    for _ in range(2):
        slope = gradient(piece.distance, points, SLOPE_STEP * piece.step)
        size2 = np.maximum((slope**2).sum(-1), 0.05)
        step = (piece.distance(points) / size2)[:, None] * slope
        far = np.linalg.norm(step, axis=-1, keepdims=True)
        points = points - step * np.minimum(1.0, 0.002 / np.maximum(far, 1e-12))
    return points, outward(piece.distance, points, SLOPE_STEP * piece.step)


def simplified(
    points: Floats, triangles: NDArray[np.int64], count: int
) -> tuple[Floats, NDArray[np.int64]]:
    """So many triangles in place of finer ones."""
    if count >= len(triangles):
        return points, triangles
    made, faces = fast_simplification.simplify(
        points.astype(np.float32), triangles.astype(np.int32), target_count=count, agg=4
    )
    return made.astype(float), faces.astype(np.int64)


def bone_weights(piece: Piece, points: Floats) -> Floats:
    """Weights of bones, shape (N, bones), which add up to 1."""
    carrying = [shape for shape in piece.shapes if shape.chain and not shape.cut]
    distances = np.stack([shape.distance(points) for shape in carrying])
    reach = np.array([[shape.reach] for shape in carrying])
    shares = np.exp(-(distances - distances.min(axis=0)) / reach)
    shares /= shares.sum(axis=0)
    return sum(
        share[:, None] * shape.chain(points)
        for share, shape in zip(shares, carrying, strict=True)
        if shape.chain
    )


def strongest(weights: Floats) -> Floats:
    """Weights of the four bones that matter most, shape (N, bones).

    By how much they matter more than the fifth: so a bone comes in without a jump.
    """
    fifth = np.sort(weights, axis=1)[:, -5, None]
    kept = np.maximum(weights - fifth, 0.0)
    return kept / kept.sum(axis=1, keepdims=True)


HEAT_STEPS = 6
"""So many steps give nearly a bell curve."""

NEAREST = 6
"""Of so many fine corners around a point its weights of bones are the mean."""


def evened(piece: Piece, points: Floats, triangles: NDArray[np.int64]) -> Chain:
    """Weights of bones that have spread along the surface by a bell curve of the piece's width.

    Args:
        piece: whose surface it is.
        points, triangles: of the surface in fine triangles, which are all about as large.
    """
    weights = bone_weights(piece, points)
    used = np.flatnonzero(weights.any(axis=0))
    spread = weights[:, used]
    edges = np.unique(
        np.sort(np.concatenate([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])), axis=0
    )
    square = ((points[edges[:, 0]] - points[edges[:, 1]]) ** 2).sum(-1).mean()
    ends = np.concatenate([edges, edges[:, ::-1]]).T
    neighbours = coo_array((np.ones(len(ends[0])), ends), shape=(len(points),) * 2).tocsr()
    count = np.maximum(neighbours.sum(axis=1), 1.0)
    # Heat that spreads for a while, in implicit steps: with means over neighbours the curve widens,
    # in square and along each of two axes, by half of an edge's.
    share = 2 * piece.evened**2 / square / HEAT_STEPS
    step = splu((diags_array(count * (1 + share)) - share * neighbours).tocsc())
    for _ in range(HEAT_STEPS):
        spread = step.solve(count[:, None] * spread)
    tree = KDTree(points)

    def weights_at(places: Floats) -> Floats:
        far, near = tree.query(places, NEAREST)
        share = 1.0 / (far + 1e-3)
        share /= share.sum(axis=1, keepdims=True)
        rows = np.zeros((len(places), weights.shape[1]))
        rows[:, used] = (share[..., None] * spread[near]).sum(axis=1)
        return rows

    return weights_at


def reflected(mesh: Mesh) -> Mesh:
    """The mesh on the other side."""
    return replace(
        mesh,
        points=mesh.points * MIRROR,
        normals=mesh.normals * MIRROR,
        weights=mesh.weights[:, SWAP],
        triangles=mesh.triangles[:, ::-1],
    )
