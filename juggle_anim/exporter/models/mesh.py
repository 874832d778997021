"""Meshes: the shapes that a picture draws without triangles, as triangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.scene.rows import Cone

AROUND = 20
"""Corners around what is round."""

CAP = 4
"""Rings of corners from the pole of a round end to where its side begins."""


@dataclass(frozen=True)
class Mesh:
    """Triangles.

    Args:
        points: shape (V, 3), [m].
        normals: shape (V, 3), unit vectors.
        triangles: shape (F, 3), corners, counterclockwise as seen from outside.
    """

    points: Floats
    normals: Floats
    triangles: Integers


def ball(radius: float) -> Mesh:
    """A ball around the origin."""
    slopes = np.linspace(-np.pi / 2, np.pi / 2, 3 * CAP + 1)
    return _turned(radius * np.cos(slopes), radius * np.sin(slopes), slopes, _between_poles(len(slopes)))


def cube(edge: float) -> Mesh:
    """An upright cube around the origin."""
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    beside = np.roll(normals, 1, axis=1)
    above = np.cross(normals, beside)
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    points = normals[:, None] + corners[:, :1] * beside[:, None] + corners[:, 1:] * above[:, None]
    faces = np.array([(0, 1, 2), (0, 2, 3)]) + 4 * np.arange(6)[:, None, None]
    return Mesh(points.reshape(-1, 3) * edge / 2, np.repeat(normals, 4, axis=0), faces.reshape(-1, 3))


def ring(diameter: float, hole: float, thickness: float) -> Mesh:
    """A flat ring around the origin, in the plane x = 0.

    Args:
        diameter: outer, [m].
        hole: inner, [m].
        thickness: [m].
    """
    inner, outer, half = hole / 2, diameter / 2, thickness / 2
    # Each face has corners of its own, since edges are sharp.
    radii = np.array([inner, outer, outer, outer, outer, inner, inner, inner])
    heights = np.array([-half, -half, -half, half, half, half, half, -half])
    slopes = np.repeat([-np.pi / 2, 0.0, np.pi / 2, np.pi], 2)
    upright = _turned(radii, heights, slopes, np.concatenate(_bands(np.arange(0, 8, 2))))
    return Mesh(upright.points[:, _ONTO_X], upright.normals[:, _ONTO_X], upright.triangles)


def floor(half_edge: float) -> Mesh:
    """A square of the floor around the origin."""
    corners = np.array([(-1.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 0.0, -1.0), (-1.0, 0.0, -1.0)])
    return Mesh(half_edge * corners, np.tile((0.0, 1.0, 0.0), (4, 1)), np.array([(0, 1, 2), (0, 2, 3)]))


def round_cones(cones: Floats) -> tuple[Mesh, Integers]:
    """Round cones: each is what two balls and all between them fill.

    Args:
        cones: shape (N, 8), their `Cone.SHAPE` [m]; the radii differ by less than the length.

    Returns:
        Them all in one mesh, and for each corner 2 · cone, + 1 at the end.
    """
    starts, ends = cones[:, Cone.START], cones[:, Cone.END]
    lengths = np.linalg.norm(ends - starts, axis=1)
    # The side touches both balls where their normals rise by this angle.
    side = np.arcsin(np.clip((cones[:, Cone.START_RADIUS] - cones[:, Cone.END_RADIUS]) / lengths, -1.0, 1.0))[:, None]
    share = np.linspace(0.0, 1.0, CAP + 1)
    slopes = np.concatenate([-np.pi / 2 + share * (side + np.pi / 2), side + share * (np.pi / 2 - side)], axis=1)
    ring_normals = _ring_normals(slopes) @ np.swapaxes(_upright((ends - starts) / lengths[:, None]), -1, -2)[:, None]
    radii = np.repeat(cones[:, Cone.RADII], CAP + 1, axis=1)
    centres = np.repeat(np.stack([starts, ends], axis=1), CAP + 1, axis=1)
    points = centres[:, :, None] + radii[:, :, None, None] * ring_normals
    number = np.arange(len(cones))
    rings = slopes.shape[1]
    triangles = _between_poles(rings) + (number * rings * AROUND)[:, None, None]
    owner = np.repeat(2 * number[:, None] + np.arange(2), (CAP + 1) * AROUND, axis=1)
    return Mesh(points.reshape(-1, 3), ring_normals.reshape(-1, 3), triangles.reshape(-1, 3)), owner.ravel()


def _turned(radii: Floats, heights: Floats, slopes: Floats, triangles: Integers) -> Mesh:
    """A profile turned about +y, each of shape (R,), slopes those of the normals, [rad]; triangles join its rings."""
    normals = _ring_normals(slopes)
    angles = _ANGLES[None, :]
    points = np.stack(
        [radii[:, None] * np.cos(angles), heights[:, None] + 0 * angles, -radii[:, None] * np.sin(angles)], axis=-1
    )
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles)


def _ring_normals(slopes: Floats) -> Floats:
    """Normals around +y that rise by some slopes, shape (..., `AROUND`, 3)."""
    level, rise = np.cos(slopes)[..., None], np.sin(slopes)[..., None]
    return np.stack([level * np.cos(_ANGLES), rise + 0 * _ANGLES, -level * np.sin(_ANGLES)], axis=-1)


def _between_poles(rings: int) -> Integers:
    """Triangles between rings that follow each other from pole to pole, shape (F, 3)."""
    lower, upper = _bands(np.arange(rings - 1))
    # At a pole all corners of the ring are one.
    return np.concatenate([lower[AROUND:], upper[:-AROUND]])


def _bands(rings: Integers) -> tuple[Integers, Integers]:
    """Lower and upper triangles between some rings and those next to them, each of shape (rings · `AROUND`, 3)."""
    low = (rings[:, None] * AROUND + np.arange(AROUND)).ravel()
    low_next = (rings[:, None] * AROUND + (np.arange(AROUND) + 1) % AROUND).ravel()
    lower = np.stack([low, low_next, low_next + AROUND], axis=-1)
    return lower, np.stack([low, low_next + AROUND, low + AROUND], axis=-1)


def _upright(axes: Floats) -> Floats:
    """Rotations that bring +y to some unit vectors, shape (N, 3, 3)."""
    least = np.eye(3)[np.abs(axes).argmin(axis=1)]
    x = np.cross(axes, least)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, axes, np.cross(x, axes)], axis=-1)


_ANGLES = np.linspace(0.0, 2 * np.pi, AROUND, endpoint=False)
_ONTO_X = [1, 2, 0]
