"""Data files of the package, `patterns/` and `assets/`, and its version."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.ImageFont import FreeTypeFont

__version__ = "1.0.0"


def resource(folder: str, name: str = "") -> Path:
    """Return the path of a folder `patterns` or `assets`, or of one file in it.

    A wheel carries both inside the package; in a checkout they stand beside it.

    Args:
        folder: `patterns` or `assets`.
        name: path of a file below it; empty for the folder itself.
    """
    # Imported when used: they take half of the time in which the package is imported.
    from importlib.resources import files
    from pathlib import Path

    package = Path(str(files("juggle_anim")))
    inside = package / folder
    return (inside if inside.is_dir() else package.parent / folder) / name


def bold_font(letters: int) -> FreeTypeFont:
    """Return the program's bold font for Pillow, with letters of a height in pixels."""
    # Pillow is loaded where letters are drawn: most pictures have none.
    from PIL import ImageFont

    path = str(resource("assets", "fonts/Inter-SemiBold.ttf"))
    return ImageFont.truetype(path, letters, layout_engine=ImageFont.Layout.BASIC)
