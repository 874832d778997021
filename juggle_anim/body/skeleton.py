"""The skeleton: which joints a juggler has, and how far they are apart.

Lengths are shares of a person's height after Drillis and Contini (1966), as given in D. A. Winter,
"Biomechanics and Motor Control of Human Movement", for a person of 1.75 m; joint centres lie inside
the body, so shoulders and hips are narrower here than the widths measured over the skin.

Anatomy: how thick the body is around the skeleton, as it is drawn and as it collides, [m].

`skeleton.py` has the lengths. Limbs are round cones, whose radii are given at the start and at the
end. The volume with which bodies collide is simpler and slimmer than the drawn one, and some of its
numbers differ from the drawn ones on purpose; where two numbers of one part differ, both stand here
with what uses them. Only the sketch of a smooth body (`scene/figure.py`) keeps its own radii: they
were fitted together with the points that they belong to.

Digits: where the joints of fingers and thumbs are, for how they are bent.
"""

from __future__ import annotations

from enum import IntEnum
from math import hypot

import numpy as np

from juggle_anim.arrays import Floats, Rule
from juggle_anim.vectors import unit

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
THUMB = 0.045 * HEIGHT
"""From its root to its tip, [m]: beside a flat hand it reaches the middle of the index's first
bone.
"""
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
OUTER_JOINT_OUT = 0.14
"""How far the outer joint of a finger is from the middle of its distal bone, in the direction of
the proximal one, over the length of the distal bone. In a bent finger it is outside of the bend, so
that the end curls by a third of what the middle joint bends, although two bones give the pose.
"""
THUMB_JOINT_BACK = 0.007 * HEIGHT
"""How far the outer joint of a thumb is from its middle, along the palm toward the wrist, [m]."""
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


Radii = tuple[float, float]
"""Radii of a round cone at its start and at its end, [m]."""

# Arms and legs as they are drawn, shirt and trousers included. Planned arms and legs are as thick.
UPPER_ARM_RADII: Radii = (0.060, 0.044)
FOREARM_RADII: Radii = (0.037, 0.026)
THIGH_RADII: Radii = (0.096, 0.060)
SHANK_RADII: Radii = (0.060, 0.044)

# A drawn palm is two cones side by side. Limbs are planned with the inner one alone as the hand.
PALM_INNER_RADII: Radii = (0.022, 0.0165)  # on the side of the thumb
PALM_OUTER_RADII: Radii = (0.021, 0.0155)  # on the side of the little finger
THUMB_RADII: Radii = (0.0125, 0.0088)

# A hand with which crossing arms are planned is one cone, a little thicker than a drawn palm.
CROSSING_HAND_RADII: Radii = (0.024, 0.018)

# A hand in low detail is a mitten from the palm to the fingers.
MITTEN_RADII: Radii = (0.032, 0.030)

PALM_HALF_THICKNESS = 0.016
"""From the middle of a palm to its skin, on which a prop lies, [m]."""

FINGER_RADII = {"INDEX": 0.0092, "MIDDLE": 0.0095, "RING": 0.0091, "LITTLE": 0.0081}
"""Radii of fingers at their middle joints, [m]."""

KNUCKLE_RADIUS_GAIN = 0.001  # m, by which a finger is thicker at its root than in its middle
FINGERTIP_RADIUS_LOSS = 0.0018  # m, by which it is thinner at its tip

# Of a drawn trunk.
YOKE_RADII: Radii = (0.062, 0.055)  # from the collar to a shoulder
YOKE_FROM_CHEST = 0.35  # share of the way from chest to neck at which it begins
LOW_DETAIL_YOKE_RADIUS = 0.058
SHOULDER_LINE_RADIUS = 0.056  # from shoulder to shoulder
COLLAR_RADIUS = 0.076  # upper ends of the columns of a trunk
LOW_DETAIL_COLLAR_RADIUS = 0.084  # of fewer columns
CHEST_RADIUS = 0.108
BELT_RADIUS = 0.094
SEAT_RADIUS = 0.103

# Of a drawn head.
NECK_RADII: Radii = (0.054, 0.055)
FACE_RADII: Radii = (0.060, 0.091)  # from the chin to the crown
LOW_DETAIL_FACE_RADII: Radii = (0.058, 0.091)  # from the neck to the crown
NOSE_RADII: Radii = (0.013, 0.017)  # from its bridge to its tip
HAIR_RADII: Radii = (0.066, 0.092)  # from the nape to the crown

# Ends of face, nose and hair, up and ahead of the head's middle along its own axes, [m].
FACE_ENDS = ((-0.052, 0.022), (0.034, 0.0))
NOSE_ENDS = ((-0.004, 0.096), (-0.030, 0.098))
HAIR_ENDS = ((-0.020, -0.034), (0.044, -0.010))

# Of drawn shoes.
SOLE_RADII: Radii = (0.034, 0.031)  # from heel to toes
INSTEP_RADII: Radii = (0.041, 0.030)  # from ankle to toes
LOW_DETAIL_SHOE_RADII: Radii = (0.045, 0.034)

# The arms of a second solver are drawn as ghosts, a little slimmer than the figure's.
GHOST_UPPER_ARM_RADII: Radii = (0.042, 0.034)
GHOST_FOREARM_RADII: Radii = (0.034, 0.022)

# Capsules that keep light from the skin of a smooth body, about as thick as it is.
SHADING_HEAD_RADIUS = 0.078
SHADING_UPPER_ARM_RADIUS = 0.045
SHADING_FOREARM_RADIUS = 0.030
SHADING_TRUNK_RADIUS = 0.120
SHADING_THIGH_RADIUS = 0.070
SHADING_SHANK_RADIUS = 0.050

# Points of an arm that keep clear of the body: weights of shoulder, elbow and wrist, and the radius
# there. It is slimmer than the drawn upper arm, which near the shoulder always lies in the flesh.
CLEAR_ARM_POINTS = (
    ((0.2, 0.8, 0.0), 0.029),
    ((0.0, 1.0, 0.0), 0.040),
    ((0.0, 0.7, 0.3), 0.034),
    ((0.0, 0.35, 0.65), 0.030),
)
CLEAR_WRIST_RADIUS = FOREARM_RADII[1]

# The trunk that arms keep clear of is all points near a flat board, which begins at the pelvis.
# Board and nearness grow linearly from its lower to its upper edge.
TRUNK_BOARD_HEIGHT = 0.38
TRUNK_HALF_WIDTH = 0.064  # of the board, at the pelvis
TRUNK_WIDENING = 0.025  # by which its half width grows
TRUNK_HALF_DEPTH = 0.094  # how near to the board points are inside, at the pelvis
TRUNK_DEEPENING = 0.014  # by which that grows

# The neck and head that arms keep clear of are one round cone, which ends in the crown.
CLEAR_NECK_RADIUS = 0.058
CLEAR_CROWN_RADIUS_GAIN = 0.038  # by which the crown's radius is larger than the neck's
CROWN_DISTANCE = 1.25  # from the neck's top to the crown, over that to the middle of the head

MAX_DRAWN_RADIUS = 0.12
"""No drawn part of a body is thicker than this around the lines that join its joints, [m]."""


DIGITS = 13
"""Number of channels of the digits of a hand: flexion of the proximal bones of middle, index, ring
and little finger from the plane of the palm, then of their distal bones, as in `bend_channels`;
spreads of index, ring and little finger toward the thumb, as in `spread_channels`; flexion of the
thumb, from 0 flat to 1 as in a fist; and its opposition, by which it lies down across the palm.
"""

PROXIMAL = slice(0, 4)
DISTAL = slice(4, 8)
SPREAD = slice(8, 11)
THUMB_FLEXION = slice(11, 12)
THUMB_OPPOSITION = slice(12, 13)
"""Indices of these channels. Fingers have two bones here; the distal one stands for two."""

FLAT_HAND_BENDS = np.radians([12.0, 28.0])
FIST_EXTRA_BENDS = np.radians([32.0, 120.0])
"""Flexion of the proximal and the distal bones of a flat hand's fingers from the plane of the palm,
and what is added to both in a fist, [rad].
"""

RESTING_SPREAD = np.array([0.075, -0.03, -0.10])
"""Spread of index, ring and little finger at rest, [rad]."""

# Direction of the thumb of a flat hand, what is added to it in a fist, and what is added for a
# thumb across the palm: components along the fingers, toward the thumb's side and out of the palm.
THUMB_OPEN = np.array([0.80, 0.55, 0.22])
THUMB_FLEXES = np.array([-0.19, -0.82, 0.53])
THUMB_OPPOSES = np.array([-0.10, -0.75, -0.60])

_OTHERS = tuple(OTHER_FINGERS)
DIGIT_NAMES = (
    *("FINGERS", *(f"{name}_MIDDLE" for name in _OTHERS)),
    *("TIPS", *(f"{name}_TIP" for name in _OTHERS)),
    *("THUMB_TIP", "THUMB", *_OTHERS),
)
"""Joints of the digits of a hand, without the side."""

DIGIT_JOINTS = np.array(
    [[Joint[f"{side}_{name}"] for name in DIGIT_NAMES] for side in ("LEFT", "RIGHT")]
)
"""Joints of the digits of left and right hands, shape (2, 13)."""

FINGER_ROOTS_ACROSS = np.array([across for across, _share in OTHER_FINGERS.values()])
FINGER_LENGTH_RATIOS = np.array([1.0, *(share for _across, share in OTHER_FINGERS.values())])
"""Distances of the roots of index, ring and little finger from the middle of the palm, positive
toward the thumb, [m]; and lengths of middle, index, ring and little finger, over the middle one's.
"""

_PHALANX_LENGTHS = np.concatenate([FINGERS * FINGER_LENGTH_RATIOS, TIPS * FINGER_LENGTH_RATIOS])

# Indices into `DIGIT_NAMES`: middle joints, tips and roots of index, ring and little finger; tip of
# the thumb, and both its joints.
_OTHER_MIDDLES = slice(1, 4)
_OTHER_TIPS = slice(5, 8)
_OTHER_ROOTS = slice(10, 13)
_THUMB_TIP = 8
_THUMB_JOINTS = slice(8, 10)

# For each joint of `DIGIT_NAMES`, the root of its digit in the frame of the palm, shape (3, 13).
_DIGIT_ROOTS = np.zeros((3, len(DIGIT_NAMES)))
for _other_joints in (_OTHER_MIDDLES, _OTHER_TIPS, _OTHER_ROOTS):
    _DIGIT_ROOTS[1, _other_joints] = FINGER_ROOTS_ACROSS
_DIGIT_ROOTS[0, _THUMB_JOINTS] = -THUMB_BACK
_DIGIT_ROOTS[1, _THUMB_JOINTS] = THUMB_OUT

DIGIT_RULES: dict[str, Rule] = {
    "DIGITS": DIGITS,
    "ACROSS": FINGER_ROOTS_ACROSS,
    "SHARES": FINGER_LENGTH_RATIOS,
    "THUMB_OPEN": THUMB_OPEN,
    "THUMB_CLOSES": THUMB_FLEXES,
    "THUMB_LAID": THUMB_OPPOSES,
}
"""Constants for a web page, by the names in its scripts."""


def bend_channels(bends: Floats) -> Floats:
    """Half-angle tangents tan((β − 90°) / 2) of the flexions β of finger bones, of any shape.

    `digit_points` computes sines and cosines from them without trigonometric functions. They are
    infinite at −90° and 270°, far from the flexions of fingers.

    Args:
        bends: β, from the plane of the palm, more than −90° and less than 270°, [rad].
    """
    return np.tan((bends - np.pi / 2) / 2)


def spread_channels(spreads: Floats) -> Floats:
    """Half-angle tangents tan(σ / 2) of the spreads σ of fingers, [rad], of any shape."""
    return np.tan(spreads / 2)


def closed_digits(closing: Floats) -> Floats:
    """Return the channels of digits between a flat hand and a fist, shape (..., `DIGITS`).

    Channels are the numbers by which `digit_points` bends and spreads fingers and thumb.

    Args:
        closing: shape (..., 2), how far all four fingers are closed, and the thumb, from 0 as in a
            flat hand to 1 as in a fist.
    """
    digits = np.empty((*closing.shape[:-1], DIGITS))
    # All four fingers bend alike: flexion of their proximal bones, then of the distal ones.
    bends = bend_channels(FLAT_HAND_BENDS + closing[..., :1] * FIST_EXTRA_BENDS)
    digits[..., PROXIMAL] = bends[..., :1]
    digits[..., DISTAL] = bends[..., 1:]
    digits[..., SPREAD] = spread_channels(RESTING_SPREAD)
    digits[..., THUMB_FLEXION] = closing[..., 1:]
    digits[..., THUMB_OPPOSITION] = 0.0
    return digits


def outer_joint(root: Floats, middle: Floats, tip: Floats) -> Floats:
    """Place of the outer joint of a finger, of which the other three are given, or its weights."""
    return (middle + tip) / 2 + OUTER_JOINT_OUT * TIPS / FINGERS * (middle - root)


def thumb_direction(flexion: Floats, opposition: Floats) -> Floats:
    """Unit vectors along thumbs, in the frame of `digit_points`, shape (..., 3).

    Args:
        flexion, opposition: channels of thumbs, shape (..., 1).
    """
    return unit(THUMB_OPEN + flexion * THUMB_FLEXES + opposition * THUMB_OPPOSES)


def digit_points(digits: Floats) -> Floats:
    """Places of `DIGIT_JOINTS` in the frame of the palm, shape (..., 3, 13), [m].

    The joints are the middle joints of middle, index, ring and little finger, then their tips; tip
    and root of the thumb; and the roots of index, ring and little finger. The axes of the frame go
    along the palm, toward the side of the thumb, and out of the palm; its origin is the joint at
    the roots of the fingers, `LEFT_PALM` or `RIGHT_PALM`.

    Args:
        digits: channels, shape (..., `DIGITS`): half-angle tangents of flexions and spreads, as
            `bend_channels` and `spread_channels` make them, then flexion and opposition of the
            thumb.
    """
    # Sines and cosines from tangents of half the angles, which is ten times as fast as from angles.
    # With t = tan(α / 2), cos α = (1 − t²) / (1 + t²) and sin α = 2t / (1 + t²).
    tangents = digits[..., : SPREAD.stop]
    squares = tangents * tangents
    scale = 1.0 / (1.0 + squares)
    cosines = (1.0 - squares) * scale
    sines = 2.0 * tangents * scale
    # A finger bends in a plane at right angles to the palm, which the spread turns. From its root,
    # a joint is `along` far in the direction of the finger in the palm, and `height` far out of the
    # palm: all middle joints first, then all tips, which are added to the middle joints. For a
    # flexion β the angle α is β − 90°, so cos β = −sin α and sin β = cos α.
    along = -_PHALANX_LENGTHS * sines[..., : DISTAL.stop]
    height = _PHALANX_LENGTHS * cosines[..., : DISTAL.stop]
    along[..., DISTAL] += along[..., PROXIMAL]
    height[..., DISTAL] += height[..., PROXIMAL]
    # Each joint is at the root of its digit, plus these distances.
    points = np.empty((*digits.shape[:-1], 3, len(DIGIT_NAMES)))
    points[...] = _DIGIT_ROOTS
    points[..., 0, : DISTAL.stop] = along
    points[..., 2, : DISTAL.stop] = height
    # The spreads turn the planes of index, ring and little finger; the middle finger has none.
    for spread_joints in (_OTHER_MIDDLES, _OTHER_TIPS):
        points[..., 0, spread_joints] *= cosines[..., SPREAD]
        points[..., 1, spread_joints] += along[..., spread_joints] * sines[..., SPREAD]
    points[..., _THUMB_TIP] += THUMB * thumb_direction(
        digits[..., THUMB_FLEXION], digits[..., THUMB_OPPOSITION]
    )
    return points
