"""Metadata in documents, tables, models and videos: where each format keeps it.

HTML        a tag `meta` with the program's name, near the beginning
SVG         a description in its metadata, in Dublin Core terms
PDF         the keywords of its information dictionary (ISO 32000-1, 14.3.3), as a string in the
            form written here
glTF, GLB   the member `comment` of the extras that the document begins with, or wherever another
            program has put it
CSV         the first line, behind a #
WebVTT      the first comment, a block that begins with NOTE
JSON        the member `made`, which is the first
NPZ         an array `comment`
BVH         the table of props beside it, as BVH has no place for metadata
video       the tag `comment` of the container
USD         an entry with the program's name in the custom data of its layer

Each reader takes an open file and the most bytes that it may read, and returns the metadata, or
None if the file has none.

USD is read without its library, which few people have. In the binary form all texts of the file are
in one section, compressed with LZ4 (Y. Collet, "LZ4 Block Format Description"; Pixar, "OpenUSD":
`pxr/usd/sdf/crateFile.h` and `pxr/base/tf/fastCompression.h` describe the layout).

The record of an export: enough to open the same animation and draw the same picture; read from
any format.
"""

from __future__ import annotations

import codecs
import csv
import html
import io
import json
import os
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from juggle_anim.formats import FORMATS, load
from juggle_anim.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from matplotlib.figure import Figure


PROGRAM = "juggle-anim"

_MAX_START = 12  # bytes that tell formats apart


@dataclass(frozen=True)
class Record:
    """The animation and the options that a file was made from.

    Args:
        settings: the settings string of the animation; empty where settings cannot express it.
        jml: the events of such an animation, as a JML document.
        parameters: its parameters, by names of the table in `juggle_anim.parameters`.
        picture: the options of the picture: size, rate, camera and so on.
        version: version of the program.
        routine: the lines of a routine, from which its events are laid out.
    """

    settings: str = ""
    jml: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    picture: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    routine: str = ""

    @property
    def text(self) -> str:
        """One line of JSON in ASCII, which any format can hold; `read_record` reads it."""
        names = ("settings", "jml", "routine", "parameters", "picture")
        parts = {name: getattr(self, name) for name in names}
        return json.dumps(
            {PROGRAM: self.version, **{name: part for name, part in parts.items() if part}}
        )


def read_record(text: str) -> Record | None:
    """Read the record of an export from its text; None if the text is anything else.

    Args:
        text: a JSON object with the program's name as a member; other members are optional.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # no JSON, or brackets nested too deep
        return None
    # The member with the program's name tells a record from other JSON.
    if not isinstance(data, dict) or not isinstance(data.get(PROGRAM), str):
        return None
    settings, jml, routine = (data.get(name, "") for name in ("settings", "jml", "routine"))
    parameters = data.get("parameters", {})
    picture = data.get("picture", {})
    if not all(isinstance(part, str) for part in (settings, jml, routine)):
        return None
    if not all(isinstance(part, dict) for part in (parameters, picture)):
        return None
    return Record(
        settings=settings,
        jml=jml,
        parameters=parameters,
        picture=picture,
        version=data[PROGRAM],
        routine=routine,
    )


def read_metadata(path: Path) -> str | None:
    """Read the metadata of an exported file; None without metadata or for other formats.

    A file that is invalid, or truncated before the end of its metadata, has none. The metadata of a
    BVH is read from the CSV table that an export writes beside it.

    Args:
        path: path of a file; its format is recognised by its first bytes.

    Raises:
        OSError: the file cannot be read.
    """
    with BoundedFile(path, _MAX_START) as file:
        start = file.read()
    # Several formats may have the same start, and several formats share a reader: try each reader
    # once, in the order of the table.
    readers = dict.fromkeys(
        file_format.metadata_reader
        for file_format in FORMATS
        if file_format.metadata_reader and file_format.begins(start)
    )
    for reader in readers:
        metadata = read_with(reader, path)
        # Empty metadata counts as none.
        if metadata:
            return metadata
    return None


MAX_METADATA = 10_000_000
"""The most bytes of metadata that are read from a file."""

_COST_OF_READ = 128  # bytes for which each read counts at least, since short reads take as long


class Reader(NamedTuple):
    """How the metadata of one format is read.

    Args:
        max_bytes: read from a file at most, short reads counted as `_COST_OF_READ`; the file seems
            to end there.
        errors: names of the exceptions that broken files cause, as `module:name`; such a file has
            no metadata.
    """

    max_bytes: int
    errors: tuple[str, ...] = ()


_CUT_SHORT_ERRORS = (
    "struct:error",
    "builtins:ValueError",
    "builtins:OverflowError",
    "builtins:OSError",
)

# Pillow reads before it checks; which of these it raises depends on the byte that is wrong.
_PILLOW_ERRORS = (
    *_CUT_SHORT_ERRORS,
    "builtins:ArithmeticError",
    "builtins:AssertionError",
    "builtins:AttributeError",
    "builtins:EOFError",
    "builtins:LookupError",
    "builtins:MemoryError",
    "builtins:RuntimeError",
    "builtins:SyntaxError",
    "builtins:TypeError",
)

# A member that is encrypted is a RuntimeError, and one packed by an unknown method a
# NotImplementedError, which is one. Packed bytes fail as their method does, and the header of an
# array, which is Python, as Python does.
_NPZ_ERRORS = (
    "builtins:EOFError",
    "builtins:KeyError",
    "builtins:MemoryError",
    "builtins:OSError",
    "builtins:OverflowError",
    "builtins:RuntimeError",
    "builtins:SyntaxError",
    "builtins:TypeError",
    "builtins:ValueError",
    "lzma:LZMAError",
    "struct:error",
    "tokenize:TokenError",
    "zipfile:BadZipFile",
    "zlib:error",
)

_VIDEO_ERRORS = (
    "av.error:FFmpegError",
    "builtins:ValueError",
    "builtins:OSError",
    "builtins:MemoryError",
)

# The longest metadata, and the same size again for the data before it.
_USUAL_LIMIT = 2 * MAX_METADATA

# Texts of many small parts, which take longer: the events of the longest JML that is read, with all
# symmetries applied.
_LIMIT_FOR_EVENTS = MAX_METADATA // 2

READERS = {
    "metadata.documents:read_bvh_table": Reader(_USUAL_LIMIT),
    "metadata.documents:read_csv_comment": Reader(_USUAL_LIMIT),
    "metadata.documents:read_glb_comment": Reader(_USUAL_LIMIT),
    "metadata.documents:read_gltf_comment": Reader(_USUAL_LIMIT),
    "metadata.documents:read_html_meta": Reader(_LIMIT_FOR_EVENTS),
    "metadata.documents:read_json_comment": Reader(_LIMIT_FOR_EVENTS),
    # The directory of a ZIP takes Python 4 µs for each 46 bytes.
    "metadata.documents:read_npz_comment": Reader(8_000_000, _NPZ_ERRORS),
    "metadata.documents:read_pdf_keywords": Reader(_USUAL_LIMIT),
    "metadata.documents:read_svg_description": Reader(_USUAL_LIMIT),
    # Python unpacks LZ4, which takes it 1 µs for each 3 bytes at worst; they hold ten times as much
    # text.
    "metadata.documents:read_usd_binary": Reader(1_500_000, _CUT_SHORT_ERRORS),
    "metadata.documents:read_usd_package": Reader(1_500_000, _CUT_SHORT_ERRORS),
    "metadata.documents:read_usd_text": Reader(_USUAL_LIMIT),
    # FFmpeg reads the index of a film, too: 4 MB for an hour.
    "metadata.documents:read_video_comment": Reader(8_000_000, _VIDEO_ERRORS),
    "metadata.documents:read_vtt_note": Reader(_USUAL_LIMIT),
    "metadata.images:read_exr_attribute": Reader(_USUAL_LIMIT),
    "metadata.images:read_gif_comment": Reader(_USUAL_LIMIT),
    "metadata.images:read_jpeg_metadata": Reader(_USUAL_LIMIT, _PILLOW_ERRORS),
    "metadata.images:read_png_text": Reader(_USUAL_LIMIT, ("zlib:error",)),
    "metadata.images:read_tiff_description": Reader(_USUAL_LIMIT, _PILLOW_ERRORS),
    "metadata.images:read_webp_exif": Reader(_USUAL_LIMIT, _PILLOW_ERRORS),
}
"""By their names in `juggle_anim.formats.FORMATS`."""


class BoundedFile(io.BufferedReader):
    """A file that seems to end once a number of bytes has been read."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        super().__init__(io.FileIO(path, opener=_open))
        self._remaining_bytes = max_bytes

    def read(self, size: int | None = -1, /) -> bytes:
        """Read `size` bytes at most; all that may be read where it is negative or None."""
        content = super().read(self._clamped(size))
        self._count_read(len(content))
        return content

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read up to the end of the line, `size` bytes at most, as `read`."""
        content = super().readline(self._clamped(size))
        self._count_read(len(content))
        return content

    def _clamped(self, size: int | None) -> int:
        limit = self._remaining_bytes
        return limit if size is None or size < 0 else min(size, limit)

    def _count_read(self, size: int) -> None:
        self._remaining_bytes = max(0, self._remaining_bytes - max(size, _COST_OF_READ))


def read_with(name: str, path: Path) -> str | None:
    """Return the metadata that a reader finds in a file; None if it has none, or is broken.

    Args:
        name: name of the reader, a key of `READERS`, as "metadata.images:read_png_text".
        path: path of the file.

    Raises:
        OSError: the file cannot be opened.
    """
    reader = READERS[name]
    with BoundedFile(path, reader.max_bytes) as file:
        try:
            metadata: str | None = load(name)(file, MAX_METADATA)
        # Exceptions are given by name, so that their libraries are imported only if one occurs.
        except tuple(resolve_name(error) for error in reader.errors):
            return None
    return metadata


def _open(path: str, flags: int) -> int:
    # Opening a pipe without a writer would block.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


# Browsers that save a page may change quotes, letters and the order of words.
_META_TAGS = tuple(
    re.compile(tag % PROGRAM.encode(), re.IGNORECASE)
    for tag in (
        rb"""<meta\s+name=["']?%s["']?\s+content=("[^"]*"|'[^']*')""",
        rb"""<meta\s+content=("[^"]*"|'[^']*')\s+name=["']?%s\b""",
    )
)
_DESCRIPTION_TAG = re.compile(rb"<dc:description>([^<>]*)</dc:description>")
_KEYWORDS = re.compile(rb"/Keywords \(((?:[^\\()]++|\\.)*+)\)", re.DOTALL)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_GLB_HEADER = struct.Struct("<4sIIII")  # of the file, and of its first chunk
_JSON_CHUNK = 0x4E4F534A

# A member of JSON, whose string or object follows.
_COMMENT = re.compile(r'"comment"\s*:\s*(?="\{)')  # a record is an object, too
_MADE = re.compile(r'"made"\s*:\s*(?=\{)')
_MAX_JSON_MEMBERS = 10_000  # of such a name that are looked at

_NOTE = re.compile(rb"^NOTE (\{.*\})\r?$", re.MULTILINE)

_SPREADSHEET_DELIMITERS = ",;\t"

PROPS_TABLE_ENDING = "-props.csv"
"""The end of the name of the table of props, in place of .bvh."""

COMMENT_TAG = "comment"
"""FFmpeg's name of the tag in all containers."""

# How USD files begin.
_USD_TEXT = b"#usda "
_USD_BINARY = b"PXR-USDC"

_USD_ENTRY = re.compile(
    rb'string "?%s"? = (?:"((?:[^"\\\n]|\\.)*+)"|\'((?:[^\'\\\n]|\\.)*+)\')'
    % re.escape(PROGRAM.encode())
)

_RECORD_START = b'{"%s": ' % PROGRAM.encode()
_ZIP_MEMBER = struct.Struct("<4s5H3I2H")  # the header of a member, before its name

# Of binary USD: where the position of the table of sections stands, and the size of one of its
# rows; and the most sections that are looked at.
_TABLE_POSITION = 16
_SECTION_ROW = 32
_MAX_SECTIONS = 64

# Of LZ4 (Block Format Description): lengths of 4 bits, of which 15 means that bytes follow.
_SHORTEST_MATCH = 4
_LENGTH_THAT_CONTINUES = 15


def read_html_meta(file: BinaryIO, limit: int) -> str | None:
    """Read the tag `meta` of a web page."""
    content = file.read(limit)
    match = next(filter(None, (tag.search(content) for tag in _META_TAGS)), None)
    return html.unescape(match[1][1:-1].decode("utf-8", "replace")) if match else None


def read_svg_description(file: BinaryIO, limit: int) -> str | None:
    """Read the description of an SVG."""
    match = _DESCRIPTION_TAG.search(file.read(limit))
    return html.unescape(match[1].decode("utf-8", "replace")) if match else None


def read_pdf_keywords(file: BinaryIO, limit: int) -> str | None:
    """Read the keywords of a PDF, from its last bytes."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - limit))
    keywords = _KEYWORDS.findall(file.read(limit))
    return _ESCAPED.sub(rb"\1", keywords[-1]).decode("latin-1") if keywords else None


def read_glb_comment(file: BinaryIO, limit: int) -> str | None:
    """Read the comment in the extras of a GLB."""
    header = file.read(_GLB_HEADER.size)
    if len(header) < _GLB_HEADER.size:
        return None
    _mark, _version, _size, length, kind = _GLB_HEADER.unpack(header)
    return _record_in_comments(file.read(min(length, limit))) if kind == _JSON_CHUNK else None


def read_gltf_comment(file: BinaryIO, limit: int) -> str | None:
    """Read the comment in the extras of a glTF."""
    return _record_in_comments(file.read(limit))


def _record_in_comments(document: bytes) -> str | None:
    """Return the first member `comment` that is a record, wherever in the document it is."""
    for text in _json_members(_COMMENT, document):
        if isinstance(text, str) and read_record(text):
            return text
    return None


def read_csv_comment(file: BinaryIO, limit: int) -> str | None:
    """Read the record in the first line of a CSV, behind a #.

    A spreadsheet that saved it may have cut the line into cells, and put a mark before it.

    Args:
        file: the file, at its beginning.
        limit: the most bytes that are read.
    """
    line = file.readline(limit)
    # A line that the limit or the file's end cuts short is not read.
    if not line.endswith(b"\n"):
        return None
    text = _ascii_text(line.removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n"))
    if text is None:
        return None

    # The line is as it was written, but for delimiters of empty cells behind it.
    if text.startswith("# {"):
        return text.removeprefix("# ").rstrip(_SPREADSHEET_DELIMITERS)

    # A spreadsheet has cut the line at its commas and quoted the cells: join them again.
    for delimiter in _SPREADSHEET_DELIMITERS:
        try:
            cells = next(csv.reader([text], delimiter=delimiter, strict=True))
        except csv.Error:
            continue
        joined = ",".join(cells).rstrip(",")
        record = joined.removeprefix("# ")
        if record != joined and read_record(record):
            return record
    return None


def read_vtt_note(file: BinaryIO, limit: int) -> str | None:
    """Read the first comment of a WebVTT file."""
    match = _NOTE.search(file.read(limit))
    return _ascii_text(match[1]) if match else None


def read_json_comment(file: BinaryIO, limit: int) -> str | None:
    """Read the member `made` of a JSON."""
    for record in _json_members(_MADE, file.read(limit)):
        if PROGRAM in record:
            return json.dumps(record)
    return None


def _json_members(pattern: re.Pattern[str], document: bytes) -> Iterator[Any]:
    """Yield the values of the members with some name in JSON that may be cut short.

    No part of the text is decoded twice. Members inside a value that was yielded are skipped.

    Args:
        pattern: matches the name of a member and the colon behind it.
        document: the JSON, in UTF-8; complete at least up to the end of the last such member.
    """
    text = document.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    position = 0
    for _number in range(_MAX_JSON_MEMBERS):
        name = pattern.search(text, position)
        if name is None:
            return
        try:
            value, position = decoder.raw_decode(text, name.end())
        except json.JSONDecodeError as error:
            # Go on behind the error, and at least behind the name.
            position = max(error.pos, name.end())
        except (ValueError, RecursionError):
            return  # a number of thousands of digits, or brackets nested as deep
        else:
            yield value


def read_npz_comment(file: BinaryIO, limit: int) -> str | None:
    """Read the array `comment` of an NPZ, a ZIP of arrays; None if it is not a single text.

    Args:
        file: the file, at its beginning.
        limit: the most bytes of the array.
    """
    import zipfile

    import numpy as np

    with zipfile.ZipFile(file) as arrays, arrays.open("comment.npy") as member:
        content = io.BytesIO(member.read(limit))
    # Only version 1.0 of the format of arrays is read, in which numpy writes a single text.
    if np.lib.format.read_magic(content) != (1, 0):
        return None
    shape, _is_fortran, dtype = np.lib.format.read_array_header_1_0(content)
    if shape != () or dtype.kind != "U":
        return None
    return str(np.frombuffer(content.read(), dtype, count=1)[0])


def _ascii_text(line: bytes) -> str | None:
    try:
        return line.decode("ascii")
    except ValueError:
        return None


def read_bvh_table(file: BinaryIO, _limit: int) -> str | None:
    """Read the table of props beside a BVH, which several numbered files may share."""
    path = Path(file.name)
    for stem in dict.fromkeys([path.stem, re.sub(r"-\d+$", "", path.stem)]):
        table = path.with_name(f"{stem}{PROPS_TABLE_ENDING}")
        if table.is_file():
            return read_with("metadata.documents:read_csv_comment", table)
    return None


def read_video_comment(file: BinaryIO, limit: int) -> str | None:
    """Read the tag `comment` of an MP4, MOV, WebM or Matroska file."""
    import av

    with av.open(file) as container:
        tags = {name.casefold(): text for name, text in container.metadata.items()}
    metadata = tags.get(COMMENT_TAG)
    return metadata if metadata and len(metadata) <= limit else None


def figure_file(
    figure: Figure, ending: str, metadata: str, title: str = "", dpi: float | None = None
) -> bytes:
    """Return a figure of Matplotlib as the content of a file, with metadata and without a date.

    Args:
        figure: the figure to draw.
        ending: ending of the file's name, `.png`, `.svg` or `.pdf`.
        metadata: text for the file to carry, in ASCII.
        title: title of the picture; empty for none.
        dpi: pixels per inch of a PNG; by default those of the figure.
    """
    # In memory: where a disk is full, Matplotlib's own writers end in errors of all kinds.
    content = io.BytesIO()
    format_metadata = _figure_metadata(ending, metadata, title)
    figure.savefig(content, format=ending[1:], dpi=dpi or "figure", metadata=format_metadata)
    return content.getvalue()


def _figure_metadata(ending: str, metadata: str, title: str) -> dict[str, Any]:
    """Return the metadata arguments that Matplotlib takes for a format."""
    named = {"Title": title} if title else {}
    if ending == ".svg":
        return {**named, "Description": metadata, "Creator": "juggle-anim", "Date": None}
    if ending == ".pdf":
        return {**named, "Keywords": metadata, "Creator": "juggle-anim", "CreationDate": None}
    return {"Comment": metadata, "Software": None}


def read_usd_text(file: BinaryIO, limit: int) -> str | None:
    """Read the custom data of a USD file in text form."""
    match = _USD_ENTRY.search(file.read(limit))
    if not match:
        return None
    quoted = match[1] or match[2] or b""
    return _ESCAPED.sub(rb"\1", quoted).decode("latin-1")


def read_usd_binary(file: BinaryIO, limit: int) -> str | None:
    """Read the custom data of binary USD, which begins at the file's current position.

    All its texts are in the section TOKENS; the record is the one that begins like a record.

    Args:
        file: the file, at the start of the USD.
        limit: the most bytes of texts, packed and unpacked.
    """
    start = file.tell()
    for name, position, size in _usd_sections(file, start):
        if name == b"TOKENS":
            file.seek(start + position)
            tokens = _usd_tokens(file.read(min(size, limit)), limit)
            records = (token for token in tokens if token.startswith(_RECORD_START))
            return next((record.decode("latin-1") for record in records), None)
    return None


def read_usd_package(file: BinaryIO, limit: int) -> str | None:
    """Read the custom data of a USD package (USDZ), a ZIP whose first member is the layer,
    uncompressed; None if it is something else.

    Args:
        file: the file, at its beginning.
        limit: the most bytes that are read of the layer.
    """
    header = file.read(_ZIP_MEMBER.size)
    if len(header) < _ZIP_MEMBER.size:
        return None
    _mark, _version, _flags, compression, *_, name_size, extra_size = _ZIP_MEMBER.unpack(header)
    if compression:
        return None
    file.seek(name_size + extra_size, os.SEEK_CUR)

    # The layer is in binary form or in text form.
    start = file.tell()
    mark = file.read(len(_USD_BINARY))
    file.seek(start)
    if mark == _USD_BINARY:
        return read_usd_binary(file, limit)
    return read_usd_text(file, limit) if mark.startswith(_USD_TEXT) else None


def _usd_sections(file: BinaryIO, start: int) -> list[tuple[bytes, int, int]]:
    """Read the table of sections of binary USD.

    Args:
        file: the file whose position changes.
        start: position of the USD in the file, [bytes].

    Returns:
        The name, position from `start` and size of each section, [bytes].
    """
    # Near the beginning stands the position of the table, which begins with the number of its rows.
    file.seek(start + _TABLE_POSITION)
    (table,) = struct.unpack("<q", file.read(8))
    file.seek(start + table)
    (count,) = struct.unpack("<Q", file.read(8))
    rows = file.read(_SECTION_ROW * min(count, _MAX_SECTIONS))
    return [
        (name.rstrip(b"\0"), position, size)
        for name, position, size in struct.iter_unpack("<16s2q", rows)
    ]


def _usd_tokens(section: bytes, limit: int) -> list[bytes]:
    """Return the texts of the section TOKENS; none if it is invalid or has too many bytes.

    Args:
        section: a header of three numbers, and texts with zeros between them, packed by LZ4.
        limit: the most bytes of all texts, unpacked.
    """
    # The number of texts, and the bytes of all, unpacked and packed.
    header = struct.Struct("<3Q")
    _count, unpacked_size, packed_size = header.unpack_from(section)
    content = b""
    for block in _lz4_blocks(section[header.size : header.size + packed_size]):
        unpacked = unpack_lz4(block, min(unpacked_size, limit) - len(content))
        if unpacked is None:
            return []
        content += unpacked
    return content.split(b"\0")


def _lz4_blocks(packed: bytes) -> list[bytes]:
    """Return the LZ4 blocks of compressed bytes, as OpenUSD writes them.

    The first byte is their number, where 0 means a single block without its size; otherwise each
    block follows its size in four bytes, little-endian.

    Args:
        packed: the number and the blocks.
    """
    count = packed[0] if packed else 0
    if not count:
        return [packed[1:]]
    blocks = []
    position = 1
    for _block in range(count):
        (size,) = struct.unpack_from("<i", packed, position)
        size = max(size, 0)  # negative in broken files
        position += 4
        blocks.append(packed[position : position + size])
        position += size
    return blocks


def unpack_lz4(block: bytes, limit: int) -> bytes | None:
    """Unpack an LZ4 block.

    A block is a series of sequences: a token with two lengths of four bits, literal bytes, and a
    match, which repeats earlier output; the last one ends with its literals. Source: the LZ4 block
    format description.

    Args:
        block: the packed bytes.
        limit: the most bytes that it may have unpacked.

    Returns:
        The unpacked bytes; None if they are more, or the block is invalid.
    """
    content = bytearray()
    position = 0
    try:
        while position < len(block):
            # The token; its upper four bits are the number of literals, which follow.
            token = block[position]
            literals, position = _lz4_length(block, position + 1, token >> 4)
            if position + literals > len(block) or len(content) + literals > limit:
                return None
            content += block[position : position + literals]
            position += literals
            if position == len(block):
                return bytes(content)

            # A match: bytes that are repeated from an offset before the end. The lower four bits
            # of the token are its length, less the shortest one.
            offset = block[position] | block[position + 1] << 8
            match_length, position = _lz4_length(block, position + 2, token & 15)
            match_length += _SHORTEST_MATCH
            if not 0 < offset <= len(content) or len(content) + match_length > limit:
                return None
            _append_repeated(content, offset, match_length)
    except IndexError:
        pass  # it is cut short
    return None


def _lz4_length(block: bytes, position: int, four_bits: int) -> tuple[int, int]:
    """Read an LZ4 length that begins with four bits and may continue in bytes.

    It continues if the four bits are 15; then bytes are added up to the first that is not 255.

    Args:
        block: the packed bytes.
        position: after the four bits.
        four_bits: the length, or its first part.

    Returns:
        The length, and the position after it.

    Raises:
        IndexError: the block ends within the length.
    """
    length = four_bits
    if length < _LENGTH_THAT_CONTINUES:
        return length, position
    while True:
        byte = block[position]
        position += 1
        length += byte
        if byte < 255:
            return length, position


def _append_repeated(content: bytearray, offset: int, length: int) -> None:
    """Append `length` bytes from `offset` bytes before the end; both may overlap."""
    period = bytes(content[-offset:])
    content += (period * (length // offset + 1))[:length]
