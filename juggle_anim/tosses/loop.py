"""Loops of tosses: a choreography whose events are those of tosses, which low throws lead back to
its start; and which prop makes each toss.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import PropLook
from juggle_anim.choreography.choreography import BodyKeyframes
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.tosses.hand_times import HandEvent, HandTimes
from juggle_anim.tosses.stands import settle_tables
from juggle_anim.tosses.toss import FOREVER, Clock, Juggled, Toss, Waypoint
from juggle_anim.tosses.toss_ring import Loop, Present, TossRing

_SEAM_GAP = 4  # beats from the last throw to the first one of the next round
_STANDING_STILL = 1e-6  # m or rad; bodies that move less stay where they are


class _Site(NamedTuple):
    """A hand on a beat, where props land and throws are made."""

    beat: int
    hand: int


def closed_loop(
    tosses: Sequence[Toss],
    span: tuple[int, int],
    division: int,
    clock: Clock,
    juggled: Juggled,
    bodies: BodyKeyframes,
    looks: Sequence[PropLook],
    waypoints: Sequence[Waypoint],
    now: Present,
    fitting: Sequence[tuple[Waypoint, Sequence[HandEvent]]] = (),
) -> Loop:
    """Lay out tosses as a loop, with low throws that lead back to its start.

    All beats are in ticks, 1 / division of a beat.

    Args:
        tosses: on the beats of the span, in order; those without a flight that are not marked as
            held get one.
        span: the first beat, and the one after the last.
        division: ticks in a beat.
        clock: times of ticks, [s].
        juggled: whose tempo, dwell, hand style and jugglers hold.
        bodies: keyframes at times of all time, [s].
        looks: of props by their indices.
        waypoints: of hands, at times of all time, [s].
        now: the beat and time before which nothing may change any longer.
        fitting: more waypoints, each with the neighbouring events of its hand in its pattern; they
            are passed if the hand does the same here, or has time for them.
    """
    # A ring of the tosses and of the throws that lead back, with times of them all.
    first = span[0]
    ordered = in_order(tosses)
    closed, period = _with_seam(ordered, span, division * _SEAM_GAP)
    start = clock.at(first)
    ring = TossRing(
        closed,
        period,
        division,
        juggled.choreography.jugglers,
        first=first,
        start=start,
        lasts=clock.at(first + period) - start,
    )
    ring.time_flights(clock, juggled, len(ordered))
    ring.make_room(now)
    ring.keep_order(now)
    settle_tables(ring, now)

    # Waypoints at times since the start of the ring, and those of the patterns that still fit.
    hands = HandTimes.from_ring(ring)
    points = [point._replace(time=point.time - start) for point in waypoints]
    points += hands.fitting(fitting, start)
    # A hand with nothing to do for long rests while one pattern passes into the next.
    change_times = [clock.at(beat) - start for beat in (now.beat - division, now.beat)]
    points += hands.resting([(time, time) for time in change_times], points)
    # The ring takes times of all time.
    points = [point._replace(time=point.time + start) for point in points]
    return ring.loop(juggled, bodies, looks, points, len(ordered))


def wrapped_loop(
    tosses: Sequence[Toss],
    span: tuple[int, int],
    division: int,
    clock: Clock,
    juggled: Juggled,
    bodies: BodyKeyframes,
    looks: Sequence[PropLook],
    waypoints: Sequence[Waypoint],
) -> Loop:
    """Lay out tosses that end as they begin, so that nothing has to lead back.

    The arguments are those of `closed_loop`, but all tosses have flights or are held.
    """
    first, end = span
    period = end - first
    start = clock.at(first)
    lasts = clock.at(end) - start
    ordered = in_order(tosses)
    wrapped = [_landing_where_picked_up(toss, ordered) for toss in ordered]

    # Props that lie on tables at the end of the loop, and those that lie there at its start.
    lies_at_end = [index for index, toss in enumerate(wrapped) if toss.landing >= first + FOREVER]
    first_tosses: dict[int, Toss] = {}  # of each prop
    for toss in wrapped:
        first_tosses.setdefault(toss.prop, toss)
    # Props that lie on tables in the beginning; others are picked up where they were put down.
    appearing = [toss for toss in first_tosses.values() if toss.picks_up]
    for index in lies_at_end:
        # A prop that lies there in the end is one that is picked up in the beginning, on the table
        # of the same juggler if there is any.
        toss = wrapped[index]
        juggler = toss.throw.juggler
        picked = min(appearing, key=lambda other: other.throw.juggler != juggler)
        appearing = [other for other in appearing if other is not picked]
        if toss.flown and picked.flown:
            # It stays where it lies; on another table it lies where it is picked up.
            stays = picked.throw.juggler == juggler
            position = toss.flown.end if stays else picked.flown.end
            flown = toss.flown._replace(caught=picked.flown.caught + lasts, end=position)
            wrapped[index] = _landing_on(toss, picked.throw, period)._replace(flown=flown)
    ring = TossRing(
        [toss.scaled(1, -first) for toss in wrapped],
        period,
        division,
        juggled.choreography.jugglers,
        first=first,
        start=start,
        lasts=lasts,
    )
    return ring.loop(juggled, bodies, looks, waypoints, len(wrapped))


def _landing_on(toss: Toss, rethrow: Throw, period: int = 0) -> Toss:
    """The toss as it lands where another throw is made, so many ticks later.

    Args:
        toss: the toss.
        rethrow: the throw that its prop makes next.
        period: ticks from the beat of that throw to the landing: 0, or those of a loop.
    """
    throw = toss.throw._replace(
        value=rethrow.beat + period - toss.throw.beat,
        to_juggler=rethrow.juggler,
        to_hand=rethrow.hand,
    )
    return toss._replace(throw=throw)


def _with_seam(tosses: list[Toss], span: tuple[int, int], gap: int) -> tuple[list[Toss], int]:
    """Add throws that lead from the end of the tosses back to their start.

    Args:
        tosses: in order.
        span: the first tick, and the one after the last.
        gap: ticks from the last throw to the first of the next round.

    Returns:
        The tosses, then those that lead back, on ticks from 0 on; and the length of the loop.
    """
    start, end = span
    closed = [_landing_where_picked_up(toss, tosses) for toss in tosses]
    # Sinks: tosses that need a prop from the round before.
    sinks = _tosses_without_source(closed, end)

    # Sources: the sites on which props are due after the last toss.
    sources = sorted(
        _Site(toss.landing, catching_hand(toss.throw))
        for toss in closed
        if end <= toss.landing < start + FOREVER
    )
    last = max([end, *(site.beat for site in sources)])
    for index, toss in enumerate(closed):
        if toss.landing >= start + FOREVER:
            # What was put down for ever is thrown back from where it lies, on a tick of its own.
            last += 1
            sources.append(_Site(last, hand_of(toss.throw)))
            closed[index] = toss._replace(throw=toss.throw._replace(value=last - toss.throw.beat))

    # The seam: a throw from a source to each sink. Those that pick up choose first, since their
    # props have lain where the same hand put them down.
    period = last + 1 + gap - start
    seam = list[Toss]()
    for sink in sorted(sinks, key=lambda toss: not toss.picks_up):
        hand = hand_of(sink.throw)
        of_hand = (site for site in sources if sink.picks_up and site.hand == hand)
        source = next(of_hand, sources[0])
        sources.remove(source)
        value = sink.throw.beat + period - source.beat
        throw = Throw(
            source.beat,
            source.hand // 2,
            source.hand % 2,
            value,
            sink.throw.juggler,
            sink.throw.hand,
            held=False,
        )
        seam.append(Toss(throw, sink.prop, None))
    seam.sort(key=lambda toss: toss.throw.beat)
    return [toss.scaled(1, -start) for toss in (*closed, *seam)], period


def _tosses_without_source(tosses: Sequence[Toss], end: int) -> list[Toss]:
    """The tosses whose props come from none of the others, in order.

    Args:
        tosses: all, in order.
        end: tick after the last; landings from there on belong to the next round.
    """
    landing = Counter(
        _Site(toss.landing, catching_hand(toss.throw)) for toss in tosses if toss.landing < end
    )
    missing = Counter(_Site(toss.throw.beat, hand_of(toss.throw)) for toss in tosses) - landing
    without_source = []
    for toss in tosses:
        site = _Site(toss.throw.beat, hand_of(toss.throw))
        # Of several throws on one site, the first ones.
        if missing[site] > 0:
            missing[site] -= 1
            without_source.append(toss)
    return without_source


def _landing_where_picked_up(toss: Toss, tosses: Sequence[Toss]) -> Toss:
    """The toss; if it puts a prop down that another toss picks up later, it lands there.

    Args:
        toss: any toss.
        tosses: all, in order.
    """
    if not toss.puts_down or toss.flown is None:
        return toss
    for picked in tosses:
        if (
            picked.picks_up
            and picked.prop == toss.prop
            and picked.flown
            and picked.flown.caught > toss.flown.thrown
        ):
            flown = toss.flown._replace(caught=picked.flown.caught)
            return _landing_on(toss, picked.throw)._replace(flown=flown)
    return toss


def sampled_keyframes(times: Floats, places: Floats) -> BodyKeyframes:
    """Return keyframes of bodies, juggler by juggler.

    Where nobody moves, each juggler has one keyframe.

    Args:
        times: shape (T,), [s].
        places: shape (T, J, 4), as `Bodies.places` has them: position [m] and facing [rad].
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


def numbered(tosses: Sequence[Toss], known: int) -> list[Toss]:
    """Return tosses in the order of their beats, each with the prop that lands for it.

    Of several props that land on one beat in one hand, that thrown first makes the throw written
    first.

    Args:
        tosses: all; each prop that is needed lands from one of them.
        known: the number of tosses, from the first on, whose props are known; those of the others
            are known where they pick up.
    """
    # For each site the beats on which props were thrown to it, and these props.
    landing: dict[_Site, list[tuple[int, int]]] = defaultdict(list)
    with_props = []
    known_ids = {id(toss) for toss in tosses[:known]}
    for toss in in_order(tosses):
        site = _Site(toss.throw.beat, hand_of(toss.throw))
        waiting = sorted(landing[site], key=lambda thrown: thrown[0])
        if id(toss) in known_ids or (toss.prop >= 0 and toss.rests):
            # Its prop no longer waits for a throw of this site.
            landing[site] = [(beat, prop) for beat, prop in waiting if prop != toss.prop]
        else:
            landing[site] = waiting[1:]
            _thrown_on, first_prop = waiting[0]
            toss = toss._replace(prop=first_prop)
        with_props.append(toss)
        target = _Site(toss.landing, catching_hand(toss.throw))
        landing[target].append((toss.throw.beat, toss.prop))
    return with_props


def in_order(tosses: Sequence[Toss]) -> list[Toss]:
    """Return tosses by their beats; on one beat, those that put down or pick up come first.

    Of what one hand picks up on a beat, that which has lain there for longest comes first, since
    what lands first makes the throw written first.
    """
    put_down = [(toss.prop, toss.throw.beat) for toss in tosses if toss.puts_down]

    def lain_since(toss: Toss) -> float:
        """The last beat on which its prop was put down; -∞ for a prop that appears."""
        if not toss.picks_up:
            return 0.0
        beats = (beat for prop, beat in put_down if prop == toss.prop and beat < toss.throw.beat)
        return max(beats, default=-math.inf)

    return sorted(tosses, key=lambda toss: (toss.throw.beat, not toss.rests, lain_since(toss)))


def with_occurrences(tosses: Sequence[Toss]) -> Iterator[tuple[int, Toss]]:
    """Yield each toss with the number of equal throws before it, which tells equal ones apart."""
    seen: Counter[Throw] = Counter()
    for toss in tosses:
        yield seen[toss.throw], toss
        seen[toss.throw] += 1
