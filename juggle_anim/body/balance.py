"""Balance: where the centre of mass of a body is, and what it stands on.

Shares of mass and places of the segments' centres are those of D. A. Winter, "Biomechanics and
Motor Control of Human Movement", table 4.1, after W. T. Dempster (1955).
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import HEAD, JOINTS, NECK, SPINE, Joint
from juggle_anim.body.trunk_and_legs import PELVIS, TOE_HEIGHT, Legs, Trunk, TrunkSlopes

# Weights of a shoulder and a hand that stand for an arm whose elbow is not known.
_SHOULDER_FOR_ARM = 0.0274
_HAND_FOR_ARM = 0.0226

_SEGMENTS = (
    # Share of the whole mass, from where to where the segment goes, and how far along its centre
    # is.
    (0.497, "PELVIS", "CHEST", 0.5),
    (0.081, "HEAD", "HEAD", 0.0),
    *(
        (share, f"{side}_{start}", f"{side}_{end}", along)
        for side in ("LEFT", "RIGHT")
        for share, start, end, along in (
            (0.028, "SHOULDER", "ELBOW", 0.436),
            (0.016, "ELBOW", "WRIST", 0.430),
            (0.006, "WRIST", "PALM", 0.506),
            (0.100, "HIP", "KNEE", 0.433),
            (0.0465, "KNEE", "ANKLE", 0.433),
            (0.0145, "ANKLE", "TOES", 0.5),
        )
    ),
)


def _weights() -> Floats:
    weights = np.zeros(JOINTS)
    for share, start, end, along in _SEGMENTS:
        weights[Joint[start]] += share * (1.0 - along)
        weights[Joint[end]] += share * along
    return weights


_MASS_OF_JOINTS: Floats = _weights()
"""Weights of the joints whose mean is the centre of mass, shape (`JOINTS`,)."""

# How far a head moves with the direction of the spine, beyond the chest: neck and head follow it by
# shares, since they are more upright.
_HEAD_LEANS = 0.77 * NECK + 0.5 * HEAD

_SOLE: Floats = np.array(
    [[-0.084, 0.0], [-0.062, 0.034], [0.145, 0.052], [0.187, 0.032], [0.197, 0.0], [0.185, -0.03],
        [0.15, -0.045],
     [-0.062, -0.035]]
)  # fmt: skip
"""Corners of the sole of a left shoe as drawn, from the ankle: how far toward the toes, and to the
left, [m].
"""

MIDDLE_OF_FOOT = 0.055
"""How far ahead of the ankle, toward the toes, the weight of a body is over a foot that stands
alone, [m].
"""

_LIFTED_FROM = 0.002  # m, above the height of the toes of a foot that stands
_DIRECTIONS = 180  # in which the hull of the soles is measured

_ANKLES = [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE]
_TOES = [Joint.LEFT_TOES, Joint.RIGHT_TOES]


def _centre_of_mass(joints: Floats) -> Floats:
    """Return centres of mass for joints of shape (..., `JOINTS`, 3), shape (..., 3), [m]."""
    return np.asarray(_MASS_OF_JOINTS @ joints)


def centre_over_floor(trunk: Trunk, hands: Floats, legs: Legs) -> Floats:
    """Place over the floor of the centre of mass of bodies whose arms are not known yet.

    Args:
        trunk, legs: of bodies that stand at the origin and face +z.
        hands: shape (..., 2, 3), [m].

    Returns:
        Shape (..., 2), to the left and ahead, [m]; right to about 1 cm.
    """
    centre = (
        _MASS_OF_JOINTS[Joint.PELVIS] * trunk.pelvis
        + _MASS_OF_JOINTS[Joint.CHEST] * trunk.chest
        + _MASS_OF_JOINTS[Joint.HEAD] * (trunk.neck + HEAD * trunk.upright)
        + _SHOULDER_FOR_ARM * trunk.shoulders.sum(axis=-2)
        + _HAND_FOR_ARM * hands.sum(axis=-2)
        + _MASS_OF_JOINTS[Joint.LEFT_HIP] * legs.hips.sum(axis=-2)
        + _MASS_OF_JOINTS[Joint.LEFT_KNEE] * legs.knees.sum(axis=-2)
        + _MASS_OF_JOINTS[Joint.LEFT_ANKLE] * legs.ankles.sum(axis=-2)
        + _MASS_OF_JOINTS[Joint.LEFT_TOES] * legs.toes.sum(axis=-2)
    )
    return np.asarray(centre[..., ::2])


def centre_slopes(moved: TrunkSlopes) -> Floats:
    """Partial derivatives of `centre_over_floor` with respect to the channels of trunks.

    Ankles and hands stay where they are; knees are taken as half way between hips and ankles, so
    they move by half as much as hips.

    Args:
        moved: derivatives of the joints of the trunk by its C channels.

    Returns:
        Shape (..., C, 2), to the left and ahead, in [m] for the unit of each channel.
    """
    chest = _MASS_OF_JOINTS[Joint.CHEST]
    head = _MASS_OF_JOINTS[Joint.HEAD]
    hips = _MASS_OF_JOINTS[Joint.LEFT_HIP] + _MASS_OF_JOINTS[Joint.LEFT_KNEE] / 2
    slopes = (
        (chest * SPINE + head * (SPINE + _HEAD_LEANS)) * moved.spine
        + _SHOULDER_FOR_ARM * (moved.shoulders[..., 0, :] + moved.shoulders[..., 1, :])
        + hips * (moved.hips[..., 0, :] + moved.hips[..., 1, :])
    )
    slopes[..., PELVIS, :] += (_MASS_OF_JOINTS[Joint.PELVIS] + chest + head) * np.eye(3)
    return np.asarray(slopes[..., ::2])


def support_margin(joints: Floats) -> Floats:
    """Return how far the centre of mass is inside the hull of the soles that stand on the floor,
    [m].

    Args:
        joints: shape (..., `JOINTS`, 3), over the floor, [m].

    Returns:
        Shape (...), negative outside; −∞ where no foot stands.
    """
    ankles = joints[..., _ANKLES, :]
    toes = joints[..., _TOES, :]
    # Over the floor, in x and z (`::2`): the directions of both feet, and to their left.
    along = (toes - ankles)[..., ::2]
    along /= np.sqrt((along * along).sum(axis=-1, keepdims=True))
    left = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    # Corners of both soles, shape (..., 2, corners, 2); that of the right foot is mirrored.
    soles = np.stack([_SOLE, _SOLE * (1.0, -1.0)])
    corners = (
        ankles[..., None, ::2]
        + soles[..., :1] * along[..., None, :]
        + soles[..., 1:] * left[..., None, :]
    )
    # Support function of the hull: how far it extends in each of some directions. The centre is
    # inside by the least of these distances beyond its own, if directions are dense.
    angles = np.arange(_DIRECTIONS) * (2.0 * np.pi / _DIRECTIONS)
    normals = np.stack([np.cos(angles), np.sin(angles)])
    is_standing = toes[..., 1] < TOE_HEIGHT + _LIFTED_FROM
    extent_of_foot = np.where(is_standing[..., None], (corners @ normals).max(axis=-2), -np.inf)
    extent = extent_of_foot.max(axis=-2)
    margin: Floats = (extent - _centre_of_mass(joints)[..., ::2] @ normals).min(axis=-1)
    return margin
