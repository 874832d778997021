"""Animated WebP: small, with alpha, and shown by every browser.

The library holds all pictures of an animation until it is complete, so a long one is made of short ones.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.embedded.webp_exif import add_webp_exif
from juggle_anim.exporter.clock import ticks
from juggle_anim.exporter.film import Add
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.quality import Quality
from juggle_anim.exporter.shots import Shots
from juggle_anim.exporter.stills import webp
from juggle_anim.exporter.webp_chunks import WebpJoiner

AT_ONCE = 256
"""So many pictures are in one short animation…"""

MOST_PIXELS = 64_000_000
"""…and where they are transparent, no more than have so many pixels: the library holds each of those as a whole."""

_MILLISECOND = Fraction(1, 1000)


@contextlib.contextmanager
def animated_webp(shots: Shots, draft: Path, manner: Manner, words: str) -> Iterator[Add]:
    """Begin a WebP that players repeat without end."""
    times, most = ticks(shots, _MILLISECOND.denominator).tolist(), at_once(shots)
    with draft.open("w+b") as file:
        whole = WebpJoiner(file, shots.size, shots.transparent)
        count = 0
        part: _Part | None = None

        def end() -> None:
            nonlocal part
            if part:
                whole.add(part.complete(), times[count] - times[part.first])
            part = None

        def add(image: Bytes) -> None:
            nonlocal count, part
            pause = times[count + 1] - times[count]
            last = count % most == most - 1
            if last and shots.transparent:
                # What follows begins on a clear ground, and may cover no more than people and props.
                end()
                whole.add(webp(image, manner.quality, ""), pause, clears=True)
            else:
                part = part or _Part(shots, manner, count)
                part.add(image, times[count] - times[part.first], pause)
            count += 1
            if last:
                end()

        try:
            yield add
            end()
        finally:
            if part:
                part.close()
        whole.close()
    add_webp_exif(draft, words)


def at_once(shots: Shots) -> int:
    """How many pictures are in one short animation."""
    if not shots.transparent:
        return AT_ONCE
    return min(AT_ONCE, max(2, MOST_PIXELS // (shots.size[0] * shots.size[1])))


class _Part(contextlib.ExitStack):
    """A short animation in memory, that begins with the picture of number `first`."""

    def __init__(self, shots: Shots, manner: Manner, first: int) -> None:
        import av

        super().__init__()
        self.first = first
        self._file = io.BytesIO()
        self._container = self.enter_context(av.open(self._file, "w", format="webp", options={"loop": "0"}))
        self._stream = self._container.add_stream("libwebp_anim", rate=1000, options=dict(_OPTIONS[manner.quality]))
        self._stream.width, self._stream.height = shots.size
        self._stream.pix_fmt = "bgra"
        self._stream.codec_context.time_base = _MILLISECOND

    def add(self, image: Bytes, time: int, duration: int) -> None:
        """Add a picture that is shown from a time on, [ms]."""
        import av

        frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
        frame = frame.reformat(format="bgra", threads=1)
        frame.pts, frame.time_base, frame.duration = time, _MILLISECOND, duration
        self._container.mux(self._stream.encode(frame))

    def complete(self) -> bytes:
        """The whole of it, as a file; nothing can be added then."""
        self._container.mux(self._stream.encode(None))
        self.close()
        return self._file.getvalue()


_OPTIONS: dict[str, dict[str, str]] = {
    Quality.DRAFT: {"quality": "70", "compression_level": "1"},
    Quality.GOOD: {"quality": "90", "compression_level": "2"},
    Quality.BEST: {"lossless": "1", "compression_level": "4"},
}
