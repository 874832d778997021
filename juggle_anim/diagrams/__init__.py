"""Diagrams: pictures of lines and words, as plain geometry that anything can draw."""

from juggle_anim.diagrams.causal import causal
from juggle_anim.diagrams.diagram import Diagram
from juggle_anim.diagrams.drawing import Area, Drawing, Label, Mark, Picture, Pill, Stroke
from juggle_anim.diagrams.figure_lines import figure_lines
from juggle_anim.diagrams.ladder import ladder

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
