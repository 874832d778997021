"""Head, jugglers and limbs of a JIF document: whose hand each limb is, and where each juggler
stands.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from juggle_anim.choreography import BodyMoves, BodyPlace, Score
from juggle_anim.errors import hand_in_words, printable
from juggle_anim.language import _
from juggle_anim.notation.jif.document import Node
from juggle_anim.notation.limits import MAX_JIF_DISTANCE, MAX_JUGGLERS
from juggle_anim.notation.numbers import decimals
from juggle_anim.notation.settings.moves import first_place, place_numbers, read_body
from juggle_anim.pattern import LEFT, RIGHT

_HANDS = {"right hand": RIGHT, "right": RIGHT, "left hand": LEFT, "left": LEFT}

_Point = tuple[float, float, float]

# m, from a juggler to the point of `lookAt`: far, so that whole metres keep the direction.
_LOOK_DISTANCE = 100


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

    Where no juggler is named, limb k belongs to juggler k modulo their number, and of a juggler's
    limbs that have no type the first is the right hand. Where limbs are left out there are as many
    as throws use, and two a juggler.

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
    # Whose each limb is, where that is said.
    owners = [
        owner.whole(0, MAX_JUGGLERS - 1) if (owner := limb.get("juggler")) else None
        for limb in limbs
    ]
    counts = [owner + 1 for owner in owners if owner is not None]
    jugglers = max(named, 1, *(counts or [(count + 1) // 2]))
    # The others are dealt to the jugglers in turn.
    jugglers_of_limbs = [
        index % jugglers if owner is None else owner for index, owner in enumerate(owners)
    ]
    return Limbs(
        tuple(zip(jugglers_of_limbs, _hands(limbs, jugglers_of_limbs), strict=True)), jugglers
    )


def write_limbs(jugglers: int) -> list[dict[str, Any]]:
    """The hands of some jugglers, each juggler's right hand first."""
    return [
        {"juggler": juggler, "type": kind}
        for juggler in range(jugglers)
        for kind in ("right hand", "left hand")
    ]


def limb_of(juggler: int, hand: int) -> int:
    """The number among `write_limbs` of a hand."""
    return 2 * juggler + (hand == LEFT)


def juggler_name(juggler: int) -> str:
    """A to Z, then AA to AZ and so on."""
    name = ""
    rest = juggler + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _hands(limbs: list[Node], whose: list[int]) -> list[int]:
    """Return the side of each limb, those that a type names first.

    Of a juggler's limbs without a type, the first free side counts, the right one before the left.
    """
    written_sides = [_HANDS[kind] if (kind := _kind(limb)) else None for limb in limbs]
    used: set[tuple[int, int]] = set()
    sides: dict[int, int] = {}
    for index in sorted(range(len(limbs)), key=lambda index: written_sides[index] is None):
        juggler = whose[index]
        hand = written_sides[index]
        if hand is None:
            hand = LEFT if (juggler, RIGHT) in used else RIGHT
        if (juggler, hand) in used:
            reason = _(
                "juggler {juggler} has a {hand} already", juggler=juggler, hand=hand_in_words(hand)
            )
            raise limbs[index].error(reason, _("each juggler has a right and a left hand"))
        used.add((juggler, hand))
        sides[index] = hand
    return [sides[index] for index in range(len(limbs))]


def _kind(limb: Node) -> str:
    kind = limb.get("type") or limb.get("kind")
    word = " ".join(re.split(r"[\s_-]+", kind.text().strip().casefold())) if kind else ""
    if kind and word not in _HANDS:
        accepted = _('limbs are a "right hand" or a "left hand"')
        raise kind.error(
            _('the limb "{word}" is not supported', word=printable(word, 30)), accepted
        )
    return word


def read_places(
    document: Node, jugglers: int, recorded: BodyMoves | None = None
) -> BodyMoves | None:
    """Return where jugglers stand; None if the document gives no positions.

    JIF has our axes: y is up, and +x is to the left of a juggler who looks along +z. Two numbers
    are x and z. A juggler without `lookAt` looks at the middle, or along +z if alone or standing in
    the middle.

    Args:
        document: its jugglers are read.
        jugglers: how many there are; some may not be listed.
        recorded: what our own member says more exactly, since the schema of JIF wants whole metres;
            it counts as long as it agrees with them.

    Raises:
        FileError: a place is none, or too far away.
    """
    nodes = document.list_of("jugglers", MAX_JUGGLERS)
    places = [_place(node, alone=jugglers == 1) for node in nodes] + [None] * (
        jugglers - len(nodes)
    )
    if recorded and _rounded(recorded, jugglers) == [_corners(node) for node in nodes]:
        return recorded
    if not any(places):
        return None
    return read_body("|".join(_text(place) for place in places))


def write_places(moves: BodyMoves | None, jugglers: int) -> list[dict[str, Any]]:
    """Return JIF's members for each juggler's place, in whole metres as the schema wants."""
    corners = _rounded(moves, jugglers) if moves else [None] * jugglers
    return [
        {"position": list(corner[0]), "lookAt": list(corner[1])} if corner else {}
        for corner in corners
    ]


def _place(juggler: Node, *, alone: bool) -> BodyPlace | None:
    position = _point(juggler, "position")
    looked_at = _point(juggler, "lookAt")
    if position is None and looked_at is None:
        return None
    x, y, z = position or (0.0, 0.0, 0.0)
    # Without `lookAt`: the middle of all, or ahead for one who is alone or stands in it.
    ahead = (x, y, z + 1) if alone or (x, z) == (0.0, 0.0) else (0.0, 0.0, 0.0)
    to = looked_at or ahead
    return BodyPlace(math.atan2(to[0] - x, to[2] - z), (x, y, z))


def _point(juggler: Node, key: str) -> _Point | None:
    """Return a point of a juggler, (x, y, z) in metres; None where it is left out."""
    node = juggler.get(key)
    if node is None:
        return None
    items = node.items(3)
    if len(items) < 2:
        raise node.error(
            _("these are {count}", count=len(items)),
            _("two numbers, x and z, or three: x, y, which is up, and z"),
        )
    numbers = [item.number(-MAX_JIF_DISTANCE, MAX_JIF_DISTANCE) for item in items]
    return (
        (numbers[0], 0.0, numbers[1]) if len(numbers) == 2 else (numbers[0], numbers[1], numbers[2])
    )


def _text(place: BodyPlace | None) -> str:
    """A place as settings have it: degrees, and cm to the right, forward and up."""
    if place is None:
        return "."
    return f"({','.join(decimals(part, 9) for part in place_numbers(place))})."


def _corners(juggler: Node) -> tuple[_Point, _Point] | None:
    position = _point(juggler, "position")
    looked_at = _point(juggler, "lookAt")
    return (position, looked_at) if position and looked_at else None


def _rounded(moves: BodyMoves, jugglers: int) -> list[tuple[_Point, _Point] | None]:
    """For each juggler the first place and something far ahead of it, in whole metres."""
    corners: list[tuple[_Point, _Point] | None] = []
    for juggler in range(jugglers):
        body_place = first_place(moves, juggler)
        if body_place is None:
            corners.append(None)
            continue
        x, y, z = (round(number) for number in body_place.position)
        ahead = (
            round(_LOOK_DISTANCE * math.sin(body_place.facing)),
            round(_LOOK_DISTANCE * math.cos(body_place.facing)),
        )
        corners.append(((x, y, z), (x + ahead[0], y, z + ahead[1])))
    return corners


def write_head(score: Score, body: BodyMoves | None) -> dict[str, Any]:
    """The members `meta`, which is left out where nothing is said, `jugglers` and `limbs`.

    Args:
        score: its title, description and number of jugglers are written.
        body: where jugglers stand; None where no place is set.
    """
    meta = {
        key: text for key, text in {"name": score.title, "description": score.about}.items() if text
    }
    places = enumerate(write_places(body, score.jugglers))
    return {
        **({"meta": meta} if meta else {}),
        "jugglers": [{"name": juggler_name(juggler), **members} for juggler, members in places],
        "limbs": write_limbs(score.jugglers),
    }
