"""Worker processes beside a window: programs of their own that step back, so that pictures stay
even.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from subprocess import DEVNULL, PIPE

_POLITE = 5  # how much such a process steps back


def start_worker(module: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start the function `work` of a module, which is connected by its standard input and output.

    It is a program of its own: one of `multiprocessing` would run the script that has opened the
    window again.

    Args:
        module: its full name.
        environment: more variables of its environment.
    """
    command = [sys.executable, "-c", f"from {module} import work; work()"]
    paths = os.pathsep.join(filter(None, sys.path))
    whole = {**os.environ, "PYTHONPATH": paths, **environment}
    return subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=whole)


def give_back_memory() -> None:
    """Give memory that is free back to the system; called by a worker between tasks, since the C
    library keeps it.

    Each task needs arrays for a moment, up to some 80 MB, and small objects that stay are in the
    way between them.
    """
    if sys.platform == "linux":
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            library.malloc_trim(0)


def step_back() -> None:
    """Let other processes go first; called by a worker."""
    with contextlib.suppress(AttributeError, OSError):  # Windows has none
        os.nice(_POLITE)
