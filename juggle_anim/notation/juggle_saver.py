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
from juggle_anim.pattern import value_text

_POSITION = r"[^()]*"
# The last of several digits is the value of the next throw where the kind of its prop or its place
# follows.
_SPINS = r"-?(?:[0-9]+(?!\s*[bBcCrRdD@>/*])|[0-9])"
_THROW = re.compile(
    rf"\s*(?P<value>[0-9A-Za-z])\s*(?P<prop>[bBcCrRdD]?)\s*(?:@\s*\((?P<start>{_POSITION})\))?"
    rf"\s*(?:>\s*3?\s*\((?P<end>{_POSITION})\))?"
    rf"\s*(?P<snatch>/\s*\([^()]*\))?\s*(?:\*\s*(?P<spins>{_SPINS})?)?\s*"
)
# Without a digit, more than a throw and the kind of its prop is a word.
UNNAMED = r"(?=[^;\n]*[0-9]|\s*[^;\s]{1,2}\s*;)[0-9A-Za-z][^;\"=\n]*"
"""The throws of a statement that has no name, as a regular expression."""

_STATEMENT = re.compile(
    rf'\s*(?:"(?P<name>[^"\n]*)"(?P<throws>[^;"=]*)|(?P<unnamed>{UNNAMED}));\s*'
)

_DWELL = "0.56"  # beats that a prop is held, `CARRY_TIME` of juggler3d.c
_UNIT = 15.0  # cm; a ball, whose radius is 0.34 units, is then as large as in Juggling Lab
_SMALL_KINDS = ("b", "c", "r", "d")
_PROPS = {"b": "ball", "c": "club", "r": "ring"}

Position = tuple[float, float]
"""Right of the middle, where a hand is to the left below 0, and up, in units of JuggleSaver."""


class Throw(NamedTuple):
    """A throw of JuggleSaver.

    Args:
        value: value in beats.
        prop: the prop of `_PROPS`; empty if it is any.
        start: place of the throw, if stated.
        end: place of the catch, if stated.
    """

    value: int
    prop: str = ""
    start: Position | None = None
    end: Position | None = None


def settings_of_statement(text: str) -> str:
    """Return the settings of a statement of JuggleSaver, `"name" throws;`; empty if it is none.

    The name may be left out. A text with a wrong throw, or without throws, is not a statement.
    """
    statement = _STATEMENT.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if statement is None:
        return ""
    throws, unread = read_throws((statement["throws"] or statement["unnamed"] or "").strip())
    return "" if unread else settings_text(throws, (statement["name"] or "").strip())


def is_certainly_statement(text: str) -> bool:
    """Return whether each of several throws of a statement has the kind of its prop.

    Such as `5b 5b 5b;`, whose letters would be values of 11 otherwise; a large B would be a bounce.
    """
    if len(text) > MAX_LENGTH or not text.rstrip().endswith(";"):
        return False
    throws = [_THROW.fullmatch(word) for word in text.rstrip()[:-1].split()]
    return len(throws) > 1 and all(
        throw is not None and throw["prop"] in _SMALL_KINDS for throw in throws
    )


def settings_text(throws: Sequence[Throw], title: str) -> str:
    """Return the settings string of a pattern; just its values if they say everything.

    Args:
        throws: the throws of one period, in the order of time; not empty.
        title: the title of the pattern; left out if it is just the values.
    """
    values = values_text(throws)
    hands = _hands_text(throws)
    settings = {
        # With JuggleSaver's places of hands goes its dwell. Without places the pattern has the
        # default dwell.
        "hands": hands,
        "dwell": _DWELL if hands else "",
        "prop": _kinds_text(throws),
        "title": escaped(title) if title != values else "",
    }
    pairs = [f"{key}={value}" for key, value in settings.items() if value]
    return ";".join([f"pattern={values}", *pairs]) if pairs else values


def values_text(throws: Sequence[Throw]) -> str:
    """Write the siteswap of a pattern."""
    return "".join(value_text(throw.value, "px") for throw in throws)


def plain_throws(text: str) -> list[Throw]:
    """Read the throws of a text in which each digit and letter is a value; else none."""
    values = "".join(text.split())
    if not (values.isascii() and values.isalnum()):
        return []
    return [Throw(int(value, 36)) for value in values]


def read_throws(text: str) -> tuple[list[Throw], str]:
    """Read the throws of a text up to the first wrong one.

    Returns:
        The throws, and the rest of the text that is not read: empty if all is, and never empty if
        there is no throw.
    """
    throws: list[Throw] = []
    index = 0
    while index < len(text) and (match := _THROW.match(text, index)):
        start = _read_position(match["start"] or "")
        end = _read_position(match["end"] or "")
        # A place that is written, but is not a pair of numbers, makes the throw wrong. The group of
        # the match is None if no place is written.
        if (start is None and match["start"] is not None) or (
            end is None and match["end"] is not None
        ):
            break
        prop = _PROPS.get(match["prop"].lower(), "")
        throws.append(Throw(int(match["value"], 36), prop, start=start, end=end))
        index = match.end()
    # An empty rest would mean that everything was read. So without a throw the rest of an empty
    # text is a blank.
    return throws, text[index:] if throws else text or " "


def _read_position(text: str) -> Position | None:
    """Read a position, of which further numbers are left out; None if it is wrong or too far."""
    try:
        across, up = (float(part) for part in text.split(",")[:2])
    except ValueError:
        return None
    return (across, up) if abs(across) < 100 and abs(up) < 100 else None


def _hands_text(throws: Sequence[Throw]) -> str:
    """Write the setting `hands` from the places of JuggleSaver's throws.

    JuggleSaver's first throw is made by the left hand, ours by the right hand, so places are
    mirrored. A hand that throws nothing moves on to the place of its next throw.

    Args:
        throws: the throws of one period, in the order of time; not empty.

    Returns:
        For each beat of the loop the place of the throw, and that of the catch before the hand's
        next throw, with `-` for the default. Empty if no throw has a place.
    """
    if not any(throw.start or throw.end for throw in throws):
        return ""
    # The loop lasts until the same hand makes the same throw again: two periods if the period is
    # odd.
    beats = len(throws) * (1 + len(throws) % 2)

    # The beat of each throw, by the beat on which its prop is thrown again. Throws of 0 (nothing)
    # and 2 (held) have no places.
    throw_beats: dict[int, int] = {}
    for beat in range(beats):
        value = throws[beat % len(throws)].value
        if value not in (0, 2):
            throw_beats[(beat + value) % beats] = beat

    groups = []
    for beat in range(beats):
        throw = throws[beat % len(throws)]
        start = "-"
        end = "-"
        if throw.value not in (0, 2):
            start = _point_text(throw.start or _usual_start(beat, throw.value), beat)
        # The catch before the hand's next throw, two beats later: at the end of the flight that
        # brings the prop.
        next_turn = (beat + 2) % beats
        if next_turn in throw_beats:
            throw_beat = throw_beats[next_turn]
            caught = throws[throw_beat % len(throws)]
            end = _point_text(caught.end or _usual_end(throw_beat, caught.value), beat)
        groups.append(f"{start}{end}.")
    return "".join(groups)


def _usual_start(beat: int, value: int) -> Position:
    """Return where a throw starts by default, as `GetDefaultFromPosition` of juggler3d.c."""
    side = 1 if beat % 2 else -1
    return (side * (-0.06 if value > 4 and value % 2 else 0.24), 0.0)


def _usual_end(beat: int, value: int) -> Position:
    """Return where a throw is caught by default, as `GetDefaultToPosition` of juggler3d.c."""
    side = 1 if beat % 2 else -1
    across = -1.0 if value == 1 else -3.1 if value % 2 else 2.8
    return (side * across, -0.5)


def _point_text(position: Position, beat: int) -> str:
    """Write a position, (outward, up) in cm, for the hand whose turn a beat is."""
    right, up = position
    outward = _UNIT * right * (1 if beat % 2 else -1)
    up *= _UNIT
    return f"({outward:g},{up:g})" if up else f"({outward:g})"


def _kinds_text(throws: Sequence[Throw]) -> str:
    """Write the kinds of props in the order of their first throws, for the setting `prop`.

    Returns:
        One kind if all are the same, else the kinds with commas between; empty if all are balls,
        as by default.
    """
    highest = max(throw.value for throw in throws)
    landing_beats: set[int] = set()
    kinds = []
    # On a beat on which no earlier throw lands, the prop that is thrown is a new one. No throw
    # lasts longer than the highest, so all new props come within that number of beats.
    for beat in range(highest):
        throw = throws[beat % len(throws)]
        if throw.value and beat not in landing_beats:
            kinds.append(throw.prop or "ball")
        landing_beats.add(beat + throw.value)
    if set(kinds) <= {"ball"}:
        return ""
    return kinds[0] if len(set(kinds)) == 1 else ",".join(kinds)
