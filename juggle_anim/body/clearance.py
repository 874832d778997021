"""Clearance: turn elbows about the line from shoulder to wrist, so that arms stay outside of trunk
and head.

The collision volume of a body is a rounded board for the trunk, and a round cone for neck and head.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers, Rule
from juggle_anim.body.anatomy import (
    CLEAR_ARM_POINTS,
    CLEAR_CROWN_RADIUS_GAIN,
    CLEAR_NECK_RADIUS,
    CLEAR_WRIST_RADIUS,
    CROWN_DISTANCE,
    SHANK_RADII,
    THIGH_RADII,
    TRUNK_BOARD_HEIGHT,
    TRUNK_DEEPENING,
    TRUNK_HALF_DEPTH,
    TRUNK_HALF_WIDTH,
    TRUNK_WIDENING,
)
from juggle_anim.body.arms.closed_form import MIN_LINE, swing_elbows
from juggle_anim.body.arms.solvers import AT_EASE, ArmPose, Solver, adjusted
from juggle_anim.vectors import column_cross, column_dot, cross, dot, smooth_step, unit_interval

FARTHEST_TURN = np.radians(120.0)
"""Largest turn of an elbow, to either side, [rad]."""

SOFT = 0.03
"""Depth over which an arm gives way: from touching the body, none, to this, fully, [m]."""

GAIN = 0.015
"""Least gain of depth for each radian that an elbow is turned, [m/rad]."""

HOPELESS = 0.06
"""Depth of a wrist in the body at which its arm stays as it is, since no turn helps, [m]."""

# Points of an arm that keep clear, as weights of its shoulder, elbow and wrist, and radii, [m].
_POINTS = np.array([weights for weights, _ in CLEAR_ARM_POINTS])
_RADII = np.array([radius for _, radius in CLEAR_ARM_POINTS])

# Arms that only graze their bodies, by a millimetre, stay where they are, which needs no search.
_TURNS_FROM = _RADII - 0.001

_SIDEWAYS = 8

_TURNS = np.linspace(-FARTHEST_TURN, FARTHEST_TURN, 2 * _SIDEWAYS + 1)

_STEP = FARTHEST_TURN / _SIDEWAYS

_COSINES = np.cos(_TURNS)[:, None]
_SINES = np.sin(_TURNS)[:, None]

_OF_SHOULDER, _OF_ELBOW, _OF_WRIST = _POINTS.T[..., None]

_WORTH = GAIN * np.abs(_TURNS)[:, None]

# An elbow at ease goes outward unless inward is nearer by the first; the second is the width of the
# change, [rad].
_RATHER_OUTWARD = 0.45
_BETWEEN = 0.8

# Margin of the test for contact, which has fewer digits than the depth.
_CLOSE = 1e-9

# Arms that are turned together: intermediate values stay in the processor's cache.
_BLOCK = 512

BELOW_HEADS = 0.36
"""Height above the pelvis below which no point is near a head, [m]."""

CLEARANCE_RULES: dict[str, Rule] = {
    "AT_EASE": AT_EASE,
    "LEAST_LINE": MIN_LINE,
    "BELOW_HEADS": BELOW_HEADS,
    "FARTHEST_TURN": FARTHEST_TURN,
    "SOFT": SOFT,
    "GAIN": GAIN,
    "HOPELESS": HOPELESS,
    "POINTS": _POINTS,
    "RADII": _TURNS_FROM,
    "WRIST_RADIUS": CLEAR_WRIST_RADIUS,
    "SIDEWAYS": _SIDEWAYS,
    "TURNS": _TURNS,
    "STEP": _STEP,
    "WORTH": _WORTH,
    "RATHER_OUTWARD": _RATHER_OUTWARD,
    "BETWEEN": _BETWEEN,
    "CLOSE": _CLOSE,
    "BLOCK": _BLOCK,
}
"""Constants for a web page, by the names in its scripts."""

# By how much the trunk's board grows, and nearness to it, for each metre of height.
_WIDENING_RATE = TRUNK_WIDENING / TRUNK_BOARD_HEIGHT
_DEEPENING_RATE = TRUNK_DEEPENING / TRUNK_BOARD_HEIGHT

# Radii of both thighs and shanks, those of the left leg first, shape (4, 2), [m].
_LEG_RADII = np.array([THIGH_RADII, SHANK_RADII] * 2)

VOLUME_RULES: dict[str, Rule] = {
    "BELOW_HEADS": BELOW_HEADS,
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


def clear_of(volume: CollisionVolume, solver: Solver) -> Solver:
    """Return a solver whose arms keep clear of bodies.

    Args:
        volume: of bodies of shape (...); the solver is then called for arms of shape (..., N), N of
            each body.
        solver: any.
    """

    def clear(
        pose: ArmPose, shoulder: Floats, side: int | Integers, swivel: float | Floats
    ) -> ArmPose:
        return keep_clear(pose, shoulder, side, volume, swivel)

    return adjusted(solver, clear)


def keep_clear(
    pose: ArmPose,
    shoulder: Floats,
    side: int | Integers,
    volume: CollisionVolume,
    swivel: float | Floats = AT_EASE,
) -> ArmPose:
    """Turn the elbows of arms that would pass through trunk or head as little as frees them; others
    stay.

    There is no state: the turn is a continuous function of the poses of arm and body. An arm that
    no turn can free comes to lie less deep, where that takes little turning.

    Args:
        pose: arms of shape (..., N).
        shoulder: shape (..., N, 3), [m].
        side: 0 left and 1 right, broadcasts over the arms.
        volume: of their bodies, of shape (...).
        swivel: that the solver used, [rad]: of two ways out an elbow prefers the one back to where
            it is at ease.
    """
    arms = pose.gap.shape[-1]
    shoulder = np.broadcast_to(shoulder, pose.elbow.shape)
    seen = volume.to_local(np.concatenate([shoulder, pose.elbow, pose.wrist], axis=-2))
    joints = seen.reshape(-1, 3, arms, 3).transpose(3, 1, 0, 2).reshape(3, 3, -1)
    points = _POINTS @ joints
    rows = np.flatnonzero(near_trunk_or_head(points, _TURNS_FROM[:, None] + _CLOSE).any(axis=0))
    if not rows.size:
        return pose
    # An arm that touches nothing stays, and needs no search.
    heads = volume.heads(rows // arms)
    touching = (body_depth(points.take(rows, axis=-1), heads) + _TURNS_FROM[:, None]).max(
        axis=0
    ) > -_CLOSE
    rows = rows[touching]
    if not rows.size:
        return pose
    joints = joints.take(rows, axis=-1)
    heads = heads[..., touching]
    outward = 1.0 - 2.0 * _of_rows(side, pose.gap.shape, rows)
    rather = _RATHER_OUTWARD + AT_EASE - _of_rows(swivel, pose.gap.shape, rows)
    turns = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK):
        here = slice(start, start + _BLOCK)
        turns[here] = _turns(joints[..., here], outward[here], rather[here], heads[..., here])
    turned = turns != 0.0
    return swing_elbows(pose, shoulder, rows[turned], turns[turned]) if turned.any() else pose


def _of_rows(values: float | Integers | Floats, shape: tuple[int, ...], rows: Integers) -> Floats:
    """Values that broadcast over arms of a shape, of some of the arms."""
    flat: Floats = np.broadcast_to(values, shape).reshape(-1)[rows]
    return flat


def arm_depths(volume: CollisionVolume, shoulder: Floats, elbows: Floats, wrist: Floats) -> Floats:
    """Return the penetration depth of arms into their bodies, negative outside, shape (N, K), [m].

    Args:
        volume: of N bodies.
        shoulder, wrist: shape (N, 3), [m].
        elbows: shape (N, K, 3), K places where each arm's elbow may be, [m].
    """
    shoulder, elbow, wrist = (
        volume.to_local(each).transpose(2, 1, 0)
        for each in (shoulder[:, None], elbows, wrist[:, None])
    )
    of_shoulder, of_elbow, of_wrist = _POINTS.T[:, None, :, None, None]
    points = of_shoulder * shoulder[:, None] + of_elbow * elbow[:, None] + of_wrist * wrist[:, None]
    return (
        (body_depth(points, volume.heads(np.arange(shoulder.shape[-1]))) + _RADII[:, None, None])
        .max(axis=0)
        .T
    )


def _turns(joints: Floats, outward: Floats, rather: Floats, heads: Floats) -> Floats:
    """By how much elbows turn about the lines to their wrists, shape (N,), [rad].

    Args:
        joints: shape (3, 3, N), coordinates of shoulders, elbows and wrists, as
            `CollisionVolume.to_local` has them.
        outward: shape (N,), 1 for a left arm and −1 for a right one.
        rather: shape (N,), by how much farther they turn outward before they turn inward, [rad].
        heads: as `CollisionVolume.heads` has them.
    """
    depths = _avoidable_depth(_avoidable_depth(_depths(joints, outward, heads)).max(axis=0))
    out, inward = _until_free(np.stack([depths[_SIDEWAYS:], depths[_SIDEWAYS::-1]], axis=1))
    share = smooth_step((inward - out + rather) / _BETWEEN + 0.5)
    inside = body_depth(joints[:, 2], heads) + CLEAR_WRIST_RADIUS
    return outward * smooth_step(1.0 - inside / HOPELESS) * (share * out - (1.0 - share) * inward)


def _depths(joints: Floats, outward: Floats, heads: Floats) -> Floats:
    """Return the penetration depth of points on arms for each swivel angle, shape (points, turns,
    N), [m].
    """
    shoulder = joints[:, 0]
    elbow = joints[:, 1]
    wrist = joints[:, 2]
    line = wrist - shoulder
    upper = elbow - shoulder
    axis = line / np.sqrt(np.maximum(column_dot(line, line), MIN_LINE**2))
    foot = column_dot(upper, axis) * axis
    here = upper - foot
    beside = outward * column_cross(axis, here)
    circle = _COSINES * here[:, None] + _SINES * beside[:, None]
    # Not a matrix product, whose order of summation depends on the number of arms.
    still = (
        _OF_SHOULDER * shoulder[:, None]
        + _OF_ELBOW * (shoulder + foot)[:, None]
        + _OF_WRIST * wrist[:, None]
    )
    points = still[:, :, None] + _OF_ELBOW[:, None] * circle[:, None]
    return body_depth(points, heads) + _TURNS_FROM[:, None, None]


def body_depth(points: Floats, heads: Floats) -> Floats:
    """Return the penetration depth of points (3, ..., N) in trunk or head, negative outside,
    [m].
    """
    depths = trunk_depth(points)
    high = (points[1] > BELOW_HEADS).reshape(-1, points.shape[-1]).any(axis=0)
    if high.all():
        return np.maximum(depths, head_depth(points, heads))
    if high.any():
        rows = np.flatnonzero(high)
        # `take` is several times as fast as an index on small arrays.
        of_heads = head_depth(points.take(rows, axis=-1), heads.take(rows, axis=-1))
        depths[..., rows] = np.maximum(depths.take(rows, axis=-1), of_heads)
    return depths


def _avoidable_depth(depths: Floats) -> Floats:
    """Depths (..., turns, N) minus what no worthwhile turn avoids."""
    return depths - np.maximum((depths + _WORTH).min(axis=-2, keepdims=True), 0.0)


def _until_free(depths: Floats) -> Floats:
    """Return the angle at which the depth becomes 0, shape (...), [rad].

    It is the integral over the turn of a smooth step of the depth, up to the first free turn.
    Between the sampled turns, (turns, ...), the depth is linear, for which the integral is exact.
    So the result is continuous in the depths.

    With x the depth over `SOFT` the step is 3x² − 2x³, and its integral x³ − x⁴/2.
    """
    depths = np.minimum.accumulate(depths, axis=0)
    x = unit_interval(depths / SOFT)
    area = SOFT * x * x * x * (1.0 - 0.5 * x) + np.maximum(depths - SOFT, 0.0)
    fall = depths[:-1] - depths[1:]
    level = fall < 1e-6
    mean = np.where(
        level,
        smooth_step(0.5 * (x[:-1] + x[1:])),
        (area[:-1] - area[1:]) / np.where(level, 1.0, fall),
    )
    return _STEP * mean.sum(axis=0)


@dataclass(frozen=True)
class CollisionVolume:
    """Trunks and heads of bodies, of any leading shape.

    Args:
        pelvis, neck, head: shape (..., 3), joints, [m].
        axes: shape (..., 3, 3), columns across to the left, up along the spine, and ahead.
    """

    pelvis: Floats
    neck: Floats
    head: Floats
    axes: Floats

    @staticmethod
    def of(
        pelvis: Floats, across: Floats, up: Floats, neck: Floats, head: Floats
    ) -> CollisionVolume:
        """From joints and unit directions at right angles to each other, each of shape (..., 3)."""
        axes = np.empty((*up.shape, 3))
        axes[..., 0], axes[..., 1], axes[..., 2] = across, up, cross(across, up)
        return CollisionVolume(pelvis, neck, head, axes)

    def subset(self, bodies: tuple[Integers | int | slice, ...]) -> CollisionVolume:
        """Return the volume of some of the bodies, by an index into the leading axes."""
        return CollisionVolume(
            self.pelvis[bodies], self.neck[bodies], self.head[bodies], self.axes[bodies]
        )

    def to_local(self, points: Floats) -> Floats:
        """Points (..., N, 3) relative to the pelvis, along the axes, [m]."""
        return (points - self.pelvis[..., None, :]) @ self.axes

    def heads(self, bodies: Integers) -> Floats:
        """The top of the neck and the middle of the head of some bodies, likewise; shape (2, 3, N),
        [m].
        """
        joints = np.stack([self.neck, self.head], axis=-2).reshape(-1, 2, 3)[bodies]
        pelvis = self.pelvis.reshape(-1, 1, 3)[bodies]
        axes = self.axes.reshape(-1, 3, 3)[bodies]
        return ((joints - pelvis) @ axes).transpose(1, 2, 0)


def near_trunk_or_head(points: Floats, radii: Floats) -> Booleans:
    """Which balls may touch their body: all that do, and some more; faster than computing depths.

    Args:
        points: shape (3, ...), as `CollisionVolume.to_local` has them, [m].
        radii: broadcasts over the points, [m].
    """
    x, y, z = points
    aside = np.maximum(np.abs(x) - _WIDENING_RATE * y - TRUNK_HALF_WIDTH, 0.0)
    reach = _DEEPENING_RATE * y + (TRUNK_HALF_DEPTH + radii)
    return (aside * aside + z * z < reach * reach) | (y > BELOW_HEADS)


def trunk_depth(points: Floats) -> Floats:
    """Return the depth of local points (3, ...) in the trunk, negative outside, [m]; see
    `CollisionVolume.to_local`.
    """
    x, y, z = points
    height = np.minimum(np.maximum(y, 0.0), TRUNK_BOARD_HEIGHT)
    aside = np.maximum(np.abs(x) - _WIDENING_RATE * height - TRUNK_HALF_WIDTH, 0.0)
    beyond = y - height
    return (
        _DEEPENING_RATE * height
        + TRUNK_HALF_DEPTH
        - np.sqrt(aside * aside + beyond * beyond + z * z)
    )


def leg_depth(points: Floats, legs: Floats) -> Floats:
    """Return the depth of points (..., N, K, 3) in the nearest thigh or shin, negative outside,
    (..., N, K), [m].

    Args:
        points: in the frame of the legs, [m].
        legs: shape (..., N, 2, 3, 3): hip, knee and ankle of each leg, [m].
    """
    start = legs[..., :-1, :]
    line = np.diff(legs, axis=-2)
    start, line = (each.reshape(*each.shape[:-3], 1, 4, 3) for each in (start, line))
    away = points[..., None, :] - start
    share = unit_interval(dot(away, line)[..., 0] / dot(line, line)[..., 0])
    away = away - share[..., None] * line
    radii = _LEG_RADII[:, 0] + share * (_LEG_RADII[:, 1] - _LEG_RADII[:, 0])
    depths: Floats = (radii - np.sqrt(dot(away, away)[..., 0])).max(axis=-1)
    return depths


def until_before_trunk(points: Floats, radius: float) -> Floats:
    """How far ahead balls at local points (3, ...) must move until they are before the trunk and
    free of it, [m].
    """
    x, y, z = points
    height = np.minimum(np.maximum(y, 0.0), TRUNK_BOARD_HEIGHT)
    aside = np.maximum(np.abs(x) - _WIDENING_RATE * height - TRUNK_HALF_WIDTH, 0.0)
    beyond = y - height
    near = (
        (_DEEPENING_RATE * height + TRUNK_HALF_DEPTH + radius) ** 2
        - aside * aside
        - beyond * beyond
    )
    return np.where(near > 0.0, np.maximum(np.sqrt(np.maximum(near, 0.0)) - z, 0.0), 0.0)


def head_depth(points: Floats, heads: Floats) -> Floats:
    """Return the depth of points (3, ..., N) in neck or head, negative outside, [m]; see
    `CollisionVolume.heads`.
    """
    shape = (3, *(1,) * (points.ndim - heads.ndim + 1), *heads.shape[2:])
    neck = heads[0].reshape(shape)
    line = (CROWN_DISTANCE * (heads[1] - heads[0])).reshape(shape)
    away = points - neck
    share = np.minimum(np.maximum(column_dot(away, line) / column_dot(line, line), 0.0), 1.0)
    away -= share * line
    return CLEAR_NECK_RADIUS + CLEAR_CROWN_RADIUS_GAIN * share - np.sqrt(column_dot(away, away))
