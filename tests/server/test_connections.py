import asyncio
import contextlib
import logging
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from uvicorn.server import ServerState

from juggle_anim.server import serve
from juggle_anim.server.answers import Answers
from juggle_anim.server.exchange import Answer, Query
from juggle_anim.server.serve import BoundedConnection, ListeningSocket, make_app

REQUEST = b"HEAD /page.css HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Transport(asyncio.Transport):
    """A connection that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.aborted = False

    def write(self, data: bytes) -> None:  # type: ignore[override]
        self.written += data

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None:
        pass

    def is_closing(self) -> bool:
        return self.aborted

    def resume_reading(self) -> None:
        pass


class NoAnswers(Answers):
    """Answers of a server that is not asked for pictures, so that no process starts."""

    def start(self) -> None:
        pass


class SlowAnswers(NoAnswers):
    """Answers that never come, and how many are awaited."""

    def __init__(self) -> None:
        super().__init__(processes=1)
        self.awaited = threading.Semaphore(0)
        self.left = threading.Semaphore(0)

    async def to(self, query: Query, client: str = "") -> Answer:
        self.awaited.release()
        try:
            return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]
        finally:
            self.left.release()


@contextlib.contextmanager
def listening(answers: Answers | None = None) -> Iterator[int]:
    """A server in this process, whose port is given."""
    listener = ListeningSocket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(100)
    port = listener.getsockname()[1]
    app = make_app(answers or NoAnswers(processes=1))
    config = uvicorn.Config(app, http=BoundedConnection, loop="asyncio", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(60)


@contextlib.contextmanager
def clients(port: int, count: int) -> Iterator[list[socket.socket]]:
    """So many connections to a server."""
    with contextlib.ExitStack() as stack:
        address = ("127.0.0.1", port)
        yield [
            stack.enter_context(socket.create_connection(address, timeout=300))
            for _ in range(count)
        ]


def ends(client: socket.socket) -> bool:
    """Whether the server closes a connection, without an answer."""
    with contextlib.suppress(ConnectionResetError):
        return client.recv(1) == b""
    return True


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nab",
    ],
)
def test_a_request_that_is_never_finished_ends_its_connection(
    monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(BoundedConnection, "request_seconds", 0.05)
    with listening() as port, clients(port, 1) as (client,):
        client.sendall(begun)
        while client.recv(1 << 16):  # what is sent before the connection ends
            pass


def test_a_request_that_comes_drop_by_drop_has_no_more_time_than_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(BoundedConnection, "request_seconds", 0.2)
    with listening() as port, clients(port, 1) as (client,), contextlib.suppress(ConnectionError):
        client.sendall(b"GET / HTTP/1.1\r\n")
        for number in range(10_000):
            client.sendall(f"X-{number}: drop\r\n".encode())
            time.sleep(0.01)
        pytest.fail("it was never ended")


def test_a_connection_whose_request_is_whole_waits_for_the_answer_and_for_the_next_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(BoundedConnection, "request_seconds", 0.0)

    async def course() -> None:
        config = uvicorn.Config(make_app(NoAnswers(processes=1)), log_config=None)
        connection = BoundedConnection(config, ServerState(), {})
        transport = Transport()
        connection.connection_made(transport)
        for _ in range(2):
            connection.data_received(REQUEST[:9])
            connection.data_received(REQUEST[9:])
            while b"\r\n\r\n" not in transport.written:
                await asyncio.sleep(0.001)
            transport.written.clear()
            assert not transport.aborted
        connection.connection_lost(None)

    asyncio.run(course())


def test_past_the_most_connections_the_one_that_has_asked_nothing_for_longest_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "most_connections", lambda: 4)
    with listening() as port, clients(port, 4) as waiting:
        with clients(port, 2) as more:
            for client in more:
                client.sendall(REQUEST)
                assert client.recv(1 << 16).startswith(b"HTTP/1.1 200")
        assert ends(waiting[0])
        assert ends(waiting[1])
        waiting[3].sendall(REQUEST)
        assert waiting[3].recv(1 << 16).startswith(b"HTTP/1.1 200")


def test_where_a_process_may_open_few_files_many_connections_end_in_no_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    resource = pytest.importorskip("resource")
    with listening() as port, clients(port, 1) as (client,):
        highest = client.fileno() + 40
        monkeypatch.setattr(resource, "getrlimit", lambda _: (highest, highest))
        with caplog.at_level(logging.WARNING), contextlib.ExitStack() as stack:
            for _ in range(80):
                stack.enter_context(clients(port, 1))
            last = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=300))
            assert ends(last)
        assert caplog.records == []


@pytest.mark.parametrize("path", ["anim.gif?3", "facts?3", "embed?3", "anim?3"])
def test_an_answer_is_awaited_only_as_long_as_its_client_stays(path: str) -> None:
    answers = SlowAnswers()
    with listening(answers) as port, clients(port, 3) as leaving:
        for client in leaving:
            client.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert answers.awaited.acquire(timeout=300)
            client.close()
            assert answers.left.acquire(timeout=300)
