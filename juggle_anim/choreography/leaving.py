"""Leaving: which hands throw before their beat, since what they throw is to be caught so soon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from juggle_anim.choreography.gaps import Site, previous, site_of
from juggle_anim.choreography.holds import after_holds
from juggle_anim.pattern import Pattern

SHORTEST_EMPTY = 0.05
"""A hand catches no sooner than this after it threw, [beats]."""

SHORTEST_CARRY = 0.02
"""A hand throws no sooner than this after it caught, [beats]."""

LONGEST_DWELL = 2.0
"""A hand never waits longer than this with a prop that it caught for its next throw, [beats]."""

_SHORTEST_FLIGHT = 0.3


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
