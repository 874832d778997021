"""Which way palms turn: toward their load as it swings, along a handle, and over for claws and penguins."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Grasp
from juggle_anim.motion.aim import held_pitch

STEEPEST = np.radians(38.0)
"""A palm that carries a ball tilts at most so far from level, [rad]."""

EMPTY = np.array([0.0, np.radians(4.0), np.radians(24.0)])
"""Yaw, pitch and roll of an empty hand at ease, [rad]."""

AT_CATCH, CARRYING, AT_THROW, AT_EASE = range(4)
"""Moments for which `grasped` has turns of its own."""

# The roll of hands that hold clubs by their handle and rings by their rim.
_CLUB_ROLL, _RING_ROLL = np.radians(28.0), np.radians(82.0)
# Of the slope that a hand has at ease, palms that carry balls take this share.
_SLOPE = 0.65
# Yaw, pitch and roll by grasp and moment. What comes down past a claw's fingers, and what it throws up past them, needs
# them upright; a penguin's palm comes up again beyond three quarters of a turn.
_TURNED = {
    Grasp.CLAW: np.radians([[0.0, 48.0, 180.0], [0.0, 2.0, 180.0], [0.0, 60.0, 180.0], [0.0, 80.0, 176.0]]),
    Grasp.PENGUIN: np.radians([[86.0, -34.0, 352.0], [86.0, -34.0, 356.0], [80.0, -22.0, 356.0], [78.0, -32.0, 326.0]]),
}


def lean(direction: Floats, hand: Integers, least: float) -> Floats:
    """How far directions lean from the vertical, inward and forward, shape (N, 2), [rad].

    Args:
        direction: shape (N, 3).
        hand: shape (N,), whose view of inward it is.
        least: what their vertical part counts as at least.
    """
    inward = np.where(hand % 2 == 0, -1.0, 1.0)
    level = np.stack([inward * direction[:, 0], direction[:, 2]], axis=1)
    return np.arctan(level / np.maximum(direction[:, 1:2], least))


def palm_up(leaning: Floats, position: Floats, hand: Integers, sort: Floats) -> Floats:
    """Yaw, pitch and roll of hands whose palm carries, (N, 3), [rad]: it leans with its load, or follows a handle.

    Args:
        leaning: shape (N, 2), of the load, as from `lean`.
        position: shape (N, 3), of the hand, seen from its body, [m].
        hand: shape (N,).
        sort: shape (N, 2), the shares of clubs and of rings in the load.
    """
    pointed = sort.sum(axis=1)
    slope = held_pitch(hand % 2 == 1, position)
    # A palm that leans forward has its fingers down; it leans a little with the slope of the hand at ease, too.
    tilt = np.stack([leaning[:, 0], _SLOPE * slope - leaning[:, 1]], axis=1)
    length = np.linalg.norm(tilt, axis=1, keepdims=True)
    tilt *= STEEPEST * np.tanh(length / STEEPEST) / np.maximum(length, 1e-9)
    pitch = pointed * slope + (1 - pointed) * tilt[:, 1]
    roll = (1 - 0.5 * pointed) * tilt[:, 0] + sort[:, 0] * _CLUB_ROLL + sort[:, 1] * _RING_ROLL
    return np.stack([0 * pitch, pitch, roll], axis=1)


def grasped(turn: Floats, grasp: Integers, moment: int | Integers) -> Floats:
    """Yaw, pitch and roll for any grasp, shape (N, 3), [rad].

    Args:
        turn: shape (N, 3), what it is where the palm faces up.
        grasp: shape (N,), of `Grasp`.
        moment: `AT_CATCH` or one of the others, for all or for each.
    """
    for kind, turned in _TURNED.items():
        turn = np.where((grasp == kind)[:, None], turned[moment], turn)
    return turn
