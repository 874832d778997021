"""Running a batch, on this machine or on a cluster, and estimating its cost from a few of its patterns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from juggle_anim.animation import animated
from juggle_anim.batch.plan import Plan
from juggle_anim.batch.pool import run_in_pool
from juggle_anim.batch.task import Outcome, Task
from juggle_anim.errors import JuggleError, ParameterError
from juggle_anim.exporter.export import Estimate, estimate, export_jobs

# So few that an answer comes soon, and yet enough to tell the first frame from later ones.
_TRIAL_PATTERNS, _TRIAL_FRAMES = 5, 4


def run(plan: Plan, *, workers: int | None = None, scheduler: str | None = None) -> Iterator[Outcome]:
    """Yield the outcome of every pattern: first of unreadable ones, then of all others when they are done.

    Closing the iterator, or an exception such as Ctrl-C, ends all work; complete files stay.

    Args:
        plan: the work.
        workers: number of processes on this machine; by default one for each core.
        scheduler: the address of a Dask cluster to use instead.

    Raises:
        ParameterError: the number of workers is below 1 or given with a scheduler; or no pattern can be written.
        ExportError, RenderError: likewise.
    """
    if workers is not None and (workers < 1 or scheduler):
        reason = "a cluster has its own workers" if scheduler else "it must be a whole number from 1 up"
        raise ParameterError(f"--workers {workers} cannot be: {reason}")
    yield from plan.unreadable
    if scheduler:
        from juggle_anim.batch.cluster import run_on_cluster

        yield from run_on_cluster(plan.tasks, scheduler)
    else:
        yield from run_in_pool(plan.tasks, workers or available_cores())


def available_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Cost:
    """The estimated cost of a batch.

    Args:
        patterns: number of readable patterns.
        size: of all files, [bytes].
        seconds: for a single worker, [s].
    """

    patterns: int
    size: float
    seconds: float


def cost(plan: Plan) -> Cost:
    """Estimate the cost of a plan from a few of its patterns.

    Raises:
        JuggleError: none of these can be written.
    """
    tasks = plan.tasks[:: max(1, len(plan.tasks) // _TRIAL_PATTERNS)][:_TRIAL_PATTERNS]
    tried: list[list[Estimate]] = []
    for number, task in enumerate(tasks, start=1):
        try:
            tried.append(list(_estimates(task)))
        except JuggleError:
            if not tried and number == len(tasks):
                raise
    share = len(plan.tasks) / max(len(tried), 1)
    found = [each for estimates in tried for each in estimates]
    size, seconds = (sum(getattr(each, name) for each in found) for name in ("size", "seconds"))
    return Cost(len(plan.tasks), size * share, seconds * share)


def _estimates(task: Task) -> Iterator[Estimate]:
    for job in export_jobs(animated(task.settings, **task.overrides), task.path, task.options):
        yield estimate(job, task.options, _TRIAL_FRAMES)
