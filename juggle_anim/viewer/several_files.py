"""Several files at once, as one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from juggle_anim.errors import JuggleError
from juggle_anim.notation.library import LibraryPattern
from juggle_anim.notation.listed import Listed, listed_in_file

MOST_FILES = 200
"""So many are listed; to read more takes long."""


def listed_in_files(paths: Sequence[str]) -> tuple[Listed, ...]:
    """All patterns of some files, one file after the other; a file that cannot be read is one that is not valid.

    Args:
        paths: of files, and of folders of frames, of which any frame stands for all.
    """
    return tuple(listed for path in paths[:MOST_FILES] for listed in _listed(what_tells(path)))


def what_tells(path: str) -> Path:
    """The file itself; of a folder of frames that were exported any, as each tells all."""
    place = Path(path).absolute()
    if not place.is_dir():
        return place
    return next((each for each in sorted(place.iterdir()) if each.is_file() and each.name[:1] != "."), place)


def _listed(path: Path) -> list[Listed]:
    try:
        return [replace(listed, file=str(path)) for listed in listed_in_file(path)]
    except (JuggleError, OSError) as error:
        reason = str(error).splitlines()[0]
        return [Listed(LibraryPattern(path.name, "", (), 0, ""), "", 1, reason, file=str(path))]
