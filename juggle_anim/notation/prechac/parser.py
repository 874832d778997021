"""The parser of prechac notation, by the grammar in docs/prechac.md: throws, slots and lines.

Who catches each pass, when each juggler begins and what each value means.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import floor, lcm
from typing import NamedTuple, TypeVar

from juggle_anim.errors import NotationError, character_name, counted
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_BOUNCES,
    MAX_DECIMALS,
    MAX_DIVISION,
    MAX_JUGGLERS,
    MAX_LENGTH,
    MAX_VALUE,
    MAX_WRITTEN_DIGITS,
    whole_number,
)
from juggle_anim.notation.prechac.respelling import (
    DELAYS,
    NUMBER_OF_JUGGLERS,
    number_of_jugglers,
)
from juggle_anim.notation.siteswap.syntax import (
    NEXT_JUGGLER,
    PLAIN,
    Modifier,
    WrittenThrow,
    modifier_at,
    receiver_of,
    why_no_value,
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
        slots: slots in the order of their beats.
        beats: its duration, [beats].
        swaps: whether a `*` swaps the hands in each repetition.
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
        """Beats after which both hands do the same again: one round of the line, or two."""
        swaps_each_round = self.beats % 2 == 1 if self.singles_only else self.swaps
        return 2 * self.beats if swaps_each_round else self.beats

    def slots_until(self, beats: int) -> Iterator[tuple[int, int, Slot]]:
        """Repeat the line, and yield each slot with its beat and its hand (LEFT or RIGHT).

        A slot is all that one hand throws on one beat, one prop or several. A round of the line is
        its slots once through.

        Args:
            beats: end, exclusive, [beats]; whole rounds of the line.
        """
        singles_only = self.singles_only
        for round_index, round_start in enumerate(range(0, beats, self.beats)):
            # A * swaps the hands in every second round.
            swapped = self.swaps and round_index % 2
            for slot in self.slots:
                beat = round_start + slot.beat
                if slot.hand is not None:
                    yield beat, slot.hand ^ swapped, slot
                else:
                    # Hands alternate, and `first_hand` throws on turns of even number. Turns count
                    # through all rounds, unless the line has pairs: then each round begins with
                    # the same hand, or with the other one if swapped.
                    turn_number = beat if singles_only else slot.beat + swapped
                    other_hand = LEFT + RIGHT - self.first_hand
                    yield beat, self.first_hand if turn_number % 2 == 0 else other_hand, slot


class PrechacText(NamedTuple):
    """The parsed text.

    Attributes:
        lines: one that all throw, the feedees' and the feeder's, or one for each juggler.
        sides: whether each juggler has a line; if not, all share one.
        jugglers: number of jugglers, where the text says so.
        number_start: the index where it says so.
        delays: delay with which each juggler of several sides begins, [beats]; empty if the passes
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


def fitted_value(throw: WrittenThrow, receiver_delay: Fraction) -> Fraction | None:
    """Return the exact value of a written throw, with which it lands on a beat of its receiver.

    A decimal value stands for every fraction that truncates or rounds to it. With a receiver 2/3 of
    a beat late, 3.67 and 3.6 both mean 3 2/3, while 3.5 would land between the receiver's beats.

    Args:
        throw: the throw as written, such as 3.67p: value, [beats], and its number of decimals.
        receiver_delay: by how many beats the receiver's line begins after the thrower's.

    Returns:
        The value, [beats]; None if the throw would land between the receiver's beats.
    """
    # To land on a beat of the receiver, the value must have the fractional part of the delay. If
    # that does not truncate or round to what is written, the written throw lands between beats.
    value = math.floor(throw.value) + receiver_delay % 1
    return value if _written_as(value, throw.value, throw.decimals) else None


def nearest_value(throw: WrittenThrow, jugglers: int) -> Fraction:
    """Return the exact value, [beats], that a written throw most likely stands for."""
    return nearest_fraction(throw.value, throw.decimals, jugglers)


def rounded_text(value: Fraction) -> str:
    """Return a value as people write it: 3, 3.5 or 3.67."""
    return f"{round(float(value), 2):g}"


@lru_cache(maxsize=1024)
def nearest_fraction(written: Fraction, decimals: int, jugglers: int) -> Fraction:
    """Return the fraction that a decimal number most likely stands for: 3.67 is 11/3.

    Denominators are tried in turn, first the number of jugglers and then 2, 3 and so on up to
    `MAX_DIVISION`. The first wins that has a fraction which, cut off or rounded to the decimals, is
    the written number.

    Args:
        written: the number, [beats].
        decimals: number of written digits after the point.
        jugglers: the likeliest denominator, since jugglers start equally far apart.

    Returns:
        `written` itself if it is whole, or no denominator up to MAX_DIVISION fits.
    """
    if not decimals:
        return written
    # In integers, which are ten times as fast as fractions: the number is digits / scale.
    scale = 10**decimals
    digits = int(written * scale)
    for denominator in (jugglers, *range(2, MAX_DIVISION + 1)):
        # The two nearest fractions with this denominator, and their distances from the number in
        # units of 1 / (denominator * scale).
        below = digits * denominator // scale
        differences = {
            numerator: numerator * scale - digits * denominator for numerator in (below, below + 1)
        }
        # In units of the last decimal: a fraction that was cut off is less than 1 above the number,
        # and one that was rounded up is at most 1/2 below it.
        fitting_numerators = [
            numerator
            for numerator, difference in differences.items()
            if -denominator <= 2 * difference < 2 * denominator
        ]
        if fitting_numerators:
            nearest = min(fitting_numerators, key=lambda numerator: abs(differences[numerator]))
            return Fraction(nearest, denominator)
    return written


def _written_as(value: Fraction, written: Fraction, decimals: int) -> bool:
    """Return whether a value, truncated or rounded to `decimals` digits, is the written one."""
    if not decimals:
        return value == written
    last_decimal = Fraction(1, 10**decimals)
    return -last_decimal / 2 <= value - written < last_decimal


def parse_prechac(text: str) -> PrechacText:
    """Parse a text in prechac notation into lines, without deciding who catches each pass.

    A line is what one juggler throws. A side is the line of one juggler where each has a line of
    their own; in a feed, one juggler (the feeder) passes with all others (the feedees).

    Args:
        text: lines of all jugglers in < >, a line that all share, or a feed such as
            "4p 3 fed by 3p 3".

    Returns:
        The lines, and what the text says of the jugglers' number and delays.

    Raises:
        NotationError: the text does not follow the grammar, or is beyond the limits.
    """
    if len(text) > MAX_LENGTH:
        reason = _("this text is {count} characters long", count=len(text))
        raise NotationError(
            text, MAX_LENGTH, reason, _("the limit is {max_length}", max_length=MAX_LENGTH)
        )
    # The lines stand between optional delays, as in {0,0.5}<3.5p|3.5p>, and an optional number of
    # jugglers.
    number_match = NUMBER_OF_JUGGLERS.search(text)
    end = number_match.start() if number_match else len(text)
    jugglers = _stated_juggler_count(text, number_match) if number_match else None
    has_sides = "<" in text[:end]
    delays_match = DELAYS.match(text)
    begin = delays_match.end() if delays_match else 0

    # The spans of the jugglers' lines, as (start, end) indices. A span that stands for several
    # jugglers is parsed once.
    spans = _spans_of_sides(text, begin, end) if has_sides else _spans_of_feed(text, end)
    # Without spaces each digit is a throw of its own.
    compact = not re.search(r"[\s,]", text[begin:end].strip())
    parsed = {
        span: _LineParser(text, *span, compact=compact).line() for span in dict.fromkeys(spans)
    }
    # Where hands take turns in all lines, the hand whose turn it is catches a pass, whether it has
    # an x or not.
    if all(line.singles_only for line in parsed.values()):
        parsed = {span: _without_crossings(line) for span, line in parsed.items()}
    lines = tuple(parsed[span] for span in spans)
    if has_sides:
        _check_sides(text, lines, jugglers, number_match)
        jugglers = len(lines)
    delays = _delays(text, delays_match, len(lines)) if delays_match else ()
    return PrechacText(
        lines,
        sides=has_sides,
        jugglers=jugglers,
        number_start=number_match.start(1) if number_match else 0,
        delays=delays,
    )


def _delays(text: str, match: re.Match[str], jugglers: int) -> tuple[Fraction, ...]:
    """Read the delays of all jugglers, [beats], from a match of `DELAYS`.

    Args:
        text: the whole text, for messages.
        match: the delays in it; group 1 is the text between the braces.
        jugglers: number of jugglers.

    Raises:
        NotationError: a delay is no number from 0 to MAX_BEATS, or there is not one for each
            juggler.
    """
    field_start = match.start(1)  # index in the text at which the current field begins
    delays = []
    for field in match[1].split(","):
        delay = read_delay(field.strip(), MAX_BEATS, jugglers)
        if delay is None:
            number_start = field_start + len(field) - len(field.lstrip())
            accepted = _(
                "give a number of beats for each juggler, up to {max_beats}, as in "
                "{{0,0.5}}<3.5p|3.5p>",
                max_beats=MAX_BEATS,
            )
            raise NotationError(text, number_start, _("this delay is out of range"), accepted)
        delays.append(delay)
        # One more for the comma.
        field_start += len(field) + 1
    if len(delays) != jugglers:
        reason = _(
            "these delays are for {delayed}, but {throwing} throw",
            delayed=counted(len(delays), "juggler"),
            throwing=jugglers,
        )
        raise NotationError(
            text, match.start(1), reason, _("give one for each juggler; 0 starts at once")
        )
    return tuple(delays)


def read_delay(field: str, most: int, jugglers: int) -> Fraction | None:
    """Return the delay that a decimal number stands for, [beats].

    Args:
        field: what is written, without blanks at its ends.
        most: the longest delay, [beats].
        jugglers: number of jugglers, the likeliest denominator of the delay.

    Returns:
        None if the field is not a number from 0 to `most`.
    """
    # Digits may be missing before the point or after it, but not on both sides.
    if not re.fullmatch(_BEATS, field) or not field.strip("."):
        return None
    whole_digits, _point, decimal_digits = field.partition(".")
    beats = whole_number(whole_digits or "0", most)
    decimals = decimal_digits[:MAX_DECIMALS]
    if beats is None or (beats == most and decimals.strip("0")):
        return None
    # People write a third as .3 or .33, so the nearest simple fraction is taken.
    return nearest_fraction(Fraction(f"{beats}.{decimals or 0}"), len(decimals), jugglers)


def _without_crossings(line: Line) -> Line:
    """Return the line without the x of passes written like 3px, for hands that take turns.

    There the hand whose turn it is catches, so an x behind the p says nothing new. An x before the
    p, as in 3xp, stays.

    Args:
        line: the line of a juggler.
    """
    slots = (
        slot._replace(
            throws=tuple(
                throw._replace(
                    crossing=throw.crossing and not re.search(_CROSSING_PASS, throw.text)
                )
                for throw in slot.throws
            )
        )
        for slot in line.slots
    )
    return line._replace(slots=tuple(slots))


def _stated_juggler_count(text: str, number_match: re.Match[str]) -> int:
    """Return the number of jugglers that a text states, 2 to MAX_JUGGLERS.

    Args:
        text: the whole text, quoted in the error.
        number_match: the match of `NUMBER_OF_JUGGLERS` in it; group 1 is the number.

    Raises:
        NotationError: the number is out of this range.
    """
    # `number_of_jugglers` returns 0 for a number above MAX_JUGGLERS.
    jugglers = number_of_jugglers(number_match)
    if jugglers < 2:
        reason = _("too many or too few jugglers to pass")
        raise NotationError(
            text,
            number_match.start(1),
            reason,
            _("a number from 2 to {max_jugglers}", max_jugglers=MAX_JUGGLERS),
        )
    return jugglers


def _spans_of_feed(text: str, end: int) -> list[tuple[int, int]]:
    """Return the spans (start, end index) of the lines in a text without < >.

    In "4p 3 fed by 3p 3" these are the line of the feedees and that of the feeder, who passes with
    all of them. Without "fed by" there is one line, which all jugglers throw.

    Args:
        text: the whole text.
        end: index of the number of jugglers, or the length of the text.

    Raises:
        NotationError: the text has "fed by" twice.
    """
    separators = list(_FED_BY.finditer(text, 0, end))
    if len(separators) > 1:
        raise NotationError(
            text,
            separators[1].start(),
            _("there is one feeder only"),
            _("write one line, fed by another"),
        )
    if not separators:
        return [(0, end)]
    (fed_by,) = separators
    return [(0, fed_by.start()), (fed_by.end(), end)]


def _spans_of_sides(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the jugglers' lines between < and >: the start and end index of each.

    A `^3` in place of the last line repeats the lines before it three times, and so their spans.

    Args:
        text: the whole text; it has a <.
        begin: index of the first character after the delays, or 0 if the text has none.
        end: index of the number of jugglers, or the length of the text.

    Raises:
        NotationError: brackets that are not closed, text outside them, or too many jugglers.
    """
    opening = text.index("<")
    if before := text[begin:opening].strip():
        if before[0] == "{" and "}" not in before:
            raise NotationError(
                text, text.index(before), _("this { is never closed"), _DELAYS_EXAMPLE
            )
        raise NotationError(text, text.index(before), _("this is outside the < >"), _SIDES)
    closing = text.find(">", opening, end)
    if closing < 0:
        raise NotationError(text, opening, _("this < is never closed"), _SIDES)
    if after := text[closing + 1 : end].strip():
        raise NotationError(
            text, text.index(after, closing + 1), _("this is outside the < >"), _SIDES
        )
    # The lines are separated by |.
    bars = [bar.start() for bar in re.finditer(r"\|", text[:closing])]
    if len(bars) >= MAX_JUGGLERS:
        raise NotationError(
            text,
            bars[-1],
            _("more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS),
            _("use fewer"),
        )
    spans = [
        (start + 1, stop) for start, stop in zip([opening, *bars], [*bars, closing], strict=True)
    ]
    # `_TIMES` matches a `^3`, and group 1 is its number.
    repetition = _TIMES.fullmatch(text, *spans[-1]) if bars else None
    if repetition is None:
        return spans
    # There are as many lines before the last span as bars. `whole_number` is None above the limit.
    repeats = whole_number(repetition[1], MAX_JUGGLERS // len(bars))
    if not repeats:
        raise NotationError(
            text,
            repetition.start(1),
            _("no jugglers, or more than {max_jugglers}", max_jugglers=MAX_JUGGLERS),
            _TIMES_EXAMPLE,
        )
    return spans[:-1] * repeats


def _check_sides(
    text: str, lines: tuple[Line, ...], jugglers: int | None, number_match: re.Match[str] | None
) -> None:
    """Check that there are several equally long sides, as many as the text states.

    A side is the line of one juggler between < and >.

    Args:
        text: the whole text, quoted in errors.
        lines: the lines of all jugglers.
        jugglers: the number of jugglers that the text states; None if it states none.
        number_match: where it does so, a match of `NUMBER_OF_JUGGLERS`; None likewise.

    Raises:
        NotationError: one of these checks fails.
    """
    if len(lines) == 1:
        raise NotationError(
            text, text.index(">"), _("there is no other juggler to pass to"), _SIDES
        )
    # Messages number the jugglers from 1.
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
    if number_match and jugglers != len(lines):
        reason = _(
            "there are {count} sides for {jugglers} jugglers",
            count=len(lines),
            jugglers=jugglers,
        )
        raise NotationError(
            text,
            number_match.start(1),
            reason,
            _("write {count}, or leave it out", count=len(lines)),
        )


class _LineParser:
    """Recursive descent parser of one line.

    Each method reads one rule of the grammar, and leaves `position` at the character after it.

    Attributes:
        text: the whole text, for messages.
        position: index of the next character.
        stop: index behind the line.
        compact: whether each digit is a throw of its own; if not, numbers may have several digits.
        number: pattern of a value in digits.
    """

    def __init__(self, text: str, start: int, stop: int, *, compact: bool) -> None:
        self.text = text
        self.position = start
        self.stop = stop
        self.compact = compact
        self.number = _DIGIT if compact else _NUMBER

    def line(self) -> Line:
        """Read a whole line: an optional first hand (R or L), throws and pairs, an optional `*`.

        A pair is what both hands throw at once; a `*` repeats the line with swapped hands.

        Raises:
            NotationError: an unexpected character, no throws, or more than MAX_BEATS beats.
        """
        self._skip_spaces()
        # Where the line begins, for messages.
        line_start = self.position
        first_hand = RIGHT
        if self._accept("L"):
            first_hand = LEFT
        else:
            self._accept("R")  # as usual
        # What one hand throws lasts a beat; a pair lasts one or two.
        slots: list[Slot] = []
        beat = 0
        while (throws := self._hand_throws()) or self._character() == "(":
            if throws:
                # No hand is named: the hands take turns.
                slots.append(Slot(beat, None, throws))
                beat += 1
            else:
                left, right, beats = self._pair()
                slots += [Slot(beat, LEFT, left), Slot(beat, RIGHT, right)]
                beat += beats
        # A * must follow what it repeats.
        swaps = bool(slots) and self._accept("*")
        if self.position < self.stop:
            raise self._unexpected(slots, swaps=swaps)
        if not slots:
            raise self._error(min(line_start, len(self.text)), _("no throws here"), _THROWS)
        if beat > MAX_BEATS:
            raise self._error(
                line_start,
                _("this is longer than {max_beats} beats", max_beats=MAX_BEATS),
                _("use a shorter one"),
            )
        return Line(tuple(slots), beats=beat, swaps=swaps, first_hand=first_hand, start=line_start)

    def _pair(self) -> tuple[tuple[WrittenThrow, ...], tuple[WrittenThrow, ...], int]:
        """Read a pair such as (4x, 4xp), which both hands throw at once.

        A pair lasts two beats, or one beat with a ! behind it.

        Returns:
            The throws of the left hand, those of the right hand, and the number of beats.

        Raises:
            NotationError: the bracket holds no pair, or is never closed.
        """
        opening = self.position
        self._next()
        left = self._hand_throws()
        comma = left and self._accept(",")
        right = self._hand_throws() if comma else ()
        if not right or not self._accept(")"):
            # The error points where the pair goes wrong; if it is never closed, at its bracket.
            closed = self.text.find(")", opening, self.stop) >= 0
            index = min(self.position, len(self.text)) if closed else opening
            reason = _("this is not a pair") if closed else _("this ( is never closed")
            raise self._error(index, reason, _("write a pair as (4x, 4xp), left hand first"))
        return left, right, 1 if self._accept("!") else 2

    def _hand_throws(self) -> tuple[WrittenThrow, ...]:
        """Read what one hand throws on a beat: a throw, or a multiplex such as [4 3p].

        A multiplex is several throws of one hand at once.

        Returns:
            The throws; empty if neither stands at the position.

        Raises:
            NotationError: a multiplex is never closed, or holds anything but throws.
        """
        opening = self.position
        if not self._accept("["):
            throw = self._throw()
            return (throw,) if throw else ()
        throws: list[WrittenThrow] = []
        while throw := self._throw():
            throws.append(throw)
        if not throws or not self._accept("]"):
            # The error points where the multiplex goes wrong; if it is never closed, at the [.
            closed = self.text.find("]", opening, self.stop) >= 0
            reason = (
                _("this is not allowed in a multiplex") if closed else _("this [ is never closed")
            )
            raise self._error(
                self.position if closed else opening, reason, _("write a multiplex as [4 3p]")
            )
        return tuple(throws)

    def _throw(self) -> WrittenThrow | None:
        """Read a throw: a value, then its flags (an x, a p, a modifier) in any order.

        Returns:
            The throw; None if no value stands at the position.

        Raises:
            NotationError: a number or receiver is beyond the limits, or a throw to oneself has a
                fractional value.
        """
        start = self.position
        value, decimals = self._value()
        if value is None:
            return None
        crossing = False
        receiver = None
        modifier = PLAIN
        # Each flag at most once: a second one does not belong to this throw.
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
            # A fractional value lands between the thrower's own beats, so it must be a pass. Within
            # < > its p may therefore be left out.
            if "<" not in self.text[:start]:
                accepted = _(
                    "only a pass can do that: write {written}p, or a whole number", written=written
                )
                raise self._error(
                    start,
                    _("the {written} lands between the juggler's own beats", written=written),
                    accepted,
                )
            receiver = NEXT_JUGGLER
        self._skip_spaces()
        return WrittenThrow(
            value,
            crossing=crossing,
            start=start,
            receiver=receiver,
            modifier=modifier,
            decimals=decimals,
            text=written,
        )

    def _value(self) -> tuple[Fraction | None, int]:
        """Read the value of a throw in digits, in braces or as a letter: `3`, `3.67`, `{12}`, `a`.

        The letter a is 10, b is 11 and so on; the capitals L and R are hands, not values.

        Returns:
            The value, [beats], and its number of written decimals. If no value stands at the
            position, (None, 0), and the position does not move.

        Raises:
            NotationError: the number is beyond the limits, or has so many digits that it must be
                several throws without spaces.
        """
        braced = _BRACED.match(self.text, self.position, self.stop)
        if match := braced or self.number.match(self.text, self.position, self.stop):
            digits = match.group(1).lstrip("0") or "0"
            decimals = match.group(2) or ""
            # In braces any number of digits is one value; elsewhere, many digits are throws
            # written without spaces.
            if len(digits) > MAX_WRITTEN_DIGITS and not braced:
                accepted = _(
                    "write spaces between throws, as in {whole}, or {{{whole2}}} for a single "
                    "high throw",
                    whole=" ".join(digits[:6]),
                    whole2=digits[:4],
                )
                raise self._error(self.position, _("this throw has too many digits"), accepted)
            if whole_number(digits, MAX_VALUE) is None:
                raise self._error(
                    self.position,
                    _("this throw is too high"),
                    _("values up to {{{max_value}}}", max_value=MAX_VALUE),
                )
            if len(decimals) > MAX_DECIMALS:
                reason = _(
                    "more than {max_decimals} digits after the point",
                    max_decimals=MAX_DECIMALS,
                )
                raise self._error(
                    match.start(2) + MAX_DECIMALS, reason, _("use fewer, as in 3.67p")
                )
            self.position = match.end()
            return Fraction(f"{digits}.{decimals or 0}"), len(decimals)
        letter = self._character()
        if "a" <= letter.lower() <= "z" and len(letter) == 1 and letter not in ("L", "R"):
            self.position += 1
            return Fraction(int(letter, 36)), 0
        return None, 0

    def _pass(self) -> tuple[int, int] | None:
        """Match a p and the receiver behind it, as in p2, without moving the position.

        In a text without spaces, digits after the p are the next throw, not a receiver.

        Returns:
            The receiver as written (NEXT_JUGGLER for a p alone) and the index of the character
            after it; None if no p stands here.

        Raises:
            NotationError: the receiver is 0 or above MAX_JUGGLERS.
        """
        # `_PASS_ALONE` has an empty group in place of digits.
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
        """Match the modifier of a throw, such as B (bounce), without moving the position.

        Modifiers are those of siteswaps. Those of bounces may also be in small letters: `bhl` is
        read as `BHL`.

        Returns:
            The modifier and the index of the character after it; None if no modifier stands here,
            or it goes on beyond the line.

        Raises:
            NotationError: more than MAX_BOUNCES bounces.
        """
        small_bounce = _BOUNCE.match(self.text, self.position, self.stop)
        if small_bounce:
            modifier, length = modifier_at(small_bounce.group().upper(), 0)
            end = self.position + length
        else:
            # Where no modifier stands, `end` is the position.
            modifier, end = modifier_at(self.text, self.position)
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
        self._skip_spaces()

    def _skip_spaces(self) -> None:
        while self.position < self.stop and (
            self.text[self.position].isspace() or self.text[self.position] == "/"
        ):
            self.position += 1

    def _accept(self, text: str) -> bool:
        if self._character() != text:
            return False
        self._next()
        return True

    def _unexpected(self, slots: list[Slot], *, swaps: bool) -> NotationError:
        """Return the error for the character at the position, which is not allowed there.

        Args:
            slots: the slots of the line that were read before it.
            swaps: whether a *, which ends a line, was read before it.
        """
        # First the mistakes that depend on what was read before, then what a character usually
        # means elsewhere.
        character = self._character()
        if swaps:
            return self._error(
                self.position, _("the * ends a line, but more follows"), _("write the * last")
            )
        if character in ("L", "R") and slots:
            accepted = _("hands take turns from the right; one letter at the start changes that")
            return self._error(
                self.position,
                _("{character} is only allowed at the start of a line", character=character),
                accepted,
            )
        if character in _MISPLACED:
            return self._error(self.position, *_MISPLACED[character])
        if character == "{":
            return self._error(self.position, *why_no_value(self.text, self.position))
        return self._error(
            self.position,
            _("{character} is not allowed here", character=character_name(character)),
            _THROWS,
        )

    def _error(self, index: int, reason: str, accepted: str) -> NotationError:
        return NotationError(self.text, index, reason, accepted)


# No \d, which matches the digits of all scripts.
_NUMBER = re.compile(r"([0-9]+)(?:\.([0-9]+))?")
_DIGIT = re.compile(r"([0-9])(?:\.([0-9]+))?")
_BRACED = re.compile(r"\{([0-9]+)(?:\.([0-9]+))?\}")
_CROSSING = re.compile(r"[xX×]")
_CROSSING_PASS = r"(?i)p\d*\s*[x×]"
_PASS = re.compile(r"[pP]([0-9]*)")
_PASS_ALONE = re.compile(r"[pP]()")
_BOUNCE = re.compile(r"b+(?:h[fl]?|[fl])?")
_BEATS = r"([0-9]*)(?:\.([0-9]+))?"
_TIMES = re.compile(r"\s*\^\s*([0-9]+)\s*")
_TIMES_EXAMPLE = N_("how many throw alike, as in <3.5p|^2>")
_FED_BY = re.compile(r"\bfed\s+by\b", re.IGNORECASE)
_THROWS = N_("write throws as in 4p 2 3 or 3.6p 3, a multiplex as [4 3p], a pair as (4x, 4xp)")
_DELAYS_EXAMPLE = N_("delays of all jugglers, as in {0,0.5}<3.5p|3.5p>")
_SIDES = N_("a side for each juggler, as in <4.5 3 3 | 3 4 3.5>")
_EQUALLY_LONG = N_(
    "all sides must last the same time: 0 is an empty hand, and a space ends a p, as in 4.5p 3"
)
_MISPLACED = {
    ")": (N_("this ) closes nothing"), N_("write a pair as (4x, 4xp)")),
    "]": (N_("this ] closes nothing"), N_("write a multiplex as [4 3p]")),
    ">": (N_("this > closes nothing"), _SIDES),
    "|": (N_("| is only allowed between jugglers in < >"), _SIDES),
    ",": (
        N_("a comma is only allowed between the two hands of a pair"),
        N_("a space between throws"),
    ),
    ".": (N_("a point is only allowed between digits"), N_("write 0.5p, or 2p")),
    "*": (N_("the * must follow what it repeats"), N_("write it at the end, as in (4x, 4xp)*")),
    "!": (N_("! is only allowed after a pair"), N_("write it as in (4, 3x)!")),
    "?": (N_("? only works in siteswaps"), N_("write the throw")),
    "^": (N_("a count such as ^2 only works in siteswaps"), N_("write the throws out")),
    "-": (N_("a throw cannot be negative"), _THROWS),
    "<": (N_("the jugglers' throws start with <"), _SIDES),
}


CatchSlot = tuple[int, int | None]
"""A beat and a hand, None where hands take turns."""


class JugglerLine(NamedTuple):
    """The line of one juggler, when it begins [beats], and whether its hands are swapped."""

    line: Line
    start: Fraction = Fraction(0)
    mirrored: bool = False


class ResolvedThrow(NamedTuple):
    """A throw that a juggler makes on a beat, counted from the start of the juggler's own line.

    `value` is the exact value of the written throw, [beats], and `receiver` the juggler who catches
    it.
    """

    juggler: int
    beat: int
    hand: int
    throw: WrittenThrow
    value: Fraction
    receiver: int


class PassingPattern(NamedTuple):
    """A passing pattern with receivers and exact values, until all lines begin together again.

    Attributes:
        juggler_lines: one for each juggler.
        throws: the throws of all jugglers, those of a multiplex as written.
        period: beats until then.
        written_beats: beats that the text spells out.
        is_shared_line: whether all jugglers throw one line; if not, each has a line.
    """

    juggler_lines: tuple[JugglerLine, ...]
    throws: tuple[ResolvedThrow, ...]
    period: int
    written_beats: int
    is_shared_line: bool


class CatchSlots:
    """The beats and hands at which a line catches, repeated for each prop that it throws there.

    Args:
        line: the line, repeated.
        beats: length of the loop, whole rounds of the line; later landings are counted on the same
            beat of the loop.

    Attributes:
        capacity: for each slot how many props land there.
        single_beats: the beats on which hands take turns.
    """

    def __init__(self, line: Line, beats: int) -> None:
        self.beats = beats
        self.capacity: Counter[CatchSlot] = Counter()
        self.single_beats = {beat for beat, _, slot in line.slots_until(beats) if slot.hand is None}
        for beat, hand, slot in line.slots_until(beats):
            self.capacity[beat, None if slot.hand is None else hand] += len(slot.thrown)

    def landing_slot(self, beat: int, hand: int, throw: WrittenThrow) -> CatchSlot | None:
        """Return the slot in which a throw lands: a beat of the loop and the hand that catches.

        Args:
            beat: the beat of the landing, counted on the line that catches; it may be beyond the
                loop.
            hand: the hand that throws, 0 left and 1 right.
            throw: the throw as written.

        Returns:
            The slot; its hand is None on a beat on which hands take turns. There a crossing throw
            (with an x) cannot be caught, so its slot is None.
        """
        slot_beat = beat % self.beats
        if slot_beat in self.single_beats:
            return None if throw.crossing else (slot_beat, None)
        return slot_beat, landing_hand(hand, throw)


def landing_hand(hand: int, throw: WrittenThrow) -> int:
    """Return the hand that catches a throw where both may: odd values cross, an x reverses this.

    Args:
        hand: the hand that throws, 0 left and 1 right.
        throw: the throw as written; of a fractional value the whole beats count.
    """
    return (hand + floor(throw.value) + throw.crossing) % 2


_P = TypeVar("_P", bound=Hashable)


@dataclass
class SearchBudget:
    """The steps left to find who passes to whom; all attempts for one text share them."""

    steps: int

    @property
    def exhausted(self) -> bool:
        """Whether no steps are left."""
        return self.steps < 0


def match(
    options: Sequence[Sequence[_P]], capacity: Counter[_P], budget: SearchBudget
) -> list[int] | None:
    """Assign each item to one of its possible slots, so that no slot exceeds its capacity.

    This is bipartite matching by augmenting paths (H. W. Kuhn, 1955). The options of an item are
    tried in their order.

    Args:
        options: for each item the possible slots, the best first.
        capacity: maximal number of items in each slot.
        budget: the steps that the search may take, from which it subtracts.

    Returns:
        For each item the index of its slot among its options; None if there is no complete
        matching, or the budget runs out.
    """
    # The two directions of the matching so far, kept consistent by `_assign`.
    items_in: dict[_P, list[int]] = defaultdict(list)
    slot_of: dict[int, _P] = {}
    for item in range(len(options)):
        if not _assign(item, options, capacity, items_in, slot_of, budget):
            return None
    return [list(options[item]).index(slot_of[item]) for item in range(len(options))]


def _assign(
    first: int,
    options: Sequence[Sequence[_P]],
    capacity: Counter[_P],
    items_in: dict[_P, list[int]],
    slot_of: dict[int, _P],
    budget: SearchBudget,
) -> bool:
    """Assign one more item to a slot along an augmenting path, found breadth first.

    If all slots of the item are full, items there are moved to other slots of theirs to make room.

    Args:
        first: the item without a slot.
        options: for each item the slots that it may take.
        capacity: number of items each slot takes.
        items_in: the items in each slot, also in empty ones; updated.
        slot_of: the slot of each item that has one; updated.
        budget: the steps left; used up by the search.

    Returns:
        Whether a slot was found; False also if the budget is spent before.
    """
    # For each visited slot the item that would move into it.
    reached_from: dict[_P, int] = {}
    # Items that need another slot: the new one, and those that would make room. It grows during
    # the loop.
    queue = [first]
    for item in queue:
        for slot in options[item]:
            budget.steps -= 1
            if budget.exhausted:
                return False
            if slot in reached_from or not capacity[slot]:
                continue
            reached_from[slot] = item
            if len(items_in[slot]) < capacity[slot]:
                _augment(slot, reached_from, items_in, slot_of)
                return True
            queue.extend(items_in[slot])
    return False


def _augment(
    slot: _P, reached_from: dict[_P, int], items_in: dict[_P, list[int]], slot_of: dict[int, _P]
) -> None:
    """Move each item on an augmenting path into its new slot, in `items_in` and `slot_of`.

    Args:
        slot: the end of the path, which is a slot with room for one more item.
        reached_from: for each slot on the path the item that moves into it.
        items_in: the items in each slot.
        slot_of: the slot of each item that has one.
    """
    # Each move makes room for the next, from the end of the path back to the item without a slot.
    while True:
        item = reached_from[slot]
        old_slot = slot_of.get(item)
        items_in[slot].append(item)
        slot_of[item] = slot
        if old_slot is None:
            return
        items_in[old_slot].remove(item)
        slot = old_slot


class Delay(NamedTuple):
    """The delay of each juggler after the one before, [beats], and whether with swapped hands."""

    beats: Fraction
    mirrored: bool = False


class ThrowMeaning(NamedTuple):
    """A possible meaning of a written throw: its exact value and its receiver.

    Args:
        value: exact value, [beats].
        places: number of places in the circle of jugglers from the thrower to the receiver; 0 for
            a throw to oneself.
        named: whether the text names the receiver, as 3p2 does and 3p does not.
    """

    value: Fraction
    places: int
    named: bool = True


class _Option(NamedTuple):
    """A possible meaning of a throw, and the slot in which it lands then."""

    slot: CatchSlot
    meaning: ThrowMeaning


_Options = list[_Option]
"""The possible meanings of a throw; never empty."""


def resolve_shared_line(line: Line, jugglers: int, budget: SearchBudget) -> PassingPattern | None:
    """Find who catches each pass when all jugglers throw the same line.

    Jugglers stand in a circle, and each begins the line later than the one before, by a delay.
    Delays are tried in the order of `delays`. If possible, all passes go the same number of places
    around the circle, as few as possible.

    Args:
        line: the throws of each juggler.
        jugglers: number of jugglers.
        budget: number of steps that the search may still take; it is reduced.

    Returns:
        The pattern of the first delay with which every pass can be caught; None if there is none,
        or the budget runs out.
    """
    for delay in delays(line, jugglers):
        if choices := _choices(line, jugglers, delay, budget):
            return shared_line_pattern(line, jugglers, delay, choices)
    return None


def guess_shared_line(line: Line, jugglers: int) -> PassingPattern:
    """Return what an invalid line that all jugglers share most likely means, for an error message.

    Throws of the pattern may land at once in one hand. The jugglers start equally far apart; they
    start together if otherwise no pass of a whole number of beats could land on a beat.

    Args:
        line: the throws of each juggler.
        jugglers: number of jugglers.
    """
    # `delays` lists the likeliest one first.
    likeliest = delays(line, jugglers)[0]
    throws = _throws_of_round(line)
    # A throw without a receiver is no pass.
    has_fractional_pass = any(
        throw.decimals for _, _, throw in throws if throw.receiver is not None
    )
    # Whether a pass of whole beats lands on a beat of some other juggler.
    meets_beats = any((places * likeliest.beats).denominator == 1 for places in range(1, jugglers))
    delay = likeliest if meets_beats or has_fractional_pass else Delay(Fraction(0))
    # A throw without any possible meaning goes to the next juggler as written.
    choices = [
        next(_possible(throw, jugglers, delay), ThrowMeaning(throw.value, 1))
        for _, _, throw in throws
    ]
    return shared_line_pattern(line, jugglers, delay, choices)


def delays(line: Line, jugglers: int) -> list[Delay]:
    """Return by how many beats each juggler of a shared line may start after the one before.

    The jugglers are spread over a round of the line, or all start together. A `*` at the end of a
    line stands for a second half with swapped hands; then the jugglers may also be spread over the
    written half alone. Each of these comes with the same hands for all, and, if that makes a
    difference, with hands swapped for every second juggler.

    Args:
        line: the throws of each juggler.
        jugglers: number of jugglers.

    Returns:
        The delays, the likeliest first.
    """
    over_round = Fraction(_beats_per_round(line), jugglers)
    over_written_line = Fraction(line.beats, jugglers)
    beats_apart = [over_round, Fraction(0)]
    # A round of a line with a * is twice as long as what is written.
    if over_written_line != over_round:
        beats_apart.append(over_written_line)
    # Where hands take turns, swapping the hands is the same as a delay of one beat. In a circle of
    # an odd number of jugglers, the last and the first would have the same hands.
    mirror_options = (False, True) if not line.singles_only and jugglers % 2 == 0 else (False,)
    return [Delay(beats, mirrored) for beats in beats_apart for mirrored in mirror_options]


def shared_line_pattern(
    line: Line, jugglers: int, delay: Delay, choices: list[ThrowMeaning]
) -> PassingPattern:
    """Return the pattern of jugglers who throw the same line, given the meanings of its throws.

    Args:
        line: the throws of each juggler.
        jugglers: number of jugglers.
        delay: the delay of each juggler after the one before.
        choices: for each throw of one round the value, and the receiver as a number of places
            around the circle of jugglers.
    """
    juggler_lines = tuple(
        JugglerLine(line, juggler * delay.beats, mirrored=delay.mirrored and juggler % 2 == 1)
        for juggler in range(jugglers)
    )
    # The loop has one round or two, and `choices` holds for each of them.
    throws_of_loop = [
        (beat, hand, throw, choices[throw_index % len(choices)])
        for throw_index, (beat, hand, throw) in enumerate(_throws_of_round(line, line.loop))
    ]
    throws = tuple(
        ResolvedThrow(
            juggler,
            beat,
            # A mirrored juggler throws with the other hand: 0 and 1 are exchanged.
            hand=hand ^ juggler_line.mirrored,
            throw=throw,
            value=choice.value,
            receiver=(juggler + choice.places) % jugglers,
        )
        for juggler, juggler_line in enumerate(juggler_lines)
        for beat, hand, throw, choice in throws_of_loop
    )
    return PassingPattern(
        juggler_lines, throws, period=line.loop, written_beats=line.beats, is_shared_line=True
    )


def _beats_per_round(line: Line) -> int:
    """Return the number of beats after which a line must catch at the same slots again.

    Where hands take turns, the hand whose turn it is catches, so it does not matter that an odd
    line swaps hands after each round.
    """
    return line.beats if line.singles_only else line.loop


def _throws_of_round(line: Line, beats: int = 0) -> list[tuple[int, int, WrittenThrow]]:
    """Return beat, hand and throw of all throws but zeros.

    Args:
        line: throws of one juggler, which repeat.
        beats: over how many beats; 0 for one round.
    """
    rounds = line.slots_until(beats or _beats_per_round(line))
    return [(beat, hand, throw) for beat, hand, slot in rounds for throw in slot.thrown]


def _choices(
    line: Line, jugglers: int, delay: Delay, budget: SearchBudget
) -> list[ThrowMeaning] | None:
    """Choose the meaning (value and receiver) of each throw so that every prop can be caught.

    All jugglers throw and catch the same line, so landings are counted on this one line. A slot is
    where a prop may be caught: a beat of the line, and a hand if both throw on that beat. In each
    slot as many props must land as are thrown there.

    Args:
        line: the throws of each juggler.
        jugglers: number of jugglers.
        delay: the delay of each juggler after the one before.
        budget: number of steps that the search may still take; it is reduced.

    Returns:
        A meaning for each throw of one round, in their order; None if no choice fits, or the budget
        runs out.
    """
    slots = CatchSlots(line, _beats_per_round(line))
    # The meanings of each throw by text and receiver, each with the beats from the throw to its
    # landing on the line of the receiver, who began later.
    possible: dict[tuple[str, int | None], list[tuple[int, ThrowMeaning]]] = {}
    options: list[_Options] = []
    for beat, hand, throw in _throws_of_round(line):
        # Equal throws have equal meanings, so these are found once.
        key = throw.text, throw.receiver
        if key not in possible:
            choices = _possible(throw, jugglers, delay)
            possible[key] = [
                (int(choice.value - choice.places * delay.beats), choice) for choice in choices
            ]
        slot_options = []
        for beats_later, choice in possible[key]:
            # Seen from a receiver whose hands are swapped, the other hand throws.
            receiver_is_swapped = delay.mirrored and choice.places % 2 == 1
            relative_hand = 1 - hand if receiver_is_swapped else hand
            slot = slots.landing_slot(beat + beats_later, relative_hand, throw)
            if slot and slots.capacity[slot]:
                slot_options.append(_Option(slot, choice))
        budget.steps -= len(possible[key])
        if not slot_options or budget.exhausted:
            return None
        options.append(slot_options)
    # The simplest choice is tried first: all passes go the same number of places.
    if chosen := _equally_far(options, slots.capacity):
        return chosen
    matched = match(
        [[option.slot for option in slot_options] for slot_options in options],
        slots.capacity,
        budget,
    )
    if matched is None:
        return None
    return [
        slot_options[option_index].meaning
        for slot_options, option_index in zip(options, matched, strict=True)
    ]


def _possible(throw: WrittenThrow, jugglers: int, delay: Delay) -> Iterator[ThrowMeaning]:
    """Yield the meanings of a throw with which it lands on a beat of its receiver.

    A meaning is an exact value [beats] and a receiver, as a number of places around the circle of
    jugglers. The nearest receiver comes first.

    Args:
        throw: the throw as written.
        jugglers: number of jugglers.
        delay: the delay of each juggler after the one before.
    """
    if throw.receiver is None:
        # A throw to oneself.
        yield ThrowMeaning(throw.value, 0)
        return
    if throw.receiver == NEXT_JUGGLER:
        # A p alone may go to anybody else. If all start together, a pass lands on the same beat
        # with every receiver, so it is enough to try the next one.
        all_places = range(1, jugglers if delay.beats else 2)
    else:
        all_places = range(throw.receiver, throw.receiver + 1)
    for places in all_places:
        # The receiver begins later by one delay for each place.
        value = fitted_value(throw, places * delay.beats)
        if value is not None:
            yield ThrowMeaning(value, places, throw.receiver != NEXT_JUGGLER)


def _equally_far(
    options: list[_Options], capacity: Counter[CatchSlot]
) -> list[ThrowMeaning] | None:
    """Return meanings with which all passes without a written receiver go equally many places.

    Jugglers stand in a circle: a pass that goes two places is caught by the second juggler after
    the thrower. A slot is a beat of the line, and a hand, on which a prop may be caught.

    Args:
        options: for each throw its possible meanings and their slots.
        capacity: for each slot how many props are thrown and so must land there.

    Returns:
        A meaning for each throw, with the fewest places; None if none fit.
    """
    # It is enough to try the numbers of places that one pass without a written receiver may go; the
    # one with the most meanings is taken. Without any such pass it is a throw with its only
    # meaning, since a throw to oneself or to a named receiver has one.
    most_meanings = max(
        options, key=lambda slot_options: (not slot_options[0].meaning.named, len(slot_options))
    )
    for places in [option.meaning.places for option in most_meanings]:
        chosen = [
            option
            for slot_options in options
            for option in slot_options
            if option.meaning.named or option.meaning.places == places
        ]
        # They fit if each throw has a meaning, and each slot gets the number of props it throws.
        if len(chosen) == len(options) and Counter(option.slot for option in chosen) == capacity:
            return [option.meaning for option in chosen]
    return None


def resolve_feed(
    fed: Line, feeder: Line, jugglers: int, budget: SearchBudget
) -> PassingPattern | None:
    """Find who catches each pass of a feed, in which one juggler passes with all others.

    The others, the feedees, throw one line, which they start equally far apart over its length. The
    last juggler is the feeder, whose start is chosen so that the passes fit.

    Args:
        fed: line of each feedee.
        feeder: line of the feeder.
        jugglers: number of jugglers, with the feeder.
        budget: number of steps that the search may still take; it is reduced.

    Returns:
        The pattern of the first start that fits; None if there is none, or the budget runs out.
    """
    period = lcm(fed.loop, feeder.loop)
    # The slots (beat and hand) in which each juggler catches, counted on the juggler's own line, so
    # that they do not depend on when the feeder begins.
    slots = [*[CatchSlots(fed, period)] * (jugglers - 1), CatchSlots(feeder, period)]
    # How many props land in each slot of each juggler, by (juggler, slot).
    capacity: Counter[Hashable] = Counter()
    for juggler, catches in enumerate(slots):
        capacity.update({(juggler, slot): count for slot, count in catches.capacity.items()})
    for start in _feeder_starts(fed, feeder, jugglers):
        if budget.exhausted:
            return None
        juggler_lines = _feed_lines(fed, feeder, jugglers, start)
        if throws := _resolved_feed(juggler_lines, period, slots, capacity, budget):
            return PassingPattern(
                juggler_lines,
                throws,
                period=period,
                written_beats=lcm(fed.beats, feeder.beats),
                is_shared_line=False,
            )
    return None


def guess_feed(fed: Line, feeder: Line, jugglers: int) -> PassingPattern:
    """Return what an invalid feed most likely means, for an error message.

    In a feed one juggler (the feeder) passes with all others (the feedees), here to one after the
    other. Throws of the pattern may land at once in one hand.

    Args:
        fed: line of each feedee.
        feeder: line of the feeder.
        jugglers: number of jugglers, with the feeder.
    """
    period = lcm(fed.loop, feeder.loop)
    start = next(_feeder_starts(fed, feeder, jugglers), Fraction(0))
    juggler_lines = _feed_lines(fed, feeder, jugglers, start)
    # Number of passes so far for which the feeder may choose the receiver. Other throws have one
    # possible receiver.
    free_pass_count = 0
    throws = []
    for resolved, receivers in _throws_of_feed(juggler_lines, period):
        receiver = receivers[free_pass_count % len(receivers)]
        throws.append(resolved._replace(receiver=receiver))
        if len(receivers) > 1:
            free_pass_count += 1
    return PassingPattern(
        juggler_lines,
        tuple(throws),
        period=period,
        written_beats=lcm(fed.beats, feeder.beats),
        is_shared_line=False,
    )


def _feed_lines(fed: Line, feeder: Line, jugglers: int, start: Fraction) -> tuple[JugglerLine, ...]:
    """Return the lines of all jugglers: the feedees, evenly apart, and the feeder from `start` on.

    In a feed one juggler, the feeder, passes with all others, the feedees, in turn.
    """
    feedee_spacing = Fraction(fed.beats, jugglers - 1)
    return (
        *(JugglerLine(fed, feedee * feedee_spacing) for feedee in range(jugglers - 1)),
        JugglerLine(feeder, start),
    )


def _feeder_starts(fed: Line, feeder: Line, jugglers: int) -> Iterator[Fraction]:
    """Yield the times at which the feeder of a feed may begin, [beats], the earliest first.

    The feeder passes with all others, the feedees, of whom the first begins at 0. The first pass of
    this one must land on a beat of the feeder's line; without passes no time is yielded.

    Args:
        fed: line of each feedee.
        feeder: line of the feeder.
        jugglers: number of jugglers, with the feeder.
    """
    passes = [
        (slot.beat, throw)
        for slot in fed.slots
        for throw in slot.thrown
        if throw.receiver is not None
    ]
    if passes:
        beat, throw = passes[0]
        landing = beat + nearest_value(throw, jugglers)
        yield from sorted(
            {(landing - slot.beat) % feeder.beats for slot in feeder.slots if slot.thrown}
        )


def _throws_of_feed(
    juggler_lines: tuple[JugglerLine, ...], period: int
) -> Iterator[tuple[ResolvedThrow, list[int]]]:
    """Yield each throw of a feed with the jugglers who may catch it.

    In a feed one juggler, the feeder, passes with all others. The receiver that is entered in a
    yielded throw is the first of those who may catch it.

    Args:
        juggler_lines: the lines of all jugglers, the feeder last.
        period: beats until the lines begin together again.
    """
    feeder = len(juggler_lines) - 1
    for juggler, juggler_line in enumerate(juggler_lines):
        for beat, hand, slot in juggler_line.line.slots_until(period):
            for throw in slot.thrown:
                if throw.receiver is None:
                    receivers = [juggler]
                elif juggler != feeder:
                    # Feedees pass to the feeder only.
                    receivers = [feeder]
                elif throw.receiver == NEXT_JUGGLER:
                    receivers = list(range(feeder))
                else:
                    # Written receivers count from 1.
                    receivers = [throw.receiver - 1]
                resolved = ResolvedThrow(
                    juggler,
                    beat,
                    hand=hand,
                    throw=throw,
                    value=nearest_value(throw, len(juggler_lines)),
                    receiver=receivers[0],
                )
                yield resolved, receivers


def _resolved_feed(
    juggler_lines: tuple[JugglerLine, ...],
    period: int,
    slots: list[CatchSlots],
    capacity: Counter[Hashable],
    budget: SearchBudget,
) -> tuple[ResolvedThrow, ...] | None:
    """Choose a receiver for each throw of a feed so that every prop can be caught.

    In a feed one juggler, the feeder, passes with all others. A slot is a beat, and a hand, on
    which props may be caught, as many as the hand throws there. The choice is a bipartite matching
    of throws and slots.

    Args:
        juggler_lines: the lines of all jugglers, the feeder last.
        period: beats until the lines begin together again.
        slots: the slots of each juggler.
        capacity: for each (juggler, slot) how many props must land there.
        budget: number of steps that the search may still take; it is reduced.

    Returns:
        The throws with their receivers; None if none fit, or the budget runs out.
    """
    # For each throw its copies with each possible receiver, and in parallel the (receiver, slot)
    # in which each of them lands.
    candidates: list[list[ResolvedThrow]] = []
    slot_options: list[Sequence[Hashable]] = []
    for resolved, receivers in _throws_of_feed(juggler_lines, period):
        # `_OPTION_COST` is the work for one possible receiver, in steps of matching.
        budget.steps -= _OPTION_COST * len(receivers)
        landings = [
            (receiver, _catch_slot(resolved, receiver, juggler_lines, slots))
            for receiver in receivers
        ]
        fitting = [
            (receiver, slot) for receiver, slot in landings if slot and capacity[receiver, slot]
        ]
        if not fitting or budget.exhausted:
            return None
        candidates.append([resolved._replace(receiver=receiver) for receiver, _ in fitting])
        slot_options.append(fitting)
    matched = match(slot_options, capacity, budget)
    if matched is None:
        return None
    return tuple(
        options[option_index] for options, option_index in zip(candidates, matched, strict=True)
    )


def _catch_slot(
    resolved: ResolvedThrow,
    receiver: int,
    juggler_lines: tuple[JugglerLine, ...],
    catch_slots: list[CatchSlots],
) -> CatchSlot | None:
    """Return the slot (beat and hand) in which a throw lands if a given juggler catches it.

    Args:
        resolved: the throw; the receiver that is entered in it is not used.
        receiver: index of the juggler who would catch it.
        juggler_lines: the lines of all jugglers.
        catch_slots: the slots of each juggler's line.

    Returns:
        The slot, whose hand is None on a beat on which hands take turns. None if the throw lands
        between the receiver's beats, or if it crosses (has an x) and lands on such a beat.
    """
    # The beat of the landing, counted on the receiver's line, which may start later or sooner than
    # the thrower's. It is a fraction.
    beat = (
        resolved.beat
        + juggler_lines[resolved.juggler].start
        + resolved.value
        - juggler_lines[receiver].start
    )
    if beat != int(beat):
        return None
    return catch_slots[receiver].landing_slot(int(beat), resolved.hand, resolved.throw)


_OPTION_COST = 4
"""Cost of one possible receiver, in steps of matching, since fractions take time."""


def resolve_sides(lines: tuple[Line, ...], delays: tuple[Fraction, ...] = ()) -> PassingPattern:
    """Find start times and exact values for a text with a line for each juggler.

    Receivers are written in the text. A pass of 4.5 beats means that its receiver throws half a
    beat earlier or later than the thrower. A juggler without passes begins at 0.

    Args:
        lines: the lines of all jugglers.
        delays: start time of each juggler, [beats]. If empty, start times follow from the passes:
            within the first beat, or within the first two if all throw pairs of both hands. With
            delays, values may be written as if all began together, see `_with_delays`.
    """
    starts = dict(enumerate(delays)) if delays else _side_starts(lines)
    juggler_lines = tuple(
        JugglerLine(line, starts.get(juggler, Fraction(0))) for juggler, line in enumerate(lines)
    )
    period = max(line.loop for line in lines)
    # `nearest_value` is the likeliest exact value of a written decimal.
    throws = [
        ResolvedThrow(
            juggler,
            beat,
            hand=hand,
            throw=throw,
            value=nearest_value(throw, len(lines)),
            receiver=receiver_of(throw.receiver, juggler, len(lines)),
        )
        for juggler, line in enumerate(lines)
        for beat, hand, slot in line.slots_until(period)
        for throw in slot.thrown
    ]
    if delays:
        throws = _with_delays(throws, delays)
    # All sides are equally long; a * writes a second round with swapped hands.
    rounds = 2 if any(line.swaps for line in lines) else 1
    return PassingPattern(
        juggler_lines,
        tuple(throws),
        period=period,
        written_beats=lines[0].beats * rounds,
        is_shared_line=False,
    )


def _with_delays(throws: list[ResolvedThrow], delays: tuple[Fraction, ...]) -> list[ResolvedThrow]:
    """Return the throws with exact values that fit the delays between thrower and receiver.

    Some people write each value as if all jugglers began together. Values are read so if all are
    whole but some would land between beats: each throw then lasts longer by the delay of its
    receiver.

    Args:
        throws: the throws with the values as written.
        delays: time at which each juggler begins, [beats].
    """
    # By how many beats the receiver of each throw begins after its thrower.
    receiver_delays = [delays[resolved.receiver] - delays[resolved.juggler] for resolved in throws]
    fitted = [
        fitted_value(resolved.throw, delay)
        for resolved, delay in zip(throws, receiver_delays, strict=True)
    ]
    all_whole = all(resolved.value.denominator == 1 for resolved in throws)
    # The values if all are written as though the jugglers began together.
    shifted = [
        resolved.value + delay for resolved, delay in zip(throws, receiver_delays, strict=True)
    ]
    if None in fitted and all_whole and all(value > 0 for value in shifted):
        return [
            resolved._replace(value=value) for resolved, value in zip(throws, shifted, strict=True)
        ]
    # A throw that does not fit keeps its value, and is refused later with a message.
    return [
        resolved._replace(value=value or resolved.value)
        for resolved, value in zip(throws, fitted, strict=True)
    ]


def _side_starts(lines: tuple[Line, ...]) -> dict[int, Fraction]:
    """Return the start time of each juggler, [beats], as it follows from the values of passes.

    In each group of jugglers who are connected by passes, the first one begins at 0.

    Args:
        lines: the lines of all jugglers.
    """
    # All beats of a line are alike, so starts count modulo a beat, or modulo two where all throw
    # with both hands every second beat. A slot of a pair names its hand; where hands take turns it
    # is None.
    only_pairs = all(
        slot.hand is not None and slot.beat % 2 == 0 for line in lines for slot in line.slots
    )
    modulus = 2 if only_pairs else 1
    # Graph of jugglers. The weight of an edge is the delay of its end after its start, [beats],
    # modulo `modulus`: a pass of 4.5 beats lands on a beat of a receiver who begins 4.5 later.
    neighbours: dict[int, list[tuple[int, Fraction]]] = {
        juggler: [] for juggler in range(len(lines))
    }
    for juggler, line in enumerate(lines):
        for throw in [throw for slot in line.slots for throw in slot.thrown]:
            receiver = receiver_of(throw.receiver, juggler, len(lines))
            delay = nearest_value(throw, len(lines))
            neighbours[juggler].append((receiver, delay))
            neighbours[receiver].append((juggler, -delay))
    # Breadth-first search along the passes, from the first juggler of each connected group.
    starts: dict[int, Fraction] = {}
    for first in range(len(lines)):
        starts.setdefault(first, Fraction(0))
        queue = [first]
        for juggler in queue:
            for neighbour, delay in neighbours[juggler]:
                if neighbour not in starts:
                    starts[neighbour] = (starts[juggler] + delay) % modulus
                    queue.append(neighbour)
    return starts
