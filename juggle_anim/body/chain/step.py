"""Steps of resolved rate for many targets: a damped pseudoinverse, a posture in its null space, and
joint limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.chain.chain import Chain, Placement
from juggle_anim.body.chain.task import SolverOptions, Task

# Share of the distance to the posture that a step moves in the null space, before and while
# settling.
_PULL = 0.3
_SETTLING = 0.5

# Largest joint motion toward the posture in one step, so that the goal is not lost, [rad].
_LONGEST_PULL = 0.5

# Distance from the goal at which both shares are halved, relative to the chain's length.
_NEAR = 0.05

# λ² over the squared residual: large far from the goal and 0 at it (T. Sugihara,
# "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", 2011).
_DAMPING = 0.3

# Lower bound of λ² over the squared norm of the Jacobian, which keeps the inverse finite.
_MIN_DAMPING = 1e-8

# A step is halved when its result differs from the linear prediction by more than this share of the
# predicted change, and by more than this share of the chain's length.
_OFF = 0.5
_OFF_AT_LEAST = 0.02

_HALVINGS = 5

# An attempt is stuck when its error has not decreased by this factor in so many steps.
_PATIENCE = 8
_NEARER = 0.9

# Number of times that joints are clamped at their limits and the rest of a step is redistributed.
_REDISTRIBUTIONS = 3

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
    """Result of B targets: angles (n, B), [rad], the error of the worst goal (B,), [m], and number
    of steps (B,).

    `history` has the angles at the start and after each step, shape (K + 1, n, B), if requested.
    """

    angles: Floats
    error: Floats
    steps: Integers
    history: list[Floats] | None = None


def attempt(
    task: Task, start: Floats, posture: Floats, effort: SolverOptions, keep_history: bool = False
) -> Attempt:
    """the best angles found between start and goals.

    Args:
        task: goals of B poses.
        start: shape (n, B), within the limits, [rad].
        posture: shape (n, B), preferred angles, [rad].
        effort: tolerance and limits of the iteration.
        keep_history: whether to record the angles after each step.
    """
    batch = start.shape[1]
    made = Attempt(
        start.copy(),
        np.full(batch, np.inf),
        np.zeros(batch, dtype=np.intp),
        [] if keep_history else None,
    )
    active = _ActiveTargets.begin(task, start, posture)
    for step in range(effort.iterations + 1):
        error = active.task.errors(active.residuals).max(axis=0)
        # A goal once met is kept, even if the motion toward the posture loses it.
        better = (error <= effort.tolerance) | (made.error[active.columns] > effort.tolerance)
        made.angles[:, active.columns[better]] = active.angles[:, better]
        made.error[active.columns[better]], made.steps[active.columns] = error[better], step
        if made.history is not None:
            made.history.append(made.angles.copy())
        remaining = ~active.done(error, effort)
        if step == effort.iterations or not remaining.any():
            break
        active.keep(remaining)
        active.step(settle=np.isfinite(effort.rest))
    return made


@dataclass
class _ActiveTargets:
    """State of the targets that are not solved yet; `columns` are their indices in the batch."""

    task: Task
    columns: Integers
    angles: Floats
    posture: Floats
    placement: Placement
    residuals: Floats
    moved: Floats
    least_error: Floats
    stalled: Integers
    gain: Floats
    last: Floats

    @classmethod
    def begin(cls, task: Task, start: Floats, posture: Floats) -> _ActiveTargets:
        placement = task.chain.place(start)
        batch = start.shape[1]
        infinite = np.full(batch, np.inf)
        columns = np.arange(batch)
        stalled = np.zeros(batch, dtype=np.intp)
        residuals = task.residuals(placement)
        least_error = infinite.copy()
        gain = np.ones(batch)
        last = np.zeros_like(start)
        return cls(
            task,
            columns,
            start,
            posture,
            placement,
            residuals,
            infinite,
            least_error,
            stalled,
            gain,
            last,
        )

    def done(self, error: Floats, effort: SolverOptions) -> Booleans:
        """Whether each target is met and its joints are at rest, or its attempt is stuck."""
        met = error <= effort.tolerance
        # After the goal was met once, the joints may still be moving toward the posture.
        nearer = met | (self.least_error <= effort.tolerance) | (error < _NEARER * self.least_error)
        self.least_error = np.where(nearer, np.minimum(error, self.least_error), self.least_error)
        self.stalled = np.where(nearer, 0, self.stalled + 1)
        return (met & (self.moved <= effort.rest)) | (~met & (self.stalled > _PATIENCE))

    def keep(self, remaining: Booleans) -> None:
        if remaining.all():
            return
        self.task, self.placement = self.task.subset(remaining), self.placement.subset(remaining)
        self.columns = self.columns[remaining]
        self.angles = self.angles[:, remaining]
        self.posture = self.posture[:, remaining]
        self.residuals = self.residuals[:, remaining]
        self.moved = self.moved[remaining]
        self.least_error = self.least_error[remaining]
        self.stalled = self.stalled[remaining]
        self.gain = self.gain[remaining]
        self.last = self.last[:, remaining]

    def step(self, settle: bool) -> None:
        """Take one step, halved where the linear prediction is poor.

        The posture attracts the joints far from the goal only, or near it only if they are to
        settle.
        """
        jacobian = self.task.jacobian(self.placement)
        squares = np.einsum("inb,inb->b", jacobian, jacobian)
        distance = _norm(self.residuals)
        damping = _DAMPING * distance * distance + _MIN_DAMPING * squares
        lower, upper = (limit[:, None] - self.angles for limit in self.task.chain.limits)
        move = move_joints(
            jacobian, self.residuals, self._pull(distance, settle), damping, (lower, upper)
        )
        before = self.angles
        self._apply(move, np.einsum("inb,nb->ib", jacobian, move))
        last = self.last
        self.last = self.angles - before
        # An oscillating motion toward the posture converges when it is weaker.
        oscillates = np.einsum("nb,nb->b", last, self.last) < 0
        self.gain = np.where(oscillates, 0.5 * self.gain, np.minimum(1.5 * self.gain, 1.0))

    def _pull(self, distance: Floats, settle: bool) -> Floats:
        """Desired motion of the joints toward the posture, shape (n, B), [rad]."""
        near = _NEAR * self.task.size
        share = (
            _SETTLING * self.gain * near / (distance + near)
            if settle
            else _PULL * distance / (distance + near)
        )
        pull = share * (self.posture - self.angles)
        return pull * np.minimum(1.0, _LONGEST_PULL / np.maximum(np.abs(pull).max(axis=0), 1e-300))

    def _apply(self, move: Floats, change: Floats) -> None:
        """Move the joints, with moves halved until the residuals change as predicted, shape (m,
        B).
        """
        before = self.angles
        residuals = self.residuals
        self.angles = _within(before + move, self.task.chain)
        self.placement = self.task.chain.place(self.angles)
        self.residuals = self.task.residuals(self.placement)
        for _ in range(_HALVINGS):
            deviation = _norm(self.residuals - residuals + change)
            poor = deviation > np.maximum(_OFF * _norm(change), _OFF_AT_LEAST * self.task.size)
            if not poor.any():
                break
            move = np.where(poor, 0.5 * move, move)
            change = np.where(poor, 0.5 * change, change)
            self.angles[:, poor] = _within(before[:, poor] + move[:, poor], self.task.chain)
            placed = self.task.chain.place(self.angles[:, poor])
            self.placement.set_subset(poor, placed)
            self.residuals[:, poor] = self.task.subset(poor).residuals(placed)
        self.moved = np.abs(self.angles - before).max(axis=0)


def _within(angles: Floats, chain: Chain) -> Floats:
    lower, upper = chain.limits
    return np.minimum(np.maximum(angles, lower[:, None]), upper[:, None])


def _norm(vectors: Floats) -> Floats:
    return np.sqrt(np.einsum("ib,ib->b", vectors, vectors))


def move_joints(
    jacobian: Floats, residual: Floats, pull: Floats, damping: Floats, room: tuple[Floats, Floats]
) -> Floats:
    """Joint motion dθ = J⁺ dX + (1 − J⁺ J) g, with no joint beyond its limits.

    Args:
        jacobian: J, shape (m, n, B), [m/rad].
        residual: dX, shape (m, B), [m].
        pull: g, shape (n, B), desired motion in the null space, [rad].
        damping: λ², shape (B,), [m²/rad²].
        room: limits of each joint's motion, lower and upper, each of shape (n, B), [rad].

    Returns:
        Shape (n, B), [rad].

    Source: D. E. Whitney, "Resolved motion rate control of manipulators and human prostheses",
    1969; the null space after A. Liégeois, "Automatic supervisory control of the configuration and
    behavior of multibody mechanisms", 1977.
    """
    down, up = room
    free = np.ones(pull.shape, dtype=bool)
    move = _free_move(jacobian, residual, pull, damping)
    for _ in range(_REDISTRIBUTIONS):
        bounded = np.minimum(np.maximum(move, down), up)
        stopped = free & (bounded != move)
        some = stopped.any(axis=0)
        if not some.any():
            break
        move = bounded
        free &= ~stopped
        move[:, some] = _redistributed(
            jacobian[..., some],
            residual[:, some],
            pull[:, some],
            damping[some],
            free[:, some],
            move[:, some],
        )
    return np.minimum(np.maximum(move, down), up)


def _redistributed(
    jacobian: Floats,
    residual: Floats,
    pull: Floats,
    damping: Floats,
    free: Booleans,
    stopped: Floats,
) -> Floats:
    """The motion in which some joints are clamped and the free ones make up for them."""
    stopped = np.where(free, 0.0, stopped)
    rest = residual - np.einsum("inb,nb->ib", jacobian, stopped)
    return stopped + _free_move(jacobian * free, rest, pull * free, damping)


def _free_move(jacobian: Floats, residual: Floats, pull: Floats, damping: Floats) -> Floats:
    # J⁺ dX + (1 − J⁺ J) g = J⁺ (dX − J g) + g
    inverse = pseudoinverse(jacobian, damping)
    return pull + np.einsum(
        "nib,ib->nb", inverse, residual - np.einsum("inb,nb->ib", jacobian, pull)
    )


def pseudoinverse(matrices: Floats, damping: Floats) -> Floats:
    """Damped pseudoinverses Jᵀ (J Jᵀ + λ²)⁻¹; for λ = 0 the Moore–Penrose ones, also where a matrix
    lacks rank.

    Args:
        matrices: J, shape (m, n, B), the batch last.
        damping: λ², shape (B,), in the square of J's unit.

    Returns:
        Shape (n, m, B).

    Source: the iteration X ← X (2 − J X) from X = α Jᵀ converges to J⁺ (A. Ben-Israel and D. Cohen,
    "On iterative computation of generalized inverses and associated projections", 1966). All X are
    Jᵀ Y, and Y ← Y (2 − J Jᵀ Y) is the same with smaller matrices; damping appends λ to J.
    """
    gram = np.einsum("ikb,jkb->ijb", matrices, matrices)
    rows = np.arange(len(gram))
    gram[rows, rows] += damping
    return np.einsum("jib,jkb->ikb", matrices, _inverse(gram))


def _inverse(gram: Floats) -> Floats:
    """Inverses Y of G = J Jᵀ + λ², for which Jᵀ Y are the pseudoinverses, shape (m, m, B)."""
    # No eigenvalue exceeds the norm.
    scale = 1.0 / np.maximum(np.sqrt(np.einsum("ijb,ijb->b", gram, gram)), 1e-300)
    inverse = np.eye(len(gram))[..., None] * scale
    product = gram * scale
    result = np.empty_like(gram)
    columns = np.arange(gram.shape[2])
    for sweep in range(1, MAX_SWEEPS + 1):
        # Y ← Y (2 − G Y), and with it G Y ← G Y (2 − G Y).
        inverse = 2 * inverse - np.einsum("ikb,kjb->ijb", inverse, product)
        squared = np.einsum("ikb,kjb->ijb", product, product)
        if sweep % _CHECK_INTERVAL == 0:
            active = np.abs(product - squared).max(axis=(0, 1)) > _CONVERGED
            if not active.any():
                break
            if 2 * np.count_nonzero(active) < active.size:
                result[..., columns] = inverse
                columns = columns[active]
                inverse = inverse[..., active]
                product = product[..., active]
                squared = squared[..., active]
        product = 2 * product - squared
    result[..., columns] = inverse
    return result
