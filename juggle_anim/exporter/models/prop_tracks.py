"""How props move and turn in models: keys at the times of frames, and at every throw, catch and bounce."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.quaternions import aim_quaternions, continuous, nearest_looks
from juggle_anim.motion import Motion
from juggle_anim.scene.compose import drawn_kinds

_NUMBERS_A_KEY = 8
_SAME = 1e-3  # of a frame; contacts so near to a frame have no key of their own


@dataclass(frozen=True)
class PropTrack:
    """Keys of one prop at T times.

    Between frames it has keys where its path has corners, since programs go straight from key to key.

    Args:
        times: shape (T,), from 0, [s].
        centres: shape (T, 3), [m].
        turns: shape (T, 4), quaternions; the identity for squares.
    """

    times: Floats
    centres: Singles
    turns: Singles


def prop_tracks(request: FrameRequest) -> tuple[PropTrack, ...]:
    """Return the tracks of all props, with a key after the last frame."""
    animation = request.animation
    kinds, motion, speed = drawn_kinds(animation.motion).tolist(), animation.motion, animation.parameters.speed
    frames: Floats = np.arange(request.frames + 1.0) * (request.duration / request.frames)
    tracks = []
    for prop, kind in enumerate(kinds):
        span = np.array([0.0, request.duration]) + request.start
        contacts = motion.props.contacts(prop, *(span * speed).tolist()) / speed - request.start
        times = with_contacts(frames, contacts)
        tracks.append(_track(motion, prop, kind, times, (request.start + times) * speed))
    return tuple(tracks)


def with_contacts(frames: Floats, contacts: Floats) -> Floats:
    """Return the times of frames from 0 on, at equal steps, with those of contacts that no frame has; both sorted."""
    step = frames[1]
    # Also the shorter numbers of glTF must ascend.
    least = max(_SAME * step, 4 * float(np.spacing(np.float32(frames[-1]))))
    contacts = contacts[np.diff(contacts, prepend=-np.inf) > least]
    apart = np.abs(contacts - np.rint(contacts / step) * step) > least
    merged: Floats = np.sort(np.concatenate([frames, contacts[apart]]))
    return merged


def prop_numbers(request: FrameRequest) -> int:
    """About how many numbers the tracks of all props have."""
    motion, span = request.animation.motion, request.duration * request.animation.parameters.speed
    props = range(request.animation.choreography.props)
    contacts = sum(motion.props.contact_rate(prop) * span for prop in props)
    return _NUMBERS_A_KEY * round(len(props) * (request.frames + 1) + contacts)


def _track(motion: Motion, prop: int, kind: str, times: Floats, moments: Floats) -> PropTrack:
    who = np.full(len(times), prop)
    places = motion.places(who, moments)
    turns = np.zeros((1, len(times), 4))
    turns[..., 3] = 1.0
    if kind == "ball":
        turns[0] = aim_quaternions(motion.ball_aims(who, moments, places.holders))
    elif places.aims is not None:
        turns[0] = aim_quaternions(places.aims)
    steady = continuous(nearest_looks(turns, np.array([kind == "ball"])))[0]
    return PropTrack(times, places.centres.astype(np.float32), steady.astype(np.float32))
