"""The words in a picture or a video, whatever its format."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from juggle_anim.embedded.bvh_table import BVH, tables_of
from juggle_anim.embedded.exif import read_exif
from juggle_anim.embedded.gif_comment import read_gif_comment
from juggle_anim.embedded.gltf_comment import read_glb_comment, read_gltf_comment
from juggle_anim.embedded.html_meta import read_html_meta
from juggle_anim.embedded.jpeg_exif import read_jpeg_exif
from juggle_anim.embedded.pdf_keywords import read_pdf_keywords
from juggle_anim.embedded.png_text import read_png_text
from juggle_anim.embedded.svg_description import read_svg_description
from juggle_anim.embedded.table_comment import CSV, JSON, NPZ, read_csv_comment, read_json_comment, read_npz_comment
from juggle_anim.embedded.usd_layer_data import BINARY, TEXT, read_usd_binary, read_usd_package, read_usd_text
from juggle_anim.embedded.video_comment import read_video_comment
from juggle_anim.embedded.webp_exif import read_webp_exif

MOST_WORDS = 10_000_000
"""No more bytes than this are read of what a file says of itself."""


def read_words(path: Path) -> str | None:
    """What a picture or a video says of itself; None where it says nothing, or the file is of another kind.

    A file that breaks the rules of its format, or breaks off before its words end, says nothing; one that breaks off
    behind them says all of them. For a BVH speaks the table beside it.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb", opener=_open) as file:
        start = file.read(_START)
        read = _reader(start)
        file.seek(0)
        words = read(file, MOST_WORDS) if read else None
    table = _table(path) if start.startswith(BVH) else None
    return read_words(table) if table else words


def _table(path: Path) -> Path | None:
    return next((table for table in tables_of(path) if table.is_file()), None)


def _open(path: str, flags: int) -> int:
    # A pipe that nobody writes to would be waited for when it is opened.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _reader(start: bytes) -> Callable[[BinaryIO, int], str | None] | None:
    for place, mark, read in _MARKS:
        if start[place : place + len(mark)] == mark:
            return read
    return None


def _read_archive(file: BinaryIO, most: int) -> str | None:
    words = read_npz_comment(file, most)
    file.seek(0)
    return words or read_usd_package(file, most)


_START = 12
_MARKS: tuple[tuple[int, bytes, Callable[[BinaryIO, int], str | None]], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", read_png_text),
    (0, b"GIF8", read_gif_comment),
    (0, b"<?xml versio", read_svg_description),
    (0, b"%PDF-", read_pdf_keywords),
    (0, b"\xff\xd8\xff", read_jpeg_exif),
    (0, b"II*\0", read_exif),
    (0, b"MM\0*", read_exif),
    (8, b"WEBP", read_webp_exif),
    (4, b"ftyp", read_video_comment),
    (0, b"\x1aE\xdf\xa3", read_video_comment),
    (0, b"<!doctype ht", read_html_meta),
    (0, b"glTF\2\0\0\0", read_glb_comment),
    (0, b'{"extras":{"', read_gltf_comment),
    (0, CSV, read_csv_comment),
    (0, JSON, read_json_comment),
    (0, NPZ, _read_archive),
    (0, TEXT, read_usd_text),
    (0, BINARY, read_usd_binary),
)
"""Where a format's mark stands, the mark, and who reads it."""
