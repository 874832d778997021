"""Small files of pictures of windows: a palette takes less than half of the room, and nobody
sees it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from juggle_anim.arrays import Bytes, Floats, Integers

_CODE = np.array([65536, 256, 1])  # gives each colour a number of its own
# Of a picture's colours those that are seen most, and those that differ most from others: a ball is
# small.
_PALETTE = (160, Image.Quantize.MEDIANCUT), (64, Image.Quantize.MAXCOVERAGE)
_ROUNDS = 4  # in which each colour goes to the middle of those that it stands for


def write_small(picture: Bytes, path: Path) -> None:
    """Write a picture, shape (height, width, 3), as a PNG with a palette."""
    codes, where, counts = np.unique(picture @ _CODE, return_inverse=True, return_counts=True)
    colours = np.stack([codes // 65536, codes // 256 % 256, codes % 256], axis=1).astype(float)
    palette = _palette(picture, colours, np.sqrt(counts))
    few = Image.fromarray(
        _nearest(colours, palette)[where].reshape(picture.shape[:2]).astype(np.uint8), "P"
    )
    few.putpalette(palette.astype(np.uint8).tobytes())
    few.save(path, optimize=True)


def _palette(picture: Bytes, colours: Floats, weights: Floats) -> Floats:
    """Colours that stand for all of a picture's (N, 3), each as important as its weight."""
    found = [Image.fromarray(picture).quantize(*each).getpalette() or [] for each in _PALETTE]
    palette = np.concatenate([np.array(each, dtype=float).reshape(-1, 3) for each in found])[:256]
    for _ in range(_ROUNDS):
        nearest = _nearest(colours, palette)
        sums = [np.bincount(nearest, weights * each, len(palette)) for each in (1.0, *colours.T)]
        used = sums[0] > 0
        palette[used] = (np.stack(sums[1:], axis=1) / np.maximum(sums[0], 1e-9)[:, None])[used]
    return np.rint(palette)


def _nearest(colours: Floats, palette: Floats) -> Integers:
    """The place in a palette (M, 3) of the nearest to each colour (N, 3)."""
    # Pillow finds it only roughly.
    return ((palette**2).sum(axis=1) - 2.0 * colours @ palette.T).argmin(axis=1)
