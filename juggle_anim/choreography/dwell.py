"""Gaps: how long ago each hand last threw.

MERGED: Leaving: which hands throw before their beat, since what they throw is to be caught so soon.

MERGED: Dwell in hand siteswaps: how long before each beat its props are caught, by the rules of Juggling Lab 1.7.7.

MERGED: Holds: throws that are none, since the prop stays in its hand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from juggle_anim.pattern import Pattern, Throw

Site = tuple[int, int]
"""A hand, 2 · juggler + side, and a beat of the loop."""

SHORTEST_EMPTY = 0.05
"""A hand catches no sooner than this after it threw, [beats]."""

SHORTEST_CARRY = 0.02
"""A hand throws no sooner than this after it caught, [beats]."""

LONGEST_DWELL = 2.0
"""A hand never waits longer than this with a prop that it caught for its next throw, [beats]."""

_SHORTEST_FLIGHT = 0.3

SHORTEST_DWELL = 0.3
"""Dwell of a hand that threw on the beat before, and what a catch is moved by that would meet another, [beats]."""

# Not 0.7: which of the moments below are the very same hangs on the last bit, and this is how Juggling Lab has it.
_REST = 1 - SHORTEST_DWELL

LONGEST_HOLD = 2
"""Beats after which a prop comes back to its hand at the latest that is held although nothing says so."""


def site_of(throw: Throw) -> Site:
    """The hand and the beat of a throw."""
    return hand_of(throw), throw.beat


def gaps(pattern: Pattern, held: Sequence[bool]) -> dict[Site, float]:
    """For each hand and beat with something to throw or hold, how long ago that hand last let go of a prop, [beats].

    A hand that never does counts as one that did a whole loop ago.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
    """
    thrown: dict[int, set[int]] = {}
    for throw, stays in zip(pattern.throws, held, strict=True):
        if not stays:
            thrown.setdefault(hand_of(throw), set()).add(throw.beat)
    beats = {hand: sorted(found) for hand, found in thrown.items()}
    sites = {site_of(throw) for throw in pattern.throws}
    return {(hand, beat): _gap(beats.get(hand, [beat]), beat, pattern) for hand, beat in sites}


def previous(pattern: Pattern, site: Site, gaps: dict[Site, float]) -> Site:
    """The hand and the beat of the loop on which that hand last threw."""
    hand, beat = site
    return hand, (beat - round(gaps[site] * pattern.division)) % pattern.period


def _gap(beats: Sequence[int], beat: int, pattern: Pattern) -> float:
    place = bisect_left(beats, beat)
    parts = beat - beats[place - 1] + (pattern.period if place == 0 else 0)
    return parts / pattern.division


def shortest_flight(value: float) -> float:
    """How soon at the earliest a throw is caught, [beats]: 0.3, or half its value where that is less."""
    return min(_SHORTEST_FLIGHT, value / 2)


def early(pattern: Pattern, held: Sequence[bool], dwell: float, gaps: dict[Site, float]) -> dict[Site, float]:
    """How long before their beat those hands throw that throw early, [beats]; all others throw on the beat.

    A throw of less than two beats is to be caught `dwell` before the next throw of the hand that it goes to, as any
    other is. So it leaves as much early as it needs to fly until then: a 1 leaves dwell + 0.3 − 1 early, as in Juggling
    Lab 1.7.7. No hand throws what has not come to it yet, or before it threw last.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
        dwell: from a catch to that hand's next throw, [beats].
        gaps: as `gaps` gives them, [beats].
    """
    wanted: dict[Site, float] = {}
    for throw, stays in zip(pattern.throws, held, strict=True):
        value, site = throw.value / pattern.division, site_of(throw)
        needed = dwell + _SHORTEST_FLIGHT - value
        if value < LONGEST_DWELL and not stays and needed > 0:
            wanted[site] = max(wanted.get(site, 0.0), needed)
    return _possible(wanted, list(_limits(pattern, held, gaps, wanted)))


def _limits(
    pattern: Pattern, held: Sequence[bool], gaps: dict[Site, float], wanted: dict[Site, float]
) -> Iterator[tuple[Site, Site, float]]:
    """Pairs of hands and beats, the second of which can be early only as much as the first, and so many beats more."""
    for index, throw in enumerate(pattern.throws):
        if held[index]:
            continue
        spare = throw.value / pattern.division - SHORTEST_CARRY - shortest_flight(throw.value / pattern.division)
        lands = pattern.landings[index]
        leaves, beats = after_holds(pattern, held, index)
        for following, waits in {(lands, 0), (leaves, beats)}:
            if (site := site_of(pattern.throws[following])) in wanted:
                yield site_of(throw), site, spare + waits / pattern.division
    for site in wanted:
        yield previous(pattern, site, gaps), site, gaps[site] - SHORTEST_EMPTY - SHORTEST_CARRY


def _possible(wanted: dict[Site, float], limits: Sequence[tuple[Site, Site, float]]) -> dict[Site, float]:
    amounts, changed = dict(wanted), True
    while changed:
        changed = False
        for first, second, more in limits:
            possible = max(0.0, amounts.get(first, 0.0) + more)
            if possible < amounts[second]:
                amounts[second], changed = possible, True
    return amounts


def hand_dwells(pattern: Pattern, dwell: float) -> dict[int, float]:
    """For each beat on which props land, how long before it they are caught, [beats].

    With `dwellmax`, props are caught 0.7 beats after the hand had its last turn; without, `dwell` before the beat, or
    0.3 before it if any hand has two turns running. What would then be caught before it is even thrown flies for 0.7
    beats. Of catches at the very same moment all but one are made earlier.

    Args:
        pattern: one with a hand siteswap.
        dwell: [beats].
    """
    assert pattern.hand_siteswap is not None, "only hands with a siteswap of their own have dwells of their own"
    lowest = _lowest_landing(pattern)
    since = _since_last_turn(pattern)
    if not pattern.hand_siteswap.dwellmax:
        steady = SHORTEST_DWELL if min(since.values()) == 1 else dwell
        dwells = dict.fromkeys(sorted(lowest), steady)
    else:
        dwells = {beat: since[beat] - _REST for beat in sorted(lowest)}
    for beat, value in lowest.items():
        if dwells[beat] >= value:
            dwells[beat] = value - _REST
    _part(dwells, pattern.period)
    return {
        beat: min(dwells[beat], since[beat] - SHORTEST_EMPTY, value - shortest_flight(value))
        for beat, value in lowest.items()
    }


def _lowest_landing(pattern: Pattern) -> dict[int, int]:
    lowest: dict[int, int] = {}
    for throw in pattern.throws:
        beat = (throw.beat + throw.value) % pattern.period
        lowest[beat] = min(throw.value, lowest.get(beat, throw.value))
    return lowest


def _since_last_turn(pattern: Pattern) -> dict[int, int]:
    """For each beat, how many beats ago the hand whose turn it is had its last."""
    last = {(juggler, hand): beat - pattern.period for beat, juggler, hand in pattern.turns}
    since = {}
    for beat, juggler, hand in pattern.turns:
        since[beat] = beat - last[juggler, hand]
        last[juggler, hand] = beat
    return since


def _part(dwells: dict[int, float], period: int) -> None:
    """Move catches that are made at the very same moment apart, as Juggling Lab does: a share of 0.3 beats each."""
    near: dict[float, set[int]] = {}
    for beat in dwells:
        near.setdefault(_moment(beat, dwells, period), set()).add(beat)
    for beat in dwells:
        together = near[_moment(beat, dwells, period)]
        clashing = sorted(other for other in together if other != beat and _same(beat, other, dwells, period))
        for place, other in enumerate(clashing):
            together.discard(other)
            dwells[other] += SHORTEST_DWELL / (len(clashing) - place)
            near.setdefault(_moment(other, dwells, period), set()).add(other)


def _moment(beat: int, dwells: dict[int, float], period: int) -> float:
    return round((beat - dwells[beat]) % period, 6) % period


def _same(beat: int, other: int, dwells: dict[int, float], period: int) -> bool:
    # To the last bit: rounded, other catches would be moved than in Juggling Lab.
    return (dwells[other] - dwells[beat] - (other - beat) % period) % period == 0.0


def holds(pattern: Pattern) -> tuple[bool, ...]:
    """For each throw, whether it is no throw at all but a prop that stays in its hand.

    Only a prop that comes back to its own hand can be held. It is where the pattern says so (`3H`, and not with `2T`);
    where it says nothing, a throw of up to two beats is held unless that hand throws something else in between.
    """
    beats: dict[int, set[int]] = {}
    for throw in pattern.throws:
        beats.setdefault(hand_of(throw), set()).add(throw.beat)
    busy = {hand: sorted(found) for hand, found in beats.items()}

    def held(throw: Throw) -> bool:
        if (throw.juggler, throw.hand) != (throw.to_juggler, throw.to_hand):
            return False
        if throw.held is not None:
            return throw.held
        if throw.value > LONGEST_HOLD * pattern.division:
            return False
        return _next(busy[hand_of(throw)], throw.beat, pattern.period) >= throw.value

    return tuple(held(throw) for throw in pattern.throws)


def after_holds(pattern: Pattern, held: Sequence[bool], index: int) -> tuple[int, int]:
    """When a prop that flies is next let go of.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
        index: of a throw that is not.

    Returns:
        The index of the next throw of the same prop that is not held, and for how many beats or parts of beats the prop
        is held between.
    """
    following, beats = pattern.landings[index], 0
    while held[following]:
        beats += pattern.throws[following].value
        following = pattern.landings[following]
    return following, beats


def hand_of(throw: Throw) -> int:
    """The number of the hand that throws: 2 · juggler + side."""
    return 2 * throw.juggler + throw.hand


def _next(busy: list[int], beat: int, period: int) -> int:
    """How much later a hand has something to throw again."""
    place = bisect_right(busy, beat)
    return busy[place] - beat if place < len(busy) else busy[0] + period - beat
