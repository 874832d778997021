"""Words in a PNG: a tEXt chunk named Comment, before the pixels (PNG specification, 11.3.3.2)."""

from __future__ import annotations

KIND = b"tEXt"


def png_text(words: str) -> bytes:
    """The content of the chunk of kind `KIND` that holds some words in ASCII."""
    return b"Comment\0" + words.encode("ascii")
