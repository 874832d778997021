"""Dwell and timing: when hands throw and catch, which throws stay in the hand, and which leave
early.

The rules are those of Juggling Lab 1.7.7, in beats, or in part those that films show. A `Timing` is
in the units of the pattern, which are fractions of a beat where it divides its beats.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import Pattern, Throw
from juggle_anim.pattern.pattern import catching_hand, hand_of

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

# As films of 441, 531, 51, 31 and 423 show, juggled with a usual dwell of 1.3 beats; see "Releases
# against the beat" in docs/realism.md.
_CARRY_AFTER_ONE = 0.37 / 1.3
"""How long a 1 that flies as shortly as it can is carried for each beat of the throw that follows,
as a share of the dwell, [dwells/beat].
"""

_CARRY_BEFORE_ONE = 0.5
"""How long a prop is carried at least before a throw that leaves early, as a 1, [beats]."""

_EARLY_BEFORE_HOLD = 0.43
"""How early a hand throws what is lower than its last throw, before it holds a prop, [beats]."""

_BEFORE_ONE = 0.05
"""From the beat of a throw to a 1 that goes to the hand that made it, at least, [beats]."""

_BEATS_OF_HAND = 2.0
"""From a throw of a hand to its next, as a rule, [beats]."""


def times_since_throw(pattern: Pattern, held: Sequence[bool]) -> dict[Site, float]:
    """Return for each hand and beat with a throw or a hold how long ago that hand last threw.

    Args:
        pattern: T throws; `pattern.sites` has the hand (2 · juggler + side) and the beat of each.
        held: length T, which of its throws are holds, which do not count as throws.

    Returns:
        The times by hand and beat, counted around the loop, above 0, at most the period, [beats].
        For a hand that throws on this beat only, and for one that never throws, it is the period.
    """
    beats_of_hand: dict[int, set[int]] = {}
    for (hand, beat), is_hold in zip(pattern.sites, held, strict=True):
        if not is_hold:
            beats_of_hand.setdefault(hand, set()).add(beat)
    throw_beats = {hand: sorted(beats) for hand, beats in beats_of_hand.items()}
    # For a hand that only holds, the beat itself stands in as its only throw: a whole loop ago.
    return {
        (hand, beat): _beats_since_last(throw_beats.get(hand, [beat]), beat, pattern)
        for hand, beat in pattern.sites
    }


def previous_throw(pattern: Pattern, site: Site, since_throw: dict[Site, float]) -> Site:
    """Return the hand and beat of the throw that its hand made last before a site.

    Args:
        pattern: the pattern that is juggled.
        site: a hand, and a beat on which it throws or holds.
        since_throw: for each site how long ago its hand last threw, from `times_since_throw`,
            [beats].
    """
    hand, beat = site
    # These times are whole numbers of units of the pattern; rounding removes the error of the
    # division.
    return hand, (beat - round(since_throw[site] * pattern.division)) % pattern.period


def _beats_since_last(beats: Sequence[int], beat: int, pattern: Pattern) -> float:
    """The time since the last of some beats that is before `beat`, around the loop, [beats].

    Args:
        beats: ascending, not empty, in units of the pattern.
        beat: likewise; if it is the only one in `beats`, the result is a whole loop.
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
    held: Sequence[bool],
    dwell: float,
    since_throw: dict[Site, float],
    early_releases: bool = False,
) -> dict[Site, float]:
    """Return for hands and beats that throw early how long before the beat they do so, [beats].

    Sites that are left out, or have 0, throw on the beat. A throw of less than two beats, like any
    other, is caught `dwell` before the next throw of its catching hand. To fly 0.3 beats until
    then, a throw of v beats leaves dwell + 0.3 − v early, as in Juggling Lab 1.7.7. It leaves less
    early where the hand would otherwise throw a prop before it has caught it, or before its own
    last throw.

    In films a 1 leaves the earlier the higher its prop is thrown next, but later than what the
    other hand threw on the beat before. And a hand whose next turn is a hold makes its throw early
    if that is lower than its last one.

    Args:
        pattern: the pattern, with T throws.
        held: length T, which of its throws are holds.
        dwell: time from a catch to that hand's next throw, [beats].
        since_throw: for each site (a hand and a beat) with a throw or a hold how long ago that hand
            last threw, [beats].
        early_releases: whether 1s, and throws before holds, leave earlier, as measured in films of
            jugglers; False for the times of Juggling Lab.
    """
    # How early each site throws if nothing limits it.
    wanted: dict[Site, float] = {}
    # Sites of throws that are lower than the hand's last one and followed by a hold of the hand.
    before_hold = _lower_before_hold(pattern, held, since_throw) if early_releases else ()
    for index, (throw, site) in enumerate(zip(pattern.throws, pattern.sites, strict=True)):
        if held[index]:
            continue
        value = throw.value / pattern.division
        if early_releases and _is_handed_over(pattern, throw):
            needed = _lead_of_one(pattern, index, dwell)
        elif value < MAX_DWELL:
            needed = dwell + _MIN_FLIGHT - value
        else:
            needed = _EARLY_BEFORE_HOLD if site in before_hold else 0.0
        if needed > 0:
            # Several throws of one hand on one beat (a multiplex) leave together, as early as the
            # one that needs most.
            wanted[site] = max(wanted.get(site, 0.0), needed)
    if not wanted:
        return wanted
    # Each limit says that one site can be earlier than another by some beats at most.
    limits = list(_early_throw_limits(pattern, held, since_throw, wanted))
    return _greatest_within_limits(wanted, limits)


def _is_handed_over(pattern: Pattern, throw: Throw) -> bool:
    """Whether a throw goes straight to the juggler's other hand, as a 1 does."""
    return (
        not throw.bounces
        and throw.value < MAX_DWELL * pattern.division
        and throw.juggler == throw.to_juggler
        and throw.hand != throw.to_hand
    )


def _lead_of_one(pattern: Pattern, index: int, dwell: float) -> float:
    """Return how early a 1 leaves if nothing limits it, [beats]; 0 or less if it is not early.

    It flies for 0.3 beats, and is carried for `dwell`, or for longer the higher its prop is thrown
    next; but it leaves after the other hand's last throw. What that takes beyond the value of the 1
    is how early it leaves.

    Args:
        pattern: the pattern that is juggled.
        index: index of the 1, or of another throw of less than two beats to the juggler's other
            hand.
        dwell: time from a catch to that hand's next throw, [beats].
    """
    value = pattern.throws[index].value / pattern.division
    next_value = pattern.throws[pattern.landings[index]].value / pattern.division
    carry = dwell
    if next_value > MAX_HOLD:
        carry = _CARRY_AFTER_ONE * dwell * next_value
    # The other hand threw two beats (`_BEATS_OF_HAND`) before the 1 lands there; the 1 leaves its
    # own hand at least `_BEFORE_ONE` beats after that.
    return min(carry + _MIN_FLIGHT, _BEATS_OF_HAND - _BEFORE_ONE) - value


def _lower_before_hold(
    pattern: Pattern, held: Sequence[bool], since_throw: dict[Site, float]
) -> set[Site]:
    """Find the throws that leave early in films because their hand then holds a prop.

    They are throws above 2 beats that are lower than the last throw of the hand, stay with the same
    juggler, and are followed by a hold of that hand at its next turn. A site is a hand and a beat.

    Args:
        pattern: the pattern, with T throws.
        held: length T, which of its throws are holds.
        since_throw: from `times_since_throw`: for each site how long ago the hand threw, [beats].

    Returns:
        The sites of these throws.
    """
    hold_sites = {site for site, is_hold in zip(pattern.sites, held, strict=True) if is_hold}
    # By site the highest value that is thrown or held there, in units of the pattern.
    values = _highest_values(pattern)
    beats_of_hand: dict[int, list[int]] = {}
    for hand, beat in sorted(values):
        beats_of_hand.setdefault(hand, []).append(beat)

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
    """A limit of how early a hand can throw: as early as another throw, plus a difference.

    Attributes:
        limited: hand and beat whose throw is limited.
        limiting: hand and beat of the other throw.
        difference: how much earlier the limited throw can be, [beats]; below 0 for less early.
    """

    limited: Site
    limiting: Site
    difference: float


def _early_throw_limits(
    pattern: Pattern,
    held: Sequence[bool],
    since_throw: dict[Site, float],
    wanted: dict[Site, float],
) -> Iterator[_Limit]:
    """Yield the limits of how early hands can throw.

    There are two kinds: a prop cannot leave a hand before it has flown there and been caught; and a
    hand cannot throw before it has made its last throw.

    Args:
        pattern: T throws, in units of which `division` make a beat.
        held: length T, which of its throws are holds.
        since_throw: for each site (a hand and a beat) with a throw or a hold how long ago that hand
            last threw, [beats].
        wanted: by site, how early throws should be, [beats]; only these sites are limited.

    Yields:
        The limited site, the limiting site, and how much earlier the first can be than the second,
        [beats]; below 0 for less early.
    """
    for index, throw in enumerate(pattern.throws):
        if held[index]:
            continue
        # A prop has to fly, then be carried for `MIN_CARRY`, before the hand that catches it throws
        # or holds it. What remains of its value is `spare`: how early that hand can be if the prop
        # was thrown on the beat.
        value = throw.value / pattern.division
        spare = value - MIN_CARRY - shortest_flight(value)
        landing = pattern.landings[index]  # index of the prop's next throw or hold
        # Index of the prop's next throw that is no hold, and the time of the holds before it.
        release, hold_time = next_release(pattern, held, index)
        # Two limits: for what leaves the hand on the beat of the landing, and for the throw that
        # ends the holds after it, which have to pass first. Without holds both are the same limit,
        # which the set keeps once.
        for next_throw, wait in {(landing, 0), (release, hold_time)}:
            site = pattern.sites[next_throw]
            if site in wanted:
                yield _Limit(site, pattern.sites[index], spare + wait / pattern.division)
    # A hand also has its own last throw as a limit: between its two throws it is empty for
    # `MIN_EMPTY`, and then carries for `MIN_CARRY`.
    for site in wanted:
        last_throw = previous_throw(pattern, site, since_throw)
        yield _Limit(site, last_throw, since_throw[site] - MIN_EMPTY - MIN_CARRY)


def _greatest_within_limits(
    wanted: dict[Site, float], limits: Sequence[_Limit]
) -> dict[Site, float]:
    """Return the greatest amounts up to the wanted ones that keep all limits.

    They are found by fixed-point iteration; limits may depend on each other around a cycle. A site
    is a hand and a beat.

    Args:
        wanted: wanted amount for each site, 0 or more; other sites have 0.
        limits: each says amount[limited] ≤ max(0, amount[limiting] + difference); the limited site
            is a key of `wanted`.
    """
    amounts = dict(wanted)
    # Amounts start at the wanted values and only decrease, never below 0. In a cycle of limits they
    # stop decreasing at the latest when one is 0.
    changed = True
    while changed:
        changed = False
        for limit in limits:
            possible = max(0.0, amounts.get(limit.limiting, 0.0) + limit.difference)
            if possible < amounts[limit.limited]:
                amounts[limit.limited] = possible
                changed = True
    return amounts


def hand_dwells(pattern: Pattern, dwell: float) -> dict[int, float]:
    """Return how long before each beat of a hand siteswap the props that land on it are caught.

    The rules are those of Juggling Lab 1.7.7. With `dwellmax`, props are caught 0.7 beats after the
    last turn of that hand; without, `dwell` before the beat, or 0.3 before it if any hand has turns
    on two beats in a row. A prop that would be caught before it is thrown flies for 0.7 beats
    instead. Of simultaneous catches all but one are made earlier.

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
    lowest_value = _lowest_value_by_landing_beat(pattern)
    since_turn = _beats_since_last_turn(pattern)
    if pattern.hand_siteswap.dwellmax:
        dwells = {beat: since_turn[beat] - _BEAT_WITHOUT_DWELL for beat in sorted(lowest_value)}
    else:
        steady = MIN_DWELL if min(since_turn.values()) == 1 else dwell
        dwells = dict.fromkeys(sorted(lowest_value), steady)

    # A throw of `value` beats must not be caught `value` or more before it lands, which would be
    # before it is thrown: it flies for the 0.7 beats instead.
    for beat, value in lowest_value.items():
        if dwells[beat] >= value:
            dwells[beat] = value - _BEAT_WITHOUT_DWELL

    # Juggling Lab computes a catch, 0.7 beats after the beat, also for beats on which nothing
    # lands, and keeps real catches away from these times. They are added for this step only.
    dwells = {beat: dwells.get(beat, -_BEAT_WITHOUT_DWELL) for beat in range(pattern.period)}
    _separate_simultaneous_catches(dwells, pattern.period)  # lengthens some, in place

    # No catch before the hand has been empty for a moment after its last throw, nor before the
    # shortest flight of the lowest throw is over.
    return {
        beat: min(dwells[beat], since_turn[beat] - MIN_EMPTY, value - shortest_flight(value))
        for beat, value in lowest_value.items()
    }


def _lowest_value_by_landing_beat(pattern: Pattern) -> dict[int, int]:
    """The value of the lowest throw that lands on each beat; beats without a landing are left out.

    They are in the order of the throws, not sorted.
    """
    lowest: dict[int, int] = {}
    for throw in pattern.throws:
        beat = (throw.beat + throw.value) % pattern.period
        lowest[beat] = min(throw.value, lowest.get(beat, throw.value))
    return lowest


def _beats_since_last_turn(pattern: Pattern) -> dict[int, int]:
    """For each beat with a turn, how many beats ago the hand whose turn it is had its last one.

    The result is by beat. If a hand has only one turn in a loop, its last one is the same turn of
    the loop before, so the result is the length of the loop.
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
    # Beats grouped by the rounded time of their catch. Only members of one group can coincide, so
    # not every pair of beats has to be compared.
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
    """Return for each throw whether it is a hold, for which the prop stays in its hand.

    Only a prop that comes back to its own hand can be held. The pattern may mark it (`3H` is a
    hold, `2T` a throw). Without a mark, a throw of up to two beats is a hold unless it bounces, or
    its hand throws or holds something else before the prop would land.

    Args:
        pattern: the pattern, with T throws.

    Returns:
        T values, in the order of `pattern.throws`.
    """
    # By hand, 2 · juggler + side, the beats on which it throws or holds something, ascending.
    beats_of_hand: dict[int, set[int]] = {}
    for hand, beat in pattern.sites:
        beats_of_hand.setdefault(hand, set()).add(beat)
    busy_beats = {hand: sorted(beats) for hand, beats in beats_of_hand.items()}

    def is_hold(throw: Throw) -> bool:
        """Whether one throw is a hold."""
        if hand_of(throw) != catching_hand(throw):
            return False
        if throw.held is not None:  # marked as a hold or as a throw
            return throw.held
        if throw.bounces or throw.value > MAX_HOLD * pattern.division:
            return False
        # The hand is busy again no earlier than when this prop would land.
        until_busy = _time_until_busy(busy_beats[hand_of(throw)], throw.beat, pattern.period)
        return until_busy >= throw.value

    return tuple(is_hold(throw) for throw in pattern.throws)


def next_release(pattern: Pattern, held: Sequence[bool], index: int) -> tuple[int, int]:
    """Return the throw with which a flying prop leaves the hand that catches it.

    Args:
        pattern: the pattern, with T throws.
        held: length T, which of its throws are holds.
        index: index of the throw with which the prop flies; not a hold.

    Returns:
        The index of the prop's next throw that is not a hold, and the total duration of the holds
        between landing and that throw, in units of the pattern; 0 if there are none.
    """
    # `landings` has for each throw the index of the throw or hold that its prop makes next. The
    # loop below ends: landings lead around the prop's orbit, back to the throw itself at the
    # latest, which is not a hold.
    next_throw = pattern.landings[index]
    hold_time = 0
    while held[next_throw]:
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
    early_releases: bool = False,
) -> Timing:
    """Return when each throw leaves its hand and when it is caught.

    Throws leave on their beats, or before (see `early_throws`). What lands on a beat is
    caught some time before it, which is limited by flights and by the throws of the hand.

    Args:
        pattern: the pattern that is juggled.
        dwell: time from a catch to that hand's next throw, [beats].
        squeeze: time over which several catches in one hand are spread, [beats].
        dwell_gain: by how many beats the dwell grows for each beat by which the incoming throw is
            higher than the last throw of that hand, and shrinks where it is lower: a longer dwell
            lets the throw be less high.
        least_empty: least time from a throw to the next catch of that hand, [beats]; less where it
            throws so soon again that it would hold nothing.
        late: indices of throws that are caught only `LATE_DWELL` before they are thrown again.
        early_releases: whether 1s, and throws before holds, leave earlier, as measured in films of
            jugglers; False for the times of Juggling Lab.

    Returns:
        For each throw when it leaves its hand and when it is caught, in units of the pattern, of
        which `division` make a beat; and whether it is a hold.
    """
    held = holds(pattern)
    # By site, a hand and a beat, the indices of the throws that land there.
    arrivals = _arrivals(pattern, held)

    # Leads: how long before its beat each site throws, and makes its first catch, [beats]. With a
    # hand siteswap (which says in what order hands throw) only one hand has its turn on a beat, so
    # dwells are given by beat, and nothing is thrown early.
    if pattern.hand_siteswap is None:
        throw_leads, catch_leads = _throw_and_catch_leads(
            pattern,
            held,
            arrivals,
            dwell=dwell,
            dwell_gain=dwell_gain,
            least_empty=least_empty,
            early_releases=early_releases,
        )
    else:
        dwells = hand_dwells(pattern, dwell)
        throw_leads = {}
        catch_leads = {(hand, beat): dwells[beat] for hand, beat in arrivals}

    # Catches. Props that land in one hand on one beat are caught one after the other, from `first`
    # to `latest`. Both count backward from the beat, so `first` is the greater number, and `max`
    # makes it no later than `latest`. Holds keep the meaningless 0.
    catch = [0.0] * len(pattern.throws)
    for site, arriving in arrivals.items():
        # `MIN_CARRY` before the hand throws, or ends the hold of, what lands there.
        latest = _least_catch_lead(pattern, held, arriving, throw_leads)
        first = catch_leads[site]
        if any(index in late for index in arriving):
            # `LATE_DWELL` before the throw, which is `MIN_CARRY` after the latest catch.
            first = min(first, latest - MIN_CARRY + LATE_DWELL)
        first = max(first, latest)
        for index, lead in _squeezed_catches(pattern, arriving, first, latest, squeeze):
            landing = pattern.throws[index].beat + pattern.throws[index].value
            catch[index] = _rounded(landing - lead * pattern.division)

    throw = tuple(
        _rounded(beat - throw_leads.get((hand, beat), 0.0) * pattern.division)
        for hand, beat in pattern.sites
    )
    return Timing(throw, tuple(catch), held)


_Arrivals = dict[Site, list[int]]
"""For each hand and beat on which props land, the indices of their throws; never empty lists."""


def _arrivals(pattern: Pattern, held: Sequence[bool]) -> _Arrivals:
    """Group the throws that are no holds by hand and beat of their landing; `held` has length T."""
    arrivals: _Arrivals = {}
    for index, landing in enumerate(pattern.landings):
        if not held[index]:
            arrivals.setdefault(pattern.sites[landing], []).append(index)
    return arrivals


def _throw_and_catch_leads(
    pattern: Pattern,
    held: Sequence[bool],
    arrivals: _Arrivals,
    *,
    dwell: float,
    dwell_gain: float,
    least_empty: float,
    early_releases: bool,
) -> tuple[dict[Site, float], dict[Site, float]]:
    """Return how long before a beat hands throw, and how long before it they make the first catch.

    Args:
        pattern: T throws, without a hand siteswap.
        held: length T, which of its throws are holds.
        arrivals: indices of the throws that land at each site (a hand and a beat), one or more.
        dwell: time from a catch to that hand's next throw, [beats].
        dwell_gain: change of the dwell for each beat by which the incoming throw is higher than the
            last throw of that hand, [beats/beat]; 0 for a dwell that is always the same.
        least_empty: least time from a throw to the next catch of that hand, [beats].
        early_releases: whether 1s, and throws before holds, leave earlier, as measured in films of
            jugglers; False for the times of Juggling Lab.

    Returns:
        For sites that throw early, how long before the beat they throw; and for each site where
        props land, how long before the beat the first of them is caught; [beats].
    """
    since_throw = times_since_throw(pattern, held)  # by site: how long ago its hand threw, beats
    throw_leads = early_throws(pattern, held, dwell, since_throw, early_releases)
    highest = _highest_values(pattern)  # by site: the highest value, in units of the pattern

    def catch_lead(site: Site) -> float:
        """How long before the beat of a site its hand makes the first catch, [beats].

        That is the dwell, but the hand must have been empty for a while since its last throw, and
        each prop must have flown for the shortest time of its value. All leads count backward from
        the beat, so the least one is the latest catch.
        """
        # The wanted dwell, which is longer where the incoming throw is higher than the hand's last.
        # A throw that leaves early as in films is carried for a while before it leaves.
        last_throw = previous_throw(pattern, site, since_throw)
        wanted = dwell
        if dwell_gain:
            wanted += _dwell_change(pattern, arrivals[site], last_throw, highest, dwell_gain)
        lead_of_early_throw = 0.0
        if early_releases and site in throw_leads:
            lead_of_early_throw = throw_leads[site] + min(_CARRY_BEFORE_ONE, dwell)
        # How long ago the hand threw last, early throws included; `MAX_DWELL` if it is longer ago
        # than that, as no carry is longer. After that throw the hand is empty for `least_empty`,
        # but for no more than 0.7 of this time, so that 0.3 (`MIN_DWELL`) remain to carry, and for
        # less before an early throw; in any case for `MIN_EMPTY`.
        since_last = MAX_DWELL
        if since_throw[site] <= MAX_DWELL:
            since_last = since_throw[site] + throw_leads.get(last_throw, 0.0)
        after_empty_hand = min(
            since_last - MIN_EMPTY,
            max(since_last - least_empty, MIN_DWELL * since_last, lead_of_early_throw),
        )
        after_flights = [
            _greatest_catch_lead(pattern, index, throw_leads) for index in arrivals[site]
        ]
        return min(max(wanted, lead_of_early_throw), after_empty_hand, *after_flights)

    return throw_leads, {site: catch_lead(site) for site in arrivals}


def _dwell_change(
    pattern: Pattern,
    arriving: Sequence[int],
    last_throw: Site,
    highest: dict[Site, int],
    dwell_gain: float,
) -> float:
    """Return by how much a hand's dwell differs from the usual one, by the height of what comes in.

    Throws that come in higher than the hand's last throw are carried for longer, lower ones for
    less. The change is limited to `_MAX_DWELL_CHANGE` (0.3 beats) either way.

    Args:
        pattern: the pattern that is juggled.
        arriving: indices of the throws that land in the hand on one beat, one or more; the highest
            of them counts.
        last_throw: hand and beat of the hand's last throw before that beat.
        highest: value of the highest throw or hold at each site, in units of the pattern.
        dwell_gain: change for each beat by which the incoming throw is higher, [beats/beat].

    Returns:
        The change, [beats], below 0 if the dwell shrinks.
    """
    incoming = max(pattern.throws[index].value for index in arriving)
    higher = (incoming - highest.get(last_throw, incoming)) / pattern.division
    return max(-_MAX_DWELL_CHANGE, min(dwell_gain * higher, _MAX_DWELL_CHANGE))


def _greatest_catch_lead(pattern: Pattern, index: int, throw_leads: dict[Site, float]) -> float:
    """The earliest catch of a throw, counted back from the beat on which it lands, [beats].

    A site is a hand and a beat.

    Args:
        pattern: the pattern that is juggled.
        index: index of the throw.
        throw_leads: how long before its beat each site throws; sites that throw on the beat may be
            left out, [beats].
    """
    # It leaves `value` beats, and what it is early, before it lands, and then flies for a moment.
    value = pattern.throws[index].value / pattern.division
    return value + throw_leads.get(pattern.sites[index], 0.0) - shortest_flight(value)


def _least_catch_lead(
    pattern: Pattern,
    held: Sequence[bool],
    arriving: Sequence[int],
    throw_leads: dict[Site, float],
) -> float:
    """Return how long before the beat of their landing throws have to be caught at least, [beats].

    A site is a hand and a beat.

    Args:
        pattern: the pattern, with T throws.
        held: length T, which of its throws are holds.
        arriving: indices of the throws that land in one hand on one beat; one or more.
        throw_leads: how long before its beat each site throws, if early, [beats].
    """
    # How early the hand throws on the beat: a single number, as all land at one site.
    throw_lead = throw_leads.get(pattern.sites[pattern.landings[arriving[0]]], 0.0)
    for index in arriving:
        # A prop that is held on the beat leaves with the throw after the hold. That throw may be so
        # early that it comes before the beat; counted back from the beat, its lead is reduced by
        # the duration of the hold, and negative if it leaves after the beat.
        release, hold_time = next_release(pattern, held, index)
        release_lead = throw_leads.get(pattern.sites[release], 0.0) - hold_time / pattern.division
        throw_lead = max(throw_lead, release_lead)
    return throw_lead + MIN_CARRY


def _squeezed_catches(
    pattern: Pattern, arriving: Sequence[int], first: float, latest: float, squeeze: float
) -> list[tuple[int, float]]:
    """Spread the catches of throws that land in one hand on one beat, evenly in time.

    Args:
        pattern: the pattern that is juggled.
        arriving: indices of these throws; one or more.
        first: time from the first catch to that beat, [beats].
        latest: time from the latest possible catch to the beat, not more than `first`, [beats].
        squeeze: wanted time from the first to the last catch, [beats]; where there is less, they
            are spread from `first` to `latest`.

    Returns:
        Pairs of the index of a throw and the time from its catch to the beat, [beats], from the
        first catch to the last.
    """
    if len(arriving) == 1:
        return [(arriving[0], first)]
    span = min(squeeze, first - latest)
    if span <= _MIN_SQUEEZE:  # 0.01 beats
        span = 0.0  # simultaneous
    ordered = sorted(arriving, key=lambda index: _catch_order(pattern.throws[index]))
    return [
        (index, first - span * order / (len(ordered) - 1)) for order, index in enumerate(ordered)
    ]


def _catch_order(throw: Throw) -> tuple[int, int, bool]:
    """Sort key of catches in one hand on one beat.

    The highest throw, which was thrown first, comes first. Of equal ones the first is that from the
    juggler whose number differs most, and of one juggler's the one from the same side.
    """
    return -throw.value, -abs(throw.to_juggler - throw.juggler), throw.hand != throw.to_hand


def _rounded(moment: float) -> float:
    # Sums of the same terms in another order can differ in the last bit. Rounding makes such times
    # equal, as events that are simultaneous must be.
    return round(moment, 9)
