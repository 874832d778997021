"""Distance to a round cone: all balls whose centre and radius go evenly from those of one end to those of the other."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats


def round_cone_distance(points: Floats, start: Floats, start_radius: Floats, end: Floats, end_radius: Floats) -> Floats:
    """From points to the surfaces of round cones, negative inside, shape (N,), [m].

    With x along the axis, y across it, length l and m = (r₁ − r₀) / l, the ball that is nearest sits at
    x + y·m / √(1 − m²), or at an end.

    Args:
        points, start, end: shape (N, 3), [m].
        start_radius, end_radius: shape (N,), [m].
    """
    axis, away = end - start, points - start
    length = np.maximum(np.sqrt((axis**2).sum(axis=1)), 1e-9)
    along = (away * axis).sum(axis=1) / length
    across = np.sqrt(np.maximum((away**2).sum(axis=1) - along**2, 0.0))
    growth = np.clip((end_radius - start_radius) / length, -0.999, 0.999)
    centre = np.clip(along + across * growth / np.sqrt(1 - growth**2), 0.0, length)
    apart = np.sqrt((along - centre) ** 2 + across**2)
    return apart - start_radius - (end_radius - start_radius) * centre / length
