"""Outlines of smooth bodies: their skin in pieces, such as a sleeve or an arm, from the back to the
front.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.skeleton import HEIGHT
from juggle_anim.diagrams.skin_cut import Collar, cut_skin, cutting_values
from juggle_anim.scene.skin import COVERS, NAMES, SkinLevel, load_skin

_Outlines = tuple[Floats, ...]

_FROM = 40.0, 10.0  # scales of the finest and the middle level of detail, [mm on paper per metre]

NEAREST = 0.02
"""What is nearer to the camera is not drawn, [m]."""

_SIDES = "left", "right"
_IN_PAIRS = "skin", "shoes", "soles"  # left and right are pieces of their own
_ON_HEAD = "hair", "eyes", "irises", "pupils", "lips"
_HEAD = "shirt", "skin", *_ON_HEAD  # each of which covers those before it

# a line is drawn within a piece where so much lies between its nearer and its farther part, [m]
_DEEP = 0.012
_OUTSIDE = (
    0.005  # how far outside of a line that is looked for, as a share of a body's size on paper
)
_BESIDE = 0.002  # what is so little nearer than a line lies beside it, [m]
_CELL = 0.015  # of a grid on which pieces are compared, as a share of a body's size on paper
_CLEARLY = 0.01  # whatever is nearer by more than this is as near, [m]
_SURELY = 1e6
# shorter lines are not drawn within or around a piece, as shares of a body's size on paper
_SHORT = 0.012
_SPECK = 0.08
_AT_ONCE = 500_000


@dataclass(frozen=True)
class Piece:
    """A piece of a body as it is seen.

    Args:
        cover: its number in `skin.COVERS`.
        depth: from the camera, [m]; never less than that of a piece which is drawn later.
        outlines: of what faces the camera, around holes in the other direction, each of shape (N,
            2), [mm].
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
        _, places = np.unique(level.points, axis=0, return_inverse=True)
        self._cut = cut = cut_skin(
            level.triangles.astype(np.intp), cutting_values(level), places.ravel()
        )
        self._collar = Collar.of(level)
        first = level.triangles[cut.sources, 0]
        names = [
            _piece_name(COVERS[cover], NAMES[bone], left, beyond)
            for cover, bone, left, beyond in zip(
                level.covers[first],
                level.bones[first, 0],
                level.points[first, 0] > 0,
                cut.beyond,
                strict=True,
            )
        ]
        known, start, pieces = np.unique(names, return_index=True, return_inverse=True)
        self._names: list[str] = known.tolist()
        self._covers = level.covers[first[start]].tolist()
        self._pieces: Integers = pieces.ravel()

    def seen(self, paper: Floats, depths: Floats) -> list[Piece]:
        """Return the pieces of a body from the back to the front, without those that face away.

        Args:
            paper: shape (V, 2), where the points of the skin are on the sheet, right and down,
                [mm].
            depths: shape (V,), from the camera, [m].
        """
        points = self._cut.extended(np.column_stack([paper, depths]))
        corners = points[self._cut.triangles]
        facing = (_area(corners) < 0) & (corners[..., 2].min(axis=1) > NEAREST)
        faces = self._cut.triangles[facing]
        pieces = self._pieces[facing]
        parts = {name: faces[pieces == number] for number, name in enumerate(self._names) if name}
        parts = self._without_hidden(parts, points)
        if not parts:
            return []
        parts, points, places = self._under_collar(parts, points)
        order = _back_to_front({name: points[part] for name, part in parts.items()})
        means = np.array([points[parts[name], 2].mean() for name in order])
        # In this order, and as near to the means as that allows.
        keys = (np.minimum.accumulate(means) + np.maximum.accumulate(means[::-1])[::-1]) / 2
        return [
            Piece(
                self._covers[self._names.index(name)], depth, *_lines(parts[name], points, places)
            )
            for name, depth in zip(order, keys.tolist(), strict=True)
        ]

    @staticmethod
    def _without_hidden(parts: dict[str, Integers], points: Floats) -> dict[str, Integers]:
        """The triangles of pieces by name, without hair and parts of a face on the far side of the
        head.
        """
        head = points[parts["skin"]]
        left = {
            name: part[~_overlaps(points[part].mean(axis=1), head)[1]] if name in _ON_HEAD else part
            for name, part in parts.items()
        }
        return {name: part for name, part in left.items() if len(part)}

    def _under_collar(
        self, parts: dict[str, Integers], points: Floats
    ) -> tuple[dict[str, Integers], Floats, Integers]:
        """Triangles of pieces without a neck that the collar hides; then all points, and their
        places.
        """
        scale = float(np.ptp(points[:, :2], axis=0).max()) / HEIGHT
        cut = cut_skin(parts["skin"], self._collar.hides(points, scale), self._cut.places)
        left = parts | {"skin": cut.triangles[~cut.beyond]}
        return (
            {name: part for name, part in left.items() if len(part)},
            cut.extended(points),
            cut.places,
        )


def pieced_skin(scale: float, hair: int) -> PiecedSkin:
    """Return the skin, cut into pieces, in as much detail as is seen.

    Args:
        scale: of the body, [mm on paper per metre].
        hair: a number of `skin.HAIR_CUTS`.
    """
    return _pieced_skin(sum(scale < least for least in _FROM), hair)


def _lines(
    faces: Integers, points: Floats, places: Integers
) -> tuple[_Outlines, _Outlines, _Outlines]:
    """The outlines, specks and folds of a piece."""
    ends = _border(faces, places)
    size = float(np.ptp(points[:, :2], axis=0).max())
    middles = points[ends].mean(axis=1)
    beyond = points[ends].mean(axis=1)
    # Along the rim of a piece its own surface falls away steeply; it is only behind a line if it
    # goes on outside.
    beyond[:, :2] += _OUTSIDE * size * _outward(points[ends, :2])
    behind, before = _overlaps(middles, points[faces])
    behind &= _overlaps(beyond, points[faces])[0]
    outlines: list[Floats] = []
    specks: list[Floats] = []
    folds: list[Floats] = []
    for loop in _loops(places[ends]):
        corners = points[ends[loop, 0], :2]
        if _length(corners) < _SPECK * size:
            specks.append(corners)
            continue
        outlines.append(corners)
        folds += [
            line
            for line in _runs(corners, (behind & ~before)[loop])
            if _length(line) > _SHORT * size
        ]
    return tuple(outlines), tuple(specks), tuple(folds)


@lru_cache(maxsize=12)
def _pieced_skin(level: int, hair: int) -> PiecedSkin:
    return PiecedSkin(load_skin().levels[level].with_hair(hair))


def _piece_name(cover: str, bone: str, left: bool, beyond: bool) -> str:
    """The name of the piece that a triangle belongs to; empty where it is not seen."""
    if beyond:
        return f"{'left' if left else 'right'} sleeve" if cover == "shirt" else ""
    side, _, _ = bone.partition(" ")
    return f"{side} {cover}" if cover in _IN_PAIRS and side in _SIDES else cover


def _area(triangles: Floats) -> Floats:
    """Twice the areas of triangles, shape (…, 3, 2 or more) to (…); negative if they run
    counterclockwise on paper.
    """
    one, other = (triangles[..., corner, :2] - triangles[..., 0, :2] for corner in (1, 2))
    area: Floats = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return area


def _back_to_front(parts: dict[str, Floats]) -> list[str]:
    """The order in which parts, triangles of shape (F, 3, 3) each, cover each other, as seen on a
    grid where they meet.

    The next part is always the one that covers least of those left; of several, the farthest.
    """
    corners = parts.values()
    samples = [
        np.concatenate([each, (each + np.roll(each, 1, axis=1)) / 2], axis=1).reshape(-1, 3)
        for each in corners
    ]
    places = np.concatenate(samples)[:, :2]
    low = places.min(axis=0)
    size = np.ptp(places, axis=0)
    cell = _CELL * float(size.max())
    columns, rows = (size / cell).astype(int) + 1
    near = np.full((len(parts), rows * columns), np.inf)
    for depths, each in zip(near, samples, strict=True):
        column, row = ((each[:, :2] - low) / cell).astype(int).T
        np.minimum.at(depths, row * columns + column, each[:, 2])
    meet = np.isfinite(near)
    depths = np.where(meet, near, 0.0)
    nearer = np.clip((depths[None] - depths[:, None]) / _CLEARLY, -1.0, 1.0)
    covers = np.where(meet[None] & meet[:, None], nearer, 0.0).sum(
        axis=2
    )  # how far the first covers the second
    names = list(parts)
    heads = [names.index(each) for each in _HEAD if each in parts]
    rank = np.arange(len(heads))
    covers[np.ix_(heads, heads)] = _SURELY * np.sign(rank[:, None] - rank)
    means = [float(each[:, 2].mean()) for each in samples]
    left = list(range(len(parts)))
    order = []
    while left:
        least = min(
            left,
            key=lambda part: (np.maximum(covers[part, left], 0.0).sum().round(3), -means[part]),
        )
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
    """Numbers of edges in closed loops; every place, of which edges have the numbers, ends as many
    as it begins.
    """
    start = np.argsort(ends[:, 0], kind="stable")
    end = np.argsort(ends[:, 1], kind="stable")
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


def _outward(edges: Floats) -> Floats:
    """Directions away from the triangles that face the camera along whose edges these run, (E, 2,
    2) to (E, 2).
    """
    along = edges[:, 1] - edges[:, 0]
    away: Floats = (
        along[:, ::-1]
        * (-1.0, 1.0)
        / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    )
    return away


def _overlaps(places: Floats, triangles: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether triangles lie well behind places, and before them; shapes (E, 3) and (F, 3, 3) to
    (E,).
    """
    low = triangles[..., :2].min(axis=1)
    high = triangles[..., :2].max(axis=1)
    areas = _area(triangles)
    found = np.zeros((2, len(places)), dtype=bool)
    step = max(1, _AT_ONCE // max(len(triangles), 1))
    for first in range(0, len(places), step):
        x, y = places[first : first + step, :2].T[..., None]
        near = (low[:, 0] < x) & (x < high[:, 0]) & (low[:, 1] < y) & (y < high[:, 1])
        place, triangle = np.nonzero(near)
        place += first
        corners = triangles[triangle]
        here = places[place]
        away = corners[..., :2] - here[:, None, :2]
        one = np.roll(away, -1, axis=1)
        other = np.roll(away, -2, axis=1)
        shares = (one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) / areas[
            triangle, None
        ]  # barycentric
        depths = np.where(
            (shares > 0).all(axis=1), (shares * corners[..., 2]).sum(axis=1) - here[:, 2], 0.0
        )
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
    chosen = np.roll(chosen, turn)
    corners = np.roll(corners, turn, axis=0)
    corners = np.concatenate([corners, corners[:1]])
    changes = np.flatnonzero(np.diff(chosen, append=False)) + 1
    return [corners[start : end + 1] for start, end in changes.reshape(-1, 2)]
