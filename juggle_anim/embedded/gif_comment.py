"""Words in a GIF: a comment extension right after the header (GIF89a specification, 24)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import BinaryIO

HEADER = 13
"""So many bytes come before the palette."""

EXTENSION, IMAGE = 0x21, 0x2C
"""How blocks begin."""

_LONGEST_BLOCK, _COMMENT = 255, 0xFE


def add_gif_comment(path: Path, words: str) -> None:
    """Write some words in ASCII into a GIF that is there."""
    before = path.with_name(f"{path.name}.bare")
    try:
        path.replace(before)
        with before.open("rb") as bare, path.open("wb") as file:
            header = bare.read(HEADER)
            file.write(header + bare.read(palette_size(header[10])) + _comment(words.encode("ascii")))
            shutil.copyfileobj(bare, file)
    finally:
        before.unlink(missing_ok=True)


def read_gif_comment(file: BinaryIO, most: int) -> str | None:
    """The words of a GIF, at most so many bytes of them; None where it has none."""
    header = file.read(HEADER)
    if len(header) < HEADER:
        return None
    file.seek(palette_size(header[10]), 1)
    while (start := file.read(1)) and start[0] in (EXTENSION, IMAGE):
        if start[0] == IMAGE:
            descriptor = file.read(9)
            file.seek(1 + (palette_size(descriptor[8]) if len(descriptor) == 9 else 0), 1)
            _blocks(file, 0)
        elif file.read(1) == bytes([_COMMENT]):
            return _blocks(file, most)
        else:
            _blocks(file, 0)
    return None


def palette_size(flags: int) -> int:
    """Of the palette that these flags of a header or a picture tell of, [bytes]."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _comment(words: bytes) -> bytes:
    blocks = [words[start : start + _LONGEST_BLOCK] for start in range(0, len(words), _LONGEST_BLOCK)]
    return bytes([EXTENSION, _COMMENT]) + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _blocks(file: BinaryIO, most: int) -> str | None:
    """Go through a row of blocks to its end; their words, where `most` bytes hold them."""
    parts: list[bytes] = []
    total = 0
    while (length := file.read(1)) and length[0]:
        total += length[0]
        if total <= most:
            parts.append(file.read(length[0]))
        else:
            file.seek(length[0], 1)
    return b"".join(parts).decode("latin-1") if length and 0 < total <= most else None
