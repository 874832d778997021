"""Queries read from the address of a picture, in the words of Juggling Lab's GIF server and in
ours.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar
from urllib.parse import unquote_plus

from juggle_anim.errors import FileError, JuggleError, ParameterError, did_you_mean, printable
from juggle_anim.language import LANGUAGES, _, known_language, language
from juggle_anim.notation import Settings, decoded_text, pattern_and_props
from juggle_anim.notation.settings.syntax import escaped
from juggle_anim.parameters import FOREIGN_KEYS, ROWS, TEXT_KEYS, left_out_note
from juggle_anim.server.exchange import (
    DEFAULT_SIZE,
    FORMATS,
    HAND_WIDTH,
    MAX_EDGE,
    MAX_FPS,
    MAX_QUERY,
    MAX_SENT,
    MIN_EDGE,
    Answer,
    Query,
)

Value = TypeVar("Value")
Default = TypeVar("Default")

_MAX_NAME = 80  # characters of the name of a file
_MAX_KEY = 40  # characters of a key that are compared with known ones

_SETTING_KEYS = {row.key for row in ROWS} | set(TEXT_KEYS) | {"pattern", "colours", "tps", "dratio"}
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
    """Read the query of a URL, the part after its `?`.

    Unknown keys are ignored, since URLs are also made for other programs, unless they are similar
    to known ones.

    Args:
        text: `key=value` with `;` or `&` between them, as received; the pattern may be first,
            without its key.

    Raises:
        ParameterError: a key that is nearly a known one, given twice or without a value, a value
            that is none of its kind, or no pattern.
    """
    if len(text) > MAX_QUERY:
        raise QueryTooLongError(
            _(
                "this query has {length} characters; the limit is {most}",
                length=len(text),
                most=MAX_QUERY,
            )
        )
    fields = _split_fields(text)
    if not fields.get("pattern", "").strip():
        raise ParameterError(
            _("there is no pattern: request one such as anim?pattern=531;width=400;height=450")
        )

    def take(key: str, read: Callable[[str, str], Value], default: Default) -> Value | Default:
        """Remove a field from the query, and return its value, or the default without the field.

        Args:
            key: key of the field.
            read: reads a value from the key, which errors name, and the text of the field.
            default: the value without the field.
        """
        return read(key, fields.pop(key)) if key in fields else default

    # Options of the picture, by our names and those of Juggling Lab. A format may also be the value
    # of `redirect`.
    redirect = take("redirect", _read_redirect, "")
    query = Query(
        settings="",
        format=take("format", _read_format, "") if redirect in ("", "true") else redirect,
        size=(
            take("width", _read_edge, DEFAULT_SIZE[0]),
            take("height", _read_edge, DEFAULT_SIZE[1]),
        ),
        fps=take("fps", _read_fps, None),
        camera=fields.pop("camera", "").strip() or take("camangle", _read_camera_angles, ""),
        redirect=redirect != "",
        language=take("lang", _read_language, language()),
        throw=take("throw", _read_count, None),
        line=take("line", _read_count, None),
    )
    # Settings by other names of Juggling Lab and gunswap; ours have precedence.
    changes = {
        "bps": take("beatduration", _read_inverse, ""),
        "dwell": fields.pop("dwellratio", "").strip(),  # gunswap's is in beats, too
        "speed": take("slowdown", _read_inverse, ""),
        "figure": "hidden" if _hides_all(fields.get("hidejugglers", "")) else "",
        "stereo": _read_stereo(fields.pop("stereo", "")),
        "width": fields.pop(HAND_WIDTH, "").strip(),
    }
    if changes["figure"]:
        del fields["hidejugglers"]

    # What is left is settings, or means nothing here.
    left_out = tuple(key for key in fields if key not in _SETTING_KEYS)
    for key in left_out:
        _reject_misspelled_key(key)
        del fields[key]

    # A settings string, which begins with the pattern.
    settings = {
        **fields,
        **{key: value for key, value in changes.items() if value and key not in fields},
    }
    pattern = settings.pop("pattern")
    text = ";".join(
        f"{key}={escaped(value)}" for key, value in {"pattern": pattern, **settings}.items()
    )
    return replace(query, settings=text, left_out=left_out)


def query_or_refusal(text: str) -> Query | Answer:
    """Return what an address asks for, as of `read_query`, or the refusal of it."""
    try:
        return read_query(text)
    except QueryTooLongError as error:
        return Answer.refusal(414, str(error))
    except JuggleError as error:
        return Answer.refusal(400, str(error))


def sent_query(kind: str, text: str, content: bytes) -> Query | Answer:
    """Return the query of a request that sends a text along, or a refusal.

    Args:
        kind: one of `SENT`.
        text: the query, with the name of the file by `name`.
        content: the text as it was sent.
    """
    name = printable(query_value(text, "name").rpartition("/")[2], _MAX_NAME) or "text"
    if len(content) > MAX_SENT:
        return Answer.refusal(
            413,
            _(
                "{name}: the file is larger than {limit} MB",
                name=name,
                limit=MAX_SENT >> 20,
            ),
        )
    try:
        return Query(decoded_text(content, name), kind, language=language(), file=name)
    except JuggleError as error:
        return Answer.refusal(400, str(error))


def read_shown(settings: str) -> Settings:
    """Return the settings of a string whose pattern may be a siteswap, a name, a routine or JML.

    Args:
        settings: the pattern, perhaps after `pattern=`, then `;key=value` for other settings.

    Raises:
        NotationError: the string is no valid pattern; for an error in the pattern alone the message
            shows only the pattern.
    """
    # Imported here: the process that serves reads addresses alone.
    from juggle_anim.notation import read_settings

    pattern, others = divided_settings(settings)
    alone = _read_lines(pattern) if "\n" in pattern else read_settings(pattern)
    if not others:
        return alone
    if "\n" in pattern:
        # Beside a routine stand only parameters; they are read with some pattern in its place.
        parameters = read_settings(f"pattern=3;{others}").parameters
        return replace(alone, parameters={**alone.parameters, **parameters})
    # Props named within the pattern, as in `531 clubs`, become a setting among the others.
    divided = pattern_and_props(pattern) if " " in pattern else None
    if divided and "prop=" not in others:
        settings = f"pattern={divided[0]};prop={divided[1]};{others}"
    return read_settings(settings)


def _read_lines(text: str) -> Settings:
    """Return the settings of a routine or of JML, which is never taken for the name of a file.

    Args:
        text: lines of a routine, or JML, which begins with `<`.

    Raises:
        JuggleError: it is neither.
    """
    if text.lstrip().startswith("<"):
        from juggle_anim.notation import read_jml

        entries = read_jml(text, "JML").patterns
    else:
        from juggle_anim.notation import read_routine

        entries = read_routine(text).patterns
    if not entries:
        raise FileError(_("there is no pattern"))
    (entry, *_others) = entries
    if entry.settings is None:
        raise entry.error or FileError(_("there is no pattern"))
    return entry.settings


def divided_settings(settings: str) -> tuple[str, str]:
    """Divide a settings string into its pattern, without escapes, and the settings behind it."""
    first, *others = re.findall(r"(?:[^;\\]|\\.?)+", settings)
    return re.sub(r"\\([;\\])", r"\1", first.partition("=")[2]), ";".join(others)


def told_facts(answer: Answer, left_out: Sequence[str] = ()) -> Answer:
    """Add notes on the query to an answer with facts, and turn a wrong pattern into facts.

    Args:
        answer: answer to a query for facts. The refusal of a wrong pattern (status 400) becomes
            facts that say what is wrong; other refusals, such as of a busy server, stay as they
            are.
        left_out: keys of the query that mean nothing here.
    """
    if answer.status == 200 and left_out:
        document = {
            **json.loads(answer.content),
            "notes": [left_out_note(key) for key in left_out],
        }
    elif answer.status == 400:
        error = answer.content.decode().strip()
        document = {"valid": False, "error": error, **(answer.about or {})}
    else:
        return answer
    return Answer(200, media="application/json", content=json.dumps(document).encode())


def _reject_misspelled_key(key: str) -> None:
    """Raise an error if an unknown key is probably a known one with a typing error.

    Keys that other programs are known to use are accepted, however similar to ours.

    Args:
        key: key of the query, in lower case; none that is known here.

    Raises:
        ParameterError: the key is similar to a known one, by the measure of `difflib`.
    """
    known = sorted({*_SETTING_KEYS, *_PICTURE_KEYS})
    # The time of a comparison grows with the square of the length, so only the start of a key is
    # compared.
    if key not in FOREIGN_KEYS and difflib.get_close_matches(key[:_MAX_KEY], known, n=1):
        near = did_you_mean(key, known)
        raise ParameterError(
            _("there is no setting {key!r}: {near}", key=printable(key, 40), near=near)
        )


def asked_language(text: str) -> str:
    """Return the language that `lang` asks for in a query; empty if it asks for none.

    The query need not be right in all else.
    """
    match = re.search(
        r"(?:^|[;&])lang=([\w.@-]{1,40})(?=[;&]|$)", text[:MAX_QUERY], re.IGNORECASE | re.ASCII
    )
    return known_language(match[1]) if match else ""


def query_value(text: str, key: str) -> str:
    """Return the value of a key in a query, decoded; empty without it.

    The query need not be right in all else.
    """
    match = re.search(rf"(?:^|[;&]){key}=([^;&]*)", text[:MAX_QUERY])
    return unquote_plus(match[1], errors="replace") if match else ""


_PICTURE_KEYS = (
    "format", "width", "height", "fps", "camera", "camangle", "redirect", "slowdown",
    "hidejugglers", "lang", "throw", "line", "beatduration", "dwellratio",
    HAND_WIDTH,
)  # fmt: skip


def _split_fields(text: str) -> dict[str, str]:
    """Split a query into its keys, in lower case, and their values, both decoded.

    The first part may be a pattern without its key.

    Args:
        text: text of the query, as it was sent.

    Raises:
        ParameterError: a key has no value, or is given twice.
    """
    # Some programs encode a whole query, `=` included.
    if "=" not in text and "%3D" in text.upper():
        text = unquote_plus(text, errors="replace")
    fields: dict[str, str] = {}
    for index, part in enumerate(re.split("[;&]", text)):
        key, equals, value = part.partition("=")
        if not part.strip():
            continue
        if not equals and index:
            raise ParameterError(
                _("{part!r} has no value: each setting is key=value", part=printable(part, 40))
            )
        if not equals:
            # The first part is the pattern.
            key = "pattern"
            value = part
        name = unquote_plus(key, errors="replace").strip().casefold()
        if name in fields:
            raise ParameterError(
                _("{name} is given twice; give each key once", name=printable(name, 40))
            )
        # A space may come as a plus, as forms send it; no pattern has one.
        fields[name] = unquote_plus(value, errors="replace")
    return fields


def _read_number(
    key: str, text: str, accepted: str, low: float = -math.inf, high: float = math.inf
) -> float:
    """Read a decimal number.

    Args:
        key: key of the field, for errors.
        text: text of the field.
        accepted: what is accepted, in words.
        low, high: the least and the greatest number that is accepted.

    Raises:
        ParameterError: the text is no number, or one out of this range.
    """
    has_form = re.fullmatch(r"\s*[-+]?[0-9]{0,9}\.?[0-9]{0,9}\s*", text, re.ASCII)
    if not has_form or not any(map(str.isdigit, text)) or not low <= float(text) <= high:
        raise ParameterError.of(key, text, accepted)
    return float(text)


def _read_edge(key: str, text: str) -> int:
    """Read a width or a height, [pixels]."""
    accepted = _("from {low} to {high} pixels", low=MIN_EDGE, high=MAX_EDGE)
    value = _read_number(key, text, accepted, MIN_EDGE, MAX_EDGE)
    if not value.is_integer():
        raise ParameterError.of(key, text, accepted)
    return int(value)


def _read_count(key: str, text: str) -> int:
    """Read a number of something that an answer has told before."""
    if not re.fullmatch("[0-9]{1,6}", text.strip(), re.ASCII):
        raise ParameterError.of(key, text, _("a whole number"))
    return int(text)


def _read_fps(key: str, text: str) -> float:
    accepted = _("from 1 to {most:g} frames a second", most=MAX_FPS)
    return _read_number(key, text, accepted, 1, MAX_FPS)


def _read_format(key: str, text: str) -> str:
    name = text.strip().casefold()
    if name not in FORMATS:
        raise ParameterError.none_of(key, text, did_you_mean(name, list(FORMATS)))
    return name


def _read_language(key: str, text: str) -> str:
    code = known_language(text)
    if not code:
        raise ParameterError.none_of(key, text, did_you_mean(text, list(LANGUAGES)))
    return code


def _read_redirect(key: str, text: str) -> str:
    """Read the format of the picture whose address is requested.

    It is "true" for the usual one, and empty if no address is requested.
    """
    word = text.strip().casefold()
    if word in FORMATS:
        return word
    if word not in _SWITCHES:
        raise ParameterError.of(key, text, _("true or false, or a format such as gif"))
    return "true" if _SWITCHES[word] else ""


def _read_inverse(key: str, text: str) -> str:
    """Read a number above 0 whose inverse is the value of a setting, and return that."""
    accepted = _("a number above 0")
    value = _read_number(key, text, accepted)
    if value <= 0:
        raise ParameterError.of(key, text, accepted)
    return f"{1 / value:.4g}"


def _hides_all(text: str) -> bool:
    return text.strip().casefold() in ("true", "yes", "on")


def _read_stereo(text: str) -> str:
    """Read Juggling Lab's switch, or a word of ours."""
    word = text.strip().casefold()
    return {"true": "crossed", "false": "off"}.get(word, word)


def _read_camera_angles(key: str, text: str) -> str:
    """Convert Juggling Lab's angles, the second from above, to azimuth and elevation, [°]."""
    accepted = _("angles in degrees, as 20 or 20,75")
    around, _comma, down = text.strip("(){} ").partition(",")
    azimuth = _read_number(key, around, accepted)
    elevation = 90 - _read_number(key, down, accepted) if down else 7.0
    return f"{azimuth % 360:g},{max(-85.0, min(85.0, elevation)):g}"
