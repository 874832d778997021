"""Still pictures as bytes of a file, by the ending of its name; each carries some words.

MERGED: A still: one picture in one file.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from juggle_anim.arrays import Bytes
from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Quality, WriteOptions
from juggle_anim.exporter.png import encode_png
from juggle_anim.exporter.resume import claim, frame_metadata, provenance
from juggle_anim.formats import STILLS, Format, load
from juggle_anim.metadata.images import DESCRIPTION, EXIF_ROOM, add_jpeg_comments

Encode = Callable[[Bytes, str, str], bytes]
"""From a picture of shape (height, width, 3 or 4), what it may cost, and words in ASCII, to a file's content."""

_JPEG: dict[str, int] = {Quality.DRAFT: 75, Quality.GOOD: 93, Quality.BEST: 98}

_WEBP: dict[str, int] = {Quality.DRAFT: 70, Quality.GOOD: 92, Quality.BEST: 75}

_WEBP_EFFORT = 2


def encoded(picture: Bytes, ending: str, quality: str, words: str) -> bytes:
    """A picture as the content of a file.

    Args:
        picture: shape (height, width, 3; 4 with alpha), top row first.
        ending: of the file's name, one of `STILLS` in letters of any size.
        quality: how much may be lost.
        words: what the file is to carry, in ASCII.
    """
    encode: Encode = load(STILLS[ending.casefold()].still)
    return encode(picture, quality, words)


def check_still(ending: str, size: tuple[int, int], transparent: bool) -> None:
    """Refuse pictures that files of a kind cannot hold.

    Args:
        ending: of the files' names.
        size: width and height, [pixels].
        transparent: whether they have alpha.

    Raises:
        ParameterError: they are too large, or have alpha and the files have none.
    """
    row = STILLS[ending.casefold()]
    if transparent and not row.alpha:
        kinds = ", ".join(each for each, other in STILLS.items() if other.alpha)
        raise ParameterError(f"{ending} pictures cannot be transparent; {kinds} can")
    check_edges(row, size)


def check_edges(row: Format, size: tuple[int, int]) -> None:
    """Refuse a size that files of a format cannot have, [pixels].

    Raises:
        ParameterError: an edge is longer than they allow.
    """
    if max(size) > row.longest_edge:
        raise ParameterError(
            f"{row.name} cannot be {size[0]}x{size[1]}: each edge has at most {row.longest_edge} pixels"
        )


def png(picture: Bytes, _quality: str, words: str) -> bytes:
    """PNG, which loses nothing, with the words as a text chunk."""
    return encode_png(picture, words)


def jpeg(picture: Bytes, quality: str, words: str) -> bytes:
    """JPEG, with the words in EXIF if it has room for them, or else in comments."""
    short = len(words) <= EXIF_ROOM
    # Colours of half the width and height would fray red balls and the outlines of limbs.
    content = _saved(picture, "JPEG", words if short else "", quality=_JPEG[quality], subsampling=0)
    return content if short else add_jpeg_comments(content, words)


def webp(picture: Bytes, quality: str, words: str) -> bytes:
    """WebP, at the best quality without loss, with the words in EXIF."""
    best = quality is Quality.BEST
    return _saved(picture, "WEBP", words, lossless=best, quality=_WEBP[quality], method=_WEBP_EFFORT, exact=best)


def tiff(picture: Bytes, _quality: str, words: str) -> bytes:
    """TIFF, packed without loss, with the words in its description."""
    return _saved(picture, "TIFF", words, compression="tiff_adobe_deflate")


def _saved(picture: Bytes, kind: str, words: str, **options: Any) -> bytes:
    from PIL import Image

    about = Image.Exif()
    if words:
        about[DESCRIPTION] = words
    file = io.BytesIO()
    Image.fromarray(picture).save(file, kind, exif=about.tobytes() if kind != "TIFF" else about, **options)
    return file.getvalue()


def write_still(
    shots: FrameRequest,
    path: Path,
    force: bool,
    progress: Callable[[int, int], None] | None,
    manner: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the first picture as a file of the kind that its ending names; all else is as for `write_video`."""
    check_still(path.suffix, shots.size, shots.transparent)
    words = frame_metadata(provenance(shots, manner), 0)
    if claim(path, words, force, manner.resume):
        (image,) = shots.images([0])
        with atomic_file(path) as draft:
            draft.write_bytes(encoded(image, path.suffix, manner.quality, words))
        if progress:
            progress(1, 1)
    return path
