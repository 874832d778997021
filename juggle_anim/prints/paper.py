"""Paper: drawings as SVG, PDF and PNG."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.atomic_file import atomic_file
from juggle_anim.diagrams import Drawing, Label, Mark, Picture, Pill, Polygon, Stroke
from juggle_anim.diagrams.drawing import arrow_head
from juggle_anim.formats import DRAWINGS
from juggle_anim.metadata.documents import figure_metadata
from juggle_anim.resources import resource

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = tuple(DRAWINGS)
"""What a drawing can be written as, by how its path ends."""

DEFAULT_DPI = 200.0
"""Pixels of a PNG, if nobody says how many it shall have, to an inch of a drawing's own size."""

_INCH, _PIXEL, _POINT = 25.4, 25.4 / 96, 25.4 / 72
_FONTS = ["Inter", "DejaVu Sans", "sans-serif"]
_MEDIUM, _BOLD = 500, 600
_HALF_A_CAPITAL = 0.364  # of Inter, in sizes of its letters


def write_drawing(drawing: Drawing, path: Path, size: tuple[int, int] | None, words: str) -> Path:
    """Write a drawing, whole or not at all; the same drawing is the same bytes.

    Args:
        drawing: what is drawn.
        path: ends in one of `KINDS`, in a folder that is there; what is there is replaced.
        size: width and height into which it fits, [pixels]; of a 96th of an inch where the file has none. None leaves
            it as large as it is.
        words: what the file is to say of itself.

    Raises:
        ExportError: it cannot be written.
    """
    import matplotlib as mpl

    ending = path.suffix.casefold()
    scale = 1.0 if size is None else _PIXEL * min(size[0] / drawing.width, size[1] / drawing.height)
    dots = 96.0 if ending != ".png" or size else DEFAULT_DPI
    style: Any = {"svg.hashsalt": "juggle-anim", "svg.fonttype": "none", "pdf.fonttype": 42, "text.parse_math": False}
    with mpl.rc_context(style), _silence(), atomic_file(path) as draft:
        about = figure_metadata(ending, words, drawing.title)
        to_figure(drawing, scale).savefig(draft, format=ending[1:], dpi=dots, metadata=about)
    return path


def to_figure(drawing: Drawing, scale: float = 1.0) -> Figure:
    """A drawing as a figure, so many times as large as it is."""
    from matplotlib.figure import Figure

    _load_fonts()
    figure = Figure(figsize=(scale * drawing.width / _INCH, scale * drawing.height / _INCH))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0.0, drawing.width)
    axes.set_ylim(drawing.height, 0.0)
    for order, mark in enumerate(drawing.marks):
        _ARTISTS[type(mark)](axes, mark, scale / _POINT, order)
    return figure


def _load_fonts() -> None:
    from matplotlib import font_manager

    if not any(font.name == _FONTS[0] for font in font_manager.fontManager.ttflist):
        for name in ("Inter-Medium.ttf", "Inter-SemiBold.ttf"):
            font_manager.fontManager.addfont(resource("assets", f"fonts/{name}"))


@contextmanager
def _silence() -> Iterator[None]:
    """Nobody need hear of signs that a font lacks: another font has them, or nobody can read them."""
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)


def _stroke(axes: Axes, mark: Stroke, points: float, order: int) -> None:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path as Way

    if mark.arrow:
        mark, head = arrow_head(mark)
        axes.add_artist(Polygon(head, closed=True, facecolor=mark.colour, linewidth=0, zorder=order))
    codes = [Way.MOVETO] + ([Way.LINETO] if len(mark.points) == 2 else [Way.CURVE4] * 3)
    style: Any = {"linestyle": (0, (3, 2.5)), "capstyle": "butt"} if mark.dashed else {"capstyle": "round"}
    way = PathPatch(Way(mark.points, codes), fill=False, edgecolor=mark.colour, linewidth=mark.width * points, **style)
    _put(axes, way, order)


def _area(axes: Axes, mark: Polygon, points: float, order: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Way

    outlines = [Way(np.concatenate([each, each[:1]]), closed=True) for each in mark.outlines]
    colours: Any = {"facecolor": mark.fill or "none", "edgecolor": mark.outline or "none"}
    line = mark.width * points if mark.outline else 0.0
    _put(axes, PathPatch(Way.make_compound_path(*outlines), linewidth=line, joinstyle="round", **colours), order)


def _pill(axes: Axes, mark: Pill, points: float, order: int) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    corner = mark.centre[0] - mark.width / 2, mark.centre[1] - mark.height / 2
    line = mark.line * points if mark.outline else 0.0
    colours: Any = {"facecolor": mark.fill, "edgecolor": mark.outline or "none", "linewidth": line}
    if mark.round_ends:
        ends = f"round,pad=0,rounding_size={min(mark.width, mark.height) / 2:.6g}"
        _put(axes, FancyBboxPatch(corner, mark.width, mark.height, boxstyle=ends, **colours), order)
    else:
        _put(axes, Rectangle(corner, mark.width, mark.height, **colours), order)


def _label(axes: Axes, mark: Label, points: float, order: int) -> None:
    sides: Any = {"start": "left", "middle": "center", "end": "right"}
    text = axes.text(
        mark.at[0],
        mark.at[1] + _HALF_A_CAPITAL * mark.size,
        mark.text,
        fontfamily=_FONTS,
        fontsize=mark.size * points,
        fontweight=_BOLD if mark.bold else _MEDIUM,
        color=mark.colour,
        ha=sides[mark.align],
        va="baseline",
        zorder=order,
    )
    if hasattr(text, "set_fontfeatures"):  # Inter makes a sign of multiplication of the x in 6x4
        text.set_fontfeatures(["-calt"])


def _picture(axes: Axes, mark: Picture, _points: float, order: int) -> None:
    (left, top), limits = mark.corner, (axes.get_xlim(), axes.get_ylim())
    extent = left, left + mark.width, top + mark.height, top
    axes.imshow(mark.pixels, extent=extent, interpolation="none", aspect="auto", zorder=order)
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])


def _put(axes: Axes, artist: Any, order: int) -> None:
    artist.set_zorder(order)
    artist.set_clip_on(False)
    axes.add_artist(artist)


_ARTISTS: dict[type[Mark], Callable[[Axes, Any, float, int], None]] = {
    Stroke: _stroke,
    Polygon: _area,
    Pill: _pill,
    Label: _label,
    Picture: _picture,
}
