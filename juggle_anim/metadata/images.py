"""Metadata in pictures: where each format keeps it.

PNG, APNG   a tEXt chunk named Comment, before the pixels (PNG specification, 11.3.3.2); zTXt and
            iTXt are read, too
GIF         a comment extension right after the header (GIF89a specification, 24)
TIFF        the tag ImageDescription; EXIF is a small TIFF
JPEG        EXIF in its first segments (Exif 2.3, 4.5.4), or comments where one segment is too small
WebP        a chunk of EXIF (WebP container specification, Metadata)
EXR         attributes `juggle_anim_00000` and on of its header, each with a part of them

Each reader takes an open file and the most bytes of metadata, and returns the metadata, or None if
the file has none. Writers take metadata in ASCII.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from PIL.Image import Exif

PNG_TEXT_CHUNK = b"tEXt"

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_TEXTS = (PNG_TEXT_CHUNK, b"zTXt", b"iTXt")

_GIF_HEADER_SIZE = 13  # bytes, with the descriptor of the screen
_GIF_FLAGS = 10  # position of the flags in the header
_MAX_GIF_BLOCK = 255  # bytes, at most
_GIF_EXTENSION = 0x21
_GIF_COMMENT = 0xFE

_EXIF_DESCRIPTION = 0x010E  # the number of the EXIF tag ImageDescription

MAX_EXIF_TEXT = 60_000
"""The most characters for the one EXIF segment, of 65,535 bytes; longer metadata goes into
comments.
"""

JPEG_COMMENT_PREFIX = b"juggle-anim\0"
"""The first bytes of a comment that holds a part of the metadata."""

_EXR_SIGNATURE = b"\x76\x2f\x31\x01"
_MAX_EXR_ATTRIBUTES = 100_000  # that are looked at
_MAX_EXR_NAME = 256  # bytes
_EXR_ATTRIBUTE_PREFIX = "juggle_anim_"  # the name of an attribute with a part of the metadata
_MAX_EXR_TEXT = 250  # bytes of a part; FFmpeg misreads all that follows a text of more than 255

_JPEG_COMMENT = 0xFE


def png_text_content(metadata: str) -> bytes:
    """Return the content of a chunk `PNG_TEXT_CHUNK`."""
    return b"Comment\0" + metadata.encode("ascii")


def add_gif_comment(path: Path, metadata: str) -> None:
    """Write metadata into an existing GIF, as a comment behind its header and palette.

    The file is copied, since bytes have to go in near its beginning.

    Args:
        path: path of the GIF, which is replaced.
        metadata: metadata in ASCII.
    """
    bare_path = path.with_name(f"{path.name}.bare")
    try:
        path.replace(bare_path)
        with bare_path.open("rb") as bare, path.open("wb") as file:
            header = bare.read(_GIF_HEADER_SIZE)
            palette = bare.read(_palette_size(flags=header[_GIF_FLAGS]))
            file.write(header + palette + _gif_comment(metadata.encode("ascii")))
            shutil.copyfileobj(bare, file)
    finally:
        bare_path.unlink(missing_ok=True)


def _palette_size(flags: int) -> int:
    """Return the size of the palette that flags of a header or a frame describe, [bytes]."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _gif_comment(metadata: bytes) -> bytes:
    """Return a comment extension: blocks behind their sizes, and an empty one."""
    starts = range(0, len(metadata), _MAX_GIF_BLOCK)
    blocks = [metadata[start : start + _MAX_GIF_BLOCK] for start in starts]
    return (
        bytes([_GIF_EXTENSION, _GIF_COMMENT])
        + b"".join(bytes([len(block)]) + block for block in blocks)
        + b"\0"
    )


def exif(metadata: str) -> Exif:
    """Return Pillow's EXIF data with metadata in ASCII as the description of the picture.

    It has no tags if the metadata is empty.
    """
    from PIL.Image import Exif

    data = Exif()
    if metadata:
        data[_EXIF_DESCRIPTION] = metadata
    return data


def add_jpeg_comments(content: bytes, metadata: str) -> bytes:
    """Return a JPEG with metadata, split into comments after its first segment.

    Args:
        content: the JPEG.
        metadata: metadata in ASCII, of any length.
    """
    parts = [
        metadata[start : start + MAX_EXIF_TEXT] for start in range(0, len(metadata), MAX_EXIF_TEXT)
    ]
    comments = b"".join(
        _jpeg_segment(_JPEG_COMMENT, JPEG_COMMENT_PREFIX + part.encode("ascii")) for part in parts
    )
    # At the beginning are two marks of two bytes each, of the file and of its first segment. The
    # next two bytes are the length of the segment, counted from these two on.
    first_end = 4 + struct.unpack_from(">H", content, 4)[0]
    return content[:first_end] + comments + content[first_end:]


def _jpeg_segment(kind: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, len(content) + 2) + content


def read_png_text(file: BinaryIO, limit: int) -> str | None:
    """Read the text chunk named Comment of a PNG or APNG.

    Other programs move it behind the pixels, compress it, and write its name in lower case.

    Args:
        file: a PNG.
        limit: the most bytes of the text.
    """
    file.seek(len(PNG_SIGNATURE))
    # Each chunk: length and kind, content, and a checksum of 4 bytes.
    while len(header := file.read(8)) == 8:
        length, kind = struct.unpack(">I4s", header)
        if kind not in _PNG_TEXTS:
            file.seek(length + 4, os.SEEK_CUR)
            continue
        # Read 100 bytes more than the limit, for the name (79 at most) and what else is before the
        # text, and skip the rest of the content.
        chunk = file.read(min(length, limit + 100))
        file.seek(length - len(chunk), os.SEEK_CUR)
        is_whole = len(file.read(4)) == 4  # the checksum is there
        name, _zero, content = chunk.partition(b"\0")
        if name.lower() == b"comment" and is_whole:
            return _png_text(kind, content, limit)
    return None


def _png_text(kind: bytes, content: bytes, limit: int) -> str | None:
    """Return the text in a chunk behind its name (PNG specification, 11.3.3); None if it is longer
    than the limit.

    Args:
        kind: tEXt, zTXt (compressed) or iTXt (UTF-8, perhaps compressed).
        content: content of the chunk, without its name and the zero behind that.
        limit: [bytes].
    """
    is_compressed = kind == b"zTXt"
    if is_compressed:
        content = content[1:]  # behind the method of compression; there is only one
    elif kind == b"iTXt":
        # A flag, a method, a language and a translated name, both with a zero behind them.
        is_compressed = content[:1] == b"\1"
        content = content[2:].partition(b"\0")[2].partition(b"\0")[2]
    # One byte more than the limit tells a text that is longer.
    text = zlib.decompressobj().decompress(content, limit + 1) if is_compressed else content
    if len(text) > limit:
        return None
    return text.decode("utf-8" if kind == b"iTXt" else "latin-1", "replace")


def read_gif_comment(file: BinaryIO, limit: int) -> str | None:
    """Read the first comment before the first frame of a GIF.

    Source: GIF89a specification, 15 and 24.

    Args:
        file: the file, at its beginning.
        limit: the most bytes of the comment.
    """
    header = file.read(_GIF_HEADER_SIZE)
    if len(header) < _GIF_HEADER_SIZE:
        return None
    file.seek(_palette_size(flags=header[_GIF_FLAGS]), os.SEEK_CUR)
    # Extensions: a mark, a kind, and blocks of content. Something else begins a frame, or ends the
    # file.
    while len(mark := file.read(2)) == 2 and mark[0] == _GIF_EXTENSION:
        content = _gif_blocks(file, limit)
        if content is None:
            return None
        if mark[1] == _GIF_COMMENT:
            return content.decode("latin-1")
    return None


def _gif_blocks(file: BinaryIO, limit: int) -> bytes | None:
    """Read blocks up to the empty one; None if they break off or hold more than the limit."""
    content = bytearray()
    while size := file.read(1):
        if size == b"\0":
            return bytes(content)
        block = file.read(size[0])
        if len(block) < size[0] or len(content) + len(block) > limit:
            return None
        content += block
    return None


def read_jpeg_metadata(file: BinaryIO, limit: int) -> str | None:
    """Read the comments of a JPEG, joined, or else the description in its EXIF.

    Args:
        file: the file, at its beginning.
        limit: the most characters.
    """
    from PIL.JpegImagePlugin import JpegImageFile

    with _pillow_warnings_ignored():
        image = JpegImageFile(file)
        # Comments with the prefix are parts of the metadata; others are someone else's.
        # `applist` has the segments before the picture: kind and content.
        parts = [
            segment.removeprefix(JPEG_COMMENT_PREFIX)
            for kind, segment in image.applist
            if kind == "COM" and segment.startswith(JPEG_COMMENT_PREFIX)
        ]
        return _limited_text(b"".join(parts) or image.getexif().get(_EXIF_DESCRIPTION), limit)


def read_webp_exif(file: BinaryIO, limit: int) -> str | None:
    """Read the EXIF of a WebP, and nothing else of it."""
    file.seek(12)
    while len(header := file.read(8)) == 8:
        kind, length = struct.unpack("<4sI", header)
        if kind == b"EXIF":
            return read_tiff_description(io.BytesIO(file.read(min(length, limit))), limit)
        file.seek(length + length % 2, os.SEEK_CUR)
    return None


def read_tiff_description(file: BinaryIO, limit: int) -> str | None:
    """Read the description of a TIFF, or of EXIF, which is one."""
    from PIL.Image import Exif

    with _pillow_warnings_ignored():
        data = Exif()
        data.load_from_fp(file)
        return _limited_text(data.get(_EXIF_DESCRIPTION), limit)


def read_exr_attribute(file: BinaryIO, limit: int) -> str | None:
    """Read the attributes of an EXR that hold metadata."""
    attributes = sorted(exr_attributes(file, limit).items())
    text = b"".join(value for name, value in attributes if name.startswith(_EXR_ATTRIBUTE_PREFIX))
    return text.decode("ascii") if text and text.isascii() else None


def exr_texts(metadata: str) -> dict[str, str]:
    """Return the attributes of an EXR that hold metadata."""
    starts = range(0, len(metadata), _MAX_EXR_TEXT)
    return {
        f"{_EXR_ATTRIBUTE_PREFIX}{number:05d}": metadata[start : start + _MAX_EXR_TEXT]
        for number, start in enumerate(starts)
    }


def exr_attributes(file: BinaryIO, limit: int) -> dict[str, bytes]:
    """Read the attributes of an EXR of one part by their names, and stop behind its header.

    Args:
        file: the file, at its beginning; afterwards behind the header, if this was read whole.
        limit: the most bytes of all attributes; the last one may be cut short.
    """
    attributes: dict[str, bytes] = {}
    # A signature and a version, of 4 bytes each.
    if file.read(4) != _EXR_SIGNATURE or len(file.read(4)) < 4:
        return attributes
    header = file.read(limit)
    position = 0
    for _attribute in range(_MAX_EXR_ATTRIBUTES):
        # A name, a zero, the name of a type, a zero, the size of the value in four bytes, and the
        # value. The header ends with an empty name.
        name, zero, _rest = header[position : position + _MAX_EXR_NAME].partition(b"\0")
        position += len(name) + 1
        if not name or not zero:
            break
        kind, _zero, _rest = header[position : position + _MAX_EXR_NAME].partition(b"\0")
        value_start = position + len(kind) + 5  # behind a zero and four bytes of the size
        size = int.from_bytes(header[value_start - 4 : value_start], "little")
        position = value_start + size
        # Cut short before the value.
        if value_start > len(header):
            break
        attributes[name.decode("latin-1")] = header[value_start:position]
    file.seek(8 + position)  # behind what was read, after the signature and the version
    return attributes


@contextlib.contextmanager
def _pillow_warnings_ignored() -> Iterator[None]:
    """Ignore Pillow's warnings about a file: only whether it carries metadata matters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _limited_text(metadata: object, limit: int) -> str | None:
    """Return metadata as a text of at most `limit` characters; None for anything else."""
    text = metadata.decode("latin-1") if isinstance(metadata, bytes) else metadata
    return text.rstrip("\0") if isinstance(text, str) and 0 < len(text) <= limit else None
