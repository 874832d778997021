"""How moving pictures are begun, whatever their format.

MERGED: The clock of a film: when each picture comes, in whole ticks whose sum is right.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from pathlib import Path

import numpy as np

from juggle_anim.arrays import Bytes, Integers
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.formats import FILMS, load

Add = Callable[[Bytes], None]
"""Takes the next picture, shape (height, width, 3; 4 with alpha)."""

Open = Callable[[FrameRequest, Path, WriteOptions, str], AbstractContextManager[Add]]
"""From the shots, a file to write, a manner and words for the file to carry in ASCII, to a place for the pictures.

The file is complete when the context has ended without an error.
"""


def open_film(
    shots: FrameRequest, path: Path, draft: Path, manner: WriteOptions, words: str
) -> AbstractContextManager[Add]:
    """Begin a moving picture of the kind that the ending of `path` names, in the file `draft`."""
    begin: Open = load(FILMS[path.suffix.casefold()].film)
    return begin(shots, draft, manner, words)


def ticks(shots: FrameRequest, a_second: int) -> Integers:
    """When each picture comes, and when the last has gone, shape (frames + 1,), in ticks of so many a second.

    No picture is more than half a tick off, and so is the end: rounding never adds up.
    """
    places = np.arange(shots.frames + 1) * (shots.duration * a_second / shots.frames)
    whole: Integers = np.rint(places).astype(np.intp)
    return whole


def frame_rate(fps: float) -> Fraction:
    """A rate as a fraction that containers can hold: 29.97 is 2997/100."""
    return Fraction(fps).limit_denominator(1001)
