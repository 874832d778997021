"""Scenes solved ahead: the next pictures of a pattern that plays are known, and many at once cost little more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.scene import Camera, Scene, Scenes

AT_ONCE = 16
"""Pictures that are solved together."""

_SAME_TIME = 1e-9


class Ahead:
    """Gives the scenes of an animation that is mostly asked for in even steps of time."""

    def __init__(self) -> None:
        self._animation: Animation | None = None
        self._scenes: Scenes | None = None
        self._first = self._step = self._last = 0.0

    def scene(self, animation: Animation, time: float, step: float, camera: Camera) -> Scene:
        """The scene at one time, from what was solved ahead if it is there.

        Args:
            animation: what plays; another one than last time makes all that was solved void.
            time: [s] of the pattern's own time.
            step: how far time goes on from picture to picture while it plays, or back, [s].
            camera: where the picture is taken from.
        """
        if self._scenes is None or animation is not self._animation or step != self._step:
            self._solve(animation, time, step, 1, camera)
        elif self._place(time) is None:
            goes_on = step != 0 and 0 < (time - self._last) / step < AT_ONCE / 2
            self._solve(animation, time, step, AT_ONCE if goes_on else 1, camera)
        self._last = time
        place, scenes = self._place(time), self._scenes
        assert place is not None
        assert scenes is not None
        return replace(scenes[place], camera=camera)

    def _place(self, time: float) -> int | None:
        """Where among the scenes solved this time is, if it is there."""
        place = round((time - self._first) / self._step) if self._step else 0
        there = abs(self._first + place * self._step - time) < _SAME_TIME
        return place if there and 0 <= place < len(self._scenes or ()) else None

    def _solve(self, animation: Animation, time: float, step: float, count: int, camera: Camera) -> None:
        self._animation, self._first, self._step = animation, time, step
        self._scenes = animation.scenes(time + step * np.arange(float(count)), camera)
