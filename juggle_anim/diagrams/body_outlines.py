"""Outlines of smooth bodies: their skin in pieces, such as a sleeve or an arm, from the back to the front."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats, Integers
from juggle_anim.scene.skin import COVERS, NAMES, UNIT, SkinLevel, load_skin
from juggle_anim.vectors import cross, unit

_Outlines = tuple[Floats, ...]

_FROM = 40.0, 10.0  # scales of the finest and the middle level of detail, [mm on paper per metre]

NEAREST = 0.02
"""What is nearer to the camera is not drawn, [m]."""

_SIDES, _SLEEVES = ("left", "right"), ("deltoid", "upper arm", "upper arm, untwisted")
_IN_PAIRS = "skin", "shoes", "soles"  # left and right are pieces of their own
_CLOTHES = "shirt", "trousers"
_ON_HEAD = "hair", "eyes", "irises", "pupils", "lips"
_HEAD = "shirt", "skin", *_ON_HEAD  # each of which covers those before it

_DEEP = 0.012  # a line is drawn within a piece where so much lies between its nearer and its farther part, [m]
_BESIDE = 0.002  # what is so little nearer than a line lies beside it, [m]
_CELL = 0.015  # of a grid on which pieces are compared, as a share of a body's size on paper
_CLEARLY = 0.01  # whatever is nearer by more than this is as near, [m]
_SMOOTH = 0.008  # what is so near to the nearest cloth counts as well, [m]
_SURELY = 1e6
_SHORT, _SPECK = (
    0.012,
    0.08,
)  # shorter lines are not drawn within or around a piece, as shares of a body's size on paper
_AT_ONCE = 500_000


@dataclass(frozen=True)
class Piece:
    """A piece of a body as it is seen.

    Args:
        cover: its number in `skin.COVERS`.
        depth: from the camera, [m]; never less than that of a piece which is drawn later.
        outlines: of what faces the camera, around holes in the other direction, each of shape (N, 2), [mm].
        specks: likewise, but too small for a line around them.
        folds: open lines within, where a nearer part of it ends before a farther one, [mm].
    """

    cover: int
    depth: float
    outlines: _Outlines
    specks: _Outlines
    folds: _Outlines


class PiecedSkin:
    """A level of detail of the skin, cut into pieces; what is within clothes is cut away.

    Args:
        level: the level of detail.
    """

    def __init__(self, level: SkinLevel) -> None:
        self.level = level
        self._cut = cut = _cut(level.triangles.astype(np.intp), _cutting(level), level.points)
        first = level.triangles[cut.sources, 0]
        names = [
            _piece_name(COVERS[cover], NAMES[bone], left, beyond)
            for cover, bone, left, beyond in zip(
                level.covers[first], level.bones[first, 0], level.points[first, 0] > 0, cut.beyond, strict=True
            )
        ]
        known, start, pieces = np.unique(names, return_index=True, return_inverse=True)
        self._names: list[str] = known.tolist()
        self._covers = level.covers[first[start]].tolist()
        self._pieces: Integers = pieces.ravel()

    def seen(self, paper: Floats, depths: Floats) -> list[Piece]:
        """Return the pieces of a body from the back to the front, without those that face away.

        Args:
            paper: shape (V, 2), where the points of the skin are on the sheet, right and down, [mm].
            depths: shape (V,), from the camera, [m].
        """
        points = self._cut.extended(np.column_stack([paper, depths]))
        corners = points[self._cut.triangles]
        facing = (_area(corners) < 0) & (corners[..., 2].min(axis=1) > NEAREST)
        faces, pieces = self._cut.triangles[facing], self._pieces[facing]
        parts = {name: faces[pieces == number] for number, name in enumerate(self._names) if name}
        parts = self._without_hidden(parts, points)
        if not parts:
            return []
        order = _back_to_front({name: points[part] for name, part in parts.items()})
        means = np.array([points[parts[name], 2].mean() for name in order])
        # In this order, and as near to the means as that allows.
        keys = (np.minimum.accumulate(means) + np.maximum.accumulate(means[::-1])[::-1]) / 2
        return [
            Piece(self._covers[self._names.index(name)], depth, *self._lines(parts[name], points))
            for name, depth in zip(order, keys.tolist(), strict=True)
        ]

    @staticmethod
    def _without_hidden(parts: dict[str, Integers], points: Floats) -> dict[str, Integers]:
        """The triangles of pieces by name, without hair and parts of a face on the far side of the head."""
        head = points[parts["skin"]]
        left = {
            name: part[~_overlaps(points[part].mean(axis=1), head)[1]] if name in _ON_HEAD else part
            for name, part in parts.items()
        }
        return {name: part for name, part in left.items() if len(part)}

    def _lines(self, faces: Integers, points: Floats) -> tuple[_Outlines, _Outlines, _Outlines]:
        """The outlines, specks and folds of a piece."""
        ends = _border(faces, self._cut.places)
        behind, before = _overlaps(points[ends].mean(axis=1), points[faces])
        size = float(np.ptp(points[:, :2], axis=0).max())
        outlines: list[Floats] = []
        specks: list[Floats] = []
        folds: list[Floats] = []
        for loop in _loops(self._cut.places[ends]):
            corners = points[ends[loop, 0], :2]
            (specks if _length(corners) < _SPECK * size else outlines).append(corners)
            folds += [line for line in _runs(corners, (behind & ~before)[loop]) if _length(line) > _SHORT * size]
        return tuple(outlines), tuple(specks), tuple(folds)


def pieced_skin(scale: float, hair: int) -> PiecedSkin:
    """Return the skin, cut into pieces, in as much detail as is seen.

    Args:
        scale: of the body, [mm on paper per metre].
        hair: a number of `skin.HAIR_CUTS`.
    """
    return _pieced_skin(sum(scale < least for least in _FROM), hair)


@lru_cache(maxsize=12)
def _pieced_skin(level: int, hair: int) -> PiecedSkin:
    return PiecedSkin(load_skin().levels[level].with_hair(hair))


def _piece_name(cover: str, bone: str, left: bool, beyond: bool) -> str:
    """The name of the piece that a triangle belongs to; empty where it is not seen."""
    if beyond:
        return f"{'left' if left else 'right'} sleeve" if cover == "shirt" else ""
    side, _, _ = bone.partition(" ")
    return f"{side} {cover}" if cover in _IN_PAIRS and side in _SIDES else cover


def _cutting(level: SkinLevel) -> Floats:
    """Where the skin is cut: numbers that are negative on sleeves, and on what is within clothes, shape (V,)."""
    points, shirt = level.points * UNIT, level.covers == COVERS.index("shirt")
    corners = points[level.triangles]
    middles, covers = corners.mean(axis=1), level.covers[level.triangles[:, 0]]
    normals = unit(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    values = np.ones(len(points))
    for number in (COVERS.index(each) for each in _CLOTHES):
        cloth, normal = middles[covers == number], normals[covers == number]
        low, high = cloth.min(axis=0), cloth.max(axis=0)
        others = np.flatnonzero((level.covers != number) & ~shirt & ((points > low) & (points < high)).all(axis=1))
        for some in np.array_split(others, len(others) // 500 + 1):
            squares = (points[some] ** 2).sum(axis=1)[:, None] + (cloth**2).sum(axis=1) - 2 * points[some] @ cloth.T
            near = np.exp((squares.min(axis=1, keepdims=True) - squares) / (2 * _SMOOTH**2))
            heights = points[some] @ normal.T - (cloth * normal).sum(axis=1)
            values[some] = np.minimum(values[some], (near * heights).sum(axis=1) / near.sum(axis=1))
    arms = np.array([name.partition(" ")[2] in _SLEEVES for name in NAMES])
    values[shirt] = 0.5 - (level.shares * arms[level.bones])[shirt].sum(axis=1) / 255
    return values


@dataclass(frozen=True)
class _Cut:
    """Triangles after a cut.

    Args:
        triangles: shape (F, 3), numbers of points, of which there are more than before.
        sources: shape (F,), of which triangle each is a part.
        beyond: shape (F,), whether it lies on the negative side.
        between: shape (N, 2), the points between which each further point lies.
        shares: shape (N, 1), how far it is on the way to the second.
        places: shape (V + N,), one number for all points at one place.
    """

    triangles: Integers
    sources: Integers
    beyond: NDArray[np.bool_]
    between: Integers
    shares: Floats
    places: Integers

    def extended(self, points: Floats) -> Floats:
        """Return all points, from those before the cut; shapes (V, 3) and (V + N, 3)."""
        one, other = (points[self.between[:, end]] for end in range(2))
        return np.concatenate([points, one + self.shares * (other - one)])


def _cut(triangles: Integers, values: Floats, points: NDArray[np.int16]) -> _Cut:
    """Cut triangles, shape (F, 3), where values at their corners, shape (V,), change their sign."""
    _, places = np.unique(points, axis=0, return_inverse=True)
    places = places.ravel()
    negative = values[triangles] < 0
    count = negative.sum(axis=1)
    crossed = np.flatnonzero((count == 1) | (count == 2))
    whole = np.flatnonzero((count == 0) | (count == 3))
    # The corner that lies alone on its side comes first.
    alone = np.where(count[crossed, None] == 1, negative[crossed], ~negative[crossed]).argmax(axis=1)
    lone, second, third = (triangles[crossed, (alone + n) % 3] for n in range(3))
    between = np.concatenate([np.stack([lone, second], axis=-1), np.stack([lone, third], axis=-1)])
    share = values[between[:, 0]] / (values[between[:, 0]] - values[between[:, 1]])
    _, there = np.unique(np.sort(places[between], axis=1), axis=0, return_inverse=True)
    new = len(points) + np.arange(len(between)).reshape(2, -1)
    parts = [(lone, new[0], new[1]), (new[0], second, third), (new[0], third, new[1])]
    first = negative[crossed, alone]
    return _Cut(
        np.concatenate([triangles[whole], *(np.stack(part, axis=-1) for part in parts)]),
        np.concatenate([whole, *[crossed] * 3]),
        np.concatenate([negative[whole, 0], first, ~first, ~first]),
        between,
        share[:, None],
        np.concatenate([places, places.max() + 1 + there.ravel()]),
    )


def _area(triangles: Floats) -> Floats:
    """Twice the areas of triangles, shape (…, 3, 2 or more) to (…); negative if they run counterclockwise on paper."""
    one, other = (triangles[..., corner, :2] - triangles[..., 0, :2] for corner in (1, 2))
    area: Floats = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return area


def _back_to_front(parts: dict[str, Floats]) -> list[str]:
    """The order in which parts, triangles of shape (F, 3, 3) each, cover each other, as seen on a grid where they meet.

    The next part is always the one that covers least of those left; of several, the farthest.
    """
    corners = parts.values()
    samples = [np.concatenate([each, (each + np.roll(each, 1, axis=1)) / 2], axis=1).reshape(-1, 3) for each in corners]
    places = np.concatenate(samples)[:, :2]
    low, size = places.min(axis=0), np.ptp(places, axis=0)
    cell = _CELL * float(size.max())
    columns, rows = (size / cell).astype(int) + 1
    near = np.full((len(parts), rows * columns), np.inf)
    for depths, each in zip(near, samples, strict=True):
        column, row = ((each[:, :2] - low) / cell).astype(int).T
        np.minimum.at(depths, row * columns + column, each[:, 2])
    meet = np.isfinite(near)
    depths = np.where(meet, near, 0.0)
    nearer = np.clip((depths[None] - depths[:, None]) / _CLEARLY, -1.0, 1.0)
    covers = np.where(meet[None] & meet[:, None], nearer, 0.0).sum(axis=2)  # how far the first covers the second
    names = list(parts)
    heads = [names.index(each) for each in _HEAD if each in parts]
    rank = np.arange(len(heads))
    covers[np.ix_(heads, heads)] = _SURELY * np.sign(rank[:, None] - rank)
    means = [float(each[:, 2].mean()) for each in samples]
    left, order = list(range(len(parts))), []
    while left:
        least = min(left, key=lambda part: (np.maximum(covers[part, left], 0.0).sum().round(3), -means[part]))
        order.append(names[least])
        left.remove(least)
    return order


def _border(faces: Integers, place: Integers) -> Integers:
    """The edges around triangles, shape (E, 2), as they run along their triangles."""
    edges = np.stack([faces.ravel(), faces[:, [1, 2, 0]].ravel()], axis=-1)
    start, end = place[edges].T
    size = int(place.max()) + 1
    alone: Integers = edges[~np.isin(start * size + end, end * size + start)]
    return alone


def _loops(ends: Integers) -> Iterator[Integers]:
    """Numbers of edges in closed loops; every place, of which edges have the numbers, ends as many as it begins."""
    start, end = np.argsort(ends[:, 0], kind="stable"), np.argsort(ends[:, 1], kind="stable")
    following = np.empty_like(start)
    following[end] = start
    left = np.ones(len(ends), dtype=bool)
    for first in range(len(ends)):
        loop = []
        while left[first]:
            left[first] = False
            loop.append(first)
            first = int(following[first])
        if loop:
            yield np.array(loop)


def _overlaps(places: Floats, triangles: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether triangles lie well behind places, and before them; shapes (E, 3) and (F, 3, 3) to (E,)."""
    low, high, areas = triangles[..., :2].min(axis=1), triangles[..., :2].max(axis=1), _area(triangles)
    found = np.zeros((2, len(places)), dtype=bool)
    step = max(1, _AT_ONCE // max(len(triangles), 1))
    for first in range(0, len(places), step):
        x, y = places[first : first + step, :2].T[..., None]
        near = (low[:, 0] < x) & (x < high[:, 0]) & (low[:, 1] < y) & (y < high[:, 1])
        place, triangle = np.nonzero(near)
        place += first
        corners, here = triangles[triangle], places[place]
        away = corners[..., :2] - here[:, None, :2]
        one, other = np.roll(away, -1, axis=1), np.roll(away, -2, axis=1)
        shares = (one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) / areas[triangle, None]  # barycentric
        depths = np.where((shares > 0).all(axis=1), (shares * corners[..., 2]).sum(axis=1) - here[:, 2], 0.0)
        found[0, place[depths > _DEEP]] = True
        found[1, place[depths < -_BESIDE]] = True
    return found[0], found[1]


def _length(line: Floats) -> float:
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


def _runs(corners: Floats, chosen: NDArray[np.bool_]) -> list[Floats]:
    """The chosen edges of a closed line as open lines; an edge begins at its corner."""
    if not chosen.any():
        return []
    if chosen.all():
        return [np.concatenate([corners, corners[:1]])]
    turn = -int(np.argmin(chosen))
    chosen, corners = np.roll(chosen, turn), np.roll(corners, turn, axis=0)
    corners = np.concatenate([corners, corners[:1]])
    changes = np.flatnonzero(np.diff(chosen, append=False)) + 1
    return [corners[start : end + 1] for start, end in changes.reshape(-1, 2)]
