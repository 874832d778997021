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

    Args:
        tosses: on the beats of the span, in order; those without a flight that are not marked as
            held get one.
        span: the first beat, and the one after the last.
        division: parts of a beat.
        clock: when beats are.
        juggled: whose tempo, dwell, hand style and jugglers hold.
        bodies: keyframes at times of all time.
        looks: of props by their indices.
        waypoints: of hands.
        now: what may no longer change.
        fitting: more waypoints, each with the neighbouring events of its hand in its pattern; they
            are passed if the hand does the same here, or has time for them.
    """
    first = span[0]
    ordered = in_order(tosses)
    closed, period = _closed(ordered, span, division * _SEAM_GAP)
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
    hands = HandTimes.from_ring(ring)
    # Waypoints in the time of the ring, and those of the patterns that still fit.
    points = [point._replace(time=point.time - start) for point in waypoints]
    points += hands.fitting(fitting, start)
    # A hand with nothing to do for long rests while one pattern passes into the next.
    change_times = [clock.at(beat) - start for beat in (now.beat - division, now.beat)]
    points += hands.resting([(time, time) for time in change_times], points)
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
    """Lay out tosses that end as they begin.

    The arguments are those of `closed_loop`, but all tosses have flights or are held.
    """
    first, end = span
    period = end - first
    start = clock.at(first)
    lasts = clock.at(end) - start
    ordered = in_order(tosses)
    wrapped = [_until_picked(toss, ordered) for toss in ordered]
    lies_at_end = [index for index, toss in enumerate(wrapped) if toss.landing >= first + FOREVER]
    first_tosses: dict[int, Toss] = {}  # of each prop
    for toss in wrapped:
        first_tosses.setdefault(toss.prop, toss)
    # Props that lie on tables in the beginning; others are picked up where they were put down.
    appearing = [toss for toss in first_tosses.values() if toss.picks_up]
    for index in lies_at_end:
        # What lies there in the end is what is picked up in the beginning, from where it lies; on
        # the table of the same juggler if there is any.
        toss = wrapped[index]
        juggler = toss.throw.juggler
        picked = min(appearing, key=lambda other: other.throw.juggler != juggler)
        appearing = [other for other in appearing if other is not picked]
        if toss.flown and picked.flown:
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
    """The toss as it lands where another throw is made, perhaps a period later."""
    throw = toss.throw._replace(
        value=rethrow.beat + period - toss.throw.beat,
        to_juggler=rethrow.juggler,
        to_hand=rethrow.hand,
    )
    return toss._replace(throw=throw)


def _closed(tosses: list[Toss], span: tuple[int, int], gap: int) -> tuple[list[Toss], int]:
    """The tosses and those that lead back to the first ones, with beats from 0 on; and the length
    of the loop.

    Args:
        tosses: in order.
        span: the first beat, and the one after the last.
        gap: beats from the last throw to the first of the next round.
    """
    start, end = span
    closed = [_until_picked(toss, tosses) for toss in tosses]
    sinks = _without_prop(closed, end)
    # The sites on which props are due after the last toss.
    sources = sorted(
        _Site(toss.landing, catching_hand(toss.throw))
        for toss in closed
        if end <= toss.landing < start + FOREVER
    )
    last = max([end, *(site.beat for site in sources)])
    for index, toss in enumerate(closed):
        if toss.landing >= start + FOREVER:
            # What was put down for ever is thrown back from where it lies, on a beat of its own.
            last += 1
            sources.append(_Site(last, hand_of(toss.throw)))
            closed[index] = toss._replace(throw=toss.throw._replace(value=last - toss.throw.beat))
    period = last + 1 + gap - start
    seam = list[Toss]()
    for sink in sorted(sinks, key=lambda toss: not toss.picks_up):
        hand = hand_of(sink.throw)
        # What is picked up has lain there as the same hand put it down.
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


def _without_prop(tosses: Sequence[Toss], end: int) -> list[Toss]:
    """The tosses up to a beat whose props come from none of the others."""
    landing = Counter(
        _Site(toss.landing, catching_hand(toss.throw)) for toss in tosses if toss.landing < end
    )
    missing = Counter(_Site(toss.throw.beat, hand_of(toss.throw)) for toss in tosses) - landing
    without = []
    for toss in tosses:
        site = _Site(toss.throw.beat, hand_of(toss.throw))
        if missing[site] > 0:
            missing[site] -= 1
            without.append(toss)
    return without


def _until_picked(toss: Toss, tosses: Sequence[Toss]) -> Toss:
    """The toss; if it puts a prop down that is picked up later, it lands there."""
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
    """Return keyframes of bodies.

    Args:
        times: shape (T,), [s].
        places: shape (T, J, 4), as `Bodies.places` has them.
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
    """Return tosses in order of their beats, each with the prop that lands for it.

    Of several props that land on one beat in one hand, that thrown first makes the throw written
    first.

    Args:
        tosses: whose props are known up to some index, and of those that pick up.
        known: how many have their props already.
    """
    # For each site the beats on which props were thrown to it, and these props.
    landing: dict[_Site, list[tuple[int, int]]] = defaultdict(list)
    with_props = []
    early = {id(toss) for toss in tosses[:known]}
    for toss in in_order(tosses):
        site = _Site(toss.throw.beat, hand_of(toss.throw))
        waiting = sorted(landing[site], key=lambda thrown: thrown[0])
        if id(toss) in early or (toss.prop >= 0 and toss.rests):
            landing[site] = [(beat, prop) for beat, prop in waiting if prop != toss.prop]
        else:
            landing[site] = waiting[1:]
            toss = toss._replace(prop=waiting[0][1])
        with_props.append(toss)
        target = _Site(toss.landing, catching_hand(toss.throw))
        landing[target].append((toss.throw.beat, toss.prop))
    return with_props


def in_order(tosses: Sequence[Toss]) -> list[Toss]:
    """Return tosses by their beats.

    Of what one hand picks up on a beat, that which has lain there for longest comes first, since
    what lands first makes the throw written first.
    """
    put_down = [(toss.prop, toss.throw.beat) for toss in tosses if toss.puts_down]

    def lain_since(toss: Toss) -> float:
        if not toss.picks_up:
            return 0.0
        beats = (beat for prop, beat in put_down if prop == toss.prop and beat < toss.throw.beat)
        return max(beats, default=-math.inf)

    return sorted(tosses, key=lambda toss: (toss.throw.beat, not toss.rests, lain_since(toss)))


def with_occurrences(tosses: Sequence[Toss]) -> Iterator[tuple[int, Toss]]:
    """Yield tosses, each with how many before it are written alike."""
    seen: Counter[Throw] = Counter()
    for toss in tosses:
        yield seen[toss.throw], toss
        seen[toss.throw] += 1
