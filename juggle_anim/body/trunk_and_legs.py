"""Trunk, head and legs.

Pelvis, spine and shoulders follow the throws and lean toward far hands, and the face follows what
it looks at. Feet stand on the floor, knees bend forward, and the pelvis comes down for feet that
are far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import (
    ANKLE_HEIGHT,
    FACE,
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
    UPPER_ARM,
)
from juggle_anim.vectors import cross, dot, norm, smooth_step, unit

PELVIS = slice(0, 3)
LEAN = slice(3, 5)
TWIST = 5
LIFTS = slice(6, 12)
OPENS = slice(12, 14)
"""Channels of a posture, as `juggle_anim.choreography.body_throws.Posture` has them: where the
pelvis moves [m], how far the spine leans to the left and forward and the shoulders turn to the left
[rad], where the left and the right ankle move [m], and how far both knees turn outward [rad].
"""

POSTURE_CHANNELS = 14
"""How many there are."""

ANKLES = np.array([[0.125, ANKLE_HEIGHT, -0.035], [-0.125, ANKLE_HEIGHT, -0.035]])
"""Where feet are at ease, a little wider than the hips, shape (2, 3), [m]."""

_TOE_DROP = ANKLE_HEIGHT - 0.03  # m, of toes below the ankle: they lie on the foot's radius
# Toes are turned out a little, and knees less, left and right, [rad].
_TOES_OUT = np.radians(14.0) * np.array([1.0, -1.0])
_KNEES_OUT = np.radians(12.4) * np.array([1.0, -1.0])
_HIPS = np.array([[HIP, 0.0, 0.0], [-HIP, 0.0, 0.0]])
# A leg is straight enough at this share of its length; the pelvis comes down for a foot that would
# need more.
_LEG_REACH = 0.992 * (THIGH + SHANK)  # m
_DROP_BLEND = 0.008  # m, by which the pelvis begins earlier to come down, so that it moves smoothly
_EASY_DROP = 0.14  # m, from which on it is softly limited
_MAX_DROP = 0.22  # m
_TOE_HANG = np.radians(38.0)  # by which the toes of a lifted foot hang down
_TOE_HANG_HEIGHT = 0.3  # m, of a foot at which they hang fully


STANCE = 0.010
"""How far soft knees lower the pelvis, [m]."""

STOOP = 0.013
"""How far forward of the pelvis the shoulders of a juggler are at ease, [m]."""

SITTING = 0.5
"""How far the pelvis moves back for each metre that the knees lower it."""

MAX_LEAN = np.array([0.22, 0.0, 0.26]), np.array([-0.22, -0.24, -0.07])
"""Largest displacement of the shoulders by the trunk: sideways, up and down by the knees, forward
and back, [m].
"""

MAX_SHRUG = np.array([0.03, 0.05, 0.10]), np.array([-0.03, -0.03, -0.03])
"""Largest displacement of a shoulder toward a far hand: sideways, up and down, forward and back,
[m]. I. A. Kapandji, "The Physiology of the Joints", volume 1, gives the outer end of a collar bone
10 cm up and forward, 3 cm down and back; up it goes mostly with the upper arm.
"""

LIFT = 0.067
"""How far a shoulder rises with a level upper arm, [m]; twice that with one that points up.

With the upper arm at θ from hanging it is LIFT·(1 − cos θ). The place of the hand tells θ nearly:
shoulders come out 2.0 cm higher at 50°, 6.2 at 90° and 9.3 at 130°. Of two adults who were recorded
they rose by 2.5 and 1.6, 7.0 and 5.2, 10.4 and 9.5 cm.
"""

HANGING = 0.003
"""How far hanging arms pull the shoulders below the chest, [m]; the arms of a juggler leave them
about level.
"""

# How far below the line to a level hand an elbow at ease lies, over its distance from that line;
# how much less with a raised hand; and the sine of the angle between that line and the vertical
# within which the elbow lies less and less below.
_ELBOW_BELOW = 0.7
_ELBOW_RAISES = 0.35
_NEAR_VERTICAL = 0.2

_NEAREST_HAND = 0.1  # m, from its shoulder; no hand counts as nearer

# Mean place of the hands, from which the weight moves with them, [m].
_NEUTRAL_HANDS = np.array([0.0, 1.0, 0.3])

# How far the pelvis follows the mean of the two hands.
_FOLLOW_SHARE = np.array([0.16, 0.13, 0.06])
_MAX_FOLLOW = np.array([0.035, 0.018, 0.015])  # m
_MAX_RISE = 0.6 * STANCE  # m

# Bounds of the reach of the trunk and of the left and right shoulder, shape (3, 3), [m].
_MAX_REACH = np.stack([MAX_LEAN[0], MAX_SHRUG[0], MAX_SHRUG[0]])
_MIN_REACH = np.stack([MAX_LEAN[1], MAX_SHRUG[1], MAX_SHRUG[1]])

# The middle of a head is a little forward of the top of its neck, [rad].
_HEAD_FORWARD = np.radians(6.0)


def pelvis_drop(pelvis: Floats, ankles: Floats) -> Floats:
    """Drop of the pelvis that lets both legs reach their ankles, shape (T, J), [m].

    A leg that is too short by s (negative where it is long enough) needs a drop of about s,
    smoothed from −b to b by (s + b)² / 4b, with b = `_DROP_BLEND`. Drops p and q of the two legs
    are joined by the smooth maximum ⁴√(p⁴ + q⁴). Drops from `_EASY_DROP` on are softly limited to
    `_MAX_DROP`, so feet farther away may stay out of reach.

    Args:
        pelvis: shape (T, J, 3), in the frame of the body, before the drop, [m].
        ankles: shape (T, J, 2, 3), likewise.

    Returns:
        At least 0, positive downward.
    """
    # From the ankles to the hips: a leg of length R that spans d on the level rises √(R² − d²). A
    # span near R or beyond counts as a rise of 0.1 m, where the root still has a bounded slope.
    away = pelvis[..., None, :] + _HIPS - ankles
    level_square = away[..., 0] ** 2 + away[..., 2] ** 2
    shortfall = away[..., 1] - np.sqrt(np.maximum(_LEG_REACH**2 - level_square, 0.01))
    soft = np.maximum(shortfall + _DROP_BLEND, 0.0) ** 2 / (4 * _DROP_BLEND)
    drops = np.where(shortfall > _DROP_BLEND, shortfall, soft)
    # A smooth maximum of both legs.
    drop: Floats = np.sqrt(np.sqrt((drops**4).sum(axis=-1)))
    room = _MAX_DROP - _EASY_DROP
    return np.where(
        drop < _EASY_DROP, drop, _EASY_DROP + room * np.tanh((drop - _EASY_DROP) / room)
    )


def lifted_ankles(ankles: Floats, posture: Floats) -> Floats:
    """Add the lift of feet in a posture to their ankles, shape (T, J, 2, 3), [m].

    Args:
        ankles: where feet would stand, shape (2, 3) or (T, J, 2, 3), [m].
        posture: shape (T, J, `POSTURE_CHANNELS`), of which `LIFTS` are read: x, y and z of the left
            foot, then of the right one, [m].
    """
    return ankles + posture[..., LIFTS].reshape(*posture.shape[:-1], 2, 3)


class Legs(NamedTuple):
    """Joints of both legs of J jugglers at T times, left then right, shape (T, J, 2, 3) each, [m].

    Toes are the tips of the feet.
    """

    hips: Floats
    knees: Floats
    ankles: Floats
    toes: Floats


def pose_legs(
    pelvis: Floats,
    ankles: Floats = ANKLES,
    foot_turns: Floats | None = None,
    posture: Floats | None = None,
) -> Legs:
    """Pose the legs under a pelvis, for a juggler who faces +z and stands at the origin.

    Args:
        pelvis: shape (T, J, 3), [m].
        ankles: targets, shape (T, J, 2, 3), [m]; one out of reach stays as near as the leg allows.
        foot_turns: to the left from where feet point at ease, shape (T, J, 2), [rad]; None if no
            foot is turned.
        posture: shape (T, J, `POSTURE_CHANNELS`), of which the turns of knees and toes outward are
            read; with a posture, toes hang down where feet are above the floor. None if all stand.
    """
    hips = pelvis[..., None, :] + _HIPS
    away = ankles - hips
    distance = norm(away)
    axis = away / distance
    # Knees point half way between the direction of the pelvis (ahead) and that of the feet.
    pointing = _KNEES if foot_turns is None else _level(_KNEES_OUT + foot_turns / 2)
    forward = unit(pointing - dot(pointing, axis) * axis)
    if posture is not None:
        forward = _opened(forward, axis, posture[..., OPENS])
    knees, ankles = bend_limb(hips, axis, distance, upper=THIGH, lower=SHANK, side=forward)
    toe_heading = TOES_AHEAD if foot_turns is None else _level(_TOES_OUT + foot_turns)
    # Without a posture all feet stand: toes are lower than ankles by `_TOE_DROP`, and level parts
    # of the feet have what is left of their length.
    if posture is None:
        toes = ankles + np.sqrt(FOOT**2 - _TOE_DROP**2) * toe_heading - (0.0, _TOE_DROP, 0.0)
        return Legs(hips, knees, ankles, toes)
    # Angle of the foot below the level: that of a standing foot, and more the higher the ankle is
    # above the height at which it stands.
    toe_fall = np.arcsin(_TOE_DROP / FOOT) + _TOE_HANG * smooth_step(
        (ankles[..., 1:2] - ANKLE_HEIGHT) / _TOE_HANG_HEIGHT
    )
    foot = np.cos(toe_fall) * toe_heading - np.sin(toe_fall) * (0.0, 1.0, 0.0)
    toes = ankles + FOOT * _opened(foot, axis, posture[..., OPENS])
    return Legs(hips, knees, ankles, toes)


def _opened(directions: Floats, axis: Floats, opens: Floats) -> Floats:
    """Turn directions of legs outward about the legs, by Rodrigues' formula, (T, J, 2, 3).

    Args:
        directions: of knees or toes, unit vectors, left then right, shape (T, J, 2, 3).
        axis: unit vectors from hips to ankles, likewise.
        opens: outward angles of the left and the right leg, shape (T, J, 2), [rad].
    """
    # About an axis down the leg, outward is left-handed for the left leg (−1) and right-handed for
    # the right one. The part along the axis stays.
    turns = opens[..., None] * np.array([[-1.0], [1.0]])
    along = dot(directions, axis) * axis
    return np.cos(turns) * (directions - along) + np.sin(turns) * cross(axis, directions) + along


def bend_limb(
    root: Floats, axis: Floats, distance: Floats, *, upper: float, lower: float, side: Floats
) -> tuple[Floats, Floats]:
    """Bend a two-link limb toward one side so that it reaches a target; no bone ever stretches.

    Args:
        root: shape (..., 3), where the limb starts, [m].
        axis: shape (..., 3), unit direction from the root to the target.
        distance: shape (..., 1), to the target, [m]; one out of reach is brought to the nearest
            that is in reach.
        upper, lower: lengths of the bones, [m].
        side: shape (..., 3), unit direction at right angles to the axis, toward which the joint
            lies.

    Returns:
        The joint (elbow or knee) and the end of the limb, each of shape (..., 3), [m].
    """
    # In reach are |l₁ − l₂| to l₁ + l₂; the bound 1e-9 avoids a division by 0 for equal bones.
    reached = np.minimum(np.maximum(distance, max(abs(upper - lower), 1e-9)), upper + lower)
    # Law of cosines: the joint's coordinates along the axis and across it.
    along = (upper**2 - lower**2 + reached**2) / (2 * reached)
    across = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    return root + axis * along + side * across, root + axis * reached


def _level(headings: Floats) -> Floats:
    """Level unit vectors at headings, [rad], from ahead (+z) to the left (+x), (…) to (…, 3)."""
    return np.stack([np.sin(headings), np.zeros_like(headings), np.cos(headings)], axis=-1)


_KNEES = _level(_KNEES_OUT)
TOES_AHEAD = _level(_TOES_OUT)
"""Level directions of the toes of feet at ease, shape (2, 3)."""


@dataclass(frozen=True)
class Trunk:
    """Joints and directions of the trunks of J jugglers at T times, who face +z at the origin.

    Args:
        pelvis, chest: shape (T, J, 3), the two ends of the spine, [m].
        neck: shape (T, J, 3), the top of the neck, [m].
        upright: shape (T, J, 3), unit direction in which the head stands on the neck.
        shoulders: shape (T, J, 2, 3), left then right, [m].
        spine, across: shape (T, J, 3), unit directions at right angles, from pelvis to chest and
            from the right to the left.
    """

    pelvis: Floats
    chest: Floats
    neck: Floats
    upright: Floats
    shoulders: Floats
    spine: Floats
    across: Floats


def pose_trunk(
    hands: Floats,
    amount: float,
    reach: Floats,
    ankles: Floats | None = None,
    posture: Floats | None = None,
    drop_share: Floats | float = 1.0,
) -> Trunk:
    """Pose pelvis, spine, neck and shoulders for where the hands are.

    The pelvis follows the mean of the two hands a little, and comes down for feet that are far
    away; the spine leans toward far hands.

    Args:
        hands: shape (T, J, 2, 3), in the frame of the body, which faces +z, [m].
        amount: how much the body moves with the throws: 0 not at all, 1 as people do.
        reach: shape (T, J, 3, 3), displacements toward far hands, within `limited_reach`, [m]:
            first of both shoulders by the trunk (up and down by the knees), then of the left and
            the right shoulder by themselves.
        ankles: shape (T, J, 2, 3), where feet stand that may be far away, [m]; None if they are at
            ease.
        posture: shape (T, J, `POSTURE_CHANNELS`), place of the pelvis, lean, twist and lifted feet
            for throws around the body; None if all stand as usual.
        drop_share: of the drop that the legs need, how much pelvises really make, 0 to 1, shape
            (T, 1) or one for all; read only with `ankles` or a posture.
    """
    # The weight moves with the mean of the hands. The bound 1e-9 avoids a division by 0 for an
    # amount of 0.
    follow = _softly_limited(
        amount * _FOLLOW_SHARE * ((hands[..., 0, :] + hands[..., 1, :]) / 2 - _NEUTRAL_HANDS),
        max(amount, 1e-9) * _MAX_FOLLOW,
    )
    # Straight knees cannot lift the pelvis further, even less when it has moved to a side: a rise
    # r > 0 becomes r / ⁴√(1 + (r / max)⁴). The share is squared here and once more below.
    rise_share = np.maximum(follow[..., 1] / _MAX_RISE, 0.0)
    rise_share *= rise_share
    follow[..., 1] /= np.sqrt(np.sqrt(1.0 + rise_share * rise_share))
    lean = reach[..., 0, :]
    # To keep the balance, a body that the knees lower (negative y of the lean) sits back: `SITTING`
    # of that, along −z.
    sitting = SITTING * lean[..., 1:2] * (0.0, 0.0, 1.0)
    pelvis = np.array([0.0, HIP_HEIGHT - STANCE, 0.0]) + follow + lean * (0.0, 1.0, 0.0) + sitting
    if posture is not None:
        pelvis += posture[..., PELVIS]
        ankles = lifted_ankles(ANKLES if ankles is None else ankles, posture)
    if ankles is not None:
        pelvis[..., 1] -= drop_share * pelvis_drop(pelvis, ankles)
    # From pelvis to chest, by what the chest moves beyond the pelvis. The level parts of the lean
    # are the trunk's alone; the chest does not sit back, and follows the hands half as far as the
    # pelvis does on the level, so these two are subtracted.
    upward = lean * (1.0, 0.0, 1.0) - sitting - follow * (0.5, 0.0, 0.5) + (0.0, SPINE, STOOP)
    if posture is not None:
        # The spine leans to the left, +x, and forward, +z, by the angles of the posture: what it
        # was is shortened by the cosines, and x and z (`::2`) get the sines.
        lean_left, lean_forward = np.moveaxis(posture[..., LEAN, None], -2, 0)
        upward = np.cos(lean_left) * np.cos(lean_forward) * upward
        upward[..., ::2] += SPINE * np.concatenate(
            [np.sin(lean_left) * np.cos(lean_forward), np.cos(lean_left) * np.sin(lean_forward)], -1
        )
    # Only the direction of the spine counts, whose length is fixed. `across` is level +x made
    # normal to it.
    spine = unit(upward)
    chest = pelvis + SPINE * spine
    across = unit(np.array([1.0, 0.0, 0.0]) - spine[..., :1] * spine)
    if posture is not None:
        # Shoulders turn to the left, right-handed about the spine.
        twist = posture[..., TWIST, None]
        across = np.cos(twist) * across + np.sin(twist) * cross(spine, across)
    sides = np.stack([across, -across], axis=-2)
    shoulders = _shoulders(
        chest[..., None, :], spine[..., None, :], sides, reach[..., 1:, :], hands
    )
    # Head and neck are more upright than the spine, and point a little forward.
    return Trunk(
        pelvis=pelvis,
        chest=chest,
        neck=chest + NECK * unit(spine + (0.0, 0.3, 0.15)),
        upright=unit(spine + (0.0, 1.0, 0.1)),
        shoulders=shoulders,
        spine=spine,
        across=across,
    )


def _shoulders(chest: Floats, spine: Floats, sides: Floats, reach: Floats, hands: Floats) -> Floats:
    """Shoulders at the ends of collar bones that rise with the upper arms, shape (T, J, 2, 3), [m].

    How the upper arms lie depends on the shoulders in turn: a fixed-point iteration. Each round
    leaves less than a fifth of the error, so two are enough.

    Args:
        chest, spine: shape (T, J, 1, 3), the place of the chest, [m], and the unit direction up.
        sides: shape (T, J, 2, 3), unit directions outward, left then right.
        reach: shape (T, J, 2, 3), how far shoulders move toward far hands, [m].
        hands: shape (T, J, 2, 3), places of the hands, [m].
    """
    # Collar bones before they rise; only their directions count.
    bones = SHOULDER * sides + reach
    shoulders = chest + SHOULDER * unit(bones)
    for _ in range(2):
        # Sine of the collar bone's angle above the level: the shoulder's rise over the bone's
        # length. The rise is LIFT (1 − cos θ) less `HANGING`, where θ is the upper arm's angle from
        # hanging and −cos θ its part along the spine.
        sine = (LIFT * (1.0 + _upper_arm_rise(hands - shoulders, spine)) - HANGING) / SHOULDER
        shoulders = chest + SHOULDER * unit(
            np.sqrt(1.0 - sine * sine) * bones + SHOULDER * sine * spine
        )
    return shoulders


def _upper_arm_rise(away: Floats, spine: Floats) -> Floats:
    """Estimated parts of the upper arms' unit directions along the spine, shape (T, J, 2, 1).

    They are about −1 for an arm that hangs and 1 for one that points up. The estimate is for elbows
    at ease, and takes hands as in line with their forearms. With r the distance from shoulder to
    hand, the upper arm l₁ is at the angle α to that line: by the law of cosines cos α = c, where
    c = (l₁² + r² − l₂²) / 2l₁r and l₂ is forearm and palm. c / ⁸√(1 + c⁸) is about that cosine, and
    within ±1 for any r, in reach or not.

    Args:
        away: from shoulders to hands, shape (T, J, 2, 3), [m].
        spine: shape (T, J, 1, 3), the direction up.
    """
    # `_NEAREST_HAND` keeps the distance above 0, so that nothing jumps for a hand at its shoulder.
    lower_length = FOREARM + PALM
    squared = dot(away, away) + _NEAREST_HAND**2
    distance = np.sqrt(squared)
    up = dot(away, spine) / distance
    # cos α, and c / ⁸√(1 + c⁸) by powers and roots of 2.
    cosine = (UPPER_ARM**2 - lower_length**2 + squared) / (2.0 * UPPER_ARM * distance)
    power = cosine * cosine
    power *= power
    cosine = cosine / np.sqrt(np.sqrt(np.sqrt(1.0 + power * power)))
    # How far the elbow lies below the line to the hand, over its distance from that line: less for
    # a raised hand, and 0 for one straight above or below the shoulder.
    level_square = 1.0 - up * up
    below = (
        (_ELBOW_BELOW - _ELBOW_RAISES * up)
        * level_square
        / np.sqrt(level_square + _NEAR_VERTICAL**2)
    )
    return up * cosine - below * np.sqrt(1.0 - cosine * cosine)


def limited_reach(reach: Floats) -> Floats:
    """Reach clipped to what people can do (`MAX_LEAN`, `MAX_SHRUG`); shape (T, J, 3, 3), [m]."""
    return np.minimum(np.maximum(reach, _MIN_REACH), _MAX_REACH)


def _softly_limited(value: Floats, limit: Floats) -> Floats:
    """Values v softly limited to ±limit: l tanh(v / l), with limits l above 0 that broadcast."""
    return limit * np.tanh(value / limit)


def pose_head(neck: Floats, upright: Floats, gaze: Floats | None) -> tuple[Floats, Floats]:
    """Middles of heads, and tips of noses, of jugglers who face +z, shape (T, J, 3) each, [m].

    Args:
        neck: top of the neck, shape (T, J, 3), [m].
        upright: unit direction in which the head stands, shape (T, J, 3), never along the gaze.
        gaze: yaw of the head, positive to the left, and its pitch, positive up, shape
            (T, J, 2 or more), of which the first two are read, [rad]; None to face straight ahead.
    """
    gaze_direction = (
        np.array([0.0, 0.0, 1.0]) if gaze is None else look_direction(gaze[..., 0], gaze[..., 1])
    )
    # Up along the head, at right angles to where it faces.
    up = unit(upright - dot(upright, gaze_direction) * gaze_direction)
    head = neck + HEAD * (np.cos(_HEAD_FORWARD) * up + np.sin(_HEAD_FORWARD) * gaze_direction)
    return head, head + FACE * gaze_direction


def look_direction(yaw: Floats, pitch: Floats) -> Floats:
    """Unit vectors at a yaw, positive to the left, and a pitch, positive up; (…) to (…, 3)."""
    level = np.cos(pitch)
    return np.stack([np.sin(yaw) * level, np.sin(pitch), np.cos(yaw) * level], axis=-1)
