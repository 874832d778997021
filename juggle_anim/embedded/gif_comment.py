"""Words in a GIF: a comment extension right after the header (GIF89a specification, 24)."""

from __future__ import annotations

import shutil
from pathlib import Path

_HEADER = 13
_LONGEST_BLOCK, _EXTENSION, _COMMENT = 255, 0x21, 0xFE


def add_gif_comment(path: Path, words: str) -> None:
    """Write some words in ASCII into a GIF that is there."""
    before = path.with_name(f"{path.name}.bare")
    try:
        path.replace(before)
        with before.open("rb") as bare, path.open("wb") as file:
            header = bare.read(_HEADER)
            file.write(header + bare.read(_palette_size(header[10])) + _comment(words.encode("ascii")))
            shutil.copyfileobj(bare, file)
    finally:
        before.unlink(missing_ok=True)


def _palette_size(flags: int) -> int:
    """Of the palette that these flags of a header or a picture tell of, [bytes]."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _comment(words: bytes) -> bytes:
    blocks = [words[start : start + _LONGEST_BLOCK] for start in range(0, len(words), _LONGEST_BLOCK)]
    return bytes([_EXTENSION, _COMMENT]) + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"
