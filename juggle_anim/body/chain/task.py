"""Goals, options and outcome of the chain solver; residuals of a batch of goals, and their
Jacobian.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.chain.chain import Chain, Frame, Placement
from juggle_anim.errors import ChainError
from juggle_anim.language import _

NEARLY_STRAIGHT = 1e-6
"""The share of its length by which a chain stays short of straight, where its Jacobian would lose
rank.
"""

AT_REST = 1e-9
"""A value of `SolverOptions.rest` for goals that move in time, so that no joint drifts, [rad]."""


@dataclass(frozen=True)
class Task:
    """Goals of B poses: for each goal, positions (3, B), [m], and rotations (3, 3, B) or None."""

    chain: Chain
    goals: tuple[Goal, ...]
    positions: tuple[Floats, ...]
    orientations: tuple[Floats | None, ...]

    @classmethod
    def of(cls, chain: Chain, goals: Sequence[Goal], batch: int) -> Task:
        """The task of goals that are broadcast to a batch.

        Raises:
            ChainError: if there is no goal, or one does not fit the chain or the batch.
        """
        if not goals:
            raise ChainError(_("there is nothing to solve; accepted is one goal or more"))
        for number, goal in enumerate(goals):
            _check(number, goal, chain, batch)
        positions = [np.broadcast_to(goal.position, (batch, 3)).T.copy() for goal in goals]
        return cls(
            chain, tuple(goals), tuple(positions), tuple(_rotations(goal, batch) for goal in goals)
        )

    @property
    def size(self) -> float:
        """Length of the longest path from a root joint to a frame, [m]."""
        return max(self.chain.reach(goal.frame)[1] for goal in self.goals)

    def within_reach(self) -> Task:
        """This task with positions out of reach replaced by those that the almost straight chain
        reaches.
        """
        return replace(self, positions=tuple(map(self._reachable, self.goals, self.positions)))

    def subset(self, columns: Booleans | Integers) -> Task:
        """The task of some of the poses."""
        positions = tuple(position[..., columns] for position in self.positions)
        rotations = tuple(
            None if turn is None else turn[..., columns] for turn in self.orientations
        )
        return replace(self, positions=positions, orientations=rotations)

    def residuals(self, placement: Placement) -> Floats:
        """Weighted differences from frames to goals, shape (m, B), [m]: positions, and orientations
        times the lever.
        """
        rows = []
        for goal, position, orientation in zip(
            self.goals, self.positions, self.orientations, strict=True
        ):
            rows.append(
                goal.weight
                * (position - placement.point(goal.frame.joint, np.asarray(goal.frame.point)))
            )
            if orientation is not None:
                rows.append(
                    goal.weight
                    * goal.lever
                    * _rotation_error(orientation, placement.turns[goal.frame.joint])
                )
        return np.concatenate(rows)

    def jacobian(self, placement: Placement) -> Floats:
        """Weighted Jacobian of the frames in the rows of `residuals`, shape (m, n, B), [m/rad]."""
        rows = []
        for goal in self.goals:
            carrying = self.chain.carried[goal.frame.joint]
            linear, angular = placement.velocities(
                carrying, goal.frame.joint, np.asarray(goal.frame.point)
            )
            rows.append(goal.weight * linear)
            if goal.orientation is not None:
                rows.append(goal.weight * goal.lever * angular)
        return np.ascontiguousarray(np.concatenate(rows, axis=1).transpose(1, 0, 2))

    def errors(self, residuals: Floats) -> Floats:
        """Distance of each frame from its goal, with the orientation times the lever, shape (goals,
        B), [m].
        """
        sizes = []
        row = 0
        for goal in self.goals:
            rows = 3 if goal.orientation is None else 6
            part = residuals[row : row + rows]
            sizes.append(np.sqrt(np.einsum("ib,ib->b", part, part)) / goal.weight)
            row += rows
        return np.stack(sizes)

    def _reachable(self, goal: Goal, position: Floats) -> Floats:
        root, reach = self.chain.reach(goal.frame)
        center = np.array(self.chain.joints[root].offset)[:, None]
        away = position - center
        distance = np.sqrt(np.einsum("ib,ib->b", away, away))
        return center + away * np.minimum(
            1.0, (1 - NEARLY_STRAIGHT) * reach / np.maximum(distance, 1e-300)
        )


def _rotation_error(target: Floats, turn: Floats) -> Floats:
    """The rotation vector (axis times angle) from one rotation to another, shape (3, B), [rad]."""
    between = np.einsum("ikb,jkb->ijb", target, turn)
    sines = 0.5 * np.stack(
        [
            between[2, 1] - between[1, 2],
            between[0, 2] - between[2, 0],
            between[1, 0] - between[0, 1],
        ]
    )
    sine = np.sqrt(np.einsum("ib,ib->b", sines, sines))
    cosine = 0.5 * (between[0, 0] + between[1, 1] + between[2, 2] - 1)
    axis = sines / np.maximum(sine, 1e-300)
    # For a half turn the sines vanish, but all columns of R + 1 lie along the axis.
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
        raise ChainError(
            _(
                "goal {number} is at joint {joint}; accepted is 0 to {count}",
                number=number,
                joint=goal.frame.joint,
                count=len(chain) - 1,
            )
        )
    if not (goal.weight > 0 and goal.lever > 0):
        raise ChainError(
            _(
                "goal {number} has weight {weight:g} and lever {lever:g}; both must be above 0",
                number=number,
                weight=goal.weight,
                lever=goal.lever,
            )
        )
    _check_shape(_("position of goal {number}", number=number), goal.position, (3,), batch)
    if goal.orientation is not None:
        _check_shape(
            _("orientation of goal {number}", number=number), goal.orientation, (3, 3), batch
        )


def _check_shape(name: str, values: Floats, shape: tuple[int, ...], batch: int) -> None:
    if values.shape not in (shape, (1, *shape), (batch, *shape)):
        raise ChainError(
            _(
                "the {name} has shape {shape}; accepted is {shape2} or {value}",
                name=name,
                shape=values.shape,
                shape2=shape,
                value=(batch, *shape),
            )
        )
    if not np.isfinite(values).all():
        raise ChainError(_("the {name} is not finite; accepted are finite numbers", name=name))


@dataclass(frozen=True)
class Goal:
    """Target position and orientation of a frame.

    Args:
        frame: attached to a joint of the chain.
        position: shape (3,) or (B, 3), [m].
        orientation: shape (3, 3) or (B, 3, 3), the rotation whose columns are the frame's axes;
            None for any.
        weight: relative to other goals, where not all can be met.
        lever: distance equivalent to an orientation error of 1 rad, [m].
    """

    frame: Frame
    position: Floats
    orientation: Floats | None = None
    weight: float = 1.0
    lever: float = 0.2


@dataclass(frozen=True)
class SolverOptions:
    """Tolerance and limits of the iteration.

    Args:
        tolerance: greatest error of a goal that counts as met, [m].
        iterations: limit of the steps of one attempt.
        restarts: limit of the attempts from other poses, where the first one failed.
        rest: with all goals met, continue until no joint moves farther than this in a step, [rad].
            The chain is then as near to the posture as the goals permit, so that the solution is
            independent of the start.
    """

    tolerance: float = 1e-5
    iterations: int = 60
    restarts: int = 12
    rest: float = np.inf


@dataclass(frozen=True)
class Trace:
    """Record of K steps: angles (K + 1, B, n), [rad], and errors (K + 1, B, goals), [m], the start
    first.
    """

    angles: Floats
    errors: Floats


@dataclass(frozen=True)
class Outcome:
    """Solution of B targets.

    Args:
        angles: shape (B, n), [rad], within the limits.
        errors: shape (B, goals), distance of each frame from its goal, [m], with the orientation
            times the lever.
        converged: shape (B,), whether all errors are within the tolerance.
        iterations: shape (B,), number of steps, including those of restarts.
        restarts: shape (B,), number of restarts.
        trace: record of the first attempt, if requested.
    """

    angles: Floats
    errors: Floats
    converged: Booleans
    iterations: Integers
    restarts: Integers
    trace: Trace | None = None
