"""Lines of pattern lists as people write them: a siteswap and words beside it, in columns, tables, bullets or CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.errors import JuggleError
from juggle_anim.language import _
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.pattern_list import without_traceback
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.notation.siteswap.syntax import without_end_mark

_LONGEST = 1_000
"""Longer lines are no names with throws, [characters]."""

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
_DIGIT = re.compile(r"[0-9]")
_ONE_THROW = re.compile(r"[0-9a-z](?:[0-9])?(?:\.[0-9])?(?:x?px?|x)?[0-9]?", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?:balls?|clubs?|rings?|props?|objects?|beanbags?|torches|knives|jugglers?|persons?|people|hands?|handed|counts?"
    r"|beats?|throws?|high|up|in|of|per|x)\b|[-–]",
    re.IGNORECASE,
)
_SHARED = re.compile(r"\s*\S+\s+for\s+[0-9]{1,3}(?:\s+jugglers?)?\s*")
_BULLET = re.compile(r"^(?:[-*+•·‣–—>]\s+|\(?[0-9]{1,4}[.)]\s+|\[[ xX]?\]\s+)+")
_TIMES = re.compile(r"[0-9]+[xX]")
_LINE_NUMBER = re.compile(r"[0-9]\.")
_HEADING = re.compile(r"[=~_*#-]{2,}.*|\[\s*[^\]]*\]|[^:]*:")
_QUOTED = re.compile(r"^['\"‘“`]([^'\"’”`\s]+)['\"’”`](?=[\s:,]|$)")
_EMPHASIS = re.compile(r"\*\*|__|``?|(?<![^\s(])[*_](?=[^\W\d_])|(?<=[^\W\d_])[*_](?=[\s:;,.)]|$)")
_ESCAPED = re.compile(r"\\([*()_\[\]|#-])")
_LINK = re.compile(r"!?\[([^\]]+)\]\([^()\s]*:[^()\s]*\)")
_SEPARATOR = re.compile(r"\t+|\s{2,}|\s+[-–—=|~]+>?\s+|:\s+|\s*;\s+|\s*=+>\s*")
_COMMA = re.compile(r",\s+(?![^()]*\))")
_BARE_SIDES = re.compile(
    r"(?:(?:(?=[0-9(\[|])(?:[0-9pPxA-F.\[\],*!|]|\([0-9pPxA-F.\[\],\s]+\))+|vs\.?|versus)(?:\s+|$))+"
)
_VERSUS = re.compile(r"vs\.?|versus")
_SPACED_BAR = re.compile(r"\s\|\s")
_PASS_OR_THROW, _SPACED = re.compile(r"([0-9](?:\.[0-9])?(?:px?|x)?) *(?=[0-9(\[])"), r"\1 "
_RULE = re.compile(r"[\s|:+=-]+")
_COMMENT = re.compile(r"\((.*)\)")
_IN_BRACKETS = re.compile(r"([^(]*\S)\s*\(([^()\s]+)\)(.*)")
_ENTRY = re.compile(r"[0-9a-z]{1,8}\|(?=[0-9a-z(\[])", re.IGNORECASE)

_SITESWAP_COLUMNS = ("siteswap", "pattern", "notation", "vanilla siteswap", "ss", "throws")
_NAME_COLUMNS = ("name", "title", "trick", "label", "trick name", "pattern name", "description")
_JUGGLER_COLUMNS = ("jugglers", "passers", "people", "# jugglers", "number of jugglers")


class Found(NamedTuple):
    """What a part of a line says.

    Args:
        name: the words beside it.
        text: its throws, settings or name of the library.
        settings: what the text says; None where it is wrong.
        error: why it is wrong; None also where there is no pattern.
        note: what of it is not read.
    """

    name: str
    text: str
    settings: Settings | None = None
    error: JuggleError | None = None
    note: str = ""


class Columns(NamedTuple):
    """The columns that the head of a table names: where the siteswap, the name and the number of jugglers stand."""

    delimiter: str
    siteswap: int
    name: int | None
    jugglers: int | None
    others: tuple[str, ...]


def read_head(line: str) -> Columns | None:
    """The columns of a table whose head a line is; None if it is none."""
    for delimiter in "\t|;,":
        cells = [cell.casefold() for cell in _cells(line, delimiter)]
        named = [cell for cell in _SITESWAP_COLUMNS if cell in cells]
        if len(cells) < 2 or not named:
            continue
        siteswap = cells.index(named[0])
        name, jugglers = (
            next((cells.index(each) for each in names if each in cells and cells.index(each) != siteswap), None)
            for names in (_NAME_COLUMNS, _JUGGLER_COLUMNS)
        )
        read = (siteswap, name, jugglers)
        others = tuple(cell for number, cell in enumerate(cells) if number not in read and cell)
        return Columns(delimiter, siteswap, name, jugglers, others)
    return None


def read_row(line: str, columns: Columns) -> tuple[Found, ...]:
    """The pattern in a row of a table with a head; none where its column is empty."""
    cells = _cells(line, columns.delimiter)
    text = cells[columns.siteswap] if columns.siteswap < len(cells) else ""
    if _RULE.fullmatch(line) or not text:
        return ()
    name = cells[columns.name] if columns.name is not None and columns.name < len(cells) else ""
    jugglers = cells[columns.jugglers] if columns.jugglers is not None and columns.jugglers < len(cells) else ""
    if "p" in text and "<" not in text and jugglers in ("2", "3", "4", "5", "6", "7"):
        text = f"pattern={text};jugglers={jugglers}"
    settings, error = _read(plain_words(text))
    return (Found(plain_words(name), plain_words(text), settings, error),)


def read_line(line: str) -> tuple[Found, ...]:
    """The patterns in a line of a list: mostly one, several after commas, or none.

    A pattern that is wrong is among them where it looks like throws. Words are never taken for throws beside others.

    Args:
        line: without comments, blanks around it or settings.
    """
    if _LINE_NUMBER.fullmatch(line):
        return ()
    if whole := _whole(without_end_mark(_ESCAPED.sub(r"\1", line))):
        return (whole,)
    if len(line) > _LONGEST or _RULE.fullmatch(line):
        return ()
    plain = plain_words(line)
    for candidates in (_sides(plain), _several(plain), _table(plain), _separated(plain), _first(plain), _last(plain)):
        if found := tuple(candidates):
            return found
    return tuple(_wrong(plain, line))


def _whole(line: str) -> Found | None:
    """A line that is nothing but a pattern."""
    words = [word for word in _WORD.findall(line) if re.search(r"\s", line) or not _may_be_throws(word)]
    if words and line != words[0] and not _SHARED.fullmatch(line) and find_pattern(line) is None:
        return None
    settings, _unused = _read(line)
    return Found("", line, settings) if settings and _is_plain(settings, line) else None


def _may_be_throws(word: str) -> bool:
    """Whether letters in a line without blanks may be throws: few of them, or in order as those of a multiplex."""
    letters = sorted(word.casefold())
    return len(word) <= _SHORT_WORD or list(word.casefold()) in (letters, letters[::-1])


def _is_plain(settings: Settings, text: str) -> bool:
    """Whether no throw is so high that a number of something else must be meant: those after commas are siteswaps."""
    pattern = settings.score.pattern
    if pattern is None or "," not in text or "(" in text:
        return True
    return max((throw.value / pattern.division for throw in pattern.throws), default=0) <= _LARGEST


def _sides(line: str) -> Iterator[Found]:
    """What several jugglers throw, with a | or vs between them, but without < > and spaces."""
    found = _BARE_SIDES.match(line)
    sides = _VERSUS.sub("|", found[0]) if found else ""
    passed = ["p" in side.casefold() for side in sides.split("|")]
    if found and len(passed) > 1 and any(passed):
        text = f"<{_PASS_OR_THROW.sub(_SPACED, sides).strip()}>"
        settings, error = _read(text)
        # Five against seven clubs is no pattern, and what leads into one may stand before a bar.
        if settings or all(passed) or _SPACED_BAR.search(found[0]):
            yield Found(line[found.end() :].strip(), text if settings else found[0].strip(), settings, error)


def _table(line: str) -> Iterator[Found]:
    """The longest cell of a row that is a pattern, with the first one of words."""
    for delimiter in ("\t", "|", ","):
        if delimiter not in line or (delimiter == "|" and not line.startswith("|")):
            continue
        cells = [cell for cell in _cells(line, delimiter) if cell][:_MOST_CELLS]
        read = [(cell, _throws(cell)) for cell in cells] if len(cells) > 1 else []
        valid = [(cell, settings) for cell, settings in read if settings]
        words = [cell for cell, settings in read if not settings and not _DIGIT.fullmatch(cell)]
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
        if found and (not found.name or _COMMENT.fullmatch(parts[index][len(found.text) :].strip())):
            others = [part for number, part in enumerate(parts) if number != index]
            yield found._replace(name=" ".join(filter(None, [" – ".join(others), found.name and f"({found.name})"])))
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
        count = next((n for n, token in enumerate(tokens) if not _ONE_THROW.fullmatch(token)), len(tokens))
        if 1 < count < len(tokens) and _COUNTED.match(tokens[count]):
            count -= 1
    for number in sorted({count, _closed(tokens)}, reverse=True):
        text = " ".join(tokens[:number]).rstrip(":;,")
        name = " ".join(tokens[number:]).lstrip("-–—:=, ")
        if len(text) < 3 and number < len(tokens) and ("p" in text or _COUNTED.match(tokens[number])):
            continue
        if settings := _throws(text):
            inner = _COMMENT.fullmatch(name)
            note = _("{entry} leads into {text}, and is not read", entry=entry[0], text=text) if entry else ""
            yield Found(inner[1] if inner else name, text, settings, note=note)
            return


def _closed(tokens: Sequence[str]) -> int:
    """How many tokens there are until every bracket that the first ones open is closed; 1 if that never is."""
    depth = 0
    for number, token in enumerate(tokens, start=1):
        depth += sum(token.count(sign) for sign in "([<{") - sum(token.count(sign) for sign in ")]>}")
        if depth <= 0:
            return number
    return 1


def _last(line: str) -> Iterator[Found]:
    """A siteswap at the end, or in brackets, and words before it; a single throw is the number of something."""
    inside = _IN_BRACKETS.fullmatch(line)
    if inside and _throws(inside[2]):
        name, text = f"{inside[1]}{inside[3]}", inside[2]
    else:
        name, _unused, text = line.rpartition(" ")
    if len(text) > 1 and name and (settings := _throws(text)):
        yield Found(name.rstrip(":-–—= "), text, settings)


def _wrong(line: str, whole: str) -> Iterator[Found]:
    """What looks like throws, but is wrong: a line without words, the beginning of one, or what a separator parts."""
    if _HEADING.fullmatch(whole):
        return
    first, _unused, rest = line.partition(" ")
    tried = [(first, rest.strip())] if len(first) > 2 or not rest else []
    if not _WORD.search(line) and _THROWS.fullmatch(line):
        tried = [(line, "")]
    parts = [part.strip() for part in _SEPARATOR.split(line) if part.strip()]
    tried += [(parts[-1], " – ".join(parts[:-1]))] if len(parts) > 1 and len(parts[-1]) > 2 else []
    for text, name in tried:
        if _DIGIT.search(text) and _THROWS.fullmatch(text) and not _WORD.search(text):
            _settings, error = _read(text)
            if error:
                yield Found(name, text, error=error)
                return


def _throws(text: str) -> Settings | None:
    """What throws say; None for words, for what is wrong, for the end of a sentence, and for a count such as 3X."""
    if not (_THROWS.fullmatch(text) and _DIGIT.search(text)) or _WORD.search(text):
        return None
    if _TIMES.fullmatch(text) or without_end_mark(text) != text:
        return None
    settings, _unused = _read(text)
    pattern = settings.score.pattern if settings else None
    # Beside words, numbers such as 3.5 2.5 are measures of something else.
    measures = pattern is not None and pattern.jugglers == 1 < pattern.division
    return settings if settings and pattern and not measures and _is_plain(settings, text) else None


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Settings | None, JuggleError | None]:
    try:
        return read_settings(text), None
    except JuggleError as error:
        return None, without_traceback(error)


def plain_words(line: str) -> str:
    """A line without bullets, numbers of lines, quotes around throws, and marks of emphasis and links."""
    line = _BULLET.sub("", line, count=1)
    line = _QUOTED.sub(r"\1", _LINK.sub(r"\1", _ESCAPED.sub(r"\1", line)), count=1)
    return _EMPHASIS.sub("", line).strip().strip('"')


def _cells(line: str, delimiter: str) -> Sequence[str]:
    """The cells of a row, without blanks around them."""
    if delimiter == "|":
        cells = line.strip().strip("|").split("|")
    else:
        try:
            cells = next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error:
            return ()
    return [cell.strip().strip('"`') for cell in cells]
