"""How moving pictures are begun, whatever their format."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.shots import Shots
from juggle_anim.formats import FILMS, load

Add = Callable[[Bytes], None]
"""Takes the next picture, shape (height, width, 3; 4 with alpha)."""

Open = Callable[[Shots, Path, Manner, str], AbstractContextManager[Add]]
"""From the shots, a file to write, a manner and words for the file to carry in ASCII, to a place for the pictures.

The file is complete when the context has ended without an error.
"""


def open_film(shots: Shots, path: Path, draft: Path, manner: Manner, words: str) -> AbstractContextManager[Add]:
    """Begin a moving picture of the kind that the ending of `path` names, in the file `draft`."""
    begin: Open = load(FILMS[path.suffix.casefold()].film)
    return begin(shots, draft, manner, words)
