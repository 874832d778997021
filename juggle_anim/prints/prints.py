"""The registry of prints, by name.

MERGED: A line drawing of one moment, as a file.

MERGED: The contact sheet: moments of one loop side by side, each with its time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.diagrams import Drawing, Label, Mark, Picture, figure_lines
from juggle_anim.diagrams.nodes import GREY, PRINT_INK, heading
from juggle_anim.errors import ParameterError, printable
from juggle_anim.exporter.view import USUAL, View
from juggle_anim.prints.printing import (
    check_destination,
    check_time,
    print_causal,
    print_drawing,
    print_ladder,
    spread_times,
)
from juggle_anim.prints.strobe import print_strobe
from juggle_anim.render import Offscreen
from juggle_anim.scene.camera import aspect_per_eye

_LETTERS = 0.017


def print_lines(
    animation: Animation,
    path: Path,
    *,
    time: float = 0.0,
    view: View = USUAL,
    size: tuple[int, int] = (1280, 960),
    force: bool = False,
) -> Path:
    """Write a line drawing of a moment.

    Args:
        animation: what is juggled.
        path: ends in `.svg`, `.pdf` or `.png`; folders are made.
        time: of the moment, [s] of the pattern.
        view: from where.
        size: of the picture, [pixels]; of a 96th of an inch where the file has none.
        force: whether a file that is there may be replaced.

    Raises:
        ParameterError: another kind of file, or a size or time that cannot be.
        ExportError: something is there already, or it cannot be written.
    """
    check_time(time)
    check_destination(path, size, force)
    aspect = size[0] / size[1]
    scene = animation.scene(time, view.camera(animation, aspect))
    drawing = figure_lines(scene, animation.jugglers, aspect, animation.title)
    made = {"picture": "lines", "time": time, "camera": view.name, "size": list(size)}
    return print_drawing(drawing, animation, path, size, made)


def print_sheet(
    animation: Animation,
    path: Path,
    *,
    frames: int = 12,
    start: float = 0.0,
    view: View = USUAL,
    size: tuple[int, int] = (1600, 1131),
    force: bool = False,
) -> Path:
    """Write a contact sheet.

    Args:
        animation: what is juggled.
        path: ends in `.png`, `.pdf` or `.svg`; folders are made.
        frames: how many moments it has.
        start: the first, [s] of the pattern.
        view: from where.
        size: of the sheet, [pixels]; of a 96th of an inch where the file has none.
        force: whether a file that is there may be replaced.

    Raises:
        ParameterError: another kind of file, or a size, number or time that cannot be.
        ExportError: something is there already, or it cannot be written.
        RenderError: no picture can be drawn on this machine.
    """
    times = spread_times(animation, frames, start)
    check_destination(path, size, force)
    drawing = _sheet(animation, times, view, size)
    made = {"picture": "sheet", "frames": frames, "start": start, "camera": view.name, "size": list(size)}
    return print_drawing(drawing, animation, path, size, made)


PRINTS: dict[str, Callable[..., Path]] = {
    "ladder": print_ladder,
    "causal": print_causal,
    "lines": print_lines,
    "sheet": print_sheet,
    "strobe": print_strobe,
}
"""All of them. A new kind is a row here, and a file that draws it."""


def print_picture(kind: str, animation: Animation, path: Path, **given: Any) -> Path:
    """Write a picture of a kind of `PRINTS`, with what its own function takes; None leaves that as it is usual.

    Raises:
        ParameterError: there is no such kind, or it takes nothing of that name; or as its function has it.
        ExportError: something is there already, or it cannot be written.
    """
    if kind not in PRINTS:
        raise ParameterError(f"juggle-anim draws no {printable(kind, 40)!r}; it draws {', '.join(PRINTS)}")
    given = {name: value for name, value in given.items() if value is not None}
    taken = [name for name in inspect.signature(PRINTS[kind]).parameters if name not in ("animation", "path")]
    for name in given:
        if name not in taken:
            raise ParameterError(f"a {kind} takes no {_as_asked(name)}; it takes {', '.join(map(_as_asked, taken))}")
    return PRINTS[kind](animation, path, **given)


def _as_asked(name: str) -> str:
    return "camera" if name == "view" else name


def _sheet(animation: Animation, times: Floats, view: View, size: tuple[int, int]) -> Drawing:
    """The sheet; its unit is a pixel, so that pictures keep theirs."""
    width, height = size
    letters = max(6.0, _LETTERS * min(width, height))
    gap, top = round(letters * 0.7), round(4.6 * letters)
    columns = _columns(len(times), (width - gap) / max(1, height - top), 0.8 if animation.jugglers == 1 else 4 / 3)
    rows = ceil(len(times) / columns)
    caption = round(1.7 * letters)
    wide = max(1, (width - gap) // columns - gap)
    high = max(1, (height - top) // rows - gap - caption)
    title, subtitle = heading(animation.score, animation.choreography)
    marks: list[Mark] = [
        Label((gap, 1.6 * letters), title, 1.6 * letters, PRINT_INK, "start", bold=True),
        Label((gap, 3.5 * letters), subtitle, letters, GREY, "start"),
    ]
    aspect = aspect_per_eye(animation.parameters.stereo, wide / high)
    scenes = animation.scenes(times, view.camera(animation, aspect))
    with Offscreen(wide, high) as offscreen:
        for number, (time, scene) in enumerate(zip(times, scenes, strict=True)):
            x, y = gap + number % columns * (wide + gap), top + number // columns * (high + gap + caption)
            marks.append(Picture((x, y), wide, high, offscreen.image(scene)))
            marks.append(Label((x, y + high + 0.8 * letters), f"{time:.2f} s", 0.85 * letters, PRINT_INK, "start"))
    return Drawing(width, height, tuple(marks), title)


def _columns(count: int, sheet: float, picture: float) -> int:
    """How many columns make pictures largest, given width over height of the sheet and of what one shows."""

    def edge(columns: int) -> float:
        return min(sheet / columns, picture / ceil(count / columns))

    return max(range(1, count + 1), key=edge)
