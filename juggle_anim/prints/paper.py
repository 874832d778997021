"""Drawings written as SVG, PDF and PNG with Matplotlib; and checks of a print's options."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.atomic_file import atomic_file, refuse_existing
from juggle_anim.diagrams import Drawing, Label, Mark, Picture, Pill, Polygon, Stroke
from juggle_anim.diagrams.drawing import arrow_head
from juggle_anim.errors import ParameterError, require_library
from juggle_anim.formats import DRAWINGS
from juggle_anim.language import _
from juggle_anim.metadata.documents import figure_file
from juggle_anim.resources import resource

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DEFAULT_DPI = 200.0
"""Resolution of a PNG without a given size, [pixels per inch]."""

# Units of length, [mm].
_MM_PER_INCH = 25.4
_MM_PER_PIXEL = 25.4 / 96
_MM_PER_POINT = 25.4 / 72

_FONT_FAMILIES = ["Inter", "DejaVu Sans", "sans-serif"]
_MEDIUM_WEIGHT = 500  # weight of letters
_BOLD_WEIGHT = 600
_HALF_CAPITAL_HEIGHT = (
    0.364  # half the height of capitals in Inter, as a share of the letters' size
)

SMALLEST = 16
LARGEST = 12_000
"""Accepted widths and heights, [pixels]."""

LATEST_TIME = 1_000_000.0
"""The latest time that can be shown, [s]."""

MOST_MOMENTS = 100
"""The most moments of a print: more would be too small to see, or hide each other."""


def write_drawing(
    drawing: Drawing, path: Path, size: tuple[int, int] | None, metadata: str
) -> Path:
    """Write a drawing, whole or not at all; the same drawing is the same bytes.

    Args:
        drawing: what is drawn.
        path: its ending is in `formats.DRAWINGS`; its folder exists, and an existing file is
            replaced.
        size: width and height into which the drawing fits, [pixels]; in SVG and PDF a pixel is 1/96
            inch. None leaves it at its own size.
        metadata: the record for the file to carry.

    Raises:
        ExportError: the file cannot be written.
    """
    import matplotlib as mpl

    ending = path.suffix.casefold()
    scale = 1.0
    if size is not None:
        width, height = size
        scale = _MM_PER_PIXEL * min(width / drawing.width, height / drawing.height)
    dpi = 96.0 if ending != ".png" or size else DEFAULT_DPI
    # Ids of an SVG from a fixed salt, texts as texts, and no formulas between dollar signs.
    style: Any = {
        "svg.hashsalt": "juggle-anim",
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
        "text.parse_math": False,
    }
    with mpl.rc_context(style), _font_warnings_silenced():
        content = figure_file(to_figure(drawing, scale), ending, metadata, drawing.title, dpi)
    with atomic_file(path) as draft:
        draft.write_bytes(content)
    return path


def to_figure(drawing: Drawing, scale: float = 1.0) -> Figure:
    """Return a drawing as a Matplotlib figure.

    Args:
        drawing: what is drawn, with coordinates from its upper left corner.
        scale: millimetres per unit of the drawing.
    """
    from matplotlib.figure import Figure

    _load_fonts()
    figure = Figure(
        figsize=(scale * drawing.width / _MM_PER_INCH, scale * drawing.height / _MM_PER_INCH)
    )
    # Axes that fill the figure, in units of the drawing, with y downward.
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0.0, drawing.width)
    axes.set_ylim(drawing.height, 0.0)
    for order, mark in enumerate(drawing.marks):
        _DRAWING_FUNCTIONS[type(mark)](axes, mark, scale / _MM_PER_POINT, order)
    return figure


def _load_fonts() -> None:
    """Make the fonts of the program known to Matplotlib."""
    from matplotlib import font_manager

    if not any(font.name == _FONT_FAMILIES[0] for font in font_manager.fontManager.ttflist):
        for name in ("Inter-Medium.ttf", "Inter-SemiBold.ttf"):
            font_manager.fontManager.addfont(resource("assets", f"fonts/{name}"))


@contextmanager
def _font_warnings_silenced() -> Iterator[None]:
    """Silence warnings about characters that a font lacks: the next font of the list has them."""
    # Matplotlib logs some and warns of others.
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)


def _draw_stroke(axes: Axes, mark: Stroke, points: float, order: int) -> None:
    """Draw a line of two points or a cubic Bézier curve of four, with an arrow head if it has one.

    Args:
        axes: to draw on.
        mark: the stroke, [mm].
        points: typographic points per millimetre of the drawing.
        order: of drawing; later marks cover earlier ones.
    """
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path as MplPath

    # The head, and the stroke shortened so that it ends in the head.
    if mark.arrow:
        mark, head = arrow_head(mark)
        axes.add_artist(
            Polygon(head, closed=True, facecolor=mark.colour, linewidth=0, zorder=order)
        )
    is_line = len(mark.points) == 2
    codes = [MplPath.MOVETO] + ([MplPath.LINETO] if is_line else [MplPath.CURVE4] * 3)
    # Round caps would close the gaps of a dashed line.
    style: Any = (
        {"linestyle": (0, (3, 2.5)), "capstyle": "butt"} if mark.dashed else {"capstyle": "round"}
    )
    patch = PathPatch(
        MplPath(mark.points, codes),
        fill=False,
        edgecolor=mark.colour,
        linewidth=mark.width * points,
        **style,
    )
    _add_unclipped(axes, patch, order)


def _draw_areas(axes: Axes, mark: Polygon, points: float, order: int) -> None:
    """Draw areas with their outlines, as one compound path.

    Args:
        axes: to draw on.
        mark: the areas, [mm].
        points: typographic points per millimetre of the drawing.
        order: of drawing; later marks cover earlier ones.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as MplPath

    # Matplotlib ignores the last point of a closed path, so the first is repeated there.
    repeated = 1 if mark.closed else 0
    outlines = [
        MplPath(np.concatenate([outline, outline[:repeated]]), closed=mark.closed)
        for outline in mark.outlines
    ]
    colours: Any = {"facecolor": mark.fill or "none", "edgecolor": mark.outline or "none"}
    line_width = mark.width * points if mark.outline else 0.0
    patch = PathPatch(
        MplPath.make_compound_path(*outlines), linewidth=line_width, joinstyle="round", **colours
    )
    _add_unclipped(axes, patch, order)


def _draw_pill(axes: Axes, mark: Pill, points: float, order: int) -> None:
    """Draw a rectangle whose ends may be round.

    Args:
        axes: to draw on.
        mark: the rectangle, [mm].
        points: typographic points per millimetre of the drawing.
        order: of drawing; later marks cover earlier ones.
    """
    from matplotlib.patches import FancyBboxPatch, Rectangle

    centre_x, centre_y = mark.centre
    corner = centre_x - mark.width / 2, centre_y - mark.height / 2
    line_width = mark.line * points if mark.outline else 0.0
    style: Any = {
        "facecolor": mark.fill,
        "edgecolor": mark.outline or "none",
        "linewidth": line_width,
    }
    # Round ends are half circles on the shorter sides.
    if mark.round_ends:
        box_style = f"round,pad=0,rounding_size={min(mark.width, mark.height) / 2:.6g}"
        patch = FancyBboxPatch(corner, mark.width, mark.height, boxstyle=box_style, **style)
        _add_unclipped(axes, patch, order)
    else:
        _add_unclipped(axes, Rectangle(corner, mark.width, mark.height, **style), order)


def _draw_label(axes: Axes, mark: Label, points: float, order: int) -> None:
    """Draw a text, with the middle of its capitals at the height of its point.

    Args:
        axes: to draw on.
        mark: the text, with its place and size in mm.
        points: typographic points per millimetre of the drawing.
        order: of drawing; later marks cover earlier ones.
    """
    x, y = mark.at
    alignments: Any = {"start": "left", "middle": "center", "end": "right"}
    text = axes.text(
        x,
        y + _HALF_CAPITAL_HEIGHT * mark.size,
        mark.text,
        fontfamily=_FONT_FAMILIES,
        fontsize=mark.size * points,
        fontweight=_BOLD_WEIGHT if mark.bold else _MEDIUM_WEIGHT,
        color=mark.colour,
        ha=alignments[mark.align],
        va="baseline",
        zorder=order,
    )
    # Inter would turn the x in 6x4 into a multiplication sign; older Matplotlib has no font
    # features.
    if hasattr(text, "set_fontfeatures"):
        text.set_fontfeatures(["-calt"])


def _draw_picture(axes: Axes, mark: Picture, _points: float, order: int) -> None:
    """Draw a picture in pixels; arguments as for `_draw_stroke`."""
    left, top = mark.corner
    # `imshow` changes the limits of the axes: they are set again.
    x_limits = axes.get_xlim()
    y_limits = axes.get_ylim()
    extent = left, left + mark.width, top + mark.height, top
    axes.imshow(mark.pixels, extent=extent, interpolation="none", aspect="auto", zorder=order)
    axes.set_xlim(x_limits)
    axes.set_ylim(y_limits)


def _add_unclipped(axes: Axes, artist: Any, order: int) -> None:
    artist.set_zorder(order)
    artist.set_clip_on(False)
    axes.add_artist(artist)


_DRAWING_FUNCTIONS: dict[type[Mark], Callable[[Axes, Any, float, int], None]] = {
    Stroke: _draw_stroke,
    Polygon: _draw_areas,
    Pill: _draw_pill,
    Label: _draw_label,
    Picture: _draw_picture,
}


def check_destination(
    path: Path,
    size: tuple[int, int] | None,
    force: bool,
    endings: tuple[str, ...] = tuple(DRAWINGS),
) -> None:
    """Check that a print can be written to a file, before any work is done.

    Args:
        path: the file.
        size: width and height, [pixels]; None for a diagram's own size.
        force: whether an existing file may be replaced.
        endings: the accepted endings of the file name.

    Raises:
        ParameterError: another ending, a size out of range, or there is no Matplotlib.
        ExportError: the file exists, or cannot be written.
    """
    # The message lists the endings: "a, b or c".
    if path.suffix.casefold() not in endings:
        accepted = (
            endings[0]
            if len(endings) == 1
            else _("{endings} or {endings2}", endings=", ".join(endings[:-1]), endings2=endings[-1])
        )
        raise ParameterError(
            _("{path}: this picture is written as {accepted}", path=path, accepted=accepted)
        )
    if size and not all(SMALLEST <= edge <= LARGEST for edge in size):
        raise ParameterError.of(
            "size",
            f"{size[0]}x{size[1]}",
            _("{smallest} to {largest:,} pixels wide and high", smallest=SMALLEST, largest=LARGEST),
        )
    require_library("matplotlib", "plots", _("Drawings"))
    refuse_existing(path, force)


def check_time(time: float) -> None:
    """Refuse a time that cannot be shown.

    Raises:
        ParameterError: it is below 0 or above `LATEST_TIME`.
    """
    if not 0 <= time <= LATEST_TIME:
        raise ParameterError.of(
            "time", float(time), _("from 0 to {latest_time:,.0f} s", latest_time=LATEST_TIME)
        )


def spread_times(
    animation: Animation, frames: int, start: float, seconds: float | None = None
) -> Floats:
    """Return times evenly spread over a loop, or over some seconds, shape (frames,), [s].

    The first is the start; the end is not included.

    Args:
        animation: whose loop it is.
        frames: number of times, from 1 to `MOST_MOMENTS`.
        start: the first time, [s] of the pattern.
        seconds: duration over which they are spread; None for a loop.

    Raises:
        ParameterError: a number or a time out of range.
    """
    check_time(start)
    if not 1 <= frames <= MOST_MOMENTS:
        raise ParameterError.of(
            "frames",
            frames,
            _("a whole number from 1 to {most_moments}", most_moments=MOST_MOMENTS),
        )
    if seconds is not None and not 0 < seconds <= LATEST_TIME:
        raise ParameterError.of(
            "seconds",
            float(seconds),
            _("above 0 and at most {latest_time:,.0f} s", latest_time=LATEST_TIME),
        )
    duration = animation.duration if seconds is None else seconds
    times: Floats = start + duration * np.arange(float(frames)) / frames
    return times
