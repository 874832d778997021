"""Checks of what a print is to show: its file, its size and the times of its moments."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.atomic_file import refuse_existing
from juggle_anim.errors import ParameterError
from juggle_anim.formats import DRAWINGS

SMALLEST, LARGEST = 16, 12_000
"""Accepted widths and heights, [pixels]."""

LATEST_TIME = 1_000_000.0
"""The latest time that can be shown, [s]."""

MOST_MOMENTS = 100
"""The most moments of a print: more would be too small to see, or hide each other."""


def check_destination(
    path: Path, size: tuple[int, int] | None, force: bool, endings: tuple[str, ...] = tuple(DRAWINGS)
) -> None:
    """Check that a print can be written to a file, before any work is done.

    Args:
        path: the file.
        size: width and height, [pixels]; None for a diagram's own size.
        force: whether an existing file may be replaced.
        endings: the accepted endings of the file name.

    Raises:
        ParameterError: another ending, or a size out of range.
        ExportError: the file exists, or cannot be written.
    """
    if path.suffix.casefold() not in endings:
        accepted = endings[0] if len(endings) == 1 else f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise ParameterError(f"{path}: this picture is written as {accepted}")
    if size and not all(SMALLEST <= edge <= LARGEST for edge in size):
        raise ParameterError(
            f"a picture cannot be {size[0]}x{size[1]}: each edge must be from {SMALLEST} to {LARGEST:,} pixels"
        )
    refuse_existing(path, force)


def check_time(time: float) -> None:
    """Refuse a time that cannot be shown.

    Raises:
        ParameterError: it is below 0 or above `LATEST_TIME`.
    """
    if not 0 <= time <= LATEST_TIME:
        raise ParameterError(f"the picture cannot be of {time:g} s: that must be from 0 to {LATEST_TIME:,.0f}")


def spread_times(animation: Animation, frames: int, start: float, seconds: float | None = None) -> Floats:
    """Return times evenly spread over a loop, or over some seconds, shape (frames,), [s].

    Raises:
        ParameterError: a number or a time out of range.
    """
    check_time(start)
    if not 1 <= frames <= MOST_MOMENTS:
        raise ParameterError(f"frames is {frames}, but must be a whole number from 1 to {MOST_MOMENTS}")
    if seconds is not None and not 0 < seconds <= LATEST_TIME:
        raise ParameterError(f"{seconds:g} seconds cannot be: it must be a number above 0")
    duration = animation.duration if seconds is None else seconds
    times: Floats = start + duration * np.arange(float(frames)) / frames
    return times
