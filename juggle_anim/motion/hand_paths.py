"""The way of each hand: through its throws and catches, and at rest where it has the time."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.motion.empty_hand import with_detours
from juggle_anim.motion.least_jerk import least_jerk
from juggle_anim.motion.paths import Paths
from juggle_anim.motion.swings import swings
from juggle_anim.motion.timeline import Timeline, between, gentle, timeline
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


def hand_paths(
    choreography: Choreography, velocities: Floats, parting: Floats, scoop: float, empty: str = "direct"
) -> Paths:
    """Paths of all hands over one loop, seen from their bodies.

    Args:
        choreography: the events.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; places it passes it passes as it likes.
        parting: shape (E,), by how much a hand must slow at least after a throw, [m/s²].
        scoop: how deep hands swing before they throw, 1 as usual.
        empty: the way of empty hands, "direct", "over" or "under".
    """
    loop, hands = choreography.duration, len(choreography.rest)
    points = timeline(choreography, velocities, parting)
    points = _with_rests(points, loop)
    points = _with_swings(points, loop, scoop)
    curves = with_detours(least_jerk(points.knots(loop)), points, choreography, empty)
    idle = np.setdiff1d(np.arange(hands), points.hand)
    still = np.zeros((len(idle), curves.shape[1], 3))
    still[:, 0] = choreography.rest[idle]
    path = np.concatenate([points.hand, idle])
    order = np.argsort(path, kind="stable")
    return Paths(
        periods=np.full(hands, loop),
        path=path[order],
        start=np.concatenate([points.time, np.zeros(len(idle))])[order],
        coefficients=np.concatenate([curves, still])[order],
    )


def _with_swings(points: Timeline, loop: float, scoop: float) -> Timeline:
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


def _swung(points: Timeline) -> Booleans:
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


def _with_rests(points: Timeline, loop: float) -> Timeline:
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


def _stopping(points: Timeline) -> tuple[Floats, Floats]:
    """How long a hand takes from each point until it rests, [s], and how far it goes, shape (N, 3), [m]."""
    speed = np.linalg.norm(points.velocity, axis=1)
    stop = np.minimum(_SLOWEST_STOP, FOLLOW_THROUGH / (_STOPPING_SHARE * np.maximum(speed, 1e-9)))
    covered = _STOPPING_SHARE * points.velocity * stop[:, None]
    swung = _swung(points)
    covered[swung, 1] = SETTLES
    return np.where(swung, _AFTER_SWING, stop), covered
