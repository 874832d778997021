"""Words in a JPEG: EXIF in its first segments (Exif 2.3, 4.5.4), or comments where they fill more than one segment."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from juggle_anim.embedded.exif import read_exif

EXIF_ROOM = 60_000
"""So many letters have room in the one segment of EXIF, of 65,535 bytes; more go into comments."""

_EXIF, _PART = b"Exif\0\0", b"juggle-anim\0"
_APP1, _COMMENT, _START_OF_SCAN = 0xE1, 0xFE, 0xDA


def add_jpeg_comments(content: bytes, words: str) -> bytes:
    """A JPEG with some words in ASCII, as comments behind its first segment, each a part of them."""
    parts = [words[start : start + EXIF_ROOM] for start in range(0, len(words), EXIF_ROOM)]
    comments = b"".join(_segment(_COMMENT, _PART + part.encode("ascii")) for part in parts)
    place = 4 + struct.unpack_from(">H", content, 4)[0]
    return content[:place] + comments + content[place:]


def read_jpeg_exif(file: BinaryIO, most: int) -> str | None:
    """The words of a JPEG, at most so many bytes of them; None where it has none."""
    parts: list[bytes] = []
    for kind, length in _segments(file):
        if kind == _APP1 and file.read(len(_EXIF)) == _EXIF and (words := read_exif(file, most)):
            return words
        if kind == _COMMENT and len(_PART) <= length <= most and file.read(len(_PART)) == _PART:
            part = file.read(length - len(_PART))
            parts.append(part)
            most -= len(part)
    return b"".join(parts).decode("latin-1") or None


def _segments(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """The kind and length of each segment before the picture, at the beginning of which the file stands."""
    file.seek(2)
    while len(head := file.read(4)) == 4:
        mark, kind, length = struct.unpack(">BBH", head)
        following = file.tell() + length - 2
        if mark != 0xFF or kind == _START_OF_SCAN or length < 2:
            return
        yield kind, length - 2
        file.seek(following)


def _segment(kind: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, len(content) + 2) + content
