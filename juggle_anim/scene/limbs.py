"""The limbs of the figure: between which points each lies, how thick it is and what covers it.

Every point of the figure is a weighted sum of joints and of a few directions that follow from them, so a limb's end is
a row of weights, and the whole figure is one matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import JOINTS, Joint

DIRECTIONS = 4
"""How many directions stand behind the joints: `AHEAD`, `LEFT_THUMB`, `RIGHT_THUMB` and `UP`, each about 1 m long."""

_WEIGHTS = np.eye(JOINTS + DIRECTIONS)
AHEAD, LEFT_THUMB, RIGHT_THUMB, UP = _WEIGHTS[JOINTS:]


@dataclass(frozen=True)
class Limb:
    """A round cone of the figure.

    Args:
        start, end: shape (`JOINTS` + `DIRECTIONS`,), weights.
        start_radius, end_radius: [m].
        cover: what covers it.
    """

    start: Floats
    start_radius: float
    end: Floats
    end_radius: float
    cover: str


def _limbs() -> tuple[Limb, ...]:
    return (*_trunk(), *_head(), *_side("LEFT", LEFT_THUMB), *_side("RIGHT", RIGHT_THUMB))


def _trunk() -> list[Limb]:
    """A flat trunk is several upright columns side by side; trousers reach over the ends of the shirt."""
    hips = _at("LEFT_HIP"), _at("RIGHT_HIP")
    shoulders = _at("LEFT_SHOULDER"), _at("RIGHT_SHOULDER")
    yoke = _between("CHEST", "NECK", 0.35)
    trunk = [
        Limb(shoulders[0], 0.056, shoulders[1], 0.056, "shirt"),
        Limb(_mix(*hips, 0.10), 0.103, _mix(*hips, 0.90), 0.103, "trousers"),
        *(Limb(yoke, 0.062, _mix(yoke, shoulder, 0.82), 0.055, "shirt") for shoulder in shoulders),
    ]
    for place in np.linspace(0.0, 1.0, 7):
        across = _mix(*shoulders, place) - _at("CHEST")
        collar = _between("PELVIS", "CHEST", 0.95) + 0.52 * across
        chest = _between("PELVIS", "CHEST", 0.74) + 0.47 * across
        belt = _between("PELVIS", "CHEST", 0.09) + 0.33 * across
        trunk += [Limb(collar, 0.076, chest, 0.108, "shirt"), Limb(chest, 0.108, belt, 0.094, "shirt")]
    return trunk


def _head() -> list[Limb]:
    head, up = _at("HEAD"), (_at("HEAD") - _at("NECK")) / 0.131
    crown = head + 0.034 * up
    return [
        Limb(_between("CHEST", "NECK", 0.75), 0.054, head - 0.05 * up, 0.055, "skin"),
        Limb(head - 0.052 * up + 0.022 * AHEAD, 0.060, crown, 0.091, "skin"),
        Limb(head + 0.096 * AHEAD - 0.004 * up, 0.013, head + 0.098 * AHEAD - 0.030 * up, 0.017, "skin"),
        Limb(head - 0.020 * up - 0.034 * AHEAD, 0.066, crown + 0.010 * up - 0.010 * AHEAD, 0.092, "hair"),
    ]


def _side(side: str, thumb: Floats) -> list[Limb]:
    """An arm and a leg."""
    shoulder, elbow, wrist, palm, fingers, hip, knee, ankle, toes = (
        _at(f"{side}_{joint}")
        for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM", "FINGERS", "HIP", "KNEE", "ANKLE", "TOES")
    )
    sole = ankle - 0.034 * UP
    return [
        Limb(shoulder, 0.060, elbow, 0.044, "shirt"),
        Limb(elbow, 0.037, wrist, 0.026, "skin"),
        Limb(wrist, 0.026, palm, 0.033, "skin"),
        Limb(palm, 0.033, fingers, 0.014, "skin"),
        Limb(_mix(wrist, palm, 0.35), 0.017, palm + 0.046 * thumb, 0.012, "skin"),
        Limb(hip, 0.096, knee, 0.060, "trousers"),
        Limb(knee, 0.060, ankle, 0.044, "trousers"),
        Limb(_mix(sole, toes - 0.004 * UP, -0.28), 0.034, toes, 0.031, "shoes"),
        Limb(ankle, 0.041, _mix(sole, toes, 0.75), 0.030, "shoes"),
    ]


def _at(joint: str) -> Floats:
    return _WEIGHTS[Joint[joint]]


def _between(first: str, second: str, share: float) -> Floats:
    return _mix(_at(first), _at(second), share)


def _mix(first: Floats, second: Floats, share: float) -> Floats:
    return (1 - share) * first + share * second


LIMBS = _limbs()
"""All of them."""
