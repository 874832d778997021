"""From pieces to triangles."""

from __future__ import annotations

from dataclasses import replace

import fast_simplification
import numpy as np
from numpy.typing import NDArray
from skimage.measure import marching_cubes

from figure.mesh import Mesh, creased, trimmed
from figure.piece import Piece
from figure.rest_pose import MIRROR
from figure.shapes import SWAP
from juggle_anim.arrays import Floats
from juggle_anim.scene.skin import COVERS


def levels(piece: Piece) -> list[list[Mesh]]:
    """The piece, and its mirror image, in each level of detail."""
    fine, faces = surface(piece)
    made = []
    for count in piece.triangles:
        points, triangles = simplified(fine, faces, count)
        points, normals = on_surface(piece, points)
        for below in piece.over:
            points, triangles = trimmed(points, triangles, lambda places, b=below: b(places) - piece.clear)
        normals = on_surface(piece, points)[1]
        mesh = Mesh(points, normals, bone_weights(piece, points), triangles, COVERS.index(piece.cover), piece.cut)
        mesh = creased(mesh) if piece.sharp else mesh
        made.append([mesh, reflected(mesh)] if piece.mirrored else [mesh])
    return made


def surface(piece: Piece) -> tuple[Floats, NDArray[np.int64]]:
    """The piece in fine triangles."""
    # Flat faces on a plane of the grid would make triangles without area.
    low = np.array(piece.low) - 0.37 * piece.step
    axes = [np.arange(a, b + piece.step, piece.step) for a, b in zip(low, piece.high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = np.concatenate([piece.distance(part.reshape(-1, 3)) for part in grid]).reshape(grid.shape[:3])
    # The last digits differ between processors; without them the file does not.
    values = np.round(values, 8)
    corners, triangles, _, _ = marching_cubes(values, 0.0)
    points = low + corners.astype(float) * piece.step
    return points, triangles.astype(np.int64)


def on_surface(piece: Piece, points: Floats) -> tuple[Floats, Floats]:
    """Points moved onto the surface, and its normals there."""
    for _ in range(2):
        slope = gradient(piece, points)
        size2 = np.maximum((slope**2).sum(-1), 0.05)
        step = (piece.distance(points) / size2)[:, None] * slope
        far = np.linalg.norm(step, axis=-1, keepdims=True)
        points = points - step * np.minimum(1.0, 0.002 / np.maximum(far, 1e-12))
    slope = gradient(piece, points)
    return points, slope / np.linalg.norm(slope, axis=-1, keepdims=True)


def gradient(piece: Piece, points: Floats) -> Floats:
    """How fast the distance grows along each axis."""
    step = 0.4 * piece.step
    columns = [piece.distance(points + step * axis) - piece.distance(points - step * axis) for axis in np.eye(3)]
    return np.stack(columns, axis=-1) / (2 * step)


def simplified(points: Floats, triangles: NDArray[np.int64], count: int) -> tuple[Floats, NDArray[np.int64]]:
    """So many triangles in place of finer ones."""
    if count >= len(triangles):
        return points, triangles
    made, faces = fast_simplification.simplify(
        points.astype(np.float32), triangles.astype(np.int32), target_count=count, agg=4
    )
    return made.astype(float), faces.astype(np.int64)


SHARE = 0.011
"""Over this difference of distances the share of a shape falls by e, [m]."""


def bone_weights(piece: Piece, points: Floats) -> Floats:
    """Weights of the four bones that matter most, shape (N, bones)."""
    carrying = [shape for shape in piece.shapes if shape.chain and not shape.cut]
    distances = np.stack([shape.distance(points) for shape in carrying])
    shares = np.exp(-(distances - distances.min(axis=0)) / SHARE)
    shares /= shares.sum(axis=0)
    total = sum(
        share[:, None] * shape.chain(points) for share, shape in zip(shares, carrying, strict=True) if shape.chain
    )
    least = np.sort(total, axis=1)[:, -4, None]
    total = np.where(total >= least, total, 0.0)
    return total / total.sum(axis=1, keepdims=True)


def reflected(mesh: Mesh) -> Mesh:
    """The mesh on the other side."""
    return replace(
        mesh,
        points=mesh.points * MIRROR,
        normals=mesh.normals * MIRROR,
        weights=mesh.weights[:, SWAP],
        triangles=mesh.triangles[:, ::-1],
    )
