"""Words in a PNG: a tEXt chunk named Comment, before the pixels (PNG specification, 11.3.3.2)."""

from __future__ import annotations

import struct
from typing import BinaryIO

KIND = b"tEXt"
_NAME = b"Comment\0"
_HEADER = 8  # length and kind; four bytes of checksum follow the content


def png_text(words: str) -> bytes:
    """The content of the chunk of kind `KIND` that holds some words in ASCII."""
    return _NAME + words.encode("ascii")


def read_png_text(file: BinaryIO, most: int) -> str | None:
    """The words of a PNG or APNG of which at most so many bytes are read; None where it has none."""
    file.seek(8)
    while len(header := file.read(_HEADER)) == _HEADER:
        length, kind = struct.unpack(">I4s", header)
        if kind in (b"IDAT", b"IEND"):
            break
        if kind == KIND and len(_NAME) <= length <= most:
            content = file.read(length)
            if content.startswith(_NAME) and len(content) == length:
                return content[len(_NAME) :].decode("latin-1")
            length = 0
        file.seek(length + 4, 1)
    return None
