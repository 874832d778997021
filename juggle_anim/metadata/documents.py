"""Metadata in documents, tables, models and videos: where each format keeps it.

HTML        a tag `meta` with the program's name, near the beginning
SVG         a description in its metadata, in Dublin Core terms
PDF         the keywords of its information dictionary (ISO 32000-1, 14.3.3), as a string in the
form written here glTF, GLB   the member `comment` of the extras that the document begins with, or
wherever another program has put it CSV         the first line, behind a #
WebVTT      the first comment, a block that begins with NOTE
JSON        the member `made`, which is the first
NPZ         an array `comment`
BVH         the table of props beside it, as BVH has no place for metadata
video       the tag `comment` of the container
USD         an entry with the program's name in the custom data of its layer

USD is read without its library, which few people have. In the binary form all texts of the file are
in one section, compressed with LZ4 (Y. Collet, "LZ4 Block Format Description"; Pixar, "OpenUSD":
`pxr/usd/sdf/crateFile.h` and `pxr/base/tf/fastCompression.h` describe the layout).
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
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from juggle_anim.metadata.record import PROGRAM, read_record, read_with

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
_HEADER = struct.Struct("<4sIIII")
_JSON = 0x4E4F534A

# A member of JSON, whose string or object follows.
_COMMENT = re.compile(r'"comment"\s*:\s*(?="\{)')  # a record is an object, too
_MADE = re.compile(r'"made"\s*:\s*(?=\{)')
_MOST_MEMBERS = 10_000  # of such a name that are looked at

_NOTE = re.compile(rb"^NOTE (\{.*\})\r?$", re.MULTILINE)

_SPREADSHEET_DELIMITERS = ",;\t"

PROPS_TABLE_ENDING = "-props.csv"
"""The end of the name of the table of props, in place of .bvh."""

COMMENT_TAG = "comment"
"""FFmpeg's name of the tag in all containers."""

_TEXT = b"#usda "
_BINARY = b"PXR-USDC"

_ENTRY = re.compile(
    rb'string "?%s"? = (?:"((?:[^"\\\n]|\\.)*+)"|\'((?:[^\'\\\n]|\\.)*+)\')'
    % re.escape(PROGRAM.encode())
)

_ESCAPED_SIGN = re.compile(rb"\\(.)")
_START = b'{"%s": ' % PROGRAM.encode()
_MEMBER = struct.Struct("<4s5H3I2H")
_CONTENTS_AT = 16
_MOST_SECTIONS = 64
_SHORTEST_MATCH = 4


def read_html_meta(file: BinaryIO, limit: int) -> str | None:
    """The metadata of a web page, from at most `limit` bytes; None where it has none."""
    content = file.read(limit)
    match = next(filter(None, (tag.search(content) for tag in _META_TAGS)), None)
    return html.unescape(match[1][1:-1].decode("utf-8", "replace")) if match else None


def read_svg_description(file: BinaryIO, limit: int) -> str | None:
    """The same for an SVG."""
    match = _DESCRIPTION_TAG.search(file.read(limit))
    return html.unescape(match[1].decode("utf-8", "replace")) if match else None


def read_pdf_keywords(file: BinaryIO, limit: int) -> str | None:
    """The same for a PDF, from its last bytes."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - limit))
    keywords = _KEYWORDS.findall(file.read(limit))
    return _ESCAPED.sub(rb"\1", keywords[-1]).decode("latin-1") if keywords else None


def read_glb_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for a GLB file."""
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size:
        return None
    _, _, _, length, kind = _HEADER.unpack(head)
    return _comment(file.read(min(length, limit))) if kind == _JSON else None


def read_gltf_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for a glTF file."""
    return _comment(file.read(limit))


def _comment(document: bytes) -> str | None:
    """The first member `comment` that is a record, wherever a program that saved the document has
    put it.
    """
    return next(
        (
            text
            for text in _members(_COMMENT, document)
            if isinstance(text, str) and read_record(text)
        ),
        None,
    )


def read_csv_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for a CSV; a spreadsheet that saved it may have cut the line into cells, and put a
    mark before it.
    """
    line = file.readline(limit)
    if not line.endswith(b"\n"):
        return None
    text = _ascii(line.removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n"))
    if text is None or text.startswith("# {"):
        return text and text.removeprefix("# ").rstrip(_SPREADSHEET_DELIMITERS)
    for delimiter in _SPREADSHEET_DELIMITERS:
        try:
            joined = ",".join(next(csv.reader([text], delimiter=delimiter, strict=True))).rstrip(
                ","
            )
        except csv.Error:
            continue
        if joined.startswith("# ") and read_record(joined[2:]):
            return joined[2:]
    return None


def read_vtt_note(file: BinaryIO, limit: int) -> str | None:
    """The metadata of a WebVTT file; None where it has none."""
    match = _NOTE.search(file.read(limit))
    return _ascii(match[1]) if match else None


def read_json_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for a JSON."""
    return next(
        (json.dumps(made) for made in _members(_MADE, file.read(limit)) if PROGRAM in made), None
    )


def _members(pattern: re.Pattern[str], document: bytes) -> Iterator[Any]:
    """The values of members in JSON that is complete up to them; no part of the text is decoded
    twice.
    """
    text = document.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    position = 0
    for _number in range(_MOST_MEMBERS):
        name = pattern.search(text, position)
        if name is None:
            return
        try:
            value, position = decoder.raw_decode(text, name.end())
        except json.JSONDecodeError as error:
            position = max(error.pos, name.end())
        except (ValueError, RecursionError):
            return  # a number of thousands of digits, or brackets nested as deep
        else:
            yield value


def read_npz_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for an NPZ."""
    import zipfile

    import numpy as np

    with zipfile.ZipFile(file) as arrays, arrays.open("comment.npy") as member:
        content = io.BytesIO(member.read(limit))
    if np.lib.format.read_magic(content) != (1, 0):
        return None
    shape, _, kind = np.lib.format.read_array_header_1_0(content)
    return (
        str(np.frombuffer(content.read(), kind, count=1)[0])
        if shape == () and kind.kind == "U"
        else None
    )


def _ascii(line: bytes) -> str | None:
    try:
        return line.decode("ascii")
    except ValueError:
        return None


def read_bvh_table(file: BinaryIO, _limit: int) -> str | None:
    """The same for a BVH, from the table beside it, which several numbered files may share."""
    path = Path(file.name)
    for stem in dict.fromkeys([path.stem, re.sub(r"-\d+$", "", path.stem)]):
        table = path.with_name(f"{stem}{PROPS_TABLE_ENDING}")
        if table.is_file():
            return read_with("metadata.documents:read_csv_comment", table)
    return None


def read_video_comment(file: BinaryIO, limit: int) -> str | None:
    """The metadata of an MP4, MOV, WebM or Matroska file, at most `limit` characters; None where it
    has none.
    """
    import av

    with av.open(file) as container:
        tags = {name.casefold(): text for name, text in container.metadata.items()}
    metadata = tags.get(COMMENT_TAG)
    return metadata if metadata and len(metadata) <= limit else None


def figure_file(
    figure: Figure, ending: str, metadata: str, title: str = "", dpi: float | None = None
) -> bytes:
    """Return a figure of matplotlib as the content of a file, without a date, with metadata where
    the readers look.

    Args:
        figure: what is drawn.
        ending: of the file's name, `.png`, `.svg` or `.pdf`.
        metadata: text for the file to carry, in ASCII.
        title: title of the picture; empty for none.
        dpi: pixels an inch of a PNG; by default those of the figure.
    """
    # In memory: where a disk is full, matplotlib's own writers end in errors of all kinds.
    content = io.BytesIO()
    about = _figure_metadata(ending, metadata, title)
    figure.savefig(content, format=ending[1:], dpi=dpi or "figure", metadata=about)
    return content.getvalue()


def _figure_metadata(ending: str, metadata: str, title: str) -> dict[str, Any]:
    named = {"Title": title} if title else {}
    if ending == ".svg":
        return {**named, "Description": metadata, "Creator": "juggle-anim", "Date": None}
    if ending == ".pdf":
        return {**named, "Keywords": metadata, "Creator": "juggle-anim", "CreationDate": None}
    return {"Comment": metadata, "Software": None}


def read_usd_text(file: BinaryIO, limit: int) -> str | None:
    """The metadata of a USD file in text form, from at most `limit` bytes; None where it has
    none.
    """
    match = _ENTRY.search(file.read(limit))
    return (
        _ESCAPED_SIGN.sub(rb"\1", match[1] or match[2] or b"").decode("latin-1") if match else None
    )


def read_usd_binary(file: BinaryIO, limit: int) -> str | None:
    """The same for the binary form, which begins at the file's current position."""
    start = file.tell()
    for name, place, size in _sections(file, start):
        if name == b"TOKENS":
            file.seek(start + place)
            return _record_text(_texts(file.read(min(size, limit)), limit))
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
    return [
        (name.rstrip(b"\0"), place, size)
        for name, place, size in struct.iter_unpack("<16s2q", rows)
    ]


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
    """The blocks of compressed bytes: the first byte is their number, where 0 means a single block
    without its size.
    """
    if not packed[0:1] or not packed[0]:
        return [packed[1:]]
    parts = []
    place = 1
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
    """A length that begins with four bits and continues in bytes while they are 255; and the
    position after it.
    """
    if length == 15:
        while (more := block[place]) == 255:
            length = length + more
            place = place + 1
        length = length + more
        place = place + 1
    return length, place


def _repeat(content: bytearray, back: int, length: int) -> None:
    """Append `length` bytes from `back` bytes before the end; both may overlap."""
    period = bytes(content[-back:])
    content += (period * (length // back + 1))[:length]
