"""Running a batch: here or on a cluster, the work on a pattern is the same."""

from __future__ import annotations

import os
from collections.abc import Iterator

from juggle_anim.batch.outcome import Outcome
from juggle_anim.batch.plan import Plan
from juggle_anim.batch.pool import in_pool
from juggle_anim.errors import ParameterError


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
