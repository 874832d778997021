"""The addresses of a server: the page, the pictures, the library."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import html
import ipaddress
from collections.abc import AsyncIterator, Collection

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from juggle_anim.errors import ParameterError
from juggle_anim.language import _, language, preferred_language, speaking
from juggle_anim.server.answers import Answers, busy
from juggle_anim.server.exchange import FACTS, FORMATS, MAX_SENT, SENT, TOLD, Answer, Query
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
    asked_words,
    query_or_refusal,
    sent_query,
    told_facts,
)

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
        answers: with the processes that draw; by default one for each core.
        hosts: names and addresses by which it may be asked, in small letters; None for any.
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

    async def anim(request: Request) -> Response:
        return await _anim(request, answering)

    async def embed(request: Request) -> Response:
        return await _drawn_response(request, answering, "html")

    async def facts(request: Request) -> Response:
        return await _facts(request, answering)

    async def told(request: Request) -> Response:
        return await _drawn_response(request, answering, request.url.path[1:])

    async def sent(request: Request) -> Response:
        return await _sent(request, answering)

    routes = [
        Route("/", _page),
        Route("/anim", anim),
        Route("/anim.{ending}", anim),
        Route("/embed", embed),
        Route("/facts", facts),
        *(Route(f"/{name}", told) for name in TOLD if name != FACTS),
        *(Route(f"/{name}", sent, methods=["POST"]) for name in SENT),
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
        app: that answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; arguments as of any ASGI application."""
        # Such as the start and the end of the application.
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
        app: that answers.
        hosts: as of `make_app`.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it; arguments as of any ASGI application."""
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
            "browsers ask for"
        )
        await _http_response(Answer.refusal(400, message))(scope, receive, send)


def host_name(text: str) -> str:
    """Return the name or address in a header `Host`, in small letters, without a port."""
    address, bracket, _port = text.strip().casefold().partition("]")
    return address.removeprefix("[") if bracket else address.partition(":")[0].removesuffix(".")


async def _anim(request: Request, answers: Answers) -> Response:
    """Answer with a picture, or redirect to its address where that is asked for.

    A browser's window that names no format gets a page with the picture.

    Args:
        request: for `/anim` or `/anim.{ending}`.
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
    """Answer with the patterns of a file that is sent, or with a file of patterns that are."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MAX_SENT:
            break
    query = sent_query(
        request.url.path[1:], request.scope["query_string"].decode("latin-1"), content
    )
    if isinstance(query, Answer):
        return _http_response(query)
    return _http_response(await answers.to(query, _client_address(request)))


async def _drawn_response(request: Request, answers: Answers, kind: str) -> Response:
    """Answer a request in one of `FORMATS` or or one of `TOLD`, unless the client leaves.

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
        request: whose client it is.
        query: what to draw.
        answers: draws it.
        kind: a key of `FORMATS`, or one of `TOLD`.
    """
    # Without what does not change the drawing, so that equal drawings are equal queries.
    query = dataclasses.replace(query, format=kind, redirect=False, left_out=())
    # Whichever comes first: the answer, or the end of the connection.
    drawing = asyncio.ensure_future(answers.to(query, _client_address(request)))
    leaving = asyncio.ensure_future(_has_left(request))
    try:
        await asyncio.wait({drawing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        # An answer to a client that has left is not sent.
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

    Pages of other sites may read it; it is cached if it is right, and a client that was refused as
    the server is busy may ask again after a second.
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
        query: of the picture; its settings are the title.
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
        page: in HTML.
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
    names = found_names(asked_words(request.scope["query_string"].decode("latin-1")))
    return Response(names, headers=_language_headers(), media_type="application/json")


async def _qr(request: Request) -> Response:
    """Answer with a QR code of some words, such as a link."""
    try:
        content = qr_code(asked_words(request.scope["query_string"].decode("latin-1")))
    except ParameterError as error:
        return _http_response(Answer.refusal(400, str(error)))
    return Response(content, media_type="application/json")


async def _refuse_unknown(request: Request, error: Exception) -> Response:
    """Refuse a request to an unknown address (404), or by another method than GET (405)."""
    status = getattr(error, "status_code", 404)
    reason = _("this server only answers GET") if status == 405 else _("page not found; go to /")
    return _http_response(Answer.refusal(status, reason))
