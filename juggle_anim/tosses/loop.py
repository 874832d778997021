"""Loops of tosses: a choreography whose events are those of tosses, which low throws lead back to
its start; and which prop makes each toss.

Segments: a pattern by itself, as tosses on beats that go on for ever.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import (
    BodyKeyframes,
    Choreography,
    PropLook,
    Score,
    Timing,
    choreograph,
    repeat_to_full_loop,
    timing_of,
)
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern, Throw, catching_hand, hand_of, throw_between
from juggle_anim.tosses.hand_times import HandEvent, HandTimes, points_of_loop
from juggle_anim.tosses.stands import time_table_moves
from juggle_anim.tosses.toss_ring import (
    FOREVER,
    UNKNOWN_PROP,
    Clock,
    Juggled,
    Loop,
    Present,
    Toss,
    TossFlight,
    TossRing,
    Waypoint,
)

_RETURN_GAP = 4  # beats from the last throw to the first one of the next round
_STANDING_STILL = 1e-6  # m or rad; bodies that move less stay where they are


class _Site(NamedTuple):
    """A hand on a beat, where props land and throws are made."""

    beat: int
    hand: int


class _ComingProp(NamedTuple):
    """A prop in the air or held, with the site (hand and beat) at which it is due.

    Attributes:
        throw_beat: the beat on which it was thrown.
        prop: its index.
    """

    throw_beat: int
    prop: int


def closed_loop(
    tosses: Sequence[Toss],
    first_tick: int,
    end_tick: int,
    ticks_per_beat: int,
    clock: Clock,
    juggled: Juggled,
    bodies: BodyKeyframes,
    looks: Sequence[PropLook],
    waypoints: Sequence[Waypoint],
    *,
    now: Present,
    candidate_waypoints: Sequence[tuple[Waypoint, Sequence[HandEvent]]] = (),
) -> Loop:
    """Close tosses to a loop by low return throws, and return its choreography.

    A toss is a throw, a hold or a rest on a table, of one prop. Tosses that have no flight yet get
    one, events of a hand that would come too close are moved apart, and moves at tables get their
    times. Hands pass the given waypoints (points between throws and catches), those of
    `candidate_waypoints` that they have time for, and points at rest where they are idle for long.

    All beats are in ticks, parts of a beat. Absolute times are not counted from the start of the
    loop.

    Args:
        tosses: tosses on the ticks of the loop, in any order, with known props; those without a
            flight that are not marked as held get one.
        first_tick: the first tick of the loop.
        end_tick: the tick after the last, from which on throws lead back.
        ticks_per_beat: ticks in a beat.
        clock: times of ticks, [s].
        juggled: what is juggled, whose tempo, dwell, hand style and jugglers hold.
        bodies: keyframes at absolute times, [s].
        looks: looks of props, by their indices.
        waypoints: points that hands pass between throws and catches, at absolute times, [s].
        now: the tick and time before which nothing may change any longer.
        candidate_waypoints: more waypoints, each with the events of its hand before and after it in
            the pattern from which it comes; only those are kept that `HandTimes.can_pass` allows.
    """
    # A ring is a closed sequence of tosses: here of the given ones and of those that lead back to
    # the start. All get their times.
    sorted_tosses = sorted_by_beat(tosses)
    tosses_with_returns, period = _with_return_throws(
        sorted_tosses, first_tick, end_tick, gap=ticks_per_beat * _RETURN_GAP
    )
    start_time = clock.time_at(first_tick)
    ring = TossRing(
        tosses_with_returns,
        period=period,
        ticks_per_beat=ticks_per_beat,
        jugglers=juggled.choreography.jugglers,
        first_tick=first_tick,
        start_time=start_time,
        duration=clock.time_at(first_tick + period) - start_time,
    )
    ring.time_flights(clock, juggled, return_start=len(sorted_tosses))
    # Throws are made earlier where a catch of the hand would follow too soon, then throws and
    # catches later where a prop would be thrown before its catch. Then props are put down and
    # picked up when hands have time.
    ring.advance_crowded_throws(now)
    ring.delay_early_throws(now)
    time_table_moves(ring, now)

    # Hands count times from the start of the ring. First the given waypoints, then those of the
    # patterns that still fit.
    hand_times = HandTimes.from_ring(ring)
    loop_points = [point._replace(time=point.time - start_time) for point in waypoints]
    loop_points += hand_times.feasible_waypoints(candidate_waypoints, start_time)
    # A hand with nothing to do for long, while one pattern goes over into the next, gets points at
    # rest: in its gaps at the time of the change and a beat before. `rest_waypoints` takes spans of
    # time; each of these has no duration.
    change_times = [
        clock.time_at(tick) - start_time for tick in (now.tick - ticks_per_beat, now.tick)
    ]
    loop_points += hand_times.rest_waypoints([(time, time) for time in change_times], loop_points)
    # `ring.loop` takes absolute times, so they are converted back.
    loop_points = [point._replace(time=point.time + start_time) for point in loop_points]
    return ring.loop(juggled, bodies, looks, loop_points, return_start=len(sorted_tosses))


def wrapped_loop(
    tosses: Sequence[Toss],
    first_tick: int,
    end_tick: int,
    ticks_per_beat: int,
    clock: Clock,
    juggled: Juggled,
    bodies: BodyKeyframes,
    looks: Sequence[PropLook],
    waypoints: Sequence[Waypoint],
) -> Loop:
    """Return the choreography of tosses that already end in the state in which they begin.

    A toss is a throw, a hold or a rest on a table, of one prop; a tick is a part of a beat. Each
    prop that lies on a table at the end becomes one of those that lie on tables at the start.

    Args:
        tosses: tosses on the ticks of the loop, in any order, with known props; all have flights or
            are held. On tables, the number of props at the end of the loop must be that at its
            start.
        first_tick: the first tick of the loop.
        end_tick: the tick after the last, which is the first of the loop as it repeats.
        ticks_per_beat: ticks in a beat.
        clock: times of ticks, [s].
        juggled: what is juggled, whose tempo, gravity, bounces and jugglers hold.
        bodies: keyframes at absolute times, [s].
        looks: looks of props, by their indices.
        waypoints: points that hands pass between throws and catches, at absolute times, [s].
    """
    period = end_tick - first_tick
    start_time = clock.time_at(first_tick)
    duration = clock.time_at(end_tick) - start_time
    sorted_tosses = sorted_by_beat(tosses)
    # What is put down and picked up again lands where it is picked up: in this loop or, if it lies
    # on a table at the end, in the next one.
    picked_up = [_landing_where_picked_up(toss, sorted_tosses) for toss in sorted_tosses]
    tosses_in_loop = _with_rests_over_the_end(picked_up, first_tick, period, duration)
    ring = TossRing(
        [toss.scaled(1, -first_tick) for toss in tosses_in_loop],
        period=period,
        ticks_per_beat=ticks_per_beat,
        jugglers=juggled.choreography.jugglers,
        first_tick=first_tick,
        start_time=start_time,
        duration=duration,
    )
    return ring.loop(juggled, bodies, looks, waypoints, return_start=len(tosses_in_loop))


def _with_rests_over_the_end(
    tosses: Sequence[Toss], first_tick: int, period: int, duration: float
) -> list[Toss]:
    """Let the props that lie on tables at the end of a loop be picked up in the next loop.

    A toss is a throw, a hold or a rest on a table, of one prop; a tick is a part of a beat. Each
    prop that lies on a table at the end of the loop becomes one of those that lie there at its
    start, on the table of the same juggler if possible.

    Args:
        tosses: tosses in order of beats, at absolute ticks, with known props; as many props lie on
            tables at the end as at the start.
        first_tick: the first tick of the loop.
        period: length of the loop, in ticks.
        duration: duration of the loop, [s].
    """
    # The tosses that pick up the props that lie on tables at the start: with such a prop nothing is
    # done before, so it is its first toss. Each rest that lasts over the end takes one of them.
    first_toss_of_prop: dict[int, Toss] = {}
    for toss in tosses:
        first_toss_of_prop.setdefault(toss.prop, toss)
    free_picks = [toss for toss in first_toss_of_prop.values() if toss.picks_up]

    with_ended_rests = []
    for toss in tosses:
        # Props that lie on a table at the end land "never": `FOREVER` is beyond any throw's value.
        if toss.landing < first_tick + FOREVER:
            with_ended_rests.append(toss)
            continue
        juggler = toss.throw.juggler
        # The key is False for the table of the same juggler, which sorts first.
        picking = min(free_picks, key=lambda pick: pick.throw.juggler != juggler)
        free_picks = [pick for pick in free_picks if pick is not picking]
        with_ended_rests.append(_resting_until(toss, picking, period, duration))
    return with_ended_rests


def _resting_until(toss: Toss, picking: Toss, period: int, duration: float) -> Toss:
    """Return a toss that puts a prop down, with a rest that a toss of the next loop ends.

    A rest is the time in which a prop lies on a table or stand. A toss is a throw, a hold or a rest
    on a table, of one prop.

    Args:
        toss: the toss that puts the prop down.
        picking: the toss that picks a prop up, as it is made in this loop.
        period: length of the loop, in ticks: parts of a beat.
        duration: duration of the loop, [s].
    """
    if toss.flight is None or picking.flight is None:
        return toss
    # On the same table the prop keeps its place until it is picked up. On another table, it is
    # drawn where it is picked up there.
    stays = picking.throw.juggler == toss.throw.juggler
    flight = toss.flight._replace(
        catch_time=picking.flight.catch_time + duration,
        end=toss.flight.end if stays else picking.flight.end,
    )
    return _with_landing_at(toss, picking.throw, period)._replace(flight=flight)


def _with_landing_at(toss: Toss, rethrow: Throw, offset: int = 0) -> Toss:
    """Return a toss that lands where and when its prop is thrown next.

    Its hand and value are changed, not the times of its flight: the caller sets these.

    Args:
        toss: a throw, or a rest of a prop on a table. Its `beat` counts ticks, the parts of a beat
            in which all patterns are counted.
        rethrow: the throw that its prop makes next; its `beat` counts ticks, too.
        offset: ticks to add to those of `rethrow`: 0 if that is in the same loop, the length of the
            loop if it is in the next one.
    """
    ticks_to_rethrow = rethrow.beat + offset - toss.throw.beat
    throw = toss.throw._replace(
        value=ticks_to_rethrow,
        to_juggler=rethrow.juggler,
        to_hand=rethrow.hand,
    )
    return toss._replace(throw=throw)


def _with_return_throws(
    tosses: list[Toss], first_tick: int, end_tick: int, *, gap: int
) -> tuple[list[Toss], int]:
    """Close a sequence of tosses to a loop: add the throws that lead from its end to its start.

    A toss is a throw, a hold or a rest on a table, of one prop on one tick, a part of a beat. For
    each prop there is one return throw. It leads from a source, a hand in which some prop is due
    after the end of the tosses, to a sink in the next loop, a toss whose prop comes from no other.

    Args:
        tosses: tosses in order of beats, with known props.
        first_tick: the first tick of the loop.
        end_tick: the tick after the last of the tosses.
        gap: ticks from the last return throw to the first throw of the next loop.

    Returns:
        The tosses, followed by the return throws, with the first tick of the loop as 0; and the
        length of the loop, in ticks.
    """
    closed = [_landing_where_picked_up(toss, tosses) for toss in tosses]
    # Each prop has one source and one sink, so the two have the same length.
    sinks = _tosses_without_source(closed, end_tick)

    sources = sorted(
        _Site(toss.landing, catching_hand(toss.throw))
        for toss in closed
        if end_tick <= toss.landing < first_tick + FOREVER
    )
    last_tick = max([end_tick, *(site.beat for site in sources)])
    for toss_index, toss in enumerate(closed):
        if toss.landing >= first_tick + FOREVER:
            # A prop that was put down for ever must come back, too: it is thrown back from where it
            # lies. It gets a tick after all others, so that no hand throws two of them at once.
            last_tick += 1
            sources.append(_Site(last_tick, hand_of(toss.throw)))
            closed[toss_index] = toss._replace(
                throw=toss.throw._replace(value=last_tick - toss.throw.beat)
            )

    # `gap` ticks after the last return throw the loop begins again.
    period = last_tick + 1 + gap - first_tick
    return_throws = _return_throws(sources, sinks, period)
    return [toss.scaled(1, -first_tick) for toss in (*closed, *return_throws)], period


def _return_throws(sources: Sequence[_Site], sinks: Sequence[Toss], period: int) -> list[Toss]:
    """Return throws, in order of beats, from each source to a sink of the next loop.

    Any source will do for a sink, but a sink that picks a prop up prefers a source of the same
    hand, as that hand put the prop down. So these sinks choose first.

    Args:
        sources: hands and ticks (parts of a beat) at which props are due after the end of a loop.
        sinks: the tosses of the loop, each a throw or a hold of one prop, that lack a source; as
            many as sources.
        period: length of the loop, in ticks.
    """
    free_sources = list(sources)
    return_throws = list[Toss]()
    # The key is False for sinks that pick up, which sorts first.
    for sink in sorted(sinks, key=lambda toss: not toss.picks_up):
        hand = hand_of(sink.throw)
        source = free_sources[0]
        if sink.picks_up:
            source = next((site for site in free_sources if site.hand == hand), source)
        free_sources.remove(source)
        throw = throw_between(source.beat, source.hand, sink.throw.beat + period, hand, held=False)
        return_throws.append(Toss(throw, sink.prop))
    return sorted(return_throws, key=lambda toss: toss.throw.beat)


def _tosses_without_source(tosses: Sequence[Toss], end_tick: int) -> list[Toss]:
    """Return the tosses on whose site no prop of another toss lands, in order.

    A toss is a throw or a hold of one prop. It is made on a site, a hand and a tick (part of a
    beat), and its prop lands on another.

    Args:
        tosses: all tosses, sorted by their `beat`, which counts ticks.
        end_tick: the tick after the last; props that land from there on are thrown when the loop
            repeats, so they are not counted.
    """
    sites = [_Site(toss.throw.beat, hand_of(toss.throw)) for toss in tosses]
    landing_sites = [
        _Site(toss.landing, catching_hand(toss.throw)) for toss in tosses if toss.landing < end_tick
    ]
    # By how many the throws on each site exceed the landings there. The difference of two Counters
    # keeps only counts above 0.
    excess = Counter(sites) - Counter(landing_sites)
    without_source = []
    for toss, site in zip(tosses, sites, strict=True):
        # Of several throws on one site, the first ones count as those without a source.
        if excess[site] > 0:
            excess[site] -= 1
            without_source.append(toss)
    return without_source


def _landing_where_picked_up(toss: Toss, tosses: Sequence[Toss]) -> Toss:
    """Return a toss that puts a prop down with its landing on the toss that picks the prop up next.

    A rest is the time in which a prop lies on a table or stand. A toss is a throw, a hold, or the
    rest of a prop on a table, which begins with the toss that puts it down and ends when the prop
    is picked up. All other tosses are returned unchanged, also if the prop is never picked up.

    Args:
        toss: any toss; if it puts a prop down, the prop must be known.
        tosses: all, in order of beats, so that the first that fits is the next of the prop.
    """
    if not toss.puts_down or toss.flight is None:
        return toss
    for later_toss in tosses:
        if (
            later_toss.picks_up
            and later_toss.prop == toss.prop
            and later_toss.flight
            and later_toss.flight.catch_time > toss.flight.throw_time
        ):
            flight = toss.flight._replace(catch_time=later_toss.flight.catch_time)
            return _with_landing_at(toss, later_toss.throw)._replace(flight=flight)
    return toss


def sampled_keyframes(times: Floats, places: Floats) -> BodyKeyframes:
    """Return keyframes of bodies, sorted by juggler and then by time.

    Where nobody moves, each juggler has one keyframe, at the first time.

    Args:
        times: T times in ascending order, at least one, shape (T,), [s].
        places: places of J jugglers at these times, shape (T, J, 4), as `Bodies.places` has them:
            x, y, z of the position [m], and facing [rad].
    """
    if (np.abs(places - places[:1]) < _STANDING_STILL).all():
        times = times[:1]
        places = places[:1]
    jugglers = places.shape[1]
    return BodyKeyframes(
        time=np.tile(times, jugglers),
        juggler=np.repeat(np.arange(jugglers), len(times)),
        position=np.swapaxes(places[..., :3], 0, 1).reshape(-1, 3),
        facing=places[..., 3].T.ravel(),
    )


def with_prop_indices(tosses: Sequence[Toss], known_count: int) -> list[Toss]:
    """Return tosses sorted by beats, with unknown props replaced by those that land there.

    A toss is a throw, a hold or a rest on a table, of one prop at one site, a beat and a hand.
    Tosses are gone through by their beats, and each takes a prop that an earlier one has sent to
    its site. Of several props that land at a site, the one that was thrown first makes the throw
    that is written first.

    Args:
        tosses: all tosses, in any order, except that those with known props come first. For each
            of the others, a prop must land from an earlier toss.
        known_count: number of tosses, from the first on, with known props; of the others, only
            those that pick up or put down may have.
    """
    coming_props: dict[_Site, list[_ComingProp]] = defaultdict(list)  # by where they land
    with_props = []
    # By identity, as tosses may be equal, and are in another order below.
    known_ids = {id(toss) for toss in tosses[:known_count]}
    for toss in sorted_by_beat(tosses):
        site = _Site(toss.throw.beat, hand_of(toss.throw))
        # Sorted by their throws alone: the sort keeps the order of props thrown on one beat.
        waiting_props = sorted(coming_props[site], key=lambda coming: coming.throw_beat)
        if id(toss) in known_ids or (toss.prop != UNKNOWN_PROP and toss.rests):
            # The prop is known: it is taken from those that wait, whichever place it has there.
            coming_props[site] = [coming for coming in waiting_props if coming.prop != toss.prop]
        else:
            coming_props[site] = waiting_props[1:]
            toss = toss._replace(prop=waiting_props[0].prop)
        with_props.append(toss)
        target = _Site(toss.landing, catching_hand(toss.throw))
        coming_props[target].append(_ComingProp(toss.throw.beat, toss.prop))
    return with_props


def sorted_by_beat(tosses: Sequence[Toss]) -> list[Toss]:
    """Return tosses by their beats; on one beat, those at a table come first.

    A toss is a throw, a hold or a rest on a table, of one prop. A rest begins with a toss that puts
    the prop down and ends with one that picks it up, both of which have `rests` set. Of props
    picked up on one beat, the one that was put down first comes first, as `with_prop_indices` takes
    first the prop that was thrown first.

    Args:
        tosses: tosses in any order; the order of those that are equal in all this is kept.
    """
    put_down = [(toss.prop, toss.throw.beat) for toss in tosses if toss.puts_down]

    def lain_since(toss: Toss) -> float:
        """The last beat on which the prop was put down before a toss picks it up.

        It is −∞ for a prop that appears on the table, and 0 for a toss that does not pick up a
        prop.
        """
        if not toss.picks_up:
            return 0.0
        earlier_beats = (
            beat for prop, beat in put_down if prop == toss.prop and beat < toss.throw.beat
        )
        return max(earlier_beats, default=-math.inf)

    # The middle of the key is False for tosses at a table, which sorts first.
    return sorted(tosses, key=lambda toss: (toss.throw.beat, not toss.rests, lain_since(toss)))


def enumerate_equal_throws(tosses: Sequence[Toss]) -> Iterator[tuple[int, Toss]]:
    """Yield each toss with the number of earlier tosses that have an equal throw."""
    earlier_counts: Counter[Throw] = Counter()
    for toss in tosses:
        yield earlier_counts[toss.throw], toss
        earlier_counts[toss.throw] += 1


_SAME_BEAT = 1e-6  # beats; a throw this little after a beat counts as on it


class Length(NamedTuple):
    """Duration of a pattern in a routine.

    Attributes:
        amount: number of units, above 0; a whole number except for seconds.
        unit: "catches", "loops", "beats" or "s" (seconds).
    """

    amount: float
    unit: str


class LoopThrow(NamedTuple):
    """A throw of a pattern in one of its loops.

    Attributes:
        loop: number of the loop, from 0; below 0 before the first.
        throw_index: the index of the throw among those of the pattern.
        throw: the throw on its absolute beat, with `held` from the pattern's timing.
    """

    loop: int
    throw_index: int
    throw: Throw


@dataclass(frozen=True)
class Segment:
    """A pattern of a routine.

    Args:
        score: the score of a pattern on beats.
        parameters: the parameters of the pattern.
    """

    score: Score
    parameters: Parameters

    @cached_property
    def choreography(self) -> Choreography:
        """Its throws and catches in seconds and metres."""
        return choreograph(self.score, self.parameters)

    @cached_property
    def pattern(self) -> Pattern:
        """One loop, until hands, catches and bodies repeat."""
        assert self.score.pattern is not None, "events with their own times have no beats"
        return repeat_to_full_loop(self.score.pattern, self.score.staging)

    @property
    def loop_parts(self) -> int:
        """Length of a loop as users count loops ("3 loops"), in parts of a beat.

        A beat has `pattern.division` parts.

        - Usually a loop is what the text spells out (`written_period`): 3 beats for "531", though
          left and right are exchanged then, and each hand repeats only after 6 (`period`).
        - If the text also says how hands move, throw and catch, how props spin or where bodies go,
          a loop is the time after which all this repeats, too: the period of `self.pattern`, which
          is `score.pattern` repeated until it does.
        """
        written_pattern = self.score.pattern
        staging = self.score.staging
        assert written_pattern is not None, "events with their own times have no beats"
        ways_stated = (
            staging.hands,
            staging.body,
            *staging.throws,
            *staging.spins,
            # Each row lists the ways in which a hand catches in turn. A single way is no cycle, so
            # only the ways after the first count.
            *(row[1:] for row in staging.catches),
        )
        if any(ways_stated) or self.pattern.period != written_pattern.period:
            return self.pattern.period
        return written_pattern.written_period

    @cached_property
    def timing(self) -> Timing:
        """When its throws leave hands and are caught, in parts of a beat."""
        return timing_of(self.pattern, self.score.staging, self.parameters)

    @cached_property
    def flight_row_of(self) -> dict[int, int]:
        """For the index of each throw that is not a hold, the row of its flight."""
        flying = (
            throw_index for throw_index, is_held in enumerate(self.timing.is_hold) if not is_held
        )
        return {throw_index: row for row, throw_index in enumerate(flying)}

    @property
    def is_stationary(self) -> bool:
        """Whether all jugglers stay in place; then each has a single keyframe."""
        keys = self.choreography.bodies
        return len(keys.time) == len(np.unique(keys.juggler))

    def throws(self, first_part: int, end_part: int) -> Iterator[LoopThrow]:
        """Yield all throws of the pattern in a time, as it repeats loop after loop.

        Times are counted in the parts into which the pattern divides its beats; they are below 0
        before its first loop.

        Args:
            first_part: the first part of a beat.
            end_part: the part after the last.

        Yields:
            The loop, the index of the throw in the pattern, and the throw with its beat counted
            through all loops, and with `held` decided.
        """
        period = self.pattern.period
        for loop in range(first_part // period, math.ceil(end_part / period)):
            for throw_index, throw in enumerate(self.pattern.throws):
                beat = throw.beat + loop * period
                if first_part <= beat < end_part:
                    held = self.timing.is_hold[throw_index]
                    yield LoopThrow(loop, throw_index, throw._replace(beat=beat, held=held))

    def tosses(
        self, ticks_per_beat: int, first_pattern_tick: int, duration_ticks: int, origin_tick: int
    ) -> list[Toss]:
        """Return the tosses that are made in a given time, at absolute ticks.

        A toss is a throw, or a hold, of one prop; a tick is a part of a beat. Here the times of
        their flights are in absolute ticks, too, and not in seconds.

        Args:
            ticks_per_beat: ticks in a beat, a multiple of the division of the pattern.
            first_pattern_tick: the first tick, counted from the pattern's own beat 0.
            duration_ticks: duration of the throws, [ticks].
            origin_tick: the absolute tick on which the pattern's own beat 0 is.

        Returns:
            Tosses loop by loop, in each in the order of the pattern's throws. Holds have no
            flights, and no toss has a prop yet.
        """
        ticks_per_part = ticks_per_beat // self.pattern.division
        # In the pattern's own parts of a beat, both rounded up: a throw just before the first tick
        # is left out, and one just before the end is kept.
        first_part = math.ceil(first_pattern_tick / ticks_per_part)
        end_part = math.ceil((first_pattern_tick + duration_ticks) / ticks_per_part)
        tosses = []
        for loop, throw_index, throw in self.throws(first_part, end_part):
            flight = None
            if throw_index in self.flight_row_of:
                loop_start_tick = loop * self.pattern.period * ticks_per_part + origin_tick
                flight = TossFlight.from_choreography(
                    self.choreography,
                    self.flight_row_of[throw_index],
                    throw_time=self.timing.throw[throw_index] * ticks_per_part + loop_start_tick,
                    catch_time=self.timing.catch[throw_index] * ticks_per_part + loop_start_tick,
                )
            # Only the throw is converted from parts to ticks: `scaled` leaves the flight as it is.
            tosses.append(Toss(throw, flight=flight).scaled(ticks_per_part, origin_tick))
        return tosses

    def waypoints(
        self, first_tick: int, end_tick: int, origin_tick: int, ticks_per_beat: int, clock: Clock
    ) -> Iterator[tuple[Waypoint, list[HandEvent]]]:
        """Yield the points that hands pass, each with the throws or catches of its hand around it.

        A tick is the part of a beat in which all patterns are counted. A point belongs to the throw
        of the prop that the hand carries there, or has just thrown: it is yielded if that throw is
        made while the pattern is juggled. All times that are yielded are those of the clock, [s].

        Args:
            first_tick: the first tick on which the pattern is juggled.
            end_tick: the tick after the last.
            origin_tick: the tick of the pattern's own beat 0.
            ticks_per_beat: ticks in a beat.
            clock: times of ticks, [s].
        """
        ticks_per_s = self.choreography.bps * ticks_per_beat  # in the pattern's own tempo
        loop_ticks = round(self.choreography.duration * ticks_per_s)
        # Times of neighbours and of the throw to which a point belongs are since the point, [s].
        for loop_point in points_of_loop(self.choreography):
            # From the loop before the first to one after the last, since a point may be far from
            # its throw; the condition below takes only those that belong here.
            for loop in range(-1, (end_tick - origin_tick) // loop_ticks + 2):
                tick = loop_point.point.time * ticks_per_s + loop * loop_ticks + origin_tick
                throw_tick = tick + loop_point.time_to_throw * ticks_per_s
                # A throw is made on its beat or less than a beat before, so round up; less a
                # tolerance, as rounding errors must not push a throw to the next beat.
                beat_of_throw = math.ceil((throw_tick - origin_tick) / ticks_per_beat - _SAME_BEAT)
                if first_tick <= beat_of_throw * ticks_per_beat + origin_tick < end_tick:
                    neighbours = [
                        event._replace(time=clock.time_at(tick + event.time * ticks_per_s))
                        for event in loop_point.neighbours
                    ]
                    yield loop_point.point._replace(time=clock.time_at(tick)), neighbours

    def duration_ticks(
        self,
        length: Length,
        ticks_per_beat: int,
        clock: Clock,
        first_tick: int,
        first_pattern_tick: int,
    ) -> int:
        """Convert a length in loops, beats, seconds or catches to ticks, which are parts of a beat.

        Loops and beats are multiplied by their lengths. Seconds are rounded to whole beats, at
        least one. A number of catches lasts until the same number of throws have been made.

        Args:
            length: a number (`amount`) of catches, loops, beats or seconds ("s").
            ticks_per_beat: ticks in a beat, a multiple of the division of the pattern.
            clock: times of ticks, [s]; used for seconds only.
            first_tick: the first tick, absolute; used for seconds only.
            first_pattern_tick: the same tick, counted from the pattern's own beat 0; used for
                catches only. It must be within its first loop.

        Raises:
            ChoreographyError: catches are counted where none are made.
        """
        ticks_per_part = ticks_per_beat // self.pattern.division
        if length.unit == "loops":
            return round(length.amount) * self.loop_parts * ticks_per_part
        if length.unit == "beats":
            return round(length.amount) * ticks_per_beat
        if length.unit == "s":
            end = clock.tick_at(clock.time_at(first_tick) + length.amount)
            return max(round((end - first_tick) / ticks_per_beat), 1) * ticks_per_beat

        # Every throw is caught once, so throws are counted in place of catches. The beat of the
        # last of them is included, hence one more part of a beat.
        throws = self.pattern.throws
        throw_ticks = sorted(
            throws[throw_index].beat * ticks_per_part for throw_index in self.flight_row_of
        )
        if not throw_ticks:
            raise ChoreographyError(_("it has no catches; set its length in beats or seconds"))
        skipped_throws = sum(tick < first_pattern_tick for tick in throw_ticks)
        # Counted from the first throw of the loop.
        last_throw = skipped_throws + round(length.amount) - 1
        whole_loops, index_in_loop = divmod(last_throw, len(throw_ticks))
        loop_ticks = self.pattern.period * ticks_per_part
        end_own_tick = whole_loops * loop_ticks + throw_ticks[index_in_loop] + ticks_per_part
        return end_own_tick - first_pattern_tick
