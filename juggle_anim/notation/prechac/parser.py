"""The parser of prechac notation, by the grammar in docs/prechac.md: throws, slots and lines."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.errors import NotationError, character_name, counted
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_BOUNCES,
    MAX_DECIMALS,
    MAX_DIVISION,
    MAX_JUGGLERS,
    MAX_LENGTH,
    MAX_VALUE,
    MAX_WRITTEN_DIGITS,
)
from juggle_anim.notation.numbers import NUMBER_WORDS, whole_number
from juggle_anim.notation.siteswap.parser import why_no_value
from juggle_anim.notation.siteswap.syntax import (
    NEXT_JUGGLER,
    PLAIN,
    Modifier,
    WrittenThrow,
    modifier_at,
)
from juggle_anim.pattern import LEFT, RIGHT


class Slot(NamedTuple):
    """The throws of one hand on a beat of its line; `hand` is None if hands alternate."""

    beat: int
    hand: int | None
    throws: tuple[WrittenThrow, ...]

    @property
    def thrown(self) -> list[WrittenThrow]:
        """Its throws without the zeros."""
        return [throw for throw in self.throws if throw.value]


class Line(NamedTuple):
    """The throws that one juggler repeats.

    Attributes:
        slots: in the order of their beats.
        beats: how long it is.
        swaps: whether a `*` swaps the hands each time.
        first_hand: the hand that begins where hands take turns.
        start: the index in the text where it begins.
    """

    slots: tuple[Slot, ...]
    beats: int
    swaps: bool
    first_hand: int
    start: int

    @property
    def singles_only(self) -> bool:
        """Whether hands take turns throughout, so that an odd line swaps hands each time."""
        return all(slot.hand is None for slot in self.slots)

    @property
    def loop(self) -> int:
        """Beats after which both hands do the same again."""
        turned = self.beats % 2 == 1 if self.singles_only else self.swaps
        return self.beats * (1 + turned)

    def until(self, beats: int) -> Iterator[tuple[int, int, Slot]]:
        """Beat, hand and slot of all that is thrown in some rounds of the line, `beats` in all."""
        singles_only = self.singles_only
        for round_, first in enumerate(range(0, beats, self.beats)):
            for slot in self.slots:
                beat = first + slot.beat
                if slot.hand is not None:
                    yield beat, slot.hand ^ (self.swaps and round_ % 2), slot
                else:
                    # Without pairs hands alternate through all rounds; else each begins anew.
                    turn = beat if singles_only else slot.beat + (self.swaps and round_ % 2)
                    yield (
                        beat,
                        self.first_hand if turn % 2 == 0 else LEFT + RIGHT - self.first_hand,
                        slot,
                    )


class PrechacText(NamedTuple):
    """The parsed text.

    Attributes:
        lines: one that all throw, the feedees' and the feeder's, or one for each juggler.
        sides: whether each juggler has a line.
        jugglers: how many there are, where the text says so.
        number_start: the index where it says so.
        delays: by how many beats later each juggler of several sides begins; empty where the passes
            say it.
    """

    lines: tuple[Line, ...]
    sides: bool
    jugglers: int | None
    number_start: int
    delays: tuple[Fraction, ...] = ()

    @property
    def feeds(self) -> bool:
        """Whether the second line feeds those who throw the first."""
        return len(self.lines) == 2 and not self.sides


def fitted_value(throw: WrittenThrow, later: Fraction) -> Fraction | None:
    """Return the value that a throw may mean if its receiver begins `later` beats after it.

    None where it would land between the receiver's beats. A value with decimals stands for any that
    is cut off or rounded to it.
    """
    # The fraction of a value must be that of the delay between the two lines.
    wanted = later - math.floor(later)
    value = math.floor(throw.value) + wanted
    return value if _written_as(value, throw.value, throw.decimals) else None


def nearest_value(throw: WrittenThrow, jugglers: int) -> Fraction:
    """The value that a throw between some jugglers most likely has, by `nearest_fraction`."""
    return nearest_fraction(throw.value, throw.decimals, jugglers)


def rounded_text(value: Fraction) -> str:
    """Return a value as people write it: 3, 3.5 or 3.67."""
    return f"{round(float(value), 2):g}"


@lru_cache(maxsize=1024)
def nearest_fraction(written: Fraction, decimals: int, jugglers: int) -> Fraction:
    """Return the beats that a decimal number most likely stands for, in `jugglers` parts.

    Where no such part is written as the number is, it is the simplest fraction that is.
    """
    if not decimals:
        return written
    # In whole numbers, which are ten times as quick as fractions: what is written is digits /
    # scale.
    scale = 10**decimals
    digits = int(written * scale)
    for parts in (jugglers, *range(2, MAX_DIVISION + 1)):
        below = digits * parts // scale
        # How far each value is from what is written, in units of 1 / (parts * scale).
        differences = {value: value * scale - digits * parts for value in (below, below + 1)}
        # Cut off, a value is less than the last decimal above; rounded, at most half of it below.
        near = [
            value
            for value, difference in differences.items()
            if -parts <= 2 * difference < 2 * parts
        ]
        if near:
            nearest = min(near, key=lambda value: abs(differences[value]))
            return Fraction(nearest, parts)
    return written


def _written_as(value: Fraction, written: Fraction, decimals: int) -> bool:
    """Whether a value, cut off or rounded to so many decimals, is what is written."""
    if not decimals:
        return value == written
    last = Fraction(1, 10**decimals)
    return -last / 2 <= value - written < last


def parse_prechac(text: str) -> PrechacText:
    """Return the syntax tree of a text in prechac notation.

    Raises:
        NotationError: the text does not follow the grammar, or is beyond the limits.
    """
    if len(text) > MAX_LENGTH:
        reason = _("this text is {count} characters long", count=len(text))
        raise NotationError(
            text, MAX_LENGTH, reason, _("a pattern may have {max_length}", max_length=MAX_LENGTH)
        )
    number = NUMBER_OF_JUGGLERS.search(text)
    end = number.start() if number else len(text)
    jugglers = _jugglers(text, number) if number else None
    sides = "<" in text[:end]
    delayed = DELAYS.match(text)
    begin = delayed.end() if delayed else 0
    ranges = _sides(text, begin, end) if sides else _fed(text, end)
    # Without spaces each digit is a throw of its own.
    compact = not re.search(r"[\s,]", text[begin:end].strip())
    parsed = {span: _LineParser(text, *span, compact).line() for span in dict.fromkeys(ranges)}
    if all(line.singles_only for line in parsed.values()):
        parsed = {span: _without_crossings(line) for span, line in parsed.items()}
    lines = tuple(parsed[span] for span in ranges)
    if sides:
        _check_sides(text, lines, jugglers, number)
    delays = _delays(text, delayed, len(lines)) if delayed else ()
    return PrechacText(
        lines, sides, len(lines) if sides else jugglers, number.start(1) if number else 0, delays
    )


def _delays(text: str, match: re.Match[str], jugglers: int) -> tuple[Fraction, ...]:
    """Return by how many beats later than written each juggler begins."""
    field_start = match.start(1)
    delays = []
    for written in match[1].split(","):
        index = field_start + len(written) - len(written.lstrip())
        number = _BEATS.fullmatch(written.strip())
        beats = (
            whole_number(number[1] or "0", MAX_BEATS) if number and number[0].strip(".") else None
        )
        if number is None or beats is None:
            accepted = _(
                "a number of beats for each juggler, up to {max_beats}, as in {{0,0.5}}<3.5p|3.5p>",
                max_beats=MAX_BEATS,
            )
            raise NotationError(text, index, _("this delay is out of range"), accepted)
        decimals = (number[2] or "")[:MAX_DECIMALS]
        delays.append(
            nearest_fraction(Fraction(f"{beats}.{decimals or 0}"), len(decimals), jugglers)
        )
        field_start += len(written) + 1
    if len(delays) != jugglers:
        reason = _(
            "these are delays of {jugglers}, but {jugglers2} throw",
            jugglers=counted(len(delays), "juggler"),
            jugglers2=jugglers,
        )
        raise NotationError(
            text, match.start(1), reason, _("one for each juggler, 0 for who begins at once")
        )
    return tuple(delays)


def _without_crossings(line: Line) -> Line:
    """Leave out each x behind a p: where hands take turns, it only says whose turn it is."""
    slots = (
        slot._replace(
            throws=tuple(
                throw._replace(crossing=throw.crossing and not _CROSSING_PASS.search(throw.text))
                for throw in slot.throws
            )
        )
        for slot in line.slots
    )
    return line._replace(slots=tuple(slots))


def _jugglers(text: str, number: re.Match[str]) -> int:
    jugglers = number_of_jugglers(number)
    if jugglers < 2:
        reason = _("so many jugglers cannot pass to one another")
        raise NotationError(
            text,
            number.start(1),
            reason,
            _("a number from 2 to {max_jugglers}", max_jugglers=MAX_JUGGLERS),
        )
    return jugglers


def number_of_jugglers(ending: re.Match[str]) -> int:
    """Return the number in a match of `NUMBER_OF_JUGGLERS`; 0 where it is above the limit."""
    written = ending[1].lower()
    if written in NUMBER_WORDS:
        return NUMBER_WORDS.index(written)
    return whole_number(written, MAX_JUGGLERS) or 0


def _fed(text: str, end: int) -> list[tuple[int, int]]:
    """Return the span of the line of all jugglers, or of the feedees' and the feeder's lines."""
    fed = list(_FED_BY.finditer(text, 0, end))
    if len(fed) > 1:
        raise NotationError(
            text, fed[1].start(), _("there is one feeder only"), _("one line, fed by another one")
        )
    return [(0, fed[0].start()), (fed[0].end(), end)] if fed else [(0, end)]


def _sides(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the jugglers' lines; a `^3` at the end repeats those before it."""
    opening = text.index("<")
    if before := text[begin:opening].strip():
        if before[0] == "{" and "}" not in before:
            raise NotationError(
                text, text.index(before), _("this { is never closed"), _DELAYS_EXAMPLE
            )
        raise NotationError(text, text.index(before), _("this stands outside the < >"), _SIDES)
    closing = text.find(">", opening, end)
    if closing < 0:
        raise NotationError(text, opening, _("this < is never closed"), _SIDES)
    if rest := text[closing + 1 : end].strip():
        raise NotationError(
            text, text.index(rest, closing + 1), _("this stands outside the < >"), _SIDES
        )
    bars = [bar.start() for bar in re.finditer(r"\|", text[:closing])]
    if len(bars) >= MAX_JUGGLERS:
        raise NotationError(
            text,
            bars[-1],
            _("these are more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS),
            _("fewer of them"),
        )
    spans = [
        (start + 1, stop) for start, stop in zip([opening, *bars], [*bars, closing], strict=True)
    ]
    times = _TIMES.fullmatch(text, *spans[-1]) if bars else None
    if times is None:
        return spans
    repeats = whole_number(times[1], MAX_JUGGLERS // len(bars))
    if not repeats:
        raise NotationError(
            text,
            times.start(1),
            _("these are none, or more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS),
            _TIMES_EXAMPLE,
        )
    return spans[:-1] * repeats


def _check_sides(
    text: str, lines: tuple[Line, ...], jugglers: int | None, number: re.Match[str] | None
) -> None:
    """Refuse sides that are alone, not equally long, or not as many as the text says."""
    if len(lines) == 1:
        raise NotationError(
            text, text.index(">"), _("there is no other juggler to pass to"), _SIDES
        )
    for juggler, line in enumerate(lines, start=1):
        if line.beats != lines[0].beats:
            beats = counted(line.beats, "beat")
            reason = _(
                "juggler {juggler} throws for {beats} here, but juggler 1 for {beats2}",
                juggler=juggler,
                beats=beats,
                beats2=lines[0].beats,
            )
            raise NotationError(text, line.start, reason, _EQUALLY_LONG)
    if number and jugglers != len(lines):
        reason = _(
            "there are {count} sides, but it says {jugglers} jugglers",
            count=len(lines),
            jugglers=jugglers,
        )
        raise NotationError(
            text, number.start(1), reason, _("write {count}, or leave it out", count=len(lines))
        )


class _LineParser:
    """Each method reads one rule of the grammar and leaves `position` at what follows it."""

    def __init__(self, text: str, start: int, stop: int, compact: bool) -> None:
        self.text = text
        self.start = start
        self.position = start
        self.stop = stop
        self.compact = compact
        self.number = _DIGIT if compact else _NUMBER

    def line(self) -> Line:
        """Read a whole line: a first hand, throws and pairs, and a `*`."""
        self._skip()
        first = self.position
        first_hand = RIGHT
        if self._character() in ("R", "L"):
            first_hand = LEFT if self._character() == "L" else RIGHT
            self._next()
        slots: list[Slot] = []
        beat = 0
        while (throws := self._hand_throws()) or self._character() == "(":
            if throws:
                slots.append(Slot(beat, None, throws))
                beat += 1
            else:
                left, right, beats = self._pair()
                slots += [Slot(beat, LEFT, left), Slot(beat, RIGHT, right)]
                beat += beats
        swaps = bool(slots) and self._accept("*")
        if self.position < self.stop:
            raise self._unexpected(slots, swaps)
        if not slots:
            raise self._error(min(first, len(self.text)), _("there are no throws here"), _THROWS)
        if beat > MAX_BEATS:
            raise self._error(
                first,
                _("this is more than {max_beats} beats long", max_beats=MAX_BEATS),
                _("a shorter one"),
            )
        return Line(tuple(slots), beat, swaps, first_hand, first)

    def _pair(self) -> tuple[tuple[WrittenThrow, ...], tuple[WrittenThrow, ...], int]:
        opening = self.position
        self._next()
        left = self._hand_throws()
        comma = left and self._accept(",")
        right = self._hand_throws() if comma else ()
        if not right or not self._accept(")"):
            closed = self.text.find(")", opening, self.stop) >= 0
            index = min(self.position, len(self.text)) if closed else opening
            reason = _("this is not a pair") if closed else _("this ( is never closed")
            raise self._error(index, reason, _("a pair is written (4x, 4xp), the left hand first"))
        return left, right, 1 if self._accept("!") else 2

    def _hand_throws(self) -> tuple[WrittenThrow, ...]:
        """A throw or a multiplex; nothing, if neither stands here."""
        if self._character() != "[":
            throw = self._throw()
            return (throw,) if throw else ()
        opening = self.position
        self._next()
        throws: list[WrittenThrow] = []
        while throw := self._throw():
            throws.append(throw)
        if not throws or not self._accept("]"):
            closed = self.text.find("]", opening, self.stop) >= 0
            reason = (
                _("this cannot stand in a multiplex") if closed else _("this [ is never closed")
            )
            raise self._error(
                self.position if closed else opening, reason, _("a multiplex is written [4 3p]")
            )
        return tuple(throws)

    def _throw(self) -> WrittenThrow | None:
        """Read a throw and its flags, in any order; None where none stands here."""
        start = self.position
        value, decimals = self._value()
        if value is None:
            return None
        crossing = False
        receiver = None
        modifier = PLAIN
        while self.position < self.stop:
            if not crossing and (crossed := _CROSSING.match(self.text, self.position, self.stop)):
                crossing = True
                self.position = crossed.end()
            elif receiver is None and (passed := self._pass()):
                receiver, self.position = passed
            elif modifier is PLAIN and (modified := self._modifier()):
                modifier, self.position = modified
            else:
                break
        written = self.text[start : self.position]
        if value.denominator > 1 and receiver is None:
            # Between sides, only another juggler throws between one's beats, so the p may be left
            # out there.
            if "<" not in self.text[:start]:
                accepted = _(
                    "only a pass does: write {written}p, or a whole number", written=written
                )
                raise self._error(
                    start,
                    _("the {written} lands between one's own beats", written=written),
                    accepted,
                )
            receiver = NEXT_JUGGLER
        self._skip()
        return WrittenThrow(value, crossing, start, receiver, modifier, decimals, written)

    def _value(self) -> tuple[Fraction | None, int]:
        """Read a value, in digits or as a letter, and its number of decimals; None without one."""
        braced = _BRACED.match(self.text, self.position, self.stop)
        if match := braced or self.number.match(self.text, self.position, self.stop):
            digits = match.group(1).lstrip("0") or "0"
            decimals = match.group(2) or ""
            if len(digits) > MAX_WRITTEN_DIGITS and not braced:
                accepted = _(
                    "spaces between throws, as in {whole}, or {{{whole2}}} for one so high",
                    whole=" ".join(digits[:6]),
                    whole2=digits[:4],
                )
                raise self._error(
                    self.position, _("no throw is written with so many digits"), accepted
                )
            if whole_number(digits, MAX_VALUE) is None:
                raise self._error(
                    self.position,
                    _("no throw can be so high"),
                    _("values up to {{{max_value}}}", max_value=MAX_VALUE),
                )
            if len(decimals) > MAX_DECIMALS:
                reason = _(
                    "these are more than {max_decimals} digits after the point",
                    max_decimals=MAX_DECIMALS,
                )
                raise self._error(
                    match.start(2) + MAX_DECIMALS, reason, _("fewer of them, as in 3.67p")
                )
            self.position = match.end()
            return Fraction(f"{digits}.{decimals or 0}"), len(decimals)
        letter = self._character()
        if "a" <= letter.lower() <= "z" and len(letter) == 1 and letter not in ("L", "R"):
            self.position += 1
            return Fraction(int(letter, 36)), 0
        return None, 0

    def _pass(self) -> tuple[int, int] | None:
        """Read the receiver behind a p, and where it ends.

        In a text without spaces, digits after the p are the next throw.
        """
        match = (_PASS_ALONE if self.compact else _PASS).match(self.text, self.position, self.stop)
        if not match:
            return None
        digits = match.group(1)
        if not digits:
            return NEXT_JUGGLER, match.end()
        receiver = whole_number(digits, MAX_JUGGLERS)
        if not receiver:
            accepted = _(
                "a number up to {max_jugglers}; a space ends the p, as in 3p 2",
                max_jugglers=MAX_JUGGLERS,
            )
            raise self._error(
                match.start(1),
                _("there is no juggler {digits} to pass to", digits=digits[:6]),
                accepted,
            )
        return receiver, match.end()

    def _modifier(self) -> tuple[Modifier, int] | None:
        """As in a siteswap; a small b is a bounce as well."""
        match = _BOUNCE.match(self.text, self.position, self.stop)
        modifier, end = (
            modifier_at(match.group().upper(), 0)
            if match
            else modifier_at(self.text, self.position)
        )
        end = end + self.position if match else end
        if modifier.bounces > MAX_BOUNCES:
            reason = _("no throw can bounce {bounces} times", bounces=modifier.bounces)
            raise self._error(
                self.position, reason, _("up to {max_bounces}", max_bounces=MAX_BOUNCES)
            )
        return (modifier, end) if self.position < end <= self.stop else None

    def _character(self) -> str:
        return self.text[self.position] if self.position < self.stop else ""

    def _next(self) -> None:
        self.position += 1
        self._skip()

    def _skip(self) -> None:
        while self.position < self.stop and (
            self.text[self.position].isspace() or self.text[self.position] == "/"
        ):
            self.position += 1

    def _accept(self, text: str) -> bool:
        if self._character() != text:
            return False
        self._next()
        return True

    def _unexpected(self, slots: list[Slot], swaps: bool) -> NotationError:
        """Return the error for a character that cannot stand here."""
        character = self._character()
        if swaps:
            return self._error(
                self.position, _("the * ends a line, but more follows it"), _("write the * last")
            )
        if character in ("L", "R") and slots:
            accepted = _("hands take turns from the right; one letter at the start changes that")
            return self._error(
                self.position,
                _("the {character} can stand only at the start of a line", character=character),
                accepted,
            )
        if character in _MISPLACED:
            return self._error(self.position, *_MISPLACED[character])
        if character == "{":
            return self._error(self.position, *why_no_value(self.text, self.position))
        return self._error(
            self.position,
            _("the {character} cannot stand here", character=character_name(character)),
            _THROWS,
        )

    def _error(self, index: int, reason: str, accepted: str) -> NotationError:
        return NotationError(self.text, index, reason, accepted)


DELAYS = re.compile(r"\s*\{([0-9.,\s]*)\}\s*(?=<)")
"""The delays of jugglers before what they throw."""

NUMBER_OF_JUGGLERS = re.compile(
    rf"(?<!\s)\s*\bfor\s+([0-9]+|{'|'.join(NUMBER_WORDS)})"
    r"(?:\s+(?:jugglers?|passers?|people|persons?))?\s*\Z",
    re.IGNORECASE,
)
"""How many jugglers there are, at the end of a pattern, in digits or as a word."""

# No \d, which matches the digits of all scripts.
_NUMBER = re.compile(r"([0-9]+)(?:\.([0-9]+))?")
_DIGIT = re.compile(r"([0-9])(?:\.([0-9]+))?")
_BRACED = re.compile(r"\{([0-9]+)(?:\.([0-9]+))?\}")
_CROSSING = re.compile(r"[xX×]")
_CROSSING_PASS = re.compile(r"p\d*\s*[x×]", re.IGNORECASE)
_PASS = re.compile(r"[pP]([0-9]*)")
_PASS_ALONE = re.compile(r"[pP]()")
_BOUNCE = re.compile(r"b+(?:h[fl]?|[fl])?")
_BEATS = re.compile(r"([0-9]*)(?:\.([0-9]+))?")
_TIMES = re.compile(r"\s*\^\s*([0-9]+)\s*")
_TIMES_EXAMPLE = N_("how many throw alike, as in <3.5p|^2>")
_FED_BY = re.compile(r"\bfed\s+by\b", re.IGNORECASE)
_THROWS = N_("throws are written as in 4p 2 3 or 3.6p 3, a multiplex [4 3p], a pair (4x, 4xp)")
_DELAYS_EXAMPLE = N_("delays of all jugglers, as in {0,0.5}<3.5p|3.5p>")
_SIDES = N_("a side for each juggler, as in <4.5 3 3 | 3 4 3.5>")
_EQUALLY_LONG = N_(
    "all sides last equally long: 0 is an empty hand, and a space ends a p, as in 4.5p 3"
)
_MISPLACED = {
    ")": (N_("nothing was opened that this ) could close"), N_("a pair is written (4x, 4xp)")),
    "]": (N_("nothing was opened that this ] could close"), N_("a multiplex is written [4 3p]")),
    ">": (N_("nothing was opened that this > could close"), _SIDES),
    "|": (N_("a | stands only between the jugglers of < >"), _SIDES),
    ",": (N_("a comma stands only between the two hands of a pair"), N_("a space between throws")),
    ".": (N_("a point stands only between digits"), N_("write 0.5p, or 2p")),
    "*": (N_("the * must follow what it repeats"), N_("write it last, as in (4x, 4xp)*")),
    "!": (N_("a ! follows a pair only"), N_("write it as in (4, 3x)!")),
    "?": (N_("a ? is completed in siteswaps only"), N_("write the throw")),
    "^": (N_("a count such as ^2 stands in siteswaps only"), N_("write the throws out")),
    "-": (N_("no throw is negative"), _THROWS),
    "<": (N_("a < begins all that the jugglers throw"), _SIDES),
}
