"""Posture: how bodies move for throws around them over a loop: pelvis, lean and twist of the trunk, and lifted feet."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.legs import POSTURE_CHANNELS
from juggle_anim.choreography.body_throws import BODY_THROWS, Posture
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import PeriodicSpline

_KNOT = 0.05  # s

_MIRRORED = np.array([-1.0, 1.0, 1.0, -1.0, 1.0, -1.0, *(-1.0, 1.0, 1.0) * 2])


def plan_posture(motion: Motion) -> PeriodicSpline | None:
    """The postures of all jugglers over a loop; None if nobody throws around a body.

    They have shape (T, J, `POSTURE_CHANNELS`) at T times.

    Args:
        motion: its choreography says which throws and catches go around bodies.
    """
    choreography = motion.choreography
    events, loop = choreography.events, choreography.duration
    if events.body_throw is None:
        return None
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    knots = 2 * max(2, round(loop / (2 * _KNOT)))
    times = np.arange(knots) * (loop / knots)
    controls = np.zeros((knots, choreography.jugglers, POSTURE_CHANNELS))
    for row in np.flatnonzero(events.body_throw):
        posture = BODY_THROWS[events.body_throw[row] - 1].posture
        apart = np.abs((times - events.time[row] + loop / 2) % loop - loop / 2)
        share = np.cos(np.minimum(apart / posture.lead, 1.0) * (np.pi / 2)) ** 2
        wanted = share[:, None] * _channels(posture, int(events.hand[row]) % 2)
        mine = controls[:, int(events.hand[row]) // 2]
        # Of several that overlap, the farthest.
        mine[:] = np.where(np.abs(wanted) > np.abs(mine), wanted, mine)
    return PeriodicSpline(controls, loop)


def _channels(posture: Posture, side: int) -> Floats:
    """A posture for a throw of a left or right hand, shape (`POSTURE_CHANNELS`,)."""
    lifts = posture.lifts[::-1] if side else posture.lifts
    values = np.array([*posture.pelvis, *posture.lean, posture.twist, *lifts[0], *lifts[1]])
    return values * _MIRRORED if side else values
