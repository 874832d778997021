"""GIF: blocks up to a trailer of one byte, which stands in pictures too (GIF89a specification, 27)."""

from __future__ import annotations

import mmap
from typing import BinaryIO

from juggle_anim.embedded.gif_comment import EXTENSION, HEADER, IMAGE, palette_size

_TRAILER = 0x3B


def gif_goes_to_its_trailer(file: BinaryIO) -> bool:
    """Whether each block is followed by another, and the last by the trailer and nothing more."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        place = HEADER + palette_size(data[10])
        while data[place] in (EXTENSION, IMAGE):
            # An extension has its kind before its parts; a picture nine bytes, its palette and the least size of codes.
            before = 2 if data[place] == EXTENSION else 11 + palette_size(data[place + 9])
            place = _after_parts(data, place + before)
        return data[place] == _TRAILER and place + 1 == len(data)


def _after_parts(data: mmap.mmap, place: int) -> int:
    """Where a row of parts ends: each begins with its length, and the last has none."""
    while length := data[place]:
        place += 1 + length
    return place + 1
