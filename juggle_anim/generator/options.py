"""What the generator looks for, as fields, and as read from a line of arguments as Juggling Lab has
them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from juggle_anim.errors import NotationError, ParameterError, did_you_mean
from juggle_anim.language import N_, _

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

_FLAGS: dict[str, Change] = {
    "-se": {},
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
    "-group": {},
    "-n": {},
    "-no": {},
}
_NUMBERS = {"-m": "multiplex", "-j": "jugglers", "-d": "delay", "-l": "leader"}
_LISTS = {"-x": "exclude", "-i": "include"}
_ALL = [*_FLAGS, *_NUMBERS, *_LISTS]
_SHAPE = N_("a line is PROPS MAX PERIOD, such as 5 7 5, 3 9 1-4 or 4 - 3, and options after it")


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
        synchronous: whether the hands of a juggler throw together.
        multiplex: how many props a hand throws together at most.
        squeezes: whether a hand may catch props together that were not thrown together.
        clusters: whether a hand may throw several props alike.
        true_multiplex: whether only patterns with a multiplex throw that holds nothing are listed.
        neighbouring_ones: whether a 1 may follow on a 1.
        symmetric_hands: whether only synchronous patterns are listed whose second half mirrors the
            first.
        star: whether these are written with a star.
        connected: whether only patterns are listed in which all jugglers are joined by passes.
        symmetric_jugglers: whether only patterns are listed in which all jugglers do the same,
            maybe at other beats.
        permutations: whether patterns that differ only in who is who are all listed.
        delay: for how many beats only the leader may throw anything but the usual throw.
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
        self._check_values()
        low, high = self.periods
        for wrong, reason, accepted in (
            (
                high is None and self.kind != "prime",
                _("Only prime patterns can be of any period"),
                _("name the longest period"),
            ),
            (
                high is None and self.max_throw is None,
                _("Neither the highest throw nor the longest period is given"),
                _("give one of them"),
            ),
            (
                self.synchronous
                and high is not None
                and not any(each % 2 == 0 for each in range(low, high + 1)),
                _("Synchronous patterns have no period of {low}", low=low),
                _("it is a multiple of 2"),
            ),
            (
                self.jugglers > 1 and self.start != "any" and not self.permutations,
                _(
                    "With several jugglers, ground and excited patterns are found with all "
                    "permutations only"
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
                _("There is no juggler {leader} to lead", leader=self.leader),
                _("give a lower number"),
            ),
        ):
            if wrong:
                raise ParameterError(f"{reason}: {accepted}.")

    def _check_values(self) -> None:
        low, high = self.periods
        numbers = {name: getattr(self, name) for name in LIMITS if name != "period"}
        for name, value in (
            *numbers.items(),
            ("period", low),
            ("period", low if high is None else high),
        ):
            least, most = LIMITS[name]
            if value is None and name == "max_throw":
                continue
            if not isinstance(value, int) or not least <= value <= most:
                raise ParameterError(
                    _(
                        "{name} is {value!r}, but must be a whole number from {least} to {most}.",
                        name=name,
                        value=value,
                        least=least,
                        most=most,
                    )
                )
        if high is not None and high < low:
            raise ParameterError(
                _("periods are {periods}, but must begin with the shortest.", periods=self.periods)
            )
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
        for name in ("exclude", "include"):
            try:
                for expression in getattr(self, name):
                    re.compile(expression)
            except re.error as error:
                raise ParameterError(
                    _(
                        "{name} has {expression!r}, which is not a regular expression: {msg}.",
                        name=name,
                        expression=expression,
                        msg=error.msg,
                    )
                ) from None
            if isinstance(getattr(self, name), str):
                raise ParameterError(
                    _("{name} is a text, but must be a tuple of texts.", name=name)
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
    """Read an argument line of Juggling Lab's generator.

    Args:
        line: PROPS MAX PERIOD and options. MAX is a number, a letter (a is 10), or - for props ×
            longest period. PERIOD is a number, two of them as `1-5`, `-5` for `1-5`, or - for any.

    Returns:
        What it looks for, and the options that say what is printed: `-n`, `-no`, `-se`, `-group`.

    Raises:
        NotationError: the line cannot be read.
        ParameterError: its options contradict each other.
    """
    words = [(match.group(), match.start()) for match in re.finditer(r"\S+", line)]
    if len(words) < 3:
        raise NotationError(
            line, len(line), _("Props, highest throw and period are needed"), _SHAPE
        )
    (props, at_props), (highest, at_highest), (period, at_period) = words[:3]
    numbers = (
        _number(line, at_props, props, _("The number of props"), LIMITS["props"]),
        None if highest == "-" else _throw(line, at_highest, highest),
        _period(line, at_period, period),
    )
    changes, printed = _options(line, words[3:])
    return GeneratorOptions(*numbers, **changes), printed


def _options(line: str, words: list[tuple[str, int]]) -> tuple[Change, frozenset[str]]:
    changes: Change = {}
    printed = set()
    while words:
        (word, index), words = words[0], words[1:]
        if word in _FLAGS:
            changes |= _FLAGS[word]
            printed |= set() if _FLAGS[word] else {word}
        elif word in _NUMBERS:
            if not words:
                raise NotationError(
                    line,
                    len(line),
                    _("{word} needs a number", word=word),
                    _("for example {word} 2", word=word),
                )
            (text, at), words = words[0], words[1:]
            name = _NUMBERS[word]
            changes[name] = _number(
                line, at, text, _("The number of {word}", word=word), LIMITS[name]
            )
            changes |= {"start": "ground"} if changes.get("delay") else {}
        elif word in _LISTS:
            expressions = []
            while words and words[0][0] not in _ALL:
                (expression, at), words = words[0], words[1:]
                expressions.append(_expression(line, at, expression))
            if not expressions:
                raise NotationError(
                    line,
                    index,
                    _("{word} needs what it looks for", word=word),
                    _("for example {word} 0 1", word=word),
                )
            changes[_LISTS[word]] = (*changes.get(_LISTS[word], ()), *expressions)
        else:
            raise NotationError(
                line, index, _("There is no option {word}", word=word), did_you_mean(word, _ALL)
            )
    return changes, frozenset(printed)


def _number(line: str, index: int, text: str, name: str, limits: tuple[int, int]) -> int:
    low, high = limits
    if not re.fullmatch(r"\d{1,4}", text) or not low <= int(text) <= high:
        raise NotationError(
            line,
            index,
            _("{name} is not {text}", name=name, text=text),
            _("it is a whole number from {low} to {high}", low=low, high=high),
        )
    return int(text)


def _throw(line: str, index: int, text: str) -> int:
    if re.fullmatch("[a-z]", text):
        return DIGITS.index(text)
    return _number(line, index, text, _("The highest throw"), LIMITS["max_throw"])


def _period(line: str, index: int, text: str) -> tuple[int, int | None]:
    if text == "-":
        return 1, None
    first, dash, last = text.partition("-")
    name = _("The period")
    limits = LIMITS["period"]
    low = _number(line, index, first, name, limits) if first or not dash else 1
    high = (
        _number(line, index, last, name, limits)
        if last or (dash and not first)
        else None
        if dash
        else low
    )
    if high is not None and high < low:
        raise NotationError(
            line,
            index,
            _("The period is not {text}", text=text),
            _("write the shortest first, as 3-5"),
        )
    return low, high


def _expression(line: str, index: int, text: str) -> str:
    """The regular expression of an option, in which brackets and bars are literal unless a \\
    stands before.
    """
    swapped = re.sub(
        r"\\?[\[\]()|]", lambda match: match[0][1:] if len(match[0]) > 1 else "\\" + match[0], text
    )
    try:
        re.compile(swapped)
    except re.error as error:
        reason = _("{text} is not a regular expression: {msg}", text=text, msg=error.msg)
        raise NotationError(
            line, index, reason, _("brackets and bars stand for themselves without a \\")
        ) from None
    return swapped
