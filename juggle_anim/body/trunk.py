"""The trunk: pelvis, spine, shoulders and head, which give with the throws and lean for what is far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import FOREARM, HEAD, HIP_HEIGHT, NECK, PALM, SHOULDER, SPINE, UPPER_ARM
from juggle_anim.body.two_bones import dot, unit

STANCE = 0.032
"""How far soft knees lower the pelvis, [m]."""

STOOP = 0.065
"""How far forward of the pelvis the shoulders of a juggler are at ease, [m]."""

COMFORTABLE_REACH = 0.96 * (UPPER_ARM + FOREARM + PALM)
"""The trunk begins to lean for a hand farther from its shoulder than this, [m]."""

FARTHEST_LEAN = np.array([0.22, 0.24, 0.26])
"""How far a lean takes the shoulders at most: sideways, down or up by the knees, and forward, [m]."""

# Where hands are on average; leaving it moves the weight.
_NEUTRAL = np.array([0.0, 1.0, 0.3])
# How far the pelvis follows the mean of the two hands, as a share, and at most how far, [m].
_FOLLOW = np.array([0.16, 0.13, 0.06])
_FARTHEST_FOLLOW = np.array([0.035, 0.018, 0.015])
# Lean sets in over this span, so that it has no corner, [m].
_SOFTNESS = 0.045
_LEAN_STEPS = 3


@dataclass(frozen=True)
class Trunk:
    """Joints of the trunk, for jugglers who face +z at the origin; shape (T, J, 3), shoulders (T, J, 2, 3)."""

    pelvis: Floats
    chest: Floats
    neck: Floats
    head: Floats
    shoulders: Floats


def carry_trunk(hands: Floats, amount: float) -> Trunk:
    """Pose the trunk for where the hands are.

    Args:
        hands: shape (T, J, 2, 3), [m].
        amount: how much the body gives with the throws, 1 as people do. Leaning for what is far does not depend on it.
    """
    follow = _limited(amount * _FOLLOW * (hands.mean(axis=-2) - _NEUTRAL), max(amount, 1e-9) * _FARTHEST_FOLLOW)
    # Knees that are straight already cannot lift the pelvis further, still less one that has swung to a side.
    follow[..., 1] = np.minimum(follow[..., 1], 0.6 * STANCE)
    pelvis = np.array([0.0, HIP_HEIGHT - STANCE, 0.0]) + follow
    lean = _lean(hands, pelvis)
    pelvis[..., 1] += np.minimum(lean[..., 1], 0.0)
    spine = unit(lean * (1.0, 0.0, 1.0) - follow * (0.5, 0.0, 0.5) + (0.0, SPINE, STOOP))
    chest = pelvis + SPINE * spine
    across = unit(np.array([1.0, 0.0, 0.0]) - spine[..., :1] * spine)
    shoulders = chest[..., None, :] + SHOULDER * np.stack([across, -across], axis=-2)
    upright = unit(spine + (0.0, 1.0, 0.1))
    neck = chest + NECK * unit(spine + (0.0, 0.3, 0.15))
    return Trunk(pelvis, chest, neck, neck + HEAD * upright, shoulders)


def _lean(hands: Floats, pelvis: Floats) -> Floats:
    """How far the shoulders must go so that both hands come within comfortable reach, shape (T, J, 3)."""
    upright = np.array([[SHOULDER, SPINE, STOOP], [-SHOULDER, SPINE, STOOP]]) + pelvis[..., None, :]
    lean = np.zeros_like(pelvis)
    for _ in range(_LEAN_STEPS):
        away = hands - upright - lean[..., None, :]
        distance = np.sqrt(dot(away, away))
        short = distance - COMFORTABLE_REACH
        if short.max(initial=-np.inf) < -_SOFTNESS:
            break
        # Rises from 0 to a slope of 1 with no corner, and is 0 well within reach.
        excess = np.where(short < -_SOFTNESS, 0.0, (short + _SOFTNESS) ** 2 / (4 * _SOFTNESS))
        excess = np.where(short > _SOFTNESS, short, excess)
        lean = lean + (excess * away / np.maximum(distance, 1e-9)).sum(axis=-2)
    return _limited(lean, FARTHEST_LEAN)


def _limited(value: Floats, limit: Floats) -> Floats:
    """Values that grow ever slower toward a limit."""
    return limit * np.tanh(value / limit)
