"""Diagrams and line drawings as plain geometry: strokes, polygons, pills and labels in
millimetres.
"""

from juggle_anim.diagrams.causal import causal
from juggle_anim.diagrams.drawing import (
    Diagram,
    Drawing,
    Label,
    Mark,
    Picture,
    Pill,
    Polygon,
    Stroke,
)
from juggle_anim.diagrams.ladder import ladder
from juggle_anim.diagrams.line_drawing import figure_lines
from juggle_anim.diagrams.timeline import DiagramOptions

__all__ = [
    "Diagram",
    "DiagramOptions",
    "Drawing",
    "Label",
    "Mark",
    "Picture",
    "Pill",
    "Polygon",
    "Stroke",
    "causal",
    "figure_lines",
    "ladder",
]
