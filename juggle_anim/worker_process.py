"""Worker processes beside a window: programs of low priority, so that pictures stay even."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from subprocess import DEVNULL, PIPE

_NICENESS = 5  # of a worker; the least priority has 19


def start_worker(module: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start a program that runs the function `work` of a module, connected by pipes.

    Pipes are its standard input and output. It is a program of its own: a process of
    `multiprocessing` would run the script that has opened the window again.

    Args:
        module: its full name.
        environment: more variables of its environment.
    """
    command = [sys.executable, "-c", f"from {module} import work; work()"]
    # The worker imports from where this process does.
    paths = os.pathsep.join(filter(None, sys.path))
    variables = {**os.environ, "PYTHONPATH": paths, **environment}
    return subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=variables)


def give_back_memory() -> None:
    """Give free memory, which the C library keeps, back to the system; called between tasks.

    Each task needs arrays for a moment, up to some 80 MB, and small objects that stay are in the
    way between them.
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
