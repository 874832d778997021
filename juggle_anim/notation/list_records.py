"""Records of pattern lists: fields with names, in rows of tables, objects of JSON, and notes with a
key a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.errors import JuggleError, counted, joined_names, printable
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_JUGGLERS
from juggle_anim.notation.numbers import NUMBER_WORDS, whole_number
from juggle_anim.notation.pattern_list import without_traceback
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.notation.settings.syntax import escaped
from juggle_anim.parameters import ROWS
from juggle_anim.text_settings import TEXT_KEYS

SETTING_KEYS = frozenset((*(row.key for row in ROWS), *TEXT_KEYS))
"""Keys of settings beside the pattern."""


class Field(Enum):
    """What a field of a record says."""

    PATTERN = auto()
    NAME = auto()
    JUGGLERS = auto()
    PROPS = auto()
    OTHER = auto()


_FIELDS = {
    # The first that a record has is the pattern; a `pattern` beside a `siteswap` is its name.
    Field.PATTERN: ("siteswap", "vanilla siteswap", "ss", "notation", "throws", "pattern", "s"),
    Field.NAME: (
        *(
            "name",
            "title",
            "trick",
            "label",
            "trick name",
            "pattern name",
            "display",
            "pattern",
            "description",
        ),
        *("n", "tricks", "names"),
    ),
    Field.JUGGLERS: ("jugglers", "juggler", "passers", "people", "persons"),
    Field.PROPS: (
        "props",
        "prop",
        "balls",
        "ball",
        "clubs",
        "club",
        "rings",
        "ring",
        "objects",
        "object",
        "beanbags",
    ),
}
"""Names of fields, most telling first."""

_COUNTING_WORDS = frozenset(
    ("number", "num", "no", "nb", "nr", "of", "count", "the", "required", "total")
)
"""What is said around the names of numbers: number of jugglers, props_count, # balls."""

_OF_PICTURES = frozenset(("width", "height", "scale"))
"""Keys of animators on the web that are sizes of the picture, though they are settings here or
elsewhere.
"""

_BULLET = re.compile(r"^(?:[-*+•·‣–—>]\s+|\(?[0-9]{1,4}[.)]\s+|\[[ xX]?\]\s+)+")
_QUOTED = re.compile(r"^['\"‘“`]([^'\"’”`\s]+)['\"’”`](?=[\s:,]|$)")
_EMPHASIS = re.compile(r"\*\*|__|``?|(?<![^\s(])[*_](?=[^\W\d_])|(?<=[^\W\d_])[*_](?=[\s:;,.)]|$)")
_ESCAPED = re.compile(r"\\([*()_\[\]|#-])")
_LINK = re.compile(r"!?\[([^\]]+)\]\([^()\s]*:[^()\s]*\)")
_PASS = re.compile(r"[0-9a-o]p", re.IGNORECASE)
_COUNT = re.compile(r"([0-9]{1,4})(?:\.0+)?(?:\s+[a-z]+)?", re.IGNORECASE)


class Found(NamedTuple):
    """What a part of a list says.

    Args:
        name: the words beside it.
        text: its throws, settings or name of the library.
        settings: what the text says; None where it is wrong.
        error: why it is wrong; None also where there is no pattern.
        note: what of it is not read, or contradicts it.
    """

    name: str
    text: str
    settings: Settings | None = None
    error: JuggleError | None = None
    note: str = ""


def fields_named(names: Sequence[str]) -> dict[Field, int]:
    """Which of some names of fields says what, by index; each of them at most one thing."""
    known = [_field_name(name) for name in names]
    fields: dict[Field, int] = {}
    for field, accepted in _FIELDS.items():
        for name in accepted:
            indices = [
                index
                for index, other in enumerate(known)
                if other == name and index not in fields.values()
            ]
            if indices:
                fields[field] = indices[0]
                break
    return fields


def _field_name(name: str) -> str:
    """The name of a field without counting words and signs: `# of Balls` and `balls_count` are
    balls.
    """
    words = re.findall(r"[^\W\d_]+", name.casefold())
    return " ".join([word for word in words if word not in _COUNTING_WORDS] or words)


def read_record(text: str, name: str = "", jugglers: str = "", props: str = "") -> Found:
    """The pattern in a record; numbers of jugglers decide who throws, and those of props are
    compared.

    Args:
        text: of the pattern.
        name: of it.
        jugglers: how many there are, in digits or a word; empty where that is not said, or another
            text.
        props: how many there are, likewise.
    """
    text = text if "=" in text else plain_words(text)
    juggler_count = _number(jugglers)
    prop_count = _number(props)
    record = _for_jugglers(text, juggler_count) or Found("", text, *read_text(text))
    pattern = record.settings.score.pattern if record.settings else None
    notes = [record.note] if record.note else []
    unread = [
        printable(cell, 40)
        for cell, count in ((jugglers, juggler_count), (props, prop_count))
        if count is None and any(map(str.isalnum, cell))
    ]
    if unread:
        notes.append(_("not read: {names}", names=joined_names(unread)))
    if pattern:
        if juggler_count and juggler_count != pattern.jugglers:
            notes.append(
                _(
                    "{text} is for {jugglers}, not for {number} as is said beside it",
                    text=text,
                    jugglers=counted(pattern.jugglers, "juggler"),
                    number=juggler_count,
                )
            )
        if prop_count and prop_count != pattern.props:
            notes.append(
                _(
                    "{text} has {props}, not {number} as is said beside it",
                    text=text,
                    props=counted(pattern.props, "prop"),
                    number=prop_count,
                )
            )
    return record._replace(name=plain_words(name), note="; ".join(notes))


def _for_jugglers(text: str, jugglers: int | None) -> Found | None:
    """A pattern that so many jugglers share, or why passes cannot be shared so; None where the text
    says who throws.
    """
    passes = _PASS.search(text) is not None
    if not jugglers or "<" in text or "=" in text or ";" in text or (jugglers == 1 and not passes):
        return None
    shared = f"pattern={text};jugglers={jugglers}"
    settings, error = read_text(shared)
    return (
        Found("", shared, settings, error) if settings or (passes and text[:1].isdigit()) else None
    )


def _number(text: str) -> int | None:
    """A count in digits, as spreadsheets have it, too, or in a word; perhaps with what is
    counted.
    """
    word = text.strip().partition(" ")[0].casefold()
    if word in NUMBER_WORDS:
        return NUMBER_WORDS.index(word)
    match = _COUNT.fullmatch(text.strip())
    return whole_number(match[1], MAX_JUGGLERS * 10) if match else None


def read_keyed(fields: Mapping[str, str], all_settings: bool = True) -> Found | None:
    """The pattern in settings that a note has as `key: value`; None if no key has one.

    Args:
        fields: values by key.
        all_settings: whether all keys should be settings, so that others are named, except for
            sizes of pictures.
    """
    keys = list(fields)
    roles = fields_named(keys)
    if Field.PATTERN not in roles:
        return None
    values = {field: fields[keys[index]] for field, index in roles.items()}
    own = [key for index, key in enumerate(keys) if index not in roles.values()]
    known = {
        key.casefold(): key
        for key in own
        if key.casefold() in SETTING_KEYS and key.casefold() not in _OF_PICTURES
    }
    # A `prop: club` is a setting, and a `props: 3` a number.
    if (
        Field.PROPS in roles
        and _number(values[Field.PROPS]) is None
        and keys[roles[Field.PROPS]].casefold() == "prop"
    ):
        known["prop"] = keys[roles[Field.PROPS]]
    text = values[Field.PATTERN]
    name = values.get(Field.NAME, "")
    if known:
        pairs = [("pattern", text), *((key, fields[written]) for key, written in known.items())]
        pairs += [("title", name)] if name else []
        text = ";".join(f"{key}={escaped(value)}" for key, value in pairs)
    props = "" if "prop" in known else values.get(Field.PROPS, "")
    numbers = values.get(Field.JUGGLERS, ""), props
    found = read_record(text, name, *numbers)
    if known and not found.settings and not all_settings:
        # Elsewhere a member called catches may be how many catches somebody made.
        alone = read_record(values[Field.PATTERN], name, *numbers)
        found = alone if alone.settings else found
    if not found.settings and not any(map(str.isdigit, values[Field.PATTERN])):
        return None  # words that say what the key means
    unread = [
        key for key in own if key.casefold() not in known and key.casefold() not in _OF_PICTURES
    ]
    if not (all_settings and unread):
        return found
    return found._replace(
        note="; ".join(
            filter(None, (found.note, _("not read: {names}", names=joined_names(unread))))
        )
    )


@lru_cache(maxsize=64)
def read_text(text: str) -> tuple[Settings | None, JuggleError | None]:
    """What a text says as settings, or why it says nothing."""
    try:
        return read_settings(text), None
    except JuggleError as error:
        return None, without_traceback(error)


@lru_cache(maxsize=64)
def plain_words(line: str) -> str:
    """A line without bullets, numbers of lines, quotes around throws, and marks of emphasis and
    links.
    """
    line = _BULLET.sub("", line, count=1)
    line = _QUOTED.sub(r"\1", _LINK.sub(r"\1", unescaped_marks(line)), count=1)
    return _EMPHASIS.sub("", line).strip().strip('"')


def unescaped_marks(line: str) -> str:
    """A line of Markdown without backslashes before brackets, stars and the like."""
    return _ESCAPED.sub(r"\1", line)
