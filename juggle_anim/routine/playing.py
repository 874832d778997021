"""Patterns that play for ever: their tosses, with the times, places and props of an animation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.choreography.choreograph import repeat_to_full_loop, timing_of
from juggle_anim.choreography.choreography import AIR
from juggle_anim.choreography.dwell import Timing
from juggle_anim.motion import Motion
from juggle_anim.pattern import Pattern
from juggle_anim.tosses.hand_times import HandEvent, events_beside
from juggle_anim.tosses.toss import Clock, Flown, Toss, Waypoint, manners_of, prop_making

_NOW_AND_THEN = 0.3  # s


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
        events = performance.events
        lasts = performance.duration
        rows = np.flatnonzero(events.kind >= EventKind.HOLD).tolist()
        loops = range(
            math.floor((first - self.origin) / lasts), math.ceil((last - self.origin) / lasts)
        )
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

    def passed(self, first: float, last: float) -> list[tuple[Waypoint, list[HandEvent]]]:
        """The same with what hands do before and after each, without the rests of hands that do
        nothing.
        """
        performance = self._performed[0]
        found = list[tuple[Waypoint, list[HandEvent]]]()
        for row in np.flatnonzero(performance.events.kind >= EventKind.HOLD).tolist():
            beside = events_beside(performance.events, row, performance.duration)
            lasts = performance.duration
            own = self.origin + float(performance.events.time[row])
            events = performance.events
            for loop in range(math.ceil((first - own) / lasts), math.ceil((last - own) / lasts)):
                time = own + loop * lasts
                point = Waypoint(
                    time, int(events.hand[row]), int(events.kind[row]), events.position[row]
                )
                found.append((point, [each._replace(time=time + each.time) for each in beside]))
        return found

    def _idle(self, first: float, last: float) -> list[Waypoint]:
        """The rests of hands without events, now and then."""
        performance = self._performed[0]
        idle = np.setdiff1d(np.arange(len(performance.rest)), performance.events.hand).tolist()
        times = np.arange(first, last - _NOW_AND_THEN, _NOW_AND_THEN).tolist()
        return [
            Waypoint(time, hand, int(EventKind.HOLD), performance.rest[hand])
            for hand in idle
            for time in times
        ]

    def places(self, times: Floats) -> Floats:
        """Where bodies are at some times, shape (T, J, 4), as `Bodies.places` has it."""
        return self.animation.motion.bodies.places(times - self.origin)

    @property
    def motion(self) -> Motion:
        """Paths of hands and props."""
        return self.animation.motion

    @cached_property
    def _timing(self) -> Timing:
        return timing_of(self.pattern, self.animation.score.staging, self.animation.parameters)

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
        """The flight of a throw that is juggled, and when it begins, [s] of the animation's own
        time.
        """
        performance, loops = self._performed
        flight = loop % loops * len(self._flights) + self._flights[index]
        thrown = float(performance.events.time[performance.flights.throw[flight]])
        nominal = (self._timing.throw[index] + loop * self.pattern.period) / self.clock.rate
        return flight, thrown + performance.duration * round(
            (nominal - thrown) / performance.duration
        )

    def _flown(self, index: int, loop: int) -> Flown | None:
        if self._timing.held[index]:
            return None
        flight, thrown = self._row(index, loop)
        events = self._performed[0].events
        flights = self._performed[0].flights
        ends = int(flights.throw[flight]), int(flights.catch[flight])
        caught = thrown + float(flights.duration[flight])
        style = flights.style[flight] if flights.style else AIR
        start, end = (events.position[event] for event in ends)
        return Flown(
            self.origin + thrown, self.origin + caught, start, end, manners_of(events, *ends), style
        )

    def _prop(self, index: int, loop: int) -> int:
        """The prop of the animation that makes a throw."""
        throws = self.pattern.throws
        period = self.pattern.period
        beat = throws[index].beat + loop * period
        following = index
        while self._timing.held[following]:
            beat = beat + throws[following].value
            following = self.pattern.landings[following]
            if following == index:
                return self._held_prop(index, loop)
        flight, thrown = self._row(following, (beat - throws[following].beat) // period)
        return self._making(flight, thrown)

    @cached_property
    def _making(self) -> Callable[[int, float], int]:
        return prop_making(self._performed[0])

    def _held_prop(self, index: int, loop: int) -> int:
        """The prop of an orbit that never flies: orbits keep their order, whatever loops are
        joined.
        """
        never = [
            orbit
            for orbit in self.pattern.orbits
            if all(self._timing.held[each] for each in orbit.throws)
        ]
        number = next(place for place, orbit in enumerate(never) if index in orbit.throws)
        before = 0
        still = list[int]()
        for performed in self._performed[0].orbits:
            still += [] if performed.flights else [before]
            before += performed.props
        orbit = never[number]
        throws = self.pattern.throws
        beat = throws[orbit.throws[0]].beat
        for each in orbit.throws[: orbit.throws.index(index)]:
            beat += throws[each].value
        return (
            still[number]
            + ((beat - throws[index].beat) // self.pattern.period - loop) % orbit.props
        )
