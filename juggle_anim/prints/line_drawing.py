"""A line drawing of one moment, as a file."""

from __future__ import annotations

from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.diagrams import figure_lines
from juggle_anim.exporter.view import USUAL, View
from juggle_anim.prints.moments import check_time
from juggle_anim.prints.printing import claim_place, print_drawing


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
    claim_place(path, size, force)
    aspect = size[0] / size[1]
    scene = animation.scene(time, view.camera(animation, aspect))
    drawing = figure_lines(scene, animation.jugglers, aspect, animation.title)
    made = {"picture": "lines", "time": time, "camera": view.name, "size": list(size)}
    return print_drawing(drawing, animation, path, size, made)
