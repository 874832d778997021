"""A diagram of one loop, drawn repeatedly along time: its marks, its scale and the visible part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.diagrams import DiagramOptions, causal, ladder
from juggle_anim.diagrams.drawing import (
    GREY,
    WHITE,
    Colour,
    Label,
    Mark,
    Pill,
    Point,
    Row,
    Stroke,
    moved_mark,
    node_width,
    prop_inks,
)
from juggle_anim.diagrams.timeline import Timeline
from juggle_anim.errors import ParameterError, counted
from juggle_anim.language import _
from juggle_anim.viewer.diagrams.diagram_throws import (
    DiagramThrows,
    PropCurves,
    orbits_of_props,
    prop_curves,
)

MAX_CAUSAL_THROWS = 10_000
"""Throws of a loop times jugglers, at most: every arrow is bent around throws of all of them."""

_TIME_WIDTH = 7.5  # mm; of a time below a ladder, with a gap
_LETTER = 1.3  # mm; half the width of a letter
_BEAT = 0.2  # s; how long a throw is highlighted in patterns without beats
_MAX_SPACING = 22.0  # mm, between lines
_NEAR = 1e-4  # mm; places nearer to each other are one
_STROKE_MARGIN = 3.0  # mm; more than the thickness of any mark


@dataclass(frozen=True)
class LoopDiagram:
    """A ladder or causal diagram of one loop.

    Args:
        kind: "ladder" or "causal".
        marks: of one loop, in drawing order; x from the start of the loop, y from the upper edge,
            [mm].
        edges: bounding box of each mark, shape (N, 4): left, top, right and bottom, [mm].
        length: of the loop along x, [mm].
        depth: extent along y, [mm].
        lines: y, [mm], and name of the line of each hand or juggler.
        nodes: positions of throws, shape (M, 2), [mm].
        texts: of the nodes.
        node_of: the node that each mark belongs to; −1 for none.
        above_present: whether each mark is drawn over the line of the present.
        lit_share: fraction of the loop for which a throw is highlighted.
        prop_curves: curves along which props move; None for causal diagrams.
        throws: descriptions of the throws.
        prop_of: the prop in the first loop that each mark belongs to; −1 for none.
        inks: the colour of each prop.
        orbits: of each prop the first one of its orbit, and how many exchange places in it.
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
    prop_of: tuple[int, ...] = ()
    inks: tuple[Colour, ...] = ()
    orbits: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, kind: str, animation: Animation) -> LoopDiagram:
        """Return the diagram of an animation.

        Raises:
            ParameterError: it is too large to draw.
        """
        score = animation.score
        choreography = animation.choreography
        palette = animation.palette
        if kind == "causal":
            _check_size(choreography.jugglers, len(choreography.flights.throw))
        options = DiagramOptions(loops=1, longest=inf, palette=palette)
        diagram = (ladder if kind == "ladder" else causal)(score, choreography, options)
        (row,) = diagram.rows
        back = -row.corner[0], -row.corner[1]
        marks = tuple(
            moved_mark(mark, back) for mark in diagram.drawing.marks if _repeats(row, mark)
        )
        nodes, node_of = _nodes(marks)
        timeline = Timeline(score, choreography, 1)
        curves = prop_curves(marks, timeline, palette) if kind == "ladder" else None
        return cls(
            kind=kind,
            marks=marks,
            edges=np.array([_edges(mark) for mark in marks]).reshape(-1, 4),
            length=row.length,
            depth=row.depth,
            lines=diagram.lines,
            nodes=nodes,
            texts=_node_texts(marks, node_of, len(nodes)),
            node_of=node_of,
            above_present=tuple(isinstance(mark, Pill) and mark.round_ends for mark in marks),
            lit_share=0.95 * (timeline.beat or _BEAT) / choreography.duration,
            prop_curves=curves,
            throws=DiagramThrows.of(timeline),
            prop_of=_props_of(marks, nodes, node_of, curves),
            inks=tuple(prop_inks(choreography, palette)),
            orbits=tuple(orbits_of_props(timeline)),
        )

    def turns(self, prop: int, lap: int) -> int:
        """How many places further back in its orbit the prop is that is in the place of one some
        loops later.
        """
        return lap % self.orbits[prop][1] if prop >= 0 else 0

    def ink(self, prop: int, lap: int) -> Colour:
        """The colour of the prop that is in the place of one of the first loop some loops later;
        grey for none.
        """
        if prop < 0:
            return GREY
        first, count = self.orbits[prop]
        return self.inks[first + (prop - first - lap) % count]

    def mark_in(self, index: int, lap: int) -> Mark:
        """A mark as it is in a loop: in each, another prop of the orbit takes its place."""
        mark = self.marks[index]
        prop = self.prop_of[index]
        if prop < 0 or not self.turns(prop, lap):
            return mark
        ink = self.ink(prop, lap)
        if isinstance(mark, Pill):
            return replace(mark, outline=ink) if mark.outline else replace(mark, fill=ink)
        return replace(mark, colour=ink) if isinstance(mark, Stroke) else mark

    @cached_property
    def min_spacing(self) -> float:
        """The least distance between lines of throws, [mm]."""
        between = np.diff(np.unique(np.round(self.nodes[:, 1], 3)))
        return float(between[between > 1.0].min(initial=_MAX_SPACING))

    @cached_property
    def max_width(self) -> float:
        """The width of the widest node, [mm]."""
        return max((node_width(word) for word in self.texts), default=0.0)

    @cached_property
    def reach(self) -> float:
        """How far a node reaches to its left and right, with the letter or the word that is beside
        it, [mm].
        """
        letters = [
            mark.at[0] for mark in self.marks if isinstance(mark, Label) and mark.text in ("L", "R")
        ]
        beside = (
            np.abs(np.array(letters)[:, None] - self.nodes[:, 0]).min(axis=1) + _LETTER
            if letters
            else np.zeros(1)
        )
        boxes = [
            mark.width / 2 - mark.centre[0]
            for mark in self.marks
            if isinstance(mark, Pill) and not mark.round_ends
        ]
        return max(self.max_width / 2, float(beside.max()), *boxes)

    def lit(self, phase: float) -> Integers:
        """Return the indices of the nodes highlighted at a phase of the loop, from 0 to 1."""
        ago = (phase - self.nodes[:, 0] / self.length + 1e-9) % 1.0
        return np.flatnonzero(ago < self.lit_share)

    def marks_within(self, left: float, right: float, upper: float, lower: float) -> Integers:
        """Return the indices of the marks that overlap a rectangle, [mm]."""
        edges = self.edges
        across = (edges[:, 1] <= lower) & (edges[:, 3] >= upper)
        return np.flatnonzero(across & (edges[:, 0] <= right) & (edges[:, 2] >= left))

    def line_near(self, across: float) -> int:
        """Return the index of the line nearest to a y in the diagram, [mm]."""
        return int(np.abs(np.array([place for place, _ in self.lines]) - across).argmin())


def _check_size(jugglers: int, throws: int) -> None:
    most = MAX_CAUSAL_THROWS // jugglers
    if throws > most:
        raise ParameterError(
            _(
                "The causal diagram is too large to draw: in a loop there are {throws:,} throws, "
                "and "
                "{most:,} is the most for {jugglers}",
                throws=throws,
                most=most,
                jugglers=counted(jugglers, "juggler"),
            )
        )


def _repeats(row: Row, mark: Mark) -> bool:
    """Whether a mark is drawn in each loop: not the title, the names of lines, and the end of the
    loop.
    """
    end = row.corner[0] + row.length
    if isinstance(mark, Label):
        # A time just before the end of the loop would meet the 0 s of the next one.
        crowded = mark.text.endswith(" s") and mark.at[0] > end - _TIME_WIDTH
        return mark.at[0] >= row.corner[0] - 1e-6 and mark.at[1] >= row.corner[1] and not crowded
    return not (isinstance(mark, Stroke) and mark.dashed and abs(mark.points[0][0] - end) < 1e-6)


def _edges(mark: Mark) -> tuple[float, float, float, float]:
    """Return the bounding box of a mark; a Bézier curve lies within the hull of its points."""
    if isinstance(mark, Stroke):
        (left, upper), (right, lower) = (
            [each(part) for part in zip(*mark.points, strict=True)] for each in (min, max)
        )
        return (
            left - _STROKE_MARGIN,
            upper - _STROKE_MARGIN,
            right + _STROKE_MARGIN,
            lower + _STROKE_MARGIN,
        )
    assert isinstance(mark, Pill | Label)
    (x, y), half = (
        (mark.centre, mark.width / 2)
        if isinstance(mark, Pill)
        else (mark.at, len(mark.text) * mark.size)
    )
    return (
        x - half - _STROKE_MARGIN,
        y - 2 * _STROKE_MARGIN,
        x + half + _STROKE_MARGIN,
        y + 2 * _STROKE_MARGIN,
    )


def _nodes(marks: Sequence[Mark]) -> tuple[Floats, tuple[int, ...]]:
    """Return the positions of throws, and the node of each mark: its outline, its text and the
    arrows that leave it.
    """
    numbers: dict[Point, int] = {}
    for mark in marks:
        if isinstance(mark, Pill) and mark.round_ends:
            numbers.setdefault(_key(mark.centre), len(numbers))
    node_of = [-1] * len(marks)
    for index, mark in enumerate(marks):
        if isinstance(mark, Stroke):
            node_of[index] = numbers.get(_key(mark.points[0]), -1) if len(mark.points) == 4 else -1
        elif isinstance(mark, Label) or (isinstance(mark, Pill) and mark.round_ends):
            node_of[index] = numbers.get(
                _key(mark.at if isinstance(mark, Label) else mark.centre), -1
            )
    return np.array(list(numbers)).reshape(-1, 2), tuple(node_of)


def _props_of(
    marks: Sequence[Mark], nodes: Floats, node_of: Sequence[int], curves: PropCurves | None
) -> tuple[int, ...]:
    """Return the prop of each mark of a ladder: of throws and bars, and of the nodes on them; −1
    for all others.
    """
    if curves is None:
        return (-1,) * len(marks)
    starts = curves.curves[:, 0]
    ends = curves.curves[:, 3]
    on_node = []
    for node in nodes:
        # On the throw that begins here, or else on the bar of a prop that is held on.
        begins = np.abs(starts - node).max(axis=1) < _NEAR
        holds = (np.abs(starts[:, 1] - node[1]) < _NEAR) & (np.abs(ends[:, 1] - node[1]) < _NEAR)
        holds &= (starts[:, 0] < node[0] + _NEAR) & (ends[:, 0] > node[0] - _NEAR)
        found = np.flatnonzero(begins if begins.any() else holds)
        on_node.append(int(curves.props[found[0]]) if len(found) else -1)
    strokes = [
        index
        for index, mark in enumerate(marks)
        if isinstance(mark, Stroke) and len(mark.points) == 4
    ]
    bars = [
        index
        for index, mark in enumerate(marks)
        if isinstance(mark, Pill) and not mark.round_ends and mark.fill != WHITE
    ]
    props = [
        on_node[node] if node >= 0 and isinstance(mark, Pill) else -1
        for mark, node in zip(marks, node_of, strict=True)
    ]
    for index, prop in zip([*strokes, *bars], curves.props.tolist(), strict=True):
        props[index] = prop
    return tuple(props)


def _node_texts(marks: Sequence[Mark], node_of: Sequence[int], count: int) -> tuple[str, ...]:
    texts = [""] * count
    for mark, node in zip(marks, node_of, strict=True):
        if isinstance(mark, Label) and node >= 0:
            texts[node] = mark.text
    return tuple(texts)


def _key(place: Point) -> Point:
    return round(place[0], 6), round(place[1], 6)
