"""Claws: a hand with its palm down comes from beside a prop and over it, falls along, and pulls back as it lets go.

A prop that falls would pass through a hand that waits above the place where it is caught. So from a throw to a catch
the hand goes around what comes down: behind it where it stays a claw, its fingers up, and outside of it where it turns
over.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, Grasp
from juggle_anim.choreography.choreography import CATCH, THROW, Events
from juggle_anim.motion.detours import with_bumps
from juggle_anim.motion.knots import Waypoints
from juggle_anim.motion.piecewise import PiecewisePolynomial, successors

# Of the part of its speed by which a prop is faster than another hand that catches it, a claw leaves this share; and
# how fast it comes forward onto the prop, [m/s].
_SLIPS, _FORWARD = 0.2, 0.7

# The least backward acceleration with which a claw lets go, [m/s²].
_PULLS_BACK = 20.0

# How far a hand goes out of its way between a throw and a catch of two grasps, outward, up and forward, [m]; and in the
# last how long before the catch, [s].
_ASIDE = {
    (Grasp.CLAW, Grasp.CLAW): (0.0, 0.0, -0.075),
    (Grasp.PALM, Grasp.CLAW): (0.14, 0.055, 0.0),
    (Grasp.CLAW, Grasp.PALM): (0.12, -0.08, 0.0),
}

_LASTS = 0.26


def claws(events: Events, kind: int) -> Booleans:
    """Which events are throws, or catches, as `kind` says, with the palm down; shape (E,)."""
    if events.grasp is None:
        return np.zeros(len(events.time), dtype=bool)
    clawed: Booleans = (events.grasp == Grasp.CLAW) & (events.kind == kind)
    return clawed


def softened(soft: Floats, clawed: Booleans) -> Floats:
    """The share of the speed of each caught prop that its hand has, given that of other hands, both shape (F,)."""
    return np.where(clawed, 1.0 - _SLIPS * (1.0 - soft), soft)


def onto_props(velocity: Floats, events: Events) -> Floats:
    """Velocities of hands at catches, those of claws also forward onto their props; shape (E, 3), [m/s]."""
    return velocity + np.where(claws(events, CATCH), _FORWARD, 0.0)[:, None] * (0.0, 0.0, 1.0)


def pulled_back(points: Waypoints, choreography: Choreography) -> Waypoints:
    """The points, with claws that pull back from what they throw."""
    rows = points.events[0][claws(choreography.events, THROW)[_by_hand(choreography.events)]]
    points.max_acceleration[rows, 2] = -_PULLS_BACK
    return points


def around_props(paths: PiecewisePolynomial, choreography: Choreography) -> PiecewisePolynomial:
    """Paths of hands that go around what they are about to catch; unchanged if no hand does."""
    events, loop = choreography.events, choreography.duration
    if events.grasp is None:
        return paths
    order = _by_hand(events)
    hand, kind, grasp = events.hand[order], events.kind[order], events.grasp[order]
    to, gap = successors(hand, events.time[order], loop)
    usual = np.ones(len(order), dtype=bool) if events.body_throw is None else events.body_throw[order] == 0
    meets = (kind == THROW) & (kind[to] == CATCH) & usual & usual[to]
    aside = np.zeros((len(order), 3))
    for (before, after), offset in _ASIDE.items():
        aside[meets & (grasp == before) & (grasp[to] == after)] = offset
    aside[:, 0] *= np.where(hand % 2 == 0, 1.0, -1.0)
    goes = np.flatnonzero(aside.any(axis=1))
    if not goes.size:
        return paths
    lasts = np.minimum(gap[goes], _LASTS)
    start = (events.time[order][goes] + gap[goes] - lasts) % loop
    first = np.lexsort((start, hand[goes]))
    return with_bumps(paths, hand[goes][first], start[first], lasts[first], aside[goes][first])


def _by_hand(events: Events) -> Integers:
    """The order of events in which waypoints have them."""
    return np.lexsort((events.time, events.hand))
