"""Arms in closed form: elbows on their swivel circles, placed by a field of directions.

Elbows of any solver are turned, lowered or guided along a plan, where it would move them too fast
or into the body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.solvers import AT_EASE, Arm, ArmPose, Solver, adjusted
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import (
    column_cross,
    column_dot,
    column_norm,
    column_units,
    cross,
    dot,
    smoother_step,
    unit,
)

Field = Callable[[Floats], Floats]
"""Directions of elbows at swivel 0: unit columns at right angles to unit columns toward the hands,
shape (3, N).
"""

Refinement = Callable[[slice, Floats, Floats], Floats]
"""Further turns of elbows about the lines to their hands, right-handed, shape (N,), [rad]: from the
slice that they are of the flat batch, and from the hinges of their elbows and the directions of
their forearms, unit columns.
"""

# Arms posed together, so that intermediate results fit in the processor's cache.
_BLOCK = 8192

HOME = np.array([0.0, -0.3, 0.95]) / np.hypot(0.3, 0.95)
"""Reference direction from shoulder to hand, for which the elbow's direction is given: ahead, where
hands mostly are.

No tangent field on a sphere is smooth everywhere. This one is singular only opposite home, behind
and above the shoulder, where hands rarely are.
"""

# Within this of the direction opposite home, rounding errors matter.
_NEAR = 1e-4

MIN_LINE = 1e-6
"""Distance from shoulder to wrist within which an arm has no swivel axis, [m]."""


SWIVEL_CHANNELS = 4
"""Values of each arm: the direction from the line between shoulder and wrist to the elbow, scaled
by the weight of the plan, and that weight.
"""

TOWARD = slice(0, 3)
SHARE = 3
"""Indices of the direction and of the weight among these values."""


def pose_arms(
    field: Field,
    shoulder: Floats,
    hand: Floats,
    arm: Arm,
    side: int | Integers,
    swivel: float | Floats,
    refinement: Refinement | None = None,
) -> ArmPose:
    """Arms with elbows placed by a field and turned outward about the line to the hand by the
    swivel.

    With l₁, l₂ the bones, r the distance to the hand and q = (l₁ − l₂)/r, the elbow is ((l₁ + l₂)q
    + r)/2 along the line and √((l₁ + l₂)² − r²)·√(1 − q²)/2 across it: the law of cosines in a form
    that is accurate where the arm is straight or folded. A hand out of reach is brought to the
    nearest place that is in reach.

    Args:
        field: directions of elbows at swivel 0.
        shoulder, hand, arm, side, swivel: as in `Solver`.
        refinement: turns elbows further.
    """
    batch = _Batch.of(shoulder, hand, arm, side, swivel)
    elbow = np.empty((batch.size, 3))
    wrist = np.empty((batch.size, 3))
    rotations = np.empty((batch.size, 2, 3, 3))
    gap = np.empty(batch.size)
    for block in batch.blocks():
        bent = _bent(field, block, refinement)
        here = block.where
        np.add(block.shoulder, bent.elbow, out=elbow[here].T)
        np.add(block.shoulder, bent.axis * bent.reached, out=wrist[here].T)
        gap[here] = np.abs(bent.distance - bent.reached)
        _fill_rotations(rotations[here], block, bent)
    shape = batch.shape
    return ArmPose(
        elbow.reshape(*shape, 3),
        wrist.reshape(*shape, 3),
        rotations.reshape(*shape, 2, 3, 3),
        gap.reshape(shape),
    )


@dataclass(frozen=True)
class _Block:
    """Some arms of a batch, vectors as columns; scalars common to all arms stay scalars."""

    where: slice
    shoulder: Floats
    hand: Floats
    upper: Floats
    lower: Floats
    sine: Floats
    cosine: Floats


@dataclass(frozen=True)
class _Batch:
    """All arms of a call, flattened."""

    shape: tuple[int, ...]
    size: int
    shoulder: Floats
    hand: Floats
    numbers: tuple[Floats, ...]

    @staticmethod
    def of(
        shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats
    ) -> _Batch:
        shoulder = np.asarray(shoulder, dtype=float)
        hand = np.asarray(hand, dtype=float)
        turn = (1.0 - 2.0 * np.asarray(side)) * swivel
        numbers = [
            np.asarray(number, dtype=float)
            for number in (arm.upper, arm.lower, np.sin(turn), np.cos(turn))
        ]
        shape = np.broadcast_shapes(
            shoulder.shape[:-1], hand.shape[:-1], *(number.shape for number in numbers)
        )
        rows = [np.broadcast_to(points, (*shape, 3)).reshape(-1, 3) for points in (shoulder, hand)]
        flat = (np.broadcast_to(each, shape).reshape(-1) if each.ndim else each for each in numbers)
        return _Batch(shape, len(rows[0]), rows[0], rows[1], tuple(flat))

    def blocks(self) -> Iterator[_Block]:
        for start in range(0, self.size, _BLOCK):
            where = slice(start, start + _BLOCK)
            numbers = (each[where] if each.ndim else each for each in self.numbers)
            yield _Block(where, self.shoulder[where].T, self.hand[where].T, *numbers)


@dataclass(frozen=True)
class _Bent:
    """Arms of a block in their planes: unit columns along the line to the hand and from it to the
    elbow.
    """

    axis: Floats
    toward: Floats
    elbow: Floats
    distance: Floats
    reached: Floats
    along: Floats
    across: Floats


def _bent(field: Field, block: _Block, refinement: Refinement | None) -> _Bent:
    """The bent arms of a block, with their shoulders at the origin."""
    with np.errstate(over="ignore"):
        away = np.subtract(block.hand, block.shoulder, order="C")
        axis, distance = column_units(away, HOME)
    whole = block.upper + block.lower
    uneven = block.upper - block.lower
    reached = np.minimum(np.maximum(distance, np.abs(uneven)), whole)
    ratio = uneven / np.maximum(reached, 1e-300)
    along = (whole * ratio + reached) / 2.0
    across = np.sqrt((whole - reached) * (whole + reached) * (1.0 - ratio * ratio)) / 2.0
    lowest = field(axis)
    toward = lowest * block.cosine + column_cross(axis, lowest) * block.sine
    if refinement:
        hinge = column_cross(axis, toward)
        turn = refinement(
            block.where, hinge, (axis * (reached - along) - toward * across) / block.lower
        )
        toward = toward * np.cos(turn) + hinge * np.sin(turn)
    return _Bent(axis, toward, axis * along + toward * across, distance, reached, along, across)


def _fill_rotations(rotations: Floats, block: _Block, bent: _Bent) -> None:
    """Write the rotations of both bones, whose x lies along the bone and whose z along the hinge;
    (N, 2, 3, 3).
    """
    hinge = column_cross(bent.axis, bent.toward)
    upper = bent.elbow / block.upper
    lower = (bent.axis * (bent.reached - bent.along) - bent.toward * bent.across) / block.lower
    for bone, along in enumerate((upper, lower)):
        rotations[:, bone, :, 0] = along.T
        rotations[:, bone, :, 1] = column_cross(hinge, along).T
        rotations[:, bone, :, 2] = hinge.T


def carried_direction(axis: Floats, home: Floats = HOME) -> Floats:
    """The lowest direction at home, rotated by the shortest turn from home to each axis.

    The turn from h to a takes a direction v at right angles to h to its mirror image in the plane
    normal to h + a.

    Args:
        axis: shape (3, N), unit columns from shoulder to hand.
        home: shape (3,), a unit direction ahead, neither to the left nor to the right.

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    # The downward direction, projected at right angles to home.
    lowest = np.array([0.0, -home[2], home[1]])
    between = axis + home[:, None]
    squared = column_dot(between, between)
    near = np.flatnonzero(squared < _NEAR**2)
    if near.size:
        return _mirrored_near_opposite(lowest, axis, between, squared, near)
    return _mirrored(lowest, between, squared)


def _mirrored(lowest: Floats, between: Floats, squared: Floats) -> Floats:
    """The direction at home, mirrored in the planes normal to `between`."""
    share = 2.0 * (between[1] * lowest[1] + between[2] * lowest[2]) / squared
    return lowest[:, None] - share * between


def _mirrored_near_opposite(
    lowest: Floats, axis: Floats, between: Floats, squared: Floats, near: Integers
) -> Floats:
    """As `_mirrored`, with directions orthogonalised again where axes are nearly opposite to
    home.
    """
    side = _mirrored(lowest, between, np.maximum(squared, 1e-28))
    part = side[:, near]
    pointing = axis[:, near]
    part = np.where(squared[near] < 1e-28, lowest[:, None], part)
    part = part - column_dot(part, pointing) * pointing
    side[:, near] = part / column_norm(part)
    return side


def lowest_where(axis: Floats, share: Floats) -> Floats:
    """The lowest direction where the share is 1, the carried one where it is 0, and turned from one
    to the other.

    The lowest direction turns once around with a hand that circles the vertical through its
    shoulder, so it is not smooth for a hand straight under or over it, and a share must reach 0
    there. The two directions differ by an angle about the axis, and a smooth share of that angle is
    used: one with continuous curvature.

    Args:
        axis: shape (3, N), unit columns from shoulder to hand.
        share: shape (N,); below 0 counts as 0, above 1 as 1.

    Returns:
        Shape (3, N), unit columns at right angles to the axes.
    """
    side = _lowest(axis)
    nowhere = np.flatnonzero(share <= 0.0)
    if nowhere.size:
        side[:, nowhere] = carried_direction(axis[:, nowhere])
    partly = np.flatnonzero((share > 0.0) & (share < 1.0))
    if partly.size:
        side[:, partly] = lowered(
            axis[:, partly], carried_direction(axis[:, partly]), share[partly]
        )
    return side


def lowered(axis: Floats, side: Floats, share: Floats) -> Floats:
    """Directions turned about their axes by a smooth share of the angle to the lowest ones.

    Args:
        axis: shape (3, N), unit columns from shoulder to hand.
        side: shape (3, N), unit columns at right angles to them.
        share: shape (N,), from 0 to 1.
    """
    beside = column_cross(axis, side)
    turn = smoother_step(share) * np.arctan2(-beside[1], -side[1])
    turned: Floats = side * np.cos(turn) + beside * np.sin(turn)
    return turned


def _lowest(axis: Floats) -> Floats:
    """The part of a downward direction at right angles to each axis; meaningless for a vertical
    axis.
    """
    x, y, z = axis
    squared = x * x + z * z
    level = np.sqrt(squared)
    slope = y / np.maximum(level, 1e-150)
    side = np.empty_like(axis)
    np.multiply(x, slope, out=side[0])
    np.negative(level, out=side[1])
    np.multiply(z, slope, out=side[2])
    return side


def swing_elbows(pose: ArmPose, shoulder: Floats, rows: Integers, turns: Floats) -> ArmPose:
    """The pose with some arms turned rigidly about the lines to their wrists.

    Args:
        pose: arms of any shape.
        shoulder: shape (..., 3), [m].
        rows: shape (N,), flat indices of arms.
        turns: shape (N,), right-handed about the direction from shoulder to wrist, [rad].
    """
    root, elbow, wrist = (each.reshape(-1, 3)[rows] for each in (shoulder, pose.elbow, pose.wrist))
    turn = _rotations((wrist - root).T, turns)
    elbows = pose.elbow.reshape(-1, 3).copy()
    rotations = pose.rotations.reshape(-1, 2, 3, 3).copy()
    elbows[rows] = root + (turn @ (elbow - root)[..., None])[..., 0]
    rotations[rows] = turn[:, None] @ rotations[rows]
    return ArmPose(
        elbows.reshape(pose.elbow.shape),
        pose.wrist,
        rotations.reshape(pose.rotations.shape),
        pose.gap,
    )


def _rotations(lines: Floats, turns: Floats) -> Floats:
    """Rotation matrices about lines (3, N), shape (N, 3, 3), by Rodrigues' formula."""
    length = column_norm(lines)
    turns = np.where(length > MIN_LINE, turns, 0.0)
    x, y, z = axis = lines / np.maximum(length, MIN_LINE)
    sine = np.sin(turns)
    rest = 1.0 - np.cos(turns)
    matrix = axis[:, None] * axis[None] * rest
    matrix[0, 0] += 1.0 - rest
    matrix[1, 1] += 1.0 - rest
    matrix[2, 2] += 1.0 - rest
    for (row, column), part in zip(((2, 1), (0, 2), (1, 0)), (x, y, z), strict=True):
        matrix[row, column] += sine * part
        matrix[column, row] -= sine * part
    return np.ascontiguousarray(matrix.transpose(2, 0, 1))


@dataclass(frozen=True)
class Swivels:
    """The planned elbow directions of A arms over a loop; `juggle_anim.body.planning.swivel_plan`
    makes them.

    Args:
        arms: shape (A,), 2 · juggler + side.
        track: shape (T, A, `SWIVEL_CHANNELS`), in the frame of a juggler facing +z, at the default
            swivel `AT_EASE`.
    """

    arms: Integers
    track: PeriodicSpline


def guide(solver: Solver, arms: Integers, planned: Floats, lift: float | Floats = 0.0) -> Solver:
    """A solver whose elbows follow a plan.

    Args:
        solver: any; its solution is kept for arms and times without a plan.
        arms: shape (A,), as in `Swivels`.
        planned: shape (T, A, `SWIVEL_CHANNELS`), the track at T times; the returned solver takes
            arms of shape (T, J, 2).
        lift: the part of the swivels that the plan has already, [rad].
    """

    def follow(
        pose: ArmPose, shoulder: Floats, side: int | Integers, swivel: float | Floats
    ) -> ArmPose:
        guided = planned[..., SHARE] > 0.0
        rows = (np.arange(len(planned))[:, None] * pose.gap[0].size + arms)[guided]
        if not rows.size:
            return pose
        outward = (1.0 - 2.0 * np.asarray(side)) * (swivel - lift - AT_EASE)
        swivels = np.broadcast_to(outward, pose.gap.shape).reshape(-1)[rows]
        return swing_elbows(
            pose, shoulder, rows, _turns(pose, shoulder, rows, planned[guided], swivels)
        )

    return adjusted(solver, follow)


def _turns(
    pose: ArmPose, shoulder: Floats, rows: Integers, planned: Floats, outward: Floats
) -> Floats:
    """The angles from the solver's elbows to the planned ones about the lines to the wrists, shape
    (N,), [rad].
    """
    root, elbow, wrist = (each.reshape(-1, 3)[rows] for each in (shoulder, pose.elbow, pose.wrist))
    axis = unit(wrist - root)
    solved, target = (
        across - dot(across, axis) * axis for across in (elbow - root, planned[:, TOWARD])
    )
    target = np.cos(outward)[:, None] * target + np.sin(outward)[:, None] * cross(axis, target)
    target += (1.0 - planned[:, SHARE, None]) * unit(solved)
    return np.arctan2(dot(cross(solved, target), axis), dot(solved, target))[:, 0]
