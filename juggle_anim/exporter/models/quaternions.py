"""Quaternions x, y, z, w of unit length, as glTF has them."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from juggle_anim.arrays import Floats, Singles

Track = TypeVar("Track", Floats, Singles)

_X, _Y, _Z, _W = range(4)


def quaternions(rotations: Floats) -> Floats:
    """The quaternions of rotations, shape (..., 4), either of the two that each has.

    Each quaternion q has a symmetric 4 × 4 matrix 4·q·qᵀ, whose members are sums of those of the rotation; the row of
    the greatest q² is divided by no small number (S. W. Shepperd, "Quaternion from Rotation Matrix", 1978).

    Args:
        rotations: shape (..., 3, 3), for column vectors.
    """
    r = rotations
    xx, yy, zz = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
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


def steady(track: Track) -> Track:
    """The same rotations, each by that of its two quaternions which is nearer to the one before.

    Args:
        track: shape (N, T, 4), N things at T times.
    """
    turned = np.einsum("ntk,ntk->nt", track[:, 1:], track[:, :-1]) < 0
    odd = np.cumsum(turned, axis=1) % 2 == 1
    track[:, 1:][odd] *= -1
    return track


def pointed(aims: Floats) -> Floats:
    """Rotations that bring +z to where props point, and keep +x level: about +x by −pitch, then about +y by the yaw.

    Args:
        aims: shape (..., 2), yaw and pitch as in `juggle_anim.motion.aim`, [rad].

    Returns:
        Shape (..., 4).
    """
    yaw, pitch = aims[..., 0] / 2, aims[..., 1] / 2
    level, aside = np.cos(yaw), np.sin(yaw)
    ahead, up = np.cos(pitch), np.sin(pitch)
    return np.stack([-level * up, aside * ahead, aside * up, level * ahead], axis=-1)


def rolled(track: Track) -> Track:
    """The same for what looks the same after half a turn about its own +z, which is given wherever it turns less then.

    A prop that goes over the vertical may be told to lie the other way round from one moment to the next. Nobody sees
    that of a club or a ring, unless something between the two is shown.

    Args:
        track: shape (N, T, 4), as for `steady`.
    """
    over = np.stack([track[..., _Y], -track[..., _X], track[..., _W], -track[..., _Z]], axis=-1)
    stays, turns = (np.abs(np.einsum("ntk,ntk->nt", other[:, 1:], track[:, :-1])) for other in (track, over))
    odd = np.cumsum(turns > stays, axis=1) % 2 == 1
    track[:, 1:][odd] = over[:, 1:][odd]
    return track
