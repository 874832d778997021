"""The way of each hand: through its throws and catches, and at rest where it has the time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.motion.cubic import passing_velocities, ring
from juggle_anim.motion.least_jerk import Knots, least_jerk
from juggle_anim.motion.paths import Paths

PARTING = 1.25
"""A hand slows after a throw by at least this many times gravity, so that the prop leaves it."""

FOLLOW_THROUGH = 0.16
"""How far a hand with time to spare goes on before it rests, and how far it swings up to its next throw, [m]."""

SHALLOWEST_SCOOP = 0.12
"""How deep under its throw a hand may always scoop, [m]."""

SCOOP_ACCELERATION = 200.0
"""It may scoop deeper by the way it needs to gather the speed of the throw at this acceleration, [m/s²]."""

DEEPEST_SCOOP = 0.30
"""But its lowest point is set no deeper than this: hands juggle between hips and chest, [m]."""

FARTHEST_SWING = 0.30
"""How far the acceleration at the end of a gap may carry a hand away within it, [m]."""

# ½u²(1−u)³, the course that an acceleration at one end gives a quintic, is at most this.
_SWING_SHARE = 0.01728
# From the lowest point to the throw, a hand takes this many times the scoop's depth over the throw's speed.
_SCOOP_TIME = 2.2
_SLOWEST_STOP = 0.25
_SHORTEST_REST = 0.12
# A curve of least jerk that stops within a time τ from a speed v covers about this share of v·τ.
_STOPPING_SHARE = 0.42


def hand_paths(choreography: Choreography, velocities: Floats, parting: Floats) -> Paths:
    """Paths of all hands over one loop, seen from their bodies.

    Args:
        choreography: the events.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; places it passes it passes as it likes.
        parting: shape (E,), by how much a hand must slow at least after a throw, [m/s²].
    """
    loop, hands = choreography.duration, len(choreography.rest)
    timeline = _with_rests(_timeline(choreography, velocities, parting), loop)
    timeline = _with_scoops(timeline, loop, least_jerk(timeline.knots(loop)))
    curves = least_jerk(timeline.knots(loop))
    idle = np.setdiff1d(np.arange(hands), timeline.hand)
    still = np.zeros((len(idle), 6, 3))
    still[:, 0] = choreography.rest[idle]
    path = np.concatenate([timeline.hand, idle])
    order = np.argsort(path, kind="stable")
    return Paths(
        periods=np.full(hands, loop),
        path=path[order],
        start=np.concatenate([timeline.time, np.zeros(len(idle))])[order],
        coefficients=np.concatenate([curves, still])[order],
    )


@dataclass(frozen=True)
class _Timeline:
    """What the hands pass, sorted by hand and time; `parting` is 0 where they do not throw."""

    hand: Integers
    time: Floats
    position: Floats
    velocity: Floats
    parting: Floats
    rests: Booleans
    passes: Booleans

    def knots(self, loop: float) -> Knots:
        """The rows as knots for a curve of least jerk, with what bounds the acceleration there.

        A bound for all keeps the haste of a short gap from swinging a hand far out in the long one beside it.
        """
        to, gap = ring(self.hand, self.time, loop)
        longest = gap.copy()
        np.maximum.at(longest, to, gap)
        swing = FARTHEST_SWING / (_SWING_SHARE * longest**2)
        highest = np.repeat(np.where(self.rests, 0.0, swing)[:, None], 3, axis=1)
        lowest = -highest
        throws = self.parting > 0
        highest[throws, 1] = -self.parting[throws]
        return Knots(to, gap, self.position, self.velocity, np.minimum(lowest, highest), highest)

    def with_points(self, hand: Integers, time: Floats, position: Floats, velocity: Floats, rests: bool) -> _Timeline:
        """This timeline and some points more that are no throws; at `rests` the hand does not accelerate either."""
        hands, times = np.concatenate([self.hand, hand]), np.concatenate([self.time, time])
        order = np.lexsort((times, hands))
        return _Timeline(
            hand=hands[order],
            time=times[order],
            position=np.concatenate([self.position, position])[order],
            velocity=np.concatenate([self.velocity, velocity])[order],
            parting=np.concatenate([self.parting, np.zeros(len(hand))])[order],
            rests=np.concatenate([self.rests, np.full(len(hand), rests)])[order],
            passes=np.concatenate([self.passes, np.full(len(hand), False)])[order],
        )


def _timeline(choreography: Choreography, velocities: Floats, parting: Floats) -> _Timeline:
    """The events, sorted by hand and time."""
    events, loop = choreography.events, choreography.duration
    order = np.lexsort((events.time, events.hand))
    hand, time, position = events.hand[order], events.time[order], events.position[order]
    passes = (events.kind >= EventKind.HOLD)[order]
    following, duration = ring(hand, time, loop)
    return _Timeline(
        hand=hand,
        time=time,
        position=position,
        velocity=passing_velocities(following, duration, position, velocities[order], passes),
        parting=np.where(events.kind == EventKind.THROW, parting, 0.0)[order],
        rests=np.zeros_like(passes),
        passes=passes,
    )


def _with_rests(timeline: _Timeline, loop: float) -> _Timeline:
    """The timeline with two more points in each gap that is long: the hand comes to rest, and sets out again."""
    to, gap = ring(timeline.hand, timeline.time, loop)
    stop = _stopping_time(timeline.velocity)
    start = stop[to]
    long = (gap > stop + start + _SHORTEST_REST) & ~timeline.passes & ~timeline.passes[to]
    covered = _STOPPING_SHARE * timeline.velocity * stop[:, None]
    rests, leaves = timeline.position + covered, (timeline.position - covered)[to]
    hand = np.tile(timeline.hand[long], 2)
    time = np.concatenate([(timeline.time + stop)[long], (timeline.time + gap - start)[long]]) % loop
    return timeline.with_points(hand, time, np.concatenate([rests[long], leaves[long]]), np.zeros((len(hand), 3)), True)


def _with_scoops(timeline: _Timeline, loop: float, curves: Floats) -> _Timeline:
    """The timeline with a lowest point in each carry that would else sink deeper than its throw is worth."""
    to, gap = ring(timeline.hand, timeline.time, loop)
    rise = np.maximum(timeline.velocity[to, 1], 0.0)
    depth = np.minimum(SHALLOWEST_SCOOP + rise**2 / (2 * SCOOP_ACCELERATION), DEEPEST_SCOOP)
    lowest = timeline.position[to, 1] - depth
    shares = gap[:, None] * np.linspace(0.0, 1.0, 33)
    sinks = (curves[:, None, :, 1] * shares[..., None] ** np.arange(6)).sum(axis=-1).min(axis=1)
    deep = (timeline.parting[to] > 0) & (sinks < lowest) & ~timeline.passes
    until = np.minimum(gap / 2, _SCOOP_TIME * depth / np.maximum(rise, 1e-9))[deep]
    since = gap[deep] - until
    powers = since[:, None, None] ** np.arange(6)[:, None]
    position = (curves[deep] * powers).sum(axis=1)
    velocity = (curves[deep, 1:] * np.arange(1.0, 6.0)[:, None] * powers[:, :5]).sum(axis=1)
    position[:, 1], velocity[:, 1] = lowest[deep], 0.0
    return timeline.with_points(timeline.hand[deep], (timeline.time[deep] + since) % loop, position, velocity, False)


def _stopping_time(velocity: Floats) -> Floats:
    speed = np.linalg.norm(velocity, axis=1)
    return np.minimum(_SLOWEST_STOP, FOLLOW_THROUGH / (_STOPPING_SHARE * np.maximum(speed, 1e-9)))
