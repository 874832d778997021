"""APNG: an animated PNG, without loss; each frame after the first holds only the rectangle that has changed.

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

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.exporter.png import SIGNATURE, chunk, compressed_rows, header_chunk
from juggle_anim.exporter.video import AddFrame
from juggle_anim.metadata.images import PNG_TEXT_CHUNK, png_text_content

_KEEP, _REPLACE = 0, 0  # a frame stays on the canvas, and the next replaces the pixels of its rectangle
_MAX_DELAY_PART = 65_535  # numerator and denominator of a delay have 16 bits


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
