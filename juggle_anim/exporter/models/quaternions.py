"""Rotations as quaternions x, y, z, w of unit length, as in glTF, and as Euler angles."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Singles

Track = TypeVar("Track", Floats, Singles)

_X, _Y, _Z, _W = range(4)
_LOCKED = 1e-9


def quaternions(rotations: Floats) -> Floats:
    """Quaternions of rotations, shape (..., 4); the sign of each is arbitrary.

    Each quaternion q has a symmetric 4 × 4 matrix 4·q·qᵀ, whose elements are sums of those of the
    rotation. Its row with the greatest q² is well conditioned (S. W. Shepperd, "Quaternion from
    Rotation Matrix", 1978).

    Args:
        rotations: shape (..., 3, 3), for column vectors.
    """
    r = rotations
    xx = r[..., 0, 0]
    yy = r[..., 1, 1]
    zz = r[..., 2, 2]
    products = np.empty((*r.shape[:-2], 4, 4))
    products[..., _X, _X], products[..., _Y, _Y] = 1 + xx - yy - zz, 1 - xx + yy - zz
    products[..., _Z, _Z], products[..., _W, _W] = 1 - xx - yy + zz, 1 + xx + yy + zz
    for first, second, value in (
        (_X, _Y, r[..., 1, 0] + r[..., 0, 1]),
        (_X, _Z, r[..., 0, 2] + r[..., 2, 0]),
        (_Y, _Z, r[..., 2, 1] + r[..., 1, 2]),
        (_X, _W, r[..., 2, 1] - r[..., 1, 2]),
        (_Y, _W, r[..., 0, 2] - r[..., 2, 0]),
        (_Z, _W, r[..., 1, 0] - r[..., 0, 1]),
    ):
        products[..., first, second] = products[..., second, first] = value
    greatest = np.diagonal(products, axis1=-2, axis2=-1).argmax(axis=-1)
    row = np.take_along_axis(products, greatest[..., None, None], axis=-2)[..., 0, :]
    return row / np.linalg.norm(row, axis=-1, keepdims=True)


def continuous(track: Track) -> Track:
    """Choose the sign of each quaternion nearest to the one before, in place.

    Args:
        track: shape (N, T, 4), quaternions of N objects at T times.
    """
    turned = np.einsum("ntk,ntk->nt", track[:, 1:], track[:, :-1]) < 0
    odd = np.cumsum(turned, axis=1) % 2 == 1
    track[:, 1:][odd] *= -1
    return track


def aim_quaternions(aims: Floats) -> Floats:
    """Quaternions that turn +z to where props point and keep +x level: about +x by −pitch, then
    about +y by the yaw.

    Args:
        aims: shape (..., 2), yaw and pitch as in `juggle_anim.motion.spin`, [rad].

    Returns:
        Shape (..., 4).
    """
    yaw = aims[..., 0] / 2
    pitch = aims[..., 1] / 2
    level = np.cos(yaw)
    aside = np.sin(yaw)
    ahead = np.cos(pitch)
    up = np.sin(pitch)
    return np.stack([-level * up, aside * ahead, aside * up, level * ahead], axis=-1)


def nearest_looks(track: Track, balls: Booleans) -> Track:
    """Add half a turn about an axis of a prop wherever this makes it turn less from one key to the
    next, in place.

    The yaw of a prop that passes the vertical jumps by half a turn, and balls jump by half turns
    when they are caught. They look the same after it, but not while a program interpolates: clubs
    and rings after half a turn about their own +z, balls with eight panels about any of their axes.
    A half turn about +x is followed by one about +y as by one about +z: their numbers 1, 2 and 3
    add up without carry.

    Args:
        track: shape (N, T, 4), as for `continuous`.
        balls: shape (N,).
    """
    x, y, z, w = np.moveaxis(track, -1, 0)
    looks = np.stack(
        [
            track,
            np.stack([w, z, -y, -x], -1),
            np.stack([-z, w, x, -y], -1),
            np.stack([y, -x, w, -z], -1),
        ]
    )
    turned_by = np.abs(np.einsum("gntk,ntk->gnt", looks[:, :, 1:], track[:, :-1]))
    turned_by[1:3, ~balls] = -1.0
    chosen = np.bitwise_xor.accumulate(turned_by.argmax(axis=0), axis=1)
    track[:, 1:] = np.take_along_axis(looks[:, :, 1:], chosen[None, ..., None], axis=0)[0]
    return track


def zxy_angles(rotations: Floats) -> Floats:
    """Angles about z, x and y, shape (..., 3), [rad].

    From R = Rz(a)·Rx(b)·Ry(c): R₂₁ = sin b, R₀₁ = −sin a cos b, R₁₁ = cos a cos b, R₂₀ = −cos b sin
    c, R₂₂ = cos b cos c. Where cos b is 0, a and c turn about one axis, and c is left at 0.

    Args:
        rotations: shape (..., 3, 3), for column vectors.
    """
    r = rotations
    level = np.hypot(r[..., 0, 1], r[..., 1, 1])
    locked = level < _LOCKED
    about_z = np.where(
        locked, np.arctan2(r[..., 1, 0], r[..., 0, 0]), np.arctan2(-r[..., 0, 1], r[..., 1, 1])
    )
    about_x = np.arctan2(r[..., 2, 1], level)
    about_y = np.where(locked, 0.0, np.arctan2(-r[..., 2, 0], r[..., 2, 2]))
    return np.stack([about_z, about_x, about_y], axis=-1)
