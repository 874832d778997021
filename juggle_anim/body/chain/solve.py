"""Resolved rate: joint angles that bring frames of a chain to their goals, for many targets at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.chain.chain import Chain
from juggle_anim.body.chain.step import Attempt, attempt
from juggle_anim.body.chain.task import Goal, Outcome, SolverOptions, Task, Trace
from juggle_anim.errors import ChainError

# Targets that are worked on together: as many as stay in the processor's cache.
_BLOCK = 2048


def solve(
    chain: Chain,
    goals: Sequence[Goal],
    start: Floats,
    posture: Floats | None = None,
    effort: SolverOptions | None = None,
    trace: bool = False,
) -> Outcome:
    """Bring the frames of a chain to their goals.

    Each step is dθ = J⁺ dX, damped near singular poses; one that leads elsewhere than its Jacobian says is halved. What
    the goals leave free goes toward the posture. A target out of reach is brought to where its chain is all but
    straight. The same target gives the same answer (to rounding), whoever else is in the batch.

    Args:
        chain: its joints and their limits.
        goals: one or more, each for one target or for B.
        start: shape (n,) or (B, n), where the joints are at first, [rad]; brought within the limits.
        posture: shape (n,) or (B, n), where they would like to be, [rad]; as at the start if not given.
        effort: how hard to try.
        trace: whether to keep each step of the first attempt.

    Raises:
        ChainError: if goals or angles do not fit the chain or each other.
    """
    effort = effort or SolverOptions()
    # Twice as near as asked for, because a target at full reach is itself moved a little.
    aim = replace(effort, tolerance=0.5 * effort.tolerance)
    batch = _batch(goals, start)
    wanted = Task.of(chain, goals, batch)
    task = wanted.within_reach()
    angles = _spread(chain, "start", start, batch)
    pose = angles if posture is None else _spread(chain, "posture", posture, batch)
    made = _attempt_in_blocks(task, angles, pose, aim, trace)
    restarts = np.zeros(batch, dtype=np.intp)
    for number in range(effort.restarts):
        failed = np.flatnonzero(made.error > aim.tolerance)
        if not failed.size:
            break
        elsewhere = np.repeat(_restart_pose(chain, number)[:, None], failed.size, axis=1)
        again = _attempt_in_blocks(task.subset(failed), elsewhere, pose[:, failed], aim)
        restarts[failed] += 1
        _keep_better(made, failed, again)
    errors = wanted.errors(wanted.missing(chain.place(made.angles))).T.copy()
    converged = np.all(errors <= effort.tolerance, axis=1)
    kept = None if made.history is None else _trace(wanted, made.history)
    return Outcome(made.angles.T.copy(), errors, converged, made.steps, restarts, kept)


def _batch(goals: Sequence[Goal], start: Floats) -> int:
    """For how many targets the goals and the start are; what is for one is for all."""
    counts = [len(goal.position) for goal in goals if goal.position.ndim > 1]
    counts += [len(goal.orientation) for goal in goals if goal.orientation is not None and goal.orientation.ndim > 2]
    counts += [len(start)] if start.ndim > 1 else []
    return next((count for count in counts if count != 1), 1)


def _attempt_in_blocks(
    task: Task, start: Floats, posture: Floats, effort: SolverOptions, history: bool = False
) -> Attempt:
    batch = start.shape[1]
    if batch <= _BLOCK or history:
        return attempt(task, start, posture, effort, history)
    parts = []
    for first in range(0, batch, _BLOCK):
        block = np.arange(first, min(first + _BLOCK, batch))
        parts.append(attempt(task.subset(block), start[:, block], posture[:, block], effort))
    angles = np.concatenate([part.angles for part in parts], axis=1)
    return Attempt(
        angles, np.concatenate([part.error for part in parts]), np.concatenate([part.steps for part in parts])
    )


def _keep_better(made: Attempt, failed: Integers, again: Attempt) -> None:
    made.steps[failed] += again.steps
    better = again.error < made.error[failed]
    columns = failed[better]
    made.angles[:, columns], made.error[columns] = again.angles[:, better], again.error[better]


def _restart_pose(chain: Chain, number: int) -> Floats:
    """A pose within the limits, far from those of other numbers, shape (n,), [rad].

    Source: the sequence R of M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018: multiples of
    the powers of 1 / g, where g^(n + 1) = g + 1.
    """
    golden = 2.0
    for _ in range(40):
        golden = (1 + golden) ** (1 / (len(chain) + 1))
    shares = (0.5 + (number + 1) * golden ** -np.arange(1.0, len(chain) + 1)) % 1.0
    lower, upper = chain.limits
    return lower + shares * (upper - lower)


def _spread(chain: Chain, name: str, angles: Floats, batch: int) -> Floats:
    if angles.shape not in ((len(chain),), (1, len(chain)), (batch, len(chain))):
        accepted = f"{(len(chain),)} or {(batch, len(chain))}"
        raise ChainError(f"the {name} has shape {angles.shape}; accepted is {accepted}, one angle for each joint")
    if not np.isfinite(angles).all():
        raise ChainError(f"the {name} is not finite; accepted are finite angles")
    return np.broadcast_to(np.clip(angles, *chain.limits), (batch, len(chain))).T.copy()


def _trace(task: Task, history: list[Floats]) -> Trace:
    errors = [task.errors(task.missing(task.chain.place(angles))).T for angles in history]
    return Trace(np.stack(history).transpose(0, 2, 1), np.stack(errors))
