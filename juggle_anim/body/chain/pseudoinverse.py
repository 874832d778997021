"""The Moore–Penrose pseudoinverse of many small matrices at once, by iteration."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats

SWEEPS = 40
"""At most; each squares what is missing, so that these are enough for singular values a million times apart."""

# What one sweep may still change, relative; the next one would change its square.
_SETTLED = 1e-7
# Every so many sweeps those that have settled are let go.
_LOOK = 3


def pseudoinverse(matrices: Floats, damping: Floats) -> Floats:
    """Damped pseudoinverses Jᵀ (J Jᵀ + λ²)⁻¹; for λ = 0 the Moore–Penrose ones, also where a matrix lacks rank.

    Args:
        matrices: J, shape (m, n, B), the batch last.
        damping: λ², shape (B,), in the square of J's unit.

    Returns:
        Shape (n, m, B).

    Source: the iteration X ← X (2 − J X) from X = α Jᵀ converges to J⁺ (A. Ben-Israel and D. Cohen, "On iterative
    computation of generalized inverses and associated projections", 1966). All X are Jᵀ Y, and Y ← Y (2 − J Jᵀ Y) is
    the same with smaller matrices; damping appends λ to J.
    """
    gram = np.einsum("ikb,jkb->ijb", matrices, matrices)
    rows = np.arange(len(gram))
    gram[rows, rows] += damping
    return np.einsum("jib,jkb->ikb", matrices, _inverse(gram))


def _inverse(gram: Floats) -> Floats:
    """Y, for which Jᵀ Y is the pseudoinverse, of G = J Jᵀ + λ², all of shape (m, m, B)."""
    # No eigenvalue exceeds the norm.
    scale = 1.0 / np.maximum(np.sqrt(np.einsum("ijb,ijb->b", gram, gram)), 1e-300)
    inverse, product = np.eye(len(gram))[..., None] * scale, gram * scale
    found, columns = np.empty_like(gram), np.arange(gram.shape[2])
    for sweep in range(1, SWEEPS + 1):
        # Y ← Y (2 − G Y), and with it G Y ← G Y (2 − G Y).
        inverse = 2 * inverse - np.einsum("ikb,kjb->ijb", inverse, product)
        squared = np.einsum("ikb,kjb->ijb", product, product)
        if sweep % _LOOK == 0:
            going = np.abs(product - squared).max(axis=(0, 1)) > _SETTLED
            if not going.any():
                break
            if 2 * np.count_nonzero(going) < going.size:
                found[..., columns] = inverse
                columns, inverse = columns[going], inverse[..., going]
                product, squared = product[..., going], squared[..., going]
        product = 2 * product - squared
    found[..., columns] = inverse
    return found
