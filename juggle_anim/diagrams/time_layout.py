"""Staves: rows of paper along which time runs, to the right or downward.

MERGED: Lines of hands: where each runs across a row of a diagram.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, inf

from juggle_anim.diagrams.drawing import Colour, Diagram, Drawing, Label, Mark, Pill, Point, Row, Stroke
from juggle_anim.diagrams.nodes import FAINT, GREY, PRINT_INK
from juggle_anim.errors import ParameterError

Moment = tuple[float, float]
"""A place on a row: when [s], and how far across it [mm]."""

LONGEST_ROW = 250.0
"""A longer row is broken, [mm]: a sheet of A4 paper is as wide as that when it lies on its side."""

MOST_ROWS = 40
"""More rows than these nobody reads."""

TITLE, SUBTITLE, NAME, NUMBER = 4.6, 3.1, 3.2, 2.5
"""Sizes of letters, [mm]."""

MARGIN = 6.0

_HEADING = 15.0

_BETWEEN, _BESIDE = 9.0, 7.0

_CLOSEST_NUMBERS = 5.0

_TO_NAME = 6.5

_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

_LEAST = 1e-7


@dataclass(frozen=True)
class TimeLayout:
    """Paper for some time, with its rows.

    Args:
        loop: how long a loop is, [s].
        loops: how many are shown.
        scale: [mm/s].
        depth: of a row, [mm].
        beat: how long a beat is, [s]; None where none are counted.
        names: of lines across a row, each with its place, [mm].
        down: whether time runs down.
        longest: that a row may be, [mm].

    Raises:
        ParameterError: that takes too many rows.
    """

    loop: float
    loops: int
    scale: float
    depth: float
    beat: float | None
    names: Sequence[tuple[float, str]]
    down: bool = False
    longest: float = LONGEST_ROW

    def __post_init__(self) -> None:
        if len(self.rows) > MOST_ROWS:
            raise ParameterError(
                f"a loop of {self.loop:.0f} s with so many throws takes {len(self.rows)} rows, "
                f"and {MOST_ROWS} is the most that a diagram has"
            )

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows, of the same length but for the last."""
        pieces = ceil(self.loops * self.loop / self._a_row - 1e-9)
        found = []
        for number in range(pieces):
            start, end = number * self._a_row, min((number + 1) * self._a_row, self.loops * self.loop)
            found.append(Row(start, end, self._corner(number), self.scale * (end - start), self.depth))
        return tuple(found)

    def curve(self, points: Sequence[Moment], colour: Colour, width: float, arrow: bool = False) -> Iterator[Stroke]:
        """The strokes of a straight line or a cubic Bézier curve, cut where rows end.

        Args:
            points: two or four; time of the inner ones divides that of the outer ones evenly.
            colour, width, arrow: as of a `Stroke`.
        """
        start, end = points[0][0], points[-1][0]
        for row in self.rows:
            shares = [0.0, 1.0]
            if end != start:
                shares = sorted((edge - start) / (end - start) for edge in (row.start, row.end))
            elif not row.start <= start < row.end:
                continue
            first, last = max(0.0, shares[0]), min(1.0, shares[1])
            if last - first > _LEAST:
                piece = tuple(self.place(row, *moment) for moment in curve_piece(points, first, last))
                yield Stroke(piece, colour, width, arrow and last == 1.0)

    def bar(self, start: float, end: float, across: float, colour: Colour, thick: float) -> Iterator[Pill]:
        """A bar along time, cut where rows end."""
        for row in self.rows:
            first, last = max(start, row.start), min(end, row.end)
            if last - first > _LEAST:
                length = self.scale * (last - first)
                centre = self.place(row, (first + last) / 2, across)
                width, height = (thick, length) if self.down else (length, thick)
                yield Pill(centre, width, height, colour, round_ends=False)

    def spot(self, time: float, across: float) -> Point | None:
        """Where a moment is; None where it is not on the paper."""
        for row in self.rows:
            if row.start - _LEAST <= time < row.end - _LEAST:
                return self.place(row, time, across)
        return None

    def place(self, row: Row, time: float, across: float) -> Point:
        """Where a moment is, seen from a row, [mm]."""
        (x, y), along = row.corner, self.scale * (time - row.start)
        return (x + across, y + along) if self.down else (x + along, y + across)

    def diagram(self, title: str, subtitle: str, marks: Sequence[Mark]) -> Diagram:
        """The diagram with these marks on it."""
        rows = self.rows
        width = max(row.corner[0] + (row.depth if self.down else row.length) for row in rows) + MARGIN
        height = max(row.corner[1] + (row.length if self.down else row.depth + NUMBER + 1.5) for row in rows) + MARGIN
        width = max(width, 2 * MARGIN + 0.62 * TITLE * len(title), 2 * MARGIN + 0.55 * SUBTITLE * len(subtitle))
        heading = [
            Label((MARGIN, MARGIN + 2.0), title, TITLE, PRINT_INK, "start", bold=True),
            Label((MARGIN, MARGIN + 7.2), subtitle, SUBTITLE, GREY, "start"),
        ]
        drawing = Drawing(width, height, (*heading, *self._ruling(), *marks), title)
        return Diagram(drawing, rows, self.down, tuple(self.names))

    def _ruling(self) -> Iterator[Mark]:
        """What stands on empty paper: names of lines, beats or seconds, and the ends of loops."""
        for row in self.rows:
            for across, name in self.names:
                x, y = self.place(row, row.start, across)
                beside = (x, y - _TO_NAME) if self.down else (x - _TO_NAME, y)
                yield Label(beside, name, NAME, PRINT_INK, "middle" if self.down else "end")
            yield from self._ticks(row)

    def _ticks(self, row: Row) -> Iterator[Mark]:
        step, counted = (self.beat, True) if self.beat else (self._second, False)
        every = ceil(_CLOSEST_NUMBERS / (step * self.scale))
        for number in range(ceil(row.start / step - _LEAST), ceil(row.end / step - _LEAST)):
            time = number * step
            in_loop = round(self.loop / step) if counted else 0
            if number % every == 0:
                text = f"{number % in_loop + 1}" if counted else f"{time:.10g} s"
                yield self._number(row, time, text)
            if not (counted and number % in_loop == 0):
                yield Stroke((self.place(row, time, 0.0), self.place(row, time, self.depth)), FAINT, 0.25)
        for lap in range(self.loops + 1):
            if row.start - _LEAST <= lap * self.loop <= row.end + _LEAST:
                ends = (self.place(row, lap * self.loop, across) for across in (0.0, self.depth))
                yield Stroke(tuple(ends), GREY, 0.35, dashed=True)

    def _number(self, row: Row, time: float, text: str) -> Label:
        x, y = self.place(row, time, -3.5 if self.down else self.depth + 2.4)
        return Label((x, y), text, NUMBER, GREY, "end" if self.down else "middle")

    @property
    def _second(self) -> float:
        """Between two lines where no beats are counted, [s]."""
        return next((step for step in _SECONDS if step * self.scale >= 2 * _CLOSEST_NUMBERS), _SECONDS[-1])

    @property
    def _a_row(self) -> float:
        """How long a row is, [s]: whole loops, whole beats, or a whole number of pieces of a loop."""
        longest = self.longest / self.scale
        whole = self.loops * self.loop
        if whole <= longest * (1 + 1e-9):
            return whole
        for step in (self.loop, self.beat or inf, self._second):
            if step <= longest:
                return step * int(longest / step + 1e-9)
        return longest

    def _corner(self, number: int) -> Point:
        head = max((0.62 * NAME * len(name) for _, name in self.names), default=0.0)
        if self.down:
            beside = _BESIDE + NUMBER * 2
            return MARGIN + beside + number * (self.depth + beside), MARGIN + _HEADING + 6.0
        return MARGIN + _TO_NAME + head, MARGIN + _HEADING + number * (self.depth + _BETWEEN)


def curve_piece(points: Sequence[Moment], first: float, last: float) -> Sequence[Moment]:
    """The piece of a Bézier curve between two shares of it: by its blossom, as L. Ramshaw has it (1987)."""
    if (first, last) == (0.0, 1.0):
        return points
    degree = len(points) - 1
    return [_blossom(points, [first] * (degree - k) + [last] * k) for k in range(degree + 1)]


def _blossom(points: Sequence[Moment], shares: Sequence[float]) -> Moment:
    rest = list(points)
    for share in shares:
        rest = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairwise(rest)]
    return rest[0]


def hand_names(jugglers: int) -> list[str]:
    """A name for each hand, left before right."""
    sides = ("left", "right")
    return [f"{juggler + 1} {side}" if jugglers > 1 else side for juggler in range(jugglers) for side in sides]


@dataclass(frozen=True)
class HandLines:
    """Where the lines run, and how deep the row is that holds them, [mm]."""

    places: tuple[float, ...]
    depth: float


def hand_lines(outside: Sequence[float], between: float, apart: float) -> HandLines:
    """Lines of hands by pairs, the left one first.

    Args:
        outside: for each hand, how much room its pair needs beyond it, [mm].
        between: from the left hand of a juggler to the right one, [mm].
        apart: between the rooms of two jugglers, [mm].
    """
    places: list[float] = []
    edge = 0.0
    for left, right in zip(outside[::2], outside[1::2], strict=True):
        places += [edge + left, edge + left + between]
        edge = places[-1] + right + apart
    return HandLines(tuple(places), edge - apart)
