"""Words in a JPEG: EXIF in its first segments (Exif 2.3, 4.5.4)."""

from __future__ import annotations

import struct
from typing import BinaryIO

from juggle_anim.embedded.exif import read_exif

_MARK = b"Exif\0\0"
_APP1, _START_OF_SCAN = 0xE1, 0xDA


def read_jpeg_exif(file: BinaryIO, most: int) -> str | None:
    """The words of a JPEG, at most so many bytes of them; None where it has none."""
    file.seek(2)
    while len(head := file.read(4)) == 4:
        mark, kind, length = struct.unpack(">BBH", head)
        following = file.tell() + length - 2
        if mark != 0xFF or kind == _START_OF_SCAN or length < 2:
            return None
        if kind == _APP1 and file.read(len(_MARK)) == _MARK:
            return read_exif(file, most)
        file.seek(following)
    return None
