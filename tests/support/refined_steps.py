"""Tells a jump from a fast move: where steps differ most a path is sampled anew, ever finer. A jump
stays.
"""

from collections.abc import Callable

import numpy as np

from juggle_anim.arrays import Floats

SAMPLES = 33
ROUNDS = 6
WATCHED = 4


def lasting_step(follow: Callable[[Floats], Floats], samples: int = SAMPLES) -> float:
    """The longest step that is left of a path from time 0 to 1 once it was sampled at steps of
    about 1e-9.

    Args:
        follow: takes times of shape (N,), gives points of shape (N, 3).
        samples: how many are taken of the whole path; after that, 33 around each of the four places
            where one step differs most from the next, as it does at a jump, however small beside
            the other steps.
    """
    spans = np.linspace(0.0, 1.0, samples)[None]
    for _ in range(ROUNDS):
        points = follow(spans.ravel()).reshape(*spans.shape, 3)
        turns = np.linalg.norm(np.diff(points, 2, axis=1), axis=-1)
        ranked = np.argsort(turns.ravel())[::-1][:WATCHED]
        span, place = np.unravel_index(ranked, turns.shape)
        spans = np.linspace(spans[span, place], spans[span, place + 2], SAMPLES, axis=1)
    points = follow(spans.ravel()).reshape(*spans.shape, 3)
    return float(np.linalg.norm(np.diff(points, axis=1), axis=-1).max())
