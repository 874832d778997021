"""Weights of bones along the trunk and limbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from figure.rest_pose import SPINE, at
from figure.shapes import Chain
from juggle_anim.arrays import Floats
from juggle_anim.body import skeleton as lengths
from juggle_anim.scene.skin import EYE, NAMES


def only(bone: str) -> Chain:
    """Weights of what one bone carries."""

    def weights(points: Floats) -> Floats:
        rows = np.zeros((len(points), len(NAMES)))
        rows[:, NAMES.index(bone)] = 1.0
        return rows

    return weights


def arm_chain(points: Floats) -> Floats:
    """Weights along the left arm."""
    elbow, axis, size, cosine = bend("LEFT_SHOULDER", "LEFT_ELBOW", "LEFT_WRIST")
    place = size + (points - elbow) @ axis / cosine
    whole = size + lengths.FOREARM
    return _tents(
        place,
        [
            ("left collar", -0.075), ("left deltoid", 0.0), ("left upper arm, untwisted", 0.075),
            ("left upper arm", 0.19), ("left upper arm", size - 0.055),
            ("left elbow, upper", size - 0.017),
            ("left elbow, lower", size + 0.017), ("left forearm", size + 0.055),
            ("left forearm, a quarter twisted", size + 0.095),
            ("left forearm, half twisted", size + 0.135),
            ("left forearm, three quarters twisted", size + 0.175),
            ("left forearm, twisted", whole - 0.036),
            ("left wrist", whole), ("left hand", whole + 0.034),
        ],
    )  # fmt: skip


SEAT = 0.085
"""How far below the hip joint the middle of the way from pelvis to thigh is, [m]."""


def leg_chain(points: Floats) -> Floats:
    """Weights along the left leg; above it they are those of the trunk, as in the shirt.

    The groin runs down to the crotch, which is the pelvis's: what lies between the legs belongs to
    neither.
    """
    knee, axis, size, cosine = bend("LEFT_HIP", "LEFT_KNEE", "LEFT_ANKLE")
    place = size + (points - knee) @ axis / cosine
    inward = np.clip(1.0 - points[:, 0] / at("LEFT_HIP")[0], 0.0, 1.0)
    place -= 0.16 * inward * _smooth((0.45 - place) / 0.30)
    # Behind, where a bent hip pulls it, cloth hands the pull on over a longer way.
    place -= 0.4 * _smooth(-points[:, 2] / 0.08) * _smooth((0.30 - place) / 0.15) * (place - SEAT)
    weights = _tents(
        place,
        [
            ("pelvis", 0.01), ("left groin, upper", 0.06), ("left groin, lower", 0.105),
            ("left thigh", 0.16),
            ("left thigh", size - 0.07), ("left knee, upper", size - 0.022),
            ("left knee, lower", size + 0.022),
            ("left shank", size + 0.07), ("left shank", size + 0.6),
        ],
    )  # fmt: skip
    pelvis = NAMES.index("pelvis")
    above = weights[:, [pelvis]]
    weights[:, pelvis] = 0.0
    return weights + above * trunk_chain(points)


def ankle_chain(points: Floats) -> Floats:
    """Weights of what is around the left ankle."""
    return _tents(
        at("LEFT_ANKLE")[1] - points[:, 1], [("left shank", -0.085), ("left foot", -0.035)]
    )


# Forms of the trunk: the bone that carries each, 1 for what is ahead or −1 for what is behind, its
# height along the spine, [m], and half its extent along it, [m].
_FORMS = ("belly", 1.0, 0.10, 0.21), ("bust", 1.0, 0.36, 0.11), ("back", -1.0, 0.45, 0.17)
_NECK = ("spine", 0.50), ("throat", 0.56), ("throat", 0.575), ("nape", 0.62), ("neck", 0.665)


def trunk_chain(points: Floats) -> Floats:
    """Weights of the trunk, whose upper corners go with the collar bones."""
    up = (points - at("PELVIS")) @ SPINE
    weights = _tents(up, [("pelvis", 0.01), ("spine", 0.22), *_NECK])
    waist = np.clip(1.0 - (up - 0.15) / 0.20, 0.0, 1.0) * weights[:, NAMES.index("spine")]
    weights[:, NAMES.index("waist")] += waist
    weights[:, NAMES.index("spine")] -= waist
    # What has a girth of its own, by how far it is ahead, and where along the spine.
    for bone, facing, place, wide in _FORMS:
        share = _smooth(facing * points[:, 2] / 0.07) * _smooth(1.0 - np.abs(up - place) / wide)
        # Arms pull the cloth beside.
        share *= _smooth((0.16 - np.abs(points[:, 0])) / 0.06)
        weights *= (1 - share)[:, None]
        weights[:, NAMES.index(bone)] += share
    for side in ("left", "right"):
        away = np.linalg.norm((points - at(f"{side.upper()}_SHOULDER")) * (1.0, 0.8, 1.0), axis=-1)
        # Not the neck.
        share = 0.85 * _smooth((0.17 - away) / 0.11) * _smooth((np.abs(points[:, 0]) - 0.05) / 0.06)
        weights *= (1 - share)[:, None]
        weights[:, NAMES.index(f"{side} collar")] += share
    return weights


def face_chain(points: Floats) -> Floats:
    """Weights of the face, whose lower part is the jaw's, but for what is around mouth and eyes."""
    x, y, z = (points - at("HEAD")).T
    rows = np.zeros((len(points), len(NAMES)))
    ahead = _smooth((z + 0.005) / 0.040)
    share = _smooth((0.005 - y) / 0.065) * _smooth((z + 0.030) / 0.065)
    around = _smooth((0.054 - np.hypot(x, 1.4 * (y + 0.054))) / 0.026)
    rows[:, NAMES.index("mouth")] = share * around
    rows[:, NAMES.index("jaw")] = share * (1.0 - around)
    rows[:, NAMES.index("head")] = 1.0 - share
    for side in ("left", "right"):
        out, up, _ = EYE * (1.0 if side == "left" else -1.0, 1.0, 1.0)
        share = ahead * _smooth((0.033 - np.hypot(x - out, y - up)) / 0.011)
        rows *= (1.0 - share)[:, None]
        rows[:, NAMES.index(f"{side} socket")] += share
    return rows


def neck_chain(points: Floats) -> Floats:
    """Weights along the neck; below the collar they are those of the shirt."""
    up = (points - at("PELVIS")) @ SPINE
    return _tents(up, [*_NECK, ("head", 0.70)])


def _smooth(share: Floats) -> Floats:
    """From 0 to 1 without a corner; the same beyond."""
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3 - 2 * share)


def _tents(place: Floats, knots: Mapping[str, float] | Sequence[tuple[str, float]]) -> Floats:
    """Weights of bones at places along a limb: 1 at a bone's knot, and smoothly 0 at the next."""
    pairs = list(knots.items()) if isinstance(knots, Mapping) else list(knots)
    numbers = [NAMES.index(name) for name, _ in pairs]
    where = np.array([each for _, each in pairs])
    weights = np.zeros((len(place), len(NAMES)))
    index = np.clip(np.searchsorted(where, place) - 1, 0, len(where) - 2)
    share = np.clip((place - where[index]) / (where[index + 1] - where[index]), 0.0, 1.0)
    rows = np.arange(len(place))
    np.add.at(weights, (rows, np.array(numbers)[index]), 1 - share)
    np.add.at(weights, (rows, np.array(numbers)[index + 1]), share)
    return weights


def bend(first: str, middle: str, last: str) -> tuple[Floats, Floats, float, float]:
    """The joint in the middle, the axis across its bend, the first bone's length, and the cosine of
    half the bend.
    """
    upper = at(middle) - at(first)
    lower = at(last) - at(middle)
    size = float(np.linalg.norm(upper))
    upper = upper / size
    lower = lower / np.linalg.norm(lower)
    axis = upper + lower
    return at(middle), axis / np.linalg.norm(axis), size, float(np.linalg.norm(axis) / 2)
