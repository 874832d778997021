"""Arms in closed form: elbows on their swivel circles, placed by a field of directions.

The chicken-wing arm: as printed, and generalised to any bones and hands without jumps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.solvers import (
    Arm,
    ArmPose,
    HandDirections,
    Solver,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import (
    broadcast,
    column_cross,
    column_dot,
    column_norm,
    column_units,
    smoother_step,
)

Field = Callable[[Floats], Floats]
"""Directions of elbows at swivel 0: unit columns at right angles to unit columns toward the hands,
shape (3, N).
"""


class ElbowFrame(NamedTuple):
    """Directions at N elbows, unit columns of shape (3, N).

    Args:
        axis: along the line to the hand.
        toward: from that line to the elbow.
        hinge: `axis` × `toward`.
        forearm: from elbow to wrist.
    """

    axis: Floats
    toward: Floats
    hinge: Floats
    forearm: Floats


Refinement = Callable[[slice, ElbowFrame], Floats]
"""Function from the rows of N arms in the flat batch, as a slice, and their directions, to further
right-handed turns of their elbows about the lines to the hands, shape (N,), [rad].
"""

# Arms posed together, so that intermediate results fit in the processor's cache.
_BLOCK_SIZE = 8192

HOME = np.array([0.0, -0.3, 0.95]) / np.hypot(0.3, 0.95)
"""Reference direction from shoulder to hand, for which the elbow's direction is given: ahead, where
hands mostly are.

No tangent field on a sphere is smooth everywhere. This one is singular only opposite home, behind
and above the shoulder, where hands rarely are.
"""

# Length |home + axis| below which an axis is so nearly opposite home that rounding errors matter.
_NEAR_OPPOSITE = 1e-4

MIN_LINE = 1e-6
"""Distance from shoulder to wrist within which an arm has no swivel axis, [m]."""


def pose_arms(
    field: Field,
    shoulder: Floats,
    hand: Floats,
    arm: Arm,
    side: int | Integers,
    swivel: float | Floats,
    refinement: Refinement | None = None,
) -> ArmPose:
    """Pose arms in closed form: a field places their elbows, and the swivel turns them outward.

    The elbow of an arm lies on a circle about the line from shoulder to hand. A field is a function
    from the direction of the hand to the direction, at right angles to it, in which the elbow lies.
    With l₁, l₂ the lengths of the bones, r the distance to the hand and q = (l₁ − l₂)/r, the elbow
    is ((l₁ + l₂)q + r)/2 along the line and √((l₁ + l₂)² − r²)·√(1 − q²)/2 across it: the law of
    cosines in a form that is accurate where the arm is straight or folded. A hand out of reach is
    brought to the nearest place that is in reach.

    Args:
        field: directions of the elbows at swivel 0, from directions toward the hands, as `Field`.
        shoulder, hand: shape (..., 3), shoulders and wanted wrists, [m].
        arm: lengths of upper arm and forearm, numbers or of shape (...), [m].
        side: 0 left and 1 right, a number or of shape (...).
        swivel: the angle by which elbows turn outward, a number or of shape (...), [rad].
        refinement: function to a further turn of each elbow, from the directions at the elbow after
            the swivel; None for no further turn.
    """
    # A right-handed turn about the line to the hand is outward for left arms (side 0), and inward
    # for right ones (side 1).
    turn = (1.0 - 2.0 * np.asarray(side)) * swivel
    batch = ArmBatch.flattened(shoulder, hand, (arm.upper, arm.lower, np.sin(turn), np.cos(turn)))
    pose = batch.empty_pose()
    for start in range(0, batch.size, _BLOCK_SIZE):
        rows = slice(start, start + _BLOCK_SIZE)
        # Scalars are arrays with one for each arm, or of shape () if all arms have the same.
        upper, lower, sine, cosine = (
            scalar[rows] if scalar.ndim else scalar for scalar in batch.scalars
        )
        block = _Block(
            rows=rows,
            shoulder=batch.shoulder[rows].T,
            hand=batch.hand[rows].T,
            upper=upper,
            lower=lower,
            sine=sine,
            cosine=cosine,
        )
        bent = _bend_arms(field, block, refinement)
        np.add(block.shoulder, bent.elbow, out=pose.elbow[rows].T)
        np.add(block.shoulder, bent.axis * bent.reached, out=pose.wrist[rows].T)
        pose.gap[rows] = np.abs(bent.distance - bent.reached)
        _fill_rotations(pose.rotations[rows], block, bent)
    return batch.unflattened(pose)


def solver_from_field(field: Field) -> Solver:
    """Return the solver that poses arms by `pose_arms` with a given field.

    Args:
        field: function from the directions toward hands to those in which the elbows lie before the
            swivel turns them outward.

    Returns:
        A solver, which poses arms from shoulders and hands.
    """

    def solve(
        shoulder: Floats,
        hand: Floats,
        arm: Arm,
        side: int | Integers,
        swivel: float | Floats,
        directions: HandDirections | None = None,  # of palms and fingers, which a field ignores
    ) -> ArmPose:
        return pose_arms(field, shoulder, hand, arm, side, swivel)

    return solve


@dataclass(frozen=True)
class _Block:
    """Some arms of a batch, vectors as columns; scalars common to all arms stay scalars.

    Args:
        rows: the rows of the arms in the batch.
        shoulder, hand: shape (3, N), [m].
        upper, lower: lengths of the bones, shape (N,) or (), [m].
        sine, cosine: of the swivel as a right-handed turn about the line to the hand, shape (N,) or
            ().
    """

    rows: slice
    shoulder: Floats
    hand: Floats
    upper: Floats
    lower: Floats
    sine: Floats
    cosine: Floats


@dataclass(frozen=True)
class ArmBatch:
    """All N arms of a call, flattened.

    Args:
        shape: leading shape of the arguments.
        size: N.
        shoulder, hand: shape (N, 3), [m].
        scalars: other values of each arm, of shape (N,), or () where common to all arms.
    """

    shape: tuple[int, ...]
    size: int
    shoulder: Floats
    hand: Floats
    scalars: tuple[Floats, ...]

    @staticmethod
    def flattened(shoulder: Floats, hand: Floats, scalars: Sequence[float | Floats]) -> ArmBatch:
        """Broadcast values of arms to one another, and flatten their leading shape to one axis.

        Args:
            shoulder, hand: shape (..., 3), with leading shapes that broadcast, [m].
            scalars: other values of the arms, such as lengths of bones, numbers or of shape (...).
        """
        shoulder = np.asarray(shoulder, dtype=float)
        hand = np.asarray(hand, dtype=float)
        arrays = [np.asarray(scalar, dtype=float) for scalar in scalars]
        shape = np.broadcast_shapes(
            shoulder.shape[:-1], hand.shape[:-1], *(array.shape for array in arrays)
        )
        shoulders = broadcast(shoulder, (*shape, 3)).reshape(-1, 3)
        hands = broadcast(hand, (*shape, 3)).reshape(-1, 3)
        flat = (broadcast(array, shape).reshape(-1) if array.ndim else array for array in arrays)
        return ArmBatch(shape, len(shoulders), shoulders, hands, tuple(flat))

    def empty_pose(self) -> ArmPose:
        """A pose of the flattened arms whose arrays are not initialised, to be filled in place."""
        return ArmPose(
            elbow=np.empty((self.size, 3)),
            wrist=np.empty((self.size, 3)),
            rotations=np.empty((self.size, 2, 3, 3)),
            gap=np.empty(self.size),
        )

    def unflattened(self, pose: ArmPose) -> ArmPose:
        """Return a pose of the flattened arms in the leading shape of the arguments."""
        return ArmPose(
            elbow=pose.elbow.reshape(*self.shape, 3),
            wrist=pose.wrist.reshape(*self.shape, 3),
            rotations=pose.rotations.reshape(*self.shape, 2, 3, 3),
            gap=pose.gap.reshape(self.shape),
        )


@dataclass(frozen=True)
class _BentArms:
    """N arms of a block in their planes, with their shoulders at the origin.

    Args:
        axis, toward: unit columns along the line to the hand, and from that line to the elbow at
            right angles to it, shape (3, N).
        elbow: shape (3, N), [m].
        distance, reached: of the wanted hand, and of the wrist, from the shoulder, shape (N,), [m].
        along, across: coordinates of the elbow along `axis` and `toward`, shape (N,), [m].
    """

    axis: Floats
    toward: Floats
    elbow: Floats
    distance: Floats
    reached: Floats
    along: Floats
    across: Floats


def _bend_arms(field: Field, block: _Block, refinement: Refinement | None) -> _BentArms:
    """Bend the arms of a block by the law of cosines, with their shoulders at the origin.

    Args:
        field: function from the directions toward hands, unit columns, to the directions of the
            elbows at swivel 0, at right angles to them.
        block: N arms, with vectors as columns, and sine and cosine of the swivel, the angle by
            which elbows turn about the lines to the hands.
        refinement: function to a further turn of each elbow about its line, from the directions at
            the elbow; None for no further turn.
    """
    # Coordinates near the largest float may overflow when they are subtracted or squared. No
    # warning is due, since `column_units` clips and rescales such vectors.
    with np.errstate(over="ignore"):
        # Shoulders and hands are transposed rows; order="C" makes each coordinate contiguous.
        away = np.subtract(block.hand, block.shoulder, order="C")
        axis, distance = column_units(away, HOME)
    # Law of cosines: with q = (l₁ − l₂)/r the elbow is at ((l₁ + l₂) q + r)/2 along the line to the
    # hand and √((l₁ + l₂)² − r²) √(1 − q²)/2 across it. The form loses no digits where the arm is
    # straight or folded. The bound 1e-300 avoids a division by 0 for equal bones folded to r = 0.
    total = block.upper + block.lower
    difference = block.upper - block.lower
    reached = np.minimum(np.maximum(distance, np.abs(difference)), total)
    ratio = difference / np.maximum(reached, 1e-300)
    along = (total * ratio + reached) / 2.0
    across = np.sqrt((total - reached) * (total + reached) * (1.0 - ratio * ratio)) / 2.0
    # The field's direction, turned about the axis by the swivel.
    unturned = field(axis)
    toward = unturned * block.cosine + column_cross(axis, unturned) * block.sine
    if refinement:
        # The hinge is at right angles to the axis and the elbow's direction. With it, the axis and
        # `toward` are a right-handed frame in which the refinement's angle turns the elbow.
        hinge = column_cross(axis, toward)
        forearm = (axis * (reached - along) - toward * across) / block.lower
        angle = refinement(block.rows, ElbowFrame(axis, toward, hinge, forearm))
        toward = toward * np.cos(angle) + hinge * np.sin(angle)
    return _BentArms(
        axis=axis,
        toward=toward,
        elbow=axis * along + toward * across,
        distance=distance,
        reached=reached,
        along=along,
        across=across,
    )


def _fill_rotations(rotations: Floats, block: _Block, bent: _BentArms) -> None:
    """Write the rotations of both bones of N arms into an array.

    The columns of a rotation are x along the bone, y = z × x, and z along the elbow's hinge.

    Args:
        rotations: shape (N, 2, 3, 3), upper arm then forearm; written in place.
        block: N arms, of which the lengths of the bones are read.
        bent: the same arms in their planes.
    """
    hinge = column_cross(bent.axis, bent.toward)
    upper = bent.elbow / block.upper
    lower = (bent.axis * (bent.reached - bent.along) - bent.toward * bent.across) / block.lower
    for bone, direction in enumerate((upper, lower)):
        rotations[:, bone, :, 0] = direction.T
        rotations[:, bone, :, 1] = column_cross(hinge, direction).T
        rotations[:, bone, :, 2] = hinge.T


def carried_direction(axis: Floats, home: Floats = HOME) -> Floats:
    """Return the lowest direction of an elbow with its hand at home, carried to other axes.

    A hand is at home if it is in the direction `home` from its shoulder; an axis is the direction
    to a hand anywhere. The direction of the elbow is carried by the shortest turn from home h to
    the axis a, which takes a direction v at right angles to h to its mirror image in the plane
    normal to h + a. The result is smooth everywhere except for an axis opposite to home.

    Args:
        axis: unit columns from shoulder to hand, shape (3, N) for N arms.
        home: shape (3,), a unit direction ahead, neither to the left nor to the right.

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    # The lowest direction at right angles to home, which has no x.
    lowest = np.array([0.0, -home[2], home[1]])
    normal = axis + home[:, None]
    normal_squared = column_dot(normal, normal)
    near_opposite = np.flatnonzero(normal_squared < _NEAR_OPPOSITE**2)
    if near_opposite.size:
        return _reflected_near_opposite(lowest, axis, normal, normal_squared, near_opposite)
    return _reflected(lowest, normal, normal_squared)


def _reflected(elbow_at_home: Floats, normal: Floats, normal_squared: Floats) -> Floats:
    """Reflect one elbow direction v in N planes: v − 2 (v · b) b / (b · b), shape (3, N).

    Let h be the unit direction to a hand at home, a that to another hand, and b = h + a the normal
    of a plane. The shortest turn from h to a is the reflection in the plane normal to h, followed
    by that in the plane normal to b. The former leaves v, which is at right angles to h, as it is;
    so the latter alone turns the elbow direction v along with the hand.

    Args:
        elbow_at_home: v, shape (3,), a unit direction at right angles to h, with x = 0 (neither
            left nor right).
        normal: b, shape (3, N), of any length above 0.
        normal_squared: b · b, shape (N,), which callers have already.

    Returns:
        The elbow direction for each of the other hands, shape (3, N).
    """
    # v · b, without the product of the x, as that of v is 0.
    dot_product = normal[1] * elbow_at_home[1] + normal[2] * elbow_at_home[2]
    return elbow_at_home[:, None] - 2.0 * dot_product / normal_squared * normal


def _reflected_near_opposite(
    elbow_at_home: Floats, axis: Floats, normal: Floats, normal_squared: Floats, near: Integers
) -> Floats:
    """Reflect one elbow direction in N planes as `_reflected` does, also for axes opposite to home.

    Where an axis is nearly opposite to home, h + a is short, and the reflection loses digits. There
    the result is made orthogonal to the axis again.

    Args:
        elbow_at_home: shape (3,), a unit direction at right angles to h, the direction to a hand at
            home.
        axis: a, shape (3, N), unit columns from shoulder to hand.
        normal: h + a, shape (3, N).
        normal_squared: |h + a|², shape (N,).
        near: indices of the axes nearly opposite to home; only these are made orthogonal.

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    # The bound avoids a division by 0; columns that it changes are replaced below.
    side = _reflected(elbow_at_home, normal, np.maximum(normal_squared, 1e-28))
    near_side = side[:, near]
    near_axis = axis[:, near]
    # Within rounding of opposite (|h + a| < 1e-14) no turn is the shortest; the direction at home
    # is as good as any.
    near_side = np.where(normal_squared[near] < 1e-28, elbow_at_home[:, None], near_side)
    near_side = near_side - column_dot(near_side, near_axis) * near_axis
    side[:, near] = near_side / column_norm(near_side)
    return side


def blended_toward_lowest(axis: Floats, share: Floats) -> Floats:
    """Return elbow directions between that of `carried_direction` and the lowest one.

    At share 0 it is the former, at share 1 the latter. The lowest direction makes a full turn with
    a hand that circles the vertical through its shoulder, so it is singular for a hand straight
    under or over the shoulder, and the caller's share must reach 0 there. In between, the elbow
    turns from the one direction to the other about the axis, by a smooth step of the share.

    Args:
        axis: unit columns from shoulder to hand, shape (3, N) for N arms.
        share: shape (N,); below 0 counts as 0, above 1 as 1.

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    # All are lowest at first; those with a share below 1 are then replaced.
    side = _lowest(axis)
    carried_only = np.flatnonzero(share <= 0.0)
    if carried_only.size:
        side[:, carried_only] = carried_direction(axis[:, carried_only])
    blended = np.flatnonzero((share > 0.0) & (share < 1.0))
    if blended.size:
        side[:, blended] = turned_toward_lowest(
            axis[:, blended], carried_direction(axis[:, blended]), share[blended]
        )
    return side


def turned_toward_lowest(axis: Floats, side: Floats, share: Floats) -> Floats:
    """Turn elbow directions about their axes by a smooth share of the angle to the lowest ones.

    Args:
        axis: unit columns from shoulder to hand, shape (3, N) for N arms.
        side: shape (3, N), unit columns at right angles to them, toward the elbows.
        share: shape (N,), from 0 (unchanged) to 1 (lowest).

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    beside = column_cross(axis, side)
    # cos φ side + sin φ beside is lowest where its y, the second coordinate, is least, that is
    # where (cos φ, sin φ) points opposite to the y of the two.
    turn = smoother_step(share) * np.arctan2(-beside[1], -side[1])
    turned: Floats = side * np.cos(turn) + beside * np.sin(turn)
    return turned


def _lowest(axis: Floats) -> Floats:
    """Return, for each axis, the unit vector at right angles to it that points furthest down.

    With c = √(x² + z²), the length of the axis's horizontal part, it is (xy/c, −c, zy/c).

    Args:
        axis: shape (3, N) for N arms, unit columns; y is up.

    Returns:
        Shape (3, N); finite, but of no use, where an axis is vertical.
    """
    x, y, z = axis
    horizontal = np.sqrt(x * x + z * z)
    # The bound only avoids a division by 0 for a vertical axis.
    slope = y / np.maximum(horizontal, 1e-150)
    # Filled row by row, so that the result has the memory layout of `axis`.
    side = np.empty_like(axis)
    np.multiply(x, slope, out=side[0])
    np.negative(horizontal, out=side[1])
    np.multiply(z, slope, out=side[2])
    return side


def swing_elbows(pose: ArmPose, shoulder: Floats, rows: Integers, turns: Floats) -> ArmPose:
    """Turn some arms rigidly about the lines from shoulder to wrist, so that their elbows move.

    Elbows and the bones' rotations change; wrists and gaps stay. The given pose is left as it is.

    Args:
        pose: arms of any leading shape (...).
        shoulder: shape (..., 3), [m].
        rows: indices of the N arms to turn, in the flattened shape, shape (N,).
        turns: shape (N,), right-handed angles about the direction from shoulder to wrist, [rad].

    Returns:
        A new pose of all arms.
    """
    root, elbow, wrist = (
        joint.reshape(-1, 3)[rows] for joint in (shoulder, pose.elbow, pose.wrist)
    )
    # The same rotation for the elbow about the shoulder and for the axes of both bones.
    rotation = _rotations_about((wrist - root).T, turns)
    elbows = pose.elbow.reshape(-1, 3).copy()
    rotations = pose.rotations.reshape(-1, 2, 3, 3).copy()
    elbows[rows] = root + (rotation @ (elbow - root)[..., None])[..., 0]
    rotations[rows] = rotation[:, None] @ rotations[rows]
    return replace(
        pose,
        elbow=elbows.reshape(pose.elbow.shape),
        rotations=rotations.reshape(pose.rotations.shape),
    )


def _rotations_about(lines: Floats, turns: Floats) -> Floats:
    """Return rotation matrices about lines through the origin, by Rodrigues' formula, (N, 3, 3).

    Args:
        lines: shape (3, N) for N lines, columns of any length along the axes.
        turns: shape (N,), right-handed angles, [rad].
    """
    # Where the wrist is at the shoulder, the line is too short to have a direction: no turn. Its
    # axis is then not of length 1, which does not matter at angle 0.
    length = column_norm(lines)
    turns = np.where(length > MIN_LINE, turns, 0.0)
    axis = lines / np.maximum(length, MIN_LINE)
    x, y, z = axis
    sine = np.sin(turns)
    versine = 1.0 - np.cos(turns)
    # R = cos φ + (1 − cos φ) a aᵀ + sin φ [a]×
    matrix = axis[:, None] * axis[None] * versine
    matrix[0, 0] += 1.0 - versine
    matrix[1, 1] += 1.0 - versine
    matrix[2, 2] += 1.0 - versine
    # The cross product matrix [a]×: each component of a stands twice, with opposite signs.
    for (row, column), component in zip(((2, 1), (0, 2), (1, 0)), (x, y, z), strict=True):
        matrix[row, column] += sine * component
        matrix[column, row] -= sine * component
    return np.ascontiguousarray(matrix.transpose(2, 0, 1))


PRINTED_FROM = 0.06
PRINTED_FULLY = 0.50
"""How far ahead of its shoulder a hand is, over its distance, where the printed rule begins and is
all there.
"""


def _elbow_field(axis: Floats) -> Floats:
    """Unit directions of elbows at swivel 0, columns (3, N), for unit columns toward the hands."""
    return blended_toward_lowest(axis, (axis[2] - PRINTED_FROM) / (PRINTED_FULLY - PRINTED_FROM))


chicken_wing = solver_from_field(_elbow_field)
"""Pose arms by the chicken-wing rule, as a `Solver`.

For hands in front of the shoulder this is the printed rule (`get_elbow_position`): swivel 0 puts
the elbow lowest, in the vertical plane of shoulder and hand, and a positive one lifts it outward.
That rule turns the elbow once around with a hand that circles the vertical through the shoulder, so
it jumps for a hand that passes straight under or over it. As the hand leaves the space in front,
the rule therefore gives way to `carried_direction`, which does not jump there.
"""

AT_SHOULDER = 1e-12
"""A hand that is nearer to its shoulder has no direction, [m]."""


def original_axes(points: ArrayLike) -> Floats:
    """Convert points to the axes of `get_elbow_position`, or back: (x, y, z) → (−x, y, −z).

    In animations +y is up, too, but a juggler faces +z and has the left hand at +x: half a turn
    about y.

    Args:
        points: shape (..., 3).

    Returns:
        Shape (..., 3).
    """
    turned: Floats = np.asarray(points, dtype=float) * (-1.0, 1.0, -1.0)
    return turned


def get_elbow_position(
    S: ArrayLike,  # noqa: N803
    H: ArrayLike,  # noqa: N803
    l: float,  # noqa: E741
    omega: ArrayLike,
    hand: ArrayLike,
) -> Floats:
    """Elbow of an arm of two equal bones, swivelled out of the plane of shoulder and hand.

    At omega 0 the elbow is in the vertical plane through shoulder and hand, at its lower place.
    Names of the arguments are those of the original, as printed.

    The axes are those of the original: +y up, the juggler faces −z and has the right hand at +x;
    `original_axes` converts from those of animations and back. With H' = H − S, r = |H'| and θ =
    atan2(H'z, H'x), H'' is H' turned by θ about y into the plane z = 0. There E'' = H''/2 +
    h·û₁·cos ω' + h·û₂·sin ω', with h = √(l² − r²/4), û₁ across H'' and down in this plane, û₂ along
    z, and ω' = ω for the right hand and −ω for the left. The elbow is E'' turned back by θ, plus S.

    Where the original divides by zero (the hand at the shoulder) the arm is folded straight ahead;
    where it stretches the arm (r > 2l) the elbow stays at its distance l from the shoulder, on the
    line to the hand.

    Args:
        S: shape (..., 3), shoulder, [m].
        H: shape (..., 3), hand, [m].
        l: length of each bone, [m].
        omega: shape (...), chicken-wing angle, [rad]; positive lifts the elbow outward.
        hand: shape (...), 0 for the left and 1 for the right.

    Returns:
        Elbows, shape (..., 3), [m].
    """
    # One arm is the usual case, and much faster with plain numbers. These fail for several arms,
    # and for a hand at its shoulder or straight above or below it: then arrays are used.
    try:
        return _one_elbow(
            S.tolist() if isinstance(S, np.ndarray) and S.ndim == 1 else S,
            H.tolist() if isinstance(H, np.ndarray) and H.ndim == 1 else H,
            l,
            omega,
            hand,
        )
    except (TypeError, ValueError, ZeroDivisionError):
        return _elbows(
            np.asarray(S, dtype=float),
            np.asarray(H, dtype=float),
            l,
            np.asarray(omega, dtype=float),
            np.asarray(hand),
        )


def _one_elbow(shoulder: Any, wrist: Any, length: float, omega: Any, hand: Any) -> Floats:
    """Return the elbow of one arm, shape (3,), [m], with plain numbers, 20 times as fast as arrays.

    The arm has two equal bones. With omega 0 its elbow is in the vertical plane of shoulder and
    hand, at the lower place; omega turns it outward about the line between these.

    Args:
        shoulder, wrist: three coordinates each, +y up, right hand at +x, [m].
        length: the length of each of the two bones, [m].
        omega: turn of the elbow outward, [rad].
        hand: 0 for the left and 1 for the right.

    Raises:
        TypeError, ValueError: the arguments are those of several arms.
        ZeroDivisionError: the hand is at its shoulder, or straight above or below it.
    """
    shoulder_x, shoulder_y, shoulder_z = shoulder
    wrist_x, wrist_y, wrist_z = wrist
    x = wrist_x - shoulder_x
    y = wrist_y - shoulder_y
    z = wrist_z - shoulder_z
    level_square = x * x + z * z
    level = math.sqrt(level_square)
    r = math.sqrt(level_square + y * y)
    if r < AT_SHOULDER or level == 0.0:
        raise ZeroDivisionError
    # Half way to the hand, at most a bone's length, and from there h across.
    half = min(r / 2, length)
    h = math.sqrt(length * length - half * half)
    signed_omega = omega if hand == 1 else -omega
    # The formula of `_elbows`, into which sine and cosine of the heading are inserted, z / level
    # and x / level.
    half_share = half / r
    lift_share = h * math.cos(signed_omega) / r
    across_share = half_share + lift_share * y / level
    out_of_plane_share = h * math.sin(signed_omega) / level
    return np.array(
        (
            shoulder_x + across_share * x - out_of_plane_share * z,
            shoulder_y + half_share * y - lift_share * level,
            shoulder_z + across_share * z + out_of_plane_share * x,
        )
    )


def _elbows(
    shoulder: Floats, wrist: Floats, length: float, omega: Floats, hand: Integers
) -> Floats:
    """Return the elbows of any number of arms of two equal bones, shape (..., 3), [m].

    The formula is that of `get_elbow_position`. Turned about +y through the shoulder by the heading
    θ of the hand, the arm has the hand H'' = (level, y, 0) in the plane z = 0. Its elbow E'' is
    H''/2 + h·û₁·cos ω' + h·û₂·sin ω': half way to the hand and by h across. There û₁ = (y, −level,
    0) / r is across H'' and down in the plane, û₂ is +z, and ω' is ω for the right hand and −ω for
    the left.

    Args:
        shoulder, wrist: shape (..., 3), +y up, right hand at +x, [m].
        length: the length of each bone, [m].
        omega: shape (...), turn of the elbow outward, [rad].
        hand: shape (...), 0 for the left and 1 for the right.
    """
    to_hand = wrist - shoulder
    if to_hand.size > 3 * _BLOCK_SIZE:
        return _elbows_in_blocks(shoulder, wrist, length, omega, hand)
    x = to_hand[..., 0]
    y = to_hand[..., 1]
    z = to_hand[..., 2]
    level_square = x * x + z * z
    level = np.sqrt(level_square)
    r = np.sqrt(level_square + y * y)
    # The elbow of two equal bones is half way to the hand, at most a bone's length, and the height
    # h of an isosceles triangle across.
    half = np.minimum(r / 2, length)
    # A hand at the shoulder has no direction; straight ahead, −z, is taken.
    at_shoulder = r < AT_SHOULDER
    if at_shoulder.any():
        x = np.where(at_shoulder, 0.0, x)
        y = np.where(at_shoulder, 0.0, y)
        z = np.where(at_shoulder, -1.0, z)
        level = np.where(at_shoulder, 1.0, level)
        r = np.where(at_shoulder, 1.0, r)
        half = np.where(at_shoulder, 0.0, half)
    # Cosine and sine of the heading θ, which is taken as 0 for a hand straight above or below.
    vertical = level == 0.0
    divisor = np.where(vertical, 1.0, level)
    cosine = np.where(vertical, 1.0, x / divisor)
    sine = np.where(vertical, 0.0, z / divisor)
    h = np.sqrt(length * length - half * half)
    # Coordinates of E'': `out_of_plane` along z, `across` along x and `up` along y. In the plane
    # it is half · (level, y) / r along H'' and h cos ω' · (y, −level) / r along û₁. Both factors
    # are divided by r first, which makes them ratios of lengths: `half_share` and `lift`.
    signed_omega = np.where(hand == 1, omega, -omega)
    out_of_plane = h * np.sin(signed_omega)
    lift = h * np.cos(signed_omega) / r
    half_share = half / r
    across = half_share * level + lift * y
    up = half_share * y - lift * level
    # E'' turned back by θ about y, and moved from the shoulder to its place.
    elbow = np.empty((*up.shape, 3))
    elbow[..., 0] = across * cosine - out_of_plane * sine
    elbow[..., 1] = up
    elbow[..., 2] = across * sine + out_of_plane * cosine
    elbow += shoulder
    return elbow


def _elbows_in_blocks(
    shoulder: Floats, wrist: Floats, length: float, omega: Floats, hand: Integers
) -> Floats:
    """Return the elbows of many arms, computed by blocks that fit into the processor's cache.

    Args:
        shoulder, wrist: shape (..., 3), [m]; the leading shapes of all arrays are broadcast.
        length: the length of each bone, [m].
        omega: shape (...), turn of the elbow outward, [rad].
        hand: shape (...), 0 for the left and 1 for the right.
    """
    shape = np.broadcast_shapes(shoulder.shape[:-1], wrist.shape[:-1], omega.shape, hand.shape)
    shoulders = np.broadcast_to(shoulder, (*shape, 3)).reshape(-1, 3)
    wrists = np.broadcast_to(wrist, (*shape, 3)).reshape(-1, 3)
    omegas = np.broadcast_to(omega, shape).ravel()
    hands = np.broadcast_to(hand, shape).ravel()
    elbows = np.empty_like(shoulders)
    for start in range(0, len(elbows), _BLOCK_SIZE):
        block = slice(start, start + _BLOCK_SIZE)
        elbows[block] = _elbows(
            shoulders[block], wrists[block], length, omegas[block], hands[block]
        )
    return elbows.reshape(*shape, 3)
