"""Waypoints of hands, which are events and points between them, and the curve of least jerk through them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.motion.piecewise import passing_velocities, successors
from juggle_anim.vectors import inverse_permutation

MAX_EXCURSION = 0.30
"""How far the acceleration at one end of a gap may carry a hand within it, [m]."""

# Maximum of ½u²(1−u)³, by which an acceleration at one end moves a quintic.
_SWING_SHARE = 0.01728

BETWEEN = len(EventKind)
"""The kind of a waypoint that is not an event."""

# Each sweep divides the error by 3 or more, so 1e-16 of it is left.
_SWEEPS = 34


@dataclass(frozen=True)
class Waypoints:
    """Points of all hands, N rows sorted by hand and time.

    Args:
        hand: shape (N,).
        time: shape (N,), [s].
        position: shape (N, 3), [m].
        velocity: shape (N, 3), [m/s].
        min_acceleration, max_acceleration: shape (N, 3), bounds on the acceleration, NaN for those that follow from the
            gaps beside it, [m/s²].
        kind: shape (N,), of `EventKind`; `BETWEEN` for points that are not events.
    """

    hand: Integers
    time: Floats
    position: Floats
    velocity: Floats
    min_acceleration: Floats
    max_acceleration: Floats
    kind: Integers

    def ring(self, loop: float) -> tuple[Integers, Floats]:
        """For each row the next of the same hand, and the time to it."""
        return successors(self.hand, self.time, loop)

    def knots(self, loop: float) -> Knots:
        """The rows as knots for a curve of least jerk.

        Bounds keep the large acceleration in a short gap from swinging a hand far out in a long one beside it.
        """
        to, gap = self.ring(loop)
        longest = gap.copy()
        np.maximum.at(longest, to, gap)
        swing = gentle_acceleration(longest)[:, None]
        highest = np.where(np.isnan(self.max_acceleration), swing, self.max_acceleration)
        lowest = np.where(np.isnan(self.min_acceleration), -swing, self.min_acceleration)
        return Knots(to, gap, self.position, self.velocity, np.minimum(lowest, highest), highest)

    def carries(self, loop: float) -> Booleans:
        """Which rows are catches that the hand's next throw follows."""
        events = np.flatnonzero(self.kind != BETWEEN)
        following, _ = successors(self.hand[events], self.time[events], loop)
        carries = np.zeros(len(self.hand), dtype=bool)
        carries[events] = (self.kind[events] == EventKind.CATCH) & (self.kind[events[following]] == EventKind.THROW)
        return carries

    def last_events(self, loop: float) -> tuple[Integers, Floats]:
        """For each row, the last event of the same hand up to it, and the time from that event to the next."""
        events = np.flatnonzero(self.kind != BETWEEN)
        _, lasts = successors(self.hand[events], self.time[events], loop)
        place = np.searchsorted(events, np.arange(len(self.hand)), side="right") - 1
        # What comes before a hand's first event belongs to its last one.
        final = np.searchsorted(self.hand[events], self.hand, side="right") - 1
        other = (place < 0) | (self.hand[events[place]] != self.hand)
        place = np.where(other, final, place)
        return events[place], lasts[place]

    def joined(self, *more: Waypoints) -> Waypoints:
        """These points and those of others, sorted."""
        parts = (self, *more)
        hand, time = np.concatenate([part.hand for part in parts]), np.concatenate([part.time for part in parts])
        order = np.lexsort((time, hand))
        return Waypoints(
            hand=hand[order],
            time=time[order],
            position=np.concatenate([part.position for part in parts])[order],
            velocity=np.concatenate([part.velocity for part in parts])[order],
            min_acceleration=np.concatenate([part.min_acceleration for part in parts])[order],
            max_acceleration=np.concatenate([part.max_acceleration for part in parts])[order],
            kind=np.concatenate([part.kind for part in parts])[order],
        )


def along_curves(curves: Floats, since: Floats) -> tuple[Floats, Floats, Floats]:
    """Positions, velocities and accelerations on curves of any degree, some time after their start [s]."""
    each = np.arange(float(curves.shape[-2]))[:, None]
    powers = since[..., None, None] ** each
    position: Floats = (curves * powers).sum(axis=-2)
    velocity: Floats = (curves * each)[..., 1:, :] * powers[..., :-1, :]
    acceleration: Floats = (curves * each * (each - 1))[..., 2:, :] * powers[..., :-2, :]
    return position, velocity.sum(axis=-2), acceleration.sum(axis=-2)


def places_along_curves(curves: Floats, lasts: Floats, shares: Floats) -> Floats:
    """Positions on curves (N, K, 3) at shares (S,) of the time that they last (N,) [s], shape (N, S, 3), [m]."""
    each = np.arange(float(curves.shape[1]))
    places: Floats = shares[:, None] ** each @ (curves * lasts[:, None, None] ** each[:, None])
    return places


def gentle_acceleration(gap: Floats) -> Floats:
    """The acceleration at one end of gaps, shape (N,), [s], that moves a hand by `MAX_EXCURSION`, [m/s²]."""
    return MAX_EXCURSION / (_SWING_SHARE * gap**2)


def free_waypoints(hand: Integers, time: Floats, position: Floats, velocity: Floats) -> Waypoints:
    """Points that are not events, without bounds of their own."""
    free = np.full((len(hand), 3), np.nan)
    return Waypoints(hand, time, position, velocity, free, free.copy(), np.full(len(hand), BETWEEN, dtype=np.intp))


def hand_waypoints(choreography: Choreography, velocities: Floats, slowing: Floats) -> Waypoints:
    """Return the events as waypoints.

    Args:
        choreography: the events.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; found here for the others.
        slowing: shape (E,), least deceleration of a hand after a throw, [m/s²].
    """
    events = choreography.events
    order = np.lexsort((events.time, events.hand))
    hand, time, position, kind = events.hand[order], events.time[order], events.position[order], events.kind[order]
    following, duration = successors(hand, time, choreography.duration)
    highest = np.full((len(hand), 3), np.nan)
    throws = kind == EventKind.THROW
    highest[throws, 1] = -slowing[order][throws]
    passes = kind >= EventKind.HOLD
    velocity = passing_velocities(following, duration, position, velocities[order], passes)
    return Waypoints(hand, time, position, velocity, np.full_like(highest, np.nan), highest, kind)


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
        acceleration = np.clip(acceleration, knots.min_acceleration, knots.max_acceleration)
    return acceleration
