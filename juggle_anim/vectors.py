"""Linear algebra: vectors as rows (..., 3) or columns (3, N), angles, steps, permutations."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers

_YZX = np.array([1, 2, 0])
_ZXY = np.array([2, 0, 1])
# Squared lengths outside this range underflow or overflow.
_MIN_SQUARE = 1e-280
_MAX_SQUARE = 1e280
# Differences of finite numbers may overflow.
_MAX_FINITE = 1e308


def z_up(points: Floats) -> Floats:
    """Return points of the world, in which y is up, as with z up, shape (..., 3).

    x stays, and what is in front has a negative y: as Blender turns a model that it reads.
    """
    turned: Floats = points[..., [0, 2, 1]] * (1.0, -1.0, 1.0)
    return turned


def y_up(points: Floats) -> Floats:
    """Return points as of `z_up` as they are in the world, shape (..., 3)."""
    turned: Floats = points[..., [0, 2, 1]] * (1.0, 1.0, -1.0)
    return turned


def unit(vectors: Floats) -> Floats:
    """Unit vectors, shape (..., 3); a zero vector stays 0."""
    return vectors / np.sqrt(np.maximum(dot(vectors, vectors), 1e-300))


def norm(vectors: Floats) -> Floats:
    """Lengths, shape (..., 3) to (..., 1)."""
    return np.sqrt(dot(vectors, vectors))


def dot(left: Floats, right: Floats) -> Floats:
    """Dot products, shape (..., 3) to (..., 1).

    The result of a vector is bitwise independent of the others in the array.
    """
    # In a matrix product, the order of summation depends on the shape.
    products = left * right
    return products[..., :1] + products[..., 1:2] + products[..., 2:]


def cross(left: Floats, right: Floats) -> Floats:
    """Cross products, shape (..., 3); faster than numpy's own on small arrays."""
    # `take` is three times as fast as fancy indexing on small arrays.
    return left.take(_YZX, -1) * right.take(_ZXY, -1) - left.take(_ZXY, -1) * right.take(_YZX, -1)


def orthonormal_frames(along: Floats, aside: Floats) -> Floats:
    """Return orthonormal frames by Gram–Schmidt, shape (..., 3, 3).

    Their columns are the unit vector of the first direction, that of the second direction's part at
    right angles to it, and their cross product.

    Args:
        along: first direction, shape (..., 3), of any length but 0.
        aside: second direction, same shape, not parallel to the first.
    """
    x = unit(along)
    y = unit(aside - dot(aside, x) * x)
    return np.stack([x, y, cross(x, y)], axis=-1)


def cross_product_matrices(vectors: Floats) -> Floats:
    """Return the matrices [v]× with [v]× w = v × w, shape (..., 3, 3), of vectors (..., 3)."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    rows = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1)
    return rows.reshape(*vectors.shape, 3)


def column_dot(left: Floats, right: Floats) -> Floats:
    """Dot products of columns, shape (3, N) to (N,); faster than rows where there are many."""
    return left[0] * right[0] + left[1] * right[1] + left[2] * right[2]


def column_norm(columns: Floats) -> Floats:
    """Lengths of columns, shape (3, N) to (N,)."""
    return np.sqrt(column_dot(columns, columns))


def column_cross(left: Floats, right: Floats) -> Floats:
    """Cross products of columns, shape (3, N)."""
    product = np.empty(np.broadcast_shapes(left.shape, right.shape))
    for row, (second, third) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.subtract(left[second] * right[third], left[third] * right[second], out=product[row])
    return product


def column_units(columns: Floats, otherwise: Floats) -> tuple[Floats, Floats]:
    """Return the directions and lengths of N vectors, without overflow or underflow.

    Args:
        columns: the vectors, each a column, shape (3, N), finite.
        otherwise: the direction, a unit vector, returned for a zero vector, shape (3,).

    Returns:
        Unit vectors, shape (3, N), and lengths in the unit of `columns`, shape (N,).
    """
    # The usual case, in which no square comes near to an overflow or underflow.
    with np.errstate(over="ignore"):
        squares = column_dot(columns, columns)
    if not squares.size or (squares.min() > _MIN_SQUARE and squares.max() < _MAX_SQUARE):
        lengths = np.sqrt(squares)
        return columns / lengths, lengths

    # Scaled by their largest coordinates, so that squares neither overflow nor underflow.
    columns = np.clip(columns, -_MAX_FINITE, _MAX_FINITE)
    largest = np.abs(columns).max(axis=0)
    zero = largest == 0.0
    scaled = np.where(zero, otherwise[:, None], columns / np.where(zero, 1.0, largest))
    lengths = column_norm(scaled)
    return scaled / lengths, lengths * largest


def rotate_about_y(points: Floats, angle: Floats) -> Floats:
    """Return points rotated about +y, from +z toward +x, shape (..., 3).

    x' = x cos α + z sin α, z' = z cos α − x sin α. If all angles are 0, the same array is returned.

    Args:
        points: shape (..., 3).
        angle: of a shape that broadcasts with that of the points without their last axis, [rad].
    """
    if not angle.any():
        return points
    sine = np.sin(angle)
    cosine = np.cos(angle)
    x = points[..., 0]
    y = points[..., 1]
    z = points[..., 2]
    turned = np.empty((*np.broadcast_shapes(x.shape, angle.shape), 3))
    # Three times as fast as stacking.
    np.add(x * cosine, z * sine, out=turned[..., 0])
    turned[..., 1] = y
    np.subtract(z * cosine, x * sine, out=turned[..., 2])
    return turned


def wrap_angle(angle: Floats) -> Floats:
    """Angles from −π up to π, [rad]."""
    return np.remainder(angle + np.pi, 2 * np.pi) - np.pi


def times_in_loop(times: Floats, loop: float) -> tuple[Floats, Integers]:
    """Split times into times within a loop and the numbers of their loops.

    Args:
        times: shape (N,), [s].
        loop: duration of the loop, above 0, [s].

    Returns:
        Times within the loop, at least 0 and below `loop`, shape (N,), [s]; and for each by how
        many loops it is later, shape (N,).
    """
    loops, remainders = np.divmod(times, loop)
    # The remainder of a tiny negative number is rounded up to `loop`: the start of the next one.
    is_rounded_up = remainders >= loop
    remainders[is_rounded_up] = 0.0
    loops[is_rounded_up] += 1
    return remainders, loops.astype(np.intp)


def inverse_permutation(order: Integers) -> Integers:
    """The inverse of a permutation, shape (N,)."""
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return inverse


def mean_by_event(event: Integers, values: Floats, count: int) -> Floats:
    """Return the mean of the values of each event; 0 for an event without values.

    An event is a moment at which a hand throws or catches one or several props. Each of these props
    has a row of values, and an event has their mean.

    Args:
        event: shape (N,), index of the event to which each row of values belongs.
        values: shape (N,), or (N, C) with C coordinates.
        count: number of events.

    Returns:
        Shape (count,) or (count, C).
    """
    total = np.zeros((count, *values.shape[1:]))
    number = np.bincount(event, minlength=count)
    # The usual case, at most one row an event: the mean is that row.
    if number.max(initial=0) <= 1:
        total[event] = values
        return total
    # `np.add.at` adds all values of an event, where an indexed += would add the last only. An event
    # without values has the total 0, which is divided by 1.
    np.add.at(total, event, values)
    number = np.maximum(1, number)
    return total / number.reshape(-1, *[1] * (values.ndim - 1))


def broadcast(values: Floats, shape: tuple[int, ...]) -> Floats:
    """Values broadcast to a shape; quicker than numpy's own where they have it."""
    return values if values.shape == shape else np.broadcast_to(values, shape)


def unit_interval(values: Floats) -> Floats:
    """Values clipped to 0 to 1; several times faster than numpy's clip on small arrays."""
    return np.minimum(np.maximum(values, 0.0), 1.0)


def smooth_step(values: Floats) -> Floats:
    """The smooth step 3x² − 2x³ of values clipped to 0 to 1, with slope 0 at both ends."""
    x = unit_interval(values)
    return x * x * (3.0 - 2.0 * x)


def smoother_step(values: Floats) -> Floats:
    """The step 10x³ − 15x⁴ + 6x⁵ of values clipped to 0 to 1.

    Its slope and curvature are 0 at both ends.
    """
    x = unit_interval(values)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


def as_point(vector: Floats) -> tuple[float, float, float]:
    """Return a vector, shape (3,), as plain numbers."""
    return float(vector[0]), float(vector[1]), float(vector[2])
