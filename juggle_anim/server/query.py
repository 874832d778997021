"""Queries read from the address of a picture, in the words of Juggling Lab's GIF server and in
ours.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar
from urllib.parse import unquote_plus

from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.language import LANGUAGES, _, known_language, language
from juggle_anim.notation.settings.syntax import escaped
from juggle_anim.parameters import ROWS
from juggle_anim.server.exchange import (
    DEFAULT_SIZE,
    FORMATS,
    HAND_WIDTH,
    MAX_EDGE,
    MAX_FPS,
    MAX_QUERY,
    MIN_EDGE,
    Query,
)
from juggle_anim.text_settings import FOREIGN_KEYS, TEXT_KEYS

Value = TypeVar("Value")
Default = TypeVar("Default")

_MAX_KEY = 40  # characters of a key that are compared with known ones

_SETTINGS = {row.key for row in ROWS} | set(TEXT_KEYS) | {"pattern", "colours", "tps", "dratio"}
_SWITCHES = {
    "true": True,
    "1": True,
    "yes": True,
    "false": False,
    "0": False,
    "no": False,
    "": True,
}


class QueryTooLongError(ParameterError):
    """A query of more characters than are read."""


def read_query(text: str) -> Query:
    """Read what stands behind the `?` of an address; it is answered in the language it asks for, or
    the present one.

    Args:
        text: `key=value` with `;` or `&` between them, as it was sent; the pattern may stand first
            without its key.

    A key that is unknown and like none that is known is left out: addresses are made for other
    programs, too.

    Raises:
        ParameterError: a key that is nearly a known one, given twice or without a value, a value
            that is none of its kind, or no pattern.
    """
    if len(text) > MAX_QUERY:
        raise QueryTooLongError(
            _(
                "this query has {length} characters, and {most} is the most",
                length=len(text),
                most=MAX_QUERY,
            )
        )
    fields = _fields(text)
    if not fields.get("pattern", "").strip():
        raise ParameterError(
            _("there is no pattern: ask for one, as anim?pattern=531;width=400;height=450")
        )
    read = _Reader(fields)
    redirect = read.take("redirect", _redirect, "")
    query = Query(
        settings="",
        format=read.take("format", _format, "") if redirect in ("", "true") else redirect,
        size=(
            read.take("width", _edge("width"), DEFAULT_SIZE[0]),
            read.take("height", _edge("height"), DEFAULT_SIZE[1]),
        ),
        fps=read.take("fps", _fps, None),
        camera=read.take("camera", str.strip, "") or read.take("camangle", _camera_angle, ""),
        redirect=redirect != "",
        language=read.take("lang", _language, language()),
    )
    changes = {
        "speed": read.take("slowdown", _slowdown, ""),
        "figure": "hidden" if _hides_all(fields.get("hidejugglers", "")) else "",
        "stereo": read.take("stereo", _stereo, ""),
        "width": read.take(HAND_WIDTH, str.strip, ""),
    }
    if changes["figure"]:
        del fields["hidejugglers"]
    left_out = tuple(key for key in fields if key not in _SETTINGS)
    for key in left_out:
        _check_is_foreign(key)
        del fields[key]
    settings = {
        **fields,
        **{key: value for key, value in changes.items() if value and key not in fields},
    }
    pattern = settings.pop("pattern")
    text = ";".join(
        f"{key}={escaped(value)}" for key, value in {"pattern": pattern, **settings}.items()
    )
    return replace(query, settings=text, left_out=left_out)


def _check_is_foreign(key: str) -> None:
    """Refuse a key that is nearly a known one.

    Raises:
        ParameterError: it is.
    """
    known = sorted({*_SETTINGS, *_KEYS})
    if key not in FOREIGN_KEYS and difflib.get_close_matches(key[:_MAX_KEY], known, n=1):
        near = did_you_mean(key, known)
        raise ParameterError(
            _("there is no setting {key!r}: {near}", key=printable(key, 40), near=near)
        )


def asked_language(text: str) -> str:
    """The language that `lang` asks for in a query, which need not be right in all else; empty if
    it asks for none.
    """
    match = re.search(
        r"(?:^|[;&])lang=([\w.@-]{1,40})(?=[;&]|$)", text[:MAX_QUERY], re.IGNORECASE | re.ASCII
    )
    return known_language(match[1]) if match else ""


@dataclass
class _Reader:
    """Takes fields out of a query, one by one."""

    fields: dict[str, str] = field(default_factory=dict)

    def take(self, key: str, read: Callable[[str], Value], default: Default) -> Value | Default:
        return read(self.fields.pop(key)) if key in self.fields else default


_KEYS = (
    "format", "width", "height", "fps", "camera", "camangle", "redirect", "slowdown",
    "hidejugglers", "lang",
    HAND_WIDTH,
)  # fmt: skip


def _fields(text: str) -> dict[str, str]:
    """Keys in lower case and values."""
    if "=" not in text:
        text = unquote_plus(text, errors="replace") if "%3D" in text.upper() else text
    fields: dict[str, str] = {}
    for number, part in enumerate(re.split("[;&]", text)):
        key, equals, value = part.partition("=")
        if not part.strip():
            continue
        if not equals and number:
            raise ParameterError(
                _("{part!r} has no value: each setting is key=value", part=printable(part, 40))
            )
        name, value = (key, value) if equals else ("pattern", part)
        name = unquote_plus(name, errors="replace").strip().casefold()
        if name in fields:
            raise ParameterError(
                _("{name} is given twice; give each key once", name=printable(name, 40))
            )
        # A space may come as a plus, as forms send it; no pattern has one.
        fields[name] = unquote_plus(value, errors="replace")
    return fields


def _number(name: str, text: str, accepted: str) -> float:
    if not re.fullmatch(r"\s*[-+]?[0-9]{0,9}\.?[0-9]{0,9}\s*", text, re.ASCII) or not any(
        map(str.isdigit, text)
    ):
        raise ParameterError.of(name, text, accepted)
    return float(text)


def _edge(name: str) -> Callable[[str], int]:
    def read(text: str) -> int:
        accepted = _("from {low} to {high} pixels", low=MIN_EDGE, high=MAX_EDGE)
        value = _number(name, text, accepted)
        if not MIN_EDGE <= value <= MAX_EDGE or value != int(value):
            raise ParameterError.of(name, text, accepted)
        return int(value)

    return read


def _fps(text: str) -> float:
    accepted = _("from 1 to {most:g} frames a second", most=MAX_FPS)
    value = _number("fps", text, accepted)
    if not 1 <= value <= MAX_FPS:
        raise ParameterError.of("fps", text, accepted)
    return value


def _format(text: str) -> str:
    name = text.strip().casefold()
    if name not in FORMATS:
        near = did_you_mean(name, list(FORMATS))
        raise ParameterError(_("format is {text!r}: {near}", text=printable(text, 40), near=near))
    return name


def _language(text: str) -> str:
    code = known_language(text)
    if not code:
        near = did_you_mean(text, list(LANGUAGES))
        raise ParameterError(_("lang is {text!r}: {near}", text=printable(text, 40), near=near))
    return code


def _redirect(text: str) -> str:
    """The format of the picture whose address is asked for, or true for the usual one; empty if
    none is.
    """
    word = text.strip().casefold()
    if word in FORMATS:
        return word
    if word not in _SWITCHES:
        raise ParameterError.of("redirect", text, _("true or false, or a format such as gif"))
    return "true" if _SWITCHES[word] else ""


def _slowdown(text: str) -> str:
    value = _number("slowdown", text, _("a number above 0"))
    if value <= 0:
        raise ParameterError.of("slowdown", text, _("a number above 0"))
    return f"{1 / value:.4g}"


def _hides_all(text: str) -> bool:
    return text.strip().casefold() in ("true", "yes", "on")


def _stereo(text: str) -> str:
    """Juggling Lab's switch, or a word of ours."""
    word = text.strip().casefold()
    return {"true": "crossed", "false": "off"}.get(word, word)


def _camera_angle(text: str) -> str:
    """Juggling Lab's angles, around and from straight above, as azimuth and elevation, [°]."""
    accepted = _("angles in degrees, as 20 or 20,75")
    around, _comma, down = text.strip("(){} ").partition(",")
    azimuth = _number("camangle", around, accepted)
    elevation = 90 - _number("camangle", down, accepted) if down else 7.0
    return f"{azimuth % 360:g},{max(-85.0, min(85.0, elevation)):g}"
