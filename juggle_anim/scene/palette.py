"""Palettes: colours of props, paths and ghosts, for each theme, that colour-blind eyes can tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Singles

# The qualitative set of M. Okabe and K. Ito, "Color Universal Design" (2008), without black; the order keeps neighbours
# far apart in lightness as well as in hue.
_OKABE_ITO = ("D55E00", "56B4E9", "F0E442", "0072B2", "E69F00", "009E73", "CC79A7")


# Found by a random search: colours near those of Okabe and Ito, of which no two, those of hands, throws and ghost
# included, are nearer than 16 in CIEDE2000 for any dichromat.
_FOR_ALL_EYES = ("970800", "26B8FB", "F2E53F", "2675F3", "8F7C00", "91B86A", "B44E61")
# Found likewise, all of them bright enough for the dark stage.
_FOR_ALL_EYES_DARK = ("CD6164", "FBFF3C", "9A31C3", "02ECA5", "007700", "E5BAFF", "A2B400")

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Palette:
    """Colours that mean something in a picture, sRGB.

    Args:
        props: of props in turn, in hexadecimal as `FF8800`.
        left, right: of the paths of left and right hands.
        thrown: of the paths of throws.
        ghost: of the arms of a second solver.
        line_scale: thickness of paths over the default.
    """

    props: tuple[str, ...] = _OKABE_ITO
    left: Colour = (0.0, 0.62, 0.45)
    right: Colour = (0.80, 0.42, 0.63)
    thrown: Colour = (0.42, 0.53, 0.66)
    ghost: Colour = (0.96, 0.16, 0.66)
    line_scale: float = 1.0


STANDARD = Palette()
PALETTES = {
    "standard": STANDARD,
    "projected": Palette(
        left=(0.0, 0.42, 0.28),
        right=(0.66, 0.10, 0.42),
        thrown=(0.10, 0.22, 0.40),
        ghost=(0.80, 0.0, 0.50),
        line_scale=1.9,
    ),
    "colour-blind": Palette(
        _FOR_ALL_EYES, (0.961, 0.604, 0.710), (0.039, 0.094, 0.925), (0.502, 0.471, 0.592), (0.424, 0.184, 0.345), 1.3
    ),
}
"""Palettes by theme."""

_IN_THE_DARK = {
    "projected": Palette(
        left=(0.35, 0.95, 0.70),
        right=(1.0, 0.60, 0.85),
        thrown=(0.75, 0.85, 1.0),
        ghost=(1.0, 0.35, 0.80),
        line_scale=1.9,
    ),
    "colour-blind": Palette(
        _FOR_ALL_EYES_DARK, (0.306, 0.639, 0.643), (0.871, 1.0, 0.980), (0.408, 0.384, 0.451), (0.796, 0.396, 1.0), 1.3
    ),
}


def palette_of(theme: str, stage: str) -> Palette:
    """Return the palette of a theme on a stage, both by name."""
    return _IN_THE_DARK.get(theme, PALETTES[theme]) if stage == "dark" else PALETTES[theme]


@lru_cache(maxsize=64)
def prop_colours(count: int, palette: Palette = STANDARD) -> Singles:
    """Return a colour for each prop, shape (count, 3), sRGB; after the seventh they repeat, paler and then darker.

    The array is cached and read-only.
    """
    base = np.array([[int(code[place : place + 2], 16) for place in (0, 2, 4)] for code in palette.props]) / 255
    number = np.arange(count)
    colours = base[number % len(base)]
    shade = (number // len(base) % 3)[:, None]
    shaded = np.where(shade == 1, 0.5 + 0.5 * colours, np.where(shade == 2, 0.55 * colours, colours))
    shared: Singles = shaded.astype(np.float32)
    shared.setflags(write=False)
    return shared
