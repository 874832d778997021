"""Words in EXIF, which is a small TIFF: its tag ImageDescription. A TIFF file holds them in the same way."""

from __future__ import annotations

import struct
from typing import BinaryIO

DESCRIPTION = 0x010E
"""The tag's number."""

_ASCII = 2
_MOST_TAGS = 1_000


def exif(words: str) -> bytes:
    """EXIF that holds some words in ASCII, and nothing else."""
    text = words.encode("ascii") + b"\0"
    # Up to four bytes stand in the tag's own row, instead of the place where they are.
    text = text.ljust(5, b"\0")
    start = struct.pack("<2sHI", b"II", 42, 8)
    row = struct.pack("<HHHII", 1, DESCRIPTION, _ASCII, len(text), 26)
    return start + row + struct.pack("<I", 0) + text


def read_exif(file: BinaryIO, most: int) -> str | None:
    """The words of EXIF, or of a TIFF, that begins where the file stands, at most so many bytes; None without any."""
    start = file.tell()
    head = file.read(8)
    order = {b"II": "<", b"MM": ">"}.get(head[:2])
    if order is None or len(head) < 8:
        return None
    file.seek(start + struct.unpack(f"{order}I", head[4:])[0])
    rows = file.read(2)
    for _ in range(min(struct.unpack(f"{order}H", rows)[0], _MOST_TAGS) if len(rows) == 2 else 0):
        row = file.read(12)
        if len(row) < 12:
            return None
        tag, kind, count, place = struct.unpack(f"{order}HHII", row)
        if tag == DESCRIPTION and kind == _ASCII and 4 < count <= most:
            file.seek(start + place)
            text = file.read(count)
            return text.rstrip(b"\0").decode("latin-1") if len(text) == count else None
    return None
