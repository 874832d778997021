"""Plain text lists: a pattern a line, with comments after a #; and the budget that keeps hostile lists short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from juggle_anim.errors import FileError, JuggleError, NotationError
from juggle_anim.notation.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_LIST_WORK, MAX_THROWS, MAX_WILDCARDS
from juggle_anim.notation.pattern_list import Entry, PatternList, WrittenText, without_traceback
from juggle_anim.notation.prechac import may_be_prechac
from juggle_anim.notation.settings.settings import read_settings, write_settings
from juggle_anim.parameters import Parameters

# A text of mere prose is not gone through to its end.
_TRIED = 500

_TITLE = re.compile(r"# title:(.*)", re.IGNORECASE)

_ABOUT = re.compile(r"# about: ?(.*)", re.IGNORECASE)

_HASH = re.compile(r"\s#")

_LONE_HASH = re.compile(r"\s#\s")

_COLON = re.compile(r":\s")

_LINE_ENDS = re.compile(r"[\r\n]+")

_LOOKED_AT = 5_000

_WORD = re.compile(r"[^\W\d_]{3}")

# Microseconds to look for the name of the library that is most like a text.
_NAMES_COMPARED = 3_000.0

_COUNT = re.compile(r"\^\s*([0-9]{1,5})")


def read_text_list(text: str, name: str) -> PatternList:
    """Read a plain text list; a line that is no pattern becomes an entry with the reason.

    A line is a settings string, a siteswap or a name of the library; a name may stand before it with a colon, or after
    it with a #. A line that begins with # is mere words, and `# title:` and `# about:` at the top are of the list.

    Args:
        text: the whole file, with any kind of line ends.
        name: of the file, for errors.

    Raises:
        FileError: there are too many lines or throws, or nothing among many of them is a pattern.
    """
    lines = lines_of(text, name)
    title, about, first = _head(lines)
    entries = (_entry(line, number) for number, line in enumerate(lines[first:], start=first + 1))
    return PatternList(tuple(within_budget(entries, name)), title, about)


def lines_of(text: str, name: str) -> list[str]:
    """The lines of a text with any kind of line ends.

    Raises:
        FileError: there are too many; it begins with `name`.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) > MAX_LINES:
        raise FileError(f"{name}: has {len(lines)} lines, but at most {MAX_LINES} are read; cut it into smaller files")
    return lines


def within_budget(entries: Iterable[Entry], name: str) -> Iterator[Entry]:
    """Pass on the entries of a file as long as there are patterns among them, and not too much work.

    Raises:
        FileError: there is no pattern among many, or too much work; it begins with `name`.
    """
    work, wrong, right = ReadingBudget(name), 0, 0
    for entry in entries:
        work.add(entry)
        wrong += entry.error is not None
        right += entry.settings is not None
        if wrong == _TRIED and not right:
            raise FileError(f"{name}: holds no patterns: none of {_TRIED} lines is one")
        yield entry


def write_text_list(patterns: PatternList) -> WrittenText:
    """Write a plain text list that `read_text_list` reads as the same entries.

    A pattern that is given by events is written as the pattern that it was made from, or as mere words.
    """
    lines = [f"# title: {_one_line(patterns.title)}"] if patterns.title else []
    lines += [f"# about: {line}" for line in _LINE_ENDS.split(patterns.about) if patterns.about]
    left_out: list[str] = []
    for entry in patterns.entries:
        lines.append(_line(entry))
        if lost := _lost(entry, lines[-1]):
            left_out.append(f"{_one_line(entry.display)}: {lost}")
    return WrittenText("".join(f"{line}\n" for line in lines), tuple(left_out))


def _head(lines: list[str]) -> tuple[str, str, int]:
    """The title and description at the top, and the index of the first line after them."""
    title, about, first = "", [], 0
    if lines and (found := _TITLE.fullmatch(lines[0])):
        title, first = found[1].strip(), 1
    while first < len(lines) and (found := _ABOUT.fullmatch(lines[first])):
        about.append(found[1].rstrip())
        first += 1
    return title, "\n".join(about), first


def _entry(line: str, number: int) -> Entry:
    stripped = line.strip()
    if not stripped:
        return Entry("", line=number)
    if stripped.startswith("#"):
        return Entry(stripped[1:].removeprefix(" "), line=number)
    if len(stripped) > MAX_LINE_LENGTH:
        reason = f"this line has {len(stripped)} characters, but at most {MAX_LINE_LENGTH} are read"
        return Entry(f"{stripped[:20]}…", error=FileError(reason), text=stripped, line=number)
    display, text = _named(stripped)
    try:
        settings = read_settings(text)
    except JuggleError as error:
        return Entry(display or text, error=without_traceback(error), text=text, line=number)
    return Entry(display or settings.score.title or text, settings, text=text, line=number)


def _named(line: str) -> tuple[str, str]:
    """The name that stands beside a pattern, if any, and the pattern."""
    pattern, mark, name = _cut(_HASH, line)
    if "=" in pattern:
        # A title may hold a #3; what begins words in settings is a # that stands alone.
        pattern, mark, name = _cut(_LONE_HASH, line)
    if mark:
        return name.strip(), pattern.strip()
    name, mark, pattern = _cut(_COLON, line)
    return (name.strip(), pattern.strip()) if mark and "=" not in name else ("", line)


def _cut(mark: re.Pattern[str], line: str) -> tuple[str, str, str]:
    found = mark.search(line)
    return (line[: found.start()], found[0], line[found.end() :]) if found else (line, "", "")


def _line(entry: Entry) -> str:
    display = _one_line(entry.display)
    text, title = _pattern_text(entry)
    if not text:
        return f"# {display}".rstrip() if display else ""
    return text if display in (text, title, "") else f"{text}  # {display}"


def _pattern_text(entry: Entry) -> tuple[str, str]:
    """Return the text of an entry and its title; empty if it cannot be written in a line."""
    if entry.text or entry.settings is None:
        # Settings may go over several lines in JML, where a line's end means nothing.
        return _LINE_ENDS.sub("", entry.text), entry.settings.score.title if entry.settings else ""
    score = entry.settings.score
    if score.pattern:
        return write_settings(score, entry.settings.applied_to(Parameters())), score.title
    notation, text = score.base or ("", "")
    try:
        title = read_settings(text).score.title
    except NotationError:
        return "", ""
    return (_LINE_ENDS.sub("", text), title) if notation.casefold() == "siteswap" else ("", "")


def _lost(entry: Entry, line: str) -> str:
    if entry.settings and entry.settings.score.placed:
        if line.startswith("#"):
            return "its events do not fit in a line, so only its name is written"
        return "its events do not fit in a line, so the pattern that they were made from is written"
    if entry.animprefs:
        return "how another program is to show it is not written"
    if _has_words_of_its_own(entry):
        return "its description and tags are not written"
    if entry.text and (line.startswith("#") or _named(line)[1] != _pattern_text(entry)[0].strip()):
        return "a # or a : in it will be taken for the beginning of words"
    return ""


def _has_words_of_its_own(entry: Entry) -> bool:
    """Whether there is a description that reading the line will not give again, as a name of the library would."""
    score = entry.settings.score if entry.settings else None
    if score is None or score.pattern is None or not (score.about or score.tags):
        return False
    return not entry.text or "=" in entry.text or score.pattern.text in entry.text


def _one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", text)


class ReadingBudget:
    """The cost so far of the entries of one list, about in microseconds.

    Args:
        name: of the file, for the error.
    """

    def __init__(self, name: str) -> None:
        self._name, self._done = name, 0.0

    def add(self, entry: Entry, tried: float = 0.0) -> None:
        """Count what was just read.

        Args:
            entry: a good one or a broken one.
            tried: what else it may have taken until it was found broken.

        Raises:
            FileError: it is too much.
        """
        self._done += _work(entry) + (tried if entry.error else 0.0)
        if self._done > MAX_LIST_WORK:
            where = f"{self._name}, line {entry.line}" if entry.line else self._name
            raise FileError(f"{where}: until here this is too much to read at once; cut it into smaller files")


def _work(entry: Entry) -> float:
    text = entry.text[:_LOOKED_AT]
    work = 1_000.0 * min(text.count("?"), MAX_WILDCARDS) ** 2
    if entry.settings is None:
        # The reason and the nearest name take their time, and all may have been written out before it was found wrong.
        work += _NAMES_COMPARED if _WORD.search(text) else 100.0
        return work + _tried(text) + 10.0 * len(text) + 5.0 * _written_out(text)
    score = entry.settings.score
    if score.pattern:
        work += _tried(score.pattern.text) + 5.0 * len(score.pattern.throws)
    if score.placed:
        work += 5.0 * (len(score.placed.events.time) + len(score.placed.flights.throw))
    return work + len(entry.text)


def _tried(text: str) -> float:
    """Return the greatest cost of finding out who passes to whom if the text does not say so."""
    return 100.0 * len(text) if "<" not in text and may_be_prechac(text) else 0.0


def _written_out(text: str) -> int:
    """About how many throws a text may write with its repeats."""
    length = len(text)
    for count in _COUNT.findall(text):
        length = min(length * max(1, int(count)), MAX_THROWS)
    return length
