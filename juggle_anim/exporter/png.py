"""PNG: pictures without loss, written fast.

MERGED: APNG: an animated PNG, without loss; each picture after the first holds only what has changed.

The format is that of the PNG specification, third edition, 11.3.6.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import numpy as np
from isal import isal_zlib

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.film import Add
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.metadata.images import KIND, png_text

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""What each PNG begins with."""

_RGB, _RGBA = 2, 6

# Each row is stored as its difference from the one above: a stage is smooth, so most of it is 0.
_UP = 2

_KEEP, _REPLACE = 0, 0  # what is there stays for the next picture, which replaces the pixels of its part

_LONGEST = 65_535  # both numbers of a pause have 16 bits


def encode_png(image: Bytes, words: str = "") -> bytes:
    """A picture as the bytes of a PNG file.

    Args:
        image: shape (height, width, 3; 4 with alpha), top row first.
        words: what the file is to say of itself, in ASCII.
    """
    about = chunk(KIND, png_text(words)) if words else b""
    return b"".join([SIGNATURE, header(image), about, chunk(b"IDAT", packed(image)), chunk(b"IEND", b"")])


def header(image: Bytes) -> bytes:
    """The first chunk of a file of such pictures."""
    height, width, channels = image.shape
    colours = _RGB if channels == 3 else _RGBA
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0))


def packed(image: Bytes) -> bytes:
    """The pixels, filtered and compressed."""
    height, width, channels = image.shape
    rows = image.reshape(height, channels * width)
    filtered = np.empty((height, 1 + channels * width), dtype=np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return bytes(isal_zlib.compress(filtered, 1))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and its checksum."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join([struct.pack(">I4s", len(data), kind), data, struct.pack(">I", checksum)])


@contextlib.contextmanager
def apng(shots: FrameRequest, draft: Path, _manner: WriteOptions, words: str) -> Iterator[Add]:
    """Begin an APNG that players repeat without end."""
    with draft.open("wb") as file:
        frames = _Frames(file, shots, words)
        yield frames.add
        file.write(chunk(b"IEND", b""))


class _Frames:
    """The pictures of a file, written one by one."""

    def __init__(self, file: BinaryIO, shots: FrameRequest, words: str) -> None:
        self._file, self._words, self._count = file, words, shots.frames
        self._pause = Fraction(shots.duration / shots.frames).limit_denominator(_LONGEST)
        self._number = 0
        self._before: Bytes | None = None

    def add(self, image: Bytes) -> None:
        if self._before is None:
            self._begin(image)
            self._write_control((0, 0, image.shape[1], image.shape[0]))
            self._file.write(chunk(b"IDAT", packed(image)))
        else:
            left, top, width, height = changed = changed_part(self._before, image)
            self._write_control(changed)
            part = np.ascontiguousarray(image[top : top + height, left : left + width])
            self._file.write(chunk(b"fdAT", struct.pack(">I", self._next()) + packed(part)))
        self._before = image

    def _begin(self, image: Bytes) -> None:
        self._file.write(SIGNATURE + header(image) + chunk(b"acTL", struct.pack(">II", self._count, 0)))
        self._file.write(chunk(KIND, png_text(self._words)))

    def _write_control(self, part: tuple[int, int, int, int]) -> None:
        left, top, width, height = part
        pause = self._pause.numerator, self._pause.denominator
        self._file.write(
            chunk(b"fcTL", struct.pack(">IIIIIHHBB", self._next(), width, height, left, top, *pause, _KEEP, _REPLACE))
        )

    def _next(self) -> int:
        self._number += 1
        return self._number - 1


def changed_part(before: Bytes, image: Bytes) -> tuple[int, int, int, int]:
    """Left, top, width and height of the smallest part in which two pictures differ; at least one pixel."""
    differs = (before != image).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    left, top = int(columns[0]), int(rows[0])
    return left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1
