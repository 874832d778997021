"""Vectors that stand as columns, shape (3, N): with one row for each coordinate, many are quick to reckon with."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats

# Squares of lengths outside these lose digits.
_LEAST_SQUARE, _GREATEST_SQUARE = 1e-280, 1e280
# A difference of finite numbers may be greater than numbers can be.
_GREATEST = 1e308


def dot(one: Floats, other: Floats) -> Floats:
    """Dot products of columns, shape (N,)."""
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def cross(one: Floats, other: Floats) -> Floats:
    """Cross products of columns, shape (3, N)."""
    product = np.empty(np.broadcast_shapes(one.shape, other.shape))
    for row, (second, third) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.subtract(one[second] * other[third], one[third] * other[second], out=product[row])
    return product


def directions(columns: Floats, otherwise: Floats) -> tuple[Floats, Floats]:
    """Unit columns, shape (3, N), and lengths, shape (N,), of finite columns of any size.

    Args:
        columns: shape (3, N).
        otherwise: shape (3,), the direction of a column that has none.
    """
    with np.errstate(over="ignore"):
        squares = dot(columns, columns)
    if not squares.size or (squares.min() > _LEAST_SQUARE and squares.max() < _GREATEST_SQUARE):
        lengths = np.sqrt(squares)
        return columns / lengths, lengths
    columns = np.clip(columns, -_GREATEST, _GREATEST)
    largest = np.abs(columns).max(axis=0)
    nowhere = largest == 0.0
    near_one = np.where(nowhere, otherwise[:, None], columns / np.where(nowhere, 1.0, largest))
    lengths = np.sqrt(dot(near_one, near_one))
    return near_one / lengths, lengths * largest
