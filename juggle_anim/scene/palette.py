"""Colours that tell props apart, also for colour-blind eyes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Singles

# The qualitative set of M. Okabe and K. Ito, "Color Universal Design" (2008), without black; the order keeps neighbours
# far apart in lightness as well as in hue.
_OKABE_ITO = ("D55E00", "56B4E9", "F0E442", "0072B2", "E69F00", "009E73", "CC79A7")


@lru_cache(maxsize=64)
def prop_colours(count: int) -> Singles:
    """A colour for each of some props, shape (count, 3), sRGB; past the seventh they begin again, paler or darker.

    The array is shared by all who ask for so many, and cannot be changed.
    """
    base = np.array([[int(code[place : place + 2], 16) for place in (0, 2, 4)] for code in _OKABE_ITO]) / 255
    number = np.arange(count)
    colours = base[number % len(base)]
    shade = (number // len(base) % 3)[:, None]
    shaded = np.where(shade == 1, 0.5 + 0.5 * colours, np.where(shade == 2, 0.55 * colours, colours))
    shared: Singles = shaded.astype(np.float32)
    shared.setflags(write=False)
    return shared
