"""All cores of this machine: tasks in worker processes, of which any may die."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

from juggle_anim.batch.crew import Crew, Worker
from juggle_anim.batch.drafts import remove_drafts_of
from juggle_anim.batch.outcome import Outcome, State
from juggle_anim.batch.plan import try_out
from juggle_anim.batch.task import Task
from juggle_anim.errors import ExportError


def in_pool(tasks: Sequence[Task], workers: int) -> Iterator[Outcome]:
    """The outcome of each task, as they come.

    A task whose process dies is tried once more, and then failed.

    Args:
        tasks: what is to be done; each has its number for itself.
        workers: how many processes work.

    Raises:
        ParameterError, RenderError: no pattern can be written here in this manner.
        ExportError: likewise, or no process can be started.
    """
    if not tasks:
        return
    with Crew(min(workers, len(tasks))) as crew:
        crew.fill()
        try_out(tasks[0])  # while they are on their way
        yield from _Round(crew, tasks).outcomes()


class _Round:
    """One way through all tasks."""

    def __init__(self, crew: Crew, tasks: Sequence[Task]) -> None:
        self._crew, self._waiting, self._left = crew, deque(tasks), len(tasks)
        self._deaths: Counter[int] = Counter()
        self._stillborn = 0

    def outcomes(self) -> Iterator[Outcome]:
        while self._left:
            self._crew.fill()
            for worker in self._crew.speaking():
                outcome = self._heard(worker)
                if outcome:
                    self._left -= 1
                    yield outcome
                if worker in self._crew.workers and worker.task is None and self._waiting:
                    worker.give(self._waiting.popleft())

    def _heard(self, worker: Worker) -> Outcome | None:
        try:
            said = worker.listen()
        except EOFError:
            return self._mourned(worker)
        worker.task = None
        return said

    def _mourned(self, worker: Worker) -> Outcome | None:
        """Go on without a worker; the outcome of its task, where that is given up."""
        task, how = worker.task, self._crew.remove(worker)
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn > _MOST_STILLBORN:
                raise ExportError(f"no worker process can be started: it {how}")
        if task is None:
            return None
        remove_drafts_of(task.path)
        self._deaths[task.number] += 1
        if self._deaths[task.number] > _MOST_DEATHS:
            return Outcome(task.number, State.FAILED, reason=f"the process that wrote it {how}, and so did another")
        self._waiting.appendleft(task)
        return None


_MOST_DEATHS = 1
_MOST_STILLBORN = 3
