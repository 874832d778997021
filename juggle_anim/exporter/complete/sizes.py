"""Files that tell how large they or their parts are, so that these have to fill them exactly."""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

_SEGMENT = 0x18538067


def riff_fills(file: BinaryIO) -> bool:
    """RIFF, as WebP is: the size of all that follows stands behind the mark (WebP container specification)."""
    return struct.unpack("<I", file.read(8)[4:])[0] + 8 == _size(file)


def glb_fills(file: BinaryIO) -> bool:
    """GLB: the size of the file is the third number (Khronos Group, "glTF 2.0 Specification", 4.4.2)."""
    return bool(struct.unpack("<I", file.read(12)[8:])[0] == _size(file))


def boxes_fill(file: BinaryIO) -> bool:
    """MP4 or MOV: boxes one behind the other, pictures and where they are among them (ISO/IEC 14496-12, 4.2)."""
    whole, place, kinds = _size(file), 0, set()
    while place < whole:
        file.seek(place)
        size, kind = struct.unpack(">I4s", file.read(8))
        if size == 1:  # it has no room for the size, which follows
            (size,) = struct.unpack(">Q", file.read(8))
        if size < 8:
            return False
        kinds.add(kind)
        place += size
    return place == whole and {b"ftyp", b"moov", b"mdat"} <= kinds


def segment_fills(file: BinaryIO) -> bool:
    """WebM: a header and a segment, whose size is written when it is complete (RFC 8794, 4 to 6; RFC 9559, 5.1)."""
    _number(file, keep_mark=True)
    file.seek(_number(file), os.SEEK_CUR)
    segment, size = _number(file, keep_mark=True), _number(file)
    return segment == _SEGMENT and file.tell() + size == _size(file)


def zip_fills(file: BinaryIO) -> bool:
    """ZIP without a comment, as NPZ and USDZ are: its directory, and an end that tells where that is and how large."""
    whole = _size(file)
    file.seek(max(0, whole - 22))
    mark, *_, size, place, comment = struct.unpack("<4s4H2IH", file.read())
    return bool(mark == b"PK\5\6" and place + size + 22 == whole and not comment)


def crate_fills(file: BinaryIO) -> bool:
    """USD in its binary form: the table of its sections comes last (`pxr/usd/sdf/crateFile.h`)."""
    whole = _size(file)
    file.seek(16)
    (table,) = struct.unpack("<q", file.read(8))
    file.seek(max(0, table))
    (sections,) = struct.unpack("<Q", file.read(8))
    return bool(table + 8 + 32 * sections == whole)


def _number(file: BinaryIO, keep_mark: bool = False) -> int:
    """A number whose leading zeros tell how many bytes it has; a name keeps the one after them."""
    first = file.read(1)[0]
    length = 9 - first.bit_length()
    value = int.from_bytes(bytes([first]) + file.read(length - 1), "big")
    return value if keep_mark else value & ~(1 << 7 * length)


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size
