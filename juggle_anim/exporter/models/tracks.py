"""Motion tracks: how bodies and props move and turn, as samples and as keys.

Rotations as quaternions x, y, z, w of unit length, as in glTF, and as Euler angles.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeVar

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.models.bodies import Carriers, carriers_of
from juggle_anim.exporter.models.skeleton import SEGMENTS, local_rotations, rig_of
from juggle_anim.exporter.options import Progress
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion
from juggle_anim.scene import drawn_kinds

Track = TypeVar("Track", Floats, Singles)

_X, _Y, _Z, _W = range(4)

_GIMBAL_LOCK = 1e-9  # cosine of the middle Euler angle, below which the outer axes are one


def quaternions(rotations: Floats) -> Floats:
    """Return the quaternion x, y, z, w of each rotation; its sign is arbitrary.

    By S. W. Shepperd, "Quaternion from Rotation Matrix", 1978:

    - The elements of the symmetric matrix 4·q·qᵀ are sums and differences of the elements of the
      rotation matrix.
    - Row i of that matrix is q times the number 4·q[i]. So any row that is not 0 gives q when it is
      normalised, and the row with the greatest q[i]² is best conditioned.

    Args:
        rotations: rotation matrices for column vectors, shape (..., 3, 3).

    Returns:
        Shape (..., 4), of unit length.
    """
    r = rotations
    xx = r[..., 0, 0]
    yy = r[..., 1, 1]
    zz = r[..., 2, 2]

    # Diagonal: 4·q[i]², since x² + y² + z² + w² = 1.
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

    # The row of the greatest diagonal element.
    greatest = np.diagonal(products, axis1=-2, axis2=-1).argmax(axis=-1)
    row = np.take_along_axis(products, greatest[..., None, None], axis=-2)[..., 0, :]
    return row / np.linalg.norm(row, axis=-1, keepdims=True)


def continuous(track: Track) -> Track:
    """Choose the sign of each quaternion that brings it nearest to the one before, in place.

    The first quaternion of each object keeps its sign. Programs interpolate the numbers of
    successive keys, which would turn the long way round between opposite signs.

    A track has the keys of a moving object: values at ascending times.

    Args:
        track: shape (N, T, 4), quaternions of N objects at T times; T is at least 1.

    Returns:
        The same array.
    """
    # A flip is where a given quaternion is nearer to the opposite of the given one before it.
    flips = np.einsum("ntk,ntk->nt", track[:, 1:], track[:, :-1]) < 0
    # If one quaternion is negated, so must be all later ones up to the next flip. So a quaternion
    # is negated if the number of flips up to it is odd.
    negated = np.cumsum(flips, axis=1) % 2 == 1
    track[:, 1:][negated] *= -1
    return track


def aim_quaternions(aims: Floats) -> Floats:
    """Return quaternions x, y, z, w that turn +z to where props point and keep +x level.

    The rotation is about +x by −pitch, which raises +z, and then about +y by the yaw.

    Args:
        aims: shape (..., 2), yaw about +y and pitch above the horizon, [rad].

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
    """Remove half turns between keys of props that look the same after them; changes `track`.

    The yaw of a prop that passes the vertical jumps by half a turn, and balls jump by half turns
    when they are caught. Such a jump is invisible at the keys, but not when a program interpolates
    between them. A club or a ring looks the same after half a turn about its own +z, and a ball
    with eight panels after one about any of its axes. Each key except the first gets the equivalent
    rotation that is nearest to the key before.

    A track has the keys of a moving object: values at ascending times.

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
    # |q·p| is the cosine of half the angle from one key to the next: greatest for the least turn.
    # Half turns about +x and +y (looks 1 and 2) are allowed only for balls.
    half_angle_cosines = np.abs(np.einsum("gntk,ntk->gnt", looks[:, :, 1:], track[:, :-1]))
    half_angle_cosines[1:3, ~balls] = -1.0
    # The chosen look is relative to the given key before, which may get a half turn itself, so half
    # turns accumulate over the keys. Two about different axes make one about the third, and two
    # about the same axis make none, as the exclusive or of the numbers 0 to 3 does.
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


_NUMBERS_A_KEY = 8  # of a prop: its time, position and quaternion
_CONTACT_TOLERANCE = 1e-3  # of a frame; contacts nearer to a frame have no key of their own
_FLOAT32_STEPS = 4  # between keys at least, so that the shorter numbers of glTF ascend, too

MAX_NUMBERS = 50_000_000
"""Larger models need too much memory, and no program opens them."""

_BODIES_AT_ONCE = 256  # posed together: fast, and small in memory


@dataclass(frozen=True)
class _PropTrack:
    """Keys of one prop at T times.

    Its path has corners where hands catch and throw it. Programs interpolate linearly, so there are
    keys at these contacts, besides those at frames.

    Args:
        times: the times of the keys, ascending, from 0 at the first frame on, shape (T,), [s] of
            the film.
        centres: centres of mass in the world, shape (T, 3), [m].
        rotations: quaternions x, y, z, w, shape (T, 4); the identity for squares.
    """

    times: Floats
    centres: Singles
    rotations: Singles


def prop_tracks(request: FrameRequest) -> tuple[_PropTrack, ...]:
    """Return the tracks of all props, in their order.

    A track has the keys of a moving object: values at ascending times. There are keys at all
    frames, at one frame after the last, and at contacts between them.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
    """
    motion = request.animation.motion
    speed = request.animation.parameters.speed
    frames: Floats = np.arange(request.frames + 1.0) * (request.duration / request.frames)
    # The motion has a clock of its own: (time since the first frame + start) × speed, where the
    # start is in [s] of the film.
    first, last = (np.array([0.0, request.duration]) + request.start) * speed
    tracks = []
    for prop, kind in enumerate(drawn_kinds(motion).tolist()):
        contacts = motion.props.contacts(prop, float(first), float(last)) / speed - request.start
        times = with_contacts(frames, contacts)
        motion_times = (request.start + times) * speed
        tracks.append(_prop_track(motion, prop, kind, times, motion_times))
    return tuple(tracks)


def with_contacts(frames: Floats, contacts: Floats) -> Floats:
    """Return the times of frames and of the contacts between them, in order.

    A contact that is nearer than a tolerance to a frame or to the contact before it is left out,
    since times must ascend even in the 32-bit numbers of glTF.

    Args:
        frames: times of frames from 0 on, at equal steps, shape (T,) for T frames, at least two,
            [s].
        contacts: ascending, shape (C,) for C contacts, may be empty, [s].

    Returns:
        All frames and the contacts between them, ascending, [s].
    """
    step = frames[1]
    float32_spacing = float(np.spacing(np.float32(frames[-1])))
    tolerance = max(_CONTACT_TOLERANCE * step, _FLOAT32_STEPS * float32_spacing)
    # The first contact, which has none before it, is compared with −∞ and kept.
    contacts = contacts[np.diff(contacts, prepend=-np.inf) > tolerance]
    nearest_frame = np.rint(contacts / step) * step
    between = np.abs(contacts - nearest_frame) > tolerance
    merged: Floats = np.sort(np.concatenate([frames, contacts[between]]))
    return merged


def prop_numbers(request: FrameRequest) -> int:
    """Estimate how many numbers the tracks of all props have, without computing their motion."""
    motion = request.animation.motion
    # By the clock of the motion, as the rates of contacts are.
    span = request.duration * request.animation.parameters.speed
    props = range(request.animation.choreography.props)
    contacts = sum(motion.props.contact_rate(prop) * span for prop in props)
    return _NUMBERS_A_KEY * round(len(props) * (request.frames + 1) + contacts)


def _prop_track(
    motion: Motion, prop: int, kind: str, times: Floats, motion_times: Floats
) -> _PropTrack:
    """Return the keys of a prop.

    Args:
        motion: the motion of all props.
        prop: index from 0.
        kind: the shape that is drawn: "ball", "square", "ring" or "club".
        times: the times of the keys, since the first frame, shape (T,) for T keys, [s] of the film.
        motion_times: the same times by the clock of the motion, shape (T,), [s].
    """
    # The motion takes an index for each time, here always the same.
    props = np.full(len(times), prop)
    places = motion.places(props, motion_times)
    # A track of one object, shape (1, T, 4). Squares keep the identity, since they have no aims.
    rotations = np.zeros((1, len(times), 4))
    rotations[..., 3] = 1.0
    if kind == "ball":
        rotations[0] = aim_quaternions(motion.ball_aims(props, motion_times, places.holders))
    elif places.aims is not None:
        rotations[0] = aim_quaternions(places.aims)
    steady = continuous(nearest_looks(rotations, np.array([kind == "ball"])))[0]
    return _PropTrack(
        times,
        centres=places.centres.astype(np.float32),
        rotations=steady.astype(np.float32),
    )


@dataclass(frozen=True)
class MotionTracks:
    """Keys of bodies at T times, and of props also at their contacts.

    Quaternions are x, y, z, w of unit length, as in glTF. J are jugglers, S segments and H the
    helper joints of a body, see `bodies.Carriers`; rows of one juggler follow each other.

    Args:
        props: keys of each prop, at times of its own.
        times: the times of the bodies' keys, at equal steps from 0 on, shape (T,), [s] of the film.
        pelvises: pelvises in the world, shape (J, T, 3), [m].
        rotations: shape (J · S, T, 4), quaternions of each juggler's segments relative to their
            parents; that of the first segment, which has none, is in the world.
        helper_rotations: shape (J · H, T, 4), quaternions of each juggler's helper joints relative
            to the segments that they hang on.
        helper_positions: shape (J · H, T, 3), their positions relative to these segments, [m].
    """

    props: tuple[_PropTrack, ...]
    times: Singles
    pelvises: Singles
    rotations: Singles
    helper_rotations: Singles
    helper_positions: Singles


def motion_tracks(request: FrameRequest, progress: Progress | None) -> MotionTracks:
    """Return the tracks of a request, with a key after the last frame, where the loop restarts.

    A track has the keys of a moving object: values at ascending times.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        progress: called with the number of frames done and of all frames; None to report nothing.

    Raises:
        ParameterError: the tracks would have more than `MAX_NUMBERS` numbers.
    """
    carriers = carriers_of(request.animation)
    parents = rig_of(request.bones).parents
    _check_size(request, len(carriers.helpers))
    tracks = _empty_tracks(request, len(carriers.helpers))
    for samples in motion_samples(request, progress, closing=True):
        _fill_in_bodies(tracks, samples, carriers, parents)
    # A quaternion and its negative are the same rotation, so each key gets the sign with which it
    # is nearer to the key before. This comes last, so that signs do not jump from part to part.
    continuous(tracks.rotations)
    continuous(tracks.helper_rotations)
    return tracks


def _check_size(request: FrameRequest, helpers: int) -> None:
    """Raise an error if a model would have too many numbers.

    Helpers are joints of the exported skeleton beside those of the body, as of eyelids.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        helpers: helper joints of each juggler.

    Raises:
        ParameterError: the model has more numbers than `MAX_NUMBERS`.
    """
    # For each frame there are its time, and for each juggler a position of the pelvis (3 numbers),
    # a quaternion for each segment (4), and a quaternion and a position for each helper (7).
    bodies = request.animation.num_jugglers * (3 + 4 * len(SEGMENTS) + 7 * helpers)
    numbers = (request.frames + 1) * (1 + bodies) + prop_numbers(request)
    if numbers > MAX_NUMBERS:
        raise ParameterError(
            _(
                "this model would hold {numbers:,.0f} million numbers, but the limit is "
                "{max_numbers:.0f} million; use fewer loops or seconds, or a lower rate",
                numbers=numbers / 1e6,
                max_numbers=MAX_NUMBERS / 1e6,
            )
        )


def _empty_tracks(request: FrameRequest, helpers: int) -> MotionTracks:
    """Return tracks in which the keys of props are filled in, and all others are zeros.

    A track has the keys of a moving object: values at ascending times. Helpers are joints of the
    exported skeleton beside those of the body, as of eyelids.

    Args:
        request: the frames, to which a key behind the last one is added.
        helpers: helper joints of each juggler.
    """
    jugglers = request.animation.num_jugglers
    times = request.frames + 1

    def zeros(*shape: int) -> Singles:
        return np.zeros(shape, dtype=np.float32)

    return MotionTracks(
        prop_tracks(request),
        times=zeros(times),
        pelvises=zeros(jugglers, times, 3),
        rotations=zeros(jugglers * len(SEGMENTS), times, 4),
        helper_rotations=zeros(jugglers * helpers, times, 4),
        helper_positions=zeros(jugglers * helpers, times, 3),
    )


def _fill_in_bodies(
    tracks: MotionTracks, samples: MotionSamples, carriers: Carriers, parents: Integers
) -> None:
    """Fill in the keys of bodies at the times of given samples.

    A segment is a rigid part of the exported skeleton, such as a forearm. A track has the keys of a
    moving object: values at ascending times.

    Args:
        tracks: changed in place, at the keys `samples.first` to `samples.end`.
        samples: T successive samples of the motion.
        carriers: the joints of each body.
        parents: index of each segment's parent, shape (S,) for S segments.
    """

    def by_object(values: Floats) -> Floats:
        """Reorder (T, J, N, K) to (J · N, T, K): N objects of each juggler, K numbers each."""
        return np.moveaxis(values, 0, 2).reshape(-1, len(samples), values.shape[-1])

    keys = slice(samples.first, samples.end)
    # Only the pelvis has positions; segments have rotations relative to their parents; helper
    # joints, such as eyes, have both.
    tracks.times[keys] = samples.times
    tracks.pelvises[:, keys] = np.swapaxes(samples.joints[:, :, Joint.PELVIS], 0, 1)
    tracks.rotations[:, keys] = by_object(quaternions(local_rotations(samples.joints, parents)))
    if len(carriers.helpers):
        rotations, positions = carriers.motion(samples.joints, samples.pose.gaze, samples.pose.lids)
        tracks.helper_rotations[:, keys] = by_object(quaternions(rotations))
        tracks.helper_positions[:, keys] = by_object(positions)


def juggler_name(juggler: int) -> str:
    """Return the name of a juggler by index from 0; names count from 1."""
    return f"juggler_{juggler + 1}"


def joint_name(joint: Joint) -> str:
    """Return the name of a joint, for any juggler."""
    return joint.name.lower()


def prop_name(prop: int) -> str:
    """Return the name of a prop by index from 0; names count from 1."""
    return f"prop_{prop + 1}"


@dataclass(frozen=True)
class MotionSamples:
    """T successive samples of the motion, a part of all samples of a film.

    Args:
        animation: the animation.
        first: index of this part's first sample among all.
        times: times since the first sample of all, ascending, shape (T,), [s] of the film.
        frames: hands and props, whose own times are by the clock of the motion.
    """

    animation: Animation
    first: int
    times: Floats
    frames: Frames

    def __len__(self) -> int:
        return len(self.times)

    @property
    def end(self) -> int:
        """The index after the last sample."""
        return self.first + len(self)

    @cached_property
    def pose(self) -> Pose:
        """The bodies."""
        return self.animation.pose(self.frames.times)

    @property
    def joints(self) -> Floats:
        """Shape (T, J, `JOINTS`, 3), [m]."""
        return self.pose.joints


def motion_samples(
    request: FrameRequest, progress: Progress | None = None, *, closing: bool = False
) -> Iterator[MotionSamples]:
    """Yield the samples of a request, one for each frame, in successive parts that fit in memory.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        progress: called after each part, when the next one is taken, with the number of frames done
            and of all frames; None to report nothing.
        closing: whether to add a sample after the last frame, where the loop begins again.
    """
    speed = request.animation.parameters.speed
    count = request.frames + (1 if closing else 0)
    step = request.duration / request.frames
    # Samples in a part: fewer where there are many jugglers.
    at_once = max(1, _BODIES_AT_ONCE // request.animation.num_jugglers)
    for first in range(0, count, at_once):
        # Times of the film, [s], and of the animation.
        times = np.arange(first, min(first + at_once, count), dtype=float) * step
        frames = request.animation.sample((request.start + times) * speed)
        samples = MotionSamples(request.closing_animation, first=first, times=times, frames=frames)
        yield samples
        if progress:
            progress(min(samples.end, request.frames), request.frames)
