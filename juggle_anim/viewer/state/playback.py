"""Playback: the clock of the picture, in the pattern's own time.

MERGED: The times of throws, to be marked and gone to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats

FRAME = 1 / 60
"""How far one step goes, [s]."""

SPEEDS = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Playing speeds that `faster` and `slower` go through."""

_SAME = 1e-6  # s; nearer than this, it is that throw


@dataclass
class Playback:
    """A clock that can be paused, stepped and moved.

    Args:
        time: of the picture shown, [s] of the pattern's own time.
        paused: whether time stands still.
        beat: how long the screen shows a picture, [s].
        backwards: whether time runs back.
    """

    time: float = 0.0
    paused: bool = False
    beat: float = FRAME
    backwards: bool = False
    _owed: float = 0.0

    def advance(self, elapsed: float, speed: float) -> None:
        """Let real time pass, [s], at a playing speed.

        The picture goes on in whole screen frames, however unevenly it is asked to: that looks calmer than the truth.
        """
        self._owed = 0.0 if self.paused else self._owed + elapsed
        frames = round(self._owed / self.beat)
        self._owed -= frames * self.beat
        self.time += frames * self.step_at(speed)

    def step_at(self, speed: float) -> float:
        """From one picture to the next while it plays at a speed, [s]; below 0 where time runs back."""
        return -self.beat * speed if self.backwards else self.beat * speed

    def toggle(self) -> None:
        """Pause, or go on."""
        self.paused = not self.paused

    def turn_back(self) -> None:
        """Play, the other way than before; where it stood still, backwards."""
        self.backwards, self.paused = self.paused or not self.backwards, False

    def go(self, time: float) -> None:
        """Pause, and go to a time, [s]."""
        self.paused, self.time = True, time

    def step(self, frames: int) -> None:
        """Pause and move by some frames, backward where negative."""
        self.paused = True
        self.time += frames * FRAME

    def stretch(self, before: float, after: float) -> None:
        """Keep the place within the loop when its duration changes, [s]."""
        if before != after:
            self.time *= after / before

    def phase(self, duration: float) -> float:
        """The place within a loop of this duration [s], from 0 up to 1."""
        return (self.time / duration) % 1.0

    def seek(self, phase: float, duration: float) -> None:
        """Go to a place within the present loop, 0 to 1."""
        # A whole loop on, every prop has taken the next one's place; staying in this loop keeps their colours.
        self.time = (math.floor(self.time / duration) + min(max(phase, 0.0), 1.0 - 1e-9)) * duration


def faster(speed: float) -> float:
    """The next playing speed above this one."""
    return next((higher for higher in SPEEDS if higher > speed * 1.001), max(speed, SPEEDS[-1]))


def slower(speed: float) -> float:
    """The next playing speed below this one."""
    return next((lower for lower in reversed(SPEEDS) if lower < speed * 0.999), min(speed, SPEEDS[0]))


def throw_times(animation: Animation) -> Floats:
    """When props are thrown in one loop, in order, shape (N,), [s]; throws at one time are one."""
    choreography = animation.choreography
    return np.unique(choreography.events.time[choreography.flights.throw])


def next_throw(animation: Animation, time: float, ways: int) -> float:
    """The time of the next throw, or of the one before; where nobody throws, the time itself.

    Args:
        animation: what is juggled.
        time: [s], in any loop.
        ways: 1 for the next, −1 for the one before.
    """
    throws, duration = throw_times(animation), animation.duration
    if not len(throws):
        return time
    begun = math.floor(time / duration) * duration
    around = (begun + duration * np.array([[-1.0], [0.0], [1.0]]) + throws).ravel()
    beyond = around[around > time + _SAME] if ways > 0 else around[around < time - _SAME][::-1]
    return float(beyond[0])


def snapped(share: float, marks: Floats, within: float) -> float:
    """A place on the line of time, 0 to 1, or the mark that is so near that it is meant."""
    near = marks[np.abs(marks - share) < within]
    return float(near[np.abs(near - share).argmin()]) if len(near) else share


class LastThrows:
    """Remembers the throws of the animation that was asked for last."""

    def __init__(self) -> None:
        self._known: tuple[Animation, Floats] | None = None

    def of(self, animation: Animation) -> Floats:
        """As `throw_times`."""
        if self._known is None or self._known[0] is not animation:
            self._known = animation, throw_times(animation)
        return self._known[1]
