"""JoePass! documents: commands and throws of a .pass file, before it is known which hand throws.

As the parser of JoePass! 7 by Wolfgang Westerboer reads them (`parseSiteswap.cpp`, `scanner.cpp`
and `profile.txt`): `!` begins a comment and `"` one over several lines; `#` begins a command;
`#replace word text` puts a text for a word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from juggle_anim.errors import FileError, character_name, counted
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import (
    MAX_BEATS,
    MAX_DECIMALS,
    MAX_JOEPASS_CHARACTERS,
    MAX_JUGGLERS,
    MAX_NESTING,
    MAX_REPLACED_WORDS,
    MAX_THROWS,
    MAX_VALUE,
    whole_number,
)
from juggle_anim.notation.siteswap.syntax import PLAIN, Modifier, WrittenThrow


class MarkedThrow(NamedTuple):
    """A throw with the marks that only JoePass! has.

    Attributes:
        written: the throw itself; without a receiver it goes to the juggler `places` places on.
        places: number of places from the thrower to the receiver, as in `3r1`.
        hurried: whether the throw has a `*`: usually the hand that threw last throws again.
        other_hand: whether the throw has an `h`: it is made by the other hand than the one whose
            turn it is.
        line: the number of the line in the file, from 1.
    """

    written: WrittenThrow
    places: int
    hurried: bool
    other_hand: bool
    line: int

    def receiver(self, juggler: int) -> int:
        """Return the juggler, from 0, who catches the throw of a juggler, modulo their number."""
        named = self.written.receiver
        return juggler + self.places if named is None else named - 1


class Beat(NamedTuple):
    """The throws of a juggler at one time, of the hand in turn or of both, the left first.

    `beats` is how long it lasts, and `switches` whether hands change their turns after it.
    """

    hands: tuple[tuple[MarkedThrow, ...], ...]
    beats: int
    switches: bool


class Command(NamedTuple):
    """A command: its usual name, the text after it, and its line, from 1."""

    name: str
    text: str
    line: int


NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"

POINT = rf"\(\s*{NUMBER}\s*,\s*{NUMBER}\s*,\s*{NUMBER}\s*\)"

LAYOUTS = ("sideToSide", "backToBack", "line", "dropbackLine", "circle", "feed", "gorillaFeed")
"""The commands that place all jugglers."""

_COMMENT = re.compile(r'![^\n]*|"[^"]*"?')
_INFO = re.compile(r"\s*#\s*(?:showInfo|info|i)\b")
_REPLACE = re.compile(r"\s*#\s*(?:replace|r)[ \t]+(\S+)[ \t]+(\S.*)")

_PROFILE = {
    "Cross": "x",
    "SameHand": "%",
    "Pass": "p",
    "A=": "<",
    "END": ">",
    **{f"{juggler}=": "|" for juggler in "BCDEFG"},
    **{f"Pass{juggler}": f":{number}" for number, juggler in enumerate("ABCDE", start=1)},
    "#MHN": "#- 0",
    "#Siteswap": "#- 1",
    "flip": "@0.5f(1,,,80)t(0,,,60)",
}
"""Words that are replaced in every file."""


def scan(text: str, name: str) -> tuple[list[str], list[str]]:
    """Return the lines of a file without comments, and with defined words replaced.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Returns:
        All lines of the file; and the texts of `!` comments that have a line of their own.

    Raises:
        FileError: the file is beyond the limits.
    """
    if len(text) > MAX_JOEPASS_CHARACTERS:
        reason = _(
            "this file has {count} characters; the limit is {most}",
            count=len(text),
            most=MAX_JOEPASS_CHARACTERS,
        )
        raise FileError(f"{name}:1: {reason}")
    comments: list[str] = []
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def blank(match: re.Match[str]) -> str:
        """Return the replacement of a comment; a `!` comment on a line of its own is kept."""
        if match[0].startswith("!"):
            line_start = plain.rfind("\n", 0, match.start()) + 1
            if not plain[line_start : match.start()].strip():
                comments.append(match[0].lstrip("!").strip())
        # A comment in quotes may have several lines, whose breaks stay, so that all lines keep
        # their numbers.
        return "\n" * match[0].count("\n")

    return list(_replaced(_COMMENT.sub(blank, plain).split("\n"), name)), comments


def _replaced(lines: list[str], name: str) -> Iterator[str]:
    """Yield the lines with words replaced by their definitions, which are not replaced again.

    Words are defined by JoePass! itself (`_PROFILE`), and by lines such as `#replace word text`
    from the next line on. These lines become empty, so that lines keep their numbers.

    Args:
        lines: the lines of the file, without comments.
        name: the name of the file, for errors.

    Raises:
        FileError: there are too many words, or too much text is inserted for them.
    """
    definitions = dict(_PROFILE)
    pattern = _any_of(_PROFILE)

    inserted_length = 0
    for number, line in enumerate(lines, start=1):
        if match := _REPLACE.fullmatch(line):
            definitions[match[1]] = match[2].strip()
            if len(definitions) > len(_PROFILE) + MAX_REPLACED_WORDS:
                reason = _(
                    "more than {most} words to replace, which is the limit",
                    most=MAX_REPLACED_WORDS,
                )
                raise FileError(f"{name}:{number}: {reason}")
            pattern = _any_of(definitions)
            yield ""
            continue
        # The text of an `#info` command is for people, and is not changed.
        if _INFO.match(line):
            yield line
            continue
        inserted_length += sum(len(definitions[match[0]]) for match in pattern.finditer(line))
        if inserted_length > MAX_JOEPASS_CHARACTERS:
            raise FileError(
                _(
                    "{place}: the texts for words grow too long; use them less often",
                    place=f"{name}:{number}",
                )
            )
        yield pattern.sub(lambda match: definitions[match[0]], line)


def _any_of(texts: dict[str, str]) -> re.Pattern[str]:
    """Return a regular expression for any key, of several that fit the longest."""
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True))))


def _listed(item: str) -> str:
    return rf"\s*{item}(?:\s*,\s*{item})*"


_COLOURS = _listed(rf"(?:\d+\s*:?\s*)?{POINT}")
_BACKWARD_JUGGLERS = r"(?:\s*r\s*\d+(?:\s*,\s*\d+)*)?"

# What is after each command, and an example of it.
_FORMS = {
    **dict.fromkeys(("sx", "sb", "mhn", "siteswap", "cpn"), ("", "")),
    **dict.fromkeys(LAYOUTS, (_BACKWARD_JUGGLERS, "#line")),
    "siteswapMode": (r"\s*[bx]", "#s x"),
    "delayMode": (r"\s*[-+]", "#D - or #D +"),
    "emptyBeats": (r"\s*\d+", "#emptyBeats 1"),
    "bps": (rf"\s*{NUMBER}", "#bps 4"),
    "bps10": (rf"\s*{NUMBER}", "#bps10 40"),
    "hurried": (rf"\s*{NUMBER}", "#hurried 1.3"),
    "dwellRatio": (rf"\s*{NUMBER}", "#dwellRatio 0.6"),
    "bounceFrom": (rf"\s*{NUMBER}", "#objectBounceFrom 5"),
    "objectColorRange": (rf"\s*{NUMBER}", "#objectColorRange 255"),
    "objectCount": (r"\s*\d+", "#objectCount 6"),
    "objectKind": (_listed(r"\d+(?:\s*:\s*\d+)?"), "#objectKind 1"),
    "objectColor": (_COLOURS, "#objectColor 1 (1,0,0)"),
    "jugglerStartLeft": (_listed(r"\d+"), "#jugglerStartLeft 2"),
    "jugglerDelay": (
        _listed(rf"\d+(?:\s*[lr]\s*(?:{NUMBER}|=)|\s+(?:{NUMBER}|=))(?:\s*[lr]\s*(?:{NUMBER}|=))*"),
        "#jugglerDelay 2 0.5, or 2 r 0.5",
    ),
    "jugglerPosition": (
        _listed(rf"\d+\s*:?\s*{POINT}\s*{POINT}"),
        "#jugglerPosition 1 (0,0,-200) (0,0,0)",
    ),
    "globalStyle": (
        r"\s*(?:\d+\s*:?\s*)?(?:[A-Za-z_]\w*|#[^#]*#?)(?:\s*:\s*\d+)?",
        "#globalStyle reverse",
    ),
    "info": (r"[^\n]*", ""),
}

ARGUMENTS = {
    name: re.compile(rf"{form}(?:\s*;)?", re.ASCII) for name, (form, _unused) in _FORMS.items()
}
"""By the name of a command what is after it."""

EXAMPLES = {name: example for name, (_unused, example) in _FORMS.items()}

_SPELLINGS = {
    "sx": "extendedSiteswap extended",
    "sb": "basicSiteswap vanillaSiteswap vanilla",
    "mhn": "mhn*",
    "siteswapMode": "s",
    "delayMode": "D",
    "emptyBeats": "-",
    "bps": "speed tps throwsPerSecond",
    "bps10": "tps10 throwsPerSecond10",
    "hurried": "H Hurried hurriedValue HurriedValue",
    "dwellRatio": "o",
    "bounceFrom": "objectBounceFrom",
    "objectCount": "b count",
    "objectKind": "k kind",
    "objectColor": "O",
    "jugglerStartLeft": "h startLeft",
    "jugglerDelay": "d delay",
    "jugglerPosition": "j position",
    "globalStyle": "g jugglerGlobalStyle",
    "info": "i showInfo",
    "sideToSide": "sidetoside SideToSide",
    "backToBack": "backtoback BackToBack",
    "dropbackLine": "dropbackline DropbackLine",
    "gorillaFeed": "gorillafeed GorillaFeed",
}

NAMES = {name: name for name in _FORMS} | {
    word: name for name, words in _SPELLINGS.items() for word in words.split()
}
"""The usual name of a command by each of its names."""

COMMAND = re.compile(r"#\s*(mhn\*|(?:bps|tps|throwsPerSecond)10|[A-Za-z]+|[-@+1])", re.ASCII)

BOUNCE = re.compile(r"bb?|v(?:h?[lf])(?![a-z])")
"""A bounce behind a throw."""

LEFT_OUT = re.compile(
    rf"@\s*f?\s*(?P<spins>{NUMBER})?|[iGa/eod]\s*{NUMBER}|s\s*(?:#[^#\n]*#?|\w+)(?:\s*:\s*\d+)?"
    rf"|[ftv][*@]*\s*(?:{NUMBER})?\s*(?:\([^()]*\))?|[jy]\s*{POINT}|[=mRz?]",
    re.ASCII,
)
"""What is after a throw and is not shown."""

LETTERS = {
    "@": N_("spins of throws"),
    **dict.fromkeys("iG", N_("speeds and gravity of single throws")),
    **dict.fromkeys("a/", N_("angles of throws")),
    **dict.fromkeys("jy", N_("turns of props")),
    **dict.fromkeys("ftvs", N_("hand movements of throws")),
    "e": N_("times of flight"),
    "o": N_("dwells of single throws"),
    "d": N_("delays of single throws"),
    "=": N_("corrections of passes"),
    "m": N_("beeps"),
    "R": N_("rolls"),
    "z": N_("holds"),
    "?": N_("marks of hurries"),
}
"""What is said by the letters with which it begins."""

ENDLESS = N_("what comes before a loop without end")
"""What is not shown where a part is repeated forever."""


def read_bounce(letters: str) -> Modifier:
    """Return the bounce from its letters, which `BOUNCE` matches: b, bb, or v with h, l and f."""
    if letters.startswith("b"):
        return Modifier(bounces=1, bounce_style="force" if letters == "bb" else "lift")
    style = "force" if letters.endswith("f") else "lift"
    return Modifier(bounces=1, bounce_style=f"hyper_{style}" if "h" in letters else style)


class Document(NamedTuple):
    """The content of a file.

    Attributes:
        jugglers: for each juggler the beats of one repetition.
        commands: the commands that are before the first throw, in their order.
        late: commands that are after throws.
        unknown: commands, or letters behind throws, that nothing is made of, each with its line.
        comments: lines of words.
        hands_in_pairs: whether every beat is a pair, which tells the throws of both hands, as after
            `#mhn*`; if not, hands take turns.
    """

    jugglers: tuple[list[Beat], ...]
    commands: list[Command]
    late: list[Command]
    unknown: list[tuple[str, int]]
    comments: list[str]
    hands_in_pairs: bool

    @property
    def throws(self) -> Iterator[MarkedThrow]:
        """The throws of all jugglers."""
        return (
            throw
            for beats in self.jugglers
            for beat in beats
            for hand in beat.hands
            for throw in hand
        )


def parse_joepass(text: str, name: str) -> Document:
    """Parse the commands and throws of a file.

    Values are single characters (`#sb`) or numbers between spaces (`#sx`). A file that does not
    state this is read with single characters, and if that fails, with numbers.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Raises:
        FileError: the file cannot be read, or exceeds a limit; the message tells the line and the
            reason. The error is that of the first attempt.
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
    """Recursive descent parser of a file.

    Each method reads one rule of the format, and leaves `position` at the character after it.

    Attributes:
        text: the text of the file, without comments.
        name: the name of the file, for errors.
        line_starts: index in `text` of the start of each line.
        position: index of the next character.
        numbers: whether values are numbers between spaces; if not, single characters.
        empty_beats: beats without throws after each pair.
        named_passes: whether a p is followed by the name of the receiver; if not, it goes to the
            other juggler.
        juggler: the juggler whose throws are read, from 0.
        throws: number of throws so far, with repetitions.
        parsed: what was read so far, except the throws.
    """

    def __init__(self, lines: list[str], name: str, comments: list[str], *, numbers: bool) -> None:
        """Start at the beginning of a JoePass! file, before any command or throw is read.

        Args:
            lines: the lines of the file, without comments and with words replaced.
            name: the name of the file, for errors.
            comments: the comments of the file, for `Document.comments`.
            numbers: whether values are numbers between spaces, as in `12 3`; if not, single
                characters, as in `C3`. A command in the file may change this.
        """
        self.text = "\n".join(lines)
        self.name = name
        # Index at which each line begins, for errors.
        self.line_starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self.position = 0
        self.numbers = numbers
        # Beats without throws after a pair such as ( 4 , 4 ), 1 as in siteswap; `#emptyBeats`
        # changes it.
        self.empty_beats = 1
        # Whether a p must name its receiver, as in 3p2. Between two jugglers it need not, as the
        # receiver is the other one. The number of jugglers is that of the sides of the first
        # < 3p | 3p >.
        first_sides = self.text.partition("<")[2].partition(">")[0].split("|")
        self.named_passes = len(first_sides) > 2
        # The juggler whose side is read, from 0.
        self.juggler = 0
        # Throws read so far, for the limit of their number.
        self.throws = 0
        # Filled while reading: `late` has the commands behind throws, which come too late for the
        # whole pattern, and `unknown` what is not shown.
        self.parsed = Document(
            jugglers=(), commands=[], late=[], unknown=[], comments=comments, hands_in_pairs=False
        )

    def document(self) -> Document:
        """Read the whole file: commands and throws.

        Returns:
            The document, with a list of beats for each juggler.

        Raises:
            FileError: the text does not follow the format, or holds no throws.
        """
        parts = self._sequence(nesting=0)
        # The sequence ends at a } or at the end of the text, so a sign left over is an error.
        if self._skip_to_sign():
            raise self._unexpected()
        if not parts:
            raise self._error(_("no throws here"), _THROWS)
        return self.parsed._replace(jugglers=tuple(parts))

    def _sequence(self, nesting: int) -> list[list[Beat]]:
        """Read commands, beats and loops until a } closes or the text ends.

        The } itself is not read.

        Args:
            nesting: number of loops around it.

        Returns:
            A list of beats for each juggler, with all repetitions written out. Empty if nothing is
            thrown.

        Raises:
            FileError: parts for different numbers of jugglers, or too many beats or throws.
        """
        parts: list[list[Beat]] = []
        total_beats = 0
        while (sign := self._skip_to_sign()) and sign != "}":
            if sign == "#":
                # A command behind throws, or in a loop, comes too late for the whole pattern.
                self._read_command(late=bool(parts) or nesting > 0)
                continue
            start = self.position
            # Beats for each juggler, once, or several times in a loop; 0 repeats mean forever.
            added, repeats = self._loop(nesting) if sign == "{" else (self._beats(), 1)
            if parts and len(added) != len(parts):
                reason = _(
                    "this is for {jugglers}, but the part before it is for {count}",
                    jugglers=counted(len(added), "juggler"),
                    count=len(parts),
                )
                raise self._error(
                    reason, _("write every part for all jugglers, as in <3p|3p> <3|3>"), start
                )
            # Throws before an endless loop are not part of what repeats, so they are left out.
            if repeats == 0:
                if parts:
                    self.parsed.unknown.append((ENDLESS, self._line(start)))
                    parts = []
                repeats = 1
            total_beats += sum(beat.beats for beat in added[0]) * repeats
            # The size is checked before the repetitions are written out, to bound the memory.
            self._check_size(total_beats)
            parts = parts or [[] for _ in added]
            for beats, added_beats in zip(parts, added, strict=True):
                beats += added_beats * repeats
        return parts

    def _loop(self, nesting: int) -> tuple[list[list[Beat]], int]:
        """Read a loop such as { 3p 3 } 4.

        Args:
            nesting: number of loops around it.

        Returns:
            A list of beats for each juggler, of one repetition; and the number of repetitions, of
            which 0 means forever.

        Raises:
            FileError: the loop is nested too deep, empty, never closed, or has no count.
        """
        if nesting >= MAX_NESTING:
            raise self._error(
                _("brackets are nested more than {max_nesting} deep", max_nesting=MAX_NESTING),
                _("use a simpler pattern"),
            )
        opening = self.position
        throws_before = self.throws
        self.position += 1
        parts = self._sequence(nesting + 1)
        closed = self._accept("}")
        if not closed or not parts:
            reason = _("these {} are empty") if closed else _("this { is never closed")
            raise self._error(reason, _("{ 3p 3 } 4 to repeat them four times"), opening)
        self._skip_to_sign()
        digits = _DIGITS.match(self.text, self.position)
        times = whole_number(digits[0], MAX_BEATS) if digits else None
        if digits is None or times is None:
            raise self._error(
                _("the number of repeats is missing"),
                _("a count up to {max_beats}", max_beats=MAX_BEATS),
            )
        self.position = digits.end()
        # Throws in the loop were counted once while they were read, but count in each repetition;
        # of an endless loop (0), one is written.
        self.throws = throws_before + (self.throws - throws_before) * max(times, 1)
        self._accept(",")  # it may follow the count
        return parts, times

    def _beats(self) -> list[list[Beat]]:
        """Read the sides of all jugglers in < | >, or a single beat of the only juggler.

        Returns:
            A list of beats for each juggler.

        Raises:
            FileError: sides are empty, not equally long, never closed, or too many.
        """
        if self._skip_to_sign() != "<":
            self.juggler = 0
            return [[self._beat()]]
        opening = self.position
        parts: list[list[Beat]] = []
        while self._accept("<|"):
            self.juggler = len(parts)
            side = []
            while self._skip_to_sign() not in ("|", ">", ""):
                side.append(self._beat())
            parts.append(side)
            # All sides must last as long as the first, and none may be empty.
            beats = sum(beat.beats for beat in side)
            expected = sum(beat.beats for beat in parts[0])
            if not side or beats != expected:
                reason = _(
                    "juggler {count} throws for {beats}, but juggler 1 for {expected}",
                    count=len(parts),
                    beats=counted(beats, "beat"),
                    expected=expected,
                )
                raise self._error(reason, _("all must throw for the same time; 0 is an empty hand"))
            if len(parts) > MAX_JUGGLERS:
                raise self._error(
                    _("more than {max_jugglers} jugglers", max_jugglers=MAX_JUGGLERS),
                    _("use fewer"),
                )
            self._check_size(beats)
        if not self._accept(">"):
            raise self._error(
                _("this < is never closed"), _("< 3p 3 | 3p 3 >, a side for each juggler"), opening
            )
        return parts

    def _beat(self) -> Beat:
        """Read the throws of one hand, or a pair such as ( 4 , 2x ), and the marks behind it.

        Raises:
            FileError: a throw cannot be read, or it is not a pair.
        """
        hands: tuple[tuple[MarkedThrow, ...], ...]
        if self._accept("("):
            inside = self.position
            left = self._read_hand()
            self._accept(",")
            right = self._read_hand()
            if not self._accept(")"):
                raise self._error(
                    _("this is not a pair"),
                    _("write a pair as ( 4 , 2x ), left hand first"),
                    inside,
                )
            hands = (left, right)
            beats = 1 + self.empty_beats
        else:
            hands = (self._read_hand(),)
            beats = 1
        # A delay of a single beat cannot be shown: it is noted and skipped.
        if delay := _BEAT_DELAY.match(self.text, self.position):
            self._leave_out(LETTERS["d"], delay.end())
        # A % or * switches the turns of hands.
        return Beat(hands, beats=beats, switches=self._accept("%*"))

    def _read_hand(self) -> tuple[MarkedThrow, ...]:
        """Read the throws of a hand: one, a multiplex such as [ 3p 4 ], or none for a -.

        Raises:
            FileError: a throw cannot be read, or a multiplex is empty or never closed.
        """
        if self._accept("-"):
            return ()
        if not self._accept("["):
            return (self._throw(),)
        inside = self.position
        throws = []
        # "" is the end of the text.
        while self._skip_to_sign() not in ("]", ""):
            throws.append(self._throw())
        closed = self._accept("]")
        if not closed or not throws:
            reason = _("these [] are empty") if closed else _("this [ is never closed")
            raise self._error(reason, _("write a multiplex as [ 3p 4 ]"), inside)
        return tuple(throws)

    def _throw(self) -> MarkedThrow:
        """Read a throw and the marks behind it, in any order, such as `3px*`.

        A bounce, and an @ behind a 2, both set the modifier of the throw; the later one counts.
        Marks that cannot be shown are skipped, and noted in `parsed.unknown`.

        Returns:
            The throw. Unless marks say otherwise, it goes to the thrower (`places` is 0) and is
            made by the hand whose turn it is: with `hurried` the one that threw last throws again,
            with `other_hand` the other one throws.

        Raises:
            FileError: the value or the receiver cannot be read, or there are too many throws.
        """
        self._skip_to_sign()
        line = self._line(self.position)
        value, decimals = self._value()
        crossing = False
        receiver = None
        places = 0
        modifier = PLAIN
        hurried = False
        other_hand = False
        while sign := self._skip_to_sign():
            # Where the mark ends; most have one character.
            end = self.position + 1
            # 3x: to the other hand than without it; a second x takes the first one back.
            if sign == "x":
                crossing = not crossing
            # 3*: the hand that threw last throws again.
            elif sign == "*":
                hurried = True
            # 3h: the hand whose turn it is not throws.
            elif sign == "h":
                other_hand = True
            # 3p, 3p2 or 3:2: to a juggler, here the second. `_receiver` advances the position.
            elif sign in "p:":
                receiver = self._receiver(sign)
                end = self.position
            # 3r1: to the juggler one place on.
            elif mark := _PLACES.match(self.text, self.position):
                # Five characters are enough; more digits would only take time.
                places = int(mark[1][:5])
                end = mark.end()
            # 3b: by the floor.
            elif mark := BOUNCE.match(self.text, self.position):
                modifier = read_bounce(mark[0])
                end = mark.end()
            # 3@2: with two spins, and other marks that are not shown.
            elif mark := LEFT_OUT.match(self.text, self.position):
                # A 2 that spins is really thrown, not held.
                if sign == "@" and value == 2 and float(mark["spins"] or 0) > 0:
                    modifier = Modifier(held=False)
                end = mark.end()
                self._leave_out(LETTERS[sign], end)
            # Another sign belongs to what follows the throw.
            else:
                break
            self.position = end
        self.throws += 1
        # Check the number of throws; there are 0 further beats.
        self._check_size(0)
        written = WrittenThrow(
            value, crossing=crossing, receiver=receiver, modifier=modifier, decimals=decimals
        )
        return MarkedThrow(
            written, places=places, hurried=hurried, other_hand=other_hand, line=line
        )

    def _value(self) -> tuple[Fraction, int]:
        """Read the value of a throw at the position, and advance the position.

        Values are decimal numbers if `numbers` is set; otherwise one digit or capital letter, A for
        10.

        Returns:
            The value, [beats], and its number of written decimals.

        Raises:
            FileError: there is no value at the position, or it is too high.
        """
        match = (_VALUE if self.numbers else _CHARACTER).match(self.text, self.position)
        if match is None:
            raise self._unexpected()
        self.position = match.end()
        if not self.numbers:
            return Fraction(int(match[0], 36)), 0
        whole = whole_number(match[1] or "0", MAX_VALUE)
        decimals = (match[2] or "")[:MAX_DECIMALS]
        if whole is None:
            raise self._error(
                _("this throw is too high"), _("values up to {max_value}", max_value=MAX_VALUE)
            )
        return Fraction(f"{whole}.{decimals or 0}"), len(decimals)

    def _receiver(self, sign: str) -> int:
        """Read a p or a : and the receiver behind it.

        Without a name behind it, a p of the first or the second juggler goes to the other of these.

        Args:
            sign: "p" or ":", at the position.

        Returns:
            The number of the receiver, from 1. Names are digits and then capital letters: A is 10.

        Raises:
            FileError: the receiver is not named.
        """
        name = None
        if sign == ":" or self.named_passes:
            name = _CHARACTER.match(self.text, self.position + 1)
        if name and name[0] != "0":
            self.position = name.end()
            return int(name[0], 36)
        if name is None and sign == "p" and self.juggler < 2:
            self.position += 1
            # The other one of two: from juggler 0 to number 2, from 1 to number 1.
            return 2 - self.juggler
        raise self._error(
            _("who catches this pass is missing"), _("3p for two jugglers, and 3:1 or 3p1 for more")
        )

    def _read_command(self, *, late: bool) -> None:
        """Read a command: change the parser, or append to `parsed.commands`, `.late` or `.unknown`.

        Args:
            late: whether the command is after throws or in a loop, too late for the whole pattern.

        Raises:
            FileError: its arguments cannot be read.
        """
        start = self.position
        # The name of the command as written, and its canonical name, "" for an unknown one.
        match = COMMAND.match(self.text, start)
        word = match[1] if match else ""
        name = NAMES.get(word, "")
        pattern = ARGUMENTS.get(name)
        if match is None or pattern is None:
            # An unknown command is skipped with its line, and following lines of points.
            end = self.text.find("\n", start)
            self.position = end if end >= 0 else len(self.text)
            while more := _POINTS.match(self.text, self.position):
                self.position = more.end()
            self.parsed.unknown.append((f"#{word[:30]}", self._line(start)))
            return
        arguments = pattern.match(self.text, match.end())
        if arguments is None:
            raise self._error(
                _("#{word} is not followed by what it needs", word=word),
                _("such as {examples}", examples=EXAMPLES[name]),
            )
        self.position = arguments.end()
        command = Command(name, arguments[0].strip().removesuffix(";").strip(), self._line(start))
        # Some commands only change how the following text is parsed.
        if not self._changes_reading(command):
            (self.parsed.late if late else self.parsed.commands).append(command)

    def _changes_reading(self, command: Command) -> bool:
        """Apply a command that changes how the rest of the file is read.

        Args:
            command: any command.

        Returns:
            Whether it is such a command; if not, nothing is changed.

        Raises:
            FileError: its number is out of range.
        """
        match command.name:
            # Values as numbers (extended) or single characters (basic siteswap).
            case "sx" | "sb":
                self.numbers = command.name == "sx"
            case "siteswapMode":
                self.numbers = command.text == "x"
            # Pairs on every beat, with numbers.
            case "mhn":
                self.numbers = True
                self.empty_beats = 0
                self.parsed = self.parsed._replace(hands_in_pairs=True)
            case "siteswap":
                self.empty_beats = 1
            case "emptyBeats":
                beats = whole_number(command.text, MAX_BEATS)
                if beats is None:
                    raise self._error(
                        _("too many beats are empty"), _("up to {max_beats}", max_beats=MAX_BEATS)
                    )
                self.empty_beats = beats
            # It changes nothing here, but need not be noted as unknown.
            case "cpn":
                pass
            case _:
                return False
        return True

    def _leave_out(self, what: str, end: int) -> None:
        self.parsed.unknown.append((what, self._line(self.position)))
        self.position = end

    def _skip_to_sign(self) -> str:
        """Skip blanks, and return the next character without reading it; empty at the end."""
        blanks = _BLANKS.match(self.text, self.position)
        self.position = blanks.end() if blanks else self.position
        return self.text[self.position : self.position + 1]

    def _accept(self, signs: str) -> bool:
        """Skip blanks, and read the next character if it is one of `signs`; return whether it is.

        At the end of the text there is no character to read.
        """
        sign = self._skip_to_sign()
        if not sign or sign not in signs:
            return False
        self.position += 1
        return True

    def _line(self, position: int) -> int:
        return bisect_right(self.line_starts, position)

    def _check_size(self, beats: int) -> None:
        if self.throws > MAX_THROWS or beats > MAX_BEATS:
            raise self._error(
                _(
                    "more than {max_throws} throws or {max_beats} beats",
                    max_throws=MAX_THROWS,
                    max_beats=MAX_BEATS,
                ),
                _("use a shorter pattern"),
            )

    def _unexpected(self) -> FileError:
        sign = self._skip_to_sign()
        what = (
            _("{sign} is not allowed here", sign=character_name(sign))
            if sign
            else _("a throw is missing at the end")
        )
        return self._error(what, _THROWS)

    def _error(self, reason: str, accepted: str, position: int | None = None) -> FileError:
        # It points at the current position unless another is given.
        line = self._line(self.position if position is None else position)
        return FileError(f"{self.name}:{line}: {_(reason)}; {_(accepted)}")


_THROWS = N_("write throws as in < 3p 3 | 3p 3 >, a multiplex [ 3 4 ], a pair ( 4 , 2x )")
_BLANKS = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+", re.ASCII)
_CHARACTER = re.compile(r"[0-9A-Z]")
_VALUE = re.compile(r"(?=\.?\d)(\d*)(?:\.(\d*))?", re.ASCII)
_PLACES = re.compile(r"r\s*([-+]?\d+)", re.ASCII)
_BEAT_DELAY = re.compile(rf"d\s*{NUMBER}", re.ASCII)
_POINTS = re.compile(rf"\s*(?:,\s*)?{POINT}\s*;?", re.ASCII)
