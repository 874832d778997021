"""The legs: feet on the floor, knees that bend forward, and a pelvis that comes down for feet that are far."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import ANKLE_HEIGHT, FOOT, HIP, SHANK, THIGH
from juggle_anim.vectors import cross, dot, norm, smooth_step, unit

PELVIS, LEAN, TWIST, LIFTS, OPENS = slice(0, 3), slice(3, 5), 5, slice(6, 12), slice(12, 14)
"""Channels of a posture, as `juggle_anim.choreography.body_throws.Posture` has them: where the pelvis moves [m], how
far the spine leans to the left and forward and the shoulders turn to the left [rad], where the left and the right ankle
move [m], and how far both knees turn outward [rad]."""

POSTURE_CHANNELS = 14
"""How many there are."""

ANKLES = np.array([[0.125, ANKLE_HEIGHT, -0.035], [-0.125, ANKLE_HEIGHT, -0.035]])
"""Where feet are at ease, a little wider than the hips, shape (2, 3), [m]."""

# Toes are turned out a little, knees less, and toes lie at the height of the foot's radius.
_FALL = ANKLE_HEIGHT - 0.03
_TOES_OUT = np.radians(14.0) * np.array([1.0, -1.0])
_KNEES_OUT = np.radians(12.4) * np.array([1.0, -1.0])
_HIPS = np.array([[HIP, 0.0, 0.0], [-HIP, 0.0, 0.0]])
# A leg is straight enough at this share of its length; the pelvis comes down for a foot that would need more.
_REACH = 0.992 * (THIGH + SHANK)
# It begins earlier, so that the motion is smooth; softly limited between the last two, [m].
_SOFTNESS = 0.008
_EASY_DROP, _MAX_DROP = 0.14, 0.22
# How far the toes of a lifted foot hang down, [rad], from which height on, [m].
_HANG, _HANGING = np.radians(38.0), 0.3


def pelvis_drop(pelvis: Floats, ankles: Floats) -> Floats:
    """Return how far the pelvis must come down so that both legs reach the floor, shape (T, J), [m].

    Args:
        pelvis: shape (T, J, 3), in the frame of the body, [m].
        ankles: shape (T, J, 2, 3), likewise.
    """
    away = pelvis[..., None, :] + _HIPS - ankles
    level = away[..., 0] ** 2 + away[..., 2] ** 2
    short = away[..., 1] - np.sqrt(np.maximum(_REACH**2 - level, 0.01))
    soft = np.maximum(short + _SOFTNESS, 0.0) ** 2 / (4 * _SOFTNESS)
    wanted = np.where(short > _SOFTNESS, short, soft)
    # A smooth maximum of both.
    both: Floats = np.sqrt(np.sqrt((wanted**4).sum(axis=-1)))
    rest = _MAX_DROP - _EASY_DROP
    return np.where(both < _EASY_DROP, both, _EASY_DROP + rest * np.tanh((both - _EASY_DROP) / rest))


def lifted(ankles: Floats, posture: Floats) -> Floats:
    """Return where ankles are with a posture, shape (T, J, 2, 3), [m].

    Args:
        ankles: where feet would stand, shape (2, 3) or (T, J, 2, 3), [m].
        posture: shape (T, J, `POSTURE_CHANNELS`).
    """
    return ankles + posture[..., LIFTS].reshape(*posture.shape[:-1], 2, 3)


def stand(
    pelvis: Floats, ankles: Floats = ANKLES, turns: Floats | None = None, posture: Floats | None = None
) -> tuple[Floats, Floats, Floats, Floats]:
    """Pose the legs under a pelvis, for a juggler who faces +z and stands at the origin.

    Args:
        pelvis: shape (T, J, 3), [m].
        ankles: targets, shape (T, J, 2, 3), [m]; one out of reach stays as near as the leg allows.
        turns: of the feet to the left, shape (T, J, 2), [rad]; None if all point ahead.
        posture: shape (T, J, `POSTURE_CHANNELS`): how far knees turn outward, and toes with them, which hang down where
            feet are above the floor; None if all stand.

    Returns:
        Hips, knees, ankles and toes, each of shape (T, J, 2, 3), left then right, [m].
    """
    hips = pelvis[..., None, :] + _HIPS
    away = ankles - hips
    distance = norm(away)
    axis = away / distance
    # Knees point half way between pelvis and feet.
    toward = _KNEES if turns is None else _level(_KNEES_OUT + turns / 2)
    forward = unit(toward - dot(toward, axis) * axis)
    if posture is not None:
        forward = _opened(forward, axis, posture[..., OPENS])
    knees, ankles = bend(hips, axis, distance, THIGH, SHANK, forward)
    toes = TOES_AHEAD if turns is None else _level(_TOES_OUT + turns)
    if posture is None:
        return hips, knees, ankles, ankles + np.sqrt(FOOT**2 - _FALL**2) * toes - (0.0, _FALL, 0.0)
    fall = np.arcsin(_FALL / FOOT) + _HANG * smooth_step((ankles[..., 1:2] - ANKLE_HEIGHT) / _HANGING)
    toes = np.cos(fall) * toes - np.sin(fall) * (0.0, 1.0, 0.0)
    return hips, knees, ankles, ankles + FOOT * _opened(toes, axis, posture[..., OPENS])


def _opened(directions: Floats, axis: Floats, opens: Floats) -> Floats:
    """Directions of a leg that turns outward about an axis down it, shape (T, J, 2, 3), by angles (T, J, 2), [rad]."""
    turns = opens[..., None] * np.array([[-1.0], [1.0]])
    along = dot(directions, axis) * axis
    return np.cos(turns) * (directions - along) + np.sin(turns) * cross(axis, directions) + along


def bend(
    root: Floats, axis: Floats, distance: Floats, upper: float, lower: float, side: Floats
) -> tuple[Floats, Floats]:
    """Joint and end of a limb that is bent toward one side; no bone ever stretches.

    Args:
        root: shape (..., 3), where the limb starts, [m].
        axis: shape (..., 3), unit direction from the root to the target.
        distance: shape (..., 1), to the target, [m]; one out of reach is brought to the nearest that is in reach.
        upper, lower: lengths of the bones, [m].
        side: shape (..., 3), unit direction at right angles to the axis, toward which the joint lies.

    Returns:
        The joint and the end of the limb, each of shape (..., 3), [m].
    """
    reached = np.minimum(np.maximum(distance, max(abs(upper - lower), 1e-9)), upper + lower)
    along = (upper**2 - lower**2 + reached**2) / (2 * reached)
    across = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    return root + axis * along + side * across, root + axis * reached


def _level(turns: Floats) -> Floats:
    """Directions over the floor, turned from ahead to the left."""
    return np.stack([np.sin(turns), np.zeros_like(turns), np.cos(turns)], axis=-1)


_KNEES, TOES_AHEAD = _level(_KNEES_OUT), _level(_TOES_OUT)
"""Level directions of the toes of feet at ease, shape (2, 3)."""
