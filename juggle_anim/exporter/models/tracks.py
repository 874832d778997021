"""Motion tracks: how bodies and props move and turn, as keys at even times.

MERGED: Quaternions x, y, z, w of unit length, as glTF has them.

MERGED: Euler angles in the order that BVH files have them: R = Rz · Rx · Ry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import Joint
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.model import Captured, captured
from juggle_anim.exporter.models.skeleton import SEGMENTS, local_rotations

MOST_NUMBERS = 50_000_000
"""More would need more memory than many a machine has, and no program opens such a model."""

Track = TypeVar("Track", Floats, Singles)

_X, _Y, _Z, _W = range(4)

_LOCKED = 1e-9


@dataclass(frozen=True)
class MotionTracks:
    """Keys at T times.

    Args:
        times: shape (T,), from 0, [s].
        pelvises: shape (J, T, 3), [m].
        turns: shape (J · S, T, 4), of the segments of each juggler seen from their parents, quaternions x, y, z, w.
        props: shape (P, T, 3), centres, [m].
        pointing: shape (P, T, 4), of props; that of balls is not turned.
    """

    times: Singles
    pelvises: Singles
    turns: Singles
    props: Singles
    pointing: Singles


def motion_tracks(shots: FrameRequest, progress: Callable[[int, int], None] | None) -> MotionTracks:
    """The tracks of some shots, the moment after the last among them, with which a loop begins anew.

    Args:
        shots: when.
        progress: called with the number of moments done, and of all.

    Raises:
        ParameterError: they would be too many numbers.
    """
    tracks = _room(shots)
    for some in captured(shots, closing=True):
        _fill(tracks, some)
        if progress:
            progress(min(some.end, shots.frames), shots.frames)
    steady(tracks.turns)
    steady(rolled(tracks.pointing))
    return tracks


def _room(shots: FrameRequest) -> MotionTracks:
    jugglers, props, times = shots.animation.jugglers, shots.animation.choreography.props, shots.frames + 1
    numbers = times * (1 + jugglers * (3 + 4 * len(SEGMENTS)) + 7 * props)
    if numbers > MOST_NUMBERS:
        raise ParameterError(
            f"that makes a model of {numbers / 1e6:,.0f} million numbers, and {MOST_NUMBERS / 1e6:.0f} million is the "
            "most: take fewer loops or seconds, or a lower rate"
        )
    shapes = (
        (times,),
        (jugglers, times, 3),
        (jugglers * len(SEGMENTS), times, 4),
        (props, times, 3),
        (props, times, 4),
    )
    return MotionTracks(*(np.zeros(shape, dtype=np.float32) for shape in shapes))


def _fill(tracks: MotionTracks, some: Captured) -> None:
    now = slice(some.first, some.end)
    tracks.times[now] = some.times
    tracks.pelvises[:, now] = np.swapaxes(some.joints[:, :, Joint.PELVIS], 0, 1)
    turns = quaternions(local_rotations(some.joints))
    tracks.turns[:, now] = np.moveaxis(turns, 0, 2).reshape(-1, len(some), 4)
    tracks.props[:, now] = np.swapaxes(some.frames.props, 0, 1)
    tracks.pointing[:, now, 3] = 1.0
    if some.frames.aims is not None:
        tracks.pointing[:, now] = pointed(np.swapaxes(some.frames.aims, 0, 1))


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
