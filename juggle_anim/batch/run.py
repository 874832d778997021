"""Running a batch, on this machine or on a cluster, and estimating its cost from a few of its
patterns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from juggle_anim.animation import animated
from juggle_anim.batch.plan import Outcome, Plan, Task
from juggle_anim.batch.pool import run_in_pool
from juggle_anim.errors import JuggleError, ParameterError
from juggle_anim.exporter.estimate import Trial, run_trial
from juggle_anim.exporter.export import Job, export_jobs
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass

_Item = TypeVar("_Item")

_Result = TypeVar("_Result")

_TRIAL_FRAMES = 6  # at least; of fewer the size of a later frame is mostly chance

# Patterns whose frames are counted, and groups of them, in each of which a few frames of one
# pattern are written; so few that an answer comes soon.
_MAX_COUNTED_PATTERNS = 100
_COST_GROUPS = 3


def run(
    plan: Plan, *, workers: int | None = None, scheduler: str | None = None
) -> Iterator[Outcome]:
    """Yield the outcome of every pattern: first of unreadable ones, then of others when done.

    Closing the iterator, or an exception such as Ctrl-C, ends all work; complete files stay.

    Args:
        plan: the work.
        workers: number of processes on this machine; by default one for each core.
        scheduler: the address of a Dask cluster to use instead.

    Raises:
        ParameterError: the number of workers is below 1 or given with a scheduler; or no pattern
            can be written.
        ExportError, RenderError: likewise.
    """
    if workers is not None and (workers < 1 or scheduler):
        reason = (
            _("a cluster has its own workers")
            if scheduler
            else _("it must be a whole number, 1 or more")
        )
        raise ParameterError(
            _("workers is {workers}: {reason}", workers=workers, reason=reason), "workers"
        )
    yield from plan.unreadable
    if scheduler:
        # Imported here, as Dask is slow to import and few have it.
        from juggle_anim.batch.cluster import run_on_cluster

        yield from run_on_cluster(plan.tasks, scheduler)
    else:
        yield from run_in_pool(plan.tasks, workers or available_cores())


def available_cores() -> int:
    """Return the number of cores that this process may use."""
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
    """Estimate the cost of a plan.

    The frames of many of its patterns are counted. These are sorted into groups of about equally
    many people and high throws, on which the cost of a frame depends, and some frames of one
    pattern of each group are written.

    Args:
        plan: the work.

    Raises:
        JuggleError: none of these can be written.
    """
    # Patterns evenly spread over the plan, sorted by the cost of a frame.
    count = min(len(plan.tasks), _MAX_COUNTED_PATTERNS)
    sample = [plan.tasks[len(plan.tasks) * index // count] for index in range(count)]
    jobs = _results_without_failures(sample, _jobs_of_task)
    jobs.sort(key=_frame_complexity)

    # Groups of equal size; fewer patterns than groups leave some empty.
    bounds = [len(jobs) * index // _COST_GROUPS for index in range(_COST_GROUPS + 1)]
    groups = [jobs[first:last] for first, last in pairwise(bounds) if first < last]
    costs = _results_without_failures(
        groups, lambda group: _cost_of_group(group, plan.tasks[0].options)
    )

    # From the patterns of these groups to all. There are none if there are no tasks.
    scale = len(plan.tasks) / max(sum(group_cost.patterns for group_cost in costs), 1)
    size = sum(group_cost.size for group_cost in costs)
    seconds = sum(group_cost.seconds for group_cost in costs)
    return Cost(len(plan.tasks), size * scale, seconds * scale)


def _frame_complexity(jobs: Sequence[Job]) -> tuple[int, float]:
    """Return what the cost of a frame depends on: jugglers, and the height of throws."""
    animation = jobs[0].request.animation
    return animation.jugglers, -float(animation.choreography.flights.duration.max(initial=0.0))


def _cost_of_group(group: Sequence[list[Job]], options: WriteOptions) -> Cost:
    """Estimate the cost of some patterns from trials with the one in the middle.

    Args:
        group: for each pattern its jobs, one for each camera.
        options: how they are written.
    """
    size = 0.0
    seconds = 0.0
    typical_jobs = group[len(group) // 2]
    for camera, job in enumerate(typical_jobs):
        # Enough to tell the first from later ones, and to see one drawn while others are written.
        frames = min(job.request.frames, max(job.waiting + 2, _TRIAL_FRAMES))
        trial = run_trial(job, options, frames)
        # Each pattern costs as much as the trial for as many frames, and more for its others.
        frames_left = sum(jobs[camera].request.frames - frames for jobs in group)
        frame_size = _size_per_frame(job, options, trial, trial_frames=frames)
        size += len(group) * trial.size + frames_left * frame_size
        seconds += len(group) * trial.seconds + frames_left * trial.per_frame
    return Cost(len(group), size, seconds)


def _size_per_frame(job: Job, options: WriteOptions, trial: Trial, trial_frames: int) -> float:
    """Return the size of a frame after the first, from a trial of some frames, [bytes]."""
    if trial.size_per_frame is not None or trial_frames == 1:
        return trial.size_per_frame or float(trial.size)
    fewer_frames = trial_frames // 2
    shorter_trial = run_trial(job, options, fewer_frames)
    return max(trial.size - shorter_trial.size, 0) / (trial_frames - fewer_frames)


def _results_without_failures(
    items: Sequence[_Item], function: Callable[[_Item], _Result]
) -> list[_Result]:
    """Return the results of a function, without those of items for which it raises a JuggleError.

    Args:
        items: arguments of the function, one after the other.
        function: that may fail.

    Raises:
        JuggleError: it fails for all; the last error.
    """
    results: list[_Result] = []
    for count, item in enumerate(items, start=1):
        try:
            results.append(function(item))
        except JuggleError:
            if not results and count == len(items):
                raise
    return results


def _jobs_of_task(task: Task) -> list[Job]:
    return export_jobs(animated(task.settings, **task.overrides), task.path, task.options)
