"""Tosses: the throws of a pattern that plays for ever, each with its times, its places and the prop that makes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, EventKind, FlightStyle
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.choreography import AIR
from juggle_anim.choreography.places import STYLES
from juggle_anim.choreography.timing import Timing, time_throws
from juggle_anim.motion import Motion
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Throw

SLEWING = 0.5
"""How long a tempo takes to become another one, [s]."""

RESTING = FlightStyle(gravity=1e-6)
"""The flight of a prop that lies on a table: it stays where it is."""

FOREVER = 100_000
"""The value of what is put down, [beats]."""

_NEWTON_STEPS = 8
_NOW_AND_THEN = 0.3  # s


class Flown(NamedTuple):
    """A flight as it is juggled: its times [s], the places of the hands then, as in `Events`, [m], and its style.

    The hands throw and catch in `manners`, as in `Events.manners`.
    """

    thrown: float
    caught: float
    start: Floats
    end: Floats
    manners: tuple[tuple[int, int], tuple[int, int]]
    style: FlightStyle = AIR


class Waypoint(NamedTuple):
    """A point that a hand passes, as a row of `Events`, at a time of all time."""

    time: float
    hand: int
    kind: int
    position: Floats


class Toss(NamedTuple):
    """A throw on one beat of all time, the number of its prop, and its flight, None for a hold.

    What is put down has a flight that rests, and lands after all that matters. What is picked up is held from then on
    until it is thrown, and its flight is the rest before.
    """

    throw: Throw
    prop: int
    flown: Flown | None

    @property
    def rests(self) -> bool:
        """Whether its prop is put down or picked up."""
        return self.flown is not None and self.flown.style == RESTING

    @property
    def picks_up(self) -> bool:
        """Whether its prop is picked up: it is held until it is thrown."""
        return self.rests and self.throw.held is True

    @property
    def puts_down(self) -> bool:
        """Whether its prop is put down."""
        return self.rests and self.throw.held is not True

    @property
    def landing(self) -> int:
        """The beat on which its prop is due again."""
        return self.throw.beat + self.throw.value

    def scaled(self, factor: int, shift: int = 0) -> Toss:
        """The toss with its beats in parts, counted from another one on."""
        throw = self.throw
        return self._replace(throw=throw._replace(beat=throw.beat * factor + shift, value=throw.value * factor))


@dataclass(frozen=True)
class Clock:
    """When beats are: at one tempo up to some beat, then at another, with a smooth change between.

    Args:
        beat: on which the tempo begins to change.
        time: of that beat, [s].
        rate, later: beats per second before and after.
        before: what holds up to that beat, if it is no steady tempo.
        lasts: duration of the change, [s].
    """

    beat: float
    time: float
    rate: float
    later: float
    before: Clock | None = None
    lasts: float = SLEWING

    @property
    def steady(self) -> tuple[float, float]:
        """The beat from which on the tempo is the last one, and its time, [s]."""
        if self.rate == self.later:
            return self.beat, self.time
        return self.beat + self.lasts * (self.rate + self.later) / 2, self.time + self.lasts

    def at(self, beat: float) -> float:
        """The time of a beat, [s]; beats may be fractions."""
        if beat <= self.beat:
            return self.before.at(beat) if self.before else self.time + (beat - self.beat) / self.rate
        settled, then = self.steady
        if beat >= settled:
            return then + (beat - settled) / self.later
        # u³ − u⁴/2 is the integral of the smooth step 3u² − 2u³.
        share, more = (beat - self.beat) / (settled - self.beat), self.later - self.rate
        for _ in range(_NEWTON_STEPS):
            beats = self.lasts * (self.rate * share + more * share**3 * (1 - share / 2))
            speed = self.lasts * (self.rate + more * share * share * (3 - 2 * share))
            share -= (beats - (beat - self.beat)) / speed
        return self.time + self.lasts * share

    def beat_at(self, time: float) -> float:
        """The beat at a time [s], by bisection."""
        low, high = -1e6, 1e6
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self.at(middle) <= time else (low, middle)
        return low

    def since(self, time: float) -> Clock:
        """The same clock from a time [s] on; before, it may be as if there had been one tempo."""
        before = self.before.since(time) if self.before and self.time > time else None
        return replace(self, before=before)

    def scaled(self, factor: int) -> Clock:
        """The clock of beats in parts."""
        before = self.before and self.before.scaled(factor)
        return Clock(self.beat * factor, self.time, self.rate * factor, self.later * factor, before, self.lasts)


class Line(Protocol):
    """What plays from some time on: tosses on beats of a clock."""

    @property
    def division(self) -> int:
        """Parts of a beat."""
        ...

    @property
    def clock(self) -> Clock:
        """When beats are."""
        ...

    @property
    def highest(self) -> int:
        """The greatest value of a throw."""
        ...

    def tosses(self, first: int, last: int) -> list[Toss]:
        """All tosses on beats from the first up to the last, in order."""
        ...

    def waypoints(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between events, from a time up to another, [s]."""
        ...

    def places(self, times: Floats) -> Floats:
        """Where bodies are at some times, shape (T, J, 4), as `Bodies.places` has it."""
        ...


@dataclass(frozen=True, eq=False)
class Playing:
    """A pattern that plays for ever.

    Args:
        animation: of a pattern on beats.
        origin: when its own time 0 is, [s].
        props: shape (P,), the number of each of its props; None if they have their own.
    """

    animation: Animation
    origin: float
    props: tuple[int, ...] | None = None

    @property
    def division(self) -> int:
        """Parts of a beat."""
        return self.pattern.division

    @cached_property
    def pattern(self) -> Pattern:
        """One loop, until hands, catches and bodies repeat."""
        score = self.animation.score
        assert score.pattern is not None, "events with their own times have no beats"
        return repeat_to_full_loop(score.pattern, score.staging)

    @cached_property
    def highest(self) -> int:
        """The greatest value of a throw."""
        return max((throw.value for throw in self.pattern.throws), default=0)

    @cached_property
    def clock(self) -> Clock:
        """A steady tempo."""
        rate = self.animation.choreography.bps * self.division
        return Clock(0.0, self.origin, rate, rate)

    def tosses(self, first: int, last: int) -> list[Toss]:
        """All tosses on beats from the first up to the last, in order."""
        period = self.pattern.period
        found = []
        for loop in range(first // period, -(-last // period)):
            for index, throw in enumerate(self.pattern.throws):
                beat = throw.beat + loop * period
                if first <= beat < last:
                    prop = self._prop(index, loop)
                    prop = self.props[prop] if self.props else prop
                    throw = throw._replace(beat=beat, held=self._timing.held[index])
                    found.append(Toss(throw, prop, self._flown(index, loop)))
        return sorted(found, key=lambda toss: toss.throw.beat)

    def waypoints(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between events, from a time up to another, [s]."""
        performance = self._performed[0]
        events, lasts = performance.events, performance.duration
        rows = np.flatnonzero(events.kind >= EventKind.HOLD).tolist()
        loops = range(math.floor((first - self.origin) / lasts), math.ceil((last - self.origin) / lasts))
        found = [
            Waypoint(
                self.origin + loop * lasts + float(events.time[row]),
                int(events.hand[row]),
                int(events.kind[row]),
                events.position[row],
            )
            for loop in loops
            for row in rows
        ]
        return [each for each in found if first <= each.time < last] + self._idle(first, last)

    def _idle(self, first: float, last: float) -> list[Waypoint]:
        """The rests of hands without events, now and then."""
        performance = self._performed[0]
        idle = np.setdiff1d(np.arange(len(performance.rest)), performance.events.hand).tolist()
        times = np.arange(first, last - _NOW_AND_THEN, _NOW_AND_THEN).tolist()
        return [Waypoint(time, hand, int(EventKind.HOLD), performance.rest[hand]) for hand in idle for time in times]

    def places(self, times: Floats) -> Floats:
        """Where bodies are at some times, shape (T, J, 4), as `Bodies.places` has it."""
        return self.animation.motion.bodies.places(times - self.origin)

    @property
    def motion(self) -> Motion:
        """Paths of hands and props."""
        return self.animation.motion

    @cached_property
    def _timing(self) -> Timing:
        score, parameters = self.animation.score, self.animation.parameters
        style = STYLES[score.staging.style]
        return time_throws(self.pattern, parameters.dwell, parameters.squeeze_beats, style.dwell_gain)

    @cached_property
    def _flights(self) -> dict[int, int]:
        """The flight of each throw that is none held."""
        flown = (index for index, held in enumerate(self._timing.held) if not held)
        return {index: flight for flight, index in enumerate(flown)}

    @cached_property
    def _performed(self) -> tuple[Choreography, int]:
        """What is juggled, and how many loops of the pattern that is."""
        performance = self.animation.performance
        return performance, round(performance.duration / self.animation.choreography.duration)

    def _row(self, index: int, loop: int) -> tuple[int, float]:
        """The flight of a throw that is juggled, and when it begins, [s] of the animation's own time."""
        performance, loops = self._performed
        flight = loop % loops * len(self._flights) + self._flights[index]
        thrown = float(performance.events.time[performance.flights.throw[flight]])
        nominal = (self._timing.throw[index] + loop * self.pattern.period) / self.clock.rate
        return flight, thrown + performance.duration * round((nominal - thrown) / performance.duration)

    def _flown(self, index: int, loop: int) -> Flown | None:
        if self._timing.held[index]:
            return None
        flight, thrown = self._row(index, loop)
        events, flights = self._performed[0].events, self._performed[0].flights
        ends = int(flights.throw[flight]), int(flights.catch[flight])
        caught = thrown + float(flights.duration[flight])
        (thrown_in, thrown_around), (caught_in, caught_around) = events.manners[list(ends)].tolist()
        style = flights.style[flight] if flights.style else AIR
        start, end = (events.position[event] for event in ends)
        return Flown(
            self.origin + thrown,
            self.origin + caught,
            start,
            end,
            ((thrown_in, thrown_around), (caught_in, caught_around)),
            style,
        )

    def _prop(self, index: int, loop: int) -> int:
        """The prop of the animation that makes a throw."""
        throws, period = self.pattern.throws, self.pattern.period
        beat, following = throws[index].beat + loop * period, index
        while self._timing.held[following]:
            beat, following = beat + throws[following].value, self.pattern.landings[following]
            if following == index:
                return self._held_prop(index, loop)
        flight, thrown = self._row(following, (beat - throws[following].beat) // period)
        return self._making(flight, thrown)

    @cached_property
    def _making(self) -> Callable[[int, float], int]:
        return prop_making(self._performed[0])

    def _held_prop(self, index: int, loop: int) -> int:
        """The prop of an orbit that never flies: orbits keep their order, whatever loops are joined."""
        never = [orbit for orbit in self.pattern.orbits if all(self._timing.held[each] for each in orbit.throws)]
        number = next(place for place, orbit in enumerate(never) if index in orbit.throws)
        before, still = 0, list[int]()
        for performed in self._performed[0].orbits:
            still += [] if performed.flights else [before]
            before += performed.props
        orbit, throws = never[number], self.pattern.throws
        way = throws[orbit.throws[0]].beat
        for each in orbit.throws[: orbit.throws.index(index)]:
            way += throws[each].value
        return still[number] + ((way - throws[index].beat) // self.pattern.period - loop) % orbit.props


def prop_making(choreography: Choreography) -> Callable[[int, float], int]:
    """Give the prop that makes a flight which begins at a time [s]."""
    events, flights = choreography.events, choreography.flights
    found: dict[int, tuple[int, float, int]] = {}
    before = 0
    for orbit in choreography.orbits:
        since = float(events.time[flights.throw[orbit.flights[0]]]) if orbit.flights else 0.0
        for flight in orbit.flights:
            found[flight] = before, since, orbit.props
            since += float(flights.duration[flight] + flights.carry[flight])
        before += orbit.props

    return partial(_prop_of, found, choreography.duration)


def _prop_of(rows: Mapping[int, tuple[int, float, int]], loop: float, flight: int, thrown: float) -> int:
    """The prop that makes a flight, from a row for each flight: first prop of its orbit, [s] since when, and props."""
    first, since, props = rows[flight]
    return first + round((since - thrown) / loop) % props


def due(tosses: Sequence[Toss], beat: int, depth: int, hands: int) -> Integers:
    """The state before the throws of a beat: props due on each coming beat in each hand, shape (depth, hands)."""
    found = np.zeros((depth, hands), dtype=np.intp)
    for toss in tosses:
        if toss.throw.beat < beat <= toss.landing < beat + depth:
            found[toss.landing - beat, 2 * toss.throw.to_juggler + toss.throw.to_hand] += 1
    return found
