"""A worker: a process that carries out one task after the other, with a context of OpenGL of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection, wait
from types import FrameType

from juggle_anim.batch.task import carry_out

TERMINATED = 143


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
