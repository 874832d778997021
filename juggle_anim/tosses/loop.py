"""Loops of tosses: a choreography whose events are those of tosses, which low throws lead back to
its start, and which prop each toss has.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import PropLook
from juggle_anim.choreography.choreography import BodyKeyframes
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.tosses.hand_times import HandEvent, HandTimes
from juggle_anim.tosses.toss import FOREVER, Clock, Juggled, Toss, Waypoint
from juggle_anim.tosses.toss_ring import Loop, Present, RingLayout, TossRing

_SEAM_GAP = 4  # beats from the last throw to the first one of the next round
_APART = 1e-6  # s; hands have events at different times


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
    passed: Sequence[tuple[Waypoint, Sequence[HandEvent]]] = (),
) -> Loop:
    """Lay out tosses as a loop.

    Args:
        tosses: on the beats of the span, in order; those without a flight that are not marked as
            held get one.
        span: the first beat, and the one after the last.
        division: parts of a beat.
        clock: when beats are.
        juggled: whose tempo, dwell, hand style and jugglers hold.
        bodies: keyframes at times of all time.
        looks: of props by their numbers.
        waypoints: of hands.
        now: what stays as it is.
        passed: more points of hands, each with what these do before and after it in their pattern;
            they pass those for which they do the same here.
    """
    ordered = in_order(tosses)
    closed, period = _closed(ordered, span, division * _SEAM_GAP)
    pattern = Pattern(
        "",
        tuple(toss.throw for toss in closed),
        period,
        period,
        juggled.choreography.jugglers,
        division,
    )
    start = clock.at(span[0])
    ring = TossRing(closed, pattern, span[0], start, clock.at(span[0] + period) - start)
    layout = RingLayout(ring)
    layout.time(clock, juggled, len(ordered))
    ring.make_room(now)
    ring.keep_order(now)
    ring.settle_tables(now)
    hands = HandTimes.of(ring)
    points = [each._replace(time=each.time - start) for each in waypoints]
    points += hands.fitting(passed, start)
    # Nor does a hand swing that has nothing to do for long while one pattern goes over into
    # another.
    points += hands.resting(
        [(clock.at(beat) - start,) * 2 for beat in (now.beat - division, now.beat)], points
    )
    points = [each._replace(time=each.time + start) for each in points]
    return layout.loop(juggled, bodies, looks, points, len(ordered))


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
    """Lay out tosses that end as they begin; arguments as of `closed_loop`, but all have flights or
    are held.
    """
    start = span[0]
    period = span[1] - span[0]
    begins = clock.at(start)
    lasts = clock.at(span[1]) - begins
    ordered = in_order(tosses)
    found = [_until_picked(toss, ordered) for toss in ordered]
    lying = [place for place, toss in enumerate(found) if toss.landing >= start + FOREVER]
    down = {toss.prop for toss in found if toss.puts_down and toss.landing < start + FOREVER}
    appear = [toss for toss in found if toss.picks_up and toss.prop not in down]
    for place in lying:
        # What lies there in the end is what is picked up in the beginning, from where it lies.
        toss = found[place]
        picked = min(appear, key=lambda each: each.throw.juggler != toss.throw.juggler)
        appear = [each for each in appear if each is not picked]
        to = picked.throw
        value = to.beat + period - toss.throw.beat
        throw = toss.throw._replace(value=value, to_juggler=to.juggler, to_hand=to.hand)
        if toss.flown and picked.flown:
            end = toss.flown.end if to.juggler == toss.throw.juggler else picked.flown.end
            flown = toss.flown._replace(caught=picked.flown.caught + lasts, end=end)
            found[place] = toss._replace(throw=throw, flown=flown)
    found = [toss.scaled(1, -start) for toss in found]
    pattern = Pattern(
        "",
        tuple(toss.throw for toss in found),
        period,
        period,
        juggled.choreography.jugglers,
        division,
    )
    layout = RingLayout(TossRing(found, pattern, start, begins, lasts))
    return layout.loop(juggled, bodies, looks, waypoints, len(found))


def _closed(tosses: list[Toss], span: tuple[int, int], gap: int) -> tuple[list[Toss], int]:
    """The tosses and those that lead back to the first ones, with beats from 0 on; and the length
    of the loop.
    """
    start, end = span
    found = [_until_picked(toss, tosses) for toss in tosses]
    landing = Counter(
        (toss.landing, catching_hand(toss.throw)) for toss in found if toss.landing < end
    )
    missing = Counter((toss.throw.beat, hand_of(toss.throw)) for toss in found) - landing
    sinks: list[Toss] = []
    for toss in found:
        site = toss.throw.beat, hand_of(toss.throw)
        if missing[site] > 0:
            missing[site] -= 1
            sinks.append(toss)
    sources = sorted(
        (toss.landing, catching_hand(toss.throw))
        for toss in found
        if end <= toss.landing < start + FOREVER
    )
    last = max([end, *(beat for beat, _ in sources)])
    for place, toss in enumerate(found):
        if toss.landing >= start + FOREVER:
            last += 1
            sources.append((last, hand_of(toss.throw)))
            found[place] = toss._replace(throw=toss.throw._replace(value=last - toss.throw.beat))
    period = last + 1 + gap - start
    back = list[Toss]()
    for sink in sorted(sinks, key=lambda toss: not toss.picks_up):
        # What is picked up has lain there as the same hand put it down.
        same = (each for each in sources if sink.picks_up and each[1] == hand_of(sink.throw))
        beat, hand = source = next(same, sources[0])
        sources.remove(source)
        to = sink.throw.beat + period
        seam = Throw(
            beat, hand // 2, hand % 2, to - beat, sink.throw.juggler, sink.throw.hand, held=False
        )
        back.append(Toss(seam, sink.prop, None))
    back.sort(key=lambda toss: toss.throw.beat)
    return [toss.scaled(1, -start) for toss in (*found, *back)], period


def _until_picked(toss: Toss, tosses: Sequence[Toss]) -> Toss:
    """What is put down lands where it is picked up, if it is."""
    if not toss.puts_down or toss.flown is None:
        return toss
    again = [each for each in tosses if each.picks_up and each.prop == toss.prop and each.flown]
    picked = next(
        (each for each in again if each.flown and each.flown.caught > toss.flown.thrown), None
    )
    if picked is None or picked.flown is None:
        return toss
    to = picked.throw
    time = picked.flown.caught
    throw = toss.throw._replace(
        value=to.beat - toss.throw.beat, to_juggler=to.juggler, to_hand=to.hand
    )
    return toss._replace(throw=throw, flown=toss.flown._replace(caught=time))


def sampled_keyframes(times: Floats, places: Floats) -> BodyKeyframes:
    """Keyframes of bodies at times (T,), [s], and places (T, J, 4), as `Bodies.places` has them."""
    if (np.abs(places - places[:1]) < _APART).all():
        times = times[:1]
        places = places[:1]
    count = places.shape[1]
    return BodyKeyframes(
        time=np.tile(times, count),
        juggler=np.repeat(np.arange(count), len(times)),
        position=np.swapaxes(places[..., :3], 0, 1).reshape(-1, 3),
        facing=places[..., 3].T.ravel(),
    )


def with_props(tosses: Sequence[Toss], pattern: Pattern) -> list[Toss]:
    """The tosses of a closed pattern with the numbers of their props, in the order in which these
    are thrown first.
    """
    found = list(tosses)
    starts = [place for place, toss in enumerate(tosses) if toss.landing >= pattern.period]
    order = sorted(starts, key=lambda place: (tosses[place].landing, -hand_of(tosses[place].throw)))
    for prop, start in enumerate(order):
        place = start
        while True:
            place = pattern.landings[place]
            found[place] = found[place]._replace(prop=prop)
            if found[place].landing >= pattern.period:
                break
    return found


def numbered(tosses: Sequence[Toss], kept: int) -> list[Toss]:
    """The tosses in order of their beats, those after some with the props that land for them.

    Of several props that land on one beat in one hand, that thrown first makes the throw written
    first.
    """
    landing: dict[tuple[int, int], list[tuple[int, int]]] = {}
    found = []
    early = {id(toss) for toss in tosses[:kept]}
    for toss in in_order(tosses):
        site = toss.throw.beat, hand_of(toss.throw)
        waiting = sorted(landing.get(site, []), key=lambda each: each[0])
        known = id(toss) in early or (toss.prop >= 0 and toss.rests)
        if known:
            landing[site] = [each for each in waiting if each[1] != toss.prop]
        else:
            landing[site] = waiting[1:]
            toss = toss._replace(prop=waiting[0][1])
        found.append(toss)
        to = toss.landing, catching_hand(toss.throw)
        landing.setdefault(to, []).append((toss.throw.beat, toss.prop))
    return found


def in_order(tosses: Sequence[Toss]) -> list[Toss]:
    """The tosses by their beats; of what one hand picks up on a beat, first what has lain there for
    longest, since what lands first makes the throw written first.
    """
    down = [(toss.prop, toss.throw.beat) for toss in tosses if toss.puts_down]

    def lain_since(toss: Toss) -> float:
        if not toss.picks_up:
            return 0.0
        return max(
            (beat for prop, beat in down if prop == toss.prop and beat < toss.throw.beat),
            default=-math.inf,
        )

    return sorted(tosses, key=lambda toss: (toss.throw.beat, not toss.rests, lain_since(toss)))


def with_occurrences(tosses: Sequence[Toss]) -> Iterator[tuple[int, Toss]]:
    """Tosses, with the place of each among those that are written alike."""
    seen: Counter[Throw] = Counter()
    for toss in tosses:
        yield seen[toss.throw], toss
        seen[toss.throw] += 1
