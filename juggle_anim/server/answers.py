"""Answers of a server: kept for those who ask again, drawn once for all who ask at once, and
refused past a limit.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict

from juggle_anim.language import language
from juggle_anim.server.drawing_process import DrawingProcess
from juggle_anim.server.exchange import (
    FACTS,
    FIRST,
    MAX_CACHE,
    MAX_SECONDS,
    MAX_WAIT,
    MAX_WAITING,
    QUICK,
    Answer,
    Query,
)
from juggle_anim.server.lane import Lane, busy

__all__ = ["Answers", "busy"]

_MOST_PROCESSES = 8

_OTHERS_START = 3.0
"""When the processes that draw are started: the page has been answered by then, with all cores for
it, [s].
"""


class Answers:
    """Answers queries with some processes that draw, and one for what is quick.

    Args:
        processes: how many draw; by default one a core.
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
        self._quick_process = DrawingProcess(warm_up="html")
        self._picture_processes = [DrawingProcess() for _ in range(count)]
        self._kept = AnswerCache(room)
        self._quick = Lane([self._quick_process], waiting, self._kept.add)
        self._pictures = Lane(self._picture_processes, waiting, self._kept.add)
        self._seconds = seconds
        self._wait = wait
        self._later: threading.Timer | None = None

    def start(self) -> None:
        """Start the process that answers what the page asks, and the others a little later."""
        if self._later is None:
            self._quick_process.start()
            self._later = threading.Timer(_OTHERS_START, self._start_others)
            self._later.daemon = True
            self._later.start()

    def draw_first(self) -> None:
        """Wait until there are answers to what the page asks first; for whoever tells people that
        it can be opened.
        """
        for kind in (FACTS, "html"):
            query = Query(f"pattern={FIRST}", kind, language=language())
            self._kept.add(query, self._quick_process.answer(query, self._seconds))

    def close(self) -> None:
        """End all processes."""
        if self._later is not None:
            self._later.cancel()
            self._later.join()
        for process in (self._quick_process, *self._picture_processes):
            process.close()
        self._quick.close()
        self._pictures.close()

    def _start_others(self) -> None:
        for process in self._picture_processes:
            process.start()

    async def to(self, query: Query, client: str = "") -> Answer:
        """Return the answer to a query.

        Args:
            query: what is asked.
            client: who asks.
        """
        kept = self._kept.get(query)
        if kept is not None:
            return kept
        lane = self._quick if query.format in QUICK else self._pictures
        return await lane.answer(query, client, self._seconds, self._wait)


class AnswerCache:
    """The answers asked for last, as many as have room.

    Args:
        room: that they may take, [bytes].
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._used = 0
        self._answers: OrderedDict[Query, Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, query: Query) -> Answer | None:
        """The answer to a query, if it is kept."""
        with self._lock:
            if query in self._answers:
                self._answers.move_to_end(query)
            return self._answers.get(query)

    def add(self, query: Query, answer: Answer) -> None:
        """Keep an answer that would be the same again, and forget those that were asked for longest
        ago.
        """
        if answer.status >= 500:
            return
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
