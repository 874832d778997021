"""What a batch will cost, from a few of its patterns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from juggle_anim.animation import animated
from juggle_anim.batch.plan import Plan
from juggle_anim.batch.task import Task
from juggle_anim.errors import JuggleError
from juggle_anim.exporter.estimate import Estimate, estimate
from juggle_anim.exporter.jobs import jobs_for


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


_SOME = 5
