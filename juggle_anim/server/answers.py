"""Answers of a server: kept for those who ask again, drawn once for all who ask at once, and refused past a limit."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from juggle_anim.language import _, language
from juggle_anim.server.drawing_process import DrawingProcess
from juggle_anim.server.exchange import FACTS, FIRST, MAX_CACHE, MAX_SECONDS, MAX_WAIT, MAX_WAITING, Answer, Query


def busy() -> Answer:
    """The answer past the limit of those who wait."""
    return Answer.refusal(503, _("this server is busy; ask again in a second"))


_MOST_PROCESSES = 8

_OTHERS = 3.0
"""When the other processes are started: the first who asks then has had a picture, and all cores for it, [s]."""


class Answers:
    """Answers queries with some processes that draw.

    Args:
        processes: how many; by default one a core.
        waiting: how many queries may wait for one.
        seconds: how long drawing an answer may take, [s].
        wait: how long anyone waits, [s].
        room: how much kept answers may take, [bytes].
    """

    def __init__(
        self,
        processes: int = 0,
        waiting: int = MAX_WAITING,
        seconds: float = MAX_SECONDS,
        wait: float = MAX_WAIT,
        room: int = MAX_CACHE,
    ) -> None:
        count = processes or min(os.cpu_count() or 1, _MOST_PROCESSES)
        self._idle = [DrawingProcess() for _ in range(count)]
        self._all = tuple(self._idle)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="drawing")
        self._lock = threading.Lock()
        self._most, self._seconds, self._wait = count + waiting, seconds, wait
        self._coming: dict[Query, asyncio.Future[Answer]] = {}
        self._kept = AnswerCache(room)
        self._later: threading.Timer | None = None

    def start(self) -> None:
        """Start the process that the first query will have, and the others a little later."""
        if self._later is None:
            self._idle[-1].start()
            self._later = threading.Timer(_OTHERS, self._start_others)
            self._later.daemon = True
            self._later.start()

    def draw_first(self) -> None:
        """Wait until there are answers to what the page asks first; for whoever tells people that it can be opened."""
        for kind in (FACTS, "html"):
            self._draw(Query(f"pattern={FIRST}", kind, language=language()))

    def close(self) -> None:
        """End all processes."""
        if self._later is not None:
            self._later.cancel()
            self._later.join()
        for process in self._all:
            process.close()
        self._threads.shutdown(cancel_futures=True)

    def _start_others(self) -> None:
        with self._lock:
            # One that is not idle draws, and so was started.
            for process in self._idle:
                process.start()

    async def to(self, query: Query) -> Answer:
        """The answer to a query."""
        kept = self._kept.get(query)
        if kept is not None:
            return kept
        coming = self._coming.get(query)
        if coming is None:
            if len(self._coming) >= self._most:
                return busy()
            coming = asyncio.get_running_loop().run_in_executor(self._threads, self._draw, query)
            self._coming[query] = coming
            coming.add_done_callback(lambda _done: self._coming.pop(query, None))
        # Who leaves or waits no longer does not take the answer from others, or from the next time.
        try:
            return await asyncio.wait_for(asyncio.shield(coming), self._wait)
        except TimeoutError:
            return busy()

    def _draw(self, query: Query) -> Answer:
        with self._lock:
            process = self._idle.pop()
        try:
            answer = process.answer(query, self._seconds)
        finally:
            with self._lock:
                self._idle.append(process)
        if answer.status < 500:
            self._kept.add(query, answer)
        return answer


class AnswerCache:
    """The answers asked for last, as many as have room.

    Args:
        room: that they may take, [bytes].
    """

    def __init__(self, room: int) -> None:
        self._room, self._used = room, 0
        self._answers: OrderedDict[Query, Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, query: Query) -> Answer | None:
        """The answer to a query, if it is kept."""
        with self._lock:
            if query in self._answers:
                self._answers.move_to_end(query)
            return self._answers.get(query)

    def add(self, query: Query, answer: Answer) -> None:
        """Keep an answer, and forget those that were asked for longest ago."""
        with self._lock:
            self._used += _size(query, answer)
            if (before := self._answers.pop(query, None)) is not None:
                self._used -= _size(query, before)
            self._answers[query] = answer
            while self._used > self._room:
                self._used -= _size(*self._answers.popitem(last=False))

    @property
    def used(self) -> int:
        """What the kept answers take, [bytes]."""
        return self._used


def _size(query: Query, answer: Answer) -> int:
    return len(answer.content) + len(query.settings) + 500
