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
        """Return the answer to a query in the present language.

        Args:
            query: what to draw.
            seconds: after which the process is killed, [s].

        Returns:
            A refusal, status 503, if it was killed or could not be reached.
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
            return Answer(header["status"], media=header["media"], content=_receive(process.stdout))
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
        """Send a query to the process, or to the next one where it has died since the last query.

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
            # It died between two queries: once more, with a new one.
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

    Answers go to standard output: a header in JSON, then the content, each with its length first.
    """
    # The process that serves never draws, and starts sooner without this.
    from juggle_anim.server.drawing import draw

    _bound_memory()
    # Warm up: this loads libraries and builds shaders.
    draw(dataclasses.replace(_WARM_UP, format=os.environ[_WARM_UP_FORMAT]))
    # What a library prints must not come among the answers.
    queries = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            fields = json.loads(_receive(queries))
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
