"""Lines of pattern lists as people write them: a siteswap and words beside it, in columns, tables,
bullets or CSV.
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.errors import JuggleError, counted, joined_names, printable
from juggle_anim.language import _
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.limits import MAX_JUGGLERS
from juggle_anim.notation.numbers import NUMBER_WORDS, whole_number
from juggle_anim.notation.pattern_list import without_traceback
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.notation.settings.syntax import escaped
from juggle_anim.notation.siteswap.syntax import without_end_mark
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


WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE = re.compile(r"[^\W\d_)\]\"'’*]{2,}[)\]\"'’*]*[.!?:;](?:\s|$)")
LONG_WORDS = 9
"""Words from which a line is more than the name of a pattern."""

_NO_CELL_END = re.compile(r"\\\||<[^<>]*>")

_LONGEST = 1_000
"""Longer lines are no names with throws, [characters]."""

_SHOWN = 60
"""Of a line that is skipped, [characters]."""

_LONGEST_HEAD = 40
"""A longer cell is no name of a column, [characters]."""

_MOST_CELLS = 12
"""In more columns nothing is looked for."""

_MOST_SITESWAPS = 50
"""Of a line, after commas."""

_MOST_MIDDLE = 4
"""A siteswap between separators stands among so many parts from the beginning."""

_LARGEST = 35
"""The highest throw in a line of a list; more is the number of something else."""

_WORD = re.compile(r"(?<![^\W_])(?!(?:[a-z](?:px?|x))+(?![^\W_]))[^\W\d_]{3,}(?![^\W_])")
"""Letters alone; those of high throws that cross or are passed are none."""

_SHORT_WORD = 5
"""In a line without blanks so many letters may be throws."""

_THROWS = re.compile(r"[0-9a-z()\[\],.*<>|{}^!/×x\s]+", re.IGNORECASE)
_BEGINS_THROW = re.compile(r"[0-9(\[]")
_DIGIT = re.compile(r"[0-9]")
_ONE_THROW = re.compile(r"[0-9a-z](?:[0-9])?(?:\.[0-9])?(?:x?px?|x)?[0-9]?", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?:balls?|clubs?|rings?|props?|objects?|beanbags?|torches|knives|jugglers?|persons?|people|hands?|handed|counts?"
    r"|beats?|throws?|high|up|in|of|per|x)\b|[-–]",
    re.IGNORECASE,
)
_SHARED = re.compile(r"\s*\S+\s+for\s+[0-9]{1,3}(?:\s+jugglers?)?\s*")
_TIMES = re.compile(
    r"[0-9]+x|[0-9]{1,2}up|[0-9][bc]", re.IGNORECASE
)  # 3x, 2up, 5b and 20c count something
_LINE_NUMBER = re.compile(r"[0-9]\.")
_HEADING = re.compile(r"[=~_*#-]{2,}.*|\[\s*[^\]]*\]|[^:]*:")
_SEPARATOR = re.compile(r"\t+|\s{2,}|\s+[-–—=|~]+>?\s+|:\s+|\s*;\s+|\s*=+>\s*")
_COMMA = re.compile(r",\s+(?![^()]*\))")
_BARE_SIDES = re.compile(
    r"(?:(?:(?=[0-9(\[|])(?:[0-9pPxA-F.\[\],*!|]|\([0-9pPxA-F.\[\],\s]+\))+|vs\.?|versus)(?:\s+|$))+"
)
_BETWEEN_SIDES = re.compile(r"vs\.?|versus")
_SPACED_BAR = re.compile(r"\s\|\s")
_SIDES_WITHIN = re.compile(
    r"(?<=[\s:])[0-9][0-9px.]*(?: [0-9][0-9px.]*)* \| "
    r"[0-9][0-9px.]*(?: [0-9][0-9px.]*)*(?<=[0-9px])(?=[\s.,;]|$)"
)
_SIDES_IN_COMMAS = re.compile(r"[0-9px.,\s]*[0-9][0-9px.,\s]*,[0-9px.,\s]+")
_PASS_OR_THROW = re.compile(r"([0-9](?:\.[0-9])?(?:px?|x)?) *(?=[0-9(\[])")
_SPACED = r"\1 "
_LABEL = re.compile(r"[A-Z][0-9]{1,2}|[A-Za-z] [0-9]{1,2}")
_LONE_PASS = re.compile(r"[0-9](?:\.[0-9]+)?px?")
_LETTERS = re.compile(r"[^\W\d_]+(?:[\s,/|-]+[^\W\d_]+)*")
_SHORT_WORDS = re.compile(r"(?:^|\s)(?!x?px?\s)[^\W\d_]{2}(?=\s)", re.IGNORECASE)
_STARTS_ALONE = re.compile(r"[0-9a-z(\[<][^\s:;]*[0-9)\]>*](?:\s*[:;(–—\"“]|\s+-\s|,\s|\s+[A-Z])")
_FOR_JUGGLERS = re.compile(
    r"\(?for\s+([0-9]{1,3})(?:\s+(?:jugglers?|people|persons?|passers))?\)?(?=$|[\s,;.:–-])"
    r"|(?:.*[\s(])?([0-9]{1,3})[\s-]+(?:jugglers?|people|persons?|passers)\b",
    re.IGNORECASE,
)
_OF_PROPS = re.compile(
    r"\(?([0-9]{1,3})[\s-]+(?:balls?|clubs?|rings?|props?|objects?|beanbags?)\)?", re.IGNORECASE
)
_TAG = re.compile(
    r"""</?([a-z][\w-]*)(?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*/?>""",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r"""<(siteswap|ss|pattern|notation)((?=[\s>])(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*)>(.*?)</\1\s*>""",
    re.IGNORECASE,
)
_REMARK = re.compile(r"<!--.*?-->|<[!?][^<>]*>")
_INLINE = frozenset(
    (
        *(
            "a",
            "abbr",
            "b",
            "big",
            "cite",
            "code",
            "del",
            "em",
            "font",
            "i",
            "ins",
            "kbd",
            "mark",
            "q",
            "s",
            "samp",
        ),
        *("small", "span", "strong", "sub", "sup", "tt", "u", "var"),
    )
)
_ROW = re.compile(r"\|.*\|.*\|")
_RULE = re.compile(r"[\s|:+=-]+")
_COMMENT = re.compile(r"\((.*)\)")
_IN_BRACKETS = re.compile(r"([^(]*\S)\s*\(([^()\s]+)\)(|\s*[-–—:;,.(].*)")
_NUMBER = re.compile(r"[0-9]{1,2}|(?:19|20)[0-9]{2}")  # as of a room, a lesson or a year
_ENTRY = re.compile(r"[0-9a-z]{1,8}\|(?=[0-9a-z(\[])", re.IGNORECASE)


class Columns(NamedTuple):
    """The columns that the head of a table names.

    Args:
        delimiter: between cells.
        fields: which column says what.
        others: names of the columns that are not read.
        by_name: whether there is none of patterns, and they are looked for among the names.
    """

    delimiter: str
    fields: dict[Field, int]
    others: tuple[str, ...]
    by_name: bool = False


def read_head(line: str, following: str = "") -> Columns | None:
    """The columns of a table whose head a line is; None if it is none.

    Args:
        line: perhaps a head.
        following: the line after it, which has cells, too.
    """
    for delimiter in "\t|;,":
        names = _cells(line, delimiter)
        if (
            len(names) < 2
            or delimiter not in following
            or any(len(name) > _LONGEST_HEAD or "=" in name for name in names)
        ):
            continue
        if columns := columns_named(names, delimiter):
            return columns
    return None


def columns_named(names: Sequence[str], delimiter: str) -> Columns | None:
    """The columns that have these names; None where none of them is that of patterns."""
    fields = fields_named(names)
    others = tuple(
        name.casefold() for index, name in enumerate(names) if index not in fields.values() and name
    )
    if Field.NAME in fields and Field.PROPS in fields and Field.PATTERN not in fields:
        return Columns(
            delimiter, fields | {Field.PATTERN: fields[Field.NAME]}, others, by_name=True
        )
    # A single letter may be a throw.
    if Field.PATTERN not in fields or (len(fields) == 1 and len(names[fields[Field.PATTERN]]) == 1):
        return None
    return Columns(delimiter, fields, others)


def read_row(line: str, columns: Columns) -> tuple[Found, ...]:
    """The pattern in a row of a table with a head; none where its column is empty, or holds
    words.
    """
    if _RULE.fullmatch(line):
        return ()
    found = _of_cells(_cells(line, columns.delimiter), columns.fields)
    if found is None:
        return ()
    if columns.by_name:
        return (found,) if found.settings and not found.note else ()
    return (found,) if found.settings or _DIGIT.search(found.text) else ()


def _of_cells(cells: Sequence[str], fields: Mapping[Field, int]) -> Found | None:
    """The pattern in the cells of a row; None where its cell is empty."""
    said = {field: cells[index] for field, index in fields.items() if index < len(cells)}
    if not said.get(Field.PATTERN):
        return None
    return read_record(
        *(said.get(field, "") for field in (Field.PATTERN, Field.NAME, Field.JUGGLERS, Field.PROPS))
    )


def read_rows(rows: Sequence[Sequence[str]], head: Sequence[str]) -> list[tuple[Found, ...]]:
    """The patterns in rows of a table whose head names no column of patterns: of the one that holds
    the most.

    A number alone is no pattern there.

    Args:
        rows: cells of each.
        head: names of the columns.
    """
    width = max(map(len, rows), default=0)
    columns = [
        [row[index] if index < len(row) else "" for row in rows]
        for index in range(min(width, _MOST_CELLS))
    ]
    patterns = [
        sum(len(cell) > 1 and throws_of(cell) is not None for cell in column) for column in columns
    ]
    best = max(patterns, default=0)
    if not best:
        return [tuple(_of_juggler(row)) for row in rows]
    if 2 * best < sum(map(bool, columns[patterns.index(best)])):
        return [()] * len(rows)
    fields = fields_named(head) | {Field.PATTERN: patterns.index(best)}
    if Field.NAME not in fields:
        fields[Field.NAME] = 0 if fields[Field.PATTERN] else 1
    return [_long_pattern(row, fields) for row in rows]


def _long_pattern(cells: Sequence[str], fields: Mapping[Field, int]) -> tuple[Found, ...]:
    """The pattern in the cells of a row, if it is valid and more than a number."""
    found = _of_cells(cells, fields)
    return (
        (found,)
        if found and len(found.text) > 1 and throws_of(cells[fields[Field.PATTERN]])
        else ()
    )


def read_diagram(rows: Sequence[Sequence[str]]) -> list[tuple[Found, ...]]:
    """The patterns in a diagram with a row for each juggler and a column for each beat.

    Rows that differ are sides of one pattern if they fit together, and else each is one of its own.

    Args:
        rows: cells of each, of which the first names a juggler.
    """
    texts = [
        " ".join(row[1:]) if all(row[1:]) and _DIGIT.search("".join(row[1:])) else ""
        for row in rows
    ]
    if len(set(texts)) > 1 and all(texts):
        together = f"<{'|'.join(texts)}>"
        settings, _unused = read_text(together)
        if settings:
            found = Found(", ".join(row[0] for row in rows), together, settings)
            return [(found,), *[()] * (len(rows) - 1)]
    return [
        (Found(row[0], text, *read_text(text)),)
        if text and all(map(_BEGINS_THROW.match, row[1:]))
        else ()
        for row, text in zip(rows, texts, strict=True)
    ]


def skipped(line: str) -> str:
    """What is said of a line in which no pattern is found."""
    return _("no pattern is in it, so it is skipped: {line}", line=printable(line, _SHOWN))


def _of_juggler(cells: Sequence[str]) -> Iterator[Found]:
    """What one juggler throws, a throw in each cell after the name; without a pass it may be
    numbers of something.
    """
    throws = cells[1:]
    passes = any("p" in cell.casefold() for cell in throws)
    if (
        passes
        and len(throws) > 1
        and not _DIGIT.search(cells[0])
        and all(map(_ONE_THROW.fullmatch, throws))
    ):
        text = " ".join(throws)
        yield Found(cells[0], text, *read_text(text))


def without_tags(line: str) -> str:
    """A line of HTML or the like without tags; those of cells, items and paragraphs part what
    stands beside them.
    """
    if "<" not in line:
        return html.unescape(line) if "&" in line else line
    text = _TAG.sub(lambda tag: "" if tag[1].casefold() in _INLINE else "\t", _REMARK.sub("", line))
    return line if text == line else html.unescape(text).strip()


def read_tagged(line: str) -> tuple[Found, ...]:
    """The patterns between tags that say so, as `<siteswap>744</siteswap>`; a short rest of the
    line is their name.
    """
    tagged = list(_TAGGED.finditer(line))
    if not tagged:
        return ()
    rest = plain_words(without_tags(_TAGGED.sub(" ", line))).strip(":-–— \t")
    name = "" if is_sentence(rest) else " ".join(rest.split())
    return tuple(
        read_record(html.unescape(match[3]).strip(), name) for match in tagged if match[3].strip()
    )


def read_line(
    line: str, letters: bool = False, of_list: bool = False, names_first: bool = True
) -> tuple[Found, ...]:
    """The patterns in a line of a list: mostly one, several after commas, or none.

    A pattern that is wrong is among them where it looks like throws. Words are never taken for
    throws beside others.

    Args:
        line: without comments, blanks around it or settings.
        letters: whether letters alone may be throws.
        of_list: whether most lines of the file begin with throws, so that these are meant before a
            sentence, too.
        names_first: whether most lines of the file end with throws, so that a number there is one,
            too.
    """
    if _LINE_NUMBER.fullmatch(line):
        return ()
    if whole := _whole(without_end_mark(unescaped_marks(line)), letters):
        return (whole,)
    if len(line) > _LONGEST or _RULE.fullmatch(line):
        return ()
    plain = plain_words(line)
    if is_sentence(plain):
        # A siteswap within a sentence is only spoken of.
        heads = (
            (_sides(plain), _several(plain), _first(plain))
            if of_list or _STARTS_ALONE.match(plain)
            else (_sides(plain),)
        )
        found = next((found for candidates in heads if (found := tuple(candidates))), ())
        return tuple(map(_counted, found)) if found and len(found[0].text) > 2 else ()
    if _SIDES_IN_COMMAS.fullmatch(plain) and "p" in plain:
        return tuple(_wrong(plain, line))
    if _ROW.fullmatch(plain):
        cells = cells_of_row(plain)
        return tuple(_of_juggler(cells)) or tuple(map(_counted, _table(plain)))
    for candidates in (
        _sides(plain),
        _several(plain),
        _table(plain),
        _separated(plain),
        _first(plain),
        _last(plain, names_first),
    ):
        if found := tuple(candidates):
            return tuple(map(_counted, found))
    return tuple(_wrong(plain, line))


def _counted(found: Found) -> Found:
    """A pattern whose name says how many jugglers share it, or how many props it has."""
    jugglers = _FOR_JUGGLERS.match(found.name)
    # What stands apart from the throws may be about others, if nobody passes.
    if jugglers and not jugglers[1] and "p" not in found.text:
        jugglers = None
    props = _OF_PROPS.fullmatch(found.name)
    if not (jugglers or props) or "=" in found.text:
        return found
    number = (jugglers[1] or jugglers[2]) if jugglers else ""
    read = read_record(found.text, jugglers=number, props=props[1] if props else "")
    return read._replace(name=found.name, note="; ".join(filter(None, (found.note, read.note))))


def _whole(line: str, letters: bool) -> Found | None:
    """A line that is nothing but a pattern."""
    words = [
        word for word in _WORD.findall(line) if re.search(r"\s", line) or not _may_be_throws(word)
    ]
    if words and line != words[0] and not _SHARED.fullmatch(line) and find_pattern(line) is None:
        return None
    if _LABEL.fullmatch(line) or (_LETTERS.fullmatch(line) and not (letters or find_pattern(line))):
        return None
    settings, _unused = read_text(line)
    return Found("", line, settings) if settings and _is_plain(settings, line) else None


def look_like_throws(text: str) -> bool:
    """Whether a text has nothing but signs of throws, valid or not."""
    return (
        _THROWS.fullmatch(text) is not None
        and _DIGIT.search(text) is not None
        and not _WORD.search(text)
    )


def are_throws(line: str) -> bool:
    """Whether letters alone are throws if nothing else can be meant: small ones, in order as those
    of a multiplex.
    """
    letters = line.rpartition(" ")[2]
    return (
        letters.isalpha()
        and letters.islower()
        and _may_be_throws(letters)
        and list(letters) == sorted(letters)
    )


def _may_be_throws(word: str) -> bool:
    """Whether letters in a line without blanks may be throws: few of them, or in order as those of
    a multiplex.
    """
    letters = sorted(word.casefold())
    return len(word) <= _SHORT_WORD or list(word.casefold()) in (letters, letters[::-1])


def _is_plain(settings: Settings, text: str) -> bool:
    """Whether no throw is so high that a number of something else must be meant: those after commas
    are siteswaps.
    """
    pattern = settings.score.pattern
    if pattern is None or "," not in text or "(" in text:
        return True
    return max((throw.value / pattern.division for throw in pattern.throws), default=0) <= _LARGEST


def _sides(line: str) -> Iterator[Found]:
    """What several jugglers throw, with a | or vs between them, but without < > and spaces."""
    match = _BARE_SIDES.match(line) or _SIDES_WITHIN.search(line)
    sides = _BETWEEN_SIDES.sub("|", match[0]) if match else ""
    passed = ["p" in side.casefold() for side in sides.split("|")]
    if match and len(passed) > 1 and any(passed):
        text = f"<{_PASS_OR_THROW.sub(_SPACED, sides).strip()}>"
        settings, error = read_text(text)
        # Five against seven clubs is no pattern, and what leads into one may stand before a bar.
        if settings or all(passed) or _SPACED_BAR.search(match[0]):
            name = f"{line[: match.start()]}{line[match.end() :]}".strip(" .:")
            yield Found(name, text if settings else match[0].strip(), settings, error)


def _table(line: str) -> Iterator[Found]:
    """The longest cell of a row that is a pattern, with the first one of words."""
    for delimiter in ("\t", "|", ","):
        if delimiter not in line or (delimiter == "|") != line.startswith("|"):
            continue
        cells = [cell for cell in _cells(line, delimiter) if cell][:_MOST_CELLS]
        read = [(cell, throws_of(cell)) for cell in cells] if len(cells) > 1 else []
        valid = [(cell, settings) for cell, settings in read if settings]
        words = [cell for cell, settings in read if not settings and not _DIGIT.fullmatch(cell)]
        # Beside throws that are none alone, these are what one of several jugglers throws.
        words = [] if any(_SIDES_IN_COMMAS.fullmatch(cell) for cell in words) else words
        longest = max((len(cell) for cell, _ in valid), default=0)
        if sum(len(cell) == longest for cell, _ in valid) == 1 and (words or delimiter != ","):
            text, settings = next(each for each in valid if len(each[0]) == longest)
            yield Found(words[0] if words else "", text, settings)
            return


def _several(line: str) -> Iterator[Found]:
    """Siteswaps after commas, each perhaps with words in brackets."""
    parts = [part.strip() for part in _COMMA.split(line.rstrip(",."))]
    found: list[Found] = []
    for part in parts if 1 < len(parts) <= _MOST_SITESWAPS else ():
        each = next(_first(part), None)
        if each is None or (each.name and not part.endswith(")")):
            return
        found.append(each)
    # Words after the last of them are about all.
    yield from (each._replace(name=each.name or found[-1].name) for each in found)


def _separated(line: str) -> Iterator[Found]:
    """A siteswap, and a name before or after it behind a separator."""
    parts = [part.strip() for part in _SEPARATOR.split(line) if part.strip()]
    if len(parts) < 2:
        return
    for index in dict.fromkeys((0, len(parts) - 1, *range(1, min(len(parts), _MOST_MIDDLE)))):
        lone_pass = len(parts[index]) < 3 and "p" in parts[index]
        found = None if lone_pass else next(_first(parts[index]), None)
        if found and (
            not found.name or _COMMENT.fullmatch(parts[index][len(found.text) :].strip())
        ):
            others = [part for number, part in enumerate(parts) if number != index]
            yield found._replace(
                name=" ".join(filter(None, [" – ".join(others), found.name and f"({found.name})"]))
            )
            return


def _first(line: str) -> Iterator[Found]:
    """A siteswap at the beginning, and words after it."""
    entry = _ENTRY.match(line)
    rest = line[entry.end() :] if entry else line
    tokens = rest.split()
    if not tokens:
        return
    count = _closed(tokens)
    if _ONE_THROW.fullmatch(tokens[0]):
        count = next(
            (n for n, token in enumerate(tokens) if not _ONE_THROW.fullmatch(token)), len(tokens)
        )
        if 1 < count < len(tokens) and _COUNTED.match(tokens[count]):
            count -= 1
    for number in sorted({count, _closed(tokens)}, reverse=True):
        text = " ".join(tokens[:number]).rstrip(":;,")
        name = " ".join(tokens[number:]).lstrip("-–—:=, ")
        if (
            len(text) < 3
            and number < len(tokens)
            and ("p" in text or _COUNTED.match(tokens[number]))
        ):
            continue
        if settings := throws_of(text):
            inner = _COMMENT.fullmatch(name)
            note = (
                _("{entry} leads into {text}, and is not read", entry=entry[0], text=text)
                if entry
                else ""
            )
            yield Found(inner[1] if inner else name, text, settings, note=note)
            return


def _closed(tokens: Sequence[str]) -> int:
    """How many tokens there are until every bracket that the first ones open is closed; 1 if that
    never is.
    """
    depth = 0
    for number, token in enumerate(tokens, start=1):
        depth += sum(token.count(sign) for sign in "([<{") - sum(
            token.count(sign) for sign in ")]>}"
        )
        if depth <= 0:
            return number
    return 1


def _last(line: str, names_first: bool) -> Iterator[Found]:
    """A siteswap at the end, or in brackets, and words before it; a single throw is the number of
    something.
    """
    inside = _IN_BRACKETS.fullmatch(line)
    if inside and throws_of(inside[2]):
        name = f"{inside[1]}{inside[3]}"
        text = inside[2]
    else:
        name, _unused, text = line.rpartition(" ")
        if _NUMBER.fullmatch(text) and not names_first:
            return
    if len(text) > 1 and name and (settings := throws_of(text)):
        yield Found(name.rstrip(":-–—= "), text, settings)


def _wrong(line: str, whole: str) -> Iterator[Found]:
    """What looks like throws, but is wrong: a line without words, the beginning of one, or what a
    separator parts.
    """
    if _HEADING.fullmatch(whole) or "||" in line:
        return
    first, _unused, rest = line.partition(" ")
    tried = [(first, rest.strip())] if len(first) > 2 or not rest else []
    if not _WORD.search(line) and _THROWS.fullmatch(line):
        tried = [(line, "")]
    parts = [part.strip() for part in _SEPARATOR.split(line) if part.strip()]
    tried += [(parts[-1], " – ".join(parts[:-1]))] if len(parts) > 1 and len(parts[-1]) > 2 else []
    for text, name in tried:
        if _DIGIT.search(text) and _THROWS.fullmatch(text) and not _WORD.search(text):
            _settings, error = read_text(text)
            if error:
                yield Found(name, text, error=error)
                return


def throws_of(text: str) -> Settings | None:
    """What throws say; None for words, for what is wrong, for the end of a sentence, and for a
    count such as 3X.
    """
    if not (_THROWS.fullmatch(text) and _DIGIT.search(text)) or _WORD.search(text):
        return None
    if _TIMES.fullmatch(text) or without_end_mark(text) != text:
        return None
    # A letter with a number is a name, as J1, letters between blanks are words, and nobody is there
    # for a lone pass.
    if _LABEL.fullmatch(text) or _LONE_PASS.fullmatch(text) or _SHORT_WORDS.search(text):
        return None
    settings, _unused = read_text(text)
    pattern = settings.score.pattern if settings else None
    # Beside words, numbers such as 3.5 2.5 are measures of something else.
    measures = pattern is not None and pattern.jugglers == 1 < pattern.division
    return settings if settings and pattern and not measures and _is_plain(settings, text) else None


def _cells(line: str, delimiter: str) -> Sequence[str]:
    """The cells of a row, without blanks around them."""
    if delimiter == "|":
        return cells_of_row(line)
    try:
        cells = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return ()
    return [cell.strip().strip('"`') for cell in cells]


def is_sentence(line: str) -> bool:
    """Whether a line is longer than a name of a pattern, and ends a sentence or has many words."""
    words = len(WORD.findall(line))
    return words >= 2 * LONG_WORDS or (words >= LONG_WORDS and SENTENCE.search(line) is not None)


def cells_of_row(line: str) -> list[str]:
    """The cells between bars, without blanks around them and marks of emphasis.

    A bar between `<` and `>` stands between jugglers, and one behind a backslash is a part of its
    cell.
    """
    kept = _NO_CELL_END.sub(
        lambda match: match[0].removeprefix("\\").replace("|", "\0"), line.strip()
    )
    cells = kept.removeprefix("|").removesuffix("|").split("|")
    return [plain_words(cell.replace("\0", "|")) for cell in cells]
