"""Printing: which picture, of what, where to, and how large.

MERGED: Moments of a loop that a picture shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.atomic_file import make_room, refuse_existing
from juggle_anim.diagrams import Diagram, Drawing
from juggle_anim.errors import ParameterError
from juggle_anim.notation import record_of
from juggle_anim.prints.paper import ENDINGS, write_drawing
from juggle_anim.scene.palette import Palette, palette_of
from juggle_anim.scene.scene import BRIGHT_STAGE

SMALLEST, LARGEST = 16, 12_000
"""Widths and heights that are accepted, [pixels]."""

LATEST_TIME = 1_000_000.0
"""The latest time that is shown, [s]."""

MOST_MOMENTS = 100
"""More than these would be too small to see, or hide each other."""


def print_ladder(
    animation: Animation,
    path: Path,
    *,
    down: bool = False,
    loops: int | None = None,
    size: tuple[int, int] | None = None,
    force: bool = False,
) -> Path:
    """Write a ladder diagram.

    Args:
        animation: what is juggled.
        path: ends in one of `KINDS`; folders are made.
        down: whether time runs down.
        loops: how often the pattern is gone through; None for as often as it takes to be seen.
        size: into which it fits, [pixels]; None leaves it as large as it is.
        force: whether a file that is there may be replaced.

    Raises:
        ParameterError: another kind of file, or a size or number that cannot be.
        ExportError: something is there already, or it cannot be written.
    """
    from juggle_anim.diagrams import ladder

    check_destination(path, size, force)
    diagram = ladder(animation.score, animation.choreography, down, loops, palette=_on_paper(animation))
    return _print_diagram(diagram, "ladder", animation, path, size)


def print_causal(
    animation: Animation,
    path: Path,
    *,
    down: bool = False,
    loops: int | None = None,
    size: tuple[int, int] | None = None,
    force: bool = False,
) -> Path:
    """Write a causal diagram; arguments and errors as for `print_ladder`."""
    from juggle_anim.diagrams import causal

    check_destination(path, size, force)
    diagram = causal(animation.score, animation.choreography, down, loops, palette=_on_paper(animation))
    return _print_diagram(diagram, "causal", animation, path, size)


def check_destination(path: Path, size: tuple[int, int] | None, force: bool, kinds: tuple[str, ...] = ENDINGS) -> None:
    """See that a picture can be written there, before any work is done.

    Args:
        path: where to.
        size: width and height, [pixels].
        force: whether a file that is there may be replaced.
        kinds: endings that are accepted.

    Raises:
        ParameterError: another kind of file, or a size that cannot be.
        ExportError: something is there already, or it cannot be written.
    """
    if path.suffix.casefold() not in kinds:
        these = kinds[0] if len(kinds) == 1 else f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise ParameterError(f"{path}: this picture is written as {these}")
    if size and not all(SMALLEST <= edge <= LARGEST for edge in size):
        raise ParameterError(
            f"a picture cannot be {size[0]}x{size[1]}: each edge must be from {SMALLEST} to {LARGEST:,} pixels"
        )
    refuse_existing(path, force)


def print_drawing(
    drawing: Drawing, animation: Animation, path: Path, size: tuple[int, int] | None, made: Mapping[str, Any]
) -> Path:
    """Write a drawing to a place that was claimed, with words of what made it.

    Raises:
        ExportError: it cannot be written.
    """
    make_room(path)
    return write_drawing(drawing, path, size, record_of(animation.score, animation.parameters, made).text)


def _on_paper(animation: Animation) -> Palette:
    """Its colours, as paper is bright on every stage."""
    return palette_of(animation.parameters.theme, BRIGHT_STAGE)


def _print_diagram(diagram: Diagram, kind: str, animation: Animation, path: Path, size: tuple[int, int] | None) -> Path:
    made = {"picture": kind, "down": diagram.down, "loops": round(diagram.span / animation.duration)}
    return print_drawing(diagram.drawing, animation, path, size, made)


def check_time(time: float) -> None:
    """Refuse a moment that cannot be shown."""
    if not 0 <= time <= LATEST_TIME:
        raise ParameterError(f"the picture cannot be of {time:g} s: that must be from 0 to {LATEST_TIME:,.0f}")


def spread_times(animation: Animation, frames: int, start: float, seconds: float | None = None) -> Floats:
    """Times evenly spread over a loop, or over some seconds, shape (frames,), [s].

    Raises:
        ParameterError: a number or a time that cannot be.
    """
    check_time(start)
    if not 1 <= frames <= MOST_MOMENTS:
        raise ParameterError(f"frames is {frames}, but must be a whole number from 1 to {MOST_MOMENTS}")
    if seconds is not None and not 0 < seconds <= LATEST_TIME:
        raise ParameterError(f"{seconds:g} seconds cannot be: it must be a number above 0")
    lasts = animation.duration if seconds is None else seconds
    times: Floats = start + lasts * np.arange(float(frames)) / frames
    return times
