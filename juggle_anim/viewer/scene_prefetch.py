"""Scenes that are solved ahead, many at once, while an animation plays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.scene import Camera, Scene, Scenes

if TYPE_CHECKING:
    from juggle_anim.routine import Routine

BATCH_SIZE = 16
"""Number of scenes that are solved together."""

_SAME_TIME = 1e-9


class ScenePrefetch:
    """Solves scenes ahead while an animation plays in even steps: many at once cost little more than one.

    Args:
        first, then: how many are solved at once when it begins to play, and later.
    """

    def __init__(self, first: int = BATCH_SIZE, then: int = BATCH_SIZE) -> None:
        self._first_batch, self._then = first, then
        self._batch = 0
        self._source: Animation | Routine | None = None
        self._scenes: Scenes | list[Scene] | None = None
        self._first = self._step = self._last = 0.0

    def scene(self, source: Animation | Routine, time: float, step: float, camera: Camera) -> Scene:
        """Return the scene at one time, solved ahead if possible.

        Args:
            source: what plays; a new one drops what was solved.
            time: of it, [s].
            step: from picture to picture while it plays, negative backwards, [s].
            camera: of the picture.
        """
        if self._scenes is None or source is not self._source or step != self._step:
            self._batch = 0
            self._solve(source, time, step, 1, camera)
        elif self._place(time) is None:
            goes_on = step != 0 and 0 < (time - self._last) / step < BATCH_SIZE / 2
            self._batch = (self._then if self._batch else self._first_batch) if goes_on else 0
            self._solve(source, time, step, max(self._batch, 1), camera)
        self._last = time
        place, scenes = self._place(time), self._scenes
        assert place is not None
        assert scenes is not None
        return replace(scenes[place], camera=camera)

    def _place(self, time: float) -> int | None:
        """Return the index of a time among the solved scenes; None if it is not there."""
        place = round((time - self._first) / self._step) if self._step else 0
        there = abs(self._first + place * self._step - time) < _SAME_TIME
        return place if there and 0 <= place < len(self._scenes or ()) else None

    def _solve(self, source: Animation | Routine, time: float, step: float, count: int, camera: Camera) -> None:
        self._source, self._first, self._step = source, time, step
        self._scenes = source.scenes(time + step * np.arange(float(count)), camera)
