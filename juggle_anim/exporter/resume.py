"""Resuming an export: the record that its files carry, and whether an existing file is complete and
has this record.

This program gives a file its name only when it is complete and on the disk. A file that was copied
or downloaded in part, or that another program cut, is recognised by how its format ends, or by the
sizes that it states.
"""

from __future__ import annotations

import os
import re
import struct
import warnings
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from juggle_anim.atomic_file import cannot_write, prepare_folder, refuse_existing
from juggle_anim.errors import ExportError
from juggle_anim.formats import EXPORTS, load
from juggle_anim.language import _
from juggle_anim.metadata.documents import read_csv_comment
from juggle_anim.metadata.images import exr_attributes
from juggle_anim.metadata.record import MAX_METADATA, Record, read_metadata, read_record

_MAX_END = 64
_SEGMENT = 0x18538067
_READ_SIZE = 1 << 20
_EXR_LINES = 16  # of a block that is compressed by ZIP


def frame_metadata(record: Record, number: int) -> str:
    """The metadata of the frame with this number, from 0."""
    return replace(record, picture={**record.picture, "frame": number}).text


def is_finished(path: Path, metadata: str) -> bool:
    """Whether a file exists that carries this metadata and is complete; an incomplete one may be
    written again.

    Raises:
        ExportError: a file exists with other metadata, or cannot be read.
    """
    with cannot_write(path):
        # A file system that lost power may keep a name and lose what was in it.
        if not path.exists() or path.stat().st_size == 0:
            return False
        record = read_record(read_metadata(path) or "")
        same = record is not None and record == read_record(metadata)
        complete = same and is_complete(path)
    if not same:
        what = _("of another export") if record else _("nothing that juggle-anim wrote whole")
        raise other_content_error(path, what)
    return complete


def other_content_error(path: Path, what: str) -> ExportError:
    """The error for a file that an export cannot resume, since it is something else, in words."""
    return ExportError(
        _(
            "{path}: is {what}; choose another name, or force=True in place of resume=True "
            "replaces it",
            path=path,
            what=what,
        )
    )


def claim(path: Path, metadata: str, force: bool, resume: bool) -> bool:
    """Prepare to write a file and create its folder; return False where it is complete with this
    metadata already.

    Raises:
        ExportError: a file exists and `force` is not set, it is of another export, or the folder
            cannot be created.
    """
    # On resuming, an existing file must have this metadata; it is kept if complete, and written
    # again otherwise.
    refuse_existing(path, force or resume)
    if resume and is_finished(path, metadata):
        return False
    prepare_folder(path)
    return True


def is_complete(path: Path) -> bool:
    """Whether a file that an export has written is there to its end; its content before the end is
    not checked.

    Args:
        path: the file; its ending is one of `EXPORTS`, in upper or lower case.

    Raises:
        OSError: it cannot be read.
    """
    check = EXPORTS[path.suffix.casefold()].complete
    with path.open("rb") as file:
        if isinstance(check, bytes):
            file.seek(max(0, _file_size(file) - _MAX_END))
            return re.search(rb"(?:%s)\Z" % check, file.read()) is not None
        try:
            return bool(load(check)(file))
        except (struct.error, ValueError, LookupError, OverflowError, TypeError):
            return False  # it ends where a number was expected, or states an impossible one


def is_riff_complete(file: BinaryIO) -> bool:
    """RIFF, the container of WebP: the size of the rest follows the signature (WebP container
    specification).
    """
    return struct.unpack("<I", file.read(8)[4:])[0] + 8 == _file_size(file)


def is_glb_complete(file: BinaryIO) -> bool:
    """GLB: the size of the file is the third number (Khronos Group, "glTF 2.0 Specification",
    4.4.2).
    """
    return bool(struct.unpack("<I", file.read(12)[8:])[0] == _file_size(file))


def is_mp4_complete(file: BinaryIO) -> bool:
    """MP4 or MOV: boxes in a row, with the frames and their index among them (ISO/IEC 14496-12,
    4.2).
    """
    whole = _file_size(file)
    place = 0
    kinds = set()
    while place < whole:
        file.seek(place)
        size, kind = struct.unpack(">I4s", file.read(8))
        if size == 1:  # the size has 64 bits and follows
            (size,) = struct.unpack(">Q", file.read(8))
        if size < 8:
            return False
        kinds.add(kind)
        place += size
    return place == whole and {b"ftyp", b"moov", b"mdat"} <= kinds


def is_webm_complete(file: BinaryIO) -> bool:
    """WebM: a header and a segment, whose size is written when it is complete (RFC 8794, 4 to 6;
    RFC 9559, 5.1).
    """
    _ebml_number(file, keep_marker=True)
    file.seek(_ebml_number(file), os.SEEK_CUR)
    segment = _ebml_number(file, keep_marker=True)
    size = _ebml_number(file)
    return segment == _SEGMENT and file.tell() + size == _file_size(file)


def is_zip_complete(file: BinaryIO) -> bool:
    """ZIP without a comment, as NPZ and USDZ: an end record states position and size of the
    directory before it.
    """
    whole = _file_size(file)
    file.seek(max(0, whole - 22))
    mark, *_unused, size, place, comment = struct.unpack("<4s4H2IH", file.read())
    return bool(mark == b"PK\5\6" and place + size + 22 == whole and not comment)


def is_usdc_complete(file: BinaryIO) -> bool:
    """Binary USD: the table of its sections comes last (`pxr/usd/sdf/crateFile.h`)."""
    file.seek(16)
    (table,) = struct.unpack("<q", file.read(8))
    file.seek(max(0, table))
    (sections,) = struct.unpack("<Q", file.read(8))
    return bool(table + 8 + 32 * sections == _file_size(file))


def is_tiff_complete(file: BinaryIO) -> bool:
    """TIFF, whose parts may have any order: all pixels must load."""
    from PIL.TiffImagePlugin import TiffImageFile

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TiffImageFile(file).load()
    except Exception:  # Pillow raises many kinds for broken files
        return False
    return True


def is_exr_complete(file: BinaryIO) -> bool:
    """EXR: behind the header stand the places of all blocks of 16 lines, each of which states its
    size.
    """
    box = exr_attributes(file, MAX_METADATA)["dataWindow"]
    _left, low, _right, high = struct.unpack("<4i", box)
    blocks = (high - low) // _EXR_LINES + 1
    last = max(struct.unpack(f"<{blocks}Q", file.read(8 * blocks)))
    file.seek(last)
    _line, size = struct.unpack("<iI", file.read(8))
    return bool(last + 8 + size == _file_size(file))


def is_csv_complete(file: BinaryIO) -> bool:
    """CSV: its metadata states the number of frames; each is a row below the header."""
    record = read_record(read_csv_comment(file, MAX_METADATA) or "")
    return record is not None and _has_row_count(file, record.picture.get("frames", 0) + 1)


def is_bvh_complete(file: BinaryIO) -> bool:
    """BVH: the number of frames follows the skeleton; then come the frame time and a row for each
    frame.
    """
    for line in file:
        if line.startswith(b"Frames:"):
            return _has_row_count(file, int(line.removeprefix(b"Frames:")) + 1)
    return False


def _has_row_count(file: BinaryIO, wanted: int) -> bool:
    count = 0
    last = b""
    while block := file.read(_READ_SIZE):
        count = count + block.count(b"\n")
        last = block
    return count == wanted and last.endswith(b"\n")


def _ebml_number(file: BinaryIO, keep_marker: bool = False) -> int:
    """A variable-length EBML number: its leading zeros give its length in bytes; an ID keeps the
    marker bit.
    """
    first = file.read(1)[0]
    length = 9 - first.bit_length()
    value = int.from_bytes(bytes([first]) + file.read(length - 1), "big")
    return value if keep_marker else value & ~(1 << 7 * length)


def _file_size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size
