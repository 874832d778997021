"""The pose in which the figure is made: at ease, arms 40° out and a little bent, palms ahead."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body import skeleton as lengths
from juggle_anim.body.skeleton import (
    DIGIT_JOINTS,
    SPREAD,
    closed_digits,
    digit_points,
    spread_channels,
)
from juggle_anim.body.trunk_and_legs import ANKLES, TRUNK_CHANNELS, pose_head, pose_legs, pose_trunk

MIRROR = np.array([-1.0, 1.0, 1.0])
LEFT = np.array([1.0, 0.0, 0.0])

# Spread of index, ring and little finger, [rad]: so far apart that only their roots grow together.
_APART = np.array([0.11, -0.08, -0.17])


def rest_joints() -> Floats:
    """The joints of that pose, shape (`JOINTS`, 3), [m]."""
    joints = np.zeros((JOINTS, 3))
    hands = np.array([[[[0.5, 0.95, 0.0], [-0.5, 0.95, 0.0]]]])
    trunk = pose_trunk(hands, np.zeros((1, 1, TRUNK_CHANNELS)))
    head, face = pose_head(trunk, None)
    for joint, place in (
        (Joint.PELVIS, trunk.pelvis), (Joint.CHEST, trunk.chest), (Joint.NECK, trunk.neck),
        (Joint.HEAD, head),
        (Joint.FACE, face),
    ):  # fmt: skip
        joints[joint] = place[0, 0]
    for name, places in zip(
        ("HIP", "KNEE", "ANKLE", "TOES"), pose_legs(trunk.hips, ANKLES), strict=True
    ):
        for side, which in enumerate(("LEFT", "RIGHT")):
            joints[Joint[f"{which}_{name}"]] = places[0, 0, side]
    arm = _rest_arm(trunk.shoulders[0, 0, 0])
    for name, place in arm.items():
        joints[Joint[f"LEFT_{name}"]] = place
        joints[Joint[f"RIGHT_{name}"]] = place * MIRROR
    return joints


def _rest_arm(shoulder: Floats) -> dict[str, Floats]:
    out = np.radians(38.0)
    bend = np.radians(32.0)
    upper = np.array([np.sin(out), -np.cos(out), 0.0])
    ahead = np.array([0.0, 0.0, 1.0])
    lower = np.cos(bend) * upper + np.sin(bend) * ahead
    palm = np.cos(bend) * ahead - np.sin(bend) * upper
    thumb = np.cross(palm, lower)
    thumb *= np.sign(thumb[0])
    places = {"SHOULDER": shoulder, "ELBOW": shoulder + lengths.UPPER_ARM * upper}
    places["WRIST"] = places["ELBOW"] + lengths.FOREARM * lower
    places["PALM"] = places["WRIST"] + lengths.PALM * lower
    bent = closed_digits(np.zeros(2))
    bent[SPREAD] = spread_channels(_APART)
    digits = digit_points(bent)
    axes = np.stack([lower, thumb, palm])
    for joint, place in zip(DIGIT_JOINTS[0], digits.T @ axes, strict=True):
        places[Joint(joint).name.removeprefix("LEFT_")] = places["PALM"] + place
    return places


REST = rest_joints()


def at(joint: str) -> Floats:
    """The place of a joint in that pose."""
    return REST[Joint[joint]]


SPINE = at("CHEST") - at("PELVIS")
SPINE /= np.linalg.norm(SPINE)
"""The direction up along the spine."""
