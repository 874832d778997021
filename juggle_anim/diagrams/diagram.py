"""The diagram: a drawing along which time runs, so that a moment can be marked on it and a place be clicked."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from juggle_anim.diagrams.drawing import Drawing, Point


@dataclass(frozen=True)
class Row:
    """A stretch of time that is drawn in one go, from left to right or downward.

    Args:
        start, end: of the stretch, [s].
        corner: where it starts, on its upper left, [mm].
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
    """A drawing with its clock.

    Args:
        drawing: what it looks like.
        rows: one below the other, or beside each other where time runs down; each begins when the last ends.
        down: whether time runs down, and not to the right.
        lines: those that run along a row, by their places across it [mm] and their names.
    """

    drawing: Drawing
    rows: tuple[Row, ...]
    down: bool = False
    lines: tuple[tuple[float, str], ...] = ()

    @property
    def span(self) -> float:
        """For how long it shows what happens: whole loops, [s]."""
        return self.rows[-1].end

    def line_at(self, time: float) -> tuple[Point, Point]:
        """The line across all hands that marks a moment, from end to end, [mm].

        Args:
            time: [s]; past the end it begins anew.
        """
        time %= self.span
        row = self.rows[bisect_right([each.start for each in self.rows], time) - 1]
        along = row.length * (time - row.start) / (row.end - row.start)
        (x, y), depth = row.corner, row.depth
        return ((x, y + along), (x + depth, y + along)) if self.down else ((x + along, y), (x + along, y + depth))

    def time_at(self, place: Point) -> float | None:
        """The moment that stands at a place of the drawing [mm], [s]; None beside the rows."""
        for row in self.rows:
            x, y = place[0] - row.corner[0], place[1] - row.corner[1]
            along, across = (y, x) if self.down else (x, y)
            if 0 <= along <= row.length and 0 <= across <= row.depth:
                return row.start + (row.end - row.start) * along / row.length
        return None
