"""Listening: connections never take the last files that a process may have open."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from juggle_anim.server.exchange import MAX_CONNECTIONS

_OTHER_FILES = 40
"""Files that a server has open beside connections: pipes to processes that draw, and what these
start with.
"""

_SPARE_FILES = 8
"""Of these, how many are not for connections that have just been accepted either."""


class ListeningSocket(socket.socket):
    """A socket that refuses a connection with which the process would have nearly all files open
    that it may.
    """

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection.

        Raises:
            ConnectionAbortedError: it was refused.
        """
        connection, address = super().accept()
        # The system gives the lowest number that is free.
        if connection.fileno() >= _most_files() - _SPARE_FILES:
            connection.close()
            raise ConnectionAbortedError
        return connection, address


def most_connections() -> int:
    """How many connections a server may have at a time."""
    return min(MAX_CONNECTIONS, max(1, _most_files() - _OTHER_FILES))


def _most_files() -> int:
    """How many files the process may have open, connections included."""
    with contextlib.suppress(ImportError):  # Windows has none
        import resource

        soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            return int(soft)
    return MAX_CONNECTIONS + _OTHER_FILES
