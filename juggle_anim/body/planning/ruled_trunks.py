"""Trunks of who throws around the body: rules for pelvis, lean and twist, read as channels.

The table of body throws is fitted to trunks that follow these rules: a posture is blended in, the
pelvis follows the hands at once, and trunk and shoulders lean toward far hands (`reach.py`). All
others are planned by `trunk_plan.py`.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import HIP, HIP_HEIGHT, SHANK, SHOULDER, SPINE, THIGH
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    EASY_LEAN,
    GIRDLE,
    LEG_CHANNELS,
    STANCE,
    TRUNK_CHANNELS,
    lifted_ankles,
)
from juggle_anim.body.trunk_and_legs import LEAN as TRUNK_LEAN
from juggle_anim.body.trunk_and_legs import PELVIS as TRUNK_PELVIS
from juggle_anim.body.trunk_and_legs import SHOULDER_TURN as TRUNK_TURN
from juggle_anim.vectors import cross, dot, unit

PELVIS = slice(0, 3)
LEAN = slice(3, 5)
TWIST = 5
LEGS = slice(6, 6 + LEG_CHANNELS)
"""Channels of a posture, as `juggle_anim.choreography.body_throws.Posture` has them: where the
pelvis moves [m], how far the spine leans to the left and forward and the shoulders turn to the left
[rad], where the left and the right ankle move [m], and how far both knees turn outward [rad].
"""

POSTURE_CHANNELS = 14
"""How many there are."""

_HIPS = np.array([[HIP, 0.0, 0.0], [-HIP, 0.0, 0.0]])
# A leg is straight enough at this share of its length; the pelvis comes down for a foot that would
# need more.
_LEG_REACH = 0.992 * (THIGH + SHANK)  # m
_DROP_BLEND = 0.008  # m, by which the pelvis begins earlier to come down, so that it moves smoothly
_EASY_DROP = 0.14  # m, from which on it is softly limited
_MAX_DROP = 0.22  # m

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

# Mean place of the hands, from which the weight moves with them, [m].
_NEUTRAL_HANDS = np.array([0.0, 1.0, 0.3])

# How far the pelvis follows the mean of the two hands.
_FOLLOW_SHARE = np.array([0.16, 0.13, 0.06])
_MAX_FOLLOW = np.array([0.035, 0.018, 0.015])  # m
_MAX_RISE = 0.6 * STANCE  # m

# Bounds of the reach of the trunk and of the left and right shoulder, shape (3, 3), [m].
_MAX_REACH = np.stack([MAX_LEAN[0], MAX_SHRUG[0], MAX_SHRUG[0]])
_MIN_REACH = np.stack([MAX_LEAN[1], MAX_SHRUG[1], MAX_SHRUG[1]])


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


def ruled_channels(
    hands: Floats,
    amount: float,
    reach: Floats,
    ankles: Floats | None = None,
    posture: Floats | None = None,
) -> Floats:
    """Channels of trunks for where the hands are, shape (T, J, `TRUNK_CHANNELS`).

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
        ankles = lifted_ankles(ANKLES if ankles is None else ankles, posture[..., LEGS])
    if ankles is not None:
        pelvis[..., 1] -= pelvis_drop(pelvis, ankles)
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
    # Only the direction of the spine counts, whose length is fixed. `level` is level +x made normal
    # to it.
    spine = unit(upward)
    level = unit(np.array([1.0, 0.0, 0.0]) - spine[..., :1] * spine)
    twist = np.zeros_like(spine[..., 0]) if posture is None else posture[..., TWIST]
    # The spine by its angles: a lean forward in the plane of the body, then one to the left.
    channels = np.zeros((*spine.shape[:-1], TRUNK_CHANNELS))
    channels[..., TRUNK_PELVIS] = pelvis - (0.0, HIP_HEIGHT - STANCE, 0.0)
    channels[..., TRUNK_LEAN.start] = np.arcsin(np.clip(spine[..., 0], -1.0, 1.0))
    forward = np.arctan2(spine[..., 2], spine[..., 1])
    channels[..., TRUNK_LEAN.start + 1] = forward - EASY_LEAN
    channels[..., TRUNK_TURN] = twist
    # Collar bones that point to the side, and toward what their shoulders reach for: the parts of
    # their direction ahead and up, over that to the side.
    ahead = cross(level, spine)
    turn = twist[..., None]
    across = np.cos(turn) * level - np.sin(turn) * ahead
    front = np.cos(turn) * ahead + np.sin(turn) * level
    sides = np.stack([across, -across], axis=-2)
    bones = SHOULDER * sides + reach[..., 1:, :]
    aside = dot(bones, sides)
    girdle = np.concatenate(
        [dot(bones, front[..., None, :]), dot(bones, spine[..., None, :])], axis=-1
    )
    channels[..., GIRDLE] = (SHOULDER * girdle / aside).reshape(*spine.shape[:-1], 4)
    return channels


def limited_reach(reach: Floats) -> Floats:
    """Reach clipped to what people can do (`MAX_LEAN`, `MAX_SHRUG`); shape (T, J, 3, 3), [m]."""
    return np.minimum(np.maximum(reach, _MIN_REACH), _MAX_REACH)


def _softly_limited(value: Floats, limit: Floats) -> Floats:
    """Values v softly limited to ±limit: l tanh(v / l), with limits l above 0 that broadcast."""
    return limit * np.tanh(value / limit)
