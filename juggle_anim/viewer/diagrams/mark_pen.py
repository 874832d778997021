"""The pen that draws the marks of a diagram's tape as they are printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any

from imgui_bundle import imgui

from juggle_anim.diagrams.drawing import WHITE, Label, Mark, Pill, Point, Stroke, arrow_head
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.theme import Theme, paper_colour
from juggle_anim.viewer.diagrams.diagram_view import DiagramFit
from juggle_anim.viewer.diagrams.loop_diagram import LoopDiagram

LINE_HEIGHT = 1.21
"""Height of a line of text over the size of its font."""

DrawCall = Callable[[Any, float, float], None]
"""Draws one shape into a draw list, with the tape's loop at a place in the window, [pixels]."""

_SMALLEST = 12.0  # of letters, at scale 1, [pixels]
_DASH = 1.4  # mm
_LIT_THICKNESS = 1.7  # times as thick
_DOT = 2.6  # mm; diameter of a lit throw without a word


class MarkPen:
    """Draws the marks of a tape in one size; the calls for each mark are made once.

    Args:
        look: fonts.
        tape: whose marks they are.
        fit: their scale.
    """

    def __init__(self, look: Theme, tape: LoopDiagram, fit: DiagramFit) -> None:
        self.look = look
        self.tape = tape
        self.fit = fit
        self._calls: dict[tuple[int, bool, int], list[DrawCall]] = {}

    def draw(self, draw: Any, index: int, left: float, top: float, lit: bool, lap: int = 0) -> None:
        """Draw a mark.

        Args:
            draw: the draw list.
            index: of the mark.
            left, top: of the tape's loop, [pixels].
            lit: whether it belongs to a present throw.
            lap: which loop it is in, as props exchange places from loop to loop.
        """
        key = index, lit, self.tape.turns(self.tape.prop_of[index], lap)
        calls = self._calls.get(key)
        if calls is None:
            calls = self._calls[key] = self._calls_for(self.tape.mark_in(index, lap), lit)
        for call in calls:
            call(draw, left, top)

    def place(self, point: Point) -> Point:
        """Convert a place of the tape, [mm], to [pixels] from the start of its loop."""
        return self.fit.along * point[0], self.fit.y_of(self.tape, point[1])

    def _calls_for(self, mark: Mark, lit: bool) -> list[DrawCall]:
        if isinstance(mark, Stroke):
            return self._stroke(mark, lit)
        if isinstance(mark, Pill):
            return self._pill(mark, lit)
        assert isinstance(mark, Label), "diagrams have nothing else"
        return [self._label(mark, lit)]

    def _stroke(self, mark: Stroke, lit: bool) -> list[DrawCall]:
        unit = self.fit.unit
        tint = paper_colour(mark.colour)
        thick = max(mark.width * unit * self.look.bold * (_LIT_THICKNESS if lit else 1.0), 1.0)
        points = [self.place(point) for point in mark.points]
        calls: list[DrawCall] = []
        if mark.arrow:
            flat = replace(mark, points=tuple((x / unit, y / unit) for x, y in points))
            shorter, head = arrow_head(flat)
            points = [(x * unit, y * unit) for x, y in shorter.points]
            calls.append(
                _shape("add_triangle_filled", [(x * unit, y * unit) for x, y in head], tint)
            )
        if len(points) == 4:
            calls.append(_shape("add_bezier_cubic", points, tint, thick))
        elif mark.dashed:
            calls.append(_dashed(points[0], points[1], _DASH * unit, tint, thick))
        else:
            calls.append(_shape("add_line", points[:2], tint, thick))
        return calls

    def _pill(self, mark: Pill, lit: bool) -> list[DrawCall]:
        unit = self.fit.unit
        centre = self.place(mark.centre)
        if not mark.round_ends:
            corners = _corners(centre, self.fit.along * mark.width, unit * mark.height)
            return [_shape("add_rect_filled", corners, paper_colour(mark.fill))]
        dot = mark.outline is None and mark.fill != WHITE
        width, height = (_DOT, _DOT) if lit and dot else (mark.width, mark.height)
        fill = theme.ACCENT if lit and mark.outline else paper_colour(mark.fill)
        corners = _corners(centre, unit * width, unit * height)
        round_end = unit * height / 2
        calls = [_shape("add_rect_filled", corners, fill, round_end)]
        if mark.outline:
            thick = unit * mark.line * self.look.bold
            calls.append(_shape("add_rect", corners, paper_colour(mark.outline), round_end, thick))
        return calls

    def _label(self, mark: Label, lit: bool) -> DrawCall:
        font = self.look.strong if mark.bold else self.look.medium
        size = max(
            round(2 * mark.size * self.fit.unit * LINE_HEIGHT) / 2, self.look.size(_SMALLEST)
        )
        imgui.push_font(font, size)
        wide = imgui.calc_text_size(mark.text).x
        imgui.pop_font()
        x, y = self.place(mark.at)
        # The middle of capitals is the middle of a line of this font.
        x = x - wide * _ALIGNMENT[mark.align]
        y = y - size / 2
        text = mark.text
        tint = theme.ON_ACCENT if lit and mark.bold else paper_colour(mark.colour)

        def call(draw: Any, left: float, top: float) -> None:
            draw.add_text(font, size, (left + x, top + y), tint, text)

        return call


_ALIGNMENT = {"start": 0.0, "middle": 0.5, "end": 1.0}


def _shape(method: str, points: Sequence[Point], *rest: float) -> DrawCall:
    """Return a call of a method of the draw list, with points and then all other arguments."""

    def call(draw: Any, left: float, top: float) -> None:
        getattr(draw, method)(*[(left + x, top + y) for x, y in points], *rest)

    return call


def _corners(centre: Point, width: float, height: float) -> list[Point]:
    (x, y), half, tall = centre, width / 2, height / 2
    return [(x - half, y - tall), (x + half, y + tall)]


def _dashed(start: Point, end: Point, length: float, tint: int, thick: float) -> DrawCall:
    """Draw a vertical dashed line, but only its visible part: with many jugglers most of it is
    hidden.
    """
    (x, upper), lower = start, end[1]

    def call(draw: Any, left: float, top: float) -> None:
        above = draw.get_clip_rect_min().y - top
        below = draw.get_clip_rect_max().y - top
        first = max(floor((above - upper) / (2 * length)), 0)
        for number in range(first, ceil((min(below, lower) - upper) / (2 * length))):
            begin = top + upper + 2 * length * number
            draw.add_line(
                (left + x, begin), (left + x, min(begin + length, top + lower)), tint, thick
            )

    return call
