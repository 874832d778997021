"""Patterns: who throws what to whom, on whole beats or equal parts of them, with landings, orbits
and repeats.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cached_property
from typing import NamedTuple, NoReturn, TypeVar

from juggle_anim.errors import PatternError, hand_in_words, joined_names
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import ShortRepr, dataclass

LEFT = 0
RIGHT = 1

Turn = tuple[int, int, int]
"""A beat, a juggler and a hand."""

_NO_THROW = -1  # in place of the index of a throw

_Site = tuple[int, int, int]
"""Beat in the loop, juggler and hand: where throws are made and props land."""


VALUE_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The characters of a siteswap for throws of 0 to 35 beats."""


def value_text(value: int, flags: str = "x") -> str:
    """Write the value of a throw as siteswap does: a digit, a letter from 10 on, or `{36}`.

    Args:
        value: the value, [beats].
        flags: letters with another meaning in the text, such as the `x` of crossing throws and the
            `p` of passes; the values of these letters are written in braces, as `{33}`.
    """
    character = VALUE_CHARACTERS[value : value + 1]
    return character if character and character not in flags else f"{{{value}}}"


def hand_text(throws: Sequence[str], separator: str = "") -> str:
    """Write what a hand throws on a beat: a throw, several in brackets as `[34]`, or `0` for none.

    Args:
        throws: the text of each throw.
        separator: stands between them, where two texts would be read as one.
    """
    return f"[{separator.join(throws)}]" if len(throws) > 1 else "".join(throws) or "0"


class Throw(NamedTuple):
    """One prop thrown from one hand on one beat.

    Hands are 0 (left) and 1 (right), jugglers count from 0, `value` is in beats and above 0: an
    empty hand is not a throw. `bounces` on the floor are made in the `bounce_style` "lift",
    "force", "hyper_lift" or "hyper_force", which is "" where there are none. `held` is True for a
    prop that is not to be let go, False for one that is really to be thrown, and None where the
    usual rule decides.
    """

    beat: int
    juggler: int
    hand: int
    value: int
    to_juggler: int
    to_hand: int
    bounces: int = 0
    bounce_style: str = ""
    held: bool | None = None

    @property
    def turn(self) -> Turn:
        """The beat, the juggler and the hand that throws."""
        return self[:3]

    def landing_turn(self, period: int) -> Turn:
        """The beat within the period, the juggler and the hand that catches."""
        return (self.beat + self.value) % period, self.to_juggler, self.to_hand

    @property
    def mirrored(self) -> Throw:
        """The same throw with left and right hands exchanged."""
        return self._replace(hand=1 - self.hand, to_hand=1 - self.to_hand)


@dataclass(frozen=True, repr=False)
class Pattern(ShortRepr):
    """A valid pattern: throws on beats, repeated for ever.

    Args:
        text: the pattern as it was typed.
        throws: all throws of one loop, in the order of their beats; those of one hand on one beat
            are a multiplex.
        period: beats after which every hand does the same again.
        written_period: beats that the text spells out; `531` writes 3 and swaps hands, so its
            period is 6.
        jugglers: number of jugglers.
        division: into how many parts each beat is divided, for jugglers who throw between each
            other's beats; the beats and values of throws and both periods count the parts.
        turns: every hand on every beat on which something is written for it, even that it throws
            nothing; sorted. Left out, these are the hands and beats that throw.
        hand_siteswap: the siteswap of the hands; empty if they have none.

    Raises:
        PatternError: the throws of a loop do not land one for one where throws are made.
    """

    text: str
    throws: tuple[Throw, ...]
    period: int
    written_period: int
    jugglers: int = 1
    division: int = 1
    turns: tuple[Turn, ...] = field(default=(), repr=False, compare=False)
    hand_siteswap: HandSiteswap | None = None
    mirrored: bool = field(default=False, repr=False, compare=False)
    """Whether the second half of the loop was written as the mirror image of the first, by a `*`.
    """
    landings: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """For each throw, the index of the throw that its prop makes next."""

    def __post_init__(self) -> None:
        # At once and not when first asked for, since this is what finds an impossible pattern.
        if not self.turns:
            turns = {throw.turn for throw in self.throws}
            object.__setattr__(self, "turns", tuple(sorted(turns)))
        object.__setattr__(self, "landings", find_landings(self.throws, self.period, self.jugglers))

    def beats(self, parts: int) -> float:
        """Return beats, whole or not, for parts of beats as throws and periods count them."""
        beats = parts / self.division
        return int(beats) if beats == int(beats) else round(beats, 4)

    @property
    def props(self) -> int:
        """Number of props: the sum of the values of all throws of a loop, divided by the period.

        It is a whole number, since every throw is caught.
        """
        return sum(throw.value for throw in self.throws) // self.period

    @property
    def solo_text(self) -> str:
        """The siteswap that all jugglers juggle by themselves; empty if they differ, or pass.

        `<531|531>` gives `531`. A star at the end stays: the throws are repeated with hands
        exchanged.
        """
        if self.hand_siteswap or any(throw.juggler != throw.to_juggler for throw in self.throws):
            return ""
        star = "*" if self.text.endswith("*") else ""
        text = self.text.removesuffix("*")
        if text.startswith("<"):
            parts = set(text.removeprefix("<").removesuffix(">").split("|"))
            text = parts.pop() if len(parts) == 1 else ""
        # Signs of passing that are left belong to notation which is not understood here.
        has_passing_signs = any(sign in text for sign in "<|>")
        return "" if not text or has_passing_signs else text + star

    @cached_property
    def sites(self) -> tuple[tuple[int, int], ...]:
        """For each throw its hand, 2 · juggler + hand, and its beat."""
        return tuple((hand_of(throw), throw.beat) for throw in self.throws)

    @cached_property
    def beats_of_hands(self) -> dict[int, list[int]]:
        """For each hand with turns, 2 · juggler + side, their beats, ascending."""
        turns = sorted(self.turns)
        return grouped((hand_number(juggler, side), beat) for beat, juggler, side in turns)

    @cached_property
    def orbits(self) -> tuple[Orbit, ...]:
        """The separate paths that props take: no prop ever leaves its orbit."""
        return find_orbits(self.throws, self.landings, self.period)


def find_landings(throws: Sequence[Throw], period: int, jugglers: int = 1) -> tuple[int, ...]:
    """Return for each throw the index of the throw that its prop makes next.

    Where several props land in one hand on one beat, the one thrown first makes the throw written
    first. The loop repeats, so the next throw may be made in a later round.

    Args:
        throws: all throws of one loop, with beats from 0 up to the period.
        period: length of the loop, in beats.
        jugglers: number of jugglers; errors name them if there are several.

    Raises:
        PatternError: more props land in a hand than it throws then; its `throw` is the index of the
            first throw that is too many.
    """
    single_landings = _landings_of_single_throws(throws, period)
    if single_landings is not None:
        return single_landings

    # With multiplexes or a collision: the indices of all throws that are made at each site (beat,
    # juggler and hand), in the order in which they are written, and of those that land there.
    throws_made: dict[_Site, list[int]] = defaultdict(list)
    throws_landing: dict[_Site, list[int]] = defaultdict(list)
    for throw_index, throw in enumerate(throws):
        throws_made[throw[:3]].append(throw_index)
        throws_landing[throw.landing_turn(period)].append(throw_index)
    for site, throw_indices in throws_landing.items():
        if len(throws_made[site]) != len(throw_indices):
            _raise_collision(throws, period, jugglers, throws_made, throws_landing)
    # Pair those that land on a site with those made there.
    landings = [0] * len(throws)
    values = [throw.value for throw in throws]
    for site, throw_indices in throws_landing.items():
        # All land at the same time, so the highest was thrown first. The sort keeps the order of
        # equal ones.
        throw_indices.sort(key=values.__getitem__, reverse=True)
        for throw_index, next_throw in zip(throw_indices, throws_made[site], strict=True):
            landings[throw_index] = next_throw
    return tuple(landings)


def _landings_of_single_throws(throws: Sequence[Throw], period: int) -> tuple[int, ...] | None:
    """Return the landings of a valid pattern without multiplexes by a quick look-up, else None.

    Args:
        throws: all throws of one loop, with beats from 0 up to the period.
        period: length of the loop, in beats.

    Returns:
        For each throw the index of the only throw at the site (beat, juggler and hand) where it
        lands. None if a site has several throws, or if not just one throw lands at each.
    """
    # `throw[:3]` is its turn, by a slice as files may have very many throws.
    throw_at_site = {throw[:3]: throw_index for throw_index, throw in enumerate(throws)}
    if len(throw_at_site) < len(throws):
        return None
    landings = [throw_at_site.get(throw.landing_turn(period), _NO_THROW) for throw in throws]
    # Every throw must be landed on once: none twice, and none missed.
    is_permutation = len(set(landings)) == len(throws) and _NO_THROW not in landings
    return tuple(landings) if is_permutation else None


def _raise_collision(
    throws: Sequence[Throw],
    period: int,
    juggler_count: int,
    throws_made: dict[_Site, list[int]],
    throws_landing: dict[_Site, list[int]],
) -> NoReturn:
    """Raise a `PatternError` for the first throw, as written, that has no room where it lands.

    To be called only if the numbers of throws and of landings differ at some site (a beat, juggler
    and hand). Then such a throw exists: in all, the pattern has as many landings as throws, so a
    site with too few landings implies one with too many.

    Args:
        throws: all throws of one loop.
        period: length of the loop, in beats.
        juggler_count: number of jugglers; the message names them if there are several.
        throws_made: for each site, the indices of the throws that are made there.
        throws_landing: for each site, the indices of the throws that land there.
    """
    # How many more props may land on each site: at first, the number that it throws.
    room = {site: len(throw_indices) for site, throw_indices in throws_made.items()}
    for throw_index, throw in enumerate(throws):
        site = throw.landing_turn(period)
        if room.get(site, 0) == 0:
            surplus_throw = throw_index
            break
        room[site] -= 1
    # The message names this throw and those written before it that took the room, but not those
    # written after it that land there as well.
    colliding = [
        throws[throw_there] for throw_there in throws_landing[site] if throw_there <= surplus_throw
    ]
    raise PatternError(
        _collision_message(colliding, name_jugglers=juggler_count > 1), throw=surplus_throw
    )


def _collision_message(throws: list[Throw], *, name_jugglers: bool) -> str:
    """Return the message that more throws land in a hand on one beat than it throws then.

    Args:
        throws: the throws that land there, in the order in which they are written, at least one;
            the last is the first that is too many.
        name_jugglers: whether the message names the jugglers who throw.
    """
    surplus_throw = throws[-1]
    # The throws land on one beat of the loop, perhaps of different rounds. The message tells all of
    # them as landing in the same round, the latest: each is thrown its value before that beat.
    landing_beat = max(throw.beat + throw.value for throw in throws)
    of_whom = (
        _(" of juggler {juggler}", juggler=surplus_throw.to_juggler + 1) if name_jugglers else ""
    )
    where = _(
        "in the {hand}{of_whom} on beat {beat}",
        hand=hand_in_words(surplus_throw.to_hand),
        of_whom=of_whom,
        beat=landing_beat + 1,  # people count beats from 1
    )
    names = []
    for throw in throws:
        by = _(" by juggler {juggler}", juggler=throw.juggler + 1) if name_jugglers else ""
        name = _(
            "the {value} thrown{by} on beat {beat}",
            value=throw.value,
            by=by,
            beat=landing_beat - throw.value + 1,
        )
        names.append(name)
    if len(throws) == 1:
        return _(
            "{name} lands {where}, but that hand throws nothing then", name=names[0], where=where
        )
    if len(throws) == 2:
        return _(
            "two props would land in the same hand at once: {first} and {second}, {where}",
            first=names[0],
            second=names[1],
            where=where,
        )
    return _(
        "{names} land {where}, but that hand throws only {count} then",
        names=joined_names(names),
        where=where,
        count=len(throws) - 1,
    )


class Orbit(NamedTuple):
    """One closed path of props through the throws of a pattern.

    Attributes:
        throws: indices of its throws, in the order in which a prop makes them, from the lowest
            index on.
        beats: time of a prop for one round, a multiple of the period.
        props: number of props that follow one another along it, each one period behind another.
    """

    throws: tuple[int, ...]
    beats: int
    props: int


def find_orbits(throws: Sequence[Throw], landings: Sequence[int], period: int) -> tuple[Orbit, ...]:
    """Return the orbits of a pattern, sorted by their first throws; each throw is in just one.

    An orbit is the closed path of a prop: the throws that it makes until it is back at the first.

    Args:
        throws: all throws of one loop.
        landings: for each throw, the index of the throw that its prop makes next.
        period: length of the loop, in beats.
    """
    orbits = []
    for cycle in cycles(landings):
        beats = sum(throws[throw_index].value for throw_index in cycle)
        # A prop is back at its first throw after these beats, a multiple of the period. One prop
        # makes that throw in each period until then, so there is one prop for each period.
        orbits.append(Orbit(cycle, beats, props=beats // period))
    return tuple(orbits)


def cycles(permutation: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the cycles of a permutation, each from its smallest index, ordered by these.

    Args:
        permutation: for each index the one that follows it in its cycle. Each index from 0 on must
            occur once, or a cycle would never close.
    """
    all_cycles: list[tuple[int, ...]] = []
    visited: set[int] = set()
    for first in range(len(permutation)):
        if first in visited:
            continue
        cycle = [first]
        while (successor := permutation[cycle[-1]]) != first:
            cycle.append(successor)
        visited.update(cycle)
        all_cycles.append(tuple(cycle))
    return all_cycles


@dataclass(frozen=True)
class HandSiteswap:
    """The order of hands given by a hand siteswap; each text as it was typed.

    Args:
        text: the siteswap of the hands.
        handspec: the assignment of hands to jugglers; None for the usual rule.
        hold: whether an object throw as long as its hand's own throw is held; if not, it is thrown.
        dwellmax: whether props stay in the hand as long as they can, not for the dwell that is
            asked for.
    """

    text: str
    handspec: str | None = None
    hold: bool = False
    dwellmax: bool = True


_Key = TypeVar("_Key")
_Item = TypeVar("_Item")


def grouped(pairs: Iterable[tuple[_Key, _Item]]) -> dict[_Key, list[_Item]]:
    """Return lists of the second items of pairs by the first ones, in the order of the pairs."""
    groups: dict[_Key, list[_Item]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups


def repeat_length(items: Sequence[object], step: int = 1) -> int:
    """Return the length of the shortest list that, repeated as a whole, is the given one.

    Args:
        items: the list.
        step: only multiples of it, and the length of the whole list, are tried.
    """
    count = len(items)
    # A list repeats after some items if it is equal to itself shifted by them.
    lengths = (
        length
        for length in range(step, count, step)
        if count % length == 0 and items[length:] == items[:-length]
    )
    return next(lengths, count)


def repeated(pattern: Pattern, times: int) -> Pattern:
    """Return the same pattern with a loop that goes through its throws several times.

    Args:
        pattern: the pattern.
        times: number of repetitions, 1 or more.

    Returns:
        The pattern with its throws and turns repeated `times` times; `written_period` is unchanged.
    """
    if times == 1:
        return pattern
    loop_starts = [loop * pattern.period for loop in range(times)]
    throws = tuple(
        throw._replace(beat=throw.beat + loop_start)
        for loop_start in loop_starts
        for throw in pattern.throws
    )
    turns = tuple(
        (beat + loop_start, juggler, hand)
        for loop_start in loop_starts
        for beat, juggler, hand in pattern.turns
    )
    # `mirrored` says that the second half of the loop is the mirror image of the first, which is no
    # longer so.
    return dataclasses.replace(
        pattern, throws=throws, turns=turns, period=times * pattern.period, mirrored=False
    )


def hand_number(juggler: int, side: int) -> int:
    """The number of a hand among all: 2 · juggler + side, with side 0 left and 1 right."""
    return 2 * juggler + side


def hand_of(throw: Throw) -> int:
    """The number of the throwing hand: 2 · juggler + side."""
    return 2 * throw.juggler + throw.hand


def catching_hand(throw: Throw) -> int:
    """The number of the catching hand: 2 · juggler + side."""
    return 2 * throw.to_juggler + throw.to_hand


def juggler_of_hand(hand: int) -> int:
    """The juggler of a hand, which is numbered 2 · juggler + side."""
    return hand // 2


def side_of_hand(hand: int) -> int:
    """The side of a hand, which is numbered 2 · juggler + side: 0 left, 1 right."""
    return hand % 2


def other_hand_of(hand: int) -> int:
    """The same juggler's other hand; hands are numbered 2 · juggler + side."""
    return hand ^ 1


def throw_between(
    beat: int, hand: int, landing_beat: int, to_hand: int, held: bool | None = None
) -> Throw:
    """A throw between two hands, each given as 2 · juggler + side; `held` is as in `Throw`."""
    return Throw(beat, *divmod(hand, 2), landing_beat - beat, *divmod(to_hand, 2), held=held)
