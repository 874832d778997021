"""One attempt at many targets: step after step from where the joints are, until each has arrived or is stuck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.chain.chain import Chain
from juggle_anim.body.chain.effort import Effort
from juggle_anim.body.chain.move import move_joints
from juggle_anim.body.chain.placement import Placement
from juggle_anim.body.chain.task import Task

# Share of the way to the posture that a step goes where the goal leaves it free, on the way and when it is to settle.
_PULL, _SETTLING = 0.3, 0.5
# No joint is pulled farther in one step, lest the goal be lost, [rad].
_LONGEST_PULL = 0.5
# So far from the goal, as a share of the chain's length, either is half as strong.
_NEAR = 0.05
# λ² over the square of what is missing: great far from the goal, gone when it is met (T. Sugihara, "Solvability-
# unconcerned inverse kinematics by the Levenberg-Marquardt method", 2011).
_DAMPING = 0.3
# λ² over the squares of the Jacobian, at least: so the inverse stays finite.
_LEAST_DAMPING = 1e-8
# A step is halved when its outcome is off by more than this share of what it wanted, and by more than this share of
# the chain's length.
_OFF, _OFF_AT_LEAST = 0.5, 0.02
_HALVINGS = 5
# An attempt that has not come nearer by a tenth in so many steps is stuck.
_PATIENCE, _NEARER = 8, 0.9


@dataclass
class Attempt:
    """What became of B targets: angles (n, B), [rad], the error of the worst goal (B,), [m], and steps taken (B,).

    `history` has the angles at the start and after each step, shape (K + 1, n, B), if it was asked for.
    """

    angles: Floats
    error: Floats
    steps: Integers
    history: list[Floats] | None = None


def attempt(task: Task, start: Floats, posture: Floats, effort: Effort, keep_history: bool = False) -> Attempt:
    """Go from the start toward the goals.

    Args:
        task: goals of B poses.
        start: shape (n, B), within the limits, [rad].
        posture: shape (n, B), where the joints would like to be, [rad].
        effort: how hard to try.
        keep_history: whether to keep the angles after each step.
    """
    batch = start.shape[1]
    made = Attempt(start.copy(), np.full(batch, np.inf), np.zeros(batch, dtype=np.intp), [] if keep_history else None)
    walk = _Walk.begin(task, start, posture)
    for step in range(effort.iterations + 1):
        error = walk.task.errors(walk.missing).max(axis=0)
        # What was met once is better than what was lost on the way to the posture.
        counts = (error <= effort.tolerance) | (made.error[walk.columns] > effort.tolerance)
        made.angles[:, walk.columns[counts]] = walk.angles[:, counts]
        made.error[walk.columns[counts]], made.steps[walk.columns] = error[counts], step
        if made.history is not None:
            made.history.append(made.angles.copy())
        going = ~walk.over(error, effort)
        if step == effort.iterations or not going.any():
            break
        walk.drop_all_but(going)
        walk.step(settle=np.isfinite(effort.rest))
    return made


@dataclass
class _Walk:
    """Those targets that are still on their way; the columns say which of all they are."""

    task: Task
    columns: Integers
    angles: Floats
    posture: Floats
    placement: Placement
    missing: Floats
    moved: Floats
    nearest: Floats
    waited: Integers
    ease: Floats
    last: Floats

    @classmethod
    def begin(cls, task: Task, start: Floats, posture: Floats) -> _Walk:
        placement = task.chain.place(start)
        batch = start.shape[1]
        endless = np.full(batch, np.inf)
        columns, waited = np.arange(batch), np.zeros(batch, dtype=np.intp)
        missing = task.missing(placement)
        nearest, ease, last = endless.copy(), np.ones(batch), np.zeros_like(start)
        return cls(task, columns, start, posture, placement, missing, endless, nearest, waited, ease, last)

    def over(self, error: Floats, effort: Effort) -> Booleans:
        """Whether each has arrived and come to rest, or is stuck."""
        met = error <= effort.tolerance
        # Who has been there is not stuck, but on the way to the posture.
        nearer = met | (self.nearest <= effort.tolerance) | (error < _NEARER * self.nearest)
        self.nearest = np.where(nearer, np.minimum(error, self.nearest), self.nearest)
        self.waited = np.where(nearer, 0, self.waited + 1)
        return (met & (self.moved <= effort.rest)) | (~met & (self.waited > _PATIENCE))

    def drop_all_but(self, going: Booleans) -> None:
        if going.all():
            return
        self.task, self.placement = self.task.taken(going), self.placement.taken(going)
        self.columns, self.angles, self.posture = self.columns[going], self.angles[:, going], self.posture[:, going]
        self.missing, self.moved = self.missing[:, going], self.moved[going]
        self.nearest, self.waited, self.ease = self.nearest[going], self.waited[going], self.ease[going]
        self.last = self.last[:, going]

    def step(self, settle: bool) -> None:
        """Take one step, halved where it would lead elsewhere than the Jacobian says.

        Arriving comes first: near the goal the posture is let go, unless the joints are to settle there, and then far
        from it.
        """
        jacobian = self.task.jacobian(self.placement)
        squares = np.einsum("inb,inb->b", jacobian, jacobian)
        left = _size(self.missing)
        damping = _DAMPING * left * left + _LEAST_DAMPING * squares
        lower, upper = (limit[:, None] - self.angles for limit in self.task.chain.limits)
        move = move_joints(jacobian, self.missing, self._pull(left, settle), damping, (lower, upper))
        before = self.angles
        self._go(move, np.einsum("inb,nb->ib", jacobian, move))
        last, self.last = self.last, self.angles - before
        # A pull that swings from side to side settles when it is weaker.
        swings = np.einsum("nb,nb->b", last, self.last) < 0
        self.ease = np.where(swings, 0.5 * self.ease, np.minimum(1.5 * self.ease, 1.0))

    def _pull(self, left: Floats, settle: bool) -> Floats:
        """How far the joints would go toward the posture, shape (n, B), [rad]."""
        near = _NEAR * self.task.size
        share = _SETTLING * self.ease * near / (left + near) if settle else _PULL * left / (left + near)
        pull = share * (self.posture - self.angles)
        return pull * np.minimum(1.0, _LONGEST_PULL / np.maximum(np.abs(pull).max(axis=0), 1e-300))

    def _go(self, move: Floats, change: Floats) -> None:
        before, missing = self.angles, self.missing
        self.angles = _within(before + move, self.task.chain)
        self.placement = self.task.chain.place(self.angles)
        self.missing = self.task.missing(self.placement)
        for _ in range(_HALVINGS):
            off = _size(self.missing - missing + change)
            elsewhere = off > np.maximum(_OFF * _size(change), _OFF_AT_LEAST * self.task.size)
            if not elsewhere.any():
                break
            move, change = np.where(elsewhere, 0.5 * move, move), np.where(elsewhere, 0.5 * change, change)
            self.angles[:, elsewhere] = _within(before[:, elsewhere] + move[:, elsewhere], self.task.chain)
            placed = self.task.chain.place(self.angles[:, elsewhere])
            self.placement.put(elsewhere, placed)
            self.missing[:, elsewhere] = self.task.taken(elsewhere).missing(placed)
        self.moved = np.abs(self.angles - before).max(axis=0)


def _within(angles: Floats, chain: Chain) -> Floats:
    lower, upper = chain.limits
    return np.minimum(np.maximum(angles, lower[:, None]), upper[:, None])


def _size(vectors: Floats) -> Floats:
    return np.sqrt(np.einsum("ib,ib->b", vectors, vectors))
