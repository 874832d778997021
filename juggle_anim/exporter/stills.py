"""Still pictures: one frame as the content of a file, by the ending of its name, with metadata."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from juggle_anim.arrays import Pixels
from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, Quality, WriteOptions
from juggle_anim.exporter.png import encode_png
from juggle_anim.exporter.resume import claim, frame_metadata, provenance
from juggle_anim.formats import STILLS, Format, load
from juggle_anim.language import _
from juggle_anim.metadata.images import EXIF_DESCRIPTION, MAX_EXIF_TEXT, add_jpeg_comments

Encode = Callable[[Pixels, str, str], bytes]
"""From a picture of shape (height, width, 3 or 4), a quality and metadata in ASCII to a file's content."""

_JPEG: dict[str, int] = {Quality.DRAFT: 75, Quality.GOOD: 93, Quality.BEST: 98}
_WEBP: dict[str, int] = {Quality.DRAFT: 70, Quality.GOOD: 92, Quality.BEST: 75}
_WEBP_EFFORT = 2


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
        raise ParameterError(_("{ending} pictures cannot be transparent; {kinds} can", ending=ending, kinds=kinds))
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
    content = _encode_with_pillow(picture, "JPEG", metadata if short else "", quality=_JPEG[quality], subsampling=0)
    return content if short else add_jpeg_comments(content, metadata)


def webp(picture: Pixels, quality: str, metadata: str) -> bytes:
    """Encode a WebP, at the best quality without loss, with the metadata in EXIF."""
    best = quality is Quality.BEST
    return _encode_with_pillow(
        picture, "WEBP", metadata, lossless=best, quality=_WEBP[quality], method=_WEBP_EFFORT, exact=best
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
    Image.fromarray(picture).save(file, kind, exif=exif.tobytes() if kind != "TIFF" else exif, **pillow_options)
    return file.getvalue()


def write_still(
    request: FrameRequest, path: Path, force: bool, progress: Progress | None, options: WriteOptions = DEFAULT_OPTIONS
) -> Path:
    """Write the first frame as a file of the format that its ending names; arguments as for `write_video`."""
    check_still(path.suffix, request.size, request.transparent)
    metadata = frame_metadata(provenance(request, options), 0)
    if claim(path, metadata, force, options.resume):
        (image,) = request.images([0])
        with atomic_file(path, replaces=force or options.resume) as partial:
            partial.write_bytes(encode_still(image, path.suffix, options.quality, metadata))
        if progress:
            progress(1, 1)
    return path
