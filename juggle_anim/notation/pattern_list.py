"""Pattern lists: the entries of one file, what reading them may cost, and the text that a writer
returns.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.choreography import Score
from juggle_anim.errors import FileError, JuggleError, joined_names
from juggle_anim.language import _, ngettext
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.limits import (
    MAX_LINES,
    MAX_LIST_TIME,
    MAX_LIST_WORK,
    MAX_THROWS,
    MAX_WILDCARDS,
)
from juggle_anim.notation.prechac import may_be_prechac
from juggle_anim.notation.settings.settings import Settings, read_settings, write_settings
from juggle_anim.parameters import Parameters

_MAX_LINES_WITHOUT_PATTERN = 500  # a text of mere prose is not gone through to its end

# µs; a line of passes takes 400, and a wrong name, compared with the library, 2,000
_USUAL_LINE_TIME = 2_500.0

# µs a character of a pattern that does not say who passes to whom; half of the median
_MATCHING_TIME = 20.0

_DIVIDING_TIME = 12.0  # µs a character at which a line may be divided, beyond the usual ones
_USUAL_LINE_LENGTH = 500  # characters: 20,000 such lines are 10 MB
_MAX_DIVIDED = 1_000  # characters beyond the usual ones

_PLACING_TIME = 5.0  # µs a throw, or an event
_READING_TIME = 1.0  # µs a character of a valid text
_PARSING_TIME = 10.0  # µs a character of a text that is wrong in the end
_COMPLETING_TIME = 1_000.0  # µs for one throw that is left open; with n of them n² as much

_ENTRIES_A_MEASUREMENT = 16  # since asking for the time takes as long as reading a line

# Python in a browser, where nothing else runs, has no time of the thread.
_processor_time = getattr(time, "thread_time", time.perf_counter)

_WORD = re.compile(r"[^\W\d_]{3}")

_REPEAT_COUNT = re.compile(r"\^\s*([0-9]{1,5})")

_MAX_ESTIMATED_LENGTH = 5_000  # characters of an entry that its estimate is made from


def without_traceback(error: JuggleError) -> JuggleError:
    """Return an error without its traceback and causes, so that thousands of them take little
    memory.
    """
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


@lru_cache(maxsize=256)
def try_settings(text: str) -> tuple[Settings | None, JuggleError | None]:
    """Read a text as settings, or tell why it cannot be read; one of the two is None."""
    try:
        return read_settings(text), None
    except JuggleError as error:
        return None, without_traceback(error)


@dataclass(frozen=True)
class Entry:
    """One line of a list: a pattern, a broken one with its error, or a comment.

    Args:
        display: the words to show for it.
        settings: the entry as settings; None for a comment, or if reading failed.
        error: why reading failed.
        text: the settings string as it stands in the file; empty if the entry holds events, or a
            comment.
        line: its line in the file, from 1.
        animprefs: how another program is to show it, kept as it was written.
    """

    display: str
    settings: Settings | None = None
    error: JuggleError | None = None
    text: str = ""
    line: int = 0
    animprefs: str = ""


class Note(NamedTuple):
    """Something in a file that is not read, or not read as it stands.

    Args:
        line: number of the line, from 1; 0 if no single line is meant.
        text: a sentence without a full stop that tells what is not read.
    """

    line: int
    text: str


def note_sentences(notes: Iterable[Note]) -> list[str]:
    """Write a sentence for each different text of notes, with the lines that it concerns."""
    lines: dict[str, list[int]] = {}
    for note in notes:
        lines.setdefault(note.text, []).append(note.line)
    return [f"{_lines(numbers)}{text}" for text, numbers in lines.items()]


def _lines(numbers: list[int]) -> str:
    """Name lines at the beginning of a sentence; empty if all numbers are 0, for no line."""
    named = [str(number) for number in numbers if number]
    return (
        ngettext("line {lines}: ", "lines {lines}: ", len(named), lines=joined_names(named))
        if named
        else ""
    )


@dataclass(frozen=True)
class PatternList:
    """The entries of one file, in their order.

    Args:
        entries: patterns and words.
        title: the title of the whole list.
        about: a description of the whole list.
        single: whether the file holds one pattern; if not, it is a list, perhaps of one.
        notes: what in the file is not read, by its lines.
    """

    entries: tuple[Entry, ...]
    title: str = ""
    about: str = ""
    single: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def has_words_around(self) -> bool:
        """Whether a list of one pattern has more: a title, a description, or other entries."""
        return not self.single and bool(self.title or self.about or len(self.entries) > 1)

    @property
    def patterns(self) -> tuple[Entry, ...]:
        """The entries that are patterns, valid or broken: those that `file#3` counts."""
        return tuple(entry for entry in self.entries if entry.settings or entry.error)


@dataclass(frozen=True)
class WrittenText:
    """A text in a file format.

    Args:
        text: the whole of it.
        left_out: a sentence for each thing that the format cannot hold.
    """

    text: str
    left_out: tuple[str, ...] = ()


def lines_of(text: str, name: str) -> list[str]:
    """Divide a text into lines without their ends, which may be of any kind.

    Args:
        text: the text of a file; a byte order mark at its beginning is dropped.
        name: the name of the file, with which errors begin.

    Raises:
        FileError: there are too many lines.
    """
    # Not str.splitlines, which also divides at form feeds and separators of Unicode.
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # A line end at the end of the text ends the last line, and begins no other.
    if lines[-1] == "":
        lines.pop()
    if len(lines) > MAX_LINES:
        raise FileError(
            _(
                "{name} has {count} lines; the limit is {max_lines}; split it into smaller files",
                name=name,
                count=len(lines),
                max_lines=MAX_LINES,
            )
        )
    return lines


def collect_entries(
    entries: Iterable[Entry],
    name: str,
    lines: Sequence[str],
    notes: Sequence[Note],
    title: str = "",
    about: str = "",
) -> PatternList:
    """Collect the entries of a file as a list, within limits on work and on lines without patterns.

    An entry is a pattern of a list, valid or not, or a comment.

    Args:
        entries: an iterator that reads them, in the order of lines.
        name: the name of the file, with which errors begin.
        lines: the lines of the file.
        notes: notes on unread lines, which the iterator appends meanwhile. Each counts as a line
            without a pattern.
        title, about: title and description of the list.

    Raises:
        FileError: there is no pattern among many lines, or reading takes too much work.
    """
    collected: list[Entry] = []
    budget = ReadingBudget(name)
    broken_count = 0
    has_pattern = False
    last_line = 0
    for entry, microseconds in _timed(entries):
        # A line is searched once for its parts that are patterns, however many entries it has: the
        # cost is counted with the first of them.
        line = lines[entry.line - 1] if entry.line > last_line else ""
        last_line = entry.line
        budget.add(entry, search_cost=_search_cost(line), measured=microseconds)
        if entry.error is not None:
            broken_count += 1
        # Comments and broken entries have no settings.
        if entry.settings is not None:
            has_pattern = True
        # After many lines without any pattern, the file is not a list of patterns.
        if broken_count + len(notes) >= _MAX_LINES_WITHOUT_PATTERN and not has_pattern:
            raise FileError(
                _(
                    "{name} has no patterns: none of the {tried} lines is one",
                    name=name,
                    tried=_MAX_LINES_WITHOUT_PATTERN,
                )
            )
        collected.append(entry)
    return PatternList(tuple(collected), title, about, notes=tuple(notes))


def _timed(entries: Iterable[Entry]) -> Iterator[tuple[Entry, float]]:
    """Yield the entries of a list, each with the processor time beyond what usual ones take, [µs].

    Measuring takes time itself, so only every `_ENTRIES_A_MEASUREMENT`-th entry has a time: that of
    all entries since the last measurement, less what as many usual ones take. All others have 0.
    """
    begin = _processor_time()
    for number, entry in enumerate(entries, start=1):
        if number % _ENTRIES_A_MEASUREMENT:
            yield entry, 0.0
            continue
        microseconds = 1e6 * (_processor_time() - begin)
        # `_USUAL_LINE_TIME` is in [µs].
        yield entry, max(0.0, microseconds - _ENTRIES_A_MEASUREMENT * _USUAL_LINE_TIME)
        # The time that the caller spends between two entries is not counted.
        begin = _processor_time()


class ReadingBudget:
    """The cost so far of the entries of one list, beyond what a usual line takes, in microseconds.

    Usual lines are free, so a list may have one for every line of a file. What takes more adds up,
    as an estimate and as the time that was measured, so a file that is made to take long is refused
    soon.

    Args:
        name: the name of the file, for the error.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._estimated = 0.0
        self._measured = 0.0

    def add(
        self,
        entry: Entry,
        *,
        failure_cost: float = 0.0,
        search_cost: float = 0.0,
        measured: float = 0.0,
    ) -> None:
        """Add the cost of an entry that was just read.

        An entry is a pattern of a list, valid or not, or a comment.

        Args:
            entry: valid or broken.
            failure_cost: estimate of further work before the entry was found to be broken, [µs]; it
                does not count for a valid one.
            search_cost: estimate of the work of looking for the entry, [µs].
            measured: the processor time that was measured beyond that of usual lines, [µs].

        Raises:
            FileError: the estimates or the measured times together are too much.
        """
        estimate = _entry_cost(entry) + search_cost
        if entry.error:
            estimate += failure_cost
        # There are two sums, each with a limit of its own. Estimates are the same on every machine,
        # and measured times find work that the estimates miss.
        self._estimated += max(0.0, estimate - _USUAL_LINE_TIME)
        self._measured += measured
        if self._estimated > MAX_LIST_WORK or self._measured > MAX_LIST_TIME:
            where = (
                _("{name}, line {line}", name=self._name, line=entry.line)
                if entry.line
                else self._name
            )
            raise FileError(
                _(
                    "{where}: too much to read at once; split it into smaller files",
                    where=where,
                )
            )


def _entry_cost(entry: Entry) -> float:
    """Estimate the time that reading an entry takes, [µs].

    It is the sum of the times for completing its text, matching throws to catches, placing throws
    or events, and parsing. Only the beginning of a very long text is looked at.

    Args:
        entry: the entry with settings if it was read, or with an error.
    """
    text = entry.text[:_MAX_ESTIMATED_LENGTH]
    cost = _completion_cost(text)
    if entry.settings is None:
        # The text is wrong. How far it was read is unknown, so the work of all its throws counts.
        cost += _matching_cost(text)
        cost += _PARSING_TIME * len(text)
        return cost + _PLACING_TIME * _throws_written_out(text)
    # A score holds a siteswap-like pattern of throws, or placed events (throws and catches with
    # places and times) and the flights between them.
    score = entry.settings.score
    if score.pattern:
        cost += _matching_cost(score.pattern.text) + _PLACING_TIME * len(score.pattern.throws)
    if score.placed:
        cost += _PLACING_TIME * (len(score.placed.events.time) + len(score.placed.flights.throw))
    return cost + _READING_TIME * len(entry.text)


def _completion_cost(text: str) -> float:
    """Estimate what it takes to complete throws that are left open, [µs]."""
    return _COMPLETING_TIME * min(text.count("?"), MAX_WILDCARDS) ** 2


def _search_cost(line: str) -> float:
    """Estimate what it takes to look for patterns in a line, [µs].

    It is divided; its throws are completed, if it has no words.
    """
    unusual_length = min(max(0, len(line) - _USUAL_LINE_LENGTH), _MAX_DIVIDED)
    cost = _DIVIDING_TIME * unusual_length
    return cost if _WORD.search(line) else cost + _completion_cost(line)


def _matching_cost(text: str) -> float:
    """Estimate what it takes to find out who passes to whom if a text does not say so, [µs]."""
    return _MATCHING_TIME * len(text) if "<" not in text and may_be_prechac(text) else 0.0


def _throws_written_out(text: str) -> int:
    """Estimate how many throws a text writes with its repeats."""
    length = len(text)
    for count in _REPEAT_COUNT.findall(text):
        length = min(length * max(1, int(count)), MAX_THROWS)
    return length


def list_of_one(score: Score, parameters: Parameters) -> PatternList:
    """Return a pattern and its changed parameters as the content of a file."""
    settings = Settings(score, parameters.changed, complete=True)
    text = write_settings(score, parameters) if score.pattern else ""
    return PatternList((Entry(score.name, settings, text=text),), single=True)
