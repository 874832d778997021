"""Plan of arms: hands turn and elbows swivel a little more over a loop, by least squares.

Natural arms know one moment alone. Where they break a limit of a wrist, come into the body or each
other, or hurry, all of it is one problem of least squares, whose unknowns are the control values of
a spline. Which forearm goes over the other, and on which side of its body an elbow passes, no
derivative tells: a few starts are tried, and the best is gone on with.

Limits of arms: what they may not do at any moment, as residuals of least squares.

Each is a class with a method, `residuals`, whose values are squared and summed: 0 within the limit,
and 1 at an excess that its unit says. A limit keeps a margin, in the same unit, within which an arm
at ease needs no plan. All are of both arms of M bodies, one moment each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import FREE_BEND, WRIST_LIMITS
from juggle_anim.body.clearance import (
    LEG_RADII,
    body_depth,
    cone_depths,
    leg_depth,
    may_touch_trunk_or_head,
)
from juggle_anim.body.planning.least_squares import (
    BANDS,
    AccelerationLimit,
    Mirror,
    NormalTerms,
    Problem,
    Residuals,
    Solution,
    Stage,
    Stretch,
    accelerations,
    least_squares,
    soften,
)
from juggle_anim.body.planning.trunk_plan import (
    ANGLE_EXCESS,
    ANGLE_MARGIN,
    ARM_LENGTH,
    BLOCK,
    FARTHEST_WRIST,
    WRIST_EXCESS,
)
from juggle_anim.body.pose import ARM_CHANNELS, HAND_PITCH, HAND_YAW, POLE, ArmTargets, BodyPlan
from juggle_anim.body.skeleton import (
    CLEAR_ARM_POINTS,
    CROSSING_HAND_RADII,
    FOREARM,
    FOREARM_RADII,
    PALM,
    PALM_INNER_RADII,
    UPPER_ARM,
    UPPER_ARM_RADII,
)
from juggle_anim.choreography import BODY_THROWS, CATCH
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion, PeriodicSpline, PropSpheres, successors
from juggle_anim.vectors import (
    column_dot,
    column_norm,
    cross,
    dot,
    norm,
    unit,
    unit_interval,
)

# Turn of a forearm and bend of a wrist from which on they cost anything around the body, and by how
# much more they cost 1, [rad].
_EASY_ANGLES = np.radians([50.0, 30.0])
_UNEASE = np.radians(15.0)

_FARTHEST_BACK = np.radians(59.0)  # of an upper arm behind the trunk, with the shoulder blade

_DEPTH = 0.002  # m, excess of a depth, or lack of a gap or distance, that counts as 1
_HAND_DEPTH = 0.010  # m, the same where a hand comes near the other arm, as it often must

# Margins: of arms to the body, and to each other and to props.
_BODY_MARGIN = 0.004  # m, to trunk and head
_LEG_MARGIN = 0.006  # m, of arms to legs
_APART_MARGIN = 0.014  # m

_ALLOWED_PRESSING = 0.001  # m, by which forearms and hands may press against the body

# Fractions of each bone at which its clearance is measured, and radii of upper arm, forearm and
# palm there, as drawn, shape (3, 6), [m].
_BONE_FRACTIONS = np.linspace(0.0, 1.0, 6)
_BONE_RADII = np.stack(
    [
        np.interp(_BONE_FRACTIONS, (0.0, 1.0), ends)
        for ends in (UPPER_ARM_RADII, FOREARM_RADII, PALM_INNER_RADII)
    ]
)

# Half the length of each bone and its largest radius, together, shape (3,), [m].
_BONE_EXTENTS = np.array([UPPER_ARM, FOREARM, PALM]) / 2.0 + _BONE_RADII.max(axis=1)

# Points that are kept out of trunk and head, as weights of shoulder, elbow, wrist and palm: those
# of arms, then those along forearms and hands; with their radii, [m].
_POINT_WEIGHTS = np.concatenate(
    [
        [(*weights, 0.0) for weights, _ in CLEAR_ARM_POINTS],
        *(
            np.outer(1.0 - _BONE_FRACTIONS, np.eye(4)[part])
            + np.outer(_BONE_FRACTIONS, np.eye(4)[part + 1])
            for part in (1, 2)
        ),
    ]
)
_POINT_RADII = np.array([*(radius for _, radius in CLEAR_ARM_POINTS), *_BONE_RADII[1:].ravel()])[
    :, None
]

# Radii of upper arms, forearms and hands at both ends, as they pass each other, [m].
_PART_END_RADII = np.array([UPPER_ARM_RADII, FOREARM_RADII, CROSSING_HAND_RADII])

# Pairs of parts of the left and of the right arm: 0 upper arm, 1 forearm and 2 hand. The first are
# without hands.
_PART_PAIRS = np.array([(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 0), (0, 2)])
_ARM_PAIRS = 3


class ArmState(NamedTuple):
    """Both arms of M bodies, left then right, at one moment each.

    Args:
        joints: shoulder, elbow, wrist and palm, shape (M, 2, 4, 3), [m].
        angles: pronation of the forearm, flexion and radial deviation of the wrist, as in
            `Arms.wrist_angles`, shape (M, 2, 3), [rad].
        gaps: distances of hands from their targets, shape (M, 2), [m].
        targets: the targets for which they were posed, of leading shape (M, 1).
    """

    joints: Floats
    angles: Floats
    gaps: Floats
    targets: ArmTargets

    @staticmethod
    def posed(targets: ArmTargets, values: Floats) -> ArmState:
        """Pose the arms of M bodies with values of an arm plan.

        Args:
            targets: targets of M bodies, as if they were one juggler at M times, of leading shape
                (M, 1). The result leaves out the second axis.
            values: turns of hands and poles of elbows, shape (M, 2, `ARM_CHANNELS`).
        """
        arms = targets.pose_arms(values[:, None])
        joints = np.stack([targets.shoulders, arms.elbows, arms.wrists, arms.palms], axis=-2)
        angles = arms.wrist_angles(targets.shoulders)
        return ArmState(joints[:, 0], angles[:, 0], arms.gaps[:, 0], targets)


@dataclass(frozen=True)
class LimitJoints:
    """Limit of the angles of shoulders, forearms and wrists to a person's range.

    Args:
        free: True for no such limit, as in Juggling Lab's style, where hands turn without regard to
            wrists.
    """

    free: bool
    margins = np.array([ANGLE_MARGIN, ANGLE_MARGIN, ANGLE_MARGIN, 0.0, 0.0]) / ANGLE_EXCESS

    def residuals(self, state: ArmState) -> Floats:
        """Angles of each arm beyond limits, in units of `ANGLE_EXCESS`, (M, 2, 5).

        Columns are the pronation of the forearm, flexion and deviation of the wrist, each negative
        below its lower limit and positive above its upper one; the whole bend between forearm and
        hand, and the angle of the upper arm behind the trunk, each 0 or more. The limits of the
        first three are narrower by `ANGLE_MARGIN`.
        """
        if self.free:
            return np.zeros((*state.gaps.shape, 5))
        # `WRIST_LIMITS` has the least and the greatest of each of the three angles, [rad].
        low = WRIST_LIMITS[:, 0] + ANGLE_MARGIN
        high = WRIST_LIMITS[:, 1] - ANGLE_MARGIN
        excess = np.minimum(state.angles - low, 0.0) + np.maximum(state.angles - high, 0.0)
        # Vectors from elbow to wrist and from wrist to palm; their angle is the bend of the wrist.
        forearm_and_hand = np.diff(state.joints[..., 1:, :], axis=-2)
        cosine = dot(forearm_and_hand[..., 0, :], forearm_and_hand[..., 1, :]) / (FOREARM * PALM)
        bend = np.arccos(np.clip(cosine, -1.0, 1.0))
        # The axis of the trunk that points ahead is the third column of its axes.
        upper_arm = state.joints[..., 1, :] - state.joints[..., 0, :]
        ahead = dot(upper_arm, state.targets.volume.axes[..., 2]) / UPPER_ARM
        back = np.arcsin(np.clip(-ahead, -1.0, 1.0))
        beyond = np.concatenate([bend - FREE_BEND, back - _FARTHEST_BACK], axis=-1)
        return np.concatenate([excess, np.maximum(beyond, 0.0)], axis=-1) / ANGLE_EXCESS


@dataclass(frozen=True)
class SpareWrists:
    """Around the body forearms turn, wrists bend and elbows stretch no farther than they must.

    Args:
        around: whether somebody throws or catches around the body.
    """

    around: bool
    margins = np.full(3, np.inf)

    def residuals(self, state: ArmState) -> Floats:
        """Excess of each arm over what a person does with ease, shape (M, 2, 3), 0 within it.

        Columns are the turn of the forearm (over 50°), the bend of the wrist, flexion and deviation
        together (over 30°), and the distance of the wrist from the shoulder (over
        `FARTHEST_WRIST`, a share of the arm's length). The unit of angles is 15°.
        """
        if not self.around:
            return np.zeros((*state.gaps.shape, 3))
        turn = np.abs(state.angles[..., 0])
        bend = np.hypot(state.angles[..., 1], state.angles[..., 2])
        to_wrists = state.joints[..., 2, :] - state.joints[..., 0, :]
        reach = norm(to_wrists)[..., 0] / ARM_LENGTH
        angle_excess = (np.stack([turn, bend], axis=-1) - _EASY_ANGLES) / _UNEASE
        reach_excess = (reach - FARTHEST_WRIST) / WRIST_EXCESS
        excess = np.concatenate([angle_excess, reach_excess[..., None]], axis=-1)
        return np.maximum(excess, 0.0)


@dataclass(frozen=True)
class KeepClearOfBody:
    """Limit of the depth of arms in trunk and head, and in legs that are lifted.

    Args:
        around: whether somebody throws or catches around the body: then forearms and hands may
            touch the trunk and head, but not press against them as those at rest may.
    """

    around: bool
    margins = np.array([_BODY_MARGIN, 0.0, _LEG_MARGIN]) / _DEPTH

    def residuals(self, state: ArmState) -> Floats:
        """Excess depths of each arm in its body, in units of `_DEPTH`, shape (M, 2, 3).

        Columns are the depth of the whole arm in trunk and head, with a margin; that of forearm and
        hand; and that of the whole arm in lifted legs, with a margin.
        """
        # The four joints of each of A = 2M arms, in the frame of the trunk, shape (A, 4, 3). Body b
        # has the arms 2b and 2b + 1.
        volume = state.targets.volume
        joints = volume.to_local(state.joints.reshape(-1, 1, 8, 3)).reshape(-1, 4, 3)
        # Points along each arm, weighted means of its joints, shape (3, points, A). Not a matrix
        # product, for which threads are started where there are many arms.
        columns = np.ascontiguousarray(joints.transpose(2, 1, 0))
        points = np.einsum("pj,cja->cpa", _POINT_WEIGHTS, columns)
        excess = np.zeros((len(state.joints), 2, 3))
        # Most arms are far from trunk and head, and have no excess there.
        near_radii = _POINT_RADII + _BODY_MARGIN
        near = np.flatnonzero(may_touch_trunk_or_head(points, near_radii).any(axis=0))
        if near.size:
            depths = body_depth(points.take(near, axis=-1), volume.heads(near // 2))
            # The skin of an arm is deeper than its axis by the radius. The first rows are points of
            # the whole arm, the others of forearm and hand.
            depths += _POINT_RADII
            whole_arm = len(CLEAR_ARM_POINTS)
            excess_of_arm = excess.reshape(-1, 3)  # a view, shape (A, 3)
            excess_of_arm[near, 0] = depths[:whole_arm].max(axis=0) + _BODY_MARGIN
            allowed = 0.0 if self.around else _ALLOWED_PRESSING
            excess_of_arm[near, 1] = depths[whole_arm:].max(axis=0) - allowed
        if state.targets.legs is not None:
            excess[..., 2] = depths_in_legs(state.targets.legs[:, 0], state.joints) + _LEG_MARGIN
        return np.maximum(excess, 0.0) / _DEPTH


@dataclass(frozen=True)
class KeepClearOfProps:
    """Arms stay clear of props that fly past, or that the other hand carries.

    Hands are where they have to be. Forearms may touch what their hands throw and catch.
    """

    margins = np.zeros(2)

    def residuals(self, state: ArmState) -> Floats:
        """Return how much the gaps of arms to props fall short of `_APART_MARGIN`.

        Args:
            state: both arms of M bodies. Their targets have K ≥ 1 spheres of props near each arm,
                or None for no props.

        Returns:
            Shape (M, 2, 2), in units of `_DEPTH`: for the left and the right arm, the upper arm and
            the forearm; 0 where the gap is wide enough, or without props.
        """
        if state.targets.props is None:
            return np.zeros((*state.gaps.shape, 2))
        # The second axis of the targets, jugglers at one time, has only one entry.
        spheres = state.targets.props[:, 0]  # (M, 2, K, 5)
        sphere_radii = spheres[..., 3, None]
        forearm_allowance = spheres[..., 4]  # how much nearer a forearm may come, [m]
        # Both bones of each arm are cones: from shoulder to elbow, and from there to the wrist.
        start = state.joints[:, :, :2]  # (M, 2, 2, 3)
        axis = state.joints[:, :, 1:3] - start
        depths = cone_depths(spheres[..., :3], start, axis, _PART_END_RADII[:2])  # (M, 2, K, 2)
        gaps = -(depths + sphere_radii)
        gaps[..., 1] += forearm_allowance
        return np.maximum(_APART_MARGIN - gaps.min(axis=-2), 0.0) / _DEPTH


@dataclass(frozen=True)
class ReachPlaces:
    """Limit of the distances of hands from their targets."""

    margins = np.array([0.0])

    def residuals(self, state: ArmState) -> Floats:
        """Excess distances of hands from their targets, in units of `_DEPTH`, (M, 2, 1)."""
        # A hand may stay short of its place by one unit.
        return np.maximum(state.gaps[..., None] / _DEPTH - 1.0, 0.0)


@dataclass(frozen=True)
class KeepArmsApart:
    """Lower limit of the gaps between the left and the right arm."""

    margins = np.array(
        [_APART_MARGIN / _DEPTH] * _ARM_PAIRS + [8.0] * (len(_PART_PAIRS) - _ARM_PAIRS)
    )

    def residuals(self, left: Floats, right: Floats) -> Floats:
        """What gaps between both arms lack, as negative numbers; 0 for wide gaps, shape (M, 7).

        Columns are the pairs of parts in `_PART_PAIRS`. Gaps between forearms and upper arms should
        be `_APART_MARGIN`, in units of `_DEPTH`; those beside a hand 0, in units of `_HAND_DEPTH`.

        Args:
            left, right: joints of left and right arms, shape (M, 4, 3), [m].
        """
        gaps = _part_gaps(left, right, _PART_PAIRS)
        gaps[:, :_ARM_PAIRS] = (gaps[:, :_ARM_PAIRS] - _APART_MARGIN) / _DEPTH
        gaps[:, _ARM_PAIRS:] /= _HAND_DEPTH
        return np.minimum(gaps, 0.0)

    def residuals_without_hands(self, left: Floats, right: Floats) -> Floats:
        """The first three columns of `residuals`: forearms and upper arms alone, shape (M, 3)."""
        return np.minimum(arm_gaps(left, right) - _APART_MARGIN, 0.0) / _DEPTH


def depths_in_legs(legs: Floats, joints: Floats) -> Floats:
    """Greatest depth of the skin of each arm in its body's legs, [m], shape (M, 2).

    Outside of the legs it is negative, and −`_LEG_MARGIN` for all arms that are farther
    from them.

    Args:
        legs: joints of legs, shape (M, 2, 4, 3): left and right leg; hip, knee, ankle and toes;
            coordinates, [m].
        joints: joints of arms, shape (M, 2, 4, 3): left and right arm; shoulder, elbow, wrist and
            palm; coordinates, [m].
    """
    # Six bones of each body: the upper arm, forearm and hand of the left arm, then of the right.
    starts = joints[:, :, :-1].reshape(-1, 6, 3)
    bones = np.diff(joints, axis=2).reshape(-1, 6, 3)
    # The skin of a bone is nowhere deeper than its middle by more than half its length and its
    # radius. Most bones are ruled out so, and others are measured against all six bones of legs.
    extents = np.tile(_BONE_EXTENTS, 2)  # the same for both arms
    most_depths = leg_depth(starts + bones / 2.0, legs) + extents
    body, bone = np.nonzero(most_depths > -_LEG_MARGIN)
    # The batch last, shape (3, 1, R) for R bones of arms, and (3, 6, R) for the bones of legs.
    leg_starts = legs[body, :, :-1].reshape(-1, 6, 3).transpose(2, 1, 0)
    leg_bones = np.diff(legs[body], axis=2).reshape(-1, 6, 3).transpose(2, 1, 0)
    gaps = _bone_gaps(
        starts[body, bone].T[:, None],
        bones[body, bone].T[:, None],
        _BONE_RADII[bone % 3][:, [0, -1]].T,  # those of the right arm are like those of the left
        leg_starts,
        leg_bones,
        LEG_RADII.T[..., None],
    )
    depths = np.full_like(most_depths, -_LEG_MARGIN)
    depths[body, bone] = -gaps.min(axis=0)
    return depths.reshape(-1, 2, 3).max(axis=-1)


def arm_gaps(left: Floats, right: Floats) -> Floats:
    """Gaps between forearms, and between each forearm and the other upper arm, shape (M, 3), [m].

    Args:
        left, right: joints of left and right arms, shape (M, 4, 3), [m].
    """
    return _part_gaps(left, right, _PART_PAIRS[:_ARM_PAIRS])


def _part_gaps(left: Floats, right: Floats, pairs: Integers) -> Floats:
    """Gaps between parts of left and of right arms, negative where they overlap, shape (M, P), [m].

    Args:
        left, right: joints of arms, shape (M, 4, 3), [m].
        pairs: a part of the left and a part of the right arm, shape (P, 2): 0 for an upper arm, 1
            for a forearm and 2 for a hand.
    """
    # The batch last: from here on shape (3, joints or P, M). Part k is from joint k to joint k + 1.
    left = left.transpose(2, 1, 0)
    right = right.transpose(2, 1, 0)
    left_part, right_part = pairs.T
    left_start = left.take(left_part, axis=1)
    right_start = right.take(right_part, axis=1)
    return _bone_gaps(
        left_start,
        left.take(left_part + 1, axis=1) - left_start,
        _PART_END_RADII[left_part].T[..., None],
        right_start,
        right.take(right_part + 1, axis=1) - right_start,
        _PART_END_RADII[right_part].T[..., None],
    ).T


def _bone_gaps(
    left_start: Floats,
    left_axis: Floats,
    left_radii: Floats,
    right_start: Floats,
    right_axis: Floats,
    right_radii: Floats,
) -> Floats:
    """Gaps between bones, negative where they overlap, shape (P, M), [m].

    A gap is the distance between the nearest points of both axes, less the radii there, which is
    exact for cylinders (C. Ericson, "Real-Time Collision Detection", 2005, 5.1.9).

    Args:
        left_start, right_start: first ends of bones, columns (3, P, M) or (3, 1, M), [m].
        left_axis, right_axis: vectors from there to their last ends, likewise.
        left_radii, right_radii: radii of the first and the last ends, (2, P, 1) or (2, M), [m].
    """
    between = left_start - right_start
    left_square = column_dot(left_axis, left_axis)
    right_square = column_dot(right_axis, right_axis)
    product = column_dot(left_axis, right_axis)
    left_projection = column_dot(left_axis, between)
    right_projection = column_dot(right_axis, between)
    # Left axes are p + s a and right ones q + t b, with s and t from 0 to 1 on the bones. With
    # r = p − q, the squared distance |r + s a − t b|² of whole lines is least at
    #   s = ((a·b)(b·r) − (a·r)(b·b)) / ((a·a)(b·b) − (a·b)²).
    # For a given s it is least at t = ((a·b) s + b·r) / (b·b), and for a given t at
    # s = ((a·b) t − a·r) / (a·a). In this order, each is limited to its bone. The bound 1e-6 avoids
    # a division by 0 for parallel lines, where any s will do.
    determinant = np.maximum(left_square * right_square - product * product, 1e-6)
    numerator = product * right_projection - left_projection * right_square
    left_share = unit_interval(numerator / determinant)
    right_share = unit_interval((product * left_share + right_projection) / right_square)
    left_share = unit_interval((product * right_share - left_projection) / left_square)
    distance = column_norm(between + left_share * left_axis - right_share * right_axis)
    # Radii change linearly from the first to the last end of a bone.
    left_radius = left_radii[0] + left_share * (left_radii[1] - left_radii[0])
    right_radius = right_radii[0] + right_share * (right_radii[1] - right_radii[0])
    return np.asarray(distance - left_radius - right_radius)


class ArmLimits(NamedTuple):
    """All limits of arms; their residuals are concatenated along the last axis."""

    wrists: LimitJoints
    spare: SpareWrists
    body: KeepClearOfBody
    props: KeepClearOfProps
    places: ReachPlaces
    apart: KeepArmsApart

    def single_arm_residuals(self, state: ArmState) -> Floats:
        """Residuals of each arm that do not depend on the other arm, shape (M, 2, 14)."""
        return np.concatenate([limit.residuals(state) for limit in self[:-1]], axis=-1)

    def joined(self, single_arm: Floats, between_arms: Floats) -> Floats:
        """Join the residuals of the left arm, of the right arm, and of the gaps between both.

        Args:
            single_arm: as in `single_arm_residuals`, shape (..., 2, 14).
            between_arms: as in `KeepArmsApart.residuals`, shape (..., 7).

        Returns:
            Shape (..., 35).
        """
        both = single_arm.reshape(*single_arm.shape[:-2], -1)
        return np.concatenate([both, between_arms], axis=-1)

    def residuals(self, state: ArmState) -> Floats:
        """All residuals of both arms of M bodies, shape (M, 35), in the order of `joined`."""
        between_arms = self.apart.residuals(state.joints[:, 0], state.joints[:, 1])
        return self.joined(self.single_arm_residuals(state), between_arms)

    @property
    def margins(self) -> Floats:
        """Residuals up to which arms at ease need no plan, shape (35,)."""
        of_arm = np.concatenate([limit.margins for limit in self[:-1]])
        return self.joined(np.tile(of_arm, (2, 1)), self.apart.margins)


KNOT_RATE = 14.0
"""Knots of the plan a second."""

MAX_KNOTS = 6_000
"""Knots times jugglers beyond which arms are not planned."""

# Times from when a hand holds a prop, before and after, at which its forearm may touch it, [s]; and
# how many spheres of props are seen from each arm.
_HANDLING = (-0.08, -0.04, 0.0, 0.04, 0.08)
_NEAREST_SPHERES = 24

_SAMPLES = 8  # moments of each interval between knots
_ROWS_AT_ONCE = 1_000  # of derivatives; intermediate values stay in the processor's cache
_MAX_MOMENTS_OF_RETRIES = 6_000  # moments of a loop in which no other start is tried

# Deviations of the values of an arm that count as a residual of 1: three turns of the hand, [rad],
# and the three components of the pole. They are smaller for hands that hold clubs, which are in
# line with them, and tiny for hands that must not turn.
_VALUE_UNITS = np.array([0.5, 0.36, 0.5, 0.6, 0.6, 0.6])
_CLUB_VALUE_UNITS = np.array([0.1, 0.1, 0.5, 0.6, 0.6, 0.6])
_FIXED_HAND_UNITS = np.array([1e-4, 1e-4, 1e-4, 0.6, 0.6, 0.6])

# Largest turns of hands from where they are at ease, and the excess that counts as 1, [rad]; poles
# have no limit.
_MAX_HAND_TURNS = np.array([*np.radians([55.0, 50.0, 60.0]), np.inf, np.inf, np.inf])
_TURN_EXCESS = np.radians(3.0)

_FREQUENCY = 2.5  # Hz, up to which turns and poles follow what they should do

# Elbows that accelerate less are calm; people's wrists need 142 m/s² with five props.
_ELBOW_ACCELERATION_LIMIT = AccelerationLimit(most=110.0, excess=20.0)

# Firmness of limits, and steps with it. From arms at ease limits become firm by and by, so that
# arms do not leap. Then other starts are tried, which know what they are to keep; then the last.
_SOFT_STAGES = (
    Stage(limit_weight=0.1, steps=6, min_gain=0.1),
    Stage(limit_weight=0.3, steps=4, min_gain=0.1),
)
_FIRM_STAGE = (Stage(limit_weight=1.0, steps=12, min_gain=0.05),)
_OTHER_STAGE = (Stage(limit_weight=1.0, steps=20, min_gain=0.03),)
_LAST_STAGE = (Stage(limit_weight=1.0, steps=30, min_gain=0.005),)
_DAMPING = 0.2
_LARGEST_STEP = 0.5

# Options of an arm of which a start is made: lift of the elbow, yaw and pitch of the hand, [rad].
_OPTIONS = np.radians(
    [
        (lift, yaw, pitch)
        for lift in (0.0, -50.0, 50.0, 100.0)
        for yaw in (0.0, -35.0, 35.0)
        for pitch in (0.0, -35.0, 35.0)
    ]
)
_STEP_UNIT = np.radians([15.0, 12.0, 12.0])  # of a step from one option to the next
_COST_REACH = 3  # moments of the search to either side, whose costs an option has to bear, too
_NEAR_ARMS = 0.10  # m, gap between arms at which they may meet
_RETRY_EXCESS = 1.5  # residual beyond the margin of a limit from which other starts are tried
_POLES = ((2.5, 1.2, 0.0), (0.0, 2.8, 0.0), (0.0, -2.8, 0.0))  # tried where elbows would flip over
# Columns of `ArmLimits.residuals`: the pronations of the left and of the right forearm. Each is the
# first of the 14 residuals of its arm.
_PRONATION_COLUMNS = [0, 14]
_OVERTURNED_FOREARM = 8.0  # residual of the turn of a forearm from which a hanging elbow is tried
_HANGING_LIFT = -0.8  # rad, by which that elbow is lifted, so it is lowered
_FLIP_ACCELERATION = 6.0 * _ELBOW_ACCELERATION_LIMIT.most  # m/s², of an elbow that flips over
_BLEND_TIME = 0.18  # s, before and after such moments in which a start returns to arms at ease

_DIFFERENCE_STEP = 1e-3  # of values, for derivatives by differences
_NEGLIGIBLE_VALUE = 1e-4  # values up to this size change no arm noticeably

_ARM_VALUES = 2 * ARM_CHANNELS

_MIRROR = Mirror(np.roll(np.arange(_ARM_VALUES), ARM_CHANNELS), np.ones(_ARM_VALUES))


def draft_arms(
    motion: Motion, plan: BodyPlan, stretch: Stretch | None = None
) -> PeriodicSpline | None:
    """Plan arms coarsely, with limits that are not all kept.

    Args:
        motion, plan, stretch: as in `plan_arms`.

    Returns:
        Like `plan_arms`.
    """
    return _controls_by_groups(
        motion, plan, stretch, None, lambda relaxed, _draft: _drafted_controls(relaxed)
    )


def plan_arms(
    motion: Motion,
    plan: BodyPlan,
    stretch: Stretch | None = None,
    draft: PeriodicSpline | None = None,
) -> PeriodicSpline | None:
    """Plan how hands turn and elbows swivel over a loop, so that arms keep their limits.

    Args:
        motion: paths of hands.
        plan: the other movements of the bodies. Jugglers who share a pose by it are planned once.
        stretch: the part of the loop that is planned, a time span with its knots; None for all.
        draft: a coarse plan of the same stretch to begin with, from `draft_arms`; None to make it.

    Returns:
        Spline with control values of shape (N, J, 2, `ARM_CHANNELS`), 0 for jugglers whose arms
        break no limit at ease. None if nobody's arms do, or if there are more than `MAX_KNOTS`
        knots times jugglers.
    """
    return _controls_by_groups(motion, plan, stretch, draft, _planned_controls)


def _controls_by_groups(
    motion: Motion,
    plan: BodyPlan,
    stretch: Stretch | None,
    draft: PeriodicSpline | None,
    solve: Callable[[_RelaxedArms, Floats | None], Floats],
) -> PeriodicSpline | None:
    """Solve for the arms of all jugglers who need a plan, block by block.

    Args:
        motion, plan, stretch, draft: as in `plan_arms`.
        solve: finds control values of J jugglers, shape (N, J, `_ARM_VALUES`), from their arms at
            ease and their controls in the draft; None without a draft.

    Returns:
        As in `plan_arms`.
    """
    # Indices of the jugglers who are posed: of those who move alike only one.
    posed = np.arange(motion.choreography.jugglers)[plan.posed]
    jugglers = len(posed)
    if stretch is None:
        # A multiple of `BANDS` for each half of the loop, in case these are mirror images.
        multiple = 2 * BANDS
        knots = multiple * max(1, round(motion.duration * KNOT_RATE / multiple))
        stretch = Stretch(knots, motion.duration)
    knots = stretch.knots
    if knots * jugglers > MAX_KNOTS:
        return None
    times = stretch.times(_SAMPLES)
    targets = ArmTargets.from_plan(motion, plan, times)
    if motion.choreography.throws_around_body.any():
        back = plan.trunk.back[posed]
        targets = replace(targets, props=_props_near_arms(motion, times, posed, back, targets))
    # Jugglers are planned in two groups, by indices into `posed`. Where the second half of the loop
    # mirrors the first, only the first half is solved.
    planned = np.arange(jugglers)
    is_mirrored = targets.mirrored_halves & (not stretch.closing)
    elbow_lifts = _body_throw_elbow_lifts(motion, times)[:, posed]
    all_controls = np.zeros((knots, jugglers, _ARM_VALUES))
    for group, mirror in (
        (planned[is_mirrored], _MIRROR),
        (planned[~is_mirrored], Mirror.none(_ARM_VALUES)),
    ):
        if not group.size:
            continue
        relaxed = _RelaxedArms.from_targets(motion, targets, group, elbow_lifts, stretch, mirror)
        # Indices in `group` of those who break a limit at ease, planned block by block.
        breaking = np.flatnonzero(relaxed.needs_plan.any(axis=0))
        block_size = max(1, BLOCK // len(relaxed.limit_residuals))
        for first in range(0, len(breaking), block_size):
            block = breaking[first : first + block_size]
            start = None
            if draft:
                # The first half of mirrored loops; a draft has both.
                planned_knots = len(relaxed.limit_residuals) // _SAMPLES
                start = draft.controls[:planned_knots, posed[group[block]]]
                start = start.reshape(planned_knots, len(block), _ARM_VALUES)
            controls = solve(relaxed.for_jugglers(block), start)
            all_controls[:, group[block]] = mirror.whole(controls)
    if not all_controls.any():
        return None
    # All jugglers, each with the plan of the one whose pose they share.
    controls = all_controls[:, plan.pose_index].reshape(knots, -1, 2, ARM_CHANNELS)
    return PeriodicSpline(controls, stretch.duration, stretch.start)


def elbows_and_wrists(
    motion: Motion, plan: BodyPlan, stretch: Stretch | None = None
) -> PeriodicSpline:
    """Elbows and wrists of all jugglers, of whose arms legs keep clear.

    Args:
        motion: paths of hands.
        plan: the movements of the bodies.
        stretch: the part of the loop that is wanted, a time span with its knots, which are here
            made denser than those of trunks; None for all.

    Returns:
        Spline of the places of both elbows, then of both wrists, control values of shape (T, J, 4,
        3), in the frame of the body, [m].
    """
    # A knot at every moment of an arm plan.
    if stretch is None:
        dense = Stretch(_SAMPLES * max(1, round(motion.duration * KNOT_RATE)), motion.duration)
    else:
        dense = stretch.finer(round(_SAMPLES * KNOT_RATE * stretch.duration / stretch.knots))
    times = dense.times(1)
    targets = ArmTargets.from_plan(motion, plan, times)
    values = plan.arms.at(times)[:, plan.posed] if plan.arms else None
    arms = targets.pose_arms(values)
    joints = np.concatenate([arms.elbows, arms.wrists], axis=-2)[:, plan.pose_index]
    return PeriodicSpline(joints, dense.duration, dense.start)


def _halved(relaxed: _RelaxedArms) -> _RelaxedArms:
    """Arms at half of the moments, which are enough until the last stage.

    They are not for throws around the body, for which elbows rise fast. Knots are the same.
    """
    return relaxed if relaxed.target_values.any() else relaxed.every_other_moment()


def _drafted_controls(relaxed: _RelaxedArms) -> Floats:
    """Solve coarsely for the arms of J jugglers: the weight of the limits grows stage by stage.

    Args:
        relaxed: arms at ease of J jugglers.

    Returns:
        Control values, shape (N, J, `_ARM_VALUES`).
    """
    half = _halved(relaxed)
    return _solve_from_best_start(half, _initial_controls(half), _SOFT_STAGES).controls


def _planned_controls(relaxed: _RelaxedArms, draft: Floats | None) -> Floats:
    """Solve for the arms of J jugglers who break limits at ease.

    Jugglers who are still far beyond a limit with firm limits begin again from several starts, and
    the best result is kept. The last stage goes on from there.

    Args:
        relaxed: arms at ease of J jugglers.
        draft: control values to begin with, of the shape of the result; None to draft them.

    Returns:
        Control values, shape (N, J, `_ARM_VALUES`).
    """
    soft = _drafted_controls(relaxed) if draft is None else draft
    controls = _solve_from(_halved(relaxed), soft, _FIRM_STAGE).controls
    residuals = _ArmProblem(relaxed).residuals(_sample_spline(relaxed, controls))
    far_beyond = np.flatnonzero(_is_far_beyond_limits(relaxed, residuals))
    if far_beyond.size and len(relaxed.limit_residuals) <= _MAX_MOMENTS_OF_RETRIES:
        far_arms = relaxed.for_jugglers(far_beyond)
        starts = [
            controls[:, far_beyond],
            *_alternative_starts(far_arms, soft[:, far_beyond]),
        ]
        controls = controls.copy()
        controls[:, far_beyond] = _solve_from_best_start(far_arms, starts, _OTHER_STAGE).controls
    return _solve_from(relaxed, controls, _LAST_STAGE).controls


def _solve_from_best_start(
    relaxed: _RelaxedArms, starts: list[Floats], stages: Sequence[Stage]
) -> Solution:
    """Solve from several starts, and keep for each juggler the solution of least cost.

    Args:
        relaxed: arms at ease of J jugglers.
        starts: one or more arrays of control values, each of shape (N, J, `_ARM_VALUES`).
        stages: weights of the limits and numbers of steps.
    """
    jugglers = np.arange(relaxed.limit_residuals.shape[1])
    if len(starts) == 1:
        return _solve_from(relaxed, starts[0], stages)
    # All starts are solved at once: start s of juggler j is juggler s · J + j of the problem.
    copies = relaxed.for_jugglers(np.tile(jugglers, len(starts)))
    solution = _solve_from(copies, np.concatenate(starts, axis=1), stages)
    best_start = solution.cost.reshape(len(starts), -1).argmin(axis=0)
    return solution.for_jugglers(best_start * len(jugglers) + jugglers)


def _solve_from(relaxed: _RelaxedArms, start: Floats, stages: Sequence[Stage]) -> Solution:
    """Minimise the sum of squared residuals of arms from one start.

    Args:
        relaxed: arms at ease of J jugglers at T moments.
        start: control values, shape (N, J, `_ARM_VALUES`).
        stages: weights of the limits and numbers of steps.
    """
    # A value that swings by its unit at `_FREQUENCY` has these greatest accelerations. They cost 1.
    unit_accelerations = relaxed.units * (2.0 * np.pi * _FREQUENCY) ** 2
    moments = len(relaxed.limit_residuals)
    return least_squares(
        _ArmProblem(relaxed),
        start,
        duration=relaxed.period * moments,
        acceleration_costs=1.0 / unit_accelerations**2,
        stages=stages,
        limit=_ELBOW_ACCELERATION_LIMIT,
        samples=relaxed.samples,
        damping=_DAMPING,
        largest_step=_LARGEST_STEP,
        mirror=relaxed.mirror,
        counted=relaxed.counted,
    )


@dataclass(frozen=True)
class _RelaxedArms:
    """Arms of J jugglers at ease at T even moments of a loop, their targets and their limits.

    Args:
        limits: the limits that arms should keep.
        units: deviations of the values of both arms that count as 1, shape (`_ARM_VALUES`,).
        period: time from each moment to the next, [s].
        targets: places and turns of hands, trunks and legs, of leading shape (T · J, 1).
        joints: shoulder, elbow, wrist and palm of arms at ease, shape (T, J, 2, 4, 3), [m].
        limit_residuals: residuals of the limits for arms at ease, shape (T, J, R), 0 within limits.
        target_values: values of the plan from which deviations count, shape
            (T, J, `_ARM_VALUES`): those of throws around the body lift elbows, others are 0.
        mirror: the image as which the motion goes on after the T moments.
        counted: at which moments residuals count, shape (T,), from `Stretch.counted`.
        samples: number of moments from one knot to the next.
    """

    limits: ArmLimits
    units: Floats
    period: float
    targets: ArmTargets
    joints: Floats
    limit_residuals: Floats
    target_values: Floats
    mirror: Mirror
    counted: Booleans
    samples: int = _SAMPLES

    @staticmethod
    def from_targets(
        motion: Motion,
        targets: ArmTargets,
        jugglers: Integers,
        elbow_lifts: Floats,
        stretch: Stretch,
        mirror: Mirror,
    ) -> _RelaxedArms:
        """Pose arms at ease, and compute their limits and target values.

        Args:
            motion: the hand style and the kinds of props are read.
            targets: targets of the arms of all jugglers, at even moments of the stretch.
            jugglers: indices of the J jugglers to pose, shape (J,).
            elbow_lifts: angles by which throws around bodies lift elbows, for the same moments and
                jugglers as the targets, as in `_body_throw_elbow_lifts`, [rad].
            stretch: the time span of the plan.
            mirror: with a mirror image, only the first half of the moments is taken; the identity
                to take all.
        """
        stretch_moments = len(targets.hands)
        moments = stretch_moments // 2 if mirror.is_mirror else stretch_moments
        count = len(jugglers)
        is_around_body = bool(motion.choreography.throws_around_body.any())
        # In Juggling Lab's style hands do not turn, and wrists have no limit.
        hands_are_fixed = motion.choreography.as_juggling_lab and not is_around_body
        limits = ArmLimits(
            wrists=LimitJoints(free=hands_are_fixed),
            spare=SpareWrists(around=is_around_body),
            body=KeepClearOfBody(around=is_around_body),
            props=KeepClearOfProps(),
            places=ReachPlaces(),
            apart=KeepArmsApart(),
        )
        units = _VALUE_UNITS
        if hands_are_fixed:
            units = _FIXED_HAND_UNITS
        elif motion.shapes.has_clubs:
            units = _CLUB_VALUE_UNITS
        # Rows of `flat` are pairs of a moment and a juggler, sorted by moment.
        flat = targets.at(np.repeat(np.arange(moments), count), np.tile(jugglers, moments))
        values_at_ease = np.zeros((moments * count, 2, ARM_CHANNELS))
        state = ArmState.posed(flat, values_at_ease)
        limit_residuals = limits.residuals(state)
        joints = state.joints.reshape(moments, count, 2, 4, 3)
        return _RelaxedArms(
            limits=limits,
            units=np.tile(units, 2),
            period=stretch.duration / stretch_moments,
            targets=flat,
            joints=joints,
            limit_residuals=limit_residuals.reshape(moments, count, -1),
            target_values=_lifting_values(joints, elbow_lifts[:moments, jugglers]),
            mirror=mirror,
            counted=stretch.counted(stretch_moments // stretch.knots)[:moments],
        )

    def for_jugglers(self, jugglers: Integers) -> _RelaxedArms:
        """Select K jugglers by their indices, shape (K,), which may repeat."""
        # Rows of the targets are pairs of a moment and a juggler, sorted by moment.
        moments, count = self.limit_residuals.shape[:2]
        rows = (np.arange(moments)[:, None] * count + jugglers).ravel()
        return replace(
            self,
            targets=self.targets.at(rows),
            joints=self.joints[:, jugglers],
            limit_residuals=self.limit_residuals[:, jugglers],
            target_values=self.target_values[:, jugglers],
        )

    def every_other_moment(self) -> _RelaxedArms:
        """Halve the sampling rate: keep moments 0, 2, 4 … of an even number of moments."""
        moments, count = self.limit_residuals.shape[:2]
        rows = np.arange(moments * count).reshape(moments, count)[::2].ravel()
        return replace(
            self,
            period=2.0 * self.period,
            targets=self.targets.at(rows),
            joints=self.joints[::2],
            limit_residuals=self.limit_residuals[::2],
            target_values=self.target_values[::2],
            counted=self.counted[::2],
            samples=self.samples // 2,
        )

    @property
    def elbow_accelerations(self) -> Floats:
        """Acceleration of the faster elbow of arms at ease, shape (T, J), [m/s²].

        It is 0 at moments that do not count.
        """
        fastest = accelerations(self.joints[..., 1, :], self.period, self.mirror).max(axis=-1)
        return fastest * self.counted[:, None]

    def means_at_knots(self, values: Floats) -> Floats:
        """Means of values over the interval around each knot, shape (N, ...).

        Args:
            values: at all moments, shape (T, ...).
        """
        # Shifted by half an interval, so that a knot is in the middle of its moments.
        shifted = self.mirror.extended(values, self.samples // 2, 0)[: len(values)]
        return shifted.reshape(-1, self.samples, *values.shape[1:]).mean(axis=1)

    @property
    def needs_plan(self) -> Booleans:
        """Where arms cannot stay at ease, shape (T, J).

        That is where they break a limit, an elbow accelerates too fast, or a throw around the body
        lifts an elbow.
        """
        is_needed = (np.abs(self.limit_residuals) > self.limits.margins).any(axis=-1)
        is_needed |= self.target_values.any(axis=-1)
        is_needed &= self.counted[:, None]
        return is_needed | (self.elbow_accelerations > _ELBOW_ACCELERATION_LIMIT.most)


def _initial_controls(relaxed: _RelaxedArms) -> list[Floats]:
    """Return the control values with which the search begins.

    Args:
        relaxed: arms at ease of J jugglers.

    Returns:
        One array or more, each of shape (N, J, `_ARM_VALUES`): the target values; zeros, unless the
        target values are; and, if a forearm turns too far, target values with hanging elbows around
        such moments.
    """
    starts = [relaxed.target_values]
    if relaxed.target_values.any():
        starts.append(np.zeros_like(relaxed.target_values))
    pronation_excess = np.abs(relaxed.limit_residuals[..., _PRONATION_COLUMNS])
    is_overturned = pronation_excess.max(axis=-1) > _OVERTURNED_FOREARM
    is_overturned &= relaxed.counted[:, None]
    if is_overturned.any():
        # An elbow that rose too far might as well hang. Both elbows do.
        blend = round(_BLEND_TIME / relaxed.period)
        lift = _HANGING_LIFT * _fade_around(is_overturned, blend)
        lift_of_both = np.repeat(lift[..., None], 2, axis=-1)
        starts.append(relaxed.target_values + _lifting_values(relaxed.joints, lift_of_both))
    return [relaxed.means_at_knots(values) for values in starts]


def _is_far_beyond_limits(relaxed: _RelaxedArms, residuals: Residuals) -> Booleans:
    """Whether the planned arms of each juggler are far beyond a limit at some moment, shape (J,).

    That is so if a residual exceeds the margin of its limit by more than `_RETRY_EXCESS` (1.5), or
    if an elbow accelerates by more than 6 times its limit of 110 m/s², as one that flips over.

    Args:
        relaxed: arms at ease of J jugglers, with their limits and the moments that count.
        residuals: residuals of the planned arms; those of limits have the shape (T, J, R), and the
            points are the elbows, shape (T, J, 2, 3), [m].
    """
    # Residuals of a plan are softened, so the bound is softened as well.
    bound = soften(relaxed.limits.margins + _RETRY_EXCESS)
    is_beyond = (np.abs(residuals.limits[relaxed.counted]) > bound).any(axis=(0, 2))
    if residuals.points is not None:
        # Shape (T, J, 2), [m/s²].
        elbow_accelerations = accelerations(residuals.points, relaxed.period, relaxed.mirror)
        fastest = elbow_accelerations[relaxed.counted].max(axis=(0, 2))
        is_beyond |= fastest > _FLIP_ACCELERATION
    return np.asarray(is_beyond)


def _sample_spline(relaxed: _RelaxedArms, controls: Floats) -> Floats:
    """Values at all moments of the spline with some control values, (T, J, `_ARM_VALUES`)."""
    times = np.arange(float(len(relaxed.limit_residuals))) * relaxed.period
    whole = relaxed.mirror.whole(controls)
    return PeriodicSpline(whole, len(whole) * relaxed.samples * relaxed.period).at(times)


def _alternative_starts(relaxed: _RelaxedArms, controls: Floats) -> list[Floats]:
    """Return alternative initial control values for arms that did not come within their limits.

    Args:
        relaxed: arms of J jugglers at ease.
        controls: control values that the first starts led to while limits were soft, shape
            (N, J, `_ARM_VALUES`).

    Returns:
        Two arrays or more, each of shape (N, J, `_ARM_VALUES`). The first has the values of
        `controls` plus the sequence of options (lifts of elbows and turns of hands) that costs
        least, the second such a sequence alone. If elbows flip over, others have elbows that stay
        on one side then.
    """
    moments, jugglers = relaxed.limit_residuals.shape[:2]
    first_values = _sample_spline(relaxed, controls)
    at_ease = np.zeros_like(first_values)
    starts = []
    for values in (first_values, at_ease):
        state = ArmState.posed(relaxed.targets, values.reshape(-1, 2, ARM_CHANNELS))
        joints = state.joints.reshape(moments, jugglers, 2, 4, 3)
        starts.append(_cheapest_option_values(relaxed, values, joints))
    # Around moments at which an elbow at ease flips over, poles (vectors toward which elbows are
    # drawn) keep both elbows on one side.
    is_flipping = relaxed.elbow_accelerations > _FLIP_ACCELERATION
    if is_flipping.any():
        weight = _fade_around(is_flipping, round(_BLEND_TIME / relaxed.period))[..., None, None]
        for pole in _POLES:
            one_sided = relaxed.target_values.reshape(moments, jugglers, 2, ARM_CHANNELS).copy()
            one_sided[..., POLE] += weight * np.array(pole)
            starts.append(one_sided.reshape(moments, jugglers, -1))
    return [relaxed.means_at_knots(values) for values in starts]


def _cheapest_option_values(relaxed: _RelaxedArms, start: Floats, joints: Floats) -> Floats:
    """Choose one of a few options for each arm at each moment, so that the sequence costs least.

    Which forearm goes over the other, and whether an elbow hangs or rises, is chosen by dynamic
    programming (R. Bellman, "Dynamic Programming", 1957) over pairs of options of both arms. A pair
    costs the sum of its squared residuals: those of each arm by itself, and, where the arms come
    near each other, those of the gaps between them. An arm that changes its option from one moment
    to the next costs the squared changes of its angles, in units of `_STEP_UNIT`.

    Args:
        relaxed: arms of J jugglers at ease at T moments, an even number: those of a loop, or of its
            first half where the second half is the mirror image.
        start: values to which options are added, shape (T, J, `_ARM_VALUES`).
        joints: joints of arms with these values, shape (T, J, 2, 4, 3), [m].

    Returns:
        Values of the plan with the chosen options, shape (T, J, `_ARM_VALUES`).
    """
    # Half of the moments are enough to choose; in the end each choice also stands for the moment
    # after it.
    relaxed = relaxed.every_other_moment()
    joints = joints[::2]
    moments, jugglers = joints.shape[:2]
    options = _OPTIONS  # rows of lift, yaw and pitch, shape (K, 3), [rad]
    if relaxed.limits.wrists.free:
        # Hands must not turn: only options without yaw and pitch.
        turns_hand = options[:, 1:].any(axis=1)
        options = options[~turns_hand]
    values = _option_values(options, start[::2], joints)
    state = ArmState.posed(
        relaxed.targets.at(np.tile(np.arange(moments * jugglers), len(options))),
        values.reshape(-1, 2, ARM_CHANNELS),
    )
    arm_costs = _single_arm_costs(relaxed, state, values)
    option_joints = state.joints.reshape(*values.shape[:3], 2, 4, 3)
    # Only where the forearms and upper arms come near each other can options make arms meet.
    gaps = arm_gaps(joints[:, :, 0].reshape(-1, 4, 3), joints[:, :, 1].reshape(-1, 4, 3))
    is_near = (gaps < _NEAR_ARMS).any(axis=-1).reshape(moments, jugglers)
    # Costs of a change from one option to another, shape (K, K).
    changes = (options[:, None] - options) / _STEP_UNIT
    step_costs = (changes**2).sum(axis=-1)
    is_half_loop = relaxed.mirror.is_mirror
    chosen = np.empty((moments, jugglers, 2, ARM_CHANNELS))
    values = values.reshape(*values.shape[:3], 2, ARM_CHANNELS)
    for juggler in range(jugglers):
        costs = _option_pair_costs(
            relaxed.limits.apart,
            arm_costs[:, :, juggler],
            option_joints[:, :, juggler],
            is_near[:, juggler],
        )
        # Moments that do not count leave the choice free.
        costs[~relaxed.counted] = 0.0
        costs = _largest_costs_nearby(costs, is_half_loop)
        course = _cheapest_cycle(costs, step_costs, is_half_loop)
        for side in (0, 1):
            chosen[:, juggler, side] = values[course[:, side], np.arange(moments), juggler, side]
    return np.repeat(chosen.reshape(moments, jugglers, -1), 2, axis=0)


def _option_values(options: Floats, start: Floats, joints: Floats) -> Floats:
    """Values of the plan with each of K options, the same for both arms, (K, T, J, `_ARM_VALUES`).

    Args:
        options: lift of the elbow, yaw and pitch of the hand, shape (K, 3), [rad].
        start: values to which options are added, shape (T, J, `_ARM_VALUES`).
        joints: joints of arms with these values, shape (T, J, 2, 4, 3), [m].
    """
    arms = joints.shape[:3]
    return np.stack(
        [
            start + _lifting_values(joints, np.broadcast_to(lift, arms), yaw, pitch)
            for lift, yaw, pitch in options
        ]
    )


def _single_arm_costs(relaxed: _RelaxedArms, state: ArmState, values: Floats) -> Floats:
    """Costs of each arm by itself with each of K options, shape (K, T, J, 2).

    They are the squared residuals of its limits, and the squares of its values in their units.

    Args:
        relaxed: arms of J jugglers at ease at T moments, with limits and units.
        state: the arms with the options, K · T · J rows.
        values: values of the plan with the options, shape (K, T, J, `_ARM_VALUES`).
    """
    costs = (soften(relaxed.limits.single_arm_residuals(state)) ** 2).sum(axis=-1)
    costs += ((values / relaxed.units) ** 2).reshape(-1, 2, ARM_CHANNELS).sum(axis=-1)
    return np.asarray(costs.reshape(*values.shape[:3], 2))


def _largest_costs_nearby(costs: Floats, is_half_loop: bool) -> Floats:
    """Running maximum of the cost of each pair of options, over `_COST_REACH` moments either way.

    The spline smooths what is chosen over neighbouring moments, so a pair must suit these, too.

    Args:
        costs: of K options of the left arm and K of the right arm at T moments, shape (T, K, K).
        is_half_loop: whether these moments are half a loop, whose other half is their mirror image.

    Returns:
        Shape (T, K, K).
    """
    # Beyond either end costs go on with those of the other end. At the ends of half a loop, what
    # goes on is the mirror image, in which the options of left and right arm change places.
    axes = (0, 2, 1) if is_half_loop else (0, 1, 2)
    padded = np.concatenate(
        [costs[-_COST_REACH:].transpose(axes), costs, costs[:_COST_REACH].transpose(axes)]
    )
    shifts = range(2 * _COST_REACH + 1)
    return np.maximum.reduce([padded[shift : shift + len(costs)] for shift in shifts])


def _option_pair_costs(
    keep_apart: KeepArmsApart, arm_costs: Floats, joints: Floats, is_near: Booleans
) -> Floats:
    """Costs of all pairs of an option of the left arm and an option of the right arm, (T, K, K).

    A pair costs the sum of both arms by themselves, plus, at moments at which the arms are near
    each other, the squared residuals of the gaps between them.

    Args:
        keep_apart: the limit of these gaps.
        arm_costs: costs of K options of each arm by itself at T moments, shape (K, T, 2).
        joints: joints of the arms with each option, shape (K, T, 2, 4, 3), [m].
        is_near: moments at which the arms are near each other, shape (T,).
    """
    options = len(arm_costs)
    costs = arm_costs[..., 0].T[:, :, None] + arm_costs[..., 1].T[:, None]
    # Left and right arms of all pairs of options at these M moments, shape (M, K, K, 4, 3). Single
    # precision is enough for gaps.
    near_joints = joints[:, is_near].swapaxes(0, 1).astype(np.float32)
    left, right = np.broadcast_arrays(near_joints[:, :, None, 0], near_joints[:, None, :, 1])
    residuals = keep_apart.residuals_without_hands(left.reshape(-1, 4, 3), right.reshape(-1, 4, 3))
    costs[is_near] += (soften(residuals) ** 2).sum(axis=-1).reshape(-1, options, options)
    return costs


def _cheapest_cycle(costs: Floats, steps: Floats, mirrored: bool) -> Integers:
    """Find the cheapest closed path through pairs of options, one pair at each moment (Viterbi).

    Args:
        costs: of pairs at T moments, shape (T, K, K): option of the left arm, then of the right.
        steps: costs of the change from one option to another of the same arm, shape (K, K).
        mirrored: whether the path goes on, after the last moment, with left and right exchanged.

    Returns:
        Options of the left and the right arm, shape (T, 2).
    """
    options = len(steps)

    # `total` has the least cost of a path to each pair. The costs of a step of both arms add up, so
    # its minimum is taken over the left arm first, then over the right arm.
    def with_left_steps(total: Floats) -> Floats:
        """Costs by the left option before, the left one after and the right one, (K, K, K)."""
        return total[:, None, :] + steps[:, :, None]

    def with_right_steps(total: Floats) -> Floats:
        """Costs by the left option, the right one after and the right one before, (K, K, K)."""
        return total[:, None, :] + steps[None]

    # The best end of a path hardly depends on its beginning. So the first lap, which may begin
    # anywhere, finds the last pair; the second lap begins and ends with that pair.
    total = np.zeros((options, options))
    for cost in costs:
        total = with_right_steps(with_left_steps(total).min(axis=0)).min(axis=-1) + cost
    end = np.unravel_index(total.argmin(), total.shape)
    total = np.full_like(total, np.inf)
    total[end[::-1] if mirrored else end] = 0.0
    predecessors = []
    for cost in costs:
        left_costs = with_left_steps(total)
        right_costs = with_right_steps(left_costs.min(axis=0))
        predecessors.append((left_costs.argmin(axis=0), right_costs.argmin(axis=-1)))
        total = right_costs.min(axis=-1) + cost
    # Backtrack from the end. Steps went left arm first, so they are taken back right arm first.
    left, right = (int(option) for option in end)
    path = []
    for left_before, right_before in reversed(predecessors):
        path.append((left, right))
        right = int(right_before[left, right])
        left = int(left_before[left, right])
    return np.array(path[::-1])


def _lifting_values(
    joints: Floats, lift: Floats, yaw: Floats | float = 0.0, pitch: Floats | float = 0.0
) -> Floats:
    """Values of the plan that lift elbows outward, and turn hands outward and up.

    Values are three turns of the hand and a pole, a vector that draws the elbow, for each arm.

    Args:
        joints: joints of the arms before, shape (T, J, 2, 4, 3), [m].
        lift: angle by which the elbow turns outward about the line from shoulder to wrist, shape
            (T, J, 2), [rad].
        yaw, pitch: outward and upward turn of the hands, likewise, or one angle for all.

    Returns:
        Shape (T, J, `_ARM_VALUES`).
    """
    # Components of poles are outward, up and ahead, so x of right arms changes its sign.
    outward = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]])
    # The unit direction of the elbow from the line between shoulder and wrist, and the direction at
    # right angles to both in which it moves as it is lifted.
    axis = unit(joints[..., 2, :] - joints[..., 0, :])
    upper = joints[..., 1, :] - joints[..., 0, :]
    elbow = unit(upper - dot(upper, axis) * axis)
    hinge = cross(axis, elbow) * outward[:, :1]
    values = np.zeros((*lift.shape, ARM_CHANNELS))
    values[..., HAND_YAW] = yaw
    values[..., HAND_PITCH] = pitch
    # A pole is added to the direction e of the elbow, which it turns to e cos φ + h sin φ.
    cosine = np.cos(lift)[..., None]
    sine = np.sin(lift)[..., None]
    values[..., POLE] = outward * ((cosine - 1.0) * elbow + sine * hinge)
    return values.reshape(*lift.shape[:2], _ARM_VALUES)


def _props_near_arms(
    motion: Motion, times: Floats, jugglers: Integers, back: Floats, targets: ArmTargets
) -> Floats:
    """Spheres of props that are nearest to each arm, those of `ArmTargets.props`.

    Args:
        motion: of the props and bodies.
        times: T times, shape (T,), [s].
        jugglers: indices, shape (J,).
        back: how far each of them stands back from its place, shape (J,), [m].
        targets: theirs; shoulders and hands are read.

    Returns:
        The `_NEAREST_SPHERES` spheres of each arm, or all if there are fewer, shape (T, J, 2, K,
        5), [m]: place in the frame of the body, radius, and by how much a forearm may come nearer,
        without limit where its hand handles the prop.
    """
    spheres = PropSpheres.from_bodies(motion, times, jugglers, back)
    # Hands are numbered left, right, juggler by juggler; shape (J, 2, 1).
    hands = 2 * jugglers[:, None, None] + np.array([[0], [1]])
    # Whether each hand holds the prop, or did so a moment ago or will, shape (T, J, 2, spheres).
    handled = np.zeros((len(times), len(jugglers), 2, len(spheres.radii)), dtype=bool)
    for offset in _HANDLING:
        holders = motion.holders(times + offset)[:, spheres.prop]
        handled |= holders[:, None, None] == hands
    places = np.broadcast_to(spheres.places[:, :, None], (*handled.shape, 3))
    radii = np.broadcast_to(spheres.radii, handled.shape)
    forearm_allowance = np.where(handled, np.inf, 0.0)
    props = np.concatenate([places, radii[..., None], forearm_allowance[..., None]], axis=-1)
    # Both bones of an arm are about the line from its shoulder to its hand. What the hand handles
    # it can meet with its upper arm only, so that its distance is from the shoulder.
    shoulders = targets.shoulders[..., None, :]
    line = targets.hands[..., None, :] - shoulders
    from_shoulders = places - shoulders
    share = unit_interval(dot(from_shoulders, line) / dot(line, line)) * ~handled[..., None]
    distance = norm(from_shoulders - share * line)[..., 0] - radii
    nearest = np.argsort(distance, axis=-1, kind="stable")[..., :_NEAREST_SPHERES]
    return np.take_along_axis(props, nearest[..., None], axis=-2)


def _body_throw_elbow_lifts(motion: Motion, times: Floats) -> Floats:
    """Angles by which throws and catches around bodies lift elbows outward, (T, J, 2), [rad].

    A lift grows from the hand's event before, by a cos² bell, is largest at the event, and is gone
    at the event after.

    Args:
        motion: its choreography says which throws and catches go around bodies.
        times: T times, shape (T,), [s], any value, as the loop repeats.
    """
    choreography = motion.choreography
    events = choreography.events
    loop = choreography.duration
    lifts = np.zeros((len(times), 2 * choreography.jugglers))
    if events.body_throw is not None:
        # Indices of throws and catches by hand and time, with the time from the one before and to
        # the next. Kinds of events after `CATCH` are no throws or catches.
        event = np.flatnonzero(events.kind <= CATCH)
        event = event[np.lexsort((events.time[event], events.hand[event]))]
        event_time = events.time[event]
        hand = events.hand[event]
        body_throw = events.body_throw[event]  # 0 for usual throws and catches
        following, gap_after = successors(hand, event_time, loop)
        gap_before = np.empty_like(gap_after)
        gap_before[following] = gap_after
        for row in np.flatnonzero(body_throw):
            # Time since the event, around the loop, from −loop / 2 to loop / 2.
            since = (times - event_time[row] + loop / 2) % loop - loop / 2
            gap = np.where(since < 0, gap_before[row], gap_after[row])
            share = np.minimum(np.abs(since) / gap, 1.0)  # 0 at the event, 1 from its neighbours on
            bell = np.cos(share * (np.pi / 2)) ** 2
            greatest_lift = np.radians(BODY_THROWS[body_throw[row] - 1].elbow)  # counted from 1
            lifts[:, hand[row]] += greatest_lift * bell
    return lifts.reshape(len(times), -1, 2)


def _fade_around(is_on: Booleans, blend: int) -> Floats:
    """Weights that are 1 where a condition holds and fall linearly to 0 around, shape (T, J).

    Args:
        is_on: where the condition holds, at T even moments around a loop, shape (T, J).
        blend: number of moments from the condition to the weight 0.
    """
    weight = is_on.astype(float)
    for step in range(1, blend):
        for shift in (-step, step):
            weight = np.maximum(weight, (1.0 - step / blend) * np.roll(is_on, shift, axis=0))
    return weight


def _turn_excess(values: Floats) -> Floats:
    """Turns of hands beyond `_MAX_HAND_TURNS`, in units of `_TURN_EXCESS`, (..., `_ARM_VALUES`).

    They have the sign of the turn, and are 0 within the limits.

    Args:
        values: values of the plan of both arms, shape (..., `_ARM_VALUES`).
    """
    largest = np.tile(_MAX_HAND_TURNS, 2)
    return np.asarray((values - np.clip(values, -largest, largest)) / _TURN_EXCESS)


@dataclass(frozen=True)
class _ArmProblem(Problem):
    """Least squares of both arms: small deviations from target values, within the limits of arms.

    Args:
        relaxed: the arms at ease.
    """

    relaxed: _RelaxedArms

    def for_jugglers(self, jugglers: Integers) -> _ArmProblem:
        """Select the problem of K jugglers by their indices, shape (K,)."""
        return _ArmProblem(self.relaxed.for_jugglers(jugglers))

    def residuals(self, values: Floats) -> Residuals:
        """Pose the arms with values of the plan, and return their residuals.

        Args:
            values: shape (T, J, `_ARM_VALUES`).

        Returns:
            Tasks: deviations from the target values in their units, and turns of hands beyond their
            limits. Limits: those of `ArmLimits`, softened. Points: the elbows.
        """
        # Arms whose values are nearly 0 are those at ease, whose limits and joints are known.
        limit_residuals = self.relaxed.limit_residuals.copy()
        elbows = self.relaxed.joints[..., 1, :].copy()
        # Views with a row for each moment and juggler.
        flat_limits = limit_residuals.reshape(-1, limit_residuals.shape[-1])
        flat_elbows = elbows.reshape(-1, 2, 3)
        flat = values.reshape(-1, 2, ARM_CHANNELS)
        rows = np.flatnonzero(np.abs(values).max(axis=-1) > _NEGLIGIBLE_VALUE)
        if rows.size:
            targets = self.relaxed.targets
            if rows.size < len(flat):
                targets = targets.at(rows)
            state = ArmState.posed(targets, flat[rows])
            flat_limits[rows] = self.relaxed.limits.residuals(state)
            flat_elbows[rows] = state.joints[:, :, 1]
        value_residuals = (values - self.relaxed.target_values) / self.relaxed.units
        tasks = np.concatenate([value_residuals, _turn_excess(values)], axis=-1)
        return Residuals(tasks, soften(limit_residuals), elbows)

    def normal_terms(
        self, values: Floats, residuals: Residuals, limit_weight: float, over_accelerated: Booleans
    ) -> NormalTerms:
        """Return the terms of the normal equations for the arms of J jugglers at T moments.

        Residuals are of two sorts. Tasks (to stay near a target, and within the range of a turn)
        depend on one value each, so that they add to the diagonal only. Limits are differentiated
        by finite differences where one is broken, and elbows where they accelerate too fast.

        Args:
            values: C = `_ARM_VALUES` values of both arms, shape (T, J, C).
            residuals: residuals with these values.
            limit_weight: factor of the residuals of limits.
            over_accelerated: where elbows accelerate too fast, shape (T, J).

        Returns:
            With the Jacobian D of the residuals r: the blocks Dᵀ D, shape (T, J, C, C), the
            gradients Dᵀ r, shape (T, J, C), and the derivatives of the places of both elbows by the
            values, shape (T, J, C, 2, 3), [m], left 0 where they are not needed.
        """
        # Tasks are the deviations (v − target) / unit of values v, and turns beyond their limits,
        # x / `_TURN_EXCESS`, as in `residuals`.
        value_residuals, turn_excess = np.split(residuals.tasks, 2, axis=-1)
        hessian = np.zeros((*values.shape, _ARM_VALUES))
        # `einsum` gives a view of the diagonals, into which 1 / unit² is written. A turn beyond its
        # limit adds 1 / `_TURN_EXCESS`²; within it, it has the derivative 0.
        np.einsum("tjcc->tjc", hessian)[:] = 1.0 / self.relaxed.units**2 + (
            (turn_excess != 0.0) / _TURN_EXCESS**2
        )
        gradient = value_residuals / self.relaxed.units + turn_excess / _TURN_EXCESS
        elbow_jacobians = np.zeros((*values.shape, 2, 3))
        moments, jugglers = np.nonzero(residuals.limits.any(axis=-1) | over_accelerated)
        # In portions whose intermediate values stay in the processor's cache.
        for first in range(0, len(moments), _ROWS_AT_ONCE):
            moment = moments[first : first + _ROWS_AT_ONCE]
            juggler = jugglers[first : first + _ROWS_AT_ONCE]
            limit_jacobian, elbow_jacobian = self._jacobians(
                moment * values.shape[1] + juggler, values[moment, juggler]
            )
            # Residuals of limits count `limit_weight` times, and so do their derivatives.
            limit_jacobian *= limit_weight
            hessian[moment, juggler] += limit_jacobian @ limit_jacobian.swapaxes(-1, -2)
            weighted_limits = limit_weight * residuals.limits[moment, juggler, :, None]
            gradient[moment, juggler] += (limit_jacobian @ weighted_limits)[..., 0]
            elbow_jacobians[moment, juggler] = elbow_jacobian
        return NormalTerms(hessian, gradient, elbow_jacobians)

    def _jacobians(self, rows: Integers, values: Floats) -> tuple[Floats, Floats]:
        """Derivatives of limits and of elbows by the values, from forward differences.

        Channel k of both arms is moved at once, as the limits of each arm by itself depend on its
        own values only. For the gaps between arms each arm moves while the other stays.

        Args:
            rows: indices moment · J + juggler of M poses, shape (M,).
            values: values of the plan there, shape (M, `_ARM_VALUES`).

        Returns:
            Those of the residuals of limits, shape (M, `_ARM_VALUES`, 35), and of the places of
            elbows, shape (M, `_ARM_VALUES`, 2, 3), [m].
        """
        # Arms are posed `ARM_CHANNELS` + 1 times: first without a step, then with a step in each
        # channel. The first `count` rows of the state are the poses without a step.
        count = len(rows)
        steps = _DIFFERENCE_STEP * np.eye(ARM_CHANNELS + 1, ARM_CHANNELS, k=-1)[:, None, None]
        state = ArmState.posed(
            self.relaxed.targets.at(np.tile(rows, ARM_CHANNELS + 1)),
            (values.reshape(-1, 2, ARM_CHANNELS) + steps).reshape(-1, 2, ARM_CHANNELS),
        )
        single_arm = soften(self.relaxed.limits.single_arm_residuals(state))
        single_arm = single_arm.reshape(ARM_CHANNELS + 1, count, 2, -1)
        # Gaps without a step, then with steps of the left arm, then of the right arm, while the
        # other arm stays.
        left, right = state.joints.swapaxes(0, 1)
        stepped_right = right[count:]
        still_left = np.tile(left[:count], (ARM_CHANNELS, 1, 1))
        still_right = np.tile(right[:count], (ARM_CHANNELS + 1, 1, 1))
        gaps = self.relaxed.limits.apart.residuals(
            np.concatenate([left, still_left]), np.concatenate([still_right, stepped_right])
        )
        gaps = soften(gaps).reshape(2 * ARM_CHANNELS + 1, count, -1)
        elbows = state.joints[:, :, 1].reshape(ARM_CHANNELS + 1, count, 2, 3)
        arm_limits = single_arm.shape[-1]
        limit_jacobian = np.zeros((count, _ARM_VALUES, 2 * arm_limits + gaps.shape[-1]))
        elbow_jacobian = np.zeros((count, _ARM_VALUES, 2, 3))
        limit_jacobian[:, :, 2 * arm_limits :] = _forward_differences(gaps)
        for side in (0, 1):
            channels = slice(side * ARM_CHANNELS, (side + 1) * ARM_CHANNELS)
            limits = slice(side * arm_limits, (side + 1) * arm_limits)
            limit_jacobian[:, channels, limits] = _forward_differences(single_arm[:, :, side])
            elbow_jacobian[:, channels, side] = _forward_differences(elbows[:, :, side])
        return limit_jacobian, elbow_jacobian


def _forward_differences(values: Floats) -> Floats:
    """Derivatives by C channels, shape (M, C, ...), from values without and with a step of each.

    Args:
        values: shape (C + 1, M, ...): without a step, then with a step in channel 0 to C − 1.
    """
    return ((values[1:] - values[0]) / _DIFFERENCE_STEP).swapaxes(0, 1)
