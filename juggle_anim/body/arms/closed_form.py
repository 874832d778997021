"""Arms in closed form: an elbow on its circle about the line between shoulder and hand, swivelled from a given side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.arm import Arm
from juggle_anim.body.arms.arm_pose import ArmPose
from juggle_anim.body.arms.carried import HOME
from juggle_anim.vectors import column_cross, column_units

Field = Callable[[Floats], Floats]
"""Where elbows lie at swivel 0: from unit columns toward the hands, shape (3, N), to unit columns at right angles."""

# So many arms are posed at a time, so that what lies between input and output stays in the processor's cache.
_BLOCK = 8192


def pose_arms(
    field: Field, shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats
) -> ArmPose:
    """Pose arms whose elbows lie where a field says, turned outward about the line to the hand by the swivel.

    With l₁, l₂ the bones, r the distance to the hand and q = (l₁ − l₂)/r, the elbow is ((l₁ + l₂)q + r)/2 along the
    line and √((l₁ + l₂)² − r²)·√(1 − q²)/2 across it: the law of cosines in a form that keeps its digits where the arm
    is straight or folded. A hand out of reach is brought to the nearest place that is in reach.

    Args:
        field: where elbows lie at swivel 0.
        shoulder, hand, arm, side, swivel: as in `Solver`.
    """
    batch = _Batch.of(shoulder, hand, arm, side, swivel)
    elbow, wrist = np.empty((batch.size, 3)), np.empty((batch.size, 3))
    rotations, gap = np.empty((batch.size, 2, 3, 3)), np.empty(batch.size)
    for block in batch.blocks():
        bent = _bent(field, block)
        here = block.where
        np.add(block.shoulder, bent.elbow, out=elbow[here].T)
        np.add(block.shoulder, bent.axis * bent.reached, out=wrist[here].T)
        gap[here] = np.abs(bent.distance - bent.reached)
        _fill_rotations(rotations[here], block, bent)
    shape = batch.shape
    return ArmPose(
        elbow.reshape(*shape, 3), wrist.reshape(*shape, 3), rotations.reshape(*shape, 2, 3, 3), gap.reshape(shape)
    )


@dataclass(frozen=True)
class _Block:
    """Some arms of a batch: columns of vectors; numbers that are the same for all stay numbers."""

    where: slice
    shoulder: Floats
    hand: Floats
    upper: Floats
    lower: Floats
    sine: Floats
    cosine: Floats


@dataclass(frozen=True)
class _Batch:
    """All arms of a call, in one row."""

    shape: tuple[int, ...]
    size: int
    shoulder: Floats
    hand: Floats
    numbers: tuple[Floats, ...]

    @staticmethod
    def of(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> _Batch:
        shoulder, hand = np.asarray(shoulder, dtype=float), np.asarray(hand, dtype=float)
        turn = (1.0 - 2.0 * np.asarray(side)) * swivel
        numbers = [np.asarray(number, dtype=float) for number in (arm.upper, arm.lower, np.sin(turn), np.cos(turn))]
        shape = np.broadcast_shapes(shoulder.shape[:-1], hand.shape[:-1], *(number.shape for number in numbers))
        rows = [np.broadcast_to(points, (*shape, 3)).reshape(-1, 3) for points in (shoulder, hand)]
        spread = (np.broadcast_to(each, shape).reshape(-1) if each.ndim else each for each in numbers)
        return _Batch(shape, len(rows[0]), rows[0], rows[1], tuple(spread))

    def blocks(self) -> Iterator[_Block]:
        for start in range(0, self.size, _BLOCK):
            where = slice(start, start + _BLOCK)
            numbers = (each[where] if each.ndim else each for each in self.numbers)
            yield _Block(where, self.shoulder[where].T, self.hand[where].T, *numbers)


@dataclass(frozen=True)
class _Bent:
    """Arms of a block in their planes: unit columns along the line to the hand and from it to the elbow."""

    axis: Floats
    toward: Floats
    elbow: Floats
    distance: Floats
    reached: Floats
    along: Floats
    across: Floats


def _bent(field: Field, block: _Block) -> _Bent:
    """Arms with their shoulders at the origin."""
    with np.errstate(over="ignore"):
        away = np.subtract(block.hand, block.shoulder, order="C")
        axis, distance = column_units(away, HOME)
    whole, uneven = block.upper + block.lower, block.upper - block.lower
    reached = np.minimum(np.maximum(distance, np.abs(uneven)), whole)
    share = uneven / np.maximum(reached, 1e-300)
    along = (whole * share + reached) / 2.0
    across = np.sqrt((whole - reached) * (whole + reached) * (1.0 - share * share)) / 2.0
    lowest = field(axis)
    toward = lowest * block.cosine + column_cross(axis, lowest) * block.sine
    return _Bent(axis, toward, axis * along + toward * across, distance, reached, along, across)


def _fill_rotations(rotations: Floats, block: _Block, bent: _Bent) -> None:
    """Write what turns a bone that lies along x, with its hinge along z, to where each bone lies; (N, 2, 3, 3)."""
    hinge = column_cross(bent.axis, bent.toward)
    upper = bent.elbow / block.upper
    lower = (bent.axis * (bent.reached - bent.along) - bent.toward * bent.across) / block.lower
    for bone, along in enumerate((upper, lower)):
        rotations[:, bone, :, 0] = along.T
        rotations[:, bone, :, 1] = column_cross(hinge, along).T
        rotations[:, bone, :, 2] = hinge.T
