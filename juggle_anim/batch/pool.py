"""All cores of this machine: tasks in worker processes, of which any may die.

MERGED: The crew: worker processes of this machine, each with at most one task at a time.

MERGED: A worker: a process that carries out one task after the other, with a context of OpenGL of its own.

MERGED: Drafts that a killed process left behind, of one pattern of a batch.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import re
import signal
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType

from juggle_anim.atomic_file import cannot_write, remove_stale_drafts
from juggle_anim.batch.plan import try_out
from juggle_anim.batch.task import Outcome, State, Task, carry_out
from juggle_anim.errors import ExportError
from juggle_anim.exporter.file_names import read_template

_MAX_DEATHS = 1

_MAX_FAILED_STARTS = 3

PATIENCE = 3.0
"""Workers that were told to end are killed after this time, [s]."""

# Of Mesa's software driver, of OpenMP and of the libraries below numpy.
_THREADS = ("LP_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

TERMINATED = 143

_DRAFT = re.compile(r"\.(.+)\.\d{1,9}\.part(\.[^.]+)(?:\.bare)?")


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
            if self._stillborn > _MAX_FAILED_STARTS:
                raise ExportError(f"no worker process can be started: it {how}")
        if task is None:
            return None
        remove_drafts_of(task.path)
        self._deaths[task.number] += 1
        if self._deaths[task.number] > _MAX_DEATHS:
            return Outcome(task.number, State.FAILED, reason=f"the process that wrote it {how}, and so did another")
        self._waiting.appendleft(task)
        return None


@dataclass(eq=False)
class Worker:
    """One process.

    Args:
        process: that.
        pipe: to and from it.
        ready: whether it has said that it can work.
        task: what it works on.
    """

    process: SpawnProcess
    pipe: Connection
    ready: bool = False
    task: Task | None = None

    def give(self, task: Task) -> None:
        """Hand it a task."""
        self.task = task
        with contextlib.suppress(ConnectionError):  # it has died, which is heard as all else
            self.pipe.send(task)

    def listen(self) -> Outcome | None:
        """What it says when it is ready, or done.

        Raises:
            EOFError: it has died.
        """
        try:
            said: Outcome | None = self.pipe.recv()
        except OSError as error:
            raise EOFError from error
        self.ready = True
        return said


class Crew:
    """Worker processes; a context that none of them outlives."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.workers: list[Worker] = []

    def fill(self) -> None:
        """Start processes until there are as many as there should be."""
        while len(self.workers) < self.size:
            with _without_interrupts(), _with_one_thread_each(self.size):
                self.workers.append(_started())

    def speaking(self) -> list[Worker]:
        """Those that have something to say or have died; waits for one."""
        heard = wait([worker.pipe for worker in self.workers])
        return [worker for worker in self.workers if worker.pipe in heard]

    def remove(self, worker: Worker) -> str:
        """Take out one that has died; how it ended."""
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        code = worker.process.exitcode or 0
        return f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with code {code}"

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        """End all, at once and with their drafts removed."""
        for worker in self.workers:
            worker.process.terminate()
        try:
            for worker in self.workers:
                worker.process.join(PATIENCE)
        finally:
            for worker in self.workers:
                worker.process.kill()
                worker.process.join()
                worker.pipe.close()


def _started() -> Worker:
    ours, theirs = multiprocessing.Pipe()
    # A fork would share the state of OpenGL and of locks with us.
    process = multiprocessing.get_context("spawn").Process(target=work, args=(theirs,), daemon=True)
    process.start()
    theirs.close()  # so that the end of that process is the end of what it says
    return Worker(process, ours)


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C reaches all processes of a terminal; those begun in here never hear of it, and we do afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it is begun with the first process otherwise, and lets interrupts through then
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _with_one_thread_each(processes: int) -> Iterator[None]:
    """Several processes share the cores; libraries that each take all of them for one would only be in the way."""
    ours = [name for name in _THREADS if processes > 1 and name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        yield
    finally:
        for name in ours:
            del os.environ[name]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def work(pipe: Connection) -> None:
    """Say that this process is ready, by None; then an outcome for each task that comes, until no more can come."""
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, ConnectionError):
        pipe.send(None)
        while True:
            pipe.send(carry_out(pipe.recv()))


def _end(_signal: int, _frame: FrameType | None) -> None:
    # As an exception, so that drafts are removed on the way out.
    raise SystemExit(TERMINATED)


def _end_with_parent() -> None:
    """Nobody waits for the files of a batch that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def remove_drafts_of(path: Path) -> None:
    """Remove the drafts of a file or of a folder of frames, with those of several cameras; who lives keeps its own."""
    frames = path.parent if read_template(path) else path
    with cannot_write(path):
        if frames.is_dir():
            found = list(frames.rglob(".*"))
        else:
            found = [each for each in path.parent.glob(".*") if each.name.startswith(f".{path.stem}")]
    _remove(found)


def remove_drafts_in(folder: Path) -> None:
    """Remove all drafts in a folder whose writers have died."""
    with cannot_write(folder):
        found = list(folder.glob(".*"))
    _remove(found)


def _remove(found: Iterable[Path]) -> None:
    for draft in found:
        if of := _DRAFT.fullmatch(draft.name):
            remove_stale_drafts(draft.with_name(of[1] + of[2]))
