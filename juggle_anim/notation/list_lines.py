"""Patterns in lines and records of lists as people write them.

A siteswap and words beside it stand in columns, tables, bullets or CSV; a record has fields with
names, as a row of a table, an object of JSON, or a note with a key a line.
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.errors import FileError, JuggleError, counted, joined_names, printable
from juggle_anim.language import _
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.limits import MAX_JUGGLERS, NUMBER_WORDS, whole_number
from juggle_anim.notation.pattern_list import Entry, try_settings
from juggle_anim.notation.settings import Settings, escaped
from juggle_anim.notation.siteswap.syntax import without_end_mark
from juggle_anim.parameters import ROWS, TEXT_KEYS

SETTING_KEYS = frozenset((*(row.key for row in ROWS), *TEXT_KEYS))
"""Keys of settings beside the pattern."""


class Field(Enum):
    """The meaning of a field of a record."""

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

_PICTURE_SIZE_KEYS = frozenset(("width", "height", "scale"))
"""Keys of animators on the web that are sizes of the picture, though they are settings here or
elsewhere.
"""

# Bullets, numbers of lines and boxes to tick, one after the other.
_BULLET = re.compile(r"^(?:[-*+•·‣–—>]\s+|\(?[0-9]{1,4}[.)]\s+|\[[ xX]?\]\s+)+")
# Throws in quotes at the beginning of a line.
_QUOTED = re.compile(r"^['\"‘“`]([^'\"’”`\s]+)['\"’”`](?=[\s:,]|$)")
# Stars and underscores of Markdown, where they are not signs of throws.
_EMPHASIS = re.compile(
    r"\*\*|__|``?"
    r"|[*_](?<![^\s(][*_])(?=[^\W\d_])"
    r"|[*_](?<=[^\W\d_][*_])(?=[\s:;,.)]|$)"
)
# A sign that Markdown would take for a mark.
_ESCAPED = re.compile(r"\\([*()_\[\]|#-])")
# A link or picture of Markdown, of which the text is kept.
LINK = re.compile(r"!?\[([^\[\]]+)\]\([^()\s]*:[^()\s]*\)")
_PASS_SIGN = re.compile(r"[0-9a-o]p", re.IGNORECASE)
# A count as in spreadsheets, perhaps with a noun: 3, 3.0, 3 balls.
_COUNT = re.compile(r"([0-9]{1,4})(?:\.0+)?(?:\s+[a-z]+)?", re.IGNORECASE)


class FoundPattern(NamedTuple):
    """A pattern in a part of a list, valid or broken.

    Args:
        name: the words beside it.
        text: its throws, settings or name of the library.
        settings: the text as settings; None if it is not valid.
        error: why the text is wrong; None if it is right, or if there is no pattern.
        note: tells which part is not read, or contradicts the text.
    """

    name: str
    text: str
    settings: Settings | None = None
    error: JuggleError | None = None
    note: str = ""

    @classmethod
    def read(cls, text: str, name: str = "") -> FoundPattern:
        """Read a text that stands for a pattern, with the words beside it as its name."""
        return cls(name, text, *try_settings(text))

    def entry(self, line: int) -> Entry:
        """Return the entry of a list for the pattern, which is in a line of the file, from 1."""
        title = self.settings.score.title if self.settings else ""
        display = self.name or title or self.text
        return Entry(display, self.settings, self.error, text=self.text, line=line)

    def with_note(self, note: str) -> FoundPattern:
        """Return the pattern with one more note, which may be empty."""
        return self._replace(note="; ".join(filter(None, (self.note, note))))


def fields_named(names: Sequence[str]) -> dict[Field, int]:
    """Return for each field (pattern, name, count of props, …) the index of the name that means it.

    Names are compared without regard to case and without counting words such as "number of". A
    field that no name means is missing from the result. A name means at most one field.

    Args:
        names: names of the columns of a table, or keys of a record, in order.
    """
    plain_names = [_field_name(name) for name in names]
    fields: dict[Field, int] = {}
    # Fields are tried in the order of `_FIELDS`, so that the pattern has the first choice.
    for field, accepted_names in _FIELDS.items():
        # `accepted_names` begins with the name that means the field most surely. If it occurs more
        # than once, its first place counts.
        for accepted in accepted_names:
            indices = [
                index
                for index, name in enumerate(plain_names)
                if name == accepted and index not in fields.values()
            ]
            if indices:
                fields[field] = indices[0]
                break
    return fields


def _field_name(name: str) -> str:
    """Return a field's name without counting words: `# of Balls` and `balls_count` are balls."""
    words = re.findall(r"[^\W\d_]+", name.casefold())
    # A name of counting words alone, such as `No`, is kept, as it would be empty otherwise.
    return " ".join([word for word in words if word not in _COUNTING_WORDS] or words)


def read_record(text: str, name: str = "", jugglers: str = "", props: str = "") -> FoundPattern:
    """Read a pattern from a record that has its throws, name, and numbers of jugglers and props.

    The number of jugglers decides who throws the pattern; the number of props is only checked.
    Contradictions and invalid fields are noted, not raised.

    Args:
        text: throws, settings, or a name from the library.
        name: the pattern's name; empty if it has none.
        jugglers: number of jugglers, in digits or as a word; empty if unknown. A text that is no
            number is noted as unread.
        props: number of props, in the same form.

    Returns:
        The pattern, with its error if the text is wrong, and with a note if something is not read
        or contradicts it.
    """
    # Remove marks of emphasis such as *, but not from settings, which may have a * in a value, and
    # are told by their =.
    text = text if "=" in text else plain_words(text)
    juggler_count = _read_count(jugglers)
    prop_count = _read_count(props)
    # Read the text as shared by that number of jugglers if possible, or else as it is.
    record = _read_shared_by(text, juggler_count) or FoundPattern.read(text)
    pattern = record.settings.score.pattern if record.settings else None
    notes: list[str] = []

    # Cells without letters or digits, such as -, are not listed as unread.
    unread = [
        printable(cell, 40)
        for cell, count in ((jugglers, juggler_count), (props, prop_count))
        if count is None and any(map(str.isalnum, cell))
    ]
    if unread:
        notes.append(_("ignored: {names}", names=joined_names(unread)))

    # The throws decide; numbers that contradict them are noted.
    if pattern:
        if juggler_count and juggler_count != pattern.jugglers:
            notes.append(
                _(
                    "{text} is for {jugglers}, not for {number} as the note says",
                    text=text,
                    jugglers=counted(pattern.jugglers, "juggler"),
                    number=juggler_count,
                )
            )
        if prop_count and prop_count != pattern.props:
            notes.append(
                _(
                    "{text} has {props}, not {number} as the note says",
                    text=text,
                    props=counted(pattern.props, "prop"),
                    number=prop_count,
                )
            )
    return record._replace(name=plain_words(name), note="; ".join(notes))


def _read_shared_by(text: str, jugglers: int | None) -> FoundPattern | None:
    """Read a pattern whose throws are shared by a number of jugglers, as in "744 for 2 jugglers".

    Args:
        text: throws or settings.
        jugglers: number of jugglers who share it; None if unknown.

    Returns:
        The pattern; for throws with passes that cannot be shared so, the error. None if the text is
        to be read without the number: the number is unknown, the text itself says who throws, or
        throws without passes cannot be shared so.
    """
    has_passes = _PASS_SIGN.search(text) is not None
    # A < begins the sides of a passing pattern; = and ; are signs of settings.
    names_jugglers = any(sign in text for sign in "<=;")
    if not jugglers or names_jugglers or (jugglers == 1 and not has_passes):
        return None
    shared = FoundPattern.read(f"pattern={text};jugglers={jugglers}")
    # Passes need other jugglers, so they cannot be read without the number, and their error is
    # final. But a p may belong to a word: only a text that begins with a digit surely has passes.
    is_final = shared.settings is not None or (has_passes and text[:1].isdigit())
    return shared if is_final else None


def _read_count(text: str) -> int | None:
    """Read a count in digits or a word, perhaps with a noun; None if the text is not a count."""
    word = text.strip().partition(" ")[0].casefold()
    if word in NUMBER_WORDS:
        return NUMBER_WORDS.index(word)
    match = _COUNT.fullmatch(text.strip())
    return whole_number(match[1], MAX_JUGGLERS * 10) if match else None


def read_keyed(fields: Mapping[str, str], *, all_settings: bool) -> FoundPattern | None:
    """Read a pattern from the fields of a record, such as `siteswap: 531` and `name: box`.

    A record is an object of JSON, or a note with a key and a value in each line. A key may mean the
    pattern, its name, a count of props or of jugglers, or one of our settings such as `dwell`.

    Args:
        fields: the value of each key, as written.
        all_settings: whether the note of the result lists keys with any other meaning, except sizes
            of pictures. If not, these keys are ignored silently.

    Returns:
        The pattern, or the error of reading it; None if no key means a pattern, or the value of
        that key is prose.
    """
    keys = list(fields)
    key_of_field = {field: keys[index] for field, index in fields_named(keys).items()}
    if Field.PATTERN not in key_of_field:
        return None
    values = {field: fields[key] for field, key in key_of_field.items()}
    other_keys = [
        key
        for key in keys
        if key not in key_of_field.values() and key.casefold() not in _PICTURE_SIZE_KEYS
    ]

    # The keys that are settings, in lower case, each with its spelling in `fields`.
    setting_keys = {key.casefold(): key for key in other_keys if key.casefold() in SETTING_KEYS}
    # The key `prop` may be the number of props, as in `prop: 3`, or the setting for their kind, as
    # in `prop: club`. It is the setting unless its value is a number.
    props = values.get(Field.PROPS, "")
    props_key = key_of_field.get(Field.PROPS, "")
    if props_key.casefold() == "prop" and _read_count(props) is None:
        setting_keys["prop"] = props_key
    if "prop" in setting_keys:
        props = ""

    # The pattern and its settings are read as one text of `key=value` pairs.
    text = values[Field.PATTERN]
    name = values.get(Field.NAME, "")
    if setting_keys:
        pairs = [("pattern", text)]
        pairs += [(key, fields[written]) for key, written in setting_keys.items()]
        if name:
            pairs.append(("title", name))
        text = ";".join(f"{key}={escaped(value)}" for key, value in pairs)
    counts = values.get(Field.JUGGLERS, ""), props
    pattern = read_record(text, name, *counts)
    if setting_keys and not pattern.settings and not all_settings:
        # In a note of another program, a key may have another meaning than our setting: `catches`
        # may be a record. So if the settings are invalid, try the pattern without them.
        without_settings = read_record(values[Field.PATTERN], name, *counts)
        pattern = without_settings if without_settings.settings else pattern

    # An invalid value without a digit is prose, and not a pattern with a mistake.
    if not pattern.settings and not any(map(str.isdigit, values[Field.PATTERN])):
        return None
    unread = [key for key in other_keys if key.casefold() not in setting_keys]
    if not (all_settings and unread):
        return pattern
    return pattern.with_note(_("ignored: {names}", names=joined_names(unread)))


@lru_cache(maxsize=64)
def plain_words(line: str) -> str:
    """Return a line without bullets, line numbers, quotes, and marks of emphasis and links."""
    line = _BULLET.sub("", line, count=1)
    line = unescaped_marks(line)
    if "](" in line:
        line = LINK.sub(r"\1", line)
    line = _QUOTED.sub(r"\1", line, count=1)
    return _EMPHASIS.sub("", line).strip().strip('"')


def unescaped_marks(line: str) -> str:
    """Return a line of Markdown without backslashes before brackets, stars and the like."""
    return _ESCAPED.sub(r"\1", line) if "\\" in line else line


WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE = re.compile(r"[^\W\d_)\]\"'’*]{2,}[)\]\"'’*]*[.!?:;](?:\s|$)")
LONG_WORDS = 9
"""Words from which a line is more than the name of a pattern."""

_NO_CELL_END = re.compile(r"\\\||<[^<>]*>")

_MAX_NAMED_LINE = 1_000  # characters; longer lines cannot be names with throws
_SHOWN_LENGTH = 60  # characters of a line that is skipped
_MAX_HEAD_CELL = 40  # characters; a longer cell cannot be the name of a column
_MAX_COLUMNS = 12  # in which patterns are looked for
_MAX_SITESWAPS = 50  # of a line, after commas
_MAX_PARTS_BEFORE = 4  # between separators, among which a siteswap may stand
_MAX_LISTED_VALUE = 35  # the highest throw in a line; more is the number of something else
_MAX_LETTERS_OF_THROWS = 5  # up to this number, letters without blanks may be throws in any order

# Letters alone; those of high throws that cross or are passed are none.
_NON_THROW_WORD = re.compile(r"(?<![^\W_])(?!(?:[a-z](?:px?|x))+(?![^\W_]))[^\W\d_]{3,}(?![^\W_])")


# Nothing but signs of throws, valid or not.
_THROW_CHARACTERS = re.compile(r"[0-9a-z()\[\],.*<>|{}^!/×x\s]+", re.IGNORECASE)
_BEGINS_THROW = re.compile(r"[0-9(\[]")
_DIGIT = re.compile(r"[0-9]")
# A throw with its pass or crossing: 3, 3.5p, 4xp2.
_SINGLE_THROW = re.compile(r"[0-9a-z](?:[0-9])?(?:\.[0-9])?(?:x?px?|x)?[0-9]?", re.IGNORECASE)
# Words after a number that is not a throw: 5 balls, 3 high.
_COUNTED_NOUN = re.compile(
    r"(?:balls?|clubs?|rings?|props?|objects?|beanbags?|torches|knives"
    r"|jugglers?|persons?|people|hands?|handed|counts?"
    r"|beats?|throws?|high|up|in|of|per|x)\b|[-–]",
    re.IGNORECASE,
)
# A pattern and who shares it: 744 for 2 jugglers.
_PATTERN_FOR_JUGGLERS = re.compile(r"\s*\S+\s+for\s+[0-9]{1,3}(?:\s+jugglers?)?\s*")
# 3x, 2up, 5b and 20c count something.
_COUNT_ABBREVIATION = re.compile(r"[0-9]+x|[0-9]{1,2}up|[0-9][bc]", re.IGNORECASE)
_LINE_NUMBER = re.compile(r"[0-9]\.")
# A heading in Markdown or in an INI file, or words before a colon.
_HEADING = re.compile(r"[=~_*#-]{2,}.*|\[\s*[^\]]*\]|[^:]*:")
# What parts a siteswap from its name: tabs, wide gaps, dashes, colons and the like.
_SEPARATOR = re.compile(r"\t+|\s{2,}|\s+[-–—=|~]+>?\s+|:\s+|\s*;\s+|\s*=+>\s*")
# A comma outside of brackets.
_COMMA = re.compile(r",\s+(?![^()]*\))")
# Sides of a passing pattern at the beginning of a line, without < >.
_BARE_SIDES = re.compile(
    r"(?:(?:(?=[0-9(\[|])(?:[0-9pPxA-F.\[\],*!|]|\([0-9pPxA-F.\[\],\s]+\))+"
    r"|vs\.?|versus)(?:\s+|$))+"
)
_BETWEEN_SIDES = re.compile(r"vs\.?|versus")
_SPACED_BAR = re.compile(r"\s\|\s")
# Two sides of a passing pattern among words.
_SIDES_WITHIN = re.compile(
    r"(?<=[\s:])[0-9][0-9px.]*(?: [0-9][0-9px.]*)* \| "
    r"[0-9][0-9px.]*(?: [0-9][0-9px.]*)*(?<=[0-9px])(?=[\s.,;]|$)"
)
# Throws of one juggler with commas between them.
_SIDES_IN_COMMAS = re.compile(r"[0-9px.,\s]*[0-9][0-9px.,\s]*,[0-9px.,\s]+")
# A throw that another one follows, perhaps without a blank.
_PASS_OR_THROW = re.compile(r"([0-9](?:\.[0-9])?(?:px?|x)?) *(?=[0-9(\[])")
_FIRST_GROUP_AND_BLANK = r"\1 "
# The name of something, as J1 or A 2, not throws.
_LETTER_AND_NUMBER_LABEL = re.compile(r"[A-Z][0-9]{1,2}|[A-Za-z] [0-9]{1,2}")
_LONE_PASS = re.compile(r"[0-9](?:\.[0-9]+)?px?")
# Words alone.
_WORDS_OF_LETTERS_ONLY = re.compile(r"[^\W\d_]+(?:[\s,/|-]+[^\W\d_]+)*")
# Two letters between blanks, other than those of passes.
_SHORT_WORDS = re.compile(r"(?:^|\s)(?!x?px?\s)[^\W\d_]{2}(?=\s)", re.IGNORECASE)
# Throws at the beginning of a sentence, parted from it.
_STARTS_ALONE = re.compile(r"[0-9a-z(\[<][^\s:;]*[0-9)\]>*](?:\s*[:;(–—\"“]|\s+-\s|,\s|\s+[A-Z])")
# How many jugglers share a pattern: for 2 people, 3-person.
_FOR_JUGGLERS = re.compile(
    r"\(?for\s+([0-9]{1,3})(?:\s+(?:jugglers?|people|persons?|passers))?\)?(?=$|[\s,;.:–-])"
    r"|(?:.*[\s(])?([0-9]{1,3})[\s-]+(?:jugglers?|people|persons?|passers)\b",
    re.IGNORECASE,
)
# How many props a pattern has: 5 balls.
_OF_PROPS = re.compile(
    r"\(?([0-9]{1,3})[\s-]+(?:balls?|clubs?|rings?|props?|objects?|beanbags?)\)?", re.IGNORECASE
)
# A tag of HTML.
_TAG = re.compile(
    r"""</?([a-z][\w-]*)(?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*/?>""",
    re.IGNORECASE,
)
# Throws between tags that say so.
_TAGGED = re.compile(
    r"<(siteswap|ss|pattern|notation)"
    r"""((?=[\s>])(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*)>(.*?)</\1\s*>""",
    re.IGNORECASE,
)
# A comment or a declaration of HTML.
_REMARK = re.compile(r"<!--.*?-->|<[!?][^<>]*>")
# Tags that part nothing.
_INLINE_TAGS = frozenset(
    (
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
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "tt",
        "u",
        "var",
    )
)
# A row of a table between bars.
_ROW_BETWEEN_BARS = re.compile(r"\|.*\|.*\|")
# A line of a table under its head, or between rows.
_TABLE_RULE = re.compile(r"[\s|:+=-]+")
# Words in brackets.
_PARENTHESISED = re.compile(r"\((.*)\)")
# A name with its siteswap in brackets: Box (31).
_NAME_WITH_BRACKETED_THROWS = re.compile(r"([^(]*\S)\s*\(([^()\s]+)\)(|\s*[-–—:;,.(].*)")
# As of a room, a lesson or a year.
_LESSON_OR_YEAR_NUMBER = re.compile(r"[0-9]{1,2}|(?:19|20)[0-9]{2}")
# Throws that lead into a pattern, before a bar: 4|531.
_ENTRY_THROWS_BEFORE_BAR = re.compile(r"[0-9a-z]{1,8}\|(?=[0-9a-z(\[])", re.IGNORECASE)


class Columns(NamedTuple):
    """The columns that the head of a table names.

    Args:
        delimiter: between cells.
        fields: the meaning of each column.
        others: names of the columns that are not read.
        settings: index of each column whose name is that of a setting, as bps.
        by_name: whether the table lacks a column of patterns, so that they are sought among the
            names; if not, that column is read.
    """

    delimiter: str
    fields: dict[Field, int]
    others: tuple[str, ...]
    settings: dict[str, int]
    by_name: bool = False


def read_head(line: str, following: str) -> Columns | None:
    """Return the columns of a table if a line is its head (names of columns), else None.

    Args:
        line: the line.
        following: the next line of the file that is not blank. The line is a head only if this one
            has the same delimiter.
    """
    # A tab is the surest sign of a table, a comma the weakest.
    for delimiter in "\t|;,":
        names = _split_row(line, delimiter)
        # Long cells are sentences, and cells with a = are settings.
        if (
            len(names) < 2
            or delimiter not in following
            or any(len(name) > _MAX_HEAD_CELL or "=" in name for name in names)
        ):
            continue
        if columns := columns_named(names, delimiter):
            return columns
    return None


def columns_named(names: Sequence[str], delimiter: str) -> Columns | None:
    """Return the columns that the head of a table names; None if none of them holds patterns.

    Args:
        names: cells of the head, from left to right.
        delimiter: character between the cells of a row.
    """
    fields = fields_named(names)
    unread = {
        name.casefold(): index
        for index, name in enumerate(names)
        if index not in fields.values() and name
    }
    known = {*(row.key for row in ROWS), *(row.name for row in ROWS), *TEXT_KEYS}
    settings = {name: index for name, index in unread.items() if name in known}
    others = tuple(name for name in unread if name not in known)
    # In a table that has only names and numbers of props some names may be siteswaps, so the
    # patterns are sought in the column of names.
    if Field.NAME in fields and Field.PROPS in fields and Field.PATTERN not in fields:
        fields |= {Field.PATTERN: fields[Field.NAME]}
        return Columns(delimiter, fields, others, settings, by_name=True)
    # A line whose only known name is one letter, such as s, may be throws and no head.
    if Field.PATTERN not in fields or (len(fields) == 1 and len(names[fields[Field.PATTERN]]) == 1):
        return None
    return Columns(delimiter, fields, others, settings)


def read_row(line: str, columns: Columns) -> tuple[FoundPattern, ...]:
    """Read the pattern, if any, in a row of a table with a head.

    Args:
        line: the line of the file, below the head.
        columns: the columns of the head, in its order.

    Returns:
        One pattern, valid or wrong; none for a rule, an empty cell or a cell of words.
    """
    if _TABLE_RULE.fullmatch(line):
        return ()
    cells = _split_row(line, columns.delimiter)
    written = [
        f";{name}={escaped(cells[index])}"
        for name, index in columns.settings.items()
        if index < len(cells) and cells[index].strip()
    ]
    pattern = _read_cells(cells, columns.fields, written)
    if pattern is None:
        return ()
    own_index = columns.fields[Field.PATTERN]
    whole = next(_in_brackets(cells[own_index:], columns.delimiter))
    if whole != cells[own_index]:
        reason = _('a comma splits this pattern; put it in quotes: "{text}"', text=whole)
        return (pattern._replace(text=whole, settings=None, error=FileError(reason), note=""),)
    if columns.by_name:
        # Most names are words, so one counts as a pattern only if it is valid and agrees with the
        # numbers of its row, so that there is no note.
        is_pattern = pattern.settings is not None and not pattern.note
    else:
        # The column holds patterns, so a cell with a digit is reported even if it is wrong. A wrong
        # cell without a digit is a remark such as "see above".
        is_pattern = pattern.settings is not None or _DIGIT.search(pattern.text) is not None
    return (pattern,) if is_pattern else ()


def _read_cells(
    cells: Sequence[str], fields: Mapping[Field, int], settings: Sequence[str] = ()
) -> FoundPattern | None:
    """Read the pattern in the cells of a row, with its name and its numbers of jugglers and props.

    Args:
        cells: the cells of the row, from left to right; there may be fewer than columns.
        fields: index of the column by its meaning.
        settings: each to write behind the throws, as ";bps=3"; one that is wrong is noted.

    Returns:
        The pattern; None if its cell is empty or missing.
    """
    values = {field: cells[index] for field, index in fields.items() if index < len(cells)}
    if not values.get(Field.PATTERN):
        return None
    others = [values.get(field, "") for field in (Field.NAME, Field.JUGGLERS, Field.PROPS)]
    text = values[Field.PATTERN]
    record = read_record(text, *others)
    unread = []
    for setting in settings if record.settings else ():
        with_setting = read_record(text + setting, *others)
        if with_setting.settings:
            record = with_setting
            text += setting
        else:
            unread.append(setting[1:])
    if unread:
        return record.with_note(_("ignored: {names}", names=joined_names(unread)))
    return record


def read_rows(rows: Sequence[Sequence[str]], head: Sequence[str]) -> list[tuple[FoundPattern, ...]]:
    """Read the patterns in rows of a table whose head names no column of patterns.

    The column with the most siteswaps is read, where single digits do not count, as they may be any
    number. Without such a column each row may be the throws of one juggler.

    Args:
        rows: cells of each row; rows may differ in length, and are empty for rules.
        head: names of the columns.

    Returns:
        Parallel to `rows`, the patterns of each: one, or none.
    """
    width = max(map(len, rows), default=0)
    # Rows that are too short are filled up with empty cells.
    columns = [
        [row[index] if index < len(row) else "" for row in rows]
        for index in range(min(width, _MAX_COLUMNS))
    ]
    pattern_counts = [
        sum(len(cell) > 1 and throws_of(cell) is not None for cell in column) for column in columns
    ]
    most_patterns = max(pattern_counts, default=0)
    if not most_patterns:
        return [tuple(_juggler_row(row)) for row in rows]
    # If fewer than half of the filled cells of the column are siteswaps, they look so by chance.
    pattern_column = pattern_counts.index(most_patterns)
    if 2 * most_patterns < sum(map(bool, columns[pattern_column])):
        return [()] * len(rows)
    fields = fields_named(head) | {Field.PATTERN: pattern_column}
    if Field.NAME not in fields:
        # The name is in the first column that is not that of patterns.
        fields[Field.NAME] = 0 if pattern_column else 1
    return [_long_pattern(row, fields) for row in rows]


def _long_pattern(cells: Sequence[str], fields: Mapping[Field, int]) -> tuple[FoundPattern, ...]:
    """Read the pattern in the cells of a row, if it is valid and more than a number."""
    pattern = _read_cells(cells, fields)
    if pattern and len(pattern.text) > 1 and throws_of(cells[fields[Field.PATTERN]]):
        return (pattern,)
    return ()


def read_diagram(rows: Sequence[Sequence[str]]) -> list[tuple[FoundPattern, ...]]:
    """Read the patterns in a table with a row for each juggler and a column for each beat.

    Different rows are the sides of one passing pattern, if that is valid; else each row is a
    pattern of its own.

    Args:
        rows: cells of each row; the first cell names the juggler, each further one is a throw.

    Returns:
        For each row a tuple of one pattern, or empty. A passing pattern of all rows is returned for
        the first row.
    """
    # The throws of each row; the text is empty if a throw is missing or no cell has a digit.
    texts = [
        " ".join(row[1:]) if all(row[1:]) and _DIGIT.search("".join(row[1:])) else ""
        for row in rows
    ]
    # Rows that are all equal are one pattern that each juggler does alone.
    if len(set(texts)) > 1 and all(texts):
        names = ", ".join(row[0] for row in rows)
        passing = FoundPattern.read(f"<{'|'.join(texts)}>", names)
        if passing.settings:
            return [(passing,), *[()] * (len(rows) - 1)]
    return [
        (FoundPattern.read(text, name=row[0]),)
        if text and all(map(_BEGINS_THROW.match, row[1:]))
        else ()
        for row, text in zip(rows, texts, strict=True)
    ]


def skipped(line: str) -> str:
    """Say that a line is skipped, since no pattern is in it."""
    return _("skipped, as it has no pattern: {line}", line=printable(line, _SHOWN_LENGTH))


def _juggler_row(cells: Sequence[str]) -> Iterator[FoundPattern]:
    """Yield the pattern of one juggler, from a row with a throw in each cell after the name.

    At most one pattern is yielded, which may be invalid. None is yielded if a cell is not a throw,
    if the name has a digit, or if there is no pass: then the cells may be any numbers.

    Args:
        cells: the cells of the row, of which the first is the juggler's name; empty for a rule
            between rows.
    """
    throws = cells[1:]
    has_pass = any("p" in cell.casefold() for cell in throws)
    if (
        has_pass
        and len(throws) > 1
        and not _DIGIT.search(cells[0])
        and all(map(_SINGLE_THROW.fullmatch, throws))
    ):
        yield FoundPattern.read(" ".join(throws), name=cells[0])


def without_tags(line: str) -> str:
    """Return a line of HTML without tags and comments, with its character references decoded.

    Inline tags such as <b> are removed; others, such as those of cells and paragraphs, become tabs.
    A line with a < but no tags is returned unchanged, since it is no HTML: its < may begin throws.
    """
    if "<" not in line:
        return html.unescape(line) if "&" in line else line
    text = _TAG.sub(
        lambda tag: "" if tag[1].casefold() in _INLINE_TAGS else "\t", _REMARK.sub("", line)
    )
    return line if text == line else html.unescape(text).strip()


def read_tagged(line: str) -> tuple[FoundPattern, ...]:
    """Read the patterns between tags that announce them, as in `<siteswap>744</siteswap>`.

    The words around the tags are the name of each pattern, unless they are a sentence.

    Args:
        line: the line of a web page or list.
    """
    tags = list(_TAGGED.finditer(line))
    if not tags:
        return ()
    words_around = plain_words(without_tags(_TAGGED.sub(" ", line))).strip(":-–— \t")
    name = "" if is_sentence(words_around) else " ".join(words_around.split())
    # The third group of a match is the text between the tags.
    return tuple(read_record(html.unescape(tag[3]).strip(), name) for tag in tags if tag[3].strip())


def read_line(
    line: str, *, letters: bool, of_list: bool, names_first: bool
) -> tuple[FoundPattern, ...]:
    """Read the patterns in a line of a list: usually one; several divided by commas; or none.

    Text that looks like throws but is invalid is returned with its error. Words beside throws are
    never taken for throws, even if all their letters could be.

    Args:
        line: line without comments, blanks around it or settings.
        letters: whether letters alone, such as `cab`, may be throws.
        of_list: whether most lines of the file begin with throws. Throws at the beginning of a
            sentence are then a pattern that the sentence describes.
        names_first: whether most lines of the file end with throws. A number of one or two digits
            or a year at the end is then a siteswap; else it is a number of something.
    """
    if _LINE_NUMBER.fullmatch(line):
        return ()
    # The surest reading comes first: the whole line is a pattern, apart from a mark at its end.
    if bare_pattern := _bare_pattern(without_end_mark(unescaped_marks(line)), letters=letters):
        return (bare_pattern,)
    if len(line) > _MAX_NAMED_LINE or _TABLE_RULE.fullmatch(line):
        return ()
    plain = plain_words(line)
    if is_sentence(plain):
        # A siteswap within a sentence is only mentioned, so it is not read. One at the beginning is
        # read if the file is a list of siteswaps, or if a mark divides it from the sentence.
        readings = [_sides_without_brackets(plain)]
        if of_list or _STARTS_ALONE.match(plain):
            readings += [_patterns_after_commas(plain), _pattern_at_start(plain)]
        patterns = _first_with_patterns(readings)
        # One or two characters are not a pattern but a number with which the sentence begins.
        if not patterns or len(patterns[0].text) <= 2:
            return ()
        return tuple(map(_checked_against_name, patterns))
    if _ROW_BETWEEN_BARS.fullmatch(plain):
        # A row between bars holds the throws of one juggler, or a siteswap with words in other
        # cells.
        cells = cells_of_row(plain)
        return tuple(_juggler_row(cells)) or tuple(
            map(_checked_against_name, _pattern_in_cells(plain))
        )
    if not _DIGIT.search(plain):
        # Throws in letters alone cannot be told from words, except for sides with passes.
        return tuple(map(_checked_against_name, _sides_without_brackets(plain)))
    # Sides of a passing pattern must have bars between them. With commas they are reported as
    # wrong, since other readings would take one side for a pattern.
    if _SIDES_IN_COMMAS.fullmatch(plain) and "p" in plain:
        return tuple(_malformed_throws(plain, line))
    # The surest reading comes first. Each is a generator, which runs only if those before it have
    # yielded nothing.
    patterns = _first_with_patterns(
        [
            _sides_without_brackets(plain),
            _patterns_after_commas(plain),
            _pattern_in_cells(plain),
            _pattern_beside_separator(plain),
            _pattern_at_start(plain),
            _pattern_at_end(plain, names_first=names_first),
        ]
    )
    # A bracket that stays open, as in `(4,4`, shows that a name without words is a part of throws.
    if any(
        _depth(pattern.name) > 0 and not _NON_THROW_WORD.search(pattern.name)
        for pattern in patterns
    ):
        patterns = ()
    return tuple(map(_checked_against_name, patterns)) or tuple(_malformed_throws(plain, line))


def _first_with_patterns(readings: Iterable[Iterable[FoundPattern]]) -> tuple[FoundPattern, ...]:
    """Return the patterns of the first reading of a line that gives any; later ones do no work."""
    for reading in readings:
        if patterns := tuple(reading):
            return patterns
    return ()


def _checked_against_name(pattern: FoundPattern) -> FoundPattern:
    """Read a pattern again with the number of jugglers or props in its name, as in "5 balls".

    The pattern is returned unchanged if its name has no such number, or if its text is settings.

    Returns:
        The pattern with its name; a note is added if a number contradicts it.
    """
    jugglers_match = _FOR_JUGGLERS.match(pattern.name)
    # Group 1 is the number of a "for 2" at the beginning of the name, group 2 one further on. The
    # latter may be about something else, so it counts only for throws with passes.
    if jugglers_match and not jugglers_match[1] and "p" not in pattern.text:
        jugglers_match = None
    props_match = _OF_PROPS.fullmatch(pattern.name)
    # A = shows settings.
    if not (jugglers_match or props_match) or "=" in pattern.text:
        return pattern
    jugglers = (jugglers_match[1] or jugglers_match[2]) if jugglers_match else ""
    props = props_match[1] if props_match else ""
    checked = read_record(pattern.text, jugglers=jugglers, props=props)
    return checked._replace(name=pattern.name, note=pattern.note).with_note(checked.note)


def _bare_pattern(line: str, *, letters: bool) -> FoundPattern | None:
    """Read a line that is nothing but a pattern; None if it is anything else.

    Args:
        line: line without comments or a mark at its end.
        letters: whether letters alone, such as `cab`, may be throws.
    """
    # Words are runs of letters that are no throws. In a line with blanks no letters are throws; a
    # line without blanks may be throws as a whole.
    has_blanks = re.search(r"\s", line) is not None
    words = [
        word for word in _NON_THROW_WORD.findall(line) if has_blanks or not _may_be_throws(word)
    ]
    # A line with words is a pattern only if it is a single word, or a name of the pattern library,
    # or of the form "744 for 2 jugglers".
    is_single_word = len(words) == 1 and words[0] == line
    if words and not is_single_word:
        is_known = _PATTERN_FOR_JUGGLERS.fullmatch(line) or find_pattern(line)
        if not is_known:
            return None
    # A letter with a number, such as J1, is a label.
    if _LETTER_AND_NUMBER_LABEL.fullmatch(line):
        return None
    # Unless `letters` allows throws of letters alone, such a line must be a name of the library.
    if _WORDS_OF_LETTERS_ONLY.fullmatch(line) and not letters and find_pattern(line) is None:
        return None
    settings, _unused = try_settings(line)
    if settings and _throws_are_plausible(settings, line):
        return FoundPattern("", line, settings)
    return None


def look_like_throws(text: str) -> bool:
    """Return whether a text has nothing but signs of throws, valid or not."""
    return (
        _THROW_CHARACTERS.fullmatch(text) is not None
        and _DIGIT.search(text) is not None
        and not _NON_THROW_WORD.search(text)
    )


def are_throws(line: str) -> bool:
    """Return whether the last word of a line may be throws written in letters alone.

    That is so for small letters in alphabetical order, in which people write them in a multiplex
    (several throws at once).
    """
    letters = line.rpartition(" ")[2]
    return (
        letters.isalpha()
        and letters.islower()
        and _may_be_throws(letters)
        and list(letters) == sorted(letters)
    )


def _may_be_throws(word: str) -> bool:
    """Return whether letters without blanks may be throws: few, or sorted as in a multiplex.

    The order is that of the alphabet or its reverse, and case does not matter.
    """
    letters = sorted(word.casefold())
    return len(word) <= _MAX_LETTERS_OF_THROWS or list(word.casefold()) in (letters, letters[::-1])


def _throws_are_plausible(settings: Settings, text: str) -> bool:
    """Return whether the values in a text are low enough to be throws, not other numbers.

    This is checked only for values between commas, which may be data of any kind. In pairs of
    throws, as in `(4,2)`, commas are part of the notation.

    Args:
        settings: the settings as which the text was read, with its throws.
        text: the text; only its commas and brackets are looked at.
    """
    pattern = settings.score.pattern
    if pattern is None or "," not in text or "(" in text:
        return True
    # A beat may be divided into parts, in which values are counted.
    beats_of_throws = (throw.value / pattern.division for throw in pattern.throws)
    return max(beats_of_throws, default=0) <= _MAX_LISTED_VALUE


def _sides_without_brackets(line: str) -> Iterator[FoundPattern]:
    """Yield the passing pattern whose sides have a | or vs between them, but no < > around them.

    A side has the throws of one juggler. At most one pattern is yielded, which may be invalid. The
    words around it are its name.

    Args:
        line: line as plain words.
    """
    # The sides stand at the beginning of the line, or else within words, with blanks at the bar.
    match = _BARE_SIDES.match(line) or _SIDES_WITHIN.search(line)
    if match is None:
        return
    written_sides = match[0]
    sides = _BETWEEN_SIDES.sub("|", written_sides)
    side_has_passes = ["p" in side.casefold() for side in sides.split("|")]
    if len(side_has_passes) < 2 or not any(side_has_passes):
        return
    # A blank after each throw keeps a digit behind a p from being read as the receiver.
    text = f"<{_PASS_OR_THROW.sub(_FIRST_GROUP_AND_BLANK, sides).strip()}>"
    settings, error = try_settings(text)
    # An error is reported only if sides are surely meant: each has a pass, or the bar has blanks
    # around it. "5 vs 7 clubs" is not a pattern, and in 4|531 the bar stands behind a throw that
    # leads into the pattern.
    if settings or all(side_has_passes) or _SPACED_BAR.search(written_sides):
        name = f"{line[: match.start()]}{line[match.end() :]}".strip(" .:")
        shown_text = text if settings else written_sides.strip()
        yield FoundPattern(name, shown_text, settings, error)


def _pattern_in_cells(line: str) -> Iterator[FoundPattern]:
    """Yield the longest cell of a row that is a pattern, named by the first cell of words.

    At most one pattern is yielded, and none if two are equally long. Tabs, bars and commas are
    tried as delimiters of cells.

    Args:
        line: a line as plain words.
    """
    for delimiter in ("\t", "|", ","):
        # Bars are delimiters only in lines that begin with one; else they separate the sides of a
        # passing pattern.
        if delimiter not in line or (delimiter == "|") != line.startswith("|"):
            continue
        cells = [cell for cell in _split_row(line, delimiter) if cell][:_MAX_COLUMNS]
        # A delimiter within brackets divides no cells.
        cells = list(_in_brackets(cells, delimiter))
        if len(cells) < 2:
            continue
        patterns: list[tuple[str, Settings]] = []
        # Cells that may be the name; a single digit is the number of something.
        names: list[str] = []
        for cell in cells:
            if settings := throws_of(cell):
                patterns.append((cell, settings))
            elif not _DIGIT.fullmatch(cell):
                names.append(cell)
        # A cell such as `3p, 3` is one side of a passing pattern; then the others are sides as
        # well, so none is a name.
        if any(_SIDES_IN_COMMAS.fullmatch(cell) for cell in names):
            names = []
        longest = max((len(cell) for cell, _settings in patterns), default=0)
        longest_patterns = [pattern for pattern in patterns if len(pattern[0]) == longest]
        # Numbers between commas may be data of any kind, so there a name is needed beside them.
        if len(longest_patterns) == 1 and (names or delimiter != ","):
            ((text, settings),) = longest_patterns
            yield FoundPattern(names[0] if names else "", text, settings)
            return


def _patterns_after_commas(line: str) -> Iterator[FoundPattern]:
    """Yield the siteswaps of a line with commas between them, each perhaps with words in brackets.

    If any part between commas is not a siteswap, the line is taken for a sentence, and nothing is
    yielded. A siteswap without words of its own is named by the words behind the last one, as in
    "531, 441, 51 (three balls)".
    """
    parts = [part.strip() for part in _COMMA.split(line.rstrip(",."))]
    if not 1 < len(parts) <= _MAX_SITESWAPS:
        return
    patterns: list[FoundPattern] = []
    for part in parts:
        pattern = next(_pattern_at_start(part), None)
        # Words behind a siteswap must be in brackets, or the line is taken for a sentence.
        if pattern is None or (pattern.name and not part.endswith(")")):
            return
        patterns.append(pattern)
    for pattern in patterns:
        yield pattern._replace(name=pattern.name or patterns[-1].name)


def _pattern_beside_separator(line: str) -> Iterator[FoundPattern]:
    """Yield the siteswap that a tab, dash, colon or wide gap divides from its name.

    At most one is yielded. Its name consists of all other parts of the line, and of words in
    brackets behind the siteswap.
    """
    parts = [part.strip() for part in _SEPARATOR.split(line) if part.strip()]
    if len(parts) < 2:
        return
    # A siteswap mostly stands first or last, so these parts are tried before the inner ones.
    # `dict.fromkeys` tries each part only once.
    for index in dict.fromkeys((0, len(parts) - 1, *range(1, min(len(parts), _MAX_PARTS_BEFORE)))):
        part = parts[index]
        if len(part) < 3 and "p" in part:
            continue  # a lone pass such as 3p, which has nobody to pass to
        pattern = next(_pattern_at_start(part), None)
        if pattern is None:
            continue
        # Other words behind the siteswap in the same part show that the part is a sentence.
        if pattern.name and not _PARENTHESISED.fullmatch(part[len(pattern.text) :].strip()):
            continue
        names = [" – ".join(parts[:index] + parts[index + 1 :])]
        if pattern.name:
            names.append(f"({pattern.name})")
        yield pattern._replace(name=" ".join(filter(None, names)))
        return


def _pattern_at_start(line: str) -> Iterator[FoundPattern]:
    """Yield the siteswap at the start of a line, named by the words after it, if there is one.

    Throws before a bar, as in `4|531`, lead into the pattern and are ignored with a note.

    Args:
        line: line, or a part of one, as plain words.
    """
    if not _DIGIT.search(line):
        return
    entry = _ENTRY_THROWS_BEFORE_BAR.match(line)
    tokens = (line[entry.end() :] if entry else line).split()
    if not tokens:
        return

    # A siteswap may be several tokens: up to its closing bracket, or single throws such as 5 3 1.
    # The longer reading is tried first.
    token_counts = {_tokens_until_brackets_close(tokens)}
    if _SINGLE_THROW.fullmatch(tokens[0]):
        token_counts.add(_leading_single_throws(tokens))
    for token_count in sorted(token_counts, reverse=True):
        text = " ".join(tokens[:token_count]).rstrip(":;,")
        name = " ".join(tokens[token_count:]).lstrip("-–—:=, ")
        # A text of one or two characters before words is a number, as in "5 balls", or a lone pass
        # such as 3p.
        counts_something = token_count < len(tokens) and (
            "p" in text or _COUNTED_NOUN.match(tokens[token_count]) is not None
        )
        if len(text) < 3 and counts_something:
            continue
        if settings := throws_of(text):
            inner = _PARENTHESISED.fullmatch(name)
            note = (
                _("{entry} leads into {text} and is ignored", entry=entry[0], text=text)
                if entry
                else ""
            )
            yield FoundPattern(inner[1] if inner else name, text, settings, note=note)
            return


def _leading_single_throws(tokens: Sequence[str]) -> int:
    """Return how many tokens, from the first, are single throws, as in 5 3 1.

    In "5 3 1 3 balls" the last number does not count, as it counts the balls.
    """
    count = next(
        (index for index, token in enumerate(tokens) if not _SINGLE_THROW.fullmatch(token)),
        len(tokens),
    )
    if 1 < count < len(tokens) and _COUNTED_NOUN.match(tokens[count]):
        count -= 1
    return count


def _tokens_until_brackets_close(tokens: Sequence[str]) -> int:
    """Return how many tokens, from the first, it takes until all open brackets are closed.

    The count is 1 if the first token opens none, and if the brackets are never closed. The kinds of
    brackets are not told apart, since a pattern with mixed ones is refused when it is read.
    """
    depth = 0
    for count, token in enumerate(tokens, start=1):
        depth += _depth(token)
        if depth <= 0:
            return count
    return 1


def _depth(text: str) -> int:
    """Return how many more brackets a text opens than it closes."""
    return sum(map(text.count, "([<{")) - sum(map(text.count, ")]>}"))


def _pattern_at_end(line: str, *, names_first: bool) -> Iterator[FoundPattern]:
    """Yield the siteswap at the end of a line or in brackets, named by the words before it.

    At most one is yielded. A single digit is the number of something, and no siteswap.

    Args:
        line: line as plain words.
        names_first: whether most lines of the file end with throws. If not, one or two digits or a
            year at the end are taken for the number of something, such as a lesson.
    """
    # Groups: the words before the brackets, the throws in them, and the words behind, with a mark.
    bracketed = _NAME_WITH_BRACKETED_THROWS.fullmatch(line)
    if bracketed and throws_of(bracketed[2]):
        name = f"{bracketed[1]}{bracketed[3]}"
        text = bracketed[2]
    else:
        name, _unused, text = line.rpartition(" ")
        if _LESSON_OR_YEAR_NUMBER.fullmatch(text) and not names_first:
            return
    if len(text) > 1 and name and (settings := throws_of(text)):
        yield FoundPattern(name.rstrip(":-–—= "), text, settings)


def _malformed_throws(line: str, marked_line: str) -> Iterator[FoundPattern]:
    """Yield the text of a line that looks like throws but is invalid, with its error; at most one.

    Args:
        line: line as plain words, without marks of emphasis and bullets.
        marked_line: the same line with these.
    """
    # There are no throws in headings and in lines of source code, which are told by ||.
    if _HEADING.fullmatch(marked_line) or "||" in line:
        return
    first_word, _blank, other_words = line.partition(" ")
    # Texts that may be meant as throws, each with the words that would be its name: the whole line
    # if it has no words, else its first word; then the part behind the last separator. One or two
    # characters beside words are a number.
    candidates: list[tuple[str, str]] = []
    if not _NON_THROW_WORD.search(line) and _THROW_CHARACTERS.fullmatch(line):
        candidates.append((line, ""))
    elif len(first_word) > 2 or not other_words:
        candidates.append((first_word, other_words.strip()))
    parts = [part.strip() for part in _SEPARATOR.split(line) if part.strip()]
    if len(parts) > 1 and len(parts[-1]) > 2:
        candidates.append((parts[-1], " – ".join(parts[:-1])))
    for text, name in candidates:
        if look_like_throws(text):
            _settings, error = try_settings(text)
            if error:
                yield FoundPattern(name, text, error=error)
                return


def throws_of(text: str) -> Settings | None:
    """Read a text that stands beside words as throws; None if it may be something else.

    This is stricter than reading a line of throws alone: words, invalid throws, the end of a
    sentence, and counts such as 3X are not throws.
    """
    if not look_like_throws(text):
        return None
    if _COUNT_ABBREVIATION.fullmatch(text) or without_end_mark(text) != text:
        return None
    # A letter with a number, as J1, is a label; two letters between blanks are a word, as `to`; and
    # a lone pass, as 3p, has nobody to pass to.
    if (
        _LETTER_AND_NUMBER_LABEL.fullmatch(text)
        or _LONE_PASS.fullmatch(text)
        or _SHORT_WORDS.search(text)
    ):
        return None
    settings, _unused = try_settings(text)
    pattern = settings.score.pattern if settings else None
    if settings is None or pattern is None or not _throws_are_plausible(settings, text):
        return None
    # Decimal numbers of one juggler, such as 3.5 2.5, are data; fractions of a beat are for passes.
    is_data = pattern.jugglers == 1 and pattern.division > 1
    return None if is_data else settings


def _in_brackets(cells: Sequence[str], delimiter: str) -> Iterator[str]:
    """Yield cells, of which those that a delimiter within brackets divides are one again."""
    first = 0
    while first < len(cells):
        count = _tokens_until_brackets_close(cells[first:])
        yield delimiter.join(cells[first : first + count])
        first += count


def _split_row(line: str, delimiter: str) -> Sequence[str]:
    """Return the cells of a row, without blanks and quotes around them; none if it is malformed."""
    if delimiter == "|":
        return cells_of_row(line)
    try:
        cells = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return ()
    return [cell.strip().strip('"`') for cell in cells]


def is_sentence(line: str) -> bool:
    """Return whether a line is longer than a name, and ends a sentence or is very long."""
    words = len(WORD.findall(line))
    return words >= 2 * LONG_WORDS or (words >= LONG_WORDS and SENTENCE.search(line) is not None)


def cells_of_row(line: str) -> list[str]:
    r"""Return the cells of a row with bars between them, without blanks and marks of emphasis.

    A bar between `<` and `>` divides jugglers, and a `\|` is a part of its cell; neither ends a
    cell. Bars at the beginning and end of the line may be missing.
    """
    # Bars that end no cell are replaced by NUL, which no line has, until the row is divided.
    protected = _NO_CELL_END.sub(
        lambda match: match[0].removeprefix("\\").replace("|", "\0"), line.strip()
    )
    cells = protected.removeprefix("|").removesuffix("|").split("|")
    return [plain_words(cell.replace("\0", "|")) for cell in cells]
