"""Layout of graphs: nodes by least stress, mirrored where the graph is, or on rings; and labels of
arrows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers

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
        width, height: of the rectangle.
        corner: radius of its corners, up to half of its height.
    """

    width: float
    height: float
    corner: float

    def gaps(self, offsets: Floats) -> Floats:
        """Return the gaps between two nodes, [mm]; negative where they overlap.

        Args:
            offsets: from the centre of one to that of the other, shape (..., 2), [mm].
        """
        core = (self.width / 2 - self.corner, self.height / 2 - self.corner)
        return self.clearance(offsets, *core) - self.corner

    def clearance(
        self, offsets: Floats, half_width: float = 0.0, half_height: float = 0.0
    ) -> Floats:
        """Return distances from the border of a node to points or rectangles, negative inside.

        Args:
            offsets: from the centre of the node to the points, or to the centres of the rectangles,
                shape (..., 2), [mm].
            half_width, half_height: half of the size of the rectangles, [mm]; 0 for points.
        """
        # Signed distance of a rectangle with round corners: of the rectangle without the radius of
        # its corners, less this radius.
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
    """Lay out a graph so that distances of nodes are proportional to the least links between them.

    This is done by stress majorisation (E. R. Gansner, Y. Koren, S. North, Graph Drawing by Stress
    Majorization, 2004) from several starts, of which one with few crossings of links and little
    stress is taken. The layout is then scaled to millimetres, its nodes are pushed apart, and it is
    stretched toward the wanted aspect. The result is always the same.

    Args:
        links: pairs of nodes, shape (M, 2), in which each node occurs.
        mirror: for each node its counterpart on the other side of an upright axis; empty for none.
        shape: of the nodes.
        gap: the least between nodes, [mm].
        aspect: wanted width over height of the layout.
        pause: called after each step, for a host that has other work.

    Returns:
        Centres of the nodes, shape (N, 2), right and down, [mm].
    """
    count = int(links.max()) + 1
    if count == 1:
        return np.zeros((1, 2))
    symmetrised = _symmetrised(mirror)
    # Wanted distances d, weights 1 / d² (0 for a node and itself), and the pseudoinverse of the
    # weighted Laplacian.
    wanted = _steps_apart(links, count)
    weights = np.where(wanted > 0, np.maximum(wanted, 1e-9) ** -2.0, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    # Each link once, without loops.
    links = np.unique(np.sort(links[links[:, 0] != links[:, 1]], axis=1), axis=0)

    def majorised(layouts: Floats) -> Floats:
        """Layouts of less stress, shape (S, N, 2)."""
        for _step in range(_MAJORISATION_STEPS):
            layouts = symmetrised(_less_stress(layouts, wanted, weights, inverse))
            pause()
        return layouts

    # The best of several starts: few crossings, and little stress. A crossing counts as much as
    # half a unit of stress per node.
    layouts = majorised(symmetrised(_starts(wanted, count)))
    stress = (weights * (_distances(layouts) - wanted) ** 2).sum(axis=(1, 2)) / count
    crossings = [_crossings(places, links) for places in layouts]
    best = layouts[int((crossings + 2.0 * stress).argmin())]
    places = majorised(best[None])[0]

    # Turn, unless the axis of symmetry is upright; scale to millimetres; push nodes apart.
    turned = places if mirror else _widest_across(places)
    fitted = _fitted(turned, links, shape, gap=gap, aspect=aspect)
    spread = _pushed_apart(fitted, shape, gap, symmetrised)
    # Stretch one axis towards the wanted aspect, which brings no nodes closer to each other.
    width, height = np.ptp(spread, axis=0) + (shape.width, shape.height)
    stretch = aspect * height / width
    return spread * (
        np.clip(stretch, 1.0, _MOST_STRETCH),
        np.clip(1.0 / stretch, 1.0, _MOST_STRETCH),
    )


def ring_layout(
    links: Integers, rings: Integers, shape: NodeShape, *, gap: float, aspect: float = 1.0
) -> Floats:
    """Lay out a graph on rings around its first node, each node near its neighbours.

    Args:
        links: pairs of nodes, shape (M, 2).
        rings: the ring of each node, shape (N,), 0 for the first node only.
        shape: of the nodes.
        gap: the least between nodes, [mm].
        aspect: width over height; of a wide layout, rings are ellipses.

    Returns:
        Centres of the nodes, shape (N, 2), right and down, [mm].
    """
    # Radii: each ring outside of the one before, and long enough for its nodes side by side.
    pitch = np.hypot(shape.width, shape.height) + gap
    angles = np.zeros(len(rings))
    radii = np.zeros(len(rings))
    radius = 0.0
    for ring in range(1, int(rings.max()) + 1):
        nodes = np.flatnonzero(rings == ring)
        # Neighbours a pitch apart on a circle: pitch = 2 r sin(π / n).
        least = pitch / 2 / np.sin(np.pi / len(nodes)) if len(nodes) > 1 else 0.0
        radius = max(radius + 3 * pitch, least)
        angles[nodes] = 2 * np.pi * np.arange(len(nodes)) / len(nodes)
        radii[nodes] = radius

    # Angles: sort the nodes of each ring by the mean direction of their neighbours, again and
    # again.
    both_ways = np.concatenate([links, links[:, ::-1]])
    for sweep in range(2 * _RING_SWEEPS):
        # Alternately by the neighbours on rings further in, and by all of them.
        inward = rings[both_ways[:, 1]] < rings[both_ways[:, 0]]
        node, neighbour = (both_ways[inward] if sweep % 2 == 0 else both_ways).T
        # Sum of the neighbours' directions; the first node, in the middle, has none.
        pull = np.zeros(len(rings), dtype=complex)
        np.add.at(pull, node, np.exp(1j * angles[neighbour]) * (rings[neighbour] > 0))
        wanted_angles = np.where(np.abs(pull) > 1e-9, np.angle(pull) % (2 * np.pi), angles)
        for ring in range(1, int(rings.max()) + 1):
            nodes = np.flatnonzero(rings == ring)
            in_order = nodes[np.argsort(wanted_angles[nodes], kind="stable")]
            even_angles = 2 * np.pi * np.arange(len(nodes)) / len(nodes)
            # Evenly spaced, turned such that nodes are as near as can be to the wanted angles.
            rotation = np.angle(np.exp(1j * (wanted_angles[in_order] - even_angles)).sum())
            angles[in_order] = (even_angles + rotation) % (2 * np.pi)
    # Angles count from the top.
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


def _steps_apart(links: Integers, count: int) -> Floats:
    """Return the least number of links between any two nodes, in either direction, shape (N, N).

    They are found by breadth first search from all nodes at once. Nodes that are not connected are
    one step farther apart than the most distant of those that are.

    Args:
        links: pairs of nodes, shape (M, 2).
        count: of nodes.
    """
    linked = np.zeros((count, count), dtype=bool)
    linked[links[:, 0], links[:, 1]] = True
    linked[links[:, 1], links[:, 0]] = True
    reached: Booleans = np.eye(count, dtype=bool)
    steps = np.zeros((count, count))
    while not reached.all():
        # Products of floats are faster than those of booleans.
        reached_next = reached | (reached.astype(np.float32) @ linked.astype(np.float32) > 0)
        steps[~reached] += 1
        # Parts of the graph that are not connected stay apart.
        if (reached_next == reached).all():
            break
        reached = reached_next
    return steps


def _starts(wanted: Floats, count: int) -> Floats:
    """Return the starting layouts, shape (S, N, 2): by classical scaling, and some at random.

    Classical scaling (W. S. Torgerson, 1952) gives coordinates along several axes, of which pairs
    are taken. The random numbers are always the same.

    Args:
        wanted: distances between nodes, shape (N, N).
        count: of nodes.
    """
    centring = np.eye(count) - 1 / count
    eigenvalues, vectors = np.linalg.eigh(-0.5 * centring @ wanted**2 @ centring)
    # `eigh` sorts axes from the least important on.
    coordinates = vectors[:, ::-1] * np.sqrt(np.maximum(eigenvalues[::-1], 0.0))
    axes = [pair for pair in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)) if max(pair) < count]
    random_starts = max(3, min(_NODES_OF_ALL_STARTS // count, 100))
    random_layouts = np.random.default_rng(count).standard_normal((random_starts, count, 2))
    return np.concatenate(
        [[coordinates[:, list(pair)] for pair in axes], random_layouts * wanted.max() / 2]
    )


def _distances(places: Floats) -> Floats:
    """Distances between all nodes of S layouts, shapes (S, N, 2) to (S, N, N)."""
    # |p - q|² = p² + q² - 2 p·q. Never 0, since pulls are divided by it.
    square = (places**2).sum(axis=2)
    products = places @ places.transpose(0, 2, 1)
    return np.asarray(
        np.sqrt(np.maximum(square[:, :, None] + square[:, None] - 2 * products, 1e-12))
    )


def _less_stress(places: Floats, wanted: Floats, weights: Floats, inverse: Floats) -> Floats:
    """Make one step of stress majorisation: return layouts of no more stress than before.

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


def _widest_across(places: Floats) -> Floats:
    """Turn a layout so that it is widest from left to right, the first node at the upper left.

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
        places: of the nodes, shape (N, 2).
        links: pairs of nodes, shape (M, 2), each once.
    """
    # Links from a to b and from c to d. Those with a common node do not cross.
    first, second = np.triu_indices(len(links), 1)
    a, b = links[first].T
    c, d = links[second].T
    are_disjoint = (a != c) & (a != d) & (b != c) & (b != d)
    pa, pb, pc, pd = (places[nodes[are_disjoint]] for nodes in (a, b, c, d))

    def side(p: Floats, q: Floats, r: Floats) -> Booleans:
        """Whether the point r lies to one side of the line from p to q, or to the other."""
        return np.asarray(
            (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) > (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])
        )

    # Lines cross if the ends of each lie on both sides of the other.
    return float(
        ((side(pa, pb, pc) != side(pa, pb, pd)) & (side(pc, pd, pa) != side(pc, pd, pb))).sum()
    )


def _fitted(
    places: Floats, links: Integers, shape: NodeShape, *, gap: float, aspect: float
) -> Floats:
    """Stretch a layout to an aspect, and scale it such that there is room for nodes and arrows.

    No crossing of links changes by this.

    Args:
        places: of the nodes in any unit, shape (N, 2).
        links: pairs of nodes, shape (M, 2), each once.
        shape: of the nodes.
        gap: the least between nodes, [mm].
        aspect: wanted width over height.

    Returns:
        Places about the origin, shape (N, 2), [mm].
    """
    places = places - (places.max(axis=0) + places.min(axis=0)) / 2
    # Both extents become 1, but for a layout that is nearly a line: an extent counts as at least a
    # fifth of the larger one, so that noise is not stretched to full height.
    extent = np.maximum(np.ptp(places, axis=0), 1e-9 + 0.2 * np.ptp(places))
    places = places / extent * (np.sqrt(aspect), 1 / np.sqrt(aspect))
    # All but the shortest 30 % of the links get the wanted length or more; nodes that are too near
    # to each other are pushed apart later.
    wanted = gap * _GAP_SPREAD + (shape.width + shape.height) / 2
    link_lengths = np.linalg.norm(places[links[:, 0]] - places[links[:, 1]], axis=1)
    return np.asarray(places * wanted / np.percentile(link_lengths, 30))


def _pushed_apart(places: Floats, shape: NodeShape, gap: float, symmetrised: _Symmetrise) -> Floats:
    """Push nodes apart until there is the least gap between all of them.

    Args:
        places: of the nodes, shape (N, 2), [mm].
        shape: of the nodes.
        gap: the least between nodes, [mm].
        symmetrised: makes places symmetric.
    """
    first, second = np.triu_indices(len(places), 1)
    for _ in range(_PUSHES):
        between = places[second] - places[first]
        missing = np.maximum(gap - shape.gaps(between), 0.0)
        if missing.max() < 1e-3 * gap:
            break
        distances = np.maximum(np.linalg.norm(between, axis=1), 1e-9)
        # Less than half of the missing gap each, for a smooth approach.
        push = between / distances[:, None] * (0.3 * missing)[:, None]
        moved = places.copy()
        np.add.at(moved, first, -push)
        np.add.at(moved, second, push)
        places = symmetrised(moved)
    # If pushing got stuck, enlarge everything, 3 % at a time, until the least gap is nearly there.
    for _ in range(_PUSHES):
        if (shape.gaps(places[second] - places[first]) >= 0.97 * gap).all():
            break
        places = places * 1.03
    return places
