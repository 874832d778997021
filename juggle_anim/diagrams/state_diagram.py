"""The state diagram: states as nodes, and the throws between them as labelled arrows that keep
clear of them.

Layout of graphs: nodes by least stress, mirrored where the graph is, or on rings; and labels of
arrows.

Arrows of a state graph: curves that keep clear of nodes, of heads and of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isnan
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.diagrams.drawing import (
    GREY,
    GROUND_FILL,
    PRINT_INK,
    WHITE,
    Colour,
    Drawing,
    Label,
    Mark,
    Pill,
    Point,
    Stroke,
    bezier_weights,
    moved_mark,
    state_colour,
    value_colour,
)
from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.state_graph import StateEdge, StateGraph

MOST_BY_STRESS = 150
"""Graphs of more nodes are laid out on rings."""

_MAJORISATION_STEPS = 60
_NODES_OF_ALL_STARTS = 2_400  # nodes times random starts
_GAP_SPREAD = 1.35  # first gap between linked nodes, as a share of the least one
_PUSHES = 300
_MOST_STRETCH = 2.0
_RING_SWEEPS = 6


class NodeShape(NamedTuple):
    """The shape of all nodes: a rectangle with round corners, [mm].

    Attributes:
        width, height: width and height of the rectangle.
        corner: radius of its corners, up to half of its height.
    """

    width: float
    height: float
    corner: float

    def gaps(self, offsets: Floats) -> Floats:
        """Return the gaps between two nodes, [mm]; negative where they overlap.

        Args:
            offsets: vectors from the centre of one to that of the other, shape (..., 2), [mm].
        """
        core = (self.width / 2 - self.corner, self.height / 2 - self.corner)
        return self.clearance(offsets, *core) - self.corner

    def clearance(
        self, offsets: Floats, half_width: float = 0.0, half_height: float = 0.0
    ) -> Floats:
        """Return distances from the border of a node to points or rectangles, negative inside.

        Args:
            offsets: vectors from the centre of the node to the points, or to the centres of the
                rectangles, shape (..., 2), [mm].
            half_width, half_height: half of the size of the rectangles, [mm]; 0 for points.
        """
        # A rectangle with round corners is all points within the radius of its corners from a
        # smaller rectangle. So its signed distance is that of the smaller one, less the radius.
        x = np.abs(offsets[..., 0]) - (self.width / 2 - self.corner + half_width)
        y = np.abs(offsets[..., 1]) - (self.height / 2 - self.corner + half_height)
        outside = np.hypot(np.maximum(x, 0.0), np.maximum(y, 0.0))
        return np.asarray(outside + np.minimum(np.maximum(x, y), 0.0) - self.corner)


def stress_layout(
    links: Integers,
    mirror: Sequence[int],
    shape: NodeShape,
    *,
    gap: float,
    aspect: float,
    pause: Callable[[], object],
) -> Floats:
    """Return a layout of a graph whose distances are nearly proportional to those in the graph.

    The distance of two nodes in the graph is the number of links on the shortest path, and stress
    is the sum of squared differences between distances in the layout and in the graph.

    Stress majorisation (E. R. Gansner, Y. Koren, S. North, Graph Drawing by Stress Majorization,
    2004) starts from several layouts; the result with few crossings of links and little stress is
    scaled to millimetres, nodes that overlap are pushed apart, and the layout is stretched toward
    the wanted aspect ratio. The result is deterministic.

    Args:
        links: pairs of nodes, shape (M, 2), in which each node occurs.
        mirror: for each node its counterpart on the other side of an upright axis of symmetry;
            empty for a graph without one.
        shape: shape of the nodes.
        gap: least gap between nodes, [mm].
        aspect: wanted width over height of the layout.
        pause: called after each step, for a host that has other work.

    Returns:
        Centres of the nodes, shape (N, 2), right and down, [mm].
    """
    count = int(links.max()) + 1
    if count == 1:
        return np.zeros((1, 2))
    symmetrised = _symmetrised(mirror)
    # Target distances d, weights 1 / d² (0 for a node and itself), and the pseudoinverse of the
    # weighted Laplacian.
    target_distances = _graph_distances(links, count)
    weights = np.where(target_distances > 0, np.maximum(target_distances, 1e-9) ** -2.0, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    # Each link once, without loops.
    links = np.unique(np.sort(links[links[:, 0] != links[:, 1]], axis=1), axis=0)

    def majorised(layouts: Floats) -> Floats:
        """Return S layouts with reduced stress, shape (S, N, 2)."""
        for _step in range(_MAJORISATION_STEPS):
            layouts = symmetrised(_majorisation_step(layouts, target_distances, weights, inverse))
            pause()
        return layouts

    # The best of several starts is taken. A crossing counts as half a unit of stress per node.
    layouts = majorised(symmetrised(_start_layouts(target_distances, count)))
    stress = (weights * (_distances(layouts) - target_distances) ** 2).sum(axis=(1, 2)) / count
    crossings = [_crossings(places, links) for places in layouts]
    best = layouts[int((crossings + 2.0 * stress).argmin())]
    places = majorised(best[None])[0]

    # Rotate the layout, unless it has an axis of symmetry, which must stay upright; then scale it
    # to millimetres, and push nodes apart.
    turned = places if mirror else _rotated_to_widest(places)
    fitted = _scaled_to_nodes(turned, links, shape, gap=gap, aspect=aspect)
    spread = _pushed_apart(fitted, shape, gap, symmetrised)
    # Stretch one axis towards the wanted aspect ratio, by which no nodes get closer to each other.
    width, height = np.ptp(spread, axis=0) + (shape.width, shape.height)
    stretch = aspect * height / width
    return spread * (
        np.clip(stretch, 1.0, _MOST_STRETCH),
        np.clip(1.0 / stretch, 1.0, _MOST_STRETCH),
    )


def ring_layout(
    links: Integers, rings: Integers, shape: NodeShape, *, gap: float, aspect: float = 1.0
) -> Floats:
    """Return a layout of a graph on concentric rings around its first node.

    The nodes of a ring are evenly spaced, in an order in which linked nodes are at similar angles.
    It is found by sweeps, each of which sorts the nodes of every ring by the mean direction of
    their neighbours (the barycentre heuristic).

    Args:
        links: pairs of indices of nodes, shape (M, 2).
        rings: the ring of each node, shape (N,), 0 for the first node only.
        shape: shape of the nodes.
        gap: the least distance between nodes, [mm].
        aspect: width over height; of a wide layout, rings are ellipses.

    Returns:
        Centres of the nodes, shape (N, 2), right and down, [mm].
    """
    # The nodes of each ring around the first node, and evenly spaced angles for them.
    nodes_of_rings = [np.flatnonzero(rings == ring) for ring in range(1, int(rings.max()) + 1)]
    even_angles = [2 * np.pi * np.arange(len(nodes)) / len(nodes) for nodes in nodes_of_rings]
    # Radii: each ring is well outside the one before, and long enough for its nodes.
    pitch = np.hypot(shape.width, shape.height) + gap
    angles = np.zeros(len(rings))
    radii = np.zeros(len(rings))
    radius = 0.0
    for nodes, spaced in zip(nodes_of_rings, even_angles, strict=True):
        # The chord between neighbours on a circle of n nodes is a pitch: pitch = 2 r sin(π / n).
        least = pitch / 2 / np.sin(np.pi / len(nodes)) if len(nodes) > 1 else 0.0
        radius = max(radius + 3 * pitch, least)
        angles[nodes] = spaced
        radii[nodes] = radius

    # Angles: each link counts for both of its nodes.
    both_ways = np.concatenate([links, links[:, ::-1]])
    for sweep in range(2 * _RING_SWEEPS):
        # Sweeps alternate between neighbours on inner rings, and all neighbours.
        inward = rings[both_ways[:, 1]] < rings[both_ways[:, 0]]
        node, neighbour = (both_ways[inward] if sweep % 2 == 0 else both_ways).T
        # Sum of the neighbours' directions as complex numbers, whose argument is the mean
        # direction; the first node, in the middle, has no direction.
        direction_sum = np.zeros(len(rings), dtype=complex)
        np.add.at(direction_sum, node, np.exp(1j * angles[neighbour]) * (rings[neighbour] > 0))
        # Directions that cancel out leave a node at its angle.
        wanted_angles = np.where(
            np.abs(direction_sum) > 1e-9, np.angle(direction_sum) % (2 * np.pi), angles
        )
        for nodes, spaced in zip(nodes_of_rings, even_angles, strict=True):
            in_order = nodes[np.argsort(wanted_angles[nodes], kind="stable")]
            # Evenly spaced angles, rotated by the mean difference from the wanted ones.
            rotation = np.angle(np.exp(1j * (wanted_angles[in_order] - spaced)).sum())
            angles[in_order] = (spaced + rotation) % (2 * np.pi)
    # Angles count clockwise from the top; y is down.
    return np.stack([np.sin(angles) * max(aspect, 1.0), -np.cos(angles)], axis=1) * radii[:, None]


_Symmetrise = Callable[[Floats], Floats]


def _symmetrised(mirror: Sequence[int]) -> _Symmetrise:
    """Return a function that makes places, shape (..., N, 2), symmetric about the axis x = 0.

    Each place becomes the mean of itself and of the mirror image of its counterpart.

    Args:
        mirror: the counterpart of each node; empty for a function that changes nothing.
    """
    if not mirror:
        return lambda places: places
    images = list(mirror)
    return lambda places: (places + places[..., images, :] * (-1.0, 1.0)) / 2


def _graph_distances(links: Integers, count: int) -> Floats:
    """Return the lengths of shortest paths between any two nodes, in links, shape (N, N).

    This is a breadth-first search from all nodes at once, with Boolean matrices: entry (i, j) says
    whether node j is reached from node i. Links count in both directions. Nodes that are not
    connected get one more than the greatest length.

    Args:
        links: pairs of nodes, shape (M, 2).
        count: number N of nodes.
    """
    linked = np.zeros((count, count), dtype=bool)
    linked[links[:, 0], links[:, 1]] = True
    linked[links[:, 1], links[:, 0]] = True
    reached: Booleans = np.eye(count, dtype=bool)
    steps = np.zeros((count, count))
    while not reached.all():
        # Products of floats are faster than those of booleans.
        reached_next = reached | (reached.astype(np.float32) @ linked.astype(np.float32) > 0)
        # Nodes that are not reached yet are at least one link farther.
        steps[~reached] += 1
        # If no further node is reached, the others are not connected.
        if (reached_next == reached).all():
            break
        reached = reached_next
    return steps


def _start_layouts(wanted: Floats, count: int) -> Floats:
    """Return the starting layouts, shape (S, N, 2): by classical scaling, and some at random.

    Classical scaling (W. S. Torgerson, 1952) gives coordinates along several axes, of which pairs
    are taken. The random numbers are always the same.

    Args:
        wanted: wanted distances between nodes, shape (N, N).
        count: number N of nodes.
    """
    centring = np.eye(count) - 1 / count
    eigenvalues, vectors = np.linalg.eigh(-0.5 * centring @ wanted**2 @ centring)
    # `eigh` sorts axes by importance, ascending, so their order is reversed.
    coordinates = vectors[:, ::-1] * np.sqrt(np.maximum(eigenvalues[::-1], 0.0))
    axes = [pair for pair in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)) if max(pair) < count]
    random_starts = max(3, min(_NODES_OF_ALL_STARTS // count, 100))
    random_layouts = np.random.default_rng(count).standard_normal((random_starts, count, 2))
    return np.concatenate(
        [[coordinates[:, list(pair)] for pair in axes], random_layouts * wanted.max() / 2]
    )


def _distances(places: Floats) -> Floats:
    """Return distances between all nodes of S layouts, shapes (S, N, 2) to (S, N, N)."""
    # |p - q|² = p² + q² - 2 p·q. Never 0, since pulls are divided by it.
    square = (places**2).sum(axis=2)
    products = places @ places.transpose(0, 2, 1)
    return np.asarray(
        np.sqrt(np.maximum(square[:, :, None] + square[:, None] - 2 * products, 1e-12))
    )


def _majorisation_step(places: Floats, wanted: Floats, weights: Floats, inverse: Floats) -> Floats:
    """Return layouts after one step of stress majorisation, with no more stress than before.

    It is the Guttman transform L_w⁺ L(X) X of each layout X, where L(X) is the Laplacian of the
    weights w d / |x_i − x_j|. A Laplacian has the sums of the weights on its diagonal, and their
    negatives elsewhere.

    Args:
        places: S layouts, shape (S, N, 2).
        wanted: distances d, shape (N, N).
        weights: w, shape (N, N).
        inverse: pseudoinverse of the Laplacian of the weights, L_w⁺, shape (N, N).
    """
    pull = weights * wanted / _distances(places)
    return np.asarray(inverse @ (pull.sum(axis=2)[:, :, None] * places - pull @ places))


def _rotated_to_widest(places: Floats) -> Floats:
    """Turn a layout to be widest from left to right, with the first node at the upper left.

    By principal components of the places, shape (N, 2).
    """
    centred = places - places.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    turned = centred @ vectors[:, ::-1]
    signs = np.where(turned[0] > 1e-6, -1.0, 1.0)
    return np.asarray(turned * signs)


def _crossings(places: Floats, links: Integers) -> float:
    """Return the number of pairs of links that cross each other as straight lines.

    Args:
        places: places of the nodes, shape (N, 2).
        links: pairs of nodes, shape (M, 2), each once.
    """
    # Links from a to b and from c to d. Those with a common node do not cross.
    first, second = np.triu_indices(len(links), 1)
    a, b = links[first].T
    c, d = links[second].T
    are_disjoint = (a != c) & (a != d) & (b != c) & (b != d)
    pa, pb, pc, pd = (places[nodes[are_disjoint]] for nodes in (a, b, c, d))

    def side(p: Floats, q: Floats, r: Floats) -> Booleans:
        """Return on which side of the lines from p to q the points r lie; all are (K, 2)."""
        return np.asarray(
            (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) > (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])
        )

    # Two lines cross if the ends of each lie on different sides of the other.
    return float(
        ((side(pa, pb, pc) != side(pa, pb, pd)) & (side(pc, pd, pa) != side(pc, pd, pb))).sum()
    )


def _scaled_to_nodes(
    places: Floats, links: Integers, shape: NodeShape, *, gap: float, aspect: float
) -> Floats:
    """Return a layout stretched to an aspect ratio, and scaled so that nodes and arrows fit.

    Crossings of links do not change by this.

    Args:
        places: places of the nodes in any unit, shape (N, 2).
        links: pairs of nodes, shape (M, 2), each once.
        shape: shape of the nodes.
        gap: the least distance between borders of nodes, [mm].
        aspect: wanted width over height.

    Returns:
        Places about the origin, shape (N, 2), [mm].
    """
    places = places - (places.max(axis=0) + places.min(axis=0)) / 2
    # Both extents are scaled to 1. In a layout that is nearly a line, an extent counts as at least
    # a fifth of the larger one, so that rounding errors are not stretched.
    extent = np.maximum(np.ptp(places, axis=0), 1e-9 + 0.2 * np.ptp(places))
    places = places / extent * (np.sqrt(aspect), 1 / np.sqrt(aspect))
    # By the 30th percentile, 70 % of the links get at least the wanted length. Nodes that are then
    # still too close are pushed apart later.
    wanted_length = gap * _GAP_SPREAD + (shape.width + shape.height) / 2
    link_lengths = np.linalg.norm(places[links[:, 0]] - places[links[:, 1]], axis=1)
    return np.asarray(places * wanted_length / np.percentile(link_lengths, 30))


def _pushed_apart(places: Floats, shape: NodeShape, gap: float, symmetrised: _Symmetrise) -> Floats:
    """Return places of nodes that are pushed apart until there is a gap between all of them.

    Args:
        places: places of the nodes, shape (N, 2), [mm].
        shape: shape of the nodes.
        gap: the least distance between borders of nodes, [mm].
        symmetrised: function that makes places symmetric.
    """
    first, second = np.triu_indices(len(places), 1)
    for _push in range(_PUSHES):
        between = places[second] - places[first]
        missing = np.maximum(gap - shape.gaps(between), 0.0)
        if missing.max() < 1e-3 * gap:
            break
        distances = np.maximum(np.linalg.norm(between, axis=1), 1e-9)
        # Both nodes of a pair move by 0.3 of the missing gap. Half of it would close the gap of one
        # pair at once, but pushes of several pairs add up and would overshoot.
        step = between / distances[:, None] * (0.3 * missing)[:, None]
        moved = places.copy()
        np.add.at(moved, first, -step)
        np.add.at(moved, second, step)
        places = symmetrised(moved)
    # If gaps are still missing, everything is enlarged by 3 % at a time, until the gap is almost
    # reached everywhere.
    for _push in range(_PUSHES):
        if (shape.gaps(places[second] - places[first]) >= 0.97 * gap).all():
            break
        places = places * 1.03
    return places


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
        points: points of a cubic Bézier curve from border to border, shape (4, 2), [mm].
        throws: the texts of all edges, the lines of the label.
        value: value of the first throw.
        label: the middle of the label; None if there is no room for one.
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
_NODE_COST_PER_MM = 80.0  # below _NODE_CLEARANCE_WANTED, per sample
_LEAST_NODE_CLEARANCE = 0.5  # mm; nearer than this is as good as forbidden
_COST_OF_TOUCHED_NODE = 600.0
_COST_BEYOND_PAPER = 10.0  # per mm
_TIP_COST_PER_MM = 200.0  # below _TIP_DISTANCE_WANTED
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
        shape: shape of all nodes.
        careful: whether arrows avoid each other, which takes time; else they are laid once.
    """

    def __init__(
        self, graph: StateGraph, places: Floats, shape: NodeShape, *, careful: bool
    ) -> None:
        """Collect the edges that each arrow shows, and find out how the graph is symmetric.

        Args:
            graph: states and throws between them.
            places: centres of the nodes, shape (N, 2), right and down, [mm].
            shape: shape of all nodes.
            careful: whether arrows avoid each other, which takes time; else they are laid once.
        """
        self._places = places
        self._shape = shape
        self._careful = careful
        # Edges by the states at their ends; several between the same states share an arrow.
        self._edges: dict[_Ends, list[StateEdge]] = {}
        for edge in graph.edges:
            self._edges.setdefault(_Ends(edge.source, edge.target), []).append(edge)
        # Arrows laid so far: cubic Bézier curves, shape (4, 2), [mm].
        self._curves: dict[_Ends, Floats] = {}
        # The paper that nodes take up, with a rim of 1.5 mm around each, [mm].
        self._reach = np.array([shape.width, shape.height]) / 2 + 1.5
        self._low = places.min(axis=0) - self._reach
        self._high = places.max(axis=0) + self._reach
        # For costs: where arrows and their tips are already.
        self._arrow_raster = Raster(places)
        self._tip_raster = Raster(places)
        # The counterpart of each state on the other side of the axis of symmetry. By mirroring,
        # either all arrows are reversed, as if time ran backwards, or all keep their direction.
        self._mirror = graph.mirror if careful else ()
        self._mirroring_reverses = not self._mirror or all(
            _Ends(self._mirror[ends.target], self._mirror[ends.source]) in self._edges
            for ends in self._edges
        )
        # A point x is mirrored to 2 · axis - x.
        self._twice_axis = 2 * places[:, 0].mean()

    def route(self, pause: Callable[[], object]) -> list[StateArrow]:
        """Return arrows for all edges of the state graph, with curves that cross little.

        Edges that are mirror images of each other are routed together, so that the drawing stays
        symmetric. Arrows of a high cost are removed and routed again, in several passes.

        Args:
            pause: called after each arrow, for a host that has other work.

        Returns:
            The arrows in the order of the graph's edges, without labels.
        """
        # Short arrows come first, as they have the least choice, and loops come last.
        lengths = {
            ends: float(np.linalg.norm(self._places[ends.source] - self._places[ends.target]))
            for ends in self._edges
        }
        shortest_first = sorted(
            self._edges, key=lambda ends: (ends.is_loop, round(lengths[ends], 3))
        )
        costs: dict[_Ends, float] = dict.fromkeys(shortest_first, np.inf)
        for _pass in range(_ROUTING_PASSES if self._careful else 1):
            routed: set[_Ends] = set()
            for ends in shortest_first:
                # Arrows that cost no more than `_GOOD_COST` are not routed again.
                if ends not in routed and costs[ends] > _GOOD_COST:
                    image, is_reversed = self._image(ends)
                    self._remove_arrow(ends)
                    self._remove_arrow(image)
                    cost = self._route_with_image(ends, image, is_reversed=is_reversed)
                    costs[ends] = cost
                    costs[image] = cost
                    routed |= {ends, image}
                    pause()
        curves = np.array([self._curves[ends] for ends in self._edges])
        if self._careful:
            # Distances of tips from nodes and from each other, [mm].
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
            ends: ends of the arrow.

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
        # The image is not in the graph, but its reverse is.
        return image.reversed, not self._mirroring_reverses

    def _route_with_image(self, ends: _Ends, image: _Ends, *, is_reversed: bool) -> float:
        """Place an arrow and its mirror image on the candidate curve of least length plus cost.

        Args:
            ends: states at the ends of the arrow.
            image: ends of its mirror image; equal to `ends` if the arrow is its own image.
            is_reversed: whether the image runs in the reverse direction.

        Returns:
            The cost of the curve from overlaps with nodes and other arrows.
        """
        curves = self._loop_curves(ends.source) if ends.is_loop else self._bowed_curves(ends)
        # Unless `careful` is set, the first candidate is taken.
        lengths = np.zeros(1)
        costs = np.zeros(1)
        if self._careful:
            clipped = self._clip(curves, ends)
            lengths, costs = self._costs(clipped, ends)
            if image != ends:
                # The tip of the image must keep clear of this tip.
                image_tips = self._mirrored(clipped[:, 0 if is_reversed else -1])
                distances = np.linalg.norm(image_tips - clipped[:, -1], axis=1)
                # Tips of arrows should be `_TIP_DISTANCE_WANTED`, [mm], apart; each missing
                # millimetre costs.
                costs += _TIP_COST_PER_MM * np.maximum(_TIP_DISTANCE_WANTED - distances, 0.0)
        best = int((lengths + costs).argmin())
        if image != ends:
            curve = self._mirrored(curves[best])
            if is_reversed:
                curve = curve[::-1]
            # If the image runs back along the same curve, it is bent to the other side, by a half
            # turn about its middle.
            if image == ends.reversed and np.abs(curve - curves[best][::-1]).max() < 1e-6:
                curve = curve[0] + curve[-1] - curve[::-1]
            self._place_arrow(image, curve)
        self._place_arrow(ends, curves[best])
        return float(costs[best])

    def _place_arrow(self, ends: _Ends, curve: Floats) -> None:
        """Clip an arrow's curve, shape (4, 2), keep it, and count it in the rasters."""
        self._curves[ends] = self._clip(curve[None], ends)[0]
        self._count_in_rasters(self._curves[ends], 1)

    def _remove_arrow(self, ends: _Ends) -> None:
        """Remove an arrow, if it was laid, also from the rasters."""
        if ends in self._curves:
            self._count_in_rasters(self._curves.pop(ends), -1)

    def _mirrored(self, points: Floats) -> Floats:
        return points * (-1.0, 1.0) + (self._twice_axis, 0.0)

    def _bowed_curves(self, ends: _Ends) -> Floats:
        """Return candidate curves of an arrow from node to node, one for each pair in `_BENDS`.

        They are B cubic Bézier curves between the centres of the nodes, shape (B, 4, 2), [mm]. The
        straight one is left out if there is an arrow in the reverse direction.

        Args:
            ends: the two states whose nodes the arrow connects.
        """
        start = self._places[ends.source]
        end = self._places[ends.target]
        ahead = end - start
        # `ahead`, rotated by 90°.
        across = np.array([-ahead[1], ahead[0]])
        curves = []
        for first_bend, second_bend in _BENDS:
            # A straight arrow would coincide with an arrow in the reverse direction.
            if first_bend or second_bend or ends.reversed not in self._edges:
                # The inner points of a straight arrow are at 0.3 and 0.7 of the way.
                first_inner = start + (0.3 * ahead + first_bend * across)
                second_inner = start + (0.7 * ahead + second_bend * across)
                curves.append([start, first_inner, second_inner, end])
        return np.array(curves)

    def _loop_curves(self, state: int) -> Floats:
        """Return B candidate loops at a node in different directions, upward first.

        Each is a cubic Bézier curve that leaves the node and returns to it; shape (B, 4, 2), [mm].

        Args:
            state: index of the node.
        """
        on_axis = self._mirror and self._mirror[state] == state
        # How far a loop reaches from its node, [mm]. Dots have smaller loops than nodes with text.
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
                # The loop has the shape of a drop. It begins and ends inside the node, on both
                # sides of a root at 0.6 of the way to its border, and is clipped at the border
                # later. Its inner control points lie `length` farther out, and wider apart.
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
        """Return lengths of candidate curves, and costs of overlaps with nodes and other arrows.

        The arrows drawn so far are stored as rasters, which count arrows or tips near a point.

        Args:
            curves: B candidates, clipped at the nodes, shape (B, 4, 2), [mm].
            ends: the states that they connect.

        Returns:
            lengths: shape (B,), [mm]; all 0 for loops.
            costs: shape (B,), in about the unit of lengths.
        """
        points = samples(curves)
        lengths = np.linalg.norm(np.diff(points, axis=1), axis=2).sum(axis=1)
        # Costs of running along other arrows, over their tips, and of a tip on another arrow.
        samples_on_arrows = self._arrow_raster.at(points)
        samples_on_tips = self._tip_raster.at(points)
        length_on_arrows = lengths * samples_on_arrows.mean(axis=1)
        costs = _COST_ALONG_ARROWS * length_on_arrows
        costs += _COST_OVER_TIP * samples_on_tips.sum(axis=1)
        costs += _COST_OF_TIP_ON_ARROW * samples_on_arrows[:, -1]
        # Costs of being near other nodes, of which only those within the box around all candidates
        # matter.
        low = points.min(axis=(0, 1)) - self._reach
        high = points.max(axis=(0, 1)) + self._reach
        is_near_node = ((self._places > low) & (self._places < high)).all(axis=1)
        is_near_node[list(ends)] = False
        if is_near_node.any():
            offsets_to_nodes = points[:, 1:-1:2, None] - self._places[is_near_node]
            gaps = self._shape.clearance(offsets_to_nodes).min(axis=2)
            # A cost for each missing millimetre of clearance at each sample, and one for a hit.
            missing = np.maximum(_NODE_CLEARANCE_WANTED - gaps, 0.0)
            is_touching = (gaps < _LEAST_NODE_CLEARANCE).any(axis=1)
            costs += _NODE_COST_PER_MM * missing.sum(axis=1) + _COST_OF_TOUCHED_NODE * is_touching
        # Cost of leaving the bounding box of the nodes.
        outside = np.maximum(self._low - points, 0.0) + np.maximum(points - self._high, 0.0)
        costs += _COST_BEYOND_PAPER * outside.max(axis=(1, 2))
        # Cost of a tip near other tips.
        if tips := [curve[-1] for curve in self._curves.values()]:
            tip_distances = np.linalg.norm(points[:, -1:] - np.array(tips), axis=2)
            missing_distances = np.maximum(_TIP_DISTANCE_WANTED - tip_distances, 0.0)
            costs += _TIP_COST_PER_MM * missing_distances.sum(axis=1)
        # A loop leads from a state to itself, and may have any length, so it counts as 0.
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
    """Return curves with ends moved along the borders of nodes until they are far enough apart.

    Ends at the same node repel each other, and are projected onto its border after each step.

    Args:
        curves: cubic Bézier curves, shape (M, 4, 2), [mm].
        places: places of the nodes at which they end, shape (M, 2), [mm].
        shape: shape of the nodes.
        away: gap between the border and the end of a curve, [mm].
        least: wanted distance between two ends, [mm].

    Returns:
        New curves of the same shape; their last inner points move with the ends.
    """
    # A rectangle with round corners is all points within the radius of a corner from this core.
    core = np.array([shape.width, shape.height]) / 2 - shape.corner
    # The ends, relative to the centres of their nodes.
    tips = curves[:, 3] - places
    is_itself = np.eye(len(curves), dtype=bool)
    same_node = (np.abs(places[:, None] - places).max(axis=2) < _SAME_PLACE) & ~is_itself
    for _step in range(_SPREADING_STEPS):
        between = tips[:, None] - tips
        distances = np.maximum(np.linalg.norm(between, axis=2), _SAME_PLACE)
        missing = np.where(same_node, np.maximum(least - distances, 0.0), 0.0)
        # Slightly less than half of the missing distance, as the other end moves as well.
        tips = tips + 0.4 * (between / distances[:, :, None] * missing[:, :, None]).sum(axis=1)
        # Project the ends onto the outline around the core at which curves end.
        in_core = np.clip(tips, -core, core)
        outward = tips - in_core
        tips = in_core + outward / np.linalg.norm(outward, axis=1)[:, None] * (shape.corner + away)
    moved = curves.copy()
    moved[:, 2:] += (tips + places - curves[:, 3])[:, None]
    return moved


def place_labels(curves: Floats, sizes: Floats, places: Floats, shape: NodeShape) -> Floats:
    """Return places for the labels of arrows, on the arrows or beside them.

    A label covers no node, no arrowhead and no other label, and as little as possible of other
    arrows. Labels of short arrows are placed first, since they have the fewest free places. Each
    gets the free candidate place of least cost.

    Args:
        curves: P points along each of M arrows, the tip last, shape (M, P, 2), [mm].
        sizes: widths and heights of the labels, shape (M, 2), [mm].
        places: centres of nodes, shape (N, 2), [mm].
        shape: shape of the nodes.

    Returns:
        The centre of each label, right and down, shape (M, 2), [mm]; NaN if it has no free place.
    """
    # The middle of each arrow's head, which reaches back beyond the last two points of its curve.
    heads = 0.6 * curves[:, -1] + 0.4 * curves[:, -3]
    lengths = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum(axis=1)
    # Labels that are not placed yet are at NaN, where they cover nothing.
    centres = np.full(sizes.shape, np.nan)
    low = curves.min(axis=1)
    high = curves.max(axis=1)
    for arrow in np.argsort(lengths, kind="stable").tolist():
        half_size = sizes[arrow] / 2
        # Only arrows whose boxes come near this one's can be covered.
        reach = 3 * half_size + 2.0
        is_near_arrow = ((high > low[arrow] - reach) & (low < high[arrow] + reach)).all(axis=1)
        # Centres where the label may be, shape (C, 2), and what each costs by itself, shape (C,).
        candidates, costs = _label_places(curves[arrow], half_size)
        # A place is free with gaps to nodes, heads and other labels of 0.3, 1.1 (half a head) and
        # 0.2 mm.
        is_free = (shape.clearance(candidates[:, None] - places, *half_size) > 0.3).all(axis=1)
        is_free &= ~_covered(candidates, heads[is_near_arrow], half_size + 1.1).any(axis=1)
        is_free &= ~_covered(candidates, centres, half_size + sizes / 2 + 0.2).any(axis=1)
        if is_free.any():
            # Each covered point of another arrow costs 1, and of the label's own arrow 0.2.
            is_near_arrow[arrow] = False
            other_points = curves[is_near_arrow].reshape(-1, 2)
            others_covered = _covered(candidates, other_points, half_size + 0.2).sum(axis=1)
            own_covered = _covered(candidates, curves[arrow], half_size).sum(axis=1)
            total_costs = costs + others_covered + 0.2 * own_covered
            centres[arrow] = candidates[int(np.where(is_free, total_costs, np.inf).argmin())]
    return centres


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
        """Return the column and row of the cell of each point, same shape."""
        return np.clip(np.rint(points - self._low).astype(int), 0, np.array(self._cells.shape) - 1)


# From a point of a curve to itself and four points around it, whose cells count as near, [mm].
_NEAR_OFFSETS = 1.3 * np.array(
    [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if abs(x) + abs(y) < 2], dtype=float
)

_WEIGHTS = bezier_weights(33)
_FINE_WEIGHTS = bezier_weights(121)


def samples(curves: Floats, *, fine: bool = False) -> Floats:
    """Return points along cubic Bézier curves, shape (..., 33, 2).

    Args:
        curves: four control points of each curve, shape (..., 4, 2).
        fine: whether to return 121 points in place of 33.
    """
    return np.asarray((_FINE_WEIGHTS if fine else _WEIGHTS) @ curves)


def clip_curves(
    curves: Floats, shape: NodeShape, *, start: Floats, end: Floats, away: float
) -> Floats:
    """Return cubic Bézier curves clipped where they leave the first node and reach the second.

    Args:
        curves: curves from centre to centre, shape (B, 4, 2), [mm].
        shape: shape of both nodes.
        start, end: centres of the nodes, shape (2,), [mm].
        away: gap between the border of the second node and the end of a curve, [mm].

    Returns:
        The parts between, as curves of the same shape.
    """
    points = samples(curves)
    rows = np.arange(len(curves))
    # The parameter, counted from either end, at which the clearance from the node there becomes
    # positive, interpolated between the last sample inside and the first one outside.
    parameters = []
    for gaps in (shape.clearance(points - start), (shape.clearance(points - end) - away)[:, ::-1]):
        first_outside = np.maximum((gaps > 0.0).argmax(axis=1), 1)
        gap_inside = gaps[rows, first_outside - 1]
        gap_outside = gaps[rows, first_outside]
        share = np.clip(-gap_inside / np.maximum(gap_outside - gap_inside, 1e-9), 0.0, 1.0)
        parameters.append((first_outside - 1 + share) / (points.shape[1] - 1))
    from_start, from_end = parameters
    # If the nodes overlap, a short piece remains.
    return _cut_curves(curves, from_start, np.maximum(1.0 - from_end, from_start + 0.01))


def _cut_curves(curves: Floats, first: Floats, last: Floats) -> Floats:
    """Return parts of cubic Bézier curves between two parameters, by blossoms (L. Ramshaw, 1987).

    The control points of the part from a to b are the blossoms of the curve at (a, a, a),
    (a, a, b), (a, b, b) and (b, b, b).

    Args:
        curves: control points of B curves, shape (B, 4, 2).
        first, last: parameters from 0 to 1, shape (B,).

    Returns:
        Control points of the parts, shape (B, 4, 2).
    """

    def blossom(*parameters: Floats) -> Floats:
        """Return the blossom of each curve at three parameters, each of shape (B,); shape (B, 2).

        It is de Casteljau's algorithm with another parameter in each of its three steps.
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
    # Comparing one axis after the other is much faster than numpy's `all` along an axis of two.
    is_within_x, is_within_y = (
        np.abs(centres[:, None, axis] - points[:, axis]) < half_size[..., axis] for axis in (0, 1)
    )
    return np.asarray(is_within_x & is_within_y)


def _label_places(curve: Floats, half_size: Floats) -> tuple[Floats, Floats]:
    """Return candidate centres of a label: on a curve, and beside it on both sides.

    Args:
        curve: points along it, shape (P, 2), [mm].
        half_size: half width and height of the label, [mm].

    Returns:
        Centres, shape (C, 2), and costs, shape (C,): least in the middle of the curve and on it.
    """
    # Four points at each end of the curve are left out, where its nodes and its head are.
    on_curve = curve[4:-4]
    tangents = np.gradient(curve, axis=0)[4:-4]
    tangents /= np.maximum(np.linalg.norm(tangents, axis=1), 1e-9)[:, None]
    # Unit vectors at right angles to the curve.
    across = np.stack([-tangents[:, 1], tangents[:, 0]], axis=1)
    # Places beside the curve are off it by half the extent of the label in this direction, and a
    # gap of 0.6 mm. A place at an end of the curve costs 2, and one beside the curve 4 more.
    aside = across * (np.abs(across) @ half_size + 0.6)[:, None]
    costs = 2.0 * np.abs(np.linspace(-1.0, 1.0, len(on_curve)))
    return (
        np.concatenate([on_curve, on_curve + aside, on_curve - aside]),
        np.concatenate([costs, costs + 4.0, costs + 4.0]),
    )


MOST_DRAWN = 1_000
"""The most states of a drawing."""

LETTERS = 2.7
"""Size of the letters of states, [mm]."""

# Lengths are in [mm].
_LETTER_WIDTH = 1.72
_NODE_PADDING = 2.6
LINE_HEIGHT = 3.1
_ARROW_WIDTH = 0.32
_LIT_ARROW_WIDTH = 0.85
_DOTS_ARROW_WIDTH = 0.16
_MOST_ASPECT_OF_CIRCLES = 2.0  # width over height
_NODE_GAP = 8.0
_DOT_GAP = 5.0
_RING_GAP = 0.8
_GAP_PER_LETTER = 0.8
_GAP_PER_LINE = 1.5
_RIM = 1.0
_MARGIN = 6.0
_HEADING = 15.0


@dataclass(frozen=True)
class StateDiagram:
    """A state graph with places for everything.

    Args:
        graph: the graph to draw.
        width, height: width and height of the paper, [mm].
        places: places of the nodes' centres, shape (N, 2), [mm].
        shape: shape of the nodes.
        has_texts: whether nodes have room for their states; else they are dots.
        arrows: between the nodes.
    """

    graph: StateGraph
    width: float
    height: float
    places: Floats
    shape: NodeShape
    has_texts: bool
    arrows: tuple[StateArrow, ...]

    @classmethod
    def lay_out(
        cls,
        graph: StateGraph,
        aspect: float = 1.5,
        *,
        with_texts: bool = True,
        careful: bool = True,
        pause: Callable[[], object] = int,
    ) -> StateDiagram:
        """Return the layout of a state graph: by least stress, or on rings if it is large.

        A state says on which coming beats props land; an edge is a throw that leads to the next
        state. Rings are around the ground state. Stress is the sum of squared differences between
        distances on paper and distances in the graph. Places and sizes are in [mm], right and down.

        Args:
            graph: graph of at most `MOST_DRAWN` states.
            aspect: wanted width over height.
            with_texts: whether states are written into their nodes; on rings they are dots anyway.
            careful: whether the layout may take seconds; if not, it is on rings.
            pause: called every few milliseconds, for a host that has other work. The default,
                `int`, does nothing.

        Raises:
            ParameterError: there are more than `MOST_DRAWN` states.
        """
        count = len(graph.states)
        if count > MOST_DRAWN:
            raise ParameterError(
                _(
                    "this state graph has {count:,} states, but a drawing can show at most "
                    "{most_drawn:,}",
                    count=count,
                    most_drawn=MOST_DRAWN,
                )
            )

        # Nodes have texts, or are dots, which stand closer together.
        by_stress = count <= MOST_BY_STRESS and careful
        has_texts = with_texts and by_stress
        shape = (
            _node_shape(graph) if has_texts else NodeShape(width=DOT, height=DOT, corner=DOT / 2)
        )
        links = np.array([(edge.source, edge.target) for edge in graph.edges]).reshape(-1, 2)
        if by_stress:
            gap = _gap_with_labels(graph) if has_texts else _DOT_GAP
            places = stress_layout(links, graph.mirror, shape, gap=gap, aspect=aspect, pause=pause)
        else:
            # Rings of a wide sheet are ellipses.
            places = ring_layout(
                links,
                np.array(graph.distances),
                shape,
                gap=_RING_GAP,
                aspect=aspect if aspect > _MOST_ASPECT_OF_CIRCLES else 1.0,
            )

        # Arrows, with labels where there is room.
        arrows = StateArrowRouter(graph, places, shape, careful=by_stress).route(pause)
        if has_texts:
            curves = [samples(arrow.points) for arrow in arrows]
            sizes = [arrow.label_size for arrow in arrows]
            labels = place_labels(np.array(curves), np.array(sizes), places, shape)
            arrows = [
                arrow if isnan(x) else replace(arrow, label=(x, y))
                for arrow, (x, y) in zip(arrows, labels.tolist(), strict=True)
            ]
        diagram = cls(
            graph=graph,
            width=0.0,
            height=0.0,
            places=places,
            shape=shape,
            has_texts=has_texts,
            arrows=tuple(arrows),
        )
        return diagram._cropped_to_content()

    def _cropped_to_content(self) -> StateDiagram:
        """Return a copy whose sheet is just large enough for its content, with a margin."""
        # Opposite corners of each node and label, and points of arrows: right and down, [mm].
        half_node = np.array([self.shape.width, self.shape.height]) / 2
        points = [
            self.places - half_node,
            self.places + half_node,
            *(samples(arrow.points) for arrow in self.arrows),
        ]
        for arrow in self.arrows:
            if arrow.label:
                half_label = np.array([arrow.label_size]) / 2
                points += [arrow.label - half_label, arrow.label + half_label]
        all_points = np.concatenate(points)
        # The corner of the new sheet, from which all places are counted.
        corner = all_points.min(axis=0) - _RIM
        left, top = corner.tolist()
        width, height = (all_points.max(axis=0) + _RIM - corner).tolist()
        moved_arrows = tuple(
            replace(
                arrow,
                points=arrow.points - corner,
                label=arrow.label and (arrow.label[0] - left, arrow.label[1] - top),
            )
            for arrow in self.arrows
        )
        return replace(
            self, width=width, height=height, places=self.places - corner, arrows=moved_arrows
        )


def expected_letters(graph: StateGraph, area: float) -> float:
    """Return the estimated upper limit of the size of states' letters in a picture, [pixels].

    Args:
        graph: the graph to draw.
        area: area of the picture, [pixels²].
    """
    # The scale with which nodes and the gaps around them would fill the picture. The factor 0.6
    # allows for the space that they do not fill.
    shape = _node_shape(graph)
    area_per_node = (shape.width + _NODE_GAP) * (shape.height + _NODE_GAP)  # mm²
    pixels_per_mm = float(np.sqrt(area / (len(graph.states) * area_per_node)))
    return LETTERS * 0.6 * pixels_per_mm


def _gap_with_labels(graph: StateGraph) -> float:
    """Return the least gap between nodes with room for labels of arrows, [mm].

    It grows with the longest line of a label, and with the most lines, of which a label has one
    for each edge between the same states.
    """
    letters = max(len(edge.throws) for edge in graph.edges)
    lines = max(Counter((edge.source, edge.target) for edge in graph.edges).values())
    gap = _NODE_GAP + _GAP_PER_LETTER * (min(letters, 8) - 1)
    return gap + _GAP_PER_LINE * (min(lines, 4) - 1)


def _node_shape(graph: StateGraph) -> NodeShape:
    """Return the shape of nodes with room for their states, of which each row is a line of text."""
    rows = len(graph.states[0])
    longest = max(len(row) for row in graph.states[0])
    height = LINE_HEIGHT * rows + 1.9
    return NodeShape(
        width=max(_NODE_PADDING + _LETTER_WIDTH * longest, height),
        height=height,
        corner=min(height / 2, 2.5),
    )


def draw_state_diagram(
    diagram: StateDiagram, title: str, subtitle: str, walk: Sequence[int] = ()
) -> Drawing:
    """Draw a state diagram under a title and a subtitle.

    Args:
        diagram: a state graph with the places of states and the curves of arrows.
        title, subtitle: texts of the heading.
        walk: indices of the states that a pattern passes, in order; from the last one it returns to
            the first. They are highlighted, with the arrows between them.
    """
    # The sheet is as wide as the diagram and its heading need, with the diagram in the middle.
    marks = list(_marks(diagram, walk))
    head: list[Mark] = [
        Label((_MARGIN, _MARGIN), title, size=4.2, colour=PRINT_INK, align="start", bold=True),
        Label((_MARGIN, _MARGIN + 5.5), subtitle, size=2.7, colour=GREY, align="start"),
    ]
    # Letters of title and subtitle are about so wide, [mm].
    width = 2 * _MARGIN + max(diagram.width, 2.45 * len(title), 1.5 * len(subtitle))
    shift = (width - diagram.width) / 2, _HEADING
    return Drawing(
        width=width,
        height=_HEADING + diagram.height + _MARGIN,
        marks=(*head, *(moved_mark(mark, shift) for mark in marks)),
        title=title,
    )


def _marks(diagram: StateDiagram, walk: Sequence[int]) -> Iterator[Mark]:
    """Yield arrows, then nodes, then labels; later marks cover earlier ones.

    Args:
        diagram: a state graph with the places of states and the curves of arrows.
        walk: states one after another, in a circle. Its states and arrows are highlighted, and
            other arrows are pale; without a walk all arrows have the colours of their throws.
    """
    graph = diagram.graph
    shape = diagram.shape
    # Pairs of successive states of the walk, the last one followed by the first.
    walk_steps = set(zip(walk, [*walk[1:], *walk[:1]], strict=True))

    def is_lit(arrow: StateArrow) -> bool:
        """Return whether the walk has this arrow."""
        return (arrow.source, arrow.target) in walk_steps

    def arrow_colour(arrow: StateArrow, unlit: Colour) -> Colour:
        """Return the colour of an arrow's throw, or `unlit` if a walk lacks the arrow."""
        if walk_steps and not is_lit(arrow):
            return unlit
        return value_colour(arrow.value, graph.highest)

    # Later arrows cover earlier ones, so those of the walk are last, and otherwise high throws.
    arrows = sorted(diagram.arrows, key=lambda arrow: (is_lit(arrow), arrow.value))
    usual_width = _ARROW_WIDTH if diagram.has_texts else _DOTS_ARROW_WIDTH  # mm
    for arrow in arrows:
        points = tuple((x, y) for x, y in arrow.points.tolist())
        width = _LIT_ARROW_WIDTH if is_lit(arrow) else usual_width
        yield Stroke(points, arrow_colour(arrow, _PALE), width, arrow=True)

    # Nodes; the ground state is the first one.
    for state, (x, y) in enumerate(diagram.places.tolist()):
        is_ground = state == 0
        is_emphasized = state in walk or is_ground
        # The ground state is dark; the farther a state is from it, the warmer its colour.
        fill = state_colour(graph.distances[state], max(graph.distances))
        edge = GROUND_FILL if is_emphasized else _EDGE
        line = 0.6 if state in walk else 0.25  # mm
        yield Pill((x, y), shape.width, shape.height, fill, outline=edge, line=line)
        if diagram.has_texts:
            ink = WHITE if is_ground else PRINT_INK
            for centre, text in _centred_lines((x, y), graph.states[state], LINE_HEIGHT):
                yield Label(centre, text, LETTERS, ink, bold=is_emphasized)

    # Labels on white ground, with a line for each edge: several throws may lead from a state to
    # the same next one.
    for arrow in arrows:
        if arrow.label:
            yield Pill(arrow.label, *arrow.label_size, WHITE)
            for centre, text in _centred_lines(arrow.label, arrow.throws, LABEL_HEIGHT):
                yield Label(centre, text, LABEL_LETTERS, arrow_colour(arrow, GREY), bold=True)


def _centred_lines(
    middle: Point, lines: Sequence[str], line_height: float
) -> Iterator[tuple[Point, str]]:
    """Yield the centre of each of some lines of text around a common middle, [mm], and its text."""
    x, y = middle
    for row, text in enumerate(lines):
        yield (x, y + (row - (len(lines) - 1) / 2) * line_height), text


_PALE: Colour = (0.84, 0.86, 0.88)
_EDGE: Colour = (0.45, 0.40, 0.34)
