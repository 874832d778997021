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

# In beats. Not written as 0.7: whether times below coincide depends on the last bit, and Juggling
# Lab computes it so.
_BEAT_WITHOUT_DWELL = 1 - MIN_DWELL

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
        pattern: T throws, times in its units.
        held: length T, which of its throws are holds.
    """
    thrown: dict[int, set[int]] = {}
    for (hand, beat), is_hold in zip(pattern.sites, held, strict=True):
        if not is_hold:
            thrown.setdefault(hand, set()).add(beat)
    throw_beats = {hand: sorted(beats) for hand, beats in thrown.items()}
    # The default, the beat itself, is a whole loop ago.
    return {
        (hand, beat): _beats_since_last(throw_beats.get(hand, [beat]), beat, pattern)
        for hand, beat in pattern.sites
    }


def previous_throw(pattern: Pattern, site: Site, gaps: dict[Site, float]) -> Site:
    """Return the hand, and the beat of the loop on which it last threw."""
    hand, beat = site
    return hand, (beat - round(gaps[site] * pattern.division)) % pattern.period


def _beats_since_last(beats: Sequence[int], beat: int, pattern: Pattern) -> float:
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
        pattern: T throws.
        held: length T, which of its throws are holds.
        dwell: from a catch to that hand's next throw, [beats].
        gaps: from `times_since_throw`, [beats].
    """
    wanted: dict[Site, float] = {}
    for throw, site, is_hold in zip(pattern.throws, pattern.sites, held, strict=True):
        value = throw.value / pattern.division
        needed = dwell + _MIN_FLIGHT - value
        if value < MAX_DWELL and not is_hold and needed > 0:
            # The throws of a multiplex leave together, as early as any of them needs.
            wanted[site] = max(wanted.get(site, 0.0), needed)
    if not wanted:
        return wanted
    return _greatest_within_limits(wanted, list(_early_throw_limits(pattern, held, gaps, wanted)))


def _early_throw_limits(
    pattern: Pattern, held: Sequence[bool], gaps: dict[Site, float], wanted: dict[Site, float]
) -> Iterator[tuple[Site, Site, float]]:
    """Yield triples (a, b, d): site b can be early by no more than site a plus d, [beats].

    Args:
        pattern: T throws.
        held: length T, which of its throws are holds.
        gaps: from `times_since_throw`, [beats].
        wanted: the sites that should throw early; b is one of these.
    """
    for index, throw in enumerate(pattern.throws):
        if held[index]:
            continue
        # After its flight the prop has to be carried, before it is thrown or held again.
        value = throw.value / pattern.division
        spare = value - MIN_CARRY - shortest_flight(value)
        landing = pattern.landings[index]
        release, hold_time = next_release(pattern, held, index)
        # A set: the two are the same where the prop is not held in between.
        for next_throw, wait in {(landing, 0), (release, hold_time)}:
            site = pattern.sites[next_throw]
            if site in wanted:
                yield pattern.sites[index], site, spare + wait / pattern.division
    # Between two throws of a hand it is empty and then carries, each for a moment.
    for site in wanted:
        yield previous_throw(pattern, site, gaps), site, gaps[site] - MIN_EMPTY - MIN_CARRY


def _greatest_within_limits(
    wanted: dict[Site, float], limits: Sequence[tuple[Site, Site, float]]
) -> dict[Site, float]:
    """The greatest amounts up to the wanted ones that keep all limits, by fixed-point iteration.

    Args:
        wanted: for each site, 0 or more; other sites have 0.
        limits: triples (a, b, d), which say amount[b] ≤ max(0, amount[a] + d).
    """
    amounts = dict(wanted)
    # Amounts only decrease, so this ends.
    changed = True
    while changed:
        changed = False
        for limiting, limited, difference in limits:
            possible = max(0.0, amounts.get(limiting, 0.0) + difference)
            if possible < amounts[limited]:
                amounts[limited] = possible
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

    Returns:
        For the beats on which props land.
    """
    assert pattern.hand_siteswap is not None, "only a hand siteswap has dwells by beat"
    lowest = _lowest_value_by_landing_beat(pattern)
    since_turn = _beats_since_last_turn(pattern)
    if pattern.hand_siteswap.dwellmax:
        dwells = {beat: since_turn[beat] - _BEAT_WITHOUT_DWELL for beat in sorted(lowest)}
    else:
        steady = MIN_DWELL if min(since_turn.values()) == 1 else dwell
        dwells = dict.fromkeys(sorted(lowest), steady)

    # Caught before it is thrown.
    for beat, value in lowest.items():
        if dwells[beat] >= value:
            dwells[beat] = value - _BEAT_WITHOUT_DWELL

    # Juggling Lab also moves catches away from the times that it computes for beats on which
    # nothing lands.
    dwells = {beat: dwells.get(beat, -_BEAT_WITHOUT_DWELL) for beat in range(pattern.period)}
    _separate_simultaneous_catches(dwells, pattern.period)

    # After the hand's last throw, and after the shortest flight.
    return {
        beat: min(dwells[beat], since_turn[beat] - MIN_EMPTY, value - shortest_flight(value))
        for beat, value in lowest.items()
    }


def _lowest_value_by_landing_beat(pattern: Pattern) -> dict[int, int]:
    """The lowest throw that lands on each beat."""
    lowest: dict[int, int] = {}
    for throw in pattern.throws:
        beat = (throw.beat + throw.value) % pattern.period
        lowest[beat] = min(throw.value, lowest.get(beat, throw.value))
    return lowest


def _beats_since_last_turn(pattern: Pattern) -> dict[int, int]:
    """For each beat, the beats since the last turn of the hand whose turn it is."""
    last = {(juggler, hand): beat - pattern.period for beat, juggler, hand in pattern.turns}
    since = {}
    for beat, juggler, hand in pattern.turns:
        since[beat] = beat - last[juggler, hand]
        last[juggler, hand] = beat
    return since


def _separate_simultaneous_catches(dwells: dict[int, float], period: int) -> None:
    """Lengthen dwells in place so that no catches coincide, each by a share of 0.3 beats, as
    Juggling Lab does.

    Args:
        dwells: for each beat of the loop, how long before it props are caught, [beats].
        period: of the loop, [beats].
    """
    # Groups of beats with catches at nearly the same time, to find the few that may coincide.
    groups: dict[float, set[int]] = {}
    for beat in dwells:
        groups.setdefault(_catch_time_key(beat, dwells, period), set()).add(beat)

    for beat in dwells:
        group = groups[_catch_time_key(beat, dwells, period)]
        coinciding = sorted(
            candidate
            for candidate in group
            if candidate != beat and _is_exactly_simultaneous(beat, candidate, dwells, period)
        )
        for index, moved in enumerate(coinciding):
            group.discard(moved)
            dwells[moved] += MIN_DWELL / (len(coinciding) - index)
            groups.setdefault(_catch_time_key(moved, dwells, period), set()).add(moved)


def _catch_time_key(beat: int, dwells: dict[int, float], period: int) -> float:
    """When the props of a beat are caught, rounded, so that near moments are equal."""
    return round((beat - dwells[beat]) % period, 6) % period


def _is_exactly_simultaneous(beat: int, other: int, dwells: dict[int, float], period: int) -> bool:
    # Exactly equal, not rounded: otherwise other catches would be moved than in Juggling Lab.
    return (dwells[other] - dwells[beat] - (other - beat) % period) % period == 0.0


def holds(pattern: Pattern) -> tuple[bool, ...]:
    """Return for each throw whether it is a hold: the prop stays in its hand.

    Only a prop that comes back to its own hand can be held. The pattern may mark it (`3H` is a
    hold, `2T` a throw); without a mark, a throw of up to two beats is a hold unless it bounces, or
    that hand throws something else in between.

    Args:
        pattern: T throws.

    Returns:
        Length T, in the order of `pattern.throws`.
    """
    beats: dict[int, set[int]] = {}
    for hand, beat in pattern.sites:
        beats.setdefault(hand, set()).add(beat)
    busy_beats = {hand: sorted(hand_beats) for hand, hand_beats in beats.items()}

    def is_hold(throw: Throw) -> bool:
        """Whether one throw is a hold."""
        if throw[1:3] != throw[4:6]:  # to another hand
            return False
        if throw.held is not None:  # marked
            return throw.held
        if throw.bounces or throw.value > MAX_HOLD * pattern.division:
            return False
        beats_of_hand = busy_beats[hand_of(throw)]
        return _time_until_busy(beats_of_hand, throw.beat, pattern.period) >= throw.value

    return tuple(is_hold(throw) for throw in pattern.throws)


def next_release(pattern: Pattern, held: Sequence[bool], index: int) -> tuple[int, int]:
    """Return the throw that ends the next carry of a flying prop.

    Args:
        pattern: T throws.
        held: length T, which of its throws are holds.
        index: of a throw that is not a hold.

    Returns:
        The index of the next throw of the same prop that is not a hold, and the length of the holds
        before it, in units of the pattern.
    """
    # This ends: at the latest at the throw itself, which is not a hold.
    next_throw = pattern.landings[index]
    hold_time = 0
    while held[next_throw]:
        hold_time += pattern.throws[next_throw].value
        next_throw = pattern.landings[next_throw]
    return next_throw, hold_time


def _time_until_busy(busy: list[int], beat: int, period: int) -> int:
    """Time until a hand next has something to throw or hold, around the loop; `busy` are its sorted
    beats.
    """
    index = bisect_right(busy, beat)
    next_beat = busy[index] if index < len(busy) else busy[0] + period
    return next_beat - beat


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
        late: indices of throws that are caught only `LATE_DWELL` before they are thrown again.
    """
    held = holds(pattern)
    arrivals = _arrivals(pattern, held)

    # For each hand and beat: how early it throws, and how long before the beat it catches, [beats].
    if pattern.hand_siteswap is None:
        early, carries = _early_throws_and_carries(
            pattern, held, arrivals, dwell, dwell_gain, least_empty
        )
    else:
        dwells = hand_dwells(pattern, dwell)
        early = {}
        carries = {(hand, beat): dwells[beat] for hand, beat in arrivals}

    # Catches, several that land on one beat one after the other.
    catch = [0.0] * len(pattern.throws)
    for site, flown in arrivals.items():
        latest = _latest_catch_before_landing(pattern, held, flown, early)
        first = carries[site]
        if any(index in late for index in flown):
            first = min(first, latest - MIN_CARRY + LATE_DWELL)
        first = max(first, latest)  # both count backward from the beat
        for index, before in _squeezed_catches(pattern, flown, first, latest, squeeze):
            landing = pattern.throws[index].beat + pattern.throws[index].value
            catch[index] = _rounded(landing - before * pattern.division)

    throw = tuple(
        _rounded(beat - early.get((hand, beat), 0.0) * pattern.division)
        for hand, beat in pattern.sites
    )
    return Timing(throw, tuple(catch), held)


_Arrivals = dict[Site, list[int]]
"""For each hand and beat, the throws that land there; holds do not count."""


def _arrivals(pattern: Pattern, held: Sequence[bool]) -> _Arrivals:
    arrivals: _Arrivals = {}
    for index, landing in enumerate(pattern.landings):
        if not held[index]:
            arrivals.setdefault(pattern.sites[landing], []).append(index)
    return arrivals


def _early_throws_and_carries(
    pattern: Pattern,
    held: Sequence[bool],
    arrivals: _Arrivals,
    dwell: float,
    dwell_gain: float,
    least_empty: float,
) -> tuple[dict[Site, float], dict[Site, float]]:
    """Return by how much hands throw early, and for how long they carry what they catch.

    Args:
        pattern: T throws, without a hand siteswap.
        held: length T, which of its throws are holds.
        arrivals: indices of the throws that land at each site, a hand and a beat.
        dwell: from a catch to that hand's next throw, [beats].
        dwell_gain: change of the dwell for each beat by which the incoming throw is higher than the
            last throw of that hand.
        least_empty: from a throw to the next catch of that hand, [beats].

    Returns:
        For sites that throw early, how long before the beat; and for those where props land, how
        long before the beat the first catch is; [beats].
    """
    gaps = times_since_throw(pattern, held)
    early = early_throws(pattern, held, dwell, gaps)
    highest: dict[Site, int] = {}
    for throw, site in zip(pattern.throws, pattern.sites, strict=True):
        highest[site] = max(highest.get(site, 0), throw.value)

    def carry(site: Site) -> float:
        """How long before the beat of a site its hand makes the first catch, [beats]."""
        # The time from the hand's last throw, or the longest dwell if that is long ago.
        last = previous_throw(pattern, site, gaps)
        longest = gaps[site] + early.get(last, 0.0) if gaps[site] <= MAX_DWELL else MAX_DWELL
        # The hand is empty for `least_empty` before, but for no more than 0.7 of the time.
        with_empty_hand = min(longest - MIN_EMPTY, max(longest - least_empty, MIN_DWELL * longest))
        after_flights = [
            _earliest_catch_before_landing(pattern, index, early) for index in arrivals[site]
        ]
        change = (
            _dwell_change(pattern, arrivals[site], last, highest, dwell_gain) if dwell_gain else 0.0
        )
        return min(dwell + change, with_empty_hand, *after_flights)

    return early, {site: carry(site) for site in arrivals}


def _dwell_change(
    pattern: Pattern, flown: Sequence[int], last: Site, highest: dict[Site, int], dwell_gain: float
) -> float:
    """By how much the dwell grows or shrinks before the beat on which some throws land, [beats].

    Args:
        pattern: what is juggled.
        flown: indices of these throws.
        last: the hand's last throw before that beat.
        highest: the highest throw at each site, in units of the pattern.
        dwell_gain: change for each beat by which the incoming throw is higher, [beats/beat].
    """
    incoming = max(pattern.throws[index].value for index in flown)
    higher = (incoming - highest.get(last, incoming)) / pattern.division
    return max(-_MAX_DWELL_CHANGE, min(dwell_gain * higher, _MAX_DWELL_CHANGE))


def _earliest_catch_before_landing(pattern: Pattern, index: int, ahead: dict[Site, float]) -> float:
    """The earliest catch of a throw, counted back from the beat on which it lands, [beats]."""
    value = pattern.throws[index].value / pattern.division
    return value + ahead.get(pattern.sites[index], 0.0) - shortest_flight(value)


def _latest_catch_before_landing(
    pattern: Pattern, held: Sequence[bool], flown: Sequence[int], early: dict[Site, float]
) -> float:
    """How long before the beat on which some throws land they have to be caught at the latest,
    [beats].

    Args:
        pattern: T throws.
        held: length T, which of its throws are holds.
        flown: indices of the throws that land in one hand on that beat.
        early: how long before its beat each site throws, if early, [beats].
    """
    throw_lead = early.get(pattern.sites[pattern.landings[flown[0]]], 0.0)
    for index in flown:
        # A prop that is held on that beat may still leave before it, if it is thrown soon after.
        release, hold_time = next_release(pattern, held, index)
        release_lead = early.get(pattern.sites[release], 0.0) - hold_time / pattern.division
        throw_lead = max(throw_lead, release_lead)
    return throw_lead + MIN_CARRY


def _squeezed_catches(
    pattern: Pattern, flown: Sequence[int], first: float, latest: float, squeeze: float
) -> list[tuple[int, float]]:
    """Spread the catches of throws that land in one hand on one beat.

    Args:
        pattern: what is juggled.
        flown: indices of these throws.
        first: the first catch, counted back from that beat, [beats].
        latest: the latest possible catch, likewise; not more than `first`.
        squeeze: time over which catches are spread, [beats].

    Returns:
        Index and catch of each throw in the order of the catches, counted back likewise.
    """
    if len(flown) == 1:
        return [(flown[0], first)]
    span = min(squeeze, first - latest)
    span = span if span > _MIN_SQUEEZE else 0.0  # otherwise simultaneous
    ordered = sorted(flown, key=lambda index: _catch_order(pattern.throws[index]))
    return [
        (index, first - span * order / (len(ordered) - 1)) for order, index in enumerate(ordered)
    ]


def _catch_order(throw: Throw) -> tuple[int, int, bool]:
    """The order of catches in one hand: the earliest throw first, then the one from farthest away,
    then self throws.
    """
    return -throw.value, -abs(throw.to_juggler - throw.juggler), throw.hand != throw.to_hand


def _rounded(moment: float) -> float:
    # Sums in another order differ in the last bit, but simultaneous events must have equal times.
    return round(moment, 9)
