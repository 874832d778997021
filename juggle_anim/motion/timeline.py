"""What the hands pass: the events, and points that are put between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.motion.cubic import passing_velocities, ring
from juggle_anim.motion.least_jerk import Knots

FARTHEST_SWING = 0.30
"""How far the acceleration at the end of a gap may carry a hand away within it, [m]."""

# ½u²(1−u)³, the course that an acceleration at one end gives a quintic, is at most this.
_SWING_SHARE = 0.01728


@dataclass(frozen=True)
class Timeline:
    """Points of all hands, N rows sorted by hand and time.

    Args:
        hand: shape (N,).
        time: shape (N,), [s].
        position: shape (N, 3), [m].
        velocity: shape (N, 3), [m/s].
        lowest, highest: shape (N, 3), bounds on the acceleration, NaN where only the gaps beside bound it, [m/s²].
        kind: shape (N,), of `EventKind`; `BETWEEN` for points that are no events.
    """

    hand: Integers
    time: Floats
    position: Floats
    velocity: Floats
    lowest: Floats
    highest: Floats
    kind: Integers

    def ring(self, loop: float) -> tuple[Integers, Floats]:
        """For each row the next of the same hand, and the time until it."""
        return ring(self.hand, self.time, loop)

    def knots(self, loop: float) -> Knots:
        """The rows as knots for a curve of least jerk.

        A bound for all keeps the haste of a short gap from swinging a hand far out in the long one beside it.
        """
        to, gap = self.ring(loop)
        longest = gap.copy()
        np.maximum.at(longest, to, gap)
        swing = gentle(longest)[:, None]
        highest = np.where(np.isnan(self.highest), swing, self.highest)
        lowest = np.where(np.isnan(self.lowest), -swing, self.lowest)
        return Knots(to, gap, self.position, self.velocity, np.minimum(lowest, highest), highest)

    def joined(self, *more: Timeline) -> Timeline:
        """This timeline with the points of others."""
        parts = (self, *more)
        hand, time = np.concatenate([part.hand for part in parts]), np.concatenate([part.time for part in parts])
        order = np.lexsort((time, hand))
        return Timeline(
            hand=hand[order],
            time=time[order],
            position=np.concatenate([part.position for part in parts])[order],
            velocity=np.concatenate([part.velocity for part in parts])[order],
            lowest=np.concatenate([part.lowest for part in parts])[order],
            highest=np.concatenate([part.highest for part in parts])[order],
            kind=np.concatenate([part.kind for part in parts])[order],
        )


def gentle(gap: Floats) -> Floats:
    """The acceleration at one end of gaps, shape (N,), [s], that carries a hand no farther within them than it may."""
    return FARTHEST_SWING / (_SWING_SHARE * gap**2)


BETWEEN = len(EventKind)
"""The kind of a point that is no event."""


def between(hand: Integers, time: Floats, position: Floats, velocity: Floats) -> Timeline:
    """Points that are no events, with no bound of their own."""
    free = np.full((len(hand), 3), np.nan)
    return Timeline(hand, time, position, velocity, free, free.copy(), np.full(len(hand), BETWEEN, dtype=np.intp))


def timeline(choreography: Choreography, velocities: Floats, parting: Floats) -> Timeline:
    """The events.

    Args:
        choreography: what happens.
        velocities: shape (E, 3), of the hand at each throw and catch, [m/s]; at others it follows.
        parting: shape (E,), by how much a hand must slow at least after a throw, [m/s²].
    """
    events = choreography.events
    order = np.lexsort((events.time, events.hand))
    hand, time, position, kind = events.hand[order], events.time[order], events.position[order], events.kind[order]
    following, duration = ring(hand, time, choreography.duration)
    highest = np.full((len(hand), 3), np.nan)
    throws = kind == EventKind.THROW
    highest[throws, 1] = -parting[order][throws]
    passes = kind >= EventKind.HOLD
    velocity = passing_velocities(following, duration, position, velocities[order], passes)
    return Timeline(hand, time, position, velocity, np.full_like(highest, np.nan), highest, kind)
