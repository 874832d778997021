"""Diagrams: pictures of lines and words, as plain geometry that anything can draw."""

from juggle_anim.diagrams.causal import causal
from juggle_anim.diagrams.drawing import Area, Diagram, Drawing, Label, Mark, Picture, Pill, Stroke
from juggle_anim.diagrams.ladder import ladder
from juggle_anim.diagrams.line_drawing import figure_lines

__all__ = [
    "Area",
    "Diagram",
    "Drawing",
    "Label",
    "Mark",
    "Picture",
    "Pill",
    "Stroke",
    "causal",
    "figure_lines",
    "ladder",
]
