"""Drawings as SVG, for pages: its viewer has the fonts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from juggle_anim.diagrams.drawing import (
    Colour,
    Drawing,
    Label,
    Mark,
    Pill,
    Point,
    Polygon,
    Stroke,
    arrow_head,
)

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
    """Return the elements of a mark.

    Raises:
        TypeError: it is a picture.
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
            baseline = mark.at[1] + _MIDDLE_OF_CAPITALS * mark.size
            return (
                f'<text x="{mark.at[0]:.2f}" y="{baseline:.2f}" font-size="{mark.size:g}" '
                f'text-anchor="{mark.align}" fill="{_hex(mark.colour)}"{weight}>'
                f"{escape(mark.text)}</text>"
            )
    raise TypeError("an SVG for a page has no pictures in it")


def _stroke(stroke: Stroke) -> str:
    """Return the elements of a line or a curve, and of its head."""
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
