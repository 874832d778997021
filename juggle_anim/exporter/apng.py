"""APNG: an animated PNG, without loss; each picture after the first holds only what has changed.

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
from juggle_anim.embedded.png_text import KIND, png_text
from juggle_anim.exporter.film import Add
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.png import SIGNATURE, chunk, header, packed
from juggle_anim.exporter.shots import Shots


@contextlib.contextmanager
def apng(shots: Shots, draft: Path, _manner: Manner, words: str) -> Iterator[Add]:
    """Begin an APNG that players repeat without end."""
    with draft.open("wb") as file:
        frames = _Frames(file, shots, words)
        yield frames.add
        file.write(chunk(b"IEND", b""))


class _Frames:
    """The pictures of a file, written one by one."""

    def __init__(self, file: BinaryIO, shots: Shots, words: str) -> None:
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


_KEEP, _REPLACE = 0, 0  # what is there stays for the next picture, which replaces the pixels of its part
_LONGEST = 65_535  # both numbers of a pause have 16 bits
