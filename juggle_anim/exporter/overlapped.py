"""Overlapped work: other threads write the output of one thread, in order and with little in
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
    """Yield `work(item)` for each item, in order, while the next items are produced.

    Other threads do the work; with a single one, items are also worked on in order. At most
    `WAITING * threads + 1` items are in memory at a time. An error in `work` or `items` ends the
    iteration and is raised here; work on waiting items is then not begun.

    Args:
        work: the function; it should release Python's lock most of the time.
        items: its arguments; this thread produces them.
        threads: number of threads that work.
    """
    # Results to come, in the order of their items. The semaphore counts the threads that are free
    # to work: each takes one from it while it works.
    waiting: deque[Future[Done]] = deque()
    errors: list[BaseException] = []
    has_ended = threading.Event()
    at_work = threading.Semaphore(threads)

    def do(item: Item) -> Done:
        """Return `work(item)`; raise the error of another item that has failed before."""
        with at_work:
            # After a failure the next item must not be tried: a library may crash then. It may come
            # before the failed one in the queue, so it has to tell what went wrong.
            if errors:
                raise errors[0]
            if has_ended.is_set():
                raise CancelledError
            try:
                return work(item)
            except BaseException as error:
                errors.append(error)
                raise

    with ThreadPoolExecutor(threads) as workers:
        try:
            for item in items:
                waiting.append(workers.submit(do, item))
                # The oldest result makes room in the queue.
                if len(waiting) > WAITING * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # Queued items are not begun any more, also if the caller stops iterating.
            has_ended.set()
            # Wait for the threads at work by taking all of the semaphore: the pool would not wait
            # for a thread whose very start was interrupted, as by Ctrl-C.
            for _ in range(threads):
                at_work.acquire()
            # Give it all back: queued items can then find that they are cancelled, and the pool
            # can end.
            at_work.release(threads)
