"""Small JIF documents, and the ways that tests go through them."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
from paths import DATA

from juggle_anim.errors import FileError
from juggle_anim.notation.jif import read_jif, write_jif
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import Settings

SCHEMA = jsonschema.Draft202012Validator(json.loads((DATA / "jif_schema.json").read_text()))
"""Which members a document may have, and of which type."""


def throw(time: float, duration: float, start: float, to: float, **others: Any) -> dict[str, Any]:
    return {"time": time, "duration": duration, "from": start, "to": to, **others}


def cascade(**others: Any) -> dict[str, Any]:
    """Three props, a throw and its mirror image."""
    return {
        "throws": [throw(0, 3, 0, 1)],
        "repetition": {"period": 1, "limbPermutation": [1, 0]},
        **others,
    }


def read(document: dict[str, Any] | str) -> Settings:
    text = document if isinstance(document, str) else json.dumps(document)
    listed = read_jif(text, "some.jif")
    assert listed.single
    (entry,) = listed.entries
    assert entry.settings is not None
    return entry.settings


def write(settings: Settings) -> dict[str, Any]:
    """The document of a score, which follows the schema."""
    document = json.loads(
        write_jif(PatternList((Entry(settings.score.name, settings),), single=True))
    )
    SCHEMA.validate(document)
    return dict(document)


def refusal(document: dict[str, Any] | str) -> str:
    """What a document is refused with, less the name of the file; empty where it is read."""
    message = ""
    try:
        read(document)
    except FileError as error:
        message = str(error)
    assert not message or message.startswith("some.jif: ")
    return message.removeprefix("some.jif: ")
