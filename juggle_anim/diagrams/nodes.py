"""Nodes of diagrams: frames with a throw in them; the colours of orbits on paper, and the heading."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.diagrams.drawing import Colour, Label, Mark, Pill, Point
from juggle_anim.errors import counted, printable
from juggle_anim.scene.palette import STANDARD, Palette, prop_colours

NODE_HEIGHT = 4.2
"""Height of a node, [mm]."""

DOT_SIZE = 1.6
"""Diameter of a node without text, [mm]."""

_LETTERS, _EACH, _SIDES = 2.8, 1.75, 2.0

PRINT_INK: Colour = (0.15, 0.16, 0.17)
GREY: Colour = (0.42, 0.44, 0.47)
FAINT: Colour = (0.87, 0.88, 0.90)
WHITE: Colour = (1.0, 1.0, 1.0)

_LIGHTEST = 0.34
"""Greatest relative luminance of a line: its contrast to white is 2.7."""

_LONGEST = 70


def node(at: Point, text: str, colour: Colour | None) -> Iterator[Mark]:
    """Yield the marks of a text in a round frame, or of a dot where there is no text; without a colour of pale text."""
    if colour is None:
        yield Pill(at, node_width(text) * 0.7, NODE_HEIGHT * 0.8, WHITE)
        yield Label(at, text, _LETTERS, GREY)
    elif not text:
        yield Pill(at, DOT_SIZE, DOT_SIZE, colour)
    else:
        yield Pill(at, node_width(text), NODE_HEIGHT, WHITE, colour, 0.5)
        yield Label(at, text, _LETTERS, PRINT_INK, bold=True)


def node_width(text: str) -> float:
    """Return the width of the node of a text, [mm]."""
    return max(NODE_HEIGHT, _SIDES + _EACH * len(text)) if text else DOT_SIZE


def orbit_colours(choreography: Choreography, palette: Palette = STANDARD) -> list[Colour]:
    """Return a colour for each orbit: that of its props if all of them have the same, else one of the palette."""
    inks, first, ours = [], 0, prop_colours(len(choreography.orbits), palette)
    for own, orbit in zip(ours.tolist(), choreography.orbits, strict=True):
        chosen = {look.colour for look in choreography.looks[first : first + orbit.props]}
        (colour,) = chosen if len(chosen) == 1 else (None,)
        inks.append(readable_on_white(colour or (own[0], own[1], own[2])))
        first += orbit.props
    return inks


def readable_on_white(colour: Colour) -> Colour:
    """Return a colour, darkened if it is too pale for a line on white.

    Luminance as in the Web Content Accessibility Guidelines 2.2 (W3C, 2023).
    """
    light = np.asarray(colour, dtype=float) ** 2.2  # near enough to sRGB
    luminance = float(light @ (0.2126, 0.7152, 0.0722))
    if luminance <= _LIGHTEST:
        return colour
    red, green, blue = (light * _LIGHTEST / luminance) ** (1 / 2.2)
    return float(red), float(green), float(blue)


def heading(score: Score, choreography: Choreography) -> tuple[str, str]:
    """Return title and subtitle: what is juggled, by how many, and how long a loop is."""
    jugglers = f"{choreography.jugglers} jugglers  ·  " if choreography.jugglers > 1 else ""
    props = counted(choreography.props, "prop")
    tempo = f"  ·  {choreography.bps:.2g} beats a second" if score.pattern else ""
    text = score.pattern.text if score.pattern and score.pattern.text != score.name else ""
    siteswap = f"{printable(text, _LONGEST)}  ·  " if text else ""
    subtitle = f"{siteswap}{jugglers}{props}{tempo}  ·  a loop of {choreography.duration:.2f} s"
    return printable(score.name, _LONGEST), subtitle
