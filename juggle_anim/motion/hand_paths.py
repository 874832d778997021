"""Paths of hands: swings around throws, rests in long gaps, and detours of empty hands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import CATCH, THROW, Choreography
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.detours import (
    BOUNDS,
    MAX_ACCELERATION,
    MIN_ACCELERATION,
    POSITION,
    POSITION_AND_VELOCITY,
    Waypoints,
    around_caught_props,
    bent_between_events,
    clear_of_trunk,
    gentle_acceleration,
    hand_waypoints,
    lowest_reach,
    places_along_curves,
    states_along_curves,
    with_claw_pull_back,
    with_detours,
    with_shallower_dips,
)
from juggle_anim.motion.piecewise import PiecewisePolynomial, with_idle
from juggle_anim.vectors import smooth_step

RELEASE_SLOWING = 1.25
"""Least deceleration of a hand after a throw, over gravity, so that the prop leaves the hand."""

FOLLOW_THROUGH = 0.16
"""How far a hand with time to rest moves on before it rests, and moves before its next throw, [m].
"""

NATURAL_EASE = 1.2
NATURAL_HASTE = 0.8
"""How many times as long and as far a natural hand takes to rest, and to start again, after it
pushes a prop across, and after other throws.
"""

MIN_SWING_SPEED = 0.7
"""Slowest upward throw with a swing, [m/s]."""

MIN_SWING_SLOPE = 0.5
"""Least ratio of upward to level speed of a throw with a swing; a flatter throw is a push."""

REST_HEIGHT = 0.05
"""Height above a throw at which a hand rests after it, and below it before it, [m]."""

_MAX_STOP = 0.25  # s, that a hand takes to rest after a catch or a push
_AFTER_SWING = 0.30  # s, that it takes after a throw with a swing
_MIN_SWING_TIME = 0.03  # s, for a swing
_MIN_REST = 0.12  # s

# How much longer a gap beside a point that a natural hand passes must be for a rest than one
# without, [s].
_LONGER_BESIDE_POINT = 0.2

# Least deceleration of a hand that pushes a prop across, [m/s²].
_PUSH_DECELERATION = 15.0

# A curve of least jerk that stops within a time τ from a speed v covers about this share of v·τ.
_STOPPING_SHARE = 0.42

UP_SHARE = 0.0662
DOWN_SHARE = 0.095
"""How far a hand swings up after a throw, and down before it, over the throw's speed times the time
between throws.
"""

MAX_UP = 0.289
MAX_DOWN = 0.387
"""Limits of both, [m]."""

# Limits of a swing grow with the throw's speed: a slow throw needs no large swing even where there
# is time.
_UP_AT_REST = 0.064  # m
_UP_WITH_SPEED = 0.0223  # m for each m/s
_DOWN_AT_REST = 0.03  # m
_DOWN_WITH_SPEED = 0.041  # m for each m/s

# Just before a throw, in the reversal, the acceleration of a swing changes from upward to downward.
# Its duration as a share of 2 · down / speed, the time that a hand takes to gain the throw's speed
# at constant acceleration from the lowest point; and how long it lasts at least and at most.
_REVERSAL_SHARE = 0.11  # of Juggling Lab's hands
_NATURAL_REVERSAL_SHARE = 0.13
_MIN_REVERSAL = 0.0105  # s
_MAX_REVERSAL_SHARE = 0.4  # of down / speed; it prevails over the minimum

# A swing at constant acceleration covers half of speed · time. It may cover at most this share of
# the throw's speed times the available time, so it takes at most twice this share of that time.
_SWING_TIME_SHARE = 0.36

CARRY_BACK = 0.05
"""How much nearer to the body a natural hand is in the middle of a carry than at its ends, [m]."""

MAX_SCOOP = np.array([0.281, 0.38])
"""How far below a slow and a fast throw a natural hand gathers for it at most, [m]."""

NATURAL_UP_AT_REST = 0.034
NATURAL_UP_WITH_SPEED = 0.028
MAX_FOLLOW_UP = 0.28
"""How far an empty natural hand goes on above a throw at rest, [m], how much farther for each m/s
of the throw, and how far at most, [m].
"""

# A hand that slows from a speed v to rest within a time t, hardest in the middle, goes this share
# of v·t.
_STOP_SHARE = 0.48

# The acceleration of a hand as it lets go lies this share of the way from that of the curve of
# least jerk, 0, to the constant deceleration that ends at the highest point, 1.
_EVEN_SHARE = 0.55

GATHER_ACCELERATION = 55.0
"""The downward acceleration with which a hand above a catch gathers the speed that it has at the
catch, [m/s²].
"""

_SLOW_AND_FAST = (5.0, 9.5)  # m/s, upward speeds of throws to which `MAX_SCOOP` belongs

# A curve of least jerk that exceeds its largest dip or rise by this share of it, or more, is wholly
# replaced by a swing or a highest point at the limit; one that exceeds it by less, partly.
_BLEND_SHARE = 0.3

_LEAST_ROOM = 0.18  # m, which is always assumed for a dip before a throw

_BEYOND_CATCH = 0.06  # m, by which a hand goes below a catch lower than the throw

# The least limit of a swing beside a point that a hand passes; before a throw no lower than an
# upright juggler reaches, [m].
_SWING_BESIDE_POINT = 0.45

_REVERSAL, _HIGHEST = 1, 2  # columns of the points of a swing; the first, 0, is the lowest one

# Shares of a gap at which a curve is sampled for its lowest and highest point.
_SAMPLE_SHARES = np.linspace(0.0, 1.0, 25)


def hand_paths(
    choreography: Choreography,
    velocities: Floats,
    release_deceleration: Floats,
    *,
    scoop: float,
    empty_hand_path: str,
) -> PiecewisePolynomial:
    """Return the paths of all hands over one loop, in the frames of their bodies.

    Args:
        choreography: the events, E of them.
        velocities: shape (E, 3), of the hand at each throw and catch, in the frame of its body,
            [m/s]; not read at other events.
        release_deceleration: shape (E,), least deceleration of the upward motion of a hand after
            each throw, [m/s²]; not read at other events.
        scoop: scale of the swing down before a throw, 1 for the usual depth.
        empty_hand_path: the path of empty hands, "direct", "over" or "under".

    Returns:
        A path for each hand, index 2 · juggler + side, with period `choreography.duration`.
    """
    # Waypoints are the points that hands pass through at given times: at first the events, with
    # bounds on accelerations where hands let go of a prop, or push it across into the other hand.
    points = hand_waypoints(choreography, velocities, release_deceleration)
    points = with_claw_pull_back(points, choreography)
    points = _with_quick_stops(points, choreography)
    points = _with_calm_carries(points, choreography)
    if choreography.as_juggling_lab:
        # Juggling Lab's hands swing by fixed rules, come to rest at the same rate after all throws
        # (`ease` and `haste` 1), and never rest beside points that they only pass.
        points = _with_rests(points, ease=1.0, haste=1.0, extra_gap_beside_via_point=np.inf)
        points = _with_swings(points, scoop)
        curves = points.curves
    else:
        points = _natural_waypoints(points, scoop, choreography.throws_around_body)
        curves = _natural_curves(points, scoop, choreography.throws_around_body)
    # Hands go around the trunk, not through it; those of Juggling Lab never come near it but for
    # throws and catches around the body.
    if not choreography.as_juggling_lab or choreography.events.body_throw is not None:
        curves = clear_of_trunk(curves, points)
    # Empty hands go over or under the direct path, if `empty_hand_path` asks for it.
    curves = with_detours(curves, points, choreography, empty_hand_path)
    # Hands without events stay at their places of rest.
    paths = with_idle(
        periods=np.full(len(choreography.rest), choreography.duration),
        path=points.hand,
        start=points.time,
        coefficients=curves,
        idle_values=choreography.rest,
    )
    return around_caught_props(paths, choreography)


def _natural_waypoints(points: Waypoints, scoop: float, throws_around_body: Booleans) -> Waypoints:
    """Add the knots of natural hands: rests, and swings where the smoothest curve goes too far.

    A natural hand moves as people's do, and not as Juggling Lab's; a knot is an added point of its
    path. Gaps are the times between successive points of a hand.

    Args:
        points: events of all hands; their bounds on accelerations change in place.
        scoop: scale of the swing down before a throw, 1 for the usual depth.
        throws_around_body: shape (J,), which of J jugglers throw or catch around the body.

    Returns:
        The points and the added ones, sorted by hand and time.
    """
    points = _with_rests(
        points,
        ease=NATURAL_EASE,
        haste=NATURAL_HASTE,
        extra_gap_beside_via_point=_LONGER_BESIDE_POINT,
    )
    # Where and when empty hands should be highest after throws is found first, without the other
    # knots. Then come knots for dips that would be too deep before throws, and for rises that would
    # be too high after them.
    highest = _highest_points(points)
    points = _with_blended_scoops(points, scoop, throws_around_body, highest.release)
    return _with_highest_points(points, highest)


def _natural_curves(points: Waypoints, scoop: float, throws_around_body: Booleans) -> Floats:
    """Return the curves of natural hands: those of least jerk, bent where that looks better.

    A natural hand moves as people's do, and not as Juggling Lab's.

    Args:
        points: N waypoints of all hands (the points that they pass through), with all added ones.
        scoop: scale of the swing down before a throw, 1 for the usual depth.
        throws_around_body: shape (J,), which of J jugglers throw or catch around the body.

    Returns:
        Shape (N, 7, 3): from each point to the next of the same hand, coefficients of x, y, z by
        ascending powers of the time since the point, in the frame of the body, [m], [m/s] …
    """
    # While they carry a prop from catch to throw, hands bend toward the body, −z in its frame.
    back = np.where(points.begins_carry, CARRY_BACK, 0.0)
    curves = bent_between_events(points.curves, points, back, direction=(0.0, 0.0, -1.0))
    # Dips below the reach of an upright juggler are made shallower, by a share from 0 for not at
    # all to 1 for wholly. It is 0 for jugglers who throw around the body, as they bend down anyway,
    # and less than 1 where `scoop` is above 1, which asks for deeper dips.
    lift_share = 1.0 - smooth_step(np.full(len(points.hand), (scoop - 1.0) / _BLEND_SHARE))
    # Hand 2 · j + side belongs to juggler j.
    lift_share[throws_around_body[points.hand // 2]] = 0.0
    return with_shallower_dips(curves, points, lift_share)


def _with_swings(points: Waypoints, scoop: float) -> Waypoints:
    """Add the knots of a swing before and after each upward throw, if there is time for it.

    A knot is a point of a hand's curve with a given time, at which two pieces of the curve meet. A
    waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. A hand swings up to a throw from a lowest point, and on after it to a
    highest point. In gaps beside via points (those that a pattern's text puts on the hand's path)
    there are no swings.

    Args:
        points: waypoints of all hands, which are events and points added between them; their
            largest accelerations at throws change in place.
        scoop: scale of the swing down before a throw, 1 for the usual depth.

    Returns:
        The points and the added ones, sorted by hand and time.
    """
    throws = _throws_with_room(points, beside_via_points=False)
    # The upper bound on the acceleration just after a throw is below 0: a least deceleration.
    swings = limited_swings(
        points.velocity[throws.row, 1],
        throws.time_before,
        throws.time_after,
        release_deceleration=-points.max_acceleration[throws.row, 1],
        scoop=scoop,
    )
    return _with_swing_knots(points, throws.row, swings, weights=throws.has_room.astype(float))


class HighestPoints(NamedTuple):
    """Highest points of hands after each of N throws, in the order of the throws' waypoints.

    Args:
        since_throw: shape (N,), time from the throw to the highest point, [s].
        rise: shape (N,), height of the highest point above the throw, [m].
        weight: shape (N,), how far the hand goes, at that time, from its curve of least jerk, 0, to
            rest at that height, 1; where it is 0, no point is added.
        release: shape (N,), upward acceleration at the throw, [m/s²].
    """

    since_throw: Floats
    rise: Floats
    weight: Floats
    release: Floats


def _highest_points(points: Waypoints) -> HighestPoints:
    """Return the height and time of the highest point of the hand after each throw.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. With no point between a throw and a catch, the curve of least jerk (the
    smoothest one, with which a hand moves by default) takes all the time to turn round, and so
    rises far. People stop sooner. The rise is limited to the larger of two: what people need to
    stop after a throw of that speed, and the height from which the hand can gain, on the way down,
    the speed that it has at its next catch. The weight of the highest point grows with how far the
    curve of least jerk rises above this limit.

    Args:
        points: waypoints of all hands: events, and points added between them.

    Returns:
        A row for each throw; the weight is 0 where the curve does not rise too far, does not turn
        back within the gap, or leaves no time for a point.
    """
    # Arrays are by throw: `throws` are rows of waypoints, `next_point` the row of the waypoint that
    # follows each, as a rule a catch, `gap` the time between them, and `curves` the curves of least
    # jerk between them, as coefficients by ascending powers of the time.
    throws = (points.kind == THROW).nonzero()[0]
    next_point = points.following[throws]
    gap = points.gap[throws]
    curves = points.curves[throws]
    height = points.position[throws, 1]
    # How far each curve rises above its throw, [m], and whether it turns back within the gap.
    curve_rise, turns_back, _place = _farthest_points(curves, gap, height, sign=1.0)

    # The limit of the rise above the throw, the largest of three: the one that the throw's speed
    # asks for; the height, v² / 2a above the next catch, from which a hand gains the downward speed
    # v of that catch at the acceleration a (v is 0 if the hand comes up to the catch); and, beside
    # a point that the pattern's text puts on the hand's path, a constant.
    upward = np.maximum(points.velocity[throws, 1], 0.0)
    downward = np.maximum(-points.velocity[next_point, 1], 0.0)
    catch_height = points.position[next_point, 1] - height  # above the throw
    by_throw = np.minimum(NATURAL_UP_AT_REST + NATURAL_UP_WITH_SPEED * upward, MAX_FOLLOW_UP)
    by_catch = catch_height + downward**2 / (2 * GATHER_ACCELERATION)
    by_via_point = np.where(points.is_via_point[next_point], _SWING_BESIDE_POINT, 0.0)
    max_rise = np.maximum.reduce([by_throw, by_catch, by_via_point])

    # When the hand is highest. If the throw's speed sets the limit, it is after the time that the
    # hand takes to stop; if the catch sets it, before the catch by the time that the hand takes to
    # gain speed, at most half of the gap. Otherwise it is the mean of both, weighted by the share
    # that the throw's limit is of the largest one.
    gain_time = np.minimum(_time_to_stop(downward, max_rise - catch_height), gap / 2)
    stop_time = np.minimum(_time_to_stop(upward, max_rise), gap - gain_time)
    throw_share = by_throw / max_rise
    since_throw = throw_share * stop_time + (1.0 - throw_share) * (gap - gain_time)

    # The weight, if there is time for the point.
    has_time = np.minimum(since_throw, gap - since_throw) > _MIN_SWING_TIME
    excess = curve_rise / max_rise - 1.0
    weight = (turns_back & has_time) * smooth_step(excess / _BLEND_SHARE)

    # A hand that stops soon slows down more at the throw already. Its acceleration there goes from
    # that of the curve (twice the quadratic coefficient) a share of the way to −v² / 2s, the
    # constant one with which a hand of speed v stops at the height s of the highest point.
    curve_acceleration = 2 * curves[:, 2, 1]
    even_acceleration = np.minimum(curve_acceleration, -(upward**2) / (2 * max_rise))
    release = curve_acceleration + _EVEN_SHARE * weight * (even_acceleration - curve_acceleration)
    return HighestPoints(since_throw, max_rise, weight, release)


def _time_to_stop(speed: Floats, distance: Floats) -> Floats:
    """Time in which a hand slows from a speed to rest over a distance, or the reverse, [s].

    At the speed 0 it is a very long time.

    Args:
        speed: shape (N,), 0 or more, [m/s].
        distance: shape (N,), [m].
    """
    return distance / (_STOP_SHARE * np.maximum(speed, 1e-9))


def _with_highest_points(points: Waypoints, highest: HighestPoints) -> Waypoints:
    """Add points at which empty hands are highest after throws, for throws with a weight over 0.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. With weight 1 the hand rests for a moment at the highest point; with less,
    the added point lies between the highest point and the curve of least jerk, on which the hand
    would move if nothing was added. Accelerations at the throw before and the catch after the added
    point are fixed, so that the carries, which lie beyond these two, stay unchanged.

    Args:
        points: waypoints of all hands; bounds on vertical accelerations at these throws and catches
            change in place.
        highest: for each throw among the points, in the same order: the weight, 0 to 1, when and
            how far above the throw the hand is highest, and its acceleration at the throw.

    Returns:
        The points and the added ones, sorted by hand and time; `points` itself if there are none.
    """
    # Of all throws those that get a point: their indices in `highest`, and their rows among the
    # waypoints.
    weighted = highest.weight.nonzero()[0]
    if not weighted.size:
        return points
    throws = (points.kind == THROW).nonzero()[0][weighted]
    # The curves through the points as they are, before any of them changes.
    curves = points.curves

    # Fix the vertical accelerations at these throws, and at the catches that follow them. A state
    # has the rows position, velocity, least and greatest acceleration; the last two are `BOUNDS`,
    # and column 1 is vertical. With both bounds equal the acceleration is fixed. At a catch it is
    # that of the curve: twice the quadratic coefficient.
    points.state[throws, BOUNDS, 1] = highest.release[weighted, None]
    next_events = points.following[throws]
    catches = next_events[points.kind[next_events] == CATCH]
    points.state[catches, BOUNDS, 1] = 2 * curves[catches, 2, 1, None]

    # Positions and velocities of the added points are those of the curve (`on_curve` has a row for
    # each), but the height goes by the weight toward that of the highest point, and the vertical
    # velocity toward 0. Accelerations are NaN, which leaves them to the usual bounds.
    since_throw = highest.since_throw[weighted]
    on_curve = states_along_curves(curves[throws], since_throw)[:, :2]
    highest_height = points.position[throws, 1] + highest.rise[weighted]
    at_rest = np.array([highest_height, np.zeros(len(throws))]).T
    to_rest = at_rest - on_curve[..., 1]
    state = np.full((len(throws), 4, 3), np.nan)
    state[:, POSITION_AND_VELOCITY] = on_curve
    state[:, POSITION_AND_VELOCITY, 1] += highest.weight[weighted, None] * to_rest
    return points.with_points_between(points.hand[throws], points.time[throws] + since_throw, state)


def _with_blended_scoops(
    points: Waypoints, scoop: float, throws_around_body: Booleans, release: Floats
) -> Waypoints:
    """Add knots of swings where hands would dip too far before upward throws.

    A knot is a point of a hand's curve with a given time, at which two pieces of the curve meet.
    With no point between a catch and a throw, the curve of least jerk (the smoothest one) resembles
    that of jugglers, unless there is so much time that it dips too far. In that case a hand swings
    instead: from a lowest point that is not too deep it gains the throw's speed at a constant
    acceleration. It also swings where `scoop` asks for another depth. Weights from 0 (least jerk)
    to 1 (swing) blend the two motions.

    Args:
        points: waypoints of all hands. Where knots are added, the bounds of the accelerations at
            throws change in place.
        scoop: scale of the dip before a throw, 1 for the usual depth.
        throws_around_body: shape (J,), which of J jugglers throw or catch around the body.
        release: upward acceleration at each throw among the waypoints, in their order, [m/s²].

    Returns:
        The points and the added ones, sorted by hand and time; `points` itself if no throw needs a
        swing.
    """
    # Arrays are by throw: the N upward throws with time for a swing before or after them. Here only
    # swings before throws count; those after have the weight 0, and so no knots.
    with_room = _throws_with_room(points, beside_via_points=True)
    throws = with_room.row
    depths, weights_before = _scoops(points, throws, scoop, throws_around_body)
    weights = np.zeros((len(throws), 2))
    weights[:, 0] = weights_before * with_room.has_room[:, 0]
    if not weights.any():
        return points

    # The swing is no deeper than the time before the throw allows.
    upward = points.velocity[throws, 1]
    deepest_in_time = _SWING_TIME_SHARE * upward * with_room.time_before
    down = np.minimum(depths, deepest_in_time)
    # `release` has an entry for each throw; here only those of the N throws are needed.
    all_throws = np.flatnonzero(points.kind == THROW)
    swings = _natural_swings(upward, down, release[np.searchsorted(all_throws, throws)])
    return _with_swing_knots(points, throws, swings, weights)


def _scoops(
    points: Waypoints, throws: Integers, scoop: float, throws_around_body: Booleans
) -> tuple[Floats, Floats]:
    """Return the depths of swings that may replace the ways to N throws, and their weights.

    Args:
        points: waypoints of all hands.
        throws: rows of the throws among the waypoints, shape (N,).
        scoop: scale of the dip before a throw, 1 for the usual depth.
        throws_around_body: shape (J,), which of J jugglers throw or catch around the body.

    Returns:
        Heights of the throws above the lowest points of the swings, shape (N,), [m]; and weights,
        shape (N,), from 0 for the curve of least jerk to 1 for the swing.
    """
    # How far the curve of least jerk, which begins at the waypoint before, dips below the throw.
    previous = points.preceding[throws]
    dip, turns_back, lowest_place = _farthest_points(
        points.curves[previous],
        gap=points.gap[previous],
        height=points.position[throws, 1],
        sign=-1.0,
    )
    max_dip = _max_dips(points, throws, lowest_place, throws_around_body)
    # The scale does not apply where the pattern's text gives the path to the throw.
    scale = np.where(points.is_via_point[previous], 1.0, scoop)

    # The weight grows with the relative excess of the dip over its limit, and with |scale − 1|: it
    # is 1 from `_BLEND_SHARE` on. A curve that does not turn back in the gap makes no dip that a
    # swing could replace.
    excess = np.maximum(dip / max_dip - 1.0, np.abs(scale - 1.0))
    weights = turns_back * smooth_step(excess / _BLEND_SHARE)
    return scale * np.minimum(dip, max_dip), weights


def _natural_swings(upward: Floats, down: Floats, release: Floats) -> Swings:
    """Return the swings of natural hands, of given depths and accelerations at their throws.

    Args:
        upward: upward speed at each of N throws, shape (N,), above 0, [m/s].
        down: shape (N,), height of the throw above the lowest point, [m].
        release: shape (N,), upward acceleration of the hand at the throw, [m/s²].
    """
    # A hand that decelerates by a constant a rises by v² / 2a. The small constants keep both
    # distances above 0.
    up = upward**2 / np.maximum(2 * -release, 1e-3)
    return even_swings(
        upward,
        down=np.maximum(down, 1e-3),
        up=np.maximum(up, 1e-3),
        reversal_share=_NATURAL_REVERSAL_SHARE,
    )


def _max_dips(
    points: Waypoints, throws: Integers, lowest_place: Floats, throws_around_body: Booleans
) -> Floats:
    """Return how far below each of N throws a natural hand may dip on the way to it.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events.

    Args:
        points: waypoints of all hands.
        throws: shape (N,), rows of these throws in `points`.
        lowest_place: shape (N, 3), the lowest places on the curves of least jerk that lead to the
            throws, in the frames of the bodies, [m].
        throws_around_body: which of J jugglers throw or catch around the body, shape (J,).

    Returns:
        Shape (N,), depths below the throws, above 0, [m].
    """
    before_throw = points.preceding[throws]
    upward = points.velocity[throws, 1]
    height = points.position[throws, 1]

    # Hands dip deeper before faster throws: as far as `MAX_SCOOP` has it for a slow and a fast one,
    # and in between for others. They do not dip below the reach of an upright juggler; but by
    # `_LEAST_ROOM` even if the throw is that low.
    room = np.maximum(height - lowest_reach(lowest_place, points.hand[throws]), _LEAST_ROOM)
    usual_dip = np.minimum(np.interp(upward, _SLOW_AND_FAST, MAX_SCOOP), room)

    # A hand that comes from a lower event must be allowed to be there, and a little below.
    usual_dip = np.maximum(usual_dip, height - points.position[before_throw, 1] + _BEYOND_CATCH)

    # Beside via points, which the pattern's text puts on the path, the limit is at least
    # `_SWING_BESIDE_POINT`. It is bounded by the reach of an upright juggler, except for jugglers
    # who throw around the body, as they bend down anyway.
    via_point_room = np.where(throws_around_body[points.hand[throws] // 2], np.inf, room)
    via_point_dip = np.maximum(usual_dip, np.minimum(via_point_room, _SWING_BESIDE_POINT))
    return np.where(points.is_via_point[before_throw], via_point_dip, usual_dip)


class _FarthestPoints(NamedTuple):
    """The points of N curves that are farthest above, or below, given heights.

    Attributes:
        distance: distance of each beyond the height, (N,), [m]; below 0 if its curve never goes
            beyond it.
        turns_back: whether the curve turns back there; if not, it begins or ends there, shape (N,).
        place: (N, 3), [m].
    """

    distance: Floats
    turns_back: Booleans
    place: Floats


def _farthest_points(curves: Floats, gap: Floats, height: Floats, sign: float) -> _FarthestPoints:
    """Find the points of N curves that are farthest above, or below, given heights, by sampling.

    Args:
        curves: shape (N, K, 3), K coefficients of x, y, z by ascending powers of time.
        gap: their durations, shape (N,), [s].
        height: shape (N,), the given height for each curve, [m].
        sign: 1 to find the points farthest above the heights, −1 for those farthest below.
    """
    # The curves at even shares of their durations, both ends included: S samples each.
    places = places_along_curves(curves, gap, _SAMPLE_SHARES)  # shape (N, S, 3)
    distance = sign * (places[..., 1] - height[:, None])
    farthest_sample = distance.argmax(axis=1)
    curve = np.arange(len(gap))
    return _FarthestPoints(
        distance=distance[curve, farthest_sample],
        turns_back=(farthest_sample > 0) & (farthest_sample < len(_SAMPLE_SHARES) - 1),
        place=places[curve, farthest_sample],
    )


class _ThrowsWithRoom(NamedTuple):
    """N upward throws with enough time before or after them for a swing.

    Attributes:
        row: rows of the throws among the waypoints, ascending, (N,).
        time_before, time_after: the times that a swing has before and after each, (N,), [s].
        has_room: whether these times are enough, before and after each, shape (N, 2).
    """

    row: Integers
    time_before: Floats
    time_after: Floats
    has_room: Booleans


def _throws_with_room(points: Waypoints, *, beside_via_points: bool) -> _ThrowsWithRoom:
    """Find the upward throws with enough time before or after them for a swing.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. A hand swings up to a throw from a lowest point, and on after it to a
    highest point.

    Args:
        points: waypoints of all hands.
        beside_via_points: whether hands may also swing in the gaps beside via points, which they
            pass without a throw or catch.
    """
    preceding = points.preceding
    following = points.following
    is_throw = points.kind == THROW
    forbids_swing = np.zeros_like(is_throw) if beside_via_points else points.is_via_point
    # Arrays are by waypoint. Time for a swing after each: the gap until the next one, or half of it
    # if that is another throw (of a hand that holds several props), before which the hand swings as
    # well.
    time_after = np.where(is_throw & is_throw[following], 0.5, 1.0) * points.gap
    time_before = time_after[preceding]
    room_before = ~forbids_swing[preceding] & (time_before > _MIN_SWING_TIME)
    room_after = ~forbids_swing[following] & (time_after > _MIN_SWING_TIME)
    throws = (_has_swing(points) & (room_before | room_after)).nonzero()[0]
    has_room = np.array([room_before[throws], room_after[throws]]).T
    return _ThrowsWithRoom(throws, time_before[throws], time_after[throws], has_room)


def _with_swing_knots(
    points: Waypoints, throws: Integers, swings: Swings, weights: Floats
) -> Waypoints:
    """Add waypoints for swings: the lowest point, start of the reversal and highest point of each.

    A waypoint is a point that a hand passes at a given time: an event (throw or catch), or a point
    between two events. Vertically the added points lie between the curve of least jerk and the
    swing, by the weights.

    Args:
        points: waypoints of all hands; their largest vertical accelerations at the throws change in
            place.
        throws: rows of the N throws that have swings, shape (N,).
        swings: vertical motion around these throws, at three moments each, shape (N, 3): lowest
            point, start of the reversal, highest point. Sideways and forward the hand stays on its
            curve of least jerk.
        weights: shape (N, 2), columns before and after each throw: how far the added points lie on
            the way from the curve of least jerk, 0, to the swing, 1; where 0, none are added.

    Returns:
        The points and the added ones, sorted by hand and time.
    """
    # The curves are taken before the throws' bounds change below, as they depend on these.
    curves = points.curves

    # Just after the throw the upper bound on the acceleration becomes, by its weight, that of the
    # swing, so that the hand decelerates as the swing does. Where the weight is 0, the swing's may
    # be infinite, and 0 times that is not 0: so it is replaced.
    after_weight = weights[:, 1]
    unswung_part = (1.0 - after_weight) * points.max_acceleration[throws, 1]
    swing_part = after_weight * np.where(after_weight > 0, swings.release, 0.0)
    points.max_acceleration[throws, 1] = unswung_part + swing_part

    # A swing's knots are its lowest point and its reversal, both before the throw, and its highest
    # point, after it: `knot_weights` has a column for each. K knots have a weight. Arrays below
    # have K rows: `knot` tells which of the three it is, `swing` the index of its swing, 0 to N −
    # 1, and `throw` the row of its throw among the waypoints.
    knot_weights = weights[:, [0, 0, 1]]
    knot, swing = np.nonzero(knot_weights.T > 0)
    throw = throws[swing]
    weight = knot_weights[swing, knot]
    since_throw = swings.time[swing, knot]

    # Position, velocity and acceleration there on the curve of least jerk, shape (K, 3, 3), with
    # x, y, z on axis 2. Before a throw `since_throw` is negative, and the piece of the curve is the
    # one that ends at the throw. A piece has the row of the waypoint with which it begins.
    is_before = knot < _HIGHEST
    piece = np.where(is_before, points.preceding[throw], throw)
    gap = points.gap[piece]
    since_piece = np.where(is_before, since_throw + gap, since_throw)
    states = states_along_curves(curves[piece], since_piece)

    # Vertically they are blended with the swing. At its lowest and highest point the acceleration
    # is bounded, so that it cannot swing the hand far out in the rest of the gap, between that
    # point and the event at the far end. The reversal, which lies between two other points of the
    # swing, needs no bound.
    bound = np.where(knot == _REVERSAL, np.inf, gentle_acceleration(gap - np.abs(since_throw)))
    acceleration = np.minimum(np.maximum(swings.acceleration[swing, knot], -bound), bound)
    height = points.position[throw, 1] + swings.height[swing, knot]
    swing_states = np.array([height, swings.velocity[swing, knot], acceleration]).T
    states[:, :, 1] = (1.0 - weight[:, None]) * states[:, :, 1] + weight[:, None] * swing_states

    # Positions and velocities are fixed. Vertical accelerations are too, as lower and upper bound
    # are equal; those sideways and forward are NaN, which leaves them to the usual bounds.
    state = np.full((len(throw), 4, 3), np.nan)
    state[:, POSITION_AND_VELOCITY] = states[:, :2]
    state[:, BOUNDS, 1] = states[:, 2:, 1]
    return points.with_points_between(points.hand[throw], points.time[throw] + since_throw, state)


def _has_swing(points: Waypoints) -> Booleans:
    """Whether points are throws that go up, fast and steep enough for a swing, shape (N,)."""
    sideways, upward, forward = points.velocity.T
    horizontal = np.hypot(sideways, forward)
    has_swing: Booleans = (
        (points.kind == THROW)
        & (upward > MIN_SWING_SPEED)
        & (upward > MIN_SWING_SLOPE * horizontal)
    )
    return has_swing


def _with_quick_stops(points: Waypoints, choreography: Choreography) -> Waypoints:
    """Bound the sideways acceleration of natural hands that push a prop across, so they stop soon.

    A push is a throw across without an upward swing: that is how the throw 1 of a siteswap goes to
    the other hand. A hand would otherwise go along with the prop nearly all the way, and then cut
    through it with its fingers.

    Args:
        points: events of all hands, without points added between them; bounds on accelerations
            along x, to the body's left, change in place.
        choreography: the events, and whether hands move as in Juggling Lab, which does not do this.

    Returns:
        The same object `points`.
    """
    events = choreography.events
    if choreography.as_juggling_lab:
        return points

    # Pushes are throws that go sideways more than up, or not fast and steep enough for a swing.
    # Those around the body are left out. Events are put in the order of waypoints: by hand and then
    # by time.
    is_before_body = np.zeros(len(points.hand), dtype=bool)
    is_before_body[points.events.rows] = ~events.around_body[events.by_hand]
    across = points.velocity[:, 0]
    is_pushed = ~_has_swing(points) | (np.abs(across) > points.velocity[:, 1])
    rows = np.flatnonzero(is_before_body & (points.kind == THROW) & is_pushed & (across != 0.0))

    # The hand is to slow down along x by at least `deceleration`, which in a long gap is less, so
    # that it does not swing the hand far out. For a hand that moves to +x that is a negative upper
    # bound on its acceleration; for one that moves to −x a positive lower bound. The other bound is
    # infinite.
    deceleration = np.minimum(_PUSH_DECELERATION, gentle_acceleration(points.gap[rows]))
    acceleration = -np.sign(across[rows]) * deceleration
    points.state[rows, MIN_ACCELERATION, 0] = np.where(acceleration > 0.0, acceleration, -np.inf)
    points.state[rows, MAX_ACCELERATION, 0] = np.where(acceleration > 0.0, np.inf, acceleration)
    return points


def _with_calm_carries(points: Waypoints, choreography: Choreography) -> Waypoints:
    """Limit horizontal accelerations of hands whose juggler also throws around the body.

    The limits hold at those throws and catches that are in front of the body. A hand that hurries
    from there around the body, or comes from it, would otherwise swing far out, or behind the body,
    in the long gap on the other side of the throw or catch.

    Args:
        points: events of all hands, without points added between them; bounds on accelerations
            along x and z change in place where they are NaN, which stands for not set.
        choreography: the events.

    Returns:
        The same object `points`.
    """
    events = choreography.events
    # Events in the order of waypoints, by hand and then by time: those whose acceleration is
    # limited, and their rows among the waypoints.
    order = events.by_hand
    is_limited = (events.is_throw_or_catch & ~events.around_body)[order]
    is_limited &= choreography.throws_around_body[events.juggler[order]]
    rows = points.events.rows[is_limited]
    # The limit is the acceleration that moves a hand by `CARRY_BACK` in the longer of both gaps.
    longer_gap = np.maximum(points.gap[rows], points.gap[points.preceding[rows]])
    limit = gentle_acceleration(longer_gap, CARRY_BACK)
    horizontal = (slice(None), [0, 2])
    for bound, acceleration in ((MIN_ACCELERATION, -limit), (MAX_ACCELERATION, limit)):
        own_bound = points.state[rows, bound]
        own_bound[horizontal] = np.where(
            np.isnan(own_bound[horizontal]), acceleration[:, None], own_bound[horizontal]
        )
        points.state[rows, bound] = own_bound
    return points


def _with_rests(
    points: Waypoints, *, ease: float, haste: float, extra_gap_beside_via_point: float
) -> Waypoints:
    """Add two waypoints at which the hand rests to each long gap between events.

    A gap is the time from an event of a hand to its next one. The first added point is soon after
    the event at the start of the gap, the second shortly before the event at its end. From the one
    to the other the hand moves slowly.

    Args:
        points: events of all hands.
        ease: in gaps after throws without a swing, the times and distances in which a hand comes to
            rest, and starts again before the next event, are multiplied by this factor.
        haste: the same factor in gaps after throws with a swing; after catches it is 1.
        extra_gap_beside_via_point: how much longer a gap must be beside a point that a hand passes
            without a throw or catch, [s]; infinite for no rests there.

    Returns:
        The points and the added ones, sorted by hand and time; `points` itself if no gap is long
        enough.
    """
    following = points.following
    has_swing = _has_swing(points)

    # Time that a hand takes to stop after each event, and to start before it. Beside a via point,
    # which the hand only passes, there is no rest, so it takes no time of the gap. A gap has the
    # row of the event with which it begins: `time_to_rest` follows that event, and `time_from_rest`
    # precedes the event at the end of the gap.
    stop_time = _stop_times(points.velocity)
    starts_at_via = points.is_via_point
    ends_at_via = points.is_via_point[following]
    time_beside_event = np.where(has_swing, _AFTER_SWING, stop_time)
    time_beside_event = np.where(starts_at_via, 0.0, time_beside_event)
    factor = np.where(points.kind == THROW, np.where(has_swing, haste, ease), 1.0)
    time_to_rest = factor * time_beside_event
    time_from_rest = factor * time_beside_event[following]

    # Gaps with at least `_MIN_REST` left to rest in. Their rest starts at an added point, unless
    # the gap starts at a via point, and likewise for its end; between two via points nothing is
    # added. Most of these gaps get both points.
    extra_gap = np.where(starts_at_via | ends_at_via, extra_gap_beside_via_point, 0.0)
    is_long = points.gap > time_to_rest + time_from_rest + _MIN_REST + extra_gap
    gap_of_start = (is_long & ~starts_at_via).nonzero()[0]
    gap_of_end = (is_long & ~ends_at_via).nonzero()[0]
    if not gap_of_start.size and not gap_of_end.size:
        return points

    # The displacement of a hand from each event until it rests: a share of velocity times stopping
    # time, but after a swing a fixed height. A hand covers the same from a rest to the event after
    # it.
    displacement = _STOPPING_SHARE * points.velocity * stop_time[:, None]
    displacement[has_swing, 1] = REST_HEIGHT
    event_of_end = following[gap_of_end]
    start_places = (
        points.position[gap_of_start] + factor[gap_of_start, None] * displacement[gap_of_start]
    )
    end_places = (
        points.position[event_of_end] - factor[gap_of_end, None] * displacement[event_of_end]
    )

    # All starts of rests, then all ends. Velocities and both bounds on the acceleration stay 0.
    state = np.zeros((len(gap_of_start) + len(gap_of_end), 4, 3))
    state[:, POSITION] = np.concatenate([start_places, end_places])
    rest_starts = points.time + time_to_rest
    rest_ends = points.time + (points.gap - time_from_rest)
    return points.with_points_between(
        hand=points.hand[np.concatenate([gap_of_start, gap_of_end])],
        time=np.concatenate([rest_starts[gap_of_start], rest_ends[gap_of_end]]),
        state=state,
    )


def _stop_times(velocity: Floats) -> Floats:
    """Time in which hands of given velocities, shape (N, 3), [m/s], come to rest, shape (N,), [s].

    A hand of speed v that stops within τ moves on by `_STOPPING_SHARE` v τ. So τ is such that this
    is `FOLLOW_THROUGH`, but `_MAX_STOP` at most.
    """
    speed = np.sqrt(np.einsum("ij,ij->i", velocity, velocity))
    return np.minimum(_MAX_STOP, FOLLOW_THROUGH / (_STOPPING_SHARE * np.maximum(speed, 1e-9)))


@dataclass(frozen=True)
class Swings:
    """Vertical motion around N throws, given at the points where the acceleration changes.

    From the lowest point a hand accelerates evenly; shortly before the throw the acceleration
    reverses; from the throw on it decelerates evenly up to the highest point. No motion over these
    distances needs less acceleration.

    Columns are the lowest point and the start of the reversal, both before the throw, and the
    highest point, after it.

    Args:
        time: shape (N, 3), since the throw, ascending, [s].
        height: shape (N, 3), above the throw, [m].
        velocity: shape (N, 3), upward, [m/s].
        acceleration: shape (N, 3), upward, [m/s²].
        release: shape (N,), acceleration at the throw, upward, so below 0, [m/s²].
    """

    time: Floats
    height: Floats
    velocity: Floats
    acceleration: Floats
    release: Floats


def limited_swings(
    speed: Floats,
    time_before: Floats,
    time_after: Floats,
    release_deceleration: Floats,
    scoop: float = 1.0,
) -> Swings:
    """Return the vertical motion of Juggling Lab's hands around throws.

    A hand comes up from a lowest point to the throw, and goes on to a highest point. How far it
    swings down is the least of three distances: a share of speed times the time between throws,
    the one that the time before the throw allows, and one that grows with the speed. How far it
    swings up is found likewise, and must also be short enough for the required deceleration. With
    both distances `even_swings` gives the motion.

    Args:
        speed: upward speed of each of N throws, shape (N,), above 0, [m/s].
        time_before, time_after: shape (N,), for the swing before and after the throw, above 0, [s].
        release_deceleration: shape (N,), least deceleration of the hand after the throw, [m/s²]; 0
            or less, where the body accelerates down, requires nothing.
        scoop: scale of the swings down, above 0, 1 for the usual depth.
    """
    # How far the hand swings down before each throw. The time bounds the swing whatever `scoop` is.
    throw_distance = speed * (time_before + time_after)
    down_limit = scoop * np.minimum(_DOWN_AT_REST + _DOWN_WITH_SPEED * speed, MAX_DOWN)
    down = np.minimum.reduce(
        [scoop * DOWN_SHARE * throw_distance, _SWING_TIME_SHARE * speed * time_before, down_limit]
    )
    # How far it swings up after it; v² / 2a is where it stops with the least deceleration a. Where
    # that is not above 0, 1e-9 makes the quotient so large that it is not the least.
    up_limit = np.minimum(_UP_AT_REST + _UP_WITH_SPEED * speed, MAX_UP)
    up = np.minimum.reduce(
        [
            UP_SHARE * throw_distance,
            _SWING_TIME_SHARE * speed * time_after,
            up_limit,
            speed**2 / (2 * np.maximum(release_deceleration, 1e-9)),
        ]
    )
    return even_swings(speed, down, up, reversal_share=_REVERSAL_SHARE)


def even_swings(speed: Floats, down: Floats, up: Floats, reversal_share: float) -> Swings:
    """Return vertical swings around throws, in three phases of piecewise linear acceleration.

    From rest at the lowest point the hand gains speed at a constant acceleration. Just before the
    throw, during the reversal, the acceleration changes linearly to a downward one, which the hand
    reaches at the throw. From there it slows at this constant deceleration until it is at rest at
    the highest point.

    Args:
        speed: upward, at the throw, shape (N,) for N throws, above 0, [m/s].
        down: height of the throw above the lowest point, shape (N,), above 0, [m].
        up: height of the highest point above the throw, shape (N,), above 0, [m].
        reversal_share: duration of the reversal, as a share of 2 · down / speed, which is how long
            the hand would take at constant acceleration all the way from the lowest point. It lasts
            at least `_MIN_REVERSAL`, and at most `_MAX_REVERSAL_SHARE` · down / speed.
    """
    # After the throw v² = 2 a s.
    deceleration = speed**2 / (2 * up)
    # The reversal ends at the throw. It lasts at least `_MIN_REVERSAL`, to avoid a jolt; but in a
    # small swing a bound wins that keeps it from being most of the way up.
    reversal = np.minimum(
        np.maximum(reversal_share * 2 * down / speed, _MIN_REVERSAL),
        _MAX_REVERSAL_SHARE * down / speed,
    )
    # During the reversal, of duration r, the acceleration changes linearly from a to −d, and the
    # speed ends at v. So it begins with the speed v₀ = v + (d − a) r / 2, which is `fastest`, and
    # `fall` below the throw. It must be reached from the lowest point at the acceleration a:
    # down − fall = v₀² / 2a. With v₀ = s − a r / 2, s = `start_speed_bound`, that is a quadratic
    # equation for a: a² r² / 12 + a (2 down − v r − d r² / 6) − s² = 0. The form of its positive
    # root below has no difference of nearly equal numbers.
    start_speed_bound = speed + deceleration * reversal / 2
    depth = 2 * down - speed * reversal - deceleration * reversal**2 / 6
    acceleration = (
        2
        * start_speed_bound**2
        / (depth + np.sqrt(depth**2 + start_speed_bound**2 * reversal**2 / 3))
    )
    fastest = start_speed_bound - acceleration * reversal / 2
    # How far the hand rises during the reversal: speed and acceleration integrated back from the
    # throw, v r + d r² / 3 − a r² / 6.
    fall = speed * reversal + deceleration * reversal**2 / 3 - acceleration * reversal**2 / 6
    zero = np.zeros_like(speed)
    return Swings(
        time=np.array([-reversal - fastest / acceleration, -reversal, speed / deceleration]).T,
        height=np.array([-down, -fall, up]).T,
        velocity=np.array([zero, fastest, zero]).T,
        acceleration=np.array([acceleration, acceleration, -deceleration]).T,
        release=-deceleration,
    )
