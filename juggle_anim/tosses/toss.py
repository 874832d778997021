"""Tosses: throws on beats of all time, each with its flight and the prop that makes it; and the
clock that says when these beats are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, Events, FlightStyle, Score
from juggle_anim.choreography.choreography import AIR
from juggle_anim.parameters import Parameters
from juggle_anim.pattern.joining import States
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of

TEMPO_CHANGE = 0.5
"""How long a tempo takes to become another one, [s]."""

RESTING = FlightStyle(gravity=1e-6)
"""The flight of a prop that lies on a table or a stand: it stays where it is."""

FOREVER = 100_000
"""The value of a throw whose prop is put down and not picked up again, [beats]."""

HURRIED_SHARE = 0.95
"""Share of the time in a steady tempo; what has less is hurried."""

_LONG_AGO = 1_000  # beats since the last throw of a hand that has thrown nothing
_NEWTON_STEPS = 8  # enough for full precision from any start within a change of tempo
_BISECTIONS = 80  # from ±1e6 beats to the last bit of a double
_FARTHEST_BEAT = 1e6  # between minus and plus this many beats a time is looked for

Technique = tuple[int, int]
"""How a hand throws or catches: a grasp and a row of a body throw, as a row of `Events.manners`."""


class Juggled(Protocol):
    """A pattern with its choreography, as an `Animation` and a `Segment` have it."""

    @property
    def score(self) -> Score:
        """The pattern and its staging."""
        ...

    @property
    def parameters(self) -> Parameters:
        """The parameters with which it is juggled."""
        ...

    @property
    def choreography(self) -> Choreography:
        """Its throws and catches in seconds and metres."""
        ...


class Flown(NamedTuple):
    """The flight of a prop, or its rest on a table or a stand.

    Attributes:
        thrown: when it begins, [s]; −∞ for a rest that began before all that is known.
        caught: when it ends, [s]; ∞ for a rest that does not end.
        start: position of the throwing hand then, as in `Events`, [m].
        end: position of the catching hand, likewise.
        techniques: of the throw and of the catch.
        style: gravity and bounces.
    """

    thrown: float
    caught: float
    start: Floats
    end: Floats
    techniques: tuple[Technique, Technique]
    style: FlightStyle = AIR

    @classmethod
    def from_choreography(
        cls, choreography: Choreography, flight: int, thrown: float, caught: float
    ) -> Flown:
        """Return a flight of a choreography, with times of all time.

        Args:
            choreography: with the flight, its places, manners and style.
            flight: its row.
            thrown: when it begins, [s].
            caught: when it ends, [s].
        """
        events = choreography.events
        flights = choreography.flights
        throw_event = int(flights.throw[flight])
        catch_event = int(flights.catch[flight])
        return cls(
            thrown,
            caught,
            events.position[throw_event],
            events.position[catch_event],
            (_technique(events, throw_event), _technique(events, catch_event)),
            flights.style[flight] if flights.style else AIR,
        )


def _technique(events: Events, row: int) -> Technique:
    grasp, body_throw = events.manners[row].tolist()
    return grasp, body_throw


class Waypoint(NamedTuple):
    """A point that a hand passes between throws and catches.

    Attributes:
        time: when, [s] of all time.
        hand: 2 · juggler + side.
        kind: as in `Events`, HOLD or MOVE.
        position: as in `Events`, [m].
    """

    time: float
    hand: int
    kind: int
    position: Floats


class Toss(NamedTuple):
    """A throw on one beat of all time.

    A prop that is put down has a flight that rests, and lands after all that matters. One that is
    picked up is held from then on until it is thrown, and its flight is the rest before.

    Attributes:
        throw: with its beat of all time.
        prop: index of the prop; −1 while it is unknown.
        flown: its flight; None for a hold, and while the flight has no times yet.
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
    def is_around_body(self) -> bool:
        """Whether it is thrown or caught around a body."""
        return self.flown is not None and any(
            body_throw for _grasp, body_throw in self.flown.techniques
        )

    @property
    def plain(self) -> Toss:
        """The toss without a way around a body; its flight then follows from its neighbours."""
        return self._replace(flown=None) if self.is_around_body else self

    @property
    def landing(self) -> int:
        """The beat on which its prop is due again."""
        return self.throw.beat + self.throw.value

    def scaled(self, factor: int, shift: int = 0) -> Toss:
        """Return the toss with its beat and value counted in parts of a beat.

        The times of its flight stay as they are.

        Args:
            factor: parts of each of its beats.
            shift: the part on which its beat 0 is.
        """
        throw = self.throw
        return self._replace(
            throw=throw._replace(beat=throw.beat * factor + shift, value=throw.value * factor)
        )

    def retimed(self, time: Callable[[float], float]) -> Toss:
        """Return the toss with both times of its flight mapped by a function.

        Args:
            time: the new time of an old one, such as seconds of beats.
        """
        if self.flown is None:
            return self
        flown = self.flown
        return self._replace(
            flown=flown._replace(thrown=time(flown.thrown), caught=time(flown.caught))
        )


@dataclass(frozen=True)
class Clock:
    """Times of beats: one tempo up to some beat, then another, with a smooth change between.

    Args:
        beat: on which the tempo begins to change.
        time: of that beat, [s].
        rate: tempo before, [beats/s].
        later: tempo afterwards, [beats/s].
        before: the clock that holds up to that beat; None for a steady tempo.
    """

    beat: float
    time: float
    rate: float
    later: float
    before: Clock | None = None

    @classmethod
    def steady(cls, rate: float, start: float = 0.0) -> Clock:
        """Return a clock of one tempo [beats/s], whose beat 0 is at a time [s]."""
        return cls(0.0, start, rate, rate)

    def changing(self, beat: float, rate: float) -> Clock:
        """Return this clock with another tempo [beats/s] after some beat."""
        return Clock(beat, self.at(beat), self.later, rate, self)

    @property
    def settled(self) -> tuple[float, float]:
        """The beat from which the last tempo holds, and the time of that beat, [s]."""
        if self.rate == self.later:
            return self.beat, self.time
        return self.beat + TEMPO_CHANGE * (self.rate + self.later) / 2, self.time + TEMPO_CHANGE

    def at(self, beat: float) -> float:
        """Return the time of a beat, which may be a fraction, [s].

        The tempo is steady before a change and after it; in between it is a smooth step.
        """
        if beat <= self.beat:
            if self.before:
                return self.before.at(beat)
            return self.time + (beat - self.beat) / self.rate
        settled_beat, settled_time = self.settled
        if beat >= settled_beat:
            return settled_time + (beat - settled_beat) / self.later
        # With u the share of the change that is over, its beats are
        #   b(u) = T · (r · u + Δr · (u³ − u⁴/2)),
        # since u³ − u⁴/2 is the integral of the smooth step 3u² − 2u³. Newton's method solves
        # b(u) = beat − first beat of the change, from the solution for a steady tempo on.
        share = (beat - self.beat) / (settled_beat - self.beat)
        rate_change = self.later - self.rate
        for _ in range(_NEWTON_STEPS):
            beats = TEMPO_CHANGE * (self.rate * share + rate_change * share**3 * (1 - share / 2))
            slope = TEMPO_CHANGE * (self.rate + rate_change * share * share * (3 - 2 * share))
            share -= (beats - (beat - self.beat)) / slope
        return self.time + TEMPO_CHANGE * share

    def beat_at(self, time: float) -> float:
        """Return the beat at a time [s], a fraction, by bisection of `at`."""
        low = -_FARTHEST_BEAT
        high = _FARTHEST_BEAT
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if self.at(middle) <= time:
                low = middle
            else:
                high = middle
        return low

    def hurries(self, toss: Toss, division: int) -> bool:
        """Return whether a toss around a body has much less time than in the last tempo.

        Args:
            toss: with the times of its flight in ticks, 1 / division of a beat.
            division: ticks in a beat.
        """
        if toss.flown is None or not toss.is_around_body:
            return False
        # The hand sets out for its place behind the body a beat before it throws.
        first = min(toss.throw.beat, toss.flown.thrown) - division
        last = toss.flown.caught
        # Seconds that it has, as ticks of the last tempo, against the ticks that it takes.
        return (self.at(last) - self.at(first)) * self.later < HURRIED_SHARE * (last - first)

    def since(self, time: float) -> Clock:
        """Return the clock without the changes of tempo that began before a time [s]."""
        before = self.before.since(time) if self.before and self.time > time else None
        return replace(self, before=before)

    def scaled(self, factor: int) -> Clock:
        """Return the clock of beats that are divided into so many parts."""
        before = self.before and self.before.scaled(factor)
        return Clock(self.beat * factor, self.time, self.rate * factor, self.later * factor, before)


class _OrbitStart(NamedTuple):
    """The orbit of a flight.

    Attributes:
        first_prop: of the orbit.
        props: how many make it.
        since: when the first prop of the orbit begins this flight, counted from its first, [s].
    """

    first_prop: int
    props: int
    since: float


class FlightProps:
    """Which prop of a choreography makes a flight at a time."""

    def __init__(self, choreography: Choreography) -> None:
        """Find the orbit of each flight, and when its first prop begins the flight."""
        self._loop = choreography.duration
        self._orbits: dict[int, _OrbitStart] = {}  # by the row of a flight
        events = choreography.events
        flights = choreography.flights
        # Props are numbered orbit by orbit.
        first_prop = 0
        for orbit in choreography.orbits:
            since = float(events.time[flights.throw[orbit.flights[0]]]) if orbit.flights else 0.0
            for flight in orbit.flights:
                self._orbits[flight] = _OrbitStart(first_prop, orbit.props, since)
                since += float(flights.duration[flight] + flights.carry[flight])
            first_prop += orbit.props

    def prop(self, flight: int, thrown: float) -> int:
        """Return the prop that makes a flight which begins at a time.

        Args:
            flight: its row.
            thrown: the time, [s]. The props of an orbit make each flight one loop after another.
        """
        orbit = self._orbits[flight]
        laps = round((orbit.since - thrown) / self._loop)
        return orbit.first_prop + laps % orbit.props


def states_before(tosses: Sequence[Toss], beats: Sequence[int], depth: int, hands: int) -> States:
    """Return the states before the throws of some beats.

    Args:
        tosses: all whose props are in the air or in hands then.
        beats: N beats.
        depth: how many beats ahead the states reach.
        hands: number of hands, H.

    Returns:
        `due` of shape (N, depth, H), props due on each coming beat in each hand; `since` of shape
        (N, H), beats since each hand threw.
    """
    due = np.zeros((len(beats), depth, hands), dtype=np.intp)
    since = np.full((len(beats), hands), _LONG_AGO)
    for row, beat in enumerate(beats):
        for toss in tosses:
            if toss.throw.beat >= beat:
                continue
            if beat <= toss.landing < beat + depth:
                due[row, toss.landing - beat, catching_hand(toss.throw)] += 1
            hand = hand_of(toss.throw)
            since[row, hand] = min(since[row, hand], beat - toss.throw.beat)
    return States(due, since)
