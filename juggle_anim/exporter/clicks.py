"""The sound of catches: a soft click for each, made a piece at a time."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.exporter.shots import Shots

RATE = 48_000
"""Samples a second."""


class Clicks:
    """The sound that goes with some shots, played at their rate.

    Args:
        shots: what is seen.
    """

    def __init__(self, shots: Shots) -> None:
        choreography, speed = shots.animation.choreography, shots.animation.parameters.speed
        # Whole loops take a whole number of pictures, and may be played a little faster or slower for it.
        played = shots.frames / (shots.fps * shots.duration) / speed
        self._catches = np.unique(choreography.events.time[choreography.flights.catch]) * played
        self._loop = choreography.duration * played
        self._start = shots.start * speed * played
        self._click = _click()

    def samples(self, first: int, count: int) -> Singles:
        """Some samples from the first on, shape (count,), −1 to 1."""
        sound = np.zeros(count + 2 * len(self._click), dtype=np.float32)
        for begin in self._beginnings(first - len(self._click), first + count) - first + len(self._click):
            sound[begin : begin + len(self._click)] += self._click
        return np.clip(sound[len(self._click) : len(self._click) + count], -1.0, 1.0)

    def _beginnings(self, low: int, high: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """The samples at which clicks begin, from `low` up to `high`."""
        after = [self._start + sample / RATE for sample in (low, high)]
        loops = np.arange(np.floor(after[0] / self._loop) - 1, np.ceil(after[1] / self._loop) + 1)
        times: Floats = (loops[:, None] * self._loop + self._catches).ravel() - self._start
        begins = np.rint(times * RATE).astype(np.intp)
        return begins[(begins >= low) & (begins < high)]


def _click() -> Singles:
    """A ball that lands in a hand: two tones, of which the higher dies away sooner."""
    time = np.arange(round(_LENGTH * RATE)) / RATE
    tones = sum(loud * np.sin(2 * np.pi * pitch * time) * np.exp(-time / fades) for pitch, loud, fades in _TONES)
    return np.asarray(tones * np.minimum(time / _ATTACK, 1.0), dtype=np.float32)


_LENGTH, _ATTACK = 0.08, 0.001  # seconds
_TONES = ((210.0, 0.45, 0.014), (1_150.0, 0.2, 0.004))  # pitch [Hz], loudness, time in which it fades [s]
