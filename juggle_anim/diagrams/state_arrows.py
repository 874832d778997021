"""Arrows of a state graph: curves that keep clear of nodes, of heads and of each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.diagrams.drawing import Point
from juggle_anim.diagrams.graph_layout import NodeShape
from juggle_anim.pattern.state_graph import StateEdge, StateGraph

DOT = 2.4
"""Width of a state that is drawn as a dot, [mm]."""

LABEL_LETTERS = 2.2
LABEL_HEIGHT = 2.3
"""Size of the letters of labels, and the height of a line of them, [mm]."""

# width of a letter, and space beside all, [mm]
_LABEL_EACH = 1.36
_LABEL_SIDES = 0.7
_TIP = 0.35  # from the tip of an arrow to its node, [mm]


@dataclass(frozen=True)
class StateArrow:
    """All throws from one state to another.

    Args:
        source, target: numbers of the states.
        points: of a cubic Bézier curve from border to border, shape (4, 2), [mm].
        throws: the texts of all edges, the lines of the label.
        value: of the first throw.
        label: the middle of the label; None where there is no room for one.
    """

    source: int
    target: int
    points: Floats
    throws: tuple[str, ...]
    value: int
    label: Point | None = None

    @property
    def label_size(self) -> tuple[float, float]:
        """Width and height of the label, [mm]."""
        wide = _LABEL_SIDES + _LABEL_EACH * max(map(len, self.throws))
        return max(wide, LABEL_HEIGHT), LABEL_HEIGHT * len(self.throws) + 0.3


_BENDS = (
    *(
        (side * bend, side * bend)
        for bend in (0.08, 0.0, 0.18, 0.3, 0.44, 0.6, 0.8)
        for side in (1, -1)
    ),
    *(
        (side * first, side * then)
        for first in (-0.25, 0.0, 0.25, 0.6, 1.0)
        for then in (-0.25, 0.0, 0.25, 0.6, 1.0)
        if first != then
        for side in (1, -1)
    ),
)
_TURNS = 24
_LOOP = 8.0
_PASSES = 5
_GOOD = 8.0
_TIPS = 200.0
_APART = 2.4
_LEAST = 1.9

_Pair = tuple[int, int]


class StateArrowRouter:
    """Finds curves for arrows that keep clear of nodes, of the heads of other arrows, and of other
    arrows.

    Arrows are laid one after another, and then each again among all others. Where the graph is
    mirrored, so are arrows.
    """

    def __init__(self, graph: StateGraph, places: Floats, shape: NodeShape, careful: bool) -> None:
        self._places = places
        self._shape = shape
        self._careful = careful
        self._throws: dict[_Pair, list[StateEdge]] = {}
        for edge in graph.edges:
            self._throws.setdefault(edge[:2], []).append(edge)
        self._curves: dict[_Pair, Floats] = {}
        self._reach = np.array([shape.width, shape.height]) / 2 + 1.5
        self._low, self._high = places.min(axis=0) - self._reach, places.max(axis=0) + self._reach
        self._lines, self._tips = Raster(places), Raster(places)
        self._mirror = graph.mirror if careful else ()
        pairs = [
            (self._mirror[end], self._mirror[start]) for start, end in self._throws if self._mirror
        ]
        self._turns = all(pair in self._throws for pair in pairs)
        self._twice = 2 * places[:, 0].mean()

    def arrows(self, pause: Callable[[], object]) -> list[StateArrow]:
        """All arrows; `pause` is called between them."""
        lengths = {
            pair: float(np.linalg.norm(np.subtract(*self._places[list(pair)])))
            for pair in self._throws
        }
        pairs = sorted(self._throws, key=lambda pair: (pair[0] == pair[1], round(lengths[pair], 3)))
        bad: dict[_Pair, float] = dict.fromkeys(pairs, np.inf)
        for _round in range(_PASSES if self._careful else 1):
            done: set[_Pair] = set()
            for pair in pairs:
                if pair not in done and bad[pair] > _GOOD:
                    image, turned = self._image(pair)
                    for each in {pair, image} & self._curves.keys():
                        self._enter(each, -1)
                        del self._curves[each]
                    bad[pair] = bad[image] = self._lay(pair, image, turned)
                    done |= {pair, image}
                    pause()
        curves = np.array([self._curves[pair] for pair in self._throws])
        if self._careful:
            ends = self._places[[pair[1] for pair in self._throws]]
            curves = spread_tips(curves, ends, self._shape, _TIP, _LEAST)
        return [
            StateArrow(*pair, curve, tuple(edge.throws for edge in edges), edges[0].value)
            for (pair, edges), curve in zip(self._throws.items(), curves, strict=True)
        ]

    def _image(self, pair: _Pair) -> tuple[_Pair, bool]:
        """The mirror image of an arrow, itself if there is none, and whether it is turned
        around.
        """
        if not self._mirror:
            return pair, False
        image = self._mirror[pair[self._turns]], self._mirror[pair[1 - self._turns]]
        return (image, self._turns) if image in self._throws else (image[::-1], not self._turns)

    def _lay(self, pair: _Pair, image: _Pair, turned: bool) -> float:
        """Lay an arrow and its mirror image; return how much it is in the way of others."""
        curves = self._loops(pair[0]) if pair[0] == pair[1] else self._bows(pair)
        lengths = costs = np.zeros(1)
        if self._careful:
            clipped = self._clip(curves, pair)
            lengths, costs = self._costs(clipped, pair)
            if image != pair:
                apart = np.linalg.norm(
                    self._mirrored(clipped[:, 0 if turned else -1]) - clipped[:, -1], axis=1
                )
                costs += _TIPS * np.maximum(_APART - apart, 0.0)
        best = int((lengths + costs).argmin())
        if image != pair:
            curve = self._mirrored(curves[best])[:: -1 if turned else 1]
            if image == pair[::-1] and np.abs(curve - curves[best][::-1]).max() < 1e-6:
                curve = (
                    curve[0] + curve[-1] - curve[::-1]
                )  # there and back are on two sides of a straight line
            self._curves[image] = self._clip(curve[None], image)[0]
            self._enter(image, 1)
        self._curves[pair] = self._clip(curves[best : best + 1], pair)[0]
        self._enter(pair, 1)
        return float(costs[best])

    def _mirrored(self, points: Floats) -> Floats:
        return points * (-1.0, 1.0) + (self._twice, 0.0)

    def _bows(self, pair: _Pair) -> Floats:
        """Curves between two nodes with different bends, shape (B, 4, 2)."""
        start, end = self._places[list(pair)]
        ahead = end - start
        across = np.array([-ahead[1], ahead[0]])
        bends = [each for each in _BENDS if any(each) or pair[::-1] not in self._throws]
        inner = [
            (0.3 * ahead + first * across, 0.7 * ahead + then * across) for first, then in bends
        ]
        return np.array([[start, start + one, start + other, end] for one, other in inner])

    def _loops(self, state: int) -> Floats:
        """Loops at a node in different directions, shape (B, 4, 2)."""
        on_axis = self._mirror and self._mirror[state] == state
        long = _LOOP if self._shape.height > DOT else _LOOP / 2
        found = []
        for angle in 2 * np.pi * np.arange(_TURNS) / _TURNS - np.pi / 2:
            out = np.array([np.cos(angle), np.sin(angle)])
            if not on_axis or abs(out[0]) < 1e-6:
                across = np.array([-out[1], out[0]])
                border = (
                    out / max(abs(out[0]) / self._shape.width, abs(out[1]) / self._shape.height) / 2
                )
                root = self._places[state] + 0.6 * border
                far = long * (out + 0.75 * across)
                back = long * (out - 0.75 * across)
                found.append(
                    [
                        root + 0.12 * long * across,
                        root + far,
                        root + back,
                        root - 0.12 * long * across,
                    ]
                )
        return np.array(found)

    def _clip(self, curves: Floats, pair: _Pair) -> Floats:
        return clip_curves(curves, self._shape, self._places[pair[0]], self._places[pair[1]], _TIP)

    def _costs(self, curves: Floats, pair: _Pair) -> tuple[Floats, Floats]:
        """How long curves are, none for loops, and how much they are in the way of others, shape
        (B,) each.
        """
        points = samples(curves)
        lengths = np.linalg.norm(np.diff(points, axis=1), axis=2).sum(axis=1)
        costs = 2.5 * lengths * self._lines.at(points).mean(axis=1) + 15.0 * self._tips.at(
            points
        ).sum(axis=1)
        costs += 20.0 * self._lines.at(points[:, -1])
        low = points.min(axis=(0, 1)) - self._reach
        high = points.max(axis=(0, 1)) + self._reach
        others = ((self._places > low) & (self._places < high)).all(axis=1)
        others[list(pair)] = False
        if others.any():
            near = self._shape.clearance(points[:, 1:-1:2, None] - self._places[others]).min(axis=2)
            costs += 80.0 * np.maximum(1.4 - near, 0.0).sum(axis=1) + 600.0 * (near < 0.5).any(
                axis=1
            )
        beyond = np.maximum(self._low - points, 0.0) + np.maximum(points - self._high, 0.0)
        costs += 10.0 * beyond.max(axis=(1, 2))
        if tips := [curve[-1] for curve in self._curves.values()]:
            apart = np.linalg.norm(points[:, -1:] - np.array(tips), axis=2)
            costs += _TIPS * np.maximum(_APART - apart, 0.0).sum(axis=1)
        return lengths * (pair[0] != pair[1]), costs

    def _enter(self, pair: _Pair, sign: int) -> None:
        """Enter an arrow into what is taken, or take it out again."""
        if self._careful:
            points = samples(self._curves[pair], fine=True)
            self._lines.add(points, sign)
            self._tips.add(points[-4:], sign)


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
