"""Detours of hands between throws and catches: over or under the direct path, toward the body, and around it."""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography
from juggle_anim.choreography.choreography import CATCH, THROW
from juggle_anim.motion.flight import props_held
from juggle_anim.motion.knots import BETWEEN, Waypoints, places_along_curves
from juggle_anim.motion.piecewise import PiecewisePolynomial, powers

MAX_DETOUR = 0.15
"""Largest distance of a hand over or under the direct path, [m]."""

MAX_DETOUR_ACCELERATION = 40.0
"""Bound of the extra acceleration of a detour, [m/s²]."""

# (4s(1 − s))³ by powers of s; its second derivative is at most 24.
_BUMP = (0, 0, 0, 64, -192, 192, -64)

# The same by powers of s − s₀: times the powers of s₀, each row gives the factor of one of them.
_BUMP_FROM = np.array([[comb(n, k) * _BUMP[n] for n in range(k, 7)] + [0] * k for k in range(7)], dtype=float)

_MAX_BUMP_CURVATURE = 24.0

TRUNK_FRONT, TRUNK_SIDE = 0.24, 0.27
"""How far ahead and to the side of a body's place a natural hand keeps, [m]."""

MAX_AROUND_ACCELERATION = 90.0
"""Bound of the extra acceleration of a hand that goes around its trunk, [m/s²]."""

MAX_BUMP_ACCELERATION = 90.0
"""Bound of the extra acceleration of a hand that goes around a prop, along each axis, [m/s²]."""

_LARGEST_AROUND = 0.25  # [m]

_SAME_TIME = 1e-9  # [s]

# Where the bump is lower, at the ends of a way, a detour around the trunk is not measured.
_LOWEST_BUMP = 0.15

# Shares of a piece at which it is looked at.
_SHARES = np.linspace(0.0, 1.0, 9)

_SIGN = {"direct": 0.0, "over": 1.0, "under": -1.0}


def with_detours(curves: Floats, points: Waypoints, choreography: Choreography, empty: str) -> Floats:
    """Move curves of empty hands over or under the direct path, except where the text gives the path.

    The added d·(4s(1 − s))³, with s from 0 at the throw to 1 at the catch, has position, velocity and acceleration 0 at
    its ends, so throws and catches do not change.

    Args:
        curves: shape (N, 6, 3), from each point to the next, by the time since it, [m], [m/s] …
        points: N rows.
        choreography: flights and orbits.
        empty: "direct", "over" or "under".

    Returns:
        Shape (N, 7, 3); the curves themselves if `empty` is "direct".
    """
    if not (sign := _SIGN[empty]):
        return curves
    farthest = np.where(_empty_after(points, choreography), sign * MAX_DETOUR, 0.0)
    return bent(curves, points, farthest, (0.0, 1.0, 0.0))


def clear_of_trunk(curves: Floats, points: Waypoints) -> Floats:
    """Curves that go around the trunk of their body where their ends are outside of it; shape (N, 7, 3).

    Args:
        curves: shape (N, 7, 3), from each point to the next.
        points: N rows.
    """
    following, lasts = points.ring
    places = places_along_curves(curves, lasts, _SHARES)
    inside = np.maximum(_trunk_front(places) - places[..., 2], 0.0)
    if not inside.any():
        return curves
    event, gap = points.last_event
    share = ((points.time - points.time[event])[:, None] % points.loop + lasts[:, None] * _SHARES) / gap[:, None]
    bump = (4.0 * share * (1.0 - share)) ** 3
    needed = np.where(bump > _LOWEST_BUMP, inside / np.maximum(bump, _LOWEST_BUMP), 0.0).max(axis=1)
    around = np.zeros(len(points.hand))
    np.maximum.at(around, event, np.minimum(needed, _LARGEST_AROUND))
    outside = (points.kind == BETWEEN) | (points.position[:, 2] > _trunk_front(points.position))
    free = np.ones(len(points.hand), dtype=bool)
    np.logical_and.at(free, event, outside & outside[following])
    around *= free
    return bent(curves, points, around, (0.0, 0.0, 1.0), MAX_AROUND_ACCELERATION)


def _trunk_front(places: Floats) -> Floats:
    """How far ahead the front of a trunk is beside places (..., 3), shape (...), [m]; −∞ outside of its width."""
    beside = 1.0 - (places[..., 0] / TRUNK_SIDE) ** 2
    return np.where(beside > 0.0, TRUNK_FRONT * np.sqrt(np.maximum(beside, 0.0)), -np.inf)


def bent(
    curves: Floats,
    points: Waypoints,
    farthest: Floats,
    direction: tuple[float, float, float],
    acceleration: float = MAX_DETOUR_ACCELERATION,
) -> Floats:
    """Curves with a detour from some events to the next, as `with_detours` describes it; shape (N, 7, 3).

    Args:
        curves, points: as there.
        farthest: shape (N,), at the rows of the events from which on, how far, [m]; less where there is little time.
        direction: in which.
        acceleration: the most that it adds, [m/s²].
    """
    padded = np.zeros((len(curves), 7, 3))
    padded[:, : curves.shape[1]] = curves
    event, gap = points.last_event
    rows = farthest[event].nonzero()[0]
    if not rows.size:
        return padded
    lasts = gap[rows]
    since = (points.time[rows] - points.time[event[rows]]) % points.loop / lasts
    most = acceleration / _MAX_BUMP_CURVATURE * lasts**2
    far = np.minimum(np.maximum(farthest[event[rows]], -most), most)
    padded[rows] += (_bump_terms(since, lasts) * far[:, None])[:, :, None] * direction
    return padded


def with_bumps(
    paths: PiecewisePolynomial, path: Integers, start: Floats, lasts: Floats, far: Floats
) -> PiecewisePolynomial:
    """Paths with a bump, as `with_detours` describes it, in some of their time.

    Args:
        paths: of K hands, no piece of a higher degree than 6.
        path: shape (W,), the paths that have the bumps, sorted; those of one do not overlap.
        start: shape (W,), when they begin, sorted on each path, 0 ≤ start < period, [s].
        lasts: shape (W,), how long they last, [s].
        far: shape (W, 3), how far they go, [m]; along each axis less where there is little time.
    """
    piece, since = paths.locate(path, start)
    new = since > _SAME_TIME
    later = [paths.evaluate(piece[new], since[new], order) / factorial(order) for order in range(7)]
    old = np.pad(paths.coefficients, ((0, 0), (0, 7 - paths.coefficients.shape[1]), (0, 0)))
    paths = PiecewisePolynomial(
        paths.periods,
        np.concatenate([paths.path, path[new]]),
        np.concatenate([paths.start, start[new]]),
        np.concatenate([old, np.stack(later, axis=1)]),
    ).sorted()
    rows = np.flatnonzero(np.isin(paths.path, path))
    bumps = PiecewisePolynomial(paths.periods, path, start, np.zeros((len(path), 1, 0)))
    bump, since = bumps.locate(paths.path[rows], paths.start[rows] + _SAME_TIME)
    inside = since < lasts[bump]
    rows, bump, since = rows[inside], bump[inside], since[inside]
    most = MAX_BUMP_ACCELERATION / _MAX_BUMP_CURVATURE * lasts[:, None] ** 2
    terms = _bump_terms(since / lasts[bump], lasts[bump])
    paths.coefficients[rows] += terms[:, :, None] * np.clip(far, -most, most)[bump, None]
    return paths


def _bump_terms(share: Floats, lasts: Floats) -> Floats:
    """A bump 1 m high by powers of the time since points at shares of it, rather than since its start, (N, 7)."""
    return powers(share, 7) @ _BUMP_FROM.T / powers(lasts, 7)


def _empty_after(points: Waypoints, choreography: Choreography) -> Booleans:
    """Which rows are throws after which a hand is empty until its next event, a catch or a throw."""
    events, following, lasts = points.events
    kind = points.kind[events]
    free = (kind == THROW) & (kind[following] <= CATCH)
    free &= props_held(choreography, points.hand[events], (points.time[events] + lasts / 2) % points.loop) == 0
    empty = np.zeros(len(points.hand), dtype=bool)
    empty[events] = free
    return empty
