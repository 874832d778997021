"""Argument lines of Juggling Lab's generator, such as `5 7 5 -m 2`, as options."""

from __future__ import annotations

import re
from typing import Any

from juggle_anim.errors import NotationError, did_you_mean
from juggle_anim.generator.options import DIGITS, LIMITS, GeneratorOptions

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
_SHAPE = "a line is PROPS MAX PERIOD, such as 5 7 5, 3 9 1-4 or 4 - 3, and options after it"


def read_arguments(line: str) -> tuple[GeneratorOptions, frozenset[str]]:
    """Read an argument line of Juggling Lab's generator.

    Args:
        line: PROPS MAX PERIOD and options. MAX is a number, a letter (a is 10), or - for props × longest period.
            PERIOD is a number, two of them as `1-5`, `-5` for `1-5`, or - for any.

    Returns:
        What it looks for, and the options that say what is printed: `-n`, `-no`, `-se`, `-group`.

    Raises:
        NotationError: the line cannot be read.
        ParameterError: its options contradict each other.
    """
    words = [(match.group(), match.start()) for match in re.finditer(r"\S+", line)]
    if len(words) < 3:
        raise NotationError(line, len(line), "Props, highest throw and period are needed", _SHAPE)
    (props, at_props), (highest, at_highest), (period, at_period) = words[:3]
    numbers = (
        _number(line, at_props, props, "The number of props", LIMITS["props"]),
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
                raise NotationError(line, len(line), f"{word} needs a number", f"for example {word} 2")
            (text, at), words = words[0], words[1:]
            name = _NUMBERS[word]
            changes[name] = _number(line, at, text, f"The number of {word}", LIMITS[name])
            changes |= {"start": "ground"} if changes.get("delay") else {}
        elif word in _LISTS:
            expressions = []
            while words and words[0][0] not in _ALL:
                (expression, at), words = words[0], words[1:]
                expressions.append(_expression(line, at, expression))
            if not expressions:
                raise NotationError(line, index, f"{word} needs what it looks for", f"for example {word} 0 1")
            changes[_LISTS[word]] = (*changes.get(_LISTS[word], ()), *expressions)
        else:
            raise NotationError(line, index, f"There is no option {word}", did_you_mean(word, _ALL))
    return changes, frozenset(printed)


def _number(line: str, index: int, text: str, name: str, limits: tuple[int, int]) -> int:
    low, high = limits
    if not re.fullmatch(r"\d{1,4}", text) or not low <= int(text) <= high:
        raise NotationError(line, index, f"{name} is not {text}", f"it is a whole number from {low} to {high}")
    return int(text)


def _throw(line: str, index: int, text: str) -> int:
    if re.fullmatch("[a-z]", text):
        return DIGITS.index(text)
    return _number(line, index, text, "The highest throw", LIMITS["max_throw"])


def _period(line: str, index: int, text: str) -> tuple[int, int | None]:
    if text == "-":
        return 1, None
    first, dash, last = text.partition("-")
    name, limits = "The period", LIMITS["period"]
    low = _number(line, index, first, name, limits) if first or not dash else 1
    high = _number(line, index, last, name, limits) if last or (dash and not first) else None if dash else low
    if high is not None and high < low:
        raise NotationError(line, index, f"The period is not {text}", "write the shortest first, as 3-5")
    return low, high


def _expression(line: str, index: int, text: str) -> str:
    """The regular expression of an option, in which brackets and bars are literal unless a \\ stands before."""
    swapped = re.sub(r"\\?[\[\]()|]", lambda match: match[0][1:] if len(match[0]) > 1 else "\\" + match[0], text)
    try:
        re.compile(swapped)
    except re.error as error:
        reason = f"{text} is not a regular expression: {error.msg}"
        raise NotationError(line, index, reason, "brackets and bars stand for themselves without a \\") from None
    return swapped
