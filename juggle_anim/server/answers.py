"""Answers of a server: kept for those who ask again, drawn once for all who ask at once, and
refused past a limit.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from functools import partial

from juggle_anim.language import _, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.server.drawing_process import DrawingProcess
from juggle_anim.server.exchange import (
    DESERTED_SECONDS,
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

_MAX_PROCESSES = 8  # that draw by default
_SIZE_OF_OBJECTS = 500  # bytes, of a kept answer beside its texts

_PICTURES_START = 3.0
"""When the processes that draw pictures are started, [s].

The page has been answered by then, with all cores for it.
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
        count = processes or min(os.cpu_count() or 1, _MAX_PROCESSES)
        # Quick answers have a process of their own, so that they never wait for pictures.
        self._quick_process = DrawingProcess(warm_up="html")
        self._picture_processes = [DrawingProcess() for _ in range(count)]
        self._kept = AnswerCache(room)
        self._quick = Lane([self._quick_process], waiting, self._kept.add)
        self._pictures = Lane(self._picture_processes, waiting, self._kept.add)
        self._draw_seconds = seconds
        self._wait_seconds = wait
        self._start_timer: threading.Timer | None = None

    def start(self) -> None:
        """Start the process that answers what the page asks, and the others a little later."""
        if self._start_timer is None:
            self._quick_process.start()
            self._start_timer = threading.Timer(_PICTURES_START, self._start_picture_processes)
            self._start_timer.daemon = True
            self._start_timer.start()

    def draw_first(self) -> None:
        """Draw and keep the answers to what the page asks first, before people are told of it."""
        for kind in (FACTS, "html"):
            query = Query(f"pattern={FIRST}", kind, language=language())
            self._kept.add(query, self._quick_process.answer(query, self._draw_seconds))

    def close(self) -> None:
        """End all processes."""
        if self._start_timer is not None:
            self._start_timer.cancel()
            self._start_timer.join()
        for process in (self._quick_process, *self._picture_processes):
            process.close()
        self._quick.close()
        self._pictures.close()

    def _start_picture_processes(self) -> None:
        for process in self._picture_processes:
            process.start()

    async def to(self, query: Query, client: str = "") -> Answer:
        """Return the answer to a query.

        Args:
            query: what is asked.
            client: address of the one who asks; each may have a limited number of drawings.
        """
        kept = self._kept.get(query)
        if kept is not None:
            return kept
        lane = self._quick if query.format in QUICK else self._pictures
        return await lane.answer(query, client, seconds=self._draw_seconds, wait=self._wait_seconds)


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
        """Return the answer to a query, if it is kept."""
        with self._lock:
            if query in self._answers:
                self._answers.move_to_end(query)
            return self._answers.get(query)

    def add(self, query: Query, answer: Answer) -> None:
        """Keep an answer, and forget those that were asked for longest ago, to make room."""
        # An error of the server may not happen next time.
        if answer.status >= 500:
            return
        with self._lock:
            self._used += _size(query, answer)
            previous = self._answers.pop(query, None)
            if previous is not None:
                self._used -= _size(query, previous)
            self._answers[query] = answer
            while self._used > self._room:
                self._used -= _size(*self._answers.popitem(last=False))

    @property
    def used(self) -> int:
        """Size of the kept answers, [bytes]."""
        return self._used


def _size(query: Query, answer: Answer) -> int:
    """Return what a kept answer takes, about, [bytes]."""
    return len(answer.content) + len(query.settings) + _SIZE_OF_OBJECTS


def busy() -> Answer:
    """Return the answer past the limit of those who wait."""
    return Answer.refusal(503, _("this server is busy; try again in a second"))


@dataclass(eq=False)
class _Drawing:
    """A query that is drawn or waits to be.

    Args:
        query: what is asked.
        seconds: how long drawing it may take, [s].
        answer: comes when it is drawn.
        clients: who await the answer, and how often each.
        process: what draws it; None while it waits.
        deserted_since: when the last client left, by the clock of the event loop, [s].
    """

    query: Query
    seconds: float
    answer: asyncio.Future[Answer]
    clients: Counter[str] = field(default_factory=Counter)
    process: DrawingProcess | None = None
    deserted_since: float = 0.0


class Lane:
    """Processes that draw, and the queries that wait for one of them.

    A free process draws for the client with the fewest drawings at that time. What nobody awaits
    any more is dropped.

    All methods are called in the thread of one event loop.

    Args:
        processes: that draw.
        waiting: how many queries may wait for one; one client may have half of all.
        on_drawn: called with each query that was drawn, and its answer.
    """

    def __init__(
        self,
        processes: Sequence[DrawingProcess],
        waiting: int,
        on_drawn: Callable[[Query, Answer], None],
    ) -> None:
        self._idle = list(processes)
        # A thread for each process, which waits for its answers.
        self._threads = ThreadPoolExecutor(len(processes), thread_name_prefix="drawing")
        self._max_drawings = len(processes) + waiting
        self._max_per_client = max(1, self._max_drawings // 2)
        self._on_drawn = on_drawn
        self._drawings: dict[Query, _Drawing] = {}
        """Drawings that are awaited or drawn, in the order in which they were asked for."""
        self._closed = False

    async def answer(self, query: Query, client: str, seconds: float, wait: float) -> Answer:
        """Return the answer to a query, or a refusal where too many wait or it takes too long.

        Args:
            query: what to draw; a drawing of the same query is shared.
            client: address of the one who asks.
            seconds: how long drawing it may take, [s].
            wait: how long the client waits, those before included, [s].
        """
        # Refuse what would be too much for the lane, or for one client.
        drawing = self._drawings.get(query)
        requests_of_client = sum(awaited.clients[client] for awaited in self._drawings.values())
        is_full = drawing is None and len(self._drawings) >= self._max_drawings
        if is_full or requests_of_client >= self._max_per_client:
            return busy()

        if drawing is None:
            drawing = _Drawing(query, seconds, asyncio.get_running_loop().create_future())
            self._drawings[query] = drawing
        drawing.clients[client] += 1
        self._draw_waiting()
        try:
            # A client that leaves does not take the answer from others.
            return await asyncio.wait_for(asyncio.shield(drawing.answer), wait)
        except TimeoutError:
            return busy()
        finally:
            self._leave(drawing, client)

    def close(self) -> None:
        """End all that is drawn; their processes have been closed."""
        self._closed = True
        self._threads.shutdown(cancel_futures=True)

    def _draw_waiting(self) -> None:
        """Let idle processes draw what waits; interrupt what nobody awaits, if others wait."""
        waiting = [drawing for drawing in self._drawings.values() if drawing.process is None]
        # Fairness: the client for whom least is drawn comes first, then who came first.
        while waiting and self._idle and not self._closed:
            drawing = min(waiting, key=self._drawn_for_client)
            waiting.remove(drawing)
            drawing.process = self._idle.pop()
            task = asyncio.get_running_loop().run_in_executor(
                self._threads, drawing.process.answer, drawing.query, drawing.seconds
            )
            task.add_done_callback(partial(self._finish, drawing))
        # As many deserted drawings end as others wait; `_finish` frees their processes.
        for deserted in self._deserted()[: len(waiting)]:
            del self._drawings[deserted.query]
            if deserted.process:
                deserted.process.interrupt()

    def _drawn_for_client(self, drawing: _Drawing) -> int:
        """Return how many processes draw for the client of a drawing who has fewest."""
        drawn = Counter[str]()
        for other in self._drawings.values():
            if other.process:
                drawn.update(other.clients)
        return min(drawn[client] for client in drawing.clients)

    def _deserted(self) -> list[_Drawing]:
        """Return drawings that nobody has awaited for some time, those left first at the front."""
        latest = asyncio.get_running_loop().time() - DESERTED_SECONDS
        deserted = [
            drawing
            for drawing in self._drawings.values()
            if not drawing.clients and drawing.deserted_since <= latest
        ]
        return sorted(deserted, key=lambda drawing: drawing.deserted_since)

    def _leave(self, drawing: _Drawing, client: str) -> None:
        """Note that a client awaits an answer no longer, and drop a drawing that nobody awaits."""
        drawing.clients -= Counter([client])
        # Others await it, or it is finished.
        if drawing.clients or self._drawings.get(drawing.query) is not drawing:
            return
        # Not begun yet.
        if drawing.process is None:
            del self._drawings[drawing.query]
            return
        # A client that was told to ask again, or reloads a page, comes back to the drawing; so it
        # goes on for some time.
        loop = asyncio.get_running_loop()
        drawing.deserted_since = loop.time()
        loop.call_later(DESERTED_SECONDS, self._draw_waiting)

    def _finish(self, drawing: _Drawing, task: asyncio.Future[Answer]) -> None:
        """Hand over an answer that was drawn, and go on with the next.

        Args:
            drawing: the drawing.
            task: its run in a thread, which has ended or, when the lane is closed, was cancelled.
        """
        if drawing.process:
            self._idle.append(drawing.process)
        # A drawing that was given up is not there any more, and the same query may be drawn anew.
        if self._drawings.get(drawing.query) is drawing:
            del self._drawings[drawing.query]
        if task.cancelled():
            drawing.answer.cancel()
            return
        answer = task.result()
        self._on_drawn(drawing.query, answer)
        drawing.answer.set_result(answer)
        self._draw_waiting()
