"""The addresses of a server: the page, the pictures, the library."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import html
import ipaddress
import json
from collections.abc import AsyncIterator, Collection
from importlib.resources import files
from string import Template
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from juggle_anim.errors import JuggleError
from juggle_anim.language import _, language, pgettext, preferred_language, speaking
from juggle_anim.notation.library import library
from juggle_anim.notation.search import tag_words
from juggle_anim.parameters import ROWS, Choice, Group, Quantity
from juggle_anim.resources import __version__, resource
from juggle_anim.server.answers import Answers, busy
from juggle_anim.server.exchange import FACTS, FIRST, FORMATS, HAND_WIDTH, Answer, Query
from juggle_anim.server.query import QueryTooLongError, asked_language, read_query
from juggle_anim.text_settings import left_out_note

_SITE_FILES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}

_CONTENT_SECURITY_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-src 'self'; base-uri "
    "'none'; form-action 'self'"
)

_CACHE_CONTROL = "public, max-age=3600"

_IPV6_NETWORK_BITS = 64  # of an IPv6 address, that of a household

_SLIDER_GROUPS = (
    Group.BASICS,
    Group.TIMING,
    Group.PROPS,
    Group.HAND_PATH,
    Group.ARMS,
    Group.BODY,
    Group.LOOK,
)

_WITHOUT_SLIDER = (
    "left_wing",
    "right_wing",
    "speed",
    "ghost",
    "trails",
    "paths",
    "aids",
    "stereo",
    "seed",
    "human_loops",
)
"""Parameters without a slider: the player has one, or pages show nothing of them."""


def make_app(answers: Answers | None = None, hosts: Collection[str] | None = None) -> Starlette:
    """Return the application, for any server that speaks ASGI.

    Args:
        answers: with the processes that draw; by default one for each core.
        hosts: names and addresses by which it may be asked, in small letters; None for any.
    """
    answering = answers or Answers()

    # Processes that draw run as long as the server.

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        answering.start()
        try:
            yield
        finally:
            answering.close()

    async def anim(request: Request) -> Response:
        return await _answer_picture(request, answering)

    async def embed(request: Request) -> Response:
        return await _answer_in_format(request, answering, "html")

    async def facts(request: Request) -> Response:
        return await _answer_facts(request, answering)

    routes = [
        Route("/", _page),
        Route("/anim", anim),
        Route("/anim.{ending}", anim),
        Route("/embed", embed),
        Route("/facts", facts),
        Route("/library", _answer_library),
        *(Route(f"/{name}", _site_file) for name in _SITE_FILES),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(InTheirLanguage), Middleware(ForTheseHosts, hosts=hosts)],
        lifespan=lifespan,
        exception_handlers={404: _not_found, 405: _not_found},
    )


class InTheirLanguage:
    """Answers each request in the language that its query asks for by `lang`, or else its browser.

    Args:
        app: that answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of ASGI in its language."""
        # Starting and stopping the server are no requests of HTTP.
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        accepted = ",".join(
            value.decode("latin-1")
            for name, value in scope["headers"]
            if name == b"accept-language"
        )
        asked = asked_language(scope["query_string"].decode("latin-1"))
        with speaking(asked or preferred_language(accepted)):
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
        """Answer one request of ASGI, or refuse it by its header `Host`."""
        if scope["type"] != "http" or self._hosts is None:
            await self._app(scope, receive, send)
            return
        names = {
            host_name(value.decode("latin-1"))
            for name, value in scope["headers"]
            if name == b"host"
        }
        # An empty name is allowed: only programs that are no browsers ask without a host.
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


async def _answer_picture(request: Request, answers: Answers) -> Response:
    """Answer with a picture, or with its address where that is asked for.

    A browser's window that names no format gets a page with the picture.
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
    if isinstance(query, Response):
        return query
    # The format of the query goes before that of the address.
    format_name = query.format or ending or "gif"
    if query.redirect:
        return RedirectResponse(
            query.address(format_name), 302, {"Access-Control-Allow-Origin": "*"}
        )
    if query.format or ending:
        return await _answer_in_format(request, answers, format_name)
    # A browser's window accepts pages; an <img> accepts pictures. Caches have to tell them apart.
    if "text/html" in request.headers.get("accept", ""):
        response = Response(_picture_page(query), 200, _page_headers(), FORMATS["html"])
    else:
        response = await _answer_in_format(request, answers, format_name)
    response.headers["Vary"] = f"Accept, {response.headers['Vary']}"
    return response


async def _answer_facts(request: Request, answers: Answers) -> Response:
    """Answer with facts about a pattern, or with the reason why it is none.

    An invalid pattern is no error of the request: it is answered with `"valid": false`.
    """
    answer = await _answer_in_format(request, answers, FACTS)
    if answer.status_code == 200:
        return _with_notes(answer, _query_or_refusal(request))
    if answer.status_code != 400:
        return answer
    refusal = {"valid": False, "error": bytes(answer.body).decode().strip()}
    return JSONResponse(
        refusal, headers={"Access-Control-Allow-Origin": "*", **_language_headers()}
    )


def _with_notes(answer: Response, query: Query | Response) -> Response:
    """Add to facts a note on each key that was left out of the query."""
    if isinstance(query, Response) or not query.left_out:
        return answer
    facts = {
        **json.loads(bytes(answer.body)),
        "notes": [left_out_note(key) for key in query.left_out],
    }
    headers = {name: value for name, value in answer.headers.items() if name != "content-length"}
    return JSONResponse(facts, headers=headers)


async def _answer_in_format(request: Request, answers: Answers, kind: str) -> Response:
    """Answer a request in one of `FORMATS` or with `FACTS`, unless the client leaves."""
    query = _query_or_refusal(request)
    if isinstance(query, Response):
        return query
    # Fields that do not change the drawing are reset, so that the cache knows equal ones.
    query = dataclasses.replace(query, format=kind, redirect=False, left_out=())
    # Whichever comes first: the answer, or the end of the connection.
    drawing = asyncio.ensure_future(answers.to(query, _client_address(request)))
    leaving = asyncio.ensure_future(_has_left(request))
    try:
        await asyncio.wait({drawing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        # An answer to a client that has left is not sent, whatever it is.
        return _http_response(drawing.result() if drawing.done() else busy())
    finally:
        drawing.cancel()
        leaving.cancel()


async def _has_left(request: Request) -> None:
    """Wait until the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _client_address(request: Request) -> str:
    """Return the address by which a client's requests are counted; empty if it is unknown.

    For IPv6 it is that of the client's network, in which a client has many addresses.
    """
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    # Bits beyond the network are cleared.
    return str(ipaddress.ip_network((address, _IPV6_NETWORK_BITS), strict=False))


def _query_or_refusal(request: Request) -> Query | Response:
    """Return what a request asks for, or the refusal of it."""
    try:
        return read_query(request.scope["query_string"].decode("latin-1"))
    except QueryTooLongError as error:
        return _http_response(Answer.refusal(414, str(error)))
    except JuggleError as error:
        return _http_response(Answer.refusal(400, str(error)))


def _http_response(answer: Answer) -> Response:
    """Return an answer as a response of HTTP, with headers for browsers and caches."""
    # Pages of other sites may show and read the answers.
    headers = {
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
        **_language_headers(),
    }
    if answer.status == 200:
        headers["Cache-Control"] = _CACHE_CONTROL
    if answer.status == 503:
        headers["Retry-After"] = "1"  # s
    return Response(answer.content, answer.status, headers, answer.media)


def _picture_page(query: Query) -> str:
    """Return a page with nothing but a picture."""
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


def _page_headers() -> dict[str, str]:
    """Return the headers of a page, for browsers and caches."""
    return {
        "Content-Security-Policy": _CONTENT_SECURITY_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        **_language_headers(),
    }


async def _page(_request: Request) -> Response:
    return Response(_page_html(), 200, _page_headers(), FORMATS["html"])


async def _site_file(request: Request) -> Response:
    """Answer with a style, a script or the icon of the page."""
    name = request.url.path.rpartition("/")[2]
    content = (
        resource("assets", "icon/juggle-anim.svg").read_text("utf-8")
        if name == "icon.svg"
        else _site_text(name)
    )
    return Response(content, 200, {"Cache-Control": "no-cache"}, _SITE_FILES[name])


async def _answer_library(_request: Request) -> Response:
    headers = {"Cache-Control": _CACHE_CONTROL, **_language_headers()}
    return Response(_library_json(language()), 200, headers, "application/json")


@functools.cache
def _library_json(_code: str) -> bytes:
    """Return all patterns of the library as JSON in the present language, sorted for browsing.

    Args:
        _code: code of the present language, which only distinguishes cached results.
    """
    rows = [
        {
            "name": pattern.name,
            "pattern": pattern.siteswap,
            "props": pattern.props,
            "jugglers": pattern.jugglers,
            "difficulty": pattern.difficulty,
            "about": pattern.shown_description,
            "description": pattern.description,
            # All words by which the page finds the pattern.
            "words": " ".join(
                (
                    *pattern.names,
                    *pattern.tags,
                    *map(tag_words, pattern.tags),
                    f"{pattern.props} {_('balls')}",
                )
            ),
            "settings": {
                "pattern": pattern.siteswap,
                **dict(pattern.settings),
                "title": pattern.name,
            },
        }
        for pattern in sorted(
            library(), key=lambda pattern: (pattern.jugglers, pattern.props, pattern.difficulty)
        )
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


async def _not_found(request: Request, error: Exception) -> Response:
    """Answer a request to an unknown address (404) or by another method than GET (405)."""
    status = getattr(error, "status_code", 404)
    reason = (
        _("this server only answers GET")
        if status == 405
        else _("there is nothing at this address; / is the page")
    )
    return _http_response(Answer.refusal(status, reason))


def _page_html() -> str:
    """Return the text of the page in the present language.

    It is filled in with words, and with data for its script: the first pattern and the sliders.
    """
    rows = sorted(
        (row for row in ROWS if _has_slider(row)), key=lambda row: _SLIDER_GROUPS.index(row.group)
    )
    script_data = json.dumps(
        {"first": FIRST, "sliders": [_slider(row) for row in rows], "words": _words_of_scripts()}
    )
    words = {name: html.escape(text) for name, text in _words().items()}
    # A script's data must not contain its end tag, so that < is written as an escape.
    return Template(_site_text("index.html")).substitute(
        words,
        given=script_data.replace("<", "\\u003c"),
        version=__version__,
        language=language(),
    )


def _site_text(name: str) -> str:
    """Return the text of a file of the page."""
    return (files(__package__) / "site" / name).read_text(encoding="utf-8")


def _words() -> dict[str, str]:
    """Return the words of the page itself."""
    return {
        "animation": _("The animation"),
        "copy": _("Copy"),
        "files": _("Files"),
        "juggle": _("Juggle"),
        "library": _("Library"),
        "link": _("A link that holds everything"),
        "no_script": _("This page needs JavaScript."),
        "pattern": _("Pattern"),
        "search": _("Search the library"),
        "search_example": _("Search 5 balls, shower, passing …"),
        "share": _("Share"),
        "sliders": _("Sliders"),
        "tag": _("A tag for your own page"),
    }


def _words_of_scripts() -> dict[str, str]:
    """Return the words that the page's script shows; it fills in names in braces."""
    return {
        "automatic": _("auto"),
        "copied": _("Copied"),
        "copy": _("Copy"),
        "juggled": _("{title}, juggled in 3D"),
        "juggling": _("Juggling"),
        "ladder": _("Ladder (SVG)"),
        "level": _("level {number}"),
        "people": _("{props} / {jugglers} people"),
    }


def _has_slider(row: Quantity | Choice) -> bool:
    return row.group in _SLIDER_GROUPS and row.name not in _WITHOUT_SLIDER


def _slider(row: Quantity | Choice) -> dict[str, Any]:
    """Return what the page needs to show a parameter: a slider, or the options of a choice."""
    about = {
        # In addresses `width` is that of the picture, so the hands' has another key.
        "key": HAND_WIDTH if row.key == "width" else row.key,
        "label": row.label,
        "help": row.help,
        "group": _(row.group.value),
        "default": row.default,
    }
    if isinstance(row, Choice):
        return {**about, "options": {option: pgettext("choice", option) for option in row.options}}
    low, high = row.slider[0], row.slider[1]
    return {**about, "low": low, "high": high, "step": row.step, "unit": _(row.unit)}
