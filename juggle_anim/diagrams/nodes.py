"""Nodes: where something is thrown, with the throw written in it."""

from __future__ import annotations

from collections.abc import Iterator

from juggle_anim.diagrams.drawing import Colour, Label, Mark, Pill, Point
from juggle_anim.diagrams.ink import GREY, INK, WHITE

HEIGHT = 4.2
"""Of a node, [mm]."""

SMALL = 1.6
"""Of one without a word, [mm]."""

_LETTERS, _EACH, _SIDES = 2.8, 1.75, 2.0


def node(at: Point, text: str, colour: Colour) -> Iterator[Mark]:
    """A word in a round frame, or a dot where there is no word."""
    if not text:
        yield Pill(at, SMALL, SMALL, colour)
        return
    yield Pill(at, node_width(text), HEIGHT, WHITE, colour, 0.5)
    yield Label(at, text, _LETTERS, INK, bold=True)


def empty_node(at: Point, text: str) -> Iterator[Mark]:
    """A pale word without a frame."""
    yield Pill(at, node_width(text) * 0.7, HEIGHT * 0.8, WHITE)
    yield Label(at, text, _LETTERS, GREY)


def node_width(text: str) -> float:
    """How wide the node of a word is, [mm]."""
    return max(HEIGHT, _SIDES + _EACH * len(text)) if text else SMALL
