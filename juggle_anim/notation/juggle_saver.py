"""JuggleSaver's notation of one pattern, `4b@(-2,1)>(1,1) 2b 3b`, as settings.

Throws with the kind of prop, where each is thrown from and caught, and its turns, as `ParsePattern`
of juggler3d.c (Brian Apps, 2005) reads them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from juggle_anim.notation.limits import MAX_LENGTH
from juggle_anim.notation.settings.syntax import escaped

_POSITION = r"\(([^()]*)\)"
# The last of several digits is the value of the next throw where the kind of its prop or its place
# follows.
_SPINS = r"-?(?:[0-9]+(?!\s*[bBcCrRdD@>/*])|[0-9])"
_THROW = re.compile(
    rf"\s*(?P<value>[0-9A-Za-z])\s*(?P<prop>[bBcCrRdD]?)\s*(?:@\s*{_POSITION})?\s*(?:>\s*3?\s*{_POSITION})?"
    rf"\s*(?P<snatch>/\s*\([^()]*\))?\s*(?:\*\s*(?P<spins>{_SPINS})?)?\s*"
)
# Without a digit, more than a throw and the kind of its prop is a word.
UNNAMED = r"(?=[^;\n]*[0-9]|\s*[^;\s]{1,2}\s*;)[0-9A-Za-z][^;\"=\n]*"
"""The throws of a statement that has no name, as a regular expression."""

_STATEMENT = re.compile(
    rf'\s*(?:"(?P<name>[^"\n]*)"(?P<throws>[^;"=]*)|(?P<unnamed>{UNNAMED}));\s*'
)

_CARRIED = "0.56"  # beats that a prop is held, `CARRY_TIME` of juggler3d.c
_UNIT = 15.0  # cm; a ball, whose radius is 0.34 units, is then as large as in Juggling Lab
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SMALL_KINDS = ("b", "c", "r", "d")
_PROPS = {"b": "ball", "c": "club", "r": "ring"}

Position = tuple[float, float]
"""Right of the middle, where a hand is to the left below 0, and up, in units of JuggleSaver."""


class Throw(NamedTuple):
    """A throw of JuggleSaver.

    Args:
        value: in beats.
        prop: of `_PROPS`; empty where it is any.
        start: where it is thrown from, if that is said.
        end: where it is caught, if that is said.
    """

    value: int
    prop: str = ""
    start: Position | None = None
    end: Position | None = None


def settings_of_statement(text: str) -> str:
    """The settings of a pattern as lists of JuggleSaver have it: `"name" throws;`, where the name
    may be left out.

    Empty where a text is no such statement.
    """
    found = _STATEMENT.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if found is None:
        return ""
    throws, rest = read_throws((found["throws"] or found["unnamed"] or "").strip())
    return "" if rest else settings_text(throws, (found["name"] or "").strip())


def is_certainly_statement(text: str) -> bool:
    """Whether a text is a statement in which each of several throws between spaces has the kind of
    its prop.

    Such as `5b 5b 5b;`, whose letters would be values of 11 otherwise; a large B would be a bounce.
    """
    if len(text) > MAX_LENGTH or not text.rstrip().endswith(";"):
        return False
    throws = [_THROW.fullmatch(word) for word in text.rstrip()[:-1].split()]
    return len(throws) > 1 and all(
        throw is not None and throw["prop"] in _SMALL_KINDS for throw in throws
    )


def settings_text(throws: Sequence[Throw], title: str) -> str:
    """The settings string of a pattern; its values alone, if they say all of it."""
    values = values_text(throws)
    hands = _hands(throws)
    pairs = [
        ("pattern", values),
        ("hands", hands),
        ("dwell", _CARRIED if hands else ""),
        ("prop", _kinds(throws)),
    ]
    pairs.append(("title", escaped(title) if title != values else ""))
    bare = not any(value for _, value in pairs[1:])
    return values if bare else ";".join(f"{key}={value}" for key, value in pairs if value)


def values_text(throws: Sequence[Throw]) -> str:
    """The siteswap of a pattern."""
    return "".join(
        f"{{{throw.value}}}" if throw.value in (25, 33) else _DIGITS[throw.value]
        for throw in throws
    )


def plain_throws(text: str) -> list[Throw]:
    """The throws of a text in which each digit and letter is a value; none where it has anything
    else.
    """
    values = "".join(text.split())
    return (
        [Throw(int(value, 36)) for value in values] if values.isascii() and values.isalnum() else []
    )


def read_throws(text: str) -> tuple[list[Throw], str]:
    """The throws of a text, and the rest of it from the first that is none."""
    read = []
    place = 0
    while place < len(text) and (found := _THROW.match(text, place)):
        start = found[3]
        end = found[4]
        positions = [None if each is None else _position(each) for each in (start, end)]
        if (start is not None and positions[0] is None) or (
            end is not None and positions[1] is None
        ):
            break
        read.append(
            Throw(
                int(found["value"], 36),
                _PROPS.get(found["prop"].lower(), ""),
                positions[0],
                positions[1],
            )
        )
        place = found.end()
    return read, text[place:] if read else text or " "


def _position(text: str) -> Position | None:
    try:
        across, up = (float(part) for part in text.split(",")[:2])
    except ValueError:
        return None
    return (across, up) if abs(across) < 100 and abs(up) < 100 else None


def _hands(throws: Sequence[Throw]) -> str:
    """Where hands throw and catch, as settings have it; empty where it is not said.

    Their first throw is the left hand's, ours the right hand's, so the picture is mirrored. A hand
    that throws nothing goes on to where it next does.
    """
    if not any(throw.start or throw.end for throw in throws):
        return ""
    count = len(throws) * (1 + len(throws) % 2)
    caught: dict[int, Throw] = {}
    for number in range(count):
        throw = throws[number % len(throws)]
        if throw.value not in (0, 2):
            caught[(number + throw.value) % count] = throw._replace(prop=str(number))
    groups = []
    for number in range(count):
        throw = throws[number % len(throws)]
        start = (
            "-"
            if throw.value in (0, 2)
            else _place(throw.start or _usual_start(number, throw.value), number)
        )
        later = caught.get((number + 2) % count)
        end = (
            _place(later.end or _usual_end(int(later.prop), later.value), number) if later else "-"
        )
        groups.append(f"{start}{end}.")
    return "".join(groups)


def _usual_start(number: int, value: int) -> Position:
    """Where throws start if it is not said, from `GetDefaultFromPosition` of juggler3d.c."""
    side = 1 if number % 2 else -1
    return (side * (-0.06 if value > 4 and value % 2 else 0.24), 0.0)


def _usual_end(number: int, value: int) -> Position:
    """Where throws are caught if it is not said, from `GetDefaultToPosition` of juggler3d.c."""
    side = 1 if number % 2 else -1
    across = -1.0 if value == 1 else -3.1 if value % 2 else 2.8
    return (side * across, -0.5)


def _place(position: Position, number: int) -> str:
    outward = _UNIT * position[0] * (1 if number % 2 else -1)
    up = _UNIT * position[1]
    return f"({outward:g},{up:g})" if up else f"({outward:g})"


def _kinds(throws: Sequence[Throw]) -> str:
    """The kinds of props in the order in which they are first thrown; empty where all are balls."""
    highest = max(throw.value for throw in throws)
    landed = set[int]()
    kinds = []
    for number in range(highest):
        throw = throws[number % len(throws)]
        if throw.value and number not in landed:
            kinds.append(throw.prop or "ball")
        landed.add(number + throw.value)
    return "" if set(kinds) <= {"ball"} else kinds[0] if len(set(kinds)) == 1 else ",".join(kinds)
