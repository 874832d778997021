"""The diagram of one loop, repeated without end: its marks, the scale it is drawn at, and the part that is visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, floor, inf

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.diagrams import DiagramOptions, causal, ladder
from juggle_anim.diagrams.drawing import Label, Mark, Pill, Point, Row, Stroke
from juggle_anim.diagrams.nodes import NODE_HEIGHT, node_width
from juggle_anim.diagrams.timeline import Timeline
from juggle_anim.errors import ParameterError
from juggle_anim.viewer.state.diagram_throws import DiagramThrows, PropCurves, prop_curves

MAX_CAUSAL_THROWS = 10_000
"""Throws of a loop times jugglers, at most: every arrow is bent around throws of all of them."""

_LETTER = 1.3  # mm; half as wide as a letter
_BEAT = 0.2  # s; so long a throw is lit where nobody counts beats
_MAX_SPACING = 22.0  # mm; nothing is farther apart
_STROKE_MARGIN = 3.0  # mm; marks are no thicker, also where they are drawn larger than the way between them

DEFAULT_SCALE, MIN_SCALE = 3.7, 3.1
"""How large a millimetre of nodes and words is drawn, and at least, at scale 1, [pixels]."""

MARGIN_ABOVE, MARGIN_BELOW = 1.4, 5.0
"""Room above the rows, and for the numbers of beats below them, [mm]."""

_MIN_ACROSS = 1.6  # pixels of a millimetre across, at least, at scale 1
_PRESENT_AT = 1 / 3  # of the room, where the present stands in a loop that has no room
_EASE = 4.0  # 1/s; how fast it goes there


@dataclass(frozen=True)
class LoopDiagram:
    """A diagram that is as long as a loop.

    Args:
        kind: which diagram.
        marks: of one loop, each covering those before it; x from the start of the loop, y from its upper edge, [mm].
        edges: how far each mark goes, shape (N, 4): left, upper, right and lower, [mm].
        length: of a loop, [mm].
        depth: across it, [mm].
        lines: of hands or jugglers, by their places across it [mm] and their names.
        nodes: places of throws, shape (M, 2), [mm].
        texts: that are written in them.
        node_of: of each mark the number of its throw, and −1 of others.
        above_present: of each mark whether it is to cover the line of the present.
        lit_share: for how much of a loop a throw is lit.
        prop_curves: props on their way; none where lines are not of props.
        throws: what there is to tell of them.
    """

    kind: str
    marks: tuple[Mark, ...]
    edges: Floats
    length: float
    depth: float
    lines: tuple[tuple[float, str], ...]
    nodes: Floats
    texts: tuple[str, ...]
    node_of: tuple[int, ...]
    above_present: tuple[bool, ...]
    lit_share: float
    prop_curves: PropCurves | None
    throws: DiagramThrows

    @classmethod
    def of(cls, kind: str, animation: Animation) -> LoopDiagram:
        """That of an animation.

        Raises:
            ParameterError: it is too large to be drawn.
        """
        score, choreography, palette = animation.score, animation.choreography, animation.palette
        if kind == "causal":
            _check_size(choreography.jugglers, len(choreography.flights.throw))
        options = DiagramOptions(loops=1, longest=inf, palette=palette)
        diagram = (ladder if kind == "ladder" else causal)(score, choreography, options)
        (row,) = diagram.rows
        marks = tuple(_seen_from(row, mark) for mark in diagram.drawing.marks if _repeats(row, mark))
        nodes, node_of = _nodes(marks)
        course = Timeline(score, choreography, 1)
        return cls(
            kind=kind,
            marks=marks,
            edges=np.array([_edges(mark) for mark in marks]).reshape(-1, 4),
            length=row.length,
            depth=row.depth,
            lines=diagram.lines,
            nodes=nodes,
            texts=_words(marks, node_of, len(nodes)),
            node_of=node_of,
            above_present=tuple(isinstance(mark, Pill) and mark.round_ends for mark in marks),
            lit_share=0.95 * (course.beat or _BEAT) / choreography.duration,
            prop_curves=prop_curves(marks, course, palette) if kind == "ladder" else None,
            throws=DiagramThrows.of(course),
        )

    @cached_property
    def min_spacing(self) -> float:
        """How near throws are to each other across it at least, [mm]."""
        between = np.diff(np.unique(np.round(self.nodes[:, 1], 3)))
        return float(between[between > 1.0].min(initial=_MAX_SPACING))

    @cached_property
    def max_width(self) -> float:
        """How wide the widest throw is, [mm]."""
        return max((node_width(word) for word in self.texts), default=0.0)

    @cached_property
    def reach(self) -> float:
        """How far a throw goes to its sides, with the letter of its hand where that stands beside it, [mm]."""
        letters = [mark.at[0] for mark in self.marks if isinstance(mark, Label) and mark.text in ("L", "R")]
        beside = np.abs(np.array(letters)[:, None] - self.nodes[:, 0]).min(axis=1) + _LETTER if letters else np.zeros(1)
        return max(self.max_width / 2, float(beside.max()))

    def lit(self, phase: float) -> Integers:
        """The numbers of the throws that are made at a place in the loop, from 0 to 1."""
        ago = (phase - self.nodes[:, 0] / self.length + 1e-9) % 1.0
        return np.flatnonzero(ago < self.lit_share)

    def marks_within(self, left: float, right: float, upper: float, lower: float) -> Integers:
        """The numbers of the marks that reach into a part of a loop, [mm]."""
        edges = self.edges
        across = (edges[:, 1] <= lower) & (edges[:, 3] >= upper)
        return np.flatnonzero(across & (edges[:, 0] <= right) & (edges[:, 2] >= left))

    def line_near(self, across: float) -> int:
        """The number of the line that is nearest to a place across the tape, [mm]."""
        return int(np.abs(np.array([place for place, _ in self.lines]) - across).argmin())


def _check_size(jugglers: int, throws: int) -> None:
    most = MAX_CAUSAL_THROWS // jugglers
    if throws > most:
        raise ParameterError(
            f"The causal diagram is too large to draw: in a loop there are {throws:,} throws, "
            f"and {most:,} is the most for {jugglers} juggler{'s' * (jugglers > 1)}"
        )


def _repeats(row: Row, mark: Mark) -> bool:
    """Whether a mark belongs to each loop: not the heading, names of lines, nor the end, where the next one starts."""
    if isinstance(mark, Label):
        return mark.at[0] >= row.corner[0] - 1e-6 and mark.at[1] >= row.corner[1]
    end = row.corner[0] + row.length
    return not (isinstance(mark, Stroke) and mark.dashed and abs(mark.points[0][0] - end) < 1e-6)


def _seen_from(row: Row, mark: Mark) -> Mark:
    x, y = row.corner

    def moved(place: Point) -> Point:
        return place[0] - x, place[1] - y

    if isinstance(mark, Stroke):
        points = tuple(moved(point) for point in mark.points)
        return Stroke(points, mark.colour, mark.width, mark.arrow, mark.dashed)
    if isinstance(mark, Pill):
        pill = mark
        return Pill(moved(pill.centre), pill.width, pill.height, pill.fill, pill.outline, pill.line, mark.round_ends)
    assert isinstance(mark, Label), "diagrams have nothing else"
    return Label(moved(mark.at), mark.text, mark.size, mark.colour, mark.align, mark.bold)


def _edges(mark: Mark) -> tuple[float, float, float, float]:
    """Curves lie within the hull of their points."""
    if isinstance(mark, Stroke):
        (left, upper), (right, lower) = ([each(part) for part in zip(*mark.points, strict=True)] for each in (min, max))
        return left - _STROKE_MARGIN, upper - _STROKE_MARGIN, right + _STROKE_MARGIN, lower + _STROKE_MARGIN
    assert isinstance(mark, Pill | Label)
    (x, y), half = (mark.centre, mark.width / 2) if isinstance(mark, Pill) else (mark.at, len(mark.text) * mark.size)
    return x - half - _STROKE_MARGIN, y - 2 * _STROKE_MARGIN, x + half + _STROKE_MARGIN, y + 2 * _STROKE_MARGIN


def _nodes(marks: Sequence[Mark]) -> tuple[Floats, tuple[int, ...]]:
    """Places of throws, and of each mark the number of its throw: its frame, its word, and arrows that begin there."""
    numbers: dict[Point, int] = {}
    for mark in marks:
        if isinstance(mark, Pill) and mark.round_ends:
            numbers.setdefault(_key(mark.centre), len(numbers))
    node_of = [-1] * len(marks)
    for index, mark in enumerate(marks):
        if isinstance(mark, Stroke):
            node_of[index] = numbers.get(_key(mark.points[0]), -1) if len(mark.points) == 4 else -1
        elif isinstance(mark, Label) or (isinstance(mark, Pill) and mark.round_ends):
            node_of[index] = numbers.get(_key(mark.at if isinstance(mark, Label) else mark.centre), -1)
    return np.array(list(numbers)).reshape(-1, 2), tuple(node_of)


def _words(marks: Sequence[Mark], node_of: Sequence[int], count: int) -> tuple[str, ...]:
    words = [""] * count
    for mark, node in zip(marks, node_of, strict=True):
        if isinstance(mark, Label) and node >= 0:
            words[node] = mark.text
    return tuple(words)


def _key(place: Point) -> Point:
    return round(place[0], 6), round(place[1], 6)


@dataclass(frozen=True)
class DiagramFit:
    """How large a tape is drawn.

    Args:
        along, across: pixels of a millimetre along time and across it.
        unit: pixels of a millimetre of nodes, words and thicknesses.
        loops: how many loops there is room for: a whole number, or less than 1.
        height: how much of it there is across, [pixels].
    """

    along: float
    across: float
    unit: float
    loops: float
    height: float

    @classmethod
    def of(cls, tape: LoopDiagram, width: float, height: float, scale: float) -> DiagramFit:
        """That for some room, [pixels].

        Args:
            tape: to be drawn.
            width, height: of the room, [pixels].
            scale: of everything.
        """
        usual, least = DEFAULT_SCALE * scale, MIN_SCALE * scale
        loops = max(round(width / (tape.length * usual)), 1)
        while loops > 1 and width / (tape.length * loops) < least:
            loops -= 1
        along = width / (tape.length * loops)
        if along < least:
            along = usual
        narrow = tape.min_spacing
        flattest = max(_MIN_ACROSS * scale, least * 1.05 * NODE_HEIGHT / narrow)
        across = min(max((height - (MARGIN_ABOVE + MARGIN_BELOW) * usual) / tape.depth, flattest), usual)
        unit = min(max(across * narrow / (1.05 * NODE_HEIGHT), least), usual, max(along, least))
        return cls(
            along,
            across,
            unit,
            width / (tape.length * along),
            across * tape.depth + (MARGIN_ABOVE + MARGIN_BELOW) * unit,
        )

    def y_of(self, tape: LoopDiagram, across: float) -> float:
        """Where a place across the tape [mm] is drawn, from its upper edge, [pixels]."""
        return self.across * min(across, tape.depth) + self.unit * (MARGIN_ABOVE + max(across - tape.depth, 0.0))


def preferred_height(tape: LoopDiagram) -> float:
    """How much room a tape would like across, at scale 1, [pixels]."""
    return DEFAULT_SCALE * (MARGIN_ABOVE + tape.depth + MARGIN_BELOW)


class DiagramView:
    """Which part of a tape is seen."""

    def __init__(self) -> None:
        self.start = 0.0
        """Where the room begins, in loops."""
        self.scrolled = 0.0
        """How much is hidden above, [pixels]."""
        self._followed: int | None = None

    def follow(self, now: float, fit: DiagramFit, elapsed: float, still: bool) -> None:
        """Show the present.

        Args:
            now: the present, in loops.
            fit: how much is seen.
            elapsed: since the last time, [s].
            still: whether it is not to move under the mouse, or because time stands still.
        """
        if fit.loops > 1 - 1e-6:
            pages = round(fit.loops)
            if not (still and self.start <= now <= self.start + pages and (self.start % pages) == 0):
                self.start = float(floor(now / pages) * pages)
            return
        ahead = now - self.start
        if not 0 <= ahead <= fit.loops:
            ahead = _PRESENT_AT * fit.loops
        elif not still:
            ahead += (_PRESENT_AT * fit.loops - ahead) * (1 - exp(-_EASE * elapsed))
        self.start = now - ahead

    def center_on(self, juggler: int | None, middle: float, fit: DiagramFit, height: float) -> None:
        """Bring the lines of a juggler to the middle as soon as somebody follows them.

        Args:
            juggler: who is followed; None for nobody.
            middle: of their lines, from the upper edge of the tape, [pixels].
            fit: how much is seen.
            height: of the room, [pixels].
        """
        if juggler != self._followed and juggler is not None:
            self.scroll(middle - height / 2 - self.scrolled, fit, height)
        self._followed = juggler

    def scroll(self, pixels: float, fit: DiagramFit, height: float) -> None:
        """Move what is seen across the tape, as far as there is more."""
        self.scrolled = min(max(self.scrolled + pixels, 0.0), max(fit.height - height, 0.0))
