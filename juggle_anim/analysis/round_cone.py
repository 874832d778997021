"""Distances of round cones: all balls whose centre and radius go evenly from those of one end to those of the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers


@dataclass(frozen=True)
class RoundCones:
    """N round cones; one without length is a ball.

    Args:
        start, end: shape (N, 3), [m].
        start_radius, end_radius: shape (N,), [m].
    """

    start: Floats
    start_radius: Floats
    end: Floats
    end_radius: Floats

    @classmethod
    def balls(cls, centres: Floats, radii: Floats) -> Self:
        """Balls, shape (N, 3) and (N,), [m]."""
        return cls(centres, radii, centres, radii)

    def of(self, row: Integers | Booleans) -> RoundCones:
        """Some of them."""
        return RoundCones(self.start[row], self.start_radius[row], self.end[row], self.end_radius[row])


def round_cone_distance(points: Floats, cones: RoundCones) -> Floats:
    """From points to the surfaces of round cones, negative inside, shape (N,), [m].

    With x along the axis, y across it, length l and m = (r₁ − r₀) / l, the ball that is nearest sits at
    x + y·m / √(1 − m²), or at an end.

    Args:
        points: shape (N, 3), [m].
        cones: N.
    """
    axis, away = cones.end - cones.start, points - cones.start
    length = np.maximum(np.sqrt((axis**2).sum(axis=1)), 1e-9)
    along = (away * axis).sum(axis=1) / length
    across = np.sqrt(np.maximum((away**2).sum(axis=1) - along**2, 0.0))
    growth = np.clip((cones.end_radius - cones.start_radius) / length, -0.999, 0.999)
    centre = np.clip(along + across * growth / np.sqrt(1 - growth**2), 0.0, length)
    apart = np.sqrt((along - centre) ** 2 + across**2)
    return apart - cones.start_radius - (cones.end_radius - cones.start_radius) * centre / length


def round_cones_distance(some: RoundCones, others: RoundCones) -> Floats:
    """Between the surfaces of round cones, negative where they are in each other, shape (N,), [m].

    How far apart the balls at s and t are is convex, so the least is at an end of one or the other, or where it is
    least on the lines: with w from ball to ball, unit vectors u and v, and growths k and l, there w's part in the plane
    of u and v is h·c / √(1 − c²), where h is the part across and c·u = k, c·v = −l.
    """
    between = np.minimum.reduce(
        [
            round_cone_distance(some.start, others) - some.start_radius,
            round_cone_distance(some.end, others) - some.end_radius,
            round_cone_distance(others.start, some) - others.start_radius,
            round_cone_distance(others.end, some) - others.end_radius,
        ]
    )
    return np.minimum(between, _beside(some, others))


def _beside(some: RoundCones, others: RoundCones) -> Floats:
    """Between the balls that are nearest on both lines, or the ones at the ends where these are not on the cones."""
    u, length, k = _lines(some)
    v, width, growth = _lines(others)
    away = some.start - others.start
    lean = (u * v).sum(axis=1)
    det = np.maximum(1 - lean**2, 1e-9)
    by_u, by_v = (away * u).sum(axis=1), (away * v).sum(axis=1)
    flat = (by_u**2 - 2 * lean * by_u * by_v + by_v**2) / det
    apart = np.sqrt(np.maximum((away**2).sum(axis=1) - flat, 0.0))
    steep = (k**2 + 2 * lean * k * growth + growth**2) / det
    slant = apart / np.sqrt(np.maximum(1 - steep, 1e-6))
    first, second = slant * k - by_u, -slant * growth - by_v
    s = np.clip((first - lean * second) / det, 0.0, length)
    t = np.clip((lean * first - second) / det, 0.0, width)
    balls = away + s[:, None] * u - t[:, None] * v
    return np.sqrt((balls**2).sum(axis=1)) - some.start_radius - k * s - others.start_radius - growth * t


def _lines(cones: RoundCones) -> tuple[Floats, Floats, Floats]:
    """Unit vectors along cones, lengths, and by how much the radius grows with the length."""
    axis = cones.end - cones.start
    length = np.sqrt((axis**2).sum(axis=1))
    least = np.maximum(length, 1e-9)
    return axis / least[:, None], length, (cones.end_radius - cones.start_radius) / least
