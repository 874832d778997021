"""The smoothest curve through given positions and velocities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.vectors import inverse_permutation

# Each sweep divides the error by 3 or more, so 1e-16 of it is left.
_SWEEPS = 34


@dataclass(frozen=True)
class Knots:
    """Points that closed curves must pass, N rows; those of one curve are linked in a ring.

    Args:
        following: shape (N,), index of the next knot of the same curve.
        duration: shape (N,), time until it, [s], above 0.
        position: shape (N, 3), [m].
        velocity: shape (N, 3), [m/s].
        lowest, highest: shape (N, 3), bounds on the acceleration there, infinite where there are none, [m/s²].
    """

    following: Integers
    duration: Floats
    position: Floats
    velocity: Floats
    lowest: Floats
    highest: Floats


def least_jerk(knots: Knots) -> Floats:
    """The curves of least squared jerk through the knots, twice continuously differentiable.

    Between two knots such a curve is a quintic. With positions and velocities given, its cost is a quadratic in the
    accelerations at the knots, least where the jerk is continuous:
    −3a₋/h₋ + 9a(1/h₋ + 1/h) − 3a₊/h = j − j₋, where j₋ and j are the jerks at the knot's two sides that positions and
    velocities alone would give. The matrix is diagonally dominant, so projected Jacobi sweeps converge whatever the
    knots, also with bounds.

    Returns:
        Shape (N, 6, 3): coefficients of 1, u, u² … u⁵ from each knot to the next, u the time since the knot [s].
    """
    accelerations = _accelerations(knots)
    h = knots.duration[:, None]
    to = knots.following
    p0, v0, a0 = knots.position, knots.velocity, accelerations
    v1, a1 = knots.velocity[to], accelerations[to]
    step = knots.position[to] - p0
    c3 = (20 * step - (8 * v1 + 12 * v0) * h - (3 * a0 - a1) * h**2) / (2 * h**3)
    c4 = (-30 * step + (14 * v1 + 16 * v0) * h + (3 * a0 - 2 * a1) * h**2) / (2 * h**4)
    c5 = (12 * step - 6 * (v1 + v0) * h + (a1 - a0) * h**2) / (2 * h**5)
    return np.stack([p0, v0, a0 / 2, c3, c4, c5], axis=1)


def _accelerations(knots: Knots) -> Floats:
    to, h = knots.following, knots.duration[:, None]
    before = inverse_permutation(to)
    step = 60 * (knots.position[to] - knots.position) / h**3
    starts = step - (36 * knots.velocity + 24 * knots.velocity[to]) / h**2
    ends = step - (24 * knots.velocity + 36 * knots.velocity[to]) / h**2
    wanted = starts - ends[before]
    ahead, behind = 3 / h, 3 / h[before]
    diagonal = 3 * (ahead + behind)
    acceleration = np.zeros_like(knots.position)
    for _ in range(_SWEEPS):
        acceleration = (wanted + behind * acceleration[before] + ahead * acceleration[to]) / diagonal
        acceleration = np.clip(acceleration, knots.lowest, knots.highest)
    return acceleration
