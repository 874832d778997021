"""Words in a JPEG: EXIF in its first segments (Exif 2.3, 4.5.4), or comments where they fill more than one segment."""

from __future__ import annotations

import struct

EXIF_ROOM = 60_000
"""So many letters have room in the one segment of EXIF, of 65,535 bytes; more go into comments."""

PART = b"juggle-anim\0"
"""How a comment begins that holds a part of the words."""

_COMMENT = 0xFE


def add_jpeg_comments(content: bytes, words: str) -> bytes:
    """A JPEG with some words in ASCII, as comments behind its first segment, each a part of them."""
    parts = [words[start : start + EXIF_ROOM] for start in range(0, len(words), EXIF_ROOM)]
    comments = b"".join(_segment(_COMMENT, PART + part.encode("ascii")) for part in parts)
    place = 4 + struct.unpack_from(">H", content, 4)[0]
    return content[:place] + comments + content[place:]


def _segment(kind: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, len(content) + 2) + content
