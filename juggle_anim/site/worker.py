"""What answers in a browser, by the same functions as a server: queries that the page asks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from juggle_anim.errors import JuggleError
from juggle_anim.language import speaking
from juggle_anim.server.drawing import draw
from juggle_anim.server.exchange import FACTS, SENT, Answer, Query
from juggle_anim.server.query import (
    asked_language,
    asked_words,
    query_or_refusal,
    sent_query,
    told_facts,
)


def answer(path: str, text: str, code: str, content: bytes = b"") -> tuple[int, bytes]:
    """Return the answer to a query.

    Args:
        path: what is asked: a key of `_ANSWERS`, one of `TOLD`, or `anim.` with the ending of a
            file.
        text: the query, as it stands behind the `?` of an address.
        code: of the language of the page.
        content: that is sent along, where the path is one of `SENT`.

    Returns:
        The status of HTTP, and the content or a message.
    """
    with speaking(asked_language(text) or code):
        if path in SENT:
            query = sent_query(path, text, content)
            answer = query if isinstance(query, Answer) else draw(query)
            return answer.status, answer.content
        answer = _ANSWERS.get(path, _file)(path, text)
        return answer.status, answer.content


def _facts(_path: str, text: str) -> Answer:
    query = query_or_refusal(text)
    if isinstance(query, Answer):
        return told_facts(query)
    return told_facts(_drawn(query, FACTS), query.left_out)


def _search(_path: str, text: str) -> Answer:
    # Imported here, as the search loads the library, and most visits want neither.
    from juggle_anim.server.page import found_names

    return Answer(200, "application/json", found_names(asked_words(text)))


def _qr(_path: str, text: str) -> Answer:
    # Imported here, as most visits want none.
    from juggle_anim.server.page import qr_code

    try:
        return Answer(200, "application/json", qr_code(asked_words(text)))
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
    FACTS: _facts,
    "search": _search,
    "qr": _qr,
}
