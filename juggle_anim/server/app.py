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

_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-src 'self'; base-uri "
    "'none'; form-action 'self'"
)

_CACHE_CONTROL = "public, max-age=3600"

_NETWORK_BITS = 64  # of an IPv6 address, that of a household

_GROUPS = (
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

    routes = [
        Route("/", _page),
        Route("/anim", anim),
        Route("/anim.{ending}", anim),
        Route("/embed", embed),
        Route("/facts", facts),
        Route("/library", _library),
        *(Route(f"/{name}", _site_file) for name in _SITE_FILES),
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
    if isinstance(query, Response):
        return query
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
        response = _html_response(_picture_page(query))
    else:
        response = await _drawn_response(request, answers, kind)
    response.headers["Vary"] = f"Accept, {response.headers['Vary']}"
    return response


async def _facts(request: Request, answers: Answers) -> Response:
    """Answer with facts about a pattern, or with the reason why it is none, as JSON."""
    answer = await _drawn_response(request, answers, FACTS)
    if answer.status_code == 200:
        return _with_notes(answer, _query_or_refusal(request))
    # 400 is a pattern that is none; other refusals, such as of a busy server, stay as they are.
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


async def _drawn_response(request: Request, answers: Answers, kind: str) -> Response:
    """Answer a request in one of `FORMATS` or with `FACTS`, unless the client leaves.

    Args:
        request: its query says what to draw.
        answers: draws it.
        kind: a key of `FORMATS`, or `FACTS`.
    """
    query = _query_or_refusal(request)
    if isinstance(query, Response):
        return query
    # Without what does not change the drawing, so that equal drawings are equal queries.
    query = dataclasses.replace(query, format=kind, redirect=False, left_out=())
    # Whichever comes first: the answer, or the end of the connection.
    drawing = asyncio.ensure_future(answers.to(query, _client_address(request)))
    leaving = asyncio.ensure_future(_has_left(request))
    try:
        await asyncio.wait({drawing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        # An answer to a client that has left is not sent.
        return _http_response(drawing.result() if drawing.done() else busy())
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


def _query_or_refusal(request: Request) -> Query | Response:
    """Return what a request asks for, or the refusal of it."""
    try:
        return read_query(request.scope["query_string"].decode("latin-1"))
    except QueryTooLongError as error:
        return _http_response(Answer.refusal(414, str(error)))
    except JuggleError as error:
        return _http_response(Answer.refusal(400, str(error)))


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


def _html_response(page: str) -> Response:
    """Return a page as an HTTP response, with headers for browsers and caches."""
    headers = {
        "Content-Security-Policy": _POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        **_language_headers(),
    }
    return Response(page, headers=headers, media_type=FORMATS["html"])


async def _page(_request: Request) -> Response:
    return _html_response(_page_html())


async def _site_file(request: Request) -> Response:
    """Answer with a style, a script or the icon of the page."""
    name = request.url.path.rpartition("/")[2]
    content = (
        resource("assets", "icon/juggle-anim.svg").read_text("utf-8")
        if name == "icon.svg"
        else _site_text(name)
    )
    return Response(content, headers={"Cache-Control": "no-cache"}, media_type=_SITE_FILES[name])


async def _library(_request: Request) -> Response:
    headers = {"Cache-Control": _CACHE_CONTROL, **_language_headers()}
    return Response(_library_json(language()), headers=headers, media_type="application/json")


@functools.cache
def _library_json(_code: str) -> bytes:
    """Return all patterns of the library in the present language, as JSON; cached.

    Args:
        _code: of that language, by which results are kept.
    """
    # `words` are what the page's search looks through; sorted by jugglers, props and difficulty.
    rows = [
        {
            "name": pattern.name,
            "pattern": pattern.siteswap,
            "props": pattern.props,
            "jugglers": pattern.jugglers,
            "difficulty": pattern.difficulty,
            "about": pattern.shown_description,
            "description": pattern.description,
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


async def _refuse_unknown(request: Request, error: Exception) -> Response:
    """Refuse a request to an unknown address (404), or by another method than GET (405)."""
    status = getattr(error, "status_code", 404)
    reason = _("this server only answers GET") if status == 405 else _("page not found; go to /")
    return _http_response(Answer.refusal(status, reason))


def _page_html() -> str:
    """Return the text of the page in the present language, with data for its script."""
    rows = sorted(
        (row for row in ROWS if _has_slider(row)), key=lambda row: _GROUPS.index(row.group)
    )
    script_data = json.dumps(
        {"first": FIRST, "sliders": [_slider(row) for row in rows], "words": _script_words()}
    )
    words = {name: html.escape(text) for name, text in _page_words().items()}
    # A script's data must not contain its end tag, so `<` is written as JSON can, too.
    return Template(_site_text("index.html")).substitute(
        words, given=script_data.replace("<", "\\u003c"), version=__version__, language=language()
    )


def _site_text(name: str) -> str:
    """Return the text of a file of the page."""
    return (files(__package__) / "site" / name).read_text(encoding="utf-8")


def _page_words() -> dict[str, str]:
    """Return the words of the page itself."""
    return {
        "animation": _("The animation"),
        "copy": _("Copy"),
        "files": _("Files"),
        "juggle": _("Juggle"),
        "library": _("Library"),
        "link": _("Link with all settings"),
        "no_script": _("This page needs JavaScript."),
        "pattern": _("Pattern"),
        "search": _("Search the library"),
        "search_example": _("Search 5 balls, shower, passing …"),
        "share": _("Share"),
        "sliders": _("Settings"),
        "tag": _("Embed code for your page"),
    }


def _script_words() -> dict[str, str]:
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
    return row.group in _GROUPS and row.name not in _WITHOUT_SLIDER


def _slider(row: Quantity | Choice) -> dict[str, Any]:
    """Return what the page needs to show a parameter: a choice of options, or a slider.

    Args:
        row: of the table of parameters.
    """
    # The width of hands has another key here, since `width` is that of the picture.
    about = {
        "key": HAND_WIDTH if row.key == "width" else row.key,
        "label": row.label,
        "help": row.help,
        "group": _(row.group.value),
        "default": row.default,
    }
    if isinstance(row, Choice):
        return {**about, "options": {option: pgettext("choice", option) for option in row.options}}
    return {
        **about,
        "low": row.slider[0],
        "high": row.slider[1],
        "step": row.step,
        "unit": _(row.unit),
    }
