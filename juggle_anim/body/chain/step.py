"""Steps of resolved rate for many targets: a damped pseudoinverse, a posture in its null space, and joint limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.chain.chain import Chain, Placement
from juggle_anim.body.chain.task import SolverOptions, Task

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
_MIN_DAMPING = 1e-8

# A step is halved when its outcome is off by more than this share of what it wanted, and by more than this share of
# the chain's length.
_OFF, _OFF_AT_LEAST = 0.5, 0.02

_HALVINGS = 5

# An attempt that has not come nearer by a tenth in so many steps is stuck.
_PATIENCE, _NEARER = 8, 0.9

# Joints that would pass their limit stop there, and the others share what is left, this many times.
_SHARINGS = 3

MAX_SWEEPS = 40
"""At most; each squares what is missing, so that these are enough for singular values a million times apart."""

# What one sweep may still change, relative; the next one would change its square.
_SETTLED = 1e-7

# Every so many sweeps those that have settled are let go.
_LOOK = 3


@dataclass
class Attempt:
    """What became of B targets: angles (n, B), [rad], the error of the worst goal (B,), [m], and steps taken (B,).

    `history` has the angles at the start and after each step, shape (K + 1, n, B), if it was asked for.
    """

    angles: Floats
    error: Floats
    steps: Integers
    history: list[Floats] | None = None


def attempt(task: Task, start: Floats, posture: Floats, effort: SolverOptions, keep_history: bool = False) -> Attempt:
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

    def over(self, error: Floats, effort: SolverOptions) -> Booleans:
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
        self.task, self.placement = self.task.subset(going), self.placement.subset(going)
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
        damping = _DAMPING * left * left + _MIN_DAMPING * squares
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
            self.placement.set_subset(elsewhere, placed)
            self.missing[:, elsewhere] = self.task.subset(elsewhere).missing(placed)
        self.moved = np.abs(self.angles - before).max(axis=0)


def _within(angles: Floats, chain: Chain) -> Floats:
    lower, upper = chain.limits
    return np.minimum(np.maximum(angles, lower[:, None]), upper[:, None])


def _size(vectors: Floats) -> Floats:
    return np.sqrt(np.einsum("ib,ib->b", vectors, vectors))


def move_joints(jacobian: Floats, wanted: Floats, pull: Floats, damping: Floats, room: tuple[Floats, Floats]) -> Floats:
    """dθ = J⁺ dX + (1 − J⁺ J) g, with no joint beyond its limits.

    Args:
        jacobian: J, shape (m, n, B), [m/rad].
        wanted: dX, shape (m, B), [m].
        pull: g, shape (n, B), where the joints would go if there were no goal, [rad].
        damping: λ², shape (B,), [m²/rad²].
        room: how far down and up each joint may turn, each of shape (n, B), [rad].

    Returns:
        Shape (n, B), [rad].

    Source: D. E. Whitney, "Resolved motion rate control of manipulators and human prostheses", 1969; the null space
    after A. Liégeois, "Automatic supervisory control of the configuration and behavior of multibody mechanisms", 1977.
    """
    down, up = room
    free = np.ones(pull.shape, dtype=bool)
    move = _free_move(jacobian, wanted, pull, damping)
    for _ in range(_SHARINGS):
        bounded = np.minimum(np.maximum(move, down), up)
        stopped = free & (bounded != move)
        some = stopped.any(axis=0)
        if not some.any():
            break
        move = bounded
        free &= ~stopped
        move[:, some] = _shared(
            jacobian[..., some], wanted[:, some], pull[:, some], damping[some], free[:, some], move[:, some]
        )
    return np.minimum(np.maximum(move, down), up)


def _shared(jacobian: Floats, wanted: Floats, pull: Floats, damping: Floats, free: Booleans, stopped: Floats) -> Floats:
    """The move when some joints go as far as they are told and only the free ones can make up for it."""
    stopped = np.where(free, 0.0, stopped)
    left = wanted - np.einsum("inb,nb->ib", jacobian, stopped)
    return stopped + _free_move(jacobian * free, left, pull * free, damping)


def _free_move(jacobian: Floats, wanted: Floats, pull: Floats, damping: Floats) -> Floats:
    # J⁺ dX + (1 − J⁺ J) g = J⁺ (dX − J g) + g
    inverse = pseudoinverse(jacobian, damping)
    return pull + np.einsum("nib,ib->nb", inverse, wanted - np.einsum("inb,nb->ib", jacobian, pull))


def pseudoinverse(matrices: Floats, damping: Floats) -> Floats:
    """Damped pseudoinverses Jᵀ (J Jᵀ + λ²)⁻¹; for λ = 0 the Moore–Penrose ones, also where a matrix lacks rank.

    Args:
        matrices: J, shape (m, n, B), the batch last.
        damping: λ², shape (B,), in the square of J's unit.

    Returns:
        Shape (n, m, B).

    Source: the iteration X ← X (2 − J X) from X = α Jᵀ converges to J⁺ (A. Ben-Israel and D. Cohen, "On iterative
    computation of generalized inverses and associated projections", 1966). All X are Jᵀ Y, and Y ← Y (2 − J Jᵀ Y) is
    the same with smaller matrices; damping appends λ to J.
    """
    gram = np.einsum("ikb,jkb->ijb", matrices, matrices)
    rows = np.arange(len(gram))
    gram[rows, rows] += damping
    return np.einsum("jib,jkb->ikb", matrices, _inverse(gram))


def _inverse(gram: Floats) -> Floats:
    """Y, for which Jᵀ Y is the pseudoinverse, of G = J Jᵀ + λ², all of shape (m, m, B)."""
    # No eigenvalue exceeds the norm.
    scale = 1.0 / np.maximum(np.sqrt(np.einsum("ijb,ijb->b", gram, gram)), 1e-300)
    inverse, product = np.eye(len(gram))[..., None] * scale, gram * scale
    found, columns = np.empty_like(gram), np.arange(gram.shape[2])
    for sweep in range(1, MAX_SWEEPS + 1):
        # Y ← Y (2 − G Y), and with it G Y ← G Y (2 − G Y).
        inverse = 2 * inverse - np.einsum("ikb,kjb->ijb", inverse, product)
        squared = np.einsum("ikb,kjb->ijb", product, product)
        if sweep % _LOOK == 0:
            going = np.abs(product - squared).max(axis=(0, 1)) > _SETTLED
            if not going.any():
                break
            if 2 * np.count_nonzero(going) < going.size:
                found[..., columns] = inverse
                columns, inverse = columns[going], inverse[..., going]
                product, squared = product[..., going], squared[..., going]
        product = 2 * product - squared
    found[..., columns] = inverse
    return found
