"""Connections to a server: slow ones are closed, and there are never too many."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from juggle_anim.server.exchange import MAX_IDLE, MAX_REQUEST_SECONDS, most_connections


class BoundedConnection(H11Protocol):
    """A connection whose client has some time for each request, and for reading the answer.

    When there are too many connections, the one that has asked nothing for longest is closed.
    """

    request_seconds = MAX_REQUEST_SECONDS

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._request_deadline = _Deadline(self.loop)
        self._answer_deadline = _Deadline(self.loop)
        self._waits_since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._request_deadline.begin(self.request_seconds, transport)
        # One too many: the one that has waited longest without a request makes room. There is
        # always one, since this connection itself has no request yet.
        if len(self.connections) > most_connections():
            waiting = [
                connection
                for connection in self.connections
                if isinstance(connection, BoundedConnection) and connection.waits
            ]
            longest = min(waiting, key=lambda connection: connection._waits_since)
            longest.transport.abort()
            self.connections.discard(longest)

    def data_received(self, data: bytes) -> None:
        """Read data, and wait for the rest of a request that is not whole."""
        super().data_received(data)
        self._waits_since = self.loop.time()
        request_is_whole = not self.waits and not self.cycle.more_body
        if request_is_whole:
            self._request_deadline.end()
        else:
            self._request_deadline.begin(self.request_seconds, self.transport)

    @property
    def waits(self) -> bool:
        """Whether no request of it is to be answered."""
        return self.cycle is None or self.cycle.response_complete

    def pause_writing(self) -> None:
        """Wait until the client has read more of the answer."""
        super().pause_writing()
        self._answer_deadline.begin(MAX_IDLE, self.transport)

    def resume_writing(self) -> None:
        """Go on once the client has read more."""
        super().resume_writing()
        self._answer_deadline.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._request_deadline.end()
        self._answer_deadline.end()


class _Deadline:
    """A time by which something must have ended, or the connection is closed."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, seconds: float, transport: asyncio.Transport) -> None:
        """Begin to wait, unless that has begun."""
        if self._timer is None:
            self._timer = self._loop.call_later(seconds, transport.abort)

    def end(self) -> None:
        """Wait no longer."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
