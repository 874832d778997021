"""Trunk, head and legs.

Pelvis, spine and shoulders are where a plan has them, and the face follows what it looks at. Feet
stand on the floor and knees bend forward.

Balance: where the centre of mass of a body is, and what it stands on.

Shares of mass and places of the segments' centres are those of D. A. Winter, "Biomechanics and
Motor Control of Human Movement", table 4.1, after W. T. Dempster (1955).
"""

from __future__ import annotations

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
    JOINTS,
    NECK,
    PALM,
    SHANK,
    SHOULDER,
    SPINE,
    THIGH,
    UPPER_ARM,
    Joint,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import broadcast, cross, dot, norm, smooth_step, unit

PELVIS = slice(0, 3)
PELVIS_LEFT = 0
PELVIS_UP = 1
PELVIS_FORWARD = 2
HIP_TURN = 3
HIP_ROLL = 4
LEAN = slice(5, 7)
LEAN_LEFT = 5
LEAN_FORWARD = 6
SHOULDER_TURN = 7
GIRDLE = slice(8, 12)
"""Channels of a trunk: displacement of the pelvis from its place at ease, to the left, up and
forward [m]; turn of the hips to the left and their roll, which raises the left hip; lean of
the spine to the left and forward from its place at ease; turn of the shoulders to the left about
the spine [rad]; displacements of the left and the right shoulder, forward and up [m].
"""

SIDEWAYS = (PELVIS_LEFT, HIP_TURN, HIP_ROLL, LEAN_LEFT, SHOULDER_TURN)
"""Those that change sign in a mirror image."""

TRUNK_CHANNELS = 12
"""Number of channels of a trunk."""

LIFTS = slice(0, 6)
LEFT_ANKLE_X = 0
RIGHT_ANKLE_X = 3
LEG_TURNS = slice(6, 8)
"""Channels of legs: how far the left and the right ankle move from where the feet would stand, x, y
and z of each [m], and how far the left and the right knee, and the toes with it, turn outward about
the line from hip to ankle [rad].
"""

LEG_CHANNELS = 8
"""Number of channels of legs."""

ANKLES = np.array([[0.125, ANKLE_HEIGHT, -0.035], [-0.125, ANKLE_HEIGHT, -0.035]])
"""Where feet are at ease, a little wider than the hips, shape (2, 3), [m]."""

# Share of the weight on a foot below which its heel rises, and how far that of a foot that bears no
# weight is off the floor, [m].
_LIGHT = 0.47
_HEEL_RISE = 0.08
TOE_HEIGHT = 0.03
"""Height over the floor of the tips of feet that stand, which is the foot's radius, [m]."""

_TOE_DROP = ANKLE_HEIGHT - TOE_HEIGHT  # m, of toes below the ankle
_FOOT_PITCH = np.arcsin(_TOE_DROP / FOOT)
_UP = np.array([0.0, 1.0, 0.0])
# Toes are turned out a little, and knees less, left and right, [rad].
_TOE_HEADINGS = np.radians(14.0) * np.array([1.0, -1.0])
_KNEE_HEADINGS = np.radians(12.4) * np.array([1.0, -1.0])
_TOE_HANG = np.radians(38.0)  # by which the toes of a foot that is lifted high hang down
_TOE_HANG_HEIGHT = 0.3  # m, height of a foot above where it stands at which they hang fully


STANCE = 0.010
"""How far soft knees lower the pelvis, [m]."""

EASY_LEAN = 0.026
"""How far forward the spine of a juggler at ease leans, [rad]."""

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

# The middle of a head is a little forward of the top of its neck, [rad].
_HEAD_FORWARD = np.radians(6.0)

# How far a head turns up from the trunk, and to a side of it, freely, and at most, [rad] (I. A.
# Kapandji, "The Physiology of the Joints", volume 3).
_FREE_NECK = np.radians([50.0, 60.0])
_MOST_NECK = np.radians([75.0, 80.0])


def lifted_ankles(ankles: Floats, channels: Floats) -> Floats:
    """Add the lift of feet to the ankles of feet that would stand, shape (T, J, 2, 3), [m].

    Args:
        ankles: where feet would stand, shape (2, 3) or (T, J, 2, 3), [m].
        channels: shape (T, J, `LEG_CHANNELS`), of which `LIFTS` are read: x, y and z of the left
            foot, then of the right one, [m].
    """
    return ankles + channels[..., LIFTS].reshape(*channels.shape[:-1], 2, 3)


class Legs(NamedTuple):
    """Joints of both legs of J jugglers at T times, left then right, shape (T, J, 2, 3) each, [m].

    Toes are the tips of the feet.
    """

    hips: Floats
    knees: Floats
    ankles: Floats
    toes: Floats


def pose_legs(
    hips: Floats,
    ankles: Floats = ANKLES,
    foot_turns: Floats | None = None,
    channels: Floats | None = None,
    heels: Floats | float = 0.0,
) -> Legs:
    """Pose the legs of J jugglers who face +z and stand at the origin, by two-bone kinematics.

    Args:
        hips: hips of the jugglers at T times, left then right, shape (T, J, 2, 3), [m].
        ankles: targets of the ankles, shape (T, J, 2, 3), or (2, 3) for feet that stand at ease all
            the time, [m]; an ankle out of reach stays as near to its target as the leg allows.
        foot_turns: how far feet are turned to the left, about +y, from where they point at ease,
            shape (T, J, 2), [rad]; None if no foot is turned.
        channels: plan of lifted legs, shape (T, J, `LEG_CHANNELS`), of which the outward turns of
            knees and toes, `LEG_TURNS` [rad], are read (the lifts are in `ankles` already); with a
            plan, toes hang down where feet are above the floor. None if all feet stand.
        heels: how far heels of feet that stand are off the floor, shape (T, J, 2, 1), [m].
    """
    toe_directions = TOES_AHEAD if foot_turns is None else _level(_TOE_HEADINGS + foot_turns)
    # A heel that rises turns the foot about its toes, which stay. The sine of the foot's pitch is
    # the height of the ankle above the toes over the foot's length; as the pitch grows, the ankle
    # also comes forward by the difference of the cosines.
    foot_pitch = np.arcsin((_TOE_DROP + heels) / FOOT)
    ankles = (
        ankles + FOOT * (np.cos(_FOOT_PITCH) - np.cos(foot_pitch)) * toe_directions + heels * _UP
    )
    hip_to_ankle = ankles - hips
    distance = norm(hip_to_ankle)
    axis = hip_to_ankle / distance
    # Knees point half way between the direction of the pelvis (ahead) and that of the feet. The
    # component of this direction across the line from hip to ankle is the side to which legs bend.
    pointing = _KNEE_DIRECTIONS if foot_turns is None else _level(_KNEE_HEADINGS + foot_turns / 2)
    knee_side = unit(pointing - dot(pointing, axis) * axis)
    if channels is not None:
        knee_side = _turned_outward(knee_side, axis, channels[..., LEG_TURNS])
    knees, ankles = bend_limb(hips, axis, distance, upper=THIGH, lower=SHANK, side=knee_side)
    if channels is None:
        feet = _pitched_down(toe_directions, foot_pitch)
    else:
        # The higher a foot is above where it stands, the more its toes hang down.
        height = ankles[..., 1:2] - heels - ANKLE_HEIGHT
        foot_pitch = foot_pitch + _TOE_HANG * smooth_step(height / _TOE_HANG_HEIGHT)
        feet = _turned_outward(
            _pitched_down(toe_directions, foot_pitch), axis, channels[..., LEG_TURNS]
        )
    return Legs(hips, knees, ankles, toes=ankles + FOOT * feet)


def _pitched_down(directions: Floats, pitch: Floats) -> Floats:
    """Unit vectors below level ones, shape (..., 3), by a pitch of shape (..., 1), [rad]."""
    return np.cos(pitch) * directions - np.sin(pitch) * _UP


def heel_heights(channels: Floats) -> Floats:
    """Return the heights of the heels of jugglers who stand on both feet, shape (T, J, 2, 1), [m].

    The knee of a foot that bears little of the weight bends, and its heel rises.

    Args:
        channels: displacements and angles that pose the trunks, shape (T, J, `TRUNK_CHANNELS`) for
            J jugglers at T times, of which the sideways move of the pelvis, [m], and the sideways
            lean, [rad], are read.

    Returns:
        Left heel, then right heel: 0 where a foot bears `_LIGHT` of the weight or more, up to
        `_HEEL_RISE` where it bears none.
    """
    # The middle of the spine stands for the centre of mass. The share of the weight on the left
    # foot is 0.5 with the centre in the middle between the ankles, and 1 above the left one.
    to_left = channels[..., PELVIS_LEFT] + SPINE / 2 * np.sin(channels[..., LEAN_LEFT])
    left_load = 0.5 + to_left / (ANKLES[0, 0] - ANKLES[1, 0])
    load = np.stack([left_load, 1.0 - left_load], axis=-1)[..., None]
    return _HEEL_RISE * smooth_step((_LIGHT - load) / _LIGHT)


MAX_LEG_ANGLES = np.radians([120.0, 45.0, 45.0, 140.0])
"""The largest angles of a leg, [rad]: between the thigh and straight down, of the thigh to a side,
of its turn about itself, and of the bend of the knee.

I. A. Kapandji, "The Physiology of the Joints", volume 2; American Academy of Orthopaedic Surgeons,
"Joint Motion: Method of Measuring and Recording".
"""

_LEAST_SHANK_ACROSS = 0.1
"""Least distance of an ankle from the line of its thigh, [m]. In a straighter leg no turn of the
thigh shows, and it counts as 0.
"""


def leg_angles(legs: Legs) -> Floats:
    """Return the angles of hips and knees of both legs.

    The definitions are those of E. S. Grood and W. J. Suntay, "A joint coordinate system for the
    clinical description of three-dimensional motions", 1983.

    Args:
        legs: joints of legs, of bodies upright at the origin, which face +z, of any leading shape.

    Returns:
        Shape (..., 2, 4), left leg then right, [rad]: the angle between the thigh and straight
        down, 0 to π; the abduction, the angle of the thigh to a side, positive outward; the turn of
        the thigh about itself, positive outward, which takes the shank behind it inward, 0 for a
        nearly straight leg; and the bend of the knee, 0 for a straight one.
    """
    outward = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])  # left leg, right leg
    thigh = unit(legs.knees - legs.hips)
    shank = legs.ankles - legs.knees
    along = dot(shank, thigh)
    across = shank - along * thigh
    distance = norm(across)
    # The cosine of the angle to straight down is minus the height (y) of the thigh's unit vector.
    # Rounding may take such parts beyond 1, hence the limits.
    from_straight_down = np.arccos(np.clip(-thigh[..., 1:2], -1.0, 1.0))
    abduction_sine = dot(thigh, outward)
    abduction = np.arcsin(np.clip(abduction_sine, -1.0, 1.0))
    # The part of the shank across the thigh points straight back unless the thigh is turned; then
    # it has a part along the outward direction across the thigh. The turn is minus the arc sine of
    # that part of the unit vector, since a thigh that turns outward moves the shank, which is
    # behind it, inward.
    outward_across_thigh = unit(outward - abduction_sine * thigh)
    outward_share = dot(across, outward_across_thigh) / np.maximum(distance, _LEAST_SHANK_ACROSS)
    turn = np.where(
        distance > _LEAST_SHANK_ACROSS, np.arcsin(np.clip(-outward_share, -1.0, 1.0)), 0.0
    )
    knee_bend = np.arctan2(distance, along)
    return np.concatenate([from_straight_down, abduction, turn, knee_bend], axis=-1)


def _turned_outward(directions: Floats, axis: Floats, angles: Floats) -> Floats:
    """Turn directions of knees or toes outward about the lines from hips to ankles.

    Args:
        directions: unit vectors, left leg then right, shape (T, J, 2, 3) for J jugglers at T times.
        axis: unit vectors from hips to ankles, of the same shape.
        angles: outward angles of the left and the right leg, shape (T, J, 2), [rad].

    Returns:
        Unit vectors, shape (T, J, 2, 3).
    """
    # Rodrigues' formula. About an axis down the leg, outward is left-handed for the left leg (−1)
    # and right-handed for the right one. The part along the axis stays.
    turns = angles[..., None] * np.array([[-1.0], [1.0]])
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


_KNEE_DIRECTIONS = _level(_KNEE_HEADINGS)
TOES_AHEAD = _level(_TOE_HEADINGS)
"""Level directions of the toes of feet at ease, shape (2, 3)."""


@dataclass(frozen=True)
class Trunk:
    """Joints and directions of the trunks of J jugglers at T times, who face +z at the origin.

    Args:
        pelvis, chest: shape (T, J, 3), the two ends of the spine, [m].
        neck: shape (T, J, 3), the top of the neck, [m].
        upright: shape (T, J, 3), unit direction in which the head stands on the neck.
        shoulders, hips: shape (T, J, 2, 3), left then right, [m].
        spine, across: shape (T, J, 3), unit directions at right angles, from pelvis to chest and
            from the right shoulder to the left one.
    """

    pelvis: Floats
    chest: Floats
    neck: Floats
    upright: Floats
    shoulders: Floats
    hips: Floats
    spine: Floats
    across: Floats


def pose_trunk(hands: Floats, channels: Floats) -> Trunk:
    """Pose pelvis, hips, spine, neck and shoulders of J jugglers who face +z at the origin.

    The channels, numbers from the plan of the bodies, determine all of these but the shoulders,
    which also rise with raised arms.

    Args:
        hands: places of the hands at T times, left then right, in the frame of the body, shape
            (T, J, 2, 3), [m].
        channels: shape (T, J, `TRUNK_CHANNELS`), [m] and [rad]: displacement of the pelvis, turn
            and roll of the hips, lean of the spine, turn of the shoulders, and displacements of
            both shoulders forward and up.
    """
    pelvis = channels[..., PELVIS] + (0.0, HIP_HEIGHT - STANCE, 0.0)
    turn = channels[..., HIP_TURN, None]
    roll = channels[..., HIP_ROLL, None]
    # From the pelvis to the left hip: +x turned about +y by the turn, then raised by the roll.
    hip = HIP * np.concatenate(
        [np.cos(turn) * np.cos(roll), np.sin(roll), -np.sin(turn) * np.cos(roll)], axis=-1
    )
    hip_pair = np.stack([hip, -hip], axis=-2)
    lean_left = channels[..., LEAN_LEFT, None]
    lean_forward = channels[..., LEAN_FORWARD, None] + EASY_LEAN
    spine = np.concatenate(
        [
            np.sin(lean_left),
            np.cos(lean_left) * np.cos(lean_forward),
            np.cos(lean_left) * np.sin(lean_forward),
        ],
        axis=-1,
    )
    chest = pelvis + SPINE * spine
    # The direction to the left, +x made normal to the spine, and the direction ahead; then both
    # turned to the left, right-handed about the spine.
    left = unit(np.array([1.0, 0.0, 0.0]) - spine[..., :1] * spine)
    ahead = cross(left, spine)
    shoulder_turn = channels[..., SHOULDER_TURN, None]
    across = np.cos(shoulder_turn) * left - np.sin(shoulder_turn) * ahead
    front = np.cos(shoulder_turn) * ahead + np.sin(shoulder_turn) * left
    sides = np.stack([across, -across], axis=-2)
    # The girdle's channels move the left, then the right shoulder forward and up along the spine.
    girdle = channels[..., GIRDLE].reshape(*channels.shape[:-1], 2, 2)
    girdle_offset = girdle[..., :1] * front[..., None, :] + girdle[..., 1:] * spine[..., None, :]
    shoulders = _pose_shoulders(
        chest[..., None, :], spine[..., None, :], SHOULDER * sides + girdle_offset, hands
    )
    # Head and neck are more upright than the spine, and point a little forward.
    upright = unit(spine + (0.0, 1.0, 0.1))
    neck = chest + NECK * unit(spine + (0.0, 0.3, 0.15))
    # The trunk turns with the line through both shoulders.
    shoulder_line = shoulders[..., 0, :] - shoulders[..., 1, :]
    return Trunk(
        pelvis=pelvis,
        chest=chest,
        neck=neck,
        upright=upright,
        shoulders=shoulders,
        hips=pelvis[..., None, :] + hip_pair,
        spine=spine,
        across=unit(shoulder_line - dot(shoulder_line, spine) * spine),
    )


class TrunkJacobian(NamedTuple):
    """Partial derivatives of the joints of a trunk with respect to each of its channels.

    Args:
        spine: of its unit direction, shape (T, J, `TRUNK_CHANNELS`, 3).
        shoulders, hips: of their places, left then right, shape (T, J, `TRUNK_CHANNELS`, 2, 3).
    """

    spine: Floats
    shoulders: Floats
    hips: Floats


def trunk_jacobian(trunk: Trunk, channels: Floats) -> TrunkJacobian:
    """Return partial derivatives of the joints of trunks by the channels of `pose_trunk`.

    Channels are displacements, and angles of rotations. A rotation moves a joint by the cross
    product of its axis with the joint's place relative to the centre of the rotation. The rise of
    shoulders with raised arms is neglected: a shoulder that moves changes its rise by less than a
    tenth of its displacement.

    Args:
        trunk: the trunks of J bodies at T times, as `pose_trunk` returns them.
        channels: channels of these trunks, shape (T, J, `TRUNK_CHANNELS`), [m] and [rad].
    """
    # Derivatives by channels that do not move a joint stay 0. All joints move with the pelvis.
    spine = np.zeros((*channels.shape, 3))
    shoulders = np.zeros((*channels.shape, 2, 3))
    hips = np.zeros_like(shoulders)
    shoulders[..., PELVIS, :, :] = np.eye(3)[:, None]
    hips[..., PELVIS, :, :] = np.eye(3)[:, None]
    pelvis = trunk.pelvis[..., None, :]
    # Axes of the three rotations of the spine and the shoulders about the pelvis, row by row: a
    # lean to the left turns the spine about the direction back from the chest, a lean forward about
    # +x, and the shoulders turn about the spine, which does not move the spine itself.
    lean_forward = channels[..., LEAN_FORWARD] + EASY_LEAN
    spine_axes = np.zeros((*channels.shape[:-1], 3, 1, 3))
    spine_axes[..., 0, 0, 1] = np.sin(lean_forward)
    spine_axes[..., 0, 0, 2] = -np.cos(lean_forward)
    spine_axes[..., 1, 0, 0] = 1.0
    spine_axes[..., 2, 0, :] = trunk.spine
    spine[..., LEAN, :] = cross(spine_axes[..., :2, 0, :], trunk.spine[..., None, :])
    turning = slice(LEAN_LEFT, SHOULDER_TURN + 1)
    shoulders[..., turning, :, :] = cross(spine_axes, (trunk.shoulders - pelvis)[..., None, :, :])
    # The girdle's channels, moves forward and up, are added to the collar bone of length L =
    # `SHOULDER`, and the sum, which is longer, is scaled back to L. So a shoulder moves at right
    # angles to its bone only, and its moves are scaled by L over the length of the sum.
    shoulder_turn = channels[..., SHOULDER_TURN, None]
    front = -spine_axes[..., 0, 0, :]
    ahead = np.cos(shoulder_turn) * front + np.sin(shoulder_turn) * cross(trunk.spine, front)
    directions = np.stack([ahead, trunk.spine], axis=-2)
    for side in (0, 1):
        own = slice(GIRDLE.start + 2 * side, GIRDLE.start + 2 * side + 2)
        bone = (trunk.shoulders[..., side, :] - trunk.chest)[..., None, :] / SHOULDER
        across = directions - dot(directions, bone) * bone
        length = np.sqrt(SHOULDER**2 + (channels[..., own] ** 2).sum(axis=-1))
        shoulders[..., own, side, :] = (SHOULDER / length)[..., None, None] * across
    # Hips turn about +y, and roll about the direction ahead of the turned pelvis.
    hip_turn = channels[..., HIP_TURN]
    hip_axes = np.zeros((*channels.shape[:-1], 2, 1, 3))
    hip_axes[..., 0, 0, 1] = 1.0
    hip_axes[..., 1, 0, 0] = np.sin(hip_turn)
    hip_axes[..., 1, 0, 2] = np.cos(hip_turn)
    hip_channels = slice(HIP_TURN, HIP_ROLL + 1)
    hips[..., hip_channels, :, :] = cross(hip_axes, (trunk.hips - pelvis)[..., None, :, :])
    return TrunkJacobian(spine, shoulders, hips)


def _pose_shoulders(chest: Floats, spine: Floats, bones: Floats, hands: Floats) -> Floats:
    """Return the places of shoulders, at the ends of collar bones that rise with the upper arms.

    An upper arm's direction is estimated from the places of shoulder and hand. As it depends on the
    shoulder, this is a fixed-point iteration. Each round leaves less than a fifth of the error, so
    two are enough.

    Args:
        chest, spine: places of the chests of J jugglers at T times, [m], and the unit directions up
            along the spines, shape (T, J, 1, 3) each.
        bones: shape (T, J, 2, 3), along the collar bones before they rise, about `SHOULDER` long,
            [m]; raised bones are scaled to that length.
        hands: shape (T, J, 2, 3), places of the hands, [m].

    Returns:
        Shape (T, J, 2, 3), left then right, [m].
    """
    shoulders = chest + SHOULDER * unit(bones)
    for _round in range(2):
        # Sine of the angle by which the collar bone is raised: the shoulder's rise over the bone's
        # length. The rise is LIFT (1 − cos θ) less `HANGING`, where θ is the upper arm's angle from
        # hanging and −cos θ its part along the spine.
        sine = (LIFT * (1.0 + _upper_arm_rise(hands - shoulders, spine)) - HANGING) / SHOULDER
        shoulders = chest + SHOULDER * unit(
            np.sqrt(1.0 - sine * sine) * bones + SHOULDER * sine * spine
        )
    return shoulders


def _upper_arm_rise(to_hands: Floats, spine: Floats) -> Floats:
    """Estimate the component of the upper arm's unit direction along the spine, (T, J, 2, 1).

    It is about −1 for an arm that hangs and 1 for one that points up. The estimate is for elbows
    at ease, and takes hands as in line with their forearms: upper arm, forearm with palm, and the
    line from shoulder to hand form a triangle, whose elbow lies below that line.

    Args:
        to_hands: from shoulders to hands, shape (T, J, 2, 3) for J jugglers at T times, [m].
        spine: shape (T, J, 1, 3), the direction up.
    """
    # `_NEAREST_HAND` keeps the distance above 0, so that nothing jumps for a hand at its shoulder.
    lower_length = FOREARM + PALM
    distance_square = dot(to_hands, to_hands) + _NEAREST_HAND**2
    distance = np.sqrt(distance_square)
    hand_rise = dot(to_hands, spine) / distance
    # The cosine c of the angle α between upper arm and line, by the law of cosines. It is beyond ±1
    # for a hand out of reach; c / ⁸√(1 + c⁸) is about c in reach, and within ±1 for any distance.
    cosine = (UPPER_ARM**2 - lower_length**2 + distance_square) / (2.0 * UPPER_ARM * distance)
    cosine_square = cosine * cosine
    cosine_power_4 = cosine_square * cosine_square
    cosine = cosine / np.sqrt(np.sqrt(np.sqrt(1.0 + cosine_power_4 * cosine_power_4)))
    # The elbow's distance from the line is sin α times the upper arm; `below` is the share of that
    # distance by which it is lower than the line: less for a raised hand, and 0 for one straight
    # above or below the shoulder. So the rise is hand_rise · cos α − below · sin α.
    level_square = 1.0 - hand_rise * hand_rise
    below = (
        (_ELBOW_BELOW - _ELBOW_RAISES * hand_rise)
        * level_square
        / np.sqrt(level_square + _NEAR_VERTICAL**2)
    )
    return hand_rise * cosine - below * np.sqrt(1.0 - cosine * cosine)


def pose_head(trunk: Trunk, gaze: Floats | None) -> tuple[Floats, Floats]:
    """Return middles of heads, and tips of noses, of J jugglers who face +z, (T, J, 3) each, [m].

    Args:
        trunk: the posed trunk, with the top of the neck.
        gaze: yaw of the head at T times, positive to the left, and its pitch, positive up, shape
            (T, J, 2 or more), of which the first two are read, [rad]; None to face straight ahead.
    """
    ahead = np.array([0.0, 0.0, 1.0])
    direction = within_neck(
        trunk, ahead if gaze is None else look_direction(gaze[..., 0], gaze[..., 1])
    )
    # Up along the head, at right angles to where it faces.
    up = unit(trunk.upright - dot(trunk.upright, direction) * direction)
    head = trunk.neck + HEAD * (np.cos(_HEAD_FORWARD) * up + np.sin(_HEAD_FORWARD) * direction)
    return head, head + FACE * direction


def within_neck(trunk: Trunk, directions: Floats) -> Floats:
    """Limit directions of heads, or of eyes, softly to the range of necks, for bent trunks.

    An angle x beyond the free angle f of a neck becomes f + w tanh((x − f) / w), with w the room up
    to the largest angle.

    Args:
        trunk: the posed trunks under the heads.
        directions: unit vectors, shape (T, J, 3) for J jugglers at T times, or (3,) for all.

    Returns:
        Unit vectors, shape (T, J, 3); those that are well within the limits stay.
    """
    # Two angles of each direction: up from the front of the trunk, which is more than a right angle
    # for one that points back over the head; and to the left.
    front = cross(trunk.across, trunk.spine)
    along = dot(directions, trunk.spine)[..., 0]
    aside = dot(directions, trunk.across)[..., 0]
    angles = np.stack(
        [np.arctan2(along, dot(directions, front)[..., 0]), np.arcsin(np.clip(aside, -1.0, 1.0))],
        axis=-1,
    )
    size = np.abs(angles)
    beyond = size > _FREE_NECK
    if not beyond.any():
        return broadcast(directions, trunk.spine.shape)  # the usual case, without rounding errors
    room = _MOST_NECK - _FREE_NECK
    limited = _FREE_NECK + room * np.tanh((size - _FREE_NECK) / room)
    # From the limited angles, with their signs, back to directions.
    up, left = np.moveaxis(np.where(beyond, np.copysign(limited, angles), angles), -1, 0)[..., None]
    return (
        np.cos(left) * (np.cos(up) * front + np.sin(up) * trunk.spine) + np.sin(left) * trunk.across
    )


def look_direction(yaw: Floats, pitch: Floats) -> Floats:
    """Unit vectors at a yaw, positive to the left, and a pitch, positive up; (…) to (…, 3)."""
    level = np.cos(pitch)
    return np.stack([np.sin(yaw) * level, np.sin(pitch), np.cos(yaw) * level], axis=-1)


# Shares of the body's mass: that of an arm whose elbow is not known, at its shoulder and its hand.
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


def _centre_of_mass(joints: Floats) -> Floats:
    """Return centres of mass, shape (..., 3), [m], for joints of shape (..., `JOINTS`, 3), [m]."""
    return np.asarray(_MASS_OF_JOINTS @ joints)


def centre_of_mass_over_floor(trunk: Trunk, hands: Floats, legs: Legs) -> Floats:
    """Return the centre of mass of bodies over the floor, before arms are posed, (..., 2), [m].

    It is a weighted mean of joints, accurate to about 1 cm. A head counts as straight on its neck;
    shoulders and hands stand for arms. Left and right joints have the same weight, so that of the
    left is used for both.

    Args:
        trunk, legs: joints of bodies that stand at the origin and face +z, of any leading shape.
        hands: places of the hands, shape (..., 2, 3), [m].

    Returns:
        Coordinates to the left (x) and ahead (z).
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


def centre_of_mass_jacobian(jacobian: TrunkJacobian) -> Floats:
    """Return partial derivatives of the centre of mass over the floor by the channels of trunks.

    The centre of mass is the mean of joints, weighted by shares of the body's mass which add up to
    1. The channels are displacements [m] and angles [rad]; they move the pelvis p, the unit
    direction of the spine s, shoulders and hips. The chest is at p + `SPINE` s, and the head moves
    with p + (`SPINE` + `_HEAD_LEANS`) s. Ankles and hands stay where they are. Knees are taken as
    half way between hips and ankles, so they move by half as much as hips. Elbows have no term:
    shoulders and hands carry the mass of arms. Left and right joints have the same mass.

    Args:
        jacobian: derivatives of the joints of the trunk by its C channels.

    Returns:
        Shape (..., C, 2), to the left and ahead, [m/m] or [m/rad].
    """
    chest_mass = _MASS_OF_JOINTS[Joint.CHEST]
    head_mass = _MASS_OF_JOINTS[Joint.HEAD]
    hip_mass = _MASS_OF_JOINTS[Joint.LEFT_HIP] + _MASS_OF_JOINTS[Joint.LEFT_KNEE] / 2
    # Shape (..., C, 3): x to the left, y up, z ahead.
    derivatives = (
        (chest_mass * SPINE + head_mass * (SPINE + _HEAD_LEANS)) * jacobian.spine
        + _SHOULDER_FOR_ARM * (jacobian.shoulders[..., 0, :] + jacobian.shoulders[..., 1, :])
        + hip_mass * (jacobian.hips[..., 0, :] + jacobian.hips[..., 1, :])
    )
    # The three channels `PELVIS` are the coordinates of p, with which chest and head move.
    pelvis_mass = _MASS_OF_JOINTS[Joint.PELVIS] + chest_mass + head_mass
    derivatives[..., PELVIS, :] += pelvis_mass * np.eye(3)
    return np.asarray(derivatives[..., ::2])  # without the height


def support_margin(joints: Floats) -> Floats:
    """Return how far the centre of mass is inside the hull of the standing soles, (...), [m].

    The hull is the convex one. The distance is negative outside of it, and −∞ if no foot stands.

    Args:
        joints: all joints of bodies, shape (..., `JOINTS`, 3), with the floor at y = 0, [m].
    """
    ankles = joints[..., [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE], :]
    toes = joints[..., [Joint.LEFT_TOES, Joint.RIGHT_TOES], :]
    # Over the floor, in x and z (`::2`): the directions of both feet, and to their left.
    along = (toes - ankles)[..., ::2]
    along /= np.sqrt((along * along).sum(axis=-1, keepdims=True))
    left = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    # Corners of both soles, shape (..., 2, corners, 2): toward the toes and to the left of the
    # ankle; the right sole is mirrored.
    soles = np.stack([_SOLE, _SOLE * (1.0, -1.0)])
    corners = (
        ankles[..., None, ::2]
        + soles[..., :1] * along[..., None, :]
        + soles[..., 1:] * left[..., None, :]
    )
    # Support function of the hull: how far it extends from the origin in each of some directions.
    # The centre is inside by the least difference of this extent and its own place in the same
    # direction; this is exact if directions are dense.
    angles = np.arange(_DIRECTIONS) * (2.0 * np.pi / _DIRECTIONS)
    normals = np.stack([np.cos(angles), np.sin(angles)])
    is_standing = toes[..., 1] < TOE_HEIGHT + _LIFTED_FROM
    extent_of_foot = np.where(is_standing[..., None], (corners @ normals).max(axis=-2), -np.inf)
    extent = extent_of_foot.max(axis=-2)  # of both feet together, −∞ without a standing one
    margin: Floats = (extent - _centre_of_mass(joints)[..., ::2] @ normals).min(axis=-1)
    return margin
