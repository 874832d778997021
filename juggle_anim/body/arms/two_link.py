"""The two-link limb: bent by the law of cosines, then pointed at its target.

The limb's root is the origin. At angles 0 both links lie along +x, and the joint between them turns
about z. Lengths and targets may be of any size.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.arms.closed_form import (
    blended_toward_lowest,
    carried_direction,
    solver_from_field,
)
from juggle_anim.body.arms.solvers import Arm
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import cross, dot, norm

_X = np.array([1.0, 0.0, 0.0])
_Z = np.array([0.0, 0.0, 1.0])

# Weight of the heading's direction: 0 for a hand straight behind, under or over its shoulder, 1
# from this value on.
_FULL_HEADING_FROM = 0.4


@dataclass(frozen=True)
class Bend:
    """Angles of a limb in its own plane, each of shape (...).

    Args:
        reach: r, from the root to the end, [m]: the target's distance, or the nearest in reach.
        inner: φ, the interior angle of the joint, [rad]; π is straight.
        second: θ₂z = φ − π, the angle of the second link about z from the first, [rad].
        first: θ₁z, the angle of the first link about z for which the end is on +x, [rad].
    """

    reach: Floats
    inner: Floats
    second: Floats
    first: Floats


@dataclass(frozen=True)
class PolarLimb:
    """A limb pointed at its target by heading and elevation.

    Args:
        bend: angles in its plane.
        heading: β, from +x toward +z, shape (...), [rad].
        elevation: γ, above the horizontal, shape (...), [rad].
        rotations: the rotations of both links, shape (..., 2, 3, 3).
        joint, end: their positions, shape (..., 3), [m].
    """

    bend: Bend
    heading: Floats
    elevation: Floats
    rotations: Floats
    joint: Floats
    end: Floats


@dataclass(frozen=True)
class TurnedLimb:
    """A limb pointed at its target by the shortest turn.

    Args:
        bend: angles in its plane.
        start: r⁰ = p₃ − p₁, from the root to the end when the limb is bent but not yet turned,
            shape (..., 3), [m].
        error: e⁰, from there to the target, or to what is in reach of it, shape (..., 3), [m].
        axis: the axis of the turn, along r⁰ × e⁰, unit, shape (..., 3).
        angle: the angle of the turn, atan2(|r⁰ × e⁰|, r⁰·r⁰ + r⁰·e⁰), shape (...), [rad].
        rotations, joint, end: as in `PolarLimb`.
    """

    bend: Bend
    start: Floats
    error: Floats
    axis: Floats
    angle: Floats
    rotations: Floats
    joint: Floats
    end: Floats


def polar(arm: Arm, target: Floats) -> PolarLimb:
    """Solve a two-link limb, with its root at the origin, by heading and elevation of its target.

    With the heading β, the elevation γ and the angles θ by which the limb is bent, `Bend`, the
    rotation of the first link is R_y(−β) R_z(γ) R_z(θ₁z), and that of the second one is this times
    R_z(θ₂z). R_y as usually written turns +x toward −z, hence the minus. The joint is above the
    line to the target, in the vertical plane. A target straight above or below the root has no
    heading; 0 is taken.

    Args:
        arm: lengths of the links.
        target: shape (..., 3), [m]; one out of reach is brought to the nearest place in reach, the
            root counting as along +x.
    """
    x, y, z = np.moveaxis(np.asarray(target, dtype=float), -1, 0)
    # A distance near the largest float may overflow; it is out of reach anyway, so no warning is
    # due.
    with np.errstate(over="ignore"):
        level = np.hypot(x, z)
        bend = bend_limb(arm, np.hypot(level, y))
    heading = np.arctan2(z, x)
    elevation = np.arctan2(y, level)
    # Successive rotations about z are one by the sum of their angles.
    heading_turn = _about_y(-heading)
    first_angle = elevation + bend.first
    turns_of_links = np.stack([_about_z(first_angle), _about_z(first_angle + bend.second)], axis=-3)
    rotations = heading_turn[..., None, :, :] @ turns_of_links
    joint, end = _forward(arm, rotations)
    return PolarLimb(
        bend=bend,
        heading=heading,
        elevation=elevation,
        rotations=rotations,
        joint=joint,
        end=end,
    )


def angle_axis(arm: Arm, target: Floats, first: float | Floats = 0.0) -> TurnedLimb:
    """Solve a two-link limb, with its root at the origin, by the shortest turn to its target.

    The limb is bent in the plane of x and y first, with its end at r⁰, and then turned as a whole
    about r⁰ × target until its end is at the target. The joint keeps its side of the line to the
    end. A target straight opposite r⁰ has no shortest turn; half a turn about z is taken.

    Args:
        arm: lengths of the links.
        target: shape (..., 3), [m]; one out of reach is brought to the nearest place in reach, the
            root counting as along r⁰.
        first: angle of the first link about z before the turn, a number or of shape (...), [rad].
            With `Bend.first`, which puts the end on +x, the turn starts from +x for every target.
    """
    target = np.asarray(target, dtype=float)
    pointing, distance = _direction(target)
    bend = bend_limb(arm, distance)
    first, second = np.broadcast_arrays(first, bend.second)
    unturned = np.stack([_about_z(first), _about_z(first + second)], axis=-3)
    _, start = _forward(arm, unturned)
    # The direction of r⁰; a folded limb that ends at its root has none, and +x is taken.
    along, length = _direction(start)
    along = np.where(length[..., None] > 0.0, along, _X)
    # The direction of the target; for one at the root, that of r⁰ is taken.
    pointing = np.where(distance[..., None] > 0.0, pointing, along)
    # The turn axis is r⁰ × target, normalised; z is taken if the target is along r⁰ (no turn) or
    # opposite it (half a turn).
    axis, sine = _direction(cross(along, pointing))
    axis = np.where(sine[..., None] > 0.0, axis, _Z)
    angle = np.arctan2(sine, dot(along, pointing)[..., 0])
    # The rotation that takes the frame (r⁰, axis) to the frame (target, axis); both links have it
    # on top of their rotations before the turn.
    turn = _rotation_from_axes(pointing, axis) @ _rotation_from_axes(along, axis).swapaxes(-1, -2)
    rotations = turn[..., None, :, :] @ unturned
    error = pointing * bend.reach[..., None] - start
    joint, end = _forward(arm, rotations)
    return TurnedLimb(
        bend=bend,
        start=start,
        error=error,
        axis=axis,
        angle=angle,
        rotations=rotations,
        joint=joint,
        end=end,
    )


def bend_limb(arm: Arm, distance: Floats) -> Bend:
    """Bend a two-link limb so that its end is at a distance from its root, or as near as it can.

    The interior angle φ of the joint is from the law of cosines, r² = l₁² + l₂² − 2·l₁·l₂·cos φ.
    The second link is turned from the first by θ₂z = φ − π. The angle θ₁z of the first link, for
    which the end is on +x, is from sin θ₁z = −l₂·sin θ₂z / r. Angles are computed from their
    tangents, which are accurate when the limb is straight or folded, and valid when θ₁z is beyond
    90°.

    Args:
        arm: lengths of the links l₁ and l₂, above 0, [m].
        distance: distance from the root to the target, at least 0, shape (...), [m].
    """
    total = np.add(arm.upper, arm.lower)
    difference = np.subtract(arm.upper, arm.lower)
    # The limb spans |l₁ − l₂| ≤ r ≤ l₁ + l₂; the nearest such distance is taken.
    reach = np.minimum(np.maximum(distance, np.abs(difference)), total)
    # tan² φ/2 = (r² − (l₁ − l₂)²) / ((l₁ + l₂)² − r²), both differences of squares factored.
    opposite = np.sqrt((reach - difference) * (reach + difference))
    adjacent = np.sqrt((total - reach) * (total + reach))
    inner = 2.0 * np.arctan2(opposite, adjacent)
    first = np.arctan2(arm.lower * np.sin(inner), arm.upper - arm.lower * np.cos(inner))
    return Bend(reach, inner, inner - np.pi, first)


def _forward(arm: Arm, rotations: Floats) -> tuple[Floats, Floats]:
    """Return joint and end of a limb with its root at the origin, each of shape (..., 3), [m].

    Args:
        arm: lengths of the links.
        rotations: the rotations of both links, shape (..., 2, 3, 3); their first columns are along
            the links.
    """
    joint = np.asarray(arm.upper)[..., None] * rotations[..., 0, :, 0]
    return joint, joint + np.asarray(arm.lower)[..., None] * rotations[..., 1, :, 0]


def _direction(vectors: Floats) -> tuple[Floats, Floats]:
    """Unit vectors, shape (..., 3), and lengths, shape (...); a vector of length 0 stays 0."""
    # Scaled by the largest coordinate first, so that squares of vectors of any size neither
    # overflow nor underflow.
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    scaled = vectors / np.where(largest > 0.0, largest, 1.0)
    length = norm(scaled)
    return scaled / np.where(length > 0.0, length, 1.0), (largest * length)[..., 0]


def _rotation_from_axes(along: Floats, axis: Floats) -> Floats:
    """Return rotation matrices made from two vectors each by Gram–Schmidt, shape (..., 3, 3).

    Args:
        along: the first columns, shape (..., 3), unit vectors.
        axis: shape (..., 3), not parallel to `along`. The second columns are the parts of these at
            right angles to `along`, made unit vectors; the third ones are the cross products of the
            first two.
    """
    beside = _direction(axis - dot(axis, along) * along)[0]
    return np.stack([along, beside, cross(along, beside)], axis=-1)


def _about_y(angle: Floats) -> Floats:
    """Rotation matrices about y, shape (...) to (..., 3, 3); angles in [rad]."""
    sine = np.sin(angle)
    cosine = np.cos(angle)
    zero = np.zeros_like(sine)
    one = np.ones_like(sine)
    rows = [(cosine, zero, sine), (zero, one, zero), (-sine, zero, cosine)]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _about_z(angle: Floats) -> Floats:
    """Rotation matrices about z, shape (...) to (..., 3, 3); angles in [rad]."""
    sine = np.sin(angle)
    cosine = np.cos(angle)
    zero = np.zeros_like(sine)
    one = np.ones_like(sine)
    rows = [(cosine, -sine, zero), (sine, cosine, zero), (zero, zero, one)]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _elbow_field(axis: Floats) -> Floats:
    """Unit directions of elbows at swivel 0, columns (3, N), for unit columns toward the hands.

    With l the level part of the direction and z its part ahead, (l + z) / 2 is 0 for a hand
    straight under, over or behind its shoulder. From `_FULL_HEADING_FROM` on elbows are lowest.
    """
    level = np.sqrt(axis[0] * axis[0] + axis[2] * axis[2])
    return blended_toward_lowest(axis, (level + axis[2]) / (2.0 * _FULL_HEADING_FROM))


two_link = solver_from_field(carried_direction)
"""Pose arms as two-link limbs pointed by the shortest turn, as a `Solver`.

The limb is bent with its end ahead (`HOME`) and its elbow down; then the shortest turn takes that
end to the hand, as in `angle_axis`. So at swivel 0 the elbow is below the line from shoulder to
hand where the hand is ahead, behind that line where it is below, and in front of it where it is
above. The swivel turns it outward from there.

The shortest turn is undefined for a hand in one direction: opposite home, behind and above the
shoulder.
"""

two_link_polar = solver_from_field(_elbow_field)
"""Pose arms as two-link limbs pointed by heading and elevation, as a `Solver`.

The limb is raised to the hand's elevation, then turned to its heading (`polar`). At swivel 0 the
elbow is in the vertical plane of shoulder and hand, at the lower of the two places there. The
swivel turns it outward from there.

A hand straight under or over its shoulder has no heading, and one that passes close by that
direction behind would take the elbow quickly around. So near these directions and straight behind
the limb blends to that of `two_link`, which has one singular direction only.
"""
