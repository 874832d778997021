"""Drawings written as SVG, PDF and PNG with Matplotlib; and checks of a print's options."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.atomic_file import atomic_file, refuse_existing
from juggle_anim.diagrams import Drawing, Label, Mark, Picture, Pill, Polygon, Stroke
from juggle_anim.diagrams.drawing import Colour, arrow_head
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
_HALF_CAPITAL_HEIGHT = 0.364  # of capitals in Inter, as a share of the letters' size

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
        content = figure_file(
            to_figure(drawing, scale), ending, metadata, title=drawing.title, dpi=dpi
        )
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
    canvas = _Canvas(axes, points_per_unit=scale / _MM_PER_POINT)
    for mark in drawing.marks:
        canvas.draw(mark)
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


class _Canvas:
    """Draws marks on axes, each over those before it.

    Args:
        axes: in units of the drawing, with y downward.
        points_per_unit: typographic points per unit of the drawing, for widths and font sizes.
    """

    def __init__(self, axes: Axes, points_per_unit: float) -> None:
        self._axes = axes
        self._points_per_unit = points_per_unit
        self._order = 0  # of drawing: how many marks were drawn before

    def draw(self, mark: Mark) -> None:
        """Draw a mark over all that were drawn before."""
        match mark:
            case Stroke():
                self._draw_stroke(mark)
            case Polygon():
                self._draw_areas(mark)
            case Pill():
                self._draw_pill(mark)
            case Label():
                self._draw_label(mark)
            case Picture():
                self._draw_picture(mark)
        self._order += 1

    def _draw_stroke(self, stroke: Stroke) -> None:
        """Draw a line of two points or a cubic Bézier curve of four, with its arrow head if any."""
        from matplotlib.patches import PathPatch
        from matplotlib.patches import Polygon as PolygonPatch
        from matplotlib.path import Path as MplPath

        # The head, and the stroke shortened so that it ends in the head.
        if stroke.arrow:
            stroke, head = arrow_head(stroke)
            self._axes.add_artist(
                PolygonPatch(
                    head, closed=True, facecolor=stroke.colour, linewidth=0, zorder=self._order
                )
            )
        is_line = len(stroke.points) == 2
        codes = [MplPath.MOVETO] + ([MplPath.LINETO] if is_line else [MplPath.CURVE4] * 3)
        # Round caps would close the gaps of a dashed line.
        style: Any = (
            {"linestyle": (0, (3, 2.5)), "capstyle": "butt"}
            if stroke.dashed
            else {"capstyle": "round"}
        )
        self._add_unclipped(
            PathPatch(
                MplPath(stroke.points, codes),
                fill=False,
                edgecolor=stroke.colour,
                linewidth=stroke.width * self._points_per_unit,
                **style,
            )
        )

    def _draw_areas(self, polygon: Polygon) -> None:
        """Draw areas with their outlines, as one compound path."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as MplPath

        # Matplotlib ignores the last point of a closed path, so the first is repeated there.
        repeated = 1 if polygon.closed else 0
        outlines = [
            MplPath(np.concatenate([outline, outline[:repeated]]), closed=polygon.closed)
            for outline in polygon.outlines
        ]
        style = self._area_style(polygon.fill, polygon.outline, polygon.width)
        path = MplPath.make_compound_path(*outlines)
        self._add_unclipped(PathPatch(path, joinstyle="round", **style))

    def _draw_pill(self, pill: Pill) -> None:
        """Draw a rectangle whose ends may be round."""
        from matplotlib.patches import FancyBboxPatch, Rectangle

        x, y = pill.centre
        corner = x - pill.width / 2, y - pill.height / 2
        style = self._area_style(pill.fill, pill.outline, pill.line)
        # Round ends are half circles on the shorter sides.
        if pill.round_ends:
            box_style = f"round,pad=0,rounding_size={min(pill.width, pill.height) / 2:.6g}"
            self._add_unclipped(
                FancyBboxPatch(corner, pill.width, pill.height, boxstyle=box_style, **style)
            )
        else:
            self._add_unclipped(Rectangle(corner, pill.width, pill.height, **style))

    def _area_style(self, fill: Colour | None, outline: Colour | None, width: float) -> Any:
        """Colours and line width of an area, as Matplotlib's patches take them."""
        return {
            "facecolor": fill or "none",
            "edgecolor": outline or "none",
            "linewidth": width * self._points_per_unit if outline else 0.0,
        }

    def _draw_label(self, label: Label) -> None:
        """Draw a text, with the middle of its capitals at the height of its point."""
        x, y = label.at
        alignments: Any = {"start": "left", "middle": "center", "end": "right"}
        text = self._axes.text(
            x,
            y + _HALF_CAPITAL_HEIGHT * label.size,
            label.text,
            fontfamily=_FONT_FAMILIES,
            fontsize=label.size * self._points_per_unit,
            fontweight=_BOLD_WEIGHT if label.bold else _MEDIUM_WEIGHT,
            color=label.colour,
            ha=alignments[label.align],
            va="baseline",
            zorder=self._order,
        )
        # Inter would turn the x in 6x4 into a multiplication sign; older Matplotlib has no font
        # features.
        if hasattr(text, "set_fontfeatures"):
            text.set_fontfeatures(["-calt"])

    def _draw_picture(self, picture: Picture) -> None:
        """Draw a picture in pixels."""
        left, top = picture.corner
        # `imshow` changes the limits of the axes: they are set again.
        x_limits = self._axes.get_xlim()
        y_limits = self._axes.get_ylim()
        self._axes.imshow(
            picture.pixels,
            extent=(left, left + picture.width, top + picture.height, top),
            interpolation="none",
            aspect="auto",
            zorder=self._order,
        )
        self._axes.set_xlim(x_limits)
        self._axes.set_ylim(y_limits)

    def _add_unclipped(self, artist: Any) -> None:
        artist.set_zorder(self._order)
        artist.set_clip_on(False)
        self._axes.add_artist(artist)


def check_destination(
    path: Path,
    size: tuple[int, int] | None,
    force: bool,
) -> None:
    """Check that a print can be written to a file, before any work is done.

    Args:
        path: the file.
        size: width and height, [pixels]; None for a diagram's own size.
        force: whether an existing file may be replaced.

    Raises:
        ParameterError: another ending, a size out of range, or there is no Matplotlib.
        ExportError: the file exists, or cannot be written.
    """
    # The message lists the endings: "a, b or c".
    endings = tuple(DRAWINGS)
    if path.suffix.casefold() not in endings:
        accepted = _(
            "{endings} or {endings2}", endings=", ".join(endings[:-1]), endings2=endings[-1]
        )
        raise ParameterError(
            _("{path}: this picture can be saved as {accepted}", path=path, accepted=accepted)
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
