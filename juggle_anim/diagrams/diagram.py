"""The diagram: a drawing along which time runs, row below row."""

from __future__ import annotations

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
