"""Still pictures as bytes of a file, by the ending of its name; each carries some words."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from juggle_anim.arrays import Bytes
from juggle_anim.embedded.exif import DESCRIPTION
from juggle_anim.embedded.jpeg_exif import EXIF_ROOM, add_jpeg_comments
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.png import encode_png
from juggle_anim.exporter.quality import Quality

LARGEST_WEBP = 16_383
"""The longest edge of a WebP, which has 14 bits (RFC 9649, 2.5), [pixels]."""

Encode = Callable[[Bytes, Quality, str], bytes]
"""From a picture of shape (height, width, 3 or 4), what it may cost, and words in ASCII, to a file's content."""


def encoded(picture: Bytes, ending: str, quality: Quality, words: str) -> bytes:
    """A picture as the content of a file.

    Args:
        picture: shape (height, width, 3; 4 with alpha), top row first.
        ending: of the file's name, one of `STILLS` in letters of any size.
        quality: how much may be lost.
        words: what the file is to carry, in ASCII.
    """
    return STILLS[ending.casefold()](picture, quality, words)


def check_still(ending: str, size: tuple[int, int], transparent: bool) -> None:
    """Refuse pictures that files of a kind cannot hold.

    Args:
        ending: of the files' names.
        size: width and height, [pixels].
        transparent: whether they have alpha.

    Raises:
        ParameterError: they are too large, or have alpha and the files have none.
    """
    if transparent and ending.casefold() in _OPAQUE:
        kinds = ", ".join(each for each in STILLS if each not in _OPAQUE)
        raise ParameterError(f"{ending} pictures cannot be transparent; {kinds} can")
    if ending.casefold() == ".webp":
        check_edges("WebP", size, LARGEST_WEBP)


def check_edges(name: str, size: tuple[int, int], largest: int) -> None:
    """Refuse a size that files of a kind cannot have, [pixels].

    Raises:
        ParameterError: an edge is longer than `largest`.
    """
    if max(size) > largest:
        raise ParameterError(f"{name} cannot be {size[0]}x{size[1]}: each edge has at most {largest} pixels")


def png(picture: Bytes, _quality: Quality, words: str) -> bytes:
    """PNG, which loses nothing, with the words as a text chunk."""
    return encode_png(picture, words)


def jpeg(picture: Bytes, quality: Quality, words: str) -> bytes:
    """JPEG, with the words in EXIF if it has room for them, or else in comments."""
    short = len(words) <= EXIF_ROOM
    # Colours of half the width and height would fray red balls and the outlines of limbs.
    content = _saved(picture, "JPEG", words if short else "", quality=_JPEG[quality], subsampling=0)
    return content if short else add_jpeg_comments(content, words)


def webp(picture: Bytes, quality: Quality, words: str) -> bytes:
    """WebP, at the best quality without loss, with the words in EXIF."""
    best = quality is Quality.BEST
    return _saved(picture, "WEBP", words, lossless=best, quality=_WEBP[quality], method=_WEBP_EFFORT, exact=best)


def tiff(picture: Bytes, _quality: Quality, words: str) -> bytes:
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


STILLS: dict[str, Encode] = {
    ".png": png,
    ".jpg": jpeg,
    ".jpeg": jpeg,
    ".webp": webp,
    ".tif": tiff,
    ".tiff": tiff,
}
"""By the ending of a name."""

_OPAQUE = (".jpg", ".jpeg")
_JPEG = {Quality.DRAFT: 75, Quality.GOOD: 93, Quality.BEST: 98}
_WEBP = {Quality.DRAFT: 70, Quality.GOOD: 92, Quality.BEST: 75}
_WEBP_EFFORT = 2
