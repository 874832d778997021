"""All kinds of prints by name: diagrams, line drawings, contact sheets, strobes and posters.

A strobe is many exposures in one picture, the last one in full strength. A poster is a strobe with
the name of the pattern and its ladder diagram.

Drawings written as SVG, PDF and PNG with Matplotlib; and checks of a print's options.
"""

from __future__ import annotations

import inspect
import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Floats, Singles, Size
from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing
from juggle_anim.body import Joint
from juggle_anim.diagrams import (
    GREY,
    HEADING,
    PRINT_INK,
    Colour,
    DiagramOptions,
    Drawing,
    Label,
    Mark,
    Picture,
    Pill,
    Polygon,
    StateDiagram,
    Stroke,
    arrow_head,
    causal,
    draw_state_diagram,
    figure_lines,
    heading,
    ladder,
    moved_mark,
)
from juggle_anim.errors import ParameterError, counted, printable, require_library
from juggle_anim.exporter import DEFAULT_VIEW, FREE_VIEW, View, compose, encode_png, steady
from juggle_anim.formats import DRAWINGS
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.metadata.documents import figure_file
from juggle_anim.notation import beat_at, beat_text, record_of
from juggle_anim.pattern.state_graph import SYNCHRONOUS, StateGraph
from juggle_anim.render import Offscreen
from juggle_anim.resources import resource
from juggle_anim.scene import (
    BRIGHT_STAGE,
    FREE_BELOW,
    MARGIN,
    OFF,
    Camera,
    Scene,
    aspect_per_eye,
    is_face_covered,
    palette_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


DEFAULT_DPI = 200.0
"""Resolution of a PNG without a given size, [pixels per inch]."""

# Units of length, [mm].
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


def write_drawing(drawing: Drawing, path: Path, size: Size | None, metadata: str) -> Path:
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
    # At 96 dpi a unit of an inch / 96 is a pixel, so that a PNG has the given size.
    dpi = 96.0 if ending != ".png" or size else DEFAULT_DPI
    # Make ids of an SVG from a fixed salt, for the same bytes each time; keep texts as texts; and
    # do not read text between dollar signs as formulas.
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
    """Silence warnings about characters that a font lacks: the next font of the list has them.

    Matplotlib writes some of them to its log, and raises others as warnings of Python.
    """
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
        axes: axes in units of the drawing, with y downward.
        points_per_unit: typographic points per unit of the drawing, for widths and font sizes.
    """

    def __init__(self, axes: Axes, points_per_unit: float) -> None:
        self._axes = axes
        self._points_per_unit = points_per_unit
        self._order = 0  # of drawing: how many marks were drawn before

    def draw(self, mark: Mark) -> None:
        """Draw a mark of a diagram with matplotlib, over all that were drawn before.

        Args:
            mark: a line or curve, areas, a box, a label or a picture, in units of the drawing.
        """
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
        """Draw a line of two points or a cubic Bézier curve of four, with its arrow head if any.

        Args:
            stroke: points and width, in units of the drawing, and colour.
        """
        from matplotlib.patches import PathPatch
        from matplotlib.patches import Polygon as PolygonPatch
        from matplotlib.path import Path as MplPath

        # Draw the head of an arrow, and then the stroke, shortened so that it ends in the head.
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
        # Matplotlib's widths are in points.
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
        """Draw areas with their outlines, as one compound path.

        Args:
            polygon: the corners of each outline, in units of the drawing, and the colours; an
                outline within another one is a hole if it turns the other way.
        """
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
        """Draw a rectangle, perhaps with round ends.

        Args:
            pill: its centre, width, height and width of the outline, in units of the drawing, and
                its colours.
        """
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
        """Draw a text, with the middle of its capitals at the height of its point.

        Args:
            label: its point and size, in units of the drawing, its colour, and which end of the
                text lies at the point.
        """
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
        """Draw a picture of pixels into a rectangle.

        Args:
            picture: its upper left corner, width and height, in units of the drawing, and pixels.
        """
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
    size: Size | None,
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
    """Raise an error for a time that cannot be shown.

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
    """Return times evenly spread over a loop, or over some seconds.

    The first is the start. The end is left out: of a loop it would show the same as the start.

    Args:
        animation: animation whose loop it is.
        frames: number of times, from 1 to `MOST_MOMENTS`.
        start: the first time, [s] of the pattern.
        seconds: duration over which they are spread, [s]; None for a loop.

    Returns:
        Ascending times, shape (frames,), [s].

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


def _usual_moments(animation: Animation) -> int:
    """Return how many moments a contact sheet has by default: about `_SHEET_FRAMES`.

    Each beat has as many, or each that is shown one; events of a file have no beats.
    """
    pattern = animation.pattern
    if pattern is None:
        return _SHEET_FRAMES
    beats = round(animation.duration * animation.choreography.bps)
    if beats <= _SHEET_FRAMES:
        return beats * max(_SHEET_FRAMES // beats, 1)
    # The greatest divisor; a long loop with an awkward number of beats has one for each.
    divisors = [
        count for count in range(_SHEET_FRAMES // 2, 2 * _SHEET_FRAMES) if beats % count == 0
    ]
    return min(divisors, key=lambda count: abs(count - _SHEET_FRAMES), default=_SHEET_FRAMES)


_SHEET_SIZE = (1600, 1131)  # of a contact sheet, [pixels]; its sides are as those of A4 paper
_A4 = (1123, 794)  # paper across, in units of PDF: 297 × 210 mm in [1/96 inch]
_SHEET_FRAMES = 12  # by default, about so many
_LETTER_SIZE_SHARE = 0.017  # of a contact sheet, as a share of its shorter edge
# Of a page, around all, as a share of its shorter edge: 10.5 mm of A4, 10.8 mm of letter paper.
# Printers leave up to 6 mm empty.
_PAGE_MARGIN_SHARE = 0.05

LONGEST_EXPOSURE = 2.0
"""The longest default time of exposure, [s]; a shorter loop is exposed once."""

EXPOSURES = 16
FEWER_EXPOSURES = 5
"""Default numbers of exposures; the latter of clubs and rings, which hide each other."""

_EARLIER_PEOPLE_WEIGHT = 0.16  # of earlier exposures of a strobe
_FIRST_PROPS_WEIGHT = 0.55  # of the props of the first exposure; the last ones have 1


Progress = Callable[[int, int], None]
"""Is told how many pictures are done, and how many there are."""


class PrintOptions(TypedDict, total=False):
    """Options of prints, of which each kind takes those that its function has.

    None stands for the default.

    Args:
        size: width and height, [pixels].
        down, loops: as of `print_ladder`.
        time: as of `print_lines`, [s].
        frames, start, columns, rows: as of `print_sheet`.
        simplified: as of `print_states`.
        seconds: as of `print_strobe`.
        layout, others: as of `print_poster`.
        progress: as of `print_sheet`.
    """

    size: Size | None
    down: bool | None
    loops: int | None
    time: float | None
    frames: int | None
    start: float | None
    columns: int | None
    rows: int | None
    seconds: float | None
    simplified: bool | None
    layout: str | None
    others: Sequence[Animation] | None
    progress: Progress | None


def print_picture(
    kind: str,
    animation: Animation,
    path: Path,
    *,
    view: View | None = None,
    force: bool = False,
    **options: Unpack[PrintOptions],
) -> Path:
    """Write a print of a kind of `PRINTS`.

    Args:
        kind: a key of `PRINTS`.
        animation: the animation.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        view: where the camera stands; None for the default.
        force: whether an existing file may be replaced.
        options: what the function of that kind takes.

    Raises:
        ParameterError: there is no such kind, it does not take one of the options, or an option is
            out of range.
        ExportError: the file exists, or cannot be written.
    """
    if kind not in PRINTS:
        raise ParameterError(
            _(
                "unknown kind of picture {kind!r}; use {prints}",
                kind=printable(kind, 40),
                prints=", ".join(PRINTS),
            )
        )

    # None stands for the default.
    given_options = {
        name: value
        for name, value in {"view": view, "force": force, **options}.items()
        if value is not None
    }
    # Each kind takes the options that are parameters of its function.
    accepted = [
        name
        for name in inspect.signature(PRINTS[kind]).parameters
        if name not in ("animation", "path", "progress")
    ]
    for name in given_options:
        if name not in (*accepted, "progress"):
            # Other patterns are given with the first one, and not as an option.
            names = ", ".join(_public_name(option) for option in accepted if option != "others")
            raise ParameterError(
                _(
                    "a {kind} has no option {public_name}; use {names}",
                    kind=kind,
                    public_name=_public_name(name),
                    names=names,
                )
            )
    return PRINTS[kind](animation, path, **given_options)


def _public_name(option: str) -> str:
    """Return the name of an option as users know it."""
    return "camera" if option == "view" else option


def print_diagram(
    kind: Literal["ladder", "causal"],
    animation: Animation,
    path: Path,
    *,
    down: bool = False,
    loops: int | None = None,
    others: Sequence[Animation] = (),
    size: Size | None = None,
    force: bool = False,
) -> Path:
    """Write a ladder or a causal diagram.

    Args:
        kind: which of them.
        animation: the animation.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        down: whether time runs down the page.
        loops: how many loops are shown; None for as many as make the pattern clear.
        others: more animations, whose diagrams stand below.
        size: width and height into which the diagram fits, [pixels]; None leaves it at its own
            size.
        force: whether an existing file may be replaced.

    Raises:
        ParameterError: another ending, or a size or number out of range.
        ExportError: the file exists, or cannot be written.
    """
    check_destination(path, size, force)
    # Paper is bright, whatever the stage.
    palette = palette_of(animation.parameters.theme, BRIGHT_STAGE)
    options = DiagramOptions(down=down, loops=loops, palette=palette)
    draw = ladder if kind == "ladder" else causal
    diagrams = [draw(shown.score, shown.choreography, options) for shown in (animation, *others)]
    # Below each other, on a sheet as wide as the widest.
    top = 0.0  # of the next one, [mm]
    marks: list[Mark] = []
    for diagram in diagrams:
        marks += [moved_mark(mark, (0.0, top)) for mark in diagram.drawing.marks]
        top += diagram.drawing.height
    width = max(diagram.drawing.width for diagram in diagrams)
    drawing = Drawing(width, top, tuple(marks), diagrams[0].drawing.title)
    # The record says how many loops are shown, also by default.
    picture = {
        "picture": kind,
        "down": down,
        "loops": round(diagrams[0].span / animation.choreography.duration),
    }
    return _write_with_record(drawing, animation, path, size=size, picture=picture)


print_ladder = partial(print_diagram, "ladder")
print_causal = partial(print_diagram, "causal")


def print_lines(
    animation: Animation,
    path: Path,
    *,
    time: float | None = None,
    view: View = FREE_VIEW,
    size: Size = (1280, 960),
    force: bool = False,
) -> Path:
    """Write a line drawing of one moment.

    Args:
        animation: the animation.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        time: time of that moment, [s] of the pattern; None for the best.
        view: where the camera stands.
        size: width and height, [pixels]; in SVG and PDF a pixel is 1/96 inch.
        force: whether an existing file may be replaced.

    Raises:
        ParameterError: another ending, or a size or time out of range.
        ExportError: the file exists, or cannot be written.
    """
    check_time(time or 0.0)
    check_destination(path, size, force)
    width, height = size
    aspect = width / height
    view, time = compose(animation, view, time, aspect, full_length=True)
    scene = animation.scene(time, view.camera(animation, aspect))
    jugglers_shown = len(animation.look.shown_of(animation.num_jugglers))
    drawing = figure_lines(scene, jugglers_shown, aspect, animation.title)
    picture = {"picture": "lines", "time": time, "camera": view.name, "size": list(size)}
    return _write_with_record(drawing, animation, path, size=size, picture=picture)


def print_sheet(
    animation: Animation,
    path: Path,
    *,
    frames: int | None = None,
    start: float = 0.0,
    columns: int | None = None,
    rows: int | None = None,
    view: View = DEFAULT_VIEW,
    size: Size | None = None,
    force: bool = False,
    progress: Progress = lambda _done, _total: None,
) -> Path:
    """Write a contact sheet: moments of one loop in rows, each with its time and throws.

    Args:
        animation: the animation.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        frames: the number of moments; None for as many as fill columns and rows, or else for
            about `_SHEET_FRAMES`, evenly spaced among the beats.
        start: time of the first, [s] of the pattern.
        columns, rows: how pictures are arranged; None for as large as possible.
        view: where the camera stands.
        size: width and height, [pixels]; in SVG and PDF a pixel is 1/96 inch. The sheet is lower
            if its pictures need less height, but for pages of PDF. None for `_SHEET_SIZE`, and for
            a page of A4 in PDF, upright where pictures become larger on it.
        force: whether an existing file may be replaced.
        progress: called before each picture with the number of those done and of all.

    Raises:
        ParameterError: another ending, or a size, time or number out of range.
        ExportError: the file exists, or cannot be written.
        RenderError: OpenGL is not available.
    """
    # All checks come before the work.
    for name, count in (("columns", columns), ("rows", rows)):
        if count is not None and not 1 <= count <= MOST_MOMENTS:
            raise ParameterError.of(
                name,
                count,
                _("a whole number from 1 to {most_moments}", most_moments=MOST_MOMENTS),
            )
    if frames is None:
        frames = columns * rows if columns and rows else _usual_moments(animation)
    if rows and not columns:
        columns = ceil(frames / rows)
    times = spread_times(animation, frames, start)
    check_destination(path, size or _SHEET_SIZE, force)
    is_page = path.suffix.casefold() == ".pdf"
    sheet_size = size or _SHEET_SIZE
    paper = sheet_size
    if is_page and size is None:
        aspect = _content_aspect(animation, view)

        def picture_width(page: tuple[int, int]) -> float:
            """Return how wide pictures are on a page of some width and height, [pixels]."""
            page_width, page_height = page
            _columns, width_over_page_height = _best_columns(
                frames, page_width / page_height, aspect, columns
            )
            return page_height * width_over_page_height

        # Across, or upright.
        sheet_size = max(_SHEET_SIZE, _SHEET_SIZE[::-1], key=picture_width)
        # The sheet is drawn with more pixels than A4 has units of 1/96 inch, so that pictures are
        # sharp, and is then reduced to the paper.
        paper = _A4 if sheet_size == _SHEET_SIZE else _A4[::-1]
    drawing = _contact_sheet(
        animation, times, view, sheet_size, columns, is_page=is_page, progress=progress
    )
    picture = {
        "picture": "sheet",
        "frames": frames,
        "start": start,
        "camera": view.name,
        "size": list(sheet_size),
    }
    return _write_with_record(drawing, animation, path, size=paper, picture=picture)


def print_states(
    animation: Animation,
    path: Path,
    *,
    graph: StateGraph | None = None,
    highlighted: bool = True,
    simplified: bool = False,
    size: Size | None = None,
    force: bool = False,
) -> Path:
    """Write a state graph: that of a pattern, or a larger one in which the pattern is highlighted.

    Args:
        animation: recorded in the file, which opens as it.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        graph: the larger graph; None for the states of the pattern itself.
        highlighted: whether the pattern is highlighted in the larger graph.
        simplified: whether states with a single edge in or out are left out; nothing is highlighted
            then.
        size: width and height into which the drawing fits, [pixels]; None leaves it at its own
            size.
        force: whether an existing file may be replaced.

    Raises:
        ParameterError: another ending, a size out of range, or there are no states, or too many.
        ExportError: the file exists, or cannot be written.
    """
    check_destination(path, size, force)
    pattern = animation.pattern
    if pattern is None:
        raise ParameterError(
            _(
                "{title} has timed events without beats, so it has no states",
                title=printable(animation.title, 40),
            )
        )

    # In a larger graph the pattern is a highlighted walk.
    full_graph = graph or StateGraph.of_pattern(pattern)
    walk = [state for _, state in full_graph.walk(pattern)] if graph and highlighted else []
    if graph and highlighted and not walk:
        throws = _("pairs of throws") if graph.rows == SYNCHRONOUS else _("throws in turn")
        raise ParameterError(
            _(
                "{text} does not go through this graph: it needs a pattern of {props} with "
                "{throws} up to {highest}",
                text=printable(pattern.text, 40),
                props=counted(graph.props, "prop"),
                throws=throws,
                highest=graph.highest,
            )
        )

    # The shown states, and the heading with their number.
    shown = full_graph.simplified() if simplified else full_graph
    title = (
        _("State graph: {graph_title}", graph_title=_graph_title(graph))
        if graph
        else _("States of {title}", title=printable(animation.title, 70))
    )
    subtitle = f"{counted(len(shown.states), 'state')}, {counted(len(shown.edges), 'edge')}"
    if simplified:
        subtitle += _(
            ", without the {count} that have a single way in or out",
            count=len(full_graph.states) - len(shown.states),
        )

    drawing = draw_state_diagram(
        StateDiagram.lay_out(shown), title, subtitle, [] if simplified else walk
    )
    picture = {"picture": "states", "simplified": simplified, "states": len(full_graph.states)}
    return _write_with_record(drawing, animation, path, size=size, picture=picture)


def _graph_title(graph: StateGraph) -> str:
    props = counted(graph.props, "prop")
    if graph.rows == SYNCHRONOUS:
        return _("{props}, pairs of throws up to {highest}x", props=props, highest=graph.highest)
    return _("{props}, throws up to {highest}", props=props, highest=graph.highest)


def print_strobe(
    animation: Animation,
    path: Path,
    *,
    frames: int | None = None,
    start: float = 0.0,
    seconds: float | None = None,
    view: View = FREE_VIEW,
    size: Size = (1280, 960),
    force: bool = False,
) -> Path:
    """Write a picture of many exposures.

    Args:
        animation: the animation.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        frames: the number of exposures; None for `EXPOSURES`, or fewer of clubs and rings, which
            hide each other.
        start: time of the first, [s] of the pattern.
        seconds: the time over which they are spread, [s] of the pattern; None for a loop,
            `LONGEST_EXPOSURE` at most.
        view: where the camera stands.
        size: width and height, [pixels]; in SVG and PDF a pixel is 1/96 inch.
        force: whether an existing file may be replaced.

    Raises:
        ParameterError: another ending, or a size, time or number out of range.
        ExportError: the file exists, or cannot be written.
        RenderError: OpenGL is not available.
    """
    if frames is None:
        frames = _usual_exposures(animation)
    duration = min(LONGEST_EXPOSURE, animation.duration) if seconds is None else seconds

    # All checks come before the work.
    times = spread_times(animation, frames, start, duration)
    check_destination(path, size, force)
    pixels = expose(animation, times, view, size)

    # The file carries the options that were used, also by default.
    picture = {
        "picture": "strobe",
        "frames": frames,
        "start": start,
        "seconds": duration,
        "camera": view.name,
        "size": list(size),
    }
    if path.suffix.casefold() != ".png":
        drawing = Drawing(*size, (Picture((0.0, 0.0), *size, pixels),), animation.title)
        return _write_with_record(drawing, animation, path, size=size, picture=picture)
    # Pixels as they are: a drawing would resample them.
    metadata = record_of(animation.score, animation.parameters, picture).text
    prepare_folder(path)
    with atomic_file(path) as draft:
        draft.write_bytes(encode_png(pixels, metadata))
    return path


@dataclass(frozen=True)
class PosterLayout:
    """Where a poster has its parts, each at left, top, width and height, [mm].

    Args:
        paper: width and height, [mm].
        picture: the strobe.
        words: name and siteswap, one below the other.
        ladder: the box in which the ladder diagram is as large as fits.
        down: whether time runs down in it.
    """

    paper: tuple[float, float]
    picture: tuple[float, float, float, float]
    words: tuple[float, float, float, float]
    ladder: tuple[float, float, float, float]
    down: bool = False


POSTERS = {
    "portrait": PosterLayout(
        paper=(210.0, 297.0),
        picture=(0.0, 0.0, 210.0, 200.0),
        words=(15.0, 209.0, 180.0, 26.0),
        ladder=(15.0, 240.0, 180.0, 47.0),
    ),
    "landscape": PosterLayout(
        paper=(297.0, 210.0),
        picture=(0.0, 0.0, 187.0, 210.0),
        words=(199.0, 18.0, 86.0, 26.0),
        ladder=(199.0, 62.0, 86.0, 136.0),
        down=True,
    ),
    "square": PosterLayout(
        paper=(210.0, 210.0),
        picture=(0.0, 0.0, 210.0, 148.0),
        words=(12.0, 155.0, 80.0, 26.0),
        ladder=(96.0, 153.0, 104.0, 50.0),
    ),
}
"""Layouts of posters by name; the first two are A4 sheets."""

_POSTER_DPI = 300.0  # of the strobe [pixels per inch]: finer is not seen at arm's length
_CELL_ASPECT = 0.8  # width over height of a pattern on a poster of several, with its words
_CELL_MARGIN = 0.06  # around a pattern on a poster of several, as a share of its width
_NAME_SHARE = 0.075  # of letters of a name there, as a share of the shorter edge of its place
_LETTER_WIDTH = 0.62  # of a bold letter, as a share of its size, on average
_PART_BREAK = "  ·  "  # between the parts of a subtitle
_MM_PER_INCH = 25.4


def print_poster(
    animation: Animation,
    path: Path,
    *,
    layout: str = "portrait",
    frames: int | None = None,
    view: View = FREE_VIEW,
    size: Size | None = None,
    others: Sequence[Animation] = (),
    force: bool = False,
) -> Path:
    """Write a poster: a strobe of a loop, the name of the pattern, its siteswap and its ladder.

    A poster of several patterns has a strobe of each, with name and siteswap below it.

    Args:
        animation: the animation, which the file opens as.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        layout: a key of `POSTERS`.
        frames: the number of exposures; None for as many as are usual for the kind of props.
        view: where the camera stands.
        size: width and height into which the poster fits, [pixels]; None for the size of its paper.
        others: further patterns; at most `MOST_MOMENTS` with the first.
        force: whether an existing file may be replaced.

    Raises:
        ParameterError: there is no such layout, another ending, a size or number out of range, or
            the loop is too long for a ladder.
        ExportError: the file exists, or cannot be written.
        RenderError: OpenGL is not available.
    """
    if layout not in POSTERS:
        raise ParameterError.of("layout", printable(layout, 40), ", ".join(POSTERS))
    patterns = (animation, *others)
    if len(patterns) > MOST_MOMENTS:
        raise ParameterError.of("the number of patterns", len(patterns), f"1–{MOST_MOMENTS}")
    times = [
        spread_times(
            pattern,
            _usual_exposures(pattern) if frames is None else frames,
            0.0,
            min(LONGEST_EXPOSURE, pattern.duration),
        )
        for pattern in patterns
    ]
    check_destination(path, size, force)
    # How finely the strobes are drawn. In SVG and PDF a pixel of `size` is 1/96 inch of paper, on
    # which `_POSTER_DPI` / 96 pixels of a strobe lie side by side.
    poster = POSTERS[layout]
    density = _POSTER_DPI / _MM_PER_INCH  # pixels per mm of paper
    if size is not None:
        density = min(edge / length for edge, length in zip(size, poster.paper, strict=True))
        if path.suffix.casefold() != ".png":
            density *= _POSTER_DPI / 96
    if others:
        # All from the same side, so that they can be compared, unless another view is chosen.
        view = DEFAULT_VIEW if view == FREE_VIEW else view
        drawing = _poster_of_several(patterns, poster.paper, times, view, density)
    else:
        drawing = _poster(animation, poster, times[0], view, density)
    picture = {
        "picture": "poster",
        "layout": layout,
        "frames": len(times[0]),
        "camera": view.name,
        "patterns": [pattern.settings for pattern in patterns],
    }
    return _write_with_record(drawing, animation, path, size=size, picture=picture)


def _usual_exposures(animation: Animation) -> int:
    """Return the default number of exposures of a strobe."""
    return FEWER_EXPOSURES if animation.motion.shapes.has_oriented else EXPOSURES


def _poster(
    animation: Animation, layout: PosterLayout, times: Floats, view: View, density: float
) -> Drawing:
    """Return a poster: a strobe picture, the name, the facts and the ladder of a pattern.

    A strobe picture shows the props at several times (exposures) in one picture. A ladder is the
    diagram of throws over time.

    Args:
        animation: the animation.
        layout: the paper, and the rectangles of the parts on it: left, top, width, height, [mm].
        times: times of the exposures, [s].
        view: where the camera stands.
        density: density of the strobe, [pixels per mm].
    """
    palette = palette_of(animation.parameters.theme, BRIGHT_STAGE)
    options = DiagramOptions(down=layout.down, palette=palette)
    diagram = ladder(animation.score, animation.choreography, options).drawing
    title, subtitle = heading(animation.score, animation.choreography)

    # Add the ladder without its own heading, as large as fits: its two labels are left out, and its
    # upper edge moves up by the height of the heading.
    left, top, width, height = layout.ladder
    scale = min(width / diagram.width, height / (diagram.height - HEADING))
    corner = left, top - scale * HEADING
    ladder_marks = (
        moved_mark(mark, corner, scale)
        for mark in diagram.marks
        if not (isinstance(mark, Label) and mark.text in (title, subtitle))
    )

    # Write the name as large as fits, and below it the facts, as many in a line as fit.
    left, top, width, height = layout.words
    # Heights of letters, [mm].
    name_letters = min(0.5 * height, width / (_LETTER_WIDTH * len(title)))
    fact_letters = min(0.16 * height, 0.5 * name_letters)
    name_at = left, top + 0.5 * name_letters
    words = [Label(name_at, title, name_letters, PRINT_INK, align="start", bold=True)]
    lines: list[str] = []
    for fact in subtitle.split(_PART_BREAK):
        longer = _PART_BREAK.join([*lines[-1:], fact])
        if lines and _LETTER_WIDTH * fact_letters * len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(fact)
    for row, line in enumerate(lines):
        line_at = left, top + 1.3 * name_letters + (0.9 + 1.5 * row) * fact_letters
        words.append(Label(line_at, line, fact_letters, GREY, "start"))

    left, top, width, height = layout.picture
    pixels = max(1, round(density * width)), max(1, round(density * height))
    strobe = Picture((left, top), width, height, expose(animation, times, view, pixels))
    return Drawing(*layout.paper, (strobe, *words, *ladder_marks), title)


def _poster_of_several(
    patterns: Sequence[Animation],
    paper: tuple[float, float],
    times: Sequence[Floats],
    view: View,
    density: float,
) -> Drawing:
    """Return a poster with a strobe picture of each pattern, and its name and siteswap below.

    A strobe picture shows the props at several times (exposures) in one picture. Patterns are in a
    grid of equal cells, row by row.

    Args:
        patterns: at least two.
        paper: width and height, [mm].
        times: times of the exposures of each pattern, [s].
        view: where the camera stands.
        density: density of the strobes, [pixels per mm].
    """
    width, height = paper
    # `column_width` is in units of the height of the paper.
    columns, column_width = _best_columns(len(patterns), width / height, _CELL_ASPECT)
    rows = ceil(len(patterns) / columns)

    # Cells are as large as fits, with the same margin around all of them and between two.
    margin = _CELL_MARGIN * column_width * height
    cell_width = (width - margin) / columns - margin
    cell_height = (height - margin) / rows - margin
    name_size = _NAME_SHARE * min(cell_width, cell_height)
    picture_height = cell_height - 3.2 * name_size  # two lines of words are below
    pixels = max(1, round(density * cell_width)), max(1, round(density * picture_height))

    marks: list[Mark] = []
    for index, (pattern, exposures) in enumerate(zip(patterns, times, strict=True)):
        row, column = divmod(index, columns)
        left = margin + column * (cell_width + margin)
        top = margin + row * (cell_height + margin)
        strobe = expose(pattern, exposures, view, pixels)
        marks.append(Picture((left, top), cell_width, picture_height, strobe))

        # The name, smaller where it would be wider than the picture, and as many facts as fit.
        name, facts = heading(pattern.score, pattern.choreography)
        name_letter = min(name_size, cell_width / (_LETTER_WIDTH * len(name)))
        name_at = left, top + picture_height + name_size
        marks.append(Label(name_at, name, name_letter, PRINT_INK, align="start", bold=True))
        fact_letter = 0.6 * name_size
        while _LETTER_WIDTH * fact_letter * len(facts) > cell_width and _PART_BREAK in facts:
            facts = facts.rpartition(_PART_BREAK)[0]
        facts_at = left, top + picture_height + 2.2 * name_size
        marks.append(Label(facts_at, facts, fact_letter, GREY, align="start"))
    return Drawing(width, height, tuple(marks), patterns[0].title)


def print_variations(
    versions: Sequence[Animation],
    path: Path,
    *,
    view: View = DEFAULT_VIEW,
    size: Size = (1200, 1600),
    force: bool = False,
) -> Path:
    """Write a sheet of variations, three in a row, with paths of props and with differences.

    Args:
        versions: the versions as `juggle_anim.variations` gives them, the original in the middle;
            all are framed alike.
        path: a file that ends in `.svg`, `.pdf` or `.png`; its folders are made.
        view: where the camera stands.
        size: width and height, [pixels]; in SVG and PDF a pixel is 1/96 inch.
        force: whether an existing file may be replaced.

    Raises:
        ParameterError: another ending, or a size out of range.
        ExportError: the file exists, or cannot be written.
        RenderError: OpenGL is not available.
    """
    from juggle_anim.variants import MIDDLE, difference

    check_destination(path, size, force)
    original = versions[MIDDLE]

    def scenes(aspect: float) -> Iterable[Scene]:
        """Yield a moment of each version, as the farthest of their cameras sees it."""
        cameras = [_whole_camera(version, view, aspect) for version in versions]
        farthest = max(
            cameras, key=lambda camera: np.linalg.norm(np.subtract(camera.eye, camera.target))
        )
        for version in versions:
            # Paths of props are always drawn: where the settings of a version turn them off, those
            # of its throws.
            if version.parameters.paths == "none":
                version = version.replace(paths="throws")
            yield version.scene(version.duration / 4, farthest)

    captions = [
        f"{number}   {difference(version, original)}" for number, version in enumerate(versions, 1)
    ]
    drawing = _picture_grid(
        original, captions, scenes, size=size, content_aspect=_content_aspect(original, view)
    )
    picture = {"picture": "variations", "camera": view.name, "size": list(size)}
    return _write_with_record(drawing, original, path, size=size, picture=picture)


PRINTS: dict[str, Callable[..., Path]] = {
    "ladder": print_ladder,
    "causal": print_causal,
    "lines": print_lines,
    "sheet": print_sheet,
    "strobe": print_strobe,
    "poster": print_poster,
    "states": print_states,
}
"""The function of each kind of print."""


def _write_with_record(
    drawing: Drawing,
    animation: Animation,
    path: Path,
    *,
    size: Size | None,
    picture: Mapping[str, Any],
) -> Path:
    """Write a drawing with a record of the animation and the options of the picture.

    Args:
        drawing: what is drawn.
        animation: animation that the file opens as.
        path: the file to write; its folders are made.
        size: width and height into which the drawing fits, [pixels]; None for its own size.
        picture: the kind and the options of the picture, as JSON values for the record, with which
            it can be made again.

    Returns:
        The path.
    """
    prepare_folder(path)
    record = record_of(animation.score, animation.parameters, picture)
    return write_drawing(drawing, path, size, record.text)


def _contact_sheet(
    animation: Animation,
    times: Floats,
    view: View,
    size: Size,
    columns: int | None = None,
    *,
    is_page: bool,
    progress: Progress,
) -> Drawing:
    """Return a contact sheet: pictures of some moments, with their times below them.

    Args:
        animation: what is shown.
        times: times of the moments, [s].
        view: view of the camera.
        size: size of the sheet, width and height, [pixels].
        columns: as for `_picture_grid`.
        is_page: whether the sheet is a page, whose height stays where pictures need less.
        progress: as of `print_sheet`.
    """

    def scenes(aspect: float) -> Iterable[Scene]:
        """Return the scenes, for pictures of some width over height."""
        camera = _whole_camera(animation, view, aspect)
        for index, scene in enumerate(animation.scenes(times, camera)):
            progress(index, len(times))
            yield scene

    captions = [f"{time:.2f} s" for time in times]
    if animation.pattern:
        # With what is thrown on the beat of each moment, and by which hand if that is one.
        throws = beat_text(animation.pattern)
        for index, time in enumerate(times):
            beat = beat_at(animation.pattern, time, animation.choreography.bps)
            hands = {throw.hand for throw in animation.pattern.throws if throw.beat == beat}
            letter = "LR"[hands.pop()] if len(hands) == animation.num_jugglers == 1 else ""
            captions[index] += "".join(
                f"   {letter} {throws.text[start:end]}" for start, end in throws.spans[beat]
            )
    drawing = _picture_grid(
        animation,
        captions,
        scenes,
        size=size,
        content_aspect=_content_aspect(animation, view),
        columns=columns,
        border=round(_PAGE_MARGIN_SHARE * min(size)) if is_page else 0,
    )
    return replace(drawing, height=size[1]) if is_page else drawing


def _picture_grid(
    animation: Animation,
    captions: Sequence[str],
    scenes: Callable[[float], Iterable[Scene]],
    *,
    size: Size,
    content_aspect: float,
    columns: int | None = None,
    border: int = 0,
) -> Drawing:
    """Draw scenes in rows, with captions below them.

    The unit of the drawing is a pixel, so that pictures keep their pixels.

    Args:
        animation: animation whose heading the sheet has.
        captions: captions of the scenes.
        scenes: a function from width over height of a picture to the scenes.
        size: size of the sheet, [pixels]; it is lower if pictures need less.
        content_aspect: width over height of what pictures show.
        columns: how many pictures are in a row; None for as large pictures as possible.
        border: what stays empty around all, at least the gap between pictures, [pixels].
    """
    # The heading takes the top; each picture has a caption below, and gaps around. All of these are
    # measured by the size of letters; numbers below are in units of it.
    width, height = size
    letter_size = max(6.0, _LETTER_SIZE_SHARE * min(width, height))
    gap = round(letter_size * 0.7)
    # Gaps around the pictures are a part of the border.
    border = max(0, border - gap)
    width -= 2 * border
    height -= 2 * border
    top = round(4.6 * letter_size)
    caption_height = round(1.7 * letter_size)

    # Columns, rows and the size of pictures, at least a pixel on a tiny sheet.
    aspect_below_heading = (width - gap) / max(1, height - top)
    columns, _width = _best_columns(len(captions), aspect_below_heading, content_aspect, columns)
    rows = ceil(len(captions) / columns)
    picture_width = max(1, (width - gap) // columns - gap)
    # Not higher than what they show: above the highest throw there would be empty air.
    picture_height = max(
        1,
        min((height - top) // rows - gap - caption_height, round(picture_width / content_aspect)),
    )

    title, subtitle = heading(animation.score, animation.choreography)
    marks: list[Mark] = [
        Label(
            at=(border + gap, border + 1.6 * letter_size),
            text=title,
            size=1.6 * letter_size,
            colour=PRINT_INK,
            align="start",
            bold=True,
        ),
        Label(
            (border + gap, border + 3.5 * letter_size), subtitle, letter_size, GREY, align="start"
        ),
    ]

    # Pictures row by row.
    aspect = aspect_per_eye(animation.parameters.stereo, picture_width / picture_height)
    with Offscreen(picture_width, picture_height) as offscreen:
        for index, (caption, scene) in enumerate(zip(captions, scenes(aspect), strict=True)):
            row, column = divmod(index, columns)
            x = border + gap + column * (picture_width + gap)
            y = border + top + row * (picture_height + gap + caption_height)
            marks.append(Picture((x, y), picture_width, picture_height, offscreen.image(scene)))
            below = x, y + picture_height + 0.8 * letter_size
            marks.append(Label(below, caption, 0.85 * letter_size, PRINT_INK, align="start"))
    used_height = min(top + rows * (picture_height + gap + caption_height), height)
    return Drawing(width + 2 * border, used_height + 2 * border, tuple(marks), title)


def _whole_camera(animation: Animation, view: View, aspect: float) -> Camera:
    """Return the camera of a print, which shows flights up to the highest.

    A window or film may leave out props that fly high, since they come down again and marks tell
    when. On paper they would be missing.

    Args:
        animation: what is shown.
        view: view of the camera.
        aspect: width over height of the picture.
    """
    return view.camera(animation.replace(framing="whole"), aspect)


def _content_aspect(animation: Animation, view: View) -> float:
    """Return width over height of a picture that is as large as what it must show.

    That is seen by its camera from afar, and has the margins of framing around it.
    """
    # Points with balls of this radius around them, turned to the camera's axes, across and up.
    points, radius = animation.replace(framing="whole").extent
    axes = view.camera(animation, 1.0).view()[:2, :3]
    across, up = np.ptp(points @ axes.T, axis=0) + 2 * radius
    return float(across / (1 - 2 * MARGIN) / (up / (1 - MARGIN - FREE_BELOW)))


def _best_columns(
    count: int, sheet_aspect: float, picture_aspect: float, columns: int | None = None
) -> tuple[int, float]:
    """Return the number of columns with which pictures on a sheet are largest.

    Of equally good numbers, the least is returned.

    Args:
        count: number of pictures.
        sheet_aspect: width over height of the sheet.
        picture_aspect: width over height of a picture.
        columns: the number of columns, if it is given.

    Returns:
        The number of columns, and the width of a picture over the height of the sheet.
    """

    def picture_width(columns: int) -> float:
        """Return the greatest width of a picture in so many columns, on a sheet of height 1."""
        rows = ceil(count / columns)
        return min(sheet_aspect / columns, picture_aspect / rows)

    columns = columns or max(range(1, count + 1), key=picture_width)
    return columns, picture_width(columns)


def expose(animation: Animation, times: Floats, view: View, size: Size) -> Bytes:
    """Return a picture of several exposures blended together, shape (height, width, 3).

    The last exposure is drawn in full, with its shadows. Of earlier exposures the props are strong,
    also in front of the people of the last one but never in front of a face, and the people faint.

    Args:
        animation: the animation.
        times: times of the exposures, ascending, shape (N,), [s].
        view: where the camera stands.
        size: width and height, [pixels].
    """
    width, height = size
    view = steady(animation, view, times, width / height)
    camera = _whole_camera(animation, view, width / height)
    scenes = list(_for_one_eye(_with_arcs(animation)).scenes(times, camera))
    last_scene = _with_empty_arrays(scenes[-1], "arcs")
    # Arcs of all exposures are drawn together, behind them.
    arcs = np.concatenate([scene.arcs for scene in scenes])

    # Axes and bubbles are left out, as those of many exposures would hide the props. The stage is
    # drawn with the shadows of the last exposure.
    *earlier, stage = [_with_empty_arrays(scene, "axes", "bubbles") for scene in scenes]
    with Offscreen(*size) as offscreen:
        picture = offscreen.image(replace(stage, arcs=arcs)).astype(np.float32)

    # The weights of props in the picture grow evenly from exposure to exposure, toward the weight 1
    # of the last one.
    exposure_numbers = np.arange(len(earlier)) + 1
    weights = _FIRST_PROPS_WEIGHT + (1 - _FIRST_PROPS_WEIGHT) * exposure_numbers / len(scenes)

    # Blend the earlier exposures, from pale to strong; then the last one; then the props of earlier
    # ones in front of its people, except for exposures whose props would cover a face.
    faces = animation.pose(times[-1:]).joints[0, :, Joint.FACE]
    radius = animation.motion.prop_radius
    leaves_faces_free = [
        not is_face_covered(camera, faces, props, radius)
        for props in animation.sample(times[:-1]).props
    ]
    with Offscreen(*size, transparent=True, shadows=False) as offscreen:
        for scene, weight in zip(earlier, weights, strict=True):
            people = offscreen.image(_without_props(scene))
            props = offscreen.image(_without_people(scene))
            _blend(picture, people, weight=_EARLIER_PEOPLE_WEIGHT)
            _blend(picture, props, weight=weight)
        last_exposure = offscreen.image(last_scene)
        _blend(picture, last_exposure, weight=1.0)
        for scene, weight, is_free in zip(earlier, weights, leaves_faces_free, strict=True):
            if not is_free:
                continue
            with_earlier_props = offscreen.image(_with_props_of(last_scene, scene))
            _blend_in_front(picture, last_exposure, with_earlier_props, weight=weight)
    return np.rint(picture).astype(np.uint8)


def _with_arcs(animation: Animation) -> Animation:
    """Return the animation with arcs behind its props, unless it shows other paths."""
    return animation.replace(paths="arcs") if animation.parameters.paths == "none" else animation


def _for_one_eye(animation: Animation) -> Animation:
    """Return the animation without stereo: laid over each other, pictures of two eyes would mix."""
    return animation.replace(stereo=OFF) if animation.parameters.stereo != OFF else animation


def _with_empty_arrays(scene: Scene, *names: str, **changes: Any) -> Scene:
    """Return a scene in which some arrays are empty, and some others changed."""
    return replace(scene, **{name: getattr(scene, name)[:0] for name in names}, **changes)


def _blend(picture: Singles, layer: Bytes, *, weight: float) -> None:
    """Blend a premultiplied layer over a picture in place, with a weight from 0 to 1.

    Args:
        picture: shape (height, width, 3), values 0 to 255.
        layer: shape (height, width, 4), the last channel its coverage.
        weight: weight of the layer.
    """
    alpha = layer[..., 3:].astype(np.float32) * np.float32(weight / 255)
    picture *= 1 - alpha
    picture += layer[..., :3] * np.float32(weight)


def _blend_in_front(picture: Singles, last_exposure: Bytes, layer: Bytes, *, weight: float) -> None:
    """Blend over a picture the part of a layer that is in front of the last exposure.

    Args:
        picture: shape (height, width, 3), 0 to 255, changed in place.
        last_exposure: colours premultiplied by alpha, and alpha, shape (height, width, 4).
        layer: the last exposure with the props of an earlier one; form as of `last_exposure`.
        weight: weight of the layer, from 0 to 1.
    """
    # Where the added props change what is drawn, they are in front.
    is_in_front = (layer != last_exposure).any(axis=2) & (last_exposure[..., 3] > 0)
    # Weighted by how much of each pixel the last exposure covers: behind the rest of a pixel at its
    # edge the earlier props are drawn already.
    alpha = last_exposure[is_in_front, 3:] * np.float32(weight / 255)
    picture[is_in_front] = picture[is_in_front] * (1 - alpha) + layer[is_in_front, :3] * alpha


def _with_props_of(scene: Scene, other: Scene) -> Scene:
    """Add the props of another scene to a scene."""
    names = ("spheres", "capsules", "rings", "boxes")
    other_props = _without_people(other)
    # Clubs of the other scene are added behind this one's: all come after people's limbs.
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(scene, name), getattr(other_props, name)]) for name in names
    }
    return replace(scene, **joined, club_parts=scene.club_parts + other_props.club_parts)


def _without_props(scene: Scene) -> Scene:
    """Return a copy of a scene that shows people and the stage, without props and their traces.

    Args:
        scene: stays as it is.
    """
    # Capsules of clubs come after those of people.
    limbs = scene.capsules[: len(scene.capsules) - scene.club_parts]
    return _with_empty_arrays(
        scene,
        "spheres",
        "rings",
        "boxes",
        "traces",
        "arcs",
        capsules=limbs,
        club_parts=0,
    )


def _without_people(scene: Scene) -> Scene:
    """Return a copy of a scene that shows props alone, without people and traces.

    Args:
        scene: stays as it is.
    """
    # Capsules of clubs come after those of people.
    clubs = scene.capsules[len(scene.capsules) - scene.club_parts :]
    return _with_empty_arrays(
        scene,
        "ghosts",
        "see_through",
        "traces",
        "arcs",
        "low_detail",
        "bodies",
        "paint",
        "gaze",
        "lids",
        "girths",
        "worn",
        capsules=clubs,
        limb_count=0,
    )
