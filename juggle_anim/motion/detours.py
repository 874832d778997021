"""Detours of hands between throws and catches: over or under the direct path, up from deep dips,
and around the body.

A claw, a hand with its palm down, comes from beside a prop and over it, falls along, and pulls back
as it lets go. A prop that falls would pass through a hand that waits above the place where it is
caught. So from a throw to a catch the hand goes around what comes down: behind it where it stays a
claw, its fingers up, and outside of it where it turns over.
"""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, Grasp
from juggle_anim.choreography.choreography import CATCH, THROW, Events
from juggle_anim.motion.flight import props_held
from juggle_anim.motion.knots import BETWEEN, Waypoints, places_along_curves
from juggle_anim.motion.piecewise import PiecewisePolynomial, powers, successors
from juggle_anim.vectors import smooth_step

MAX_DETOUR = 0.15
"""Largest distance of a hand over or under the direct path, [m]."""

MAX_DETOUR_ACCELERATION = 40.0
"""Bound of the extra acceleration of a detour, [m/s²]."""

# (4s(1 − s))³ by powers of s; its second derivative is at most 24.
_BUMP = (0, 0, 0, 64, -192, 192, -64)

# The same by powers of s − s₀: times the powers of s₀, each row gives the factor of one of them.
_BUMP_FROM = np.array(
    [[comb(n, k) * _BUMP[n] for n in range(k, 7)] + [0] * k for k in range(7)], dtype=float
)

_MAX_BUMP_CURVATURE = 24.0

TRUNK_FRONT = 0.24
TRUNK_SIDE = 0.27
"""How far ahead and to the side of a body's place a natural hand keeps, [m]."""

MAX_AROUND_ACCELERATION = 90.0
"""Bound of the extra acceleration of a hand that goes around its trunk, [m/s²]."""

MAX_LIFT_ACCELERATION = 25.0
"""Bound of the extra acceleration of a hand that dips less low, [m/s²]."""

MAX_BUMP_ACCELERATION = 90.0
"""Bound of the extra acceleration of a hand that goes around a prop, along each axis, [m/s²]."""

_LARGEST_BUMP = 0.25  # [m]

# About where arms begin, outward, up and forward, and how long they are to what hands hold, [m].
_ARM_FROM = (0.19, 1.38, 0.05)
_ARM_LENGTH = 0.58

_SAME_TIME = 1e-9  # [s]

# Where hands are far out, bodies lean, so that a dip to this height is not too low, [m].
_HIGHEST_DIP = 0.95

# Where the bump is lower, at the ends of a path, a detour around the trunk is not measured.
_LOWEST_BUMP = 0.15

# A gap between two events shorter than the first is left as it is; one longer by the second is
# lifted fully, [s].
_NO_LIFT_BELOW = 0.22
_LIFT_BLEND = 0.08

# Dips where the bump is lower than this share are not measured: they would make it too high.
_LEAST_BUMP_OF_DIP = 0.6

# Shares of a piece at which it is looked at.
_SHARES = np.linspace(0.0, 1.0, 9)

_SIGN = {"direct": 0.0, "over": 1.0, "under": -1.0}


# Of the part of its speed by which a prop is faster than another hand that catches it, a claw
# leaves this share; and how fast it comes forward onto the prop, [m/s].
_SLIPS = 0.2
_FORWARD = 0.7

# The least backward acceleration with which a claw lets go, [m/s²].
_PULLS_BACK = 20.0

# How far a hand goes out of its way between a throw and a catch of two grasps, outward, up and
# forward, [m]; and in the last how long before the catch, [s].
_ASIDE = {
    (Grasp.CLAW, Grasp.CLAW): (0.0, 0.0, -0.075),
    (Grasp.PALM, Grasp.CLAW): (0.14, 0.055, 0.0),
    (Grasp.CLAW, Grasp.PALM): (0.12, -0.08, 0.0),
}

_LASTS = 0.26


def with_detours(
    curves: Floats, points: Waypoints, choreography: Choreography, empty: str
) -> Floats:
    """Move curves of empty hands over or under the direct path, except where the text gives the
    path.

    The added d·(4s(1 − s))³, with s from 0 at the throw to 1 at the catch, has position, velocity
    and acceleration 0 at its ends, so throws and catches do not change.

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
    """Curves that go around the trunk of their body where their ends are outside of it; shape (N,
    7, 3).

    Args:
        curves: shape (N, 7, 3), from each point to the next.
        points: N rows.
    """
    places = places_along_curves(curves, points.gap, _SHARES)
    inside = np.maximum(_trunk_front(places) - places[..., 2], 0.0)
    if not inside.any():
        return curves
    around = _height_of_bumps(inside, points, _LOWEST_BUMP)
    outside = (points.kind == BETWEEN) | (points.position[:, 2] > _trunk_front(points.position))
    free = np.ones(len(points.hand), dtype=bool)
    np.logical_and.at(free, points.last_event.row, outside & outside[points.following])
    around *= free
    return bent(curves, points, around, (0.0, 0.0, 1.0), MAX_AROUND_ACCELERATION)


def with_shallower_dips(curves: Floats, points: Waypoints, share: Floats) -> Floats:
    """Curves that dip less, where there is time, toward the height that a juggler who stands
    upright reaches.

    They stay below the two events between which they dip.

    Args:
        curves: shape (N, K, 3), from each point to the next.
        points: N rows.
        share: shape (N,), of the lift that would be made.

    Returns:
        Shape (N, 7, 3); the curves themselves if none dips too low.
    """
    places = places_along_curves(curves, points.gap, _SHARES)
    events, following, _ = points.events
    heights = points.position[events, 1]
    ends = np.zeros(len(points.hand))
    ends[events] = np.minimum(heights, heights[following])
    lowest = np.minimum(
        lowest_reach(places, points.hand[:, None]), ends[points.last_event.row, None]
    )
    below = np.maximum(np.minimum(lowest, _HIGHEST_DIP) - places[..., 1], 0.0)
    lift = share * _height_of_bumps(below, points, _LEAST_BUMP_OF_DIP)
    if not lift.any():
        return curves
    lift *= smooth_step((points.last_event.gap - _NO_LIFT_BELOW) / _LIFT_BLEND)
    return bent(curves, points, lift, (0.0, 1.0, 0.0), MAX_LIFT_ACCELERATION)


def lowest_reach(places: Floats, hand: Integers) -> Floats:
    """The height to which hands come without bent knees at some places (..., 3), shape (...), [m].

    Args:
        places: of hands; their heights do not count.
        hand: their numbers; broadcasts with the places.
    """
    side = np.where(hand % 2 == 0, 1.0, -1.0)
    away = np.hypot(side * places[..., 0] - _ARM_FROM[0], places[..., 2] - _ARM_FROM[2])
    lowest: Floats = _ARM_FROM[1] - np.sqrt(np.maximum(_ARM_LENGTH**2 - away**2, 0.0))
    return lowest


def _height_of_bumps(missing: Floats, points: Waypoints, lowest: float) -> Floats:
    """How high bumps must be for what is missing, at the rows of the events that they follow, shape
    (N,), [m].

    Args:
        missing: shape (N, S), at the shares `_SHARES` of each piece, [m].
        points: N rows.
        lowest: where bumps are lower than this share of their height, nothing counts as missing.
    """
    event, gap = points.last_event
    lasts = points.gap
    share = (
        (points.time - points.time[event])[:, None] % points.loop + lasts[:, None] * _SHARES
    ) / gap[:, None]
    bump = (4.0 * share * (1.0 - share)) ** 3
    needed = np.where(bump > lowest, missing / np.maximum(bump, lowest), 0.0).max(axis=1)
    high = np.zeros(len(points.hand))
    np.maximum.at(high, event, np.minimum(needed, _LARGEST_BUMP))
    return high


def _trunk_front(places: Floats) -> Floats:
    """How far ahead the front of a trunk is beside places (..., 3), shape (...), [m]; −∞ outside of
    its width.
    """
    beside = 1.0 - (places[..., 0] / TRUNK_SIDE) ** 2
    return np.where(beside > 0.0, TRUNK_FRONT * np.sqrt(np.maximum(beside, 0.0)), -np.inf)


def bent(
    curves: Floats,
    points: Waypoints,
    farthest: Floats,
    direction: tuple[float, float, float],
    acceleration: float = MAX_DETOUR_ACCELERATION,
) -> Floats:
    """Curves with a detour from some events to the next, as `with_detours` describes it; shape (N,
    7, 3).

    Args:
        curves, points: as there.
        farthest: shape (N,), at the rows of the events from which on, how far, [m]; less where
            there is little time.
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
    rows = rows[inside]
    bump = bump[inside]
    since = since[inside]
    most = MAX_BUMP_ACCELERATION / _MAX_BUMP_CURVATURE * lasts[:, None] ** 2
    terms = _bump_terms(since / lasts[bump], lasts[bump])
    paths.coefficients[rows] += terms[:, :, None] * np.clip(far, -most, most)[bump, None]
    return paths


def _bump_terms(share: Floats, lasts: Floats) -> Floats:
    """A bump 1 m high by powers of the time since points at shares of it, rather than since its
    start, (N, 7).
    """
    return powers(share, 7) @ _BUMP_FROM.T / powers(lasts, 7)


def _empty_after(points: Waypoints, choreography: Choreography) -> Booleans:
    """Which rows are throws after which a hand is empty until its next event, a catch or a
    throw.
    """
    events, following, lasts = points.events
    kind = points.kind[events]
    free = (kind == THROW) & (kind[following] <= CATCH)
    free &= (
        props_held(
            choreography, points.hand[events], (points.time[events] + lasts / 2) % points.loop
        )
        == 0
    )
    empty = np.zeros(len(points.hand), dtype=bool)
    empty[events] = free
    return empty


def claws(events: Events, kind: int) -> Booleans:
    """Which events are throws, or catches, as `kind` says, with the palm down; shape (E,)."""
    if events.grasp is None:
        return np.zeros(len(events.time), dtype=bool)
    clawed: Booleans = (events.grasp == Grasp.CLAW) & (events.kind == kind)
    return clawed


def softened(soft: Floats, clawed: Booleans) -> Floats:
    """The share of the speed of each caught prop that its hand has, given that of other hands, both
    shape (F,).
    """
    return np.where(clawed, 1.0 - _SLIPS * (1.0 - soft), soft)


def onto_props(velocity: Floats, events: Events) -> Floats:
    """Velocities of hands at catches, those of claws also forward onto their props; shape (E, 3),
    [m/s].
    """
    return velocity + np.where(claws(events, CATCH), _FORWARD, 0.0)[:, None] * (0.0, 0.0, 1.0)


def pulled_back(points: Waypoints, choreography: Choreography) -> Waypoints:
    """The points, with claws that pull back from what they throw."""
    rows = points.events.rows[claws(choreography.events, THROW)[_by_hand(choreography.events)]]
    points.max_acceleration[rows, 2] = -_PULLS_BACK
    return points


def around_props(paths: PiecewisePolynomial, choreography: Choreography) -> PiecewisePolynomial:
    """Paths of hands that go around what they are about to catch; unchanged if no hand does."""
    events = choreography.events
    loop = choreography.duration
    if events.grasp is None:
        return paths
    order = _by_hand(events)
    hand = events.hand[order]
    kind = events.kind[order]
    grasp = events.grasp[order]
    to, gap = successors(hand, events.time[order], loop)
    usual = (
        np.ones(len(order), dtype=bool)
        if events.body_throw is None
        else events.body_throw[order] == 0
    )
    meets = (kind == THROW) & (kind[to] == CATCH) & usual & usual[to]
    aside = np.zeros((len(order), 3))
    for (before, after), offset in _ASIDE.items():
        aside[meets & (grasp == before) & (grasp[to] == after)] = offset
    aside[:, 0] *= np.where(hand % 2 == 0, 1.0, -1.0)
    goes = np.flatnonzero(aside.any(axis=1))
    if not goes.size:
        return paths
    lasts = np.minimum(gap[goes], _LASTS)
    start = (events.time[order][goes] + gap[goes] - lasts) % loop
    first = np.lexsort((start, hand[goes]))
    return with_bumps(paths, hand[goes][first], start[first], lasts[first], aside[goes][first])


def _by_hand(events: Events) -> Integers:
    """The order of events in which waypoints have them."""
    return np.lexsort((events.time, events.hand))
