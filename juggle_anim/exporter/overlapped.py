"""Overlapped work: other threads write what one thread produces, in order and with little in
memory.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import TypeVar

# Compressing and writing release Python's lock, so they run in parallel with drawing.
WRITERS = 2
"""Threads that write frames of their own files."""

WAITING = 2
"""Items queued for each thread: enough to keep the threads busy when one item takes long."""

Item = TypeVar("Item")
Done = TypeVar("Done")


def overlapped(
    work: Callable[[Item], Done], items: Iterable[Item], threads: int = 1
) -> Iterator[Done]:
    """The results of `work` on each item, in order, computed by other threads while this one
    produces the next items.

    With one thread the work is done in order too. Only a few items exist at a time; an error ends
    both sides.

    Args:
        work: the function; it should release Python's lock most of the time.
        items: its arguments; they are produced in this thread.
        threads: how many threads work.
    """
    waiting: deque[Future[Done]] = deque()
    failed = threading.Event()
    at_work = threading.Semaphore(threads)

    def do(item: Item) -> Done:
        with at_work:
            # After a failure the next item must not be tried: a library may crash then.
            if failed.is_set():
                raise CancelledError
            try:
                return work(item)
            except BaseException:
                failed.set()
                raise

    with ThreadPoolExecutor(threads) as workers:
        try:
            for item in items:
                waiting.append(workers.submit(do, item))
                if len(waiting) > WAITING * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            failed.set()
            # The pool does not wait for a thread whose very start was interrupted, as by Ctrl-C.
            for _ in range(threads):
                at_work.acquire()
            at_work.release(threads)  # to those who find that they are cancelled
