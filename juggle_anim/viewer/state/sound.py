"""The sound of a viewer: knocks that go with the picture.

MERGED: The speaker: short sounds through the system's audio device, where there is one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Integers, Singles
from juggle_anim.errors import ViewerError
from juggle_anim.sound import SAMPLE_RATE, SoundEvents, sound_events, tone

_JUMP = 0.3  # s between two pictures; what lies between them was skipped, not played

_AT_ONCE = 4  # knocks; more than that are one noise


class Plays(Protocol):
    """What a speaker does."""

    def play(self, sound: Singles) -> None:
        """Play a sound."""


def _speaker() -> Plays:
    # It looks for a device, which takes a while.

    return Speaker()


class Speaker:
    """Plays sounds at once.

    Raises:
        ViewerError: there is no audio device.
    """

    def __init__(self) -> None:
        try:
            # It looks for a driver as soon as it is loaded, and what fails there differs from system to system.
            with _quiet():
                from pyglet import media
                from pyglet.media.codecs import AudioFormat, StaticMemorySource

                driver = media.get_audio_driver()
        except Exception as error:
            raise ViewerError(f"no sound: {' '.join(str(error).split()) or type(error).__name__}") from error
        if driver is None or type(driver).__name__ == "SilentDriver":
            raise ViewerError("no sound: there is no audio device")
        self._make: Any = StaticMemorySource
        self._format = AudioFormat(channels=1, sample_size=16, sample_rate=SAMPLE_RATE)

    def play(self, sound: Singles) -> None:
        """Play a sound, shape (samples,), −1 to 1, `RATE` samples a second."""
        samples = np.rint(np.clip(sound, -1.0, 1.0) * 32_767).astype(np.int16)
        self._make(samples.tobytes(), self._format).play()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep what system libraries write to the terminal about each device that they do not find: it is said better."""
    try:
        errors = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(errors, 2)
        os.close(errors)
        os.close(nowhere)


class Sound:
    """Plays what is heard between one picture and the next. It is silent until somebody turns it on.

    Args:
        find_speaker: gives what plays, or raises a `ViewerError`; asked for when it is first turned on.
    """

    def __init__(self, find_speaker: Callable[[], Plays] = _speaker) -> None:
        self.on = False
        self._find = find_speaker
        self._speaker: Plays | None = None
        self._known: tuple[Animation, SoundEvents] | None = None
        self._time = 0.0

    def toggle(self) -> str:
        """Turn it on or off.

        Returns:
            What to say of it.

        Raises:
            ViewerError: there is no audio device.
        """
        if not self.on and self._speaker is None:
            self._speaker = self._find()
        self.on = not self.on
        return "Sound is on" if self.on else "Sound is off"

    def resume(self) -> None:
        """Turn it on as it was; a device is only looked for when there is something to be heard."""
        self.on = True

    def follow(self, animation: Animation, time: float) -> None:
        """Play what is heard up to a time, [s], from where it was before, also backwards; jumps are silent.

        Raises:
            ViewerError: there is no device, or it plays no more; the sound is off then.
        """
        before, self._time = self._time, time
        if not self.on or not 0 < abs(time - before) < _JUMP * animation.parameters.speed:
            return
        heard, speaker = self._knocks(animation), self._found()
        try:
            for number in _between(heard, animation.duration, before, time)[:_AT_ONCE].tolist():
                speaker.play(tone(float(heard.pitch[number]), float(heard.loudness[number])))
        except Exception as error:  # each driver raises its own
            self.on, self._speaker = False, None
            raise ViewerError(f"no more sound: {' '.join(str(error).split()) or type(error).__name__}") from error

    def _found(self) -> Plays:
        try:
            self._speaker = self._speaker or self._find()
        except ViewerError:
            self.on = False
            raise
        return self._speaker

    def _knocks(self, animation: Animation) -> SoundEvents:
        if self._known is None or self._known[0] is not animation:
            self._known = animation, sound_events(animation.motion, animation.parameters)
        return self._known[1]


def _between(heard: SoundEvents, duration: float, before: float, now: float) -> Integers:
    """Which knocks lie between two times, the later one included."""
    low, high = min(before, now), max(before, now)
    # The last time that each is heard up to then.
    last = heard.time + np.floor((high - heard.time) / duration) * duration
    return np.flatnonzero(last > low)
