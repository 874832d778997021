"""Sound: plays the sound events between one picture and the next on the system's audio device."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Integers, Singles
from juggle_anim.errors import ViewerError
from juggle_anim.language import _
from juggle_anim.sound import SAMPLE_RATE, SoundEvents, sound_events, tone
from juggle_anim.viewer.state.identity_cache import IdentityCache

_JUMP = 0.3  # s between two pictures; a longer step is a jump, which is silent
_AT_ONCE = 4  # sounds in one picture; more would be noise


class Player(Protocol):
    """Something that plays sounds."""

    def play(self, sound: Singles) -> None:
        """Play a sound."""


class Speaker:
    """Plays sounds at once.

    Raises:
        ViewerError: there is no audio device.
    """

    def __init__(self) -> None:
        try:
            # pyglet opens a driver on import, and each system fails in its own form.
            with _quiet():
                from pyglet import media
                from pyglet.media.codecs import AudioFormat, StaticMemorySource

                driver = media.get_audio_driver()
        except Exception as error:
            raise ViewerError(
                _("no sound: {error}", error=" ".join(str(error).split()) or type(error).__name__)
            ) from error
        if driver is None or type(driver).__name__ == "SilentDriver":
            raise ViewerError(_("no sound: there is no audio device"))
        self._make: Any = StaticMemorySource
        self._format = AudioFormat(channels=1, sample_size=16, sample_rate=SAMPLE_RATE)

    def play(self, sound: Singles) -> None:
        """Play a sound, shape (samples,), −1 to 1, `SAMPLE_RATE` samples a second."""
        samples = np.rint(np.clip(sound, -1.0, 1.0) * 32_767).astype(np.int16)
        self._make(samples.tobytes(), self._format).play()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence system libraries, which write a line to the terminal for each device that they do not
    find.
    """
    try:
        errors = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(errors, 2)
        os.close(errors)
        os.close(null)


class Sound:
    """Plays the sounds between one picture and the next; off at first.

    Args:
        find_speaker: returns a player or raises a `ViewerError`; called when sound is first turned
            on.
    """

    def __init__(self, find_speaker: Callable[[], Player] = Speaker) -> None:
        self.on = False
        self._open_speaker = find_speaker
        self._speaker: Player | None = None
        self._events = IdentityCache(_events_of)
        self._clock = 0.0

    def toggle(self) -> str:
        """Turn it on or off.

        Returns:
            The message to show.

        Raises:
            ViewerError: there is no audio device.
        """
        if not self.on and self._speaker is None:
            self._speaker = self._open_speaker()
        self.on = not self.on
        return _("Sound is on") if self.on else _("Sound is off")

    def resume(self) -> None:
        """Turn it on; a device is only opened for the first sound."""
        self.on = True

    def follow(self, animation: Animation, time: float, base: float = 0.0) -> None:
        """Play the sounds from the last time up to this one, also backwards; jumps are silent.

        Args:
            animation: what is juggled.
            time: in it, [s].
            base: the clock when that is 0, [s]; one animation may follow another.

        Raises:
            ViewerError: there is no device, or it failed; the sound is off then.
        """
        before = self._clock - base
        self._clock = time + base
        if not self.on or not 0 < abs(time - before) < _JUMP * animation.parameters.speed:
            return
        events = self._events.of(animation)
        speaker = self._find_once()
        try:
            for number in _between(events, animation.duration, before, time)[:_AT_ONCE].tolist():
                speaker.play(tone(float(events.pitch[number]), float(events.loudness[number])))
        except Exception as error:  # each driver raises its own
            self.on = False
            self._speaker = None
            raise ViewerError(
                _(
                    "no more sound: {error}",
                    error=" ".join(str(error).split()) or type(error).__name__,
                )
            ) from error

    def _find_once(self) -> Player:
        try:
            self._speaker = self._speaker or self._open_speaker()
        except ViewerError:
            self.on = False
            raise
        return self._speaker


def _events_of(animation: Animation) -> SoundEvents:
    return sound_events(animation.motion, animation.parameters)


def _between(events: SoundEvents, duration: float, before: float, now: float) -> Integers:
    """Indices of the events between two times, the later one included."""
    low = min(before, now)
    high = max(before, now)
    # The last time of each event, up to the later one.
    last = events.time + np.floor((high - events.time) / duration) * duration
    return np.flatnonzero(last > low)
