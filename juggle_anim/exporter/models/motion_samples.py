"""The motion that models and tables store: joints and props at the times of a request, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint, Pose
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.motion import Frames

_BODIES_AT_ONCE = 256


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
