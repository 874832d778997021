"""TIFF: a table of where everything is; what it names has to lie in the file (TIFF 6.0, section 2)."""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8}
"""Of a number of each kind, [bytes]."""

_CODES = {3: "H", 4: "I"}
_STRIPS, _STRIP_SIZES = 273, 279


def tiff_holds_its_places(file: BinaryIO) -> bool:
    """Whether the table, the values it names and the strips of the picture lie in a file of one picture."""
    size = file.seek(0, os.SEEK_END)
    table = struct.unpack("<I", _at(file, 4, 4))[0]
    count = struct.unpack("<H", _at(file, table, 2))[0]
    rows = list(struct.iter_unpack("<HHI4s", _at(file, table + 2, 12 * count)))
    ends = [table + 2 + 12 * count + 4]
    numbers: dict[int, tuple[int, ...]] = {}
    for tag, kind, length, value in rows:
        # Four bytes have room in the row itself.
        place, room = struct.unpack("<I", value)[0], _SIZES.get(kind, 1) * length
        ends.append(place + room if room > 4 else 0)
        if tag in (_STRIPS, _STRIP_SIZES) and kind in _CODES:
            numbers[tag] = struct.unpack(
                f"<{length}{_CODES[kind]}", _at(file, place, room) if room > 4 else value[:room]
            )
    strips = zip(numbers.get(_STRIPS, (size,)), numbers.get(_STRIP_SIZES, (size,)), strict=True)
    return max(*ends, *(start + length for start, length in strips)) <= size


def _at(file: BinaryIO, place: int, size: int) -> bytes:
    file.seek(place)
    return file.read(size)
