"""Head, jugglers and limbs of a JIF document: whose hand each limb is, and where each juggler
stands.
"""

from __future__ import annotations

import math
import re
from typing import Any

from juggle_anim.choreography import BodyMoves, BodyPlace, Score
from juggle_anim.errors import hand_in_words, printable
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
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
    """Read the limbs of a document, and complete what it leaves out.

    Limbs that name no juggler are dealt to the jugglers in turn; of a juggler's limbs that have no
    type the first is the right hand. Where limbs are left out there are as many as throws use, at
    least two for each juggler.

    Args:
        document: its limbs and jugglers are read.
        used: number of limbs that the throws need.

    Raises:
        FileError: a limb is no hand, or two limbs are the same hand.
    """
    limbs = document.list_of("limbs", 2 * MAX_JUGGLERS)
    listed_jugglers = len(document.list_of("jugglers", MAX_JUGGLERS))
    count = len(limbs) or max(used, 2 * listed_jugglers)
    limbs = limbs or [Node(document.name, f"limbs[{index}]", {}) for index in range(count)]
    # The juggler that each limb names, from 0; None for one that names none.
    owners = [
        owner.whole(0, MAX_JUGGLERS - 1) if (owner := limb.get("juggler")) else None
        for limb in limbs
    ]
    # There are as many jugglers as are listed, and as the highest number that is named demands.
    # Where none is named, there is one for two limbs.
    counts = [owner + 1 for owner in owners if owner is not None] or [(count + 1) // 2]
    jugglers = max(listed_jugglers, 1, *counts)
    # In turn: limb k goes to juggler k modulo their number.
    jugglers_of_limbs = [
        index % jugglers if owner is None else owner for index, owner in enumerate(owners)
    ]
    sides = _sides(limbs, jugglers_of_limbs)
    return Limbs(tuple(zip(jugglers_of_limbs, sides, strict=True)), jugglers)


def write_limbs(jugglers: int) -> list[dict[str, Any]]:
    """The hands of some jugglers, each juggler's right hand first."""
    return [
        {"juggler": juggler, "type": kind}
        for juggler in range(jugglers)
        for kind in ("right hand", "left hand")
    ]


def limb_of(juggler: int, hand: int) -> int:
    """Index in `write_limbs` of a hand: 2·juggler for the right one, and the left one after it."""
    return 2 * juggler + (hand == LEFT)


def juggler_name(juggler: int) -> str:
    """Name of a juggler, from 0, in letters: A to Z, then AA to AZ and so on."""
    # Digits in base 26 without a zero, last digit first.
    name = ""
    remaining = juggler + 1
    while remaining:
        remaining, letter = divmod(remaining - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _sides(limbs: list[Node], jugglers_of_limbs: list[int]) -> list[int]:
    """Return the side of each limb, LEFT or RIGHT.

    A limb without a type is the right hand of its juggler, or the left hand if another limb is the
    right one already.

    Args:
        limbs: of a document.
        jugglers_of_limbs: the juggler of each.

    Raises:
        FileError: a juggler has a hand twice.
    """
    # Limbs that state their side come first, so that the others get what is left.
    written_sides = [_HANDS[kind] if (kind := _kind(limb)) else None for limb in limbs]
    used: set[tuple[int, int]] = set()
    sides: dict[int, int] = {}
    for index in sorted(range(len(limbs)), key=lambda index: written_sides[index] is None):
        juggler = jugglers_of_limbs[index]
        hand = written_sides[index]
        if hand is None:
            hand = LEFT if (juggler, RIGHT) in used else RIGHT
        if (juggler, hand) in used:
            reason = _(
                "juggler {juggler} already has a {hand}", juggler=juggler, hand=hand_in_words(hand)
            )
            raise limbs[index].error(reason, _("each juggler has a right and a left hand"))
        used.add((juggler, hand))
        sides[index] = hand
    return [sides[index] for index in range(len(limbs))]


def _kind(limb: Node) -> str:
    """Return the type of a limb, one of `_HANDS`; empty if it has none.

    Raises:
        FileError: another type, such as a foot.
    """
    # Case, hyphens and underscores do not matter: "Right_Hand".
    kind = limb.get("type") or limb.get("kind")
    word = " ".join(re.split(r"[\s_-]+", kind.text().strip().casefold())) if kind else ""
    if kind and word not in _HANDS:
        accepted = _('a limb is "right hand" or "left hand"')
        raise kind.error(
            _('the limb "{word}" is not supported', word=printable(word, 30)), accepted
        )
    return word


def read_places(
    document: Node, jugglers: int, recorded: BodyMoves | None = None
) -> BodyMoves | None:
    """Read where jugglers stand; None if the document gives no positions.

    JIF has our axes: y is up, and +x is to the left of a juggler who looks along +z. Two numbers
    are x and z, [m]. A juggler without `lookAt` looks at the origin, or along +z if alone or
    standing at it.

    Args:
        document: its jugglers are read.
        jugglers: their number; some may not be listed.
        recorded: the exact places from our own extension, since the schema of JIF wants whole
            metres; preferred as long as they agree with these.

    Raises:
        FileError: a place is none, or too far away.
    """
    nodes = document.list_of("jugglers", MAX_JUGGLERS)
    places = [_place(node, alone=jugglers == 1) for node in nodes] + [None] * (
        jugglers - len(nodes)
    )
    if recorded and _rounded(recorded, jugglers) == [_place_points(node) for node in nodes]:
        return recorded
    if not any(places):
        return None
    return read_body("|".join(_text(place) for place in places))


def write_places(moves: BodyMoves | None, jugglers: int) -> list[dict[str, Any]]:
    """Return `position` and `lookAt` of each juggler, in whole metres as JIF's schema wants.

    Empty for a juggler without a place.
    """
    members: list[dict[str, Any]] = []
    for points in _rounded(moves, jugglers) if moves else [None] * jugglers:
        if points is None:
            members.append({})
        else:
            position, look_at = points
            members.append({"position": list(position), "lookAt": list(look_at)})
    return members


def _place(juggler: Node, *, alone: bool) -> BodyPlace | None:
    """Position [m] and facing [rad] of a juggler; None if neither is given.

    Args:
        juggler: its member.
        alone: whether there is no other juggler.
    """
    position = _point(juggler, "position")
    looked_at = _point(juggler, "lookAt")
    if position is None and looked_at is None:
        return None
    x, y, z = position or (0.0, 0.0, 0.0)
    # Without `lookAt`: to the origin, or along +z for a juggler who is alone or stands at it.
    default = (x, y, z + 1) if alone or (x, z) == (0.0, 0.0) else (0.0, 0.0, 0.0)
    to_x, _to_y, to_z = looked_at or default
    # Facing 0 is along +z.
    return BodyPlace(math.atan2(to_x - x, to_z - z), (x, y, z))


def _point(juggler: Node, key: str) -> _Point | None:
    """Read the point of a juggler's member, (x, y, z) in metres with y up; None if left out.

    Args:
        juggler: an item of the document's jugglers.
        key: `position` or `lookAt`.

    Raises:
        FileError: not two or three numbers, or too far away.
    """
    node = juggler.get(key)
    if node is None:
        return None
    items = node.items(3)
    if len(items) < 2:
        raise node.error(
            _("this has {count}", count=len(items)),
            _("two numbers, x and z, or three: x, y (up) and z"),
        )
    numbers = [item.number(-MAX_JIF_DISTANCE, MAX_JIF_DISTANCE) for item in items]
    # Two numbers are a point on the floor.
    if len(numbers) == 2:
        x, z = numbers
        return x, 0.0, z
    x, y, z = numbers
    return x, y, z


def _text(place: BodyPlace | None) -> str:
    """A place as settings have it: angle in degrees, and cm to the right, forward and up."""
    if place is None:
        return "."
    return f"({','.join(decimals(part, 9) for part in place_numbers(place))})."


def _place_points(juggler: Node) -> tuple[_Point, _Point] | None:
    """The points `position` and `lookAt` of a juggler's member; None without one of them."""
    position = _point(juggler, "position")
    looked_at = _point(juggler, "lookAt")
    return (position, looked_at) if position and looked_at else None


def _rounded(moves: BodyMoves, jugglers: int) -> list[tuple[_Point, _Point] | None]:
    """Return the first place of each juggler and a point far ahead of it, in whole metres.

    Args:
        moves: of bodies.
        jugglers: their number.

    Returns:
        Two points (x, y, z) with y up for each juggler; None for one without a place.
    """
    points: list[tuple[_Point, _Point] | None] = []
    for juggler in range(jugglers):
        body_place = first_place(moves, juggler)
        if body_place is None:
            points.append(None)
            continue
        x, y, z = (round(number) for number in body_place.position)
        ahead_x = round(_LOOK_DISTANCE * math.sin(body_place.facing))
        ahead_z = round(_LOOK_DISTANCE * math.cos(body_place.facing))
        points.append(((x, y, z), (x + ahead_x, y, z + ahead_z)))
    return points


def write_head(score: Score, body: BodyMoves | None) -> dict[str, Any]:
    """Return members `meta`, `jugglers` and `limbs` of a document; `meta` only if it has any text.

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
