"""Waypoints of hands, which are events and points between them, and the curve of least jerk through
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import perm

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.choreography.choreography import CATCH, HOLD, MOVE, THROW
from juggle_anim.motion.piecewise import passing_velocities, powers, relaxed, successors
from juggle_anim.vectors import inverse_permutation

MAX_EXCURSION = 0.30
"""How far the acceleration at one end of a gap may carry a hand within it, [m]."""

# How far the velocity at a point that a hand passes may carry it in the longer gap beside it:
# usually, and where hands go around the body, [m].
_PASSING_EXCURSIONS = (0.25, 0.4)

# Maximum of ½u²(1−u)³, by which an acceleration at one end moves a quintic.
_SWING_SHARE = 0.01728

# About the maximum of u(1−u)³(1+3u), by which a velocity at one end moves a quintic.
_SPEED_SHARE = 0.2

BETWEEN = len(EventKind)
"""The kind of a waypoint that is not an event."""

_BOTH_WAYS = np.array([[-1.0], [1.0]])

# Each sweep divides the error by 3 or more, so 1e-16 of it is left.
_SWEEPS = 34


@dataclass(frozen=True)
class Waypoints:
    """Points of all hands, N rows sorted by hand and time.

    Args:
        hand: shape (N,).
        time: shape (N,), [s].
        state: shape (N, 4, 3), place [m], velocity [m/s], and lower and upper bounds on the
            acceleration [m/s²], which are NaN where they follow from the gaps beside the point.
        kind: shape (N,), of `EventKind`; `BETWEEN` for points that are not events.
        loop: duration of the loop, [s].
    """

    hand: Integers
    time: Floats
    state: Floats
    kind: Integers
    loop: float

    @property
    def position(self) -> Floats:
        """Shape (N, 3), [m]."""
        return self.state[:, 0]

    @property
    def velocity(self) -> Floats:
        """Shape (N, 3), [m/s]."""
        return self.state[:, 1]

    @property
    def max_acceleration(self) -> Floats:
        """Shape (N, 3), [m/s²]."""
        return self.state[:, 3]

    @property
    def passes(self) -> Booleans:
        """Shape (N,), which are points that a hand passes without a throw or catch."""
        return (self.kind == HOLD) | (self.kind == MOVE)

    @cached_property
    def ring(self) -> tuple[Integers, Floats]:
        """For each row the next of the same hand, and the time to it."""
        return successors(self.hand, self.time, self.loop)

    @cached_property
    def before(self) -> Integers:
        """For each row the one before it of the same hand."""
        return inverse_permutation(self.ring[0])

    @cached_property
    def events(self) -> tuple[Integers, Integers, Floats]:
        """The rows that are events, and for each the next of the same hand, counted among them, and
        the time to it.
        """
        events = (self.kind != BETWEEN).nonzero()[0]
        return events, *successors(self.hand[events], self.time[events], self.loop)

    @cached_property
    def last_event(self) -> tuple[Integers, Floats]:
        """For each row, the last event of the same hand up to it, and the time from that event to
        the next.
        """
        events, _, lasts = self.events
        place = np.searchsorted(events, np.arange(len(self.hand)), side="right") - 1
        # What comes before a hand's first event belongs to its last one.
        final = np.searchsorted(self.hand[events], self.hand, side="right") - 1
        other = (place < 0) | (self.hand[events[place]] != self.hand)
        place = np.where(other, final, place)
        return events[place], lasts[place]

    def knots(self) -> Knots:
        """The rows as knots for a curve of least jerk.

        Bounds keep the large acceleration in a short gap from swinging a hand far out in a long one
        beside it.
        """
        to, gap = self.ring
        swing = gentle_acceleration(np.maximum(gap, gap[self.before]))[:, None, None] * _BOTH_WAYS
        bounds = np.where(np.isnan(self.state[:, 2:]), swing, self.state[:, 2:])
        lowest = np.minimum(bounds[:, 0], bounds[:, 1])
        highest = bounds[:, 1]
        return Knots(to, gap, self.position, self.velocity, lowest, highest)

    @cached_property
    def curves(self) -> Floats:
        """The curves of least jerk, as `least_jerk` returns them."""
        return least_jerk(self.knots())

    def carries(self) -> Booleans:
        """Which rows are catches that the hand's next throw follows."""
        events, following, _ = self.events
        kind = self.kind[events]
        carries = np.zeros(len(self.hand), dtype=bool)
        carries[events] = (kind == CATCH) & (kind[following] == THROW)
        return carries

    def joined(self, other: Waypoints) -> Waypoints:
        """These points and those of others, sorted."""
        if not len(other.hand):
            return self
        hand, time, kind, state = (
            np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("hand", "time", "kind", "state")
        )
        order = np.lexsort((time, hand))
        return Waypoints(hand[order], time[order], state[order], kind[order], self.loop)

    def free(self, hand: Integers, time: Floats, state: Floats) -> Waypoints:
        """Other points of the same loop that are not events; arguments as of these."""
        return Waypoints(
            hand, time % self.loop, state, np.full(len(hand), BETWEEN, dtype=np.intp), self.loop
        )


def along_curves(curves: Floats, since: Floats) -> Floats:
    """Positions, velocities and accelerations on curves (N, K, 3) some time after their start (N,)
    [s], (N, 3, 3).
    """
    count = curves.shape[1]
    power = powers(since, count)
    terms = np.zeros((len(since), 3, count))
    for derivative in range(3):
        factors = [perm(order, derivative) for order in range(derivative, count)]
        terms[:, derivative, derivative:] = power[:, : count - derivative] * factors
    return terms @ curves


def places_along_curves(curves: Floats, lasts: Floats, shares: Floats) -> Floats:
    """Positions on curves (N, K, 3) at shares (S,) of the time that they last (N,) [s], shape (N,
    S, 3), [m].
    """
    count = curves.shape[1]
    return powers(shares, count) @ (curves * powers(lasts, count)[:, :, None])


def gentle_acceleration(gap: Floats) -> Floats:
    """The acceleration at one end of gaps, shape (N,), [s], that moves a hand by `MAX_EXCURSION`,
    [m/s²].
    """
    return MAX_EXCURSION / (_SWING_SHARE * gap**2)


def hand_waypoints(choreography: Choreography, velocities: Floats, slowing: Floats) -> Waypoints:
    """Return the events as waypoints.

    Args:
        choreography: the events.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; found here for the
            others.
        slowing: shape (E,), least deceleration of a hand after a throw, [m/s²].
    """
    events = choreography.events
    loop = choreography.duration
    order = np.lexsort((events.time, events.hand))
    hand = events.hand[order]
    time = events.time[order]
    position = events.position[order]
    kind = events.kind[order]
    following, duration = successors(hand, time, loop)
    state = np.full((len(hand), 4, 3), np.nan)
    state[:, 0] = position
    state[:, 1] = passing_velocities(following, duration, position, velocities[order], kind >= HOLD)
    if not choreography.as_juggling_lab:
        most = _PASSING_EXCURSIONS[events.body_throw is not None]
        gentle = _gentle(state[:, 1], following, duration, position, most)
        state[:, 1] = np.where(kind[:, None] >= HOLD, gentle, state[:, 1])
    state[:, 3, 1] = np.where(kind == THROW, -slowing[order], np.nan)
    return Waypoints(hand, time, state, kind, loop)


def _gentle(
    velocity: Floats, following: Integers, duration: Floats, position: Floats, most: float
) -> Floats:
    """Velocities at points that swing a hand out by no more than `most`, [m], in the longer gap
    beside each; other arguments as of `Knots`.
    """
    before = inverse_permutation(following)
    longer = np.where(duration >= duration[before], np.arange(len(before)), before)
    gap = duration[longer, None]
    straight = (position[following[longer]] - position[longer]) / gap
    aside = most / (_SPEED_SHARE * gap)
    return straight + np.clip(velocity - straight, -aside, aside)


@dataclass(frozen=True)
class Knots:
    """Points of closed curves, N rows; those of one curve are linked in a ring.

    Args:
        following: shape (N,), index of the next knot of the same curve.
        duration: shape (N,), time until it, [s], above 0.
        position: shape (N, 3), [m].
        velocity: shape (N, 3), [m/s].
        min_acceleration, max_acceleration: shape (N, 3), bounds on the acceleration, infinite where
            there are none, [m/s²].
    """

    following: Integers
    duration: Floats
    position: Floats
    velocity: Floats
    min_acceleration: Floats
    max_acceleration: Floats


def least_jerk(knots: Knots) -> Floats:
    """The curves of least squared jerk through the knots, twice continuously differentiable.

    Between two knots such a curve is a quintic. With positions and velocities given, its cost is a
    quadratic in the accelerations at the knots, least where the jerk is continuous:
    −3a₋/h₋ + 9a(1/h₋ + 1/h) − 3a₊/h = j − j₋, where j₋ and j are the jerks at the knot's two sides
    that positions and velocities alone would give. The matrix is diagonally dominant, so projected
    Jacobi sweeps converge whatever the knots, also with bounds.

    Returns:
        Shape (N, 6, 3): coefficients of 1, u, u² … u⁵ from each knot to the next, u the time since
        the knot [s].
    """
    h = knots.duration[:, None]
    to = knots.following
    p0 = knots.position
    v0 = knots.velocity
    a0 = _accelerations(knots)
    v1 = v0[to]
    a1 = a0[to]
    step = p0[to] - p0
    square = h * h
    c3 = (20 * step - (8 * v1 + 12 * v0) * h - (3 * a0 - a1) * square) / (2 * h**3)
    c4 = (-30 * step + (14 * v1 + 16 * v0) * h + (3 * a0 - 2 * a1) * square) / (2 * h**4)
    c5 = (12 * step - 6 * (v1 + v0) * h + (a1 - a0) * square) / (2 * h**5)
    return np.concatenate([p0, v0, a0 / 2, c3, c4, c5], axis=1).reshape(-1, 6, 3)


def _accelerations(knots: Knots) -> Floats:
    to = knots.following
    h = knots.duration[:, None]
    before = inverse_permutation(to)
    square = h * h
    step = 60 * (knots.position[to] - knots.position) / h**3
    leaving = knots.velocity
    arriving = knots.velocity[to]
    starts = step - (36 * leaving + 24 * arriving) / square
    ends = step - (24 * leaving + 36 * arriving) / square
    ahead = 3 / h
    behind = ahead[before]
    total = 3 * (ahead + behind)
    wanted = starts - ends[before]
    bounds = knots.min_acceleration, knots.max_acceleration
    return relaxed((before, to), (behind / total, ahead / total), wanted / total, *bounds, _SWEEPS)
