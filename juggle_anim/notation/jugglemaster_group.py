"""Groups of people in JuggleMaster lists: one siteswap that several people juggle in turn, as a
settings string.

JuggleMaster Java 2 (Takumi Okada, 2005) gives beats 2n and 2n + 1 to person n mod N, whose right
hand has the first of them; a pair is one person's, too. So a 6 of two people is a cascade for each,
and a 7 a pass.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from juggle_anim.notation.jugglemaster_style import (
    Manner,
    Row,
    moves_of_turn,
    settings_text,
    written_out,
)
from juggle_anim.notation.siteswap.write import value_text

_POINT = re.compile(r"\{\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*\}")
_PEOPLE = re.compile(r"(\d{1,2})-Person\b", re.IGNORECASE)
_OWN_STYLE = re.compile(r"\$\s*(\d[\d\s,-]*):\s*%(.*)")
_PAIR = re.compile(r"\(([^(),]*),([^(),]*)\)")
_THROW = re.compile(r"([0-9a-wyz])(x?)")

MOST_PEOPLE = 10
"""Of a group, as in JuggleMaster Java."""

_UNIT = 100 / 30  # cm; 30 units are a metre there


class Group(NamedTuple):
    """People who juggle one siteswap together.

    Args:
        people: how many.
        places: where each stands, (right, back) in units of JuggleMaster; empty where that is not
            said.
    """

    people: int
    places: tuple[tuple[int, int], ...] = ()


ALONE = Group(1)


def read_place(line: str) -> tuple[int, int] | None:
    """The place of one person of a group, `{x,y}`; None if a line is none."""
    match = _POINT.fullmatch(line.strip())
    return (int(match[1]), int(match[2])) if match else None


def people_in_name(name: str) -> int | None:
    """How many people the name of a group says, as `2-Person RL`; None if it says nothing."""
    match = _PEOPLE.match(name)
    return int(match[1]) if match and 1 <= int(match[1]) <= MOST_PEOPLE else None


def read_own_style(line: str) -> tuple[tuple[int, ...], str] | None:
    """The people, from 0, and their style in a line such as `$1,3-4:%Carry`; None if a line is
    none.
    """
    match = _OWN_STYLE.fullmatch(line)
    if match is None:
        return None
    people: set[int] = set()
    for part in match[1].split(","):
        first, dash, last = part.strip().partition("-")
        if not first.strip().isdigit() or (dash and last.strip() and not last.strip().isdigit()):
            return None
        end = int(last) if last.strip() else MOST_PEOPLE if dash else int(first)
        people.update(range(int(first) - 1, min(end, MOST_PEOPLE)))
    return tuple(sorted(people)), match[2].strip()


def group_settings(
    siteswap: str, manner: Manner, group: Group, styles: Sequence[Sequence[Row]], title: str
) -> str:
    """The settings string of a siteswap that a group juggles in turn.

    Args:
        siteswap: as JuggleMaster writes it.
        manner: its tempo, dwell and colours.
        group: who juggles.
        styles: for each of them the rows by which their hands move.
        title: of the pattern; may be empty.
    """
    if group.people == 1:
        return settings_text(siteswap, manner, title)
    text, _turns = written_out(siteswap, manner.rows)
    pairs = _PAIR.findall(text)
    if pairs:
        if text.endswith("*"):
            pairs += [(right, left) for left, right in pairs]
        who = {"pattern": _sides(pairs, group.people)}
    else:
        hands = (f"({2 * person + 2},{2 * person + 1})" for person in range(group.people))
        who = {
            "pattern": text,
            "hss": value_text(2 * group.people),
            "handspec": "".join(hands),
            "hold": "true",
            "dwellmax": "false",
        }
    moves = [
        _moves(rows, group.people if pairs else 1, person) for person, rows in enumerate(styles)
    ]
    who["hands"] = moves[0] if len(set(moves)) == 1 else f"<{'|'.join(moves)}>"
    if group.places:
        who["body"] = f"<{'|'.join(_standing(group.places))}>"
    return settings_text(siteswap, manner, title, who)


def _sides(pairs: Sequence[tuple[str, str]], people: int) -> str:
    """What each of several people throws, of pairs that they throw in turn:
    `<(6p2,6p2)(0,0)|(0,0)(6p1,6p1)>`.
    """
    sides = [""] * people
    for slot in range(math.lcm(len(pairs), people)):
        for person in range(people):
            if person == slot % people:
                left, right = (_passed(turn, slot, people) for turn in pairs[slot % len(pairs)])
                sides[person] += f"({left},{right})"
            else:
                sides[person] += "(0,0)"
    return f"<{'|'.join(sides)}>"


def _passed(turn: str, slot: int, people: int) -> str:
    """The throws of one hand with their receivers; a throw of 2n is caught by whose turn it is n
    pairs later.
    """

    def receiver(match: re.Match[str]) -> str:
        value = int(match[1], 36)
        catcher = (slot + value // 2) % people
        target = "" if catcher == slot % people or not value else f"p{catcher + 1}"
        # In a multiplex the next value would be read as part of the receiver's number.
        end = " " if target and "[" in turn else ""
        return f"{match[1]}{match[2]}{target}{end}"

    return _THROW.sub(receiver, turn)


def _moves(rows: Sequence[Row], people: int, person: int) -> str:
    """How hands of one person move, as settings have it; where pairs alternate, they rest while
    others throw.

    Args:
        rows: of the person's style.
        people: how many throw pairs in turn; 1 where single throws do, which settings count for
            each person alone.
        person: whose turn is the pair of this number, from 0.
    """
    if len(rows) == 1:
        return moves_of_turn(rows, 0)
    if people == 1:
        return "".join(moves_of_turn(rows, turn) for turn in range(math.lcm(len(rows), 2)))
    resting = ".."
    own = [
        "".join(moves_of_turn(rows, turn, paired=True) for turn in (pair, pair + 1))
        for pair in range(0, math.lcm(len(rows), 2), 2)
    ]
    return "".join(resting * person + moves + resting * (people - 1 - person) for moves in own)


def _standing(places: Sequence[tuple[int, int]]) -> list[str]:
    """Bodies side by side around the middle; x is to the juggler's right there, and to the
    picture's right here.
    """
    middle_x = sum(x for x, _ in places) / len(places)
    middle_y = sum(y for _, y in places) / len(places)
    return [f"(0,{_UNIT * (middle_x - x):.4g},{_UNIT * (y - middle_y):.4g})." for x, y in places]
