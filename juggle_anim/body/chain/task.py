"""Goals, options and outcome of the chain solver; what is missing to a batch of goals, and its Jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.chain.chain import Chain, Frame, Placement
from juggle_anim.errors import ChainError

NEARLY_STRAIGHT = 1e-6
"""By this share of its whole length a chain stays bent, since a straight one knows no way back."""

AT_REST = 1e-9
"""For `Effort.rest`, of what follows a goal in time: no joint drifts, [rad]."""


@dataclass(frozen=True)
class Task:
    """Goals of B poses; positions (3, B), [m], and rotations (3, 3, B) or None, one of each for every goal."""

    chain: Chain
    goals: tuple[Goal, ...]
    positions: tuple[Floats, ...]
    orientations: tuple[Floats | None, ...]

    @classmethod
    def of(cls, chain: Chain, goals: Sequence[Goal], batch: int) -> Task:
        """Spread goals over a batch.

        Raises:
            ChainError: if there is none, or one that does not fit the chain or the batch.
        """
        if not goals:
            raise ChainError("there is nothing to solve; accepted is one goal or more")
        for number, goal in enumerate(goals):
            _check(number, goal, chain, batch)
        positions = [np.broadcast_to(goal.position, (batch, 3)).T.copy() for goal in goals]
        return cls(chain, tuple(goals), tuple(positions), tuple(_rotations(goal, batch) for goal in goals))

    @property
    def size(self) -> float:
        """Length of the longest way from a first joint to a frame, [m]."""
        return max(self.chain.reach(goal.frame)[1] for goal in self.goals)

    def within_reach(self) -> Task:
        """The same with each position brought to where its chain, stretched almost straight, can be."""
        return replace(self, positions=tuple(map(self._reachable, self.goals, self.positions)))

    def subset(self, columns: Booleans | Integers) -> Task:
        """That of some of the poses alone."""
        positions = tuple(position[..., columns] for position in self.positions)
        rotations = tuple(None if turn is None else turn[..., columns] for turn in self.orientations)
        return replace(self, positions=positions, orientations=rotations)

    def missing(self, placement: Placement) -> Floats:
        """What each frame lacks, times its weight, shape (m, B), [m]: positions, and orientations times the lever."""
        rows = []
        for goal, position, orientation in zip(self.goals, self.positions, self.orientations, strict=True):
            rows.append(goal.weight * (position - placement.point(goal.frame.joint, np.asarray(goal.frame.point))))
            if orientation is not None:
                rows.append(goal.weight * goal.lever * _rotation_error(orientation, placement.turns[goal.frame.joint]))
        return np.concatenate(rows)

    def jacobian(self, placement: Placement) -> Floats:
        """How the frames move with each joint, in the rows of `missing`, shape (m, n, B), [m/rad]."""
        rows = []
        for goal in self.goals:
            carrying = self.chain.carried[goal.frame.joint]
            linear, angular = placement.velocities(carrying, goal.frame.joint, np.asarray(goal.frame.point))
            rows.append(goal.weight * linear)
            if goal.orientation is not None:
                rows.append(goal.weight * goal.lever * angular)
        return np.ascontiguousarray(np.concatenate(rows, axis=1).transpose(1, 0, 2))

    def errors(self, missing: Floats) -> Floats:
        """How far each frame is from its goal, the orientation times the lever included, shape (goals, B), [m]."""
        sizes, row = [], 0
        for goal in self.goals:
            rows = 3 if goal.orientation is None else 6
            part = missing[row : row + rows]
            sizes.append(np.sqrt(np.einsum("ib,ib->b", part, part)) / goal.weight)
            row += rows
        return np.stack(sizes)

    def _reachable(self, goal: Goal, position: Floats) -> Floats:
        root, reach = self.chain.reach(goal.frame)
        center = np.array(self.chain.joints[root].offset)[:, None]
        away = position - center
        distance = np.sqrt(np.einsum("ib,ib->b", away, away))
        return center + away * np.minimum(1.0, (1 - NEARLY_STRAIGHT) * reach / np.maximum(distance, 1e-300))


def _rotation_error(wanted: Floats, turn: Floats) -> Floats:
    """The turn that takes one rotation to another, as axis times angle, shape (3, B), [rad]."""
    between = np.einsum("ikb,jkb->ijb", wanted, turn)
    sines = 0.5 * np.stack(
        [between[2, 1] - between[1, 2], between[0, 2] - between[2, 0], between[1, 0] - between[0, 1]]
    )
    sine = np.sqrt(np.einsum("ib,ib->b", sines, sines))
    cosine = 0.5 * (between[0, 0] + between[1, 1] + between[2, 2] - 1)
    axis = sines / np.maximum(sine, 1e-300)
    # Half a turn leaves no sines, but then all columns of R + 1 lie along the axis.
    half = (sine < 1e-6) & (cosine < 0)
    if half.any():
        columns = between[..., half] + np.eye(3)[..., None]
        longest = np.argmax(np.einsum("ijb,ijb->jb", columns, columns), axis=0)
        along = np.take_along_axis(columns, longest[None, None], axis=1)[:, 0]
        along *= np.where(np.einsum("ib,ib->b", along, sines[:, half]) < 0, -1.0, 1.0)
        axis[:, half] = along / np.sqrt(np.einsum("ib,ib->b", along, along))
    return axis * np.arctan2(sine, cosine)


def _rotations(goal: Goal, batch: int) -> Floats | None:
    if goal.orientation is None:
        return None
    return np.moveaxis(np.broadcast_to(goal.orientation, (batch, 3, 3)), 0, -1).copy()


def _check(number: int, goal: Goal, chain: Chain, batch: int) -> None:
    if not 0 <= goal.frame.joint < len(chain):
        raise ChainError(f"goal {number} is at joint {goal.frame.joint}; accepted is 0 to {len(chain) - 1}")
    if not (goal.weight > 0 and goal.lever > 0):
        raise ChainError(f"goal {number} has weight {goal.weight:g} and lever {goal.lever:g}; both must be above 0")
    _check_shape(f"position of goal {number}", goal.position, (3,), batch)
    if goal.orientation is not None:
        _check_shape(f"orientation of goal {number}", goal.orientation, (3, 3), batch)


def _check_shape(name: str, values: Floats, shape: tuple[int, ...], batch: int) -> None:
    if values.shape not in (shape, (1, *shape), (batch, *shape)):
        raise ChainError(f"the {name} has shape {values.shape}; accepted is {shape} or {(batch, *shape)}")
    if not np.isfinite(values).all():
        raise ChainError(f"the {name} is not finite; accepted are finite numbers")


@dataclass(frozen=True)
class Goal:
    """Where a frame should be.

    Args:
        frame: of which joint, and where on it.
        position: shape (3,) or (B, 3), [m].
        orientation: shape (3, 3) or (B, 3, 3), the rotation whose columns are the frame's axes; None if any will do.
        weight: how much it counts beside other goals that cannot all be met.
        lever: what an orientation that is off by 1 rad counts as, [m].
    """

    frame: Frame
    position: Floats
    orientation: Floats | None = None
    weight: float = 1.0
    lever: float = 0.2


@dataclass(frozen=True)
class SolverOptions:
    """How hard to try.

    Args:
        tolerance: a goal that is missed by no more counts as met, [m].
        iterations: steps of one attempt, at most.
        restarts: attempts from elsewhere, at most, where the first one failed.
        rest: with all goals met, go on until no joint moves farther than this in a step, [rad]. What is left free has
            then come as near to the posture as it can, and the answer no longer depends on the way to it.
    """

    tolerance: float = 1e-5
    iterations: int = 60
    restarts: int = 12
    rest: float = np.inf


@dataclass(frozen=True)
class Trace:
    """How it went: angles (K + 1, B, n), [rad], and errors (K + 1, B, goals), [m], at the start and after each step."""

    angles: Floats
    errors: Floats


@dataclass(frozen=True)
class Outcome:
    """What came out for B targets.

    Args:
        angles: shape (B, n), [rad], all within the limits.
        errors: shape (B, goals), by which each frame misses its goal, [m]; an orientation's counts times its lever.
        converged: shape (B,), whether no goal is missed by more than the tolerance.
        iterations: shape (B,), steps that were tried, those of restarts included.
        restarts: shape (B,), how often it began anew.
        trace: how the first attempt went, if that was asked for.
    """

    angles: Floats
    errors: Floats
    converged: Booleans
    iterations: Integers
    restarts: Integers
    trace: Trace | None = None
