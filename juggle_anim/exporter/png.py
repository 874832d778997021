"""PNG: pictures without loss, compressed quickly (PNG specification, third edition)."""

from __future__ import annotations

import struct

import numpy as np
from isal import isal_zlib

from juggle_anim.arrays import Bytes
from juggle_anim.metadata.images import PNG_TEXT_CHUNK, png_text_content

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG."""

_RGB, _RGBA = 2, 6

# Each row is stored as its difference from the one above: a stage is smooth, so most of it is 0.
_UP = 2


def encode_png(image: Bytes, metadata: str = "") -> bytes:
    """Encode a picture as the content of a PNG file.

    Args:
        image: shape (height, width, 3; 4 with alpha), top row first.
        metadata: text for the file to carry, in ASCII.
    """
    comment = chunk(PNG_TEXT_CHUNK, png_text_content(metadata)) if metadata else b""
    return b"".join(
        [SIGNATURE, header_chunk(image), comment, chunk(b"IDAT", compressed_rows(image)), chunk(b"IEND", b"")]
    )


def header_chunk(image: Bytes) -> bytes:
    """The chunk IHDR of a file with pictures of this shape."""
    height, width, channels = image.shape
    colours = _RGB if channels == 3 else _RGBA
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0))


def compressed_rows(image: Bytes) -> bytes:
    """The pixels, filtered and compressed."""
    height, width, channels = image.shape
    rows = image.reshape(height, channels * width)
    filtered = np.empty((height, 1 + channels * width), dtype=np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return bytes(isal_zlib.compress(filtered, 1))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and checksum."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join([struct.pack(">I4s", len(data), kind), data, struct.pack(">I", checksum)])
