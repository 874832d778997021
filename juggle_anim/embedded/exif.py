"""Words in EXIF, which is a small TIFF: its tag ImageDescription. A TIFF file holds them in the same way."""

from __future__ import annotations

import struct

DESCRIPTION = 0x010E
"""The tag's number."""

_ASCII = 2


def exif(words: str) -> bytes:
    """EXIF that holds some words in ASCII, and nothing else."""
    text = words.encode("ascii") + b"\0"
    # Up to four bytes stand in the tag's own row, instead of the place where they are.
    text = text.ljust(5, b"\0")
    start = struct.pack("<2sHI", b"II", 42, 8)
    row = struct.pack("<HHHII", 1, DESCRIPTION, _ASCII, len(text), 26)
    return start + row + struct.pack("<I", 0) + text
