"""What answers in a browser, by the same functions as a server: queries that the page asks.

A GIF of pictures that a browser has drawn.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from juggle_anim.errors import JuggleError
from juggle_anim.language import speaking
from juggle_anim.server.drawing import draw
from juggle_anim.server.exchange import CURVES, DRAFT, FACTS, SENT, Answer, Query
from juggle_anim.server.query import (
    asked_language,
    query_or_refusal,
    query_value,
    sent_query,
    told_facts,
)

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


def answer(path: str, text: str, code: str, content: bytes = b"") -> tuple[int, bytes]:
    """Return the answer to a query of the page, which Python in the browser computes.

    Args:
        path: what is asked: a key of `_ANSWERS`, one of `TOLD`, or `anim.` with the ending of a
            file.
        text: the query, as it stands behind the `?` of an address.
        code: code of the language of the page; a language in the query has precedence.
        content: what is sent along, if the path is one of `SENT`.

    Returns:
        The status as of HTTP, and the content or, of a refusal, a message.
    """
    with speaking(asked_language(text) or code):
        if path in SENT:
            query = sent_query(path, text, content)
            reply = query if isinstance(query, Answer) else draw(query)
        else:
            reply = _ANSWERS.get(path, _file)(path, text)
        return reply.status, reply.content


def _shown(path: str, text: str) -> Answer:
    """Answer with the "facts" of a pattern and its "curves", the motion that the player shows.

    For a text that is not a valid pattern the facts say why, with status 200, and "curves" is null.
    Other refusals are returned as they are.

    Args:
        path: `DRAFT` for curves with bodies that are not planned, which are computed much sooner.
        text: the query, as it stands behind the `?` of an address.
    """
    query = query_or_refusal(text)
    if isinstance(query, Answer):
        facts = told_facts(query)
        curves = _NONE
    else:
        reply = _drawn(query, FACTS)
        facts = told_facts(reply, query.left_out)
        curves = _drawn(query, DRAFT if path == DRAFT else CURVES) if reply.status == 200 else _NONE
    for part in (facts, curves):
        if part.status != 200:
            return part
    content = b'{"facts":%b,"curves":%b}' % (facts.content, curves.content)
    return Answer(200, "application/json", content)


_NONE = Answer(200, "application/json", b"null")


def _search(_path: str, text: str) -> Answer:
    # Imported here, as the search loads the library, and most visits want neither.
    from juggle_anim.server.page import found_names

    return Answer(200, "application/json", found_names(query_value(text, "words")))


def _qr(_path: str, text: str) -> Answer:
    # Imported here, as most visits want none.
    from juggle_anim.server.page import qr_code

    try:
        return Answer(200, "application/json", qr_code(query_value(text, "words")))
    except JuggleError as error:
        return Answer.refusal(400, str(error))


def _file(path: str, text: str) -> Answer:
    query = query_or_refusal(text)
    if isinstance(query, Answer):
        return query
    return _drawn(query, path.rpartition(".")[2])


def _drawn(query: Query, kind: str) -> Answer:
    return draw(dataclasses.replace(query, format=kind, redirect=False, left_out=()))


_ANSWERS: dict[str, Callable[[str, str], Answer]] = {
    "shown": _shown,
    DRAFT: _shown,
    "search": _search,
    "qr": _qr,
}


EXERCISES = (
    "pattern=51",
    "pattern=7531",
    "pattern=97531;prop=club",
    "pattern=<3p|3p>",
    "pattern=(6x,4)*",
    "pattern=[34]1",
    "pattern=744;prop=ring",
    "pattern=db97531",
)
"""Queries of patterns of every kind, which together run what most patterns need."""

_SAMPLES = 8  # pictures whose colours are those of all
_COLOURS = 256  # of a GIF


def gif(pixels: bytes, width: int, height: int, fps: float, comment: str) -> bytes:
    """Return a GIF that repeats for ever.

    Args:
        pixels: the pixels of all pictures, one picture after another: red, green, blue and opacity
            of each pixel, a byte each, the top row first.
        width, height: [pixels].
        fps: [pictures/s].
        comment: text for the file to carry.
    """
    from PIL import Image

    size = width, height
    picture_bytes = 4 * width * height

    def pictures(step: int) -> Iterator[Picture]:
        """Yield every `step`-th picture, without its opacity."""
        for start in range(0, len(pixels), step * picture_bytes):
            picture = Image.frombytes("RGBA", size, pixels[start : start + picture_bytes])
            yield picture.convert("RGB")

    # One palette for all pictures, so that still parts do not flicker: that of a mosaic of about
    # `_SAMPLES` of them, one below another.
    samples = list(pictures(max(1, len(pixels) // picture_bytes // _SAMPLES)))
    mosaic = Image.new("RGB", (width, height * len(samples)))
    for number, picture in enumerate(samples):
        mosaic.paste(picture, (0, number * height))
    palette = Image.new("P", (1, 1))
    # Half of the colours are chosen by area (median cut), so that walls have no bands, and half by
    # variety (octree), so that props, which are small, get colours of their own.
    levels: list[int] = []
    for method in (Image.Quantize.MEDIANCUT, Image.Quantize.FASTOCTREE):
        levels += mosaic.quantize(_COLOURS // 2, method=method).getpalette() or []
    palette.putpalette(levels)
    first, *following = [
        picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures(1)
    ]
    packed = io.BytesIO()
    first.save(
        packed,
        "GIF",
        save_all=True,
        append_images=following,
        duration=1000 / fps,
        loop=0,
        comment=comment.encode(),
    )
    return packed.getvalue()
