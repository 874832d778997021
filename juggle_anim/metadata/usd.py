"""Metadata in a USD file: an entry with the program's name in the custom data of its layer.

It is read without the USD library, which few people have. In the binary form all texts of the file are in one section,
compressed with LZ4 (Y. Collet, "LZ4 Block Format Description"; Pixar, "OpenUSD": `pxr/usd/sdf/crateFile.h` and
`pxr/base/tf/fastCompression.h` describe the layout).
"""

from __future__ import annotations

import re
import struct
from typing import BinaryIO

from juggle_anim.metadata.record import PROGRAM

_TEXT, _BINARY = b"#usda ", b"PXR-USDC"

_ENTRY = re.compile(
    rb'string "?%s"? = (?:"((?:[^"\\\n]|\\.)*+)"|\'((?:[^\'\\\n]|\\.)*+)\')' % re.escape(PROGRAM.encode())
)

_ESCAPED = re.compile(rb"\\(.)")
_START = b'{"%s": ' % PROGRAM.encode()
_MEMBER = struct.Struct("<4s5H3I2H")
_CONTENTS_AT = 16
_MOST_SECTIONS = 64
_SHORTEST_MATCH = 4


def read_usd_text(file: BinaryIO, limit: int) -> str | None:
    """The metadata of a USD file in text form, from at most `limit` bytes; None where it has none."""
    found = _ENTRY.search(file.read(limit))
    return _ESCAPED.sub(rb"\1", found[1] or found[2] or b"").decode("latin-1") if found else None


def read_usd_binary(file: BinaryIO, limit: int) -> str | None:
    """The same for the binary form, which begins at the file's current position."""
    start = file.tell()
    try:
        for name, place, size in _sections(file, start):
            if name == b"TOKENS":
                file.seek(start + place)
                return _record_text(_texts(file.read(min(size, limit)), limit))
    except (struct.error, ValueError, OverflowError, OSError):
        pass  # it is cut short, or states impossible positions
    return None


def read_usd_package(file: BinaryIO, limit: int) -> str | None:
    """The same for a package, whose first member is the layer, uncompressed."""
    head = file.read(_MEMBER.size)
    if len(head) < _MEMBER.size:
        return None
    _, _, _, packed, *_, name, more = _MEMBER.unpack(head)
    if packed:
        return None
    file.seek(name + more, 1)
    start = file.tell()
    mark = file.read(len(_BINARY))
    file.seek(start)
    if mark == _BINARY:
        return read_usd_binary(file, limit)
    return read_usd_text(file, limit) if mark.startswith(_TEXT) else None


def _sections(file: BinaryIO, start: int) -> list[tuple[bytes, int, int]]:
    """The name, position and size of each section."""
    file.seek(start + _CONTENTS_AT)
    (contents,) = struct.unpack("<q", file.read(8))
    file.seek(start + contents)
    (count,) = struct.unpack("<Q", file.read(8))
    rows = file.read(32 * min(count, _MOST_SECTIONS))
    return [(name.rstrip(b"\0"), place, size) for name, place, size in struct.iter_unpack("<16s2q", rows)]


def _texts(section: bytes, limit: int) -> list[bytes]:
    _, whole, packed = struct.unpack_from("<3Q", section)
    parts = _parts(section[24 : 24 + packed])
    texts = b""
    for part in parts:
        unpacked = unpack_lz4(part, min(whole, limit) - len(texts))
        if unpacked is None:
            return []
        texts += unpacked
    return texts.split(b"\0")


def _parts(packed: bytes) -> list[bytes]:
    """The blocks of compressed bytes: the first byte is their number, where 0 means a single block without its size."""
    if not packed[0:1] or not packed[0]:
        return [packed[1:]]
    parts, place = [], 1
    for _ in range(packed[0]):
        (size,) = struct.unpack_from("<i", packed, place)
        parts.append(packed[place + 4 : place + 4 + max(size, 0)])
        place += 4 + max(size, 0)
    return parts


def _record_text(texts: list[bytes]) -> str | None:
    return next((text.decode("latin-1") for text in texts if text.startswith(_START)), None)


def unpack_lz4(block: bytes, limit: int) -> bytes | None:
    """The content of an LZ4 block, at most `limit` bytes; None where it is larger or invalid."""
    content = bytearray()
    place = 0
    try:
        while place < len(block):
            token = block[place]
            length, place = _length(block, place + 1, token >> 4)
            if place + length > len(block) or len(content) + length > limit:
                return None
            content += block[place : place + length]
            place += length
            if place == len(block):
                return bytes(content)
            back = block[place] | block[place + 1] << 8
            length, place = _length(block, place + 2, token & 15)
            length += _SHORTEST_MATCH
            if not 0 < back <= len(content) or len(content) + length > limit:
                return None
            _repeat(content, back, length)
    except IndexError:
        pass  # it is cut short
    return None


def _length(block: bytes, place: int, length: int) -> tuple[int, int]:
    """A length that begins with four bits and continues in bytes while they are 255; and the position after it."""
    if length == 15:
        while (more := block[place]) == 255:
            length, place = length + more, place + 1
        length, place = length + more, place + 1
    return length, place


def _repeat(content: bytearray, back: int, length: int) -> None:
    """Append `length` bytes from `back` bytes before the end; both may overlap."""
    period = bytes(content[-back:])
    content += (period * (length // back + 1))[:length]
