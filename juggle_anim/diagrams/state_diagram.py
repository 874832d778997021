"""The state diagram: states as nodes, and the throws between them as labelled arrows that keep
clear of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.diagrams.drawing import (
    GREY,
    GROUND_FILL,
    PRINT_INK,
    WHITE,
    Colour,
    Drawing,
    Label,
    Mark,
    Pill,
    Stroke,
    moved_mark,
    state_colour,
    value_colour,
)
from juggle_anim.diagrams.graph_layout import MOST_BY_STRESS, NodeShape, ring_layout, stress_layout
from juggle_anim.diagrams.state_arrows import (
    DOT,
    LABEL_HEIGHT,
    LABEL_LETTERS,
    StateArrow,
    StateArrowRouter,
    place_labels,
    samples,
)
from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.pattern.state_graph import StateGraph

MOST_DRAWN = 1_000
"""The most states of a drawing."""

LETTERS = 2.7
"""Size of the letters of states, [mm]."""

# Lengths are in [mm].
_EACH = 1.72
_SIDES = 2.6
LINE_HEIGHT = 3.1
_WIDTH = 0.32
_BOLD = 0.85
_THIN = 0.16
_ROUND = 2.0  # up to this width over height, rings are circles
_GAP = 8.0
_DOT_GAP = 5.0
_PER_LETTER = 0.8
_PER_LINE = 1.5
_RIM = 1.0
_MARGIN = 6.0
_HEADING = 15.0


@dataclass(frozen=True)
class StateDiagram:
    """A state graph with places for everything.

    Args:
        graph: what is shown.
        width, height: of the paper, [mm].
        places: of the nodes' centres, shape (N, 2), [mm].
        shape: of the nodes.
        written: whether nodes have room for their states.
        arrows: between the nodes.
    """

    graph: StateGraph
    width: float
    height: float
    places: Floats
    shape: NodeShape
    written: bool
    arrows: tuple[StateArrow, ...]

    @classmethod
    def of(
        cls,
        graph: StateGraph,
        aspect: float = 1.5,
        written: bool = True,
        careful: bool = True,
        pause: Callable[[], object] = int,
    ) -> StateDiagram:
        """Lay out a state graph: with least stress, or on rings around the ground state if it is
        large.

        Args:
            graph: of at most `MOST_DRAWN` states.
            aspect: wanted width over height.
            written: whether states are written into their nodes; they are dots on rings.
            careful: whether it may take seconds; if not, it is on rings.
            pause: called every few milliseconds.

        Raises:
            ParameterError: there are more states.
        """
        count = len(graph.states)
        if count > MOST_DRAWN:
            raise ParameterError(
                _(
                    "this state graph has {count:,} states, and a drawing has at most "
                    "{most_drawn:,}",
                    count=count,
                    most_drawn=MOST_DRAWN,
                )
            )
        by_stress = count <= MOST_BY_STRESS and careful
        written = written and by_stress
        shape = _node_shape(graph) if written else NodeShape(DOT, DOT, DOT / 2)
        links = np.array([edge[:2] for edge in graph.edges]).reshape(-1, 2)
        if by_stress:
            gap = _GAP if written else _DOT_GAP
            if written:
                several = Counter(edge[:2] for edge in graph.edges)
                gap += _PER_LETTER * (min(max(len(edge.throws) for edge in graph.edges), 8) - 1)
                gap += _PER_LINE * (min(max(several.values()), 4) - 1)
            places = stress_layout(links, graph.mirror, shape, gap, aspect, pause)
        else:
            places = ring_layout(
                links, np.array(graph.distances), shape, 0.8, aspect if aspect > _ROUND else 1.0
            )
        arrows = StateArrowRouter(graph, places, shape, by_stress).arrows(pause)
        if written:
            curves = [samples(arrow.points) for arrow in arrows]
            sizes = [arrow.label_size for arrow in arrows]
            labels = place_labels(np.array(curves), np.array(sizes), places, shape)
            arrows = [
                replace(arrow, label=label) for arrow, label in zip(arrows, labels, strict=True)
            ]
        return cls(graph, 0.0, 0.0, places, shape, written, tuple(arrows))._cut()

    def _cut(self) -> StateDiagram:
        """Move all onto a sheet that is just large enough."""
        half = np.array([self.shape.width, self.shape.height]) / 2
        corners = [
            self.places - half,
            self.places + half,
            *(samples(arrow.points) for arrow in self.arrows),
        ]
        for arrow in self.arrows:
            if arrow.label:
                size = np.array(arrow.label_size) / 2
                corners += [arrow.label - size[None], arrow.label + size[None]]
        extent = np.concatenate(corners)
        low = extent.min(axis=0) - _RIM
        width, height = (extent.max(axis=0) + _RIM - low).tolist()
        x, y = low.tolist()
        moved = (
            replace(
                each,
                points=each.points - low,
                label=each.label and (each.label[0] - x, each.label[1] - y),
            )
            for each in self.arrows
        )
        return replace(
            self, width=width, height=height, places=self.places - low, arrows=tuple(moved)
        )


def expected_letters(graph: StateGraph, area: float) -> float:
    """About how large the letters of states are at most in a picture of some area [pixels²],
    [pixels].
    """
    shape = _node_shape(graph)
    return (
        LETTERS
        * 0.6
        * float(np.sqrt(area / (len(graph.states) * (shape.width + _GAP) * (shape.height + _GAP))))
    )


def _node_shape(graph: StateGraph) -> NodeShape:
    rows = len(graph.states[0])
    longest = max(len(row) for row in graph.states[0])
    height = LINE_HEIGHT * rows + 1.9
    return NodeShape(max(_SIDES + _EACH * longest, height), height, min(height / 2, 2.5))


def draw_state_diagram(
    diagram: StateDiagram, title: str, subtitle: str, walk: Sequence[int] = ()
) -> Drawing:
    """Draw a state diagram.

    Args:
        diagram: laid out.
        title, subtitle: above it.
        walk: states one after another, in a circle, whose arrows are highlighted.
    """
    marks = list(_marks(diagram, walk))
    head: list[Mark] = [
        Label((_MARGIN, _MARGIN), title, 4.2, PRINT_INK, "start", bold=True),
        Label((_MARGIN, _MARGIN + 5.5), subtitle, 2.7, GREY, "start"),
    ]
    wide = 2 * _MARGIN + max(diagram.width, 2.45 * len(title), 1.5 * len(subtitle))
    shift = (wide - diagram.width) / 2, _HEADING
    return Drawing(
        wide,
        _HEADING + diagram.height + _MARGIN,
        (*head, *(moved_mark(mark, shift) for mark in marks)),
        title,
    )


def _marks(diagram: StateDiagram, walk: Sequence[int]) -> Iterator[Mark]:
    graph = diagram.graph
    shape = diagram.shape
    lit = set(zip(walk, [*walk[1:], *walk[:1]], strict=True))
    arrows = sorted(
        diagram.arrows, key=lambda arrow: ((arrow.source, arrow.target) in lit, arrow.value)
    )
    usual = _WIDTH if diagram.written else _THIN
    for arrow in arrows:
        on = (arrow.source, arrow.target) in lit
        tint = value_colour(arrow.value, graph.highest) if on or not lit else _PALE
        points = tuple((x, y) for x, y in arrow.points.tolist())
        yield Stroke(points, tint, _BOLD if on else usual, arrow=True)
    for number, (x, y) in enumerate(diagram.places.tolist()):
        ground = number == 0
        on = number in walk
        fill = state_colour(graph.distances[number], max(graph.distances))
        line = GROUND_FILL if on or ground else _EDGE
        yield Pill((x, y), shape.width, shape.height, fill, line, 0.6 if on else 0.25)
        if diagram.written:
            rows = graph.states[number]
            for row, text in enumerate(rows):
                at = x, y + (row - (len(rows) - 1) / 2) * LINE_HEIGHT
                yield Label(at, text, LETTERS, WHITE if ground else PRINT_INK, bold=ground or on)
    for arrow in arrows:
        if arrow.label:
            on = (arrow.source, arrow.target) in lit
            tint = value_colour(arrow.value, graph.highest) if on or not lit else GREY
            width, height = arrow.label_size
            yield Pill(arrow.label, width, height, WHITE)
            for row, text in enumerate(arrow.throws):
                at = (
                    arrow.label[0],
                    arrow.label[1] + (row - (len(arrow.throws) - 1) / 2) * LABEL_HEIGHT,
                )
                yield Label(at, text, LABEL_LETTERS, tint, bold=True)


_PALE: Colour = (0.84, 0.86, 0.88)
_EDGE: Colour = (0.45, 0.40, 0.34)
