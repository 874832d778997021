"""Inverse kinematics by resolved rate: joint angles for goals of a chain's frames, for many targets
at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.chain.chain import Chain
from juggle_anim.body.chain.step import Attempt, attempt
from juggle_anim.body.chain.task import Goal, Outcome, SolverOptions, Task, Trace
from juggle_anim.errors import ChainError, either
from juggle_anim.language import _

# Targets solved together: as many as fit in the processor's cache.
_BLOCK = 2048


def solve(
    chain: Chain,
    goals: Sequence[Goal],
    start: Floats,
    posture: Floats | None = None,
    effort: SolverOptions | None = None,
    trace: bool = False,
) -> Outcome:
    """The joint angles that bring the frames of a chain to their goals.

    Each step is dθ = J⁺ dX, damped near singular poses, and halved where the linear prediction is
    poor. The null space moves the joints toward the posture. A target out of reach is replaced by
    the point in its direction where the chain is almost straight. The solution of a target does not
    depend on the rest of the batch, except for rounding.

    Args:
        chain: joints and their limits.
        goals: one or more, each for one target or for B.
        start: shape (n,) or (B, n), initial angles, [rad]; clipped to the limits.
        posture: shape (n,) or (B, n), preferred angles, [rad]; by default those of the start.
        effort: tolerance and limits of the iteration.
        trace: whether to record each step of the first attempt.

    Raises:
        ChainError: if goals or angles do not fit the chain or each other.
    """
    effort = effort or SolverOptions()
    # Half the tolerance, because a target at full reach is itself moved a little.
    tighter = replace(effort, tolerance=0.5 * effort.tolerance)
    batch = _batch(goals, start)
    full_task = Task.of(chain, goals, batch)
    task = full_task.within_reach()
    angles = _broadcast(chain, "start", start, batch)
    pose = angles if posture is None else _broadcast(chain, "posture", posture, batch)
    made = _attempt_in_blocks(task, angles, pose, tighter, trace)
    restarts = np.zeros(batch, dtype=np.intp)
    for number in range(effort.restarts):
        failed = np.flatnonzero(made.error > tighter.tolerance)
        if not failed.size:
            break
        poses = np.repeat(_restart_pose(chain, number)[:, None], failed.size, axis=1)
        again = _attempt_in_blocks(task.subset(failed), poses, pose[:, failed], tighter)
        restarts[failed] += 1
        _keep_better(made, failed, again)
    errors = full_task.errors(full_task.residuals(chain.place(made.angles))).T.copy()
    converged = np.all(errors <= effort.tolerance, axis=1)
    history = None if made.history is None else _trace(full_task, made.history)
    return Outcome(made.angles.T.copy(), errors, converged, made.steps, restarts, history)


def _batch(goals: Sequence[Goal], start: Floats) -> int:
    """Number of targets of the goals and the start, of which those for one target are broadcast."""
    counts = [len(goal.position) for goal in goals if goal.position.ndim > 1]
    counts += [
        len(goal.orientation)
        for goal in goals
        if goal.orientation is not None and goal.orientation.ndim > 2
    ]
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
        angles,
        np.concatenate([part.error for part in parts]),
        np.concatenate([part.steps for part in parts]),
    )


def _keep_better(made: Attempt, failed: Integers, again: Attempt) -> None:
    made.steps[failed] += again.steps
    better = again.error < made.error[failed]
    columns = failed[better]
    made.angles[:, columns], made.error[columns] = again.angles[:, better], again.error[better]


def _restart_pose(chain: Chain, number: int) -> Floats:
    """A pose within the limits, well apart from those of other numbers, shape (n,), [rad].

    Source: the sequence R of M. Roberts, "The unreasonable effectiveness of quasirandom sequences",
    2018: multiples of the powers of 1 / g, where g^(n + 1) = g + 1.
    """
    ratio = 2.0
    for _round in range(40):
        ratio = (1 + ratio) ** (1 / (len(chain) + 1))
    shares = (0.5 + (number + 1) * ratio ** -np.arange(1.0, len(chain) + 1)) % 1.0
    lower, upper = chain.limits
    return lower + shares * (upper - lower)


def _broadcast(chain: Chain, name: str, angles: Floats, batch: int) -> Floats:
    if angles.shape not in ((len(chain),), (1, len(chain)), (batch, len(chain))):
        accepted = either([str((len(chain),)), str((batch, len(chain)))])
        raise ChainError(
            _(
                "the {name} has shape {shape}; accepted is {accepted}, one angle for each joint",
                name=name,
                shape=angles.shape,
                accepted=accepted,
            )
        )
    if not np.isfinite(angles).all():
        raise ChainError(_("the {name} is not finite; accepted are finite angles", name=name))
    return np.broadcast_to(np.clip(angles, *chain.limits), (batch, len(chain))).T.copy()


def _trace(task: Task, history: list[Floats]) -> Trace:
    errors = [task.errors(task.residuals(task.chain.place(angles))).T for angles in history]
    return Trace(np.stack(history).transpose(0, 2, 1), np.stack(errors))
