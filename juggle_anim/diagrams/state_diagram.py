"""The state diagram: states as nodes, and the throws between them as labelled arrows that keep
clear of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

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
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.state_graph import StateGraph

MOST_DRAWN = 1_000
"""The most states of a drawing."""

LETTERS = 2.7
"""Size of the letters of states, [mm]."""

# Lengths are in [mm].
_LETTER_WIDTH = 1.72
_NODE_PADDING = 2.6
LINE_HEIGHT = 3.1
_ARROW_WIDTH = 0.32
_LIT_ARROW_WIDTH = 0.85
_DOTS_ARROW_WIDTH = 0.16
_MOST_ASPECT_OF_CIRCLES = 2.0  # width over height
_NODE_GAP = 8.0
_DOT_GAP = 5.0
_RING_GAP = 0.8
_GAP_PER_LETTER = 0.8
_GAP_PER_LINE = 1.5
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
        has_texts: whether nodes have room for their states; else they are dots.
        arrows: between the nodes.
    """

    graph: StateGraph
    width: float
    height: float
    places: Floats
    shape: NodeShape
    has_texts: bool
    arrows: tuple[StateArrow, ...]

    @classmethod
    def lay_out(
        cls,
        graph: StateGraph,
        aspect: float = 1.5,
        *,
        with_texts: bool = True,
        careful: bool = True,
        pause: Callable[[], object] = int,
    ) -> StateDiagram:
        """Lay out a state graph: by least stress, or on rings around the ground state if large.

        Args:
            graph: of at most `MOST_DRAWN` states.
            aspect: wanted width over height.
            with_texts: whether states are written into their nodes; they are dots on rings.
            careful: whether it may take seconds; if not, it is on rings.
            pause: called every few milliseconds, for a host that has other work. The default,
                `int`, does nothing.

        Raises:
            ParameterError: there are more than `MOST_DRAWN` states.
        """
        count = len(graph.states)
        if count > MOST_DRAWN:
            raise ParameterError(
                _(
                    "this state graph has {count:,} states, but a drawing can show at most "
                    "{most_drawn:,}",
                    count=count,
                    most_drawn=MOST_DRAWN,
                )
            )

        # Nodes: with texts, or as dots, which stand closer.
        by_stress = count <= MOST_BY_STRESS and careful
        has_texts = with_texts and by_stress
        shape = (
            _node_shape(graph) if has_texts else NodeShape(width=DOT, height=DOT, corner=DOT / 2)
        )
        links = np.array([(edge.source, edge.target) for edge in graph.edges]).reshape(-1, 2)
        if by_stress:
            gap = _gap_with_labels(graph) if has_texts else _DOT_GAP
            places = stress_layout(links, graph.mirror, shape, gap=gap, aspect=aspect, pause=pause)
        else:
            # Rings of a wide sheet are ellipses.
            places = ring_layout(
                links,
                np.array(graph.distances),
                shape,
                gap=_RING_GAP,
                aspect=aspect if aspect > _MOST_ASPECT_OF_CIRCLES else 1.0,
            )

        # Arrows, with labels where there is room.
        arrows = StateArrowRouter(graph, places, shape, careful=by_stress).route(pause)
        if has_texts:
            curves = [samples(arrow.points) for arrow in arrows]
            sizes = [arrow.label_size for arrow in arrows]
            labels = place_labels(np.array(curves), np.array(sizes), places, shape)
            arrows = [
                replace(arrow, label=label) for arrow, label in zip(arrows, labels, strict=True)
            ]
        diagram = cls(
            graph=graph,
            width=0.0,
            height=0.0,
            places=places,
            shape=shape,
            has_texts=has_texts,
            arrows=tuple(arrows),
        )
        return diagram._on_fitting_sheet()

    def _on_fitting_sheet(self) -> StateDiagram:
        """Copy with everything moved onto a sheet that is just large enough."""
        # Corners of all that is drawn: nodes, points of arrows, labels.
        half_node = np.array([self.shape.width, self.shape.height]) / 2
        corners = [
            self.places - half_node,
            self.places + half_node,
            *(samples(arrow.points) for arrow in self.arrows),
        ]
        for arrow in self.arrows:
            if arrow.label:
                half_label = np.array(arrow.label_size) / 2
                corners += [arrow.label - half_label[None], arrow.label + half_label[None]]
        extent = np.concatenate(corners)
        low = extent.min(axis=0) - _RIM
        width, height = (extent.max(axis=0) + _RIM - low).tolist()
        x, y = low.tolist()
        moved = (
            replace(
                arrow,
                points=arrow.points - low,
                label=arrow.label and (arrow.label[0] - x, arrow.label[1] - y),
            )
            for arrow in self.arrows
        )
        return replace(
            self, width=width, height=height, places=self.places - low, arrows=tuple(moved)
        )


def expected_letters(graph: StateGraph, area: float) -> float:
    """Return the estimated upper limit of the size of states' letters in a picture, [pixels].

    Args:
        graph: what is shown.
        area: of the picture, [pixels²].
    """
    # As if nodes and the gaps around them filled the picture; 0.6 allows for the space between.
    shape = _node_shape(graph)
    area_per_node = (shape.width + _NODE_GAP) * (shape.height + _NODE_GAP)  # mm²
    pixels_per_mm = float(np.sqrt(area / (len(graph.states) * area_per_node)))
    return LETTERS * 0.6 * pixels_per_mm


def _gap_with_labels(graph: StateGraph) -> float:
    """Least gap between nodes with room for labels of arrows, [mm].

    It grows with the longest line of a label, and with the most lines, of which a label has one
    for each edge between the same states.
    """
    letters = max(len(edge.throws) for edge in graph.edges)
    lines = max(Counter((edge.source, edge.target) for edge in graph.edges).values())
    gap = _NODE_GAP + _GAP_PER_LETTER * (min(letters, 8) - 1)
    return gap + _GAP_PER_LINE * (min(lines, 4) - 1)


def _node_shape(graph: StateGraph) -> NodeShape:
    """Shape of nodes with room for their states, of which each row is a line of text."""
    rows = len(graph.states[0])
    longest = max(len(row) for row in graph.states[0])
    height = LINE_HEIGHT * rows + 1.9
    return NodeShape(
        width=max(_NODE_PADDING + _LETTER_WIDTH * longest, height),
        height=height,
        corner=min(height / 2, 2.5),
    )


def draw_state_diagram(
    diagram: StateDiagram, title: str, subtitle: str, walk: Sequence[int] = ()
) -> Drawing:
    """Draw a state diagram.

    Args:
        diagram: laid out.
        title, subtitle: above it.
        walk: states one after another, in a circle, whose arrows are highlighted.
    """
    # The sheet is as wide as the diagram and its heading need, with the diagram in the middle.
    marks = list(_marks(diagram, walk))
    head: list[Mark] = [
        Label((_MARGIN, _MARGIN), title, size=4.2, colour=PRINT_INK, align="start", bold=True),
        Label((_MARGIN, _MARGIN + 5.5), subtitle, size=2.7, colour=GREY, align="start"),
    ]
    width = 2 * _MARGIN + max(diagram.width, 2.45 * len(title), 1.5 * len(subtitle))
    shift = (width - diagram.width) / 2, _HEADING
    return Drawing(
        width=width,
        height=_HEADING + diagram.height + _MARGIN,
        marks=(*head, *(moved_mark(mark, shift) for mark in marks)),
        title=title,
    )


def _marks(diagram: StateDiagram, walk: Sequence[int]) -> Iterator[Mark]:
    """Yield arrows, then nodes, then labels; later marks cover earlier ones.

    Args:
        diagram: what is drawn.
        walk: states one after another, in a circle. Its states and arrows are highlighted, and
            other arrows are pale; without a walk all arrows have the colours of their throws.
    """
    graph = diagram.graph
    shape = diagram.shape
    lit_pairs = set(zip(walk, [*walk[1:], *walk[:1]], strict=True))

    # Arrows: those of the walk on top, and of the others high throws.
    arrows = sorted(
        diagram.arrows, key=lambda arrow: ((arrow.source, arrow.target) in lit_pairs, arrow.value)
    )
    usual_width = _ARROW_WIDTH if diagram.has_texts else _DOTS_ARROW_WIDTH
    for arrow in arrows:
        is_lit = (arrow.source, arrow.target) in lit_pairs
        tint = value_colour(arrow.value, graph.highest) if is_lit or not lit_pairs else _PALE
        points = tuple((x, y) for x, y in arrow.points.tolist())
        yield Stroke(points, tint, _LIT_ARROW_WIDTH if is_lit else usual_width, arrow=True)

    # Nodes; the ground state is the first one.
    for state, (x, y) in enumerate(diagram.places.tolist()):
        is_ground = state == 0
        is_lit = state in walk
        fill = state_colour(graph.distances[state], max(graph.distances))
        edge = GROUND_FILL if is_lit or is_ground else _EDGE
        line = 0.6 if is_lit else 0.25  # mm
        yield Pill((x, y), shape.width, shape.height, fill, outline=edge, line=line)
        if diagram.has_texts:
            rows = graph.states[state]
            ink = WHITE if is_ground else PRINT_INK
            for row, text in enumerate(rows):
                centre = x, y + (row - (len(rows) - 1) / 2) * LINE_HEIGHT
                yield Label(centre, text, LETTERS, ink, bold=is_ground or is_lit)

    # Labels on white ground, with a line for each edge.
    for arrow in arrows:
        if arrow.label:
            is_lit = (arrow.source, arrow.target) in lit_pairs
            tint = value_colour(arrow.value, graph.highest) if is_lit or not lit_pairs else GREY
            x, y = arrow.label
            width, height = arrow.label_size
            yield Pill(arrow.label, width, height, WHITE)
            for row, text in enumerate(arrow.throws):
                centre = x, y + (row - (len(arrow.throws) - 1) / 2) * LABEL_HEIGHT
                yield Label(centre, text, LABEL_LETTERS, tint, bold=True)


_PALE: Colour = (0.84, 0.86, 0.88)
_EDGE: Colour = (0.45, 0.40, 0.34)
