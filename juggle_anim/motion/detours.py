"""Detours of hands between throws and catches: over or under the direct path, up from deep dips,
and around the body.

A claw, a hand with its palm down, comes from beside a prop and over it, falls along, and pulls back
as it lets go. A prop that falls would pass through a hand that waits above the place where it is
caught. So from a throw to a catch the hand goes around the falling prop: behind it where it stays a
claw, its fingers up, and outside of it where it turns over.

Waypoints of hands, which are events and points between them, and curves of least jerk.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import comb, factorial, perm
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    CATCH,
    FEET_CHANGE,
    HOLD,
    MOVE,
    THROW,
    Choreography,
    EventKind,
    Events,
    Grasp,
    body_throw_of_row,
    standing_foot,
    to_body_frame,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.flight import props_held
from juggle_anim.motion.piecewise import (
    PiecewisePolynomial,
    passing_velocities,
    powers,
    projected_jacobi,
    quintic,
    successors,
    unhurried_delays,
)
from juggle_anim.vectors import inverse_permutation, norm, smooth_step

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

POSITION_AND_VELOCITY = slice(POSITION, VELOCITY + 1)
BOUNDS = slice(MIN_ACCELERATION, MAX_ACCELERATION + 1)
"""The rows that fix its position and velocity, and those that bound its acceleration."""

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
        """Mask of events that a hand passes without a throw or catch, shape (N,)."""
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
        """For each of the N waypoints the last event of its hand at or before it.

        A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a
        point between two events. An event is a waypoint of another kind than `BETWEEN`, as a throw
        or a catch; every hand with waypoints has one.

        Returns:
            For each waypoint the row of that event among the waypoints, and the time from the event
            to the next one of the hand, [s].
        """
        # M events: their rows among the waypoints, and the time from each to the next of its hand.
        event_rows, _, gap = self.events
        hand_of_event = self.hand[event_rows]
        # For each waypoint an index among the events. As waypoints are sorted by hand and time, the
        # last event at or before one is the last whose row is not larger. −1 stands for none.
        at_or_before = np.searchsorted(event_rows, np.arange(len(self.hand)), side="right") - 1
        # Waypoints before their hand's first event find none, or one of another hand. For these the
        # last event is the hand's last one in the loop before.
        last_of_hand = np.searchsorted(hand_of_event, self.hand, side="right") - 1
        is_of_hand = (at_or_before >= 0) & (hand_of_event[at_or_before] == self.hand)
        last = np.where(is_of_hand, at_or_before, last_of_hand)
        return LastEvents(event_rows[last], gap[last])

    def knots(self) -> Knots:
        """The points as knots for a curve of least jerk, with bounds on all accelerations.

        A knot is a point of a hand's curve with a given time, at which two pieces of the curve
        meet. Where a point has no bounds of its own (NaN), they follow from the longer gap beside
        it: an acceleration within them moves the hand by `MAX_EXCURSION` at most in that gap. So
        the large acceleration in a short gap does not swing a hand far out in a long one beside it.
        """
        # Lower and upper bounds, on axis 1 of shape (N, 2, 3). The usual ones are ± an acceleration
        # that goes by the longer of the two gaps beside a point.
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
        """Mask of catches whose hand's next event is a throw, shape (N,)."""
        kind = self.kind[self.events.rows]
        begins_carry = np.zeros(len(self.hand), dtype=bool)
        begins_carry[self.events.rows] = (kind == CATCH) & (kind[self.events.following] == THROW)
        return begins_carry

    def with_points_between(self, hand: Integers, time: Floats, state: Floats) -> Waypoints:
        """Return these points and others, which are not events, sorted by hand and time.

        These points themselves, not a copy, are returned if there are no others.

        Args:
            hand: hands of M other points, in any order of the rows, shape (M,), 2 · juggler + side.
            time: shape (M,), [s]; any value, as the loop repeats.
            state: shape (M, 4, 3), position [m], velocity [m/s], and lower and upper bounds on the
                acceleration [m/s²], NaN for the usual ones; in the frame of the body.
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
    # `terms` has a row for each derivative: the factor of each power's coefficient. Powers below
    # the order of the derivative have none, so their entries stay 0.
    count = curves.shape[1]
    powers_of_time = powers(since, count)  # 1, u, u² …, shape (N, K)
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
        duration: duration of each curve, shape (N,), [s].
        shares: shares of the durations, shape (S,), 0 to 1.
    """
    # Coefficients by powers of the share first: one matrix of powers then serves all curves.
    count = curves.shape[1]
    return powers(shares, count) @ (curves * powers(duration, count)[:, :, None])


def gentle_acceleration(gap: Floats, excursion: float = MAX_EXCURSION) -> Floats:
    """The acceleration at one end of gaps that moves a hand by an excursion, shape (N,), [m/s²].

    An acceleration a at one end of a quintic of duration h moves it by up to
    `_ACCELERATION_PEAK` · a · h².

    Args:
        gap: durations of the gaps, above 0, shape (N,), [s].
        excursion: how far, [m].
    """
    return excursion / (_ACCELERATION_PEAK * gap**2)


def hand_waypoints(
    choreography: Choreography, velocities: Floats, release_deceleration: Floats
) -> Waypoints:
    """Turn the events of a choreography into waypoints, sorted by hand and time.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events.

    Args:
        choreography: the events, E of them.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; at holds and moves,
            where they are not read, they follow from the neighbouring points.
        release_deceleration: shape (E,), least deceleration of the upward motion of a hand after
            each throw, [m/s²]; not read at other events.

    Returns:
        N = E rows. Of the bounds on the acceleration only the vertical upper ones at throws are
        set. All others are NaN: `Waypoints.knots` takes them from the time between points.
    """
    events = choreography.events
    loop = choreography.duration
    order = events.by_hand
    hand = events.hand[order]
    time = events.time[order]
    position = events.position[order]
    kind = events.kind[order]

    # Velocities are given at throws and catches. At holds and moves, the kinds from `HOLD` on, they
    # are those of the curve of least squared acceleration through all points; they are limited
    # unless hands move as in Juggling Lab. `following` is the row of the hand's next event,
    # `duration` the time to it.
    following, duration = successors(hand, time, loop)
    is_via_point = kind >= HOLD
    velocity = passing_velocities(
        following, duration, position, velocities[order], free=is_via_point
    )
    if not choreography.as_juggling_lab:
        # None if no hand throws or catches around a body.
        around_body = events.body_throw is not None
        excursion = _PASSING_EXCURSION_AROUND_BODY if around_body else _PASSING_EXCURSION
        gentle = _limited_velocities(velocity, following, duration, position, excursion)
        velocity = np.where(is_via_point[:, None], gentle, velocity)
    state = np.full((len(hand), 4, 3), np.nan)
    state[:, POSITION] = position
    state[:, VELOCITY] = velocity

    # After a throw the hand must slow down, so that the prop leaves it: an upper bound below 0 on
    # the vertical acceleration.
    state[:, MAX_ACCELERATION, 1] = np.where(kind == THROW, -release_deceleration[order], np.nan)
    return Waypoints(hand, time, state, kind, loop)


# Hands that would accelerate by more on their way around the body pass the points there at other
# times; elbows then keep below about 300. Past legs and trunks that cannot wait for them they may
# hurry more. [m/s²]
_HURRY = 275.0
_HURRY_PAST_LEGS = 500.0

# A leg is lifted and put down without a wait if the other one is lifted within this time before or
# after; hands have a longer way under the leg of the other side, [s].
_NO_WAIT_UNDER_OWN_LEG = FEET_CHANGE - 0.01
_NO_WAIT_UNDER_OTHER_LEG = FEET_CHANGE + 0.25

_SAME_PLACE = 1e-4  # m, by which a point of a throw around the body may differ from its table


def without_hurry(choreography: Choreography, velocities: Floats) -> Choreography:
    """Let hands pass points on their way around bodies sooner or later, where they would hurry.

    Each throw or catch around the body, such as one behind the back, has points of its own that the
    hand passes on the way there and on the way back. Their times change as little as keeps the
    acceleration of the hand below `_HURRY`, or `_HURRY_PAST_LEGS` between legs that stand wide,
    and where legs are lifted in quick succession. All other points keep their times, as do points
    of such throws and catches that the user has moved.

    Args:
        choreography: the events, E of them.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s].

    Returns:
        The choreography, with changed times of those points.
    """
    events = choreography.events
    if events.body_throw is None:
        return choreography
    # Arrays below have a row for each event, by hand and then by time.
    order = events.by_hand
    hand = events.hand[order]
    position = events.position[order]
    following, duration = successors(hand, events.time[order], choreography.duration)
    # The row of the throw or catch before each point, and of that after it. A throw or catch has
    # its own row in both, and so has a point of a hand that has neither.
    is_end = events.is_throw_or_catch[order]
    is_end |= ~np.isin(hand, hand[is_end])
    previous_end = _first_end(is_end, inverse_permutation(following))
    next_end = _first_end(is_end, following)
    # Which points may change their times: those that lie where the table of throws around the body
    # has one for the throw or catch before (`goes`) or after (`comes`). And up to which
    # acceleration they keep them, [m/s²].
    is_movable = np.zeros(len(hand), dtype=bool)
    max_acceleration = np.full(len(hand), _HURRY)
    hurries = _in_quick_succession(events, choreography.duration)
    for row in np.flatnonzero(~is_end):
        for event in order[[previous_end[row], next_end[row]]]:
            body_throw = body_throw_of_row(int(events.body_throw[event]))
            if body_throw is None:
                continue
            if body_throw.posture.stance > 0.0 or hurries[event]:
                max_acceleration[row] = _HURRY_PAST_LEGS
            timed_points = (*body_throw.comes, *body_throw.goes)
            places = to_body_frame([point for _share, point in timed_points], hand[row])
            distances = np.abs(places - position[row]).max(axis=1)
            is_movable[row] |= (distances < _SAME_PLACE).any()
    delay = unhurried_delays(
        following, duration, position, velocities[order], previous_end, is_movable, max_acceleration
    )
    time = events.time.copy()
    time[order] = (time[order] + delay) % choreography.duration
    return replace(choreography, events=replace(events, time=time))


def _first_end(is_end: Booleans, neighbour: Integers) -> Integers:
    """Return the first end at which one arrives from each point along its neighbours, shape (N,).

    Args:
        is_end: which of N points are ends, shape (N,); an end is its own first one.
        neighbour: index of the point that comes next, shape (N,).
    """
    point = np.arange(len(is_end))
    while not is_end[point].all():
        point = np.where(is_end[point], point, neighbour[point])
    return point


def _in_quick_succession(events: Events, loop: float) -> Booleans:
    """Whether each event lifts a leg so soon before or after the other leg is lifted, shape (E,).

    The juggler then cannot keep the leg up to wait for the throw or catch under it.

    Args:
        events: E events, some of which go around bodies.
        loop: duration of the loop, [s].
    """
    # By event: the foot on which the juggler stands, 0 left and 1 right, and within what time of a
    # stand on the other foot there is no wait, [s]; 0 for an event that lifts no leg.
    foot = np.zeros(len(events.time), dtype=np.intp)
    no_wait_within = np.zeros(len(events.time))
    for row in np.flatnonzero(events.around_body):
        side = int(events.hand[row]) % 2
        stance = standing_foot(body_throw_of_row(int(events.manners[row, 1])), side)
        if stance is not None:
            foot[row] = stance
            # Who stands on the foot of the hand's own side lifts the other leg.
            no_wait_within[row] = (
                _NO_WAIT_UNDER_OTHER_LEG if stance == side else _NO_WAIT_UNDER_OWN_LEG
            )
    # Compare all pairs of these events, at the shorter of the two ways around the loop.
    rows = np.flatnonzero(no_wait_within)
    juggler = events.juggler[rows]
    time = events.time[rows]
    changes_feet = (juggler[:, None] == juggler) & (foot[rows, None] != foot[rows])
    time_apart = np.abs((time[:, None] - time + loop / 2) % loop - loop / 2)
    is_quick = np.zeros(len(events.time), dtype=bool)
    is_quick[rows] = (changes_feet & (time_apart < no_wait_within[rows, None])).any(axis=1)
    return is_quick


def _limited_velocities(
    velocity: Floats, following: Integers, duration: Floats, position: Floats, excursion: float
) -> Floats:
    """Limit velocities at points so that the curves beside them do not swing out too far.

    Each velocity is kept near the mean velocity of the longer of the two gaps beside its point: a
    difference Δv from it at one end of a quintic of duration h moves the quintic away from motion
    at constant velocity by up to about `_VELOCITY_PEAK` · Δv · h. Δv is limited so that this does
    not exceed the excursion. The shorter gap sets no limit: in it the same Δv has less time to act.

    Args:
        velocity: velocities at N points, shape (N, 3), [m/s].
        following: index of the next point of the same closed curve, shape (N,).
        duration: time until it, shape (N,), above 0, [s].
        position: position of the points, shape (N, 3), [m].
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
    following = knots.following
    velocity = knots.velocity
    acceleration = _accelerations(knots)
    curves = quintic(
        knots.duration,
        knots.position[following] - knots.position,
        (velocity, velocity[following]),
        (acceleration, acceleration[following]),
    )
    curves[:, 0] = knots.position
    return curves


def _accelerations(knots: Knots) -> Floats:
    """Solve for the accelerations at the knots that make the squared jerk least, within bounds.

    Where no bound is reached, the acceleration a at a knot follows from those of its neighbours
    before and after, a₋ and a₊: 9a(1/h₋ + 1/h) = j − j₋ + 3a₋/h₋ + 3a₊/h. Here h₋ and h are the
    durations before and after the knot, j₋ and j the jerks just before and after it that positions
    and velocities alone, with all accelerations 0, would give. The system is solved by Jacobi
    sweeps, each followed by a projection to the bounds.

    Args:
        knots: N points of closed curves, of given positions and velocities.

    Returns:
        The accelerations, shape (N, 3), [m/s²].
    """
    following = knots.following  # row of the next knot of the same curve
    h = knots.duration[:, None]
    preceding = inverse_permutation(following)  # row of the knot before
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


MAX_DETOUR = 0.15
"""Largest distance of a hand over or under the direct path, [m]."""

MAX_DETOUR_ACCELERATION = 40.0
"""Bound of the extra acceleration of a detour, [m/s²]."""

# Coefficients of the bump (4s(1 − s))³ by powers of s. It is 1 halfway, at s = ½.
_BUMP = (0, 0, 0, 64, -192, 192, -64)
_BUMP_TERMS = len(_BUMP)  # of polynomials of degree 6

# The bump by powers of s − s₀, by the binomial theorem: row k times the powers of s₀ is the
# coefficient of (s − s₀)^k.
_SHIFTED_BUMP = np.array(
    [[comb(n, k) * _BUMP[n] for n in range(k, _BUMP_TERMS)] + [0] * k for k in range(_BUMP_TERMS)],
    dtype=float,
)

_MAX_BUMP_CURVATURE = 24.0  # largest second derivative of the bump by s, in magnitude

TRUNK_FRONT = 0.24
TRUNK_SIDE = 0.27
"""How far ahead and to the side of a body's place a natural hand keeps, [m]: half axes of an
ellipse.
"""

MAX_AROUND_ACCELERATION = 90.0
"""Bound of the extra acceleration of a hand that goes around its trunk, [m/s²]."""

MAX_LIFT_ACCELERATION = 25.0
"""Bound of the extra acceleration of a hand that dips less low, [m/s²]."""

MAX_BUMP_ACCELERATION = 90.0
"""Bound of the extra acceleration of a hand that goes around a prop, along each axis, [m/s²]."""

_LARGEST_BUMP = 0.25  # m, of a bump around the trunk or out of a dip

# Approximate position of shoulders, outward, up and forward, and reach from there to a held prop,
# [m].
_SHOULDER = (0.19, 1.38, 0.05)
_ARM_LENGTH = 0.58

_SAME_TIME = 1e-9  # s, by which times that are equal may differ from rounding

# Where hands are far out, bodies lean, so that a dip to this height is not too low, [m].
_HIGHEST_DIP = 0.95

# Samples at which the bump is lower than this share of its height, near its ends, are not measured
# for the height that it must have around the trunk.
_MIN_BUMP_AT_TRUNK = 0.15

# A gap between two events shorter than the first is left unchanged; one longer by the second is
# lifted fully, [s].
_NO_LIFT_BELOW = 0.22
_LIFT_BLEND = 0.08

# The same share for dips: samples nearer to the ends would make the bump too high.
_MIN_BUMP_IN_DIP = 0.6

# Shares of a piece at which its curve is sampled.
_SAMPLE_SHARES = np.linspace(0.0, 1.0, 9)

_DETOUR_SIGN = {"direct": 0.0, "over": 1.0, "under": -1.0}


# Of the difference between the speeds of a caught prop and of a hand with its palm up, a claw keeps
# this share: it moves along with the prop more closely.
_CLAW_SLIP_SHARE = 0.2

_FORWARD_SPEED = 0.7  # m/s, with which a claw comes forward onto the prop that it catches

# The least backward acceleration with which a claw lets go, [m/s²].
_PULL_BACK = 20.0

# How far a hand goes out of its way on its way to a catch, outward, up and forward, [m], by its
# grasps at the throw before and at the catch.
_CATCH_DETOURS = {
    (Grasp.CLAW, Grasp.CLAW): (0.0, 0.0, -0.075),
    (Grasp.PALM, Grasp.CLAW): (0.14, 0.055, 0.0),
    (Grasp.CLAW, Grasp.PALM): (0.12, -0.08, 0.0),
}

_CATCH_DETOUR_TIME = 0.26  # s before the catch, in which it does so


# Hands keep this clear of props that they do not handle, from the middle of a ball that they hold
# or would hold: room for palms and fingers, whichever way they are turned. [m]
HAND_GAP = 0.10

ROUNDING_TIME = 1e-6
"""A throw or catch that comes within this time counts as having come, [s]: where hands make room
for props, many events are exactly at the moments that are compared, and rounding of their times
would decide otherwise.
"""
_NEGLIGIBLE_MISSING = 0.0001  # m
_YIELDING_TIME = 0.15  # s before and after the middle of the way aside, at most
_SHORTEST_YIELDING = 0.01  # s, likewise, at least
_YIELDING_ROUNDS = 4  # in which what is still missing is added


def with_detours(
    curves: Floats, points: Waypoints, choreography: Choreography, empty_hand_path: str
) -> Floats:
    """Move curves of empty hands over or under the direct path between a throw and a catch.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. An orbit is the closed path that some props share, one loop apart. The added
    bump d·(4s(1 − s))³, with s from 0 at the throw to 1 at the catch and d up to `MAX_DETOUR`, has
    position, velocity and acceleration 0 at both ends, so throws and catches do not change. Hands
    that pass points of the pattern's text on the way are left unchanged.

    Args:
        curves: shape (N, K, 3), K up to 7: from each point to the next, coefficients of x, y, z by
            ascending powers of the time since the point, [m], [m/s] …
        points: N waypoints of all hands.
        choreography: flights and orbits, which tell when a hand is empty.
        empty_hand_path: "direct", "over" or "under".

    Returns:
        Shape (N, 7, 3); `curves` itself if the path is "direct".
    """
    sign = _DETOUR_SIGN[empty_hand_path]
    if not sign:
        return curves
    height = np.where(_empty_after(points, choreography), sign * MAX_DETOUR, 0.0)
    return bent_between_events(curves, points, height, direction=(0.0, 1.0, 0.0))


def clear_of_trunk(curves: Floats, points: Waypoints) -> Floats:
    """Bend curves forward where they would enter the trunk on the way from event to event.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. Seen from above the trunk is an ellipse around the body's place. Only ways
    that begin and end outside of it are bent; where a hand throws or catches within the ellipse,
    the way to and from there stays.

    Args:
        curves: shape (N, 7, 3), from each point to the next of the same hand, coefficients of x, y,
            z by ascending powers of the time since the point, [m], [m/s] …
        points: N waypoints of all hands, in the frames of their bodies.

    Returns:
        Shape (N, 7, 3); `curves` itself if none enters the trunk.
    """
    # A body faces +z, and x is to its left. How far behind the front of the trunk each of S evenly
    # spaced samples of each piece is, shape (N, S), [m]; 0 in front of it. Beside the trunk its
    # front is at z = −∞, so that every place there is in front of it.
    places = places_along_curves(curves, points.gap, _SAMPLE_SHARES)
    depth = np.maximum(_trunk_front(places) - places[..., 2], 0.0)
    if not depth.any():
        return curves
    # The way of a hand from one event to the next may have several pieces, with points in between.
    # It is bent as a whole, by one bump that moves all of it forward far enough; `height` has the
    # height of that bump, [m], in the row of the event at which the way begins, and 0 elsewhere.
    height = _bump_heights(depth, points, _MIN_BUMP_AT_TRUNK)
    # Only ways are bent whose two events lie outside of the trunk.
    rows, next_event, _ = points.events
    position = points.position[rows]
    is_outside = position[:, 2] > _trunk_front(position)
    height[rows] *= is_outside & is_outside[next_event]
    return bent_between_events(
        curves,
        points,
        height,
        direction=(0.0, 0.0, 1.0),
        max_acceleration=MAX_AROUND_ACCELERATION,
    )


def with_shallower_dips(curves: Floats, points: Waypoints, lift_share: Floats) -> Floats:
    """Lift curves that dip lower than a juggler who stands upright reaches.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. From one event of a hand to the next its curve is lifted to the least of
    three heights: that reach, `_HIGHEST_DIP`, and the height of the lower of the two events. It is
    lifted all the way if the two are far apart in time, not at all if they are nearer than
    `_NO_LIFT_BELOW`, and a part of the way in between.

    Args:
        curves: shape (N, K, 3), K up to 7, from each point to the next, coefficients by ascending
            powers of the time since the point.
        points: N waypoints of all hands, in the frames of their bodies.
        lift_share: shape (N,), a further factor of the lift after each event, 0 for none to 1.

    Returns:
        Shape (N, 7, 3); `curves` itself if nothing is to be lifted.
    """
    places = places_along_curves(curves, points.gap, _SAMPLE_SHARES)  # (N, S, 3), S samples
    # In the row of each event, the height of the lower one of it and the next of the same hand.
    rows, next_event, _ = points.events
    event_heights = points.position[rows, 1]
    lower_end = np.zeros(len(points.hand))
    lower_end[rows] = np.minimum(event_heights, event_heights[next_event])
    # The least allowed height of each sample, and how far below it the sample lies, shape (N, S).
    # `last_event` has, for each point, the row of the event at or before it, with which its way
    # begins, and the time from that event to the next.
    reach = lowest_reach(places, points.hand[:, None])
    lowest = np.minimum(reach, lower_end[points.last_event.row, None])
    lowest = np.minimum(lowest, _HIGHEST_DIP)
    shortfall = np.maximum(lowest - places[..., 1], 0.0)
    lift = lift_share * _bump_heights(shortfall, points, _MIN_BUMP_IN_DIP)
    if not lift.any():
        return curves
    # A smooth step from 0 to 1 as the time between the two events grows.
    lift *= smooth_step((points.last_event.gap - _NO_LIFT_BELOW) / _LIFT_BLEND)
    return bent_between_events(
        curves,
        points,
        lift,
        direction=(0.0, 1.0, 0.0),
        max_acceleration=MAX_LIFT_ACCELERATION,
    )


def lowest_reach(places: Floats, hand: Integers) -> Floats:
    """Return the least heights that hands reach without bent knees, shape (…), [m].

    That is the height of the lower half of a sphere around the shoulder, of the radius
    `_ARM_LENGTH`, at the x and z of a place; farther out than the sphere, that of the shoulder.

    Args:
        places: shape (…, 3), in the frame of the body, [m]; their heights are not read.
        hand: index of the hand at each place, 2 · juggler + side; its shape broadcasts with ….
    """
    side = np.where(hand % 2 == 0, 1.0, -1.0)
    from_shoulder = np.hypot(side * places[..., 0] - _SHOULDER[0], places[..., 2] - _SHOULDER[2])
    # The lower half of the sphere.
    lowest: Floats = _SHOULDER[1] - np.sqrt(np.maximum(_ARM_LENGTH**2 - from_shoulder**2, 0.0))
    return lowest


def _bump_heights(shortfall: Floats, points: Waypoints, min_share: float) -> Floats:
    """Return the least heights of bumps, from event to event, that move curves by given distances.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. A bump of height d moves the curve by d·(4s(1 − s))³ at the share s of the
    time between the two events, so a sample that has to be moved by m needs d = m / (4s(1 − s))³.
    The greatest of all samples between the events is returned, up to `_LARGEST_BUMP`.

    Args:
        shortfall: how far each of N pieces has to be moved at the S shares `_SAMPLE_SHARES` of its
            duration, shape (N, S), 0 or more, [m].
        points: N waypoints, at which the pieces begin.
        min_share: samples at which the bump is lower than this share of its height, near the
            events, are left out.

    Returns:
        Heights of bumps in the rows of the events at which they begin, shape (N,), [m]; 0 in all
        other rows.
    """
    # For each piece the row of its hand's last event, and the time from that to the next event; s
    # of each sample counts from the one to the other.
    event_rows, event_gaps = points.last_event
    since_event = (points.time - points.time[event_rows]) % points.loop
    share = (since_event[:, None] + points.gap[:, None] * _SAMPLE_SHARES) / event_gaps[:, None]
    bump = (4.0 * share * (1.0 - share)) ** 3
    needed = np.where(bump > min_share, shortfall / np.maximum(bump, min_share), 0.0).max(axis=1)
    heights = np.zeros(len(points.hand))
    np.maximum.at(heights, event_rows, np.minimum(needed, _LARGEST_BUMP))
    return heights


def _trunk_front(places: Floats) -> Floats:
    """How far ahead the front of the trunk is at the x of given places, shape (…), [m].

    Seen from above the trunk is an ellipse with the half axes `TRUNK_SIDE` and `TRUNK_FRONT`. At an
    x beside it the result is −∞, so that all places there count as in front of it.

    Args:
        places: shape (…, 3), in the frame of the body, [m]; only x is read.
    """
    # The ellipse (x / side)² + (z / front)² = 1 solved for z / front.
    squared_z = 1.0 - (places[..., 0] / TRUNK_SIDE) ** 2
    front = TRUNK_FRONT * np.sqrt(np.maximum(squared_z, 0.0))
    return np.where(squared_z > 0.0, front, -np.inf)


def bent_between_events(
    curves: Floats,
    points: Waypoints,
    height: Floats,
    direction: tuple[float, float, float],
    max_acceleration: float = MAX_DETOUR_ACCELERATION,
) -> Floats:
    """Add bumps to curves of hands, each from an event to the next event of the same hand.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. A bump d·(4s(1 − s))³, with s from 0 to 1 between the two events, leaves
    position, velocity and acceleration at both as they are. It goes over all pieces between them.

    Args:
        curves: shape (N, K, 3), K up to 7: from each point to the next, coefficients of x, y, z by
            ascending powers of the time since the point.
        points: N waypoints of all hands, in the frames of their bodies.
        height: shape (N,), d of the bump that begins at each event, in the row of that event, [m];
            may be below 0, and is 0 for no bump. Other rows are not read.
        direction: unit vector along which the hand is moved, in the frame of the body.
        max_acceleration: largest acceleration that a bump may add, [m/s²]; where there is too
            little time for d, the bump is as high as this allows.

    Returns:
        Shape (N, 7, 3), new coefficients.
    """
    coefficients = np.zeros((len(curves), _BUMP_TERMS, 3))
    coefficients[:, : curves.shape[1]] = curves
    # For each piece the row of its hand's last event, and the time from that to the next event.
    event_rows, event_gaps = points.last_event
    piece_heights = height[event_rows]  # d of the bump of which each piece has a part
    bent_pieces = piece_heights.nonzero()[0]
    if not bent_pieces.size:
        return coefficients
    # The part of the bump on each piece begins at the share s₀ = (t − t₀) / τ, with the times t of
    # the piece and t₀ of the event, and the duration τ of the bump.
    duration = event_gaps[bent_pieces]
    event_time = points.time[event_rows[bent_pieces]]
    since_event = (points.time[bent_pieces] - event_time) % points.loop
    start_share = since_event / duration
    # A bump of height d and duration τ has the acceleration `_MAX_BUMP_CURVATURE` · d / τ² at most.
    max_height = max_acceleration / _MAX_BUMP_CURVATURE * duration**2
    limited = np.clip(piece_heights[bent_pieces], -max_height, max_height)
    terms = _bump_coefficients(start_share, duration) * limited[:, None]
    coefficients[bent_pieces] += terms[:, :, None] * direction
    return coefficients


def with_bumps(
    paths: PiecewisePolynomial, path: Integers, start: Floats, duration: Floats, offset: Floats
) -> PiecewisePolynomial:
    """Add bumps to paths of hands in given spans of time.

    In each span the path moves by d·(4s(1 − s))³, s from 0 at its start to 1 at its end, which
    leaves position, velocity and acceleration at both as they are.

    Args:
        paths: paths of K hands, no piece of a higher degree than 6.
        path: index of the path that has each of W bumps, shape (W,); bumps on one path do not
            overlap.
        start: shape (W,), when each bump begins, 0 ≤ start < period, [s].
        duration: shape (W,), how long each lasts, above 0, [s].
        offset: shape (W, 3), d of each, how far the hand is moved halfway, [m]; along each axis it
            is limited by `MAX_BUMP_ACCELERATION` in that time.

    Returns:
        The paths, with further pieces where bumps begin.
    """
    order = np.lexsort((start, path))  # pieces must be sorted by path and start
    path = path[order]
    start = start[order]
    duration = duration[order]
    paths = _split_at(paths, path, start)
    paths = _split_at(paths, path, (start + duration) % paths.periods[path])

    # The pieces that begin during a bump get their part of it. To find the last bump that began at
    # or before the start of each piece, the bumps are made pieces of paths themselves, with the
    # same periods but no coordinates.
    rows = np.flatnonzero(np.isin(paths.path_of_piece, path))
    bumps = PiecewisePolynomial(paths.periods, path, start, np.zeros((len(path), 1, 0)))
    bump, since = bumps.locate(paths.path_of_piece[rows], paths.start[rows] + _SAME_TIME)
    is_inside = since < duration[bump]
    rows = rows[is_inside]
    bump = bump[is_inside]
    since = since[is_inside]
    # A bump of height d and duration τ has the acceleration `_MAX_BUMP_CURVATURE` · d / τ² at most.
    max_offset = MAX_BUMP_ACCELERATION / _MAX_BUMP_CURVATURE * duration[:, None] ** 2
    # Coefficients, for a height of 1, of the part of its bump from each piece on.
    terms = _bump_coefficients(since / duration[bump], duration[bump])
    limited = np.clip(offset[order], -max_offset, max_offset)
    paths.coefficients[rows] += terms[:, :, None] * limited[bump, None]
    return paths


def _bump_coefficients(start_share: Floats, duration: Floats) -> Floats:
    """Coefficients of parts of the bump (4s(1 − s))³, by powers of the time since each part begins.

    Args:
        start_share: s at which each part begins, shape (N,), 0 to 1.
        duration: duration of the whole bump, from s = 0 to 1, shape (N,), above 0, [s].

    Returns:
        Shape (N, 7), powers 0 to 6 ascending, for a bump of the height 1.
    """
    # The bump by powers of s − s₀, and with s − s₀ = t / τ by powers of the time t.
    return powers(start_share, _BUMP_TERMS) @ _SHIFTED_BUMP.T / powers(duration, _BUMP_TERMS)


def _split_at(paths: PiecewisePolynomial, path: Integers, times: Floats) -> PiecewisePolynomial:
    """Split pieces of paths in two at given times; no piece changes its course.

    Args:
        paths: paths of hands, no piece of a higher degree than 6.
        path: index of the path that is split at each of W times, shape (W,).
        times: shape (W,), 0 ≤ time < period, [s]; where a piece begins then, nothing is split.

    Returns:
        The same paths, with coefficients up to u⁶ for all pieces.
    """
    piece, since = paths.locate(path, times)  # the piece, and the time since it began
    is_split = since > _SAME_TIME
    # The later part has the Taylor coefficients at its start, derivative n over n!.
    later_terms = [
        paths.evaluate(piece[is_split], since[is_split], order) / factorial(order)
        for order in range(_BUMP_TERMS)
    ]
    missing_terms = _BUMP_TERMS - paths.coefficients.shape[1]
    padded = np.pad(paths.coefficients, ((0, 0), (0, missing_terms), (0, 0)))
    return PiecewisePolynomial(
        paths.periods,
        np.concatenate([paths.path_of_piece, path[is_split]]),
        np.concatenate([paths.start, times[is_split]]),
        np.concatenate([padded, np.stack(later_terms, axis=1)]),
    ).sorted()


def _empty_after(points: Waypoints, choreography: Choreography) -> Booleans:
    """Whether the hand is empty from each point to its next event, shape (N,).

    True only for throws after which the hand holds no prop until its next event, if that is a
    throw or catch, and not a point that the pattern's text puts on the hand's path.

    Args:
        points: N waypoints of all hands.
        choreography: its flights and orbits are read.
    """
    # Rows of the waypoints that are events; for each the index among these of the hand's next event
    # and the time until that, s.
    events, next_event, gap = points.events
    kind = points.kind[events]
    # Kinds up to `CATCH` are throws and catches.
    goes_directly = (kind == THROW) & (kind[next_event] <= CATCH)
    middle = (points.time[events] + gap / 2) % points.loop
    # The number of props in the hand halfway to the next event.
    holds_none = props_held(choreography, points.hand[events], middle) == 0
    empty = np.zeros(len(points.hand), dtype=bool)
    empty[events] = goes_directly & holds_none
    return empty


def claw_mask(events: Events, kind: int) -> Booleans:
    """Whether events are throws, or catches, as `kind` says, with the palm down; shape (E,)."""
    if events.grasp is None:
        return np.zeros(len(events.time), dtype=bool)
    clawed: Booleans = (events.grasp == Grasp.CLAW) & (events.kind == kind)
    return clawed


def softness_with_claws(softness: Floats, clawed: Booleans) -> Floats:
    """Return the softness of catches, which is larger for claws, catches with the palm down.

    The softness s is the share of the prop's speed with which the hand moves at the catch, 0 to 1.
    So the prop hits the hand with the share 1 − s of its speed, of which a claw has only
    `_CLAW_SLIP_SHARE`.

    Args:
        softness: softness of F catches if they are made palm up, shape (F,).
        clawed: whether the catch is a claw, shape (F,).

    Returns:
        The softness of each catch, shape (F,).
    """
    return np.where(clawed, 1.0 - _CLAW_SLIP_SHARE * (1.0 - softness), softness)


def with_claw_approach(velocity: Floats, events: Events) -> Floats:
    """Add to the velocities of hands that catch palm down (claws) a motion forward, onto the prop.

    Args:
        velocity: velocity of the hand at each event, in the frame of its body, shape (E, 3), [m/s].
        events: the E events.

    Returns:
        Velocities, shape (E, 3), [m/s].
    """
    if events.grasp is None:
        return velocity
    forward = np.where(claw_mask(events, CATCH), _FORWARD_SPEED, 0.0)
    return velocity + forward[:, None] * (0.0, 0.0, 1.0)


def with_claw_pull_back(points: Waypoints, choreography: Choreography) -> Waypoints:
    """Bound the acceleration of claws at throws: at least `_PULL_BACK`, [m/s²], backward.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. A claw is a hand with its palm down, which so pulls back from the prop that
    it throws; backward is −z in the frame of the body.

    Args:
        points: waypoints of all hands; the upper bounds on accelerations along z at the throws of
            claws change in place.
        choreography: its events are read.

    Returns:
        The same object `points`.
    """
    # Which events are throws of claws, sorted by hand and time as the waypoints are.
    is_claw = claw_mask(choreography.events, THROW)[choreography.events.by_hand]
    points.max_acceleration[points.events.rows[is_claw], 2] = -_PULL_BACK
    return points


def around_caught_props(
    paths: PiecewisePolynomial, choreography: Choreography
) -> PiecewisePolynomial:
    """Add detours around props to paths of hands that are about to catch them from above.

    These are hands that catch palm down (as claws), and hands that turn over between the throw
    before and the catch. Shortly before the catch such a hand is moved aside, by a smooth bump of
    its path that depends on its grasps at that throw and at the catch (`_CATCH_DETOURS`). Hands
    that go around the body, or pass points that the pattern's text puts on their path, are left
    unchanged.

    Args:
        paths: paths of all hands, index 2 · juggler + side, in the frames of their bodies.
        choreography: its events are read.

    Returns:
        The paths; `paths` itself if no hand goes aside.
    """
    events = choreography.events
    loop = choreography.duration
    if events.grasp is None:
        return paths
    # Rows are events by hand and then by time; `catch` is the row of the next event of each hand,
    # which counts only where it is a catch, and `gap` the time until it.
    order = events.by_hand
    hand = events.hand[order]
    time = events.time[order]
    kind = events.kind[order]
    grasp = events.grasp[order]
    catch, gap = successors(hand, time, loop)
    is_usual = (
        np.ones(len(order), dtype=bool)
        if events.body_throw is None
        else events.body_throw[order] == 0
    )
    # Only gaps from a throw to a catch, both in front of the body (usual), may have a detour.
    is_throw_to_catch = (kind == THROW) & (kind[catch] == CATCH) & is_usual & is_usual[catch]
    # How far each hand goes aside, [m]; `_CATCH_DETOURS` has that by the grasps at throw and catch.
    aside = np.zeros((len(order), 3))
    for (throw_grasp, catch_grasp), offset in _CATCH_DETOURS.items():
        aside[is_throw_to_catch & (grasp == throw_grasp) & (grasp[catch] == catch_grasp)] = offset
    # Outward is +x for left hands and −x for right ones.
    aside[:, 0] *= np.where(hand % 2 == 0, 1.0, -1.0)
    rows = np.flatnonzero(aside.any(axis=1))
    if not rows.size:
        return paths
    # The bump ends with the catch.
    duration = np.minimum(gap[rows], _CATCH_DETOUR_TIME)
    start = (time[rows] + gap[rows] - duration) % loop
    return with_bumps(paths, hand[rows], start, duration, aside[rows])


def clear_of_props(
    paths: PiecewisePolynomial,
    choreography: Choreography,
    hands: Integers,
    times: Floats,
    props: Floats,
    radii: Floats,
    carried: Booleans,
) -> PiecewisePolynomial:
    """Bend paths of hands away from props that come too near, between throws and catches.

    A way is the motion of a hand from one throw or catch to its next one. In each of a few rounds,
    every way on which props are too near gets a bump. Its middle is the mean time, and its height
    the mean move that props demand (`moves_away`), both weighted with the cube of that move.
    After these rounds little is missing.

    Args:
        paths: paths of all hands, in the frames of their bodies.
        choreography: its events are read.
        hands: indices of the H hands that make room, shape (H,), ascending: both of each juggler.
        times: T even moments of the loop, shape (T,), [s].
        props: centres of spheres that fill props, seen from the body of each hand, shape
            (T, H, K, 3), [m].
        radii: of the spheres, shape (T, H, K), [m]; −∞ for those that the hand may touch.
        carried: whether each hand carries each sphere, shape (T, H, K).

    Returns:
        The paths, with further pieces where bumps begin and end.
    """
    events = choreography.events
    loop = choreography.duration
    # W ways, by hand and then by time: the event with which each begins, its hand, start and
    # duration, shape (W,). As paths without coordinates they find the way at a given time.
    begins_way = events.is_throw_or_catch & np.isin(events.hand, hands)
    begins = events.by_hand[begins_way[events.by_hand]]
    way_hand = events.hand[begins]
    way_start = events.time[begins]
    _next, way_duration = successors(way_hand, way_start, loop)
    ways = PiecewisePolynomial(paths.periods, way_hand, way_start, np.zeros((len(begins), 1, 0)))
    # The way of each hand at each moment, and the time since it began, shape (T, H).
    way, since = ways.locate(hands, times[:, None] + ROUNDING_TIME)
    since -= ROUNDING_TIME
    others = np.arange(len(hands)) ^ 1  # indices of the other hands of the same jugglers
    first_places = paths.evaluate(*paths.locate(hands, times[:, None]))
    for _ in range(_YIELDING_ROUNDS):
        places = paths.evaluate(*paths.locate(hands, times[:, None]))
        # Props that the other hand of the juggler carries have moved with it.
        moved = (places - first_places)[:, others, None]
        away = places[:, :, None] - props - moved * carried[:, others, :, None]
        # Each hand moves away from spheres, and from the other hand with the spheres it carries.
        demand = moves_away(
            np.concatenate([away, -away[:, others]], axis=2),
            np.concatenate([radii, np.where(carried, radii[:, others], -np.inf)], axis=2),
        )
        middle, move = _mean_demands(way, since, demand, len(begins))
        # Each bump is around the mean time, and within its way.
        half = np.minimum(np.minimum(middle, way_duration - middle), _YIELDING_TIME)
        # A way on which little is missing, or only at one of its ends, stays.
        bent = np.flatnonzero(half > _SHORTEST_YIELDING)
        if not bent.size:
            break
        start = (way_start + (middle - half))[bent] % loop
        paths = with_bumps(paths, way_hand[bent], start, 2.0 * half[bent], move[bent])
    return paths


def _mean_demands(
    way: Integers, since: Floats, demand: Floats, way_count: int
) -> tuple[Floats, Floats]:
    """Return when and how far each of W ways should be bent, as means of what is demanded on it.

    Both are weighted with the cube of the demanded move.

    Args:
        way: the way of each of H hands at each of T times, 0 to W − 1, shape (T, H).
        since: time since it began, shape (T, H), [s].
        demand: by how much the hand should move, shape (T, H, 3), [m].
        way_count: W.

    Returns:
        The mean time since the way began, shape (W,), [s], 0 where hardly any move is demanded; and
        the mean move, shape (W, 3), [m].
    """
    # Sums over each way of the weights, and of their products with time and move: shape (W, 5).
    weight = (demand * demand).sum(axis=-1, keepdims=True) ** 1.5
    terms = np.concatenate([np.ones_like(weight), since[..., None], demand], axis=-1)
    sums = np.zeros((way_count, 5))
    np.add.at(sums, way, weight * terms)
    least_weight = _NEGLIGIBLE_MISSING**3
    means = sums[:, 1:] / np.maximum(sums[:, :1], least_weight)
    return np.where(sums[:, 0] > least_weight, means[:, 0], 0.0), means[:, 1:]


def moves_away(away: Floats, radii: Floats) -> Floats:
    """Return by how much hands should move to keep `HAND_GAP` from spheres, shape (..., 3), [m].

    That is the mean of what each sphere asks for, weighted with the cube of what is missing.

    Args:
        away: from the centres of K spheres to each hand, shape (..., K, 3), [m].
        radii: of the spheres, shape (..., K), [m]; −∞ for those that the hand may touch.
    """
    distance = np.maximum(norm(away)[..., 0], 1e-9)  # m; a hand may be in the middle of a prop
    missing = np.maximum(HAND_GAP + radii - distance, 0.0)
    cube = missing**3
    scale = cube * missing / (distance * np.maximum(cube.sum(axis=-1, keepdims=True), 1e-18))
    return np.asarray((scale[..., None] * away).sum(axis=-2))
