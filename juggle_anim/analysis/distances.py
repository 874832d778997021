"""Distances between round cones and discs.

A round cone is the union of all balls whose centre and radius change linearly from one end to the
other. Rings count as thin discs, without a hole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers

THICKNESS = 0.0044
"""Thickness of a disc, [m]."""

# A limb's length shrinks below a micrometre; the distance changes by far less.
_NARROWINGS = 30

_ANGLES = 32
_GOLDEN = (np.sqrt(5.0) - 1) / 2


@dataclass(frozen=True)
class RoundCones:
    """N round cones; a cone without length is a ball.

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
        """Return balls with centres, shape (N, 3), and radii, shape (N,), [m]."""
        return cls(centres, radii, centres, radii)

    def of(self, row: Integers | Booleans) -> RoundCones:
        """Return some of them."""
        return RoundCones(
            self.start[row], self.start_radius[row], self.end[row], self.end_radius[row]
        )


def round_cone_distance(points: Floats, cones: RoundCones) -> Floats:
    """Return distances from points to the surfaces of round cones, negative inside, shape (N,),
    [m].

    With x along the axis, y across it, length l and m = (r₁ − r₀) / l, the nearest ball is at
    x + y·m / √(1 − m²), or at an end.

    Args:
        points: shape (N, 3), [m].
        cones: N.
    """
    axis = cones.end - cones.start
    away = points - cones.start
    length = np.maximum(np.sqrt(_dot(axis, axis)), 1e-9)
    along = _dot(away, axis) / length
    across = np.sqrt(np.maximum(_dot(away, away) - along**2, 0.0))
    growth = np.clip((cones.end_radius - cones.start_radius) / length, -0.999, 0.999)
    centre = np.clip(along + across * growth / np.sqrt(1 - growth**2), 0.0, length)
    apart = np.sqrt((along - centre) ** 2 + across**2)
    return apart - cones.start_radius - (cones.end_radius - cones.start_radius) * centre / length


def _dot(some: Floats, others: Floats) -> Floats:
    """Dot products of rows, shape (N, 3) to (N,), several times as fast as a sum along the short
    axis.
    """
    products = some * others
    return products[:, 0] + products[:, 1] + products[:, 2]


def round_cones_distance(some: RoundCones, others: RoundCones) -> Floats:
    """Return distances between the surfaces of round cones, negative where they overlap, shape
    (N,), [m].

    The distance of the balls at s and t is convex, so its minimum is at an end of one of the cones,
    or where it is least on the lines: with w from ball to ball, unit vectors u and v, and growths k
    and l, there w's part in the plane of u and v is h·c / √(1 − c²), where h is the part across and
    c·u = k, c·v = −l.
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
    """Between the balls that are nearest on both lines, or at the ends where those are not on the
    cones.
    """
    u, length, k = _lines(some)
    v, width, growth = _lines(others)
    away = some.start - others.start
    lean = _dot(u, v)
    det = np.maximum(1 - lean**2, 1e-9)
    by_u = _dot(away, u)
    by_v = _dot(away, v)
    flat = (by_u**2 - 2 * lean * by_u * by_v + by_v**2) / det
    apart = np.sqrt(np.maximum(_dot(away, away) - flat, 0.0))
    steep = (k**2 + 2 * lean * k * growth + growth**2) / det
    slant = apart / np.sqrt(np.maximum(1 - steep, 1e-6))
    first = slant * k - by_u
    second = -slant * growth - by_v
    s = np.clip((first - lean * second) / det, 0.0, length)
    t = np.clip((lean * first - second) / det, 0.0, width)
    balls = away + s[:, None] * u - t[:, None] * v
    return (
        np.sqrt(_dot(balls, balls)) - some.start_radius - k * s - others.start_radius - growth * t
    )


def _lines(cones: RoundCones) -> tuple[Floats, Floats, Floats]:
    """Unit vectors along cones, their lengths, and the growth of the radius with the length."""
    axis = cones.end - cones.start
    length = np.sqrt(_dot(axis, axis))
    least = np.maximum(length, 1e-9)
    return axis / least[:, None], length, (cones.end_radius - cones.start_radius) / least


@dataclass(frozen=True)
class Discs:
    """N upright discs.

    Args:
        centre: shape (N, 3), [m].
        across: shape (N, 3), their normals, level unit vectors.
        radius: shape (N,), [m].
    """

    centre: Floats
    across: Floats
    radius: Floats

    def of(self, row: Integers | Booleans) -> Discs:
        """Return some of them."""
        return Discs(self.centre[row], self.across[row], self.radius[row])


def cone_disc_distance(cones: RoundCones, discs: Discs) -> Floats:
    """Return distances between the surfaces of round cones and discs, negative where they overlap,
    shape (N,), [m].

    The distance is convex along a cone, so golden section finds its minimum.
    """
    axis = cones.end - cones.start
    growth = cones.end_radius - cones.start_radius

    def apart(share: Floats) -> Floats:
        return (
            _point_distance(cones.start + share[:, None] * axis, discs)
            - cones.start_radius
            - share * growth
        )

    start = np.zeros(len(growth))
    end = np.ones(len(growth))
    least = apart(start)
    if axis.any():
        least = np.minimum.reduce([least, apart(end), minimise(apart, start, end, _NARROWINGS)[1]])
    return least - THICKNESS / 2


def discs_distance(some: Discs, others: Discs) -> Floats:
    """Return distances between the surfaces of discs, shape (N,), [m].

    Where discs cross, the distance is negative, by the shortest of three moves that separate them:
    straight up, or along the axis of either until the other is on one side of its plane.
    """
    crossing, up = _crossing(some, others)
    away = others.centre - some.centre
    sine = np.sqrt(np.maximum(1 - _dot(some.across, others.across) ** 2, 0.0))
    beyond = np.maximum(
        np.abs(_dot(away, some.across)) - others.radius * sine,
        np.abs(_dot(away, others.across)) - some.radius * sine,
    )
    # Of the nearest points of discs that do not cross, one is on a rim.
    apart = np.minimum(_rim_distance(some, others), _rim_distance(others, some))
    return np.where(crossing, np.maximum(beyond, -up), apart) - THICKNESS


def _point_distance(points: Floats, discs: Discs) -> Floats:
    away = points - discs.centre
    height = _dot(away, discs.across)
    out = np.sqrt(np.maximum(_dot(away, away) - height**2, 0.0)) - discs.radius
    return np.hypot(height, np.maximum(out, 0.0))


def _crossing(some: Discs, others: Discs) -> tuple[Booleans, Floats]:
    """Which discs cross, and how far up or down one must move until they don't, [m].

    Two upright planes meet in an upright line; each disc contains a piece of it.
    """
    away = others.centre - some.centre
    sine = some.across[:, 2] * others.across[:, 0] - some.across[:, 0] * others.across[:, 2]
    parallel = np.abs(sine) < 1e-9
    sine = np.where(parallel, 1.0, sine)
    # Distances of that line from the centres.
    one = _dot(away, others.across) / sine
    other = _dot(away, some.across) / sine
    half, its = (
        np.sqrt(np.maximum(disc.radius**2 - far**2, 0.0))
        for disc, far in ((some, one), (others, other))
    )
    up = half + its - np.abs(away[:, 1])
    reached = (np.abs(one) < some.radius) & (np.abs(other) < others.radius)
    return reached & (up > 0) & ~parallel, up


def minimise(
    value: Callable[[Floats], Floats], start: Floats, end: Floats, steps: int
) -> tuple[Floats, Floats]:
    """Return where functions are least between two ends, by golden section, and their values there,
    both (N,).

    Args:
        value: takes the arguments of all N functions, shape (N,), and returns their values.
        start, end: the ends, shape (N,); between them each function first falls and then rises.
        steps: each makes the interval shorter by the golden ratio.
    """
    left = end - _GOLDEN * (end - start)
    right = start + _GOLDEN * (end - start)
    at_left = value(left)
    at_right = value(right)
    for _ in range(steps):
        lower = at_left < at_right
        start = np.where(lower, start, left)
        end = np.where(lower, right, end)
        fresh = np.where(lower, end - _GOLDEN * (end - start), start + _GOLDEN * (end - start))
        found = value(fresh)
        left, right = np.where(lower, fresh, right), np.where(lower, left, fresh)
        at_left, at_right = np.where(lower, found, at_right), np.where(lower, at_left, found)
    return np.where(at_left < at_right, left, right), np.minimum(at_left, at_right)


def _rim_distance(some: Discs, others: Discs) -> Floats:
    """From the rims of some discs to others, [m]: the best of evenly spaced angles, refined."""
    level = np.stack([-some.across[:, 2], 0 * some.across[:, 0], some.across[:, 0]], axis=-1)

    def apart(angle: Floats) -> Floats:
        out = some.radius * np.cos(angle)
        up = some.radius * np.sin(angle)
        return _point_distance(
            some.centre + out[:, None] * level + up[:, None] * (0.0, 1.0, 0.0), others
        )

    angles = np.arange(float(_ANGLES)) * (2 * np.pi / _ANGLES)
    best = angles[np.argmin([apart(np.full(len(level), angle)) for angle in angles], axis=0)]
    return minimise(apart, best - angles[1], best + angles[1], _NARROWINGS)[1]
