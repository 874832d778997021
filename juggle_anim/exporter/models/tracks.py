"""Motion tracks: how bodies and props move and turn, as samples, and as keys in quaternions or Euler angles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.skeleton import SEGMENTS, local_rotations
from juggle_anim.exporter.models.smooth_body import Carriers, carriers_of
from juggle_anim.exporter.options import Progress
from juggle_anim.motion import Frames
from juggle_anim.scene.compose import drawn_kinds

MAX_NUMBERS = 50_000_000
"""Larger models need too much memory, and no program opens them."""

Track = TypeVar("Track", Floats, Singles)

_X, _Y, _Z, _W = range(4)
_LOCKED = 1e-9

_BODIES_AT_ONCE = 256


@dataclass(frozen=True)
class MotionTracks:
    """Keys at T times; quaternions are x, y, z, w of unit length, as in glTF.

    Args:
        times: shape (T,), from 0, [s].
        pelvises: shape (J, T, 3), [m].
        turns: shape (J · S, T, 4), quaternions of each juggler's segments relative to their parents.
        props: shape (P, T, 3), centres, [m].
        pointing: shape (P, T, 4), quaternions of props; the identity for squares.
        helper_turns: shape (J · H, T, 4), quaternions of the joints of each juggler beside segments, see
            `smooth_body.Carriers`, relative to the segments that they hang on.
        helper_places: shape (J · H, T, 3), where they are, likewise, [m].
    """

    times: Singles
    pelvises: Singles
    turns: Singles
    props: Singles
    pointing: Singles
    helper_turns: Singles
    helper_places: Singles


def motion_tracks(request: FrameRequest, progress: Progress | None) -> MotionTracks:
    """The tracks of a request, with a key after the last frame, where the loop begins again.

    Args:
        request: the frames.
        progress: called with the number of frames done and of all frames.

    Raises:
        ParameterError: the tracks would be too large.
    """
    carriers = carriers_of(request.animation)
    tracks = _empty_tracks(request, len(carriers.helpers))
    for some in motion_samples(request, closing=True):
        _fill(tracks, some, carriers)
        if progress:
            progress(min(some.end, request.frames), request.frames)
    continuous(tracks.turns)
    continuous(tracks.helper_turns)
    balls = drawn_kinds(request.animation.motion) == "ball"
    continuous(nearest_looks(tracks.pointing, balls))
    return tracks


def _empty_tracks(request: FrameRequest, helpers: int) -> MotionTracks:
    jugglers, props, times = request.animation.jugglers, request.animation.choreography.props, request.frames + 1
    numbers = times * (1 + jugglers * (3 + 4 * len(SEGMENTS) + 7 * helpers) + 7 * props)
    if numbers > MAX_NUMBERS:
        raise ParameterError(
            f"that makes a model of {numbers / 1e6:,.0f} million numbers, and {MAX_NUMBERS / 1e6:.0f} million is the "
            "most: take fewer loops or seconds, or a lower rate"
        )
    shapes = (
        (times,),
        (jugglers, times, 3),
        (jugglers * len(SEGMENTS), times, 4),
        (props, times, 3),
        (props, times, 4),
        (jugglers * helpers, times, 4),
        (jugglers * helpers, times, 3),
    )
    return MotionTracks(*(np.zeros(shape, dtype=np.float32) for shape in shapes))


def _fill(tracks: MotionTracks, some: MotionSamples, carriers: Carriers) -> None:
    now = slice(some.first, some.end)
    tracks.times[now] = some.times
    tracks.pelvises[:, now] = np.swapaxes(some.joints[:, :, Joint.PELVIS], 0, 1)
    turns = quaternions(local_rotations(some.joints))
    tracks.turns[:, now] = np.moveaxis(turns, 0, 2).reshape(-1, len(some), 4)
    if len(carriers.helpers):
        rotations, places = carriers.motion(some.joints, some.pose.gaze)
        tracks.helper_turns[:, now] = np.moveaxis(quaternions(rotations), 0, 2).reshape(-1, len(some), 4)
        tracks.helper_places[:, now] = np.moveaxis(places, 0, 2).reshape(-1, len(some), 3)
    tracks.props[:, now] = np.swapaxes(some.frames.props, 0, 1)
    tracks.pointing[:, now, 3] = 1.0
    motion, frames = some.animation.motion, some.frames
    if frames.aims is not None:
        tracks.pointing[:, now] = aim_quaternions(np.swapaxes(frames.aims, 0, 1))
    balls = np.flatnonzero(drawn_kinds(motion) == "ball")
    aims = motion.ball_aims(balls, frames.times[:, None], frames.holders[:, balls])
    tracks.pointing[balls, now] = aim_quaternions(np.swapaxes(aims, 0, 1))


def quaternions(rotations: Floats) -> Floats:
    """Quaternions of rotations, shape (..., 4); the sign of each is arbitrary.

    Each quaternion q has a symmetric 4 × 4 matrix 4·q·qᵀ, whose elements are sums of those of the rotation. Its
    row with the greatest q² is well conditioned (S. W. Shepperd, "Quaternion from Rotation Matrix", 1978).

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
    """Quaternions that turn +z to where props point and keep +x level: about +x by −pitch, then about +y by the yaw.

    Args:
        aims: shape (..., 2), yaw and pitch as in `juggle_anim.motion.aim`, [rad].

    Returns:
        Shape (..., 4).
    """
    yaw, pitch = aims[..., 0] / 2, aims[..., 1] / 2
    level, aside = np.cos(yaw), np.sin(yaw)
    ahead, up = np.cos(pitch), np.sin(pitch)
    return np.stack([-level * up, aside * ahead, aside * up, level * ahead], axis=-1)


def nearest_looks(track: Track, balls: Booleans) -> Track:
    """Add half a turn about an axis of a prop wherever this makes it turn less from one key to the next, in place.

    The yaw of a prop that passes the vertical jumps by half a turn, and balls jump by half turns when they are caught.
    They look the same after it, but not while a program interpolates: clubs and rings after half a turn about their
    own +z, balls with eight panels about any of their axes. A half turn about +x is followed by one about +y as by one
    about +z: their numbers 1, 2 and 3 add up without carry.

    Args:
        track: shape (N, T, 4), as for `continuous`.
        balls: shape (N,).
    """
    x, y, z, w = np.moveaxis(track, -1, 0)
    looks = np.stack([track, np.stack([w, z, -y, -x], -1), np.stack([-z, w, x, -y], -1), np.stack([y, -x, w, -z], -1)])
    turned_by = np.abs(np.einsum("gntk,ntk->gnt", looks[:, :, 1:], track[:, :-1]))
    turned_by[1:3, ~balls] = -1.0
    chosen = np.bitwise_xor.accumulate(turned_by.argmax(axis=0), axis=1)
    track[:, 1:] = np.take_along_axis(looks[:, :, 1:], chosen[None, ..., None], axis=0)[0]
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


def juggler_name(juggler: int) -> str:
    """The name of a juggler, by number from 0; names count from 1."""
    return f"juggler_{juggler + 1}"


def joint_name(joint: Joint) -> str:
    """The name of a joint, for any juggler."""
    return joint.name.lower()


def prop_name(prop: int) -> str:
    """The name of a prop, by number from 0; names count from 1."""
    return f"prop_{prop + 1}"


@dataclass(frozen=True)
class MotionSamples:
    """Successive samples of the motion.

    Args:
        animation: the animation.
        first: number of the first sample.
        times: playing times since the first sample of all, shape (T,), [s].
        frames: hands and props.
    """

    animation: Animation
    first: int
    times: Floats
    frames: Frames

    def __len__(self) -> int:
        return len(self.times)

    @property
    def end(self) -> int:
        """The number after the last sample."""
        return self.first + len(self)

    @cached_property
    def pose(self) -> Pose:
        """The bodies."""
        return self.animation.pose(self.frames.times)

    @property
    def joints(self) -> Floats:
        """Shape (T, J, `JOINTS`, 3), [m]."""
        return self.pose.joints


def motion_samples(request: FrameRequest, closing: bool = False) -> Iterator[MotionSamples]:
    """Yield the samples of a request in parts that fit in memory.

    Args:
        request: the frames.
        closing: whether to add a sample after the last frame, where the loop begins again.
    """
    speed = request.animation.parameters.speed
    count, step = request.frames + closing, request.duration / request.frames
    at_once = max(1, _BODIES_AT_ONCE // request.animation.jugglers)
    for first in range(0, count, at_once):
        times = np.arange(first, min(first + at_once, count), dtype=float) * step
        frames = request.animation.sample((request.start + times) * speed)
        yield MotionSamples(request.animation, first, times, frames)
