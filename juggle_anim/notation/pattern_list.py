"""Pattern lists: the entries of one file, what reading them may cost, and the text that a writer
returns.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from juggle_anim.choreography import Score
from juggle_anim.errors import FileError, JuggleError, joined_names
from juggle_anim.language import _, ngettext
from juggle_anim.notation.limits import (
    MAX_LINES,
    MAX_LIST_TIME,
    MAX_LIST_WORK,
    MAX_THROWS,
    MAX_WILDCARDS,
)
from juggle_anim.notation.prechac import may_be_prechac
from juggle_anim.notation.settings.settings import Settings, write_settings
from juggle_anim.parameters import ROWS, Parameters

# A text of mere prose is not gone through to its end.
_TRIED = 500

_USUAL_LINE = (
    2_500.0  # µs; a line of passes takes 400, and a wrong name, compared with the library, 2,000
)

_PASSES_MATCHED = (
    20.0  # µs for a character of a pattern that does not say who passes to whom; half of the median
)

_LOOKED_AT_CHARACTER = (
    12.0  # µs for each character beyond the usual ones that a line may be divided at
)

_USUAL_LENGTH = 500  # characters: 20,000 such lines are 10 MB

_DIVIDED = 1_000

_MEASURED_AT_ONCE = 16  # entries

_WORD = re.compile(r"[^\W\d_]{3}")

_COUNT = re.compile(r"\^\s*([0-9]{1,5})")

_LOOKED_AT = 5_000


def without_traceback(error: JuggleError) -> JuggleError:
    """Return an error without its traceback and causes, so that thousands of them take little
    memory.
    """
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


@dataclass(frozen=True)
class Entry:
    """One line of a list: a pattern, a broken one with its error, or a comment.

    Args:
        display: the words to show for it.
        settings: what it says; None for a comment, and where reading failed.
        error: why reading failed.
        text: the settings string as it stands in the file; empty where the entry holds events, or a
            comment.
        line: where in the file it stands, from 1.
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
        line: where, from 1; 0 where it is no one line.
        text: what, as a sentence without a full stop.
    """

    line: int
    text: str


def note_sentences(notes: Iterable[Note]) -> list[str]:
    """A sentence for each text of some notes, with the lines that it is about."""
    lines: dict[str, list[int]] = {}
    for note in notes:
        lines.setdefault(note.text, []).append(note.line)
    return [f"{_lines(numbers)}{text}" for text, numbers in lines.items()]


def _lines(numbers: list[int]) -> str:
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
        title: of the whole list.
        about: a description of the whole list.
        single: whether the file holds just one pattern and no list.
        notes: what in the file is not read, by its lines.
    """

    entries: tuple[Entry, ...]
    title: str = ""
    about: str = ""
    single: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def patterns(self) -> tuple[Entry, ...]:
        """The entries that are patterns, valid or broken: those that `file#3` counts."""
        return tuple(entry for entry in self.entries if entry.settings or entry.error)


@dataclass(frozen=True)
class WrittenText:
    """A text in some format.

    Args:
        text: the whole of it.
        left_out: what the format cannot hold, a sentence for each.
    """

    text: str
    left_out: tuple[str, ...] = ()


def lines_of(text: str, name: str) -> list[str]:
    """The lines of a text with any kind of line ends.

    Raises:
        FileError: there are too many; it begins with `name`.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) > MAX_LINES:
        raise FileError(
            _(
                "{name}: has {count} lines, but at most {max_lines} are read; cut it into smaller "
                "files",
                name=name,
                count=len(lines),
                max_lines=MAX_LINES,
            )
        )
    return lines


def within_budget(
    entries: Iterable[Entry], name: str, lines: Sequence[str], notes: Sequence[Note]
) -> Iterator[Entry]:
    """Pass on the entries of a file as long as there are patterns among them, and not too much
    work.

    Args:
        entries: as they are read.
        name: of the file.
        lines: of the file.
        notes: on what is not read so far; each counts as a line without a pattern.

    Raises:
        FileError: there is no pattern among many, or too much work; it begins with `name`.
    """
    work = ReadingBudget(name)
    wrong = 0
    right = 0
    last = 0
    for entry, microseconds in _timed(entries):
        line = lines[entry.line - 1] if entry.line > last else ""
        last = entry.line
        work.add(entry, looked=_looked_at(line), took=microseconds)
        wrong += entry.error is not None
        right += entry.settings is not None
        if wrong + len(notes) >= _TRIED and not right:
            raise FileError(
                _(
                    "{name}: holds no patterns: none of {tried} lines is one",
                    name=name,
                    tried=_TRIED,
                )
            )
        yield entry


def _timed(entries: Iterable[Entry]) -> Iterator[tuple[Entry, float]]:
    """Entries, each with the processor time beyond that of usual ones since it was last measured,
    [µs].

    It is measured now and then, since to ask for it may take as long as to read a line.
    """
    begun = time.thread_time()
    for number, entry in enumerate(entries, start=1):
        if number % _MEASURED_AT_ONCE:
            yield entry, 0.0
            continue
        took = 1e6 * (time.thread_time() - begun)
        yield entry, max(0.0, took - _MEASURED_AT_ONCE * _USUAL_LINE)
        begun = time.thread_time()


class ReadingBudget:
    """The cost so far of the entries of one list, beyond what a usual line takes, in microseconds.

    Usual lines are free, so a list may have as many of them as a file may have lines. What takes
    more adds up, as an estimate and as the time that was measured, so a file that is made to take
    long is refused soon.

    Args:
        name: of the file, for the error.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._estimated = 0.0
        self._measured = 0.0

    def add(self, entry: Entry, tried: float = 0.0, looked: float = 0.0, took: float = 0.0) -> None:
        """Count what was just read.

        Args:
            entry: a good one or a broken one.
            tried: what else it may have taken until it was found broken, [µs].
            looked: what it took to look for it, [µs].
            took: the processor time that was measured beyond that of usual lines, [µs].

        Raises:
            FileError: it is too much.
        """
        estimate = _work(entry) + (tried if entry.error else 0.0) + looked
        self._estimated += max(0.0, estimate - _USUAL_LINE)
        self._measured += took
        if self._estimated > MAX_LIST_WORK or self._measured > MAX_LIST_TIME:
            where = (
                _("{name}, line {line}", name=self._name, line=entry.line)
                if entry.line
                else self._name
            )
            raise FileError(
                _(
                    "{where}: until here this is too much to read at once; cut it into smaller "
                    "files",
                    where=where,
                )
            )


def _work(entry: Entry) -> float:
    text = entry.text[:_LOOKED_AT]
    work = _completed(text)
    if entry.settings is None:
        # All may have been written out before it was found wrong.
        return work + _tried(text) + 10.0 * len(text) + 5.0 * _written_out(text)
    score = entry.settings.score
    if score.pattern:
        work += _tried(score.pattern.text) + 5.0 * len(score.pattern.throws)
    if score.placed:
        work += 5.0 * (len(score.placed.events.time) + len(score.placed.flights.throw))
    return work + len(entry.text)


def _completed(text: str) -> float:
    """About the cost of completing throws that are left open."""
    return 1_000.0 * min(text.count("?"), MAX_WILDCARDS) ** 2


def _looked_at(line: str) -> float:
    """About the cost of looking for patterns in a line: of dividing it, and of completing throws if
    it has no words.
    """
    divided = _LOOKED_AT_CHARACTER * min(max(0, len(line) - _USUAL_LENGTH), _DIVIDED)
    return divided if _WORD.search(line) else divided + _completed(line)


def _tried(text: str) -> float:
    """About the cost of finding out who passes to whom if the text does not say so."""
    return _PASSES_MATCHED * len(text) if "<" not in text and may_be_prechac(text) else 0.0


def _written_out(text: str) -> int:
    """About how many throws a text may write with its repeats."""
    length = len(text)
    for count in _COUNT.findall(text):
        length = min(length * max(1, int(count)), MAX_THROWS)
    return length


def list_of_one(score: Score, parameters: Parameters) -> PatternList:
    """A pattern and what its parameters change, as the content of a file."""
    changed = {
        row.name: value for row in ROWS if (value := getattr(parameters, row.name)) != row.default
    }
    text = write_settings(score, parameters) if score.pattern else ""
    return PatternList(
        (Entry(score.name, Settings(score, changed, complete=True), text=text),), single=True
    )
