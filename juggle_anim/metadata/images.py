"""Words in a PNG: a tEXt chunk named Comment, before the pixels (PNG specification, 11.3.3.2).

MERGED: Words in a GIF: a comment extension right after the header (GIF89a specification, 24).

MERGED: Words in EXIF, which is a small TIFF: its tag ImageDescription. A TIFF file holds them in the same way.

MERGED: Words in a JPEG: EXIF in its first segments (Exif 2.3, 4.5.4), or comments where they fill more than one
segment.

MERGED: Words in a WebP: a chunk of EXIF (WebP container specification, Metadata).

MERGED: Words in pictures, read by Pillow: the comment of a PNG or GIF, the description in EXIF or a TIFF.
"""

from __future__ import annotations

import io
import shutil
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

KIND = b"tEXt"

_HEADER = 13

_LONGEST_BLOCK, _EXTENSION, _GIF_COMMENT = 255, 0x21, 0xFE

DESCRIPTION = 0x010E
"""The tag's number."""

_ASCII = 2

EXIF_ROOM = 60_000
"""So many letters have room in the one segment of EXIF, of 65,535 bytes; more go into comments."""

PART = b"juggle-anim\0"
"""How a comment begins that holds a part of the words."""

_JPEG_COMMENT = 0xFE

_FLAGS = 20  # where the flags of the chunk VP8X are, which is the first of every file with more than one picture

_HAS_EXIF = 0x08


def png_text(words: str) -> bytes:
    """The content of the chunk of kind `KIND` that holds some words in ASCII."""
    return b"Comment\0" + words.encode("ascii")


def add_gif_comment(path: Path, words: str) -> None:
    """Write some words in ASCII into a GIF that is there."""
    before = path.with_name(f"{path.name}.bare")
    try:
        path.replace(before)
        with before.open("rb") as bare, path.open("wb") as file:
            header = bare.read(_HEADER)
            file.write(header + bare.read(_palette_size(header[10])) + _comment(words.encode("ascii")))
            shutil.copyfileobj(bare, file)
    finally:
        before.unlink(missing_ok=True)


def _palette_size(flags: int) -> int:
    """Of the palette that these flags of a header or a picture tell of, [bytes]."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _comment(words: bytes) -> bytes:
    blocks = [words[start : start + _LONGEST_BLOCK] for start in range(0, len(words), _LONGEST_BLOCK)]
    return bytes([_EXTENSION, _GIF_COMMENT]) + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def exif(words: str) -> bytes:
    """EXIF that holds some words in ASCII, and nothing else."""
    text = words.encode("ascii") + b"\0"
    # Up to four bytes stand in the tag's own row, instead of the place where they are.
    text = text.ljust(5, b"\0")
    start = struct.pack("<2sHI", b"II", 42, 8)
    row = struct.pack("<HHHII", 1, DESCRIPTION, _ASCII, len(text), 26)
    return start + row + struct.pack("<I", 0) + text


def add_jpeg_comments(content: bytes, words: str) -> bytes:
    """A JPEG with some words in ASCII, as comments behind its first segment, each a part of them."""
    parts = [words[start : start + EXIF_ROOM] for start in range(0, len(words), EXIF_ROOM)]
    comments = b"".join(_segment(_JPEG_COMMENT, PART + part.encode("ascii")) for part in parts)
    place = 4 + struct.unpack_from(">H", content, 4)[0]
    return content[:place] + comments + content[place:]


def _segment(kind: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, kind, len(content) + 2) + content


def add_webp_exif(path: Path, words: str) -> None:
    """Write some words in ASCII into an animated WebP that is there."""
    content = exif(words)
    with path.open("r+b") as file:
        file.seek(0, 2)
        file.write(struct.pack("<4sI", b"EXIF", len(content)) + content + b"\0" * (len(content) % 2))
        whole = file.tell()
        file.seek(4)
        file.write(struct.pack("<I", whole - 8))
        file.seek(_FLAGS)
        flags = file.read(1)[0]
        file.seek(_FLAGS)
        file.write(bytes([flags | _HAS_EXIF]))


def read_png_text(file: BinaryIO, most: int) -> str | None:
    """The words of a PNG or APNG, at most so many bytes of them; None where it has none."""
    from PIL.PngImagePlugin import PngImageFile

    return _read(lambda: PngImageFile(file).info.get("Comment"), most)


def read_gif_comment(file: BinaryIO, most: int) -> str | None:
    """The same for a GIF."""
    from PIL.GifImagePlugin import GifImageFile

    return _read(lambda: GifImageFile(file).info.get("comment"), most)


def read_jpeg_words(file: BinaryIO, most: int) -> str | None:
    """The same for a JPEG, whose EXIF may have been too short for them."""
    from PIL.JpegImagePlugin import JpegImageFile

    def words() -> object:
        image = JpegImageFile(file)
        parts = [part.removeprefix(PART) for kind, part in image.applist if kind == "COM" and part.startswith(PART)]
        return b"".join(parts) or image.getexif().get(DESCRIPTION)

    return _read(words, most)


def read_webp_exif(file: BinaryIO, most: int) -> str | None:
    """The same for a WebP, of which nothing but the chunk of EXIF is read."""
    file.seek(12)
    while len(head := file.read(8)) == 8:
        kind, length = struct.unpack("<4sI", head)
        if kind == b"EXIF":
            return read_tiff_description(io.BytesIO(file.read(min(length, most))), most)
        file.seek(length + length % 2, 1)
    return None


def read_tiff_description(file: BinaryIO, most: int) -> str | None:
    """The same for a TIFF, or for EXIF, which is one."""
    from PIL.Image import Exif

    def words() -> object:
        exif = Exif()
        exif.load_from_fp(file)
        return exif.get(DESCRIPTION)

    return _read(words, most)


def _read(read: Callable[[], object], most: int) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = read()
    except Exception:  # of many kinds, whatever is broken in the file
        return None
    words = found.decode("latin-1") if isinstance(found, bytes) else found
    return words.rstrip("\0") if isinstance(words, str) and 0 < len(words) <= most else None
