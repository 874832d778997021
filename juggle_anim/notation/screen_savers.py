"""Lists of screen savers: those of JuggleSaver, and the tables of patterns in the sources of xscreensaver.

JuggleSaver writes `"name" 4b@(-2,1)>(1,1) 2b 3b;`: throws with the kind of prop, where each is thrown from and caught,
and its turns, as `ParsePattern` of juggler3d.c (Brian Apps, 2005) reads them. The table of juggle.c (Tim Auckland,
2002) is in Adam notation, where a throw says how many props are thrown at least as high before it comes down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from juggle_anim.errors import JuggleError, NotationError, printable
from juggle_anim.language import N_, _
from juggle_anim.notation.pattern_list import Entry, Note, PatternList, lines_of, within_budget, without_traceback
from juggle_anim.notation.settings.settings import read_settings
from juggle_anim.notation.settings.syntax import escaped

_STATEMENT = re.compile(
    r'^\$(?P<words>[^\n]*)|^[^\S\n]*"(?P<name>[^"\n]*)"(?P<throws>[^;"]*);|(?P<rest>\S[^\n"]*)', re.MULTILINE
)
_DECORATION = re.compile(r"[\s$=-]*|\(\d+ entries\)")
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_REMARK = r"\s{0,40}(?:/\*[^*\n]{0,200}\*/\s{0,40}){0,2}"
_TABLE_ROW = re.compile(rf"[{{(]\s*{_STRING}{_REMARK}(?:,{_REMARK}(?:{_STRING})?)?{_REMARK},?\s*[}})]")
_STRING_OR_END = re.compile(rf"{_STRING}|[,}}]")
_ADAM = re.compile(r"\[([^\[\]]*)\]")
_ADAM_THROW = re.compile(r"([^\s\d]*)(\d{1,2})(?!\d)")
_POSITION = r"\(([^()]*)\)"
_THROW = re.compile(
    rf"\s*(?P<value>[0-9A-Z])\s*(?P<prop>[bBcCrRdD]?)\s*(?:@\s*{_POSITION})?\s*(?:>\s*3?\s*{_POSITION})?"
    rf"\s*(?P<snatch>/\s*\([^()]*\))?\s*(?:\*\s*(?P<spins>-?\d+))?\s*"
)

_CARRIED = "0.56"  # beats that a prop is held, `CARRY_TIME` of juggler3d.c
_UNIT = 15.0  # cm; a ball, whose radius is 0.34 units, is then as large as in Juggling Lab
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PROPS = {"b": "ball", "c": "club", "r": "ring"}
_SHOWN = 60
_MOST_THROWS, _MOST_PROPS = 100, 35  # in Adam notation

_ANGLES = N_("angles of props, speeds of hands and turns of single throws are not read")
_MEANINGS = {"_": "B", "": ""}
_SIGNS = N_(
    "+ and - before a throw, which say how the arm goes, = and &, which say under the arm, and the like are not read"
)

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
    prop: str
    start: Position | None
    end: Position | None


def read_screen_saver(text: str, name: str) -> PatternList:
    """Read a list of JuggleSaver, or the patterns in the source of a screen saver.

    Args:
        text: the whole file.
        name: of the file, for errors.

    Raises:
        FileError: there are too many lines or throws, or nothing among many of them is a pattern.
    """
    lines = lines_of(text, name)
    notes: list[Note] = []
    joined = "\n".join(lines)
    read = _of_strings if "PatternText" in joined else _of_table if _TABLE_ROW.search(joined) else _of_list
    entries = tuple(within_budget(read(joined, notes), name, lines, notes))
    return PatternList(entries, notes=tuple(notes))


def _of_list(text: str, notes: list[Note]) -> Iterator[Entry]:
    """The statements of a JuggleSaver list; what begins with a $ is words."""
    line, place = 1, 0
    for found in _STATEMENT.finditer(text):
        line, place = line + text.count("\n", place, found.start()), found.start()
        if found["words"] is not None:
            if not _DECORATION.fullmatch(words := found["words"].strip(" $")):
                yield Entry(words.rstrip(":"), line=line)
        elif found["throws"] is not None:
            yield _entry(found["name"].strip(), found["throws"].strip(), line, notes)
        else:
            notes.append(
                Note(line, _("no pattern is in it, so it is skipped: {found}", found=printable(found["rest"], _SHOWN)))
            )


def _of_table(text: str, notes: list[Note]) -> Iterator[Entry]:
    """The rows of a table in a source: throws in Adam notation and a name, in braces."""
    line, place = 1, 0
    for found in _TABLE_ROW.finditer(text):
        line, place = line + text.count("\n", place, found.start()), found.start()
        if adam := _ADAM.fullmatch(found[1].strip()):
            yield _of_adam(adam[1], (found[2] or "").replace('\\"', '"').strip(), line, notes)


def _of_strings(text: str, notes: list[Note]) -> Iterator[Entry]:
    """The patterns in a source that names none: throws of JuggleSaver in strings, which go on until a comma."""
    line, place, throws, begun = 1, 0, "", 1
    for found in _STRING_OR_END.finditer(text, text.find("PatternText")):
        line, place = line + text.count("\n", place, found.start()), found.start()
        if found[1] is not None:
            throws, begun = throws + found[1], begun if throws else line
        elif throws:
            if "@" in throws:
                yield _entry("", throws, begun, notes)
            throws = ""


def _entry(name: str, throws: str, line: int, notes: list[Note]) -> Entry:
    read, rest = _throws(throws)
    if rest:
        accepted = _("throws as 3, 5b or 7c@(-2,0)>(2,0), and a ; after the last")
        error = NotationError(
            throws, max(0, len(throws) - len(rest)), _("this is not a throw of JuggleSaver"), accepted
        )
        return Entry(name or throws[:_SHOWN], error=error, text=" ".join(throws.split()), line=line)
    if any(character in throws for character in "/*") or re.search(r"\([^()]*,[^()]*,", throws):
        notes.append(Note(line, _ANGLES))
    values = "".join(f"{{{throw.value}}}" if throw.value in (25, 33) else _DIGITS[throw.value] for throw in read)
    hands = _hands(read)
    pairs = [("pattern", values), ("hands", hands), ("dwell", _CARRIED if hands else ""), ("prop", _kinds(read))]
    pairs.append(("title", escaped(name) if name != values else ""))
    bare = not any(value for _, value in pairs[1:])
    text = values if bare else ";".join(f"{key}={value}" for key, value in pairs if value)
    entry = _read(text, name or values, line)
    # The caret of an error stands in the throws, if they are wrong by themselves.
    alone = _read(values, name or values, line) if entry.error else entry
    return alone if alone.error else entry


def _read(text: str, name: str, line: int) -> Entry:
    try:
        return Entry(name, read_settings(text), text=text, line=line)
    except JuggleError as error:
        return Entry(name, error=without_traceback(error), text=text, line=line)


def _throws(text: str) -> tuple[list[Throw], str]:
    """The throws of a text, and the rest of it from the first that is none."""
    read, place = [], 0
    while place < len(text) and (found := _THROW.match(text, place)):
        start, end = found[3], found[4]
        positions = [None if each is None else _position(each) for each in (start, end)]
        if (start is not None and positions[0] is None) or (end is not None and positions[1] is None):
            break
        read.append(Throw(int(found["value"], 36), _PROPS.get(found["prop"].lower(), ""), positions[0], positions[1]))
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

    Their first throw is the left hand's, ours the right hand's, so the picture is mirrored. A hand that throws nothing
    goes on to where it next does.
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
        start = "-" if throw.value in (0, 2) else _place(throw.start or _usual_start(number, throw.value), number)
        later = caught.get((number + 2) % count)
        end = _place(later.end or _usual_end(int(later.prop), later.value), number) if later else "-"
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
    outward, up = _UNIT * position[0] * (1 if number % 2 else -1), _UNIT * position[1]
    return f"({outward:g},{up:g})" if up else f"({outward:g})"


def _kinds(throws: Sequence[Throw]) -> str:
    """The kinds of props in the order in which they are first thrown; empty where all are balls."""
    highest = max(throw.value for throw in throws)
    landed, kinds = set[int](), []
    for number in range(highest):
        throw = throws[number % len(throws)]
        if throw.value and number not in landed:
            kinds.append(throw.prop or "ball")
        landed.add(number + throw.value)
    return "" if set(kinds) <= {"ball"} else kinds[0] if len(set(kinds)) == 1 else ",".join(kinds)


def _of_adam(adam: str, name: str, line: int, notes: list[Note]) -> Entry:
    found = _ADAM_THROW.findall(adam)
    values = [int(number) for _, number in found]
    heights = _heights(values)
    if heights is None or "".join(map("".join, found)) != "".join(adam.split()):
        reason = _("this is no pattern in Adam notation")
        error = NotationError(f"[{adam}]", 0, reason, _("numbers of props in brackets, as [3 2 1], which is 531"))
        return Entry(name or f"[{adam}]", error=error, text=f"[{adam}]", line=line)
    signs = [sign for sign, _ in found]
    if any(sign not in _MEANINGS for sign in signs):
        notes.append(Note(line, _SIGNS))
    text = "".join(
        (_DIGITS[height] if height < len(_DIGITS) and height not in (25, 33) else f"{{{height}}}")
        + ("B" if "_" in sign else "")
        for sign, height in zip(signs, heights, strict=True)
    )
    return _read(f"{text};title={escaped(name)}" if name else text, name or text, line)


def _heights(values: Sequence[int]) -> list[int] | None:
    """The siteswap of a pattern in Adam notation; None if a throw never comes down.

    A throw of n is in the air until n throws were made each of which reaches as high as what is left to wait for.
    """
    if len(values) > _MOST_THROWS or max(values, default=0) > _MOST_PROPS:
        return None
    heights = []
    for place, value in enumerate(values):
        left, height = value, 0
        while left > 0:
            if height > len(values) * (value + 1):
                return None
            height += 1
            left -= values[(place + height) % len(values)] >= left
        heights.append(height)
    return heights or None
