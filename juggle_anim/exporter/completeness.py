"""Whether a file goes to its end.

What this program writes takes its name only when it is whole and on the disk. A file that was copied or downloaded
half, or that another program cut, is told by how its format ends, or by the sizes that it names.
"""

from __future__ import annotations

import os
import re
import struct
import warnings
from pathlib import Path
from typing import BinaryIO

from juggle_anim.formats import EXPORTS, load
from juggle_anim.metadata.documents import read_csv_comment
from juggle_anim.metadata.read import MAX_METADATA
from juggle_anim.metadata.record import read_record

_LONGEST_END = 64
_SEGMENT = 0x18538067
_AT_ONCE = 1 << 20


def is_complete(path: Path) -> bool:
    """Whether a file that an export has written is there to its end. What is in between is not looked at.

    Args:
        path: whose ending is one of `EXPORTS`, in letters of any size.

    Raises:
        OSError: it cannot be read.
    """
    check = EXPORTS[path.suffix.casefold()].complete
    with path.open("rb") as file:
        if isinstance(check, bytes):
            file.seek(max(0, _size(file) - _LONGEST_END))
            return re.search(rb"(?:%s)\Z" % check, file.read()) is not None
        try:
            return bool(load(check)(file))
        except (struct.error, ValueError, IndexError):
            return False  # it breaks off where a number was to be read


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
    file.seek(16)
    (table,) = struct.unpack("<q", file.read(8))
    file.seek(max(0, table))
    (sections,) = struct.unpack("<Q", file.read(8))
    return bool(table + 8 + 32 * sections == _size(file))


def tiff_loads(file: BinaryIO) -> bool:
    """TIFF, which may have its parts in any order: whether all pixels can be read."""
    from PIL.TiffImagePlugin import TiffImageFile

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TiffImageFile(file).load()
    except Exception:  # of many kinds
        return False
    return True


def csv_has_its_rows(file: BinaryIO) -> bool:
    """CSV: the words it begins with tell the number of frames, each of which is a row under that of names."""
    record = read_record(read_csv_comment(file, MAX_METADATA) or "")
    return record is not None and _has_rows(file, record.picture.get("frames", 0) + 1)


def bvh_has_its_rows(file: BinaryIO) -> bool:
    """BVH: the number of frames stands after the skeleton, and after that their time."""
    for line in file:
        if line.startswith(b"Frames:"):
            return _has_rows(file, int(line.removeprefix(b"Frames:")) + 1)
    return False


def _has_rows(file: BinaryIO, wanted: int) -> bool:
    found, last = 0, b""
    while part := file.read(_AT_ONCE):
        found, last = found + part.count(b"\n"), part
    return found == wanted and last.endswith(b"\n")


def _number(file: BinaryIO, keep_mark: bool = False) -> int:
    """A number of EBML, whose leading zeros tell how many bytes it has; a name keeps the one after them."""
    first = file.read(1)[0]
    length = 9 - first.bit_length()
    value = int.from_bytes(bytes([first]) + file.read(length - 1), "big")
    return value if keep_mark else value & ~(1 << 7 * length)


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size
