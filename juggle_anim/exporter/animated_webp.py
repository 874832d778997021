"""Animated WebP: small, with alpha, and shown by every browser."""

from __future__ import annotations

import contextlib
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

_MILLISECOND = Fraction(1, 1000)


@contextlib.contextmanager
def animated_webp(shots: Shots, draft: Path, manner: Manner, words: str) -> Iterator[Add]:
    """Begin a WebP that players repeat without end."""
    import av

    times = ticks(shots, _MILLISECOND.denominator).tolist()
    with av.open(str(draft), "w", format="webp", options={"loop": "0"}) as container:
        stream = container.add_stream("libwebp_anim", rate=1000, options=dict(_OPTIONS[manner.quality]))
        stream.width, stream.height = shots.size
        stream.pix_fmt = "bgra"
        stream.codec_context.time_base = _MILLISECOND
        count = 0

        def add(image: Bytes) -> None:
            nonlocal count
            frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
            frame = frame.reformat(format="bgra", threads=1)
            frame.pts, frame.time_base = times[count], _MILLISECOND
            frame.duration = times[count + 1] - times[count]
            count += 1
            container.mux(stream.encode(frame))

        yield add
        container.mux(stream.encode(None))
    add_webp_exif(draft, words)


_OPTIONS = {
    Quality.DRAFT: {"quality": "70", "compression_level": "1"},
    Quality.GOOD: {"quality": "90", "compression_level": "2"},
    Quality.BEST: {"lossless": "1", "compression_level": "4"},
}
