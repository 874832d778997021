"""Palettes: colours of props, paths and ghosts for each theme, apart for colour-blind eyes too."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Singles
from juggle_anim.lazy_dataclass import dataclass

# The qualitative set of M. Okabe and K. Ito, "Color Universal Design" (2008), with mint in place of
# black, which clothes come near to; the order keeps neighbours far apart in lightness as well as in
# hue.
_OKABE_ITO = ("D55E00", "56B4E9", "F0E442", "0072B2", "E69F00", "009E73", "CC79A7", "70FFC0")


# Found by simulated annealing: no two of these, of those of hands, throws and ghost included, are
# nearer than 16 in CIEDE2000 for any dichromat, and props are 20 apart for other eyes, too. From
# clothes and from the floors and walls of the stages props differ by 20, and by 15 for dichromats.
_FOR_ALL_EYES = ("C84EF3", "003D05", "B6FF1A", "330052", "46B400", "600FD7", "6DD9FF", "935F00")
# Found likewise, all of them bright enough for the dark stage.
_FOR_ALL_EYES_DARK = (
    "A181FF",
    "FFFF00",
    "D49285",
    "A7FFC1",
    "8A18FA",
    "8FBD00",
    "467F14",
    "E1BFF6",
)

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
        clothes: how much colour clothes have, 0 (grey) to 1.
    """

    props: tuple[str, ...] = _OKABE_ITO
    left: Colour = (0.0, 0.62, 0.45)
    right: Colour = (0.80, 0.42, 0.63)
    thrown: Colour = (0.42, 0.53, 0.66)
    ghost: Colour = (0.96, 0.16, 0.66)
    line_scale: float = 1.0
    clothes: float = 1.0


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
        _FOR_ALL_EYES,
        left=(0.992, 0.051, 0.502),
        right=(0.584, 0.58, 0.643),
        thrown=(0.333, 0.353, 0.306),
        ghost=(0.004, 0.051, 0.0),
        line_scale=1.3,
        clothes=0.1,
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
        _FOR_ALL_EYES_DARK,
        left=(0.427, 0.443, 0.396),
        right=(0.937, 1.000, 1.000),
        thrown=(0.490, 0.345, 0.498),
        ghost=(0.231, 0.639, 0.655),
        line_scale=1.3,
        clothes=0.1,
    ),
}


def palette_of(theme: str, stage: str) -> Palette:
    """Return the palette of a theme on a stage, both by name.

    On the dark stage some themes have a palette of their own.
    """
    return _IN_THE_DARK.get(theme, PALETTES[theme]) if stage == "dark" else PALETTES[theme]


@lru_cache(maxsize=64)
def prop_colours(count: int, palette: Palette = STANDARD) -> Singles:
    """Return a colour for each prop, shape (count, 3), sRGB from 0 to 1.

    Props take the colours of the palette in turn. After the last of them come the same colours
    paler, then darker, then as they are again, and so on. The array is cached and read-only.

    Args:
        count: number of props.
        palette: whose `props` are the colours.
    """
    # The palette's colours as numbers, from two hexadecimal digits each for red, green and blue.
    named = (
        np.array(
            [[int(code[digit : digit + 2], 16) for digit in (0, 2, 4)] for code in palette.props]
        )
        / 255
    )
    index = np.arange(count)
    colours = named[index % len(named)]
    # The round in which a prop takes its colour: in round 0 colours are as they are, in round 1
    # halfway to white, in round 2 darker; then round 0 again.
    round_index = (index // len(named) % 3)[:, None]
    shaded = np.where(
        round_index == 1, 0.5 + 0.5 * colours, np.where(round_index == 2, 0.55 * colours, colours)
    )
    shared: Singles = shaded.astype(np.float32)
    shared.setflags(write=False)
    return shared
