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
"""

from __future__ import annotations

import html
import json
import os
import re
import struct
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

from juggle_anim.metadata.record import PROGRAM

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


def figure_metadata(ending: str, metadata: str, title: str = "") -> dict[str, Any]:
    """The metadata that matplotlib takes for a format, without a date, in the places where the readers look.

    Args:
        ending: of the file's name, `.png`, `.svg` or `.pdf`.
        metadata: text for the file to carry, in ASCII.
        title: title of the picture; empty for none.
    """
    named = {"Title": title} if title else {}
    if ending == ".svg":
        return {**named, "Description": metadata, "Creator": "juggle-anim", "Date": None}
    if ending == ".pdf":
        return {**named, "Keywords": metadata, "Creator": "juggle-anim", "CreationDate": None}
    return {"Comment": metadata, "Software": None}
