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

# of majorisation; nodes of all starts together
_ROUNDS = 60
_TRIED = 2_400
_SPREAD = 1.35
_PUSHES = 300
_STRETCH = 2.0
_SWEEPS = 6


class NodeShape(NamedTuple):
    """The shape of all nodes: a rectangle with round corners, [mm].

    Attributes:
        width, height: of the rectangle.
        corner: radius of its corners, up to half of its height.
    """

    width: float
    height: float
    corner: float

    def gaps(self, apart: Floats) -> Floats:
        """The gaps between two nodes, [mm]; negative where they overlap.

        Args:
            apart: from the centre of one to that of the other, shape (..., 2), [mm].
        """
        return (
            self.clearance(apart, self.width / 2 - self.corner, self.height / 2 - self.corner)
            - self.corner
        )

    def clearance(self, apart: Floats, more_width: float = 0.0, more_height: float = 0.0) -> Floats:
        """Distances from the border of a node to points, or to rectangles around them, [mm];
        negative inside.

        Args:
            apart: from the centre of the node to the points, shape (..., 2), [mm].
            more_width, more_height: half of the size of the rectangles, [mm].
        """
        x = np.abs(apart[..., 0]) - (self.width / 2 - self.corner + more_width)
        y = np.abs(apart[..., 1]) - (self.height / 2 - self.corner + more_height)
        outside = np.hypot(np.maximum(x, 0.0), np.maximum(y, 0.0))
        return np.asarray(outside + np.minimum(np.maximum(x, y), 0.0) - self.corner)


def stress_layout(
    links: Integers,
    mirror: Sequence[int],
    shape: NodeShape,
    gap: float,
    aspect: float,
    pause: Callable[[], object],
) -> Floats:
    """Places of nodes, shape (N, 2), [mm], whose distances are as those along links: close where
    they are linked.

    By stress majorisation (E. R. Gansner, Y. Koren, S. North, Graph Drawing by Stress Majorization,
    2004) from several starts, of which the one with the fewest crossings of links is taken. It is
    deterministic.

    Args:
        links: pairs of nodes, shape (M, 2), in which each is.
        mirror: for each node its counterpart on the other side of an upright axis; empty for none.
        shape: of the nodes.
        gap: the least between nodes, [mm].
        aspect: wanted width over height of the layout.
        pause: called now and then.
    """
    count = int(links.max()) + 1
    if count == 1:
        return np.zeros((1, 2))
    fold = _fold(mirror)
    apart = _steps_apart(links, count)
    weights = np.where(apart > 0, np.maximum(apart, 1e-9) ** -2.0, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    links = np.unique(np.sort(links[links[:, 0] != links[:, 1]], axis=1), axis=0)

    def majorised(places: Floats) -> Floats:
        for _ in range(_ROUNDS):
            places = fold(_less_stress(places, apart, weights, inverse))
            pause()
        return places

    starts = majorised(fold(_starts(apart, count)))
    stress = (weights * (_lengths(starts) - apart) ** 2).sum(axis=(1, 2)) / count
    crossings = [_crossings(places, links) for places in starts]
    best = starts[int((crossings + 2.0 * stress).argmin())]
    places = majorised(best[None])[0]
    spread = _apart(
        _fitted(places if mirror else _lying(places), links, shape, gap, aspect), shape, gap, fold
    )
    # Stretched once more, which brings no nodes closer to each other.
    width, height = np.ptp(spread, axis=0) + (shape.width, shape.height)
    stretch = aspect * height / width
    return spread * (np.clip(stretch, 1.0, _STRETCH), np.clip(1.0 / stretch, 1.0, _STRETCH))


def ring_layout(
    links: Integers, rings: Integers, shape: NodeShape, gap: float, aspect: float = 1.0
) -> Floats:
    """Places of nodes on rings around the first one, near those that each is linked to, shape (N,
    2), [mm].

    Args:
        links: pairs of nodes, shape (M, 2).
        rings: the ring of each node, shape (N,), 0 for the first node only.
        shape: of the nodes.
        gap: the least between nodes, [mm].
        aspect: width over height; of a wide layout, rings are ellipses.
    """
    pitch = np.hypot(shape.width, shape.height) + gap
    angles = np.zeros(len(rings))
    radii = np.zeros(len(rings))
    radius = 0.0
    for ring in range(1, int(rings.max()) + 1):
        own = np.flatnonzero(rings == ring)
        radius = max(
            radius + 3 * pitch, pitch / 2 / np.sin(np.pi / len(own)) if len(own) > 1 else 0.0
        )
        angles[own], radii[own] = 2 * np.pi * np.arange(len(own)) / len(own), radius
    both = np.concatenate([links, links[:, ::-1]])
    for sweep in range(2 * _SWEEPS):
        # Alternately by the neighbours on the ring within, and by all of them.
        near = both[rings[both[:, 1]] < rings[both[:, 0]]] if sweep % 2 == 0 else both
        pull = np.zeros(len(rings), dtype=complex)
        np.add.at(pull, near[:, 0], np.exp(1j * angles[near[:, 1]]) * (rings[near[:, 1]] > 0))
        wanted = np.where(np.abs(pull) > 1e-9, np.angle(pull) % (2 * np.pi), angles)
        for ring in range(1, int(rings.max()) + 1):
            own = np.flatnonzero(rings == ring)
            order = own[np.argsort(wanted[own], kind="stable")]
            even = 2 * np.pi * np.arange(len(own)) / len(own)
            # Turned so that nodes are as near as can be to where they are wanted.
            turn = np.angle(np.exp(1j * (wanted[order] - even)).sum())
            angles[order] = (even + turn) % (2 * np.pi)
    return np.stack([np.sin(angles) * max(aspect, 1.0), -np.cos(angles)], axis=1) * radii[:, None]


_Fold = Callable[[Floats], Floats]


def _fold(mirror: Sequence[int]) -> _Fold:
    """What makes places symmetric: each becomes the mean of it and of the mirror image of its
    counterpart.
    """
    if not mirror:
        return lambda places: places
    images = list(mirror)
    return lambda places: (places + places[..., images, :] * (-1.0, 1.0)) / 2


def _steps_apart(links: Integers, count: int) -> Floats:
    """Steps along links between any two nodes, shape (N, N)."""
    linked = np.zeros((count, count), dtype=bool)
    linked[links[:, 0], links[:, 1]] = linked[links[:, 1], links[:, 0]] = True
    reached: Booleans = np.eye(count, dtype=bool)
    apart = np.zeros((count, count))
    while not reached.all():
        further = reached | (reached.astype(np.float32) @ linked.astype(np.float32) > 0)
        apart[~reached] += 1
        if (further == reached).all():
            break
        reached = further
    return apart


def _starts(apart: Floats, count: int) -> Floats:
    """Classical scaling (W. S. Torgerson, 1952), and some starts by chance that are always the
    same.
    """
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centring @ apart**2 @ centring)
    best = vectors[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0.0))
    pairs = [pair for pair in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)) if max(pair) < count]
    chance = np.random.default_rng(count).standard_normal(
        (max(3, min(_TRIED // count, 100)), count, 2)
    )
    return np.concatenate([[best[:, list(pair)] for pair in pairs], chance * apart.max() / 2])


def _lengths(places: Floats) -> Floats:
    """Distances between all nodes of several layouts, shape (S, N, N)."""
    square = (places**2).sum(axis=2)
    products = places @ places.transpose(0, 2, 1)
    return np.asarray(
        np.sqrt(np.maximum(square[:, :, None] + square[:, None] - 2 * products, 1e-12))
    )


def _less_stress(places: Floats, apart: Floats, weights: Floats, inverse: Floats) -> Floats:
    """Layouts of no more stress, shape (S, N, 2)."""
    pull = weights * apart / _lengths(places)
    return np.asarray(inverse @ (pull.sum(axis=2)[:, :, None] * places - pull @ places))


def _lying(places: Floats) -> Floats:
    """Places turned so that they are widest from left to right, the first node on the left and
    above.
    """
    centred = places - places.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    turned = centred @ vectors[:, ::-1]
    signs = np.where(turned[0] > 1e-6, -1.0, 1.0)
    return np.asarray(turned * signs)


def _crossings(places: Floats, links: Integers) -> float:
    """How many pairs of links cross each other."""
    one, other = np.triu_indices(len(links), 1)
    a = links[one, 0]
    b = links[one, 1]
    c = links[other, 0]
    d = links[other, 1]
    free = (a != c) & (a != d) & (b != c) & (b != d)
    pa, pb, pc, pd = (places[each[free]] for each in (a, b, c, d))

    def side(p: Floats, q: Floats, r: Floats) -> Booleans:
        return np.asarray(
            (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) > (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])
        )

    return float(
        ((side(pa, pb, pc) != side(pa, pb, pd)) & (side(pc, pd, pa) != side(pc, pd, pb))).sum()
    )


def _fitted(places: Floats, links: Integers, shape: NodeShape, gap: float, aspect: float) -> Floats:
    """Places stretched to an aspect, at which no crossing changes, and scaled to room for nodes and
    arrows.
    """
    places = places - (places.max(axis=0) + places.min(axis=0)) / 2
    extent = np.maximum(np.ptp(places, axis=0), 1e-9 + 0.2 * np.ptp(places))
    places = places / extent * (np.sqrt(aspect), 1 / np.sqrt(aspect))
    wanted = gap * _SPREAD + (shape.width + shape.height) / 2
    long = np.linalg.norm(places[links[:, 0]] - places[links[:, 1]], axis=1)
    return np.asarray(places * wanted / np.percentile(long, 30))


def _apart(places: Floats, shape: NodeShape, gap: float, fold: _Fold) -> Floats:
    """Places pushed apart until there is the least gap between all nodes."""
    one, other = np.triu_indices(len(places), 1)
    for _ in range(_PUSHES):
        between = places[other] - places[one]
        short = np.maximum(gap - shape.gaps(between), 0.0)
        if short.max() < 1e-3 * gap:
            break
        long = np.maximum(np.linalg.norm(between, axis=1), 1e-9)
        push = between / long[:, None] * (0.3 * short)[:, None]
        moved = places.copy()
        np.add.at(moved, one, -push)
        np.add.at(moved, other, push)
        places = fold(moved)
    for _ in range(_PUSHES):
        if (shape.gaps(places[other] - places[one]) >= 0.97 * gap).all():
            break
        places = places * 1.03
    return places
