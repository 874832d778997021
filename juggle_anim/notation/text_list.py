"""Plain text lists: a pattern a line, with names beside siteswaps and comments after a #.

A file may also hold tables, notes in `key: value`, blocks between fences as Markdown has them, and
prose. Each block is found once, by its form, before a line of it is read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from juggle_anim.errors import FileError, NotationError, joined_names
from juggle_anim.language import _, ngettext
from juggle_anim.notation.limits import MAX_LINE_LENGTH
from juggle_anim.notation.list_lines import (
    LINK,
    LONG_WORDS,
    SENTENCE,
    SETTING_KEYS,
    WORD,
    Columns,
    Field,
    FoundPattern,
    are_throws,
    cells_of_row,
    columns_named,
    fields_named,
    plain_words,
    read_diagram,
    read_head,
    read_keyed,
    read_line,
    read_row,
    read_rows,
    read_tagged,
    skipped,
    without_tags,
)
from juggle_anim.notation.pattern_list import (
    Entry,
    Note,
    PatternList,
    WrittenText,
    collect_entries,
    lines_of,
    try_settings,
)
from juggle_anim.notation.prechac.respelling import labelled_lines, names_receivers
from juggle_anim.notation.settings.settings import Settings, is_link, read_settings, write_settings
from juggle_anim.parameters import Parameters


class BlockKind(Enum):
    """The way to read the lines of a block."""

    LINES = auto()  # each by itself
    TABLE = auto()  # rows of cells between bars, of which the first may be the head
    PASSERS = auto()  # what each of several jugglers throws, a line each
    KEYED = auto()  # one pattern, in keys and values
    PROSE = auto()  # sentences, in which a siteswap is only spoken of
    OTHER = auto()  # a program, or the head of a note: no patterns are looked for


class Block(NamedTuple):
    """Lines of one kind.

    Args:
        kind: the kind of them.
        first: index of the first of them in the file.
        lines: all lines, without blanks around them, and without fences.
    """

    kind: BlockKind
    first: int
    lines: Sequence[str]


# Words behind a siteswap.
_HASH_COMMENT = re.compile(r"\s#.*")
# The line that begins or ends a block of Markdown, and its language.
_FENCE = re.compile(r"(`{3,}|~{3,})\s*([\w+-]*)")
_FENCE_LANGUAGES_OF_LISTS = (
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

# A key with its value, as `balls: 3` or `balls = 3`.
_KEY_AND_VALUE = re.compile(r"([^\W\d_][\w #.-]{0,30}?)\s*(?::(?!\S)|=(?!=))\s*(.*)")
_DASH = re.compile(r"[-*+]\s+")
_BELOW_YAML_KEY = re.compile(r"\s*-\s.*|\s+\S.*")
"""What stands below a key in YAML."""

_TABLE_ROW = re.compile(r"\|.*\||\|?[^|]+(?:\|[^|]*){2,}")
# The line under the head of a table.
_TABLE_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_WITHOUT_ITEM_MARK = re.compile(r"(?![-*+•·‣–—>#|<`]|\(?\d{1,4}[.)]\s|\[[ xX]?\])\S")
"""A line that neither is an item of a list nor begins with a mark."""

_MAX_HEAD_LINES = 200  # lines of the head of a note


def blocks_of(lines: Sequence[str], first: int = 0) -> Iterator[Block]:
    """Divide the lines of a file into blocks: the head of a note, fenced lines, and all between.

    Fences are lines of backticks or tildes, as in Markdown.

    Args:
        lines: all lines of the file.
        first: index of the line to begin with. Only there can the head of a note (keys and values
            in YAML) stand.

    Yields:
        Blocks in their order in the file. The fences, and the marks around the head, are in none of
        them.
    """
    index = first
    # 0 if there is no head; a head that begins at line 0 ends later.
    head_end = _note_head_end(lines, first)
    if head_end:
        yield _note_head_block(lines, first, head_end)
        index = head_end + 1
    while index < len(lines):
        fence = _FENCE.fullmatch(lines[index].strip())
        if fence:
            # Group 1 of the match is the backticks or tildes, group 2 the language, perhaps empty.
            end = _closing_fence(lines, index, fence[1])
            yield from _blocks_in_fence(fence[2].casefold(), index + 1, lines[index + 1 : end])
            # If no line closes the fence, `end` is the number of lines, and the loop ends.
            index = end + 1
            continue
        end = index
        while end < len(lines) and not _FENCE.fullmatch(lines[end].strip()):
            end += 1
        yield from _blocks_by_form(lines, index, end)
        index = end


def _blocks_by_form(lines: Sequence[str], first: int, end: int) -> Iterator[Block]:
    """Divide lines into blocks by their form, such as a table or lines of `key: value`.

    Args:
        lines: the lines of a whole file, without fences in this range.
        first: index of the first line.
        end: index after the last line.

    Yields:
        The blocks in order, each with the index of its first line in the file. In the throws of
        several passers comments are dropped. Other lines are stripped of blanks, except keyed ones,
        whose indent matters.
    """
    index = first
    while index < end:
        kind, count = _form_at(lines, index, end)
        block_lines = lines[index : index + count]
        if kind == BlockKind.PASSERS:
            block_lines = list(map(_without_comment, block_lines))
        elif kind != BlockKind.KEYED:
            block_lines = [line.strip() for line in block_lines]
        yield Block(kind, index, block_lines)
        index += count


def _form_at(lines: Sequence[str], index: int, end: int) -> tuple[BlockKind, int]:
    """Return the kind of the block that begins at an index, and how many lines it has.

    The forms are tried from the most special, the throws of several passers, to the most general, a
    single line. Each `_…_count` function returns how many lines from this index on have its form.

    Args:
        lines: all lines of the file.
        index: the index of the first line of the block.
        end: index after the last line that may belong to it.
    """
    if count := _passers_count(lines, index, end):
        return BlockKind.PASSERS, count
    if count := _keyed_count(lines, index, end):
        return BlockKind.KEYED, count
    if count := _row_count(lines, index, end):
        return BlockKind.TABLE, count
    count = _paragraph_length(lines, index, end)
    is_prose = _is_prose(lines[index : index + count])
    return BlockKind.PROSE if is_prose else BlockKind.LINES, max(count, 1)


def keys_and_values(lines: Sequence[str]) -> dict[str, str]:
    """Return the values in lines of the form `key: value` by their keys, in the order of the lines.

    If a key comes more than once, its first value counts. Lines without a key, comments behind a #
    and quotes around a value are dropped. Keys keep their case.
    """
    fields: dict[str, str] = {}
    for line in lines:
        if match := _match_key_and_value(line):
            # Group 1 is the key, group 2 the value with a comment.
            value = re.sub(r"\s#\s.*", "", match[2]).strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            fields.setdefault(match[1].strip(), value)
    return fields


def _match_key_and_value(line: str) -> re.Match[str] | None:
    """Match a key and a value, perhaps as an item of a list."""
    return _KEY_AND_VALUE.fullmatch(_DASH.sub("", line.strip(), count=1))


def _note_head_end(lines: Sequence[str], first: int) -> int:
    """Return the index of the line that ends the head of a note, in YAML; 0 if there is no head.

    The head begins with `---` at index `first`, and ends with `---` or `...`, within
    `_MAX_HEAD_LINES` lines.
    """
    if first >= len(lines) or lines[first].strip() != "---":
        return 0
    for index in range(first + 1, min(len(lines), first + _MAX_HEAD_LINES)):
        line = lines[index]
        if line.strip() in ("---", "..."):
            # Two marks with no line between them are horizontal rules of Markdown, not a head.
            return index if index > first + 1 else 0
        # A line that is neither blank nor YAML shows that the `---` was a rule above a list.
        if line.strip() and not (_KEY_AND_VALUE.fullmatch(line) or _BELOW_YAML_KEY.fullmatch(line)):
            return 0
    return 0


def _note_head_block(lines: Sequence[str], first: int, end: int) -> Block:
    keyed = [line if _KEY_AND_VALUE.fullmatch(line) else "" for line in lines[first + 1 : end]]
    is_pattern = Field.PATTERN in fields_named(list(keys_and_values(keyed)))
    return Block(BlockKind.KEYED if is_pattern else BlockKind.OTHER, first + 1, keyed)


def _closing_fence(lines: Sequence[str], index: int, fence: str) -> int:
    """Return the index of the line that closes a fence; the number of lines if none does.

    Args:
        lines: all lines of the file.
        index: the index of the line that opens the fence.
        fence: its backticks or tildes, all alike.
    """
    for end in range(index + 1, len(lines)):
        line = lines[end].strip()
        # The closing line has at least the same number of the same signs, and nothing else.
        if line.startswith(fence) and not line.strip(fence[0]):
            return end
    return len(lines)


def _blocks_in_fence(language: str, first: int, lines: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks of lines between fences, by the language that the fence names.

    Args:
        language: language in lower case; empty if the fence names none.
        first: index in the file of the first of the lines.
        lines: lines between the fences.
    """
    fields = keys_and_values(lines)
    written_lines = [line for line in lines if line.strip()]
    # The settings of one pattern are read whatever the language is, for example YAML. In them every
    # line that is not blank has a key of its own, so there are as many keys as lines.
    if Field.PATTERN in fields_named(list(fields)) and len(fields) == len(written_lines):
        yield Block(BlockKind.KEYED, first, lines)
    elif language in _FENCE_LANGUAGES_OF_LISTS:
        for block in _blocks_by_form(lines, 0, len(lines)):
            # Indices within the fence become indices in the file.
            yield block._replace(first=first + block.first)
    else:
        yield Block(BlockKind.OTHER, first, [line.strip() for line in lines])


def _passers_count(lines: Sequence[str], index: int, end: int) -> int:
    """Count the lines from an index on that are `A: 3pB 3`, `B: 3pA 3` and so on."""
    if ":" not in lines[index]:
        return 0
    return len(labelled_lines(_without_comment(lines[number]) for number in range(index, end)))


def _without_comment(line: str) -> str:
    """Return a line without its comment after a # and without marks of Markdown."""
    return plain_words(_HASH_COMMENT.sub("", line[:MAX_LINE_LENGTH]))


def _keyed_count(lines: Sequence[str], index: int, end: int) -> int:
    """Return the number of lines from an index on that are settings of one pattern, one key each.

    Args:
        lines: lines of the file.
        index: index of the first line.
        end: index after the last line that may be counted; at most `_MAX_HEAD_LINES` lines are.

    Returns:
        The number of lines, at least 2; 0 if no key means the pattern, or if no other key means a
        setting, a size of the picture, a name, or a number of props or jugglers.
    """
    keys: list[str] = []
    for number in range(index, min(end, index + _MAX_HEAD_LINES)):
        match = _match_key_and_value(lines[number])
        # A ; shows that the line is a whole pattern with its settings, to be read by itself. A key
        # that was there before begins another pattern.
        if match is None:
            break
        key = match[1]
        value = match[2]
        if ";" in value or key.casefold() in map(str.casefold, keys):
            break
        keys.append(key)
    known_fields = fields_named(keys)
    if Field.PATTERN not in known_fields or len(keys) < 2:
        return 0
    has_settings = any(key.casefold() in _SETTING_AND_PICTURE_KEYS for key in keys)
    has_other_fields = len(known_fields) > 1
    return len(keys) if has_settings or has_other_fields else 0


_SETTING_AND_PICTURE_KEYS = SETTING_KEYS | {
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
    """Return the number of lines from an index on that are a table with bars: head, rule and rows.

    A line with bars may also be a passing pattern, so a table must have a rule below its head, such
    as `|---|---|`, or a head of beats.

    Args:
        lines: lines of the file.
        index: index of the line that may be the head.
        end: index after the last line that may be counted.

    Returns:
        The number of lines, with the head and the rule; 0 if they do not form a table.
    """
    # A head in the last line has no rows, so it does not form a table.
    if not _TABLE_ROW.fullmatch(lines[index].strip()) or index + 1 == end:
        return 0
    has_rule = _is_table_rule(lines[index + 1])
    if not has_rule and not has_beats(cells_of_row(lines[index])):
        return 0
    count = 2 if has_rule else 1
    while index + count < end and "|" in lines[index + count]:
        count += 1
    return count


def has_beats(cells: Sequence[str]) -> bool:
    """Return whether cells are the head of a table of beats: increasing numbers from 0 or 1 on.

    Cells of some beats may be empty. The first cell is the head of the column of names, so it does
    not begin with a digit.
    """
    # Numbers of four digits or more are years and the like, not beats.
    beats = [int(cell) for cell in cells[1:] if cell.isdecimal() and len(cell) < 4]
    return (
        len(cells) > 2
        and len(beats) > 1
        and not cells[0][:1].isdecimal()
        and beats[0] in (0, 1)
        and beats == sorted(set(beats))
        and all(cell.isdecimal() or not cell for cell in cells[1:])
    )


def _is_table_rule(line: str) -> bool:
    return "-" in line and _TABLE_RULE.fullmatch(line.strip()) is not None


def _paragraph_length(lines: Sequence[str], index: int, end: int) -> int:
    """Return the number of lines of the paragraph that begins at an index; 0 if none begins there.

    It ends before a blank line, an item of a list, a line with a mark such as a heading, the throws
    of several passers, or index `end`.
    """
    count = 0
    while index + count < end and _WITHOUT_ITEM_MARK.match(lines[index + count].strip()):
        if _passers_count(lines, index + count, end):
            break
        count += 1
    return count


def _is_prose(lines: Sequence[str]) -> bool:
    """Return whether lines are a text of sentences: most are long, and one ends a sentence."""
    # Editors wrap paragraphs, so a line of one may have two words fewer than a lone sentence.
    long_lines = sum(len(WORD.findall(line)) >= LONG_WORDS - 2 for line in lines)
    return len(lines) > 1 and 2 * long_lines > len(lines) and any(map(SENTENCE.search, lines))


_TITLE = re.compile(r"# title:(.*)", re.IGNORECASE)

_ABOUT = re.compile(r"# about: ?(.*)", re.IGNORECASE)

_HASH = re.compile(r"\s#")

# A # that begins words behind settings, in which a title may hold a #3.
_LONE_HASH = re.compile(r"\s#\s")

# Pairs of keys and values, or throws and a semicolon before the first pair.
_SETTINGS = re.compile(r"[^\s=]=\S|^[^=;]*;[^=]*=|^\s*\w+\s*=\s*[^\W\d]?[0-9]")

# A setting that only JuggleAnim has.
_JUGGLE_ANIM_KEY = re.compile(r"(?:^|(?<!\\);)\s*(?:mode|slowdown|mat_\w+)\s*=", re.IGNORECASE)

# A heading, where its words are not beside throws.
_BOLD_HEADING = re.compile(r"\*\*[^*]*[^\W\d_]{3}[^*]*\*\*")

_MAX_HEAD_GAP = 3  # lines between the head of a table and its first row

# Throws at the beginning of a line, perhaps after a bullet or a number.
_BEGINS_WITH_THROWS = re.compile(
    r"(?:[-*+•>]\s+|\d{1,4}[.)]\s+)?[*`_'\"]{0,2}[(\[<]{0,3}[0-9][^\s:;,]*(?:[\s:;,]|$)"
)

# Throws at the end of a line.
_LAST_THROWS = re.compile(r"[(\[]{0,3}[0-9][0-9a-z()\[\],*]*[*`]{0,2}", re.IGNORECASE)

# A single key whose value is a number.
_KEY_WITH_NUMBER = re.compile(r"\s*\w+\s*=\s*[^\W\d]?[0-9]")

# A bullet or a number before an item of a list.
_ITEM_MARK = re.compile(r"(?:[-*+•]|\(?\d{1,4}[.)])\s")

_SETTING_KEYS = SETTING_KEYS | {"pattern", "mode", "slowdown", "tps", "dratio", "colours"}

# What parts a name from the pattern behind it.
_COLON = re.compile(r":\s")

_LINE_ENDS = re.compile(r"[\r\n]+")


def read_text_list(text: str, name: str) -> PatternList:
    """Read a list of patterns in plain text.

    A line is a settings string, a siteswap or a name of the library; a name may stand before it
    with a colon, or after it with a #. Names may also stand beside siteswaps in the ways of other
    lists: in columns, tables, CSV and bullets. A line that begins with # is a comment, but
    `# title:` and `# about:` at the top are the title and description of the list.

    The entries of the result are patterns, valid or not, and comments. A line that is not a pattern
    becomes an entry with the error, or is skipped with a note.

    Args:
        text: the whole file, with any kind of line ends.
        name: name of the file, for errors.

    Raises:
        FileError: there are too many lines or throws, or nothing among many of them is a pattern.
    """
    lines = lines_of(text, name)
    title, about, first = _head(lines)
    reader = _Reader()
    return collect_entries(reader.entries(lines, first), name, lines, reader.notes, title, about)


def write_text_list(patterns: PatternList) -> WrittenText:
    """Write a list of patterns in plain text, which `read_text_list` reads as the same entries.

    An entry is a pattern of a list, valid or not, or a comment. A pattern that consists of timed
    events is written as the pattern from which it was made, or as a comment.

    Args:
        patterns: the entries, with title and description of the list.

    Returns:
        The text (title and description, if any, then a line for each entry), and a remark on each
        entry that its line cannot hold completely, which names the loss.
    """
    lines = [f"# title: {_one_line(patterns.title)}"] if patterns.title else []
    lines += [f"# about: {line}" for line in _LINE_ENDS.split(patterns.about) if patterns.about]
    losses: list[str] = []
    for entry in patterns.entries:
        line = _line(entry)
        lines.append(line)
        if loss := _loss(entry, line):
            losses.append(f"{_one_line(entry.display)}: {loss}")
    return WrittenText("".join(f"{line}\n" for line in lines), tuple(losses))


_CSV_HEAD = "name,siteswap\n"


def write_csv_list(patterns: PatternList) -> WrittenText:
    """Write the patterns of a list as a table with their names, which `read_text_list` reads.

    Args:
        patterns: the entries; comments are left out.

    Returns:
        The table, and a remark on each entry that its row cannot hold completely.
    """
    rows = [_CSV_HEAD]
    losses: list[str] = []
    for entry in patterns.entries:
        text, title = _pattern_text(entry)
        display = _one_line(entry.display)
        if title == display:
            # The name has a column of its own.
            text = text.removesuffix(f";title={title}")
        # The column says what it holds, so the first value needs no key.
        text = text.removeprefix("pattern=")
        row = _csv_row(display, text) if text else ""
        rows.append(row)
        if loss := _loss(entry, row or "#", text):
            losses.append(f"{display}: {loss}")
    return WrittenText("".join(rows), tuple(losses))


def _csv_row(*cells: str) -> str:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(cells)
    return row.getvalue()


def _head(lines: list[str]) -> tuple[str, str, int]:
    """Read the title and description at the top of a file.

    Args:
        lines: all lines of the file.

    Returns:
        Title, description, and index of the first line after them; the texts are empty if the
        file has none.
    """
    title = ""
    about = []
    first = 0
    if lines and (match := _TITLE.fullmatch(lines[0])):
        title = match[1].strip()
        first = 1
    while first < len(lines) and (match := _ABOUT.fullmatch(lines[first])):
        about.append(match[1].rstrip())
        first += 1
    return title, "\n".join(about), first


class _Reader:
    """Reads block after block; the head of a table says what its rows hold."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self._columns: Columns | None = None
        self._head_may_come = True
        self._lines: Sequence[str] = ()
        self._letters_may_be_throws = False
        """Whether letters alone may be throws: nothing else can be meant by any line."""
        self._throws_mostly_first = False
        """Whether most lines begin with throws."""
        self._throws_mostly_last = True
        """Whether most lines end with throws."""

    def entries(self, lines: Sequence[str], first: int) -> Iterator[Entry]:
        """Yield the entries of a file (patterns, valid or not, and comments), block after block.

        How ambiguous lines are read is decided first, from all lines of the file.

        Args:
            lines: all lines of the file.
            first: index of the first line after the title and description.
        """
        written_lines = [
            line.strip()
            for line in lines[first:]
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self._lines = lines
        count = len(written_lines)
        throws_first = sum(_BEGINS_WITH_THROWS.match(line) is not None for line in written_lines)
        throws_last = sum(map(_ends_with_throws, written_lines))
        # Letters alone may be throws only if every line can be read so.
        self._letters_may_be_throws = all(map(are_throws, written_lines))
        # Throws at the beginning of a line mean little else, so half of the lines are enough. A
        # number at the end may be a year or the number of a lesson, so more than half must end so.
        self._throws_mostly_first = 2 * throws_first >= count
        self._throws_mostly_last = 2 * throws_last > count
        readers = {
            BlockKind.LINES: self._single_lines,
            BlockKind.TABLE: self._table,
            BlockKind.PASSERS: self._passers,
            BlockKind.KEYED: self._keyed,
            BlockKind.PROSE: self._prose,
            BlockKind.OTHER: self._skipped_block,
        }
        for block in blocks_of(lines, first):
            yield from readers[block.kind](block)

    def _single_lines(self, block: Block) -> Iterator[Entry]:
        for line_number, line in enumerate(block.lines, start=block.first + 1):
            yield from self._line(line, line_number)

    def _table(self, block: Block) -> Iterator[Entry]:
        """Yield the head of a table with bars as a comment, and then the patterns in its rows.

        The head decides how rows are read: by columns with known names, with a column for each
        beat, or by the column that has the most patterns.

        Args:
            block: the lines of the table, of which the first is the head.
        """
        head = cells_of_row(block.lines[0])
        # A rule, such as |---|---|, becomes a row without cells, so that there is a row for each
        # line.
        rows = [
            cells_of_row(line) if any(map(str.isalnum, line)) else [] for line in block.lines[1:]
        ]
        columns = None if has_beats(head) else columns_named(head, "|")
        if columns:
            patterns = [read_row(line, columns) for line in block.lines[1:]]
            if columns.others:
                self._note(block.first + 1, _not_read(columns.others))
        elif has_beats(head):
            # A table of beats is read without its rules, so the results belong to the other rows.
            diagram = iter(read_diagram([row for row in rows if row]))
            patterns = [next(diagram) if row else () for row in rows]
        else:
            patterns = read_rows(rows, head)
        # Lines are counted from 1, and rows begin in the line after the head.
        if not columns:
            yield Entry(block.lines[0], line=block.first + 1)
        for line_number, (line, row_patterns) in enumerate(
            zip(block.lines[1:], patterns, strict=True), start=block.first + 2
        ):
            yield from self._entries_or_words(row_patterns, line, line_number)

    def _passers(self, block: Block) -> Iterator[Entry]:
        """Yield the passing pattern of lines such as `A: 3pB 3` and `B: 3pA 3`, one a juggler.

        If the lines together are no pattern, each line may be a pattern with a label. Otherwise an
        entry with the error is yielded.

        Args:
            block: the lines, with empty ones between them.
        """
        lines = [line for line in block.lines if line]
        text = "\n".join(block.lines)
        settings, error = try_settings(text)
        if settings is None:
            # If no receiver is named, such as the B of 3pB, and each line alone is a valid pattern,
            # the lines are a list.
            if not any(map(names_receivers, lines)) and all(
                self._is_valid(pattern) for _name, pattern in map(_name_and_pattern, lines)
            ):
                yield from self._single_lines(block)
            else:
                shown = " | ".join(lines)
                yield Entry(shown, error=error, text=shown, line=block.first + 1)
            return
        assert settings.score.pattern is not None, "it was read from throws"
        written = settings.score.pattern.text
        yield Entry(written, settings, text=written, line=block.first + 1)

    def _is_valid(self, text: str) -> bool:
        patterns = self._read(text, letters=self._letters_may_be_throws)
        return any(pattern.settings for pattern in patterns)

    def _keyed(self, block: Block) -> Iterator[Entry]:
        """Yield the one pattern that keys and values describe; words if no key holds a pattern."""
        # Lines below a `---` are the head of a note, which has keys of many other programs; those
        # are not noted as unread.
        is_head = block.first > 0 and self._lines[block.first - 1].strip() == "---"
        pattern = read_keyed(keys_and_values(block.lines), all_settings=not is_head)
        if pattern is None:
            yield from self._prose(block)
            return
        yield from self._entries_or_words((pattern,), block.lines[0], block.first + 1)

    def _prose(self, block: Block) -> Iterator[Entry]:
        for line_number, line in enumerate(block.lines, start=block.first + 1):
            yield from self._entries_or_words(read_tagged(line), line, line_number)

    def _skipped_block(self, block: Block) -> Iterator[Entry]:
        first_words = next((line for line in block.lines if line.strip()), "")
        if first_words:
            self._note(block.first + 1, skipped(first_words))
        return iter(())

    def _line(self, line: str, line_number: int) -> Iterable[Entry]:
        """Read a line by itself: words, the head or a row of a table, settings, or patterns.

        The columns of a head are kept for the rows below it.

        Args:
            line: line without blanks around it.
            line_number: the number of the line in the file, from 1.

        Returns:
            The entries of the line: one for each pattern, or a single one of words or with an
            error.
        """
        if not line or line.startswith("#"):
            return (Entry(line[1:].removeprefix(" "), line=line_number),)
        if len(line) > MAX_LINE_LENGTH:
            reason = _(
                "this line has {count} characters; the limit is {max_line_length}",
                count=len(line),
                max_line_length=MAX_LINE_LENGTH,
            )
            error = FileError(reason)
            return (Entry(f"{line[:20]}…", error=error, text=line, line=line_number),)

        # The line may be the head of a table without bars, which stands above all patterns; a row
        # below such a head; or have HTML tags that announce patterns.
        if self._head_may_come and (columns := read_head(line, self._following(line_number))):
            self._columns = columns
            self._head_may_come = False
            if columns.others:
                self._note(line_number, _not_read(columns.others))
            return ()  # the head of a table says nothing of its own
        if self._columns and self._columns.delimiter in line:
            return self._entries_or_words(read_row(line, self._columns), line, line_number)
        if tagged := read_tagged(line):
            return self._entries_or_words(tagged, line, line_number)

        return self._line_with_name(line, line_number)

    def _line_with_name(self, line: str, line_number: int) -> Iterable[Entry]:
        """Read a line of settings, or of patterns perhaps with a name beside them.

        Args:
            line: the line, which is neither blank nor in a table.
            line_number: the number of the line in the file, from 1.

        Returns:
            The entries of the line: one for each pattern, or a single one of words or with an
            error.
        """
        # The line is read without tags; the original is kept to be shown as words.
        words = line
        if not _is_settings(line):
            # Tags are removed only before a #: the words behind it are a name, in which < and >
            # mean themselves.
            pattern, mark, name = _partition_at(_HASH, line)
            line = f"{without_tags(pattern)}{mark}{name}"
        if not line:
            return (Entry(words, line=line_number),)

        # The pattern and a name beside it; a heading that is bold is not divided at its colon.
        name, text = ("", line) if _BOLD_HEADING.fullmatch(line) else _name_and_pattern(line)
        if _is_settings(text) or is_link(text):
            return (self._settings(name, text, line_number),)
        # A # shows that a pattern with a name is meant, so letters before it are throws.
        letters = self._letters_may_be_throws or _HASH.search(line) is not None
        patterns = self._read(text, letters=letters)
        # If the line does not begin with the pattern's text, its name stands before a colon.
        if not line.startswith(text):
            # It is a name only if the colon is followed by a pattern without further words.
            if patterns and patterns[0].settings and not patterns[0].name:
                name = plain_words(name)
            else:
                patterns = self._read(line, letters=self._letters_may_be_throws)
                name = ""
        # The name beside the pattern is preferred to one found in the pattern's own text.
        named = [pattern._replace(name=name or pattern.name) for pattern in patterns]
        return self._entries_or_words(named, words, line_number)

    def _read(self, text: str, *, letters: bool) -> tuple[FoundPattern, ...]:
        of_list = self._throws_mostly_first or _ITEM_MARK.match(text) is not None
        return read_line(
            text, letters=letters, of_list=of_list, names_first=self._throws_mostly_last
        )

    def _following(self, line_number: int) -> str:
        """Return the next line that is not empty, of those near."""
        near_lines = self._lines[line_number : line_number + _MAX_HEAD_GAP]
        return next((line for line in near_lines if line.strip()), "")

    def _entries_or_words(
        self, patterns: Sequence[FoundPattern], line: str, line_number: int
    ) -> list[Entry]:
        """Return the entries of the patterns in a line, or the line as words if there are none.

        The notes of the patterns are added to those of the file. Without patterns a note says that
        the line is skipped.

        Args:
            patterns: patterns that were read from the line.
            line: the line itself.
            line_number: the number of the line in the file, from 1.
        """
        if not patterns:
            # A line without letters and digits, such as a rule, says nothing, so it gets no note.
            if any(map(str.isalnum, line)):
                self._note(line_number, skipped(line))
            return [Entry(line, line=line_number)]
        # The head of a table stands above all patterns, so from now on none is expected.
        self._head_may_come = False
        for pattern in patterns:
            if pattern.note:
                self._note(line_number, pattern.note)
        return [pattern.entry(line_number) for pattern in patterns]

    def _settings(self, name: str, text: str, line_number: int) -> Entry:
        """Read settings, perhaps of the program JuggleAnim, or behind a name and a tab.

        Notes on settings that are not read are added to those of the file.

        Args:
            name: name beside the settings; empty if there is none.
            text: settings, perhaps with a name and a tab before them; that name overrides `name`.
            line_number: the number of the line in the file, from 1.

        Returns:
            The entry; one with an error if the settings are wrong.
        """
        tabbed_name, text = _name_before_tab(text)
        name = tabbed_name or name
        if _JUGGLE_ANIM_KEY.search(text):
            from juggle_anim.notation.jugglemaster import of_juggle_anim

            text, unread = of_juggle_anim(text, name)
            for note in unread:
                self._note(line_number, note)
        parsed, error = try_settings(text)
        for note in parsed.notes if parsed else ():
            self._note(line_number, note)
        display = name or _title_or_empty(parsed) or text
        return Entry(display, parsed, error, text=text, line=line_number)

    def _note(self, line_number: int, text: str) -> None:
        self.notes.append(Note(line_number, text))


def _ends_with_throws(line: str) -> bool:
    """Return whether throws stand at the end of a line, behind a name."""
    *before, last = line.rsplit(None, 1)
    return any(map(str.isalpha, "".join(before))) and _LAST_THROWS.fullmatch(last) is not None


def _not_read(columns: Sequence[str]) -> str:
    return ngettext(
        "column {others} is ignored",
        "columns {others} are ignored",
        len(columns),
        others=joined_names(columns),
    )


def _is_settings(text: str) -> bool:
    """Return whether a text is settings, such as `pattern=531;dwell=1.2`.

    It needs a `=` as between a key and its value, and must not have a link in Markdown. Then it is
    settings if it begins with a key whose value is a number, or if, after a name and a tab if there
    are any, one of its keys is known or it begins with throws and a semicolon.
    """
    # The address of a link in Markdown may have a =, which is not a sign of settings.
    if not _SETTINGS.search(text) or LINK.search(text):
        return False
    _name, settings = _name_before_tab(text)
    pieces = settings.split(";")
    pairs = [piece for piece in pieces if "=" in piece]
    keys = {pair.partition("=")[0].strip().casefold() for pair in pairs}
    # Keys that begin with mat_ are those of JuggleAnim.
    has_known_key = any(key in _SETTING_KEYS or key.startswith("mat_") for key in keys)
    # There is a `=`: if the first piece has none, a semicolon is behind it.
    begins_with_throws = "=" not in pieces[0] and any(map(str.isdigit, pieces[0]))
    # The whole text is matched: behind a name and a tab, a key must be known.
    begins_with_number = _KEY_WITH_NUMBER.match(text) is not None
    return has_known_key or begins_with_number or begins_with_throws


def _name_before_tab(text: str) -> tuple[str, str]:
    """Divide `name⇥settings` into name and settings; the name is empty if there is none.

    A tab behind a `=` belongs to a value, such as a title.
    """
    name, _tab, settings = text.partition("\t")
    return (name.strip(), settings.strip()) if settings and "=" not in name else ("", text)


def _title_or_empty(settings: Settings | None) -> str:
    return settings.score.title if settings else ""


def _name_and_pattern(line: str) -> tuple[str, str]:
    """Divide a line into a name, which is behind a # or before a colon, and the pattern's text.

    Returns:
        Name and text. Without such a mark, the name is empty and the text is the whole line.
    """
    pattern, mark, name = _partition_at(_HASH, line)
    if "=" in pattern:
        # Settings may have a title with a #3 in it, so only a # between blanks begins a name.
        pattern, mark, name = _partition_at(_LONE_HASH, line)
    if mark:
        return name.strip(), pattern.strip()
    # Without a #, the name may be before a colon, but not if the colon is within a setting.
    name, mark, pattern = _partition_at(_COLON, line)
    return (name.strip(), pattern.strip()) if mark and "=" not in name else ("", line)


def _partition_at(mark: re.Pattern[str], line: str) -> tuple[str, str, str]:
    """Return the text before a mark, the mark, and the text after it, as `str.partition`."""
    match = mark.search(line)
    return (line[: match.start()], match[0], line[match.end() :]) if match else (line, "", "")


def _line(entry: Entry) -> str:
    """Write an entry in a line; an entry without a text of a pattern becomes words behind a #."""
    display = _one_line(entry.display)
    text, title = _pattern_text(entry)
    if not text:
        return f"# {display}".rstrip() if display else ""
    if text.isalpha():
        # Letters alone are read as throws only where they have a name.
        return f"{text}  # {display or text}"
    return text if display in (text, title, "") else f"{text}  # {display}"


def _pattern_text(entry: Entry) -> tuple[str, str]:
    """Return the text of an entry's pattern as one line, and its title.

    The title is empty if the pattern has none. Both are empty if no line can hold the pattern.

    Args:
        entry: a pattern of a list, valid or not, or a comment.
    """
    if entry.text or entry.settings is None:
        # The text as it was read. In JML it may have several lines, whose ends mean nothing and are
        # removed.
        return _LINE_ENDS.sub("", entry.text), _title_or_empty(entry.settings)
    score = entry.settings.score
    if score.pattern:
        return write_settings(score, entry.settings.applied_to(Parameters())), score.title
    # Without a pattern the score has timed events, which do not fit on a line. The siteswap from
    # which they were made is written if it is known; `base` is its notation and its text.
    if score.base is None:
        return "", ""
    notation, text = score.base
    if notation.casefold() != "siteswap":
        return "", ""
    try:
        title = read_settings(text).score.title
    except NotationError:
        return "", ""
    return _LINE_ENDS.sub("", text), title


def _loss(entry: Entry, line: str, cell: str = "") -> str:
    """Return a remark on what an entry loses when it is written as a line; empty for nothing.

    Losses are checked from the most to the least severe, and only the first is named.

    Args:
        entry: the entry that was written.
        line: the line or row in which it was written; it begins with a # if it holds words alone.
        cell: its pattern in a row; empty for other lines.
    """
    if entry.settings and entry.settings.score.placed:
        if line.startswith("#"):
            return _("its events do not fit on one line, so only its name is saved")
        return _("its events do not fit on one line, so the original pattern is saved")
    if entry.animprefs:
        return _("display settings of other programs are not saved")
    if _has_words_of_its_own(entry):
        return _("its description and tags are not saved")
    if not entry.text:
        return ""
    # The line is read back to see whether marks in the text divide it in a wrong place. First it is
    # only divided at a # or a colon; then it is read in full, which may take a part for words.
    pattern_text = cell or _pattern_text(entry)[0].strip()
    _name, divided_text = ("", cell) if cell else _name_and_pattern(line)
    if line.startswith("#") or divided_text != pattern_text:
        return _("a # or : in it will be read as the start of a note")
    lines = [_CSV_HEAD.strip(), line.strip()] if cell else [line]
    if [read.text for read in _Reader().entries(lines, 0)] != [pattern_text.strip()]:
        return _("part of it will be read as a note")
    return ""


def _has_words_of_its_own(entry: Entry) -> bool:
    """Return whether an entry has a description or tags that its written line loses.

    They are not lost if the line is a name of the library, which gives them again when it is read.
    """
    score = entry.settings.score if entry.settings else None
    if score is None or score.pattern is None or not (score.about or score.tags):
        return False
    # A text that is neither settings, with a =, nor has the throws in it, is a library's name.
    return not entry.text or "=" in entry.text or score.pattern.text in entry.text


def _one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", text)
