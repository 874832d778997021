"""The sound of some shots: a knock for each catch, made a piece at a time."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.exporter.shots import Shots
from juggle_anim.sounds import RATE, knocks, tone

__all__ = ["RATE", "Clicks"]


class Clicks:
    """The sound that goes with some shots, played at their rate.

    Args:
        shots: what is seen.
    """

    def __init__(self, shots: Shots) -> None:
        animation, speed = shots.animation, shots.animation.parameters.speed
        # Whole loops take a whole number of pictures, and may be played a little faster or slower for it.
        played = shots.frames / (shots.fps * shots.duration) / speed
        heard = knocks(animation.motion, animation.parameters)
        self._times = heard.time * played
        self._tones = [tone(*each) for each in zip(heard.pitch.tolist(), heard.loudness.tolist(), strict=True)]
        self._loop = animation.duration * played
        self._start = shots.start * speed * played

    def samples(self, first: int, count: int) -> Singles:
        """Some samples from the first on, shape (count,), −1 to 1."""
        margin = len(tone(1.0))
        sound = np.zeros(count + 2 * margin, dtype=np.float32)
        begins, numbers = self._beginnings(first - margin, first + count)
        for begin, number in zip((begins - first + margin).tolist(), numbers.tolist(), strict=True):
            sound[begin : begin + margin] += self._tones[number]
        return np.clip(sound[margin : margin + count], -1.0, 1.0)

    def _beginnings(self, low: int, high: int) -> tuple[Integers, Integers]:
        """The samples at which knocks begin, from `low` up to `high`, and which knock of the loop each is."""
        after = [self._start + sample / RATE for sample in (low, high)]
        loops = np.arange(np.floor(after[0] / self._loop) - 1, np.ceil(after[1] / self._loop) + 1)
        times: Floats = (loops[:, None] * self._loop + self._times).ravel() - self._start
        begins = np.rint(times * RATE).astype(np.intp)
        within = np.flatnonzero((begins >= low) & (begins < high))
        return begins[within], within % max(len(self._times), 1)
