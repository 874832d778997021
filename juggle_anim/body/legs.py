"""The legs: feet on the floor, knees that bend forward."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import ANKLE_HEIGHT, FOOT, HIP, SHANK, THIGH
from juggle_anim.body.two_bones import bend, dot, unit

# Feet stand a little wider than the hips and turned out a little; toes lie at the height of the foot's radius.
_ANKLES = np.array([[0.125, ANKLE_HEIGHT, -0.035], [-0.125, ANKLE_HEIGHT, -0.035]])
_TOES_HEIGHT = 0.03
_TOES_OUT = np.radians(14.0)
_KNEES_TOWARD = np.array([[0.22, 0.0, 1.0], [-0.22, 0.0, 1.0]])


def stand(pelvis: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Hips, knees, ankles and toes under a pelvis, for a juggler who faces +z and stands at the origin.

    Args:
        pelvis: shape (T, J, 3), [m].

    Returns:
        Each of shape (T, J, 2, 3), left then right, [m]. The feet stay where they are.
    """
    hips = pelvis[..., None, :] + np.array([[HIP, 0.0, 0.0], [-HIP, 0.0, 0.0]])
    away = _ANKLES - hips
    distance = np.sqrt(dot(away, away))
    axis = away / distance
    forward = unit(_KNEES_TOWARD - dot(_KNEES_TOWARD, axis) * axis)
    knees, ankles = bend(hips, axis, distance, THIGH, SHANK, forward)
    fall = ANKLE_HEIGHT - _TOES_HEIGHT
    ahead = np.sqrt(FOOT**2 - fall**2)
    out = ahead * np.sin(_TOES_OUT)
    toes = ankles + np.array([[out, -fall, ahead * np.cos(_TOES_OUT)], [-out, -fall, ahead * np.cos(_TOES_OUT)]])
    return hips, knees, ankles, toes
