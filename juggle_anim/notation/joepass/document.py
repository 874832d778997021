"""JoePass! documents: the commands and the throws of a .pass file, before it is known which hand
throws when.

As the parser of JoePass! 7 by Wolfgang Westerboer reads them (`parseSiteswap.cpp`, `scanner.cpp`
and `profile.txt`): `!` begins a comment and `"` one over several lines; `#` begins a command;
`#replace word text` puts a text for a word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from juggle_anim.errors import FileError, character_name, counted
from juggle_anim.language import N_, _
from juggle_anim.notation.joepass.syntax import (
    ARGUMENTS,
    BOUNCE,
    COMMAND,
    ENDLESS,
    EXAMPLES,
    LEFT_OUT,
    LETTERS,
    NAMES,
    NUMBER,
    POINT,
    Beat,
    Command,
    WrittenThrow,
    read_bounce,
    scan,
)
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_DECIMALS,
    MAX_JUGGLERS,
    MAX_NESTING,
    MAX_THROWS,
    MAX_VALUE,
)
from juggle_anim.notation.numbers import whole_number
from juggle_anim.notation.siteswap.syntax import PLAIN, Modifier


class Document(NamedTuple):
    """What a file holds.

    Attributes:
        jugglers: for each the beats that it repeats.
        commands: that stand before the first throw, in their order.
        late: commands that stand behind throws.
        unknown: commands, or letters behind throws, that nothing is made of, each with its line.
        comments: lines of words.
        hands_in_pairs: whether hands take no turns, but pairs say what both do on every beat, as
            `#mhn*` says.
    """

    jugglers: tuple[list[Beat], ...]
    commands: list[Command]
    late: list[Command]
    unknown: list[tuple[str, int]]
    comments: list[str]
    hands_in_pairs: bool


def parse_joepass(text: str, name: str) -> Document:
    """Return the commands and throws of a file.

    Where it does not say whether values are single characters (`#sb`) or numbers between spaces
    (`#sx`), they are the former if that can be read.

    Args:
        text: the whole file.
        name: of the file, for errors.

    Raises:
        FileError: it cannot be read, or is beyond the limits; the text says on which line and why.
    """
    lines, comments = scan(text, name)
    try:
        return _Parser(lines, name, comments, numbers=False).document()
    except FileError as error:
        try:
            return _Parser(lines, name, comments, numbers=True).document()
        except FileError:
            raise error from None


class _Parser:
    """Each method reads one rule of the format and leaves `position` at what follows it."""

    def __init__(self, lines: list[str], name: str, comments: list[str], *, numbers: bool) -> None:
        self.text = "\n".join(lines)
        self.name = name
        self.starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self.position = 0
        self.numbers = numbers
        self.empty_beats = 1
        # Of two jugglers nobody need be named.
        self.named_passes = self.text.partition("<")[2].partition(">")[0].count("|") > 1
        self.juggler = 0
        self.throws = 0
        self.found = Document((), [], [], [], comments, hands_in_pairs=False)

    def document(self) -> Document:
        parts = self._sequence(0)
        if self._peek():
            raise self._unexpected()
        if not parts:
            raise self._error(_("there are no throws here"), _THROWS)
        return self.found._replace(jugglers=tuple(parts))

    def _sequence(self, nesting: int) -> list[list[Beat]]:
        """The beats of all jugglers until a bracket closes or the text ends."""
        parts: list[list[Beat]] = []
        lasting = 0
        while (sign := self._peek()) and sign != "}":
            if sign == "#":
                self._command(bool(parts) or nesting > 0)
                continue
            first = self.position
            added, times = self._loop(nesting) if sign == "{" else (self._beats(), 1)
            if parts and len(added) != len(parts):
                reason = _(
                    "this is for {jugglers}, but what comes before it for {count}",
                    jugglers=counted(len(added), "juggler"),
                    count=len(parts),
                )
                self.position = first
                raise self._error(reason, _("every part for all jugglers, as in <3p|3p> <3|3>"))
            if not times and parts:
                self.found.unknown.append((ENDLESS, self._line(first)))
                parts = []
            lasting += sum(beat.beats for beat in added[0]) * max(times, 1)
            self._check_size(lasting)
            parts = parts or [[] for _ in added]
            for beats, more in zip(parts, added, strict=True):
                beats += more * max(times, 1)
        return parts

    def _loop(self, nesting: int) -> tuple[list[list[Beat]], int]:
        """What stands in { }, and how often it is repeated; 0 is for ever."""
        if nesting >= MAX_NESTING:
            raise self._error(
                _("brackets are nested more than {max_nesting} deep", max_nesting=MAX_NESTING),
                _("a simpler pattern"),
            )
        opening = self.position
        thrown = self.throws
        self.position += 1
        parts = self._sequence(nesting + 1)
        closed = self._peek() == "}"
        if not closed or not parts:
            self.position = opening
            reason = _("these {} hold no throws") if closed else _("this { is never closed")
            raise self._error(reason, _("{ 3p 3 } 4 to repeat them four times"))
        self.position += 1
        self._peek()
        found = _DIGITS.match(self.text, self.position)
        times = whole_number(found[0], MAX_BEATS) if found else None
        if found is None or times is None:
            raise self._error(
                _("it is not said how often to repeat this"),
                _("a count up to {max_beats}", max_beats=MAX_BEATS),
            )
        self.position = found.end()
        self.throws = thrown + (self.throws - thrown) * max(times, 1)
        if self._peek() == ",":
            self.position += 1
        return parts, times

    def _beats(self) -> list[list[Beat]]:
        """What all jugglers throw at one time, or one after the other."""
        if self._peek() != "<":
            self.juggler = 0
            return [[self._beat()]]
        opening = self.position
        parts: list[list[Beat]] = []
        while self._peek() in ("<", "|"):
            self.juggler = len(parts)
            self.position += 1
            part = []
            while self._peek() not in ("|", ">", ""):
                part.append(self._beat())
            parts.append(part)
            beats, expected = (sum(beat.beats for beat in each) for each in (part, parts[0]))
            if not part or beats != expected:
                reason = _(
                    "juggler {count} throws for {beats}, but juggler 1 for {expected}",
                    count=len(parts),
                    beats=counted(beats, "beat"),
                    expected=expected,
                )
                raise self._error(reason, _("all throw equally long; 0 is an empty hand"))
            if len(parts) > MAX_JUGGLERS:
                raise self._error(
                    _("these are more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS),
                    _("fewer of them"),
                )
            self._check_size(beats)
        if self._peek() != ">":
            self.position = opening
            raise self._error(
                _("this < is never closed"), _("< 3p 3 | 3p 3 >, a side for each juggler")
            )
        self.position += 1
        return parts

    def _beat(self) -> Beat:
        hands: tuple[tuple[WrittenThrow, ...], ...]
        if self._peek() != "(":
            hands = (self._hand(),)
            beats = 1
        else:
            opening = self.position
            self.position += 1
            left = self._hand()
            if self._peek() == ",":
                self.position += 1
            right = self._hand()
            if self._peek() != ")":
                self.position = opening
                raise self._error(
                    _("this is not a pair"), _("a pair is written ( 4 , 2x ), the left hand first")
                )
            self.position += 1
            hands = (left, right)
            beats = 1 + self.empty_beats
        if found := _BEAT_DELAY.match(self.text, self.position):
            self._leave_out(LETTERS["d"], found.end())
        switches = bool(self._peek()) and self._peek() in "%*"
        self.position += switches
        return Beat(hands, beats, switches)

    def _hand(self) -> tuple[WrittenThrow, ...]:
        """A throw or a multiplex; nothing for a - or a 0 that no x makes a throw."""
        if self._peek() == "-":
            self.position += 1
            return ()
        if self._peek() != "[":
            return (self._throw(),)
        opening = self.position
        throws = []
        self.position += 1
        while self._peek() not in ("]", ""):
            throws.append(self._throw())
        closed = self._peek() == "]"
        if not closed or not throws:
            self.position = opening
            reason = _("these [] hold no throws") if closed else _("this [ is never closed")
            raise self._error(reason, _("a multiplex is written [ 3p 4 ]"))
        self.position += 1
        return tuple(throws)

    def _throw(self) -> WrittenThrow:
        self._peek()
        line = self._line(self.position)
        value, decimals = self._value()
        crossing = False
        receiver = None
        places = 0
        modifier = PLAIN
        hurried = other_hand = False
        while sign := self._peek():
            if sign == "x":
                crossing = not crossing
            elif sign == "*":
                hurried = True
            elif sign == "h":
                other_hand = True
            elif sign in "p:":
                receiver = self._receiver(sign)
                continue
            elif found := _PLACES.match(self.text, self.position):
                places = int(found[1][:5])
                self.position = found.end()
                continue
            elif found := BOUNCE.match(self.text, self.position):
                modifier = read_bounce(found[0])
                self.position = found.end()
                continue
            elif found := LEFT_OUT.match(self.text, self.position):
                if sign == "@" and value == 2 and float(found["spins"] or 0) > 0:
                    modifier = Modifier(held=False)
                self._leave_out(LETTERS[sign], found.end())
                continue
            else:
                break
            self.position += 1
        self.throws += 1
        self._check_size(0)
        return WrittenThrow(
            value, decimals, crossing, receiver, places, modifier, hurried, other_hand, line
        )

    def _value(self) -> tuple[Fraction, int]:
        """A number, or else a digit or a capital letter."""
        found = (_VALUE if self.numbers else _CHARACTER).match(self.text, self.position)
        if found is None:
            raise self._unexpected()
        self.position = found.end()
        if not self.numbers:
            return Fraction(int(found[0], 36)), 0
        whole = whole_number(found[1] or "0", MAX_VALUE)
        decimals = (found[2] or "")[:MAX_DECIMALS]
        if whole is None:
            raise self._error(
                _("no throw can be so high"), _("values up to {max_value}", max_value=MAX_VALUE)
            )
        return Fraction(f"{whole}.{decimals or 0}"), len(decimals)

    def _receiver(self, sign: str) -> int:
        """The juggler whom a p or a : means; a p needs no name where there are two."""
        self.position += 1
        found = _CHARACTER.match(self.text, self.position)
        if found and (sign == ":" or self.named_passes):
            self.position = found.end()
            if found[0] != "0":
                return int(found[0], 36) - 1
        elif sign == "p" and self.juggler < 2:
            return 1 - self.juggler
        self.position -= 1
        raise self._error(
            _("it is not said who catches this"), _("3p for two jugglers, and 3:1 or 3p1 for more")
        )

    def _command(self, late: bool) -> None:
        start = self.position
        found = COMMAND.match(self.text, start)
        word = found[1] if found else ""
        name = NAMES.get(word, "")
        pattern = ARGUMENTS.get(name)
        if found is None or pattern is None:
            end = self.text.find("\n", start)
            self.position = end if end >= 0 else len(self.text)
            while more := _POINTS.match(self.text, self.position):
                self.position = more.end()
            self.found.unknown.append((f"#{word[:30]}", self._line(start)))
            return
        said = pattern.match(self.text, found.end())
        if said is None:
            raise self._error(
                _("#{word} is not followed by what it needs", word=word),
                _("such as {examples}", examples=EXAMPLES[name]),
            )
        self.position = said.end()
        command = Command(name, said[0].strip().removesuffix(";").strip(), self._line(start))
        if not self._follow(command):
            (self.found.late if late else self.found.commands).append(command)

    def _follow(self, command: Command) -> bool:
        """Let a command change how the rest is read; whether it is such a one."""
        match command.name:
            case "sx" | "sb":
                self.numbers = command.name == "sx"
            case "siteswapMode":
                self.numbers = command.text == "x"
            case "mhn":
                self.numbers = True
                self.empty_beats = 0
                self.found = self.found._replace(hands_in_pairs=True)
            case "siteswap":
                self.empty_beats = 1
            case "emptyBeats":
                beats = whole_number(command.text, MAX_BEATS)
                if beats is None:
                    raise self._error(
                        _("too many beats are empty"), _("up to {max_beats}", max_beats=MAX_BEATS)
                    )
                self.empty_beats = beats
            case "cpn":
                pass
            case _:
                return False
        return True

    def _leave_out(self, what: str, end: int) -> None:
        self.found.unknown.append((what, self._line(self.position)))
        self.position = end

    def _peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        found = _BLANKS.match(self.text, self.position)
        self.position = found.end() if found else self.position
        return self.text[self.position : self.position + 1]

    def _line(self, position: int) -> int:
        return bisect_right(self.starts, position)

    def _check_size(self, beats: int) -> None:
        if self.throws > MAX_THROWS or beats > MAX_BEATS:
            raise self._error(
                _(
                    "these are more than {max_throws} throws or {max_beats} beats",
                    max_throws=MAX_THROWS,
                    max_beats=MAX_BEATS,
                ),
                _("a shorter pattern"),
            )

    def _unexpected(self) -> FileError:
        sign = self._peek()
        what = (
            _("the {sign} cannot stand here", sign=character_name(sign))
            if sign
            else _("a throw is missing at the end")
        )
        return self._error(what, _THROWS)

    def _error(self, reason: str, accepted: str) -> FileError:
        return FileError(
            f"{self.name}:{self._line(min(self.position, len(self.text)))}: {_(reason)}; "
            f"{_(accepted)}"
        )


_THROWS = N_("throws are written as in < 3p 3 | 3p 3 >, a multiplex [ 3 4 ], a pair ( 4 , 2x )")
_BLANKS = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+", re.ASCII)
_CHARACTER = re.compile(r"[0-9A-Z]")
_VALUE = re.compile(r"(?=\.?\d)(\d*)(?:\.(\d*))?", re.ASCII)
_PLACES = re.compile(r"r\s*([-+]?\d+)", re.ASCII)
_BEAT_DELAY = re.compile(rf"d\s*{NUMBER}", re.ASCII)
_POINTS = re.compile(rf"\s*(?:,\s*)?{POINT}\s*;?", re.ASCII)
