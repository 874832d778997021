"""Dwell and timing: when hands throw and catch, which throws stay in the hand, and which leave
early.

The rules are those of Juggling Lab 1.7.7, in beats. A `Timing` is in the units of the pattern,
which are fractions of a beat where it divides its beats.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from juggle_anim.pattern import Pattern, Throw
from juggle_anim.pattern.pattern import hand_of

Site = tuple[int, int]
"""A hand, 2 · juggler + side, and a beat of the loop."""

MIN_EMPTY = 0.05
"""Shortest time from a throw to the next catch of that hand, [beats]."""

MIN_CARRY = 0.02
"""Shortest time from a catch to the next throw of that hand, [beats]."""

MAX_DWELL = 2.0
"""Longest time from a catch to the next throw of that hand, [beats]."""

_MIN_FLIGHT = 0.3  # beats

MIN_DWELL = 0.3
"""Dwell of a hand that threw on the beat before, and the range over which simultaneous catches are
spread, [beats].
"""

# Not 0.7: whether times below coincide depends on the last bit, and Juggling Lab computes it so.
_REST = 1 - MIN_DWELL

MAX_HOLD = 2
"""Highest throw that counts as a hold without a mark, [beats]."""


_MIN_SQUEEZE = 0.01
"""Catches closer together than this are simultaneous, [beats]."""

LATE_DWELL = 0.5
"""Dwell of what is caught late, so that it has time to bounce, [beats]."""

_MAX_DWELL_CHANGE = 0.3
"""Limit of how much `dwell_gain` changes a dwell, [beats]."""


def times_since_throw(pattern: Pattern, held: Sequence[bool]) -> dict[Site, float]:
    """Return the time since a hand last threw, for each beat with a throw or a hold, [beats].

    A hand that never throws counts as if it had thrown a whole loop ago.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
    """
    thrown: dict[int, set[int]] = {}
    for (hand, beat), stays in zip(pattern.sites, held, strict=True):
        if not stays:
            thrown.setdefault(hand, set()).add(beat)
    beats = {hand: sorted(hand_beats) for hand, hand_beats in thrown.items()}
    return {
        (hand, beat): _time_since(beats.get(hand, [beat]), beat, pattern)
        for hand, beat in pattern.sites
    }


def previous_throw(pattern: Pattern, site: Site, gaps: dict[Site, float]) -> Site:
    """Return the hand, and the beat of the loop on which it last threw."""
    hand, beat = site
    return hand, (beat - round(gaps[site] * pattern.division)) % pattern.period


def _time_since(beats: Sequence[int], beat: int, pattern: Pattern) -> float:
    """The time since the last of some sorted beats before a beat, around the loop, [beats]."""
    index = bisect_left(beats, beat)
    last = beats[index - 1] if index else beats[-1] - pattern.period
    return (beat - last) / pattern.division


def shortest_flight(value: float) -> float:
    """Return the shortest flight of a throw, [beats]: 0.3, or half its value if that is less."""
    return min(_MIN_FLIGHT, value / 2)


def early_throws(
    pattern: Pattern, held: Sequence[bool], dwell: float, gaps: dict[Site, float]
) -> dict[Site, float]:
    """Return how long before the beat each early throw leaves, [beats].

    All others leave on the beat. A throw of less than two beats, like any other, is caught `dwell`
    before the next throw of its catching hand. So it leaves early enough to fly until then: a 1
    leaves dwell + 0.3 − 1 early, as in Juggling Lab 1.7.7. No hand throws a prop before it has
    caught it, or before its own last throw.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
        dwell: from a catch to that hand's next throw, [beats].
        gaps: from `times_since_throw`, [beats].
    """
    wanted: dict[Site, float] = {}
    for throw, site, stays in zip(pattern.throws, pattern.sites, held, strict=True):
        value = throw.value / pattern.division
        needed = dwell + _MIN_FLIGHT - value
        if value < MAX_DWELL and not stays and needed > 0:
            wanted[site] = max(wanted.get(site, 0.0), needed)
    if not wanted:
        return wanted
    return _feasible(wanted, list(_limits(pattern, held, gaps, wanted)))


def _limits(
    pattern: Pattern, held: Sequence[bool], gaps: dict[Site, float], wanted: dict[Site, float]
) -> Iterator[tuple[Site, Site, float]]:
    """Triples (a, b, d): site b can be early by no more than site a plus d, [beats]."""
    for index, throw in enumerate(pattern.throws):
        if held[index]:
            continue
        # After its flight the prop has to be carried, before it is thrown or held again.
        value = throw.value / pattern.division
        spare = value - MIN_CARRY - shortest_flight(value)
        lands = pattern.landings[index]
        leaves, holds_before = next_release(pattern, held, index)
        for following, waits in {(lands, 0), (leaves, holds_before)}:
            if (site := pattern.sites[following]) in wanted:
                yield pattern.sites[index], site, spare + waits / pattern.division
    for site in wanted:
        yield previous_throw(pattern, site, gaps), site, gaps[site] - MIN_EMPTY - MIN_CARRY


def _feasible(
    wanted: dict[Site, float], limits: Sequence[tuple[Site, Site, float]]
) -> dict[Site, float]:
    """The greatest amounts up to the wanted ones that keep all limits, by fixed-point iteration."""
    amounts = dict(wanted)
    changed = True
    while changed:
        changed = False
        for first, second, more in limits:
            possible = max(0.0, amounts.get(first, 0.0) + more)
            if possible < amounts[second]:
                amounts[second] = possible
                changed = True
    return amounts


def hand_dwells(pattern: Pattern, dwell: float) -> dict[int, float]:
    """Return how long before each beat of a hand siteswap its props are caught, [beats].

    With `dwellmax`, props are caught 0.7 beats after the last turn of that hand; without, `dwell`
    before the beat, or 0.3 before it if any hand has two turns in a row. A prop that would be
    caught before its throw flies for 0.7 beats. Of simultaneous catches all but one are made
    earlier.

    Args:
        pattern: with a hand siteswap.
        dwell: [beats].
    """
    assert pattern.hand_siteswap is not None, "only a hand siteswap has dwells by beat"
    lowest = _lowest_landing(pattern)
    since = _since_last_turn(pattern)
    if not pattern.hand_siteswap.dwellmax:
        steady = MIN_DWELL if min(since.values()) == 1 else dwell
        dwells = dict.fromkeys(sorted(lowest), steady)
    else:
        dwells = {beat: since[beat] - _REST for beat in sorted(lowest)}
    for beat, value in lowest.items():
        if dwells[beat] >= value:
            dwells[beat] = value - _REST
    # Juggling Lab also moves catches away from the times that it computes for beats on which
    # nothing lands.
    dwells = {beat: dwells.get(beat, -_REST) for beat in range(pattern.period)}
    _separate(dwells, pattern.period)
    return {
        beat: min(dwells[beat], since[beat] - MIN_EMPTY, value - shortest_flight(value))
        for beat, value in lowest.items()
    }


def _lowest_landing(pattern: Pattern) -> dict[int, int]:
    """The lowest throw that lands on each beat."""
    lowest: dict[int, int] = {}
    for throw in pattern.throws:
        beat = (throw.beat + throw.value) % pattern.period
        lowest[beat] = min(throw.value, lowest.get(beat, throw.value))
    return lowest


def _since_last_turn(pattern: Pattern) -> dict[int, int]:
    """For each beat, the beats since the last turn of the hand whose turn it is."""
    last = {(juggler, hand): beat - pattern.period for beat, juggler, hand in pattern.turns}
    since = {}
    for beat, juggler, hand in pattern.turns:
        since[beat] = beat - last[juggler, hand]
        last[juggler, hand] = beat
    return since


def _separate(dwells: dict[int, float], period: int) -> None:
    """Separate simultaneous catches as Juggling Lab does, each by a share of 0.3 beats."""
    near: dict[float, set[int]] = {}
    for beat in dwells:
        near.setdefault(_moment(beat, dwells, period), set()).add(beat)
    for beat in dwells:
        together = near[_moment(beat, dwells, period)]
        clashing = sorted(
            other for other in together if other != beat and _coincide(beat, other, dwells, period)
        )
        for index, other in enumerate(clashing):
            together.discard(other)
            dwells[other] += MIN_DWELL / (len(clashing) - index)
            near.setdefault(_moment(other, dwells, period), set()).add(other)


def _moment(beat: int, dwells: dict[int, float], period: int) -> float:
    """When the props of a beat are caught, rounded, so that near moments are equal."""
    return round((beat - dwells[beat]) % period, 6) % period


def _coincide(beat: int, other: int, dwells: dict[int, float], period: int) -> bool:
    # Exactly equal, not rounded: otherwise other catches would be moved than in Juggling Lab.
    return (dwells[other] - dwells[beat] - (other - beat) % period) % period == 0.0


def holds(pattern: Pattern) -> tuple[bool, ...]:
    """Return for each throw whether it is a hold: the prop stays in its hand.

    Only a prop that comes back to its own hand can be held. The pattern may mark it (`3H` is a
    hold, `2T` a throw); without a mark, a throw of up to two beats is a hold unless it bounces, or
    that hand throws something else in between.
    """
    beats: dict[int, set[int]] = {}
    for hand, beat in pattern.sites:
        beats.setdefault(hand, set()).add(beat)
    busy = {hand: sorted(hand_beats) for hand, hand_beats in beats.items()}

    def held(throw: Throw) -> bool:
        if throw[1:3] != throw[4:6]:  # to another hand
            return False
        if throw.held is not None:
            return throw.held
        if throw.bounces or throw.value > MAX_HOLD * pattern.division:
            return False
        return _next_busy(busy[hand_of(throw)], throw.beat, pattern.period) >= throw.value

    return tuple(held(throw) for throw in pattern.throws)


def next_release(pattern: Pattern, held: Sequence[bool], index: int) -> tuple[int, int]:
    """Return the throw that ends the next carry of a flying prop.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
        index: of a throw that is not a hold.

    Returns:
        The index of the next throw of the same prop that is not a hold, and the length of the holds
        before it, in units of the pattern.
    """
    following = pattern.landings[index]
    beats = 0
    while held[following]:
        beats += pattern.throws[following].value
        following = pattern.landings[following]
    return following, beats


def _next_busy(busy: list[int], beat: int, period: int) -> int:
    """The time until a hand next has something to throw or hold."""
    index = bisect_right(busy, beat)
    following = busy[index] if index < len(busy) else busy[0] + period
    return following - beat


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
    pattern: Pattern,
    dwell: float,
    squeeze: float,
    dwell_gain: float = 0.0,
    least_empty: float = MIN_EMPTY,
    late: Collection[int] = (),
) -> Timing:
    """Return when each throw leaves its hand and when it is caught.

    Args:
        pattern: what is juggled.
        dwell: from a catch to that hand's next throw, [beats].
        squeeze: time over which several catches in one hand are spread, [beats].
        dwell_gain: by how many beats the dwell grows for each beat by which the incoming throw is
            higher than the last throw of that hand, and shrinks where it is lower: a longer dwell
            lets the throw be less high.
        least_empty: from a throw to the next catch of that hand, [beats]; less where it throws so
            soon again that it would hold nothing.
        late: throws that are caught only `LATE_DWELL` before they are thrown again.
    """
    held = holds(pattern)
    arrivals = _arrivals(pattern, held)
    if pattern.hand_siteswap is None:
        ahead, carries = _early_and_carries(pattern, held, arrivals, dwell, dwell_gain, least_empty)
    else:
        dwells = hand_dwells(pattern, dwell)
        ahead = {}
        carries = {site: dwells[site[1]] for site in arrivals}
    catch = [0.0] * len(pattern.throws)
    for site, flown in arrivals.items():
        latest = _latest_catch(pattern, held, flown, ahead)
        first = carries[site]
        if any(index in late for index in flown):
            first = min(first, latest - MIN_CARRY + LATE_DWELL)
        for index, before in _squeezed_catches(pattern, flown, max(first, latest), latest, squeeze):
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
    """Return how long before its beat each hand throws, if early, and how long before the beat it
    catches, [beats].
    """
    found = times_since_throw(pattern, held)
    ahead = early_throws(pattern, held, dwell, found)
    highest: dict[Site, int] = {}
    for throw, site in zip(pattern.throws, pattern.sites, strict=True):
        highest[site] = max(highest.get(site, 0), throw.value)

    def carry(site: Site) -> float:
        last = previous_throw(pattern, site, found)
        longest = found[site] + ahead.get(last, 0.0) if found[site] <= MAX_DWELL else MAX_DWELL
        flown = [_latest_flight(pattern, index, ahead) for index in arrivals[site]]
        change = (
            _dwell_change(pattern, arrivals[site], last, highest, dwell_gain) if dwell_gain else 0.0
        )
        full = min(longest - MIN_EMPTY, max(longest - least_empty, MIN_DWELL * longest))
        return min(dwell + change, full, *flown)

    return ahead, {site: carry(site) for site in arrivals}


def _dwell_change(
    pattern: Pattern, flown: Sequence[int], last: Site, highest: dict[Site, int], dwell_gain: float
) -> float:
    """By how much the dwell grows or shrinks before the beat on which these throws land,
    [beats].
    """
    comes = max(pattern.throws[index].value for index in flown)
    higher = (comes - highest.get(last, comes)) / pattern.division
    return max(-_MAX_DWELL_CHANGE, min(dwell_gain * higher, _MAX_DWELL_CHANGE))


def _latest_flight(pattern: Pattern, index: int, ahead: dict[Site, float]) -> float:
    """The earliest catch of a throw, counted back from the beat on which it lands, [beats]."""
    value = pattern.throws[index].value / pattern.division
    return value + ahead.get(pattern.sites[index], 0.0) - shortest_flight(value)


def _latest_catch(
    pattern: Pattern, held: Sequence[bool], flown: Sequence[int], ahead: dict[Site, float]
) -> float:
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
    span = span if span > _MIN_SQUEEZE else 0.0
    ordered = sorted(flown, key=lambda index: _catch_order(pattern.throws[index]))
    return [
        (index, first - span * place / (len(ordered) - 1)) for place, index in enumerate(ordered)
    ]


def _catch_order(throw: Throw) -> tuple[int, int, bool]:
    """The order of catches in one hand: the earliest throw first, then the one from farthest away,
    then self throws.
    """
    return -throw.value, -abs(throw.to_juggler - throw.juggler), throw.hand != throw.to_hand


def _rounded(moment: float) -> float:
    # Sums in another order differ in the last bit, but simultaneous events must have equal times.
    return round(moment, 9)
