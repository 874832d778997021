"""Serving: the application on a port of this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable

from juggle_anim.errors import ViewerError, require_library
from juggle_anim.server.limits import MAX_IDLE

HOST, PORT = "127.0.0.1", 8000
"""Where a server listens if nothing is said: nobody but this machine can ask it."""


def serve(host: str = HOST, port: int = PORT, *, ready: Callable[[str], None] = print) -> None:
    """Serve the page and the pictures until Ctrl-C.

    Args:
        host: the address to listen at; `0.0.0.0` lets everyone in the network ask.
        port: at that address; 0 for any that is free.
        ready: called with the address of the page once it can be opened.

    Raises:
        ParameterError: a library is missing.
        ViewerError: the address cannot be listened at.
    """
    for module in ("starlette", "uvicorn"):
        require_library(module, "serve", "Servers")
    import uvicorn

    from juggle_anim.server.app import make_app

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise ViewerError(f"cannot listen at {host}, port {port}: {error}; --port 0 takes any that is free") from error
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{listening.getsockname()[1]}/")
    config = uvicorn.Config(
        make_app(), log_level="warning", server_header=False, timeout_keep_alive=MAX_IDLE, backlog=512
    )
    with listening:
        uvicorn.Server(config).run(sockets=[listening])
