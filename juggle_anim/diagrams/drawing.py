"""Drawings: marks on a sheet in the order in which they cover each other, nodes and colours; and
diagrams over time.

Drawings as SVG, for pages: its viewer has the fonts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Literal

import numpy as np

from juggle_anim.arrays import Bytes, Floats
from juggle_anim.choreography import Choreography, Score
from juggle_anim.errors import counted, printable
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import STANDARD, Palette, drawn_colours, prop_colours

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1, sRGB."""

Point = tuple[float, float]
"""Right and down from the upper left corner, [mm]."""

# Of an arrow head: length and width as multiples of its size; the size [mm] of a thin stroke, and
# how much it grows by the stroke's width.
_HEAD_LENGTH = 2.3
_HEAD_WIDTH = 1.7
_LEAST_HEAD_SIZE = 0.55
_HEAD_SIZE_PER_WIDTH = 0.7
_STROKE_END = 0.6  # how far behind the tip of its head a stroke ends, as a share of the head

NODE_HEIGHT = 4.2
"""Height of a node, [mm]."""

DOT_SIZE = 1.6
"""Diameter of a node without text, [mm]."""

# Of the text of a node, [mm]: font size, width of a letter, and space beside all letters.
_NODE_FONT_SIZE = 2.8
_NODE_LETTER_WIDTH = 1.75
_NODE_PADDING = 2.0

PRINT_INK: Colour = (0.15, 0.16, 0.17)
GREY: Colour = (0.42, 0.44, 0.47)
FAINT: Colour = (0.87, 0.88, 0.90)
WHITE: Colour = (1.0, 1.0, 1.0)

_HIGHEST_LUMINANCE = 0.34
"""Greatest relative luminance of a line: its contrast to white is 2.7."""

_LONGEST_HEADING = 70  # characters


@dataclass(frozen=True)
class Stroke:
    """A straight line or a curve.

    Args:
        points: two for a straight line, four for a cubic Bézier curve, right and down, [mm].
        colour: colour of the line.
        width: [mm].
        arrow: whether it ends in an arrow head.
        dashed: whether it is dashed.
        prop: the prop whose colour it has; −1 for none.
    """

    points: tuple[Point, ...]
    colour: Colour
    width: float
    arrow: bool = False
    dashed: bool = False
    prop: int = -1


@dataclass(frozen=True)
class Polygon:
    """A polygon; an outline inside another that runs in the opposite direction makes a hole.

    Args:
        outlines: each of shape (N, 2), corners, [mm].
        fill: colour of the inside; None for none.
        outline: colour of the line around it; None for none.
        width: width of that line, [mm].
        closed: whether the line ends where it began.
    """

    outlines: tuple[Floats, ...]
    fill: Colour | None
    outline: Colour | None = None
    width: float = 0.0
    closed: bool = True


@dataclass(frozen=True)
class Pill:
    """A bar, or a box for a text.

    Args:
        centre: [mm].
        width, height: [mm].
        fill: fill of the inside.
        outline: colour of the line around it; None for none.
        line: width of that line, [mm].
        round_ends: whether its ends are half circles.
        prop: the prop whose colour it has; −1 for none.
    """

    centre: Point
    width: float
    height: float
    fill: Colour
    outline: Colour | None = None
    line: float = 0.0
    round_ends: bool = True
    prop: int = -1


@dataclass(frozen=True)
class Label:
    """A line of text.

    Args:
        at: its start, middle or end, as `align` says, at half the height of its capitals.
        text: without line breaks.
        size: font size, about 1.4 times the height of a capital, [mm].
        colour: colour of the letters.
        align: the part of the text that is at `at`.
        bold: whether it is bold.
    """

    at: Point
    text: str
    size: float
    colour: Colour
    align: Literal["start", "middle", "end"] = "middle"
    bold: bool = False


@dataclass(frozen=True)
class Picture:
    """A raster image.

    Args:
        corner: upper left.
        width, height: [mm].
        pixels: shape (rows, columns, 3), the top row first.
    """

    corner: Point
    width: float
    height: float
    pixels: Bytes


Mark = Stroke | Polygon | Pill | Label | Picture


@dataclass(frozen=True)
class Drawing:
    """A sheet.

    Args:
        width, height: [mm].
        marks: each covers those before it.
        title: title of the sheet, one line.
    """

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str = ""


@dataclass(frozen=True)
class Row:
    """A stretch of time drawn from left to right, or downward.

    Args:
        start, end: [s].
        corner: upper left, where it starts, [mm].
        length: along time, [mm].
        depth: across time, [mm].
    """

    start: float
    end: float
    corner: Point
    length: float
    depth: float


@dataclass(frozen=True)
class Diagram:
    """A drawing with a time axis.

    Args:
        drawing: the marks.
        rows: below each other, or beside each other where time runs down; each begins when the last
            ends.
        down: whether time runs down; otherwise it runs to the right.
        lines: the lines along a row: distance across the row [mm] and name.
    """

    drawing: Drawing
    rows: tuple[Row, ...]
    down: bool = False
    lines: tuple[tuple[float, str], ...] = ()

    @property
    def span(self) -> float:
        """The time that is shown, whole loops, [s]."""
        return self.rows[-1].end


def moved_mark(mark: Mark, by: Point, scale: float = 1.0) -> Mark:
    """Return a copy of a mark that is scaled about the origin, then moved.

    Args:
        mark: a stroke, a pill or a label.
        by: displacement to the right and down, [mm].
        scale: factor of all lengths, line widths and letters.
    """

    def moved(point: Point) -> Point:
        """Return the image of a point, right and down, [mm]."""
        return scale * point[0] + by[0], scale * point[1] + by[1]

    if isinstance(mark, Stroke):
        points = tuple(map(moved, mark.points))
        return dataclasses.replace(mark, points=points, width=scale * mark.width)
    if isinstance(mark, Pill):
        return dataclasses.replace(
            mark,
            centre=moved(mark.centre),
            width=scale * mark.width,
            height=scale * mark.height,
            line=scale * mark.line,
        )
    assert isinstance(mark, Label), "diagrams have no other marks"
    return dataclasses.replace(mark, at=moved(mark.at), size=scale * mark.size)


def bezier_weights(count: int) -> Floats:
    """Return the weights of a cubic Bézier curve's points at parameters 0 to 1, shape (count, 4).

    They are Bernstein polynomials, at evenly spaced parameters with both ends.
    """
    t = np.linspace(0.0, 1.0, count)
    return np.stack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3], axis=1)


def value_colour(value: int, highest: int) -> Colour:
    """Return the colour of a throw: grey for none (0), else from blue, the lowest, to red.

    Args:
        value: the siteswap value of the throw.
        highest: the highest value, which is red.
    """
    return _blended(_VALUES, (value - 1) / max(highest - 1, 1)) if value else _NOTHING


def state_colour(distance: int, farthest: int) -> Colour:
    """Return the fill of a state: the farther from the ground state, the warmer."""
    return _blended(_EXCITED, (distance - 1) / max(farthest - 1, 1)) if distance else GROUND_FILL


GROUND_FILL: Colour = (0.09, 0.20, 0.36)
_EXCITED: tuple[Colour, ...] = ((1.0, 0.97, 0.86), (0.99, 0.72, 0.42))
_NOTHING: Colour = (0.50, 0.53, 0.56)
_VALUES: tuple[Colour, ...] = (
    (0.20, 0.25, 0.60),
    (0.05, 0.48, 0.65),
    (0.05, 0.52, 0.34),
    (0.60, 0.48, 0.0),
    (0.82, 0.30, 0.05),
    (0.66, 0.05, 0.25),
)  # each at least 3.4 to 1 on white


def _blended(colours: Sequence[Colour], share: float) -> Colour:
    """Return a colour of a scale that goes evenly through given colours.

    Args:
        colours: two colours or more; between neighbours the scale is linear.
        share: where on the scale: 0 is the first colour, 1 the last; clamped to this range.
    """
    position = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    # The scale goes from colour `lower` to the next one. The last colour has none after it.
    lower = min(int(position), len(colours) - 2)
    red, green, blue = (
        start + (end - start) * (position - lower)
        for start, end in zip(colours[lower], colours[lower + 1], strict=True)
    )
    return red, green, blue


def arrow_head(stroke: Stroke) -> tuple[Stroke, tuple[Point, Point, Point]]:
    """Split a stroke with an arrow head into a shorter stroke and a triangle.

    Args:
        stroke: a line of two points, or a cubic Bézier curve of four, right and down, [mm].

    Returns:
        The stroke without a head, and the corners of the head, the tip first, [mm].
    """
    # Points are complex numbers here, right + down · i: a factor i turns a vector by 90°. The
    # direction of the stroke at its end is that from the last point but one; a stroke without
    # length has none, and its head is a point.
    before_tip, tip = (complex(*point) for point in stroke.points[-2:])
    ahead = (tip - before_tip) / (abs(tip - before_tip) or 1.0)

    # The base of the head lies behind the tip, with a corner on each side. A head has
    # `_HEAD_LENGTH` × `_HEAD_WIDTH`, [mm], at size 1, and is larger on wider strokes.
    size = _LEAST_HEAD_SIZE + _HEAD_SIZE_PER_WIDTH * stroke.width
    base = tip - ahead * _HEAD_LENGTH * size
    across = 1j * ahead * _HEAD_WIDTH * size / 2
    # The stroke ends under the head, so that no gap shows between the two.
    end = tip - ahead * _STROKE_END * _HEAD_LENGTH * size
    tip_corner, left_corner, right_corner, stroke_end = (
        (point.real, point.imag) for point in (tip, base + across, base - across, end)
    )
    points = (*stroke.points[:-1], stroke_end)
    corners = tip_corner, left_corner, right_corner
    return dataclasses.replace(stroke, points=points, arrow=False), corners


def node(at: Point, text: str, colour: Colour | None) -> Iterator[Mark]:
    """Yield the marks of a node: a text in a round frame, or a dot where there is no text.

    Args:
        at: its centre, [mm].
        text: text in siteswap.
        colour: colour of the frame or dot; None for pale text without a frame.
    """
    if colour is None:
        # A white ground, smaller than a frame, so that no lines run through the text.
        yield Pill(at, node_width(text) * 0.7, NODE_HEIGHT * 0.8, WHITE)
        yield Label(at, text, _NODE_FONT_SIZE, GREY)
    elif not text:
        yield Pill(at, DOT_SIZE, DOT_SIZE, colour)
    else:
        yield Pill(at, node_width(text), NODE_HEIGHT, fill=WHITE, outline=colour, line=0.5)
        yield Label(at, text, _NODE_FONT_SIZE, PRINT_INK, bold=True)


def node_width(text: str) -> float:
    """Return the width of the node of a text, [mm]."""
    return max(NODE_HEIGHT, _NODE_PADDING + _NODE_LETTER_WIDTH * len(text)) if text else DOT_SIZE


def orbit_colours(choreography: Choreography, palette: Palette = STANDARD) -> list[Colour]:
    """Return the colour of each orbit: that of its props if they share one, else the palette's.

    Pale colours are darkened.

    Args:
        choreography: its orbits, and the looks of its props.
        palette: gives a colour to each orbit in turn.
    """
    inks = []
    palette_colours = prop_colours(len(choreography.orbits), palette)
    for (red, green, blue), (_orbit, props) in zip(
        palette_colours.tolist(), choreography.orbits_with_props, strict=True
    ):
        colour: Colour = (red, green, blue)
        own_colours = {look.colour for look in choreography.looks[props]}
        if len(own_colours) == 1:
            own_colour = own_colours.pop()
            if own_colour is not None:
                colour = own_colour
        inks.append(readable_on_white(colour))
    return inks


def prop_inks(choreography: Choreography, palette: Palette = STANDARD) -> list[Colour]:
    """Return a colour for each prop: its own, or one of the palette."""
    return [
        readable_on_white((red, green, blue))
        for red, green, blue in drawn_colours(choreography, palette).tolist()
    ]


def readable_on_white(colour: Colour) -> Colour:
    """Return the same colour, darkened if it is too pale for a line on white.

    Luminance as in the Web Content Accessibility Guidelines 2.2 (W3C, 2023).
    """
    # Linear light; a power of 2.2 is near enough to sRGB.
    light = np.asarray(colour, dtype=float) ** 2.2
    luminance = float(light @ (0.2126, 0.7152, 0.0722))
    if luminance <= _HIGHEST_LUMINANCE:
        return colour
    red, green, blue = (light * _HIGHEST_LUMINANCE / luminance) ** (1 / 2.2)
    return float(red), float(green), float(blue)


def heading(score: Score, choreography: Choreography) -> tuple[str, str]:
    """Return the title and the subtitle of a diagram.

    The title is the name of the pattern, or else its siteswap. The subtitle has the siteswap, the
    numbers of jugglers and props, the tempo and the duration of a loop.

    Args:
        score: the pattern or the events, with their name.
        choreography: the same, timed.
    """
    facts = []
    # The siteswap, unless it is the title already.
    if score.pattern and score.pattern.text not in ("", score.name):
        facts.append(printable(score.pattern.text, _LONGEST_HEADING))
    if choreography.jugglers > 1:
        facts.append(counted(choreography.jugglers, "juggler"))
    thing = score.staging.props.thing(choreography.props)
    facts.append(counted(choreography.props, thing))
    if score.pattern:
        facts.append(_("{bps:.2g} beats/s", bps=choreography.bps))
    facts.append(_("{duration:.2f} s loop", duration=choreography.duration))
    return printable(score.name, _LONGEST_HEADING), "  ·  ".join(facts)


_MIDDLE_OF_CAPITALS = 0.35
"""How far below the middle of a label its baseline is, as a share of the font size."""


def svg(drawing: Drawing) -> str:
    """Return a drawing of strokes, polygons, pills and labels as the text of an SVG picture."""
    marks = "".join(map(_mark, drawing.marks))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width:g} '
        f'{drawing.height:g}" width="{drawing.width:g}mm" height="{drawing.height:g}mm" '
        f'font-family="Inter, system-ui, sans-serif">'
        f"<title>{escape(drawing.title)}</title>{marks}</svg>"
    )


def _mark(mark: Mark) -> str:
    """Return the SVG elements of a mark, as text.

    Args:
        mark: a line or curve, a polygon, a box or a label; lengths in [mm], y down.

    Raises:
        TypeError: the mark is a picture.
    """
    match mark:
        case Stroke():
            return _stroke(mark)
        case Polygon():
            path = " ".join(
                _path(map(tuple, outline.tolist()), closed=mark.closed) for outline in mark.outlines
            )
            return f'<path d="{path}" {_paint(mark.fill, mark.outline, mark.width)}/>'
        case Pill():
            left = mark.centre[0] - mark.width / 2
            top = mark.centre[1] - mark.height / 2
            radius = min(mark.width, mark.height) / 2 if mark.round_ends else 0.0
            return (
                f'<rect x="{left:.2f}" y="{top:.2f}" width="{mark.width:.2f}" '
                f'height="{mark.height:.2f}" rx="{radius:.2f}" '
                f"{_paint(mark.fill, mark.outline, mark.line)}/>"
            )
        case Label():
            weight = ' font-weight="650"' if mark.bold else ""
            # SVG places text by its baseline; labels are placed by the middle of their capitals.
            baseline = mark.at[1] + _MIDDLE_OF_CAPITALS * mark.size
            return (
                f'<text x="{mark.at[0]:.2f}" y="{baseline:.2f}" font-size="{mark.size:g}" '
                f'text-anchor="{mark.align}" fill="{_hex(mark.colour)}"{weight}>'
                f"{escape(mark.text)}</text>"
            )
    raise TypeError("an SVG for a page has no pictures in it")


def _stroke(stroke: Stroke) -> str:
    """Return the SVG elements of a line or a curve, as text, with the arrow head if it has one.

    Args:
        stroke: two points for a line, four for a cubic Bézier curve.
    """
    head = ""
    if stroke.arrow:
        stroke, corners = arrow_head(stroke)
        head = f'<path d="{_path(corners, closed=True)}" fill="{_hex(stroke.colour)}"/>'
    # Round caps would close the gaps of a dashed line.
    ends = (
        f'stroke-dasharray="{3 * stroke.width:.2f} {2.5 * stroke.width:.2f}"'
        if stroke.dashed
        else 'stroke-linecap="round"'
    )
    start, *others = stroke.points
    command = "L" if len(others) == 1 else "C"
    path = f"M{_pair(start)}{command}{' '.join(map(_pair, others))}"
    return f'{head}<path d="{path}" {_paint(None, stroke.colour, stroke.width)} {ends}/>'


def _path(points: Iterable[Point], *, closed: bool) -> str:
    return f"M{'L'.join(map(_pair, points))}{'Z' if closed else ''}"


def _pair(point: Point) -> str:
    return f"{point[0]:.2f},{point[1]:.2f}"


def _paint(fill: Colour | None, line: Colour | None, width: float) -> str:
    painted = f'fill="{_hex(fill) if fill else "none"}"'
    return f'{painted} stroke="{_hex(line)}" stroke-width="{width:.2f}"' if line else painted


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
