"""What a juggler sees: a camera between their eyes."""

from __future__ import annotations

import math

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.viewer.orbit import Orbit

FIELD_OF_VIEW = math.radians(100.0)
"""Upright, [rad]: what people see well without moving their eyes, and some more."""

UP = math.radians(14.0)
"""How far above where the head points eyes look, [rad]: they turn farther toward the tops of throws than heads do."""

_AHEAD = 0.13  # of the middle of the head, past the nose, [m]
_LOOK = 0.5  # how far ahead the point is that is looked at, [m]


def seen_by(animation: Animation, juggler: int, time: float, aside: float = 0.0) -> Orbit:
    """The camera of a juggler.

    Args:
        animation: what they juggle.
        juggler: counted from 0.
        time: [s].
        aside: how far to the left of that the camera is turned, [rad].
    """
    joints = animation.pose(np.array([time])).joints[0, juggler]
    head = joints[Joint.HEAD]
    x, y, z = (joints[Joint.FACE] - head).tolist()
    azimuth = math.atan2(x, z) + aside
    elevation = math.atan2(y, math.hypot(x, z)) + UP
    level = math.cos(elevation)
    ahead = np.array([math.sin(azimuth) * level, math.sin(elevation), math.cos(azimuth) * level])
    eye = head + _AHEAD * (joints[Joint.FACE] - head) / math.hypot(x, y, z)
    target = eye + _LOOK * ahead
    # An orbit tells where its camera is, seen from what it looks at.
    return Orbit(_point(target), _LOOK, azimuth + math.pi, -elevation, FIELD_OF_VIEW)


def _point(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
