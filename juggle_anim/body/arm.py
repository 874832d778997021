"""The arms: from each shoulder to the prop that its hand holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.chicken_wing import elbow_side
from juggle_anim.body.skeleton import FINGERS, FOREARM, PALM, UPPER_ARM
from juggle_anim.body.two_bones import bend, dot, unit, unit_interval

# Half the thickness of a palm: the prop lies on its skin, [m].
_PALM_RADIUS = 0.016
# Where a relaxed elbow is, from the shoulder, outward for the left: hands point away from there.
_RELAXED_ELBOW = np.array([[0.10, -0.30, -0.06], [-0.10, -0.30, -0.06]])
# Hands lie flatter than forearms, so that a prop stays on them.
_FLATTEN = np.array([1.0, 0.45, 1.0])
# From the first distance on, as a share of the whole arm, a hand turns into line with it; at the second it would be.
_STRAIGHTENS = (0.75, 1.15)
_WHOLE_ARM = UPPER_ARM + FOREARM + PALM


@dataclass(frozen=True)
class Arms:
    """Joints of both arms, each of shape (T, J, 2, 3), [m]; gaps (T, J, 2) by which palms miss their place, [m]."""

    elbows: Floats
    wrists: Floats
    palms: Floats
    fingers: Floats
    gaps: Floats


def reach_for(hands: Floats, shoulders: Floats, prop_radius: float, chicken_wing: float, raised: float = 0.0) -> Arms:
    """Pose the arms so that each palm lies under the point where its hand holds a prop.

    Args:
        hands: shape (T, J, 2, 3), where a held prop's centre is, for jugglers who face +z, [m].
        shoulders: shape (T, J, 2, 3), [m].
        prop_radius: [m].
        chicken_wing: swivel that lifts both elbows outward, [rad].
        raised: how much hands point upward more than at ease, about half of it as a slope.
    """
    palms = hands - (0.0, prop_radius + _PALM_RADIUS, 0.0)
    away = palms - shoulders
    pointing = _pointing(away, raised)
    away = away - PALM * pointing
    distance = np.sqrt(dot(away, away))
    axis = away / np.maximum(distance, 1e-9)
    distance = _within(distance, UPPER_ARM + FOREARM)
    elbows, wrists = bend(shoulders, axis, distance, UPPER_ARM, FOREARM, elbow_side(axis, np.array(chicken_wing)))
    reached = wrists + PALM * pointing
    missed = palms - reached
    return Arms(elbows, wrists, reached, reached + FINGERS * pointing, np.sqrt(dot(missed, missed))[..., 0])


def _within(distance: Floats, length: float) -> Floats:
    """Distances that an arm of this length can span: its last two hundredths are reached ever slower.

    A straight arm that bends does so with boundless speed, so no arm is ever quite straight.
    """
    free = 0.98 * length
    rest = 0.018 * length
    return np.where(distance < free, distance, free + rest * np.tanh((distance - free) / rest))


def _pointing(away: Floats, raised: float) -> Floats:
    """The direction from wrists to fingers, for palms `away` from their shoulders; both of shape (T, J, 2, 3)."""
    share = (np.sqrt(dot(away, away)) / _WHOLE_ARM - _STRAIGHTENS[0]) / (_STRAIGHTENS[1] - _STRAIGHTENS[0])
    share = unit_interval(share)
    share = share * share * (3 - 2 * share)
    level = unit((away - _RELAXED_ELBOW) * _FLATTEN + (0.0, raised, 0.12))
    return unit(level + share * (unit(away) - level))
