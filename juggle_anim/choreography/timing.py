"""Times of throws and catches, from beats and dwell, by the rules of Juggling Lab 1.7.7.

The rules are in beats. Times are in the units of the pattern, which are fractions of a beat where it divides its beats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from juggle_anim.choreography.dwell import (
    MAX_DWELL,
    MIN_CARRY,
    MIN_DWELL,
    MIN_EMPTY,
    Site,
    early_throws,
    hand_dwells,
    holds,
    next_release,
    previous_throw,
    shortest_flight,
    times_since_throw,
)
from juggle_anim.pattern import Pattern, Throw

MIN_SQUEEZE = 0.01
"""Catches closer together than this are simultaneous, [beats]."""

MAX_DWELL_CHANGE = 0.3
"""Limit of how much `dwell_gain` changes a dwell, [beats]."""


@dataclass(frozen=True)
class Timing:
    """Times within one loop, in the units of the pattern: beats, or fractions of a beat.

    Args:
        throw: when each throw of the pattern leaves its hand; meaningless for a hold.
        catch: when the prop is caught again, later than `throw`, perhaps in a later loop; likewise.
        held: which throws are holds.
    """

    throw: tuple[float, ...]
    catch: tuple[float, ...]
    held: tuple[bool, ...]


def time_throws(
    pattern: Pattern, dwell: float, squeeze: float, dwell_gain: float = 0.0, least_empty: float = MIN_EMPTY
) -> Timing:
    """Return when each throw leaves its hand and when it is caught.

    Args:
        pattern: what is juggled.
        dwell: from a catch to that hand's next throw, [beats].
        squeeze: time over which several catches in one hand are spread, [beats].
        dwell_gain: by how many beats the dwell grows for each beat by which the incoming throw is higher than the last
            throw of that hand, and shrinks where it is lower: a longer dwell lets the throw be less high.
        least_empty: from a throw to the next catch of that hand, [beats]; less where it throws so soon again that it
            would hold nothing.
    """
    held = holds(pattern)
    arrivals = _arrivals(pattern, held)
    if pattern.hand_siteswap is None:
        ahead, carries = _early_and_carries(pattern, held, arrivals, dwell, dwell_gain, least_empty)
    else:
        dwells = hand_dwells(pattern, dwell)
        ahead, carries = {}, {site: dwells[site[1]] for site in arrivals}
    catch = [0.0] * len(pattern.throws)
    for site, flown in arrivals.items():
        latest = _latest_catch(pattern, held, flown, ahead)
        for index, before in _squeezed_catches(pattern, flown, max(carries[site], latest), latest, squeeze):
            landing = pattern.throws[index].beat + pattern.throws[index].value
            catch[index] = _rounded(landing - before * pattern.division)
    leave = (site[1] - ahead.get(site, 0.0) * pattern.division for site in pattern.sites)
    return Timing(tuple(map(_rounded, leave)), tuple(catch), held)


_Arrivals = dict[Site, list[int]]
"""For each hand and beat, the throws that land there; holds do not count."""


def _arrivals(pattern: Pattern, held: Sequence[bool]) -> _Arrivals:
    arrivals: _Arrivals = {}
    for index, landing in enumerate(pattern.landings):
        if not held[index]:
            arrivals.setdefault(pattern.sites[landing], []).append(index)
    return arrivals


def _early_and_carries(
    pattern: Pattern,
    held: Sequence[bool],
    arrivals: _Arrivals,
    dwell: float,
    dwell_gain: float,
    least_empty: float,
) -> tuple[dict[Site, float], dict[Site, float]]:
    """Return how long before its beat each hand throws, if early, and how long before the beat it catches, [beats]."""
    found = times_since_throw(pattern, held)
    ahead = early_throws(pattern, held, dwell, found)
    highest: dict[Site, int] = {}
    for throw, site in zip(pattern.throws, pattern.sites, strict=True):
        highest[site] = max(highest.get(site, 0), throw.value)

    def carry(site: Site) -> float:
        last = previous_throw(pattern, site, found)
        longest = found[site] + ahead.get(last, 0.0) if found[site] <= MAX_DWELL else MAX_DWELL
        flown = [_latest_flight(pattern, index, ahead) for index in arrivals[site]]
        change = _dwell_change(pattern, arrivals[site], last, highest, dwell_gain) if dwell_gain else 0.0
        full = min(longest - MIN_EMPTY, max(longest - least_empty, MIN_DWELL * longest))
        return min(dwell + change, full, *flown)

    return ahead, {site: carry(site) for site in arrivals}


def _dwell_change(
    pattern: Pattern, flown: Sequence[int], last: Site, highest: dict[Site, int], dwell_gain: float
) -> float:
    """By how much the dwell grows or shrinks before the beat on which these throws land, [beats]."""
    comes = max(pattern.throws[index].value for index in flown)
    higher = (comes - highest.get(last, comes)) / pattern.division
    return max(-MAX_DWELL_CHANGE, min(dwell_gain * higher, MAX_DWELL_CHANGE))


def _latest_flight(pattern: Pattern, index: int, ahead: dict[Site, float]) -> float:
    """The earliest catch of a throw, counted back from the beat on which it lands, [beats]."""
    value = pattern.throws[index].value / pattern.division
    return value + ahead.get(pattern.sites[index], 0.0) - shortest_flight(value)


def _latest_catch(pattern: Pattern, held: Sequence[bool], flown: Sequence[int], ahead: dict[Site, float]) -> float:
    """The latest catch of throws that land on one beat, counted back from that beat, [beats]."""
    due = ahead.get(pattern.sites[pattern.landings[flown[0]]], 0.0)
    for index in flown:
        # A prop that is held on that beat may still leave before it, if it is thrown soon after.
        leaves, beats = next_release(pattern, held, index)
        due = max(due, ahead.get(pattern.sites[leaves], 0.0) - beats / pattern.division)
    return due + MIN_CARRY


def _squeezed_catches(
    pattern: Pattern, flown: Sequence[int], first: float, latest: float, squeeze: float
) -> list[tuple[int, float]]:
    """Each throw that lands on one beat, with its catch counted back from that beat, [beats]."""
    if len(flown) == 1:
        return [(flown[0], first)]
    span = min(squeeze, first - latest)
    span = span if span > MIN_SQUEEZE else 0.0
    ordered = sorted(flown, key=lambda index: _catch_order(pattern.throws[index]))
    return [(index, first - span * place / (len(ordered) - 1)) for place, index in enumerate(ordered)]


def _catch_order(throw: Throw) -> tuple[int, int, bool]:
    """The order of catches in one hand: the earliest throw first, then the one from farthest away, then self throws."""
    return -throw.value, -abs(throw.to_juggler - throw.juggler), throw.hand != throw.to_hand


def _rounded(moment: float) -> float:
    # Sums in another order differ in the last bit, but simultaneous events must have equal times.
    return round(moment, 9)
