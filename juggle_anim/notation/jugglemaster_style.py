"""Manners of juggling as JuggleMaster describes them, as settings: rows of hand positions, heights
and dwell ratios.

Units are those of JuggleMaster 1.60 (Ken Matsuoka, 1996), from its README; tempo follows as in
`set_ini` of JMLib 2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.errors import printable
from juggle_anim.language import _
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.limits import MAX_BEATS
from juggle_anim.notation.settings.syntax import escaped

POINT = re.compile(r"\{([^{}]*)\}")
"""A point of a row."""

_ROW = re.compile(r"\s*(\{[^{}]*\})\s*(\{[^{}]*\})?\s*")
_MULTIPLEX_OR_THROW = re.compile(r"\[([^\[\]]*)\]|([0-9a-z])")
_THROW = re.compile(r"([0-9a-wyz])(x?)")
_PAIR_OR_STAR = re.compile(r"\((?P<left>[^(),]*),(?P<right>[^(),]*)\)|\*")
# cm in a unit of a style
_ACROSS = 2.5
_UP = 5.0
_FARTHEST = 128.0  # of a point of a style, in its units
_MOST_BEATS = 240  # of moves of hands that are written out to hold still


class Row(NamedTuple):
    """Where a hand catches and then throws, (outward, up) in units of a style."""

    catch: tuple[float, float]
    throw: tuple[float, float]


NORMAL = (Row((13, 0), (4, 0)),)
"""Where hands throw and catch if nothing else is said."""


@dataclass
class Manner:
    """How patterns are juggled, as the lines before them say.

    Args:
        rows: of the style: the throw on beat n takes row n, and rows repeat. Of two throws on a
            beat the right hand takes the first.
        numbers: gravity [m/s²]; dwell, the part of two beats that a prop is held; height, by which
            the highest throw rises for each of its beats [m]; speed of the picture.
        mirror: whether left and right are exchanged.
        colours: of the props, as settings have them.
    """

    rows: tuple[Row, ...] = NORMAL
    numbers: dict[str, float] = field(default_factory=lambda: {"dwell": 0.5, "height": 0.2})
    mirror: bool = False
    colours: str = ""


def settings_text(
    siteswap: str, manner: Manner, title: str, people: Mapping[str, str] | None = None
) -> str:
    """The settings string of a siteswap that is juggled in some manner.

    Args:
        siteswap: as JuggleMaster writes it.
        manner: how it is juggled.
        title: of the pattern; may be empty.
        people: settings that say who throws, and how hands move, where several people juggle.
    """
    siteswap, turns = written_out(siteswap, manner.rows)
    numbers = manner.numbers
    if people is None:
        still = tuple(all(value == 2 for value in turn) or not any(turn) for turn in turns)
        hands = _hands(manner.rows, still, "(" in siteswap) if manner.rows else ""
        people = {"pattern": siteswap, "hands": hands}
    pairs = list(people.items())
    pairs += [("dwell", f"{2 * numbers['dwell']:.4g}")] if "dwell" in numbers else []
    if "bps" in numbers:
        pairs.append(("bps", f"{numbers['bps']:g}"))
    elif "height" in numbers:
        pairs.append(("bps", f"{_tempo(turns, numbers):.4g}"))
    pairs += (
        [("gravity", f"{100 * numbers['gravity']:g}")] if numbers.get("gravity", 9.8) != 9.8 else []
    )
    pairs += [("speed", f"{numbers['speed']:g}")] if numbers.get("speed", 1) != 1 else []
    pairs += [("mirror", "on")] if manner.mirror else []
    pairs += [("colors", manner.colours)] if manner.colours else []
    pairs += [("title", escaped(title))] if title else []
    return ";".join(f"{key}={value}" for key, value in pairs if value)


def _tempo(turns: Sequence[Sequence[int]], numbers: dict[str, float]) -> float:
    """Beats a second: the highest throw, at least a 3, rises by its value times the height."""
    highest = max([3, *(abs(value) for turn in turns for value in turn)])
    flight = 2 * math.sqrt(2 * highest * numbers["height"] / numbers.get("gravity", 9.8))
    return (highest - 2 * numbers.get("dwell", 0.5)) / flight


def read_row(line: str) -> Row | None:
    """A line of a style, `{x,y}{x,y}`; what is left out is 0, and a single point is both. None if
    it is none.
    """
    found = _ROW.fullmatch(line)
    points = [_point(inside) for inside in POINT.findall(line)]
    catch = points[0] if found and points else None
    throw = points[-1] if points else None
    return Row(catch, throw) if catch and throw else None


def _point(inside: str) -> tuple[float, float] | None:
    parts = inside.split(",") if "," in inside else inside.split()
    try:
        across, up = (float(part.strip() or 0) for part in (*parts, "", "")[:2])
    except ValueError:
        return None
    return (across, up) if abs(across) <= _FARTHEST and abs(up) <= _FARTHEST else None


def written_out(siteswap: str, rows: tuple[Row, ...]) -> tuple[str, list[list[int]]]:
    """A siteswap as we write it, and the values of each hand's turn in order, those that cross in a
    pair below 0.

    Digits are of any case there. A star repeats all before it, and sides are exchanged only in
    pairs of throws; it is written out where hands move by rows of their own, which go on.
    """
    text = siteswap.casefold().replace("×", "x")
    if "(" not in text:
        text = text.rstrip("*")
        found = _MULTIPLEX_OR_THROW.findall(text)
        turns = [[int(sign, 36) for sign in "".join(turn) if sign.isalnum()] for turn in found]
        if text.isalpha() and find_pattern(text):
            # The throws of a word are meant, not the pattern that is called so.
            text = f"{{{int(text[0], 36)}}}{text[1:]}"
        return text.replace("x", "{33}").replace("p", "{25}"), turns
    pairs: list[tuple[str, str]] = []
    for part in _PAIR_OR_STAR.finditer(text):
        if part[0] != "*":
            pairs.append((part["left"], part["right"]))
        elif len(pairs) <= MAX_BEATS:  # more are refused by the reader of the siteswap
            pairs += [(right, left) for left, right in pairs]
    if "*" in text and len(rows) > 1:
        text = "".join(f"({left},{right})" for left, right in pairs)
    throws = (_THROW.findall(turn) for pair in pairs for turn in pair)
    return text, [
        [-int(sign, 36) if crosses else int(sign, 36) for sign, crosses in turn] for turn in throws
    ]


@lru_cache(maxsize=256)
def _hands(rows: tuple[Row, ...], still: tuple[bool, ...], paired: bool) -> str:
    """Moves of hands as settings have them: for each turn its throw, and the catch before the
    hand's next throw.

    As there, a hand that holds a 2 or nothing stays where it caught last, if it also catches there
    next.

    Args:
        rows: of the style.
        still: for each turn whether the hand holds a 2 or nothing.
        paired: whether hands throw in pairs.
    """
    unit = 2 if paired else 1
    count = math.lcm(len(rows), unit, len(still) if any(still) else 1)
    if count > _MOST_BEATS:
        count = math.lcm(len(rows), unit)
        still = ()
    groups = [
        moves_of_turn(rows, turn, paired, bool(still) and still[turn % len(still)])
        for turn in range(count)
    ]
    divisors = (step for step in range(1, count + 1) if count % step == 0)
    period = next(step for step in divisors if groups == groups[:step] * (count // step))
    return "".join(groups[:period])


def moves_of_turn(rows: Sequence[Row], turn: int, paired: bool = False, still: bool = False) -> str:
    """A group of moves as settings have it: a hand's throw on some turn, and the catch before its
    next throw.

    Args:
        rows: of the style.
        turn: of the hands one after the other, from 0.
        paired: whether hands throw in pairs.
        still: whether the hand throws nothing, or holds a 2.
    """
    # Of a pair our text names the left hand first, but the right hand has the first row.
    number = turn ^ 1 if paired else turn
    row = rows[number % len(rows)]
    catch = rows[(number + 2) % len(rows)].catch
    stays = still and row.catch == catch
    return f"{_place(row.catch if stays else row.throw)}{_place(catch)}."


def _place(point: tuple[float, float]) -> str:
    across = _ACROSS * point[0]
    up = _UP * point[1]
    return f"({across:g},{up:g})" if up else f"({across:g})"


def of_juggle_anim(text: str, title: str) -> tuple[str, list[str]]:
    """Settings of JuggleAnim (Jack Boyce, 2002), which emulates JuggleMaster, as ours; and what of
    them is not read.

    Args:
        text: `key=value;key=value` with `mode`, `slowdown` or keys that begin with `mat_`.
        title: of the pattern.
    """
    found = {
        key.strip().casefold(): value.strip()
        for key, _, value in (each.partition("=") for each in text.split(";"))
    }
    points = [
        point for inside in POINT.findall(found.pop("mat_style", "")) if (point := _point(inside))
    ]
    rows = tuple(Row(*pair) for pair in zip(points[::2], points[1::2], strict=False))
    manner = Manner(rows, {}, colours=found.pop("colors", ""))
    unread = [
        _("{key} is {value}, which is not a number", key=key, value=printable(value, 60))
        for key, value in found.items()
        if not _is_number(value)
    ]
    numbers = {
        key: float(value) for key, value in found.items() if _is_number(value) and key != "pattern"
    }
    for ours, theirs, unit in _JUGGLE_ANIM:
        if (value := numbers.pop(theirs, 0.0)) > 0:
            manner.numbers[ours] = value * unit
    manner.numbers.setdefault("dwell", 0.5)
    if (slowdown := numbers.pop("slowdown", 1.0)) > 0:
        manner.numbers["speed"] = round(1 / slowdown, 4)
    if "height" not in manner.numbers:
        manner.numbers.setdefault("bps", 4.5)
    siteswap = "".join(found.get("pattern", "").split())
    unread = [each for each in unread if each.partition(" ")[0] not in ("mode", "pattern", "title")]
    return settings_text(siteswap, manner, title), [
        *unread,
        *(_("{key} is not read", key=key) for key in numbers),
    ]


_JUGGLE_ANIM = (
    ("dwell", "dwell", 0.5),
    ("dwell", "mat_dr", 1.0),
    ("height", "mat_hr", 1.0),
    ("bps", "tps", 1.0),
    ("gravity", "accel", 1.0),
)
"""Numbers of JuggleAnim: the name here, the key there, and by what it is multiplied."""


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
