"""A process that draws for a server: it may be slow, run out of memory or die, and the server goes
on.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sys
import threading
import time
from subprocess import Popen
from typing import IO

from juggle_anim.language import _, speaking
from juggle_anim.server.exchange import MAX_MEMORY, MAX_SECONDS, Answer, Query
from juggle_anim.worker_process import start_worker

# Drawn before anyone asks: that loads all libraries and builds the programs of OpenGL.
_WARM_UP = Query("pattern=3", "gif", (16, 16), 5.0)

# The variable of the environment with the format of that answer.
_WARM_UP_FORMAT = "JUGGLE_ANIM_WARM_UP"

# Each process draws with one thread; there are as many processes as cores.
_SINGLE_THREAD_ENVIRONMENT = {
    "LP_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}

_LENGTH_BYTES = 8  # that say how long a part of a message is

# s; a process that ends sooner cannot work here, and starting another at once would not help
_SHORT_LIFE_SECONDS = 1.0


class DrawingProcess:
    """Draws one query after another in a process of its own, which is started again as soon as it
    is lost.

    Args:
        warm_up: the format of the answer that it gives to itself, to be quick with the first that
            is asked for.
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
        """Return the answer to a query, or a refusal, in the present language.

        Args:
            query: what is asked.
            seconds: after which the process is killed, [s].
        """
        # A timer kills the process, and the read below then ends.
        is_late = threading.Event()
        process: Popen[bytes] | None = None

        def end_late() -> None:
            is_late.set()
            self.interrupt()

        timer = threading.Timer(seconds, end_late)
        try:
            process = self._ask(query)  # a pipe takes a whole query without waiting
            timer.start()
            assert process.stdout is not None
            header = json.loads(_receive(process.stdout))
            return Answer(header["status"], header["media"], _receive(process.stdout))
        # The process has died, could not be asked, or its pipe was closed (ValueError).
        except (EOFError, OSError, ValueError):
            if process is not None:
                process.kill()
                process.wait()
            if is_late.is_set():
                return Answer.refusal(
                    503,
                    _(
                        "this took longer than {seconds:g} s; ask for a shorter or smaller picture",
                        seconds=seconds,
                    ),
                )
            return Answer.refusal(
                503, _("drawing this failed; ask for a shorter or smaller picture")
            )
        finally:
            timer.cancel()

    def _ask(self, query: Query) -> Popen[bytes]:
        """Send a query to the process, and return this.

        If it has died since the last query, the next one is started and asked, once.

        Raises:
            OSError: neither can be reached.
        """
        question = json.dumps(dataclasses.asdict(query)).encode()
        process = self.start()
        assert process.stdin is not None
        try:
            _send(process.stdin, question)
        except OSError:
            process.kill()
            process.wait()
            process = self.start()
            assert process.stdin is not None
            _send(process.stdin, question)
        return process

    def start(self) -> Popen[bytes]:
        """Return the process, started if there is none that can be asked.

        Raises:
            OSError: it cannot be started, or has been closed.
        """
        with self._lock:
            if self._closed:
                raise BrokenPipeError
            present = self._process
            if present is not None:
                # One that was interrupted may still live for a moment.
                if present is not self._interrupted and present.poll() is None:
                    return present
                _close_pipes(present)
            process = start_worker(
                __name__, **_SINGLE_THREAD_ENVIRONMENT, **{_WARM_UP_FORMAT: self._warm_up}
            )
            self._process = process
            # When this one ends, the next is started at once, and is warm for the next query.
            threading.Thread(target=self._start_next_after, args=(process,), daemon=True).start()
            return process

    def _start_next_after(self, process: Popen[bytes]) -> None:
        """Start the next process when this one ends."""
        began = time.monotonic()
        process.wait()
        if time.monotonic() - began > _SHORT_LIFE_SECONDS:
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
    """Draw the queries that come in, until the pipe is closed; this is what the process runs.

    Queries come from standard input, answers go to standard output, as JSON and bytes behind their
    lengths.
    """
    # The process that serves never draws, and starts sooner without this.
    from juggle_anim.server.drawing import draw

    _bound_memory()
    draw(dataclasses.replace(_WARM_UP, format=os.environ[_WARM_UP_FORMAT]))
    # What a library prints must not come among the answers: these go to a copy of standard output
    # (descriptor 1), which itself leads nowhere from here on.
    queries = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            fields = json.loads(_receive(queries))
            # JSON has lists in place of tuples.
            answer = draw(Query(**{**fields, "size": tuple(fields["size"])}))
            _send(answers, json.dumps({"status": answer.status, "media": answer.media}).encode())
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
