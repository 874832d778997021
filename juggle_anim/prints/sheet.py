"""The contact sheet: moments of one loop side by side, each with its time."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.diagrams import Drawing, Label, Mark, Picture
from juggle_anim.diagrams.heading import heading
from juggle_anim.diagrams.ink import GREY, INK
from juggle_anim.exporter.view import USUAL, View
from juggle_anim.prints.moments import moments
from juggle_anim.prints.printing import claim_place, print_drawing
from juggle_anim.render import Offscreen
from juggle_anim.scene.stereo import aspect_of_one


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
    times = moments(animation, frames, start)
    claim_place(path, size, force)
    drawing = _sheet(animation, times, view, size)
    made = {"picture": "sheet", "frames": frames, "start": start, "camera": view.name, "size": list(size)}
    return print_drawing(drawing, animation, path, size, made)


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
        Label((gap, 1.6 * letters), title, 1.6 * letters, INK, "start", bold=True),
        Label((gap, 3.5 * letters), subtitle, letters, GREY, "start"),
    ]
    aspect = aspect_of_one(animation.parameters.stereo, wide / high)
    scenes = animation.scenes(times, view.camera(animation, aspect))
    with Offscreen(wide, high) as offscreen:
        for number, (time, scene) in enumerate(zip(times, scenes, strict=True)):
            x, y = gap + number % columns * (wide + gap), top + number // columns * (high + gap + caption)
            marks.append(Picture((x, y), wide, high, offscreen.image(scene)))
            marks.append(Label((x, y + high + 0.8 * letters), f"{time:.2f} s", 0.85 * letters, INK, "start"))
    return Drawing(width, height, tuple(marks), title)


def _columns(count: int, sheet: float, picture: float) -> int:
    """How many columns make pictures largest, given width over height of the sheet and of what one shows."""

    def edge(columns: int) -> float:
        return min(sheet / columns, picture / ceil(count / columns))

    return max(range(1, count + 1), key=edge)


_LETTERS = 0.017
