"""Queries read from the address of a picture, in the words of Juggling Lab's GIF server and in ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar
from urllib.parse import unquote_plus

from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.language import LANGUAGES, _, known_language, language
from juggle_anim.notation.settings.syntax import escaped
from juggle_anim.parameters import ROWS
from juggle_anim.server.exchange import DEFAULT_SIZE, FORMATS, HAND_WIDTH, MAX_EDGE, MAX_FPS, MAX_QUERY, MIN_EDGE, Query
from juggle_anim.text_settings import TEXT_KEYS

Value = TypeVar("Value")
Default = TypeVar("Default")

_WINDOW_KEYS = ("border", "showground", "startpause", "startpaused", "mousepause", "view", "catchsound", "bouncesound")
"""What Juggling Lab is told of its own window and picture, and makes no difference here."""

_SETTINGS = {row.key for row in ROWS} | set(TEXT_KEYS) | {"pattern", "colours", "tps", "dratio"}
_SWITCHES = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": True}


class QueryTooLongError(ParameterError):
    """A query of more characters than are read."""


def read_query(text: str) -> Query:
    """Read what stands behind the `?` of an address; it is answered in the language it asks for, or the present one.

    Args:
        text: `key=value` with `;` or `&` between them, as it was sent; the pattern may stand first without its key.

    Raises:
        ParameterError: a key that is unknown, given twice or without a value, a value that is none of its kind, or no
            pattern.
    """
    if len(text) > MAX_QUERY:
        raise QueryTooLongError(
            _("this query has {length} characters, and {most} is the most", length=len(text), most=MAX_QUERY)
        )
    fields = _fields(text)
    if not fields.get("pattern", "").strip():
        raise ParameterError(_("there is no pattern: ask for one, as anim?pattern=531;width=400;height=450"))
    read = _Reader(fields)
    query = Query(
        settings="",
        format=read.take("format", _format, ""),
        size=(
            read.take("width", _edge("width"), DEFAULT_SIZE[0]),
            read.take("height", _edge("height"), DEFAULT_SIZE[1]),
        ),
        fps=read.take("fps", _fps, None),
        camera=read.take("camera", str.strip, "") or read.take("camangle", _camera_angle, ""),
        redirect=read.take("redirect", _switch("redirect"), False),
        language=read.take("lang", _language, language()),
    )
    changes = {
        "speed": read.take("slowdown", _slowdown, ""),
        "figure": read.take("hidejugglers", _hidden, ""),
        "stereo": read.take("stereo", _stereo, ""),
        "width": read.take(HAND_WIDTH, str.strip, ""),
    }
    for key in _WINDOW_KEYS:
        fields.pop(key, None)
    for key in fields:
        if key not in _SETTINGS:
            known = sorted({*_SETTINGS, *_KEYS, *_WINDOW_KEYS})
            raise ParameterError(
                _("there is no setting {key!r}: {near}", key=printable(key, 40), near=did_you_mean(key, known))
            )
    settings = {**fields, **{key: value for key, value in changes.items() if value and key not in fields}}
    pattern = settings.pop("pattern")
    text = ";".join(f"{key}={escaped(value)}" for key, value in {"pattern": pattern, **settings}.items())
    return replace(query, settings=text)


def asked_language(text: str) -> str:
    """The language that `lang` asks for in a query, which need not be right in all else; empty if it asks for none."""
    found = re.search(r"(?:^|[;&])lang=([\w.@-]{1,40})(?=[;&]|$)", text[:MAX_QUERY], re.IGNORECASE | re.ASCII)
    return known_language(found[1]) if found else ""


@dataclass
class _Reader:
    """Takes fields out of a query, one by one."""

    fields: dict[str, str] = field(default_factory=dict)

    def take(self, key: str, read: Callable[[str], Value], default: Default) -> Value | Default:
        return read(self.fields.pop(key)) if key in self.fields else default


_KEYS = (
    "format", "width", "height", "fps", "camera", "camangle", "redirect", "slowdown", "hidejugglers", "lang",
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
            raise ParameterError(_("{part!r} has no value: each setting is key=value", part=printable(part, 40)))
        name, value = (key, value) if equals else ("pattern", part)
        name = unquote_plus(name, errors="replace").strip().casefold()
        if name in fields:
            raise ParameterError(_("{name} is given twice; give each key once", name=printable(name, 40)))
        # A space may come as a plus, as forms send it; no pattern has one.
        fields[name] = unquote_plus(value, errors="replace")
    return fields


def _number(name: str, text: str, accepted: str) -> float:
    if not re.fullmatch(r"\s*[-+]?[0-9]{0,9}\.?[0-9]{0,9}\s*", text, re.ASCII) or not any(map(str.isdigit, text)):
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


def _switch(name: str) -> Callable[[str], bool]:
    def read(text: str) -> bool:
        if text.strip().casefold() not in _SWITCHES:
            raise ParameterError.of(name, text, _("true or false"))
        return _SWITCHES[text.strip().casefold()]

    return read


def _slowdown(text: str) -> str:
    value = _number("slowdown", text, _("a number above 0"))
    if value <= 0:
        raise ParameterError.of("slowdown", text, _("a number above 0"))
    return f"{1 / value:.4g}"


def _hidden(text: str) -> str:
    return "" if text.strip().casefold() in ("", "false", "0", "no") else "hidden"


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
