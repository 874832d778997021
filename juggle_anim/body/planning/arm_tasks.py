"""Limits of arms: what they may not do at any moment, as residuals of least squares.

Each is a class with a method, `residuals`, whose values are squared and summed: 0 within the limit,
and 1 at an excess that its unit says. A limit keeps a margin, in the same unit, within which an arm
at ease needs no plan. All are of both arms of M bodies, one moment each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.anatomy import (
    CLEAR_ARM_POINTS,
    CROSSING_HAND_RADII,
    FOREARM_RADII,
    PALM_INNER_RADII,
    UPPER_ARM_RADII,
)
from juggle_anim.body.arm import CLAWED, FREE_BEND, ROLLED_OVER, WRIST_LIMITS
from juggle_anim.body.clearance import body_depth, leg_depth, near_trunk_or_head
from juggle_anim.body.pose import ArmTargets
from juggle_anim.body.skeleton import FOREARM, PALM
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.palms import TURN
from juggle_anim.vectors import column_dot, column_norm, dot, smooth_step, unit_interval

_ANGLE = np.radians(2.0)  # rad, excess of a joint's angle that counts as 1
_DEPTH = 0.002  # m, excess of a depth, or lack of a gap or distance, that counts as 1
_NEAR_HAND = 0.010  # m, the same where a hand comes near the other arm, as it often must

# Margins: of forearms and wrists [rad], of upper arms to the body, and of both arms to each other.
_ANGLE_MARGIN = np.radians(3.0)
_BODY_MARGIN = 0.004  # m
_LEG_MARGIN = 0.004  # m
_APART_MARGIN = 0.014  # m

_RESTING = 0.001  # m, by which forearms and hands may press against the body
_SHORT = 0.002  # m, by which a hand may stay short of its place

# Shares of each bone at which its clearance is measured, and its radii there, as drawn, [m].
_SHARES = np.linspace(0.0, 1.0, 6)
_RADII = np.stack(
    [
        np.interp(_SHARES, (0.0, 1.0), ends)
        for ends in (UPPER_ARM_RADII, FOREARM_RADII, PALM_INNER_RADII)
    ]
)

# Points that are kept out of trunk and head, as weights of shoulder, elbow, wrist and palm: those
# of arms, then those along forearms and hands; with their radii, and with margins added. [m]
_CLEAR_POINTS = len(CLEAR_ARM_POINTS)
_POINTS = np.concatenate(
    [
        [(*weights, 0.0) for weights, _ in CLEAR_ARM_POINTS],
        *(
            np.outer(1.0 - _SHARES, np.eye(4)[part]) + np.outer(_SHARES, np.eye(4)[part + 1])
            for part in (1, 2)
        ),
    ]
)
_POINT_RADII = np.array([*(radius for _, radius in CLEAR_ARM_POINTS), *_RADII[1:].ravel()])[:, None]
_NEAR_RADII = _POINT_RADII + _BODY_MARGIN

# Radii of upper arms, forearms and hands at both ends, as they pass each other, [m].
_PASSING_RADII = np.array([UPPER_ARM_RADII, FOREARM_RADII, CROSSING_HAND_RADII])

# Pairs of parts of the left and of the right arm: 0 upper arm, 1 forearm and 2 hand. The first are
# without hands.
_PAIRS = np.array([(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 0), (0, 2)])
_ARM_PAIRS = 3


class ArmState(NamedTuple):
    """Both arms of M bodies.

    Args:
        joints: shape (M, 2, 4, 3): shoulder, elbow, wrist and palm, [m].
        angles: of forearms and wrists, as of `Arms.wrist_angles`, shape (M, 2, 3), [rad].
        gaps: how far hands are short of their places, shape (M, 2), [m].
        targets: for which they were posed, of leading shape (M, 1).
    """

    joints: Floats
    angles: Floats
    gaps: Floats
    targets: ArmTargets

    @staticmethod
    def posed(targets: ArmTargets, values: Floats) -> ArmState:
        """Pose arms.

        Args:
            targets: of leading shape (M, 1).
            values: of the plan, shape (M, 2, `ARM_CHANNELS`).
        """
        arms = targets.pose_arms(values[:, None])
        joints = np.stack([targets.shoulders, arms.elbows, arms.wrists, arms.palms], axis=-2)
        angles = arms.wrist_angles(targets.shoulders)
        return ArmState(joints[:, 0], angles[:, 0], arms.gaps[:, 0], targets)


@dataclass(frozen=True)
class LimitWrists:
    """Forearms turn and wrists bend no farther than people's.

    Args:
        free: whether there is no such limit, as in Juggling Lab's style, which turns hands as it
            likes.
    """

    free: bool
    margins = np.array([_ANGLE_MARGIN, _ANGLE_MARGIN, _ANGLE_MARGIN, 0.0]) / _ANGLE

    def residuals(self, state: ArmState) -> Floats:
        """Excess of the angles of each forearm and wrist, in units of `_ANGLE`, shape (M, 2, 4).

        Columns are the turn of the forearm, flexion and deviation of the wrist, each with its sign,
        and the whole bend between forearm and hand.
        """
        if self.free:
            return np.zeros((*state.gaps.shape, 4))
        low = WRIST_LIMITS[:, 0] + _ANGLE_MARGIN
        high = WRIST_LIMITS[:, 1] - _ANGLE_MARGIN
        excess = np.minimum(state.angles - low, 0.0) + np.maximum(state.angles - high, 0.0)
        # Penguins roll hands over farther than forearms turn, so the turn counts less and less from
        # the roll of a claw on, and not at all from that of a penguin on.
        roll = state.targets.turns[:, 0, :, TURN][..., 2]
        excess[..., 0] *= smooth_step((ROLLED_OVER - roll) / (ROLLED_OVER - CLAWED))
        bones = np.diff(state.joints[..., 1:, :], axis=-2)
        straight = dot(bones[..., 0, :], bones[..., 1, :]) / (FOREARM * PALM)
        bend = np.arccos(np.clip(straight, -1.0, 1.0))
        return np.concatenate([excess, np.maximum(bend - FREE_BEND, 0.0)], axis=-1) / _ANGLE


@dataclass(frozen=True)
class KeepClearOfBody:
    """Arms stay out of trunk and head, and out of legs that are lifted."""

    margins = np.array([_BODY_MARGIN, 0.0, _LEG_MARGIN]) / _DEPTH

    def residuals(self, state: ArmState) -> Floats:
        """How much too deep each arm is in its body, in units of `_DEPTH`, shape (M, 2, 3).

        Columns are the depth of the whole arm in trunk and head, with a margin; that of forearm and
        hand, which may rest against the body; and that of the whole arm in lifted legs.
        """
        volume = state.targets.volume
        joints = volume.to_local(state.joints.reshape(-1, 1, 8, 3)).reshape(-1, 4, 3)
        # Not a matrix product, for which threads are started where there are many arms.
        columns = np.ascontiguousarray(joints.transpose(2, 1, 0))
        points = np.einsum("pj,cja->cpa", _POINTS, columns)
        excess = np.zeros((len(state.joints), 2, 3))
        # Most arms are far from trunk and head.
        near = np.flatnonzero(near_trunk_or_head(points, _NEAR_RADII).any(axis=0))
        if near.size:
            depths = body_depth(points.take(near, axis=-1), volume.heads(near // 2))
            depths += _POINT_RADII
            flat = excess.reshape(-1, 3)
            flat[near, 0] = depths[:_CLEAR_POINTS].max(axis=0) + _BODY_MARGIN
            flat[near, 1] = depths[_CLEAR_POINTS:].max(axis=0) - _RESTING
        if state.targets.legs is not None:
            excess[..., 2] = depths_in_legs(state.targets.legs[:, 0], state.joints) + _LEG_MARGIN
        return np.maximum(excess, 0.0) / _DEPTH


@dataclass(frozen=True)
class ReachPlaces:
    """Hands are where motion has them."""

    margins = np.array([0.0])

    def residuals(self, state: ArmState) -> Floats:
        """How far hands stay short of their places, shape (M, 2, 1)."""
        return np.maximum(state.gaps[..., None] - _SHORT, 0.0) / _DEPTH


@dataclass(frozen=True)
class KeepArmsApart:
    """Forearms pass the other arm at a distance, and hands do not go through it."""

    margins = np.array([_APART_MARGIN / _DEPTH] * _ARM_PAIRS + [8.0] * (len(_PAIRS) - _ARM_PAIRS))

    def residuals(self, left: Floats, right: Floats) -> Floats:
        """How much gaps between both arms fall short, shape (M, 7), 0 or less.

        Columns are the pairs of parts in `_PAIRS`. Those of forearms and upper arms count with a
        margin and in units of `_DEPTH`, those with a hand in units of `_NEAR_HAND`.

        Args:
            left, right: joints of left and right arms, shape (M, 4, 3), [m].
        """
        gaps = _gaps(left, right, _PAIRS)
        gaps[:, :_ARM_PAIRS] = (gaps[:, :_ARM_PAIRS] - _APART_MARGIN) / _DEPTH
        gaps[:, _ARM_PAIRS:] /= _NEAR_HAND
        return np.minimum(gaps, 0.0)

    def of_arms(self, left: Floats, right: Floats) -> Floats:
        """The first three, of forearms and upper arms alone, shape (M, 3)."""
        return np.minimum(arm_gaps(left, right) - _APART_MARGIN, 0.0) / _DEPTH


def points_along(joints: Floats) -> Floats:
    """Points along bones, for joints of shape (..., N, 3), shape (..., N − 1, 6, 3), [m]."""
    bones = np.diff(joints, axis=-2)[..., None, :]
    return joints[..., :-1, None, :] + _SHARES[:, None] * bones


def depths_in_legs(legs: Floats, joints: Floats) -> Floats:
    """How deep arms are in the legs of their bodies, negative outside, shape (..., 2), [m].

    Args:
        legs: as in `ArmTargets`, shape (..., 2, 3, 3), [m].
        joints: shape (..., 2, 4, 3): shoulder, elbow, wrist and palm, [m].
    """
    points = points_along(joints)
    depths = leg_depth(points.reshape(*joints.shape[:-3], -1, 3), legs)
    deepest: Floats = (depths.reshape(points.shape[:-1]) + _RADII).max(axis=(-2, -1))
    return deepest


def arm_gaps(left: Floats, right: Floats) -> Floats:
    """Gaps between forearms, and between each forearm and the other upper arm, shape (M, 3), [m].

    Args:
        left, right: joints of left and right arms, shape (M, 4, 3), [m].
    """
    return _gaps(left, right, _PAIRS[:_ARM_PAIRS])


def _gaps(left: Floats, right: Floats, pairs: Integers) -> Floats:
    """Gaps between parts of left and of right arms, negative where they overlap, shape (M, P), [m].

    A gap is the distance between the points of both axes that are nearest to each other, less the
    radii there, which is exact for cylinders (C. Ericson, "Real-Time Collision Detection", 2005,
    5.1.9).

    Args:
        left, right: joints of arms, shape (M, 4, 3), [m].
        pairs: parts of left and of right arms, shape (P, 2): 0 for upper arms, 1 for forearms and 2
            for hands.
    """
    # Columns, shape (3, P, M).
    left, right = (joints.transpose(2, 1, 0) for joints in (left, right))
    part, other = pairs.T
    start = left.take(part, axis=1)
    other_start = right.take(other, axis=1)
    along = left.take(part + 1, axis=1) - start
    other_along = right.take(other + 1, axis=1) - other_start
    between = start - other_start
    square = column_dot(along, along)
    other_square = column_dot(other_along, other_along)
    product = column_dot(along, other_along)
    along_product = column_dot(along, between)
    other_along_product = column_dot(other_along, between)
    # Places on the axes as shares of their lengths: on the first axis where both lines are nearest,
    # limited to the bone; on the other one the point nearest to that, limited, too; and then on the
    # first one the point nearest to this. The bound is for parallel lines.
    determinant = np.maximum(square * other_square - product * product, 1e-6)
    share = unit_interval(
        (product * other_along_product - along_product * other_square) / determinant
    )
    other_share = unit_interval((product * share + other_along_product) / other_square)
    share = unit_interval((product * other_share - along_product) / square)
    distance = column_norm(between + share * along - other_share * other_along)
    first, last = _PASSING_RADII[part].T[..., None]
    other_first, other_last = _PASSING_RADII[other].T[..., None]
    radius = first + share * (last - first)
    other_radius = other_first + other_share * (other_last - other_first)
    return np.asarray((distance - radius - other_radius).T)


class ArmLimits(NamedTuple):
    """All limits of arms, and their residuals one after another."""

    wrists: LimitWrists
    body: KeepClearOfBody
    places: ReachPlaces
    apart: KeepArmsApart

    def of_each_arm(self, state: ArmState) -> Floats:
        """Residuals of each arm by itself, shape (M, 2, 8)."""
        alone = (self.wrists, self.body, self.places)
        return np.concatenate([limit.residuals(state) for limit in alone], axis=-1)

    def joined(self, of_each_arm: Floats, apart: Floats) -> Floats:
        """Residuals of both arms, then those of their distances, shape (..., 23)."""
        both = of_each_arm.reshape(*of_each_arm.shape[:-2], -1)
        return np.concatenate([both, apart], axis=-1)

    def excess(self, state: ArmState) -> Floats:
        """Residuals of both arms, shape (M, 23)."""
        apart = self.apart.residuals(state.joints[:, 0], state.joints[:, 1])
        return self.joined(self.of_each_arm(state), apart)

    @property
    def margins(self) -> Floats:
        """Residuals up to which arms at ease need no plan, shape (23,)."""
        alone = (self.wrists, self.body, self.places)
        of_arm = np.concatenate([limit.margins for limit in alone])
        return self.joined(np.tile(of_arm, (2, 1)), self.apart.margins)
