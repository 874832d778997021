"""Distances of thin discs, as which rings count: their hole counts as filled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from juggle_anim.analysis.round_cone import RoundCones
from juggle_anim.arrays import Booleans, Floats, Integers

THICKNESS = 0.0044
"""[m]."""

_GOLDEN = (np.sqrt(5.0) - 1) / 2
# A limb's length shrinks below a micrometre, and the distance there changes by far less.
_NARROWINGS = 30
_ANGLES = 32


@dataclass(frozen=True)
class Discs:
    """N upright discs.

    Args:
        centre: shape (N, 3), [m].
        across: shape (N, 3), level unit vectors at right angles to them.
        radius: shape (N,), [m].
    """

    centre: Floats
    across: Floats
    radius: Floats

    def of(self, row: Integers | Booleans) -> Discs:
        """Some of them."""
        return Discs(self.centre[row], self.across[row], self.radius[row])


def cone_disc_distance(cones: RoundCones, discs: Discs) -> Floats:
    """Between the surfaces of round cones and discs, negative where they are in each other, shape (N,), [m].

    From ball to ball of a cone this is convex, so that golden section finds the least.
    """
    axis, growth = cones.end - cones.start, cones.end_radius - cones.start_radius

    def apart(share: Floats) -> Floats:
        return _point_distance(cones.start + share[:, None] * axis, discs) - cones.start_radius - share * growth

    start, end = np.zeros(len(growth)), np.ones(len(growth))
    least = apart(start)
    if axis.any():
        least = np.minimum.reduce([least, apart(end), _narrowed(apart, start, end)])
    return least - THICKNESS / 2


def discs_distance(some: Discs, others: Discs) -> Floats:
    """Between the surfaces of discs, shape (N,), [m].

    Where they cut each other it is less than 0, by the shortest of three moves that part them: straight up, or along
    either's axis until all of the other is on one side of its plane.
    """
    crossing, up = _crossing(some, others)
    away = others.centre - some.centre
    sine = np.sqrt(np.maximum(1 - (some.across * others.across).sum(axis=1) ** 2, 0.0))
    beyond = np.maximum(
        np.abs((away * some.across).sum(axis=1)) - others.radius * sine,
        np.abs((away * others.across).sum(axis=1)) - some.radius * sine,
    )
    return np.where(crossing, np.maximum(beyond, -up), _apart(some, others)) - THICKNESS


def _point_distance(points: Floats, discs: Discs) -> Floats:
    away = points - discs.centre
    height = (away * discs.across).sum(axis=1)
    out = np.sqrt(np.maximum((away**2).sum(axis=1) - height**2, 0.0)) - discs.radius
    return np.hypot(height, np.maximum(out, 0.0))


def _crossing(some: Discs, others: Discs) -> tuple[Booleans, Floats]:
    """Which discs have a point in common, and how far up or down one must move until they have none, [m].

    Two upright planes meet in an upright line; each disc has a piece of it.
    """
    away = others.centre - some.centre
    sine = some.across[:, 2] * others.across[:, 0] - some.across[:, 0] * others.across[:, 2]
    parallel = np.abs(sine) < 1e-9
    sine = np.where(parallel, 1.0, sine)
    # How far from each centre that line is.
    one = (away * others.across).sum(axis=1) / sine
    other = (away * some.across).sum(axis=1) / sine
    half, its = (np.sqrt(np.maximum(disc.radius**2 - far**2, 0.0)) for disc, far in ((some, one), (others, other)))
    up = half + its - np.abs(away[:, 1])
    reached = (np.abs(one) < some.radius) & (np.abs(other) < others.radius)
    return reached & (up > 0) & ~parallel, up


def _apart(some: Discs, others: Discs) -> Floats:
    """Between the nearest points of discs that do not cross, of which one is on a rim, [m]."""
    return np.minimum(_rim_distance(some, others), _rim_distance(others, some))


def _rim_distance(some: Discs, others: Discs) -> Floats:
    """From the nearest point of the rims of some discs to others, [m]: the best of a row of angles, narrowed down."""
    level = np.stack([-some.across[:, 2], 0 * some.across[:, 0], some.across[:, 0]], axis=-1)

    def apart(angle: Floats) -> Floats:
        out, up = some.radius * np.cos(angle), some.radius * np.sin(angle)
        return _point_distance(some.centre + out[:, None] * level + up[:, None] * (0.0, 1.0, 0.0), others)

    angles = np.arange(float(_ANGLES)) * (2 * np.pi / _ANGLES)
    best = angles[np.argmin([apart(np.full(len(level), angle)) for angle in angles], axis=0)]
    return _narrowed(apart, best - angles[1], best + angles[1])


def _narrowed(value: Callable[[Floats], Floats], start: Floats, end: Floats) -> Floats:
    """The least values between two ends, shape (N,): golden section."""
    left, right = end - _GOLDEN * (end - start), start + _GOLDEN * (end - start)
    at_left, at_right = value(left), value(right)
    for _ in range(_NARROWINGS):
        lower = at_left < at_right
        start, end = np.where(lower, start, left), np.where(lower, right, end)
        fresh = np.where(lower, end - _GOLDEN * (end - start), start + _GOLDEN * (end - start))
        found = value(fresh)
        left, right = np.where(lower, fresh, right), np.where(lower, left, fresh)
        at_left, at_right = np.where(lower, found, at_right), np.where(lower, at_left, found)
    return np.minimum(at_left, at_right)
