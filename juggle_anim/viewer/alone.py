"""Being alone in a folder: windows take turns at reading and writing there."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_PATIENCE = 0.5  # s; who holds it for longer is stuck, and nobody waits for that


@contextlib.contextmanager
def alone_in(folder: Path, patience: float = _PATIENCE) -> Iterator[None]:
    """Let no other program be here at the same time, where the system can do that; else go on all the same.

    Args:
        folder: that others work in, too.
        patience: how long to wait for them, [s].
    """
    if sys.platform == "win32":
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            place = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, place)
            _take(place, patience)
        yield


def _take(place: int, patience: float) -> None:
    import fcntl

    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.005)
        else:
            return
