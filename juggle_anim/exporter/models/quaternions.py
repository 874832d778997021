"""Rotations as quaternions x, y, z, w of unit length, as in glTF, and as Euler angles."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Singles

Track = TypeVar("Track", Floats, Singles)

_X, _Y, _Z, _W = range(4)

_GIMBAL_LOCK = 1e-9  # cosine of the middle Euler angle, below which the outer axes are one


def quaternions(rotations: Floats) -> Floats:
    """Return the quaternion x, y, z, w of each rotation, whose sign is arbitrary.

    The elements of the symmetric matrix 4·q·qᵀ are sums and differences of those of the rotation.
    Each of its rows is q times a number, 4·q_i, so any row but 0 gives q when it is normalised; the
    one with the greatest q_i² is best conditioned (S. W. Shepperd, "Quaternion from Rotation
    Matrix", 1978).

    Args:
        rotations: shape (..., 3, 3), for column vectors.

    Returns:
        Shape (..., 4), of unit length.
    """
    r = rotations
    xx = r[..., 0, 0]
    yy = r[..., 1, 1]
    zz = r[..., 2, 2]

    # Diagonal: 4·q².
    products = np.empty((*r.shape[:-2], 4, 4))
    products[..., _X, _X] = 1 + xx - yy - zz
    products[..., _Y, _Y] = 1 - xx + yy - zz
    products[..., _Z, _Z] = 1 - xx - yy + zz
    products[..., _W, _W] = 1 + xx + yy + zz

    # Off the diagonal: 4·xy = r₁₀ + r₀₁, 4·xw = r₂₁ − r₁₂, and so on.
    for first, second, product in (
        (_X, _Y, r[..., 1, 0] + r[..., 0, 1]),
        (_X, _Z, r[..., 0, 2] + r[..., 2, 0]),
        (_Y, _Z, r[..., 2, 1] + r[..., 1, 2]),
        (_X, _W, r[..., 2, 1] - r[..., 1, 2]),
        (_Y, _W, r[..., 0, 2] - r[..., 2, 0]),
        (_Z, _W, r[..., 1, 0] - r[..., 0, 1]),
    ):
        products[..., first, second] = product
        products[..., second, first] = product

    greatest = np.diagonal(products, axis1=-2, axis2=-1).argmax(axis=-1)
    row = np.take_along_axis(products, greatest[..., None, None], axis=-2)[..., 0, :]
    return row / np.linalg.norm(row, axis=-1, keepdims=True)


def continuous(track: Track) -> Track:
    """Choose the sign of each quaternion that brings it nearest to the one before, in place.

    The first quaternion of each object keeps its sign. Programs interpolate the numbers of
    successive keys, which would turn the long way round between opposite signs.

    Args:
        track: shape (N, T, 4), quaternions of N objects at T times; T is at least 1.

    Returns:
        The same array.
    """
    # Whether each given quaternion is nearer to the opposite of the given one before it.
    flips = np.einsum("ntk,ntk->nt", track[:, 1:], track[:, :-1]) < 0
    # Negating one quaternion asks the same of all later ones, up to the next flip: so a quaternion
    # is negated where the number of flips up to it is odd.
    negated = np.cumsum(flips, axis=1) % 2 == 1
    track[:, 1:][negated] *= -1
    return track


def aim_quaternions(aims: Floats) -> Floats:
    """Return quaternions x, y, z, w that turn +z to where props point and keep +x level.

    The rotation is about +x by −pitch, which raises +z, and then about +y by the yaw.

    Args:
        aims: shape (..., 2), yaw and pitch as in `juggle_anim.motion.spin`, [rad].

    Returns:
        Shape (..., 4).
    """
    half_yaw = aims[..., 0] / 2
    half_pitch = aims[..., 1] / 2
    cos_yaw = np.cos(half_yaw)
    sin_yaw = np.sin(half_yaw)
    cos_pitch = np.cos(half_pitch)
    sin_pitch = np.sin(half_pitch)
    return np.stack(
        [-cos_yaw * sin_pitch, sin_yaw * cos_pitch, sin_yaw * sin_pitch, cos_yaw * cos_pitch],
        axis=-1,
    )


def nearest_looks(track: Track, balls: Booleans) -> Track:
    """Choose among rotations in which a prop looks the same the one nearest to the key before it.

    The yaw of a prop that passes the vertical jumps by half a turn, and balls jump by half turns
    when they are caught. A prop looks the same before and after such a jump, but not while a
    program interpolates between the two keys. A club or a ring looks the same after half a turn
    about its own +z, and a ball with eight panels after one about any of its axes. The first key of
    each prop stays as it is; `track` is changed in place.

    Args:
        track: shape (N, T, 4), quaternions x, y, z, w of N props at T times.
        balls: whether each prop is a ball, shape (N,).

    Returns:
        The same array; signs are arbitrary, see `continuous`.
    """
    # Looks 0 to 3, shape (4, N, T, 4): the rotation itself, and after a half turn about the prop's
    # own +x, +y and +z.
    x, y, z, w = np.moveaxis(track, -1, 0)
    looks = np.stack(
        [
            track,
            np.stack([w, z, -y, -x], -1),
            np.stack([-z, w, x, -y], -1),
            np.stack([y, -x, w, -z], -1),
        ]
    )
    # |q·p| is the cosine of half the angle from one given key to the next: greatest where the prop
    # turns least. Half turns about +x and +y, looks 1 and 2, are for balls only.
    half_angle_cosines = np.abs(np.einsum("gntk,ntk->gnt", looks[:, :, 1:], track[:, :-1]))
    half_angle_cosines[1:3, ~balls] = -1.0
    # These looks are relative to the given key before, which gets a half turn of its own: both half
    # turns are combined. Two about different axes are one about the third, and two about the same
    # are none; so do the numbers 0 to 3 under exclusive or, accumulated over the keys.
    chosen = np.bitwise_xor.accumulate(half_angle_cosines.argmax(axis=0), axis=1)
    track[:, 1:] = np.take_along_axis(looks[:, :, 1:], chosen[None, ..., None], axis=0)[0]
    return track


def zxy_angles(rotations: Floats) -> Floats:
    """Return Euler angles about z, x and y, [rad].

    From R = Rz(a)·Rx(b)·Ry(c): R₂₁ = sin b, R₀₁ = −sin a cos b, R₁₁ = cos a cos b, R₂₀ = −cos b sin
    c, R₂₂ = cos b cos c. Where cos b is 0 (gimbal lock), a and c turn about one axis, so that c may
    be 0; then R₁₀ = sin a and R₀₀ = cos a.

    Args:
        rotations: shape (..., 3, 3), for column vectors.

    Returns:
        Angles a, b and c, shape (..., 3): a and c from −π to π, b from −π/2 to π/2.
    """
    r = rotations
    cos_x = np.hypot(r[..., 0, 1], r[..., 1, 1])
    locked = cos_x < _GIMBAL_LOCK
    about_z = np.where(
        locked, np.arctan2(r[..., 1, 0], r[..., 0, 0]), np.arctan2(-r[..., 0, 1], r[..., 1, 1])
    )
    about_x = np.arctan2(r[..., 2, 1], cos_x)
    about_y = np.where(locked, 0.0, np.arctan2(-r[..., 2, 0], r[..., 2, 2]))
    return np.stack([about_z, about_x, about_y], axis=-1)
