"""The layout of a diagram: rows along which time runs, to the right or downward, and lines of hands
across them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import ceil, inf
from typing import Self

from juggle_anim.diagrams.drawing import (
    FAINT,
    GREY,
    PRINT_INK,
    Colour,
    Diagram,
    Drawing,
    Label,
    Mark,
    Pill,
    Point,
    Row,
    Stroke,
)
from juggle_anim.diagrams.timeline import Timeline
from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene.palette import STANDARD, Palette

TimePoint = tuple[float, float]
"""A place on a row: time [s], and distance across the row [mm]."""

LONGEST_ROW = 250.0
"""Longer rows are broken, [mm]: the printable width of A4 paper in landscape."""

MOST_ROWS = 40
"""The most rows of a diagram."""

TITLE = 4.6
SUBTITLE = 3.1
NAME = 3.2
NUMBER = 2.5
"""Sizes of letters, [mm]."""

MARGIN = 6.0
HEADING = 15.0
"""Height of title and subtitle at the top of a diagram, [mm]."""

_BETWEEN = 9.0
_BESIDE = 7.0
_CLOSEST_NUMBERS = 5.0
_TO_NAME = 6.5
_RULED_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # s
_ROUNDING = 1e-7  # of times [s] and of parameters of curves


@dataclass(frozen=True)
class DiagramOptions:
    """Options of a ladder or causal diagram.

    Args:
        down: whether time runs down the page; otherwise it runs to the right.
        loops: how many loops are shown; None for as many as make the pattern clear.
        longest: the greatest length of a row, [mm].
        palette: the colours of props without a colour of their own.
    """

    down: bool = False
    loops: int | None = None
    longest: float = LONGEST_ROW
    palette: Palette = STANDARD


DEFAULT_OPTIONS = DiagramOptions()


@dataclass(frozen=True)
class TimeLayout:
    """Rows of paper for a stretch of time.

    Args:
        loop: duration of a loop, [s].
        loops: how many loops are shown.
        scale: [mm/s].
        depth: of a row, [mm].
        beat: duration of a beat, [s]; None for a pattern without beats.
        names: of the lines along a row, each with its distance across the row, [mm].
        down: whether time runs down.
        longest: the greatest length of a row, [mm].

    Raises:
        ParameterError: there would be too many rows.
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
        """Check that the rows are not too many; raises `ParameterError`."""
        if len(self.rows) > MOST_ROWS:
            raise ParameterError(
                _(
                    "a loop of {loop:.0f} s with this many throws needs {count} rows, but a "
                    "diagram can have at most {most_rows}",
                    loop=self.loop,
                    count=len(self.rows),
                    most_rows=MOST_ROWS,
                )
            )

    @classmethod
    def of_timeline(
        cls,
        timeline: Timeline,
        options: DiagramOptions,
        *,
        scale: float,
        depth: float,
        names: Sequence[tuple[float, str]],
    ) -> Self:
        """Lay out the time of a timeline.

        Args:
            timeline: its loops and beats are laid out.
            options: direction, and the greatest length of a row.
            scale: of time, [mm/s].
            depth: of a row, [mm].
            names: of the lines along a row, each with its distance across the row, [mm].
        """
        return cls(
            loop=timeline.choreography.duration,
            loops=timeline.loops,
            scale=scale,
            depth=depth,
            beat=timeline.beat,
            names=names,
            down=options.down,
            longest=options.longest,
        )

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows; only the last may be shorter than the others."""
        # Rounding must not add an empty row.
        count = ceil(self.loops * self.loop / self._row_duration - 1e-9)
        rows = []
        for number in range(count):
            start = number * self._row_duration
            end = min((number + 1) * self._row_duration, self.loops * self.loop)
            rows.append(
                Row(
                    start=start,
                    end=end,
                    corner=self._corner(number),
                    length=self.scale * (end - start),
                    depth=self.depth,
                )
            )
        return tuple(rows)

    def curve(
        self, points: Sequence[TimePoint], colour: Colour, width: float, arrow: bool = False
    ) -> Iterator[Stroke]:
        """Yield the strokes of a straight line or a cubic Bézier curve, cut where rows end.

        Args:
            points: two or four points, time [s] and distance across the row [mm]; the times of the
                inner ones are evenly spaced between those of the outer ones, so that time is linear
                in the parameter of the curve.
            colour, width, arrow: as of a `Stroke`.
        """
        start, _across = points[0]
        end, _across = points[-1]
        for row in self.rows:
            # The parameters at which the curve crosses the ends of the row, and from these its
            # piece in the row. It may run back in time.
            if end != start:
                entry, leave = sorted(
                    (edge - start) / (end - start) for edge in (row.start, row.end)
                )
            elif row.start <= start < row.end:
                entry = 0.0
                leave = 1.0
            else:
                continue
            first = max(0.0, entry)
            last = min(1.0, leave)
            # Nothing, or a piece that rounding leaves.
            if last - first > _ROUNDING:
                piece = tuple(
                    self.point_in_row(row, time, across)
                    for time, across in curve_piece(points, first, last)
                )
                # Only the last piece has the arrow head.
                yield Stroke(piece, colour, width, arrow=arrow and last == 1.0)

    def bar(
        self, start: float, end: float, across: float, colour: Colour, thickness: float
    ) -> Iterator[Pill]:
        """Yield the pieces of a bar along time, cut where rows end.

        Args:
            start, end: times, [s].
            across: distance of its centre line across the row, [mm].
            colour: of the bar.
            thickness: of the bar, [mm].
        """
        for row in self.rows:
            first = max(start, row.start)
            last = min(end, row.end)
            if last - first > _ROUNDING:
                length = self.scale * (last - first)
                centre = self.point_in_row(row, (first + last) / 2, across)
                width, height = (thickness, length) if self.down else (length, thickness)
                yield Pill(centre, width, height, colour, round_ends=False)

    def point_at(self, time: float, across: float) -> Point | None:
        """Return the point on the paper of a time [s] and a distance across the row [mm].

        None for a time that is not shown.
        """
        for row in self.rows:
            # A time just before the end of a row, by rounding, is at the start of the next one.
            if row.start - _ROUNDING <= time < row.end - _ROUNDING:
                return self.point_in_row(row, time, across)
        return None

    def point_in_row(self, row: Row, time: float, across: float) -> Point:
        """Return the point of a time [s] and a distance across [mm], as if in a given row."""
        x, y = row.corner
        along = self.scale * (time - row.start)
        return (x + across, y + along) if self.down else (x + along, y + across)

    def diagram(self, title: str, subtitle: str, marks: Sequence[Mark]) -> Diagram:
        """Return a diagram of a heading, a ruling and these marks, on a sheet just large enough.

        Args:
            title, subtitle: above the rows.
            marks: placed by this layout, from the back to the front.
        """
        right_edges = []
        lower_edges = []
        for row in self.rows:
            left, top = row.corner
            right_edges.append(left + (row.depth if self.down else row.length))
            # Below rows to the right stand the numbers of beats.
            lower_edges.append(top + (row.length if self.down else row.depth + NUMBER + 1.5))
        height = max(lower_edges) + MARGIN
        # The heading must fit as well: letters are about 0.6 of their size wide.
        width = max(
            max(right_edges) + MARGIN,
            2 * MARGIN + 0.62 * TITLE * len(title),
            2 * MARGIN + 0.55 * SUBTITLE * len(subtitle),
        )
        heading = [
            Label((MARGIN, MARGIN + 2.0), title, TITLE, PRINT_INK, align="start", bold=True),
            Label((MARGIN, MARGIN + 7.2), subtitle, SUBTITLE, GREY, align="start"),
        ]
        drawing = Drawing(width, height, (*heading, *self._ruling(), *marks), title)
        return Diagram(drawing, self.rows, down=self.down, lines=tuple(self.names))

    def _ruling(self) -> Iterator[Mark]:
        """Yield names of lines, ticks at beats or seconds, and the ends of loops, for all rows."""
        for row in self.rows:
            for across, name in self.names:
                x, y = self.point_in_row(row, row.start, across)
                beside = (x, y - _TO_NAME) if self.down else (x - _TO_NAME, y)
                yield Label(beside, name, NAME, PRINT_INK, align="middle" if self.down else "end")
            yield from self._ticks(row)

    def _ticks(self, row: Row) -> Iterator[Mark]:
        """Yield lines and numbers at the beats of a row, or at steps of seconds, and ends of loops.

        Beats are numbered from 1 in each loop; not all have numbers if these would be too close.
        """
        has_beats = bool(self.beat)
        step = self.beat or self._ruled_step
        numbered_every = ceil(_CLOSEST_NUMBERS / (step * self.scale))
        beats_per_loop = round(self.loop / step) if has_beats else 0
        for tick in range(ceil(row.start / step - _ROUNDING), ceil(row.end / step - _ROUNDING)):
            time = tick * step
            if tick % numbered_every == 0:
                text = f"{tick % beats_per_loop + 1}" if has_beats else f"{time:.10g} s"
                yield self._number(row, time, text)
            # The first beat of a loop has a line already, that of the end of the loop before.
            if not (has_beats and tick % beats_per_loop == 0):
                yield Stroke(
                    (self.point_in_row(row, time, 0.0), self.point_in_row(row, time, self.depth)),
                    FAINT,
                    0.25,
                )
        for loop_index in range(self.loops + 1):
            time = loop_index * self.loop
            if row.start - _ROUNDING <= time <= row.end + _ROUNDING:
                ends = (self.point_in_row(row, time, across) for across in (0.0, self.depth))
                yield Stroke(tuple(ends), GREY, 0.35, dashed=True)

    def _number(self, row: Row, time: float, text: str) -> Label:
        x, y = self.point_in_row(row, time, -3.5 if self.down else self.depth + 2.4)
        return Label((x, y), text, NUMBER, GREY, align="end" if self.down else "middle")

    @property
    def _ruled_step(self) -> float:
        """Distance of ruled lines for a pattern without beats, [s]: a round number of seconds."""
        return next(
            (step for step in _RULED_STEPS if step * self.scale >= 2 * _CLOSEST_NUMBERS),
            _RULED_STEPS[-1],
        )

    @property
    def _row_duration(self) -> float:
        """Duration of a row, [s]: whole loops if any fits, else whole beats, else ruled steps."""
        longest = self.longest / self.scale
        total = self.loops * self.loop
        if total <= longest * (1 + 1e-9):  # all in one row
            return total
        for step in (self.loop, self.beat or inf, self._ruled_step):
            if step <= longest:
                return step * int(longest / step + 1e-9)
        return longest

    def _corner(self, row_number: int) -> Point:
        """Upper left corner of a row, by its number, [mm]: below or beside the row before."""
        if self.down:
            # Room for the numbers of beats at the left of each row.
            numbers_width = _BESIDE + NUMBER * 2
            x = MARGIN + numbers_width + row_number * (self.depth + numbers_width)
            return x, MARGIN + HEADING + 6.0
        # Room for the names of lines at the left.
        names_width = max((0.62 * NAME * len(name) for _, name in self.names), default=0.0)
        y = MARGIN + HEADING + row_number * (self.depth + _BETWEEN)
        return MARGIN + _TO_NAME + names_width, y


def curve_piece(points: Sequence[TimePoint], first: float, last: float) -> Sequence[TimePoint]:
    """Return the piece of a Bézier curve between two parameters, by its blossom (L. Ramshaw, 1987).

    Args:
        points: of the curve; two are a straight line.
        first, last: parameters from 0 to 1.

    Returns:
        As many points, of a Bézier curve of the same degree.
    """
    if (first, last) == (0.0, 1.0):
        return points
    degree = len(points) - 1
    return [_blossom(points, [first] * (degree - k) + [last] * k) for k in range(degree + 1)]


def _blossom(points: Sequence[TimePoint], parameters: Sequence[float]) -> TimePoint:
    """De Casteljau's algorithm with its own parameter in each step."""
    current = list(points)
    for parameter in parameters:
        current = [
            (time + (next_time - time) * parameter, across + (next_across - across) * parameter)
            for (time, across), (next_time, next_across) in pairwise(current)
        ]
    return current[0]


def hand_names(jugglers: int) -> list[str]:
    """Return a name for each hand, left before right."""
    sides = (_("left"), _("right"))
    return [
        f"{juggler + 1} {side}" if jugglers > 1 else side
        for juggler in range(jugglers)
        for side in sides
    ]


@dataclass(frozen=True)
class HandLines:
    """Places of the lines of hands across a row, and the depth of the row, [mm]."""

    places: tuple[float, ...]
    depth: float


def hand_lines(outside: Sequence[float], between: float, apart: float) -> HandLines:
    """Place the lines of hands, juggler by juggler, the left hand first.

    Args:
        outside: for each hand, the space needed beyond its line, [mm].
        between: from the left hand of a juggler to the right one, [mm].
        apart: between the spaces of two jugglers, [mm].
    """
    places: list[float] = []
    # Where the space of the next juggler begins.
    edge = 0.0
    for left, right in zip(outside[::2], outside[1::2], strict=True):
        places += [edge + left, edge + left + between]
        edge = places[-1] + right + apart
    return HandLines(tuple(places), edge - apart)
