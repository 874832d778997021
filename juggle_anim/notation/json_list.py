"""Lists of patterns in JSON: objects with a siteswap and a name, pairs of both, or siteswaps
alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from juggle_anim.errors import FileError
from juggle_anim.language import _
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.limits import MAX_JSON_LIST_CHARACTERS, MAX_JSON_VALUES, MAX_NESTING
from juggle_anim.notation.list_lines import (
    Field,
    FoundPattern,
    fields_named,
    look_like_throws,
    read_keyed,
    read_record,
    skipped,
    throws_of,
)
from juggle_anim.notation.pattern_list import Entry, Note, PatternList, collect_entries

_MAX_SAMPLED_RECORDS = 50  # of a list, by which it is known which member is the pattern

# Characters in which the next pattern is looked for, to say on which line it stands.
_SEARCHED_LENGTH = 20_000

_JIF_MEMBERS = ("throws", "limbs", "repetition")
"""Members by which an object is a document of JIF."""


def read_json(text: str, name: str) -> PatternList:
    """Read a list of patterns in JSON, or else a JIF document.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Raises:
        FileError: the text is neither, or reading takes too much work.
    """
    patterns = read_json_list(text, name)
    if patterns is not None:
        return patterns
    # Loaded when first needed, since a list needs none of it.
    from juggle_anim.notation.jif import read_jif

    return read_jif(text, name)


def read_json_list(text: str, name: str) -> PatternList | None:
    """Read a list of patterns in JSON; None if the text is something else, or has no patterns.

    A text longer than `MAX_JSON_LIST_CHARACTERS` is something else, too. An object is a record of a
    pattern. The member with the throws is recognised by its name, like a column of a table, or else
    by being a pattern in most records. Lists and objects around records, such as one for each
    number of balls, are searched.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Raises:
        FileError: there are too many values, or reading takes too much work.
    """
    if len(text) > MAX_JSON_LIST_CHARACTERS:
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):  # no JSON, or nested too deeply
        return None
    if not isinstance(document, dict | list):
        return None
    # A document of JIF, which has a reader of its own.
    if isinstance(document, dict) and any(key in document for key in _JIF_MEMBERS):
        return None

    # While `collect_entries` goes through the entries, the reader appends to its notes.
    reader = _Reader(text, name)
    lines = text.splitlines() or [""]
    patterns = collect_entries(reader.entries(document), name, lines, reader.notes)
    return patterns if patterns.patterns else None


class _Reader:
    """Goes through a document, and finds the lines on which its patterns stand."""

    def __init__(self, text: str, name: str) -> None:
        self._name = name
        self.notes: list[Note] = []
        self._text = text
        self._position = 0
        """Where the last pattern stands in the text."""
        self._line = 1
        """The line of that position, from 1."""
        self._count = 0
        """Values so far, to refuse too many."""

    def entries(self, value: Any, depth: int = 0) -> Iterator[Entry]:
        """Yield the patterns in a JSON value, in the order of the file.

        The names of members that hold lists or objects are yielded as headings without a pattern.

        Args:
            value: any value; only lists and objects hold patterns.
            depth: number of lists and objects around the value. A value with more than
                `MAX_NESTING` around it is not read.

        Raises:
            FileError: there are too many values.
        """
        self._count_value()
        if depth > MAX_NESTING:
            return
        if isinstance(value, list):
            yield from self._list_entries(value, depth)
        elif isinstance(value, dict):
            # An object is a record with one pattern, or maps names to patterns (or the reverse), or
            # else holds lists and objects, each under a key that becomes a heading.
            record = _record(value)
            if record and (pattern := read_keyed(record, all_settings=False)):
                yield from self._entry(pattern)
            elif named_texts := _names_and_patterns(value):
                for name, text in named_texts:
                    self._count_value()
                    yield from self._entry(read_record(text, name))
            else:
                for member, inner in value.items():
                    if isinstance(inner, dict | list):
                        yield Entry(str(member), line=self._line)
                        yield from self.entries(inner, depth + 1)

    def _list_entries(self, values: Sequence[Any], depth: int) -> Iterator[Entry]:
        """Yield the patterns of a list: texts, records, pairs with a name, and lists in it.

        Args:
            values: the values of the list.
            depth: number of lists and objects around it.
        """
        # The first values are a sample, which shows which member of each record is the pattern, and
        # whether at least half of the texts are patterns.
        records = filter(None, map(_record, values))
        pattern_key = _pattern_key(list(islice(records, _MAX_SAMPLED_RECORDS)))
        texts = [text for value in islice(values, _MAX_SAMPLED_RECORDS) if (text := _text(value))]
        are_patterns = 2 * sum(map(_is_pattern, texts)) >= len(texts)

        for value in values:
            self._count_value()
            record = _record(value)
            if text := _text(value):
                # In a list of patterns, a text that is none is shown with its error.
                if _is_pattern(text) or are_patterns:
                    yield from self._entry(read_record(text))
                # A skipped text is noted only in the outermost list. Inner lists may hold anything,
                # such as tags.
                elif not depth:
                    self.notes.append(Note(self._advance_to_line_of(text), skipped(text)))
            elif record and pattern_key in record:
                pattern = read_keyed(_with_pattern(record, pattern_key), all_settings=False)
                if pattern is None:
                    pattern_text = record[pattern_key]
                    self.notes.append(
                        Note(self._advance_to_line_of(pattern_text), skipped(pattern_text))
                    )
                yield from self._entry(pattern)
            elif _is_pair(value):
                # The name may be before the pattern or behind it.
                first, second = map(str, value[:2])
                text, name = (first, second) if throws_of(first) else (second, first)
                yield from self._entry(read_record(text, name))
            else:
                yield from self.entries(value, depth + 1)

    def _entry(self, pattern: FoundPattern | None) -> Iterator[Entry]:
        """Yield the entry of a pattern, and note which parts of it are not read.

        Nothing is yielded for None, and for words that are no pattern, which are noted.

        An entry is a pattern of a list, valid or not, or a comment.

        Args:
            pattern: the pattern as it was read from the JSON value; None if that holds no pattern.
        """
        if pattern is None:
            return
        line = self._advance_to_line_of(pattern.text)
        # A wrong text without digits is taken for words, and not for a siteswap with a mistake.
        if not pattern.settings and not any(map(str.isdigit, pattern.text)):
            self.notes.append(Note(line, skipped(pattern.text)))
            return
        if pattern.note:
            self.notes.append(Note(line, pattern.note))
        yield pattern.entry(line)

    def _count_value(self) -> None:
        self._count += 1
        if self._count > MAX_JSON_VALUES:
            raise FileError(
                _(
                    "{name} has more than {count} values, which is the limit",
                    name=self._name,
                    count=MAX_JSON_VALUES,
                )
            )

    def _advance_to_line_of(self, text: str) -> int:
        """Return the line of the file, from 1, on which a text of the document stands.

        The search begins at the text that was found last. A text that is not found, perhaps since
        it is written with escapes, is taken to stand on the same line as that.
        """
        # A text `pattern=…;…` was composed from several members, so only the value of `pattern`
        # stands in the file.
        pattern = text.partition("pattern=")[2].partition(";")[0] or text
        json_text = json.dumps(pattern, ensure_ascii=False)
        position = self._text.find(json_text, self._position, self._position + _SEARCHED_LENGTH)
        if position >= 0:
            self._line += self._text.count("\n", self._position, position)
            self._position = position
        return self._line


def _record(value: Any) -> dict[str, str]:
    """Return the members of an object that are texts or numbers, as texts; empty for others."""
    if not isinstance(value, Mapping):
        return {}
    return {
        str(key): str(inner) for key, inner in value.items() if isinstance(inner, str | int | float)
    }


def _text(value: Any) -> str:
    """Return a text, or a number of several digits as one; empty for any other value."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 9:
        return str(value)
    return value if isinstance(value, str) else ""


def _is_pattern(text: str) -> bool:
    """Return whether a text is throws, or a name of the library."""
    return throws_of(text) is not None or find_pattern(text) is not None


def _pattern_key(records: Sequence[Mapping[str, str]]) -> str | None:
    """Return the key of the member that has the pattern in each record of a list.

    It is a key with a usual name for patterns, such as "siteswap", or else the key whose member is
    a pattern in more than half of the records.

    Args:
        records: members of objects, by key.

    Returns:
        The key; None if there is none.
    """
    # All keys, in the order in which they first occur.
    keys = list(dict.fromkeys(key for record in records for key in record))
    index_by_field = fields_named(keys)
    if Field.PATTERN in index_by_field:
        return keys[index_by_field[Field.PATTERN]]

    pattern_counts = {
        key: sum(_is_long_pattern(record.get(key, "")) for record in records) for key in keys
    }
    best_key = max(pattern_counts, key=pattern_counts.__getitem__, default=None)
    if best_key is None or 2 * pattern_counts[best_key] <= len(records):
        return None
    return best_key


def _is_long_pattern(text: str) -> bool:
    return len(text) > 1 and not text.startswith("-") and throws_of(text) is not None


def _with_pattern(record: Mapping[str, str], key: str | None) -> dict[str, str]:
    """Return a record whose pattern has its usual name."""
    if key is None or Field.PATTERN in fields_named(list(record)):
        return dict(record)
    return {"siteswap" if member == key else member: value for member, value in record.items()}


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) >= 2
        and all(isinstance(inner, str) for inner in value[:2])
    )


def _names_and_patterns(json_object: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the (name, pattern) pairs of an object such as `{"Tower": "531"}` or its reverse.

    The result is empty unless all members are such pairs.

    Args:
        json_object: the members of the object.
    """
    members = list(json_object.items())
    if not members or not all(isinstance(text, str) for _key, text in members):
        return []
    # Values are usually the patterns, and some may have mistakes: it is enough that all look like
    # throws and one is valid. Keys are usually names, of which some, such as numbers, look like
    # throws: they count as patterns only if all are valid.
    all_look_like_throws = all(look_like_throws(text) for _key, text in members)
    if all_look_like_throws and any(throws_of(text) for _key, text in members):
        return members
    if all(throws_of(key) for key, _text in members):
        return [(text, key) for key, text in members]
    return []
