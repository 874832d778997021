"""Animated WebP: small, with alpha, and shown by every browser (WebP container specification).

The library holds all frames of an animation until it is complete, so a long animation is joined
from short ones.
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
from juggle_anim.exporter.drawn_frames import DrawnFrames
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import AddFrame, Quality, WriteOptions
from juggle_anim.exporter.stills import webp
from juggle_anim.exporter.video import frame_ticks
from juggle_anim.metadata.images import add_webp_exif

FRAMES_PER_PART = 256
"""The most frames in one short animation…"""

MAX_PIXELS_PER_PART = 64_000_000
"""…and the most pixels of transparent ones, each of which the library keeps whole."""

_MILLISECOND = Fraction(1, 1000)

_OPTIONS: dict[str, dict[str, str]] = {
    Quality.DRAFT: {"quality": "70", "compression_level": "1"},
    Quality.GOOD: {"quality": "90", "compression_level": "2"},
    Quality.BEST: {"lossless": "1", "compression_level": "4"},
}

_ANIMATED = 0x02
_ALPHA = 0x10
_REPLACING = 0x02
_DURATION_BYTES = slice(12, 15)  # the duration in a frame's header
_FRAME_HEADER = 16  # bytes before the chunks of a frame
_FLAGS = 20  # the place of the flags of VP8X in a file
_LOSSLESS_ALPHA = 0x10
_IMAGE_CHUNKS = (b"ALPH", b"VP8 ", b"VP8L")


@contextlib.contextmanager
def animated_webp(
    frames: DrawnFrames, partial: Path, options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    """Open an animated WebP that players repeat endlessly."""
    request = frames.request
    times = frame_ticks(request, _MILLISECOND.denominator).tolist()
    limit = frames_per_part(request)
    with partial.open("w+b") as file:
        whole = WebpJoiner(file, request.size)
        count = 0
        part: _Part | None = None

        def end_part() -> None:
            nonlocal part
            if part:
                whole.add(part.complete(), times[count] - times[part.first])
            part = None

        def add(image: Bytes) -> None:
            nonlocal count, part
            delay = times[count + 1] - times[count]
            last = count % limit == limit - 1
            if last and request.transparent:
                # The next part starts on a cleared canvas, and covers only people and props.
                end_part()
                whole.add(webp(image, options.quality, ""), delay, clears=True)
            else:
                part = part or _Part(request, options, count)
                part.add(image, times[count] - times[part.first], delay)
            count += 1
            if last:
                end_part()

        try:
            yield add
            end_part()
        finally:
            if part:
                part.close()
        whole.close()
    add_webp_exif(partial, metadata)


def frames_per_part(request: FrameRequest) -> int:
    """The most frames in one short animation."""
    if not request.transparent:
        return FRAMES_PER_PART
    return min(FRAMES_PER_PART, max(2, MAX_PIXELS_PER_PART // (request.size[0] * request.size[1])))


class _Part(contextlib.ExitStack):
    """A short animation in memory, beginning with the frame of number `first`."""

    def __init__(self, request: FrameRequest, options: WriteOptions, first: int) -> None:
        import av

        super().__init__()
        self.first = first
        self._file = io.BytesIO()
        self._container = self.enter_context(
            av.open(self._file, "w", format="webp", options={"loop": "0"})
        )
        self._stream = self._container.add_stream(
            "libwebp_anim", rate=1000, options=dict(_OPTIONS[options.quality])
        )
        self._stream.width, self._stream.height = request.size
        self._stream.pix_fmt = "bgra"
        self._stream.codec_context.time_base = _MILLISECOND

    def add(self, image: Bytes, time: int, duration: int) -> None:
        """Add a frame that is shown from `time` on, [ms]."""
        import av

        frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
        frame = frame.reformat(format="bgra", threads=1)
        frame.pts = time
        frame.time_base = _MILLISECOND
        frame.duration = duration
        self._container.mux(self._stream.encode(frame))

    def complete(self) -> bytes:
        """Finish the animation, and return it as the content of a file."""
        self._container.mux(self._stream.encode(None))
        self.close()
        return self._file.getvalue()


class WebpJoiner:
    """A file to which animations are appended; none of them stays in memory.

    Args:
        file: empty, writable and seekable.
        size: width and height of all frames, [pixels].
    """

    def __init__(self, file: BinaryIO, size: tuple[int, int]) -> None:
        self._file = file
        self._size = size
        self._has_alpha = False
        file.write(struct.pack("<4sI4s", b"RIFF", 0, b"WEBP"))
        self._add(b"VP8X", struct.pack("<I", _ANIMATED) + _dimensions(size))
        self._add(b"ANIM", struct.pack("<IH", 0, 0))  # a transparent background, endless loop

    def add(self, content: bytes, duration: int, clears: bool = False) -> None:
        """Append an animation.

        Args:
            content: a WebP file; a still where all its frames were equal.
            duration: of all frames, [ms]; the library guesses that of the last frame, which gets
                the rest.
            clears: whether the canvas is cleared after a still.
        """
        pictures = [chunk for kind, chunk in _chunks(content) if kind == b"ANMF"]
        if not pictures:
            still = b"".join(
                _chunk(kind, chunk) for kind, chunk in _chunks(content) if kind in _IMAGE_CHUNKS
            )
            # At the top left corner, replacing the canvas; the lowest bit clears it afterwards.
            pictures = [
                bytes(6) + _dimensions(self._size) + bytes(3) + bytes([_REPLACING | clears]) + still
            ]
        left = duration - sum(
            int.from_bytes(chunk[_DURATION_BYTES], "little") for chunk in pictures[:-1]
        )
        last = pictures.pop()
        for chunk in [
            *pictures,
            last[: _DURATION_BYTES.start]
            + left.to_bytes(3, "little")
            + last[_DURATION_BYTES.stop :],
        ]:
            self._add(b"ANMF", chunk)
            self._has_alpha |= any(_has_alpha(*part) for part in _chunks(chunk, _FRAME_HEADER))

    def close(self) -> None:
        """Complete the file."""
        whole = self._file.seek(0, 2)
        self._file.seek(4)
        self._file.write(struct.pack("<I", whole - 8))
        # Frames of opaque pictures have alpha, too, where they leave what the frame before shows. A
        # browser that is not told of it shows white there.
        self._file.seek(_FLAGS)
        self._file.write(bytes([_ANIMATED | (_ALPHA if self._has_alpha else 0)]))

    def _add(self, kind: bytes, content: bytes) -> None:
        self._file.write(_chunk(kind, content))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", kind, len(content)) + content + bytes(len(content) % 2)


def _chunks(content: bytes, place: int = 12) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk of a file, from a place on."""
    while place < len(content):
        kind, length = struct.unpack_from("<4sI", content, place)
        yield kind, content[place + 8 : place + 8 + length]
        place += 8 + length + length % 2


def _has_alpha(kind: bytes, content: bytes) -> bool:
    """Whether a chunk of a frame has alpha; a lossless one says so in bit 28 after its
    signature.
    """
    return kind == b"ALPH" or (kind == b"VP8L" and bool(content[4] & _LOSSLESS_ALPHA))


def _dimensions(size: tuple[int, int]) -> bytes:
    return b"".join((edge - 1).to_bytes(3, "little") for edge in size)
