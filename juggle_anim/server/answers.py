"""Answers of a server: kept for those who ask again, drawn once for all who ask at once, and
refused past a limit.

A process that draws for a server: it may be slow, run out of memory or die, and the server goes
on.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import sys
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from functools import partial
from subprocess import Popen
from typing import IO

from juggle_anim.language import _, language, speaking
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.server.exchange import (
    DESERTED_SECONDS,
    FACTS,
    FIRST,
    MAX_CACHE,
    MAX_MEMORY,
    MAX_SECONDS,
    MAX_WAIT,
    MAX_WAITING,
    QUICK,
    Answer,
    Query,
)
from juggle_anim.worker_process import start_worker

# Drawn before anyone asks: that loads all libraries and builds the programs of OpenGL.
_WARM_UP = Query("pattern=3", format="gif", size=(16, 16), fps=5.0)

# The variable of the environment with the format of that answer.
_WARM_UP_FORMAT = "JUGGLE_ANIM_WARM_UP"

# Each process draws with one thread; there are as many processes as cores.
_SINGLE_THREAD = {"LP_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

_LENGTH_BYTES = 8  # that say how long a part of a message is

# s; a process that ends sooner cannot work here, and starting another at once would not help
_SHORT_LIFE = 1.0


class DrawingProcess:
    """Draws one query after another in a process of its own, which is started again as soon as it
    is lost.

    Args:
        warm_up: the format of the answer that it gives to itself, to be quick with the first that
            is requested.
    """

    def __init__(self, warm_up: str = _WARM_UP.format) -> None:
        self._warm_up = warm_up
        self._process: Popen[bytes] | None = None
        self._interrupted: Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = False

    def answer(self, query: Query, seconds: float = MAX_SECONDS) -> Answer:
        """Return the answer to a query; a refusal if that takes longer, or ends the process."""
        with speaking(query.language):
            return self._answer(query, seconds)

    def _answer(self, query: Query, seconds: float) -> Answer:
        """Return the answer to a query in the present language.

        Args:
            query: what to draw.
            seconds: after which the process is killed, [s].

        Returns:
            The answer of the process; a refusal, status 503, if the process was killed or could not
            be reached.
        """
        # A timer kills the process, and the read below then ends.
        is_late = threading.Event()
        process: Popen[bytes] | None = None

        def kill_late_process() -> None:
            is_late.set()
            self.interrupt()

        timer = threading.Timer(seconds, kill_late_process)
        try:
            # A pipe takes a whole query without waiting, so the timer can start after that.
            process = self._send_query(query)
            timer.start()
            assert process.stdout is not None
            header = json.loads(_receive(process.stdout))
            return Answer(**header, content=_receive(process.stdout))
        except (EOFError, OSError, ValueError):  # the last is that of a pipe that was closed
            # It may have sent half an answer: the next query gets another process.
            if process is not None:
                process.kill()
                process.wait()
            if is_late.is_set():
                return Answer.refusal(
                    503,
                    _(
                        "this took longer than {seconds:g} s; request a shorter or smaller picture",
                        seconds=seconds,
                    ),
                )
            return Answer.refusal(503, _("drawing failed; request a shorter or smaller picture"))
        finally:
            timer.cancel()

    def _send_query(self, query: Query) -> Popen[bytes]:
        """Send a query to the process, or to a new one if it has died since the last query.

        Args:
            query: what to draw.

        Returns:
            The process that has the query and will send the answer.

        Raises:
            OSError: neither can be reached.
        """
        message = json.dumps(dataclasses.asdict(query)).encode()
        process = self.start()
        assert process.stdin is not None
        try:
            _send(process.stdin, message)
        except OSError:
            # The process died after the last query: send this one to a new process.
            process.kill()
            process.wait()
            process = self.start()
            assert process.stdin is not None
            _send(process.stdin, message)
        return process

    def start(self) -> Popen[bytes]:
        """Return the process that runs, or start one; may be called by several threads.

        Raises:
            OSError: it cannot be started, or has been closed.
        """
        with self._lock:
            if self._closed:
                raise BrokenPipeError
            previous = self._process
            if previous is not None:
                # One that was just interrupted is about to die, even if it still runs.
                if previous is not self._interrupted and previous.poll() is None:
                    return previous
                _close_pipes(previous)
            process = start_worker(__name__, **_SINGLE_THREAD, **{_WARM_UP_FORMAT: self._warm_up})
            self._process = process
            # A thread waits for its end, to start the next one before that is needed.
            threading.Thread(target=self._restart_after, args=(process,), daemon=True).start()
            return process

    def _restart_after(self, process: Popen[bytes]) -> None:
        """Start the next process when this one ends."""
        began = time.monotonic()
        process.wait()
        if time.monotonic() - began > _SHORT_LIFE:
            with contextlib.suppress(OSError):  # the next query tries again
                self.start()

    def interrupt(self) -> None:
        """End what is drawn now; the query is answered by a refusal."""
        with self._lock:
            # It takes a moment to die, in which it must not be asked again.
            self._interrupted = self._process
        if self._interrupted is not None:
            self._interrupted.kill()

    def close(self) -> None:
        """End the process for good."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()
            process.wait()
            _close_pipes(process)


def _close_pipes(process: Popen[bytes]) -> None:
    """Close the pipes to a process that has ended."""
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()


def work() -> None:
    """Draw queries from standard input until it is closed; this is what the process runs.

    A query is a message of JSON. An answer, on standard output, is two messages: a header in JSON,
    then the content. Before each message stands its length.
    """
    # The process that serves never draws, and starts sooner without this.
    from juggle_anim.server.drawing import draw

    # A query that would need too much memory fails, rather than slowing down the machine.
    _bound_memory()
    # Warm up: this loads libraries and builds shaders.
    draw(dataclasses.replace(_WARM_UP, format=os.environ[_WARM_UP_FORMAT]))
    # What a library prints must not come among the answers.
    queries = sys.stdin.buffer
    # Descriptor 1 is standard output: a copy takes the answers, and the original leads nowhere.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            # JSON has no tuples, so the size comes as a list.
            fields = json.loads(_receive(queries))
            answer = draw(Query(**{**fields, "size": tuple(fields["size"])}))
            header = {"status": answer.status, "media": answer.media, "about": answer.about}
            _send(answers, json.dumps(header).encode())
            _send(answers, answer.content)


def _bound_memory() -> None:
    """Limit the memory of this process, where the system supports that."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has none
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _send(pipe: IO[bytes], content: bytes) -> None:
    """Send a part of a message, its length first."""
    pipe.write(len(content).to_bytes(_LENGTH_BYTES, "little") + content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    """Receive a part of a message.

    Raises:
        EOFError: the other end was closed before.
    """
    length = int.from_bytes(_read_exactly(pipe, _LENGTH_BYTES), "little")
    return _read_exactly(pipe, length)


def _read_exactly(pipe: IO[bytes], length: int) -> bytes:
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return bytes(content)


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
        """Prepare the processes that draw, which are started later.

        Args:
            processes: number of processes for pictures; 0 for one for each core, but at most
                `_MAX_PROCESSES`.
            waiting: greatest number of waiting drawings in each lane.
            seconds: time limit of a drawing, [s].
            wait: time limit of an answer, [s].
            room: size of the cache of answers, [bytes].
        """
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
        # A lane is a queue of drawings with processes of its own.
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
        """Cache an answer, and drop the least recently requested ones if the cache is full.

        Args:
            query: what was asked; an earlier answer to it is replaced.
            answer: the answer; failures of the server (status 500 and above) are not kept.
        """
        # A failure of the server is not cached, since it may not happen next time.
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
        processes: processes that draw.
        waiting: how many queries may wait for one; one client may have half of all.
        on_drawn: called with each query that was drawn, and its answer.
    """

    def __init__(
        self,
        processes: Sequence[DrawingProcess],
        waiting: int,
        on_drawn: Callable[[Query, Answer], None],
    ) -> None:
        """Prepare a queue of drawings for some processes.

        Args:
            processes: processes that draw; all are idle.
            waiting: how many drawings may wait beside those that are drawn.
            on_drawn: called with each query and its answer.
        """
        self._idle = list(processes)
        # A thread for each process, which waits for its answers.
        self._threads = ThreadPoolExecutor(len(processes), thread_name_prefix="drawing")
        self._max_drawings = len(processes) + waiting
        # One client may take half of the lane at most.
        self._max_per_client = max(1, self._max_drawings // 2)
        self._on_drawn = on_drawn
        self._drawings: dict[Query, _Drawing] = {}
        """Drawings that are awaited or drawn, in the order in which they were requested."""
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
            # Shielded, so that a client who leaves does not cancel the drawing for others.
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
        """Start waiting drawings in idle processes; interrupt unneeded ones if others wait."""
        waiting = [drawing for drawing in self._drawings.values() if drawing.process is None]
        # Fairness: the client for whom least is drawn comes first, then who came first.
        while waiting and self._idle and not self._closed:
            drawing = min(waiting, key=self._drawn_for_client)
            waiting.remove(drawing)
            drawing.process = self._idle.pop()
            # The process answers in a thread, so that the server goes on.
            task = asyncio.get_running_loop().run_in_executor(
                self._threads, drawing.process.answer, drawing.query, drawing.seconds
            )
            task.add_done_callback(partial(self._finish, drawing))
        # Drawings that nobody awaits any more are ended, as many as others wait; `_finish` frees
        # their processes.
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
        """Remove a client who no longer awaits an answer, and a drawing that nobody awaits.

        Args:
            drawing: `clients` counts how often each client awaits it; `process` draws it, None
                while it waits.
            client: address of the client.
        """
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
        # A picture that nobody has awaited for `DESERTED_SECONDS` is given up if others wait.
        loop.call_later(DESERTED_SECONDS, self._draw_waiting)

    def _finish(self, drawing: _Drawing, task: asyncio.Future[Answer]) -> None:
        """Hand over an answer that was drawn, and go on with the next.

        Args:
            drawing: the drawing.
            task: its run in a thread, which has ended or, when the lane is closed, was cancelled.
        """
        if drawing.process:
            self._idle.append(drawing.process)
        # A drawing that was given up is not there any more, and the same query may be redrawn.
        if self._drawings.get(drawing.query) is drawing:
            del self._drawings[drawing.query]
        if task.cancelled():
            drawing.answer.cancel()
            return
        answer = task.result()
        self._on_drawn(drawing.query, answer)
        drawing.answer.set_result(answer)
        self._draw_waiting()
