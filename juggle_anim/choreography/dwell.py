"""Dwell and timing: when hands throw and catch, which throws stay in the hand, and which leave
early.

The rules are those of Juggling Lab 1.7.7, in beats, or in part those that films show. A `Timing` is
in the units of the pattern, which are fractions of a beat where it divides its beats.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import Flag
from typing import NamedTuple

from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import Pattern, Throw, catching_hand, grouped, hand_of

Site = tuple[int, int]
"""A hand, 2 · juggler + side, and a beat of the loop, in units of the pattern."""


class RecordedTiming(Flag):
    """Which throws leave as jugglers in recordings throw them; others leave as in Juggling Lab."""

    NONE = 0
    BEFORE_HOLDS = 1
    ONES = 2
    ALL = BEFORE_HOLDS | ONES


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
_CATCH_AFTER_THROW = 1 - MIN_DWELL

MAX_HOLD = 2
"""Highest throw that counts as a hold without a mark, [beats]."""


_MIN_SQUEEZE = 0.01
"""Catches closer together than this are simultaneous, [beats]."""

LATE_DWELL = 0.5
"""Dwell of what is caught late, so that it has time to bounce, [beats]."""

_MAX_DWELL_CHANGE = 0.3
"""Limit of how much `dwell_gain` changes a dwell, [beats]."""

# As films of 441, 531, 51, 31 and 423 show, juggled with a usual dwell of 1.3 beats; see "Releases
# against the beat" in docs/realism.md.
_CARRY_PER_BEAT_AFTER_ONE = 0.37 / 1.3
"""Time for which a 1 of shortest flight is carried, as a share of the dwell for each beat of the
throw that follows, [dwells/beat].
"""

_CARRY_BEFORE_ONE = 0.5
"""How long a prop is carried at least before a throw that leaves early, as a 1, [beats]."""

_EARLY_BEFORE_HOLD = 0.43
"""How early a hand throws what is lower than its last throw, before it holds a prop, [beats]."""

_AFTER_OTHER_THROW = 0.05
"""From the beat of a throw to a 1 that goes to the hand that made it, at least, [beats]."""

_MIN_CARRIED_SHARE = 0.3
"""Of the time from a throw of a hand to its next, the least share in which it can carry a prop."""

_BEATS_OF_HAND = 2.0
"""From a throw of a hand to its next, as a rule, [beats]."""


def times_since_throw(pattern: Pattern, is_hold: Sequence[bool]) -> dict[Site, float]:
    """Return the time since the hand's last throw for each site (hand and beat), [beats].

    Args:
        pattern: T throws; `pattern.sites` has the hand (2 · juggler + side; 0 left, 1 right) and
            the beat of each.
        is_hold: length T, which of its throws are holds, which do not count as throws.

    Returns:
        The times for all sites with a throw or a hold, counted around the loop: above 0, and at
        most the period, which stands for a hand that throws on this beat only, or never.
    """
    beats_of_hand: dict[int, set[int]] = {}
    for (hand, beat), is_held in zip(pattern.sites, is_hold, strict=True):
        if not is_held:
            beats_of_hand.setdefault(hand, set()).add(beat)
    throw_beats = {hand: sorted(beats) for hand, beats in beats_of_hand.items()}
    # For a hand that only holds, the beat itself stands in as its only throw: a whole loop ago.
    return {
        (hand, beat): _beats_since_last(throw_beats.get(hand, [beat]), beat, pattern)
        for hand, beat in pattern.sites
    }


def previous_throw(pattern: Pattern, site: Site, since_throw: dict[Site, float]) -> Site:
    """Return the site of the last throw of the same hand before a site.

    A site is a hand and a time in the loop, counted in units of the pattern, of which
    `pattern.division` make a beat.

    Args:
        pattern: the pattern that is juggled; its period is in its units, too.
        site: a hand, and when it throws or holds.
        since_throw: for each site how long ago its hand last threw, from `times_since_throw`, in
            whole beats and fractions, [beats].
    """
    hand, unit = site
    # Whole units, but for the rounding error of the division that made them beats.
    units_since_throw = round(since_throw[site] * pattern.division)
    return hand, (unit - units_since_throw) % pattern.period


def _beats_since_last(beats: Sequence[int], beat: int, pattern: Pattern) -> float:
    """Time from the last of `beats` before `beat` to `beat`, around the loop, [beats].

    Args:
        beats: ascending, not empty, in units of the pattern.
        beat: in the same units; if it is the only one of `beats`, the result is the whole loop.
        pattern: the pattern whose loop it is.
    """
    index = bisect_left(beats, beat)
    last = beats[index - 1] if index else beats[-1] - pattern.period
    return (beat - last) / pattern.division


def shortest_flight(value: float) -> float:
    """Return the shortest flight of a throw, [beats]: 0.3, or half its value if that is less."""
    return min(_MIN_FLIGHT, value / 2)


def early_throws(
    pattern: Pattern,
    is_hold: Sequence[bool],
    dwell: float,
    since_throw: dict[Site, float],
    recorded_timing: RecordedTiming = RecordedTiming.NONE,
) -> dict[Site, float]:
    """Return how long before its beat each early throw leaves, by site (hand and beat), [beats].

    Sites that are left out, or have 0, throw on the beat. These throws leave early:

    - As in Juggling Lab 1.7.7, throws of less than two beats. Like any other, such a throw is
      caught `dwell` before the next throw of its catching hand. To fly 0.3 beats until then, a
      throw of v beats leaves dwell + 0.3 − v early.
    - As in recordings of jugglers, a 1: the earlier the higher its prop is thrown next, but after
      the other hand's last throw.
    - As in recordings, a throw that is lower than the last throw of the hand, if the hand holds a
      prop at its next turn.

    A throw leaves less early where the hand would otherwise throw a prop before it has caught it,
    or before its own last throw.

    Args:
        pattern: the pattern, with T throws.
        is_hold: length T, which of its throws are holds.
        dwell: time from a catch to that hand's next throw, [beats].
        since_throw: for each site (a hand and a beat) with a throw or a hold how long ago that hand
            last threw, [beats].
        recorded_timing: which throws leave as jugglers in recordings throw them.
    """
    # The lead of each site if nothing limits it: how long before its beat it throws, [beats].
    wanted_leads: dict[Site, float] = {}
    # Sites of throws that are lower than the hand's last one and followed by a hold of the hand.
    sites_before_hold: set[Site] = set()
    if RecordedTiming.BEFORE_HOLDS in recorded_timing:
        sites_before_hold = _lower_before_hold(pattern, is_hold, since_throw)
    throws_ones_early = RecordedTiming.ONES in recorded_timing
    for throw_index, (throw, site) in enumerate(zip(pattern.throws, pattern.sites, strict=True)):
        if is_hold[throw_index]:
            continue
        value = throw.value / pattern.division
        if value >= MAX_DWELL:  # two beats or more
            lead = _EARLY_BEFORE_HOLD if site in sites_before_hold else 0.0
        elif throws_ones_early and _goes_straight_across(throw):
            # A 1, or what is thrown like one, as in recordings.
            lead = _hand_across_lead(pattern, throw_index, dwell)
        else:
            # Another throw of less than two beats, as in Juggling Lab.
            lead = dwell + _MIN_FLIGHT - value
        if lead > 0:
            # Throws of one hand on one beat (a multiplex) leave together, as early as the earliest
            # of them.
            wanted_leads[site] = max(wanted_leads.get(site, 0.0), lead)
    if not wanted_leads:
        return wanted_leads
    # Each limit says that one site can be earlier than another by some beats at most.
    limits = list(_early_throw_limits(pattern, is_hold, since_throw, wanted_leads))
    return _largest_leads_within_limits(wanted_leads, limits)


def _goes_straight_across(throw: Throw) -> bool:
    """Whether a throw goes to the juggler's other hand without a bounce, as a 1 does."""
    return not throw.bounces and throw.juggler == throw.to_juggler and throw.hand != throw.to_hand


def _hand_across_lead(pattern: Pattern, throw_index: int, dwell: float) -> float:
    """Return how long before its beat a 1 leaves if nothing limits it, [beats]; ≤ 0 if not early.

    Flight and carry together take longer than the value of the 1 by that time. It flies for 0.3
    beats, and is carried for `dwell`, or for longer the higher its prop is thrown next; but it
    leaves after the other hand's last throw.

    Args:
        pattern: the pattern that is juggled.
        throw_index: index of the 1, or of another throw of less than two beats to the
            juggler's other hand.
        dwell: time from a catch to that hand's next throw, [beats].
    """
    value = pattern.throws[throw_index].value / pattern.division
    next_value = pattern.throws[pattern.landings[throw_index]].value / pattern.division
    carry = dwell
    if next_value > MAX_HOLD:
        carry = _CARRY_PER_BEAT_AFTER_ONE * dwell * next_value
    # The 1 leaves its hand so long before the beat on which its prop is thrown again, beats: time
    # to fly and to be carried. But the other hand threw `_BEATS_OF_HAND` (two) beats before that
    # beat, and the 1 leaves at least `_AFTER_OTHER_THROW` after that.
    before_landing = min(_MIN_FLIGHT + carry, _BEATS_OF_HAND - _AFTER_OTHER_THROW)
    return before_landing - value  # before its own beat, which is `value` before the landing


def _lower_before_hold(
    pattern: Pattern, is_hold: Sequence[bool], since_throw: dict[Site, float]
) -> set[Site]:
    """Find the throws that leave early because their hand holds a prop at its next turn.

    In recordings of jugglers, such a throw leaves early if it is lower than the last throw of the
    hand (see `_EARLY_BEFORE_HOLD`). Only throws above 2 beats to the same juggler count. A site is
    a hand and a beat.

    Args:
        pattern: the pattern, with T throws.
        is_hold: length T, which of its throws are holds.
        since_throw: from `times_since_throw`: for each site how long ago the hand threw, [beats].

    Returns:
        The sites of these throws.
    """
    if not any(is_hold):
        return set()
    hold_sites = {site for site, hold in zip(pattern.sites, is_hold, strict=True) if hold}
    # By site the highest value that is thrown or held there, in units of the pattern.
    values = _highest_values(pattern)
    beats_of_hand = grouped(sorted(values))

    before_hold: set[Site] = set()
    for hand, beats in beats_of_hand.items():
        # The next turn after the last one is the first of the next loop.
        for beat, next_beat in zip(beats, beats[1:] + beats[:1], strict=True):
            site = hand, beat
            last_throw = previous_throw(pattern, site, since_throw)
            is_lower = MAX_HOLD * pattern.division < values[site] < values[last_throw]
            if (hand, next_beat) in hold_sites and is_lower:
                before_hold.add(site)
    to_others = {
        site
        for throw, site in zip(pattern.throws, pattern.sites, strict=True)
        if throw.juggler != throw.to_juggler
    }
    return before_hold - hold_sites - to_others


def _highest_values(pattern: Pattern) -> dict[Site, int]:
    """For each site the highest value that is thrown or held there, in units of the pattern."""
    highest: dict[Site, int] = {}
    for throw, site in zip(pattern.throws, pattern.sites, strict=True):
        highest[site] = max(highest.get(site, 0), throw.value)
    return highest


class _Limit(NamedTuple):
    """An upper limit of a lead: lead[limited] ≤ max(0, lead[limiting] + difference).

    The lead of a site (a hand and a beat) is how long before its beat the hand throws, [beats].

    Attributes:
        limited: site whose lead is limited.
        limiting: site on whose lead the limit depends.
        difference: [beats]; below 0 if the limited throw must be less early.
    """

    limited: Site
    limiting: Site
    difference: float


def _early_throw_limits(
    pattern: Pattern,
    is_hold: Sequence[bool],
    since_throw: dict[Site, float],
    wanted_leads: dict[Site, float],
) -> Iterator[_Limit]:
    """Yield the limits of how early hands can throw.

    There are two kinds: a prop cannot leave a hand before it has flown there and been caught; and a
    hand cannot throw before its last throw.

    Args:
        pattern: T throws, in units of which `division` make a beat.
        is_hold: length T, which of its throws are holds.
        since_throw: for each site (a hand and a beat) with a throw or a hold how long ago that hand
            last threw, [beats].
        wanted_leads: by site how long before its beat it throws if nothing limits it, [beats]; only
            these sites are limited.
    """
    for throw_index, throw in enumerate(pattern.throws):
        if is_hold[throw_index]:
            continue
        # A prop has to fly, then be carried for `MIN_CARRY`, before the hand that catches it throws
        # or holds it. What remains of its value is `spare`: how early that hand can be if the prop
        # was thrown on the beat.
        value = throw.value / pattern.division
        spare = value - MIN_CARRY - shortest_flight(value)
        landing = pattern.landings[throw_index]  # index of the prop's next throw or hold
        # Index of the prop's next throw that is no hold, and the time of the holds before it.
        release, hold_time = next_release(pattern, is_hold, throw_index)
        # Two throws are limited: what leaves the hand on the beat of the landing; and the throw
        # that ends the holds after it, which can be earlier by the duration of these holds. Without
        # holds they are one throw, and the dictionary has one entry.
        wait_of_throw = {landing: 0, release: hold_time}
        for limited_throw, wait in wait_of_throw.items():
            limited = pattern.sites[limited_throw]
            if limited in wanted_leads:
                yield _Limit(
                    limited=limited,
                    limiting=pattern.sites[throw_index],
                    difference=spare + wait / pattern.division,
                )
    # A hand also has its own last throw as a limit: between its two throws it is empty for
    # `MIN_EMPTY`, and then carries for `MIN_CARRY`.
    for site in wanted_leads:
        yield _Limit(
            limited=site,
            limiting=previous_throw(pattern, site, since_throw),
            difference=since_throw[site] - MIN_EMPTY - MIN_CARRY,
        )


def _largest_leads_within_limits(
    wanted_leads: dict[Site, float], limits: Sequence[_Limit]
) -> dict[Site, float]:
    """Return the largest leads up to the wanted ones that keep all limits, by site, [beats].

    They are found by fixed-point iteration; limits may depend on each other around a cycle. A site
    is a hand and a beat.

    Args:
        wanted_leads: for each site how long before its beat it throws if nothing limits it, 0 or
            more, [beats]; other sites have 0.
        limits: limits of these leads; each limited site is a key of `wanted_leads`.
    """
    leads = dict(wanted_leads)
    # Leads start as they are wanted and only decrease, never below 0. In a cycle of limits they
    # stop decreasing at the latest when one is 0.
    changed = True
    while changed:
        changed = False
        for limit in limits:
            largest = max(0.0, leads.get(limit.limiting, 0.0) + limit.difference)
            if largest < leads[limit.limited]:
                leads[limit.limited] = largest
                changed = True
    return leads


def hand_dwells(pattern: Pattern, dwell: float) -> dict[int, float]:
    """Return the dwell of each beat of a hand siteswap, the time from catch to beat, [beats].

    The rules are those of Juggling Lab 1.7.7, one after another:

    - With `dwellmax`, props are caught 0.7 beats (`_CATCH_AFTER_THROW`) after the last turn of the
      hand. Without, they are caught `dwell` before the beat, or 0.3 (`MIN_DWELL`) before it if any
      hand has turns on two beats in a row.
    - Where that is before the prop is thrown, it is caught 0.7 beats after its throw instead.
    - Of simultaneous catches all but one are made earlier.

    In the end dwells are shortened so that each hand is empty for `MIN_EMPTY` after a throw, and
    each flight takes its shortest time. This is not a rule of Juggling Lab.

    Args:
        pattern: a pattern with a hand siteswap, which says in what order hands have their turns,
            only one on each beat.
        dwell: time from a catch to that hand's next throw, [beats]; unused with `dwellmax`.

    Returns:
        For each beat of the loop on which props land, the time from catch to beat, [beats].
    """
    assert pattern.hand_siteswap is not None, "only a hand siteswap has dwells by beat"
    # The lowest throw that lands on each beat; and for each beat with a turn, how many beats ago
    # the hand whose turn it is had its last one.
    lowest_value_by_beat = _lowest_value_by_landing_beat(pattern)
    beats_since_turn = _beats_since_last_turn(pattern)
    # Juggling Lab computes a catch, 0.7 beats after the beat (so a dwell below 0), also for beats
    # on which nothing lands, and keeps real catches away from these times.
    dwells = dict.fromkeys(range(pattern.period), -_CATCH_AFTER_THROW)
    has_turns_in_a_row = 1 in beats_since_turn.values()
    for beat, value in lowest_value_by_beat.items():
        if pattern.hand_siteswap.dwellmax:
            dwells[beat] = beats_since_turn[beat] - _CATCH_AFTER_THROW
        else:
            dwells[beat] = MIN_DWELL if has_turns_in_a_row else dwell
        # A throw is made `value` beats before it lands, and must be caught later than that.
        if dwells[beat] >= value:
            dwells[beat] = value - _CATCH_AFTER_THROW
    _separate_simultaneous_catches(dwells, pattern.period)  # lengthens some, in place

    return {
        beat: min(dwells[beat], beats_since_turn[beat] - MIN_EMPTY, value - shortest_flight(value))
        for beat, value in lowest_value_by_beat.items()
    }


def _lowest_value_by_landing_beat(pattern: Pattern) -> dict[int, int]:
    """Value of the lowest throw that lands on each beat, by beat, in the order of the throws.

    Beats on which nothing lands are left out.
    """
    lowest: dict[int, int] = {}
    for throw in pattern.throws:
        beat = (throw.beat + throw.value) % pattern.period
        lowest[beat] = min(throw.value, lowest.get(beat, throw.value))
    return lowest


def _beats_since_last_turn(pattern: Pattern) -> dict[int, int]:
    """Number of beats since the same hand's previous turn, by beat of each turn.

    A turn is a beat on which a hand may throw. For a hand with only one turn in the loop the number
    is the length of the loop.

    Args:
        pattern: a pattern with a hand siteswap, so that no beat is a turn of two hands.
    """
    # Turns ascend by beat, so later turns of a hand overwrite its earlier ones: this begins with
    # each hand's last turn of the loop, moved to the loop before.
    last = {(juggler, hand): beat - pattern.period for beat, juggler, hand in pattern.turns}
    since = {}
    for beat, juggler, hand in pattern.turns:
        since[beat] = beat - last[juggler, hand]
        last[juggler, hand] = beat
    return since


def _separate_simultaneous_catches(dwells: dict[int, float], period: int) -> None:
    """Lengthen dwells in place so that catches do not coincide, as Juggling Lab does.

    Each beat in turn keeps its catch. Of n others at exactly the same time, the first is moved
    0.3/n beats earlier, the next 0.3/(n − 1), and the last 0.3 (`MIN_DWELL`). A moved catch may
    meet another one; they are separated only if the turn of either of their beats is still to come,
    as each beat has its turn once.

    Args:
        dwells: for each beat of the loop, in ascending order, how long before it props are caught,
            [beats].
        period: period of the loop, [beats].
    """
    # Beats grouped by the rounded time of their catch. Only catches of one group can coincide, so
    # not every pair of beats has to be compared. A moved beat changes its group.
    beats_by_catch_time: dict[float, set[int]] = {}
    for beat in dwells:
        beats_by_catch_time.setdefault(_catch_time_key(beat, dwells, period), set()).add(beat)

    for beat in dwells:
        beats_at_same_time = beats_by_catch_time[_catch_time_key(beat, dwells, period)]
        coinciding = sorted(
            candidate
            for candidate in beats_at_same_time
            if candidate != beat and _is_exactly_simultaneous(beat, candidate, dwells, period)
        )
        for moved_count, moved_beat in enumerate(coinciding):
            beats_at_same_time.discard(moved_beat)
            dwells[moved_beat] += MIN_DWELL / (len(coinciding) - moved_count)
            beats_by_catch_time.setdefault(_catch_time_key(moved_beat, dwells, period), set()).add(
                moved_beat
            )


def _catch_time_key(beat: int, dwells: dict[int, float], period: int) -> float:
    """When the props of a beat are caught, within the loop and rounded, as a key of equal times."""
    # The second remainder is for times that are rounded up to the period.
    return round((beat - dwells[beat]) % period, 6) % period


def _is_exactly_simultaneous(
    first: int, second: int, dwells: dict[int, float], period: int
) -> bool:
    """Whether what lands on two beats is caught at the same time."""
    # Compared without a tolerance, as Juggling Lab does: with one, other catches would be moved.
    return (dwells[second] - dwells[first] - (second - first) % period) % period == 0.0


def holds(pattern: Pattern) -> tuple[bool, ...]:
    """Return for each throw whether it is a hold, a throw whose prop stays in its hand.

    Only a throw to its own hand can be a hold. The pattern may mark it (`3H` is a hold, `2T` a
    throw). Without a mark, a throw of up to two beats is a hold unless it bounces, or its hand
    throws or holds something else before the prop would land.

    Args:
        pattern: the pattern, with T throws.

    Returns:
        T values, in the order of `pattern.throws`.
    """
    longest = MAX_HOLD * pattern.division
    if not any(throw.held or throw.value <= longest for throw in pattern.throws):
        return (False,) * len(pattern.throws)
    # By hand, 2 · juggler + side, the beats on which it throws or holds something, ascending.
    busy_beats = grouped(sorted(set(pattern.sites)))

    def stays_in_hand(throw: Throw) -> bool:
        """Whether a throw is a hold: the prop stays in the hand until the hand's next throw."""
        if throw.value > longest and not throw.held:
            return False
        if hand_of(throw) != catching_hand(throw):
            return False
        if throw.held is not None:  # marked as a hold or as a throw
            return throw.held
        if throw.bounces:
            return False
        # The hand is busy again no earlier than when this prop would land.
        until_busy = _time_until_busy(busy_beats[hand_of(throw)], throw.beat, pattern.period)
        return until_busy >= throw.value

    return tuple([stays_in_hand(throw) for throw in pattern.throws])


def next_release(pattern: Pattern, is_hold: Sequence[bool], throw_index: int) -> tuple[int, int]:
    """Return the throw with which a prop leaves the hand that catches it, after any holds.

    A unit of the pattern is a beat, or the part of one in which the pattern counts.

    Args:
        pattern: the pattern, with T throws.
        is_hold: length T, which of its throws are holds.
        throw_index: index of the throw with which the prop flies; not a hold.

    Returns:
        The index of the prop's next throw that is not a hold, and the total duration of the holds
        between landing and that throw, in units of the pattern; 0 if there are none.
    """
    # `landings` has for each throw the index of the throw or hold that its prop makes next. The
    # loop below ends: landings lead around the prop's orbit, back to the throw itself at the
    # latest, which is not a hold.
    next_throw = pattern.landings[throw_index]
    hold_time = 0
    while is_hold[next_throw]:
        hold_time += pattern.throws[next_throw].value
        next_throw = pattern.landings[next_throw]
    return next_throw, hold_time


def _time_until_busy(busy_beats: list[int], beat: int, period: int) -> int:
    """Time from a beat until its hand next throws or holds something, in units of the pattern.

    Args:
        busy_beats: beats on which the hand throws or holds something, ascending, not empty.
        beat: one of them; if it is the only one, the result is the period.
        period: the period of the loop.
    """
    index = bisect_right(busy_beats, beat)
    next_beat = busy_beats[index] if index < len(busy_beats) else busy_beats[0] + period
    return next_beat - beat


@dataclass(frozen=True)
class Timing:
    """Times of the T throws of a pattern, in its units: beats, or fractions of a beat.

    All have length T, in the order of `pattern.throws`.

    Args:
        throw: when each throw leaves its hand, below 0 if that is before the start of the loop;
            meaningless for a hold.
        catch: when its prop is caught, counting on from the loop of the throw, so above `throw` and
            perhaps beyond the period; meaningless for a hold.
        is_hold: which throws are holds.
        arrivals: for each site (hand and beat) on which props land, the indices of their throws,
            one or more; holds are left out.
    """

    throw: tuple[float, ...]
    catch: tuple[float, ...]
    is_hold: tuple[bool, ...]
    arrivals: dict[Site, list[int]]

    @property
    def flown(self) -> list[int]:
        """Indices of the throws that are no holds, ascending."""
        return [throw_index for throw_index, hold in enumerate(self.is_hold) if not hold]


def time_throws(
    pattern: Pattern,
    dwell: float,
    squeeze: float,
    dwell_gain: float = 0.0,
    least_empty: float = MIN_EMPTY,
    caught_late: frozenset[int] = frozenset(),
    recorded_timing: RecordedTiming = RecordedTiming.NONE,
) -> Timing:
    """Return when each throw leaves its hand, when it is caught, and whether it is a hold.

    Throws leave on their beats, or before (see `early_throws`). A prop that lands on a beat is
    caught some time before that beat, within the limits of flights and of the throws of the hand.

    Args:
        pattern: the pattern that is juggled.
        dwell: time from a catch to that hand's next throw, [beats].
        squeeze: time over which several catches in one hand are spread, [beats].
        dwell_gain: change of the dwell for each beat by which the incoming throw is higher than the
            last throw of that hand, [beats/beat]. Above 0, high throws are caught earlier, and so
            need not go as high.
        least_empty: least time from a throw to the next catch of that hand, [beats]; less where it
            throws again so soon that it could carry nothing in between.
        caught_late: indices of throws that are caught only `LATE_DWELL` before they are thrown
            again.
        recorded_timing: which throws leave as jugglers in recordings throw them.
    """
    is_hold = holds(pattern)
    # By site, a hand and a beat, the indices of the throws that land there.
    arrivals = _arrivals(pattern, is_hold)

    # Leads: how long before its beat each site throws, and makes its first catch, [beats]. With a
    # hand siteswap (which says in what order hands throw) only one hand has its turn on a beat, so
    # dwells are given by beat, and nothing is thrown early.
    if pattern.hand_siteswap is None:
        throw_leads, catch_leads = _throw_and_catch_leads(
            pattern,
            is_hold,
            arrivals,
            dwell=dwell,
            dwell_gain=dwell_gain,
            least_empty=least_empty,
            recorded_timing=recorded_timing,
        )
    else:
        dwells = hand_dwells(pattern, dwell)
        throw_leads = {}
        catch_leads = {(hand, beat): dwells[beat] for hand, beat in arrivals}

    throw = tuple(
        [
            _time_before(beat, throw_leads.get((hand, beat), 0.0), pattern.division)
            for hand, beat in pattern.sites
        ]
    )
    catch = _catch_times(
        pattern,
        is_hold,
        arrivals,
        throw_leads,
        catch_leads,
        squeeze=squeeze,
        caught_late=caught_late,
    )
    return Timing(throw, catch, is_hold, arrivals)


def _arrivals(pattern: Pattern, is_hold: Sequence[bool]) -> dict[Site, list[int]]:
    """Group the throws that are no holds by site (hand and beat) of their landing."""
    return grouped(
        (pattern.sites[landing], throw_index)
        for throw_index, landing in enumerate(pattern.landings)
        if not is_hold[throw_index]
    )


def _catch_times(
    pattern: Pattern,
    is_hold: Sequence[bool],
    arrivals: dict[Site, list[int]],
    throw_leads: dict[Site, float],
    catch_leads: dict[Site, float],
    *,
    squeeze: float,
    caught_late: frozenset[int],
) -> tuple[float, ...]:
    """Return when each throw is caught, in units of the pattern; 0, without meaning, for holds.

    A site is a hand and a beat. A lead is how long before its beat something happens, so that of
    the first of several catches is the greatest.

    Args:
        pattern: the pattern, with T throws.
        is_hold: length T, which of its throws are holds.
        arrivals: by site, the indices of the throws that land there.
        throw_leads: lead of the throw of each site that throws early, [beats].
        catch_leads: lead of the first catch at each site with arrivals, [beats].
        squeeze: time over which several catches in one hand are spread, [beats].
        caught_late: indices of throws that are caught only `LATE_DWELL` before they are thrown
            again.
    """
    catch = [0.0] * len(pattern.throws)
    # Props that land in one hand on one beat are caught one after the other, from the first lead to
    # the latest.
    for site, arriving in arrivals.items():
        first_lead = catch_leads[site]
        # `MIN_CARRY` before the hand throws, or ends the hold of, what lands there.
        latest_lead = _latest_catch_lead(pattern, is_hold, site, arriving, throw_leads)
        if not caught_late.isdisjoint(arriving):
            # No earlier than `LATE_DWELL` before the hand throws.
            throw_lead = latest_lead - MIN_CARRY
            first_lead = min(first_lead, throw_lead + LATE_DWELL)
        first_lead = max(first_lead, latest_lead)
        for throw_index, lead in _squeezed_catches(
            pattern, arriving, first_lead, latest_lead, squeeze
        ):
            landing = pattern.throws[throw_index].beat + pattern.throws[throw_index].value
            catch[throw_index] = _time_before(landing, lead, pattern.division)
    return tuple(catch)


def _throw_and_catch_leads(
    pattern: Pattern,
    is_hold: Sequence[bool],
    arrivals: dict[Site, list[int]],
    *,
    dwell: float,
    dwell_gain: float,
    least_empty: float,
    recorded_timing: RecordedTiming,
) -> tuple[dict[Site, float], dict[Site, float]]:
    """Return the leads of throws and of first catches: how long before their beats they are made.

    The lead of a catch is the dwell, but the hand must have been empty for a while since its last
    throw, and each prop must have flown for the shortest time of its value.

    Args:
        pattern: T throws, without a hand siteswap.
        is_hold: length T, which of its throws are holds.
        arrivals: indices of the throws that land at each site (a hand and a beat), one or more.
        dwell: time from a catch to that hand's next throw, [beats].
        dwell_gain: change of the dwell for each beat by which the incoming throw is higher than the
            last throw of that hand, [beats/beat]; 0 for a dwell that is always the same.
        least_empty: least time from a throw to the next catch of that hand, [beats].
        recorded_timing: which throws leave as jugglers in recordings throw them.

    Returns:
        Leads of throws, for sites that throw early; and leads of the first catch, for each site
        where props land, [beats].
    """
    since_throw = times_since_throw(pattern, is_hold)  # by site: how long ago its hand threw, beats
    throw_leads = early_throws(pattern, is_hold, dwell, since_throw, recorded_timing)
    highest = _highest_values(pattern)  # by site: the highest value, in units of the pattern
    catch_leads = {}
    for site, arriving in arrivals.items():
        # The wanted lead: the dwell, longer where the incoming throw is higher than the hand's last
        # one, and at least `min_lead`.
        last_throw_site = previous_throw(pattern, site, since_throw)
        wanted_lead = dwell
        if dwell_gain:
            wanted_lead += _dwell_change(pattern, arriving, last_throw_site, highest, dwell_gain)
        # Where the hand throws early as in recordings, it still carries the prop for a while before
        # it throws.
        min_lead = 0.0
        if site in throw_leads and recorded_timing:
            min_lead = throw_leads[site] + min(_CARRY_BEFORE_ONE, dwell)
        # How long before the beat the hand threw last, early throws included; `MAX_DWELL` if it is
        # longer ago than that, as no carry is longer.
        since_last_throw = MAX_DWELL
        if since_throw[site] <= MAX_DWELL:
            since_last_throw = since_throw[site] + throw_leads.get(last_throw_site, 0.0)

        # The greatest possible leads, those of the earliest possible catches: by the time that the
        # hand is empty, and by the shortest flight of each prop. They win over `min_lead`.
        max_leads = [_earliest_catch_lead(pattern, throw, throw_leads) for throw in arriving]
        max_leads.append(_lead_after_empty_hand(since_last_throw, least_empty, min_lead))
        catch_leads[site] = min(max(wanted_lead, min_lead), *max_leads)
    return throw_leads, catch_leads


def _lead_after_empty_hand(since_last: float, least_empty: float, min_lead: float) -> float:
    """Return the lead of the earliest catch before which the hand is empty for a while, [beats].

    A lead is the time from an event to its beat. These limits count from the hand's last throw:

    - It is empty for `least_empty` before it catches.
    - It is empty for less if it would then carry the prop for less than the share
      `_MIN_CARRIED_SHARE` of the time, or for less than `min_lead`.
    - It is empty for `MIN_EMPTY` in any case.

    Args:
        since_last: time from the hand's last throw to the beat, [beats].
        least_empty: wanted time from that throw to the catch, [beats].
        min_lead: wanted least time from the catch to the beat, [beats].
    """
    lead = max(since_last - least_empty, _MIN_CARRIED_SHARE * since_last, min_lead)
    return min(lead, since_last - MIN_EMPTY)


def _dwell_change(
    pattern: Pattern,
    arriving: Sequence[int],
    last_throw: Site,
    highest: dict[Site, int],
    dwell_gain: float,
) -> float:
    """Return the change of a hand's dwell due to the height of the incoming throw, [beats].

    A prop from a throw that is higher than the hand's last throw is carried for longer, one from a
    lower throw for less. The change is limited to `_MAX_DWELL_CHANGE` (0.3 beats) either way.

    Args:
        pattern: the pattern that is juggled.
        arriving: indices of the throws that land in the hand on one beat, one or more; the highest
            of them counts.
        last_throw: hand and beat of the hand's last throw before that beat.
        highest: value of the highest throw or hold at each site, in units of the pattern.
        dwell_gain: change for each beat by which the incoming throw is higher, [beats/beat].
    """
    incoming_value = max([pattern.throws[throw_index].value for throw_index in arriving])
    # Without a last throw or hold there is nothing to compare with, and no change.
    last_value = highest.get(last_throw, incoming_value)
    change = dwell_gain * ((incoming_value - last_value) / pattern.division)
    return max(-_MAX_DWELL_CHANGE, min(change, _MAX_DWELL_CHANGE))


def _earliest_catch_lead(
    pattern: Pattern, throw_index: int, throw_leads: dict[Site, float]
) -> float:
    """Return the lead of the earliest possible catch of a throw, its time before its beat, [beats].

    The catch is as early as the shortest flight of such a throw allows.

    Args:
        pattern: the pattern that is juggled.
        throw_index: index of the throw.
        throw_leads: how long before its beat each site (hand and beat) throws; sites that throw on
            the beat may be left out, [beats].
    """
    # The throw leaves `value` beats and its lead before it lands, and flies for a least time.
    value = pattern.throws[throw_index].value / pattern.division
    return value + throw_leads.get(pattern.sites[throw_index], 0.0) - shortest_flight(value)


def _latest_catch_lead(
    pattern: Pattern,
    is_hold: Sequence[bool],
    site: Site,
    arriving: Sequence[int],
    throw_leads: dict[Site, float],
) -> float:
    """Return the lead of the latest possible catch, its time before the beat of landing, [beats].

    The catch is `MIN_CARRY` before the earliest throw with which one of the caught props leaves the
    hand.

    Args:
        pattern: the pattern, with T throws.
        is_hold: length T, which of its throws are holds.
        site: the hand that catches, and the beat.
        arriving: indices of the throws that land there; one or more.
        throw_leads: how long before its beat each site (hand and beat) throws, if early, [beats].
    """
    throw_lead = throw_leads.get(site, 0.0)  # how early the hand throws on the beat
    for throw_index in arriving:
        if not is_hold[pattern.landings[throw_index]]:
            continue  # the prop leaves on the beat
        # A prop that is held on the beat leaves with the throw after the hold. That throw may be so
        # early that it comes before the beat; counted back from the beat, its lead is reduced by
        # the duration of the hold, and negative if it leaves after the beat.
        release, hold_time = next_release(pattern, is_hold, throw_index)
        release_lead = throw_leads.get(pattern.sites[release], 0.0) - hold_time / pattern.division
        throw_lead = max(throw_lead, release_lead)
    return throw_lead + MIN_CARRY


def _squeezed_catches(
    pattern: Pattern, arriving: Sequence[int], first_lead: float, latest_lead: float, squeeze: float
) -> list[tuple[int, float]]:
    """Spread the catches of throws that land in one hand on one beat, evenly in time.

    They come in the order of `_catch_sort_key`, the highest throw first. A lead is the time from a
    catch to the beat.

    Args:
        pattern: the pattern that is juggled.
        arriving: indices of these throws; one or more.
        first_lead: lead of the first catch, [beats].
        latest_lead: lead of the latest possible catch, not more than `first_lead`, [beats].
        squeeze: wanted time from the first to the last catch, [beats]; where there is less, they
            are spread from `first_lead` to `latest_lead`.

    Returns:
        Pairs of the index of a throw and the time from its catch to the beat, [beats], from the
        first catch to the last.
    """
    if len(arriving) == 1:
        return [(arriving[0], first_lead)]
    spread_time = min(squeeze, first_lead - latest_lead)
    if spread_time <= _MIN_SQUEEZE:  # 0.01 beats
        spread_time = 0.0  # simultaneous
    throws_in_order = sorted(
        arriving, key=lambda throw_index: _catch_sort_key(pattern.throws[throw_index])
    )
    return [
        (throw_index, first_lead - spread_time * catch_number / (len(throws_in_order) - 1))
        for catch_number, throw_index in enumerate(throws_in_order)
    ]


def _catch_sort_key(throw: Throw) -> tuple[int, int, bool]:
    """Sort key of catches in one hand on one beat.

    The highest throw, which was thrown first, comes first. Of equal ones the first is that from the
    juggler whose number differs most, and of one juggler's the one from the same side.
    """
    return -throw.value, -abs(throw.to_juggler - throw.juggler), throw.hand != throw.to_hand


def _time_before(beat: int, lead: float, division: int) -> float:
    """Return the time that is a lead before a beat, in units of the pattern.

    Args:
        beat: in units of the pattern.
        lead: time before that beat, [beats].
        division: number of units in a beat.
    """
    if not lead:
        return float(beat)
    # Sums of the same terms in another order can differ in the last bit. Rounding makes such times
    # equal, as events that are simultaneous must be.
    return round(beat - lead * division, 9)
