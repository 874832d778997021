"""Running a batch: here or on a cluster, the work on a pattern is the same.

MERGED: What a batch will cost, from a few of its patterns.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from juggle_anim.animation import animated
from juggle_anim.batch.plan import Plan
from juggle_anim.batch.pool import in_pool
from juggle_anim.batch.task import Outcome, Task
from juggle_anim.errors import JuggleError, ParameterError
from juggle_anim.exporter.export import Estimate, estimate, jobs_for

_SOME = 5


def run(plan: Plan, *, workers: int | None = None, scheduler: str | None = None) -> Iterator[Outcome]:
    """The outcome of every pattern: first of those that cannot be read, then of all others as they are done.

    Closing it, or an exception in it such as Ctrl-C, ends all work; files that are whole stay.

    Args:
        plan: what is to be done.
        workers: how many processes of this machine work; as many as it has cores if None.
        scheduler: the address of a Dask cluster that works in their place.

    Raises:
        ParameterError: a number of workers below 1, or beside a scheduler; or no pattern can be written in this manner.
        ExportError, RenderError: likewise.
    """
    if workers is not None and (workers < 1 or scheduler):
        reason = "a cluster has its own workers" if scheduler else "it must be a whole number from 1 up"
        raise ParameterError(f"--workers {workers} cannot be: {reason}")
    yield from plan.broken
    if scheduler:
        from juggle_anim.batch.cluster import on_cluster

        yield from on_cluster(plan.tasks, scheduler)
    else:
        yield from in_pool(plan.tasks, workers or cores())


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Cost:
    """What a batch will cost, about.

    Args:
        patterns: how many can be read.
        size: of all files, [bytes].
        seconds: that it would take one worker.
    """

    patterns: int
    size: float
    seconds: float


def cost(plan: Plan) -> Cost:
    """What the patterns of a plan will cost, all being like a few that are tried out.

    Raises:
        JuggleError: none of those can be written.
    """
    tasks = plan.tasks[:: max(1, len(plan.tasks) // _SOME)][:_SOME]
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
    for job in jobs_for(animated(task.settings, **task.given), task.path, task.options):
        yield estimate(job, task.options)
