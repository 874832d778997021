"""Apart: labels that would cover each other are moved away from each other, by no more than they must."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats

MOST = 60
"""Among more labels than this there is no room to move them."""

_ROUNDS = 12


def moved_apart(
    centres: Floats, sizes: Floats, gap: float = 0.0, across_only: bool = False, standing: int = 0
) -> Floats:
    """Where labels stand once they are moved apart; those that have room stay.

    Args:
        centres: where they would like to stand, shape (N, 2), [pixels]; NaN where there is none.
        sizes: widths and heights, shape (N, 2), [pixels].
        gap: that is left between them, [pixels].
        across_only: whether they move to the sides only.
        standing: so many of the first ones stay where they are, and only the others make room.

    Returns:
        Their centres, shape (N, 2), [pixels].
    """
    places = np.array(centres, dtype=float)
    if not 2 <= len(places) <= MOST:
        return places
    stays = np.arange(len(places)) < standing
    # Two that can both move go half the way each; beside one that stands, the other goes all of it.
    part = np.where(stays[:, None], 0.0, np.where(stays, 1.0, 0.5))
    least = (sizes[:, None] + sizes) / 2 + gap
    first = np.sign(np.arange(len(places))[:, None] - np.arange(len(places)))  # the way of two at one place
    for _ in range(_ROUNDS):
        off = places[:, None] - places
        short = least - np.abs(off)
        meets = (short > 1e-3).all(axis=2) & (first != 0)
        if not meets.any():
            break
        flatter = np.full(meets.shape, True) if across_only else short[..., 0] <= short[..., 1]
        chosen = np.stack([flatter, ~flatter], axis=2) & meets[..., None]
        way = np.where(off == 0, first[..., None], np.sign(off))
        places += np.where(chosen, way * short * part[..., None], 0.0).sum(axis=1)
    return places
