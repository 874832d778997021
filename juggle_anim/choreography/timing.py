"""When hands throw and catch: beats and dwell become moments.

The rules are those of Juggling Lab 1.7.7. They speak of beats; the moments count what the pattern counts, which is
parts of a beat where it divides its beats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from juggle_anim.choreography.dwell import (
    LONGEST_DWELL,
    SHORTEST_CARRY,
    SHORTEST_EMPTY,
    Site,
    after_holds,
    early,
    gaps,
    hand_dwells,
    hand_of,
    holds,
    previous,
    shortest_flight,
    site_of,
)
from juggle_anim.pattern import Pattern, Throw

__all__ = ["SHORTEST_CARRY", "SHORTEST_EMPTY", "SHORTEST_SQUEEZE", "Timing", "hand_of", "holds", "time_throws"]

SHORTEST_SQUEEZE = 0.01
"""Catches that would follow each other within less are made at once, [beats]."""


MOST_GIVEN = 0.3
"""By how much a dwell may grow or shrink for what comes and what went, [beats]."""


@dataclass(frozen=True)
class Timing:
    """Moments of one loop, counted as the pattern counts: in beats, or parts of a beat.

    Args:
        throw: when each throw of the pattern leaves its hand; without meaning for a hold.
        catch: when the prop is caught again, later than `throw` and maybe in a later loop; likewise.
        held: which throws are never let go.
    """

    throw: tuple[float, ...]
    catch: tuple[float, ...]
    held: tuple[bool, ...]


def time_throws(pattern: Pattern, dwell: float, squeeze: float, give: float = 0.0) -> Timing:
    """When each throw leaves its hand and is caught.

    Args:
        pattern: what is juggled.
        dwell: from a catch to that hand's next throw, [beats].
        squeeze: time over which several catches in one hand are spread, [beats].
        give: by how many beats the dwell grows for each beat that what comes is higher than what the hand threw last,
            or shrinks where it is lower: who waits for a high throw has the time, and it can be thrown less high.
    """
    held = holds(pattern)
    arrivals = _arrivals(pattern, held)
    if pattern.hand_siteswap is None:
        ahead, carries = _usual(pattern, held, arrivals, dwell, give)
    else:
        dwells = hand_dwells(pattern, dwell)
        ahead, carries = {}, {site: dwells[site[1]] for site in arrivals}
    catch = [0.0] * len(pattern.throws)
    for site, flown in arrivals.items():
        latest = _latest(pattern, held, flown, ahead)
        for index, before in _spread(pattern, flown, max(carries[site], latest), latest, squeeze):
            landing = pattern.throws[index].beat + pattern.throws[index].value
            catch[index] = _rounded(landing - before * pattern.division)
    leave = (throw.beat - ahead.get(site_of(throw), 0.0) * pattern.division for throw in pattern.throws)
    return Timing(tuple(map(_rounded, leave)), tuple(catch), held)


_Arrivals = dict[Site, list[int]]
"""For each hand and beat, which throws come there; holds do not come, they are there."""


def _arrivals(pattern: Pattern, held: Sequence[bool]) -> _Arrivals:
    arrivals: _Arrivals = {}
    for index, landing in enumerate(pattern.landings):
        if not held[index]:
            arrivals.setdefault(site_of(pattern.throws[landing]), []).append(index)
    return arrivals


def _usual(
    pattern: Pattern, held: Sequence[bool], arrivals: _Arrivals, dwell: float, give: float
) -> tuple[dict[Site, float], dict[Site, float]]:
    """How long before its beat each hand throws, if it is early, and how long before it it catches, [beats]."""
    found = gaps(pattern, held)
    ahead = early(pattern, held, dwell, found)
    highest: dict[Site, int] = {}
    for throw in pattern.throws:
        highest[site_of(throw)] = max(highest.get(site_of(throw), 0), throw.value)

    def carry(site: Site) -> float:
        longest = LONGEST_DWELL
        if found[site] <= LONGEST_DWELL:
            longest = found[site] + ahead.get(previous(pattern, site, found), 0.0)
        flown = [_latest_flight(pattern.throws[index], pattern.division, ahead) for index in arrivals[site]]
        own = dwell + _given(pattern, arrivals[site], previous(pattern, site, found), highest, give) if give else dwell
        return min(own, longest - SHORTEST_EMPTY, *flown)

    return ahead, {site: carry(site) for site in arrivals}


def _given(pattern: Pattern, flown: Sequence[int], last: Site, highest: dict[Site, int], give: float) -> float:
    """By how much the dwell grows or shrinks before the beat on which these throws land, [beats]."""
    comes = max(pattern.throws[index].value for index in flown)
    higher = (comes - highest.get(last, comes)) / pattern.division
    return max(-MOST_GIVEN, min(give * higher, MOST_GIVEN))


def _latest_flight(throw: Throw, division: int, ahead: dict[Site, float]) -> float:
    """How long before the beat on which it lands a throw can be caught, [beats]."""
    value = throw.value / division
    return value + ahead.get(site_of(throw), 0.0) - shortest_flight(value)


def _latest(pattern: Pattern, held: Sequence[bool], flown: Sequence[int], ahead: dict[Site, float]) -> float:
    """How long before the beat on which they all land these throws must be caught at the latest, [beats]."""
    due = ahead.get(site_of(pattern.throws[pattern.landings[flown[0]]]), 0.0)
    for index in flown:
        # What is held on that beat may leave before it all the same, if it is thrown soon after.
        leaves, beats = after_holds(pattern, held, index)
        due = max(due, ahead.get(site_of(pattern.throws[leaves]), 0.0) - beats / pattern.division)
    return due + SHORTEST_CARRY


def _spread(
    pattern: Pattern, flown: Sequence[int], first: float, latest: float, squeeze: float
) -> list[tuple[int, float]]:
    """How long before the beat on which they all land each of these throws is caught, [beats]."""
    span = min(squeeze, first - latest) if len(flown) > 1 else 0.0
    span = span if span > SHORTEST_SQUEEZE else 0.0
    ordered = sorted(flown, key=lambda index: _turn(pattern.throws[index]))
    return [(index, first - span * place / max(1, len(ordered) - 1)) for place, index in enumerate(ordered)]


def _turn(throw: Throw) -> tuple[int, int, bool]:
    """The order of catches in one hand: what was thrown first, then what comes from afar, then one's own."""
    return -throw.value, -abs(throw.to_juggler - throw.juggler), throw.hand != throw.to_hand


def _rounded(moment: float) -> float:
    # Sums in another order differ in their last bit; events that are one must be one.
    return round(moment, 9)
