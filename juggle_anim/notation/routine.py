"""Routines as texts: a line for each pattern and for how long it is juggled, laid out as events.
See docs/routines.md.

title=First routine
cascade 4 catches
531 2 loops
transition 42
51 5 s
stop

Lines of routines as texts: what they are made of, how they are changed, and the blocks of them
that repeat.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import pairwise
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from juggle_anim.choreography import PropStyle, RoutineLine, RoutineScript, Score
from juggle_anim.errors import (
    ChoreographyError,
    FileError,
    JuggleError,
    NotationError,
    PatternError,
    RoutineError,
    counted,
    did_you_mean,
    printable,
)
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.body_tricks import moves_legs, read_body_trick
from juggle_anim.notation.limits import MAX_LINES
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.search import nearest_names
from juggle_anim.notation.settings.settings import (
    Settings,
    read_parameters,
    read_settings,
    with_settings,
    with_trick,
    write_parameters,
)
from juggle_anim.notation.siteswap import Placement, parse, place_throws, throw_text
from juggle_anim.parameters import (
    BEAT_PARAMETERS,
    BODY_CATCH_NAMES,
    BODY_THROW_NAMES,
    DEFAULTS,
    ROWS,
)
from juggle_anim.pattern import Throw
from juggle_anim.tosses import Length, Segment, Toss
from juggle_anim.tosses.routine import GivenThrows, RoutineLayout

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
        number: the number of the line, from 1.
        text: the text with the blanks before its first word.
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
    """Match a setting in the head of a routine, such as `dwell=1.2`; None for any other line.

    The settings of a pattern begin alike, but are several settings, or have a pattern or a length
    such as `10 catches`. Only a title may end in such words.

    Args:
        line: the line without its comment.

    Returns:
        A match whose groups are the key and the value.
    """
    match = _SETTING.match(line)
    if match is None or match[1].casefold() == "pattern" or ";" in line:
        return None
    return match if match[1].casefold() == "title" or not LENGTH.search(line) else None


def lines_below(text: str) -> list[tuple[int, str]]:
    """Return the lines of a routine from its first pattern on, each with its number from 1."""
    lines = list(enumerate(text.splitlines(), start=1))
    return lines[_head_length(text) :]


def with_lines(text: str, lines: Sequence[str]) -> str:
    """Return the text of a routine with other lines below its head, which stays as it is.

    Args:
        text: the text of a routine.
        lines: patterns, transitions and stops.
    """
    head = text.splitlines()[: _head_length(text)]
    return "\n".join([*head, *lines]) + "\n"


def with_parameters(text: str, parameters: Mapping[str, float | str | None]) -> str:
    """Return a routine with other parameters in its head; comments and other settings are kept.

    Args:
        text: the text of a routine.
        parameters: the new parameters by name.

    Returns:
        The text, with the parameters after all other lines of the head; unchanged if it has these
        parameters already.
    """
    parameter_keys = {row.key for row in ROWS}
    lines = text.splitlines()
    head = lines[: _head_length(text)]
    # The lines of parameters in the head by key, and all other lines of it.
    old: dict[str, str] = {}
    other_lines = []
    for line in head:
        match = _SETTING.match(line)
        key = match[1].casefold() if match else ""
        if key in parameter_keys:
            old[key] = line
        else:
            other_lines.append(line)
    new = {
        setting.partition("=")[0]: setting
        for setting in write_parameters(parameters).split(";")
        if setting
    }
    # If the values are equal, the text stays as it is, with numbers as the user wrote them.
    if set(old) == set(new) and read_parameters(
        ";".join(map(_without_comment_and_blanks, old.values()))
    ) == dict(parameters):
        return text

    # All other lines of the head, then the parameters, and a blank line before the patterns.
    while other_lines and not other_lines[-1].strip():
        other_lines.pop()
    separator = [""] if other_lines or new else []
    return "\n".join([*other_lines, *new.values(), *separator, *lines[len(head) :]]) + "\n"


def _without_comment_and_blanks(line: str) -> str:
    return "".join(COMMENT.sub("", line).split())


def _head_length(text: str) -> int:
    """Return the number of lines in the head of a routine.

    The head is all up to the last setting above the first pattern, and the blank lines below that
    setting. Comments below it belong to the pattern.

    Args:
        text: the text of a routine.
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


def wrong_pattern(text: str, number: int) -> str:
    """Return what is wrong with the pattern in a line of a routine; empty if nothing is.

    Unlike `read_routine` this lays nothing out, so it is quick, but it finds no errors that only
    show in the whole. Stops, transitions and blocks count as right, since whether they are depends
    on the lines around them.

    Args:
        text: the whole text of the routine, as body tricks refer to the pattern above them.
        number: number of the line, from 1.
    """
    keyword = text.splitlines()[number - 1].split()[0].casefold()
    if keyword in ("start", "stop", "transition", "repeat", "end"):
        return ""
    try:
        _Reader(text, "")._read_all_lines()
    except RoutineError as error:
        return error.sentences.get(number, "")
    except FileError:
        return ""
    return ""


def without_length(line: str) -> tuple[str, str]:
    """Divide a line of a routine into its pattern, and the length behind it with its blanks."""
    match = LENGTH.search(line)
    return (line[: match.start()], match[0]) if match else (line, "")


def lengthened(line: str, steps: int) -> str:
    """Return a line of a routine with its length changed by some steps, but at least 1.

    Args:
        line: the line with its comment, which is kept.
        steps: number to add, in the unit of the line (catches, loops, beats, seconds, minutes or
            repeats); negative to subtract.
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

    # Any other line lasts for one loop.
    amount = max(1 + steps, 1)
    return with_length(line, f"{amount} {_counted(amount, 'loops')}")


def with_length(line: str, length: str) -> str:
    """Return a line of a routine with a length added, if it is a pattern without one.

    Args:
        line: the line with its comment, which is kept; any other line is returned unchanged.
        length: the length to add, such as `10 s`.
    """
    uncommented = COMMENT.sub("", line)
    # A line that has a length already, words of routines, or an error cannot be read as settings.
    text = uncommented.strip()
    if not read_body_trick(text):
        try:
            read_settings(text)
        except NotationError:
            return line
    return f"{uncommented.rstrip()} {length}{line[len(uncommented) :]}"


def _counted(amount: float, unit: str) -> str:
    """Return a unit as it is written behind an amount: `loop` behind 1, `loops` behind others."""
    many = next(
        (many for many, one in _SINGULAR_UNITS.items() if unit.casefold() in (one, many)), unit
    )
    return _SINGULAR_UNITS.get(many, many) if amount == 1 else many


@dataclass
class _Block(Generic[_Item]):
    """A block of repeated lines; `line` is its `repeat`, or None for the routine itself."""

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
        """Number of lines with all repeats, without those of blocks that are still open."""
        return self._open[0].size()

    def add(self, item: _Item) -> None:
        """Add a line to the block that is open."""
        self._open[-1].items.append(item)
        self.last = item

    def repeat(self, line: SourceLine) -> None:
        """Open a block of lines that are repeated, up to its `end`.

        The block is opened even if an error is raised, so that its `end` does not cause a further
        error.

        Args:
            line: `repeat` and the number of times.

        Raises:
            NotationError: the line does not say how often, or too many blocks are open.
        """
        keyword_end = line.start + len("repeat")
        match = _REPEAT_COUNT.match(line.text[keyword_end:])
        # Python cannot convert a number of very many digits, so it counts as 0, which is refused
        # below.
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
        # The outermost open block is the routine itself, which does not count.
        if len(self._open) > _MAX_NESTED_BLOCKS + 1:
            raise line.error(
                _("too many nested blocks"),
                _("at most {most_deep}", most_deep=_MAX_NESTED_BLOCKS),
            )

    def end(self, line: SourceLine) -> None:
        """End the block that was begun last, and add it to the one around it.

        Args:
            line: the line `end`.

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
        """Yield the blocks without an end: the number of each `repeat`, and an error of it."""
        for block in self._open[1:]:
            assert block.line is not None, "a repeat has begun it"
            accepted = _("write a line end below the lines to repeat")
            yield block.line.number, block.line.error(_("this block has no end"), accepted)

    def lines(self) -> list[_Item]:
        """Return all lines in the order in which they are juggled."""
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


HEAD_TEXTS = ("title", "prop", "colors")
"""Settings in words that the head of a routine may have; parameters of the table may stand there,
too.
"""

MAX_ROUTINE_LINES = 1_000
"""Patterns in a routine, as often as they are repeated."""

_HEAD_WORDS = {
    "title": "title",
    "prop": "prop",
    "props": "prop",
    "colors": "colors",
    "colours": "colors",
}
_STOP_WORDS = ("pause", "rest", "wait", "hold", "collect", "finish")
_UNIT_NAMES = N_("catches, loops, beats or s")
_BARE_LENGTH = re.compile(r"\s*([0-9]+(?:[.,][0-9]+)?)\s*([^\W\d_]+)\s*$")
_WORDS = re.compile(r"(?=.*[^\W\d_]{4})[^\W\d_]+(?:[\s'-]+\w+)*")
_LONGEST_AMOUNT = 100_000  # catches, loops, beats or seconds

_LONGEST_TITLE = 60  # characters of a title that is made of lines


class TransitionLine(NamedTuple):
    """A line with throws that lead to the next pattern.

    Attributes:
        line: the line as it stands in the file.
        throws_start: index in its text at which the throws begin.
        placement: the throws, each with its index in the text behind `throws_start`.
    """

    line: SourceLine
    throws_start: int
    placement: Placement


class RoutineText(NamedTuple):
    """A line that is read: a pattern with its length, or a stop.

    Attributes:
        line: the line as it stands in the file; its number is 0 for a stop that is not written
            there.
        segment: what is juggled; None for a stop.
        length: its duration; None for a stop without a time, which rests for the default time.
        transition: the line with the throws that lead to it; None if there is none, so that the
            throws are found.
    """

    line: SourceLine
    segment: Segment | None = None
    length: Length | None = None
    transition: TransitionLine | None = None


def read_routine(text: str, name: str = "routine") -> PatternList:
    """Read a routine (patterns to be juggled one after another), and time all its events.

    Args:
        text: the text of the routine; docs/routines.md has the format.
        name: the name of the file, for errors; without its ending it is the title if no line gives
            one.

    Returns:
        A list whose only entry is the whole routine.

    Raises:
        RoutineError: lines cannot be read, or not be juggled where they stand.
        FileError: nothing is juggled, or there are too many lines.
    """
    reader = _Reader(text, name)
    score = reader.score()
    settings = Settings(score, reader.parameters, complete=True)
    return PatternList((Entry(score.name, settings, line=1),), single=True)


class _Reader:
    """Reads line after line, and collects the errors."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.parameters: dict[str, float | str | None] = {}
        self._head: dict[str, str] = {}
        self._first_segment: tuple[int, Segment] | None = None  # with the number of its line
        self._open_transition: TransitionLine | None = None  # that no pattern has followed yet
        self._blocks = RoutineBlocks[RoutineText]()
        self._last: Settings | None = None  # of the last pattern, without body tricks

    def score(self) -> Score:
        """Read all lines, and return the score of the whole routine, with timed events.

        Raises:
            RoutineError: some lines are wrong; it lists all of them.
            FileError: nothing is juggled, or there are too many lines.
        """
        self._read_all_lines()
        # Limits on the whole: something is juggled, and not too much.
        if self._blocks.last is None:
            accepted = _("write what to juggle and for how long, such as cascade 10 catches")
            raise FileError(
                _(
                    "{name}: no line says what to juggle; {accepted}",
                    name=self.name,
                    accepted=accepted,
                )
            )
        if self._blocks.size > MAX_ROUTINE_LINES:
            size = _("has {size} patterns and stops, including repeats", size=self._blocks.size)
            raise FileError(
                _(
                    "{name} {size}; the limit is {max_routine_lines}",
                    name=self.name,
                    size=size,
                    max_routine_lines=MAX_ROUTINE_LINES,
                )
            )

        # A stop right below a stop has been refused already. But a repeated block that begins and
        # ends with a stop also brings two together, which shows only in the lines as juggled.
        juggled = self._blocks.lines()
        for before, after in pairwise(juggled):
            if before.segment is None and after.segment is None:
                stop_error = after.line.error(
                    _("there is no pattern between this stop and the one before"),
                    _("write a pattern between two stops, in each round"),
                )
                raise RoutineError(self.name, [(after.line.number, stop_error)])
        return routine_score(juggled, self._head, self.text, self.name)

    def _read_all_lines(self) -> None:
        """Read the head, patterns, transitions, stops and blocks of all lines.

        Raises:
            RoutineError: some lines are wrong; it lists all of them.
            FileError: there are too many lines.
        """
        lines = self.text.splitlines()
        if len(lines) > MAX_LINES:
            raise FileError(
                _(
                    "{name} has {count} lines; the limit is {max_lines}",
                    name=self.name,
                    count=len(lines),
                    max_lines=MAX_LINES,
                )
            )

        # Problems are kept, so that all of them are reported at once.
        problems: list[tuple[int, NotationError]] = []
        for number, text in enumerate(lines, start=1):
            line = SourceLine(number, COMMENT.sub("", text).rstrip())
            try:
                self._read_line(line)
            except JuggleError as error:
                problems.append((number, _error_in_line(line, 0, error)))
        # A transition in the last line leads to no pattern. That is not reported beside other
        # errors, since one of the wrong lines may be meant as the pattern.
        transition = self._open_transition
        if transition and not problems:
            last_error = _no_pattern_after(transition.line, transition.throws_start)
            problems.append((transition.line.number, last_error))
        problems += self._blocks.unclosed()
        if problems:
            raise RoutineError(self.name, sorted(problems, key=lambda problem: problem[0]))

    def _read_line(self, line: SourceLine) -> None:
        """Read a line and add it to the routine.

        Its first word tells what it is: `start`, `stop`, `transition`, `repeat` or `end`, or the
        key of a setting in the head; any other line is a pattern. A blank line does nothing.

        Raises:
            NotationError: the line is wrong, or cannot stand where it is.
        """
        words = line.text.casefold().split()
        if not words:
            return
        keyword = words[0]
        if words == ["start"]:
            self._check_start(line)
        elif keyword == "stop":
            self._blocks.add(self._read_stop(line))
        elif keyword == "transition":
            self._open_transition = self._read_transition(line)
        elif keyword in ("repeat", "end"):
            transition = self._open_transition
            self._open_transition = None
            if keyword == "repeat":
                self._blocks.repeat(line)
            else:
                self._blocks.end(line)
            # A transition must stand right above a pattern. The error is raised only after the
            # block is begun or ended, so that each `end` further down still finds its `repeat`.
            if transition:
                raise _no_pattern_after(line, line.start)
        elif head := head_setting(line.text):
            self._read_setting(line, head)
        else:
            self._blocks.add(self._read_pattern(line))

    def _refuse_open_transition(self, line: SourceLine) -> None:
        """Check that no transition leads to a line that is not a pattern.

        Raises:
            NotationError: a transition leads to such a line.
        """
        if self._open_transition:
            raise _no_pattern_after(line, line.start)

    def _read_setting(self, line: SourceLine, head: re.Match[str]) -> None:
        """Read a setting in the head, which holds for the whole routine: words or a parameter.

        Args:
            line: the line of the setting.
            head: the match of the line; its groups are the key and the value.

        Raises:
            NotationError: the setting is unknown, its value is wrong, or it stands after patterns.
        """
        key = head[1].casefold()
        value = head[2].strip()
        if self._blocks.last:
            raise line.error(
                _("{head} comes after patterns", head=head[1]),
                _("write settings for all of them first"),
                index=0,
            )

        # Settings in words (title, prop, colors) are kept until the score is made. Each is tried on
        # an arbitrary pattern now, so that a wrong value is reported at this line.
        if key in HEAD_TEXTS:
            try:
                with_settings(Settings(Score(read_settings("3").score.pattern)), **{key: value})
            except NotationError as error:
                value_start = line.text.index(value) if value else len(line.text)
                raise _error_in_line(line, value_start, error) from None
            self._head[key] = value
            return

        # All other keys must be those of parameters.
        keys = [*HEAD_TEXTS, *(row.key for row in ROWS)]
        if key not in keys:
            accepted = did_you_mean(
                key,
                keys,
                _(
                    "{head_texts}, or a parameter such as dwell=1.2",
                    head_texts=", ".join(HEAD_TEXTS),
                ),
            )
            raise line.error(_("there is no setting {head}", head=head[1]), accepted, index=0)
        # The parameter is read from a text `key=value` without blanks. The index of an error there
        # is converted to one in the line. Without a value `head.start` is -1.
        prefix = f"{key}="
        value_start = max(head.start(2), 0)
        try:
            self.parameters |= read_parameters(prefix + value)
        except NotationError as error:
            raise _error_in_line(line, value_start, error, prefix_length=len(prefix)) from None

    def _check_start(self, line: SourceLine) -> None:
        """Check a `start` line, which changes nothing: the first pattern starts by itself.

        Raises:
            NotationError: something is juggled already, or a transition leads here.
        """
        self._refuse_open_transition(line)
        # A last line without a segment is a stop, after which a start is allowed.
        if self._blocks.last and self._blocks.last.segment:
            raise line.error(_("a pattern is already being juggled"), _("write a stop before it"))

    def _read_stop(self, line: SourceLine) -> RoutineText:
        """Read a line `stop` or `stop 2 s`.

        Args:
            line: the line of the routine.

        Returns:
            The stop, with its length if one is given.

        Raises:
            NotationError: nothing is juggled before it, a transition leads to it, or something
                other than a time in seconds or minutes is after it.
        """
        self._refuse_open_transition(line)
        if self._blocks.last is None or self._blocks.last.segment is None:
            raise line.error(
                _("there is no pattern before this stop"), _("write what to juggle first")
            )

        # Nothing may follow the word except a time in seconds or minutes, after a blank. Both have
        # the unit "s" in `UNITS`.
        keyword_end = line.start + len("stop")
        length_text = line.text[keyword_end:]
        if not length_text.strip():
            return RoutineText(line)
        match = _BARE_LENGTH.match(length_text)
        if match is None or UNITS.get(match[2].casefold()) != "s" or not length_text[:1].isspace():
            accepted = _("write stop alone, or with a time, such as stop 2 s")
            raise line.error(_("a stop takes only a time"), accepted, index=keyword_end)
        return RoutineText(line, length=Length(_read_amount(line, keyword_end, match), "s"))

    def _read_transition(self, line: SourceLine) -> TransitionLine:
        """Read a line such as `transition 42`, whose throws lead to the pattern of the next line.

        Raises:
            NotationError: the line has no throws or wrong ones, or stands below another transition.
        """
        self._refuse_open_transition(line)
        throws_text = line.text[line.start + len("transition") :].strip()
        if not throws_text:
            accepted = _(
                "write the throws to the next pattern, such as transition 42, or leave the "
                "line out to find them"
            )
            raise line.error(_("no throws"), accepted, index=len(line.text))
        # The index of an error in the throws is converted to one in the line, which ends with the
        # throws, since it has no blanks at its end.
        throws_start = len(line.text) - len(throws_text)
        try:
            placement = place_throws(throws_text, parse(throws_text))
        except NotationError as error:
            raise _error_in_line(line, throws_start, error) from None
        return TransitionLine(line, throws_start, placement)

    def _read_pattern(self, line: SourceLine) -> RoutineText:
        """Read a line with a pattern, or a body trick, and a length.

        A transition in the line above belongs to it.

        Raises:
            NotationError: the line is not a pattern, or does not fit the lines before.
        """
        transition = self._open_transition
        self._open_transition = None

        # The length at the end of the line, such as `10 catches`; one loop if there is none. Group
        # 1 of the match is the number, group 2 the word behind it, which may be no unit.
        match = LENGTH.search(line.text)
        length = Length(1, "loops")
        text = line.text.strip()
        if match and match[2].casefold() in UNITS:
            unit = UNITS[match[2].casefold()]
            length = Length(_read_amount(line, 0, match), unit)
            text = line.text[: match.start()].strip()

        # A word for a throw or catch around the body stands for the last pattern with this trick.
        # `_last` stays the pattern without it, so that tricks do not accumulate.
        if trick := read_body_trick(text):
            settings = self._with_trick(line, *trick)
            return RoutineText(line, self._segment(line, "", settings), length, transition)

        # Any other text is a siteswap, settings or a name. For invalid text, raise the most
        # specific error: a wrong unit, a misspelt word of routines, an unknown name, or the error
        # of reading.
        try:
            settings = read_settings(text)
        except NotationError as error:
            raise (
                self._unit_error(line, match)
                or _word_error(line)
                or _name_error(line, text)
                or _error_in_line(line, line.start, error)
            ) from None
        self._last = settings
        return RoutineText(line, self._segment(line, text, settings), length, transition)

    def _with_trick(self, line: SourceLine, word: str, side: int | None) -> Settings:
        """Return the last pattern that was read, with a throw or catch around the body.

        If the pattern has a tempo of its own, it is dropped, so that the trick sets the tempo.

        Args:
            line: the line of the trick.
            word: our name of the trick.
            side: the hand that does it: 0 left, 1 right, None for both.

        Raises:
            NotationError: no pattern is before.
        """
        if self._last is None:
            reason = _(
                "{word} changes the pattern before it, but there is none",
                word=word,
            )
            raise line.error(reason, _("write a pattern before it, such as cascade 6 catches"))
        # If both hands did a trick under a leg one right after the other, the legs would have no
        # time to change, so such throws are made further apart.
        apart = side is None and moves_legs(word)
        return with_trick(self._last, word, side, apart=apart)

    @staticmethod
    def _unit_error(line: SourceLine, match: re.Match[str] | None) -> NotationError | None:
        """Return the error for a misspelt unit after a number, as in `531 10 cathces`.

        Args:
            line: the line that could not be read as a pattern.
            match: the match of a number (group 1) and a word (group 2) at the end of the line; None
                if the line does not end so.

        Returns:
            The error; None if there is no such word, or the text before the number is no pattern.
        """
        if match is None or match[2].casefold() in UNITS:
            return None
        try:
            read_settings(line.text[line.start : match.start()])
        except NotationError:
            return None
        # Units of one letter are not proposed, since every short word resembles one.
        nearest = difflib.get_close_matches(
            match[2].casefold(), [unit for unit in UNITS if len(unit) > 1], n=1
        )
        accepted = (
            _("did you mean {near}?", near=nearest[0])
            if nearest
            else _("a number of {unit_names}", unit_names=_(_UNIT_NAMES))
        )
        reason = _("{found} is not a unit", found=match[2])
        return line.error(reason, accepted, index=match.start(2))

    def _segment(self, line: SourceLine, text: str, settings: Settings) -> Segment:
        """Return the segment of a line: its pattern, and the parameters with which it is juggled.

        Parameters of the line replace those of the routine. The first segment is kept, since all
        later ones must agree with it in the number of jugglers and in props.

        Args:
            line: the line of the pattern.
            text: the text of the pattern, with which the line begins; empty for a body trick, which
                sets no parameters.
            settings: the settings as read from the text.

        Raises:
            NotationError: the pattern sets what holds for a whole routine, has no props, or has
                another number of jugglers or other props than the first one.
        """
        # Only the parameters in `BEAT_PARAMETERS` may differ from line to line. Others are looked
        # up in the text, to which the error must point.
        for row in ROWS:
            match = re.search(rf"(?:^|;)\s*({row.key})\s*=", text, re.IGNORECASE)
            if match and row.name not in BEAT_PARAMETERS:
                raise line.error(
                    _("{key} applies to the whole routine", key=row.key),
                    _("write {key}=… above all patterns", key=row.key),
                    index=line.start + match.start(1),
                )
        line_parameters = {
            name: value for name, value in settings.parameters.items() if name in BEAT_PARAMETERS
        }
        parameters = DEFAULTS.replace(**self.parameters).replace(**line_parameters)
        segment = Segment(settings.score, parameters)
        if segment.pattern.props == 0:
            raise line.error(_("it has no props"), _("use a pattern with props"))

        if self._first_segment is None:
            self._first_segment = line.number, segment
        else:
            _check_like_first(line, text, segment, *self._first_segment)
        return segment


def _check_like_first(
    line: SourceLine, text: str, segment: Segment, first_number: int, first: Segment
) -> None:
    """Check that a pattern has as many jugglers and the same props as the first of its routine.

    The number of props may change, but not their kinds and colours.

    Args:
        line: the line of the pattern.
        text: the text of the pattern.
        segment: the segment of the pattern.
        first_number: the number of the line of the first pattern, from 1.
        first: the segment of the first pattern.

    Raises:
        NotationError: the pattern is for another number of jugglers, or sets other props.
    """
    jugglers = segment.pattern.jugglers
    first_jugglers = first.pattern.jugglers
    if jugglers != first_jugglers:
        reason = _(
            "this is for {jugglers}, but line {before} has {there}",
            jugglers=counted(jugglers, "juggler"),
            before=first_number,
            there=first_jugglers,
        )
        raise line.error(reason, _("all lines need the same number of jugglers"))
    style = segment.score.staging.props
    first_style = first.score.staging.props
    # Other props are an error only if the line sets them. A named pattern of the library may have
    # props of its own, which are ignored.
    if style not in (PropStyle(), first_style) and ("prop=" in text or "colors=" in text):
        accepted = _("write prop=… and colors=… above all patterns, once")
        raise line.error(_("props cannot change in a routine"), accepted)


def _read_amount(line: SourceLine, start: int, match: re.Match[str]) -> float:
    """Return the amount of a length: a whole number of catches, loops or beats, or a time, [s].

    Args:
        line: the line, for errors.
        start: index in the line of the text that was matched.
        match: group 1 is the amount, perhaps with a decimal comma, and group 2 a word of `UNITS`.

    Raises:
        NotationError: the amount is 0 or above `_LONGEST_AMOUNT`, or it is a fraction of catches,
            loops or beats.
    """
    amount = float(match[1].replace(",", "."))
    unit = UNITS[match[2].casefold()]
    # The unit of minutes is "s", too, so they are converted to seconds.
    amount *= 60 if match[2].casefold().startswith("min") else 1
    index = start + match.start(1)
    if not 0 < amount <= _LONGEST_AMOUNT:
        raise line.error(
            _("{found} is not a length", found=match[1]),
            _("a number above 0, up to {most}", most=_LONGEST_AMOUNT),
            index=index,
        )
    if unit != "s" and amount != int(amount):
        raise line.error(
            _("{found} {unit} is not a whole number", found=match[1], unit=unit),
            _("a whole number of {unit}, or seconds", unit=unit),
            index=index,
        )
    return amount


def _word_error(line: SourceLine) -> NotationError | None:
    """Return the error for a line that is nearly a setting, a stop or a pattern with a length.

    Args:
        line: the line that could not be read as a pattern.

    Returns:
        The error, which says how to write it; None if the line is something else.
    """
    text = line.text.lstrip()
    word, _blank, words_after = text.partition(" ")
    word = word.casefold().rstrip(":")
    no_pattern = _("there is no pattern called {text}", text=printable(text, 40))

    # `title: My routine`, which should be `title=My routine`.
    key = _HEAD_WORDS.get(word)
    if key and words_after.strip():
        setting = f"{key}={printable(words_after.strip(), 40)}"
        return line.error(no_pattern, _("write {setting}", setting=setting))

    # Another word for a stop: `pause`.
    if word in _STOP_WORDS:
        accepted = _("write stop alone, or with a time, such as stop 2 s")
        return line.error(no_pattern, accepted)

    # A pattern and a number without its unit: `531 10`.
    match = BARE_NUMBER.search(line.text)
    if match:
        with suppress(NotationError):
            read_settings(line.text[line.start : match.start()])
            accepted = _("a number of {unit_names}", unit_names=_(_UNIT_NAMES))
            reason = _("{number} has no unit", number=match[1])
            return line.error(reason, accepted, index=match.start(1))
    return None


def _name_error(line: SourceLine, text: str) -> NotationError | None:
    """Return the error for a wrong name of a pattern, with the nearest name if there is one.

    Args:
        line: the line that could not be read as a pattern.
        text: the pattern, with which the line begins, without its length.

    Returns:
        The error; None if the text may be throws or settings, whose own error says more.
    """
    # `_WORDS` matches words of which one has four letters or more: surely a name. Shorter words may
    # be throws, and are taken for a name only if there is a similar one.
    is_words = _WORDS.fullmatch(text) is not None
    has_signs = re.search(r"[=;<(\[0-9]", text) is not None
    nearest = nearest_names(text) if is_words or not has_signs else ()
    if not nearest and not is_words:
        return None
    hint = (
        _("did you mean {near}?", near=nearest[0])
        if nearest
        else _("use a siteswap, settings, or a name from the library")
    )
    return line.error(_("there is no pattern called {text}", text=printable(text, 40)), hint)


def _no_pattern_after(line: SourceLine, index: int) -> NotationError:
    accepted = _("write a pattern on the line after a transition")
    return line.error(_("these throws lead to no pattern"), accepted, index=index)


def _error_in_line(
    line: SourceLine, start: int, error: JuggleError, prefix_length: int = 0
) -> NotationError:
    """Return an error that occurred in a part of a line as an error of the whole line.

    Args:
        line: the whole line.
        start: index of the part in the line.
        error: the error of the part.
        prefix_length: number of characters that were put before the part when it was read, and are
            not in the line.

    Returns:
        The error with its index in the whole line, from 0 to the line's length. An error without an
        index points to `start`.
    """
    if not isinstance(error, NotationError):
        return line.error(str(error), "", index=start)
    if error.text == line.text:
        return error  # of the whole line already
    index = min(max(start + error.index - prefix_length, 0), len(line.text))
    return line.error(error.reason, error.accepted, index=index)


def routine_score(
    lines: Sequence[RoutineText], head: Mapping[str, str], text: str, name: str
) -> Score:
    """Return the score of a routine, in which all throws and catches have their times.

    Args:
        lines: the lines as they are juggled, with repeats written out; at least one has a segment
            (a pattern with its parameters), and the others are stops.
        head: settings in words above them, by key: title, prop and colors.
        text: the text of the whole file, which the score keeps.
        name: the name of the file, for the title and errors.

    Raises:
        RoutineError: a line cannot be juggled where it stands.
    """
    # The kinds and colours of props are those of the head, or else of the first pattern.
    segments = [line.segment for line in lines if line.segment]
    prop_settings = {key: value for key, value in head.items() if key != "title"}
    first = Settings(segments[0].score)
    with_head = with_settings(first, **prop_settings) if prop_settings else first

    # A routine ends with a stop, which is added if the file has none. Its line number 0 means that
    # it is not in the file.
    layout = RoutineLayout(segments, with_head.score.staging.props)
    end = [RoutineText(SourceLine(0, "stop"))] if lines[-1].segment else []
    juggled = [*lines, *end]
    for routine_text in juggled:
        problem = _add_line(layout, routine_text)
        if problem:
            raise RoutineError(name, [problem])
    try:
        choreography = layout.choreography()
    except ChoreographyError as error:
        # The error does not name a line: report the likeliest cause, the line with the greatest
        # change of the number of props.
        index = max(range(len(juggled)), key=lambda index: abs(layout.placed[index].props_added))
        line = juggled[index].line
        # The error points to the first character of the line.
        line_error = line.error(str(error), _("change the number of props by less"), index=0)
        raise RoutineError(name, [(line.number, line_error)]) from None

    # The layout counts time in ticks, parts of a beat, which are converted to seconds. A line
    # begins with its join, the throws that lead to it from the line before; then it enters its own
    # pattern; and it ends where the join of the next line begins.
    timed_lines = tuple(
        RoutineLine(
            routine_text.line.text.strip(),
            routine_text.line.number,
            begins=layout.clock.time_at(placed.join_tick),
            enters=layout.clock.time_at(placed.enter_tick),
            ends=layout.clock.time_at(placed.end_tick),
            throws=placed.join_throws,
            more=placed.props_added,
        )
        for routine_text, placed in zip(juggled, layout.placed, strict=True)
    )
    # The siteswap value of each flight, for display.
    values = tuple(
        _value_text(toss, choreography.jugglers, layout.flying_ticks_per_beat)
        for toss in layout.flying
    )
    script = RoutineScript(
        text=text,
        lines=timed_lines,
        choreography=choreography,
        values=values,
        throws=tuple(toss.throw for toss in layout.flying),
    )
    return Score(placed=choreography, title=head.get("title") or _title(lines, name), script=script)


def _add_line(layout: RoutineLayout, routine_text: RoutineText) -> tuple[int, NotationError] | None:
    """Append a line to the layout of a routine: a stop, or a pattern with the transition to it.

    Args:
        layout: the layout so far, which is changed. It knows the segments of all lines in their
            order already, and `add` takes the next one.
        routine_text: the next line.

    Returns:
        None if the line was added; otherwise the number of the wrong line, from 1, and the error.
        The wrong line may be that of the transition.
    """
    line, segment, length, transition = routine_text
    if segment is None:
        layout.stop(length.amount if length else None)
        return None

    # A transition is thrown once. If its line ends with a star, its throws are placed twice, the
    # second time with swapped hands, so the first half is taken.
    transition_throws = None
    thrown_once = []
    if transition:
        period = transition.placement.written_period
        thrown_once = [
            placed for placed in transition.placement.throws if placed.throw.beat < period
        ]
        transition_throws = GivenThrows(tuple(placed.throw for placed in thrown_once), period)
    try:
        layout.add(length or Length(1, "loops"), transition_throws)
    except PatternError as error:
        assert transition, "without given throws, the layout always finds a transition"
        # The error points to the wrong throw of the transition if it names one, else to the end of
        # the line.
        index = len(transition.line.text)
        if error.throw is not None:
            index = transition.throws_start + thrown_once[error.throw].start
        accepted = _("use other throws, or remove the transition line to find the shortest")
        return transition.line.number, transition.line.error(str(error), accepted, index=index)
    except JuggleError as error:
        return line.number, line.error(str(error), "", index=0)
    return None


def _title(lines: Sequence[RoutineText], name: str) -> str:
    """Return a title for a routine: the name of its file, or else of its patterns, as `3 → 531`.

    Args:
        lines: the lines as they are juggled, with repeats.
        name: the name of the file, with its ending; "routine" if the text is in no file.
    """
    stem = Path(name).stem
    if stem and stem != "routine":
        return stem
    # Lines that are repeated have the same number, so each is named once, in the order of the file.
    segment_by_number = {item.line.number: item.segment for item in lines}
    names = [segment.score.name for segment in segment_by_number.values() if segment]
    title = " → ".join(names)
    return title if len(title) <= _LONGEST_TITLE else " → ".join((names[0], "…", names[-1]))


def _value_text(toss: Toss, jugglers: int, division: int) -> str:
    """Return the value of a flight as a siteswap writes it; nothing if a prop is placed."""
    return (
        "" if toss.rests else throw_text(_written_throw(toss.throw, division), jugglers, division)
    )


def _written_throw(throw: Throw, division: int) -> Throw:
    """Return a throw as a siteswap writes it.

    Whether the prop is held or thrown (`held`) is only written where it might be held: for a throw
    of up to two beats to the same hand.
    """
    same = (throw.juggler, throw.hand) == (throw.to_juggler, throw.to_hand)
    return throw if same and throw.value <= 2 * division else throw._replace(held=None)
