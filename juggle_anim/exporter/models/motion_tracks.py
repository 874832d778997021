"""Motion tracks: how bodies and props move and turn, as keys at even times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Singles
from juggle_anim.body import Joint
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.models.bone_rotations import local_rotations
from juggle_anim.exporter.models.captured import Captured, captured
from juggle_anim.exporter.models.quaternions import pointed, quaternions, rolled, steady
from juggle_anim.exporter.models.segments import SEGMENTS
from juggle_anim.exporter.shots import Shots

MOST_NUMBERS = 50_000_000
"""More would need more memory than many a machine has, and no program opens such a model."""


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


def motion_tracks(shots: Shots, progress: Callable[[int, int], None] | None) -> MotionTracks:
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


def _room(shots: Shots) -> MotionTracks:
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
