"""Blocks of pattern lists: what kind of text some lines are decides how they are read.

A file may hold a list with a pattern a line, tables, notes in `key: value`, blocks between fences
as Markdown has them, and prose. Each is found once, by its form, before a line of it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from juggle_anim.notation.limits import MAX_LINE_LENGTH
from juggle_anim.notation.list_records import SETTING_KEYS, Field, fields_named, plain_words
from juggle_anim.notation.prechac.respelling import labelled_lines


class BlockKind(Enum):
    """How the lines of a block are read."""

    LINES = auto()  # each by itself
    TABLE = auto()  # rows of cells between bars, of which the first may be the head
    PASSERS = auto()  # what each of several jugglers throws, a line each
    KEYED = auto()  # one pattern, in keys and values
    PROSE = auto()  # sentences, in which a siteswap is only spoken of
    OTHER = auto()  # a program, or the head of a note: no patterns are looked for


class Block(NamedTuple):
    """Lines of one kind.

    Args:
        kind: of them.
        first: index of the first of them in the file.
        lines: all of them, without blanks around them, and without fences.
    """

    kind: BlockKind
    first: int
    lines: Sequence[str]


_HASH_COMMENT = re.compile(r"\s#.*")
_FENCE = re.compile(r"(`{3,}|~{3,})\s*([\w+-]*)")
_LISTS = (
    "",
    "siteswap",
    "siteswaps",
    "juggling",
    "jugglinglab",
    "text",
    "txt",
    "plain",
    "plaintext",
    "csv",
    "md",
    "markdown",
)
"""Languages of fences between which lists stand; what any other says is a program."""

_KEYED = re.compile(r"([^\W\d_][\w #.-]{0,30}?)\s*(?::(?!\S)|=(?!=))\s*(.*)")
_DASH = re.compile(r"[-*+]\s+")
_OF_ITEMS = re.compile(r"\s*-\s.*|\s+\S.*")
"""What stands below a key in YAML."""

_ROW = re.compile(r"\|.*\||\|?[^|]+(?:\|[^|]*){2,}")
_NO_CELL_END = re.compile(r"\\\||<[^<>]*>")
_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_PLAIN = re.compile(r"(?![-*+•·‣–—>#|<`]|\(?\d{1,4}[.)]\s|\[[ xX]?\])\S")
"""A line that neither is an item of a list nor begins with a mark."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE = re.compile(r"[^\W\d_)\]\"'’*]{2,}[)\]\"'’*]*[.!?:;](?:\s|$)")
_MOST_HEAD = 200  # lines of the head of a note

LONG = 9
"""Words from which a line is more than the name of a pattern."""


def blocks_of(lines: Sequence[str], first: int = 0) -> Iterator[Block]:
    """Divide the lines of a file into blocks.

    Args:
        lines: of the file.
        first: index of the first that is divided.
    """
    index = first
    end = _end_of_head(lines, first)
    if end:
        yield _head_of_note(lines, first, end)
        index = end + 1
    while index < len(lines):
        fence = _FENCE.fullmatch(lines[index].strip())
        end = _end_of_fence(lines, index, fence[1]) if fence else index
        if fence:
            yield from _fenced(fence[2].casefold(), index + 1, lines[index + 1 : end])
            index = end + 1
            continue
        while end < len(lines) and not _FENCE.fullmatch(lines[end].strip()):
            end += 1
        yield from _unfenced(lines, index, end)
        index = end


def _unfenced(lines: Sequence[str], first: int, end: int) -> Iterator[Block]:
    """The blocks of lines between fences, or outside of them."""
    index = first
    while index < end:
        if count := _passers_count(lines, index, end):
            yield Block(
                BlockKind.PASSERS, index, list(map(_without_comment, lines[index : index + count]))
            )
            index += count
        elif count := _keyed_count(lines, index, end):
            yield Block(BlockKind.KEYED, index, lines[index : index + count])
            index += count
        elif count := _row_count(lines, index, end):
            yield Block(
                BlockKind.TABLE, index, [line.strip() for line in lines[index : index + count]]
            )
            index += count
        elif count := _paragraph_length(lines, index, end):
            kind = BlockKind.PROSE if _is_prose(lines[index : index + count]) else BlockKind.LINES
            yield Block(kind, index, [line.strip() for line in lines[index : index + count]])
            index += count
        else:
            yield Block(BlockKind.LINES, index, [lines[index].strip()])
            index += 1


def keys_and_values(lines: Sequence[str]) -> dict[str, str]:
    """The settings that lines of a note say; the first value of a key counts."""
    fields: dict[str, str] = {}
    for line in lines:
        if match := _keyed(line):
            value = re.sub(r"\s#\s.*", "", match[2]).strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            fields.setdefault(match[1].strip(), value)
    return fields


def _keyed(line: str) -> re.Match[str] | None:
    """A key and a value, of a list of them, too."""
    return _KEYED.fullmatch(_DASH.sub("", line.strip(), count=1))


def is_sentence(line: str) -> bool:
    """Whether a line is longer than a name of a pattern, and ends a sentence or has many words."""
    words = len(_WORD.findall(line))
    return words >= 2 * LONG or (words >= LONG and _SENTENCE.search(line) is not None)


def _end_of_head(lines: Sequence[str], first: int) -> int:
    """Index of the line that ends the head of a note, between lines of `---`; 0 if there is
    none.
    """
    if first >= len(lines) or lines[first].strip() != "---":
        return 0
    for index in range(first + 1, min(len(lines), first + _MOST_HEAD)):
        line = lines[index]
        if line.strip() in ("---", "..."):
            return index if index > first + 1 else 0
        if line.strip() and not (_KEYED.fullmatch(line) or _OF_ITEMS.fullmatch(line)):
            return 0
    return 0


def _head_of_note(lines: Sequence[str], first: int, end: int) -> Block:
    keyed = [line if _KEYED.fullmatch(line) else "" for line in lines[first + 1 : end]]
    is_pattern = Field.PATTERN in fields_named(list(keys_and_values(keyed)))
    return Block(BlockKind.KEYED if is_pattern else BlockKind.OTHER, first + 1, keyed)


def _end_of_fence(lines: Sequence[str], index: int, fence: str) -> int:
    """Index of the line that closes a fence, or of the end."""
    for end in range(index + 1, len(lines)):
        line = lines[end].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return end
    return len(lines)


def _fenced(language: str, first: int, lines: Sequence[str]) -> Iterator[Block]:
    fields = keys_and_values(lines)
    said = [line for line in lines if line.strip()]
    if Field.PATTERN in fields_named(list(fields)) and len(fields) == len(said):
        yield Block(BlockKind.KEYED, first, lines)
    elif language in _LISTS:
        for block in _unfenced(lines, 0, len(lines)):
            yield block._replace(first=first + block.first)
    else:
        yield Block(BlockKind.OTHER, first, [line.strip() for line in lines])


def _passers_count(lines: Sequence[str], index: int, end: int) -> int:
    """How many lines from some index on are `A: 3pB 3`, `B: 3pA 3` and so on; 0 if they are not."""
    if ":" not in lines[index]:
        return 0
    return len(labelled_lines(_without_comment(lines[number]) for number in range(index, end)))


def _without_comment(line: str) -> str:
    """A line without what stands behind a # and without marks of Markdown."""
    return plain_words(_HASH_COMMENT.sub("", line[:MAX_LINE_LENGTH]))


def _keyed_count(lines: Sequence[str], index: int, end: int) -> int:
    """How many lines from some index on are settings of one pattern, a key each; 0 if they are not.

    One of them must be that of the pattern, and another a setting, a size or a number of props or
    jugglers.
    """
    keys: list[str] = []
    for number in range(index, min(end, index + _MOST_HEAD)):
        match = _keyed(lines[number])
        if match is None or ";" in match[2] or match[1].casefold() in map(str.casefold, keys):
            break
        keys.append(match[1])
    roles = fields_named(keys)
    settings = sum(key.casefold() in _KNOWN for key in keys)
    if Field.PATTERN not in roles or len(keys) < 2:
        return 0
    return len(keys) if settings or roles.keys() - {Field.PATTERN} else 0


_KNOWN = SETTING_KEYS | {
    "height",
    "scale",
    "fps",
    "slowdown",
    "border",
    "camangle",
    "showground",
    "hidejugglers",
}
"""Keys of settings, and those of animators on the web that are of the picture."""


def _row_count(lines: Sequence[str], index: int, end: int) -> int:
    """How many lines from some index on are rows of a table with bars and a head; 0 if they are
    none.
    """
    if not _ROW.fullmatch(lines[index].strip()) or index + 1 == end:
        return 0
    ruled = _is_rule(lines[index + 1])
    if not ruled and not has_beats(cells_of_row(lines[index])):
        return 0
    count = 2 if ruled else 1
    while index + count < end and "|" in lines[index + count]:
        count += 1
    return count


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


def has_beats(cells: Sequence[str]) -> bool:
    """Whether cells are the head of a diagram, with numbers of beats after the first, some of which
    may be left out.
    """
    numbers = [int(cell) for cell in cells[1:] if cell.isdecimal() and len(cell) < 4]
    return (
        len(cells) > 2
        and len(numbers) > 1
        and not cells[0][:1].isdecimal()
        and numbers[0] in (0, 1)
        and numbers == sorted(set(numbers))
        and all(cell.isdecimal() or not cell for cell in cells[1:])
    )


def _is_rule(line: str) -> bool:
    return "-" in line and _RULE.fullmatch(line.strip()) is not None


def _paragraph_length(lines: Sequence[str], index: int, end: int) -> int:
    """How many lines from some index on follow each other without a gap, an item of a list or a
    mark.
    """
    count = 0
    while index + count < end and _PLAIN.match(lines[index + count].strip()):
        if _passers_count(lines, index + count, end):
            break
        count += 1
    return count


def _is_prose(lines: Sequence[str]) -> bool:
    """Whether lines are sentences that go over several of them: most are long, and one ends a
    sentence.
    """
    long = sum(len(_WORD.findall(line)) >= LONG - 2 for line in lines)
    return len(lines) > 1 and 2 * long > len(lines) and any(map(_SENTENCE.search, lines))
