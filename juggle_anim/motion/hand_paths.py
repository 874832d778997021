"""The way of each hand: through its throws and catches, and at rest where it has the time.

MERGED: Swings: how a hand gathers speed for a throw, and how it comes to a stop after it.

MERGED: The way of an empty hand from its throw to its next catch: direct, or over or under that.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.motion.flight import before
from juggle_anim.motion.knots import BETWEEN, Waypoints, between, gentle, hand_waypoints, least_jerk
from juggle_anim.motion.piecewise import PiecewisePolynomial, ring
from juggle_anim.vectors import inverse_permutation

PARTING = 1.25
"""A hand slows after a throw by at least this many times gravity, so that the prop leaves it."""

FOLLOW_THROUGH = 0.16
"""How far a hand with time to spare goes on before it rests, and how far it swings up to its next throw, [m]."""

SLOWEST_SWING = 0.7
"""Who throws upward more slowly does not swing, [m/s], …"""

FLATTEST_SWING = 0.5
"""… nor who throws upward with less than this share of the speed sideways and forward: that is a push."""

SETTLES = 0.05
"""How high above its throw a hand rests after it, and how far below it before it, [m]."""

_SLOWEST_STOP, _AFTER_SWING = 0.25, 0.30

_SHORTEST_SWING = 0.03

_SHORTEST_REST = 0.12

# A curve of least jerk that stops within a time τ from a speed v covers about this share of v·τ.
_STOPPING_SHARE = 0.42

HIGHEST, DEEPEST = 0.0662, 0.095
"""How far a hand swings up after a throw, and down before it: shares of the throw's speed times the time between two
throws."""

FARTHEST_UP, FARTHEST_DOWN = 0.289, 0.387
"""It never swings farther, [m]."""

# And no farther than this for a speed, [m] and [s]: who has time need not swing far for a slow throw.
_UP_AT_REST, _UP_WITH_SPEED = 0.064, 0.0223

_DOWN_AT_REST, _DOWN_WITH_SPEED = 0.03, 0.041

# The turn from gathering speed to slowing, as a share of twice the way down over the speed.
_TURN, _SHORTEST_TURN, _LONGEST_TURN = 0.11, 0.0105, 0.4

# A swing takes twice its way over the throw's speed; it may take no more than this of the time there is, twice.
_SHARE = 0.36

FARTHEST_DETOUR = 0.15
"""How far over or under the direct way a hand goes at most, [m]."""

HASTE = 40.0
"""It goes no farther than what this much more acceleration allows in its time, [m/s²]."""

# (4s(1 − s))³ by powers of s; its second derivative is at most 24.
_BUMP = 64.0 * np.array([0.0, 0.0, 0.0, 1.0, -3.0, 3.0, -1.0])

_STEEPEST = 24.0

_SIGN = {"direct": 0.0, "over": 1.0, "under": -1.0}


def hand_paths(
    choreography: Choreography, velocities: Floats, parting: Floats, scoop: float, empty: str = "direct"
) -> PiecewisePolynomial:
    """Paths of all hands over one loop, seen from their bodies.

    Args:
        choreography: the events.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; places it passes it passes as it likes.
        parting: shape (E,), by how much a hand must slow at least after a throw, [m/s²].
        scoop: how deep hands swing before they throw, 1 as usual.
        empty: the way of empty hands, "direct", "over" or "under".
    """
    loop, hands = choreography.duration, len(choreography.rest)
    points = hand_waypoints(choreography, velocities, parting)
    points = _with_rests(points, loop)
    points = _with_swings(points, loop, scoop)
    curves = with_detours(least_jerk(points.knots(loop)), points, choreography, empty)
    idle = np.setdiff1d(np.arange(hands), points.hand)
    still = np.zeros((len(idle), curves.shape[1], 3))
    still[:, 0] = choreography.rest[idle]
    path = np.concatenate([points.hand, idle])
    order = np.argsort(path, kind="stable")
    return PiecewisePolynomial(
        periods=np.full(hands, loop),
        path=path[order],
        start=np.concatenate([points.time, np.zeros(len(idle))])[order],
        coefficients=np.concatenate([curves, still])[order],
    )


def _with_swings(points: Waypoints, loop: float, scoop: float) -> Waypoints:
    """The points with those of a swing before and after each throw upward, but not where the way is said."""
    to, gap = points.ring(loop)
    before = inverse_permutation(to)
    throws = points.kind == EventKind.THROW
    passes = (points.kind == EventKind.HOLD) | (points.kind == EventKind.MOVE)
    free = _swung(points)
    # Between two throws of a hand that holds on to something, each swing has half of the time.
    room = np.where(throws & throws[to], 0.5, 1.0) * gap
    gathers = free & ~passes[before] & (room[before] > _SHORTEST_SWING)
    stops = free & ~passes[to] & (room > _SHORTEST_SWING)
    chosen = np.flatnonzero(gathers | stops)
    upward, parting = points.velocity[chosen, 1], -points.highest[chosen, 1]
    found = swings(upward, room[before[chosen]], room[chosen], parting, scoop)
    curves = least_jerk(points.knots(loop))
    points.highest[stops, 1] = found.release[stops[chosen]]
    more = []
    for number, (wanted, piece) in enumerate(((gathers, before), (gathers, before), (stops, None))):
        keep = wanted[chosen]
        at, since = chosen[keep], found.time[keep, number]
        row = at if piece is None else piece[at]
        position, velocity = _along(curves[row], since if piece is None else since + gap[row])
        position[:, 1] = points.position[at, 1] + found.height[keep, number]
        velocity[:, 1] = found.velocity[keep, number]
        more.append(between(points.hand[at], (points.time[at] + since) % loop, position, velocity))
        # Towards the catch the hand has another while, in which it is not to be flung about.
        beyond = np.where(since < 0, gap[before[at]], gap[at]) - np.abs(since)
        bound = gentle(beyond) if number != 1 else np.inf
        more[-1].highest[:, 1] = more[-1].lowest[:, 1] = np.clip(found.acceleration[keep, number], -bound, bound)
    return points.joined(*more)


def _swung(points: Waypoints) -> Booleans:
    """Which points are throws with a swing."""
    along = np.linalg.norm(points.velocity[:, ::2], axis=1)
    upward = points.velocity[:, 1]
    swung: Booleans = (points.kind == EventKind.THROW) & (upward > SLOWEST_SWING) & (upward > FLATTEST_SWING * along)
    return swung


def _along(curves: Floats, since: Floats) -> tuple[Floats, Floats]:
    """Positions and velocities on curves, some time after their start [s]."""
    powers = since[:, None, None] ** np.arange(6)[:, None]
    position: Floats = (curves * powers).sum(axis=1)
    velocity: Floats = (curves[:, 1:] * np.arange(1.0, 6.0)[:, None] * powers[:, :5]).sum(axis=1)
    return position, velocity


def _with_rests(points: Waypoints, loop: float) -> Waypoints:
    """The points with two more in each gap that is long: the hand comes to rest, and sets out again."""
    to, gap = points.ring(loop)
    stop, covered = _stopping(points)
    start = stop[to]
    passes = (points.kind == EventKind.HOLD) | (points.kind == EventKind.MOVE)
    long = (gap > stop + start + _SHORTEST_REST) & ~passes & ~passes[to]
    rests, leaves = points.position + covered, (points.position - covered)[to]
    hand = np.tile(points.hand[long], 2)
    time = np.concatenate([(points.time + stop)[long], (points.time + gap - start)[long]]) % loop
    still = between(hand, time, np.concatenate([rests[long], leaves[long]]), np.zeros((len(hand), 3)))
    still.lowest[:] = still.highest[:] = 0.0
    return points.joined(still)


def _stopping(points: Waypoints) -> tuple[Floats, Floats]:
    """How long a hand takes from each point until it rests, [s], and how far it goes, shape (N, 3), [m]."""
    speed = np.linalg.norm(points.velocity, axis=1)
    stop = np.minimum(_SLOWEST_STOP, FOLLOW_THROUGH / (_STOPPING_SHARE * np.maximum(speed, 1e-9)))
    covered = _STOPPING_SHARE * points.velocity * stop[:, None]
    swung = _swung(points)
    covered[swung, 1] = SETTLES
    return np.where(swung, _AFTER_SWING, stop), covered


@dataclass(frozen=True)
class Swings:
    """Vertical courses around N throws, by the points where their acceleration changes.

    From the lowest point a hand gathers speed evenly; shortly before the throw it turns round; from the throw on it
    slows evenly up to the highest point. For the ways it has, no course needs less acceleration.

    Args:
        time: shape (N, 3), since the throw: of the lowest point, of the turn, and of the highest point, [s].
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


def swings(speed: Floats, before: Floats, after: Floats, parting: Floats, scoop: float = 1.0) -> Swings:
    """The courses around throws.

    Args:
        speed: shape (N,), upward, of each throw, above 0, [m/s].
        before: shape (N,), since the catch before it, [s].
        after: shape (N,), until the catch after it, [s].
        parting: shape (N,), by how much the hand must slow at least, [m/s²]; below 0 where its body falls away.
        scoop: by which the ways down are stretched.
    """
    whole = speed * (before + after)
    deep = scoop * np.minimum(_DOWN_AT_REST + _DOWN_WITH_SPEED * speed, FARTHEST_DOWN)
    down = np.minimum.reduce([scoop * DEEPEST * whole, _SHARE * speed * before, deep])
    far = np.minimum(_UP_AT_REST + _UP_WITH_SPEED * speed, FARTHEST_UP)
    up = np.minimum.reduce([HIGHEST * whole, _SHARE * speed * after, far, speed**2 / (2 * np.maximum(parting, 1e-9))])
    slows = speed**2 / (2 * up)
    turn = np.minimum(np.maximum(_TURN * 2 * down / speed, _SHORTEST_TURN), _LONGEST_TURN * down / speed)
    # The turn is a cubic from the even gathering to the even slowing; that it begins with the speed and at the height
    # to which gathering has led by then, is a quadratic equation for the acceleration.
    steep = speed + slows * turn / 2
    depth = 2 * down - speed * turn - slows * turn**2 / 6
    gathers = 2 * steep**2 / (depth + np.sqrt(depth**2 + steep**2 * turn**2 / 3))
    fastest = steep - gathers * turn / 2
    fall = speed * turn + slows * turn**2 / 3 - gathers * turn**2 / 6
    none = np.zeros_like(speed)
    return Swings(
        time=np.stack([-turn - fastest / gathers, -turn, speed / slows], axis=-1),
        height=np.stack([-down, -fall, up], axis=-1),
        velocity=np.stack([none, fastest, none], axis=-1),
        acceleration=np.stack([gathers, gathers, -slows], axis=-1),
        release=-slows,
    )


def with_detours(curves: Floats, points: Waypoints, choreography: Choreography, way: str) -> Floats:
    """Curves of hands that go over or under the direct way wherever they are empty and no way is said.

    What is added is d·(4s(1 − s))³, with s from 0 at the throw to 1 at the catch: it has neither place, velocity nor
    acceleration at its ends, so throws and catches are as they were.

    Args:
        curves: shape (N, 6, 3), from each point to the next, by the time since it, [m], [m/s] …
        points: N rows.
        choreography: who holds what.
        way: "direct", "over" or "under".

    Returns:
        Shape (N, 7, 3); the curves themselves where the way is direct.
    """
    if not (sign := _SIGN[way]) or not len(points.hand):
        return curves
    event, gap = _owners(points, choreography.duration)
    rows = np.flatnonzero(_empty(points, choreography)[event])
    lasts = gap[rows, None]
    since = (points.time[rows] - points.time[event[rows]])[:, None] % choreography.duration / lasts
    far = sign * np.minimum(FARTHEST_DETOUR, HASTE / _STEEPEST * lasts**2)
    power = np.arange(7)
    # The bump by powers of the time since each point, rather than since the throw.
    choose = np.array([[comb(n, k) for n in range(7)] for k in range(7)], dtype=float)
    terms = choose * _BUMP * since[:, :, None] ** np.maximum(power - power[:, None], 0)
    bent = np.pad(curves, ((0, 0), (0, 1), (0, 0)))
    bent[rows, :, 1] += far * terms.sum(axis=2) / lasts**power
    return bent


def _owners(points: Waypoints, loop: float) -> tuple[Integers, Floats]:
    """For each row, the last event up to it of the same hand, and the time from that to the next event."""
    events = np.flatnonzero(points.kind != BETWEEN)
    _, lasts = ring(points.hand[events], points.time[events], loop)
    place = np.searchsorted(events, np.arange(len(points.hand)), side="right") - 1
    # What comes before a hand's first event belongs to its last one.
    final = np.searchsorted(points.hand[events], points.hand, side="right") - 1
    other = (place < 0) | (points.hand[events[place]] != points.hand)
    place = np.where(other, final, place)
    return events[place], lasts[place]


def _empty(points: Waypoints, choreography: Choreography) -> Booleans:
    """Which rows are throws after which a hand is empty until its next event, a catch or a throw."""
    loop = choreography.duration
    events = np.flatnonzero(points.kind != BETWEEN)
    following, lasts = ring(points.hand[events], points.time[events], loop)
    kind = points.kind[events]
    free = (kind == EventKind.THROW) & (kind[following] <= EventKind.CATCH)
    free &= _held(choreography, points.hand[events], (points.time[events] + lasts / 2) % loop) == 0
    empty = np.zeros(len(points.hand), dtype=bool)
    empty[events] = free
    return empty


def _held(choreography: Choreography, hand: Integers, times: Floats) -> Integers:
    """How many props hands hold at some times of the loop, shape (N,)."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    came = before(choreography)
    caught, thrown = events.time[flights.catch[came]], events.time[flights.throw]
    holder, width = events.hand[flights.throw], 2 * loop
    through = np.zeros(len(choreography.rest), dtype=np.intp)
    np.add.at(through, holder, np.rint((caught + flights.carry[came] - thrown) / loop).astype(np.intp))
    for orbit in choreography.orbits:
        through[orbit.hand] += 0 if orbit.flights else orbit.props
    key, start = hand * width + times, hand * width
    came_in, went_out = np.sort(holder * width + caught), np.sort(holder * width + thrown)
    more, fewer = (
        np.searchsorted(ends, key, side="right") - np.searchsorted(ends, start, side="left")
        for ends in (came_in, went_out)
    )
    held: Integers = through[hand] + more - fewer
    return held
