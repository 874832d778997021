"""Lines of routines as texts: what they are made of, how they are changed, and the blocks of them
that repeat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Generic, NamedTuple, TypeVar

from juggle_anim.errors import NotationError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.settings.parameter_settings import read_parameters, write_parameters
from juggle_anim.parameters import ROWS
from juggle_anim.text_settings import BODY_CATCH_NAMES, BODY_THROW_NAMES

UNITS = {
    "catches": "catches", "catch": "catches", "throws": "catches", "throw": "catches",
    "loops": "loops", "loop": "loops", "rounds": "loops", "round": "loops",
    "times": "loops", "time": "loops", "x": "loops",
    "beats": "beats", "beat": "beats",
    "seconds": "s", "second": "s", "sec": "s", "s": "s", "minutes": "s", "minute": "s", "min": "s",
}  # fmt: skip
"""What lengths are counted in, as it may be written and as it is called."""

# A search that may begin anywhere in a run of blanks takes the square of its length; so it begins
# where the run does.
_BLANKS = r"(?<!\s)\s+"

LENGTH = re.compile(
    r"(?<!\s)(?:\s+for)?\s+([0-9]+(?:[.,][0-9]+)?)\s*([^\W\d_]+)\s*$", re.IGNORECASE
)
"""How long a pattern is juggled, at the end of its line."""

COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
"""Words beside a line, or all of one."""

BARE_NUMBER = re.compile(rf"{_BLANKS}(?:for\s+|x\s*)?([0-9]+)\s*$", re.IGNORECASE)
"""A number at the end of a line that does not say what it counts."""

_SETTING = re.compile(r"\s*([^\W\d]\w*)\s*=(.*)")

_REPEAT = re.compile(r"(\s*repeat\s+)([0-9]+)", re.IGNORECASE)

_SINGULAR_UNITS = {"catches": "catch", "loops": "loop", "beats": "beat", "seconds": "second"}
"""Units of a length of one."""


_MAX_REPEATS = 1_000  # of a block
_MAX_NESTED_BLOCKS = 20

_Item = TypeVar("_Item")
"""A line of a routine as its reader makes it."""

_MAX_COUNT_DIGITS = 9

_REPEAT_COUNT = re.compile(rf"{_BLANKS}([0-9]+)(?:\s+times?)?\s*$", re.IGNORECASE)


class SourceLine(NamedTuple):
    """A line of a routine as it stands in the text, without its comment.

    Attributes:
        number: of the line, from 1.
        text: with the blanks before its first word.
    """

    number: int
    text: str

    @property
    def start(self) -> int:
        """The index of the first word."""
        return len(self.text) - len(self.text.lstrip())

    def error(self, reason: str, accepted: str, index: int | None = None) -> NotationError:
        """Return an error that points to an index of the line; None is its first word."""
        return NotationError(self.text, self.start if index is None else index, reason, accepted)


def head_setting(line: str) -> re.Match[str] | None:
    """Match a setting of a routine's head, `dwell=1.2`; None if a line is something else.

    A settings string begins alike, but has several settings, a pattern or a length. A title may be
    any words.

    Args:
        line: without its comment.

    Returns:
        A match whose groups are the key and the value.
    """
    match = _SETTING.match(line)
    if match is None or match[1].casefold() == "pattern" or ";" in line:
        return None
    return match if match[1].casefold() == "title" or not LENGTH.search(line) else None


def lines_below(text: str) -> list[tuple[int, str]]:
    """The lines below the head of a routine, from its first pattern on, with their numbers from
    1.
    """
    lines = list(enumerate(text.splitlines(), start=1))
    return lines[_head_length(text) :]


def with_lines(text: str, lines: Sequence[str]) -> str:
    """A routine with other lines below its head, which stays as it stands.

    Args:
        text: of a routine.
        lines: patterns, transitions and stops.
    """
    head = text.splitlines()[: _head_length(text)]
    return "\n".join([*head, *lines]) + "\n"


def with_parameters(text: str, parameters: Mapping[str, float | str | None]) -> str:
    """Replace the parameters in the head of a routine.

    Other settings and comments stay, and so does a text that has these parameters already.

    Args:
        text: of a routine.
        parameters: all that the head shall have, by name; others are taken out of it.

    Returns:
        The routine, in which the parameters follow all other lines of the head.
    """
    parameter_keys = {row.key for row in ROWS}
    lines = text.splitlines()
    head = lines[: _head_length(text)]
    matches = [(_SETTING.match(line), line) for line in head]

    # Lines by key: as they stand there, and as they should be.
    present = {
        match[1].casefold(): line
        for match, line in matches
        if match and match[1].casefold() in parameter_keys
    }
    wanted = {
        setting.partition("=")[0]: setting
        for setting in write_parameters(parameters).split(";")
        if setting
    }
    # If the values are the same already, nothing changes, and numbers stay as the user wrote them.
    if set(present) == set(wanted) and read_parameters(
        ";".join(map(_without_comment_and_blanks, present.values()))
    ) == dict(parameters):
        return text

    # All other lines of the head, then the parameters, and a blank line before the patterns.
    other_lines = [
        line for match, line in matches if not (match and match[1].casefold() in parameter_keys)
    ]
    while other_lines and not other_lines[-1].strip():
        other_lines.pop()
    separator = [""] if other_lines or wanted else []
    return "\n".join([*other_lines, *wanted.values(), *separator, *lines[len(head) :]]) + "\n"


def _without_comment_and_blanks(line: str) -> str:
    return "".join(COMMENT.sub("", line).split())


def _head_length(text: str) -> int:
    """Return the number of lines in the head of a routine.

    The head ends with the last setting above the first pattern, and the blank lines below that
    setting. Comments below are of the pattern.

    Args:
        text: of a routine.
    """
    lines = text.splitlines()
    length = 0
    for number, line in enumerate(lines, start=1):
        uncommented = COMMENT.sub("", line).strip()
        if head_setting(uncommented):
            length = number
        elif uncommented:
            break  # the first pattern
    while 0 < length < len(lines) and not lines[length].strip():
        length += 1
    return length


def lengthened(line: str, steps: int) -> str:
    """Return a line of a routine with its length changed; at least 1 is left.

    Args:
        line: with its comment, which stays.
        steps: catches, loops, beats, seconds or repeats to add, as the line counts; may be
            negative.
    """
    uncommented = COMMENT.sub("", line)
    comment = line[len(uncommented) :]

    # A length at the end: `531 10 catches`.
    match = LENGTH.search(uncommented)
    if match and match[2].casefold() in UNITS:
        amount = max(float(match[1].replace(",", ".")) + steps, 1.0)
        before = uncommented[: match.start(1)]
        between = uncommented[match.end(1) : match.start(2)]
        unit = _counted(amount, match[2])
        return f"{before}{amount:g}{between}{unit}{uncommented[match.end(2) :]}{comment}"

    # A block: `repeat 3`.
    if match := _REPEAT.match(uncommented):
        return f"{match[1]}{max(int(match[2]) + steps, 1)}{line[match.end() :]}"

    # A blank line and these words have no length. Any other line is a pattern without a length,
    # which stands for one loop.
    if not uncommented.strip() or uncommented.split()[0].casefold() in (
        "transition",
        "stop",
        "repeat",
        "end",
    ):
        return line
    amount = max(1 + steps, 1)
    return f"{uncommented.rstrip()} {amount} {_counted(amount, 'loops')}{comment}"


def _counted(amount: float, unit: str) -> str:
    """A unit as it is written behind a number: `loop` behind 1, and `loops` behind others."""
    many = next(
        (many for many, one in _SINGULAR_UNITS.items() if unit.casefold() in (one, many)), unit
    )
    return _SINGULAR_UNITS.get(many, many) if amount == 1 else many


@dataclass
class _Block(Generic[_Item]):
    """What is juggled several times; `line` is its `repeat`, or None for the routine itself."""

    times: int
    line: SourceLine | None = None
    items: list[_Item | _Block[_Item]] = field(default_factory=list)

    def size(self) -> int:
        return self.times * sum(
            item.size() if isinstance(item, _Block) else 1 for item in self.items
        )

    def lines(self) -> Iterator[_Item]:
        for _round in range(self.times):
            for item in self.items:
                if isinstance(item, _Block):
                    yield from item.lines()
                else:
                    yield item


class RoutineBlocks(Generic[_Item]):
    """The lines of a routine, with blocks that are repeated, as they are read one after another.

    Attributes:
        last: the line that was added last; None before the first.
    """

    def __init__(self) -> None:
        self.last: _Item | None = None
        self._open: list[_Block[_Item]] = [_Block(times=1)]

    @property
    def size(self) -> int:
        """How many lines they are with all repeats, without those of blocks that are still open."""
        return self._open[0].size()

    def add(self, item: _Item) -> None:
        """Add a line to the block that is open."""
        self._open[-1].items.append(item)
        self.last = item

    def repeat(self, line: SourceLine) -> None:
        """Begin a block that is repeated; it is open until its `end`.

        A block is opened even if an error is raised, so that its `end` is no error.

        Args:
            line: `repeat` and how often.

        Raises:
            NotationError: it does not say how often, or too many blocks are open.
        """
        keyword_end = line.start + len("repeat")
        match = _REPEAT_COUNT.match(line.text[keyword_end:])
        # Python refuses to convert very many digits to a number, so they count as 0, which is
        # refused below.
        times = int(match[1]) if match and len(match[1]) < _MAX_COUNT_DIGITS else 0
        self._open.append(_Block(times, line))
        if match is None:
            raise line.error(
                _("the number of repeats is missing"),
                _("write a number, as in repeat 3, then the lines, then end"),
                index=keyword_end,
            )
        if not 1 <= times <= _MAX_REPEATS:
            raise line.error(
                _("cannot repeat {found} times", found=match[1][:9]),
                _("a number from 1 to {most_times}", most_times=_MAX_REPEATS),
                index=keyword_end + match.start(1),
            )
        # The first open block is the routine itself, so one more than the limit may be open.
        if len(self._open) > _MAX_NESTED_BLOCKS + 1:
            raise line.error(
                _("too many nested blocks"),
                _("at most {most_deep}", most_deep=_MAX_NESTED_BLOCKS),
            )

    def end(self, line: SourceLine) -> None:
        """End the block that was begun last, and add it to the one around it.

        Args:
            line: `end`.

        Raises:
            NotationError: no block is open, or there is nothing in it.
        """
        # If only the routine itself is open, there is no block to end.
        if len(self._open) == 1:
            raise line.error(
                _("this ends no block"), _("write a line such as repeat 3 before it, or remove end")
            )
        block = self._open.pop()
        self._open[-1].items.append(block)
        keyword_end = line.start + len("end")
        if line.text[keyword_end:].strip():
            raise line.error(_("nothing can follow end"), _("write end alone"), index=keyword_end)
        if not block.items:
            raise line.error(_("no lines to repeat"), _("write lines between repeat and end"))

    def unclosed(self) -> Iterator[tuple[int, NotationError]]:
        """The blocks without an end: the number of each `repeat`, and an error of it."""
        for block in self._open[1:]:
            assert block.line is not None, "a repeat has begun it"
            accepted = _("write a line end below the lines to repeat")
            yield block.line.number, block.line.error(_("this block has no end"), accepted)

    def lines(self) -> list[_Item]:
        """All lines in the order in which they are juggled."""
        return list(self._open[0].lines())


_BODY_WORDS = "|".join(word.replace("-", "[ -]") for word in (*BODY_THROW_NAMES, *BODY_CATCH_NAMES))

# Lines of a routine that need not say how long something is juggled.
_ROUTINE_WORDS = re.compile(
    r"\s*(?:start|stop(?:\s+[0-9.]+\s*\w+)?|repeat\s+[0-9]+(?:\s+times?)?|end|transition\s+\S+|"
    rf"(?:{_BODY_WORDS})(?:\s+(?:left|right))?)\s*",
    re.IGNORECASE,
)

_WORDS_BESIDE = re.compile(r"(?:^|\s)#.*")
_HEAD_SETTING = re.compile(r"\s*(?!pattern\b)[a-z]+\s*=[^;]*", re.IGNORECASE)

_MAX_JUDGED_LINES = 200  # of a text, by which a routine is known


def is_routine(text: str) -> bool:
    """Return whether most lines of a text say what to juggle for how long, and at least two do.

    Comments and settings do not count.
    """
    uncommented = (_WORDS_BESIDE.sub("", line) for line in text.splitlines()[:_MAX_JUDGED_LINES])
    lines = [line for line in uncommented if line.strip() and not _HEAD_SETTING.fullmatch(line)]
    timed = sum(_is_routine_line(line) for line in lines)
    return timed >= 2 and 2 * timed > len(lines)


def _is_routine_line(line: str) -> bool:
    """Return whether a line says how long something is juggled, or is a word of a routine."""
    length = LENGTH.search(line)
    if length and length[2].casefold() in UNITS and line[: length.start()].strip():
        return True
    return _ROUTINE_WORDS.fullmatch(line) is not None
