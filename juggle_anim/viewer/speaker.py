"""The speaker: short sounds through the system's audio device, where there is one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from juggle_anim.arrays import Singles
from juggle_anim.errors import ViewerError
from juggle_anim.sounds import RATE


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
        self._format = AudioFormat(channels=1, sample_size=16, sample_rate=RATE)

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
