"""Serving: the application on a port of this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Callable
from typing import Any

from juggle_anim.errors import ViewerError, require_library
from juggle_anim.language import _
from juggle_anim.server.answers import Answers
from juggle_anim.server.exchange import MAX_IDLE, most_files

HOST = "127.0.0.1"
PORT = 8000
"""Where a server listens if nothing is said: nobody but this machine can ask it."""


_BACKLOG = 512  # connections that wait to be taken


_SPARE_FILES = 8
"""Files that are not for connections that have just been accepted either."""


class ListeningSocket(socket.socket):
    """A socket that refuses connections before the process has too many files open."""

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection.

        Returns:
            Its socket, and the address of the client.

        Raises:
            ConnectionAbortedError: it was refused.
        """
        connection, address = super().accept()
        # A file has the lowest number that is free, so a high one says how many are open.
        if connection.fileno() >= most_files() - _SPARE_FILES:
            connection.close()
            raise ConnectionAbortedError
        return connection, address


def serve(host: str = HOST, port: int = PORT, *, ready: Callable[[str], None] = print) -> None:
    """Serve the page and the pictures until Ctrl-C.

    Args:
        host: the address to listen at, and by which browsers may ask; `0.0.0.0` lets everyone in
            the network ask, by any name.
        port: at that address; 0 for any that is free.
        ready: called with the address of the page once it can be opened.

    Raises:
        ParameterError: a library is missing.
        ViewerError: the address cannot be listened at.
    """
    for module in ("starlette", "uvicorn"):
        require_library(module, "serve", _("Servers"))
    with _listening(host, port) as listening:
        # It gets ready to draw while this process imports what it serves with.
        answers = Answers()
        answers.start()
        try:
            import uvicorn

            from juggle_anim.server.app import make_app
            from juggle_anim.server.connections import BoundedConnection

            config = uvicorn.Config(
                make_app(answers, allowed_hosts(host)),
                http=BoundedConnection,
                ws="none",
                loop="asyncio",
                log_level="warning",
                server_header=False,
                timeout_keep_alive=MAX_IDLE,
                backlog=_BACKLOG,
            )
            answers.draw_first()
            # IPv6 addresses have colons, and brackets around them in URLs; port 0 is known by now.
            url_host = f"[{host}]" if ":" in host else host
            _address, bound_port, *_ipv6_fields = listening.getsockname()
            ready(f"http://{url_host}:{bound_port}/")
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            answers.close()


def allowed_hosts(host: str) -> set[str] | None:
    """Return the names by which a server that listens at an address may be asked; None for all."""
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            return None
    return {host.casefold(), "localhost", "127.0.0.1", "::1"}


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; clients wait until the application has started.

    Args:
        host: address of this machine, IPv4, IPv6 or a name.
        port: 0 for any that is free.

    Raises:
        ViewerError: the address cannot be listened at.
    """
    listening = ListeningSocket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    # A port whose last server has just ended can be used at once.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        raise ViewerError(
            _(
                "cannot listen at {host}, port {port}: {error}; use --port 0 for any free port",
                host=host,
                port=port,
                error=error,
            )
        ) from error
    return listening
