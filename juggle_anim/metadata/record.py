"""The record of an export: enough to open the same animation and draw the same picture; read from
any format.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

from juggle_anim.formats import FORMATS, load
from juggle_anim.lazy_dataclass import dataclass

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
        version: of the program.
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
    """Read the record of an export from its text; None where the text is anything else.

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
    """Read the metadata of a file; None where it has none, or is of another format.

    An invalid file, or one that is cut short before its metadata ends, has none; one that is cut
    short later may still give it. The metadata of a BVH is in the table beside it.

    Args:
        path: of a file of any format, which its first bytes tell.

    Raises:
        OSError: the file cannot be read.
    """
    with BoundedFile(path, _MAX_START) as file:
        start = file.read()
    # Several formats may begin alike, and several rows share a reader: each reader once.
    readers = dict.fromkeys(
        row.metadata_reader for row in FORMATS if row.metadata_reader and row.begins(start)
    )
    for reader in readers:
        metadata = read_with(reader, path)
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

# Metadata at its longest, and as much again for what stands before it.
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
    """Return the metadata that a reader finds in a file; None where it has none, or is broken.

    Args:
        name: of the reader, a key of `READERS`, as "metadata.images:read_png_text".
        path: of the file.

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
