"""Worker processes beside a window: programs of low priority, so that pictures stay even."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from subprocess import DEVNULL, PIPE
from threading import Thread
from typing import Any

_NICENESS = 5  # of a worker; the least priority has 19


def start_worker(module: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start a process that runs the function `work` of a module, connected by pipes.

    The pipes are its standard input and output. It is started as a new program, since a process of
    `multiprocessing` would run the script that has opened the window again.

    Args:
        module: full name of the module, which can be imported here.
        environment: variables to add to its environment, by their names.

    Raises:
        OSError: the process cannot be started.
    """
    command = [sys.executable, "-c", f"from {module} import work; work()"]
    # The worker imports from where this process does.
    paths = os.pathsep.join(filter(None, sys.path))
    variables = {**os.environ, "PYTHONPATH": paths, **environment}
    return subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=variables)


class WorkerTask(Thread):
    """A task of a worker, and the thread that waits for its answer.

    The function `work` of the worker's module reads the pickled task from its standard input, and
    writes the pickled answer to its standard output.

    Args:
        module: full name of the module.
        task: what is done.
        failure: the answer if the process ends without one.
    """

    def __init__(self, module: str, task: object, failure: object) -> None:
        super().__init__(name=module, daemon=True)
        self._task = pickle.dumps(task)
        self._answer: Any = failure
        self._process = start_worker(module)
        self.start()

    def run(self) -> None:
        """Hand over the task, and wait for the answer."""
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
            self._answer = pickle.loads(self._process.communicate(self._task)[0])

    def result(self) -> Any:
        """Return the answer; None as long as the worker is busy."""
        return None if self.is_alive() else self._answer

    def stop(self) -> None:
        """Give the task up."""
        self._process.terminate()


def give_back_memory() -> None:
    """Give memory that was freed, but that the C library keeps, back to the system.

    It is called between tasks. Each task needs up to some 80 MB of arrays for a moment; small
    objects that are kept lie between them in memory, so that the library does not give it back by
    itself. Only glibc on Linux has the function; elsewhere nothing happens.
    """
    if sys.platform == "linux":
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            library.malloc_trim(0)


def step_back() -> None:
    """Lower the priority of this process; called by a worker."""
    with contextlib.suppress(AttributeError, OSError):  # Windows has none
        os.nice(_NICENESS)


def end_cleanly() -> None:
    """Let this process leave no partial files behind when it is told to end; called by a worker."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
