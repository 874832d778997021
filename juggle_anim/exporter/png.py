"""PNG: pictures without loss, written fast."""

from __future__ import annotations

import struct

import numpy as np
from isal import isal_zlib

from juggle_anim.arrays import Bytes

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB = 2
# Each row is stored as its difference from the one above: a stage is smooth, so most of it is 0.
_UP = 2


def encode_png(image: Bytes) -> bytes:
    """A picture as the bytes of a PNG file.

    Args:
        image: shape (height, width, 3), top row first.
    """
    height, width = image.shape[:2]
    rows = image.reshape(height, 3 * width)
    filtered = np.empty((height, 1 + 3 * width), dtype=np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, 8, _RGB, 0, 0, 0)
    pixels = isal_zlib.compress(filtered, 1)
    return b"".join([_SIGNATURE, *_chunk(b"IHDR", header), *_chunk(b"IDAT", pixels), *_chunk(b"IEND", b"")])


def _chunk(kind: bytes, data: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return struct.pack(">I", len(data)), kind, data, struct.pack(">I", checksum)
