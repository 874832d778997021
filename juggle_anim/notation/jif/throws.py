"""Throws of a JIF document: repeated until the limbs are back in place, and put on a grid of
beats.

Head, jugglers and limbs of a JIF document: whose hand each limb is, and where each juggler
stands.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import BodyMoves, BodyPlace, Score
from juggle_anim.errors import FileError, PatternError, hand_in_words, printable
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.jif.document import Node, read_modifier
from juggle_anim.notation.limits import (
    MAX_JIF_DISTANCE,
    MAX_JUGGLERS,
    MAX_PERIOD,
    MAX_PROPS,
    MAX_STRETCH,
    MAX_THROWS,
    MAX_VALUE,
    decimals,
)
from juggle_anim.notation.rewriting import Powers
from juggle_anim.notation.settings.moves import first_place, place_numbers, read_body
from juggle_anim.notation.siteswap.syntax import Modifier
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw, Turn, cycles

_HANDS = {"right hand": RIGHT, "right": RIGHT, "left hand": LEFT, "left": LEFT}

_Point = tuple[float, float, float]

# m, from a juggler to the point of `lookAt`: far, so that whole metres keep the direction.
_LOOK_DISTANCE = 100


@dataclass(frozen=True)
class Limbs:
    """The limbs of a document.

    Args:
        hands: for each limb its juggler and hand.
        jugglers: number of jugglers.
    """

    hands: tuple[tuple[int, int], ...]
    jugglers: int


def read_limbs(document: Node, used: int) -> Limbs:
    """Read the limbs (hands) of a document, with defaults for missing members.

    Limbs that name no juggler are assigned to the jugglers in turn; of a juggler's limbs without a
    type the first is the right hand. If the document lists no limbs, their number follows from the
    throws, with at least two for each juggler.

    Args:
        document: the root of the document.
        used: number of limbs that the throws need.

    Raises:
        FileError: a limb is not a hand, or two limbs are the same hand.
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
    # The jugglers that limbs need: up to the highest one that is named; if none is named, one for
    # every two limbs.
    needed_jugglers = [owner + 1 for owner in owners if owner is not None] or [(count + 1) // 2]
    jugglers = max(listed_jugglers, 1, *needed_jugglers)
    # A limb k that names none belongs to juggler k modulo their number.
    jugglers_of_limbs = [
        index % jugglers if owner is None else owner for index, owner in enumerate(owners)
    ]
    sides = _sides(limbs, jugglers_of_limbs)
    return Limbs(tuple(zip(jugglers_of_limbs, sides, strict=True)), jugglers)


def write_limbs(jugglers: int) -> list[dict[str, Any]]:
    """Return the hands of given jugglers, each juggler's right hand first."""
    return [
        {"juggler": juggler, "type": kind}
        for juggler in range(jugglers)
        for kind in ("right hand", "left hand")
    ]


def limb_of(juggler: int, hand: int) -> int:
    """Index in `write_limbs` of a hand: 2·juggler for the right one, and the left one after it."""
    return 2 * juggler + (hand == LEFT)


def juggler_name(juggler: int) -> str:
    """Return the name of a juggler, from 0, in letters: A to Z, then AA to AZ and so on."""
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
        limbs: the limbs of a document.
        jugglers_of_limbs: the juggler of each.

    Raises:
        FileError: a juggler has a hand twice.
    """
    # Limbs that state their side come first; the others get the remaining sides.
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
    """Read where the jugglers stand; None if the document has no positions.

    The axes of JIF are those of this program: y is up, and +x is to the left of a juggler who looks
    along +z. Two numbers are x and z, [m]. A juggler without `lookAt` looks at the origin; one who
    is alone or at the origin looks along +z.

    Args:
        document: the root of the document.
        jugglers: number of jugglers; some may not be listed.
        recorded: the exact places from our own extension, since the schema of JIF wants whole
            metres. They are returned if they agree with these, so that nobody has moved them.

    Raises:
        FileError: a place is none, or too far away.
    """
    nodes = document.list_of("jugglers", MAX_JUGGLERS)
    is_alone = jugglers == 1
    places = [_place(node, alone=is_alone) for node in nodes]
    unlisted = jugglers - len(nodes)
    places += [None] * unlisted
    if recorded and _rounded(recorded, jugglers) == [_place_points(node) for node in nodes]:
        return recorded
    if not any(places):
        return None
    # The places go through the text of the setting `body`, with a bar between jugglers.
    return read_body("|".join(_setting_text(place) for place in places))


def write_places(moves: BodyMoves | None, jugglers: int) -> list[dict[str, Any]]:
    """Return the members `position` and `lookAt` of each juggler, in whole metres.

    JIF's schema has only whole numbers there.

    Args:
        moves: the moves of bodies; None if all stand at the usual places.
        jugglers: number of jugglers.

    Returns:
        A dictionary for each juggler; an empty one for a juggler without a place.
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
    """Return the position [m] and facing [rad] of a juggler; None if neither is given.

    A position is x, y, z with y up.

    Args:
        juggler: its member of the document, with `position` and `lookAt`, each optional.
        alone: whether this is the only juggler.
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
    """Read a point of a juggler, (x, y, z) in metres with y up; None if it is left out.

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
        numbers.insert(1, 0.0)
    x, y, z = numbers
    return x, y, z


def _setting_text(place: BodyPlace | None) -> str:
    """Return a place as settings write it: angle [°], and right, forward and up, [cm].

    None, a step without a place, is a point.
    """
    if place is None:
        return "."
    return f"({','.join(decimals(part, 9) for part in place_numbers(place))})."


def _place_points(juggler: Node) -> tuple[_Point, _Point] | None:
    """Return the points `position` and `lookAt` of a juggler's member; None without one of them."""
    position = _point(juggler, "position")
    looked_at = _point(juggler, "lookAt")
    return (position, looked_at) if position and looked_at else None


def _rounded(moves: BodyMoves, jugglers: int) -> list[tuple[_Point, _Point] | None]:
    """Return the first place of each juggler and a point far ahead of it, in whole metres.

    Args:
        moves: the moves of bodies.
        jugglers: number of jugglers.

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
        # `_LOOK_DISTANCE`, [m], is so far that whole metres keep the direction.
        ahead_x = round(_LOOK_DISTANCE * math.sin(body_place.facing))
        ahead_z = round(_LOOK_DISTANCE * math.cos(body_place.facing))
        points.append(((x, y, z), (x + ahead_x, y, z + ahead_z)))
    return points


def write_head(score: Score, body: BodyMoves | None) -> dict[str, Any]:
    """Return members `meta`, `jugglers` and `limbs` of a document; `meta` only if it has any text.

    Args:
        score: its title, description and number of jugglers are written.
        body: places of the jugglers; None if none is set.
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


BEAT_DIVISIONS = (
    *range(1, 101),
    120,
    144,
    160,
    192,
    200,
    240,
    250,
    300,
    360,
    400,
    480,
    500,
    600,
    720,
    840,
    960,
    1000,
)
"""The numbers of parts into which a beat of a document may be divided."""

SAME_TIME = 1.01e-3
"""Times that differ by less are simultaneous, [beats]."""

LARGEST_DENOMINATOR = 12
"""The largest denominator of a beat, as a fraction of the document's, that is read as a division of
beats.
"""

_EXACT_TOLERANCE = 1e-6  # beats, for rounding of floats alone

# What each key of a throw holds, for errors.
_EXPECTED = {
    "time": N_("a number of beats"),
    "duration": N_("a number of beats"),
    "from": N_("a limb number"),
    "to": N_("a limb number"),
}

_USUAL_DURATION = 3.0
"""Of a throw that says nothing of it, [beats]."""

# Tolerance [beats] and most parts of a beat, in the order in which grids are tried: exact times in
# up to hundredths, then times rounded to 0.001 in few parts, then both in many parts.
_TOLERANCES_AND_MOST_PARTS = (
    (_EXACT_TOLERANCE, 100),
    (SAME_TIME, 24),
    (_EXACT_TOLERANCE, BEAT_DIVISIONS[-1]),
    (SAME_TIME, 100),
)


@dataclass(frozen=True)
class TimedThrow:
    """A throw of a document.

    Args:
        node: the throw in the document, for messages.
        time: time of the throw, [beats of the document].
        duration: time of flight, [beats of the document]; 0 for an empty hand.
        limb, to: indices of the limbs that throw and catch it, before any permutation.
        modifier: bounces, or whether it is held.
    """

    node: Node
    time: float
    duration: float
    limb: int
    to: int
    modifier: Modifier


@dataclass(frozen=True)
class ThrowSource:
    """The place in a document that a throw of the loop comes from.

    Args:
        throw: its index in the document.
        repetition: number of permutations of the limbs before it, from 0.
        loop: whole loops by which it was moved to the front to stand in the first one.
    """

    throw: int
    repetition: int
    loop: int


@dataclass(frozen=True)
class Throws:
    """The throws of a document as a pattern.

    Args:
        pattern: without a text.
        sources: the sources of each throw of the pattern.
        written: all throws of the document.
        repetitions: the repetitions of the document in the loop.
        stretch: number of beats of the document in a beat of a juggler.
        tempo: factor of the usual tempo; 1 if the pattern has divided beats instead.
    """

    pattern: Pattern
    sources: tuple[ThrowSource, ...]
    written: tuple[TimedThrow, ...]
    repetitions: int
    stretch: float
    tempo: float


def read_throws(document: Node) -> Throws:
    """Read the throws of a document as a pattern, with defaults for missing members.

    Without times there is one throw a beat, without durations all throws last three beats, and
    without limbs (hands) all limbs throw in turn, as in jif-web
    (https://github.com/Bone008/jif-web).

    `timeStretchFactor` is the number of the document's beats in one beat of a juggler. A simple
    fraction of at least 1 divides the beats of the pattern; any other factor scales its tempo.

    Args:
        document: the root of the document.

    Returns:
        The pattern, the document's throws of which it consists, and the stretch or the tempo.

    Raises:
        FileError: a value has the wrong type or exceeds a limit, or a throw is not caught.
    """
    nodes = document.need("throws", _("a list of throws")).items(MAX_THROWS)
    # There are at least the limbs that the throws name by their indices; if they name none, the two
    # hands of a juggler.
    limb_nodes = [limb for node in nodes for limb in (node.get("from"), node.get("to")) if limb]
    in_turn = not limb_nodes
    needed_limbs = 2 if nodes else 0
    if limb_nodes:
        needed_limbs = max(node.whole(0, 2 * MAX_JUGGLERS - 1) for node in limb_nodes) + 1
    limbs = read_limbs(document, needed_limbs)
    written = tuple(_timed_throws(nodes, limbs))

    # By default jugglers who throw in turn share the beats of the document, each having every n-th
    # one of n jugglers.
    factor = document.get("timeStretchFactor")
    default_stretch = float(limbs.jugglers if in_turn else 1)
    stretch = factor.number(1 / MAX_STRETCH, MAX_STRETCH) if factor else default_stretch
    division = as_division(stretch)  # None if it scales the tempo

    unrolled, pattern, sources = _first_valid_reading(
        document, limbs, written, stretch=division or Fraction(1), in_turn=in_turn
    )
    return Throws(
        pattern,
        sources,
        written,
        repetitions=len(unrolled.permutations),
        stretch=1.0 if division is None else stretch,
        tempo=stretch if division is None else 1.0,
    )


def _first_valid_reading(
    document: Node,
    limbs: Limbs,
    written: tuple[TimedThrow, ...],
    *,
    stretch: Fraction,
    in_turn: bool,
) -> tuple[_Unrolled, Pattern, tuple[ThrowSource, ...]]:
    """Find the first period and permutation of limbs with which all throws are caught.

    A file may leave both open: after how many beats its throws repeat, and whether limbs (hands)
    exchange their throws in each repetition. The throws are repeated until all limbs are back.

    Args:
        document: the root of the document.
        limbs: its limbs.
        written: its throws.
        stretch: number of beats of the document in a beat of a juggler.
        in_turn: whether all limbs throw in turn.

    Returns:
        The repeated throws; the pattern that they make; and for each throw of the pattern its
        source in the document.

    Raises:
        FileError: a limit is exceeded, or a throw is not caught however the document is read. Then
            the error is that of the likeliest reading.
    """
    failed: tuple[_Unrolled, PatternError] | None = None
    periods = _periods(document, written)
    # A generator, since `_limb_permutations` may raise an error for a later period where an earlier
    # one fits.
    readings = (
        (period, permutation)
        for period in periods
        for permutation in _limb_permutations(document, limbs, period, in_turn=in_turn)
    )
    for period, permutation in readings:
        unrolled = _Unrolled(
            document,
            limbs,
            written,
            period=period,
            stretch=stretch,
            permutation=permutation,
        )
        try:
            pattern, sources = unrolled.pattern()
        except PatternError as error:
            failed = failed or (unrolled, error)
        else:
            return unrolled, pattern, sources
    assert failed is not None, "there is always a reading to try"
    raise _uncaught(document, *failed, guessed=len(periods) > 1)


def _timed_throws(nodes: list[Node], limbs: Limbs) -> Iterator[TimedThrow]:
    """Yield the throws of a document, with default values for keys that no throw has.

    Args:
        nodes: the throws, in the order of the document.
        limbs: the limbs of the document, of which throws name the indices.

    Raises:
        FileError: a throw lacks a key that others have, or a value cannot be read.
    """
    count = len(limbs.hands)
    values = [node.value if isinstance(node.value, dict) else {} for node in nodes]
    stated_keys = {key for key in _EXPECTED if any(value.get(key) is not None for value in values)}
    # If throws name limbs at one end, they must do so at both.
    if stated_keys & {"from", "to"}:
        stated_keys |= {"from", "to"}

    def member(node: Node, key: str) -> Node | None:
        """Return a member of a throw; None if no throw has it. If some have it, all must."""
        return node.need(key, _EXPECTED[key]) if key in stated_keys else None

    for index, node in enumerate(nodes):
        time_node = member(node, "time")
        duration_node = member(node, "duration")
        from_node = member(node, "from")
        to_node = member(node, "to")
        time = time_node.number(0, MAX_PERIOD) if time_node else float(index)
        # A throw that says nothing of its duration takes `_USUAL_DURATION` beats.
        duration = duration_node.number(0, MAX_PERIOD) if duration_node else _USUAL_DURATION
        # Without named limbs all throw in turn, one on each beat: the limb whose turn it is throws,
        # and the one whose turn it is when the throw lands catches it.
        yield TimedThrow(
            node,
            time,
            duration,
            limb=from_node.index(count, "limb") if from_node else int(time) % count,
            to=to_node.index(count, "limb") if to_node else int(time + duration) % count,
            modifier=read_modifier(node),
        )


def _periods(document: Node, written: tuple[TimedThrow, ...]) -> list[float]:
    """Return possible periods of the loop, [beats]: the one that is stated, or else two guesses.

    The guesses are one and two beats after the last throw, the likelier one first. That is two
    beats if all throws are on even beats, as they are if both hands throw at once.

    Args:
        document: the root of the document.
        written: its throws, from which a period is guessed.

    Raises:
        FileError: the document gives two periods that differ.
    """
    # Some files have the period at the root, not in `repetition`.
    nodes = [document.find("repetition", "period"), document.get("period")]
    periods = [node.number(1 / MAX_PERIOD, MAX_PERIOD) for node in nodes if node]
    if len(periods) > 1 and periods[0] != periods[1]:
        raise document.need("period", "").error(
            _("differs from repetition.period"), _("write only one of them")
        )
    if periods:
        return periods[:1]
    last_beat = math.floor(max((throw.time for throw in written), default=0))
    on_even_beats = all(throw.time % 2 == 0 for throw in written)
    guesses = [last_beat + 1.0, last_beat + 2.0]
    return guesses[::-1] if on_even_beats else guesses


def _limb_permutations(
    document: Node, limbs: Limbs, period: float, *, in_turn: bool
) -> list[list[int]]:
    """Return possible permutations of limbs from one repetition to the next, the likeliest first.

    A permutation gives for each limb the limb that makes its throws in the next repetition.
    Programs differ: in files of passist limb `limbPermutation[k]` takes over the throws of limb k;
    in those of jif-web limb k takes over those of limb `limbPermutation[k]`, and juggler k those of
    juggler `becomes`, with hands exchanged after an odd number of beats.

    Args:
        document: the root of the document.
        limbs: the limbs of the document.
        period: the period of a repetition, [beats].
        in_turn: whether all limbs throw in turn; they go on to do so in the next repetition.

    Raises:
        FileError: what the document states is no permutation, or does not suit its limbs.
    """
    count = len(limbs.hands)
    node = document.find("repetition", "limbPermutation")
    following = _following(document, limbs.jugglers)
    if node is not None:
        # The readings of passist and of jif-web are inverse. Only jif-web writes `becomes`, so its
        # reading comes first if there is one.
        stated = _permutation_of_limbs(node, count)
        inverse = [stated.index(limb) for limb in range(count)]
        return [inverse, stated] if following else [stated, inverse]
    if in_turn:
        # The next repetition begins with the limb whose turn it is.
        return [[(limb + int(period)) % count for limb in range(count)]]
    # `becomes` names only jugglers. Whether their hands are exchanged follows from the period: they
    # are after an odd number of beats which hands take in turn. The other choice is tried second.
    is_odd = int(period) % 2 == 1
    if following:
        permutations = [
            _taken_over(limbs, following, exchanged=exchanged) for exchanged in (is_odd, not is_odd)
        ]
        if not all(permutations):
            raise document.error(
                _("jugglers swap with others who have different limbs"),
                _("two hands for each juggler"),
            )
        return permutations
    # Nothing is stated: the limbs stay the same, or hands are exchanged after an odd period.
    permutations = [list(range(count))]
    if is_odd:
        exchanged_hands = _taken_over(limbs, list(range(limbs.jugglers)), exchanged=True)
        if exchanged_hands:
            permutations.append(exchanged_hands)
    return permutations


def _permutation_of_limbs(node: Node, count: int) -> list[int]:
    """Read `limbPermutation`, by which limbs exchange their throws from repetition to repetition.

    Args:
        node: the list in the document.
        count: number of limbs (hands); the list must name each once, by its index from 0.

    Raises:
        FileError: the list does not name each limb once.
    """
    permutation = [item.index(count, "limb") for item in node.items(2 * MAX_JUGGLERS)]
    if sorted(permutation) != list(range(count)):
        raise node.error(
            _("this does not name each limb once"),
            _(
                "the {count} numbers from 0 to {count2} in any order",
                count=count,
                count2=count - 1,
            ),
        )
    return permutation


def _following(document: Node, jugglers: int) -> list[int]:
    """Return for each juggler the one whose throws they make in the next repetition.

    Args:
        document: the root of the document; its jugglers may have the member `becomes`.
        jugglers: number of jugglers.

    Returns:
        Indices of jugglers; empty if no juggler has a `becomes`.

    Raises:
        FileError: two jugglers become the same one.
    """
    nodes = document.list_of("jugglers", MAX_JUGGLERS)
    if not any(node.get("becomes") for node in nodes):
        return []
    # Jugglers who are not listed, or have no `becomes`, make their own throws again.
    becomes = [node.get("becomes") for node in nodes] + [None] * (jugglers - len(nodes))
    following = [
        node.index(jugglers, "juggler") if node else juggler for juggler, node in enumerate(becomes)
    ]
    follower_counts = Counter(following)
    for juggler, node in enumerate(becomes):
        if node and follower_counts[following[juggler]] > 1:
            raise node.error(
                _("another juggler also becomes juggler {following}", following=following[juggler]),
                _("each juggler once"),
            )
    return following


def _taken_over(limbs: Limbs, following: list[int], *, exchanged: bool) -> list[int]:
    """Return the permutation of limbs (hands) that follows from one of jugglers.

    Args:
        limbs: the limbs of the document.
        following: for each juggler the juggler whose throws they make in the next repetition.
        exchanged: whether a right hand makes the throws of a left one and the reverse; if not, each
            makes those of the same hand.

    Returns:
        For each limb the limb that takes over its throws; empty if the document does not have all
        hands that are needed for that.
    """
    limb_of_hand = {hand: limb for limb, hand in enumerate(limbs.hands)}
    # For each limb the one that takes over its throws.
    successors: dict[int, int] = {}
    for (juggler, side), limb in limb_of_hand.items():
        side_before = 1 - side if exchanged else side
        limb_before = limb_of_hand.get((following[juggler], side_before))
        if limb_before is None:
            return []  # the other juggler has no such hand
        successors[limb_before] = limb
    if len(successors) < len(limb_of_hand):
        return []  # two limbs would take over the throws of one
    return [successors[limb] for limb in range(len(limb_of_hand))]


def _powers(permutation: list[int], document: Node, max_repetitions: int) -> list[list[int]]:
    """Return all powers of a permutation of limbs, from the identity until it would come again.

    The power k says which limb makes the throws of each limb in repetition k.

    Args:
        permutation: for each limb the one that makes its throws in the next repetition.
        document: the root of the document, for messages.
        max_repetitions: greatest number of repetitions.

    Returns:
        For each repetition a list with the limb that makes the throws written for each limb.

    Raises:
        FileError: there are more than `max_repetitions`.
    """
    # The order of a permutation is the least common multiple of the lengths of its cycles.
    repetitions = math.lcm(*map(len, cycles(permutation)))
    if repetitions > max_repetitions:
        node = document.find("repetition", "limbPermutation") or document
        raise node.error(
            _("the limbs take too long to return to their places"),
            _("within {most} repetitions of these throws", most=max_repetitions),
        )
    powers = Powers(tuple(permutation))
    limbs = range(len(permutation))
    return [[powers.image(limb, exponent) for limb in limbs] for exponent in range(repetitions)]


class _Unrolled:
    """The throws of a document, repeated until the limbs are themselves again.

    Attributes:
        permutations: for each repetition, the limb that makes the throws written for each limb.
        division: parts of a juggler's beat, which are the units of time of the pattern.
        parts_per_written_beat: parts in a beat of the document.
        repetition_beats: duration of a repetition, [beats of the document].
        repetition_parts: the same, [parts].
        snap_times: times of throws within a repetition, and its end, [beats of the document],
            sorted.
        period: the period of the whole loop, [parts].
        rows: the throws of the pattern and where they come from; `pattern` fills it.
    """

    def __init__(
        self,
        document: Node,
        limbs: Limbs,
        written: tuple[TimedThrow, ...],
        *,
        period: float,
        stretch: Fraction,
        permutation: list[int],
    ) -> None:
        """Choose the number of repetitions, and the grid: the parts of a beat that are its units.

        Args:
            document: the document, for messages.
            limbs: the hands of the limbs.
            written: all throws.
            period: the period of a repetition, [beats of the document].
            stretch: number of beats of the document in a beat of a juggler.
            permutation: the permutation of limbs, from one repetition to the next.

        Raises:
            FileError: the grid is too fine, or the loop too long.
        """
        self.document = document
        self.limbs = limbs
        self.written = written
        self.repetition_beats = period
        # All repetitions together stay within the limit of throws.
        max_repetitions = max(1, MAX_THROWS // max(1, len(written)))
        self.permutations = _powers(permutation, document, max_repetitions)
        # A beat of the document is divided so that all times and durations are whole parts.
        grid_times = [
            period,
            *(moment for throw in written for moment in (throw.time, throw.duration)),
        ]
        parts = beat_division(np.array(grid_times))
        # A juggler's beat is n/d beats of the document. It must have a whole number of parts, too:
        # with parts · d parts in a beat of the document it has parts · n.
        self.division = parts * stretch.numerator
        self.parts_per_written_beat = parts * stretch.denominator
        self.repetition_parts = round(period * self.parts_per_written_beat)
        # Landings snap to these times, so that rounded durations end exactly where a throw is made.
        self.snap_times = sorted({throw.time % period for throw in written} | {period})
        self.period = self.repetition_parts * len(self.permutations)
        self.rows: list[tuple[Throw, ThrowSource]] = []
        self._check_limits()

    def _check_limits(self) -> None:
        """Check that the grid is not too fine, and the loop neither too long nor empty.

        A juggler's beat is divided into the parts of the grid so that all times of the file are
        whole numbers of parts. The loop lasts until permuted limbs come back to their places.

        Raises:
            FileError: a beat has more than `MAX_STRETCH` parts, as many as the longest beat of a
                file has beats of a juggler; or the loop has no parts, or more than `MAX_PERIOD`.
        """
        if self.division > MAX_STRETCH:
            raise self.document.error(
                _("its beats have {division} parts", division=self.division),
                _(
                    "times and a timeStretchFactor that divide a beat into at most {max_stretch} "
                    "parts",
                    max_stretch=MAX_STRETCH,
                ),
            )
        if not 0 < self.period <= MAX_PERIOD:
            raise self.document.error(
                _("its loop has {period} parts of beats", period=self.period),
                _(
                    "a loop of at most {max_period} beats or parts of beats, including permuted "
                    "limbs",
                    max_period=MAX_PERIOD,
                ),
            )

    def pattern(self) -> tuple[Pattern, tuple[ThrowSource, ...]]:
        """Return the pattern, and for each of its throws the source (place) in the document.

        The throws of the document are repeated for each of `permutations`, with limbs exchanged.
        This fills `rows` with throws and sources, also if the pattern is refused, so that errors
        can name the throw. It is called once.

        Raises:
            FileError: a throw or the number of props is beyond the limits.
            PatternError: throws are not caught one for one.
        """
        # A throw of value 0 is an empty hand, which has a turn (beat, juggler, hand) but no throw.
        turns: set[Turn] = set()
        for repetition, limbs in enumerate(self.permutations):
            for index, timed_throw in enumerate(self.written):
                loop, throw = self._throw(timed_throw, repetition, limbs)
                turns.add(throw.turn)
                if throw.value:
                    self.rows.append((throw, ThrowSource(index, repetition, loop)))
        self.rows.sort(key=lambda row: row[0].turn)  # by beat, juggler and hand
        # As in siteswaps, the number of props is the average of the values over all beats.
        props = sum(throw.value for throw, _ in self.rows) / self.period
        if props > MAX_PROPS:
            raise self.document.error(
                _("this needs {props:.0f} props", props=props),
                _("the limit is {max_props}", max_props=MAX_PROPS),
            )
        pattern = Pattern(
            "",
            tuple(throw for throw, _source in self.rows),
            period=self.period,
            written_period=self.period,
            jugglers=self.limbs.jugglers,
            division=self.division,
            turns=tuple(sorted(turns)),
        )
        return pattern, tuple(source for _throw, source in self.rows)

    def _throw(
        self, timed_throw: TimedThrow, repetition: int, limbs: list[int]
    ) -> tuple[int, Throw]:
        """Return a throw of the document in one repetition, with times in whole parts of a beat.

        Args:
            timed_throw: the throw, with time and duration in beats.
            repetition: number of the repetition, from 0.
            limbs: for each limb of the document the limb that makes its throws in this repetition.

        Returns:
            The number of whole loops by which the throw was moved into the first loop; and the
            throw, with its beat and value in parts of a beat.

        Raises:
            FileError: the throw lasts too long.
        """
        start = self._grid_time(timed_throw.time)
        # The landing is rounded rather than the duration, so that it snaps to a throw.
        value = (
            self._grid_time(timed_throw.time + timed_throw.duration) - start
            if timed_throw.duration
            else 0
        )
        loop, beat = divmod(start + repetition * self.repetition_parts, self.period)
        if value > MAX_VALUE * self.division:
            raise timed_throw.node.error(
                _("this lasts {value} beats", value=value // self.division),
                _("the limit is {max_value}", max_value=MAX_VALUE),
            )
        juggler, hand = self.limbs.hands[limbs[timed_throw.limb]]
        to_juggler, to_hand = self.limbs.hands[limbs[timed_throw.to]]
        throw = Throw(beat, juggler, hand, value, to_juggler, to_hand, *timed_throw.modifier)
        return loop, throw

    def _grid_time(self, time: float) -> int:
        """Convert a time of at least 0 from beats of the document to whole parts of beats.

        A time that differs by less than `SAME_TIME` [beats] from that of a throw, in any
        repetition, becomes the time of the throw.
        """
        repetitions, time_within = divmod(time, self.repetition_beats)
        # The throw before it and the one after it: the nearer one counts.
        after = bisect_left(self.snap_times, time_within)
        neighbours = self.snap_times[max(0, after - 1) : after + 1]
        nearest = min(neighbours, key=lambda snap_time: abs(snap_time - time_within))
        if abs(nearest - time_within) < SAME_TIME:
            time_within = nearest
        parts_within = round(time_within * self.parts_per_written_beat)
        return round(repetitions) * self.repetition_parts + parts_within


def _uncaught(
    document: Node, unrolled: _Unrolled, error: PatternError, *, guessed: bool
) -> FileError:
    """Return the error for throws that are not caught one for one.

    Args:
        document: the root of the document.
        unrolled: the throws, repeated.
        error: the error of their pattern. If it names no throw, the first one is blamed.
        guessed: whether the document states no period, so that several were tried. Then the error
            is that it is missing.
    """
    if guessed:
        period = Node(document.name, "repetition.period", None)
        return period.error(_("is missing"), _("number of beats before everything repeats"))
    _throw, source = unrolled.rows[error.throw or 0]
    node = unrolled.written[source.throw].node
    # Beats in the message of `error` are parts of beats, which is added to it.
    parts = (
        _(" (counted in {division} parts a beat)", division=unrolled.division)
        if unrolled.division > 1
        else ""
    )
    return node.error(
        f"{error}{parts}", _("on every beat, each hand must catch as many props as it throws")
    )


def beat_division(moments: Floats) -> int:
    """Return the smallest number of equal parts of a beat with which all times are whole parts.

    First the times must be exact, with up to 100 parts. Then they may be rounded to 0.001, so that
    0.333 is a third, with only up to 24 parts, since rounded times are near the parts of any fine
    grid. Then both are tried with more parts. If nothing fits, the result is the greatest number of
    parts, whose rounding is not visible.

    Args:
        moments: the times, any shape, [beats].
    """
    for tolerance, most_parts in _TOLERANCES_AND_MOST_PARTS:
        for parts in BEAT_DIVISIONS:
            if parts > most_parts:
                break
            distances = np.abs(moments * parts - np.rint(moments * parts))
            # Distances from the grid are in parts, the tolerance is in beats.
            if np.all(distances <= tolerance * parts):
                return parts
    return BEAT_DIVISIONS[-1]


def as_division(stretch: float) -> Fraction | None:
    """Return a stretch factor of time as a simple fraction; None if it is none, or below 1."""
    nearest = Fraction(stretch).limit_denominator(LARGEST_DENOMINATOR)
    return nearest if nearest >= 1 and abs(nearest - Fraction(stretch)) < _EXACT_TOLERANCE else None
