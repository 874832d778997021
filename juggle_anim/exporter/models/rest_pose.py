"""The rest pose: a person who stands upright, faces +z and spreads the arms, palms down and fingers straight."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body.skeleton import (
    ANKLE_HEIGHT,
    FACE,
    FINGERS,
    FOOT,
    FOREARM,
    HEAD,
    HIP,
    HIP_HEIGHT,
    NECK,
    PALM,
    SHANK,
    SHOULDER,
    SPINE,
    THIGH,
    THUMB,
    THUMB_BACK,
    THUMB_OUT,
    TIPS,
    UPPER_ARM,
)

THUMB_AWAY = 0.8, 0.6
"""Where the thumb points: along the fingers, and ahead."""

TOES = -(ANKLE_HEIGHT - 0.03) / FOOT
"""Where toes point from the ankle: up, as a share of the foot."""


def _rest() -> Floats:
    joints = np.zeros((JOINTS, 3))
    joints[Joint.PELVIS] = 0.0, HIP_HEIGHT, 0.0
    joints[Joint.CHEST] = joints[Joint.PELVIS] + (0.0, SPINE, 0.0)
    joints[Joint.NECK] = joints[Joint.CHEST] + (0.0, NECK, 0.0)
    joints[Joint.HEAD] = joints[Joint.NECK] + (0.0, HEAD, 0.0)
    joints[Joint.FACE] = joints[Joint.HEAD] + (0.0, 0.0, FACE)
    _spread(joints, "LEFT", 1.0)
    _spread(joints, "RIGHT", -1.0)
    return joints


def _spread(joints: Floats, name: str, side: float) -> None:
    """Fill in an arm and a leg; `side` is 1 for the left."""
    foot = np.array([0.0, TOES, np.sqrt(1 - TOES**2)])
    steps = (
        ("SHOULDER", Joint.CHEST, (side * SHOULDER, 0.0, 0.0)),
        ("ELBOW", "SHOULDER", (side * UPPER_ARM, 0.0, 0.0)),
        ("WRIST", "ELBOW", (side * FOREARM, 0.0, 0.0)),
        ("PALM", "WRIST", (side * PALM, 0.0, 0.0)),
        ("FINGERS", "PALM", (side * FINGERS, 0.0, 0.0)),
        ("TIPS", "FINGERS", (side * TIPS, 0.0, 0.0)),
        ("THUMB", "PALM", (-side * THUMB_BACK, 0.0, THUMB_OUT)),
        ("THUMB_TIP", "THUMB", (side * THUMB * THUMB_AWAY[0], 0.0, THUMB * THUMB_AWAY[1])),
        ("HIP", Joint.PELVIS, (side * HIP, 0.0, 0.0)),
        ("KNEE", "HIP", (0.0, -THIGH, 0.0)),
        ("ANKLE", "KNEE", (0.0, -SHANK, 0.0)),
        ("TOES", "ANKLE", tuple(FOOT * foot)),
    )
    for joint, before, step in steps:
        start = before if isinstance(before, Joint) else Joint[f"{name}_{before}"]
        joints[Joint[f"{name}_{joint}"]] = joints[start] + step


REST = _rest()
"""Shape (`JOINTS`, 3), [m]: each bone has the length that it has in every pose."""
REST.setflags(write=False)
