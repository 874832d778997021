"""The crew: worker processes of this machine, each with at most one task at a time."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from juggle_anim.batch.outcome import Outcome
from juggle_anim.batch.task import Task
from juggle_anim.batch.worker import work

PATIENCE = 3.0
"""Workers that were told to end are killed after this time, [s]."""


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


# Of Mesa's software driver, of OpenMP and of the libraries below numpy.
_THREADS = ("LP_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
