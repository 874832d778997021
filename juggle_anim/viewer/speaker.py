"""The speaker: short sounds through the system's audio device, where there is one."""

from __future__ import annotations

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
