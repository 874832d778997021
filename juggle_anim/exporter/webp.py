"""Animated WebP: small, with alpha, and shown by every browser.

The library holds all pictures of an animation until it is complete, so a long one is made of short ones.

MERGED: Chunks of WebP files, and animations put together of shorter ones (WebP container specification).
"""

from __future__ import annotations

import contextlib
import io
import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.film import Add, ticks
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import Quality, WriteOptions
from juggle_anim.exporter.stills import webp
from juggle_anim.metadata.images import add_webp_exif

AT_ONCE = 256
"""So many pictures are in one short animation…"""

MOST_PIXELS = 64_000_000
"""…and where they are transparent, no more than have so many pixels: the library holds each of those as a whole."""

_MILLISECOND = Fraction(1, 1000)

_OPTIONS: dict[str, dict[str, str]] = {
    Quality.DRAFT: {"quality": "70", "compression_level": "1"},
    Quality.GOOD: {"quality": "90", "compression_level": "2"},
    Quality.BEST: {"lossless": "1", "compression_level": "4"},
}

_ANIMATED, _ALPHA = 0x02, 0x10

_REPLACING = 0x02

_PAUSE = slice(12, 15)  # where a picture says how long it is shown

_PICTURES = (b"ALPH", b"VP8 ", b"VP8L")


@contextlib.contextmanager
def animated_webp(shots: FrameRequest, draft: Path, manner: WriteOptions, words: str) -> Iterator[Add]:
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


def at_once(shots: FrameRequest) -> int:
    """How many pictures are in one short animation."""
    if not shots.transparent:
        return AT_ONCE
    return min(AT_ONCE, max(2, MOST_PIXELS // (shots.size[0] * shots.size[1])))


class _Part(contextlib.ExitStack):
    """A short animation in memory, that begins with the picture of number `first`."""

    def __init__(self, shots: FrameRequest, manner: WriteOptions, first: int) -> None:
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


class WebpJoiner:
    """A file to which animations are added, one behind the other; it holds none of them in memory.

    Args:
        file: where to, empty, to be written and sought.
        size: width and height of all pictures, [pixels].
        alpha: whether they have alpha.
    """

    def __init__(self, file: BinaryIO, size: tuple[int, int], alpha: bool) -> None:
        self._file, self._size = file, size
        file.write(struct.pack("<4sI4s", b"RIFF", 0, b"WEBP"))
        flags = _ANIMATED | (_ALPHA if alpha else 0)
        self._add(b"VP8X", struct.pack("<I", flags) + _edges(size))
        self._add(b"ANIM", struct.pack("<IH", 0, 0))  # on a clear ground, without end

    def add(self, content: bytes, duration: int, clears: bool = False) -> None:
        """Add an animation.

        Args:
            content: a WebP file; a still, where all its pictures were alike.
            clears: whether a still leaves a clear ground.
            duration: of it all, [ms]; the library guesses that of the last picture, which gets what is left.
        """
        pictures = [chunk for kind, chunk in _chunks(content) if kind == b"ANMF"]
        if not pictures:
            still = b"".join(_chunk(kind, chunk) for kind, chunk in _chunks(content) if kind in _PICTURES)
            # At the top left corner, in place of what was there; the lowest bit clears it.
            pictures = [bytes(6) + _edges(self._size) + bytes(3) + bytes([_REPLACING | clears]) + still]
        left = duration - sum(int.from_bytes(chunk[_PAUSE], "little") for chunk in pictures[:-1])
        last = pictures.pop()
        for chunk in [*pictures, last[: _PAUSE.start] + left.to_bytes(3, "little") + last[_PAUSE.stop :]]:
            self._add(b"ANMF", chunk)

    def close(self) -> None:
        """Complete the file."""
        whole = self._file.seek(0, 2)
        self._file.seek(4)
        self._file.write(struct.pack("<I", whole - 8))

    def _add(self, kind: bytes, content: bytes) -> None:
        self._file.write(_chunk(kind, content))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", kind, len(content)) + content + bytes(len(content) % 2)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk of a file."""
    place = 12
    while place < len(content):
        kind, length = struct.unpack_from("<4sI", content, place)
        yield kind, content[place + 8 : place + 8 + length]
        place += 8 + length + length % 2


def _edges(size: tuple[int, int]) -> bytes:
    return b"".join((edge - 1).to_bytes(3, "little") for edge in size)
