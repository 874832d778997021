"""Metadata in documents, tables, models and videos: where each format keeps it.

HTML        a tag `meta` with the program's name, near the beginning
SVG         a description in its metadata, in Dublin Core terms
PDF         the keywords of its information dictionary (ISO 32000-1, 14.3.3), as a string in the form written here
glTF, GLB   the member `comment` of the extras that the document begins with
CSV         the first line, behind a #
JSON        the first member
NPZ         an array `comment`
BVH         the table of props beside it, as BVH has no place for metadata
video       the tag `comment` of the container
USD         an entry with the program's name in the custom data of its layer

USD is read without its library, which few people have. In the binary form all texts of the file are in one section,
compressed with LZ4 (Y. Collet, "LZ4 Block Format Description"; Pixar, "OpenUSD": `pxr/usd/sdf/crateFile.h` and
`pxr/base/tf/fastCompression.h` describe the layout).
"""

from __future__ import annotations

import html
import io
import json
import os
import re
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from juggle_anim.metadata.record import PROGRAM

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_META_TAG = re.compile(rb'<meta name="%s" content="([^"<>]*)">' % PROGRAM.encode())
_DESCRIPTION_TAG = re.compile(rb"<dc:description>([^<>]*)</dc:description>")
_KEYWORDS = re.compile(rb"/Keywords \(((?:[^\\()]|\\.)*)\)", re.DOTALL)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_HEADER = struct.Struct("<4sIIII")
_JSON = 0x4E4F534A

# A JSON string, in which a backslash escapes the next character.
_EXTRAS = re.compile(rb'\s*\{\s*"extras"\s*:\s*\{\s*"comment"\s*:\s*("(?:[^"\\]|\\.)*+")')

PROPS_TABLE_ENDING = "-props.csv"
"""The end of the name of the table of props, in place of .bvh."""

COMMENT_TAG = "comment"
"""FFmpeg's name of the tag in all containers."""

_TEXT, _BINARY = b"#usda ", b"PXR-USDC"

_ENTRY = re.compile(
    rb'string "?%s"? = (?:"((?:[^"\\\n]|\\.)*+)"|\'((?:[^\'\\\n]|\\.)*+)\')' % re.escape(PROGRAM.encode())
)

_ESCAPED_SIGN = re.compile(rb"\\(.)")
_START = b'{"%s": ' % PROGRAM.encode()
_MEMBER = struct.Struct("<4s5H3I2H")
_CONTENTS_AT = 16
_MOST_SECTIONS = 64
_SHORTEST_MATCH = 4


def read_html_meta(file: BinaryIO, limit: int) -> str | None:
    """The metadata of a web page, from at most `limit` bytes; None where it has none."""
    found = _META_TAG.search(file.read(limit))
    return html.unescape(found[1].decode("utf-8", "replace")) if found else None


def read_svg_description(file: BinaryIO, limit: int) -> str | None:
    """The same for an SVG."""
    found = _DESCRIPTION_TAG.search(file.read(limit))
    return html.unescape(found[1].decode("utf-8", "replace")) if found else None


def read_pdf_keywords(file: BinaryIO, limit: int) -> str | None:
    """The same for a PDF, from its last bytes."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - limit))
    found = _KEYWORDS.findall(file.read(limit))
    return _ESCAPED.sub(rb"\1", found[-1]).decode("latin-1") if found else None


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
    found = _EXTRAS.match(document)
    if not found:
        return None
    try:
        metadata = json.loads(found[1])
    except ValueError:
        return None
    return metadata if isinstance(metadata, str) else None


def read_csv_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for a CSV."""
    line = file.readline(limit)
    return _ascii(line[len("# ") : -1]) if line.endswith(b"\n") else None


def read_json_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for a JSON."""
    line = file.readline(limit)
    return _ascii(line[len('{"made": ') : -2]) if line.endswith(b",\n") else None


def read_npz_comment(file: BinaryIO, limit: int) -> str | None:
    """The same for an NPZ."""
    import numpy as np

    try:
        with np.load(file, allow_pickle=False) as arrays:
            member = arrays.zip.getinfo("comment.npy")
            return str(arrays["comment"]) if member.file_size <= limit else None
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile):
        return None


def _ascii(line: bytes) -> str | None:
    try:
        return line.decode("ascii")
    except ValueError:
        return None


def read_bvh_table(file: BinaryIO, limit: int) -> str | None:
    """The same for a BVH, from the table beside it, which several numbered files may share."""
    path = Path(file.name)
    for stem in dict.fromkeys([path.stem, re.sub(r"-\d+$", "", path.stem)]):
        table = path.with_name(f"{stem}{PROPS_TABLE_ENDING}")
        if table.is_file():
            with table.open("rb") as beside:
                return read_csv_comment(beside, limit)
    return None


def read_video_comment(file: BinaryIO, limit: int) -> str | None:
    """The metadata of an MP4, MOV, WebM or Matroska file, at most `limit` characters; None where it has none."""
    import av

    try:
        with av.open(file) as container:
            tags = {name.casefold(): text for name, text in container.metadata.items()}
    except (av.error.FFmpegError, ValueError):
        return None
    metadata = tags.get(COMMENT_TAG)
    return metadata if metadata and len(metadata) <= limit else None


def figure_file(figure: Figure, ending: str, metadata: str, title: str = "", dpi: float | None = None) -> bytes:
    """Return a figure of matplotlib as the content of a file, without a date, with metadata where the readers look.

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
    """The metadata of a USD file in text form, from at most `limit` bytes; None where it has none."""
    found = _ENTRY.search(file.read(limit))
    return _ESCAPED_SIGN.sub(rb"\1", found[1] or found[2] or b"").decode("latin-1") if found else None


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
