"""Patterns that play for ever: their tosses, with the times, places and props of an animation."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Protocol

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion
from juggle_anim.pattern import Pattern
from juggle_anim.tosses.hand_times import HandEvent, points_of_loop
from juggle_anim.tosses.segment import Segment
from juggle_anim.tosses.toss import Clock, FlightProps, Toss, TossFlight, Waypoint

_IDLE_STEP = 0.3  # s, between points of a hand that does nothing


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

    def tosses(self, first: int, end: int) -> list[Toss]:
        """All tosses from one beat up to another, in order; beats are in parts of a beat.

        Args:
            first: the first beat.
            end: the beat after the last.
        """
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
        props: for each of its P props the index that it has among all; None if they have their own.
    """

    animation: Animation
    origin: float
    props: tuple[int, ...] | None = None

    @cached_property
    def segment(self) -> Segment:
        """The pattern by itself, without the variation of people."""
        return Segment(self.animation.score, self.animation.parameters)

    @property
    def division(self) -> int:
        """Parts of a beat."""
        return self.pattern.division

    @property
    def pattern(self) -> Pattern:
        """One loop, until hands, catches and bodies repeat."""
        return self.segment.pattern

    @cached_property
    def highest(self) -> int:
        """The greatest value of a throw."""
        return max((throw.value for throw in self.pattern.throws), default=0)

    @cached_property
    def clock(self) -> Clock:
        """A steady tempo."""
        return Clock.steady(self._rate, self.origin)

    @property
    def motion(self) -> Motion:
        """Paths of hands and props."""
        return self.animation.motion

    @property
    def _rate(self) -> float:
        """The tempo, in parts of a beat per second."""
        return self.animation.choreography.bps * self.division

    def tosses(self, first: int, end: int) -> list[Toss]:
        """All tosses from one beat up to another, in order; beats are in parts of a beat.

        Each has the times of its flight, [s], absolute, and the index of its prop among all, or
        the pattern's own index if `props` is None.

        Args:
            first: the first beat, counted from the pattern's own beat 0.
            end: the beat after the last.
        """
        tosses = []
        for loop, throw_index, throw in self.segment.throws(first, end):
            prop = self._prop_of_throw(throw_index, loop)
            if self.props:
                # From the pattern's own index to that among all.
                prop = self.props[prop]
            tosses.append(Toss(throw, prop, self._flight(throw_index, loop)))
        return sorted(tosses, key=lambda toss: toss.throw.beat)

    def waypoints(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between events, at absolute times, in no order of time.

        Hands that throw and catch nothing are at rest, at a point every `_IDLE_STEP` seconds.

        Args:
            first: the earliest time, [s].
            last: the time up to which points are passed, [s].
        """
        # What is performed may be several loops of the pattern, as people vary.
        performance = self.animation.performance
        loop_duration = performance.duration
        first_loop = math.floor((first - self.origin) / loop_duration)
        end_loop = math.ceil((last - self.origin) / loop_duration)
        points = []
        for point, _neighbours, _time_to_throw in points_of_loop(performance):
            for loop in range(first_loop, end_loop):
                time = self.origin + loop * loop_duration + point.time
                if first <= time < last:
                    points.append(point._replace(time=time))
        return points + self._waypoints_of_idle_hands(first, last)

    def points_with_neighbours(
        self, first: float, last: float
    ) -> list[tuple[Waypoint, list[HandEvent]]]:
        """The points that hands pass, each with the events of its hand before and after it.

        The points are those of `waypoints` without those of hands that do nothing. All times are
        absolute, [s].

        Args:
            first: the earliest time, [s].
            last: the time up to which points are passed, [s].
        """
        performance = self.animation.performance
        loop_duration = performance.duration
        points = []
        for point, neighbours, _time_to_throw in points_of_loop(performance):
            time_in_loop_0 = self.origin + point.time
            # All loops in which its time is from `first` up to `last`.
            first_loop = math.ceil((first - time_in_loop_0) / loop_duration)
            end_loop = math.ceil((last - time_in_loop_0) / loop_duration)
            for loop in range(first_loop, end_loop):
                time = time_in_loop_0 + loop * loop_duration
                # The times of neighbours are since the point.
                events = [event._replace(time=time + event.time) for event in neighbours]
                points.append((point._replace(time=time), events))
        return points

    def _waypoints_of_idle_hands(self, first: float, last: float) -> list[Waypoint]:
        """Waypoints at rest for hands without events, every `_IDLE_STEP` seconds in some time."""
        performance = self.animation.performance
        hands = np.arange(len(performance.rest))
        idle = np.setdiff1d(hands, performance.events.hand).tolist()
        times = np.arange(first, last - _IDLE_STEP, _IDLE_STEP).tolist()
        return [
            Waypoint(time, hand, int(EventKind.HOLD), performance.rest[hand])
            for hand in idle
            for time in times
        ]

    def places(self, times: Floats) -> Floats:
        """Where bodies are at some times, shape (T, J, 4), as `Bodies.places` has it."""
        return self.animation.motion.bodies.places(times - self.origin)

    def _performed_flight(self, throw_index: int, loop: int) -> tuple[int, float]:
        """The flight of a throw as it is performed, and when it begins.

        The throw must be no hold. The performance holds one or several loops of the pattern, each
        a little different as people vary, and repeats after these.

        Args:
            throw_index: index of the throw in the pattern.
            loop: of the pattern, from 0 on; below 0 before its first.

        Returns:
            The row of the flight in the performance, and the time of its throw in the animation's
            own time, [s].
        """
        performance = self.animation.performance
        performed_loops = round(performance.duration / self.animation.choreography.duration)
        flight_row_of = self.segment.flight_row_of
        first_row = loop % performed_loops * len(flight_row_of)  # of the flights of that loop
        flight_row = first_row + flight_row_of[throw_index]
        throw_time = float(performance.events.time[performance.flights.throw[flight_row]])
        # The lap of the performance in which the throw is nearest to its nominal time.
        nominal_beat = self.segment.timing.throw[throw_index] + loop * self.pattern.period
        laps = round((nominal_beat / self._rate - throw_time) / performance.duration)
        return flight_row, throw_time + performance.duration * laps

    def _flight(self, throw_index: int, loop: int) -> TossFlight | None:
        """The flight of a throw at absolute times; None for a hold."""
        if throw_index not in self.segment.flight_row_of:
            return None
        performance = self.animation.performance
        flight_row, throw_time = self._performed_flight(throw_index, loop)
        catch_time = throw_time + float(performance.flights.duration[flight_row])
        return TossFlight.from_choreography(
            performance,
            flight_row,
            throw_time=self.origin + throw_time,
            catch_time=self.origin + catch_time,
        )

    @cached_property
    def _flight_props(self) -> FlightProps:
        return FlightProps(self.animation.performance)

    def _prop_of_throw(self, throw_index: int, loop: int) -> int:
        """The index of the prop of the animation that makes a throw, as a hold or as a flight.

        Flights tell their props: a prop that is held is followed through its holds to its next
        flight. In an orbit that has none, the order of the holds tells.

        Args:
            throw_index: index of the throw in the pattern.
            loop: of the pattern, from 0 on; below 0 before its first.
        """
        throws = self.pattern.throws
        beat = throws[throw_index].beat + loop * self.pattern.period
        following = throw_index
        while following not in self.segment.flight_row_of:
            beat += throws[following].value
            following = self.pattern.landings[following]
            if following == throw_index:
                # Once around its orbit without a flight.
                return self._held_prop(throw_index, loop)
        loop_of_flight = (beat - throws[following].beat) // self.pattern.period
        return self._flight_props.prop(*self._performed_flight(following, loop_of_flight))

    def _held_prop(self, throw_index: int, loop: int) -> int:
        """The index of the prop that makes a hold, in an orbit that consists of holds only.

        The performance may have more loops than the pattern, but as many orbits without flights, in
        the same order. So the orbit of the pattern tells that of the performance by its position.

        Args:
            throw_index: index of a hold of the orbit in the pattern.
            loop: the loop of the pattern in which it is held, from 0 on; below 0 before its first.
        """
        throws = self.pattern.throws
        flight_row_of = self.segment.flight_row_of
        held_orbits = [
            orbit for orbit in self.pattern.orbits if not flight_row_of.keys() & orbit.throws
        ]
        # The first prop of each such orbit in the performance, whose props are numbered by orbits.
        first_props = []
        first_prop = 0
        for performed in self.animation.performance.orbits:
            if not performed.flights:
                first_props.append(first_prop)
            first_prop += performed.props
        orbit_index = next(
            index for index, orbit in enumerate(held_orbits) if throw_index in orbit.throws
        )
        orbit = held_orbits[orbit_index]
        # Beats from the first throw of the orbit to this one, along the way of a prop.
        beat = throws[orbit.throws[0]].beat
        for earlier in orbit.throws[: orbit.throws.index(throw_index)]:
            beat += throws[earlier].value
        # The first prop of the orbit makes this hold in the loop (beat − its own beat) / period.
        # Each further prop is a loop ahead of the one before, so prop n makes it n loops earlier.
        laps = (beat - throws[throw_index].beat) // self.pattern.period - loop
        return first_props[orbit_index] + laps % orbit.props
