import subprocess
import sys
import threading
from collections.abc import Iterator
from subprocess import PIPE, Popen

import pytest

from juggle_anim.server import answers
from juggle_anim.server.answers import DrawingProcess
from juggle_anim.server.exchange import Query

ANSWERS = """
import sys
pipe = sys.stdout.buffer
def send(content):
    pipe.write(len(content).to_bytes(8, "little") + content)
    pipe.flush()
while length := sys.stdin.buffer.read(8):
    query = sys.stdin.buffer.read(int.from_bytes(length, "little"))
    if b"deadly" in query:
        sys.exit(1)
    send(b'{"status": 200, "media": "text/plain"}')
    send(b"drawn")
"""


class Starts:
    """The processes that were started in place of those that draw."""

    def __init__(self) -> None:
        self.processes: list[Popen[bytes]] = []
        self.more = threading.Semaphore(0)

    def start(self, module: str, **environment: str) -> Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-c", ANSWERS], stdin=PIPE, stdout=PIPE)
        self.processes.append(process)
        self.more.release()
        return process

    def wait(self) -> Popen[bytes]:
        assert self.more.acquire(timeout=300)
        return self.processes[-1]


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> Starts:
    starts = Starts()
    monkeypatch.setattr(answers, "start_worker", starts.start)
    monkeypatch.setattr(answers, "_SHORT_LIFE", 0.0)
    return starts


@pytest.fixture
def drawing(starts: Starts) -> Iterator[DrawingProcess]:
    process = DrawingProcess()
    yield process
    process.close()


def test_a_process_that_dies_while_nobody_asks_is_started_again_at_once(
    starts: Starts, drawing: DrawingProcess
) -> None:
    drawing.start()
    for _ in range(3):
        starts.wait().kill()
    starts.wait()
    assert drawing.answer(Query("pattern=3"), 60.0).content == b"drawn"


def test_a_process_that_dies_of_a_query_is_started_again_at_once(
    starts: Starts, drawing: DrawingProcess
) -> None:
    assert drawing.answer(Query("deadly"), 60.0).status == 503
    starts.wait()
    starts.wait()
    assert drawing.answer(Query("pattern=3"), 60.0).content == b"drawn"
    assert len(starts.processes) == 2


def test_a_process_that_is_interrupted_is_never_asked_again(
    starts: Starts, drawing: DrawingProcess
) -> None:
    for number in range(20):
        assert drawing.answer(Query(f"pattern={number}"), 60.0).content == b"drawn"
        drawing.interrupt()
    assert drawing.answer(Query("pattern=3"), 60.0).content == b"drawn"


def test_a_process_that_died_since_the_last_query_loses_none(
    starts: Starts, drawing: DrawingProcess
) -> None:
    for number in range(20):
        process = drawing.start()
        process.kill()
        process.wait(60)
        assert drawing.answer(Query(f"pattern={number}"), 60.0).content == b"drawn"


def test_a_process_that_is_closed_stays_so(starts: Starts) -> None:
    drawing = DrawingProcess()
    process = drawing.start()
    drawing.close()
    assert process.returncode is not None
    assert drawing.answer(Query("pattern=3"), 60.0).status == 503
    assert len(starts.processes) == 1


def test_where_no_process_can_be_started_a_query_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(module: str, **environment: str) -> Popen[bytes]:
        raise OSError("too many open files")

    monkeypatch.setattr(answers, "start_worker", fail)
    assert DrawingProcess().answer(Query("pattern=3"), 60.0).status == 503
