"""A process that draws for a server: it may be slow, run out of memory or die, and the server goes on."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sys
import threading
from subprocess import Popen
from typing import IO

from juggle_anim.language import _, speaking
from juggle_anim.server.exchange import MAX_MEMORY, MAX_SECONDS, Answer, Query
from juggle_anim.worker_process import start_worker

# Drawn before anyone asks: that loads all libraries and builds the programs of OpenGL.
_FIRST = Query("pattern=3", "gif", (16, 16), 5.0)

_LENGTH = 8  # bytes that say how long a part of a message is


class DrawingProcess:
    """Draws one query after another in a process of its own, started when first needed and again when lost."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None

    def answer(self, query: Query, seconds: float = MAX_SECONDS) -> Answer:
        """The answer to a query; a refusal if that takes longer, or ends the process."""
        with speaking(query.language):
            return self._answer(query, seconds)

    def _answer(self, query: Query, seconds: float) -> Answer:
        process = self.start()
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            _send(process.stdin, json.dumps(dataclasses.asdict(query)).encode())
            head = json.loads(_receive(process.stdout))
            return Answer(head["status"], head["media"], _receive(process.stdout))
        except (EOFError, OSError):
            late = not timer.is_alive()
            self.close()
            if late:
                return Answer.refusal(
                    503, _("this took longer than {seconds:g} s; ask for a shorter or smaller picture", seconds=seconds)
                )
            return Answer.refusal(503, _("drawing this failed; ask for a shorter or smaller picture"))
        finally:
            timer.cancel()

    def start(self) -> Popen[bytes]:
        """The process, started if there is none."""
        if self._process is None or self._process.poll() is not None:
            # Each draws with one thread; there are as many processes as cores.
            threads = {"LP_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            self._process = start_worker(__name__, **threads)
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            self._process = None


def work() -> None:
    """Draw what comes in until there is no more; this is what the process runs."""
    from juggle_anim.server.drawing import draw  # what serves never draws, and starts sooner without

    _bound_memory()
    draw(_FIRST)
    # What a library prints must not come among the answers.
    reads, writes = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            given = json.loads(_receive(reads))
            answer = draw(Query(**{**given, "size": tuple(given["size"])}))
            _send(writes, json.dumps({"status": answer.status, "media": answer.media}).encode())
            _send(writes, answer.content)


def _bound_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has none
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _send(pipe: IO[bytes], content: bytes) -> None:
    pipe.write(len(content).to_bytes(_LENGTH, "little") + content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    length = int.from_bytes(_exactly(pipe, _LENGTH), "little")
    return _exactly(pipe, length)


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return bytes(content)
