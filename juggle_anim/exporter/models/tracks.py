"""Motion tracks: how bodies and props move and turn, as samples and as keys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.bodies import Carriers, carriers_of
from juggle_anim.exporter.models.quaternions import (
    aim_quaternions,
    continuous,
    nearest_looks,
    quaternions,
)
from juggle_anim.exporter.models.skeleton import SEGMENTS, local_rotations, rig_of
from juggle_anim.exporter.options import Progress
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion
from juggle_anim.scene.compose import drawn_kinds

_NUMBERS_A_KEY = 8  # of a prop: its time, position and quaternion
_CONTACT_TOLERANCE = 1e-3  # of a frame; contacts so near to a frame have no key of their own
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
        times: of the keys, ascending, from 0 at the first frame on, shape (T,), [s] of the film.
        centres: centres of mass in the world, shape (T, 3), [m].
        rotations: quaternions x, y, z, w, shape (T, 4); the identity for squares.
    """

    times: Floats
    centres: Singles
    rotations: Singles


def prop_tracks(request: FrameRequest) -> tuple[_PropTrack, ...]:
    """Return the tracks of all props, in their order.

    Keys are at all frames, one frame after the last, and at contacts between them.

    Args:
        request: the frames.
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
    """Merge the times of contacts into those of frames.

    A contact nearer than the tolerance to a frame is left out, as is one so near to the contact
    before it: keys must ascend, also as the shorter numbers of glTF.

    Args:
        frames: from 0 on, at equal steps, shape (T,), at least two, [s].
        contacts: ascending, shape (C,), may be empty, [s].

    Returns:
        All frames and the contacts between them, ascending, [s].
    """
    step = frames[1]
    float32_spacing = float(np.spacing(np.float32(frames[-1])))
    tolerance = max(_CONTACT_TOLERANCE * step, _FLOAT32_STEPS * float32_spacing)
    # The first contact has none before it, so that it is compared with −∞ and kept.
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
        motion: of all props.
        prop: index from 0.
        kind: as what it is drawn: "ball", "square", "ring" or "club".
        times: of the keys, since the first frame, shape (T,), [s] of the film.
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
        times: of the bodies' keys, at equal steps from 0 on, shape (T,), [s] of the film.
        pelvises: in the world, shape (J, T, 3), [m].
        rotations: shape (J · S, T, 4), quaternions of each juggler's segments relative to their
            parents; that of the first segment, which has none, is in the world.
        helper_rotations: shape (J · H, T, 4), quaternions of each juggler's helper joints relative
            to the segments that they hang on.
        helper_positions: shape (J · H, T, 3), their positions, likewise, [m].
    """

    props: tuple[_PropTrack, ...]
    times: Singles
    pelvises: Singles
    rotations: Singles
    helper_rotations: Singles
    helper_positions: Singles


def motion_tracks(request: FrameRequest, progress: Progress | None) -> MotionTracks:
    """Return the tracks of a request, with a key after the last frame, where the loop begins anew.

    Args:
        request: the frames.
        progress: called with the number of frames done and of all frames; None to report nothing.

    Raises:
        ParameterError: the tracks would have more than `MAX_NUMBERS` numbers.
    """
    carriers = carriers_of(request.animation)
    parents = rig_of(request.bones).parents
    _check_size(request, len(carriers.helpers))
    tracks = _empty_tracks(request, len(carriers.helpers))
    for samples in motion_samples(request, closing=True):
        _fill_in_bodies(tracks, samples, carriers, parents)
        if progress:
            progress(min(samples.end, request.frames), request.frames)
    # In place, and when all parts are filled in, so that signs do not jump from part to part.
    continuous(tracks.rotations)
    continuous(tracks.helper_rotations)
    return tracks


def _check_size(request: FrameRequest, helpers: int) -> None:
    """Refuse a model of too many numbers.

    Args:
        request: the frames.
        helpers: helper joints of each juggler.

    Raises:
        ParameterError: it has more than `MAX_NUMBERS`.
    """
    # Per frame a pelvis has 3 numbers, a segment a quaternion, and a helper a quaternion and a
    # position; besides, there is the frame's time.
    bodies = request.animation.jugglers * (3 + 4 * len(SEGMENTS) + 7 * helpers)
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

    Args:
        request: the frames, to which a key behind the last one is added.
        helpers: helper joints of each juggler.
    """
    jugglers = request.animation.jugglers
    times = request.frames + 1
    # Of times, pelvises, rotations, helper rotations and helper positions, the fields of
    # `MotionTracks`.
    shapes = (
        (times,),
        (jugglers, times, 3),
        (jugglers * len(SEGMENTS), times, 4),
        (jugglers * helpers, times, 4),
        (jugglers * helpers, times, 3),
    )
    return MotionTracks(
        prop_tracks(request), *(np.zeros(shape, dtype=np.float32) for shape in shapes)
    )


def _fill_in_bodies(
    tracks: MotionTracks, samples: MotionSamples, carriers: Carriers, parents: Integers
) -> None:
    """Fill in the keys of bodies at the times of some samples.

    Args:
        tracks: changed in place, at the keys `samples.first` to `samples.end`.
        samples: T successive samples of the motion.
        carriers: the joints of each body.
        parents: index of each segment's parent, shape (S,).
    """

    def by_object(values: Floats) -> Floats:
        """Reorder (T, J, N, K) to (J · N, T, K): N objects of each juggler, K numbers each."""
        return np.moveaxis(values, 0, 2).reshape(-1, len(samples), values.shape[-1])

    keys = slice(samples.first, samples.end)
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
        times: since the first sample of all, ascending, shape (T,), [s] of the film.
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


def motion_samples(request: FrameRequest, *, closing: bool = False) -> Iterator[MotionSamples]:
    """Yield the samples of a request, one for each frame, in successive parts that fit in memory.

    Args:
        request: the frames.
        closing: whether to add a sample after the last frame, where the loop begins again.
    """
    speed = request.animation.parameters.speed
    count = request.frames + (1 if closing else 0)
    step = request.duration / request.frames
    # Samples in a part: fewer where there are many jugglers.
    at_once = max(1, _BODIES_AT_ONCE // request.animation.jugglers)
    for first in range(0, count, at_once):
        times = np.arange(first, min(first + at_once, count), dtype=float) * step
        frames = request.animation.sample((request.start + times) * speed)
        yield MotionSamples(request.closing_animation, first=first, times=times, frames=frames)
