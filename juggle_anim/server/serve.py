"""Serving: the application on a port of this machine.

The addresses of a server: the page, the pictures, the library.

Connections to a server: slow ones are closed, and there are never too many.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import html
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Collection
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from juggle_anim.errors import ParameterError, ViewerError, require_library
from juggle_anim.language import _, language, preferred_language, speaking
from juggle_anim.server.answers import Answers, busy
from juggle_anim.server.exchange import (
    FACTS,
    FORMATS,
    MAX_IDLE,
    MAX_REQUEST_SECONDS,
    MAX_SENT,
    SENT,
    TOLD,
    Answer,
    Query,
    most_connections,
    most_files,
)
from juggle_anim.server.page import (
    SERVER_POLICY,
    SITE_FILES,
    found_names,
    library_json,
    page_html,
    qr_code,
    site_file,
)
from juggle_anim.server.query import (
    asked_language,
    query_or_refusal,
    query_value,
    sent_query,
    told_facts,
)

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
        # The system gives a new file the lowest free number, so a high number tells that many are
        # open.
        # `_SPARE_FILES` descriptors are kept for other files.
        if connection.fileno() >= most_files() - _SPARE_FILES:
            connection.close()
            raise ConnectionAbortedError
        return connection, address


def serve(host: str = HOST, port: int = PORT, *, ready: Callable[[str], None] = print) -> None:
    """Serve the page and the pictures until Ctrl-C.

    Args:
        host: the address to listen at, and by which browsers may ask; `0.0.0.0` lets everyone in
            the network ask, by any name.
        port: port at that address; 0 for any that is free.
        ready: called with the address of the page once it can be opened.

    Raises:
        ParameterError: a library is missing.
        ViewerError: the address cannot be listened at.
    """
    for module in ("starlette", "uvicorn"):
        require_library(module, "serve", _("Servers"))
    with _listening(host, port) as listening:
        # The processes that draw get ready while this one imports the server.
        answers = Answers()
        answers.start()
        try:
            import uvicorn

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


_MEDIA = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}

_PICTURE_POLICY = (
    "default-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
"""Of a page with nothing but a picture."""

_CACHE_CONTROL = "public, max-age=3600"

_NETWORK_BITS = 64  # of an IPv6 address, that of a household


def make_app(answers: Answers | None = None, hosts: Collection[str] | None = None) -> Starlette:
    """Return the application, for any server that speaks ASGI.

    Args:
        answers: the answers with the processes that draw; by default one for each core.
        hosts: allowed names and addresses of this host in requests, in lower case; None for any.
    """
    answering = answers or Answers()

    # Processes that draw live as long as the application.
    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        answering.start()
        try:
            yield
        finally:
            answering.close()

    anim = partial(_anim, answers=answering)
    routes = [
        Route("/", _page),
        Route("/anim", anim),
        Route("/anim.{ending}", anim),
        Route("/embed", partial(_drawn_response, answers=answering, kind="html")),
        Route("/facts", partial(_facts, answers=answering)),
        *(
            Route(f"/{kind}", partial(_drawn_response, answers=answering, kind=kind))
            for kind in TOLD
            if kind != FACTS
        ),
        *(Route(f"/{kind}", partial(_sent, answers=answering), methods=["POST"]) for kind in SENT),
        Route("/library", _library),
        Route("/search", _search),
        Route("/qr", _qr),
        *(Route(f"/{name}", _site_file) for name in SITE_FILES),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(InTheirLanguage), Middleware(ForTheseHosts, hosts=hosts)],
        lifespan=lifespan,
        exception_handlers={404: _refuse_unknown, 405: _refuse_unknown},
    )


class InTheirLanguage:
    """Answers each request in the language that its query asks for by `lang`, or else its browser.

    Args:
        app: app that answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; arguments as of any ASGI application."""
        # Other messages, such as of the start and the end of the application, need no language.
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # A header may come in several lines; HTTP's headers are in Latin-1.
        accepted_languages = ",".join(
            value.decode("latin-1")
            for name, value in scope["headers"]
            if name == b"accept-language"
        )
        query_language = asked_language(scope["query_string"].decode("latin-1"))
        with speaking(query_language or preferred_language(accepted_languages)):
            await self._app(scope, receive, send)


class ForTheseHosts:
    """Refuses requests to other hosts, against DNS rebinding.

    A page whose name was pointed to this machine must not read from it.

    Args:
        app: app that answers.
        hosts: as of `make_app`.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it if it names a host that this server does not answer to.

        This protects against DNS rebinding: a site that gives its own name the address of this
        server could otherwise read the answers as its own.

        Args:
            scope, receive, send: as of any ASGI application.
        """
        if scope["type"] != "http" or self._hosts is None:
            await self._app(scope, receive, send)
            return
        names = {
            host_name(value.decode("latin-1"))
            for name, value in scope["headers"]
            if name == b"host"
        }
        # Only programs that are no browsers ask without a host.
        if names.issubset({"", *self._hosts}):
            await self._app(scope, receive, send)
            return
        message = _(
            "this server does not answer to this name; start it with --host and the address that "
            "browsers use"
        )
        await _http_response(Answer.refusal(400, message))(scope, receive, send)


def host_name(text: str) -> str:
    """Return the name or address in a header `Host`, in lower case, without a port."""
    address, bracket, _port = text.strip().casefold().partition("]")
    return address.removeprefix("[") if bracket else address.partition(":")[0].removesuffix(".")


async def _anim(request: Request, answers: Answers) -> Response:
    """Answer with a picture, or redirect to its address where that is requested.

    A browser's window that names no format gets a page with the picture.

    Args:
        request: request for `/anim` or `/anim.{ending}`.
        answers: draws the picture.
    """
    ending = request.path_params.get("ending", "")
    if ending and ending not in FORMATS:
        return _http_response(
            Answer.refusal(
                404,
                _(
                    "there is no anim.{ending}; there are {names}",
                    ending=ending,
                    names=", ".join(FORMATS),
                ),
            )
        )
    query = _query_or_refusal(request)
    if isinstance(query, Answer):
        return _http_response(query)
    # A format in the query comes before the ending of the address.
    kind = query.format or ending or "gif"
    if query.redirect:
        return RedirectResponse(
            query.address(kind), status_code=302, headers={"Access-Control-Allow-Origin": "*"}
        )
    if query.format or ending:
        return await _drawn_response(request, answers, kind)
    # Browsers accept HTML in a window, but not in a picture on a page; caches must know that.
    if "text/html" in request.headers.get("accept", ""):
        response = _html_response(_picture_page(query), _PICTURE_POLICY)
    else:
        response = await _drawn_response(request, answers, kind)
    response.headers["Vary"] = f"Accept, {response.headers['Vary']}"
    return response


async def _facts(request: Request, answers: Answers) -> Response:
    """Answer with facts about a pattern, or with the reason why it is none, as JSON."""
    query = _query_or_refusal(request)
    if isinstance(query, Answer):
        return _http_response(told_facts(query))
    answer = await _answer(request, query, answers, FACTS)
    return _http_response(told_facts(answer, query.left_out))


async def _sent(request: Request, answers: Answers) -> Response:
    """Answer a request that sends a file, with its patterns, or patterns, with a file of them.

    Args:
        request: its path says which; the body is the file or the patterns.
        answers: draws or reads in another process.
    """
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MAX_SENT:
            # `sent_query` refuses what is longer.
            break
    query = sent_query(
        request.url.path[1:], request.scope["query_string"].decode("latin-1"), content
    )
    if isinstance(query, Answer):
        return _http_response(query)
    return _http_response(await answers.to(query, _client_address(request)))


async def _drawn_response(request: Request, answers: Answers, kind: str) -> Response:
    """Answer a request in one of `FORMATS`, or one of `TOLD`, unless the client leaves.

    Args:
        request: its query says what to draw.
        answers: draws it.
        kind: a key of `FORMATS`, or one of `TOLD`.
    """
    query = _query_or_refusal(request)
    if isinstance(query, Answer):
        return _http_response(query)
    return _http_response(await _answer(request, query, answers, kind))


async def _answer(request: Request, query: Query, answers: Answers, kind: str) -> Answer:
    """Return the answer to a query, unless the client leaves.

    Args:
        request: request whose client it is.
        query: what to draw.
        answers: draws the picture, or finds what is asked.
        kind: a key of `FORMATS`, or one of `TOLD`.

    Returns:
        The answer; one that says that the server is busy if the client has left, which nobody
        reads.
    """
    # Reset the fields that do not change the drawing, so that equal drawings are equal queries.
    query = dataclasses.replace(query, format=kind, redirect=False, left_out=())
    # Whichever comes first: the answer, or the end of the connection.
    drawing = asyncio.ensure_future(answers.to(query, _client_address(request)))
    leaving = asyncio.ensure_future(_has_left(request))
    try:
        await asyncio.wait({drawing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        # The answer to a client that has left is not sent, so any will do.
        return drawing.result() if drawing.done() else busy()
    finally:
        drawing.cancel()
        leaving.cancel()


async def _has_left(request: Request) -> None:
    """Wait until the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _client_address(request: Request) -> str:
    """Return the address of a client; for IPv6 that of its network, in which it has many."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # not an address, as in tests
        return host
    if address.version == 4:
        return host
    return str(ipaddress.ip_network((address, _NETWORK_BITS), strict=False))


def _query_or_refusal(request: Request) -> Query | Answer:
    """Return what a request asks for, or the refusal of it."""
    return query_or_refusal(request.scope["query_string"].decode("latin-1"))


def _http_response(answer: Answer) -> Response:
    """Return an answer as an HTTP response, with headers for browsers and caches.

    Pages of other sites may read it. Only an answer of status 200 is cached, and a client that was
    refused because the server is busy (503) is told to ask again after a second.

    Args:
        answer: status, content and its type.
    """
    headers = {
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
        **_language_headers(),
    }
    if answer.status == 200:
        headers["Cache-Control"] = _CACHE_CONTROL
    if answer.status == 503:
        headers["Retry-After"] = "1"
    return Response(
        answer.content, status_code=answer.status, headers=headers, media_type=answer.media
    )


def _picture_page(query: Query) -> str:
    """Return a page with nothing but a picture, as HTML.

    Args:
        query: query of the picture; its settings are the title.
    """
    address = html.escape(query.address("gif"))
    width, height = query.size
    title = html.escape(query.settings)
    return (
        f'<!doctype html>\n<html lang="{language()}"><meta charset="utf-8"><title>{title}</title>\n'
        '<link rel="icon" href="icon.svg">\n'
        f'<body style="margin:0"><img src="{address}" width="{width}" height="{height}" '
        f'alt="{title}"></body></html>\n'
    )


def _language_headers() -> dict[str, str]:
    """Return the headers of an answer with words, for caches."""
    return {"Content-Language": language(), "Vary": "Accept-Language"}


def _html_response(page: str, policy: str) -> Response:
    """Return a page as an HTTP response, with headers for browsers and caches.

    Args:
        page: page in HTML.
        policy: what it may load and run.
    """
    headers = {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        **_language_headers(),
    }
    return Response(page, headers=headers, media_type=FORMATS["html"])


async def _page(_request: Request) -> Response:
    return _html_response(page_html(), SERVER_POLICY)


async def _site_file(request: Request) -> Response:
    """Answer with a file of the page."""
    name = request.url.path.rpartition("/")[2]
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    media = _MEDIA[name.rpartition(".")[2]]
    return Response(site_file(name), headers=headers, media_type=media)


async def _library(_request: Request) -> Response:
    headers = {"Cache-Control": _CACHE_CONTROL, **_language_headers()}
    return Response(library_json(language()), headers=headers, media_type="application/json")


async def _search(request: Request) -> Response:
    """Answer with the names of patterns that fit some words."""
    names = found_names(query_value(request.scope["query_string"].decode("latin-1"), "words"))
    return Response(names, headers=_language_headers(), media_type="application/json")


async def _qr(request: Request) -> Response:
    """Answer with a QR code of some words, such as a link."""
    try:
        content = qr_code(query_value(request.scope["query_string"].decode("latin-1"), "words"))
    except ParameterError as error:
        return _http_response(Answer.refusal(400, str(error)))
    return Response(content, media_type="application/json")


async def _refuse_unknown(request: Request, error: Exception) -> Response:
    """Refuse a request to an unknown address (404), or by another method than GET (405)."""
    status = getattr(error, "status_code", 404)
    reason = _("this server only answers GET") if status == 405 else _("page not found; go to /")
    return _http_response(Answer.refusal(status, reason))


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
        """Start to wait for a request, and close another connection if there are too many.

        Args:
            transport: transport of this connection, which the server has just accepted.
        """
        super().connection_made(transport)
        self._request_deadline.begin(self.request_seconds, transport)
        # `connections` has all open connections, and this one. If they are too many, the one that
        # has waited longest without a request is cut off at once. This one waits, too, so there is
        # always one that can be closed.
        if len(self.connections) > most_connections():
            waiting = [
                connection
                for connection in self.connections
                if isinstance(connection, BoundedConnection) and connection.waits
            ]
            longest_waiting = min(waiting, key=lambda connection: connection._waits_since)
            longest_waiting.transport.abort()
            self.connections.discard(longest_waiting)

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
