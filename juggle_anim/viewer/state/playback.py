"""Playback: the clock of the picture, in the pattern's own time, and the times of throws to go
to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats

FRAME_TIME = 1 / 60
"""Duration of one step, [s]."""

SPEEDS = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Playing speeds that `faster` and `slower` go through."""

_SAME = 1e-6  # s; nearer than this, it is that throw


@dataclass
class Playback:
    """A clock that can be paused, stepped and moved.

    Args:
        time: of the picture, [s] of the pattern's own time.
        paused: whether time stands still.
        frame_time: of the screen, [s].
        backwards: whether time runs back.
        base: when the pattern's own time is 0, [s] since the first pattern of a row of live
            changes.
    """

    time: float = 0.0
    paused: bool = False
    frame_time: float = FRAME_TIME
    backwards: bool = False
    base: float = 0.0
    _unspent: float = 0.0

    @property
    def clock(self) -> float:
        """The time of the picture, [s] since the first pattern of a row of live changes."""
        return self.base + self.time

    def rebase(self, base: float) -> None:
        """Go on in the own time of another pattern, whose 0 is at this clock, [s]."""
        self.base = base
        self.time = self.clock - base

    def advance(self, elapsed: float, speed: float) -> None:
        """Let real time pass, [s], at a playing speed.

        It advances in whole screen frames, even if calls are uneven: that looks smoother.
        """
        self._unspent = 0.0 if self.paused else self._unspent + elapsed
        frames = round(self._unspent / self.frame_time)
        self._unspent -= frames * self.frame_time
        self.time += frames * self.step_at(speed)

    def step_at(self, speed: float) -> float:
        """Time from one picture to the next at a speed, [s]; negative if time runs backwards."""
        return -self.frame_time * speed if self.backwards else self.frame_time * speed

    def toggle(self) -> None:
        """Pause or play."""
        self.paused = not self.paused

    def reverse(self) -> None:
        """Play in the other direction; if paused, play backwards."""
        self.backwards = self.paused or not self.backwards
        self.paused = False

    def pause_at(self, time: float) -> None:
        """Pause, and go to a time, [s]."""
        self.paused = True
        self.time = time

    def step(self, frames: int) -> None:
        """Pause and move by some frames, backward where negative."""
        self.paused = True
        self.time += frames * FRAME_TIME

    def keep_phase(self, before: float, after: float) -> None:
        """Keep the place within the loop when its duration changes, [s]."""
        if before != after:
            self.time *= after / before

    def phase(self, duration: float) -> float:
        """The place within a loop of this duration [s], from 0 up to 1."""
        return (self.time / duration) % 1.0

    def seek(self, phase: float, duration: float) -> None:
        """Go to a place within the present loop, 0 to 1."""
        # After a loop, props have changed places on their orbits; staying in this loop keeps their
        # colours.
        self.time = (math.floor(self.time / duration) + min(max(phase, 0.0), 1.0 - 1e-9)) * duration


def faster(speed: float) -> float:
    """The next playing speed above this one."""
    return next((higher for higher in SPEEDS if higher > speed * 1.001), max(speed, SPEEDS[-1]))


def slower(speed: float) -> float:
    """The next playing speed below this one."""
    return next(
        (lower for lower in reversed(SPEEDS) if lower < speed * 0.999), min(speed, SPEEDS[0])
    )


def throw_times(animation: Animation) -> Floats:
    """When props are thrown in one loop, in order, shape (N,), [s]; throws at one time are one."""
    performance = animation.performance
    return np.unique(performance.events.time[performance.flights.throw])


def next_throw(animation: Animation, time: float, direction: int) -> float:
    """The time of the next or previous throw; without throws, the time itself.

    Args:
        animation: with the throws.
        time: [s], in any loop.
        direction: 1 for the next throw, −1 for the previous one.
    """
    throws = throw_times(animation)
    duration = animation.duration
    if not len(throws):
        return time
    begun = math.floor(time / duration) * duration
    around = (begun + duration * np.array([[-1.0], [0.0], [1.0]]) + throws).ravel()
    beyond = around[around > time + _SAME] if direction > 0 else around[around < time - _SAME][::-1]
    return float(beyond[0])


def snap(share: float, marks: Floats, within: float) -> float:
    """A place on the timeline, 0 to 1, or the nearest mark within a distance."""
    near = marks[np.abs(marks - share) < within]
    return float(near[np.abs(near - share).argmin()]) if len(near) else share
