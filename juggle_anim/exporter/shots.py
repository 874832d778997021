"""The pictures of an export, one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Floats
from juggle_anim.errors import ParameterError
from juggle_anim.render import Offscreen

MOST_FRAMES = 1_000_000
"""More than four hours at 60 a second is a slip of the finger."""

SLOWEST, FASTEST = 0.01, 1000
"""Rates that are accepted, [frames/s]."""

SHORTEST_VIDEO = 4.0
"""A video goes through a pattern at least for this long, [s]…"""

LONGEST_VIDEO = 60.0
"""…and tries no longer than this to bring every prop back to its place, [s]."""

# Poses are solved for this many frames at once: enough to be quick, few enough to fit in memory with 800 jugglers.
_AT_ONCE = 64


@dataclass(frozen=True)
class Shots:
    """What is exported: `frames` pictures, `fps` a second, that close into a loop.

    Raises:
        ParameterError: a size, rate or number of loops that cannot be.
    """

    animation: Animation
    size: tuple[int, int]
    fps: float
    loops: int = 1

    def __post_init__(self) -> None:
        if min(self.size) < 1:
            raise ParameterError(
                f"a picture cannot be {self.size[0]}x{self.size[1]}: each edge must be at least 1 pixel"
            )
        # NaN fails both comparisons, so it is refused here too.
        if not SLOWEST <= self.fps <= FASTEST:
            raise ParameterError(f"{self.fps:g} frames a second cannot be: it must be from {SLOWEST} to {FASTEST}")
        if self.loops < 1:
            raise ParameterError(f"{self.loops} loops cannot be: it must be a whole number from 1 up")
        if self.frames > MOST_FRAMES:
            raise ParameterError(
                f"that makes {self.frames:,} frames, and {MOST_FRAMES:,} is the most: take fewer loops or a lower rate"
            )

    @property
    def frames(self) -> int:
        """Number of pictures: whole ones, so that the last is followed by the first as by any other."""
        seconds = self.loops * self.animation.duration / self.animation.parameters.speed
        return max(1, round(seconds * self.fps))

    @property
    def times(self) -> Floats:
        """Time of each picture in the pattern, shape (frames,), [s]."""
        return np.arange(float(self.frames)) * (self.loops * self.animation.duration / self.frames)

    def images(self) -> Iterator[Bytes]:
        """The pictures, shape (height, width, 3) each; every one is new memory."""
        width, height = self.size
        with Offscreen(width, height) as offscreen:
            camera = self.animation.camera(width / height)
            times = self.times
            for first in range(0, len(times), _AT_ONCE):
                for scene in self.animation.scenes(times[first : first + _AT_ONCE], camera):
                    yield offscreen.image(scene)


def loops_until_props_return(animation: Animation) -> int:
    """Loops after which every prop is where it began, repeated to be worth a video; fewer where that takes too long."""
    duration = animation.duration / animation.parameters.speed
    cycle = math.lcm(*(orbit.props for orbit in animation.choreography.orbits))
    if cycle * duration > LONGEST_VIDEO:
        cycle = 1
    return cycle * math.ceil(SHORTEST_VIDEO / (cycle * duration))
