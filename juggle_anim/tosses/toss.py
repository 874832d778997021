"""Tosses: throws on beats of all time, each with its times, its places and the prop that makes
it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, Events, FlightStyle, Score
from juggle_anim.choreography.choreography import AIR
from juggle_anim.parameters import Parameters
from juggle_anim.pattern.pattern import Throw, catching_hand

SLEWING = 0.5
"""How long a tempo takes to become another one, [s]."""

RESTING = FlightStyle(gravity=1e-6)
"""The flight of a prop that lies on a table: it stays where it is."""

FOREVER = 100_000
"""The value of what is put down, [beats]."""

_NEWTON_STEPS = 8
_LEAST_TIME = 0.95  # of that in the last tempo; with less, beats are hurried


class Juggled(Protocol):
    """What is juggled, as an animation has it."""

    @property
    def score(self) -> Score:
        """The pattern."""
        ...

    @property
    def parameters(self) -> Parameters:
        """How it is juggled."""
        ...

    @property
    def choreography(self) -> Choreography:
        """Its throws and catches in seconds and metres."""
        ...


class Flown(NamedTuple):
    """A flight as it is juggled: its times [s], the places of the hands then, as in `Events`, [m],
    and its style.

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

    What is put down has a flight that rests, and lands after all that matters. What is picked up is
    held from then on until it is thrown, and its flight is the rest before.
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
    def is_around(self) -> bool:
        """Whether it is thrown or caught around a body."""
        return self.flown is not None and any(around for _, around in self.flown.manners)

    @property
    def plain(self) -> Toss:
        """The toss without what it does around a body; its times and places then follow from what
        is beside it.
        """
        return self._replace(flown=None) if self.is_around else self

    @property
    def landing(self) -> int:
        """The beat on which its prop is due again."""
        return self.throw.beat + self.throw.value

    def scaled(self, factor: int, shift: int = 0) -> Toss:
        """The toss with its beats in parts, counted from another one on."""
        throw = self.throw
        return self._replace(
            throw=throw._replace(beat=throw.beat * factor + shift, value=throw.value * factor)
        )


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
            return (
                self.before.at(beat) if self.before else self.time + (beat - self.beat) / self.rate
            )
        settled, then = self.steady
        if beat >= settled:
            return then + (beat - settled) / self.later
        # u³ − u⁴/2 is the integral of the smooth step 3u² − 2u³.
        share = (beat - self.beat) / (settled - self.beat)
        more = self.later - self.rate
        for _ in range(_NEWTON_STEPS):
            beats = self.lasts * (self.rate * share + more * share**3 * (1 - share / 2))
            speed = self.lasts * (self.rate + more * share * share * (3 - 2 * share))
            share -= (beats - (beat - self.beat)) / speed
        return self.time + self.lasts * share

    def beat_at(self, time: float) -> float:
        """The beat at a time [s], by bisection."""
        low = -1e6
        high = 1e6
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self.at(middle) <= time else (low, middle)
        return low

    def hurries(self, first: float, last: float) -> bool:
        """Whether the beats from one to another have much less time than in the last tempo."""
        return (self.at(last) - self.at(first)) * self.later < _LEAST_TIME * (last - first)

    def since(self, time: float) -> Clock:
        """The same clock from a time [s] on; before, it may be as if there had been one tempo."""
        before = self.before.since(time) if self.before and self.time > time else None
        return replace(self, before=before)

    def scaled(self, factor: int) -> Clock:
        """The clock of beats in parts."""
        before = self.before and self.before.scaled(factor)
        return Clock(
            self.beat * factor,
            self.time,
            self.rate * factor,
            self.later * factor,
            before,
            self.lasts,
        )


def in_seconds(toss: Toss, clock: Clock, division: int) -> Toss:
    """A toss with the times of its flight in seconds; what is put down or picked up is so about its
    beat.

    Args:
        toss: with times in parts of a beat.
        clock: when these are.
        division: parts of a beat.
    """
    if toss.flown is None:
        return toss
    times = toss.flown.thrown, toss.flown.caught
    if toss.rests:
        times = toss.throw.beat, toss.landing - division / 2
    return toss._replace(
        flown=toss.flown._replace(thrown=clock.at(times[0]), caught=clock.at(times[1]))
    )


def manners_of(events: Events, throw: int, catch: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """How hands throw and catch at the events that a flight begins and ends with, as in
    `Events.manners`.
    """
    (thrown_in, thrown_around), (caught_in, caught_around) = events.manners[[throw, catch]].tolist()
    return (thrown_in, thrown_around), (caught_in, caught_around)


def prop_making(choreography: Choreography) -> Callable[[int, float], int]:
    """Give the prop that makes a flight which begins at a time [s]."""
    events = choreography.events
    flights = choreography.flights
    found: dict[int, tuple[int, float, int]] = {}
    before = 0
    for orbit in choreography.orbits:
        since = float(events.time[flights.throw[orbit.flights[0]]]) if orbit.flights else 0.0
        for flight in orbit.flights:
            found[flight] = before, since, orbit.props
            since += float(flights.duration[flight] + flights.carry[flight])
        before += orbit.props

    return partial(_prop_of, found, choreography.duration)


def _prop_of(
    rows: Mapping[int, tuple[int, float, int]], loop: float, flight: int, thrown: float
) -> int:
    """The prop that makes a flight, from a row for each flight: first prop of its orbit, [s] since
    when, and props.
    """
    first, since, props = rows[flight]
    return first + round((since - thrown) / loop) % props


def due(tosses: Sequence[Toss], beat: int, depth: int, hands: int) -> Integers:
    """The state before the throws of a beat: props due on each coming beat in each hand, shape
    (depth, hands).
    """
    found = np.zeros((depth, hands), dtype=np.intp)
    for toss in tosses:
        if toss.throw.beat < beat <= toss.landing < beat + depth:
            found[toss.landing - beat, catching_hand(toss.throw)] += 1
    return found
