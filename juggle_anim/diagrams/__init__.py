"""Diagrams and line drawings as plain geometry: strokes, polygons, pills and labels in
millimetres.
"""

from typing import TYPE_CHECKING

from juggle_anim.diagrams.causal import causal, who_to_whom
from juggle_anim.diagrams.drawing import (
    GREY,
    NODE_HEIGHT,
    PRINT_INK,
    WHITE,
    Colour,
    Diagram,
    Drawing,
    Label,
    Mark,
    Picture,
    Pill,
    Point,
    Polygon,
    Row,
    Stroke,
    arrow_head,
    heading,
    moved_mark,
    node_width,
    prop_inks,
    state_colour,
    svg,
    value_colour,
)
from juggle_anim.diagrams.ladder import (
    Lanes,
    ladder,
    throw_curve,
)
from juggle_anim.diagrams.line_drawing import figure_lines
from juggle_anim.diagrams.timeline import (
    HEADING,
    NO_ORBIT,
    NO_PROP,
    DiagramOptions,
    Flight,
    Timeline,
    hand_name,
    hand_names,
    pattern_in_words,
    phrase_of,
    throw_in_words,
)
from juggle_anim.lazy_dataclass import imported_at_first_use

if TYPE_CHECKING:
    from juggle_anim.diagrams.state_diagram import (
        LABEL_HEIGHT,
        LABEL_LETTERS,
        LETTERS,
        LINE_HEIGHT,
        StateArrow,
        StateDiagram,
        draw_state_diagram,
        expected_letters,
        samples,
    )

__all__ = [
    "GREY",
    "HEADING",
    "LABEL_HEIGHT",
    "LABEL_LETTERS",
    "LETTERS",
    "LINE_HEIGHT",
    "NODE_HEIGHT",
    "NO_ORBIT",
    "NO_PROP",
    "PRINT_INK",
    "WHITE",
    "Colour",
    "Diagram",
    "DiagramOptions",
    "Drawing",
    "Flight",
    "Label",
    "Lanes",
    "Mark",
    "Picture",
    "Pill",
    "Point",
    "Polygon",
    "Row",
    "StateArrow",
    "StateDiagram",
    "Stroke",
    "Timeline",
    "arrow_head",
    "causal",
    "draw_state_diagram",
    "expected_letters",
    "figure_lines",
    "hand_name",
    "hand_names",
    "heading",
    "ladder",
    "moved_mark",
    "node_width",
    "pattern_in_words",
    "phrase_of",
    "prop_inks",
    "samples",
    "state_colour",
    "svg",
    "throw_curve",
    "throw_in_words",
    "value_colour",
    "who_to_whom",
]

# Ladders do without state graphs.
__getattr__ = imported_at_first_use(
    __name__,
    {
        "state_diagram": (
            "LABEL_HEIGHT",
            "LABEL_LETTERS",
            "LETTERS",
            "LINE_HEIGHT",
            "StateArrow",
            "StateDiagram",
            "draw_state_diagram",
            "expected_letters",
            "samples",
        ),
    },
)
