"""Chunks of WebP files, and animations put together of shorter ones (WebP container specification)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO


class WebpJoiner:
    """A file to which animations are added, one behind the other; it holds none of them in memory.

    Args:
        file: where to, empty, to be written and sought.
        size: width and height of all pictures, [pixels].
        alpha: whether they have alpha.
    """

    def __init__(self, file: BinaryIO, size: tuple[int, int], alpha: bool) -> None:
        self._file, self._size = file, size
        file.write(struct.pack("<4sI4s", b"RIFF", 0, b"WEBP"))
        flags = _ANIMATED | (_ALPHA if alpha else 0)
        self._add(b"VP8X", struct.pack("<I", flags) + _edges(size))
        self._add(b"ANIM", struct.pack("<IH", 0, 0))  # on a clear ground, without end

    def add(self, content: bytes, duration: int, clears: bool = False) -> None:
        """Add an animation.

        Args:
            content: a WebP file; a still, where all its pictures were alike.
            clears: whether a still leaves a clear ground.
            duration: of it all, [ms]; the library guesses that of the last picture, which gets what is left.
        """
        pictures = [chunk for kind, chunk in _chunks(content) if kind == b"ANMF"]
        if not pictures:
            still = b"".join(_chunk(kind, chunk) for kind, chunk in _chunks(content) if kind in _PICTURES)
            # At the top left corner, in place of what was there; the lowest bit clears it.
            pictures = [bytes(6) + _edges(self._size) + bytes(3) + bytes([_REPLACING | clears]) + still]
        left = duration - sum(int.from_bytes(chunk[_PAUSE], "little") for chunk in pictures[:-1])
        last = pictures.pop()
        for chunk in [*pictures, last[: _PAUSE.start] + left.to_bytes(3, "little") + last[_PAUSE.stop :]]:
            self._add(b"ANMF", chunk)

    def close(self) -> None:
        """Complete the file."""
        whole = self._file.seek(0, 2)
        self._file.seek(4)
        self._file.write(struct.pack("<I", whole - 8))

    def _add(self, kind: bytes, content: bytes) -> None:
        self._file.write(_chunk(kind, content))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", kind, len(content)) + content + bytes(len(content) % 2)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk of a file."""
    place = 12
    while place < len(content):
        kind, length = struct.unpack_from("<4sI", content, place)
        yield kind, content[place + 8 : place + 8 + length]
        place += 8 + length + length % 2


def _edges(size: tuple[int, int]) -> bytes:
    return b"".join((edge - 1).to_bytes(3, "little") for edge in size)


_ANIMATED, _ALPHA = 0x02, 0x10
_REPLACING = 0x02
_PAUSE = slice(12, 15)  # where a picture says how long it is shown
_PICTURES = (b"ALPH", b"VP8 ", b"VP8L")
