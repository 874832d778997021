"""Digits: where the joints of fingers and thumbs are, for how they are bent."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Rule
from juggle_anim.body.skeleton import (
    FINGERS,
    OTHER_FINGERS,
    THUMB,
    THUMB_BACK,
    THUMB_OUT,
    TIPS,
    Joint,
)
from juggle_anim.vectors import unit

DIGITS = 13
"""Channels of the digits of a hand: of the first bones of middle, index, ring and little finger,
then of their second bones, how far they bend from the palm toward what it holds, as of
`bend_channels`; spreads of index, ring and little finger toward the thumb, as of `spread_channels`;
how far the thumb is closed, 0 flat to 1 a fist; and how far it is then laid down across the palm.
"""

FIRST = slice(0, 4)
SECOND = slice(4, 8)
SPREAD = slice(8, 11)
CLOSED = slice(11, 12)
LAID = slice(12, 13)
"""The channels of first and second bones, of spreads, and of the thumb."""

OPEN = np.radians([12.0, 28.0])
CLOSES = np.radians([32.0, 120.0])
"""How far the two bones of flat fingers bend from the palm, and by how much more those of a fist
do, [rad].
"""

RESTING_SPREAD = np.array([0.075, -0.03, -0.10])
"""Spread of index, ring and little finger at rest, [rad]."""

# Where the thumb of a flat hand points, what is added for that of a fist, and for one that is laid
# across the palm: parts along the fingers, to the side of the thumb, and out of the palm.
THUMB_OPEN = np.array([0.80, 0.55, 0.22])
THUMB_CLOSES = np.array([-0.19, -0.82, 0.53])
THUMB_LAID = np.array([-0.10, -0.75, -0.60])

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

ACROSS = np.array([across for across, _share in OTHER_FINGERS.values()])
SHARES = np.array([1.0, *(share for _across, share in OTHER_FINGERS.values())])
"""Roots of index, ring and little finger toward the thumb, [m]; and lengths of all four, as of
`OTHER_FINGERS`.
"""

_BONES = np.concatenate([FINGERS * SHARES, TIPS * SHARES])

# Roots of all digits in the frame of the palm, in place of their joints.
_AT_REST = np.zeros((3, len(DIGIT_NAMES)))
_AT_REST[1, [1, 2, 3]] = _AT_REST[1, [5, 6, 7]] = _AT_REST[1, 10:] = ACROSS
_AT_REST[0, 8:10] = -THUMB_BACK
_AT_REST[1, 8:10] = THUMB_OUT

DIGIT_RULES: dict[str, Rule] = {
    "DIGITS": DIGITS,
    "ACROSS": ACROSS,
    "SHARES": SHARES,
    "THUMB_OPEN": THUMB_OPEN,
    "THUMB_CLOSES": THUMB_CLOSES,
    "THUMB_LAID": THUMB_LAID,
}
"""Constants for a web page, by the names in its scripts."""


def bend_channels(bends: Floats) -> Floats:
    """Channels of bones that bend by some angles, less than 270°, [rad]."""
    return np.tan((bends - np.pi / 2) / 2)


def spread_channels(spreads: Floats) -> Floats:
    """Channels of fingers that spread by some angles, [rad]."""
    return np.tan(spreads / 2)


def closed_digits(closing: Floats) -> Floats:
    """Channels of digits that close alike, between flat hand and fist, shape (..., `DIGITS`).

    Args:
        closing: how far the fingers, then the thumb, are closed, shape (..., 2).
    """
    digits = np.empty((*closing.shape[:-1], DIGITS))
    bends = bend_channels(OPEN + closing[..., :1] * CLOSES)
    digits[..., FIRST] = bends[..., :1]
    digits[..., SECOND] = bends[..., 1:]
    digits[..., SPREAD] = spread_channels(RESTING_SPREAD)
    digits[..., CLOSED] = closing[..., 1:]
    digits[..., LAID] = 0.0
    return digits


def thumb_direction(closed: Floats, laid: Floats) -> Floats:
    """Unit vectors along thumbs, in the frame of `digit_points`, shape (..., 3).

    Args:
        closed, laid: the channels of thumbs, shape (..., 1).
    """
    return unit(THUMB_OPEN + closed * THUMB_CLOSES + laid * THUMB_LAID)


def digit_points(digits: Floats) -> Floats:
    """Places of `DIGIT_JOINTS` in the frame of the palm, shape (..., 3, 13), [m].

    The first axis of the frame goes along the palm, the second to the side of the thumb, and the
    third out of the palm; its origin is `Joint.LEFT_PALM` or that of the right.

    Args:
        digits: shape (..., `DIGITS`).
    """
    # Sines and cosines from tangents of half the angles: ten times as fast as from angles.
    tangents = digits[..., : SPREAD.stop]
    squares = tangents * tangents
    scale = 1.0 / (1.0 + squares)
    cosines = (1.0 - squares) * scale
    sines = 2.0 * tangents * scale
    # Bones lie in planes at right angles to the palm, which the spread turns: `level` is along that
    # plane, `rise` out of the palm, of all middle joints, then of all tips.
    level = -_BONES * sines[..., : SECOND.stop]
    rise = _BONES * cosines[..., : SECOND.stop]
    level[..., SECOND] += level[..., FIRST]
    rise[..., SECOND] += rise[..., FIRST]
    points = np.empty((*digits.shape[:-1], 3, len(DIGIT_NAMES)))
    points[...] = _AT_REST
    points[..., 0, : SECOND.stop] = level
    points[..., 2, : SECOND.stop] = rise
    for others in (slice(1, 4), slice(5, 8)):
        points[..., 0, others] *= cosines[..., SPREAD]
        points[..., 1, others] += level[..., others] * sines[..., SPREAD]
    points[..., SECOND.stop] += THUMB * thumb_direction(digits[..., CLOSED], digits[..., LAID])
    return points
