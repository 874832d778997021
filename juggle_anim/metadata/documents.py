"""Words in a web page: a tag `meta` with the program's name, near its beginning.

MERGED: Words in an SVG: a description in its metadata, in the terms of the Dublin Core.

MERGED: Words in a PDF: the keywords of its information dictionary (ISO 32000-1, 14.3.3), a string as we write it.

MERGED: Words in a glTF or GLB file: the member `comment` of the extras that its document begins with.

MERGED: Words in tables: the first line of a CSV behind its #, the first member of a JSON, and an array of an NPZ.

MERGED: The table beside a BVH: it carries the words for which a BVH has no room.

MERGED: Words in a video: the tag `comment` of its container.

MERGED: Words for the files of a plotting library, each in the place where this package's readers look for them.
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

# A string of JSON, of which a backslash hides the next letter.
_EXTRAS = re.compile(rb'\s*\{\s*"extras"\s*:\s*\{\s*"comment"\s*:\s*("(?:[^"\\]|\\.)*+")')

PROPS = "-props.csv"
"""How the name of the table of props ends, in place of .bvh."""

COMMENT = "comment"
"""The tag, as FFmpeg names it in all containers."""


def read_html_meta(file: BinaryIO, most: int) -> str | None:
    """The words of a web page, of which at most so many bytes are read; None where it has none."""
    found = _META_TAG.search(file.read(most))
    return html.unescape(found[1].decode("utf-8", "replace")) if found else None


def read_svg_description(file: BinaryIO, most: int) -> str | None:
    """The words of an SVG, of which at most so many bytes are read; None where it has none."""
    found = _DESCRIPTION_TAG.search(file.read(most))
    return html.unescape(found[1].decode("utf-8", "replace")) if found else None


def read_pdf_keywords(file: BinaryIO, most: int) -> str | None:
    """The words of a PDF, of which at most so many bytes are read, from the end; None where it has none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - most))
    found = _KEYWORDS.findall(file.read(most))
    return _ESCAPED.sub(rb"\1", found[-1]).decode("latin-1") if found else None


def read_glb_comment(file: BinaryIO, most: int) -> str | None:
    """The words of a GLB file of which at most so many bytes are read; None where it has none."""
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size:
        return None
    _, _, _, length, kind = _HEADER.unpack(head)
    return _comment(file.read(min(length, most))) if kind == _JSON else None


def read_gltf_comment(file: BinaryIO, most: int) -> str | None:
    """The same for a glTF file."""
    return _comment(file.read(most))


def _comment(document: bytes) -> str | None:
    found = _EXTRAS.match(document)
    if not found:
        return None
    try:
        words = json.loads(found[1])
    except ValueError:
        return None
    return words if isinstance(words, str) else None


def read_csv_comment(file: BinaryIO, most: int) -> str | None:
    """The words of a CSV of which at most so many bytes are read; None where it has none."""
    line = file.readline(most)
    return _ascii(line[len("# ") : -1]) if line.endswith(b"\n") else None


def read_json_comment(file: BinaryIO, most: int) -> str | None:
    """The same for a JSON."""
    line = file.readline(most)
    return _ascii(line[len('{"made": ') : -2]) if line.endswith(b",\n") else None


def read_npz_comment(file: BinaryIO, most: int) -> str | None:
    """The same for an NPZ."""
    import numpy as np

    try:
        with np.load(file, allow_pickle=False) as arrays:
            member = arrays.zip.getinfo("comment.npy")
            return str(arrays["comment"]) if member.file_size <= most else None
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile):
        return None


def _ascii(line: bytes) -> str | None:
    try:
        return line.decode("ascii")
    except ValueError:
        return None


def read_table_beside(file: BinaryIO, most: int) -> str | None:
    """The words of the table beside a BVH: that of one juggler, or that of several whose files are numbered."""
    path = Path(file.name)
    for stem in dict.fromkeys([path.stem, re.sub(r"-\d+$", "", path.stem)]):
        table = path.with_name(f"{stem}{PROPS}")
        if table.is_file():
            with table.open("rb") as beside:
                return read_csv_comment(beside, most)
    return None


def read_video_comment(file: BinaryIO, most: int) -> str | None:
    """The words of an MP4, MOV, WebM or Matroska file, at most so many letters; None where it has none."""
    import av

    try:
        with av.open(file) as container:
            tags = {name.casefold(): text for name, text in container.metadata.items()}
    except (av.error.FFmpegError, ValueError):
        return None
    words = tags.get(COMMENT)
    return words if words and len(words) <= most else None


def figure_metadata(ending: str, words: str, title: str = "") -> dict[str, Any]:
    """What matplotlib is to say of a file, in the terms of its format; no date is among them.

    Args:
        ending: of the file's name, `.png`, `.svg` or `.pdf`.
        words: that the file is to carry, in ASCII.
        title: of the picture; empty for none.
    """
    named = {"Title": title} if title else {}
    if ending == ".svg":
        return {**named, "Description": words, "Creator": "juggle-anim", "Date": None}
    if ending == ".pdf":
        return {**named, "Keywords": words, "Creator": "juggle-anim", "CreationDate": None}
    return {"Comment": words, "Software": None}
