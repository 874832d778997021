"""Limbs: whose hand each of them is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from juggle_anim.notation.jif.node import Node
from juggle_anim.notation.limits import MAX_JUGGLERS
from juggle_anim.pattern import LEFT, RIGHT
from juggle_anim.printable import printable


@dataclass(frozen=True)
class Limbs:
    """The limbs of a document.

    Args:
        hands: for each limb its juggler and hand.
        jugglers: how many there are.
    """

    hands: tuple[tuple[int, int], ...]
    jugglers: int


def read_limbs(document: Node, used: int) -> Limbs:
    """The limbs of a document, with what it leaves out.

    Where no juggler is named, limb k belongs to juggler k modulo their number, and of a juggler's limbs that have no
    type the first is the right hand. Where limbs are left out there are as many as throws use, and two a juggler.

    Args:
        document: its limbs and jugglers are read.
        used: limbs that the throws speak of.

    Raises:
        FileError: a limb is no hand, or two are the same one.
    """
    limbs = document.list_of("limbs", 2 * MAX_JUGGLERS)
    named = len(document.list_of("jugglers", MAX_JUGGLERS))
    count = len(limbs) or max(used, 2 * named)
    limbs = limbs or [Node(document.name, f"limbs[{index}]", {}) for index in range(count)]
    owners = [owner.whole(0, MAX_JUGGLERS - 1) if (owner := limb.get("juggler")) else None for limb in limbs]
    known = [owner + 1 for owner in owners if owner is not None]
    jugglers = max(named, 1, *(known or [(count + 1) // 2]))
    whose = [index % jugglers if owner is None else owner for index, owner in enumerate(owners)]
    return Limbs(tuple(zip(whose, _hands(limbs, whose), strict=True)), jugglers)


def write_limbs(jugglers: int) -> list[dict[str, Any]]:
    """The hands of some jugglers, each juggler's right hand first."""
    return [{"juggler": juggler, "type": kind} for juggler in range(jugglers) for kind in ("right hand", "left hand")]


def limb_of(juggler: int, hand: int) -> int:
    """The number among `write_limbs` of a hand."""
    return 2 * juggler + (hand == LEFT)


def juggler_name(juggler: int) -> str:
    """A to Z, then AA to AZ and so on."""
    name = ""
    number = juggler + 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _hands(limbs: list[Node], whose: list[int]) -> list[int]:
    hands = [_HANDS[kind] if (kind := _kind(limb)) else None for limb in limbs]
    taken: set[tuple[int, int]] = set()
    for index, hand in enumerate(hands):
        if hand is not None:
            _take(limbs[index], whose[index], hand, taken)
    found = []
    for index, hand in enumerate(hands):
        if hand is None:
            hand = LEFT if (whose[index], RIGHT) in taken else RIGHT
            _take(limbs[index], whose[index], hand, taken)
        found.append(hand)
    return found


def _kind(limb: Node) -> str:
    kind = limb.get("type")
    word = " ".join(re.split(r"[\s_-]+", kind.text().strip().casefold())) if kind else ""
    if kind and word not in _HANDS:
        accepted = 'limbs are a "right hand" or a "left hand"'
        raise kind.error(f'here nobody juggles with a "{printable(word, 30)}"', accepted)
    return word


def _take(limb: Node, juggler: int, hand: int, taken: set[tuple[int, int]]) -> None:
    if (juggler, hand) in taken:
        named = "left" if hand == LEFT else "right"
        raise limb.error(f"juggler {juggler} has a {named} hand already", "each juggler has a right and a left hand")
    taken.add((juggler, hand))


_HANDS = {"right hand": RIGHT, "right": RIGHT, "left hand": LEFT, "left": LEFT}
