"""A limb of two bones: the joint between them, and the end they reach."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats


def unit(vectors: Floats) -> Floats:
    """Vectors of length 1, shape (..., 3); one that has no direction stays 0."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    return vectors / np.maximum(length, 1e-300)


def dot(one: Floats, other: Floats) -> Floats:
    """Dot products, shape (..., 3) to (..., 1)."""
    return np.einsum("...i,...i->...", one, other)[..., None]


def cross(one: Floats, other: Floats) -> Floats:
    """Cross products, shape (..., 3); quicker than numpy's own on small arrays."""
    turned, twice = one[..., [1, 2, 0]], one[..., [2, 0, 1]]
    return turned * other[..., [2, 0, 1]] - twice * other[..., [1, 2, 0]]


def bend(
    root: Floats, axis: Floats, distance: Floats, upper: float, lower: float, side: Floats
) -> tuple[Floats, Floats]:
    """Joint and end of a limb that is bent toward one side; no bone ever stretches.

    Args:
        root: shape (..., 3), where the limb starts, [m].
        axis: shape (..., 3), unit direction from the root to the target.
        distance: shape (..., 1), to the target, [m]; one out of reach is brought to the nearest that is in reach.
        upper, lower: lengths of the bones, [m].
        side: shape (..., 3), unit direction at right angles to the axis, toward which the joint lies.

    Returns:
        The joint and the end of the limb, each of shape (..., 3), [m].
    """
    reached = np.clip(distance, max(abs(upper - lower), 1e-9), upper + lower)
    along = (upper**2 - lower**2 + reached**2) / (2 * reached)
    across = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    return root + axis * along + side * across, root + axis * reached
