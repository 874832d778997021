"""Words in a WebP: a chunk of EXIF (WebP container specification, Metadata)."""

from __future__ import annotations

import struct
from pathlib import Path

from juggle_anim.embedded.exif import exif

_FLAGS = 20  # where the flags of the chunk VP8X are, which is the first of every file with more than one picture
_HAS_EXIF = 0x08


def add_webp_exif(path: Path, words: str) -> None:
    """Write some words in ASCII into an animated WebP that is there."""
    content = exif(words)
    with path.open("r+b") as file:
        file.seek(0, 2)
        file.write(struct.pack("<4sI", b"EXIF", len(content)) + content + b"\0" * (len(content) % 2))
        whole = file.tell()
        file.seek(4)
        file.write(struct.pack("<I", whole - 8))
        file.seek(_FLAGS)
        flags = file.read(1)[0]
        file.seek(_FLAGS)
        file.write(bytes([flags | _HAS_EXIF]))
