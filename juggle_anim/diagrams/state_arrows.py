"""Arrows of a state graph: curves that keep clear of nodes, of heads and of each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.diagrams.drawing import Point
from juggle_anim.diagrams.graph_curves import Raster, clip_curves, samples, spread_tips
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
