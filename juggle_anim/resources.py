"""Data files that come with the program: `patterns/` and `assets/`."""

from importlib.resources import files
from pathlib import Path


def resource(folder: str, name: str = "") -> Path:
    """Path of a folder `patterns` or `assets`, or of one file in it.

    A wheel carries both inside the package; in a checkout they stand beside it.
    """
    package = Path(str(files("juggle_anim")))
    inside = package / folder
    return (inside if inside.is_dir() else package.parent / folder) / name
