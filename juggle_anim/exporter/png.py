"""PNG and APNG: pictures without loss, compressed quickly (PNG specification, third edition; animations in 11.3.6)."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import numpy as np
from isal import isal_zlib

from juggle_anim.arrays import Bytes, Pixels
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import AddFrame, WriteOptions
from juggle_anim.metadata.images import PNG_TEXT_CHUNK, png_text_content

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG."""

_RGB, _RGBA = 2, 6

# Each row is stored as its difference from the one above: a stage is smooth, so most of it is 0.
_UP = 2

_KEEP, _REPLACE = 0, 0  # a frame stays on the canvas, and the next replaces the pixels of its rectangle
_MAX_DELAY_PART = 65_535  # numerator and denominator of a delay have 16 bits


def encode_png(image: Pixels, metadata: str = "") -> bytes:
    """Encode a picture as the content of a PNG file.

    Args:
        image: shape (height, width, 3; 4 with alpha), top row first, of bytes or 16-bit numbers.
        metadata: text for the file to carry, in ASCII.
    """
    comment = chunk(PNG_TEXT_CHUNK, png_text_content(metadata)) if metadata else b""
    return b"".join(
        [SIGNATURE, header_chunk(image), comment, chunk(b"IDAT", compressed_rows(image)), chunk(b"IEND", b"")]
    )


def header_chunk(image: Pixels) -> bytes:
    """The chunk IHDR of a file with pictures of this shape."""
    height, width, channels = image.shape
    colours = _RGB if channels == 3 else _RGBA
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8 * image.itemsize, colours, 0, 0, 0))


def compressed_rows(image: Pixels) -> bytes:
    """The pixels, filtered and compressed."""
    # The high byte of a number is first.
    rows = image.astype(image.dtype.newbyteorder(">")).reshape(len(image), -1).view(np.uint8)
    filtered = np.empty((len(rows), 1 + rows.shape[1]), dtype=np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return bytes(isal_zlib.compress(filtered, 1))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and checksum."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join([struct.pack(">I4s", len(data), kind), data, struct.pack(">I", checksum)])


@contextlib.contextmanager
def apng(request: FrameRequest, partial: Path, _options: WriteOptions, metadata: str) -> Iterator[AddFrame]:
    """Open an APNG that players repeat endlessly."""
    with partial.open("wb") as file:
        frames = _FrameWriter(file, request, metadata)
        yield frames.add
        file.write(chunk(b"IEND", b""))


class _FrameWriter:
    """Writes the frames of a file one by one."""

    def __init__(self, file: BinaryIO, request: FrameRequest, metadata: str) -> None:
        self._file, self._metadata, self._count = file, metadata, request.frames
        self._delay = Fraction(request.duration / request.frames).limit_denominator(_MAX_DELAY_PART)
        self._number = 0
        self._before: Bytes | None = None

    def add(self, image: Bytes) -> None:
        if self._before is None:
            self._begin(image)
            self._write_control((0, 0, image.shape[1], image.shape[0]))
            self._file.write(chunk(b"IDAT", compressed_rows(image)))
        else:
            left, top, width, height = changed = changed_rectangle(self._before, image)
            self._write_control(changed)
            part = np.ascontiguousarray(image[top : top + height, left : left + width])
            self._file.write(chunk(b"fdAT", struct.pack(">I", self._next()) + compressed_rows(part)))
        self._before = image

    def _begin(self, image: Bytes) -> None:
        self._file.write(SIGNATURE + header_chunk(image) + chunk(b"acTL", struct.pack(">II", self._count, 0)))
        self._file.write(chunk(PNG_TEXT_CHUNK, png_text_content(self._metadata)))

    def _write_control(self, part: tuple[int, int, int, int]) -> None:
        left, top, width, height = part
        delay = self._delay.numerator, self._delay.denominator
        self._file.write(
            chunk(b"fcTL", struct.pack(">IIIIIHHBB", self._next(), width, height, left, top, *delay, _KEEP, _REPLACE))
        )

    def _next(self) -> int:
        self._number += 1
        return self._number - 1


def changed_rectangle(before: Bytes, image: Bytes) -> tuple[int, int, int, int]:
    """Left, top, width and height of the smallest rectangle in which two pictures differ; at least one pixel."""
    differs = (before != image).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    left, top = int(columns[0]), int(rows[0])
    return left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1
