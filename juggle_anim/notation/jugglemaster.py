"""JuggleMaster lists, `.jm` and `.jmp`: siteswaps and names under headings, with movements of hands
and heights.

The format is that of JuggleMaster 1.60 (Ken Matsuoka, 1996), as its README describes it, with what
JuggleMaster Pro (Arnaud BeLO, 2010) adds. Timing follows from a height and a dwell ratio, as in
`set_ini` of JMLib 2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from juggle_anim.errors import FileError, NotationError, printable
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.library import find_pattern
from juggle_anim.notation.limits import MAX_BEATS
from juggle_anim.notation.pattern_list import (
    Entry,
    Note,
    PatternList,
    collect_entries,
    lines_of,
    try_settings,
)
from juggle_anim.notation.settings import escaped, shortest_period
from juggle_anim.pattern import value_text

POINT = re.compile(r"\{([^{}]*)\}")
"""A point of a row."""

# A row of a style: where a hand catches, and where it throws.
_ROW = re.compile(r"\s*(\{[^{}]*\})\s*(\{[^{}]*\})?\s*")
# What one hand throws on a beat.
_MULTIPLEX_OR_THROW = re.compile(r"\[([^\[\]]*)\]|([0-9a-z])")
# A throw in a pair, perhaps crossing.
_THROW = re.compile(r"([0-9a-wyz])(x?)")
_PAIR_OR_STAR = re.compile(r"\((?P<left>[^(),]*),(?P<right>[^(),]*)\)|\*")
_GRAVITY = 9.8  # m/s², unless a file says otherwise
_DWELL = 0.5  # of two beats, likewise
_UNIT_ACROSS = 2.5  # cm, of a point of a style
_UNIT_UP = 5.0  # cm, of a point of a style
_FARTHEST = 128.0  # units, of a point of a style
_MAX_WRITTEN_BEATS = 240  # of moves of hands that are written out to hold still


class Row(NamedTuple):
    """Where a hand catches and then throws, (outward, up) in units of a style."""

    catch: tuple[float, float]
    throw: tuple[float, float]


NORMAL = (Row((13, 0), (4, 0)),)
"""Where hands throw and catch if nothing else is said."""


@dataclass
class Technique:
    """How patterns are juggled, as the lines before them say.

    Args:
        rows: the rows of the style: the throw on beat n takes row n, and rows repeat. Of two throws
            on a beat the right hand takes the first.
        gravity: [m/s²].
        dwell: part of two beats that a prop is held.
        height: by which the highest throw rises for each of its beats, [m].
        bps: tempo, [beats/s]; 0 if the height gives it.
        speed: of the picture, as a factor.
        mirror: whether left and right are exchanged; if not, they are as written.
        colours: the colours of the props, as settings have them.
    """

    rows: tuple[Row, ...] = NORMAL
    gravity: float = _GRAVITY
    dwell: float = _DWELL
    height: float = 0.2
    bps: float = 0.0
    speed: float = 1.0
    mirror: bool = False
    colours: str = ""


def settings_text(
    siteswap: str, technique: Technique, title: str, throwing: Mapping[str, str] | None = None
) -> str:
    """Write a JuggleMaster siteswap with its technique as a settings string of this program.

    Args:
        siteswap: the siteswap as JuggleMaster writes it.
        technique: how it is juggled: hand positions, tempo, gravity, colours.
        title: the title of the pattern; may be empty.
        throwing: the settings `pattern`, `hands` and others that say who throws what and how hands
            move, if several people juggle; None for one person, for whom they are made here.

    Returns:
        The pairs `key=value` with semicolons between them; the pattern is the first.
    """
    siteswap, turns = written_out(siteswap, technique.rows)
    if throwing is None:
        # A turn is a beat on which a hand throws or could throw. For each turn, whether the hand
        # stays still, since it only holds 2s or throws nothing.
        still = tuple(all(value == 2 for value in turn) or not any(turn) for turn in turns)
        hands = _hands_text(technique.rows, still, paired="(" in siteswap) if technique.rows else ""
        throwing = {"pattern": siteswap, "hands": hands}
    # Settings without a value are left out, and so are values that are the default here.
    pairs = {
        **throwing,
        # JuggleMaster's dwell is a part of two beats, ours is in beats.
        "dwell": f"{2 * technique.dwell:.4g}",
        "bps": f"{technique.bps:g}" if technique.bps else f"{_tempo(turns, technique):.4g}",
        # JuggleMaster's gravity is in m/s², that of settings in cm/s².
        "gravity": f"{100 * technique.gravity:g}" if technique.gravity != _GRAVITY else "",
        "speed": f"{technique.speed:g}" if technique.speed != 1 else "",
        "mirror": "on" if technique.mirror else "",
        "colors": technique.colours,
        "title": escaped(title),
    }
    return ";".join(f"{key}={value}" for key, value in pairs.items() if value)


def _tempo(turns: Sequence[Sequence[int]], technique: Technique) -> float:
    """Return the tempo at which the highest throw, at least a 3, has the stated height, [beats/s].

    A throw of value v rises by h = v × height [m]. From h = g (t / 2)² / 2 its flight takes
    t = 2 √(2 h / g) [s], as in `set_ini` of JMLib 2. In beats it takes v less the dwell. The tempo
    is the quotient of both.

    Args:
        turns: values thrown on each turn (a beat on which a hand throws), [beats]; those that cross
            in a pair are negative.
        technique: its height, gravity and dwell count.
    """
    highest_value = max([3, *(abs(value) for turn in turns for value in turn)])
    flight_time = 2 * math.sqrt(2 * highest_value * technique.height / technique.gravity)
    flight_beats = highest_value - 2 * technique.dwell
    return flight_beats / flight_time


def read_row(line: str) -> Row | None:
    """Read a row of a style, `{x,y}{x,y}`: where a hand catches and where it then throws.

    A single point is both. A coordinate that is left out is 0.

    Returns:
        The row; None if the line is something else.
    """
    if not _ROW.fullmatch(line):
        return None
    points = [_read_point(inside) for inside in POINT.findall(line)]
    catch = points[0]
    throw = points[-1]
    return Row(catch, throw) if catch and throw else None


def _read_point(inside: str) -> tuple[float, float] | None:
    """Read (outward, up) from the text between braces; None if it is malformed or too far away."""
    parts = inside.split(",") if "," in inside else inside.split()
    try:
        outward, up = (float(part.strip() or 0) for part in (*parts, "", "")[:2])
    except ValueError:
        return None
    return (outward, up) if abs(outward) <= _FARTHEST and abs(up) <= _FARTHEST else None


def written_out(siteswap: str, rows: tuple[Row, ...]) -> tuple[str, list[list[int]]]:
    """Convert a JuggleMaster siteswap to our notation, and list its values turn by turn.

    In JuggleMaster, values are digits and letters of any case. A star repeats all pairs before it
    with left and right exchanged; without pairs it is ignored.

    Args:
        siteswap: the siteswap as JuggleMaster writes it.
        rows: the rows of the style, which say where hands throw and catch, turn by turn. With
            several rows, pairs that a star repeats are written out in the siteswap, since in the
            repetition hands go on with the next rows.

    Returns:
        The siteswap, and for each turn the thrown values, [beats]. A turn is a beat on which a hand
        throws; a pair is two turns, the left hand first. Crossing values in pairs are negative.
        Repeats by stars are included.
    """
    text = siteswap.casefold().replace("×", "x")

    if "(" not in text:
        return _written_out_without_pairs(text.rstrip("*"))

    # Pairs of both hands, (left, right), with all stars written out.
    pairs: list[tuple[str, str]] = []
    for match in _PAIR_OR_STAR.finditer(text):
        if match[0] != "*":
            pairs.append((match["left"], match["right"]))
        # Each star doubles the pairs. Beyond the limit they need not be doubled, as the siteswap is
        # refused anyway when it is read.
        elif len(pairs) <= MAX_BEATS:
            pairs += [(right, left) for left, right in pairs]
    if "*" in text and len(rows) > 1:
        text = "".join(f"({left},{right})" for left, right in pairs)
    # Each throw is its value and an x or nothing.
    throws_by_turn = (_THROW.findall(turn) for pair in pairs for turn in pair)
    return text, [
        [-int(value, 36) if crosses else int(value, 36) for value, crosses in throws]
        for throws in throws_by_turn
    ]


def _written_out_without_pairs(text: str) -> tuple[str, list[list[int]]]:
    """Convert a JuggleMaster siteswap in which one hand throws at a time, as in `written_out`.

    In it x and p are the values 33 and 25. In our notation these letters mean a crossing and a
    pass, so the values are written {33} and {25}.

    Args:
        text: the siteswap in lower case, without a star.
    """
    # Group 1 of a match is a multiplex, group 2 a single throw; one of the two is empty.
    written_turns = ["".join(groups) for groups in _MULTIPLEX_OR_THROW.findall(text)]
    turns = [[int(letter, 36) for letter in turn if letter.isalnum()] for turn in written_turns]
    if text.isalpha() and find_pattern(text):
        # A siteswap of letters that is also a name of the library: writing the first value as a
        # number in braces marks it as a siteswap.
        text = f"{{{int(text[0], 36)}}}{text[1:]}"
    return text.replace("x", "{33}").replace("p", "{25}"), turns


@lru_cache(maxsize=256)
def _hands_text(rows: tuple[Row, ...], still: tuple[bool, ...], *, paired: bool) -> str:
    """Write a JuggleMaster style as our setting `hands`, in its shortest repeating form.

    A turn is a beat on which a hand throws. Each has the place of its throw, and that of the catch
    before the hand's next throw. As in JuggleMaster, a hand that holds a 2 or nothing stays where
    it caught last, if it also catches there next.

    Args:
        rows: the rows of the style, at least one: where a hand catches and then throws, turn by
            turn; they repeat.
        still: for each turn of the siteswap whether the hand holds a 2 or nothing; may be empty.
        paired: whether hands throw in pairs, which take two turns; if not, they throw in turn.
    """
    # The number of turns after which rows, pairs and still hands all repeat.
    turns_per_throw = 2 if paired else 1
    turn_count = math.lcm(len(rows), turns_per_throw, len(still) if any(still) else 1)
    if turn_count > _MAX_WRITTEN_BEATS:
        # The text would be too long: ignore still hands.
        turn_count = math.lcm(len(rows), turns_per_throw)
        still = ()
    moves = [
        moves_of_turn(rows, turn, paired=paired, still=bool(still) and still[turn % len(still)])
        for turn in range(turn_count)
    ]

    # The setting repeats its moves, so their shortest repeating part is enough.
    return "".join(shortest_period(moves))


def moves_of_turn(
    rows: Sequence[Row], turn: int, *, paired: bool = False, still: bool = False
) -> str:
    """Write one turn of the setting `hands`: the place of a throw, and of the catch after it.

    Args:
        rows: the rows of the style, at least one: where a hand catches and then throws, turn by
            turn; they repeat.
        turn: index of the turn, from 0; hands take turns one after the other.
        paired: whether hands throw in pairs, of which the left hand has the even turn.
        still: whether the hand throws nothing or holds a 2, so that it may stay at its last catch.

    Returns:
        The points of the throw and the catch, [cm], with a full stop, as `(10)(32.5).`
    """
    row_index = turn
    if paired:
        # In a pair our text has the left hand first, JuggleMaster the right hand, so the rows 2n
        # and 2n + 1 are exchanged.
        row_index = turn + 1 if turn % 2 == 0 else turn - 1
    row = rows[row_index % len(rows)]
    # The hands alternate, so the same hand's next turn takes the row two further on.
    next_catch = rows[(row_index + 2) % len(rows)].catch
    stays = still and row.catch == next_catch
    return f"{_point_text(row.catch if stays else row.throw)}{_point_text(next_catch)}."


def _point_text(point: tuple[float, float]) -> str:
    outward, up = point
    outward *= _UNIT_ACROSS
    up *= _UNIT_UP
    return f"({outward:g},{up:g})" if up else f"({outward:g})"


def of_juggle_anim(text: str, title: str) -> tuple[str, list[str]]:
    """Convert settings of JuggleAnim (Jack Boyce, 2002), which emulates JuggleMaster, to ours.

    Args:
        text: `key=value;key=value`. The siteswap is in `pattern`, the colours of props in `colors`
            and the points of catches and throws in `mat_style`; the others that are read are
            numbers, as `slowdown` or `mat_hr`. `mode` and `title` are not read.
        title: the title of the pattern.

    Returns:
        Our settings, and a sentence for each setting that is not read.
    """
    settings = {}
    for piece in text.split(";"):
        key, _equals, value = piece.partition("=")
        settings[key.strip().casefold()] = value.strip()

    rows = _rows_of_points(settings.pop("mat_style", ""))
    technique = Technique(rows, bps=_JUGGLE_ANIM_TEMPO, colours=settings.pop("colors", ""))
    # All other settings except pattern, mode and title are numbers. `unread` gets a sentence for
    # each value that is no number.
    numbers, unread = _numbers_of_settings(settings)

    # A height gives the tempo, unless that is stated as well.
    if numbers.get("mat_hr", 0.0) > 0:
        technique.bps = 0.0
    # Known numbers are converted to our units and removed from `numbers`, so that unknown ones are
    # left. A number of 0 or less stands for JuggleAnim's default.
    for our_key, their_key, factor in _JUGGLE_ANIM:
        if (number := numbers.pop(their_key, 0.0)) > 0:
            setattr(technique, our_key, number * factor)
    if (slowdown := numbers.pop("slowdown", 1.0)) > 0:
        technique.speed = round(1 / slowdown, 4)

    siteswap = "".join(settings.get("pattern", "").split())
    unread += [_("{key} is ignored", key=key) for key in numbers]
    return settings_text(siteswap, technique, title), unread


_JUGGLE_ANIM_TEMPO = 4.5  # beats/s

_JUGGLE_ANIM = (
    ("dwell", "dwell", 0.5),
    ("dwell", "mat_dr", 1.0),
    ("height", "mat_hr", 1.0),
    ("bps", "tps", 1.0),
    ("gravity", "accel", 1.0),
)
"""Numbers of JuggleAnim: the name here, the key there, and by what it is multiplied."""


def _is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


_POINT = re.compile(r"\{\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*\}")
# How many people a group has, at the beginning of its name.
_PEOPLE = re.compile(r"(\d{1,2})-Person\b", re.IGNORECASE)
# The style of given people of a group: $1,3-4:%Carry.
_OWN_STYLE = re.compile(r"\$\s*(\d[\d\s,-]*):\s*%(.*)")
_PAIR = re.compile(r"\(([^(),]*),([^(),]*)\)")

MOST_PEOPLE = 10
"""Of a group, as in JuggleMaster Java."""

_UNIT = 100 / 30  # cm; 30 units are a metre there


class Group(NamedTuple):
    """People who juggle one siteswap together.

    Args:
        people: how many.
        places: where each stands, (right, back) in units of JuggleMaster; empty if that is not
            said.
    """

    people: int
    places: tuple[tuple[int, int], ...] = ()


ALONE = Group(1)


def read_place(line: str) -> tuple[int, int] | None:
    """Read the position of one person of a group, `{x,y}`; None if a line is none."""
    match = _POINT.fullmatch(line.strip())
    return (int(match[1]), int(match[2])) if match else None


def people_in_name(name: str) -> int | None:
    """Read how many people the name of a group has, as `2-Person RL`; None if it says nothing."""
    match = _PEOPLE.match(name)
    return int(match[1]) if match and 1 <= int(match[1]) <= MOST_PEOPLE else None


def _rows_of_points(text: str) -> tuple[Row, ...]:
    """Read a style of JuggleAnim: the points of a catch and a throw, by turns, so two make a row.

    The last point of an odd number, and points that are wrong, are left out.
    """
    points_or_none = map(_read_point, POINT.findall(text))
    points = [point for point in points_or_none if point]
    return tuple(Row(catch, throw) for catch, throw in zip(points[::2], points[1::2], strict=False))


def _numbers_of_settings(settings: Mapping[str, str]) -> tuple[dict[str, float], list[str]]:
    """Return the numbers among settings of JuggleAnim, and a sentence for each wrong one.

    All settings are numbers except mode, pattern and title, even if these look like numbers.
    """
    numbers = {}
    unread = []
    for key, value in settings.items():
        if key in ("mode", "pattern", "title"):
            continue
        if _is_number(value):
            numbers[key] = float(value)
        else:
            unread.append(
                _("{key} is {value}, which is not a number", key=key, value=printable(value, 60))
            )
    return numbers, unread


def read_own_style(line: str) -> tuple[tuple[int, ...], str] | None:
    """Read a line that gives a style to single people of a group, such as `$1,3-4:%Carry`.

    Returns:
        The people, as sorted indices from 0 below `MOST_PEOPLE` (the line counts them from 1), and
        the name of their style; None if the line is something else.
    """
    match = _OWN_STYLE.fullmatch(line)
    if match is None:
        return None
    people: set[int] = set()
    for people_range in match[1].split(","):
        first, dash, last = people_range.strip().partition("-")
        if not first.strip().isdigit() or (dash and last.strip() and not last.strip().isdigit()):
            return None
        # `3-4` is the third and the fourth, `3-` everybody from the third on, `3` one person.
        if last.strip():
            end = int(last)
        elif dash:
            end = MOST_PEOPLE
        else:
            end = int(first)
        people.update(range(int(first) - 1, min(end, MOST_PEOPLE)))
    return tuple(sorted(people)), match[2].strip()


def group_settings(
    siteswap: str, technique: Technique, group: Group, styles: Sequence[Sequence[Row]], title: str
) -> str:
    """Write a JuggleMaster siteswap that a group juggles as a settings string of this program.

    The N people take turns. JuggleMaster Java 2 (Takumi Okada, 2005) gives beats 2n and 2n + 1 to
    person n mod N, whose right hand has the first of them; a pair is one person's, too. So a 6 of
    two people is a cascade for each, and a 7 is a pass.

    Args:
        siteswap: the siteswap as JuggleMaster writes it.
        technique: how it is juggled. Its rows say how the hands of one person move; for several
            people `styles` does, and only the number of rows matters.
        group: who juggles.
        styles: for each person of the group at least one row, which says where a hand catches and
            throws on a beat.
        title: the title of the pattern; may be empty.
    """
    if group.people == 1:
        return settings_text(siteswap, technique, title)
    text, _turns = written_out(siteswap, technique.rows)
    # The throws of the left and the right hand of each pair, as ("4x", "4x"); none in a siteswap of
    # single throws.
    pairs = _PAIR.findall(text)
    throwing = _pattern_of_group(text, pairs, group.people)

    # How each person's hands move. In pairs, each person throws in turn and rests while the others
    # throw, so their moves have rests, as many as there are other people. Moves of single throws
    # have none: they belong to the throws of a person, as if the person juggled alone.
    sharing = group.people if pairs else 1
    moves = [_moves_of_person(rows, sharing, person) for person, rows in enumerate(styles)]
    # Moves that are the same for all are written once.
    throwing["hands"] = moves[0] if len(set(moves)) == 1 else f"<{'|'.join(moves)}>"
    if group.places:
        throwing["body"] = f"<{'|'.join(_body_texts(group.places))}>"
    return settings_text(siteswap, technique, title, throwing)


def _pattern_of_group(text: str, pairs: list[tuple[str, str]], people: int) -> dict[str, str]:
    """Return the settings that say which person of a group throws what, by their names.

    Pairs become a passing pattern. Single throws become a hand siteswap (which has a beat for each
    hand in turn): the right hand of a person, then the left one, then those of the next person.

    Args:
        text: the siteswap.
        pairs: the pairs of throws in it, if it has any: left and right, as written.
        people: number of jugglers, 2 or more.
    """
    if pairs:
        # `written_out` leaves a star in the text if the style has a single row. It repeats the
        # pairs with sides exchanged.
        if text.endswith("*"):
            pairs = pairs + [(right, left) for left, right in pairs]
        return {"pattern": _passing_text(pairs, people)}
    # The numbers, from 1, of the left and the right hand of each person in the order of their
    # beats, in which a right hand comes before the left one.
    hands = (f"({2 * person + 2},{2 * person + 1})" for person in range(people))
    return {
        "pattern": text,
        # The siteswap of the hands: between two turns of a hand, each of the others has one.
        "hss": value_text(2 * people),
        "handspec": "".join(hands),
        # A throw that lasts until its hand's next turn is held, like a 2 of one person. Other props
        # do not stay in the hand for as long as possible.
        "hold": "true",
        "dwellmax": "false",
    }


def _passing_text(pairs: Sequence[tuple[str, str]], people: int) -> str:
    """Write a passing pattern of people who throw pairs in turn, while the others throw nothing.

    Two people who throw `(6,6)` in turn are written `<(6p2,6p2)(0,0)|(0,0)(6p1,6p1)>`.

    Args:
        pairs: throws of the left and the right hand, in the order of time; at least one pair.
        people: how many; pair n is thrown by person n mod `people`.
    """
    sides = [""] * people
    # A slot is the two beats of a pair. The sides repeat once the first person throws the first
    # pair again.
    for slot in range(math.lcm(len(pairs), people)):
        for person in range(people):
            if person == slot % people:
                left, right = (
                    _with_receivers(throws, slot, people) for throws in pairs[slot % len(pairs)]
                )
                sides[person] += f"({left},{right})"
            else:
                sides[person] += "(0,0)"
    return f"<{'|'.join(sides)}>"


def _with_receivers(throws: str, slot: int, people: int) -> str:
    """Write the throws of one hand of a pair with their receivers: `6x` becomes `6xp2`.

    A pair takes two beats, so a throw of 2n is caught by the person whose turn it is n pairs later.
    In a valid pattern the values of pairs are even.

    Args:
        throws: a throw, or a multiplex in brackets, each throw perhaps crossing, with an x.
        slot: the number of the pair, from 0, thrown by person `slot` mod `people`.
        people: number of people who throw pairs in turn.
    """

    def with_receiver(match: re.Match[str]) -> str:
        """Return the text of a throw with its receiver, such as `6xp2` for `6x`.

        Args:
            match: the value in base 36, and an `x` or nothing.
        """
        value_text, crossing = match.groups()
        value = int(value_text, 36)
        catcher = (slot + value // 2) % people
        # A 0 and a throw to oneself have no receiver.
        target = "" if catcher == slot % people or not value else f"p{catcher + 1}"
        # In a multiplex the next value would be read as part of the receiver's number.
        end = " " if target and "[" in throws else ""
        return f"{value_text}{crossing}{target}{end}"

    return _THROW.sub(with_receiver, throws)


def _moves_of_person(rows: Sequence[Row], people: int, person: int) -> str:
    """Write how the hands of one person of a group move; in pairs they rest while others throw.

    Args:
        rows: the rows of the person's style.
        people: number of people who throw pairs in turn; 1 for single throws, which have no rests,
            since settings count only a person's own throws.
        person: index from 0, which is also that of the first pair that the person throws.

    Returns:
        The moves of each turn. They begin with the first pair of the group, whoever throws it.
    """
    if len(rows) == 1:
        return moves_of_turn(rows, 0)  # the same on all turns, so that rests make no difference
    # The hands alternate. So with an odd number of rows all are gone through twice, so that each
    # comes once for either hand.
    turn_count = math.lcm(len(rows), 2)
    if people == 1:
        return "".join(moves_of_turn(rows, turn) for turn in range(turn_count))
    moves_of_pairs = [
        "".join(moves_of_turn(rows, turn, paired=True) for turn in (first, first + 1))
        for first in range(0, turn_count, 2)
    ]
    # While another person throws a pair, this one has two turns without a move, each a full stop.
    resting = ".."
    rest_before = resting * person
    rest_after = resting * (people - 1 - person)
    return "".join(rest_before + moves + rest_after for moves in moves_of_pairs)


def _body_texts(places: Sequence[tuple[int, int]]) -> list[str]:
    """Write where the people of a group stand, as the setting `body` of each.

    The mean of all places becomes the origin. In JuggleMaster x is to the juggler's right, and here
    to the picture's right, so its sign changes; that of y stays.

    Args:
        places: (x, y) of each person in units of JuggleMaster, 30 to a metre; at least one.

    Returns:
        For each person (angle 0, x, y) with x and y in cm, and a full stop behind it.
    """
    middle_x = sum(x for x, _ in places) / len(places)
    middle_y = sum(y for _, y in places) / len(places)
    # `_UNIT` is the length of JuggleMaster's unit, [cm].
    return [f"(0,{_UNIT * (middle_x - x):.4g},{_UNIT * (y - middle_y):.4g})." for x, y in places]


# Words behind a semicolon.
_COMMENT = re.compile(r"(^|\s);.*")
# A parameter for all patterns that follow: #dr=0.5.
_PARAMETER = re.compile(r"#\s*([^=]*?)\s*=\s*(.*)")
# A siteswap in quotes, in which blanks may stand, and a name.
_QUOTED = re.compile(r'"([^"]*)"\s*(.*)')
_SITESWAP = re.compile(r"[0-9a-z\[\](),×*{}]+", re.IGNORECASE)
# A letter of JuggleMaster Pro, and a shade.
_COLOUR = re.compile(r"([A-Z])([1-9]?)")

_SHOWN = 60

# Signs that begin lines in place of a parameter's name.
_ABBREVIATIONS = {"%": "style", "^": "height", "@": "dwell", "$": "colors", "£": "skill"}
# Values of parameters that leave the choice to the user or the program.
_WHO_DECIDES = ("", "true", "user", "global", "local")
# Short names of parameters.
_NAMES = {"ga": "gravity", "dr": "dwell", "hr": "height", "sp": "speed", "mr": "mirror"}
# What numbers of parameters may be.
_RANGES = {
    "gravity": (0.01, 98.0),
    "dwell": (0.01, 0.99),
    "height": (0.01, 1.0),
    "speed": (0.1, 3.0),
}
_IN_PERCENT = ("dwell", "height")
"""What JuggleMaster Pro also writes as a whole number of hundredths."""


_STYLES: dict[str, tuple[Row, ...]] = {
    "": NORMAL,
    "normal": NORMAL,
    "reverse": (Row((4, 0), (13, 0)),),
    "shower": (Row((5, 0), (10, 0)), Row((10, 0), (5, 0))),
    "mills mess": (Row((-1, 0), (-12, 0)), Row((0, 0), (12, 0)), Row((1, 0), (-12, 0))),
    "center": (Row((13, 0), (0, 0)),),
    "windmill": (Row((10, 0), (-8, 0)), Row((-8, 0), (10, 0))),
}
"""Those that JMLib knows without a file, by their names in lower case."""


def read_jugglemaster(text: str, name: str) -> PatternList:
    """Read a list of patterns of JuggleMaster or JuggleMaster Pro.

    A wrong line becomes an entry with the error, or a note.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Returns:
        The patterns and headings in the order of the file, and notes on what is not read.

    Raises:
        FileError: there are too many lines or throws, or nothing among many of them is a pattern.
    """
    reader = _Reader()
    lines = lines_of(text, name)
    return collect_entries(reader.entries(lines), name, lines, reader.notes)


class _Reader:
    """Reads line after line, each as those before it have set it up."""

    def __init__(self) -> None:
        """Initialise with one person, in the style Normal, and without definitions.

        A file defines styles (rows of hand positions), groups of people with places, and patterns,
        which use the last definition before them.
        """
        self.notes: list[Note] = []
        self._technique = Technique()
        self._styles = dict(_STYLES)  # rows by name, in lower case
        self._style = ""  # the name of the present style
        self._defining = False  # whether rows that follow go on with the present style
        self._number = 0  # of the present line, from 1
        self._groups = {"1-person": ALONE}
        self._group: Group | None = ALONE  # None if it is not known how many people there are
        self._placing = ""  # the name of the group whose places come next
        # The places of that group that were read since its name; None once a line was wrong.
        self._places: tuple[tuple[int, int], ...] | None = ()
        self._own_styles: dict[int, str] = {}  # by person

    def entries(self, lines: Sequence[str]) -> Iterator[Entry]:
        """Yield the patterns and headings of a file, line after line.

        The other lines say how the patterns below them are juggled: tempo, dwell, colours, the
        style (how hands move), and the group of people who juggle together.

        Args:
            lines: all lines of the file.
        """
        for self._number, line in enumerate(lines, start=1):
            stripped = line.strip()
            # After a blank line, styles of single people hold no longer, and a point is a row of a
            # style again, not a place in a group.
            if not stripped:
                self._own_styles = {}
                self._placing = ""
            elif stripped.startswith("/"):
                yield self._heading(stripped)
            elif stripped.startswith("*") and len(stripped) > 1:
                # A star with words behind it says who found the patterns that follow; a star alone
                # belongs to a style.
                yield Entry(stripped[1:].strip(), line=self._number)
            else:
                without_comment = _COMMENT.sub("", stripped).strip()
                entry = self._read_line(without_comment) if without_comment else None
                if entry is not None:
                    yield entry

    def _read_line(self, line: str) -> Entry | None:
        """Read a line without its comment: a pattern, or a definition for the patterns after it.

        Args:
            line: not empty, without blanks around it.

        Returns:
            The entry of a pattern, which may have an error. None for a line that sets the style,
            the group or a parameter for the patterns below it; if it is wrong, that is noted.
        """
        # Points right below the name of a group are places of people. All other points are rows of
        # a style, so any other line ends the places.
        if line[0] == "{" and self._placing:
            self._add_place(line)
            return None
        self._placing = ""
        if line[0] == "{" or line == "*":
            self._add_row(line)
        elif line[0] == "!":
            self._begin_group(line[1:].strip())
        elif own_style := read_own_style(line):
            people, style = own_style
            self._own_styles |= dict.fromkeys(people, style)
        elif line[0] in _ABBREVIATIONS:
            self._set_parameter(_ABBREVIATIONS[line[0]], line[1:].strip(), in_percent=True)
        elif parameter := _PARAMETER.match(line):
            name = re.sub(r"[\s°]", "", parameter[1]).casefold()
            self._set_parameter(
                _NAMES.get(name, name), parameter[2].strip(), in_percent=name in _IN_PERCENT
            )
        elif line[0] == "#":
            self._add_note(
                _("{line} sets nothing: write parameters as #name=value", line=_shown(line))
            )
        else:
            return self._read_pattern(line)
        return None

    def _heading(self, line: str) -> Entry:
        words = line.lstrip("/").strip().removeprefix("[").removesuffix("]").strip()
        return Entry(words if any(map(str.isalnum, words)) else "", line=self._number)

    def _read_pattern(self, line: str) -> Entry:
        """Read a siteswap and its name with the technique, group and styles of the lines before.

        Args:
            line: without its comment.

        Returns:
            The entry of the pattern, or one with the error.
        """
        quoted = _QUOTED.fullmatch(line)
        if quoted:
            siteswap, name = quoted.groups()
        else:
            # The siteswap ends at the first blank, and the name is the rest, if any.
            siteswap, *rest = line.split(None, 1)
            name = rest[0] if rest else ""
        siteswap = "".join(siteswap.split())
        display = name.strip() or siteswap
        if not _SITESWAP.fullmatch(siteswap):
            return self._no_siteswap(line, display)
        # The group is None if the group named last has no definition, or a wrong one.
        if self._group is None:
            reason = _("the number of jugglers is unknown: there is no such group")
            return Entry(display, error=FileError(reason), text=siteswap, line=self._number)
        text = group_settings(
            siteswap, self._technique, self._group, self._rows(), display if name.strip() else ""
        )
        settings, error = try_settings(text)
        if error:
            # Letters alone are more likely a line of words than a wrong siteswap.
            if siteswap.isalpha() and len(siteswap) > 1:
                return self._no_siteswap(line, display)
            # The index of the error is one in the settings string, which is not in the file. If the
            # siteswap alone is wrong as well, its error is shown, whose index holds in the file.
            _settings, own_error = try_settings(siteswap)
            return Entry(display, error=own_error or error, text=siteswap, line=self._number)
        return Entry(display, settings, text=text, line=self._number)

    def _no_siteswap(self, line: str, display: str) -> Entry:
        reason = _("this line does not start with a siteswap")
        error = NotationError(line, 0, reason, _("start with a siteswap, then a name: 531 Tower"))
        return Entry(display, error=error, text=line, line=self._number)

    def _rows(self) -> list[tuple[Row, ...]]:
        """Return each person's rows, which say how hands move: of their own style, or that for all.

        A style that is not defined is noted, and hands move as in the style Normal.

        Returns:
            For each person of the group, in order, at least one row.
        """
        for style in (self._style, *self._own_styles.values()):
            if style.casefold() not in self._styles:
                self._add_note(
                    _("there is no style {style}, so hands move as in Normal", style=_shown(style))
                )
        # Styles of single people replace the one for all, in which the technique has its rows.
        # People whom the group does not have are skipped.
        group = self._group or ALONE
        rows = [self._technique.rows] * group.people
        for person, style in self._own_styles.items():
            if person < group.people:
                # A style without a single valid row stands for Normal.
                rows[person] = self._styles.get(style.casefold()) or NORMAL
        return rows

    def _begin_group(self, name: str) -> None:
        """Take a group that was defined, or begin one whose places come in the next lines.

        For a group that was not defined, its name tells the number of people, as in `2-Person RL`.
        If the name says nothing, the group is unknown, None, until places come.
        """
        self._placing = name.casefold()
        self._places = ()
        people = people_in_name(name)
        self._group = self._groups.get(self._placing, Group(people) if people else None)

    def _add_place(self, line: str) -> None:
        """Add one person to the group that is being defined.

        A wrong line and a person beyond `MOST_PEOPLE` are noted. From then on it is unknown how
        many people the group has: its definition is removed, and further places do not restore it.
        Patterns of the group become entries with an error.

        Args:
            line: the person's place, `{x,y}`.
        """
        place = read_place(line)
        if place is None:
            self._add_note(_("{line} is not a position: write {{x,y}}", line=_shown(line)))
            self._places = None
        elif self._places is not None and len(self._places) == MOST_PEOPLE:
            self._add_note(_("more than {max_jugglers} jugglers", max_jugglers=MOST_PEOPLE))
            self._places = None
        if place is None or self._places is None:
            self._groups.pop(self._placing, None)
            self._group = None
            return
        # An earlier definition of a group with this name is replaced.
        self._places = (*self._places, place)
        self._group = Group(len(self._places), self._places)
        self._groups[self._placing] = self._group

    def _add_row(self, line: str) -> None:
        """Add a row to the style that is being defined, and use the style from now on.

        A style says how hands move: each throw takes the next row, which has the points of a catch
        and of the throw after it; rows repeat. A line that is no row, or one too many, is noted.

        Args:
            line: `{x,y}{x,y}`, or a star, which repeats all rows with those of the two hands
                exchanged.
        """
        if not self._style:
            self._add_note(_("this row belongs to no style: start one with %Name"))
            return
        # The first row below a style's name replaces an earlier definition.
        if not self._defining:
            self._styles[self._style] = ()
            self._defining = True
        rows = list(self._styles[self._style])
        has_room = len(rows) < MAX_BEATS
        if line == "*" and 2 * len(rows) <= MAX_BEATS:
            # In the repetition rows 2n and 2n + 1 are exchanged. An odd last row has no partner and
            # is not repeated.
            for first, second in zip(rows[::2], rows[1::2], strict=False):
                rows += [second, first]
        elif has_room and (row := read_row(line)):
            rows.append(row)
            if _has_depth(line):
                self._add_note(_("depths of hands and props are ignored"))
        else:
            self._add_note(
                _("{line} is not a row of a style: write {{x,y}}{{x,y}}", line=_shown(line))
            )
        self._styles[self._style] = tuple(rows)
        self._technique.rows = tuple(rows) or NORMAL

    def _set_parameter(self, name: str, value: str, *, in_percent: bool) -> None:
        """Set a parameter for the patterns that follow, or note that it is not read.

        Args:
            name: the name of the parameter, in lower case.
            value: the value as written.
            in_percent: whether a whole number from 1 on counts hundredths, as 50 for 0.5; if not,
                it is taken as it is.
        """
        # Values such as `user` leave the choice to the program, so nothing is set. So does `true`,
        # except for `mirror`, which is a switch.
        if value.casefold() in _WHO_DECIDES and name != "mirror":
            return
        if name == "style":
            self._style = "" if value == "false" else value.casefold()
            self._defining = False  # until rows follow, the style is one defined before
            self._technique.rows = self._styles.get(self._style) or NORMAL
        elif name == "colors":
            self._technique.colours = self._colours_text(value)
        elif name == "mirror":
            self._technique.mirror = value.casefold() in ("1", "true")
        elif name in _RANGES:
            self._set_number(name, value, in_percent=in_percent)
        elif name in ("reversesiteswap", "reversestyle") and value.casefold() != "false":
            self._add_note(_("#{name} is ignored: patterns are juggled forwards", name=name))
        # Any other parameter has no counterpart here. One that is switched off changes nothing in
        # JuggleMaster either, so it is not noted.
        elif value.casefold() not in ("false", "0"):
            self._add_note(_("picture and sound settings of that program are ignored"))

    def _set_number(self, name: str, value: str, *, in_percent: bool) -> None:
        """Set a number of the technique within its range, or note that it is wrong.

        Args:
            name: the name of the parameter, a key of `_RANGES`.
            value: the value as written, perhaps with a percent sign.
            in_percent: whether a whole number from 1 on counts hundredths, as 50 for 0.5; if not,
                it is taken as it is.
        """
        low, high = _RANGES[name]
        try:
            number = float(value.removesuffix("%"))
        except ValueError:
            number = math.nan  # compares as false with the limits, so that it is noted below
        # A number with a point, such as 1.5, is never in hundredths.
        if in_percent and number >= 1 and "." not in value:
            number /= 100
        if low <= number <= high:
            setattr(self._technique, name, number)
        else:
            self._add_note(
                _(
                    "#{name} is {shown}, but must be a number from {low:g} to {high:g}",
                    name=name,
                    shown=_shown(value),
                    low=low,
                    high=high,
                )
            )

    def _colours_text(self, value: str) -> str:
        """Return the colours of props as the setting `colors` has them: `{r,g,b}` for each.

        Args:
            value: a capital letter for each colour, perhaps with a shade from 1 (light) to 9
                (dark); or `false`, which stands for the default colours.

        Returns:
            The colours in the order of `value`, r, g and b from 0 to 255. Empty if any colour is
            unknown, which is noted, and for `false`.
        """
        letters_and_shades = _COLOUR.findall(value)
        # `findall` skips text that matches nothing. So if all matches together are not the whole
        # value, something in it is not a colour.
        is_read = "".join(map("".join, letters_and_shades)) == value.replace(" ", "")
        if not is_read or any(
            letter not in _COLOURS for letter, _shade_digit in letters_and_shades
        ):
            if value.casefold() != "false":
                self._add_note(_("unknown colours {value}", value=_shown(value)))
            return ""
        # The default shade 5 is the colour itself. {{ and }} in the f-string are written as braces.
        return "".join(
            f"{{{_shaded_text(_COLOURS[letter], int(shade or 5))}}}"
            for letter, shade in letters_and_shades
        )

    def _add_note(self, text: str) -> None:
        self.notes.append(Note(self._number, text))


def _has_depth(line: str) -> bool:
    """Return whether a point in a row has more than two coordinates."""
    return any(part.strip() for inside in POINT.findall(line) for part in inside.split(",")[2:])


def _shown(text: str) -> str:
    return printable(text, _SHOWN)


_COLOURS = {
    letter: int(colour, 16)
    for letter, colour in zip(
        "ABCDEFGHIKLMNOPQRSTUVWXYZ",
        (
            *(
                "7fdbd4",
                "2020ff",
                "00e0e0",
                "202020",
                "00a050",
                "ff00ff",
                "00c000",
                "e6b422",
                "4b0082",
                "c3b091",
            ),
            *(
                "b57edc",
                "800000",
                "0a0a50",
                "ff8c00",
                "ff8cb4",
                "d8bfd8",
                "ff0000",
                "f4c430",
                "d2b48c",
                "4166f5",
            ),
            *("e34234", "ffffff", "d0f0ff", "ffff00", "9ca3a8"),
        ),
        strict=True,
    )
}
"""The colours that letters of JuggleMaster Pro name, as R is red."""


def _shaded_text(colour: int, shade: int) -> str:
    """Return a colour as r,g,b in a shade: 1 is nearly white, 5 itself, 9 nearly black."""
    target = 255 if shade < 5 else 0
    share = abs(shade - 5) / 5  # of white or black
    mixed = (round(part + (target - part) * share) for part in colour.to_bytes(3, "big"))
    return ",".join(map(str, mixed))
