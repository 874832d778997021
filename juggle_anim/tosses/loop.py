"""Loops of tosses: a choreography whose events are those of tosses, and which low throws lead back to its start."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, EventKind, FlightStyle, PropLook
from juggle_anim.choreography.choreography import AIR, BodyKeyframes, Events, Flights, PropOrbit
from juggle_anim.choreography.dwell import MIN_EMPTY, hand_of
from juggle_anim.choreography.manners import USUAL
from juggle_anim.choreography.places import STYLES, rest_positions, to_body_frame
from juggle_anim.choreography.timing import time_throws
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Throw
from juggle_anim.tosses.hand_times import HandEvent, HandTimes
from juggle_anim.tosses.prop_numbers import in_order
from juggle_anim.tosses.toss import FOREVER, RESTING, Clock, Flown, Juggled, Toss, Waypoint, prop_making
from juggle_anim.tosses.toss_ring import Present, TossRing

_MIN_CARRY, _MIN_FLIGHT = 0.03, 0.08  # s
_SEAM_GAP, _SEAM_CARRY = 4, 0.3  # beats from the last throw to the first one; how long these are carried, [s]
_SEAM_HEIGHT = 0.6  # of the throws that lead back, [m]
_USUAL_GAP = 2.0  # beats between throws of a hand
_APART = 1e-6  # s; hands have events at different times


@dataclass(frozen=True, eq=False)
class Loop:
    """A choreography of tosses.

    Args:
        choreography: whose time 0 is that of the first beat.
        start: that time, [s].
        props: for each of its props, the number that its tosses give it.
        tosses: all but those that lead back, with their flights.
        pattern: all throws, those that lead back too.
    """

    choreography: Choreography
    start: float
    props: tuple[int, ...]
    tosses: tuple[Toss, ...]
    pattern: Pattern


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
        tosses: on the beats of the span, in order; those without a flight that are not marked as held get one.
        span: the first beat, and the one after the last.
        division: parts of a beat.
        clock: when beats are.
        juggled: whose tempo, dwell, hand style and jugglers hold.
        bodies: keyframes at times of all time.
        looks: of props by their numbers.
        waypoints: of hands.
        now: what stays as it is.
        passed: more points of hands, each with what these do before and after it in their pattern; they pass those for
            which they do the same here.
    """
    ordered = in_order(tosses)
    closed, period = _closed(ordered, span, division * _SEAM_GAP)
    pattern = Pattern("", tuple(toss.throw for toss in closed), period, period, juggled.choreography.jugglers, division)
    start = clock.at(span[0])
    ring = TossRing(closed, pattern, span[0], start, clock.at(span[0] + period) - start)
    layout = RingLayout(ring)
    layout.time(clock, juggled, len(ordered))
    ring.make_room(now)
    ring.keep_order(now)
    ring.settle_tables(now)
    hands, points = HandTimes.of(ring), [each._replace(time=each.time - start) for each in waypoints]
    points += hands.fitting(passed, start)
    # Nor does a hand swing that has nothing to do for long while one pattern goes over into another.
    points += hands.resting([(clock.at(beat) - start,) * 2 for beat in (now.beat - division, now.beat)], points)
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
    """Lay out tosses that end as they begin; arguments as of `closed_loop`, but all have flights or are held."""
    start, period = span[0], span[1] - span[0]
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
    pattern = Pattern("", tuple(toss.throw for toss in found), period, period, juggled.choreography.jugglers, division)
    layout = RingLayout(TossRing(found, pattern, start, begins, lasts))
    return layout.loop(juggled, bodies, looks, waypoints, len(found))


def _closed(tosses: list[Toss], span: tuple[int, int], gap: int) -> tuple[list[Toss], int]:
    """The tosses and those that lead back to the first ones, with beats from 0 on; and the length of the loop."""
    start, end = span
    found = [_until_picked(toss, tosses) for toss in tosses]
    landing = Counter((toss.landing, _to(toss.throw)) for toss in found if toss.landing < end)
    missing = Counter((toss.throw.beat, hand_of(toss.throw)) for toss in found) - landing
    sinks: list[Toss] = []
    for toss in found:
        site = toss.throw.beat, hand_of(toss.throw)
        if missing[site] > 0:
            missing[site] -= 1
            sinks.append(toss)
    sources = sorted((toss.landing, _to(toss.throw)) for toss in found if end <= toss.landing < start + FOREVER)
    last = max([end, *(beat for beat, _ in sources)])
    for place, toss in enumerate(found):
        if toss.landing >= start + FOREVER:
            last += 1
            sources.append((last, hand_of(toss.throw)))
            found[place] = toss._replace(throw=toss.throw._replace(value=last - toss.throw.beat))
    period, back = last + 1 + gap - start, list[Toss]()
    for sink in sorted(sinks, key=lambda toss: not toss.picks_up):
        # What is picked up has lain there as the same hand put it down.
        same = (each for each in sources if sink.picks_up and each[1] == hand_of(sink.throw))
        beat, hand = source = next(same, sources[0])
        sources.remove(source)
        to = sink.throw.beat + period
        seam = Throw(beat, hand // 2, hand % 2, to - beat, sink.throw.juggler, sink.throw.hand, held=False)
        back.append(Toss(seam, sink.prop, None))
    back.sort(key=lambda toss: toss.throw.beat)
    return [toss.scaled(1, -start) for toss in (*found, *back)], period


def _until_picked(toss: Toss, tosses: Sequence[Toss]) -> Toss:
    """What is put down lands where it is picked up, if it is."""
    if not toss.puts_down or toss.flown is None:
        return toss
    again = [each for each in tosses if each.picks_up and each.prop == toss.prop and each.flown]
    picked = next((each for each in again if each.flown and each.flown.caught > toss.flown.thrown), None)
    if picked is None or picked.flown is None:
        return toss
    to, time = picked.throw, picked.flown.caught
    throw = toss.throw._replace(value=to.beat - toss.throw.beat, to_juggler=to.juggler, to_hand=to.hand)
    return toss._replace(throw=throw, flown=toss.flown._replace(caught=time))


def _to(throw: Throw) -> int:
    return 2 * throw.to_juggler + throw.to_hand


class RingLayout:
    """A ring of tosses while it becomes a choreography."""

    def __init__(self, ring: TossRing) -> None:
        self.ring = ring

    def time(self, clock: Clock, juggled: Juggled, count: int, chosen: Collection[int] | None = None) -> None:
        """Give times and places to tosses without any; those from a number on lead back to the start.

        Args:
            clock: when beats are.
            juggled: whose dwell and hand style hold.
            count: how many lead on.
            chosen: the only ones that get any; None for all.
        """
        score, parameters, throws = juggled.score, juggled.parameters, self.ring.pattern.throws
        style = STYLES[score.staging.style].shaped(parameters)
        # A hand that throws on two beats in a row, where one rhythm goes over into another, has as much time without a
        # prop as between throws two beats apart.
        empty = max(_USUAL_GAP - parameters.dwell, MIN_EMPTY)
        timing = time_throws(self.ring.pattern, parameters.dwell, parameters.squeeze_beats, style.dwell_gain, empty)
        for index, toss in enumerate(self.ring.tosses):
            if chosen is not None and index not in chosen:
                continue
            if not toss.rests:
                toss = toss._replace(throw=toss.throw._replace(held=timing.held[index]))
                self.ring.tosses[index] = toss
            if toss.flown is None and not timing.held[index]:
                hands, value = (
                    (hand_of(throws[index]), _to(throws[index])),
                    throws[index].value / self.ring.pattern.division,
                )
                value = min(value, 3.0) if index >= count else value
                points = [style.throw_point(value, hands[0] % 2 != hands[1] % 2), style.catch_point(value)]
                start, end = to_body_frame(points, np.array(hands))
                thrown, caught = (
                    clock.at(self.ring.first + each) for each in (timing.throw[index], timing.catch[index])
                )
                flown = Flown(thrown, caught, start, end, (USUAL, USUAL))
                self.ring.tosses[index] = toss._replace(
                    flown=self._back(index, flown, clock) if index >= count else flown
                )
        for index, toss in enumerate(self.ring.tosses):
            if toss.puts_down and toss.flown is not None and toss.flown.caught == math.inf:
                self._lie(index, toss.flown)

    def _back(self, index: int, flown: Flown, clock: Clock) -> Flown:
        """The flight of a throw that leads back to the start."""
        following, loop = self.ring.tosses[self.ring.pattern.landings[index]], self.ring.lasts
        if following.picks_up and following.flown is not None:
            picked = following.flown
            return Flown(flown.thrown, picked.caught + loop, picked.start, picked.start, picked.manners, RESTING)
        # What is held from the start on is caught before its first beat.
        thrown, end = clock.at(self.ring.first + following.throw.beat), flown.end
        if following.flown is not None:
            thrown, end = following.flown.thrown, following.flown.start
        caught = thrown - _SEAM_CARRY + loop
        style = FlightStyle(gravity=8 * _SEAM_HEIGHT / (caught - flown.thrown) ** 2)
        return flown._replace(caught=caught, end=end, style=style)

    def _lie(self, index: int, flown: Flown) -> None:
        """Let what was put down lie until the throw that takes it back to the start."""
        following = self.ring.tosses[self.ring.pattern.landings[index]].flown
        assert following is not None, "it is thrown back"
        lying = flown._replace(caught=following.thrown - _SEAM_CARRY)
        self.ring.tosses[index] = self.ring.tosses[index]._replace(flown=lying)

    def loop(
        self,
        juggled: Juggled,
        bodies: BodyKeyframes,
        looks: Sequence[PropLook],
        waypoints: Sequence[Waypoint],
        count: int,
    ) -> Loop:
        """The choreography, with the numbers of its props as tosses up to some number give them."""
        flying = [index for index in range(len(self.ring.tosses)) if self.ring.flies(index)]
        number = {index: flight for flight, index in enumerate(flying)}
        flown = [each for index in flying if (each := self.ring.tosses[index].flown) is not None]
        events, throw, catch = self._events(flying, flown, waypoints)
        styles = tuple(flight.style for flight in flown)
        choreography = Choreography(
            duration=self.ring.lasts,
            bps=juggled.choreography.bps,
            gravity=juggled.choreography.gravity,
            bounce_fraction=juggled.choreography.bounce_fraction,
            bodies=_within(bodies, self.ring.start, self.ring.lasts),
            rest=rest_positions(juggled.choreography.jugglers),
            events=events,
            flights=Flights(
                throw=throw,
                catch=catch,
                duration=np.array([flight.caught - flight.thrown for flight in flown]),
                carry=self._carries(flying, flown),
                style=styles if any(style != AIR for style in styles) else (),
            ),
            orbits=self._orbits(number),
            as_juggling_lab=juggled.choreography.as_juggling_lab,
        )
        props = self._props(choreography, number, count)
        looked = tuple(looks[prop] for prop in props) if any(each != PropLook() for each in looks) else ()
        tosses = tuple(_lying(toss.scaled(1, self.ring.first)) for toss in self.ring.tosses[:count])
        return Loop(replace(choreography, looks=looked), self.ring.start, props, tosses, self.ring.pattern)

    def _carries(self, flying: Sequence[int], flown: Sequence[Flown]) -> Floats:
        """How long each prop that flew is held until its next throw, shape (F,), [s]."""
        found = []
        for index, flight in zip(flying, flown, strict=True):
            after, laps = self.ring.following(index)
            then = self.ring.tosses[after].flown
            assert then is not None
            found.append(then.thrown + laps * self.ring.lasts - flight.caught)
        return np.array(found)

    def _orbits(self, number: Mapping[int, int]) -> tuple[PropOrbit, ...]:
        """The orbits of props, by the flights of tosses."""
        return tuple(
            PropOrbit(
                tuple(number[index] for index in orbit.throws if index in number),
                orbit.props,
                hand_of(self.ring.pattern.throws[orbit.throws[0]]),
            )
            for orbit in self.ring.pattern.orbits
        )

    def _events(
        self, flying: list[int], flown: list[Flown], waypoints: Sequence[Waypoint]
    ) -> tuple[Events, Integers, Integers]:
        """The events in order, and those that each flight begins and ends with."""
        rows: dict[tuple[float, int, int], list[tuple[Floats, tuple[int, int]]]] = {}
        ends: list[list[tuple[float, int, int]]] = [[], []]
        for index, flight in zip(flying, flown, strict=True):
            throw = self.ring.pattern.throws[index]
            keys = (
                (self._within(flight.thrown), hand_of(throw), int(EventKind.THROW)),
                (self._within(flight.caught), _to(throw), int(EventKind.CATCH)),
            )
            for side, (key, place) in enumerate(zip(keys, (flight.start, flight.end), strict=True)):
                rows.setdefault(key, []).append((place, flight.manners[side]))
                ends[side].append(key)
        taken = sorted((hand, time) for time, hand, _ in rows)
        for point in waypoints:
            time = self._within(point.time)
            near = bisect_left(taken, (point.hand, time - _APART))
            if near == len(taken) or taken[near] > (point.hand, time + _APART):
                rows[time, point.hand, point.kind] = [(point.position, USUAL)]
        order = sorted(rows)
        number = {key: row for row, key in enumerate(order)}
        manners = np.array([max(each[1] for each in rows[key]) for key in order], dtype=np.intp)
        events = Events(
            time=np.array([key[0] for key in order]),
            hand=np.array([key[1] for key in order], dtype=np.intp),
            kind=np.array([key[2] for key in order], dtype=np.intp),
            position=np.array([np.mean([each[0] for each in rows[key]], axis=0) for key in order]),
        ).with_manners(manners)
        thrown, caught = (np.array([number[key] for key in side], dtype=np.intp) for side in ends)
        return events, thrown, caught

    def _within(self, time: float) -> float:
        return round((time - self.ring.start) % self.ring.lasts, 9) % self.ring.lasts

    def _props(self, choreography: Choreography, number: dict[int, int], count: int) -> tuple[int, ...]:
        """For each prop of the choreography the number that its tosses give it; later ones are surest."""
        found = [-1] * choreography.props
        making = prop_making(choreography)
        never = {
            index for orbit in self.ring.pattern.orbits for index in orbit.throws if not number.keys() & orbit.throws
        }
        for index in range(count):
            if index not in never:
                # What is held now flies later, perhaps only on the way back to the start.
                flies, laps = (index, 0) if index in number else self.ring.following(index)
                flown = self.ring.tosses[flies].flown
                assert flown is not None
                thrown = flown.thrown + laps * self.ring.lasts - self.ring.start
                found[making(number[flies], thrown)] = self.ring.tosses[index].prop
        before = 0
        for orbit, own in zip(choreography.orbits, self.ring.pattern.orbits, strict=True):
            if not orbit.flights:
                beat = self.ring.pattern.throws[own.throws[0]].beat
                for index in own.throws:
                    lap = (beat - self.ring.pattern.throws[index].beat) // self.ring.pattern.period
                    if index < count:
                        found[before + lap % orbit.props] = self.ring.tosses[index].prop
                    beat += self.ring.pattern.throws[index].value
            before += orbit.props
        return tuple(found)


def sampled_keyframes(times: Floats, places: Floats) -> BodyKeyframes:
    """Keyframes of bodies at times (T,), [s], and places (T, J, 4), as `Bodies.places` has them."""
    if (np.abs(places - places[:1]) < _APART).all():
        times, places = times[:1], places[:1]
    count = places.shape[1]
    return BodyKeyframes(
        time=np.tile(times, count),
        juggler=np.repeat(np.arange(count), len(times)),
        position=np.swapaxes(places[..., :3], 0, 1).reshape(-1, 3),
        facing=places[..., 3].T.ravel(),
    )


def _lying(toss: Toss) -> Toss:
    """What was put down lies for ever."""
    if not toss.puts_down or toss.flown is None:
        return toss
    throw = toss.throw._replace(value=FOREVER, to_juggler=toss.throw.juggler, to_hand=toss.throw.hand)
    return toss._replace(throw=throw, flown=toss.flown._replace(caught=math.inf, end=toss.flown.start))


def _within(bodies: BodyKeyframes, start: float, lasts: float) -> BodyKeyframes:
    """Keyframes at times of a loop."""
    time = (bodies.time - start) % lasts
    rows = np.lexsort((time, bodies.juggler))
    return BodyKeyframes(time[rows], bodies.juggler[rows], bodies.position[rows], bodies.facing[rows])
