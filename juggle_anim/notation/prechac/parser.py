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
        """Beats after which both hands do the same again: one round of the line, or two."""
        swaps_each_round = self.beats % 2 == 1 if self.singles_only else self.swaps
        return 2 * self.beats if swaps_each_round else self.beats

    def until(self, beats: int) -> Iterator[tuple[int, int, Slot]]:
        """Repeat the line and yield beat, hand (LEFT or RIGHT) and slot of each hand's throws.

        Args:
            beats: where to stop, exclusive; whole rounds of the line.
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
                    # `first_hand` throws on even turns. Hands alternate through all rounds, unless
                    # the line has pairs: with these each round begins with the same hand, or with
                    # the other one if swapped.
                    turn = beat if singles_only else slot.beat + swapped
                    other_hand = LEFT + RIGHT - self.first_hand
                    yield beat, self.first_hand if turn % 2 == 0 else other_hand, slot


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


def fitted_value(throw: WrittenThrow, receiver_delay: Fraction) -> Fraction | None:
    """Return the exact value of a written throw, with which it lands on a receiver's beat, [beats].

    A value with decimals stands for any that is cut off or rounded to it.

    Args:
        throw: as written, such as 3.67p.
        receiver_delay: by how many beats the receiver's line begins after the thrower's.

    Returns:
        None where the throw would land between the receiver's beats.
    """
    # It lands on a whole beat if its fraction is that of the delay between the two lines.
    value = math.floor(throw.value) + receiver_delay % 1
    return value if _written_as(value, throw.value, throw.decimals) else None


def nearest_value(throw: WrittenThrow, jugglers: int) -> Fraction:
    """The exact value [beats] that a throw between some jugglers most likely stands for."""
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
        decimals: how many digits after the point were written.
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
        near = [
            numerator
            for numerator, difference in differences.items()
            if -denominator <= 2 * difference < 2 * denominator
        ]
        if near:
            nearest = min(near, key=lambda numerator: abs(differences[numerator]))
            return Fraction(nearest, denominator)
    return written


def _written_as(value: Fraction, written: Fraction, decimals: int) -> bool:
    """Whether a value, cut off or rounded to so many decimals, is what is written."""
    if not decimals:
        return value == written
    last_decimal = Fraction(1, 10**decimals)
    return -last_decimal / 2 <= value - written < last_decimal


def parse_prechac(text: str) -> PrechacText:
    """Parse a text in prechac notation, without resolving who catches each pass.

    Args:
        text: lines of all jugglers in < >, a line that all share, or a feed.

    Raises:
        NotationError: the text does not follow the grammar, or is beyond the limits.
    """
    if len(text) > MAX_LENGTH:
        reason = _("this text is {count} characters long", count=len(text))
        raise NotationError(
            text, MAX_LENGTH, reason, _("the limit is {max_length}", max_length=MAX_LENGTH)
        )
    # Delays in front, as in {0,0.5}<3.5p|3.5p>, and the number of jugglers at the end.
    ending = NUMBER_OF_JUGGLERS.search(text)
    end = ending.start() if ending else len(text)
    jugglers = _jugglers(text, ending) if ending else None
    has_sides = "<" in text[:end]
    delays_match = DELAYS.match(text)
    begin = delays_match.end() if delays_match else 0

    # The lines between delays and number, each as its span of the text. Where several jugglers
    # throw the same line its span comes several times, but is parsed once.
    spans = _spans_of_sides(text, begin, end) if has_sides else _spans_of_feed(text, end)
    # Without spaces each digit is a throw of its own.
    compact = not re.search(r"[\s,]", text[begin:end].strip())
    parsed = {
        span: _LineParser(text, *span, compact=compact).line() for span in dict.fromkeys(spans)
    }
    if all(line.singles_only for line in parsed.values()):
        parsed = {span: _without_crossings(line) for span, line in parsed.items()}
    lines = tuple(parsed[span] for span in spans)
    if has_sides:
        _check_sides(text, lines, jugglers, ending)
        jugglers = len(lines)
    delays = _delays(text, delays_match, len(lines)) if delays_match else ()
    return PrechacText(
        lines,
        sides=has_sides,
        jugglers=jugglers,
        number_start=ending.start(1) if ending else 0,
        delays=delays,
    )


def _delays(text: str, match: re.Match[str], jugglers: int) -> tuple[Fraction, ...]:
    """Read the delays of all jugglers, [beats], from a match of `DELAYS`.

    Args:
        text: the whole text, for messages.
        match: the delays in it; group 1 is what stands between the braces.
        jugglers: their number.

    Raises:
        NotationError: no number from 0 to MAX_BEATS, or not one for each juggler.
    """
    # Index in the text of the field that is read next, for errors.
    field_start = match.start(1)
    delays = []
    for field in match[1].split(","):
        index = field_start + len(field) - len(field.lstrip())
        number = _BEATS.fullmatch(field.strip())
        # Digits may be missing before the point or after it, but not on both sides.
        has_digits = number is not None and number[0].strip(".") != ""
        beats = whole_number(number[1] or "0", MAX_BEATS) if number and has_digits else None
        if number is None or beats is None:
            accepted = _(
                "give a number of beats for each juggler, up to {max_beats}, as in "
                "{{0,0.5}}<3.5p|3.5p>",
                max_beats=MAX_BEATS,
            )
            raise NotationError(text, index, _("this delay is out of range"), accepted)
        decimals = (number[2] or "")[:MAX_DECIMALS]
        delays.append(
            nearest_fraction(Fraction(f"{beats}.{decimals or 0}"), len(decimals), jugglers)
        )
        field_start += len(field) + 1
    if len(delays) != jugglers:
        reason = _(
            "these delays are for {jugglers}, but {jugglers2} throw",
            jugglers=counted(len(delays), "juggler"),
            jugglers2=jugglers,
        )
        raise NotationError(
            text, match.start(1), reason, _("give one for each juggler; 0 starts at once")
        )
    return tuple(delays)


def _without_crossings(line: Line) -> Line:
    """Drop the x of each pass such as 3px; for a line in which hands take turns.

    There the hand whose turn it is catches, so the x only repeats this.
    """
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


def _jugglers(text: str, ending: re.Match[str]) -> int:
    """Return the number of jugglers from a match of `NUMBER_OF_JUGGLERS`.

    Args:
        text: the whole text, for the error.
        ending: the match of `NUMBER_OF_JUGGLERS` in it.

    Raises:
        NotationError: fewer than two, or more than MAX_JUGGLERS.
    """
    # A number above the limit is returned as 0.
    jugglers = number_of_jugglers(ending)
    if jugglers < 2:
        reason = _("too many or too few jugglers to pass")
        raise NotationError(
            text,
            ending.start(1),
            reason,
            _("a number from 2 to {max_jugglers}", max_jugglers=MAX_JUGGLERS),
        )
    return jugglers


def number_of_jugglers(ending: re.Match[str]) -> int:
    """The number in a match of `NUMBER_OF_JUGGLERS`; 0 where it is above MAX_JUGGLERS."""
    written = ending[1].lower()
    if written in NUMBER_WORDS:
        return NUMBER_WORDS.index(written)
    return whole_number(written, MAX_JUGGLERS) or 0


def _spans_of_feed(text: str, end: int) -> list[tuple[int, int]]:
    """Return the spans of the feedees' line and the feeder's; without "fed by", that of all.

    Args:
        text: the whole text.
        end: where the number of jugglers begins, or the length of the text.

    Raises:
        NotationError: several feeders.
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
        begin: index behind the delays, or 0.
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
    # Lines are separated by bars.
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
    repetition = _TIMES.fullmatch(text, *spans[-1]) if bars else None
    if repetition is None:
        return spans
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
    text: str, lines: tuple[Line, ...], jugglers: int | None, ending: re.Match[str] | None
) -> None:
    """Check that there are several sides, equally long, and as many as the text says.

    Args:
        text: the whole text, for messages.
        lines: of all jugglers.
        jugglers: the number that the text states, if any.
        ending: the match of `NUMBER_OF_JUGGLERS` that states this, if any.

    Raises:
        NotationError: one of these does not hold.
    """
    if len(lines) == 1:
        raise NotationError(
            text, text.index(">"), _("there is no other juggler to pass to"), _SIDES
        )
    # Jugglers are numbered from 1 in messages.
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
    if ending and jugglers != len(lines):
        reason = _(
            "there are {count} sides for {jugglers} jugglers",
            count=len(lines),
            jugglers=jugglers,
        )
        raise NotationError(
            text, ending.start(1), reason, _("write {count}, or leave it out", count=len(lines))
        )


class _LineParser:
    """Recursive descent parser of one line.

    Each method reads one rule of the grammar, and leaves `position` at the character after it.

    Attributes:
        text: the whole text, for messages.
        position: index of the next character.
        stop: index behind the line.
        compact: whether each digit is a throw of its own.
        number: pattern of a value in digits.
    """

    def __init__(self, text: str, start: int, stop: int, *, compact: bool) -> None:
        self.text = text
        self.position = start
        self.stop = stop
        self.compact = compact
        self.number = _DIGIT if compact else _NUMBER

    def line(self) -> Line:
        """Read a whole line: an optional first hand, throws and pairs, and an optional `*`.

        Raises:
            NotationError: an unexpected character, no throws, or too many beats.
        """
        self._skip()
        # Where the line begins, for messages.
        first = self.position
        first_hand = RIGHT
        if self._character() in ("R", "L"):
            first_hand = LEFT if self._character() == "L" else RIGHT
            self._next()
        # Throws of single hands last a beat; pairs of both hands last one or two.
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
            raise self._unexpected(slots, swaps=swaps)
        if not slots:
            raise self._error(min(first, len(self.text)), _("no throws here"), _THROWS)
        if beat > MAX_BEATS:
            raise self._error(
                first,
                _("this is longer than {max_beats} beats", max_beats=MAX_BEATS),
                _("use a shorter one"),
            )
        return Line(tuple(slots), beats=beat, swaps=swaps, first_hand=first_hand, start=first)

    def _pair(self) -> tuple[tuple[WrittenThrow, ...], tuple[WrittenThrow, ...], int]:
        """Read a pair such as (4x, 4xp): throws of the left hand, of the right, and its beats.

        It lasts two beats, with a ! behind it one.

        Raises:
            NotationError: it is no pair, or never closed.
        """
        opening = self.position
        self._next()
        left = self._hand_throws()
        comma = left and self._accept(",")
        right = self._hand_throws() if comma else ()
        if not right or not self._accept(")"):
            closed = self.text.find(")", opening, self.stop) >= 0
            index = min(self.position, len(self.text)) if closed else opening
            reason = _("this is not a pair") if closed else _("this ( is never closed")
            raise self._error(index, reason, _("write a pair as (4x, 4xp), left hand first"))
        return left, right, 1 if self._accept("!") else 2

    def _hand_throws(self) -> tuple[WrittenThrow, ...]:
        """Read a throw or a multiplex such as [4 3p]; empty if neither stands here.

        Raises:
            NotationError: a multiplex is never closed, or holds something else than throws.
        """
        if self._character() != "[":
            throw = self._throw()
            return (throw,) if throw else ()
        # The error names the [ if it is never closed, else the place where it goes wrong.
        opening = self.position
        self._next()
        throws: list[WrittenThrow] = []
        while throw := self._throw():
            throws.append(throw)
        if not throws or not self._accept("]"):
            closed = self.text.find("]", opening, self.stop) >= 0
            reason = (
                _("this is not allowed in a multiplex") if closed else _("this [ is never closed")
            )
            raise self._error(
                self.position if closed else opening, reason, _("write a multiplex as [4 3p]")
            )
        return tuple(throws)

    def _throw(self) -> WrittenThrow | None:
        """Read a throw and its flags, in any order; None if no throw stands here.

        Raises:
            NotationError: a number or receiver beyond the limits, or a self throw of fractional
                beats.
        """
        start = self.position
        value, decimals = self._value()
        if value is None:
            return None
        crossing = False
        receiver = None
        modifier = PLAIN
        # Each flag at most once: a second one is no part of this throw.
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
            # Within < > the p may be left out: only another juggler catches between one's own
            # beats.
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
        self._skip()
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
        """Read a value in digits, in braces or as a letter, and its number of decimals.

        Letters go on behind 9: a is 10. L and R are no values, but hands.

        Returns:
            The value, [beats], and how many decimals it is written with. (None, 0) if no value
            stands here; the position stays then.

        Raises:
            NotationError: a number beyond the limits, or one that must be several throws.
        """
        braced = _BRACED.match(self.text, self.position, self.stop)
        if match := braced or self.number.match(self.text, self.position, self.stop):
            digits = match.group(1).lstrip("0") or "0"
            decimals = match.group(2) or ""
            # Outside braces many digits are throws without the spaces between them.
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
        """Match a p and the receiver behind it, without moving the position.

        In a text without spaces, digits after the p are the next throw.

        Returns:
            The receiver as written, NEXT_JUGGLER for a p alone, and the index behind it; None if
            no p stands here.

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
        """Match the modifier of a throw, as in a siteswap, without moving the position.

        A small b is a bounce as well as a B.

        Returns:
            The modifier and the index behind it; None if none stands here.

        Raises:
            NotationError: too many bounces.
        """
        match = _BOUNCE.match(self.text, self.position, self.stop)
        if match:
            modifier, length = modifier_at(match.group().upper(), 0)
            end = self.position + length
        else:
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

    def _unexpected(self, slots: list[Slot], *, swaps: bool) -> NotationError:
        """Return the error for the character at the position, which cannot stand there.

        Args:
            slots: read before it.
            swaps: whether a * was read, which ends a line.
        """
        # The likeliest mistakes first, then what a character usually stands for elsewhere.
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
