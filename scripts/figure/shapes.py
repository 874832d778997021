"""Shapes that pieces are unions of: signed distances, negative inside, [m]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import PchipInterpolator, RectBivariateSpline
from scipy.ndimage import gaussian_filter
from scipy.spatial import KDTree

from figure.rest_pose import MIRROR
from juggle_anim.arrays import Floats
from juggle_anim.scene.skin import NAMES

Distance = Callable[[Floats], Floats]
"""Of points, shape (N, 3) to (N,), [m]."""

Chain = Callable[[Floats], Floats]
"""Weights of bones at points, shape (N, 3) to (N, bones)."""


@dataclass(frozen=True)
class Shape:
    """One shape of a piece.

    Args:
        distance: of points, shape (N, 3) to (N,), [m].
        chain: weights of bones at points, shape (N, 3) to (N, bones).
        blend: width over which it flows into the shapes before it, [m].
        cut: whether it is cut away from them.
        reach: over this difference of distances its share in the weights of bones falls by e, [m].
    """

    distance: Distance
    chain: Chain | None = None
    blend: float = 0.0
    cut: bool = False
    reach: float = 0.011


def union(shapes: Sequence[Shape], points: Floats) -> Floats:
    """The signed distance of shapes, each blended into those before it (I. Quilez, "Smooth
    minimum": polynomial).
    """
    total = shapes[0].distance(points)
    for shape in shapes[1:]:
        d = shape.distance(points)
        if shape.cut:
            total = -total
            d = d
        if shape.blend:
            h = np.maximum(shape.blend - np.abs(total - d), 0.0) / shape.blend
            total = np.minimum(total, d) - h * h * shape.blend / 4
        else:
            total = np.minimum(total, d)
        if shape.cut:
            total = -total
    return total


def gradient(distance: Distance, points: Floats, step: float) -> Floats:
    """How fast a distance grows along each axis, over a step to either side, [m], shape (N, 3)."""
    columns = [
        distance(points + step * axis) - distance(points - step * axis) for axis in np.eye(3)
    ]
    return np.stack(columns, axis=-1) / (2 * step)


def outward(distance: Distance, points: Floats, step: float) -> Floats:
    """Unit vectors along the gradient."""
    slope = gradient(distance, points, step)
    return slope / np.linalg.norm(slope, axis=-1, keepdims=True)


def both(*shapes: Shape) -> list[Shape]:
    """Shapes of the left side, and the same on the right."""
    return [each for shape in shapes for each in (shape, mirrored(shape))]


def mirrored(shape: Shape) -> Shape:
    """The shape on the other side."""
    chain = shape.chain
    return replace(
        shape,
        distance=lambda points: shape.distance(points * MIRROR),
        chain=(lambda points: chain(points * MIRROR)[:, SWAP]) if chain else None,
    )


def _other(name: str) -> str:
    return name.replace("left", "right") if "left" in name else name.replace("right", "left")


SWAP = np.array([NAMES.index(_other(name)) for name in NAMES])


def ellipsoid(
    centre: Floats | Sequence[float], radii: Floats | Sequence[float], frame: Floats | None = None
) -> Distance:
    """An ellipsoid whose axes are the columns of a frame."""
    middle = np.asarray(centre, dtype=float)
    sizes = np.asarray(radii, dtype=float)

    def distance(points: Floats) -> Floats:
        place = points - middle if frame is None else (points - middle) @ frame
        inner = np.linalg.norm(place / sizes, axis=-1)
        slope = np.linalg.norm(place / sizes**2, axis=-1)
        return np.maximum(inner * (inner - 1.0) / np.maximum(slope, 1e-9), -sizes.min())

    return distance


def cone(start: Floats, first: float, end: Floats, last: float) -> Distance:
    """A round cone, as the convex hull of two balls."""
    step = np.asarray(end) - start
    size = np.linalg.norm(step)
    axis = step / size
    slope = (first - last) / size

    def distance(points: Floats) -> Floats:
        away = points - start
        along = away @ axis
        across = np.sqrt(np.maximum((away**2).sum(-1) - along**2, 0.0))
        place = np.clip(along + across * slope / np.sqrt(1.0 - slope**2), 0.0, size)
        return np.hypot(along - place, across) - (first - slope * place)

    return distance


def loft(
    origin: Floats,
    axis: Floats,
    left: Floats,
    table: Sequence[Sequence[float]],
    power: float = 2.0,
    ends: tuple[float | None, float | None] = (None, None),
) -> Distance:
    """A tube along an axis.

    Args:
        origin, axis, left: its start, and unit directions along it and to its left.
        table: rows of a place along the axis and of the extents there to the left, right, front and
            back, [m].
        power: of the superellipses that its outlines are made of: 2 is round, more is squarer.
        ends: where it is cut off flat; None leaves it at the ends of the table.
    """
    rows = np.array(table)
    profile = PchipInterpolator(rows[:, 0], rows[:, 1:], axis=0)
    axis = axis / np.linalg.norm(axis)
    left = left - (left @ axis) * axis
    left /= np.linalg.norm(left)
    front = np.cross(left, axis)
    low = rows[0, 0] if ends[0] is None else ends[0]
    high = rows[-1, 0] if ends[1] is None else ends[1]

    def distance(points: Floats) -> Floats:
        away = points - origin
        along = away @ axis
        x = away @ left
        z = away @ front
        extents = profile(np.clip(along, rows[0, 0], rows[-1, 0]))
        a = np.where(x > 0, extents[:, 0], extents[:, 1])
        b = np.where(z > 0, extents[:, 2], extents[:, 3])
        x = np.abs(x) / a
        z = np.abs(z) / b
        inner = (x**power + z**power) ** (1 / power)
        slope = np.hypot(x ** (power - 1) / a, z ** (power - 1) / b) * np.maximum(inner, 1e-6) ** (
            1 - power
        )
        around = np.maximum((inner - 1.0) / np.maximum(slope, 1e-6), -np.minimum(a, b))
        return rounded(around, np.maximum(low - along, along - high))

    return distance


HEM = 0.009
"""Over this width an edge of cloth is rounded: a sharp one would come out of the grid ragged, [m].
"""


def rounded(one: Floats, other: Floats) -> Floats:
    """What two shapes have in common, with an edge as of cloth."""
    return in_both(one, other, HEM)


def in_both(one: Floats, other: Floats, width: float) -> Floats:
    """The distance of what two shapes have in common, with an edge that is rounded over a width."""
    h = np.maximum(width - np.abs(one - other), 0.0) / width
    return np.maximum(one, other) + h * h * width / 4


def jointed(
    first: Distance, second: Distance, joint: Floats, axis: Floats, width: float
) -> Distance:
    """Two tubes as one: the second takes over from the first where its joint is passed along an
    axis.
    """

    def distance(points: Floats) -> Floats:
        share = np.clip((points - joint) @ axis / (2 * width) + 0.5, 0.0, 1.0)
        share = share * share * (3 - 2 * share)
        return (1 - share) * first(points) + share * second(points)

    return distance


def rise(value: Floats, start: float, end: float) -> Floats:
    """From 0 at a start smoothly to 1 at an end."""
    share = np.clip((value - start) / (end - start), 0.0, 1.0)
    return share * share * (3 - 2 * share)


HEAD_RADIUS = 0.08
"""About how far the sides of a head are from its middle, [m]."""


def above_line(line: Sequence[tuple[float, float]]) -> Callable[[Floats, Floats], Floats]:
    """How far places on a head are above a line around it, without creases, [m].

    Args:
        line: heights above the middle of the head by the angle from straight ahead, [°, m].

    Returns:
        A function of angles and heights, shape (N,) each, [°, m].
    """
    knots = np.array(line)
    height = PchipInterpolator(knots[:, 0], knots[:, 1])
    angles = np.linspace(0.0, 180.0, 145)
    heights = np.linspace(-0.14, 0.18, 161)
    # The head is unrolled, so that both axes are lengths.
    fine = np.linspace(0.0, 180.0, 3601)
    tree = KDTree(np.column_stack([HEAD_RADIUS * np.radians(fine), height(fine)]))
    places = np.stack(
        np.meshgrid(HEAD_RADIUS * np.radians(angles), heights, indexing="ij"), axis=-1
    )
    above = np.sign(places[..., 1] - height(angles)[:, None]) * tree.query(places)[0]
    # 3 mm along both axes.
    smooth = RectBivariateSpline(angles, heights, gaussian_filter(above, (1.7, 1.5), mode="mirror"))
    return smooth.ev


def locks(across: Floats, width: float) -> Floats:
    """Locks of hair side by side, each so wide across: 1 in the middle of each, and 0 between."""
    return np.abs(np.sin(np.pi * across / width))
