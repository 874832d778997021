"""Rings of tosses: a closed pattern whose throws have times, and what must hold between these."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, EventKind, FlightStyle, PropLook
from juggle_anim.choreography.choreography import AIR, BodyKeyframes, Events, Flights, PropOrbit
from juggle_anim.choreography.dwell import MIN_EMPTY, time_throws
from juggle_anim.choreography.manners import USUAL
from juggle_anim.choreography.places import STYLES, rest_positions, to_body_frame
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import catching_hand, hand_of
from juggle_anim.tosses.toss import (
    FOREVER,
    RESTING,
    Clock,
    Flown,
    Juggled,
    Toss,
    Waypoint,
    prop_making,
)

MOST_CARRYING = 0.45
"""The longest time for a hand to go to a table or back, [s]."""

# s
_MIN_CARRY = 0.03
_MIN_FLIGHT = 0.08
# from a throw to the next catch, and from a catch to its throw, [s]
_ROOM = 0.14
_EASY_CARRY = 0.12
_APART = 1e-6  # s
_TOGETHER = 0.06  # s; throws so soon after one another are made on one beat
_GENTLY = 0.2  # s; from when on what is in a hand may be put down
_SOON = 1.0  # s; what is thrown later is held for a while first
_SEAM_CARRY = 0.3  # how long props are carried before the throws that lead back, [s]
_SEAM_HEIGHT = 0.6  # of the throws that lead back, [m]
_USUAL_GAP = 2.0  # beats between throws of a hand


class Present(NamedTuple):
    """What may no longer change: tosses before a beat, and all before a time [s]."""

    beat: int
    time: float


class TossRing:
    """Tosses of a closed pattern.

    Args:
        tosses: on beats from 0 on, one for each throw of the pattern; their times are of all time.
        pattern: that they make.
        first: the beat of all time that is 0 here.
        start: when that is, [s].
        lasts: the loop, [s].
    """

    def __init__(
        self, tosses: list[Toss], pattern: Pattern, first: int, start: float, lasts: float
    ) -> None:
        self.tosses = tosses
        self.pattern = pattern
        self.first = first
        self.start = start
        self.lasts = lasts

    def flies(self, index: int) -> bool:
        """Whether a throw begins a flight; what is picked up is held until it is thrown."""
        toss = self.tosses[index]
        return toss.flown is not None and not toss.throw.held

    def flown(self, index: int) -> Flown:
        """The flight of a throw that begins one."""
        flown = self.tosses[index].flown
        assert flown is not None, "it flies"
        return flown

    def following(self, index: int) -> tuple[int, int]:
        """The next throw of the same prop that flies, and how many loops later that is; of holds,
        too.
        """
        throws = self.pattern.throws
        period = self.pattern.period
        beat = throws[index].beat + throws[index].value
        here = self.pattern.landings[index]
        while not self.flies(here):
            beat = beat + throws[here].value
            here = self.pattern.landings[here]
        return here, (beat - throws[here].beat) // period

    def retime(self, index: int, thrown: float | None = None, caught: float | None = None) -> None:
        """Let a flight begin or end at another time, [s]."""
        flown = self.flown(index)
        if thrown is not None:
            flown = flown._replace(thrown=thrown)
        if caught is not None:
            flown = flown._replace(caught=caught)
        self.tosses[index] = self.tosses[index]._replace(flown=flown)

    def make_room(self, now: Present) -> None:
        """Throw earlier where the hand would catch at once what is already in the air, as far as
        its prop is there.
        """
        caught: dict[int, list[float]] = defaultdict(list)
        came: dict[int, float] = {}
        wanted: dict[tuple[int, int], float] = {}
        for index, toss in enumerate(self.tosses):
            if self.flies(index):
                after, laps = self.following(index)
                came[after] = self.flown(index).caught - laps * self.lasts
                if toss.throw.beat + self.first < now.beat:
                    caught[catching_hand(toss.throw)].append(self.flown(index).caught)
        for index, toss in enumerate(self.tosses):
            if self.flies(index) and not toss.rests and toss.throw.beat + self.first >= now.beat:
                thrown = self.flown(index).thrown
                soon = [
                    time for time in caught[hand_of(toss.throw)] if thrown < time < thrown + _ROOM
                ]
                if soon:
                    site = toss.throw.beat, hand_of(toss.throw)
                    least = max(came.get(index, thrown) + _EASY_CARRY, now.time)
                    wanted[site] = max(
                        wanted.get(site, 0.0), min(thrown, max(min(soon) - _ROOM, least))
                    )
        # What a hand throws together stays together.
        for index, toss in enumerate(self.tosses):
            earlier = wanted.get((toss.throw.beat, hand_of(toss.throw)))
            if earlier is not None and self.flies(index) and not toss.rests:
                self.retime(index, thrown=min(earlier, self.flown(index).thrown))

    def keep_order(self, now: Present) -> None:
        """Let no prop come after its rethrow, by throwing later and catching later what may be."""
        for index, toss in enumerate(self.tosses):
            if not self.flies(index):
                continue
            flown = self.flown(index)
            free = toss.throw.beat + self.first >= now.beat and not toss.rests
            if free and flown.thrown < now.time:
                self.retime(index, thrown=now.time)
                flown = self.flown(index)
            if free and flown.caught < flown.thrown + _MIN_FLIGHT:
                self.retime(index, caught=flown.thrown + _MIN_FLIGHT)
            after, laps = self.following(index)
            earliest = self.flown(index).caught + _MIN_CARRY
            late = not laps and self.flown(after).thrown < earliest
            if late and self.tosses[after].throw.beat + self.first >= now.beat:
                self.retime(after, thrown=earliest)

    def settle_tables(self, now: Present) -> None:
        """Put down and pick up in the middle between what else the hand does."""
        busy: dict[int, list[float]] = defaultdict(list)
        thrown_on: dict[tuple[int, int], list[float]] = defaultdict(list)
        came = {}
        for index, toss in enumerate(self.tosses):
            if not self.flies(index):
                continue
            after, laps = self.following(index)
            came[after] = self.flown(index).caught - laps * self.lasts
            if not toss.rests:
                thrown_on[toss.throw.beat, hand_of(toss.throw)].append(self.flown(index).thrown)
                busy[hand_of(toss.throw)].append(self.flown(index).thrown)
                busy[catching_hand(toss.throw)].append(self.flown(index).caught)
        for index, toss in enumerate(self.tosses):
            if not toss.rests or toss.throw.beat + self.first < now.beat:
                continue
            events = busy[hand_of(toss.throw)]
            site = (toss.throw.beat, hand_of(toss.throw))
            if toss.puts_down:
                until = self.flown(index).thrown - _APART
                comes = max(
                    [came[index], *(time for time in events if time < until), *thrown_on[site]]
                )
                then = min(
                    (time for time in events if time > max(comes, now.time) + _APART),
                    default=math.inf,
                )
                down = comes + min((then - comes) / 2, MOST_CARRYING)
                # What has been held for long goes down soon, but not at once.
                self.retime(
                    index, thrown=max(down, now.time, min(now.time + _GENTLY, then - _ROOM))
                )
            else:
                leaves, laps = self.following(index)
                thrown = self.flown(leaves).thrown + laps * self.lasts
                others = (time for time in events if time < thrown - _TOGETHER)
                before = max(others, default=thrown - 2 * MOST_CARRYING)
                if toss.flown and thrown < toss.flown.caught + _SOON:
                    self._pick(index, thrown - min((thrown - before) / 2, MOST_CARRYING))

    def _pick(self, index: int, time: float) -> None:
        """Let what is picked up lie until another time, [s]."""
        later = time - self.flown(index).caught
        self.retime(index, caught=time)
        for source, landing in enumerate(self.pattern.landings):
            if landing == index and self.flies(source):
                self.retime(source, caught=self.flown(source).caught + later)


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


class RingLayout:
    """A ring of tosses while it becomes a choreography."""

    def __init__(self, ring: TossRing) -> None:
        self.ring = ring

    def time(
        self, clock: Clock, juggled: Juggled, count: int, chosen: Collection[int] | None = None
    ) -> None:
        """Give times and places to tosses without any; those from a number on lead back to the
        start.

        Args:
            clock: when beats are.
            juggled: whose dwell and hand style hold.
            count: how many lead on.
            chosen: the only ones that get any; None for all.
        """
        score = juggled.score
        parameters = juggled.parameters
        throws = self.ring.pattern.throws
        style = STYLES[score.staging.style].shaped(parameters)
        # A hand that throws on two beats in a row, where one rhythm goes over into another, has as
        # much time without a prop as between throws two beats apart.
        empty = max(_USUAL_GAP - parameters.dwell, MIN_EMPTY)
        timing = time_throws(
            self.ring.pattern, parameters.dwell, parameters.squeeze_beats, style.dwell_gain, empty
        )
        for index, toss in enumerate(self.ring.tosses):
            if chosen is not None and index not in chosen:
                continue
            if not toss.rests:
                toss = toss._replace(throw=toss.throw._replace(held=timing.held[index]))
                self.ring.tosses[index] = toss
            if toss.flown is None and not timing.held[index]:
                hands = (hand_of(throws[index]), catching_hand(throws[index]))
                value = throws[index].value / self.ring.pattern.division
                value = min(value, 3.0) if index >= count else value
                points = [
                    style.throw_point(value, hands[0] % 2 != hands[1] % 2),
                    style.catch_point(value),
                ]
                start, end = to_body_frame(points, np.array(hands))
                thrown, caught = (
                    clock.at(self.ring.first + each)
                    for each in (timing.throw[index], timing.catch[index])
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
        following = self.ring.tosses[self.ring.pattern.landings[index]]
        loop = self.ring.lasts
        if following.picks_up and following.flown is not None:
            picked = following.flown
            return Flown(
                flown.thrown,
                picked.caught + loop,
                picked.start,
                picked.start,
                picked.manners,
                RESTING,
            )
        # What is held from the start on is caught before its first beat.
        thrown = clock.at(self.ring.first + following.throw.beat)
        end = flown.end
        if following.flown is not None:
            thrown = following.flown.thrown
            end = following.flown.start
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
            slow_bounces=juggled.choreography.slow_bounces,
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
        looked = (
            tuple(looks[prop] for prop in props)
            if any(each != PropLook() for each in looks)
            else ()
        )
        tosses = tuple(_lying(toss.scaled(1, self.ring.first)) for toss in self.ring.tosses[:count])
        return Loop(
            replace(choreography, looks=looked), self.ring.start, props, tosses, self.ring.pattern
        )

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
                (self._within(flight.caught), catching_hand(throw), int(EventKind.CATCH)),
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
        manners = np.array(
            [max(each[1] for each in rows[key]) for key in order], dtype=np.intp
        ).reshape(-1, 2)
        places = [np.mean([each[0] for each in rows[key]], axis=0) for key in order]
        events = Events(
            time=np.array([key[0] for key in order]),
            hand=np.array([key[1] for key in order], dtype=np.intp),
            kind=np.array([key[2] for key in order], dtype=np.intp),
            position=np.array(places, dtype=float).reshape(
                -1, 3
            ),  # of no events, where all is held
        ).with_manners(manners)
        thrown, caught = (np.array([number[key] for key in side], dtype=np.intp) for side in ends)
        return events, thrown, caught

    def _within(self, time: float) -> float:
        return round((time - self.ring.start) % self.ring.lasts, 9) % self.ring.lasts

    def _props(
        self, choreography: Choreography, number: dict[int, int], count: int
    ) -> tuple[int, ...]:
        """For each prop of the choreography the number that its tosses give it; later ones are
        surest.
        """
        found = [-1] * choreography.props
        making = prop_making(choreography)
        never = {
            index
            for orbit in self.ring.pattern.orbits
            for index in orbit.throws
            if not number.keys() & orbit.throws
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


def _lying(toss: Toss) -> Toss:
    """What was put down lies for ever."""
    if not toss.puts_down or toss.flown is None:
        return toss
    throw = toss.throw._replace(
        value=FOREVER, to_juggler=toss.throw.juggler, to_hand=toss.throw.hand
    )
    return toss._replace(
        throw=throw, flown=toss.flown._replace(caught=math.inf, end=toss.flown.start)
    )


def _within(bodies: BodyKeyframes, start: float, lasts: float) -> BodyKeyframes:
    """Keyframes at times of a loop."""
    time = (bodies.time - start) % lasts
    rows = np.lexsort((time, bodies.juggler))
    return BodyKeyframes(
        time[rows], bodies.juggler[rows], bodies.position[rows], bodies.facing[rows]
    )
