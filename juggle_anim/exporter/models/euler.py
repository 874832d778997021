"""Euler angles in the order that BVH files have them: R = Rz · Rx · Ry."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats


def zxy_angles(rotations: Floats) -> Floats:
    """Angles about z, x and y, shape (..., 3), [rad].

    From R = Rz(a)·Rx(b)·Ry(c): R₂₁ = sin b, R₀₁ = −sin a cos b, R₁₁ = cos a cos b, R₂₀ = −cos b sin c,
    R₂₂ = cos b cos c. Where cos b is 0, a and c turn about one axis, and c is left at 0.

    Args:
        rotations: shape (..., 3, 3), for column vectors.
    """
    r = rotations
    level = np.hypot(r[..., 0, 1], r[..., 1, 1])
    locked = level < _LOCKED
    about_z = np.where(locked, np.arctan2(r[..., 1, 0], r[..., 0, 0]), np.arctan2(-r[..., 0, 1], r[..., 1, 1]))
    about_x = np.arctan2(r[..., 2, 1], level)
    about_y = np.where(locked, 0.0, np.arctan2(-r[..., 2, 0], r[..., 2, 2]))
    return np.stack([about_z, about_x, about_y], axis=-1)


_LOCKED = 1e-9
