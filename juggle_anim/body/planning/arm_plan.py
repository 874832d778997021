"""Plan of arms: hands turn and elbows swivel a little more over a loop, by least squares.

Natural arms know one moment alone. Where they break a limit of a wrist, come into the body or each
other, or hurry, all of it is one problem of least squares, whose unknowns are the control values of
a spline. Which forearm goes over the other, and on which side of its
body an elbow passes, no derivative tells: a few starts are tried, and the best is gone on with.

Limits of arms: what they may not do at any moment, as residuals of least squares.

Each is a class with a method, `residuals`, whose values are squared and summed: 0 within the limit,
and 1 at an excess that its unit says. A limit keeps a margin, in the same unit, within which an arm
at ease needs no plan. All are of both arms of M bodies, one moment each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import FREE_BEND, WRIST_LIMITS
from juggle_anim.body.clearance import body_depth, leg_depth, near_trunk_or_head
from juggle_anim.body.planning.least_squares import (
    BANDS,
    AccelerationLimit,
    Mirror,
    Problem,
    Products,
    Residuals,
    Solution,
    Stage,
    Stretch,
    accelerations,
    least_squares,
)
from juggle_anim.body.planning.trunk_plan import (
    ANGLE_EXCESS,
    ANGLE_MARGIN,
    ARM_LENGTH,
    BLOCK,
    FARTHEST_WRIST,
    WRIST_EXCESS,
    PointsNearBodies,
)
from juggle_anim.body.pose import ARM_CHANNELS, HAND_TURN, POLE, ArmTargets, BodyPlan
from juggle_anim.body.skeleton import (
    CLEAR_ARM_POINTS,
    CROSSING_HAND_RADII,
    FOREARM,
    FOREARM_RADII,
    PALM,
    PALM_INNER_RADII,
    UPPER_ARM_RADII,
)
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.choreography.score import CATCH
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import PeriodicSpline, successors
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

_DEPTH = 0.002  # m, excess of a depth, or lack of a gap or distance, that counts as 1
_NEAR_HAND = 0.010  # m, the same where a hand comes near the other arm, as it often must

# Margins: of arms to the body, and to each other and to props.
_BODY_MARGIN = 0.004  # m
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
        """Pose the arms of M bodies in which a plan has some values.

        Args:
            targets: what the arms have to reach, of leading shape (M, 1). Targets can be posed for
                several values at once, along their second axis; here it has one entry, which the
                result leaves out.
            values: values of the plan, shape (M, 2, `ARM_CHANNELS`), for left and right arms.

        Returns:
            The posed arms, with `targets` as given.
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
    margins = np.array([ANGLE_MARGIN, ANGLE_MARGIN, ANGLE_MARGIN, 0.0]) / ANGLE_EXCESS

    def residuals(self, state: ArmState) -> Floats:
        """Excess of the angles of each forearm and wrist, in `ANGLE_EXCESS`, shape (M, 2, 4).

        Columns are the turn of the forearm, flexion and deviation of the wrist, each negative below
        its lower limit and positive above its upper one, and the whole bend between forearm and
        hand, 0 or more. The limits of angles are narrower by a margin.
        """
        if self.free:
            return np.zeros((*state.gaps.shape, 4))
        # `WRIST_LIMITS` has the least and the greatest of each of the three angles, [rad].
        low = WRIST_LIMITS[:, 0] + ANGLE_MARGIN
        high = WRIST_LIMITS[:, 1] - ANGLE_MARGIN
        excess = np.minimum(state.angles - low, 0.0) + np.maximum(state.angles - high, 0.0)
        # Vectors from elbow to wrist and from wrist to palm; their angle is the bend of the wrist.
        forearm_and_hand = np.diff(state.joints[..., 1:, :], axis=-2)
        cosine = dot(forearm_and_hand[..., 0, :], forearm_and_hand[..., 1, :]) / (FOREARM * PALM)
        bend = np.arccos(np.clip(cosine, -1.0, 1.0))
        return np.concatenate([excess, np.maximum(bend - FREE_BEND, 0.0)], axis=-1) / ANGLE_EXCESS


@dataclass(frozen=True)
class SpareWrists:
    """Around the body forearms turn, wrists bend and elbows stretch no farther than they must.

    Args:
        around: whether somebody throws or catches around the body.
    """

    around: bool
    margins = np.full(3, np.inf)

    def residuals(self, state: ArmState) -> Floats:
        """What goes beyond ease, each in its unit, shape (M, 2, 3).

        Columns are the turn of the forearm, the bend of the wrist, flexion and deviation together,
        and the distance of the wrist from the shoulder.
        """
        if not self.around:
            return np.zeros((*state.gaps.shape, 3))
        turn = np.abs(state.angles[..., 0])
        bend = np.hypot(state.angles[..., 1], state.angles[..., 2])
        to_wrists = state.joints[..., 2, :] - state.joints[..., 0, :]
        reach = norm(to_wrists)[..., 0] / ARM_LENGTH
        angles = (np.stack([turn, bend], axis=-1) - _EASY_ANGLES) / _UNEASE
        stretch = (reach - FARTHEST_WRIST) / WRIST_EXCESS
        return np.maximum(np.concatenate([angles, stretch[..., None]], axis=-1), 0.0)


@dataclass(frozen=True)
class KeepClearOfBody:
    """Arms stay out of trunk and head, and out of legs that are lifted."""

    margins = np.array([_BODY_MARGIN, 0.0, _BODY_MARGIN]) / _DEPTH

    def residuals(self, state: ArmState) -> Floats:
        """How much too deep each arm is in its body, in units of `_DEPTH`, shape (M, 2, 3).

        Columns are the depth of the whole arm in trunk and head, with a margin; that of forearm and
        hand, which may rest against the body; and that of the whole arm in lifted legs.
        """
        # The four joints of each of A = 2M arms, in the frame of the trunk. Body b has the arms 2b
        # and 2b + 1.
        volume = state.targets.volume
        joints = volume.to_local(state.joints.reshape(-1, 1, 8, 3)).reshape(-1, 4, 3)
        # Points along each arm, weighted means of its joints, shape (3, points, A). Not a matrix
        # product, for which threads are started where there are many arms.
        columns = np.ascontiguousarray(joints.transpose(2, 1, 0))
        points = np.einsum("pj,cja->cpa", _POINTS, columns)
        excess = np.zeros((len(state.joints), 2, 3))
        # Most arms are far from trunk and head, and have no excess there.
        near = np.flatnonzero(near_trunk_or_head(points, _NEAR_RADII).any(axis=0))
        if near.size:
            depths = body_depth(points.take(near, axis=-1), volume.heads(near // 2))
            # The skin of an arm is deeper than its axis by the radius. The first rows of points are
            # those of the whole arm, the others those of forearm and hand.
            depths += _POINT_RADII
            excess_of_arm = excess.reshape(-1, 3)  # a view, shape (A, 3)
            excess_of_arm[near, 0] = depths[:_CLEAR_POINTS].max(axis=0) + _BODY_MARGIN
            excess_of_arm[near, 1] = depths[_CLEAR_POINTS:].max(axis=0) - _RESTING
        if state.targets.legs is not None:
            excess[..., 2] = depths_in_legs(state.targets.legs[:, 0], state.joints) + _BODY_MARGIN
        return np.maximum(excess, 0.0) / _DEPTH


@dataclass(frozen=True)
class KeepClearOfProps:
    """Arms stay clear of props that fly past, or that the other hand carries.

    Hands are where they have to be. Forearms may touch what their hands throw and catch.
    """

    margins = np.zeros(2)

    def residuals(self, state: ArmState) -> Floats:
        """How much gaps to props fall short of `_APART_MARGIN`, in units of `_DEPTH`, (M, 2, 2).

        Columns are upper arms and forearms; 0 where the gap is wide enough, or without props.
        """
        if state.targets.props is None:
            return np.zeros((*state.gaps.shape, 2))
        props = state.targets.props[:, 0, :, None]  # balls of each arm, (M, 2, 1, K, 5)
        # Of an axis p + s a of a bone, the point with s = (c − p) · a / (a · a), from 0 to 1, is
        # nearest to a ball at c. Shape (M, 2, 2, K, 1 or 3): upper arm and forearm, balls.
        start = state.joints[:, :, :2, None]
        axis = state.joints[:, :, 1:3, None] - start
        from_start = props[..., :3] - start
        share = unit_interval(dot(from_start, axis) / dot(axis, axis))
        first, last = _PASSING_RADII[:2].T[..., None]  # of both bones, shape (2, 1)
        radii = first + share[..., 0] * (last - first) + props[..., 3]
        gaps = norm(from_start - share * axis)[..., 0] - radii
        gaps[:, :, 1] += props[:, :, 0, :, 4]
        return np.maximum(_APART_MARGIN - gaps.min(axis=-1), 0.0) / _DEPTH


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
        """How much gaps between both arms fall short, shape (M, 7), negative; 0 for wide ones.

        Columns are the pairs of parts in `_PAIRS`. Gaps between forearms and upper arms should be
        `_APART_MARGIN`, in units of `_DEPTH`; those beside a hand only 0, in units of `_NEAR_HAND`.

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
    """Six even points along each bone of chains, shape (..., N − 1, 6, 3), [m].

    Args:
        joints: shape (..., N, 3), [m]; a bone goes from each joint to the next.
    """
    bones = np.diff(joints, axis=-2)[..., None, :]
    return joints[..., :-1, None, :] + _SHARES[:, None] * bones


def depths_in_legs(legs: Floats, joints: Floats) -> Floats:
    """How deep the deepest point of each arm is in its body's legs, shape (..., 2), [m].

    The depth is that of the arm's skin, negative outside of both legs.

    Args:
        legs: shape (..., 2, 3, 3): left and right leg; hip, knee and ankle; coordinates, [m].
        joints: shape (..., 2, 4, 3): shoulder, elbow, wrist and palm, [m].
    """
    # Points of all bones of both arms in a row, and their depths by side, bone and point again. The
    # depth of the skin is that of the axis and the radius there.
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
    left_part, right_part = pairs.T
    left_start = left.take(left_part, axis=1)
    right_start = right.take(right_part, axis=1)
    left_axis = left.take(left_part + 1, axis=1) - left_start
    right_axis = right.take(right_part + 1, axis=1) - right_start
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
    # s = ((a·b) t − a·r) / (a·a). In this order, each is limited to its bone. The least determinant
    # is for parallel lines, where any s will do.
    determinant = np.maximum(left_square * right_square - product * product, 1e-6)
    numerator = product * right_projection - left_projection * right_square
    left_share = unit_interval(numerator / determinant)
    right_share = unit_interval((product * left_share + right_projection) / right_square)
    left_share = unit_interval((product * right_share - left_projection) / left_square)
    distance = column_norm(between + left_share * left_axis - right_share * right_axis)
    # Radii change linearly from the first to the last end of a part.
    left_first, left_last = _PASSING_RADII[left_part].T[..., None]
    right_first, right_last = _PASSING_RADII[right_part].T[..., None]
    left_radius = left_first + left_share * (left_last - left_first)
    right_radius = right_first + right_share * (right_last - right_first)
    return np.asarray((distance - left_radius - right_radius).T)


class ArmLimits(NamedTuple):
    """All limits of arms, and their residuals one after another."""

    wrists: LimitWrists
    spare: SpareWrists
    body: KeepClearOfBody
    props: KeepClearOfProps
    places: ReachPlaces
    apart: KeepArmsApart

    def of_each_arm(self, state: ArmState) -> Floats:
        """Residuals of each arm by itself, shape (M, 2, 13)."""
        return np.concatenate([limit.residuals(state) for limit in self[:-1]], axis=-1)

    def joined(self, of_each_arm: Floats, apart: Floats) -> Floats:
        """Join the residuals of the left arm, of the right arm, and of their distances.

        Args:
            of_each_arm: shape (..., 2, 13).
            apart: shape (..., 7).

        Returns:
            Shape (..., 33).
        """
        both = of_each_arm.reshape(*of_each_arm.shape[:-2], -1)
        return np.concatenate([both, apart], axis=-1)

    def excess(self, state: ArmState) -> Floats:
        """All residuals of both arms of M bodies, shape (M, 33), in the order of `joined`."""
        apart = self.apart.residuals(state.joints[:, 0], state.joints[:, 1])
        return self.joined(self.of_each_arm(state), apart)

    @property
    def margins(self) -> Floats:
        """Residuals up to which arms at ease need no plan, shape (33,)."""
        of_arm = np.concatenate([limit.margins for limit in self[:-1]])
        return self.joined(np.tile(of_arm, (2, 1)), self.apart.margins)


KNOT_RATE = 14.0
"""Knots of the plan a second."""

MAX_KNOTS = 6_000
"""Knots times jugglers beyond which arms are not planned."""

# Times from when a hand holds a prop, before and after, at which its forearm may touch it, [s]; and
# how many balls of props are seen from each arm.
_HANDLING = (-0.08, -0.04, 0.0, 0.04, 0.08)
_NEAREST_BALLS = 12

_SHARES_OF_FOREARM = (0.2, 0.5, 0.8)  # from elbow to wrist, of the points of `forearms_at_ease`

_SAMPLES = 8  # moments of each interval between knots
_ROWS_AT_ONCE = 1_000  # of derivatives; intermediate values stay in the processor's cache
_LONG = 6_000  # moments of a loop in which no other start is tried

# Units of the values of an arm, with which their residuals count: three turns of the hand [rad] and
# three parts of the pole. Usually; of hands that hold clubs, which are in line with them; and of
# hands that stay as they are.
_EASE = np.array([0.5, 0.4, 0.5, 0.6, 0.6, 0.6])
_CLUB_EASE = np.array([0.1, 0.1, 0.5, 0.6, 0.6, 0.6])
_FIXED_EASE = np.array([1e-4, 1e-4, 1e-4, 0.6, 0.6, 0.6])

# The farthest that hands turn from where they are at ease, and the excess that counts as 1, [rad];
# poles have no limit.
_MAX_VALUES = np.array([*np.radians([55.0, 50.0, 60.0]), np.inf, np.inf, np.inf])
_TURN_EXCESS = np.radians(3.0)

_FREQUENCY = 2.5  # Hz, up to which turns and poles follow what they should do

# Elbows that accelerate less are calm; people's wrists need 142 m/s² with five props.
_CALM = AccelerationLimit(most=110.0, excess=40.0)

# Firmness of limits, and steps with it. From arms at ease limits become firm by and by, so that
# arms do not leap. Then other starts are tried, which know what they are to keep; then the last.
_SOFT_STAGES = (
    Stage(firmness=0.1, steps=6, least_gain=0.1),
    Stage(firmness=0.3, steps=4, least_gain=0.1),
)
_FIRM_STAGE = (Stage(firmness=1.0, steps=12, least_gain=0.05),)
_OTHER_STAGE = (Stage(firmness=1.0, steps=20, least_gain=0.03),)
_LAST_STAGE = (Stage(firmness=1.0, steps=30, least_gain=0.005),)
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
_NEAR = 0.10  # m, gap between arms at which they may meet
_FAR_BEYOND = 1.5  # residual beyond the margin of a limit from which other starts are tried
_POLES = ((2.5, 1.2, 0.0), (0.0, 2.8, 0.0), (0.0, -2.8, 0.0))  # tried where elbows would flip over
_OVERTURNED = 8.0  # residual of the turn of a forearm from which a hanging elbow is tried
_HANGING = -0.8  # rad, by which that elbow is lifted, so it is lowered
_FLIPPING = 6.0  # times the calm acceleration, that of an elbow which flips over
_BLEND = 0.18  # s, before and after such moments in which a start returns to arms at ease

_LARGE = 10.0  # residual of a limit from which on it grows with the square root only
_STEP = 1e-3  # of values, for derivatives by differences
_AT_EASE = 1e-4  # values up to this size change no arm noticeably

_ARM_VALUES = 2 * ARM_CHANNELS

_MIRROR = Mirror(np.roll(np.arange(_ARM_VALUES), ARM_CHANNELS), np.ones(_ARM_VALUES))
_NO_MIRROR = Mirror.none(_ARM_VALUES)


def plan_arms(
    motion: Motion, plan: BodyPlan, stretch: Stretch | None = None
) -> PeriodicSpline | None:
    """Plan the arms of all jugglers over a loop.

    Args:
        motion: paths of hands.
        plan: the other movements of the bodies; it tells who does the same, and is planned once.
        stretch: of the loop, which alone is planned; None for all.

    Returns:
        Control values of shape (T, J, 2, `ARM_CHANNELS`), 0 for jugglers whose arms break no limit
        at ease. None if nobody's do, or if there are more than `MAX_KNOTS` knots.
    """
    everybody = np.arange(motion.choreography.jugglers)
    posed = plan.shared.posed if plan.shared else everybody
    jugglers = len(posed)
    if stretch is None:
        # Even, so that of a loop whose halves are mirror images both get plans that are.
        group = 2 * BANDS
        knots = group * max(1, round(motion.duration * KNOT_RATE / group))
        stretch = Stretch(knots, motion.duration)
    knots = stretch.knots
    if knots * jugglers > MAX_KNOTS:
        return None
    times = stretch.times(_SAMPLES)
    targets = ArmTargets.from_plan(motion, plan, times)
    if motion.choreography.throws_around_body.any():
        back = plan.trunk.back[posed]
        targets = replace(
            targets, props=_props_near_arms(motion, times, posed, back, targets.shoulders)
        )
    # Indices, among those who are posed, of jugglers whose second half of the loop mirrors the
    # first, which alone is solved then, and of the others.
    planned = np.arange(jugglers)
    is_mirrored = targets.mirrored_halves & (not stretch.closing)
    lifts = _lifts_of_body_throws(motion, times)[:, posed]
    all_controls = np.zeros((knots, jugglers, _ARM_VALUES))
    for members, mirror in (
        (planned[is_mirrored], _MIRROR),
        (planned[~is_mirrored], _NO_MIRROR),
    ):
        if not members.size:
            continue
        ease = _Ease.from_targets(motion, targets, members, lifts, stretch, mirror)
        # Indices in `members` of those who break a limit at ease, planned block by block.
        breaking = np.flatnonzero(ease.is_broken.any(axis=0))
        block_size = max(1, BLOCK // len(ease.excess))
        for first in range(0, len(breaking), block_size):
            block = breaking[first : first + block_size]
            controls = _planned_controls(ease.of_jugglers(block))
            all_controls[:, members[block]] = mirror.whole(controls)
    if not all_controls.any():
        return None
    whose = plan.shared.pose_index if plan.shared else everybody
    controls = all_controls[:, whose].reshape(knots, -1, 2, ARM_CHANNELS)
    return PeriodicSpline(controls, stretch.duration, stretch.start)


def forearms_at_ease(
    motion: Motion, plan: BodyPlan, stretch: Stretch | None = None
) -> PeriodicSpline:
    """Return points along the forearms of all jugglers, before arms are planned.

    Arms are at ease, but throws around their bodies lift elbows.

    Args:
        motion, plan: as of `plan_arms`.
        stretch: of the loop, with the knots of trunks, which alone is wanted; None for all.

    Returns:
        Control values of shape (T, J, 2, 3, 3): three points on each forearm, in the frame of the
        body, [m].
    """
    if stretch is None:
        moments = Stretch(_SAMPLES * max(1, round(motion.duration * KNOT_RATE)), motion.duration)
    else:
        moments = stretch.finer(round(_SAMPLES * KNOT_RATE * stretch.duration / stretch.knots))
    times = moments.times(1)
    targets = ArmTargets.from_plan(motion, plan, times)
    arms_at_ease = targets.pose_arms()
    joints = np.stack(
        [targets.shoulders, arms_at_ease.elbows, arms_at_ease.wrists, arms_at_ease.palms], axis=-2
    )
    # Elbows are lifted from where they are at ease, so arms are posed once more.
    lifts = _lifts_of_body_throws(motion, times)
    values = _lifting_values(joints, lifts)
    arms = targets.pose_arms(values.reshape(*lifts.shape, ARM_CHANNELS))
    from_elbow = np.array(_SHARES_OF_FOREARM)[:, None]
    forearm = (arms.wrists - arms.elbows)[..., None, :]
    points = arms.elbows[..., None, :] + from_elbow * forearm
    return PeriodicSpline(points, moments.duration, moments.start)


def _planned_controls(ease: _Ease) -> Floats:
    """Solve for the arms of jugglers who break limits at ease.

    First limits become firm by and by. Jugglers who are still far beyond a limit then begin again
    from other starts, and the best result is kept. The last steps go on from there.

    Args:
        ease: arms at ease of J jugglers.

    Returns:
        Control values, shape (N, J, `_ARM_VALUES`).
    """
    # Half of the moments are enough until the last steps, but not for throws around the body, for
    # which elbows rise fast. Controls are those of the same knots either way.
    half = ease if ease.wanted.any() else ease.every_other()
    soft = _best_solution(half, _starts(half), _SOFT_STAGES)
    controls = _solution(half, soft.controls, _FIRM_STAGE).controls
    missed = _ArmProblem(ease).residuals(_values_at(ease, controls))
    far_beyond = np.flatnonzero(_is_far(ease, missed))
    if far_beyond.size and len(ease.excess) <= _LONG:
        far_ease = ease.of_jugglers(far_beyond)
        starts = [controls[:, far_beyond], *_other_starts(far_ease, soft.controls[:, far_beyond])]
        controls = controls.copy()
        controls[:, far_beyond] = _best_solution(far_ease, starts, _OTHER_STAGE).controls
    return _solution(ease, controls, _LAST_STAGE).controls


def _best_solution(ease: _Ease, starts: list[Floats], stages: Sequence[Stage]) -> Solution:
    """Solve from several starts, and return for each juggler the solution of the least cost.

    Args:
        ease: arms at ease of J jugglers.
        starts: one or more arrays of control values, each of shape (N, J, `_ARM_VALUES`).
        stages: firmness of the limits and number of steps, one stage after another.
    """
    jugglers = np.arange(ease.excess.shape[1])
    if len(starts) == 1:
        return _solution(ease, starts[0], stages)
    # All starts are solved at once, as if each juggler were as many jugglers.
    copies = ease.of_jugglers(np.tile(jugglers, len(starts)))
    solution = _solution(copies, np.concatenate(starts, axis=1), stages)
    best_start = solution.cost.reshape(len(starts), -1).argmin(axis=0)
    return solution.of_jugglers(best_start * len(jugglers) + jugglers)


def _solution(ease: _Ease, start: Floats, stages: Sequence[Stage]) -> Solution:
    """Solve the least squares of arms from one start.

    Args:
        ease: arms at ease of J jugglers.
        start: control values, shape (N, J, `_ARM_VALUES`).
        stages: as of `_best_solution`.
    """
    return least_squares(
        _ArmProblem(ease),
        start,
        ease.period * len(ease.excess),
        acceleration_costs=1.0 / (ease.units * (2.0 * np.pi * _FREQUENCY) ** 2) ** 2,
        stages=stages,
        limit=_CALM,
        samples=ease.samples,
        damping=_DAMPING,
        largest_step=_LARGEST_STEP,
        mirror=ease.mirror,
        asked=ease.asked,
    )


@dataclass(frozen=True)
class _Ease:
    """Arms of J jugglers at ease at T even moments of a loop, and what is asked of them.

    Args:
        limits: the limits that arms should keep.
        units: of the values of both arms, shape (`_ARM_VALUES`,).
        period: time from each moment to the next, [s].
        targets: what the arms are posed for, of leading shape (T · J, 1).
        joints: shoulder, elbow, wrist and palm of arms at ease, shape (T, J, 2, 4, 3), [m].
        excess: residuals of the limits for arms at ease, shape (T, J, R), 0 within a limit.
        wanted: values that are to be kept as far as limits allow, shape (T, J, `_ARM_VALUES`): 0,
            but for throws around the body, which lift elbows.
        mirror: how the motion goes on after the T moments: as at their beginning, or mirrored.
        asked: at which moments something is asked, shape (T,).
        samples: number of moments from one knot to the next.
    """

    limits: ArmLimits
    units: Floats
    period: float
    targets: ArmTargets
    joints: Floats
    excess: Floats
    wanted: Floats
    mirror: Mirror
    asked: Booleans
    samples: int = _SAMPLES

    @staticmethod
    def from_targets(
        motion: Motion,
        targets: ArmTargets,
        jugglers: Integers,
        lifts: Floats,
        stretch: Stretch,
        mirror: Mirror = _NO_MIRROR,
    ) -> _Ease:
        """Pose arms at ease, and collect what is asked of them.

        Args:
            motion: tells whether hands turn as they like, as in Juggling Lab's style, and whether
                there are clubs.
            targets: what arms of all jugglers are posed for, at even moments of the stretch.
            jugglers: indices of those to pose, shape (J,).
            lifts: of elbows for throws around bodies, as of `_lifts_of_body_throws`, for the same
                moments and jugglers as the targets.
            stretch: of the loop that is planned.
            mirror: with a mirror, only the first half of the moments is taken.
        """
        # Pairs of T moments and J jugglers become rows, sorted by moment.
        moments = len(targets.hands)
        shape = (moments // 2 if mirror.mirrors else moments, len(jugglers))
        as_juggling_lab = motion.choreography.as_juggling_lab
        around = bool(motion.choreography.throws_around_body.any())
        limits = ArmLimits(
            LimitWrists(as_juggling_lab and not around),
            SpareWrists(around),
            KeepClearOfBody(),
            KeepClearOfProps(),
            ReachPlaces(),
            KeepArmsApart(),
        )
        units = _EASE
        if as_juggling_lab and not around:
            units = _FIXED_EASE
        elif motion.shapes.has_clubs:
            units = _CLUB_EASE
        flat = targets.at(np.repeat(np.arange(shape[0]), shape[1]), np.tile(jugglers, shape[0]))
        state = ArmState.posed(flat, np.zeros((shape[0] * shape[1], 2, ARM_CHANNELS)))
        excess = limits.excess(state)
        joints = state.joints.reshape(*shape, 2, 4, 3)
        lifts = lifts[: shape[0], jugglers]
        return _Ease(
            limits=limits,
            units=np.tile(units, 2),
            period=stretch.duration / moments,
            targets=flat,
            joints=joints,
            excess=excess.reshape(*shape, -1),
            wanted=_lifting_values(joints, lifts),
            mirror=mirror,
            asked=stretch.asked(moments // stretch.knots)[: shape[0]],
        )

    def of_jugglers(self, jugglers: Integers) -> _Ease:
        """Select jugglers by their indices, shape (K,), which may repeat."""
        # Rows of the targets are pairs of a moment and a juggler, sorted by moment.
        moments, count = self.excess.shape[:2]
        rows = (np.arange(moments)[:, None] * count + jugglers).ravel()
        return replace(
            self,
            targets=self.targets.at(rows, np.zeros_like(rows)),
            joints=self.joints[:, jugglers],
            excess=self.excess[:, jugglers],
            wanted=self.wanted[:, jugglers],
        )

    def every_other(self) -> _Ease:
        """Select every other moment, from the first on, of an even number of moments."""
        moments, count = self.excess.shape[:2]
        rows = np.arange(moments * count).reshape(moments, count)[::2].ravel()
        return replace(
            self,
            period=2.0 * self.period,
            targets=self.targets.at(rows, np.zeros_like(rows)),
            joints=self.joints[::2],
            excess=self.excess[::2],
            wanted=self.wanted[::2],
            asked=self.asked[::2],
            samples=self.samples // 2,
        )

    @property
    def elbow_accelerations(self) -> Floats:
        """Acceleration of the faster elbow of arms at ease, shape (T, J), [m/s²].

        0 where nothing is asked.
        """
        fastest = accelerations(self.joints[..., 1, :], self.period, self.mirror).max(axis=-1)
        return fastest * self.asked[:, None]

    def means_at_knots(self, values: Floats) -> Floats:
        """Means of values at the moments around each knot, shape (T, ...) to (N, ...).

        Each mean is over as many moments as lie from one knot to the next.
        """
        # Shifted by half of an interval, so that a knot is in the middle of its moments.
        shifted = self.mirror.extended(values, self.samples // 2, 0)[: len(values)]
        return shifted.reshape(-1, self.samples, *values.shape[1:]).mean(axis=1)

    @property
    def is_broken(self) -> Booleans:
        """Where a plan is needed, shape (T, J).

        That is where arms at ease break a limit, an elbow accelerates too fast, or a throw around
        the body lifts an elbow.
        """
        is_beyond = (np.abs(self.excess) > self.limits.margins).any(axis=-1)
        is_beyond |= self.wanted.any(axis=-1)
        is_beyond &= self.asked[:, None]
        return is_beyond | (self.elbow_accelerations > _CALM.most)


def _starts(ease: _Ease) -> list[Floats]:
    """Return the control values with which the search begins.

    Args:
        ease: arms at ease of J jugglers.

    Returns:
        One array or more, each of shape (N, J, `_ARM_VALUES`): the wanted values; 0, if some of
        these are not; and, if a forearm turns too far, values with hanging elbows around such
        moments.
    """
    starts = [ease.wanted]
    if ease.wanted.any():
        starts.append(0.0 * ease.wanted)
    # Each arm has 13 residuals, of which the first is that of the turn of its forearm; those of the
    # right arm follow on those of the left one.
    is_overturned = np.abs(ease.excess[..., [0, 13]]).max(axis=-1) > _OVERTURNED
    is_overturned &= ease.asked[:, None]
    if is_overturned.any():
        # An elbow that rose too far might as well hang.
        blend = round(_BLEND / ease.period)
        lift = np.repeat(_HANGING * _faded(is_overturned, blend)[..., None], 2, axis=-1)
        starts.append(ease.wanted + _lifting_values(ease.joints, lift))
    return [ease.means_at_knots(values) for values in starts]


def _is_far(ease: _Ease, missed: Residuals) -> Booleans:
    """Whether the planned arms of each juggler are far beyond a limit at some moment, shape (J,).

    That is so if a residual is beyond the margin of its limit by more than `_FAR_BEYOND` (1.5), or
    if an elbow accelerates as one that flips over, by more than 6 times the calm 110 m/s². Only
    moments that are asked for count.

    Args:
        ease: arms at ease of J jugglers, which have the limits, and `asked`, shape (T,).
        missed: residuals of the planned arms, those of R limits of shape (T, J, R), and the places
            of their elbows, shape (T, J, 2, 3), [m].
    """
    # Residuals of a plan are softened: they grow with the square root where they are large. So the
    # bound is softened as well.
    bound = _softened(ease.limits.margins + _FAR_BEYOND)
    is_beyond = (np.abs(missed.limits[ease.asked]) > bound).any(axis=(0, 2))
    if missed.points is not None:
        elbow_accelerations = accelerations(missed.points, ease.period, ease.mirror)  # (T, J, 2)
        fastest = elbow_accelerations[ease.asked].max(axis=(0, 2))
        is_beyond |= fastest > _FLIPPING * _CALM.most
    return np.asarray(is_beyond)


def _values_at(ease: _Ease, controls: Floats) -> Floats:
    """Values of a spline with some control values at all moments, shape (T, J, `_ARM_VALUES`)."""
    times = np.arange(float(len(ease.excess))) * ease.period
    whole = ease.mirror.whole(controls)
    return PeriodicSpline(whole, len(whole) * ease.samples * ease.period).at(times)


def _other_starts(ease: _Ease, controls: Floats) -> list[Floats]:
    """Return other control values to begin with, for arms that did not come within their limits.

    Args:
        ease: arms of J jugglers at ease.
        controls: control values to which the first starts led while limits were soft.

    Returns:
        Two arrays or more, each of shape (N, J, `_ARM_VALUES`): the cheapest courses through
        options beside what the first starts led to and beside arms at ease; and, if elbows flip
        over, some with elbows that stay on one side then.
    """
    moments, jugglers = ease.excess.shape[:2]
    # Courses beside the arms of the first starts, and beside arms at ease, whose values are 0.
    first_values = _values_at(ease, controls)
    starts = []
    for values in (first_values, 0.0 * first_values):
        state = ArmState.posed(ease.targets, values.reshape(-1, 2, ARM_CHANNELS))
        joints = state.joints.reshape(moments, jugglers, 2, 4, 3)
        starts.append(_cheapest_course(ease, values, joints))
    # Around moments at which an elbow at ease flips over, poles keep both elbows on one side.
    is_flipping = ease.elbow_accelerations > _FLIPPING * _CALM.most
    if is_flipping.any():
        share = _faded(is_flipping, round(_BLEND / ease.period))[..., None, None]
        for pole in _POLES:
            one_sided = ease.wanted.reshape(moments, jugglers, 2, ARM_CHANNELS).copy()
            one_sided[..., POLE] += share * np.array(pole)
            starts.append(one_sided.reshape(moments, jugglers, -1))
    return [ease.means_at_knots(values) for values in starts]


def _cheapest_course(ease: _Ease, start: Floats, joints: Floats) -> Floats:
    """Return the values of the cheapest way through a few options at each moment.

    Which forearm goes over the other, and whether an elbow hangs or rises, is chosen by dynamic
    programming (R. Bellman, "Dynamic Programming", 1957) over pairs of options of both arms. A pair
    costs what its residuals amount to: of each arm by itself, and, where the arms come near each
    other, of their distance.

    Args:
        ease: arms of J jugglers at ease at T moments.
        start: values to which options are added, shape (T, J, `_ARM_VALUES`).
        joints: of arms with these values, shape (T, J, 2, 4, 3), [m].

    Returns:
        Shape (T, J, `_ARM_VALUES`).
    """
    # Half of the moments are enough to choose; in the end each choice also stands for the moment
    # after it.
    start = start[::2]
    joints = joints[::2]
    moments, jugglers = start.shape[:2]
    table = _OPTIONS  # rows of lift, yaw and pitch, shape (K, 3), [rad]
    if ease.limits.wrists.free:
        # Hands stay as they are: only options without yaw and pitch.
        table = table[~table[:, 1:].any(axis=1)]
    options = len(table)
    lift, yaw, pitch = np.broadcast_to(
        table.T[:, :, None, None, None], (3, options, moments, jugglers, 2)
    )
    values = np.stack(
        [
            start + _lifting_values(joints, lift[option], pitch[option], yaw[option])
            for option in range(options)
        ]
    )
    # Every other moment of the targets, whose rows are T · J, for each option.
    target_rows = np.arange(2 * moments * jugglers).reshape(-1, 2 * jugglers)[:, :jugglers].ravel()
    target_rows = np.tile(target_rows, options)
    state = ArmState.posed(
        ease.targets.at(target_rows, np.zeros_like(target_rows)),
        values.reshape(-1, 2, ARM_CHANNELS),
    )
    # Costs of each arm by itself: squared residuals of limits, and of values in their units.
    arm_costs = (_softened(ease.limits.of_each_arm(state)) ** 2).sum(axis=-1)
    arm_costs += ((values / ease.units) ** 2).reshape(-1, 2, ARM_CHANNELS).sum(axis=-1)
    arm_costs = arm_costs.reshape(options, moments, jugglers, 2)
    option_joints = state.joints.reshape(options, moments, jugglers, 2, 4, 3)
    # Only where the forearms and upper arms come near each other can options make arms meet.
    gaps = arm_gaps(joints[:, :, 0].reshape(-1, 4, 3), joints[:, :, 1].reshape(-1, 4, 3))
    is_near = (gaps < _NEAR).any(axis=-1).reshape(moments, jugglers)
    step_costs = (((table[:, None] - table) / _STEP_UNIT) ** 2).sum(axis=-1)
    chosen = np.empty((moments, jugglers, 2, ARM_CHANNELS))
    values = values.reshape(options, moments, jugglers, 2, ARM_CHANNELS)
    for juggler in range(jugglers):
        costs = _pair_costs(
            ease.limits.apart,
            arm_costs[:, :, juggler],
            option_joints[:, :, juggler],
            is_near[:, juggler],
        )
        # Moments at which nothing is asked leave the choice free.
        costs[~ease.asked[::2]] = 0.0
        costs = _largest_costs_nearby(costs, ease.mirror.mirrors)
        course = _cheapest_cycle(costs, step_costs, ease.mirror.mirrors)
        for side in (0, 1):
            chosen[:, juggler, side] = values[course[:, side], np.arange(moments), juggler, side]
    return np.repeat(chosen.reshape(moments, jugglers, -1), 2, axis=0)


def _largest_costs_nearby(costs: Floats, mirrors: bool) -> Floats:
    """Return the largest cost that each pair of options has within `_COST_REACH` moments.

    The spline smooths what is chosen over the moments beside it, so a pair has to do there, too.

    Args:
        costs: of options of the left arm and of the right arm at T moments, shape (T, K, K).
        mirrors: whether the moments are of half a loop, whose mirror image is the other half.

    Returns:
        Shape (T, K, K).
    """
    # Beyond the ends of the loop, or of a half that is mirrored, costs are those of the other end;
    # in a mirror left and right change.
    axes = (0, 2, 1) if mirrors else (0, 1, 2)
    padded = np.concatenate(
        [costs[-_COST_REACH:].transpose(axes), costs, costs[:_COST_REACH].transpose(axes)]
    )
    shifts = range(2 * _COST_REACH + 1)
    return np.maximum.reduce([padded[shift : shift + len(costs)] for shift in shifts])


def _pair_costs(
    keep_apart: KeepArmsApart, arm_costs: Floats, joints: Floats, is_near: Booleans
) -> Floats:
    """Return what pairs of an option of the left arm and one of the right arm cost.

    A pair costs the sum of both arms by themselves, and, at moments at which the arms are near each
    other, of the distances that they lack.

    Args:
        keep_apart: the limit of these distances.
        arm_costs: of K options of each arm by itself at T moments, shape (K, T, 2).
        joints: of the arms with each option, shape (K, T, 2, 4, 3), [m].
        is_near: moments at which the arms are near each other, shape (T,).

    Returns:
        Shape (T, K, K): moment, option of the left arm, option of the right arm.
    """
    options = len(arm_costs)
    costs = arm_costs[..., 0].T[:, :, None] + arm_costs[..., 1].T[:, None]
    # Distances of all pairs of a left and a right option; they need few digits, and there are many.
    near_joints = joints[:, is_near].swapaxes(0, 1).astype(np.float32)
    left, right = np.broadcast_arrays(near_joints[:, :, None, 0], near_joints[:, None, :, 1])
    lacking = keep_apart.of_arms(left.reshape(-1, 4, 3), right.reshape(-1, 4, 3))
    costs[is_near] += (_softened(lacking) ** 2).sum(axis=-1).reshape(-1, options, options)
    return costs


def _cheapest_cycle(costs: Floats, steps: Floats, mirrored: bool) -> Integers:
    """Find the cheapest closed way through pairs of options, one pair at each moment.

    Args:
        costs: of pairs at T moments, shape (T, K, K): option of the left arm, then of the right.
        steps: costs of the change from one option to another of the same arm, shape (K, K).
        mirrored: whether the way goes on, after the last moment, with the arms exchanged.

    Returns:
        Options of the left and the right arm, shape (T, 2).
    """
    options = len(steps)

    # Both arms change at once; their costs add up, so the least is found for one after the other.
    # `total` has the least cost of a way to each pair.
    def with_left_steps(total: Floats) -> Floats:
        """Costs by the left option before and after, and the right one, shape (K, K, K)."""
        return total[:, None, :] + steps[:, :, None]

    def with_right_steps(total: Floats) -> Floats:
        """Costs by the left option, and the right one after and before, shape (K, K, K)."""
        return total[:, None, :] + steps[None]

    # Where the way ends best is hardly affected by how it began. So the first lap, which may begin
    # anywhere, finds the pair at the end; the second one begins with it, and goes back to it.
    total = np.zeros((options, options))
    for cost in costs:
        total = with_right_steps(with_left_steps(total).min(axis=0)).min(axis=-1) + cost
    end = np.unravel_index(total.argmin(), total.shape)
    total = np.full_like(total, np.inf)
    total[end[::-1] if mirrored else end] = 0.0
    predecessors = []
    for cost in costs:
        ways = with_left_steps(total)
        left_before = ways.argmin(axis=0)
        ways = with_right_steps(ways.min(axis=0))
        predecessors.append((left_before, ways.argmin(axis=-1)))
        total = ways.min(axis=-1) + cost
    # Back from the end. Steps went left arm first, so they are taken back right arm first.
    left, right = (int(option) for option in end)
    course = []
    for left_before, right_before in reversed(predecessors):
        course.append((left, right))
        right = int(right_before[left, right])
        left = int(left_before[left, right])
    return np.array(course[::-1])


def _lifting_values(
    joints: Floats, lift: Floats, pitch: Floats | float = 0.0, yaw: Floats | float = 0.0
) -> Floats:
    """Return the values of the plan that lift elbows outward, and turn hands up and outward.

    Args:
        joints: of the arms to which they apply, shape (T, J, 2, 4, 3), [m].
        lift: angle by which the elbow turns outward about the line from shoulder to wrist, shape
            (T, J, 2), [rad].
        pitch, yaw: of the hands, likewise.

    Returns:
        Shape (T, J, `_ARM_VALUES`).
    """
    # Poles are outward, up and ahead: x of right arms changes its sign.
    outward = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]])
    # Unit directions of elbows from the line between shoulder and wrist, and at right angles to
    # both, in which they move as they are lifted.
    axis = unit(joints[..., 2, :] - joints[..., 0, :])
    upper = joints[..., 1, :] - joints[..., 0, :]
    elbow = unit(upper - dot(upper, axis) * axis)
    hinge = cross(axis, elbow) * outward[:, :1]
    values = np.zeros((*lift.shape, ARM_CHANNELS))
    values[..., HAND_TURN.start] = yaw
    values[..., HAND_TURN.start + 1] = pitch
    # A pole is added to the direction e of the elbow: what is added turns e to e cos φ + h sin φ.
    cosine = np.cos(lift)[..., None]
    sine = np.sin(lift)[..., None]
    values[..., POLE] = outward * ((cosine - 1.0) * elbow + sine * hinge)
    return values.reshape(*lift.shape[:2], _ARM_VALUES)


def _props_near_arms(
    motion: Motion, times: Floats, jugglers: Integers, back: Floats, shoulders: Floats
) -> Floats:
    """Balls of props that are nearest to each shoulder, as of `ArmTargets.props`.

    Args:
        motion: of the props and bodies.
        times: shape (T,), [s].
        jugglers: indices, shape (J,).
        back: how far each of them stands back from its place, shape (J,), [m].
        shoulders: theirs, shape (T, J, 2, 3), [m].
    """
    balls = PointsNearBodies.of_props(motion, times, jugglers, back)
    # Whether each hand holds the prop, or did so a moment ago or will, shape (T, J, 2, K).
    hands = 2 * jugglers[:, None, None] + np.array([[0], [1]])
    handled = np.zeros((len(times), len(jugglers), 2, len(balls.radii)), dtype=bool)
    for later in _HANDLING:
        handled |= motion.sample(times + later).holders[:, None, None, balls.prop] == hands
    places = np.broadcast_to(balls.places[:, :, None], (*handled.shape, 3))
    radii = np.broadcast_to(balls.radii, handled.shape)
    allowed = np.where(handled, np.inf, 0.0)
    props = np.concatenate([places, radii[..., None], allowed[..., None]], axis=-1)
    # From the shoulders; what is far from these no arm can touch.
    distance = norm(places - shoulders[..., None, :])[..., 0] - radii
    nearest = np.argsort(distance, axis=-1, kind="stable")[..., :_NEAREST_BALLS]
    return np.take_along_axis(props, nearest[..., None], axis=-2)


def _lifts_of_body_throws(motion: Motion, times: Floats) -> Floats:
    """By how much throws and catches around bodies lift elbows outward at some times.

    A lift grows from the hand's event before, by a cos² bell, is largest at the event, and is gone
    at the event after.

    Args:
        motion: its choreography says which throws and catches go around bodies.
        times: shape (T,), [s]; any, as the loop repeats.

    Returns:
        Shape (T, J, 2), [rad].
    """
    choreography = motion.choreography
    events = choreography.events
    loop = choreography.duration
    lifts = np.zeros((len(times), 2 * choreography.jugglers))
    if events.body_throw is not None:
        # Throws and catches by hand and time, with the time from the one before and to the next.
        event = np.flatnonzero(events.kind <= CATCH)
        event = event[np.lexsort((events.time[event], events.hand[event]))]
        hand = events.hand[event]
        body_throw = events.body_throw[event]
        following, gap_after = successors(hand, events.time[event], loop)
        gap_before = np.empty_like(gap_after)
        gap_before[following] = gap_after
        for row in np.flatnonzero(body_throw):
            # Time since the event, around the loop, from −loop / 2 to loop / 2.
            since = (times - events.time[event[row]] + loop / 2) % loop - loop / 2
            share = np.abs(since) / np.where(since < 0, gap_before[row], gap_after[row])
            bell = np.cos(np.minimum(share, 1.0) * (np.pi / 2)) ** 2
            lifts[:, hand[row]] += np.radians(BODY_THROWS[body_throw[row] - 1].elbow) * bell
    return lifts.reshape(len(times), -1, 2)


def _faded(is_on: Booleans, blend: int) -> Floats:
    """1 where a condition holds, falling linearly to 0 within some moments around, shape (T, J).

    Args:
        is_on: where the condition holds, at T even moments around a loop, shape (T, J).
        blend: number of moments at which it has fallen to 0.
    """
    share = is_on.astype(float)
    for step in range(1, blend):
        for shift in (-step, step):
            share = np.maximum(share, (1.0 - step / blend) * np.roll(is_on, shift, axis=0))
    return share


def _softened(residuals: Floats) -> Floats:
    """Let residuals grow with the square root only where they are large.

    So a limit that cannot be kept bends arms little farther than one that just can. With L =
    `_LARGE`, a residual r ≥ 0 becomes L (√(1 + 2 r / L) − 1), which is r for small ones.
    """
    size = np.abs(residuals) / _LARGE
    return np.sign(residuals) * _LARGE * (np.sqrt(1.0 + 2.0 * size) - 1.0)


def _turn_excess(values: Floats) -> Floats:
    """How much farther hands turn than `_MAX_VALUES`, in units of `_TURN_EXCESS`.

    Args:
        values: shape (..., `_ARM_VALUES`).

    Returns:
        Likewise, with the sign of the value, 0 within the limits.
    """
    largest = np.tile(_MAX_VALUES, 2)
    return np.asarray((values - np.clip(values, -largest, largest)) / _TURN_EXCESS)


@dataclass(frozen=True)
class _ArmProblem(Problem):
    """What arms are asked to do: values in their units, and limits.

    Args:
        ease: the arms, at ease.
    """

    ease: _Ease

    def of_jugglers(self, jugglers: Integers) -> _ArmProblem:
        """The problem of some jugglers, by their indices, shape (K,)."""
        return _ArmProblem(self.ease.of_jugglers(jugglers))

    def residuals(self, values: Floats) -> Residuals:
        """Pose the arms with some values, and return the residuals.

        Args:
            values: shape (T, J, `_ARM_VALUES`).

        Returns:
            Tasks: deviations from the wanted values in their units, and turns of hands beyond their
            limits. Limits: those of `ArmLimits`, softened. Points: the elbows.
        """
        # Arms whose values are nearly 0 are those at ease, whose limits and joints are known.
        excess = self.ease.excess.copy()
        elbows = self.ease.joints[..., 1, :].copy()
        flat = values.reshape(-1, 2, ARM_CHANNELS)
        rows = np.flatnonzero(np.abs(values).max(axis=-1) > _AT_EASE)
        if rows.size:
            targets = self.ease.targets
            if rows.size < len(flat):
                targets = targets.at(rows, np.zeros_like(rows))
            state = ArmState.posed(targets, flat[rows])
            excess.reshape(-1, excess.shape[-1])[rows] = self.ease.limits.excess(state)
            elbows.reshape(-1, 2, 3)[rows] = state.joints[:, :, 1]
        eased = (values - self.ease.wanted) / self.ease.units
        tasks = np.concatenate([eased, _turn_excess(values)], axis=-1)
        return Residuals(tasks, _softened(excess), elbows)

    def products(
        self, values: Floats, missed: Residuals, firmness: float, hurried: Booleans
    ) -> Products:
        """Return the products of derivatives and residuals that Gauss–Newton steps need.

        Each task depends on one value, so that its products are on the diagonal. Limits and elbows
        are derived by differences, only where a limit is broken or an elbow hurries.

        Args:
            values: shape (T, J, `_ARM_VALUES`).
            missed: residuals with these values.
            firmness: factor of the residuals of limits.
            hurried: where elbows accelerate too fast, shape (T, J).
        """
        # Tasks are the deviations e = (v − wanted) / unit of values v, and turns beyond their
        # limits, x / `_TURN_EXCESS`, as of `residuals`. `squares` are the products JᵀJ of
        # derivatives, and `pull` those of derivatives and residuals, Jᵀr.
        eased, turn_excess = np.split(missed.tasks, 2, axis=-1)
        squares = np.zeros((*values.shape, _ARM_VALUES))
        # `einsum` gives a view of the diagonals, into which 1 / unit² is written. A turn beyond its
        # limit adds 1 / `_TURN_EXCESS`²; within it, it has the derivative 0.
        np.einsum("tjcc->tjc", squares)[:] = 1.0 / self.ease.units**2 + (
            (turn_excess != 0.0) / _TURN_EXCESS**2
        )
        pull = eased / self.ease.units + turn_excess / _TURN_EXCESS
        points = np.zeros((*values.shape, 2, 3))
        moments, jugglers = np.nonzero(missed.limits.any(axis=-1) | hurried)
        for first in range(0, len(moments), _ROWS_AT_ONCE):
            moment = moments[first : first + _ROWS_AT_ONCE]
            juggler = jugglers[first : first + _ROWS_AT_ONCE]
            slopes, elbow_slopes = self._slopes(
                moment * values.shape[1] + juggler, values[moment, juggler]
            )
            # Residuals of limits count `firmness` times, and so do their derivatives.
            slopes *= firmness
            squares[moment, juggler] += slopes @ slopes.swapaxes(-1, -2)
            firm_limits = firmness * missed.limits[moment, juggler, :, None]
            pull[moment, juggler] += (slopes @ firm_limits)[..., 0]
            points[moment, juggler] = elbow_slopes
        return Products(squares, pull, points)

    def _slopes(self, rows: Integers, values: Floats) -> tuple[Floats, Floats]:
        """Derivatives of limits and of elbows by the values, from forward differences.

        Channel k of both arms is moved at once, as the limits of each arm by itself depend on its
        own values only. For the distances between arms each arm moves while the other stays.

        Args:
            rows: which of the T · J moments and jugglers, shape (M,).
            values: of these, shape (M, `_ARM_VALUES`).

        Returns:
            Of the residuals of limits, shape (M, `_ARM_VALUES`, 33), and of the places of elbows,
            shape (M, `_ARM_VALUES`, 2, 3).
        """
        # Posed without a step (0), and with a step in each channel (from 1 on).
        count = len(rows)
        again = np.tile(rows, ARM_CHANNELS + 1)
        steps = _STEP * np.eye(ARM_CHANNELS + 1, ARM_CHANNELS, k=-1)[:, None, None]
        state = ArmState.posed(
            self.ease.targets.at(again, np.zeros_like(again)),
            (values.reshape(-1, 2, ARM_CHANNELS) + steps).reshape(-1, 2, ARM_CHANNELS),
        )
        alone = _softened(self.ease.limits.of_each_arm(state))
        alone = alone.reshape(ARM_CHANNELS + 1, count, 2, -1)
        # Distances without a step, then with steps of the left arm, then of the right arm, while
        # the other one stays.
        left, right = state.joints.swapaxes(0, 1)
        still = np.tile(state.joints[:count], (ARM_CHANNELS + 1, 1, 1, 1))
        apart = self.ease.limits.apart.residuals(
            np.concatenate([left, still[count:, 0]]), np.concatenate([still[:, 1], right[count:]])
        )
        apart = _softened(apart).reshape(2 * ARM_CHANNELS + 1, count, -1)
        elbows = state.joints[:, :, 1].reshape(ARM_CHANNELS + 1, count, 2, 3)
        limits_of_arm = alone.shape[-1]
        slopes = np.zeros((count, _ARM_VALUES, 2 * limits_of_arm + apart.shape[-1]))
        elbow_slopes = np.zeros((count, _ARM_VALUES, 2, 3))
        slopes[:, :, 2 * limits_of_arm :] = ((apart[1:] - apart[0]) / _STEP).swapaxes(0, 1)
        for side in (0, 1):
            channels = slice(side * ARM_CHANNELS, (side + 1) * ARM_CHANNELS)
            limits = slice(side * limits_of_arm, (side + 1) * limits_of_arm)
            arm_slopes = (alone[1:, :, side] - alone[0, :, side]) / _STEP
            slopes[:, channels, limits] = arm_slopes.swapaxes(0, 1)
            moved_elbows = (elbows[1:, :, side] - elbows[0, :, side]) / _STEP
            elbow_slopes[:, channels, side] = moved_elbows.swapaxes(0, 1)
        return slopes, elbow_slopes
