"""Routines as texts: a line for each pattern and for how long it is juggled, laid out as events.
See docs/routines.md.

title=First routine
cascade 4 catches
531 2 loops
transition 42
51 5 s
stop
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from juggle_anim.choreography import Score
from juggle_anim.choreography.score import PropStyle, RoutineLine, RoutineScript
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
from juggle_anim.notation.body_tricks import moves_legs, read_body_trick
from juggle_anim.notation.limits import MAX_LINES
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.routine_lines import (
    BARE_NUMBER,
    COMMENT,
    LENGTH,
    UNITS,
    RoutineBlocks,
    head_setting,
)
from juggle_anim.notation.search import nearest_names
from juggle_anim.notation.settings.parameter_settings import read_parameters
from juggle_anim.notation.settings.settings import (
    Settings,
    read_settings,
    with_settings,
    with_trick,
)
from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.syntax import Placement, place_throws
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.parameters import BEAT_PARAMETERS, DEFAULTS, ROWS, Parameters
from juggle_anim.pattern import Throw
from juggle_anim.tosses.routine import GivenThrows, RoutineLayout
from juggle_anim.tosses.segment import Length, Segment
from juggle_anim.tosses.toss import Toss

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
        number: from 1.
        text: as it stands in the file, without a comment.
        start: the index of the throws in it.
        placement: the throws.
    """

    number: int
    text: str
    start: int
    placement: Placement


class RoutineText(NamedTuple):
    """A line that is read: a pattern with its length, or a stop.

    Attributes:
        number: from 1.
        text: as it stands in the file, without a comment.
        segment: what is juggled; None for a stop.
        length: for how long; None for a stop without a time.
        transition: the line with the throws that lead to it; None to find them.
    """

    number: int
    text: str
    segment: Segment | None = None
    length: Length | None = None
    transition: TransitionLine | None = None


def read_routine(text: str, name: str = "routine") -> PatternList:
    """Read a routine and lay it out, as a list of one.

    Args:
        text: lines as docs/routines.md has them.
        name: of the file, for errors; without its ending it is the title where no line gives one.

    Raises:
        RoutineError: lines that cannot be read, or juggled where they stand.
        FileError: nothing is juggled.
    """
    reader = _Reader(text, name)
    score = reader.score()
    settings = Settings(score, reader.parameters, complete=True)
    return PatternList((Entry(score.name, settings, line=1),), single=True)


class _Reader:
    """Reads line after line, and keeps what is wrong."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.parameters: dict[str, float | str | None] = {}
        self._head: dict[str, str] = {}
        self._props: tuple[int, Segment] | None = None
        self._open_transition: TransitionLine | None = None  # that no pattern has followed yet
        self._problems: list[tuple[int, NotationError]] = []
        self._blocks = RoutineBlocks[RoutineText]()
        self._last: Settings | None = None

    def score(self) -> Score:
        """All of it, laid out."""
        lines = self.text.splitlines()
        if len(lines) > MAX_LINES:
            raise FileError(
                _(
                    "{name}: has {count} lines, but at most {max_lines} are read",
                    name=self.name,
                    count=len(lines),
                    max_lines=MAX_LINES,
                )
            )
        for number, line in enumerate(lines, start=1):
            self._try(number, line)
        transition = self._open_transition
        if transition and not self._problems:
            error = _no_pattern_after(transition.text, transition.start)
            self._problems.append((transition.number, error))
        self._problems = sorted(
            [*self._problems, *self._blocks.unclosed()], key=lambda problem: problem[0]
        )
        self._check()
        if self._blocks.last is None:
            accepted = _("write what to juggle and for how long, as cascade 10 catches")
            raise FileError(
                _(
                    "{name}: no line of it says what to juggle; {accepted}",
                    name=self.name,
                    accepted=accepted,
                )
            )
        if self._blocks.size > MAX_ROUTINE_LINES:
            size = _("has {size} patterns and stops, with all repeats", size=self._blocks.size)
            raise FileError(
                _(
                    "{name}: {size}, but at most {max_routine_lines} are laid out",
                    name=self.name,
                    size=size,
                    max_routine_lines=MAX_ROUTINE_LINES,
                )
            )
        juggled = self._blocks.lines()
        for before, after in pairwise(juggled):
            if before.segment is None and after.segment is None:
                start = len(after.text) - len(after.text.lstrip())
                reason = _("nothing is juggled between this stop and the one before")
                error = NotationError(
                    after.text, start, reason, _("a pattern between two stops, in each round")
                )
                raise RoutineError(self.name, [(after.number, error)])
        return routine_score(juggled, self._head, self.text, self.name)

    def _check(self) -> None:
        if self._problems:
            raise RoutineError(self.name, self._problems)

    def _try(self, number: int, line: str) -> None:
        plain = COMMENT.sub("", line).rstrip()
        try:
            self._line(number, plain)
        except JuggleError as error:
            self._problems.append((number, _at(plain, 0, error)))

    def _line(self, number: int, line: str) -> None:
        words = line.split()
        if not words:
            return
        start = len(line) - len(line.lstrip())
        head = head_setting(line)
        if line.strip().casefold() == "start":
            self._start(line, start)
        elif words[0].casefold() == "stop":
            self._blocks.add(self._stop(number, line, start))
        elif words[0].casefold() == "transition":
            self._open_transition = self._transition(number, line, start)
        elif words[0].casefold() in ("repeat", "end"):
            transition = self._open_transition
            self._open_transition = None
            if words[0].casefold() == "repeat":
                self._blocks.repeat(number, line, start)
            else:
                self._blocks.end(line, start)
            if transition:
                raise _no_pattern_after(line, start)
        elif head:
            self._setting(line, head)
        else:
            self._blocks.add(self._pattern(number, line, start))

    def _setting(self, line: str, head: re.Match[str]) -> None:
        """A line of the head."""
        key = head[1].casefold()
        value = head[2].strip()
        if self._blocks.last:
            raise NotationError(
                line,
                0,
                _("{head} is said after patterns", head=head[1]),
                _("settings of all stand before them"),
            )
        if key in HEAD_TEXTS:
            try:
                with_settings(Settings(Score(read_settings("3").score.pattern)), **{key: value})
            except NotationError as error:
                raise _at(line, line.index(value) if value else len(line), error) from None
            self._head[key] = value
            return
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
            raise NotationError(line, 0, _("there is no setting {head}", head=head[1]), accepted)
        try:
            self.parameters |= read_parameters(f"{key}={value}")
        except NotationError as error:
            raise _at(line, max(head.start(2), 0), error, moved=-len(key) - 1) from None

    def _start(self, line: str, start: int) -> None:
        """A line that says what a first line does anyway, and one after a stop."""
        if self._open_transition:
            raise _no_pattern_after(line, start)
        if self._blocks.last and self._blocks.last.segment:
            raise NotationError(
                line, start, _("something is juggled already"), _("a stop before it")
            )

    def _stop(self, number: int, line: str, start: int) -> RoutineText:
        if self._open_transition:
            raise _no_pattern_after(line, start)
        if self._blocks.last is None or self._blocks.last.segment is None:
            raise NotationError(
                line,
                start,
                _("nothing is juggled before this stop"),
                _("write what to juggle first"),
            )
        rest = line[start + len("stop") :]
        if not rest.strip():
            return RoutineText(number, line)
        match = _BARE_LENGTH.match(rest)
        if match is None or UNITS.get(match[2].casefold()) != "s" or not rest[:1].isspace():
            accepted = _("stop alone, or with how long props lie in the hands, as stop 2 s")
            raise NotationError(line, start + len("stop"), _("a stop has a time at most"), accepted)
        return RoutineText(
            number, line, None, Length(_number(line, start + len("stop"), match), "s")
        )

    def _transition(self, number: int, line: str, start: int) -> TransitionLine:
        if self._open_transition:
            raise _no_pattern_after(line, start)
        rest = line[start + len("transition") :]
        index = len(line) - len(rest.lstrip())
        if not rest.strip():
            accepted = _(
                "the throws that lead to the next pattern, as transition 42, or no such line to "
                "find them"
            )
            raise NotationError(line, len(line), _("there are no throws"), accepted)
        try:
            placement = place_throws(rest.strip(), parse(rest.strip()))
        except NotationError as error:
            raise _at(line, index, error) from None
        return TransitionLine(number, line, index, placement)

    def _pattern(self, number: int, line: str, start: int) -> RoutineText:
        transition = self._open_transition
        self._open_transition = None
        match = LENGTH.search(line)
        length = Length(1, "loops")
        text = line[start:].rstrip()
        if match and match[2].casefold() in UNITS:
            unit = UNITS[match[2].casefold()]
            length = Length(_number(line, 0, match), unit)
            text = line[start : match.start()].rstrip()
        if trick := read_body_trick(text):
            settings = self._with_trick(line, start, *trick)
            return RoutineText(
                number, line, self._segment(line, start, "", settings, number), length, transition
            )
        try:
            self._last = settings = read_settings(text)
        except NotationError as error:
            raise (
                self._unit_error(line, start, match)
                or _word_error(line, start)
                or _name_error(line, start, text)
                or _at(line, start, error)
            ) from None
        return RoutineText(
            number, line, self._segment(line, start, text, settings, number), length, transition
        )

    def _with_trick(self, line: str, start: int, word: str, side: int | None) -> Settings:
        """The pattern of the line before with one throw or catch around the body, in the tempo that
        this needs.
        """
        if self._last is None:
            reason = _(
                "{word} is a way to throw or catch in the pattern before, and there is none",
                word=word,
            )
            raise NotationError(
                line, start, reason, _("write a pattern before it, as cascade 6 catches")
            )
        # One throw by each hand right after the other leaves no time for legs.
        apart = side is None and moves_legs(word)
        return with_trick(self._last, word, side, apart)

    @staticmethod
    def _unit_error(line: str, start: int, match: re.Match[str] | None) -> NotationError | None:
        """The error of a word after a number that is no unit, where what stands before is a
        pattern.
        """
        if match is None or match[2].casefold() in UNITS:
            return None
        try:
            read_settings(line[start : match.start()])
        except NotationError:
            return None
        near = difflib.get_close_matches(
            match[2].casefold(), [unit for unit in UNITS if len(unit) > 1], n=1
        )
        accepted = (
            _("did you mean {near}?", near=near[0])
            if near
            else _("a number of {unit_names}", unit_names=_(_UNIT_NAMES))
        )
        return NotationError(
            line, match.start(2), _("nothing is counted in {found}", found=match[2]), accepted
        )

    def _segment(
        self, line: str, start: int, text: str, settings: Settings, number: int
    ) -> Segment:
        """A pattern with its own parameters, which goes with those before."""
        for row in ROWS:
            written = re.search(rf"(?:^|;)\s*({row.key})\s*=", text, re.IGNORECASE)
            if written and row.name not in BEAT_PARAMETERS:
                reason = _("{key} holds for a whole routine", key=row.key)
                raise NotationError(
                    line,
                    start + written.start(1),
                    reason,
                    _("write {key}=… above all patterns", key=row.key),
                )
        own = {
            name: value for name, value in settings.parameters.items() if name in BEAT_PARAMETERS
        }
        segment = Segment(settings.score, _applied(self.parameters).replace(**own))
        if segment.pattern.props == 0:
            raise NotationError(
                line, start, _("nothing is juggled in it"), _("a pattern with props")
            )
        if self._props is None:
            self._props = number, segment
            return segment
        before, first = self._props
        here = segment.pattern.jugglers
        there = first.pattern.jugglers
        if here != there:
            reason = _(
                "this is for {jugglers}, but line {before} has {there}",
                jugglers=counted(here, "juggler"),
                before=before,
                there=there,
            )
            raise NotationError(
                line, start, reason, _("all lines have as many jugglers, as none comes or goes")
            )
        style = segment.score.staging.props
        firsts = first.score.staging.props
        if style not in (PropStyle(), firsts) and ("prop=" in text or "colors=" in text):
            accepted = _("write prop=… and colors=… above all patterns, once")
            raise NotationError(line, start, _("props stay the same in a routine"), accepted)
        return segment


def _applied(parameters: dict[str, float | str | None]) -> Parameters:
    return DEFAULTS.replace(**parameters)


def _number(line: str, start: int, match: re.Match[str]) -> float:
    """The amount of a length, which is in the first group of a match that begins at an index."""
    amount = float(match[1].replace(",", "."))
    unit = UNITS[match[2].casefold()]
    amount *= 60 if match[2].casefold().startswith("min") else 1
    index = start + match.start(1)
    if not 0 < amount <= _LONGEST_AMOUNT:
        raise NotationError(
            line,
            index,
            _("{found} is not a length", found=match[1]),
            _("a number above 0, up to {most}", most=_LONGEST_AMOUNT),
        )
    if unit != "s" and amount != int(amount):
        raise NotationError(
            line,
            index,
            _("{found} {unit} are not whole", found=match[1], unit=unit),
            _("a whole number of {unit}, or seconds", unit=unit),
        )
    return amount


def _word_error(line: str, start: int) -> NotationError | None:
    """The error of what is nearly a setting, a stop, or a pattern with a length; None if a line is
    something else.
    """
    text = line[start:]
    word, _blank, rest = text.partition(" ")
    word = word.casefold().rstrip(":")
    no_pattern = _("there is no pattern called {text}", text=printable(text, 40))
    if (key := _HEAD_WORDS.get(word)) and rest.strip():
        return NotationError(
            line,
            start,
            no_pattern,
            _("write {setting}", setting=f"{key}={printable(rest.strip(), 40)}"),
        )
    if word in _STOP_WORDS:
        accepted = _("stop alone, or with how long props lie in the hands, as stop 2 s")
        return NotationError(line, start, no_pattern, accepted)
    if match := BARE_NUMBER.search(line):
        with suppress(NotationError):
            read_settings(line[start : match.start()])
            accepted = _("a number of {unit_names}", unit_names=_(_UNIT_NAMES))
            reason = _("what is counted by {number} is not said", number=match[1])
            return NotationError(line, match.start(1), reason, accepted)
    return None


def _name_error(line: str, start: int, text: str) -> NotationError | None:
    """The error of words that are no name of a pattern; None where a text may be throws or
    settings.
    """
    near = (
        nearest_names(text) if not re.search(r"[=;<(\[0-9]", text) or _WORDS.fullmatch(text) else ()
    )
    if not near and not _WORDS.fullmatch(text):
        return None
    hint = (
        _("did you mean {near}?", near=near[0])
        if near
        else _("a siteswap, settings, or a name of the library")
    )
    return NotationError(
        line, start, _("there is no pattern called {text}", text=printable(text, 40)), hint
    )


def _no_pattern_after(line: str, start: int) -> NotationError:
    return NotationError(
        line,
        start,
        _("these throws lead to no pattern"),
        _("a pattern in the line after a transition"),
    )


def _at(line: str, start: int, error: JuggleError, moved: int = 0) -> NotationError:
    """An error of a part of a line, as one of the line."""
    if not isinstance(error, NotationError):
        return NotationError(line, start, str(error))
    if error.text == line:
        return error
    index = min(max(start + error.index + moved, 0), len(line))
    return NotationError(line, index, error.reason, error.accepted)


def routine_score(
    lines: Sequence[RoutineText], head: Mapping[str, str], text: str, name: str
) -> Score:
    """Lay out lines.

    Args:
        lines: as they are juggled, with repeats.
        head: settings in words above them.
        text: of all.
        name: of the file.

    Raises:
        RoutineError: a line cannot be juggled where it stands.
    """
    segments = [line.segment for line in lines if line.segment]
    looks = {key: value for key, value in head.items() if key != "title"}
    first = Settings(segments[0].score)
    style = (
        with_settings(first, **looks).score.staging.props if looks else first.score.staging.props
    )
    layout = RoutineLayout(segments, style)
    juggled = [*lines, RoutineText(0, "stop")] if lines[-1].segment else list(lines)
    for line in juggled:
        problem = _add(layout, line)
        if problem:
            raise RoutineError(name, [problem])
    try:
        choreography = layout.choreography()
    except ChoreographyError as error:
        at = max(range(len(juggled)), key=lambda row: abs(layout.placed[row].more))
        there = NotationError(
            juggled[at].text, 0, str(error), _("a change of the number of props by fewer")
        )
        raise RoutineError(name, [(juggled[at].number, there)]) from None
    timed = []
    for line, placed in zip(juggled, layout.placed, strict=True):
        begins = layout.clock.at(placed.leaves)
        enters = layout.clock.at(placed.enters)
        ends = layout.clock.at(placed.until)
        timed.append(
            RoutineLine(
                line.text.strip(), line.number, begins, enters, ends, placed.throws, placed.more
            )
        )
    values = tuple(_value(toss, choreography.jugglers, layout.parts) for toss in layout.flown)
    script = RoutineScript(text, tuple(timed), choreography, values)
    return Score(placed=choreography, title=head.get("title") or _title(lines, name), script=script)


def _add(layout: RoutineLayout, line: RoutineText) -> tuple[int, NotationError] | None:
    """Let a line follow; the number of the one that is wrong and why, if it cannot."""
    if line.segment is None:
        layout.stop(line.length and line.length.amount)
        return None
    given = None
    if line.transition:
        placement = line.transition.placement
        written = [item.throw for item in placement.throws]
        first_round = [throw for throw in written if throw.beat < placement.written_period]
        given = GivenThrows(tuple(first_round), placement.written_period)
    try:
        layout.add(line.length or Length(1, "loops"), given)
    except PatternError as error:
        assert line.transition, "other throws are found"
        number, text, start, placement = line.transition
        index = len(text)
        if error.throw is not None:
            index = start + placement.throws[error.throw].start
        accepted = _("other throws, or no transition line, and the shortest are found")
        return number, NotationError(text, index, str(error), accepted)
    except JuggleError as error:
        return line.number, NotationError(line.text, 0, str(error))
    return None


def _title(lines: Sequence[RoutineText], name: str) -> str:
    stem = Path(name).stem
    if stem and stem != "routine":
        return stem
    names = [
        line.segment.score.name
        for line in {line.number: line for line in lines}.values()
        if line.segment
    ]
    title = " → ".join(names)
    return title if len(title) <= _LONGEST_TITLE else " → ".join((names[0], "…", names[-1]))


def _value(toss: Toss, jugglers: int, division: int) -> str:
    """The value of a flight as a siteswap writes it; nothing where a prop is put down."""
    return "" if toss.rests else throw_text(_plain(toss.throw, division), jugglers, division)


def _plain(throw: Throw, division: int) -> Throw:
    """A throw as a siteswap writes it: that it is thrown is only said where it might be held, as a
    2 is.
    """
    same = (throw.juggler, throw.hand) == (throw.to_juggler, throw.to_hand)
    return throw if same and throw.value <= 2 * division else throw._replace(held=None)
