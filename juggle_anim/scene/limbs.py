"""The limbs of the figure: their end points, radii and covers.

Every point of the figure is a weighted sum of joints and a direction, so the end of a limb is a row
of weights, and the whole figure is one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body.skeleton import FACE, HEAD, PALM, THUMB_BACK, THUMB_OUT

DIRECTIONS = 1
"""The number of directions after the joints: `UP` alone, 1 m long."""

_WEIGHTS = np.eye(JOINTS + DIRECTIONS)
UP = _WEIGHTS[JOINTS]


@dataclass(frozen=True)
class Limb:
    """A round cone of the figure.

    Args:
        start, end: shape (`JOINTS` + `DIRECTIONS`,), weights.
        start_radius, end_radius: [m].
        cover: a key of `figure.COVERS`.
    """

    start: Floats
    start_radius: float
    end: Floats
    end_radius: float
    cover: str


def _trunk() -> list[Limb]:
    yoke = between("CHEST", "NECK", 0.35)
    shoulders = (at("LEFT_SHOULDER"), at("RIGHT_SHOULDER"))
    collar = [
        Limb(yoke, 0.062, mix(yoke, shoulder, 0.82), 0.055, "shirt") for shoulder in shoulders
    ]
    return [*collar, *trunk_columns(7, 0.076)]


def trunk_columns(columns: int, collar_radius: float) -> list[Limb]:
    """Return a flat trunk of upright columns side by side, with trousers over the lower end of the
    shirt.

    Args:
        columns: their number.
        collar_radius: radius of their upper ends, [m].
    """
    hips = at("LEFT_HIP"), at("RIGHT_HIP")
    shoulders = at("LEFT_SHOULDER"), at("RIGHT_SHOULDER")
    trunk = [
        Limb(shoulders[0], 0.056, shoulders[1], 0.056, "shirt"),
        Limb(mix(*hips, 0.10), 0.103, mix(*hips, 0.90), 0.103, "trousers"),
    ]
    for place in np.linspace(0.0, 1.0, columns):
        across = mix(*shoulders, place) - at("CHEST")
        collar = between("PELVIS", "CHEST", 0.95) + 0.52 * across
        chest = between("PELVIS", "CHEST", 0.74) + 0.47 * across
        belt = between("PELVIS", "CHEST", 0.09) + 0.33 * across
        trunk += [
            Limb(collar, collar_radius, chest, 0.108, "shirt"),
            Limb(chest, 0.108, belt, 0.094, "shirt"),
        ]
    return trunk


def _head() -> list[Limb]:
    head = at("HEAD")
    up = (at("HEAD") - at("NECK")) / HEAD
    ahead = (at("FACE") - at("HEAD")) / FACE
    crown = head + 0.034 * up
    return [
        Limb(between("CHEST", "NECK", 0.75), 0.054, head - 0.05 * up, 0.055, "skin"),
        Limb(head - 0.052 * up + 0.022 * ahead, 0.060, crown, 0.091, "skin"),
        Limb(
            head + 0.096 * ahead - 0.004 * up,
            0.013,
            head + 0.098 * ahead - 0.030 * up,
            0.017,
            "skin",
        ),
        Limb(
            head - 0.020 * up - 0.034 * ahead,
            0.066,
            crown + 0.010 * up - 0.010 * ahead,
            0.092,
            "hair",
        ),
    ]


def _side(side: str) -> list[Limb]:
    """An arm and a leg."""
    shoulder, elbow, wrist, hip, knee, ankle, toes = (
        at(f"{side}_{joint}")
        for joint in ("SHOULDER", "ELBOW", "WRIST", "HIP", "KNEE", "ANKLE", "TOES")
    )
    sole = ankle - 0.034 * UP
    return [
        Limb(shoulder, 0.060, elbow, 0.044, "shirt"),
        Limb(elbow, 0.037, wrist, 0.026, "skin"),
        *_hand(side),
        Limb(hip, 0.096, knee, 0.060, "trousers"),
        Limb(knee, 0.060, ankle, 0.044, "trousers"),
        Limb(mix(sole, toes - 0.004 * UP, -0.28), 0.034, toes, 0.031, "shoes"),
        Limb(ankle, 0.041, mix(sole, toes, 0.75), 0.030, "shoes"),
    ]


def _hand(side: str) -> list[Limb]:
    """A palm of two columns, four fingers of two bones side by side, and a thumb."""
    wrist, palm, middle, tips, thumb, tip = (
        at(f"{side}_{joint}")
        for joint in ("WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP")
    )
    along = (palm - wrist) / PALM
    out = (thumb - palm + THUMB_BACK * along) / THUMB_OUT
    hand = [
        Limb(wrist + 0.008 * out, 0.022, palm + 0.016 * out, 0.0165, "skin"),
        Limb(wrist - 0.008 * out, 0.021, palm - 0.019 * out, 0.0155, "skin"),
        Limb(thumb - 0.012 * along - 0.006 * out, 0.0165, tip, 0.0095, "skin"),
    ]
    for place, length, thick in _FINGERS:
        root = palm + place * out
        knuckle = mix(palm, middle, length) + place * out
        end = knuckle + length * (tips - middle)
        hand += [
            Limb(root, thick + 0.001, knuckle, thick, "skin"),
            Limb(knuckle, thick, end, thick - 0.0018, "skin"),
        ]
    return hand


# Distance from the middle of the palm toward the thumb [m], length relative to the middle finger,
# and radius [m].
_FINGERS = (
    (0.0255, 0.94, 0.0092),
    (0.0065, 1.0, 0.0094),
    (-0.0125, 0.95, 0.0090),
    (-0.0295, 0.80, 0.0080),
)


def at(joint: str) -> Floats:
    """Return the weights of a joint."""
    return _WEIGHTS[Joint[joint]]


def between(first: str, second: str, share: float) -> Floats:
    """Return the weights of a point on the line between two joints: share 0 is the first, 1 the
    second.
    """
    return mix(at(first), at(second), share)


def mix(first: Floats, second: Floats, share: float) -> Floats:
    """Return the weights of a point on the line between two points."""
    return (1 - share) * first + share * second


LIMBS = (*_trunk(), *_head(), *_side("LEFT"), *_side("RIGHT"))
"""The limbs of a figure in full detail."""
