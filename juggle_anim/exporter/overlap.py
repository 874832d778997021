"""Two things at once: pictures are drawn while those before them are written."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Done = TypeVar("Done")


def overlapped(work: Callable[[Item], Done], items: Iterable[Item], threads: int = 1) -> Iterator[Done]:
    """What `work` makes of each item, in their order, done by other threads while this one makes the next items.

    With one thread the work is done in order too. However many items there are, only a few exist at a time; whatever
    goes wrong ends both sides.

    Args:
        work: what to do; it should let go of Python's lock most of the time.
        items: on what; they are made in this thread.
        threads: how many may work.
    """
    waiting: deque[Future[Done]] = deque()
    failed = threading.Event()

    def do(item: Item) -> Done:
        # What failed must not be tried again with the next item: a library may crash then.
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
                if len(waiting) > _WAITING * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            failed.set()


_WAITING = 2
"""So many items for each thread may wait their turn: enough to bridge one that takes long."""
