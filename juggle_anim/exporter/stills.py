"""Still pictures: one frame as the content of a file, by the ending of its name, with metadata; and
APNG.

PNG is compressed quickly (PNG specification, third edition; animations in 11.3.6).
"""

from __future__ import annotations

import contextlib
import io
import struct
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from isal import isal_zlib

from juggle_anim.arrays import Bytes, Pixels
from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.drawn_frames import DrawnFrames
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, AddFrame, Progress, Quality, WriteOptions
from juggle_anim.exporter.resume import claim, frame_metadata
from juggle_anim.formats import STILLS, Format, load
from juggle_anim.language import _
from juggle_anim.metadata.images import (
    EXIF_DESCRIPTION,
    MAX_EXIF_TEXT,
    PNG_TEXT_CHUNK,
    add_jpeg_comments,
    png_text_content,
)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG."""

_RGB = 2
_RGBA = 6

# Each row is stored as its difference from the one above: a stage is smooth, so most of it is 0.
_UP = 2

# a frame stays on the canvas, and the next replaces the pixels of its rectangle
_KEEP = 0
_REPLACE = 0
_MAX_DELAY_PART = 65_535  # numerator and denominator of a delay have 16 bits


Encode = Callable[[Pixels, str, str], bytes]
"""From a picture of shape (height, width, 3 or 4), a quality and metadata in ASCII to a file's
content.
"""

_JPEG: dict[str, int] = {Quality.DRAFT: 75, Quality.GOOD: 93, Quality.BEST: 98}
_WEBP: dict[str, int] = {Quality.DRAFT: 70, Quality.GOOD: 92, Quality.BEST: 75}
_WEBP_EFFORT = 2


def encode_png(image: Pixels, metadata: str = "") -> bytes:
    """Encode a picture as the content of a PNG file.

    Args:
        image: shape (height, width, 3; 4 with alpha), top row first, of bytes or 16-bit numbers.
        metadata: text for the file to carry, in ASCII.
    """
    comment = chunk(PNG_TEXT_CHUNK, png_text_content(metadata)) if metadata else b""
    return b"".join(
        [
            _SIGNATURE,
            _header_chunk(image),
            comment,
            chunk(b"IDAT", _compressed_rows(image)),
            chunk(b"IEND", b""),
        ]
    )


def _header_chunk(image: Pixels) -> bytes:
    """The chunk IHDR of a file with pictures of this shape."""
    height, width, channels = image.shape
    colours = _RGB if channels == 3 else _RGBA
    return chunk(
        b"IHDR", struct.pack(">IIBBBBB", width, height, 8 * image.itemsize, colours, 0, 0, 0)
    )


def _compressed_rows(image: Pixels) -> bytes:
    """The pixels, filtered and compressed."""
    # The high byte of a number is first.
    rows = image.astype(image.dtype.newbyteorder(">")).reshape(len(image), -1).view(np.uint8)
    filtered = np.empty((len(rows), 1 + rows.shape[1]), dtype=np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return bytes(isal_zlib.compress(filtered, 1))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and checksum."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join([struct.pack(">I4s", len(data), kind), data, struct.pack(">I", checksum)])


@contextlib.contextmanager
def apng(
    frames: DrawnFrames, partial: Path, _options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    """Open an APNG that players repeat endlessly."""
    with partial.open("wb") as file:
        writer = _FrameWriter(file, frames.request, metadata)
        yield writer.add
        file.write(chunk(b"IEND", b""))


class _FrameWriter:
    """Writes the frames of a file one by one."""

    def __init__(self, file: BinaryIO, request: FrameRequest, metadata: str) -> None:
        self._file = file
        self._metadata = metadata
        self._count = request.frames
        self._delay = Fraction(request.duration / request.frames).limit_denominator(_MAX_DELAY_PART)
        self._number = 0
        self._before: Bytes | None = None

    def add(self, image: Bytes) -> None:
        if self._before is None:
            self._begin(image)
            self._write_control((0, 0, image.shape[1], image.shape[0]))
            self._file.write(chunk(b"IDAT", _compressed_rows(image)))
        else:
            left, top, width, height = changed = changed_rectangle(self._before, image)
            self._write_control(changed)
            part = np.ascontiguousarray(image[top : top + height, left : left + width])
            self._file.write(
                chunk(b"fdAT", struct.pack(">I", self._next()) + _compressed_rows(part))
            )
        self._before = image

    def _begin(self, image: Bytes) -> None:
        self._file.write(
            _SIGNATURE + _header_chunk(image) + chunk(b"acTL", struct.pack(">II", self._count, 0))
        )
        self._file.write(chunk(PNG_TEXT_CHUNK, png_text_content(self._metadata)))

    def _write_control(self, part: tuple[int, int, int, int]) -> None:
        left, top, width, height = part
        delay = self._delay.numerator, self._delay.denominator
        self._file.write(
            chunk(
                b"fcTL",
                struct.pack(
                    ">IIIIIHHBB", self._next(), width, height, left, top, *delay, _KEEP, _REPLACE
                ),
            )
        )

    def _next(self) -> int:
        self._number += 1
        return self._number - 1


def changed_rectangle(before: Bytes, image: Bytes) -> tuple[int, int, int, int]:
    """Left, top, width and height of the smallest rectangle in which two pictures differ; at least
    one pixel.
    """
    differs = (before != image).any(axis=2)
    rows = np.flatnonzero(differs.any(axis=1))
    columns = np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    left = int(columns[0])
    top = int(rows[0])
    return left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1


def encode_still(picture: Pixels, ending: str, quality: str, metadata: str) -> bytes:
    """Encode a picture as the content of a file.

    Args:
        picture: shape (height, width, 3; 4 with alpha), top row first.
        ending: of the file's name, one of `STILLS` in upper or lower case.
        quality: how much may be lost.
        metadata: text for the file to carry, in ASCII.
    """
    encode: Encode = load(STILLS[ending.casefold()].still)
    return encode(picture, quality, metadata)


def check_still(ending: str, size: tuple[int, int], transparent: bool) -> None:
    """Refuse pictures that a format cannot hold.

    Args:
        ending: of the file names.
        size: width and height, [pixels].
        transparent: whether they have alpha.

    Raises:
        ParameterError: they are too large, the format has no alpha, or a library is missing.
    """
    row = STILLS[ending.casefold()]
    if row.require:
        load(row.require)()
    if transparent and not row.alpha:
        kinds = ", ".join(each for each, other in STILLS.items() if other.alpha)
        raise ParameterError(
            _("{ending} pictures cannot be transparent; {kinds} can", ending=ending, kinds=kinds)
        )
    check_edges(row, size)


def check_edges(row: Format, size: tuple[int, int]) -> None:
    """Refuse a size [pixels] that a format cannot have.

    Raises:
        ParameterError: an edge is too long.
    """
    if max(size) > row.max_edge:
        raise ParameterError(
            _(
                "{name} cannot be {size}x{size2}: each edge has at most {max_edge} pixels",
                name=row.name,
                size=size[0],
                size2=size[1],
                max_edge=row.max_edge,
            )
        )


def png(picture: Pixels, _quality: str, metadata: str) -> bytes:
    """Encode a PNG, without loss, with the metadata in a text chunk."""
    return encode_png(picture, metadata)


def jpeg(picture: Pixels, quality: str, metadata: str) -> bytes:
    """Encode a JPEG, with the metadata in EXIF if it fits there, and otherwise in comments."""
    short = len(metadata) <= MAX_EXIF_TEXT
    # Chroma subsampling would fray red balls and the outlines of limbs.
    content = _encode_with_pillow(
        picture, "JPEG", metadata if short else "", quality=_JPEG[quality], subsampling=0
    )
    return content if short else add_jpeg_comments(content, metadata)


def webp(picture: Pixels, quality: str, metadata: str) -> bytes:
    """Encode a WebP, at the best quality without loss, with the metadata in EXIF."""
    best = quality is Quality.BEST
    return _encode_with_pillow(
        picture,
        "WEBP",
        metadata,
        lossless=best,
        quality=_WEBP[quality],
        method=_WEBP_EFFORT,
        exact=best,
    )


def tiff(picture: Pixels, _quality: str, metadata: str) -> bytes:
    """Encode a TIFF, compressed without loss, with the metadata in its description."""
    return _encode_with_pillow(picture, "TIFF", metadata, compression="tiff_adobe_deflate")


def _encode_with_pillow(picture: Pixels, kind: str, metadata: str, **pillow_options: Any) -> bytes:
    from PIL import Image

    exif = Image.Exif()
    if metadata:
        exif[EXIF_DESCRIPTION] = metadata
    file = io.BytesIO()
    Image.fromarray(picture).save(
        file, kind, exif=exif.tobytes() if kind != "TIFF" else exif, **pillow_options
    )
    return file.getvalue()


def write_still(
    request: FrameRequest,
    path: Path,
    force: bool,
    progress: Progress | None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the first frame as a file of the format that its ending names; arguments as for
    `write_video`.
    """
    check_still(path.suffix, request.size, request.transparent)
    metadata = frame_metadata(request.record(options), 0)
    if claim(path, metadata, force, options.resume):
        (image,) = DrawnFrames(request).images([0])
        with atomic_file(path, replaces=force or options.resume) as partial:
            partial.write_bytes(encode_still(image, path.suffix, options.quality, metadata))
        if progress:
            progress(1, 1)
    return path
