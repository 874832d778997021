"""The tone of a knock: what a ball sounds like that lands in a hand."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Singles

RATE = 48_000
"""Samples a second."""


@lru_cache(maxsize=256)
def tone(pitch: float, loudness: float = 1.0) -> Singles:
    """Two tones, of which the higher dies away sooner, shape (samples,), −1 to 1.

    The array is shared by all who ask for it, and cannot be changed.

    Args:
        pitch: of the lower, [Hz].
        loudness: 0 to 1.
    """
    time = np.arange(round(_LENGTH * RATE)) / RATE
    tones = sum(
        loud * np.sin(2 * np.pi * above * pitch * time) * np.exp(-time / fades) for above, loud, fades in _TONES
    )
    shared = np.asarray(loudness * tones * np.minimum(time / _ATTACK, 1.0), dtype=np.float32)
    shared.setflags(write=False)
    return shared


_LENGTH, _ATTACK = 0.08, 0.001  # seconds
_TONES = ((1.0, 0.45, 0.014), (5.476, 0.2, 0.004))  # over the pitch, loudness, time in which it fades [s]
