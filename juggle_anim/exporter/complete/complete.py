"""The registry of what tells a complete file from one that breaks off, by the ending of a name."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from juggle_anim.exporter.complete.ends import ends_with
from juggle_anim.exporter.complete.gif_blocks import gif_goes_to_its_trailer
from juggle_anim.exporter.complete.rows import bvh_has_its_rows, csv_has_its_rows
from juggle_anim.exporter.complete.sizes import boxes_fill, crate_fills, glb_fills, riff_fills, segment_fills, zip_fills
from juggle_anim.exporter.complete.tiff_places import tiff_holds_its_places


def is_complete(path: Path) -> bool:
    """Whether a file that an export has written is there to its end. What is in between is not looked at.

    Args:
        path: whose ending is one of `COMPLETE`, in letters of any size.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        try:
            return COMPLETE[path.suffix.casefold()](file)
        except (struct.error, ValueError, IndexError):
            return False  # it breaks off where a number was to be read


_PNG = ends_with(rb"\0\0\0\0IEND\xaeB`\x82")
_JPEG = ends_with(rb"\xff\xd9")  # in the packed picture a zero would follow ff, and before it there is no ff d9

COMPLETE: dict[str, Callable[[BinaryIO], bool]] = {
    ".mp4": boxes_fill,
    ".webm": segment_fills,
    ".mov": boxes_fill,
    ".gif": gif_goes_to_its_trailer,
    ".apng": _PNG,
    ".webp": riff_fills,
    ".png": _PNG,
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".tif": tiff_holds_its_places,
    ".tiff": tiff_holds_its_places,
    ".html": ends_with(rb"</script>\n</body>\n</html>\n"),
    ".glb": glb_fills,
    ".gltf": ends_with(rb'"name":"juggler_\d+"\}\]\}'),  # of the last skin; nowhere else does it end the list of a list
    ".usdz": zip_fills,
    ".usdc": crate_fills,
    ".usda": ends_with(rb"\n\}\n\n"),  # of the only thing that stands in no other
    ".bvh": bvh_has_its_rows,
    ".npz": zip_fills,
    ".csv": csv_has_its_rows,
    ".json": ends_with(rb"\}\n\]\}\n"),
}
"""For all endings that an export writes, whether such a file is complete; raises as `struct` does, or says no."""
