"""Waypoints of hands, which are events and points between them, and curves of least jerk."""

from __future__ import annotations

from functools import cached_property
from math import perm
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.choreography.choreography import CATCH, HOLD, MOVE, THROW
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.piecewise import passing_velocities, powers, projected_jacobi, successors
from juggle_anim.vectors import inverse_permutation

MAX_EXCURSION = 0.30
"""How far the acceleration at one end of a gap may carry a hand within it, [m]."""

# How far the velocity at a point that a hand passes may carry it in the longer gap beside it, [m].
_PASSING_EXCURSION = 0.25
_PASSING_EXCURSION_AROUND_BODY = 0.4  # where some hand goes around the body

# Maximum of ½u²(1−u)³, by which an acceleration at one end moves a quintic.
_ACCELERATION_PEAK = 0.01728

# About the maximum of u(1−u)³(1+3u), by which a velocity at one end moves a quintic.
_VELOCITY_PEAK = 0.2

BETWEEN = len(EventKind)
"""The kind of a waypoint that is not an event."""

POSITION, VELOCITY, MIN_ACCELERATION, MAX_ACCELERATION = range(4)
"""Rows of the state of a waypoint."""

BOUNDS = slice(MIN_ACCELERATION, MAX_ACCELERATION + 1)
"""The rows that bound its acceleration."""

_SIGNS = np.array([[-1.0], [1.0]])  # of a lower and of an upper bound

# Jacobi sweeps for accelerations. Each divides the error by 3 or more, so 1e-16 of it is left.
_SWEEPS = 34


class EventRows(NamedTuple):
    """The M waypoints that are events.

    Args:
        rows: shape (M,), ascending.
        following: shape (M,), index among these M of the next event of the same hand.
        gap: shape (M,), time until that, [s].
    """

    rows: Integers
    following: Integers
    gap: Floats


class LastEvents(NamedTuple):
    """The last event of the same hand at or before each of N waypoints.

    Args:
        row: shape (N,), index among the waypoints of that event; an event is its own last one.
        gap: shape (N,), time from that event to the next one of the hand, [s].
    """

    row: Integers
    gap: Floats


@dataclass(frozen=True)
class Waypoints:
    """Points of all hands, N rows sorted by hand and time.

    Args:
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
        time: shape (N,), in the loop, [s].
        state: shape (N, 4, 3), position [m], velocity [m/s], and lower and upper bounds on the
            acceleration [m/s²], which are NaN where they follow from the gaps beside the point; all
            in the frame of the body.
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
        return self.state[:, POSITION]

    @property
    def velocity(self) -> Floats:
        """Shape (N, 3), [m/s]."""
        return self.state[:, VELOCITY]

    @property
    def max_acceleration(self) -> Floats:
        """Upper bounds on the acceleration, shape (N, 3), [m/s²]; a view that may be changed."""
        return self.state[:, MAX_ACCELERATION]

    @property
    def is_via_point(self) -> Booleans:
        """Which are events that a hand passes without a throw or catch, shape (N,)."""
        return (self.kind == HOLD) | (self.kind == MOVE)

    @cached_property
    def _following_and_gap(self) -> tuple[Integers, Floats]:
        return successors(self.hand, self.time, self.loop)

    @property
    def following(self) -> Integers:
        """The next row of the same hand, shape (N,); after its last row its first, a loop later."""
        return self._following_and_gap[0]

    @property
    def gap(self) -> Floats:
        """Time from each row to the next of the same hand, shape (N,), [s]."""
        return self._following_and_gap[1]

    @cached_property
    def preceding(self) -> Integers:
        """The row before each of the same hand, shape (N,)."""
        return inverse_permutation(self.following)

    @cached_property
    def events(self) -> EventRows:
        """The rows that are events, and for each the next event of its hand."""
        rows = (self.kind != BETWEEN).nonzero()[0]
        return EventRows(rows, *successors(self.hand[rows], self.time[rows], self.loop))

    @cached_property
    def last_event(self) -> LastEvents:
        """For each point the last event of its hand; every hand with points has an event."""
        events, _, gap = self.events
        # Rows are sorted by hand and time, so this is the index among the events of the last one at
        # or before each row, which may be of the hand before, or −1 for none.
        event_index = np.searchsorted(events, np.arange(len(self.hand)), side="right") - 1
        # A point before its hand's first event comes after the hand's last one, a loop earlier.
        last_of_hand = np.searchsorted(self.hand[events], self.hand, side="right") - 1
        is_before_first = (event_index < 0) | (self.hand[events[event_index]] != self.hand)
        event_index = np.where(is_before_first, last_of_hand, event_index)
        return LastEvents(events[event_index], gap[event_index])

    def knots(self) -> Knots:
        """The points as knots for a curve of least jerk, with bounds on all accelerations.

        Where a point has none of its own (NaN), the bounds keep the large acceleration in a short
        gap from swinging a hand far out in a long one beside it.
        """
        # Bounds of shape (N, 2, 3), lower then upper, by the longer of the two gaps beside a point.
        longer_gap = np.maximum(self.gap, self.gap[self.preceding])
        usual_bounds = gentle_acceleration(longer_gap)[:, None, None] * _SIGNS
        own_bounds = self.state[:, BOUNDS]
        bounds = np.where(np.isnan(own_bounds), usual_bounds, own_bounds)
        # A point's own upper bound, such as the deceleration after a throw, may be below the lower
        # bound from the gaps: then the lower one becomes equal to it, and fixes the acceleration.
        lowest = np.minimum(bounds[:, 0], bounds[:, 1])
        highest = bounds[:, 1]
        return Knots(
            following=self.following,
            duration=self.gap,
            position=self.position,
            velocity=self.velocity,
            min_acceleration=lowest,
            max_acceleration=highest,
        )

    @cached_property
    def curves(self) -> Floats:
        """The curves of least jerk from each point to the next, as `least_jerk` returns them.

        They are computed once: later changes of the state in place do not affect them.
        """
        return least_jerk(self.knots())

    @property
    def begins_carry(self) -> Booleans:
        """Which rows are catches whose hand's next event is a throw, shape (N,)."""
        kind = self.kind[self.events.rows]
        begins_carry = np.zeros(len(self.hand), dtype=bool)
        begins_carry[self.events.rows] = (kind == CATCH) & (kind[self.events.following] == THROW)
        return begins_carry

    def with_points_between(self, hand: Integers, time: Floats, state: Floats) -> Waypoints:
        """Return these points and others, which are not events, sorted by hand and time.

        These points themselves, not a copy, are returned if there are no others.

        Args:
            hand, state: of M other points, as of `Waypoints`, in any order of the rows.
            time: shape (M,), [s]; any value, as the loop repeats.
        """
        if not len(hand):
            return self
        hands = np.concatenate([self.hand, hand])
        times = np.concatenate([self.time, time % self.loop])
        states = np.concatenate([self.state, state])
        kinds = np.concatenate([self.kind, np.full(len(hand), BETWEEN, dtype=np.intp)])
        order = np.lexsort((times, hands))
        return Waypoints(hands[order], times[order], states[order], kinds[order], self.loop)


def states_along_curves(curves: Floats, since: Floats) -> Floats:
    """Position, velocity and acceleration on each of N curves, at one time on each.

    Args:
        curves: K coefficients of x, y, z by ascending powers of the time since the start, shape
            (N, K, 3), K 3 or more.
        since: time after the start of each curve, shape (N,), [s].

    Returns:
        Shape (N, 3, 3): derivative 0, 1, 2 on axis 1, x, y, z on axis 2; [m], [m/s], [m/s²].
    """
    # `terms` has a row for each derivative: what to multiply the coefficient of each power by.
    # Powers below the order of the derivative have none, so their entries stay 0.
    count = curves.shape[1]
    powers_of_time = powers(since, count)
    terms = np.zeros((len(since), 3, count))
    for derivative in range(3):
        # d^k/du^k u^n = n (n − 1) … (n − k + 1) u^(n − k)
        factors = [perm(order, derivative) for order in range(derivative, count)]
        terms[:, derivative, derivative:] = powers_of_time[:, : count - derivative] * factors
    return terms @ curves


def places_along_curves(curves: Floats, duration: Floats, shares: Floats) -> Floats:
    """Positions on N curves at the same S shares of their durations, shape (N, S, 3), [m].

    Args:
        curves: K coefficients of x, y, z by ascending powers of the time since the start, shape
            (N, K, 3).
        duration: of each curve, shape (N,), [s].
        shares: of the durations, shape (S,), 0 to 1.
    """
    # Coefficients by powers of the share first: one matrix of powers then serves all curves.
    count = curves.shape[1]
    return powers(shares, count) @ (curves * powers(duration, count)[:, :, None])


def gentle_acceleration(gap: Floats) -> Floats:
    """The acceleration at one end of gaps that moves a hand by `MAX_EXCURSION`, shape (N,), [m/s²].

    An acceleration a at one end of a quintic of duration h moves it by up to
    `_ACCELERATION_PEAK` · a · h².

    Args:
        gap: durations of the gaps, above 0, shape (N,), [s].
    """
    return MAX_EXCURSION / (_ACCELERATION_PEAK * gap**2)


def hand_waypoints(
    choreography: Choreography, velocities: Floats, release_deceleration: Floats
) -> Waypoints:
    """Turn the events of a choreography into waypoints, sorted by hand and time.

    Args:
        choreography: the events, E of them.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; at holds and moves,
            where they are not read, they follow from the neighbouring points.
        release_deceleration: shape (E,), least deceleration of the upward motion of a hand after
            each throw, [m/s²]; not read at other events.

    Returns:
        N = E rows. Bounds on the acceleration are NaN, which leaves them to the gaps, except the
        vertical upper ones at throws.
    """
    events = choreography.events
    loop = choreography.duration
    order = np.lexsort((events.time, events.hand))
    hand = events.hand[order]
    time = events.time[order]
    position = events.position[order]
    kind = events.kind[order]

    # Velocities are given at throws and catches. At holds and moves, the kinds from `HOLD` on, they
    # are those of the curve of least squared acceleration through all points; for natural hands
    # they are limited.
    following, duration = successors(hand, time, loop)
    state = np.full((len(hand), 4, 3), np.nan)
    is_via_point = kind >= HOLD
    velocity = passing_velocities(
        following, duration, position, velocities[order], free=is_via_point
    )
    if not choreography.as_juggling_lab:
        around_body = events.body_throw is not None
        excursion = _PASSING_EXCURSION_AROUND_BODY if around_body else _PASSING_EXCURSION
        gentle = _limited_velocities(velocity, following, duration, position, excursion)
        velocity = np.where(is_via_point[:, None], gentle, velocity)
    state[:, POSITION] = position
    state[:, VELOCITY] = velocity

    # After a throw the hand must slow down, so that the prop leaves it: an upper bound below 0 on
    # the vertical acceleration.
    state[:, MAX_ACCELERATION, 1] = np.where(kind == THROW, -release_deceleration[order], np.nan)
    return Waypoints(hand, time, state, kind, loop)


def _limited_velocities(
    velocity: Floats, following: Integers, duration: Floats, position: Floats, excursion: float
) -> Floats:
    """Limit velocities at points so that the curves beside them do not swing out too far.

    Each velocity is kept near the mean velocity of the longer of the two gaps beside its point: a
    difference Δv from it at one end of a quintic of duration h moves the quintic away from motion
    at constant velocity by up to about `_VELOCITY_PEAK` · Δv · h, which may be the excursion at
    most.

    Args:
        velocity: at the points, shape (N, 3), [m/s].
        following, duration, position: as of `Knots`.
        excursion: largest distance from motion at constant velocity along the gap, in each axis by
            itself, [m].

    Returns:
        Limited velocities, shape (N, 3), [m/s].
    """
    # The longer of the gaps before and after each point, as the row at which that gap begins: the
    # gap after a point begins at its own row, the gap before it at the preceding one.
    preceding = inverse_permutation(following)
    longer_gap = np.where(duration >= duration[preceding], np.arange(len(preceding)), preceding)
    gap = duration[longer_gap, None]
    mean_velocity = (position[following[longer_gap]] - position[longer_gap]) / gap
    tolerance = excursion / (_VELOCITY_PEAK * gap)
    return mean_velocity + np.clip(velocity - mean_velocity, -tolerance, tolerance)


@dataclass(frozen=True)
class Knots:
    """Points of closed curves, N rows; those of one curve are linked in a ring.

    Args:
        following: shape (N,), index of the next knot of the same curve.
        duration: shape (N,), time until it, [s], above 0.
        position: shape (N, 3), [m].
        velocity: shape (N, 3), [m/s].
        min_acceleration, max_acceleration: shape (N, 3), bounds on the acceleration, infinite where
            there are none, [m/s²]; the first nowhere above the second.
    """

    following: Integers
    duration: Floats
    position: Floats
    velocity: Floats
    min_acceleration: Floats
    max_acceleration: Floats


def least_jerk(knots: Knots) -> Floats:
    """Return the curves of least squared jerk through the knots, twice continuously differentiable.

    Between two knots such a curve is a quintic. With positions and velocities given, its cost is a
    quadratic in the accelerations a at the knots, least where the jerk is continuous:
    −3a₋/h₋ + 9a(1/h₋ + 1/h) − 3a₊/h = j − j₋. The signs stand for the neighbours before and after,
    h₋ and h are the durations before and after the knot, and j₋ and j the jerks just before and
    after it that positions and velocities alone, with all accelerations 0, would give. The matrix
    is diagonally dominant, so projected Jacobi sweeps converge whatever the knots, also with
    bounds.

    Returns:
        Shape (N, 6, 3): coefficients of 1, u, u² … u⁵ from each knot to the next, u the time since
        the knot [s].
    """
    h = knots.duration[:, None]
    following = knots.following
    p0 = knots.position
    v0 = knots.velocity
    a0 = _accelerations(knots)
    v1 = v0[following]
    a1 = a0[following]
    step = p0[following] - p0
    square = h * h
    # The quintic with these positions p, velocities v and accelerations a at its start (0) and its
    # end (1). With the accelerations found above, it is the curve of least squared jerk.
    c3 = (20 * step - (8 * v1 + 12 * v0) * h - (3 * a0 - a1) * square) / (2 * h**3)
    c4 = (-30 * step + (14 * v1 + 16 * v0) * h + (3 * a0 - 2 * a1) * square) / (2 * h**4)
    c5 = (12 * step - 6 * (v1 + v0) * h + (a1 - a0) * square) / (2 * h**5)
    return np.concatenate([p0, v0, a0 / 2, c3, c4, c5], axis=1).reshape(-1, 6, 3)


def _accelerations(knots: Knots) -> Floats:
    """Solve for the accelerations at the knots that make the squared jerk least, within bounds.

    Where no bound is reached, 9a(1/h₋ + 1/h) = j − j₋ + 3a₋/h₋ + 3a₊/h, with the symbols of
    `least_jerk`.

    Returns:
        Shape (N, 3), [m/s²].
    """
    following = knots.following
    h = knots.duration[:, None]
    preceding = inverse_permutation(following)
    square = h * h
    step = 60 * (knots.position[following] - knots.position) / h**3
    leaving = knots.velocity
    arriving = knots.velocity[following]
    # Jerks at the start and the end of each gap if all accelerations were 0. At a knot, j is that
    # at the start of its own gap, j₋ that at the end of the gap before, and `jump` is j − j₋.
    start_jerk = step - (36 * leaving + 24 * arriving) / square
    end_jerk = step - (24 * leaving + 36 * arriving) / square
    jump = start_jerk - end_jerk[preceding]
    # The equation is divided by the factor of a, `total`; 3/h is `ahead`, 3/h₋ is `behind`.
    ahead = 3 / h
    behind = ahead[preceding]
    total = 3 * (ahead + behind)
    return projected_jacobi(
        neighbours=(preceding, following),
        weights=(behind / total, ahead / total),
        constant=jump / total,
        lowest=knots.min_acceleration,
        highest=knots.max_acceleration,
        sweeps=_SWEEPS,
    )
