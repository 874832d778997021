"""Diagrams: pictures of lines and words, as plain geometry that anything can draw."""

from juggle_anim.diagrams.causal import causal
from juggle_anim.diagrams.drawing import Diagram, Drawing, Label, Mark, Picture, Pill, Polygon, Stroke
from juggle_anim.diagrams.ladder import ladder
from juggle_anim.diagrams.line_drawing import figure_lines

__all__ = [
    "Diagram",
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
