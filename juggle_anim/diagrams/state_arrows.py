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

_LABEL_LETTER_WIDTH = 1.36  # mm
_LABEL_PADDING = 0.7  # mm, beside all letters
_TIP_GAP = 0.35  # mm, from the tip of an arrow to its node


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
        wide = _LABEL_PADDING + _LABEL_LETTER_WIDTH * max(map(len, self.throws))
        return max(wide, LABEL_HEIGHT), LABEL_HEIGHT * len(self.throws) + 0.3


# Bends of an arrow to try, at its first and at its second inner point, as shares of its length.
# Symmetric ones come first.
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
_LOOP_DIRECTIONS = 24
_LOOP_LENGTH = 8.0  # mm
_ROUTING_PASSES = 5
_GOOD_COST = 8.0  # arrows of no greater cost are not laid again
_TIP_COST_PER_MM = 200.0  # of what is missing to _TIP_DISTANCE_WANTED
_TIP_DISTANCE_WANTED = 2.4  # mm, between tips of arrows
_LEAST_TIP_DISTANCE = 1.9  # mm, to which tips are spread at last

_Pair = tuple[int, int]


class StateArrowRouter:
    """Finds curves for arrows that keep clear of nodes, of other arrows and of their tips.

    Arrows are laid one after another, and then each again among all others. Where the graph is
    symmetric about an upright axis, so are arrows. An arrow is named by the pair of its states,
    source and target.

    Args:
        graph: states and throws between them.
        places: centres of the nodes, shape (N, 2), right and down, [mm].
        shape: of all nodes.
        careful: whether arrows avoid each other, which takes time; else they are laid once.
    """

    def __init__(self, graph: StateGraph, places: Floats, shape: NodeShape, careful: bool) -> None:
        """Collect the arrows by their states, and the symmetry; arguments as of the class."""
        self._places = places
        self._shape = shape
        self._careful = careful
        self._throws: dict[_Pair, list[StateEdge]] = {}
        for edge in graph.edges:
            self._throws.setdefault(edge[:2], []).append(edge)
        # Arrows laid so far: cubic Bézier curves, shape (4, 2), [mm].
        self._curves: dict[_Pair, Floats] = {}
        # The paper that nodes take up, with a rim of 1.5 mm around each, [mm].
        self._reach = np.array([shape.width, shape.height]) / 2 + 1.5
        self._low, self._high = places.min(axis=0) - self._reach, places.max(axis=0) + self._reach
        self._lines, self._tips = Raster(places), Raster(places)
        # The counterpart of each state on the other side of the axis. Either all arrows are turned
        # around by the mirroring, as if time ran backwards, or they keep their direction.
        self._mirror = graph.mirror if careful else ()
        reversed_images = [
            (self._mirror[end], self._mirror[start]) for start, end in self._throws if self._mirror
        ]
        self._reverses = all(pair in self._throws for pair in reversed_images)
        # A point x is mirrored to 2 · axis - x.
        self._twice_axis = 2 * places[:, 0].mean()

    def arrows(self, pause: Callable[[], object]) -> list[StateArrow]:
        """Route all arrows; `pause` is called after each, for a host that has other work.

        Arrows come in the order of the graph's edges, without labels.
        """
        # Short arrows first, as they have the least choice, and loops last.
        lengths = {
            pair: float(np.linalg.norm(np.subtract(*self._places[list(pair)])))
            for pair in self._throws
        }
        pairs = sorted(self._throws, key=lambda pair: (pair[0] == pair[1], round(lengths[pair], 3)))
        costs: dict[_Pair, float] = dict.fromkeys(pairs, np.inf)
        for _pass in range(_ROUTING_PASSES if self._careful else 1):
            done: set[_Pair] = set()
            for pair in pairs:
                if pair not in done and costs[pair] > _GOOD_COST:
                    # Take up an arrow and its image, and lay both anew.
                    image, is_reversed = self._image(pair)
                    for laid in {pair, image} & self._curves.keys():
                        self._enter(laid, -1)
                        del self._curves[laid]
                    costs[pair] = costs[image] = self._lay(pair, image, is_reversed)
                    done |= {pair, image}
                    pause()
        curves = np.array([self._curves[pair] for pair in self._throws])
        if self._careful:
            ends = self._places[[pair[1] for pair in self._throws]]
            curves = spread_tips(curves, ends, self._shape, _TIP_GAP, _LEAST_TIP_DISTANCE)
        return [
            StateArrow(*pair, curve, tuple(edge.throws for edge in edges), edges[0].value)
            for (pair, edges), curve in zip(self._throws.items(), curves, strict=True)
        ]

    def _image(self, pair: _Pair) -> tuple[_Pair, bool]:
        """The mirror image of an arrow, and whether it runs in the reverse direction.

        The arrow itself where the graph is not symmetric.
        """
        if not self._mirror:
            return pair, False
        source, target = (self._mirror[state] for state in pair)
        image = (target, source) if self._reverses else (source, target)
        if image in self._throws:
            return image, self._reverses
        return image[::-1], not self._reverses

    def _lay(self, pair: _Pair, image: _Pair, is_reversed: bool) -> float:
        """Lay an arrow and its mirror image along the curve of the least length and cost.

        Args:
            pair: source and target of the arrow.
            image: source and target of its mirror image; `pair` if it is its own.
            is_reversed: whether the image runs in the reverse direction.

        Returns:
            The cost: how much the arrow is in the way of others.
        """
        curves = self._loops(pair[0]) if pair[0] == pair[1] else self._bows(pair)
        # Without care the first curve is taken.
        lengths = costs = np.zeros(1)
        if self._careful:
            clipped = self._clip(curves, pair)
            lengths, costs = self._costs(clipped, pair)
            if image != pair:
                # The tip of the image must keep clear of this tip.
                image_tips = self._mirrored(clipped[:, 0 if is_reversed else -1])
                distances = np.linalg.norm(image_tips - clipped[:, -1], axis=1)
                costs += _TIP_COST_PER_MM * np.maximum(_TIP_DISTANCE_WANTED - distances, 0.0)
        best = int((lengths + costs).argmin())
        if image != pair:
            curve = self._mirrored(curves[best])[:: -1 if is_reversed else 1]
            # There and back on the same line: bend the image to the other side, by a half turn
            # about the middle.
            if image == pair[::-1] and np.abs(curve - curves[best][::-1]).max() < 1e-6:
                curve = curve[0] + curve[-1] - curve[::-1]
            self._curves[image] = self._clip(curve[None], image)[0]
            self._enter(image, 1)
        self._curves[pair] = self._clip(curves[best : best + 1], pair)[0]
        self._enter(pair, 1)
        return float(costs[best])

    def _mirrored(self, points: Floats) -> Floats:
        return points * (-1.0, 1.0) + (self._twice_axis, 0.0)

    def _bows(self, pair: _Pair) -> Floats:
        """Curves between the centres of two nodes with different bends, shape (B, 4, 2), [mm]."""
        start, end = self._places[list(pair)]
        ahead = end - start
        # As long as `ahead`, at right angles to it.
        across = np.array([-ahead[1], ahead[0]])
        curves = []
        for first_bend, second_bend in _BENDS:
            # A straight arrow would lie on the arrow back, if there is one.
            if first_bend or second_bend or pair[::-1] not in self._throws:
                first_inner = start + (0.3 * ahead + first_bend * across)
                second_inner = start + (0.7 * ahead + second_bend * across)
                curves.append([start, first_inner, second_inner, end])
        return np.array(curves)

    def _loops(self, state: int) -> Floats:
        """Loops at a node in different directions, upward first, shape (B, 4, 2), [mm]."""
        on_axis = self._mirror and self._mirror[state] == state
        # Dots have smaller loops than nodes with text.
        length = _LOOP_LENGTH if self._shape.height > DOT else _LOOP_LENGTH / 2
        loops = []
        for angle in 2 * np.pi * np.arange(_LOOP_DIRECTIONS) / _LOOP_DIRECTIONS - np.pi / 2:
            out = np.array([np.cos(angle), np.sin(angle)])
            # On the axis of symmetry, only loops up and down are symmetric.
            if not on_axis or abs(out[0]) < 1e-6:
                across = np.array([-out[1], out[0]])
                # From the centre to the border of the node's rectangle in this direction.
                border = (
                    out / max(abs(out[0]) / self._shape.width, abs(out[1]) / self._shape.height) / 2
                )
                # The loop begins and ends inside of the node, where it is clipped later.
                root = self._places[state] + 0.6 * border
                loops.append(
                    [
                        root + 0.12 * length * across,
                        root + length * (out + 0.75 * across),
                        root + length * (out - 0.75 * across),
                        root - 0.12 * length * across,
                    ]
                )
        return np.array(loops)

    def _clip(self, curves: Floats, pair: _Pair) -> Floats:
        return clip_curves(
            curves, self._shape, self._places[pair[0]], self._places[pair[1]], _TIP_GAP
        )

    def _costs(self, curves: Floats, pair: _Pair) -> tuple[Floats, Floats]:
        """Lengths of curves, and how much they are in the way of nodes and other arrows.

        Args:
            curves: candidates, clipped at the nodes, shape (B, 4, 2), [mm].
            pair: the states that they connect.

        Returns:
            Lengths [mm], all 0 for loops, and costs in about the same unit, shape (B,) each.
        """
        points = samples(curves)
        lengths = np.linalg.norm(np.diff(points, axis=1), axis=2).sum(axis=1)
        # Along other arrows, over their tips, and with its own tip on another arrow.
        costs = 2.5 * lengths * self._lines.at(points).mean(axis=1) + 15.0 * self._tips.at(
            points
        ).sum(axis=1)
        costs += 20.0 * self._lines.at(points[:, -1])
        # Near other nodes: below 1.4 mm it grows, below 0.5 mm it is as good as forbidden. Nodes
        # outside the box around all candidates are too far away to matter.
        low = points.min(axis=(0, 1)) - self._reach
        high = points.max(axis=(0, 1)) + self._reach
        others = ((self._places > low) & (self._places < high)).all(axis=1)
        others[list(pair)] = False
        if others.any():
            gaps = self._shape.clearance(points[:, 1:-1:2, None] - self._places[others]).min(axis=2)
            costs += 80.0 * np.maximum(1.4 - gaps, 0.0).sum(axis=1) + 600.0 * (gaps < 0.5).any(
                axis=1
            )
        # Beyond the paper that nodes take up.
        beyond = np.maximum(self._low - points, 0.0) + np.maximum(points - self._high, 0.0)
        costs += 10.0 * beyond.max(axis=(1, 2))
        # With its own tip near other tips.
        if tips := [curve[-1] for curve in self._curves.values()]:
            distances = np.linalg.norm(points[:, -1:] - np.array(tips), axis=2)
            missing = np.maximum(_TIP_DISTANCE_WANTED - distances, 0.0)
            costs += _TIP_COST_PER_MM * missing.sum(axis=1)
        return lengths * (pair[0] != pair[1]), costs

    def _enter(self, pair: _Pair, sign: int) -> None:
        """Count an arrow in the rasters of lines and tips (sign 1), or discount it (sign -1)."""
        if self._careful:
            points = samples(self._curves[pair], fine=True)
            self._lines.add(points, sign)
            self._tips.add(points[-4:], sign)


_SPREADING_STEPS = 60
_SAME_PLACE = 1e-6  # mm


def spread_tips(
    curves: Floats, places: Floats, shape: NodeShape, away: float, least: float
) -> Floats:
    """Move the ends of curves along the borders of their nodes until they keep a distance.

    Ends at the same node repel each other, and are put back onto the border after each step.

    Args:
        curves: cubic Bézier curves, shape (M, 4, 2), [mm].
        places: of the nodes at which they end, shape (M, 2), [mm].
        shape: of the nodes.
        away: how far from the border curves end, [mm].
        least: wanted between two ends, [mm].

    Returns:
        New curves of the same shape; their last inner points move with the ends.
    """
    # A rectangle with round corners is all points within the radius of a corner from this core.
    core = np.array([shape.width, shape.height]) / 2 - shape.corner
    # Ends as seen from the centres of their nodes.
    tips = curves[:, 3] - places
    itself = np.eye(len(curves), dtype=bool)
    same_node = (np.abs(places[:, None] - places).max(axis=2) < _SAME_PLACE) & ~itself
    for _ in range(_SPREADING_STEPS):
        between = tips[:, None] - tips
        distances = np.maximum(np.linalg.norm(between, axis=2), _SAME_PLACE)
        missing = np.where(same_node, np.maximum(least - distances, 0.0), 0.0)
        # Slightly less than half of the missing distance, as the other end moves as well.
        tips = tips + 0.4 * (between / distances[:, :, None] * missing[:, :, None]).sum(axis=1)
        # Back to the distance from the core at which curves end.
        in_core = np.clip(tips, -core, core)
        outward = tips - in_core
        tips = in_core + outward / np.linalg.norm(outward, axis=1)[:, None] * (shape.corner + away)
    moved = curves.copy()
    moved[:, 2:] += (tips + places - curves[:, 3])[:, None]
    return moved


def place_labels(
    curves: Floats, sizes: Floats, places: Floats, shape: NodeShape
) -> list[Point | None]:
    """Place labels on arrows or beside them.

    A label covers no node, no head of an arrow and no other label, and as little as can be of other
    arrows. Labels of short arrows are placed first, since they have the least choice.

    Args:
        curves: points along each arrow, the tip last, shape (M, P, 2), [mm].
        sizes: widths and heights of the labels, shape (M, 2), [mm].
        places: centres of nodes, shape (N, 2), [mm].
        shape: of the nodes.

    Returns:
        The centre of each label; None where there is no room for it.
    """
    # The middle of each arrow's head.
    heads = 0.6 * curves[:, -1] + 0.4 * curves[:, -3]
    lengths = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum(axis=1)
    # Centres and half sizes of the labels placed so far.
    placed_centres = np.zeros((0, 2))
    placed_halves = np.zeros((0, 2))
    labels: list[Point | None] = [None] * len(curves)
    low = curves.min(axis=1)
    high = curves.max(axis=1)
    for arrow in np.argsort(lengths, kind="stable").tolist():
        half = sizes[arrow] / 2
        # Only arrows whose boxes come near this one's can be covered.
        reach = 3 * half + 2.0
        near = ((high > low[arrow] - reach) & (low < high[arrow] + reach)).all(axis=1)
        candidates, costs = _label_places(curves[arrow], half)
        # With small gaps to nodes, heads and other labels.
        free = (shape.clearance(candidates[:, None] - places, *half) > 0.3).all(axis=1)
        free &= ~_covered(candidates, heads[near], half + 1.1).any(axis=1)
        free &= ~_covered(candidates, placed_centres, half + placed_halves + 0.2).any(axis=1)
        if free.any():
            # Covering other arrows costs more than covering its own.
            near[arrow] = False
            other_points = curves[near].reshape(-1, 2)
            costs += _covered(candidates, other_points, half + 0.2).sum(axis=1) + 0.2 * _covered(
                candidates, curves[arrow], half
            ).sum(axis=1)
            best = candidates[int(np.where(free, costs, np.inf).argmin())]
            placed_centres = np.concatenate([placed_centres, best[None]])
            placed_halves = np.concatenate([placed_halves, half[None]])
            labels[arrow] = float(best[0]), float(best[1])
    return labels


class Raster:
    """How many arrows pass near each square millimetre of the paper."""

    def __init__(self, places: Floats) -> None:
        size = np.ptp(places, axis=0)
        self._low = places.min(axis=0) - 0.5 * size - 20.0
        self._cells = np.zeros(np.ceil(2.0 * size + 40.0).astype(int) + 1, dtype=int)

    def at(self, points: Floats) -> Integers:
        """Number of arrows near points of shape (..., 2) [mm], shape (...)."""
        x, y = np.moveaxis(self._nearest(points), -1, 0)
        return np.asarray(self._cells[x, y])

    def add(self, points: Floats, sign: int) -> None:
        """Count a curve through points of shape (P, 2) [mm], once in each cell near it."""
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
    """Points along cubic Bézier curves of shape (..., 4, 2), shape (..., 33 or 121 if fine, 2)."""
    return np.asarray((_FINE if fine else _USUAL) @ points)


def clip_curves(
    curves: Floats, shape: NodeShape, start: Floats, end: Floats, away: float
) -> Floats:
    """Cut cubic Bézier curves off where they leave the first node and reach the second.

    Args:
        curves: from centre to centre, shape (B, 4, 2), [mm].
        shape: of both nodes.
        start, end: centres of the nodes, shape (2,), [mm].
        away: how far from the border of the second they end, [mm].

    Returns:
        The parts between, as curves of the same shape.
    """
    points = samples(curves)
    row = np.arange(len(curves))
    # Seen from either end, the parameter at which the clearance from the node there becomes
    # positive: linear between the last sample inside and the first one outside.
    parameters = []
    for gaps in (shape.clearance(points - start), (shape.clearance(points - end) - away)[:, ::-1]):
        first_outside = np.maximum((gaps > 0.0).argmax(axis=1), 1)
        inside = gaps[row, first_outside - 1]
        outside = gaps[row, first_outside]
        sample = first_outside - 1 + np.clip(-inside / np.maximum(outside - inside, 1e-9), 0.0, 1.0)
        parameters.append(sample / (points.shape[1] - 1))
    from_start, from_end = parameters
    # Of overlapping nodes a short piece is left.
    return _cut_curves(curves, from_start, np.maximum(1.0 - from_end, from_start + 0.01))


def _cut_curves(curves: Floats, first: Floats, last: Floats) -> Floats:
    """Parts of cubic Bézier curves between two parameters, by blossoms (L. Ramshaw, 1987).

    Args:
        curves: shape (B, 4, 2).
        first, last: parameters from 0 to 1, shape (B,).
    """

    def blossom(*parameters: Floats) -> Floats:
        # De Casteljau's algorithm with another parameter in each step.
        points = curves
        for parameter in parameters:
            points = points[:, :-1] + (points[:, 1:] - points[:, :-1]) * parameter[:, None, None]
        return points[:, 0]

    ends = (first, first, first), (first, first, last), (first, last, last), (last, last, last)
    return np.stack([blossom(*parameters) for parameters in ends], axis=1)


def _covered(at: Floats, points: Floats, half: Floats) -> Booleans:
    """Which points lie in rectangles around centres, shape (centres, points).

    Args:
        at: centres, shape (C, 2).
        points: shape (P, 2).
        half: half width and height of the rectangles, shape (2,), or (P, 2) for one each point.
    """
    x, y = (np.abs(at[:, None, axis] - points[:, axis]) < half[..., axis] for axis in (0, 1))
    return np.asarray(x & y)


def _label_places(curve: Floats, half: Floats) -> tuple[Floats, Floats]:
    """Candidates for the centre of a label: on a curve, and beside it on both sides.

    Args:
        curve: points along it, shape (P, 2), [mm].
        half: half width and height of the label, [mm].

    Returns:
        Centres, shape (C, 2), and costs, shape (C,): least in the middle of the curve and on it.
    """
    # Without the ends of the curve, where its nodes and its head are.
    on_curve = curve[4:-4]
    ahead = np.gradient(curve, axis=0)[4:-4]
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1), 1e-9)[:, None]
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    # Aside by the extent of the label in this direction, and a small gap.
    aside = across * (np.abs(across) @ half + 0.6)[:, None]
    costs = 2.0 * np.abs(np.linspace(-1.0, 1.0, len(on_curve)))
    return (
        np.concatenate([on_curve, on_curve + aside, on_curve - aside]),
        np.concatenate([costs, costs + 4.0, costs + 4.0]),
    )
