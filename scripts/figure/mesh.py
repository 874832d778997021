"""Triangles, and how they are cut along lines and split along edges."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from figure.shapes import Distance
from juggle_anim.arrays import Floats


@dataclass(frozen=True)
class Mesh:
    """Triangles of one piece in one level of detail, with normals and weights; `part` as of the
    piece.
    """

    points: Floats
    normals: Floats
    weights: Floats
    triangles: NDArray[np.int64]
    cover: int
    part: str | None = None


def trimmed(
    points: Floats, triangles: NDArray[np.int64], distance: Distance
) -> tuple[Floats, NDArray[np.int64]]:
    """Triangles cut along the line where a distance is 0; what is below it goes.

    Args:
        points, triangles: the mesh.
        distance: of points.
    """
    depth = distance(points)
    inside = depth < 0
    count = inside[triangles].sum(axis=1)
    kept = [triangles[count == 0]]
    made: dict[tuple[int, int], int] = {}
    added: list[Floats] = []

    def between(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in made:
            share = depth[a] / (depth[a] - depth[b])
            made[key] = len(points) + len(added)
            added.append(points[a] + share * (points[b] - points[a]))
        return made[key]

    rest = []
    for corners in triangles[(count == 1) | (count == 2)]:
        inner = inside[corners]
        turn = int(np.flatnonzero(inner)[0]) if inner.sum() == 1 else int(np.flatnonzero(~inner)[0])
        a, b, c = (int(each) for each in np.roll(corners, -turn))
        if inner.sum() == 1:
            first = between(a, b)
            last = between(c, a)
            rest += [(first, b, c), (first, c, last)]
        else:
            rest.append((a, between(a, b), between(c, a)))
    if rest:
        kept.append(np.array(rest))
        line = np.array(added)
        for _ in range(2):
            slope = np.stack(
                [distance(line + 1e-4 * axis) - distance(line - 1e-4 * axis) for axis in np.eye(3)],
                axis=-1,
            )
            slope /= 2e-4
            off = distance(line) / np.maximum((slope**2).sum(-1), 0.2)
            line = line - np.clip(off, -0.002, 0.002)[:, None] * slope
        points = np.concatenate([points, line])
    return compact(points, np.concatenate(kept))


HEM = 0.030
"""How far cloth is turned in at a hem, [m]."""


CLEAR = 0.0004
"""How far above the skin cloth ends that is turned in, so that its edge shows, [m]."""


def turned_in(mesh: Mesh, height: Distance, under: Distance | None = None) -> Mesh:
    """The mesh with a strip that closes its edge at a hem, where a height is 0, toward the
    inside.

    Args:
        mesh: of cloth, cut along the hem.
        height: of points above the hem, [m].
        under: distance from what the strip ends on, if that is near; None for none.
    """
    size = len(mesh.points)
    start, end = (mesh.triangles[:, order].ravel() for order in ([0, 1, 2], [1, 2, 0]))
    alone = ~np.isin(start * size + end, end * size + start)
    edges = np.stack([start, end], axis=-1)[alone]
    edges = edges[(np.abs(height(mesh.points)) < 3e-4)[edges].all(axis=1)]
    line, numbers = np.unique(edges, return_inverse=True)
    (first, last), (within, next_within) = edges.T, size + numbers.reshape(-1, 2).T
    points = mesh.points[line]
    rises = [height(points + 1e-4 * axis) - height(points - 1e-4 * axis) for axis in np.eye(3)]
    down = -np.stack(rises, axis=-1) / 2e-4
    out = mesh.normals[line] - (mesh.normals[line] * down).sum(-1, keepdims=True) * down
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    inward = np.full((len(line), 1), HEM)
    if under:
        inward *= 0.0
        for _ in range(12):  # steps that do not go through what is under the cloth
            gap = under(points - inward * out)[:, None] - CLEAR
            inward = np.clip(inward + gap, 0.0, HEM)
    strip = [
        np.stack(each, axis=-1) for each in ((last, first, within), (last, within, next_within))
    ]
    return replace(
        mesh,
        points=np.concatenate([mesh.points, points - inward * out]),
        # About as bright as the outside: where it shows, it is a line too thin for a shade of its
        # own.
        normals=np.concatenate([mesh.normals, (out + 0.3 * down) / np.hypot(1.0, 0.3)]),
        weights=np.concatenate([mesh.weights, mesh.weights[line]]),
        triangles=np.concatenate([mesh.triangles, *strip]),
    )


def compact(points: Floats, triangles: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    """Without points that no triangle uses."""
    used, numbers = np.unique(triangles, return_inverse=True)
    return points[used], numbers.reshape(-1, 3)


CREASE = np.cos(np.radians(42.0))
"""Cosine of the angle from which an edge is sharp."""


def creased(mesh: Mesh) -> Mesh:
    """The mesh with its points split along sharp edges, so that each side has a normal of its
    own.
    """
    corners = mesh.points[mesh.triangles]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-12)
    around: list[list[int]] = [[] for _ in mesh.points]
    for number, triangle in enumerate(mesh.triangles):
        for corner in triangle:
            around[corner].append(number)
    sources = list(range(len(mesh.points)))
    normals = list(mesh.normals)
    triangles = mesh.triangles.copy()
    for point, faces in enumerate(around):
        units = facing[faces] / area[faces]
        if len(faces) < 2 or (units @ units.T).min() > CREASE:
            continue
        groups: list[list[int]] = []
        for index in np.argsort(-area[faces, 0], kind="stable"):
            home = next(
                (group for group in groups if units[group[0]] @ units[index] > CREASE), None
            )
            if home is None:
                groups.append([int(index)])
            else:
                home.append(int(index))
        for which, group in enumerate(groups):
            normal = facing[[faces[index] for index in group]].sum(axis=0)
            normal /= max(float(np.linalg.norm(normal)), 1e-12)
            number = point if which == 0 else len(sources)
            if which:
                sources.append(point)
                normals.append(normal)
            else:
                normals[point] = normal
            for index in group:
                triangle = triangles[faces[index]]
                triangle[mesh.triangles[faces[index]] == point] = number
    return replace(
        mesh,
        points=mesh.points[sources],
        normals=np.array(normals),
        weights=mesh.weights[sources],
        triangles=triangles,
    )


TURNING_ROUNDS = 40
"""Rounds in which edges are turned at most; a dozen are usual."""

MOST_EQUAL = 1e-6
"""Edges along which surfaces turn as much within this are equally good, [m]."""

FLAT = 0.02
"""Added to the turn of the normals along an edge, so that of two edges in a plane the shorter one
is taken.
"""

LEAST_FACING = 0.5
"""Cosine of the greatest angle between a triangle that is made by turning an edge, and the surface
at its corners.
"""


def along_the_form(
    points: Floats, normals: Floats, triangles: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Triangles whose edges run along a form, not across it: so light falls evenly on them.

    Of the two ways to divide two neighbouring triangles the one is taken along whose edge normals
    turn less (N. Dyn, D. Levin and S. Rippa, "Data dependent triangulations for piecewise linear
    interpolation", IMA Journal of Numerical Analysis 10, 1990).

    Args:
        points, normals: corners on the surface, and its normals there, shape (N, 3).
        triangles: shape (F, 3).
    """

    def turn(start: NDArray[np.int64], end: NDArray[np.int64]) -> Floats:
        """How far the surface leaves an edge, [m] but for a factor."""
        length = np.linalg.norm(points[end] - points[start], axis=-1)
        return length * (np.linalg.norm(normals[end] - normals[start], axis=-1) + FLAT)

    def faces_out(
        a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Whether triangles face as the surface does at their corners."""
        facing = np.cross(points[b] - points[a], points[c] - points[a])
        facing /= np.maximum(np.linalg.norm(facing, axis=-1, keepdims=True), 1e-12)
        least = np.minimum.reduce([(facing * normals[each]).sum(axis=-1) for each in (a, b, c)])
        return least > LEAST_FACING

    triangles = triangles.copy()
    size = len(points)
    for _ in range(TURNING_ROUNDS):
        # Half edges from `start` to `end`, and the corner opposite to each.
        start, end, apex = (np.roll(triangles, -turned, axis=1).ravel() for turned in range(3))
        face = np.repeat(np.arange(len(triangles)), 3)
        order = np.argsort(start * size + end)
        keys = (start * size + end)[order]
        twin = np.searchsorted(keys, end * size + start).clip(max=len(keys) - 1)
        paired = (keys[twin] == end * size + start) & (start < end)
        one = np.flatnonzero(paired)
        other = order[twin[one]]
        a = start[one]
        b = end[one]
        c = apex[one]
        d = apex[other]
        # The last digits differ between processors.
        gain = np.round(turn(a, b) - turn(c, d), 9)
        is_new = ~np.isin(
            np.minimum(c, d) * size + np.maximum(c, d),
            np.minimum(start, end) * size + np.maximum(start, end),
        )
        good = (gain > MOST_EQUAL) & is_new & (c != d) & faces_out(c, d, b) & faces_out(d, c, a)
        # The best ones first, and of each triangle and its neighbours only one at a time.
        taken = np.zeros(len(triangles), dtype=bool)
        made: set[tuple[int, int]] = set()
        for index in np.flatnonzero(good)[np.argsort(-gain[good], kind="stable")]:
            faces = face[one[index]], face[other[index]]
            edge = min(c[index], d[index]), max(c[index], d[index])
            if taken[list(faces)].any() or edge in made:
                continue
            taken[list(faces)] = True
            made.add(edge)
            triangles[faces[0]] = c[index], d[index], b[index]
            triangles[faces[1]] = d[index], c[index], a[index]
        if not made:
            break
    return triangles
