"""The sound of a video, written picture by picture beside it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.exporter.clicks import RATE, Clicks
from juggle_anim.exporter.clock import frame_rate
from juggle_anim.exporter.shots import Shots

if TYPE_CHECKING:
    from av.container import OutputContainer

_LOUDEST = 32_767


class SoundTrack:
    """A stream of sound in a file that is being written.

    Args:
        container: the file.
        codec: FFmpeg's name of how it is packed.
        shots: what is seen meanwhile.
    """

    def __init__(self, container: OutputContainer, codec: str, shots: Shots) -> None:
        from av.audio.stream import AudioStream

        stream = container.add_stream(codec, rate=RATE)
        assert isinstance(stream, AudioStream)
        stream.layout = "mono"
        self._container, self._stream, self._clicks = container, stream, Clicks(shots)
        self._rate = frame_rate(shots.fps)
        self._pictures = self._written = 0

    def go_on(self) -> None:
        """Write what is heard during the next picture."""
        from av import AudioFrame

        self._pictures += 1
        count = round(self._pictures * RATE / self._rate) - self._written
        samples = self._clicks.samples(self._written, count) * _LOUDEST
        frame = AudioFrame.from_ndarray(np.rint(samples).astype(np.int16)[None], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, self._written, Fraction(1, RATE)
        self._written += count
        self._container.mux(self._stream.encode(frame))

    def end(self) -> None:
        """Write what is left."""
        self._container.mux(self._stream.encode(None))
