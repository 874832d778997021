"""Inverse kinematics of chains by resolved rate, for many targets at once.

Each step is dθ = J⁺ dX + (1 − J⁺ J) g: J is the Jacobian of the weighted goals, J⁺ its damped
pseudoinverse, dX the residuals, and g, in the null space, moves the joints toward a posture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isfinite

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.chain.chain import Chain, Frame, Placement
from juggle_anim.body.chain.one_target import (
    DAMPING,
    MAX_DEVIATION,
    MAX_HALVINGS,
    MAX_POSTURE_STEP,
    MAX_REDISTRIBUTIONS,
    MIN_DAMPING_SHARE,
    MIN_DEVIATION,
    NEAR_GOAL,
    POSTURE_SHARE,
    PROGRESS,
    STALL_LIMIT,
    OneTargetSolver,
    clipped,
)
from juggle_anim.errors import ChainError, either
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass

NEARLY_STRAIGHT = 1e-6
"""The share of its length by which a chain stays short of straight, where its Jacobian would lose
rank.
"""

AT_REST = 1e-9
"""A value of `SolverOptions.rest` for goals that move in time, so that no joint drifts, [rad]."""


@dataclass(frozen=True)
class Task:
    """Goals of B poses, with the batch as the last axis of all arrays.

    `goals`, `positions` and `orientations` are parallel: one entry for each goal.

    Args:
        chain: to which the goals' frames are attached.
        goals: weights, levers and frames are read here, and whether there is an orientation.
        positions: each of shape (3, B), in the world, [m].
        orientations: each of shape (3, 3, B), columns are the target frame's axes; None for a goal
            without one.
    """

    chain: Chain
    goals: tuple[Goal, ...]
    positions: tuple[Floats, ...]
    orientations: tuple[Floats | None, ...]

    @classmethod
    def from_goals(cls, chain: Chain, goals: Sequence[Goal], batch: int) -> Task:
        """Check goals and broadcast their positions and rotations to a batch of B poses.

        A goal is a target position, and perhaps orientation, of a frame of the chain.

        Args:
            chain: the chain to which the goals' frames are attached.
            goals: one or more goals, each with one target for all poses, or one for each.
            batch: B, the number of poses.

        Returns:
            The task, with the batch as the last axis of all arrays.

        Raises:
            ChainError: if there is no goal, or one does not fit the chain or the batch.
        """
        if not goals:
            raise ChainError(_("there is nothing to solve; give at least one goal"))
        for index, goal in enumerate(goals):
            _check_goal(index, goal, chain, batch)
        positions = [np.broadcast_to(goal.position, (batch, 3)).T.copy() for goal in goals]
        orientations = tuple(_rotations_batch_last(goal, batch) for goal in goals)
        return cls(chain, tuple(goals), tuple(positions), orientations)

    @property
    def length(self) -> float:
        """Length of the longest path from a root joint to a frame, [m]."""
        return max(self.chain.reach(goal.frame)[1] for goal in self.goals)

    def within_reach(self) -> Task:
        """Return this task with positions within reach.

        A position too far from the root joint is replaced by the point in the same direction where
        the almost straight chain ends. Orientations stay as they are.
        """
        return replace(self, positions=tuple(map(self._reachable, self.goals, self.positions)))

    def subset(self, columns: Booleans | Integers) -> Task:
        """The task of some of the poses."""
        positions = tuple(position[..., columns] for position in self.positions)
        orientations = tuple(
            None if orientation is None else orientation[..., columns]
            for orientation in self.orientations
        )
        return replace(self, positions=positions, orientations=orientations)

    def residuals(self, placement: Placement) -> Floats:
        """Return the weighted differences from frames to goals, shape (m, B), [m].

        Each goal has three rows w (x* − x) in the world, with w its weight, x* the goal's position
        and x the frame's. A goal with an orientation has three more, w l φ: φ is the rotation
        vector from the frame to the goal, [rad], and l the lever, [m], which makes it a length.

        Args:
            placement: where all joints of the chain are, in B poses.
        """
        blocks = []
        for goal, position, orientation in zip(
            self.goals, self.positions, self.orientations, strict=True
        ):
            joint = goal.frame.joint
            present = placement.point(joint, np.asarray(goal.frame.point))
            blocks.append(goal.weight * (position - present))
            if orientation is not None:
                rotation_vector = _rotation_error(orientation, placement.rotations[joint])
                blocks.append(goal.weight * goal.lever * rotation_vector)
        return np.concatenate(blocks)

    def jacobian(self, placement: Placement) -> Floats:
        """Return the weighted geometric Jacobian of all goal frames, shape (m, n, B), [m/rad].

        Its m rows are those of `residuals`: for each goal three of the position, and three of the
        orientation (times the lever) where the goal has one. Its n columns are the joints.

        Args:
            placement: where all joints of the chain are, in B poses.
        """
        rows = []
        for goal in self.goals:
            joint = goal.frame.joint
            linear, angular = placement.velocities(
                self.chain.carried[joint], joint, np.asarray(goal.frame.point)
            )
            rows.append(goal.weight * linear)
            if goal.orientation is not None:
                rows.append(goal.weight * goal.lever * angular)
        # `velocities` gives (joint, row, pose), so this is (n, m, B); the Jacobian is (m, n, B).
        return np.ascontiguousarray(np.concatenate(rows, axis=1).transpose(1, 0, 2))

    def errors(self, residuals: Floats) -> Floats:
        """Return the distances of frames from their goals, shape (goals, B), [m].

        An orientation counts as a distance, too, of its angle times the lever; the root of the sum
        of both squares is taken. The goals' weights are divided out again.

        Args:
            residuals: shape (m, B) for m residuals of B targets, as from the method `residuals`:
                weighted, and goal after goal with 3 rows, or 6 where the goal has an orientation.
        """
        distances = []
        row = 0
        for goal in self.goals:
            # Three rows of position, and three more of orientation where the goal has one.
            row_count = 3 if goal.orientation is None else 6
            residual = residuals[row : row + row_count]
            distances.append(_norm(residual) / goal.weight)
            row += row_count
        return np.stack(distances)

    def distances(self, angles: Floats) -> Floats:
        """Distances of frames from their goals at angles of shape (n, B) [rad]; as in `errors`."""
        return self.errors(self.residuals(self.chain.place(angles)))

    def _reachable(self, goal: Goal, position: Floats) -> Floats:
        """Pull targets that are too far away back to within reach, shape (3, B), [m].

        Targets within reach stay as they are. One too far away moves toward the root joint of the
        frame's path (which does not move, as the ground carries it), until the chain that reaches
        it is almost straight: the Jacobian of a quite straight chain lacks full rank.

        Args:
            goal: the goal whose frame is to reach the targets.
            position: B targets in the world, shape (3, B), [m].
        """
        root, reach = self.chain.reach(goal.frame)
        root_position = np.array(self.chain.joints[root].offset)[:, None]
        from_root = position - root_position
        distance = _norm(from_root)
        farthest = (1 - NEARLY_STRAIGHT) * reach
        # A target at the root joint has distance 0. The bound 1e-300 avoids a division by 0; the
        # quotient is then huge or infinite, and the minimum leaves the target where it is.
        share = np.minimum(1.0, farthest / np.maximum(distance, 1e-300))
        return root_position + from_root * share


def _rotation_error(target: Floats, rotation: Floats) -> Floats:
    """Return the rotation vectors φ a that take rotations R to targets R*, shape (3, B), [rad].

    E = R* Rᵀ is a rotation by φ, from 0 to π, about the unit axis a in the world. The skew part of
    E is sin φ [a]×, and its trace is 1 + 2 cos φ.

    Args:
        target: R*, shape (3, 3, B) for B targets, whose columns are the axes of the target frames.
        rotation: R, shape (3, 3, B), whose columns are the axes of the present frames.
    """
    between = np.einsum("ikb,jkb->ijb", target, rotation)  # E
    # The components of sin φ a, from the skew part of E; their norm is sin φ.
    sines = 0.5 * np.stack(
        [
            between[2, 1] - between[1, 2],
            between[0, 2] - between[2, 0],
            between[1, 0] - between[0, 1],
        ]
    )
    sine = _norm(sines)
    cosine = 0.5 * (between[0, 0] + between[1, 1] + between[2, 2] - 1)
    # Without any rotation sin φ is 0: the bound avoids a division by it, and the result is 0.
    axis = sines / np.maximum(sine, 1e-300)
    # Near a half turn (sin φ small, cos φ < 0) sin φ a has too few digits to give the axis. There
    # E + 1 ≈ 2 a aᵀ: all its columns lie along the axis, and the longest has the smallest relative
    # rounding error.
    half_turn = (sine < 1e-6) & (cosine < 0)
    if half_turn.any():
        columns = between[..., half_turn] + np.eye(3)[..., None]
        longest = np.argmax(np.einsum("ijb,ijb->jb", columns, columns), axis=0)
        along = np.take_along_axis(columns, longest[None, None], axis=1)[:, 0]
        # The column gives the axis up to its sign, which is that of its product with the small
        # sin φ a. At exactly a half turn that product is 0, and either sign is right.
        along *= np.where(np.einsum("ib,ib->b", along, sines[:, half_turn]) < 0, -1.0, 1.0)
        axis[:, half_turn] = along / _norm(along)
    return axis * np.arctan2(sine, cosine)


def _rotations_batch_last(goal: Goal, batch: int) -> Floats | None:
    """Rotations of a goal, shape (3, 3, B); None where it has no orientation."""
    if goal.orientation is None:
        return None
    return np.moveaxis(np.broadcast_to(goal.orientation, (batch, 3, 3)), 0, -1).copy()


def _check_goal(index: int, goal: Goal, chain: Chain, batch: int) -> None:
    """Check that a goal, a target of a frame, fits the chain and the batch.

    Args:
        index: index of the goal, for the message.
        goal: the goal, whose joint, weight, lever, and shapes of position and orientation are
            checked.
        chain: the chain, which must have the goal's joint.
        batch: number of poses.

    Raises:
        ChainError: the goal does not fit.
    """
    if not 0 <= goal.frame.joint < len(chain):
        raise ChainError(
            _(
                "goal {number} is at joint {joint}, but joints are numbered 0 to {count}",
                number=index,
                joint=goal.frame.joint,
                count=len(chain) - 1,
            )
        )
    if not (goal.weight > 0 and goal.lever > 0):
        raise ChainError(
            _(
                "goal {number} has weight {weight:g} and lever {lever:g}, but both must be above 0",
                number=index,
                weight=goal.weight,
                lever=goal.lever,
            )
        )
    _check_shape(_("position of goal {number}", number=index), goal.position, (3,), batch)
    if goal.orientation is not None:
        _check_shape(
            _("orientation of goal {number}", number=index), goal.orientation, (3, 3), batch
        )


def _check_shape(name: str, values: Floats, shape: tuple[int, ...], batch: int) -> None:
    """Check that values are finite, and given once for all targets or once for each.

    Args:
        name: name of the values, for the message.
        values: the values; a leading axis of length 1 or `batch` may precede `shape`.
        shape: shape of the value of one target, such as (3,).
        batch: number of targets.

    Raises:
        ChainError: the values are of another shape or not finite.
    """
    if values.shape not in (shape, (1, *shape), (batch, *shape)):
        raise ChainError(
            _(
                "the {name} has shape {shape}, but needs {shape2} or {value}",
                name=name,
                shape=values.shape,
                shape2=shape,
                value=(batch, *shape),
            )
        )
    if not np.isfinite(values).all():
        raise ChainError(_("the {name} must be finite numbers", name=name))


@dataclass(frozen=True)
class Goal:
    """Target position and orientation of a frame.

    Args:
        frame: attached to a joint of the chain.
        position: shape (3,) or (B, 3), in the world, [m].
        orientation: shape (3, 3) or (B, 3, 3), the rotation whose columns are the frame's axes in
            the world; None if any orientation is right.
        weight: above 0; relative to other goals, where not all can be met.
        lever: distance that counts as much as an orientation error of 1 rad, above 0, [m].
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
            independent of the start. Infinity, the default, stops as soon as the goals are met.
    """

    tolerance: float = 1e-5
    iterations: int = 60
    restarts: int = 12
    rest: float = np.inf


@dataclass(frozen=True)
class Trace:
    """Record of K steps, the start first.

    Angles are of shape (K + 1, B, n), [rad], and errors of shape (K + 1, B, goals), [m].
    """

    angles: Floats
    errors: Floats


@dataclass(frozen=True)
class Outcome:
    """Solution of B targets.

    Args:
        angles: shape (B, n), [rad], within the limits.
        errors: shape (B, goals), distance of each frame from its goal, [m]; the root of the sum of
            squares of the distance in position and of the angle in orientation times the lever.
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


# Targets solved together: as many as fit in the processor's cache.
_BLOCK_SIZE = 2048


def solve(
    chain: Chain,
    goals: Sequence[Goal],
    start: Floats,
    posture: Floats | None = None,
    effort: SolverOptions | None = None,
    trace: bool = False,
) -> Outcome:
    """Solve the inverse kinematics of a chain for B targets at once.

    Each step is dθ = J⁺ dX + (1 − J⁺ J) g: J⁺ is the damped pseudoinverse of the Jacobian (damped
    least squares), dX the residuals, and g a motion toward the posture, of which only the part in
    the null space counts. Steps are halved where the linear prediction is poor. A target out of
    reach is replaced by the point in its direction where the chain is almost straight. The solution
    of a target does not depend on the other targets of the batch, except for rounding.

    Args:
        chain: n joints and their limits.
        goals: one or more target positions, and perhaps orientations, of frames of the chain, each
            given once for all targets or once for each.
        start: shape (n,) or (B, n), initial angles, [rad]; clipped to the limits.
        posture: shape (n,) or (B, n), preferred angles, [rad]; by default those of the start.
        effort: tolerance and limits of the iteration; None for the defaults.
        trace: whether to record each step of the first attempt; restarts are never recorded.

    Returns:
        The best angles of each target and their errors, measured from the goals as the caller gave
        them, even where these are out of reach.

    Raises:
        ChainError: if goals or angles do not fit the chain or each other.
    """
    options = effort or SolverOptions()
    ends_at_goal = options.rest == inf  # joints need not come to rest near the posture
    if ends_at_goal and not trace:
        # A single pose for a single position is solved sooner with plain numbers; None for others.
        outcome = _solve_one(chain, goals, start, start if posture is None else posture, options)
        if outcome is not None:
            return outcome
    # The iteration aims at targets within reach. Those at full reach are moved a little for that,
    # by up to half the tolerance; so the iteration itself has the other half.
    tighter = replace(options, tolerance=0.5 * options.tolerance)
    # From here on, angles have shape (n, B), until the result is transposed.
    batch = _batch_size(goals, start)
    given_task = Task.from_goals(chain, goals, batch)
    task = given_task.within_reach()
    angles = _broadcast_angles(chain, "start", start, batch)
    preferred = angles if posture is None else _broadcast_angles(chain, "posture", posture, batch)
    best = _attempt_in_blocks(task, angles, preferred, tighter, keep_history=trace)
    restarts = np.zeros(batch, dtype=np.intp)
    # Targets that failed, at a joint limit or a local minimum, are tried again from other poses.
    for restart in range(options.restarts):
        failed = np.flatnonzero(best.error > tighter.tolerance)
        if not failed.size:
            break
        starts = np.repeat(_restart_pose(chain, restart)[:, None], failed.size, axis=1)
        retry = _attempt_in_blocks(task.subset(failed), starts, preferred[:, failed], tighter)
        restarts[failed] += 1
        _keep_better_results(best, failed, retry)
    # Errors count from the goals themselves, not from what is within reach of them.
    errors = given_task.distances(best.angles).T.copy()
    return Outcome(
        angles=best.angles.T.copy(),
        errors=errors,
        converged=np.all(errors <= options.tolerance, axis=1),
        iterations=best.steps,
        restarts=restarts,
        trace=None if best.history is None else _trace_from_history(given_task, best.history),
    )


def _solve_one(
    chain: Chain, goals: Sequence[Goal], start: Floats, posture: Floats, options: SolverOptions
) -> Outcome | None:
    """Solve one pose for the position of one frame, with plain numbers, if nothing else is asked.

    Args:
        chain: n joints and their limits, with rotation axes along x, y or z.
        goals: one goal, with a single position and no orientation.
        start: shape (n,) or (1, n), initial angles, [rad].
        posture: shape (n,) or (1, n), preferred angles, [rad].
        options: tolerance and limits of the iteration; its `rest` must be infinite.

    Returns:
        The result of `solve`; None for arguments of any other kind, and for values that do not fit:
        these are left to `solve`, which also raises the errors.
    """
    if len(goals) != 1 or chain.axis_rotations is None:
        return None
    goal = goals[0]
    joint_count = len(chain)
    if goal.orientation is not None or goal.weight != 1.0 or goal.lever <= 0.0:
        return None
    one_pose = ((joint_count,), (1, joint_count))
    fits = start.shape in one_pose and posture.shape in one_pose
    if not fits or goal.position.shape not in ((3,), (1, 3)):
        return None
    position = goal.position.ravel().tolist()
    start_angles = start.ravel().tolist()
    posture_angles = posture.ravel().tolist()
    are_finite = all(map(isfinite, position + start_angles + posture_angles))
    if not (0 <= goal.frame.joint < joint_count and are_finite):
        return None

    solver = OneTargetSolver.of(chain, goal.frame)
    x, y, z = position
    # As in a batch, half of the tolerance is left for moving the target to within reach.
    tolerance = 0.5 * options.tolerance
    target = solver.within_reach((x, y, z), 1 - NEARLY_STRAIGHT)
    initial = clipped(start_angles, solver.limits)
    preferred = clipped(posture_angles, solver.limits)
    best = solver.attempt(target, initial, preferred, tolerance, options.iterations)
    step_count = best.steps
    # A target that failed, at a joint limit or a local minimum, is tried again from other poses.
    restart_count = 0
    while best.error > tolerance and restart_count < options.restarts:
        pose = _restart_pose(chain, restart_count).tolist()
        retry = solver.attempt(target, pose, preferred, tolerance, options.iterations)
        restart_count += 1
        step_count += retry.steps
        if retry.error < best.error:
            best = retry
    error = solver.distance((x, y, z), best.angles)
    return Outcome(
        angles=np.array([best.angles]),
        errors=np.array([[error]]),
        converged=np.array([error <= options.tolerance]),
        iterations=np.array([step_count]),
        restarts=np.array([restart_count]),
    )


def _batch_size(goals: Sequence[Goal], start: Floats) -> int:
    """Return the number B of targets, from the leading axes of goals and start.

    A leading axis of length 1 counts as one value for all targets. Where lengths contradict each
    other, the first one that is not 1 counts, and the later checks of shapes report the others.

    Args:
        goals: goals with positions of shape (3,) or (B, 3), and orientations of shape (3, 3) or
            (B, 3, 3).
        start: initial angles, shape (n,) or (B, n), [rad].

    Returns:
        B, or 1 where all values are for one target.
    """
    counts = [len(goal.position) for goal in goals if goal.position.ndim > 1]
    for goal in goals:
        if goal.orientation is not None and goal.orientation.ndim > 2:
            counts.append(len(goal.orientation))
    if start.ndim > 1:
        counts.append(len(start))
    for count in counts:
        if count != 1:
            return count
    return 1


def _attempt_in_blocks(
    task: Task,
    start: Floats,
    posture: Floats,
    options: SolverOptions,
    *,
    keep_history: bool = False,
) -> Attempt:
    """Iterate all B targets from initial angles, in blocks that fit in the processor's cache.

    Args:
        task: goals of B poses of a chain with n joints.
        start, posture: shape (n, B), initial and preferred angles, [rad].
        options: tolerance and limits of the iteration.
        keep_history: whether to record the angles after each step.

    Returns:
        The results of all targets in their order.
    """
    batch = start.shape[1]
    # A recorded batch stays whole, since blocks would have histories of different lengths.
    if batch <= _BLOCK_SIZE or keep_history:
        return _attempt(task, start, posture, options, keep_history=keep_history)
    attempts = []
    for first in range(0, batch, _BLOCK_SIZE):
        block = np.arange(first, min(first + _BLOCK_SIZE, batch))
        attempts.append(_attempt(task.subset(block), start[:, block], posture[:, block], options))
    return Attempt(
        angles=np.concatenate([attempt.angles for attempt in attempts], axis=1),
        error=np.concatenate([attempt.error for attempt in attempts]),
        steps=np.concatenate([attempt.steps for attempt in attempts]),
    )


def _keep_better_results(best: Attempt, failed: Integers, retry: Attempt) -> None:
    """Overwrite results in `best` where a retry came nearer to the goals.

    Args:
        best: results of all targets; changed in place. The steps of the retry are added for all F
            targets, better or not, since they count the effort.
        failed: shape (F,), indices of the targets that were tried again.
        retry: results of these F targets, in the same order.
    """
    best.steps[failed] += retry.steps
    better = retry.error < best.error[failed]
    columns = failed[better]
    best.angles[:, columns] = retry.angles[:, better]
    best.error[columns] = retry.error[better]


def _restart_pose(chain: Chain, restart: int) -> Floats:
    """Return the initial pose of a restart, from a quasirandom sequence, shape (n,), [rad].

    The poses are within the joint limits and spread evenly over them, without randomness, so that
    results can be reproduced.

    Source: the sequence R of M. Roberts, "The unreasonable effectiveness of quasirandom sequences",
    2018: joint k of n, from 1, has the share (½ + i / g^k) mod 1 of its range in pose i; g > 1
    solves g^(n + 1) = g + 1. Pose 0, all joints in the middle of their ranges, is left out.

    Args:
        chain: the chain, which has n joints with limits.
        restart: number of the restart, from 0; its pose is i = restart + 1.
    """
    # Fixed-point iteration g ← (1 + g)^(1 / (n + 1)): 40 rounds are enough for all digits.
    ratio = 2.0
    for _round in range(40):
        ratio = (1 + ratio) ** (1 / (len(chain) + 1))
    exponents = np.arange(1.0, len(chain) + 1)
    shares = (0.5 + (restart + 1) * ratio**-exponents) % 1.0
    lower, upper = chain.limits
    return lower + shares * (upper - lower)


def _broadcast_angles(chain: Chain, name: str, angles: Floats, batch: int) -> Floats:
    """Check angles, clip them to the joint limits, and repeat them for each target.

    Args:
        chain: the chain, which has n joints with limits.
        name: name of the angles, for messages.
        angles: shape (n,), (1, n) or (B, n), [rad].
        batch: B, the number of targets.

    Returns:
        A copy of shape (n, B), [rad].

    Raises:
        ChainError: the angles are of another shape or not finite.
    """
    if angles.shape not in ((len(chain),), (1, len(chain)), (batch, len(chain))):
        accepted = either([str((len(chain),)), str((batch, len(chain)))])
        raise ChainError(
            _(
                "the {name} has shape {shape}, but needs {accepted}, one angle per joint",
                name=name,
                shape=angles.shape,
                accepted=accepted,
            )
        )
    if not np.isfinite(angles).all():
        raise ChainError(_("the {name} must be finite angles", name=name))
    return np.broadcast_to(np.clip(angles, *chain.limits), (batch, len(chain))).T.copy()


def _trace_from_history(task: Task, history: list[Floats]) -> Trace:
    """The recorded steps with their errors from the positions of a task.

    Args:
        task: goals as the caller gave them, not moved within reach.
        history: K + 1 arrays of angles, each of shape (n, B), [rad].
    """
    errors = [task.distances(angles).T for angles in history]
    return Trace(np.stack(history).transpose(0, 2, 1), np.stack(errors))


# The share of the way to the posture that a step moves near the goal, while the joints settle.
_SETTLING_SHARE = 0.5

MAX_SWEEPS = 40
"""Limit of the iterations of a pseudoinverse; each squares the residual, so that this suffices for
singular values a million times apart.
"""

# Relative change by a sweep below which a matrix has converged; the next change would be its
# square.
_CONVERGED = 1e-7

# Sweeps between checks for matrices that have converged.
_CHECK_INTERVAL = 3


@dataclass
class Attempt:
    """Result of an attempt at B targets.

    Args:
        angles: shape (n, B) for n joints, the latest angles that met the goals of each target, or
            the latest of all where none did, [rad].
        error: shape (B,), distance of the worst goal from its target at these angles, [m].
        steps: shape (B,), number of steps.
        history: what `angles` was at the start and after each of K steps, K + 1 arrays of shape
            (n, B); None if not requested.
    """

    angles: Floats
    error: Floats
    steps: Integers
    history: list[Floats] | None = None


def _attempt(
    task: Task,
    start: Floats,
    posture: Floats,
    options: SolverOptions,
    *,
    keep_history: bool = False,
) -> Attempt:
    """Iterate from initial angles toward the goals, without restarts.

    The result has for each target the latest angles that met its goals, or the latest of all where
    none did. A target leaves the iteration when its goals are met and its joints are at rest, or
    when its error has stopped decreasing (`_ActiveTargets.is_done`).

    Args:
        task: goals of B poses of a chain with n joints.
        start: shape (n, B), within the limits, [rad].
        posture: shape (n, B), preferred angles, [rad].
        options: tolerance and limits of the iteration.
        keep_history: whether to record the angles after each step.

    Returns:
        The angles of all targets, their errors and numbers of steps.
    """
    batch = start.shape[1]
    # With a finite `rest`, joints go on to settle near the posture once the goals are met; with an
    # infinite one, a target is done then.
    settle = np.isfinite(options.rest)
    result = Attempt(
        angles=start.copy(),
        error=np.full(batch, np.inf),
        steps=np.zeros(batch, dtype=np.intp),
        history=[] if keep_history else None,
    )
    active = _ActiveTargets.at_start(task, start, posture)
    # Each round judges the present angles before it moves them, so the result of the last step
    # needs one round more, which makes no step.
    for step in range(options.iterations + 1):
        error = active.task.errors(active.residuals).max(axis=0)
        # The newest angles are taken even where their error is larger, as they are the farthest on
        # the way. But once a target is met, only angles that meet it too replace those found: the
        # motion toward the posture may lead away from it.
        was_met = result.error[active.columns] <= options.tolerance
        is_taken = (error <= options.tolerance) | ~was_met
        result.angles[:, active.columns[is_taken]] = active.angles[:, is_taken]
        result.error[active.columns[is_taken]] = error[is_taken]
        result.steps[active.columns] = step
        if result.history is not None:
            result.history.append(result.angles.copy())
        active.update_progress(error, options.tolerance)
        remaining = ~active.is_done(error, options)
        if step == options.iterations or not remaining.any():
            break
        active.keep(remaining)
        active.step(settle=settle)
    return result


@dataclass
class _ActiveTargets:
    """State of the A targets that are not solved yet.

    Args:
        task: their goals.
        columns: shape (A,), their indices in the batch.
        angles, posture: shape (n, A), present and preferred angles, [rad].
        placement: of the joints at these angles.
        residuals: shape (m, A), as in `Task.residuals` at these angles, [m].
        largest_move: shape (A,), of a joint in the last step, [rad]; infinite before one.
        least_error: shape (A,), least error of the steps that counted as progress, [m]; infinite
            before the first.
        stalled: shape (A,), number of steps since the last progress.
        gain: shape (A,), factor above 0, up to 1, of the motion toward the posture while joints
            settle; less where that oscillates.
        last_move: shape (n, A), of the joints in the last step, [rad]; 0 before one.
    """

    task: Task
    columns: Integers
    angles: Floats
    posture: Floats
    placement: Placement
    residuals: Floats
    largest_move: Floats
    least_error: Floats
    stalled: Integers
    gain: Floats
    last_move: Floats

    @classmethod
    def at_start(cls, task: Task, start: Floats, posture: Floats) -> _ActiveTargets:
        """Return the state of all B targets of a task before the first step of the iteration.

        Args:
            task: goals of B poses of a chain with n joints.
            start, posture: shape (n, B), initial and preferred angles, [rad].
        """
        placement = task.chain.place(start)
        batch = start.shape[1]
        # Before a step there is no last move, which counts as infinite, and no error to improve.
        return cls(
            task=task,
            columns=np.arange(batch),
            angles=start,
            posture=posture,
            placement=placement,
            residuals=task.residuals(placement),
            largest_move=np.full(batch, np.inf),
            least_error=np.full(batch, np.inf),
            stalled=np.zeros(batch, dtype=np.intp),
            gain=np.ones(batch),
            last_move=np.zeros_like(start),
        )

    def update_progress(self, error: Floats, tolerance: float) -> None:
        """Update, in place, the least errors and the numbers of steps without progress.

        Args:
            error: error of each of A targets' worst goal after the last step, shape (A,), [m].
            tolerance: greatest error of a target that is met, [m].
        """
        # Progress is an error below `PROGRESS` times the least one. A target that was met once
        # counts as in progress for good, so that it never stalls: its joints may still be moving
        # toward the posture, and lose the goal for a few steps meanwhile.
        was_met = np.minimum(error, self.least_error) <= tolerance
        progresses = was_met | (error < PROGRESS * self.least_error)
        self.least_error = np.where(
            progresses, np.minimum(error, self.least_error), self.least_error
        )
        self.stalled = np.where(progresses, 0, self.stalled + 1)

    def is_done(self, error: Floats, options: SolverOptions) -> Booleans:
        """Return which targets are met with their joints at rest, or stuck, shape (A,).

        A target is stuck if it is not met, and without progress for more than `STALL_LIMIT` steps.

        Args:
            error: shape (A,), error of each target's worst goal after the last step, [m].
            options: tolerance of the error, and motion below which joints are at rest.
        """
        met = error <= options.tolerance
        return np.where(met, self.largest_move <= options.rest, self.stalled > STALL_LIMIT)

    def keep(self, remaining: Booleans) -> None:
        """Keep only the targets for which `remaining` is True, in place.

        Args:
            remaining: shape (A,) for A targets, True for those that stay.
        """
        # Where all targets stay, copies of all arrays would be wasted time.
        if remaining.all():
            return
        self.task = self.task.subset(remaining)
        self.placement = self.placement.subset(remaining)
        # In arrays with two axes, targets are along the second.
        self.columns = self.columns[remaining]
        self.angles = self.angles[:, remaining]
        self.posture = self.posture[:, remaining]
        self.residuals = self.residuals[:, remaining]
        self.largest_move = self.largest_move[remaining]
        self.least_error = self.least_error[remaining]
        self.stalled = self.stalled[remaining]
        self.gain = self.gain[remaining]
        self.last_move = self.last_move[:, remaining]

    def step(self, *, settle: bool) -> None:
        """Move the joints of all targets by one damped least-squares step.

        A step is halved where the residuals do not change as its linear prediction says.

        Args:
            settle: whether joints are to come to rest as near to the posture as the goals permit.
                The posture then attracts them near the goal; otherwise only far from it, where it
                steers the way.
        """
        jacobian = self.task.jacobian(self.placement)
        # λ² = c |dX|² + ε |J|², with c = `DAMPING` and ε = `MIN_DAMPING_SHARE`, so that steps are
        # cautious far from the goal and almost undamped at it.
        squares = np.einsum("inb,inb->b", jacobian, jacobian)
        distance = _norm(self.residuals)
        damping = DAMPING * distance * distance + MIN_DAMPING_SHARE * squares
        lower, upper = self.task.chain.limits
        move = move_joints(
            jacobian,
            self.residuals,
            self._posture_pull(distance, settle=settle),
            damping,
            room=(lower[:, None] - self.angles, upper[:, None] - self.angles),
        )
        before = self.angles
        self._apply_with_halving(move, predicted_change=np.einsum("inb,nb->ib", jacobian, move))
        # Two successive steps in opposite directions (a negative inner product) mean that the
        # motion toward the posture oscillates, and it converges when it is weaker: the gain is
        # halved. Otherwise the gain recovers, by half as much again in a step, up to 1.
        previous_move = self.last_move
        self.last_move = self.angles - before
        oscillates = np.einsum("nb,nb->b", previous_move, self.last_move) < 0
        self.gain = np.where(oscillates, 0.5 * self.gain, np.minimum(1.5 * self.gain, 1.0))

    def _posture_pull(self, distance: Floats, *, settle: bool) -> Floats:
        """Return the desired motion g of the joints toward the posture, shape (n, A), [rad].

        It is a share of the whole way to the preferred angles. When joints are to settle there, the
        share is greatest at the goal and falls to 0 far from it; otherwise it is 0 at the goal and
        greatest far from it.

        Args:
            distance: shape (A,) for A targets, norm of the residuals, [m].
            settle: whether joints are to settle near the posture at the goal, as in `step`. Only
                then is the gain of oscillating targets read.
        """
        # At this distance from the goal, [m], either share is half of its greatest.
        near_distance = NEAR_GOAL * self.task.length
        if settle:
            posture_share = _SETTLING_SHARE * self.gain * near_distance / (distance + near_distance)
        else:
            posture_share = POSTURE_SHARE * distance / (distance + near_distance)
        motion = posture_share * (self.posture - self.angles)
        # Scaled down as a whole, so that the fastest joint moves no farther than
        # `MAX_POSTURE_STEP`; the bound 1e-300 avoids a division by 0 where none moves.
        largest = np.abs(motion).max(axis=0)
        return motion * np.minimum(1.0, MAX_POSTURE_STEP / np.maximum(largest, 1e-300))

    def _apply_with_halving(self, move: Floats, predicted_change: Floats) -> None:
        """Move the joints, halving the move of poses whose residuals do not change as predicted.

        Angles (clipped to the limits), placement, residuals and the largest motion of this state
        are changed. After `MAX_HALVINGS` halvings a move is taken as it is.

        Args:
            move: motion dθ of the n joints of A poses, shape (n, A), [rad].
            predicted_change: decrease J dθ of the residuals (differences to the goals) that the
                Jacobian J predicts, shape (m, A), [m].
        """
        before = self.angles
        residuals_before = self.residuals
        self.angles = _clipped_to_limits(before + move, self.task.chain)
        self.placement = self.task.chain.place(self.angles)
        self.residuals = self.task.residuals(self.placement)
        for _halving in range(MAX_HALVINGS):
            # The prediction is that residuals decrease by J dθ. Its error is judged relative to
            # that change; the second bound excuses errors that are small beside the chain, which
            # near the goal are a large share of a small change.
            deviation = _norm(self.residuals - residuals_before + predicted_change)
            poor = deviation > np.maximum(
                MAX_DEVIATION * _norm(predicted_change), MIN_DEVIATION * self.task.length
            )
            if not poor.any():
                break
            # Only the poor poses move again, from where they were before, by half as much.
            move = np.where(poor, 0.5 * move, move)
            predicted_change = np.where(poor, 0.5 * predicted_change, predicted_change)
            self.angles[:, poor] = _clipped_to_limits(
                before[:, poor] + move[:, poor], self.task.chain
            )
            placement = self.task.chain.place(self.angles[:, poor])
            self.placement.set_subset(poor, placement)
            self.residuals[:, poor] = self.task.subset(poor).residuals(placement)
        self.largest_move = np.abs(self.angles - before).max(axis=0)


def _clipped_to_limits(angles: Floats, chain: Chain) -> Floats:
    """Angles clipped to the limits of the joints, shape (n, B), [rad]."""
    lower, upper = chain.limits
    return np.minimum(np.maximum(angles, lower[:, None]), upper[:, None])


def _norm(vectors: Floats) -> Floats:
    """Lengths of columns, shape (m, B) to (B,)."""
    return np.sqrt(np.einsum("ib,ib->b", vectors, vectors))


def move_joints(
    jacobian: Floats, residual: Floats, pull: Floats, damping: Floats, room: tuple[Floats, Floats]
) -> Floats:
    """Return the joint motion dθ = J⁺ dX + (1 − J⁺ J) g, with no joint beyond its limits.

    This is a step of resolved-rate inverse kinematics, with the damped pseudoinverse J⁺ of J.

    Args:
        jacobian: J, shape (m, n, B) for m residuals, n joints and B targets, [m/rad].
        residual: dX, shape (m, B), [m].
        pull: g, shape (n, B), desired motion, of which the part in the null space counts, [rad].
        damping: λ², shape (B,), [m²/rad²].
        room: limits of each joint's motion dθ, the lower one (at most 0) and the upper one (at
            least 0), each of shape (n, B), [rad].

    Returns:
        Shape (n, B), [rad].

    Source: D. E. Whitney, "Resolved motion rate control of manipulators and human prostheses",
    1969; the null space after A. Liégeois, "Automatic supervisory control of the configuration and
    behavior of multibody mechanisms", 1977.
    """
    down, up = room
    # Joints that would pass a limit are clamped there for good, and the motion of the others is
    # computed anew to make up for them. These may then pass limits of their own, hence the rounds.
    free = np.ones(pull.shape, dtype=bool)
    move = _move_without_limits(jacobian, residual, pull, damping)
    for _round in range(MAX_REDISTRIBUTIONS):
        bounded = np.minimum(np.maximum(move, down), up)
        stopped = free & (bounded != move)  # joints that reach a limit in this round
        affected = stopped.any(axis=0)
        if not affected.any():
            break
        move = bounded
        free &= ~stopped
        move[:, affected] = _move_of_free_joints(
            jacobian[..., affected],
            residual[:, affected],
            pull[:, affected],
            damping[affected],
            free[:, affected],
            move[:, affected],
        )
    # The last round may have moved a joint past its limit once more.
    return np.minimum(np.maximum(move, down), up)


def _move_of_free_joints(
    jacobian: Floats,
    residual: Floats,
    pull: Floats,
    damping: Floats,
    free: Booleans,
    clamped: Floats,
) -> Floats:
    """Return the joint motion where free joints make up for clamped ones, shape (n, B), [rad].

    Args:
        jacobian: J, shape (m, n, B) for m residuals, n joints and B targets, [m/rad].
        residual: dX, shape (m, B), [m].
        pull: g, shape (n, B), desired motion, of which the part in the null space counts, [rad].
        damping: λ², shape (B,), [m²/rad²].
        free: shape (n, B), True for joints that may still move.
        clamped: shape (n, B), motion of each clamped joint up to its limit, [rad]; entries of free
            joints do not count.
    """
    clamped = np.where(free, 0.0, clamped)
    # The free joints are to make up for what the clamped ones leave of dX. Columns of J and
    # entries of g that are 0 keep the clamped joints out of it.
    remaining = residual - np.einsum("inb,nb->ib", jacobian, clamped)
    return clamped + _move_without_limits(jacobian * free, remaining, pull * free, damping)


def _move_without_limits(
    jacobian: Floats, residual: Floats, pull: Floats, damping: Floats
) -> Floats:
    """Return the joint motion J⁺ dX + (1 − J⁺ J) g, without limits, shape (n, B), [rad].

    It is computed as g + J⁺ (dX − J g): the joints follow the pull g, and J⁺ takes back its effect
    J g on the goals. This needs no n × n matrix.

    Args:
        jacobian: J, shape (m, n, B) for m residuals, n joints and B targets, [m/rad].
        residual: dX, shape (m, B), [m].
        pull: g, shape (n, B), desired motion, of which the part in the null space counts, [rad].
        damping: λ² of the damped pseudoinverse J⁺, shape (B,), [m²/rad²].
    """
    effect_of_pull = np.einsum("inb,nb->ib", jacobian, pull)
    inverse = pseudoinverse(jacobian, damping)
    return pull + np.einsum("nib,ib->nb", inverse, residual - effect_of_pull)


def pseudoinverse(matrices: Floats, damping: Floats) -> Floats:
    """Return the damped pseudoinverses Jᵀ (J Jᵀ + λ²)⁻¹ of matrices J.

    For λ = 0 they are the Moore–Penrose pseudoinverses, even where a matrix lacks full row rank.

    Args:
        matrices: J, shape (m, n, B) for B matrices, the batch last.
        damping: λ², shape (B,), in the square of J's unit.

    Returns:
        Shape (n, m, B).

    Source: the iteration X ← X (2 − J X) from X = α Jᵀ converges to J⁺ (A. Ben-Israel and D. Cohen,
    "On iterative computation of generalized inverses and associated projections", 1966). All X are
    Jᵀ Y, and Y ← Y (2 − J Jᵀ Y) is the same with smaller matrices; damping appends λ to J.
    """
    # The Gram matrix J Jᵀ + λ², shape (m, m, B).
    gram = np.einsum("ikb,jkb->ijb", matrices, matrices)
    diagonal = np.arange(len(gram))
    gram[diagonal, diagonal] += damping
    return np.einsum("jib,jkb->ikb", matrices, _inverse(gram))


def _inverse(gram: Floats) -> Floats:
    """Invert symmetric matrices G = J Jᵀ + λ² by Newton–Schulz iteration, shape (m, m, B).

    Each sweep, Y ← Y (2 − G Y), squares the residual 1 − G Y. Matrices that have converged are
    taken out of the batch when they are more than half of it; sooner, the copies would cost more
    time than they save.

    Args:
        gram: G, shape (m, m, B), positive semidefinite. Where it is singular the result is right
            on its range only, which is all that `pseudoinverse` uses.
    """
    # The iteration converges from Y = α 1 for 0 < α < 2 over the largest eigenvalue of G. The
    # Frobenius norm is at least that eigenvalue, so α = 1 / norm is safe; the bound 1e-300 avoids a
    # division by 0 for G = 0.
    scale = 1.0 / np.maximum(np.sqrt(np.einsum("ijb,ijb->b", gram, gram)), 1e-300)
    inverse = np.eye(len(gram))[..., None] * scale  # Y
    product = gram * scale  # G Y
    result = np.empty_like(gram)
    columns = np.arange(gram.shape[2])  # indices in the batch of the matrices still iterated
    for sweep in range(1, MAX_SWEEPS + 1):
        # Y ← Y (2 − G Y), and with it G Y ← G Y (2 − G Y).
        inverse = 2 * inverse - np.einsum("ikb,kjb->ijb", inverse, product)
        squared = np.einsum("ikb,kjb->ijb", product, product)
        if sweep % _CHECK_INTERVAL == 0:
            # G Y (1 − G Y) vanishes at convergence, even for a singular G, whereas 1 − G Y stays 1
            # along directions that G takes to 0.
            active = np.abs(product - squared).max(axis=(0, 1)) > _CONVERGED
            if not active.any():
                break
            if 2 * np.count_nonzero(active) < active.size:
                # Writes the matrices that stay, too; they are written again when they converge.
                result[..., columns] = inverse
                columns = columns[active]
                inverse = inverse[..., active]
                product = product[..., active]
                squared = squared[..., active]
        product = 2 * product - squared
    result[..., columns] = inverse
    return result
