"""The curve of least bending through given points: a periodic cubic spline."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.vectors import inverse_permutation

# Each sweep halves the error at least, so 1e-16 of it is left.
_SWEEPS = 54


def cubic(following: Integers, duration: Floats, values: Floats) -> Floats:
    """Closed curves of least squared second derivative, twice continuously differentiable.

    Args:
        following: shape (N,), index of the next point of the same closed curve.
        duration: shape (N,), time until it, above 0, [s].
        values: shape (N, C), the points.

    Returns:
        Shape (N, 4, C): coefficients of 1, u, u², u³ from each point to the next, u the time since the point [s].
    """
    free = np.ones(len(following), dtype=bool)
    slope = passing_velocities(following, duration, values, np.zeros_like(values), free)
    step = (values[following] - values) / duration[:, None]
    bend = (3 * step - 2 * slope - slope[following]) / duration[:, None]
    twist = (slope + slope[following] - 2 * step) / duration[:, None] ** 2
    return np.stack([values, slope, bend, twist], axis=1)


def ring(path: Integers, time: Floats, period: float) -> tuple[Integers, Floats]:
    """For points sorted by path and time, the index of the next of the same closed path, and the time until it."""
    first = np.searchsorted(path, path, side="left")
    to = np.arange(1, len(path) + 1)
    following = np.where(np.append(path[1:], -1) != path, first, to)
    apart = time[following] - time
    return following, np.where(following <= np.arange(len(path)), apart + period, apart)


def passing_velocities(
    following: Integers, duration: Floats, position: Floats, velocity: Floats, free: Booleans
) -> Floats:
    """The velocities with which curves of least squared acceleration pass points.

    Where they are free, v₋/h₋ + 2v(1/h₋ + 1/h) + v₊/h = 3(p − p₋)/h₋² + 3(p₊ − p)/h². The matrix is diagonally
    dominant, so Jacobi sweeps converge.

    Args:
        following: shape (N,), index of the next point of the same closed curve.
        duration: shape (N,), time until it, above 0, [s].
        position: shape (N, C).
        velocity: shape (N, C); kept where it is not free.
        free: shape (N,), where the velocity is to be found.
    """
    if not free.any():
        return velocity
    before = inverse_permutation(following)
    ahead = 1 / duration[:, None]
    behind = ahead[before]
    step = 3 * (position[following] - position) * ahead**2
    wanted, diagonal = step + step[before], 2 * (ahead + behind)
    for _ in range(_SWEEPS):
        passing = (wanted - behind * velocity[before] - ahead * velocity[following]) / diagonal
        velocity = np.where(free[:, None], passing, velocity)
    return velocity
