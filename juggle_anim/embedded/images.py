"""Words in pictures, read by Pillow: the comment of a PNG or GIF, the description in EXIF or a TIFF."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Callable
from typing import BinaryIO

from juggle_anim.embedded.exif import DESCRIPTION
from juggle_anim.embedded.jpeg_exif import PART


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
