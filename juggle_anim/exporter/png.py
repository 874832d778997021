"""PNG: pictures without loss, written fast."""

from __future__ import annotations

import struct

import numpy as np
from isal import isal_zlib

from juggle_anim.arrays import Bytes
from juggle_anim.embedded.png_text import KIND, png_text

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""What each PNG begins with."""

_RGB, _RGBA = 2, 6
# Each row is stored as its difference from the one above: a stage is smooth, so most of it is 0.
_UP = 2


def encode_png(image: Bytes, words: str = "") -> bytes:
    """A picture as the bytes of a PNG file.

    Args:
        image: shape (height, width, 3; 4 with alpha), top row first.
        words: what the file is to say of itself, in ASCII.
    """
    about = chunk(KIND, png_text(words)) if words else b""
    return b"".join([SIGNATURE, header(image), about, chunk(b"IDAT", packed(image)), chunk(b"IEND", b"")])


def header(image: Bytes) -> bytes:
    """The first chunk of a file of such pictures."""
    height, width, channels = image.shape
    colours = _RGB if channels == 3 else _RGBA
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0))


def packed(image: Bytes) -> bytes:
    """The pixels, filtered and compressed."""
    height, width, channels = image.shape
    rows = image.reshape(height, channels * width)
    filtered = np.empty((height, 1 + channels * width), dtype=np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return bytes(isal_zlib.compress(filtered, 1))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and its checksum."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join([struct.pack(">I4s", len(data), kind), data, struct.pack(">I", checksum)])
