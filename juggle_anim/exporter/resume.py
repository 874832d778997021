"""Resuming an export: the record that its files carry, and whether an existing file is complete and
has this record.

This program gives a file its name only when it is complete and on the disk. A file that was copied
or downloaded in part, or that another program cut, is recognised by how its format ends, or by the
sizes that it states.

File names of frames: a folder, and a template with a place for the number, such as
`shot_#####.png`.
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
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.formats import EXPORTS, load
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.metadata.documents import (
    MAX_METADATA,
    Record,
    read_csv_comment,
    read_metadata,
    read_record,
)
from juggle_anim.metadata.images import exr_attributes

_MAX_END = 64  # bytes that the end of a complete file is matched with
_SEGMENT_ID = 0x18538067  # of WebM
_READ_SIZE = 1 << 20  # bytes, of a table that are counted at once
_ZIP_END = 22  # bytes, of the end record of a ZIP without a comment
_EXR_LINES = 16  # of a block that is compressed by ZIP


def frame_metadata(record: Record, number: int) -> str:
    """Return the metadata of one frame: the record of the export, with the number from 0."""
    return replace(record, picture={**record.picture, "frame": number}).text


def is_finished(path: Path, metadata: str) -> bool:
    """Return whether a file exists that carries this metadata and is complete.

    False means that the file may be written: it does not exist, is empty, or is an incomplete file
    of this export.

    Args:
        path: the file; its ending is one of `EXPORTS`.
        metadata: text of the record that a file of this export carries.

    Raises:
        ExportError: a file exists with other metadata or none, or cannot be read.
    """
    with cannot_write(path):
        # A missing file is to be written, and so is an empty one: after a power failure, a file
        # system may have kept the name of a file and lost its content.
        if not path.exists() or path.stat().st_size == 0:
            return False
        # Records are compared, rather than texts, whose spelling may differ.
        record = read_record(read_metadata(path) or "")
        same_export = record is not None and record == read_record(metadata)
        complete = same_export and is_complete(path)
    if not same_export:
        what = _("from another export") if record else _("not a complete juggle-anim export")
        raise other_content_error(path, what)
    return complete


def other_content_error(path: Path, what: str) -> ExportError:
    """Return the error for a file that an export cannot resume.

    Args:
        path: the file.
        what: the file is instead, in words, as "of another export".
    """
    return ExportError(
        _(
            "{path} is {what}; choose another name, or use force=True instead of resume=True to "
            "replace it",
            path=path,
            what=what,
        )
    )


def claim(path: Path, metadata: str, *, force: bool = False, resume: bool = False) -> bool:
    """Prepare to write a file, and create its folder.

    Args:
        path: the file.
        metadata: the text that it will carry.
        force: whether an existing file may be replaced, whatever it is.
        resume: whether an existing file must have this metadata; it is kept if it is complete, and
            written again otherwise. At most one of `force` and `resume` is set.

    Returns:
        Whether the file is to be written; False if it is complete already.

    Raises:
        ExportError: a file exists and neither `force` nor `resume` is set, with `resume` it is of
            another export, or the folder cannot be created.
    """
    refuse_existing(path, force or resume)
    if resume and is_finished(path, metadata):
        return False
    prepare_folder(path)
    return True


def is_complete(path: Path) -> bool:
    """Return whether a file that an export has written is there to its end.

    It is False if it was cut short. The content before the end is mostly not checked.

    Args:
        path: the file; its ending is one of `EXPORTS`, in upper or lower case.

    Raises:
        OSError: the file cannot be read.
    """
    # How a file of this format is checked: by a pattern (bytes) that its last bytes match, or by a
    # function, given by name, that takes the open file.
    check = EXPORTS[path.suffix.casefold()].complete
    with path.open("rb") as file:
        if isinstance(check, bytes):
            file.seek(max(0, _file_size(file) - _MAX_END))
            return re.search(rb"(?:%s)\Z" % check, file.read()) is not None
        try:
            return bool(load(check)(file))
        except (struct.error, ValueError, LookupError, OverflowError, TypeError):
            # These are what the functions raise where a file ends although a number is to be read,
            # or where it states an impossible number.
            return False


def is_riff_complete(file: BinaryIO) -> bool:
    """Check RIFF, the container of WebP: the size of the rest follows the signature.

    Source: WebP container specification.
    """
    return struct.unpack("<I", file.read(8)[4:])[0] + 8 == _file_size(file)


def is_glb_complete(file: BinaryIO) -> bool:
    """Check GLB: the size of the file is the third number.

    Source: Khronos Group, "glTF 2.0 Specification", 4.4.2.
    """
    return bool(struct.unpack("<I", file.read(12)[8:])[0] == _file_size(file))


def is_mp4_complete(file: BinaryIO) -> bool:
    """Check MP4 or MOV: a sequence of boxes up to the end, with the frames and their index.

    Each box begins with its size in bytes, header included, and its kind. Source: ISO/IEC 14496-12,
    4.2.

    Raises:
        struct.error: the file ends within the header of a box, so it is not complete.
    """
    file_size = _file_size(file)
    position = 0
    kinds = set()
    while position < file_size:
        file.seek(position)
        size, kind = struct.unpack(">I4s", file.read(8))
        # A size of 1 means that the real one follows, in 64 bits.
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
        # A box holds at least its own header of 8 bytes. A smaller size is wrong; 0, which stands
        # for a box up to the end of the file, is not in complete files of ours.
        if size < 8:
            return False
        kinds.add(kind)
        position += size
    # The boxes with the kind of file, the index and the frames must be there. A last box that was
    # cut short would end beyond the end of the file.
    return position == file_size and {b"ftyp", b"moov", b"mdat"} <= kinds


def is_webm_complete(file: BinaryIO) -> bool:
    """Check WebM: a header and a segment, whose size is written when it is complete.

    Each of the two begins with its ID and the size of its content. The size of a segment that was
    never completed has only ones, and so does not fit. Source: RFC 8794, 4 to 6; RFC 9559, 5.1.
    """
    # Skip the header: its ID, its size n, and n bytes.
    _ebml_number(file, keep_marker=True)
    header_size = _ebml_number(file)
    file.seek(header_size, os.SEEK_CUR)
    segment_id = _ebml_number(file, keep_marker=True)
    segment_size = _ebml_number(file)
    return segment_id == _SEGMENT_ID and file.tell() + segment_size == _file_size(file)


def is_zip_complete(file: BinaryIO) -> bool:
    """Check a ZIP without a comment, such as NPZ and USDZ.

    Its last 22 bytes are the end record, which states position and size of the directory of all
    members; that must lie right before it. Where the end is cut off, no signature is found there.
    """
    file_size = _file_size(file)
    file.seek(max(0, file_size - _ZIP_END))
    signature, *_numbers, size, position, comment_length = struct.unpack("<4s4H2IH", file.read())
    directory_fits = position + size + _ZIP_END == file_size
    return bool(signature == b"PK\5\6" and directory_fits and not comment_length)


def is_usdc_complete(file: BinaryIO) -> bool:
    """Check binary USD: the table of its sections comes last (`pxr/usd/sdf/crateFile.h`).

    The table is the number of sections and 32 bytes for each.
    """
    # The table's position stands at byte 16; in an incomplete file it may be any number.
    file.seek(16)
    (table,) = struct.unpack("<q", file.read(8))
    file.seek(max(0, table))
    (sections,) = struct.unpack("<Q", file.read(8))
    return bool(table + 8 + 32 * sections == _file_size(file))


def is_tiff_complete(file: BinaryIO) -> bool:
    """Check TIFF, whose parts may have any order: all pixels must load."""
    from PIL.TiffImagePlugin import TiffImageFile

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TiffImageFile(file).load()
    except Exception:  # Pillow raises many kinds for broken files
        return False
    return True


def is_exr_complete(file: BinaryIO) -> bool:
    """Check EXR: a header, a table of the positions of all blocks, and the blocks with their sizes.

    The block that stands last in the file, which need not be that of the last rows, must end with
    the file.
    """
    # The data window is the rectangle of pixels, both edges included. A block has up to
    # `_EXR_LINES` rows of it.
    data_window = exr_attributes(file, MAX_METADATA)["dataWindow"]
    _left, first_row, _right, last_row = struct.unpack("<4i", data_window)
    blocks = (last_row - first_row) // _EXR_LINES + 1
    last_block = max(struct.unpack(f"<{blocks}Q", file.read(8 * blocks)))
    file.seek(last_block)
    _row, size = struct.unpack("<iI", file.read(8))
    return bool(last_block + 8 + size == _file_size(file))


def is_csv_complete(file: BinaryIO) -> bool:
    """Check CSV: its metadata states the number of frames; each is a row below the header."""
    record = read_record(read_csv_comment(file, MAX_METADATA) or "")
    return record is not None and _has_row_count(file, record.picture.get("frames", 0) + 1)


def is_bvh_complete(file: BinaryIO) -> bool:
    """Check BVH: behind the skeleton stand the number of frames, their time, and a row for each."""
    for line in file:
        if line.startswith(b"Frames:"):
            return _has_row_count(file, int(line.removeprefix(b"Frames:")) + 1)
    return False


def _has_row_count(file: BinaryIO, rows: int) -> bool:
    """Return whether exactly this many lines follow in a file, all with an end of line.

    Args:
        file: read from where it stands to its end.
        rows: the expected number of lines.
    """
    # Files may be large, so they are read block by block. A last line that was cut short has no end
    # of line: it is not counted, so the last byte is checked too.
    count = 0
    last = b""
    while block := file.read(_READ_SIZE):
        count += block.count(b"\n")
        last = block
    return count == rows and last.endswith(b"\n")


def _ebml_number(file: BinaryIO, *, keep_marker: bool = False) -> int:
    """Read a number of EBML, the binary format of Matroska and WebM files.

    Its length is variable: n leading zero bits, before a marker bit 1, mean that n bytes follow the
    first one.

    Args:
        file: positioned at the number; afterwards behind it.
        keep_marker: whether the marker bit behind the zeros stays in the value, as in an ID.

    Raises:
        IndexError: the file ends here.
    """
    first = file.read(1)[0]
    # Without leading zeros the number has one byte; each zero in front of the marker adds one.
    length = 9 - first.bit_length()
    value = int.from_bytes(bytes([first]) + file.read(length - 1), "big")
    # Each of `length` bytes has 7 bits of the number, and the marker is the bit above all of them.
    return value if keep_marker else value & ~(1 << 7 * length)


def _file_size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size


CAMERA = "{camera}"
"""The placeholder for the camera's name in a path."""

_DIGITS = 5  # of the number of a frame in a folder of its own
_NUMBER_PLACE = re.compile(r"#+|%(?:0?([1-9]))?d")


@dataclass(frozen=True)
class Template:
    """The file names of frames.

    Args:
        folder: the folder of all frames.
        before, after: the text of a file name before and after the number; `after` holds the
            ending.
        digits: the least number of digits, to which numbers are filled with zeros; at least 1.
    """

    folder: Path
    before: str
    after: str
    digits: int

    def path(self, number: int) -> Path:
        """Return the file of the frame with this number."""
        return self.folder / f"{self.before}{number:0{self.digits}}{self.after}"

    @property
    def suffix(self) -> str:
        """The ending, in lower case, which decides the format."""
        return Path(f"0{self.after}").suffix.casefold()

    def is_frame(self, name: str) -> bool:
        """Return whether a file of this name is a frame."""
        return bool(
            re.fullmatch(rf"{re.escape(self.before)}{self._number}{re.escape(self.after)}", name)
        )

    def is_partial(self, name: str) -> bool:
        """Return whether a file of this name is a partial frame.

        A frame is written to a draft, which gets its name at the end. So a draft is of an export
        that is running or was killed. For the frame `walk0001.png` it is `.walk0001.123.part.png`,
        with the process ID of the writer.

        Args:
            name: name of a file in the folder of the frames. `before` and `after` are the texts
                around the number in the names of frames.
        """
        # `after` is an ending, perhaps with text before it. `Path` finds no ending in a name that
        # is nothing else, so a digit is put in front.
        ending = Path(f"0{self.after}").suffix
        within = self.after.removesuffix(ending)
        stem = f"{re.escape(self.before)}{self._number}{re.escape(within)}"
        partial = rf"\.{stem}\.\d+\.part{re.escape(ending)}"
        return bool(re.fullmatch(partial, name))

    @property
    def _number(self) -> str:
        return rf"\d{{{self.digits},}}"


def read_template(path: Path) -> Template | None:
    """Read the template for names of frames from a path: a run of `#`, or `%05d`, in the file name.

    Args:
        path: the path as given by the user.

    Returns:
        The template; None if the name has no place for a number.

    Raises:
        ParameterError: there are several places for the number, or one is in the name of a folder.
    """
    places = list(_NUMBER_PLACE.finditer(path.name))
    if _NUMBER_PLACE.search(str(path.parent)):
        raise ParameterError(
            _("{path}: the frame number must be in the file name, not in a folder name", path=path)
        )
    if not places:
        return None
    if len(places) > 1:
        raise ParameterError(
            _(
                "{path} has {count} places for the frame number; leave only one",
                path=path,
                count=len(places),
            )
        )
    # The least number of digits: the number of #, or that of %05d; 1 for %d.
    match = places[0]
    has_signs = match[0].startswith("#")
    digits = len(match[0]) if has_signs else int(match[1] or 1)
    before = path.name[: match.start()]
    after = path.name[match.end() :]
    return Template(path.parent, before, after, digits=max(digits, 1))


def folder_template(folder: Path, ending: str, last_number: int) -> Template:
    """Return the template of frames in a folder of their own: `frame_00000.png` and so on.

    Args:
        folder: the folder.
        ending: ending of the names, with its dot.
        last_number: the highest number, which must fit the digits.
    """
    return Template(
        folder, before="frame_", after=ending, digits=max(_DIGITS, len(str(last_number)))
    )
