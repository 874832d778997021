"""Inks of diagrams on the screen: as printed on white paper, and brighter on the dark paper of a dark theme."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from juggle_anim.diagrams.drawing import Colour
from juggle_anim.diagrams.ink import FAINT, GREY, INK, WHITE
from juggle_anim.viewer import theme

_DARKEST = 0.25
"""Relative luminance at least, on dark paper."""


def on_paper(colour: Colour) -> int:
    """A colour of a diagram, as the panel's drawing functions want it."""
    if not is_dark():
        return packed(colour)
    names = {WHITE: theme.PAPER, INK: theme.PAPER_INK, GREY: theme.MUTED, FAINT: theme.LINE}
    return names[colour] if colour in names else packed(on_dark(colour))


def on_dark(colour: Colour) -> Colour:
    """The same colour, brighter where it is too dark for a line on dark paper.

    Luminance as in the Web Content Accessibility Guidelines 2.2 (W3C, 2023).
    """
    light = np.asarray(colour, dtype=float) ** 2.2  # near enough to sRGB
    luminance = float(light @ (0.2126, 0.7152, 0.0722))
    if luminance >= _DARKEST:
        return colour
    # What is full already cannot get brighter, so white is mixed in.
    share = (_DARKEST - luminance) / (1 - luminance)
    red, green, blue = (light + share * (1 - light)) ** (1 / 2.2)
    return float(red), float(green), float(blue)


def is_dark() -> bool:
    """Whether the paper of this theme is dark."""
    return sum(theme.PAPER >> shift & 0xFF for shift in (0, 8, 16)) < 3 * 128


def packed(colour: Colour) -> int:
    """A colour as the panel's drawing functions want it."""
    return imgui.color_convert_float4_to_u32(imgui.ImVec4(*colour, 1.0))
