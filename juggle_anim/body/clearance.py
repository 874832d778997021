"""Clearance: elbows turn about the line from shoulder to wrist to keep arms out of trunk and head.

The collision volume of a body is a rounded board for the trunk, and a round cone for neck and head.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers, Rule
from juggle_anim.body.arms.closed_form import MIN_LINE, swing_elbows
from juggle_anim.body.arms.solvers import AT_EASE, ArmPose, Solver, with_changed_poses
from juggle_anim.body.skeleton import (
    CLEAR_ARM_POINTS,
    CLEAR_CROWN_RADIUS_GAIN,
    CLEAR_NECK_RADIUS,
    CLEAR_WRIST_RADIUS,
    CROWN_DISTANCE,
    LOW_DETAIL_SHOE_RADII,
    SHANK_RADII,
    THIGH_RADII,
    TRUNK_BOARD_HEIGHT,
    TRUNK_DEEPENING,
    TRUNK_HALF_DEPTH,
    TRUNK_HALF_WIDTH,
    TRUNK_WIDENING,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import column_cross, column_dot, cross, dot, smooth_step, unit_interval

FARTHEST_TURN = np.radians(120.0)
"""Largest turn of an elbow, to either side, [rad]."""

SOFT_DEPTH = 0.03
"""Depth over which an arm begins to give way: not at all at depth 0, fully from here on, [m]."""

MIN_DEPTH_GAIN = 0.015
"""Least gain of depth for each radian that an elbow is turned, [m/rad]."""

WRIST_RELEASE_DEPTH = 0.06
"""Depth of a wrist in the body at which its arm stays as it is, since no turn helps, [m]."""

# Points of an arm that keep clear, as weights of its shoulder, elbow and wrist, and radii, [m].
_POINTS = np.array([weights for weights, _ in CLEAR_ARM_POINTS])
_RADII = np.array([radius for _, radius in CLEAR_ARM_POINTS])

# Arms that only graze their bodies, by a millimetre, stay where they are, which needs no search.
_ALLOWED_GRAZE = 0.001
_TURNING_RADII = _RADII - _ALLOWED_GRAZE

# Turns that are tried: as many to either side, at equal steps, and none, [rad].
_TURNS_PER_SIDE = 8
_TURNS = np.linspace(-FARTHEST_TURN, FARTHEST_TURN, 2 * _TURNS_PER_SIDE + 1)
_TURN_STEP = FARTHEST_TURN / _TURNS_PER_SIDE

# Depth that each turn must gain to be worth it, [m].
_TURN_PRICE = MIN_DEPTH_GAIN * np.abs(_TURNS)[:, None]

# Shares of the way back that are tried, for an elbow that the chicken wing has off its plan.
_RETURN_SHARES = np.linspace(0.0, 1.0, _TURNS_PER_SIDE + 1)[:, None]

_SHOULDER_WEIGHTS, _ELBOW_WEIGHTS, _WRIST_WEIGHTS = _POINTS.T[..., None]

# How much shorter the way inward must be, for an elbow at ease, to be as good as the way outward,
# [rad].
_OUTWARD_PREFERENCE = 0.45
_BLEND_WIDTH = 0.8  # rad, between the ways outward and inward

# Margin of the quick test for contact, which has fewer digits than the depth, [m].
_CONTACT_MARGIN = 1e-9

# Arms that are turned together: intermediate values stay in the processor's cache.
_BLOCK_SIZE = 512

LOWEST_HEAD_HEIGHT = 0.36
"""Height above the pelvis below which no point is near a head, [m]."""

CLEARANCE_RULES: dict[str, Rule] = {
    "AT_EASE": AT_EASE,
    "LEAST_LINE": MIN_LINE,
    "BELOW_HEADS": LOWEST_HEAD_HEIGHT,
    "FARTHEST_TURN": FARTHEST_TURN,
    "SOFT": SOFT_DEPTH,
    "GAIN": MIN_DEPTH_GAIN,
    "HOPELESS": WRIST_RELEASE_DEPTH,
    "POINTS": _POINTS,
    "RADII": _TURNING_RADII,
    "WRIST_RADIUS": CLEAR_WRIST_RADIUS,
    "SIDEWAYS": _TURNS_PER_SIDE,
    "TURNS": _TURNS,
    "STEP": _TURN_STEP,
    "WORTH": _TURN_PRICE,
    "RATHER_OUTWARD": _OUTWARD_PREFERENCE,
    "BETWEEN": _BLEND_WIDTH,
    "CLOSE": _CONTACT_MARGIN,
    "BLOCK": _BLOCK_SIZE,
}
"""Constants for a web page, by the names in its scripts."""

# By how much the trunk's board grows, and nearness to it, for each metre of height.
_WIDENING_RATE = TRUNK_WIDENING / TRUNK_BOARD_HEIGHT
_DEEPENING_RATE = TRUNK_DEEPENING / TRUNK_BOARD_HEIGHT

LEG_RADII = np.array([THIGH_RADII, SHANK_RADII, LOW_DETAIL_SHOE_RADII] * 2)
"""Radii of thighs, shanks and feet, those of the left leg first, shape (6, 2), [m]."""

VOLUME_RULES: dict[str, Rule] = {
    "BELOW_HEADS": LOWEST_HEAD_HEIGHT,
    "BOARD": TRUNK_BOARD_HEIGHT,
    "HALF_WIDTH": TRUNK_HALF_WIDTH,
    "WIDENS": TRUNK_WIDENING,
    "HALF_DEPTH": TRUNK_HALF_DEPTH,
    "DEEPENS": TRUNK_DEEPENING,
    "CROWN": CROWN_DISTANCE,
    "NECK_RADIUS": CLEAR_NECK_RADIUS,
    "GROWS": CLEAR_CROWN_RADIUS_GAIN,
}
"""Constants for a web page, by the names in its scripts."""


def clear_of(volume: CollisionVolume, solver: Solver, is_planned: bool = False) -> Solver:
    """Wrap a solver so that the arms it poses keep clear of trunk and head.

    Args:
        volume: collision volume of bodies of shape (...); the returned solver takes arms of shape
            (..., N), N of each body.
        solver: finds the poses before elbows are turned.
        is_planned: whether elbows at the swivel `AT_EASE` have a plan over the loop, by which they
            are clear; those are not turned.
    """

    def clear(
        pose: ArmPose, shoulder: Floats, side: int | Integers, swivel: float | Floats
    ) -> ArmPose:
        return keep_clear(pose, shoulder, side, volume, swivel, is_planned)

    return with_changed_poses(solver, clear)


def keep_clear(
    pose: ArmPose,
    shoulder: Floats,
    side: int | Integers,
    volume: CollisionVolume,
    swivel: float | Floats = AT_EASE,
    is_planned: bool = False,
) -> ArmPose:
    """Turn elbows about the line from shoulder to wrist, as little as frees arms of trunk and head.

    There is no state: the turn is a continuous function of the poses of arm and body. An arm that
    no turn can free is turned only as far as that makes it lie clearly less deep
    (`MIN_DEPTH_GAIN`).

    Elbows with a plan over the loop are clear by it where their swivel is `AT_EASE`, and move more
    smoothly than if each moment were freed for itself: they stay as they are. With another swivel
    they turn back toward their plan, to the place at which, coming from there, they touch first.

    Args:
        pose: arms of shape (..., N), N of each body.
        shoulder: shape (..., N, 3), [m].
        side: 0 left and 1 right, broadcasts over the arms.
        volume: collision volume of their bodies, of shape (...).
        swivel: swivel of the pose, a number or broadcast over the arms, [rad]. Of a turn outward
            and a turn inward that free it, an elbow prefers the outward one, the less so the
            farther outward its swivel has put it already.
        is_planned: whether the elbows have a plan.

    Returns:
        A pose with the same wrists; the given one if all arms are clear.
    """
    arm_shape = pose.gap.shape
    # By how much the chicken wing lifts each elbow outward from where it is at ease.
    lift = np.broadcast_to(swivel, arm_shape).reshape(-1) - AT_EASE
    if is_planned and not lift.any():
        return pose
    arms_per_body = arm_shape[-1]
    shoulder = np.broadcast_to(shoulder, pose.elbow.shape)
    # Shoulder, elbow and wrist of all arms in the frames of the bodies: (coordinate, joint, arm),
    # the arms body by body.
    local_joints = volume.to_local(np.concatenate([shoulder, pose.elbow, pose.wrist], axis=-2))
    by_body = local_joints.reshape(-1, 3, arms_per_body, 3)
    joints = by_body.transpose(3, 1, 0, 2).reshape(3, 3, -1)
    # Indices of the arms, among all, that may have to turn.
    if is_planned:
        rows = np.flatnonzero(lift)
        turns_of = _returning_turns
    else:
        rows = _touching_arms(joints, volume, arms_per_body)
        turns_of = _freeing_turns
    if not rows.size:
        return pose
    joints = joints.take(rows, axis=-1)
    heads = volume.heads(rows // arms_per_body)
    lift = lift[rows]
    # A left elbow turns outward right-handed (1), a right one left-handed (−1).
    outward = 1.0 - 2.0 * np.broadcast_to(side, arm_shape).reshape(-1)[rows]
    # The search goes in blocks, so that intermediate values stay in the processor's cache.
    turns = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK_SIZE):
        block = slice(start, start + _BLOCK_SIZE)
        turns[block] = turns_of(joints[..., block], outward[block], lift[block], heads[..., block])
    is_turned = turns != 0.0
    if not is_turned.any():
        return pose
    return swing_elbows(pose, shoulder, rows[is_turned], turns[is_turned])


def _touching_arms(joints: Floats, volume: CollisionVolume, arms_per_body: int) -> Integers:
    """Indices of the arms that touch trunk or head of their bodies.

    The margin allows for rounding errors; an arm that only seems to touch gets a turn of 0.

    Args:
        joints: coordinates of shoulders, elbows and wrists in the frames of the bodies, shape
            (3, 3, N): (coordinate, joint, arm), body by body, [m].
        volume: collision volume of the bodies.
        arms_per_body: number of arms of each body.
    """
    test_points = _POINTS @ joints
    # Most arms are clear, so first a quick test, then exact depths for those arms alone that may
    # touch.
    rows = np.flatnonzero(
        may_touch_trunk_or_head(test_points, _TURNING_RADII[:, None] + _CONTACT_MARGIN).any(axis=0)
    )
    if rows.size:
        heads = volume.heads(rows // arms_per_body)
        depths = body_depth(test_points.take(rows, axis=-1), heads) + _TURNING_RADII[:, None]
        rows = rows[depths.max(axis=0) > -_CONTACT_MARGIN]
    return rows


def _returning_turns(joints: Floats, outward: Floats, lift: Floats, heads: Floats) -> Floats:
    """Turns of elbows back toward their plan, as `_freeing_turns` returns them, shape (N,), [rad].

    Args:
        joints, outward, lift, heads: as there; without the lift, elbows are where their plan has
            them.
    """
    turns = -lift * _RETURN_SHARES
    depths = _depths_of_turns(joints, outward, turns, heads).max(axis=0)
    # The last turn is that to the plan, which may leave an arm a little deep. From there, elbows
    # do not pass what is deeper.
    deepest_before = np.maximum.accumulate(depths[::-1])[::-1]
    avoidable = deepest_before - np.maximum(depths[-1], 0.0)
    return outward * turns[1] * _steps_until_free(avoidable)


def _freeing_turns(joints: Floats, outward: Floats, lift: Floats, heads: Floats) -> Floats:
    """Turns of elbows about the lines to their wrists that free the arms, shape (N,), [rad].

    Positive turns are right-handed about the line from shoulder to wrist. From the depths of all
    sampled turns follow the smallest free turn outward and the smallest one inward. A smooth step
    of their difference chooses between the two, or blends turns of about the same size. Another
    smooth step reduces the turn of arms whose wrists are deep in the body (`WRIST_RELEASE_DEPTH`),
    since no turn frees these.

    Args:
        joints: shape (3, 3, N), coordinates of shoulders, elbows and wrists in the frame of the
            body (`CollisionVolume.to_local`): (coordinate, joint, arm), [m].
        outward: shape (N,), 1 for a left arm and −1 for a right one.
        lift: shape (N,), by how much the chicken wing lifts elbows outward from where they are at
            ease, [rad].
        heads: shape (2, 3, N), tops of necks and middles of heads in the same frame, [m].
    """
    # Depth that no worthwhile turn avoids is subtracted: first for each point alone, so that a
    # point which is always inside does not hide the others, then for the whole arm, since a turn
    # that frees one point may not free another. Shapes (point, turn, N), then (turn, N).
    depths = _avoidable_depths(
        _avoidable_depths(_depths_of_turns(joints, outward, _TURNS[:, None], heads)).max(axis=0)
    )
    # Sampled turns go from inward to outward with 0 at index `_TURNS_PER_SIDE`. From there on the
    # first slice goes outward, and the second one, reversed, inward.
    outward_turn, inward_turn = _TURN_STEP * _steps_until_free(
        np.stack([depths[_TURNS_PER_SIDE:], depths[_TURNS_PER_SIDE::-1]], axis=1)
    )
    # By how much a way outward may be longer than the way inward; less for an elbow that is
    # farther outward than at ease already.
    preference = _OUTWARD_PREFERENCE - lift
    outward_share = smooth_step((inward_turn - outward_turn + preference) / _BLEND_WIDTH + 0.5)
    wrist_depth = body_depth(joints[:, 2], heads) + CLEAR_WRIST_RADIUS
    # Both turns are sizes, 0 or more. The difference of their shares is positive outward; times
    # `outward`, which is −1 for right arms, it is positive for right-handed turns.
    return (
        outward
        * smooth_step(1.0 - wrist_depth / WRIST_RELEASE_DEPTH)
        * (outward_share * outward_turn - (1.0 - outward_share) * inward_turn)
    )


def _depths_of_turns(joints: Floats, outward: Floats, turns: Floats, heads: Floats) -> Floats:
    """Penetration depth of points on arms for each of K turns of the elbow, [m].

    Args:
        joints: shape (3, 3, N), (coordinate; shoulder, elbow, wrist; arm), in the frame of the
            body, [m].
        outward: shape (N,), 1 for a left arm and −1 for a right one.
        turns: outward turns, shape (K, N), or (K, 1) for all arms, [rad].
        heads: shape (2, 3, N), tops of necks and middles of heads in the same frame, [m].

    Returns:
        Shape (points, K, N); negative outside of the body.
    """
    shoulder = joints[:, 0]
    elbow = joints[:, 1]
    wrist = joints[:, 2]
    line = wrist - shoulder
    upper = elbow - shoulder
    axis = line / np.sqrt(np.maximum(column_dot(line, line), MIN_LINE**2))
    # The elbow turns on a circle about the axis a: with r the spoke from the centre to the elbow,
    # turned ones are r cos φ + (a × r) sin φ. The tangent is a × r, or its opposite for right arms,
    # so that positive φ is outward.
    circle_centre = column_dot(upper, axis) * axis
    spoke = upper - circle_centre
    tangent = outward * column_cross(axis, spoke)
    elbow_offsets = np.cos(turns) * spoke[:, None] + np.sin(turns) * tangent[:, None]
    # The part of each test point that no turn moves: shoulder, centre of the circle and wrist by
    # their weights. It is no matrix product, since its order of summation, and so its rounding,
    # would depend on the number of arms.
    unturned = (
        _SHOULDER_WEIGHTS * shoulder[:, None]
        + _ELBOW_WEIGHTS * (shoulder + circle_centre)[:, None]
        + _WRIST_WEIGHTS * wrist[:, None]
    )
    points = unturned[:, :, None] + _ELBOW_WEIGHTS[:, None] * elbow_offsets[:, None]
    return body_depth(points, heads) + _TURNING_RADII[:, None, None]


def body_depth(points: Floats, heads: Floats) -> Floats:
    """Depth of points in trunk or head, whichever is greater; negative outside, (..., N), [m].

    Where all points of an arm are below `LOWEST_HEAD_HEIGHT`, they cannot touch a head, and the
    depth is that in the trunk alone.

    Args:
        points: shape (3, ..., N), in the frames of N bodies (`CollisionVolume.to_local`), [m].
        heads: shape (2, 3, N), from `CollisionVolume.heads`, [m].
    """
    # Arms with a point high enough to touch a head; for the others the trunk is enough.
    depths = trunk_depth(points)
    high_rows = (points[1] > LOWEST_HEAD_HEIGHT).reshape(-1, points.shape[-1]).any(axis=0)
    if high_rows.all():
        return np.maximum(depths, head_depth(points, heads))
    if high_rows.any():
        rows = np.flatnonzero(high_rows)
        # `take` is several times as fast as an index on small arrays.
        head_depths = head_depth(points.take(rows, axis=-1), heads.take(rows, axis=-1))
        depths[..., rows] = np.maximum(depths.take(rows, axis=-1), head_depths)
    return depths


def _avoidable_depths(depths: Floats) -> Floats:
    """Depths (..., turns, N) less the depth that no worthwhile turn avoids, [m].

    The latter is the minimum over all turns of depth + `_TURN_PRICE`, or 0 if that is below 0, as
    for arms that some turn frees.
    """
    return depths - np.maximum((depths + _TURN_PRICE).min(axis=-2, keepdims=True), 0.0)


def _steps_until_free(depths: Floats) -> Floats:
    """Return how many steps an elbow turns until the depth of its arm in a body is 0, shape (...).

    The result is a smooth function of the depths, and a little smaller than that turn.

    If the depth decreases with the turn φ and reaches 0 at φ₀, then φ₀ = ∫ u(depth) dφ with the
    unit step u, 1 for a positive depth and 0 otherwise. Instead of u, the smooth step
    s(x) = 3x² − 2x³ of x = depth / `SOFT_DEPTH` is integrated. The depth is taken as linear between
    sampled turns. There the integral is exact: ∫ s dx = x³ − x⁴/2 up to x = 1, and x − ½ beyond.

    Args:
        depths: shape (turns, ...), at turns from 0 in even steps, [m].

    Returns:
        0 for an arm that is free without a turn; at most the last turn, for one that never is.
    """
    # The running minimum decreases, as the integral needs: turns beyond the first free one that are
    # deep again do not count.
    depths = np.minimum.accumulate(depths, axis=0)
    x = unit_interval(depths / SOFT_DEPTH)
    # ∫ s d(depth) from 0 to each depth, [m].
    integral = SOFT_DEPTH * x * x * x * (1.0 - 0.5 * x) + np.maximum(depths - SOFT_DEPTH, 0.0)
    decrease = depths[:-1] - depths[1:]
    is_level = decrease < 1e-6  # m; there the quotient of differences would lose its digits
    # Mean value of s from each sampled turn to the next: the difference of integrals over that of
    # depths; where the depth is level, s at the mean x instead.
    mean_s = np.where(
        is_level,
        smooth_step(0.5 * (x[:-1] + x[1:])),
        (integral[:-1] - integral[1:]) / np.where(is_level, 1.0, decrease),
    )
    steps: Floats = mean_s.sum(axis=0)  # the integral, as each interval is one step wide
    return steps


@dataclass(frozen=True)
class CollisionVolume:
    """Trunks and heads of bodies, of any leading shape.

    Args:
        pelvis, neck, head: shape (..., 3), the pelvis, the top of the neck and the middle of the
            head, [m].
        axes: shape (..., 3, 3), whose columns are unit vectors at right angles to each other: to
            the left, up along the spine, and ahead.
    """

    pelvis: Floats
    neck: Floats
    head: Floats
    axes: Floats

    @staticmethod
    def from_joints(
        pelvis: Floats, across: Floats, up: Floats, neck: Floats, head: Floats
    ) -> CollisionVolume:
        """Build volumes from joints and directions, each of shape (..., 3).

        Args:
            pelvis, neck, head: the pelvis, the top of the neck and the middle of the head, [m].
            across, up: unit vectors at right angles to each other, to the left and up the spine.
        """
        axes = np.empty((*up.shape, 3))
        axes[..., 0] = across
        axes[..., 1] = up
        axes[..., 2] = cross(across, up)
        return CollisionVolume(pelvis=pelvis, neck=neck, head=head, axes=axes)

    def subset(self, bodies: tuple[Integers | int | slice, ...]) -> CollisionVolume:
        """Select the volumes of some of the bodies, by an index into the leading axes."""
        return CollisionVolume(
            self.pelvis[bodies], self.neck[bodies], self.head[bodies], self.axes[bodies]
        )

    def to_local(self, points: Floats) -> Floats:
        """Points in the frames of the bodies: from the pelvis, to the left, up and ahead, [m].

        Args:
            points: shape (..., N, 3), N for each body, in the frame of the volume's joints, [m].

        Returns:
            Shape (..., N, 3).
        """
        # A row times the matrix of axes: its components along them.
        return (points - self.pelvis[..., None, :]) @ self.axes

    def heads(self, bodies: Integers) -> Floats:
        """Tops of necks and middles of heads in local coordinates, shape (2, 3, N), [m].

        Args:
            bodies: shape (N,), indices of bodies in the flattened leading shape; may repeat.
        """
        joints = np.stack([self.neck, self.head], axis=-2).reshape(-1, 2, 3)[bodies]
        pelvis = self.pelvis.reshape(-1, 1, 3)[bodies]
        axes = self.axes.reshape(-1, 3, 3)[bodies]
        return ((joints - pelvis) @ axes).transpose(1, 2, 0)


def may_touch_trunk_or_head(points: Floats, radii: Floats) -> Booleans:
    """Quick conservative test for contact of spheres with trunk or head, shape (...).

    True for spheres that touch their body, and for some more. It needs no square roots, so it is
    faster than computing depths. From the pelvis up to `LOWEST_HEAD_HEIGHT` the test is exact, and
    all spheres above count as near the head. Below the pelvis the trunk goes on downward instead of
    being rounded, so that only contacts of less than a millimetre are missed there.

    Args:
        points: centres, shape (3, ...), in the frame of the body (`CollisionVolume.to_local`),
            [m].
        radii: of the spheres, broadcasts over the points, [m].
    """
    # Coordinates to the left, up the spine and ahead. A sphere touches the trunk if the distance of
    # its centre from the board, √(aside² + z²), is less than half the trunk's thickness at its
    # height plus its radius.
    x, y, z = points
    aside = np.maximum(np.abs(x) - _WIDENING_RATE * y - TRUNK_HALF_WIDTH, 0.0)
    reach = _DEEPENING_RATE * y + (TRUNK_HALF_DEPTH + radii)
    return (aside * aside + z * z < reach * reach) | (y > LOWEST_HEAD_HEIGHT)


def trunk_depth(points: Floats) -> Floats:
    """Depth of points in the trunk, negative outside, shape (...), [m].

    The trunk is all points near a flat upright board across the body, from the pelvis up to
    `TRUNK_BOARD_HEIGHT`. With h the height on the board nearest to a point, and d(h) the half
    thickness of the trunk there, which grows upward as the board's width does, the depth is d(h)
    less the distance of the point from the board.

    Args:
        points: shape (3, ...), in the frame of the body: x to the left, y up the spine, z ahead,
            from the pelvis (`CollisionVolume.to_local`), [m].
    """
    half_thickness, aside, beyond = _board_offsets(points)
    z = points[2]
    return half_thickness - np.sqrt(aside * aside + beyond * beyond + z * z)


def _board_offsets(points: Floats) -> tuple[Floats, Floats, Floats]:
    """Half thickness of the trunk, and offsets of points from its board, shape (...) each, [m].

    Args:
        points: shape (3, ...), in the frame of the body: x to the left, y up the spine, z ahead,
            from the pelvis, [m].

    Returns:
        Half the thickness of the trunk at the height on the board that is nearest to each point;
        the point's distance sideways from the board, 0 or more; and its distance above the board
        (positive) or below it (negative).
    """
    x, y, _ = points
    height = np.minimum(np.maximum(y, 0.0), TRUNK_BOARD_HEIGHT)
    aside = np.maximum(np.abs(x) - _WIDENING_RATE * height - TRUNK_HALF_WIDTH, 0.0)
    return _DEEPENING_RATE * height + TRUNK_HALF_DEPTH, aside, y - height


def leg_depth(points: Floats, legs: Floats) -> Floats:
    """Depth of points in the nearest part of a leg, negative outside, shape (..., N, K), [m].

    Thighs, shanks and feet are round cones. The depth is approximate, as the radius is taken at the
    nearest point of the axis.

    Args:
        points: shape (..., N, K, 3), K points for each of N bodies, in the frame of `legs`, [m].
        legs: shape (..., N, 2, 4, 3): left and right leg; hip, knee, ankle and toes; coordinates,
            [m].
    """
    # Three bones of two legs are six cones for each body, in the order of `LEG_RADII` (radius at
    # the start and at the end): thigh, shank and foot of the left leg, then of the right one. Start
    # s and line l of each axis, shape (..., N, 6, 3).
    cones = (*legs.shape[:-3], 6, 3)
    start = legs[..., :-1, :].reshape(cones)
    line = np.diff(legs, axis=-2).reshape(cones)
    return cone_depths(points, start, line, LEG_RADII).max(axis=-1)


def cone_depths(points: Floats, start: Floats, line: Floats, radii: Floats) -> Floats:
    """Depths of points in round cones, negative outside, shape (..., K, C), [m].

    They are approximate, as the radius is taken at the nearest point of the axis.

    Args:
        points: K points for each body, shape (..., K, 3), [m].
        start: starts s of the axes of C cones, shape (..., C, 3), [m].
        line: vectors l from there to their ends, likewise.
        radii: at both ends, shape (C, 2), [m].
    """
    # With a point p, w = p − s leads to it from the start, in products of shape (..., K, C):
    #   w·l = p·l − s·l and |w|² = |p|² − 2 p·s + |s|².
    # `dot` keeps the last axis, of length 1. Products without p, (..., C, 1), are swapped to
    # (..., 1, C), the same for all points.
    line_square = dot(line, line).swapaxes(-1, -2)
    along = points @ line.swapaxes(-1, -2) - dot(start, line).swapaxes(-1, -2)
    start_square = dot(start, start).swapaxes(-1, -2)
    from_start_square = dot(points, points) - 2.0 * (points @ start.swapaxes(-1, -2)) + start_square
    # The share of the axis, 0 at its start to 1 at its end, at the place nearest to each point is
    # t = w·l / |l|², limited to the axis. The squared distance from there is
    #   |w − t l|² = |w|² − t (2 w·l − t |l|²).
    share = unit_interval(along / line_square)
    distance_square = from_start_square - share * (2.0 * along - share * line_square)
    radii_there = radii[:, 0] + share * (radii[:, 1] - radii[:, 0])
    return np.asarray(radii_there - np.sqrt(np.maximum(distance_square, 0.0)))


def distance_to_clear_trunk(points: Floats, radius: float) -> Floats:
    """Distance ahead (along z) that brings spheres in front of the trunk and free of it, [m].

    A sphere overlaps the trunk where a² + b² + z² < (d + r)²: a is its distance sideways from the
    board, b that above or below the board, d the trunk's half thickness there and r the sphere's
    radius. It is free in front from z = √((d + r)² − a² − b²) on. The distance is 0 for spheres
    beside the trunk, which no motion along z brings into it, and for those in front of it.

    Args:
        points: centres, shape (3, ...), in the frame of the body: x to the left, y up the spine, z
            ahead, from the pelvis, [m].
        radius: of the spheres, [m].
    """
    half_thickness, aside, beyond = _board_offsets(points)
    # z² of a sphere that just touches, from the formula above; below 0 for spheres beside the
    # trunk.
    touching_z_square = (half_thickness + radius) ** 2 - aside * aside - beyond * beyond
    return np.where(
        touching_z_square > 0.0,
        np.maximum(np.sqrt(np.maximum(touching_z_square, 0.0)) - points[2], 0.0),
        0.0,
    )


def head_depth(points: Floats, heads: Floats) -> Floats:
    """Depth of points in neck or head, negative outside, shape (..., N), [m].

    Neck and head are one round cone from the top of the neck to the crown, whose radius grows with
    the share of the way. The crown is on the line through the middle of the head, at
    `CROWN_DISTANCE` times its distance from the neck.

    Args:
        points: shape (3, ..., N), in the frames of N bodies (`CollisionVolume.to_local`), [m].
        heads: shape (2, 3, N), tops of necks and middles of heads in these frames, [m].
    """
    neck, middle = heads
    line = CROWN_DISTANCE * (middle - neck)
    # Axes of length 1 after the coordinates, so that the heads broadcast over the points.
    added_axes = (1,) * (points.ndim - neck.ndim)
    broadcast_shape = (3, *added_axes, *neck.shape[1:])
    neck = neck.reshape(broadcast_shape)
    line = line.reshape(broadcast_shape)
    away = points - neck
    # Share of the way from neck (0) to crown (1) at the place of the axis nearest to each point,
    # and then, in the same array, the vector from that place to the point.
    share = np.minimum(np.maximum(column_dot(away, line) / column_dot(line, line), 0.0), 1.0)
    away -= share * line
    return CLEAR_NECK_RADIUS + CLEAR_CROWN_RADIUS_GAIN * share - np.sqrt(column_dot(away, away))
