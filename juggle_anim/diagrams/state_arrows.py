"""Arrows of a state graph: curves that keep clear of nodes, of heads and of each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.diagrams.drawing import Point, bezier_weights
from juggle_anim.diagrams.graph_layout import NodeShape
from juggle_anim.lazy_dataclass import dataclass
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
        text_width = _LABEL_PADDING + _LABEL_LETTER_WIDTH * max(map(len, self.throws))
        return max(text_width, LABEL_HEIGHT), LABEL_HEIGHT * len(self.throws) + 0.3


# Bends of an arrow to try, at its first and at its second inner point, as shares of its length.
# Symmetric ones come first.
_BENDS = (
    *(
        (side * bend, side * bend)
        for bend in (0.08, 0.0, 0.18, 0.3, 0.44, 0.6, 0.8)
        for side in (1, -1)
    ),
    *(
        (side * first_bend, side * second_bend)
        for first_bend in (-0.25, 0.0, 0.25, 0.6, 1.0)
        for second_bend in (-0.25, 0.0, 0.25, 0.6, 1.0)
        if first_bend != second_bend
        for side in (1, -1)
    ),
)
_LOOP_DIRECTIONS = 24
_LOOP_LENGTH = 8.0  # mm
_ROUTING_PASSES = 5
_GOOD_COST = 8.0  # arrows of no greater cost are not laid again
_COST_ALONG_ARROWS = 2.5  # per mm that runs along another arrow
_COST_OVER_TIP = 15.0  # per sample that runs over another arrow's tip
_COST_OF_TIP_ON_ARROW = 20.0
_NODE_CLEARANCE_WANTED = 1.4  # mm, from other nodes
_NODE_COST_PER_MM = 80.0  # of what is missing to _NODE_CLEARANCE_WANTED, per sample
_LEAST_NODE_CLEARANCE = 0.5  # mm; nearer than this is as good as forbidden
_COST_OF_TOUCHED_NODE = 600.0
_COST_BEYOND_PAPER = 10.0  # per mm
_TIP_COST_PER_MM = 200.0  # of what is missing to _TIP_DISTANCE_WANTED
_TIP_DISTANCE_WANTED = 2.4  # mm, between tips of arrows
_LEAST_TIP_DISTANCE = 1.9  # mm, to which tips are spread at last


class _Ends(NamedTuple):
    """The states that an arrow connects, by number; they name the arrow."""

    source: int
    target: int

    @property
    def is_loop(self) -> bool:
        """Whether the arrow leads back to its own state."""
        return self.source == self.target

    @property
    def reversed(self) -> _Ends:
        """The arrow back."""
        return _Ends(self.target, self.source)


class StateArrowRouter:
    """Finds curves for arrows that keep clear of nodes, of other arrows and of their tips.

    Arrows are laid one after another, and then each again among all others. Where the graph is
    symmetric about an upright axis, so are arrows.

    Args:
        graph: states and throws between them.
        places: centres of the nodes, shape (N, 2), right and down, [mm].
        shape: of all nodes.
        careful: whether arrows avoid each other, which takes time; else they are laid once.
    """

    def __init__(
        self, graph: StateGraph, places: Floats, shape: NodeShape, *, careful: bool
    ) -> None:
        """Collect the arrows by their states, and the symmetry.

        Args:
            graph: states and throws between them.
            places: centres of the nodes, shape (N, 2), right and down, [mm].
            shape: of all nodes.
            careful: whether arrows avoid each other, which takes time; else they are laid once.
        """
        self._places = places
        self._shape = shape
        self._careful = careful
        self._edges: dict[_Ends, list[StateEdge]] = {}
        for edge in graph.edges:
            self._edges.setdefault(_Ends(edge.source, edge.target), []).append(edge)
        # Arrows laid so far: cubic Bézier curves, shape (4, 2), [mm].
        self._curves: dict[_Ends, Floats] = {}
        # The paper that nodes take up, with a rim of 1.5 mm around each, [mm].
        self._reach = np.array([shape.width, shape.height]) / 2 + 1.5
        self._low = places.min(axis=0) - self._reach
        self._high = places.max(axis=0) + self._reach
        self._arrow_raster = Raster(places)
        self._tip_raster = Raster(places)
        # The counterpart of each state on the other side of the axis. Either all arrows are turned
        # around by the mirroring, as if time ran backwards, or they keep their direction.
        self._mirror = graph.mirror if careful else ()
        self._mirroring_reverses = not self._mirror or all(
            _Ends(self._mirror[ends.target], self._mirror[ends.source]) in self._edges
            for ends in self._edges
        )
        # A point x is mirrored to 2 · axis - x.
        self._twice_axis = 2 * places[:, 0].mean()

    def route(self, pause: Callable[[], object]) -> list[StateArrow]:
        """Route all arrows; `pause` is called after each, for a host that has other work.

        Arrows come in the order of the graph's edges, without labels.
        """
        # Short arrows first, as they have the least choice, and loops last.
        lengths = {
            ends: float(np.linalg.norm(self._places[ends.source] - self._places[ends.target]))
            for ends in self._edges
        }
        shortest_first = sorted(
            self._edges, key=lambda ends: (ends.is_loop, round(lengths[ends], 3))
        )
        costs: dict[_Ends, float] = dict.fromkeys(shortest_first, np.inf)
        for _pass in range(_ROUTING_PASSES if self._careful else 1):
            laid: set[_Ends] = set()
            for ends in shortest_first:
                if ends not in laid and costs[ends] > _GOOD_COST:
                    image, is_reversed = self._image(ends)
                    self._take_up(ends)
                    self._take_up(image)
                    cost = self._lay_with_image(ends, image, is_reversed=is_reversed)
                    costs[ends] = cost
                    costs[image] = cost
                    laid |= {ends, image}
                    pause()
        curves = np.array([self._curves[ends] for ends in self._edges])
        if self._careful:
            curves = spread_tips(
                curves,
                self._places[[ends.target for ends in self._edges]],
                self._shape,
                away=_TIP_GAP,
                least=_LEAST_TIP_DISTANCE,
            )
        return [
            StateArrow(
                source=ends.source,
                target=ends.target,
                points=curve,
                throws=tuple(edge.throws for edge in edges),
                value=edges[0].value,
            )
            for (ends, edges), curve in zip(self._edges.items(), curves, strict=True)
        ]

    def _image(self, ends: _Ends) -> tuple[_Ends, bool]:
        """Return the mirror image of an arrow, and whether it runs in the reverse direction.

        Args:
            ends: of the arrow.

        Returns:
            The ends of the arrow that is drawn as the image, one of `self._edges`, and whether that
            arrow runs from the image of the target to the image of the source. Where the graph is
            not symmetric, the arrow is its own image.
        """
        if not self._mirror:
            return ends, False
        image = _Ends(self._mirror[ends.source], self._mirror[ends.target])
        if self._mirroring_reverses:
            image = image.reversed
        if image in self._edges:
            return image, self._mirroring_reverses
        # Only the arrow in the other direction is there.
        return image.reversed, not self._mirroring_reverses

    def _lay_with_image(self, ends: _Ends, image: _Ends, *, is_reversed: bool) -> float:
        """Lay an arrow and its mirror image along the curve of the least length and cost.

        Args:
            ends: of the arrow.
            image: ends of its mirror image; `ends` if it is its own.
            is_reversed: whether the image runs in the reverse direction.

        Returns:
            The cost: how much the arrow is in the way of others.
        """
        curves = self._loops(ends.source) if ends.is_loop else self._bows(ends)
        # Without care the first curve is taken.
        lengths = np.zeros(1)
        costs = np.zeros(1)
        if self._careful:
            clipped = self._clip(curves, ends)
            lengths, costs = self._costs(clipped, ends)
            if image != ends:
                # The tip of the image must keep clear of this tip.
                image_tips = self._mirrored(clipped[:, 0 if is_reversed else -1])
                distances = np.linalg.norm(image_tips - clipped[:, -1], axis=1)
                costs += _TIP_COST_PER_MM * np.maximum(_TIP_DISTANCE_WANTED - distances, 0.0)
        best = int((lengths + costs).argmin())
        if image != ends:
            curve = self._mirrored(curves[best])[:: -1 if is_reversed else 1]
            # There and back on the same line: bend the image to the other side, by a half turn
            # about the middle.
            if image == ends.reversed and np.abs(curve - curves[best][::-1]).max() < 1e-6:
                curve = curve[0] + curve[-1] - curve[::-1]
            self._put_down(image, curve)
        self._put_down(ends, curves[best])
        return float(costs[best])

    def _put_down(self, ends: _Ends, curve: Floats) -> None:
        """Clip an arrow's curve, shape (4, 2), keep it, and count it in the rasters."""
        self._curves[ends] = self._clip(curve[None], ends)[0]
        self._count_in_rasters(self._curves[ends], 1)

    def _take_up(self, ends: _Ends) -> None:
        """Remove an arrow, if it was laid, also from the rasters."""
        if ends in self._curves:
            self._count_in_rasters(self._curves.pop(ends), -1)

    def _mirrored(self, points: Floats) -> Floats:
        return points * (-1.0, 1.0) + (self._twice_axis, 0.0)

    def _bows(self, ends: _Ends) -> Floats:
        """Return curves between two nodes' centres with different bends, shape (B, 4, 2), [mm].

        Args:
            ends: the states that the arrow connects.
        """
        start = self._places[ends.source]
        end = self._places[ends.target]
        ahead = end - start
        # As long as `ahead`, at right angles to it.
        across = np.array([-ahead[1], ahead[0]])
        curves = []
        for first_bend, second_bend in _BENDS:
            # A straight arrow would lie on the arrow back, if there is one.
            if first_bend or second_bend or ends.reversed not in self._edges:
                # The inner points of a straight arrow are at 0.3 and 0.7 of the way.
                first_inner = start + (0.3 * ahead + first_bend * across)
                second_inner = start + (0.7 * ahead + second_bend * across)
                curves.append([start, first_inner, second_inner, end])
        return np.array(curves)

    def _loops(self, state: int) -> Floats:
        """Return loops at a node in different directions, upward first, shape (B, 4, 2), [mm].

        Each loop is a cubic Bézier curve that leaves the node and returns to it.

        Args:
            state: index of the node.
        """
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
                border_share = max(
                    abs(out[0]) / self._shape.width, abs(out[1]) / self._shape.height
                )
                border = out / border_share / 2
                # The loop begins and ends inside of the node, beside a root 0.6 of the way to its
                # border, where it is clipped later. Its inner points, in front of the root and
                # farther aside, make it a drop.
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

    def _clip(self, curves: Floats, ends: _Ends) -> Floats:
        """Cut curves, shape (B, 4, 2), off at the nodes of an arrow."""
        return clip_curves(
            curves,
            self._shape,
            start=self._places[ends.source],
            end=self._places[ends.target],
            away=_TIP_GAP,
        )

    def _costs(self, curves: Floats, ends: _Ends) -> tuple[Floats, Floats]:
        """Return the lengths of curves, and how much they are in the way of nodes and other arrows.

        Args:
            curves: candidates, clipped at the nodes, shape (B, 4, 2), [mm].
            ends: the states that they connect.

        Returns:
            Lengths [mm], all 0 for loops, and costs in about the same unit, shape (B,) each.
        """
        points = samples(curves)
        lengths = np.linalg.norm(np.diff(points, axis=1), axis=2).sum(axis=1)
        # Along other arrows, over their tips, and with its own tip on another arrow.
        arrows_there = self._arrow_raster.at(points)
        tips_there = self._tip_raster.at(points)
        costs = _COST_ALONG_ARROWS * lengths * arrows_there.mean(
            axis=1
        ) + _COST_OVER_TIP * tips_there.sum(axis=1)
        costs += _COST_OF_TIP_ON_ARROW * arrows_there[:, -1]
        # Near other nodes. Nodes outside the box around all candidates are too far away to matter.
        low = points.min(axis=(0, 1)) - self._reach
        high = points.max(axis=(0, 1)) + self._reach
        near_nodes = ((self._places > low) & (self._places < high)).all(axis=1)
        near_nodes[list(ends)] = False
        if near_nodes.any():
            between = points[:, 1:-1:2, None] - self._places[near_nodes]
            gaps = self._shape.clearance(between).min(axis=2)
            missing = np.maximum(_NODE_CLEARANCE_WANTED - gaps, 0.0)
            touches = (gaps < _LEAST_NODE_CLEARANCE).any(axis=1)
            costs += _NODE_COST_PER_MM * missing.sum(axis=1) + _COST_OF_TOUCHED_NODE * touches
        # Beyond the paper that nodes take up.
        beyond = np.maximum(self._low - points, 0.0) + np.maximum(points - self._high, 0.0)
        costs += _COST_BEYOND_PAPER * beyond.max(axis=(1, 2))
        # With its own tip near other tips.
        if tips := [curve[-1] for curve in self._curves.values()]:
            distances = np.linalg.norm(points[:, -1:] - np.array(tips), axis=2)
            missing = np.maximum(_TIP_DISTANCE_WANTED - distances, 0.0)
            costs += _TIP_COST_PER_MM * missing.sum(axis=1)
        return np.zeros_like(lengths) if ends.is_loop else lengths, costs

    def _count_in_rasters(self, curve: Floats, sign: int) -> None:
        """Count an arrow in the rasters of arrows and tips (sign 1), or discount it (sign −1)."""
        if self._careful:
            points = samples(curve, fine=True)
            self._arrow_raster.add(points, sign)
            self._tip_raster.add(points[-4:], sign)


_SPREADING_STEPS = 60
_SAME_PLACE = 1e-6  # mm


def spread_tips(
    curves: Floats, places: Floats, shape: NodeShape, *, away: float, least: float
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
    is_itself = np.eye(len(curves), dtype=bool)
    same_node = (np.abs(places[:, None] - places).max(axis=2) < _SAME_PLACE) & ~is_itself
    for _step in range(_SPREADING_STEPS):
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
        half_size = sizes[arrow] / 2
        # Only arrows whose boxes come near this one's can be covered.
        reach = 3 * half_size + 2.0
        near = ((high > low[arrow] - reach) & (low < high[arrow] + reach)).all(axis=1)
        candidates, costs = _label_places(curves[arrow], half_size)
        # With small gaps to nodes, heads and other labels.
        free = (shape.clearance(candidates[:, None] - places, *half_size) > 0.3).all(axis=1)
        free &= ~_covered(candidates, heads[near], half_size + 1.1).any(axis=1)
        free &= ~_covered(candidates, placed_centres, half_size + placed_halves + 0.2).any(axis=1)
        if free.any():
            # Covering other arrows costs more than covering its own.
            near[arrow] = False
            other_points = curves[near].reshape(-1, 2)
            others_covered = _covered(candidates, other_points, half_size + 0.2).sum(axis=1)
            own_covered = _covered(candidates, curves[arrow], half_size).sum(axis=1)
            costs += others_covered + 0.2 * own_covered
            best = candidates[int(np.where(free, costs, np.inf).argmin())]
            placed_centres = np.concatenate([placed_centres, best[None]])
            placed_halves = np.concatenate([placed_halves, half_size[None]])
            labels[arrow] = float(best[0]), float(best[1])
    return labels


class Raster:
    """How many arrows pass near each square millimetre of the paper."""

    def __init__(self, places: Floats) -> None:
        size = np.ptp(places, axis=0)
        self._low = places.min(axis=0) - 0.5 * size - 20.0
        self._cells = np.zeros(np.ceil(2.0 * size + 40.0).astype(int) + 1, dtype=int)

    def at(self, points: Floats) -> Integers:
        """Return the numbers of arrows near points of shape (..., 2) [mm], shape (...)."""
        x, y = np.moveaxis(self._cells_of(points), -1, 0)
        return np.asarray(self._cells[x, y])

    def add(self, points: Floats, sign: int) -> None:
        """Count a curve through points of shape (P, 2) [mm], once in each cell near it.

        Args:
            points: along the curve.
            sign: 1 to count it, −1 to discount it.
        """
        near = self._cells_of((points[:, None] + _NEAR_OFFSETS).reshape(-1, 2))
        self._cells[tuple(np.unique(near, axis=0).T)] += sign

    def _cells_of(self, points: Floats) -> Integers:
        """The column and row of the cell of each point, same shape."""
        return np.clip(np.rint(points - self._low).astype(int), 0, np.array(self._cells.shape) - 1)


# From a point of a curve to itself and four points around it, whose cells count as near, [mm].
_NEAR_OFFSETS = 1.3 * np.array(
    [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if abs(x) + abs(y) < 2], dtype=float
)

_WEIGHTS = bezier_weights(33)
_FINE_WEIGHTS = bezier_weights(121)


def samples(curves: Floats, *, fine: bool = False) -> Floats:
    """Points along cubic Bézier curves of shape (..., 4, 2), shape (..., 33 or 121 if fine, 2)."""
    return np.asarray((_FINE_WEIGHTS if fine else _WEIGHTS) @ curves)


def clip_curves(
    curves: Floats, shape: NodeShape, *, start: Floats, end: Floats, away: float
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
    rows = np.arange(len(curves))
    # Seen from either end, the parameter at which the clearance from the node there becomes
    # positive: linear between the last sample inside and the first one outside.
    parameters = []
    for gaps in (shape.clearance(points - start), (shape.clearance(points - end) - away)[:, ::-1]):
        first_outside = np.maximum((gaps > 0.0).argmax(axis=1), 1)
        gap_inside = gaps[rows, first_outside - 1]
        gap_outside = gaps[rows, first_outside]
        share = np.clip(-gap_inside / np.maximum(gap_outside - gap_inside, 1e-9), 0.0, 1.0)
        parameters.append((first_outside - 1 + share) / (points.shape[1] - 1))
    from_start, from_end = parameters
    # Of overlapping nodes a short piece is left.
    return _cut_curves(curves, from_start, np.maximum(1.0 - from_end, from_start + 0.01))


def _cut_curves(curves: Floats, first: Floats, last: Floats) -> Floats:
    """Return parts of cubic Bézier curves between two parameters, by blossoms (L. Ramshaw, 1987).

    Args:
        curves: shape (B, 4, 2).
        first, last: parameters from 0 to 1, shape (B,).
    """

    def blossom(*parameters: Floats) -> Floats:
        """The blossom of each curve at three parameters, shape (B, 2).

        It is de Casteljau's algorithm with another parameter in each of its three steps. The points
        of the part from a to b are the blossoms at (a, a, a), (a, a, b), (a, b, b) and (b, b, b).
        """
        points = curves
        for parameter in parameters:
            points = points[:, :-1] + (points[:, 1:] - points[:, :-1]) * parameter[:, None, None]
        return points[:, 0]

    ends = (first, first, first), (first, first, last), (first, last, last), (last, last, last)
    return np.stack([blossom(*parameters) for parameters in ends], axis=1)


def _covered(centres: Floats, points: Floats, half_size: Floats) -> Booleans:
    """Return which points lie in rectangles around centres, shape (C, P).

    Args:
        centres: shape (C, 2).
        points: shape (P, 2).
        half_size: half width and height of the rectangles, shape (2,), or (P, 2) for each point.
    """
    # One axis after the other is much faster than numpy's `all` along so short an axis.
    is_within_x, is_within_y = (
        np.abs(centres[:, None, axis] - points[:, axis]) < half_size[..., axis] for axis in (0, 1)
    )
    return np.asarray(is_within_x & is_within_y)


def _label_places(curve: Floats, half_size: Floats) -> tuple[Floats, Floats]:
    """Return the candidates for the centre of a label: on a curve, and beside it on both sides.

    Args:
        curve: points along it, shape (P, 2), [mm].
        half_size: half width and height of the label, [mm].

    Returns:
        Centres, shape (C, 2), and costs, shape (C,): least in the middle of the curve and on it.
    """
    # Without the ends of the curve, where its nodes and its head are.
    on_curve = curve[4:-4]
    ahead = np.gradient(curve, axis=0)[4:-4]  # unit vectors along the curve
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1), 1e-9)[:, None]
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    # Aside by the extent of the label in this direction, and a gap of 0.6 mm. A place at an end of
    # the curve costs 2, and one beside the curve costs 4 more.
    aside = across * (np.abs(across) @ half_size + 0.6)[:, None]
    costs = 2.0 * np.abs(np.linspace(-1.0, 1.0, len(on_curve)))
    return (
        np.concatenate([on_curve, on_curve + aside, on_curve - aside]),
        np.concatenate([costs, costs + 4.0, costs + 4.0]),
    )
