"""The skeleton: which joints a juggler has, and how far they are apart.

Lengths are shares of a person's height after Drillis and Contini (1966), as given in D. A. Winter,
"Biomechanics and Motor Control of Human Movement", for a person of 1.75 m; joint centres lie inside
the body, so shoulders and hips are narrower here than the widths measured over the skin.
"""

from __future__ import annotations

from enum import IntEnum
from math import hypot

from juggle_anim.arrays import Rule

HEIGHT = 1.75
"""The height of the person, [m]."""

UPPER_ARM = 0.186 * HEIGHT
"""From shoulder to elbow, [m]."""
FOREARM = 0.146 * HEIGHT
"""From elbow to wrist, [m]."""
PALM = 0.060 * HEIGHT
"""From the wrist to the roots of the fingers, where a prop lies, [m]."""
FINGERS = 0.024 * HEIGHT
"""From there to the middle joints of the fingers, [m]."""
TIPS = 0.021 * HEIGHT
"""From there to the fingertips, [m]."""
THUMB_BACK = 0.034 * HEIGHT
THUMB_OUT = 0.017 * HEIGHT
"""From the roots of the fingers to that of the thumb, toward the wrist and to the side, [m]."""
THUMB = 0.037 * HEIGHT
"""From its root to its tip, [m]."""
MIDDLE_ACROSS = 0.0053 * HEIGHT
"""From `PALM`, `FINGERS` and `TIPS` to the middle finger, toward the thumb, [m]."""
OTHER_FINGERS = {
    "INDEX": (0.0160 * HEIGHT, 0.93),
    "RING": (-0.0056 * HEIGHT, 0.95),
    "LITTLE": (-0.0157 * HEIGHT, 0.78),
}
"""Of each finger but the middle one: from `PALM` to its root, positive toward the thumb, [m], and
the lengths of its bones over those of the middle finger, `FINGERS` and `TIPS`.
"""
SHOULDER_HEIGHT = 0.818 * HEIGHT
SHOULDER = 0.108 * HEIGHT
"""From the spine to a shoulder joint, [m]."""
HIP_HEIGHT = 0.530 * HEIGHT
HIP = 0.052 * HEIGHT
"""From the spine to a hip joint, [m]."""
THIGH = 0.245 * HEIGHT
SHANK = 0.246 * HEIGHT
ANKLE_HEIGHT = 0.039 * HEIGHT
FOOT = 0.100 * HEIGHT
"""From the ankle to the ball of the foot, [m]."""
SPINE = SHOULDER_HEIGHT - HIP_HEIGHT
NECK = 0.045 * HEIGHT
HEAD = 0.075 * HEIGHT
"""From the neck's top to the middle of the head, [m]."""
FACE = 0.055 * HEIGHT
"""From there to the tip of the nose, [m]."""


class Joint(IntEnum):
    """Index of each joint in a pose; those of a pair stand left then right."""

    PELVIS = 0
    CHEST = 1
    NECK = 2
    HEAD = 3
    FACE = 4
    LEFT_SHOULDER = 5
    RIGHT_SHOULDER = 6
    LEFT_ELBOW = 7
    RIGHT_ELBOW = 8
    LEFT_WRIST = 9
    RIGHT_WRIST = 10
    LEFT_PALM = 11
    RIGHT_PALM = 12
    LEFT_FINGERS = 13
    RIGHT_FINGERS = 14
    LEFT_TIPS = 15
    RIGHT_TIPS = 16
    LEFT_THUMB = 17
    RIGHT_THUMB = 18
    LEFT_THUMB_TIP = 19
    RIGHT_THUMB_TIP = 20
    LEFT_HIP = 21
    RIGHT_HIP = 22
    LEFT_KNEE = 23
    RIGHT_KNEE = 24
    LEFT_ANKLE = 25
    RIGHT_ANKLE = 26
    LEFT_TOES = 27
    RIGHT_TOES = 28
    LEFT_INDEX = 29
    RIGHT_INDEX = 30
    LEFT_INDEX_MIDDLE = 31
    RIGHT_INDEX_MIDDLE = 32
    LEFT_INDEX_TIP = 33
    RIGHT_INDEX_TIP = 34
    LEFT_RING = 35
    RIGHT_RING = 36
    LEFT_RING_MIDDLE = 37
    RIGHT_RING_MIDDLE = 38
    LEFT_RING_TIP = 39
    RIGHT_RING_TIP = 40
    LEFT_LITTLE = 41
    RIGHT_LITTLE = 42
    LEFT_LITTLE_MIDDLE = 43
    RIGHT_LITTLE_MIDDLE = 44
    LEFT_LITTLE_TIP = 45
    RIGHT_LITTLE_TIP = 46


JOINTS = len(Joint)
"""Number of joints of a juggler."""

BONES: dict[tuple[Joint, Joint], float] = {
    (Joint.PELVIS, Joint.CHEST): SPINE,
    (Joint.CHEST, Joint.NECK): NECK,
    (Joint.NECK, Joint.HEAD): HEAD,
    (Joint.HEAD, Joint.FACE): FACE,
    (Joint.CHEST, Joint.LEFT_SHOULDER): SHOULDER,
    (Joint.CHEST, Joint.RIGHT_SHOULDER): SHOULDER,
    (Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW): UPPER_ARM,
    (Joint.RIGHT_SHOULDER, Joint.RIGHT_ELBOW): UPPER_ARM,
    (Joint.LEFT_ELBOW, Joint.LEFT_WRIST): FOREARM,
    (Joint.RIGHT_ELBOW, Joint.RIGHT_WRIST): FOREARM,
    (Joint.LEFT_WRIST, Joint.LEFT_PALM): PALM,
    (Joint.RIGHT_WRIST, Joint.RIGHT_PALM): PALM,
    (Joint.LEFT_PALM, Joint.LEFT_FINGERS): FINGERS,
    (Joint.RIGHT_PALM, Joint.RIGHT_FINGERS): FINGERS,
    (Joint.LEFT_FINGERS, Joint.LEFT_TIPS): TIPS,
    (Joint.RIGHT_FINGERS, Joint.RIGHT_TIPS): TIPS,
    (Joint.LEFT_PALM, Joint.LEFT_THUMB): hypot(THUMB_BACK, THUMB_OUT),
    (Joint.RIGHT_PALM, Joint.RIGHT_THUMB): hypot(THUMB_BACK, THUMB_OUT),
    (Joint.LEFT_THUMB, Joint.LEFT_THUMB_TIP): THUMB,
    (Joint.RIGHT_THUMB, Joint.RIGHT_THUMB_TIP): THUMB,
    (Joint.PELVIS, Joint.LEFT_HIP): HIP,
    (Joint.PELVIS, Joint.RIGHT_HIP): HIP,
    (Joint.LEFT_HIP, Joint.LEFT_KNEE): THIGH,
    (Joint.RIGHT_HIP, Joint.RIGHT_KNEE): THIGH,
    (Joint.LEFT_KNEE, Joint.LEFT_ANKLE): SHANK,
    (Joint.RIGHT_KNEE, Joint.RIGHT_ANKLE): SHANK,
    (Joint.LEFT_ANKLE, Joint.LEFT_TOES): FOOT,
    (Joint.RIGHT_ANKLE, Joint.RIGHT_TOES): FOOT,
    **{
        (Joint[f"{side}_{start}"], Joint[f"{side}_{end}"]): length
        for side in ("LEFT", "RIGHT")
        for name, (across, share) in OTHER_FINGERS.items()
        for start, end, length in (
            ("PALM", name, abs(across)),
            (name, f"{name}_MIDDLE", share * FINGERS),
            (f"{name}_MIDDLE", f"{name}_TIP", share * TIPS),
        )
    },
}
"""Length of each bone, [m]: it never changes."""


SKELETON_RULES: dict[str, Rule] = {
    "HEIGHT": HEIGHT,
    "UPPER_ARM": UPPER_ARM,
    "FOREARM": FOREARM,
    "PALM": PALM,
    "FINGERS": FINGERS,
    "TIPS": TIPS,
    "THUMB_BACK": THUMB_BACK,
    "THUMB_OUT": THUMB_OUT,
    "THUMB": THUMB,
    "SHOULDER_HEIGHT": SHOULDER_HEIGHT,
    "SHOULDER": SHOULDER,
    "HIP_HEIGHT": HIP_HEIGHT,
    "HIP": HIP,
    "THIGH": THIGH,
    "SHANK": SHANK,
    "ANKLE_HEIGHT": ANKLE_HEIGHT,
    "FOOT": FOOT,
    "SPINE": SPINE,
    "NECK": NECK,
    "HEAD": HEAD,
    "FACE": FACE,
    "JOINTS": JOINTS,
}
"""Constants for a web page, by the names in its scripts."""
