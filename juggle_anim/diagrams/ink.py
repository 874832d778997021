"""Inks: colours that stand out from white paper, and from each other also for colour-blind eyes."""

from __future__ import annotations

import numpy as np

from juggle_anim.choreography import Choreography
from juggle_anim.diagrams.drawing import Colour
from juggle_anim.scene.palette import STANDARD, Palette, prop_colours

INK: Colour = (0.15, 0.16, 0.17)
GREY: Colour = (0.42, 0.44, 0.47)
FAINT: Colour = (0.87, 0.88, 0.90)
WHITE: Colour = (1.0, 1.0, 1.0)

_LIGHTEST = 0.34
"""Relative luminance at most: with it, a line has a contrast of 2.7 to white."""


def orbit_inks(choreography: Choreography, palette: Palette = STANDARD) -> list[Colour]:
    """A colour for each orbit: that of its props where somebody chose one for all of them, or else ours."""
    inks, first, ours = [], 0, prop_colours(len(choreography.orbits), palette)
    for own, orbit in zip(ours.tolist(), choreography.orbits, strict=True):
        chosen = {look.colour for look in choreography.looks[first : first + orbit.props]}
        (colour,) = chosen if len(chosen) == 1 else (None,)
        inks.append(on_white(colour or (own[0], own[1], own[2])))
        first += orbit.props
    return inks


def on_white(colour: Colour) -> Colour:
    """The same colour, darker where it is too pale for a line on white.

    Luminance as in the Web Content Accessibility Guidelines 2.2 (W3C, 2023).
    """
    light = np.asarray(colour, dtype=float) ** 2.2  # near enough to sRGB
    luminance = float(light @ (0.2126, 0.7152, 0.0722))
    if luminance <= _LIGHTEST:
        return colour
    red, green, blue = (light * _LIGHTEST / luminance) ** (1 / 2.2)
    return float(red), float(green), float(blue)
