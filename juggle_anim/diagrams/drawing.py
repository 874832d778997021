"""Drawings: marks on a sheet in the order in which they cover each other; and diagrams, whose rows have a time axis."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from math import hypot
from typing import Literal

from juggle_anim.arrays import Bytes, Floats

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1, sRGB."""

Point = tuple[float, float]
"""Right and down from the upper left corner, [mm]."""

_LONG, _WIDE = 2.3, 1.7
_SMALLEST, _MORE = 0.55, 0.7


@dataclass(frozen=True)
class Stroke:
    """A straight line or a curve.

    Args:
        points: two for a straight line, four for a cubic Bézier curve.
        colour: of the line.
        width: [mm].
        arrow: whether it ends in an arrow head.
        dashed: whether it is dashed.
    """

    points: tuple[Point, ...]
    colour: Colour
    width: float
    arrow: bool = False
    dashed: bool = False


@dataclass(frozen=True)
class Polygon:
    """A polygon; an outline inside another that runs in the opposite direction makes a hole.

    Args:
        outlines: each of shape (N, 2), corners, [mm].
        fill: colour of the inside; None for none.
        outline: colour of the line around it; None for none.
        width: of that line, [mm].
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
        fill: of the inside.
        outline: colour of the line around it; None for none.
        line: width of that line, [mm].
        round_ends: whether its ends are half circles.
    """

    centre: Point
    width: float
    height: float
    fill: Colour
    outline: Colour | None = None
    line: float = 0.0
    round_ends: bool = True


@dataclass(frozen=True)
class Label:
    """A line of text.

    Args:
        at: its start, middle or end, as `align` says, at half the height of its capitals.
        text: without line breaks.
        size: font size, about 1.4 times the height of a capital, [mm].
        colour: of the letters.
        align: which part of the text is at `at`.
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
        title: what the sheet shows, in one line.
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
        rows: below each other, or beside each other where time runs down; each begins when the last ends.
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


def arrow_head(stroke: Stroke) -> tuple[Stroke, tuple[Point, Point, Point]]:
    """Return the stroke without its arrow head, shortened, and the corners of the head, the tip first."""
    (x, y), before = stroke.points[-1], stroke.points[-2]
    length = hypot(x - before[0], y - before[1]) or 1.0
    ahead = (x - before[0]) / length, (y - before[1]) / length
    size = _SMALLEST + _MORE * stroke.width
    back = x - ahead[0] * _LONG * size, y - ahead[1] * _LONG * size
    across = -ahead[1] * _WIDE * size / 2, ahead[0] * _WIDE * size / 2
    corners = (x, y), (back[0] + across[0], back[1] + across[1]), (back[0] - across[0], back[1] - across[1])
    # The stroke ends under the head, so that no gap shows between the two.
    inside = x - ahead[0] * 0.6 * _LONG * size, y - ahead[1] * 0.6 * _LONG * size
    return dataclasses.replace(stroke, points=(*stroke.points[:-1], inside), arrow=False), corners
