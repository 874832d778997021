"""A kind of moving picture: what it can, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.shots import Shots

Add = Callable[[Bytes], None]
"""Takes the next picture, shape (height, width, 3; 4 with alpha)."""

Open = Callable[[Shots, Path, Manner, str], AbstractContextManager[Add]]
"""From the shots, a file to write, a manner and words for the file to carry in ASCII, to a place for the pictures.

The file is complete when the context has ended without an error.
"""


@dataclass(frozen=True)
class Film:
    """A kind of moving picture.

    Args:
        name: as people call it.
        open: begins a file.
        codecs: those of FFmpeg that it needs; the last is that of its sound, if it has one.
        fps: the usual rate, [frames/s].
        fastest: the highest rate that its clock can tell, [frames/s].
        repeats: whether players show it again and again, so that once through is enough.
        alpha: whether it can be transparent.
        even: whether width and height must be even.
        sound: whether it can have a sound.
        largest: the longest edge it can have, [pixels].
    """

    name: str
    open: Open
    codecs: tuple[str, ...] = ()
    fps: float = 60.0
    fastest: float = 1000.0
    repeats: bool = False
    alpha: bool = False
    even: bool = False
    sound: bool = False
    largest: int = 65_535
