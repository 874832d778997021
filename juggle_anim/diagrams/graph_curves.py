"""Curves of arrows in a graph: cut at nodes, with tips that keep apart, a raster of what they
cross, and labels.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.diagrams.drawing import Point
from juggle_anim.diagrams.graph_layout import NodeShape

_PUSHES = 60
_SAME = 1e-6


def spread_tips(
    curves: Floats, places: Floats, shape: NodeShape, away: float, least: float
) -> Floats:
    """Curves whose last points are moved along the borders of their nodes until these are apart.

    Args:
        curves: cubic Bézier curves, shape (M, 4, 2), [mm].
        places: of the nodes at which they end, shape (M, 2), [mm].
        shape: of the nodes.
        away: how far from the border curves end, [mm].
        least: wanted between two ends, [mm].
    """
    core = np.array([shape.width, shape.height]) / 2 - shape.corner
    tips = curves[:, 3] - places
    one = np.eye(len(curves), dtype=bool)
    same = (np.abs(places[:, None] - places).max(axis=2) < _SAME) & ~one
    for _ in range(_PUSHES):
        between = tips[:, None] - tips
        long = np.maximum(np.linalg.norm(between, axis=2), _SAME)
        short = np.where(same, np.maximum(least - long, 0.0), 0.0)
        tips = tips + 0.4 * (between / long[:, :, None] * short[:, :, None]).sum(axis=1)
        inside = np.clip(tips, -core, core)
        outward = tips - inside
        tips = inside + outward / np.linalg.norm(outward, axis=1)[:, None] * (shape.corner + away)
    moved = curves.copy()
    moved[:, 2:] += (tips + places - curves[:, 3])[:, None]
    return moved


def place_labels(
    curves: Floats, sizes: Floats, places: Floats, shape: NodeShape
) -> list[Point | None]:
    """Places for labels on arrows or beside them, where they cover no node, no head of an arrow and
    no other label.

    Args:
        curves: points along each arrow, the tip last, shape (M, P, 2), [mm].
        sizes: widths and heights of the labels, shape (M, 2), [mm].
        places: centres of nodes, shape (N, 2), [mm].
        shape: of the nodes.

    Returns:
        The centre of each label; None where there is no room for it.
    """
    heads = 0.6 * curves[:, -1] + 0.4 * curves[:, -3]
    lengths = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum(axis=1)
    boxes = np.zeros((0, 2))
    taken = np.zeros((0, 2))
    found: list[Point | None] = [None] * len(curves)
    low = curves.min(axis=1)
    high = curves.max(axis=1)
    for number in np.argsort(lengths, kind="stable").tolist():
        half = sizes[number] / 2
        room = 3 * half + 2.0
        near = ((high > low[number] - room) & (low < high[number] + room)).all(axis=1)
        at, worse = _label_places(curves[number], half)
        free = (shape.clearance(at[:, None] - places, *half) > 0.3).all(axis=1)
        free &= ~_covered(at, heads[near], half + 1.1).any(axis=1)
        free &= ~_covered(at, boxes, half + taken + 0.2).any(axis=1)
        if free.any():
            near[number] = False
            others = curves[near].reshape(-1, 2)
            worse += _covered(at, others, half + 0.2).sum(axis=1) + 0.2 * _covered(
                at, curves[number], half
            ).sum(axis=1)
            best = at[int(np.where(free, worse, np.inf).argmin())]
            boxes = np.concatenate([boxes, best[None]])
            taken = np.concatenate([taken, half[None]])
            found[number] = float(best[0]), float(best[1])
    return found


class Raster:
    """How many arrows pass near each square millimetre of the paper."""

    def __init__(self, places: Floats) -> None:
        size = np.ptp(places, axis=0)
        self._low = places.min(axis=0) - 0.5 * size - 20.0
        self._cells = np.zeros(np.ceil(2.0 * size + 40.0).astype(int) + 1, dtype=int)

    def at(self, points: Floats) -> Integers:
        """How many are near points of shape (..., 2), shape (...)."""
        x, y = np.moveaxis(self._nearest(points), -1, 0)
        return np.asarray(self._cells[x, y])

    def add(self, points: Floats, sign: int) -> None:
        """Add a curve through points of shape (P, 2), or take it away."""
        near = self._nearest((points[:, None] + _AROUND).reshape(-1, 2))
        self._cells[tuple(np.unique(near, axis=0).T)] += sign

    def _nearest(self, points: Floats) -> Integers:
        return np.clip(np.rint(points - self._low).astype(int), 0, np.array(self._cells.shape) - 1)


_AROUND = 1.3 * np.array(
    [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if abs(x) + abs(y) < 2], dtype=float
)


def _bernstein(count: int) -> Floats:
    """The weights of a cubic Bézier curve's points at parameters from 0 to 1, shape (count, 4)."""
    t = np.linspace(0.0, 1.0, count)
    return np.stack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3], axis=1)


_USUAL = _bernstein(33)
_FINE = _bernstein(121)


def samples(points: Floats, fine: bool = False) -> Floats:
    """Points along cubic Bézier curves of shape (..., 4, 2): 33, or 121 fine ones, shape (..., 33,
    2).
    """
    return np.asarray((_FINE if fine else _USUAL) @ points)


def clip_curves(
    curves: Floats, shape: NodeShape, start: Floats, end: Floats, away: float
) -> Floats:
    """The parts of cubic Bézier curves outside of the two nodes at their ends.

    Args:
        curves: shape (B, 4, 2), [mm].
        shape: of both nodes.
        start, end: centres of the nodes, [mm].
        away: how far from the border of the second they end, [mm].
    """
    points = samples(curves)
    number = np.arange(len(curves))
    found = []
    for gaps in (shape.clearance(points - start), (shape.clearance(points - end) - away)[:, ::-1]):
        after = np.maximum((gaps > 0.0).argmax(axis=1), 1)
        inside = gaps[number, after - 1]
        outside = gaps[number, after]
        share = after - 1 + np.clip(-inside / np.maximum(outside - inside, 1e-9), 0.0, 1.0)
        found.append(share / (points.shape[1] - 1))
    return _cut_curves(curves, found[0], np.maximum(1.0 - found[1], found[0] + 0.01))


def _cut_curves(curves: Floats, first: Floats, last: Floats) -> Floats:
    """The parts of cubic Bézier curves between two parameters each, by blossoms (L. Ramshaw,
    1987).
    """

    def blossom(*shares: Floats) -> Floats:
        rest = curves
        for share in shares:
            rest = rest[:, :-1] + (rest[:, 1:] - rest[:, :-1]) * share[:, None, None]
        return rest[:, 0]

    ends = (first, first, first), (first, first, last), (first, last, last), (last, last, last)
    return np.stack([blossom(*each) for each in ends], axis=1)


def _covered(at: Floats, points: Floats, half: Floats) -> Booleans:
    """Which points lie in rectangles of some half size around places, shape (places, points)."""
    x, y = (np.abs(at[:, None, axis] - points[:, axis]) < half[..., axis] for axis in (0, 1))
    return np.asarray(x & y)


def _label_places(curve: Floats, half: Floats) -> tuple[Floats, Floats]:
    """Places for a label of some size along a curve and on both sides of it, and how much worse
    each is.
    """
    ahead = np.gradient(curve, axis=0)[4:-4]
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1), 1e-9)[:, None]
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    on = curve[4:-4]
    aside = across * (np.abs(across) @ half + 0.6)[:, None]
    worse = 2.0 * np.abs(np.linspace(-1.0, 1.0, len(on)))
    return np.concatenate([on, on + aside, on - aside]), np.concatenate(
        [worse, worse + 4.0, worse + 4.0]
    )
