"""Names of people, joints and props in models and tables; numbers are from 1.

MERGED: What a model holds of an animation: joints and props at the times of its shots, some at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.motion import Frames

_AT_ONCE = 256  # bodies


def juggler_name(juggler: int) -> str:
    """Of a juggler by the number from 0."""
    return f"juggler_{juggler + 1}"


def joint_name(joint: Joint) -> str:
    """Of a joint, whoever's."""
    return joint.name.lower()


def prop_name(prop: int) -> str:
    """Of a prop by the number from 0."""
    return f"prop_{prop + 1}"


@dataclass(frozen=True)
class Captured:
    """Some moments that follow each other.

    Args:
        animation: of which.
        first: the number of the first moment.
        times: when they are played, counted from the first of all, shape (T,), [s].
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
        """The number of the moment after the last."""
        return self.first + len(self)

    @cached_property
    def joints(self) -> Floats:
        """Shape (T, J, `JOINTS`, 3), [m]."""
        return self.animation.pose(self.frames.times).joints


def captured(shots: FrameRequest, closing: bool = False) -> Iterator[Captured]:
    """The moments of some shots, as few at once as fit in memory however many there are.

    Args:
        shots: when.
        closing: whether the moment after the last comes too, with which a loop begins anew.
    """
    speed = shots.animation.parameters.speed
    count, step = shots.frames + closing, shots.duration / shots.frames
    at_once = max(1, _AT_ONCE // shots.animation.jugglers)
    for first in range(0, count, at_once):
        times = np.arange(first, min(first + at_once, count), dtype=float) * step
        frames = shots.animation.sample((shots.start + times) * speed)
        yield Captured(shots.animation, first, times, frames)
