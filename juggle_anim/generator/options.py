"""What the generator looks for, as fields, and as read from a line of arguments as Juggling Lab has
them.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any, Literal, NamedTuple

from juggle_anim.errors import NotationError, ParameterError, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Of throws, siteswap."""

LIMITS = {
    "props": (1, 35),
    "max_throw": (1, 35),
    "period": (1, 60),
    "multiplex": (1, 5),
    "jugglers": (1, 8),
    "delay": (0, 60),
    "leader": (1, 8),
}
"""Least and greatest numbers."""

_WORDS = {"kind": ("simple", "prime", "all"), "start": ("any", "ground", "excited")}

Change = dict[str, Any]

_CHANGES_OF_FLAGS: dict[str, Change] = {
    "-f": {"kind": "all"},
    "-prime": {"kind": "prime"},
    "-g": {"start": "ground"},
    "-ng": {"start": "excited"},
    "-rot": {"rotations": True},
    "-lame": {"neighbouring_ones": False},
    "-mf": {"squeezes": True},
    "-mc": {"clusters": False},
    "-mt": {"true_multiplex": True},
    "-s": {"synchronous": True},
    "-hsym": {"symmetric_hands": True},
    "-nostar": {"star": False},
    "-cp": {"connected": True},
    "-sym": {"symmetric_jugglers": True},
    "-jp": {"permutations": True},
}
_PRINTING_FLAGS = ("-se", "-group", "-n", "-no")
_FIELDS_OF_NUMBERS = {"-m": "multiplex", "-j": "jugglers", "-d": "delay", "-l": "leader"}
_FIELDS_OF_LISTS = {"-x": "exclude", "-i": "include"}
_ALL_OPTION_WORDS = [*_CHANGES_OF_FLAGS, *_PRINTING_FLAGS, *_FIELDS_OF_NUMBERS, *_FIELDS_OF_LISTS]
_SHAPE_OF_LINE = N_("write PROPS MAX PERIOD, such as 5 7 5, 3 9 1-4 or 4 - 3, then any options")


@dataclass(frozen=True)
class GeneratorOptions:
    """What is looked for.

    Args:
        props: how many.
        max_throw: the highest throw, siteswap; None for as high as the period allows.
        periods: the shortest and the longest, in beats; a longest of None is any, for prime
            patterns only.
        kind: "simple" patterns are not back in their start state before their end, "prime" ones are
            in no state twice, "all" are all.
        start: patterns from "any" state, from the "ground" state, or from "excited" states only.
        rotations: whether every rotation of a pattern is listed.
        jugglers: how many.
        synchronous: whether the hands of a juggler throw together; if not, in turn.
        multiplex: greatest number of props that a hand throws together.
        squeezes: whether a hand may catch props together that were not thrown together.
        clusters: whether a hand may throw several props alike, as in [33].
        true_multiplex: whether only patterns with a multiplex throw that holds nothing are listed.
        neighbouring_ones: whether a 1 may follow a 1.
        symmetric_hands: whether only synchronous patterns are listed whose second half mirrors the
            first.
        star: whether these are written with a star.
        connected: whether only patterns are listed in which all jugglers are joined by passes.
        symmetric_jugglers: whether only patterns are listed in which all jugglers do the same,
            maybe at other beats.
        permutations: whether patterns that differ only in the order of jugglers are all listed; if
            not, one of them.
        delay: number of beats in which only the leader may make other throws than the usual one.
        leader: the number of the juggler who begins, from 1.
        exclude, include: regular expressions that no pattern, or each, has to match somewhere as it
            is written.

    Raises:
        ParameterError: a value is not possible, or the options contradict each other.
    """

    props: int
    max_throw: int | None
    periods: tuple[int, int | None]
    kind: Literal["simple", "prime", "all"] = "simple"
    start: Literal["any", "ground", "excited"] = "any"
    rotations: bool = False
    jugglers: int = 1
    synchronous: bool = False
    multiplex: int = 1
    squeezes: bool = False
    clusters: bool = True
    true_multiplex: bool = False
    neighbouring_ones: bool = True
    symmetric_hands: bool = False
    star: bool = True
    connected: bool = False
    symmetric_jugglers: bool = False
    permutations: bool = False
    delay: int = 0
    leader: int = 1
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check each option by itself, and that no options contradict each other.

        Raises:
            ParameterError: for the first value that is not possible, or else the first
                contradiction.
        """
        self._check_numbers()
        self._check_words()
        self._check_expressions()
        shortest, longest = self.periods  # beats; the longest is None for any
        # Contradictions: whether there is one, the reason, and what would be accepted.
        for is_contradiction, reason, remedy in (
            (
                longest is None and self.kind != "prime",
                _("Only prime patterns can have any period"),
                _("set the longest period"),
            ),
            (
                longest is None and self.max_throw is None,
                _("Neither the highest throw nor the longest period is given"),
                _("use one of them"),
            ),
            (
                self.synchronous
                and longest is not None
                and not any(period % 2 == 0 for period in range(shortest, longest + 1)),
                # A range without even periods is a single odd one.
                _("Synchronous patterns have no period of {low}", low=shortest),
                _("it must be even"),
            ),
            (
                self.jugglers > 1 and self.start != "any" and not self.permutations,
                _(
                    "With several jugglers, filtering by ground or excited state needs all "
                    "permutations"
                ),
                _("add permutations (-jp)"),
            ),
            (
                self.symmetric_hands and not self.synchronous,
                _("Only synchronous patterns can have hands that mirror each other"),
                _("add synchronous (-s)"),
            ),
            (
                self.leader > self.jugglers,
                _("Juggler {leader} cannot lead: there is no such juggler", leader=self.leader),
                _("use a lower number"),
            ),
        ):
            if is_contradiction:
                raise ParameterError(f"{reason}: {remedy}.")

    def _check_numbers(self) -> None:
        """Check that all numbers are within their limits.

        Raises:
            ParameterError: for the first number that is not.
        """
        shortest, longest = self.periods  # beats; the longest is None for any
        # All numbers, among them both periods, must be within their limits. `LIMITS` has the field
        # names of this class, and "period" for both periods.
        number_fields = [(name, getattr(self, name)) for name in LIMITS if name != "period"]
        # No longest period counts as the shortest one, so that it passes.
        periods = [("period", shortest if period is None else period) for period in self.periods]
        for name, value in number_fields + periods:
            least, most = LIMITS[name]
            # Without a highest throw, throws are as high as the period allows.
            if value is None and name == "max_throw":
                continue
            if type(value) is not int or not least <= value <= most:
                raise ParameterError(
                    _(
                        "{name} is {value!r}, but must be a whole number from {least} to {most}.",
                        name=name,
                        value=value,
                        least=least,
                        most=most,
                    )
                )
        if longest is not None and longest < shortest:
            raise ParameterError(
                _("periods are {periods}, but the shortest must come first.", periods=self.periods)
            )

    def _check_words(self) -> None:
        """Check the fields whose value is one of a few words.

        Raises:
            ParameterError: for the first value that is none of them.
        """
        for name, words in _WORDS.items():
            if getattr(self, name) not in words:
                raise ParameterError(
                    _(
                        "{name} is {value!r}, but must be {words}.",
                        name=name,
                        value=getattr(self, name),
                        words=", ".join(words),
                    )
                )

    def _check_expressions(self) -> None:
        """Check the fields that are tuples of regular expressions.

        Raises:
            ParameterError: for the first that is not valid.
        """
        for name in ("exclude", "include"):
            try:
                for expression in getattr(self, name):
                    re.compile(expression)
            except re.error as error:
                raise ParameterError(
                    _(
                        "{name} has {expression!r}, which is not a valid regular expression: "
                        "{msg}.",
                        name=name,
                        expression=expression,
                        msg=error.msg,
                    )
                ) from None
            # The letters of a string would be taken for one expression each.
            if isinstance(getattr(self, name), str):
                raise ParameterError(
                    _("{name} is a string, but must be a tuple of strings.", name=name)
                )

    @property
    def step(self) -> int:
        """Beats of siteswap between the throws of a hand."""
        return 2 if self.synchronous else 1

    @property
    def hands(self) -> int:
        """How many throw on each beat."""
        return self.jugglers * self.step

    @property
    def compares_jugglers(self) -> bool:
        """Whether of patterns that differ only in who is who one is listed."""
        return self.jugglers > 1 and not self.permutations


def read_arguments(line: str) -> tuple[GeneratorOptions, frozenset[str]]:
    """Read an argument line of the siteswap generator of Juggling Lab, such as "5 7 1-5 -g".

    Args:
        line: PROPS MAX PERIOD and options. MAX is the highest throw: a number, a letter (a is 10),
            or - for props × longest period. PERIOD is a number of beats, two of them as `1-5`, `-5`
            for `1-5`, or - for any.

    Returns:
        What patterns to look for, and the options of the line that concern only the output: any of
        `-n`, `-no`, `-se` and `-group`.

    Raises:
        NotationError: the line cannot be read.
        ParameterError: its options contradict each other.
    """
    # The words in order; each reader takes those that it reads from the left.
    words = deque(_Word(match.group(), match.start()) for match in re.finditer(r"\S+", line))
    if len(words) < 3:
        raise NotationError(
            line, len(line), _("Props, highest throw and period are needed"), _SHAPE_OF_LINE
        )
    props = _read_number(line, words.popleft(), _("The number of props"), LIMITS["props"])
    highest = words.popleft()
    max_throw = None if highest.text == "-" else _read_highest_throw(line, highest)
    periods = _read_periods(line, words.popleft())
    changes, printed = _read_options(line, words)
    options = GeneratorOptions(props=props, max_throw=max_throw, periods=periods, **changes)
    return options, printed


class _Word(NamedTuple):
    """A word of a line, and its column in the line, which errors point at."""

    text: str
    column: int


def _read_options(line: str, words: deque[_Word]) -> tuple[Change, frozenset[str]]:
    """Read the options after the three numbers of a line, as Juggling Lab's generator has them.

    There are four kinds of options:

    - flags, which change fields of `GeneratorOptions` by themselves;
    - flags that concern the output;
    - options that take a number;
    - options that take all words up to the next option as regular expressions.

    Args:
        line: the whole line, for errors.
        words: the words after the numbers, each with its column; the queue is empty afterwards.

    Returns:
        Values of `GeneratorOptions` by name, and the flags for the output.

    Raises:
        NotationError: an option is unknown, or lacks its value.
    """
    changes: Change = {}
    output_flags = set()
    while words:
        word, column = words.popleft()
        if word in _CHANGES_OF_FLAGS:
            changes |= _CHANGES_OF_FLAGS[word]
        elif word in _PRINTING_FLAGS:
            output_flags.add(word)
        elif word in _FIELDS_OF_NUMBERS:
            if not words:
                raise NotationError(
                    line,
                    len(line),
                    _("{word} needs a number", word=word),
                    _("for example {word} 2", word=word),
                )
            name = _FIELDS_OF_NUMBERS[word]
            changes[name] = _read_number(
                line, words.popleft(), _("The number of {word}", word=word), LIMITS[name]
            )
            # Patterns with a delay begin in the ground state; later options may change it.
            if changes.get("delay"):
                changes["start"] = "ground"
        elif word in _FIELDS_OF_LISTS:
            # All words up to the next option.
            expressions = []
            while words and words[0].text not in _ALL_OPTION_WORDS:
                expressions.append(_read_expression(line, words.popleft()))
            if not expressions:
                raise NotationError(
                    line,
                    column,
                    _("{word} needs something to look for", word=word),
                    _("for example {word} 0 1", word=word),
                )
            # An option that is given again adds to the expressions so far.
            name = _FIELDS_OF_LISTS[word]
            changes[name] = (*changes.get(name, ()), *expressions)
        else:
            raise NotationError(
                line,
                column,
                _("Unknown option {word}", word=word),
                did_you_mean(word, _ALL_OPTION_WORDS),
            )
    return changes, frozenset(output_flags)


def _read_number(line: str, word: _Word, name: str, limits: tuple[int, int]) -> int:
    """Read a whole number within limits from a word of an argument line.

    Args:
        line: the whole line, which errors quote.
        word: the number as it is written, with its column in the line, which errors point at.
        name: translated name of the quantity, with which the error begins.
        limits: the least and the greatest number that is accepted.

    Raises:
        NotationError: the text is not such a number.
    """
    low, high = limits
    # Four digits are more than any limit has.
    if not re.fullmatch(r"\d{1,4}", word.text) or not low <= int(word.text) <= high:
        raise NotationError(
            line,
            word.column,
            _("{name} cannot be {text}", name=name, text=word.text),
            _("it must be a whole number from {low} to {high}", low=low, high=high),
        )
    return int(word.text)


def _read_highest_throw(line: str, word: _Word) -> int:
    """Read the value of the highest throw, a number or a letter as in siteswap."""
    if re.fullmatch("[a-z]", word.text):
        return DIGITS.index(word.text)
    return _read_number(line, word, _("The highest throw"), LIMITS["max_throw"])


def _read_periods(line: str, word: _Word) -> tuple[int, int | None]:
    """Read the shortest and the longest period of a pattern, in beats.

    Args:
        line: the whole line, which errors quote.
        word: "3", "1-5", "-5" for 1-5, "3-" for 3 or longer, or "-" for any; with its column in the
            line, which errors point at.

    Returns:
        The shortest period, and the longest, or None if it has no bound.

    Raises:
        NotationError: the text cannot be read, or the shortest period is longer than the longest.
    """
    if word.text == "-":
        return 1, None
    first, dash, last = word.text.partition("-")

    def read_period(text: str) -> int:
        """Read one of both periods; errors point at the beginning of the word."""
        return _read_number(line, _Word(text, word.column), _("The period"), LIMITS["period"])

    shortest = read_period(first) if first else 1
    if not dash:
        return shortest, shortest
    longest = read_period(last) if last else None
    if longest is not None and longest < shortest:
        raise NotationError(
            line,
            word.column,
            _("The period cannot be {text}", text=word.text),
            _("write the shortest first, such as 3-5"),
        )
    return shortest, longest


def _read_expression(line: str, word: _Word) -> str:
    """Return the Python regular expression for one that is written in Juggling Lab's way.

    There brackets, parentheses and bars stand for themselves, as they do in siteswaps, unless a \\
    is before them; in Python it is the other way round.

    Args:
        line: the whole argument line, which errors quote.
        word: the expression as it is written, with its column in the line.

    Raises:
        NotationError: the text is not a regular expression.
    """

    def swapped_escape(match: re.Match[str]) -> str:
        """Return a bracket or bar without a \\ before it if it had one, and with it if it had
        none.
        """
        return match[0][1:] if len(match[0]) > 1 else "\\" + match[0]

    expression = re.sub(r"\\?[\[\]()|]", swapped_escape, word.text)
    try:
        re.compile(expression)
    except re.error as error:
        reason = _("{text} is not a valid regular expression: {msg}", text=word.text, msg=error.msg)
        raise NotationError(
            line, word.column, reason, _("write brackets and bars without a \\")
        ) from None
    return expression
