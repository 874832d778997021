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
        number: of the line, from 1.
        text: as it stands in the file, without a comment.
        start: index in `text` at which the throws begin.
        placement: the throws, each with its index in the text behind `start`.
    """

    number: int
    text: str
    start: int
    placement: Placement


class RoutineText(NamedTuple):
    """A line that is read: a pattern with its length, or a stop.

    Attributes:
        number: of the line, from 1.
        text: as it stands in the file, without a comment.
        segment: what is juggled; None for a stop.
        length: for how long; None for a stop without a time, which rests for the default time.
        transition: the line with the throws that lead to it; None if there is none, so that the
            throws are found.
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
        name: of the file, for errors; without its ending it is the title if no line gives one.

    Returns:
        A list whose only entry is the whole routine.

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
        self._first_segment: tuple[int, Segment] | None = None  # with the number of its line
        self._open_transition: TransitionLine | None = None  # that no pattern has followed yet
        self._problems: list[tuple[int, NotationError]] = []
        self._blocks = RoutineBlocks[RoutineText]()
        self._last: Settings | None = None

    def score(self) -> Score:
        """Read all lines and lay them out as a score.

        Raises:
            RoutineError: lines that are wrong, all of them together.
            FileError: nothing is juggled, or there are too many lines.
        """
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

        # Read every line; problems are kept, so that all of them are reported at once.
        for number, line in enumerate(lines, start=1):
            self._read_line_or_keep_error(number, line)
        # A transition in the last line leads to no pattern. If other lines are wrong, the pattern
        # may be one of them, so that this is not reported as well.
        transition = self._open_transition
        if transition and not self._problems:
            error = _no_pattern_after(transition.text, transition.start)
            self._problems.append((transition.number, error))
        self._problems = sorted(
            [*self._problems, *self._blocks.unclosed()], key=lambda problem: problem[0]
        )
        self._raise_problems()

        # Limits on the whole: something is juggled, and not too much.
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

        # While lines are read, a stop after a stop is an error already. A block that begins and
        # ends with a stop brings two together only when its repeats are written out.
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

    def _raise_problems(self) -> None:
        if self._problems:
            raise RoutineError(self.name, self._problems)

    def _read_line_or_keep_error(self, number: int, line: str) -> None:
        """Read a line; if it is wrong, keep its error with its number, and go on."""
        plain = COMMENT.sub("", line).rstrip()
        try:
            self._read_line(number, plain)
        except JuggleError as error:
            self._problems.append((number, _error_in_line(plain, 0, error)))

    def _read_line(self, number: int, line: str) -> None:
        """Read a line and add it to the routine.

        Its first word tells the kind: `start`, `stop`, `transition`, `repeat` or `end`; the key of
        a setting of the head; or else a pattern. A blank line does nothing.

        Args:
            number: of the line, from 1.
            line: without its comment.

        Raises:
            NotationError: the line is wrong, or cannot stand where it is.
        """
        words = line.split()
        if not words:
            return
        start = len(line) - len(line.lstrip())
        head = head_setting(line)
        if line.strip().casefold() == "start":
            self._check_start(line, start)
        elif words[0].casefold() == "stop":
            self._blocks.add(self._read_stop(number, line, start))
        elif words[0].casefold() == "transition":
            self._open_transition = self._read_transition(number, line, start)
        elif words[0].casefold() in ("repeat", "end"):
            transition = self._open_transition
            self._open_transition = None
            if words[0].casefold() == "repeat":
                self._blocks.repeat(number, line, start)
            else:
                self._blocks.end(line, start)
            # A transition before it is an error. It is raised only now that the block is begun or
            # ended, so that each `end` further down still finds its `repeat`.
            if transition:
                raise _no_pattern_after(line, start)
        elif head:
            self._read_setting(line, head)
        else:
            self._blocks.add(self._read_pattern(number, line, start))

    def _read_setting(self, line: str, head: re.Match[str]) -> None:
        """Read a setting of the head, in words or a parameter, and keep it for all of the routine.

        Args:
            line: without its comment.
            head: the match of the line, with the key and the value as groups.

        Raises:
            NotationError: the setting is unknown, its value is wrong, or it stands after patterns.
        """
        key = head[1].casefold()
        value = head[2].strip()
        if self._blocks.last:
            raise NotationError(
                line,
                0,
                _("{head} is said after patterns", head=head[1]),
                _("settings of all stand before them"),
            )

        # Settings in words are kept until the score is made. To report a wrong value at this line
        # now, each is tried on the pattern 3, which any other would do for.
        if key in HEAD_TEXTS:
            try:
                with_settings(Settings(Score(read_settings("3").score.pattern)), **{key: value})
            except NotationError as error:
                raise _error_in_line(
                    line, line.index(value) if value else len(line), error
                ) from None
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
            raise NotationError(line, 0, _("there is no setting {head}", head=head[1]), accepted)
        # The parameter is read from a text `key=value` without blanks. An error's index in it is
        # reduced by the key and the =, and then counts from the value in the line. `start` is -1
        # for a group of the match that took no part.
        try:
            self.parameters |= read_parameters(f"{key}={value}")
        except NotationError as error:
            raise _error_in_line(line, max(head.start(2), 0), error, moved=-len(key) - 1) from None

    def _check_start(self, line: str, start: int) -> None:
        """Check a `start` line, which changes nothing: the first pattern starts by itself.

        Args:
            line: without its comment.
            start: index of its first word.

        Raises:
            NotationError: something is juggled already, or a transition leads here.
        """
        if self._open_transition:
            raise _no_pattern_after(line, start)
        # A last line without a segment is a stop, after which a start is allowed.
        if self._blocks.last and self._blocks.last.segment:
            raise NotationError(
                line, start, _("something is juggled already"), _("a stop before it")
            )

    def _read_stop(self, number: int, line: str, start: int) -> RoutineText:
        """Read a line `stop` or `stop 2 s`.

        Args:
            number: of the line, from 1.
            line: without its comment.
            start: index of its first word.

        Raises:
            NotationError: nothing is juggled before it, a transition leads to it, or something
                other than a time in seconds or minutes stands behind it.
        """
        if self._open_transition:
            raise _no_pattern_after(line, start)
        if self._blocks.last is None or self._blocks.last.segment is None:
            raise NotationError(
                line,
                start,
                _("nothing is juggled before this stop"),
                _("write what to juggle first"),
            )

        # Behind the word stands nothing, or a time in seconds or minutes: the unit of both is "s".
        # A blank must divide it from the word.
        length_text = line[start + len("stop") :]
        if not length_text.strip():
            return RoutineText(number, line)
        match = _BARE_LENGTH.match(length_text)
        if match is None or UNITS.get(match[2].casefold()) != "s" or not length_text[:1].isspace():
            accepted = _("stop alone, or with how long props lie in the hands, as stop 2 s")
            raise NotationError(line, start + len("stop"), _("a stop has a time at most"), accepted)
        return RoutineText(
            number, line, None, Length(_read_amount(line, start + len("stop"), match), "s")
        )

    def _read_transition(self, number: int, line: str, start: int) -> TransitionLine:
        """Read a line `transition 42`, whose throws lead to the pattern of the next line.

        Args:
            number: of the line, from 1.
            line: without its comment.
            start: index of its first word.

        Raises:
            NotationError: the line has no throws or wrong ones, or another transition comes before.
        """
        if self._open_transition:
            raise _no_pattern_after(line, start)
        throws_text = line[start + len("transition") :]
        # Index of the first throw in the line; the line has no blanks at its end.
        index = len(line) - len(throws_text.lstrip())
        if not throws_text.strip():
            accepted = _(
                "the throws that lead to the next pattern, as transition 42, or no such line to "
                "find them"
            )
            raise NotationError(line, len(line), _("there are no throws"), accepted)
        # An error counts from the first throw, and is moved to count from the start of the line.
        try:
            placement = place_throws(throws_text.strip(), parse(throws_text.strip()))
        except NotationError as error:
            raise _error_in_line(line, index, error) from None
        return TransitionLine(number, line, index, placement)

    def _read_pattern(self, number: int, line: str, start: int) -> RoutineText:
        """Read a line with a pattern, or with a body trick in the pattern before, and its length.

        If a transition line comes before, its throws lead to this pattern.

        Args:
            number: of the line, from 1.
            line: without its comment.
            start: index of its first word.

        Raises:
            NotationError: the line is no pattern, or one that does not go with those before.
        """
        transition = self._open_transition
        self._open_transition = None

        # The length at the end of the line, such as `10 catches`; one loop if there is none. Group
        # 1 of the match is the number, group 2 the word behind it, which may be no unit.
        match = LENGTH.search(line)
        length = Length(1, "loops")
        text = line[start:].rstrip()
        if match and match[2].casefold() in UNITS:
            unit = UNITS[match[2].casefold()]
            length = Length(_read_amount(line, 0, match), unit)
            text = line[start : match.start()].rstrip()

        # A word for a throw or catch around the body stands for the pattern before, with this
        # trick. `_last` stays the pattern without it, so that tricks do not add up.
        if trick := read_body_trick(text):
            word, side = trick
            settings = self._with_trick(line, start, word, side)
            return RoutineText(
                number, line, self._segment(line, start, "", settings, number), length, transition
            )

        # Anything else is a siteswap, settings or a name. If it is wrong, the first of these errors
        # that fits is raised, from the most special: a wrong unit, a misspelt word of routines, an
        # unknown name, or the error as the text was read.
        try:
            self._last = settings = read_settings(text)
        except NotationError as error:
            raise (
                self._unit_error(line, start, match)
                or _word_error(line, start)
                or _name_error(line, start, text)
                or _error_in_line(line, start, error)
            ) from None
        return RoutineText(
            number, line, self._segment(line, start, text, settings, number), length, transition
        )

    def _with_trick(self, line: str, start: int, word: str, side: int | None) -> Settings:
        """Return the last pattern that was read, with a throw or catch around the body.

        If the pattern has a tempo of its own, it is dropped, so that the trick sets the tempo.

        Args:
            line: without its comment.
            start: index of its first word.
            word: the trick, as `read_body_trick` returns it.
            side: the hand that does it: 0 left, 1 right, None for both.

        Raises:
            NotationError: no pattern stands before.
        """
        if self._last is None:
            reason = _(
                "{word} is a way to throw or catch in the pattern before, and there is none",
                word=word,
            )
            raise NotationError(
                line, start, reason, _("write a pattern before it, as cascade 6 catches")
            )
        # If both hands do a trick under a leg one right after the other, the legs have no time to
        # change, so that such throws are set apart.
        apart = side is None and moves_legs(word)
        return with_trick(self._last, word, side, apart)

    @staticmethod
    def _unit_error(line: str, start: int, match: re.Match[str] | None) -> NotationError | None:
        """Return the error for a word behind a number that is no unit, as in `531 10 cathces`.

        None if there is no such word, or if no pattern stands before the number, so that something
        else is wrong.

        Args:
            line: without its comment.
            start: index of its first word.
            match: of a number, group 1, and a word, group 2, at the end of the line; None if the
                line does not end so.
        """
        if match is None or match[2].casefold() in UNITS:
            return None
        try:
            read_settings(line[start : match.start()])
        except NotationError:
            return None
        # Units of one letter are not proposed, since every short word is close to them.
        nearest = difflib.get_close_matches(
            match[2].casefold(), [unit for unit in UNITS if len(unit) > 1], n=1
        )
        accepted = (
            _("did you mean {near}?", near=nearest[0])
            if nearest
            else _("a number of {unit_names}", unit_names=_(_UNIT_NAMES))
        )
        return NotationError(
            line, match.start(2), _("nothing is counted in {found}", found=match[2]), accepted
        )

    def _segment(
        self, line: str, start: int, text: str, settings: Settings, number: int
    ) -> Segment:
        """Return the segment of a pattern; parameters of its line replace those of the routine.

        The first segment is kept, since all later ones must agree with it in jugglers and props.

        Args:
            line: without its comment.
            start: index of the pattern's text in it.
            text: of the pattern; empty for a body trick, which sets no parameters.
            settings: as read from the text.
            number: of the line, from 1.

        Raises:
            NotationError: the pattern sets what holds for a whole routine, has no props, or has
                another number of jugglers or other props than the first one.
        """
        # Only the parameters in `BEAT_PARAMETERS` may differ from line to line. Others are looked
        # for in the text, since only there is it known where an error must point.
        for row in ROWS:
            match = re.search(rf"(?:^|;)\s*({row.key})\s*=", text, re.IGNORECASE)
            if match and row.name not in BEAT_PARAMETERS:
                reason = _("{key} holds for a whole routine", key=row.key)
                raise NotationError(
                    line,
                    start + match.start(1),
                    reason,
                    _("write {key}=… above all patterns", key=row.key),
                )
        line_parameters = {
            name: value for name, value in settings.parameters.items() if name in BEAT_PARAMETERS
        }
        segment = Segment(
            settings.score, _over_defaults(self.parameters).replace(**line_parameters)
        )
        if segment.pattern.props == 0:
            raise NotationError(
                line, start, _("nothing is juggled in it"), _("a pattern with props")
            )

        # Jugglers, and the kind and colours of props, must be those of the first pattern. The
        # number of props may change.
        if self._first_segment is None:
            self._first_segment = number, segment
            return segment
        first_number, first = self._first_segment
        jugglers = segment.pattern.jugglers
        first_jugglers = first.pattern.jugglers
        if jugglers != first_jugglers:
            reason = _(
                "this is for {jugglers}, but line {before} has {there}",
                jugglers=counted(jugglers, "juggler"),
                before=first_number,
                there=first_jugglers,
            )
            raise NotationError(
                line, start, reason, _("all lines have as many jugglers, as none comes or goes")
            )
        style = segment.score.staging.props
        first_style = first.score.staging.props
        # Props that differ are an error only if the line sets them. A name of the library may have
        # props of its own, which are ignored.
        if style not in (PropStyle(), first_style) and ("prop=" in text or "colors=" in text):
            accepted = _("write prop=… and colors=… above all patterns, once")
            raise NotationError(line, start, _("props stay the same in a routine"), accepted)
        return segment


def _over_defaults(parameters: dict[str, float | str | None]) -> Parameters:
    return DEFAULTS.replace(**parameters)


def _read_amount(line: str, start: int, match: re.Match[str]) -> float:
    """Return the amount of a length: a whole number of catches, loops or beats, or seconds.

    Minutes are converted to seconds.

    Args:
        line: without its comment, for errors.
        start: index in the line from which the match's indices count; 0 if the whole line was
            matched.
        match: group 1 is the amount, perhaps with a decimal comma, and group 2 a word of `UNITS`.

    Raises:
        NotationError: the amount is 0 or above `_LONGEST_AMOUNT`, or it is a fraction of catches,
            loops or beats.
    """
    amount = float(match[1].replace(",", "."))
    unit = UNITS[match[2].casefold()]
    # `UNITS` gives "s" for minutes, too, so the amount is converted here.
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
    """Return the error for a line that is nearly a setting, a stop or a pattern with a length.

    None if the line is something else.

    Args:
        line: that could not be read as a pattern; without its comment.
        start: index of its first word.
    """
    text = line[start:]
    word, _blank, words_after = text.partition(" ")
    word = word.casefold().rstrip(":")
    no_pattern = _("there is no pattern called {text}", text=printable(text, 40))

    # `title: My routine`, which should be `title=My routine`.
    key = _HEAD_WORDS.get(word)
    if key and words_after.strip():
        return NotationError(
            line,
            start,
            no_pattern,
            _("write {setting}", setting=f"{key}={printable(words_after.strip(), 40)}"),
        )

    # Another word for a stop: `pause`.
    if word in _STOP_WORDS:
        accepted = _("stop alone, or with how long props lie in the hands, as stop 2 s")
        return NotationError(line, start, no_pattern, accepted)

    # A pattern and a number without its unit: `531 10`.
    match = BARE_NUMBER.search(line)
    if match:
        with suppress(NotationError):
            read_settings(line[start : match.start()])
            accepted = _("a number of {unit_names}", unit_names=_(_UNIT_NAMES))
            reason = _("what is counted by {number} is not said", number=match[1])
            return NotationError(line, match.start(1), reason, accepted)
    return None


def _name_error(line: str, start: int, text: str) -> NotationError | None:
    """Return the error for words that are no name of a pattern, with the nearest name if any.

    None if the text may be throws or settings, of which another error says more.

    Args:
        line: without its comment.
        start: index of the text in it.
        text: the pattern, without its length.
    """
    # A name has no signs of throws or settings, or it is a word of four letters or more, perhaps
    # with digits in a further word. If words of letters are short, they may be throws, unless a
    # name is near.
    may_be_name = not re.search(r"[=;<(\[0-9]", text) or _WORDS.fullmatch(text)
    nearest = nearest_names(text) if may_be_name else ()
    if not nearest and not _WORDS.fullmatch(text):
        return None
    hint = (
        _("did you mean {near}?", near=nearest[0])
        if nearest
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


def _error_in_line(line: str, start: int, error: JuggleError, moved: int = 0) -> NotationError:
    """Return the error of a part of a line as an error of the whole line.

    Args:
        line: without its comment.
        start: index of the part in the line.
        error: of the part.
        moved: added to the error's index: below 0 by the number of characters before which the part
            was put when it was read.

    Returns:
        The error with its index in the whole line, from 0 to the line's length. An error without an
        index points to `start`.
    """
    if not isinstance(error, NotationError):
        return NotationError(line, start, str(error))
    if error.text == line:
        return error  # of the whole line already
    index = min(max(start + error.index + moved, 0), len(line))
    return NotationError(line, index, error.reason, error.accepted)


def routine_score(
    lines: Sequence[RoutineText], head: Mapping[str, str], text: str, name: str
) -> Score:
    """Lay out the lines of a routine as a score of events.

    Args:
        lines: as they are juggled, with repeats written out; at least one has a segment.
        head: settings in words above them, by key: title, prop and colors.
        text: of the whole file, which the score keeps.
        name: of the file, for the title and errors.

    Raises:
        RoutineError: a line cannot be juggled where it stands.
    """
    # The style of the props is set by the head, or else by the first pattern.
    segments = [line.segment for line in lines if line.segment]
    looks = {key: value for key, value in head.items() if key != "title"}
    first = Settings(segments[0].score)
    style = (
        with_settings(first, **looks).score.staging.props if looks else first.score.staging.props
    )

    # Lines are laid out in the order in which they are juggled. If the last one is a pattern, a
    # stop is added; its line number 0 says that it is not in the file.
    layout = RoutineLayout(segments, style)
    juggled = [*lines, RoutineText(0, "stop")] if lines[-1].segment else list(lines)
    for line in juggled:
        problem = _add_line(layout, line)
        if problem:
            raise RoutineError(name, [problem])
    try:
        choreography = layout.choreography()
    except ChoreographyError as error:
        # The error is that of the whole layout. Its most likely cause is the line that changes the
        # number of props most, so that one is reported.
        index = max(range(len(juggled)), key=lambda index: abs(layout.placed[index].props_added))
        line_error = NotationError(
            juggled[index].text, 0, str(error), _("a change of the number of props by fewer")
        )
        raise RoutineError(name, [(juggled[index].number, line_error)]) from None

    # For each line the times, [s], at which its first throw leaves, at which its pattern is
    # entered after the transition, and at which it ends. Then the value of each flight.
    timed = []
    for line, placed in zip(juggled, layout.placed, strict=True):
        begins = layout.clock.time_at(placed.join_tick)
        enters = layout.clock.time_at(placed.enter_tick)
        ends = layout.clock.time_at(placed.end_tick)
        timed.append(
            RoutineLine(
                line.text.strip(),
                line.number,
                begins,
                enters,
                ends,
                placed.join_throws,
                placed.props_added,
            )
        )
    values = tuple(
        _value_text(toss, choreography.jugglers, layout.flying_ticks_per_beat)
        for toss in layout.flying
    )
    script = RoutineScript(text, tuple(timed), choreography, values)
    return Score(placed=choreography, title=head.get("title") or _title(lines, name), script=script)


def _add_line(layout: RoutineLayout, line: RoutineText) -> tuple[int, NotationError] | None:
    """Add a line to a layout: a stop, or a pattern with the throws that lead to it.

    Args:
        layout: of the lines before, which is changed. It knows the segments of all lines already,
            so that only the length and the throws of a transition are passed to it.
        line: that follows them.

    Returns:
        None if the line was added. If it cannot follow, the number, from 1, and the error of the
        line that is wrong, which may be that of the transition.
    """
    if line.segment is None:
        layout.stop(line.length and line.length.amount)
        return None

    # The throws of a transition line. A placement may hold them twice, the second time with hands
    # swapped, as a star says. A transition is thrown once, so the repetition is left out.
    transition_throws = None
    if line.transition:
        placement = line.transition.placement
        all_throws = [placed.throw for placed in placement.throws]
        first_round = [throw for throw in all_throws if throw.beat < placement.written_period]
        transition_throws = GivenThrows(tuple(first_round), placement.written_period)
    try:
        layout.add(line.length or Length(1, "loops"), transition_throws)
    except PatternError as error:
        assert line.transition, "other throws are found"
        line_number, text, start, placement = line.transition
        # The error points to the throw that is wrong, or, if it is none of them, behind all.
        index = len(text)
        if error.throw is not None:
            index = start + placement.throws[error.throw].start
        accepted = _("other throws, or no transition line, and the shortest are found")
        return line_number, NotationError(text, index, str(error), accepted)
    except JuggleError as error:
        return line.number, NotationError(line.text, 0, str(error))
    return None


def _title(lines: Sequence[RoutineText], name: str) -> str:
    """Return a title: the name of the file, or else the names of the patterns, as `3 → 531`.

    Args:
        lines: as they are juggled, with repeats.
        name: of the file, with its ending; "routine" if the text is in no file.
    """
    stem = Path(name).stem
    if stem and stem != "routine":
        return stem
    # Lines that are repeated have the same number, so each is named once, in the order of the file.
    lines_by_number = {line.number: line for line in lines}
    names = [line.segment.score.name for line in lines_by_number.values() if line.segment]
    title = " → ".join(names)
    return title if len(title) <= _LONGEST_TITLE else " → ".join((names[0], "…", names[-1]))


def _value_text(toss: Toss, jugglers: int, division: int) -> str:
    """The value of a flight as a siteswap writes it; nothing where a prop is put down."""
    return (
        "" if toss.rests else throw_text(_written_throw(toss.throw, division), jugglers, division)
    )


def _written_throw(throw: Throw, division: int) -> Throw:
    """A throw as a siteswap writes it: that it is thrown is only said where it might be held, as a
    2 is.
    """
    same = (throw.juggler, throw.hand) == (throw.to_juggler, throw.to_hand)
    return throw if same and throw.value <= 2 * division else throw._replace(held=None)
