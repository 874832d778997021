"""Paths of hands through throws and catches: swings around throws, rests in long gaps, detours of
empty hands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography
from juggle_anim.choreography.choreography import THROW
from juggle_anim.motion.detours import (
    around_props,
    bent,
    clear_of_trunk,
    lowest_reach,
    pulled_back,
    with_detours,
    with_shallower_dips,
)
from juggle_anim.motion.knots import (
    Waypoints,
    along_curves,
    gentle_acceleration,
    hand_waypoints,
    places_along_curves,
)
from juggle_anim.motion.piecewise import PiecewisePolynomial, with_idle
from juggle_anim.vectors import smooth_step

RELEASE_SLOWING = 1.25
"""Least deceleration of a hand after a throw, over gravity, so that the prop leaves the hand."""

FOLLOW_THROUGH = 0.16
"""How far a hand with time to rest moves on before it rests, and moves before its next throw, [m].
"""

NATURAL_EASE = 1.2
"""How many times as long and as far a natural hand takes to rest after a throw, and to start again.
"""

MIN_SWING_SPEED = 0.7
"""Slowest upward throw with a swing, [m/s]."""

MIN_SWING_SLOPE = 0.5
"""Least ratio of upward to level speed of a throw with a swing; a flatter throw is a push."""

REST_HEIGHT = 0.05
"""Height above a throw at which a hand rests after it, and below it before it, [m]."""

_MAX_STOP = 0.25
_AFTER_SWING = 0.30

_MIN_SWING = 0.03

_MIN_REST = 0.12

# How much longer a gap beside a point that a natural hand passes must be for a rest than one
# without, [s].
_LONGER_BESIDE_POINT = 0.2

# Least deceleration of a hand that pushes a prop across, where throws around the body slow the
# tempo, [m/s²].
_PARTS = 15.0

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

# Limits for a speed, [m] and [s]: a slow throw needs no large swing even where there is time.
_UP_AT_REST = 0.064
_UP_WITH_SPEED = 0.0223

_DOWN_AT_REST = 0.03
_DOWN_WITH_SPEED = 0.041

# Time of the change from gaining speed to slowing: a share of twice the distance down over the
# speed, and bounds.
_TURN = 0.11
_NATURAL_TURN = 0.13
_MIN_TURN = 0.0105
_MAX_TURN = 0.4

# A swing takes twice its distance over the throw's speed, which is bounded by twice this share of
# the available time.
_SHARE = 0.36

CARRY_BACK = 0.05
"""How much nearer to the body a natural hand is in the middle of a carry than at its ends, [m]."""

MAX_SCOOP = np.array([0.281, 0.38])
MAX_FOLLOW_UP = 0.24
"""How far below a slow and a fast throw a natural hand gathers for it, and how far above it goes
on, at most, [m].
"""

# Upward speeds of slow and fast throws, [m/s], and the share beyond its room from which on a hand
# swings wholly evenly.
_SPEEDS = (5.0, 9.5)
_BLENDED = 0.3

_LEAST_ROOM = 0.18  # the least scoop, [m]

# How far a hand goes beyond a catch that is higher or lower than the throw, [m].
_BEYOND = 0.06

# The least limit of a swing beside a point that a hand passes; before a throw no lower than an
# upright juggler reaches, [m].
_SWING_BESIDE_POINT = 0.45

# Shares of a gap at which a curve is looked at for its lowest and highest point.
_SHARES = np.linspace(0.0, 1.0, 25)


def hand_paths(
    choreography: Choreography,
    velocities: Floats,
    slowing: Floats,
    scoop: float,
    empty: str = "direct",
) -> PiecewisePolynomial:
    """Return the paths of all hands over one loop, in the frames of their bodies.

    Args:
        choreography: the events.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; free at other events.
        slowing: shape (E,), least deceleration of a hand after a throw, [m/s²].
        scoop: scale of the swing down before a throw.
        empty: the path of empty hands, "direct", "over" or "under".
    """
    hands = len(choreography.rest)
    points = pulled_back(hand_waypoints(choreography, velocities, slowing), choreography)
    points = _parted(points, choreography)
    points = _with_rests(
        points,
        *((1.0, np.inf) if choreography.as_juggling_lab else (NATURAL_EASE, _LONGER_BESIDE_POINT)),
    )
    if choreography.as_juggling_lab:
        points = _with_swings(points, scoop)
        curves = points.curves
    else:
        points = _with_blended_swings(points, scoop, choreography.throws_around_body)
        back = np.where(points.carries(), CARRY_BACK, 0.0)
        curves = bent(points.curves, points, back, (0.0, 0.0, -1.0))
        # Who throws around the body bends down anyway, and who asks for more scoop wants deeper
        # dips.
        usual = 1.0 - smooth_step(np.full(len(points.hand), (scoop - 1.0) / _BLENDED))
        shallow = np.where(choreography.throws_around_body[points.hand // 2], 0.0, usual)
        curves = with_shallower_dips(curves, points, shallow)
        curves = clear_of_trunk(curves, points)
    curves = with_detours(curves, points, choreography, empty)
    paths = with_idle(
        np.full(hands, choreography.duration), points.hand, points.time, curves, choreography.rest
    )
    return around_props(paths, choreography)


def _with_swings(points: Waypoints, scoop: float) -> Waypoints:
    """The points with those of a swing before and after each upward throw, except where the text
    gives the path.
    """
    chosen, before, after, there = _room(points, beside_points=False)
    upward = points.velocity[chosen, 1]
    parting = -points.max_acceleration[chosen, 1]
    found = swings(upward, before, after, parting, scoop)
    return _joined_swings(points, chosen, found, there.astype(float))


def _with_blended_swings(points: Waypoints, scoop: float, body_throws: Booleans) -> Waypoints:
    """The points with those of a swing where a hand would go too far before or after an upward
    throw.

    With nothing between a catch and a throw, the curve of least jerk comes near what jugglers do.
    Only where there is much time does it dip and rise too far: there a hand gathers speed and slows
    evenly, which needs the least force for the room that it has. So it does where `scoop` asks for
    another depth. Between the two lies a blend.

    Args:
        points, scoop: as of `hand_paths`.
        body_throws: shape (J,), who throws or catches around the body.
    """
    chosen, before, after, there = _room(points, beside_points=True)
    came = points.before[chosen]
    gap = points.ring[1]
    curves = points.curves
    upward = points.velocity[chosen, 1]
    height = points.position[chosen, 1]
    beside = np.concatenate([came, chosen])
    signs = np.repeat([-1.0, 1.0], len(chosen))
    far, turns, places = _farthest(
        curves[beside], gap[beside], np.concatenate([height, height]), signs
    )
    (dip, rise), turning, lowest = far.reshape(2, -1), turns.reshape(2, -1).T, places[: len(chosen)]
    deep, high = _swing_limits(points, chosen, lowest, body_throws)
    # How deep it gathers for a throw is not to choose where a text gives its path there.
    scale = np.where(points.passes[came], 1.0, scoop)
    beyond = np.array([np.maximum(dip / deep - 1.0, np.abs(scale - 1.0)), rise / high - 1.0]).T
    weights = there * turning * smooth_step(beyond / _BLENDED)
    if not weights.any():
        return points
    parting = np.maximum(-points.max_acceleration[chosen, 1], 1e-9)
    down = np.minimum(scale * np.minimum(dip, deep), _SHARE * upward * before)
    up = np.minimum(
        np.minimum(rise, high), np.minimum(_SHARE * upward * after, upward**2 / (2 * parting))
    )
    # Beside a curve that stays as it is, a swing meets the acceleration that the curve has.
    up = np.where(weights[:, 1] > 0, up, upward**2 / np.maximum(-4 * curves[chosen, 2, 1], 1e-3))
    found = even_swings(upward, np.maximum(down, 1e-3), np.maximum(up, 1e-3), _NATURAL_TURN)
    return _joined_swings(points, chosen, found, weights)


def _swing_limits(
    points: Waypoints, chosen: Integers, lowest: Floats, body_throws: Booleans
) -> tuple[Floats, Floats]:
    """How far below and above the chosen throws a natural hand goes, shape (N,), [m], for lowest
    places (N, 3).
    """
    came = points.before[chosen]
    to = points.ring[0][chosen]
    upward = points.velocity[chosen, 1]
    height = points.position[chosen, 1]
    room = np.maximum(height - lowest_reach(lowest, points.hand[chosen]), _LEAST_ROOM)
    deep = np.minimum(np.interp(upward, _SPEEDS, MAX_SCOOP), room)
    # Where it comes from and where it goes a hand must come anyway.
    deep = np.maximum(deep, height - points.position[came, 1] + _BEYOND)
    high = np.maximum(MAX_FOLLOW_UP, points.position[to, 1] - height + _BEYOND)
    passes = points.passes
    # A juggler who throws around the body bends down anyway.
    room = np.where(body_throws[points.hand[chosen] // 2], np.inf, room)
    beside = np.minimum(room, _SWING_BESIDE_POINT)
    return np.where(passes[came], np.maximum(deep, beside), deep), np.where(
        passes[to], np.maximum(high, _SWING_BESIDE_POINT), high
    )


def _farthest(
    curves: Floats, gap: Floats, height: Floats, sign: Floats
) -> tuple[Floats, Booleans, Floats]:
    """How far curves go above heights, or below for sign −1, shape (N,), [m]; whether they turn
    there; and where.
    """
    places = places_along_curves(curves, gap, _SHARES)
    beyond = sign[:, None] * (places[..., 1] - height[:, None])
    place = beyond.argmax(axis=1)
    rows = np.arange(len(gap))
    return beyond[rows, place], (place > 0) & (place < len(_SHARES) - 1), places[rows, place]


def _room(points: Waypoints, beside_points: bool) -> tuple[Integers, Floats, Floats, Booleans]:
    """The rows with room for a swing, the times before and after, [s], and whether it is before and
    after, (N, 2).
    """
    to, gap = points.ring
    before = points.before
    throws = points.kind == THROW
    passes = points.passes & (not beside_points)
    # Between two throws of a hand that also holds a prop, each swing has half of the time.
    room = np.where(throws & throws[to], 0.5, 1.0) * gap
    gathers = ~passes[before] & (room[before] > _MIN_SWING)
    stops = ~passes[to] & (room > _MIN_SWING)
    chosen = (_swung(points) & (gathers | stops)).nonzero()[0]
    return chosen, room[before[chosen]], room[chosen], np.array([gathers[chosen], stops[chosen]]).T


def _joined_swings(
    points: Waypoints, chosen: Integers, found: Swings, weights: Floats
) -> Waypoints:
    """The points with those of swings around the chosen rows, as far from their curves as weights
    say, (N, 2).
    """
    curves = points.curves
    before = points.before
    gap = points.ring[1]
    release = points.max_acceleration[chosen, 1]
    stops = weights[:, 1]
    points.max_acceleration[chosen, 1] = (1.0 - stops) * release + stops * np.where(
        stops > 0, found.release, 0.0
    )
    number, row = np.nonzero(weights.T[[0, 0, 1]] > 0)
    at = chosen[row]
    since = found.time[row, number]
    share = weights[row, number // 2]
    comes = number < 2
    piece = np.where(comes, before[at], at)
    along = along_curves(curves[piece], np.where(comes, since + gap[piece], since))
    # The rest of the gap, toward the catch, must not swing the hand far out.
    bound = np.where(number == 1, np.inf, gentle_acceleration(gap[piece] - np.abs(since)))
    acceleration = np.minimum(np.maximum(found.acceleration[row, number], -bound), bound)
    height = points.position[at, 1] + found.height[row, number]
    swung = np.array([height, found.velocity[row, number], acceleration]).T
    along[:, :, 1] = (1.0 - share[:, None]) * along[:, :, 1] + share[:, None] * swung
    state = np.full((len(at), 4, 3), np.nan)
    state[:, :2], state[:, 2:, 1] = along[:, :2], along[:, 2:, 1]
    return points.joined(points.free(points.hand[at], points.time[at] + since, state))


def _swung(points: Waypoints) -> Booleans:
    """Which points are throws with a swing."""
    aside, upward, ahead = points.velocity.T
    along = np.hypot(aside, ahead)
    swung: Booleans = (
        (points.kind == THROW) & (upward > MIN_SWING_SPEED) & (upward > MIN_SWING_SLOPE * along)
    )
    return swung


def _parted(points: Waypoints, choreography: Choreography) -> Waypoints:
    """The points, with hands that stop soon after they pushed a prop across, beside throws around
    the body.

    At the slow tempo of these a hand would otherwise go along with what it hands to the other one,
    nearly all the way.
    """
    events = choreography.events
    if events.body_throw is None or choreography.as_juggling_lab:
        return points
    usual = np.zeros(len(points.hand), dtype=bool)
    usual[points.events[0]] = events.body_throw[np.lexsort((events.time, events.hand))] == 0
    across = points.velocity[:, 0]
    rows = np.flatnonzero(usual & (points.kind == THROW) & ~_swung(points) & (across != 0.0))
    slowing = -np.sign(across[rows]) * np.minimum(_PARTS, gentle_acceleration(points.ring[1][rows]))
    points.state[rows, 2, 0] = np.where(slowing > 0.0, slowing, -np.inf)
    points.state[rows, 3, 0] = np.where(slowing > 0.0, np.inf, slowing)
    return points


def _with_rests(points: Waypoints, ease: float, passing: float) -> Waypoints:
    """The points with one more beside each throw and catch at a long gap, where the hand stops or
    starts again.

    Args:
        points: of all hands.
        ease: how many times as long it takes in a gap after a throw.
        passing: how much longer than else a gap is beside a point that a hand passes, [s].
    """
    to, gap = points.ring
    swung = _swung(points)
    velocity = points.velocity
    speed = np.sqrt(np.einsum("ij,ij->i", velocity, velocity))
    stop = np.minimum(_MAX_STOP, FOLLOW_THROUGH / (_STOPPING_SHARE * np.maximum(speed, 1e-9)))
    lasts = np.where(swung, _AFTER_SWING, stop)
    slowly = np.where(points.kind == THROW, ease, 1.0)
    passes = points.passes
    comes = slowly * np.where(passes, 0.0, lasts)
    goes = slowly * np.where(passes, 0.0, lasts)[to]
    roams = np.where(passes | passes[to], passing, 0.0)
    long = (gap > comes + goes + _MIN_REST + roams) & ~(passes & passes[to])
    first = (long & ~passes).nonzero()[0]
    last = (long & ~passes[to]).nonzero()[0]
    if not first.size and not last.size:
        return points
    # How far it moves until it rests.
    covered = _STOPPING_SHARE * velocity * stop[:, None]
    covered[swung, 1] = REST_HEIGHT
    state = np.zeros((len(first) + len(last), 4, 3))
    state[: len(first), 0] = points.position[first] + slowly[first, None] * covered[first]
    state[len(first) :, 0] = points.position[to[last]] - slowly[last, None] * covered[to[last]]
    time = points.time + np.array([comes, gap - goes])
    time = np.concatenate([time[0, first], time[1, last]])
    return points.joined(points.free(points.hand[np.concatenate([first, last])], time, state))


@dataclass(frozen=True)
class Swings:
    """Vertical motion around N throws, given at the points where the acceleration changes.

    From the lowest point a hand accelerates evenly; shortly before the throw the acceleration
    reverses; from the throw on it decelerates evenly up to the highest point. No motion over these
    distances needs less acceleration.

    Args:
        time: shape (N, 3), since the throw: of the lowest point, the reversal, and the highest
            point, [s].
        height: shape (N, 3), above the throw, [m].
        velocity: shape (N, 3), upward, [m/s].
        acceleration: shape (N, 3), upward, [m/s²].
        release: shape (N,), upward, at the throw, [m/s²].
    """

    time: Floats
    height: Floats
    velocity: Floats
    acceleration: Floats
    release: Floats


def swings(
    speed: Floats, before: Floats, after: Floats, slowing: Floats, scoop: float = 1.0
) -> Swings:
    """Return the vertical motion around throws.

    Args:
        speed: shape (N,), upward, of each throw, above 0, [m/s].
        before: shape (N,), since the catch before it, [s].
        after: shape (N,), until the catch after it, [s].
        slowing: shape (N,), least deceleration of the hand, [m/s²]; below 0 where its body falls
            away.
        scoop: scale of the swings down.
    """
    whole = speed * (before + after)
    deep = scoop * np.minimum(_DOWN_AT_REST + _DOWN_WITH_SPEED * speed, MAX_DOWN)
    down = np.minimum.reduce([scoop * DOWN_SHARE * whole, _SHARE * speed * before, deep])
    far = np.minimum(_UP_AT_REST + _UP_WITH_SPEED * speed, MAX_UP)
    up = np.minimum.reduce(
        [UP_SHARE * whole, _SHARE * speed * after, far, speed**2 / (2 * np.maximum(slowing, 1e-9))]
    )
    return even_swings(speed, down, up, _TURN)


def even_swings(speed: Floats, down: Floats, up: Floats, turn_share: float) -> Swings:
    """Return the swings that gather speed over a distance down, and slow over one up.

    Args:
        speed, down, up: shape (N,), above 0, [m/s] and [m].
        turn_share: time of the change from gaining speed to slowing, over twice the distance down
            over the speed.
    """
    slows = speed**2 / (2 * up)
    turn = np.minimum(
        np.maximum(turn_share * 2 * down / speed, _MIN_TURN), _MAX_TURN * down / speed
    )
    # The reversal is a cubic between the two even accelerations. That it begins with the speed and
    # the height reached by then is a quadratic equation for the acceleration.
    steep = speed + slows * turn / 2
    depth = 2 * down - speed * turn - slows * turn**2 / 6
    gathers = 2 * steep**2 / (depth + np.sqrt(depth**2 + steep**2 * turn**2 / 3))
    fastest = steep - gathers * turn / 2
    fall = speed * turn + slows * turn**2 / 3 - gathers * turn**2 / 6
    none = np.zeros_like(speed)
    return Swings(
        time=np.array([-turn - fastest / gathers, -turn, speed / slows]).T,
        height=np.array([-down, -fall, up]).T,
        velocity=np.array([none, fastest, none]).T,
        acceleration=np.array([gathers, gathers, -slows]).T,
        release=-slows,
    )
